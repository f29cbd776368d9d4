"""Scores of labels one by one, and the tables that show them.

>>> numbers = amounts_of("role.A0", Count(4, 2, 1))
>>> numbers |= amounts_of("role.V", Count(5, 5, 5))
>>> labels_of(numbers, "role.", by_frequency=True)
['V', 'A0']
>>> columns = ("role", "gold", "F1")
>>> label_table("by role", columns, numbers, "role.", ("gold", "f1")).rows["V"]
(5, 1.0)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from graphscore.model.outcome import Count, ScoreTable

WHOLE = frozenset({"gold", "system", "matched", "matched_system"})
"""Suffixes of the names of scores that tables show as whole numbers."""


def amounts_of(prefix: str, count: Count) -> dict[str, float]:
    """Return the amounts of a label and its F1, as scores.

    Args:
        prefix: what their names begin with.
        count: its count.
    """
    return {
        f"{prefix}.gold": count.gold * 1.0,
        f"{prefix}.system": count.system * 1.0,
        f"{prefix}.matched": count.matched * 1.0,
        f"{prefix}.f1": count.f1,
    }


def labels_of(
    numbers: Mapping[str, float],
    prefix: str = "",
    ending: str = ".f1",
    *,
    by_frequency: bool = False,
) -> list[str]:
    """Return the labels that scores are of.

    Args:
        numbers: all scores, by name.
        prefix: what the names of theirs begin with.
        ending: how those of one of each end.
        by_frequency: whether the most frequent of gold comes first.
    """
    labels = [
        name[len(prefix) : -len(ending)]
        for name in numbers
        if name.startswith(prefix) and name.endswith(ending)
    ]
    if by_frequency:
        labels.sort(key=lambda label: (-numbers[f"{prefix}{label}.gold"], label))
    return labels


def label_table(
    title: str,
    columns: Sequence[str],
    numbers: Mapping[str, float],
    prefix: str,
    scores: Sequence[str],
    labels: Iterable[str] | None = None,
) -> ScoreTable:
    """Return a table with a row for each label.

    Args:
        title: of the table.
        columns: what they are called, the labels first.
        numbers: all scores, by name.
        prefix: what the names of those of labels begin with.
        scores: what they end with, column by column.
        labels: the labels, in order; by default all, in the order of the scores.
    """
    if labels is None:
        labels = labels_of(numbers, prefix, f".{scores[-1]}")
    rows: dict[str, tuple[int | float | None, ...]] = {}
    for label in labels:
        values = ((name, numbers[f"{prefix}{label}.{name}"]) for name in scores)
        rows[label] = tuple(int(v) if name in WHOLE else v for name, v in values)
    return ScoreTable(title, tuple(columns), rows)
