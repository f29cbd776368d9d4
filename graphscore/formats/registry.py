"""Formats by name and by content.

Every family has a table of its formats at its door (``graphscore.formats.meaning``
and so on); readers and writers are imported when they are used.  Other distributions
add theirs through the entry point group ``graphscore.formats``.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.metadata import entry_points
from io import BufferedReader
from typing import TYPE_CHECKING, Any

from graphscore.errors import UsageError
from graphscore.formats import (
    coreference,
    dependencies,
    entities,
    extraction,
    meaning,
    plain,
    roles,
    templates,
)
from graphscore.formats.base import SNIFFED, Format, Reader
from graphscore.formats.source import problem, suffix_of

if TYPE_CHECKING:
    from graphscore.formats.entities.inventories import Inventory

GROUP = "graphscore.formats"

DOORS = (
    meaning,
    dependencies,
    coreference,
    entities,
    extraction,
    templates,
    roles,
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
    return dict(sorted(found.items()))


def format_named(name: str) -> Format:
    """The format of that name.

    Raises:
        UsageError: if there is none; the message lists what there is.
    """
    known = formats()
    if name not in known:
        raise UsageError(f"no format {name!r}; there are: {', '.join(known)}")
    return known[name]


def reader_of(chosen: Format, inventory: Inventory | None = None) -> Reader:
    """The reader of a format.

    Args:
        chosen: the format.
        inventory: the tags of the user, for formats whose tags are those of a guide.

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
    return chosen.read


def detect(stream: BufferedReader[Any], path: str) -> Format:
    """The format of a file, by its content; the file name decides between several.

    Args:
        stream: the file, at its beginning; it is peeked into, not read.
        path: its name.

    Returns:
        The format.

    Raises:
        InputError: if the file is empty or looks like no known format.
    """
    head = stream.peek(SNIFFED)[:SNIFFED]
    readable = {name: each for name, each in formats().items() if each.read}
    suffix = suffix_of(path)
    if not head.strip():
        for each in readable.values():
            if each.empty and suffix in each.suffixes and len(head) < SNIFFED:
                return each
        found = "an empty file"
        if len(head) == SNIFFED:
            found = f"nothing but blanks in the first {SNIFFED:,} bytes"
        raise problem(path, found, "at least one graph")
    fitting = [each for each in readable.values() if each.sniff and each.sniff(head)]
    fitting = fitting or [e for e in readable.values() if e.by_name == suffix != ""]
    if not fitting:
        start = head.split(b"\n", 1)[0][:40].decode("utf-8", "replace")
        raise problem(
            path,
            f"content of no known format, beginning {start!r}",
            f"one of: {', '.join(readable)}",
        )
    fitting = [each for each in fitting if not each.lenient] or fitting
    named = [each for each in fitting if suffix in each.suffixes]
    return (named or fitting)[0]
