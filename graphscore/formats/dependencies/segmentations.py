r"""Texts cut into segments: numbers of units as JSON, or lines with bars between.

The first is that of segeval (Fournier 2013, https://github.com/cfournie/segmentation.evaluation):
for each text and each of its coders, the number of units of every segment::

    {"segmentation_type": "linear", "items": {"stargazer": {"1": [2, 3, 3], "2": [8]}}}

The second is that of Choi's data (2000, "Advances in domain independent linear text
segmentation"): a unit to a line, and between segments, before the first and behind the
last, a line of ``==========``.  Such a line may go on with a level and a title, as in
``========,1,preface``.  A file is one text.

A segment is a node with the property ``units``, how many it has; where there is a text
it is anchored, and units are tokens.  Of several coders each is a layer.

>>> import io
>>> data = b'{"segmentation_type": "linear", "items": {"a": {"1": [2, 3]}}}'
>>> [record] = read_masses(io.BytesIO(data), "a.json")
>>> record.graph.id, [node.properties for node in record.graph.nodes]
('a', [(('units', 2),), (('units', 3),)])
>>> [record] = read_masses(io.BytesIO(data.replace(b"3]", b"0]")), "a.json")
>>> print(*record.problems)
a.json:1: $.items.a.1[1]: found 0, expected a whole number above 0
>>> lines = b"==========\nIt rains.\nIt pours.\n==========\nWe sleep.\n==========\n"
>>> [record] = read_bars(io.BytesIO(lines), "0.ref")
>>> [(node.properties, *node.anchors) for node in record.graph.nodes]
... # doctest: +NORMALIZE_WHITESPACE
[((('units', 2),), Anchor(start=0, end=19)),
 ((('units', 1),), Anchor(start=20, end=29))]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, BinaryIO, NoReturn

import msgspec

from graphscore.errors import InvalidGraphError
from graphscore.formats.base import Record, Rejected
from graphscore.formats.shared.json_lines import (
    JsonLine,
    further,
    objects,
    shown,
    stated,
)
from graphscore.formats.shared.records import Draft
from graphscore.formats.source import BOM, bounded_lines
from graphscore.model.graph import LAYER, Anchor, Graph, Node

FRAMEWORK = "segments"

UNITS, LEVEL = "units", "level"
"""Properties of a segment."""

TYPE, ITEMS, LINEAR = "segmentation_type", "items", "linear"

CODER, OWN = "coder", "segeval"
"""Where ``extra`` keeps whose segmentation it is, and further fields of the file."""

BAR = "=========="

LONGEST_LINE = 16 * 1024 * 1024

_BAR = re.compile(r"={5,}+(?:,([0-9]+),(.*))?")


def read_masses(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file of segeval's, text by text, coder by coder."""
    for line, fields in objects(stream, name):
        line.framework = FRAMEWORK
        if fields is None:
            yield line.rejected()
            continue
        if fields.get(TYPE) != LINEAR:
            line.add(f"$.{TYPE}", stated(fields, TYPE), repr(LINEAR))
        items = {
            item: line.object(f"$.{ITEMS}.{item}", coders, "masses of coders by name")
            for item, coders in line.object(
                f"$.{ITEMS}", fields.get(ITEMS), "segmentations of texts by name"
            ).items()
        }
        if line.problems:
            yield line.rejected()
            continue
        several = len({coder for coders in items.values() for coder in coders}) > 1
        more = further(fields, {TYPE, ITEMS}, OWN)
        for item, coders in items.items():
            for coder, masses in coders.items():
                yield _coded(line, item, coder, masses, several, more)


def _coded(
    line: JsonLine,
    item: str,
    coder: str,
    masses: Any,
    several: bool,
    more: Mapping[str, Any],
) -> Record:
    """The segmentation of a text by a coder; a bad one costs itself alone."""
    raw = msgspec.json.encode({item: {coder: masses}})
    own = JsonLine(line.name, line.line, raw, framework=FRAMEWORK, item=item)
    nodes: list[Node] = []
    where = f"$.{ITEMS}.{item}.{coder}"
    for place, mass in own.elements(where, masses):
        if type(mass) is not int or not 0 < mass < 2**31:
            own.add(place, shown(mass), "a whole number above 0")
        else:
            nodes.append(Node(len(nodes), None, ((UNITS, mass),)))
    if not nodes and not own.problems:
        own.add(where, "no segments", "how many units each has")
    extra = {CODER: coder, **({LAYER: coder} if several else {}), **more}
    graph = Graph(item, FRAMEWORK, 1, document=item, nodes=tuple(nodes), extra=extra)
    record = own.record(graph)
    if several and isinstance(record, Rejected):
        return record._replace(layer=coder)
    return record


def write_masses(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """The bytes of a file of these segmentations.

    Raises:
        InvalidGraphError: if a segment does not say how many units it has, or a coder
            has two segmentations of one text.
    """
    items: dict[str, dict[str, list[int]]] = {}
    fields: dict[str, Any] = {}
    for graph in graphs:
        coder = str(graph.extra.get(CODER) or graph.layer or "1")
        coders = items.setdefault(graph.id, {})
        if coder in coders:
            _refuse(graph, f"another segmentation by {coder!r}", "one of each coder")
        coders[coder] = _masses(graph)
        more = graph.extra.get(OWN)
        fields |= more if isinstance(more, dict) else {}
    whole = {**fields, TYPE: LINEAR, ITEMS: items}
    yield msgspec.json.format(msgspec.json.encode(whole), indent=2) + b"\n"


def _masses(graph: Graph) -> list[int]:
    found = []
    for node in graph.nodes:
        mass = dict(node.properties).get(UNITS)
        if type(mass) is not int or mass < 1:
            _refuse(graph, f"segment {node.id} without {UNITS}", "its number of units")
        found.append(mass)
    if not found:
        _refuse(graph, "no segments", "at least one")
    return found


def _refuse(graph: Graph, found: str, expected: str) -> NoReturn:
    raise InvalidGraphError(f"{found} in graph {graph.id!r}", expected)


def read_bars(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The one record of a file with bars between segments."""
    draft = Draft(name, 1, framework=FRAMEWORK)
    heads: list[tuple[str | None, str | None]] = []
    segments: list[list[str]] = []
    for number, raw in bounded_lines(stream, LONGEST_LINE):
        draft.raw.append(raw)
        line = draft.text(raw, number, LONGEST_LINE, "a unit, such as a sentence")
        if line is None:
            continue
        unit = line.removeprefix(BOM.decode()) if number == 1 else line
        unit = unit.strip()
        if unit and not segments:
            draft.line = number
        bar = _BAR.fullmatch(unit)
        if bar:
            heads.append((bar[1], bar[2]))
            segments.append([])
        elif unit:
            if not segments:
                draft.add("", f"{unit[:30]!r}", f"a line of {BAR}", line=number)
                segments.append([])
                heads.append((None, None))
            segments[-1].append(unit)
    if not segments and not draft.problems:
        return
    nodes: list[Node] = []
    tokens: list[Anchor] = []
    text = ""
    for (level, title), units in zip(heads, segments, strict=True):
        if not units:
            continue
        begun = len(tokens)
        for unit in units:
            text += "\n" * bool(text)
            tokens.append(Anchor(len(text), len(text) + len(unit)))
            text += unit
        said = ((UNITS, len(units)), *(((LEVEL, int(level)),) if level else ()))
        place = Anchor(tokens[begun].start, tokens[-1].end)
        nodes.append(Node(len(nodes), title or None, said, (place,)))
    if not nodes and not draft.problems:
        draft.add("", "no units", "a unit to a line")
    yield draft.record(
        Graph("", FRAMEWORK, 1, text=text, tokens=tuple(tokens), nodes=tuple(nodes))
    )


def write_bars(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """The bytes of a file with bars between segments.

    Raises:
        InvalidGraphError: if there are several texts, one has no units, or a unit would
            not be read again.
    """
    for number, graph in enumerate(graphs):
        if number:
            _refuse(graph, "another text", "one text in a file")
        place = 0
        lines = []
        units = [graph.text[start:end] for start, end in graph.tokens]
        masses = _masses(graph)
        if sum(masses) != len(units):
            _refuse(graph, f"{len(units)} tokens", f"{sum(masses)}, one a unit")
        for node, mass in zip(graph.nodes, masses, strict=True):
            level = dict(node.properties).get(LEVEL)
            head = f",{1 if level is None else level},{node.label}"
            lines.append(BAR + (head if node.label or level is not None else ""))
            for unit in units[place : place + mass]:
                if unit != unit.strip() or not unit or _BAR.fullmatch(unit):
                    _refuse(graph, f"the unit {unit[:30]!r}", "words of a line")
                if len(unit.splitlines()) != 1:
                    _refuse(graph, f"a line break in {unit[:30]!r}", "none")
                lines.append(unit)
            place += mass
        yield "\n".join([*lines, BAR, ""]).encode()
