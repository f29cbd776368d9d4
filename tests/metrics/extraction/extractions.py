"""Small texts with relations and events, made by hand and at random."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations
from typing import Any, NamedTuple

from hypothesis import strategies as st

from graphscore.model.graph import Anchor, Graph
from graphscore.structures.layout import Argument, LayoutBuilder

TEXT = "Ada Lovelace and Charles Babbage built engines for IBM in London"

Span = tuple[int, int]


def span(word: str) -> Span:
    """Where a word stands in the text."""
    start = TEXT.index(word)
    return start, start + len(word)


class Thing(NamedTuple):
    """A relation, or an event with its trigger."""

    label: str | None
    arguments: Sequence[tuple[str | None, int]]
    """Roles and mentions, by number; an event as argument comes after them."""
    trigger: Span | None = None


class Side(NamedTuple):
    """What a system says of the text: typed mentions, and what is between them."""

    mentions: Sequence[tuple[str | None, Span]]
    things: Sequence[Thing]

    def graph(self, framework: str) -> Graph:
        """The same as a graph."""
        build = LayoutBuilder()
        for number, (label, where) in enumerate(self.mentions):
            build.mention(label, [Anchor(*where)], id=number)
        for number, thing in enumerate(self.things, len(self.mentions)):
            inside = [Argument(role, filler) for role, filler in thing.arguments]
            if thing.trigger is None:
                build.relation(thing.label, inside, id=number)
            else:
                anchors = [Anchor(*thing.trigger)]
                build.trigger(thing.label, anchors, inside, id=number)
        return build.graph("1", framework, text=TEXT)

    def filler(self, number: int, typed: bool) -> Any:
        """What an argument is, told without the library."""
        if number < len(self.mentions):
            label, where = self.mentions[number]
            return ("mention", where, label if typed else None)
        thing = self.things[number - len(self.mentions)]
        return ("event", thing.trigger, thing.label)


SPANS = [span("Ada"), span("Ada Lovelace"), span("Lovelace"), span("IBM")]
TRIGGERS = [span("built"), span("engines")]


@st.composite
def sides(draw: st.DrawFn, events: bool = False) -> Side:
    """A few mentions, and relations or events over them."""
    labels = st.sampled_from([None, "PER", "ORG"])
    mentions = draw(st.lists(st.tuples(labels, st.sampled_from(SPANS)), max_size=4))
    count = draw(st.integers(0, 4))
    fillers = range(len(mentions) + (count if events else 0))
    argument = st.tuples(
        st.sampled_from(["Arg1", "Arg2", None]), st.sampled_from(fillers)
    )
    inside = st.lists(argument, max_size=3) if len(fillers) else st.just([])
    trigger = st.sampled_from(TRIGGERS) if events else st.none()
    thing = st.builds(Thing, st.sampled_from(["a:b", "a:c", "d"]), inside, trigger)
    return Side(mentions, draw(st.lists(thing, min_size=count, max_size=count)))


def best(
    gold: Sequence[Any], system: Sequence[Any], worth: Callable[[Any, Any], float]
) -> float:
    """The most that a partial one-to-one matching earns, all of them tried."""
    if len(gold) > len(system):
        return best(system, gold, lambda one, two: worth(two, one))
    return max(
        sum(worth(one, two) for one, two in zip(gold, chosen, strict=True))
        for chosen in permutations(system, len(gold))
    )
