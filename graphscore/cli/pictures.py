"""``--plot``: whether a picture can be made, and the file that it is written to."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from graphscore.errors import UsageError

if TYPE_CHECKING:
    from graphscore.cli.operands import Operands
    from graphscore.evaluation.result import Result
    from graphscore.report.sweep import Curve
    from graphscore.statistics.whatif.repairs import WhatIf


def check_plot(target: str, operands: Operands) -> None:
    """Refuse a picture that could not be made, before anything is scored.

    Args:
        target: the file of ``--plot``.
        operands: what is read; none of that is overwritten.

    Raises:
        UsageError: for an unknown ending, a missing library or folder, and where
            the file is one of the operands.
    """
    from graphscore.cli.operands import FileOperands
    from graphscore.report.plots import check

    check(target)
    path = Path(target)
    if path.is_dir() or not path.parent.is_dir():
        raise UsageError(f"--plot {target}: expected a file in a folder that is there")
    files = (
        (*operands.golds, *operands.systems)
        if isinstance(operands, FileOperands)
        else (operands.store,)
    )
    for file in files:
        if path.exists() and os.path.exists(file) and os.path.samefile(path, file):
            raise UsageError(f"--plot {target}: that is {file}, which is scored")


def draw_curves(curves: Sequence[Curve], target: str) -> None:
    """Write the picture of curves; a file that is there is replaced as a whole."""
    from graphscore.report.plots import curve_chart, rendered

    _write(target, rendered(curve_chart(curves), target))


def draw_results(results: Sequence[Result], target: str) -> None:
    """Write the picture of results without a sweep: bars."""
    from graphscore.report.plots import bar_chart, rendered

    _write(target, rendered(bar_chart(results), target))


def draw_steps(found: Sequence[WhatIf], target: str) -> None:
    """Write the picture of classes of errors that are right one after the other."""
    from graphscore.report.plots import rendered, step_chart

    _write(target, rendered(step_chart(found), target))


def _write(target: str, content: bytes) -> None:
    from graphscore.cli.files import replacing

    with replacing(Path(target)) as write:
        write(content)
