"""RAMS: events whose arguments may stand in other sentences, a document to a line.

Ebner et al. (2020), *Multi-Sentence Argument Linking*.  Tokens are counted through the
document, and both ends are inclusive::

    {"doc_key": "nw_1", "sentences": [["Rebels", "struck"], ["Rome", "fell"]],
     "evt_triggers": [[1, 1, [["conflict.attack", 1.0]]]],
     "ent_spans": [[2, 2, [["evt001arg02target", 1.0]]]],
     "gold_evt_links": [[[1, 1], [2, 2], "evt001arg02target"]]}

What systems put out may have ``predictions`` in place of the links, each an event with
its arguments: ``[[[1, 1], [2, 2, "target", 0.9]]]``.  A document is a graph of
``event``; a role is what stands behind the numbers of event and argument.

>>> import io
>>> data = (b'{"doc_key": "a", "sentences": [["He", "fell"]], "evt_triggers": [[1, 1, '
...         b'[["life.injure", 1.0]]]], "predictions": [[[1, 1], [0, 0, "victim"]]]}')
>>> [record] = read(io.BytesIO(data), "a.jsonlines")
>>> [(node.label, node.anchors) for node in record.graph.nodes]
[(None, (Anchor(start=0, end=2),)), ('life.injure', (Anchor(start=3, end=7),))]
>>> [(edge.label, edge.target) for edge in record.graph.edges]
[('victim', 0)]
>>> [record] = read(io.BytesIO(data.replace(b"[0, 0", b"[0, 2")), "a.jsonlines")
>>> print(record.problems[0])
a.jsonlines:1: $.predictions[0][1]: found tokens 0 to 2, expected a range within the \
2 tokens
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from msgspec import field

from graphscore.duplicates import shown
from graphscore.formats.base import Record
from graphscore.formats.shared.json_lines import (
    JsonLine,
    Row,
    further,
    objects,
    pairs_of,
)
from graphscore.formats.shared.layers import Layer, kept_fields
from graphscore.formats.shared.token_spans import Span, TokenSpans, Words
from graphscore.formats.writing import lines_of_graphs, spell_value
from graphscore.model.graph import Edge, Graph, Node, NodeId, Pairs
from graphscore.model.token_variants import SENTENCES
from graphscore.structures.layout import (
    EVENTS,
    MENTION,
    SCORE,
    TRIGGER,
    Argument,
    LayoutBuilder,
)

KEY, TRIGGERS, ENTITIES = "doc_key", "evt_triggers", "ent_spans"
LINKS, PREDICTIONS = "gold_evt_links", "predictions"

OWN, LABELS = "rams", "labels"
"""The field of ``extra`` with further fields of a document; of a mention or trigger,
with its labels; of an edge, with its role as the file numbers it."""

_ROLE = re.compile(r"evt\d+arg\d+(?=.)", re.ASCII)
"""Prefix of a role: the numbers of the event and the argument."""


class _Label(Row):
    label: str
    score: int | float


class _Marked(Row):
    """A range of tokens, both ends inclusive, and its labels with their scores."""

    first: int
    last: int
    labels: list[_Label] = field(default_factory=list)


class _Ends(Row):
    first: int
    last: int


class _Link(Row):
    trigger: _Ends
    argument: _Ends
    role: str


class _Filler(Row):
    first: int
    last: int
    role: str
    score: int | float | None = None


class _Document:
    """A document on its way to a graph."""

    def __init__(self, line: JsonLine, fields: dict[str, Any]) -> None:
        self.line, self.fields = line, fields
        line.item = line.identity(fields, KEY, "the id of a document")
        self.words = Words.of(line, f"$.{SENTENCES}", fields.get(SENTENCES))
        self.build = LayoutBuilder()
        self.mentions: dict[Span, NodeId] = {}
        self.arguments: dict[Span, list[Argument]] = {}

    def record(self) -> Record:
        """The graph, or everything that is wrong with it."""
        line, fields = self.line, self.fields
        # Without the words, every range would only repeat the problem.
        if line.problems:
            return line.rejected()
        for path, span in self._marked_spans(ENTITIES):
            if self._is_in(path, span):
                labels = {LABELS: _score_cells(span)} if span.labels else {}
                anchor = self.words.anchor(span.first, span.last + 1)
                own = ((OWN, labels),) if labels else ()
                node = self.build.mention(None, [anchor], extra=own)
                self.mentions.setdefault((span.first, span.last), node)
        triggers = [span for path, span in self._marked_spans(TRIGGERS)
                    if self._is_in(path, span)]  # fmt: skip
        if LINKS not in fields and PREDICTIONS not in fields:
            line.add("$", "no arguments", f"{LINKS} or {PREDICTIONS}")
        for path, link in self._links():
            self._link(path, link)
        for path, event in line.elements(
            f"$.{PREDICTIONS}", fields.get(PREDICTIONS, [])
        ):
            self._event(path, event)
        for span in triggers:
            # Events of one trigger share its arguments' place: the first has them.
            ends = span.first, span.last
            self._trigger(ends, _score_cells(span), self.arguments.pop(ends, []))
        for ends, arguments in self.arguments.items():
            self._trigger(ends, [], arguments)
        used = {KEY, SENTENCES, TRIGGERS, ENTITIES, LINKS, PREDICTIONS}
        extra = {SENTENCES: self.words.sizes, **further(fields, used, OWN)}
        return line.record(self.words.graph(self.build, line, EVENTS, extra))

    def _marked_spans(self, key: str) -> Iterator[tuple[str, _Marked]]:
        shape = "[first token, last token, [[label, score]]]"
        spans = self.fields.get(key, [])
        for path, _, span in self.line.each(f"$.{key}", spans, _Marked, shape):
            yield path, span

    def _links(self) -> Iterator[tuple[str, _Link]]:
        shape = "[[first, last] of a trigger, [first, last] of an argument, role]"
        links = self.fields.get(LINKS, [])
        for path, _, link in self.line.each(f"$.{LINKS}", links, _Link, shape):
            yield path, link

    def _is_in(self, where: str, span: Any) -> bool:
        ends, size = (span.first, span.last + 1), len(self.words.tokens)
        return self.line.within(where, ends, size, to=" to ")

    def _mention(self, span: _Ends | _Filler) -> NodeId:
        ends = span.first, span.last
        if ends not in self.mentions:
            anchor = self.words.anchor(span.first, span.last + 1)
            self.mentions[ends] = self.build.mention(None, [anchor])
        return self.mentions[ends]

    def _link(self, where: str, link: _Link) -> None:
        inside = [self._is_in(f"{where}[0]", link.trigger)]
        inside.append(self._is_in(f"{where}[1]", link.argument))
        role = _ROLE.sub("", link.role, count=1)
        extra = ((OWN, link.role),) if role != link.role else ()
        if all(inside):
            ends = link.trigger.first, link.trigger.last
            argument = Argument(role, self._mention(link.argument), extra=extra)
            self.arguments.setdefault(ends, []).append(argument)

    def _event(self, where: str, event: Any) -> None:
        """Read a predicted event: its trigger, and then its arguments."""
        line = self.line
        if not isinstance(event, list) or not event:
            line.add(where, shown(event), "a list of trigger and arguments")
            return
        shape = "[first token, last token]"
        ends = event[0][:2] if isinstance(event[0], list) else event[0]
        trigger = line.typed(f"{where}[0]", ends, _Ends, shape)
        if trigger is None or not self._is_in(f"{where}[0]", trigger):
            return
        arguments = self.arguments.setdefault((trigger.first, trigger.last), [])
        shape = "[first token, last token, role, score]"
        for number, value in enumerate(event[1:], 1):
            path = f"{where}[{number}]"
            filler = line.typed(path, value, _Filler, shape)
            if filler is not None and self._is_in(path, filler):
                attributes: Pairs = pairs_of(filler)
                node = self._mention(filler)
                arguments.append(Argument(filler.role, node, attributes))

    def _trigger(
        self, ends: Span, labels: list[Any], arguments: list[Argument]
    ) -> None:
        anchor = self.words.anchor(ends[0], ends[1] + 1)
        label = labels[0][0] if labels else None
        usual = labels in ([], [[label, 1.0]])
        extra = () if usual else ((OWN, {LABELS: labels}),)
        self.build.trigger(label, [anchor], arguments, extra=extra)


def _score_cells(span: _Marked) -> list[Any]:
    return [[label.label, label.score] for label in span.labels]


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """Read a file of documents, of gold or of a system.

    Args:
        stream: the file.
        name: its name.

    Yields:
        A record for each document.
    """
    for line, fields in objects(stream, name):
        line.framework = EVENTS
        yield line.rejected() if fields is None else _Document(line, fields).record()


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs as gold documents, one to a line.

    Args:
        graphs: of the framework ``event``.

    Yields:
        Lines.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    return lines_of_graphs(graphs, EVENTS, "RAMS", _fields)


def _fields(graph: Graph) -> dict[str, Any]:
    layer, spans = Layer(graph), TokenSpans(graph)
    triggers = layer.of(TRIGGER)
    scored = any(edge.attributes for edge in graph.edges)
    arguments = {
        PREDICTIONS: [_predicted_event(layer, spans, node) for node in triggers]
    } if scored else {
        LINKS: [[spans.of(node), spans.of(layer.nodes[edge.target]), _role(edge)]
                for node in triggers for edge in layer.edges(node.id)]
    }  # fmt: skip
    return {
        KEY: graph.id,
        **kept_fields(graph.extra, OWN),
        SENTENCES: spans.sentences(),
        TRIGGERS: [_labeled_span(node, spans) for node in triggers],
        ENTITIES: [_labeled_span(node, spans) for node in layer.of(MENTION)],
        **arguments,
    }


def _labeled_span(node: Node, spans: TokenSpans) -> list[Any]:
    usual = [] if node.label is None else [[spell_value(node.label), 1.0]]
    labels = kept_fields(node.extra, OWN).get(LABELS, usual)
    return [*spans.of(node), labels]


def _role(edge: Edge) -> str:
    role, numbered = spell_value(edge.label), dict(edge.extra).get(OWN)
    same = isinstance(numbered, str) and _ROLE.sub("", numbered, count=1) == role
    return str(numbered) if same else role


def _predicted_event(layer: Layer, spans: TokenSpans, node: Node) -> list[Any]:
    event: list[Any] = [spans.of(node)]
    for edge in layer.edges(node.id):
        scores = [value for name, value in edge.attributes if name == SCORE]
        target = spans.of(layer.nodes[edge.target])
        event.append([*target, spell_value(edge.label), *scores])
    return event
