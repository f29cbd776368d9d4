"""What two documents' templates have in common, and what they have not, as rows.

Level 0 are the templates that are aligned, level 1 their fillers; a template that
nothing is aligned to stands alone, and what fills it is missing or spurious below.
Of the fillers of aligned templates that have no partner,

- one that would be right in another slot is in the *wrong role*: beside it stands
  its counterpart there, and the value is the slot;
- others of the same slot stand beside each other, and *differ*;
- the rest has no counterpart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from graphscore.metrics.templates.filling import Fill, Filled, Form
from graphscore.metrics.templates.matching import NOTHING, Aligned, Scheme
from graphscore.model.graph import Graph, Value
from graphscore.model.outcome import Error, Match, Side
from graphscore.similarity.base import Number, Sparse
from graphscore.similarity.features.elements import surface
from graphscore.similarity.solving.assignment import best
from graphscore.structures.layout import ENTITY, MENTION

FILLERS, TEMPLATES = "fillers", "templates"
"""The kinds of these errors."""

WRONG_ROLE = "wrong role"
"""The reason of a filler that is right under another slot."""

ROLE = "role"
"""The name of such an error; its value is the slot."""


class Reported(NamedTuple):
    """The rows of a pair."""

    matches: tuple[Match, ...]
    errors: tuple[Error, ...]


class Rows:
    """Collects the rows of a pair.

    Args:
        gold: gold's templates.
        system: the system's.
        scheme: how fills are compared.
    """

    def __init__(self, gold: Filled, system: Filled, scheme: Scheme) -> None:
        self.sides = gold, system
        self.scheme = scheme
        self.matches: list[Match] = []
        self.missing: list[Error] = []
        self.surplus: list[Error] = []
        self._texts: tuple[dict[int, str], dict[int, str]] = ({}, {})

    def add(self, found: Sequence[Aligned], loose: bool = True) -> Reported:
        """Rows of all templates.

        Args:
            found: those that are aligned.
            loose: whether others of equal type stand beside each other as well,
                although they earn nothing.
        """
        gold, system = (each.forms for each in self.sides)
        every = [*found, *(self._loose(found) if loose else ())]
        for each in every:
            self._aligned(gold[each.gold], system[each.system], each)
        mine, theirs = {each.gold for each in every}, {each.system for each in every}
        left = [form for k, form in enumerate(gold) if k not in mine]
        right = [form for k, form in enumerate(system) if k not in theirs]
        beside = self._beside(left, right)
        back = {two: one for one, two in beside.items()}
        for k, form in enumerate(left):
            other = right[beside[k]] if k in beside else None
            self._alone("missing", form, other)
        for k, form in enumerate(right):
            other = left[back[k]] if k in back else None
            self._alone("surplus", form, other)
        return Reported(tuple(self.matches), (*self.missing, *self.surplus))

    def _loose(self, found: Sequence[Aligned]) -> list[Aligned]:
        """Templates of equal type that are left, those with words in common first."""
        gold, system = (each.forms for each in self.sides)
        mine, theirs = {each.gold for each in found}, {each.system for each in found}
        words = [
            [
                frozenset(key for fill in form.fills() for key in fill.keys)
                for form in forms
            ]
            for forms in (gold, system)
        ]
        cells: Sparse = {
            (r, c): 1 + len(words[0][r] & words[1][c])
            for r, one in enumerate(gold)
            for c, two in enumerate(system)
            if r not in mine and c not in theirs and one.type == two.type
        }
        pairs = best(cells, "1:1") if cells else []
        return [Aligned(r, c, NOTHING, {}) for r, c in pairs]

    def _aligned(self, gold: Form, system: Form, found: Aligned) -> None:
        parent = None
        if gold.node is not None and system.node is not None:
            parent = len(self.matches)
            credit = float(found.sides.literal)
            self.matches.append(Match("node", gold.node, system.node, credit))
            if set(gold.types).isdisjoint(system.types) and gold.types:
                self._type(gold, system, found)
        level = 0 if parent is None else 1
        # Fillers that were taken apart share their edge.
        earned: dict[int, Number] = {}
        taken: set[int] = set()
        for each in found.slots.values():
            for mine, theirs, number in each.pairs:
                earned[id(mine)] = earned.get(id(mine), 0) + number
                taken.add(id(theirs))
        for each in found.slots.values():
            for mine, theirs, number in each.pairs:
                ordinals = mine.edge, theirs.edge
                row = Match("edge", *ordinals, float(number), parent, level)
                self.matches.append(row)
                whole = earned[id(mine)] >= self.scheme.worth(mine)
                if number < self.scheme.worth(theirs) or not whole:
                    self._partial(mine, theirs, number, parent)
        left = [fill for fill in gold.fills() if id(fill) not in earned]
        right = [fill for fill in system.fills() if id(fill) not in taken]
        self._fills(left, right, parent)

    def _fills(self, left: list[Fill], right: list[Fill], parent: int | None) -> None:
        """What two aligned templates have left over."""
        moved = self._moved(left, right)
        rest = [k for k in range(len(right)) if k not in set(moved.values())]
        same = self._same(
            left, right, [k for k in range(len(left)) if k not in moved], rest
        )
        beside = moved | same
        back = {two: one for one, two in beside.items()}
        for k, fill in enumerate(left):
            other = right[beside[k]] if k in beside else None
            if other is not None or not fill.optional:
                self._fill("missing", fill, other, k in moved, parent)
        for k, fill in enumerate(right):
            other = left[back[k]] if k in back else None
            wrong = other is not None and back[k] in moved
            self._fill("surplus", fill, other, wrong, parent)

    def _moved(self, left: list[Fill], right: list[Fill]) -> dict[int, int]:
        """Fills that would be right in another slot."""
        cells: Sparse = {}
        for r, mine in enumerate(left):
            for c, theirs in enumerate(right):
                if mine.slot != theirs.slot and mine.keys & theirs.keys:
                    number = self.scheme.credit(mine, theirs)
                    if number and number >= self.scheme.worth(theirs):
                        cells[r, c] = number
        return dict(best(cells, "1:1")) if cells else {}

    @staticmethod
    def _same(
        left: list[Fill], right: list[Fill], ones: list[int], twos: list[int]
    ) -> dict[int, int]:
        """Fills of one slot beside each other, those with words in common first."""
        cells: Sparse = {}
        for r in ones:
            for c in twos:
                mine, theirs = left[r], right[c]
                if mine.slot == theirs.slot and not mine.optional:
                    cells[r, c] = 1 + len(mine.keys & theirs.keys)
        return dict(best(cells, "1:1")) if cells else {}

    def _beside(self, left: Sequence[Form], right: Sequence[Form]) -> dict[int, int]:
        """Templates of different types whose fills have something in common."""
        cells: Sparse = {}
        for r, mine in enumerate(left):
            for c, theirs in enumerate(right):
                shared = sum(
                    1
                    for slot, fills in mine.slots.items()
                    for one in fills
                    for two in theirs.slots.get(slot, ())
                    if one.keys & two.keys
                )
                if shared and mine.types != theirs.types:
                    cells[r, c] = shared
        return dict(best(cells, "1:1")) if cells else {}

    def _alone(self, side: Side, form: Form, other: Form | None) -> None:
        """A template that is not aligned, and its fills."""
        parent = None
        own = int(side == "surplus")
        if form.node is not None:
            parent = len(self.matches)
            alone = (None, form.node) if own else (form.node, None)
            self.matches.append(Match("node", alone[0], alone[1], 0.0))
        if form.optional and not own:
            return
        if form.node is not None:
            there = None if other is None else other.node
            ends = (there, form.node) if own else (form.node, there)
            kind = _label(self.sides[own].graph, form.node)
            value = "template" if kind is None else kind
            reason = "no counterpart" if other is None else "differs"
            error = Error(
                side, TEMPLATES, "node", ends[0], ends[1], kind, "", value, None, reason
            )
            self._errors(side).append(error)
        for fill in form.fills():
            if own or not fill.optional:
                self._fill(side, fill, None, False, parent)

    def _fill(
        self,
        side: Side,
        fill: Fill,
        other: Fill | None,
        wrong: bool,
        parent: int | None,
    ) -> None:
        own = int(side == "surplus")
        there = None if other is None else other.edge
        ends = (there, fill.edge) if own else (fill.edge, there)
        text = self._text(own, fill)
        name, value, compared = fill.slot, text, None
        if wrong:
            name, value, compared = ROLE, fill.slot, text
        reason = "no counterpart" if other is None else "differs"
        error = Error(
            side,
            FILLERS,
            "edge",
            ends[0],
            ends[1],
            fill.slot,
            name,
            value,
            compared,
            WRONG_ROLE if wrong else reason,
            0.0,
            parent,
        )
        self._errors(side).append(error)

    def _partial(
        self, gold: Fill, system: Fill, credit: Number, parent: int | None
    ) -> None:
        text, other = self._text(0, gold), self._text(1, system)
        self.missing.append(
            Error(
                "partial",
                FILLERS,
                "edge",
                gold.edge,
                system.edge,
                gold.slot,
                gold.slot,
                text,
                other if other != text else None,
                "differs",
                float(credit),
                parent,
            )
        )

    def _type(self, gold: Form, system: Form, found: Aligned) -> None:
        """Templates that are aligned although their types differ."""
        one, two = (
            _label(side.graph, form.node or 0)
            for side, form in zip(self.sides, (gold, system), strict=True)
        )
        earned = sum(each.sides.literal for each in found.slots.values())
        credit = float(found.sides.literal - earned)
        self.missing.append(
            Error(
                "partial",
                TEMPLATES,
                "node",
                gold.node,
                system.node,
                one,
                "",
                one,
                str(two),
                "differs",
                credit,
            )
        )

    def _errors(self, side: Side) -> list[Error]:
        return self.surplus if side == "surplus" else self.missing

    def _text(self, side: int, fill: Fill) -> str:
        known = self._texts[side]
        if not known:
            known.update(_texts(self.sides[side].graph))
        return known.get(fill.node, "")


def _label(graph: Graph, ordinal: int) -> Value:
    return graph.nodes[ordinal].label


def _texts(graph: Graph) -> Iterable[tuple[int, str]]:
    """What a filler is called: its mentions in order, its value, its words."""
    place = graph.ordinals()
    called: dict[int, str] = {}
    members: dict[int, list[int]] = {}
    for edge in graph.edges:
        if edge.label == MENTION:
            source = place[edge.source]
            members.setdefault(source, []).append(place[edge.target])
    for ordinal, node in enumerate(graph.nodes):
        words = surface(graph, node)
        if words is None:
            words = "" if node.label is None else str(node.label)
        called[ordinal] = words
    for ordinal, mentions in members.items():
        called[ordinal] = " / ".join(called[each] for each in mentions)
    for ordinal, node in enumerate(graph.nodes):
        if not called[ordinal]:
            called[ordinal] = ENTITY if node.label is None else str(node.label)
    return called.items()
