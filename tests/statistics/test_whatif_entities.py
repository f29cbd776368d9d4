"""What errors of entities cost, beside entities that are put right and scored again."""

from __future__ import annotations

import random

import msgspec
import pytest

from graphscore import Options, score
from graphscore.model.graph import Graph
from graphscore.statistics.whatif.corrections import what_if
from tests.metrics.entities import said

KEPT = Options(per_item=True, details=True)


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


@pytest.mark.parametrize(
    "metric",
    [
        "ner",
        "ner(duplicates=set)",
        "ner(overlap=0.5)",
        "ner(preset=nervaluate)",
        "ser",
        "ser(weights=makhoul)",
        "ser(substitution=additive)",
        "err",
    ],
)
def test_every_class_is_the_score_of_repaired_entities(metric):
    same = 0
    for seed in range(6):
        gold, system = corpus(seed)
        result = score(gold, system, metric, options=KEPT)
        told = what_if(result)
        assert told.value == pytest.approx(result.value, abs=1e-12)
        for each in told.classes:
            after = again(gold, system, result, each)
            if after is None:
                continue
            same += 1
            assert each.value == pytest.approx(after.value, abs=1e-12), each
            gain = after.value - told.value
            gain = -gain if result.metric.less_is_better else gain
            assert each.gain == pytest.approx(max(gain, 0), abs=1e-12)
            assert bool(each.note) == (gain < -1e-9)
    assert same >= 20


def in_class(metric, errors, each):
    """The errors of a class, and those that stand in the place of one."""
    entailed = metric.entailed(errors)
    for number, error in enumerate(errors):
        pair = [error, *(errors[k] for k in entailed.get(number, ()))]
        if each.error_type == "confusion":
            sides = sorted(pair, key=lambda one: one.error_type)
            wanted = len(pair) > 1 and metric.confusion(*sides) == each.label
        else:
            named = [(one.error_type, str(one.label)) for one in pair]
            wanted = (each.error_type, each.label) in named
        if wanted:
            yield error
