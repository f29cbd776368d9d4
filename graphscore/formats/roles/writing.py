r"""Functions that the writers of sentences with semantic roles share.

What was read from a format comes out in it as it was, line by line, as long as the
graph still says the same; else roles and tree are written anew, and the other
columns of the words are kept if the words are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from graphscore.exceptions import InvalidGraphError
from graphscore.formats.base import ReadGraph, Record
from graphscore.formats.roles.conllu_srl_layout import FLAG, NOTHING
from graphscore.formats.shared.columns import Lines
from graphscore.formats.writing import check_framework, naming
from graphscore.model.graph import Graph, Node
from graphscore.structures.layout import TOKEN, first_of, nodes_of
from graphscore.structures.roles.sentence import (
    EMPTY,
    SRL,
    Piece,
    Proposition,
    Sentence,
    Word,
)

Row = list[str]


def write_sentences(
    graphs: Iterable[Graph], format: str, lines: Callable[[Graph], Iterable[str]]
) -> Iterator[bytes]:
    """Sentences with a blank line after each.

    Args:
        graphs: the sentences.
        format: what the format is called in messages.
        lines: gives the lines of one.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    for graph in graphs:
        check_framework(graph, (SRL,), format)
        with naming(graph):
            text = "\n".join(lines(graph))
        yield f"{text}\n\n".encode()


class Kept(NamedTuple):
    """The lines that a graph was read from, which have its words."""

    lines: list[str]
    same: bool
    """The lines still agree with the graph."""


def kept_lines(
    graph: Graph, key: str, read: Callable[[int, Lines], Record]
) -> Kept | None:
    """The lines that a graph was read from, if they have the words that it has now.

    Args:
        graph: the graph.
        key: where ``extra`` has its lines.
        read: reads them.
    """
    lines = graph.extra.get(key)
    if not isinstance(lines, str) or "\n\n" in lines or not lines.strip():
        return None
    record = read(1, [lines.encode()])
    if not isinstance(record, ReadGraph):
        return None
    again = record.graph
    same = (again.text, again.tokens, again.nodes, again.edges) == (
        *(graph.text, graph.tokens, graph.nodes, graph.edges),
    )
    if same and again.id in ("", graph.id):
        return Kept(lines.split("\n"), True)
    before, now = (
        [(node.id, node.label, node.anchors) for node in nodes_of(sentence, TOKEN)]
        for sentence in (again, graph)
    )
    return Kept(lines.split("\n"), False) if before == now else None


def rewritten(
    graph: Graph,
    key: str,
    read: Callable[[int, Lines], Record],
    anew: Callable[[Graph, Kept | None], Iterable[str]],
) -> Iterable[str]:
    """The lines that a graph was read from, where they still say the same, or new ones.

    Args:
        graph: the graph.
        key: where ``extra`` has its lines.
        read: reads them.
        anew: lays the graph out, with the columns of lines that have its words.
    """
    before = kept_lines(graph, key, read)
    return before.lines if before is not None and before.same else anew(graph, before)


def words_of(graph: Graph) -> list[Node]:
    """The nodes of words, in the order of the file.

    Raises:
        InvalidGraphError: if words are no nodes.
    """
    nodes = nodes_of(graph, TOKEN)
    if not nodes:
        raise InvalidGraphError("a sentence without a tree", "words as nodes")
    return nodes


def forms_of_words(graph: Graph, sentence: Sentence) -> list[str]:
    """The forms of the words of a sentence, of which lines are made.

    Raises:
        InvalidGraphError: if it has none, and so no line.
    """
    forms = [graph.text[start:end] for start, end in graph.tokens]
    if not forms or sentence.counted != "words" or len(forms) != sentence.size:
        raise InvalidGraphError("a sentence without words", "words with characters")
    return forms


def predicates_at_words(sentence: Sentence) -> Iterator[Proposition]:
    """The predicates of a sentence that are at a word."""
    return (predicate for predicate in sentence.propositions if predicate.words)


def labels_of(
    sentence: Sentence,
) -> tuple[dict[int, str | None], list[dict[int, str]]]:
    """Senses by the position of their word, and cells by position, one column each."""
    senses: dict[int, str | None] = {}
    cells: dict[int, dict[int, str]] = {}
    for proposition in predicates_at_words(sentence):
        node = sentence.graph.nodes[proposition.node]
        senses[proposition.place] = None if node.label is None else proposition.label
        column = cells.setdefault(proposition.place, {})
        for piece in proposition.pieces:
            if piece.head is None:
                continue  # a span, which these columns do not say
            before = column.get(piece.head)
            label = piece.label
            column[piece.head] = label if before is None else f"{before}|{label}"
    return senses, [cells[column] for column in sorted(cells)]


def tree_cells(word: Word) -> tuple[str, str]:
    """HEAD and DEPREL of a word."""
    head = NOTHING if word.head is None else str(word.head + 1)
    return head, NOTHING if word.relation is None else word.relation


def ends_of(piece: Piece) -> tuple[int, int]:
    """The positions of the first and the last word of a piece of an argument.

    Raises:
        InvalidGraphError: if it has no words, or leaves some out.
    """
    words = piece.words
    if not words or words != tuple(range(words[0], words[-1] + 1)):
        found = f"a piece {piece.label!r} without an unbroken span"
        raise InvalidGraphError(found, "spans of words")
    return words[0], words[-1]


def form_of(node: Node) -> str:
    """The form of a word, ``_`` where it has none."""
    return NOTHING if node.label is None else str(node.label)


def add_roles(
    rows: list[Row],
    words: Sequence[int | None],
    sentence: Sentence,
    flagged: bool = True,
) -> None:
    """Put flags, senses and cells behind the columns of each row, in place.

    Args:
        rows: one for each line.
        words: the position of its word, ``None`` for a multiword token.
        sentence: the roles.
        flagged: whether there are flags.
    """
    senses, columns = labels_of(sentence)
    for row, word in zip(rows, words, strict=True):
        known = word is not None and word in senses
        if flagged:
            row.append(FLAG if known else NOTHING)
        sense = senses[word] if known and word is not None else NOTHING
        row.append(NOTHING if sense is None else sense)
        row += [
            NOTHING if word is None else cells.get(word, NOTHING) for cells in columns
        ]


def comments_of(graph: Graph) -> list[str]:
    """The comments of a sentence that has none of its own."""
    comments = [f"# sent_id = {graph.id}", f"# text = {graph.text}"]
    return comments if graph.id else comments[1:]


def numbers_of(nodes: Sequence[Node]) -> dict[str, int]:
    """The numbers of words, by what a line calls them; empty nodes come last.

    Args:
        nodes: the nodes of words.
    """
    empty = [first_of(node.properties, EMPTY) is not None for node in nodes]
    numbers: dict[str, int] = {}
    position, count = 0, len(empty) - sum(empty)
    for node, is_empty in zip(nodes, empty, strict=True):
        if is_empty:
            count += 1
            numbers[str(node.id)] = count
        else:
            position += 1
            numbers[str(position)] = position
    return numbers
