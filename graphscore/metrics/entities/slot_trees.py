"""The two-level alignment of entity trees.

Entities are paired with entities, nested ones included, and within a pair the
children with children, each so that the errors are fewest.  What a pair costs is a
mixture of what is wrong with the entity itself and with its children (Ben Jannet et
al. 2014, section 4.3)::

    E  = (1 - alpha) Er + alpha Ec
    Er = type error + [boundaries differ]
    Ec = (inserted + deleted + sum of what paired children cost) / children in gold

An entity without children in gold counts as if it had one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from graphscore.metrics.entities.slot_alignment import cheapest
from graphscore.metrics.entities.slot_costs import BOUNDARY, TYPE, type_error
from graphscore.metrics.entities.slot_view import Piece, Slots


class Costs(NamedTuple):
    """What errors cost; see :class:`graphscore.metrics.entities.eter.Eter`."""

    alpha: float
    type: float
    subtype: float
    boundary: float
    component_label: float
    component_boundary: float
    insertion: float
    deletion: float
    anywhere: bool

    @property
    def limit(self) -> float:
        """What pairs must cost less than."""
        return self.insertion + self.deletion


Component = tuple[int, int, float, int]
"""Positions of a gold and a system child, what they cost, what is wrong with them."""


class TreePair(NamedTuple):
    """Two entities that correspond."""

    gold: int
    """Position of the gold entity."""
    system: int
    """Position of the system's."""
    cost: float
    """What the pair costs, E in the paper."""
    root: float
    """What is wrong with the entity itself, Er."""
    wrong: int
    """What that is."""
    components: list[Component]
    """Their children that correspond."""

    def left(self, gold: int, system: int) -> tuple[list[int], list[int]]:
        """The children of each side that are left alone.

        Args:
            gold: how many children the gold entity has.
            system: how many the system's.
        """
        paired = len(self.components)
        if paired == gold == system:
            return [], []
        rows = {each[0] for each in self.components}
        columns = {each[1] for each in self.components}
        return (
            [k for k in range(gold) if k not in rows],
            [k for k in range(system) if k not in columns],
        )


def aligned_trees(gold: Slots, system: Slots, costs: Costs) -> list[TreePair]:
    """The pairs of entities whose errors, with all that is left alone, cost least.

    Args:
        gold: the gold side.
        system: the system's.
        costs: what errors cost.

    Returns:
        Pairs in the order of gold.
    """
    mine, theirs = gold.pieces, system.pieces
    if mine == theirs:
        return [_same(k, k, piece) for k, piece in enumerate(mine)]
    known: dict[tuple[int, int], TreePair] = {}

    def cost(row: int, column: int) -> float:
        found = _pair(row, column, mine[row], theirs[column], costs)
        known[row, column] = found
        return found.cost

    return [
        known.get((row, column)) or _same(row, column, mine[row])
        for row, column, _ in cheapest(mine, theirs, cost, costs.limit, costs.anywhere)
    ]


def _same(row: int, column: int, piece: Piece) -> TreePair:
    """Two entities that are equal in everything."""
    components = [(k, k, 0.0, 0) for k in range(len(piece[2]))]
    return TreePair(row, column, 0.0, 0.0, 0, components)


def _pair(row: int, column: int, gold: Piece, system: Piece, costs: Costs) -> TreePair:
    """Two entities, their children aligned."""
    if gold == system:
        return _same(row, column, gold)
    root, wrong = type_error(gold[1], system[1], costs.type, costs.subtype)
    if gold[0] != system[0]:
        root += costs.boundary
        wrong |= BOUNDARY
    components, below = aligned_children(gold[2], system[2], costs)
    share = below / (len(gold[2]) or 1)
    total = (1 - costs.alpha) * root + costs.alpha * share
    return TreePair(row, column, total, root, wrong, components)


def aligned_children(
    gold: Sequence[Piece], system: Sequence[Piece], costs: Costs
) -> tuple[list[Component], float]:
    """The pairs of children that cost least, and what all errors cost.

    Args:
        gold: the children of the gold entity.
        system: those of the system's.
        costs: what errors cost.
    """
    if gold == system:
        return [(k, k, 0.0, 0) for k in range(len(gold))], 0.0

    def cost(row: int, column: int) -> float:
        one, two = gold[row], system[column]
        label = costs.component_label if one[1] != two[1] else 0.0
        return label + (costs.component_boundary if one[0] != two[0] else 0.0)

    pairs = cheapest(gold, system, cost, costs.limit, costs.anywhere)
    found, total = [], 0.0
    for row, column, spent in pairs:
        one, two = gold[row], system[column]
        wrong = (TYPE if one[1] != two[1] else 0) | (
            BOUNDARY if one[0] != two[0] else 0
        )
        found.append((row, column, spent, wrong))
        total += spent
    total += (len(gold) - len(pairs)) * costs.deletion
    return found, total + (len(system) - len(pairs)) * costs.insertion
