"""Entity tree error rate.

Ben Jannet et al. (2014), "ETER: a new metric for the evaluation of hierarchical named
entity recognition".  Entities are aligned with entities, then within each pair the
components with components, nested entities included, each so that the errors are
fewest.  What a pair costs is a mixture of what is wrong with the entity itself and
with its children (section 4.3)::

    E  = (1 - alpha) Er + alpha Ec
    Er = type error + [boundaries differ]
    Ec = (inserted + deleted + sum of what paired children cost) / children in gold

An entity without children in gold counts as if it had one.

>>> from graphscore.metrics.registry import parse
>>> str(parse("eter(alpha=0.30)"))
'eter(alpha=0.3)'
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from graphscore.errors import UsageError
from graphscore.metrics.entities.eter_repairs import (
    entailed_in_trees,
    tree_repaired,
    tree_repairs,
)
from graphscore.metrics.entities.slot_alignment import cheapest
from graphscore.metrics.entities.slot_costs import BOUNDARY, TYPE, type_error
from graphscore.metrics.entities.slot_figures import (
    ROOT,
    Tally,
    counted,
    error_table,
    tallied,
)
from graphscore.metrics.entities.slot_metric import SlotErrors, SlotLedger
from graphscore.metrics.entities.slots import COMPONENTS, ENTITIES, Piece, Slots
from graphscore.model.outcome import (
    Error,
    Figures,
    FigureTable,
    MassKey,
    Match,
)
from graphscore.structures.entities.trees import ETREE, Metonymy

WHOLE = "whole"
"""Quantity: entities that are right with everything that they are made of."""


@dataclass(frozen=True)
class Eter(SlotErrors):
    """Entity tree error rate.

    Args:
        alpha: how much the components of an entity weigh against its types and
            boundary, 0 to 1.
        slots: what the rate is a rate of: entities with their components, entities
            by their types and boundary alone, or components.
        type: what a wrong type costs.
        subtype: what a wrong subtype costs, where the main type is right.
        boundary: what a wrong boundary of an entity costs.
        component_label: what a wrong label of a component costs.
        component_boundary: what a wrong boundary of a component costs.
        insertion: what an entity or component that gold lacks costs.
        deletion: what one that the system lacks costs.
        metonymy: whether an entity right around another one is one of two types.
        overlap: whether what is paired must have characters in common.

    Raises:
        UsageError: if alpha is not between 0 and 1, a cost is negative or infinite, or
            both insertion and deletion cost nothing.
    """

    name = "eter"
    follows = "the definition of Ben Jannet et al. 2014"
    title = "entity tree error rate"
    citation = (
        "Ben Jannet et al. 2014, ETER: a new metric for the evaluation of hierarchical "
        "named entity recognition"
    )
    frameworks = frozenset({ETREE})
    main = ENTITIES
    leading = "eter"
    separable = True
    method = "two-level alignment"

    alpha: float = 0.5
    slots: Literal["entities", "types", "components"] = "entities"
    type: float = 0.5
    subtype: float = 0.25
    boundary: float = 0.25
    component_label: float = 0.5
    component_boundary: float = 0.25
    insertion: float = 1.0
    deletion: float = 1.0
    metonymy: Metonymy = "joined"
    overlap: Literal["required", "free"] = "required"

    def __post_init__(self) -> None:
        if not 0 <= self.alpha <= 1:
            raise UsageError(f"eter: alpha={self.alpha}, expected 0 to 1")
        for field in dataclasses.fields(self):
            if isinstance(field.default, float):
                value = getattr(self, field.name)
                if not 0 <= value < math.inf:
                    raise UsageError(f"eter: {field.name}={value}, expected 0 or more")
                # 1 and 1.0 are one metric, and print alike.
                object.__setattr__(self, field.name, float(value) + 0.0)
        if not self.insertion + self.deletion:
            raise UsageError("eter: insertion and deletion are 0, expected one above")

    @property
    def anywhere(self) -> bool:
        """Whether entities pair that have no characters in common."""
        return self.overlap == "free"

    @property
    def limit(self) -> float:
        """What pairs must cost less than."""
        return self.insertion + self.deletion

    def rate(self, tally: Tally) -> float:
        """What all errors cost, by gold slots."""
        return tally.rate(self.deletion, self.insertion)

    def enter(self, ledger: SlotLedger, gold: Slots, system: Slots) -> float:
        """Align the entities of one item, and their components."""
        ledger.masses |= gold.nested_amounts[0] | system.nested_amounts[1]
        if gold.pieces == system.pieces and not ledger.details:
            ledger.masses |= gold.nested_amounts[2]
            ledger.add(ENTITIES, "", WHOLE, len(gold.pieces))
            return self.limit * len(gold.pieces)
        pairs = aligned_trees(gold, system, self)
        _enter(ledger, gold, system, pairs)
        # In the order of the pairs, as everything that is summed.
        return sum(self.limit - pair.cost for pair in pairs)

    def repaired(self, error: Error) -> Mapping[MassKey, int | float]:
        """What changes once an error is right; how much, :meth:`repairs` says."""
        return tree_repaired(error)

    def repairs(
        self, errors: Sequence[Error], matches: Sequence[Match]
    ) -> Sequence[Mapping[MassKey, int | float]]:
        """What comes to masses: of a child, its share of what its entity costs."""
        return tree_repairs(errors, matches, self)

    def entailed(self, errors: Sequence[Error]) -> Mapping[int, Sequence[int]]:
        """What stands in each other's place, and nested entities on both levels."""
        return entailed_in_trees(errors)

    def figures(self, masses: Mapping[MassKey, int | float]) -> Figures:
        """The rate; what it is made of, and by type and component label."""
        whole, below = tallied(masses, ENTITIES), tallied(masses, COMPONENTS)
        alone = whole._replace(cost=masses.get((ENTITIES, "", ROOT), 0))
        tallies = {"entities": whole, "types": alone, "components": below}
        chosen = tallies[self.slots]
        numbers = {
            "eter": self.rate(chosen),
            "errors": chosen.errors(self.deletion, self.insertion),
            "slots": chosen.gold,
        }
        for name, tally in tallies.items():
            numbers[f"eter.{name}"] = self.rate(tally)
        for kind in self.kinds:
            numbers |= counted(masses, kind)
        numbers["entities.whole"] = masses.get((ENTITIES, "", WHOLE), 0)
        numbers |= self.labelled(masses, self.kinds)
        return Figures(super().figures(masses).counts, numbers)

    def brief(self, numbers: Mapping[str, float]) -> dict[str, float]:
        """What the table of errors does not show, for all entities."""
        return {name: numbers[name] for name in ("eter.types", "entities.whole")}

    def tables(self, figures: Figures) -> Sequence[FigureTable]:
        """The errors by type, or of components by label."""
        kinds = (ENTITIES, COMPONENTS)
        if self.slots == "components":
            kinds = (COMPONENTS, ENTITIES)
        return (error_table("eter", figures.numbers, kinds),)


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


def aligned_trees(gold: Slots, system: Slots, costs: Eter) -> list[TreePair]:
    """The pairs of entities whose errors, with all that is left alone, cost least.

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


def _pair(row: int, column: int, gold: Piece, system: Piece, costs: Eter) -> TreePair:
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


def _enter(
    ledger: SlotLedger, gold: Slots, system: Slots, pairs: Sequence[TreePair]
) -> None:
    """Enter what became of every entity; components belong to the pair of theirs."""
    left, right = dict(enumerate(gold.entities)), dict(enumerate(system.entities))
    for pair in pairs:
        one, two = left.pop(pair.gold), right.pop(pair.system)
        parent = ledger.pair(ENTITIES, one, two, pair.wrong, pair.cost)
        ledger.add(ENTITIES, "", ROOT, pair.root)
        mine = dict(enumerate(gold.children[pair.gold]))
        theirs = dict(enumerate(system.children[pair.system]))
        for row, column, cost, wrong in pair.components:
            ends = mine.pop(row), theirs.pop(column)
            ledger.pair(COMPONENTS, *ends, wrong, cost, parent)
        ledger.alone("missing", COMPONENTS, mine.values(), parent)
        ledger.alone("surplus", COMPONENTS, theirs.values(), parent)
        below = any(wrong for *_, wrong in pair.components)
        if not (pair.wrong or mine or theirs or below):
            ledger.add(ENTITIES, "", WHOLE)
    for place, slot in left.items():
        ledger.alone("missing", ENTITIES, (slot,))
        ledger.alone("missing", COMPONENTS, gold.children[place])
    for place, slot in right.items():
        ledger.alone("surplus", ENTITIES, (slot,))
        ledger.alone("surplus", COMPONENTS, system.children[place])
