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

No scorer is published.  What the paper leaves open: a pair has characters in common
(``overlap=free``: need not) and costs less than a deletion and an insertion; a nested
entity is an entity, and one child of its parent.

>>> from graphscore.metrics.registry import parse
>>> str(parse("eter(alpha=0.30)"))
'eter(alpha=0.3)'
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from graphscore.exceptions import UsageError
from graphscore.metrics.entities.eter_repairs import (
    entailed_in_trees,
    tree_repaired,
    tree_repairs,
)
from graphscore.metrics.entities.slot_alignment import TreePair, aligned_trees
from graphscore.metrics.entities.slot_metric import SlotBuilder, SlotErrors, Words
from graphscore.metrics.entities.slot_scores import (
    COST,
    MISHEARD,
    PARTS,
    ROOT,
    Tally,
    counted,
    error_table,
    heard_of,
    missed,
    tallied,
)
from graphscore.metrics.entities.slots import COMPONENTS, ENTITIES, Slots, check_costs
from graphscore.metrics.entities.view import Spans
from graphscore.model.outcome import (
    CountKey,
    Error,
    Match,
    Scores,
    ScoreTable,
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
        alignment: ``optimal``: entities are paired so that all errors cost least under
            this ``alpha``; ``fixed``: so that their types and boundaries cost least,
            then by the characters that they share, whatever ``alpha`` is.
        words: whether both sides have the same words; ``aligned``: those of each item
            are aligned by edit distance; ``document``: those of each document, whose
            items may be others.
        spans: ``characters`` leaves white space in spans aside; with ``offsets`` it
            counts.

    Raises:
        UsageError: if alpha is not between 0 and 1, a cost is negative or infinite, or
            both insertion and deletion cost nothing.
    """

    name = "eter"
    follows = "the definition of Ben Jannet et al. 2014"
    title = "ETER (Ben Jannet et al. 2014): entity tree error rate"
    citation = (
        "Ben Jannet et al. 2014, ETER: a new metric for the evaluation of hierarchical "
        "named entity recognition"
    )
    frameworks = frozenset({ETREE})
    main = ENTITIES
    leading = "eter"
    revision = 4
    bound = ""
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
    alignment: Literal["optimal", "fixed"] = "optimal"
    words: Words = "given"
    spans: Spans = "characters"

    def __post_init__(self) -> None:
        if not 0 <= self.alpha <= 1:
            raise UsageError(f"eter: alpha={self.alpha}, expected 0 to 1")
        check_costs(self)

    @property
    def fixed(self) -> bool:
        """True if entities are aligned without regard to their children."""
        return self.alignment == "fixed"

    @property
    def anywhere(self) -> bool:
        """True if entities without common characters may be aligned."""
        return self.overlap == "free"

    @property
    def limit(self) -> float:
        """Cost that aligned pairs must stay below."""
        return self.insertion + self.deletion

    def rate(self, tally: Tally) -> float:
        """Return the cost of all errors, divided by the number of gold slots."""
        return tally.rate(self.deletion, self.insertion)

    def enter(self, builder: SlotBuilder, gold: Slots, system: Slots) -> float:
        """Align the entities of one item, and their components."""
        builder.raw_counts |= gold.nested_amounts[0] | system.nested_amounts[1]
        if gold.pieces == system.pieces and not builder.details:
            builder.raw_counts |= gold.nested_amounts[2]
            builder.add(ENTITIES, "", WHOLE, len(gold.pieces))
            return self.limit * len(gold.pieces)
        pairs = aligned_trees(gold, system, self)
        _enter(builder, gold, system, pairs, self)
        # In the order of the pairs, as everything that is summed.
        return sum(self.limit - pair.cost for pair in pairs)

    def repaired(self, error: Error) -> Mapping[CountKey, int | float]:
        """Return the counts that a corrected error changes, without amounts."""
        return tree_repaired(error)

    def repairs(
        self, errors: Sequence[Error], matches: Sequence[Match]
    ) -> Sequence[Mapping[CountKey, int | float]]:
        """Return changes of raw counts; a child has its share of its entity's cost."""
        return tree_repairs(errors, matches, self)

    def entailed(self, errors: Sequence[Error]) -> Mapping[int, Sequence[int]]:
        """Map errors to confused ones, and nested entities to those of both levels."""
        return entailed_in_trees(errors)

    def scores(self, raw_counts: Mapping[CountKey, int | float]) -> Scores:
        """The rate; what it is made of, and by type and component label."""
        whole, below = tallied(raw_counts, ENTITIES), tallied(raw_counts, COMPONENTS)
        alone = whole._replace(cost=raw_counts.get((ENTITIES, "", ROOT), 0))
        inside = whole._replace(cost=raw_counts.get((ENTITIES, "", PARTS), 0))
        tallies = {"entities": whole, "types": alone, "components": below}
        chosen = tallies[self.slots]
        numbers = {
            "eter": self.rate(chosen),
            "errors": chosen.errors(self.deletion, self.insertion),
            "slots": chosen.gold,
        }
        for name, tally in (tallies | {"decomposition": inside}).items():
            numbers[f"eter.{name}"] = self.rate(tally)
        for tuple_type in self.tuple_types:
            numbers |= counted(raw_counts, tuple_type)
        numbers["entities.whole"] = raw_counts.get((ENTITIES, "", WHOLE), 0)
        numbers |= self.labelled(raw_counts, self.tuple_types)
        misheard = missed(
            raw_counts, ENTITIES if self.slots != "components" else COMPONENTS
        )
        if self.slots == "types":
            root = raw_counts.get((ENTITIES, "", MISHEARD + ROOT), 0)
            misheard = misheard._replace(cost=root)
        errors = misheard.errors(self.deletion, self.insertion)
        numbers |= self.heard(raw_counts, numbers["eter"], numbers["errors"], errors)
        return Scores(super().scores(raw_counts).counts, numbers)

    def brief(self, numbers: Mapping[str, float]) -> dict[str, float]:
        """Return the scores over all entities that the table of errors lacks."""
        names = ("eter.types", "entities.whole")
        return {name: numbers[name] for name in names} | heard_of("eter", numbers)

    def tables(self, scores: Scores) -> Sequence[ScoreTable]:
        """The errors by type, or of components by label."""
        tuple_types = (ENTITIES, COMPONENTS)
        if self.slots == "components":
            tuple_types = (COMPONENTS, ENTITIES)
        under = ", fixed alignment" if self.fixed else f", alignment for {self.alpha:g}"
        return (error_table("eter", scores.numbers, tuple_types, under=under),)


def _enter(
    builder: SlotBuilder,
    gold: Slots,
    system: Slots,
    pairs: Sequence[TreePair],
    costs: Eter,
) -> None:
    """Enter what became of every entity; components belong to the pair of theirs."""
    left, right = dict(enumerate(gold.entities)), dict(enumerate(system.entities))
    for pair in pairs:
        first, second = left.pop(pair.gold), right.pop(pair.system)
        own = (1 - costs.alpha) * pair.root
        parent = builder.pair(ENTITIES, (first, second), pair.wrong, pair.cost, own=own)
        if pair.wrong and builder.misheard(pair.wrong, first, second):
            builder.add(ENTITIES, "", MISHEARD + ROOT, pair.root)
        builder.add(ENTITIES, "", ROOT, pair.root)
        builder.add(ENTITIES, "", PARTS, pair.share)
        gold_children = dict(enumerate(gold.children[pair.gold]))
        system_children = dict(enumerate(system.children[pair.system]))
        misheard = 0.0
        for row, column, cost, wrong in pair.components:
            ends = gold_children.pop(row), system_children.pop(column)
            builder.pair(COMPONENTS, ends, wrong, cost, parent)
            misheard += cost if wrong and builder.misheard(wrong, *ends) else 0.0
        builder.alone("missing", COMPONENTS, gold_children.values(), parent)
        builder.alone("spurious", COMPONENTS, system_children.values(), parent)
        misheard += costs.deletion * sum(
            builder.misheard(0, x) for x in gold_children.values()
        )
        misheard += costs.insertion * sum(
            builder.misheard(0, x) for x in system_children.values()
        )
        if misheard:
            share = misheard / (len(gold.children[pair.gold]) or 1)
            builder.add(ENTITIES, "", MISHEARD + COST, costs.alpha * share)
        below = any(wrong for *_, wrong in pair.components)
        if not (pair.wrong or gold_children or system_children or below):
            builder.add(ENTITIES, "", WHOLE)
    for index, slot in left.items():
        builder.alone("missing", ENTITIES, (slot,))
        builder.alone("missing", COMPONENTS, gold.children[index])
    for index, slot in right.items():
        builder.alone("spurious", ENTITIES, (slot,))
        builder.alone("spurious", COMPONENTS, system.children[index])
