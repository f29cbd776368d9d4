"""``graphscore analyze``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from graphscore.cli.operands import opened
from graphscore.cli.options import ReadingOptions, output_options, reading_options
from graphscore.cli.output import Output
from graphscore.cli.verb import FILE, OneOf, Verb
from graphscore.errors import UsageError

if TYPE_CHECKING:
    from graphscore.analysis import Inverted
    from graphscore.model.graph import Graph
    from graphscore.report.analyzing import Named

BAD_INPUT = 3


@click.command("analyze", cls=Verb)
@click.argument(
    "operands", type=FILE, nargs=-1, required=True, metavar="FILE... | STORE"
)
@click.option(
    "--collection",
    "collections",
    multiple=True,
    metavar="NAME",
    help="Collection of a store (repeatable).",
)
@click.option(
    "--by",
    type=OneOf(["framework", "collection"]),
    default="framework",
    show_default=True,
    help="A column for each framework, or for each FILE or collection as well.",
)
@click.option(
    "--framework",
    "frameworks",
    multiple=True,
    metavar="NAME",
    help="Only this framework (repeatable).",
)
@click.option(
    "--inverted",
    type=OneOf(["keep", "turn"]),
    default="keep",
    show_default=True,
    help="Take inverted edges as written, or turn them to their base direction.",
)
@reading_options
@output_options
def command(
    operands: tuple[str, ...],
    collections: tuple[str, ...],
    by: str,
    frameworks: tuple[str, ...],
    inverted: Inverted,
    reading: ReadingOptions,
    output: Output,
) -> None:
    """Statistics of graphs, by framework.

    Those of Kuhlmann and Oepen (2016) as mtool's analyzer counts them, C-X and R-X of
    semantic roles, tuples by type, and special cases.  All files together are one
    collection, unless --by collection gives a column to each.  Records that cannot be
    read are reported and left out; the exit code is then 3.

    Examples:
      graphscore analyze gold.mrp
      graphscore analyze "ucca/*.xml" --json
      graphscore analyze gold.conllu system.conllu --by collection --table
      graphscore analyze runs.db --collection gold --framework amr --inverted turn
    """
    from graphscore.analysis import Collection

    source = _Source(operands, collections, reading, output)
    apart = by == "collection"
    found: dict[tuple[str, int], Collection] = {}
    for number, graph in source.graphs():
        name = graph.framework
        if not frameworks or name in frameworks:
            key = name, number if apart else 0
            if key not in found:
                found[key] = Collection(name, inverted)
            found[key].add(graph)
    if not found:
        output.say("no graphs")
    named = [
        (framework, source.names[number] if apart else "", found[framework, number])
        for framework, number in sorted(found)
    ]
    for each in output.audiences():
        _print(named, source, inverted, each)
    if source.rejected:
        click.get_current_context().exit(BAD_INPUT)


class _Source:
    """Where graphs come from, and how many records were bad."""

    def __init__(
        self,
        operands: Sequence[str],
        collections: Sequence[str],
        reading: ReadingOptions,
        output: Output,
    ) -> None:
        from graphscore.store.detect import is_store

        self.operands = operands
        self.collections = tuple(dict.fromkeys(collections))
        self.rejected = 0
        self._output = output
        self._reading = reading
        self._is_store = is_store(operands[0])
        if self._is_store and len(operands) > 1:
            raise UsageError(f"{operands[0]} is a store: name a --collection of it")
        if self._is_store and reading.given:
            raise UsageError(
                "--format and --document tell how a file is read; "
                f"{operands[0]} is a store"
            )
        if not self._is_store and collections:
            raise UsageError(
                f"--collection names one of a store; {operands[0]} is not one"
            )

    @property
    def names(self) -> Sequence[str]:
        """What the collections are called, in order: of files, as they were typed."""
        from graphscore.formats.source import written_out

        return self.collections or [*map(written_out, self.operands)]

    def graphs(self) -> Iterator[tuple[int, Graph]]:
        """The graphs with the number of their collection, in order.

        Bad records are reported and counted.
        """
        return self._stored() if self._is_store else self._read()

    def _stored(self) -> Iterator[tuple[int, Graph]]:
        store = opened(self.operands[0], output=self._output)
        if not self.collections:
            names = [each.name for each in store.collections()]
            there = ", ".join(names) or "nothing yet"
            raise UsageError(
                f"{self.operands[0]} is a store: name one of its collections "
                f"with --collection; it holds: {there}"
            )
        for number, name in enumerate(self.collections):
            for graph in store.graphs(name):
                yield number, graph

    def _read(self) -> Iterator[tuple[int, Graph]]:
        from graphscore.errors import Problems
        from graphscore.formats import Rejected, read_file
        from graphscore.formats.base import Notes
        from graphscore.formats.gathering import gather
        from graphscore.formats.streams import refuse_repeated

        refuse_repeated(self.operands)
        rules = self._reading.reading()
        problems, notes = Problems(), Notes()
        paths: list[tuple[int, str]] = []
        for number, operand in enumerate(self.operands):
            gathered = gather(operand, rules.format)
            paths += [(number, path) for path in gathered.paths]
            if gathered.left:
                self._output.say(gathered.left)
        for number, path in paths:
            for record in read_file(path, rules):
                if isinstance(record, Rejected) and record.aside:
                    notes.add(record.note)
                elif isinstance(record, Rejected):
                    self.rejected += 1
                    problems.extend(record.problems)
                else:
                    problems.extend(record.left_out)
                    yield number, record.graph
        self._output.list_problems(problems)
        for line in notes.lines(", ".join(self.operands)):
            self._output.say(line)


def _print(
    found: list[Named], source: _Source, inverted: Inverted, output: Output
) -> None:
    from graphscore.report.analyzing import (
        COLUMNS,
        analysis_tables,
        described,
        flat_statistics,
    )

    apart = any(name for _, name, _ in found)
    if output.shape == "table":
        output.tables(analysis_tables(found))
    elif output.shape == "csv":
        columns = ("collection", *COLUMNS) if apart else COLUMNS
        output.rows(columns, flat_statistics(found))
    elif output.shape == "jsonl":
        output.lines(described(found))
    else:
        from graphscore.formats.source import written_out

        names = source.collections
        output.value(
            {
                "operands": [*map(written_out, source.operands)],
                "collection": names[0] if len(names) == 1 else [*names] or None,
                "inverted": inverted,
                "rejected": source.rejected,
                "frameworks": described(found),
            }
        )
