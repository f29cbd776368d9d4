"""Formulas as metrics: suites, derived scores, nested rows, users' own files."""

from __future__ import annotations

import operator
import pickle
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from graphscore import Store, parse, score
from graphscore.correspondence import Budget
from graphscore.exceptions import UsageError
from graphscore.metrics.formula import suite
from graphscore.metrics.made_scores import average_of, product_of
from graphscore.metrics.user import UserMetric
from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.model.outcome import add_raw_counts
from graphscore.similarity import (
    FormulaError,
    anchors,
    contained,
    custom,
    exact,
    f1,
    f_beta,
    jaccard,
    label,
    match,
    nodes,
    targets,
)

MENTION = exact(anchors)
ENTITY = f1(match(targets("mention"), MENTION))
CEAF = f1(match(nodes("entity"), ENTITY))


def chains(*entities: list[tuple[int, int]], item: str = "1") -> Graph:
    """A graph of entities, each a list of ranges."""
    found: list[Node] = []
    edges: list[Edge] = []
    for spans in entities:
        entity = len(found)
        found.append(Node(entity, properties=(("kind", "entity"),)))
        for start, end in spans:
            mention = len(found)
            found.append(
                Node(mention, None, (("kind", "mention"),), (Anchor(start, end),))
            )
            edges.append(Edge(entity, mention, "mention"))
    return Graph(item, "coref", text="x" * 60, nodes=tuple(found), edges=tuple(edges))


GOLD = chains([(0, 1), (2, 3), (4, 5)], [(6, 7), (8, 9)], [(10, 11)])
SYSTEM = chains([(0, 1), (2, 3)], [(4, 5), (6, 7), (8, 9)])


def outcome(metric: Any, gold: Graph, system: Graph) -> Any:
    return metric.compare(
        [metric.prepare(gold)], [metric.prepare(system)], budget=Budget()
    )


def test_a_formula_is_a_metric_that_goes_by_its_python() -> None:
    result = score([GOLD], [SYSTEM], CEAF)
    assert result.f1 == pytest.approx(2 * 1.6 / 5)
    assert str(result.metric) == repr(CEAF)
    assert pickle.loads(pickle.dumps(result.metric)) == result.metric


def test_rows_of_every_level_with_parents_and_credit() -> None:
    found = outcome(suite("ceaf", CEAF), GOLD, SYSTEM)
    rows = [
        (m.gold, m.system, round(m.credit, 4), m.parent, m.level) for m in found.matches
    ]
    assert rows == [
        (0, 0, 0.8, None, 0),
        (1, 1, 1.0, 0, 1),
        (2, 2, 1.0, 0, 1),
        (4, 3, 0.8, None, 0),
        (5, 5, 1.0, 3, 1),
        (6, 6, 1.0, 3, 1),
        # An entity without a partner is a row too: its mentions are inside of it.
        (7, None, 0.0, None, 0),
    ]
    errors = [(e.error_type, e.gold, e.system, e.parent) for e in found.errors]
    assert sorted(errors, key=str) == sorted(
        [
            ("partial", 0, 0, None),
            # Both sides have the mention, in different entities.
            ("missing", 3, 4, 0),
            ("partial", 4, 3, None),
            ("missing", 7, None, None),
            ("missing", 8, None, 6),
            ("spurious", 3, 4, 3),
        ],
        key=str,
    )


def test_levels_in_a_store(tmp_path: Path) -> None:
    with Store(str(tmp_path / "runs.db"), mode="create") as store:
        store.add([GOLD], "gold")
        store.add([SYSTEM], "peking")
        store.score("gold", "peking", [parse(CEAF)])
        _, levels = store.query(
            "select level, error_type, count(*) from v_errors group by 1, 2 order by "
            "1, 2"
        )
        assert list(levels) == [
            (0, "missing", 1),
            (0, "partial", 2),
            (1, "missing", 2),
            (1, "spurious", 1),
        ]
        _, nested = store.query(
            "select c.credit, count(*) from v_errors e join v_correspondences c "
            "on c.item = e.item and c.seq = e.parent group by 1 order by 1"
        )
        assert [row[1] for row in nested] == [1, 2]


def test_a_suite_has_its_formulas_and_scores_made_of_them() -> None:
    made = suite(
        "made",
        {"ceaf": CEAF, "mentions": f1(match(nodes("mention"), MENTION))},
        scores={
            "mean": average_of("ceaf.f1", "mentions.f1"),
            "both": product_of("ceaf.f1", "mentions.recall"),
        },
    )
    gold, system = (
        [GOLD, chains([(0, 1)], item="2")],
        [SYSTEM, chains([(0, 1)], item="2")],
    )
    result = score(gold, system, made)
    scores = result.to_dict()["scores"]
    ceaf, mentions = result.counts["ceaf"], result.counts["mentions"]
    # Of sums over the corpus, never of scores of single pairs.
    assert ceaf.gold == 4
    assert scores["mean"] == pytest.approx((ceaf.f1 + mentions.f1) / 2)
    assert scores["both"] == pytest.approx(ceaf.f1 * mentions.recall)
    assert result.counts["all"] == ceaf


@pytest.mark.parametrize(
    ("formulas", "scores", "words"),
    [
        ({}, {}, "has no formula"),
        ({"all": CEAF}, {"x": average_of("nope.f1")}, "expected one of: all.precision"),
        ({"all": CEAF}, {"x": average_of()}, "made of nothing"),
    ],
)
def test_a_suite_of_nothing_is_refused(formulas: Any, scores: Any, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        suite("s", formulas, scores=scores)


def test_a_formula_about_less_than_a_graph_is_no_metric() -> None:
    with pytest.raises(FormulaError, match="compares a node, expected a formula about"):
        suite("s", ENTITY)


def test_a_ratio_that_is_no_f1_is_a_score_of_its_own() -> None:
    mentions = match(nodes("mention"), MENTION)
    made = suite("s", {"j": jaccard(mentions), "f": f_beta(2, mentions)})
    result = score([GOLD], [SYSTEM], made)
    assert result.counts["j"][:3] == (6, 5, 5)
    scores = result.to_dict()["scores"]
    assert scores["j.jaccard"] == pytest.approx(5 / 6)
    assert scores["f.f2"] == pytest.approx(5 * (5 / 6) / (4 + 5 / 6))


def test_both_numerators_add_up_over_pairs_where_they_agree_and_differ() -> None:
    gold = chains([(0, 1), (2, 3)], [(4, 5)])
    same = chains([(0, 1), (2, 3)], [(4, 5)])
    split = chains([(0, 1)], [(2, 3)], [(4, 5)])
    rme = f1(match(nodes("entity"), contained(targets("mention"), MENTION), "n:1"))
    metric, raw_counts = suite("rme", rme), {}
    for system in (same, split):
        add_raw_counts(raw_counts, outcome(metric, gold, system).raw_counts)
    count = metric.scores(raw_counts).counts["all"]
    assert tuple(count) == (4, 5, 4, 5)
    assert (count.precision, count.recall) == (1.0, 1.0)
    literal = suite("rme", f1(rme.operand, counting="formula"))
    count = literal.scores(outcome(literal, gold, split).raw_counts).counts["all"]
    assert (count.matched, count.recall) == (3, 1.5)


def half(predicted: object, gold: object) -> float:
    return 1.0 if predicted == gold else 0.5


def test_functions_of_ones_own_are_part_of_the_revision() -> None:
    plain = suite("s", f1(match(nodes(), exact(label))))
    own = suite("s", f1(match(nodes(), custom(half, label))))
    assert plain.revision == 2
    assert own.revision > 1
    assert own.revision == suite("t", f1(match(nodes(), custom(half, label)))).revision


def least(share: Any) -> Any:
    def half(predicted: object, gold: object) -> float:
        return 1.0 if predicted == gold else float(share)

    return half


def by_default(share: float) -> Any:
    def half(predicted: object, gold: object, share: float = share) -> float:
        return 1.0 if predicted == gold else share

    return half


class Shared(NamedTuple):
    share: float

    def half(self, predicted: object, gold: object) -> float:
        return 1.0 if predicted == gold else self.share


def revision(function: Any) -> int:
    return parse(f1(match(nodes(), custom(function, label)))).revision


def test_functions_of_one_name_are_told_apart() -> None:
    made = [least(0.25), least(0.75), by_default(0.25), by_default(0.75), half]
    made += [operator.eq, operator.ne, Shared(0.25).half, Shared(0.75).half]
    assert len({revision(each) for each in made}) == len(made)
    assert revision(cache(half)) == revision(half)
    assert revision(least(0.25)) == revision(least(0.25))
    with pytest.raises(UsageError, match="half cannot be told from other functions"):
        revision(least(lambda: 0.5))


def test_a_store_does_not_take_one_function_for_another(tmp_path: Path) -> None:
    sides = [
        Graph("1", "amr", nodes=(Node(0, word),), tops=(0,)) for word in ("one", "two")
    ]
    with Store(str(tmp_path / "runs.db"), mode="create") as store:
        for name, graph in zip(("gold", "system"), sides, strict=True):
            store.add([graph], name)
        found = [
            store.score("gold", "system", f1(match(nodes(), custom(each, label))))
            for each in (least(0.25), least(0.75), least(0.25))
        ]
    assert [each.f1 for each in found] == [0.25, 0.75, 0.25]
    assert [each.reused for each in found] == [0, 0, 1]


TYPED = """
from graphscore import Graph, Node, parse, score
from graphscore.similarity import custom, f1, label, match, nodes

def near(predicted, gold):
    return float(predicted[0] == gold[0])

gold, system = (
    [Graph("1", "x", nodes=(Node(0, word),))] for word in ("one", "other")
)
print(score(gold, system, f1(match(nodes(), custom(near, label)))).f1)
"""


def test_a_function_may_be_typed_into_an_interpreter() -> None:
    done = subprocess.run(
        [sys.executable, "-"], input=TYPED, capture_output=True, text=True, check=True
    )
    assert done.stdout == "1.0\n"


# Metrics in files.

FILE = """
from dataclasses import dataclass
from graphscore.metrics.formula import FormulaMetric
from graphscore.similarity import *

metric = f1(match(nodes("mention"), exact(anchors)))
inner = f1(match(targets("mention"), exact(anchors)))
two = {"a": metric, "b": f1(match(nodes("entity"), inner))}
number = 3

@dataclass(frozen=True)
class Mine(FormulaMetric):
    name = "mine"
    title = "mine"
    citation = "none"
    tuple_types = ("all",)
    strict: bool = True

    def formulas(self):
        return {"all": metric if self.strict else two["b"]}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "own_metrics.py").write_text(FILE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend("")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "tuple_types"),
    [
        ("own_metrics.py:metric", ("all",)),
        ("own_metrics.py:two", ("a", "b")),
        ("own_metrics.py:Mine", ("all",)),
        ("own_metrics.py:Mine(strict=false)", ("all",)),
    ],
)
def test_a_metric_in_a_file(
    folder: Path, name: str, tuple_types: tuple[str, ...]
) -> None:
    metric = parse(name)
    assert isinstance(metric, UserMetric)
    assert (str(metric), metric.tuple_types) == (name, tuple_types)
    assert parse(str(metric)) == metric
    result = score([GOLD], [SYSTEM], name)
    assert result.counts[tuple_types[0]].gold == (3 if "strict" in name else 6)
    assert f"revision:{metric.revision}" in result.signature


def test_a_metric_in_a_module(folder: Path) -> None:
    assert parse(" own_metrics:metric ").name == "own_metrics:metric"


def test_an_edited_file_is_another_revision(folder: Path) -> None:
    before = parse("own_metrics.py:metric").revision
    (folder / "own_metrics.py").write_text(
        FILE.replace("exact(anchors)", "exact(label)")
    )
    assert parse("own_metrics.py:metric").revision != before


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (
            "own_metrics.py:nope",
            "has no 'nope'; metrics, formulas and classes in it: metric",
        ),
        ("own_metrics.py:number", "found int, expected a formula"),
        ("nothing.py:metric", "nothing.py: there is no such file"),
        ("nothing.at.all:metric", "nothing.at.all: there is no such module"),
        ("own_metrics.py:metric(x=1)", "is not a class and has no parameters"),
        ("own_metrics.py:Mine(depth=1)", "no parameter 'depth'; it has: strict"),
        ("own_metrics.py:Mine(strict=true", "expected ) at the end"),
        ("broken.py:metric", r"broken.py:3: ZeroDivisionError: division by zero"),
        ("unclosed.py:metric", r"unclosed.py:1: "),
        ("missing.py:metric", "No module named 'not_there'"),
    ],
)
def test_what_is_wrong_with_a_users_file(folder: Path, name: str, words: str) -> None:
    (folder / "broken.py").write_text("a = 1\n\nmetric = 1 / 0\n")
    (folder / "unclosed.py").write_text("metric = (\n")
    (folder / "missing.py").write_text("import not_there\n")
    with pytest.raises(UsageError, match=words.replace("(", r"\(").replace(")", r"\)")):
        parse(name)
