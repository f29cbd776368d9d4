"""``--plot``, ``--svg``: whether a picture can be made, and the file that gets it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from graphscore.errors import UsageError

if TYPE_CHECKING:
    from graphscore.cli.operands import Operands
    from graphscore.evaluation.result import Result
    from graphscore.metrics.base import Metric
    from graphscore.metrics.sweep import Point
    from graphscore.report.showing.found import Hit
    from graphscore.report.sidebyside import Comparison


def check_plot(target: str, operands: Operands) -> None:
    """Refuse a picture that could not be made, before anything is scored.

    Args:
        target: the file of ``--plot``.
        operands: what is read; none of that is overwritten.

    Raises:
        UsageError: for an unknown ending, a missing library or folder, and where
            the file is one of the operands.
    """
    from graphscore.report.plots import check

    check(target)
    check_target("--plot", target, operands)


def check_target(option: str, target: str, operands: Operands) -> None:
    """Refuse a file that could not be written, before anything is scored.

    Args:
        option: what names it.
        target: the file.
        operands: what is read; none of that is overwritten.

    Raises:
        UsageError: for a missing folder, and where the file is one of the operands.
    """
    from graphscore.cli.operands import FileOperands

    path = Path(target)
    if path.is_dir() or not path.parent.is_dir():
        raise UsageError(
            f"{option} {target}: expected a file in a folder that is there"
        )
    files = (
        (*operands.golds, *operands.systems)
        if isinstance(operands, FileOperands)
        else (operands.store,)
    )
    for file in files:
        if path.exists() and os.path.exists(file) and os.path.samefile(path, file):
            raise UsageError(f"{option} {target}: that is {file}, which is scored")


def draw_results(
    results: Sequence[Result], points: Mapping[Metric, Point], target: str
) -> None:
    """Write the picture of results: lines over the parameter of a sweep, else bars.

    Args:
        results: what was scored.
        points: where the metrics of a sweep stand; empty without one.
        target: the file; one that is there is replaced as a whole.
    """
    from graphscore.report.plots import bar_chart, line_chart, rendered

    chart = line_chart(results, points) if points else bar_chart(results)
    _write(target, rendered(chart, target))


def draw_pairs(found: Sequence[Comparison], target: str, *, fold: bool) -> None:
    """Write the pictures of an item, below each other; ``-`` is standard output.

    Args:
        found: gold beside system, for every framework that the item has.
        target: the file.
        fold: whether what matched is left out.
    """
    from graphscore.drawing.choice import draw
    from graphscore.drawing.svg import stacked
    from graphscore.report.showing.looks import sides_of

    pictures = [draw(sides_of(each), fold) for each in _ordered(found)]
    _write(target, stacked(pictures).encode())


def write_page(found: Sequence[Comparison], target: str, *, fold: bool) -> None:
    """Write the page of an item; ``-`` is standard output.

    Args:
        found: gold beside system, for every framework that the item has.
        target: the file.
        fold: whether what matched is left out of the pictures.
    """
    from graphscore.report.page.single import item_page

    _write(target, item_page(_ordered(found), fold=fold).encode())


def draw_hits(hits: Sequence[Hit], target: str) -> None:
    """Write the pictures of hits, below each other; ``-`` is standard output.

    Args:
        hits: what a pattern found.
        target: the file.
    """
    from graphscore.drawing.svg import stacked

    _write(target, stacked([each.picture for each in hits]).encode())


def write_hits(pattern: str, hits: Sequence[Hit], every: int, target: str) -> None:
    """Write the page of hits; ``-`` is standard output.

    Args:
        pattern: what was looked for.
        hits: those that are shown.
        every: how many there are.
        target: the file.
    """
    from graphscore.report.page.hits import hits_page

    _write(target, hits_page(pattern, hits, every).encode())


def _ordered(found: Sequence[Comparison]) -> list[Comparison]:
    """Files and stores may have an item's frameworks in another order: one for both."""
    return sorted(found, key=lambda each: (each.gold.framework, each.gold.layer))


def _write(target: str, content: bytes) -> None:
    from graphscore.cli.files import to_stdout
    from graphscore.files import replacing

    with to_stdout() if target == "-" else replacing(target) as write:
        write(content)
