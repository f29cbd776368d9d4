r"""Graphs as CoNLL-2012 documents.

What was read from CoNLL-2012 comes out as it was, cell by cell, as long as it says
the same: only cells whose brackets have changed are written anew, and line ends.
Other graphs are written in five columns: document, part, number and form of the
word, coreference.

>>> from graphscore.model.graph import Anchor, Edge, Node
>>> mention = Node(0, None, (("kind", "mention"),), (Anchor(0, 4),))
>>> entity = Node("7", None, (("kind", "entity"),))
>>> graph = Graph("a/0", "coref", 1, document="a", text="Dogs bark",
...               tokens=(Anchor(0, 4), Anchor(5, 9)), nodes=(mention, entity),
...               edges=(Edge("7", 0, "mention"),))
>>> print(b"".join(write([graph])).decode().replace(chr(9), " "), end="")
#begin document (a); part 000
a 0 0 Dogs (7)
a 0 1 bark -
<BLANKLINE>
#end document
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from graphscore.exceptions import InvalidGraphError
from graphscore.formats.coreference.conll2012 import BEGIN, END, LINES, ROWS
from graphscore.formats.coreference.conll2012_table import (
    NOTHING,
    Brackets,
    Header,
    sentences,
)
from graphscore.formats.shared.layers import kept_fields
from graphscore.formats.shared.token_spans import Span, TokenSpans
from graphscore.formats.writing import check_framework, naming
from graphscore.model.graph import Graph, NodeId
from graphscore.structures.layout import COREF, ENTITY, MENTION, nodes_of
from graphscore.structures.roles.sentence import SRL

_PART = re.compile(r"(?P<name>.+)/(?P<part>[0-9]{1,9})", re.DOTALL)
_END = re.compile(r"#[ \t]*end[ \t]+document\b[^\n]*")

_Mention = tuple[Span, str]
"""First and last word, and the id of the entity."""


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs, one document after the other.

    Args:
        graphs: of the framework ``coref``; graphs of the roles of their sentences
            may follow, as they were read.

    Yields:
        Documents.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    for graph in graphs:
        if graph.framework == SRL:
            continue  # the lines of its document say the roles
        check_framework(graph, (COREF,), "CoNLL-2012")
        with naming(graph):
            lines = "".join(_document(graph))
        yield lines.encode()


def _document(graph: Graph) -> Iterator[str]:
    spans = TokenSpans(graph)
    brackets = _brackets(_mentions(graph, spans), len(spans.forms))
    lines = kept_fields(graph.extra, LINES)
    begin, rows, end = (lines.get(key) for key in (BEGIN, ROWS, END))
    name, part = _name(graph)
    if not isinstance(begin, str) or Header.of(0, begin.encode()).item != graph.id:
        begin = f"#begin document ({name}); part {part:03d}"
    if not isinstance(end, str) or not _END.fullmatch(end):
        end = "#end document"
    yield f"{begin}\n"
    if isinstance(rows, str):
        yield from _rows(rows, spans.forms, brackets)
    else:
        column = re.sub(r"\s", "_", name)
        sizes = [end - first for first, end in pairwise(spans.starts("words"))]
        yield from _table(f"{column}\t{part}", spans.forms, brackets, sizes)
    yield f"{end}\n"


def _name(graph: Graph) -> tuple[str, int]:
    """The name of the document, and the number of its part."""
    match = _PART.fullmatch(graph.id)
    name, part = graph.id or graph.document, 0
    if match and match["name"] == graph.document:
        name, part = match["name"], int(match["part"])
    return name, part


def _table(
    before: str, forms: list[str], brackets: list[list[str]], sizes: list[int]
) -> Iterator[str]:
    """A table of five columns.

    Args:
        before: the first two of them.
        forms: the words.
        brackets: of each word.
        sizes: how many words each sentence has.
    """
    index = 0
    for size in filter(None, sizes):
        for number in range(size):
            cell = "|".join(brackets[index]) or "-"
            yield f"{before}\t{number}\t{forms[index]}\t{cell}\n"
            index += 1
        yield "\n"


def _rows(rows: str, forms: list[str], brackets: list[list[str]]) -> Iterator[str]:
    """The table as it was read, with the cells that the graph asks for."""
    read = Brackets()
    body = rows.replace("\r\n", "\n").encode()
    table: dict[int, tuple[str, bytes]] = {}
    for sentence in sentences(body):
        for number, row in enumerate(sentence.rows, sentence.first):
            table[number] = row[sentence.word].decode(), row[-1]
    cells = {cell for _, cell in table.values()}
    nothing = next((mark.decode() for mark in NOTHING if mark in cells), "-")
    index = 0
    for number, line in enumerate(re.split(r"(?<=\n)", rows)):
        if number not in table:
            yield line
            continue
        word, last = table[number]
        if index >= len(forms) or word != forms[index]:
            expected = repr(forms[index]) if index < len(forms) else "no more words"
            raise InvalidGraphError(f"a line of the word {word!r}", expected)
        required = brackets[index]
        index += 1
        cell = last.decode()
        if _by_entity(read, [cell]) == _by_entity(read, required):
            yield line
        else:
            inside = line.rstrip() if cell else line.rstrip("\r\n")
            end = line[len(inside) :]
            yield f"{inside.removesuffix(cell)}{'|'.join(required) or nothing}{end}"


def _by_entity(read: Brackets, cells: list[str]) -> dict[str, str] | None:
    """The brackets of each entity in their order: what a cell means."""
    result: dict[str, str] = {}
    for cell in cells:
        pieces = read.of(cell.encode())
        if pieces is None:
            return None
        for opens, entity, closes in pieces:
            more = "(" * opens + ")" * closes
            result[entity] = result.get(entity, "") + more
    return result


def _mentions(graph: Graph, spans: TokenSpans) -> list[_Mention]:
    """Every mention of every entity, in the order of the nodes."""
    mentions = {node.id: spans.of(node) for node in nodes_of(graph, MENTION)}
    entities = {node.id for node in nodes_of(graph, ENTITY)}
    found_in: dict[NodeId, list[str]] = {node: [] for node in mentions}
    for edge in graph.edges:
        if edge.source in entities and edge.target in mentions:
            found_in[edge.target].append(str(edge.source))
    return [
        (mentions[node], name) for node, names in found_in.items() for name in names
    ]


def _brackets(mentions: list[_Mention], words: int) -> list[list[str]]:
    """The brackets of every word."""
    closing: list[list[tuple[int, str]]] = [[] for _ in range(words)]
    opening: list[list[str]] = [[] for _ in range(words)]
    for (first, last), name in mentions:
        if first == last:
            opening[first].append(f"({name})")
        else:
            opening[first].append(f"({name}")
            closing[last].append((-first, f"{name})"))
    return [
        [*(text for _, text in sorted(ends)), *starts]
        for ends, starts in zip(closing, opening, strict=True)
    ]
