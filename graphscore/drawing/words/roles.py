"""Semantic roles: words, and below them a row of bars for each predicate.

A bar is an argument, as wide as its words; the sense of the predicate stands below the
predicate.  Of a pair, the row of the system is below that of gold.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from graphscore.drawing.styles import GLYPHS, MEANINGS, Style, StyledGraph, standings
from graphscore.drawing.svg import (
    SMALL,
    Panel,
    Picture,
    box,
    group,
    line,
    spoken,
    text_at,
    width_of,
)
from graphscore.drawing.words.columns import (
    NO_WORD,
    Column,
    columns_of,
    spread,
    touched,
)
from graphscore.drawing.words.tags import (
    TAG,
    form_at,
    lines_of,
    node_at,
    of_one_side,
    tags_of,
    width_at,
)
from graphscore.drawing.words.visible_words import (
    GUTTER,
    MARGIN,
    all_right,
    pairs_in,
    shown,
    title_of,
)
from graphscore.structures.layout import ARGUMENT, PREDICATE, TOKEN, kind_of
from graphscore.structures.roles.reading import sentence_of
from graphscore.structures.roles.sentence import VERB, Sentence

LANE = 19
"""Pixels from one row of bars to the next."""

BAR = 15
"""Pixels of a bar's height."""

GAP = 8
"""Pixels between words."""

AROUND = 6
"""Pixels between rows of one predicate and those of the next."""


class _Bar(NamedTuple):
    """A predicate, or an argument."""

    ordinal: int
    """The ordinal of its node."""
    edge: int | None
    """The ordinal of its edge; ``None`` for predicates."""
    columns: tuple[int, ...]
    """Columns of its words, in order."""
    label: str
    title: str

    @property
    def runs(self) -> list[tuple[int, int]]:
        """First and last columns of what is not broken."""
        result: list[tuple[int, int]] = []
        for column in self.columns:
            if result and column <= result[-1][1] + 1:
                result[-1] = result[-1][0], column
            else:
                result.append((column, column))
        return result


class _Row(NamedTuple):
    """A predicate of one side with its arguments."""

    number: int
    """Index of the side."""
    pair: int
    bars: list[_Bar]


def draw_roles(sides: Sequence[StyledGraph], keep: set[int] | None = None) -> Picture:
    """Predicates and their arguments below words.

    Args:
        sides: one graph of the framework ``srl``, or gold and system.
        keep: pair numbers of what is drawn; words far from that are folded into
            dots.  Everything where it is not given.

    Returns:
        A picture of one panel.

    Raises:
        InvalidGraphError: if a graph is not laid out as sentences with roles are.
    """
    cuts = {
        at
        for side in sides
        for node in side.graph.nodes
        if kind_of(node) != TOKEN
        for anchor in node.anchors
        for at in anchor
    }
    columns = columns_of(sides, cuts)
    if not columns:
        columns = [Column(NO_WORD, 0, 0, (None,) * len(sides))]
    rows = [
        row
        for number, side in enumerate(sides)
        for row in _rows(side, number, columns, keep)
    ]
    needed = {
        end
        for row in rows
        for bar in row.bars
        for run in bar.runs
        for end in run
        if keep is not None
    }
    columns, places, moved = shown(sides, columns, keep, needed)
    rows = [
        row._replace(
            bars=[
                bar._replace(columns=tuple(sorted({moved[at] for at in bar.columns})))
                for bar in row.bars
            ]
        )
        for row in rows
    ]
    drawing = _Drawing(sides, columns, places, rows)
    return Picture(
        title_of(sides),
        (drawing.panel(),),
        tuple(standings(sides)),
        pairs=pairs_in(sides),
    )


def _rows(
    side: StyledGraph, number: int, columns: Sequence[Column], keep: set[int] | None
) -> list[_Row]:
    """The predicates of a side, without what is not kept."""
    graph = side.graph
    where = _where(sentence := sentence_of(graph), number, columns)
    drawn: set[int] = set()
    rows = []
    for proposition in sentence.propositions:
        node, look = graph.nodes[proposition.node], side.nodes[proposition.node]
        own = _among(proposition.words, where) or touched(columns, node.anchors) or [0]
        label = f"{GLYPHS[look.standing]} {spoken(node.label) or VERB}".strip()
        bars = [_Bar(proposition.node, None, tuple(own), label, _title(side, look, ""))]
        for piece in proposition.pieces:
            edge, argument = side.edges[piece.edge], side.nodes[piece.node]
            drawn.add(piece.node)
            if keep is not None and not {edge.pair, argument.pair} & keep:
                continue
            words = piece.words
            if words is None:
                words = () if piece.head is None else (piece.head,)
            there = _among(words, where) or touched(
                columns, graph.nodes[piece.node].anchors
            )
            standing = _both(edge, argument)
            role = spoken(graph.edges[piece.edge].label)
            label = f"{GLYPHS[standing.standing]} {role}".strip() or ARGUMENT
            title = _title(side, standing, _head(sentence, piece.head))
            own_columns = tuple(there) or bars[0].columns
            bars.append(_Bar(piece.node, piece.edge, own_columns, label, title))
        if keep is None or look.pair in keep or len(bars) > 1:
            rows.append(_Row(number, look.pair, bars))
    for ordinal, (node, look) in enumerate(side.seen_nodes()):
        alone = kind_of(node) not in (TOKEN, PREDICATE) and ordinal not in drawn
        if alone and (keep is None or look.pair in keep):
            # It belongs to no predicate.
            there = touched(columns, node.anchors) or [0]
            label = f"{GLYPHS[look.standing]} {spoken(node.label) or ARGUMENT}"
            bar = _Bar(ordinal, None, tuple(there), label.strip(), "")
            rows.append(_Row(number, look.pair, [bar]))
    return rows


def _where(
    sentence: Sentence, number: int, columns: Sequence[Column]
) -> dict[int, list[int]]:
    """The columns of each position of a sentence."""
    graph = sentence.graph
    if sentence.counted == "characters":
        result: dict[int, list[int]] = {}
        for index, column in enumerate(columns):
            for at in range(column.start, column.end):
                result.setdefault(at, []).append(index)
        return result
    if not sentence.tree:
        return {n: touched(columns, [token]) for n, token in enumerate(graph.tokens)}
    own = {column.nodes[number]: index for index, column in enumerate(columns)}
    words = [n for n, node in enumerate(graph.nodes) if kind_of(node) == TOKEN]
    # Empty nodes are numbered on after the last word.
    words.sort(key=lambda n: bool(columns[own[n]].empty))
    return {position: [own[ordinal]] for position, ordinal in enumerate(words)}


def _among(positions: Iterable[int], where: dict[int, list[int]]) -> list[int]:
    return sorted(
        {column for position in positions for column in where.get(position, ())}
    )


def _head(sentence: Sentence, head: int | None) -> str:
    """The word that is the head of an argument, where that is known."""
    if head is None or not 0 <= head < len(sentence.tree):
        return ""
    return f"head: {sentence.tree[head].form}"


def _title(side: StyledGraph, look: Style, more: str) -> str:
    if look.right:
        return "" if side.name else more
    return f"{side.name}: {MEANINGS[look.standing]}; {more}".strip("; ")


def _both(edge: Style, node: Style) -> Style:
    """Return the style of an argument: that of its edge, or else of its words."""
    return edge if node.right else edge._replace(
        standing=node.standing if edge.right else edge.standing
    )  # fmt: skip


def _lanes(bars: Sequence[_Bar]) -> list[int]:
    """Rows of bars that do not overlap, the predicate in the first."""
    ends: list[list[tuple[int, int]]] = []
    lanes = []
    for bar in bars:
        first, last = bar.columns[0], bar.columns[-1]
        lane = 0
        while lane < len(ends) and any(a <= last and first <= b for a, b in ends[lane]):
            lane += 1
        if lane == len(ends):
            ends.append([])
        ends[lane].append((first, last))
        lanes.append(lane)
    return lanes


class _Drawing:
    """A picture of roles.

    Args:
        sides: one or two.
        columns: the words that are drawn.
        places: where nodes stand that are words, by side.
        rows: predicates of both sides.
    """

    def __init__(
        self,
        sides: Sequence[StyledGraph],
        columns: Sequence[Column],
        places: Sequence[dict[int, int]],
        rows: Sequence[_Row],
    ) -> None:
        self.sides, self.columns = sides, columns
        self.pair = len(sides) > 1
        first: dict[int, int] = {}
        for row in rows:
            first.setdefault(row.pair, row.bars[0].columns[0])
        self.rows = sorted(
            rows, key=lambda row: (first[row.pair], row.pair, row.number)
        )
        self.words = [
            {
                place: (ordinal, tags_of(side, ordinal, columns[place]))
                for ordinal, place in own.items()
                if not columns[place].folded
            }
            for side, own in zip(sides, places, strict=True)
        ]
        widths = []
        for place, column in enumerate(columns):
            tags = [tag for own in self.words for tag in own.get(place, (0, ()))[1]]
            widths.append(width_at(column, tags))
        needs = []
        for row in rows:
            for bar in row.bars:
                least = width_of(bar.label, SMALL) + 12
                low, high = bar.runs[0]
                if low == high:
                    widths[low] = max(widths[low], least)
                else:
                    needs.append((low, high, least))
        distances = [
            (a, b, least - (widths[a] + widths[b]) // 2) for a, b, least in needs
        ]
        left = MARGIN + (GUTTER if self.pair else 0)
        self.widths = widths
        self.middles = spread(widths, distances, left, GAP)

    def panel(self) -> Panel:
        """Words, and rows of bars below them."""
        width = self.middles[-1] + (self.widths[-1] + 1) // 2 + MARGIN
        heights = [
            max((len(tags) for _, tags in own.values()), default=0) * TAG
            for own in self.words
        ]
        above = heights[0] if self.pair else 0
        base = MARGIN + 14 + above
        parts = [
            form_at(column, middle, base)
            for column, middle in zip(self.columns, self.middles, strict=True)
            if not of_one_side(column)
        ]
        for number in range(len(self.sides)):
            parts += self._words(number, base)
        y = base + 10 + heights[-1]
        before: int | None = None
        rules = []
        for row in self.rows:
            if row.pair != before:
                rules.append(f"M{MARGIN} {y}H{width - MARGIN}")
                y += AROUND
            before = row.pair
            lanes = _lanes(row.bars)
            parts += [
                self._bar(row, bar, y + lane * LANE)
                for bar, lane in zip(row.bars, lanes, strict=True)
            ]
            if self.pair:
                name = self.sides[row.number].name
                parts.append(text_at(MARGIN, y + 11, name, "q", size=SMALL))
            y += (max(lanes) + 1) * LANE
        if rules:
            parts.insert(0, f'<g class="l">{line("".join(rules))}</g>')
        return Panel("".join(parts), width, y + MARGIN, all_right(self.sides))

    def _words(self, number: int, base: int) -> list[str]:
        """The nodes of one side that are words."""
        words = []
        for place, (ordinal, tags) in self.words[number].items():
            middle = self.middles[place]
            wide = width_of(spoken(self.columns[place].form))
            if self.pair and number == 0:
                y = base - 13
                parts = lines_of(tags, middle, y - 3 - (len(tags) - 1) * TAG)
            else:
                y = base + 5
                parts = lines_of(tags, middle, y + 10)
            if of_one_side(self.columns[place]):
                parts.append(form_at(self.columns[place], middle, base))
            left = middle - wide // 2
            words.append(node_at(self.sides[number], ordinal, parts, left, y, wide))
        return words

    def _bar(self, row: _Row, bar: _Bar, y: int) -> str:
        side = self.sides[row.number]
        node = side.nodes[bar.ordinal]
        edge = None if bar.edge is None else side.edges[bar.edge]
        look = node if edge is None else _both(edge, node)
        parts: list[str] = []
        before = 0
        for first, last in bar.runs:
            left = self.middles[first] - self.widths[first] // 2 - 2
            right = self.middles[last] + (self.widths[last] + 1) // 2 + 2
            if parts:
                parts.append(line(f"M{before} {y + BAR // 2}H{left}"))
            else:
                middle = (left + right - width_of(bar.label, SMALL)) // 2
            parts.append(box(left, y, right - left, BAR, look.standing))
            before = right
        name = "v" if bar.edge is None else ""
        parts.append(text_at(middle, y + 11, bar.label, name, size=SMALL))
        if edge is None:
            return group(parts, look, "n", bar.title)
        return group([group(parts, look, "e", bar.title)], node, "n")
