"""``graphscore analyze``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from graphscore.cli.options import ReadingOptions, output_options, reading_options
from graphscore.cli.output import Output
from graphscore.cli.verb import FILE, OneOf, Verb
from graphscore.errors import UsageError

if TYPE_CHECKING:
    from graphscore.analysis import Collection, Inverted
    from graphscore.model.graph import Graph
    from graphscore.report.text import Table

BAD_INPUT = 3

COLUMNS = ("framework", "section", "name", "value", "share")


@click.command("analyze", cls=Verb)
@click.argument(
    "operands", type=FILE, nargs=-1, required=True, metavar="FILE... | STORE"
)
@click.option("--collection", metavar="NAME", help="Collection of a store.")
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
    collection: str | None,
    frameworks: tuple[str, ...],
    inverted: Inverted,
    reading: ReadingOptions,
    output: Output,
) -> None:
    """Statistics of graphs, by framework.

    Those of Kuhlmann and Oepen (2016) as mtool's analyzer counts them, C-X and R-X of
    semantic roles, tuples by type, and special cases.  All files together are one
    collection.  Records that cannot be read are reported and left out; the exit code
    is then 3.

    Examples:
      graphscore analyze gold.mrp
      graphscore analyze "ucca/*.xml" --json
      graphscore analyze runs.db --collection gold --framework amr --inverted turn
    """
    from graphscore.analysis import Collection

    source = _Source(operands, collection, reading, output)
    found: dict[str, Collection] = {}
    for graph in source.graphs():
        name = graph.framework
        if not frameworks or name in frameworks:
            found.setdefault(name, Collection(name, inverted)).add(graph)
    if not found:
        output.say("no graphs")
    for each in output.audiences():
        _print([found[name] for name in sorted(found)], source, inverted, each)
    if source.rejected:
        click.get_current_context().exit(BAD_INPUT)


class _Source:
    """Where graphs come from, and how many records were bad."""

    def __init__(
        self,
        operands: Sequence[str],
        collection: str | None,
        reading: ReadingOptions,
        output: Output,
    ) -> None:
        from graphscore.store.detect import is_store

        self.operands = operands
        self.collection = collection
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
        if not self._is_store and collection is not None:
            raise UsageError(
                f"--collection names one of a store; {operands[0]} is not one"
            )

    def graphs(self) -> Iterator[Graph]:
        """The graphs, in order; bad records are reported and counted."""
        return self._stored() if self._is_store else self._read()

    def _stored(self) -> Iterator[Graph]:
        from graphscore.evaluation.stored import Store

        with Store(self.operands[0], say=self._output.say) as store:
            names = [each.name for each in store.collections()]
            if self.collection is None:
                there = ", ".join(names) or "nothing yet"
                raise UsageError(
                    f"{self.operands[0]} is a store: name one of its collections "
                    f"with --collection; it holds: {there}"
                )
            yield from store.graphs(self.collection)

    def _read(self) -> Iterator[Graph]:
        from graphscore.errors import Problems
        from graphscore.formats import Rejected, read_file
        from graphscore.formats.gathering import gather
        from graphscore.formats.streams import refuse_repeated

        refuse_repeated(self.operands)
        rules = self._reading.reading()
        problems = Problems()
        paths = []
        for operand in self.operands:
            gathered = gather(operand, rules.format)
            paths += gathered.paths
            if gathered.left:
                self._output.say(gathered.left)
        for path in paths:
            for record in read_file(path, rules):
                if isinstance(record, Rejected):
                    self.rejected += 1
                    problems.extend(record.problems)
                else:
                    problems.extend(record.left_out)
                    yield record.graph
        self._output.list_problems(problems)


def _print(
    found: list[Collection], source: _Source, inverted: Inverted, output: Output
) -> None:
    if output.shape == "table":
        output.tables(_tables(found))
    elif output.shape == "csv":
        output.rows(COLUMNS, _flat(found))
    elif output.shape == "jsonl":
        output.lines(each.to_dict() for each in found)
    else:
        from graphscore.formats.source import written_out

        output.value(
            {
                "operands": [*map(written_out, source.operands)],
                "collection": source.collection,
                "inverted": inverted,
                "rejected": source.rejected,
                "frameworks": [each.to_dict() for each in found],
            }
        )


def _flat(found: list[Collection]) -> Iterator[tuple[Any, ...]]:
    for each in found:
        for name, value in each.statistics().items():
            yield (each.framework, "statistics", name, value, None)
        for section, counts in (("kinds", each.kinds()), ("cases", each.cases())):
            for name, count in counts.items():
                yield (each.framework, section, name, count["count"], count["share"])


def _tables(found: list[Collection]) -> list[Table]:
    from graphscore.analysis import CASES, STATISTICS
    from graphscore.model.frameworks import KINDS
    from graphscore.report.text import Column, Ratio, Table

    names = [each.framework for each in found]
    whole = Table(
        [Column("property"), *(Column(name, True) for name in names)],
        title="statistics",
    )
    statistics = [each.statistics() for each in found]
    for key, one in STATISTICS.items():
        cells = [values[key] for values in statistics]
        if all(cell is None for cell in cells):
            continue
        if one.unit == "share":
            cells = [None if cell is None else Ratio(cell) for cell in cells]
        elif one.unit == "mean":
            cells = [None if cell is None else float(cell) for cell in cells]
        whole.rows.append((one.title, *(_shown(cell) for cell in cells)))
    if any(values["treewidth_bounds"] for values in statistics):
        whole.notes.append(
            "Where treewidths are only bounded, average and maximum are upper bounds."
        )
    tables = [whole]
    for title, order, counts in (
        ("tuples", KINDS, [each.kinds() for each in found]),
        ("special cases among the edges", CASES, [each.cases() for each in found]),
    ):
        pairs = [Column(part, True) for name in names for part in (name, "%")]
        table = Table([Column(""), *pairs], title=title)
        for key in order:
            row: list[Any] = [key]
            for mine in counts:
                count = mine.get(key, {"count": None, "share": None})
                share = count["share"]
                row += [count["count"], None if share is None else Ratio(share)]
            table.rows.append(tuple(row))
        tables.append(table)
    return tables


def _shown(value: Any) -> Any:
    """A mean with three decimals, as mtool prints it; the rest as it is."""
    return f"{value:.3f}" if type(value) is float else value
