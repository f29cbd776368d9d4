r"""Files that parameters of metrics name: words, hierarchies, decisions, facts.

Lines of UTF-8 with tabs between columns; empty lines and those that begin with ``#``
say nothing.

>>> from tempfile import NamedTemporaryFile
>>> with NamedTemporaryFile("w", suffix=".tsv") as file:
...     _ = file.write("# of instruments\nBOMB\tEXPLOSIVE\nDYNAMITE\tBOMB\n")
...     _ = file.seek(0)
...     tree = hierarchy_of(file.name)
>>> tree.descends("dynamite", "explosive")
True
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from typing import Any

import msgspec

from graphscore.duplicates import invalid, shown
from graphscore.exceptions import UsageError
from graphscore.lazy import blake2b
from graphscore.model.normalize import fold
from graphscore.similarity import FormulaError, Hierarchy, hierarchy
from graphscore.tables import content_of, rows

CREDITS = {"0": 0.0, "0.5": 0.5, "1/2": 0.5, "½": 0.5, "1": 1.0, "0.0": 0.0, "1.0": 1.0}
"""Credits by the way a decision is written."""

Decisions = dict[tuple[str, str], float]
"""Credit by predicted and gold string."""

Facts = frozenset[tuple[str, str, str]]
"""Names of head and tail, and the relation."""


def plain(text: str) -> str:
    """A string as files and documents are compared: case and blanks alike.

    >>> plain(" The  ARMY")
    'the army'
    """
    return fold(" ".join(text.split()))


def digest_of(*files: str) -> int:
    """A number that changes with the contents of files.

    Args:
        files: their paths; empty ones are none.

    Raises:
        UsageError: if one cannot be read.
    """
    state = blake2b(digest_size=4)
    for file in files:
        content = _content(file) if file else b""
        state.update(len(content).to_bytes(8, "big") + content)
    return int.from_bytes(state.digest(), "big") >> 1


def words_of(file: str) -> frozenset[str]:
    """Lower-cased words, one a line.

    Args:
        file: its path; empty for no file.

    Raises:
        UsageError: if it cannot be read, or a line has several words.
    """
    words = set()
    for number, (word,) in lines_of(file, 1, "a word"):
        if len(word.split()) != 1:
            raise _wrong(file, number, repr(word), "a word")
        words.add(word.strip().lower())
    return frozenset(words)


def hierarchy_of(file: str) -> Hierarchy:
    """Read a hierarchy: on each line a value and the one above it, case-folded.

    Args:
        file: its path; empty for no file.

    Raises:
        UsageError: if it cannot be read, or is no hierarchy.
    """
    pairs = [
        (plain(below), plain(above))
        for _, (below, above) in lines_of(
            file, 2, "a value, a tab and what is above it"
        )
    ]
    try:
        return hierarchy(list(dict.fromkeys(pairs)))
    except FormulaError as error:
        raise UsageError(f"{file}: {error}") from None


def decisions_of(file: str) -> Decisions:
    """Read an assessor's decisions: predicted string, gold string, and 0, ½ or 1.

    Args:
        file: its path; empty for no file.

    Returns:
        Credit by both strings, in small letters.

    Raises:
        UsageError: if it cannot be read, or says two things of the same strings.
    """
    expected = "a predicted string, a gold string and 0, 0.5 or 1, with tabs between"
    decisions: Decisions = {}
    for number, (system, gold, credit) in lines_of(file, 3, expected):
        if credit.strip() not in CREDITS:
            raise _wrong(file, number, repr(credit), "0, 0.5 or 1")
        key, earned = (plain(system), plain(gold)), CREDITS[credit.strip()]
        if decisions.setdefault(key, earned) != earned:
            raise _wrong(
                file, number, f"{credit} for {key}", f"{decisions[key]:g} again"
            )
    return decisions


def facts_of(file: str) -> Facts:
    """Facts that were seen in training: head, tail and relation.

    Args:
        file: its path, tab-separated or a JSON list: of lists, or of the documents of
            DocRED that the facts are stated in; empty for no file.

    Raises:
        UsageError: if it cannot be read.
    """
    if not file:
        return frozenset()
    text = _text(file)
    if not text.lstrip().startswith("["):
        expected = "the names of head and tail and a relation, with tabs between"
        return frozenset(
            (head, tail, relation)
            for _, (head, tail, relation) in lines_of(file, 3, expected)
        )
    try:
        listed = json.loads(text)
    except ValueError as error:
        raise UsageError(f"{file}: found {error}, expected JSON") from None
    except RecursionError:
        reason = "lists that are nested too deep"
        raise UsageError(f"{file}: {reason}, expected [head, tail, relation]") from None
    facts: set[tuple[str, str, str]] = set()
    for index, entry in enumerate(listed):
        if isinstance(entry, dict):
            facts.update(_stated_facts(file, f"$[{index}]", entry))
            continue
        if (
            not isinstance(entry, list)
            or len(entry) != 3
            or not all(isinstance(part, str) for part in entry)
        ):
            expected = "[head, tail, relation] or a document with vertexSet and labels"
            raise _wrong(file, f" $[{index}]", shown(entry), expected)
        head, tail, relation = entry
        facts.add((head, tail, relation))
    return frozenset(facts)


class _Mention(msgspec.Struct):
    """A mention of a document of DocRED, as far as facts need it."""

    name: str


class _Label(msgspec.Struct):
    """A relation of a document of DocRED."""

    h: int
    t: int
    r: str


class _Stated(msgspec.Struct):
    """The entities and relations of a document of DocRED."""

    vertex_set: list[list[_Mention]] = msgspec.field(name="vertexSet")
    labels: list[_Label]


def _stated_facts(
    file: str, where: str, document: dict[str, Any]
) -> Iterator[tuple[str, str, str]]:
    """Return the facts of a document, between any names of both entities.

    Raises:
        UsageError: if it is no document of DocRED with relations.
    """
    try:
        stated = msgspec.convert(document, _Stated)
    except msgspec.ValidationError as error:
        location, value, expected = invalid(error, where)
        raise _wrong(file, f" {location}", value, expected) from None
    names = [[mention.name for mention in entity] for entity in stated.vertex_set]
    for number, label in enumerate(stated.labels):
        if not all(0 <= end < len(names) for end in (label.h, label.t)):
            value = f"entities {label.h} and {label.t}"
            expected = f"positions of entities, below {len(names)}"
            raise _wrong(file, f" {where}.labels[{number}]", value, expected)
        for head, tail in product(names[label.h], names[label.t]):
            yield head, tail, label.r


def lines_of(file: str, columns: int, expected: str) -> Iterator[tuple[int, list[str]]]:
    """Line numbers and columns of a file.

    Args:
        file: its path; empty for no file.
        columns: how many there must be.
        expected: what they are, in words.

    Raises:
        UsageError: if it cannot be read, or a line has more or fewer.
    """
    if not file:
        return
    for number, parts in rows(_text(file), comment="#"):
        if len(parts) != columns:
            line = "\t".join(parts)
            raise _wrong(file, number, repr(line[:60]), expected)
        yield number, parts


def _wrong(file: str, location: int | str, value: str, expected: str) -> UsageError:
    return UsageError(f"{file}:{location}: found {value}, expected {expected}")


def _content(file: str) -> bytes:
    try:
        return content_of(file)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise UsageError(f"{file}: {reason}, expected a file to read") from None


def _text(file: str) -> str:
    try:
        return _content(file).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        reason = f"bytes that are not UTF-8 at {error.start}"
        raise UsageError(f"{file}: found {reason}, expected UTF-8 text") from None
