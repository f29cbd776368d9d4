"""Detection of formats from the first lines, where a row of the table does not do."""

from __future__ import annotations

import re

from graphscore.formats.base import Fit
from graphscore.formats.roles.conllu_srl_layout import (
    ARGUMENTS,
    FLAG,
    NOTHING,
    ROLESET,
    UNFLAGGED,
    shape_of,
)
from graphscore.formats.shared.conllu_columns import LOOKED_AT, columns_in


def conll2005(lines: list[str]) -> float:
    """Return whether the last columns are brackets, as many as their sentence has.

    A pattern cannot count columns.
    """
    # Most files that are looked at have no brackets.
    from graphscore.formats.roles.layout import labels_in

    width, star = 0, False
    for line in lines:
        row = line.split()
        if not row:
            width = 0
        elif line.startswith("#") or (width and len(row) != width):
            return 0.0
        elif len(row) > 1 or labels_in(row[0]):
            width = len(row)
            last = labels_in(row[-1])
            if last is None and row[-1] != "-":
                return 0.0
            # A word is never a bracket with a label in it.
            star = star or (last is not None and bool(last[0]))
        else:
            width = len(row)
    return 0.9 * star


def conll2009(lines: list[str]) -> float:
    """Return whether the first word has heads, and relations, where they should be.

    Columns are separated by tabs, or by blanks, which may be in those with tabs.
    """
    words = (line for line in lines if line and not line.startswith("#"))
    line = next(words, "")
    row = line.split("\t") if "\t" in line else line.split()
    fits = (
        len(row) >= 14
        and row[0] == "1"
        and all(head == "_" or head.isdecimal() for head in row[8:10])
        # Graphs of SDP have a frame and arguments there, not heads.
        and any(head.isdecimal() for head in row[8:10])
        and not any(relation.isdecimal() for relation in row[10:12])
        and row[12] in {"Y", "_"}
    )
    return 0.9 * fits


_ID = re.compile(r"\d+([-.]\d+)?")


def _is_unflagged(rows: list[list[str]], whole: bool) -> bool:
    """Return whether a sentence, or its beginning, has senses but no flags."""
    if not rows:
        return False
    shape = shape_of(rows)
    width, rows = shape.width, [shape.fitted(row) for row in rows]
    if any(len(row) != width for row in rows):
        return False
    heads = {row[6] for row in rows} - {NOTHING}
    if not heads or not all(head.isdecimal() for head in heads):
        return False
    if width == 10:
        return any(
            f"{ROLESET}=" in row[9] and f"{ARGUMENTS}=" in row[9] for row in rows
        )
    if any(row[8] != NOTHING and ":" not in row[8] for row in rows):
        return False
    senses = sum(row[10] != NOTHING for row in rows)
    columns = width - UNFLAGGED.before
    return senses == columns if whole else 0 < senses <= columns


_FLAGGED = Fit(0.95, "a predicate has a flag behind columns of CoNLL-U")


def conllu_srl(lines: list[str]) -> Fit | float:
    """Return whether there is a line with a flag and a fitting number of columns.

    Or a sentence with as many senses behind its ten columns as columns behind them,
    or MISC says roles.  Fourteen columns and more can be CoNLL-2009, which has no flag
    where this has.
    """
    if columns_in("\n".join(lines[:LOOKED_AT])) is not None:
        return 0.0
    rows: list[list[str]] = []
    for line in lines:
        row = line.split("\t")
        if len(row) >= 10 and not line.startswith("#") and _ID.fullmatch(row[0]):
            rows.append(row)
            early, late = row[8], row[10] if len(row) > 12 else NOTHING
            short = early == FLAG and late in (FLAG, NOTHING)
            if short or (late == FLAG and (early == NOTHING or ":" in early)):
                head_column = row[6]
                fits = head_column == NOTHING or head_column.isdecimal()
                return _FLAGGED if fits else 0.0
        elif not line.strip():
            if _is_unflagged(rows, True):
                return 0.9
            rows = []
    return 0.9 * _is_unflagged(rows, False)
