"""``graphscore find --patterns``: systems scored by a file of patterns."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from graphscore.cli.operands import FileOperands, scored
from graphscore.errors import StoreError, UsageError
from graphscore.store.detect import is_store

if TYPE_CHECKING:
    from graphscore.cli.options import ReadingOptions, Scoring
    from graphscore.cli.output import Output
    from graphscore.find.phenomena.counting import ScoredPhenomena
    from graphscore.metrics.base import Metric


def print_phenomena(
    file: str,
    operands: Sequence[str],
    gold: str | None,
    systems: Sequence[str],
    metrics: Sequence[Metric] | None,
    framework: str | None,
    scoring: Scoring,
    reading: ReadingOptions,
    output: Output,
) -> None:
    """Score systems by the phenomena of a file, and print that.

    Args:
        file: its path, or the name of one that is shipped.
        operands: a store, or gold and systems.
        gold: the gold collection of a store.
        systems: its systems; without, all that were scored against gold.
        metrics: the metric, if one is named.
        framework: only graphs of this one.
        scoring: how files are scored.
        reading: how they are read.
        output: where it goes.

    Raises:
        UsageError: if the operands do not go together.
    """
    from graphscore.evaluation.stored import Store
    from graphscore.find.phenomena.reading import phenomena_of

    # What is wrong with the file is said before anything is scored.
    phenomena_of(file)
    first = operands[0]
    if is_store(first):
        if len(operands) > 1:
            raise UsageError(
                f"{first} is a store: name collections with --gold and --system, "
                f"not {operands[1]!r}; --patterns stands for the pattern"
            )
        if reading.given:
            raise UsageError(
                "--format and --document tell how a file is read; "
                f"{first} is a store, give them to ingest"
            )
        metric = str(metrics[0]) if metrics else None
        with Store(first) as store:
            _print(
                store.phenomena(
                    *(file,),
                    gold=gold,
                    systems=systems,
                    metric=metric,
                    framework=framework,
                ),
                output,
            )
        return
    if gold is not None or systems:
        if not Path(first).exists():
            raise StoreError(f"{first}: no such store")
        raise UsageError(
            f"--gold and --system name collections of a store; {first} is not one"
        )
    if len(operands) < 2:
        raise UsageError(
            f"nothing to compare {first} with: give GOLD and SYSTEM, "
            "--patterns stands for the pattern"
        )
    both = FileOperands(first, tuple(operands[1:]))
    options = scoring.options(reading, details=True)
    with scored(both, reading, metrics, options, output) as (store, name, made):
        names = dict.fromkeys(str(choice.metric) for _, choice in made)
        if len(names) > 1:
            raise UsageError(
                "several metrics score these files, expected -m with one of: "
                f"{', '.join(names)}"
            )
        output.say_chosen([(made[0][1].metric, made[0][1].because)])
        found = store.phenomena(
            file,
            gold=name,
            systems=[system for system, _ in made],
            metric=next(iter(names)),
            framework=framework,
        )
        _print(found, output)


def _print(found: ScoredPhenomena, output: Output) -> None:
    from graphscore.report.showing.phenomena import (
        ROW,
        phenomenon_rows,
        phenomenon_tables,
    )

    for each in output.audiences():
        if each.shape == "table":
            each.tables(phenomenon_tables(found))
        elif each.shape == "json":
            each.value(found.to_dict())
        else:
            each.rows(ROW, phenomenon_rows(found))
