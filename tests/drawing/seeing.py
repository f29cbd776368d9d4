"""Pictures as they are seen: where texts and shapes are, and what belongs to what."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple
from xml.etree import ElementTree

from hypothesis import strategies as st

from graphscore.drawing.styles import Style, StyledGraph
from graphscore.drawing.svg import Panel, width_of
from graphscore.model.graph import Anchor, Edge, Graph, Node

HOSTILE = "</text><script>alert(1)</script>\"'&\x1b[31m\u202eb\ud800\x00"

FORMS = ["a", "dogs", "bark", ",", "語", "犬が吠える", "כלב", "e\u0301te", HOSTILE]

LABELS = [None, "", "x", "nsubj:pass", "ARG1", 7, True, "関係", HOSTILE, "y" * 50]

STANDINGS = [
    "plain",
    "same",
    "missing",
    "spurious",
    "label",
    "boundary",
    "head",
    "part",
]


class Seen(NamedTuple):
    """A text, and the rectangle that it takes."""

    text: str
    left: float
    top: float
    right: float
    bottom: float


def elements(panel: Panel) -> ElementTree.Element:
    """What a panel consists of."""
    return ElementTree.fromstring(f"<svg>{panel.body}</svg>")


def texts(panel: Panel) -> Iterator[Seen]:
    """All texts."""
    whole = elements(panel)
    edges = [each for each in whole.iter("g") if each.get("class", "")[:2] == "e "]
    of_edges = {text for each in edges for text in each.iter("text")}
    for each in whole.iter("text"):
        said = each.text or ""
        small = {*each.get("class", "").split()} & {"z", "y", "q", "v"}
        small |= {"e"} if each in of_edges else set()
        size = 10 if small else 12
        x, y = float(each.attrib["x"]), float(each.attrib["y"])
        assert x == int(x)
        assert y == int(y)
        wide = float(each.get("textLength", width_of(said, size)))
        yield Seen(said, x, y - 0.75 * size, x + wide, y + 0.2 * size)


def in_order(panel: Panel) -> None:
    """No two texts overlap, and everything is inside."""
    found = [*texts(panel)]
    for number, one in enumerate(found):
        assert one.left >= 0, one
        assert one.right <= panel.width, one
        assert one.top >= 0, one
        assert one.bottom <= panel.height, one
        for two in found[:number]:
            apart = one.right <= two.left or two.right <= one.left
            assert apart or one.bottom <= two.top or two.bottom <= one.top, (one, two)
    for path in elements(panel).iter("path"):
        for command, numbers in re.findall(r"([MHVL])([-\d. ]+)", path.attrib["d"]):
            values = [float(each) for each in re.findall(r"-?[\d.]+", numbers)]
            axes = {"H": [0], "V": [1]}.get(command, [0, 1])
            for value, axis in zip(values, axes, strict=True):
                assert 0 <= value <= (panel.width, panel.height)[axis], path.attrib


def drawn(panel: Panel) -> Counter[tuple[str, str, str]]:
    """How often nodes and edges are there, by letter, standing and pair."""
    classes = (each.get("class", "").split() for each in elements(panel).iter("g"))
    return Counter((each[0], each[1], each[2]) for each in classes if len(each) == 3)


def wanted(
    sides: list[StyledGraph], keep: set[int] | None = None
) -> Counter[tuple[str, str, str]]:
    """How often they should be there."""
    return Counter(
        (letter, look.standing, f"p{look.pair}")
        for side in sides
        for letter, looks in (("n", side.nodes), ("e", side.edges))
        for look in looks
        if keep is None or look.pair in keep
    )


@st.composite
def sentences(draw: st.DrawFn, framework: str = "dm") -> Graph:
    """Graphs over words, some of which are no nodes."""
    forms = draw(st.lists(st.sampled_from(FORMS), max_size=9))
    return draw(over(forms, framework))


@st.composite
def over(draw: st.DrawFn, forms: list[str], framework: str = "dm") -> Graph:
    """Graphs over these words; some nodes are at two of them or at none."""
    ranges, start = [], 0
    for form in forms:
        ranges.append(Anchor(start, start + len(form)))
        start += len(form) + 1
    nodes = []
    for number, each in enumerate(ranges):
        kind = draw(st.sampled_from(["word", "word", "word", "none", "two", "bare"]))
        anchors = {"none": (), "two": tuple(ranges[number : number + 2])}
        if kind != "none":
            pairs = (("pos", draw(st.sampled_from(LABELS))),)
            label = draw(st.sampled_from(LABELS))
            there = () if kind == "bare" else anchors.get(kind, (each,))
            nodes.append(Node(number, label, pairs, there))
    ids = [node.id for node in nodes]
    edges: list[Edge] = []
    if ids:
        ends = st.tuples(st.sampled_from(ids), st.sampled_from(ids))
        edges = [
            Edge(*draw(ends), draw(st.sampled_from(LABELS)))
            for _ in range(draw(st.integers(0, 12)))
        ]
    tops = tuple(each for each in ids if draw(st.booleans()))
    return Graph(
        "1", framework, 0, text=" ".join(forms), nodes=tuple(nodes),
        edges=tuple(edges), tops=tops,
    )  # fmt: skip


@st.composite
def looked(draw: st.DrawFn, gold: Graph, system: Graph) -> list[StyledGraph]:
    """Both sides of a pair, with any looks."""
    sides = []
    shared = draw(st.integers(0, 40))
    for number, graph in enumerate((gold, system)):
        looks = []
        count = len(graph.nodes)
        for place in range(count + len(graph.edges)):
            # Edges have other numbers than nodes.
            place = place if place < count else 50 + place - count
            pair = place if place % 50 < shared else 100 * (number + 1) + place
            standing = draw(st.sampled_from(STANDINGS))
            wrong = frozenset({("tops", "", "True")} if draw(st.booleans()) else ())
            looks.append(Style(pair, standing, wrong))  # type: ignore[arg-type]
        name = ("gold", "system")[number]
        sides.append(
            StyledGraph(name, graph, tuple(looks[:count]), tuple(looks[count:]))
        )
    return sides
