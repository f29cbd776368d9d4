"""``graphscore find``."""

from __future__ import annotations

import click

from graphscore.cli.bundles import bundle
from graphscore.cli.command import FILE, Command
from graphscore.cli.finding import (
    TOP,
    FindOptions,
    draw,
    files_and_pattern,
    operands_of,
    search_target,
    stream,
)
from graphscore.cli.options import (
    ReaderArguments,
    ScoringOptions,
    Sides,
    output_options,
    sides_reading_options,
    work_options,
)
from graphscore.cli.output import Output, echo
from graphscore.cli.plots import HTML, SVG, check_targets, place_output
from graphscore.exceptions import amount


@click.command("find", cls=Command)
@click.argument(
    "operands",
    type=FILE,
    nargs=-1,
    required=True,
    metavar="STORE | GOLD [SYSTEM] PATTERN",
)
@bundle(
    "sides",
    Sides,
    help={
        "systems": "Select the system collection of a store.",
        "metric_names": "Select a metric or formula.  [default: by what there "
        "is to "
        "score]",
    },
)
@bundle("request", FindOptions)
@work_options
@sides_reading_options
@output_options
def command(
    operands: tuple[str, ...],
    sides: Sides,
    request: FindOptions,
    scoring: ScoringOptions,
    reading: ReaderArguments,
    output: Output,
) -> None:
    """Search graphs and errors by graph pattern.

    Searches the collections of a store, or files.  Files are scored first if the
    pattern compares gold and system.

    Examples:
      graphscore find gold.mrp 'pattern { X -[ARG1]-> Y } without { * -[BV]-> Y }'
      graphscore find gold.mrp system.mrp 'pattern { missing(V -[ARG2]-> A) }'
      graphscore find runs.db 'gold { V -[ARG2]-> A } system { V -[ARG1]-> A }'
      graphscore find gold.mrp 'pattern { X -[ARG1]-> Y }' --html hits.html
    """
    from graphscore.find.grammar import parse
    from graphscore.find.scope import scope_of
    from graphscore.report.item_view.hit_pictures import drawn_hits
    from graphscore.report.item_view.hits import HitListing

    request = place_output(request, svg=SVG, html=HTML)
    files, source = files_and_pattern(operands)
    pictures = check_targets(
        {"--svg": request.svg, "--html": request.html}, operands_of(files)
    )
    scope, keys = scope_of(parse(source)), request.keys()
    sought = sides, request.in_scope
    store, question = search_target(files, scope, sought, scoring, reading, output)
    question |= request.filters()
    table = output.shape == "table" or request.show or bool(pictures)
    across = table and bool(keys) and not request.show
    listed = not request.count and not across
    # Without a number there may be more hits than fit into memory.
    kept = output.summary is not None or (keys and output.shape != "json")
    streamed = listed and request.top is None and not table and not kept
    hits = store.find(
        scope.pattern,
        by=keys,
        # A table is cut when all groups are there, which may go across.
        top=None if across else request.top or (TOP if table else None),
        items=listed and not streamed,
        **question,
    )
    if request.show:
        for line in drawn_hits(store, hits):
            echo(line)
    elif pictures:
        draw(store, hits, str(scope.pattern), pictures, output)
    elif streamed:
        stream(store, scope, hits, question, output)
    else:
        shown = HitListing(hits, keys, request.count)
        output.show(
            tables=lambda _: shown.tables(request.top or TOP),
            rows=shown.rows,
            lines=None if keys or request.count else lambda: hits.items,
            value=shown.to_dict,
        )
    first = len(hits.items)
    more = f", the first {first:,} shown" if 0 < first < hits.hits else ""
    output.say(f"{amount(hits.hits, 'hit')}{more}")
    for remark in hits.remarks:
        output.say(remark)
    if request.sql:
        output.beneath(f"{hits.sql};")
