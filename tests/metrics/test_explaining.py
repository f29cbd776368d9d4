"""Every metric can be explained: its pieces, each once, and the sums that follow."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphscore import Options, explain, score
from graphscore.correspondence import Budget
from graphscore.exceptions import GraphscoreError, UsageError
from graphscore.metrics import parse
from graphscore.model.frameworks import TUPLE_TYPES
from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.report.explanation.explanation import COLUMNS, Explanation
from graphscore.report.explanation.pieces import trees_of
from graphscore.report.explanation.trees import WIDTH, Branch
from tests.metrics.test_contract import NAMES, UNITS, readings


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=6)
@given(data=st.data())
def test_every_metric_is_explained(name: str, data: st.DataObject) -> None:
    metric = next(readings(name))
    sides = data.draw(UNITS[name])
    mine, theirs = (tuple(map(metric.prepare, side)) for side in sides)
    outcome = metric.compare(mine, theirs, budget=Budget())
    trees = trees_of(metric, sides.gold, sides.system, outcome, Budget())
    made = Explanation(sides.gold, sides.system, metric, outcome, trees, "1")
    if not sides.gold:
        return
    scores = metric.scores(outcome.raw_counts)
    found = made.to_dict()
    json.dumps(found)
    assert found["counts"] == {k: each.to_dict() for k, each in scores.counts.items()}
    assert all(len(line) <= WIDTH for line in made.lines())
    assert str(made)
    assert made._repr_html_().startswith("<pre>")
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in made.flat()]
    for row in rows:
        alone = {"-": ("gold", "system"), "+": ("system", "gold")}.get(row["mark"])
        if alone:
            assert row[alone[0]] is not None
            assert row[alone[1]] is None
    if trees[0].formula:
        # Each tuple type is its formula, and comes to what was counted.
        assert [*dict.fromkeys(tree.tuple_type for tree in trees)] == list(
            metric.tuple_types
        )
        for tree in trees:
            count = scores.counts[tree.tuple_type]
            if not tree.said.startswith("precision"):
                assert f"({count.matched:.6g} of {count.gold:.6g})" in tree.said
            if not tree.said.startswith("recall"):
                found_system = f"({count.correct_system:.6g} of {count.system:.6g})"
                assert found_system in tree.said
    elif not set(metric.tuple_types) <= set(TUPLE_TYPES):
        # Nothing that is wrong is told twice or left out.
        told = Counter(row["reason"] for row in rows if row["reason"])
        assert told == Counter(error.reason for error in outcome.errors)
    else:
        for mark, side in (("-", "missing"), ("+", "spurious")):
            told = {row["tuple_type"] for row in rows if row["mark"] == mark} - {""}
            assert told == {
                each.tuple_type for each in outcome.errors if each.error_type == side
            }


def node(name: int, label: str, start: int) -> Node:
    return Node(name, label, (("kind", "mention"),), (Anchor(start, start + 3),))


TEXT = "Ada met Bob in Rom"
GOLD = Graph("1", "ner", text=TEXT, nodes=(node(0, "PER", 0), node(1, "PER", 8)))
SYSTEM = Graph("1", "ner", text=TEXT, nodes=(node(0, "PER", 0), node(1, "LOC", 8)))


def test_a_formula_is_explained_by_its_levels() -> None:
    chains = "f1(match(nodes('e'), f1(match(targets(), exact(label)))))"

    def graph(*chained: str) -> Graph:
        nodes, edges = [], []
        for each in chained:
            head = len(nodes)
            nodes.append(Node(head, None, (("kind", "e"),)))
            for label in each:
                edges.append(Edge(head, len(nodes), "m"))
                nodes.append(Node(len(nodes), label))
        return Graph("1", "x", nodes=tuple(nodes), edges=tuple(edges))

    [found] = explain([graph("ab", "c")], [graph("a", "cd")], "1", chains)
    [tree] = found.trees
    assert tree.formula == "F↔es[F↔targets[δ_label]]"
    assert tree.said.startswith("= 0.666667   precision 0.6667 (1.33333 of 2)")
    first, second = tree.branches
    assert (first.mark, first.credit) == ("≈", pytest.approx(2 / 3))
    assert [(part.mark, part.gold, part.system) for part in first.parts] == [
        ("=", "a", "a"),
        ("-", "b", None),
    ]
    assert [part.mark for part in second.parts] == ["=", "+"]
    assert found.value == pytest.approx(2 / 3)
    assert found.to_dict()["counts"]["all"]["matched"] == pytest.approx(4 / 3)


def test_a_metric_is_explained_by_its_pieces() -> None:
    [found] = explain([GOLD], [SYSTEM], "1", "ner")
    assert found.metric == parse("ner")
    [tree] = found.trees
    assert [branch.mark for branch in tree.branches] == ["=", "≠"]
    assert tree.branches[0].gold == "PER “Ada”"
    wrong = tree.branches[1]
    assert {(part.mark, part.gold or part.system) for part in wrong.parts} == {
        ("-", "type=PER"),
        ("+", "type=LOC"),
    }
    assert found.scores == score([GOLD], [SYSTEM], "ner").scores
    text = str(found)
    assert "strict: P = 1 of 2 = 50.00, R = 1 of 2 = 50.00" in text
    assert "F1 = 2 P R / (P + R) = 50.00" in text


def test_tuples_of_meaning_representations_are_all_there() -> None:
    [found] = explain(
        "data/gold.mrp", "data/birch.mrp", "sample-02", "mrp", framework="eds"
    )
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in found.flat()]
    for tuple_type, count in found.scores.counts.items():
        if tuple_type != "all":
            mine = Counter(
                row["mark"] for row in rows if row["tuple_type"] == tuple_type
            )
            assert mine["="] == count.matched
            assert mine["-"] == count.gold - count.matched
            assert mine["+"] == count.system - count.matched


def test_several_metrics_and_frameworks() -> None:
    found = explain("data/gold.mrp", "data/birch.mrp", "sample-02", ["mrp", "smatch"])
    pairs = [(each.gold[0].framework, str(each.metric)) for each in found]
    frameworks = {framework for framework, _ in pairs}
    assert len(frameworks) > 1
    expected = [(framework, "mrp") for framework in frameworks] + [("amr", "smatch")]
    assert Counter(pairs) == Counter(expected)
    assert str(found).count("sample-02 (") == len(pairs)
    for each in found:
        alone = score(list(each.gold), list(each.system), each.metric)
        assert alone.scores == each.scores


def test_a_missing_item_of_the_system() -> None:
    [found] = explain([GOLD, other("2")], [other("2")], "1", "ner")
    assert found.to_dict()["missing"] is True
    assert "the system has no such graph" in str(found)


def other(item: str) -> Graph:
    return Graph(item, "ner", text=TEXT, nodes=GOLD.nodes)


def test_an_item_of_a_document_and_the_document() -> None:
    gold = [
        Graph(str(n), "coref", text=TEXT, document="d", nodes=GOLD.nodes)
        for n in (1, 2)
    ]
    [sentence] = explain(gold, gold, "2", "f1(match(nodes(), exact(label)))")
    assert [graph.id for graph in sentence.gold] == ["2"]
    [whole] = explain(gold, gold, "d", "mentions")
    assert [graph.id for graph in whole.gold] == ["1", "2"]
    [part] = explain(gold, gold, "2", "mentions")
    assert [graph.id for graph in part.gold] == ["2"]
    with pytest.raises(GraphscoreError, match="nothing to score with mrp"):
        explain(gold, gold, "d", "mrp")


def test_items_whose_ids_are_rewritten_or_that_pair_by_order() -> None:
    options = Options(pair="order")
    gold, system = [other("1"), other("2")], [other("a"), SYSTEM]
    [found] = explain(gold, system, "1", "ner", options=options)
    assert found.scores == score([GOLD], [GOLD], "ner").scores


@pytest.mark.parametrize(
    ("item", "given", "error", "words"),
    [
        ("sample-01x", {}, GraphscoreError, "did you mean 'sample-01'"),
        (
            "nothing",
            {},
            GraphscoreError,
            "no item 'nothing' in data/gold.mrp; there are ",
        ),
        ("sample-01", {"framework": "x"}, GraphscoreError, "is not in x, but in: "),
        ("sample-01", {"metric": "b3"}, GraphscoreError, "it scores graphs of coref"),
        ("sample-01", {"metric": "smach"}, UsageError, "did you mean 'smatch'"),
        ("sample-01", {"metric": "f1(1)"}, UsageError, "expected a similarity"),
    ],
)
def test_what_cannot_be_explained(
    item: str, given: dict[str, Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error) as caught:
        explain("data/gold.mrp", "data/birch.mrp", item, **given)
    assert words in str(caught.value)


def test_a_branch_in_a_line() -> None:
    branch = Branch("≈", "node", "a\nb", "c", 0.5, "labels")
    assert branch.line() == "≈ labels: a\\nb | c"
    assert branch.credited() == "0.5"
