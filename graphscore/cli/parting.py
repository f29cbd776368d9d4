"""``graphscore score --part``: one part of a score, whose sums go into a file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
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

    def asked(self) -> tuple[int, int] | None:
        """The number of the part and of all of them; ``None`` where none is asked for.

        Raises:
            UsageError: for what does not go together, or a part that there is not.
        """
        if self.part is None:
            for name in ("sums", "units"):
                if getattr(self, name):
                    raise UsageError(f"--{name} goes with --part")
            return None
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
)
"""Adds ``parting``: a :class:`PartOptions`."""


def _refuse_others(option: str) -> None:
    """Raise if options are given that do not go with parts, saying why."""
    context = click.get_current_context()
    typed = {
        each.name: max(each.opts, key=len)
        for each in context.command.params
        if isinstance(each, click.Option)
    }
    for name, why in _APART.items():
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            shown = typed.get(name, name)
            if name == "mode":
                shown = f"--{context.params['mode']}"
            raise UsageError(f"{shown} goes without {option}: {why}")


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
    if not isinstance(target, FileOperands):
        raise UsageError(f"--part is for files: {_STORE}")
    if target.others:
        raise UsageError(
            "several references go without --part: what is best of an item is chosen "
            "among the results of all"
        )
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
