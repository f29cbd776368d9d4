"""Problems and findings of a file, collected while it is read.

Very many records may be wrong in one way: what is equal is folded at once, so that a
file of nothing else takes no memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from operator import attrgetter
from typing import Any

from graphscore.duplicates import KEPT, LISTED, DuplicateCounter, folded
from graphscore.evaluation.rows.selfscores import SelfScores, Shortfall
from graphscore.evaluation.sources import base
from graphscore.evaluation.unit import Unit
from graphscore.exceptions import InputError, Problem
from graphscore.formats import ReaderOptions, read_file
from graphscore.formats.base import ReadGraph, Record
from graphscore.formats.discovery import gather
from graphscore.formats.registry import Guess
from graphscore.formats.source import shown
from graphscore.formats.streams import refuse_repeated
from graphscore.formats.user_formats import format_given
from graphscore.model.graph import Graph
from graphscore.store.passwords import hidden
from graphscore.validation import (
    CODES,
    Finding,
    Inversions,
    left_out,
    passed_over,
    repeated,
    unreadable,
    validate,
)
from graphscore.validation.base import UNSCORABLE, Remark

COLUMNS = (
    *("file", "format", "framework", "graphs", "rejected"),
    *("errors", "warnings"),
)
"""Columns of the counts by framework."""

SHOWN = 20
"""Findings that are listed as text, where nobody asks for all."""

Seen = dict[tuple[str, str, str, str], str]
"""Location where each item of a collection was first read."""


class Checked:
    """Problems and findings of one file.

    Args:
        path: the file.
        ignored: codes of findings that are left out.
        every: whether equal problems and findings are kept, however many.
    """

    def __init__(
        self, path: str, ignored: frozenset[str] = frozenset(), every: bool = False
    ) -> None:
        self.most = most = None if every else KEPT
        self.path, self.ignored = path, ignored
        self.format = ""
        self.graphs: Counter[str] = Counter()
        self.rejected = 0
        self.problems: DuplicateCounter[Problem] = DuplicateCounter(
            attrgetter("kind"), most=most
        )
        self.findings: DuplicateCounter[Finding] = DuplicateCounter(
            attrgetter("kind"), most=most
        )
        self.codes: Counter[str] = Counter()
        """Number of findings by code."""
        self._bad: Counter[tuple[str, str]] = Counter()
        """Number of problems and findings by severity and framework."""
        self._last: tuple[tuple[str, ...], tuple[str, ...]] = (), ()
        """Last message of a problem, and kind of the last finding."""

    def guessed(self, guess: Guess) -> None:
        """Note the format that was found out."""
        self.format = guess.format.name

    def count(self, severity: str) -> int:
        """Return the number of findings of a severity."""
        return sum(number for (bad, _), number in self._bad.items() if bad == severity)

    def rows(self) -> Iterator[tuple[str | int, ...]]:
        """Numbers by framework of graphs and findings, empty where it is not known."""
        bad = self._bad
        frameworks = {framework for _, framework in bad} | self.graphs.keys()
        for name in sorted(frameworks) or [""]:
            graphs = self.graphs.get(name, 0)
            counts = bad["error", name], bad["warning", name]
            yield self.path, self.format, name, graphs, self.rejected, *counts

    def add(self, finding: Finding) -> None:
        """Note a finding, unless it is ignored."""
        if finding.code not in self.ignored:
            self.codes[finding.code] += 1
            self._bad[finding.severity, finding.framework] += 1
            self.findings.add(finding)

    def refuse(
        self, problems: Iterable[Problem], framework: str = "", item: str = ""
    ) -> None:
        """Note what a reader refused."""
        for problem in problems:
            self.problems.add(problem)
            # What is said of it is not made for what is only counted.
            message = (*problem[3:7], problem.file, framework)
            known, kind = self._last
            if message == known and self.findings.counted(kind):
                self.codes["unreadable"] += 1
                self._bad["error", framework] += 1
                continue
            finding = unreadable(problem, framework, item)
            self._last = message, finding.kind
            self.add(finding)

    def read(self, path: str, reading: ReaderOptions, seen: Seen) -> None:
        """Read a file and note all that is wrong with it.

        Args:
            path: the file.
            reading: how it is read.
            seen: where the items of files before it stand; its own are added.
        """
        inversions = Inversions()
        scores = SelfScores(self.most and LISTED)
        try:
            self.format = format_given(reading.format).name if reading.format else ""
            for record in read_file(path, reading, self.guessed):
                self._take(record, inversions, scores, seen)
        except InputError as error:
            self.refuse(error.problems)
        self._fall_short(scores.rest())
        for finding in inversions.findings():
            self.add(finding)

    def _fall_short(self, shortfalls: Iterable[Shortfall]) -> None:
        """Note what does not reach 1 against itself."""
        for shortfall in shortfalls:
            remark = Remark("self-score", shortfall.message, shortfall.node)
            self.add(remark.at(shortfall.graph, self.path, shortfall.line))

    def _take(
        self, record: Record, inversions: Inversions, scores: SelfScores, seen: Seen
    ) -> None:
        if not isinstance(record, ReadGraph) and record.aside:
            self.add(passed_over(record.note, Graph(record.item, record.framework)))
            return
        if not isinstance(record, ReadGraph):
            self.rejected += 1
            self.refuse(record.problems, record.framework, record.item)
            return
        graph, line = record.graph, record.line
        self.graphs[graph.framework] += 1
        if graph.id:
            location = f"{self.path}:{line}"
            key = (graph.framework, graph.language, graph.layer, graph.id)
            first = seen.setdefault(key, location)
            if first != location:
                unit = Unit((graph,), graph.id, self.path, line)
                self.problems.add(base.repeated_problem(unit, self.path, line, first))
                self.add(repeated(graph, self.path, line, first))
        for problem in record.left_out:
            self.problems.add(problem)
            self.add(left_out(problem, graph))
        for note in record.notes:
            self.add(passed_over(note, graph))
        findings = validate(graph, self.path, line)
        for finding in findings:
            self.add(finding)
        inversions.take(graph, self.path, line)
        if UNSCORABLE.isdisjoint(finding.code for finding in findings):
            self._fall_short(scores.take(graph, line))

    def to_dict(self, every: bool) -> dict[str, Any]:
        """Plain values for JSON.

        Args:
            every: whether equal problems and findings are listed all.
        """
        problems, _ = as_dicts(self.problems, every)
        findings, left = as_dicts(self.findings, every)
        value = {
            "file": self.path,
            "format": self.format,
            "graphs": dict(sorted(self.graphs.items())),
            "rejected": self.rejected,
            "errors": self.count("error"),
            "warnings": self.count("warning"),
            "problems": problems,
            "findings": findings,
        }
        return value | ({"unlisted": left} if left else {})


def check_file(
    path: str, reading: ReaderOptions, seen: Seen, ignored: frozenset[str], every: bool
) -> Checked:
    """Check a file.

    Args:
        path: the file.
        reading: how it is read.
        seen: where the items of files before it stand; its own are added.
        ignored: codes of findings that are left out.
        every: whether equal problems and findings are kept, however many.
    """
    report = Checked(shown(path), ignored, every)
    report.read(path, reading, seen)
    return report


def as_dicts(
    entries: DuplicateCounter[Any], every: bool
) -> tuple[list[dict[str, Any]], int]:
    """Return problems or findings as JSON, deduplicated with a ``count``.

    Args:
        entries: in their order.
        every: whether all are listed; otherwise equal ones are folded, and of each
            code there are so many.

    Returns:
        What is listed, and how many are not.
    """
    if every:
        return [entry._asdict() for entry in entries], 0
    listed, left = folded(
        entries, lambda x: x.kind, group=lambda x: getattr(x, "code", "")
    )
    more = ({"count": count} if count > 1 else {} for _, count in listed)
    return [
        entry._asdict() | own for (entry, _), own in zip(listed, more, strict=True)
    ], left


def check_files(
    operands: Sequence[str],
    reading: ReaderOptions,
    ignored: frozenset[str] = frozenset(),
    every: bool = False,
    say: Callable[[str], object] = lambda _: None,
) -> list[list[Checked]]:
    """Check files, every operand as a collection of its own.

    Args:
        operands: files, directories and globs.
        reading: how they are read.
        ignored: codes of findings that are left out.
        every: whether equal problems and findings are kept, however many.
        say: is told of files that are left alone.

    Returns:
        What was found in each file, by operand.
    """
    refuse_repeated(operands)
    groups: list[list[Checked]] = []
    for operand in operands:
        try:
            gathered = gather(operand, reading.format)
        except InputError as error:
            # The URL of a database may have been given, which is no file.
            missing = Checked(hidden(operand), ignored, every)
            missing.refuse(
                problem._replace(file=hidden(problem.file))
                for problem in error.problems
            )
            groups.append([missing])
            continue
        if gathered.left:
            say(gathered.left)
        seen: Seen = {}
        groups.append(
            [check_file(path, reading, seen, ignored, every) for path in gathered.paths]
        )
    return groups


def summary_of(files: Sequence[Checked], every: bool) -> dict[str, Any]:
    """Return the problems and findings of all files as JSON.

    Args:
        files: the files.
        every: whether equal problems and findings are listed all.
    """
    return {
        "problems": sum(len(file.problems) for file in files),
        "errors": sum(file.count("error") for file in files),
        "warnings": sum(file.count("warning") for file in files),
        "codes": dict(_codes(files).most_common()),
        "files": [file.to_dict(every) for file in files],
    }


def findings_of(
    files: Sequence[Checked], every: bool
) -> tuple[list[dict[str, Any]], int]:
    """The findings of all files, as :func:`as_dicts` gives those of one.

    Args:
        files: the files.
        every: whether all are listed.
    """
    listed = [as_dicts(file.findings, every) for file in files]
    return [row for rows, _ in listed for row in rows], sum(left for _, left in listed)


def numbers_of(files: Sequence[Checked]) -> list[str]:
    """Return the number of findings of each code, a line each.

    Args:
        files: the files.
    """
    return [
        f"{count:>7,} {code}: {CODES[code].severity}, {CODES[code].meaning}"
        for code, count in _codes(files).most_common()
    ]


def _codes(files: Sequence[Checked]) -> Counter[str]:
    codes: Counter[str] = Counter()
    for file in files:
        codes.update(file.codes)
    return codes


def lines_of(
    groups: Sequence[Sequence[Checked]], every: bool, only_errors: bool = False
) -> Iterator[str]:
    """Yield findings as lines: the first twenty kinds, errors and warnings together.

    Args:
        groups: the files of each operand.
        every: whether all are listed.
        only_errors: whether warnings are left out.
    """
    lines = (
        f"{finding}{more}"
        for group in groups
        for finding, more in _kinds(group, every)
        if finding.severity == "error" or not only_errors
    )
    yield from lines if every else islice(lines, SHOWN)
    if left := sum(1 for _ in lines):
        yield f"and {left:,} more; --all lists them"


def _kinds(group: Sequence[Checked], every: bool) -> Iterator[tuple[Finding, str]]:
    """The first finding of each kind, and how many more there are.

    Of a kind are warnings of one code, and errors of one file that say the same.
    """
    kinds: dict[tuple[str, ...], tuple[Finding, int]] = {}
    findings = chain.from_iterable(file.findings.weighted() for file in group)
    for number, (finding, count) in enumerate(findings):
        kind: tuple[str, ...] = (finding.framework, finding.code)
        if finding.severity == "error":
            kind += (finding.file, finding.message)
        key = (*kind, str(number)) if every else kind
        first, before = kinds.get(key, (finding, 0))
        kinds[key] = first, before + count
    for first, count in kinds.values():
        what = "like it" if first.severity == "error" else "of the kind"
        yield first, f" (and {count - 1:,} more {what})" if count > 1 else ""
