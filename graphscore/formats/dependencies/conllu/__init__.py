r"""CoNLL-U: dependency trees and enhanced dependency graphs, ten columns a word.

Sentences are blocks of lines between blank ones: comments, then a line of ten
tab-separated columns for each word, multiword token (``3-4``) and empty node (``3.1``);
https://universaldependencies.org/format.html.  A sentence gives one graph for each
layer that it has: ``ud`` for HEAD and DEPREL, ``eud`` for DEPS. Coreference as in
CorefUD gives a graph of the framework ``coref`` for each document
(:mod:`graphscore.formats.dependencies.conllu.coreference`), after the graphs of its
sentences. :mod:`graphscore.formats.dependencies.conllu.sentence` says what becomes of
every column, and :mod:`graphscore.formats.dependencies.conllu.lines` writes graphs
back.

Readers keep what the file says: cycles, several roots and words without a head
are the business of validation.  A blank line too few at the end or too many in
between loses nothing, so neither is an error; one too few in between is none either
where ``# sent_id`` and a first word follow.

>>> import io
>>> block = b"1\tDogs\tdog\tNOUN\t_\tNumber=Plur\t2\tnsubj\t_\t_\n" + (
...     b"2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\tSpaceAfter=No\n\n")
>>> [record] = read(io.BytesIO(block), "a.conllu")
>>> record.graph.text, record.graph.edges[0].label, record.graph.tops
('Dogs bark', 'nsubj', (2,))
>>> [record] = read(io.BytesIO(block.replace(b"2\tnsubj", b"7\tnsubj")), "a")
>>> print(record.problems[0])
a:1:31: HEAD: found '7', expected 0 or the id of a word
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from graphscore.formats.base import Record
from graphscore.formats.dependencies.conllu.sentence import Reader
from graphscore.formats.shared.columns import sentences


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file, in order."""
    reader = Reader(name)
    for block in sentences(stream, name):
        yield from reader.sentence(block)
    yield from reader.end()
