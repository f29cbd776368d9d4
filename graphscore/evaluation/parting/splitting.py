"""Parts as files: what both sides hold is read and paired once, and scored apart.

A folder has a file for each part, with a pair to a line, and a manifest that says what
was found out of everything.  Who scores a part reads its own file alone.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

import msgspec

from graphscore.correspondence import Budget
from graphscore.errors import InputError, Problem, UsageError
from graphscore.evaluation.options import Options
from graphscore.evaluation.pairing import Pair
from graphscore.evaluation.parting.encoding import (
    UNREADABLE,
    Content,
    content_of,
    enveloped,
    opened,
    sums_in,
    written_metric,
)
from graphscore.evaluation.parting.scoring import (
    CountedFiles,
    Operand,
    checked,
    counted,
    operand,
    part_of,
    refuse_undivided,
    sums_of,
    with_units,
)
from graphscore.evaluation.parting.sums import MetricSums, Sums
from graphscore.evaluation.run import Run
from graphscore.evaluation.scoring import Each, score_files
from graphscore.evaluation.unit import Unit
from graphscore.formats.source import shown
from graphscore.metrics.base import Metric
from graphscore.metrics.registry import parse_all
from graphscore.model.graph import Graph

MANIFEST = "split.json"
"""The file of a folder that says what was split, and how."""

EXPECTED = "the manifest of files that were split"

_FILES = re.compile("system[0-9]{1,9}-pass[0-9]{1,9}-")

HELD = 1 << 26
"""Bytes of pairs that are held before they are written."""


class _Row(msgspec.Struct, array_like=True, frozen=True):
    """A pair."""

    number: int
    """Its own, in the order in which one run finds them."""
    position: int
    item: str
    gold: tuple[Graph, ...]
    partner: str | None
    system: tuple[Graph, ...]


class _Pass(msgspec.Struct):
    """What takes one way through the pairs: items, or documents."""

    files: str
    """What their names begin with."""
    system: int
    metrics: list[int]
    """By their places among those of the system."""


class _Split(msgspec.Struct):
    sums: Content
    steps: int
    seconds: float | None
    passes: list[_Pass]
    digests: dict[str, str]
    """Of every file that has pairs."""


def split(
    gold: Operand,
    systems: Sequence[Operand],
    metrics: str | Metric | Sequence[str | Metric] | None = None,
    options: Options | None = None,
    *,
    folder: str | PathLike[str],
    parts: int,
) -> Sums:
    """Write the pairs of gold and some systems as files, a part each.

    Args:
        gold: a file, directory, glob, ``-``, or graphs.
        systems: each one of these.
        metrics: what they can be scored with; ``None`` for the default metrics of what
            is there.
        options: how they are paired and scored.
        folder: where the parts shall be; it appears as a whole.
        parts: how many.

    Returns:
        What was found out, with no part of the sums.

    Raises:
        InputError: if gold has a bad record or a duplicate.
        PairingError: if nothing pairs.
        UsageError: for a folder that is there, or what has no parts.
    """
    checked((1, parts))
    target = Path(folder)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise UsageError(f"{shown(str(target))} is there already, and not empty")
    if not target.parent.is_dir():
        raise UsageError(
            f"{shown(str(target))}: expected a folder in a folder that is there"
        )
    chosen = options or Options()
    asked, _ = parse_all(metrics)
    for metric in asked or ():
        written_metric(metric)
    made = target.with_name(f".{target.name[:40]}.{os.getpid()}.part")
    made.mkdir()
    try:
        writer = _Writer(made)
        passes: list[_Pass] = []
        found: list[tuple[MetricSums, ...]] = []
        for number, system in enumerate(systems):
            refuse_undivided(gold, chosen)
            mine: list[SplitFiles] = []
            results = score_files(
                operand(gold),
                operand(system),
                asked,
                chosen,
                made=partial(
                    SplitFiles, of=parts, writer=writer, system=number + 1, passes=mine
                ),
            )
            places = {id(result): place for place, result in enumerate(results)}
            for ends in mine:
                scored = [places.get(id(each)) for each in ends.results]
                kept = [place for place in scored if place is not None]
                if kept:
                    passes.append(_Pass(ends.files, number, kept))
            found.append(tuple(sums_of(each, mine) for each in results))
        writer.flush()
        sums = Sums(parts, {}, False, tuple(found))
        budget = chosen.budget
        content = _Split(
            content_of(sums),
            budget.steps,
            budget.seconds,
            passes,
            {name: each.hexdigest() for name, each in writer.digests.items()},
        )
        (made / MANIFEST).write_bytes(enveloped("split", content))
        os.replace(made, target)
    except BaseException:
        with suppress(OSError):
            shutil.rmtree(made)
        raise
    return sums


def score_split(
    folder: str | PathLike[str],
    metrics: str | Metric | Sequence[str | Metric] | None = None,
    *,
    part: tuple[int, int],
    units: bool = False,
    each: Callable[[str, str], Each] | None = None,
) -> Sums:
    """Score one part of what was split.

    Args:
        folder: what :func:`split` wrote.
        metrics: some of those that it was split for; ``None`` for all.
        part: its number from 1, and how many parts there are.
        units: whether the results of items are kept.
        each: makes of the names of gold and a system what is called for every gold unit
            that is compared.

    Returns:
        The same sums as those of that part of the files that were split.

    Raises:
        InputError: if the folder holds no parts, or they are damaged.
        UsageError: for a part that there is not, or a metric that it was not split for.
    """
    number, of = checked(part)
    asked, _ = parse_all(metrics)
    path = Path(folder)
    name = shown(str(path / MANIFEST))
    content = _manifest(path)
    sums = sums_in(content.sums, name, asked or ())
    if of != sums.of:
        raise UsageError(
            f"part {number}/{of}: {shown(str(path))} was split into {sums.of}"
        )
    wanted = _wanted(sums, asked, name)
    budget = Budget(content.steps, content.seconds)
    options = with_units(Options(budget=budget), units)
    found: dict[tuple[int, int], MetricSums] = {}
    for way in content.passes:
        if not _FILES.fullmatch(way.files):
            raise _damaged(name, None, f"files {way.files!r}")
        places = [place for place in way.metrics if (way.system, place) in wanted]
        if not places:
            continue
        bases = [wanted[way.system, place] for place in places]
        file = f"{way.files}part{number}.jsonl"
        rows = _rows(path / file, content.digests.get(file))
        said = bases[0].findings
        told = each(said.gold, said.system) if each else None
        ends = SplitPart(bases, options, rows, told)
        Run(ends, told is not None, lambda _: True).compare(None)
        for place, (at, base) in enumerate(zip(places, bases, strict=True)):
            key = way.system, at
            found[key] = counted(ends, place, base.findings)
    if found.keys() != wanted.keys():
        raise _damaged(name, None, "metrics without pairs")
    return Sums(
        of,
        {number: f"part {number}/{of}"},
        units,
        tuple(
            tuple(found[key] for key in wanted if key[0] == system)
            for system in range(len(sums.systems))
        ),
        sums.version,
    )


def parts_in(folder: str | PathLike[str]) -> int:
    """Into how many parts a folder was split.

    Args:
        folder: what :func:`split` wrote.

    Raises:
        InputError: if it holds no parts, or what says so is damaged.
    """
    return _manifest(Path(folder)).sums.of


def _manifest(folder: Path) -> _Split:
    """What was found out of everything.

    Raises:
        InputError: if it cannot be read.
    """
    path = folder / MANIFEST
    name = shown(str(path))
    if not path.is_file():
        raise InputError([Problem(name, None, None, "", "no such file", EXPECTED)])
    raw = path.read_bytes()
    return opened(raw, name, "split", _Split, EXPECTED)


def _wanted(
    sums: Sums, asked: Sequence[Metric] | None, name: str
) -> dict[tuple[int, int], MetricSums]:
    """The metrics that are asked for, by system and place.

    Raises:
        UsageError: if one was not split for.
    """
    there = {str(each.metric) for mine in sums.systems for each in mine}
    chosen = there if asked is None else {str(each) for each in asked}
    if other := sorted(chosen - there):
        raise UsageError(f"{other[0]}: {name} was split for {', '.join(sorted(there))}")
    return {
        (system, place): each
        for system, mine in enumerate(sums.systems)
        for place, each in enumerate(mine)
        if str(each.metric) in chosen
    }


class _Writer:
    """Lines of many files, of which none is held open."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.digests: dict[str, Any] = {}
        self._held: dict[str, list[bytes]] = {}
        self._size = 0

    def add(self, name: str, line: bytes) -> None:
        """One more line of a file."""
        self._held.setdefault(name, []).append(line)
        self._size += len(line)
        if self._size > HELD:
            self.flush()

    def flush(self) -> None:
        """Write what is held."""
        for name, lines in self._held.items():
            content = b"".join(lines)
            if name not in self.digests:
                self.digests[name] = hashlib.blake2b(digest_size=16)
            self.digests[name].update(content)
            with open(self.folder / name, "ab") as file:
                file.write(content)
        self._held.clear()
        self._size = 0


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(_Row)


class SplitFiles(CountedFiles):
    """Two sides whose pairs are written and not compared.

    Args:
        args: what the sides, metrics and options are.
        of: how many parts there are.
        writer: takes the lines.
        system: the number of the system, from 1.
        passes: takes this.
    """

    def __init__(
        self,
        *args: Any,
        of: int,
        writer: _Writer,
        system: int,
        passes: list[SplitFiles],
    ) -> None:
        super().__init__(*args)
        self.of, self.writer = of, writer
        passes.append(self)
        self.files = f"system{system}-pass{len(passes)}-"
        self._written = -1

    def wanted(self, pair: Pair[Unit], family: tuple[int, ...]) -> tuple[int, ...]:
        """None, but the pair is written, once for all metrics."""
        gold, system = pair.gold, pair.system
        assert gold is not None
        if self._written != self.number:
            self._written = self.number
            part = part_of(pair, self.pairing, self.of)
            row = _Row(
                self.number,
                pair.position,
                gold.item,
                gold.graphs,
                system.item if system else None,
                system.graphs if system else (),
            )
            self.writer.add(f"{self.files}part{part}.jsonl", _line(row) + b"\n")
        return ()


def _line(row: _Row) -> bytes:
    """A pair as JSON.

    Raises:
        UsageError: if its graphs have values that JSON has not.
    """
    try:
        raw = _ENCODER.encode(row)
        again = _DECODER.decode(raw)
        # Values of any kind may be tuples where JSON has lists.
        same = again == row or msgspec.to_builtins(again) == msgspec.to_builtins(row)
    except (TypeError, OverflowError, UnicodeEncodeError, *UNREADABLE):
        same = False
    if not same:
        raise UsageError(
            f"item {row.item} has values that JSON cannot hold, and so cannot be split"
        )
    return raw


def _rows(path: Path, digest: str | None) -> Iterator[_Row]:
    """The pairs of a file, which is held against its digest at its end."""
    if digest is None:
        # No pair belongs to the part.
        return
    name = shown(str(path))
    found = hashlib.blake2b(digest_size=16)
    try:
        file = open(path, "rb")  # noqa: SIM115
    except FileNotFoundError:
        raise _damaged(name, None, "no such file") from None
    with file:
        for number, line in enumerate(file, 1):
            found.update(line)
            try:
                yield _DECODER.decode(line)
            except UNREADABLE:
                raise _damaged(name, number, "a damaged line") from None
    if found.hexdigest() != digest:
        raise _damaged(name, None, "a changed file")


def _damaged(name: str, line: int | None, found: str) -> InputError:
    return InputError([Problem(name, line, None, "", found, f"what {MANIFEST} says")])


class SplitPart(CountedFiles):
    """The pairs of a part that was written.

    Args:
        bases: of each metric what was found out of everything.
        options: how they are scored.
        rows: the pairs.
        each: is called for every gold unit.
    """

    def __init__(
        self,
        bases: Sequence[MetricSums],
        options: Options,
        rows: Iterable[_Row],
        each: Each | None = None,
    ) -> None:
        said = bases[0].findings
        metrics = [base.metric for base in bases]
        super().__init__(said.gold, said.system, metrics, options, each)
        self._rows = rows

    def pairs(self) -> Iterator[Pair[Unit]]:
        """The pairs as they stand in the file."""
        for row in self._rows:
            self.number = row.number
            gold = Unit(row.gold, row.item, "", None)
            system = None
            if row.partner is not None:
                system = Unit(row.system, row.partner, "", None)
            yield Pair(row.position, gold, system)

    def wanted(self, pair: Pair[Unit], family: tuple[int, ...]) -> tuple[int, ...]:
        """All metrics."""
        return self.sent(family)
