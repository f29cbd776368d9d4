r"""CoNLL-U with columns of semantic roles, as Universal PropBank has them.

:mod:`graphscore.formats.roles.conllu_srl_layout` says what the columns are.  A sentence
is one graph of the framework ``srl``, in the layout of
:mod:`graphscore.structures.roles`; words are nodes with their place in the
dependency tree, from which spans can be derived.  Everything else is kept as it
stands in ``extra`` and written back by :mod:`graphscore.formats.roles.heads_write`.

>>> import io
>>> block = b"1\tDogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_\tA0\n" + (
...     b"2\tbark\tbark\tVERB\t_\t_\t0\troot\tY\tbark.01\t_\n\n")
>>> [record] = FORMAT.read(io.BytesIO(block), "a.conllu")
>>> [(node.id, node.label) for node in record.graph.nodes[2:]]
[('p1', 'bark.01'), ('p1.1', None)]
>>> [record] = FORMAT.read(io.BytesIO(block.replace(b"\tY\t", b"\t_\t")), "a.conllu")
>>> print(record.problems[0])
a.conllu:1: found 0 words with the flag Y, expected 1, as there are 11 columns
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from graphscore.formats.base import Format, Record
from graphscore.formats.roles.conllu_srl_layout import (
    ARGUMENTS,
    FLAG,
    NOTHING,
    ROLESET,
    UNFLAGGED,
)
from graphscore.formats.roles.conllu_srl_sentence import Reader
from graphscore.formats.roles.heads_write import write_conllu_srl
from graphscore.formats.roles.losses import in_conllu_srl
from graphscore.formats.shared.columns import blocks
from graphscore.formats.shared.conllu_columns import columns_in
from graphscore.formats.source import BOM
from graphscore.structures.roles import SRL

_ID = re.compile(r"\d+([-.]\d+)?")


def _read(stream: BinaryIO, name: str) -> Iterator[Record]:
    reader = Reader(name)
    for block in blocks(stream, name):
        yield reader.sentence(block)


def _sniff(head: bytes) -> bool:
    """Whether there is a line with a flag and a number of columns that fits it.

    Or a sentence with as many senses behind its ten columns as columns behind them,
    or MISC says roles.  Fourteen columns and more can be CoNLL-2009, which has no flag
    where this has.
    """
    text = head.removeprefix(BOM).decode("utf-8", "replace").replace("\r\n", "\n")
    lines = text.split("\n")
    if columns_in(text) is not None:
        return False
    whole = text.endswith("\n")
    if len(lines) > 1 and not whole:
        # It may be cut off.
        lines.pop()
    rows: list[list[str]] = []
    for line in lines:
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
    return _is_unflagged(rows, whole)


def _is_unflagged(rows: list[list[str]], whole: bool) -> bool:
    """Whether a sentence, or its beginning, has senses but no flags."""
    if not rows or any(len(row) != len(rows[0]) for row in rows):
        return False
    heads = {row[6] for row in rows} - {NOTHING}
    if not heads or not all(each.isdecimal() for each in heads):
        return False
    if len(rows[0]) == 10:
        return any(
            f"{ROLESET}=" in row[9] and f"{ARGUMENTS}=" in row[9] for row in rows
        )
    if any(row[8] != NOTHING and ":" not in row[8] for row in rows):
        return False
    senses = sum(row[10] != NOTHING for row in rows)
    columns = len(rows[0]) - UNFLAGGED.before
    return senses == columns if whole else 0 < senses <= columns


FORMAT = Format(
    name="conllu-srl",
    title="CoNLL-U with semantic roles, as Universal PropBank",
    frameworks=(SRL,),
    suffixes=(".conllu", ".conllup", ".conll"),
    read=_read,
    sniff=_sniff,
    write=write_conllu_srl,
    lost=in_conllu_srl,
)
