"""Entities, relations and events as dicts of programs and language models have them.

They stand under many keys.  An entity is its words, perhaps with a type, or has a
place: two numbers, which are characters in dicts, and in tuples tokens, where there
are any.

>>> fields = {"text": "Ada left", "events": [{"trigger": "left", "type": "Move"}]}
>>> [graph] = graphs_of_item(fields)
>>> graph.framework, graph.nodes[0].label, graph.nodes[0].anchors
('event', 'Move', (Anchor(start=4, end=8),))
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from graphscore.formats.shared.span_fields import TEXT, WORDS, text_mismatch, types_of
from graphscore.inputs.columns import (
    EVENTS,
    IDS,
    TOKENS,
    TRIPLES,
    first_key,
    identity,
)
from graphscore.inputs.spans import ENDS, STARTS, is_number
from graphscore.inputs.spans import LABEL as SPACY_LABEL
from graphscore.model.graph import Anchor, Graph, Node, NodeId
from graphscore.model.joined_tokens import join_tokens
from graphscore.structures import layout
from graphscore.structures.entities.tags import TYPE_KEYS
from graphscore.structures.layout import NER, Argument, LayoutBuilder

ENTITIES = ("entities", "named_entities", "ents", "mentions", "spans")
"""Keys of a dict, the first that is there."""

_SURFACE = (TEXT, "mention", "span", *WORDS, "name", "entity")
_TRIGGER = ("trigger", *_SURFACE)
_HEADS = ("head", "subject", "subj", "source", "arg1")
_TAILS = ("tail", "object", "obj", "target", "arg2")
_RELATION = ("relation", "predicate", "relation_type", *TYPE_KEYS)
_EVENT_TYPES = ("event_type", *TYPE_KEYS)
_ARGUMENTS = ("arguments", "args", "roles")
_REFERENCES = ("entity_id", "mention_id", "id", "ref")


def as_lines_have_them(fields: dict[str, Any]) -> dict[str, Any]:
    """Return a dict whose spans have their places under the keys of files.

    Args:
        fields: an item.
    """
    key = first_key(fields, ENTITIES)
    if not key or not isinstance(fields[key], list | tuple):
        return fields
    return {**fields, key: list(map(_as_file_has_it, fields[key]))}


def _as_file_has_it(value: Any) -> Any:
    if isinstance(value, Mapping):
        start, end = first_key(value, STARTS), first_key(value, ENDS)
        names = {start: "start", end: "end", SPACY_LABEL: "label"}
        if (
            not start
            or not end
            or (start in names.values() and SPACY_LABEL not in value)
        ):
            return value
        kept = {k: x for k, x in value.items() if k in names or k not in names.values()}
        return {names.get(key, key): held for key, held in kept.items()}
    if (
        isinstance(value, list | tuple)
        and len(value) == 3
        and isinstance(value[0], str)
    ):
        return [*value[1:], value[0]] if all(map(is_number, value[1:])) else value
    return value


def are_strings(value: Any) -> bool:
    """Return whether a value is a list of strings."""
    return isinstance(value, list | tuple) and all(isinstance(x, str) for x in value)


def is_by_words(fields: dict[str, Any]) -> bool:
    """Return whether an item gives its annotations by words, and nothing by offsets.

    Args:
        fields: an item.
    """
    keys = (first_key(fields, names) for names in (ENTITIES, TRIPLES, EVENTS))
    lists = [fields[key] for key in keys if key]
    known = {*TOKENS, *ENTITIES, *TRIPLES, *EVENTS, *IDS, TEXT}
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


def graphs_of_item(fields: dict[str, Any]) -> Iterator[Graph]:
    """Make the graphs of an item by its usual keys, over its text, if any.

    Args:
        fields: an item.

    Raises:
        ValueError: with what was found, and perhaps expected, if it is none.
    """
    text: Any = fields.get(TEXT) or ""
    words = first_key(fields, TOKENS)
    tokens: tuple[Anchor, ...] = ()
    if not isinstance(text, str):
        raise ValueError(f"the text {text!r}")
    if words and are_strings(fields[words]):
        text, tokens = join_tokens(fields[words])
    entities = fields.get(first_key(fields, ENTITIES)) or []
    for framework, keys, add in (
        (NER, ENTITIES, _Mentions.add_entity),
        (layout.RELATIONS, TRIPLES, _Mentions.add_triple),
        (layout.EVENTS, EVENTS, _Mentions.add_event),
    ):
        key = first_key(fields, keys)
        if key:
            mentions = _Mentions(text, tokens, entities)
            for value in _elements(fields[key]):
                add(mentions, value)
            graph = mentions.build.graph(identity(fields), framework)
            yield locate_words(graph, text, tokens)


def _elements(value: Any) -> list[Any]:
    """The elements of a list, or of lists by their labels."""
    if isinstance(value, Mapping):
        if not all(map(are_strings, value.values())):
            raise ValueError(f"{value!r} instead of lists of strings by labels")
        return [(text, label) for label, texts in value.items() for text in texts]
    if not isinstance(value, list | tuple):
        raise ValueError(f"{value!r} instead of a list")
    return list(value)


class _Mention(NamedTuple):
    """Words, type and place of an entity, as far as it says them."""

    text: str | None
    label: str | None
    anchor: Anchor | None


class _Mentions:
    """A graph on its way, whose arguments are one where they are the same.

    Args:
        text: the text of the item, if it is known.
        tokens: its tokens, which tuples count; without, they count characters.
        entities: what relations and events refer to by id or number.
    """

    def __init__(self, text: str, tokens: Sequence[Anchor], entities: Any) -> None:
        self.text, self.tokens = text, tokens
        self.build = LayoutBuilder()
        self._nodes: dict[_Mention, NodeId] = {}
        self._entities: dict[Any, Any] = {}
        if isinstance(entities, list | tuple):
            self._entities = dict(enumerate(entities))
            for value in entities:
                if isinstance(value, Mapping) and "id" in value:
                    self._entities[value["id"]] = value

    def add_entity(self, value: Any) -> None:
        """Add an entity; equal ones are several."""
        self._mention(self._read(value))

    def add_triple(self, value: Any) -> None:
        """Add a relation between two entities."""
        if isinstance(value, list | tuple) and len(value) == 3:
            head, relation, tail = value
        elif isinstance(value, Mapping):
            keys = [first_key(value, keys) for keys in (_HEADS, _RELATION, _TAILS)]
            head, relation, tail = (value.get(key) for key in keys)
        else:
            raise ValueError(f"the triple {value!r}")
        if not isinstance(relation, str):
            raise ValueError(f"the triple {value!r}")
        both = [
            Argument(role, self._argument(filler))
            for role, filler in (("head", head), ("tail", tail))
        ]
        self.build.relation(relation, both)

    def add_event(self, value: Any) -> None:
        """Add an event: its trigger and arguments."""
        if not isinstance(value, Mapping):
            raise ValueError(f"the event {value!r}")
        trigger = first_key(value, _TRIGGER)
        type_key = first_key(value, _EVENT_TYPES)
        words, own_label, anchor = self._read(value.get(trigger))
        label = own_label if type_key in ("", trigger) else value[type_key]
        listed = value.get(first_key(value, _ARGUMENTS)) or []
        if not isinstance(label, str):
            raise ValueError(f"the event {value!r}")
        arguments = []
        if isinstance(listed, Mapping):
            for role, fillers in listed.items():
                several = fillers if isinstance(fillers, list | tuple) else [fillers]
                arguments += [Argument(role, self._argument(x)) for x in several]
        else:
            for argument in listed:
                role = argument.get("role") if isinstance(argument, Mapping) else None
                if not isinstance(role, str):
                    raise ValueError(f"the argument {argument!r}")
                rest = {key: held for key, held in argument.items() if key != "role"}
                arguments.append(Argument(role, self._argument(rest)))
        anchors = () if anchor is None else (anchor,)
        properties = ((TEXT, words),) if anchor is None else ()
        self.build.trigger(label, anchors, arguments, properties)

    def _argument(self, value: Any) -> NodeId:
        """The node of an argument; one of the same words and place is the same."""
        if is_number(value) or (isinstance(value, str) and value in self._entities):
            value = self._entities.get(value, value)
        elif isinstance(value, Mapping):
            reference = value.get(first_key(value, _REFERENCES))
            if isinstance(reference, str | int):
                value = self._entities.get(reference, value)
        mention = self._read(value)
        if mention not in self._nodes:
            self._nodes[mention] = self._mention(mention)
        return self._nodes[mention]

    def _mention(self, mention: _Mention) -> NodeId:
        text, label, anchor = mention
        if anchor is None:
            return self.build.mention(label, text=text)
        return self.build.mention(label, (anchor,))

    def _read(self, value: Any) -> _Mention:
        """Words, type and place of an entity."""
        if isinstance(value, str) and value.strip():
            return _Mention(value, None, None)
        if are_strings(value) and len(value) == 2 and value[0].strip():
            return _Mention(value[0], value[1], None)
        if isinstance(value, Mapping):
            return self._of_fields(value)
        if isinstance(value, list | tuple):
            numbers = [x for x in value if is_number(x)]
            labels = [x for x in value if isinstance(x, str) or x is None]
            if len(numbers) == 2 and len(labels) == len(value) - 2 <= 1:
                anchor = self._tuple_anchor(*numbers)
                return _Mention(None, labels[0] if labels else None, anchor)
        raise ValueError(f"the entity {value!r}")

    def _of_fields(self, fields: Mapping[Any, Any]) -> _Mention:
        """Words, type and place of an entity that is a dict."""
        start, end = first_key(fields, STARTS), first_key(fields, ENDS)
        numbers = [fields[key] for key in (start, end) if key]
        key = first_key(fields, _SURFACE)
        rest = {name: held for name, held in fields.items() if name != key}
        _, labels = types_of({"label": fields.get(SPACY_LABEL), **rest}, None)
        words, label = fields.get(key), labels[0] if labels else None
        if len(labels) < 2 and (label is None or isinstance(label, str)):
            if len(numbers) == 2 and all(map(is_number, numbers)):
                anchor = self._anchor(*numbers)
                own = fields.get(TEXT)
                if self.text and isinstance(own, str):
                    wrong = text_mismatch(own, *anchor, self.text)
                    if wrong is not None:
                        raise ValueError(*wrong)
                return _Mention(None, label, anchor)
            if isinstance(words, str) and words.strip():
                return _Mention(words, label, None)
        raise ValueError(f"the entity {fields!r}")

    def _tuple_anchor(self, first: int, last: int) -> Anchor:
        """The characters of a tuple: it counts tokens, where there are any."""
        if not self.tokens:
            return self._anchor(first, last)
        if not 0 <= first <= last < len(self.tokens):
            expected = f"0 ≤ first ≤ last < {len(self.tokens)}, as there are tokens"
            raise ValueError(f"tokens {first} to {last}", expected)
        return Anchor(self.tokens[first].start, self.tokens[last].end)

    def _anchor(self, start: int, end: int) -> Anchor:
        if not 0 <= start < end or (self.text and end > len(self.text)):
            most = f" ≤ {len(self.text)}, as long as the text" if self.text else ""
            raise ValueError(f"characters {start} to {end}", f"0 ≤ start < end{most}")
        return Anchor(int(start), int(end))


def locate_words(graph: Graph, text: str, tokens: tuple[Anchor, ...] = ()) -> Graph:
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
        nodes.append(_with_anchor(node, occurrence))
    return msgspec.structs.replace(graph, text=text, tokens=tokens, nodes=tuple(nodes))


def _with_anchor(node: Node, anchor: Anchor) -> Node:
    rest = tuple(pair for pair in node.properties if pair[0] != TEXT)
    return msgspec.structs.replace(node, anchors=(anchor,), properties=rest)


def _occurrences(words: str, text: str) -> list[Anchor]:
    """Return the occurrences of words, with any blanks between; whole words first."""
    pattern = r"\s+".join(map(re.escape, words.split()))
    whole = (r"\b" if words.strip()[0].isalnum() else "") + pattern
    whole += r"\b" if words.strip()[-1].isalnum() else ""
    for tried in (whole, pattern):
        if anchors := [Anchor(*match.span()) for match in re.finditer(tried, text)]:
            return anchors
    return []


def unplaced_words(graph: Graph) -> list[str]:
    """Return the words of the nodes of a graph that have no place.

    Args:
        graph: a graph of :func:`from_dicts`.
    """
    return [
        str(words)
        for node in graph.nodes
        if not node.anchors and (words := dict(node.properties).get(TEXT)) is not None
    ]
