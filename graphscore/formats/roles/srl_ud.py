r"""The dependency trees of files with semantic roles, as graphs of their own.

Files of CoNLL-2009, and of CoNLL-U with columns of roles, hold a tree beside the roles.
Their own formats read the roles, with the tree at hand for deriving spans; this one,
which is never recognised by itself but named, reads the tree, as ``conllu`` does: one
graph ``ud`` a sentence, and one of ``eud`` where there is DEPS.

>>> import io
>>> block = (
...     b"1\tDogs\tdog\t_\tNNS\t_\t_\t_\t2\t_\tSBJ\t_\t_\t_\tA0\n"
...     b"2\tbark\tbark\t_\tVB\t_\t_\t_\t0\t_\tROOT\t_\tY\tbark.01\t_\n")
>>> [record] = read(io.BytesIO(block), "a.conll09")
>>> graph = record.graph
>>> graph.framework, graph.nodes[0].properties, graph.edges[0].label, graph.tops
('ud', (('lemma', 'dog'), ('xpos', 'NNS')), 'SBJ', (2,))
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from graphscore.exceptions import Problem
from graphscore.formats.base import SNIFFED, Record, Rejected
from graphscore.formats.dependencies.conllu import Reader
from graphscore.formats.recognition import lines_in, text_of
from graphscore.formats.roles import conll2009, conllu_srl, sniffers, up
from graphscore.formats.shared.columns import (
    Lines,
    blocks,
    named_words,
)
from graphscore.formats.shared.conllu_columns import (
    columns_in,
    comment_parts,
    declared_in,
)
from graphscore.formats.shared.records import RecordBuilder
from graphscore.formats.source import read_beginning

UD, EUD = "ud", "eud"

_NOTHING = "_"
_TEN = 10
_FEATS = 5

# Columns of CoNLL-2009: LEMMA, POS, FEAT, and heads with relations, gold and predicted.
_LEMMA, _POS, _FEAT = 2, 4, 6
_TREES = ((8, 10), (9, 11))


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The trees of a file, in order."""
    buffered = stream if isinstance(stream, io.BufferedReader) else None
    if buffered is None:
        buffered = io.BufferedReader(io.BytesIO(stream.read()))
    head = read_beginning(buffered, SNIFFED[1])
    text = text_of(head)
    if columns_in(text) is not None:
        return _universal(blocks(buffered, begins=named_words), name)
    if sniffers.conll2009(lines_in(text)):
        return _nine(blocks(buffered), name)
    if sniffers.conllu_srl(lines_in(text)):
        return _columns(blocks(buffered, begins=named_words), name)
    problem = Problem(
        name, 1, None, "", "content of another kind", "conll2009, conllu-srl or up"
    )
    return iter([Rejected(1, (problem,), head[:200], UD)] if head.strip() else [])


Blocks = Iterable[tuple[int, Lines]]
"""The sentences of a file: the number of the first line, and all lines."""


def _columns(every: Blocks, name: str) -> Iterator[Record]:
    """Trees of CoNLL-U with columns of roles."""
    roles, trees = conllu_srl.Reader(name), Reader(name)
    for line, raw in every:
        yield from _tree(conllu_srl.Sentence(roles, line, raw), trees)


def _universal(every: Blocks, name: str) -> Iterator[Record]:
    """Trees of Universal PropBank 2."""
    roles, trees = up.Reader(name), Reader(name)
    for line, raw in every:
        if not roles.declares_only(line, raw):
            yield from _tree(up.Sentence(roles, line, raw), trees)


def _tree(sentence: conllu_srl.Sentence, trees: Reader) -> Iterator[Record]:
    """The records of a sentence, from its first ten columns."""
    record = sentence.whole_record()
    if isinstance(record, Rejected):
        yield record._replace(framework=UD)
        return
    before = sentence.layout.base if sentence.layout is not None else _TEN
    if all(row[6] == _NOTHING for row in sentence.rows):
        yield _without_tree(sentence)
        return
    rest = [_NOTHING] * (_TEN - min(before, _TEN))
    rows = [
        "\t".join([*_without_trailing_bar(row[: min(before, _TEN)]), *rest])
        for row in sentence.rows
    ]
    # Without forms, the text of the comment says other words.
    bare = all(row[1] == _NOTHING for row in sentence.rows)
    comments = [
        comment
        for comment in sentence.comments
        if declared_in(comment) is None
        and not (bare and comment_parts(comment)[0] == "text")
    ]
    # Lines that are left out do not move the words.
    first = sentence.line + len(sentence.comments) - len(comments)
    yield from _read(trees, sentence, first, [*comments, *rows])


def _read(
    trees: Reader, sentence: RecordBuilder, first: int, lines: Iterable[str]
) -> Iterator[Record]:
    """The records of lines that stand for those of a sentence."""
    for record in trees.sentence(first, ["\n".join(lines).encode()]):
        if isinstance(record, Rejected):
            record = record._replace(raw=sentence.whole())
        yield record


def _without_trailing_bar(row: list[str]) -> list[str]:
    """The cells of a row; in Universal PropBank a bar may stand behind the features."""
    feats = row[_FEATS : _FEATS + 1]
    return [*row[:_FEATS], *(feat.rstrip("|") or _NOTHING for feat in feats), *row[6:]]


def _nine(every: Blocks, name: str) -> Iterator[Record]:
    """Trees of CoNLL-2009; those of PHEAD where a sentence has nothing in HEAD."""
    roles, trees = conll2009.Reader(name), Reader(name)
    for line, raw in every:
        sentence = conll2009.Sentence(roles, line, raw)
        record = sentence.record(sentence.graph())
        if isinstance(record, Rejected):
            yield record._replace(framework=UD)
            continue
        filled = [
            tree
            for tree in _TREES
            if any(row[tree[0]] != _NOTHING for row in sentence.rows)
        ]
        if not filled:
            yield _without_tree(sentence)
            continue
        columns = 0, 1, _LEMMA, None, _POS, _FEAT, *filled[0], None, None
        lines = [
            "\t".join([_NOTHING if k is None else row[k] or _NOTHING for k in columns])
            for row in sentence.rows
        ]
        yield from _read(trees, sentence, sentence.line, lines)


def _without_tree(sentence: RecordBuilder) -> Rejected:
    sentence.add("HEAD", "nothing", "a tree")
    return sentence.rejected(UD)
