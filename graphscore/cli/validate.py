"""``graphscore validate``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import click

from graphscore.cli.options import ReadingOptions, output_options, reading_options
from graphscore.cli.output import Output
from graphscore.cli.verb import Verb

if TYPE_CHECKING:
    from graphscore.errors import Problem
    from graphscore.formats import Reading

BAD_INPUT = 3


@dataclass
class Checked:
    """What was found in one file."""

    path: str
    format: str = ""
    graphs: dict[str, int] = field(default_factory=dict)
    rejected: int = 0
    problems: list[Problem] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "file": self.path,
            "format": self.format,
            "graphs": dict(sorted(self.graphs.items())),
            "rejected": self.rejected,
            "problems": [each._asdict() for each in self.problems],
        }


@click.command("validate", cls=Verb)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@reading_options
@output_options
def command(files: tuple[str, ...], reading: ReadingOptions, output: Output) -> None:
    """Read every record of the files and report all that is wrong with them.

    Counts go to stdout; problems to stderr as text, or with JSON to stdout.  Items
    must not occur twice among all files that are named.

    Examples:
      graphscore validate gold.mrp
      graphscore validate "runs/*.mrp" --json
    """
    from graphscore.errors import InputError
    from graphscore.formats import expand

    rules = reading.reading()
    found: list[Checked] = []
    seen: dict[tuple[str, str, str], str] = {}
    for operand in files:
        try:
            paths = expand(operand)
        except InputError as error:
            found.append(Checked(operand, problems=list(error.problems)))
            continue
        found += [_check(path, rules, seen) for path in paths]
    _print(found, output)
    if any(each.problems for each in found):
        click.get_current_context().exit(BAD_INPUT)


def _check(
    path: str, reading: Reading, seen: dict[tuple[str, str, str], str]
) -> Checked:
    from graphscore.errors import InputError
    from graphscore.formats import Rejected, read_file
    from graphscore.formats.source import shown
    from graphscore.pairing import duplicate_problem
    from graphscore.units import Unit

    checked = Checked(shown(path))
    try:
        if reading.format is not None:
            checked.format = reading.format
        elif path != "-":
            from graphscore.formats import format_of

            checked.format = format_of(path, reading).name
        for record in read_file(path, reading):
            if isinstance(record, Rejected):
                checked.rejected += 1
                checked.problems += record.problems
                continue
            graph = record.graph
            checked.graphs[graph.framework] = checked.graphs.get(graph.framework, 0) + 1
            key = (graph.framework, graph.language, graph.id)
            place = f"{checked.path}:{record.line}"
            if graph.id and seen.setdefault(key, place) != place:
                unit = Unit((graph,), graph.id, checked.path, record.line)
                checked.problems.append(
                    duplicate_problem(unit, checked.path, record.line, seen[key])
                )
    except InputError as error:
        checked.problems += error.problems
    return checked


def _print(found: list[Checked], output: Output) -> None:
    if output.shape == "json":
        count = sum(len(each.problems) for each in found)
        output.value({"problems": count, "files": [each.to_dict() for each in found]})
        return
    if output.shape == "jsonl":
        output.lines(each.to_dict() for each in found)
        return
    rows = [
        (each.path, each.format, framework, count, each.rejected)
        for each in found
        for framework, count in sorted(each.graphs.items()) or [("", 0)]
    ]
    output.rows(("file", "format", "framework", "graphs", "rejected"), rows)
    for each in found:
        for problem in each.problems:
            click.echo(_visible(problem), err=True)


def _visible(problem: Problem) -> str:
    from graphscore.report.text import visible

    return visible(str(problem))
