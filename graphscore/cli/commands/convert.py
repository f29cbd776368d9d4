"""``graphscore convert``."""

from __future__ import annotations

import click

from graphscore.cli.command import FILE, Command
from graphscore.cli.error_handling import print_error
from graphscore.cli.options import ReaderArguments, converting_options
from graphscore.exceptions import UsageError, amount, listed


@click.command("convert", cls=Command)
@click.argument("names", type=FILE, metavar="IN... [OUT]", nargs=-1, required=True)
@click.option(
    "-o", "--output", "target", type=FILE, metavar="OUT", help="Write to OUT."
)
@click.option(
    "--to", "to", metavar="NAME", help="Set the format of OUT (default: by its ending)."
)
@click.option(
    "--framework",
    "frameworks",
    multiple=True,
    metavar="NAME",
    help="Include only this framework (repeatable).",
)
@click.option(
    "--item",
    "items",
    multiple=True,
    metavar="ID",
    help="Include only this item (repeatable).",
)
@click.option("--force", is_flag=True, help="Overwrite OUT if it exists.")
@click.option(
    "--keep-going",
    is_flag=True,
    help="Skip malformed records.",
)
@click.option(
    "-q",
    "--quiet",
    is_flag=True,
    help="Print errors only.",
)
@converting_options
def command(
    names: tuple[str, ...],
    target: str | None,
    to: str | None,
    frameworks: tuple[str, ...],
    items: tuple[str, ...],
    force: bool,
    keep_going: bool,
    quiet: bool,
    reading: ReaderArguments,
) -> None:
    """Convert graphs to another format.

    IN is a file (plain, .gz, .bz2, .xz, .zip), a directory, a quoted pattern or -
    for standard input; the graphs of several are concatenated.  OUT is the last
    operand, or that of -o: a file (compressed if it ends in .gz, .bz2 or .xz) or -
    for standard output, which one IN with --to and no OUT also goes to.  A folder as
    OUT gets one file per input file, or one per graph if the format holds only one.
    OUT is written completely or not at all.

    Examples:
      graphscore convert wsj.amr wsj.mrp
      graphscore convert gold.conllu checked.conllu
      graphscore convert wsj.amr --to mrp
      graphscore convert parts/*.mrp -o all.mrp
      graphscore convert parts/*.amr converted/ --to mrp
      graphscore convert wsj.mrp wsj.dot --force
      graphscore convert wsj.mrp picture.svg --item 20001001
      graphscore convert "ucca/*.xml" - --to mrp
      graphscore convert gazette.tsv gazette.ne --framework etree
    """
    from graphscore.formats.converting import (
        STDOUT,
        Converted,
        Inputs,
        is_folder,
        output_format,
        target_path,
    )
    from graphscore.formats.streams import held_streams

    def say(message: str) -> None:
        if not quiet:
            print_error(message)

    sources = names
    if target is None and len(names) == 1 and to is None:
        raise UsageError(
            f"no OUT for {names[0]}: name it after IN, or print to stdout with "
            "--to FORMAT"
        )
    if target is None:
        sources, target = (names[:-1], names[-1]) if len(names) > 1 else (names, STDOUT)
    with held_streams():
        inputs = Inputs(sources, reading.reading(), say)
        chosen = output_format(target, to, inputs)
        folder = is_folder(target, chosen)
        out = target_path(target, force, folder)
        graphs = Converted(inputs, chosen, frozenset(frameworks), frozenset(items))
        count = graphs.write(out, folder, force, keep_going)
    for line in listed(graphs.problems):
        print_error(line)
    if not count:
        say(f"nothing to write: {inputs.named} has no graph that {chosen.name} holds")
    if target != STDOUT:
        bad = amount(graphs.bad, "bad record")
        left = f", {bad} left out" if graphs.bad else ""
        say(f"{target}: {amount(count, 'graph')} as {chosen.name}{left}")
    if graphs.lost:
        say(str(graphs.lost))
