"""Scores of entity recognition, from summed raw counts.

Every pair of entities is of one of four relations; what is left alone is missing or
spurious.  A schema says what a relation amounts to (Segura-Bedmar et al. 2013, section
4; the classes and ratios are those of Chinchor and Sundheim 1993)::

             equal  same place  overlap, same type  overlap
    strict   COR    INC         INC                 INC
    exact    COR    COR         INC                 INC
    partial  COR    COR         PAR                 PAR
    type     COR    INC         COR                 INC

>>> tally = Tally(gold=4, system=3, relations=(1, 1, 1, 0))
>>> tally.classes("partial")
MucCategories(correct=2, incorrect=0, partial=1, missing=1, spurious=0)
>>> tally.classes("type").matched
2
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from graphscore.metrics.base import numbered
from graphscore.metrics.entities.view import (
    ALIGNED,
    APART,
    OTHER_SIDE,
    RELATIONS,
    TOKENS,
    TUPLE_TYPES,
)
from graphscore.metrics.label_tables import labels_of
from graphscore.metrics.muc_categories import MucCategories
from graphscore.model.outcome import (
    Count,
    CountKey,
    MeanCount,
    Scores,
    ScoreTable,
    in_turn,
)

SCHEMAS: dict[str, str] = {
    "strict": "CIII",
    "exact": "CCII",
    "partial": "CCPP",
    "type": "CICI",
}
"""Outcome of each relation by schema: correct, incorrect, partial."""

CLASSES = ("COR", "INC", "PAR", "MIS", "SPU")
"""Correct, incorrect, partial, missing and spurious entities, as MUC-5 calls them."""


class Tally(NamedTuple):
    """Counts of entities, by their relation to the counterpart."""

    gold: int | float
    system: int | float
    relations: tuple[int | float, ...]
    """Gold entities by the relation to their counterpart."""
    other: tuple[int | float, ...] | None = None
    """System entities likewise, where those are others: of one type."""

    def classes(self, schema: str) -> MucCategories:
        """The classes under a schema, by gold entities; what is spurious aside."""
        correct, incorrect, partial = _summed(schema, self.relations)
        paired = sum(self.relations)
        of_system = paired if self.other is None else sum(self.other)
        missing, spurious = self.gold - paired, self.system - of_system
        return MucCategories(correct, incorrect, partial, missing, spurious)

    def counted(self, schema: str) -> Count:
        """Gold, system and matched amounts under a schema."""
        result = _matched(schema, self.relations)
        if self.other is None:
            return Count(self.gold, self.system, result)
        matched_system = _matched(schema, self.other)
        return Count(
            self.gold,
            self.system,
            result,
            None if matched_system == result else matched_system,
        )


def _summed(
    schema: str, relations: Iterable[int | float]
) -> tuple[int | float, int | float, int | float]:
    fromkeys: dict[str, int | float] = dict.fromkeys("CIP", 0)
    for which, amount in zip(SCHEMAS[schema], relations, strict=True):
        fromkeys[which] += amount
    return fromkeys["C"], fromkeys["I"], fromkeys["P"]


def _matched(schema: str, relations: Iterable[int | float]) -> int | float:
    correct, incorrect, partial = _summed(schema, relations)
    return MucCategories(correct, incorrect, partial, 0, 0).matched


Schemas = dict[str, Tally]
"""The tally under each schema."""


def _kinds(apart: bool) -> dict[str, str]:
    """The kind of the raw counts of alignment under each schema."""
    kinds = dict.fromkeys(TUPLE_TYPES, ALIGNED)
    return kinds | APART | {"partial": APART["exact"]} if apart else kinds


def overall(raw_counts: Mapping[CountKey, int | float], apart: bool = False) -> Schemas:
    """The tallies of all entities.

    Args:
        raw_counts: summed raw counts.
        apart: whether schemas have alignments of their own.
    """
    gold, system = (
        raw_counts.get(("strict", "", side), 0) for side in ("gold", "system")
    )
    tallies = {
        kind: Tally(gold, system, _related(raw_counts, kind, "", RELATIONS))
        for kind in set(_kinds(apart).values())
    }
    return {schema: tallies[kind] for schema, kind in _kinds(apart).items()}


def by_type(
    raw_counts: Mapping[CountKey, int | float], apart: bool = False
) -> dict[str, Schemas]:
    """The tallies of each type that either side has, in alphabetical order.

    Args:
        raw_counts: summed raw counts.
        apart: whether schemas have alignments of their own.
    """
    names = {
        label for tuple_type, label, _ in raw_counts if tuple_type == ALIGNED and label
    }
    kinds, types = _kinds(apart), {}
    for name in sorted(names):
        tallies = {
            kind: Tally(
                raw_counts.get((ALIGNED, name, "gold"), 0),
                raw_counts.get((ALIGNED, name, "system"), 0),
                _related(raw_counts, kind, name, RELATIONS),
                _related(raw_counts, kind, name, OTHER_SIDE),
            )
            for kind in set(kinds.values())
        }
        types[name] = {schema: tallies[kind] for schema, kind in kinds.items()}
    return types


def _related(
    raw_counts: Mapping[CountKey, int | float],
    kind: str,
    label: str,
    quantities: Iterable[str],
) -> tuple[int | float, ...]:
    return tuple(raw_counts.get((kind, label, quantity), 0) for quantity in quantities)


class WeightedCount(MeanCount):
    """A mean of ratios in which a type weighs as much as it has gold entities.

    Example:
        >>> WeightedCount((Count(3, 3, 3), Count(1, 1, 0), Count(0, 2, 0))).recall
        0.75
    """

    def _mean(self, name: str) -> float:
        weight = sum(part.gold for part in self.parts)
        result = (part.gold * getattr(part, name) for part in self.parts)
        return in_turn(result) / weight if weight else 0.0


def counts_of(whole: Schemas) -> dict[str, Count]:
    """The count under each schema, and that of the strict one for all.

    Args:
        whole: the tallies of all entities.
    """
    counts = {schema: whole[schema].counted(schema) for schema in TUPLE_TYPES}
    return counts | {"all": counts["strict"]}


def scores_of(
    raw_counts: Mapping[CountKey, int | float], apart: bool = False
) -> Scores:
    """Everything that the metric says.

    Args:
        raw_counts: summed raw counts.
        apart: whether schemas have alignments of their own.
    """
    whole, types = overall(raw_counts, apart), by_type(raw_counts, apart)
    counts = counts_of(whole)
    numbers: dict[str, float] = {}
    tokens = raw_counts.get((TOKENS, "", "gold"), 0)
    if tokens:
        numbers["accuracy"] = raw_counts.get((TOKENS, "", "matched"), 0) / tokens
    # A sample of a corpus may lack a type: it has then no part in the means.
    tallies = [
        tally
        for tally in types.values()
        if tally["strict"].gold or tally["strict"].system
    ]
    for schema in TUPLE_TYPES:
        of_types = tuple(tally[schema].counted(schema) for tally in tallies)
        numbers |= numbered(f"macro.{schema}", MeanCount(of_types))
        numbers |= numbered(f"weighted.{schema}", WeightedCount(of_types))
    for schema in TUPLE_TYPES:
        classes = whole[schema].classes(schema)
        numbers |= _classes(schema, classes)
        numbers |= {f"{schema}.{rate}": x for rate, x in classes.rates().items()}
    for name, tally in types.items():
        for schema in TUPLE_TYPES:
            prefix = f"{schema}.{name}"
            numbers |= numbered(prefix, tally[schema].counted(schema))
            numbers |= _classes(prefix, tally[schema].classes(schema))
            numbers[f"{prefix}.ACT"] = tally[schema].system
    return Scores(counts, numbers)


def classes_by_schema(numbers: Mapping[str, float]) -> ScoreTable:
    """Return the number of entities of each class, a row per schema.

    Args:
        numbers: those of :func:`scores_of`.
    """
    rows: dict[str, tuple[float | None, ...]] = {
        schema: tuple(numbers[f"{schema}.{class_}"] for class_ in CLASSES)
        for schema in SCHEMAS
    }
    return ScoreTable("classes, by schema", ("schema", *CLASSES), rows)


def strict_by_type(numbers: Mapping[str, float]) -> ScoreTable:
    """The types that there are, with their means, under the strict schema.

    Args:
        numbers: those of :func:`scores_of`.
    """
    schema = "strict."
    rows: dict[str, tuple[float | None, ...]] = {}
    for name in labels_of(numbers, schema):
        amounts = (numbers[f"{schema}{name}.{quantity}"] for quantity in ("POS", "ACT"))
        rows[name] = (*amounts, *_three(numbers, schema + name))
    if rows:
        for mean, name in (("macro", "macro_classes"), ("weighted", "weighted")):
            rows[f"({name})"] = (None, None, *_three(numbers, f"{mean}.strict"))
    return ScoreTable(
        "strict, by type", ("type", "gold", "system", "P", "R", "F1"), rows
    )


def _three(numbers: Mapping[str, float], prefix: str) -> list[float]:
    return [numbers[f"{prefix}.{ratio}"] for ratio in ("precision", "recall", "f1")]


def _classes(prefix: str, classes: MucCategories) -> dict[str, float]:
    return {
        f"{prefix}.COR": classes.correct,
        f"{prefix}.INC": classes.incorrect,
        f"{prefix}.PAR": classes.partial,
        f"{prefix}.MIS": classes.missing,
        f"{prefix}.SPU": classes.spurious,
        f"{prefix}.POS": classes.possible,
        f"{prefix}.ACT": classes.actual,
    }
