"""Dicts, what can be made of them, and their JSON: programs' and language models'.

A dict is as a line of a JSON format, or has tokens and tags, or says its entities,
triples and events as language models do, by their words alone.

>>> [graph] = from_dicts([{"text": "Ada in Rome", "entities": [["Rome", "LOC"]]}])
>>> graph.nodes[0].label, graph.nodes[0].anchors
('LOC', (Anchor(start=7, end=11),))
>>> answer = 'Sure: {"entities": {"LOC": ["Rome"]}}'
>>> graphs = from_dicts([answer], repair=True)
>>> graphs[0].nodes[0].properties, graphs.notes[0]
((('kind', 'mention'), ('text', 'Rome')), '<dicts>: repaired in 1 item: prose (1), \
first [0]')
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from graphscore.exceptions import InputError, Problem, amount, truncate
from graphscore.formats.base import ReadGraph, Rejected
from graphscore.formats.function_reader import DictReader, UnlikeError
from graphscore.inputs import REPAIRED
from graphscore.inputs.annotations import (
    ENTITIES,
    are_strings,
    as_lines_have_them,
    graphs_of_item,
    is_by_words,
)
from graphscore.inputs.base import (
    Labels,
    Taken,
    Words,
    labels_of,
    names_of,
    refusal,
)
from graphscore.inputs.columns import (
    EVENTS,
    IDS,
    TAGS,
    TOKENS,
    TRIPLES,
    first_key,
    with_names,
)
from graphscore.inputs.json_texts import decode_json
from graphscore.model.graph import Graph
from graphscore.structures.layout import NER, OBJECT
from graphscore.structures.objects.models import (
    aliases,
    as_dataclass,
    is_model,
    object_of,
    plain,
)

_EXPECTED = (
    f"one of the keys {', '.join((*ENTITIES[:1], *TRIPLES[:1], *EVENTS))}, tokens "
    "with tags, or a line of a JSON format that graphscore formats lists"
)


def from_dicts(
    items: Iterable[Any],
    *,
    of: type[Any] | None = None,
    ids: Iterable[Any] | None = None,
    labels: Labels | None = None,
    repair: bool = False,
    name: str = "dicts",
) -> Taken:
    """Make graphs of dicts, of objects that are like them, or of their JSON.

    Args:
        items: dicts, models of pydantic, structs of msgspec, objects of attrs, or texts
            of JSON, each with an item.
        of: the dataclass whose fields the dicts have; without, they say entities,
            relations, events or clusters by the usual keys.
        ids: the id of each item; without, that under ``id``, or none.
        labels: names of tags that are numbers, in order or by number.
        repair: whether texts are the output of a language model: what stands around
            the value and is no JSON is undone, and bad items are rejected.  Both are
            counted.  Gold is never repaired.
        name: what messages call them.

    Returns:
        The graphs of each item, with what was rejected and repaired.

    Raises:
        InputError: if an item cannot be read and *repair* is not set.
    """
    values = list(items)
    named = names_of(name, values, ids)
    reader = DictReader(f"<{name}>") if of is None else _ClassReader(of)
    repairs: Counter[str] = Counter()
    repaired: list[int] = []
    rejected: list[Problem] = []
    graphs: list[dict[str, Graph]] = []
    for number, value in enumerate(values):
        graphs.append({})
        try:
            if isinstance(reader, _ClassReader) and is_model(type(value)):
                graphs[-1][OBJECT] = reader.graph(plain(value))
                continue
            fields, undone = _fields_of(value, repair)
            if labels is not None:
                fields = dict(with_names(name, number, fields, labels_of(labels)))
            records = list(
                reader.records(fields)
                if isinstance(reader, _ClassReader)
                else _records(fields, reader)
            )
        except ValueError as error:
            found, expected = (*error.args, _EXPECTED)[:2]
            where = f"[{number}]"
            rejected.append(
                Problem(f"<{name}>", None, None, where, truncate(found), expected)
            )
            continue
        repairs.update(undone)
        repaired += [number] * bool(undone)
        problems = _problems_of(records, f"<{name}>", number)
        if problems:
            rejected += problems
            continue
        for record in records:
            if isinstance(record, ReadGraph):
                graph = record.graph
                id = named[number] or graph.id
                graph = msgspec.structs.replace(graph, id=id)
                graphs[-1][graph.framework] = graph
    if rejected and not repair:
        raise InputError(rejected)
    taken = _fill_frameworks(graphs, named)
    taken.rejected = rejected
    if isinstance(reader, _ClassReader) and reader.keys.passed_over:
        taken.notes.append(f"<{name}>: {reader.keys}")
    if repaired:
        kinds = ", ".join(f"{kind} ({times})" for kind, times in repairs.items())
        taken.notes.append(
            f"<{name}>: {REPAIRED} {amount(len(repaired), 'item')}: {kinds}, "
            f"first [{repaired[0]}]"
        )
    return taken


def from_relations(
    relations: Iterable[Iterable[Any]],
    *,
    texts: Sequence[str] | None = None,
    tokens: Words | None = None,
    ids: Iterable[Any] | None = None,
    name: str = "relations",
) -> Taken:
    """Make graphs of relations between two entities.

    Args:
        relations: those of each item: ``(head, relation, tail)``, or dicts with these.
            An entity is its words, ``(words, type)``, ``(first, last, type)`` in tokens
            (without tokens, in characters), or a dict.
        texts: the text of each item, in which words are found.
        tokens: the words of each item, instead.
        ids: the id of each item; without, items pair by their order.
        name: what messages call them.

    Returns:
        A graph of the framework ``relation`` for each item.

    Raises:
        InputError: if something is no relation.

    Example:
        >>> wrote = ("Ada", "wrote", "notes")
        >>> [graph] = from_relations([[wrote]], texts=["Ada wrote notes"])
        >>> graph.framework, [node.label for node in graph.nodes]
        ('relation', [None, None, 'wrote'])
    """
    return _of_lists("triples", relations, texts, tokens, ids, name)


def from_events(
    events: Iterable[Iterable[Any]],
    *,
    texts: Sequence[str] | None = None,
    tokens: Words | None = None,
    ids: Iterable[Any] | None = None,
    name: str = "events",
) -> Taken:
    """Make graphs of events.

    Args:
        events: those of each item: dicts with ``trigger``, ``event_type`` and
            ``arguments``, which are lists of entities by role, or dicts with ``role``.
            Trigger and arguments are as the entities of :func:`from_relations`.
        texts: the text of each item, in which words are found.
        tokens: the words of each item, instead.
        ids: the id of each item; without, items pair by their order.
        name: what messages call them.

    Returns:
        A graph of the framework ``event`` for each item.

    Raises:
        InputError: if something is no event.

    Example:
        >>> left = {"trigger": "left", "type": "Move", "arguments": {"Who": ["Ada"]}}
        >>> [graph] = from_events([[left]], texts=["Ada left"])
        >>> graph.framework, [node.label for node in graph.nodes]
        ('event', [None, 'Move'])
    """
    return _of_lists("events", events, texts, tokens, ids, name)


def _of_lists(
    key: str,
    lists: Iterable[Iterable[Any]],
    texts: Sequence[str] | None,
    tokens: Words | None,
    ids: Iterable[Any] | None,
    name: str,
) -> Taken:
    """Graphs of lists that stand under a key of dicts."""
    items: list[dict[str, Any]] = [{key: list(values)} for values in lists]
    for words, values in (("text", texts), ("tokens", tokens)):
        if values is not None and len(values) != len(items):
            found = f"{len(values)} {words}"
            raise refusal(name, words, found, f"{len(items)}, one for each item")
        for item, value in zip(items, values or (), strict=False):
            item[words] = value
    return from_dicts(items, ids=ids, name=name)


class _ClassReader:
    """Dicts as objects of a dataclass.

    Args:
        cls: the class.
    """

    def __init__(self, cls: type[Any]) -> None:
        # Few have classes of their own.
        from graphscore.formats.dataclass_reader import Keys, check_readable

        cls = as_dataclass(cls)
        check_readable(cls.__name__, cls)
        self.cls, self.keys = cls, Keys(cls)

    def records(self, fields: dict[str, Any]) -> Iterator[ReadGraph]:
        """The graph of an object.

        Args:
            fields: its fields by name; those that the class does not have are counted.

        Raises:
            ValueError: with what was found and expected, if a value does not fit.
        """
        yield ReadGraph(1, self.graph(object_of(self.cls, fields)))
        others = aliases(self.cls)
        known = {key: held for key, held in fields.items() if key not in others}
        self.keys.see(msgspec.json.encode(known))

    def graph(self, value: Any) -> Graph:
        """The graph of an object.

        Args:
            value: the object.

        Raises:
            ValueError: with what was found and expected, if it is not as its class.
        """
        from graphscore.structures.objects.dataclasses import to_graph
        from graphscore.structures.objects.field_types import StructureError
        from graphscore.structures.objects.ids import id_of

        try:
            return to_graph(value, self.cls, id=id_of(self.cls, value))
        except StructureError as error:
            raise ValueError(f"{error.where}: {error.found}", error.expected) from None


def _fill_frameworks(graphs: list[dict[str, Graph]], named: list[str]) -> Taken:
    """Graphs of all frameworks for each item; of one that is rejected, empty ones."""
    frameworks = dict.fromkeys(name for item in graphs for name in item)
    has_ids = any(graph.id for item in graphs for graph in item.values())
    taken, offsets = Taken(), set()
    for id, item in zip(named, graphs, strict=True):
        if not item and has_ids:
            continue
        some = next(iter(item.values()), Graph(id, NER))
        for framework in frameworks or (NER,):
            if not item:
                offsets.add(len(taken))
            taken.append(
                item.get(framework)
                or Graph(some.id, framework, 1, text=some.text, tokens=some.tokens)
            )
    taken.places = frozenset(offsets)
    return taken


def _problems_of(
    records: Iterable[ReadGraph | Rejected], file: str, number: int
) -> list[Problem]:
    """List the problems of the records of an item, each with its location."""
    problems = [
        problem
        for record in records
        for problem in (
            record.problems if isinstance(record, Rejected) else record.left_out
        )
    ]
    return [
        problem._replace(
            file=file,
            line=None,
            column=None,
            where=f"[{number}]{problem.where and ': '}{problem.where}",
        )
        for problem in problems
    ]


def as_dict(value: Any) -> Mapping[Any, Any] | None:
    """Return what an object says by names; nothing of one that is not like a dict.

    Args:
        value: a dict, a model of pydantic, a struct of msgspec or an object of attrs.
    """
    if isinstance(value, Mapping):
        return value
    if isinstance(value, type | Graph):
        return None
    if isinstance(value, msgspec.Struct) or hasattr(value, "__attrs_attrs__"):
        to_builtins = msgspec.to_builtins(value, enc_hook=_by_dump)
        return to_builtins if isinstance(to_builtins, dict) else None
    return _by_dump(value) if hasattr(value, "model_dump") else None


def _by_dump(value: Any) -> Any:
    return value.model_dump(mode="json")


def _fields_of(value: Any, repair: bool) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The fields of an item, and what was undone."""
    repairs: tuple[str, ...] = ()
    if isinstance(value, str):
        try:
            value, repairs = decode_json(value, repair)
        except ValueError as error:
            raise ValueError(str(error), "one whole value of JSON") from None
        if isinstance(value, list):
            value = {ENTITIES[0]: value}
    fields = as_dict(value)
    if fields is None:
        # A call that failed mostly leaves nothing.
        raise ValueError(*(["None", "an answer"] if value is None else [repr(value)]))
    return {str(key): held for key, held in fields.items()}, repairs


def _records(
    fields: dict[str, Any], reader: DictReader
) -> Iterator[ReadGraph | Rejected]:
    """The records of an item."""
    words, tags = first_key(fields, TOKENS), first_key(fields, TAGS)
    if words and tags and are_strings(fields[words]) and _is_flat(fields[tags]):
        yield from reader.records(
            {
                "tokens": fields[words],
                "tags": fields[tags],
                "id": fields.get(first_key(fields, IDS)),
            }
        )
        return
    related = any(fields.get(key) for key in (*TRIPLES, *EVENTS))
    records: list[ReadGraph | Rejected] = []
    if not is_by_words(fields):
        try:
            records = list(reader.records(as_lines_have_them(fields)))
        except UnlikeError:
            if not first_key(fields, (*ENTITIES, *TRIPLES, *EVENTS)):
                keys = ", ".join(fields) or "(none)"
                raise ValueError(f"the keys {keys}") from None
    # Formats of spans do not look at what is between these.
    if related and all(_framework_of(record) == NER for record in records):
        records = []
    yield from records or (ReadGraph(1, graph) for graph in graphs_of_item(fields))


def _framework_of(record: ReadGraph | Rejected) -> str:
    return record.graph.framework if isinstance(record, ReadGraph) else record.framework


def _is_flat(value: Any) -> bool:
    return isinstance(value, list | tuple) and not any(
        isinstance(x, list | tuple | dict) for x in value
    )
