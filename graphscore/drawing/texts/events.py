"""Frames and templates, gold beside system, and the names of their parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from graphscore.drawing.styles import MEANINGS, Style, StyledGraph
from graphscore.drawing.svg import shortened, spoken
from graphscore.drawing.texts.brackets import ranges, words_of
from graphscore.model.graph import Edge, Node, NodeId
from graphscore.structures.layout import MENTION, TEXT, first_of, kind_of


class Filled(NamedTuple):
    """One side's frame: what has roles, and what fills them."""

    side: StyledGraph
    node: Node
    look: Style
    edges: tuple[tuple[Edge, Style], ...]

    @property
    def right(self) -> bool:
        """It has no error."""
        return self.look.right and all(look.right for _, look in self.edges)


Row = tuple[Filled | None, ...]
"""Counterparts in one row, one a side."""


class Names:
    """Names of the nodes of a side in tables.

    Args:
        side: gold or system.
    """

    def __init__(self, side: StyledGraph) -> None:
        self._text = side.graph.text
        self.nodes = {node.id: (node, look) for node, look in side.seen_nodes()}
        self._ids = list(self.nodes)
        self._mentions: dict[NodeId, list[NodeId]] = {}
        for edge in side.graph.edges:
            if edge.label == MENTION:
                self._mentions.setdefault(edge.source, []).append(edge.target)

    def mentions(self, id: NodeId) -> list[NodeId]:
        """The mentions of an entity; of a mention itself."""
        return self._mentions.get(id, [id])

    def words(self, id: NodeId) -> list[str]:
        """Return the texts of the mentions of a node, deduplicated, or its value."""
        result: dict[str, None] = {}
        for mention in self.mentions(id):
            node, _ = self.nodes[mention]
            pieces = ranges(self._text, node.anchors)
            text = words_of(self._text, pieces) or first_of(node.properties, TEXT)
            if text:
                result[str(text)] = None
        return [*result]

    def name(self, id: NodeId) -> tuple[str, str]:
        """Return the name of a node where it fills a role, and its type.

        Args:
            id: of a node.

        Returns:
            Words, or a value; and a type, or how many other words there are.
        """
        node, _ = self.nodes[id]
        words = self.words(id)
        if not words:
            return spoken(node.label) or (kind_of(node) or "node"), ""
        kind = spoken(node.label)
        if len(words) > 1:
            kind = f"{kind} +{len(words) - 1}".strip()
        return words[0], kind

    def headline(self, places: Sequence[int]) -> str:
        """Return the most frequent words of mentions that begin like a name.

        Args:
            places: of mentions among the nodes.
        """
        ids = self._ids
        words_said = [word for ordinal in places for word in self.words(ids[ordinal])]
        longer = [word for word in words_said if len(word) > 3] or words_said
        named = [word for word in longer if word[:1].isupper()] or longer
        # Of words that are as frequent the first ones.
        return max(named, key=Counter(named).__getitem__, default="")

    def title(self, id: NodeId) -> str:
        """Return the tooltip of a node."""
        node, _ = self.nodes[id]
        text = " | ".join(f"“{shortened(word, 60)}”" for word in self.words(id))
        return f"{spoken(node.label)} {text}".strip()


def frames_of(sides: Sequence[StyledGraph], kinds: frozenset[str]) -> list[Row]:
    """Return the frames of both sides, counterparts beside each other.

    What has no counterpart stands beside what shares most fillers with it.

    Args:
        sides: one or two.
        kinds: what is looked for.

    Returns:
        In gold's order, the system's rest last.
    """
    every = [list(_filled(side, kinds)) for side in sides]
    if len(every) == 1:
        return [(each,) for each in every[0]]
    golds, systems = every
    indexes = {system.look.pair: number for number, system in enumerate(systems)}
    joined = {
        one: indexes[gold.look.pair]
        for one, gold in enumerate(golds)
        if gold.look.pair in indexes
    }
    fillers = [_fillers(found) for found in every]
    filled: dict[int, list[int]] = {}
    for two, pairs in enumerate(fillers[1]):
        for pair in pairs:
            filled.setdefault(pair, []).append(two)
    alike = sorted(
        (-(fillers[0][one] & fillers[1][two]).total(), one, two)
        for one in range(len(golds))
        if one not in joined
        for two in {two for pair in fillers[0][one] for two in filled.get(pair, ())}
    )
    taken = set(joined.values())
    for _, one, two in alike:
        if one not in joined and two not in taken:
            joined[one] = two
            taken.add(two)
    rows: list[Row] = [
        (gold, systems[joined[one]] if one in joined else None)
        for one, gold in enumerate(golds)
    ]
    rows += [(None, system) for two, system in enumerate(systems) if two not in taken]
    return rows


def meaning(side: StyledGraph, look: Style) -> str:
    """Whose it is, and how it stands, for titles."""
    stands = MEANINGS.get(look.standing, "")
    return ": ".join(filter(None, [side.name, stands]))


def _filled(side: StyledGraph, kinds: frozenset[str]) -> Iterator[Filled]:
    edges: dict[NodeId, list[tuple[Edge, Style]]] = {}
    for edge, look in side.seen_edges():
        edges.setdefault(edge.source, []).append((edge, look))
    for node, look in side.seen_nodes():
        if kind_of(node) in kinds:
            yield Filled(side, node, look, tuple(edges.get(node.id, ())))


def _fillers(frames: Sequence[Filled]) -> list[Counter[int]]:
    """Pair numbers of what fills the roles of each frame of a side."""
    ordinals = frames[0].side.graph.ordinals() if frames else {}
    return [
        Counter(frame.side.nodes[ordinals[edge.target]].pair for edge, _ in frame.edges)
        for frame in frames
    ]
