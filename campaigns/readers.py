"""Everything that reads what users write: formats, and files of other kinds.

All begin from small files: the samples of the formats, what their graphs are in every
format that can be written, and what stands here, which is invented.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from campaigns.mutation import mutated
from campaigns.seeds import Seed, interchanged, samples
from graphscore.find.grammar import parse as pattern
from graphscore.formats.base import Record
from graphscore.formats.document_rules import read_table
from graphscore.formats.entities.inventories import read_inventory
from graphscore.formats.raw_text import read_texts
from graphscore.formats.registry import detect, format_named
from graphscore.metrics import parameters
from graphscore.metrics.registry import parse as metric
from graphscore.metrics.roles import frame_relations
from graphscore.rules.loader import rules_of
from graphscore.similarity.parsing.builder import formulas

LONGEST = 1 << 16
"""Bytes of a case."""


@dataclass(frozen=True)
class Sample:
    """A file that is in order.

    Args:
        data: its bytes.
        path: its name; where others belong to it, where it stands beside them.
        beside: the bytes of those others, by their paths.
    """

    data: bytes
    path: str = "case"
    beside: dict[str, bytes] = field(default_factory=dict)


class Case(NamedTuple):
    """A damaged file.

    Args:
        data: its bytes.
        sample: what it was.
        other: the path of the file beside it that is damaged in its place, if any.
        how: what happened.
    """

    data: bytes
    sample: Sample
    other: str
    how: str


@dataclass(frozen=True)
class Reader:
    """Something that reads.

    Args:
        name: of the format, or what kind of file it is.
        samples: files that are in order.
        read: reads bytes under a path, from a buffer of so many bytes.
        is_format: whether it gives records of graphs.
    """

    name: str
    samples: tuple[Sample, ...]
    read: Callable[[bytes, str, int], Any]
    is_format: bool = False

    def case(self, chance: Random) -> Case:
        """A damaged file.

        Args:
            chance: chooses the sample, and what happens.
        """
        sample = chance.choice(self.samples)
        second = chance.choice(self.samples)
        other = ""
        if sample.beside and chance.random() < 0.3:
            other = chance.choice(sorted(sample.beside))
        before = sample.beside[other] if other else sample.data
        data, how = mutated(before, chance, second.data)
        return Case(data[:LONGEST], sample, other, how)

    def use(self, case: Case, size: int) -> Any:
        """What is read of a damaged file.

        Args:
            case: the file.
            size: bytes that come at once.
        """
        if not case.other:
            return self.read(case.data, case.sample.path, size)
        path = Path(case.other)
        path.write_bytes(case.data)
        try:
            return self.read(case.sample.data, case.sample.path, size)
        finally:
            path.write_bytes(case.sample.beside[case.other])


class _Pieces(io.RawIOBase):
    """Bytes that come a few at a time, as from a pipe."""

    def __init__(self, data: bytes, size: int) -> None:
        self._data, self._size, self._place = data, size, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, place: int, whence: int = io.SEEK_SET) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._place}.get(whence, len(self._data))
        self._place = start + place
        return self._place

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        end = self._place + min(self._size, len(buffer))
        piece = self._data[self._place : end]
        buffer[: len(piece)] = piece
        self._place += len(piece)
        return len(piece)


def _of_format(name: str) -> Callable[[bytes, str, int], list[Record]]:
    """Reads a format; in small pieces where the buffer is small."""
    read = format_named(name).read
    assert read is not None

    def records(data: bytes, path: str, size: int) -> list[Record]:
        if size >= LONGEST:
            return list(read(io.BytesIO(data), path))
        return list(read(io.BufferedReader(_Pieces(data, size), size), path))

    return records


def _told(data: bytes, path: str, size: int) -> str:
    """The format that a file seems to have."""
    stream: Any = io.BufferedReader(_Pieces(data, size), 1 << 16)
    return detect(stream, path).name


def _of_seed(seed: Seed, folder: Path) -> Sample:
    """A sample, with what belongs to it in a folder."""
    if len(seed.files) == 1:
        return Sample(seed.data)
    path = seed.written(folder)
    beside = {str(folder / k): v for k, v in seed.files.items() if k != seed.name}
    return Sample(seed.data, path, beside)


def formats_read(place: Path) -> Iterator[Reader]:
    """The reader of each format.

    Args:
        place: a folder for files that belong to others.
    """
    known = samples()
    small = [each for each in known + interchanged(known) if len(each.data) < 6_000]
    for name in sorted({each.format for each in small}):
        own = [each for each in small if each.format == name]
        found = (_of_seed(s, place / name / str(n)) for n, s in enumerate(own))
        yield Reader(name, tuple(found), _of_format(name), is_format=True)


FACTS = b'[["Ann", "Acme", "employer"],\n ["Bo", "Rome", "residence"]]\n'

FILES: dict[str, tuple[tuple[bytes, ...], Callable[[str], Any]]] = {
    "words": (
        (b"# of no weight\nof\nthe\n\nand\n", b"a\r\nan\r\n"),
        parameters.words_of,
    ),
    "hierarchy": (
        (b"# of instruments\nBOMB\tEXPLOSIVE\nDYNAMITE\tBOMB\n",),
        parameters.hierarchy_of,
    ),
    "decisions": (
        (b"the mill\tmill\t1\na crowd\tthe crowd\t0.5\nhe\tBo\t0\n",),
        parameters.decisions_of,
    ),
    "facts": ((FACTS, b"Ann\tAcme\temployer\n"), parameters.facts_of),
    "rules": (
        (
            b"""title = "two rules"
extends = "default"
remove = ["false negative"]
[settings]
levels = ["span"]
credit = { fuzzy = 0.5 }
[settings.fuzzy_words]
PER = ['mr', "mrs"]
[settings.hierarchy]
CITY = "LOC"
[values]
least = 0.8
[classes]
unseen = "missed"
"FP low" = { as = "spurious", low = true }
[[rule]]
name = "unseen"
phase = "base"
priority = 80
over = "gold"
when = "lower(gold.type) <> 'per' and :least > 0.5"
to_gold = "unseen"
reason = "nobody saw it"
""",
            b"""phases = ["base"]
[classes]
TP = "true"
[[rule]]
name = "same"
phase = "base"
over = "same"
when = "gold.type = system.type"
to_gold = "TP"
to_system = "TP"
""",
        ),
        rules_of,
    ),
    "inventory": (
        (b'types = ["pers", "loc.adm"]\ncomponents = ["name", "kind"]\n',),
        read_inventory,
    ),
    "documents": ((b"s-01\tdoc1\ns-02\tdoc2\n", b"s-01,doc1\n"), read_table),
    "texts": ((b"s-01\tDogs bark.\ns-02\tZo\xc3\xab sings.\n",), read_texts),
    "frame-relations": (
        (
            b"Inheritance\tSelling\tGiving\nUsing\tBuying\tGetting\n",
            b'<?xml version="1.0" encoding="UTF-8"?>\n<frame-relations>\n'
            b'<frame-relation-type name="Inheritance">\n'
            b'<frame-relation superFrameName="Giving" subFrameName="Selling">\n'
            b'<fe-relation superFEName="Donor" subFEName="Seller"/>\n'
            b"</frame-relation></frame-relation-type></frame-relations>\n",
        ),
        lambda path: frame_relations.relations_of(
            path, frame_relations.digest_of(path)
        ),
    ),
}
"""Files that users write for graphscore: samples, and what reads one of a path."""

TEXTS: dict[str, tuple[tuple[bytes, ...], Callable[[str], Any]]] = {
    "patterns": (
        (
            b'pattern { V [label=re"_.*_v_.*"]; V -[re"ARG[1-4]"]-> X; '
            b"X.__id__ <> V.__id__ }",
            b"pattern { X -[ARG1]-> Y } without { Y -[ARG2]-> X }",
        ),
        pattern,
    ),
    "formulas": (
        (
            b"f1(match(nodes('mention'), exact(anchors, label)))",
            b"{'a': f_beta(2, match(nodes(), exact(label)))}",
        ),
        formulas,
    ),
    "metrics": (
        (b"mrp(order=free)", b"smatch", b"b3(preset=none)", b"eter(alpha=0.5)"),
        metric,
    ),
}
"""What users write in a line, and what reads it."""


def files_read(place: Path) -> Iterator[Reader]:
    """Readers of files that are no format.

    Args:
        place: a folder for the file of the case.
    """
    path = place / "case"

    def of_file(read: Callable[[str], Any]) -> Callable[[bytes, str, int], Any]:
        def result(data: bytes, _: str, __: int) -> Any:
            path.write_bytes(data)
            return read(str(path))

        return result

    def of_text(read: Callable[[str], Any]) -> Callable[[bytes, str, int], Any]:
        return lambda data, _, __: read(data.decode("utf-8", "surrogateescape"))

    for name, (found, read) in FILES.items():
        yield Reader(name, tuple(map(Sample, found)), of_file(read))
    for name, (found, read) in TEXTS.items():
        yield Reader(name, tuple(map(Sample, found)), of_text(read))


def every(place: Path) -> list[Reader]:
    """All readers, and that which tells formats.

    Args:
        place: a folder for files.
    """
    known = [*formats_read(place), *files_read(place)]
    whole = tuple(s for each in known if each.is_format for s in each.samples)
    return [*known, Reader("sniffing", whole, _told)]
