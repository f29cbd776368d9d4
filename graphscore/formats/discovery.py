"""The files of a folder or pattern that are read, and those that are left alone.

Beside data stand pages, licences and settings.  What a user names is read or is an
error; what a folder or pattern finds is left alone where no format claims it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os.path import dirname
from typing import NamedTuple

from graphscore.exceptions import InputError
from graphscore.formats.base import Given
from graphscore.formats.registry import (
    UnclaimedError,
    format_given,
    format_named,
    guess,
)
from graphscore.formats.source import (
    ANNOTATIONS,
    expand,
    open_lines,
    problem,
    shown,
    suffix_of,
)
from graphscore.formats.streams import read_once

NAMED = 5
"""Number of ignored files to name."""


class DiscoveredFiles(NamedTuple):
    """The files of an operand."""

    paths: list[str]
    """Those that are read, in order."""
    left: str
    """Message about ignored files, in one line; empty if there are none."""


def gather(operand: str, format: Given | None = None) -> DiscoveredFiles:
    """The files that an operand stands for, without those that are none of graphs.

    Args:
        operand: a file, a directory, a glob pattern, or ``-``.
        format: the format that files are read in, where it is named; with one of one's
            own every file is read.

    Raises:
        InputError: if nothing is there, or nothing but files that no format claims.
    """
    chosen = None if format is None else format_given(format)
    if chosen is not None and chosen.source:
        # What belongs to what is up to its reader.
        return DiscoveredFiles(expand(operand, every=True), "")
    name = None if chosen is None else chosen.name
    paths = expand(operand)
    if paths == [operand]:
        return DiscoveredFiles(paths, "")
    beside = _beside_annotations(paths) if name in (None, "brat", "brat-trees") else []
    apart = set(beside)
    paths = [path for path in paths if path not in apart]
    suffixes = {suffix_of(path) for path in paths}
    annotated = [ending for ending in ANNOTATIONS if ending in suffixes]
    format_names = {path: _name_format(path, name) for path in paths}
    usual = {(suffix_of(path), name) for path, name in format_names.items() if name}
    # A damaged file among others of its kind is no page and no licence.
    endings = {
        suffix for suffix, name in usual if format_named(name).suffixes[0] == suffix
    }
    unclaimed = [
        path
        for path in paths
        if format_names[path] is None and suffix_of(path) not in endings
    ]
    apart = set(unclaimed)
    kept = [path for path in paths if path not in apart]
    companions = _companions(format_names)
    unclaimed = [path for path in unclaimed if path not in companions]
    if not kept:
        every = "a file" if len(unclaimed) == 1 else f"{len(unclaimed)} files"
        found = f"{every} of no known format ({_names(operand, unclaimed)})"
        raise problem(operand, found, "at least one file with graphs")
    parts = [
        f"{_names(operand, group)} ({why})"
        for group, why in (
            (unclaimed, "of no known format"),
            (beside, f"beside {' and '.join(annotated)}"),
        )
        if group
    ]
    left = f"{shown(operand)}: left alone: {'; '.join(parts)}" if parts else ""
    return DiscoveredFiles(kept, left)


def _companions(format_names: Mapping[str, str | None]) -> set[str]:
    """The files that others are read with."""
    companions: set[str] = set()
    for path, name in format_names.items():
        beside = format_named(name).beside if name else None
        if beside is not None:
            companions.update(beside(path))
    return companions


def _name_format(path: str, format: str | None) -> str | None:
    """The format of a file; ``None`` if none claims it, empty if it cannot be told.

    A stream is not looked into, as it could not be read afterwards.
    """
    if format is not None and suffix_of(path) in format_named(format).suffixes:
        return format
    if read_once(path):
        return ""
    try:
        with open_lines(path) as stream:
            result = guess(stream, path).format.name
    except UnclaimedError:
        return None
    except InputError:
        # It is damaged, or of two formats: whoever reads it will say so.
        return ""
    return format or result


def _beside_annotations(paths: Iterable[str]) -> list[str]:
    """Files in folders with annotations that are none: they only go with them."""
    folders = {dirname(path) for path in paths if suffix_of(path) in ANNOTATIONS}
    return [
        path
        for path in paths
        if dirname(path) in folders and suffix_of(path) not in ANNOTATIONS
    ]


def _names(operand: str, paths: list[str]) -> str:
    """The names of some files, as they are seen from the folder."""
    # Names are told of files that are not read.
    from pathlib import Path

    folder = Path(operand)
    names = [
        str(Path(path).relative_to(folder)) if folder in Path(path).parents else path
        for path in paths
    ]
    more = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {more} more" if more > 0 else "")
