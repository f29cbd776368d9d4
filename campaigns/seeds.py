"""Files to begin with: samples of every format, and their graphs as MRP."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from graphscore.formats import ReadGraph, write_graphs
from graphscore.formats.registry import format_named
from tests.formats.samples import SAMPLES

SMALL = 6_000
"""Bytes of a file that is small enough to be tried often."""


@dataclass(frozen=True)
class Seed:
    """A file with those that belong to it.

    Args:
        format: what it is read as.
        name: the file, relative to its folder.
        files: bytes by name; those of the file and of its companions.
    """

    format: str
    name: str
    files: dict[str, bytes]

    @property
    def data(self) -> bytes:
        """The bytes of the file itself."""
        return self.files[self.name]

    def written(self, folder: Path) -> str:
        """Write all files.

        Args:
            folder: where to.

        Returns:
            The path of the file itself.
        """
        for name, held in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(held)
        return str(folder / self.name)


def _bundled(format: str, path: Path) -> Seed:
    """A file of the bundled data, with its companions."""
    around = {".ann": (".txt",), ".a2": (".a1", ".txt"), ".a1": (".txt",)}
    files = {path.name: path.read_bytes()}
    name = path.name
    for ending in around.get(path.suffix, ()):
        if (beside := path.with_suffix(ending)).exists():
            files[beside.name] = beside.read_bytes()
    if path.suffix == ".props" and path.parent.name == "props":
        name = f"props/{path.name}"
        files = {name: path.read_bytes()}
        words = path.parent.parent / "words" / f"{path.stem}.words"
        files[f"words/{words.name}"] = words.read_bytes()
    return Seed(format, name, files)


def samples() -> list[Seed]:
    """A seed for each sample of each format."""
    found = []
    for format, given in SAMPLES.items():
        for each in given:
            path = Path(each.name)
            if path.is_absolute():
                found.append(_bundled(format, path))
            else:
                found.append(Seed(format, "a", {"a": each.data}))
    return found


def interchanged(seeds: Sequence[Seed]) -> list[Seed]:
    """The graphs of seeds as MRP, which says whatever other formats keep of theirs.

    Args:
        seeds: files of any format.
    """
    found = []
    for each in seeds:
        format = format_named(each.format)
        if format.read is None or format.beside is not None or len(each.files) > 1:
            continue
        records = format.read(io.BytesIO(each.data), "seed")
        graphs = [
            r.graph for r in records if isinstance(r, ReadGraph) and r.graph.framework
        ]
        lines = b"".join(write_graphs(graphs[:2], "mrp"))
        if lines and len(lines) <= SMALL * 3:
            found.append(Seed("mrp", "a.mrp", {"a.mrp": lines}))
    return found
