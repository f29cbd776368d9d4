"""The scores of results, as ``score`` prints them."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from graphscore.cli.bundles import Bundle, bundle, option
from graphscore.cli.command import FILE
from graphscore.cli.error_handling import print_error
from graphscore.cli.options import chosen_groups
from graphscore.cli.output import Output, echo
from graphscore.cli.scoring import exit_code
from graphscore.evaluation.rows.thresholds import (
    Threshold,
    failures,
    threshold,
    unchecked_results,
)
from graphscore.exceptions import UsageError

if TYPE_CHECKING:
    from graphscore.evaluation.result import Result
    from graphscore.report.ranking import Ranking
    from graphscore.report.table import Table


def _lines_of(results: Sequence[Result]) -> Iterator[list[str]]:
    """Yield the lines of ``--score-only``: numbers, after the names of several systems.

    Args:
        results: what was scored.

    Yields:
        Where there are several systems the name of one, and that of the metric if
        there are several; then :func:`_only`.
    """
    from graphscore.report.table import one_line

    several = len({result.system for result in results}) > 1
    metrics = several and len({str(result.metric) for result in results}) > 1
    for result in results:
        names = [one_line(result.system)] * several + [str(result.metric)] * metrics
        yield [*names, *map(repr, _only(result))]


def _print_lines(results: Sequence[Result], score_only: bool) -> None:
    """Print lines instead of tables: those of ``--score-only``, or brief ones."""
    if score_only:
        for cells in _lines_of(results):
            click.echo("\t".join(cells))
    else:
        for line in _brief_lines(results):
            echo(line)


def _brief_lines(results: Sequence[Result]) -> Iterator[str]:
    """Return a line per system: the score that each metric is ranked by, from 0 to 1.

    Args:
        results: what was scored.
    """
    from graphscore.report.table import one_line

    scores: dict[str, list[str]] = {}
    for result in results:
        value, *bounds = (
            "-" if math.isnan(number) else f"{number:.6g}" for number in _only(result)
        )
        interval = f" [{', '.join(bounds)}]" if bounds[1:] else ""
        if len(result.runs) > 1 and len(bounds) == 1:
            interval = f" ± {bounds[0]}"
        score = f"{result.metric} {result.metric.leading or 'F1'} {value}{interval}"
        scores.setdefault(result.system, []).append(score)
    for system, texts in scores.items():
        yield f"{one_line(system)}: {', '.join(texts)}"


def _only(result: Result) -> tuple[float, ...]:
    """Return the main score of a result, and its interval where requested."""
    if result.intervals is None:
        return (result.value,)
    ends = result.intervals.whole.value
    return (result.value, *(math.nan if end is None else end for end in ends))


def ranked_by(text: str, systems: int, shape: str) -> tuple[str, ...]:
    """The scores that ``--rank`` names.

    Args:
        text: what was typed.
        systems: how many there are.
        shape: what is printed.

    Raises:
        UsageError: if nothing is named, or nothing could be ranked or shown.
    """
    names = tuple(name.strip() for name in text.split(","))
    if not all(names):
        raise UsageError(f"--rank {text!r}: expected scores, with commas")
    if systems < 2:
        raise UsageError(f"--rank {text}: there is one system; name several")
    if shape not in ("table", "json", "csv", "jsonl"):
        raise UsageError(
            "--rank goes with --table, --markdown, --latex, --json, --jsonl and --csv, "
            f"not with --{shape}"
        )
    return names


def _rank(
    results: Sequence[Result], rank: tuple[str, ...], by: tuple[str, ...]
) -> list[Ranking]:
    """The rankings of several systems, by the scores that are named or the main."""
    if len({result.system for result in results}) < 2:
        return []
    from graphscore.evaluation.rows.scores import group_columns
    from graphscore.report.ranking import rankings_of

    return rankings_of(results, rank, group_columns(by))


class ScoreOptions(Bundle):
    """Options of tables of scores, and of their baseline."""

    by: str = option(
        "--by",
        default="framework",
        show_default=True,
        metavar="COLUMNS",
        help="Break scores down by these columns.",
    )
    per_item: bool = option(
        "--per-item", default=False, is_flag=True, help="Add the result of every item."
    )
    score_only: bool = option(
        "--score-only",
        default=False,
        is_flag=True,
        help="Print only the main score, from 0 to 1.",
    )
    thresholds: tuple[str, ...] = option(
        "--fail-under",
        default=(),
        multiple=True,
        metavar="[SCORE=]X",
        help="Exit 1 if a score is below X.",
    )
    ceilings: tuple[str, ...] = option(
        "--fail-over",
        default=(),
        multiple=True,
        metavar="[SCORE=]X",
        help="Exit 1 if a score is above X.",
    )
    rank: str | None = option(
        "--rank",
        metavar="SCORES",
        help="Rank systems by these scores: edges.f1,all.f1...",
    )
    ranking: str | None = option(
        "--ranking",
        type=FILE,
        metavar="RULES",
        help="Rank the systems of a STORE by the rules of a TOML file.",
    )
    pool: bool = option(
        "--pool",
        default=False,
        is_flag=True,
        help="Score the files of directories as one corpus.",
    )
    strict: bool = option(
        "--strict",
        default=False,
        is_flag=True,
        help="Exit 3 on a malformed system record.",
    )

    @property
    def by_file(self) -> bool:
        """True if directories may be scored file by file."""
        return not self.pool and self.by == "framework"

    def limits(self) -> list[Threshold]:
        """The thresholds that were typed.

        Raises:
            UsageError: if one is none.
        """
        under = [threshold("--fail-under", text) for text in self.thresholds]
        return under + [threshold("--fail-over", text) for text in self.ceilings]

    def ranks(self, systems: int, shape: str) -> tuple[str, ...]:
        """The scores that systems are ranked by; none without ``--rank``.

        Args:
            systems: how many there are.
            shape: what is printed, unless it is the score alone.
        """
        if self.rank is None:
            return ()
        return ranked_by(self.rank, systems, "score-only" if self.score_only else shape)

    def failures(
        self, results: Sequence[Result], limits: Sequence[Threshold], output: Output
    ) -> list[str]:
        """Return the messages about thresholds that fail.

        Args:
            results: everything that was scored.
            limits: the thresholds.
            output: where scores go.
        """
        if not limits:
            return []
        over = tuple(name for name in chosen_groups(self.by) if name != "tuple_type")
        numbers = self.score_only or self.is_brief(output)
        in_tables = not numbers and output.shape == "table"
        return failures(results, limits, over, output.decimals if in_tables else None)

    def show(
        self,
        results: Sequence[Result],
        rank: tuple[str, ...],
        output: Output,
        boards: Sequence[Table] = (),
    ) -> None:
        """Print the scores in the shape that was asked for.

        Args:
            results: what was scored.
            rank: the scores by which systems are ranked.
            output: where to.
            boards: leaderboards, which stand for the other tables.
        """
        if self.ranking is not None:
            [ranking] = boards
            names = [column.name for column in ranking.columns]
            output.show(
                tables=lambda _: [ranking],
                rows=lambda: (names, ranking.rows),
                lines=lambda: ranking.records_of(),
                value=lambda: {
                    "ranking": [*ranking.records_of()],
                    "rules": ranking.notes,
                },
            )
            return
        by, per_item = chosen_groups(self.by), self.per_item
        if output.summary is not None:
            for to in output.audiences():
                alone = self.score_only and to.appended_to is None
                self.changed(score_only=alone).show(results, rank, to, boards)
            return
        if self.score_only or self.is_brief(output):
            _print_lines(results, self.score_only)
            return
        shape = output.shape
        if shape == "table":
            from graphscore.report.score_tables import left_out, score_tables

            settings = {"per_item": per_item, "verbose": output.verbose}
            alone = bool(boards) and not (rank or per_item or output.verbose)
            tables = [] if alone else score_tables(results, by, rank=rank, **settings)
            output.tables([*boards, *tables])
            if output.appended_to is None and left_out(results, by, **settings):
                several = len({result.system for result in results}) > 1
                output.say(
                    f"-v adds the tables of each {'system' if several else 'metric'}"
                )
        elif rank and shape in ("csv", "jsonl"):
            from graphscore.report.ranking import COLUMNS

            order = _rank(results, rank, by)
            output.rows(COLUMNS, [row for table in order for row in table.rows()])
        elif shape == "csv":
            from graphscore.evaluation.rows.scores import flat_columns, flat_rows

            rows = (
                row for result in results for row in flat_rows(result, by, per_item)
            )
            output.rows(flat_columns(by, per_item, results), rows)
        elif shape == "jsonl":
            for result in results:
                output.lines(nested_rows(result, by, per_item))
        elif len(results) == 1:
            output.value(results[0].to_dict(by, per_item))
        else:
            dicts = [
                {"gold": result.gold, "system": result.system}
                | result.to_dict(by, per_item)
                for result in results
            ]
            rankings = [ranking.to_dict() for ranking in _rank(results, rank, by)]
            ranked: dict[str, Any] = {"rankings": rankings} if rank else {}
            if rankings and not rank:
                ranked = {"ranking": rankings[0]}
            output.value({"results": dicts} | ranked)

    def is_brief(self, output: Output) -> bool:
        """Return True if a line per system is printed: quietly, or in a log of gates.

        Nothing that says what is printed may be asked for.
        """
        explicit = output.mode or self.score_only or self.per_item or self.rank
        gates = bool(self.thresholds or self.ceilings) and not sys.stdout.isatty()
        return not explicit and (output.quiet or gates)

    def end(
        self,
        results: Sequence[Result],
        limits: Sequence[Threshold],
        failed: Sequence[str],
        output: Output,
    ) -> None:
        """Say what thresholds found, and end the process with the code that is due.

        Args:
            results: everything that was scored.
            limits: the thresholds.
            failed: what :meth:`failures` gave.
            output: where remarks go.
        """
        if limits:
            for remark in unchecked_results(results):
                output.say(remark)
        for failure in failed:
            # What the exit code stands for is said even where nothing else is.
            print_error(failure)
        code = exit_code(results, self.strict, bool(failed))
        click.get_current_context().exit(code)


score_options = bundle("scores", ScoreOptions)
"""Adds ``scores``: a :class:`ScoreOptions`."""


def nested_rows(
    result: Result, by: Sequence[str], per_item: bool = False
) -> Iterator[dict[str, Any]]:
    """One value per slice, or per item, as in the JSON contract.

    Where gold has no unit there is one that says so.
    """
    whole = result.to_dict(by, per_item)
    named = ("metric", *(["signature"] if result.intervals else []))
    head = {"gold": result.gold, "system": result.system}
    head |= {name: whole[name] for name in named}
    if result.nothing:
        yield head | {name: whole[name] for name in ("pairs", "counts", "scores")}
    for row in whole["items"] if per_item else whole["groups"]:
        yield head | row
