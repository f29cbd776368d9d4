"""Words, names and kinds of properties that rules know, from their file or from others.

A list is a text to a line; a table of aliases has the names of one thing on a line,
with tabs between them, the first standing for all.  Lines that are empty or begin with
``#`` say nothing.  Files are found from where the file of rules stands.

>>> plain("The  U.S. of A.,")
'the u.s of a'
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from graphscore.errors import Problem
from graphscore.model.normalize import fold
from graphscore.tables import content_of, rows

if TYPE_CHECKING:
    from graphscore.rules.parser import Checker

NAMED = ("properties", "lists", "aliases")
"""The tables of a file that are read here."""

LARGEST = 16 * 1024 * 1024
"""Bytes of a file of words."""

KINDS = ("text", "number")

_NAME = re.compile(r"[a-z_]\w*", re.ASCII)

WORD = re.compile(r"[^\W_]+(?:['’&.\-][^\W_]+)*")
"""A word: letters and digits, and single marks between."""


def plain(text: str) -> str:
    """The words of a text, folded, without what stands between them."""
    return " ".join(WORD.findall(fold(text)))


def spaced(text: str) -> str:
    """A text, folded, with single blanks."""
    return fold(" ".join(text.split()))


def take_named(checker: Checker, tables: Mapping[str, Mapping[str, Any]]) -> None:
    """Take the tables of a file that name words, aliases and properties.

    Args:
        checker: where what is found goes, and what is wrong.
        tables: by name, as the file has them.
    """
    found: dict[str, dict[str, Any]] = {key: {} for key in NAMED}
    for key, table in tables.items():
        for name, value in table.items():
            where = f"{key}.{name}"
            if not _NAME.fullmatch(fold(name)):
                checker.problem(where, repr(name)[:60], "a name of letters and digits")
            elif key == "properties":
                if value in KINDS:
                    found[key][fold(name)] = value
                else:
                    expected = f"one of: {', '.join(KINDS)}"
                    checker.problem(where, repr(value)[:60], expected)
            elif key == "lists":
                found[key][fold(name)] = _words(checker, where, value)
            else:
                found[key][fold(name)] = _aliases(checker, where, value)
    checker.settings |= {key: value for key, value in found.items() if value}


def _words(checker: Checker, where: str, value: Any) -> frozenset[str]:
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return frozenset(map(spaced, value))
    if not isinstance(value, str):
        checker.problem(
            where, repr(value)[:60], "the path of a file, or a list of texts"
        )
        return frozenset()
    lines = _lines(checker, where, value)
    return frozenset(spaced(" ".join(columns)) for _, _, columns in lines)


def _aliases(checker: Checker, where: str, value: Any) -> dict[str, str]:
    expected = "the path of a file, or a table of names with lists of others"
    found: dict[str, str] = {}
    if isinstance(value, str):
        for path, number, columns in _lines(checker, where, value):
            names = [each for each in columns if each.strip()]
            clash = _enter(found, names)
            if len(names) < 2 or clash:
                said = f"{clash!r}, which stands for another" if clash else "one name"
                wrong = "names of one thing, with tabs between"
                checker.problems.append(Problem(path, number, None, "", said, wrong))
        return found
    if not isinstance(value, Mapping):
        checker.problem(where, repr(value)[:60], expected)
        return found
    for name, others in value.items():
        if not isinstance(others, list) or not all(isinstance(e, str) for e in others):
            checker.problem(where, repr(others)[:60], expected)
        elif clash := _enter(found, [name, *others]):
            said = f"{clash!r}, which stands for another"
            checker.problem(where, said, "each name once")
    return found


def _enter(found: dict[str, str], names: Iterable[str]) -> str:
    """Note names of one thing; that one which already stands for another."""
    first, *others = map(str, names)
    main = plain(first)
    for name in (first, *others):
        for key in (plain(name), spaced(name)):
            if found.setdefault(key, main) != main:
                return name
    return ""


def _lines(checker: Checker, where: str, path: str) -> list[tuple[str, int, list[str]]]:
    """The lines of a file, with its path and their numbers."""
    place = os.path.join(os.path.dirname(checker.file), path)
    try:
        # Whoever wrote the rules may name a pipe, at which one would wait for ever.
        if os.path.exists(place) and not os.path.isfile(place):
            raise OSError(errno.ENOENT, "not a file")
        data = content_of(place, LARGEST + 1)
        text = data.decode("utf-8-sig")
    except (OSError, ValueError) as error:
        found = getattr(error, "strerror", None) or "no text in UTF-8"
        checker.problem(
            where, f"{path!r}: {found}"[:200], "the path of a file from here"
        )
        return []
    if len(data) > LARGEST:
        checker.problem(where, f"{path!r}: more than {LARGEST} bytes", "a smaller file")
        return []
    checker.contents.append(data)
    found = list(rows(text, comment="#"))
    if not found:
        checker.problem(where, f"{path!r}: nothing", "a file with lines")
    return [(place, number, columns) for number, columns in found]
