"""Tables as HTML, for notebooks: without scripts or style sheets."""

from __future__ import annotations

from collections.abc import Iterable

from graphscore.report.page.templating import parts
from graphscore.report.text import Table


def html(tables: Iterable[Table], places: int = 2) -> str:
    """Several tables as HTML."""
    return "".join(html_table(table, places) for table in tables)


def html_table(table: Table, places: int = 2) -> str:
    """Any table as HTML.

    Example:
        >>> from graphscore.report.text import Column
        >>> html_table(Table([Column("a")], [("<",)])).partition("<tbody>")[2]
        '<tr><th scope="row">&lt;</th></tr></tbody></table>'
    """
    return str(parts().table(table, places, styled=False)).strip()
