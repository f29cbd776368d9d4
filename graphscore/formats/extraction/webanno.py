r"""WebAnno TSV 3, as INCEpTION exports it: spans, relations, slots and chains.

A file is a document.  Its head names layers and their features, each of which is a
column; a line is a token, or a part of one (``1-3.1``)::

    #FORMAT=WebAnno TSV 3.3
    #T_SP=custom.Entity|value
    #T_RL=custom.Link|role|BT_custom.Entity

    #Text=Jenny runs Acme Inc
    1-1	0-5	Jenny	PER	_	_
    1-2	6-10	runs	_	_	_
    1-3	11-15	Acme	ORG[1]	boss	1-1[0_1]
    1-4	16-19	Inc	ORG[1]	_	_

Annotations on several tokens, or above others, have numbers in brackets; ``|`` stands
between those of one place.  Offsets count UTF-16 units.  Layers of spans are graphs of
``ner``, those with slots ``event``, relations ``relation``, chains ``coref``.

>>> import io
>>> lines = ["#FORMAT=WebAnno TSV 3.3", "#T_SP=custom.Entity|value", "#Text=Ada Lo",
...          "1-1\t0-3\tAda\tPER[1]", "1-2\t4-6\tLo\tPER[1]"]
>>> [record] = read(io.BytesIO("\n".join(lines).encode()), "a.tsv")
>>> record.graph.text, record.graph.nodes[0].label, record.graph.nodes[0].anchors
('Ada Lo', 'PER', (Anchor(start=0, end=6),))
>>> [bad] = read(io.BytesIO("\n".join(lines).replace("0-3", "0-4").encode()), "a.tsv")
>>> print(bad.problems[0])
a.tsv:4: range: found '0-4', expected 3 UTF-16 units of 'Ada'
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import zip_longest
from pathlib import Path
from typing import BinaryIO, NamedTuple

from graphscore.duplicates import shown
from graphscore.exceptions import amount
from graphscore.formats.base import Record
from graphscore.formats.shared.json_files import read_whole
from graphscore.formats.shared.json_values import LONGEST_FILE
from graphscore.formats.shared.records import RecordBuilder
from graphscore.formats.shared.span_fields import Units, quote_beginning
from graphscore.model.graph import LAYER, Anchor, NodeId, Pairs
from graphscore.structures.entities.authority import AUTHORITY
from graphscore.structures.layout import (
    COREF,
    EVENTS,
    NER,
    RELATIONS,
    ROLES,
    Argument,
    LayoutBuilder,
)

SPANS, CHAINS, LINKS = "SP", "CH", "RL"
"""Kinds of layers in the head of a file."""

LABELS = ("value", "label")
"""Features that are the type of a span; without them, the first one is."""

MOST_LAYERS = 200
"""Layers of a file; more are a mistake."""

_HEAD = re.compile(r"#T_(SP|CH|RL)=([^|]+)\|?(.*)")
_LINE = re.compile(r"(\d{1,9}-\d{1,9}(\.\d{1,9})?)\t(\d{1,9})-(\d{1,9})\t([^\t]*)(.*)")
_PIECE = re.compile(r"\\.|.", re.DOTALL)
_NUMBERED = re.compile(r"(.*?)(?:\[(\d{1,9})\])?", re.DOTALL)
_TARGET = re.compile(r"(\d+-\d+(?:\.\d+)?)(?:\[(\d{1,9})(?:_(\d{1,9}))?\])?")
_LINK = re.compile(r"(.*)->(\d{1,9}-)(\d{1,9})", re.DOTALL)
_OF_WORDS = re.compile(r"\.(?:lexmorph|segmentation|syntax)\.")
_ESCAPED = {r"\t": "\t", r"\n": "\n"}


class _Layer(NamedTuple):
    kind: str
    name: str
    features: list[str]
    first: int
    """Its first column."""

    @property
    def of_words(self) -> bool:
        """True for parts of speech, lemmas and the like."""
        return _OF_WORDS.search(self.name) is not None

    @property
    def slots(self) -> list[int]:
        """The features that are roles, each followed by their targets."""
        return [k for k, name in enumerate(self.features) if name.startswith("ROLE_")]


class _Row(NamedTuple):
    line: int
    token: str
    start: int
    end: int
    cells: list[str]


class _Annotation:
    """A span of a layer, which grows with each of its lines."""

    def __init__(self, id: int, layer: str, row: _Row, values: list[str]) -> None:
        self.id, self.layer, self.values = id, layer, values
        self.row, self.start, self.end = row, row.start, row.end
        self.label: str | None = None
        self.properties: Pairs = ()
        self.slots: list[tuple[str, str, str]] = []

    def grow(self, row: _Row) -> None:
        self.start, self.end = min(self.start, row.start), max(self.end, row.end)

    @property
    def anchors(self) -> tuple[Anchor]:
        return (Anchor(self.start, self.end),)


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """Read a document.

    Args:
        stream: the file.
        name: its name.

    Yields:
        A record for each framework that its head has layers of; several of ``ner`` if
        there are several layers of spans.  One record where anything is wrong.
    """
    data = read_whole(stream)
    if data is not None and not data.strip():
        return
    draft = _Document(name, 1, data or b"", item=Path(name).stem)
    if data is None:
        draft.add("", f"a file of more than {LONGEST_FILE:,} bytes", "a document")
    elif (text := draft.text(data, 1)) is not None:
        draft.read(text)
    if draft.problems:
        yield draft.rejected()
    else:
        yield from draft.records()


class _Document(RecordBuilder):
    """A document on its way to graphs."""

    def read(self, text: str) -> None:
        """Read the lines, then the annotations of each."""
        self.layers: list[_Layer] = []
        self.rows: list[_Row] = []
        self.width, self.end, self.limit = 0, 0, len(text)
        self.pieces: list[str] = []
        for number, line in enumerate(text.split("\n"), 1):
            line = line.rstrip(" \t\r")
            if head := _HEAD.fullmatch(line):
                if self.rows or len(self.layers) == MOST_LAYERS:
                    expected = f"at most {MOST_LAYERS}, above all tokens"
                    self.add("", "a further layer", expected, line=number)
                    return
                features = head[3].split("|")
                self.layers.append(_Layer(head[1], head[2], features, self.width))
                self.width += len(features)
            elif line and not line.startswith("#"):
                self._token(number, line)
        if self.problems:
            return
        self.content = "".join(self.pieces)
        units = Units(self.content)
        self.spans: dict[tuple[str, ...], _Annotation] = {}
        self.chains: dict[tuple[str, str], dict[int, _Annotation]] = {}
        self.links: list[tuple[_Layer, _Row, list[str]]] = []
        self.at: dict[tuple[str, str, str], _Annotation] = {}
        self.tokens: dict[str, Anchor] = {}
        for row in self.rows:
            start, end = units.character(row.start), units.character(row.end)
            if start is None or end is None or start > end:
                expected = f"a range of characters within {self.end} UTF-16 units"
                self.add("range", f"'{row.start}-{row.end}'", expected, line=row.line)
                continue
            if "." not in row.token:
                self.tokens[row.token] = Anchor(start, end)
            for layer in self.layers:
                self._cells(layer, row._replace(start=start, end=end))
        self.resolve()

    def _token(self, number: int, line: str) -> None:
        match = _LINE.fullmatch(line)
        if match is None:
            expected = "SENTENCE-TOKEN, FIRST-END, WORDS and features, with tabs"
            self.add("", quote_beginning(line), expected, line=number)
            return
        cells = match[6].split("\t")[1:]
        if len(cells) != self.width:
            expected = f"{self.width}, as the head of the file says"
            found = amount(len(cells), "column") + " of features"
            self.add("", found, expected, line=number)
            return
        start, end, form = int(match[3]), int(match[4]), match[5]
        self.rows.append(_Row(number, match[1], start, end, cells))
        if match[2]:
            return
        forms = (form, _unescape(form))
        form = next((f for f in forms if _size(f) == end - start), "")
        if not form or not self.end <= start <= self.limit:
            expected = f"{_size(forms[0])} UTF-16 units of {quote_beginning(forms[0])}"
            if form:
                expected = f"a range from {self.end} on, within the size of the file"
            self.add("range", f"'{start}-{end}'", expected, line=number)
            return
        self.pieces.append(" " * (start - self.end) + form)
        self.end = end

    def _cells(self, layer: _Layer, row: _Row) -> None:
        """Read what a layer says of a token; ``|`` stands between annotations."""
        cells = row.cells[layer.first : layer.first + len(layer.features)]
        if {*cells} == {"_"} or layer.of_words:
            return
        stacks = [_parts(cell, "|") for cell in cells]
        # A feature without a value may stand there once, for all.
        most = max(map(len, stacks))
        stacks = [s * most if s in (["_"], ["*"]) else s for s in stacks]
        for values in map(list, zip_longest(*stacks, fillvalue="")):
            if "" in values:
                found = " ".join(map(quote_beginning, cells))
                expected = "as many annotations in each column"
                self.add(layer.name, found, expected, line=row.line)
            elif layer.kind == LINKS:
                self.links.append((layer, row, values))
            elif row.start == row.end:
                self.add(layer.name, "no characters", "some", line=row.line)
                self.pass_over("annotations of no characters")
            elif layer.kind == CHAINS:
                self._link(layer, row, values)
            else:
                self._span(layer, row, values)

    def _span(self, layer: _Layer, row: _Row, values: list[str]) -> None:
        targets = {k + 1 for k in layer.slots}
        parts = [
            _split_number(v) if k not in targets else (v, "")
            for k, v in enumerate(values)
        ]
        number = next((number for _, number in parts if number), "")
        bare = [value for value, _ in parts]
        key = (layer.name, number) if number else (layer.name, "", str(len(self.spans)))
        span = self.spans.get(key)
        if span is None:
            span = _Annotation(len(self.spans), layer.name, row, bare)
            self.spans[key] = span
            self._features(span, layer)
        elif span.values != bare:
            found = f"{' '.join(map(quote_beginning, bare))} of annotation [{number}]"
            expected = f"what line {span.row.line} says of it"
            self.add(layer.name, found, expected, line=row.line)
        span.grow(row)
        for name in (layer.name, ""):
            self.at.setdefault((name, row.token, number), span)

    def _features(self, span: _Annotation, layer: _Layer) -> None:
        slots, plain = layer.slots, {}
        for k, (name, value) in enumerate(
            zip(layer.features, span.values, strict=False)
        ):
            if k in slots and k + 1 < len(layer.features):
                roles = _parts(value, ";")
                targets = _parts(span.values[k + 1], ";")
                if len(roles) != len(targets):
                    found, expected = amount(len(roles), "role"), "as many as targets"
                    self.add(name, found, expected, line=span.row.line)
                of = layer.features[k + 1]
                for role, target in zip(roles, targets, strict=False):
                    if target not in "_*":
                        span.slots.append((_value(role) or "", target, of))
            elif name and k - 1 not in slots:
                plain[name] = _value(value)
        first = next((name for name in (*LABELS, *plain) if name in plain), "")
        span.label = plain.pop(first) if first else layer.name.rpartition(".")[2]
        span.properties = tuple(
            (AUTHORITY if name == "identifier" else name, value)
            for name, value in plain.items()
            if value is not None
        )

    def _link(self, layer: _Layer, row: _Row, values: list[str]) -> None:
        match = _LINK.fullmatch(values[0])
        if match is None:
            expected = "LABEL->CHAIN-NUMBER"
            self.add(layer.name, quote_beginning(values[0]), expected, line=row.line)
            return
        chain = self.chains.setdefault((layer.name, match[2]), {})
        number = int(match[3])
        span = chain.setdefault(number, _Annotation(0, layer.name, row, values))
        features = (match[1], *(_split_number(value)[0] for value in values[1:]))
        span.properties = tuple(
            (name, value)
            for name, cell in zip(layer.features, features, strict=False)
            if (value := _value(cell)) is not None
        )
        span.grow(row)

    def _target(
        self, of: str, token_id: str, number: str, row: _Row
    ) -> _Annotation | None:
        """Return an annotation by its token and number; a problem if there is none."""
        names = (of, "") if of.startswith("uima.") else (of,)
        candidates = (self.at.get((name, token_id, number)) for name in names)
        target = next(filter(None, candidates), None)
        if target is None and _OF_WORDS.search(of) and token_id in self.tokens:
            start, end = self.tokens[token_id]
            token = row._replace(start=start, end=end)
            target = _Annotation(len(self.spans), of, token, [])
            self.spans[of, token_id] = self.at[of, token_id, number] = target
        if target is None:
            address = token_id + f"[{number}]" * bool(number)
            expected = f"where an annotation of {of} is"
            self.add("", shown(address), expected, line=row.line)
        return target

    def resolve(self) -> None:
        """Look up what relations and slots lead to, once all of it is read."""
        self.ends: list[tuple[str | None, list[Argument]]] = []
        self.roles: dict[int, list[Argument]] = {}
        for layer, row, values in self.links:
            match = _TARGET.fullmatch(values[-1])
            if match is None:
                found, expected = (
                    quote_beginning(values[-1]),
                    "SENTENCE-TOKEN[SOURCE_TARGET]",
                )
                self.add(layer.name, found, expected, line=row.line)
                continue
            of = layer.features[-1].removeprefix("BT_")
            numbers = [(number or "").lstrip("0") for number in match.groups()[1:]]
            ends_of_link = zip((match[1], row.token), numbers, strict=True)
            ends = [self._target(of, *token_id, row) for token_id in ends_of_link]
            pair = zip(ROLES, ends, strict=True)
            label = _value(_split_number(values[0])[0]) if len(values) > 1 else None
            self.ends.append((label, [Argument(r, e.id) for r, e in pair if e]))
        for span in [*self.spans.values()]:
            roles = self.roles.setdefault(span.id, [])
            for role, cell, of in span.slots:
                match = _TARGET.fullmatch(cell)
                token_id, number = match.groups("")[:2] if match else (cell, "")
                target = self._target(of, token_id, number, span.row)
                if target is not None:
                    roles.append(Argument(role, target.id))

    def records(self) -> Iterator[Record]:
        """Make a graph of each framework that has layers, if nothing is wrong."""
        layers = [layer for layer in self.layers if not layer.of_words]
        if not layers:
            self.add("", "no layers", "layers of spans, relations or chains", line=1)
        if self.problems:
            yield self.rejected()
            return
        if layers != self.layers:
            self.add("", "layers of words (parts of speech...)", "others", line=1)
            self.pass_over("layers of words")
        of_spans = [layer for layer in layers if layer.kind == SPANS]
        plain = [layer.name for layer in of_spans if not layer.slots]
        hosts = [layer.name for layer in of_spans if layer.slots]
        for name in plain:
            build = LayoutBuilder()
            self._mentions(build, {s.id for s in self._of([name])})
            yield self._build_record(build, NER, name if len(plain) > 1 else "")
        if any(layer.kind == LINKS for layer in layers):
            build = LayoutBuilder()
            self._mentions(build, {span.id for span in self.spans.values()})
            for label, arguments in self.ends:
                build.relation(label, arguments)
            yield self._build_record(build, RELATIONS)
        if hosts:
            build, events = LayoutBuilder(), self._of(hosts)
            fillers = {role.filler for span in events for role in self.roles[span.id]}
            self._mentions(build, fillers - {span.id for span in events})
            for span in events:
                roles, more = self.roles[span.id], span.properties
                build.trigger(span.label, span.anchors, roles, more, id=span.id)
            yield self._build_record(build, EVENTS)
        if any(layer.kind == CHAINS for layer in layers):
            build = LayoutBuilder()
            for chain in self.chains.values():
                links = [chain[number] for number in sorted(chain)]
                build.entity(
                    [build.mention(None, x.anchors, x.properties) for x in links]
                )
            yield self._build_record(build, COREF)

    def _of(self, layers: list[str]) -> list[_Annotation]:
        return [span for span in self.spans.values() if span.layer in layers]

    def _mentions(self, build: LayoutBuilder, ids: Collection[NodeId]) -> None:
        for span in self.spans.values():
            if span.id in ids:
                build.mention(span.label, span.anchors, span.properties, id=span.id)

    def _build_record(
        self, build: LayoutBuilder, framework: str, layer: str = ""
    ) -> Record:
        extra = {LAYER: layer.rpartition(".")[2]} if layer else {}
        tokens = tuple(self.tokens.values())
        record = self.record(
            build.graph(
                self.item, framework, text=self.content, tokens=tokens, extra=extra
            ),
            framework,
        )
        self.notes = []
        return record


def _size(form: str) -> int:
    """Return how many UTF-16 units a text has."""
    return len(form.encode("utf-16-le")) // 2


def _parts(cell: str, mark: str) -> list[str]:
    """Return what stands between marks without backslashes before them."""
    if "\\" not in cell:
        return cell.split(mark)
    parts: list[list[str]] = [[]]
    for piece in _PIECE.findall(cell):
        if piece == mark:
            parts.append([])
        else:
            parts[-1].append(piece)
    return ["".join(part) for part in parts]


def _split_number(value: str) -> tuple[str, str]:
    """Return a value, and the number of its annotation."""
    match = _NUMBERED.fullmatch(value)
    return (match[1], match[2] or "") if match else (value, "")


def _unescape(value: str) -> str:
    """Return a value without the backslashes before what acts in columns."""
    if "\\" not in value:
        return value
    pieces = _PIECE.findall(value)
    return "".join(_ESCAPED.get(p, p[1:] if len(p) > 1 else p) for p in pieces)


def _value(cell: str) -> str | None:
    """Return the value of a feature; nothing where it has none."""
    return None if cell in ("*", "_") else _unescape(cell)
