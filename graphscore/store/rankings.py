"""Leaderboards: figures of all evaluations of a task, with the ranks that were made.

Figures belong to an evaluation, ranks to the set of evaluations they were made from:
where that is another one by now, the leaderboard is of an earlier day.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select

from graphscore.store import schema
from graphscore.store.evaluations import Evaluation, find_evaluations
from graphscore.store.integrity import checked
from graphscore.store.write.across import find_task
from graphscore.store.write.cells import bulk_insert
from graphscore.store.write.rows import next_id, now

ALL = ""
"""The framework of figures over all frameworks."""


class Rank(NamedTuple):
    """Place of a system among the others, with intervals."""

    system: str
    lower: float | None
    upper: float | None
    rank: int
    best: int | None
    worst: int | None
    cluster: int


class Standing(NamedTuple):
    """A system on a leaderboard."""

    evaluation: Evaluation
    values: dict[tuple[str, str], float | None]
    """Scores by framework and name of the score."""
    units: int
    missing: int

    @property
    def system(self) -> str:
        """Name of the system."""
        return self.evaluation.system


class Leaderboard(NamedTuple):
    """Systems that were scored against the same gold by the same metric."""

    gold: str
    metric: str
    scope: str
    main: str
    """Name of the score that stands for the metric."""
    frameworks: tuple[str, ...]
    """Those of figures, without ``macro`` and :data:`ALL`."""
    scores: tuple[str, ...]
    """Names of scores, the main one first."""
    standings: tuple[Standing, ...]
    ranks: dict[str, dict[str, Rank]]
    """By framework and system, of the main score."""
    created: str
    """When the ranks were made; empty if they never were."""
    signature: str
    """What reproduces them."""
    fresh: bool
    """They were made from the evaluations that are there now."""


def made_from(evaluations: Iterable[Evaluation]) -> str:
    """Return what tells a set of evaluations from others.

    Args:
        evaluations: in any order.
    """
    return " ".join(
        f"{evaluation.id}@{evaluation.created}"
        for evaluation in sorted(evaluations, key=lambda evaluation: evaluation.id)
    )


def is_ranked(connection: Connection, evaluations: Sequence[Evaluation]) -> bool:
    """Return whether the ranks of a task were made from these evaluations.

    Args:
        connection: an open store.
        evaluations: all of a task.
    """
    table = schema.ranking
    task = find_task(connection, evaluations[0].id)
    stored = connection.execute(
        select(table.c.evaluations).where(
            table.c.task == task, table.c.framework == ALL
        )
    ).scalar()
    return bool(stored == made_from(evaluations))


def save_ranks(
    connection: Connection,
    evaluations: Sequence[Evaluation],
    score: str,
    signature: str,
    ranks: Mapping[str, Sequence[Rank]],
) -> None:
    """Keep the ranks of a task in the place of earlier ones.

    Args:
        connection: a writing connection; the caller commits.
        evaluations: all of the task.
        score: the score that was ranked.
        signature: what reproduces the ranks.
        ranks: by framework.
    """
    table = schema.ranking
    task = find_task(connection, evaluations[0].id)
    connection.execute(delete(table).where(table.c.task == task))
    created, made = now(), made_from(evaluations)
    for framework, systems in ranks.items():
        number = next_id(connection, table)
        cells = (number, task, framework, score, created, made, signature)
        names = (column.name for column in table.columns)
        connection.execute(insert(table), dict(zip(names, cells, strict=True)))
        bulk_insert(connection, schema.ranked, [(number, *row) for row in systems])


def leaderboards(connection: Connection, document: str = "") -> list[Leaderboard]:
    """Every leaderboard of a store: one for each gold, metric and scope.

    Args:
        connection: an open store.
        document: whose scores they have, where these are not of all; ranks are of all.

    Returns:
        In the order in which their first evaluations were made.
    """
    tasks: dict[tuple[str, str, str], list[Evaluation]] = {}
    for evaluation in find_evaluations(connection):
        tasks.setdefault(evaluation.task, []).append(evaluation)
    return [_leaderboard(connection, every, document) for every in tasks.values()]


def _leaderboard(
    connection: Connection, evaluations: Sequence[Evaluation], document: str
) -> Leaderboard:
    table = schema.figure
    columns = (
        *(table.c.evaluation, table.c.framework, table.c.score, table.c.main),
        *(table.c.value, table.c.units, table.c.missing),
    )
    ids = [evaluation.id for evaluation in evaluations]
    rows = connection.execute(
        select(*columns).where(
            table.c.evaluation.in_(ids), table.c.document == document
        )
    )
    values: dict[int, dict[tuple[str, str], float | None]] = {}
    numbers: dict[int, tuple[int, int]] = {}
    main = ""
    for number, framework, score, is_main, value, units, missing in checked(
        rows, columns
    ):
        values.setdefault(number, {})[framework, score] = value
        if framework == ALL:
            numbers[number] = units, missing
        if is_main:
            main = score
    standings = tuple(
        Standing(x, values.get(x.id, {}), *numbers.get(x.id, (0, 0)))
        for x in evaluations
    )
    keys = dict.fromkeys(key for standing in standings for key in standing.values)
    frameworks = sorted({framework for framework, _ in keys} - {ALL, "macro"})
    scores = dict.fromkeys([main, *sorted(score for _, score in keys)])
    first = evaluations[0]
    created, signature, made, ranks = _ranks(connection, first.id)
    ranks = {} if document else ranks
    return Leaderboard(
        *first.task,
        main,
        tuple(frameworks),
        tuple(scores),
        standings,
        ranks,
        created,
        signature,
        made == made_from(evaluations),
    )


def _ranks(
    connection: Connection, evaluation: int
) -> tuple[str, str, str, dict[str, dict[str, Rank]]]:
    """Return when the ranks of a task were made, how, from what, and the ranks."""
    table, ranked = schema.ranking, schema.ranked
    own = (*ranked.columns,)[1:]
    columns = (
        *(table.c.created, table.c.signature, table.c.evaluations, table.c.framework),
        *own,
    )
    rows = connection.execute(
        select(*columns)
        .join_from(table, ranked, ranked.c.ranking == table.c.id)
        .where(table.c.task == find_task(connection, evaluation))
        .order_by(table.c.id, ranked.c.rank, ranked.c.system)
    )
    found = [*checked(rows, columns)]
    ranks: dict[str, dict[str, Rank]] = {}
    for _, _, _, framework, *cells in found:
        ranks.setdefault(framework, {})[cells[0]] = Rank(*cells)
    created, signature, made = found[0][:3] if found else ("", "", "")
    return created, signature, made, ranks
