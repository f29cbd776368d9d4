"""Items of systems with their scores and what is wrong in them, the worst first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphscore.evaluation.rows.item_details import ItemDetails
from graphscore.evaluation.rows.sentences import SystemItems
from graphscore.report.notebook import as_table
from graphscore.report.page.errors import error_lines, telling
from graphscore.report.text import Column, Ratio, Table, cell, one_line

FIRST = 10
"""Items of a system whose errors a table shows."""

WIDTH = 80
"""Characters of a line."""

LEAST = 16
"""Characters of a text in a table, at least."""

_BEHIND = ("gold", "errors", "text")
"""Columns behind those of scores."""


def item_values(found: Sequence[SystemItems]) -> list[dict[str, Any]]:
    """Items with their F1 in every framework, their text and errors, as JSON has them.

    Args:
        found: the items of each system by each metric.
    """
    several = len({items.metric for items in found}) > 1
    return [
        {
            "system": items.system,
            **({"metric": items.metric} if several else {}),
            "language": item.language,
            "document": item.document,
            "item": item.item,
            "f1": item.f1,
            "mean": item.mean,
            "best": item.best,
            "gold": sum(item.gold.values()),
            "errors": items.detail(item).errors,
            "telling": told(items.detail(item)),
            "text": items.detail(item).text,
        }
        for items in found
        for item in items.scores.items
    ]


def item_rows(
    found: Sequence[SystemItems],
) -> tuple[list[str], list[tuple[Any, ...]]]:
    """The same as rows, with a column for each framework; their columns, too.

    Args:
        found: the items of each system by each metric.
    """
    systems = len({items.system for items in found}) > 1
    metrics = len({items.metric for items in found}) > 1
    frameworks = sorted({name for items in found for name in items.scores.frameworks})
    rows = [
        (
            *((items.system,) * systems + (items.metric,) * metrics),
            *(item.item, item.language, item.document),
            *(*map(item.f1.get, frameworks), item.mean, item.best),
            *(sum(item.gold.values()), items.detail(item).errors),
            items.detail(item).text,
        )
        for items in found
        for item in items.scores.items
    ]
    names = ["system"] * systems + ["metric"] * metrics
    columns = ["item", "language", "document", *frameworks, "mean", "best", *_BEHIND]
    return [*names, *columns], rows


def item_tables(found: Sequence[SystemItems], width: int = WIDTH) -> list[Table]:
    """Return a table of items by framework, and one of the errors of the first.

    A single framework is its own mean and best.  Languages and documents are left out
    where all items have the same.

    Args:
        found: the items of each system by each metric.
        width: characters of a line, in which texts have what is left.
    """
    columns, rows = item_rows(found)
    first, last = columns.index("document") + 1, len(columns) - len(_BEHIND)
    alike = {"mean", "best"} if last - first < 4 else set()
    for name in ("language", "document"):
        index = columns.index(name)
        if len({row[index] for row in rows}) < 2:
            alike.add(name)
    if not any(row[-1] for row in rows):
        alike.add("text")
    kept = [index for index, name in enumerate(columns) if name not in alike]

    shown = [
        [
            Ratio(row[index])
            if first <= index < last and row[index] is not None
            else row[index]
            for index in kept
        ]
        for row in rows
    ]
    names = [columns[index] for index in kept]
    if names[-1] == "text":
        others = [
            [name, *map(cell, column)]
            for name, column in zip(names, zip(*shown, strict=True), strict=False)
            if name != "text"
        ]
        taken = sum(max(map(len, column)) + 2 for column in others)
        for row in shown:
            row[-1] = one_line(str(row[-1]), max(LEAST, width - taken))
    table = as_table(names, shown)
    errors = _error_table(found)
    return [table, *([errors] if errors.rows else [])]


def _error_table(found: Sequence[SystemItems]) -> Table:
    """The most telling errors of the first items of each system."""
    systems = len({items.system for items in found}) > 1
    metrics = len({items.metric for items in found}) > 1
    names = ["system"] * systems + ["metric"] * metrics
    table = Table(
        [Column(name) for name in (*names, "item", "most telling errors")],
    )
    for items in found:
        for item in items.scores.items[:FIRST]:
            if errors := told(items.detail(item)):
                head = (items.system,) * systems + (items.metric,) * metrics
                table.rows.append((*head, item.item, "; ".join(errors)))
    return table


def told(details: ItemDetails) -> list[str]:
    """The most telling errors of an item in words.

    Args:
        details: of the item.
    """
    lines = [
        line
        for framework in details.frameworks
        for line in error_lines(framework.errors, framework.gold, framework.system)
    ]
    return telling(lines)
