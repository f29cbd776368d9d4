"""Arguments as the published code of PriMeSRL-Eval (f3409f4) compares them.

An argument is a head and a span, each a first character, a last character and a text.
R-X takes in the first X before that is joined with its C-X; joined texts are in the
order of joining, and a text ends at its first comma.

>>> one = Extent(0, 1, "a"), Extent(4, 5, "c"), Extent(10, 11, "f")
>>> gold = [Merged(label, each, each, 0) for label, each in zip(
...     ("A0", "C-A0", "C-A0"), one, strict=True)]
>>> system = [Merged(label, each, each, 0) for label, each in zip(
...     ("C-A0", "C-A0", "A0"), one, strict=True)]
>>> merge(gold)[0].head, merge(system)[0].head
(Extent(first=0, last=11, text='a c f'), Extent(first=0, last=11, text='a f c'))
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from graphscore.metrics.roles.base import CONTINUED

CORRECT, MISSING, SPURIOUS = "Correct", "Missing", "Spurious"

OTHER_HEAD = "SameValueSameSpanDiffHead"
OTHER_VALUE = "SameSpanDiffValue"
OTHER_SPAN = "SameHeadSameValueDiffSpan"
OTHER_PLACE = "SameValueDiffSpan"

PRIORITY = (CORRECT, OTHER_HEAD, OTHER_VALUE, OTHER_SPAN, OTHER_PLACE)
"""Pairs of an earlier class push out those of a later one."""

RIGHT = frozenset({CORRECT, OTHER_SPAN})
"""Pairs that count as right: heads alone decide."""

CLASSES = (CORRECT, MISSING, SPURIOUS, OTHER_PLACE, OTHER_VALUE, OTHER_SPAN, OTHER_HEAD)


class Extent(NamedTuple):
    """Characters of a head or a span."""

    first: int
    last: int
    text: str


class Merged(NamedTuple):
    """An argument."""

    label: str
    head: Extent
    span: Extent
    edge: int
    """The ordinal of the edge of its first piece."""

    @property
    def identity(self) -> tuple[str, Extent, Extent]:
        """Key by which equal arguments are deduplicated."""
        return self[:3]


def is_core(label: str) -> bool:
    """Return true if a label counts as core: it has a digit."""
    return any(character.isdigit() for character in label)


def is_context(label: str) -> bool:
    """Return true if a label counts as contextual: it has AM."""
    return "AM" in label


def merge(pieces: Sequence[Merged]) -> list[Merged]:
    """Join pieces of one predicate, first R-X with X, then X with C-X.

    Args:
        pieces: as the file has them, in order.
    """
    arguments = list(pieces)
    labels = [argument.label for argument in arguments]
    for place, label in enumerate(labels):
        if not label.startswith("R"):
            continue
        bare, own = label.partition("-")[2], arguments[place]
        if bare not in labels:
            arguments[place] = own._replace(label=label + "_")
            continue
        where = labels.index(bare)
        other = arguments[where]
        left, right = (other, own) if where > place else (own, other)
        arguments[place] = Merged(
            left.label + right.label,
            _hull(left.head, right.head, (left.head, right.head)),
            _hull(left.span, right.span, (left.span, right.span)),
            own.edge,
        )
    labels = [argument.label for argument in arguments]
    gone = set()
    for place, label in enumerate(labels):
        if not label.startswith("C"):
            continue
        bare, own = label.partition("-")[2], arguments[place]
        if bare in labels:
            where = labels.index(bare)
            main = arguments[where]
            arguments[where] = main._replace(
                head=_continued(main.head, own.head),
                span=_continued(main.span, own.span),
            )
            gone.add(place)
        else:
            labels[place] = label[len(CONTINUED) :]
            arguments[place] = own._replace(label=labels[place])
    return [argument for index, argument in enumerate(arguments) if index not in gone]


def _continued(main: Extent, more: Extent) -> Extent:
    """Join two extents, the one that begins first in front."""
    return _hull(main, more, (main, more) if main.first <= more.first else (more, main))


def _hull(left: Extent, right: Extent, texts: tuple[Extent, Extent]) -> Extent:
    text = " ".join(_read(text.text) for text in texts)
    return Extent(min(left.first, right.first), max(left.last, right.last), text)


def _read(text: str) -> str:
    """A text as it is read back: it is cut before the character before a comma."""
    head, comma, _ = text.partition(",")
    return head[:-1] if comma else text


Row = tuple[str, Merged | None, Merged | None]
"""A class, and an argument of gold and system."""


def compared(gold: Sequence[Merged], system: Sequence[Merged]) -> list[Row]:
    """Rows of the comparison of one predicate's arguments.

    Two equal arguments of one side count once; of pairs of one class that have an
    argument in common, all count.

    Args:
        gold: core or contextual ones of a gold predicate.
        system: those of the system's predicate.
    """
    left = list({merged.identity: merged for merged in gold}.values())
    right = list({merged.identity: merged for merged in system}.values())
    waiting: dict[str, list[tuple[int, int]]] = {each: [] for each in PRIORITY}
    for i, one in enumerate(left):
        for j, their in enumerate(right):
            found = _class(one, their)
            if found is not None:
                waiting[found].append((i, j))
    rows: list[Row] = []
    ones: set[int] = set()
    twos: set[int] = set()
    for name in PRIORITY:
        kept = [(i, j) for i, j in waiting[name] if i not in ones and j not in twos]
        rows += [(name, left[i], right[j]) for i, j in kept]
        ones |= {i for i, _ in kept}
        twos |= {j for _, j in kept}
    rows += [(MISSING, one, None) for i, one in enumerate(left) if i not in ones]
    rows += [(SPURIOUS, None, their) for j, their in enumerate(right) if j not in twos]
    return rows


def _class(left: Merged, right: Merged) -> str | None:
    """The class of a pair, nothing if it has nothing in common."""
    label, head = left.label == right.label, left.head == right.head
    if left.span == right.span:
        if not label:
            return OTHER_VALUE
        return CORRECT if head else OTHER_HEAD
    if not label:
        return None
    return OTHER_SPAN if head else OTHER_PLACE
