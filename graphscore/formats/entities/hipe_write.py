r"""Documents as the columns of HIPE.

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
from typing import TypedDict

from graphscore.formats.entities.hipe_columns import (
    COARSE,
    COARSE_METONYMIC,
    COMPONENTS,
    FINE,
    FINE_METONYMIC,
    LINK,
    LINK_METONYMIC,
    NESTED,
    TAGGED,
    TOKEN,
)
from graphscore.formats.shared.layers import kept_as
from graphscore.formats.shared.token_spans import Span, TokenSpans
from graphscore.formats.writing import layered, naming
from graphscore.model.graph import Graph, Node
from graphscore.model.numbers import whole_number
from graphscore.structures.entities.authority import AUTHORITY, METONYMIC_AUTHORITY
from graphscore.structures.entities.tags import TAGS, tag_of
from graphscore.structures.entities.trees import ETREE, LITERAL
from graphscore.structures.layout import COMPONENT, NER, first_of, kind_of

TABLE = "table"
"""The field of ``extra`` of trees with what their file says beyond the graphs."""

Kept = dict[str, dict[str, str]]
"""The cells of columns of other kinds: by column and by token, from 0."""


class Table(TypedDict, total=False):
    """What a file says beyond the graphs."""

    header: str
    columns: list[str]
    said: list[str]
    cells: Kept
    lines: dict[str, list[str]]


MISC, NO_SPACE = "MISC", "NoSpaceAfter"

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
    for layers in layered(graphs, (NER, ETREE), "HIPE", _alike):
        graph = layers.get(ETREE) or layers[NER]
        with naming(graph):
            table = _table(layers)
            columns = table.get("columns") or _columns(layers)
            lines = _lines(layers, table, columns)
        if columns != header or "header" in table:
            header = columns
            lines.insert(0, str(table.get("header", "\t".join(columns))))
        yield "".join(f"{line}\n" for line in lines).encode()


def _alike(one: Graph, two: Graph) -> bool:
    """Whether two graphs are of one document."""
    same = (one.id, one.language) == (two.id, two.language)
    return same and (one.text, one.tokens) == (two.text, two.tokens)


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
    return columns + [str(each) for each in others if each not in columns]


def _lines(
    layers: Mapping[str, Graph], table: Table, columns: Sequence[str]
) -> list[str]:
    graph = layers.get(ETREE) or layers[NER]
    comments = kept_as(graph.extra, "comments", list[str], [])
    others = kept_as(graph.extra, "columns", Kept, {})
    said = table.get("said")
    cells = derived(layers.get(NER), layers.get(ETREE), said)
    spans = TokenSpans(graph)
    for column, kept in others.items():
        cells[column] = [kept.get(str(k), "_") for k in range(len(spans))]
    if MISC not in others:
        cells[MISC] = ["_"] * len(spans) if table else _joined(graph)
    for column, changed in table.get("cells", {}).items():
        filled = cells.setdefault(column, ["_"] * len(spans))
        for written, cell in changed.items():
            number = whole_number(written)
            if number is not None and number < len(filled):
                filled[number] = cell
    kept_lines = table.get("lines", {"0": comments})
    between = {whole_number(written): given for written, given in kept_lines.items()}
    if not table:
        head = comments
        if graph.id and not any("document_id" in each for each in comments):
            head = [f"# document_id = {graph.id}", *comments]
        between = {0: head, len(spans): [""]}
    lines: list[str] = []
    for place, form in enumerate(spans.forms):
        lines += between.get(place, [])
        row = [cells[c][place] if c in cells else "_" for c in columns[1:]]
        lines.append("\t".join((form, *row)))
    return lines + between.get(len(spans), [])


def _joined(graph: Graph) -> list[str]:
    """Where a token follows without a blank."""
    after = [token.start for token in graph.tokens[1:]]
    ends = [token.end for token in graph.tokens]
    joined = [NO_SPACE if a == b else "_" for a, b in zip(ends, after, strict=False)]
    return [*joined, "_"]


def derived(
    ner: Graph | None, trees: Graph | None, said: Iterable[str] | None = None
) -> Cells:
    """The columns of tags and links that graphs say.

    Args:
        ner: the mentions of a document.
        trees: its entity trees.
        said: the columns of tags that say anything, where the file is known; then
            what does not fit beside others is left out, to be changed by what is kept.

    Returns:
        Cells by column and token.
    """
    size = len((trees or ner or Graph("", NER)).tokens)
    if said is None:
        columns: tuple[str, ...] = TAGGED if trees else (COARSE,)
    else:
        columns = tuple(column for column in TAGGED if column in set(said))
    filled = _Columns(size, columns, said is not None)
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
        said = first_of(node.properties, LITERAL)
        literal = label if said is None else str(said)
        self.put(FINE, node, literal, where)
        if said is not None:
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
        entries = [str(value) for other, value in node.properties if other == name]
        if entries:
            count = last - first + 1
            self.cells[column][first : last + 1] = ["|".join(entries)] * count
