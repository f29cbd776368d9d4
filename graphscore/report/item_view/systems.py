"""One item of several systems: its text once, then what each of them has otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from graphscore.evaluation.options import Options
from graphscore.evaluation.store import Store
from graphscore.formats.streams import held_streams
from graphscore.metrics.base import Metric
from graphscore.report.item_view.sentences import compared_in_files, differs
from graphscore.report.item_view.stored import StoredItem
from graphscore.report.side_by_side import FLAT, WIDTH, Comparison
from graphscore.report.table import Table, side_name


class SystemItem(NamedTuple):
    """An item as one metric sees it for one system."""

    system: str
    comparison: Comparison
    because: str
    """Why the metric was chosen, where nobody named it."""


def items_of(
    gold: str,
    systems: Sequence[str],
    item: str,
    metrics: Sequence[Metric] | None,
    options: Options,
    framework: str | None = None,
    layer: str | None = None,
    *,
    store: Store | None = None,
) -> tuple[list[SystemItem], list[str]]:
    """Compare an item of several systems by every metric.

    Args:
        gold: a file, directory or glob; the name of a collection of a store.
        systems: likewise.
        item: the id of an item or of a document.
        metrics: what compares it; ``None`` for the default metrics.
        options: pairing, reading, budget.
        framework: only this one.
        layer: only this one.
        store: where the collections are, if they are some.

    Returns:
        The item for each system, framework and metric, and what there is to say of it.

    Raises:
        GraphscoreError: if there is no such item; near names are said.
    """
    items: list[SystemItem] = []
    notes: dict[str, None] = {}
    among = framework, layer
    with held_streams(len(systems) > 1):
        for system in systems:
            if store is not None:
                stored = StoredItem(store, gold, system, item, options)
                compared = stored.comparisons(metrics, *among)
            else:
                compared, remarks = compared_in_files(
                    gold, system, item, metrics, options, *among
                )
                notes |= dict.fromkeys(remarks)
            items += [SystemItem(system, *pair) for pair in compared]
    notes |= dict.fromkeys(
        filter(None, (system_item.comparison.note for system_item in items))
    )
    return items, [*notes]


def tables_of(
    items: Sequence[SystemItem], width: int = WIDTH, *, verbose: bool = False
) -> Iterator[Table]:
    """Yield the tables of an item; of several systems only rows that differ.

    Args:
        items: it, for each system, framework and metric.
        width: characters of a line.
        verbose: whether everything is shown of several systems too.
    """
    several = _are_several(items)
    shown_lines: set[str] = set()
    for item in items:
        tables = item.comparison.tables(width, verbose=verbose)
        if not several:
            yield from tables
            continue
        head, *parts, counts = tables
        head.title = f"{side_name(item.system)}: {head.title}"
        text = item.comparison.running_text
        head.notes = [
            note for note in head.notes if note != text or text not in shown_lines
        ]
        shown_lines.add(text)
        yield head
        for table in parts:
            # Tables that set sides beside each other begin with a mark.
            if not verbose and table.columns and not table.columns[0].name:
                table.rows = [row for row in table.rows if differs(table, row)]
            if table.rows or not table.columns:
                yield table
        yield counts


def rows_of(
    items: Sequence[SystemItem],
) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    """Return columns and rows of an item; of several systems each row names its own."""
    several = _are_several(items)
    rows = [
        (*((item.system,) * several), *row)
        for item in items
        for row in item.comparison.flat()
    ]
    return ("system",) * several + FLAT, rows


def values_of(items: Sequence[SystemItem]) -> list[dict[str, Any]]:
    """Return an item as JSON has it; of several systems each names its own."""
    several = _are_several(items)
    return [
        ({"system": item.system} if several else {}) | item.comparison.to_dict()
        for item in items
    ]


def _are_several(items: Sequence[SystemItem]) -> bool:
    return len({item.system for item in items}) > 1
