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
        check_framework(graph, (SRL,), format)
        with naming(graph):
            found = "\n".join(lines(graph))
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


def words_of(graph: Graph) -> list[Node]:
    """The nodes of words, in the order of the file.

    Raises:
        InvalidGraphError: if words are no nodes.
    """
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


def _conllu(graph: Graph) -> Iterator[str]:
    reader = conllu_srl_sentence.Reader("")
    lines, before = kept(graph, conllu_srl_sentence.LINES, reader.sentence)
    if lines is not None:
        yield lines
        return
    nodes = words_of(graph)
    sentence = sentence_of(graph)
    layout = reader.layout or SHORT
    comments, rows = comments_of(graph), []
    numbers = numbers_of(nodes)
    words = sum(first_of(each.properties, EMPTY) is None for each in nodes)
    if before is not None and same_words(words_of(before), nodes):
        old = str(graph.extra[conllu_srl_sentence.LINES]).split("\n")
        comments = [each for each in old if each.startswith("#")]
        rows = [each.split("\t") for each in old if not each.startswith("#")]
        if layout.misc:
            layout = LONG
            for row in rows:
                row[9] = _without_roles(row[9])
        rows = [row[: layout.base] for row in rows]
    else:
        layout = SHORT
        rows = [
            [name, form_of(node), *"____", NOTHING, NOTHING]
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
    _roles(rows, places, sentence, layout.flagged)
    yield from comments
    for row in rows:
        yield "\t".join(row)


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


def same_words(one: list[Node], two: list[Node]) -> bool:
    """Whether two sentences have the same words in the same places."""
    return [(each.id, each.label, each.anchors) for each in one] == [
        (each.id, each.label, each.anchors) for each in two
    ]


def _conll2009(graph: Graph) -> Iterator[str]:
    reader = conll2009_sentence.Reader("")
    lines, before = kept(graph, conll2009_sentence.LINES, reader.sentence)
    if lines is not None:
        yield lines
        return
    nodes = words_of(graph)
    sentence = sentence_of(graph)
    rows = [[str(k), form_of(node), *"______"] for k, node in enumerate(nodes, 1)]
    if before is not None and same_words(words_of(before), nodes):
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
    _roles(rows, range(len(rows)), sentence)
    for row in rows:
        yield "\t".join(row)
