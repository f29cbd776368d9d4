"""Which entity is which, and which of their children are: the alignment of trees.

Entities are paired with entities, whole trees of them in one pool, and within each pair
the children of one with those of the other, so that the errors cost least.  What a pair
of entities costs is a mixture in the proportion of ``alpha``, and so is the alignment.
One that is *fixed* looks at the entities themselves: their types and boundaries cost
least, and of ways that cost the same one has the most characters in common, then the
most pairs that are equal with all children.  What it finds is the same for every
``alpha``, so that the rate is a straight line between that of the entities themselves
(0) and that of their children (1); at 0 both alignments cost the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from graphscore.metrics.entities.eter_repairs import Costs
from graphscore.metrics.entities.slot_alignment import cheapest
from graphscore.metrics.entities.slot_costs import BOUNDARY, TYPE, type_error
from graphscore.metrics.entities.slots import Piece, Slots


class TreeCosts(Costs, Protocol):
    """What errors of trees cost, and what may be paired."""

    @property
    def type(self) -> float:
        """A wrong type."""
        ...

    @property
    def subtype(self) -> float:
        """A wrong subtype under the right main type."""
        ...

    @property
    def boundary(self) -> float:
        """A wrong boundary of an entity."""
        ...

    @property
    def component_label(self) -> float:
        """A wrong label of a component."""
        ...

    @property
    def component_boundary(self) -> float:
        """A wrong boundary of a component."""
        ...

    @property
    def anywhere(self) -> bool:
        """Whether slots pair that have no characters in common."""
        ...

    @property
    def fixed(self) -> bool:
        """Whether entities are paired without regard to their children."""
        ...

    @property
    def limit(self) -> float:
        """What pairs must cost less than."""
        ...


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
    share: float = 0.0
    """What is wrong with the children, Ec."""


def aligned_trees(gold: Slots, system: Slots, costs: TreeCosts) -> list[TreePair]:
    """The pairs of entities whose errors, with all that is left alone, cost least.

    With ``costs.fixed``, whose types and boundaries do.

    Args:
        gold: the gold side.
        system: the system's.
        costs: says what errors cost.

    Returns:
        Pairs in the order of gold.
    """
    mine, theirs = gold.pieces, system.pieces
    if mine == theirs:
        return [_same(k, k, piece) for k, piece in enumerate(mine)]
    if costs.fixed:
        return [
            _pair(row, column, mine[row], theirs[column], costs)
            for row, column, _ in cheapest(
                mine,
                theirs,
                lambda row, column: _root(mine[row], theirs[column], costs)[0],
                costs.limit,
                costs.anywhere,
                by_overlap=True,
            )
        ]
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


def _pair(
    row: int, column: int, gold: Piece, system: Piece, costs: TreeCosts
) -> TreePair:
    """Two entities, their children aligned."""
    if gold == system:
        return _same(row, column, gold)
    root, wrong = _root(gold, system, costs)
    components, below = aligned_children(gold[2], system[2], costs)
    share = below / (len(gold[2]) or 1)
    total = (1 - costs.alpha) * root + costs.alpha * share
    return TreePair(row, column, total, root, wrong, components, share)


def _root(gold: Piece, system: Piece, costs: TreeCosts) -> tuple[float, int]:
    """What is wrong with an entity itself, and what that is."""
    root, wrong = type_error(gold[1], system[1], costs.type, costs.subtype)
    if gold[0] != system[0]:
        return root + costs.boundary, wrong | BOUNDARY
    return root, wrong


def aligned_children(
    gold: Sequence[Piece], system: Sequence[Piece], costs: TreeCosts
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
