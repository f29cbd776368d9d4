"""The metrics of coreference: by definition, by formula, and on hostile input."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations
from math import fsum
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from scipy.optimize import linear_sum_assignment

from graphscore import Anchor, Edge, Graph, Node, Store, score
from graphscore.evaluation.result import Result
from graphscore.evaluation.scoring import score_files
from graphscore.evaluation.tasks import families
from graphscore.metrics.coreference.base import Coreference
from graphscore.metrics.coreference.chains import lay_out
from graphscore.metrics.coreference.contingency import Table, best_cells, table_of
from graphscore.metrics.registry import parse
from graphscore.model.graph import Pairs
from graphscore.model.outcome import Count, MeanCount
from tests.metrics.coreference.chains import (
    Amounts,
    Entity,
    amounts,
    count,
    document,
    oracle_b3,
    oracle_ceaf,
    oracle_lea,
    oracle_links,
    oracle_mentions,
    oracle_muc,
    outcome,
    partitions,
    scores,
    tangled,
)

NAMES = ("muc", "b3", "ceafm", "ceafe", "ceaf", "blanc", "lea", "conll", "mentions")

TUPLE_TYPES: dict[
    tuple[str, str], Callable[[Sequence[Entity], Sequence[Entity]], Amounts]
]
TUPLE_TYPES = {
    ("muc", "all"): oracle_muc,
    ("b3", "all"): oracle_b3,
    ("lea", "all"): oracle_lea,
    ("ceaf(phi=1)", "all"): lambda gold, system: oracle_ceaf(gold, system, 1),
    ("ceaf(phi=2)", "all"): lambda gold, system: oracle_ceaf(gold, system, 2),
    ("ceafm", "all"): lambda gold, system: oracle_ceaf(gold, system, 3),
    ("ceafe", "all"): lambda gold, system: oracle_ceaf(gold, system, 4),
    ("blanc", "coreference"): lambda g, s: oracle_links(g, s, True),
    ("blanc", "noncoreference"): lambda g, s: oracle_links(g, s, False),
    ("mentions", "mentions"): oracle_mentions,
    ("conll", "muc"): oracle_muc,
    ("conll", "b3"): oracle_b3,
    ("conll", "ceafe"): lambda gold, system: oracle_ceaf(gold, system, 4),
}


def sets(entities: list[list[int]]) -> list[Entity]:
    return [frozenset(each) for each in entities]


def rich(
    entities: Sequence[Sequence[tuple[Any, Pairs]]], name: str = "d", **more: Any
) -> Graph:
    """A document whose mentions have anchors and properties of all tuple types."""
    nodes, edges = [], []
    for number, mentions in enumerate(entities):
        nodes.append(Node(f"e{number}", None, (("kind", "entity"),)))
        for place, (ranges, properties) in enumerate(mentions):
            ident = f"m{number}.{place}"
            anchors = tuple(Anchor(*each) for each in ranges)
            pairs = (("kind", "mention"), *properties)
            nodes.append(Node(ident, None, pairs, anchors))
            edges.append(Edge(f"e{number}", ident, "mention"))
    return Graph(
        name, "coref", document=name, nodes=tuple(nodes), edges=tuple(edges), **more
    )


def numbered(words: int) -> dict[str, Any]:
    """A text of so many words of one letter, the first at 0, the next at 2..."""
    return {
        "text": " ".join("x" * words),
        "tokens": tuple(Anchor(2 * k, 2 * k + 1) for k in range(words)),
    }


def span(first: int, last: int, head: int | None = None) -> tuple[Any, Pairs]:
    """A mention of words *first* to *last*, counted from 0."""
    told: Pairs = () if head is None else (("head", f"{2 * head}:{2 * head + 1}"),)
    return [(2 * first, 2 * last + 1)], told


def empty(word: str, *links: tuple[str, str]) -> tuple[Any, Pairs]:
    """An empty node with what it depends on."""
    told: list[tuple[str, Any]] = [("zero", True), ("word", word)]
    for governor, relation in links:
        told += [("governor", governor), ("deprel", relation)]
    return [], tuple(told)


# By definition.


@pytest.mark.parametrize(("metric", "tuple_type"), TUPLE_TYPES)
@given(gold=partitions(), system=partitions())
def test_closed_forms_are_the_definitions(
    metric: str, tuple_type: str, gold: list[list[int]], system: list[list[int]]
) -> None:
    expected = TUPLE_TYPES[metric, tuple_type](sets(gold), sets(system))
    found = amounts(count(metric, document(*gold), document(*system), tuple_type))
    for mine, theirs in zip(found, expected, strict=True):
        if theirs.denominator == 1:
            assert mine == theirs
        assert abs(Fraction(mine) - theirs) <= Fraction(1, 10**12)


@pytest.mark.parametrize("name", [*NAMES, "ceaf(phi=1)", "ceaf(phi=2)", "ceaf(phi=3)"])
@pytest.mark.parametrize(
    "options", ["", "mentions=partial", "singletons=drop", "preset=perl"]
)
@given(gold=tangled(), system=tangled())
def test_closed_forms_are_the_formulas(
    name: str,
    options: str,
    gold: list[list[tuple[int, int]]],
    system: list[list[tuple[int, int]]],
) -> None:
    given_ = f"{name[:-1]},{options})" if name.endswith(")") else f"{name}({options})"
    metric = parse(given_)
    assert isinstance(metric, Coreference)
    one, two = document(*gold), document(*system)
    counts = metric.scores(outcome(metric, one, two).raw_counts).counts
    for tuple_type, measured in metric.measured(one, two).items():
        found = counts[tuple_type]
        assert found[:2] == (measured.gold, measured.system)
        assert found.matched == pytest.approx(measured.found.recall, rel=1e-12)
        other = found.correct_system
        assert other == pytest.approx(measured.found.precision, rel=1e-12)


def test_formulas_are_those_of_the_literature() -> None:
    shown = {name: str(parse(name)) for name in NAMES}
    assert shown == {name: name for name in NAMES}
    spelled = {
        name: [str(each) for each in metric.formulas().values()]
        for name in NAMES
        if isinstance(metric := parse(name), Coreference)
    }
    assert spelled["ceafe"] == ["F↔entities[F↔mentions[δ_mention]]"]
    assert spelled["ceafm"] == ["F↔entities[Σ↔mentions[δ_mention]]"]
    assert [len(each) for each in spelled.values()] == [1, 1, 1, 1, 1, 2, 1, 4, 1]


# Properties.


@pytest.mark.parametrize("name", NAMES)
@given(entities=tangled())
def test_identity_scores_one_by_the_scorer_of_corefud(
    name: str, entities: list[list[tuple[int, int]]]
) -> None:
    # That scorer finds copies of a mention in the last entity only.
    flat = [each for entity in entities for each in set(entity)]
    if len(set(flat)) < len(flat):
        return
    metric = f"{name}(preset=corefud)"
    found = scores(metric, document(*entities), document(*entities))
    for each in found.counts.values():
        parts = each.parts if isinstance(each, MeanCount) else (each,)
        for part in parts:
            if part.gold:
                assert (part.precision, part.recall, part.f1) == (1, 1, 1)


@given(gold=partitions(), system=partitions(), seed=st.randoms(use_true_random=False))
def test_the_order_of_entities_changes_nothing(
    gold: list[list[int]], system: list[list[int]], seed: Any
) -> None:
    shuffled = list(system)
    seed.shuffle(shuffled)
    for name in NAMES:
        one = outcome(name, document(*gold), document(*system)).raw_counts
        assert outcome(name, document(*gold), document(*shuffled)).raw_counts == one


def test_a_store_leaves_mentions_out_of_the_mean() -> None:
    with Store("sqlite://", mode="create") as store:
        store.add([document([0, 1], [2], name="a")], "gold")
        store.add([document([0], [1, 3], name="a")], "system")
        result = store.score("gold", "system", "conll")
        [[value]] = store.query("select f1 from v_items")[1]
        assert isinstance(result, Result)
        three = [result.counts[name].f1 for name in ("muc", "b3", "ceafe")]
        assert value == pytest.approx(result.f1) == pytest.approx(sum(three) / 3)
        assert result.counts["mentions"][:3] == (3, 3, 2)


# One table.


def test_metrics_that_read_alike_share_one_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[Any] = []
    laid: list[Any] = []

    class Counted(Table):
        def __init__(self, *sides: Any) -> None:
            made.append(sides)
            super().__init__(*sides)

    def counting(*given_: Any) -> Any:
        laid.append(given_)
        return lay_out(*given_)

    monkeypatch.setattr("graphscore.metrics.coreference.contingency.Table", Counted)
    monkeypatch.setattr("graphscore.metrics.coreference.base.lay_out", counting)
    golds = [document([0, 1], [2], name=name) for name in "ab"]
    systems = [document([0], [1, 2], name=name) for name in "ab"]
    found = score_files(golds, systems, [parse(name) for name in NAMES])
    assert [str(each.metric) for each in found] == list(NAMES)
    assert (len(made), len(laid)) == (2, 4)


def test_a_matching_of_parts_earns_what_one_of_all_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(1)
    for _ in range(60):
        rows, columns = rng.integers(0, rng.integers(2, 16), (2, 40)).tolist()
        sizes = Counter(rows), Counter(columns)
        worth = {
            (row, column): 2 * shared / (sizes[0][row] + sizes[1][column])
            for (row, column), shared in Counter(
                zip(rows, columns, strict=True)
            ).items()
        }
        table = np.zeros((16, 16))
        for cell, earned in worth.items():
            table[cell] = earned
        expected = fsum(table[linear_sum_assignment(table, maximize=True)].tolist())
        for limit in (1 << 16, 0):
            monkeypatch.setattr(
                "graphscore.metrics.coreference.contingency.DENSE", limit
            )
            taken = best_cells(worth)
            assert taken == sorted(taken)
            left, right = map(set, zip(*taken, strict=True))
            assert len(left) == len(right) == len(taken)
            assert fsum(map(worth.__getitem__, taken)) == expected


def test_metrics_that_read_differently_do_not() -> None:
    chosen = [parse(each) for each in ("muc", "b3(mentions=head)", "blanc", "mrp")]
    assert families(chosen) == [[0, 2], [1], [3]]


def test_a_table_is_made_again_for_another_system() -> None:
    metric = parse("muc")
    gold, one, two = (metric.prepare(document(each)) for each in ([0, 1], [0, 1], [0]))
    first = table_of(gold, one)
    assert table_of(gold, one) is first
    assert table_of(gold, two) is not first
    assert table_of(gold, two).matched == 1


# Hostile input.


@pytest.mark.parametrize("name", NAMES)
def test_one_mention(name: str) -> None:
    found = scores(name, document([0]), document([0])).counts
    # It has no links: MUC and BLANC have nothing to say of it.
    expected = {"muc": 0, "blanc": 0, "conll": pytest.approx(2 / 3)}
    assert found["all"].f1 == expected.get(name, 1)


@pytest.mark.parametrize("name", NAMES)
def test_an_entity_is_a_set(name: str) -> None:
    twice = document([0, 1, 1, 1], [2])
    assert scores(name, twice, document([0, 1], [2])) == scores(
        name, document([0, 1], [2]), document([0, 1], [2])
    )


def test_a_mention_of_two_entities_is_two_mentions() -> None:
    gold, system = document([0, 1], [2, 3]), document([0, 1], [1, 2, 3])
    assert count("mentions", gold, system) == Count(4, 5, 4)
    # It stands in the entity whose other mentions are the same.
    assert count("b3", gold, system).recall == 1
    assert count("b3", gold, document([1, 2, 3], [0, 1])).recall == 1


def test_copies_on_both_sides_meet_in_the_entities_that_share_most() -> None:
    gold = document([0, 1, 9], [2, 3, 9])
    system = document([2, 3, 9], [0, 1, 9])
    assert count("ceafe", gold, system).f1 == 1


def test_the_perl_scorer_keeps_the_first_copy_of_a_response() -> None:
    gold, system = document([0, 1], [2, 3]), document([1, 2, 3], [0, 1])
    found = count("mentions(preset=perl)", gold, system)
    assert found == Count(4, 4, 4)
    assert count("b3(preset=perl)", gold, system).recall == (1 / 2 + 1 / 2 + 2) / 4


def test_copies_that_gold_does_not_have_stay_where_they_are() -> None:
    gold, system = document([0, 1]), document([0, 9], [1, 9])
    assert count("mentions(preset=perl)", gold, system) == Count(2, 3, 2)
    assert count("ceafm(preset=perl)", gold, system) == Count(2, 4, 1)
    assert count("mentions", gold, system) == Count(2, 4, 2)


def test_the_corefud_scorer_finds_a_copy_in_the_last_entity() -> None:
    gold, system = document([0, 1], [2, 3]), document([0, 1], [1, 2, 3])
    found = count("b3(preset=corefud)", gold, system)
    # Of gold's {0, 1} the system has 0 in its first, 1 in its last entity.
    assert found.matched == pytest.approx((1 + 1) / 2 + 2)
    # Both of its entities have mention 1, and gold has it in the first one.
    assert found.matched_system == pytest.approx(2 + (1 + 4) / 3)
    assert found.gold == 4
    assert found.system == 5
    assert count("mentions(preset=corefud)", gold, system) == Count(4, 4, 4)


def test_mentions_of_no_entity_are_no_coreference() -> None:
    lonely = Node("x", None, (("kind", "mention"),), (Anchor(9, 10),))
    gold = document([0, 1])
    more = Graph("d", "coref", nodes=(*gold.nodes, lonely), edges=gold.edges)
    assert count("mentions", gold, more) == Count(2, 2, 2)


def test_mentions_that_say_nothing_are_like_nothing() -> None:
    one = rich([[([], ()), ([], ())]])
    assert count("mentions", one, one) == Count(2, 2, 0)


def test_bare_strings_are_mentions() -> None:
    gold = rich([[([], (("text", "Ada"),)), ([], (("text", "she"),))]])
    system = rich([[([], (("text", "Ada"),)), ([], (("text", "her"),))]])
    assert count("mentions", gold, system) == Count(2, 2, 1)


def test_ranges_with_nothing_between_them_are_one() -> None:
    words = numbered(6)
    one = rich([[([(0, 1), (2, 3)], ()), ([(6, 7)], ())]], **words)
    two = rich([[([(0, 3)], ()), ([(6, 7)], ())]], **words)
    apart = rich([[([(0, 1), (4, 5)], ()), ([(6, 7)], ())]], **words)
    assert count("muc", one, two).f1 == 1
    assert count("mentions", apart, two).matched == 1
    assert count("mentions", apart, two, "overlap") == Count(3, 3, 2)


def test_white_space_is_no_part_of_a_mention() -> None:
    text = "the old dog and a cat"
    gold = document([(4, 11), (16, 21)], [(0, 3), (12, 15)], text=text)
    wider = document([(3, 12), (15, 21)], [(0, 4), (11, 16)], text=text)
    for metric in ("b3", "b3(mentions=head)", "conll", "mentions"):
        assert score([gold], [wider], metric).f1 == 1, metric
    assert score([gold], [wider], "b3(spans=offsets)").f1 == 0
    # Without a text of its own, a side is read with that of the other.
    assert score([gold], [replace(wider, text="")], "b3").f1 == 1
    assert score([replace(gold, text="")], [wider], "b3").f1 == 1
    # Tokens are equal or not.
    tokens = tuple(Anchor(k, k + 1) for k in range(len(text)))
    tokenized = [replace(each, tokens=tokens) for each in (gold, wider)]
    assert score([tokenized[0]], [tokenized[1]], "b3").f1 == 0


def test_events_are_mentions_like_others() -> None:
    gold = document([0, 1])
    triggers = Graph(
        "d",
        "coref",
        nodes=tuple(
            Node(n.id, "Attack", (("kind", "trigger"),), n.anchors) if n.anchors else n
            for n in gold.nodes
        ),
        edges=gold.edges,
    )
    assert count("muc", gold, triggers).f1 == 1


def test_tokens_may_be_spelt_differently() -> None:
    words = numbered(6)
    long = {
        "text": " ".join(["yyyy"] * 6),
        "tokens": tuple(Anchor(5 * k, 5 * k + 4) for k in range(6)),
    }
    gold = rich([[span(0, 2, 1), span(4, 4)]], **words)
    system = rich([[([(0, 14)], (("head", "5:9"),)), ([(20, 24)], ())]], **long)
    for options in ("", "(mentions=head)", "(mentions=partial)"):
        assert count(f"mentions{options}", gold, system) == Count(2, 2, 2)
        assert count(f"mentions{options}", system, gold) == Count(2, 2, 2)
    assert count("mentions", gold, system, "overlap") == Count(4, 4, 4)
    # What is shown is what the side says itself.
    found = outcome("muc", gold, rich([[([(0, 4)], ()), ([(20, 24)], ())]], **long))
    assert [error.value for error in found.errors] == ["x x x", "yyyy"]
    # With another number of tokens characters are compared.
    fewer = rich([[span(0, 2, 1), span(4, 4)]], text="z z z z z", tokens=())
    assert count("mentions", gold, fewer) == Count(2, 2, 2)


# Parts of a document.


def test_parts_of_a_document_are_scored_apart() -> None:
    parts = [document([0, 1], [2], name="d/0"), document([0, 1, 2], name="d/1")]
    answers = [document([0, 1, 2], name="d/1"), document([0], [1, 2], name="d/0")]
    for name in NAMES:
        both = outcome(name, parts, answers).raw_counts
        alone = outcome(name, parts[0], answers[1]).raw_counts
        rest = outcome(name, parts[1], answers[0]).raw_counts
        assert set(both) == set(alone) | set(rest)
        for key in both:
            assert both[key] == pytest.approx(alone.get(key, 0) + rest.get(key, 0))


def test_a_missing_part_is_missing() -> None:
    parts = [document([0, 1], name="d/0"), document([0, 1, 2], name="d/1")]
    assert count("muc", parts, [parts[1]]) == Count(3, 2, 2)
    assert count("muc", [parts[1]], parts) == Count(2, 3, 2)


def test_parts_with_other_names_go_by_their_order() -> None:
    parts = [document([0, 1], name="d/0"), document([0, 1, 2], name="d/1")]
    other = [document([0, 1], name="x/0"), document([0, 1, 2], name="x/1")]
    assert count("muc", parts, other) == Count(3, 3, 3)


def test_rows_of_parts_go_on_where_the_first_part_ends() -> None:
    parts = [document([0, 1], name="d/0"), document([0, 1, 2], name="d/1")]
    found = outcome("muc", parts, parts)
    assert [match.gold for match in found.matches] == [2, 0, 1, 6, 3, 4, 5]
    assert [match.parent for match in found.matches] == [None, 0, 0, None, 3, 3, 3]


# Options.


def test_singletons_can_be_dropped() -> None:
    gold, system = document([0, 1], [2]), document([0, 1], [3])
    assert count("b3(singletons=drop)", gold, system) == Count(2, 2, 2, 2)


def test_partial_mentions_have_the_head_and_nothing_beyond() -> None:
    words = numbered(20)
    gold = rich(
        [[span(0, 5, 3), span(10, 10)], [span(12, 14, 13), span(16, 17, 16)]], **words
    )
    system = rich([[span(2, 4), span(10, 10)], [span(11, 14), span(17, 17)]], **words)
    # 11-14 has a word too many, 17 has not the head.
    assert count("mentions(mentions=partial)", gold, system) == Count(4, 4, 2)
    assert count("mentions", gold, system) == Count(4, 4, 1)


def test_partial_mentions_go_to_the_one_they_cover_most() -> None:
    # corefud-scorer, TC-OLMC-3: two mentions with one head, one answer.
    words = numbered(70)
    gold = rich(
        [[span(2, 13, 4), span(48, 48)], [span(2, 5, 4), span(30, 33), span(63, 64)]],
        **words,
    )
    system = rich([[span(4, 6), span(48, 48)], [span(30, 33), span(63, 64)]], **words)
    found = outcome("mentions(mentions=partial)", gold, system)
    pairs = {(m.gold, m.system) for m in found.matches if m.level == 1}
    # The outer mention, as 4-6 goes beyond the inner one.
    assert (1, 1) in pairs
    assert count("b3(mentions=partial)", gold, system).recall == pytest.approx(
        (2 + 4 / 3) / 5
    )


def test_equal_heads() -> None:
    words = numbered(20)
    gold = rich([[span(0, 5, 3), span(8, 9, 8)]], **words)
    system = rich([[span(3, 7, 3), span(8, 9, 9)]], **words)
    # Equal words with another head are another mention.
    assert count("mentions(mentions=head)", gold, system) == Count(2, 2, 1)
    assert count("mentions", gold, system) == Count(2, 2, 1)


def test_of_several_equal_heads_the_greater_share_wins() -> None:
    words = numbered(20)
    gold = rich([[span(0, 9, 3), span(2, 4, 3)]], **words)
    system = rich([[span(3, 3, 3), span(0, 8, 3)]], **words)
    found = outcome("mentions(mentions=head)", gold, system)
    assert {(m.gold, m.system) for m in found.matches if m.level == 1} == {
        (1, 2),
        (2, 1),
    }


def test_of_equally_good_mentions_the_first_is_taken() -> None:
    words = numbered(20)
    gold = rich([[span(0, 5, 3)]], **words)
    for spans in permutations((span(3, 4), span(3, 3), span(2, 3))):
        system = rich([list(spans)], **words)
        found = outcome("mentions(mentions=partial)", gold, system)
        # Both of two words are a third of gold's; 2-3 begins first.
        [pair] = [m.system for m in found.matches if m.level == 1]
        assert system.nodes[pair or 0].anchors == (Anchor(4, 7),)


def test_a_single_word_is_its_own_head() -> None:
    words = numbered(20)
    gold = rich([[span(0, 5, 3), span(10, 10)]], **words)
    system = rich([[span(3, 3), span(10, 10)]], **words)
    assert count("mentions(mentions=head)", gold, system).matched == 2


def test_empty_nodes_by_their_place() -> None:
    gold = rich([[empty("s1:5.1"), empty("s2:3.1")]])
    system = rich([[empty("s1:5.1"), empty("s2:4.1")]])
    assert count("mentions", gold, system) == Count(2, 2, 1)
    assert count("mentions", gold, system, "overlap") == Count(2, 2, 1)


def test_empty_nodes_by_what_they_depend_on() -> None:
    # corefud-scorer, TC-ZF-4 and TC-ZG-3.
    gold = rich([[empty("s:15.1", ("s:15", "nsubj")), span(0, 0)]])
    near = rich(
        [
            [empty("s:15.1", ("s:15", "dep")), span(0, 0)],
            [empty("s:13.1", ("s:15", "nsubj")), span(4, 4)],
        ]
    )
    found = outcome("mentions(zeros=dependent)", gold, near)
    assert (1, 4) in {(m.gold, m.system) for m in found.matches if m.level == 1}
    assert count("mentions(zeros=dependent)", gold, near) == Count(2, 4, 2)
    assert count("b3(zeros=dependent)", gold, near).recall == 1 / 2
    assert count("b3", gold, near).recall == 1
    other = rich([[empty("t:15.1", ("s:15", "nsubj")), span(0, 0)]])
    assert count("mentions(zeros=dependent)", gold, other).matched == 1


def test_one_right_relation_counts_more_than_three_governors() -> None:
    links = (("s:13", "a"), ("s:14", "b"), ("s:15", "c"))
    gold = rich([[empty("s:15.1", *links), span(0, 0)]])
    system = rich(
        [
            [empty("s:15.2", ("s:13", "a")), span(0, 0)],
            [empty("s:15.1", ("s:13", "x"), ("s:14", "y"), ("s:15", "z")), span(5, 5)],
        ]
    )
    assert count("b3(zeros=dependent)", gold, system).recall == 1


def test_an_entity_made_of_others_is_a_mention_of_its_own() -> None:
    def joint(*members: int) -> Graph:
        made = document([0, 1], [2, 3], [4, 5], [6])
        links = tuple(Edge("e3", f"e{k}", "split_antecedent") for k in members)
        return Graph("d", "coref", nodes=made.nodes, edges=(*made.edges, *links))

    assert count("mentions", joint(0, 1), joint(0, 2)) == Count(7, 7, 7)
    right = count("muc(split=exact)", joint(0, 1), joint(1, 0))
    assert right == Count(4, 4, 4)
    assert count("muc(split=exact)", joint(0, 1), joint(0, 2)) == Count(4, 4, 3)
    found = outcome("muc(split=exact)", joint(0, 1), joint(0, 2))
    assert [(e.error_type, e.gold) for e in found.errors] == [
        ("missing", 10),
        ("spurious", None),
    ]


@given(gold=tangled(), system=tangled())
def test_overlap_is_the_most_that_a_pairing_shares(
    gold: list[list[tuple[int, int]]], system: list[list[tuple[int, int]]]
) -> None:
    one, two = (
        [frozenset(range(*m)) for e in side for m in set(e)] for side in (gold, system)
    )
    short, long = sorted((one, two), key=len)
    if len(long) > 6:
        long, short = long[:6], short[:6]
        gold, system = ([list({})] for _ in range(2))
        return
    most = max(
        sum(len(a & b) for a, b in zip(short, each, strict=True))
        for each in permutations(long, len(short))
    )
    text = {"text": "x" * 20, "tokens": tuple(Anchor(k, k + 1) for k in range(20))}
    found = count(
        "mentions", document(*gold, **text), document(*system, **text), "overlap"
    )
    assert found == Count(sum(map(len, one)), sum(map(len, two)), most)


# Scores.


def test_missing_link_classes() -> None:
    together, apart = document([0, 1, 2]), document([0, 1], [2])
    found = {
        options: count(f"blanc({options})", together, apart, "all")
        for options in ("", "classes=gold", "classes=both", "preset=perl")
    }
    assert found[""].recall == pytest.approx((1 / 3 + 0) / 2)
    assert found["classes=gold"].recall == pytest.approx(1 / 3)
    assert found["preset=perl"].precision == 1
    assert count("blanc", together, together, "all").f1 == 1
    assert count("blanc(classes=both)", together, together, "all").f1 == 0.5


# Rows.


def test_missed_and_spurious_mentions_are_errors() -> None:
    gold = document([0, (10, 14)], [20])
    system = document([0, (10, 12)], [30])
    found = outcome("b3", gold, system)
    assert [
        (e.error_type, e.tuple_type, e.gold, e.system, e.value, e.reason)
        for e in found.errors
    ] == [
        ("missing", "mentions", 1, 1, " abc", "differs"),
        ("missing", "mentions", 2, None, "j", "no counterpart"),
        ("spurious", "mentions", 1, 1, " a", "differs"),
        ("spurious", "mentions", None, 2, "i", "no counterpart"),
    ]


def test_matches_are_the_table_and_its_mentions() -> None:
    gold, system = document([0, 1, 2], [3]), document([0, 1], [2, 3], [4])
    found = outcome("lea", gold, system)
    table = [(m.gold, m.system, m.credit) for m in found.matches if m.level == 0]
    assert table == [(4, 5, 2.0), (4, 6, 1.0), (5, 6, 1.0), (None, 7, 1.0)]
    inside = [(m.parent, m.gold, m.system) for m in found.matches if m.level == 1]
    assert inside == [(0, 0, 0), (0, 1, 1), (1, 2, 2), (2, 3, 3)]
    [error] = found.errors
    assert error.parent == 3


@pytest.mark.parametrize("options", ["", "(preset=corefud)", "(mentions=partial)"])
@given(gold=tangled(), system=tangled())
def test_every_mention_is_a_row(
    options: str,
    gold: list[list[tuple[int, int]]],
    system: list[list[tuple[int, int]]],
) -> None:
    one, two = document(*gold), document(*system)
    metric = parse(f"b3{options}")
    found = outcome(metric, one, two)
    credits = {"gold": 0.0, "system": 0.0}
    for match in found.matches:
        if match.level == 0:
            credits["gold"] += match.credit if match.gold is not None else 0
            credits["system"] += match.credit if match.system is not None else 0
    if not options.startswith("(preset"):
        counted = metric.scores(found.raw_counts).counts["all"]
        assert credits == {"gold": counted.gold, "system": counted.system}
    parents = [m.parent for m in found.matches if m.level == 1]
    parents += [error.parent for error in found.errors]
    for place, match in enumerate(found.matches):
        if match.level == 0 and not options.startswith("(preset"):
            assert parents.count(place) == match.credit
