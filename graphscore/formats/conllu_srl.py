r"""CoNLL-U with columns of semantic roles, as Universal PropBank has them.

:mod:`graphscore.formats.conllu_srl_sentence` says what the columns are.  A sentence
is one graph of the framework ``srl``, in the layout of
:mod:`graphscore.structures.roles`; words are nodes with their place in the
dependency tree, from which spans can be derived.  Everything else is kept as it
stands in ``extra`` and written back by :mod:`graphscore.formats.role_write`.

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
from graphscore.formats.column_blocks import blocks
from graphscore.formats.conllu_srl_sentence import FLAG, NOTHING, Reader
from graphscore.formats.role_write import write_conllu_srl
from graphscore.formats.source import BOM
from graphscore.structures.roles import SRL

_ID = re.compile(r"\d+([-.]\d+)?")


def _read(stream: BinaryIO, name: str) -> Iterator[Record]:
    reader = Reader(name)
    for block in blocks(stream, name):
        yield reader.sentence(block)


def _sniff(head: bytes) -> bool:
    """Whether there is a line with a flag and a number of columns that fits it.

    Fourteen columns and more can be CoNLL-2009, which has no flag where this has.
    """
    text = head.removeprefix(BOM).decode("utf-8", "replace").replace("\r\n", "\n")
    lines = text.split("\n")
    if len(lines) > 1 and not text.endswith("\n"):
        # It may be cut off.
        lines.pop()
    for line in lines:
        row = line.split("\t")
        if len(row) > 10 and not line.startswith("#") and _ID.fullmatch(row[0]):
            early, late = row[8], row[10] if len(row) > 12 else NOTHING
            if {early, late} <= {FLAG, NOTHING} and FLAG in (early, late):
                head_column = row[6]
                return head_column == NOTHING or head_column.isdecimal()
    return False


FORMAT = Format(
    name="conllu-srl",
    title="CoNLL-U with semantic roles, as Universal PropBank",
    frameworks=(SRL,),
    suffixes=(".conllu", ".conllup", ".conll"),
    read=_read,
    sniff=_sniff,
    write=write_conllu_srl,
)
