"""A strict reader of what the LaTeX of tables may be, for where there is no LaTeX."""

from __future__ import annotations

import re

_TOKEN = re.compile(r"\\([a-zA-Z]+|.)|[{}&$%^_~#\n]|[^\\{}&$%^_~#\n]+", re.DOTALL)

_RULES = {
    *(r"\toprule", r"\midrule", r"\bottomrule"),
    *(r"\endfirsthead", r"\endhead", r"\endfoot"),
}

_MATH = re.compile(r"\\ensuremath(\{(?:[^{}]|\{[^{}]*\})*\})|\$[^$]*\$")


class BrokenError(AssertionError):
    """LaTeX that would not be set as it was meant."""


def tabulars(text: str) -> list[list[list[str]]]:
    """Rows of cells of every tabular, as they are written; all else is checked.

    Raises:
        BrokenError: if braces or environments do not balance, a row has another number
            of cells than there are columns, or a character acts where none may.
    """
    lines = [line for line in text.split("\n") if not line.startswith("% needs")]
    _check_signs("\n".join(lines))
    found: list[list[list[str]]] = []
    opened: list[str] = []
    width = 0
    for number, raw in enumerate(lines, 1):
        line = raw.strip()
        begun = re.fullmatch(r"\\begin\{(\w+)\}(\{([lr]+)\})?(\\ttfamily)?", line)
        ended = re.fullmatch(r"\\end\{(\w+)\}", line)
        if begun:
            opened.append(begun[1])
            if begun[1] in ("tabular", "longtable"):
                width = len(begun[3] or "")
                found.append([])
        elif ended:
            if not opened or opened.pop() != ended[1]:
                raise BrokenError(f"{number}: {line} ends nothing that is open")
        elif opened[-1:] in (["tabular"], ["longtable"]):
            if line == r"\endhead":
                found[-1].pop()  # the head that further pages have again
            if line in _RULES or line.startswith(r"\caption{"):
                continue
            if not line.endswith(r"\\"):
                raise BrokenError(f"{number}: no end of a row: {line}")
            cells = _cells(line.removesuffix(r"\\"))
            if len(cells) != width:
                raise BrokenError(
                    f"{number}: {len(cells)} cells, {width} columns: {line}"
                )
            if line.startswith(("[", "*")):
                raise BrokenError(f"{number}: the rule above takes what begins the row")
            found[-1].append(cells)
    if opened:
        raise BrokenError(f"still open: {opened}")
    return found


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in re.split(r"(?<!\\)&", line)]


def _check_signs(text: str) -> None:
    depth = 0
    for token in _TOKEN.finditer(_MATH.sub("x", text)):
        sign = token[0]
        if sign == "{":
            depth += 1
        elif sign == "}":
            depth -= 1
            if depth < 0:
                raise BrokenError(f"a brace that closes nothing at {token.start()}")
        elif sign in ("$", "%", "^", "_", "#"):
            near = text[max(0, token.start() - 30) : token.start() + 30]
            raise BrokenError(f"{sign} acts near {near!r}")
    if depth:
        raise BrokenError(f"{depth} braces are still open")
