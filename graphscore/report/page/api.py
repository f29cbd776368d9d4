"""Reports from Python in one call."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from numbers import Integral, Real
from os import PathLike
from pathlib import Path
from typing import Any, Unpack

from graphscore.evaluation.api import into_class
from graphscore.evaluation.options import (
    WORD_TYPES,
    Options,
    OptionWords,
    References,
    options_of,
)
from graphscore.evaluation.store import Store
from graphscore.exceptions import UsageError, amount, expecting
from graphscore.files import replacing
from graphscore.formats.source import shown
from graphscore.inputs.alignment import several_sides
from graphscore.metrics.base import Metric
from graphscore.metrics.registry import frameworks_of, parse, parse_all
from graphscore.report.page.collecting import Scored, gathered_files, gathered_store
from graphscore.report.page.report import report_page
from graphscore.report.page.report_data import (
    ReportData,
    ReportOptions,
    findings_of,
)
from graphscore.statistics.comparison import LEVEL, SAMPLES
from graphscore.statistics.resampling import SEED
from graphscore.store.detect import best_mode, is_store


@expecting(
    worst=Integral | None,
    first=Integral | None,
    compare=bool,
    names=Sequence,
    samples=Integral,
    seed=Integral,
    level=Real,
    options=Options | None,
    **WORD_TYPES,
)
def report_html(
    *operands: Any,
    metric: Any = None,
    worst: int | None = None,
    first: int | None = None,
    compare: bool = False,
    names: Sequence[str] = (),
    samples: int = SAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
    options: Options | None = None,
    **words: Unpack[OptionWords],
) -> str:
    """A report as a page of one file, as ``graphscore report`` writes it.

    Args:
        operands: gold and one or more systems, each a file, directory or glob of any
            known format, or graphs; or a :class:`~graphscore.Store`, or its file, and
            the names of its collections.
        metric: a metric, its string or a formula, or several; without, the default
            metrics of the frameworks that are there.
        worst: so many items, the worst first; a hundred without.
        first: so many items instead, in the order of gold.
        compare: whether systems are compared.
        names: what the systems are called; without, as their files or collections.
        samples: bootstrap samples that are drawn.
        seed: what the draws start from.
        level: how much of the distribution an interval holds.
        options: selection, pairing, budget.
        words: the same by keywords, as for :func:`~graphscore.score`.

    Returns:
        The text of the page, in HTML.

    Raises:
        InputError: if gold cannot be used; every problem is named.
        PairingError: if nothing pairs.
        UsageError: if there is no system, one system is to be compared, or a metric or
            collection is unknown.

    Example:
        >>> from graphscore import Graph, Node
        >>> def corpus(label):
        ...     return [Graph("1", "amr", 2, nodes=(Node(0, label),), tops=(0,))]
        >>> page = report_html(corpus("dog"), corpus("cat"), samples=20, names=["mine"])
        >>> page.startswith("<!doctype html>"), "mine against" in page
        (True, True)
    """
    return _report(
        report_page,
        operands,
        metric=metric,
        worst=worst,
        first=first,
        compare=compare,
        names=names,
        samples=samples,
        seed=seed,
        level=level,
        options=options,
        **words,
    )


def write_report(path: str | PathLike[str], *operands: Any, **words: Any) -> None:
    """Write a report, as ``graphscore report`` does.

    Args:
        path: a file that ends in ``.html`` or ``.md``.
        operands: as for :func:`report_html`.
        words: likewise.

    Raises:
        UsageError: if the file ends otherwise; and as :func:`report_html`.
    """
    from graphscore.report.page.texts import report_text

    renderings = {".html": report_page, ".htm": report_page, ".md": report_text}
    ending = Path(path).suffix.lower()
    if ending not in renderings:
        raise UsageError(f"{path}: expected a file that ends in .html or .md")
    text = _report(renderings[ending], operands, **words)
    with replacing(path) as write:
        write(text.encode())


def _report(
    render: Callable[[ReportData], str],
    operands: Sequence[Any],
    *,
    metric: Any = None,
    worst: int | None = None,
    first: int | None = None,
    compare: bool = False,
    names: Sequence[str] = (),
    samples: int = SAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
    options: Options | None = None,
    **words: Any,
) -> str:
    """A report as a page or a text; see :func:`report_html`."""
    report_options = ReportOptions(
        None if worst is None else int(worst),
        None if first is None else int(first),
        compare,
        int(samples),
        int(seed),
        float(level),
    )
    known = "metric", "worst", "first", "compare", "names", "samples", "seed", "level"
    options = options_of("report_html", options, words, known)
    metrics, _ = parse_all(metric)
    chosen = replace(options, per_item=True, details=True, parts=True)
    left = list(operands)
    held = bool(left) and (
        isinstance(left[0], Store) or (isinstance(left[0], str) and is_store(left[0]))
    )
    source = left.pop(0) if held else None
    if len(left) < 2:
        raise UsageError("nothing to report of: expected gold and one or more systems")
    gold, *systems = left
    if isinstance(gold, References):
        raise UsageError("a report has one gold side, not several references")
    if names and len(names) != len(systems):
        raise UsageError(
            f"{amount(len(names), 'name')} of {amount(len(systems), 'system')}"
        )
    if source is None:
        chosen = into_class(chosen, metric, gold, *systems)
        scored = _of_sides(gold, systems, metrics, chosen)
        return render(_found(scored, systems, names, report_options, chosen))
    own = isinstance(source, str)
    with Store(source, mode=best_mode(source)) if own else nullcontext(source) as store:
        scored = gathered_store(store, gold, systems, metrics, chosen)
        return render(_found(scored, systems, names, report_options, chosen))


def _found(
    scored: Scored,
    systems: Sequence[Any],
    names: Sequence[str],
    report_options: ReportOptions,
    options: Options,
) -> ReportData:
    """Return the data of the report, with systems under their names."""
    called = list(names) or [
        shown(str(side)) if isinstance(side, str | PathLike) else f"system {number}"
        for number, side in enumerate(systems, 1)
    ]
    for name, results in zip(called, scored.results, strict=True):
        for result in results:
            result.system = name
    return findings_of(scored, called, report_options, budget=options.budget)


def _of_sides(
    gold: Any,
    systems: Sequence[Any],
    metrics: Sequence[Metric] | None,
    options: Options,
) -> Scored:
    """Files, and whatever programs hold."""
    readings = options.reading, options.system_reading or options.reading
    if isinstance(gold, Iterator):
        # What can be gone through once only is needed for every system.
        gold = list(gold)
    side, laid, cls = several_sides(gold, systems, readings, frameworks_of(metrics))
    if metrics is None and cls is not None:
        metrics = [parse(cls)]
    return gathered_files(side, laid, metrics, options)
