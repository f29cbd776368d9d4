"""Leaderboards as tables: systems by frameworks, with ranks, intervals and clusters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphscore.evaluation.macro import MACRO
from graphscore.exceptions import UsageError, amount, did_you_mean
from graphscore.metrics.registry import stored_metric
from graphscore.report.ranking import mark_best, ranks
from graphscore.report.table import BEST, Column, Table, columns_of
from graphscore.store.rankings import ALL, Leaderboard, Rank, Standing
from graphscore.store.revisions import OUTDATED


def leaderboard_table(
    board: Leaderboard, score: str = "", store: str = "STORE"
) -> Table:
    """A row per system, best first, a line between clusters.

    Args:
        board: the systems.
        score: what they are ranked by; what stands for the metric without.
        store: the store, where a command is told that ranks anew.

    Raises:
        UsageError: if the metric has no such score.
    """
    score = score or board.main
    if score not in board.scores:
        near = did_you_mean(score, board.scores)
        raise UsageError(
            f"{board.metric} has no score {score!r}{near}; "
            f"it has: {', '.join(board.scores)}"
        )
    several = [MACRO] if len(board.frameworks) > 1 else []
    names = [*board.frameworks, ALL, *several] if several else [ALL]
    placed = board.ranks.get(ALL, {}) if score == board.main else {}
    table = Table(
        [
            *(Column("rank", "count"), Column("ranks"), Column("system")),
            *columns_of("ratio", *(name or "all" for name in names)),
            *columns_of("count", "units", "missing"),
        ],
        title=f"{board.metric}: {score}, {board.gold} ({board.scope}) {BEST}",
    )
    rows: list[tuple[Any, ...]] = []
    last = 0
    for number, standing in ranked_standings(board, score):
        place = placed.get(standing.system)
        if place and last and place.cluster != last:
            table.rules.add(len(rows))
        last = place.cluster if place else last
        old = standing.evaluation.status == OUTDATED
        values = (None if old else standing.values.get((name, score)) for name in names)
        rows.append(
            (
                *(number, _span(place), standing.system),
                *values,
                *(standing.units, standing.missing),
            )
        )
    lower = [score] if lowest_best(board, score) else []
    marked = mark_best([(score, *row) for row in rows], 0, lower)
    table.rows = [row[1:] for row in marked]
    table.notes = [*_notes(board, placed, store)]
    return table


def ranked_standings(
    board: Leaderboard, score: str
) -> list[tuple[int | None, Standing]]:
    """Return systems with their ranks, best first; those without a score last.

    Args:
        board: the systems.
        score: what they are ranked by.
    """
    valued = [
        (None if x.evaluation.status == OUTDATED else x.values.get((ALL, score)), x)
        for x in board.standings
    ]
    present = [(value, x) for value, x in valued if value is not None]
    lower = lowest_best(board, score)
    numbers = ranks([value for value, _ in present], lower=lower)
    placed = [(n, x) for n, (_, x) in zip(numbers, present, strict=True)]
    placed.sort(key=lambda row: (row[0], row[1].system))
    return [*placed, *((None, x) for value, x in valued if value is None)]


def lowest_best(board: Leaderboard, score: str) -> bool:
    """Return whether the lowest score is the best.

    Args:
        board: the systems.
        score: its name.
    """
    from graphscore.metrics import base

    metric = stored_metric(board.metric)
    return metric is not None and base.lowest_best(metric, score)


def _span(rank: Rank | None) -> str | None:
    """Return the interval of a rank."""
    if rank is None or rank.best is None:
        return None
    return f"{rank.best}-{rank.worst}" if rank.worst != rank.best else f"{rank.best}"


def _notes(board: Leaderboard, placed: dict[str, Rank], store: str) -> Sequence[str]:
    """Say what the ranks were made from, and how to make them anew."""
    again = f"graphscore score {store} --gold {board.gold} -m '{board.metric}'"
    old = [x for x in board.standings if x.evaluation.status != "done"]
    if old:
        names = ", ".join(f"{x.system} ({x.evaluation.status})" for x in old)
        return [
            f"not as collections and metrics are now: {names}; {again} scores again"
        ]
    if not placed and not board.created and len(board.standings) > 1:
        return [f"no intervals of ranks yet: {again} makes them"]
    if not placed:
        return []
    lines = [
        f"ranks: 95 % intervals ({board.signature}); a line where all above are better "
        "than all below by test"
    ]
    if not board.fresh:
        day = board.created.replace("T", " ")[:16]
        systems = amount(len(placed), "system")
        lines.append(f"ranks as of {day}, of {systems}; {again} renews them")
    return lines
