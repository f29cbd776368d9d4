"""Tables as Markdown and LaTeX: whatever labels hold, both say it."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from graphscore.report.latex import LONGEST, latex
from graphscore.report.latex import listing as latex_listing
from graphscore.report.markdown import listing, markdown
from graphscore.report.table import (
    BEST,
    Best,
    BestAmount,
    Bounded,
    Column,
    Ratio,
    Table,
    one_line,
)
from tests.markup.latex import BrokenError, tabulars
from tests.markup.markdown import read

LABELS = [
    "".join(map(chr, range(33, 127))),
    *("[x]", "*y", "\\\\", "\\[1em]", "a--b---c", "''q''", ",,x", "``x''", "?`x"),
    *("δ↔φΣ×→⟦a⟧⊆³½≤≠≈·≥∉∈∅←σ⟩⟨¬²†", '"a "o', "%", "\\end{table}", "$x^2$", "^^M"),
    *("é č ø «a» “b” – …", "a\nb\tc\x1b", "\\input{x}", "|", "a\\|b", "\\", "~~s~~"),
    *("[a](b)", "![a](b)", "<b>", "<!-- -->", "&amp;", "&#65;", "_x_ a_b __init__"),
    *("`c`", "```", "a*b*c", "**", "#1", "# a", "- a", "1. x", "12) y", "> q", "==="),
    *("https://x.y/_a_", "{", "}", "{}", "a & b", "x\u200by", ":-:", "+", "_", "*_*"),
]

NUMBERS = [
    *(Ratio(0.5), Ratio(-0.25), Best(0.7), Best(-0.1), BestAmount(4), 3, -4, None),
    *(Bounded(0.5, -0.1, 0.9), 0.25, True, "-"),
]


@pytest.fixture(scope="module")
def hostile() -> Table:
    """Every label in every place."""
    table = Table(
        [Column(LABELS[0]), Column("|"), Column("a_b"), Column("n", "count")],
        title=f"{LABELS[0]} {BEST}",
        notes=[*LABELS, ("*f|*", Ratio(0.2))],
        rules={0, 2},
        signature="metric:a_b|gold:`1`|items:{2},%",
        listing="select `a`\n  ```\nfrom b[1] -- \\end{verbatim}\n\n├ %",
        marks={(0, 3): "†", (1, 3): "**"},
        legend="† differs, p < 0.05",
    )
    for place, label in enumerate(LABELS):
        number = NUMBERS[place % len(NUMBERS)]
        table.rows.append((label, LABELS[-place], "x", number))
    return table


def test_markdown_shows_every_label_as_it_is(hostile: Table) -> None:
    page = read(markdown([hostile, hostile], 1))
    assert len(page.tables) == 2
    head, *rows = page.tables[1]
    assert head == [LABELS[0], "|", "a_b", "n"]
    assert [row[0] for row in rows] == [one_line(each) for each in LABELS]
    assert [row[1] for row in rows] == [one_line(LABELS[-n]) for n in range(len(rows))]
    numbers = ["50.0†", "-25.0**", "70.0", "-10.0", "4", "3", "-4"]
    assert [row[3] for row in rows[:7]] == numbers
    assert [row[3] for row in rows[7:12]] == [
        *("", "50.0 [-10.0, 90.0]", "0.25", "yes", "-")
    ]
    title = f"{LABELS[0]} (best in bold)"
    assert page.bold[:4] == [title, "70.0", "-10.0", "4"]
    notes = [*map(one_line, LABELS), "*f|* 20.0", "† differs, p < 0.05"]
    assert page.lines == [*([title, *notes] * 2), hostile.signature]
    assert page.listings[0] == f"{hostile.listing}\n"


def test_latex_balances_whatever_labels_hold(hostile: Table) -> None:
    text = latex([hostile, hostile], 1)
    one, two = tabulars(text)
    assert one == two
    assert len(one) == 1 + len(LABELS)
    cells = [row[3] for row in one[1:13]]
    assert cells == [
        *(r"50.0\ensuremath{{}^{\dagger}}", r"$-25.0$\textsuperscript{{*}{*}}"),
        *(r"\textbf{70.0}", r"$\mathbf{-10.0}$", r"\textbf{4}", "3", "$-4$", ""),
        *("50.0 {[}-10.0, 90.0{]}", "0.25", "yes", "-"),
    ]
    # Under the head, which further pages have again, and above the third row.
    assert text.count(r"\midrule") == 6
    assert text.startswith("% needs \\usepackage{booktabs,longtable}\n")
    assert text.count("% needs") == 1


def test_many_tables_leave_latex_room_and_short_ones_float() -> None:
    table = Table([Column("a")], [("b",)] * LONGEST, title="t", signature="m:x")
    text = latex([table] * 33)
    assert len(tabulars(text)) == text.count(r"\begin{table}") == 33
    assert text.count(r"\clearpage") == 2
    assert "longtable" not in text


@pytest.mark.parametrize(
    "text",
    [
        "\\begin{tabular}{lr}\na & b & c \\\\\n\\end{tabular}",
        "\\begin{table}\n\\end{tabular}",
        "\\begin{table}",
        "a_b",
        "50% off",
        "{\\{}\n{",
        "\\begin{tabular}{l}\n\\midrule\n[a] \\\\\n\\end{tabular}",
    ],
)
def test_the_checker_finds_what_is_broken(text: str) -> None:
    with pytest.raises(BrokenError):
        tabulars(text)


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no LaTeX here")
def test_latex_itself_sets_it(hostile: Table, tmp_path: Path) -> None:
    short = Table(hostile.columns, hostile.rows[:20], title=hostile.title)
    page = (
        "\\documentclass{article}\n\\usepackage{booktabs,longtable}\n"
        f"\\begin{{document}}\n{latex([hostile, *[short] * 60])}\n"
        f"{latex_listing(chr(10).join(LABELS))}\\end{{document}}\n"
    )
    (tmp_path / "page.tex").write_text(page, encoding="utf-8")
    command = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "page.tex"]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]
    assert b"Missing character" not in done.stdout


def test_the_signature_is_not_said_twice() -> None:
    table = Table([Column("a")], [("b",)], signature="m:x|v:1", notes=["  m:x|v:1"])
    assert markdown([table]).count("m:x") == 1
    assert latex([table]).count("m:x") == 1


def test_listings_stand_as_they_are() -> None:
    text = "a  b\n\n  ````\n\tc"
    assert read(listing(text)).listings == [f"{text}\n"]
    lines = latex_listing(text).split("\n")[1:-2]
    assert [re.sub(r"\\\\$", "", line).strip() for line in lines] == [
        *("a~~b", r"\mbox{}"),
        r"~~\textasciigrave{}\textasciigrave{}\textasciigrave{}\textasciigrave{}",
        "~~~~c",
    ]


def test_no_tables_are_nothing() -> None:
    assert markdown([]) == latex([]) == ""
