"""What a store is made of, as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphscore.errors import amount
from graphscore.report.text import Column, Table, one_line

if TYPE_CHECKING:
    from graphscore.store.evaluations import Evaluation
    from graphscore.store.status import Status

_UNITS = ("bytes", "kB", "MB", "GB", "TB")


def in_bytes(number: int) -> str:
    """An amount of bytes in the unit that suits it, to three digits.

    Args:
        number: of bytes.

    Example:
        >>> in_bytes(1), in_bytes(999), in_bytes(1000), in_bytes(12_345_678)
        ('1 byte', '999 bytes', '1.00 kB', '12.3 MB')
    """
    if number < 1000:
        return amount(number, "byte")
    value, unit = float(number), 0
    while value >= 999.5 and unit < len(_UNITS) - 1:
        value, unit = value / 1000, unit + 1
    places = 2 if value < 9.995 else 1 if value < 99.95 else 0
    return f"{value:.{places}f} {_UNITS[unit]}"


def status_tables(found: Status) -> list[Table]:
    """What there is, by table, by collection, by evaluation.

    Args:
        found: what was found in the store.
    """
    return [_size(found), _collections(found), _evaluations(found)]


def _size(found: Status) -> Table:
    table = Table(
        [Column("table"), Column("rows", True), Column("size", True)],
        title=f"{in_bytes(found.size.bytes)} in all",
    )
    tables = [each for each in found.size.tables if each.rows]
    table.rows = [
        (each.table, each.rows, None if each.bytes is None else in_bytes(each.bytes))
        for each in tables
    ]
    if not tables:
        table.columns = []
    table.notes.append(f"store: {one_line(found.store)}")
    empty = len(found.size.tables) - len(tables)
    if empty:
        table.notes.append(f"{amount(empty, 'table')} without rows")
    if found.size.free:
        table.notes.append(f"{in_bytes(found.size.free)} of the file are free")
    table.notes.append(
        f"{found.database}, schema {found.schema}, graphscore {found.version}"
    )
    for what, when in (("ingest", found.last_ingest), ("score", found.last_score)):
        table.notes.append(f"last {what}: {when or 'never'}")
    return table


def _collections(found: Status) -> Table:
    names = ("graphs", "files", "rejected", "evaluations")
    table = Table(
        [Column("collection"), *(Column(name, True) for name in names)],
        title=amount(len(found.collections), "collection"),
        records=True,
    )
    table.rows = [
        (
            each.name,
            sum(each.graphs.values()),
            *(each.files, each.rejected, each.evaluations),
        )
        for each in found.collections
    ]
    if not table.rows:
        table.columns = []
    for name in found.unused:
        table.notes.append(f"used by no evaluation: {one_line(name)}")
    return table


def _evaluations(found: Status) -> Table:
    table = Table(
        [
            *map(Column, ("gold", "system", "metric")),
            Column("revision"),
            *map(Column, ("state", "made")),
        ],
        title=amount(len(found.evaluations), "evaluation"),
        records=True,
    )
    table.rows = [
        (
            *(each.gold, each.system, each.metric),
            *(_revision(found, each), each.status, each.created),
        )
        for each in found.evaluations
    ]
    if not table.rows:
        table.columns = []
    if found.unused_results:
        unused = amount(found.unused_results, "result")
        table.notes.append(f"{unused} that no evaluation uses")
    gone = found.prunable
    if gone.nothing:
        table.notes.append("nothing to prune")
    else:
        freed = "" if gone.bytes is None else f", some {in_bytes(gone.bytes)}"
        table.notes.append(
            f"prune would take out {amount(gone.evaluations, 'outdated evaluation')}, "
            f"{amount(gone.results, 'result')}, {amount(gone.texts, 'text')}{freed}"
        )
    return table


def _revision(found: Status, each: Evaluation) -> str:
    now = found.revisions[each.metric]
    other = each.status == "outdated" and now is not None
    return f"{each.revision} (now {now})" if other else str(each.revision)
