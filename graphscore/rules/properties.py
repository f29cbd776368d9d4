"""Properties of nodes as conditions compare them: numbers as such, the rest as text."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping

from graphscore.errors import InvalidGraphError
from graphscore.model.anchors import unite
from graphscore.model.graph import Node, Value
from graphscore.rules.kinds import NUMBER
from graphscore.structures.layout import TEXT, first_of

Place = tuple[int, int, str]
"""First and last character of a span, and its pieces where there are several."""

Fact = str | int | float | None
"""What a property is to conditions."""

_ODD = re.compile(r"\W", re.ASCII)


def properties_of(node: Node, wanted: Mapping[str, str | None]) -> Iterator[Fact]:
    """The properties of a node that conditions read; nothing for one that it lacks.

    Args:
        node: a span.
        wanted: their names, in small letters, what is no letter or digit as ``_``;
            with ``text`` or ``number`` where that is declared.

    Raises:
        InvalidGraphError: if one that must be a number is none.

    >>> node = Node(0, "PER", (("score", "0.5"), ("Head-Word", "007"), ("year", 1990)))
    >>> list(properties_of(node, {"score": None, "head_word": None, "year": "text"}))
    [0.5, '007', '1990']
    """
    there: dict[str, Value] = {}
    for name, value in node.properties:
        there.setdefault(_ODD.sub("_", str(name).lower()), value)
    for name, kind in wanted.items():
        found = fact_of(there.get(name), kind == "text")
        if kind == "number" and isinstance(found, str):
            raise InvalidGraphError(
                f"the property {name} of node {node.id!r}, {found[:60]!r}",
                "a number, as [properties] says",
            )
        yield found


def fact_of(value: Value, as_text: bool = False) -> Fact:
    """A value as conditions compare it: numbers as such, also where they are written.

    >>> [fact_of(each) for each in (0.5, "0.5", "007", True, None, "high", "1e3")]
    [0.5, 0.5, '007', 1, None, 'high', 1000.0]
    """
    if value is None:
        return None
    if as_text:
        return value if isinstance(value, str) else json.dumps(value)
    if isinstance(value, str):
        if not NUMBER.fullmatch(value):
            return value
        return int(value) if value.lstrip("-").isdigit() else float(value)
    if isinstance(value, bool | int):
        return int(value) if -(2**63) <= value < 2**63 else float(str(value))
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return json.dumps(value)


def place_of(node: Node) -> Place:
    """First and last character of a mention, and its pieces where there are several.

    A mention that is only a string has a place of its own, made of its words.
    """
    anchors = node.anchors
    if len(anchors) == 1:
        return anchors[0].start, anchors[0].end, ""
    ranges = unite(anchors)
    if not ranges:
        words = str(first_of(node.properties, TEXT) or "")
        return -1, -1, "=" + " ".join(words.split())
    pieces = ""
    if len(ranges) > 1:
        pieces = ";".join(f"{start}:{end}" for start, end in ranges)
    return ranges[0][0], ranges[-1][1], pieces


def words_of(node: Node, place: Place, text: str) -> str:
    """The words of a mention; nothing where there is no text."""
    start, end, pieces = place
    if not pieces:
        return text[start:end]
    if pieces[0] == "=":
        return pieces[1:]
    return " ".join(text[one:two] for one, two in unite(node.anchors))
