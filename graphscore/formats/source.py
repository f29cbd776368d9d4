"""Opening inputs: files, compressed files, directories, globs, standard input.

``.gz``, ``.bz2`` and ``.xz`` are decompressed on the fly, a ``.zip`` must hold
exactly one file (:mod:`graphscore.formats.decompression`).
"""

from __future__ import annotations

import glob
import io
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, BinaryIO

from graphscore.exceptions import InputError, Problem, as_text
from graphscore.formats.streams import STDIN, Ahead, open_file, open_stream, read_once

BOM = b"\xef\xbb\xbf"
"""The mark with which some programs begin a file in UTF-8."""

PARQUET = b"PAR1"
"""The mark with which files of Parquet begin, which have no lines."""

COMPRESSED = (".gz", ".bz2", ".xz", ".zip")


ANNOTATIONS = (".ann", ".a1", ".a2")
"""The endings of files with annotations of a text beside them."""

COMPANIONS = {
    ".txt": ANNOTATIONS,
    ".a2": (".a1",),
    ".words": (".props",),
    ".synt": (".props",),
    ".senses": (".props",),
    ".ne": (".props",),
    ".targets": (".props",),
}
"""Files that belong to another one of the same name, and the endings it may have.

Those of CoNLL-2005 may each stand in a folder of their kind, beside that of the others,
and have a second ending (``train.02.synt.cha``).
"""

_OWNING = {owner for owners in COMPANIONS.values() for owner in owners}

APART = ".props"
"""The ending of files whose companions may stand in folders beside their folder."""

SETTINGS = frozenset(
    {"annotation.conf", "visual.conf", "tools.conf", "kb_shortcuts.conf"}
)
"""Files that the annotation tool brat keeps beside its documents."""


_UNSHOWN = r"[\x00-\x1f\x7f-\x9f]"


def shown(path: str) -> str:
    r"""The name under which an input appears in messages and in the store.

    It is text of one line: bytes that are not UTF-8, and characters that act, are
    written out.

    >>> shown("-"), shown("a.mrp"), shown(os.fsdecode(b"\xff\n.mrp"))
    ('<stdin>', 'a.mrp', '\\xff\\n.mrp')
    """
    return "<stdin>" if path == STDIN else written_out(path)


def written_out(text: str) -> str:
    """Text as it can be shown and kept, whatever bytes it was made of."""
    return text if text.isprintable() else re.sub(_UNSHOWN, _escape, as_text(text))


def _escape(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode("ascii")


def problem(path: str, found: str, expected: str = "") -> InputError:
    """An error about an input as a whole."""
    return InputError([Problem(shown(path), None, None, "", found, expected)])


def expand(operand: str, every: bool = False) -> list[str]:
    """The files that an operand stands for.

    Args:
        operand: a file, a directory (its files, without hidden ones, sorted), a
            glob pattern, or ``-`` for standard input.  Files that belong to others
            (the text of annotations in a file of their own) are not among them.
        every: whether those are, too.

    Returns:
        Paths in order.

    Raises:
        InputError: if nothing is there.
    """
    if operand == STDIN:
        return [operand]
    if not operand:
        raise problem(operand, "an empty name", "a file")
    try:
        os.stat(operand)
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as error:
        # A name that is too long, a folder that may not be entered, a NUL.
        why = getattr(error, "strerror", None) or str(error)
        raise problem(operand, f"a path that cannot be used ({why})") from None
    if os.path.isdir(operand):
        files = _files_below(operand)
        if not files:
            raise problem(operand, "a directory without files", "at least one file")
        return files if every else _independent(files)
    if os.path.exists(operand):
        return [operand]
    if glob.has_magic(operand):
        files = sorted(glob.glob(operand, recursive=True))
        if not files:
            raise problem(operand, "no match for this pattern", "at least one file")
        # A pattern can match a folder and what is in it.
        result = [
            *dict.fromkeys(file for name in files for file in expand(name, every))
        ]
        return result if every else _independent(result)
    raise problem(operand, "no such file or directory")


def _files_below(operand: str) -> list[str]:
    """The files of a folder and of those in it, without hidden ones, sorted."""
    # It takes a while to import, and most operands are files.
    from pathlib import Path

    folder = Path(operand)
    try:
        return sorted(
            str(path)
            for path in folder.rglob("*")
            if path.is_file()
            and not any(part.startswith(".") for part in path.relative_to(folder).parts)
        )
    except OSError as error:
        where = f"{error.filename} that cannot be read ({error.strerror})"
        raise problem(operand, where, "a folder whose files can be read") from None


def _independent(files: list[str]) -> list[str]:
    """The files that are read for themselves."""
    owners: set[tuple[str, str]] = set()
    for file in files:
        ending = suffix_of(file)
        if ending in _OWNING:
            owners.add((ending, _stem(file)))
            if ending == APART:
                owners.add((ending, os.path.join(_folder_apart(file), stem_of(file))))
    if not owners:
        return files
    settings = any(ending != APART for ending, _ in owners)
    return [
        file
        for file in files
        if not (settings and name_of(file) in SETTINGS)
        and owners.isdisjoint(_owners_of(file))
    ]


def _owners_of(file: str) -> list[tuple[str, str]]:
    """Return the possible owners of a file."""
    name, folder = _plain_name(file), os.path.dirname(file)
    result = []
    for _ in range(2):
        # The first ending may be one of several of a kind, as in x.synt.cha.
        stem, ending = _parted(name)
        owners = COMPANIONS.get(ending.lower(), ())
        for owner in owners:
            result.append((owner, os.path.join(folder, stem)))
            if owner == APART:
                result.append((owner, os.path.join(_folder_apart(file), stem)))
        if owners:
            break
        name = stem
        if _parted(name)[1].lower() != ".synt":
            break
    return result


def _folder_apart(file: str) -> str:
    """Return the pattern of the folders beside that of a file."""
    return os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(file))), "*")


def _stem(path: str) -> str:
    """A path without its ending and that of a compression."""
    return os.path.join(os.path.dirname(path), stem_of(path))


def read_beginning(stream: io.BufferedReader[Any], size: int) -> bytes:
    """The first bytes of a file, which are still to be read.

    Args:
        stream: the file, at its beginning.
        size: so many; fewer only where the file is shorter, or where the stream is
            none of :func:`open_bytes` and cannot go back.
    """
    raw = stream.raw
    if isinstance(raw, Ahead):
        return raw.ahead(size)
    if not stream.seekable():
        return stream.peek(size)[:size]
    position = stream.tell()
    head = stream.read(size)
    stream.seek(position)
    return head


def put_back(data: bytes, stream: BinaryIO) -> BinaryIO:
    """A stream that begins with what was already read of another.

    Args:
        data: what was read last.
        stream: the rest.
    """
    return io.BufferedReader(Ahead(stream, data), 1 << 16)


class _Returns(Ahead):
    """A stream of lines that end in carriage returns alone, as if in line feeds."""

    def _more(self, size: int) -> bytes:
        return super()._more(size).replace(b"\r", b"\n")


@contextmanager
def open_lines(path: str) -> Iterator[io.BufferedReader[Any]]:
    """Open a file of graphs; see :func:`open_bytes`.

    Where its beginning has carriage returns and no line feed, those end its lines: read
    as one line, it would be other graphs, or none.

    Args:
        path: a file or ``-``.
    """
    with open_bytes(path) as stream:
        head = read_beginning(stream, 1 << 16)
        binary = head.startswith(PARQUET)
        if b"\r" in head and b"\n" not in head and not binary:
            with io.BufferedReader(_Returns(stream), 1 << 16) as returns:
                yield returns
        else:
            yield stream


def suffix_of(path: str) -> str:
    """The file name's ending, without the ending of a compression.

    >>> suffix_of("wsj.mrp.gz"), suffix_of("-")
    ('.mrp', '')
    """
    return _parted(_plain_name(path))[1].lower()


def stem_of(path: str) -> str:
    """The file name without its ending and that of a compression.

    >>> stem_of("a/doc-1.2.ann.gz"), stem_of("doc")
    ('doc-1.2', 'doc')
    """
    return _parted(_plain_name(path))[0]


def name_of(path: str) -> str:
    """The last part of a path.

    >>> name_of("gold/wsj.mrp.gz"), name_of("gold/")
    ('wsj.mrp.gz', 'gold')
    """
    return os.path.basename(path.rstrip(os.sep + (os.altsep or "")))


def _plain_name(path: str) -> str:
    """A file's name without the ending of a compression."""
    name = name_of(path)
    for ending in COMPRESSED:
        name = name.removesuffix(ending)
    return name


def _parted(name: str) -> tuple[str, str]:
    """A name before its last dot, and from there on, if it has an ending."""
    stem, _, ending = name.rpartition(".")
    return (stem, f".{ending}") if stem and ending else (name, "")


def open_raw(path: str) -> io.BufferedReader[Any]:
    """Open an input as it is, for whoever wants all its bytes.

    Args:
        path: a file, pipe or ``-``.

    Raises:
        InputError: if it is missing or unreadable.
    """
    try:
        return open_stream(path) if read_once(path) else open_file(path)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise problem(path, f"a file that cannot be read ({why})") from None


@contextmanager
def open_bytes(path: str) -> Iterator[io.BufferedReader[Any]]:
    """Open an input for reading bytes, decompressed, with a generous buffer.

    Args:
        path: a file or ``-``.

    Yields:
        A buffered binary stream that can be peeked into.

    Raises:
        InputError: if the file is missing, unreadable, damaged or a bomb.
    """
    with open_raw(path) as raw:
        suffix = _parted(name_of(path))[1]
        if suffix not in COMPRESSED:
            # A pipe cannot go back to its beginning.
            yield raw if raw.seekable() else io.BufferedReader(Ahead(raw), 1 << 16)
            return
        from graphscore.formats.decompression import decompressed

        size = 0 if read_once(path) else os.fstat(raw.fileno()).st_size
        grown = decompressed(raw, suffix, size, partial(problem, path))
        with io.BufferedReader(grown, 1 << 16) as stream:
            yield stream


def bounded_lines(stream: BinaryIO, longest: int) -> Iterator[tuple[int, bytes]]:
    """Lines with their numbers, never more than *longest* bytes of one in memory.

    Args:
        stream: the file, from its beginning; a byte order mark is dropped.
        longest: of a longer line only so much is given, without its end; the
            rest is skipped.

    Yields:
        Number from 1, and the line with its line feed.
    """
    number = 0
    readline = stream.readline
    while raw := readline(longest):
        number += 1
        cut = len(raw) >= longest and not raw.endswith(b"\n")
        yield number, raw if number > 1 else raw.removeprefix(BOM)
        if cut:
            skip_line(stream, longest)


def skip_line(stream: BinaryIO, longest: int) -> None:
    """Read on to the end of a line, never more than *longest* bytes at once.

    Args:
        stream: the file, within the line.
        longest: how many bytes are read at once.
    """
    while (rest := stream.readline(longest)) and not rest.endswith(b"\n"):
        pass
