r"""CoNLL-2009: dependency trees and semantic roles, fourteen columns and more.

A line for each word: ID, FORM, LEMMA, PLEMMA, POS, PPOS, FEAT, PFEAT, HEAD, PHEAD,
DEPREL, PDEPREL, FILLPRED, PRED, and one column for each predicate (Hajič et al.
2009, section 4.1).  PRED marks predicates, whatever FILLPRED says; ``_`` and ``-``
are nothing; a word with several roles has them with ``|`` between.

A sentence is one graph of the framework ``srl``, in the layout of
:mod:`graphscore.structures.roles`.  There is no text, so the text is the words
joined by one blank; there are no ids, so items are numbered.

>>> import io
>>> block = b"1\tDogs\t_\t_\t_\t_\t_\t_\t2\t2\tSBJ\tSBJ\t_\t_\tA0|A1\n" + (
...     b"2\tbark\t_\t_\t_\t_\t_\t_\t0\t0\tROOT\tROOT\tY\tbark.01\t_\n")
>>> [record] = read(io.BytesIO(block), "a.conll09")
>>> [edge.label for edge in record.graph.edges], record.graph.nodes[0].properties[1]
(['A0', 'A1'], ('head', 2))
>>> [record] = read(io.BytesIO(block.replace(b"\t0\t0", b"\t0\t5")), "a.conll09")
>>> print(record.problems[0])
a.conll09:2:22: PHEAD: found '5', expected 0 or the id of a word
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from graphscore.formats.base import Record
from graphscore.formats.roles.conll2009_sentence import Reader
from graphscore.formats.shared.columns import blocks


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file, in order."""
    reader = Reader(name)
    for block in blocks(stream, name):
        yield reader.sentence(block)
