"""The metric conll09: rules, an oracle that is written differently, and rows."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.metrics.roles.conll09 import Conll09, is_punctuation
from graphscore.model.graph import Anchor, Edge, Graph, Node
from tests.metrics.roles.roles import (
    WORDS,
    Frame,
    counted,
    head_graph,
    headed_frames,
    outcome,
    scores,
    span_graph,
)

TREE = [(2, "nsubj"), (0, "root"), (2, "obj")]


def one(*arguments: tuple[str, int], label: str = "buy.01") -> list[Frame]:
    return [Frame(3, label, list(arguments))]


def scored(
    gold: list[Frame], system: list[Frame], metric: Conll09 | None = None
) -> tuple[tuple[int | float, ...], tuple[int | float, ...]]:
    graphs = head_graph(WORDS, gold), head_graph(WORDS, system)
    found = scores(metric or Conll09(), *graphs)
    return counted(found, "senses"), counted(found, "arguments")


# Rules, one by one.


def test_senses_and_arguments_are_summed() -> None:
    gold = head_graph(WORDS, one(("A0", 0), ("A1", 5)))
    system = head_graph(WORDS, one(("A0", 0), ("A2", 5)))
    found = scores(Conll09(), gold, system)
    assert counted(found, "all") == (3, 3, 2)
    assert found.numbers["unlabeled.f1"] == 1
    assert found.numbers["propositions.f1"] == 0


def test_the_lemma_is_never_compared() -> None:
    assert scored(one(), one(label="sell.01"))[0] == (1, 1, 1)
    assert scored(one(), one(label="buy.02"))[0] == (1, 1, 0)


@pytest.mark.parametrize(
    ("gold", "system", "same"),
    [("buy.01", "buy.1", True), ("a.b.01", "a.b.1", False), ("buy", "buy", True),
     ("buy", "sell", False), ("buy.LV", "have.LV", True), ("x.00", "y.0", True),
     ("x.01", "01", True), ("", "buy.01", False)],
)  # fmt: skip
def test_senses_are_what_stands_after_the_only_dot(
    gold: str, system: str, same: bool
) -> None:
    assert scored(one(label=gold), one(label=system))[0] == (1, 1, int(same))


def test_arguments_count_under_a_wrong_sense() -> None:
    gold, system = one(("A0", 0)), one(("A0", 0), label="buy.07")
    assert scored(gold, system) == ((1, 1, 0), (1, 1, 1))


def test_arguments_of_another_predicate_do_not_match() -> None:
    system = [Frame(4, "buy.01", [("A0", 0)])]
    assert scored(one(("A0", 0)), system) == ((1, 1, 0), (1, 1, 0))


def test_continuations_references_and_verbs_are_labels() -> None:
    gold = one(("C-A0", 0), ("R-A0", 1), ("V", 3))
    assert scored(gold, gold)[1] == (3, 3, 3)
    assert scored(gold, one(("A0", 0), ("R-A0", 1)))[1] == (3, 2, 1)


def test_equal_labels_of_one_word_are_one() -> None:
    gold, system = one(("A0", 0), ("A0", 0), ("A1", 0)), one(("A0", 0))
    assert scored(gold, system)[1] == (2, 1, 1)


def test_labels_alike() -> None:
    gold, system = one(("ARGM-TMP", 0)), one(("TMP", 0))
    assert scored(gold, system)[1] == (1, 1, 0)
    assert scored(gold, system, Conll09(labels="alike"))[1] == (1, 1, 1)


def test_a_missing_sentence_is_missed() -> None:
    graph = head_graph(3, [Frame(1, "go.01", [("A0", 0)])], TREE)
    found = scores(Conll09(), graph, None)
    assert counted(found, "all") == (2, 0, 0)
    assert found.numbers["las"] == found.numbers["exact.semantic"] == 0
    assert found.numbers["macro.labeled.f1"] == 0


def test_nothing_is_no_division_by_zero() -> None:
    for graph in (Graph("1", "srl"), None):
        found = scores(Conll09(), graph, graph)
        assert set(found.numbers.values()) == {0.0}


def test_the_tree_and_everything_beside() -> None:
    frames = [Frame(1, "go.01", [("A0", 0), ("A1", 2)])]
    gold = head_graph(3, frames, TREE)
    system = head_graph(3, frames, [(2, "nsubj"), (0, "root"), (1, "obj")])
    numbers = scores(Conll09(), gold, system).numbers
    assert numbers["las"] == numbers["uas"] == 2 / 3
    assert numbers["relations"] == 1
    assert (numbers["exact.semantic"], numbers["exact.syntactic"]) == (1, 0)
    assert numbers["exact.overall"] == 0
    assert numbers["macro.labeled.f1"] == pytest.approx((1 + 2 / 3) / 2)
    assert numbers["micro.labeled.f1"] == pytest.approx((3 + 2) / (3 + 3))
    assert numbers["f1_by_las"] == 1.5
    weighted = scores(Conll09(weight=1.0), gold, system).numbers
    assert weighted["macro.unlabeled.recall"] == 1
    assert scores(Conll09(), gold, gold).numbers["exact.overall"] == 1


def test_the_tree_is_that_of_head_and_deprel() -> None:
    gold = head_graph(3, [], TREE)
    nodes = [
        Node(n.id, n.label, (*n.properties, ("phead", 3), ("pdeprel", "x")), n.anchors)
        for n in gold.nodes
    ]
    system = Graph("1", "srl", 1, "", "", gold.text, gold.tokens, tuple(nodes))
    assert scores(Conll09(), gold, system).numbers["las"] == 1


def test_punctuation_can_be_left_out() -> None:
    tree = [(2, "nsubj"), (0, "root"), (2, "punct")]
    gold = head_graph(3, [], tree, "Dogs bark .")
    system = head_graph(3, [], [*tree[:2], (1, "punct")], "Dogs bark .")
    assert scores(Conll09(), gold, system).numbers["las"] == 2 / 3
    dropped = scores(Conll09(punctuation="drop"), gold, system)
    assert dropped.numbers["las"] == 1
    assert is_punctuation("„")


def test_words_stand_for_the_head_where_there_is_none() -> None:
    gold = span_graph(WORDS, [Frame(3, "buy", [("A0", 0, 1), ("A1", 4, 5)])])
    system = span_graph(WORDS, [Frame(3, "buy", [("A0", 0, 1), ("A1", 4, 4)])])
    assert counted(scores(Conll09(), gold, system), "arguments") == (2, 2, 1)


def test_other_words_are_compared_by_characters() -> None:
    gold = head_graph(
        0, [Frame(2, "go.01", [("A0", 0), ("AM-MOD", 1)])], text="I 'll go"
    )
    node = Node("p", "go.01", (("kind", "predicate"),), (Anchor(6, 8),))
    properties = (("kind", "argument"), ("head", "0:1"))
    system = Graph(
        "1", "srl", text="I 'll go", tokens=(Anchor(0, 5), Anchor(6, 8)),
        nodes=(node, Node("a", None, properties, (Anchor(0, 5),))),
        edges=(Edge("p", "a", "A0"),),
    )  # fmt: skip
    found = scores(Conll09(), gold, system)
    assert counted(found, "senses") == (1, 1, 1)
    assert counted(found, "arguments") == (2, 1, 1)


# Rows.


def test_rows_name_what_differs() -> None:
    gold = head_graph(WORDS, one(("A0", 0), ("A1", 5), ("A2", 6)))
    system = head_graph(WORDS, one(("A0", 0), ("A3", 5), label="buy.02"))
    found = outcome(Conll09(), gold, system)
    rows = [
        (e.error_type, e.tuple_type, e.label, e.compared, e.gold, e.system, e.reason)
        for e in found.errors
    ]
    p = WORDS
    assert rows == [
        ("missing", "senses", "buy.01", "01", p, p, "differs"),
        ("missing", "arguments", "A1", None, 1, 1, "differs"),
        ("missing", "arguments", "A2", None, 2, None, "absent"),
        ("spurious", "senses", "buy.02", "02", p, p, "differs"),
        ("spurious", "arguments", "A3", None, 1, 1, "differs"),
    ]
    assert [(m.object, m.credit, m.level) for m in found.matches] == [
        ("node", 0.0, 0),
        ("edge", 1.0, 1),
    ]


# An oracle.


def sense(label: str) -> str:
    parts = label.split(".")
    found = parts[1] if len(parts) == 2 else label
    return str(int(found)) if re.fullmatch(r"\d+", found) else found


def oracle(gold: list[Frame], system: list[Frame]) -> Counter[str]:
    """Every dependency as a tuple, counted by sets."""
    found: Counter[str] = Counter()
    sides = []
    for frames in (gold, system):
        predicates = {(f.place, sense(f.label)) for f in frames}
        arguments = {
            (f.place, head, role) for f in frames for role, head in f.arguments
        }
        sides.append((predicates, arguments, {f.place for f in frames}))
    (one, mine, places), (two, theirs, others) = sides
    found["senses"] = len(one & two)
    found["places"] = len(places & others)
    found["arguments"] = len(mine & theirs)
    for place in places & others:
        heads = [
            Counter(h for p, h, _ in arguments if p == place)
            for arguments in (mine, theirs)
        ]
        found["heads"] += sum(min(heads[0][h], heads[1][h]) for h in heads[0])
        right = {x for x in one if x[0] == place} == {x for x in two if x[0] == place}
        equal = {x for x in mine if x[0] == place} == {
            x for x in theirs if x[0] == place
        }
        found["propositions"] += right and equal
    found["exact"] = int(one == two and mine == theirs)
    found["gold"], found["system"] = len(one) + len(mine), len(two) + len(theirs)
    return found


trees = st.lists(
    st.tuples(st.integers(0, WORDS), st.sampled_from(("a", "b"))),
    min_size=WORDS,
    max_size=WORDS,
)


@given(headed_frames(), headed_frames(), trees, trees)
def test_the_oracle_counts_the_same(
    gold: list[Frame],
    system: list[Frame],
    tree: list[tuple[int, str]],
    other: list[tuple[int, str]],
) -> None:
    expected = oracle(gold, system)
    graphs = head_graph(WORDS, gold, tree), head_graph(WORDS, system, other)
    found = scores(Conll09(), *graphs)
    assert found.counts["senses"].matched == expected["senses"]
    assert found.counts["arguments"].matched == expected["arguments"]
    assert counted(found, "all")[:2] == (expected["gold"], expected["system"])
    total = expected["gold"] + expected["system"]
    bare = expected["places"] + expected["heads"]
    numbers = found.numbers
    assert numbers["unlabeled.f1"] == pytest.approx(2 * bare / total if total else 0)
    share = expected["propositions"] / len(gold) if gold else 0
    assert numbers["propositions.recall"] == pytest.approx(share)
    assert numbers["exact.semantic"] == expected["exact"]
    same = [one == two for one, two in zip(tree, other, strict=True)]
    assert numbers["las"] == pytest.approx(sum(same) / WORDS)
    heads = [one[0] == two[0] for one, two in zip(tree, other, strict=True)]
    assert numbers["uas"] == pytest.approx(sum(heads) / WORDS)
    assert numbers["exact.overall"] == (all(same) and expected["exact"])
