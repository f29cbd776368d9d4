r"""Differences between a graph and its round trip.

What a format has no place for is *lost*: ids, tops, properties of a name.  What is
there and says something else was *changed*, which no writer may do.

>>> dogs = Graph("1", "amr", text="Dogs\nbark", nodes=(Node("d", "dog"),), tops=("d",))
>>> likeness(dogs, msgspec.structs.replace(dogs, text="Dogs bark")).changed
"U+000A in the text: 'Dogs\\nbark' comes back as 'Dogs bark'"
>>> likeness(dogs, msgspec.structs.replace(dogs, tops=()))
GraphDiff(changed='', lost=('tops',))
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import pairwise
from operator import eq
from typing import Any, NamedTuple, NoReturn

import msgspec

from graphscore.formats.particulars import (
    Part,
    particulars,
    repeated_edges,
    repeated_properties,
    spelled,
    spelled_pairs,
)
from graphscore.model.anchors import unite
from graphscore.model.graph import Anchor, Edge, Graph, Node, NodeId, Pairs
from graphscore.model.normalize import implied_normal
from graphscore.structures.layout import KIND

Place = Callable[[int], int]
"""Function from an offset in a text to that among the characters that count."""

AROUND = 20
"""Characters that are shown on either side of a difference."""


class GraphDiff(NamedTuple):
    """Differences of a graph after a round trip."""

    changed: str
    """First change, with the values before and after; may be empty."""
    lost: tuple[str, ...]
    """Lost parts, in words."""


REWRITTEN = frozenset(
    {"columns", "lines", "scheme", "separator", "spelling", "tags"}
    | {"conll2005", "conll2009", "conll2012", "conllu-srl", "up"}
)
"""Fields and properties that keep how a file was written, which a writer may change."""

NAMELESS = "property "
"""Begins what a format restates that has a place of its own for a property, and so
does not say its name, which may be written with other letters, as ``CARG`` is."""


class _ChangedError(Exception):
    """Something says something else."""


def likeness(given: Graph, back: Graph, restated: Collection[str] = ()) -> GraphDiff:
    """Compare a graph with its round trip.

    Args:
        given: what was written.
        back: what was read.
        restated: what the format says in its own way; it is lost where it differs.

    Returns:
        What was changed, and what was lost.
    """
    if given == back:
        return GraphDiff("", ())
    lost: list[str] = []
    for what in restated:
        if what.startswith(NAMELESS):
            given = _renamed(given, what.removeprefix(NAMELESS), lost)
    try:
        _names(given, back, restated, lost)
        here, there = _text(given, back, restated, lost)
        parts = (given.nodes, given.edges, given.tops)
        # As is usual, all are equal, and none need be compared.
        if given.text != back.text or parts != (back.nodes, back.edges, back.tops):
            senses = "senses" in restated
            sides = _Side(given, here, senses), _Side(back, there, senses)
            _parts(*sides, "nodes" in restated, lost)
        _extra(given.extra, back.extra, lost)
    except _ChangedError as changed:
        return GraphDiff(str(changed), tuple(lost))
    return GraphDiff("", tuple(lost))


def _renamed(graph: Graph, name: str, lost: list[str]) -> Graph:
    """A graph with a property under the name that it has where none is written."""
    nodes = [*graph.nodes]
    for index, node in enumerate(nodes):
        names = [n for n, _ in node.properties if n.lower() == name]
        if len(names) == 1 and names[0] != name:
            what = f"case of {names[0]}"
            lost += [what] * (what not in lost)
            pairs = [(name if n == names[0] else n, v) for n, v in node.properties]
            nodes[index] = msgspec.structs.replace(node, properties=(*pairs,))
    return msgspec.structs.replace(graph, nodes=(*nodes,)) if lost else graph


def code_point(character: str) -> str:
    r"""The name under which a character is found in a table of Unicode.

    >>> code_point("\x85"), code_point("a")
    ('U+0085', 'U+0061')
    """
    return f"U+{ord(character):04X}"


def _said(given: str, back: str) -> str:
    """The first character that is not read, one that is odd before all others."""
    for character in given:
        odd = not character.isprintable()
        if odd and given.count(character) > back.count(character):
            return code_point(character)
    for index, character in enumerate(given):
        if back[index : index + 1] != character:
            return code_point(character)
    if given == "":
        return "an empty string"
    return f"that nothing follows {code_point(given[-1])}"


def _same(given: str, back: str, where: str) -> None:
    if given != back:
        what = f"{_said(given, back)} in {where}"
        raise _ChangedError(f"{what}: {_differing(given, back)}")


def _came_back(given: object, back: object) -> str:
    return f"{given!r} comes back as {back!r}"


def _differing(given: str, back: str) -> str:
    """Two strings around their first difference."""
    pairs = enumerate(zip(given, back, strict=False))
    place = next((n for n, p in pairs if p[0] != p[1]), min(len(given), len(back)))
    start, end = max(0, place - AROUND), place + AROUND
    shown = [
        f"{'…' * (start > 0)}{text[start:end]}{'…' * (end < len(text))}"
        for text in (given, back)
    ]
    return _came_back(*shown)


def _names(
    given: Graph, back: Graph, restated: Collection[str], lost: list[str]
) -> None:
    """The fields that say which graph it is."""
    for one, other, where, several in (
        (given.id, back.id, "the id", "ids"),
        (given.language, back.language, "the language", "languages"),
        (given.document, back.document, "the document", "documents"),
    ):
        # Who has no name may get one.
        if not one or one == other:
            continue
        derived = several == "documents" and other == back.id
        # Documents have parts in some formats.
        parted = other.startswith(f"{one}/")
        vanished = not other and several != "ids"
        if not (vanished or derived or parted or several in restated):
            _same(one, other, where)
        lost.append(several)


def _text(
    given: Graph, back: Graph, restated: Collection[str], lost: list[str]
) -> tuple[Place, Place]:
    """Compare texts and tokens; gives where their characters are."""
    if given.text == back.text or not back.text or not given.text:
        if given.text and not back.text:
            if "texts" not in restated:
                _same(given.text, "", "the text")
            lost.append("texts")
        elif given.tokens != back.tokens and given.tokens and back.text:
            if back.tokens:
                _tokens(given, back)
                raise _ChangedError("the places of the tokens in the text")
            lost.append("tokens")
        return int, int
    if not back.tokens:
        _same(given.text, back.text, "the text")
    if given.tokens:
        words = _words(given)
        own = {"words", "texts"}.intersection(restated) and _forms(given) != words
        if words and own and _forms(back) == words:
            # What is written are words, of which several may be one in the text.
            lost.append("texts")
            return _nowhere, _nowhere
        _tokens(given, back)
    here, there = _Visible(given.text), _Visible(back.text)
    overlap = any(b.start < a.end for a, b in pairwise(given.tokens))
    apart = "texts" not in restated and not overlap
    if given.tokens and back.tokens and not apart and here.text != there.text:
        # Words of which several are written as one, and what is between tokens.
        lost.append("texts")
        return _nowhere, _nowhere
    _same(here.text, there.text, "the text")
    lost.append("white space")
    return here, there


def _tokens(given: Graph, back: Graph) -> None:
    ours, theirs = _forms(given), _forms(back)
    for number, (one, other) in enumerate(zip(ours, theirs, strict=False), 1):
        _same(one, other, f"token {number}")
    if len(ours) != len(theirs):
        shown = f"{len(ours)} come back as {len(theirs)}"
        raise _ChangedError(f"the tokens of the text: {shown}")


def _words(graph: Graph) -> list[str]:
    token = ("kind", "token")
    return [str(node.label) for node in graph.nodes if token in node.properties]


def _nowhere(place: int) -> int:
    return 0


def _forms(graph: Graph) -> list[str]:
    return [graph.text[start:end] for start, end in graph.tokens]


class _Visible:
    """A text without white space, of which formats of tokens keep nothing."""

    def __init__(self, text: str) -> None:
        self.places = [n for n, letter in enumerate(text) if not letter.isspace()]
        self.text = "".join(text[place] for place in self.places)

    def __call__(self, place: int) -> int:
        return bisect_left(self.places, place)


Spans = tuple[tuple[int, int], ...]
"""Anchors as sets of characters, and where there are empty ones."""

Described = tuple[str | None, tuple[tuple[str, str], ...], Spans]
"""Label, properties and anchors of a node."""


class _Side:
    """A graph with what its nodes and edges say.

    Args:
        graph: the graph.
        place: where a character of its text is among those that count.
        senseless: whether labels of predicates do not count.
    """

    def __init__(self, graph: Graph, place: Place, senseless: bool) -> None:
        self.graph, self.place, self.senseless = graph, place, senseless
        self.properties = {n for node in graph.nodes for n, _ in node.properties}
        self.attributes = {n for edge in graph.edges for n, _ in edge.attributes}
        self.names: Collection[str] = ()
        """The properties that count on this side: those that the other one has."""
        self.labels = any(node.label is not None for node in graph.nodes)
        self.anchors = any(node.anchors for node in graph.nodes)
        self.implied = self.alone = False
        """Labels themselves mark inverted edges; and nothing else does."""

    def described(self, node: Node, other: _Side) -> Described:
        """Describe a node, as far as the other side has such values."""
        sense = self.senseless and ("kind", "predicate") in node.properties
        return (
            spelled(node.label) if other.labels and not sense else None,
            _pairs(node.properties, self.names),
            self.spans(node.anchors) if other.anchors else (),
        )

    def surroundings(
        self, said: Sequence[Described], other: _Side
    ) -> dict[NodeId, Any]:
        """Describe nodes with their neighbors: entities have no values themselves."""
        nodes = self.graph.nodes
        known = {node.id: each for node, each in zip(nodes, said, strict=True)}
        ids = {node: node for node in known}
        below: dict[NodeId | None, list[Any]] = {node: [] for node in known}
        above: dict[NodeId | None, list[str]] = {node: [] for node in known}
        for edge in self.graph.edges:
            source, target, label, attributes = self.joined(edge, ids, other)
            below.setdefault(source, []).append((known.get(target), label, attributes))
            above.setdefault(target, []).append(label)
        return {
            node: (described, frozenset(below[node]), tuple(sorted(above[node])))
            for node, described in known.items()
        }

    def spans(self, anchors: Sequence[Anchor]) -> Spans:
        """Ranges of characters that count, united."""
        if len(anchors) == 1 and anchors[0].start >= 0:
            [(start, end)] = anchors
            return ((self.place(start), self.place(end)),)
        spans = [Anchor(self.place(a), self.place(b)) for a, b in anchors]
        empty = {(span.start, span.end) for span in spans if span.start >= span.end}
        return (*unite(spans), *sorted(empty))

    def joined(
        self, edge: Edge, names: dict[Any, Any], other: _Side
    ) -> tuple[Any, Any, str, tuple[tuple[str, str], ...]]:
        """Describe an edge, in its normal direction."""
        source, target, label = edge.source, edge.target, edge.label
        normal = None if self.alone else edge.normal
        if normal is None and self.implied and isinstance(label, str):
            normal = implied_normal(label)
        if normal is not None:
            source, target, label = target, source, normal
        attributes = _pairs(edge.attributes, other.attributes)
        return names.get(source), names.get(target), spelled(label) or "", attributes

    def node_parts(self, said: Sequence[Described]) -> list[Part]:
        """The nodes, by what they say."""
        return [
            Part(
                each,
                None if each[0] is None else node.label,
                _counting(node.properties, self.names),
            )
            for node, each in zip(self.graph.nodes, said, strict=True)
        ]

    def edge_parts(self, names: dict[Any, Any], other: _Side) -> list[Part]:
        """The edges, by what they say in the direction that is normal."""
        return [
            Part(
                self.joined(edge, names, other),
                None,
                _counting(edge.attributes, other.attributes),
                (
                    names.get(edge.source),
                    names.get(edge.target),
                    edge.label,
                    edge.normal,
                ),
            )
            for edge in self.graph.edges
        ]


def _pairs(pairs: Pairs, names: Collection[str]) -> tuple[tuple[str, str], ...]:
    if not pairs:
        return ()
    return tuple(sorted({*spelled_pairs(_counting(pairs, names))}))


def _counting(pairs: Pairs, names: Collection[str]) -> Pairs:
    return tuple(p for p in pairs if p[0] in names and p[0] not in REWRITTEN)


def _parts(given: _Side, back: _Side, more: bool, lost: list[str]) -> None:
    """Compare nodes, edges and tops; there may be more nodes of a kind, or not."""
    _vanished(given.properties, back.properties, "property", lost)
    _vanished(given.attributes, back.attributes, "attribute", lost)
    for what in ("labels", "anchors"):
        if getattr(given, what) and not getattr(back, what) and back.graph.nodes:
            lost.append(what)
    given.names = back.properties
    # What has no kind must not come back with one.
    back.names = given.properties | ({KIND} & back.properties)
    ours = [given.described(node, back) for node in given.graph.nodes]
    theirs = [back.described(node, given) for node in back.graph.nodes]
    one, other = Counter(ours), Counter(theirs)
    if one != other:
        _nodes(one, other, more, lost)
    here, there = (
        {node.id: index for index, node in enumerate(side.graph.nodes)}
        for side in (given, back)
    )
    if one != other and more:
        if repeated_edges(given.graph) > repeated_edges(back.graph):
            lost.append("repeated edges")
        if _edges_among_more(given, back, ours, theirs):
            lost.append("edges")
        return
    places = here, there
    plain = _joins(given, here, back), _joins(back, there, given)
    if ours != theirs or Counter(plain[0]) != Counter(plain[1]):
        for given.implied, given.alone in (False, False), (True, False), (True, True):
            back.implied, back.alone = given.implied, given.alone
            here = given.surroundings(ours, back)
            there = back.surroundings(theirs, given)
            joins = _joins(given, here, back), _joins(back, there, given)
            if Counter(joins[0]) == Counter(joins[1]):
                break
        counted = Counter(joins[0]), Counter(joins[1])
        less = Counter(plain[0]), Counter(plain[1])
        _edges(*counted, less if ours == theirs else counted, lost)
    tops, again = given.graph.tops, back.graph.tops
    if tops and not again:
        lost.append("tops")
    elif {here.get(e) for e in tops} != {there.get(e) for e in again}:
        raise _ChangedError(f"the tops: {_came_back([*tops], [*again])}")
    elif len(tops) > len(again):
        lost.append("repeated tops")
    nodes = given.node_parts(ours), back.node_parts(theirs)
    standing, called = (
        (given.edge_parts(one, back), back.edge_parts(other, given))
        for one, other in (places, (here, there))
    )
    losses = [*particulars(nodes, standing, called)]
    kept = REWRITTEN & back.properties
    if len({repeated_properties(g.graph, kept) for g in (given, back)}) > 1:
        losses.append("repeated properties")
    lost += [loss for loss in dict.fromkeys(losses) if loss not in lost]


def _edges_among_more(
    given: _Side, back: _Side, ours: Sequence[Described], theirs: Sequence[Described]
) -> bool:
    """Return whether an edge is not there, by what its ends say."""
    here = {node.id: text for node, text in zip(given.graph.nodes, ours, strict=True)}
    there = {node.id: text for node, text in zip(back.graph.nodes, theirs, strict=True)}
    return not {*_joins(given, here, back)} <= {*_joins(back, there, given)}


def _joins(side: _Side, names: dict[Any, Any], other: _Side) -> list[Any]:
    return [side.joined(edge, names, other) for edge in side.graph.edges]


def _nodes(
    ours: Counter[Described],
    theirs: Counter[Described],
    more: bool,
    lost: list[str],
) -> None:
    """Nodes that are not there, or say something else."""
    gone, new = [*(ours - theirs).elements()], [*(theirs - ours).elements()]
    if not gone:
        kinds = {*map(_kind, ours)}
        for node in new:
            # Tokens, and the like, that the reader makes of what was given.
            if _kind(node) in kinds and not more:
                raise _ChangedError(f"the nodes: {node[0]!r} comes back as well")
        return
    if not new:
        kinds = {*map(_kind, theirs)}
        for node in gone:
            if _kind(node) in kinds or not theirs:
                raise _ChangedError(f"all nodes: {node[0]!r} does not come back")
        lost.append("nodes")
        return
    first = gone[0]
    closest = max(new, key=lambda each: sum(map(eq, each, first)))
    label, other = first[0], closest[0]
    if label is not None and other is not None:
        _same(label, other, "the label of a node")
    elif label != other:
        raise _ChangedError(f"the label of a node: {_came_back(label, other)}")
    values = dict(closest[1])
    for name, value in first[1]:
        where = f"property {name!r} of node {first[0]!r}"
        if name not in values:
            raise _ChangedError(f"{where}: {value!r} does not come back")
        _same(value, values[name], where)
    if first[2] != closest[2]:
        shown = _came_back(_ranges(first[2]), _ranges(closest[2]))
        raise _ChangedError(f"the anchors of node {first[0]!r}: {shown}")
    name, value = next(pair for pair in closest[1] if pair not in first[1])
    where = f"property {name!r} of node {first[0]!r}"
    raise _ChangedError(f"{where}: {value!r} comes back, and there is none")


def _ranges(spans: Spans) -> str:
    return ";".join(f"{start}:{end}" for start, end in spans)


def _kind(node: Described) -> str | None:
    return dict(node[1]).get("kind")


def _edges(
    ours: Counter[Any],
    theirs: Counter[Any],
    plain: tuple[Counter[Any], Counter[Any]],
    lost: list[str],
) -> None:
    """Edges that are not there, or say something else; ``plain`` names ends briefly."""
    if ours == theirs:
        return
    gone, new = [*(ours - theirs).elements()], [*(theirs - ours).elements()]
    if not gone:
        ends = {end for our in ours for end in our[:2]}
        more = next((edge for edge in new if ends.issuperset(edge[:2])), None)
        if more is not None:
            raise _ChangedError(f"the edges: one {more[2]!r} comes back as well")
        return
    label = gone[0][2]
    if new or any(their[2] == label for their in theirs) or not theirs:
        _changed_edge(*plain)
    lost.append("edges")


def _changed_edge(ours: Counter[Any], theirs: Counter[Any]) -> NoReturn:
    """Say which edge changed, of those that differ."""
    gone, new = [*(ours - theirs).elements()], [*(theirs - ours).elements()]
    (*ends, label, attributes), *_ = gone or new
    for *others, other, told in new:
        if gone and others == ends:
            _same(label, other, "the label of an edge")
            shown = _came_back(dict(attributes), dict(told))
            raise _ChangedError(f"the attributes of edge {label!r}: {shown}")
    if not gone:
        raise _ChangedError(f"the edges: one {label!r} comes back as well")
    if any(other == label for *_, other, _ in new):
        raise _ChangedError(f"the edges: one {label!r} comes back at other nodes")
    instead = f", and one {new[0][2]!r} does" if new else ""
    raise _ChangedError(f"the edges: one {label!r} does not come back{instead}")


def _vanished(
    given: set[str], back: Collection[str], what: str, lost: list[str]
) -> None:
    """Names that are not there; another one like it would be it, changed."""
    new = {_letters(name): name for name in back if name not in given}
    for name in sorted(given.difference(back)):
        if _letters(name) in new:
            _same(name, new[_letters(name)], f"the name of a {what}")
        lost.append(f"{what} {name}")


def _letters(name: str) -> str:
    return "".join(letter for letter in name if letter.isalnum())


def _extra(given: dict[str, Any], back: dict[str, Any], lost: list[str]) -> None:
    """Other fields."""
    if given == back:
        return
    _vanished(set(given), back, "field", lost)
    for name in given:
        if name in back and name not in REWRITTEN:
            for string, other in _strings(given[name], back[name]):
                _same(string, other, f"the field {name!r}")


def _strings(given: Any, back: Any) -> Iterator[tuple[str, str]]:
    """Pairs of strings at the same places."""
    if isinstance(given, str) and isinstance(back, str):
        yield given, back
    elif isinstance(given, dict) and isinstance(back, dict):
        for name in given:
            if name in back:
                yield from _strings(given[name], back[name])
    elif isinstance(given, (list, tuple)) and isinstance(back, (list, tuple)):
        for one, other in zip(given, back, strict=False):
            yield from _strings(one, other)
