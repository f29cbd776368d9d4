"""Pictures of scores: lines over a parameter, and bars.

Charts are built from plain rows with altair, which is imported when a chart is
made, not before (extra ``[plots]``).  Equal rows make equal files.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from graphscore.evaluation.result import Result
from graphscore.exceptions import UsageError
from graphscore.report.table import one_line

if TYPE_CHECKING:
    import altair

    from graphscore.metrics.base import Metric
    from graphscore.metrics.sweep import Point
WIDTH, HEIGHT = 480, 320
"""Size of the drawing area, in pixels."""

SCALE = 2.0
"""Pixels of a .png to one of the drawing."""

TICK = 12.0
"""Width of the ends of an interval, at most."""

SUFFIXES = (".svg", ".png", ".pdf", ".html", ".json")
"""Suffixes of the formats of a picture."""

NEEDED = ("altair", "vl_convert")
"""Modules of the extra ``[plots]``."""

DASHES = [[1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [4, 4], [10, 4]]
"""Dash patterns of the lines of several metrics."""


def check(target: str) -> None:
    """Refuse a picture that cannot be written.

    Args:
        target: the file.

    Raises:
        UsageError: if its ending is unknown, or the extra is not installed.
    """
    if PurePath(target).suffix.lower() not in SUFFIXES:
        raise UsageError(f"{target}: expected a file ending in {', '.join(SUFFIXES)}")
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise UsageError(
            f"a picture needs {' and '.join(missing)}: pip install 'graphscore[plots]'"
        )


def line_chart(
    results: Sequence[Result], points: Mapping[Metric, Point]
) -> altair.TopLevelMixin:
    """A line per system over a parameter, and per metric if there are several.

    Args:
        results: of every system with every metric of a sweep.
        points: where each of these metrics stands.

    Returns:
        The chart of what stands for the metric; a score that is undefined is left out.
    """
    import altair as alt

    # By name, as means over references are metrics of their own.
    placed = {str(metric): point for metric, point in points.items()}
    rows = [
        {
            "metric": one_line(placed[str(result.metric)].metric),
            "system": one_line(result.system),
            "value": placed[str(result.metric)].value,
            "score": 100 * result.value,
        }
        for result in results
        if math.isfinite(result.value)
    ]
    metrics = list(dict.fromkeys(one_line(each.metric) for each in points.values()))
    systems = list(dict.fromkeys(one_line(each.system) for each in results))
    parameter = next(iter(points.values())).parameter
    encoding: dict[str, Any] = {
        "x": alt.X("value:Q", title=one_line(parameter)).scale(zero=False),
        "y": alt.Y("score:Q", title=_axis(results)).scale(zero=False),
        "color": _by("system", systems, alt.Color),
    }
    if len(metrics) > 1:
        dashes = [DASHES[number % len(DASHES)] for number in range(len(metrics))]
        encoding["strokeDash"] = _by("metric", metrics, alt.StrokeDash, dashes)
    title = f"{', '.join(metrics)} by {one_line(parameter)}"
    chart = alt.Chart(
        alt.InlineData(values=rows), title=title, width=WIDTH, height=HEIGHT
    )
    return _plain(chart.mark_line(point=True).encode(**encoding))


def bar_chart(results: Sequence[Result]) -> altair.TopLevelMixin:
    """A bar per system, in a group per metric: what stands for the metric.

    Where a result has intervals a line says how far that of the bar reaches.

    Args:
        results: one per system and metric.

    Returns:
        The chart; a score that is undefined is left out.
    """
    import altair as alt

    values = [
        (
            one_line(str(result.metric)),
            one_line(result.system),
            result.value,
            _ends(result),
        )
        for result in results
    ]
    rows = [
        {"metric": metric, "system": system, "score": 100 * score, **ends}
        for metric, system, score, ends in values
        if math.isfinite(score)
    ]
    metrics = list(dict.fromkeys(metric for metric, *_ in values))
    systems = list(dict.fromkeys(system for _, system, *_ in values))
    axis = _axis(results)
    encoding: dict[str, Any] = {
        "x": alt.X("metric:N", title=None, sort=metrics).axis(labelAngle=0),
        "xOffset": alt.XOffset("system:N", sort=systems),
    }
    color = _by("system", systems, alt.Color)
    score = alt.Y("score:Q", title=axis)
    drawn: dict[str, Any] = {
        "title": ", ".join(metrics),
        "width": WIDTH,
        "height": HEIGHT,
    }
    data = alt.InlineData(values=rows)
    if not any("low" in row for row in rows):
        bars = alt.Chart(data, **drawn).mark_bar()
        return _plain(bars.encode(**encoding, y=score, color=color))
    bars = alt.Chart().mark_bar().encode(**encoding, y=score, color=color)
    # A bar without an interval has no line, not one from nowhere to nowhere.
    error_bars = alt.Chart().transform_filter("isValid(datum.low)")
    wide = WIDTH / max(1, len(metrics) * len(systems))
    ticks = {"size": min(TICK, wide / 3)}
    lines = error_bars.mark_errorbar(ticks=ticks, thickness=1.5, color="black").encode(
        **encoding, y=alt.Y("low:Q", title=axis), y2=alt.Y2("high:Q")
    )
    return _plain(alt.layer(bars, lines, data=data, **drawn))


def _ends(result: Result) -> dict[str, float]:
    """The ends of the interval of the main score, or one deviation to either side."""
    if result.intervals is None:
        return {}
    ends = [end for end in result.intervals.whole.value if end is not None]
    if len(ends) == 1:
        ends = [result.value - ends[0], result.value + ends[0]]
    return {name: 100 * end for name, end in zip(("low", "high"), ends, strict=False)}


def _plain(
    chart: altair.Chart | altair.LayerChart | altair.FacetChart,
) -> altair.TopLevelMixin:
    """A chart in one font.

    The writer of .pdf puts several fonts into the file in any order.
    """
    plain: altair.TopLevelMixin = (
        chart.configure_title(fontWeight="normal")
        .configure_axis(titleFontWeight="normal")
        .configure_legend(titleFontWeight="normal")
    )
    return plain


def _by(
    field: str, names: Sequence[str], channel: Callable[..., Any], marks: Any = None
) -> Any:
    """An encoding whose legend keeps the order of the names."""
    result = channel(f"{field}:N", title=field, sort=list(names))
    if marks is None:
        return result.scale(domain=list(names))
    lines = {
        "symbolType": "stroke",
        "symbolStrokeColor": "black",
        "symbolStrokeWidth": 2,
        "symbolSize": 400,
    }
    return result.scale(domain=list(names), range=marks).legend(**lines)


def _axis(results: Sequence[Result]) -> str:
    """Return the axis title of the scores of results."""
    named = [f"{result.metric.leading or 'F1'} (%)" for result in results]
    return ", ".join(dict.fromkeys(named))


def rendered(chart: altair.TopLevelMixin, target: str) -> bytes:
    """A chart as the bytes of a file; nothing is fetched from the network.

    Args:
        chart: what is drawn.
        target: the file; its ending says how.

    Raises:
        UsageError: as :func:`check`.
    """
    check(target)
    import vl_convert

    suffix = PurePath(target).suffix.lower()
    spec: str = chart.to_json(indent=2)
    if suffix == ".json":
        return f"{spec}\n".encode()
    version = _version()
    if suffix == ".html":
        # A name may hold what ends a script: it is written out as an escape, which
        # the library would undo if it saw one.
        spare = next(c for c in map(chr, range(0xE000, 0xF8FF)) if c not in spec)
        hidden = spec.replace("<", spare)
        page: str = vl_convert.vegalite_to_html(hidden, vl_version=version, bundle=True)
        return page.replace(spare, r"\u003c").encode()
    if suffix == ".svg":
        svg: str = vl_convert.vegalite_to_svg(spec, vl_version=version)
        return svg.encode()
    if suffix == ".png":
        return bytes(vl_convert.vegalite_to_png(spec, vl_version=version, scale=SCALE))
    return bytes(vl_convert.vegalite_to_pdf(spec, vl_version=version))


def _version() -> str:
    """The version of Vega-Lite that altair writes, as vl_convert names it."""
    import altair as alt

    return ".".join(alt.SCHEMA_VERSION.removeprefix("v").split(".")[:2])
