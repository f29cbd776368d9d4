"""``compare`` with two golds: what moved because gold was changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from graphscore.cli.comparing import ComparingOptions
from graphscore.cli.operands import (
    FileOperands,
    StoreOperands,
    collection_names,
    fill,
    resolve,
)
from graphscore.cli.options import ReadingOptions, Scoring
from graphscore.cli.output import Output, write_csv
from graphscore.cli.scoring import exit_code, score_each, talk
from graphscore.errors import StoreError, UsageError
from graphscore.store.detect import is_store

if TYPE_CHECKING:
    from graphscore.evaluation.options import Options
    from graphscore.evaluation.stored import Store
    from graphscore.metrics.base import Metric
    from graphscore.statistics.goldchanged import GoldChange


class Held(NamedTuple):
    """Where both golds and the systems are."""

    store: str
    golds: tuple[str, ...]
    systems: tuple[str, ...]


def compare_golds(
    operands: Sequence[str],
    golds: Sequence[str],
    systems: Sequence[str],
    metrics: list[Metric] | None,
    comparing: ComparingOptions,
    reading: ReadingOptions,
    options: Options,
    output: Output,
    *,
    strict: bool = False,
) -> int:
    """Score systems against both golds and print what moved.

    Args:
        operands: a store, or files of systems.
        golds: two collections, or two files.
        systems: collections; without, all that were scored against the first gold.
        metrics: what scores; ``None`` for the default metrics of what is there.
        comparing: figure, samples, seed, level.
        reading: how files are read.
        options: how.
        output: where to.
        strict: whether bad system records count.

    Returns:
        What the process ends with.

    Raises:
        UsageError: if something is missing or does not go together.
    """
    from graphscore.evaluation.stored import Store
    from graphscore.report.markup import joint_signature
    from graphscore.statistics.goldchanges import held_against

    asked = comparing.asked()
    _refuse_others(golds, comparing)
    with _held(operands, golds, systems, reading, options, output, strict) as held:
        scored = [
            score_each(
                StoreOperands(held.store, gold, held.systems),
                metrics,
                options,
                output,
                only_new=True,
            )
            for gold in held.golds
        ]
        with Store(held.store) as store:
            found, notes = held_against(
                store,
                held.golds,
                held.systems,
                *scored,
                figure=asked.figure,
                over=asked.over,
                samples=asked.samples,
                seed=asked.seed,
                level=asked.level,
            )
    results = [each for side in scored for mine in side for each in mine]
    signature = joint_signature(each.signature for each in results)
    for to in output.audiences():
        _print(found, comparing.top, signature, to)
    talk(results, output)
    for note in dict.fromkeys((*notes, *(n for each in found for n in each.notes))):
        output.say(note)
    return exit_code(results, strict, False)


def _refuse_others(golds: Sequence[str], comparing: ComparingOptions) -> None:
    if len(golds) > 2:
        raise UsageError(
            f"--gold {' --gold '.join(golds)}: expected one, or the old and the new one"
        )
    if golds[0] == golds[1]:
        raise UsageError(f"--gold {golds[0]} twice: expected the old and the new one")
    for name in ("across", "by", "baseline", "better", "cluster", "worse"):
        if getattr(comparing, name):
            raise UsageError(f"--{name} goes with one --gold, not with two")


def _pairing(
    store: Store, golds: Sequence[str], options: Options, output: Output
) -> list[str]:
    """The collections that pair with either gold, where none was scored yet."""
    from graphscore.evaluation.collections import pairing_collections

    found = pairing_collections(store, golds, options)
    output.say(found.said(golds))
    return found.taken


@contextmanager
def _held(
    operands: Sequence[str],
    golds: Sequence[str],
    systems: Sequence[str],
    reading: ReadingOptions,
    options: Options,
    output: Output,
    strict: bool,
) -> Iterator[Held]:
    """A store that holds everything; files go into a temporary one."""
    from graphscore.evaluation.stored import Store

    first = operands[0]
    if is_store(first):
        if not systems:
            with Store(first) as store:
                made = store.evaluations()
                of_old = {each.system for each in made if each.gold == golds[0]}
                systems = sorted(of_old) or _pairing(store, golds, options, output)
        target = resolve(operands, golds[0], systems, reading, Scoring(), output)
        yield Held(first, tuple(golds), target.systems)
        return
    if systems:
        # Says what is wrong: there is no such store, or it is none.
        resolve(operands, golds[0], systems, reading, Scoring(), output)
    if not Path(first).exists() and not any(Path(gold).exists() for gold in golds):
        raise StoreError(f"{first}: no such store")
    old, new = golds
    names = collection_names(FileOperands(old, (new, *operands)))
    with TemporaryDirectory(prefix="graphscore-") as folder:
        path = str(Path(folder) / "scores.db")
        with Store(path, mode="create", say=output.say) as store:
            fill(store, FileOperands(old, ()), names[:1], reading, output)
            rest = FileOperands(new, tuple(operands))
            fill(store, rest, names[1:], reading, output, strict=strict)
        yield Held(path, tuple(names[:2]), tuple(names[2:]))


def _print(
    found: Sequence[GoldChange], top: int | None, signature: str, output: Output
) -> None:
    from graphscore.report.goldchanging import SHOWN, gold_tables
    from graphscore.report.markup import signed

    shape = output.shape
    values = (each.to_dict() for each in found)
    if shape == "table":
        most = SHOWN if top is None else top
        tables = (table for each in found for table in gold_tables(each, most))
        output.tables(signed(tables, signature))
    elif shape == "csv":
        rows = (row for each in found for row in each.tabular().rows)
        write_csv(found[0].tabular().columns, rows)
    elif shape == "jsonl":
        output.lines(values)
    else:
        output.value(found[0].to_dict() if len(found) == 1 else {"results": [*values]})
