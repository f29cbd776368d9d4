"""Align system entities with gold entities.

One alignment serves every schema.  It is one to one, and the best by these
preferences, in this order: as many equal entities as can be; then as many of the
same place; then overlapping ones of the same type; then overlapping ones at all.  Of
several such, one that shares most characters, and of those the first in the order of
places and types, so that the order of the input is of no account.

>>> gold = [("PER", ((0, 5),)), ("LOC", ((6, 9),))]
>>> system = [("LOC", ((4, 7),)), ("PER", ((0, 5),))]
>>> best_alignment(gold, system)
EntityAlignment(pairs=[(0, 1, 0), (1, 0, 2)], gold=[1], system=[0])
>>> first_pairs(gold, system, "strict")
[(0, 0, 3)]

The second is the order of nervaluate: every system entity in turn takes what is best
for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from graphscore.correspondence.assignment import first_best
from graphscore.metrics.entities.view import Entity, Key, Place
from graphscore.model.graph import Anchor

if TYPE_CHECKING:
    from graphscore.similarity.base import Cell, Sparse

EXACT, SPAN, TYPED, OVERLAP = range(4)
"""Equal; same place, other type; overlap, same type; overlap, other type."""

Aligned = tuple[int, int, int]
"""Positions of the gold and the system entity, and how they are related."""

FEW = 64
"""Up to so many pairs of what is left are all looked at."""

SMALL = 3, 9
"""Up to so many gold entities and pairs of them, all ways are tried."""

WHOLE = 2**53
"""Beyond it floating-point numbers do not tell whole numbers apart."""

EntitiesAt = Callable[[Sequence[int]], list[Entity]]
"""Gives entities by their positions."""

Candidate = tuple[int, int]
"""The relation of two entities, and how many characters they share."""


def shared(left: Place, right: Place) -> int:
    """Count the characters that two spans have in common.

    >>> shared(((0, 5),), ((3, 9),)), shared(((0, 2), (4, 6)), ((1, 5),))
    (2, 2)
    """
    total = 0
    for a in left:
        for b in right:
            low = a[0] if a[0] > b[0] else b[0]
            high = a[1] if a[1] < b[1] else b[1]
            if high > low:
                total += high - low
    return total


class EntityAlignment(NamedTuple):
    """Which entities of two lists correspond."""

    pairs: Sequence[Aligned]
    """Those that do, by gold position."""
    gold: Sequence[int]
    """Positions of the gold entities without an equal, ascending."""
    system: Sequence[int]
    """Positions of the system's without one."""


def best_alignment(
    gold: Sequence[Key],
    system: Sequence[Key],
    least: float = 0.0,
    at: tuple[EntitiesAt, EntitiesAt] | None = None,
) -> EntityAlignment:
    """The best alignment.

    Args:
        gold: gold entities, or what tells them apart.
        system: the system's.
        least: what share of gold's characters an overlap must have, 0 for any.
        at: give entities of gold, and of the system, by their positions, where those
            are only what tells them apart.
    """
    pairs: list[Aligned] = []
    left: list[int] = []
    free = {entity: position for position, entity in enumerate(system)}
    if len(free) < len(system):
        right = _equal(gold, system, pairs, left)
    else:
        for position, entity in enumerate(gold):
            counterpart = free.pop(entity, None)
            if counterpart is None:
                left.append(position)
            else:
                pairs.append((position, counterpart, EXACT))
        right = list(free.values())
    if left and right:
        if at is None:
            rest = [gold[k] for k in left], [system[k] for k in right]
        else:
            rest = at[0](left), at[1](right)
        pairs += rest_pairs(*rest, left, right, least)
        pairs.sort()
    return EntityAlignment(pairs, left, right)


def _equal(
    gold: Sequence[Key],
    system: Sequence[Key],
    pairs: list[Aligned],
    left: list[int],
) -> list[int]:
    """Pair equal entities, first with first; says what is left of the system's."""
    pools: dict[Key, list[int]] = {}
    for position in range(len(system) - 1, -1, -1):
        pools.setdefault(system[position], []).append(position)
    for position, entity in enumerate(gold):
        pool = pools.get(entity)
        if pool:
            pairs.append((position, pool.pop(), EXACT))
        else:
            left.append(position)
    return sorted(position for pool in pools.values() for position in pool)


def rest_pairs(
    gold: Sequence[Entity],
    system: Sequence[Entity],
    left: Sequence[int],
    right: Sequence[int],
    least: float,
) -> list[Aligned]:
    """The best alignment of what has no equal.

    Args:
        gold: gold entities without an equal.
        system: the system's.
        left: the position of each of gold's.
        right: of the system's.
        least: what share of gold's characters an overlap must have.
    """
    if len(left) == 1 or len(right) == 1:
        return _only(gold, system, left, right, least)
    rows = sorted(range(len(gold)), key=lambda k: (gold[k][1], gold[k][0]))
    columns = sorted(range(len(system)), key=lambda k: (system[k][1], system[k][0]))
    cells: dict[Cell, Candidate] = {}
    for row, column in meeting(
        [gold[k][1] for k in rows], [system[k][1] for k in columns]
    ):
        made = _candidate(gold[rows[row]], system[columns[column]], least)
        if made is not None:
            cells[row, column] = made
    return [
        (left[rows[row]], right[columns[column]], cells[row, column][0])
        for part in competing(cells)
        for row, column in _assigned(part, cells)
    ]


def _only(
    gold: Sequence[Entity],
    system: Sequence[Entity],
    left: Sequence[int],
    right: Sequence[int],
    least: float,
) -> list[Aligned]:
    """The best pair, where there can be but one."""
    best: tuple[int, int, Place, str] | None = None
    chosen: list[Aligned] = []
    for first, own in zip(left, gold, strict=True):
        for second, other in zip(right, system, strict=True):
            candidate = _candidate(own, other, least)
            if candidate is not None:
                unequal = own if len(right) == 1 else other
                rank = candidate[0], -candidate[1], unequal[1], unequal[0]
                if best is None or rank < best:
                    best, chosen = rank, [(first, second, candidate[0])]
    return chosen


def _candidate(left: Entity, right: Entity, least: float) -> Candidate | None:
    """Classify the relation of two unequal entities; ``None`` if they have none."""
    same = left[0] == right[0]
    if left[1] == right[1]:
        return EXACT if same else SPAN, 0
    common = shared(left[1], right[1])
    if not common:
        return None
    if least and common < least * sum(span[1] - span[0] for span in left[1]):
        return None
    return TYPED if same else OVERLAP, common


def meeting(left: Sequence[Place], right: Sequence[Place]) -> list[Cell]:
    """Pairs of places that may have something in common, each once, in order."""
    if len(left) * len(right) <= FEW:
        return [(r, c) for r in range(len(left)) for c in range(len(right))]
    events = [
        (span[0], span[1], side, position)
        for side, side_spans in enumerate((left, right))
        for position, spans in enumerate(side_spans)
        for span in spans
    ]
    events.sort(key=lambda event: event[0])
    cells: set[Cell] = set()
    open_: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    for start, end, side, position in events:
        others = [span for span in open_[1 - side] if span[0] > start]
        open_[1 - side][:] = others
        for _, opposite in others:
            cells.add((position, opposite) if side == 0 else (opposite, position))
        open_[side].append((end, position))
    # What is only a string, or empty, has no characters to meet in.
    where: dict[Place, list[int]] = {}
    for column, spans in enumerate(right):
        where.setdefault(spans, []).append(column)
    for row, spans in enumerate(left):
        cells.update((row, column) for column in where.get(spans, ()))
    return sorted(cells)


def competing(cells: Iterable[Cell]) -> list[list[Cell]]:
    """Cells that compete with one another, directly or not, in order."""
    owner: dict[tuple[bool, int], list[Cell]] = {}
    for cell in cells:
        left = owner.get((False, cell[0]))
        right = owner.get((True, cell[1]))
        if left is None or left is right:
            part = right if left is None else left
        elif right is None:
            part = left
        else:
            part, less = (left, right) if len(left) >= len(right) else (right, left)
            part += less
            for row, column in less:
                owner[False, row] = owner[True, column] = part
        if part is None:
            part = []
        part.append(cell)
        owner[False, cell[0]] = owner[True, cell[1]] = part
    return [
        sorted(part) for part in {id(part): part for part in owner.values()}.values()
    ]


def _assigned(part: list[Cell], cells: dict[Cell, Candidate]) -> list[Cell]:
    """The best one-to-one choice of cells that compete."""
    if len(part) == 1:
        return part
    rows = len({row for row, _ in part})
    columns = len({column for _, column in part})
    return first_best(part, _worths(part, cells, min(rows, columns)), SMALL)


def _worths(part: list[Cell], cells: dict[Cell, Candidate], pairs: int) -> Sparse:
    """Return cell weights whose sum decides by all preferences in turn."""
    most: dict[int, int] = {}
    for cell in part:
        most[cell[0]] = max(most.get(cell[0], 0), cells[cell][1])
    base = pairs + 1
    scale = sum(most.values()) + 1
    if pairs * base**2 * scale >= WHOLE:
        scale = 1
    weights = {SPAN: base * base * scale, TYPED: base * scale, OVERLAP: scale}
    return {
        cell: weights[cells[cell][0]] + (cells[cell][1] if scale > 1 else 0)
        for cell in part
    }


def first_pairs(
    gold: Sequence[Entity],
    system: Sequence[Entity],
    schema: str,
    least: float = 0.0,
) -> list[Aligned]:
    """Every system entity in turn takes the best free gold entity that it overlaps.

    nervaluate 1.2.1, ``strategies.py``: an equal one (``strict``) or one of the same
    place (``exact``, ``partial``) if there is one; under ``type`` one of the same type
    whose bounds are nearest; else the first.

    Args:
        gold: gold entities, in their order.
        system: the system's.
        schema: what is preferred.
        least: what share of gold's characters an overlap must have.
    """
    preferred = {"strict": (EXACT,), "type": (EXACT, TYPED)}.get(schema, (EXACT, SPAN))
    result: list[Aligned] = []
    free = list(range(len(gold)))
    for position, right in enumerate(system):
        chosen, rank = None, (2, 0)
        for index in free:
            candidate = _candidate(gold[index], right, least)
            if candidate is None:
                continue
            relation = candidate[0]
            if relation not in preferred:
                new = 1, 0
            elif schema == "type":
                new = 0, _distance(gold[index][1], right[1])
            else:
                new = 0, 0
            if new < rank:
                chosen, rank = (index, position, relation), new
        if chosen is not None:
            result.append(chosen)
            free.remove(chosen[0])
    return sorted(result)


def _distance(left: Place, right: Place) -> int:
    """Distance of the ends of two ranges, added up."""
    before, after = left[0][0] - right[0][0], left[-1][1] - right[-1][1]
    return int(abs(before) + abs(after))


def in_tokens(entities: Sequence[Entity], tokens: Sequence[Anchor]) -> Sequence[Entity]:
    """Entities whose places count tokens; as they are where one has other bounds.

    Args:
        entities: any entities.
        tokens: ranges of characters, ascending.

    >>> in_tokens([("PER", ((0, 3), (4, 8)))], [Anchor(0, 3), Anchor(4, 8)])
    [('PER', ((0, 2),))]
    """
    first = {token.start: number for number, token in enumerate(tokens)}
    after = {token.end: number for number, token in enumerate(tokens, 1)}
    if not all(
        spans and spans[0][0] in first and spans[-1][1] in after
        for _, spans in entities
    ):
        return entities
    return [
        (label, ((first[spans[0][0]], after[spans[-1][1]]),))
        for label, spans in entities
    ]
