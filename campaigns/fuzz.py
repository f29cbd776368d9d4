"""Damaged files through every reader, in one process: nothing breaks, nothing is lost.

``python -m campaigns.fuzz --seed 1 --count 10000``, or ``--seconds 20``.  Every reader
has its turn: those of the formats, and those of words, rules, tables and whatever else
users write.  A case of at most 64 KiB takes two seconds of processor time at most.  It
is read twice, at once and in pieces, and both say the same: the same graphs and
rejected records, or the same error.  Where records can be counted without a reader
(:mod:`campaigns.splitting`) each is a graph or rejected, and what stands below the
damage is read as if there were none.  Rejected records say where they are, and why.
"""

from __future__ import annotations

import argparse
import faulthandler
import re
import tempfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import monotonic, process_time
from typing import Any

from campaigns.findings import Findings, UnclearError, asked_more, shared_memory
from campaigns.readers import LONGEST, Case, Reader, every
from campaigns.splitting import counted, unaccounted
from graphscore.exceptions import GraphscoreError, InputError
from graphscore.formats.base import ReadGraph, Record
from graphscore.formats.registry import format_named
from tests.formats.damage import check
from tests.formats.samples import SAMPLES
from tests.formats.test_contract import GUESSED, TEXTLESS

SECONDS = 2.0
"""Of processor time that a case may take."""

PIECE = 512
"""Bytes that come at once when a file is read again."""

BELOW = 8
"""Of so many cases one has a good file below the damage."""

WHOLE = {name for name, found in SAMPLES.items() if any(s.whole for s in found)}
"""Formats whose files may be one piece, which has nothing below it."""

RECODED = {"quaero"}
"""Formats whose files, once not in UTF-8, go on in another encoding."""

MIXED = {"dygie", "coref-jsonlines", "coref-jsonlines-exclusive"}
"""Formats whose first good line says whether all are gold, or all predictions."""

TABLES = {"iob", "iob-gold"}
"""Formats whose first sentences say what the columns of all are."""

STUCK = 900
"""Seconds by the clock in which a thousand cases must be over."""


@dataclass
class Count:
    """What became of the cases of a reader."""

    cases: int = 0
    graphs: int = 0
    rejected: int = 0
    refused: int = 0
    counted: int = 0
    """Cases whose records were counted without the reader."""
    below: int = 0
    """Cases with a good file below the damage."""


@dataclass
class Fuzz(Findings):
    """Findings of this campaign, with what there was to find them in."""

    counts: dict[str, Count] = field(default_factory=dict)
    seconds: float = 0.0

    def summary(self) -> str:
        """A line a reader, findings, and cases a second."""
        lines = [
            f"{'reader':<26}{'cases':>9}{'graphs':>10}{'rejected':>10}{'refused':>9}"
            f"{'counted':>9}{'below':>7}"
        ]
        lines += [
            f"{name:<26}{c.cases:>9,}{c.graphs:>10,}{c.rejected:>10,}{c.refused:>9,}"
            f"{c.counted:>9,}{c.below:>7,}"
            for name, c in sorted(self.counts.items())
        ]
        pace = self.cases / self.seconds if self.seconds else 0
        told = f"{pace:,.0f} cases a second of processor time"
        return "\n".join([*lines, super().summary(), told])


def _result(reader: Reader, case: Case, size: int) -> Any:
    """What is read, or the words of the error."""
    try:
        return reader.use(case, size)
    except GraphscoreError as error:
        if not str(error).strip():
            raise UnclearError("empty message") from error
        if isinstance(error, InputError) and not all(p.file for p in error.problems):
            raise UnclearError(f"no file ({reader.name}): {error}") from error
        return error


def _words(found: Any) -> str:
    """What was read, in words: functions and the like are no more than their kind."""
    if isinstance(found, GraphscoreError | list | dict | set | frozenset):
        if isinstance(found, set | frozenset):
            return repr(sorted(map(repr, found)))
        return repr(found) + str(found)
    shown = repr(found)
    return type(found).__name__ if " at 0x" in shown else shown


def attack(reader: Reader, case: Case, below: bool, count: Count) -> None:
    """Read a damaged file as it is said above.

    Args:
        reader: what reads.
        case: the file.
        below: whether it is read with a good file below the damage, too.
        count: what became of the cases so far.

    Raises:
        UnclearError: for what is lost, differs or is not said.
    """
    found = _result(reader, case, LONGEST)
    again = _result(reader, case, PIECE)
    # Numbers that are none are not even like themselves.
    if found != again and _words(found) != _words(again):
        raise UnclearError(f"read twice, differs ({reader.name}): {case.how}")
    if isinstance(found, GraphscoreError):
        count.refused += 1
    elif reader.is_format:
        _records(reader, case, found, below, count)


def _records(
    reader: Reader, case: Case, found: list[Record], below: bool, count: Count
) -> None:
    try:
        check(found, reader.name not in TEXTLESS)
    except AssertionError as error:
        raise UnclearError(f"a record that is none ({reader.name}): {error}") from None
    graphs = sum(isinstance(each, ReadGraph) for each in found)
    count.graphs += graphs
    count.rejected += len(found) - graphs
    if case.other:
        return
    last = case.data.count(b"\n") + 1
    beside = format_named(reader.name).beside
    places = beside(case.sample.path) if beside else ()
    for record in found:
        for each in (
            record.left_out if isinstance(record, ReadGraph) else record.problems
        ):
            if each.file not in places and not 1 <= (each.line or 0) <= last:
                raise UnclearError(f"no line ({reader.name}): {each}")
    # What is wrong with a file beside may be no record of this one.
    begun: dict[bool, list[int]] = {True: [], False: []}
    for record in found:
        own = isinstance(record, ReadGraph) or any(
            each.file not in places for each in record.problems
        )
        begun[own].append(record.line)
    lost = unaccounted(reader.name, case.data, begun[True], begun[False])
    if lost:
        raise UnclearError(f"not all accounted for ({reader.name}): {lost}")
    count.counted += counted(reader.name, case.data) is not None
    if reader.name in RECODED and case.data.decode("utf-8", "replace").count("\ufffd"):
        return
    if below and reader.name not in WHOLE | MIXED | GUESSED.keys():
        _below(reader, case, count)


def _below(reader: Reader, case: Case, count: Count) -> None:
    """What follows two empty lines below the damage is read."""
    if reader.name in TABLES and _width(case.data) != _width(case.sample.data):
        # The first sentences of a file say what its columns are.
        return
    good = reader.read(case.sample.data, "case", LONGEST)
    count.below += 1
    whole = case.data + b"\n\n" + case.sample.data
    lines = whole.split(b"\n")
    start = case.data.count(b"\n") + 2
    line = start + good[-1].line
    # What the good file has above its first record, such as names of columns.
    head = range(start, start + good[0].line - 1)
    anywhere = good[-1].graph.framework in format_named(reader.name).dependent

    def there(began: int) -> bool:
        # Comments at the end of the damage may be those of what follows.
        return began <= line and all(
            index in head
            or lines[index][:1] == b"#"
            or not lines[index].decode("utf-8", "replace").strip()
            for index in range(began - 1, line - 1)
        )

    digest = good[-1].graph.digest()
    if not any(
        isinstance(each, ReadGraph)
        and (anywhere or there(each.line))
        and each.graph.digest() == digest
        for each in reader.read(whole, "case", LONGEST)
    ):
        raise UnclearError(f"lost below the damage ({reader.name}): {case.how}")


def _width(data: bytes) -> int:
    """How many cells most lines have."""
    lines = filter(None, data.split(b"\n"))
    widths = Counter(len(re.split(rb"[\t ]", line)) for line in lines)
    return max(widths, key=lambda width: widths[width], default=0)


def run(
    seed: int,
    cases: int | None = None,
    seconds: float | None = None,
    folder: Path | None = None,
    names: Iterable[str] = (),
) -> Fuzz:
    """A campaign.

    Args:
        seed: all that happens follows from it and the number of a case.
        cases: how many in all, of all readers in turn.
        seconds: how long.
        folder: where findings are written.
        names: only these readers.
    """
    findings = Fuzz(folder, limit=SECONDS)
    end = None if seconds is None else monotonic() + seconds
    began = process_time()
    with tempfile.TemporaryDirectory(dir=shared_memory()) as place:
        wanted = frozenset(names)
        readers = [r for r in every(Path(place)) if not wanted or r.name in wanted]
        while cases is None or findings.cases < cases:
            if end is not None and monotonic() > end:
                break
            number = findings.cases
            if number % 1_000 == 0:
                # Where no handler of signals is reached, not even a finding is told.
                faulthandler.dump_traceback_later(STUCK, exit=True)
            reader = readers[number % len(readers)]
            chance = Random(f"{seed}/{number}")
            case = reader.case(chance)
            count = findings.counts.setdefault(reader.name, Count())
            count.cases += 1
            below = chance.randrange(BELOW) == 0
            _one(findings, reader, case, below, f"seed {seed} case {number}")
            findings.cases += 1
        faulthandler.cancel_dump_traceback_later()
    findings.seconds = process_time() - began
    return findings


def _one(found: Fuzz, reader: Reader, case: Case, below: bool, about: str) -> None:
    """Attack with one case, and note what is found."""

    def attempt(data: bytes, count: Count) -> BaseException | None:
        now = case._replace(data=data)
        return found.attempt(lambda: attack(reader, now, below, count))

    error = attempt(case.data, found.counts[reader.name])
    if error is not None:
        told = f"{reader.name} {case.other or case.sample.path} {about}: {case.how}"
        found.note(error, told, case.data, lambda data: attempt(data, Count()))


def main() -> None:
    """Run the campaign as the command line asks."""

    def options(parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--reader", action="append", default=[], help="only these")

    asked_more(
        __doc__,
        lambda seed, cases, seconds, folder, given: run(
            seed, cases, seconds, folder, given.reader
        ),
        options,
    )


if __name__ == "__main__":
    main()
