"""Small documents, and what the rules say of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from graphscore.correspondence import Budget
from graphscore.exceptions import InputError
from graphscore.metrics.entities.rules import Rules
from graphscore.model.graph import Anchor, Graph, Node
from graphscore.model.outcome import Outcome
from graphscore.rules.facts import Unit
from graphscore.rules.loader import rules_of
from graphscore.rules.model import Level
from graphscore.rules.outcome import Classified, batch_of, trace

TEXT = "Mr. Smith, of Acme, saw Rome and Paris, then Rome again."


class Said(NamedTuple):
    """A span by its words: the first place in the text where they stand."""

    type: str
    words: str
    ids: tuple[str, ...] = ()
    low: bool = False
    skip: int = 0
    """How many earlier places of the words are passed over."""


def graph(spans: Sequence[Said], text: str = TEXT, name: str = "1") -> Graph:
    nodes = []
    for number, said in enumerate(spans):
        start = -1
        for _ in range(said.skip + 1):
            start = text.index(said.words, start + 1)
        properties: list[tuple[str, str]] = [("kind", "mention")]
        properties += [("authority", each) for each in said.ids]
        properties += [("confidence", "low")] if said.low else []
        place = (Anchor(start, start + len(said.words)),)
        nodes.append(Node(number, said.type, tuple(properties), place))
    return Graph(name, "ner", 1, text=text, nodes=tuple(nodes))


def metric_of(folder: Path, rules: str) -> Rules:
    """The metric of a rule file with this text."""
    file = folder / "rules.toml"
    file.write_text(rules, encoding="utf-8")
    return Rules(str(file))


def problems(folder: Path, text: str) -> list[str]:
    """What is wrong with a file of rules, without its folder."""
    file = folder / "my.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as error:
        rules_of(str(file))
    found = [str(each).replace(f"{folder}/", "") for each in error.value.problems]
    assert sum(map(len, found)) < 200_000
    return found


def rule_text(**said: object) -> str:
    """A rule as its file has it."""
    lines = [
        f"{key} = {value if isinstance(value, int | list) else repr(value)}"
        for key, value in said.items()
    ]
    return "\n[[rule]]\n" + "\n".join(lines) + "\n"


def traced(
    gold: Sequence[Said],
    system: Sequence[Said],
    metric: Rules | None = None,
    text: str = TEXT,
) -> list[Classified]:
    """Every span with the rules that fired on it."""
    metric = metric or Rules()
    sides = [[metric.prepare(graph(spans, text))] for spans in (gold, system)]
    with metric.engines.engine() as engine:
        batch = batch_of(metric.rules, engine, [Unit(*sides)])
        engine.run(batch)
        return list(trace(engine, batch))


def classes(
    gold: Sequence[Said],
    system: Sequence[Said],
    metric: Rules | None = None,
    level: Level = "span",
    text: str = TEXT,
) -> tuple[list[str], list[str]]:
    """The classes of both sides, in the order of the spans; empty where none."""
    found = ([""] * len(gold), [""] * len(system))
    for each in traced(gold, system, metric, text):
        if each.level == level:
            found[each.side == "system"][each.row - 1] = each.name
    return found


def outcome(
    gold: Sequence[Said],
    system: Sequence[Said],
    metric: Rules | None = None,
    text: str = TEXT,
) -> Outcome:
    metric = metric or Rules()
    one, two = (metric.prepare(graph(side, text)) for side in (gold, system))
    return metric.compare([one], [two], budget=Budget())
