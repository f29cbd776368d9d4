"""The metric conll05: rules, an oracle that is written differently, and rows."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given

from graphscore.metrics.registry import parse
from graphscore.metrics.roles.base import normal
from graphscore.metrics.roles.conll05 import Conll05
from graphscore.model.graph import Anchor, Edge, Graph, Node
from tests.metrics.roles.roles import (
    WORDS,
    Frame,
    counted,
    frames,
    head_graph,
    outcome,
    scores,
    span_graph,
)

BUY = Frame(3, "buy", [("AM-TMP", 0, 0), ("A0", 2, 2), ("V", 3, 3), ("A1", 4, 5)])


def scored(
    gold: list[Frame], system: list[Frame], metric: Conll05 | None = None
) -> tuple[int | float, ...]:
    graphs = span_graph(WORDS, gold), span_graph(WORDS, system)
    return counted(scores(metric or Conll05(), *graphs), "arguments")


def one(*arguments: tuple[str, int, int], lemma: str = "buy") -> list[Frame]:
    return [Frame(3, lemma, list(arguments))]


# Rules, one by one.


def test_equal_propositions_are_perfect() -> None:
    graph = span_graph(WORDS, [BUY])
    found = scores(Conll05(), graph, graph)
    assert counted(found, "arguments") == (3, 3, 3)
    assert found.numbers["perfect"] == found.numbers["perfect_share"] == 1
    assert found.numbers["role.V.f1"] == 1


def test_the_verb_is_in_no_sum() -> None:
    gold = span_graph(WORDS, one(("V", 3, 3), ("A0", 0, 0)))
    system = span_graph(WORDS, one(("A0", 0, 0)))
    found = scores(Conll05(), gold, system)
    assert counted(found, "arguments") == (1, 1, 1)
    assert found.numbers["perfect_share"] == 1
    assert found.numbers["role.V.recall"] == 0


def test_another_lemma_costs_gold_and_frees_the_system() -> None:
    system = one(("A0", 0, 0), lemma="buy_out")
    assert scored(one(("A0", 0, 0)), system) == (1, 0, 0)
    assert scored(one(("A0", 0, 0)), system, Conll05(lemmas="any")) == (1, 1, 1)


def test_a_lemma_that_is_not_said_equals_any() -> None:
    system = one(("A0", 0, 0), lemma="")
    assert scored(one(("A0", 0, 0)), system) == (1, 1, 1)


def test_the_lemma_is_what_stands_before_the_sense() -> None:
    system = one(("A0", 0, 0), lemma="buy.02")
    assert scored(one(("A0", 0, 0), lemma="buy.01"), system) == (1, 1, 1)


def test_a_spurious_predicate_is_skipped() -> None:
    system = [Frame(1, "go", [("A0", 0, 0)]), *one(("A0", 0, 0))]
    assert scored(one(("A0", 0, 0)), system) == (1, 1, 1)
    assert scored(one(("A0", 0, 0)), system, Conll05(spurious="count")) == (1, 2, 1)


def test_a_missing_sentence_is_missed() -> None:
    found = scores(Conll05(), span_graph(WORDS, [BUY]), None)
    assert counted(found, "arguments") == (3, 0, 0)
    assert found.numbers["propositions"] == 1


def test_a_continuation_joins_the_latest() -> None:
    gold = one(("A0", 0, 0), ("A0", 2, 2), ("C-A0", 4, 4))
    assert scored(gold, gold) == (2, 2, 2)
    system = one(("A0", 0, 0), ("C-A0", 2, 2), ("C-A0", 4, 4))
    assert scored(gold, system) == (2, 1, 0)


def test_a_continuation_of_nothing_is_an_argument() -> None:
    gold = one(("A0", 0, 0), ("C-A0", 4, 5))
    system = one(("C-A0", 0, 0), ("C-A0", 4, 5))
    assert scored(gold, system) == (1, 1, 1)


def test_pieces_must_be_equal_as_a_set() -> None:
    gold = one(("A0", 0, 0), ("C-A0", 2, 2), ("C-A0", 4, 5))
    assert scored(gold, one(("A0", 0, 0), ("C-A0", 4, 5))) == (1, 1, 0)
    assert scored(gold, one(("A0", 0, 5))) == (1, 1, 0)


def test_references_are_labels_like_any_other() -> None:
    gold = one(("A0", 0, 1), ("R-A0", 2, 2))
    assert scored(gold, one(("A0", 0, 0), ("R-A0", 2, 2))) == (2, 2, 1)


def test_the_last_of_equal_extents_counts() -> None:
    gold = one(("A0", 0, 1), ("A1", 0, 1))
    assert scored(gold, one(("A1", 0, 1))) == (1, 1, 1)
    assert scored(gold, one(("A0", 0, 1))) == (1, 1, 0)
    graphs = span_graph(WORDS, gold), span_graph(WORDS, one(("A0", 0, 1)))
    assert scores(Conll05(), *graphs).numbers["overwritten"] == 1
    each = Conll05(duplicates="each")
    assert scored(gold, one(("A0", 0, 1)), each) == (2, 1, 1)


def test_unlabeled_arguments_and_the_accuracy_of_their_labels() -> None:
    gold = span_graph(WORDS, one(("A0", 0, 0), ("A1", 2, 2), ("V", 3, 3), ("A2", 4, 5)))
    system = span_graph(WORDS, one(("A0", 0, 0), ("A2", 2, 2), ("A1", 3, 3)))
    found = scores(Conll05(), gold, system)
    assert counted(found, "unlabeled") == (3, 2, 2)
    assert found.numbers["label_accuracy"] == 0.5


@pytest.mark.parametrize(
    ("written", "same"),
    [("ARG0", "A0"), ("ARGM-TMP", "AM-TMP"), ("TMP", "AM-TMP"), ("R-ARGM-TMP", "R-TMP"),
     ("C-ARG1", "C-A1"), ("ARGA", "AA"), ("ARG1-DSP", "A1-DSP"), ("AM", "ARGM")],
)  # fmt: skip
def test_labels_of_every_inventory(written: str, same: str) -> None:
    assert normal(written) == normal(same)
    gold, system = one((written, 0, 1)), one((same, 0, 1))
    assert scored(gold, system)[2] == 0
    assert scored(gold, system, Conll05(labels="alike")) == (1, 1, 1)


@pytest.mark.parametrize("label", ["arg0-agt", "PAT", "Agent", "A", "R-", "C-", "X-A0"])
def test_other_labels_stay_as_they_are(label: str) -> None:
    assert normal(label) == label


def test_spans_are_derived_from_heads() -> None:
    tree = [(2, "det"), (3, "nsubj"), (0, "root"), (6, "case"), (6, "det"), (3, "obl")]
    heads = head_graph(6, [Frame(2, "buy.01", [("A0", 1), ("A2", 5)])], tree)
    spans = span_graph(6, [Frame(2, "buy.01", [("A0", 0, 1), ("A2", 3, 5)])])
    for pair in ((heads, spans), (spans, heads)):
        assert counted(scores(Conll05(), *pair), "arguments") == (2, 2, 2)


def test_other_words_are_compared_by_characters() -> None:
    gold = span_graph(0, [Frame(2, "go", [("A0", 0, 1)])], "I 'll go")
    forms = (Anchor(0, 5), Anchor(6, 8))
    nodes = (
        Node("p", "go", (("kind", "predicate"),), (Anchor(6, 8),)),
        Node("a", None, (("kind", "argument"),), (Anchor(0, 5),)),
    )
    text = "I 'll go"
    system = Graph("1", "srl", text=text, tokens=forms, nodes=nodes,
                   edges=(Edge("p", "a", "A0"),))  # fmt: skip
    assert counted(scores(Conll05(), gold, system), "arguments") == (1, 1, 1)
    bare = Graph("1", "srl", text=text, nodes=nodes, edges=system.edges)
    assert counted(scores(Conll05(), bare, system), "arguments") == (1, 1, 1)
    assert counted(scores(Conll05(), gold, bare), "arguments") == (1, 1, 1)
    assert counted(scores(Conll05(), bare, bare), "arguments") == (1, 1, 1)


# Rows.


def test_rows_name_arguments_beside_each_other() -> None:
    gold = span_graph(WORDS, one(("A0", 0, 0), ("A1", 2, 2), ("A2", 4, 4)))
    system = span_graph(WORDS, one(("A0", 0, 0), ("A3", 2, 2), ("A2", 4, 5)))
    found = outcome(Conll05(), gold, system)
    assert [
        (m.object, m.gold, m.system, m.credit, m.parent) for m in found.matches
    ] == [
        ("node", 0, 0, 0.0, None),
        ("edge", 0, 0, 1.0, 0),
    ]
    rows = [
        (e.error_type, e.gold, e.system, e.label, e.value, e.reason)
        for e in found.errors
    ]
    assert rows == [
        ("missing", 1, 1, "A1", "w2", "differs"),
        ("missing", 2, 2, "A2", "w4", "absent"),
        ("spurious", 1, 1, "A3", "w2", "differs"),
        ("spurious", 2, 2, "A2", "w4 w5", "absent"),
    ]
    assert (found.score, found.bound, found.proven) == (1, 1, True)


def test_rows_of_a_missing_predicate() -> None:
    found = outcome(Conll05(), span_graph(WORDS, one(("A0", 0, 0))), None)
    assert [(e.error_type, e.reason) for e in found.errors] == [
        ("missing", "no counterpart")
    ]


# An oracle.


def phrases(spans: list[tuple[str, int, int]]) -> list[tuple[str, int, int]]:
    """Column by column of a matrix of extents, where the inner one overwrites."""
    matrix: dict[tuple[int, int], str] = {}
    for label, first, last in spans:
        matrix[first, last] = label
    return [
        (matrix[first, last], first, last)
        for first in range(WORDS)
        for last in range(WORDS - 1, first - 1, -1)
        if (first, last) in matrix
    ]


def built(spans: list[tuple[str, int, int]]) -> list[list[tuple[str, int, int]]]:
    arguments: list[list[tuple[str, int, int]]] = []
    for label, first, last in phrases(spans):
        if label.startswith("C-"):
            earlier = [a for a in arguments if a[0][0] == label[2:]]
            if earlier:
                earlier[-1].append((label, first, last))
                continue
            label = label[2:]
        arguments.append([(label, first, last)])
    return arguments


def oracle(gold: list[Frame], system: list[Frame]) -> Counter[str]:
    found: Counter[str] = Counter()
    by_place = {frame.place: frame for frame in system}
    for mine in gold:
        theirs = by_place.get(mine.place)
        lemma = mine.label.split(".")[0]
        if theirs is not None and theirs.label.split(".")[0] != lemma:
            theirs = None
        waiting = {(a[0][1], a[-1][2]): a for a in built(mine.arguments)}
        wrong = 0
        for argument in built(theirs.arguments) if theirs else []:
            extent = argument[0][1], argument[-1][2]
            other = waiting.get(extent)
            pieces = sorted(piece[1:] for piece in argument)
            same = (
                other is not None
                and other[0][0] == argument[0][0]
                and sorted(piece[1:] for piece in other) == pieces
            )
            counts = argument[0][0] != "V"
            if same:
                del waiting[extent]
                found["ok"] += counts
            else:
                found["excess"] += counts
                wrong += counts
        missed = sum(a[0][0] != "V" for a in waiting.values())
        found["missed"] += missed
        found["perfect"] += not missed and not wrong
    return found


@given(frames(), frames())
def test_the_oracle_counts_the_same(gold: list[Frame], system: list[Frame]) -> None:
    expected = oracle(gold, system)
    graphs = span_graph(WORDS, gold), span_graph(WORDS, system)
    result = scores(Conll05(), *graphs)
    total, attempted, ok = counted(result, "arguments")
    assert (ok, attempted - ok, total - ok) == (
        *(expected["ok"], expected["excess"], expected["missed"]),
    )
    assert result.numbers["perfect"] == expected["perfect"]


@given(frames(), frames())
def test_rows_and_raw_counts_agree(gold: list[Frame], system: list[Frame]) -> None:
    for spelled in ("conll05", "conll05(duplicates=each,spurious=count,lemmas=any)"):
        metric = parse(spelled)
        found = outcome(metric, span_graph(WORDS, gold), span_graph(WORDS, system))
        count = metric.scores(found.raw_counts).counts["arguments"]
        assert sum(m.credit for m in found.matches) == found.score == count.matched
        for side, amount in (("missing", count.gold), ("spurious", count.system)):
            rows = [
                e
                for e in found.errors
                if e.error_type == side
                and e.compared != "V"
                and (e.compared or e.label) != "V"
            ]
            assert len(rows) == amount - count.matched


@given(frames())
def test_a_sentence_equals_itself(gold: list[Frame]) -> None:
    graph = span_graph(WORDS, gold)
    result = scores(Conll05(), graph, graph)
    total, attempted, ok = counted(result, "arguments")
    # What is hidden in gold is excess in the system.
    assert total == ok
    assert attempted - ok <= result.numbers["overwritten"]
    each = scores(Conll05(duplicates="each"), graph, graph)
    assert len(set(counted(each, "arguments"))) == 1
