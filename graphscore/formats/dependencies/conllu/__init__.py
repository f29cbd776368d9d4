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
between loses nothing, so neither is an error.

>>> import io
>>> block = b"1\tDogs\tdog\tNOUN\t_\tNumber=Plur\t2\tnsubj\t_\t_\n" + (
...     b"2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\tSpaceAfter=No\n\n")
>>> [record] = FORMAT.read(io.BytesIO(block), "a.conllu")
>>> record.graph.text, record.graph.edges[0].label, record.graph.tops
('Dogs bark', 'nsubj', (2,))
>>> [record] = FORMAT.read(io.BytesIO(block.replace(b"2\tnsubj", b"7\tnsubj")), "a")
>>> print(record.problems[0])
a:1:31: HEAD: found '7', expected 0 or the id of a word
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from graphscore.formats.base import Format, Record
from graphscore.formats.dependencies.conllu.lines import write
from graphscore.formats.dependencies.conllu.sentence import Reader
from graphscore.formats.shared.columns import blocks
from graphscore.formats.shared.conllu_columns import COLUMNS, declared_in
from graphscore.formats.source import BOM

_ID = re.compile(r"\d+([-.]\d+)?")
_COMMENT = re.compile(r"# *(sent_id|text|newdoc|newpar|global\.columns)\b")


def _read(stream: BinaryIO, name: str) -> Iterator[Record]:
    reader = Reader(name)
    for block in blocks(stream, name):
        yield from reader.sentence(block)
    yield from reader.end()


def _sniff(head: bytes) -> bool:
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


FORMAT = Format(
    name="conllu",
    title="CoNLL-U, basic and enhanced Universal Dependencies, coreference",
    frameworks=("ud", "eud", "coref"),
    suffixes=(".conllu", ".conll"),
    read=_read,
    sniff=_sniff,
    write=write,
    dependent=("coref",),
)
