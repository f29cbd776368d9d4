"""The report: all parts in one page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from graphscore.drawing.styles import Standing
from graphscore.evaluation.messages import told
from graphscore.evaluation.options import package_version
from graphscore.report.page.comparison import versus_part
from graphscore.report.page.confusions import confusions_part
from graphscore.report.page.error_impact import gains_part
from graphscore.report.page.errors import frequent_part, look_part
from graphscore.report.page.fragments import part, text
from graphscore.report.page.items import (
    OPEN,
    Shown,
    changes_of,
    item_section,
    items_part,
    legend_part,
)
from graphscore.report.page.page import page
from graphscore.report.page.pictures import (
    Form,
    forms_of,
    pack_block,
    pictured,
    room_for,
)
from graphscore.report.page.report_data import ReportData
from graphscore.report.page.scores import main_scores, scores_part


def report_page(findings: ReportData, limit: int | None = None) -> str:
    """A report as a page of one file.

    Args:
        findings: what it tells.
        limit: bytes that it may have; see
            :func:`~graphscore.report.page.pictures.room_for`.

    Returns:
        The text of the file, the same for the same findings.
    """
    pictures = [pictured(item, findings.budget) for item in findings.items]
    changed = changes_of(findings)
    standings: set[Standing] = set().union(*(picture.standings for picture in pictures))

    def items(forms: Sequence[Form]) -> str:
        sections = [
            item_section(
                item,
                findings.systems,
                Shown(drawn, form, changed, findings.places),
                opened=item.number <= OPEN,
            )
            for item, drawn, form in zip(findings.items, pictures, forms, strict=True)
        ]
        return items_part(findings, sections, forms, pack_block(pictures, forms))

    parts = {
        "Scores": scores_part(findings),
        "Comparison": versus_part(findings),
        "Confusions": confusions_part(findings),
        "Most frequent errors": frequent_part(findings),
        "What would be gained": gains_part(findings),
        "Marks in pictures": legend_part([*standings], fold=True),
        "Items": items(["left out"] * len(pictures)),
        "How to make it again": reproduce_part(findings),
    }
    rest = len(_joined(findings, parts).encode())
    room = room_for(len(pictures), rest, limit)
    forms = forms_of(pictures, room)
    if "left out" in forms:
        pictures = [pictured(item, findings.budget, True) for item in findings.items]
        forms = forms_of(pictures, room)
    parts["Items"] = items(forms)
    return _joined(findings, parts)


def _joined(findings: ReportData, parts: Mapping[str, str]) -> str:
    """The page with its head and the list of its parts."""
    links = "".join(
        f'<li><a href="#{_id_of(body)}">{title}</a></li>'
        for title, body in parts.items()
        if body
    )
    title = f"{findings.title}: report"
    return page(
        title,
        [
            f"<header><h1>{text(findings.title, 400)}</h1>",
            main_scores(findings),
            look_part(findings),
            _notes(findings),
            "</header>",
            f'<nav aria-label="contents" class="contents"><ul>{links}</ul></nav>',
            "<main>",
            *parts.values(),
            "</main>",
            f'<footer class="soft">graphscore {text(package_version())}</footer>',
        ],
    )


def _id_of(body: str) -> str:
    """The id of a part."""
    return body.partition('id="')[2].partition('"')[0]


def _notes(findings: ReportData) -> str:
    """Return the notes on the scores, deduplicated."""
    lines = told([result for _, result in findings.every])
    if not lines:
        return ""
    listed = "".join(f"<li>{text(line, 400)}</li>" for line in lines)
    return f'<ul class="notes">{listed}</ul>'


def reproduce_part(findings: ReportData) -> str:
    """Return the section with the signatures, and a command to reproduce the scores.

    Args:
        findings: what a report tells.
    """
    command = (
        f"<p>The command:</p><pre><code>{text(findings.command, 4000)}</code></pre>"
        if findings.command
        else ""
    )
    signatures = dict.fromkeys(result.signature for _, result in findings.every)
    lines = "".join(
        f"<li><code>{text(signature, 2000)}</code></li>"
        for signature in signatures
        if signature
    )
    intro = (
        "<p>Equal signatures mean equal scores: they name metric, options, version, "
        "and digests of what gold and the system hold.</p>"
    )
    return part(
        "reproduce",
        "How to make it again",
        command,
        f'{intro}<ul class="signatures">{lines}</ul>' if lines else "",
    )
