r"""Nested entities in three lines a sentence: GENIA as prepared for nested recognition.

Tokens, entities, a blank line; ranges count tokens from 0, their ends excluded (Shibuya
and Hovy 2020; before them, with tags of parts of speech in a line between, Lu and Roth
2015)::

    il-4 did not affect the c-fos transcripts .
    0,1 G#protein|5,6 G#protein|5,7 G#RNA

    they differ .


A sentence is a graph of the framework ``ner``; what is in others stays so.

>>> import io
>>> one, two = read(io.BytesIO(b"il-4 acts\n0,1 G#protein\n\nso be it\n\n\n"), "a.data")
>>> one.graph.text, one.graph.nodes[0].label, one.graph.nodes[0].anchors, two.line
('il-4 acts', 'G#protein', (Anchor(start=0, end=4),), 4)
>>> [bad] = read(io.BytesIO(b"il-4 acts\n0,3 G#protein\n\n"), "a.data")
>>> print(bad.problems[0])
a.data:2: found tokens 0,3, expected a range within the 2 tokens
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from graphscore.duplicates import shown
from graphscore.exceptions import InvalidGraphError, amount
from graphscore.formats.base import Record
from graphscore.formats.shared.columns import Block, blocks
from graphscore.formats.shared.token_spans import TokenSpans
from graphscore.formats.writing import check_framework, naming
from graphscore.model.graph import Anchor, Graph
from graphscore.model.joined_tokens import join_tokens
from graphscore.structures.layout import NER, LayoutBuilder

POS = "pos"
"""The field of ``extra`` with the line of parts of speech, by token."""

_RANGES = re.compile(r"\d+,\d+ [^\s|]+(?:\|\d+,\d+ [^\s|]+)*")
"""A line of nested entities: ranges of tokens with types."""

_RANGE = re.compile(r"(\d{1,9}),(\d{1,9}) (\S+)")


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """Read a file of sentences with nested entities.

    Args:
        stream: the file.
        name: its name.

    Yields:
        A record for each sentence.
    """
    for line, raw in blocks(stream):
        yield _record(Block(name, line, raw, NER))


def _record(block: Block) -> Record:
    if block.problems:
        return block.rejected()
    forms = _words(block.lines[0])
    rest = [*enumerate(block.lines[1:], block.line + 1)]
    extra: dict[str, Any] = {}
    if rest and not _RANGES.fullmatch(rest[0][1].strip()):
        number, line = rest[0]
        if len(_words(line)) == len(forms) and not line[:1].isdigit():
            extra[POS] = _words(line)
            rest.pop(0)
    if len(rest) > 1:
        found = amount(len(block.lines), "line")
        expected = "tokens, entities and a blank line"
        block.add("", f"a sentence of {found}", expected, line=rest[1][0])
    text, tokens = join_tokens(forms)
    build = LayoutBuilder()
    for number, line in rest[:1]:
        for part in line.strip().split("|"):
            match = _RANGE.fullmatch(part)
            if match is None:
                expected = "FIRST,END TYPE, and others after |"
                block.add("", shown(part), expected, line=number)
                continue
            first, end = int(match[1]), int(match[2])
            if not first < end <= len(forms):
                expected = f"a range within the {amount(len(forms), 'token')}"
                block.add("", f"tokens {match[1]},{match[2]}", expected, line=number)
                continue
            build.mention(match[3], [Anchor(tokens[first].start, tokens[end - 1].end)])
    return block.record(build.graph("", NER, text=text, tokens=tokens, extra=extra))


def _words(line: str) -> list[str]:
    """Split at blanks: a token may be some other white space."""
    return [word for word in line.split(" ") if word]


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    r"""Write graphs, three lines a sentence.

    Args:
        graphs: of the framework ``ner``.

    Yields:
        Sentences.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.

    Example:
        >>> from graphscore.model.graph import Node
        >>> node = Node(0, "PER", (("kind", "mention"),), (Anchor(0, 6),))
        >>> tokens = Anchor(0, 3), Anchor(4, 6)
        >>> graph = Graph("1", "ner", text="Ada Lo", nodes=(node,), tokens=tokens)
        >>> b"".join(write([graph]))
        b'Ada Lo\n0,2 PER\n\n'
    """
    for graph in graphs:
        check_framework(graph, (NER,), "a file of nested entities")
        with naming(graph):
            lines = _sentence(graph)
        yield "".join(f"{line}\n" for line in (*lines, "")).encode()


def _sentence(graph: Graph) -> list[str]:
    spans = TokenSpans(graph)
    if "" in spans.forms:
        # What stands on the next line would be taken for the words.
        raise InvalidGraphError("a token without characters", "words")
    ranges: list[str] = []
    for node in graph.nodes:
        first, last = spans.of(node)
        label = "" if node.label is None else node.label
        ranges.append(f"{first},{last + 1} {label}")
    lines = [" ".join(spans.forms)]
    pos = graph.extra.get(POS)
    if isinstance(pos, list) and len(pos) == len(spans.forms):
        lines.append(" ".join(map(str, pos)))
    return [*lines, "|".join(ranges)]
