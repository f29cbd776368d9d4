r"""Sentences with semantic roles, written in the formats that know heads only.

What was read from a format comes out in it as it was, line by line, as long as the
graph still says the same; else roles and tree are written anew, and the other
columns of the words are kept if the words are the same.  What the format cannot hold
is an error.

>>> from graphscore.model.graph import Anchor, Edge, Graph, Node
>>> from graphscore.formats.roles.layout import Roles, headed, joined_words, tokens_of
>>> text, ranges = joined_words(["Dogs", "bark"])
>>> trees = [(("kind", "token"), ("head", head)) for head in (2, 0)]
>>> words = tokens_of(["Dogs", "bark"], ranges, trees)
>>> graph = headed("a", "", text, ranges, words, [Roles("bark.01", 1, [("A0", 0)])], {})
>>> print(b"".join(write_conllu_srl([graph])).decode().replace("\t", " "), end="")
# sent_id = a
# text = Dogs bark
1 Dogs _ _ _ _ 2 _ _ _ A0
2 bark _ _ _ _ 0 _ Y bark.01 _
<BLANKLINE>
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from graphscore.errors import InvalidGraphError
from graphscore.formats.base import Read, Record
from graphscore.formats.roles import conll2009_sentence, conllu_srl_sentence
from graphscore.formats.roles.conllu_srl_layout import (
    ARGUMENTS,
    FLAG,
    FRAME_FILE,
    LONG,
    NOTHING,
    ROLESET,
    SHORT,
)
from graphscore.formats.shared.columns import Block
from graphscore.formats.writing import check_framework, naming
from graphscore.model.graph import Graph, Node
from graphscore.structures.layout import TOKEN, first_of, nodes_of
from graphscore.structures.roles.reading import sentence_of
from graphscore.structures.roles.sentence import (
    EMPTY,
    SRL,
    Piece,
    Proposition,
    Sentence,
    Word,
)

Row = list[str]


def write_conllu_srl(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs as CoNLL-U with columns of semantic roles.

    Args:
        graphs: of the framework ``srl``, with words as nodes and roles at heads.

    Yields:
        Sentences.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that the format cannot hold.
    """
    return written(graphs, "CoNLL-U with semantic roles", _conllu)


def write_conll2009(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs as CoNLL-2009.

    Args:
        graphs: of the framework ``srl``, with words as nodes and roles at heads.

    Yields:
        Sentences.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that the format cannot hold.
    """
    return written(graphs, "CoNLL-2009", _conll2009)


def written(
    graphs: Iterable[Graph], format: str, lines: Callable[[Graph], Iterable[str]]
) -> Iterator[bytes]:
    """Sentences with a blank line after each.

    Args:
        graphs: the sentences.
        format: what the format is called in messages.
        lines: gives the lines of one.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that the format cannot hold.
    """
    for graph in graphs:
        check_framework(graph, (SRL,), format)
        with naming(graph):
            found = "\n".join(lines(graph))
        yield f"{found}\n\n".encode()


class Kept(NamedTuple):
    """The lines that a graph was read from, which have its words."""

    lines: list[str]
    same: bool
    """Whether they still say what the graph says."""


def kept(graph: Graph, key: str, read: Callable[[Block], Record]) -> Kept | None:
    """The lines that a graph was read from, if they have the words that it has now.

    Args:
        graph: the graph.
        key: where ``extra`` has its lines.
        read: reads them.
    """
    lines = graph.extra.get(key)
    if not isinstance(lines, str) or "\n\n" in lines or not lines.strip():
        return None
    record = read(Block(1, lines.encode(), lines, None))
    if not isinstance(record, Read):
        return None
    again = record.graph
    same = (again.text, again.tokens, again.nodes, again.edges) == (
        *(graph.text, graph.tokens, graph.nodes, graph.edges),
    )
    if same and again.id in ("", graph.id):
        return Kept(lines.split("\n"), True)
    there, now = (
        [(each.id, each.label, each.anchors) for each in nodes_of(one, TOKEN)]
        for one in (again, graph)
    )
    return Kept(lines.split("\n"), False) if there == now else None


def words_of(graph: Graph) -> list[Node]:
    """The nodes of words, in the order of the file.

    Raises:
        InvalidGraphError: if words are no nodes.
    """
    found = nodes_of(graph, TOKEN)
    if not found:
        raise InvalidGraphError("a sentence without a tree", "words as nodes")
    return found


def placed(sentence: Sentence) -> Iterator[Proposition]:
    """The predicates of a sentence, each of which has one word of its own.

    Raises:
        InvalidGraphError: at one that has not.
    """
    seen: set[int] = set()
    for each in sentence.propositions:
        if len(each.words) != 1 or each.place in seen:
            found = f"a predicate {each.label!r} of {len(each.words)} words"
            if each.words and each.place in seen:
                found = f"a second predicate {each.label!r} at one word"
            raise InvalidGraphError(found, "one word for each predicate")
        seen.add(each.place)
        yield each


def _columns(sentence: Sentence) -> tuple[dict[int, str | None], list[dict[int, str]]]:
    """Senses by the position of their word, and cells by position, one column each."""
    senses: dict[int, str | None] = {}
    cells: dict[int, dict[int, str]] = {}
    for each in placed(sentence):
        node = sentence.graph.nodes[each.node]
        senses[each.place] = None if node.label is None else each.label
        column = cells.setdefault(each.place, {})
        for piece in each.pieces:
            if piece.head is None or piece.words is not None:
                raise InvalidGraphError(f"a span of {piece.label!r}", "heads only")
            before = column.get(piece.head)
            label = clean(piece.label)
            column[piece.head] = label if before is None else f"{before}|{label}"
    return senses, [cells[place] for place in sorted(cells)]


def tree_cells(word: Word) -> tuple[str, str]:
    """HEAD and DEPREL of a word."""
    head = NOTHING if word.head is None else str(word.head + 1)
    return head, NOTHING if word.relation is None else clean(word.relation)


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


def clean(value: str) -> str:
    """A cell, which has no blanks and is not empty.

    Raises:
        InvalidGraphError: if it would be none.
    """
    if not value or value != "".join(value.split()):
        raise InvalidGraphError(f"a value {value[:60]!r}", "one without blanks")
    return value


def form_of(node: Node) -> str:
    """The form of a word, ``_`` where it has none.

    Raises:
        InvalidGraphError: if it cannot stand between tabs.
    """
    form = NOTHING if node.label is None else str(node.label)
    if not form or "\t" in form or "\n" in form:
        raise InvalidGraphError(f"a word {form[:60]!r}", "one without tabs")
    return form


def _roles(
    rows: list[Row],
    places: Sequence[int | None],
    sentence: Sentence,
    flagged: bool = True,
) -> None:
    """Put flags, senses and cells behind the columns of each row, in place.

    Args:
        rows: one for each line.
        places: the position of its word, ``None`` for a multiword token.
        sentence: the roles.
        flagged: whether there are flags.
    """
    senses, columns = _columns(sentence)
    for row, place in zip(rows, places, strict=True):
        known = place is not None and place in senses
        if flagged:
            row.append(FLAG if known else NOTHING)
        sense = senses[place] if known and place is not None else NOTHING
        if known and sense in (None, NOTHING) and not flagged:
            raise InvalidGraphError("a predicate without a sense", "a sense for each")
        row.append(NOTHING if sense is None else clean(sense))
        row += [
            NOTHING if place is None else cells.get(place, NOTHING) for cells in columns
        ]


def _conllu(graph: Graph) -> Iterable[str]:
    reader = conllu_srl_sentence.Reader("")
    before = kept(graph, conllu_srl_sentence.LINES, reader.sentence)
    if before is not None and before.same:
        return before.lines
    nodes = words_of(graph)
    sentence = sentence_of(graph)
    layout = SHORT
    numbers = numbers_of(nodes)
    words = sum(first_of(each.properties, EMPTY) is None for each in nodes)
    if before is not None:
        layout = reader.layout or SHORT
        comments = [each for each in before.lines if each.startswith("#")]
        rows = [each.split("\t") for each in before.lines if each[:1] != "#"]
        if layout.misc:
            layout = LONG
            for row in rows:
                row[9] = _without_roles(row[9])
        rows = [row[: layout.base] for row in rows]
    else:
        comments = comments_of(graph)
        rows = [
            [name, form_of(node), *"____", NOTHING, NOTHING]
            for name, node in zip(numbers, nodes, strict=True)
        ]
    places: list[int | None] = []
    for row in rows:
        number = numbers.get(row[0])
        places.append(None if number is None else number - 1)
        if number is not None:
            row[6:8] = tree_cells(sentence.tree[number - 1])
    if words != sentence.size:
        raise InvalidGraphError(f"{sentence.size} words", f"{words}")
    _roles(rows, places, sentence, layout.flagged)
    return [*comments, *map("\t".join, rows)]


def comments_of(graph: Graph) -> list[str]:
    """The comments of a sentence that has none of its own.

    Raises:
        InvalidGraphError: if they would take several lines.
    """
    comments = [f"# sent_id = {graph.id}", f"# text = {graph.text}"]
    if any("\n" in each for each in comments):
        raise InvalidGraphError("an id or text of several lines", "one line")
    return comments if graph.id else comments[1:]


def numbers_of(nodes: Sequence[Node]) -> dict[str, int]:
    """The numbers of words, by what a line calls them; empty nodes come last.

    Args:
        nodes: the nodes of words.
    """
    empty = [first_of(each.properties, EMPTY) is not None for each in nodes]
    found: dict[str, int] = {}
    position, count = 0, len(empty) - sum(empty)
    for node, is_empty in zip(nodes, empty, strict=True):
        if is_empty:
            count += 1
            found[str(node.id)] = count
        else:
            position += 1
            found[str(position)] = position
    return found


def _without_roles(misc: str) -> str:
    """MISC without what it says of roles."""
    names = (ROLESET, ARGUMENTS, FRAME_FILE)
    every = [each for each in misc.split("|") if each.partition("=")[0] not in names]
    return "|".join(every) or NOTHING


def _conll2009(graph: Graph) -> Iterable[str]:
    reader = conll2009_sentence.Reader("")
    before = kept(graph, conll2009_sentence.LINES, reader.sentence)
    if before is not None and before.same:
        return before.lines
    nodes = words_of(graph)
    sentence = sentence_of(graph)
    if before is not None:
        rows = [each.split("\t")[:8] for each in before.lines if "\t" in each]
    else:
        rows = [[str(k), form_of(node), *"______"] for k, node in enumerate(nodes, 1)]
    if len(rows) != len(nodes) or sentence.size != len(nodes):
        raise InvalidGraphError("empty nodes", "words with characters only")
    for row, node in zip(rows, nodes, strict=True):
        said = dict(node.properties)
        for name in conll2009_sentence.SAID:
            value = said.get(name)
            row.append(NOTHING if value is None else clean(str(value)))
    senses, _ = _columns(sentence)
    if any(sense is None or sense in ("_", "-") for sense in senses.values()):
        raise InvalidGraphError("a predicate without a sense", "a sense for each")
    _roles(rows, range(len(rows)), sentence)
    return map("\t".join, rows)
