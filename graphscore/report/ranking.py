"""Several systems under one or more metrics: scores, ranks, and how they differ.

Ranks are those of competitions: equal scores share a rank, and the next system
comes as many ranks later as share it (1, 2, 2, 4).  Scores are equal only if they
are the same number; nothing is rounded before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from graphscore.report.text import Best, Column, Ratio, Table
from graphscore.scores import Result


class Place(NamedTuple):
    """One system under one metric."""

    f1: float
    """Main F1, from 0 to 1."""
    rank: int
    """From 1; equal scores share it."""


class Change(NamedTuple):
    """What a metric says of a system beside what the first metric says."""

    difference: float
    """F1 under this metric minus F1 under the first."""
    rank_change: int
    """Ranks gained under this metric; negative if they are lost."""


class Ranking(NamedTuple):
    """Systems by metrics.

    Example:
        >>> ranking = ranked(
        ...     {"a": {"mrp": 0.5, "edm": 0.9}, "b": {"mrp": 0.6, "edm": 0.8}}
        ... )
        >>> ranking.places["a"]["edm"], ranking.changes("a")["edm"].rank_change
        (Place(f1=0.9, rank=1), 1)
    """

    metrics: list[str]
    """In the order in which they were named; changes are against the first."""
    places: dict[str, dict[str, Place]]
    """By system and metric."""

    def changes(self, system: str) -> dict[str, Change]:
        """What the further metrics change for a system, by metric."""
        mine = self.places[system]
        first = mine.get(self.metrics[0])
        return {
            metric: Change(place.f1 - first.f1, first.rank - place.rank)
            for metric in self.metrics[1:]
            if first is not None and (place := mine.get(metric)) is not None
        }

    def to_dict(self) -> dict[str, Any]:
        """Plain values at full precision, best systems under the first metric first."""
        return {
            "metrics": self.metrics,
            "systems": [
                {
                    "system": system,
                    "places": {
                        metric: {
                            "f1": place.f1,
                            "rank": place.rank,
                            "best": place.rank == 1,
                        }
                        for metric, place in self.places[system].items()
                    },
                    "changes": {
                        metric: change._asdict()
                        for metric, change in self.changes(system).items()
                    },
                }
                for system in self.order
            ],
        }

    @property
    def order(self) -> list[str]:
        """Systems by their rank under the first metric; equals as they were named."""
        last = len(self.places) + 1
        first = self.metrics[0]
        return sorted(
            self.places,
            key=lambda name: (
                self.places[name][first].rank if first in self.places[name] else last
            ),
        )


def ranks(scores: Sequence[float]) -> list[int]:
    """Rank of each score, the highest first.

    >>> ranks([0.5, 0.7, 0.5, 0.1])
    [2, 1, 2, 4]
    """
    return [1 + sum(other > score for other in scores) for score in scores]


def ranked(scores: dict[str, dict[str, float]]) -> Ranking:
    """Rank systems under every metric.

    Args:
        scores: F1 by system and metric; a system may lack some metric.
    """
    metrics = list(dict.fromkeys(name for mine in scores.values() for name in mine))
    places: dict[str, dict[str, Place]] = {system: {} for system in scores}
    for metric in metrics:
        there = [system for system in scores if metric in scores[system]]
        values = [scores[system][metric] for system in there]
        for system, value, rank in zip(there, values, ranks(values), strict=True):
            places[system][metric] = Place(value, rank)
    return Ranking(metrics, places)


def ranking_of(results: Iterable[Result]) -> Ranking | None:
    """The ranking of results by their main F1, if there are several systems."""
    scores: dict[str, dict[str, float]] = {}
    for result in results:
        scores.setdefault(result.system, {})[str(result.metric)] = float(result.f1)
    return ranked(scores) if len(scores) > 1 else None


def ranking_table(ranking: Ranking) -> Table:
    """A row per system: F1 and rank under each metric, and what the metrics change.

    The best F1 of each metric is marked.
    """
    columns = [Column("system")]
    for number, metric in enumerate(ranking.metrics):
        columns += [Column(metric, True), Column("rank", True)]
        if number:
            columns += [Column("difference", True), Column("rank change", True)]
    table = Table(columns, title="ranking by F1 of all (* best)")
    for system in ranking.order:
        row: list[Any] = [system]
        mine, changes = ranking.places[system], ranking.changes(system)
        for number, metric in enumerate(ranking.metrics):
            place, change = mine.get(metric), changes.get(metric)
            row += [marked(place.f1, place.rank), place.rank] if place else [None, None]
            if number and change:
                gained = change.rank_change
                row += [Ratio(change.difference), f"{gained:+d}" if gained else "0"]
            elif number:
                row += [None, None]
        table.rows.append(tuple(row))
    if len(ranking.metrics) > 1:
        table.notes = [f"differences and changes are against {ranking.metrics[0]}"]
    return table


def marked(f1: float, rank: int) -> Ratio:
    """A score as tables show it: the best with a mark."""
    return Best(f1) if rank == 1 else Ratio(f1)


def mark_best(rows: Sequence[tuple[Any, ...]], group: int) -> list[tuple[Any, ...]]:
    """Mark the best ratio of every column, among rows that agree in column *group*.

    Args:
        rows: cells of a table; all that are no ratios stay as they are.
        group: the column that tells metrics apart; a row alone is not compared.

    Example:
        >>> rows = [("m", Ratio(0.5)), ("m", Ratio(0.7)), ("n", Ratio(0.1))]
        >>> [isinstance(row[1], Best) for row in mark_best(rows, 0)]
        [False, True, False]
    """
    highest: dict[tuple[Any, int], float] = {}
    times: dict[Any, int] = {}
    for row in rows:
        times[row[group]] = times.get(row[group], 0) + 1
        for place, value in enumerate(row):
            if isinstance(value, Ratio):
                key = (row[group], place)
                highest[key] = max(highest.get(key, value), value)
    return [
        tuple(
            Best(value)
            if isinstance(value, Ratio)
            and times[row[group]] > 1
            and value == highest[row[group], place]
            else value
            for place, value in enumerate(row)
        )
        for row in rows
    ]
