"""Results of pairs: found again, and kept.

A result belongs to what was compared, not to where it came from: its key is the
metric with its revision and the digests of both sides.  Whichever collection a
pair is in, and whatever the item is called, the same annotations scored by the
same metric share one result.

A proven result is final.  An unproven one is worth what was spent on it: it
serves whoever asks for no larger budget.  A better result stands beside it, so
that an evaluation keeps showing what it was made of.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, repeat
from itertools import count as count_on
from typing import Any, NamedTuple

from sqlalchemy import Connection, select

from graphscore.model.outcome import Count, CountKey, Error, Outcome, RawCounts
from graphscore.store import schema
from graphscore.store.integrity import checked
from graphscore.store.symbols import SymbolIds
from graphscore.store.write.cells import Cells, bulk_insert, insert_cells
from graphscore.store.write.rows import SQL_VALUES, batched, next_id

NOTHING = b""
"""The digest of a side that is missing."""

Digests = tuple[bytes, bytes]
"""Digests of the gold and the system side."""

_QUANTITIES = frozenset({"gold", "system", "matched"})


class ResultRow(NamedTuple):
    """Result of one pair to store."""

    gold: bytes
    """Digest of the gold side."""
    system: bytes
    """Digest of the system side."""
    outcome: Outcome
    """With its matches and errors."""
    microseconds: int
    """Processor time that it took."""
    budget: int | None
    """Steps that it was allowed, ``None`` without limit; the steps really spent
    where a clock stopped it."""
    leading: Count
    """The count that stands for the metric."""


def find_results(
    connection: Connection,
    metric: str,
    revision: int,
    pairs: Iterable[Digests],
    budget_steps: int | None,
) -> dict[Digests, tuple[int, bool]]:
    """Results that can be used again.

    Args:
        connection: an open store.
        metric: canonical string of the metric.
        revision: its revision.
        pairs: digests of the pairs, in any number.
        budget_steps: steps that a new search would be allowed; ``None`` for no
            limit.

    Returns:
        Ids of results by pair, each with whether it is proven: the proven one, else
        the one that most was spent on, if that is no less than the budget.  Pairs
        without one are left out.
    """
    number = connection.execute(
        select(schema.metric.c.id).where(
            schema.metric.c.name == metric, schema.metric.c.revision == revision
        )
    ).scalar()
    if number is None:
        return {}
    budget = schema.UNLIMITED if budget_steps is None else budget_steps
    result: dict[Digests, tuple[int, bool]] = {}
    for chunk in batched(pairs, SQL_VALUES // 2):
        result.update(_find_chunk(connection, number, budget, chunk))
    return result


def _find_chunk(
    connection: Connection, metric: int, budget: int, keys: list[Digests]
) -> dict[Digests, tuple[int, bool]]:
    sign = "?" if connection.dialect.paramstyle == "qmark" else "%s"
    # The last row of a pair is kept: the proven one, else the largest budget.
    # In plain SQL, as building the expression takes longer than its answer.
    rows = connection.exec_driver_sql(
        "with wanted (gold, system) as "
        f"(values {', '.join([f'({sign}, {sign})'] * len(keys))}) "
        "select r.gold, r.system, r.id, r.proven from wanted w "
        "join result r on r.gold = w.gold and r.system = w.system "
        f"where r.metric = {metric} and (r.proven or r.budget >= {budget}) "
        "order by r.proven, r.budget",
        tuple(digest for key in keys for digest in key),
    )
    table = schema.result
    columns = (table.c.gold, table.c.system, table.c.id, table.c.proven)
    return {
        (gold, system): (number, bool(proven))
        for gold, system, number, proven in checked(rows, columns, key=3)
    }


def save_results(
    connection: Connection, metric: str, revision: int, rows: Iterable[ResultRow]
) -> list[int]:
    """Keep results, unless equally good ones have been kept meanwhile.

    Save a few hundred at a time, each time in a transaction of its own: an
    interrupted run finds them again.

    Args:
        connection: a writing connection; the caller commits.
        metric: canonical string of the metric.
        revision: its revision.
        rows: what to keep.

    Returns:
        The id of each row's result, in order.
    """
    kept = list(rows)
    number = obtain_metric(connection, metric, revision)
    known_results = _known_results(connection, number, kept)
    writer = _ResultRows(connection, number)
    ids = []
    for row in kept:
        key = (
            row.gold,
            row.system,
            row.outcome.proven,
            schema.UNLIMITED if row.budget is None else row.budget,
        )
        if key not in known_results:
            known_results[key] = writer.add(key, row)
        ids.append(known_results[key])
    writer.flush()
    return ids


_ResultKey = tuple[bytes, bytes, bool, int]


def _known_results(
    connection: Connection, metric: int, rows: Sequence[ResultRow]
) -> dict[_ResultKey, int]:
    table = schema.result
    known_results: dict[_ResultKey, int] = {}
    for chunk in batched(rows, SQL_VALUES):
        golds = {row.gold for row in chunk}
        columns = (
            *(table.c.id, table.c.gold, table.c.system),
            *(table.c.proven, table.c.budget),
        )
        result_rows = connection.execute(
            select(*columns).where(table.c.gold.in_(golds), table.c.metric == metric)
        )
        for number, gold, system, proven, budget in checked(result_rows, columns):
            known_results[gold, system, proven, budget] = number
    return known_results


def obtain_metric(connection: Connection, name: str, revision: int) -> int:
    """The id of a revision of a metric, which is noted down if it is not yet.

    Args:
        connection: a writing connection.
        name: canonical string of the metric.
        revision: its revision.
    """
    table = schema.metric
    result = connection.execute(
        select(table.c.id).where(table.c.name == name, table.c.revision == revision)
    ).scalar()
    if result is None:
        result = next_id(connection, table)
        bulk_insert(connection, table, [(result, name, revision)])
    return int(result)


class _ResultRows:
    """Rows of many results, collected and then written together."""

    def __init__(self, connection: Connection, metric: int) -> None:
        self._connection = connection
        self._metric = metric
        self._symbols = SymbolIds.of(connection)
        self._next = next_id(connection, schema.result)
        self._results: list[tuple[Any, ...]] = []
        self._raw_counts: Cells = []
        self._matches: Cells = []
        self._errors: Cells = []
        self._counts: Cells = []

    def add(self, key: _ResultKey, row: ResultRow) -> int:
        number = self._next
        self._next += 1
        outcome, count = row.outcome, row.leading
        gold, system, proven, budget = key
        self._results.append(
            (
                number,
                self._metric,
                gold,
                system,
                proven,
                budget,
                outcome.score,
                outcome.bound,
                count.gold,
                count.system,
                count.matched,
                count.correct_system,
                count.f1,
                outcome.steps,
                outcome.method,
                row.microseconds,
            )
        )
        for (tuple_type, label, quantity), value in _complete(
            outcome.raw_counts
        ).items():
            self._raw_counts += (number, tuple_type, label, quantity, value)
        if outcome.matches:
            *columns, parents, levels = zip(*outcome.matches, strict=True)
            self._matches += chain.from_iterable(
                zip(repeat(number), count_on(), parents, levels, *columns)
            )
        self._add_errors(number, outcome.errors)
        return number

    def _add_errors(self, number: int, errors: Sequence[Error]) -> None:
        symbols, id_of, cells = self._symbols, self._symbols.id_of, self._errors
        counts: dict[tuple[str, str], int] = {}
        for seq, error in enumerate(errors):
            side, tuple_type, label, name = (
                error.error_type,
                error.tuple_type,
                error.label,
                error.name,
            )
            value, compared = error.value, error.compared
            cells += (
                number,
                seq,
                error.parent,
                side,
                tuple_type,
                error.object,
                error.gold,
                error.system,
                symbols[label] if type(label) is str else id_of(label),
                symbols[name] if name else None,
                symbols[value] if type(value) is str else id_of(value),
                None if compared is None else symbols[compared],
                error.reason,
                error.credit,
            )
            which = tuple_type, side
            counts[which] = counts.get(which, 0) + 1
        for key, count in counts.items():
            self._counts += (number, *key, count)

    def flush(self) -> None:
        self._symbols.flush()
        bulk_insert(self._connection, schema.result, self._results)
        for table, cells in (
            (schema.raw_count, self._raw_counts),
            (schema.correspondence, self._matches),
            (schema.error, self._errors),
            (schema.error_count, self._counts),
        ):
            insert_cells(self._connection, table, table.columns.keys(), cells)


def _complete(raw_counts: Mapping[CountKey, int | float]) -> RawCounts:
    """The raw counts with every zero of gold, system and matched said.

    Absent means 0.  SQL can join three rows a tuple type, but not guess which tuple
    types there are where none of them is sure to be there.
    """
    result = dict(raw_counts)
    for tuple_type, label, quantity in raw_counts:
        if not label and quantity in _QUANTITIES:
            for needed in _QUANTITIES:
                result.setdefault((tuple_type, "", needed), 0)
    return result


def are_kept(
    connection: Connection,
    metric: str,
    revision: int,
    results: Mapping[Digests, int],
) -> bool:
    """True if all results are there still, none of them cleared by another process.

    Args:
        connection: an open store.
        metric: canonical string of the metric.
        revision: its revision.
        results: their ids, by the pairs that they are of.
    """
    table = schema.result
    named = (schema.metric.c.name == metric) & (schema.metric.c.revision == revision)
    number = select(schema.metric.c.id).where(named).scalar_subquery()
    columns = (table.c.id, table.c.gold, table.c.system)
    count = 0
    for chunk in batched(results.values(), SQL_VALUES):
        rows = connection.execute(
            select(*columns).where(table.c.id.in_(chunk), table.c.metric == number)
        )
        count += sum(
            results.get((gold, system)) == id_
            for id_, gold, system in checked(rows, columns)
        )
    return count == len(results)
