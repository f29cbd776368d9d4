"""``graphscore agree``."""

from __future__ import annotations

import click

from graphscore.cli.bundles import bundle
from graphscore.cli.command import FILE, Command
from graphscore.cli.options import (
    Drawing,
    ReaderArguments,
    ScoringOptions,
    Sides,
    drawing_options,
    output_options,
    reading_options,
)
from graphscore.cli.output import Output, alone_or
from graphscore.cli.progress import progress
from graphscore.cli.scoring import UNPROVEN
from graphscore.cli.stores import annotators


@click.command("agree", cls=Command)
@click.argument(
    "operands",
    type=FILE,
    nargs=-1,
    required=True,
    metavar="ANN1 [ANN2]... | STORE [NAME]...",
)
@bundle(
    "sides",
    Sides,
    ("gold",),
    help={"systems": "Select a collection of a store (repeatable)."},
)
@click.option(
    "--score",
    default="",
    metavar="SCORE",
    help="Select the score, e.g. edges.f1 or macro.  [default: the main score]",
)
@drawing_options
@click.option(
    "--chance",
    type=click.IntRange(0),
    default=200,
    show_default=True,
    metavar="N",
    help="Score N pairs of different items for alpha (0: no alpha).",
)
@click.option(
    "--top",
    type=click.IntRange(0),
    metavar="N",
    help="Show at most N rows.  [default: 5 in tables, all in JSON]",
)
@bundle("scoring", ScoringOptions, ("pair", "ids"))
@reading_options
@output_options
def command(
    operands: tuple[str, ...],
    sides: Sides,
    score: str,
    drawing: Drawing,
    chance: int,
    top: int | None,
    scoring: ScoringOptions,
    reading: ReaderArguments,
    output: Output,
) -> None:
    """Measure inter-annotator agreement.

    The operands are files of two or more annotators, or a STORE and names of its
    collections; or a single one of these whose layers are annotators (Label Studio,
    rows of spans), of which --layer selects some.  Each pair of annotators is scored
    in both directions, over the items that both annotated.  Alpha is agreement
    beyond chance (Krippendorff), with 1 minus the score as distance.

    Examples:
      graphscore agree ann.mrp ben.mrp eve.mrp -m smatch
      graphscore agree ann.conllu ben.conllu -m las --chance 500
      graphscore agree runs.db ann ben eve -m mrp --json
      graphscore agree tasks.json -m ner --layer ann --layer ben

    Exit codes: 0 done, 2 wrong usage, 3 bad input or nothing paired, 4 done but some
    pairs are unproven, 5 a defect of graphscore.
    """
    from graphscore.report.agreement import SHOWN, agreement_tables
    from graphscore.statistics.agreement.annotators import agreements
    from graphscore.statistics.agreement.result import COLUMNS, AgreementOptions

    metrics = sides.metrics()
    agreement_options = AgreementOptions(
        score, drawing.samples, drawing.seed, drawing.level, chance
    )
    agreement_options.check()
    options = scoring.options(reading, per_item=True, parts=True)
    store, names = annotators(operands, sides, metrics, options, reading, output)
    with progress(output, "scoring") as update:
        agreed = agreements(
            store, names, metrics, agreement_options, options, names, update
        )
    values = [agreement.to_dict() for agreement in agreed]
    for value in [] if top is None else values:
        value["documents"] = value["documents"][:top]
    output.show(
        tables=lambda _: [
            table
            for agreement in agreed
            for table in agreement_tables(agreement, SHOWN if top is None else top)
        ],
        rows=lambda: (
            COLUMNS,
            [row for agreement in agreed for row in agreement.tabular().rows],
        ),
        lines=lambda: values,
        value=lambda: alone_or(values, "results"),
    )
    for note in dict.fromkeys(note for agreement in agreed for note in agreement.notes):
        output.say(note)
    unproven = any(agreement.unproven for agreement in agreed)
    click.get_current_context().exit(UNPROVEN if unproven else 0)
