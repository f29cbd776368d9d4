"""Error rates from summed raw counts.

Raw counts are kept by tuple type (``entities``, ``components``) and label, ``""`` for
the tuple type as a whole: how many slots each side has, how many are right, left
alone, or wrong in which respect, and what the pairs cost together.  Whatever is left
alone is a deletion in gold and an insertion in the system; what is paired and not
right, a substitution.

>>> raw_counts = {("entities", "", "gold"): 4, ("entities", "", "matched"): 2,
...           ("entities", "", "deletions"): 1, ("entities", "", "cost"): 0.5}
>>> tally = tallied(raw_counts, "entities")
>>> tally.substitutions, tally.rate()
(1, 0.375)
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from graphscore.metrics.entities.slots import ASPECTS
from graphscore.model.outcome import CountKey, ScoreTable

COST, ROOT, PARTS = "cost", "root", "parts"
"""Quantities: what pairs cost; what they would if entities without their components
were all that counts; and if components were."""

DELETIONS, INSERTIONS = "deletions", "insertions"


WORDS, RECOGNITION, MISHEARD = "words", "recognition", "misheard "
"""Kind of the raw counts of words that are aligned; what errors are that are not of
tagging; and how their quantities begin."""


class Tally(NamedTuple):
    """Counts of slots, correct and by error."""

    gold: int | float
    system: int | float
    correct: int | float
    deletions: int | float
    insertions: int | float
    cost: int | float

    @property
    def substitutions(self) -> int | float:
        """Pairs with something wrong."""
        return self.gold - self.correct - self.deletions

    def errors(self, deletion: float = 1.0, insertion: float = 1.0) -> float:
        """Return the cost of all errors."""
        return self.deletions * deletion + self.insertions * insertion + self.cost

    def rate(self, deletion: float = 1.0, insertion: float = 1.0) -> float:
        """Errors by gold slots; ``nan`` where there are none."""
        return ratio(self.errors(deletion, insertion), self.gold)

    def amounts(self) -> dict[str, float]:
        """The slots of gold, and what became of them."""
        return {
            "slots": self.gold,
            "correct": self.correct,
            "substitutions": self.substitutions,
            DELETIONS: self.deletions,
            INSERTIONS: self.insertions,
        }

    def plus(self, other: Tally) -> Tally:
        """The sum of both."""
        return Tally(*(left + right for left, right in zip(self, other, strict=True)))


def ratio(part: float, whole: float) -> float:
    """A share; ``nan`` of nothing.

    >>> ratio(1, 4), ratio(1, 0)
    (0.25, nan)
    """
    return part / whole if whole else math.nan


def tallied(
    raw_counts: Mapping[CountKey, int | float], tuple_type: str, label: str = ""
) -> Tally:
    """The tally of a tuple type, or of a label."""
    quantities = ("gold", "system", "matched", DELETIONS, INSERTIONS, COST)
    return Tally(
        *(raw_counts.get((tuple_type, label, quantity), 0) for quantity in quantities)
    )


def missed(raw_counts: Mapping[CountKey, int | float], tuple_type: str) -> Tally:
    """The errors of recognition of a tuple type."""
    quantities = (MISHEARD + name for name in (DELETIONS, INSERTIONS, COST))
    return Tally(
        0,
        0,
        0,
        *(raw_counts.get((tuple_type, "", quantity), 0) for quantity in quantities),
    )


def heard_of(name: str, numbers: Mapping[str, float]) -> dict[str, float]:
    """The scores that say what of a rate is of recognition, where they are there."""
    names = (f"{name}.{RECOGNITION}", f"{name}.tagging", "wer")
    return {name: numbers[name] for name in names if name in numbers}


def labels_of(raw_counts: Mapping[CountKey, int | float], tuple_type: str) -> list[str]:
    """The labels that either side has, in alphabetical order."""
    return sorted(
        {label for part, label, _ in raw_counts if part == tuple_type and label}
    )


def counted(
    raw_counts: Mapping[CountKey, int | float], tuple_type: str, label: str = ""
) -> dict[str, float]:
    """The scores of errors by what they are, named after the tuple type and the label.

    Args:
        raw_counts: summed raw counts.
        tuple_type: of slots.
        label: of slots, ``""`` for all of the kind.
    """
    scores = tallied(raw_counts, tuple_type, label).amounts()
    for aspect in ASPECTS[tuple_type]:
        scores[aspect] = raw_counts.get((tuple_type, label, aspect), 0)
    prefix = f"{tuple_type}.{label}" if label else tuple_type
    return {f"{prefix}.{name}": value for name, value in scores.items()}


def is_loss(score: str) -> bool:
    """Return true if a score counts errors, or is the share of some in a rate.

    >>> [is_loss(name) for name in ("entities.loc.type", "errors", "part.entities")]
    [True, True, True]
    >>> [is_loss(name) for name in ("entities.loc.correct", "slots", "entities.f1")]
    [False, False, False]
    """
    return score.startswith("part.") or score.rpartition(".")[2] in _LOSSES


_LOSSES = frozenset(
    ("errors", "substitutions", DELETIONS, INSERTIONS, *chain(*ASPECTS.values()))
)


ALL = "(all)"
"""The row of all slots, of whatever kind."""


def error_table(
    rate: str,
    numbers: Mapping[str, float],
    tuple_types: Sequence[str],
    whole: float | None = None,
    under: str = "",
) -> ScoreTable:
    """The errors of a metric: a row for each label of the first type, then one a type.

    Where there are slots of several tuple types, a last row has all of them.

    Args:
        rate: the name of the rate.
        numbers: the metric's scores: ``RATE.KIND``, ``KIND.LABEL.RATE``, and under
            ``KIND.`` and ``KIND.LABEL.`` those of :func:`counted`.
        tuple_types: of slots.
        whole: the rate of all slots, ``None`` if there is no such rate.
        under: what the counts depend on, for the title.

    Returns:
        Without rows where neither side has slots; without those of a kind of which
        there are none.
    """
    rows: dict[str, tuple[int | float | None, ...]] = {}

    def add(name: str, value: float, tuple_type: str, prefix: str) -> None:
        amounts = (
            numbers.get(f"{prefix}.{aspect}")
            for aspect in ("slots", "substitutions", DELETIONS, INSERTIONS)
        )
        slots, *lost = (None if amount is None else int(amount) for amount in amounts)
        # The label of a component is what its type is.
        aspects = ("type" if "type" in ASPECTS[tuple_type] else "label", "subtype")
        wrong = (numbers.get(f"{prefix}.{aspect}") for aspect in (*aspects, "boundary"))
        parts = (None if amount is None else int(amount) for amount in wrong)
        if slots or any(lost):
            rows[name] = (slots, float(value), *lost, *parts)

    for tuple_type in tuple_types[:1]:
        for key, amount in numbers.items():
            if key.startswith(f"{tuple_type}.") and key.endswith(f".{rate}"):
                prefix = key.removesuffix(f".{rate}")
                add(prefix.removeprefix(f"{tuple_type}."), amount, tuple_type, prefix)
    for tuple_type in tuple_types:
        add(f"({tuple_type})", numbers[f"{rate}.{tuple_type}"], tuple_type, tuple_type)
    parts = [
        rows[f"({tuple_type})"]
        for tuple_type in tuple_types
        if f"({tuple_type})" in rows
    ]
    if len(parts) > 1:
        sums = (
            sum(part or 0 for part in column) for column in zip(*parts, strict=True)
        )
        slots, _, *counts = sums
        rows[ALL] = (slots, whole, *counts)
    columns = ("slots", "gold", rate, "S", "D", "I", "type", "subtype", "boundary")
    title = f"errors{under} (S substitutions, D deletions, I insertions)"
    return ScoreTable(title, columns, rows)
