"""Words, names and kinds of properties that rules know, from their file or from others.

A list is a text to a line; a table of aliases has the names of one thing on a line,
with tabs between them, the first standing for all.  Lines that are empty or begin with
``#`` say nothing.  Files are found from where the file of rules stands.

>>> reduce("The  U.S. of A.,")
'the u.s of a'
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from graphscore.exceptions import Problem
from graphscore.model.normalize import fold
from graphscore.tables import content_of, rows

if TYPE_CHECKING:
    from graphscore.rules.parser import Parser

LARGEST = 16 * 1024 * 1024
"""Bytes of a file of words."""

WORD = re.compile(r"[^\W_]+(?:['’&.\-][^\W_]+)*")
"""A word: letters and digits, and single marks between."""


def reduce(text: str) -> str:
    """The words of a text, folded, without what stands between them."""
    return " ".join(WORD.findall(fold(text)))


def fold_spaces(text: str) -> str:
    """A text, folded, with single blanks."""
    return fold(" ".join(text.split()))


def words_of(parser: Parser, where: str, value: str | list[str]) -> frozenset[str]:
    """Return the texts of a list, or those of a file.

    Args:
        parser: of the file of rules, where what is wrong is noted.
        where: the key of the list.
        value: texts, or the path of a file.
    """
    if isinstance(value, list):
        return frozenset(map(fold_spaces, value))
    lines = _lines(parser, where, value)
    return frozenset(fold_spaces(" ".join(columns)) for _, _, columns in lines)


def aliases_of(
    parser: Parser, where: str, value: str | dict[str, list[str]]
) -> dict[str, str]:
    """Return what each name of a table, or of a file, stands for.

    Args:
        parser: of the file of rules, where what is wrong is noted.
        where: the key of the table.
        value: names with others for the same, or the path of a file.
    """
    aliases: dict[str, str] = {}
    if isinstance(value, dict):
        for name, others in value.items():
            if clash := _enter(aliases, [name, *others]):
                problem = f"{clash!r}, which stands for another"
                parser.problem(where, problem, "each name once")
        return aliases
    for path, number, columns in _lines(parser, where, value):
        names = [name for name in columns if name.strip()]
        clash = _enter(aliases, names)
        if len(names) < 2 or clash:
            problem = f"{clash!r}, which stands for another" if clash else "one name"
            expected = "names of one thing, with tabs between"
            parser.problems.append(Problem(path, number, None, "", problem, expected))
    return aliases


def _enter(aliases: dict[str, str], names: Iterable[str]) -> str:
    """Note names of one thing; that one which already stands for another."""
    first, *others = map(str, names)
    main = reduce(first)
    for name in (first, *others):
        for key in (reduce(name), fold_spaces(name)):
            if aliases.setdefault(key, main) != main:
                return name
    return ""


def _lines(parser: Parser, where: str, path: str) -> list[tuple[str, int, list[str]]]:
    """The lines of a file, with its path and their numbers."""
    location = os.path.join(os.path.dirname(parser.file), path)
    try:
        # Whoever wrote the rules may name a pipe, at which one would wait for ever.
        if os.path.exists(location) and not os.path.isfile(location):
            raise OSError(errno.ENOENT, "not a file")
        data = content_of(location, LARGEST + 1)
        text = data.decode("utf-8-sig")
    except (OSError, ValueError) as error:
        lines = getattr(error, "strerror", None) or "no text in UTF-8"
        parser.problem(
            where, f"{path!r}: {lines}"[:200], "the path of a file from here"
        )
        return []
    if len(data) > LARGEST:
        parser.problem(where, f"{path!r}: more than {LARGEST} bytes", "a smaller file")
        return []
    parser.contents.append(data)
    lines = list(rows(text, comment="#"))
    if not lines:
        parser.problem(where, f"{path!r}: nothing", "a file with lines")
    return [(location, number, columns) for number, columns in lines]
