"""Tables of notebooks: the first rows, and any table as HTML."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from itertools import islice

from graphscore.evaluation.result import Result
from graphscore.evaluation.rows.errors import Confusions, Errors
from graphscore.evaluation.rows.scores import ClassRows
from graphscore.evaluation.unit import Items
from graphscore.exceptions import amount
from graphscore.report.plots import NEEDED, bar_chart, rendered
from graphscore.report.table import NAME, Ratio, Table, as_table, one_line
from graphscore.report.tables import group_table, heading, item_table
from graphscore.store.read.frequent import Frequent

FIRST = 20
"""Number of rows to show."""

_ERROR_COLUMNS = (
    *(
        "framework",
        "document",
        "item",
        "layer",
        "tuple_type",
        "error_type",
        "object",
        "label",
    ),
    *("name", "value", "reason"),
)
"""Columns of errors to show: no ordinals, and none that is constant."""


def result_tables(result: Result) -> list[Table]:
    """A result as a table of frameworks and tuple types."""
    table = group_table(result, result.columns)
    table.title = heading(result)
    return [table]


def class_tables(classes: ClassRows) -> list[Table]:
    """The classes of a result; ratios times 100, as in all tables."""
    rows = [(row.name, *map(Ratio, row[1:4]), row.support) for row in classes]
    return [as_table(classes.columns, rows)]


def items_tables(items: Items) -> list[Table]:
    """The first items of a result."""
    table = item_table(items.result, items[:FIRST])
    return [_with_rest(table, len(items), "item")]


def error_tables(errors: Errors) -> list[Table]:
    """The first errors, without columns in which there is nothing."""
    first = [*islice(errors, FIRST)]
    columns = [
        name
        for name in _ERROR_COLUMNS
        if any(row[name] not in (None, "") for row in first)
    ]
    table = as_table(columns, ([row[name] for name in columns] for row in first))
    table.title = f"{_named(errors.result)}: {amount(len(errors), 'error')}"
    return [_with_rest(table, len(errors), "error")]


def frequent_tables(frequent: Frequent) -> list[Table]:
    """All groups of errors that were counted."""
    return [as_table(frequent.columns, frequent.rows)]


def confusion_tables(confusions: Confusions) -> list[Table]:
    """The most frequent confusions."""
    table = as_table(confusions.columns, confusions.rows[:FIRST])
    times = sum(row.times for row in confusions.rows)
    table.title = f"{_named(confusions.result)}: {amount(times, 'confusion')}"
    return [_with_rest(table, len(confusions), "pair of values")]


def _named(result: Result) -> str:
    system, gold = one_line(result.system, NAME), one_line(result.gold, NAME)
    return f"{result.metric}: {system} against {gold}"


def _with_rest(table: Table, number: int, what: str) -> Table:
    """A table that says how many rows it leaves out."""
    if number > len(table.rows):
        table.notes.append(f"{len(table.rows)} of {number} {what}s")
    if not table.rows:
        table.columns = []
    return table


def picture(result: Result) -> str | None:
    """A bar as SVG; none without the extra ``[plots]``, or where nothing is drawn.

    Args:
        result: what is drawn.
    """
    if result.nothing or any(find_spec(name) is None for name in NEEDED):
        return None
    return rendered(bar_chart([result]), "shown.svg").decode()


def html(tables: Iterable[Table], places: int = 2) -> str:
    """Several tables as HTML, without scripts or style sheets."""
    return "".join(html_table(table, places) for table in tables)


def html_table(table: Table, places: int = 2) -> str:
    """Any table as HTML, without scripts or style sheets.

    Example:
        >>> from graphscore.report.table import Column
        >>> html_table(Table([Column("a")], [("<",)])).partition("<tbody>")[2]
        '<tr><th scope="row">&lt;</th></tr></tbody></table>'
    """
    # Only pages and notebooks need templates.
    from graphscore.report.page.templating import parts

    return str(parts().table(table, places, styled=False)).strip()
