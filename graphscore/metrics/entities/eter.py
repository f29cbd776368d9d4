"""Entity tree error rate.

Ben Jannet et al. (2014), "ETER: a new metric for the evaluation of hierarchical named
entity recognition".  Entities are aligned with entities, then within each pair the
components with components; a pair costs what is wrong with its types and boundary,
and with its components.

>>> from graphscore.metrics.registry import parse
>>> str(parse("eter(alpha=0.30)"))
'eter(alpha=0.3)'
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from graphscore.correspondence import Budget
from graphscore.errors import UsageError
from graphscore.metrics.entities.slot_figures import (
    DELETIONS,
    INSERTIONS,
    ROOT,
    Adding,
    counted,
    error_table,
    labels_of,
    prefixed,
    tallied,
)
from graphscore.metrics.entities.slot_metric import EMPTY, SlotErrors
from graphscore.metrics.entities.slot_rows import SlotRows
from graphscore.metrics.entities.slot_trees import Costs, TreePair, aligned_trees
from graphscore.metrics.entities.slot_view import COMPONENTS, ENTITIES, Slots
from graphscore.model.outcome import (
    Count,
    Figures,
    FigureTable,
    Masses,
    MassKey,
    Outcome,
)
from graphscore.structures.entity_trees import ETREE, Metonymy

WHOLE = "whole"
"""Quantity: entities that are right with everything that they are made of."""

METHOD = "two-level alignment"
"""What results say of how they were found."""


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
    title = "entity tree error rate"
    citation = (
        "Ben Jannet et al. 2014, ETER: a new metric for the evaluation of hierarchical "
        "named entity recognition"
    )
    frameworks = frozenset({ETREE})
    main = ENTITIES
    leading = "eter"

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

    @cached_property
    def costs(self) -> Costs:
        """What errors cost."""
        return Costs(
            self.alpha,
            self.type,
            self.subtype,
            self.boundary,
            self.component_label,
            self.component_boundary,
            self.insertion,
            self.deletion,
            self.overlap == "free",
        )

    def compare(
        self,
        gold: Sequence[Slots],
        system: Sequence[Slots],
        *,
        budget: Budget,
        details: bool = True,
    ) -> Outcome:
        """Align the entities of one item, and their components."""
        mine = gold[0] if gold else EMPTY
        theirs = system[0] if system else EMPTY
        masses = mine.nested_amounts[0] | theirs.nested_amounts[1]
        same = mine.pieces == theirs.pieces
        if same and not details:
            masses |= mine.nested_amounts[2]
            if mine.pieces:
                masses[ENTITIES, "", WHOLE] = len(mine.pieces)
            score = self.costs.limit * len(mine.pieces)
            return Outcome(masses, score, score, True, 0, METHOD)
        pairs = aligned_trees(mine, theirs, self.costs)
        _add(masses, mine, theirs, pairs)
        # In the order of the pairs, as everything that is summed.
        score = sum(self.costs.limit - pair.cost for pair in pairs)
        if not details:
            return Outcome(masses, score, score, True, 0, METHOD)
        rows = _rows(mine, theirs, pairs)
        matches = tuple(rows.matches)
        return Outcome(masses, score, score, True, 0, METHOD, matches, rows.errors)

    def figures(self, masses: Mapping[MassKey, int | float]) -> Figures:
        """The rate; what it is made of, and by type and component label."""
        unit = self.deletion, self.insertion
        whole, below = tallied(masses, ENTITIES), tallied(masses, COMPONENTS)
        alone = whole._replace(cost=masses.get((ENTITIES, "", ROOT), 0))
        tallies = {"entities": whole, "types": alone, "components": below}
        chosen = tallies[self.slots]
        numbers = {
            "eter": chosen.rate(*unit),
            "errors": chosen.errors(*unit),
            "slots": chosen.gold,
        }
        for name, tally in tallies.items():
            numbers[f"eter.{name}"] = tally.rate(*unit)
        for kind in self.kinds:
            numbers |= prefixed(kind, counted(masses, kind))
        numbers["entities.whole"] = masses.get((ENTITIES, "", WHOLE), 0)
        for kind in self.kinds:
            for label in labels_of(masses, kind):
                prefix = f"{kind}.{label}"
                numbers[f"{prefix}.eter"] = tallied(masses, kind, label).rate(*unit)
                numbers |= prefixed(prefix, counted(masses, kind, label))
        counts = {}
        for kind, tally in ((ENTITIES, whole), (COMPONENTS, below)):
            counts[kind] = Count(tally.gold, tally.system, tally.correct)
        counts["all"] = counts[ENTITIES].plus(counts[COMPONENTS])
        return Figures(counts, numbers)

    def brief(self, numbers: Mapping[str, float]) -> dict[str, float]:
        """What the table of errors does not show, for all entities."""
        return {name: numbers[name] for name in ("eter.types", "entities.whole")}

    def tables(self, figures: Figures) -> Sequence[FigureTable]:
        """The errors by type, or of components by label."""
        kinds = (ENTITIES, COMPONENTS)
        if self.slots == "components":
            kinds = (COMPONENTS, ENTITIES)
        return (error_table("eter", figures.numbers, kinds),)


def _add(masses: Masses, gold: Slots, system: Slots, pairs: Sequence[TreePair]) -> None:
    """Add what became of every entity and component."""
    entities, components = Adding(masses, ENTITIES), Adding(masses, COMPONENTS)
    left, right = dict(enumerate(gold.entities)), dict(enumerate(system.entities))
    for pair in pairs:
        one, two = pair.gold, pair.system
        entities.pair(left.pop(one), pair.wrong, pair.cost)
        del right[two]
        if pair.root:
            entities.amount(ROOT, pair.root)
        here, there = gold.children[one], system.children[two]
        for row, _, cost, wrong in pair.components:
            components.pair(here[row], wrong, cost)
        mine, theirs = pair.left(len(here), len(there))
        components.alone(DELETIONS, (here[k] for k in mine))
        components.alone(INSERTIONS, (there[k] for k in theirs))
        if not (pair.wrong or mine or theirs or any(x[3] for x in pair.components)):
            entities.amount(WHOLE, 1)
    entities.alone(DELETIONS, left.values())
    entities.alone(INSERTIONS, right.values())
    for one in left:
        components.alone(DELETIONS, gold.children[one])
    for two in right:
        components.alone(INSERTIONS, system.children[two])


def _rows(gold: Slots, system: Slots, pairs: Sequence[TreePair]) -> SlotRows:
    """The same as rows; components are part of the pair of their entities."""
    rows = SlotRows(gold.graph, system.graph)
    left, right = dict(enumerate(gold.entities)), dict(enumerate(system.entities))
    for pair in pairs:
        one, two = left.pop(pair.gold), right.pop(pair.system)
        parent = rows.pair(ENTITIES, one, two, pair.wrong, pair.cost)
        here, there = gold.children[pair.gold], system.children[pair.system]
        for row, column, cost, wrong in pair.components:
            rows.pair(COMPONENTS, here[row], there[column], wrong, cost, parent)
        mine, theirs = pair.left(len(here), len(there))
        for k in mine:
            rows.alone("missing", COMPONENTS, here[k], parent)
        for k in theirs:
            rows.alone("surplus", COMPONENTS, there[k], parent)
    for position, held in left.items():
        rows.alone("missing", ENTITIES, held)
        for child in gold.children[position]:
            rows.alone("missing", COMPONENTS, child)
    for position, held in right.items():
        rows.alone("surplus", ENTITIES, held)
        for child in system.children[position]:
            rows.alone("surplus", COMPONENTS, child)
    return rows
