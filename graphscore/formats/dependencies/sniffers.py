"""What files of this family begin with: light, for no reader is imported to tell."""

from __future__ import annotations

import re

from graphscore.formats.base import NO_FIT, Fit
from graphscore.formats.shared.beginnings import share_of, text_of, whole_lines
from graphscore.formats.shared.conllu_columns import COLUMNS, declared_in

_ID = re.compile(r"\d+([-.]\d+)?")
_COMMENT = re.compile(r"# *(sent_id|text|newdoc|newpar|global\.columns)\b")
_KEYED = re.compile(r"# *(sent_id|text|newdoc id|newpar id) *=")
"""A comment that tells, where a word of the sentence is odd."""


def conllu(head: bytes) -> Fit:
    """Whether the first words look like some, or else the first comments.

    Other formats have ten columns now and then (SDP with three predicates), but
    neither features nor a number in the right place; or they have more of them.
    """
    text = text_of(head)
    if text.startswith("#FORMAT="):
        # WebAnno's tables begin so, and may have as many columns.
        return NO_FIT
    declared = declared_in(text)
    if declared is not None and declared.split() != [*COLUMNS]:
        return NO_FIT
    lines = [line for line in text.split("\n") if line.strip()]
    words = [line for line in whole_lines(text) if line.strip()]
    words = [line for line in words if not line.startswith("#")]
    if any(_ID.match(line) and line.count("\t") >= len(COLUMNS) for line in words):
        # With more columns it is another format, wherever they begin.
        return NO_FIT
    if words:
        rows = [line.split("\t") for line in words]
        if any("Roleset=" in row[-1] and "Args=" in row[-1] for row in rows):
            # Semantic roles, as conllu-srl reads them.
            return NO_FIT
        good = sum(map(_is_word, rows))
        if good and _KEYED.match(lines[0]):
            bad = len(rows) - good
            fit = share_of(good, bad, "have the columns of CoNLL-U", 0.95)
            return max(fit, Fit(0.5, "its first comment is one of CoNLL-U"))
        if good:
            bad = len(rows) - good
            return share_of(good, bad, "have the columns of CoNLL-U", 0.95)
        if not _ID.match(words[0]) or any(len(row) == len(COLUMNS) for row in rows):
            return NO_FIT
    if any(_COMMENT.match(line) for line in lines[:5]):
        return Fit(0.5, "its first comments are those of CoNLL-U")
    return NO_FIT


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
