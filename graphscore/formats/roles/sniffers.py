"""What files of this family begin with: light, for no reader is imported to tell."""

from __future__ import annotations

import re

from graphscore.formats.base import NO_FIT, Fit
from graphscore.formats.roles.brackets import labels_in
from graphscore.formats.roles.conllu_srl_layout import (
    ARGUMENTS,
    FLAG,
    NOTHING,
    ROLESET,
    UNFLAGGED,
    shape_of,
)
from graphscore.formats.shared.beginnings import text_of, whole_lines
from graphscore.formats.shared.conllu_columns import columns_in
from graphscore.formats.source import BOM


def conll2005(head: bytes) -> Fit:
    """Whether the last columns of the first sentences with predicates are brackets."""
    width, star = 0, False
    for line in whole_lines(text_of(head)):
        row = line.split()
        if not row:
            width = 0
        elif line.startswith("#") or (width and len(row) != width):
            return NO_FIT
        elif len(row) > 1 or labels_in(row[0]):
            width = len(row)
            last = labels_in(row[-1])
            if last is None and row[-1] != "-":
                return NO_FIT
            # A word is never a bracket with a label in it.
            star = star or (last is not None and bool(last[0]))
        else:
            width = len(row)
    return Fit(0.9, "its last columns are brackets of roles") if star else NO_FIT


def conll2009(head: bytes) -> Fit:
    """Whether the first word has heads, and relations, where they should be."""
    for line in text_of(head).split("\n"):
        if not line.strip() or line.startswith("#"):
            continue
        row = line.split("\t") if "\t" in line else line.split()
        fits = (
            len(row) >= 14
            and row[0] == "1"
            and all(each == "_" or each.isdecimal() for each in row[8:10])
            # Graphs of SDP have a frame and arguments there, not heads.
            and any(each.isdecimal() for each in row[8:10])
            and not any(each.isdecimal() for each in row[10:12])
            and row[12] in {"Y", "_"}
        )
        why = "its first word has heads and predicates where CoNLL-2009 has them"
        return Fit(0.9, why) if fits else NO_FIT
    return NO_FIT


_ID = re.compile(r"\d+([-.]\d+)?")


def _is_unflagged(rows: list[list[str]], whole: bool) -> bool:
    """Whether a sentence, or its beginning, has senses but no flags."""
    if not rows:
        return False
    shape = shape_of(rows)
    width, rows = shape.width, [shape.fitted(row) for row in rows]
    if any(len(row) != width for row in rows):
        return False
    heads = {row[6] for row in rows} - {NOTHING}
    if not heads or not all(each.isdecimal() for each in heads):
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
_WITH_SENSES = Fit(0.9, "there are senses and roles behind columns of CoNLL-U")


def conllu_srl(head: bytes) -> Fit:
    """Whether there is a line with a flag and a number of columns that fits it.

    Or a sentence with as many senses behind its ten columns as columns behind them,
    or MISC says roles.  Fourteen columns and more can be CoNLL-2009, which has no flag
    where this has.
    """
    text = text_of(head)
    if columns_in(text) is not None:
        return NO_FIT
    rows: list[list[str]] = []
    for line in whole_lines(text):
        row = line.split("\t")
        if len(row) >= 10 and not line.startswith("#") and _ID.fullmatch(row[0]):
            rows.append(row)
            early, late = row[8], row[10] if len(row) > 12 else NOTHING
            short = early == FLAG and late in (FLAG, NOTHING)
            if short or (late == FLAG and (early == NOTHING or ":" in early)):
                head_column = row[6]
                fits = head_column == NOTHING or head_column.isdecimal()
                return _FLAGGED if fits else NO_FIT
        elif not line.strip():
            if _is_unflagged(rows, True):
                return _WITH_SENSES
            rows = []
    return _WITH_SENSES if _is_unflagged(rows, text.endswith("\n")) else NO_FIT


def framenet_xml(head: bytes) -> Fit:
    """Whether a file begins like one of framenet-xml."""
    start = head.removeprefix(BOM).lstrip()
    if not start.startswith((b"<?xml", b"<fullText", b"<lexUnit", b"<corpus", b"<!--")):
        return NO_FIT
    found = re.search(rb"<(fullTextAnnotation|lexUnit|annotationSet)[\s>]", start)
    if found or (b"<corpus" in start and b"<document" in start):
        return Fit(1.0, "it is XML with the elements of FrameNet")
    return NO_FIT


def up(head: bytes) -> Fit:
    """Whether the first lines declare columns with roles."""
    if columns_in(text_of(head)) is None:
        return NO_FIT
    return Fit(1.0, "its first lines declare columns with roles")
