r"""Tables as LaTeX, with the rules of booktabs.

What comes out needs ``\usepackage{booktabs}``, and tables that are longer than a page
``\usepackage{longtable}``: a float would lose its last rows.  Whatever labels hold
is shown as it is.  Letters that LaTeX's own fonts do not have stay as they are: they
need XeLaTeX or LuaLaTeX and a font that has them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from graphscore.exceptions import visible
from graphscore.report.markup import caption, is_best, notes, plain
from graphscore.report.table import Table, one_line

_WORDS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "|": r"\textbar{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "`": r"\textasciigrave{}",
    # Babel gives this sign to some languages as a command.
    '"': r"\symbol{34}",
    # Behind the end of a row brackets and stars belong to that.
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
    "…": r"\ldots{}",
    "\u00a0": "~",
}

_SIGNS = {
    "δ": r"\delta",
    "φ": r"\varphi",
    "σ": r"\sigma",
    "α": r"\alpha",
    "β": r"\beta",
    "γ": r"\gamma",
    "κ": r"\kappa",
    "λ": r"\lambda",
    "μ": r"\mu",
    "π": r"\pi",
    "ρ": r"\rho",
    "τ": r"\tau",
    "θ": r"\theta",
    "ε": r"\varepsilon",
    "Σ": r"\Sigma",
    "Δ": r"\Delta",
    "×": r"\times",
    "·": r"\cdot",
    "±": r"\pm",
    "−": "-",
    "↔": r"\leftrightarrow",
    "→": r"\rightarrow",
    "←": r"\leftarrow",
    "⊆": r"\subseteq",
    "∈": r"\in",
    "∉": r"\notin",
    "∅": r"\emptyset",
    "∪": r"\cup",
    "∩": r"\cap",
    "≤": r"\leq",
    "≥": r"\geq",
    "≠": r"\neq",
    "≈": r"\approx",
    "¬": r"\neg",
    "∞": r"\infty",
    "²": "{}^{2}",
    "³": "{}^{3}",
    "½": r"\frac{1}{2}",
    "⟦": r"[\![",
    "⟧": r"]\!]",
    "⟨": r"\langle",
    "⟩": r"\rangle",
    "†": r"{}^{\dagger}",
    "‡": r"{}^{\ddagger}",
    "«": r"\ll",
    "»": r"\gg",
    "─": "-",
    "│": r"\vert",
    "├": r"\vdash",
    "└": r"\lfloor",
}

LONGEST = 40
"""Rows of a table that is a float; longer ones go on over pages."""

_FLOATS = 16
"""Limit of floats in a row; LaTeX holds no more than some fifty without a page."""

_ACTS = re.compile(f"[{re.escape(''.join((*_WORDS, *_SIGNS)))}]")

_LIGATURES = re.compile(r"(?<=-)-|(?<=')'|(?<=,),")
"""Signs that LaTeX would make one of with the one before."""

_NEGATIVE = re.compile(r"-\d[\d.]*")


def latex(tables: Iterable[Table], places: int = 2) -> str:
    r"""Tables as LaTeX, each on its own, a blank line between them.

    A table is a float, or a ``longtable`` if it has more than :data:`LONGEST` rows.

    Titles and signatures are captions; notes are small below.  The best cells are
    bold; what tests found significant is marked.

    Args:
        tables: what to show.
        places: decimals of ratios, which are times 100.

    Example:
        >>> from graphscore.report.table import Best, Column, Table
        >>> table = Table([Column("system"), Column("F1", "ratio")], title="ranking")
        >>> table.rows = [("a_b", Best(0.75)), ("c", 0.5)]
        >>> print(latex([table]), end="")
        % needs \usepackage{booktabs}
        \begin{table}
          \centering
          \caption{ranking}
          \begin{tabular}{lr}
            \toprule
            system & F1 \\
            \midrule
            a\_b & \textbf{75.00} \\
            c & 50.00 \\
            \bottomrule
          \end{tabular}
        \end{table}
    """
    listed = [*tables]
    if not listed:
        return ""
    blocks = []
    for number, table in enumerate(listed, 1):
        long = len(table.rows) > LONGEST
        blocks.append((_long if long else _float)(table, places))
        if number % _FLOATS == 0 and number < len(listed):
            blocks[-1] += "\\clearpage\n"
    longest = max(len(table.rows) for table in listed)
    packages = "booktabs,longtable" if longest > LONGEST else "booktabs"
    return f"% needs \\usepackage{{{packages}}}\n" + "\n".join(blocks)


def listing(text: str) -> str:
    """Lines in the face of a typewriter, as they are, such as SQL or a tree."""
    lines = visible(text.expandtabs(4)).strip("\n").split("\n")
    shown = ["  " + (escaped(line).replace(" ", "~") or r"\mbox{}") for line in lines]
    return "\n".join(
        (
            r"\begin{flushleft}\ttfamily",
            *(f"{line}\\\\" for line in shown[:-1]),
            shown[-1],
            "\\end{flushleft}\n",
        )
    )


def escaped(text: str) -> str:
    r"""*text* within a line, so that nothing in it acts.

    >>> print(escaped("50% of a_b & c--d"))
    50\% of a\_b \& c-{}-d
    """
    text = _LIGATURES.sub(lambda match: f"\0{match[0]}", one_line(text))
    return _ACTS.sub(_written, text).replace("\0", "{}")


def _written(match: re.Match[str]) -> str:
    sign = match[0]
    return _WORDS[sign] if sign in _WORDS else rf"\ensuremath{{{_SIGNS[sign]}}}"


def _spaced(text: str) -> str:
    """Escaped text; what stands in a little, such as ends of intervals, stays so."""
    rest = text.lstrip(" ")
    return "~" * (len(text) - len(rest)) + escaped(rest)


def _float(table: Table, places: int) -> str:
    if not table.columns and not _caption(table):
        message = "".join(f"{escaped(note)}\n\n" for note in notes(table, places))
        return message + (listing(table.listing) if table.listing else "")
    lines = [r"\begin{table}", r"  \centering"]
    if caption := _caption(table):
        lines.append(rf"  \caption{{{caption}}}")
    if table.columns:
        lines += [f"  {line}" for line in _tabular(table, places)]
    for note in notes(table, places):
        lines.append(rf"  \par{{\footnotesize {escaped(note)}\par}}")
    lines.append("\\end{table}\n")
    return "\n".join(lines) + _listed(table)


def _listed(table: Table) -> str:
    return f"\n{listing(table.listing)}" if table.listing else ""


def _long(table: Table, places: int) -> str:
    caption = _caption(table)
    head = [r"\toprule", _head(table), r"\midrule"]
    lines = [rf"\begin{{longtable}}{{{_sides(table)}}}"]
    lines += [rf"  \caption{{{caption}}} \\"] if caption else []
    lines += [f"  {line}" for line in (*head, r"\endfirsthead", *head, r"\endhead")]
    lines += [r"  \bottomrule", r"  \endfoot"]
    lines += [f"  {line}" for line in _rows(table, places)]
    lines.append(r"\end{longtable}")
    for note in notes(table, places):
        lines.append(rf"{{\footnotesize {escaped(note)}\par}}")
    return "\n".join([*lines, ""]) + _listed(table)


def _caption(table: Table) -> str:
    parts = [escaped(caption(table))]
    if table.signature:
        # It has no blanks: without leave to break it would run out of the page.
        fields = r"\textbar{}\allowbreak{}".join(
            escaped(field).replace(",", r",\allowbreak{}")
            for field in table.signature.split("|")
        )
        parts.append(rf"\texttt{{{fields}}}")
    return ". ".join(filter(None, parts))


def _tabular(table: Table, places: int) -> list[str]:
    inner = [r"\toprule", _head(table), r"\midrule", *_rows(table, places)]
    return [
        rf"\begin{{tabular}}{{{_sides(table)}}}",
        *(f"  {line}" for line in (*inner, r"\bottomrule")),
        r"\end{tabular}",
    ]


def _sides(table: Table) -> str:
    return "".join("r" if column.right else "l" for column in table.columns)


def _head(table: Table) -> str:
    return rf"{' & '.join(escaped(column.name) for column in table.columns)} \\"


def _rows(table: Table, places: int) -> Iterator[str]:
    for number, row in enumerate(table.rows):
        if number in table.rules and number:
            yield r"\midrule"
        cells = [
            _cell(table, number, column, value, places)
            for column, value in enumerate(row)
        ]
        yield rf"{' & '.join(cells)} \\"


def _cell(table: Table, row: int, column: int, value: Any, places: int) -> str:
    text = plain(value, places, table.columns[column].meaning)
    best = is_best(table, row, column)
    if _NEGATIVE.fullmatch(text) and not isinstance(value, str):
        shown = rf"$\mathbf{{{text}}}$" if best else f"${text}$"
    else:
        shown = _spaced(text)
        shown = rf"\textbf{{{shown}}}" if best and shown else shown
    mark = escaped(table.marks.get((row, column), ""))
    if mark and not mark.startswith(r"\ensuremath"):
        mark = rf"\textsuperscript{{{mark}}}"
    return shown + mark
