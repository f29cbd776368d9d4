"""Base types of formats: a reader, a writer or both, and how to detect them.

A reader turns a byte stream into records, one after the other: a graph, or a
:class:`Rejected` record with everything that is wrong with it.  It never stops
at a bad record and never loses the good ones after it.  Readers keep what the
file says; only what cannot be a graph is refused.  Where a record has parts that do
without each other, such as the slots of a template, a bad part costs itself and is
named with the graph: a system loses that part, gold with such a part is refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import is_dataclass
from functools import wraps
from importlib import import_module
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from graphscore.exceptions import Problem, amount
from graphscore.model.graph import Graph

if TYPE_CHECKING:
    from graphscore.formats.entities.inventories import Inventory
    from graphscore.formats.recognition import Sign


class Note(NamedTuple):
    """Something odd in a record, which costs nothing."""

    what: str
    """Description in a few words, the same for any record."""
    problem: Problem
    """Its location, with the text found and expected."""
    absent: bool = False
    """True if the thing is absent, rather than present and ignored."""


class ReadGraph(NamedTuple):
    """A graph and where it stands."""

    line: int
    """First line of the record, from 1."""
    graph: Graph
    left_out: tuple[Problem, ...] = ()
    """Parts of the record that could not be read, and are not in the graph."""
    notes: tuple[Note, ...] = ()
    """Ignored parts, which nothing needs."""


class Rejected(NamedTuple):
    """A record that cannot be a graph."""

    line: int
    """First line of the record, from 1."""
    problems: tuple[Problem, ...]
    """Everything that is wrong with it."""
    raw: bytes
    """The record as it stands in the file."""
    framework: str = ""
    """Its framework, as far as it can be read."""
    item: str = ""
    """Its id, as far as it can be read."""
    layer: str = ""
    """Its layer, where a file has several of one framework."""
    aside: str = ""
    """Reason to leave out a record that the file marks as no annotation.

    It is a few words; the record is counted, and costs nothing.
    """

    @property
    def note(self) -> Note:
        """Note on a record that is left :attr:`aside`."""
        return Note(self.aside, self.problems[0])


Record = ReadGraph | Rejected


class Notes:
    """Numbers of ignored and absent things by description, with the first of each.

    Example:
        >>> notes = Notes()
        >>> for line in (7, 9):
        ...     problem = Problem("a.conllu", line, None, "FORM", "'Dogs'", "'Cats'")
        ...     notes.add(Note("another text than the words", problem))
        >>> print(*notes.lines("a.conllu"))
        a.conllu: another text than the words, passed over in 2 records, first \
a.conllu:7: FORM: found 'Dogs', expected 'Cats'
    """

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._first: dict[str, Note] = {}

    def add(self, note: Note) -> None:
        """Count a note."""
        self._counts[note.what] += 1
        self._first.setdefault(note.what, note)

    def lines(self, name: str) -> list[str]:
        """A line for each kind.

        Args:
            name: what was read.
        """
        return [
            f"{name}: {what}, {'' if first.absent else 'passed over '}in "
            f"{amount(self._counts[what], 'record')}, first {first.problem}"
            for what, first in self._first.items()
        ]


Reader = Callable[[BinaryIO, str], Iterator[Record]]
"""Takes a byte stream and the name of its file, gives its records in order."""

Takes = Callable[[str], object]
"""Gives something true for frameworks whose graphs are looked at."""

Writer = Callable[[Iterable[Graph]], Iterator[bytes]]
"""Takes graphs, gives the bytes of the file piece by piece."""

FilesWriter = Callable[[Iterable[Graph]], Iterator[tuple[str, bytes]]]
"""Takes graphs, gives the names of files and their bytes."""


class Fit(NamedTuple):
    """Fit of the beginning of a file to a format.

    Example:
        >>> bool(Fit(0.5, "its first line is odd")), bool(NO_FIT)
        (True, False)
    """

    score: float
    """From 0 (it cannot be one) to 1 (it is no other); see :data:`CLAIM`."""
    why: str
    """Evidence that completes "taken for X because"; for no fit, the reason."""
    near: float = 0.0
    """For no fit, the share of the expected features that are present, below 1."""

    def __bool__(self) -> bool:
        return self.score > 0


CLAIM = 0.25
"""Score below which a file's suffix must be the format's most usual one."""

NO_FIT = Fit(0.0, "")
"""Fit of a file that cannot be of a format."""

SNIFFED = (1 << 12, 1 << 16, 1 << 20, 1 << 24)
"""Numbers of bytes to inspect to detect a format: more where fewer do not suffice.

Beyond the second step only a first record of JSON is followed that goes on so long, and
blank lines.
"""


def late(module: str, name: str) -> Callable[..., Any]:
    """A function of another module, which is imported when it is first called.

    Args:
        module: the module's full name.
        name: the function.

    Returns:
        What passes everything on to it.

    Example:
        >>> late("graphscore.formats.base", "late").__name__
        'late'
    """

    def call(*arguments: Any, **named: Any) -> Any:
        return getattr(import_module(module), name)(*arguments, **named)

    call.__module__, call.__name__, call.__qualname__ = module, name, name
    return call


LineKey = tuple[str, str]
"""Framework and id of a record, as far as can be seen without reading it."""


class LineFormat(Struct, frozen=True):
    """Reader of a format that has one record a line, from wherever a line begins."""

    read: Callable[[Iterable[tuple[int, bytes]], str], Iterator[Record]]
    """Takes lines with their numbers and the name of their file; gives one record for
    each that is not blank."""
    key: Callable[[bytes], LineKey | None]
    """Takes a line; says what record it seems to be."""


class DocumentFormat(Struct, frozen=True):
    """Reader of a format of sentences, from wherever a document begins.

    Sentences have blank lines between them, and a document begins in the comments of
    its first one.
    """

    read: Callable[[BinaryIO, str, int, bytes, Takes], Iterator[Record]]
    """Takes documents, the name of their file, the number of lines before them, the
    line by which all documents of the file are read, and the frameworks that are looked
    at: graphs of others may have names only, and what is wrong with them is said."""
    begins: Callable[[bytes], str | None]
    """Takes a line; says which document begins there, or ``None``."""
    sign: bytes
    """Stands in every line with which a document begins."""
    shared: bytes
    """Stands in the line by which all documents are read, where there is one."""


class Format(Struct, frozen=True):
    """One on-disk format.

    Args:
        name: short lower-case name, as typed after ``--format``.
        title: one line about it.
        frameworks: what it can hold; empty means anything.
        suffixes: usual file name endings, with the dot, most usual first.
        read: its reader, if it has one.
        write: its writer, if it has one.
        signs: by what it is recognised: rows of which the best one counts; none where
            nothing tells, and the format must be named.
        single: whether a file holds one graph only.
        unsaid: whether a file does not say its framework: its name does, or the user.
        empty: whether an empty file is a record: a document without annotations.
        dependent: those of its frameworks that can only be written after others: alone
            they are an error.
        beside: gives the paths of the files that belong to a file, by its path (and
            by another folder where they may be, if it has ``read_beside``); the file's
            own name then counts as well.
        by_name: an ending of files that are of this format if their content fits none:
            it may look like any text, as without annotations it does.
        decisive: endings of files that are of this format whatever they look like,
            unless their first record is a bad one of it and they look like another.
        read_with: gives its reader under an inventory of tags, where what the tags of
            a file are is said by a guide and not by the file.
        read_labelled: gives its reader with names of tags, where these may be numbers.
        files: its writer, where a document is several files: gives their names and
            bytes.
        lost: what a file of it does not say of a graph that it holds, in words, such
            as columns of another format.
        rereads: gives the reader of what is written of graphs, where several can read
            it and nothing in a file says which.
        restates: what a file of it says in its own way, which may be another than that
            of a graph: ``ids``, ``documents``, ``texts``, ``senses`` of predicates,
            ``forms`` of words of which none is in the text, ``words`` of which several
            are one in the text, ``property NAME``, which may be spelled with capitals;
            or that it may have more ``nodes``, as for an entity in two places.
        source: digest of what it is made of, where it is a user's own: it tells two
            readings of a file apart, and all files of a folder are read in it.
        lines: how lines of it are read alone, where every record has a line and says
            all there is of it.
        documents: how documents of it are read alone.
        read_beside: gives its reader where the files that belong to a file may be in
            another folder, by that folder.
        metric: what scores its graphs where nothing else is asked for, if that is not
            the metric of their framework.
    """

    name: str
    title: str
    frameworks: tuple[str, ...]
    suffixes: tuple[str, ...]
    read: Reader | None = None
    signs: tuple[Sign, ...] = ()
    write: Writer | None = None
    files: FilesWriter | None = None
    single: bool = False
    unsaid: bool = False
    empty: bool = False
    dependent: tuple[str, ...] = ()
    beside: Callable[..., list[str]] | None = None
    by_name: str = ""
    decisive: tuple[str, ...] = ()
    read_with: Callable[[Inventory], Reader] | None = None
    read_labelled: Callable[[Sequence[str]], Reader] | None = None
    lost: Callable[[Graph], tuple[str, ...]] | None = None
    rereads: Callable[[Sequence[Graph]], Reader] | None = None
    restates: tuple[str, ...] = ()
    source: str = ""
    lines: LineFormat | None = None
    documents: DocumentFormat | None = None
    read_beside: Callable[[str], Reader] | None = None
    metric: str = ""


def faithful(chosen: Format) -> Format:
    """Return a format whose writer reads again what it writes.

    Args:
        chosen: any format; what is only read or only written stays as it is.
    """
    if chosen.read is None or chosen.write is None:
        return chosen

    @wraps(chosen.write)
    def write(graphs: Iterable[Graph], tell: Any = None) -> Iterator[bytes]:
        checked: Iterator[bytes] = _reread(chosen, graphs, tell)
        return checked

    return replace(chosen, write=write)


# Who only reads needs none of it.
_reread = late("graphscore.formats.round_trip", "write_checked")

Given = str | Format | Callable[..., Any]
"""Specification of a format: a name, a location, a function, a class or a format."""


def is_class(value: Any) -> bool:
    """True for a dataclass, whose objects files may hold.

    Args:
        value: anything.
    """
    return isinstance(value, type) and is_dataclass(value)
