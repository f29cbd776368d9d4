"""Formats by name and by content.

Every family has a table of its formats at its door (``graphscore.formats.meaning``
and so on), which is imported where one of them may be meant; readers and writers are
imported when they are used.  Other distributions add theirs through the entry point
group ``graphscore.formats``.

A name whose ending decides is borne out by the first record; elsewhere the rows of all
tables are asked (:mod:`graphscore.formats.recognition`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from importlib import import_module
from io import BufferedReader, BytesIO
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from graphscore.exceptions import InputError, Problem, UsageError, did_you_mean
from graphscore.formats.base import (
    CLAIM,
    SNIFFED,
    Fit,
    Format,
    Given,
    Reader,
    ReadGraph,
    Takes,
    faithful,
    late,
)
from graphscore.formats.recognition import (
    JSON,
    NO_JSON,
    PROLOG,
    Beginning,
    fit_of,
)
from graphscore.formats.source import BOM, problem, read_beginning, shown, suffix_of
from graphscore.lazy import entry_points

if TYPE_CHECKING:
    from graphscore.formats.entities.inventories import Inventory

GROUP = "graphscore.formats"

EQUAL = 0.04
"""Fits that differ by less than this are a tie."""

CERTAIN = 0.8
"""Score at which no more of a file need be inspected."""

_MRS = (
    rb"\s*+(?:(?:#|;|SENT:|NOTE:)[^\n]*+\n\s*+)*+"
    rb"(?:\[\s*+(?:L?TOP|INDEX):|<mrs[\s>-]|<\?xml[^>]*+>\s*+<mrs[\s>-]|<\s*h\d+,\s*[ei]\d)"
)
"""Pattern of the beginning of MRS, in the notations of PyDelphin and ACE."""

_MRS_KEYS = {"relations", "constraints"}
_ROOT = rf"{PROLOG}<([A-Za-z][\w:.-]*)"

LINES = 20
"""Number of damaged lines of JSON that are skipped to detect a format."""

SHOWN, SHOWN_KEYS = 3, 6
"""Numbers of other formats, and of keys, to name."""

FAMILIES = {
    "meaning": ".amr .penman .clf .eds .mrp .sbn .sdp .simpledmrs .dmrs .umr",
    "dependencies": ".conllu",
    "coreference": ".v4_gold_conll .v4_auto_conll",
    "entities": ".aida .hipe .iob .iob2 .bio .iobes .bioes .bilou .neleval",
    "extraction": ".pubtator",
    "templates": "",
    "roles": ".conll05 .conll09 .conll2009 .conllu",
    "sentiment": "",
    "plain": "",
}
"""The doors of the families, with the endings of names that decide for one of them; the
last door is that for graphs of any family."""


@cache
def _table(family: str) -> dict[str, Format]:
    """The formats of a family, by name."""
    door = import_module(f"graphscore.formats.{family}")
    return {declared.name: faithful(declared) for declared in door.FORMATS}


@lru_cache(maxsize=1)
def formats() -> dict[str, Format]:
    """Every known format, by name, in alphabetical order."""
    result = {
        name: known for family in FAMILIES for name, known in _table(family).items()
    }
    for entry in entry_points(GROUP):
        declared = entry.load()
        if declared.name not in result:
            result[declared.name] = faithful(declared)
    return dict(sorted(result.items()))


def find_format(name: str) -> Format | None:
    """Return the format of that name, opening families until it is found; or ``None``.

    Args:
        name: a canonical name.
    """
    tables = map(_table, FAMILIES)
    own = next((table[name] for table in tables if name in table), None)
    return own or formats().get(name)


def format_named(name: str) -> Format:
    """The format of that name.

    Raises:
        UsageError: if there is none; the message lists what there is, or says that
            it was removed.
    """
    known = find_format(name)
    if known is None:
        from graphscore.removed import removal

        raise UsageError(
            removal("format", name)
            or f"no format {name!r}{did_you_mean(name, formats())}; there are: "
            f"{', '.join(formats())}"
        )
    return known


format_given: Callable[[Given], Format] = late(
    "graphscore.formats.user_formats", "format_given"
)
"""Gives the format that somebody asks for; few formats are users' own."""


def reader_of(
    chosen: Format,
    inventory: Inventory | None = None,
    folder: str = "",
    labels: Sequence[str] = (),
    takes: Takes | None = None,
) -> Reader:
    """The reader of a format.

    Args:
        chosen: the format.
        inventory: the tags of the user, for formats whose tags are those of a guide.
        folder: where what belongs to a file may be if it is not beside it.
        labels: names of tags, for formats whose tags may be numbers.
        takes: the frameworks whose graphs are looked at; without, all of them.

    Raises:
        UsageError: if it can only be written; the message lists what can be read.
    """
    if chosen.read is None:
        known = ", ".join(format.name for format in formats().values() if format.read)
        raise UsageError(
            f"the format {chosen.name} can be written but not read; "
            f"these can be read: {known}"
        )
    if inventory is not None and chosen.read_with is not None:
        return chosen.read_with(inventory)
    if labels and chosen.read_labelled is not None:
        return chosen.read_labelled(labels)
    if folder and chosen.read_beside is not None:
        return chosen.read_beside(folder)
    if takes is not None and chosen.documents is not None:
        read, only = chosen.documents.read, takes
        return lambda stream, name: read(stream, name, 0, b"", only)
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
    """Reason for the guess."""
    others: tuple[str, ...]
    """Other candidates, best first."""

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
    """The format that the name of a file says, or that its beginning fits best.

    Args:
        stream: the file, at its beginning; it is looked into, not read.
        path: its name; where its ending decides, the first record has to bear it out,
            elsewhere it decides between formats that fit equally well.

    Returns:
        The format, and why.

    Raises:
        UnclaimedError: if the file looks like no known format.
        InputError: if it is empty, or looks like several.
    """
    suffix = suffix_of(path)
    deciding = _deciding_formats(suffix)
    named = deciding[0] if deciding else None
    by_name = f"its name ends in {suffix}"
    if named and _is_borne_out(named, deciding[1:], stream, path):
        return Guess(named, by_name, ())
    for size in SNIFFED:
        start = Beginning(read_beginning(stream, size))
        ranked = _rank(start, suffix)
        if len(start.head) < size or _is_clear(ranked, start, size):
            break
    head = start.head
    door = import_module("graphscore.formats.extraction")
    for title, (sign, expected) in door.UNREAD.items():
        if fit := sign.fit(start):
            raise _unread(path, title, fit.why, expected)
    if _is_blank(head):
        return _empty(path, suffix, head)
    ranked = ranked or _below(head, suffix)
    named = named if _is_text(head) else None
    if not ranked:
        for format in _readable():
            if format is named or format.by_name == suffix != "":
                return Guess(format, f"{by_name} and it looks like nothing else", ())
        raise _unknown(path, head, suffix)
    best = ranked[0][0].score
    equal = [format for fit, format in ranked if best - fit.score < EQUAL]
    chosen = _by_suffix(equal, suffix)
    but = ""
    if named is not None and not any(suffix in format.suffixes for format in chosen):
        wrong = _first_problem(named, head, path)
        if wrong is None:
            return Guess(named, by_name, ())
        but = f", and not for {named.name}, as its name says, because {wrong}"
    if len(chosen) > 1:
        names = [format.name for format in chosen]
        raise problem(
            path,
            f"content that could be {' or '.join(names)}",
            f"--format {' or --format '.join(names)}",
        )
    [(why, result)] = [
        (fit.why, format) for fit, format in ranked if format is chosen[0]
    ]
    following = (format.name for _, format in ranked if format is not result)
    return Guess(result, why + but, tuple(following)[:SHOWN])


def guess_by_name(stream: BufferedReader[Any], path: str) -> Guess | None:
    """Return the format that the name of a file decides, if its ending does.

    A first record that is a bad one of it, or no record, speaks against it: then
    :func:`guess` looks at more.

    Args:
        stream: the file, at its beginning; it is looked into, not read.
        path: its name.
    """
    suffix = suffix_of(path)
    deciding = _deciding_formats(suffix)
    if len(deciding) != 1:
        # Others that have the ending may fit better: the first sentence of a file with
        # roles may have none.
        return None
    head = read_beginning(stream, SNIFFED[0])
    if _is_blank(head) or not _is_text(head):
        return None
    return Guess(deciding[0], f"its name ends in {suffix}", ())


def _deciding_formats(suffix: str) -> list[Format]:
    """Formats of an ending that decides, first the one for which it does."""
    families = [name for name, endings in FAMILIES.items() if suffix in endings.split()]
    tables = [_table(family) for family in families] or [formats()]
    known = chain.from_iterable(table.values() for table in tables)
    having = [format for format in known if format.read and suffix in format.suffixes]
    having.sort(key=lambda format: suffix not in format.decisive)
    return having if having and suffix in having[0].decisive else []


def _is_borne_out(
    named: Format, others: list[Format], stream: BufferedReader[Any], path: str
) -> bool:
    """Return whether the first record of a file is of the format that its name implies.

    Args:
        named: the format.
        others: those that may have the same ending, and are none of them if they fit.
        stream: the file, at its beginning.
        path: its name.
    """
    for size in SNIFFED[:2]:
        head = read_beginning(stream, size)
        start = Beginning(head)
        if _is_blank(head) or not _is_text(head):
            return False
        if any(fit_of(rival, start).score > CLAIM for rival in others):
            return False
        if _first_problem(named, head, path) is None:
            return True
        if len(head) < size:
            return False
    return False


def _is_blank(head: bytes) -> bool:
    return not head.removeprefix(BOM).strip()


def _is_text(head: bytes) -> bool:
    """Return whether a beginning, which may break off within a character, is UTF-8."""
    try:
        head[: head.rfind(b"\n") + 1 or None].decode()
    except UnicodeDecodeError:
        return False
    return b"\0" not in head


def _first_problem(chosen: Format, head: bytes, path: str) -> str | None:
    """Return the first problem of a file's first record under a format, if any.

    Args:
        chosen: the format.
        head: the beginning of the file, which may break off within a later record.
        path: its name.
    """
    assert chosen.read is not None
    try:
        for record in chosen.read(BytesIO(head), path):
            return None if isinstance(record, ReadGraph) else record.problems[0].said
    except InputError as error:
        return error.problems[0].said
    return "there is no record"


def _readable() -> list[Format]:
    return [format for format in formats().values() if format.read]


Ranked = list[tuple[Fit, Format]]
"""Formats that a file may have, the one that fits best first."""


def _fits(start: Beginning) -> Ranked:
    """Return the fit of a beginning to every format."""
    return [(fit_of(format, start), format) for format in _readable() if format.signs]


def _rank(start: Beginning, suffix: str) -> Ranked:
    """Return the formats that a beginning fits well enough, best first."""
    fitting = [
        (fit, format)
        for fit, format in _fits(start)
        if fit.score > (0.0 if suffix == format.suffixes[0] else CLAIM)
    ]
    # Sorting keeps the order of names where scores are equal.
    return sorted(fitting, key=lambda pair: -pair[0].score)


def _is_clear(ranked: Ranked, start: Beginning, size: int) -> bool:
    """Return whether no more of a file need be inspected."""
    scores = [fit.score for fit, _ in ranked] + [0.0, 0.0]
    if scores[0] >= CERTAIN and scores[0] - scores[1] >= EQUAL:
        return True
    if _is_blank(start.head) or size < SNIFFED[1]:
        return False
    return start.first is None or not start.first.cut


def _below(head: bytes, suffix: str) -> Ranked:
    """Return the formats that fit JSON whose first lines are damaged."""
    for _ in range(LINES):
        line, _, head = head.partition(b"\n")
        if line.removeprefix(BOM).lstrip()[:1] not in (b"{", b""):
            break
        if head and (ranked := _rank(Beginning(head), suffix)):
            return ranked
    return []


def _by_suffix(equal: list[Format], suffix: str) -> list[Format]:
    """Those of several formats for which a name's ending is the most usual."""

    def place(format: Format) -> float:
        endings = format.suffixes
        return endings.index(suffix) if suffix in endings else math.inf

    best = min(map(place, equal))
    return [format for format in equal if place(format) == best]


def _empty(path: str, suffix: str, head: bytes) -> Guess:
    """The format of a file with nothing in it, if it may be so."""
    if len(head) == SNIFFED[-1]:
        found = f"nothing but blanks in the first {SNIFFED[-1]:,} bytes"
        raise problem(path, found, "at least one graph")
    for format in _readable():
        if format.empty and suffix in format.suffixes:
            return Guess(format, f"it is empty and its name ends in {suffix}", ())
    empty = problem(path, "an empty file", "at least one graph")
    if any(suffix == format.suffixes[0] for format in _readable()):
        raise empty
    raise UnclaimedError(empty.problems)


def _unknown(path: str, head: bytes, suffix: str) -> UnclaimedError:
    """Return the error for a file that no format fits."""
    start = Beginning(head, explained=True)
    line = head.removeprefix(BOM).lstrip().split(b"\n", 1)[0][:40]
    found = f"content of no known format, beginning {line.decode('utf-8', 'replace')!r}"
    expected = "one that graphscore formats lists"
    keys = start.first.fields.keys() if start.first else set()
    nearest: tuple[str, ...] = ()
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        found += " (it is in UTF-16; UTF-8 is read)"
    elif re.match(_MRS, head.removeprefix(BOM)) or keys >= _MRS_KEYS:
        found += " (MRS)"
        expected = "EDS or DMRS, which 'delphin convert --to eds' makes of it"
    elif _is_text(head):
        found += f" ({_kind_of(start)})"
        nearest = _nearest(start, suffix)
    whole = shown(path), None, None, "", found, expected
    return UnclaimedError([Problem(*whole, nearest=nearest)])


def _unread(path: str, title: str, why: str, expected: str) -> UnclaimedError:
    """Describe a file that is recognized and not read."""
    found = f"{title}, as {why}, which is not read"
    expected = (
        expected
        or "one that graphscore formats lists, or a reader: --format FILE.py:NAME"
    )
    return UnclaimedError([Problem(shown(path), None, None, "", found, expected)])


def _kind_of(start: Beginning) -> str:
    """Describe the text of a file that no format fits."""
    if start.first and start.first.fields:
        return f"JSON with the keys {', '.join([*start.first.fields][:SHOWN_KEYS])}"
    if start.text[:1] in ("{", "["):
        return "brackets without keys of JSON"
    if root := re.match(_ROOT, start.text):
        return f"markup, of which <{root[1]}> is the root"
    lines = [line for line in start.lines if line and not line.startswith("#")]
    for separator, name in (("\t", "tabs"), (",", "commas"), (";", "semicolons")):
        counts = {line.count(separator) for line in lines[:LINES]}
        if len(counts) == 1 and (several := max(counts)):
            return f"{several + 1} columns with {name} between"
    return "plain text"


def _nearest(start: Beginning, suffix: str) -> tuple[str, ...]:
    """List the formats that a file is nearest to, and why it is of none of them.

    A format of which nothing is there, not even the ending, is not near.
    """

    def nearness(fit: Fit, known: Format) -> tuple[float, bool]:
        usual = (suffix in known.suffixes) + (suffix == known.suffixes[0])
        # Whether it is JSON says nothing of one format more than of another.
        return max(fit.score, fit.near) + 0.25 * usual, fit not in (JSON, NO_JSON)

    ranked = [(nearness(*pair), *pair) for pair in _fits(start)]
    near = [row for row in ranked if row[0][0]]
    near.sort(key=lambda row: row[0], reverse=True)
    return tuple(
        f"{known.name}: {'only that ' * bool(fit)}{fit.why}"
        for _, fit, known in near[:SHOWN]
    )
