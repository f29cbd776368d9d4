"""Systems beside each other: tests, and the errors that one fixed and broke."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from graphscore.report.changes import FIRST, WORDS, changes_tables
from graphscore.report.comparison import comparison_tables
from graphscore.report.page.fragments import part, table_of, text
from graphscore.report.page.report_data import ReportData
from graphscore.report.text import WIDE, Table
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


def versus_part(findings: ReportData) -> str:
    """The comparison of the systems.

    Args:
        findings: what a report tells.
    """
    parts = []
    for comparison in findings.comparisons:
        for changes in comparison.changes:
            counts = ", ".join(
                f"{changes.total(status)} {WORDS[status]}" for status in STATUSES
            )
            parts.append(
                f"<p>{text(changes.baseline)} to {text(changes.system)}, "
                f"{text(str(comparison.metric))}: errors {counts}</p>"
            )
    tables, title = [], ""
    for made in versus_tables(findings):
        # Under that of the systems stands that of their pairs.
        title = made.title or f"{title}: each pair"
        tables.append(table_of(replace(made, title=title), findings.places))
    notes = dict.fromkeys(
        note for comparison in findings.comparisons for note in comparison.notes
    )
    paragraphs = (f"<p>{text(note, 400)}</p>" for note in notes)
    return part("comparison", "Comparison", *parts, *tables, *paragraphs)
