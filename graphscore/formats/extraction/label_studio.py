r"""Tasks of Label Studio: texts with labelled spans, and relations among them.

A file is an array of tasks, as ``JSON`` or as ``JSON-MIN``, or has one task to a line::

    [{"id": 1, "data": {"text": "Jenny runs Acme"}, "annotations": [
      {"completed_by": 7, "result": [
        {"id": "a", "type": "labels", "value": {"start": 0, "end": 5,
         "text": "Jenny", "labels": ["PER"]}},
        {"type": "relation", "from_id": "a", "to_id": "b", "labels": ["runs"]}]}]}]

Offsets there are those of JavaScript, which counts UTF-16 units; in graphs they are
characters.  An annotation is a graph of ``ner`` and one of ``relation``; where a task
has several, the layer of each is its annotator.  What was cancelled is left out.
``predictions`` are read where they are asked for (:func:`read_predictions`).

>>> import io
>>> span = b'{"start": 3, "end": 8, "text": "Petra", "labels": ["PER"]}'
>>> result = b'{"id": "a", "type": "labels", "value": %s}' % span
>>> task = b'{"data": {"text": "\\ud83c\\udf89 Petra"}, "annotations": [%s]}'
>>> data = task % (b'{"result": [%s]}' % result)
>>> ner, relation = read(io.BytesIO(data), "a.json")
>>> ner.graph.nodes[0].label, ner.graph.nodes[0].anchors
('PER', (Anchor(start=2, end=7),))
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, BinaryIO, ClassVar

from msgspec import Struct

from graphscore.duplicates import shown
from graphscore.formats.base import Record
from graphscore.formats.shared.json_lines import (
    JsonLine,
    objects,
    pairs_of,
    records,
    rest_of,
)
from graphscore.formats.shared.layers import kept_fields
from graphscore.formats.shared.marked_text import (
    Marked,
    MarkedText,
    marked_texts,
    one_range,
)
from graphscore.formats.shared.span_fields import Units, quote_beginning, same_words
from graphscore.formats.writing import encode, json_array, naming
from graphscore.model.graph import LAYER, Anchor, Graph, Node
from graphscore.structures.layout import PROBABILITY, ROLES, SCORE

OWN = "label-studio"
"""Key of ``extra`` for further fields of tasks, annotations and results."""

REGION = "region"
"""The field of ``extra`` with the id of a span."""

_MINIMAL = ("annotation_id", "annotator")
"""Keys of a task in JSON-MIN."""

_DEFAULTS = {"from_name": "label", "to_name": "text"}
"""Fields of a span that locate it on a page."""


class _Value(Struct):
    expected: ClassVar = {"labels": "a list of labels"}
    start: int
    end: int
    labels: list[str]
    text: Any = None


class _Region(Struct):
    value: dict[str, Any]
    id: str | int = ""
    score: int | float | None = None


class _Link(Struct):
    expected: ClassVar = {"direction": "left, right or bi"}
    from_id: str | int
    to_id: str | int
    labels: list[str] = []
    direction: str = "right"


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """Read what annotators did.

    Args:
        stream: the file.
        name: its name.

    Yields:
        Two records for each annotation, or one for a task that is none.
    """
    for (item, _), tasks in groupby(objects(stream, name), _key):
        if item is None:
            for line, fields in tasks:
                if fields is None:
                    yield line.rejected()
                else:
                    yield from _Task(line, fields).records("annotations")
        else:
            rows = [(line, fields or {}) for line, fields in tasks]
            layers = _distinct([fields.get("annotator") for _, fields in rows])
            for (line, fields), layer in zip(rows, layers, strict=True):
                yield from _Task(line, fields).minimal(layer)


def read_predictions(stream: BinaryIO, name: str) -> Iterator[Record]:
    """Read the ``predictions`` of tasks, as :func:`read` does their annotations."""
    yield from records(
        stream, name, lambda line, fields: _Task(line, fields).records("predictions")
    )


def _key(task: tuple[JsonLine, dict[str, Any] | None]) -> tuple[str | None, int]:
    """Return what annotations of one task share in JSON-MIN; nothing for others."""
    line, fields = task
    if fields is None or "data" in fields or not any(k in fields for k in _MINIMAL):
        return None, 0
    return shown(fields.get("id")), 0 if "id" in fields else line.line


def _distinct(annotators: list[Any]) -> list[str]:
    """Return layers for the annotations of a task; a single one has none."""
    if len(annotators) < 2:
        return [""]
    names: list[str] = []
    for number, annotator in enumerate(annotators, 1):
        if isinstance(annotator, dict):
            annotator = annotator.get("email", annotator.get("id"))
        name = str(number if annotator is None else annotator)
        names.append(name if name not in names else f"{name}#{number}")
    return names


class _Task:
    """A task on its way to graphs."""

    def __init__(self, line: JsonLine, fields: dict[str, Any]) -> None:
        self.line, self.fields = line, fields
        if "id" in fields:
            line.item = line.identity(fields, "id", "a string or number")

    def records(self, key: str) -> Iterator[Record]:
        """Read the annotations or predictions of a task."""
        line, fields = self.line, self.fields
        data = line.object("$.data", fields.get("data"), "an object with the text")
        used = {"id", "data", key}
        rest = {name: value for name, value in fields.items() if name not in used}
        path = f"$.{key}"
        annotations = [
            (where, line.object(where, annotation))
            for where, annotation in line.elements(path, fields.get(key))
        ]
        done = [(w, a) for w, a in annotations if not a.get("was_cancelled")]
        if line.problems:
            yield line.rejected()
            return
        if not done:
            what = "tasks that nobody annotated, or that were cancelled"
            yield line.set_aside(what, path, shown(fields[key]), f"{key}")
            return
        if len(done) < len(annotations):
            line.add(path, "annotations that were cancelled", "others")
            line.pass_over("annotations that were cancelled")
        by = "completed_by" if key == "annotations" else "model_version"
        for (where, annotation), layer in zip(
            done, _distinct([a.get(by) for _, a in done]), strict=True
        ):
            line.problems = []
            results = [*line.elements(f"{where}.result", annotation.get("result"))]
            more = {name: annotation[name] for name in annotation if name != "result"}
            own = {"task": rest, "annotation": more}
            yield from self._annotation("$.data", data, results, layer, own)
            line.notes = []

    def minimal(self, layer: str) -> Iterator[Record]:
        """Read a task of JSON-MIN, which is one annotation."""
        results: list[tuple[str, Any]] = []
        data: dict[str, Any] = {}
        meta: dict[str, Any] = {}
        for key, value in self.fields.items():
            if isinstance(value, list) and value and isinstance(value[0], dict):
                for number, span in enumerate(value):
                    result = {"type": "labels", "from_name": key, "value": span}
                    results.append((f"$.{key}[{number}]", result))
            elif key in ("created_at", "updated_at", "lead_time", *_MINIMAL):
                meta["completed_by" if key == "annotator" else key] = value
            elif key != "id":
                data[key] = value
        own = {"annotation": meta}
        yield from self._annotation("$", data, results, layer, own, ".value")

    def _annotation(
        self,
        where: str,
        data: dict[str, Any],
        results: list[tuple[str, Any]],
        layer: str,
        own: dict[str, Any],
        hidden: str = "",
    ) -> Iterator[Record]:
        line = self.line
        texts = [key for key, value in data.items() if isinstance(value, str)]
        key = "text" if "text" in texts else texts[0] if len(texts) == 1 else ""
        if not key:
            line.add(f"{where}.text", shown(data.get("text", texts)), "one text")
            yield line.rejected()
            return
        self.text, self.units = data[key], Units(data[key])
        self.marked = MarkedText()
        self.named: set[str] = set()
        links: list[tuple[str, dict[str, Any]]] = []
        for path, raw in results:
            result = line.object(path, raw)
            if result.get("type") == "relation":
                links.append((path, result))
            elif result.get("type") == "labels":
                self._region(path, result, "" if hidden else ".value")
            elif result:
                line.add(f"{path}.type", shown(result.get("type")), "labels, relation")
                line.pass_over("results that are neither spans nor relations")
        for path, result in links:
            self._link(path, result)
        rest = {name: value for name, value in data.items() if name != key}
        own = {k: v for k, v in {**own, "data": rest, "key": key}.items() if v}
        extra = {LAYER: layer} if layer else {}
        yield from self.marked.records(line, self.text, extra={**extra, OWN: own})

    def _region(self, where: str, raw: dict[str, Any], inner: str) -> None:
        line = self.line
        region = line.typed(where, raw, _Region)
        if region is None:
            return
        name = str(region.id)
        self.named.add(name)
        value = line.typed(where + inner, region.value, _Value)
        if value is None:
            return
        start, end = map(self.units.character, (value.start, value.end))
        if start is None or end is None or start >= end:
            found = f"UTF-16 units {shown(value.start)} to {shown(value.end)}"
            size = self.units.unit(len(self.text))
            line.add(where + inner, found, f"a range of characters within {size}")
            return
        own, covered = value.text, self.text[start:end]
        # Some versions write line ends of spans as two characters.
        if isinstance(own, str) and not same_words(own.replace("\\n", "\n"), covered):
            expected = (
                f"{quote_beginning(covered)}, "
                f"the UTF-16 units {value.start} to {value.end}"
            )
            if same_words(own, self.text[value.start : value.end]):
                expected += " (counted in characters, the range fits)"
            line.add(f"{where}{inner}.text", quote_beginning(own), expected)
            return
        if not value.labels:
            line.add(f"{where}{inner}.labels", "[]", "a list of labels")
        more = rest_of(raw, _Region, "type") | {
            "value": rest_of(region.value, _Value),
        }
        more = {k: v for k, v in more.items() if v and _DEFAULTS.get(k) != v}
        extra = (
            *(((REGION, name),) if name else ()),
            *(((OWN, more),) if more else ()),
        )
        for label in value.labels:
            self.marked.mention(
                label, [Anchor(start, end)], pairs_of(region), name=name, extra=extra
            )

    def _link(self, where: str, raw: dict[str, Any]) -> None:
        line = self.line
        link = line.typed(where, raw, _Link)
        if link is None:
            return
        ends = {"from_id": str(link.from_id), "to_id": str(link.to_id)}
        ways = ("left", "right", "bi")
        good = line.known(f"{where}.direction", link.direction, ways, ", ".join(ways))
        for key, name in ends.items():
            what = "the id of a span with labels"
            good = line.known(f"{where}.{key}", name, self.named, what) and good
        # A span that is not right is not there, and is a problem of its own.
        if not good or line.problems:
            return
        first, second = ends.values()
        if link.direction == "left":
            first, second = second, first
        extra = () if link.direction == "right" else (("direction", link.direction),)
        for label in link.labels or (None,):
            pair = zip(ROLES, (first, second), strict=True)
            self.marked.relation(label, pair, extra=extra)


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs as tasks with annotations.

    Args:
        graphs: of the frameworks ``ner`` and ``relation``; the two of an annotation,
            and the annotations of a task, follow one another.

    Yields:
        Pieces of an array.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    yield from json_array(map(encode, _tasks(graphs)))


def _tasks(graphs: Iterable[Graph]) -> Iterator[dict[str, Any]]:
    task: dict[str, Any] = {}
    for marked in marked_texts(graphs, "Label Studio"):
        graph = marked.graph
        own = kept_fields(graph.extra, OWN)
        key = own.get("key")
        data = {
            **kept_fields(own, "data"),
            key if isinstance(key, str) else "text": graph.text,
        }
        with naming(graph):
            annotation = kept_fields(own, "annotation")
            if graph.layer:
                annotation.setdefault("completed_by", graph.layer)
            annotation["result"] = _results(marked)
        if graph.layer and task and (task.get("id"), task["data"]) == (graph.id, data):
            task["annotations"].append(annotation)
            continue
        if task:
            yield task
        task = {"id": graph.id} if graph.id else {}
        task |= {**kept_fields(own, "task"), "data": data, "annotations": [annotation]}
    if task:
        yield task


def _results(marked: Marked) -> list[dict[str, Any]]:
    text = marked.graph.text
    units = Units(text)
    names = marked.names(REGION, "r")
    linked = {edge.target for _, edges in marked.relations for edge in edges}
    for node in marked.mentions:
        if node.id not in linked and REGION not in dict(node.extra):
            names[node.id] = ""
    regions = [
        _region_fields(node, names[node.id], text, units) for node in marked.mentions
    ]
    links: list[dict[str, Any]] = []
    for node, edges in marked.relations:
        ends = [names.get(edge.target) for edge in edges[:2]]
        direction = dict(node.extra).get("direction", "right")
        if direction == "left":
            ends.reverse()
        link: dict[str, Any] = dict(zip(("from_id", "to_id"), ends, strict=False))
        link["type"] = "relation"
        labels = [] if node.label is None else [node.label]
        links.append({**link, "direction": direction, "labels": labels})
    return [*regions, *links]


def _region_fields(node: Node, name: str, text: str, units: Units) -> dict[str, Any]:
    start, end = map(units.unit, one_range(node, text))
    more = kept_fields(node.extra, OWN)
    fields = {**_DEFAULTS, **more}
    numbers = {k: v for k, v in node.properties if k in (SCORE, PROBABILITY)}
    value = {
        **kept_fields(more, "value"),
        "start": start,
        "end": end,
        "labels": [node.label],
    }
    id = {"id": name} if name else {}
    return {**id, **fields, "type": "labels", **numbers, "value": value}
