r"""Templates whose slots are filled by entities: GRIT, GTT and IterX.

Du, Rush and Cardie (2021), *GRIT: Generative Role-filler Transformers for
Document-level Event Entity Extraction*, and *Template Filling with Generative
Transformers*; the MUC-4 data of
https://github.com/xinyadu/grit_doc_event_entity and https://github.com/xinyadu/gtt.
Chen et al. (2023), *Iterative Document-level Information Extraction via Imitation
Learning*; https://github.com/wanmok/iterx.

A slot has a list of entities, an entity a list of mentions; a mention is its
words alone, or its words and where they begin in the text::

    {"incident_type": "attack", "PerpInd": [["criminals"]],
     "Victim": [[["enrique lopez", 14], ["lopez", 21]]]}

GRIT and GTT have gold with a document to a line, and predictions as one object with a
document under each number; GRIT has one template without a type (``extracts``), even
where nothing fills it, GTT any number of them (``templates``), whose ``incident_type``
is the type as written, ``attack / bombing`` among them::

    {"docid": "TST3-MUC4-0003", "doctext": "...", "extracts": {"Victim": []}}

    {"30003": {"doctext": "...", "pred_extracts": {...}, "gold_extracts": {...}}}

Predictions repeat gold in another spelling; that copy is never read.  Where the first
text is so long that no other key can be seen at the beginning of a file, it is found
out only here whether it is one of GRIT or of GTT.

Predictions of IterX have the templates of one type under the document's name, so that a
document takes several lines, which are put together in their order; a line without
templates says nothing but that the document is there.  Its gold is that of GTT, but
mentions also say where they end (the last character) and which tokens they are::

    {"TST3-MUC4-0002": [{"PerpInd": [["military"]], "incident_type": "attack"}]}

    {"docid": "d1", "doctext": "he left", "templates":
     [{"incident_type": "Leaving", "Agent": [[["he", 0, 1, 0, 0, "Agent"]]]}]}

A mention whose words stand where the file says is anchored there; any other one
is its words, with the place as the property ``offset``.  Every slot has entities
of its own, as the formats do not say when two of them are the same.

What was read from predictions is written as predictions again, anything else as gold.
Only what has its place is written: templates, their types, slots, entities, and
mentions as words with their place.  An entity in several slots is written in each of
them.

>>> import io
>>> data = (b'{"docid": "TST3-MUC4-0003", "doctext": "criminals shot him", '
...         b'"templates": [{"incident_type": "attack", '
...         b'"PerpInd": [[["criminals", 0], "he"]], "Victim": []}]}')
>>> [record] = read(io.BytesIO(data), "test.json")
>>> [node.properties for node in record.graph.nodes] # doctest: +NORMALIZE_WHITESPACE
[(('kind', 'mention'),), (('kind', 'mention'), ('text', 'he')),
 (('kind', 'entity'),), (('kind', 'template'),)]
>>> [(edge.source, edge.label, edge.target) for edge in record.graph.edges]
[(2, 'mention', 0), (2, 'mention', 1), (3, 'PerpInd', 2)]
>>> b"".join(write_templates([record.graph])).partition(b'"templates":')[2]
b'[{"incident_type":"attack","PerpInd":[[["criminals",0],"he"]],"Victim":[]}]}\n'
>>> preds = b'{"1": {"doctext": "", "pred_extracts": {"A": 3}}, "2": {}}'
>>> for record in read(io.BytesIO(preds), "a.json"):
...     print(record.item, *record.problems)
1 a.json:1: $.1.pred_extracts.A: found 3, expected a list, as in [["he", ["max", 14]]]
2 a.json:1: $.2: found no predictions, expected pred_extracts or pred_templates
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, BinaryIO, NamedTuple

from msgspec import UNSET, Struct, UnsetType

from graphscore.exceptions import InvalidGraphError
from graphscore.formats.base import Fit, Record
from graphscore.formats.recognition import First
from graphscore.formats.shared.json_files import members
from graphscore.formats.shared.json_lines import JsonLine, further, objects
from graphscore.formats.shared.json_values import begun
from graphscore.formats.shared.layers import Layer, kept_as, kept_fields, own_of
from graphscore.formats.shared.records import RecordBuilder
from graphscore.formats.shared.span_fields import text_mismatch
from graphscore.formats.writing import (
    check_framework,
    encode,
    gold_or_predicted,
    lines_of_graphs,
)
from graphscore.model.graph import Anchor, Graph, Node, NodeId, Pairs, Value
from graphscore.structures.layout import (
    ENTITY,
    TEMPLATE,
    TEXT,
    Argument,
    Extra,
    LayoutBuilder,
)

TEMPLATES = "template"
"""The framework."""

TYPE = "incident_type"
"""The key with a template's type."""

SPANS = "template-spans"
"""A key of IterX's own, which is no slot."""

KEYS = "keys"
"""Key of a template's ``extra`` for its keys, empty slots among them."""

REST = "span"
"""Key of a mention's ``extra`` for the rest after its first character."""

OFFSET = "offset"
"""The property with the place of a mention that does not stand there."""

PREDICTED = "predicted"
"""Key of ``extra`` of a graph that was read from predictions."""

DOCID, DOCTEXT = "docid", "doctext"

EXTRACTS, SEVERAL = "extracts", "templates"
"""The keys of GRIT and of GTT; with a prefix in predictions."""

PRED, GOLD = "pred_", "gold_"
"""Prefixes of keys in predictions."""

OWN = "document"
"""Key of a graph's ``extra`` for the further fields of the document."""

_BEGINS = re.compile(
    rb'"[^"\\\n]*+"\s*+:\s*+\{\s*+"(?:doctext|pred_\w++|gold_\w++)"\s*+:'
)
_PREDICTIONS = re.compile(
    rb'\s*+\{\s*+(?:(?!"(?:extracts|templates)")"[^"\\\n]*+"\s*+:\s*+\{|\}|$)'
)


class _Placed(Struct, array_like=True):
    """A mention with its first character; IterX has more behind it."""

    words: str
    start: int | UnsetType = UNSET


_Entities = list[list[str | _Placed]]

_SLOT = '[["he", ["max", 14]]]'
"""Example of a slot, for problems."""


class Template(NamedTuple):
    """A template as the file has it."""

    type: Value
    slots: tuple[tuple[str, _Entities, Any], ...]
    """Names, the mentions of each entity, and the same as it stands there."""
    extra: Extra


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """Read a file of gold or of predictions; of these, what is predicted.

    Args:
        stream: the file.
        name: its name.

    Yields:
        A graph for each document, or a rejected record.
    """
    first, whole = begun(stream)
    if not _PREDICTIONS.match(first):
        for line, fields in objects(whole, name):
            line.framework = TEMPLATES
            if fields is None:
                yield line.rejected()
            else:
                yield _gold(line, fields, _templates_in(line, "$", fields, ""))
        return
    for line, key, value in members(whole, name, _BEGINS):
        line.framework, line.item = TEMPLATES, key
        entries: dict[str, Any] = {}
        if value is not None:
            entries = line.object(f"$.{key}", value, "an object with predictions")
        yield line.rejected() if line.problems else _predicted_record(line, entries)


def read_lines(stream: BinaryIO, name: str) -> Iterator[Record]:
    r"""Read a file of IterX: a document to a line, or several lines of predictions.

    Args:
        stream: the file.
        name: its name.

    Yields:
        A graph for each document, or a rejected record.

    Example:
        >>> import io
        >>> data = (b'{"d1": [{"Weapon": [["bomb"]], "incident_type": "bombing"}]}\n'
        ...         b'{"d1": [{"incident_type": "attack"}]}\n{"d1": [], "d2": [3]}\n')
        >>> good, bad = read_lines(io.BytesIO(data), "preds.jsonl")
        >>> good.graph.id, [node.label for node in good.graph.nodes][2:]
        ('d1', ['bombing', 'attack'])
        >>> print(bad.item, *bad.problems)
        d2 preds.jsonl:3: $.d2[0]: found 3, expected an object of slots
    """
    documents: dict[str, tuple[RecordBuilder, list[Template]]] = {}
    for line, fields in objects(stream, name):
        line.framework = TEMPLATES
        if fields is None:
            yield line.rejected()
        elif DOCID in fields:
            templates = _templates(line, f"$.{SEVERAL}", fields.get(SEVERAL))
            yield _gold(line, fields, templates)
        elif not fields:
            line.add("$", "an empty object", "templates under a document's name")
            yield line.rejected()
        for item, value in {} if fields is None or DOCID in fields else fields.items():
            line.problems = []
            first = RecordBuilder(name, line.line, framework=TEMPLATES, item=item)
            document, several = documents.setdefault(item, (first, []))
            several += _templates(line, f"$.{item}", value)
            if not item:
                line.add("$", "a document without a name", "its name")
            if line.problems:
                document.absorb(line)
    # Only now is it known that no line with more of a document follows.
    for document, several in documents.values():
        right = not document.problems
        graph = _graph(document, "", several, {PREDICTED: True}) if right else None
        yield document.record(graph)


def _gold(line: JsonLine, fields: dict[str, Any], templates: list[Template]) -> Record:
    """Make the graph of a document with its name, text and further fields."""
    line.item = line.identity(fields, DOCID, "the name of the document")
    text = line.string(f"$.{DOCTEXT}", fields.get(DOCTEXT, ""))
    extra = further(fields, {DOCID, DOCTEXT, EXTRACTS, SEVERAL}, OWN)
    return line.record(None if line.problems else _graph(line, text, templates, extra))


def _predicted_record(line: JsonLine, fields: dict[str, Any]) -> Record:
    where = f"$.{line.item}"
    if not line.item:
        line.add(where, "''", "the name of the document")
    templates = _templates_in(line, where, fields, PRED)
    text = line.string(f"{where}.{DOCTEXT}", fields.get(DOCTEXT, ""))
    keys = {prefix + key for prefix in (PRED, GOLD) for key in (EXTRACTS, SEVERAL)}
    extra = {PREDICTED: True, **further(fields, {DOCTEXT, *keys}, OWN)}
    return line.record(None if line.problems else _graph(line, text, templates, extra))


def _templates_in(
    line: JsonLine, where: str, fields: dict[str, Any], prefix: str
) -> list[Template]:
    """Read the templates of a document: GRIT's only one, or those of GTT."""
    single, several = prefix + EXTRACTS, prefix + SEVERAL
    if single in fields and several in fields:
        line.add(where, f"both {single} and {several}", "one of them")
    elif single in fields:
        return [_template(line, f"{where}.{single}", fields[single], typed=False)]
    elif several in fields:
        return _templates(line, f"{where}.{several}", fields[several])
    else:
        what = "predictions" if prefix else "templates"
        line.add(where, f"no {what}", f"{single} or {several}")
    return []


def _templates(line: JsonLine, where: str, value: Any) -> list[Template]:
    elements = line.elements(where, value)
    return [_template(line, path, template) for path, template in elements]


def _template(line: JsonLine, where: str, value: Any, typed: bool = True) -> Template:
    """Read one template, whose ``incident_type`` may be a slot like others."""
    kind: Value = None
    slots: list[tuple[str, _Entities, Any]] = []
    fields = line.object(where, value, "an object of slots")
    for name, filled in fields.items():
        path = f"{where}.{name}"
        if typed and name == TYPE:
            kind = line.string(path, filled)
        elif name != SPANS:
            entities = line.typed(path, filled, _Entities, _SLOT)
            slots.append((name, entities or [], filled))
    extra: list[tuple[str, Any]] = [(KEYS, [*fields])]
    extra += [(SPANS, fields[SPANS])] if SPANS in fields else []
    return Template(kind, tuple(slots), tuple(extra))


def _graph(
    line: RecordBuilder, text: str, templates: list[Template], extra: dict[str, Any]
) -> Graph:
    """Make the graph of a document: mentions, then entities, then templates."""
    build = LayoutBuilder()
    filled: list[list[Argument]] = []
    for template in templates:
        filled.append([])
        for slot, entities, raw_entities in template.slots:
            for entity, raw in zip(entities, raw_entities, strict=True):
                mentions = [
                    _mention(line, slot, build, text, mention, raw_mention)
                    for mention, raw_mention in zip(entity, raw, strict=True)
                ]
                filled[-1].append(Argument(slot, build.entity(mentions)))
    for template, arguments in zip(templates, filled, strict=True):
        build.template(template.type, arguments, extra=template.extra)
    item = line.item
    return build.graph(item, TEMPLATES, document=item, text=text, extra=extra)


def _mention(
    line: RecordBuilder,
    slot: str,
    build: LayoutBuilder,
    text: str,
    mention: str | _Placed,
    raw: Any,
) -> NodeId:
    """Add a mention, and a note where it does not stand at its place."""
    if isinstance(mention, str):
        return build.mention(None, text=mention)
    words, start = mention.words, mention.start
    anchors: list[Anchor] = []
    more: Pairs = ()
    if start is not UNSET:
        end = start + len(words)
        if words and start >= 0 and text[start:end] == words:
            anchors = [Anchor(start, end)]
        else:
            more = ((OFFSET, start),)
            wrong = text_mismatch(words, start, end, text) if text and words else None
            if wrong is not None:
                # What is compared is its words.
                line.add(slot, *wrong)
                line.pass_over("other words at the place of a mention")
    rest = raw[2:]
    extra: Extra = ((REST, rest),) if rest else ()
    return build.mention(None, anchors, more, text=words, extra=extra)


def has_lines(first: First) -> Fit | float:
    """Judge whether an object has templates of IterX, under any name."""
    fields = first.fields
    if "docid" in fields or not fields:
        return 0.0
    if not all(isinstance(templates, list) for templates in fields.values()):
        return 0.0
    name, templates = next(iter(fields.items()))
    if not templates and len(fields) == 1:
        return Fit(0.3, f"its first object has no templates under {name!r}")
    if not templates or not isinstance(templates[0], dict):
        return 0.0
    slots = [value for key, value in templates[0].items() if key != TYPE]
    filled = [fillers for fillers in slots if fillers]
    # A filler is a list of strings that mean the same.
    right = all(
        isinstance(fillers, list)
        and isinstance(fillers[0], list)
        and fillers[0]
        and isinstance(fillers[0][0], str)
        for fillers in filled
    )
    if not right or not all(isinstance(fillers, list) for fillers in slots):
        return 0.0
    if not filled and TYPE not in templates[0]:
        return 0.0
    return Fit(0.9, f"its first object has templates under {name!r}")


def write_extracts(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs as GRIT does: each with its only template, which has no type.

    Args:
        graphs: of the framework ``template``.

    Yields:
        Lines of gold, or one object of predictions in pieces.

    Raises:
        GraphscoreError: for another framework, or gold among predictions.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    yield from _file(graphs, "GRIT", EXTRACTS, _only)


def write_templates(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs as GTT does, with any number of templates.

    Args:
        graphs: of the framework ``template``.

    Yields:
        Lines of gold, or one object of predictions in pieces.

    Raises:
        GraphscoreError: for another framework, or gold among predictions.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    yield from _file(graphs, "GTT", SEVERAL, templates_of)


def write_lines(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs as IterX does: with a text as gold, without as predictions.

    Args:
        graphs: of the framework ``template``.

    Yields:
        Lines.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.
    """

    def fields(graph: Graph) -> dict[str, Any]:
        templates = templates_of(graph)
        plain = {graph.id: templates}
        return _gold_fields(graph, SEVERAL, templates) if graph.text else plain

    return lines_of_graphs(graphs, TEMPLATES, "IterX", fields)


def templates_of(graph: Graph) -> list[dict[str, Any]]:
    """The templates of a graph as JSON.

    Args:
        graph: templates, entities and mentions in the layout.
    """
    return _Templates(graph).templates()


def _file(
    graphs: Iterable[Graph], named: str, key: str, make: Callable[[Graph], Any]
) -> Iterator[bytes]:
    """The lines of gold, or the object of predictions."""
    kind: bool | None = None
    for graph in graphs:
        check_framework(graph, (TEMPLATES,), named)
        predicted = gold_or_predicted(graph, PREDICTED, kind, named)
        if predicted:
            yield b"{" if kind is None else b",\n "
            text = {DOCTEXT: graph.text} if graph.text else {}
            fields = {**text, **kept_fields(graph.extra, OWN), PRED + key: make(graph)}
            yield encode(graph.id) + b":" + encode(fields)
        else:
            yield encode(_gold_fields(graph, key, make(graph))) + b"\n"
        kind = predicted
    if kind:
        yield b"}\n"


def _only(graph: Graph) -> dict[str, Any]:
    templates = templates_of(graph)
    if len(templates) != 1:
        shown = f"{len(templates) or 'no'} templates in item {graph.id!r}"
        raise InvalidGraphError(shown, "one template without a type")
    return templates[0]


def _gold_fields(graph: Graph, key: str, made: Any) -> dict[str, Any]:
    fields = {DOCID: graph.id, DOCTEXT: graph.text, key: made}
    return {**kept_fields(graph.extra, OWN), **fields}


class _Templates(Layer):
    """The templates of one graph on their way to JSON."""

    def templates(self) -> list[dict[str, Any]]:
        """All templates, in order."""
        return [self._template(node) for node in self.of(TEMPLATE)]

    def _template(self, node: Node) -> dict[str, Any]:
        extra = dict(node.extra)
        slots: dict[str, list[Any]] = {}
        for edge in self.edges(node.id):
            if self.is_a(ENTITY, edge.target):
                slots.setdefault(str(edge.label), []).append(self._entity(edge.target))
        found_type = {} if node.label is None else {TYPE: node.label}
        spans = {SPANS: extra[SPANS]} if SPANS in extra else {}
        filled: dict[str, Any] = {**found_type, **slots, **spans}
        # Slots that nothing fills, and the order in which the file had them.
        keys = kept_as(extra, KEYS, list[str], [])
        order = [key for key in keys if key in filled or key not in (TYPE, SPANS)]
        return {key: filled.get(key, []) for key in dict.fromkeys([*order, *filled])}

    def _entity(self, name: NodeId) -> list[Any]:
        return list(map(self._mention, self.mentions(self.nodes[name])))

    def _mention(self, node: Node) -> Any:
        own = own_of(node)
        rest = kept_as(node.extra, REST, list[Any], [])
        words, start = own.get(TEXT), own.get(OFFSET)
        if len(node.anchors) == 1:
            [(start, end)] = node.anchors
            words = self.graph.text[start:end]
        return words if start is None else [words, start, *rest]
