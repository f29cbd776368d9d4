r"""Sentences with semantic roles, written in the formats that know heads only.

What was read from a format comes out in it as it was, line by line, as long as the
graph still says the same; else roles and tree are written anew, and the other
columns of the words are kept if the words are the same.  What the format cannot hold
is an error.

>>> from graphscore.graph import Anchor, Edge, Graph, Node
>>> from graphscore.formats.role_layout import Roles, headed, joined_words, tokens_of
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

from graphscore.errors import GraphscoreError, InvalidGraphError
from graphscore.formats import conll2009_sentence, conllu_srl_sentence
from graphscore.formats.base import Read, Record
from graphscore.formats.column_blocks import Block
from graphscore.formats.conllu_srl_sentence import FLAG, NOTHING
from graphscore.graph import Graph, Node
from graphscore.structures.layout import KIND, TOKEN, first_of
from graphscore.structures.roles import (
    EMPTY,
    HEAD,
    RELATION,
    SRL,
    Sentence,
    sentence_of,
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
        if graph.framework != SRL:
            raise GraphscoreError(
                f"item {graph.id!r} is of framework {graph.framework!r}; "
                f"{format} holds {SRL}"
            )
        try:
            found = "\n".join(lines(graph))
        except InvalidGraphError as error:
            shown = f"{error.found} in item {graph.id!r}"
            raise InvalidGraphError(shown, error.expected) from None
        yield f"{found}\n\n".encode()


def kept(
    graph: Graph, key: str, read: Callable[[Block], Record]
) -> tuple[str | None, Graph | None]:
    """The lines that a graph was read from, and what they say now.

    Args:
        graph: the graph.
        key: where ``extra`` has its lines.
        read: reads them.

    Returns:
        The lines, if they still say what the graph says; and the graph that is read
        from them, if there is one.
    """
    lines = graph.extra.get(key)
    if not isinstance(lines, str) or "\n\n" in lines or not lines.strip():
        return None, None
    record = read(Block(1, lines.encode(), lines, None))
    if not isinstance(record, Read):
        return None, None
    again = record.graph
    same = (again.text, again.tokens, again.nodes, again.edges) == (
        *(graph.text, graph.tokens, graph.nodes, graph.edges),
    )
    return lines if same and again.id in ("", graph.id) else None, again


def _words(graph: Graph) -> list[Node]:
    """The nodes of words, in the order of the file."""
    found = [node for node in graph.nodes if first_of(node.properties, KIND) == TOKEN]
    if not found:
        raise InvalidGraphError("a sentence without a tree", "words as nodes")
    return found


def _columns(sentence: Sentence) -> tuple[dict[int, str | None], list[dict[int, str]]]:
    """Senses by the position of their word, and cells by position, one column each."""
    senses: dict[int, str | None] = {}
    cells: dict[int, dict[int, str]] = {}
    for each in sentence.propositions:
        if len(each.words) != 1 or each.place in senses:
            found = f"a predicate {each.label!r} of {len(each.words)} words"
            if each.words and each.place in senses:
                found = f"a second predicate {each.label!r} at one word"
            raise InvalidGraphError(found, "one word for each predicate")
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


def clean(value: str) -> str:
    """A cell, which has no blanks and is not empty.

    Raises:
        InvalidGraphError: if it would be none.
    """
    if not value or value != "".join(value.split()):
        raise InvalidGraphError(f"a value {value[:60]!r}", "one without blanks")
    return value


def _form(node: Node) -> str:
    form = NOTHING if node.label is None else str(node.label)
    if not form or "\t" in form or "\n" in form:
        raise InvalidGraphError(f"a word {form[:60]!r}", "one without tabs")
    return form


def _roles(
    rows: list[Row], places: Sequence[int | None], sentence: Sentence, none: str
) -> None:
    """Put flags, senses and cells behind the columns of each row, in place.

    Args:
        rows: one for each line.
        places: the position of its word, ``None`` for a multiword token.
        sentence: the roles.
        none: how a sense is written that is not known.
    """
    senses, columns = _columns(sentence)
    for row, place in zip(rows, places, strict=True):
        known = place is not None and place in senses
        row.append(FLAG if known else NOTHING)
        sense = senses[place] if known and place is not None else NOTHING
        row.append(none if sense is None else clean(sense))
        row += [
            NOTHING if place is None else cells.get(place, NOTHING) for cells in columns
        ]


def _conllu(graph: Graph) -> Iterator[str]:
    reader = conllu_srl_sentence.Reader("")
    lines, before = kept(graph, conllu_srl_sentence.LINES, reader.sentence)
    if lines is not None:
        yield lines
        return
    nodes = _words(graph)
    sentence = sentence_of(graph)
    base = reader.base or 8
    comments, rows = [f"# sent_id = {graph.id}", f"# text = {graph.text}"], []
    if not graph.id:
        comments.pop(0)
    if any("\n" in each for each in comments):
        raise InvalidGraphError("an id or text of several lines", "one line")
    numbers: dict[str, int] = {}
    words = count = sum(first_of(each.properties, EMPTY) is None for each in nodes)
    position = 0
    for node in nodes:
        if first_of(node.properties, EMPTY) is None:
            position += 1
            numbers[str(position)] = position
        else:
            count += 1
            numbers[str(node.id)] = count
    if before is not None and _same_words(_words(before), nodes):
        old = str(graph.extra[conllu_srl_sentence.LINES]).split("\n")
        comments = [each for each in old if each.startswith("#")]
        rows = [each.split("\t")[:base] for each in old if not each.startswith("#")]
    else:
        base = 8
        rows = [
            [name, _form(node), *"____", NOTHING, NOTHING]
            for name, node in zip(numbers, nodes, strict=True)
        ]
    places: list[int | None] = []
    for row in rows:
        number = numbers.get(row[0])
        places.append(None if number is None else number - 1)
        if number is not None:
            word = sentence.tree[number - 1]
            row[6] = NOTHING if word.head is None else str(word.head + 1)
            row[7] = NOTHING if word.relation is None else clean(word.relation)
    if words != sentence.size:
        raise InvalidGraphError(f"{sentence.size} words", f"{words}")
    _roles(rows, places, sentence, NOTHING)
    yield from comments
    for row in rows:
        yield "\t".join(row)


def _same_words(one: list[Node], two: list[Node]) -> bool:
    return [(each.id, each.label, each.anchors) for each in one] == [
        (each.id, each.label, each.anchors) for each in two
    ]


def _conll2009(graph: Graph) -> Iterator[str]:
    reader = conll2009_sentence.Reader("")
    lines, before = kept(graph, conll2009_sentence.LINES, reader.sentence)
    if lines is not None:
        yield lines
        return
    nodes = _words(graph)
    sentence = sentence_of(graph)
    rows = [[str(k), _form(node), *"______"] for k, node in enumerate(nodes, 1)]
    if before is not None and _same_words(_words(before), nodes):
        old = str(graph.extra[conll2009_sentence.LINES]).split("\n")
        rows = [each.split("\t") for each in old if "\t" in each]
        rows = [row[:8] for row in rows]
    if len(rows) != len(nodes) or sentence.size != len(nodes):
        raise InvalidGraphError("empty nodes", "words with characters only")
    for row, node in zip(rows, nodes, strict=True):
        said = dict(node.properties)
        names = HEAD, conll2009_sentence.PREDICTED_HEAD
        more = RELATION, conll2009_sentence.PREDICTED_RELATION
        for name in (*names, *more):
            value = said.get(name)
            row.append(NOTHING if value is None else clean(str(value)))
    senses, _ = _columns(sentence)
    if any(sense is None or sense in ("_", "-") for sense in senses.values()):
        raise InvalidGraphError("a predicate without a sense", "a sense for each")
    _roles(rows, range(len(rows)), sentence, NOTHING)
    for row in rows:
        yield "\t".join(row)
