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

from graphscore.errors import Problem
from graphscore.formats.base import SNIFFED, Record, Rejected
from graphscore.formats.dependencies.conllu import Reader
from graphscore.formats.recognition import lines_in, text_of
from graphscore.formats.roles import conll2009, conllu_srl, sniffers, up
from graphscore.formats.shared.columns import Block, blocks, sentences, without_tail
from graphscore.formats.shared.conllu_columns import (
    columns_in,
    comment_parts,
    declared_in,
)
from graphscore.formats.source import beginning

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
    head = beginning(buffered, SNIFFED[1])
    text = text_of(head)
    if columns_in(text) is not None:
        return _universal(sentences(buffered, name), name)
    if sniffers.conll2009(lines_in(text)):
        return _nine(blocks(buffered, name), name)
    if sniffers.conllu_srl(lines_in(text)):
        return _columns(sentences(buffered, name), name)
    problem = Problem(
        name, 1, None, "", "content of another kind", "conll2009, conllu-srl or up"
    )
    return iter([Rejected(1, (problem,), head[:200], UD)] if head.strip() else [])


def _columns(every: Iterable[Block], name: str) -> Iterator[Record]:
    """Trees of CoNLL-U with columns of roles."""
    roles, trees = conllu_srl.Reader(name), Reader(name)
    for block in every:
        yield from _tree(conllu_srl.Sentence(roles, block), block, trees)


def _universal(every: Iterable[Block], name: str) -> Iterator[Record]:
    """Trees of Universal PropBank 2."""
    roles, trees = up.Reader(name), Reader(name)
    for block in every:
        if roles.declares_only(block):
            continue
        sentence = up.Sentence(roles, block)
        yield from _tree(sentence, block, trees)


def _tree(
    sentence: conllu_srl.Sentence, block: Block, trees: Reader
) -> Iterator[Record]:
    """The records of a sentence, from its first ten columns."""
    record = sentence.whole_record()
    if isinstance(record, Rejected):
        yield record._replace(framework=UD)
        return
    before = sentence.layout.base if sentence.layout is not None else _TEN
    if all(row[6] == _NOTHING for row in sentence.rows):
        yield _without_tree(block, trees.name, sentence.item)
        return
    lines = [line for line in block.lines if line.startswith("#")]
    rest = [_NOTHING] * (_TEN - min(before, _TEN))
    rows = [
        "\t".join([*_ended(row[: min(before, _TEN)]), *rest]) for row in sentence.rows
    ]
    # Without forms, the text of the comment says other words.
    bare = all(row[1] == _NOTHING for row in sentence.rows)
    comments = [
        line
        for line in lines
        if declared_in(line) is None and not (bare and comment_parts(line)[0] == "text")
    ]
    text = "\n".join((*comments, *rows))
    # Lines that are left out do not move the words.
    first = block.line + len(lines) - len(comments)
    yield from trees.sentence(Block(first, block.raw, text, None))


def _ended(row: list[str]) -> list[str]:
    """The cells of a row; in Universal PropBank a bar may stand behind the features."""
    feats = row[_FEATS : _FEATS + 1]
    return [*row[:_FEATS], *(feat.rstrip("|") or _NOTHING for feat in feats), *row[6:]]


def _nine(every: Iterable[Block], name: str) -> Iterator[Record]:
    """Trees of CoNLL-2009; those of PHEAD where a sentence has nothing in HEAD."""
    roles, trees = conll2009.Reader(name), Reader(name)
    for block in every:
        record = roles.sentence(block)
        if isinstance(record, Rejected):
            yield record._replace(framework=UD)
            continue
        lines = str(record.graph.extra[conll2009.LINES]).split("\n")
        rows = [
            without_tail(line.split("\t") if "\t" in line else line.split(), _TEN)
            for line in lines
            if not line.startswith("#") or "\t" in line
        ]
        said = [
            each for each in _TREES if any(row[each[0]] != _NOTHING for row in rows)
        ]
        if not said:
            yield _without_tree(block, name, "")
            continue
        places = 0, 1, _LEMMA, None, _POS, _FEAT, *said[0], None, None
        text = "\n".join(
            "\t".join([_NOTHING if k is None else row[k] or _NOTHING for k in places])
            for row in rows
        )
        yield from trees.sentence(block._replace(text=text))


def _without_tree(block: Block, name: str, item: str) -> Rejected:
    problem = Problem(name, block.line, None, "HEAD", "nothing", "a tree")
    return Rejected(block.line, (problem,), block.raw, UD, item)
