"""On-disk formats: one file each, found through a registry.

:func:`read_file` is the one way in: it opens, recognises, reads and gives every
graph its document.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import msgspec

from graphscore.errors import GraphscoreError
from graphscore.formats.base import Format, Read, Record, Rejected
from graphscore.formats.documents import DocumentRule, document_of, rule_from
from graphscore.formats.registry import detect, format_named, formats
from graphscore.formats.source import expand, open_bytes, shown
from graphscore.graph import Graph

__all__ = [
    "Format",
    "Read",
    "Reading",
    "Record",
    "Rejected",
    "expand",
    "formats",
    "read_file",
    "write_graphs",
]


@dataclass(frozen=True)
class Reading:
    """How files are read.

    Args:
        format: name of the format, or ``None`` to recognise it.
        document: the user's rule for documents.
        described: that rule in words; it tells two readings of a file apart.
    """

    format: str | None = None
    document: DocumentRule = field(default_factory=rule_from)
    described: str = ""


def format_of(path: str, reading: Reading) -> Format:
    """The format in which *path* would be read (not for standard input)."""
    if reading.format is not None:
        return format_named(reading.format)
    with open_bytes(path) as stream:
        return detect(stream, path)


def read_file(path: str, reading: Reading | None = None) -> Iterator[Record]:
    """Read one file, record by record.

    Args:
        path: a file, plain or compressed, or ``-``.
        reading: format and documents; by default both are found out.

    Yields:
        Graphs, with their documents, and rejected records, in file order.

    Raises:
        InputError: if the file as a whole cannot be read.
    """
    reading = reading or Reading()
    with open_bytes(path) as stream:
        if reading.format is None:
            chosen = detect(stream, path)
        else:
            chosen = format_named(reading.format)
        empty = True
        for record in chosen.read(stream, shown(path)):
            empty = False
            if isinstance(record, Read):
                graph = record.graph
                document = document_of(graph.id, graph.document, path, reading.document)
                if document != graph.document:
                    graph = msgspec.structs.replace(graph, document=document)
                yield Read(record.line, graph)
            else:
                yield record
        if empty:
            from graphscore.formats.source import problem

            raise problem(path, "a file without graphs", "at least one graph")


def write_graphs(graphs: Iterable[Graph], name: str) -> Iterator[bytes]:
    """Write graphs in the format *name*, piece by piece.

    Raises:
        UsageError: if the format is unknown.
        GraphscoreError: if it cannot be written.
    """
    chosen = format_named(name)
    if chosen.write is None:
        raise GraphscoreError(f"the format {name} can be read but not written")
    return chosen.write(graphs)
