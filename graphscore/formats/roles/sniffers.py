"""What files of this family begin with: light, for no reader is imported to tell."""

from __future__ import annotations

import re

from graphscore.formats.roles.brackets import labels_in
from graphscore.formats.roles.conllu_srl_layout import (
    ARGUMENTS,
    FLAG,
    NOTHING,
    ROLESET,
    UNFLAGGED,
    shape_of,
)
from graphscore.formats.shared.conllu_columns import columns_in
from graphscore.formats.source import BOM


def _text(head: bytes) -> str:
    return head.removeprefix(BOM).decode("utf-8", "replace").replace("\r\n", "\n")


def _whole_lines(text: str) -> list[str]:
    """The lines, without the last one if it may be cut off."""
    lines = text.split("\n")
    return lines if text.endswith("\n") or len(lines) == 1 else lines[:-1]


def conll2005(head: bytes) -> bool:
    """Whether the last columns of the first sentences with predicates are brackets."""
    width, star = 0, False
    for line in _whole_lines(_text(head)):
        row = line.split()
        if not row:
            width = 0
        elif line.startswith("#") or (width and len(row) != width):
            return False
        elif len(row) > 1 or labels_in(row[0]):
            width = len(row)
            last = labels_in(row[-1])
            if last is None and row[-1] != "-":
                return False
            # A word is never a bracket with a label in it.
            star = star or (last is not None and bool(last[0]))
        else:
            width = len(row)
    return star


def conll2009(head: bytes) -> bool:
    """Whether the first word has heads, and relations, where they should be."""
    for line in _text(head).split("\n"):
        if not line.strip() or line.startswith("#"):
            continue
        row = line.split("\t") if "\t" in line else line.split()
        return (
            len(row) >= 14
            and row[0] == "1"
            and all(each == "_" or each.isdecimal() for each in row[8:10])
            # Graphs of SDP have a frame and arguments there, not heads.
            and any(each.isdecimal() for each in row[8:10])
            and not any(each.isdecimal() for each in row[10:12])
            and row[12] in {"Y", "_"}
        )
    return False


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


def conllu_srl(head: bytes) -> bool:
    """Whether there is a line with a flag and a number of columns that fits it.

    Or a sentence with as many senses behind its ten columns as columns behind them,
    or MISC says roles.  Fourteen columns and more can be CoNLL-2009, which has no flag
    where this has.
    """
    text = _text(head)
    if columns_in(text) is not None:
        return False
    rows: list[list[str]] = []
    for line in _whole_lines(text):
        row = line.split("\t")
        if len(row) >= 10 and not line.startswith("#") and _ID.fullmatch(row[0]):
            rows.append(row)
            early, late = row[8], row[10] if len(row) > 12 else NOTHING
            short = early == FLAG and late in (FLAG, NOTHING)
            if short or (late == FLAG and (early == NOTHING or ":" in early)):
                head_column = row[6]
                return head_column == NOTHING or head_column.isdecimal()
        elif not line.strip():
            if _is_unflagged(rows, True):
                return True
            rows = []
    return _is_unflagged(rows, text.endswith("\n"))


def framenet_xml(head: bytes) -> bool:
    """Whether a file begins like one of framenet-xml."""
    start = head.removeprefix(BOM).lstrip()
    if not start.startswith((b"<?xml", b"<fullText", b"<lexUnit", b"<corpus", b"<!--")):
        return False
    return re.search(
        rb"<(fullTextAnnotation|lexUnit|annotationSet)[\s>]", start
    ) is not None or (b"<corpus" in start and b"<document" in start)


def up(head: bytes) -> bool:
    """Whether the first lines declare columns with roles."""
    return columns_in(_text(head)) is not None
