"""Files that commands write: whether they can be, and what goes into them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from graphscore.cli.bundles import option
from graphscore.cli.command import FILE
from graphscore.cli.options import Among
from graphscore.exceptions import UsageError

if TYPE_CHECKING:
    from graphscore.cli.operands import Operands
    from graphscore.evaluation.result import Result
    from graphscore.metrics.base import Metric
    from graphscore.metrics.sweep import Point
    from graphscore.report.item_view.hit_pictures import Hit
    from graphscore.report.side_by_side import Comparison

Options = TypeVar("Options")

STDOUT = "-"

HTML, SVG = (".html", ".htm"), (".svg",)
"""Suffixes of files of pages and of pictures."""


def output_option(excludes: Sequence[str] = ()) -> Any:
    """Return the field of ``--output``, another name of a page's or picture's option.

    Args:
        excludes: fields of options that do not go with it.
    """
    return option(
        "-o",
        "--output",
        metavar="FILE",
        type=FILE,
        excludes=excludes,
        help="Write a page or picture, by the ending of FILE.",
    )


def place_output(options: Options, **endings: Sequence[str]) -> Options:
    """Return options where the file of ``--output`` is that of another option.

    Args:
        options: a bundle with the field ``file``, which ``--output`` fills.
        endings: by the field of the other option, how its files end.

    Raises:
        UsageError: if the ending is none of these, or that option is given as well.
    """
    settings: Any = options
    file = settings.file
    if file is None:
        return options
    for name, suffixes in endings.items():
        if file.lower().endswith(tuple(suffixes)):
            if getattr(settings, name) is not None:
                raise UsageError(
                    f"--output {file} and --{name} are mutually exclusive: drop one"
                )
            result: Options = settings.changed(**{name: file, "file": None})
            return result
    known = ", ".join(suffix for suffixes in endings.values() for suffix in suffixes)
    raise UsageError(f"--output {file}: expected a file that ends in {known}")


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
    check_targets({"--plot": target}, operands)


def check_targets(
    targets: Mapping[str, str | None], operands: Operands
) -> dict[str, str]:
    """Refuse files that could not be written, before anything is scored.

    Args:
        targets: files by the option that names them; ``-`` is standard output.
        operands: what is read; none of that is overwritten.

    Returns:
        Those that are asked for.

    Raises:
        UsageError: if one is no file in a folder that is there, or one of the operands.
    """
    requested = {name: target for name, target in targets.items() if target is not None}
    for name, target in requested.items():
        if target != STDOUT:
            _check(name, target, operands)
    return requested


def _check(name: str, target: str, operands: Operands) -> None:
    path = Path(target)
    if path.is_dir() or (path.exists() and not path.is_file()):
        raise UsageError(f"{name} {target} is not a file; - is standard output")
    if not path.parent.is_dir():
        raise UsageError(f"{name} {target}: no directory {path.parent}")
    for file in _read(operands):
        if path.exists() and os.path.exists(file) and os.path.samefile(path, file):
            raise UsageError(f"{name} {target}: that is {file}, which is scored")


def _read(operands: Operands) -> Iterator[str]:
    """The files that operands are."""
    if operands.store:
        yield operands.store.removeprefix("sqlite:///")
        return
    from graphscore.formats import expand

    for operand in (*operands.golds, *operands.systems):
        if operand != STDOUT:
            yield from expand(operand)


def put(target: str, content: bytes) -> None:
    """Write a file whole or not at all; ``-`` is standard output.

    Args:
        target: the file; one that is there is replaced as a whole.
        content: what is written.

    Raises:
        GraphscoreError: if it cannot be written.
    """
    from graphscore.files import replacing, to_stdout

    with to_stdout() if target == STDOUT else replacing(target) as write:
        write(content)


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
    put(target, rendered(chart, target))


class ShowOptions(Among):
    """Options of the output of an item: tables, pictures, a page, or a tree."""

    svg: str | None = option(
        "--svg",
        metavar="FILE",
        type=FILE,
        help="Draw the item into FILE (- is stdout).",
    )
    html: str | None = option(
        "--html",
        metavar="FILE",
        type=FILE,
        help="Write a page with pictures and errors.",
    )
    file: str | None = output_option()
    fold: bool = option(
        "--fold",
        default=False,
        is_flag=True,
        needs=["svg", "html", "file"],
        help="Hide matched parts, except next to errors.",
    )
    explain: bool = option(
        "--explain",
        default=False,
        is_flag=True,
        excludes=["svg", "html", "file", "fold"],
        help="Explain the scores of several metrics as a tree.",
    )

    def write(self, comparisons: Sequence[Comparison]) -> None:
        """Write the pictures and the page of an item.

        Args:
            comparisons: gold beside system, for every framework that the item has.
        """
        # Files and stores may have an item's frameworks in another order: one for both.
        pairs = sorted(
            comparisons, key=lambda pair: (pair.gold.framework, pair.gold.layer)
        )
        if self.svg is not None:
            from graphscore.drawing.choice import draw
            from graphscore.drawing.svg import stacked
            from graphscore.report.item_view.comparison_styles import sides_of

            pictures = [draw(sides_of(pair), self.fold) for pair in pairs]
            put(self.svg, stacked(pictures).encode())
        if self.html is not None:
            from graphscore.report.page.single import item_page

            put(self.html, item_page(pairs, fold=self.fold).encode())


def draw_hits(hits: Sequence[Hit], target: str) -> None:
    """Write the pictures of hits, below each other; ``-`` is standard output.

    Args:
        hits: what a pattern found.
        target: the file.
    """
    from graphscore.drawing.svg import stacked

    put(target, stacked([hit.picture for hit in hits]).encode())


def write_hits(pattern: str, hits: Sequence[Hit], every: int, target: str) -> None:
    """Write the page of hits; ``-`` is standard output.

    Args:
        pattern: what was looked for.
        hits: those that are shown.
        every: how many there are.
        target: the file.
    """
    from graphscore.report.page.hits import hits_page

    put(target, hits_page(pattern, hits, every).encode())
