r"""Columns of HIPE: the annotation of a document's tokens.

Up to six columns of tags stand beside each other: entities in their literal and their
metonymic sense, coarse and fine, their components, and what is nested in them; two more
have links.

>>> linked_chunks([("B", "loc")], ["Q70"])[0].links
('Q70',)

What graphs say is put into columns: mentions of ``ner`` are the coarse literal ones,
entity trees give fine types, components and what is nested.  What a file says beyond
that (``-`` in place of ``_``, links and types of single tokens, blank lines) its reader
keeps in ``extra`` of the trees: where the file differs from the columns made here.  So
what was read is written as it was.

>>> from graphscore.model.graph import Anchor
>>> said = ("kind", "mention"), ("authority", "Q70")
>>> ner = Graph("d1", "ner", text="in Bern", tokens=(Anchor(0, 2), Anchor(3, 7)),
...             nodes=(Node(0, "loc", said, (Anchor(3, 7),)),))
>>> print(b"".join(write([ner])).decode().expandtabs(15))
TOKEN          NE-COARSE-LIT  NEL-LIT        MISC
# document_id = d1
in             O              _              _
Bern           B-loc          Q70            _
<BLANKLINE>
<BLANKLINE>
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypedDict

from graphscore.formats.shared.layers import kept_as
from graphscore.formats.shared.token_spans import Span, TokenSpans
from graphscore.formats.writing import join_layers, naming
from graphscore.model.graph import Anchor, Graph, Node, Pairs
from graphscore.model.numbers import whole_number
from graphscore.structures.entities.authority import AUTHORITY, METONYMIC_AUTHORITY
from graphscore.structures.entities.tags import (
    OUTSIDE,
    TAGS,
    Chunk,
    Tag,
    chunks,
    tag_of,
)
from graphscore.structures.entities.trees import ETREE, LITERAL, TreeBuilder
from graphscore.structures.layout import (
    COMPONENT,
    ENTITY,
    NER,
    LayoutBuilder,
    first_of,
    kind_of,
)

COARSE, COARSE_METONYMIC = "NE-COARSE-LIT", "NE-COARSE-METO"
FINE, FINE_METONYMIC = "NE-FINE-LIT", "NE-FINE-METO"
COMPONENTS, NESTED = "NE-FINE-COMP", "NE-NESTED"
LINK, LINK_METONYMIC = "NEL-LIT", "NEL-METO"
"""Names of columns."""

TOKEN = "TOKEN"
"""The first column."""

TAGGED = (COARSE, COARSE_METONYMIC, FINE, FINE_METONYMIC, COMPONENTS, NESTED)
"""The columns of tags."""

NOTHING = frozenset({"_", "-", ""})
"""Cells that say nothing."""


GLOBAL = "# global.columns"
"""Beginning of the line that names the columns."""


def header_of(line: str) -> list[str] | None:
    """The columns that a line names, if it is a header."""
    if line.startswith(GLOBAL):
        return line.removeprefix(GLOBAL).strip(" =\t").split() or [""]
    cells = line.split("\t")
    if len(cells) > 1 and cells[1].startswith(("NE-", "NEL-")):
        return [cell.strip() for cell in cells]
    return None


def says_something(columns: Sequence[str], line: str) -> bool:
    r"""Return whether a row has a tag or a link; a ``#`` row without is a comment.

    Args:
        columns: their names.
        line: the row.

    >>> [says_something(("TOKEN", COARSE), line) for line in ("#\tO", "#\tB-loc")]
    [False, True]
    """
    cells = line.split("\t")
    return len(cells) == len(columns) and any(
        cell not in NOTHING and cell != "O"
        for column, cell in zip(columns, cells, strict=True)
        if column.startswith("NE")
    )


class _Piece(NamedTuple):
    """A node of the trees; tokens from 0, both ends included."""

    first: int
    last: int
    rank: int
    kind: str
    label: str | None
    literal: str | None
    properties: Pairs


class Annotated:
    r"""Annotation of the tokens of a document.

    Up to six columns of tags stand beside each other: entities in their literal and
    their metonymic sense, coarse and fine, their components, and what is nested in
    them.

    Args:
        found: the chunks of each column of tags.
        links: the cells of each column of links.
        tokens: the characters of the tokens.

    Example:
        >>> from graphscore.structures.entities.tags import chunks
        >>> tags = [("B", "loc.adm.nat")]
        >>> found = {column: [] for column in TAGGED} | {FINE: chunks(tags)}
        >>> found[FINE_METONYMIC] = chunks([("B", "org.adm")])
        >>> links = {LINK: ["Q39"], LINK_METONYMIC: ["_"]}
        >>> build = Annotated(found, links, [Anchor(0, 6)]).trees()
        >>> graph = build.graph("1", text="Suisse")
        >>> graph.nodes[0].label, graph.nodes[0].properties[1:]
        ('org.adm', (('literal', 'loc.adm.nat'), ('authority', 'Q39')))
    """

    def __init__(
        self,
        by_column: dict[str, list[Chunk]],
        links: dict[str, list[str]],
        tokens: Sequence[Anchor],
    ) -> None:
        self._by_column, self._links, self._tokens = by_column, links, tokens
        self._literal = _by_place(by_column[FINE], by_column[COARSE])
        self._metonymic = _by_place(
            by_column[FINE_METONYMIC], by_column[COARSE_METONYMIC]
        )
        self._linked = {(chunk.first, chunk.last) for chunk in by_column[COARSE]}
        self._linked.update(self._literal)

    def mentions(self) -> LayoutBuilder:
        """The coarse entities in their literal sense."""
        build = LayoutBuilder()
        for first, last, label, letters in self._by_column[COARSE]:
            properties = ((TAGS, letters), *self._authorities(first, last))
            build.mention(label, [self._anchor(first, last)], properties)
        return build

    def trees(self) -> TreeBuilder:
        """Entities, nested ones, and components."""
        pieces = [
            _Piece(
                *span,
                0,
                ENTITY,
                self._metonymic.get(span, self._literal.get(span)),
                self._second(span),
                self._authorities(*span),
            )
            for span in {**self._literal, **self._metonymic}
        ]
        for first, last, label, _ in self._by_column[NESTED]:
            pieces.append(_Piece(first, last, 1, ENTITY, label, None, ()))
        for first, last, label, _ in self._by_column[COMPONENTS]:
            name = None if label is None else label.removeprefix("comp.")
            pieces.append(_Piece(first, last, 2, COMPONENT, name, None, ()))
        pieces.sort(key=lambda piece: (piece.first, -piece.last, piece.rank))
        build = TreeBuilder()
        around: list[tuple[int, int, int]] = []
        for number, piece in enumerate(pieces):
            first, last, _, kind, label, literal, properties = piece
            around = [entity for entity in around if entity[1] >= first]
            holding = [entity for entity in around if entity[1] >= last]
            # The shortest; of equal ones the latest, which is the innermost.
            holding.sort(key=lambda entity: (entity[1] - entity[0], -entity[2]))
            parent = holding[0][2] if holding else None
            anchors = (self._anchor(first, last),)
            if kind == COMPONENT:
                build.component(label or "", anchors, parent=parent, id=number)
            else:
                build.entity(
                    label or "",
                    anchors,
                    literal=literal,
                    parent=parent,
                    properties=properties,
                    id=number,
                )
                around.append((first, last, number))
        return build

    def stray_links(self) -> dict[str, dict[str, str]]:
        """Links of tokens that are in no entity."""
        spans = self._linked.union(self._metonymic)
        within = {token for first, last in spans for token in range(first, last + 1)}
        result: dict[str, dict[str, str]] = {}
        for column, cells in self._links.items():
            for number, cell in enumerate(cells):
                if cell not in NOTHING and number not in within:
                    result.setdefault(str(number), {})[column] = cell
        return result

    def _anchor(self, first: int, last: int) -> Anchor:
        return Anchor(self._tokens[first].start, self._tokens[last].end)

    def _second(self, span: tuple[int, int]) -> str | None:
        """The literal type of what has a metonymic one that differs."""
        literal, metonymic = self._literal.get(span), self._metonymic.get(span)
        return literal if metonymic is not None and literal != metonymic else None

    def _authorities(self, first: int, last: int) -> Pairs:
        """The entries that an entity is linked to, apart for either sense."""
        properties: dict[tuple[str, str], None] = {}
        for name, column, spans in (
            (AUTHORITY, LINK, self._linked),
            (METONYMIC_AUTHORITY, LINK_METONYMIC, self._metonymic),
        ):
            if (first, last) in spans:
                for cell in self._links[column][first : last + 1]:
                    if cell not in NOTHING:
                        for entry in filter(None, cell.split("|")):
                            properties[name, entry] = None
        return tuple(properties)


class LinkedChunk(NamedTuple):
    """Tokens of one link, from 0, both ends included."""

    first: int
    last: int
    links: tuple[str, ...]
    """The best one first."""
    entity: tuple[int, int]
    """The entity that they are of."""


def linked_chunks(
    tags: Sequence[Tag | None], cells: Sequence[str]
) -> list[LinkedChunk]:
    """The parts of entities that have the same links.

    A link outside of all entities is one by itself, as for the HIPE scorer.

    Args:
        tags: those of the entities.
        cells: the links of all tokens.

    >>> tags = [("B", "loc"), ("I", "loc"), ("O", None), ("O", None)]
    >>> [chunk[:3] for chunk in linked_chunks(tags, ["Q1|Q2", "Q3", "Q4", "_"])]
    [(0, 0, ('Q1', 'Q2')), (1, 1, ('Q3',)), (2, 2, ('Q4',))]
    """
    parts: list[LinkedChunk] = []
    for first, last, _, _ in chunks(tag or OUTSIDE for tag in tags):
        start = first
        for index in range(first + 1, last + 2):
            if index > last or cells[index] != cells[start]:
                links = tuple(cells[start].split("|"))
                if links[0] not in NOTHING:
                    chunk = LinkedChunk(start, index - 1, links, (first, last))
                    parts.append(chunk)
                start = index
    for index, cell in enumerate(cells):
        if (tags[index] or OUTSIDE) == OUTSIDE and cell not in NOTHING:
            links = tuple(cell.split("|"))
            parts.append(LinkedChunk(index, index, links, (index, index)))
    return sorted(parts)


def _by_place(
    fine: Iterable[Chunk], coarse: Iterable[Chunk]
) -> dict[tuple[int, int], str]:
    """Entities by their tokens: fine ones, coarse ones where there is no fine one."""
    result: dict[tuple[int, int], str] = {}
    taken: set[int] = set()
    for chunk in fine:
        result[chunk.first, chunk.last] = chunk.label or ""
        taken.update(range(chunk.first, chunk.last + 1))
    for chunk in coarse:
        if taken.isdisjoint(range(chunk.first, chunk.last + 1)):
            result[chunk.first, chunk.last] = chunk.label or ""
    return result


TABLE = "table"
"""The field of ``extra`` of trees with what their file says beyond the graphs."""

Kept = dict[str, dict[str, str]]
"""The cells of columns of other kinds: by column and by token, from 0."""


class Table(TypedDict, total=False):
    """Fields of a file that the graphs do not hold."""

    header: str
    columns: list[str]
    said: list[str]
    cells: Kept
    lines: dict[str, list[str]]


MISC, NO_SPACE = "MISC", "NoSpaceAfter"
"""One more column, and what it says where no blank follows."""

Cells = dict[str, list[str]]
"""The cells of each column, by token."""


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write documents; the two graphs of one stand one after the other.

    Args:
        graphs: of the frameworks ``ner`` and ``etree``.

    Yields:
        The header where it changes, and documents.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    header: list[str] = []
    for layers in join_layers(graphs, (NER, ETREE), "HIPE", _same_document):
        graph = layers.get(ETREE) or layers[NER]
        with naming(graph):
            table = _table(layers)
            columns = table.get("columns") or _columns(layers)
            lines = _lines(layers, table, columns)
        if columns != header or "header" in table:
            header = columns
            lines.insert(0, str(table.get("header", "\t".join(columns))))
        yield "".join(f"{line}\n" for line in lines).encode()


def _same_document(left: Graph, right: Graph) -> bool:
    """Return whether two graphs are of one document."""
    same = (left.id, left.language) == (right.id, right.language)
    return same and (left.text, left.tokens) == (right.text, right.tokens)


def _table(layers: Mapping[str, Graph]) -> Table:
    trees = layers.get(ETREE)
    none = Table()
    return kept_as(trees.extra, TABLE, Table, none) if trees else none


def _columns(layers: Mapping[str, Graph]) -> list[str]:
    """The columns of a document that was read without its table."""
    if ETREE in layers:
        return [TOKEN, *TAGGED, LINK, LINK_METONYMIC, MISC]
    columns = [TOKEN, COARSE, LINK, MISC]
    others = kept_as(layers[NER].extra, "columns", Kept, {})
    return columns + [str(column) for column in others if column not in columns]


def _lines(
    layers: Mapping[str, Graph], table: Table, columns: Sequence[str]
) -> list[str]:
    graph = layers.get(ETREE) or layers[NER]
    comments = kept_as(graph.extra, "comments", list[str], [])
    others = kept_as(graph.extra, "columns", Kept, {})
    used = table.get("said")
    cells = derive_columns(layers.get(NER), layers.get(ETREE), used)
    spans = TokenSpans(graph)
    for column, kept in others.items():
        cells[column] = [kept.get(str(k), "_") for k in range(len(spans))]
    if MISC not in others:
        cells[MISC] = ["_"] * len(spans) if table else _spacing_marks(graph)
    for column, changed in table.get("cells", {}).items():
        filled = cells.setdefault(column, ["_"] * len(spans))
        for written, cell in changed.items():
            number = whole_number(written)
            if number is not None and number < len(filled):
                filled[number] = cell
    kept_lines = table.get("lines", {"0": comments})
    between = {
        whole_number(written): kept_line for written, kept_line in kept_lines.items()
    }
    if not table:
        head = comments
        if graph.id and not any("document_id" in comment for comment in comments):
            head = [f"# document_id = {graph.id}", *comments]
        between = {0: head, len(spans): [""]}
    lines: list[str] = []
    for index, form in enumerate(spans.forms):
        lines += between.get(index, [])
        row = [cells[c][index] if c in cells else "_" for c in columns[1:]]
        lines.append("\t".join((form, *row)))
    return lines + between.get(len(spans), [])


def _spacing_marks(graph: Graph) -> list[str]:
    """Return the marks of tokens: which follow without a blank."""
    after = [token.start for token in graph.tokens[1:]]
    ends = [token.end for token in graph.tokens]
    joined = [NO_SPACE if a == b else "_" for a, b in zip(ends, after, strict=False)]
    return [*joined, "_"]


def derive_columns(
    ner: Graph | None, trees: Graph | None, used: Iterable[str] | None = None
) -> Cells:
    """The columns of tags and links that graphs say.

    Args:
        ner: the mentions of a document.
        trees: its entity trees.
        used: the columns of tags that say anything, where the file is known; then
            what does not fit beside others is left out, to be changed by what is kept.

    Returns:
        Cells by column and token.
    """
    size = len((trees or ner or Graph("", NER)).tokens)
    if used is None:
        columns: tuple[str, ...] = TAGGED if trees else (COARSE,)
    else:
        columns = tuple(column for column in TAGGED if column in set(used))
    filled = _Columns(size, columns, used is not None)
    if trees is not None:
        filled.take_trees(trees, coarse=ner is None)
    if ner is not None:
        spans = TokenSpans(ner)
        for node in ner.nodes:
            where = spans.of(node)
            filled.put(COARSE, node, str(node.label or ""), where)
            filled.link(LINK, node, AUTHORITY, where)
    return filled.cells


class _Columns:
    """Columns that are filled in.

    Args:
        size: how many tokens there are.
        tagged: the columns of tags that say anything.
        lenient: whether what does not fit is left out.
    """

    def __init__(self, size: int, tagged: Sequence[str], lenient: bool) -> None:
        every = (*TAGGED, LINK, LINK_METONYMIC)
        self.cells: Cells = {column: ["_"] * size for column in every}
        self.cells |= {column: ["O"] * size for column in tagged}
        self._tagged, self._lenient = tagged, lenient

    def take_trees(self, trees: Graph, coarse: bool) -> None:
        """Fill in entities and their components.

        Args:
            trees: the graph.
            coarse: whether they give the coarse types as well.
        """
        spans = TokenSpans(trees)
        inside = {edge.target for edge in trees.edges}
        for node in trees.nodes:
            where, label = spans.of(node), str(node.label or "")
            if kind_of(node) == COMPONENT:
                self.put(COMPONENTS, node, label and f"comp.{label}", where)
            elif node.id in inside:
                self.put(NESTED, node, label, where)
            else:
                self._root(node, label, where, coarse)

    def _root(self, node: Node, label: str, where: Span, coarse: bool) -> None:
        first = first_of(node.properties, LITERAL)
        literal = label if first is None else str(first)
        self.put(FINE, node, literal, where)
        if first is not None:
            self.put(FINE_METONYMIC, node, label, where)
            self.put(COARSE_METONYMIC, node, label.split(".")[0], where)
        if coarse:
            self.put(COARSE, node, literal.split(".")[0], where)
        self.link(LINK, node, AUTHORITY, where)
        self.link(LINK_METONYMIC, node, METONYMIC_AUTHORITY, where)

    def put(self, column: str, node: Node, label: str, where: Span) -> None:
        """Fill in the tags of an entity."""
        first, last = where
        if not label or (self._lenient and column not in self._tagged):
            return
        letters = first_of(node.properties, TAGS)
        if not isinstance(letters, str) or len(letters) != last - first + 1:
            letters = "B" + "I" * (last - first)
        cells = self.cells[column]
        free = all(cell == "O" for cell in cells[first : last + 1])
        if free and tag_of(f"{letters[0]}-{label}") == (letters[0], label):
            cells[first : last + 1] = [f"{letter}-{label}" for letter in letters]

    def link(self, column: str, node: Node, name: str, where: Span) -> None:
        """Fill in the links of an entity."""
        first, last = where
        entries = [str(value) for key, value in node.properties if key == name]
        if entries:
            count = last - first + 1
            self.cells[column][first : last + 1] = ["|".join(entries)] * count
