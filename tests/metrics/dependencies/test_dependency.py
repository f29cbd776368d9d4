"""Dependency metrics: the rules, one by one, and what must always hold."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.correspondence import Budget
from graphscore.evaluation.tasks import families
from graphscore.formats.registry import format_named
from graphscore.metrics.dependencies import view
from graphscore.metrics.dependencies.alignment import align, longest_common
from graphscore.metrics.dependencies.character_alignment import (
    common_axis,
    common_subsequence,
)
from graphscore.metrics.dependencies.document import Document, Sentence
from graphscore.metrics.registry import parse
from graphscore.model.graph import Graph, Node
from graphscore.model.outcome import Count, Outcome, count_of
from tests.metrics.dependencies.sentences import (
    any_sides,
    has_multiword,
    two_sides,
)

FORMAT = format_named("conllu")

BASIC = ("segmentation", "tagging", "uas", "las", "clas", "mlas", "blex")
ENHANCED = ("elas", "eulas")
EVERY = (*BASIC, *ENHANCED)


def graphs(text: str, framework: str = "ud") -> list[Graph]:
    """Sentences of rows ``ID FORM LEMMA UPOS FEATS HEAD DEPREL DEPS``.

    Missing columns are empty; a blank line ends a sentence.
    """
    blocks = [block.strip().split("\n") for block in text.strip().split("\n\n")]
    lines = []
    for block in blocks:
        for row in block:
            name, form, lemma, upos, feats, head, relation, deps, *_ = (
                *re.split(" +", row.strip(" ")),
                *["_"] * 8,
            )
            columns = (
                *(name, form, lemma, upos, "_", feats, head, relation),
                *(deps, "_"),
            )
            lines.append("\t".join(columns))
        lines.append("")
    data = "\n".join([*lines, ""]).encode()
    found = []
    for record in FORMAT.read(io.BytesIO(data), "test"):
        assert not hasattr(record, "problems"), record
        if record.graph.framework == framework:
            found.append(record.graph)
    return found


def compare(
    metric: str, gold: Sequence[Graph], system: Sequence[Graph], details: bool = True
) -> Outcome:
    scorer = parse(metric)
    return scorer.compare(
        [scorer.prepare(graph) for graph in gold],
        [scorer.prepare(graph) for graph in system],
        budget=Budget(),
        details=details,
    )


def counted(
    metric: str, gold: str, system: str, tuple_type: str = "all"
) -> tuple[Any, ...]:
    """Gold, system, matched amounts, and aligned where there is such."""
    framework = "eud" if metric.startswith(ENHANCED) else "ud"
    outcome = compare(metric, graphs(gold, framework), graphs(system, framework))
    raw_counts = outcome.raw_counts
    found = tuple(raw_counts.get((tuple_type, "", name), 0) for name in QUANTITIES)
    return found[:3] if framework == "eud" or tuple_type in SPANS else found


QUANTITIES = ("gold", "system", "matched", "aligned")
SPANS = ("tokens", "sentences")


DOGS = """
1 The   the  DET   Definite=Def    2 det    2:det
2 dogs  dog  NOUN  Number=Plur     4 nsubj  4:nsubj
3 may   may  AUX   VerbForm=Fin    4 aux    4:aux
4 bark  bark VERB  VerbForm=Inf    0 root   0:root
5 .     .    PUNCT _               4 punct  4:punct
"""


def changed(old: str, new: str) -> str:
    assert old in DOGS
    return DOGS.replace(old, new)


# What must agree.


@pytest.mark.parametrize(
    ("metric", "matched"),
    [("uas", 4), ("las", 4), ("clas", 1), ("mlas", 1), ("blex", 1)],
)
def test_a_wrong_head_costs_its_word(metric: str, matched: int) -> None:
    system = changed("4 nsubj", "1 nsubj")
    assert counted(metric, DOGS, system)[2] == matched


@pytest.mark.parametrize(
    ("metric", "matched"),
    [("uas", 5), ("las", 4), ("clas", 1), ("mlas", 1), ("blex", 1)],
)
def test_a_wrong_relation_costs_its_word(metric: str, matched: int) -> None:
    assert counted(metric, DOGS, changed("4 nsubj", "4 obj"))[2] == matched


@pytest.mark.parametrize("metric", BASIC)
def test_subtypes_of_relations_do_not_count(metric: str) -> None:
    system = changed("4 nsubj", "4 nsubj:pass")
    assert compare(metric, graphs(DOGS), graphs(system)).errors == ()


def test_only_relations_of_content_words_count_in_clas() -> None:
    assert counted("clas", DOGS, DOGS) == (2, 2, 2, 2)
    assert counted("clas", DOGS, changed("4 aux", "4 advmod")) == (2, 3, 2, 2)
    assert counted("clas", DOGS, changed("4 nsubj", "4 aux")) == (2, 1, 1, 2)


def test_mlas_asks_for_tags_and_universal_features() -> None:
    assert counted("mlas", DOGS, changed("NOUN", "PROPN"))[2] == 1
    assert counted("mlas", DOGS, changed("Number=Plur", "Number=Sing"))[2] == 1
    assert counted("mlas", DOGS, changed("Number=Plur", "Number=Plur|My=1"))[2] == 2


def test_mlas_asks_for_the_same_function_words() -> None:
    # The tags of function words count too, but not that of the full stop.
    assert counted("mlas", DOGS, changed("AUX", "VERB"))[2] == 1
    assert counted("mlas", DOGS, changed("4 aux", "4 cop"))[2] == 1
    assert counted("mlas", DOGS, changed("4 aux", "2 aux"))[2] == 0
    assert counted("mlas", DOGS, changed("PUNCT", "SYM"))[2] == 2


def test_blex_asks_for_the_lemma_unless_gold_has_none() -> None:
    assert counted("blex", DOGS, changed("dog ", "dogs "))[2] == 1
    assert counted("blex", DOGS, changed("dog ", "_ "))[2] == 1
    assert counted("blex", changed("dog ", "_ "), DOGS)[2] == 2


def test_features_count_in_any_order_and_only_universal_ones() -> None:
    gold = changed("Number=Plur", "Number=Plur|Case=Nom|My=1")
    system = changed("Number=Plur", "Case=Nom|Number=Plur|My=2")
    assert counted("tagging", gold, system, "ufeats") == (5, 5, 5, 5)
    system = changed("Number=Plur", "Number[psor]=Plur|Number=Plur")
    assert counted("tagging", DOGS, system, "ufeats") == (5, 5, 5, 5)


def test_a_word_without_head_claims_nothing() -> None:
    system = changed("4 nsubj", "_ _")
    assert counted("uas", DOGS, system) == (5, 4, 4, 5)
    assert counted("uas", system, system) == (4, 4, 4, 4)
    assert counted("uas", system, DOGS) == (4, 5, 4, 4)


def test_cycles_and_several_roots_are_scored() -> None:
    roots = changed("4 nsubj", "0 root")
    assert counted("uas", DOGS, roots) == (5, 5, 4, 5)
    assert counted("uas", roots, roots) == (5, 5, 5, 5)
    cycle = changed("0 root", "2 root")
    assert counted("uas", DOGS, cycle) == (5, 5, 4, 5)
    assert counted("mlas", cycle, cycle) == (2, 2, 2, 2)


# What the errors say.


def test_an_error_names_the_word_and_what_differs() -> None:
    outcome = compare("las", graphs(DOGS), graphs(changed("4 nsubj", "1 obj:x")))
    missing, spurious = outcome.errors
    assert missing[:8] == (
        *("missing", "all", "node", 1, 1, "dogs", "head+deprel", "nsubj"),
    )
    assert (missing.compared, missing.reason) == ("bark", "differs")
    assert (spurious.error_type, spurious.value, spurious.compared) == (
        *("spurious", "obj:x", "The"),
    )


def test_errors_of_uas_show_heads() -> None:
    outcome = compare("uas", graphs(DOGS), graphs(changed("0 root", "2 root")))
    assert [error.value for error in outcome.errors] == [0, "dogs"]


def test_errors_of_mlas_and_tagging_name_what_differs() -> None:
    system = changed("AUX   VerbForm=Fin", "VERB   VerbForm=Inf")
    assert [e.name for e in compare("mlas", graphs(DOGS), graphs(system)).errors] == [
        *("children", "children"),
    ]
    found = compare("tagging", graphs(DOGS), graphs(system)).errors
    assert [
        (e.error_type, e.name, e.value) for e in found if e.tuple_type == "alltags"
    ] == [
        ("missing", "upos+feats", "AUX _ VerbForm=Fin"),
        ("spurious", "upos+feats", "VERB _ VerbForm=Inf"),
    ]


def test_unaligned_words_have_no_counterpart() -> None:
    gold = "1 New _ _ _ 2 flat\n2 York _ _ _ 0 root"
    outcome = compare("las", graphs(gold), graphs("1 NewYork _ _ _ 0 root"))
    assert [(e.error_type, e.gold, e.system, e.reason) for e in outcome.errors] == [
        ("missing", 0, None, "no counterpart"),
        ("missing", 1, None, "no counterpart"),
        ("spurious", None, 0, "no counterpart"),
    ]


def test_errors_stand_in_the_order_of_the_document() -> None:
    gold = "1 a _ _ _ 2 x\n2 b _ _ _ 0 root\n3 cd _ _ _ 2 x\n4 e _ _ _ 2 x"
    system = "1 a _ _ _ 0 root\n2 b _ _ _ 1 x\n3 c _ _ _ 2 x\n4 d _ _ _ 2 x"
    system += "\n5 e _ _ _ 1 x"
    rows = [
        (e.error_type, e.label, e.reason)
        for e in compare("uas", graphs(gold), graphs(system)).errors
    ]
    assert rows == [
        ("missing", "a", "differs"),
        ("missing", "b", "differs"),
        ("missing", "cd", "no counterpart"),
        ("missing", "e", "differs"),
        ("spurious", "a", "differs"),
        ("spurious", "b", "differs"),
        ("spurious", "c", "no counterpart"),
        ("spurious", "d", "no counterpart"),
        ("spurious", "e", "differs"),
    ]


def test_ordinals_count_all_nodes_of_the_document() -> None:
    text = "1-2 au\n1 à _ _ _ 0 root\n2 le _ _ _ 1 det\n\n1 x _ _ _ 0 root"
    system = text.replace("0 root\n2", "0 top\n2").replace("x _ _ _ 0", "x _ _ _ 1")
    outcome = compare("las", graphs(text), graphs(system))
    assert [match.gold for match in outcome.matches] == [1, 2, 3]
    assert [error.gold for error in outcome.errors] == [1, 3, 1, 3]


# Words that are cut differently.


def test_white_space_in_forms_does_not_count() -> None:
    gold = [Graph("1", "ud", nodes=(Node(0, "10 000"), Node(1, "a\u00a0b")))]
    system = [Graph("1", "ud", nodes=(Node(0, "10"), Node(1, "000"), Node(2, "ab")))]
    outcome = compare("segmentation", gold, system)
    assert count_of(outcome.raw_counts, "words") == Count(2, 3, 1)
    assert outcome.method == "aligned"


def test_sentences_match_by_their_characters() -> None:
    gold = "1 a _ _ _ 0 root\n\n1 b _ _ _ 0 root\n\n1 c _ _ _ 0 root"
    system = "1 a _ _ _ 0 root\n2 b _ _ _ 1 x\n\n1 c _ _ _ 0 root"
    assert counted("segmentation", gold, system, "sentences") == (3, 2, 1)
    assert counted("segmentation", gold, system, "words") == (3, 3, 3, 3)
    # The second root of gold is not the root of the system's longer sentence.
    assert counted("uas", gold, system) == (3, 3, 2, 3)


def test_a_head_that_is_not_aligned_is_wrong() -> None:
    gold = "1 a _ _ _ 3 x\n2 b _ _ _ 3 x\n3 cd _ _ _ 0 root"
    system = "1 a _ _ _ 3 x\n2 b _ _ _ 1 x\n3 c _ _ _ 0 root\n4 d _ _ _ 3 x"
    assert counted("uas", gold, system) == (3, 4, 0, 2)


def test_words_of_multiword_tokens_are_aligned_by_their_forms() -> None:
    gold = "1-2 vámonos\n1 Vamos _ _ _ 0 root\n2 nos _ _ _ 1 obj\n3 al _ _ _ 1 obl"
    gold += "\n4 mar _ _ _ 3 x"
    system = "1 vámonos _ _ _ 0 root\n2-3 al\n2 a _ _ _ 4 case\n3 el _ _ _ 4 det"
    system += "\n4 mar _ _ _ 1 obl"
    assert counted("segmentation", gold, system, "tokens") == (3, 3, 3)
    assert counted("segmentation", gold, system, "words") == (4, 4, 1, 1)
    other = gold.replace("Vamos", "vamos").replace("nos _", "os _")
    assert counted("segmentation", gold, other, "words") == (4, 4, 3, 3)


def test_overlapping_multiword_tokens_are_one_stretch() -> None:
    gold = "1-2 ab\n1 a\n2 b\n3-4 cd\n3 c\n4 d"
    system = "1 a\n2-3 bc\n2 b\n3 c\n4 d"
    pairs = align(
        *(Document([Sentence(g) for g in graphs(each)]) for each in (gold, system))
    ).pairs
    assert pairs == ([0, 1, 2, 3], [0, 1, 2, 3])


GOLD_BEFORE = "1 abc\n2-3 de\n2 b\n3 e"
SYSTEM_BEFORE = "1 a\n2 b\n3 c\n4-5 de\n4 d\n5 e"


def test_only_words_inside_a_multiword_token_are_aligned_by_form() -> None:
    # The walk looks back over one word only, and takes "b" before the token.
    assert counted("segmentation", GOLD_BEFORE, SYSTEM_BEFORE, "words")[2] == 1
    walk = "segmentation(preset=udtools)"
    assert counted(walk, GOLD_BEFORE, SYSTEM_BEFORE, "words")[2] == 2


def test_a_word_that_sticks_out_of_a_multiword_token_is_not_aligned() -> None:
    gold = "1 abc\n2-3 de\n2 cd\n3 e"
    system = "1 a\n2 b\n3 cd\n4 e"
    assert counted("segmentation", gold, system, "words")[2] == 1
    assert counted("segmentation(preset=udtools)", gold, system, "words")[2] == 2


# Texts that are not the same.


def test_a_sentence_that_is_not_there_costs_only_itself() -> None:
    text = "1 a _ _ _ 2 x\n2 b _ _ _ 0 root"
    more = "1 c _ _ _ 0 root\n2 d _ _ _ 1 y"
    gold = graphs("\n\n".join([text, more, text, more, text]))
    for place in range(5):
        system = gold[:place] + gold[place + 1 :]
        outcome = compare("las", gold, system)
        assert count_of(outcome.raw_counts, "all") == Count(10, 8, 8)
        assert outcome.method == "texts differ"


def test_a_rewritten_form_costs_only_its_word() -> None:
    system = changed("dogs  dog", "cats  dog").replace("bark  bark", "ba\u00a0rk bark")
    assert counted("uas", DOGS, system) == (5, 5, 3, 4)
    assert counted("segmentation", DOGS, system, "tokens") == (5, 5, 4)
    assert counted("segmentation", DOGS, system, "sentences") == (1, 1, 0)


def test_scores_say_how_far_the_texts_are_the_same() -> None:
    metric = parse("segmentation")
    outcome = compare("segmentation", graphs(DOGS), graphs(changed("dogs", "dot")))
    numbers = metric.scores(outcome.raw_counts).numbers
    assert numbers["characters.recall"] == 13 / 15
    assert numbers["characters.precision"] == 13 / 14


def test_nothing_in_common_is_compared_quickly() -> None:
    gold = [Graph("1", "ud", nodes=tuple(Node(k, f"a{k}") for k in range(9000)))]
    system = [Graph("1", "ud", nodes=tuple(Node(k, f"b{k}x") for k in range(9000)))]
    outcome = compare("segmentation", gold, system, details=False)
    assert count_of(outcome.raw_counts, "words") == Count(9000, 9000, 0)


def test_words_without_form_are_never_aligned_across_cuts() -> None:
    gold = [Graph("1", "ud", nodes=(Node(0), Node(1), Node(2, "ab")), tops=(0,))]
    system = [Graph("1", "ud", nodes=(Node(0), Node(1, "a"), Node(2, "b")))]
    for metric in ("uas", "uas(preset=udtools)"):
        assert count_of(compare(metric, gold, system).raw_counts, "all").matched == 0
        assert count_of(compare(metric, gold, gold).raw_counts, "all") == Count(1, 1, 1)


# Enhanced dependencies.

GAPS = """
1    I    _ _ _ 2 nsubj 2:nsubj
2    ate  _ _ _ 0 root  0:root
3    you  _ _ _ 2 conj  3.1:nsubj:x
3.1  ate  _ _ _ _ _     2:conj:and
4    too  _ _ _ 3 orphan 3.1:advmod|2:advmod
"""


def test_every_enhanced_dependency_counts() -> None:
    assert counted("elas(empty=collapse)", GAPS, GAPS) == (5, 5, 5)
    system = GAPS.replace("|2:advmod", "").replace("0:root", "0:root|1:x")
    assert counted("elas(empty=collapse)", GAPS, system) == (5, 5, 4)
    assert counted("elas", GAPS, system) == (3, 3, 2)


def test_paths_through_empty_nodes_become_edges() -> None:
    written = GAPS.replace("3.1:nsubj:x", "2:conj:and>nsubj:x")
    written = written.replace("3.1:advmod", "2:conj:and>advmod")
    written = "\n".join(row for row in written.split("\n") if row[:3] != "3.1")
    assert counted("elas(preset=none)", GAPS, written) == (5, 5, 5)
    other = written.replace("conj:and>nsubj:x", "conj:or>nsubj")
    assert counted("elas(preset=none)", GAPS, other) == (5, 5, 4)
    assert counted("eulas(preset=none)", GAPS, other) == (5, 5, 5)


def test_empty_nodes_can_be_left_out() -> None:
    for call, edges in (
        ("elas", 3),
        ("elas(preset=udtools)", 3),
        ("elas(empty=skip)", 3),
        ("elas(preset=none)", 5),
        ("elas(empty=collapse,preset=udtools)", 5),
        ("elas(empty=skip,preset=none)", 3),
    ):
        assert counted(call, GAPS, GAPS) == (edges, edges, edges)


def test_the_strings_of_enhanced_metrics_are_as_they_were() -> None:
    for call in (
        "elas",
        "eulas(preset=udtools)",
        "elas(empty=skip)",
        "eulas(preset=udtools,empty=skip)",
        "elas(empty=collapse)",
        "elas(preset=none)",
    ):
        assert str(parse(call)) == call


def test_paths_visit_no_empty_node_twice() -> None:
    text = """
    1   a _ _ _ 0 root 0:root|1.1:x
    1.1 b _ _ _ _ _    1.2:p|0:q|1:r|1.1:s
    1.2 c _ _ _ _ _    1.1:t|1:u|1:u
    """
    scorer = parse("elas(empty=collapse)")
    [sentence] = [scorer.prepare(graph) for graph in graphs(text, "eud")]
    assert sentence.arcs == [
        (0, -1, "root"),
        (0, -1, "q>x"),
        (0, 0, "r>x"),
        (0, 0, "u>p>x"),
    ]


def test_a_dependency_matches_once_unless_the_program_is_followed() -> None:
    gold = "1 a _ _ _ 0 root 0:root\n2 b _ _ _ 1 x 1:x:y|1:x:z"
    assert counted("eulas", gold, gold) == (3, 3, 3)
    outcome = compare("eulas(preset=udtools)", graphs(gold, "eud"), graphs(gold, "eud"))
    assert count_of(outcome.raw_counts, "all") == Count(3, 3, 5)


def test_enhanced_errors_show_the_label_and_what_differs() -> None:
    system = GAPS.replace("2:nsubj", "2:obj").replace("|2:advmod", "|1:advmod")
    outcome = compare("elas", graphs(GAPS, "eud"), graphs(system, "eud"))
    assert [
        (e.error_type, e.label, e.name, e.value, e.gold) for e in outcome.errors
    ] == [
        ("missing", "I", "deprel", "nsubj", 0),
        ("missing", "too", "head", "advmod", 4),
        ("spurious", "I", "deprel", "obj", 0),
        ("spurious", "too", "head", "advmod", 4),
    ]


# Scores.


def test_accuracy_is_that_of_aligned_words() -> None:
    metric = parse("uas")
    gold = "1 a _ _ _ 0 root\n2 bc _ _ _ 1 x\n3 d _ _ _ 1 x"
    system = "1 a _ _ _ 0 root\n2 b _ _ _ 1 x\n3 c _ _ _ 1 x\n4 d _ _ _ 2 x"
    scores = metric.scores(compare("uas", graphs(gold), graphs(system)).raw_counts)
    assert scores.numbers == {"aligned_accuracy": 0.5}
    assert scores.counts["all"] == Count(3, 4, 1)


def test_all_repeats_the_main_tuple_type() -> None:
    for name, main in (("segmentation", "words"), ("tagging", "alltags")):
        outcome = compare(name, graphs(DOGS), graphs(changed("NOUN", "X")))
        counts = parse(name).scores(outcome.raw_counts).counts
        assert counts["all"] == counts[main]


# Any two documents at all.


def layers(metric: str, sides: Sequence[list[Graph]]) -> list[list[Graph]]:
    framework = "eud" if metric.startswith(ENHANCED) else "ud"
    return [[g for g in side if g.framework == framework] for side in sides]


@given(st.one_of(two_sides, any_sides), st.sampled_from(EVERY))
def test_every_word_is_in_one_match(
    sides: tuple[list[Graph], list[Graph]], metric: str
) -> None:
    outcome = compare(metric, *layers(metric, sides))
    golds, systems = ([match[side] for match in outcome.matches] for side in (1, 2))
    assert golds == sorted(set(golds))
    assert systems == sorted(set(systems))


@given(two_sides, st.sampled_from(EVERY))
def test_swapping_sides_swaps_gold_and_system(
    sides: tuple[list[Graph], list[Graph]], metric: str
) -> None:
    if has_multiword(sides):
        # As many words are aligned, but of several equally many others may be.
        metric = "segmentation"
    one = compare(metric, *layers(metric, sides)).raw_counts
    two = compare(metric, *layers(metric, sides[::-1])).raw_counts
    for tuple_type in parse(metric).tuple_types:
        gold, system, matched, _ = count_of(one, tuple_type)
        assert count_of(two, tuple_type) == Count(system, gold, matched)


@given(two_sides)
def test_without_multiword_tokens_both_ways_are_the_same(
    sides: tuple[list[Graph], list[Graph]],
) -> None:
    if has_multiword(sides):
        return
    for metric in BASIC:
        found = [
            compare(f"{metric}{preset}", *layers(metric, sides)).raw_counts
            for preset in ("", "(preset=udtools)")
        ]
        assert found[0] == found[1]


@given(st.lists(st.sampled_from("abc")), st.lists(st.sampled_from("abc")))
def test_no_common_subsequence_is_longer(one: list[str], two: list[str]) -> None:
    found = common_subsequence(one, two)
    assert all(one[i] == two[j] for i, j in found)
    for places in zip(*found, strict=True):
        assert list(places) == sorted(set(places))
    assert len(found) == len(longest_common(one, two))


@given(any_sides)
def test_the_common_axis_keeps_the_order_of_both_texts(
    sides: tuple[list[Graph], list[Graph]],
) -> None:
    gold, system = ([Sentence(g) for g in side] for side in layers("uas", sides))
    axes = common_axis(gold, system)
    texts_ = ["".join(each.text for each in side) for side in (gold, system)]
    for axis, text in zip(axes, texts_, strict=True):
        assert len(axis) == len(text)
        assert axis == sorted(set(axis))
    at = [
        dict(zip(axis, text, strict=True))
        for axis, text in zip(axes, texts_, strict=True)
    ]
    shared = at[0].keys() & at[1].keys()
    assert all(at[0][place] == at[1][place] for place in shared)
    assert len(at[0].keys() | at[1].keys()) == len(at[0]) + len(at[1]) - len(shared)


def test_metrics_of_one_run_prepare_and_align_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    metrics = [parse(name) for name in EVERY]
    assert [len(each) for each in families(metrics)] == [len(BASIC), len(ENHANCED)]
    gold, system = (
        [Sentence(g) for g in graphs(each)] for each in (GOLD_BEFORE, SYSTEM_BEFORE)
    )
    calls: list[object] = []
    monkeypatch.setattr(view, "align", lambda *each: calls.append(each) or align(*each))
    for metric in metrics[: len(BASIC)]:
        metric.compare(gold, system, budget=Budget())
        metric.shares(gold, system, budget=Budget())
    assert len(calls) == 1


@given(two_sides)
def test_metrics_that_share_sentences_say_what_each_says_alone(
    sides: tuple[list[Graph], list[Graph]],
) -> None:
    for names in (BASIC, ENHANCED):
        gold, system = layers(names[0], sides)
        metrics = [parse(name) for name in names]
        shared = [[metrics[0].prepare(g) for g in side] for side in (gold, system)]
        for name, metric in zip(names, metrics, strict=True):
            found = metric.compare(*shared, budget=Budget())
            assert found == compare(name, gold, system)


def test_an_alignment_is_kept_for_these_documents_alone() -> None:
    sides = GOLD_BEFORE, SYSTEM_BEFORE
    gold, system = ([Sentence(g) for g in graphs(each)] for each in sides)
    kept = view.pair_of(gold, system, False)
    assert view.pair_of(gold, system, False) is kept
    more = [*gold, *system]
    for others in ((gold, gold, False), (more, system, False), (gold, system, True)):
        view.pair_of(gold, system, False)
        found = view.pair_of(*others)
        assert (found.gold, found.system, found.walk) == others
        fresh = [Document([Sentence(s.graph) for s in side]) for side in others[:2]]
        assert found.alignment.pairs == align(*fresh, others[2]).pairs
    budget = Budget(1)
    assert kept.under(budget).budget is budget
    assert kept.under(Budget()) is not kept.under(budget)
    assert not view.pair_of([], system, False).alignment.pairs[0]


def test_a_lemma_that_gold_lacks_is_right_wherever_the_word_stands() -> None:
    gold = "1 ab x NOUN _ 2 nsubj\n2 c _ VERB _ 0 root"
    system = "1 a x NOUN _ 3 nsubj\n2 b x NOUN _ 3 nsubj\n3 c lem VERB _ 0 root"
    assert counted("blex", gold, system)[:3] == (2, 3, 1)


def test_function_words_are_the_aligned_ones_wherever_they_stand() -> None:
    gold = "1 ab x NOUN _ 3 nsubj\n2 will x AUX _ 3 aux\n3 c x VERB _ 0 root"
    system = "1 a x NOUN _ 4 nsubj\n2 b x NOUN _ 4 dep\n3 will x AUX _ 4 aux"
    system += "\n4 c x VERB _ 0 root"
    assert counted("mlas", gold, system)[:3] == (2, 3, 1)


@pytest.mark.parametrize("preset", ["none", "udtools"])
@given(any_sides)
def test_udeval_joins_the_other_metrics(preset: str, sides: Any) -> None:
    whole = compare(f"udeval(preset={preset})", *sides)
    for name in BASIC:
        metric = parse(f"{name}(preset={preset})")
        part = compare(str(metric), *sides)
        rows = {kind: name if kind == "all" else kind for kind in metric.tuple_types}
        for kind, row in rows.items():
            for quantity in QUANTITIES:
                assert whole.raw_counts.get((row, "", quantity)) == (
                    part.raw_counts.get((kind, "", quantity))
                )
            assert [
                error._replace(tuple_type=kind)
                for error in whole.errors
                if error.tuple_type == row
            ] == [error for error in part.errors if error.tuple_type == kind]
        if name == "las":
            assert whole.matches == part.matches
