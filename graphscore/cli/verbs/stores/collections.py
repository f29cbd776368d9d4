"""``graphscore collections``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from graphscore.cli.options import output_options
from graphscore.cli.output import Output
from graphscore.cli.verb import FILE, Verb
from graphscore.errors import amount

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graphscore.store.evaluations import Evaluation
    from graphscore.store.maintenance import CollectionSummary
    from graphscore.store.sizes import Size

COLUMNS = (
    "name",
    "graphs",
    "frameworks",
    "documents",
    "files",
    "rejected",
    "evaluations",
    "outdated",
    "revision",
)

_UNITS = ("kB", "MB", "GB", "TB")


@click.command("collections", cls=Verb)
@click.argument("store", type=FILE)
@output_options
def command(store: str, output: Output) -> None:
    """List the collections of a store: graphs, frameworks, files, rejected records.

    Of systems also what they were scored with: METRIC:REVISION, and which revision
    the metric has now where that evaluation is outdated.  A line on stderr says how
    large the store is.

    Example:
      graphscore collections runs.db
    """
    from graphscore.evaluation.stored import Store

    with Store(store) as opened:
        found, size = opened.collections(), opened.size()
    for each in output.audiences():
        _print(found, each)
    output.say(f"{store}: {_sized(size)}")


def _print(found: Sequence[CollectionSummary], output: Output) -> None:
    from graphscore.metrics.revisions import current_revision

    if output.shape in ("json", "jsonl"):
        values = [
            {
                "name": each.name,
                "graphs": sum(each.graphs.values()),
                "frameworks": dict(each.graphs),
                "documents": each.documents,
                "files": each.files,
                "rejected": each.rejected,
                "evaluations": each.evaluations,
                "outdated": each.outdated,
                "revision": [
                    {
                        "gold": made.gold,
                        "metric": made.metric,
                        "revision": made.revision,
                        "now": current_revision(made.metric),
                        "status": made.status,
                    }
                    for made in each.scored
                ],
                "created": each.created,
            }
            for each in found
        ]
        if output.shape == "json":
            output.value(values)
        else:
            output.lines(values)
        return
    rows = [
        (
            each.name,
            sum(each.graphs.values()),
            " ".join(f"{name}:{count}" for name, count in each.graphs.items()),
            each.documents,
            each.files,
            each.rejected,
            each.evaluations,
            each.outdated,
            " ".join(dict.fromkeys(map(_revision, each.scored))),
        )
        for each in found
    ]
    output.rows(COLUMNS, rows)


def _sized(size: Size) -> str:
    """How large a store is, and of which what."""
    parts = (("graphs", size.graphs), ("results", size.results), ("free", size.free))
    known = [f"{name} {_in_bytes(count)}" for name, count in parts if count is not None]
    return f"{_in_bytes(size.total)}, of which {', '.join(known)}"


def _in_bytes(number: int) -> str:
    """An amount of bytes in the unit that suits it.

    >>> _in_bytes(1), _in_bytes(999), _in_bytes(1000), _in_bytes(12_345_678)
    ('1 byte', '999 bytes', '1.0 kB', '12.3 MB')
    """
    if number < 1000:
        return amount(number, "byte")
    value, unit = number / 1000, 0
    while value >= 999.95 and unit < len(_UNITS) - 1:
        value, unit = value / 1000, unit + 1
    return f"{value:,.1f} {_UNITS[unit]}"


def _revision(made: Evaluation) -> str:
    """What was scored with, and what that is now if it is another."""
    from graphscore.metrics.revisions import current_revision

    shown = f"{made.metric}:{made.revision}"
    if made.status == "outdated":
        shown += f"(now {current_revision(made.metric)})"
    return shown
