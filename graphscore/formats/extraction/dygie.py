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
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any, BinaryIO

from graphscore.folding import shown
from graphscore.formats.base import Read, Record, Rejected
from graphscore.formats.coreference.coref_jsonlines import (
    only_coreference,
    records,
)
from graphscore.formats.shared.clusters import read_clusters
from graphscore.formats.shared.json_lines import JsonLine, further, objects
from graphscore.formats.shared.token_spans import Span
from graphscore.formats.shared.token_text import Words
from graphscore.model.graph import Anchor, Graph, NodeId, Pairs
from graphscore.structures.layout import (
    COREF,
    EVENTS,
    NER,
    PROBABILITY,
    RELATIONS,
    SCORE,
    Argument,
    LayoutBuilder,
)

PREDICTED = "predicted_"
"""What the keys of a system's output begin with."""

FIELDS = {NER: "ner", RELATIONS: "relations", EVENTS: "events", COREF: "clusters"}
"""The key of each layer."""

SENTENCES = "sentences"
"""The key with the tokens; in ``extra`` of a graph, how many each sentence has."""

SAID = "predicted"
"""What ``extra`` of a graph has that was read from such keys."""

OWN = "dygie"
"""Where ``extra`` of a graph keeps the further fields of the document."""

ROLES = ("Arg1", "Arg2")
"""Roles of a relation's arguments, which the format tells by their order."""

_NUMBERS = (SCORE, PROBABILITY)


class Document:
    """A document and what is wrong with it.

    Args:
        line: its line.
        fields: its JSON object.
    """

    def __init__(self, line: JsonLine, fields: dict[str, Any]) -> None:
        self.line, self.fields = line, fields
        line.item = line.identity(fields, "doc_key", "the name of the document")
        self.words = Words.of(line, f"$.{SENTENCES}", fields.get(SENTENCES))
        self.mentions: list[tuple[Span, str, Pairs]] = []
        self.prefix = ""

    def records(self, prefix: str) -> Iterator[Record]:
        """The graphs of the layers whose keys are there.

        Args:
            prefix: what the keys begin with.
        """
        self.prefix = prefix
        makers: dict[str, Callable[[str, Any], Graph]] = {
            NER: self._ner,
            RELATIONS: self._relations,
            EVENTS: self._events,
            COREF: self._clusters,
        }
        # Without tokens there are none, as every range would only repeat the problem.
        keys = {layer: prefix + key for layer, key in FIELDS.items()}
        yield from self.line.keyed_layers(
            "$", self.fields, keys, lambda layer, *place: makers[layer](*place)
        )

    def _by_sentence(self, where: str, value: Any) -> Iterator[tuple[int, str, Any]]:
        """The annotations of each sentence: its number, their places, themselves."""
        sizes = self.words.sizes
        if not isinstance(value, list) or len(value) != len(sizes):
            found = f"{len(value)} lists" if isinstance(value, list) else shown(value)
            expected = f"{len(sizes)}, one for each sentence"
            self.line.add(where, found, expected)
            return
        for number, sentence in enumerate(value):
            for place, each in self.line.elements(f"{where}[{number}]", sentence):
                yield number, place, each

    def _span(self, where: str, ends: list[Any], sentence: int | None) -> Span | None:
        """A range of tokens.

        Args:
            where: its place.
            ends: first and last token.
            sentence: the sentence it must be in; ``None`` for any single one.
        """
        first, last = ends
        if type(first) is not int or type(last) is not int:
            found = f"{shown(first)} and {shown(last)}"
            self.line.add(where, found, "the numbers of two tokens")
            return None
        found = f"tokens {shown(first)} to {shown(last)}"
        starts, size = self.words.starts, len(self.words.tokens)
        if not 0 <= first <= last < size:
            within = f"a range within the {size} tokens"
            self.line.add(where, found, within)
            return None
        if sentence is None:
            # Of sentences without tokens, several begin where the next one does.
            if last >= starts[bisect_right(starts, first)]:
                self.line.add(where, found, "tokens of one sentence")
                return None
        else:
            start, end = starts[sentence : sentence + 2]
            if not start <= first <= last < end:
                own = f"{start} to {end - 1}" if start < end else "which has none"
                self.line.add(where, found, f"tokens of sentence {sentence}, {own}")
                return None
        return first, last

    def _numbers(self, where: str, numbers: list[Any]) -> Pairs:
        """Score and probability, which may stand after a label."""
        plain = all(type(each) in (int, float) for each in numbers)
        if not plain or len(numbers) > len(_NUMBERS):
            found = ", ".join(map(shown, numbers[:5]))
            expected = "nothing, a score, or a score and a probability"
            self.line.add(where, f"{found} after the label", expected)
            return ()
        return tuple(zip(_NUMBERS, numbers, strict=False))

    def _labelled(
        self, where: str, value: Any, ends: int, sentence: int, shape: str
    ) -> tuple[list[Span], str, Pairs] | None:
        """An annotation: token numbers, a label, perhaps more numbers.

        Args:
            where: its place.
            value: the list.
            ends: how many token numbers come first.
            sentence: the sentence it belongs to.
            shape: what it should look like.
        """
        if (
            not isinstance(value, list)
            or len(value) <= ends
            or not isinstance(value[ends], str)
        ):
            self.line.add(where, shown(value), shape)
            return None
        before = len(self.line.problems)
        spans = [
            self._span(where, value[place : place + 2], sentence)
            for place in range(0, ends, 2)
        ]
        more = self._numbers(where, value[ends + 1 :])
        if len(self.line.problems) > before:
            return None
        return [each for each in spans if each is not None], value[ends], more

    def _ner(self, where: str, value: Any) -> Graph:
        shape = "[first token, last token, type]"
        for sentence, place, each in self._by_sentence(where, value):
            if found := self._labelled(place, each, 2, sentence, shape):
                self.mentions.append((found[0][0], found[1], found[2]))
        return self._graph(NER, self._builder()[0])

    def _relations(self, where: str, value: Any) -> Graph:
        shape = "[first, last, first, last token, type]"
        found: list[tuple[list[Span], str, Pairs]] = []
        for sentence, place, each in self._by_sentence(where, value):
            if relation := self._labelled(place, each, 4, sentence, shape):
                found.append(relation)
        build, mention = self._builder()
        filled = [
            [Argument(r, mention(s)) for r, s in zip(ROLES, spans, strict=True)]
            for spans, _, _ in found
        ]
        for arguments, (_, label, more) in zip(filled, found, strict=True):
            build.relation(label, arguments, more)
        return self._graph(RELATIONS, build)

    def _events(self, where: str, value: Any) -> Graph:
        build, mention = self._builder()
        found: list[tuple[Span, str, Pairs, list[Argument]]] = []
        for sentence, place, each in self._by_sentence(where, value):
            if not isinstance(each, list) or not each:
                self.line.add(place, shown(each), "a list of trigger and arguments")
                continue
            trigger = self._trigger(f"{place}[0]", each[0], sentence)
            arguments: list[Argument] = []
            for number, argument in enumerate(each[1:], 1):
                shape = "[first token, last token, role]"
                at = f"{place}[{number}]"
                if filler := self._labelled(at, argument, 2, sentence, shape):
                    arguments.append(
                        Argument(filler[1], mention(filler[0][0]), filler[2])
                    )
            if trigger:
                found.append((trigger[0][0], trigger[1], trigger[2], arguments))
        for span, label, more, arguments in found:
            build.trigger(label, [self._anchor(span)], arguments, more)
        return self._graph(EVENTS, build)

    def _trigger(
        self, where: str, value: Any, sentence: int
    ) -> tuple[list[Span], str, Pairs] | None:
        """A trigger: one token, as in ACE, or the first and the last."""
        if isinstance(value, list) and len(value) > 1 and isinstance(value[1], str):
            value = [value[0], *value]
        shape = "[token, type] or [first token, last token, type]"
        return self._labelled(where, value, 2, sentence, shape)

    def _clusters(self, where: str, value: Any) -> Graph:
        types: dict[Span, str] = {}
        for typed, label, _ in self.mentions:
            types.setdefault(typed, label)
        build = read_clusters(
            self.line,
            where,
            value,
            lambda place, ends: self._span(place, ends, None),
            self._anchor,
            types.get,
        )
        return self._graph(COREF, build)

    def _builder(self) -> tuple[LayoutBuilder, Callable[[Span], NodeId]]:
        """A graph with the mentions of the document, and how to find one in it.

        Of several at one place the first is found; where there is none, one
        without a type is made.
        """
        build = LayoutBuilder()
        known: dict[Span, NodeId] = {}
        for span, label, more in self.mentions:
            known.setdefault(span, build.mention(label, [self._anchor(span)], more))

        def mention(span: Span) -> NodeId:
            if span not in known:
                known[span] = build.mention(None, [self._anchor(span)])
            return known[span]

        return build, mention

    def _anchor(self, span: Span) -> Anchor:
        return self.words.anchor(span[0], span[1] + 1)

    def _graph(self, layer: str, build: LayoutBuilder) -> Graph:
        used = {"doc_key", SENTENCES, *FIELDS.values()}
        used |= {PREDICTED + key for key in FIELDS.values()}
        extra: dict[str, Any] = {SENTENCES: self.words.sizes}
        if self.prefix:
            extra[SAID] = True
        extra |= further(self.fields, used, OWN)
        return self.words.graph(build, self.line, layer, extra)


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
            yield _mixed(line, value.get("doc_key"), predicted, first[1])
            continue
        prefix = PREDICTED if predicted else ""
        for record in Document(line, value).records(prefix):
            if first is None and isinstance(record, Read):
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

    Example:
        >>> import io
        >>> data = (b'{"doc_key": "d1", "sentences": [["Jenny"]], "ner": '
        ...         b'[[[0, 0, "PER"]]], "predicted_ner": [[[0, 0, "ORG", 7.5, 0.9]]]}')
        >>> [[gold], [system]] = (f(io.BytesIO(data), "a") for f in (read_gold, read))
        >>> gold.graph.nodes[0].label, system.graph.nodes[0].label
        ('PER', 'ORG')
        >>> system.graph.nodes[0].properties
        (('kind', 'mention'), ('score', 7.5), ('probability', 0.9))
    """
    for line, value in objects(stream, name):
        if value is None:
            yield line.rejected()
        else:
            yield from Document(line, value).records("")


def _mixed(line: JsonLine, item: object, predicted: bool, first: int) -> Rejected:
    """A line that would pass gold off as predicted, or the other way round."""
    if predicted:
        found, expected = "predictions", f"none, as in line {first}"
    else:
        found, expected = "no predictions", f"keys predicted_..., as in line {first}"
    line.add("$", found, expected)
    line.item = item if isinstance(item, str) else ""
    return line.rejected()
