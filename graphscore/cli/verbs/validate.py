"""``graphscore validate``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

import click

from graphscore.cli.options import ReadingOptions, output_options, reading_options
from graphscore.cli.output import Output, echo
from graphscore.cli.verb import FILE, Verb
from graphscore.errors import UsageError, meant

if TYPE_CHECKING:
    from graphscore.evaluation.rows.checking import Checked
    from graphscore.validation import Finding

BAD_INPUT = 3


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
    from graphscore.evaluation.rows.checking import Checked, Seen, checked
    from graphscore.formats.gathering import gather
    from graphscore.formats.streams import refuse_repeated
    from graphscore.store.passwords import hidden

    refuse_repeated(files)
    ignored, every = _codes(ignore), every or output.verbose
    rules = reading.reading()
    found: list[list[Checked]] = []
    for operand in files:
        try:
            gathered = gather(operand, rules.format)
        except InputError as error:
            # The URL of a database may have been given, which is no file.
            missing = Checked(hidden(operand), ignored, every)
            missing.refuse(
                each._replace(file=hidden(each.file)) for each in error.problems
            )
            found.append([missing])
            continue
        if gathered.left:
            output.say(gathered.left)
        seen: Seen = {}
        found.append(
            [checked(path, rules, seen, ignored, every) for path in gathered.paths]
        )
    for each in output.audiences():
        _print(found, each, every)
    if any(each.count("error") for each in chain.from_iterable(found)):
        click.get_current_context().exit(BAD_INPUT)


def _codes(given: tuple[str, ...]) -> frozenset[str]:
    from graphscore.validation import CODES

    codes = {code.strip() for text in given for code in text.split(",")} - {""}
    for code in sorted(codes - set(CODES)):
        raise UsageError(
            f"--ignore {code}{meant(code, CODES)}: there are {', '.join(CODES)}"
        )
    return frozenset(codes)


def _print(groups: list[list[Checked]], output: Output, every: bool) -> None:
    from graphscore.evaluation.rows.checking import as_dicts
    from graphscore.validation import CODES

    found = [*chain.from_iterable(groups)]
    codes: Counter[str] = Counter()
    for each in found:
        codes.update(each.codes)
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
        listed = [as_dicts(each.findings, every) for each in found]
        output.lines(chain.from_iterable(own for own, _ in listed))
        if left := sum(number for _, number in listed):
            output.say(f"and {left:,} more; --all lists them")
        return
    columns = ("file", "format", "framework", "graphs", "rejected")
    rows = [row for each in found for row in each.rows()]
    output.rows((*columns, "errors", "warnings"), rows)
    if output.appended_to is not None:
        return
    for group in groups:
        _say_findings(group, output, every)
    for code, count in codes.most_common():
        output.say(f"{count:>7,} {code}: {CODES[code].severity}, {CODES[code].meaning}")


def _say_findings(group: list[Checked], output: Output, every: bool) -> None:
    """Name what was found on stderr; of each code as many kinds as there is room."""
    from graphscore.folding import LISTED

    said: Counter[str] = Counter()
    left = 0
    for one, more in _folded(group, every):
        if one.severity != "error" and output.quiet:
            continue
        said[one.code] += 1
        if every or said[one.code] <= LISTED:
            echo(f"{one}{more}", err=True)
        else:
            left += 1
    if left:
        echo(f"and {left:,} more; --all lists them", err=True)


def _folded(group: list[Checked], every: bool) -> Iterator[tuple[Finding, str]]:
    """The first finding of each kind, and how many more there are.

    Of a kind are warnings of one code, and errors of one file that say the same.
    """
    kinds: dict[tuple[str, ...], tuple[Finding, int]] = {}
    findings = chain.from_iterable(each.findings.weighted() for each in group)
    for number, (one, count) in enumerate(findings):
        kind: tuple[str, ...] = (one.framework, one.code)
        if one.severity == "error":
            kind += (one.file, one.message)
        key = (*kind, str(number)) if every else kind
        first, before = kinds.get(key, (one, 0))
        kinds[key] = first, before + count
    for first, count in kinds.values():
        what = "like it" if first.severity == "error" else "of the kind"
        yield first, f" (and {count - 1:,} more {what})" if count > 1 else ""
