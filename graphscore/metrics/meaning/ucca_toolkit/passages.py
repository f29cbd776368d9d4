"""Passages of UCCA as graphs that can be rebuilt: units, and links between them.

A link has all categories that lead from one unit to another; graphs have an edge for
each.  Terminals are numbers of tokens.  Implicit units and the types of terminals are
what :mod:`graphscore.model.passages` knows; where a graph says nothing of its
terminals, those without a letter or digit are punctuation.

**Normal form,** the one that the UCCA toolkit compares.  What its default
normalisation does to a passage, written down from what it makes of passages that were
given to it (1.3.8), in this order:

1. A unit of punctuation hangs where the words around it meet; before the first word
   the last one stands in, after the last word it hangs beside the last one's unit.
   What is empty then is no unit any more.
2. From the root downwards: at the root, and wherever there is a scene, what takes part
   in no scene (``P``, ``S`` or ``A`` among it) becomes a scene of its own, with all but
   scenes, linkers, ground and punctuation.
3. A function with units of its own gives these to the unit above, its centre as a
   function.
4. From the words upwards: a unit with nothing but one centre, function or participant
   is that unit; a unit whose only centre has one centre takes in what the centre has.
5. Implicit participants where there is neither process nor state are no units.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from graphscore.model.graph import Anchor, Edge, Graph
from graphscore.model.normalize import fold
from graphscore.model.passages import passage_extras

STAYING = frozenset("HLGU")
"""Categories that stay in place when a scene is made of the other units."""

PARTICIPATING = frozenset("PSA")
"""Categories of what takes part in a scene."""

MAIN = frozenset("PS")
"""Categories of what a scene is about."""

SCENE, CENTRE, FUNCTION, PARTICIPANT = "H", "C", "F", "A"


def normalized(passage: Passage) -> None:
    """Bring a passage into the form that is compared.

    Args:
        passage: is changed.
    """
    _hang_punctuation(passage)
    _walk(passage)
    _drop_participants(passage)


# Punctuation.


def _hang_punctuation(passage: Passage) -> None:
    home = {token: unit for unit in passage.units for token in unit.terminals}
    words = sorted(home.keys() - passage.punctuation)
    if not words:
        return
    units = [unit for unit in passage.units if _is_punctuation(passage, unit)]
    units.sort(key=lambda unit: unit.terminals[0])
    for unit in units:
        first = unit.terminals[0]
        before = [word for word in words if word < first]
        after = [word for word in words if word > first]
        if after:
            left = home[before[-1] if before else words[-1]]
            home_unit = _meeting(left, home[after[0]], passage.root)
        else:
            left = home[before[-1]]
            home_unit = left.parent or left
        link = next(above for above in unit.above if not above.remote)
        former = link.source
        if former is not home_unit:
            link.move(home_unit)
            _prune(passage, former)


def _is_punctuation(passage: Passage, unit: Unit) -> bool:
    primary = [link for link in unit.above if not link.remote]
    return (
        unit is not passage.root
        and not unit.links
        and bool(unit.terminals)
        and passage.punctuation.issuperset(unit.terminals)
        and bool(primary)
        and all(PUNCTUATION in link.tags for link in primary)
    )


def _upwards(unit: Unit) -> Iterator[Unit]:
    seen = set()
    current: Unit | None = unit
    while current is not None and current not in seen:
        seen.add(current)
        yield current
        current = current.parent


def _meeting(left: Unit, right: Unit, root: Unit) -> Unit:
    above = set(_upwards(right))
    return next((unit for unit in _upwards(left) if unit in above), root)


def _prune(passage: Passage, unit: Unit) -> None:
    """Take away what has become empty, and what becomes so by that."""
    while not (unit.links or unit.terminals or unit.implicit or unit is passage.root):
        parents = [link.source for link in unit.above if not link.remote]
        passage.destroy(unit)
        if not parents:
            return
        unit = parents[0]


# Scenes, functions and centres.


def _walk(passage: Passage) -> None:
    """Downwards what makes scenes and gives up functions, upwards what is flattened."""
    seen, made = {passage.root}, set[Unit]()
    waiting: list[tuple[Unit, Iterator[Link]]] = []

    def enter(unit: Unit) -> None:
        if unit not in made and (scene := _separate(passage, unit)):
            made.add(scene)
        _dissolve(passage, unit)
        waiting.append((unit, iter(tuple(unit.links))))

    enter(passage.root)
    while waiting:
        unit, links = waiting[-1]
        link = next(links, None)
        if link is None:
            waiting.pop()
            _flatten(passage, unit)
        elif not link.remote and link in unit.links and link.target not in seen:
            seen.add(link.target)
            enter(link.target)


def _separate(passage: Passage, unit: Unit) -> Unit | None:
    """Make a scene of what should be in one; the scene, if there is any."""
    links = unit.links
    if unit is not passage.root and not any(SCENE in link.tags for link in links):
        return None
    cause = next((x for x in links if not PARTICIPATING.isdisjoint(x.tags)), None)
    if cause is None:
        return None
    scene = Unit(unit.node)
    passage.units.append(scene)
    moved = [link for link in links if link.tags[0] not in STAYING]
    for link in moved:
        link.move(scene)
    words = [
        terminal for terminal in unit.terminals if terminal not in passage.punctuation
    ]
    if words:
        scene.terminals = words
        unit.terminals = [x for x in unit.terminals if x in passage.punctuation]
    # In rows the scene goes by the first thing that it was made of.
    Link(unit, scene, [SCENE], False, moved[0].edge if moved else cause.edge)
    return scene


def _dissolve(passage: Passage, unit: Unit) -> None:
    if unit is passage.root:
        return
    for link in tuple(unit.links):
        function = link.target
        if FUNCTION not in link.tags or not function.links or function is unit:
            continue
        for inner in tuple(function.links):
            inner.move(unit)
            inner.tags = [FUNCTION if inner.tags[0] == CENTRE else inner.tags[0]]
        unit.terminals += function.terminals
        passage.destroy(function)


def _flatten(passage: Passage, unit: Unit) -> None:
    if unit is passage.root:
        return
    while True:
        links = unit.links
        if len(links) == 1 and not unit.terminals and links[0].target is not unit:
            [link] = links
            if {CENTRE, FUNCTION}.isdisjoint(link.tags) and link.tags != [PARTICIPANT]:
                return
            remote = link.remote and CENTRE in link.tags
            for moved in tuple(unit.above):
                if moved.source is not unit:
                    Link(
                        moved.source,
                        link.target,
                        moved.tags,
                        moved.remote or remote,
                        moved.edge,
                    )
            passage.destroy(unit)
            return
        outer = _centres(unit)
        if len(outer) != 1 or outer[0].remote:
            return
        centre = outer[0].target
        inner = _centres(centre)
        if len(inner) != 1 or centre is unit or inner[0].target in (unit, centre):
            return
        heart = inner[0].target
        for moved in tuple(centre.links):
            moved.move(unit)
        unit.terminals += centre.terminals
        for moved in tuple(centre.above):
            if moved is not outer[0] and moved.source is not centre:
                Link(moved.source, heart, moved.tags, moved.remote, moved.edge)
        passage.destroy(centre)


def _centres(unit: Unit) -> list[Link]:
    return [link for link in unit.links if link.tags[0] == CENTRE]


def _drop_participants(passage: Passage) -> None:
    for unit in tuple(passage.units):
        if any(not MAIN.isdisjoint(link.tags) for link in unit.links):
            continue
        for link in tuple(unit.links):
            implicit = PARTICIPANT in link.tags and link.target.implicit
            # What several links lead to goes with the first.
            if implicit and link in unit.links:
                passage.destroy(link.target)


PUNCTUATION = "U"


class Unit:
    """A unit with what it leads to and what leads to it."""

    __slots__ = ("above", "implicit", "links", "node", "terminals")

    def __init__(self, node: int, implicit: bool = False) -> None:
        self.node, self.implicit = node, implicit
        self.links: list[Link] = []
        self.above: list[Link] = []
        self.terminals: list[int] = []
        """Numbers of tokens."""

    @property
    def parent(self) -> Unit | None:
        """The first unit that leads here by a primary link."""
        return next((link.source for link in self.above if not link.remote), None)


class Link:
    """From a unit to another; entered at both."""

    __slots__ = ("edge", "remote", "source", "tags", "target")

    def __init__(
        self, source: Unit, target: Unit, tags: list[str], remote: bool, edge: int
    ) -> None:
        self.source, self.target, self.tags = source, target, tags
        self.remote, self.edge = remote, edge
        source.links.append(self)
        target.above.append(self)

    def move(self, source: Unit) -> None:
        """Let it lead from another unit."""
        self.source.links.remove(self)
        self.source = source
        source.links.append(self)

    def drop(self) -> None:
        """Take it away at both ends."""
        self.source.links.remove(self)
        self.target.above.remove(self)


class Passage:
    """The units of a graph.

    Args:
        graph: its edges lead to nodes.
    """

    def __init__(self, graph: Graph) -> None:
        ordinals = graph.ordinals()
        extras = passage_extras(graph.extra, ordinals)
        self.tokens = _tokens(graph)
        if extras is not None and extras.punctuation and graph.tokens:
            self.punctuation = frozenset(extras.punctuation)
        elif extras is not None and graph.tokens:
            self.punctuation = frozenset()
        else:
            self.punctuation = frozenset(
                number
                for number, (start, end) in enumerate(self.tokens)
                if not any(map(str.isalnum, graph.text[start:end] or "x"))
            )
        numbers = {token: number for number, token in enumerate(self.tokens)}
        self.units = [Unit(number) for number in range(len(graph.nodes))]
        for unit, node in zip(self.units, graph.nodes, strict=True):
            for anchor in node.anchors:
                if anchor in numbers:
                    unit.terminals.append(numbers[anchor])
                else:
                    unit.terminals += _within(anchor, self.tokens)
        last: Link | None = None
        for number, edge in enumerate(graph.edges):
            source, target = (
                self.units[ordinals[edge.source]],
                self.units[ordinals[edge.target]],
            )
            remote = _remote(edge)
            tag = "" if edge.label is None else str(edge.label)
            # Categories of one link follow one another.
            if (
                last is not None
                and (last.source, last.target, last.remote) == (source, target, remote)
                and tag not in last.tags
            ):
                last.tags.append(tag)
            else:
                last = Link(source, target, [tag], remote, number)
        self.root = self._root(graph, ordinals)
        if extras is not None and extras.implicit:
            implicit: dict[int, Unit] = {}
            for parent, number, tags, remote in extras.implicit:
                if number not in implicit:
                    implicit[number] = Unit(-1, True)
                    self.units.append(implicit[number])
                Link(
                    self.units[parent], implicit[number], list(tags) or [""], remote, -1
                )

    def _root(self, graph: Graph, ordinals: Mapping[Any, int]) -> Unit:
        for top in graph.tops:
            return self.units[ordinals[top]]
        for unit in self.units:
            if unit.parent is None:
                return unit
        return self.units[0] if self.units else Unit(-1)

    def destroy(self, unit: Unit) -> None:
        """Take a unit away, with all links to and from it."""
        for link in (*unit.links, *unit.above):
            if link in link.source.links:
                link.drop()
        self.units.remove(unit)


def _remote(edge: Edge) -> bool:
    return any(
        fold(name) == "remote" and fold(value) != "false"
        for name, value in edge.attributes
    )


def _tokens(graph: Graph) -> list[Anchor]:
    """The tokens that the graph names, or what its nodes are anchored to."""
    if graph.tokens:
        return list(graph.tokens)
    return sorted({anchor for node in graph.nodes for anchor in node.anchors})


def _within(anchor: Anchor, tokens: Iterable[Anchor]) -> list[int]:
    return [
        number
        for number, (start, end) in enumerate(tokens)
        if anchor.start <= start and end <= anchor.end
    ]
