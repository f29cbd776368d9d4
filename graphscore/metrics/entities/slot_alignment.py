"""Minimum-cost alignment of gold and system slots.

Slots are paired one to one.  A pair costs what the caller says, a slot that is left
alone a deletion or an insertion; a pair is possible if both have something of their
places in common (or anywhere) and if it costs less than leaving both alone.  Of the
ways that cost least one has the most equal pairs, and is the first in the order of
gold, then of the system.

What competes for nothing is decided apart: first by overlap, so that most pairs need
no search; the rest by trying, or as a linear assignment.

>>> one, two = ((0, 3),), ((2, 5),)
>>> gold = [(one, ("pers",), ()), (two, ("org",), ())]
>>> system = [(((0, 4),), ("org",), ())]
>>> costs = {(0, 0): 0.75, (1, 0): 0.25}
>>> cheapest(gold, system, lambda row, column: costs[row, column], 2.0)
[(1, 0, 0.25)]

**Trees.**  Entities are paired with entities, whole trees of them in one pool, and
within each pair the children of one with those of the other, so that the errors cost
least.  What a pair of entities costs is a mixture in the proportion of ``alpha``, and
so is the alignment. One that is *fixed* looks at the entities themselves: their types
and boundaries cost least, and of ways that cost the same one has the most characters
in common, then the most pairs that are equal with all children.  What it finds is the
same for every ``alpha``, so that the rate is a straight line between that of the
entities themselves (0) and that of their children (1); at 0 both alignments cost the
same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from graphscore.correspondence.assignment import Cell, first_best
from graphscore.metrics.entities.alignment import competing, meeting, shared
from graphscore.metrics.entities.slots import BOUNDARY, TYPE, Piece, Slots, type_error

if TYPE_CHECKING:
    from graphscore.metrics.entities.eter import Eter


Component = tuple[int, int, float, int]
"""Positions of a gold and a system child, what they cost, what is wrong with them."""


class TreePair(NamedTuple):
    """Two entities that correspond."""

    gold: int
    """Position of the gold entity."""
    system: int
    """Position of the system's."""
    cost: float
    """Cost of the pair, E in the paper."""
    root: float
    """Cost of the errors of the entity itself, Er."""
    wrong: int
    """Errors of the entity itself, as bits."""
    components: list[Component]
    """Their children that correspond."""
    share: float = 0.0
    """Cost of the errors of the children, Ec."""


def aligned_trees(gold: Slots, system: Slots, costs: Eter) -> list[TreePair]:
    """The pairs of entities whose errors, with all that is left alone, cost least.

    With ``costs.fixed``, whose types and boundaries do.

    Args:
        gold: the gold side.
        system: the system's.
        costs: says what errors cost.

    Returns:
        Pairs in the order of gold.
    """
    left, right = gold.pieces, system.pieces
    if left == right:
        return [_same(k, k, piece) for k, piece in enumerate(left)]
    if costs.fixed:
        return [
            _pair(row, column, left[row], right[column], costs)
            for row, column, _ in cheapest(
                left,
                right,
                lambda row, column: _root(left[row], right[column], costs)[0],
                costs.limit,
                costs.anywhere,
                by_overlap=True,
            )
        ]
    tree_pairs: dict[tuple[int, int], TreePair] = {}

    def cost(row: int, column: int) -> float:
        result = _pair(row, column, left[row], right[column], costs)
        tree_pairs[row, column] = result
        return result.cost

    return [
        tree_pairs.get((row, column)) or _same(row, column, left[row])
        for row, column, _ in cheapest(left, right, cost, costs.limit, costs.anywhere)
    ]


def _same(row: int, column: int, piece: Piece) -> TreePair:
    """Two entities that are equal in everything."""
    components = [(k, k, 0.0, 0) for k in range(len(piece[2]))]
    return TreePair(row, column, 0.0, 0.0, 0, components)


def _pair(row: int, column: int, gold: Piece, system: Piece, costs: Eter) -> TreePair:
    """Two entities, their children aligned."""
    if gold == system:
        return _same(row, column, gold)
    root, wrong = _root(gold, system, costs)
    components, below = aligned_children(gold[2], system[2], costs)
    share = below / (len(gold[2]) or 1)
    total = (1 - costs.alpha) * root + costs.alpha * share
    return TreePair(row, column, total, root, wrong, components, share)


def _root(gold: Piece, system: Piece, costs: Eter) -> tuple[float, int]:
    """Return the cost of an entity's own errors, and the errors as bits."""
    root, wrong = type_error(gold[1], system[1], costs.type, costs.subtype)
    if gold[0] != system[0]:
        return root + costs.boundary, wrong | BOUNDARY
    return root, wrong


def aligned_children(
    gold: Sequence[Piece], system: Sequence[Piece], costs: Eter
) -> tuple[list[Component], float]:
    """The pairs of children that cost least, and what all errors cost.

    Args:
        gold: the children of the gold entity.
        system: those of the system's.
        costs: says what errors cost.
    """
    if gold == system:
        return [(k, k, 0.0, 0) for k in range(len(gold))], 0.0

    def cost(row: int, column: int) -> float:
        first, second = gold[row], system[column]
        label = costs.component_label if first[1] != second[1] else 0.0
        return label + (costs.component_boundary if first[0] != second[0] else 0.0)

    pairs = cheapest(gold, system, cost, costs.limit, costs.anywhere)
    result, total = [], 0.0
    for row, column, spent in pairs:
        left, right = gold[row], system[column]
        wrong = (TYPE if left[1] != right[1] else 0) | (
            BOUNDARY if left[0] != right[0] else 0
        )
        result.append((row, column, spent, wrong))
        total += spent
    total += (len(gold) - len(pairs)) * costs.deletion
    return result, total + (len(system) - len(pairs)) * costs.insertion


Paired = tuple[int, int, float]
"""Positions of the gold and the system slot, and what the pair costs."""

Cost = Callable[[int, int], float]
"""Cost of a pair, by positions; 0 for equal slots."""

EQUAL = 2.0**-30
"""Bonus of an equal pair beside what it saves.

It decides among alignments of the same cost; no larger difference of costs is ever
outweighed by a pair.
"""

CHARACTER, ALIKE = 2.0**-34, 2.0**-39
"""Bonus of a common character, where overlap decides, and of a pair equal in all.

The second is for pairs equal with all of their children: up to 31 of these never
outweigh a character, nor 10,000 characters a difference of costs of a millionth.
"""

FEW = 4, 16
"""Up to so many gold slots and possible pairs, all ways are tried."""


def cheapest(
    gold: Sequence[Piece],
    system: Sequence[Piece],
    cost: Cost,
    limit: float,
    anywhere: bool = False,
    by_overlap: bool = False,
) -> list[Paired]:
    """The pairs that cost least, together with what is left alone.

    Args:
        gold: gold slots, in order.
        system: the system's, in order.
        cost: what a pair costs.
        limit: what a deletion and an insertion cost together.
        anywhere: whether slots pair that have no characters in common.
        by_overlap: whether of ways that cost the same one has the most characters in
            common, and then the most pairs that are equal with their children;
            otherwise the most equal pairs, whatever their children.

    Returns:
        Pairs in the order of gold.
    """
    if not gold or not system:
        return []
    if len(gold) == len(system) == 1:
        return _only_pair(gold, system, (0, 0), cost, limit, anywhere)
    if anywhere:
        parts = [list(product(range(len(gold)), range(len(system))))]
    else:
        parts = competing(_overlapping(gold, system))
    result: list[Paired] = []
    for part in parts:
        if len(part) == 1:
            result += _only_pair(gold, system, part[0], cost, limit, True)
        else:
            result += _decided(gold, system, part, cost, limit, by_overlap)
    if len(parts) > 1:
        result.sort()
    return result


def _overlapping(gold: Sequence[Piece], system: Sequence[Piece]) -> Iterator[Cell]:
    """Pairs that have characters in common, or are in one place without any."""
    gold_places, system_places = (
        [piece[0] for piece in gold],
        [piece[0] for piece in system],
    )
    for row, column in meeting(gold_places, system_places):
        left, right = gold_places[row], system_places[column]
        if left == right or shared(left, right):
            yield row, column


def _only_pair(
    gold: Sequence[Piece],
    system: Sequence[Piece],
    cell: Cell,
    cost: Cost,
    limit: float,
    anywhere: bool,
) -> list[Paired]:
    """The only pair there can be, if it can."""
    row, column = cell
    left, right = gold[row][0], system[column][0]
    if anywhere or left == right or shared(left, right):
        spent = cost(row, column)
        if spent < limit:
            return [(row, column, spent)]
    return []


def _decided(
    gold: Sequence[Piece],
    system: Sequence[Piece],
    part: list[Cell],
    cost: Cost,
    limit: float,
    by_overlap: bool,
) -> list[Paired]:
    """The best choice of pairs that compete."""
    rows = sorted({row for row, _ in part})
    columns = sorted({column for _, column in part})
    if len(rows) == len(columns) and all(
        gold[row] == system[column] for row, column in zip(rows, columns, strict=True)
    ):
        return [(r, c, 0.0) for r, c in zip(rows, columns, strict=True)]
    costs = {cell: cost(*cell) for cell in part}
    tie = _overlap if by_overlap else _equal
    worth = {
        (row, column): limit - spent + tie(gold[row], system[column])
        for (row, column), spent in costs.items()
        if spent < limit
    }
    if not worth:
        return []
    return [
        (row, column, costs[row, column])
        for row, column in first_best(part, worth, FEW)
    ]


def _equal(gold: Piece, system: Piece) -> float:
    return EQUAL * (gold[:2] == system[:2])


def _overlap(gold: Piece, system: Piece) -> float:
    return CHARACTER * shared(gold[0], system[0]) + ALIKE * (gold == system)
