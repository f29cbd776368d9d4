"""Arcs over words: bi-lexical graphs and dependency trees.

One graph has its arcs above its words.  Of a pair the words stand there once, with
gold's arcs above them and the system's below.

An arc rises from its head, runs level and comes down at its dependent.  What lies
within another arc is lower than that, and what is equally high does not overlap; words
are moved apart until each label fits between the two ends of its arc.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from graphscore.drawing.styles import (
    GLYPHS,
    MEANINGS,
    Standing,
    StyledGraph,
    named,
    standings,
)
from graphscore.drawing.svg import (
    SMALL,
    Panel,
    Picture,
    group,
    line,
    spoken,
    text_at,
    width_of,
)
from graphscore.drawing.words.arc_layout import (
    BEND,
    Arc,
    ArcLayout,
    label_at,
    laid,
    middles_of,
    room_of,
)
from graphscore.drawing.words.columns import (
    Column,
    columns_of,
    spans_of,
)
from graphscore.drawing.words.tags import (
    TAG,
    Tag,
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
from graphscore.model.frameworks import framework

LEVEL = 17
"""Pixels from one level of arcs to the next."""

FIRST = 22
"""Pixels from what stands at words to the lowest level."""


_HEAD = {-1: "m-3-5l3 5 3-5", 1: "m-3 5l3-5 3 5"}
"""Commands of an arrowhead at its tip, by where the arrow comes from."""


NAME = 12
"""Pixels of the height of the name of a side."""


class _Half(NamedTuple):
    """One side, laid out but for the places of columns."""

    side: StyledGraph
    laid: ArcLayout
    tags: dict[int, tuple[Tag, ...]]
    """By column."""
    wide: list[tuple[int, int, int]]
    """Tokens of several words: ordinal, first and last column."""
    tops: dict[int, Standing]
    """By column."""
    words: list[tuple[int, int, Column]]
    """Columns at which a node is, its ordinal, and the column."""


def draw_arcs(sides: Sequence[StyledGraph], keep: set[int] | None = None) -> Picture:
    """Arcs over words.

    Args:
        sides: one graph, or gold and system, whose nodes are words.
        keep: pair numbers of what is drawn; words far from that are folded into
            dots.  Everything where it is not given.

    Returns:
        A picture of one panel.

    Example:
        >>> from graphscore.drawing.styles import alone
        >>> from graphscore.model.graph import Graph, Node
        >>> picture = draw_arcs([alone(Graph("1", "dm", 0, text="Dogs bark"))])
        >>> picture.panels[0].right, picture.title
        (True, 'dm: Dogs bark')
    """
    columns, places, _ = shown(sides, columns_of(sides), keep)
    halves = [
        _half(sides, number, columns, places[number], keep)
        for number in range(len(sides))
    ]
    return Picture(
        title_of(sides),
        (_panel(halves, columns),),
        tuple(standings(sides)),
        pairs=pairs_in(sides),
    )


def _half(
    sides: Sequence[StyledGraph],
    number: int,
    columns: Sequence[Column],
    places: dict[int, int],
    keep: set[int] | None,
) -> _Half:
    """Lay one side out."""
    side = sides[number]
    arcs = _arcs(side, places, keep)
    tops = _tops(sides, number, columns, places)
    tags: dict[int, tuple[Tag, ...]] = {}
    words = []
    for index, column in enumerate(columns):
        ordinal = column.nodes[number]
        if ordinal is None:
            continue
        words.append((index, ordinal, column))
        tags[index] = tags_of(side, ordinal, column)
        if number and (other := column.nodes[0]) is not None:
            same = side.nodes[ordinal].right and sides[0].nodes[other].right
            if same and tags_of(sides[0], other, column) == tags[index]:
                # Gold says it already.
                tags[index] = ()
    wide = []
    for ordinal, inside in spans_of(side.graph).items():
        ends = [places[word] for word in inside]
        if any(not columns[end].folded for end in ends):
            wide.append((ordinal, min(ends), max(ends)))
    return _Half(side, laid(arcs, tops), tags, wide, tops, words)


def _arcs(
    side: StyledGraph, places: dict[int, int], keep: set[int] | None
) -> list[Arc]:
    ids = side.graph.ordinals()
    arcs = []
    for edge, look in side.seen_edges():
        if keep is not None and look.pair not in keep:
            continue
        label = spoken(edge.label)
        parts = [label] if label != str(edge.label or "") else []
        parts += [f"{name}={spoken(value)}" for name, value in edge.attributes]
        if look.standing in MEANINGS and not look.right:
            parts.insert(0, f"{side.name}: {MEANINGS[look.standing]}")
        ends = places[ids[edge.source]], places[ids[edge.target]]
        arcs.append(Arc(*ends, named(look, label), look, " ".join(parts)))
    return arcs


def _tops(
    sides: Sequence[StyledGraph],
    number: int,
    columns: Sequence[Column],
    places: dict[int, int],
) -> dict[int, Standing]:
    """Return the columns of tops, and their standing."""
    side = sides[number]
    ids = side.graph.ordinals()
    tree = framework(side.graph.framework).family == "dependencies"
    tops: dict[int, Standing] = {}
    for top in side.graph.tops:
        ordinal = ids[top]
        look = side.nodes[ordinal]
        column = places.get(ordinal)
        if column is None or columns[column].folded:
            continue
        if any(kind == "tops" for kind, _, _ in look.wrong):
            tops[column] = "spurious" if number else "missing"
        elif look.standing in ("plain", "missing", "spurious") or tree:
            tops[column] = look.standing
        else:
            tops[column] = "same"
    return tops


def _panel(halves: Sequence[_Half], columns: Sequence[Column]) -> Panel:
    widths = []
    for index, column in enumerate(columns):
        least = max(half.laid.ports.width.get(index, 0) for half in halves)
        tags = [tag for half in halves for tag in half.tags.get(index, ())]
        widths.append(max(least, width_at(column, tags)))
    needs = []
    for half in halves:
        for number, arc in enumerate(half.laid.arcs):
            tail, head = half.laid.ports.source[number], half.laid.ports.target[number]
            if arc.source > arc.target:
                tail, head = head, tail
            if arc.source != arc.target:
                needs.append((arc.left, arc.right, room_of(arc) + tail - head))
        for ordinal, first, last in half.wide:
            said = width_of(_named(half.side, ordinal), SMALL)
            if first == last:
                widths[first] = max(widths[first], said)
            else:
                sides = (widths[first] + widths[last]) // 2
                needs.append((first, last, said - sides))
    pair = len(halves) > 1
    left = MARGIN + (GUTTER if pair else 0)
    middles = middles_of([half.laid for half in halves], widths, needs, left)
    width = (middles[-1] + (widths[-1] + 1) // 2 if columns else left) + MARGIN
    rooms = [_Rooms(half, pair) for half in halves]
    above = rooms[0].arcs + (rooms[0].tags if pair else 0)
    base = MARGIN + (max(above, NAME) if pair else above) + 14
    parts: list[str] = []
    for number, (half, room) in enumerate(zip(halves, rooms, strict=True)):
        parts += _Drawing(half, room, middles, widths, base, number == 0, pair).parts()
    parts += [
        form_at(column, middle, base)
        for column, middle in zip(columns, middles, strict=True)
        if not of_one_side(column)
    ]
    if pair:
        parts += [
            text_at(MARGIN, base - 14, halves[0].side.name, "side"),
            text_at(MARGIN, base + 16, halves[1].side.name, "side"),
        ]
        below = max(rooms[1].tags + rooms[1].arcs, NAME)
    else:
        below = rooms[0].tags
    right = all_right([half.side for half in halves])
    return Panel("".join(parts), width, base + 7 + below + MARGIN, right)


class _Rooms:
    """The height that a side takes.

    Args:
        half: one side.
        pair: whether there is another one.
    """

    def __init__(self, half: _Half, pair: bool) -> None:
        self.wide = TAG + 3 if half.wide else 0
        most = max(map(len, half.tags.values()), default=0)
        self.tags = self.wide + most * TAG + (4 if most else 0)
        highest = max(half.laid.levels, default=-1)
        self.arcs = FIRST + highest * LEVEL + LEVEL // 2 if highest >= 0 else 0
        if half.tops:
            self.arcs = max(self.arcs, FIRST - 4)


class _Drawing:
    """One side, drawn.

    Args:
        half: what is drawn.
        room: the height that it takes.
        middles: of the columns.
        widths: of the columns.
        base: the base line of the words.
        above: whether arcs are above the words.
        pair: whether the other side is there as well.
    """

    def __init__(
        self,
        half: _Half,
        room: _Rooms,
        middles: Sequence[int],
        widths: Sequence[int],
        base: int,
        above: bool,
        pair: bool,
    ) -> None:
        self.half, self.room, self.middles, self.widths = half, room, middles, widths
        self.base, self.above, self.pair = base, above, pair
        # Of a pair what nodes say stands between words and arcs; alone, below.
        self.up = -1 if above else 1
        self.tagged = -1 if pair and above else 1

    def parts(self) -> list[str]:
        """Elements: arcs, then what stands at words."""
        arcs = [self._arc(number) for number in range(len(self.half.laid.arcs))]
        nodes = [self._node(*word) for word in self.half.words]
        wide = [self._wide(*each) for each in self.half.wide]
        return [*arcs, *nodes, *wide]

    def _edge(self, away: int) -> int:
        """The height that is so far away from the words, where tags are."""
        return self.base - 13 - away if self.tagged < 0 else self.base + 5 + away

    def _foot(self, place: int) -> int:
        """Return the coordinate at which arcs touch a column."""
        if not self.pair:
            return self.base - 13
        tall = len(self.half.tags.get(place, ())) * TAG
        return self._edge(tall + self._wide_at(place) + 3)

    def _height(self, level: int) -> int:
        """Return the coordinate of the arcs of a level."""
        tags = self.room.tags if self.pair else 0
        away = tags + FIRST + level * LEVEL
        return self.base - 13 - away if self.above else self.base + 5 + away

    def _arc(self, number: int) -> str:
        half, arc = self.half, self.half.laid.arcs[number]
        one = self.middles[arc.source] + half.laid.ports.source[number]
        two = self.middles[arc.target] + half.laid.ports.target[number]
        y, up = self._height(half.laid.levels[number]), self.up
        step = 1 if two > one else -1
        start, end = self._foot(arc.source), self._foot(arc.target)
        d = f"M{one} {start}V{y - up * BEND}q0 {up * BEND} {step * BEND} {up * BEND}"
        label = ""
        if wide := width_of(arc.label, SMALL):
            x, _ = label_at(half.laid, number, self.middles)
            near, far = (x - 2, x + wide + 2)[::step]
            d += f"H{near}M{far} {y}"
            label = text_at(x, y + 4, arc.label, size=SMALL)
        d += f"H{two - step * BEND}q{step * BEND} 0 {step * BEND} {-up * BEND}V{end}"
        d = d.replace(" -", "-")
        head = _HEAD[up]
        if arc.look.right:
            shape = line(d + head)
        else:
            # Heads are never dashed.
            shape = line(d) + line(f"M{two} {end}{head}", "h")
        return group([shape, label], arc.look, "e", arc.title)

    def _wide_at(self, place: int) -> int:
        """Pixels that a token of several words takes at one of its words."""
        wide = any(first <= place <= last for _, first, last in self.half.wide)
        return self.room.wide if wide else 0

    def _node(self, place: int, ordinal: int, column: Column) -> str:
        tags, middle = self.half.tags[place], self.middles[place]
        away = self._wide_at(place)
        if self.tagged < 0:
            first = self._edge(away + 3) - (len(tags) - 1) * TAG
        else:
            first = self._edge(away) + 10
        parts = lines_of(tags, middle, first)
        if of_one_side(column):
            parts.append(form_at(column, middle, self.base))
        if (standing := self.half.tops.get(place)) is not None:
            x, foot = middle + self.half.laid.ports.top[place], self._foot(place)
            shaft = line(f"M{x} {foot + self.up * 14}V{foot}")
            head = line(f"M{x} {foot}{_HEAD[self.up]}", "h")
            parts.append(f'<g class="t {standing}">{shaft}{head}</g>')
        width = width_of(spoken(column.form))
        return node_at(
            self.half.side, ordinal, parts, middle - width // 2, self._edge(0), width
        )

    def _wide(self, ordinal: int, first: int, last: int) -> str:
        """A token of several words: a rule along all of them, and its form."""
        side = self.half.side
        left = self.middles[first] - self.widths[first] // 2
        right = self.middles[last] + self.widths[last] // 2
        name = _named(side, ordinal)
        y = self._edge(3)
        at = text_at(
            (left + right - width_of(name, SMALL)) // 2,
            y - 3 if self.tagged < 0 else y + 10,
            name,
            "y",
            size=SMALL,
        )
        return node_at(side, ordinal, [at], left, y, right - left)


def _named(side: StyledGraph, ordinal: int) -> str:
    """The form of a token of several words, after the mark of how it stands."""
    form = spoken(side.graph.nodes[ordinal].label)
    return f"{GLYPHS[side.nodes[ordinal].standing]} {form}".strip()
