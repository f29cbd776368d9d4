"""``graphscore convert``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from graphscore.cli.options import ReadingOptions, converting_options
from graphscore.cli.verb import Verb
from graphscore.errors import GraphscoreError, InputError, UsageError

if TYPE_CHECKING:
    from graphscore.errors import Problem
    from graphscore.formats import Format
    from graphscore.model.graph import Graph

STDOUT = "-"


@click.command("convert", cls=Verb)
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option(
    "--to", "to", metavar="NAME", help="Format of OUT, not told by its ending."
)
@click.option(
    "--framework",
    "frameworks",
    multiple=True,
    metavar="NAME",
    help="Only graphs of this framework (repeatable).",
)
@click.option("--force", is_flag=True, help="Overwrite OUT if it is there.")
@click.option(
    "--keep-going",
    is_flag=True,
    help="Write the good records of an input that has bad ones.",
)
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors.")
@converting_options
def command(
    source: str,
    target: str,
    to: str | None,
    frameworks: tuple[str, ...],
    force: bool,
    keep_going: bool,
    quiet: bool,
    reading: ReadingOptions,
) -> None:
    """Write the graphs of IN in another format.

    IN is a file (plain, .gz, .bz2, .xz, .zip), a directory, a quoted pattern or -
    for standard input.  OUT is a file, compressed if it ends in .gz, .bz2 or .xz,
    or - for standard output; for a format of one graph per file it is a folder.
    OUT is written as a whole or not at all.

    Examples:
      graphscore convert wsj.amr wsj.mrp
      graphscore convert wsj.mrp wsj.dot --force
      graphscore convert "ucca/*.xml" - --to mrp
      graphscore convert gazette.tsv gazette.ne --framework etree
    """
    from graphscore.cli.main import complain

    chosen = _format(target, to)
    out = _target(target, force, chosen)
    graphs = _Graphs(source, reading, chosen, frozenset(frameworks))
    count = _write(graphs, chosen, out, keep_going)
    for problem in graphs.problems:
        complain(str(problem))
    if not quiet and target != STDOUT:
        left = f", {graphs.bad} bad records left out" if graphs.bad else ""
        click.echo(f"{target}: {count} graphs as {chosen.name}{left}", err=True)
    if not quiet and graphs.lost:
        lost = ", ".join(f"{what} ({n})" for what, n in graphs.lost.items())
        click.echo(f"not in {chosen.name}, with the number of graphs: {lost}", err=True)


def _format(target: str, to: str | None) -> Format:
    """The format of OUT: the one that is named, or the one its ending is first for."""
    from graphscore.formats.registry import format_named, formats
    from graphscore.formats.source import suffix_of

    written = {name: each for name, each in formats().items() if each.write}
    names = ", ".join(written)
    if to is not None:
        chosen = format_named(to)
        if chosen.write is None:
            raise UsageError(
                f"the format {to} can be read but not written; "
                f"these can be written: {names}"
            )
        return chosen
    if target == STDOUT:
        raise UsageError(f"- has no ending: name the format with --to: {names}")
    suffix = suffix_of(target)
    fitting = [each for each in written.values() if suffix in each.suffixes]
    if not fitting:
        raise UsageError(
            f"{target}: no format that can be written ends in {suffix or 'nothing'!r}; "
            f"name it with --to: {names}"
        )
    fitting.sort(key=lambda each: each.suffixes.index(suffix))
    best = fitting[0].suffixes.index(suffix)
    equal = [each.name for each in fitting if each.suffixes.index(suffix) == best]
    if len(equal) > 1:
        raise UsageError(
            f"{target}: {' and '.join(equal)} both end so; name one with --to"
        )
    return fitting[0]


def _target(target: str, force: bool, chosen: Format) -> Path | None:
    """Where to write, links followed; ``None`` is standard output.

    Raises:
        UsageError: if something is there already, or nothing can be.
    """
    if target == STDOUT:
        return None
    path = Path(target).resolve()
    if path.suffix == ".zip":
        raise UsageError(f"{target}: zip files are not written; use .gz, .bz2 or .xz")
    if path.is_dir():
        if not chosen.single:
            raise UsageError(f"{target} is a directory; {chosen.name} goes into a file")
        if any(path.iterdir()) and not force:
            raise UsageError(f"{target} is not empty; --force writes into it")
    elif path.exists():
        if not path.is_file():
            raise UsageError(f"{target} is not a file; - is standard output")
        if not force:
            raise UsageError(f"{target} is there already; --force overwrites it")
    elif not path.parent.is_dir():
        raise UsageError(f"{target}: no directory {path.parent}")
    return path


class _Graphs:
    """The graphs of IN that OUT can hold; what is wrong with the others is kept."""

    def __init__(
        self,
        source: str,
        reading: ReadingOptions,
        chosen: Format,
        wanted: frozenset[str],
    ) -> None:
        self.source, self.reading, self.chosen = source, reading, chosen
        self.wanted = wanted
        """The frameworks that are written; none means all."""
        self.there: set[str] = set()
        self.problems: list[Problem] = []
        self.bad = 0
        self.lost: dict[str, int] = {}
        """What of graphs is not written, with their number."""

    def __iter__(self) -> Iterator[Graph]:
        from graphscore.formats import Rejected, expand, read_file
        from graphscore.formats.source import shown

        rules = self.reading.reading()
        for path in expand(self.source):
            for record in read_file(path, rules):
                one = record if isinstance(record, Rejected) else record.graph
                framework = one.framework
                self.there.add(framework)
                # Of what is broken it may not be known what it would have been.
                if self.wanted and framework and framework not in self.wanted:
                    continue
                if isinstance(record, Rejected):
                    self.problems += record.problems
                    self.bad += 1
                    continue
                problem = self._unwritable(record.graph, shown(path), record.line)
                if problem is None:
                    lost = self.chosen.lost
                    for what in lost(record.graph) if lost else ():
                        self.lost[what] = self.lost.get(what, 0) + 1
                    self.problems += record.left_out
                    yield record.graph
                else:
                    self.problems.append(problem)
                    self.bad += 1

    def _unwritable(self, graph: Graph, file: str, line: int) -> Problem | None:
        """Why the format cannot hold a graph; each is tried, so that all are named."""
        from graphscore.errors import Problem

        assert self.chosen.write is not None
        allowed = self.chosen.frameworks
        where = f"item {graph.id}"
        if allowed and graph.framework not in allowed:
            found = f"framework {graph.framework!r}"
            return Problem(file, line, None, where, found, " or ".join(allowed))
        if graph.framework in self.chosen.dependent:
            return None  # it is tried where it stands, when all are written
        try:
            for _ in self.chosen.write([graph]):
                pass
        except GraphscoreError as error:
            found = f"what {self.chosen.name} cannot hold ({error})"
            return Problem(file, line, None, where, found, "")
        return None

    def check(self, keep_going: bool) -> None:
        """Stop if there are bad records and none may be.

        Raises:
            InputError: naming all of them.
            UsageError: if only frameworks were wanted that are not there.
        """
        if self.wanted and not self.wanted & self.there:
            wanted, there = (", ".join(sorted(x)) for x in (self.wanted, self.there))
            raise UsageError(f"--framework {wanted}: {self.source} has {there}")
        if self.problems and not keep_going:
            raise InputError(
                self.problems, "nothing written; --keep-going writes the good records"
            )


def _write(graphs: _Graphs, chosen: Format, out: Path | None, keep_going: bool) -> int:
    """Write all graphs, or nothing; gives their number."""
    from graphscore.cli.files import replacing, to_stdout

    assert chosen.write is not None
    count = 0

    def counted() -> Iterator[Graph]:
        nonlocal count
        for graph in graphs:
            count += 1
            yield graph

    if chosen.single and (out is None or out.is_dir() or not out.suffix):
        return _write_folder(graphs, chosen, out, keep_going)
    with to_stdout() if out is None else replacing(out) as write:
        for piece in chosen.write(counted()):
            write(piece)
        graphs.check(keep_going)
    return count


def _write_folder(
    graphs: _Graphs, chosen: Format, out: Path | None, keep_going: bool
) -> int:
    """A file for each graph, named by its id."""
    from graphscore.cli.files import replacing_all, to_stdout

    assert chosen.write is not None
    pieces: dict[str, bytes] = {}
    for number, graph in enumerate(graphs):
        name = _file_name(graph.id or str(number)) + chosen.suffixes[0]
        if name in pieces:
            raise GraphscoreError(
                f"two items would be written to {name}: {graph.id!r} is the second"
            )
        pieces[name] = b"".join(chosen.write([graph]))
    graphs.check(keep_going)
    if out is None:
        if len(pieces) > 1:
            raise UsageError(
                f"{len(pieces)} graphs, but a file of {chosen.name} holds one: "
                "name a folder as OUT"
            )
        with to_stdout() as write:
            for piece in pieces.values():
                write(piece)
    else:
        replacing_all(out, pieces)
    return len(pieces)


def _file_name(item: str) -> str:
    """An id as the name of a file: what folders are made of is not let through."""
    kept = "".join(c if c.isalnum() or c in "._-" else "_" for c in item)
    return kept.lstrip(".") or "_"
