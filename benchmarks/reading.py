"""Graphs a second of fast readers, and of those with a twin without it.

    python -m benchmarks.reading [--data FOLDER] [--seconds 1]

A twin reads at once what is as usual and leaves anything else to the careful reader.
Files are read from memory, so that no disk is measured: bytes to checked graphs, in
seconds of processor time, the best of several passes.  *carefully* has the twin say
that nothing is as usual.
"""

from __future__ import annotations

import argparse
import io
import time
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType
from typing import NamedTuple
from unittest import mock

from benchmarks.corpus import MRP
from benchmarks.history import begin, record, recorded
from graphscore.formats import ReadGraph, formats
from graphscore.formats.meaning import eds
from graphscore.formats.meaning.amr import tree
from graphscore.formats.registry import reader_of
from graphscore.formats.sentiment import semeval2022
from graphscore.formats.shared import json_values


class Twin(NamedTuple):
    """A format with functions that read at once, or say ``None``.

    Attributes:
        format: its name.
        functions: modules and names of these functions; none of what is decoded at
            once by the types that also say what is wrong.
        files: relative to the data folder; absent ones are left out.
    """

    format: str
    functions: tuple[tuple[ModuleType, str], ...]
    files: tuple[str, ...]


TWINS = (
    Twin(
        "amr",
        ((tree, "plain_block"),),
        ("amr/coli500.gold.amr", "amr/coli500.system.amr", "native/amr.amr"),
    ),
    Twin("sdp", (), ("native/dm.sdp", "native/psd.sdp")),
    Twin("eds", ((eds, "plain_graph"),), ("native/eds.eds", "native/eds.pet.eds")),
    Twin(
        "mrp",
        (),
        (
            *("gold/amr.mrp", "gold/dm.mrp", "gold/eds.mrp", "gold/ucca.mrp"),
            "gold/lpps.mrp",
        ),
    ),
    Twin(
        "sentiment",
        ((semeval2022, "_plain_part"), (json_values, "_in_array")),
        ("../../wild/graphs/sentiment/opener_en.test.gold.json",),
    ),
)


def nothing(*_: object) -> None:
    """Stand for a twin for which nothing is as usual."""


def read(name: str, data: bytes, file: str) -> int:
    """How many graphs a reader finds in the bytes of a file."""
    records = reader_of(formats()[name])(io.BytesIO(data), file)
    return sum(isinstance(each, ReadGraph) for each in records)


def rate(name: str, data: bytes, file: str, seconds: float) -> float:
    """Graphs a second; the best pass."""
    best, end = 0.0, time.process_time() + seconds
    while True:
        start = time.process_time()
        count = read(name, data, file)
        now = time.process_time()
        best = max(best, count / (now - start))
        if now > end:
            return best


@recorded
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=MRP)
    parser.add_argument("--seconds", type=float, default=1.0)
    chosen = begin(parser)
    print(
        f"{'format':<11}{'file':<30}{'graphs':>7}{'read/s':>10}{'carefully/s':>13}"
        f"{'times':>8}"
    )
    for twin in TWINS:
        for file in twin.files:
            path = chosen.data / file
            if not path.exists():
                continue
            data = path.read_bytes()
            fast = rate(twin.format, data, path.name, chosen.seconds)
            shown = path.name if file.startswith("..") else file
            count = read(twin.format, data, path.name)
            print(f"{twin.format:<11}{shown:<30}{count:>7}{fast:>10,.0f}", end="")
            record(f"{twin.format}, {shown}, read", fast, "graphs/s")
            if not twin.functions:
                print()
                continue
            with ExitStack() as stack:
                for module, function in twin.functions:
                    stack.enter_context(mock.patch.object(module, function, nothing))
                slow = rate(twin.format, data, path.name, chosen.seconds)
            print(f"{slow:>13,.0f}{fast / slow:>8.2f}")
            record(f"{twin.format}, {shown}, carefully", slow, "graphs/s")
            record(f"{twin.format}, {shown}, twin", fast / slow, "times", "higher")


if __name__ == "__main__":
    main()
