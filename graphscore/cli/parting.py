"""``graphscore score --part``: one part of a score, whose sums go into a file."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from graphscore.cli.operands import FileOperands, Operands
from graphscore.cli.options import bundle
from graphscore.cli.output import Output
from graphscore.cli.pictures import check_target
from graphscore.cli.verb import FILE
from graphscore.errors import UsageError

if TYPE_CHECKING:
    from graphscore.evaluation.options import Options
    from graphscore.evaluation.parting.sums import Sums
    from graphscore.metrics.base import Metric

_PART = re.compile(r"([0-9]{1,9})/([0-9]{1,9})")

_SHOWN = "merge shows what all parts found: give it there"
_STORE = "a store keeps what it has scored, and goes on from there"
_SEARCHED = "a pattern is searched in a store of everything"
_SWEPT = "name the metric with its values instead, as -m 'ner(overlap=0.5),ner'"

_APART = {
    **dict.fromkeys(("by", "per_item", "score_only", "gates", "ceilings"), _SHOWN),
    **dict.fromkeys(("rank", "strict", "plot", "figure"), _SHOWN),
    **dict.fromkeys(("ci", "samples", "seed", "level", "cluster"), _SHOWN),
    **dict.fromkeys(("mode", "summary", "places", "width"), _SHOWN),
    **dict.fromkeys(("save", "replace"), _STORE),
    **dict.fromkeys(("where", "within"), _SEARCHED),
    "sweep": _SWEPT,
    "references": "what is best of an item is chosen among the results of all",
}
"""Options that do not go with parts, and why."""


@dataclass(frozen=True)
class PartOptions:
    """Which part is scored, and where its sums go."""

    part: str | None = None
    sums: str | None = None
    units: bool = False
    split: str | None = None
    parts: int | None = None

    @property
    def given(self) -> bool:
        """Whether any of it was said."""
        return self != PartOptions()

    def splits(self) -> bool:
        """Whether parts are written as files.

        Raises:
            UsageError: for what does not go together.
        """
        if self.split is None:
            if self.parts is not None:
                raise UsageError("--parts goes with --split")
            return False
        for name in ("part", "sums", "units"):
            if getattr(self, name):
                raise UsageError(f"--{name} goes without --split")
        if self.parts is None:
            raise UsageError(f"--split {self.split} goes with --parts N")
        _refuse_others("--split")
        return True

    def asked(self) -> tuple[int, int]:
        """The number of the part and of all of them.

        Raises:
            UsageError: for what does not go together, or a part that there is not.
        """
        if self.part is None:
            name = "sums" if self.sums is not None else "units"
            raise UsageError(f"--{name} goes with --part")
        found = _PART.fullmatch(self.part)
        if found is None or not 1 <= int(found[1]) <= int(found[2]):
            raise UsageError(
                f"--part {self.part}: expected K/N, part K of N, as in 3/8"
            )
        if self.sums is None:
            raise UsageError(
                f"--part {self.part} goes with --sums FILE, where merge finds its sums"
            )
        _refuse_others("--part")
        return int(found[1]), int(found[2])


part_options = bundle(
    "parting",
    PartOptions,
    click.option(
        "--part",
        metavar="K/N",
        help="Score part K of N only, as on one of many machines; see the verb merge.",
    ),
    click.option(
        "--sums",
        type=FILE,
        metavar="FILE",
        help="With --part: write what merge adds there (.gz compresses).",
    ),
    click.option(
        "--units",
        is_flag=True,
        help="With --part: keep the results of items, for --ci and --per-item of "
        "merge.",
    ),
    click.option(
        "--split",
        type=FILE,
        metavar="DIR",
        help="Score nothing, but write parts there as files, for score DIR --part K/N.",
    ),
    click.option(
        "--parts",
        type=click.IntRange(1),
        metavar="N",
        help="With --split: how many parts.",
    ),
)
"""Adds ``parting``: a :class:`PartOptions`."""


_SPLIT = (
    *("pair", "ids", "limit", "time_limit", "framework", "language", "only_item"),
    *("layer", "format", "gold_format", "system_format", "document", "document_map"),
    *("text", "framework_of_file", "inventory"),
)
"""Options that are given when files are split."""


def _refuse_others(
    option: str, others: Mapping[str, str] = MappingProxyType(_APART)
) -> None:
    """Raise if options are given that do not go with parts, saying why."""
    context = click.get_current_context()
    typed = {
        each.name: max(each.opts, key=len)
        for each in context.command.params
        if isinstance(each, click.Option)
    }
    for name, why in others.items():
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            shown = typed.get(name, name)
            if name == "mode":
                shown = f"--{context.params['mode']}"
            raise UsageError(f"{shown} goes without {option}: {why}")


def score_parts(
    operands: Sequence[str],
    sides: Callable[..., Operands],
    metrics: Sequence[Metric] | None,
    options: Options,
    parting: PartOptions,
    output: Output,
) -> None:
    """Score a part and write its sums, or write parts as files.

    Args:
        operands: what was typed.
        sides: says what they mean.
        metrics: what to score with; ``None`` for the default metrics of what is there.
        options: how.
        parting: what is asked for.
        output: is told how it went.

    Raises:
        UsageError: for what has no parts, or does not go with them.
    """
    from graphscore.evaluation.parting.splitting import is_split

    if parting.splits():
        split_files(sides(several=True), metrics, options, parting, output)
        return
    part = parting.asked()
    if len(operands) == 1 and is_split(operands[0]):
        jobs = options.jobs
        score_part_of_split(operands[0], metrics, jobs, part, parting, output)
    else:
        target = sides(several=True)
        score_part_of(target, metrics, options, part, parting, output)


def score_part_of(
    target: Operands,
    metrics: Sequence[Metric] | None,
    options: Options,
    part: tuple[int, int],
    parting: PartOptions,
    output: Output,
) -> None:
    """Score a part of every system, and write its sums.

    Args:
        target: what is scored.
        metrics: what to score with; ``None`` for the default metrics of what is there.
        options: how.
        part: its number, and how many there are.
        parting: where the sums go, and what they hold.
        output: is told how it went.

    Raises:
        UsageError: for what has no parts.
    """
    target = _files(target, "--part")
    assert parting.sums is not None
    check_target("--sums", parting.sums, target)
    from graphscore.evaluation.parting.encoding import written_metric
    from graphscore.evaluation.parting.scoring import score_part
    from graphscore.evaluation.parting.sums import beside
    from graphscore.evaluation.tasks import executor_for
    from graphscore.formats.streams import held_streams

    for metric in metrics or ():
        written_metric(metric)
    with held_streams(len(target.systems) > 1), executor_for(options.jobs) as pool:
        found = beside(
            [
                score_part(
                    target.gold,
                    system,
                    metrics,
                    options,
                    part=part,
                    units=parting.units,
                    executor=pool,
                )
                for system in target.systems
            ]
        )
    _keep(found, part, parting, output)


def score_part_of_split(
    folder: str,
    metrics: Sequence[Metric] | None,
    jobs: int,
    part: tuple[int, int],
    parting: PartOptions,
    output: Output,
) -> None:
    """Score a part of what was split, and write its sums.

    Args:
        folder: what ``--split`` wrote.
        metrics: some of those that it was split for; ``None`` for all.
        jobs: worker processes.
        part: its number, and how many there are.
        parting: where the sums go, and what they hold.
        output: is told how it went.

    Raises:
        UsageError: for what was to be said when it was split.
    """
    said = f"it was given, or not, when {folder} was split"
    _refuse_others("a folder of parts", dict.fromkeys(_SPLIT, said))
    assert parting.sums is not None
    check_target("--sums", parting.sums, FileOperands(folder, ()))
    if Path(parting.sums).resolve().parent == Path(folder).resolve():
        raise UsageError(
            f"--sums {parting.sums}: {folder} holds what is scored; name a file "
            "elsewhere"
        )
    from graphscore.evaluation.parting.splitting import score_split

    units = parting.units
    found = score_split(folder, metrics, part=part, units=units, jobs=jobs)
    _keep(found, part, parting, output)


def split_files(
    target: Operands,
    metrics: Sequence[Metric] | None,
    options: Options,
    parting: PartOptions,
    output: Output,
) -> None:
    """Write the parts of all systems as files.

    Args:
        target: what is split.
        metrics: what it can be scored with; ``None`` for the default metrics.
        options: how.
        parting: where to, and how many parts.
        output: is told how it went.

    Raises:
        UsageError: for what has no parts.
    """
    target = _files(target, "--split")
    assert parting.split is not None
    assert parting.parts is not None
    from graphscore.evaluation.parting.splitting import split
    from graphscore.formats.streams import held_streams

    with held_streams(len(target.systems) > 1):
        found = split(
            target.gold,
            target.systems,
            metrics,
            options,
            folder=parting.split,
            parts=parting.parts,
        )
    for mine in found.systems:
        for each in mine:
            output.say(
                f"{each.findings.system} ({each.metric}): {each.findings.pairs} pairs "
                f"in {parting.parts} parts in {parting.split}"
            )


def _files(target: Operands, option: str) -> FileOperands:
    """Operands, if they can be parted.

    Raises:
        UsageError: if not, saying why.
    """
    if not isinstance(target, FileOperands):
        raise UsageError(f"{option} is for files: {_STORE}")
    if target.others:
        raise UsageError(
            f"several references go without {option}: what is best of an item is "
            "chosen among the results of all"
        )
    return target


def _keep(
    found: Sums, part: tuple[int, int], parting: PartOptions, output: Output
) -> None:
    """Write the sums of a part, and say how much it has."""
    assert parting.sums is not None
    write_sums(found, parting.sums)
    for mine in found.systems:
        for each in mine:
            output.say(
                f"{each.findings.system} ({each.metric}): part {part[0]}/{part[1]} has "
                f"{each.compared} of {each.findings.pairs} pairs"
            )


def write_sums(sums: Sums, target: str) -> None:
    """Write sums as a whole or not at all."""
    from graphscore.cli.files import replacing
    from graphscore.evaluation.parting.encoding import encoded

    raw = encoded(sums)
    with replacing(Path(target)) as write:
        write(raw)
