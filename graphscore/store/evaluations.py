"""Evaluations: which pair has which result, and the sums over them.

An evaluation is named by its gold collection, its system collection, its metric and
its scope.  Evaluating anew takes the place of the old one where graphs have changed
since, and otherwise only where that is asked for.  It is written at the end, in one
transaction, together with the totals that make slices cheap.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from math import isfinite
from typing import Any, Literal, NamedTuple

from sqlalchemy import (
    Connection,
    Integer,
    and_,
    case,
    delete,
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
from graphscore.store.integrity import checked, damaged, kind_of, misfit, shown
from graphscore.store.write.across import add_across, delete_evaluations
from graphscore.store.write.cells import bulk_insert
from graphscore.store.write.rows import find_collection, next_id, now
from graphscore.store.write.totals import write_totals

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


class Made(NamedTuple):
    """An evaluation that is to be kept, without its units."""

    gold: str
    """Name of the gold collection."""
    system: str
    metric: str
    """Canonical string of the metric."""
    signature: str
    """Signature of the scores."""
    main: str = "all"
    """The tuple type that stands for the metric; ``all`` is the sum of all tuple
    types, ``mean`` the mean of their ratios."""
    revision: int = 1
    """Revision of the metric."""
    scope: str = ""
    """Scope of the scores."""

    @property
    def named(self) -> bool:
        """The user has named frameworks."""
        return NAMED in self.signature


MOSTLY = 0.75
"""Share of pairs from which on only the others are counted anew across systems."""

NAMED = "|framework:"
"""Mark of signatures where the user has named frameworks."""


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
    same = same_evaluation(connection, made, pairs)
    if same is not None:
        return same
    named = (
        table.c.gold == gold,
        table.c.system == system,
        table.c.metric == made.metric,
    )
    if not replace:
        _refuse_other(connection, made, pairs)
    old_places, new_places = _changed_places(connection, made, pairs)
    before = and_(*named, table.c.scope == made.scope)
    delete_evaluations(connection, before, places=old_places)
    if not made.named:
        # What was asked for in the same words, of graphs that were there before.
        unnamed = ~table.c.signature.contains(NAMED, autoescape=True)
        rest = made.scope.partition(";")[1:]
        for stale_id, scope in connection.execute(
            select(table.c.id, table.c.scope).where(
                *named, table.c.status == "stale", unnamed
            )
        ).all():
            if scope.partition(";")[1:] == rest:
                delete_evaluations(connection, table.c.id == stale_id)
    number = next_id(connection, table)
    row = (
        *(number, gold, system, made.metric, made.scope, made.signature, "done"),
        *(now(), made.main, made.revision, False),
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
    write_totals(connection, number)
    add_across(connection, number, new_places)
    return number


def _changed_places(
    connection: Connection, made: Made, pairs: Sequence[PairRow]
) -> tuple[list[int] | None, list[int] | None]:
    """Return which pairs are not the same in an evaluation and in the one before.

    Args:
        connection: an open store.
        made: the evaluation.
        pairs: all of its units, in order.

    Returns:
        Places of pairs before and now; ``None`` for all, where there is no evaluation
        before or most of it has changed.
    """
    names = {"gold": made.gold, "system": made.system, "metric": made.metric}
    found = find_evaluations(connection, **names, scope=made.scope)
    if len(found) != 1:
        return None, None
    before = _places(pairs_of(connection, found[0].id))
    now = _places(pairs)
    if len(before.keys() & now.keys()) < MOSTLY * len(now):
        return None, None
    return (
        [place for key, place in before.items() if key not in now],
        [place for key, place in now.items() if key not in before],
    )


def _places(pairs: Iterable[PairRow | StoredPair]) -> dict[tuple[Any, ...], int]:
    """Return places of pairs by all that counts of them across systems."""
    return {
        (*pair[:4], pair.layer, pair.result, pair.status == "spurious"): place
        for place, pair in enumerate(pairs)
    }


def save_figures(
    connection: Connection, evaluation: int, figures: Iterable[tuple[Any, ...]]
) -> None:
    """Keep the scores of the slices of an evaluation.

    Args:
        connection: a writing connection; the caller commits.
        evaluation: its id.
        figures: rows of the table ``figure`` without the evaluation.
    """
    table = schema.figure
    connection.execute(delete(table).where(table.c.evaluation == evaluation))
    bulk_insert(connection, table, [(evaluation, *figure) for figure in figures])


def _refuse_other(connection: Connection, made: Made, pairs: Sequence[PairRow]) -> None:
    """Refuse to take the place of an evaluation whose scores are others.

    Raises:
        UsageError: if there is one of the same name, scope, graphs and revision.
    """
    for evaluation in find_evaluations(
        connection,
        gold=made.gold,
        system=made.system,
        metric=made.metric,
        scope=made.scope,
    ):
        stored = [pair.result for pair in pairs_of(connection, evaluation.id)]
        fresh = evaluation.status == "done" and evaluation.revision == made.revision
        if fresh and stored != [pair.result for pair in pairs]:
            raise UsageError(
                f"{made.system} was scored against {made.gold} with {made.metric} "
                f"({made.scope}) already, with other results: "
                f"{evaluation.signature}; "
                "score --replace puts this evaluation in its place"
            )


def same_evaluation(
    connection: Connection, made: Made, pairs: Sequence[PairRow]
) -> int | None:
    """The evaluation that is there already with the same results; else nothing.

    Args:
        connection: an open store.
        made: what would be kept.
        pairs: all units, in order.

    Raises:
        UsageError: a collection does not exist.
    """
    table = schema.evaluation
    same = connection.execute(
        select(table.c.id).where(
            table.c.gold == find_collection(connection, made.gold),
            table.c.system == find_collection(connection, made.system),
            table.c.metric == made.metric,
            table.c.scope == made.scope,
            table.c.status == "done",
            table.c.main == made.main,
            table.c.revision == made.revision,
            table.c.outdated.is_(False),
        )
    ).scalar()
    width = len(PairRow._fields)
    if same is not None and [tuple(pair) for pair in pairs] == [
        stored[:width] for stored in pairs_of(connection, same)
    ]:
        return int(same)
    return None


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


def pairs_of(connection: Connection, evaluation: int) -> Iterator[StoredPair]:
    """The units of an evaluation, in the order in which they were saved.

    Args:
        connection: an open store.
        evaluation: id of the evaluation.

    Yields:
        Each unit with score and proof.
    """
    pair, result = schema.pair, schema.result
    own = (
        *(pair.c.framework, pair.c.language, pair.c.document, pair.c.item),
        *(pair.c.gold_graph, pair.c.system_graph, pair.c.result, pair.c.status),
        pair.c.layer,
    )
    its = (
        *(result.c.score, result.c.bound, result.c.proven),
        *(result.c.steps, result.c.method),
    )
    columns = (pair.c.evaluation, pair.c.seq, *own, *its)
    tuple_types = [kind_of(column) for column in columns[: len(own) + 2]]
    tuple_types += [kind_of(column) | None for column in its]
    rows = connection.execute(
        select(*columns)
        .join_from(pair, result, result.c.id == pair.c.result, isouter=True)
        .where(pair.c.evaluation == evaluation)
        .order_by(pair.c.seq)
    )
    for row in checked(rows, columns, tuple_types, key=2):
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
    pair, raw_count = schema.pair, schema.raw_count
    by = [pair.c[name] for name in columns]
    key = [*by, raw_count.c.tuple_type, raw_count.c.label, raw_count.c.quantity]
    _refuse_lost(connection, evaluation)
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
        .join_from(pair, raw_count, raw_count.c.result == pair.c.result)
        .where(pair.c.evaluation == evaluation)
        .group_by(*key)
        .order_by(*key)
    )
    cells = (*key, value, value, value, value)
    tuple_types = [*map(kind_of, key), int, int | float, int, int]
    values = checked(rows, cells, tuple_types, len(key))
    width = len(by)
    for row in values:
        if row[-1] or not isfinite(row[-3]):
            raise misfit(
                "raw_count",
                row[width:-4],
                "value",
                row[-3],
                "numbers that can be added",
            )
    broken: dict[tuple[Any, ...], list[float]] = {}
    if any(row[-2] for row in values):
        # Databases add doubles in an order of their own, and lose some of each.
        rows = connection.execute(
            select(*key, value)
            .join_from(pair, raw_count, raw_count.c.result == pair.c.result)
            .where(pair.c.evaluation == evaluation, ~whole)
        )
        for row in checked(rows, (*key, value), [*map(kind_of, key), int | float]):
            broken.setdefault(row[:-1], []).append(row[-1])
    for group, members in groupby(values, lambda row: row[:width]):
        raw_counts, rows_of_tuple_type = ExactCounts(), dict[str, dict[str, int]]()
        for row in members:
            tuple_type, label, quantity, count, sum_of_whole, _, _ = row[width:]
            amount = tuple_type, label, quantity
            raw_counts.add({amount: sum_of_whole})
            for compensation in broken.get(row[: len(key)], ()):
                raw_counts.add({amount: compensation})
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
        yield group, raw_counts


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
