"""Documents with templates, made by hand or by chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

from graphscore.correspondence import Budget
from graphscore.metrics.base import Metric
from graphscore.metrics.registry import parse
from graphscore.model.graph import Anchor, Graph
from graphscore.model.outcome import Outcome
from graphscore.structures.layout import Argument, LayoutBuilder

Slots = Mapping[str, Sequence[Any]]
"""By slot its fillers: a list of mentions is an entity, a pair (words, type) an event,
anything else a value."""


def document(
    *templates: tuple[Any, Slots],
    item: str = "1",
    optional: Sequence[str] = (),
    alternatives: Mapping[Any, Sequence[str]] | None = None,
) -> Graph:
    """A document with templates of given types."""
    build = LayoutBuilder()
    filled: list[list[Argument]] = []
    for _, slots in templates:
        filled.append([])
        for slot, fillers in slots.items():
            for filler in fillers:
                attributes = (("optional", True),) if slot in optional else ()
                if isinstance(filler, list):
                    mentions = [build.mention(None, text=text) for text in filler]
                    node = build.entity(mentions)
                elif isinstance(filler, tuple):
                    words, label = filler
                    node = build.trigger(label, (), (), (("text", words),))
                else:
                    more = (alternatives or {}).get(filler, ())
                    properties = tuple(("alternative", each) for each in more)
                    node = build.value(filler, properties)
                filled[-1].append(Argument(slot, node, attributes))
    for (label, _), arguments in zip(templates, filled, strict=True):
        build.template(label, arguments)
    return build.graph(item, "template", document=item)


def fillers(slots: Slots) -> Graph:
    """A document with one template without a type."""
    return document((None, slots))


def compared(
    metric: str | Metric, gold: Graph | None, system: Graph | None, details: bool = True
) -> Outcome:
    """What a metric says of a document."""
    made = parse(metric)
    one, two = (
        () if each is None else (made.prepare(each),) for each in (gold, system)
    )
    return made.compare(one, two, budget=Budget(), details=details)


def amounts(
    metric: str | Metric,
    gold: Graph | None,
    system: Graph | None,
    tuple_type: str = "all",
) -> tuple[float, float, float, float]:
    """Numerator and denominator of precision, then of recall."""
    count = (
        parse(metric)
        .scores(compared(metric, gold, system).raw_counts)
        .counts[tuple_type]
    )
    return count.correct_system, count.system, count.matched, count.gold


def score(metric: str, gold: Graph, system: Graph, name: str) -> float:
    """One of the scores of a document."""
    return parse(metric).scores(compared(metric, gold, system).raw_counts).numbers[name]


WORDS = st.sampled_from(["m1", "m2", "M3", "the army", "army men"])
ENTITIES = st.lists(WORDS, max_size=3)
VALUES = st.sampled_from(["low", "middle", "high", True, 2])
EVENTS = st.tuples(WORDS, st.sampled_from(["die", "go"]))
SLOTS = st.sampled_from(["PerpInd", "Target", "Stage"])
TYPES = st.sampled_from(["attack", "bombing", "attack / bombing", None])


def forms(
    fillers: st.SearchStrategy[Any] | None = None, most: int = 3
) -> st.SearchStrategy[Graph]:
    """Documents with up to three templates."""
    each = ENTITIES | VALUES | EVENTS if fillers is None else fillers
    slots = st.dictionaries(SLOTS, st.lists(each, max_size=3), max_size=3)
    templates = st.lists(st.tuples(TYPES, slots), max_size=most)
    return templates.map(lambda found: document(*found))


def anchored(text: str, *mentions: tuple[int, int]) -> Graph:
    """A document whose only filler has anchored mentions."""
    build = LayoutBuilder()
    nodes = [build.mention(None, [Anchor(*each)], text="") for each in mentions]
    build.template(None, [Argument("Victim", build.entity(nodes))])
    return build.graph("1", "template", document="1", text=text)
