"""Labelled spans: tuples that count tokens, dicts that count characters.

A tuple has its numbers and its label in either order; the second number is the last
token, as in CoNLL, or with ``ends="exclusive"`` the one after it.  A dict counts
characters, end excluded, whatever ``ends`` says.

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
from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral
from typing import Any, NamedTuple

from graphscore.errors import UsageError
from graphscore.inputs.base import (
    Ends,
    Words,
    names_of,
    numbered,
    refused,
    texts_of,
)
from graphscore.model.graph import Anchor, Graph
from graphscore.structures.layout import NER, LayoutBuilder

LABELS = ("label", "type", "entity_group", "entity", "tag")
"""Keys that a dict may have its type under, the first that is there."""

STARTS, ENDS = ("start", "start_char"), ("end", "end_char")
"""Keys of its characters."""

# Pipelines that join no tokens say under this key what each of them is tagged as.
_TAG = re.compile("[BI]-.")

_SHAPE = "a span: (first, last, label), (label, first, last) or (first, last)"

_KEYS = "a dict with start and end, in characters, and a label"


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
            ``label`` in characters, end excluded.
        tokens: the words of each item; without, tokens go by their numbers.
        texts: the text of each item, of dicts.
        ids: the id of each item; without, items pair by their order.
        ends: whether the second number is the last token or the one after it.
        name: what messages call them.

    Returns:
        A graph of the framework ``ner`` for each item.

    Raises:
        InputError: if a span is none, or not within its words.
        UsageError: if ``ends`` is something else.
    """
    after = after_of(ends)
    items = [list(each) for each in spans]
    found = []
    for number, (item, id) in enumerate(
        zip(items, names_of(name, items, ids), strict=True)
    ):
        where = f"[{number}]"
        if any(isinstance(each, Mapping) for each in item):
            text = _text(name, number, texts)
            build = LayoutBuilder()
            for place, each in enumerate(item):
                label, anchor = _of_characters(name, f"{where}[{place}]", each, text)
                build.mention(label, (anchor,))
            found.append(build.graph(id, NER, text=text or ""))
            continue
        read = [
            span_of(name, f"{where}[{place}]", each, after)
            for place, each in enumerate(item)
        ]
        given = texts_of(name, number, tokens)
        text, places = given or numbered(
            max((each.end + 1 for each in read), default=0)
        )
        build = LayoutBuilder()
        for place, (first, last, label) in enumerate(read):
            if last >= len(places):
                expected = f"tokens up to {len(places) - 1}"
                raise refused(name, f"{where}[{place}]", f"token {last}", expected)
            anchor = Anchor(places[first].start, places[last].end)
            build.mention(label, (anchor,))
        found.append(build.graph(id, NER, text=text, tokens=places))
    return found


def after_of(ends: str) -> bool:
    """Whether the second number of a span is the token after its last.

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
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise refused(name, where, repr(value), _SHAPE)
    numbers, label = [*value], None
    if len(numbers) == 3:
        label = numbers.pop(0 if not is_number(numbers[0]) else 2)
    good = len(numbers) == 2 and all(map(is_number, numbers))
    if not good or not (label is None or isinstance(label, str)):
        raise refused(name, where, repr(value), _SHAPE)
    start, end = int(numbers[0]), int(numbers[1]) - after
    if not 0 <= start <= end:
        expected = "first token < token after the last" if after else "first ≤ last"
        raise refused(name, where, repr(value), f"0 ≤ {expected}")
    return Span(start, end, label)


def is_number(value: object) -> bool:
    """Whether a value is a whole number; truth values are none."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def _text(name: str, number: int, texts: Sequence[str] | None) -> str | None:
    if texts is None:
        return None
    if number >= len(texts):
        found, expected = f"an item {number}", f"a text for it: there are {len(texts)}"
        raise refused(name, f"[{number}]", found, expected)
    return texts[number]


def _of_characters(
    name: str, where: str, value: Any, text: str | None
) -> tuple[str | None, Anchor]:
    """Label and place of a dict."""
    if not isinstance(value, Mapping):
        found = f"{value!r} beside dicts"
        raise refused(name, where, found, "spans that all count characters, or tokens")
    start, end = _first(value, STARTS), _first(value, ENDS)
    label = _first(value, LABELS)
    if not (is_number(start) and is_number(end)):
        raise refused(name, where, repr(value), _KEYS)
    if not (label is None or isinstance(label, str)):
        raise refused(name, where, f"the label {label!r}", "a string")
    if label and label == value.get("entity") and _TAG.match(label):
        found = f"the tag {label!r} of a token"
        raise refused(name, where, found, "an entity: aggregation_strategy='simple'")
    if not 0 <= start < end:
        raise refused(name, where, repr(value), "0 ≤ start < end")
    if text is not None and end > len(text):
        found = f"the end {end}"
        raise refused(name, where, found, f"{len(text)} at most: so long is the text")
    return label, Anchor(int(start), int(end))


def _first(value: Mapping[Any, Any], keys: Sequence[str]) -> Any:
    return next((value[key] for key in keys if key in value), None)
