"""Matching of fills slot by slot, and of templates.

The sums are those of the similarity algebra, worked out for documents as they are:
few templates with few fills to a slot, of which most have only one possible partner.

>>> from graphscore.metrics.templates.prepared import Fill
>>> def fill(*keys):
...     return Fill("Victim", 0, 0, (), "entity", frozenset(keys), keys, (), False)
>>> gold, system = (fill("max", "he"), fill("ann")), (fill("max"), fill("he"))
>>> [matched(Scheme(subset, one, each), gold, system).sides for each in ("1:1", "n:1")]
... # doctest: +NORMALIZE_WHITESPACE
[Numerators(recall=1, precision=1, literal=1),
 Numerators(recall=1, precision=2, literal=2)]
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

from graphscore.correspondence import Budget
from graphscore.correspondence.assignment import one_to_one
from graphscore.metrics.templates.prepared import (
    DocumentTemplates,
    Fill,
    PreparedTemplate,
    types_alike,
)
from graphscore.model.graph import Graph
from graphscore.similarity import Constraint, Pair, View
from graphscore.similarity.base import Cell, Number, Numerators, Sparse, sum_exactly
from graphscore.similarity.solvers.matcher import Members, best

Credit = Callable[[Fill, Fill], Number]
"""Credit of a gold and a system fill."""

NOTHING = Numerators(0, 0, 0)

SMALL = 64
"""Up to so many pairs, all are looked at; beyond, those with a key in common."""


def subset(gold: Fill, system: Fill) -> Number:
    """Return 1 if all predicted mentions are in gold (φ⊆, eq. 25)."""
    if not system.keys:
        # As alike as can be, or not at all.
        return int(not gold.keys and gold.kind == system.kind)
    return int(system.keys <= gold.keys and gold.kind == system.kind)


def contained_in(gold: Fill, system: Fill) -> Number:
    """No mention that gold has not; an entity without mentions has none."""
    return int(system.keys <= gold.keys and gold.kind == system.kind)


def phi3(gold: Fill, system: Fill) -> Number:
    """Count the mentions that both have (φ3, eq. 17)."""
    return len(gold.keys & system.keys) if gold.kind == system.kind else 0


def phi4(gold: Fill, system: Fill) -> Number:
    """F1 of the mentions (φ4, eq. 19)."""
    if gold.kind != system.kind:
        return 0
    size = len(gold.keys) + len(system.keys)
    return 2 * len(gold.keys & system.keys) / size if size else 1


def proportional(gold: Fill, system: Fill) -> Number:
    """The share of the predicted mentions that is in gold."""
    if gold.kind != system.kind:
        return 0
    if not system.keys:
        return int(not gold.keys)
    return len(gold.keys & system.keys) / len(system.keys)


def one(fill: Fill) -> Number:
    """Every fill is worth as much."""
    return 1


def size(fill: Fill) -> Number:
    """A fill is worth its mentions."""
    return len(fill.keys)


def equal_types(gold: PreparedTemplate, system: PreparedTemplate) -> Number:
    """Return 1 if two templates have the same type."""
    return int(gold.type == system.type)


def alike_types(
    generic: str, gold: PreparedTemplate, system: PreparedTemplate
) -> Number:
    """Return the similarity of two templates' types, alternatives included."""
    return types_alike(gold.types, system.types, generic)


class Scheme(NamedTuple):
    """Scheme for comparing templates and the fills of their slots.

    Args:
        credit: what two fills earn.
        weight: what a fill could earn.
        constraint: one to one, or ``n:1``: several predicted for one of gold's.
        keyed: whether fills without a key in common earn nothing, but for those
            without keys.
        typed: what the types of two templates earn; 0 keeps these apart.
        types_count: whether the type is a slot, or only decides what may be aligned.
        allowed: whether two templates may be aligned, by what their slots share.
        fill: pairs the fills of two templates; by default those that earn most.
        align: aligns the templates of a document; by default those that earn most.
        bounded: whether several fills for one of gold's count in recall for its weight
            at most, or each.
    """

    credit: Credit
    weight: Callable[[Fill], Number]
    constraint: Constraint = "1:1"
    keyed: bool = True
    typed: Callable[[PreparedTemplate, PreparedTemplate], Number] = equal_types
    types_count: bool = False
    allowed: Callable[[dict[str, Matched]], bool] | None = None
    fill: (
        Callable[[Scheme, PreparedTemplate, PreparedTemplate], dict[str, Matched]]
        | None
    ) = None
    align: Align | None = None
    bounded: bool = True

    @property
    def split(self) -> bool:
        """True if recall and precision can have different numerators."""
        return self.constraint != "1:1" and self.bounded

    def compare(
        self, gold: PreparedTemplate, system: PreparedTemplate
    ) -> Compared | None:
        """Compare two templates, or return ``None`` if they may not be aligned.

        Args:
            gold: gold's template.
            system: the system's.
        """
        typed = self.typed(gold, system)
        if not typed:
            return None
        slots = (self.fill or filled)(self, gold, system)
        if self.allowed is not None and not self.allowed(slots):
            return None
        sides = [slot.sides for slot in slots.values()]
        if self.types_count:
            sides.insert(0, Numerators(typed, typed, typed))
        return summed(sides), slots

    def weight_of(self, form: PreparedTemplate) -> Number:
        """Return the weight of a template, including its type where that counts."""
        return sum_exactly([*map(self.weight, form.fills()), *[1] * self.types_count])


Align = Callable[[Scheme, DocumentTemplates, DocumentTemplates, Budget], "Alignment"]
"""Alignment of the templates of a document."""


class Matched(NamedTuple):
    """The fills of a slot that belong together."""

    pairs: tuple[tuple[Fill, Fill, Number], ...]
    """Gold's and the system's fill, and what they earn."""
    sides: Numerators


def cells_of(scheme: Scheme, gold: Sequence[Fill], system: Sequence[Fill]) -> Sparse:
    """Return the credits of pairs of fills, without zeros.

    Args:
        scheme: how they are compared.
        gold: gold's fills of a slot.
        system: the system's.
    """
    credit = scheme.credit
    sparse: Sparse = {}
    if not scheme.keyed or len(gold) * len(system) <= SMALL:
        for r, left in enumerate(gold):
            for c, right in enumerate(system):
                if number := credit(left, right):
                    sparse[r, c] = number
        return sparse
    index: dict[Hashable, list[int]] = {}
    for c, right in enumerate(system):
        for key in right.keys or (None,):
            index.setdefault(key, []).append(c)
    for r, left in enumerate(gold):
        near = {c for key in left.keys or (None,) for c in index.get(key, ())}
        for c in sorted(near):
            if number := credit(left, system[c]):
                sparse[r, c] = number
    return sparse


def matched(scheme: Scheme, gold: Sequence[Fill], system: Sequence[Fill]) -> Matched:
    """The best matching of the fills of a slot.

    Args:
        scheme: how they are compared.
        gold: gold's fills.
        system: the system's.
    """
    if len(gold) == len(system) == 1:
        number = scheme.credit(gold[0], system[0])
        cells = {(0, 0): number} if number else {}
    else:
        cells = cells_of(scheme, gold, system)
    if not cells:
        return Matched((), NOTHING)
    if scheme.constraint == "1:1":
        chosen = one_to_one(cells)
    else:
        chosen = _many_to_one(scheme, gold, cells)
    pairs = tuple((gold[r], system[c], cells[r, c]) for r, c in chosen)
    literal = sum_exactly([number for _, _, number in pairs])
    if scheme.constraint == "1:1":
        return Matched(pairs, Numerators(literal, literal, literal))
    earned: dict[int, list[Number]] = {}
    for cell in chosen:
        earned.setdefault(cell[0], []).append(cells[cell])
    recall = sum_exactly(
        [min(sum_exactly(n), scheme.weight(gold[r])) for r, n in earned.items()]
    )
    return Matched(pairs, Numerators(recall, literal, literal))


def _many_to_one(scheme: Scheme, gold: Sequence[Fill], cells: Sparse) -> list[Cell]:
    """For each of the system's fills the best of gold's, so that most is counted."""
    offers: dict[int, Cell] = {}
    tied = False
    for cell, number in cells.items():
        offer = offers.get(cell[1])
        if offer is None or number > cells[offer]:
            offers[cell[1]] = cell
        elif number == cells[offer]:
            tied = True
    if not tied:
        return sorted(offers.values())

    def weights(axis: int, numbers: Sequence[int]) -> list[Number]:
        return [scheme.weight(gold[number]) for number in numbers]

    empty = View(Graph("", ""))
    both = range(len(gold)), range(1 + max(c for _, c in cells))
    return best(Members(Pair(empty, empty), both, cells, weights, "n:1"))


class Aligned(NamedTuple):
    """Two templates that are aligned, with the fills that belong together."""

    gold: int
    """Position among gold's templates."""
    system: int
    sides: Numerators
    """Numerators of recall and precision."""
    slots: dict[str, Matched]
    """By slot, where both have fills."""


Compared = tuple[Numerators, dict[str, Matched]]
"""Numerators of recall and precision of two templates, and matches by slot."""


class Alignment(NamedTuple):
    """Alignment of the templates of a document."""

    pairs: Sequence[Aligned]
    steps: int = 0
    proven: bool = True


def filled(
    scheme: Scheme, gold: PreparedTemplate, system: PreparedTemplate
) -> dict[str, Matched]:
    """The fills of two templates that belong together, slot by slot.

    Args:
        scheme: how fills are compared.
        gold: gold's template.
        system: the system's.
    """
    system_slots = system.slots
    return {
        slot: matched(scheme, fills, system_slots[slot])
        for slot, fills in gold.slots.items()
        if slot in system_slots
    }


def summed(parts: Sequence[Numerators]) -> Numerators:
    """Numerators of several slots or templates together."""
    if len(parts) == 1:
        return parts[0]
    recall = sum_exactly([part.recall for part in parts])
    precision = sum_exactly([part.precision for part in parts])
    return Numerators(recall, precision, sum_exactly([part.literal for part in parts]))


def in_order(
    scheme: Scheme, gold: DocumentTemplates, system: DocumentTemplates
) -> list[Aligned] | None:
    """The templates as they stand, where each earns all that both are worth.

    No alignment earns more then, and none of those that earn as much comes before it.

    Args:
        scheme: how templates are compared.
        gold: gold's templates.
        system: the system's.

    Returns:
        All of them; ``None`` as soon as one earns less.
    """
    if len(gold.forms) != len(system.forms):
        return None
    result: list[Aligned] = []
    for index, (left, right) in enumerate(zip(gold.forms, system.forms, strict=True)):
        both = scheme.compare(left, right)
        weight = scheme.weight_of(right)
        most = Numerators(scheme.weight_of(left), weight, weight)
        if both is None or both[0] != most or not most.literal:
            return None
        result.append(Aligned(index, index, *both))
    return result


def compared(
    scheme: Scheme, gold: DocumentTemplates, system: DocumentTemplates
) -> dict[Cell, Compared]:
    """Compare all templates that may be aligned.

    Args:
        scheme: how templates are compared.
        gold: gold's templates.
        system: the system's.
    """
    return {
        (r, c): both
        for r, left in enumerate(gold.forms)
        for c, right in enumerate(system.forms)
        if (both := scheme.compare(left, right)) is not None
    }


def aligned(
    scheme: Scheme, gold: DocumentTemplates, system: DocumentTemplates, budget: Budget
) -> Alignment:
    """The templates one to one so that most is earned; of nothing, none.

    Args:
        scheme: how templates are compared.
        gold: gold's templates.
        system: the system's.
        budget: how much work may be spent; none is.
    """
    result = in_order(scheme, gold, system)
    if result is not None:
        return Alignment(result)
    every = compared(scheme, gold, system)
    tables = {cell: both for cell, both in every.items() if both[0].literal}
    chosen = list(tables)
    if len(tables) > 1:
        cells = {cell: sides.literal for cell, (sides, _) in tables.items()}
        empty = View(Graph("", ""))
        members = Members(
            Pair(empty, empty),
            (range(len(gold.forms)), range(len(system.forms))),
            cells,
            lambda axis, members: (),
            sides_of=lambda pairs: {cell: tables[cell][0] for cell in pairs},
        )
        chosen = best(members)
    return Alignment([Aligned(r, c, *tables[r, c]) for r, c in chosen])
