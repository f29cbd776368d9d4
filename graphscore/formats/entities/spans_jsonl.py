r"""Texts with ranges of characters as JSON lines: spaCy, Prodigy, doccano.

A text to a line, its entities as objects or as lists::

    {"text": "Jenny runs Acme", "spans": [{"start": 0, "end": 5, "label": "PER"}]}
    {"text": "Jenny runs Acme", "entities": [[0, 5, "PER"], [11, 15, "ORG"]]}

Ranges count characters (code points), the end is exclusive.  Entities may be nested
or overlap; several of one place and type are kept.  A line is a graph of ``ner``.
Where ``spans`` is an object of groups (``Doc.to_json`` of spaCy), the entities are
``ents``, or the spans of all groups where there are no ``ents``.

The type of an object stands under ``label``, or one of the other keys that programs
have; several types are several entities.  A span without a type is an error, unless no
span of the file has one.  A span's own ``text`` must be what its range covers.  Texts
that were rejected or ignored (``answer``, of Prodigy) are left out, and counted.

>>> import io
>>> data = b'{"id": 7, "text": "Jenny runs Acme", "entities": [[0, 5, "PER"]]}'
>>> [record] = read(io.BytesIO(data), "a.jsonl")
>>> record.graph.id, record.graph.nodes[0].label, record.graph.nodes[0].anchors
('7', 'PER', (Anchor(start=0, end=5),))
>>> [record] = read(io.BytesIO(data.replace(b"5,", b"50,")), "a.jsonl")
>>> print(record.problems[0])
a.jsonl:1: $.entities[0]: found characters 0 to 50, expected a range within 15
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, zip_longest
from typing import Any, BinaryIO, ClassVar

from msgspec import Struct, field
from msgspec.structs import replace

from graphscore.duplicates import shown
from graphscore.exceptions import InvalidGraphError, amount
from graphscore.formats.base import ReadGraph, Record, Rejected
from graphscore.formats.shared.json_lines import JsonLine, Row, further, objects
from graphscore.formats.shared.layers import kept_fields
from graphscore.formats.shared.span_fields import (
    TEXT,
    WORDS,
    Types,
    counting_hint,
    other_types,
    same_words,
    text_mismatch,
    types_of,
)
from graphscore.formats.writing import lines_of_graphs
from graphscore.model.graph import LAYER, Anchor, Graph, Node, Pairs, Value
from graphscore.structures.entities.authority import AUTHORITY, CONFIDENCE
from graphscore.structures.entities.span_types import EXPECTED_TYPE, untyped
from graphscore.structures.entities.trees import TIMES
from graphscore.structures.layout import (
    NER,
    PROBABILITY,
    SCORE,
    Extra,
    LayoutBuilder,
)

SPANS = "spans"

LISTS = (SPANS, "entities", "ents", "labels", "label")
"""Keys under which tools keep entities, the most telling first."""

GROUP = "group"
"""The field of ``extra`` with the group that a span was found in."""

NUMBERS = (SCORE, PROBABILITY, CONFIDENCE)
"""Keys of an entity that say how sure somebody is; properties of the same name."""

ANSWER, NO_ANNOTATION = "answer", ("reject", "ignore")
"""Key of an annotator's answer in Prodigy, and the answers that are no annotation."""

ANNOTATORS = ("annotator", "_annotator_id")
"""Keys of who annotated a text, the latter of Prodigy."""

RELATIONS = "relations"
"""Key of relations among spans in doccano and Prodigy."""


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """Read a file of texts with entities.

    Args:
        stream: the file.
        name: its name.

    Yields:
        A record for each line.
    """
    yield from read_as(stream, name, NER, lambda graph: graph)


def text_record(line: JsonLine, fields: dict[str, Any]) -> Record:
    """Read one text with entities, each of which has a type, as a graph of ``ner``.

    Args:
        line: where it stands.
        fields: its object.
    """
    text = _Text(line, fields, NER, lambda graph: graph)
    record = text.record()
    return text.refused() or record


def read_as(
    stream: BinaryIO, name: str, framework: str, made: Callable[[Graph], Graph]
) -> Iterator[Record]:
    """Read a file of texts with entities as graphs of some framework.

    Rows of one id that follow one another are told apart by their annotators.

    Args:
        stream: the file.
        name: its name.
        framework: what is made of each text.
        made: makes it of a graph of ``ner``, or raises
            :class:`~graphscore.exceptions.InvalidGraphError`.

    Yields:
        A record for each line.
    """
    records = _records(stream, name, framework, made)
    for _, same in groupby(records, _identity):
        rows = [*same]
        names = [_annotator(row) for row in rows] if len(rows) > 1 else []
        distinct = all(names) and len({*names}) == len(names)
        for row, layer in zip_longest(rows, names if distinct else ()):
            if layer and isinstance(row, ReadGraph):
                extra = {**row.graph.extra, LAYER: layer}
                row = row._replace(graph=replace(row.graph, extra=extra))
            yield row


def _identity(record: Record) -> Any:
    """Return what rows of one text share."""
    if isinstance(record, ReadGraph) and record.graph.id and not record.graph.layer:
        return record.graph.id
    return object()


def _annotator(record: Record) -> str:
    """Return who annotated a row; empty where that is not said."""
    graph = record.graph if isinstance(record, ReadGraph) else None
    fields = kept_fields(graph.extra, SPANS) if graph else {}
    return str(next((fields[key] for key in ANNOTATORS if key in fields), ""))


def _records(
    stream: BinaryIO, name: str, framework: str, made: Callable[[Graph], Graph]
) -> Iterator[Record]:
    # Where the first spans have no type nobody knows yet whether any other has one.
    # Records wait from there on, as they are, and as they are if others have types.
    waiting: list[tuple[Record, Record]] = []
    any_typed = False
    for line, value in objects(stream, name):
        refused = None
        if value is None:
            record: Record = line.rejected()
        else:
            text = _Text(line, value, framework, made)
            record, refused = text.record(), text.refused()
            any_typed = any_typed or text.typed
        if any_typed:
            yield from (rejected for _, rejected in waiting)
            waiting.clear()
            yield refused or record
        elif waiting or refused:
            waiting.append((record, refused or record))
        else:
            yield record
    yield from (record for record, _ in waiting)


_Identifier = str | int | None
_Number = str | bool | int | float | None


class _Properties(Struct, kw_only=True):
    """Fields of a span besides its range and its types."""

    expected: ClassVar = {
        **dict.fromkeys(("kb_id", "authority"), "an identifier, or a list of these"),
        **dict.fromkeys(NUMBERS, "a number or a word"),
    }

    text: Any = None
    kb_id: _Identifier | list[_Identifier] = None
    authority: _Identifier | list[_Identifier] = None
    score: _Number = None
    probability: _Number = None
    confidence: _Number = None

    def properties(self) -> Pairs:
        """Return identifiers of an authority, and how sure somebody is."""
        pairs: list[tuple[str, Value]] = []
        for identifiers in (self.kb_id, self.authority):
            if identifiers is not None:
                for identifier in (
                    identifiers if isinstance(identifiers, list) else (identifiers,)
                ):
                    if identifier not in (None, ""):
                        pairs.append((AUTHORITY, str(identifier)))
        for name in NUMBERS:
            value = getattr(self, name)
            if value is not None:
                pairs.append((name, value))
        return tuple(pairs)


class _Span(_Properties, kw_only=True):
    """A span as an object."""

    start: int
    end: int


class _DoccanoSpan(_Properties, kw_only=True):
    """The same under the longer keys of doccano."""

    start: int = field(name="start_offset")
    end: int = field(name="end_offset")


class _Range(Row):
    """A span as a list."""

    start: int
    end: int
    label: str | None = None


_TIME = "[begin, end] in ascending seconds"


class _Token(Struct):
    expected: ClassVar = {"time": _TIME}

    start: int
    end: int
    text: Any = None
    time: tuple[float, float] | None = None


class _TokenRange(Row):
    start: int
    end: int


class _Text:
    """One text on its way to a graph.

    Args:
        line: its line.
        fields: its JSON object.
        framework: what is made of it.
        made: makes that.

    Attributes:
        typed: whether any of its spans has a type.
        untyped: the places of those without, and the keys that they have.
    """

    def __init__(
        self,
        line: JsonLine,
        fields: dict[str, Any],
        framework: str,
        made: Callable[[Graph], Graph],
    ) -> None:
        self.line, self.fields = line, fields
        self.framework, self.made = framework, made
        self.typed = False
        self.untyped: list[tuple[str, list[str]]] = []
        self.build = LayoutBuilder()
        text = fields.get(TEXT)
        self.text = text if isinstance(text, str) else ""
        if not isinstance(text, str):
            found = shown(text) if TEXT in fields else "nothing"
            line.add(f"$.{TEXT}", found, "the text as a string")

    def record(self) -> Record:
        """The graph, or everything that is wrong with it."""
        line, fields = self.line, self.fields
        line.framework = self.framework
        if "id" in fields:
            line.item = line.identity(fields, "id", "a string or number")
        if fields.get(ANSWER) in NO_ANNOTATION:
            what = "texts that annotators reject or ignore"
            result = shown(fields[ANSWER])
            return line.set_aside(what, f"$.{ANSWER}", result, "'accept'")
        tokens, times = self._tokens()
        groups = fields.get(SPANS)
        grouped = isinstance(groups, dict)
        lists = LISTS[1:] if grouped else LISTS
        key = next((key for key in lists if key in fields), SPANS if grouped else None)
        if key == SPANS and isinstance(groups, dict):
            for name, group in groups.items():
                for where, span in line.elements(f"$.{SPANS}.{name}", group):
                    self._add(where, span, ((GROUP, name),))
        elif key is not None:
            for where, span in line.elements(f"$.{key}", fields[key]):
                self._add(where, span)
        elif ANSWER not in fields:
            line.add("$", "no entities", f"one of the keys {', '.join(LISTS[:3])}")
        self._note_others(key)
        document = line.string("$.document", fields.get("document", ""))
        if line.problems:
            return line.rejected()
        used = {"id", TEXT, "tokens", "document", LAYER, key or SPANS}
        own = further(fields, used, SPANS)
        if layer := line.string(f"$.{LAYER}", fields.get(LAYER, "")):
            own[LAYER] = layer
        graph = self.build.graph(
            line.item,
            NER,
            document=document,
            text=self.text,
            tokens=tokens,
            extra=own | ({TIMES: times} if times else {}),
        )
        try:
            return line.record(self.made(graph))
        except InvalidGraphError as error:
            line.add("$", error.found, error.expected)
            return line.rejected()

    def refused(self) -> Rejected | None:
        """Return the record for a file in which spans have types.

        Returns:
            Nothing where the text has no span without a type.
        """
        if not self.untyped:
            return None
        for where, keys in self.untyped:
            self.line.add(where, untyped(keys), EXPECTED_TYPE)
        return self.line.rejected()

    def _note_others(self, key: str | None) -> None:
        """Note what else the line holds, which is not read."""
        relations = self.fields.get(RELATIONS)
        if isinstance(relations, list) and relations:
            found = amount(len(relations), "relation")
            expected = "spans alone, which are all that is read here"
            self.line.add(f"$.{RELATIONS}", found, expected)
            self.line.pass_over("relations among spans")
        for name in LISTS:
            value = self.fields.get(name)
            lists = value.values() if isinstance(value, dict) else [value]
            spans = [
                span
                for group in lists
                if isinstance(group, list)
                for span in group
                if isinstance(span, dict | list)
            ]
            if name != key and spans:
                expected = f"all of them under one key, as {key} is read"
                self.line.add(f"$.{name}", amount(len(spans), "span"), expected)
                self.line.pass_over("spans under another key")

    def _tokens(self) -> tuple[tuple[Anchor, ...], list[list[float]]]:
        """Tokens, as objects or as pairs, and when they were spoken, if all say so."""
        line = self.line
        tokens: list[Anchor] = []
        times: list[list[float]] = []
        values = self.fields.get("tokens")
        for where, value in line.elements("$.tokens", [] if values is None else values):
            kind: type[_Token | _TokenRange] = _Token
            if isinstance(value, list):
                kind = _TokenRange
            token = line.typed(where, value, kind)
            if token is None:
                continue
            anchor = self._range(where, token.start, token.end)
            if anchor is None:
                continue
            if tokens and anchor.start < tokens[-1].end:
                expected = f"one after character {tokens[-1].end}"
                line.add(where, f"a token at {anchor.start}", expected)
            tokens.append(anchor)
            if not isinstance(token, _Token):
                continue
            covered = self.text[slice(*anchor)]
            if isinstance(token.text, str) and token.text != covered:
                expected = f"{shown(covered)} as in the text"
                line.add(f"{where}.{TEXT}", shown(token.text), expected)
            if token.time is not None:
                times.append([*token.time])
                if token.time[0] >= token.time[1]:
                    line.add(f"{where}.time", shown(value["time"]), _TIME)
        return tuple(tokens), times if len(times) == len(tokens) else []

    def _range(self, where: str, start: int, end: int, own: str = "") -> Anchor | None:
        if 0 <= start < end <= len(self.text):
            return Anchor(start, end)
        found = f"characters {shown(start)} to {shown(end)}"
        hint = counting_hint(own, start, end, self.text) if own else ""
        self.line.add(where, found, f"a range within {len(self.text)}{hint}")
        return None

    def _add(self, where: str, value: Any, more: Extra = ()) -> None:
        """Add a span to the graph, once for each of its types."""
        properties: Pairs = ()
        if isinstance(value, list):
            item = self.line.typed(where, value, _Range, "[start, end, label]")
            if item is None:
                return
            anchor = self._range(where, item.start, item.end)
            types: tuple[Any, ...] = () if item.label is None else (item.label,)
        elif isinstance(value, dict):
            short = "start" in value or "end" in value or "start_offset" not in value
            kind: type[_Span | _DoccanoSpan] = _Span if short else _DoccanoSpan
            span = self.line.typed(where, value, kind)
            if span is None:
                return
            anchor = self._checked_range(where, span)
            read = types_of(value, self.text[slice(*anchor)] if anchor else None)
            types, properties = read.values, span.properties()
            self._doubt(where, value, anchor, read)
            ends = kind.__struct_encode_fields__[-2:]
            used = {*ends, read.key, "label", "kb_id", *dict(properties)}
            more += tuple((k, v) for k, v in value.items() if k not in used)
        else:
            self.line.add(where, shown(value), "[start, end, label] or an object")
            return
        for label in types:
            if not isinstance(label, str):
                self.line.add(where, f"the type {shown(label)}", "a string")
                anchor = None
        if anchor is None:
            return
        types = tuple(filter(None, types))
        self.typed = self.typed or bool(types)
        if not types:
            self.untyped.append((where, [*value] if isinstance(value, dict) else []))
        for label in types or (None,):
            self.build.mention(label, (anchor,), properties, extra=more)

    def _checked_range(self, where: str, span: _Span | _DoccanoSpan) -> Anchor | None:
        """The range of an object, which must cover the text that it says itself."""
        own = span.text if isinstance(span.text, str) else ""
        anchor = self._range(where, span.start, span.end, own)
        wrong = text_mismatch(own, *anchor, self.text) if anchor and own else None
        if wrong is not None:
            self.line.add(f"{where}.{TEXT}", *wrong)
        return anchor

    def _doubt(
        self, where: str, span: dict[str, Any], anchor: Anchor | None, types: Types
    ) -> None:
        """Note words of another place, and a type under a further key."""
        for key in WORDS:
            own = span.get(key)
            if anchor is None or not isinstance(own, str) or not own:
                continue
            # Tokenizers write words in small letters, and pieces of them.
            bare = own.casefold(), self.text[slice(*anchor)].casefold()
            wrong = (
                None if same_words(*bare) else text_mismatch(own, *anchor, self.text)
            )
            if wrong is not None:
                self.line.add(f"{where}.{key}", *wrong)
                self.line.pass_over("other words at the place of a span")
        if types.key and (further := other_types(span, types)):
            key, found = further
            expected = f"one key for types, as {types.key} is read"
            self.line.add(f"{where}.{key}", found, expected)
            self.line.pass_over("a type under a further key")


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    r"""Write graphs, one text to a line.

    Args:
        graphs: of the framework ``ner``.

    Yields:
        Lines.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.

    Example:
        >>> from graphscore.model.graph import Anchor
        >>> said = ("kind", "mention"), ("authority", "Q42")
        >>> jenny = Node(0, "PER", said, (Anchor(0, 5),))
        >>> ner = Graph("d1", "ner", 1, text="Jenny left", nodes=(jenny,))
        >>> [line] = write([ner])
        >>> import json
        >>> json.loads(line)["spans"]
        [{'start': 0, 'end': 5, 'label': 'PER', 'authority': ['Q42']}]
    """
    return lines_of_graphs(graphs, NER, "a text with spans", fields_of)


def fields_of(graph: Graph) -> dict[str, Any]:
    """The JSON object of a text with spans."""
    result: dict[str, Any] = {"id": graph.id} if graph.id else {}
    if graph.layer:
        result[LAYER] = graph.layer
    result["text"] = graph.text
    if graph.tokens:
        result["tokens"] = [
            {"text": graph.text[start:end], "start": start, "end": end, "id": number}
            for number, (start, end) in enumerate(graph.tokens)
        ]
        times = graph.extra.get(TIMES)
        if isinstance(times, list) and len(times) == len(graph.tokens):
            for token, time in zip(result["tokens"], times, strict=True):
                token["time"] = time
    result["spans"] = [_span(node) for node in graph.nodes]
    own = graph.extra.get("spans", {})
    return {**own, **result} if isinstance(own, dict) else result


def _span(node: Node) -> dict[str, Any]:
    span: dict[str, Any] = {}
    if node.anchors:
        span = {"start": node.anchors[0].start, "end": node.anchors[-1].end}
    span["label"] = node.label
    for name, value in node.properties:
        if name == AUTHORITY:
            span.setdefault(name, []).append(value)
        elif name in NUMBERS and name not in span:
            span[name] = value
    return {**dict(node.extra), **span}
