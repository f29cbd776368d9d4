"""An evaluation into another store, with the results that it is made of."""

from __future__ import annotations

from typing import Literal, NamedTuple

from sqlalchemy import Connection, Select, delete, func, insert, select

from graphscore.errors import Problem
from graphscore.store import schema
from graphscore.store.damage import checked
from graphscore.store.evaluations import Evaluation, find_evaluations
from graphscore.store.failures import guarded
from graphscore.store.transfer.carrying import BATCH, Carrier, Numbers, Row, Source
from graphscore.store.transfer.collections import Step
from graphscore.store.writing.cells import bulk_insert
from graphscore.store.writing.results import obtain_metric
from graphscore.store.writing.rows import batched, next_id
from graphscore.store.writing.totals import write_totals

_PARTS = (
    schema.mass,
    schema.correspondence,
    schema.error,
    schema.error_count,
)
"""What a result is made of."""

_RESULT = {column.name: place for place, column in enumerate(schema.result.columns)}

_KEY = ("gold", "system", "proven", "budget")
"""What tells results of a metric apart."""

Fate = Literal["new", "replaced", "unchanged", "kept"]
"""What became of an evaluation; ``kept`` if the one that was there stays."""


class CopiedEvaluation(NamedTuple):
    """What became of an evaluation."""

    gold: str
    system: str
    """Names of the collections where it went."""
    metric: str
    results: int
    """Results that went in."""
    errors: int
    """Rows of errors that these have."""
    known: int
    """Results that were there already."""
    status: str
    """``done``; ``stale`` if the collections have other graphs, too; ``outdated``."""
    fate: Fate


class Sides(NamedTuple):
    """The collections of an evaluation where it goes."""

    gold: str
    system: str
    gold_graphs: Numbers
    system_graphs: Numbers


def differs(
    source: Source,
    target: Connection,
    made: Evaluation,
    names: tuple[str, str],
    where: str,
) -> Problem | None:
    """Why an evaluation cannot be copied beside what is there; nothing if it can.

    Args:
        source: what is copied.
        target: the other store.
        made: the evaluation that is copied.
        names: of its gold and its system collection there.
        where: name of the other store.
    """
    gold, system = names
    found = find_evaluations(target, gold=gold, system=system, metric=made.metric)
    for each in found:
        same = _same(source, made, target, each)
        if "done" == each.status == made.status and not same:
            return Problem(
                *(where, None, None, f"evaluation of {system!r} against {gold!r}"),
                f"{made.metric} already, made in another way",
                "none; --replace (replace=True) takes the copied one in its place",
            )
    return None


def copy_evaluation(
    source: Source,
    target: Connection,
    made: Evaluation,
    sides: Sides,
    replace: bool,
    step: Step,
) -> CopiedEvaluation:
    """Take an evaluation over.

    Args:
        source: what is copied.
        target: a writing connection; the caller commits.
        made: the evaluation.
        sides: its collections where it goes.
        replace: whether it takes the place of another one.
        step: is told how far it is.

    Returns:
        What became of it.
    """
    status = made.status
    if status == "done" and not all(
        _holds(target, name, numbers)
        for name, numbers in zip(sides[:2], sides[2:], strict=True)
    ):
        status = "stale"
    there = find_evaluations(
        target, gold=sides.gold, system=sides.system, metric=made.metric
    )
    fate: Fate = "new"
    if there:
        same = _same(source, made, target, there[0])
        fate = _fate(there[0], status, same, replace)
    results, numbers = _Results(source, target, step), Numbers()
    if fate != "unchanged":
        numbers = results.take(made)
    if fate in ("new", "replaced"):
        table = schema.evaluation
        for each in there:
            target.execute(delete(table).where(table.c.id == each.id))
        _write(source, target, made, sides, status, numbers)
    else:
        status = there[0].status
    return CopiedEvaluation(
        sides.gold,
        sides.system,
        made.metric,
        results=results.new,
        errors=results.errors,
        known=results.known,
        status=status,
        fate=fate,
    )


def _same(
    source: Source, made: Evaluation, target: Connection, there: Evaluation
) -> bool:
    """Whether an evaluation is there as it is here: its signature says of what."""
    pair = schema.pair

    def pairs(of: Evaluation) -> Select[int]:
        counted = select(func.count()).select_from(pair)
        return counted.where(pair.c.evaluation == of.id)

    if (made.signature, made.revision) != (there.signature, there.revision):
        return False
    with guarded(source.name):
        ours = source.connection.execute(pairs(made)).scalar_one()
    return ours == target.execute(pairs(there)).scalar_one()


def _fate(old: Evaluation, status: str, same: bool, replace: bool) -> Fate:
    if same and old.status == status:
        return "unchanged"
    return "replaced" if replace or (status == "done" != old.status) else "kept"


def _holds(target: Connection, collection: str, numbers: Numbers) -> bool:
    """Whether a collection has the graphs that were copied, and no others."""
    graph, table = schema.graph, schema.collection
    held = target.execute(
        select(func.count(graph.c.id))
        .join_from(graph, table, table.c.id == graph.c.collection)
        .where(table.c.name == collection)
    ).scalar_one()
    return bool(held == len(numbers))


def _write(
    source: Source,
    target: Connection,
    made: Evaluation,
    sides: Sides,
    status: str,
    results: Numbers,
) -> None:
    table, pair, collection = schema.evaluation, schema.pair, schema.collection
    [row] = source.asked(select(table).where(table.c.id == made.id))
    ids = dict(
        checked(
            target.execute(
                select(collection.c.name, collection.c.id).where(
                    collection.c.name.in_(sides[:2])
                )
            ),
            (collection.c.name, collection.c.id),
        )
    )
    number = next_id(target, table)
    values = dict(zip(table.columns.keys(), row, strict=True)) | {
        "id": number,
        "gold": ids[sides.gold],
        "system": ids[sides.system],
        "status": "stale" if status == "stale" else row[_STATUS],
        "outdated": bool(row[_OUTDATED]),
    }
    target.execute(insert(table).values(values))
    at = {column.name: place for place, column in enumerate(pair.columns)}
    renumbered = (
        (at["gold_graph"], sides.gold_graphs),
        (at["system_graph"], sides.system_graphs),
        (at["result"], results),
    )
    mine = select(pair).where(pair.c.evaluation == made.id).order_by(pair.c.seq)
    for rows in source.streamed(mine):
        changed = []
        for each in rows:
            cells = [number, *each[1:]]
            for place, numbers in renumbered:
                cells[place] = numbers.get(each[place])
            changed.append(tuple(cells))
        bulk_insert(target, pair, changed)
    write_totals(target, number)


_STATUS = list(schema.evaluation.columns.keys()).index("status")
_OUTDATED = list(schema.evaluation.columns.keys()).index("outdated")


class _Results:
    """Results on their way."""

    def __init__(self, source: Source, target: Connection, step: Step) -> None:
        self.source, self.target, self.step = source, target, step
        self.carrier = Carrier(source, target)
        self.next = next_id(target, schema.result)
        self.metrics: dict[int, int] = {}
        self.new = self.known = self.errors = 0

    def take(self, made: Evaluation) -> Numbers:
        """Take over the results of an evaluation, and what they are now."""
        pair, numbers = schema.pair, Numbers()
        wanted = (
            select(pair.c.result)
            .where(pair.c.evaluation == made.id, pair.c.result.is_not(None))
            .distinct()
            .order_by(pair.c.result)
        )
        ids = (number for part in self.source.streamed(wanted) for [number] in part)
        for chunk in batched(ids, BATCH):
            rows = self.source.rows(schema.result, chunk)
            owners, new = self._numbered(rows)
            self._write([row for row in rows if row[0] in new], new)
            for before in sorted(owners):
                numbers.add(before, owners[before])
            self.step(len(rows))
        return numbers

    def _numbered(self, rows: list[Row]) -> tuple[dict[int, int], dict[int, int]]:
        """What results become: all of them, and those that are new."""
        known = self._there(rows)
        owners, new = {}, {}
        for row in rows:
            key = self._key(row)
            if key in known:
                owners[row[0]] = known[key]
                self.known += 1
            else:
                owners[row[0]] = new[row[0]] = self.next
                self.next += 1
        self.new += len(new)
        return owners, new

    def _key(self, row: Row) -> Row:
        number = row[_RESULT["metric"]]
        if number not in self.metrics:
            table = schema.metric
            columns = select(table.c.name, table.c.revision)
            [(name, revision)] = self.source.asked(columns.where(table.c.id == number))
            self.metrics[number] = obtain_metric(self.target, name, revision)
        return (self.metrics[number], *(row[_RESULT[name]] for name in _KEY))

    def _there(self, rows: list[Row]) -> dict[Row, int]:
        """Results that the other store has of the same pairs."""
        table = schema.result
        keys = {self._key(row) for row in rows}
        columns = (table.c.id, table.c.metric, *(table.c[name] for name in _KEY))
        found = self.target.execute(
            select(*columns).where(
                table.c.gold.in_({key[1] for key in keys}),
                table.c.metric.in_({key[0] for key in keys}),
            )
        )
        return {row[1:]: row[0] for row in checked(found, columns)}

    def _write(self, rows: list[Row], new: dict[int, int]) -> None:
        if not new:
            return
        place = _RESULT["metric"]
        changed = [
            (*row[:place], self.metrics[row[place]], *row[place + 1 :]) for row in rows
        ]
        self.carrier.write(schema.result, changed, new)
        for table in _PARTS:
            carried = self.carrier.carry(table, new)
            if table is schema.error:
                self.errors += carried
