"""Evaluations on their way into a store.

Evaluating anew takes the place of the old one where graphs have changed since, and
otherwise only where that is asked for.  It is written at the end, in one transaction,
together with the totals that make slices cheap.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, select, update

from graphscore.exceptions import UsageError
from graphscore.model.outcome import RawCounts
from graphscore.store import schema
from graphscore.store.evaluations import (
    Evaluation,
    PairRow,
    encode_sums,
    find_evaluations,
    pair_rows,
    pairs_of,
)
from graphscore.store.write.across import add_across, delete_evaluations
from graphscore.store.write.cells import bulk_insert
from graphscore.store.write.rows import find_collection, next_id, now
from graphscore.store.write.totals import Replaced, write_totals

NAMED = "|framework:"
"""Mark of signatures where the user has named frameworks."""

MOSTLY = 0.75
"""Share of pairs from which on only the others are counted anew."""


class Made(NamedTuple):
    """An evaluation that is to be kept, without its units."""

    gold: str
    """Name of the gold collection."""
    system: str
    metric: str
    """Canonical string of the metric."""
    signature: str
    """Signature of the scores."""
    revision: int = 1
    """Revision of the metric."""
    scope: str = ""
    """Scope of the scores."""

    @property
    def named(self) -> bool:
        """The user has named frameworks."""
        return NAMED in self.signature


def save_evaluation(
    connection: Connection,
    made: Made,
    pairs: Iterable[PairRow],
    replace: bool = False,
) -> int:
    """Write an evaluation and its totals.

    One that is there already with the same results stays as it is.  One of other
    graphs, of which some have come, gone or changed since, gives way; and one with
    other results only to whoever says so.

    Args:
        connection: a writing connection; the caller commits.
        made: what is kept.
        pairs: all units, in the order in which they shall be listed.
        replace: whether it takes the place of one of the same name and scope.

    Returns:
        Id of the evaluation.

    Raises:
        UsageError: a collection does not exist, or there is another evaluation of that
            name and scope.
        StoreError: a graph or result has been removed meanwhile (said where the
            transaction ends).
    """
    table = schema.evaluation
    gold, system = (find_collection(connection, name) for name in made[:2])
    pairs = list(pairs)
    before, old_pairs = _before(connection, made)
    if before is not None and _is_current(before, made):
        if old_pairs == pairs:
            return before.id
        if not replace:
            _refuse_other(connection, before, pairs)
    named = (
        table.c.gold == gold,
        table.c.system == system,
        table.c.metric == made.metric,
    )
    replaced = before and _replaced(before, old_pairs, pairs)
    if before is not None and replaced is None:
        delete_evaluations(connection, table.c.id == before.id)
    if not made.named:
        # What was asked for in the same words, of graphs that were there before.
        unnamed = ~table.c.signature.contains(NAMED, autoescape=True)
        rest = made.scope.partition(";")[1:]
        for stale_id, scope in connection.execute(
            select(table.c.id, table.c.scope).where(
                *named, table.c.status == "stale", unnamed
            )
        ).all():
            if scope != made.scope and scope.partition(";")[1:] == rest:
                delete_evaluations(connection, table.c.id == stale_id)
    number = next_id(connection, table)
    # Two of one scope cannot be there: the new one gets it once the old one is gone.
    scope = made.scope if replaced is None else f"{made.scope}, new"
    row = (
        *(number, gold, system, made.metric, scope, made.signature, "done"),
        *(now(), made.revision, False, None),
    )
    bulk_insert(connection, table, [row])
    rows = [
        (
            number,
            seq,
            pair.framework,
            pair.language,
            pair.document,
            pair.item,
            pair.status,
            pair.gold,
            pair.system,
            pair.result,
            pair.layer,
        )
        for seq, pair in enumerate(pairs)
    ]
    bulk_insert(connection, schema.pair, rows)
    write_totals(connection, number, replaced)
    if replaced is not None:
        old = table.c.id == replaced.evaluation
        delete_evaluations(connection, old, places=replaced.gone)
        connection.execute(
            update(table).where(table.c.id == number).values(scope=made.scope)
        )
    add_across(connection, number, replaced and replaced.come)
    return number


def same_evaluation(
    connection: Connection, made: Made, pairs: Sequence[PairRow]
) -> int | None:
    """The evaluation that is there already with the same results; else nothing.

    Args:
        connection: an open store.
        made: what would be kept.
        pairs: all units, in order.
    """
    before, old_pairs = _before(connection, made)
    if before is not None and _is_current(before, made) and old_pairs == pairs:
        return before.id
    return None


def _before(
    connection: Connection, made: Made
) -> tuple[Evaluation | None, list[tuple[Any, ...]]]:
    """Return the evaluation of the same name and scope that is there, and its units."""
    names = {"gold": made.gold, "system": made.system, "metric": made.metric}
    for evaluation in find_evaluations(connection, **names, scope=made.scope):
        return evaluation, pair_rows(connection, evaluation.id)
    return None, []


def _is_current(evaluation: Evaluation, made: Made) -> bool:
    """True if graphs and metric have not changed since."""
    return evaluation.status == "done" and evaluation.revision == made.revision


def _refuse_other(
    connection: Connection, before: Evaluation, pairs: Iterable[PairRow]
) -> None:
    """Refuse to take the place of an evaluation whose scores are others.

    Raises:
        UsageError: if the results of its units are not the same.
        FaultError: if they are gone.
    """
    stored = [pair.result for pair in pairs_of(connection, before.id)]
    if stored != [pair.result for pair in pairs]:
        raise UsageError(
            f"{before.system} was scored against {before.gold} with {before.metric} "
            f"({before.scope}) already, with other results: {before.signature}; "
            "score --replace puts this evaluation in its place"
        )


def _replaced(
    before: Evaluation, old_pairs: Iterable[tuple[Any, ...]], pairs: Iterable[PairRow]
) -> Replaced | None:
    """Return which pairs come and go, if most of them stay."""
    old, new = _places(map(PairRow._make, old_pairs)), _places(pairs)
    if len(old.keys() & new.keys()) < MOSTLY * len(new):
        return None
    return Replaced(
        before.id,
        [place for key, place in old.items() if key not in new],
        [place for key, place in new.items() if key not in old],
    )


def _places(pairs: Iterable[PairRow]) -> dict[tuple[Any, ...], int]:
    """Return places of pairs by all that counts of them across systems."""
    return {
        (*pair[:4], pair.layer, pair.result, pair.status == "spurious"): place
        for place, pair in enumerate(pairs)
    }


def save_figures(
    connection: Connection,
    evaluation: int,
    figures: Iterable[tuple[Any, ...]],
    sums: Mapping[Any, RawCounts],
) -> None:
    """Keep the scores of the slices of an evaluation, and its sums.

    Args:
        connection: a writing connection; the caller commits.
        evaluation: its id.
        figures: rows of the table ``figure`` without the evaluation.
        sums: its raw counts by :data:`~graphscore.store.evaluations.SUMMED_BY`.
    """
    table, own = schema.figure, schema.evaluation.c.id == evaluation
    connection.execute(delete(table).where(table.c.evaluation == evaluation))
    bulk_insert(connection, table, [(evaluation, *figure) for figure in figures])
    kept = encode_sums(sums)
    connection.execute(update(schema.evaluation).where(own).values(sums=kept))
