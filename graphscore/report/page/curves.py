"""Curves of what was swept over, as small pictures with a table below."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from graphscore.drawing.svg import SMALL, text_at, width_of, written
from graphscore.report.page.findings import Findings
from graphscore.report.page.fragments import part, table_of, text
from graphscore.report.sweep import Curve, curve_table, standing_tables
from graphscore.report.text import Ratio, cell

WIDTH, HEIGHT = 560, 240
"""Pixels of a picture."""

LEFT, RIGHT, TOP, BOTTOM = 52, 120, 12, 34
"""Pixels beside what is drawn."""

LINES = 6
"""Looks of lines, which then begin anew."""


Place = Callable[[float, float], tuple[float, float]]
"""Where a value at a value of the parameter stands."""


def curve_picture(curve: Curve) -> str:
    """A curve for each system, with a mark at each value.

    Lines differ in colour, dashes and marks, and have the system's name at their end.

    Args:
        curve: what was found.
    """
    points = [
        (at, value)
        for mine in curve.systems.values()
        for at, value in zip(curve.values, mine, strict=True)
        if math.isfinite(value)
    ]
    if not points:
        return ""
    low, high = _rounded([value for _, value in points])
    first, last = min(curve.values), max(curve.values)

    def place(at: float, value: float) -> tuple[float, float]:
        wide, tall = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
        x = LEFT + wide * ((at - first) / (last - first) if last > first else 0.5)
        return x, TOP + tall * (1 - (value - low) / (high - low))

    body = [*_axes(curve, low, high, place)]
    ends: list[float] = []
    for number, (system, mine) in enumerate(curve.systems.items()):
        line = [
            place(at, value)
            for at, value in zip(curve.values, mine, strict=True)
            if math.isfinite(value)
        ]
        if not line:
            continue
        kind = f"l{number % LINES}"
        d = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in line)
        body.append(f'<path class="c {kind}" d="{d}"/>')
        body += [_mark(number % LINES, x, y) for x, y in line]
        x, y = line[-1]
        while any(abs(y - other) < 12 for other in ends):
            y += 12
        ends.append(y)
        name = system.rpartition("/")[2]
        room = RIGHT - 14
        while width_of(name, SMALL) > room:
            name = name[:-2] + "…" if len(name) > 2 else ""
        body.append(text_at(x + 9, y + 4, name, "z", size=SMALL))
    title = f"{curve.metric}: {curve.figure} by {curve.parameter}"
    return (
        f'<svg class="gs chart" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{written(title)}">'
        f"{''.join(body)}</svg>"
    )


def _rounded(values: Sequence[float]) -> tuple[float, float]:
    """Ends of an axis around some values, at steps of a round number."""
    low, high = min(values), max(values)
    if high - low < 1e-9:
        low, high = low - 0.01, high + 0.01
    step = 10 ** math.floor(math.log10(high - low))
    return math.floor(low / step) * step, math.ceil(high / step) * step


def _axes(curve: Curve, low: float, high: float, place: Place) -> Iterator[str]:
    """Lines with numbers, and what the axes are."""
    for number in range(5):
        value = low + (high - low) * number / 4
        _, y = place(curve.values[0], value)
        yield f'<path class="t" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>'
        said = cell(Ratio(value) if curve.ratio else value, 1)
        yield text_at(LEFT - 6, y + 4, said, "z", size=SMALL, anchor="end")
    written_to = -100.0
    for at in curve.values:
        x, _ = place(at, low)
        said = f"{at:.4g}"
        if x - written_to > width_of(said, SMALL) + 8:
            yield text_at(x, HEIGHT - 20, said, "z", size=SMALL, anchor="middle")
            written_to = x
    middle = (LEFT + WIDTH - RIGHT) / 2
    yield text_at(middle, HEIGHT - 5, curve.parameter, "z", size=SMALL, anchor="middle")


def _mark(number: int, x: float, y: float) -> str:
    """A small shape at a value, another one for each look."""
    kind = f'class="c l{number}"'
    if number % 3 == 0:
        return f'<circle {kind} cx="{x:.1f}" cy="{y:.1f}" r="3"/>'
    if number % 3 == 1:
        return f'<rect {kind} x="{x - 3:.1f}" y="{y - 3:.1f}" width="6" height="6"/>'
    return f'<path {kind} d="M{x:.1f} {y - 4:.1f}l4 7h-8z"/>'


def curves_part(findings: Findings) -> str:
    """The curves of what was swept over.

    Args:
        findings: what a report tells.
    """
    body = [
        f'<figure class="curve">{curve_picture(each)}<figcaption>'
        f"{text(each.metric)}: {text(each.figure)} by {text(each.parameter)}"
        f"</figcaption></figure>"
        + "".join(
            table_of(table, findings.places)
            for table in (curve_table(each), *standing_tables(each))
        )
        for each in findings.curves
    ]
    return part("curves", "Curves", *body)
