"""Which columns a file of CoNLL-U Plus declares, and which of them are roles.

The first line of such a file is ``# global.columns =`` and names
(https://universaldependencies.org/ext-format.html); names may have a prefix and a
colon.  Universal PropBank 2 has ``UP:PRED``, ``UP:ARGHEADS`` and ``UP:ARGSPANS``, of
other projects the prefixes differ.

>>> columns = columns_of("ID FORM UP:PRED UP:ARGHEADS UP:ARGSPANS")
>>> columns.ten[:3], columns.roles
((0, 1, -1), (2, 3, 4))
>>> columns_of("ID FORM LEMMA") is None
True
"""

from __future__ import annotations

import re
from typing import NamedTuple

COLUMNS = (
    *("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS"),
    "MISC",
)
"""The ten of CoNLL-U."""

ROLES = ("PRED", "ARGHEADS", "ARGSPANS")
"""Predicates, the heads of their arguments, and their spans."""

GLOBAL = "global.columns"

_DECLARED = re.compile(r"# *global\.columns *= *(.*)")
_ALIKE = {"PREDS": "PRED", "FEAT": "FEATS"}
"""Spellings that are found, too."""

LOOKED_AT = 5
"""Lines at the beginning that may declare columns."""


class Columns(NamedTuple):
    """The columns of a file."""

    names: tuple[str, ...]
    """As they are written."""
    ten: tuple[int, ...]
    """Where the ten of CoNLL-U are; -1 for one that is not there."""
    roles: tuple[int, ...]
    """Where predicates, heads and spans are; -1 for one that is not there."""


def columns_of(declared: str) -> Columns | None:
    """Columns with semantic roles.

    Args:
        declared: names with blanks between.

    Returns:
        Where they are; ``None`` if there is no id, no predicate, or neither heads
        nor spans.
    """
    names = declared.split()
    last = [name.rpartition(":")[2].upper() for name in names]
    known = [_ALIKE.get(name, name) for name in last]
    ten, roles = (
        tuple([known.index(name) if name in known else -1 for name in wanted])
        for wanted in (COLUMNS, ROLES)
    )
    if ten[0] < 0 or roles[0] < 0 or max(roles[1:]) < 0:
        return None
    return Columns(tuple(names), ten, roles)


def declared_in(text: str) -> str | None:
    """What the first lines of a file declare as columns.

    Args:
        text: its beginning.
    """
    for line in text.split("\n", LOOKED_AT)[:LOOKED_AT]:
        match = _DECLARED.fullmatch(line.rstrip())
        if match:
            return match[1]
    return None


def columns_in(text: str) -> Columns | None:
    """The columns that a file declares, if they have semantic roles.

    Args:
        text: its beginning.
    """
    declared = declared_in(text)
    return None if declared is None else columns_of(declared)
