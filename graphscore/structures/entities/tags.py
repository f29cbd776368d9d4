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
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from graphscore.model.anchors import anchor_of, visible_ranges
from graphscore.model.graph import Anchor, Node, Pairs
from graphscore.structures.layout import KIND, MENTION

TAGS = "tags"
"""The property of a mention with the letters of its tags, one for each token."""

Scheme = Literal["iob1", "iob2", "ioe1", "ioe2", "iobes", "bilou"]
"""Tagging scheme: the letters of the tags and their positions."""

AnyScheme = Literal["auto", "iob1", "iob2", "ioe1", "ioe2", "iobes", "bilou"]
"""``auto`` allows what IOB2, IOBES or BILOU allow."""

Tag = tuple[str, str | None]
"""A letter and a type; ``("O", None)`` outside of entities."""

OUTSIDE: Tag = ("O", None)

TAG = "a tag: O, or B, I, E, L, S, U with a type"
"""Expectation in messages about malformed tags, without an example."""

_LETTERS = frozenset("BIELSU")

_LETTER, _SEPARATOR = "(?P<letter>[A-Za-z])", "(?P<separator>[-_:./|])"
_LETTERED = {
    False: re.compile(f"{_LETTER}{_SEPARATOR}(?P<label>.+)"),
    True: re.compile(f"(?P<label>.+){_SEPARATOR}{_LETTER}"),
}
"""Patterns of a letter and a type, by whether the letter comes last."""

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


class Spelling(NamedTuple):
    """Notation of tags in a file.

    Example:
        >>> Spelling().read("B-PER"), Spelling().read("E"), Spelling().read("O")
        (('B', 'PER'), ('E', None), ('O', None))
        >>> Spelling("_").read("B_PER"), Spelling(suffix=True).read("PER-B")
        (('B', 'PER'), ('B', 'PER'))
        >>> Spelling().read("PER-B"), Spelling(suffix=True).written("B", "PER")
        (None, 'PER-B')
    """

    separator: str = "-"
    """Separator between letter and type."""
    suffix: bool = False
    """True if the letter follows the type."""

    def read(self, written: str) -> Tag | None:
        """Return a tag as files write it; ``None`` where it is none."""
        if written == "O":
            return OUTSIDE
        if self.suffix:
            label, separator, letter = written.rpartition(self.separator)
        else:
            letter, separator, label = written.partition(self.separator)
        if letter not in _LETTERS or "\n" in label:
            return None
        if separator:
            return (letter, label) if label else None
        return letter, None

    def written(self, letter: str, label: str | None) -> str:
        """Return a tag with a letter as files write it."""
        if label is None:
            return letter
        ends = (label, letter) if self.suffix else (letter, label)
        return self.separator.join(ends)

    @property
    def expected(self) -> str:
        """Expectation in messages about malformed tags."""
        others = "" if self == USUAL else ", as the file's other tags"
        return f"{TAG} ({self.written('B', 'PER')}){others}"


read_tag = lru_cache(maxsize=1 << 12)(Spelling.read)
"""Takes a spelling and a tag; remembers what it read."""

USUAL = Spelling()
"""A letter, a hyphen and a type."""

SPELLINGS = (USUAL, Spelling(suffix=True), Spelling("_"), Spelling("_", suffix=True))
"""Every way to write tags that is read; where several fit, the first decides."""


def spelling_of(tags: Iterable[str]) -> Spelling | None:
    """Find out how tags are written.

    Args:
        tags: some of them, in any order.

    Returns:
        The first spelling that fits all of them, or else the one of which some are,
        so that the others are mistakes; ``None`` where they are types without letters.

    >>> spelling_of(["B-VITAMIN-B", "I-VITAMIN-B"]), spelling_of(["PER-B", "LOC-S"])
    (Spelling(separator='-', suffix=False), Spelling(separator='-', suffix=True))
    >>> spelling_of(["PLACE", "VITAMIN-B"]), spelling_of(["PLACE", "B-PLACE"])
    (None, Spelling(separator='-', suffix=False))
    """
    types = {*tags} - {OUTSIDE[0]}
    for spelling in SPELLINGS:
        if all(map(spelling.read, types)):
            return spelling
    if any(map(USUAL.read, types)):
        return USUAL
    letters: dict[tuple[str, bool, str], set[str]] = {}
    for suffix, pattern in _LETTERED.items():
        for match in filter(None, map(pattern.fullmatch, sorted(types))):
            key = match["separator"], suffix, match["label"]
            letters.setdefault(key, set()).add(match["letter"].upper())
    for (separator, suffix, label), seen in letters.items():
        known = seen & _LETTERS
        # One letter alone may be the end of a type (VITAMIN-B).
        if len(known) > 1 or (known and label in types):
            spelling = Spelling(separator, suffix)
            return spelling if spelling in SPELLINGS else USUAL
    return None


def tag_of(written: str) -> Tag | None:
    """Return a tag as most files write it; ``None`` where it is none.

    >>> tag_of("B-PER"), tag_of("I-loc.adm-1"), tag_of("E"), tag_of("O")
    (('B', 'PER'), ('I', 'loc.adm-1'), ('E', None), ('O', None))
    >>> tag_of("PER"), tag_of("B-")
    (None, None)
    """
    return USUAL.read(written)


def chunks(tags: Iterable[Tag], start: int = 0) -> list[Chunk]:
    """The entities of a sequence of tags, leniently.

    Args:
        tags: one for each token.
        start: the number of the first of these.

    Returns:
        Entities in order, none of which overlap.
    """
    result: list[Chunk] = []
    first, letters = 0, ""
    before = OUTSIDE
    index = start
    for index, tag in enumerate(tags, start):
        if tag is OUTSIDE and not letters:
            # Most tokens are outside, behind others that are.
            before = tag
            continue
        letter, label = tag
        if letter == "O":
            if letters:
                result.append(Chunk(first, index - 1, before[1], letters))
                letters = ""
        elif (
            letters
            and letter not in _OPENING
            and before[0] not in _CLOSING
            and before[1] == label
        ):
            letters += letter
        else:
            if letters:
                result.append(Chunk(first, index - 1, before[1], letters))
            first, letters = index, letter
        before = tag
    if letters:
        result.append(Chunk(first, index, before[1], letters))
    return result


class TagSequences:
    """Reads the entities of many sequences of tags, in which most runs are known ones.

    Args:
        read: reads a tag as it is written; ``None`` where it is none.
        lettered: whether entities remember the letters of their tags.

    Example:
        >>> sequences = TagSequences(tag_of)
        >>> sequences.chunks(["O", "B-PER", "I-PER"])
        [Chunk(first=1, last=2, label='PER', letters='BI')]
        >>> sequences.chunks(["PER"])
        Traceback (most recent call last):
        KeyError: 'PER'
    """

    def __init__(
        self, read: Callable[[str], Tag | None], lettered: bool = True
    ) -> None:
        self._codes = _TagCodes(read)
        self._lettered = lettered
        self._chunks_at = lru_cache(maxsize=_REMEMBERED)(self._read_run)
        self._known: dict[tuple[str, Anchor], _Read] = {}

    def chunks(self, tags: Sequence[str]) -> list[Chunk]:
        """Return the entities of a sequence, as :func:`chunks` does.

        Args:
            tags: one for each token, as they are written.

        Raises:
            KeyError: if one is none.
        """
        return self._chunks(self.coded(tags))

    def coded(self, tags: Sequence[str]) -> str:
        """Return a character for each tag, a blank for what is outside.

        Args:
            tags: one for each token, as they are written.

        Raises:
            KeyError: if one is none.
        """
        if len(tags) + len(self._codes) > _MANY:
            # Of what is endless or all different nothing is remembered.
            self._chunks_at.cache_clear()
            self._known.clear()
            self._codes.clear()
        return "".join(map(self._codes.__getitem__, tags))

    def mentions(
        self, coded: str, tokens: tuple[Anchor, ...]
    ) -> tuple[Sequence[Chunk], tuple[Node, ...]]:
        """Return the entities of a sequence, and the nodes of these.

        A system has most tags of gold, which are read once.

        Args:
            coded: what :meth:`coded` made of the tags right before.
            tokens: the characters of each token.
        """
        if not coded.strip(" "):
            return (), ()
        key = coded, tokens[-1]
        read = self._known.get(key)
        if read is None or (read[0] is not tokens and read[0] != tokens):
            entities = self._chunks(coded)
            nodes = tagged_mentions(entities, tokens, self._lettered)
            read = tokens, entities, nodes
            if len(coded) < _LONG:
                if len(self._known) >= _REMEMBERED:
                    self._known.clear()
                self._known[key] = read
        return read[1], read[2]

    def _chunks(self, coded: str) -> list[Chunk]:
        result: list[Chunk] = []
        for run in _RUN.finditer(coded):
            result += self._chunks_at(run.start(), run[0])
        return result

    def _read_run(self, start: int, run: str) -> list[Chunk]:
        meanings = self._codes.meanings
        return chunks(map(meanings.__getitem__, run), start)


@lru_cache(maxsize=8)
def sequences_of(spelling: Spelling | None) -> TagSequences:
    """Return the reader of sequences of tags.

    Args:
        spelling: how they are written; ``None`` if they are types, without letters.
    """
    return TagSequences(spelling.read if spelling else plain_tag, spelling is not None)


def plain_tag(written: str) -> Tag | None:
    """Return a tag without a letter; ``None`` where it has one.

    >>> plain_tag("O"), plain_tag("MISC-law"), plain_tag("B-LOC")
    (('O', None), ('I', 'MISC-law'), None)
    """
    if written == OUTSIDE[0]:
        return OUTSIDE
    return None if read_tag(USUAL, written) else ("I", written)


_Read = tuple[tuple[Anchor, ...], Sequence[Chunk], tuple[Node, ...]]
"""The tokens of a sequence of tags, its entities, and the nodes of these."""

_LONG, _REMEMBERED = 200, 1 << 14
"""Sequences of so many tags are not remembered; and how many are."""

_MANY = 1 << 20
"""Tags for which there are characters."""


class _TagCodes(dict[str, str]):
    """A character for each tag, a blank for what is outside.

    Args:
        read: reads a tag.

    Attributes:
        meanings: the tag that a character stands for.
    """

    def __init__(self, read: Callable[[str], Tag | None]) -> None:
        super().__init__()
        self._read = read
        self.meanings: dict[str, Tag] = {}

    def __missing__(self, written: str) -> str:
        tag = self._read(written)
        if tag is None:
            raise KeyError(written)
        code = " "
        if tag != OUTSIDE:
            code = chr(ord(" ") + 1 + len(self.meanings))
            self.meanings[code] = tag
        self[written] = code
        return code

    def clear(self) -> None:
        """Forget all tags."""
        super().clear()
        self.meanings.clear()


_RUN = re.compile("[^ ]+")


@lru_cache(maxsize=1 << 12)
def tag_properties(letters: str) -> Pairs:
    """Return the properties of a mention whose tags have some letters.

    Args:
        letters: one for each token.
    """
    return (KIND, MENTION), (TAGS, letters)


def tagged_mentions(
    entities: Iterable[Chunk], tokens: Sequence[Anchor], lettered: bool = True
) -> tuple[Node, ...]:
    """Return the mentions that tags say.

    Args:
        entities: as their tags have them.
        tokens: the characters of each token.
        lettered: whether they remember the letters of their tags.
    """
    return tuple(
        [
            Node(
                number,
                label,
                tag_properties(letters) if lettered else _UNLETTERED,
                (anchor_of((tokens[first][0], tokens[last][1])),),
            )
            for number, (first, last, label, letters) in enumerate(entities)
        ]
    )


_UNLETTERED = ((KIND, MENTION),)


def visible_place(text: str, node: Node) -> tuple[tuple[int, int], ...]:
    """Return the ranges of a mention's characters that are no white space.

    White space that begins or ends what was tagged is a token of its own, and counts.

    Args:
        text: the annotated text.
        node: a mention with anchors.

    Example:
        >>> from graphscore.model.graph import Anchor
        >>> visible_place("by Tom Oak", Node(0, "PER", anchors=(Anchor(2, 10),)))
        ((3, 6), (7, 10))
    """
    return visible_ranges(node.anchors, text, ends=is_tagged(node))


def is_tagged(node: Node) -> bool:
    """Return true if a mention was read from tags of tokens.

    Args:
        node: a mention.
    """
    properties = node.properties
    if len(properties) > 1 and properties[1][0] == TAGS:
        return True
    return TAGS in [name for name, _ in properties]


def well_formed(letters: str, scheme: AnyScheme, adjacent: bool = True) -> bool:
    """Return true if a scheme allows an entity.

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
        for chunk in sentence:
            self._letters.update(chunk.letters)
            self._opened_by_i |= chunk.letters[0] == "I"
            self._closed_by_i |= chunk.letters[-1] in "BI"
            touching = before is not None and follows(before, chunk)
            self._needless_b |= chunk.letters[0] == "B" and not touching
            before = chunk

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
    """Return true if an entity begins where one of the same type ends."""
    return before.last + 1 == after.first and before.label == after.label


TYPE_KEYS = (
    *("label", "labels", "type", "tag", "entity_group", "entity_type"),
    *("class", "category", "entity", "name"),
)
"""Keys that a span may have its type under, the first one that says something."""
