"""Options of ``compare``, and its threshold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from graphscore.cli.bundles import Bundle, bundle, option
from graphscore.cli.operands import Operands, named_golds, open_store, resolve
from graphscore.cli.options import (
    Drawing,
    ReaderArguments,
    References,
    ScoringOptions,
    columns_in,
    names_in,
)
from graphscore.exceptions import UsageError
from graphscore.store.detect import is_store

if TYPE_CHECKING:
    from graphscore.cli.output import Output
    from graphscore.statistics.changes import Changes
    from graphscore.statistics.comparison import Comparison, PairTest
    from graphscore.statistics.comparisons import ComparisonOptions


def _level_of(_: click.Context, __: click.Parameter, text: str | None) -> float | None:
    """The value of ``--fail-if-worse``.

    Raises:
        UsageError: if it is no p-value.
    """
    if text is None:
        return None
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= 1:
        raise UsageError(
            f"--fail-if-worse {text!r}: expected a p-value above 0, at most 1; "
            "without one it goes after the operands"
        )
    return value


class CompareOptions(Bundle):
    """Options of a comparison: the score, the groups, and the confidence."""

    score: str = option(
        "--score",
        default="",
        metavar="SCORE",
        help="Select the score, e.g. edges.f1 or macro.  [default: the main score]",
    )
    by: str = option(
        "--by",
        default="",
        metavar="COLUMNS",
        help="Break scores down by these columns.",
    )
    over: str = option(
        "--over",
        default="",
        metavar="COLUMNS",
        help="Average macro scores over this.  [default: framework]",
    )
    cluster: str = option(
        "--cluster",
        default="",
        metavar="COLUMN",
        help="Resample whole documents.",
    )
    baseline: str = option(
        "--baseline",
        default="",
        metavar="NAME",
        help="Compare the other systems with this one.  [default: the first]",
    )
    top: int | None = option(
        "--top",
        type=click.IntRange(0),
        metavar="N",
        help="Show at most N rows.  [default: 5 in tables, all in JSON]",
    )
    better: bool = option(
        "--better",
        default=False,
        is_flag=True,
        help="Show only units that got better, and fixed errors.",
    )
    worse: bool = option(
        "--worse",
        default=False,
        is_flag=True,
        help="Show only units that got worse, and new errors.",
    )
    every: bool = option(
        "--all",
        default=False,
        is_flag=True,
        help="Add unchanged units to JSON.",
    )
    across: str = option(
        "--across",
        default="",
        metavar="frameworks|languages|layers",
        help="Compare in each framework too, over shared items.",
    )

    threshold: float | None = option(
        "--fail-if-worse",
        is_flag=False,
        flag_value="0.05",
        callback=_level_of,
        metavar="[P]",
        help="Exit 1 if a system is worse than the baseline (adjusted p < P).",
    )
    strict: bool = option(
        "--strict",
        default=False,
        is_flag=True,
        help="Exit 3 on a malformed system record.",
    )

    @property
    def changes(self) -> bool:
        """True if changes are requested: everything but ``--top 0``."""
        return self.top != 0

    @property
    def only_changes(self) -> bool:
        """True if rows are those of changes."""
        return self.better or self.worse or bool(self.top)

    def listed(self, comparison: Comparison) -> Comparison:
        """Return a comparison with the changes and units that JSON lists.

        Args:
            comparison: with all of them.
        """
        items = comparison.items
        if not self.every:
            items = tuple(item for item in items if len({*item.values}) > 1)
        return replace(
            comparison,
            items=items,
            groups=tuple(map(self.listed, comparison.groups)),
            changes=tuple(map(self.first, comparison.changes)),
        )

    def first(self, changes: Changes, top: int | None = None) -> Changes:
        """Select the requested changes.

        Args:
            changes: all of them.
            top: how many, where nobody says it; all without.
        """
        both = self.better == self.worse
        return changes.first(
            self.top or top, better=both or self.better, worse=both or self.worse
        )

    def asked(self, drawing: Drawing) -> ComparisonOptions:
        """The statistics' view of it.

        Args:
            drawing: how much is drawn at random.

        Raises:
            UsageError: if something is unknown or does not go together.
        """
        from graphscore.statistics.comparisons import ComparisonOptions

        return ComparisonOptions(
            self.score,
            columns_in(self.by),
            names_in(self.over),
            self.cluster,
            self.baseline,
            drawing.samples,
            drawing.seed,
            drawing.level,
            self.changes,
            self.across,
        )


comparing_options = bundle("comparing", CompareOptions)
"""Adds ``comparing``: a :class:`CompareOptions`."""


def resolve_compared(
    operands: Sequence[str],
    sides: References,
    reading: ReaderArguments,
    scoring: ScoringOptions,
    output: Output,
) -> Operands:
    """Tell files from a store, of which all scored systems are meant without names.

    Args:
        operands: what was typed.
        sides: ``--gold``, perhaps several times, and ``--system``.
        reading: how files would be read.
        scoring: what takes part, and how it pairs.
        output: is told which collections were found.

    Raises:
        UsageError: if something is missing or does not go together.
        StoreError: if collections of a store that is not there are named.
    """
    first = operands[0]
    golds: Sequence[str] = sides.gold
    systems: Sequence[str] = sides.systems
    if len(operands) == 1 and is_store(first) and not (golds and systems):
        from graphscore.evaluation.collection_selection import compared_collections

        # Of several references the first says which systems are meant.
        named = next(iter(named_golds(golds, first)), None)
        store = open_store(first)
        # Where nothing was scored yet, all that pair are meant.
        if store.evaluations() or named is None:
            only, systems = compared_collections(store, named, systems)
            sides = sides.changed(gold=golds or (only,), systems=tuple(systems))
    return resolve(operands, sides, reading, scoring, output, several="runs")


def worse_systems(comparisons: Iterable[Comparison], limit: float) -> Iterator[str]:
    """The systems that are worse than the baseline by test, a sentence each.

    Args:
        comparisons: of everything; slices are not looked at.
        limit: the adjusted p-value under which a difference counts.
    """
    for comparison, pair, baseline, system in _with_baseline(comparisons):
        p, difference = pair.p_adjusted, pair.difference
        if p is None or p >= limit or not difference:
            continue
        gained = difference if system == pair.a else -difference
        if (gained > 0) == comparison.lowest_best:
            yield (
                f"{system} ({comparison.metric}): {comparison.score} is worse than "
                f"that of {baseline} by {abs(gained):.6g}, p {p:.3g} under {limit:g}"
            )


def untested_systems(comparisons: Iterable[Comparison]) -> Iterator[str]:
    """The systems of which no test says anything, a sentence each.

    Args:
        comparisons: of everything.
    """
    for comparison, pair, baseline, system in _with_baseline(comparisons):
        if pair.p_adjusted is None:
            yield (
                f"{system} ({comparison.metric}): no test of {comparison.score} "
                f"against {baseline}, it does not fail"
            )


def _with_baseline(
    comparisons: Iterable[Comparison],
) -> Iterator[tuple[Comparison, PairTest, str, str]]:
    """Pairs with the baseline, its name, and the other system's."""
    for comparison in comparisons:
        baseline = comparison.baseline or comparison.systems[0].system
        for pair in comparison.pairs:
            if baseline in (pair.a, pair.b):
                yield (
                    comparison,
                    pair,
                    baseline,
                    pair.a if pair.b == baseline else pair.b,
                )
