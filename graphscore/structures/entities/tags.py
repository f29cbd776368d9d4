r"""Entities as tags of tokens: the IOB family.

A tag says where in an entity a token is, and of which type the entity is::

    U.N.   official  Rolf   Ekeus  heads  Baghdad
    B-ORG  O         B-PER  I-PER  O      B-LOC     IOB2
    I-ORG  O         I-PER  I-PER  O      I-LOC     IOB1, IOE1
    E-ORG  O         I-PER  E-PER  O      E-LOC     IOE2
    S-ORG  O         B-PER  E-PER  O      S-LOC     IOBES
    U-ORG  O         B-PER  L-PER  O      U-LOC     BILOU

Whatever the scheme, and however broken, tags are read in one way, that of the
CoNLL scorer (conlleval, ``startOfChunk`` and ``endOfChunk``): an entity begins at
B, S and U, after an end (E, L, S, U) or O, and where the type changes.  Each entity
remembers its letters, so that who is strict can tell what its scheme forbids:

>>> found = chunks([("O", None), ("I", "PER"), ("I", "LOC"), ("B", "LOC")])
>>> [(each.first, each.last, each.label, each.letters) for each in found]
[(1, 1, 'PER', 'I'), (2, 2, 'LOC', 'I'), (3, 3, 'LOC', 'B')]
>>> [well_formed(each.letters, "iob2") for each in found]
[False, False, True]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

TAGS = "tags"
"""The property of a mention with the letters of its tags, one for each token."""

Scheme = Literal["iob1", "iob2", "ioe1", "ioe2", "iobes", "bilou"]
"""What letters a tagger uses, and where."""

AnyScheme = Literal["auto", "iob1", "iob2", "ioe1", "ioe2", "iobes", "bilou"]
"""``auto`` allows what IOB2, IOBES or BILOU allow."""

Tag = tuple[str, str | None]
"""A letter and a type; ``("O", None)`` outside of entities."""

OUTSIDE: Tag = ("O", None)

_TAG = re.compile(r"([BIELSU])(?:-(.+))?")

_OPENING, _CLOSING = frozenset("BSU"), frozenset("ELSU")

_GRAMMARS = {
    "auto": re.compile("BI*[EL]?|[SU]"),
    "iob1": re.compile("I+|BI*"),
    "iob2": re.compile("BI*"),
    "ioe1": re.compile("I+|I*E"),
    "ioe2": re.compile("I*E"),
    "iobes": re.compile("BI*E|S"),
    "bilou": re.compile("BI*L|U"),
}


class Chunk(NamedTuple):
    """An entity as its tags have it."""

    first: int
    """Its first token, from 0."""
    last: int
    """Its last token."""
    label: str | None
    """Its type."""
    letters: str
    """The letter of each of its tags."""


def tag_of(written: str) -> Tag | None:
    """A tag as files write it; ``None`` where it is none.

    >>> tag_of("B-PER"), tag_of("I-loc.adm-1"), tag_of("E"), tag_of("O")
    (('B', 'PER'), ('I', 'loc.adm-1'), ('E', None), ('O', None))
    >>> tag_of("PER"), tag_of("B-")
    (None, None)
    """
    if written == "O":
        return OUTSIDE
    match = _TAG.fullmatch(written)
    return None if match is None else (match[1], match[2])


def chunks(tags: Iterable[Tag]) -> list[Chunk]:
    """The entities of a sequence of tags, leniently.

    Args:
        tags: one for each token.

    Returns:
        Entities in order, none of which overlap.
    """
    found: list[Chunk] = []
    first, letters = 0, ""
    before = OUTSIDE
    place = 0
    for place, tag in enumerate(tags):
        letter, label = tag
        inside = letter != "O"
        goes_on = (
            inside
            and letters
            and letter not in _OPENING
            and before[0] not in _CLOSING
            and before[1] == label
        )
        if goes_on:
            letters += letter
        else:
            if letters:
                found.append(Chunk(first, place - 1, before[1], letters))
            first, letters = place, letter if inside else ""
        before = tag
    if letters:
        found.append(Chunk(first, place, before[1], letters))
    return found


def well_formed(letters: str, scheme: AnyScheme, adjacent: bool = True) -> bool:
    """Whether an entity is one that a scheme allows.

    Args:
        letters: the letters of its tags.
        scheme: the scheme.
        adjacent: under ``iob1``, whether an entity of the same type ends right
            before; under ``ioe1``, whether one begins right after.  Only there do
            these schemes need B or E.

    >>> well_formed("BI", "iob2"), well_formed("BI", "iobes"), well_formed("S", "iobes")
    (True, False, True)
    >>> well_formed("BI", "iob1"), well_formed("BI", "iob1", adjacent=False)
    (True, False)
    """
    if _GRAMMARS[scheme].fullmatch(letters) is None:
        return False
    if scheme == "iob1":
        return adjacent or letters[0] == "I"
    if scheme == "ioe1":
        return adjacent or letters[-1] == "I"
    return True


class Detection:
    """Finds out in which scheme a file is, from its beginning.

    Example:
        >>> seen = Detection()
        >>> seen.add([Chunk(0, 1, "PER", "BI"), Chunk(2, 2, "LOC", "B")])
        >>> seen.scheme
        'iob2'
        >>> seen.add([Chunk(0, 0, "PER", "S")])
        >>> seen.scheme
        'iobes'
    """

    def __init__(self) -> None:
        self._letters: set[str] = set()
        self._opened_by_i = self._closed_by_i = self._needless_b = False

    def add(self, sentence: Sequence[Chunk]) -> None:
        """Look at the entities of a sentence."""
        before: Chunk | None = None
        for each in sentence:
            self._letters.update(each.letters)
            self._opened_by_i |= each.letters[0] == "I"
            self._closed_by_i |= each.letters[-1] in "BI"
            touching = before is not None and follows(before, each)
            self._needless_b |= each.letters[0] == "B" and not touching
            before = each

    @property
    def scheme(self) -> Scheme | None:
        """The scheme that fits best; ``None`` where no entity was seen."""
        letters = self._letters
        if not letters:
            return None
        if letters & {"L", "U"}:
            return "bilou"
        if "S" in letters or {"B", "E"} <= letters:
            return "iobes"
        if "E" in letters:
            return "ioe1" if self._closed_by_i else "ioe2"
        return "iob1" if self._opened_by_i and not self._needless_b else "iob2"


def follows(before: Chunk, after: Chunk) -> bool:
    """Whether an entity begins where one of the same type ends."""
    return before.last + 1 == after.first and before.label == after.label
