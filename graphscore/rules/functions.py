"""The functions that conditions of rules may call.

Pure, and bounded by the length of what they get.

>>> from graphscore.rules.model import Settings
>>> words = Settings(fuzzy_words={"*": frozenset({"the"}), "PER": frozenset({"mr"})})
>>> made = Functions(words)
>>> made.same_words("Mr. Smith,", "Smith", "PER"), made.same_words("Mr. X", "X", "ORG")
(1, 0)
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

from graphscore.model.normalize import fold
from graphscore.rules.lists import WORD, fold_spaces, reduce
from graphscore.rules.model import Settings

LIST = "@"
"""Prefix of the name of a list, among words."""

SEPARATOR = "\x1f"
"""Between the entries of a span, and at both ends."""

BUILT_IN = frozenset(
    {"abs", "coalesce", "ifnull", "instr", "length", "lower", "ltrim", "max", "min"}
    | {"nullif", "round", "rtrim", "substr", "trim", "upper"}
)
"""Functions of SQLite that conditions may call.

All of them take time and space in proportion to their arguments, or are replaced by
functions that do (:data:`LINEAR`). LIKE and GLOB do not; ``begins``, ``ends`` and
``instr`` stand in for them.
"""

KEPT = 200
"""Characters of texts whose words are remembered."""

OWN = {
    "common": "how many entries two spans have in common: common(gold.ids, system.ids)",
    "descends": "whether a type is below another: descends(gold.type, system.type)",
    "same_words": "whether texts are equal without punctuation and fuzzy words of a "
    "type: same_words(gold.text, system.text, gold.type)",
    "stop_word": "whether a text is a stop word of its type: "
    "stop_word(system.text, system.type)",
    "listed": "whether a text is in a list: listed(system.text, 'titles')",
    "alias": "what a name stands for in a table of aliases, in small letters; itself "
    "where it is not there: alias(gold.text, 'countries')",
    "begins": "whether a text begins with another: begins(gold.text, 'The ')",
    "ends": "whether a text ends with another: ends(gold.text, 's')",
}
"""Additional functions, with their descriptions."""


class Functions:
    """The functions of a rule set, with its lists of words and its hierarchy.

    Args:
        settings: those of the rule set.
    """

    def __init__(self, settings: Settings) -> None:
        self._lists, self._aliases = settings.lists, settings.aliases
        self._names = settings.names
        self._fuzzy = {
            kind: _phrases(words)
            for kind, words in self._texts_by_type(settings.fuzzy_words)
        }
        self._stop = dict(self._texts_by_type(settings.stop_words))
        # Found for the types that occur: a hierarchy may be as large as a file.
        self._above = lru_cache(maxsize=1 << 10)(lambda name: _closure(name, settings))
        self._remembered = lru_cache(maxsize=1 << 16)(self._reduce)

    def _texts_by_type(
        self, words: Mapping[str, frozenset[str]]
    ) -> Iterator[tuple[str, frozenset[str]]]:
        """Words by type, with those of the lists that are named among them."""
        for kind, listed in words.items():
            texts = {word for word in listed if not word.startswith(LIST)}
            for word in listed - texts:
                texts |= self._lists.get(word[1:], frozenset())
            yield kind, frozenset(texts)

    def listed(self, text: Any, name: Any) -> int:
        """Return 1 if a whole text is in a list."""
        return int(
            fold_spaces(str(text)) in self._lists.get(fold(str(name)), frozenset())
        )

    def alias(self, text: Any, name: Any) -> str | None:
        """Return the entry that a name stands for."""
        if text is None:
            return None
        known_name = reduce(str(text))
        table: Mapping[str, str] = self._aliases.get(fold(str(name)), {})
        return table.get(known_name, known_name)

    def reduce(self, text: str, kind: str) -> str:
        """Words of a text, folded, without those that are of no account."""
        if len(text) > KEPT:
            return self._reduce(text, kind)
        return self._remembered(text, kind)

    def _reduce(self, text: str, kind: str) -> str:
        words = WORD.findall(fold(text))
        for phrases in (self._fuzzy.get("*"), self._fuzzy.get(kind)):
            if phrases:
                words = _without(words, phrases)
        kept = " ".join(words)
        return self._names.get(kept, kept)

    def same_words(self, left: Any, right: Any, kind: Any) -> int:
        """Return 1 if two texts are equal but for punctuation and the fuzzy words."""
        if left is None or right is None:
            return 0
        words = self.reduce(str(left), str(kind))
        return int(bool(words) and words == self.reduce(str(right), str(kind)))

    def stop_word(self, text: Any, kind: Any) -> int:
        """Return 1 if a whole text is a stop word."""
        result = fold(" ".join(str(text).split()))
        return int(
            result in self._stop.get("*", frozenset())
            or result in self._stop.get(str(kind), frozenset())
        )

    def descends(self, below: Any, above: Any) -> int:
        """Return 1 if a type is below another."""
        return int(above in self._above(str(below)))

    def install(self, connection: sqlite3.Connection) -> None:
        """Let a connection call the functions."""
        for name, function, arity in (
            ("common", common, 2),
            ("descends", self.descends, 2),
            ("same_words", self.same_words, 3),
            ("stop_word", self.stop_word, 2),
            ("listed", self.listed, 2),
            ("alias", self.alias, 2),
            ("begins", lambda a, b: int(str(a).startswith(str(b))), 2),
            ("ends", lambda a, b: int(str(a).endswith(str(b))), 2),
        ):
            connection.create_function(name, arity, function, deterministic=True)
        for name, arity, replacing in LINEAR:
            connection.create_function(name, arity, replacing, deterministic=True)
        connection.create_function("gs_shared", 6, count_shared, deterministic=True)
        connection.create_function("gs_size", 3, size, deterministic=True)


Phrases = Mapping[str, Sequence[tuple[str, ...]]]
"""Words that go, by the first of them; the longer ones first."""


def _phrases(words: frozenset[str]) -> Phrases:
    phrases: dict[str, list[tuple[str, ...]]] = {}
    for word in words:
        parts = tuple(WORD.findall(word))
        if parts:
            phrases.setdefault(parts[0], []).append(parts)
    for phrase in phrases.values():
        phrase.sort(key=len, reverse=True)
    return phrases


def _without(words: list[str], phrases: Phrases) -> list[str]:
    """Words without those that are of no account.

    >>> _without(["the", "prime", "minister", "prime"], _phrases(frozenset(
    ...     {"the", "prime minister"})))
    ['prime']
    """
    kept: list[str] = []
    index = 0
    while index < len(words):
        for parts in phrases.get(words[index], ()):
            if tuple(words[index : index + len(parts)]) == parts:
                index += len(parts)
                break
        else:
            kept.append(words[index])
            index += 1
    return kept


def _closure(name: str, settings: Settings) -> frozenset[str]:
    result: set[str] = set()
    waiting = set(settings.hierarchy.get(name, ()))
    while waiting:
        type_name = waiting.pop()
        if type_name not in result:
            result.add(type_name)
            waiting |= settings.hierarchy.get(type_name, frozenset())
    return frozenset(result)


def common(first: Any, second: Any) -> int:
    r"""Count the entries that are in both.

    >>> common("\x1fQ1\x1fQ2\x1f", "\x1fQ2\x1f"), common("", "")
    (1, 0)
    """
    if not first or not second:
        return 0
    if first == second:
        return str(first).count(SEPARATOR) - 1
    left = {entry for entry in str(first).split(SEPARATOR) if entry}
    return sum(entry in left for entry in set(str(second).split(SEPARATOR)))


def ranges_of(start: int, end: int, pieces: str) -> list[tuple[int, int]]:
    """The ranges of characters that columns stand for.

    >>> ranges_of(0, 9, "0:3;7:9")
    [(0, 3), (7, 9)]
    """
    if not pieces or pieces[0] == "=":
        return [(start, end)]
    pairs = (piece.split(":") for piece in pieces.split(";"))
    return [(int(first), int(last)) for first, last in pairs]


def count_shared(*columns: Any) -> int:
    """Count the characters that two spans share.

    >>> count_shared(0, 9, "0:3;7:9", 2, 8, "")
    2
    """
    left, right = ranges_of(*columns[:3]), ranges_of(*columns[3:])
    return sum(
        max(0, min(left_range[1], right_range[1]) - max(left_range[0], right_range[0]))
        for left_range in left
        for right_range in right
    )


def size(start: int, end: int, pieces: str) -> int:
    """Count the characters of a span."""
    return sum(last - first for first, last in ranges_of(start, end, pieces))


def instr(text: Any, sought: Any) -> int | None:
    """Return the position of a text in another, from 1; 0 if absent.

    >>> instr("Rome", "me"), instr("Rome", "x"), instr(None, "x")
    (3, 0, None)
    """
    if text is None or sought is None:
        return None
    return str(text).find(str(sought)) + 1


def trim(text: Any, marks: Any, left: bool, right: bool) -> str | None:
    """A text without marks at its ends.

    >>> trim("..a.b.", ".", True, True), trim("  a ", " ", False, True)
    ('a.b', '  a')
    """
    if text is None or marks is None:
        return None
    whole, those = str(text), set(str(marks))
    start, end = 0, len(whole)
    while left and start < end and whole[start] in those:
        start += 1
    while right and start < end and whole[end - 1] in those:
        end -= 1
    return whole[start:end]


def _trims() -> Iterator[tuple[str, int, Callable[..., str | None]]]:
    for name, left, right in (
        ("trim", True, True),
        ("ltrim", True, False),
        ("rtrim", False, True),
    ):
        trim = partial(_trim, left, right)
        yield name, 1, trim
        yield name, 2, trim


def _trim(left: bool, right: bool, text: Any, marks: Any = " ") -> str | None:
    return trim(text, marks, left, right)


LINEAR: tuple[tuple[str, int, Callable[..., Any]], ...] = (
    ("instr", 2, instr),
    *_trims(),
)
"""Replacements of SQLite's functions that take quadratic time uninterruptibly."""
