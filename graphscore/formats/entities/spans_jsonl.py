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
from typing import Any, BinaryIO

from graphscore.errors import InvalidGraphError, amount
from graphscore.folding import shown
from graphscore.formats.base import Record, Rejected
from graphscore.formats.shared.json_lines import JsonLine, objects
from graphscore.formats.shared.span_fields import (
    TEXT,
    WORDS,
    Types,
    alike,
    counting_hint,
    misplaced,
    other_types,
    types_of,
)
from graphscore.formats.writing import check_framework, encode, naming
from graphscore.model.graph import Anchor, Graph, Node
from graphscore.structures.entities.authority import AUTHORITY, CONFIDENCE
from graphscore.structures.entities.tags import EXPECTED_TYPE, untyped
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

_PLACE = ("start", "end", "start_offset", "end_offset")
"""Keys of an object's characters; doccano has the longer ones."""

NUMBERS = (SCORE, PROBABILITY, CONFIDENCE)
"""Keys of an entity that say how sure somebody is; properties of the same name."""

ANSWER, NO_ANNOTATION = "answer", ("reject", "ignore")
"""What Prodigy's annotators said of a text, and the answers that are no annotation."""

RELATIONS = "relations"
"""Where doccano and Prodigy keep relations among spans."""


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """Read a file of texts with entities.

    Args:
        stream: the file.
        name: its name.

    Yields:
        A record for each line.
    """
    yield from read_as(stream, name, NER, lambda graph: graph)


def read_as(
    stream: BinaryIO, name: str, framework: str, made: Callable[[Graph], Graph]
) -> Iterator[Record]:
    """Read a file of texts with entities as graphs of some framework.

    Args:
        stream: the file.
        name: its name.
        framework: what is made of each text.
        made: makes it of a graph of ``ner``, or raises
            :class:`~graphscore.errors.InvalidGraphError`.

    Yields:
        A record for each line.
    """
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
        text = fields.get("text")
        self.text = text if isinstance(text, str) else ""
        if not isinstance(text, str):
            found = shown(text) if "text" in fields else "nothing"
            line.add("$.text", found, "the text as a string")

    def record(self) -> Record:
        """The graph, or everything that is wrong with it."""
        line, fields = self.line, self.fields
        if "id" in fields:
            line.item = line.identity(fields, "id", "a string or number")
        if fields.get(ANSWER) in NO_ANNOTATION:
            line.framework = self.framework
            found, what = (
                shown(fields[ANSWER]),
                "texts that annotators reject or ignore",
            )
            return line.set_aside(what, f"$.{ANSWER}", found, "'accept'")
        tokens, times = self._tokens()
        groups = fields.get(SPANS)
        grouped = isinstance(groups, dict)
        lists = LISTS[1:] if grouped else LISTS
        key = next((key for key in lists if key in fields), SPANS if grouped else None)
        build = LayoutBuilder()
        if key == SPANS and isinstance(groups, dict):
            for name, group in groups.items():
                for where, each in line.elements(f"$.{SPANS}.{name}", group):
                    self._entity(build, where, each, ((GROUP, name),))
        elif key is not None:
            for where, each in line.elements(f"$.{key}", fields[key]):
                self._entity(build, where, each)
        elif "answer" not in fields:
            line.add("$", "no entities", f"one of the keys {', '.join(LISTS[:3])}")
        self._note_others(key)
        document = fields.get("document", "")
        if not isinstance(document, str):
            line.add("$.document", shown(document), "a string")
        if line.problems:
            return line.rejected(self.framework)
        used = {"id", "text", "tokens", "document", key}
        own = {name: value for name, value in fields.items() if name not in used}
        graph = build.graph(
            line.item,
            NER,
            document=document,
            text=self.text,
            tokens=tokens,
            extra=({SPANS: own} if own else {}) | ({TIMES: times} if times else {}),
        )
        try:
            return line.record(self.made(graph), self.framework)
        except InvalidGraphError as error:
            line.add("$", error.found, error.expected)
            return line.rejected(self.framework)

    def refused(self) -> Rejected | None:
        """Return the record for a file in which spans have types.

        Returns:
            Nothing where the text has no span without a type.
        """
        if not self.untyped:
            return None
        for where, keys in self.untyped:
            self.line.add(where, untyped(keys), EXPECTED_TYPE)
        return self.line.rejected(self.framework)

    def _note_others(self, key: str | None) -> None:
        """Note what else the line holds, which is not read."""
        relations = self.fields.get(RELATIONS)
        if isinstance(relations, list) and relations:
            found = amount(len(relations), "relation")
            expected = "spans alone, which are all that is read here"
            self.line.add(f"$.{RELATIONS}", found, expected)
            self.line.pass_over("relations among spans")
        for other in LISTS:
            value = self.fields.get(other)
            lists = value.values() if isinstance(value, dict) else [value]
            spans = [
                span
                for each in lists
                if isinstance(each, list)
                for span in each
                if isinstance(span, dict | list)
            ]
            if other != key and spans:
                found = amount(len(spans), "span")
                expected = f"all of them under one key, as {key} is read"
                self.line.add(f"$.{other}", found, expected)
                self.line.pass_over("spans under another key")

    def _tokens(self) -> tuple[tuple[Anchor, ...], list[list[float]]]:
        """Tokens, as objects or as pairs, and when they were spoken, if all say so."""
        tokens: list[Anchor] = []
        times: list[list[float]] = []
        given = self.fields.get("tokens")
        places = self.line.elements("$.tokens", [] if given is None else given)
        for where, token in places:
            if isinstance(token, list) and len(token) == 2:
                token = dict(zip(_PLACE, token, strict=False))
            elif not isinstance(token, dict):
                self.line.add(where, shown(token), "an object with start and end")
                continue
            anchor = self._range(where, token.get("start"), token.get("end"))
            time = token.get("time")
            if anchor is not None:
                self._compare(where, anchor, tokens[-1:], token.get("text"))
                tokens.append(anchor)
            if time is None:
                continue
            if (
                isinstance(time, list)
                and len(time) == 2
                and all(type(x) in (int, float) for x in time)
                and time[0] < time[1]
            ):
                times.append([float(time[0]), float(time[1])])
            else:
                expected = "[begin, end] in ascending seconds"
                self.line.add(f"{where}.time", shown(time), expected)
        return tuple(tokens), times if len(times) == len(tokens) else []

    def _compare(
        self, where: str, anchor: Anchor, before: list[Anchor], word: Any
    ) -> None:
        """Compare a token with the one before and with the text."""
        if before and anchor.start < before[0].end:
            expected = f"one after character {before[0].end}"
            self.line.add(where, f"a token at {anchor.start}", expected)
        covered = self.text[anchor.start : anchor.end]
        if isinstance(word, str) and word != covered:
            expected = f"{shown(covered)} as in the text"
            self.line.add(f"{where}.text", shown(word), expected)

    def _range(self, where: str, start: Any, end: Any, own: str = "") -> Anchor | None:
        if type(start) is not int or type(end) is not int:
            found = f"{shown(start)} to {shown(end)}"
            self.line.add(where, found, "first character and one past the last")
        elif not 0 <= start < end <= len(self.text):
            found = f"characters {shown(start)} to {shown(end)}"
            hint = counting_hint(own, start, end, self.text) if own else ""
            self.line.add(where, found, f"a range within {len(self.text)}{hint}")
        else:
            return Anchor(start, end)
        return None

    def _entity(
        self, build: LayoutBuilder, where: str, each: Any, more: Extra = ()
    ) -> None:
        properties: list[tuple[str, Any]] = []
        if isinstance(each, list) and len(each) in (2, 3):
            anchor = self._range(where, *each[:2])
            types: tuple[Any, ...] = tuple(each[2:]) if each[2:] != [None] else ()
        elif isinstance(each, dict):
            first, last, *other = _PLACE
            if first not in each and last not in each:
                first, last = other
            anchor = self._placed(where, each, first, last)
            words = self.text[slice(*anchor)] if anchor else None
            said = types_of(each, words)
            key, types = said
            self._doubt(where, each, anchor, said)
            properties = self._properties(where, each)
            used = {first, last, key, "label", *dict(properties), "kb_id"}
            more += tuple((k, v) for k, v in each.items() if k not in used)
        else:
            self.line.add(where, shown(each), "[start, end, label] or an object")
            return
        strange = [label for label in types if not isinstance(label, str)]
        for label in strange:
            self.line.add(where, f"the type {shown(label)}", "a string")
        types = tuple(filter(None, types))
        if strange or anchor is None:
            return
        self.typed = self.typed or bool(types)
        if not types:
            self.untyped.append((where, list(each) if isinstance(each, dict) else []))
        for label in types or (None,):
            build.mention(label, (anchor,), tuple(properties), extra=more)

    def _placed(
        self, where: str, span: dict[str, Any], first: str, last: str
    ) -> Anchor | None:
        """The range of an object, which must cover the text that it says itself."""
        own = span.get(TEXT)
        own = own if isinstance(own, str) else ""
        anchor = self._range(where, span.get(first), span.get(last), own)
        wrong = misplaced(own, *anchor, self.text) if anchor and own else None
        if wrong is not None:
            self.line.add(f"{where}.{TEXT}", *wrong)
        return anchor

    def _doubt(
        self, where: str, span: dict[str, Any], anchor: Anchor | None, said: Types
    ) -> None:
        """Note words of another place, and a type under a further key."""
        for key in WORDS:
            own = span.get(key)
            if anchor is None or not isinstance(own, str) or not own:
                continue
            # Tokenizers write words in small letters, and pieces of them.
            bare = own.casefold(), self.text[slice(*anchor)].casefold()
            wrong = None if alike(*bare) else misplaced(own, *anchor, self.text)
            if wrong is not None:
                self.line.add(f"{where}.{key}", *wrong)
                self.line.pass_over("other words at the place of a span")
        if said.key and (other := other_types(span, said)):
            key, found = other
            expected = f"one key for types, as {said.key} is read"
            self.line.add(f"{where}.{key}", found, expected)
            self.line.pass_over("a type under a further key")

    def _properties(self, where: str, each: dict[str, Any]) -> list[tuple[str, Any]]:
        """Identifiers of an authority, and how sure somebody is."""
        found: list[tuple[str, Any]] = []
        for key in ("kb_id", AUTHORITY):
            given = each.get(key)
            if given in (None, ""):
                continue
            for one in given if isinstance(given, list) else [given]:
                if one in (None, ""):
                    continue
                if isinstance(one, str | int) and not isinstance(one, bool):
                    found.append((AUTHORITY, str(one)))
                else:
                    self.line.add(f"{where}.{key}", shown(one), "an identifier")
        for key in NUMBERS:
            given = each.get(key)
            if given is None:
                continue
            if isinstance(given, str | int | float):
                found.append((key, given))
            else:
                self.line.add(f"{where}.{key}", shown(given), "a number or a word")
        return found


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
    for graph in graphs:
        check_framework(graph, (NER,), "a text with spans")
        with naming(graph):
            line = _line(graph)
        yield encode(line) + b"\n"


def _line(graph: Graph) -> dict[str, Any]:
    found: dict[str, Any] = {"id": graph.id} if graph.id else {}
    found["text"] = graph.text
    if graph.tokens:
        found["tokens"] = [
            {"text": graph.text[start:end], "start": start, "end": end, "id": number}
            for number, (start, end) in enumerate(graph.tokens)
        ]
        times = graph.extra.get(TIMES)
        if isinstance(times, list) and len(times) == len(graph.tokens):
            for token, time in zip(found["tokens"], times, strict=True):
                token["time"] = time
    found["spans"] = [_span(node) for node in graph.nodes]
    own = graph.extra.get("spans", {})
    return {**own, **found} if isinstance(own, dict) else found


def _span(node: Node) -> dict[str, Any]:
    if len(node.anchors) != 1:
        found = f"a node {node.id!r} of {len(node.anchors)} ranges"
        raise InvalidGraphError(found, "one range")
    [(start, end)] = node.anchors
    span: dict[str, Any] = {"start": start, "end": end, "label": node.label}
    for name, value in node.properties:
        if name == AUTHORITY:
            span.setdefault(name, []).append(value)
        elif name in NUMBERS and name not in span:
            span[name] = value
    return {**dict(node.extra), **span}
