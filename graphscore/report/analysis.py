"""Output of ``analyze``: statistics of collections as JSON, rows and tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from graphscore.model.frameworks import TUPLE_TYPES
from graphscore.report.table import Column, Ratio, Table, columns_of

if TYPE_CHECKING:
    from graphscore.analysis.collection import Named

COLUMNS = ("framework", "section", "name", "value", "share")


def described(collections: list[Named]) -> list[dict[str, Any]]:
    """Statistics as JSON."""
    return [
        ({"collection": name} if name else {}) | statistics.to_dict()
        for _, name, statistics in collections
    ]


def flat_statistics(
    collections: list[Named],
) -> tuple[Sequence[str], list[tuple[Any, ...]]]:
    """Statistics as rows, behind the collection if it is told; their columns, too."""
    rows: list[tuple[Any, ...]] = []
    for framework, collection, statistics in collections:
        first = (collection, framework) if collection else (framework,)
        for name, value in statistics.statistics().items():
            rows.append((*first, "statistics", name, value, None))
        for section, counts in (
            ("tuple_types", statistics.tuple_types()),
            ("cases", statistics.cases()),
        ):
            for name, count in counts.items():
                rows.append((*first, section, name, count["count"], count["share"]))
    apart = any(collection for _, collection, _ in collections)
    return ("collection", *COLUMNS) if apart else COLUMNS, rows


def _heads(collections: list[Named]) -> list[str]:
    """Return the heads of columns: frameworks, collections, or both."""
    single_framework = len({framework for framework, _, _ in collections}) == 1
    return [
        framework if not name else name if single_framework else f"{framework} {name}"
        for framework, name, _ in collections
    ]


def analysis_tables(collections: list[Named]) -> list[Table]:
    """Statistics as tables, with a column for each collection."""
    from graphscore.analysis import CASES, STATISTICS

    names = _heads(collections)
    whole = Table(
        [Column("property"), *columns_of("number", *names)],
        title="statistics",
    )
    statistics = [collection.statistics() for _, _, collection in collections]
    for key, value in STATISTICS.items():
        cells = [values[key] for values in statistics]
        if all(cell is None for cell in cells):
            continue
        if value.unit == "share":
            cells = [None if cell is None else Ratio(cell) for cell in cells]
        elif value.unit == "mean":
            cells = [None if cell is None else float(cell) for cell in cells]
        whole.rows.append((value.title, *(_shown(cell) for cell in cells)))
    if any(values["treewidth_bounds"] for values in statistics):
        whole.notes.append(
            "Where treewidths are only bounded, average and maximum are upper bounds."
        )
    tables = [whole]
    for title, order, counts in (
        (
            "tuples",
            TUPLE_TYPES,
            [collection.tuple_types() for _, _, collection in collections],
        ),
        (
            "special cases among the edges",
            CASES,
            [collection.cases() for _, _, collection in collections],
        ),
    ):
        pairs = [
            column
            for name in names
            for column in (Column(name, "count"), Column("%", "ratio"))
        ]
        table = Table([Column(""), *pairs], title=title)
        for key in order:
            row: list[Any] = [key]
            for own_counts in counts:
                count = own_counts.get(key, {"count": None, "share": None})
                row += [count["count"], count["share"]]
            table.rows.append(tuple(row))
        tables.append(table)
    return tables


def _shown(value: Any) -> Any:
    """A mean with three decimals, as mtool prints it; the rest as it is."""
    return f"{value:.3f}" if type(value) is float else value
