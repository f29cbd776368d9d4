"""The value of entities: EDT and LEDR of the ACE evaluations.

Doddington et al. (2004), "The Automatic Content Extraction (ACE) Program"; ACE 2008
evaluation plan; its scorer ``ace08-eval-v08``; Ben Jannet et al. (2014), section 2.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from graphscore.correspondence import Budget
from graphscore.errors import UsageError
from graphscore.metrics.base import Metric
from graphscore.metrics.entities.ace_mapping import Mapping as Mapped
from graphscore.metrics.entities.ace_mapping import Pair, Rules, mapped
from graphscore.metrics.entities.ace_table import Factors, Values, values_of
from graphscore.metrics.entities.ace_view import Entity, Layout, Mention
from graphscore.metrics.entities.view import words_of
from graphscore.metrics.parameters import digest_of
from graphscore.model.graph import Graph
from graphscore.model.ledger import Ledger
from graphscore.model.outcome import (
    Figures,
    FigureTable,
    MassKey,
    Outcome,
    Side,
    count_of,
)

METHOD = "mapping"
"""What results say of how they were found."""

ENTITIES, MENTIONS = "entities", "mentions"
"""The kinds."""

VALUE = "value"
"""Kind of the masses that are values; their label is the type of the entity."""

COUNT = "count"
"""Kind of the masses that count entities by type."""

LOST = ("missing", "false_alarm", "substitution")
"""What value is lost by: gold entities that are not mapped, system entities that are
not, and mistakes in those that are."""

_EMPTY = Graph("", "ner")


@dataclass(frozen=True)
class AceValue(Metric):
    """The value of the system's entities, as a share of that of gold's.

    Args:
        values: the file with the table of values; there is none by default.
        weighting: whether an entity is worth its best mention, or all of them.
        overlap: what share of the longer of two mentions they must have in common.

    Raises:
        UsageError: if the file is wrong, or the share is not from 0 to 1.

    Example:
        >>> str(AceValue(weighting="mention"))
        'ace_value(weighting=mention)'
    """

    name = "ace_value"
    follows = "the formulas of ace08-eval v08"
    title = "entities by what they are worth: EDT value and LEDR of ACE"
    citation = (
        "Doddington et al. 2004, The Automatic Content Extraction (ACE) Program: "
        "Tasks, Data, and Evaluation"
    )
    frameworks = frozenset({"coref", "ner"})
    kinds = (ENTITIES, MENTIONS)
    main = ENTITIES
    bound = "what an entity is worth depends on all of its mentions"
    leading = "ledr"

    values: str = ""
    weighting: Literal["level", "mention"] = "level"
    overlap: float = 0.3

    def __post_init__(self) -> None:
        if not 0 <= self.overlap <= 1:
            raise UsageError(f"ace_value: overlap={self.overlap}, expected 0 to 1")
        if self.values:
            # What the file says now is what counts.
            _ = self.revision, self.table

    @cached_property
    def revision(self) -> int:  # type: ignore[override]
        """1, or a digest of the file: what it says is part of the metric."""
        return (digest_of(self.values) if self.values else 0) or 1

    @cached_property
    def table(self) -> Values:
        """What the file says.

        Raises:
            UsageError: naming what is wrong with it, or that there is none.
        """
        if not self.values:
            raise UsageError(
                "ace_value needs a table of values: ace_value(values=FILE); "
                "docs/metrics/entities/ace_value.md describes it"
            )
        return values_of(self.values)

    @property
    def layout(self) -> Hashable:
        """Metrics of one table take each other's entities."""
        return Layout, self.values, self.revision

    @property
    def normalization(self) -> str:
        """Which mentions are the same."""
        return f"mentions={self.overlap:g}"

    def prepare(self, graph: Graph) -> Layout:
        """The entities, and what they are worth."""
        return Layout(graph, self.table)

    def compare(
        self,
        gold: Sequence[Layout],
        system: Sequence[Layout],
        *,
        budget: Budget,
        details: bool = True,
    ) -> Outcome:
        """Map the entities of one item."""
        mine = gold[0] if gold else self.prepare(_EMPTY)
        theirs = system[0] if system else self.prepare(_EMPTY)
        rules = Rules(self.table, self.weighting == "level", self.overlap)
        found = mapped(mine, theirs, rules)
        ledger = ValueLedger(mine, theirs, details)
        ledger.enter(found)
        masses = {key: amount for key, amount in ledger.masses.items() if amount}
        ledger.masses = masses
        score = masses.get((VALUE, "", "mapped"), 0.0)
        score -= masses.get((VALUE, "", "false_alarm"), 0.0)
        return ledger.outcome(score, METHOD)

    def figures(self, masses: Mapping[MassKey, int | float]) -> Figures:
        """Counts of what is right; values, as they are and as a share of gold's."""
        counts = {kind: count_of(masses, kind) for kind in self.kinds}
        counts["all"] = counts[ENTITIES]
        types = sorted({label for kind, label, _ in masses if kind == COUNT} - {""})
        numbers = _numbers(masses, "", "")
        for each in types:
            numbers |= _numbers(masses, each, f".{each}")
        return Figures(counts, numbers)

    def lowest_best(self, figure: str) -> bool:
        """Whether of a figure the lowest is the best: of what is lost."""
        return figure.partition(".")[0].startswith(LOST)

    def is_ratio(self, figure: str, value: float) -> bool:
        """Whether it is a share of gold's value, and no value."""
        name = figure.partition(".")[0]
        return name == "ledr" or name.endswith("_share")

    def brief(self, numbers: Mapping[str, float]) -> dict[str, float]:
        """The values of everything; those by type are in a table."""
        return {name: numbers[name] for name in ("gold", "edt")}

    def tables(self, figures: Figures) -> Sequence[FigureTable]:
        """Shares of gold's value by type."""
        names = ("ledr", *(f"{name}_share" for name in LOST))
        found = figures.numbers
        types = [name[5:] for name in found if name[:5] == "ledr."]
        rows: dict[str, tuple[float | None, ...]] = {
            each: tuple(found[f"{name}.{each}"] for name in names) for each in types
        }
        return (FigureTable("shares of the gold value", ("type", "ledr", *LOST), rows),)


def _numbers(
    masses: Mapping[MassKey, Any], label: str, suffix: str
) -> dict[str, float]:
    """The figures of one type, or of all."""

    def value(quantity: str) -> Any:
        return masses.get((VALUE, label, quantity), 0) * 1.0

    gold, mapped = value("gold"), value("mapped")
    lost = {name: value(name) for name in LOST}
    edt = mapped - lost["false_alarm"]
    shares = {"ledr": edt} | {f"{name}_share": lost[name] for name in LOST}
    found: dict[str, float] = {
        name: amount / gold if gold else math.nan for name, amount in shares.items()
    }
    found |= {"gold": gold, "edt": edt} | lost
    found |= {f"{name}_entities": masses.get((COUNT, label, name), 0) for name in LOST}
    return {f"{name}{suffix}": number for name, number in found.items()}


class ValueLedger(Ledger):
    """What a mapping of entities amounts to.

    Values are kept by the type of the gold entity, those of spurious entities by the
    system's.  An entity is right if it is mapped and nothing that the table weighs is
    wrong with it; so is a mention.

    Args:
        gold: the gold side.
        system: the system's.
        details: whether matches and errors are wanted beside the masses.
    """

    __slots__ = ("_gold", "_system")

    def __init__(self, gold: Layout, system: Layout, details: bool) -> None:
        super().__init__(details)
        self._gold, self._system = gold, system
        for quantity, side in (("gold", gold), ("system", system)):
            mentions = sum(len(each.mentions) for each in side.entities)
            self.add(ENTITIES, "", quantity, len(side.entities))
            self.add(MENTIONS, "", quantity, mentions)
            for each in side.entities:
                self.add(COUNT, each.type, quantity)

    def enter(self, mapping: Mapped) -> None:
        """Enter matches in gold order, and all that is wrong.

        Args:
            mapping: how the sides correspond.
        """
        for pair in mapping.pairs:
            self._pair(pair, mapping.gold[pair.gold])
        left = {pair.gold for pair in mapping.pairs}
        right = {pair.system for pair in mapping.pairs}
        for k, entity in enumerate(self._gold.entities):
            self._value("gold", entity.type, mapping.gold[k])
            if k not in left:
                self._alone("missing", entity, "missing", mapping.gold[k])
        for k, entity in enumerate(self._system.entities):
            if k not in right:
                self._alone("surplus", entity, "false_alarm", mapping.alarms[k])

    def _value(self, quantity: str, label: str, amount: float) -> None:
        self.add(VALUE, "", quantity, amount)
        self.add(VALUE, label, quantity, amount)

    def _count(self, quantity: str, label: str) -> None:
        self.add(COUNT, "", quantity)
        self.add(COUNT, label, quantity)

    def _pair(self, pair: Pair, worth: float) -> None:
        """Enter two entities that are mapped to each other."""
        gold = self._gold.entities[pair.gold]
        system = self._system.entities[pair.system]
        self._value("mapped", gold.type, pair.value)
        self._value("substitution", gold.type, worth - pair.value)
        values = self._gold.values
        if not self._compare(ENTITIES, gold, system, values.entity_errors):
            self._count("substitution", gold.type)
        parent = self.match(gold.node, system.node, pair.value)
        for m, n in pair.mentions:
            mine, theirs = gold.mentions[m], system.mentions[n]
            if (mine.node, theirs.node) != (gold.node, system.node):
                self.match(mine.node, theirs.node, parent=parent)
            self._compare(MENTIONS, mine, theirs, values.mention_errors)
        if self.details:
            self._mentions("missing", gold.mentions, {m for m, _ in pair.mentions})
            self._mentions("surplus", system.mentions, {n for _, n in pair.mentions})

    def _alone(self, side: Side, entity: Entity, quantity: str, amount: float) -> None:
        """Enter an entity that is mapped to none, with its mentions."""
        self._value(quantity, entity.type, amount)
        self._count(quantity, entity.type)
        if self.details:
            kind = entity.type
            self.error(side, ENTITIES, entity.node, label=kind, value=kind)
            self._mentions(side, entity.mentions, set())

    def _mentions(
        self, side: Side, mentions: Sequence[Mention], mapped: set[int]
    ) -> None:
        graph = (self._gold if side == "missing" else self._system).graph
        for k, mention in enumerate(mentions):
            if k not in mapped:
                words = words_of(graph, graph.nodes[mention.node])
                self.error(
                    side, MENTIONS, mention.node, label=mention.type, value=words
                )

    def _compare(
        self,
        kind: str,
        gold: Entity | Mention,
        system: Entity | Mention,
        factors: Factors,
    ) -> bool:
        """Whether two that are mapped say the same; if not, a row for each side."""
        wrong = [
            (name, mine, theirs)
            for (name, _), mine, theirs in zip(
                factors, gold.said, system.said, strict=True
            )
            if mine != theirs
        ]
        if not wrong:
            self.add(kind, "", "matched")
            return True
        name = " and ".join(each for each, _, _ in wrong)
        _, mine, theirs = wrong[0]
        nodes = gold.node, system.node
        self.error("missing", kind, *nodes, label=gold.type, name=name, value=mine)
        self.error(
            "surplus", kind, *nodes[::-1], label=system.type, name=name, value=theirs
        )
        return False
