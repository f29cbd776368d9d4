"""Systems beside each other: tests, and the errors that one fixed and broke."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from graphscore.report.changes import FIRST, WORDS, changes_tables
from graphscore.report.comparison import comparison_tables
from graphscore.report.page.report_data import ReportData
from graphscore.report.table import Table
from graphscore.report.text import WIDE
from graphscore.statistics.changes import STATUSES


def versus_tables(findings: ReportData) -> Iterator[Table]:
    """The tables of ``compare``: systems, pairs, slices, and what changed.

    Args:
        findings: what a report tells.
    """
    if not findings.comparisons:
        return
    yield from comparison_tables(findings.comparisons)
    for comparison in findings.comparisons:
        for changes in comparison.changes:
            yield from changes_tables(
                comparison, changes, changes.first(2 * FIRST), WIDE
            )


class Versus(NamedTuple):
    """Everything that a report tells of the comparison of its systems."""

    changes: list[str]
    """Numbers of errors that each system fixed and broke, in words."""
    tables: list[Table]
    notes: list[str]


def versus_of(findings: ReportData) -> Versus | None:
    """Return the comparison of the systems, if they are compared.

    Args:
        findings: what a report tells.
    """
    if not findings.comparisons:
        return None
    lines = []
    for comparison in findings.comparisons:
        for changes in comparison.changes:
            counts = ", ".join(
                f"{changes.total(status)} {WORDS[status]}" for status in STATUSES
            )
            sides = f"{changes.baseline} to {changes.system}"
            lines.append(f"{sides}, {comparison.metric}: errors {counts}")
    tables, title = [], ""
    for table in versus_tables(findings):
        # Under that of the systems stands that of their pairs.
        title = table.title or f"{title}: each pair"
        tables.append(replace(table, title=title))
    notes = dict.fromkeys(
        note for comparison in findings.comparisons for note in comparison.notes
    )
    return Versus(lines, tables, [*notes])
