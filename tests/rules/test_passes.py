"""Rules that are decided together give what they give one by one."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from graphscore.metrics.entities.rules import Rules
from graphscore.rules import engine as engines
from graphscore.rules.engine import Engine, RuleError
from graphscore.rules.facts import Unit
from graphscore.rules.outcome import Classified, batch_of, outcomes, trace
from graphscore.rules.passes import Pass, leading_rules
from graphscore.rules.statements import compile_rule
from tests.rules.facts import Said, classes, metric_of, rule_text
from tests.rules.generate import Document, dense, documents, graphs
from tests.rules.test_oracle import RULES

HEAD = """
phases = ["base", "fine"]
[settings]
levels = ["span"]
credit = { fuzzy = 1, conditional = 1, partial = 0.5 }
[classes]
A = "true"
B = "true"
C = "spurious"
"""


def pair(name: str, when: str = "1", to: str = "A", **more: object) -> str:
    said = {"name": name, "phase": "fine", "over": "same", "when": when, **more}
    if "to_gold" not in said:
        said["to_system"] = to
    return rule_text(**said)


def engine_of(metric: Rules, together: bool) -> Engine:
    engine = Engine(metric.rules)
    if not together:
        engine._passes.clear()
    return engine


def passes(metric: Rules) -> list[Pass]:
    return [each for each in Engine(metric.rules)._passes.values() if each is not None]


def traces(
    metric: Rules, units: list[Unit], together: bool
) -> tuple[list[Classified], object]:
    engine = engine_of(metric, together)
    batch = batch_of(metric.rules, engine, units)
    engine.run(batch)
    return list(trace(engine, batch)), outcomes(engine, units, True)


def units_of(metric: Rules, made: list[Document]) -> list[Unit]:
    sides = zip(graphs(made, "gold"), graphs(made, "system"), strict=True)
    return [Unit([metric.prepare(a)], [metric.prepare(b)]) for a, b in sides]


def test_the_shipped_resolution_is_decided_together() -> None:
    [found] = passes(Rules())
    assert {each.rule.phase for each in found.rules} == {"resolution"}
    assert len(found.rules) > 12


@pytest.mark.parametrize("own", [False, True])
def test_together_is_one_by_one(tmp_path: Path, own: bool) -> None:
    metric = metric_of(tmp_path, RULES.replace("{key}", "entries")) if own else Rules()
    made = [dense(5000 + seed) for seed in range(150)] + list(documents(10, 3))
    units = units_of(metric, made)
    assert traces(metric, units, True) == traces(metric, units, False)


def test_the_first_rule_of_any_pair_decides(tmp_path: Path) -> None:
    rules = HEAD + pair("late", "gold.type = 'ORG'", "B", priority=1)
    rules += pair("early", "gold.type = 'PER'", "A", priority=2)
    metric = metric_of(tmp_path, rules)
    assert passes(metric)
    both = [Said("ORG", "Smith"), Said("PER", "Smith")]
    assert classes(both, [Said("LOC", "Smith")], metric) == (["", ""], ["A"])
    assert classes(both[:1], [Said("LOC", "Smith")], metric) == ([""], ["B"])


def test_a_condition_of_alternatives_stays_whole(tmp_path: Path) -> None:
    rules = HEAD + pair("one", "gold.low and gold.start = 0 or gold.low", priority=2)
    rules += pair("two", "gold.low and gold.start = 0", "B", priority=1)
    metric = metric_of(tmp_path, rules)
    sure, low = [Said("PER", "Smith")], [Said("PER", "Smith", low=True)]
    assert classes(low, sure, metric) == ([""], ["A"])
    assert classes(sure, sure, metric) == ([""], [""])


@pytest.mark.parametrize("kinds", [("PER",), ("PER", "ORG")])
def test_two_classes_of_one_pair_or_of_several_are_an_error(
    tmp_path: Path, kinds: tuple[str, ...]
) -> None:
    rules = HEAD + pair("one", f"gold.type = '{kinds[0]}'")
    rules += pair("other", f"gold.type = '{kinds[-1]}'", "B")
    metric = metric_of(tmp_path, rules)
    assert passes(metric)
    gold = [Said(kind, "Smith") for kind in kinds]
    with pytest.raises(RuleError) as error:
        classes(gold, [Said("PER", "Smith")], metric)
    for part in ("'one'", "'other'", "'A'", "'B'", "'Smith' (PER)", "priorit"):
        assert part in str(error.value)


def test_two_classes_after_a_better_one_are_none(tmp_path: Path) -> None:
    rules = HEAD + pair("one", "gold.low = 0") + pair("other", "gold.low = 0", "B")
    rules += pair("best", "gold.low", "C", priority=9)
    metric = metric_of(tmp_path, rules)
    assert passes(metric)
    gold = [Said("PER", "Smith"), Said("PER", "Smith", low=True)]
    assert classes(gold, [Said("PER", "Smith")], metric) == (["", ""], ["C"])


def test_what_reads_or_needs_a_class_is_fired_by_itself(tmp_path: Path) -> None:
    rules = HEAD + pair("both", to_gold="A", to_system="A", priority=3)
    rules += pair("asks", "system.class is null", "B", priority=2)
    rules += pair("from", from_gold="A", priority=1)
    metric = metric_of(tmp_path, rules)
    assert passes(metric) == []
    rules = [*map(compile_rule, count(), metric.rules.in_order())]
    assert leading_rules(rules) == []


def test_too_much_work_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "STEPS", 2)
    costly = " + ".join(["abs(gold.start - system.end)"] * 40) + " > 0"
    rules = HEAD + pair("first", costly, priority=2)
    rules += pair("second", costly, "B", priority=1)
    metric = metric_of(tmp_path, rules)
    assert passes(metric)
    many = [Said("PER", "Smith")] * 300
    with pytest.raises(RuleError, match=r"'first'.*million steps"):
        classes(many, many, metric)
    monkeypatch.setattr(engines, "STEPS", 2_000)
    assert classes(many, many, metric)[1] == ["A"] * 300
