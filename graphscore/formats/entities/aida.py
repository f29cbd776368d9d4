r"""CoNLL-AIDA (AIDA CoNLL-YAGO): tokens, and the entities they are resolved to.

A token to a line, blank lines between sentences (Hoffart et al. 2011 and the read-me
file of their data); tokens of mentions have more columns, which tabs separate::

    -DOCSTART- (1 EU)
    EU       B  EU              --NME--
    rejects
    German   B  German          Germany  http://en.wikipedia.org/wiki/Germany  11867
    call

The columns are: token; ``B`` or ``I``; the whole mention; its entity in YAGO, or
``--NME--`` where it has none; the address of its page in Wikipedia; the page's number;
its name in Freebase.  A sentence is a graph of the framework ``ner``.  Its mentions
have no type, and the entity as property ``authority``, ``NIL`` where there is none.

>>> import io
>>> data = b"-DOCSTART- (1 EU)\nEU\tB\tEU\t--NME--\ncalls\nBonn\tB\tBonn\tBonn\n"
>>> [record] = read(io.BytesIO(data), "a.tsv")
>>> record.graph.document, record.graph.text
('1', 'EU calls Bonn')
>>> [node.properties for node in record.graph.nodes]  # doctest: +NORMALIZE_WHITESPACE
[(('kind', 'mention'), ('tags', 'B'), ('authority', 'NIL')),
 (('kind', 'mention'), ('tags', 'B'), ('authority', 'Bonn'))]
>>> [bad] = read(io.BytesIO(b"EU\tX\tEU\t--NME--\n"), "a.tsv")
>>> print(bad.problems[0])
a.tsv:1: found 'X' in column 2, expected B, I or O
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, BinaryIO

from graphscore.formats.base import Record
from graphscore.formats.entities.sniffers import AIDA_WIDEST, DOCSTART, opens_document
from graphscore.formats.entities.tag_table import tag_letters
from graphscore.formats.shared.columns import Block, Lines, blocks, without_tail
from graphscore.formats.shared.token_spans import TokenSpans
from graphscore.formats.writing import check_framework, naming
from graphscore.model.graph import Anchor, Graph, Node
from graphscore.model.joined_tokens import join_tokens
from graphscore.structures.entities.authority import AUTHORITY, NIL
from graphscore.structures.entities.tags import OUTSIDE, TAGS, Tag, chunks
from graphscore.structures.layout import NER, LayoutBuilder

_LETTERS = {"B": ("B", None), "I": ("I", None), "O": OUTSIDE}

NO_ENTRY = "--NME--"
"""Mark of a mention without an entity in YAGO."""

OPENING = "docstart"
"""The field of ``extra`` with the line that a document begins with."""

COLUMNS = ("wikipedia", "page", "freebase")
"""Fields of ``extra`` of a mention: more names of its entity."""


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """Read a file of resolved mentions.

    Args:
        stream: the file.
        name: its name.

    Yields:
        A record for each sentence.
    """
    document, opening = "", None
    for line, raw in blocks(stream, alone=_document_line):
        if mark := _document_line(raw[0]):
            document, opening = _document(mark), mark
            continue
        yield _Sentence(name, line, raw).whole_record(document, opening)
        opening = None


def _document_line(raw: bytes) -> str | None:
    """Return the line that begins a document, if it is one."""
    line = raw.decode("utf-8", "replace").rstrip("\r\n ")
    return line if opens_document(line) else None


def _document(line: str) -> str:
    """Return the name of a document: the number in front of its title."""
    words = line.removeprefix(DOCSTART).strip().removeprefix("(").split()
    return words[0].removesuffix(")") if words else ""


class _Sentence(Block):
    """The lines of a sentence, and everything that is wrong with them."""

    def __init__(self, name: str, line: int, raw: Lines) -> None:
        super().__init__(name, line, raw, NER)
        self.cells = [without_tail(text.split("\t"), 1) for text in self.lines]
        self.words, self.tokens = join_tokens([cells[0] for cells in self.cells])
        self.tags: list[Tag] = list(map(self._tag, self.numbers, self.cells))

    def whole_record(self, document: str, opening: str | None) -> Record:
        """The graph, or what is wrong.

        Args:
            document: the document that it belongs to.
            opening: the line that begins it, if it stands right before.
        """
        build = self.mentions()
        about: dict[str, Any] = {"text": self.words, "tokens": self.tokens}
        if opening is not None:
            about["extra"] = {OPENING: opening}
        return self.record(build.graph("", NER, document=document, **about))

    def _tag(self, line: int, cells: list[str]) -> Tag:
        if not cells[0]:
            self.add("", "an empty first column", "a token", line=line)
        if len(cells) > AIDA_WIDEST:
            self.add("", f"{len(cells)} columns", f"at most {AIDA_WIDEST}", line=line)
        if len(cells) == 1:
            return OUTSIDE
        tag = _LETTERS.get(cells[1])
        if tag is None:
            self.add("", f"{cells[1][:30]!r} in column 2", "B, I or O", line=line)
            return OUTSIDE
        return tag

    def mentions(self) -> LayoutBuilder:
        """The mentions, of which all tokens must say the same."""
        build = LayoutBuilder()
        for first, last, _, letters in chunks(self.tags):
            columns = self.cells[first][3:]
            for index in range(first + 1, last + 1):
                if self.cells[index][3:] != columns:
                    found = f"the entity {_show(self.cells[index][3:])}"
                    expected = f"{_show(columns)}, as in line {self.line + first}"
                    self.add("", found, expected, line=self.line + index)
            anchor = Anchor(self.tokens[first].start, self.tokens[last].end)
            properties = [(TAGS, letters)]
            if columns and columns[0]:
                entry = NIL if columns[0] == NO_ENTRY else columns[0]
                properties.append((AUTHORITY, entry))
            more = tuple(
                (column, cell)
                for column, cell in zip(COLUMNS, columns[1:], strict=False)
                if cell
            )
            build.mention(None, (anchor,), tuple(properties), extra=more)
        return build


def _show(columns: Sequence[str]) -> str:
    return repr("\t".join(columns)[:60]) if columns else "of no column"


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    r"""Write graphs, one token to a line.

    Args:
        graphs: of the framework ``ner``.

    Yields:
        Sentences.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.

    Example:
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
    spans = TokenSpans(graph)
    rows: list[list[str]] = [[form] for form in spans.forms]
    for node in graph.nodes:
        first, last = spans.of(node)
        letters, entity = _tag_cells(node, last - first + 1)
        words = " ".join(spans.forms[first : last + 1])
        for letter, row in zip(letters, rows[first : last + 1], strict=True):
            row += [letter, words, *entity]
    return ["\t".join(row) for row in rows]


def _tag_cells(node: Node, tokens: int) -> tuple[str, list[str]]:
    """The letters of a mention, and the columns of its entity."""
    entries = [str(value) for name, value in node.properties if name == AUTHORITY]
    letters = tag_letters(node, tokens)
    if set(letters) - {*"BI"}:
        letters = "B" + "I" * (tokens - 1)
    if not entries:
        return letters, []
    fields = dict(node.extra)
    columns = [str(fields.get(column, "")) for column in COLUMNS]
    while columns and not columns[-1]:
        columns.pop()
    return letters, [NO_ENTRY if entries[0] == NIL else entries[0], *columns]
