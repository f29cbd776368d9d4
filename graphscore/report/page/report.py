"""The report: all parts in one page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphscore import __version__
from graphscore.drawing.styles import Standing
from graphscore.evaluation.messages import merge_notes
from graphscore.exceptions import amount
from graphscore.report.page.comparison import versus_of
from graphscore.report.page.confusions import confusions_of
from graphscore.report.page.error_impact import gains_tables
from graphscore.report.page.errors import TELLING, frequent_tables, look_at
from graphscore.report.page.items import changes_of, shown_items
from graphscore.report.page.pictures import (
    Form,
    Pictured,
    forms_of,
    legend_of,
    pack_block,
    pictured,
    room_for,
)
from graphscore.report.page.report_data import ReportData
from graphscore.report.page.scores import main_table, scores_of
from graphscore.report.page.templating import file_page
from graphscore.report.table import Cell, Table

TITLES = {
    "scores": "Scores",
    "comparison": "Comparison",
    "confusions": "Confusions",
    "errors": "Most frequent errors",
    "gains": "What would be gained",
    "legend": "Marks in pictures",
    "items": "Items",
    "reproduce": "How to make it again",
}
"""Titles of the parts of a report."""


def report_page(
    findings: ReportData, limit: int | None = None, boards: Sequence[Table] = ()
) -> str:
    """A report as a page of one file.

    Args:
        findings: what it tells.
        limit: bytes that it may have; see
            :func:`~graphscore.report.page.pictures.room_for`.
        boards: leaderboards, which come first.

    Returns:
        The text of the file, the same for the same findings.
    """
    pictures = [pictured(item, findings.budget) for item in findings.items]
    changed = changes_of(findings)
    values = _parts(findings)
    standings: set[Standing] = set().union(*(picture.standings for picture in pictures))
    values["legend"] = legend_of(standings)

    def page(pictures: list[Pictured], forms: list[Form]) -> str:
        items = [
            item._replace(form=form)
            for item, form in zip(
                shown_items(findings, pictures, changed), forms, strict=True
            )
        ]
        left_out = forms.count("left out")
        return file_page(
            "report.html",
            f"{findings.title}: report",
            **values,
            boards=boards,
            contents=[
                (name, title)
                for name, title in TITLES.items()
                if (items if name == "items" else values.get(name, True))
            ],
            items=items,
            bare=amount(left_out, "item") if left_out else "",
            packed=pack_block(pictures, forms),
        )

    rest = len(page(pictures, ["left out"] * len(pictures)).encode())
    room = room_for(len(pictures), rest, limit)
    forms = forms_of(pictures, room)
    if "left out" in forms:
        pictures = [pictured(item, findings.budget, True) for item in findings.items]
        forms = forms_of(pictures, room)
    return page(pictures, forms)


def _parts(findings: ReportData) -> dict[str, Any]:
    """All that a report says beside its items, by the names that its template has."""
    results = [result for _, result in findings.every]
    signatures = [*dict.fromkeys(result.signature for result in results)]
    worst = findings.wanted.first is None
    count = amount(findings.of, "item")
    if len(findings.items) < findings.of:
        count = f"{len(findings.items)} of {count}"
    return {
        "heading": findings.title,
        "places": findings.places,
        "main": main_table(findings),
        "groups": look_at(findings),
        "worst": [Cell(item.name, f"#{item.id}") for item in findings.items[:TELLING]],
        "notes": merge_notes(results),
        "scores": [scores_of(findings, result) for result in results],
        "comparison": versus_of(findings),
        "confusions": confusions_of(findings),
        "frequent": [*frequent_tables(findings)],
        "gains": [*gains_tables(findings)],
        "amount_shown": count,
        "order": "the worst first" if worst else "in the order of gold",
        "command": findings.command,
        "signatures": [*filter(None, signatures)],
        "reproduce": findings.command or any(signatures),
        "version": __version__,
    }
