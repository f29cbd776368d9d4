"""Files on their way into a store: known by their bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from graphscore.evaluation.unit import layered_id
from graphscore.exceptions import expect
from graphscore.formats import ReaderOptions
from graphscore.formats.base import Format, Record
from graphscore.formats.source import open_raw, problem
from graphscore.lazy import blake2b
from graphscore.model.graph import Graph


def file_digest(path: str, chosen: Format, reading: ReaderOptions) -> bytes:
    """Fingerprint of a file and of those beside it, and of how they are read."""
    name = f"{chosen.name}\0{chosen.source}" if chosen.source else chosen.name
    digest = _bytes_digest(path, f"{name}\0{reading.identity}")
    folder = (reading.folder,) if chosen.read_beside else ()
    for companion in chosen.beside(path, *folder) if chosen.beside else ():
        # Its item is its name, its text another file.
        digest = _bytes_digest(companion, f"{digest.hex()}\0{Path(path).name}")
    return digest


def refuse_changes(
    records: Iterable[Record], path: str, changed: Callable[[], str]
) -> Iterator[Record]:
    """Records of a file, which is refused if somebody wrote to it meanwhile.

    Args:
        records: those of the file.
        path: the file.
        changed: gives the path of a file that was written to, or an empty text.

    Raises:
        InputError: behind the last record, if it was.
    """
    yield from records
    if changed_path := changed():
        found = "a file that changed while it was read"
        raise problem(
            changed_path, found, "a file that does not change; ingest it again"
        )


def graphs_digest(graphs: Iterable[Graph]) -> bytes:
    """Fingerprint of graphs in memory, with their names and in their order.

    Raises:
        TypeError: if one is no graph.
    """
    mixed = blake2b(digest_size=16)
    for graph in graphs:
        expect(graph, Graph, "a graph that is stored")
        item = layered_id(graph.id, graph.layer)
        head = "\0".join((graph.framework, graph.language, item))
        mixed.update(head.encode("utf-8", "surrogatepass"))
        with suppress(ValueError):  # It is said when it is stored what is wrong.
            mixed.update(graph.digest())
    return mixed.digest()


def _bytes_digest(path: str, described: str) -> bytes:
    """Fingerprint of a file's bytes and of how it is read."""
    mixed = blake2b(described.encode("utf-8", "surrogateescape"), digest_size=16)
    with open_raw(path) as file:
        while block := file.read(1 << 20):
            mixed.update(block)
    return mixed.digest()
