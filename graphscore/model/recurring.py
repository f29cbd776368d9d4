"""What is said again and again: keys of labels, properties, roles and places.

A corpus has few labels, properties and roles, and both sides of a pair have one
text.  What a tuple compares is worked out once for each of them and looked up after
that.  Each table forgets everything once it is full, so that memory does not grow
with the corpus.

>>> labels, properties = Labels(), Properties()
>>> labels["Bark"], properties["Pos", "VBP"]
((1, 'bark'), (2, 'pos', 'vbp'))
>>> roles_of(True, True, True)["ARG0-of"]
(True, 'arg0')
>>> places_of("Dogs bark.")[5, 10] == (3, 0b111100000)
True
"""

from __future__ import annotations

from typing import TypeVar

from graphscore.model.anchors import PUNCTUATION, visible_characters
from graphscore.model.frameworks import ANCHORS, LABELS, PROPERTIES
from graphscore.model.normalize import fold, implied_normal

MOST = 1 << 14
"""Entries that a table has at most."""

TEXTS = 64
"""Texts whose places are remembered: more than a batch of pairs has."""

LONGEST = 2000
"""Characters of a text beyond which its places are not remembered."""

PLACES = 500
"""Places that are remembered of a text."""

Key = TypeVar("Key")
Found = TypeVar("Found")


class _Table(dict[Key, Found]):
    """What is looked up, worked out where it is not there yet."""

    __slots__ = ()

    def __missing__(self, key: Key) -> Found:
        if len(self) >= MOST:
            self.clear()
        found = self[key] = self.work_out(key)
        return found

    def work_out(self, key: Key) -> Found:
        """What belongs to a key."""
        raise NotImplementedError


class Labels(_Table[str, tuple[int, str]]):
    """The key of a label that is text (and nothing derived from it)."""

    __slots__ = ()

    def work_out(self, key: str) -> tuple[int, str]:
        """The label, folded."""
        return LABELS, fold(key)


class Properties(_Table[tuple[str, str], tuple[int, str, str]]):
    """The key of a property whose name and value are text."""

    __slots__ = ()

    def work_out(self, key: tuple[str, str]) -> tuple[int, str, str]:
        """Name and value, folded."""
        return PROPERTIES, fold(key[0]), fold(key[1])


class Roles(_Table[str, tuple[bool, str | None]]):
    """Whether a role is turned round, and what is compared then.

    Args:
        infer: whether inverted roles are known by their names.
        keep_base: whether ``consist-of`` and ``subset-of`` are base labels.
        labeled: whether roles count at all.
    """

    __slots__ = ("infer", "keep_base", "labeled")

    def __init__(self, infer: bool, keep_base: bool, labeled: bool) -> None:
        super().__init__()
        self.infer, self.keep_base, self.labeled = infer, keep_base, labeled

    def work_out(self, key: str) -> tuple[bool, str | None]:
        """As :func:`~graphscore.model.normalize.base_edge` says it, folded."""
        normal = implied_normal(key, self.keep_base) if self.infer else None
        return normal is not None, self.folded(key if normal is None else normal)

    def folded(self, label: str) -> str | None:
        """What is compared of a base label; an empty one is none."""
        # mtool 4cee3a2, ``graph.py``, Edge.decode.
        return fold(label) if label and self.labeled else None


class Places(dict[tuple[int, int], tuple[int, int]]):
    """The key of one range of a text: its characters (see ``anchors.characters``).

    Args:
        text: the text.
    """

    __slots__ = ("text", "visible")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text, self.visible = text, visible_characters(text)

    def __missing__(self, key: tuple[int, int]) -> tuple[int, int]:
        found = ANCHORS, self.characters(*key)
        if len(self) < PLACES:
            self[key] = found
        return found

    def characters(self, start: int, end: int) -> int:
        """What one range stands for; where punctuation is taken off is all one."""
        start, text = max(start, 0), self.text
        if start >= end:
            return 0
        if not text:
            return (1 << end) - (1 << start)
        limit = len(text)
        start, end = min(start, limit), min(end, limit)
        while start < end and text[start] in PUNCTUATION:
            start += 1
        while end > start and text[end - 1] in PUNCTUATION:
            end -= 1
        return ((1 << end) - (1 << start)) & self.visible


label_keys = Labels()
property_keys = Properties()

_roles: dict[tuple[bool, bool, bool], Roles] = {}
_texts: dict[str, Places] = {}


def roles_of(infer: bool, keep_base: bool, labeled: bool) -> Roles:
    """The roles under some conventions, see :class:`Roles`."""
    found = _roles.get((infer, keep_base, labeled))
    if found is None:
        found = _roles[infer, keep_base, labeled] = Roles(infer, keep_base, labeled)
    return found


def places_of(text: str) -> Places:
    """The places of a text."""
    if len(text) > LONGEST:
        return Places(text)
    found = _texts.get(text)
    if found is None:
        if len(_texts) >= TEXTS:
            _texts.clear()
        found = _texts[text] = Places(text)
    return found
