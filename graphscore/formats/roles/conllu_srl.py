r"""CoNLL-U with columns of semantic roles, as Universal PropBank has them.

:mod:`graphscore.formats.roles.conllu_srl_layout` says what the columns are.  A sentence
is one graph of the framework ``srl``, in the layout of
:mod:`graphscore.structures.roles`; words are nodes with their place in the
dependency tree, from which spans can be derived.  Everything else is kept as it
stands in ``extra`` and written back by :mod:`graphscore.formats.roles.heads_write`.

>>> import io
>>> block = b"1\tDogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_\tA0\n" + (
...     b"2\tbark\tbark\tVERB\t_\t_\t0\troot\tY\tbark.01\t_\n\n")
>>> [record] = read(io.BytesIO(block), "a.conllu")
>>> [(node.id, node.label) for node in record.graph.nodes[2:]]
[('p1', 'bark.01'), ('p1.1', None)]
>>> [record] = read(io.BytesIO(block.replace(b"\tY\t", b"\t_\t")), "a.conllu")
>>> print(record.problems[0])
a.conllu:1: found 0 words with the flag Y, expected 1, as there are 11 columns
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from graphscore.formats.base import Record
from graphscore.formats.roles.conllu_srl_sentence import Reader
from graphscore.formats.shared.columns import blocks


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file, in order."""
    reader = Reader(name)
    for block in blocks(stream, name):
        yield reader.sentence(block)
