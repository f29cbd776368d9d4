r"""Universal PropBank 2: CoNLL-U Plus with heads and spans of arguments.

The first line declares the columns, in any order and among any others: ``ID``,
``UP:PRED``, ``UP:ARGHEADS`` and ``UP:ARGSPANS`` in the published files, with the ten of
CoNLL-U before where they are merged with the treebank (Jindal et al. 2022, "Universal
Proposition Bank 2.0"; https://github.com/UniversalPropositions/tools).
:mod:`graphscore.formats.roles.up_sentence` says what stands in them.  A sentence is one
graph of the framework ``srl``, in the layout of :mod:`graphscore.structures.roles`.

>>> import io
>>> data = b"# global.columns = ID FORM HEAD UP:PRED UP:ARGHEADS UP:ARGSPANS\n" + (
...     b"1\tOld\t2\t_\t_\t_\n2\tdogs\t3\t_\t_\t_\n3\tbark\t0\tbark.01\tA0:2\tA0:1-2\n")
>>> [record] = read(io.BytesIO(data), "a.conllup")
>>> record.graph.nodes[-1].anchors[0][:], record.graph.nodes[-1].properties[1:]
((0, 8), (('token', 2), ('head', '4:8')))
>>> [record] = read(io.BytesIO(data.replace(b"A0:2", b"A0:7")), "a.conllup")
>>> print(record.problems[0])
a.conllup:4:18: UP:ARGHEADS: found 'A0:7', expected LABEL:ID of a word, with | between
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from graphscore.formats.base import Record
from graphscore.formats.roles.up_sentence import Reader
from graphscore.formats.shared.columns import blocks


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file, in order."""
    reader = Reader(name)
    for block in blocks(stream, name):
        if not reader.declares_only(block):
            yield reader.sentence(block)
