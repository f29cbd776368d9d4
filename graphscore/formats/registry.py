"""Formats by name and by content.

Every family has a table of its formats at its door (``graphscore.formats.meaning``
and so on); readers and writers are imported when they are used.  Other distributions
add theirs through the entry point group ``graphscore.formats``.
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib.metadata import entry_points
from io import BufferedReader, BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple

from graphscore.errors import InputError, UsageError, meant
from graphscore.formats import (
    coreference,
    dependencies,
    entities,
    extraction,
    meaning,
    plain,
    roles,
    sentiment,
    templates,
)
from graphscore.formats.base import (
    CLAIM,
    NO_FIT,
    SNIFFED,
    Fit,
    Format,
    Read,
    Reader,
    fits,
)
from graphscore.formats.fidelity import faithful
from graphscore.formats.shared.beginnings import first_object
from graphscore.formats.source import BOM, beginning, problem, suffix_of

if TYPE_CHECKING:
    from graphscore.formats.entities.inventories import Inventory

GROUP = "graphscore.formats"

EQUAL = 0.04
"""Fits that differ by less than this are a tie."""

CERTAIN = 0.8
"""What fits so well needs no look at more of a file."""

_MRS = re.compile(
    rb"\s*+(?:(?:#|;|SENT:|NOTE:)[^\n]*+\n\s*+)*+"
    rb"(?:\[\s*+(?:L?TOP|INDEX):|<mrs[\s>-]|<\?xml[^>]*+>\s*+<mrs[\s>-]|<\s*h\d+,\s*[ei]\d)"
)
"""How files of MRS begin, in the notations of PyDelphin; output of ACE as well."""

_MRS_KEYS = ("relations", "constraints")

LINES = 20
"""So many damaged lines of JSON are passed over to tell a format."""

SHOWN, SHOWN_KEYS = 3, 6
"""So many other formats, or keys, are named."""

DOORS = (
    meaning,
    dependencies,
    coreference,
    entities,
    extraction,
    templates,
    roles,
    sentiment,
    plain,
)
"""The packages with the formats of each family, and those for graphs of any."""


@lru_cache(maxsize=1)
def formats() -> dict[str, Format]:
    """Every known format, by name, in alphabetical order."""
    found = {each.name: each for door in DOORS for each in door.FORMATS}
    for entry in entry_points(group=GROUP):
        declared = entry.load()
        found.setdefault(declared.name, declared)
    return {name: faithful(each) for name, each in sorted(found.items())}


def format_named(name: str) -> Format:
    """The format of that name.

    Raises:
        UsageError: if there is none; the message lists what there is, or says that
            it was removed.
    """
    known = formats()
    if name not in known:
        from graphscore.removed import removal

        raise UsageError(
            removal("format", name)
            or f"no format {name!r}{meant(name, known)}; there are: {', '.join(known)}"
        )
    return known[name]


def reader_of(
    chosen: Format, inventory: Inventory | None = None, folder: str = ""
) -> Reader:
    """The reader of a format.

    Args:
        chosen: the format.
        inventory: the tags of the user, for formats whose tags are those of a guide.
        folder: where what belongs to a file may be if it is not beside it.

    Raises:
        UsageError: if it can only be written; the message lists what can be read.
    """
    if chosen.read is None:
        known = ", ".join(each.name for each in formats().values() if each.read)
        raise UsageError(
            f"the format {chosen.name} can be written but not read; "
            f"these can be read: {known}"
        )
    if inventory is not None and chosen.read_with is not None:
        return chosen.read_with(inventory)
    if folder and chosen.read_beside is not None:
        return chosen.read_beside(folder)
    return chosen.read


class UnclaimedError(InputError):
    """A file that no format claims, or an empty one whose name says nothing either."""


class Guess(NamedTuple):
    """The format that a file seems to have, and why.

    Example:
        >>> print(Guess(formats()["gtt"], "of its keys", ("mrp",)))
        taken for gtt because of its keys; next mrp; --format names another
    """

    format: Format
    """The format."""
    why: str
    """What speaks for it."""
    others: tuple[str, ...]
    """What else it might be, best first."""

    def __str__(self) -> str:
        others = f"next {', '.join(self.others)}; " if self.others else ""
        return (
            f"taken for {self.format.name} because {self.why}; "
            f"{others}--format names another"
        )


def detect(stream: BufferedReader[Any], path: str) -> Format:
    """The format of a file, by its content; see :func:`guess`."""
    return guess(stream, path).format


def guess(stream: BufferedReader[Any], path: str) -> Guess:
    """The format that the beginning of a file fits best.

    Args:
        stream: the file, at its beginning; it is looked into, not read.
        path: its name, which decides between formats that fit equally well.

    Returns:
        The format, and why.

    Raises:
        UnclaimedError: if the file looks like no known format.
        InputError: if it is empty, or looks like several.
    """
    suffix = suffix_of(path)
    head = b""
    for size in SNIFFED:
        head = beginning(stream, size)
        ranked = _ranked(head, suffix)
        if len(head) < size or _is_clear(ranked, head, size):
            break
    if not head.removeprefix(BOM).strip():
        return _empty(path, suffix, head)
    if not ranked:
        ranked = _below(head, suffix)
    named = None
    if _is_text(head):
        named = next((each for each in _readable() if suffix in each.decisive), None)
    if not ranked:
        for each in _readable():
            if each is named or each.by_name == suffix != "":
                why = f"its name ends in {suffix} and it looks like nothing else"
                return Guess(each, why, ())
        raise _unknown(path, head)
    best = ranked[0][0].score
    equal = [each for fit, each in ranked if best - fit.score < EQUAL]
    chosen = _by_suffix(equal, suffix)
    but = ""
    if named is not None and not any(suffix in each.suffixes for each in chosen):
        wrong = _first_problem(named, head, path)
        if wrong is None:
            alike = tuple(each.name for _, each in ranked if each is not named)
            return Guess(named, f"its name ends in {suffix}", alike[:SHOWN])
        but = f", and not for {named.name}, as its name says, because {wrong}"
    if len(chosen) > 1:
        names = [each.name for each in chosen]
        raise problem(
            path,
            f"content that could be {' or '.join(names)}",
            f"--format {' or --format '.join(names)}",
        )
    [(why, found)] = [(fit.why, each) for fit, each in ranked if each is chosen[0]]
    others = (each.name for _, each in ranked if each is not found)
    return Guess(found, why + but, tuple(others)[:SHOWN])


def _is_text(head: bytes) -> bool:
    """Whether a beginning, which may break off within a character, is UTF-8."""
    try:
        head[: head.rfind(b"\n") + 1 or None].decode()
    except UnicodeDecodeError:
        return False
    return b"\0" not in head


def _first_problem(chosen: Format, head: bytes, path: str) -> str | None:
    """What is wrong with a file's first record under a format, if anything is.

    Args:
        chosen: the format.
        head: the beginning of the file, which may break off within a later record.
        path: its name.
    """
    assert chosen.read is not None
    try:
        for record in chosen.read(BytesIO(head), path):
            return None if isinstance(record, Read) else record.problems[0].said
    except InputError as error:
        return error.problems[0].said
    return "there is no record"


def _readable() -> list[Format]:
    return [each for each in formats().values() if each.read]


Ranked = list[tuple[Fit, Format]]
"""Formats that a file may have, the one that fits best first."""


def _ranked(head: bytes, suffix: str) -> Ranked:
    """What a beginning fits."""
    found = []
    for each in _readable():
        fit = fits(each.sniff(head)) if each.sniff else NO_FIT
        least = 0.0 if suffix == each.suffixes[0] else CLAIM
        if fit.score > least:
            found.append((fit, each))
    # Sorting keeps the order of names where scores are equal.
    return sorted(found, key=lambda each: -each[0].score)


def _is_clear(ranked: Ranked, head: bytes, size: int) -> bool:
    """Whether more of a file need not be looked at."""
    if len(ranked) == 1 or (
        ranked and ranked[0][0].score - ranked[1][0].score >= EQUAL
    ):
        best = ranked[0][0].score
        if best >= CERTAIN:
            return True
    if not head.removeprefix(BOM).strip():
        return False
    if size < SNIFFED[1]:
        return False
    first = first_object(head)
    return first is None or not first.cut


def _below(head: bytes, suffix: str) -> Ranked:
    """What JSON fits whose first lines are damaged."""
    for _ in range(LINES):
        line, _, head = head.partition(b"\n")
        if line.removeprefix(BOM).lstrip()[:1] not in (b"{", b""):
            break
        if head and (ranked := _ranked(head, suffix)):
            return ranked
    return []


def _by_suffix(equal: list[Format], suffix: str) -> list[Format]:
    """Those of several formats for which a name's ending is the most usual."""
    places = {
        each.name: each.suffixes.index(suffix)
        for each in equal
        if suffix in each.suffixes
    }
    if not places:
        return equal
    best = min(places.values())
    return [each for each in equal if places.get(each.name) == best]


def _empty(path: str, suffix: str, head: bytes) -> Guess:
    """The format of a file with nothing in it, if it may be so."""
    if len(head) == SNIFFED[-1]:
        found = f"nothing but blanks in the first {SNIFFED[-1]:,} bytes"
        raise problem(path, found, "at least one graph")
    for each in _readable():
        if each.empty and suffix in each.suffixes:
            return Guess(each, f"it is empty and its name ends in {suffix}", ())
    empty = problem(path, "an empty file", "at least one graph")
    if any(suffix == each.suffixes[0] for each in _readable()):
        raise empty
    raise UnclaimedError(empty.problems)


def _unknown(path: str, head: bytes) -> UnclaimedError:
    """What is said of a file that no format fits."""
    start = head.removeprefix(BOM).lstrip().split(b"\n", 1)[0][:40]
    found = (
        f"content of no known format, beginning {start.decode('utf-8', 'replace')!r}"
    )
    first = first_object(head)
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        found += " (it is in UTF-16; UTF-8 is read)"
    elif _MRS.match(head.removeprefix(BOM)) or (
        first is not None and first.seen(*_MRS_KEYS) == [*_MRS_KEYS]
    ):
        expected = "EDS or DMRS, which 'delphin convert --to eds' makes of it"
        return UnclaimedError(problem(path, f"{found} (MRS)", expected).problems)
    elif first is not None and first.fields:
        found += f" (JSON with the keys {', '.join([*first.fields][:SHOWN_KEYS])})"
    expected = "one that graphscore formats lists"
    return UnclaimedError(problem(path, found, expected).problems)
