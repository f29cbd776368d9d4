"""``graphscore validate``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any

import click

from graphscore.cli.options import ReadingOptions, output_options, reading_options
from graphscore.cli.output import Output, echo
from graphscore.cli.verb import FILE, Verb
from graphscore.errors import UsageError

if TYPE_CHECKING:
    from graphscore.errors import Problem
    from graphscore.formats import Reading
    from graphscore.formats.base import Record
    from graphscore.formats.registry import Guess
    from graphscore.validation import Finding, Inversions

BAD_INPUT = 3

Seen = dict[tuple[str, str, str, str], str]
"""Where each item of a collection was first read."""


@dataclass
class Checked:
    """What was found in one file."""

    path: str
    format: str = ""
    graphs: dict[str, int] = field(default_factory=dict)
    rejected: int = 0
    problems: list[Problem] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    def guessed(self, found: Guess) -> None:
        """Note the format that was found out."""
        self.format = found.format.name

    def count(self, severity: str) -> int:
        """How many findings are that bad."""
        return sum(each.severity == severity for each in self.findings)

    def rows(self) -> Iterator[tuple[str | int, ...]]:
        """Numbers by framework of graphs and findings, empty where it is not known."""
        bad = Counter((each.severity, each.framework) for each in self.findings)
        frameworks = {framework for _, framework in bad} | self.graphs.keys()
        for name in sorted(frameworks) or [""]:
            graphs = self.graphs.get(name, 0)
            counts = bad["error", name], bad["warning", name]
            yield self.path, self.format, name, graphs, self.rejected, *counts

    def refuse(
        self, problems: Iterable[Problem], framework: str = "", item: str = ""
    ) -> None:
        """Note what a reader refused."""
        from graphscore.validation import unreadable

        for problem in problems:
            self.problems.append(problem)
            self.findings.append(unreadable(problem, framework, item))

    def to_dict(self, every: bool) -> dict[str, Any]:
        """Plain values for JSON.

        Args:
            every: whether equal problems and findings are listed all.
        """
        problems, _ = _dicts(self.problems, every)
        findings, left = _dicts(self.findings, every)
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


def _dicts(
    found: Iterable[Problem | Finding], every: bool
) -> tuple[list[dict[str, Any]], int]:
    """What was found for JSON; ``count`` where one stands for more than itself.

    Args:
        found: in their order.
        every: whether all are listed; otherwise equal ones are folded, and of each
            code there are so many.

    Returns:
        What is listed, and how many are not.
    """
    from graphscore.errors import folded

    if every:
        return [each._asdict() for each in found], 0
    listed, left = folded(
        found, lambda x: x.kind, group=lambda x: getattr(x, "code", "")
    )
    more = ({"count": count} if count > 1 else {} for _, count in listed)
    return [
        each._asdict() | own for (each, _), own in zip(listed, more, strict=True)
    ], left


@click.command("validate", cls=Verb)
@click.argument("files", type=FILE, nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--ignore",
    multiple=True,
    metavar="CODE",
    help="Leave out findings of this code (repeatable, or with commas).",
)
@click.option("--all", "every", is_flag=True, help="List all, equal ones as well.")
@reading_options
@output_options
def command(
    files: tuple[str, ...],
    ignore: tuple[str, ...],
    every: bool,
    reading: ReadingOptions,
    output: Output,
) -> None:
    """Read every record of the files and report all that is wrong with them.

    Records that cannot be read are errors; graphs that can are checked against what
    their framework demands.  Counts go to stdout, findings to stderr as text, or
    with JSON to stdout (--jsonl: a finding to a line).  As text, warnings of a kind
    take one line, and so do equal errors, with their number; numbers by code come
    last.  In JSON the third of equal ones has the count of those that it stands for.
    --all (or -v) lists them all.  Every argument is a collection of its own: items
    must not occur twice among its files.  Exit code 3 if there is any error; warnings
    alone are no failure.

    Examples:
      graphscore validate gold.mrp
      graphscore validate "runs/*.mrp" --json
      graphscore validate system.mrp --ignore isolated-node,no-top
    """
    from graphscore.errors import InputError
    from graphscore.formats.gathering import gather
    from graphscore.formats.streams import refuse_repeated

    refuse_repeated(files)
    ignored = _codes(ignore)
    rules = reading.reading()
    found: list[list[Checked]] = []
    for operand in files:
        try:
            gathered = gather(operand, rules.format)
        except InputError as error:
            missing = Checked(operand)
            missing.refuse(error.problems)
            found.append([missing])
            continue
        if gathered.left:
            output.say(gathered.left)
        seen: Seen = {}
        found.append([_check(path, rules, seen) for path in gathered.paths])
    for each in chain.from_iterable(found):
        each.findings = [one for one in each.findings if one.code not in ignored]
    _print(found, output, every or output.verbose)
    if any(each.count("error") for each in chain.from_iterable(found)):
        click.get_current_context().exit(BAD_INPUT)


def _codes(given: tuple[str, ...]) -> set[str]:
    from graphscore.validation import CODES

    codes = {code.strip() for text in given for code in text.split(",")} - {""}
    for code in sorted(codes - set(CODES)):
        raise UsageError(f"--ignore {code}: there are {', '.join(CODES)}")
    return codes


def _check(path: str, reading: Reading, seen: Seen) -> Checked:
    from graphscore.errors import InputError
    from graphscore.formats import read_file
    from graphscore.formats.source import shown
    from graphscore.validation import Inversions

    checked = Checked(shown(path))
    inversions = Inversions()
    try:
        checked.format = reading.format or ""
        for record in read_file(path, reading, checked.guessed):
            _take(record, checked, inversions, seen)
    except InputError as error:
        checked.refuse(error.problems)
    checked.findings += inversions.findings()
    return checked


def _take(record: Record, checked: Checked, inversions: Inversions, seen: Seen) -> None:
    from graphscore.evaluation.pairing import duplicate_problem
    from graphscore.evaluation.units import Unit
    from graphscore.formats import Rejected
    from graphscore.validation import left_out, repeated, validate

    if isinstance(record, Rejected):
        checked.rejected += 1
        checked.refuse(record.problems, record.framework, record.item)
        return
    graph, line = record.graph, record.line
    checked.graphs[graph.framework] = checked.graphs.get(graph.framework, 0) + 1
    place = f"{checked.path}:{line}"
    first = seen.setdefault(
        (graph.framework, graph.language, graph.layer, graph.id), place
    )
    if graph.id and first != place:
        unit = Unit((graph,), graph.id, checked.path, line)
        checked.problems.append(duplicate_problem(unit, checked.path, line, first))
        checked.findings.append(repeated(graph, checked.path, line, first))
    for problem in record.left_out:
        checked.problems.append(problem)
        checked.findings.append(left_out(problem, graph))
    checked.findings += validate(graph, checked.path, line)
    inversions.take(graph, checked.path, line)


def _print(groups: list[list[Checked]], output: Output, every: bool) -> None:
    from graphscore.validation import CODES

    found = [*chain.from_iterable(groups)]
    findings = [one for each in found for one in each.findings]
    codes = Counter(one.code for one in findings)
    if output.shape == "json":
        value = {
            "problems": sum(len(each.problems) for each in found),
            "errors": sum(each.count("error") for each in found),
            "warnings": sum(each.count("warning") for each in found),
            "codes": dict(codes.most_common()),
            "files": [each.to_dict(every) for each in found],
        }
        output.value(value)
        return
    if output.shape == "jsonl":
        listed = [_dicts(each.findings, every) for each in found]
        output.lines(chain.from_iterable(own for own, _ in listed))
        if left := sum(number for _, number in listed):
            output.say(f"and {left:,} more; --all lists them")
        return
    columns = ("file", "format", "framework", "graphs", "rejected")
    rows = [row for each in found for row in each.rows()]
    output.rows((*columns, "errors", "warnings"), rows)
    for group in groups:
        _say_findings(group, output, every)
    for code, count in codes.most_common():
        output.say(f"{count:>7,} {code}: {CODES[code].severity}, {CODES[code].meaning}")


def _say_findings(group: list[Checked], output: Output, every: bool) -> None:
    """Name what was found on stderr; of each code as many kinds as there is room."""
    from graphscore.errors import LISTED

    said: Counter[str] = Counter()
    left = 0
    for one, more in _folded((one for each in group for one in each.findings), every):
        if one.severity != "error" and output.quiet:
            continue
        said[one.code] += 1
        if every or said[one.code] <= LISTED:
            echo(f"{one}{more}", err=True)
        else:
            left += 1
    if left:
        echo(f"and {left:,} more; --all lists them", err=True)


def _folded(findings: Iterable[Finding], every: bool) -> Iterator[tuple[Finding, str]]:
    """The first finding of each kind, and how many more there are.

    Of a kind are warnings of one code, and errors of one file that say the same.
    """
    kinds: dict[tuple[str, ...], list[Finding]] = {}
    for number, one in enumerate(findings):
        kind: tuple[str, ...] = (one.framework, one.code)
        if one.severity == "error":
            kind += (one.file, one.message)
        kinds.setdefault((*kind, str(number)) if every else kind, []).append(one)
    for first, *others in kinds.values():
        what = "like it" if first.severity == "error" else "of the kind"
        yield first, f" (and {len(others):,} more {what})" if others else ""
