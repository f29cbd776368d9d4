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

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from graphscore.duplicates import invalid
from graphscore.exceptions import InputError, Problem, amount, truncate
from graphscore.formats.base import ReadGraph, Rejected
from graphscore.formats.function_reader import DictReader, UnlikeError
from graphscore.formats.raw_text import joined
from graphscore.formats.shared.span_fields import TEXT, WORDS, types_of
from graphscore.inputs.base import REPAIRED, Taken, names_of
from graphscore.inputs.json_texts import decoded
from graphscore.model.graph import Anchor, Graph, Node, NodeId
from graphscore.structures.entities.tags import TYPE_KEYS
from graphscore.structures.layout import (
    EVENTS,
    NER,
    RELATIONS,
    Argument,
    LayoutBuilder,
)

TOKENS = ("tokens", "words")
TAGS = ("tags", "ner_tags", "ner", "labels")
ENTITIES = ("entities", "named_entities", "ents", "mentions")
TRIPLES = ("triples", "relations", "triplets")
EVENT_LISTS = ("events",)
IDS = ("id", "doc_id", "sent_id")
"""Keys of a dict, the first that is there."""

_SURFACE = (TEXT, "mention", "span", *WORDS, "name", "entity")
_TRIGGER = ("trigger", *_SURFACE)
_HEADS, _TAILS = ("head", "subject", "arg1"), ("tail", "object", "arg2")
_RELATION = ("relation", "predicate", *TYPE_KEYS)
_EVENT_TYPES = ("event_type", *TYPE_KEYS)
_ARGUMENTS = ("arguments", "args", "roles")

_EXPECTED = (
    f"one of the keys {', '.join((*ENTITIES[:1], *TRIPLES[:1], *EVENT_LISTS))}, tokens "
    "with tags, or a line of a JSON format that graphscore formats lists"
)


def from_dicts(
    items: Iterable[Any],
    *,
    of: type[Any] | None = None,
    ids: Iterable[Any] | None = None,
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
            fields, undone = _fields_of(value, repair)
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
    taken = _filled(graphs, named)
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


class _ClassReader:
    """Dicts as objects of a dataclass.

    Args:
        cls: the class.
    """

    def __init__(self, cls: type[Any]) -> None:
        # Few have classes of their own.
        from graphscore.formats.dataclass_reader import Keys, check_readable

        check_readable(cls.__name__, cls)
        self.cls, self.keys = cls, Keys(cls)

    def records(self, fields: dict[str, Any]) -> Iterator[ReadGraph]:
        """The graph of an object.

        Args:
            fields: its fields by name; those that the class does not have are counted.

        Raises:
            ValueError: with what was found and expected, if a value does not fit.
        """
        from graphscore.structures.objects.dataclasses import to_graph
        from graphscore.structures.objects.field_types import StructureError
        from graphscore.structures.objects.ids import id_of

        try:
            value = msgspec.convert(fields, self.cls)
            graph = to_graph(value, self.cls, id=id_of(self.cls, value))
        except msgspec.ValidationError as error:
            where, found, expected = invalid(error)
            raise ValueError(f"{where}: {found}", expected) from None
        except StructureError as error:
            raise ValueError(f"{error.where}: {error.found}", error.expected) from None
        self.keys.see(msgspec.json.encode(fields))
        yield ReadGraph(1, graph)


def _filled(graphs: list[dict[str, Graph]], named: list[str]) -> Taken:
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
            value, repairs = decoded(value, repair)
        except ValueError as error:
            raise ValueError(str(error), "one whole value of JSON") from None
        if isinstance(value, list):
            value = {ENTITIES[0]: value}
    fields = as_dict(value)
    if fields is None:
        raise ValueError(repr(value))
    return {str(key): held for key, held in fields.items()}, repairs


def _records(
    fields: dict[str, Any], reader: DictReader
) -> Iterator[ReadGraph | Rejected]:
    """The records of an item."""
    words, tags = _first(fields, TOKENS), _first(fields, TAGS)
    if words and tags and _are_strings(fields[words]) and _is_flat(fields[tags]):
        yield from reader.records(
            {
                "tokens": fields[words],
                "tags": fields[tags],
                "id": fields.get(_first(fields, IDS)),
            }
        )
    elif _is_by_words(fields):
        for graph in _by_words(fields, words):
            yield ReadGraph(1, graph)
    else:
        try:
            yield from reader.records(fields)
        except UnlikeError:
            raise ValueError(f"the keys {', '.join(fields) or '(none)'}") from None


def _first(fields: Mapping[Any, Any], keys: Iterable[str]) -> str:
    """The first key that says something; empty where none does."""
    return next((key for key in keys if fields.get(key) is not None), "")


def _are_strings(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(x, str) for x in value)


def _is_flat(value: Any) -> bool:
    return isinstance(value, list | tuple) and not any(
        isinstance(x, list | tuple | dict) for x in value
    )


def _is_by_words(fields: dict[str, Any]) -> bool:
    """Return whether an item gives its annotations by words, and nothing by offsets."""
    keys = (_first(fields, names) for names in (ENTITIES, TRIPLES, EVENT_LISTS))
    lists = [fields[key] for key in keys if key]
    known = {*TOKENS, *ENTITIES, *TRIPLES, *EVENT_LISTS, *IDS, TEXT}
    by_words = any(map(bool, lists)) or known.issuperset(fields)
    return bool(lists) and by_words and not any(map(_has_numbers, lists))


def _has_numbers(value: Any) -> bool:
    """Return whether there are numbers, or references, as in formats of files."""
    if isinstance(value, Mapping):
        return any(
            _has_numbers(held) for key, held in value.items() if key not in _SURE
        )
    if isinstance(value, list | tuple):
        return any(map(_has_numbers, value))
    return isinstance(value, int | float) and not isinstance(value, bool)


_SURE = frozenset({"score", "confidence", "probability"})


def _by_words(fields: dict[str, Any], words: str) -> Iterator[Graph]:
    """The graphs of an item that says what it has by words, over its text, if any."""
    text: Any = fields.get(TEXT) or ""
    tokens: tuple[Anchor, ...] = ()
    if not isinstance(text, str):
        raise ValueError(f"the text {text!r}")
    if words and _are_strings(fields[words]):
        text, tokens = joined(fields[words])
    id = fields.get(_first(fields, IDS))
    for framework, keys, add in (
        (NER, ENTITIES, _add_entity),
        (RELATIONS, TRIPLES, _add_triple),
        (EVENTS, EVENT_LISTS, _add_event),
    ):
        key = _first(fields, keys)
        if key:
            build, mentions = LayoutBuilder(), _Mentions()
            for value in _elements(fields[key]):
                add(build, mentions, value)
            graph = build.graph("" if id is None else str(id), framework)
            yield located(graph, text, tokens)


def _elements(value: Any) -> list[Any]:
    """The elements of a list, or of lists by their labels."""
    if isinstance(value, Mapping):
        if not all(map(_are_strings, value.values())):
            raise ValueError(f"{value!r} instead of lists of strings by labels")
        return [(text, label) for label, texts in value.items() for text in texts]
    if not isinstance(value, list | tuple):
        raise ValueError(f"{value!r} instead of a list")
    return list(value)


class _Mentions(dict[tuple[str, Any], NodeId]):
    """Arguments that were mentioned before: one of the same words is the same."""

    def add(self, build: LayoutBuilder, value: Any) -> NodeId:
        text, label = _entity(value)
        if (text, label) not in self:
            self[text, label] = build.mention(label, text=text)
        return self[text, label]


def _entity(value: Any) -> tuple[str, str | None]:
    """The words of an entity, and its type."""
    if isinstance(value, str) and value.strip():
        return value, None
    if _are_strings(value) and len(value) == 2 and value[0].strip():
        return value[0], value[1]
    if isinstance(value, Mapping):
        key = _first(value, _SURFACE)
        rest = {other: held for other, held in value.items() if other != key}
        _, labels = types_of(rest, None)
        if isinstance(value.get(key), str) and value[key].strip() and len(labels) < 2:
            label = labels[0] if labels else None
            if label is None or isinstance(label, str):
                return value[key], label
    raise ValueError(f"the entity {value!r}")


def _add_entity(build: LayoutBuilder, _: _Mentions, value: Any) -> None:
    text, label = _entity(value)
    build.mention(label, text=text)


def _add_triple(build: LayoutBuilder, mentions: _Mentions, value: Any) -> None:
    if isinstance(value, list | tuple) and len(value) == 3:
        head, relation, tail = value
    elif isinstance(value, Mapping):
        keys = [_first(value, keys) for keys in (_HEADS, _RELATION, _TAILS)]
        head, relation, tail = (value.get(key) for key in keys)
    else:
        raise ValueError(f"the triple {value!r}")
    if not isinstance(relation, str):
        raise ValueError(f"the triple {value!r}")
    both = [
        Argument(role, mentions.add(build, filler))
        for role, filler in (("head", head), ("tail", tail))
    ]
    build.relation(relation, both)


def _add_event(build: LayoutBuilder, mentions: _Mentions, value: Any) -> None:
    if not isinstance(value, Mapping):
        raise ValueError(f"the event {value!r}")
    trigger, type_key = value.get(_first(value, _TRIGGER)), _first(value, _EVENT_TYPES)
    words, _ = _entity(trigger)
    label = value.get(type_key)
    given = value.get(_first(value, _ARGUMENTS)) or []
    if not isinstance(label, str) or type_key == _first(value, _TRIGGER):
        raise ValueError(f"the event {value!r}")
    arguments = []
    if isinstance(given, Mapping):
        for role, fillers in given.items():
            several = fillers if isinstance(fillers, list | tuple) else [fillers]
            arguments += [Argument(role, mentions.add(build, x)) for x in several]
    else:
        for argument in given:
            role = argument.get("role") if isinstance(argument, Mapping) else None
            if not isinstance(role, str):
                raise ValueError(f"the argument {argument!r}")
            rest = {key: held for key, held in argument.items() if key != "role"}
            arguments.append(Argument(role, mentions.add(build, rest)))
    build.trigger(label, arguments=arguments, properties=((TEXT, words),))


def located(graph: Graph, text: str, tokens: tuple[Anchor, ...] = ()) -> Graph:
    """Find the words of a graph in a text; what does not occur keeps no place.

    The first entity of some words is where they occur first, the second where they
    occur next.  Entities of the same words and different types may share a place.

    Args:
        graph: a graph whose nodes have words instead of places.
        text: what they occur in; without, nothing is found.
        tokens: its tokens.
    """
    if not text:
        return graph
    taken: dict[tuple[Anchor, Any], None] = {}
    used: Counter[str] = Counter()
    nodes = []
    for node in graph.nodes:
        words = dict(node.properties).get(TEXT)
        if node.anchors or not isinstance(words, str):
            nodes.append(node)
            continue
        occurrences = _occurrences(words, text)
        if used[words] < len(occurrences):
            occurrence = occurrences[used[words]]
            used[words] += 1
        else:
            free = [x for x in occurrences if (x, node.label) not in taken]
            if not free:
                nodes.append(node)
                continue
            occurrence = free[0]
        taken[occurrence, node.label] = None
        nodes.append(_placed(node, occurrence))
    return msgspec.structs.replace(graph, text=text, tokens=tokens, nodes=tuple(nodes))


def _placed(node: Node, place: Anchor) -> Node:
    rest = tuple(pair for pair in node.properties if pair[0] != TEXT)
    return msgspec.structs.replace(node, anchors=(place,), properties=rest)


def _occurrences(words: str, text: str) -> list[Anchor]:
    """Return the occurrences of words, with any blanks between; whole words first."""
    pattern = r"\s+".join(map(re.escape, words.split()))
    whole = (r"\b" if words.strip()[0].isalnum() else "") + pattern
    whole += r"\b" if words.strip()[-1].isalnum() else ""
    for tried in (whole, pattern):
        if anchors := [Anchor(*match.span()) for match in re.finditer(tried, text)]:
            return anchors
    return []


def unplaced(graph: Graph) -> list[str]:
    """Return the words of the nodes of a graph that have no place.

    Args:
        graph: a graph of :func:`from_dicts`.
    """
    return [
        str(words)
        for node in graph.nodes
        if not node.anchors and (words := dict(node.properties).get(TEXT)) is not None
    ]
