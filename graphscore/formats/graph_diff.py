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
    spell_value,
    spelled_pairs,
)
from graphscore.model.anchors import unite
from graphscore.model.graph import Anchor, Edge, Graph, Node, NodeId, Pairs
from graphscore.model.normalize import implied_normal
from graphscore.structures.layout import KIND

Offsets = Callable[[int], int]
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


def likeness(before: Graph, back: Graph, restated: Collection[str] = ()) -> GraphDiff:
    """Compare a graph with its round trip.

    Args:
        before: what was written.
        back: what was read.
        restated: what the format says in its own way; it is lost where it differs.

    Returns:
        What was changed, and what was lost.
    """
    if before == back:
        return GraphDiff("", ())
    lost: list[str] = []
    for what in restated:
        if what.startswith(NAMELESS):
            before = _rename_property(before, what.removeprefix(NAMELESS), lost)
    try:
        _names(before, back, restated, lost)
        offsets, back_offsets = _text(before, back, restated, lost)
        parts = (before.nodes, before.edges, before.tops)
        # As is usual, all are equal, and none need be compared.
        if before.text != back.text or parts != (back.nodes, back.edges, back.tops):
            senses = "senses" in restated
            sides = _Side(before, offsets, senses), _Side(back, back_offsets, senses)
            _parts(*sides, "nodes" in restated, lost)
        _extra(before.extra, back.extra, lost)
    except _ChangedError as changed:
        return GraphDiff(str(changed), tuple(lost))
    return GraphDiff("", tuple(lost))


def _rename_property(graph: Graph, name: str, lost: list[str]) -> Graph:
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


def _lost_character(before: str, back: str) -> str:
    """The first character that is not read, one that is odd before all others."""
    for character in before:
        odd = not character.isprintable()
        if odd and before.count(character) > back.count(character):
            return code_point(character)
    for index, character in enumerate(before):
        if back[index : index + 1] != character:
            return code_point(character)
    if before == "":
        return "an empty string"
    return f"that nothing follows {code_point(before[-1])}"


def _check_same(before: str, back: str, where: str) -> None:
    if before != back:
        what = f"{_lost_character(before, back)} in {where}"
        raise _ChangedError(f"{what}: {_difference(before, back)}")


def _came_back(before: object, back: object) -> str:
    return f"{before!r} comes back as {back!r}"


def _difference(before: str, back: str) -> str:
    """Two strings around their first difference."""
    pairs = enumerate(zip(before, back, strict=False))
    index = next((n for n, p in pairs if p[0] != p[1]), min(len(before), len(back)))
    start, end = max(0, index - AROUND), index + AROUND
    shown = [
        f"{'…' * (start > 0)}{text[start:end]}{'…' * (end < len(text))}"
        for text in (before, back)
    ]
    return _came_back(*shown)


def _names(
    before: Graph, back: Graph, restated: Collection[str], lost: list[str]
) -> None:
    """The fields that say which graph it is."""
    for value, returned, where, several in (
        (before.id, back.id, "the id", "ids"),
        (before.language, back.language, "the language", "languages"),
        (before.document, back.document, "the document", "documents"),
    ):
        # Who has no name may get one.
        if not value or value == returned:
            continue
        derived = several == "documents" and returned == back.id
        # Documents have parts in some formats.
        parted = returned.startswith(f"{value}/")
        vanished = not returned and several != "ids"
        if not (vanished or derived or parted or several in restated):
            _check_same(value, returned, where)
        lost.append(several)


def _text(
    before: Graph, back: Graph, restated: Collection[str], lost: list[str]
) -> tuple[Offsets, Offsets]:
    """Compare texts and tokens; gives where their characters are."""
    if before.text == back.text or not back.text or not before.text:
        if before.text and not back.text:
            if "texts" not in restated:
                _check_same(before.text, "", "the text")
            lost.append("texts")
        elif before.tokens != back.tokens and before.tokens and back.text:
            if back.tokens:
                _tokens(before, back)
                raise _ChangedError("the places of the tokens in the text")
            lost.append("tokens")
        return int, int
    if not back.tokens:
        _check_same(before.text, back.text, "the text")
    if before.tokens:
        words = _words(before)
        own = {"words", "texts"}.intersection(restated) and _forms(before) != words
        if words and own and _forms(back) == words:
            # What is written are words, of which several may be one in the text.
            lost.append("texts")
            return _nowhere, _nowhere
        _tokens(before, back)
    visible, back_visible = _Visible(before.text), _Visible(back.text)
    overlap = any(b.start < a.end for a, b in pairwise(before.tokens))
    apart = "texts" not in restated and not overlap
    tokens = before.tokens and back.tokens
    if tokens and not apart and visible.text != back_visible.text:
        # Words of which several are written as one, and what is between tokens.
        lost.append("texts")
        return _nowhere, _nowhere
    _check_same(visible.text, back_visible.text, "the text")
    lost.append("white space")
    return visible, back_visible


def _tokens(before: Graph, back: Graph) -> None:
    forms, back_forms = _forms(before), _forms(back)
    for number, (form, returned) in enumerate(zip(forms, back_forms, strict=False), 1):
        _check_same(form, returned, f"token {number}")
    if len(forms) != len(back_forms):
        shown = f"{len(forms)} come back as {len(back_forms)}"
        raise _ChangedError(f"the tokens of the text: {shown}")


def _words(graph: Graph) -> list[str]:
    token = ("kind", "token")
    return [str(node.label) for node in graph.nodes if token in node.properties]


def _nowhere(offset: int) -> int:
    return 0


def _forms(graph: Graph) -> list[str]:
    return [graph.text[start:end] for start, end in graph.tokens]


class _Visible:
    """A text without white space, of which formats of tokens keep nothing."""

    def __init__(self, text: str) -> None:
        self.visible = [n for n, letter in enumerate(text) if not letter.isspace()]
        self.text = "".join(text[index] for index in self.visible)

    def __call__(self, offset: int) -> int:
        return bisect_left(self.visible, offset)


Spans = tuple[tuple[int, int], ...]
"""Anchors as sets of characters, and where there are empty ones."""

Described = tuple[str | None, tuple[tuple[str, str], ...], Spans]
"""Label, properties and anchors of a node."""


class _Side:
    """A graph with what its nodes and edges say.

    Args:
        graph: the graph.
        offset: where a character of its text is among those that count.
        senseless: whether labels of predicates do not count.
    """

    def __init__(self, graph: Graph, offset: Offsets, senseless: bool) -> None:
        self.graph, self.offset, self.senseless = graph, offset, senseless
        self.properties = {n for node in graph.nodes for n, _ in node.properties}
        self.attributes = {n for edge in graph.edges for n, _ in edge.attributes}
        self.names: Collection[str] = ()
        """The properties that count on this side: those that the other one has."""
        self.labels = any(node.label is not None for node in graph.nodes)
        self.anchors = any(node.anchors for node in graph.nodes)
        self.implied = self.alone = False
        """Labels themselves mark inverted edges; and nothing else does."""

    def described(self, node: Node, peer: _Side) -> Described:
        """Describe a node, as far as the other side has such values."""
        sense = self.senseless and ("kind", "predicate") in node.properties
        return (
            spell_value(node.label) if peer.labels and not sense else None,
            _pairs(node.properties, self.names),
            self.spans(node.anchors) if peer.anchors else (),
        )

    def surroundings(
        self, descriptions: Sequence[Described], peer: _Side
    ) -> dict[NodeId, Any]:
        """Describe nodes with their neighbors: entities have no values themselves."""
        nodes = self.graph.nodes
        pairs = zip(nodes, descriptions, strict=True)
        known = {node.id: description for node, description in pairs}
        ids = {node: node for node in known}
        below: dict[NodeId | None, list[Any]] = {node: [] for node in known}
        above: dict[NodeId | None, list[str]] = {node: [] for node in known}
        for edge in self.graph.edges:
            source, target, label, attributes = self.joined(edge, ids, peer)
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
            return ((self.offset(start), self.offset(end)),)
        spans = [Anchor(self.offset(a), self.offset(b)) for a, b in anchors]
        empty = {(span.start, span.end) for span in spans if span.start >= span.end}
        return (*unite(spans), *sorted(empty))

    def joined(
        self, edge: Edge, names: dict[Any, Any], peer: _Side
    ) -> tuple[Any, Any, str, tuple[tuple[str, str], ...]]:
        """Describe an edge, in its normal direction."""
        source, target, label = edge.source, edge.target, edge.label
        normal = None if self.alone else edge.normal
        if normal is None and self.implied and isinstance(label, str):
            normal = implied_normal(label)
        if normal is not None:
            source, target, label = target, source, normal
        attributes = _pairs(edge.attributes, peer.attributes)
        spelling = spell_value(label) or ""
        return names.get(source), names.get(target), spelling, attributes

    def node_parts(self, descriptions: Sequence[Described]) -> list[Part]:
        """The nodes, by what they say."""
        return [
            Part(
                description,
                None if description[0] is None else node.label,
                _counting_pairs(node.properties, self.names),
            )
            for node, description in zip(self.graph.nodes, descriptions, strict=True)
        ]

    def edge_parts(self, names: dict[Any, Any], peer: _Side) -> list[Part]:
        """The edges, by what they say in the direction that is normal."""
        return [
            Part(
                self.joined(edge, names, peer),
                None,
                _counting_pairs(edge.attributes, peer.attributes),
                (*map(names.get, (edge.source, edge.target)), edge.label, edge.normal),
            )
            for edge in self.graph.edges
        ]


def _pairs(pairs: Pairs, names: Collection[str]) -> tuple[tuple[str, str], ...]:
    if not pairs:
        return ()
    return tuple(sorted({*spelled_pairs(_counting_pairs(pairs, names))}))


def _counting_pairs(pairs: Pairs, names: Collection[str]) -> Pairs:
    return tuple(p for p in pairs if p[0] in names and p[0] not in REWRITTEN)


def _parts(before: _Side, back: _Side, more: bool, lost: list[str]) -> None:
    """Compare nodes, edges and tops; there may be more nodes of a kind, or not."""
    _note_vanished(before.properties, back.properties, "property", lost)
    _note_vanished(before.attributes, back.attributes, "attribute", lost)
    for what in ("labels", "anchors"):
        if getattr(before, what) and not getattr(back, what) and back.graph.nodes:
            lost.append(what)
    before.names = back.properties
    # What has no kind must not come back with one.
    back.names = before.properties | ({KIND} & back.properties)
    nodes = [before.described(node, back) for node in before.graph.nodes]
    back_nodes = [back.described(node, before) for node in back.graph.nodes]
    counts, back_counts = Counter(nodes), Counter(back_nodes)
    if counts != back_counts:
        _nodes(counts, back_counts, more, lost)
    names, back_names = (
        {node.id: index for index, node in enumerate(side.graph.nodes)}
        for side in (before, back)
    )
    if counts != back_counts and more:
        if repeated_edges(before.graph) > repeated_edges(back.graph):
            lost.append("repeated edges")
        if _edges_among_more(before, back, nodes, back_nodes):
            lost.append("edges")
        return
    ordinals = names, back_names
    plain = _joins(before, names, back), _joins(back, back_names, before)
    if nodes != back_nodes or Counter(plain[0]) != Counter(plain[1]):
        for before.implied, before.alone in (False, False), (True, False), (True, True):
            back.implied, back.alone = before.implied, before.alone
            names = before.surroundings(nodes, back)
            back_names = back.surroundings(back_nodes, before)
            joins = (_joins(before, names, back), _joins(back, back_names, before))
            if Counter(joins[0]) == Counter(joins[1]):
                break
        counted = Counter(joins[0]), Counter(joins[1])
        less = Counter(plain[0]), Counter(plain[1])
        _edges(*counted, less if nodes == back_nodes else counted, lost)
    tops, again = before.graph.tops, back.graph.tops
    if tops and not again:
        lost.append("tops")
    elif {names.get(e) for e in tops} != {back_names.get(e) for e in again}:
        raise _ChangedError(f"the tops: {_came_back([*tops], [*again])}")
    elif len(tops) > len(again):
        lost.append("repeated tops")
    node_parts = before.node_parts(nodes), back.node_parts(back_nodes)
    standing, called = (
        (before.edge_parts(ids, back), back.edge_parts(back_ids, before))
        for ids, back_ids in (ordinals, (names, back_names))
    )
    losses = [*particulars(node_parts, standing, called)]
    kept = REWRITTEN & back.properties
    if len({repeated_properties(g.graph, kept) for g in (before, back)}) > 1:
        losses.append("repeated properties")
    lost += [loss for loss in dict.fromkeys(losses) if loss not in lost]


def _edges_among_more(
    before: _Side, back: _Side, nodes: Sequence[Described], others: Sequence[Described]
) -> bool:
    """Return whether an edge is not there, by what its ends say."""
    names = {
        node.id: text for node, text in zip(before.graph.nodes, nodes, strict=True)
    }
    ends = {node.id: text for node, text in zip(back.graph.nodes, others, strict=True)}
    return not {*_joins(before, names, back)} <= {*_joins(back, ends, before)}


def _joins(side: _Side, names: dict[Any, Any], peer: _Side) -> list[Any]:
    return [side.joined(edge, names, peer) for edge in side.graph.edges]


def _nodes(
    before: Counter[Described], after: Counter[Described], more: bool, lost: list[str]
) -> None:
    """Nodes that are not there, or say something else."""
    gone, new = ([*(before - after).elements()], [*(after - before).elements()])
    if not gone:
        kinds = {*map(_kind, before)}
        for node in new:
            # Tokens, and the like, that the reader makes of what was given.
            if _kind(node) in kinds and not more:
                raise _ChangedError(f"the nodes: {node[0]!r} comes back as well")
        return
    if not new:
        kinds = {*map(_kind, after)}
        for node in gone:
            if _kind(node) in kinds or not after:
                raise _ChangedError(f"all nodes: {node[0]!r} does not come back")
        lost.append("nodes")
        return
    first = gone[0]
    closest = max(new, key=lambda candidate: sum(map(eq, candidate, first)))
    label, back_label = first[0], closest[0]
    if label is not None and back_label is not None:
        _check_same(label, back_label, "the label of a node")
    elif label != back_label:
        raise _ChangedError(f"the label of a node: {_came_back(label, back_label)}")
    values = dict(closest[1])
    for name, value in first[1]:
        where = f"property {name!r} of node {first[0]!r}"
        if name not in values:
            raise _ChangedError(f"{where}: {value!r} does not come back")
        _check_same(value, values[name], where)
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
    before: Counter[Any],
    after: Counter[Any],
    plain: tuple[Counter[Any], Counter[Any]],
    lost: list[str],
) -> None:
    """Edges that are not there, or say something else; ``plain`` names ends briefly."""
    if before == after:
        return
    gone, new = ([*(before - after).elements()], [*(after - before).elements()])
    if not gone:
        ends = {end for edge in before for end in edge[:2]}
        more = next((edge for edge in new if ends.issuperset(edge[:2])), None)
        if more is not None:
            raise _ChangedError(f"the edges: one {more[2]!r} comes back as well")
        return
    label = gone[0][2]
    if new or any(edge[2] == label for edge in after) or not after:
        _changed_edge(*plain)
    lost.append("edges")


def _changed_edge(before: Counter[Any], after: Counter[Any]) -> NoReturn:
    """Say which edge changed, of those that differ."""
    gone, new = ([*(before - after).elements()], [*(after - before).elements()])
    (*ends, label, attributes), *_ = gone or new
    for *others, back_label, back_attributes in new:
        if gone and others == ends:
            _check_same(label, back_label, "the label of an edge")
            shown = _came_back(dict(attributes), dict(back_attributes))
            raise _ChangedError(f"the attributes of edge {label!r}: {shown}")
    if not gone:
        raise _ChangedError(f"the edges: one {label!r} comes back as well")
    if any(back_label == label for *_, back_label, _ in new):
        raise _ChangedError(f"the edges: one {label!r} comes back at other nodes")
    instead = f", and one {new[0][2]!r} does" if new else ""
    raise _ChangedError(f"the edges: one {label!r} does not come back{instead}")


def _note_vanished(
    before: set[str], back: Collection[str], what: str, lost: list[str]
) -> None:
    """Names that are not there; another one like it would be it, changed."""
    new = {_letters(name): name for name in back if name not in before}
    for name in sorted(before.difference(back)):
        if _letters(name) in new:
            _check_same(name, new[_letters(name)], f"the name of a {what}")
        lost.append(f"{what} {name}")


def _letters(name: str) -> str:
    return "".join(letter for letter in name if letter.isalnum())


def _extra(before: dict[str, Any], back: dict[str, Any], lost: list[str]) -> None:
    """Other fields."""
    if before == back:
        return
    _note_vanished(set(before), back, "field", lost)
    for name in before:
        if name in back and name not in REWRITTEN:
            for string, returned in _strings(before[name], back[name]):
                _check_same(string, returned, f"the field {name!r}")


def _strings(before: Any, back: Any) -> Iterator[tuple[str, str]]:
    """Pairs of strings at the same places."""
    if isinstance(before, str) and isinstance(back, str):
        yield before, back
    elif isinstance(before, dict) and isinstance(back, dict):
        for name in before:
            if name in back:
                yield from _strings(before[name], back[name])
    elif isinstance(before, (list, tuple)) and isinstance(back, (list, tuple)):
        for element, back_element in zip(before, back, strict=False):
            yield from _strings(element, back_element)
