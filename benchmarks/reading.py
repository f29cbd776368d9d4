"""Graphs a second of processor time of the readers (and writers) of native formats.

    python -m benchmarks.reading [--data FOLDER] [--seconds 1]

Files are read from memory, so that no disk is measured: bytes to checked graphs.  For
JSON lines, there is what decoding them into typed objects takes beside it, without any
check that goes beyond types: no reader can be faster.
The raw sentences of ``native/wsj.txt`` are given in a second pass where a format has
none of its own.
"""

from __future__ import annotations

import argparse
import io
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from benchmarks.corpus import MRP
from benchmarks.history import begin, record, recorded
from graphscore.formats import Read, formats
from graphscore.formats.base import Format, Record
from graphscore.formats.registry import reader_of
from graphscore.formats.texts import Texts, read_texts
from graphscore.model.graph import Graph, Value

FILES = (
    ("amr", "amr/coli500.gold.amr"),
    ("amr", "amr/coli500.system.amr"),
    ("amr", "native/amr.amr"),
    ("sdp", "native/dm.sdp"),
    ("sdp", "native/psd.sdp"),
    ("eds", "native/eds.eds"),
    ("eds", "native/eds.pet.eds"),
    ("mrp", "gold/amr.mrp"),
    ("mrp", "gold/dm.mrp"),
    ("mrp", "gold/eds.mrp"),
    ("mrp", "gold/ucca.mrp"),
    ("mrp", "gold/lpps.mrp"),
    ("ucca", "native/ucca"),
)
"""Formats and files, relative to the data folder; absent ones are left out."""


class Range(msgspec.Struct, gc=False):
    """An anchor in JSON."""

    start: int = msgspec.field(name="from")
    end: int = msgspec.field(name="to")


class Item(msgspec.Struct, gc=False):
    """A node in JSON."""

    id: int | str
    label: Value = None
    properties: list[str] | None = None
    values: list[Value] | None = None
    anchors: list[Range] | None = None


class Link(msgspec.Struct, gc=False):
    """An edge in JSON."""

    source: int | str
    target: int | str
    label: Value = None
    normal: Value = None
    attributes: list[str] | None = None
    values: list[Value] | None = None


class Line(msgspec.Struct, gc=False):
    """A graph in JSON."""

    id: int | str
    framework: str
    flavor: int | None = None
    input: str | None = None
    tops: list[int | str] | None = None
    nodes: list[Item] | None = None
    edges: list[Link] | None = None


def rate(work: Callable[[], int], seconds: float) -> float:
    """Graphs a second of *work*, which returns how many it did; the best pass."""
    best, end = 0.0, time.process_time() + seconds
    while True:
        start = time.process_time()
        done = work()
        now = time.process_time()
        best = max(best, done / (now - start))
        if now > end:
            return best


def contents(path: Path) -> list[bytes]:
    """The bytes of a file, or of each file of a folder."""
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    return [file.read_bytes() for file in files]


def records(chosen: Format, data: list[bytes], name: str) -> list[Record]:
    """Everything that a reader finds in the bytes of files."""
    read = reader_of(chosen)
    return [record for each in data for record in read(io.BytesIO(each), name)]


def written(chosen: Format, graphs: list[Graph]) -> int:
    """How many graphs there are, each of which is written."""
    assert chosen.write is not None
    for each in [[graph] for graph in graphs] if chosen.single else [graphs]:
        for _ in chosen.write(each):
            pass
    return len(graphs)


def decoded(data: list[bytes]) -> int:
    """How many lines there are, each of which is decoded."""
    decode = msgspec.json.Decoder(Line).decode
    return len([decode(line) for each in data for line in each.splitlines()])


def graphs_of(found: list[Record]) -> list[Graph]:
    """The graphs among records."""
    return [record.graph for record in found if isinstance(record, Read)]


def anchored(graphs: list[Graph], texts: Texts) -> int:
    """How many graphs a table of sentences can be given to."""
    return sum(isinstance(texts.given_to(each, ""), Graph) for each in graphs)


@recorded
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=MRP)
    parser.add_argument("--seconds", type=float, default=1.0)
    arguments = begin(parser)
    print(
        f"{'format':<8}{'file':<28}{'graphs':>8}{'read/s':>10}{'write/s':>10}{'decode/s':>10}"
    )
    for name, file in FILES:
        path = arguments.data / file
        if not path.exists():
            continue
        chosen = formats()[name]
        data = contents(path)
        found = graphs_of(records(chosen, data, file))
        read = rate(lambda: len(records(chosen, data, file)), arguments.seconds)  # noqa: B023
        write = rate(lambda: written(chosen, found), arguments.seconds)  # noqa: B023
        line = f"{name:<8}{file:<28}{len(found):>8}{read:>10,.0f}{write:>10,.0f}"
        if name == "mrp":
            least = rate(lambda: decoded(data), arguments.seconds)  # noqa: B023
            line += f"{least:>10,.0f}"
            record(f"{name}, {file}, decode", least, "graphs/s")
        print(line)
        record(f"{name}, {file}, read", read, "graphs/s")
        record(f"{name}, {file}, write", write, "graphs/s")
    table = arguments.data / "native" / "wsj.txt"
    if table.exists():
        texts = read_texts(str(table))
        for name, file in FILES:
            if name == "sdp" and (arguments.data / file).exists():
                data = contents(arguments.data / file)
                found = graphs_of(records(formats()[name], data, file))
                speed = rate(lambda: anchored(found, texts), arguments.seconds)  # noqa: B023
                print(f"{'--text':<8}{file:<28}{len(found):>8}{speed:>10,.0f}")
                record(f"--text, {file}", speed, "graphs/s")


if __name__ == "__main__":
    main()
