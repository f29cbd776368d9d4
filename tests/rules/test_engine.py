"""Order, fixpoint, conflicts, rules without end; batches and permutations."""

from __future__ import annotations

import gc
import sqlite3
from pathlib import Path

import pytest

from graphscore.correspondence import Budget
from graphscore.metrics.entities.rules import Rules
from graphscore.rules.engine import Engine, RuleError
from tests.rules.facts import Said, classes, graph, metric_of, rule_text, traced
from tests.rules.generate import documents, graphs

HEAD = """
phases = ["one", "two"]
[settings]
levels = ["span"]
credit = { fuzzy = 1, conditional = 1, partial = 0.5 }
[classes]
A = "true"
B = "true"
C = "spurious"
D = "spurious"
"""

SPAN = [Said("PER", "Smith")]


def rule(name: str, to: str, **more: object) -> str:
    return rule_text(
        **{"name": name, "phase": "one", "over": "system", "to_system": to} | more
    )


def test_priority_decides_then_phase(tmp_path: Path) -> None:
    rules = HEAD + rule("late", "A", priority=5) + rule("early", "B", priority=9)
    rules += rule("then", "C", phase="two", priority=99, from_system="B")
    [found] = [e for e in traced([], SPAN, metric_of(tmp_path, rules))]
    assert [(step.rule.name, step.now) for step in found.steps] == [
        ("early", "B"),
        ("then", "C"),
    ]


def test_a_phase_runs_to_its_fixpoint(tmp_path: Path) -> None:
    rules = HEAD + rule("third", "C", priority=30, from_system="B")
    rules += rule("second", "B", priority=20, from_system="A")
    rules += rule("first", "A", priority=10)
    rules += rule("last", "D", priority=1, from_system="C")
    [found] = traced([], SPAN, metric_of(tmp_path, rules))
    # Each wakes one that is of higher priority.
    assert [step.now for step in found.steps] == ["A", "B", "C", "D"]


def test_a_rule_that_asks_for_any_class_is_woken_by_each(tmp_path: Path) -> None:
    rules = HEAD + rule("given", "A", priority=1)
    asks = {"over": "same", "to_gold": "B", "when": "system.class is not null"}
    rules += rule_text(name="asks", phase="one", priority=9, **asks)
    assert classes(SPAN, SPAN, metric_of(tmp_path, rules)) == (["B"], ["A"])


def test_every_rule_fires_once_for_a_match(tmp_path: Path) -> None:
    metric = metric_of(
        tmp_path,
        HEAD + rule("first", "A") + rule("more", "B", priority=-1, from_system="A"),
    )
    with metric.engines.engine() as engine:
        from graphscore.rules.facts import Unit
        from graphscore.rules.outcome import batch_of

        units = [Unit([], [metric.prepare(graph(SPAN * 3))])]
        engine.run(batch_of(metric.rules, engine, units))
        rows = engine.connection.execute("select rule, system from log").fetchall()
    assert len(rows) == len(set(rows)) == 3


def test_an_engine_is_fit_for_use_after_an_error(tmp_path: Path) -> None:
    rules = HEAD + rule("one", "A") + rule("other", "B", when="system.type = 'PER'")
    metric = metric_of(tmp_path, rules)
    for _ in range(2):
        with pytest.raises(RuleError):
            classes([], SPAN, metric)
        assert classes([], [Said("ORG", "Acme")], metric) == ([], ["A"])


def test_documents_together_are_documents_one_by_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # As many as are run over together, and more.
    monkeypatch.setattr("graphscore.rules.outcome.CHUNK", 100)
    metric, made = Rules(), list(documents(12, gold=12, system=11))
    pairs = [
        ([metric.prepare(a)], [metric.prepare(b)])
        for a, b in zip(graphs(made, "gold"), graphs(made, "system"), strict=True)
    ]
    together = metric.compare_many(pairs, budget=Budget())
    alone = [metric.compare(*pair, budget=Budget()) for pair in pairs]
    assert together == alone
    brief = metric.compare_many(pairs, budget=Budget(), details=False)
    assert [each.raw_counts for each in brief] == [each.raw_counts for each in alone]


def test_parts_of_a_document_are_kept_apart() -> None:
    metric = Rules()
    here = [metric.prepare(graph(SPAN, name=name)) for name in ("a", "b")]
    there = [
        metric.prepare(graph([Said("ORG", "Acme")], name="a")),
        metric.prepare(graph(SPAN, name="b")),
    ]
    found = metric.compare(here, there, budget=Budget())
    assert found.raw_counts["span", "TP", "gold"] == 1
    assert found.raw_counts["document", "TP", "gold"] == 1
    assert found.raw_counts["document", "", "gold"] == 1
    [error] = [e for e in found.errors if e.tuple_type == "span" and e.gold is not None]
    assert error.gold == 0
    assert [(match.gold, match.system) for match in found.matches] == [(1, 1)]


def test_discontinuous_spans_and_spans_without_characters() -> None:
    from graphscore.model.graph import Anchor, Graph, Node

    def made(*ranges: tuple[int, int], words: str = "") -> Graph:
        text = (("text", words),) if words else ()
        node = Node(
            0, "PER", (("kind", "mention"), *text), tuple(Anchor(*r) for r in ranges)
        )
        return Graph("1", "ner", 1, text="Ann and Bob Smith", nodes=(node,))

    metric = Rules()

    def found(one: Graph, two: Graph) -> set[str]:
        sides = [metric.prepare(one)], [metric.prepare(two)]
        raw_counts = metric.compare(*sides, budget=Budget()).raw_counts
        return {name for (level, name, _) in raw_counts if level == "span" and name}

    assert found(made((0, 3), (12, 17)), made((12, 17), (0, 3))) == {"TP"}
    assert found(made((0, 3), (12, 17)), made((0, 17))) == {"FP", "FN"}
    assert found(made((0, 3), (12, 17)), made((0, 4), (12, 17))) == {"FzTP"}
    assert found(made((0, 3), (12, 17)), made((4, 11))) == {"FP", "FN"}
    assert found(made(words="Bob"), made(words="Bob")) == {"TP"}
    assert found(made(words="Bob"), made(words="Ann")) == {"FP", "FN"}


@pytest.mark.parametrize("kept", [False, True])
def test_an_engine_of_a_cycle_closes_its_database(kept: bool) -> None:
    engine = Engine(Rules().rules)
    engine.itself = engine
    connection = engine.connection if kept else None
    del engine
    # What is left open is told as an error: from Python 3.13 on, by the database.
    gc.collect()
    if connection is not None:
        with pytest.raises(sqlite3.ProgrammingError, match="closed database"):
            connection.execute("select 1")
