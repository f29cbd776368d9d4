"""MAVEN: documents with triggers of events, a document to a line.

Wang et al. (2020), *MAVEN: A Massive General Domain Event Detection Dataset*.  A
trigger is named by the number of its sentence and a range of tokens there, the end
exclusive; an event may have several::

    {"id": "d1", "title": "War", "content": [
       {"sentence": "It began.", "tokens": ["It", "began", "."]}],
     "events": [{"id": "e1", "type": "Process_start", "type_id": 7, "mention": [
       {"id": "m1", "trigger_word": "began", "sent_id": 0, "offset": [1, 2]}]}],
     "negative_triggers": []}

MAVEN-ERE has the sentences as lists of words under ``tokens``.  A document is a graph
of ``event`` with a node for each trigger; what triggers are of one event is kept, not
compared.

>>> import io
>>> data = (b'{"id": "d1", "tokens": [["It", "began"]], "events": [{"type": "Start", '
...         b'"mention": [{"sent_id": 0, "offset": [1, 2]}]}]}')
>>> [record] = read(io.BytesIO(data), "a.jsonl")
>>> [(node.label, node.anchors) for node in record.graph.nodes]
[('Start', (Anchor(start=3, end=8),))]
>>> [record] = read(io.BytesIO(data.replace(b"[1, 2]", b"[1, 3]")), "a.jsonl")
>>> print(record.problems[0])
a.jsonl:1: $.events[0].mention[0].offset: found tokens 1:3 of the sentence, expected \
a range within the 2 tokens of the sentence
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, ClassVar

from msgspec import Struct

from graphscore.exceptions import InvalidGraphError
from graphscore.formats.base import Record
from graphscore.formats.shared.json_lines import JsonLine, further, objects, rest_of
from graphscore.formats.shared.layers import Layer, kept_as, kept_fields
from graphscore.formats.shared.span_fields import quote_beginning, same_words
from graphscore.formats.shared.token_spans import TokenSpans, Words
from graphscore.formats.writing import lines_of_graphs
from graphscore.model.graph import Graph, Node
from graphscore.model.token_variants import SENTENCES
from graphscore.structures.layout import EVENTS, TRIGGER, LayoutBuilder

CONTENT, TOKENS, MENTIONS, WORD = "content", "tokens", "mention", "trigger_word"

OWN = "maven"
"""The field of ``extra`` with further fields of a document, or of a trigger."""

EVENT, NUMBER = "event", "number"
"""Keys there: further fields of the event of a trigger, and its number."""


class _Event(Struct):
    expected: ClassVar = {"type": "the type of an event"}
    type: str
    mention: list[Any]


class _Mention(Struct):
    expected: ClassVar = {"sent_id": "the number of a sentence"}
    sent_id: int
    offset: tuple[int, int]
    trigger_word: str | None = None


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """Read a file of documents.

    Args:
        stream: the file.
        name: its name.

    Yields:
        A record for each document.
    """
    for line, fields in objects(stream, name):
        line.framework = EVENTS
        yield line.rejected() if fields is None else _record(line, fields)


def _record(line: JsonLine, fields: dict[str, Any]) -> Record:
    line.item = line.identity(fields, "id", "the id of a document")
    rests: list[dict[str, Any]] = []
    sentences: list[list[str]] = []
    key = TOKENS if TOKENS in fields else CONTENT
    if key == TOKENS:
        for path, sentence in line.elements(f"$.{TOKENS}", fields[TOKENS]):
            sentences.append(line.strings(path, sentence))
    else:
        for path, raw in line.elements(f"$.{CONTENT}", fields.get(CONTENT)):
            sentence = line.object(path, raw)
            forms = line.strings(f"{path}.{TOKENS}", sentence.get(TOKENS))
            sentences.append(forms)
            rests.append({k: v for k, v in sentence.items() if k != TOKENS})
    words = Words(
        [form for forms in sentences for form in forms], [*map(len, sentences)]
    )
    # Without the words, every trigger would only repeat the problem.
    if line.problems:
        return line.rejected()
    build = LayoutBuilder()
    events = line.each("$.events", fields.get("events"), _Event)
    for number, (where, raw, event) in enumerate(events):
        own = {EVENT: rest_of(raw, _Event), NUMBER: number}
        for path, value, mention in line.each(
            f"{where}.{MENTIONS}", event.mention, _Mention
        ):
            first, end = _tokens(line, words, path, mention)
            if end:
                more = {**own, MENTIONS: rest_of(value, _Mention)}
                anchors = [words.anchor(first, end)]
                build.trigger(event.type, anchors, extra=((OWN, more),))
    extra = further(fields, {"id", key, "events"}, OWN)
    if key == CONTENT:
        extra[CONTENT] = rests
    extra[SENTENCES] = words.sizes
    return line.record(words.graph(build, line, EVENTS, extra))


def _tokens(
    line: JsonLine, words: Words, where: str, mention: _Mention
) -> tuple[int, int]:
    """Return the tokens of a trigger; none, and a problem, where there are none."""
    sentence, of = mention.sent_id, " of the sentence"
    numbers = range(len(words.sizes))
    what = f"{_Mention.expected['sent_id']}, below {len(numbers)}"
    if not line.known(f"{where}.sent_id", sentence, numbers, what):
        return 0, 0
    size = words.sizes[sentence]
    if not line.within(f"{where}.offset", mention.offset, size, of=of):
        return 0, 0
    first, end = (words.starts[sentence] + offset for offset in mention.offset)
    word, covered = mention.trigger_word, words.text[slice(*words.anchor(first, end))]
    if word and not same_words(word.casefold(), covered.casefold()):
        expected = f"{quote_beginning(covered)}, the tokens of its range"
        line.add(f"{where}.{WORD}", quote_beginning(word), expected)
        line.pass_over("other words than the tokens of a mention")
    return first, end


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs as documents, one to a line.

    Args:
        graphs: of the framework ``event``, of triggers alone.

    Yields:
        Lines.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    return lines_of_graphs(graphs, EVENTS, "MAVEN", _fields)


def _fields(graph: Graph) -> dict[str, Any]:
    triggers = Layer(graph).of(TRIGGER)
    spans = TokenSpans(graph)
    starts = spans.starts()
    events: list[dict[str, Any]] = []
    before: tuple[Any, Any] | None = None
    for node in triggers:
        own = kept_fields(node.extra, OWN)
        event = node.label, own.get(NUMBER)
        # Triggers of one event follow one another.
        if event != before or event[1] is None:
            kind = {**kept_fields(own, EVENT), "type": node.label, MENTIONS: []}
            events.append(kind)
        before = event
        mention = _mention_fields(node, spans, starts)
        events[-1][MENTIONS].append({**kept_fields(own, MENTIONS), **mention})
    rests = kept_as(graph.extra, CONTENT, list[dict[str, Any]], [])
    sentences = spans.sentences()
    rests = rests if len(rests) == len(sentences) else [{} for _ in sentences]
    layout: dict[str, Any] = {
        CONTENT: [
            {**rest, TOKENS: forms}
            for rest, forms in zip(rests, sentences, strict=True)
        ]
    }
    if CONTENT not in graph.extra:
        layout = {TOKENS: sentences}
    return {"id": graph.id, **kept_fields(graph.extra, OWN), **layout, "events": events}


def _mention_fields(node: Node, spans: TokenSpans, starts: list[int]) -> dict[str, Any]:
    first, last = spans.of(node)
    sentence = bisect_right(starts, first) - 1
    start = starts[sentence]
    if last >= starts[sentence + 1]:
        found = f"a trigger {node.id!r} in several sentences"
        raise InvalidGraphError(found, "tokens of one sentence")
    word = " ".join(spans.forms[first : last + 1])
    return {
        WORD: word,
        "sent_id": sentence,
        "offset": [first - start, last + 1 - start],
    }
