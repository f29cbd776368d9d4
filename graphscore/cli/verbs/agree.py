"""``graphscore agree``."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import TYPE_CHECKING

import click

from graphscore.cli.bundles import bundle
from graphscore.cli.operands import (
    Asking,
    FileOperands,
    collection_names,
    fill,
    names_store,
    opened,
    temporary_store,
)
from graphscore.cli.options import (
    ReadingOptions,
    Scoring,
    Sides,
    level_option,
    output_options,
    reading_options,
    scoring_options,
    seed_option,
)
from graphscore.cli.output import Output, progress, write_csv
from graphscore.cli.scoring import UNPROVEN
from graphscore.cli.verb import FILE, Verb
from graphscore.errors import PairingError, UsageError

if TYPE_CHECKING:
    from graphscore.evaluation.options import Options
    from graphscore.evaluation.stored import Store
    from graphscore.metrics.base import Metric
    from graphscore.statistics.agreement.found import Agreement


_sides_options = bundle(
    "sides",
    Sides,
    ("gold",),
    help={"systems": "Collection of a store (repeatable), as the names behind it."},
)


@click.command("agree", cls=Verb)
@click.argument(
    "operands",
    type=FILE,
    nargs=-1,
    required=True,
    metavar="ANN1 ANN2 [ANN3]... | STORE [NAME]...",
)
@_sides_options
@click.option(
    "--figure",
    default="",
    metavar="FIGURE",
    help="Figure of a pair, as for --fail-under: edges.f1...  [default: what stands "
    "for the metric]",
)
@click.option(
    "--samples",
    type=click.IntRange(1),
    default=10_000,
    show_default=True,
    metavar="N",
    help="Bootstrap samples that are drawn.",
)
@seed_option
@level_option
@click.option(
    "--chance",
    type=click.IntRange(0),
    default=200,
    show_default=True,
    metavar="N",
    help="Pairs of annotations of different items that are scored for what alpha "
    "expects by chance; 0: no alpha.",
)
@click.option(
    "--top",
    type=click.IntRange(0),
    metavar="N",
    help="Show so many items or documents.  [default: 5 in tables, all in JSON]",
)
@scoring_options
@reading_options
@output_options
def command(
    operands: tuple[str, ...],
    sides: Sides,
    figure: str,
    samples: int,
    seed: int,
    level: float,
    chance: int,
    top: int | None,
    scoring: Scoring,
    reading: ReadingOptions,
    output: Output,
) -> None:
    """Say how far annotators agree; nobody is gold.

    The operands are files of two or more annotators, or a STORE and the names of its
    collections.  Every two are scored in both directions, over the items that both
    annotated.  Alpha is agreement beyond chance (Krippendorff), with one minus the
    score as distance.

    Examples:
      graphscore agree ann.mrp ben.mrp eve.mrp -m smatch
      graphscore agree ann.conllu ben.conllu -m las --chance 500
      graphscore agree runs.db ann ben eve -m mrp --json

    Exit codes: 0 done, 2 wrong usage, 3 bad input or nothing paired, 4 done but some
    pairs are unproven, 5 a defect of graphscore.
    """
    from graphscore.statistics.agreement.annotators import agreements
    from graphscore.statistics.agreement.wanted import Wanted

    if scoring.pair == "order" or scoring.ids is not None:
        raise UsageError(
            "annotators' items go by their ids: --pair and --ids do not apply"
        )
    metrics = sides.metrics()
    wanted = Wanted(figure, samples, seed, level, chance)
    wanted.check()
    options = scoring.options(reading, per_item=True, parts=True)
    store, names = _annotators(operands, sides, metrics, options, reading, output)
    with progress(output, "scoring") as update:
        agreed = agreements(store, names, metrics, wanted, options, names, update)
    for audience in output.audiences():
        _print(agreed, top, audience)
    for note in dict.fromkeys(note for each in agreed for note in each.notes):
        output.say(note)
    unproven = any(each.unproven for each in agreed)
    click.get_current_context().exit(UNPROVEN if unproven else 0)


def _annotators(
    operands: Sequence[str],
    sides: Sides,
    metrics: Sequence[Metric] | None,
    options: Options,
    reading: ReadingOptions,
    output: Output,
) -> tuple[Store, Sequence[str]]:
    """Return a store that holds all annotators, and their names in it."""
    first = operands[0]
    if names_store(
        operands[:1], reading, bool(sides.systems), "collections with --system"
    ):
        names = [*operands[1:], *sides.systems]
        store = opened(first, output=output)
        if len(names) < 2:
            raise UsageError(
                f"{first} is a store: name the collections of two or more "
                f"annotators behind it; {store.describe_holdings()}"
            )
        if not _is_there(store, names, metrics, options):
            store = opened(first, "write", output)
        return store, names
    if len(operands) < 2:
        raise UsageError(f"nothing to hold {first} against: give two annotators")
    from graphscore.formats.streams import refuse_repeated

    refuse_repeated(operands)
    files = FileOperands(first, tuple(operands[1:]))
    store, names = temporary_store(output), collection_names(files)
    # Nobody is gold: what is bad is refused, whoever's it is.
    fill(store, files, names, reading, output, strict=True)
    return store, names


def _is_there(
    store: Store,
    names: Sequence[str],
    metrics: Sequence[Metric] | None,
    options: Options,
) -> bool:
    """Whether every two are scored in both directions, of all that is there."""
    ask = Asking(metrics, options)
    try:
        return all(
            ask.current(store, a, ask.chosen(store, a, [b]))
            for a, b in permutations(names, 2)
        )
    except PairingError:
        # These two share nothing; that is said when the others are scored.
        return False


def _print(found: Sequence[Agreement], top: int | None, output: Output) -> None:
    from graphscore.report.agreeing import (
        SHOWN,
        agreement_tables,
    )
    from graphscore.statistics.agreement.found import COLUMNS

    shape = output.shape
    values = [each.to_dict() for each in found]
    if top is not None:
        for each in values:
            each["documents"] = each["documents"][:top]
    if shape == "table":
        most = SHOWN if top is None else top
        output.tables(table for each in found for table in agreement_tables(each, most))
        return
    if shape == "csv":
        rows = (row for each in found for row in each.tabular().rows)
        write_csv(COLUMNS, rows)
    elif shape == "jsonl":
        output.lines(values)
    elif len(values) == 1:
        output.value(values[0])
    else:
        output.value({"results": values})
