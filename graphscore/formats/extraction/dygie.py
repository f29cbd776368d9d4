r"""DyGIE++ and SciERC: documents as JSON lines, one document to a line.

Tokens come in sentences; annotations name ranges of tokens, counted over the
whole document, the last token included (Luan et al. 2018; Wadden et al. 2019;
https://github.com/dwadden/dygiepp/blob/master/doc/data.md)::

    {"doc_key": "d1", "sentences": [["Jenny", "runs", "Acme"]],
     "ner": [[[0, 0, "PER"], [2, 2, "ORG"]]],
     "relations": [[[0, 0, 2, 2, "Heads"]]],
     "clusters": [], "events": [[[[1, "Lead"], [0, 0, "Agent"]]]]}

A line gives one graph for each layer that has a key: ``ner``, ``relation`` (key
``relations``), ``event`` (``events``) and ``coref`` (``clusters``); a key with
empty lists gives an empty graph, a key that is not there gives none.  Files of
predictions repeat gold beside ``predicted_ner``, ``predicted_relations``...: of
those only what is predicted is read, from every line.  The format ``dygie-gold``,
which is never recognised by itself but named, reads what is gold in the same file, so
that one file can serve as both sides.

The layers lean on each other: relations, events and clusters name token ranges,
and what kind of mention stands there is said by ``ner``.  A problem of ``ner`` or
of the tokens therefore costs the document, a problem elsewhere its layer.

Layers of one document that follow one another are written as one line again; a layer
alone brings the mentions that it needs as ``ner``.  Only what has its place in the
format is written: one range of whole tokens a mention, within a sentence, types and
roles, score and probability.

>>> import io
>>> data = (b'{"doc_key": "d1", "sentences": [["Jenny", "runs"], ["Acme"]], '
...         b'"ner": [[[0, 0, "PER"]], [[2, 2, "ORG"]]]}')
>>> [record] = read(io.BytesIO(data), "a.jsonl")
>>> record.graph.framework, record.graph.text
('ner', 'Jenny runs Acme')
>>> [(node.label, *node.anchors) for node in record.graph.nodes]
[('PER', Anchor(start=0, end=5)), ('ORG', Anchor(start=11, end=15))]
>>> [record] = read(io.BytesIO(data.replace(b"[2, 2", b"[0, 0")), "a.jsonl")
>>> print(record.problems[0])
a.jsonl:1: $.ner[1][0]: found tokens 0 to 0, expected tokens of sentence 1, 2 to 2
>>> [record] = read(io.BytesIO(data), "a.jsonl")
>>> b"".join(write([record.graph])).decode().rstrip()
'{"doc_key":"d1","sentences":[["Jenny","runs"],["Acme"]],"ner":[[[0,0,"PER"]],[[2,2,"ORG"]]]}'
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, BinaryIO, TypeVar

from msgspec import UNSET, UnsetType, structs

from graphscore.duplicates import shown
from graphscore.formats.base import ReadGraph, Record, Rejected
from graphscore.formats.coreference.coref_jsonlines import (
    Ends,
    members_of,
    only_coreference,
    read_clusters,
    records,
)
from graphscore.formats.shared.json_lines import (
    JsonLine,
    Row,
    further,
    objects,
    pairs_of,
)
from graphscore.formats.shared.layers import Layer, kept_fields, own_of
from graphscore.formats.shared.token_spans import Span, TokenSpans, Words
from graphscore.formats.writing import Layers, json_lines, same_item
from graphscore.model.graph import Anchor, Graph, NodeId, Pairs
from graphscore.structures.layout import (
    COREF,
    EVENTS,
    LAYERS,
    MENTION,
    NER,
    PROBABILITY,
    RELATION,
    RELATIONS,
    SCORE,
    TRIGGER,
    Argument,
    LayoutBuilder,
    nodes_of,
)

PREDICTED = "predicted_"
"""Prefix of the keys of a system's output."""

FIELDS = {NER: "ner", RELATIONS: "relations", EVENTS: "events", COREF: "clusters"}
"""The key of each layer."""

SENTENCES = "sentences"
"""The key with the tokens; in ``extra`` of a graph, how many each sentence has."""

SAID = "predicted"
"""Key of ``extra`` of a graph that was read from such keys."""

OWN = "dygie"
"""Key of a graph's ``extra`` that holds the further fields of the document."""

ROLES = ("Arg1", "Arg2")
"""Roles of a relation's arguments, which the format tells by their order."""


class _Labelled(Row):
    """A range of tokens and its type or role."""

    first_token: int
    last_token: int
    label: str
    score: int | float | UnsetType = UNSET
    probability: int | float | UnsetType = UNSET


class _Trigger(Row):
    """A trigger of one token."""

    token: int
    label: str
    score: int | float | UnsetType = UNSET
    probability: int | float | UnsetType = UNSET


class _Pair(Row):
    """A relation between two ranges of tokens."""

    first_token: int
    last_token: int
    first_of_other: int
    last_of_other: int
    label: str
    score: int | float | UnsetType = UNSET
    probability: int | float | UnsetType = UNSET


Labelled = TypeVar("Labelled", _Labelled, _Pair)
_Item = tuple[int, str, Any]


class _Mentions(LayoutBuilder):
    """A graph with the mentions of a document; the first of a place is found there."""

    def __init__(self, words: Words, mentions: Iterable[_Labelled]) -> None:
        super().__init__()
        self.words = words
        self.known: dict[Span, NodeId] = {}
        for item in mentions:
            span = item.first_token, item.last_token
            anchor = words.anchor(span[0], span[1] + 1)
            node = self.mention(item.label, [anchor], pairs_of(item))
            self.known.setdefault(span, node)

    def at(self, first: int, last: int) -> NodeId:
        """The mention of some tokens; where there is none, one without a type."""
        if (first, last) not in self.known:
            anchor = self.words.anchor(first, last + 1)
            self.known[first, last] = self.mention(None, [anchor])
        return self.known[first, last]


class _Document:
    """A document, and what the keys of its layers begin with."""

    def __init__(self, line: JsonLine, fields: dict[str, Any], prefix: str) -> None:
        self.line, self.fields, self.prefix = line, fields, prefix
        line.item = line.identity(fields, "doc_key", "the name of the document")
        self.words = Words.of(line, f"$.{SENTENCES}", fields.get(SENTENCES))
        self.mentions: list[_Labelled] = []

    def records(self) -> Iterator[Record]:
        """The graphs of the layers whose keys are there."""
        # Without tokens there are none, as every range would only repeat the problem.
        keys = {layer: self.prefix + key for layer, key in FIELDS.items()}
        yield from self.line.keyed_layers("$", self.fields, keys, self._graph)

    def _graph(self, layer: str, where: str, value: Any) -> Graph:
        build: LayoutBuilder
        if layer == COREF:
            build = self._clusters(where, value)
        else:
            items = list(self._by_sentence(where, value))
            if layer == NER:
                read = [self._item(path, x, _Labelled, k) for k, path, x in items]
                self.mentions = [mention for mention in read if mention]
            build = mentions = _Mentions(self.words, self.mentions)
            if layer == RELATIONS:
                self._add_relations(items, mentions)
            elif layer == EVENTS:
                self._add_events(items, mentions)
        used = {"doc_key", SENTENCES, *FIELDS.values()}
        used |= {PREDICTED + key for key in FIELDS.values()}
        extra: dict[str, Any] = {SENTENCES: self.words.sizes}
        if self.prefix:
            extra[SAID] = True
        extra |= further(self.fields, used, OWN)
        return self.words.graph(build, self.line, layer, extra)

    def _by_sentence(self, where: str, value: Any) -> Iterator[_Item]:
        """The annotations of each sentence: its number, their places, themselves."""
        sizes = self.words.sizes
        if not isinstance(value, list) or len(value) != len(sizes):
            found = f"{len(value)} lists" if isinstance(value, list) else shown(value)
            expected = f"{len(sizes)}, one for each sentence"
            self.line.add(where, found, expected)
            return
        for number, sentence in enumerate(value):
            for path, item in self.line.elements(f"{where}[{number}]", sentence):
                yield number, path, item

    def _item(
        self,
        where: str,
        value: Any,
        kind: type[Labelled],
        sentence: int,
        shape: str = "",
    ) -> Labelled | None:
        """An annotation; nothing, and a problem, if its tokens are not there."""
        item = self.line.typed(where, value, kind, shape)
        if item is None:
            return None
        good = self._is_in(where, item.first_token, item.last_token, sentence)
        if isinstance(item, _Pair):
            first, last = item.first_of_other, item.last_of_other
            good = self._is_in(where, first, last, sentence) and good
        return item if good else None

    def _is_in(self, where: str, first: int, last: int, sentence: int | None) -> bool:
        """Return whether a sentence has such tokens; ``None`` is any single one."""
        starts = self.words.starts
        if not self.line.within(
            where, (first, last + 1), len(self.words.tokens), to=" to "
        ):
            return False
        if sentence is None:
            # Of sentences without tokens, several begin where the next one does.
            start, end = first, starts[bisect_right(starts, first)]
            expected = "tokens of one sentence"
        else:
            start, end = starts[sentence : sentence + 2]
            own = f"{start} to {end - 1}" if start < end else "which has none"
            expected = f"tokens of sentence {sentence}, {own}"
        if not start <= first <= last < end:
            self.line.add(where, f"tokens {first} to {last}", expected)
            return False
        return True

    def _add_relations(self, items: Iterable[_Item], build: _Mentions) -> None:
        read = [self._item(path, x, _Pair, sentence) for sentence, path, x in items]
        relations = [item for item in read if item]
        ends = [
            (
                build.at(item.first_token, item.last_token),
                build.at(item.first_of_other, item.last_of_other),
            )
            for item in relations
        ]
        for item, pair in zip(relations, ends, strict=True):
            arguments = map(Argument, ROLES, pair)
            build.relation(item.label, arguments, pairs_of(item))

    def _add_events(self, items: Iterable[_Item], build: _Mentions) -> None:
        events: list[tuple[_Labelled, list[Argument]]] = []
        for sentence, path, value in items:
            if not isinstance(value, list) or not value:
                self.line.add(path, shown(value), "a list of trigger and arguments")
                continue
            trigger = self._trigger(f"{path}[0]", value[0], sentence)
            arguments: list[Argument] = []
            for number, argument in enumerate(value[1:], 1):
                at = f"{path}[{number}]"
                if item := self._item(at, argument, _Labelled, sentence):
                    filler = build.at(item.first_token, item.last_token)
                    arguments.append(Argument(item.label, filler, pairs_of(item)))
            if trigger:
                events.append((trigger, arguments))
        for event, arguments in events:
            anchor = self._anchor((event.first_token, event.last_token))
            build.trigger(event.label, [anchor], arguments, pairs_of(event))

    def _trigger(self, where: str, value: Any, sentence: int) -> _Labelled | None:
        """A trigger: one token, as in ACE, or the first and the last."""
        if not isinstance(value, list) or not isinstance([*value, 0, 0][1], str):
            shape = "[token, label] or [first token, last token, label]"
            return self._item(where, value, _Labelled, sentence, shape)
        item = self.line.typed(where, value, _Trigger)
        if item is None or not self._is_in(where, item.token, item.token, sentence):
            return None
        return _Labelled(item.token, *structs.astuple(item))

    def _clusters(self, where: str, value: Any) -> LayoutBuilder:
        types: dict[Span, str] = {}
        for item in self.mentions:
            types.setdefault((item.first_token, item.last_token), item.label)

        def span(path: str, ends: Ends) -> Span | None:
            first, last = ends.first_token, ends.last_token
            return (first, last) if self._is_in(path, first, last, None) else None

        return read_clusters(
            self.line, where, value, Ends, span, self._anchor, types.get
        )

    def _anchor(self, span: Span) -> Anchor:
        return self.words.anchor(span[0], span[1] + 1)


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """Read a file of gold, or of predictions: there what is predicted.

    Args:
        stream: the file.
        name: its name.

    Yields:
        For each line its layers; a layer with problems is a rejected record.
    """
    first: tuple[bool, int] | None = None
    lines = objects(stream, name)
    for line, value in lines:
        if value is None:
            yield line.rejected()
            continue
        predicted = any(PREDICTED + key in value for key in FIELDS.values())
        if first is None and only_coreference(value):
            # It began like DyGIE++, but is what systems for coreference give.
            yield from records(chain([(line, value)], lines), False)
            return
        if first is not None and predicted is not first[0]:
            yield _reject_mixed(line, value.get("doc_key"), predicted, first[1])
            continue
        prefix = PREDICTED if predicted else ""
        for record in _Document(line, value, prefix).records():
            if first is None and isinstance(record, ReadGraph):
                # What is rejected does not say what a good line must be.
                first = predicted, line.line
            yield record


def read_gold(stream: BinaryIO, name: str) -> Iterator[Record]:
    """Read what is gold, whether or not predictions stand beside it.

    Args:
        stream: the file.
        name: its name.

    Yields:
        For each line its layers; a layer with problems is a rejected record.
    """
    for line, value in objects(stream, name):
        if value is None:
            yield line.rejected()
        else:
            yield from _Document(line, value, "").records()


def _reject_mixed(
    line: JsonLine, item: object, predicted: bool, first: int
) -> Rejected:
    """A line that would pass gold off as predicted, or the other way round."""
    if predicted:
        found, expected = "predictions", f"none, as in line {first}"
    else:
        found, expected = "no predictions", f"keys predicted_..., as in line {first}"
    line.add("$", found, expected)
    line.item = item if isinstance(item, str) else ""
    return line.rejected()


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs, one document to a line.

    Args:
        graphs: of the frameworks ``ner``, ``relation``, ``event`` and ``coref``.

    Yields:
        Lines.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    yield from json_lines(
        graphs,
        LAYERS,
        "DyGIE++",
        lambda graph, layers: _Sentences(graph).fields(layers),
        _same_document,
    )


def _same_document(left: Graph, right: Graph) -> bool:
    """Return whether both are layers of a document."""
    return same_item(left, right) and (
        COREF in (left.framework, right.framework)
        or _typed_mentions(left) == _typed_mentions(right)
    )


def _typed_mentions(graph: Graph) -> list[tuple[Any, ...]]:
    """The mentions that have types: those of the document."""
    return [
        (node.label, node.anchors, node.properties)
        for node in nodes_of(graph, MENTION)
        if node.label is not None
    ]


class _Sentences:
    """The tokens of a document, and annotations in terms of them."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.spans = TokenSpans(graph)
        self.starts = self.spans.starts()

    def fields(self, layers: Layers) -> dict[str, Any]:
        """The JSON object of a document."""
        prefix = PREDICTED if self.graph.extra.get(SAID) else ""
        fields = kept_fields(self.graph.extra, OWN)
        fields |= {"doc_key": self.graph.id, SENTENCES: self.spans.sentences()}
        for layer in LAYERS:
            if layer in layers:
                fields[prefix + FIELDS[layer]] = self._layer(layers[layer])
            elif layer == NER:
                typed = (g for g in layers.values() if g.framework != COREF)
                graph = next((g for g in typed if _typed_mentions(g)), None)
                if graph is not None:
                    fields[prefix + FIELDS[NER]] = self._ner(graph)
        return fields

    def _layer(self, graph: Graph) -> list[Any]:
        layer = Layer(graph)
        if graph.framework == NER:
            return self._ner(graph)
        if graph.framework == COREF:
            return [
                [self.spans.of(layer.nodes[mention]) for mention in members]
                for members in members_of(graph)
            ]
        return self._build_by_sentence(layer)

    def _ner(self, graph: Graph) -> list[Any]:
        """The mentions that have types, by sentence."""
        lists: list[list[Any]] = [[] for _ in self.starts[1:]]
        for node in nodes_of(graph, MENTION):
            if node.label is not None:
                span = self.spans.of(node)
                numbers = _score_cells((*own_of(node).items(),))
                lists[self._sentence(span)].append([*span, node.label, *numbers])
        return lists

    def _build_by_sentence(self, layer: Layer) -> list[Any]:
        """Relations or events, by sentence."""
        lists: list[list[Any]] = [[] for _ in self.starts[1:]]
        spans = {node.id: self.spans.of(node) for node in layer.of(MENTION)}
        kind = RELATION if layer.graph.framework == RELATIONS else TRIGGER
        for node in layer.of(kind):
            numbers = _score_cells((*own_of(node).items(),))
            edges = [edge for edge in layer.edges(node.id) if edge.target in spans]
            fillers = [spans[edge.target] for edge in edges]
            if kind == RELATION:
                built: list[Any] = [*chain(*fillers), node.label, *numbers]
            else:
                span = self.spans.of(node)
                token = [span[0]] if span[0] == span[1] else [*span]
                built = [[*token, node.label, *numbers]]
                for edge, filler in zip(edges, fillers, strict=True):
                    built.append([*filler, edge.label, *_score_cells(edge.attributes)])
                fillers.append(span)
            lists[self._sentence(fillers[-1]) if fillers else 0].append(built)
        return lists

    def _sentence(self, span: Span) -> int:
        return bisect_right(self.starts, span[0]) - 1


def _score_cells(pairs: Pairs) -> list[Any]:
    """Score and probability; nothing else can be said."""
    numbers = dict(pairs)
    return [numbers[name] for name in (SCORE, PROBABILITY) if name in numbers]
