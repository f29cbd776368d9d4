r"""Graphs as brat's standoff format: annotations, and the text beside them.

The layers of a document that follow one another become one file again.  Mentions of
several layers are one line where they are the same; lines are called like their nodes
where those have ids of brat.  Properties become attributes, entries of databases their
own lines.

>>> from graphscore.model.graph import Anchor
>>> jenny = Node(0, "PER", (("kind", "mention"), ("Sure", True)), (Anchor(0, 5),))
>>> graph = Graph("doc", "ner", 1, text="Jenny left", nodes=(jenny,))
>>> for name, data in write(iter([graph])):
...     print(name, data)
doc.ann b'T1\tPER 0 5\tJenny\nA1\tSure T1\n'
doc.txt b'Jenny left'
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from graphlib import CycleError, TopologicalSorter
from itertools import chain, pairwise
from typing import TypeGuard

from graphscore.exceptions import InvalidGraphError, amount
from graphscore.formats.extraction.brat.document import (
    NOTES,
    ROLE,
    TITLES,
    TRIGGER_ID,
    TRIGGER_TYPE,
)
from graphscore.formats.extraction.brat.lines import (
    EQUIVALENCE,
    FOUND_FILE,
    GIVEN_FILE,
    GROUP,
    MEMBER,
    NORMALIZATION,
    base_role,
)
from graphscore.formats.shared.layers import Layer, kept_as, own_of
from graphscore.formats.writing import Layers, join_layers, naming
from graphscore.model.graph import Anchor, Edge, Graph, Node, NodeId, Pairs, Value
from graphscore.structures.layout import (
    COREF,
    ENTITY,
    EQUIVALENT,
    EVENTS,
    GIVEN,
    LAYERS,
    MENTION,
    NER,
    NUMBER,
    RELATION,
    RELATIONS,
    REPEATED,
    TRIGGER,
    kind_of,
    nodes_of,
)

Content = tuple[Value, tuple[Anchor, ...], str]
"""Content of a line with characters: type, spans, properties."""

PROTEIN = "Protein"
"""The type of what is given, where nothing says what is."""

_KINDS = {
    NER: {MENTION},
    RELATIONS: {MENTION, TRIGGER, RELATION},
    EVENTS: {MENTION, TRIGGER},
    COREF: {MENTION, ENTITY},
}
_ID = re.compile(r"([TER])(\d+)")
_WORD = re.compile(r"\S+")
_BLANK = re.compile(r"\s")
_LINE_END = re.compile(r"[\r\n]")


def write(graphs: Iterable[Graph]) -> Iterator[tuple[str, bytes]]:
    """Write graphs, two files a document.

    Args:
        graphs: of the frameworks ``ner``, ``relation``, ``event`` and ``coref``.

    Yields:
        Names and contents: annotations, then their text.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that the format cannot hold.
    """
    for layers in join_layers(graphs, LAYERS, "brat", _same_document):
        graph = next(iter(layers.values()))
        with naming(graph):
            lines = _Document(layers).lines()
        yield f"{graph.id}.ann", "".join(line + "\n" for line in lines).encode()
        yield f"{graph.id}.txt", graph.text.encode()


def write_halves(graphs: Iterable[Graph]) -> Iterator[tuple[str, bytes]]:
    """Write graphs as BioNLP's shared tasks have them, three files a document.

    Args:
        graphs: of the frameworks ``ner``, ``relation``, ``event`` and ``coref``.

    Yields:
        Names and contents: what is given, what is found, their text.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that the format cannot hold.
    """
    for layers in join_layers(graphs, LAYERS, "bionlp", _same_document):
        graph = next(iter(layers.values()))
        with naming(graph):
            halves = _Document(layers, "M").halves()
        for ending, lines in zip((GIVEN_FILE, FOUND_FILE), halves, strict=True):
            data = "".join(line + "\n" for line in lines).encode()
            yield f"{graph.id}{ending}", data
        yield f"{graph.id}.txt", graph.text.encode()


def lost(graph: Graph) -> tuple[str, ...]:
    """List the fields of a graph that are not written."""
    filled = {edge.source for edge in graph.edges}
    entities = nodes_of(graph, ENTITY)
    result = (
        ("tokens", bool(graph.tokens)),
        ("the language", bool(graph.language)),
        ("the document", graph.document not in ("", graph.id)),
        ("entities without mentions", any(e.id not in filled for e in entities)),
    )
    return tuple(what for what, filled_in in result if filled_in)


def lost_in_one(graph: Graph) -> tuple[str, ...]:
    """List the fields of a graph that are not written if all goes into one file."""
    has_given = any(
        name == GIVEN for node in graph.nodes for name, _ in node.properties
    )
    return (*lost(graph), *(("what was given",) if has_given else ()))


def _same_document(left: Graph, right: Graph) -> bool:
    """Return whether both are layers of a document."""
    return (left.id, left.language, left.text) == (right.id, right.language, right.text)


def _is(name: object, kind: str) -> bool:
    """Return whether a value is an id of brat of that kind."""
    return isinstance(name, str) and bool(re.fullmatch(kind + r"\d+", name))


def _lines_named(node: Node, property: str) -> list[str]:
    """The lines that a property names."""
    return [v for k, v in node.properties if k == property and _is_id(v)]


def _is_id(value: Value) -> TypeGuard[str]:
    return isinstance(value, str) and bool(_ID.fullmatch(value))


def _own_properties(node: Node) -> Pairs:
    """The properties that are lines of their own."""
    return tuple(
        (name, value)
        for name, value in node.properties[1:]
        if not (name in (GIVEN, EQUIVALENT) and _is_id(value))
        and not (name == REPEATED and isinstance(value, int))
    )


def _more(edge: Edge) -> bool:
    """Return whether an edge has attributes that the format does not know."""
    return any(name != NUMBER for name, _ in edge.attributes)


class _Names:
    """Ids of lines: those that nodes have already, others are numbered on."""

    def __init__(self, taken: Iterable[NodeId]) -> None:
        self.taken = {str(node_id) for node_id in taken if _ID.fullmatch(str(node_id))}
        self.next = Counter[str]()

    def new(self, kind: str, preferred: object = None) -> str:
        """The id of a line.

        Args:
            kind: the letter that it begins with.
            preferred: what it should be, if that is an id of this kind.
        """
        if isinstance(preferred, str) and _is(preferred, kind):
            return preferred
        while True:
            self.next[kind] += 1
            name = f"{kind}{self.next[kind]}"
            if name not in self.taken:
                self.taken.add(name)
                return name


def _checked_layer(graph: Graph) -> Layer:
    """A layer; what brat has no place for is refused here, as nothing is read again."""
    if graph.tops:
        raise InvalidGraphError("tops", "none")
    kinds = _KINDS[graph.framework]
    for node in graph.nodes:
        if kind_of(node) not in kinds:
            found = f"a node {node.id!r} of kind {kind_of(node)!r}"
            raise InvalidGraphError(found, " or ".join(sorted(kinds)))
    layer = Layer(graph)
    for entity in layer.of(ENTITY):
        for edge in layer.edges(entity.id):
            if edge.label != MENTION or not layer.is_a(MENTION, edge.target):
                found = f"an edge {edge.label!r} of entity {entity.id!r}"
                raise InvalidGraphError(found, "mentions")
    return layer


class _Document:
    """The layers of one document on their way to lines."""

    def __init__(self, layers: Layers, attribute: str = "A") -> None:
        self.graph = next(iter(layers.values()))
        self.attribute = attribute
        """Prefix of the ids of attributes."""
        self.given_lines: set[str] = set()
        """The ids of mentions that were given."""
        self.layers = {
            name: _checked_layer(layers[name]) for name in LAYERS if name in layers
        }
        every = [layer.graph for layer in self.layers.values()]
        nodes = [node for graph in every for node in graph.nodes]
        taken = {node.id for node in nodes}
        taken |= {dict(node.extra).get(TRIGGER_ID, "") for node in nodes}
        self.names = _Names(taken)
        self.bounds: dict[str, tuple[Content, str]] = {}
        """By id what a line with characters says, and the line."""
        self.lines_by_content: dict[Hashable, str] = {}
        """The id of what was said, for nodes that have no ids of brat."""
        self.lines_of: dict[tuple[str, NodeId], str] = {}
        """The line of each node of a layer."""
        self.triggers: set[str] = set()
        self.attributes: list[str] = []
        self.attributes_of: dict[str, Pairs] = {}
        """The properties of each line that has any."""

    def lines(self) -> list[str]:
        """All lines: characters, events, relations, groups, attributes, notes."""
        rest = self._rest()
        return [*(self.bounds[name][1] for name in self._order()), *rest]

    def halves(self) -> tuple[list[str], list[str]]:
        """The lines of what is given, and all others, what is equal first.

        Where nothing says what is given, proteins are.
        """
        rest = self._rest()
        order = self._order()
        given = self.given_lines or {
            name for name in order if self.bounds[name][0][0] == PROTEIN
        }
        equal = [line for line in rest if line.startswith(f"{GROUP}\t{EQUIVALENCE} ")]
        result = [self.bounds[name][1] for name in order if name not in given]
        others = [line for line in rest if line not in equal]
        return (
            [self.bounds[name][1] for name in order if name in given],
            [*equal, *result, *others],
        )

    def _rest(self) -> list[str]:
        """All lines but those of characters, which are known then."""
        text = self.graph.text
        if not self.graph.id or text.startswith("\ufeff"):
            raise InvalidGraphError(
                "a text with a mark" if self.graph.id else "a document without an id",
                "one that can be a file of text",
            )
        for name, layer in self.layers.items():
            self._mentions(name, layer)
        events = [*self._events()]
        built = [*self._relations(), *self._entities()]
        return [*events, *built, *self.attributes, *self._notes()]

    def _order(self) -> list[str]:
        """The order of lines in which every layer has its mentions as it had them."""
        order: TopologicalSorter[str] = TopologicalSorter()
        for name in self.bounds:
            order.add(name)
        for name, layer in self.layers.items():
            mentions = [self.lines_of[name, node.id] for node in layer.of(MENTION)]
            parts = [mentions]
            if name in (RELATIONS, EVENTS):
                # Here triggers that are named like mentions come last.
                triggers = self.triggers
                parts = [
                    [line for line in mentions if line not in triggers],
                    [line for line in mentions if line in triggers],
                ]
            for before, after in chain.from_iterable(map(pairwise, parts)):
                if before != after:
                    order.add(after, before)
        try:
            return [*order.static_order()]
        except CycleError:
            return [*self.bounds]  # layers of other formats have orders of their own

    def _mentions(self, name: str, layer: Layer) -> None:
        """The lines of a layer's mentions; equal ones keep apart."""
        times: Counter[Content] = Counter()
        for node in layer.of(MENTION):
            if node.label is None:
                # In coreference mentions may be without a type that they have in ner.
                self.lines_of[name, node.id] = self._typed_line(node)
                continue
            # Values of JSON may be lists, which count by what they look like.
            own = _own_properties(node)
            content = (node.label, node.anchors, repr(own))
            times[content] += 1
            line = self._text_bound_line(
                node, str(node.label), node.id, content, times[content]
            )
            self.lines_of[name, node.id] = line
            self._properties(line, node, own)
            if _lines_named(node, GIVEN):
                self.given_lines.add(line)

    def _typed_line(self, node: Node) -> str:
        for line, (content, _) in self.bounds.items():
            if content[1] == node.anchors:
                return line
        raise InvalidGraphError(f"a mention {node.id!r} without a type", "a type")

    def _text_bound_line(
        self, node: Node, label: str, preferred: object, content: Content, time: int = 0
    ) -> str:
        """The line of some characters with a type.

        Args:
            node: whose they are.
            label: the type.
            preferred: what the line should be called.
            content: what it says.
            time: how often the layer had it before.
        """
        name = self.names.new("T", preferred) if _is(preferred, "T") else ""
        if name in self.bounds and self.bounds[name][0] == content:
            return name
        if name in self.bounds or not name:
            if (content, time) in self.lines_by_content:
                return self.lines_by_content[content, time]
            name = self.names.new("T")
        self.lines_by_content[content, time] = name
        self._check(label, f"a type of node {node.id!r}")
        text = self.graph.text
        ranges = [(start, end) for start, end in node.anchors]
        if not ranges or any(not 0 <= a < b <= len(text) for a, b in ranges):
            shown = " ".join(f"{a}:{b}" for a, b in ranges) or "no characters"
            raise InvalidGraphError(
                f"{shown} of node {node.id!r}",
                f"ranges within {amount(len(text), 'character')}",
            )
        words = _BLANK.sub(" ", " ".join(text[start:end] for start, end in ranges))
        offsets = ";".join(f"{start} {end}" for start, end in ranges)
        self.bounds[name] = content, f"{name}\t{label} {offsets}\t{words}"
        return name

    def _events(self) -> Iterator[str]:
        """The lines of events: those of their layer, then others that are named."""
        written: set[str] = set()
        for layer in (EVENTS, RELATIONS):
            if layer not in self.layers:
                continue
            triggers = self.layers[layer].of(TRIGGER)
            for node in triggers:
                known = self._event_line(node) if layer == RELATIONS else None
                name = known or self.names.new("E", node.id)
                if name in written and not known:
                    name = self.names.new("E")
                self.lines_of[layer, node.id] = name
            for node in triggers:
                name = self.lines_of[layer, node.id]
                if name not in written:
                    written.add(name)
                    yield self._event(layer, node, name)

    def _event_line(self, node: Node) -> str | None:
        """The event of another layer that a trigger is."""
        for event in self.layers[EVENTS].of(TRIGGER) if EVENTS in self.layers else ():
            if (event.id, event.label, event.anchors) == (
                node.id,
                node.label,
                node.anchors,
            ):
                return self.lines_of[EVENTS, event.id]
        return None

    def _event(self, layer: str, node: Node, name: str) -> str:
        kept = dict(node.extra)
        label = str(kept.get(TRIGGER_TYPE, node.label))
        trigger = kept.get(TRIGGER_ID)
        bound = self.bounds.get(str(trigger))
        # Something may name the trigger like a mention, and say more of it.
        if not bound or bound[0][:2] != (label, node.anchors):
            trigger = self._text_bound_line(
                node, label, trigger, (label, node.anchors, repr(()))
            )
        self.triggers.add(str(trigger))
        self._check(str(node.label), f"a type of event {node.id!r}")
        own = [*_own_properties(node)]
        for pair in self.attributes_of.get(str(trigger), ()):
            if pair in own:
                own.remove(pair)  # it is the trigger's, and read as the event's, too
        self._properties(name, node, tuple(own))
        words = [f"{node.label}:{trigger}"]
        times: Counter[str] = Counter()
        for edge in self.layers[layer].edges(node.id):
            role = self._role(edge, times)
            words.append(f"{role}:{self._target(layer, edge)}")
        return f"{name}\t{' '.join(words)}"

    def _role(self, edge: Edge, times: Counter[str]) -> str:
        """The role of an event's argument; fillers of one role are numbered."""
        label = str(edge.label)
        times[label] += 1
        role = dict(edge.extra).get(ROLE)
        if not isinstance(role, str):
            number = dict(edge.attributes).get(NUMBER, times[label])
            role = label if str(number) == "1" else f"{label}{number}"
        self._check(role, "a role")
        if base_role(role) != label or _more(edge):
            found = f"a role {label!r} of an event"
            raise InvalidGraphError(found, "one without a number or attributes")
        return role

    def _target(self, layer: str, edge: Edge) -> str:
        target = self.lines_of.get((layer, edge.target))
        if target is None or _more(edge):
            found = f"an edge {edge.label!r} to {edge.target!r}"
            raise InvalidGraphError(found, "mentions and events")
        return target

    def _relations(self) -> Iterator[str]:
        if RELATIONS not in self.layers:
            return
        layer = self.layers[RELATIONS]
        for node in layer.of(RELATION):
            self._check(str(node.label), f"a type of relation {node.id!r}")
            edges = layer.edges(node.id)
            if not edges:
                raise InvalidGraphError(f"a relation {node.id!r} alone", "arguments")
            targets = [self._target(RELATIONS, edge) for edge in edges]
            roles = [str(edge.label) for edge in edges]
            for role in roles:
                self._check(role, "a role")
            pairs = list(zip(roles, targets, strict=True))
            if str(node.id).startswith(GROUP) and not own_of(node):
                words = [t if r == MEMBER else f"{r}:{t}" for r, t in pairs]
                yield f"{GROUP}\t{node.label} {' '.join(words)}"
                continue
            name = self.names.new("R", node.id)
            self._properties(name, node, node.properties[1:])
            words = [f"{role}:{target}" for role, target in pairs]
            yield f"{name}\t{node.label} {' '.join(words)}"

    def _equals(self) -> Iterator[str]:
        """Yield the equivalences that only events have."""
        classes: dict[str, list[str]] = {}
        for node in self.layers[EVENTS].of(MENTION) if EVENTS in self.layers else ():
            line = self.lines_of[EVENTS, node.id]
            for first in _lines_named(node, EQUIVALENT):
                members = classes.setdefault(first, [])
                members.insert(0 if line == first else len(members), line)
        for members in classes.values():
            yield f"{GROUP}\t{EQUIVALENCE} {' '.join(members)}"

    def _entities(self) -> Iterator[str]:
        if COREF not in self.layers:
            yield from self._equals()
            return
        layer = self.layers[COREF]
        for node in layer.of(ENTITY):
            mentions = layer.mentions(node)
            if node.label is not None or own_of(node):
                found = f"an entity {node.id!r} with more than mentions"
                raise InvalidGraphError(found, "mentions alone")
            if not mentions:
                continue
            words = [self.lines_of[COREF, mention.id] for mention in mentions]
            yield f"{GROUP}\t{EQUIVALENCE} {' '.join(words)}"

    def _properties(self, name: str, node: Node, pairs: Pairs) -> None:
        """The attributes of a line, and its entries of databases."""
        if name in self.attributes_of:
            if self.attributes_of[name] != pairs:
                found = f"other properties of {name} in another layer"
                raise InvalidGraphError(found, "the same")
            return
        self.attributes_of[name] = pairs
        titles = dict(node.extra).get(TITLES, {})
        for key, value in pairs:
            shown = "" if value is True else str(value)
            about = f"the property {key!r} of node {node.id!r}"
            if key == NORMALIZATION:
                self._check(shown, about)
                line = f"{self.names.new('N')}\tReference {name} {shown}"
                self.attributes.append(f"{line}\t{titles.get(shown, '')}")
                continue
            self._check(str(key), about)
            if (
                value is False
                or value is None
                or value == ""
                or _BLANK.sub(" ", shown).strip() != shown
            ):
                raise InvalidGraphError(f"{value!r} as {about}", "true or words")
            line = f"{self.names.new(self.attribute)}\t{key} {name}"
            self.attributes.append(f"{line} {shown}".rstrip())

    def _notes(self) -> list[str]:
        extras = (layer.graph.extra for layer in self.layers.values())
        every = (kept_as(extra, NOTES, list[str], []) for extra in extras)
        notes = next(filter(None, every), [])
        for note in notes:
            if not note.startswith("#") or _LINE_END.search(note):
                expected = "one that begins with #"
                raise InvalidGraphError(f"a note {note[:20]!r}", expected)
        return notes

    @staticmethod
    def _check(text: str, what: str) -> None:
        """Refuse what would be read otherwise."""
        if not _WORD.fullmatch(text):
            raise InvalidGraphError(f"{text!r} as {what}", "one word")
