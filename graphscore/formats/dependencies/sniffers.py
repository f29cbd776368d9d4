"""Detection of formats from the first lines, where a row of the table does not do."""

from __future__ import annotations

import re

from graphscore.formats.base import Fit
from graphscore.formats.recognition import share_of
from graphscore.formats.shared.conllu_columns import COLUMNS, LOOKED_AT, declared_in

_ID = re.compile(r"\d+([-.]\d+)?")
_COMMENT = re.compile(r"# *(sent_id|text|newdoc|newpar|global\.columns)\b")
_KEYED = re.compile(r"# *(sent_id|text|newdoc id|newpar id) *=")
"""A comment that tells, where a word of the sentence is odd."""


def conllu(lines: list[str]) -> Fit | float:
    """Return whether the first words look like words, or else the first comments.

    Other formats have ten columns now and then (SDP with three predicates), but
    neither features nor a number in the right place; or they have more of them, and
    no pattern of the beginning tells in which line.
    """
    declared = declared_in("\n".join(lines[:LOOKED_AT]))
    if declared is not None and declared.split() != [*COLUMNS]:
        return 0.0
    lines = [line for line in lines if line.strip()]
    words = [line for line in lines if not line.startswith("#")]
    rows = [line.split("\t") for line in words]
    if (
        # WebAnno's tables begin so, and may have as many columns.
        (lines and lines[0].startswith("#FORMAT="))
        # With more columns it is another format, wherever they begin.
        or any(len(row) > len(COLUMNS) and _ID.match(row[0]) for row in rows)
    ):
        return 0.0
    fit = Fit(0.0, "it has no words")
    if rows:
        good = sum(map(_is_word, rows))
        if good and any("Roleset=" in row[-1] and "Args=" in row[-1] for row in rows):
            # Semantic roles, as conllu-srl reads them.
            return 0.0
        bad = len(rows) - good
        fit = share_of(good, bad, "have the columns of CoNLL-U", 0.95)
        if good and _KEYED.match(lines[0]):
            return max(fit, Fit(0.5, "its first comment is one of CoNLL-U"))
        tens = any(len(row) == len(COLUMNS) for row in rows)
        if good or tens or not _ID.match(words[0]):
            return fit
    if any(_COMMENT.match(line) for line in lines[:5]):
        return Fit(0.5, "its first comments are those of CoNLL-U")
    return fit


def _is_word(columns: list[str]) -> bool:
    if len(columns) != len(COLUMNS):
        return False
    feats, head, deps = columns[5], columns[6], columns[8]
    return (
        _ID.fullmatch(columns[0]) is not None
        and (feats == "_" or "=" in feats)
        and (head == "_" or head.isdecimal())
        and (deps == "_" or ":" in deps)
    )
