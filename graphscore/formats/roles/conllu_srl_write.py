r"""CoNLL-U with columns of semantic roles, written.

>>> from graphscore.model.graph import Anchor, Edge, Graph, Node
>>> from graphscore.formats.roles.layout import Roles, headed, joined_words, tokens_of
>>> text, ranges = joined_words(["Dogs", "bark"])
>>> trees = [(("kind", "token"), ("head", head)) for head in (2, 0)]
>>> words = tokens_of(["Dogs", "bark"], ranges, trees)
>>> graph = headed("a", "", text, ranges, words, [Roles("bark.01", 1, [("A0", 0)])], {})
>>> print(b"".join(write([graph])).decode().replace("\t", " "), end="")
# sent_id = a
# text = Dogs bark
1 Dogs _ _ _ _ 2 _ _ _ A0
2 bark _ _ _ _ 0 _ Y bark.01 _
<BLANKLINE>
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from graphscore.formats.roles.conllu_srl import LINES, Reader
from graphscore.formats.roles.conllu_srl_layout import (
    ARGUMENTS,
    FRAME_FILE,
    LONG,
    NOTHING,
    ROLESET,
    SHORT,
)
from graphscore.formats.roles.writing import (
    add_roles,
    comments_of,
    form_of,
    kept,
    numbers_of,
    tree_cells,
    words_of,
    written,
)
from graphscore.model.graph import Graph
from graphscore.structures.roles.reading import sentence_of


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs as CoNLL-U with columns of semantic roles.

    Args:
        graphs: of the framework ``srl``, with words as nodes and roles at heads.

    Yields:
        Sentences.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    return written(graphs, "CoNLL-U with semantic roles", _lines)


def _lines(graph: Graph) -> Iterable[str]:
    reader = Reader("")
    before = kept(graph, LINES, reader.sentence)
    if before is not None and before.same:
        return before.lines
    nodes = words_of(graph)
    sentence = sentence_of(graph)
    layout = SHORT
    numbers = numbers_of(nodes)
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
    add_roles(rows, places, sentence, layout.flagged)
    return [*comments, *map("\t".join, rows)]


def _without_roles(misc: str) -> str:
    """MISC without what it says of roles."""
    names = (ROLESET, ARGUMENTS, FRAME_FILE)
    every = [each for each in misc.split("|") if each.partition("=")[0] not in names]
    return "|".join(every) or NOTHING
