"""Templates as IterX's scorer compares them (65fd64c, ``metrics/muc/ceaf_rme.py``).

- Strings are normalized; gold's templates that say the same as an earlier one, and
  entities without mentions, are left out.
- A predicted mention is an entity of its own.
- φ⊆ counts the predicted mentions that gold has anywhere in the slot, and in recall
  the gold entities that are the first to have one; φ3 pairs mentions and gold
  entities one to one.
- A gold template of several types, ``attack / bombing``, may be aligned as either;
  of its types that one is kept whose fillers have most in common with all templates
  of the system together.  φ3 divides recall by its mentions once for each type,
  unless the system has no template at all.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

import numpy as np

from graphscore.metrics.templates.filling import Fill, Filled, Form
from graphscore.metrics.templates.matching import (
    Aligned,
    Compared,
    Matched,
    Scheme,
    matched,
    one,
    subset,
    summed,
)
from graphscore.metrics.templates.presets import distinct, singletons
from graphscore.similarity.base import Cell, Number, Numerators, Sparse


def listed_in(gold: Fill, system: Fill) -> Number:
    """How many of the predicted mentions gold has, repeated ones each."""
    if gold.kind != system.kind:
        return 0
    return sum(1 for key in system.listed if key in gold.keys)


def length(fill: Fill) -> Number:
    """A fill is worth its mentions, repeated ones each."""
    return len(fill.listed)


SCHEMES = {
    "subset": Scheme(subset, one, "n:1"),
    "phi3": Scheme(listed_in, length, "1:1"),
}
"""How fills are compared, by the similarity of entities."""


def sides_of(gold: Filled, system: Filled) -> tuple[Filled, Filled]:
    """Both sides as they are compared.

    Args:
        gold: gold's templates.
        system: the system's.
    """
    return (
        gold.keep("distinct", lambda each: distinct(each, True)),
        system.keep("singletons", singletons),
    )


def _types(form: Form) -> list[Hashable]:
    """The types that a template of several may be aligned as; none for others."""
    if not isinstance(form.type, str) or "/" not in form.type:
        return []
    if not any(form.slots.values()):
        return []
    return [part.strip() for part in form.type.split("/")]


def _slots(scheme: Scheme, gold: Form, system: Form) -> dict[str, Matched]:
    found: dict[str, Matched] = {}
    for slot, fills in gold.slots.items():
        theirs = system.slots.get(slot, ())
        if scheme.constraint == "1:1":
            found[slot] = matched(scheme, fills, theirs)
            continue
        pairs: list[tuple[Fill, Fill, Number]] = []
        for fill in theirs:
            mine = next((each for each in fills if scheme.credit(each, fill)), None)
            if mine is not None:
                pairs.append((mine, fill, 1))
        right = len({mine.edge for mine, _, _ in pairs})
        sides = Numerators(right, len(pairs), len(pairs))
        found[slot] = Matched(tuple(pairs), sides)
    return found


def aligned_as_iterx(scheme: Scheme, gold: Filled, system: Filled) -> list[Aligned]:
    """The templates that belong together.

    Where several alignments are equally good, φ⊆ depends on which one is taken: it
    is that of ``scipy.optimize.linear_sum_assignment``, in the order of the files.

    Args:
        scheme: how fills are compared.
        gold: gold's templates.
        system: the system's.
    """
    columns = [c for c, form in enumerate(system.forms) if any(form.slots.values())]
    rows: list[int] = []
    tables: dict[Cell, Compared] = {}
    for number, form in enumerate(gold.forms):
        chosen, most = len(rows), -1.0
        found: dict[int, dict[Cell, Compared]] = {}
        for type_ in _types(form) or [form.type]:
            row, total = len(rows), 0.0
            rows.append(number)
            found[row] = {}
            for place, column in enumerate(columns):
                theirs = system.forms[column]
                if theirs.type == type_:
                    slots = _slots(scheme, form, theirs)
                    sides = summed([each.sides for each in slots.values()])
                    if sides.literal:
                        found[row][row, place] = sides, slots
                        total += sides.literal
            if total > most:
                chosen, most = row, total
        tables |= found[chosen]
    return [
        Aligned(rows[r], columns[c], *tables[r, c])
        for r, c in _best(
            {cell: tables[cell][0].literal for cell in tables}, rows, columns
        )
    ]


def _best(cells: Sparse, rows: Sequence[int], columns: Sequence[int]) -> list[Cell]:
    """The assignment that the script takes, without what earns nothing."""
    if len({r for r, _ in cells}) == len(cells) == len({c for _, c in cells}):
        return list(cells)
    from scipy.optimize import linear_sum_assignment

    table = np.zeros((len(rows), len(columns)))
    for cell, number in cells.items():
        table[cell] = -number
    chosen = zip(*(each.tolist() for each in linear_sum_assignment(table)), strict=True)
    return [cell for cell in chosen if cell in cells]


def doubled(gold: Filled, worth: Callable[[Fill], Number]) -> dict[str, Number]:
    """By how much more φ3 divides recall: templates of several types again.

    Args:
        gold: gold's templates.
        worth: what a fill is worth.

    Returns:
        Amounts by slot, and under ``""`` all of them; slots of 0 are left out.
    """
    found: dict[str, Number] = {}
    for form in gold.forms:
        again = len(_types(form)) - 1
        if again > 0:
            for slot, fills in form.slots.items():
                amount = again * sum(map(worth, fills))
                if amount:
                    found[slot] = found.get(slot, 0) + amount
                    found[""] = found.get("", 0) + amount
    return found
