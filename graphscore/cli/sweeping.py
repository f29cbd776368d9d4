"""``graphscore score --sweep``: what is scored, and how the curve is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from graphscore.cli.output import Output, write_csv
from graphscore.errors import UsageError

if TYPE_CHECKING:
    from graphscore.cli.operands import Operands
    from graphscore.cli.options import SweepOptions
    from graphscore.evaluation.defaults import Choice
    from graphscore.evaluation.options import Options
    from graphscore.evaluation.result import Result
    from graphscore.metrics.base import Metric
    from graphscore.metrics.sweep import Swept
    from graphscore.report.sweep import Curve, Standing

ROUNDS = 24
"""So often at most more values are looked at."""


class Plan(NamedTuple):
    """What is scored."""

    swept: tuple[Swept, ...]
    """Each metric that was named, without the parameter."""

    @property
    def metrics(self) -> list[Metric]:
        """Every metric at every value."""
        return [metric for each in self.swept for metric in each.metrics]

    def told(self, results: Iterable[Result]) -> list[Result]:
        """The results of which something is to be said beside the curve.

        What is missing or bad is so at every value, and said once.
        """
        firsts = {each.metrics[0] for each in self.swept}
        return [each for each in results if each.metric in firsts or each.unproven]


def planned(options: SweepOptions, metrics: Sequence[Metric]) -> Plan | None:
    """What is scored, if there is a sweep.

    Args:
        options: what was asked for.
        metrics: what ``-m`` names.

    Raises:
        UsageError: if the sweep is wrong, or a metric lacks the parameter.
    """
    if options.sweep is None:
        if options.figure is not None:
            raise UsageError("--figure goes with --sweep")
        return None
    from graphscore.metrics.sweep import sweep_of, swept

    sweep = sweep_of(options.sweep)
    made = {each.base: each for each in (swept(metric, sweep) for metric in metrics)}
    return Plan(tuple(made.values()))


def planned_of_defaults(
    options: SweepOptions, target: Operands, scoring: Options, output: Output
) -> Plan:
    """What is scored where ``-m`` names nothing: the default metrics of what is there.

    Of several, those that have the parameter.

    Args:
        options: what was asked for.
        target: what is scored, which is looked through before.
        scoring: which graphs take part.
        output: is told which metrics those are.

    Raises:
        UsageError: if the sweep is wrong, or none has the parameter.
    """
    from graphscore.metrics.sweep import sweep_of

    parameter = sweep_of(options.sweep or "").parameter
    chosen = dict.fromkeys(_defaults(target, scoring))
    having = [each for each in chosen if parameter in each.metric.parameters()]
    output.say_chosen((each.metric, each.because) for each in having or chosen)
    plan = planned(options, [each.metric for each in having or chosen])
    assert plan is not None
    return plan


def _defaults(target: Operands, scoring: Options) -> Iterator[Choice]:
    from graphscore.cli.operands import FileOperands

    if isinstance(target, FileOperands):
        from graphscore.evaluation.files import default_metrics

        for system in target.systems:
            yield from default_metrics(target.gold, system, scoring)
        return
    from graphscore.evaluation.stored import Store

    with Store(target.store) as store:
        for system in target.systems:
            yield from store.default_metrics(target.gold, system, scoring)


def curves_of(
    plan: Plan,
    results: Sequence[Result],
    figure: str,
    score: Callable[[list[Metric]], Iterable[Result]],
) -> list[Curve]:
    """The curves, and exactly where two systems change places, if that can be known.

    Args:
        plan: what was swept over.
        results: of every system and every metric of it.
        figure: as for ``--fail-under``; empty for what stands for the metric.
        score: scores all systems with further metrics.

    Raises:
        UsageError: if a metric has no such figure.
    """
    from graphscore.report.sweep import curves

    found = []
    made = curves(results, plan.swept, figure)
    for curve, swept in zip(made, plan.swept, strict=True):
        standings: tuple[Standing, ...] = ()
        if curve.lower is not None and len(curve.systems) > 1:
            standings = _standings(swept, results, figure, score)
        found.append(curve._replace(standings=standings))
    return found


def _standings(
    swept: Swept,
    results: Iterable[Result],
    figure: str,
    score: Callable[[list[Metric]], Iterable[Result]],
) -> tuple[Standing, ...]:
    """Who is better where; further values are scored as long as they are wanted."""
    from graphscore.metrics.crossings import compared
    from graphscore.report.sweep import Standing, points

    known = points(results, swept, figure)
    if not known or len(next(iter(known.values()))) < 2:
        return ()
    for left in range(ROUNDS, -1, -1):
        lines = {
            system: [mine[at] for at in sorted(mine)] for system, mine in known.items()
        }
        found, wanted = [], set[float]()
        for one, two in combinations(lines, 2):
            stretches, more = compared(lines[one], lines[two])
            found.append(Standing(one, two, tuple(stretches)))
            wanted.update(more)
        if not wanted or not left:
            break
        scored = score([swept.at(value) for value in sorted(wanted)])
        for system, mine in points(scored, swept, figure).items():
            known[system] |= mine
    return tuple(found)


def print_curves(curves: Sequence[Curve], signature: str, output: Output) -> None:
    """Print curves in the shape that was asked for.

    Args:
        curves: what was found.
        signature: of the results that they are made of.
        output: how it is printed.
    """
    for each in output.audiences():
        _print_to(each, curves, signature)


def _print_to(output: Output, curves: Sequence[Curve], signature: str) -> None:
    from graphscore.report.markup import signed
    from graphscore.report.sweep import COLUMNS, curve_table, standing_tables

    shape = output.shape
    rows = (row for curve in curves for row in curve.rows())
    if shape == "table":
        tables = [
            table
            for curve in curves
            for table in (curve_table(curve), *standing_tables(curve))
        ]
        output.tables(signed(tables, signature))
    elif shape == "csv":
        write_csv(COLUMNS, rows)
    elif shape == "jsonl":
        output.lines(dict(zip(COLUMNS, row, strict=True)) for row in rows)
    elif len(curves) == 1:
        output.value({"sweep": curves[0].to_dict()})
    else:
        output.value({"sweeps": [curve.to_dict() for curve in curves]})
