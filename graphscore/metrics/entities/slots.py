"""The slots of one graph: entities and components, as error rates look at them.

A slot is known by its *piece*: its place, its types, and the pieces of its direct
children.  Slots stand in the order of their pieces, so that neither the ids nor the
order of the nodes are of any account.

>>> from graphscore.model.graph import Anchor
>>> from graphscore.structures.entities.trees import TreeBuilder
>>> build = TreeBuilder()
>>> func = build.entity("func.ind", [Anchor(0, 22)])
>>> _ = build.component("kind", [Anchor(0, 11)], parent=func)
>>> loc = build.entity("loc.adm.nat", [Anchor(15, 22)], parent=func)
>>> _ = build.component("name", [Anchor(15, 22)], parent=loc)
>>> slots = Slots(build.graph("1"))
>>> [slot.types for slot in slots.entities], [slot.types for slot in slots.components]
([('func.ind',), ('loc.adm.nat',)], [('kind',), ('name',)])
>>> [slot.types for slot in slots.children[0]]
[('kind',), ('loc.adm.nat',)]

**Costs** of a pair of slots, and what is wrong with it.  Ben Jannet et al. (2014),
section 4.3: a wrong type costs 0.5, a wrong subtype 0.25, a wrong boundary 0.25
more.  Where an entity has two types, the mean over the longer list counts, paired in
the best way; what has no partner is a wrong type.  That is all four formulas of the
paper:

>>> def cost(gold, system):
...     return type_error(tuple(gold.split()), tuple(system.split()), 0.5, 0.25)[0]
>>> cost("loc.adm.town", "loc.adm.nat"), cost("loc.adm.town org.adm", "loc.adm.town")
(0.25, 0.25)
>>> cost("loc.adm.town", "org.ent prod.art")
0.5
>>> cost("loc.adm.town org.adm", "org.adm loc.adm.nat")
0.125
"""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from functools import cached_property, lru_cache
from itertools import permutations
from typing import Any, NamedTuple

from graphscore.exceptions import UsageError
from graphscore.metrics.entities.view import Entities, Place, Spans
from graphscore.model.graph import Graph
from graphscore.model.outcome import RawCounts
from graphscore.structures.entities.trees import ETREE, Metonymy, main_type, slots_of
from graphscore.structures.layout import UNTYPED

TYPE, SUBTYPE, BOUNDARY = 1, 2, 4
"""Aspects that can be wrong, as bits to be added."""

ENTITIES, COMPONENTS = "entities", "components"
"""The kinds of slots."""

ASPECTS = {
    ENTITIES: {"type": TYPE, "subtype": SUBTYPE, "boundary": BOUNDARY},
    COMPONENTS: {"label": TYPE, "boundary": BOUNDARY},
}
"""Names of the aspects, by tuple type."""

NAMES = {
    tuple_type: {
        first + last: " and ".join(
            name for name, bit in aspects.items() if bit & (first + last)
        )
        for first in (0, TYPE, SUBTYPE)
        for last in (0, BOUNDARY)
    }
    for tuple_type, aspects in ASPECTS.items()
}
"""Names of errors by tuple type and bits, such as ``type and boundary``."""


def check_costs(metric: Any) -> None:
    """Make numbers of the costs that a metric was given, 1 and 1.0 alike.

    Args:
        metric: a dataclass with a ``name``; every field whose default is a float is
            a cost, ``insertion`` and ``deletion`` among them.

    Raises:
        UsageError: if one is negative or not finite, or both insertion and deletion
            cost nothing.
    """
    for field in dataclasses.fields(metric):
        if isinstance(field.default, float):
            value = getattr(metric, field.name)
            if not 0 <= value < math.inf:
                problem = f"{metric.name}: {field.name}={value}"
                raise UsageError(f"{problem}, expected 0 or more")
            # 1 and 1.0 are one metric, and print alike.
            object.__setattr__(metric, field.name, float(value) + 0.0)
    if not metric.insertion + metric.deletion:
        problem = f"{metric.name}: insertion and deletion are 0"
        raise UsageError(f"{problem}, expected one above")


@lru_cache(maxsize=16384)
def type_error(
    gold: Types, system: Types, wrong_type: float, wrong_subtype: float
) -> tuple[float, int]:
    """Return the cost of two entities' types, and the errors as bits.

    Args:
        gold: one type, or two.
        system: likewise.
        wrong_type: what a wrong type costs.
        wrong_subtype: what a wrong subtype costs, where the main type is right.

    Returns:
        The mean over the longer list, of the best way to pair them; ``TYPE`` if a
        main type is wrong, else ``SUBTYPE``, else 0.
    """
    if sorted(gold) == sorted(system):
        return 0.0, 0
    less, more = sorted((gold, system), key=len)
    padded = (*less, *[None] * (len(more) - len(less)))
    cost, _, wrong = min(
        _compared(padded, order, wrong_type, wrong_subtype)
        for order in permutations(more)
    )
    return cost / len(more), wrong


def _compared(
    some: tuple[str | None, ...], others: Types, wrong_type: float, wrong_subtype: float
) -> tuple[float, int, int]:
    """The sum of costs, how many main types are wrong, and what is wrong at most."""
    cost, types, subtypes = 0.0, 0, 0
    for left, right in zip(some, others, strict=True):
        if left is None or main_type(left) != main_type(right):
            cost += wrong_type
            types += 1
        elif left != right:
            cost += wrong_subtype
            subtypes += 1
    return cost, types, TYPE if types else SUBTYPE if subtypes else 0


Types = tuple[str, ...]
"""The types of an entity, in alphabetical order; the label of a component."""

Piece = tuple[Place, Types, tuple[Any, ...]]
"""Place, types, pieces of the children in order; equal ones cannot be told apart."""


class SlotView(NamedTuple):
    """A slot, and what is often asked of it."""

    piece: Piece
    """Compared slot that identifies it."""
    label: str
    """Label in scores.

    The main type of an entity, that of its context where it has two; the label of a
    component.
    """
    ordinal: int
    """Position of its node in the graph."""

    @property
    def types(self) -> Types:
        """Its types."""
        return self.piece[1]


class Slots:
    """Slots of one graph, prepared for comparing.

    Args:
        graph: entity trees, or flat entities: then every mention is a slot.
        metonymy: how an entity right around another one is read.
        spans: whether white space in places counts.

    Attributes:
        graph: the graph.
        entities: the entities, nested ones included.
        components: the components, whatever they are part of.
        children: for each entity its direct children, components and entities.
        pieces: the pieces of the entities.
    """

    def __init__(
        self,
        graph: Graph,
        metonymy: Metonymy = "joined",
        spans: Spans = "offsets",
    ) -> None:
        self.graph = graph
        self.entities: list[SlotView] = []
        self.components: list[SlotView] = []
        self.children: list[list[SlotView]] = []
        if graph.framework == ETREE:
            self._read_trees(metonymy, spans == "characters")
        else:
            self._read_mentions(spans)
        self.pieces: list[Piece] = [held.piece for held in self.entities]

    @cached_property
    def flat(self) -> dict[str, list[SlotView]]:
        """Every slot once, by tuple type."""
        return {ENTITIES: self.entities, COMPONENTS: self.components}

    @cached_property
    def nested(self) -> dict[str, list[SlotView]]:
        """Every entity, and every child of one: a nested entity is both."""
        below = [child for children in self.children for child in children]
        return {ENTITIES: self.entities, COMPONENTS: below}

    @cached_property
    def flat_pieces(self) -> dict[str, list[Piece]]:
        """The pieces of the slots by tuple type, without children."""
        return {
            tuple_type: [(held.piece[0], held.piece[1], ()) for held in value]
            for tuple_type, value in self.flat.items()
        }

    @cached_property
    def nested_amounts(self) -> tuple[RawCounts, RawCounts, RawCounts]:
        """Raw counts of the slots of :attr:`nested`, see :func:`amounts`."""
        return amounts(self.nested)

    @cached_property
    def flat_amounts(self) -> dict[str, tuple[RawCounts, RawCounts, RawCounts]]:
        """Likewise those of :attr:`flat`, by tuple type."""
        return {
            tuple_type: amounts({tuple_type: value})
            for tuple_type, value in self.flat.items()
        }

    def _read_mentions(self, spans: Spans) -> None:
        entities = Entities(self.graph, spans=spans)
        self.entities = sorted(
            SlotView((span, (label,), ()), _main(label), ordinal)
            for (label, span), ordinal in zip(
                entities.entities, entities.nodes, strict=True
            )
        )
        self.children = [[] for _ in self.entities]

    def _read_trees(self, metonymy: Metonymy, visible: bool) -> None:
        slots = slots_of(self.graph, metonymy, visible)
        held = [
            SlotView(
                (slot.place, tuple(sorted(slot.types)), ()),
                _main(slot.types[0]) if slot.entity else slot.types[0] or UNTYPED,
                slot.ordinal,
            )
            for slot in slots
        ]
        self.components = sorted(
            view for view, slot in zip(held, slots, strict=True) if not slot.entity
        )
        entities = []
        for view, slot in zip(held, slots, strict=True):
            if slot.entity:
                below = sorted(held[k] for k in slot.children)
                span, types, _ = view.piece
                inner = tuple(child.piece for child in below)
                entities.append((view._replace(piece=(span, types, inner)), below))
        entities.sort()
        self.entities = [view for view, _ in entities]
        self.children = [below for _, below in entities]


def _main(label: str) -> str:
    """Return the label of an entity in scores; never empty."""
    return main_type(label) or label or UNTYPED


def amounts(slots: dict[str, list[SlotView]]) -> tuple[RawCounts, RawCounts, RawCounts]:
    """Return the raw counts of slots.

    Args:
        slots: them by tuple type.

    Returns:
        As gold, as a system, and as gold where all of them are right; as a whole (the
        label ``""``) and by label.
    """
    gold: RawCounts = {}
    for tuple_type, slot in slots.items():
        if slot:
            gold[tuple_type, "", "gold"] = len(slot)
            for label, count in Counter(held.label for held in slot).items():
                gold[tuple_type, label, "gold"] = count
    return gold, _named(gold, "system"), _named(gold, "matched")


def _named(raw_counts: RawCounts, quantity: str) -> RawCounts:
    return {
        (tuple_type, label, quantity): x
        for (tuple_type, label, _), x in raw_counts.items()
    }
