r"""Graphs as columns of CoNLL-AIDA: tokens, and the entities of mentions.

>>> from graphscore.model.graph import Anchor
>>> said = ("kind", "mention"), ("authority", "Ada_Lovelace")
>>> graph = Graph("1", "ner", text="Ada Lovelace left",
...               nodes=(Node(0, None, said, (Anchor(0, 12),)),),
...               tokens=(Anchor(0, 3), Anchor(4, 12), Anchor(13, 17)))
>>> print(b"".join(write([graph])).decode().replace("\t", " | "))
Ada | B | Ada Lovelace | Ada_Lovelace
Lovelace | I | Ada Lovelace | Ada_Lovelace
left
<BLANKLINE>
<BLANKLINE>
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from graphscore.errors import InvalidGraphError
from graphscore.formats.entities.sniffers import DOCSTART
from graphscore.formats.shared.token_spans import TokenSpans
from graphscore.formats.writing import check_framework, naming
from graphscore.model.graph import Graph, Node
from graphscore.structures.entities.authority import AUTHORITY, NIL
from graphscore.structures.entities.tags import TAGS
from graphscore.structures.layout import KIND, MENTION, NER, first_of, kind_of

NO_ENTRY = "--NME--"
"""What has no entity in YAGO."""

OPENING = "docstart"
"""The field of ``extra`` with the line that a document begins with."""

COLUMNS = ("wikipedia", "page", "freebase")
"""Fields of ``extra`` of a mention: more names of its entity."""


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs, one token to a line.

    Args:
        graphs: of the framework ``ner``.

    Yields:
        Sentences.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that the format cannot hold.
    """
    document = ""
    for graph in graphs:
        check_framework(graph, (NER,), "CoNLL-AIDA")
        opening = graph.extra.get(OPENING)
        if not opening and graph.document != document:
            opening = f"{DOCSTART} ({graph.document})"
        document = graph.document
        with naming(graph):
            lines = _sentence(graph)
        if opening:
            lines.insert(0, str(opening))
        yield "".join(f"{line}\n" for line in (*lines, "")).encode()


def _sentence(graph: Graph) -> list[str]:
    if graph.edges or graph.tops:
        raise InvalidGraphError("edges or tops", "entities alone")
    spans = TokenSpans(graph)
    if not spans.forms:
        raise InvalidGraphError("no tokens", "one or more")
    rows: list[list[str]] = [[form] for form in spans.forms]
    for node in graph.nodes:
        first, last = spans.of(node)
        letters, entity = _said(node, last - first + 1)
        words = " ".join(spans.forms[first : last + 1])
        for letter, row in zip(letters, rows[first : last + 1], strict=True):
            if len(row) > 1:
                found = f"a node {node.id!r} that overlaps another"
                raise InvalidGraphError(found, "entities that do not")
            row += [letter, words, *entity]
    for row in rows:
        if any("\t" in cell or "\n" in cell for cell in row) or not row[0].strip():
            raise InvalidGraphError(f"a token {row[0]!r}", "no tab within")
    return ["\t".join(row) for row in rows]


def _said(node: Node, tokens: int) -> tuple[str, list[str]]:
    """The letters of a mention, and the columns of its entity."""
    if kind_of(node) != MENTION:
        found = f"a node {node.id!r} of kind {kind_of(node)!r}"
        raise InvalidGraphError(found, MENTION)
    if node.label is not None:
        raise InvalidGraphError(f"a type {node.label!r}", "mentions without a type")
    entries = [str(value) for name, value in node.properties if name == AUTHORITY]
    if len(entries) > 1:
        found = f"a node {node.id!r} of {len(entries)} entries"
        raise InvalidGraphError(found, "one entry")
    other = [n for n, _ in node.properties if n not in (KIND, TAGS, AUTHORITY)]
    if other:
        raise InvalidGraphError(f"a property {other[0]!r}", "an entry and nothing else")
    letters = first_of(node.properties, TAGS)
    if not isinstance(letters, str) or len(letters) != tokens or set(letters) - {*"BI"}:
        letters = "B" + "I" * (tokens - 1)
    if not entries:
        return letters, []
    fields = dict(node.extra)
    said = [str(fields.get(column, "")) for column in COLUMNS]
    while said and not said[-1]:
        said.pop()
    return letters, [NO_ENTRY if entries[0] == NIL else entries[0], *said]
