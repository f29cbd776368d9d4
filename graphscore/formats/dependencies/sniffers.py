"""What files of this family begin with: light, for no reader is imported to tell."""

from __future__ import annotations

import re

from graphscore.formats.shared.conllu_columns import COLUMNS, declared_in
from graphscore.formats.source import BOM

_ID = re.compile(r"\d+([-.]\d+)?")
_COMMENT = re.compile(r"# *(sent_id|text|newdoc|newpar|global\.columns)\b")


def conllu(head: bytes) -> bool:
    """Whether the first word looks like one, or else the first comments.

    Other formats have ten columns now and then (SDP with three predicates), but
    neither features nor a number in the right place; or they have more of them.
    """
    text = head.removeprefix(BOM).decode("utf-8", "replace").replace("\r\n", "\n")
    lines = [line for line in text.split("\n") if line.strip()]
    declared = declared_in(text)
    if declared is not None and declared.split() != [*COLUMNS]:
        return False
    words = [line for line in lines if not line.startswith("#")]
    if len(words) == 1 and len(lines) > 1 and not text.endswith("\n"):
        # It may be cut off; the comments have to do.
        words = []
    if any(_ID.match(line) and line.count("\t") >= len(COLUMNS) for line in words):
        # With more columns it is another format, wherever they begin.
        return False
    if words:
        columns = words[0].split("\t")
        if len(columns) == len(COLUMNS):
            feats, head_column, deps = columns[5], columns[6], columns[8]
            if "Roleset=" in columns[9] and "Args=" in columns[9]:
                # Semantic roles, as conllu-srl reads them.
                return False
            return (
                _ID.fullmatch(columns[0]) is not None
                and (feats == "_" or "=" in feats)
                and (head_column == "_" or head_column.isdecimal())
                and (deps == "_" or ":" in deps)
            )
    return any(_COMMENT.match(line) for line in lines[:5])
