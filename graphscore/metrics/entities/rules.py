"""Classes of spans by the rules of a file.

The poster on rule-based evaluation of named entities in the presence of fuzzy extents,
label hierarchies, confidence and resolution; see ``docs/rules.md``.

Spans and pairs get classes by ordered rules; of the credits of these classes::

    P = credit of the system's spans / spans    R = credit of gold's spans / spans

No reference program: what counts is said by the file of rules.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from graphscore.correspondence import Budget
from graphscore.metrics.base import Metric, numbered, taken_from
from graphscore.metrics.corrections import Correctable
from graphscore.metrics.traits import Batched
from graphscore.model.graph import Graph
from graphscore.model.outcome import (
    Count,
    CountKey,
    Error,
    Outcome,
    Scores,
    ScoreTable,
    counts_of,
)
from graphscore.rules.model import BY, LEVELS, SIDES, Side

if TYPE_CHECKING:
    from graphscore.rules.engine import EnginePool
    from graphscore.rules.facts import Prepared
    from graphscore.rules.ruleset import RuleSet

TREATMENTS = {"strict": 0.0, "half": 0.5, "full": 1.0}
"""Credit of fuzzy, conditional and partial classes, in the additional scores."""


@dataclass(frozen=True)
class Rules(Batched, Metric, Correctable):
    """Spans, classified by ordered rules.

    Args:
        file: the rules; empty for those that are shipped.

    Example:
        >>> str(Rules()), str(Rules("default"))
        ('rules', 'rules:default')
    """

    name = "rules"
    follows = "its rules, by default those of the poster it cites"
    title = "Span classification by declarative rules"
    citation = "Rule-based evaluation of named entity tagging and resolution (poster)"
    unit = "document"
    tuple_types = LEVELS
    batched = True
    bound = ""
    opens = ("file=",)
    normalization = "rules"

    file: str = ""

    def __post_init__(self) -> None:
        # What the files say now is what counts.
        _ = self.rules

    @cached_property
    def rules(self) -> RuleSet:
        """The rules of the file and of what it extends.

        Raises:
            InputError: listing everything that is wrong with them.
        """
        from graphscore.rules.loader import rules_of

        return rules_of(self.file)

    frameworks = taken_from("rules.settings.frameworks")
    # What the files say is part of the metric.
    revision = taken_from("rules.digest")

    @property
    def main(self) -> str:
        """The first level that the rule set counts: ``span``, unless it is left out."""
        return self.rules.settings.levels[0]

    @cached_property
    def engines(self) -> EnginePool:
        """Engines that run the rules."""
        from graphscore.rules.engine import EnginePool

        return EnginePool(self.rules)

    def applicable(self, framework: str) -> frozenset[str]:
        """The levels that the rule set counts."""
        return frozenset(self.rules.settings.levels)

    def prepare(self, graph: Graph) -> Prepared:
        """The spans of a graph as facts."""
        from graphscore.rules.outcome import prepare

        return prepare(self.rules, graph)

    def compare_many(
        self,
        pairs: Sequence[tuple[Sequence[Prepared], Sequence[Prepared]]],
        *,
        budget: Budget,
        details: bool = True,
    ) -> list[Outcome]:
        """Classify the spans of many documents, by one run of the rules."""
        from graphscore.rules.facts import Unit
        from graphscore.rules.outcome import outcomes

        with self.engines.engine() as engine:
            return outcomes(engine, [Unit(*pair) for pair in pairs], details)

    def ruled(self, error: Error) -> str:
        """The class of the span, without the cause."""
        return error.name.partition(BY)[0]

    def confusion(self, missing: Error, spurious: Error) -> str:
        """Return an empty string: the class already tells both values of a span."""
        return ""

    def repaired(self, error: Error) -> Mapping[CountKey, int | float]:
        """Return the change of counts if a span and its partner get full credit.

        What has a class that counts nowhere costs nothing.
        """
        if error.compared is None:
            # No rule gave it: an error as such.
            return super().repaired(error)
        gold = error.compared == "gold"
        side: Side = "gold" if gold else "system"
        credit = self.rules.credit(self.ruled(error), side)
        if credit is None:
            return {}
        tuple_type, right = error.tuple_type, 1 - credit
        paired = error.gold is not None and error.system is not None
        moved = {"matched": right, "matched_system": 0 if paired else 1}
        if not gold:
            moved = {"matched_system": right if paired else -credit}
        if not paired:
            moved["system"] = 1 if gold else -1
        return {
            (tuple_type, "", quantity): amount for quantity, amount in moved.items()
        }

    def entailed(self, errors: Sequence[Error]) -> Mapping[int, Sequence[int]]:
        """The rows of two partners, of which each is right if the other is."""
        by_pair: dict[tuple[str, int, int], list[int]] = {}
        for number, error in enumerate(errors):
            if error.gold is not None and error.system is not None:
                key = error.tuple_type, error.gold, error.system
                by_pair.setdefault(key, []).append(number)
        return {
            number: [partner for partner in both if partner != number]
            for both in by_pair.values()
            for number in both
        }

    def scores(self, raw_counts: Mapping[CountKey, int | float]) -> Scores:
        """Precision, recall and F1 of each level; how often each class was given.

        Beside the treatment that the settings choose there stand three more: fuzzy,
        conditional and partial classes are worth nothing, half, or all.
        """
        counts: dict[str, Count] = counts_of(raw_counts, LEVELS)
        counts["all"] = counts[self.main]
        numbers: dict[str, float] = {}
        for level in self.rules.settings.levels:
            for name, weight in TREATMENTS.items():
                prefix = f"{level}.{name}"
                numbers |= numbered(
                    prefix, _treated(self.rules, raw_counts, level, weight)
                )
        class_counts = [
            (LEVELS.index(tuple_type), side, name, amount)
            for (tuple_type, name, side), amount in raw_counts.items()
            if name
        ]
        for level_index, side, name, amount in sorted(class_counts):
            numbers[f"{LEVELS[level_index]}.{side}.{name}"] = amount
        return Scores(counts, numbers)

    def brief(self, numbers: Mapping[str, float]) -> dict[str, float]:
        """Return nothing: the scores are in tables."""
        return {}

    def tables(self, scores: Scores) -> Sequence[ScoreTable]:
        """F1 under each treatment, and how often each class was given, by level."""
        levels = self.rules.settings.levels
        numbers = scores.numbers
        counts = [scores.counts[level] for level in levels]
        treated: dict[str, tuple[float | None, ...]] = {
            name: tuple(
                numbers[f"{level}.{name}.f1"]
                if count.gold or count.system
                else math.nan
                for level, count in zip(levels, counts, strict=True)
            )
            for name in TREATMENTS
        }
        columns = [f"{level}.{side}" for level in levels for side in SIDES]
        names = {
            number[len(column) + 1 :]: None
            for column in columns
            for number in numbers
            if number.startswith(f"{column}.")
        }
        by_class: dict[str, tuple[float | None, ...]] = {
            name: tuple(numbers.get(f"{column}.{name}") for column in columns)
            for name in sorted(names)
        }
        head = tuple(column.replace(".", " ") for column in columns)
        return (
            ScoreTable("F1 by what is fuzzy or partial", ("worth", *levels), treated),
            ScoreTable("classes", ("class", *head), by_class),
        )

    def __str__(self) -> str:
        return f"rules:{self.file}" if self.file else self.name


def _treated(
    rules: RuleSet,
    raw_counts: Mapping[CountKey, int | float],
    level: str,
    weight: float,
) -> Count:
    """The count of a level, fuzzy, conditional and partial classes by their weight."""
    result = {(side, part): 0.0 for side in SIDES for part in ("all", "right")}
    for side in SIDES:
        for name in rules.treatments:
            amount = raw_counts.get((level, name, side), 0)
            credit = rules.credit(name, side, weight) if amount else None
            if credit is not None:
                result[side, "all"] += amount
                result[side, "right"] += credit * amount
    return Count(
        result["gold", "all"],
        result["system", "all"],
        result["gold", "right"],
        result["system", "right"],
    )
