"""Several systems under one or more metrics: scores, ranks, and how they differ.

Ranks are those of competitions: equal scores share a rank, and the next system
comes as many ranks later as share it (1, 2, 2, 4).  Scores are equal only if they
are the same number; nothing is rounded before.  Of error rates the lowest is best.
A score that is undefined has no rank.

Systems are ranked by the number that stands for each metric, or by one score that
several metrics have: Tables 4 and 7 of Jindal et al. (2023) are such rankings, where
the differences are what they call the drop.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from graphscore.evaluation.macro import RATIOS, score_getter, score_in
from graphscore.evaluation.result import Result
from graphscore.exceptions import amount
from graphscore.report.table import BEST, Best, BestAmount, Column, Table

COLUMNS = (
    *("score", "metric", "system", "value", "rank", "best"),
    *("precision", "recall", "difference", "rank_change"),
)
"""Columns of the rows of a ranking."""

NOTHING = (None, None, None)


class Place(NamedTuple):
    """One system under one metric."""

    value: float
    """The number that stands for the metric."""
    rank: int
    """From 1; equal scores share it."""


class Change(NamedTuple):
    """Difference of a metric's verdict on a system from that of the first metric."""

    difference: float
    """The score under this metric minus that under the first."""
    rank_change: int
    """Ranks gained under this metric; negative if they are lost."""


class Ranking(NamedTuple):
    """Systems by metrics.

    Example:
        >>> ranking = ranked(
        ...     {"a": {"mrp": 0.5, "edm": 0.9}, "b": {"mrp": 0.6, "edm": 0.8}}
        ... )
        >>> ranking.places["a"]["edm"], ranking.changes("a")["edm"].rank_change
        (Place(value=0.9, rank=1), 1)
    """

    metrics: list[str]
    """In the order in which they were named; changes are against the first."""
    places: dict[str, dict[str, Place]]
    """By system and metric."""
    leading: Mapping[str, str] = {}
    """The score that was ranked, by metric, where that is not the F1."""
    lower: Collection[str] = ()
    """The metrics whose score is the better the lower it is."""
    score: str = ""
    """The one score that was ranked under every metric, if one was asked for."""
    without: Sequence[str] = ()
    """The metrics that do not have it, and are left out."""
    compared: bool = True
    """The metrics are compared: not if each is the default of another framework."""
    ratios: Mapping[tuple[str, str], tuple[float, float]] = {}
    """Precision and recall by system and metric, where an F1 is ranked."""
    units: Sequence[str] = ()
    """Units of each metric, where these are not the same for all."""

    def changes(self, system: str) -> dict[str, Change]:
        """Return the changes under the further metrics for a system, by metric."""
        if not self.compared:
            return {}
        places = self.places[system]
        first = places.get(self.metrics[0])
        return {
            metric: Change(place.value - first.value, first.rank - place.rank)
            for metric in self.metrics[1:]
            if first is not None and (place := places.get(metric)) is not None
        }

    def to_dict(self) -> dict[str, Any]:
        """Plain values at full precision, best systems under the first metric first."""
        settings = {"score": self.score, "without": list(self.without)}
        return (settings if self.score else {}) | {
            "metrics": self.metrics,
            **({"units": list(self.units)} if self.units else {}),
            "systems": [
                {
                    "system": system,
                    "places": {
                        metric: {
                            self.leading.get(metric, "f1"): place.value,
                            "rank": place.rank,
                            "best": place.rank == 1,
                            **self._beside(system, metric),
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

    def _beside(self, system: str, metric: str) -> dict[str, float]:
        both = self.ratios.get((system, metric), ())
        return dict(zip(("precision", "recall"), both, strict=False))

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """A row for each system under each metric, with the columns :data:`COLUMNS`."""
        for metric in self.metrics:
            leading = self.score or self.leading.get(metric, "f1")
            for system in self.order:
                place = self.places[system].get(metric)
                change = self.changes(system).get(metric)
                beside = self._beside(system, metric)
                yield (
                    *(leading, metric, system),
                    *((place.value, place.rank, place.rank == 1) if place else NOTHING),
                    *(beside.get("precision"), beside.get("recall")),
                    *(
                        (change.difference, change.rank_change)
                        if change
                        else NOTHING[:2]
                    ),
                )

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


def ranks(scores: Sequence[float], *, lower: bool = False) -> list[int]:
    """Rank of each score.

    Args:
        scores: none of them undefined.
        lower: whether the lowest is the best.

    >>> ranks([0.5, 0.7, 0.5, 0.1]), ranks([0.5, 0.7], lower=True)
    ([2, 1, 2, 4], [1, 2])
    """
    if lower:
        return [1 + sum(other < score for other in scores) for score in scores]
    return [1 + sum(other > score for other in scores) for score in scores]


def ranked(
    scores: dict[str, dict[str, float]],
    *,
    leading: Mapping[str, str] | None = None,
    lower: Collection[str] = (),
) -> Ranking:
    """Rank systems under every metric.

    Args:
        scores: score by system and metric; a system may lack some metric, and has no
            rank where its score is not a number.
        leading: the score that is ranked, by metric, where that is not the F1.
        lower: the metrics whose score is the better the lower it is.
    """
    metrics = list(dict.fromkeys(name for score in scores.values() for name in score))
    places: dict[str, dict[str, Place]] = {system: {} for system in scores}
    for metric in metrics:
        systems = [
            system
            for system, score in scores.items()
            if not math.isnan(score.get(metric, math.nan))
        ]
        values = [scores[system][metric] for system in systems]
        ranked_values = ranks(values, lower=metric in lower)
        for system, value, rank in zip(systems, values, ranked_values, strict=True):
            places[system][metric] = Place(value, rank)
    return Ranking(metrics, places, leading or {}, lower)


def _compared(results: Sequence[Result]) -> bool:
    """Return whether the metrics of results are to be compared.

    They do where they were chosen to be compared, not found, and score the same.
    """
    scopes = {result.scope for result in results if not result.nothing}
    return len(scopes) < 2 and len({result.because for result in results}) < 2


def _units(results: Sequence[Result]) -> list[str]:
    """Return the number of units of each metric, where it is not the same for all."""
    nonempty = [result for result in results if not result.nothing]
    of: dict[str, set[int]] = {}
    for each in nonempty:
        of.setdefault(str(each.metric), set()).add(each.pairs)
    apart = any(len(numbers) > 1 for numbers in of.values())
    if not apart and len({each.scope for each in nonempty}) < 2:
        return []
    units = (
        f"{f'{each.system} ' * apart}{each.metric}: {amount(each.pairs, 'unit')} "
        f"({each.scope})"
        for each in nonempty
    )
    return list(dict.fromkeys(units))


def ranking_of(results: Sequence[Result]) -> Ranking | None:
    """The ranking of results by what stands for them, if there are several systems."""
    scores: dict[str, dict[str, float]] = {}
    leading: dict[str, str] = {}
    lower: set[str] = set()
    for result in results:
        name = str(result.metric)
        scores.setdefault(result.system, {})[name] = result.value
        if result.metric.leading:
            leading[name] = result.metric.leading
        if result.metric.less_is_better:
            lower.add(name)
    if len(scores) < 2:
        return None
    ranking = ranked(scores, leading=leading, lower=lower)
    return ranking._replace(
        compared=_compared(results),
        ratios=_ratios(results, ""),
        units=_units(results),
    )


def rankings_of(
    results: Sequence[Result], scores: Sequence[str] = (), by: Sequence[str] = ()
) -> list[Ranking]:
    """The rankings of results, if there are several systems.

    Args:
        results: one per system and metric.
        scores: names as for ``--fail-under``; none means what stands for the metrics.
        by: what the means ``macro`` are over; frameworks without.

    Returns:
        One by each score, in that order.

    Raises:
        UsageError: if no metric has one of the scores.
    """
    if scores:
        return [_ranking_by(results, score, by) for score in dict.fromkeys(scores)]
    rankings = ranking_of(results)
    return [] if rankings is None else [rankings]


def _ranking_by(results: Sequence[Result], score: str, by: Sequence[str]) -> Ranking:
    """The ranking by one score, over the metrics that have it."""
    from graphscore.metrics.base import lowest_best

    scores: dict[str, dict[str, float]] = {
        own_result.system: {} for own_result in results
    }
    lower: set[str] = set()
    for result in results:
        name, value = str(result.metric), score_in(result, score, by)
        if value is not None:
            scores[result.system][name] = value
            if lowest_best(result.metric, score):
                lower.add(name)
    having = {name for scores_of in scores.values() for name in scores_of}
    if not having:
        # Says what the metric has.
        score_getter(score, by)(
            next(own_result for own_result in results if not own_result.nothing)
        )
    names = dict.fromkeys(str(own_result.metric) for own_result in results)
    ranking = ranked(scores, leading=dict.fromkeys(having, score), lower=lower)
    # A role may occur in one system only: the order is that of the metrics.
    return ranking._replace(
        metrics=[name for name in names if name in having],
        score=score,
        without=[name for name in names if name not in having],
        compared=_compared(results),
        ratios=_ratios(results, score, by),
        units=_units(results),
    )


def _ratios(
    results: Sequence[Result], score: str, by: Sequence[str] = ()
) -> dict[tuple[str, str], tuple[float, float]]:
    """Precision and recall beside the F1 that is ranked, where that is one."""
    ratios = {}
    whole = score.removesuffix("f1").removesuffix(".")
    for result in results:
        if not score and result.metric.leading:
            continue
        names = (f"{whole}.{name}" if whole else name for name in RATIOS[:2])
        precision, recall = (score_in(result, name, by) for name in names)
        if precision is not None and recall is not None and not result.nothing:
            ratios[result.system, str(result.metric)] = precision, recall
    return ratios


def ranking_table(ranking: Ranking) -> Table:
    """A row per system: score and rank by each metric, and what the metrics change.

    The best score of each metric is marked.
    """
    heads = [Column("system")]
    for number, metric in enumerate(ranking.metrics):
        heads += [Column(metric, "ratio"), Column("rank", "count", joined=True)]
        if number and ranking.compared:
            heads.append(Column("difference", "ratio", joined=True))
            heads.append(Column("rank change", "count", joined=True))
    table = Table(heads, title=_title(ranking))
    for system in ranking.order:
        row: list[Any] = [system]
        places, changes = ranking.places[system], ranking.changes(system)
        for number, metric in enumerate(ranking.metrics):
            place, change = places.get(metric), changes.get(metric)
            row += [_score(place), place.rank] if place else [None, None]
            if number and change:
                gained, difference = change.rank_change, change.difference
                row += [difference, f"{gained:+d}" if gained else "0"]
            elif number and ranking.compared:
                row += [None, None]
        table.rows.append(tuple(row))
    if len(ranking.metrics) > 1 and ranking.compared:
        table.notes = [f"differences and changes are against {ranking.metrics[0]}"]
    if ranking.units:
        table.notes.append(f"not of the same units: {'; '.join(ranking.units)}")
    if ranking.without:
        table.notes.append(f"no {ranking.score}: {', '.join(ranking.without)}")
    return table


def _score(place: Place) -> float:
    """A score as a table shows it; of scores that count things, the number."""
    if isinstance(place.value, int):
        return BestAmount(place.value) if place.rank == 1 else place.value
    return marked(*place)


def _title(ranking: Ranking) -> str:
    """Return the title of a ranking."""
    names = {ranking.leading.get(metric, "F1 of all") for metric in ranking.metrics}
    if names == {"F1 of all"}:
        return f"ranking by F1 of all {BEST}"
    lowest = [metric in ranking.lower for metric in ranking.metrics]
    shown = [ranking.leading.get(metric, "F1") for metric in ranking.metrics]
    if all(lowest):
        return f"ranking by {', '.join(dict.fromkeys(shown))}, lowest first {BEST}"
    shown = [
        name + ", lowest first" * low for name, low in zip(shown, lowest, strict=True)
    ]
    return f"ranking by {'; '.join(dict.fromkeys(shown))} {BEST}"


def marked(value: float, rank: int) -> float:
    """A score as tables show it: the best with a mark."""
    return Best(value) if rank == 1 else value


def mark_best(
    rows: Sequence[tuple[Any, ...]], group: int, lower: Collection[str] = ()
) -> list[tuple[Any, ...]]:
    """Mark the best ratio of every column, among rows that agree in column *group*.

    Args:
        rows: cells of a table; all that are no fractions stay as they are.
        group: the column that tells metrics apart; a row alone is not compared.
        lower: the metrics whose score is the better the lower it is.

    Example:
        >>> rows = [("m", 0.5), ("m", 0.7), ("n", 0.1)]
        >>> [isinstance(row[1], Best) for row in mark_best(rows, 0)]
        [False, True, False]
    """
    best: dict[tuple[Any, int], float] = {}
    times: dict[Any, int] = {}
    for row in rows:
        times[row[group]] = times.get(row[group], 0) + 1
        for index, value in enumerate(row):
            if isinstance(value, float):
                key = (row[group], index)
                better = min if row[group] in lower else max
                best[key] = better(best.get(key, value), value)
    return [
        tuple(
            Best(value)
            if isinstance(value, float)
            and times[row[group]] > 1
            and value == best[row[group], index]
            else value
            for index, value in enumerate(row)
        )
        for row in rows
    ]
