"""Graphs a second of the readers (and writers) of every native format, on one core.

    python -m benchmarks.reading [--data FOLDER] [--seconds 1]

Files are read from memory, so that no disk is measured: bytes to checked graphs.
The raw sentences of ``native/wsj.txt`` are given in a second pass where a format has
none of its own.
"""

from __future__ import annotations

import argparse
import io
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.corpus import MRP
from benchmarks.history import begin, record, recorded
from graphscore.formats import Read, formats
from graphscore.formats.base import Format, Record
from graphscore.formats.registry import reader_of
from graphscore.formats.texts import Texts, read_texts
from graphscore.model.graph import Graph

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
)
"""Formats and files, relative to the data folder; absent ones are left out."""


def rate(work: Callable[[], int], seconds: float) -> float:
    """Graphs a second of *work*, which returns how many it did; the best pass."""
    best, end = 0.0, time.perf_counter() + seconds
    while True:
        start = time.perf_counter()
        done = work()
        now = time.perf_counter()
        best = max(best, done / (now - start))
        if now > end:
            return best


def records(chosen: Format, data: bytes, name: str) -> list[Record]:
    """Everything that a reader finds in a file's bytes."""
    return list(reader_of(chosen)(io.BytesIO(data), name))


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
    print(f"{'format':<8}{'file':<28}{'graphs':>8}{'read/s':>10}{'write/s':>10}")
    for name, file in FILES:
        path = arguments.data / file
        if not path.exists():
            continue
        chosen = formats()[name]
        data = path.read_bytes()
        found = graphs_of(records(chosen, data, file))
        read = rate(lambda: len(records(chosen, data, file)), arguments.seconds)  # noqa: B023
        writer = chosen.write
        assert writer is not None
        write = rate(lambda: len(list(writer(found))), arguments.seconds)  # noqa: B023
        print(f"{name:<8}{file:<28}{len(found):>8}{read:>10,.0f}{write:>10,.0f}")
        record(f"{name}, {file}, read", read, "graphs/s")
        record(f"{name}, {file}, write", write, "graphs/s")
    table = arguments.data / "native" / "wsj.txt"
    if table.exists():
        texts = read_texts(str(table))
        for name, file in FILES:
            if name == "sdp" and (arguments.data / file).exists():
                data = (arguments.data / file).read_bytes()
                found = graphs_of(records(formats()[name], data, file))
                speed = rate(lambda: anchored(found, texts), arguments.seconds)  # noqa: B023
                print(f"{'--text':<8}{file:<28}{len(found):>8}{speed:>10,.0f}")
                record(f"--text, {file}", speed, "graphs/s")


if __name__ == "__main__":
    main()
