"""Error impact: the gain if a class of errors were corrected."""

from __future__ import annotations

from collections.abc import Iterator

from graphscore.evaluation.result import Result
from graphscore.exceptions import UsageError
from graphscore.report.page.report_data import ReportData
from graphscore.report.table import Bar, Column, Table, columns_of
from graphscore.statistics.whatif.corrections import WhatIf, what_if

TOP = 15
"""Classes that are listed."""


def gains_of(result: Result) -> WhatIf | str:
    """Return the impact of every class of errors, or why it is not known.

    Args:
        result: with items and their errors.
    """
    try:
        return what_if(result)
    except UsageError as error:
        return str(error)


def gains_table(impact: WhatIf) -> Table:
    """The most costly classes as a table with bars.

    Args:
        impact: what errors cost.
    """
    most = max((class_.gain for class_ in impact.classes), default=0.0)
    heads = [Column(name) for name in ("tuple_type", "label", "error_type")]
    heads += [Column("errors", "count"), *columns_of("ratio", "if right", "gain")]
    of = f", the first {TOP} of {len(impact.classes)}" * (len(impact.classes) > TOP)
    table = Table([*heads, Column("")])
    table.title = f"{impact.system}, {impact.metric}: {impact.score}{of}"
    table.rows = [
        (
            *(class_.tuple_type, class_.label, class_.error_type, class_.errors),
            *(class_.value, class_.gain),
            Bar(class_.gain / most) if most else None,
        )
        for class_ in impact.classes[:TOP]
    ]
    return table


def gains_tables(findings: ReportData) -> Iterator[Table]:
    """Yield the error impact of every result, or why there is none.

    Args:
        findings: what a report tells.
    """
    for _, result in findings.every:
        gains = gains_of(result)
        if isinstance(gains, str):
            yield Table([], title=gains)
        elif not gains.classes:
            yield Table([], title=f"{result.system}: no errors that cost anything")
        else:
            yield gains_table(gains)
