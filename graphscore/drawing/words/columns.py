"""The words of a sentence in columns: those of gold and of the system at one place.

>>> from graphscore.drawing.styles import alone
>>> from graphscore.model.graph import Node
>>> dogs = Node(0, "dog", anchors=(Anchor(0, 4),))
>>> graph = Graph("1", "dm", 0, text="Dogs bark.", nodes=(dogs,))
>>> [(each.form, each.nodes) for each in columns_of([alone(graph)])]
[('Dogs', (0,)), ('bark.', (None,))]
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import deque
from collections.abc import Collection, Hashable, Iterable, Sequence
from typing import NamedTuple

from graphscore.drawing.styles import StyledGraph
from graphscore.model.frameworks import framework
from graphscore.model.graph import Anchor, Graph
from graphscore.structures.layout import TOKEN, first_of, kind_of
from graphscore.structures.roles.sentence import SRL

MULTIWORD, EMPTY = "multiword", "empty"
"""Properties of tokens of several words, which say how many, and of empty nodes."""

NO_WORD = "∅"
"""Text of a node without a word."""

NEAR = 1
"""Words beside what is kept that are kept as well."""


class Column(NamedTuple):
    """A word, and the nodes at it."""

    form: str
    start: int
    """Offset of its start, in characters of the text."""
    end: int
    nodes: tuple[int | None, ...]
    """The ordinal of its node on each side; ``None`` where it has none."""
    empty: bool = False
    """It is an empty node."""
    folded: int = 0
    """The number of words that it stands for, where these are folded."""


class _Word(NamedTuple):
    form: str
    start: int
    end: int
    ordinal: int
    pair: int
    empty: bool


def columns_of(sides: Sequence[StyledGraph], cuts: Iterable[int] = ()) -> list[Column]:
    """The words of one side or two, in the order of the text.

    Args:
        sides: one or two.
        cuts: characters at which words that are no nodes are cut, as something
            begins or ends there.

    Returns:
        Words of both sides are one column where their nodes are counterparts, or
        where they are the same characters; others stand beside each other, gold's
        first.  Words without a node come from the tokens, or else from the text.
    """
    both = [_words(side) for side in sides]
    texts = {side.graph.text for side in sides if side.graph.text}
    if len(both) == 1:
        pairs: list[tuple[_Word | None, ...]] = [(each,) for each in both[0]]
    else:
        pairs = [*_beside(both[0], both[1], len(texts) < 2)]
    columns = []
    for words in pairs:
        shown = next(word for word in words if word is not None)
        nodes = tuple(None if word is None else word.ordinal for word in words)
        columns.append(Column(*shown[:3], nodes, shown.empty))
    graph = next((side.graph for side in sides if side.graph.text), sides[0].graph)
    return _with_others(columns, graph, {*cuts}, len(sides))


def spans_of(graph: Graph) -> dict[int, list[int]]:
    """Tokens of several words: the ordinals of their words, by their own."""
    spans: dict[int, list[int]] = {}
    words: list[int] = []
    for ordinal in reversed(range(len(graph.nodes))):
        properties = graph.nodes[ordinal].properties
        count = first_of(properties, MULTIWORD)
        if isinstance(count, int) and count > 0 and words:
            spans[ordinal] = words[-count:][::-1]
        elif not first_of(properties, EMPTY):
            words.append(ordinal)
    return spans


def folded(
    columns: Sequence[Column], kept: Collection[int]
) -> tuple[list[Column], list[int]]:
    """Columns in which words far from what is kept are one.

    Args:
        columns: all words.
        kept: places of those that are kept; their neighbours are kept as well.

    Returns:
        Columns, and where each of all the words is among them.
    """
    near = {n + step for n in kept for step in range(-NEAR, NEAR + 1)}
    result: list[Column] = []
    indexes: list[int] = []
    far: list[Column] = []
    none = (None,) * (len(columns[0].nodes) if columns else 1)
    for index, column in enumerate(columns):
        if index not in near:
            far.append(column)
        if far and (index in near or index == len(columns) - 1):
            if len(far) == 1:
                result += far
            else:
                ends = far[0].start, far[-1].end
                result.append(Column("…", *ends, none, folded=len(far)))
            indexes += [len(result) - 1] * len(far)
            far = []
        if index in near:
            indexes.append(len(result))
            result.append(column)
    return result, indexes


def leftward(columns: Sequence[Column]) -> bool:
    """Return whether the words are read from right to left.

    >>> leftward([Column("כלב", 0, 3, (0,))]), leftward([Column("dog", 0, 3, (0,))])
    (True, False)
    """
    kinds = [
        unicodedata.bidirectional(char) for column in columns for char in column.form
    ]
    right = sum(kind in ("R", "AL") for kind in kinds)
    return right > kinds.count("L")


def spread(
    widths: Sequence[int], needs: Iterable[tuple[int, int, int]], left: int, gap: int
) -> list[int]:
    """The middles of columns, so that all have room.

    Args:
        widths: of the columns, in pixels.
        needs: a column, one right of it, and how far their middles are apart at
            least.
        left: where the first column begins.
        gap: pixels between columns.
    """
    wanted: dict[int, list[tuple[int, int]]] = {}
    for first, last, distance in needs:
        wanted.setdefault(last, []).append((first, distance))
    middles: list[int] = []
    edge = left
    for index, width in enumerate(widths):
        middle = edge + (width + 1) // 2
        for first, distance in wanted.get(index, ()):
            middle = max(middle, middles[first] + distance)
        middles.append(middle)
        edge = middle + (width + 1) // 2 + gap
    return middles


def _words(side: StyledGraph) -> list[_Word]:
    """The words that are nodes, in the order of the text."""
    graph = side.graph
    named = graph.framework == SRL or (
        framework(graph.framework).family == "dependencies"
    )
    words: list[_Word] = []
    last = 0
    several = spans_of(graph)
    for ordinal, (node, look) in enumerate(side.seen_nodes()):
        if ordinal in several or (graph.framework == SRL and kind_of(node) != TOKEN):
            continue
        parts = [graph.text[start:end] for start, end in sorted(node.anchors)]
        form = " ".join(part for part in parts if part)
        label = "" if node.label is None else str(node.label)
        empty = bool(first_of(node.properties, EMPTY))
        if (named and label) or not form.strip():
            form = label if named and label.strip() else NO_WORD
        if node.anchors:
            start = min(anchor.start for anchor in node.anchors)
            end = max(anchor.end for anchor in node.anchors)
        else:
            # After the word before it.
            start = end = last
        last = start
        words.append(_Word(form, start, end, ordinal, look.pair, empty))
    return sorted(words, key=lambda word: word.start)


def _beside(
    gold: list[_Word], system: list[_Word], same: bool
) -> Iterable[tuple[_Word | None, _Word | None]]:
    """Words of two sides; *same* says whether they are of one text."""
    partners = _partners(gold, system, same)
    one = two = 0
    for first, second in [*partners, (len(gold), len(system))]:
        between: list[tuple[tuple[int, int, int], int, _Word]] = []
        for side, words in ((0, gold[one:first]), (1, system[two:second])):
            for word in words:
                key = (word.start, -word.end, side) if same else (side, 0, 0)
                between.append((key, side, word))
        for _, side, word in sorted(between, key=lambda each: each[0]):
            yield (word, None) if side == 0 else (None, word)
        if first < len(gold):
            yield gold[first], system[second]
        one, two = first + 1, second + 1


def _partners(
    gold: list[_Word], system: list[_Word], same: bool
) -> list[tuple[int, int]]:
    """Places of words that are one column, in order on both sides."""
    by_pair = {word.pair: index for index, word in enumerate(system)}
    partner: dict[int, int] = {}
    for index, word in enumerate(gold):
        other = by_pair.get(word.pair)
        if other is not None and (not same or _touch(word, system[other])):
            partner[index] = other
    taken = set(partner.values())
    left: dict[Hashable, deque[int]] = {}
    for index, word in enumerate(system):
        if index not in taken:
            left.setdefault(_place(word, same), deque()).append(index)
    for index, word in enumerate(gold):
        if index not in partner and (found := left.get(_place(word, same))):
            partner[index] = found.popleft()
    return _rising(sorted(partner.items()))


def _place(word: _Word, same: bool) -> Hashable:
    return (word.form, word.start, word.end) if same else word.form


def _touch(one: _Word, two: _Word) -> bool:
    """Return whether two words share characters, or one of them has none."""
    if one.start == one.end or two.start == two.end:
        return True
    return one.start < two.end and two.start < one.end


def _rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest row of pairs of which both numbers rise (patience sorting)."""
    tops: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for number, (_, second) in enumerate(pairs):
        pile = bisect_left(tops, second)
        before.append(ends[pile - 1] if pile else -1)
        tops[pile : pile + 1] = [second]
        ends[pile : pile + 1] = [number]
    result = []
    number = ends[-1] if ends else -1
    while number >= 0:
        result.append(pairs[number])
        number = before[number]
    return result[::-1]


def _with_others(
    columns: list[Column], graph: Graph, cuts: set[int], sides: int
) -> list[Column]:
    """Columns, and between them the words that are no nodes."""
    text = graph.text
    tokens: Sequence[tuple[int, int]] = graph.tokens or [
        each.span() for each in re.finditer(r"\S+", text)
    ]
    taken = {at for column in columns for at in range(column.start, column.end)}
    others = []
    for token in tokens:
        run: list[int] = []
        for at in (*range(*token), -1):
            if run and (at in taken or at < 0 or at in cuts):
                form = text[run[0] : run[-1] + 1]
                if form.strip():
                    others.append(Column(form, run[0], run[-1] + 1, (None,) * sides))
                run = []
            if at >= 0 and at not in taken:
                run.append(at)
    result: list[Column] = []
    index = 0
    for other in sorted(others, key=lambda each: each.start):
        while index < len(columns) and columns[index].start < other.start:
            result.append(columns[index])
            index += 1
        result.append(other)
    return result + columns[index:]


def touched(columns: Sequence[Column], anchors: Sequence[Anchor]) -> list[int]:
    """Places of the columns that ranges of characters touch."""
    return [
        index
        for index, column in enumerate(columns)
        if any(a < column.end and column.start < b for a, b in anchors)
    ]
