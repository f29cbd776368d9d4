"""Evaluations: which pair has which result, and the sums over them.

An evaluation is named by its gold collection, its system collection, its metric and
its scope.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from math import isfinite
from operator import itemgetter
from typing import Any, Literal, NamedTuple

import msgspec
from sqlalchemy import (
    Connection,
    Integer,
    and_,
    case,
    exists,
    func,
    or_,
    select,
)
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from graphscore.exceptions import UsageError, did_you_mean
from graphscore.model.outcome import ExactCounts, RawCounts
from graphscore.store import schema
from graphscore.store.integrity import (
    checked,
    damaged,
    kind_of,
    misfit,
    shown,
    understood,
)

Status = Literal["paired", "missing", "spurious", "rejected"]

Grouping = Literal["framework", "language", "document", "item", "layer"]

AMOUNTS = ("gold", "matched", "system")
"""Quantities that every result has of a tuple type that it has any of."""

GROUPINGS: tuple[Grouping, ...] = (
    "framework",
    "language",
    "document",
    "item",
    "layer",
)
"""Columns by which totals can be split."""

SUMMED_BY: tuple[Grouping, ...] = ("framework", "language", "document", "layer")
"""Columns by which an evaluation keeps its raw counts added up."""

_Sums = list[tuple[list[str], list[tuple[str, str, str, int]]]]

_encode_sums = msgspec.json.Encoder().encode
_decode_sums = msgspec.json.Decoder(_Sums).decode


class PairRow(NamedTuple):
    """One unit of gold or system, and what became of it."""

    framework: str
    language: str
    document: str
    item: str
    gold: int | None
    """Id of the gold graph, if the unit is a single graph and there is one."""
    system: int | None
    """Id of the system graph, likewise."""
    result: int | None
    """Id of the result; ``None`` for a spurious system unit, which is not scored."""
    status: Status
    layer: str = ""


class StoredPair(NamedTuple):
    """A pair as :func:`pairs_of` gives it back."""

    framework: str
    language: str
    document: str
    item: str
    gold: int | None
    system: int | None
    result: int | None
    status: Status
    layer: str
    score: int | float | None
    bound: int | float | None
    proven: bool | None
    steps: int | None
    method: str | None


class Evaluation(NamedTuple):
    """An evaluation as it stands in the store."""

    id: int
    gold: str
    system: str
    metric: str
    signature: str
    status: str
    """``done``; ``stale`` when graphs have come, gone or changed since; ``outdated``
    when the metric has another revision by now."""
    created: str
    revision: int
    """The metric's, when it was made."""
    scope: str = ""
    """Scope of the scores, as :class:`~graphscore.model.scope.Scope` prints it."""

    @property
    def names(self) -> tuple[str, str, str, str]:
        """Key of the evaluation: gold, system, metric and scope."""
        return self.gold, self.system, self.metric, self.scope

    @property
    def task(self) -> tuple[str, str, str]:
        """Key that comparable evaluations share."""
        return self.gold, self.metric, self.scope


def find_evaluations(
    connection: Connection,
    *,
    gold: str | None = None,
    system: str | None = None,
    metric: str | None = None,
    scope: str | None = None,
) -> list[Evaluation]:
    """The evaluations that have been made.

    Args:
        connection: an open store.
        gold: only of this gold collection, if given.
        system: only of this system collection, if given.
        metric: only by this metric, if given.
        scope: only of this scope, if given.

    Returns:
        The evaluations, oldest first.
    """
    table = schema.evaluation
    left, right = schema.collection.alias("g"), schema.collection.alias("s")
    columns = (
        *(table.c.id, left.c.name, right.c.name, table.c.metric),
        *(table.c.signature, table.c.status, table.c.created, table.c.revision),
        table.c.scope,
    )
    status = case((table.c.outdated, "outdated"), else_=table.c.status)
    statement = (
        select(*columns[:5], status, *columns[6:])
        .join_from(table, left, left.c.id == table.c.gold)
        .join(right, right.c.id == table.c.system)
        .order_by(table.c.id)
    )
    for column, names in (
        (left.c.name, gold),
        (right.c.name, system),
        (table.c.metric, metric),
        (table.c.scope, scope),
    ):
        if names is not None:
            statement = statement.where(column == names)
    rows = checked(connection.execute(statement), columns)
    return [Evaluation._make(row) for row in rows]


def numbers_of_units(connection: Connection) -> dict[int, int]:
    """Return the number of gold units of every evaluation, by its id.

    Args:
        connection: an open store.
    """
    pair = schema.pair
    rows = connection.execute(
        select(pair.c.evaluation, func.count())
        .where(pair.c.status != "spurious")
        .group_by(pair.c.evaluation)
    )
    return dict(checked(rows, (pair.c.evaluation, pair.c.seq)))


_p = schema.pair.c

_PAIR = (
    *(_p.framework, _p.language, _p.document, _p.item),
    *(_p.gold_graph, _p.system_graph, _p.result, _p.status, _p.layer),
)
"""The columns behind a :class:`PairRow`."""


def pair_rows(connection: Connection, evaluation: int) -> list[tuple[Any, ...]]:
    """The units of an evaluation as they were saved, each a :class:`PairRow`.

    Args:
        connection: an open store.
        evaluation: id of the evaluation.
    """
    columns = (_p.evaluation, _p.seq, *_PAIR)
    statement = select(*columns).where(_p.evaluation == evaluation).order_by(_p.seq)
    return [row[2:] for row in checked(connection.execute(statement), columns, key=2)]


def pairs_of(connection: Connection, evaluation: int) -> Iterator[StoredPair]:
    """The units of an evaluation, in the order in which they were saved.

    Args:
        connection: an open store.
        evaluation: id of the evaluation.

    Yields:
        Each unit with score and proof.
    """
    pair, result = schema.pair, schema.result
    its = (
        *(result.c.score, result.c.bound, result.c.proven),
        *(result.c.steps, result.c.method),
    )
    columns = (_p.evaluation, _p.seq, *_PAIR, *its)
    kinds = [kind_of(column) for column in columns[: len(_PAIR) + 2]]
    kinds += [kind_of(column) | None for column in its]
    rows = connection.execute(
        select(*columns)
        .join_from(pair, result, result.c.id == _p.result, isouter=True)
        .where(_p.evaluation == evaluation)
        .order_by(_p.seq)
    )
    for row in checked(rows, columns, kinds, key=2):
        stored_pair = StoredPair._make(row[2:])
        if stored_pair.result is not None and stored_pair.method is None:
            raise misfit(
                "pair", row[:2], "result", stored_pair.result, "the id of a result"
            )
        yield stored_pair


def raw_counts_by(
    connection: Connection, evaluation: int, columns: Sequence[Grouping] = ()
) -> Iterator[tuple[tuple[str, ...], RawCounts]]:
    """Summed raw counts of an evaluation, split as asked.

    Args:
        connection: an open store.
        evaluation: id of the evaluation.
        columns: what to split by, any of :data:`GROUPINGS`; nothing for the
            sum of all pairs.

    Yields:
        The group's values, one for each column, and its raw counts; by value.

    Raises:
        UsageError: no such column to split by.
    """
    for name in columns:
        if name not in GROUPINGS:
            raise UsageError(
                f"cannot split by {name!r}{did_you_mean(name, GROUPINGS)}; "
                f"there are: {', '.join(GROUPINGS)}"
            )
    _refuse_lost(connection, evaluation)
    kept = None
    if "item" not in columns:
        kept = _kept_sums(connection, evaluation, columns)
    yield from _add_up(connection, evaluation, columns) if kept is None else kept


def _add_up(
    connection: Connection, evaluation: int, columns: Sequence[Grouping]
) -> Iterator[tuple[tuple[str, ...], RawCounts]]:
    """Yield the raw counts of the results of an evaluation, added up by columns."""
    pair, raw_count = schema.pair, schema.raw_count
    by = [pair.c[name] for name in columns]
    own = pair.c.evaluation == evaluation
    groups: Sequence[tuple[str, ...]] = [()]
    if by:
        distinct = select(*by).where(own).distinct().order_by(*by)
        groups = checked(connection.execute(distinct), by)
    # Rows are sorted by the number of their group, which is quicker than by its texts.
    number = func.dense_rank().over(order_by=by or None).label("number")
    grouped = select(pair.c.result, number).where(own).subquery()
    amount = (raw_count.c.tuple_type, raw_count.c.label, raw_count.c.quantity)
    key = (grouped.c.number, *amount)
    cells, kinds = (pair.c.seq, *amount), (int, *map(kind_of, amount))
    value = raw_count.c.value
    whole = value == func.round(value)
    rows = connection.execute(
        select(
            *key,
            func.count(),
            func.sum(case((whole, value), else_=0)),
            func.sum(case((whole, 0), else_=1)),
            NoNumbers(value),
        )
        .join_from(grouped, raw_count, raw_count.c.result == grouped.c.result)
        .group_by(*key)
        .order_by(*key)
    )
    sums = (int, int | float, int, int)
    values = checked(rows, (*cells, *[value] * 4), (*kinds, *sums), len(key))
    for row in values:
        if row[-1] or not isfinite(row[-3]):
            raise misfit(
                "raw_count",
                row[1:-4],
                "value",
                row[-3],
                "numbers that can be added",
            )
    broken: dict[tuple[Any, ...], list[float]] = {}
    if any(row[-2] for row in values):
        # Databases add doubles in an order of their own, and lose some of each.
        rows = connection.execute(
            select(*key, value)
            .join_from(grouped, raw_count, raw_count.c.result == grouped.c.result)
            .where(~whole)
        )
        for row in checked(rows, (*cells, value), (*kinds, int | float)):
            broken.setdefault(row[:-1], []).append(row[-1])
    for group, members in groupby(values, itemgetter(0)):
        raw_counts, rows_of_tuple_type = ExactCounts(), dict[str, dict[str, int]]()
        for row in members:
            _, tuple_type, label, quantity, count, sum_of_whole, _, _ = row
            counted = tuple_type, label, quantity
            raw_counts.add({counted: sum_of_whole})
            for compensation in broken.get(row[: len(key)], ()):
                raw_counts.add({counted: compensation})
            if not label and quantity in AMOUNTS:
                rows_of_tuple_type.setdefault(tuple_type, {})[quantity] = count
        for tuple_type, counts in rows_of_tuple_type.items():
            # Whoever writes one of them writes all, if only to say that they are 0.
            if len(counts) < len(AMOUNTS) or len(set(counts.values())) > 1:
                text = ", ".join(f"{name} {n}" for name, n in sorted(counts.items()))
                raise damaged(
                    f"table raw_count, tuple_type {shown(tuple_type)}: found {text} "
                    f"rows in evaluation "
                    f"{evaluation}, expected equally many of {', '.join(AMOUNTS)}"
                )
        yield groups[group - 1], raw_counts


def encode_sums(sums: Mapping[Any, RawCounts]) -> str | None:
    """Return sums as they are kept; nothing if any is no integer.

    Doubles add up to something else by other columns once they are rounded.

    Args:
        sums: raw counts by :data:`SUMMED_BY`.
    """
    rows = [
        (group, [(*key, value) for key, value in raw_counts.items()])
        for group, raw_counts in sums.items()
    ]
    whole = all(type(value) is int for _, amounts in rows for *_, value in amounts)
    return _encode_sums(rows).decode() if whole else None


def _kept_sums(
    connection: Connection, evaluation: int, columns: Sequence[Grouping]
) -> list[tuple[tuple[str, ...], RawCounts]] | None:
    """Return the sums that an evaluation keeps, by some of their columns, if any."""
    table = schema.evaluation
    cells = (table.c.id, table.c.sums)
    rows = checked(
        connection.execute(select(*cells).where(table.c.id == evaluation)), cells
    )
    kept = rows[0][1] if rows else None
    if kept is None:
        return None
    places = [SUMMED_BY.index(column) for column in columns]
    sums: dict[tuple[str, ...], RawCounts] = {}
    with understood(lambda: f"table evaluation, row {evaluation}, column sums"):
        for group, amounts in _decode_sums(kept):
            own = sums.setdefault(tuple([group[place] for place in places]), {})
            for *key, value in amounts:
                tuple_type, label, quantity = key
                counted = tuple_type, label, quantity
                own[counted] = own.get(counted, 0) + value
    return sorted((group, dict(sorted(own.items()))) for group, own in sums.items())


def _refuse_lost(connection: Connection, evaluation: int) -> None:
    """Raise if pairs refer to results that are gone: sums would leave them out.

    A result that matched anything that counts has raw counts; nodes of which nothing is
    said count nowhere.
    """
    pair, result, raw_count = schema.pair, schema.result, schema.raw_count
    has_matches = exists().where(schema.correspondence.c.result == result.c.id)
    lost = connection.execute(
        select(pair.c.evaluation, pair.c.seq, pair.c.result)
        .join_from(pair, result, result.c.id == pair.c.result, isouter=True)
        .where(
            pair.c.evaluation == evaluation,
            pair.c.result.is_not(None),
            or_(
                result.c.id.is_(None),
                and_(
                    ~exists().where(raw_count.c.result == result.c.id),
                    result.c.score != 0,
                    has_matches,
                ),
            ),
        )
        .limit(1)
    ).first()
    if lost is not None:
        raise misfit("pair", lost[:2], "result", lost[2], "a result with raw counts")


class NoNumbers(FunctionElement[int]):
    """Number of cells of a column that are no numbers, which SQLite adds as zero."""

    inherit_cache = True
    type = Integer()


@compiles(NoNumbers)
def _none(*_: Any, **__: Any) -> str:
    return "0"


@compiles(NoNumbers, "sqlite")
def _counted(element: NoNumbers, compiler: SQLCompiler, **how: Any) -> str:
    cells = compiler.process(element.clauses, **how)
    return f"sum(typeof({cells}) not in ('integer', 'real'))"
