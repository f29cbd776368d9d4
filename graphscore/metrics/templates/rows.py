"""Error rows of two documents' templates.

Level 0 are the templates that are aligned, level 1 their fillers; a template that
nothing is aligned to stands alone, and what fills it is missing or spurious below.
Of the fillers of aligned templates that have no partner,

- one that would be right in another slot is in the *wrong role*: beside it stands
  its counterpart there, and the value is the slot;
- others of the same slot stand beside each other, and *differ*;
- the rest has no counterpart.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from functools import cached_property
from typing import TypeVar

from graphscore.correspondence.assignment import one_to_one
from graphscore.metrics.templates.matching import NOTHING, Aligned, Scheme
from graphscore.metrics.templates.prepared import (
    DocumentTemplates,
    Fill,
    PreparedTemplate,
)
from graphscore.model.graph import Graph
from graphscore.model.outcome import ErrorType
from graphscore.model.outcome_builder import Described, OutcomeBuilder
from graphscore.similarity.base import Number, Sparse
from graphscore.similarity.features.elements import surface
from graphscore.structures.layout import ENTITY, MENTION

T = TypeVar("T")

FILLERS, TEMPLATES = "fillers", "templates"
"""The kinds of these errors."""

WRONG_ROLE = "wrong role"
"""The reason of a filler that is right under another slot."""

ROLE = "role"
"""The name of such an error; its value is the slot."""


class Rows:
    """Enters the rows of a pair.

    Args:
        gold: gold's templates.
        system: the system's.
        scheme: how fills are compared.
        builder: where to.
    """

    def __init__(
        self,
        gold: DocumentTemplates,
        system: DocumentTemplates,
        scheme: Scheme,
        builder: OutcomeBuilder,
    ) -> None:
        self.sides = gold, system
        self.scheme, self.builder = scheme, builder

    def add(self, pairs: Sequence[Aligned]) -> None:
        """Enter the rows of all templates.

        Where any templates of equal type may be aligned, those that are left stand
        beside each other as well, although they earn nothing.

        Args:
            pairs: those that are aligned.
        """
        gold, system = (side.forms for side in self.sides)
        for aligned in pairs:
            self._enter_aligned(gold[aligned.gold], system[aligned.system], aligned)
        gold = _without(gold, {aligned.gold for aligned in pairs})
        system = _without(system, {aligned.system for aligned in pairs})
        if self.scheme.allowed is None:
            called = [
                [_type_and_keys(form) for form in side] for side in (gold, system)
            ]
            loose = _paired(called[0], called[1], _akin)
            for key, pair in loose.items():
                unearned = Aligned(key, pair, NOTHING, {})
                self._enter_aligned(gold[key], system[pair], unearned)
            gold = _without(gold, loose.keys())
            system = _without(system, set(loose.values()))
        beside = _paired(gold, system, _overlapping)
        back = {value: key for key, value in beside.items()}
        for k, form in enumerate(gold):
            self._enter_unmatched(
                "missing", form, system[beside[k]] if k in beside else None
            )
        for k, form in enumerate(system):
            self._enter_unmatched(
                "spurious", form, gold[back[k]] if k in back else None
            )

    def _enter_aligned(
        self, gold: PreparedTemplate, system: PreparedTemplate, aligned: Aligned
    ) -> None:
        parent = None
        if gold.node is not None and system.node is not None:
            credit = float(aligned.sides.literal)
            parent = self.builder.match(gold.node, system.node, credit)
            if set(gold.types).isdisjoint(system.types) and gold.types:
                self._enter_type(gold.node, system.node, aligned)
        # Fillers that were taken apart share their edge.
        earned: dict[int, Number] = {}
        taken: set[int] = set()
        pairs = [pair for slot in aligned.slots.values() for pair in slot.pairs]
        for gold_fill, system_fill, number in pairs:
            earned[id(gold_fill)] = earned.get(id(gold_fill), 0) + number
            taken.add(id(system_fill))
        for gold_fill, system_fill, number in pairs:
            self.builder.match(
                gold_fill.edge, system_fill.edge, float(number), "edge", parent
            )
            whole = earned[id(gold_fill)] >= self.scheme.weight(gold_fill)
            if number < self.scheme.weight(system_fill) or not whole:
                self._enter_partial(gold_fill, system_fill, number, parent)
        left = [fill for fill in gold.fills() if id(fill) not in earned]
        right = [fill for fill in system.fills() if id(fill) not in taken]
        self._enter_left(left, right, parent)

    def _enter_left(
        self, left: list[Fill], right: list[Fill], parent: int | None
    ) -> None:
        """Enter the unmatched fills of two aligned templates."""
        moved = _paired(left, right, self._elsewhere)
        taken = set(moved.values())
        unmoved_gold = [k for k in range(len(left)) if k not in moved]
        unmoved_system = [k for k in range(len(right)) if k not in taken]
        same = _paired(
            [left[k] for k in unmoved_gold],
            [right[k] for k in unmoved_system],
            _same_slot,
        )
        beside = moved | {unmoved_gold[r]: unmoved_system[c] for r, c in same.items()}
        back = {c: r for r, c in beside.items()}
        for k, fill in enumerate(left):
            if k in beside or not fill.optional:
                counterpart = right[beside[k]] if k in beside else None
                self._enter_fill("missing", fill, counterpart, k in moved, parent)
        for k, fill in enumerate(right):
            counterpart = left[back[k]] if k in back else None
            self._enter_fill("spurious", fill, counterpart, k in taken, parent)

    def _elsewhere(self, gold: Fill, system: Fill) -> Number:
        """Return the credit of a fill in another slot, if it would be correct there."""
        if gold.slot == system.slot or gold.keys.isdisjoint(system.keys):
            return 0
        number = self.scheme.credit(gold, system)
        return number if number >= self.scheme.weight(system) else 0

    def _enter_unmatched(
        self,
        side: ErrorType,
        form: PreparedTemplate,
        counterpart: PreparedTemplate | None,
    ) -> None:
        """A template that is not aligned, and its fills."""
        missing = side == "missing"
        parent = None
        if form.node is not None:
            gold, system = (form.node, None) if missing else (None, form.node)
            parent = self.builder.match(gold, system, 0.0)
        if form.optional and missing:
            return
        if form.node is not None:
            label = self.sides[not missing].graph.nodes[form.node].label
            described = Described(
                TEMPLATES,
                form.node,
                None if counterpart is None else counterpart.node,
                label=label,
                value="template" if label is None else label,
                reason="no counterpart" if counterpart is None else "differs",
            )
            self.builder.error(side, described)
        for fill in form.fills():
            if not (missing and fill.optional):
                self._enter_fill(side, fill, None, False, parent)

    def _enter_fill(
        self,
        side: ErrorType,
        fill: Fill,
        counterpart: Fill | None,
        moved: bool,
        parent: int | None,
    ) -> None:
        text = self._texts[side == "spurious"].get(fill.node, "")
        described = Described(
            FILLERS,
            fill.edge,
            None if counterpart is None else counterpart.edge,
            "edge",
            label=fill.slot,
            name=ROLE if moved else fill.slot,
            value=fill.slot if moved else text,
            compared=text if moved else None,
            reason=WRONG_ROLE if moved else "",
        )
        self.builder.error(side, described, parent)

    def _enter_partial(
        self, gold: Fill, system: Fill, credit: Number, parent: int | None
    ) -> None:
        text = self._texts[0].get(gold.node, "")
        system_text = self._texts[1].get(system.node, "")
        described = Described(
            FILLERS,
            gold.edge,
            system.edge,
            "edge",
            label=gold.slot,
            name=gold.slot,
            value=text,
            compared=system_text if system_text != text else None,
            credit=float(credit),
        )
        self.builder.error("partial", described, parent)

    def _enter_type(self, gold: int, system: int, aligned: Aligned) -> None:
        """Templates that are aligned although their types differ."""
        label = self.sides[0].graph.nodes[gold].label
        earned = sum(slot.sides.literal for slot in aligned.slots.values())
        described = Described(
            TEMPLATES,
            gold,
            system,
            label=label,
            value=label,
            compared=str(self.sides[1].graph.nodes[system].label),
            credit=float(aligned.sides.literal - earned),
        )
        self.builder.error("partial", described)

    @cached_property
    def _texts(self) -> tuple[dict[int, str], dict[int, str]]:
        gold, system = self.sides
        return _texts(gold.graph), _texts(system.graph)


def _paired(
    left: Sequence[T], right: Sequence[T], worth: Callable[[T, T], Number]
) -> dict[int, int]:
    """Positions of what stands best beside each other; what is worth 0 never does."""
    cells: Sparse = {
        (r, c): number
        for r, first in enumerate(left)
        for c, second in enumerate(right)
        if (number := worth(first, second))
    }
    return dict(one_to_one(cells))


def _without(
    forms: Sequence[PreparedTemplate], indices: Collection[int]
) -> list[PreparedTemplate]:
    return [form for k, form in enumerate(forms) if k not in indices]


def _type_and_keys(form: PreparedTemplate) -> tuple[Hashable, frozenset[Hashable]]:
    """A template's type, and what all its fills are known by."""
    return form.type, frozenset(key for fill in form.fills() for key in fill.keys)


def _akin(
    gold: tuple[Hashable, frozenset[Hashable]],
    system: tuple[Hashable, frozenset[Hashable]],
) -> Number:
    """Templates of equal type, those with words in common first."""
    return 1 + len(gold[1] & system[1]) if gold[0] == system[0] else 0


def _overlapping(gold: PreparedTemplate, system: PreparedTemplate) -> Number:
    """Templates of different types whose fills have something in common."""
    if gold.types == system.types:
        return 0
    return sum(
        not fill.keys.isdisjoint(system_fill.keys)
        for slot, fills in gold.slots.items()
        for fill in fills
        for system_fill in system.slots.get(slot, ())
    )


def _same_slot(gold: Fill, system: Fill) -> Number:
    """Fills of one slot, those with words in common first."""
    if gold.slot != system.slot or gold.optional:
        return 0
    return 1 + len(gold.keys & system.keys)


def _texts(graph: Graph) -> dict[int, str]:
    """Return the text of each filler: its mentions in order, its value, its words."""
    ordinal_of = graph.ordinals()
    texts: dict[int, str] = {}
    members: dict[int, list[int]] = {}
    for edge in graph.edges:
        if edge.label == MENTION:
            source = ordinal_of[edge.source]
            members.setdefault(source, []).append(ordinal_of[edge.target])
    for ordinal, node in enumerate(graph.nodes):
        words = surface(graph, node)
        if words is None:
            words = "" if node.label is None else str(node.label)
        texts[ordinal] = words
    for ordinal, mentions in members.items():
        texts[ordinal] = " / ".join(texts[mention] for mention in mentions)
    for ordinal, node in enumerate(graph.nodes):
        if not texts[ordinal]:
            texts[ordinal] = ENTITY if node.label is None else str(node.label)
    return texts
