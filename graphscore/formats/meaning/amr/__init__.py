r"""AMR in PENMAN notation: bracketed graphs below ``# ::key value`` comments.

A variable is a node labelled by its concept; a role leads to another variable (an
edge, in the direction of the tree) or to a constant (a property).  Everything is
kept: repeated attributes and repeated edges, inverted roles as they are written
(``normal`` says their base label), metadata (in ``extra`` of the graph) and, in
``extra`` of nodes and edges, what their plain values do not say:

``alignment``
    the ``e.2`` of ``~e.2`` at a concept or at the role of an edge;
``alignments``, ``role_alignments``
    those at the constants and roles of the properties, one entry each;
``target_alignment``
    that of an edge's target where it is only mentioned;
``quotes``
    whether the label and each property stood in quotation marks, where that is not as
    it usually is (see :func:`graphscore.formats.meaning.amr.layout.default_quotes`).

>>> import io
>>> text = b'# ::tok Dogs bark\n(b / bark-01~e.1 :ARG0 (d / dog~e.0) :mode "x")'
>>> [record] = read(io.BytesIO(text), "a.amr")
>>> bark, dog = record.graph.nodes
>>> bark.label, bark.properties, dog.extra
('bark-01', (('mode', 'x'),), (('alignment', 'e.0'),))
>>> token_anchors(record.graph, bark)
(Anchor(start=5, end=9),)
>>> [record] = read(io.BytesIO(b"(b / bark-01 :ARG0 / dog)"), "a.amr")
>>> print(*record.problems)
a.amr:1:20: found '/', expected a variable, a constant or a graph in brackets
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, BinaryIO

import msgspec

from graphscore.exceptions import Problem
from graphscore.formats.base import ReadGraph, Record
from graphscore.formats.meaning.amr.layout import penman_text
from graphscore.formats.meaning.amr.records import BLANKS, PenmanRecord, Splitter
from graphscore.formats.meaning.amr.tree import (
    Block,
    blocks,
    graph_of,
    plain_block,
    tree_of,
)
from graphscore.formats.raw_text import Mismatch, anchor_tokens
from graphscore.formats.shared.paragraphs import Piece, separate_records
from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.model.joined_tokens import join_tokens
from graphscore.model.numbers import whole_number

UNCLOSED = "unclosed"
"""Says in ``extra`` of a file's last graph that its last bracket was missing."""

SENTENCES = ("snt", "tok")
"""Keys whose value is the rest of the line."""

PLAIN = "comments"
"""Key of comments without a key."""

RESERVED = frozenset(
    {"id", "framework", "flavor", "language", "document", "input", "tokens", "tops"}
    | {"nodes", "edges", "snt", "text", PLAIN}
)
"""Names that a graph uses itself; metadata of that name keep their colons."""

_KEY = re.compile(r"(?:^|(?<=[ \t]))::([^\s:]\S*)")
_BREAKS = re.compile(r"[\r\n]")

_json = msgspec.json.Encoder().encode
_PLACES = re.compile(r"(?<!\d)\d{1,9}(?!\d)")


def _graph(record: PenmanRecord, metadata: dict[str, Any]) -> Graph | None:
    """The record's graph; ``None``, with problems in the record, if it is none."""
    tree = None if record.problems else tree_of(record)
    if tree is None:
        return None
    nodes, edges = graph_of(*tree)
    graph = _graph_with_metadata(metadata, nodes, edges, (*tree[0],)[:1])
    if record.unclosed:
        graph.extra[UNCLOSED] = 1
    return graph


def _graph_with_metadata(
    metadata: dict[str, Any],
    nodes: tuple[Node, ...],
    edges: tuple[Edge, ...],
    tops: tuple[str, ...],
) -> Graph:
    """A graph with what is said above it."""
    text, tokens = _text(metadata)
    return Graph(
        first_value(metadata.get("id", "")),
        "amr",
        2,
        text=text,
        tokens=tokens,
        nodes=nodes,
        edges=edges,
        tops=tops,
        extra=extra_of(metadata),
    )


def _text(metadata: dict[str, Any]) -> tuple[str, tuple[Anchor, ...]]:
    """The sentence, and its tokens where they are given and stand in it."""
    text = first_value(metadata.get("snt", ""))
    forms = first_value(metadata.get("tok", "")).split()
    if not forms:
        return text, ()
    if not text:
        return join_tokens(forms)
    result = anchor_tokens(forms, text)
    return text, () if isinstance(result, Mismatch) else result


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file, in order."""
    yield from separate_records(_pieces(stream, name), name)


def _pieces(stream: BinaryIO, name: str) -> Iterator[Piece]:
    """The graphs of a file, in order."""
    last: tuple[list[str], dict[str, Any]] = [], {}
    for block in blocks(stream, name):
        if isinstance(block, Block):
            metadata, top = metadata_of(block.comments), (block.top,)
            graph = _graph_with_metadata(metadata, block.nodes, block.edges, top)
            yield Piece(ReadGraph(block.line, graph))
            continue
        record = block
        if record.started or record.comments != last[0]:
            last = record.comments, metadata_of(record.comments)
        # Of a file of nothing but comments, each is like the one before.
        metadata = last[1]
        record.item = first_value(metadata.get("id", ""))
        finished = record.record(_graph(record, metadata))
        yield Piece(finished, record.adjacent, record.whole())


def read_tree(
    name: str, lines: Sequence[tuple[int, bytes]]
) -> tuple[Graph | None, list[Problem]]:
    """The one graph of some lines of a file in which more stands than PENMAN.

    Args:
        name: the file, for problems.
        lines: with their numbers, the first of which is not blank.

    Returns:
        A graph of nodes, edges and top, or what is wrong with it.

    Example:
        >>> graph, wrong = read_tree("a.umr", [(7, b"(s1b / bark-01)")])
        >>> graph.tops, read_tree("a.umr", [(7, b"(s1b / bark-01")])[1][0].line
        (('s1b',), 7)
    """
    block = plain_block(lines[0][0], b"".join(raw for _, raw in lines))
    if block is not None:
        return _graph_with_metadata({}, block.nodes, block.edges, (block.top,)), []
    splitter = Splitter(name)
    records = [record for number, raw in lines for record in splitter.line(number, raw)]
    records += splitter.end()
    graphs = [_graph(record, {}) for record in records]
    wrong = [problem for record in records for problem in record.problems]
    if not wrong and len(records) != 1:
        line = records[1].line if records else lines[0][0]
        seen = "another graph in brackets" if records else "no graph"
        wrong.append(Problem(name, line, None, "", seen, "one graph in brackets"))
    return (None, wrong) if wrong else (graphs[0], [])


def token_anchors(graph: Graph, part: Node | Edge) -> tuple[Anchor, ...]:
    """The tokens that a node or edge is aligned with, as ranges of the text.

    Args:
        graph: a graph with tokens.
        part: one of its nodes or edges.

    Returns:
        A range for each token of its ``alignment``, from 0 as in the ISI aligner's
        files; nothing for tokens that are not there.
    """
    marker = dict(part.extra).get("alignment", "")
    numbers = map(whole_number, _PLACES.findall(str(marker)))
    return tuple(
        graph.tokens[k] for k in numbers if k is not None and k < len(graph.tokens)
    )


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """The bytes of a file of these graphs."""
    for graph in graphs:
        lines = [f"# ::id {one_line(graph.id)}"] if graph.id else []
        tok = graph.extra.get("tok")
        if graph.text and graph.text != tok:
            lines.append(f"# ::snt {one_line(graph.text)}")
        if graph.tokens and tok is None:
            forms = [graph.text[start:end] for start, end in graph.tokens]
            lines.append(f"# ::tok {one_line(' '.join(forms))}")
        lines += lines_of({k: v for k, v in graph.extra.items() if k != UNCLOSED})
        lines.append(penman_text(graph))
        yield ("\n".join(lines) + "\n\n").encode()


def metadata_of(lines: Iterable[str]) -> dict[str, Any]:
    """Metadata of comment lines.

    A comment may hold several ``::key value``; only the sentence and its tokens take
    the rest of their line, because a sentence may well contain a ``::``.

    Args:
        lines: comments, each beginning with ``#``.

    Returns:
        Values by key, without the colons, in order; a list where a key occurs
        more than once.  Lines without a key are under ``comments``.

    Example:
        >>> lines = ["# ::id a.1 ::date 2012", "# ::snt std::list ::ok", "# by hand"]
        >>> metadata_of(lines)
        {'id': 'a.1', 'date': '2012', 'snt': 'std::list ::ok', 'comments': ['by hand']}
    """
    result: dict[str, Any] = {}
    for line in lines:
        content = line[1:].strip(BLANKS)
        if not _KEY.match(content):
            result.setdefault(PLAIN, []).append(content)
            continue
        for key, value in _entries(content):
            if key == PLAIN:
                key = f"::{PLAIN}"
            if key not in result:
                result[key] = value
            elif isinstance(result[key], list):
                result[key].append(value)
            else:
                result[key] = [result[key], value]
    return result


def _entries(content: str) -> Iterator[tuple[str, str]]:
    keys = list(_KEY.finditer(content))
    if keys[0][1] in SENTENCES:
        yield keys[0][1], content[keys[0].end() :].strip(BLANKS)
        return
    ends = [key.start() for key in keys[1:]] + [len(content)]
    for key, end in zip(keys, ends, strict=True):
        value = content[key.end() : end].strip(BLANKS)
        if end < len(content) and value.split(" ")[-1] == "#":
            # Two comments have got into one line.
            value = value[:-1].rstrip(BLANKS)
        yield key[1], value


def first_value(value: Any) -> str:
    """The first of the values of a key.

    >>> first_value(["a", "b"]), first_value("a")
    ('a', 'a')
    """
    return str(value[0] if isinstance(value, list) else value)


def extra_of(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return the metadata that a graph keeps: all but the first id and sentence.

    >>> extra_of({"id": "1", "snt": "Dogs bark", "tokens": "2", "date": "2012"})
    {'::tokens': '2', 'date': '2012'}
    """
    result: dict[str, Any] = {}
    for key, value in metadata.items():
        if key in ("id", "snt"):
            rest = value[1:] if isinstance(value, list) else []
            if rest:
                result[f"::{key}"] = rest
        elif key == PLAIN or key not in RESERVED:
            result[key] = value
        else:
            result[f"::{key}"] = value
    return result


def lines_of(extra: Mapping[str, Any]) -> Iterator[str]:
    """Comment lines of what :func:`extra_of` kept; other values as JSON.

    >>> list(lines_of({"comments": ["by hand"], "date": "2012", "version": 1.1}))
    ['# by hand', '# ::date 2012', '# ::version 1.1']
    """
    for name, value in extra.items():
        if name == PLAIN and isinstance(value, list):
            for comment in value:
                yield "# " + one_line(str(comment)).strip(BLANKS)
            continue
        key = name.removeprefix("::")
        for element in value if isinstance(value, list) else [value]:
            text = element if isinstance(element, str) else _json(element).decode()
            yield f"# ::{key} {one_line(text)}".rstrip(BLANKS)


def one_line(text: str) -> str:
    r"""A text with every line break replaced by a blank.

    >>> one_line("a\r\nb")
    'a  b'
    """
    return _BREAKS.sub(" ", text)
