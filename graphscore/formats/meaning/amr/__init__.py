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

import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, BinaryIO

from graphscore.errors import Problem
from graphscore.formats.base import Read, Record
from graphscore.formats.meaning.amr.layout import penman_text
from graphscore.formats.meaning.amr.metadata import (
    extra_of,
    first,
    lines_of,
    one_line,
    parse,
)
from graphscore.formats.meaning.amr.plain import (
    Block,
    Part,
    blocks,
    edge,
    plain_block,
    role,
    word,
)
from graphscore.formats.meaning.amr.records import PenmanRecord, Splitter
from graphscore.formats.shared.paragraphs import Piece, apart
from graphscore.formats.texts import Mismatch, anchored, joined
from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.model.numbers import whole_number

UNCLOSED = "unclosed"
"""Says in ``extra`` of a file's last graph that its last bracket was missing."""

_TOKEN = re.compile(
    r'(?P<text>"(?:[^"\\]|\\.)*+")|(?P<open>\()|(?P<role>:[^ \t\r\n\v\f"()/:~]*)'
    r"|(?P<slash>/)|(?P<close>\))"
)
_PLACES = re.compile(r"(?<!\d)\d{1,9}(?!\d)")

_penman_log = logging.getLogger("penman")


def _nothing(record: logging.LogRecord) -> bool:
    """Keeps penman from logging what is reported as a problem."""
    return False


def _parts(root: Any, bad: _Bad) -> dict[str, Part]:
    """The variables in order of definition, each with its concept."""
    parts: dict[str, Part] = {}
    stack, opened, slashes = [root], -1, -1
    while stack:
        variable, branches = stack.pop()
        opened += 1
        if variable is None:
            bad.token("open", opened, "a bracket without a variable", "a variable")
            continue
        part = parts.setdefault(variable, Part())
        if branches and branches[0][0] == "/":
            slashes += 1
            concept = branches[0][1]
            if concept is None:
                bad.token("slash", slashes, "nothing after '/'", "a concept")
            elif part.label is not None:
                bad.token(
                    "open",
                    opened,
                    f"variable {variable!r} with a concept a second time",
                    "each variable with one concept",
                )
            else:
                part.label, part.alignment, part.quotes[0] = word(concept)
        stack += [t for _, t in reversed(branches) if type(t) is tuple]
    return parts


def _edges(root: Any, parts: dict[str, Part], bad: _Bad) -> list[Edge]:
    """The edges in the order of the text; constants go to their nodes."""
    edges: list[Edge] = []
    stack = [(root[0], iter(root[1]))]
    roles = -1
    while stack:
        variable, branches = stack[-1]
        for name, target in branches:
            if name == "/":
                continue
            roles += 1
            name, _, marked = name[1:].partition("~")
            mention = ""
            nested = type(target) is tuple
            if target is None:
                bad.token("role", roles, f"':{name}' without a target", _TARGET)
                continue
            if not nested:
                value, mention, quoted = word(target)
                if quoted or value not in parts:
                    parts[variable].add(name, marked, value, mention, quoted)
                    continue
            end = target[0] if nested else value
            edges.append(edge(variable, end, role(f":{name}"), marked, mention))
            if nested:
                stack.append((end, iter(target[1])))
                break
        else:
            stack.pop()
    return edges


class _Bad:
    """What is wrong with a tree that penman took, with the places of its tokens."""

    def __init__(self, record: PenmanRecord) -> None:
        self._record = record

    @cached_property
    def _places(self) -> dict[str, list[tuple[int, int]]]:
        found: dict[str, list[tuple[int, int]]] = {}
        for place, line in enumerate(self._record.lines):
            for token in _TOKEN.finditer(line):
                kind = token.lastgroup or ""
                found.setdefault(kind, []).append((place, token.start()))
        return found

    def token(self, kind: str, ordinal: int, found: str, expected: str) -> None:
        """A problem at the token of this kind with that number in the record."""
        place, position = self._places[kind][ordinal]
        self._record.problem(place, position, found, expected)


_TARGET = "a variable, a constant or a graph in brackets"

_NAMES = {
    "LPAREN": "a graph in brackets",
    "RPAREN": "a closing bracket",
    "ROLE": "a role",
    "SYMBOL": "a name",
    "STRING": "a string",
}


def _undecoded(record: PenmanRecord, error: Any) -> None:
    """Where penman stopped, and what it would have liked to see."""
    place = min(max((error.lineno or 1) - 1, 0), len(record.lines) - 1)
    line = record.lines[place]
    position = min(error.offset or 0, len(line))
    token = re.match(r'"[^"]*"?|[()/]|[^\s()/]+', line[position:])
    found = repr(token[0][:40]) if token else "the end of the line"
    wanted = str(error.message).removeprefix("Expected: ").split(", ")
    if wanted == ["SYMBOL", "STRING", "LPAREN"]:
        expected = _TARGET
    else:
        expected = " or ".join(_NAMES.get(each, each) for each in wanted)
    record.problem(place, position, found, expected)


def _tree(record: PenmanRecord) -> Any:
    """The graph's root as penman parses it; ``None`` with a problem if it cannot."""
    import penman
    from penman.exceptions import DecodeError

    _penman_log.addFilter(_nothing)
    try:
        for tree in penman.iterparse(record.lines):
            return tree.node
    except DecodeError as error:
        _undecoded(record, error)
    except RecursionError:
        record.problem(0, 0, "brackets nested too deep for the parser", "fewer levels")
    finally:
        _penman_log.removeFilter(_nothing)
    if not record.problems:
        record.problem(0, 0, repr(record.lines[0][:20]), "a graph in brackets")
    return None


def _graph(record: PenmanRecord, metadata: dict[str, Any]) -> Graph | None:
    """The record's graph; ``None``, with problems in the record, if it is none."""
    root = None if record.problems else _tree(record)
    if root is None:
        return None
    nodes: tuple[Node, ...] = ()
    edges: list[Edge] = []
    tops: tuple[str, ...] = ()
    if root != (None, []):
        bad = _Bad(record)
        parts = _parts(root, bad)
        if not record.problems:
            edges = _edges(root, parts, bad)
        if record.problems:
            return None
        nodes = tuple([part.node(name) for name, part in parts.items()])
        tops = (root[0],)
    graph = _described(metadata, nodes, tuple(edges), tops)
    if record.unclosed:
        graph.extra[UNCLOSED] = 1
    return graph


def _described(
    metadata: dict[str, Any],
    nodes: tuple[Node, ...],
    edges: tuple[Edge, ...],
    tops: tuple[str, ...],
) -> Graph:
    """A graph with what is said above it."""
    text, tokens = _text(metadata)
    return Graph(
        first(metadata.get("id", "")),
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
    text = first(metadata.get("snt", ""))
    forms = first(metadata.get("tok", "")).split()
    if not forms:
        return text, ()
    if not text:
        return joined(forms)
    found = anchored(forms, text)
    return text, () if isinstance(found, Mismatch) else found


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file, in order."""
    yield from apart(_pieces(stream, name), name)


def _pieces(stream: BinaryIO, name: str) -> Iterator[Piece]:
    """The graphs of a file, in order."""
    last: tuple[list[str], dict[str, Any]] = [], {}
    for block in blocks(stream, name):
        if isinstance(block, Block):
            top = (block.top,)
            graph = _described(parse(block.comments), block.nodes, block.edges, top)
            yield Piece(Read(block.line, graph))
            continue
        record = block
        if record.started or record.comments != last[0]:
            last = record.comments, parse(record.comments)
        # Of a file of nothing but comments, each is like the one before.
        metadata = last[1]
        record.item = first(metadata.get("id", ""))
        found = record.record(_graph(record, metadata))
        yield Piece(found, record.adjacent, record.whole())


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
    block = plain_block(lines[0][0], [raw for _, raw in lines])
    if block is not None:
        return _described({}, block.nodes, block.edges, (block.top,)), []
    splitter = Splitter(name)
    found = [each for number, raw in lines for each in splitter.line(number, raw)]
    found += splitter.end()
    graphs = [_graph(each, {}) for each in found]
    wrong = [problem for each in found for problem in each.problems]
    if not wrong and len(found) != 1:
        line = found[1].line if found else lines[0][0]
        seen = "another graph in brackets" if found else "no graph"
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
    places = map(whole_number, _PLACES.findall(str(marker)))
    return tuple(
        graph.tokens[k] for k in places if k is not None and k < len(graph.tokens)
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
