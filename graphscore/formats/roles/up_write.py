r"""Sentences with semantic roles, written as Universal PropBank 2 has them.

What was read comes out as it was, line by line, as long as the graph still says the
same.  Else the columns of tree and roles are written anew, and the others are kept if
the words are the same; graphs from elsewhere get the ten columns of CoNLL-U and three
of roles.  The line that declares the columns is written where they change.

>>> from graphscore.model.graph import Anchor, Edge, Graph, Node
>>> graph = Graph("a", "srl", 1, text="Dogs bark", tokens=(Anchor(0, 4), Anchor(5, 9)),
...     nodes=(Node(0, "bark.01", (("kind", "predicate"),), (Anchor(5, 9),)),
...            Node(1, None, (("kind", "argument"),), (Anchor(0, 4),))),
...     edges=(Edge(0, 1, "A0"),))
>>> lines = b"".join(write([graph])).decode().replace("\t", " ").splitlines()
>>> print(*lines[1:], sep="\n")
# sent_id = a
# text = Dogs bark
1 Dogs _ _ _ _ _ _ _ _ _ _ _
2 bark _ _ _ _ _ _ _ _ bark.01 _ A0:1-1
<BLANKLINE>
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from graphscore.errors import InvalidGraphError
from graphscore.formats.roles.conllu_srl_layout import NOTHING
from graphscore.formats.roles.up import DECLARED, LINES, Reader
from graphscore.formats.roles.writing import (
    Kept,
    Row,
    comments_of,
    ends_of,
    form_of,
    kept,
    numbers_of,
    placed,
    tree_cells,
    words_of,
    written,
)
from graphscore.formats.shared.conllu_columns import (
    COLUMNS,
    GLOBAL,
    Columns,
    columns_of,
    declared_in,
)
from graphscore.model.graph import Graph, Node
from graphscore.structures.roles.reading import sentence_of
from graphscore.structures.roles.sentence import Proposition, Sentence

STANDARD = Columns(
    (*COLUMNS, "UP:PRED", "UP:ARGHEADS", "UP:ARGSPANS"), (*range(10),), (10, 11, 12)
)
"""The columns of a file that has none of its own."""

_FORM, _HEAD, _DEPREL = 1, 6, 7


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs with heads and spans of arguments.

    Args:
        graphs: of the framework ``srl``.

    Yields:
        Sentences.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    return written(graphs, "Universal PropBank", _Writer().lines)


class _Writer:
    """Remembers which columns were declared last."""

    def __init__(self) -> None:
        self.declared = ""

    def lines(self, graph: Graph) -> Iterator[str]:
        """The lines of a sentence, with a declaration if one is needed."""
        said = graph.extra.get(DECLARED)
        columns = columns_of(said) if isinstance(said, str) else None
        before: Kept | None = None
        if columns is not None:
            before = kept(graph, LINES, Reader("", columns).sentence)
        if columns is None or before is None:
            before, columns = None, STANDARD
        if before is not None and before.same:
            found = before.lines
        else:
            found = list(_anew(graph, columns, before))
        declared = " ".join(columns.names)
        if declared != self.declared:
            yield f"# {GLOBAL} = {declared}"
            self.declared = declared
        yield from (line for line in found if declared_in(line) is None)


def _anew(graph: Graph, columns: Columns, before: Kept | None) -> Iterator[str]:
    """The lines of a sentence, tree and roles as the graph has them.

    Args:
        graph: the sentence.
        columns: those of the file.
        before: its lines, with all other columns, if they are there.
    """
    sentence = sentence_of(graph)
    nodes = words_of(graph) if sentence.tree else _made(graph, sentence)
    numbers = numbers_of(nodes)
    if before is not None:
        comments = [line for line in before.lines if line.startswith("#")]
        rows = [line.split("\t") for line in before.lines if line[:1] != "#"]
    else:
        comments, rows = comments_of(graph), []
        if [*map(form_of, nodes)] != _forms(graph):
            # Of several words that are one in the text, none stands there.
            comments = [each for each in comments if not each.startswith("# text = ")]
        for name, node in zip(numbers, nodes, strict=True):
            row = [NOTHING] * len(columns.names)
            row[columns.ten[0]] = name
            row[columns.ten[_FORM]] = form_of(node)
            rows.append(row)
    by_number: dict[int, Row] = {}
    for row in rows:
        number = numbers.get(row[columns.ten[0]])
        for place in columns.roles:
            _set(row, place, NOTHING)
        if number is not None:
            by_number[number] = row
            if sentence.tree:
                cells = tree_cells(sentence.tree[number - 1])
                for place, cell in zip((_HEAD, _DEPREL), cells, strict=True):
                    _set(row, columns.ten[place], cell)
    names = {number: name for name, number in numbers.items()}
    for each in placed(sentence):
        said = each.label, *_cells(each, names)
        for place, cell in zip(columns.roles, said, strict=True):
            _set(by_number[each.place + 1], place, cell)
    yield from comments
    for row in rows:
        yield "\t".join(row)


def _made(graph: Graph, sentence: Sentence) -> list[Node]:
    """Nodes of words that are none in the graph."""
    forms = _forms(graph)
    if not forms or sentence.counted != "words":
        raise InvalidGraphError("a sentence without words", "words with characters")
    return [Node(number, form) for number, form in enumerate(forms, 1)]


def _forms(graph: Graph) -> list[str]:
    return [graph.text[start:end] for start, end in graph.tokens]


def _set(row: Row, place: int, cell: str) -> None:
    """Put a cell in its place, if the file has one for it."""
    if place >= 0:
        row[place] = cell


def _cells(each: Proposition, names: dict[int, str]) -> tuple[str, str]:
    """The heads and the spans of a predicate's arguments."""
    heads: list[str] = []
    spans: list[str] = []
    for piece in each.pieces:
        if piece.head is not None:
            heads.append(f"{piece.label}:{names[piece.head + 1]}")
        if piece.words is not None:
            first, last = ends_of(piece)
            spans.append(f"{piece.label}:{names[first + 1]}-{names[last + 1]}")
    return "|".join(heads) or NOTHING, "|".join(spans) or NOTHING
