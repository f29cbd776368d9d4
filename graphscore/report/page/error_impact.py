"""Error impact: the gain if a class of errors were corrected."""

from __future__ import annotations

from graphscore.evaluation.result import Result
from graphscore.exceptions import UsageError
from graphscore.report.page.fragments import Bar, Head, part, ratio, table, text
from graphscore.report.page.report_data import ReportData
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


def gains_table(found: WhatIf, *, places: int = 2) -> str:
    """The most costly classes as a table with bars.

    Args:
        found: what errors cost.
        places: decimals of ratios.
    """
    most = max((class_.gain for class_ in found.classes), default=0.0)
    rows = [
        (
            *(class_.tuple_type, class_.label, class_.error_type, class_.errors),
            *(ratio(class_.value), ratio(class_.gain)),
            Bar(class_.gain / most) if most else None,
        )
        for class_ in found.classes[:TOP]
    ]
    heads = [Head(name) for name in ("tuple_type", "label", "error_type")]
    heads += [Head(name, True) for name in ("errors", "if right", "gain")]
    of = f", the first {TOP} of {len(found.classes)}" * (len(found.classes) > TOP)
    title = f"{found.system}, {found.metric}: {found.score}{of}"
    return table([*heads, Head("")], rows, title, places=places)


def gains_part(findings: ReportData) -> str:
    """Return the section on the error impact of every result.

    Args:
        findings: what a report tells.
    """
    body = []
    for _, result in findings.every:
        gains = gains_of(result)
        if isinstance(gains, str):
            body.append(f"<p>{text(gains, 400)}</p>")
        elif not gains.classes:
            body.append(f"<p>{text(result.system)}: no errors that cost anything</p>")
        else:
            body.append(gains_table(gains, places=findings.places))
    intro = (
        "<p>The score if exactly these errors were right, under the correspondence "
        "that was found.  What stands in place of something else is counted once, as a "
        "confusion, so that a label may have fewer errors here than among the most "
        "frequent ones, where both of its sides are counted.</p>"
    )
    return part("gains", "What would be gained", intro, *body)
