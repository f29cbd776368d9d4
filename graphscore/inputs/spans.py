"""Labelled spans: tuples that count tokens, dicts that count characters.

A tuple has its numbers and its label in either order; the second number is the last
token, as in CoNLL, or with ``ends="exclusive"`` the one after it.  A dict, or an object
with such attributes, counts characters, end excluded, whatever ``ends`` says; its type
may stand under several keys, and several types are several entities.

A span without a type is an error, unless no span has one; so is one whose own ``text``
is not what it covers.

>>> [graph] = from_spans([[("PER", 0, 1), (3, 3, "LOC")]])
>>> graph.text, [(node.label, *node.anchors) for node in graph.nodes]
('0 1 2 3', [('PER', Anchor(start=0, end=3)), ('LOC', Anchor(start=6, end=7))])
>>> ada = {"start": 0, "end": 3, "label": "PER"}
>>> [graph] = from_spans([[ada]], texts=["Ada wrote"])
>>> graph.text, graph.nodes[0].anchors
('Ada wrote', (Anchor(start=0, end=3),))
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from numbers import Integral
from typing import Any, NamedTuple

from graphscore.exceptions import UsageError
from graphscore.formats.shared.span_fields import TEXT, text_mismatch, types_of
from graphscore.inputs.base import (
    Ends,
    Words,
    names_of,
    numbered_text,
    refusal,
    texts_of,
)
from graphscore.model.graph import Anchor, Graph
from graphscore.structures.entities.tags import TYPE_KEYS
from graphscore.structures.layout import NER, LayoutBuilder

STARTS = ("start_char", "start_offset", "char_start", "start", "begin")
ENDS = ("end_char", "end_offset", "char_end", "end")
"""Keys of its characters; who has the longer ones counts tokens in the others."""

LABEL = "label_"
"""The attribute of spaCy's spans that has the type as a text."""

# Pipelines that join no tokens say under this key what each of them is tagged as.
_TAG = re.compile("[BI]-.")

_SHAPE = "a span: (first, last, label), (label, first, last) or (first, last)"

_KEYS = "a dict with start and end, in characters, and a label"

WORD = "word"
"""The key under which pipelines of transformers say the words, not as they stand."""


class Span(NamedTuple):
    """A span as it was given, in tokens with the last one included."""

    start: int
    end: int
    label: str | None


def from_spans(
    spans: Iterable[Iterable[Any]],
    *,
    tokens: Words | None = None,
    texts: Sequence[str] | None = None,
    ids: Iterable[Any] | None = None,
    ends: Ends = "inclusive",
    name: str = "spans",
) -> list[Graph]:
    """Named entities, or whatever has a label, from spans of tokens or characters.

    Args:
        spans: those of each item: ``(first, last, label)``, ``(label, first, last)`` or
            ``(first, last)`` in tokens from 0, or dicts with ``start``, ``end`` and
            ``label`` in characters, end excluded, or objects with such attributes.
        tokens: the words of each item; without, tokens go by their numbers.
        texts: the text of each item, of dicts.
        ids: the id of each item; without, items pair by their order.
        ends: whether the second number is the last token or the one after it.
        name: what messages call them.

    Returns:
        A graph of the framework ``ner`` for each item.

    Raises:
        InputError: if a span is none, or not within its words; if it has no type,
            and another has; if its own text is not what it covers.
        UsageError: if ``ends`` is something else.
    """
    after = after_of(ends)
    items = [list(span) for span in spans]
    result = []
    typed: dict[bool, tuple[str, list[str]]] = {}
    for number, (item, id) in enumerate(
        zip(items, names_of(name, items, ids), strict=True)
    ):
        where = f"[{number}]"
        if any(fields_of(value) is not None for value in item):
            text = _text(name, number, texts)
            result.append(_in_characters(name, where, item, text, id, typed))
            check_texts(name, where, result[-1])
            continue
        read = [
            span_of(name, f"{where}[{index}]", value, after)
            for index, value in enumerate(item)
        ]
        texts_given = texts_of(name, number, tokens)
        text, anchors = texts_given or numbered_text(
            max((span.end + 1 for span in read), default=0)
        )
        build = LayoutBuilder()
        for index, (first, last, label) in enumerate(read):
            typed.setdefault(bool(label), (f"{where}[{index}]", []))
            if last >= len(anchors):
                expected = f"tokens up to {len(anchors) - 1}"
                raise refusal(name, f"{where}[{index}]", f"token {last}", expected)
            anchor = Anchor(anchors[first].start, anchors[last].end)
            build.mention(label, (anchor,))
        result.append(build.graph(id, NER, text=text, tokens=anchors))
    if len(typed) == 2:
        from graphscore.structures.entities.span_types import EXPECTED_TYPE, untyped

        at, keys = typed[False]
        raise refusal(name, at, untyped(keys), EXPECTED_TYPE)
    return result


def _in_characters(
    name: str,
    where: str,
    item: Sequence[Any],
    text: str | None,
    id: str,
    typed: dict[bool, tuple[str, list[str]]],
) -> Graph:
    """A graph of spans that count characters.

    Args:
        name: what messages call them.
        where: the place of the item.
        item: its spans.
        text: its text, if that is known.
        id: its id.
        typed: gets the place and the keys of a span that has a type, and has none.
    """
    build = LayoutBuilder()
    for index, value in enumerate(item):
        at = f"{where}[{index}]"
        fields, labels, anchor = _of_characters(name, at, value, text)
        typed.setdefault(bool(labels), (at, [*map(str, fields)]))
        # Who has the text, or types, may be known later.
        kept = (TEXT,) if labels else (*map(str, fields),)
        extra = tuple((k, fields[k]) for k in kept if type(fields.get(k)) in (str, int))
        for label in labels or (None,):
            build.mention(label, (anchor,), extra=extra)
    return build.graph(id, NER, text=text or "")


def fields_of(value: Any) -> Mapping[Any, Any] | None:
    """Return what a span of characters says, by names; nothing of any other value.

    Args:
        value: a dict, or an object with such attributes.
    """
    if isinstance(value, Mapping):
        return value if _first_keys(value, STARTS, ENDS) else None
    if isinstance(value, str | Sequence | type):
        return None
    names = (*STARTS, *ENDS, LABEL, *TYPE_KEYS, TEXT)
    fields = {name: getattr(value, name) for name in names if hasattr(value, name)}
    if not all(is_number(fields.get(key)) for key in _first_keys(fields, STARTS, ENDS)):
        return None
    if isinstance(fields.get(LABEL), str):
        fields["label"] = fields.pop(LABEL)
    return fields if _first_keys(fields, STARTS, ENDS) else None


def check_texts(name: str, where: str, graph: Graph) -> None:
    """Fail if the text that a span says itself is not what it covers.

    Args:
        name: what it is of, in messages.
        where: the place of its item.
        graph: the item; without a text nothing is known.

    Raises:
        InputError: with both texts.
    """
    for node in graph.nodes if graph.text else ():
        own = dict(node.extra).get(TEXT)
        if own and isinstance(own, str):
            wrong = text_mismatch(own, *node.anchors[0], graph.text)
            if wrong is not None:
                raise refusal(name, f"{where}: {TEXT}", *wrong)


def after_of(ends: str) -> bool:
    """Return whether the second number of a span is the token after its last.

    Args:
        ends: ``inclusive`` or ``exclusive``.

    Raises:
        UsageError: if it is neither.
    """
    if ends not in ("inclusive", "exclusive"):
        raise UsageError(f"ends is {ends!r}, expected 'inclusive' or 'exclusive'")
    return ends == "exclusive"


def span_of(name: str, where: str, value: Any, after: bool) -> Span:
    """A span of tokens.

    Args:
        name: what it is of, in messages.
        where: its place.
        value: two numbers, with a label before or after them or without.
        after: whether the second number is the one after the last token.

    Raises:
        InputError: if it is none.
    """
    if (usual := usual_span(value, after)) is not None:
        return usual
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise refusal(name, where, repr(value), _SHAPE)
    numbers, label = [*value], None
    if len(numbers) == 3:
        label = numbers.pop(0 if not is_number(numbers[0]) else 2)
    good = len(numbers) == 2 and all(map(is_number, numbers))
    if not good or not (label is None or isinstance(label, str)):
        raise refusal(name, where, repr(value), _SHAPE)
    start, end = int(numbers[0]), int(numbers[1]) - after
    if not 0 <= start <= end:
        expected = "first token < token after the last" if after else "first ≤ last"
        raise refusal(name, where, repr(value), f"0 ≤ {expected}")
    return Span(start, end, label)


def usual_span(value: Any, after: bool) -> Span | None:
    """Return a span of two whole numbers, as most are; nothing of any other value.

    Args:
        value: anything.
        after: whether the second number is the one after the last token.
    """
    # Abstract classes take long to ask.
    if type(value) is tuple and len(value) == 2:
        start, end = value
        if type(start) is int and type(end) is int and 0 <= start <= end - after:
            return _span((start, end - after, None))
    return None


# Quicker than by its own way of making one.
_span: Callable[[tuple[int, int, None]], Span] = partial(tuple.__new__, Span)


def is_number(value: object) -> bool:
    """Return whether a value is a whole number; truth values are none."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def _text(name: str, number: int, texts: Sequence[str] | None) -> str | None:
    if texts is None:
        return None
    if number >= len(texts):
        found, expected = f"an item {number}", f"a text for it: there are {len(texts)}"
        raise refusal(name, f"[{number}]", found, expected)
    return texts[number]


def _of_characters(
    name: str, where: str, value: Any, text: str | None
) -> tuple[Mapping[Any, Any], tuple[str, ...], Anchor]:
    """Fields, types and place of a dict or object."""
    fields = fields_of(value)
    if fields is None and not isinstance(value, Mapping):
        found = f"{value!r} beside dicts"
        raise refusal(name, where, found, "spans that all count characters, or tokens")
    keys = _first_keys(fields or {}, STARTS, ENDS)
    if fields is None or not all(is_number(fields[key]) for key in keys):
        raise refusal(name, where, repr(value), _KEYS)
    start, end = (int(fields[key]) for key in keys)
    words = fields.get(TEXT, fields.get(WORD)) if text is None else text[start:end]
    key, labels = types_of(fields, words)
    for label in labels:
        if not isinstance(label, str):
            raise refusal(name, where, f"the label {label!r}", "a string")
        if key == "entity" and _TAG.match(label):
            expected = "an entity: aggregation_strategy='simple'"
            raise refusal(name, where, f"the tag {label!r} of a token", expected)
    if not 0 <= start < end:
        raise refusal(name, where, repr(value), "0 ≤ start < end")
    if text is not None and end > len(text):
        found = f"the end {end}"
        raise refusal(name, where, found, f"{len(text)} at most: so long is the text")
    return fields, labels, Anchor(start, end)


def _first_keys(value: Mapping[Any, Any], *several: Sequence[str]) -> list[str]:
    """The first key of each kind that is there; none unless there is one of each."""
    result = [next((key for key in keys if key in value), "") for keys in several]
    return result if all(result) else []
