"""What errors of entities cost, beside entities that are put right and scored again."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

import msgspec
import pytest

from graphscore import Options, score
from graphscore.evaluation.result import figure_in
from graphscore.metrics.entities.ner import Ner
from graphscore.model.graph import Graph
from graphscore.statistics.whatif.repairs import Fix, what_if
from tests.metrics.entities import said

KEPT = Options(per_item=True, details=True)
NOTHING = "of which errors are known|not known what errors cost"


def entities(chance: random.Random) -> list[said.Said]:
    starts = chance.sample(range(0, 40, 5), chance.randint(2, 6))
    return [
        (chance.choice("ABC"), ((start, start + chance.randint(2, 4)),))
        for start in starts
    ]


def altered(chance: random.Random, given: list[said.Said]) -> list[said.Said]:
    """Some are left out, some have another type, another end, or both."""
    found = []
    for label, ((start, end),) in given:
        what = chance.randint(0, 6)
        if what:
            label = chance.choice("ABCD") if what in (1, 2) else label
            end += chance.randint(0, 1) if what in (2, 3) else 0
            found.append((label, ((start, end),)))
    if chance.random() < 0.5:
        found.append(("D", ((41, 43),)))
    return found


def corpus(seed: int) -> tuple[list[Graph], list[Graph]]:
    chance = random.Random(seed)
    gold = [entities(chance) for _ in range(3)]
    system = [altered(chance, each) for each in gold]
    made = [
        [said.graph(each, str(k)) for k, each in enumerate(s)] for s in (gold, system)
    ]
    return made[0], made[1]


def repaired(gold: Graph, item, system: Graph, right) -> tuple[Graph, set]:
    """A system graph in which errors are right, and what then corresponds."""
    nodes = dict(enumerate(system.nodes))
    pairs = {(each.gold, each.system) for each in item.matches}
    for error in right:
        if error.gold is None:
            nodes.pop(error.system)
        elif error.system is None:
            place = 1000 + error.gold
            nodes[place] = gold.nodes[error.gold]
            pairs.add((error.gold, place))
        else:
            nodes[error.system] = gold.nodes[error.gold]
    left = [msgspec.structs.replace(node, id=k) for k, node in nodes.items()]
    return msgspec.structs.replace(system, nodes=tuple(left)), pairs


def again(gold, system, result, each):
    """The result of repaired graphs; nothing if they correspond in another way."""
    made, pairs = [], []
    for mine, item, theirs in zip(gold, result.items, system, strict=True):
        graph, expected = repaired(
            mine, item, theirs, in_class(result.metric, item.errors, each)
        )
        made.append(graph)
        pairs.append(expected)
    found = score(gold, made, result.metric, options=KEPT)
    for graph, item, expected in zip(made, found.items, pairs, strict=True):
        if {(m.gold, graph.nodes[m.system].id) for m in item.matches} != expected:
            return None
    return found


NER_FIGURES = (
    *("strict", "exact", "partial", "type", "strict.recall", "partial.precision"),
    *("macro.strict.f1", "weighted.type.f1", "partial.A.f1"),
    *("strict.ERR", "partial.ERR", "type.SUB", "exact.MIS", "strict.SPU"),
)


RATES = (
    *("strict.ERR", "partial.ERR", "type.SUB", "exact.MIS", "strict.SPU"),
    *("ser", "ser.entities", "part.entities"),
    *("err", "err.entities", "entities.insertions"),
)
"""Of which the lowest is the best."""


@pytest.mark.parametrize(
    ("metric", "figures"),
    [
        ("ner", NER_FIGURES),
        ("ner(duplicates=set)", ("strict", "partial")),
        ("ner(overlap=0.5)", ("strict", "partial", "type")),
        ("ner(preset=nervaluate)", ("strict", "exact", "partial", "type")),
        ("ser", ("ser", "ser.entities", "part.entities", "entities.f1")),
        ("ser(weights=makhoul)", ("ser",)),
        ("ser(substitution=additive)", ("ser",)),
        ("err", ("err", "err.entities", "entities.insertions")),
    ],
)
def test_every_class_is_the_score_of_repaired_entities(metric, figures):
    same = 0
    for seed in range(6):
        gold, system = corpus(seed)
        result = score(gold, system, metric, options=KEPT)
        # What all figures have in common is seen with the first.
        for figure in figures if seed % 3 == 0 else figures[:1]:
            told = what_if(result, figure)
            assert told.value == pytest.approx(figure_in(result, figure), abs=1e-12)
            for each in told.classes[: None if figure == figures[0] else 4]:
                after = again(gold, system, result, each)
                if after is None:
                    continue
                same += 1
                value = figure_in(after, figure)
                if value is None:
                    assert math.isnan(each.value)
                    continue
                assert each.value == pytest.approx(value, abs=1e-12), (figure, each)
                gain = told.value - value if figure in RATES else value - told.value
                assert each.gain == pytest.approx(max(gain, 0), abs=1e-12)
                assert bool(each.note) == (gain < -1e-9)
    assert same >= 20


def in_class(metric, errors, each):
    """The errors of a class, and those that stand in the place of one."""
    entailed = metric.entailed(errors)
    for number, error in enumerate(errors):
        pair = [error, *(errors[k] for k in entailed.get(number, ()))]
        if each.side == "confusion":
            sides = sorted(pair, key=lambda one: one.side)
            wanted = len(pair) > 1 and metric.confusion(*sides) == each.label
        else:
            named = [(one.side, str(one.label)) for one in pair]
            wanted = (each.side, each.label) in named
        if wanted:
            yield error


def test_a_class_that_makes_the_figure_worse_gains_nothing_and_has_a_note():
    @dataclass(frozen=True)
    class Even(Ner):
        """How even what is missing and what is surplus are."""

        name = "even"
        leading = "even"

        def figures(self, masses):
            found = super().figures(masses)
            missing, surplus = (found.numbers[f"strict.{x}"] for x in ("MIS", "SPU"))
            apart = abs(missing - surplus)
            every = found.numbers["strict.POS"] + found.numbers["strict.ACT"]
            found.numbers["even"] = 1 - apart / every if every else 1.0
            return found

    gold = [said.graph([("A", ((0, 3),)), ("B", ((5, 8),))])]
    system = [said.graph([("A", ((0, 3),)), ("C", ((20, 23),))])]
    told = what_if(score(gold, system, Even(), options=KEPT), fixes=[Fix(label="B")])
    assert (told.figure, told.value) == ("even", 1.0)
    # B is missing and C surplus: without either the other is there alone.
    assert [each[1:] for each in told.classes] == [
        ("B", "missing", 1, 0.8, 0.0, "the figure would be worse"),
        ("C", "surplus", 1, 1 - 1 / 3, 0.0, "the figure would be worse"),
    ]
    assert (told.fixed.value, told.fixed.gain) == (0.8, 0.0)
    assert told.notes == ("<memory>: with label=B right: the figure would be worse",)
    found = told.to_dict()["classes"][0]
    assert list(found)[-2:] == ["gain", "note"]
    assert not told.steps
