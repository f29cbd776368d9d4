"""``graphscore find``."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graphscore.cli.operands import (
    FileOperands,
    collection_names,
    fill,
    names_store,
    opened,
    scored,
    temporary_store,
)
from graphscore.cli.options import (
    ReadingOptions,
    Scoring,
    chosen_metrics,
    framework_option,
    gold_option,
    one_metric_option,
    output_options,
    sides_reading_options,
    work_options,
)
from graphscore.cli.output import Output, echo
from graphscore.cli.verb import FILE, Verb
from graphscore.errors import UsageError, amount

if TYPE_CHECKING:
    from graphscore.evaluation.stored import Store
    from graphscore.find.scope import Scope
    from graphscore.find.search import Found
    from graphscore.metrics.base import Metric

TOP = 20
"""Hits and groups that a table has."""


@click.command("find", cls=Verb)
@click.argument(
    "operands",
    type=FILE,
    nargs=-1,
    required=True,
    metavar="STORE | GOLD [SYSTEM] PATTERN",
)
@gold_option
@click.option(
    "--system",
    "systems",
    multiple=True,
    metavar="NAME",
    help="System collection of a store.",
)
@one_metric_option
@framework_option
@click.option(
    "--scope",
    "in_scope",
    metavar="SCOPE",
    help="Scope of the evaluation, where a store has several by one metric.",
)
@click.option(
    "--by",
    metavar="KEYS",
    help="Count hits by features of nodes and edges, as X.label,e.label; also item, "
    "document, framework, language, layer.",
)
@click.option("--count", is_flag=True, help="Only how many there are.")
@click.option("--show", is_flag=True, help="Print each hit in its graph.")
@click.option(
    "--svg",
    metavar="FILE",
    type=FILE,
    help="Draw each hit in its graph, into FILE (- is standard output).",
)
@click.option(
    "--html",
    metavar="FILE",
    type=FILE,
    help="Write a page of hits with their pictures.",
)
@click.option("--sql", is_flag=True, help="Show the SQL behind it.")
@click.option(
    "--distinct",
    type=click.Choice(["nodes"]),
    help="Make one of hits that differ in edges alone.",
)
@click.option(
    "--top",
    type=click.IntRange(1),
    metavar="N",
    help="How many hits and groups are given.  "
    f"[default: {TOP} in tables and pictures, else all]",
)
@click.option(
    "--timeout",
    type=click.FloatRange(0, 1_000_000, min_open=True),
    metavar="SECONDS",
    help="Stop searching after so long; scoring files is not counted.",
)
@work_options
@sides_reading_options
@output_options
def command(
    operands: tuple[str, ...],
    gold: str | None,
    systems: tuple[str, ...],
    metric_names: tuple[str, ...],
    in_framework: str | None,
    in_scope: str | None,
    by: str | None,
    count: bool,
    show: bool,
    svg: str | None,
    html: str | None,
    sql: bool,
    distinct: str | None,
    top: int | None,
    timeout: float | None,
    scoring: Scoring,
    reading: ReadingOptions,
    output: Output,
) -> None:
    """Find graphs, and what went wrong in them, by a PATTERN.

    Collections of a store are searched, or files; files are scored where the pattern
    compares both sides.

    Examples:
      graphscore find gold.mrp 'pattern { X -[ARG1]-> Y } without { * -[BV]-> Y }'
      graphscore find gold.mrp system.mrp 'pattern { missing(V -[ARG2]-> A) }'
      graphscore find runs.db 'gold { V -[ARG2]-> A } system { V -[ARG1]-> A }'
      graphscore find gold.mrp 'pattern { X -[ARG1]-> Y }' --html hits.html
    """
    from graphscore.find.grammar import parse
    from graphscore.find.scope import scope_of

    if show and (count or output.mode is not None):
        raise UsageError(
            "--show prints hits as text, expected neither --count nor "
            "a shape such as --json"
        )
    metrics = chosen_metrics(metric_names, "find")
    if len(systems) > 1:
        raise UsageError(
            "find takes one system: give one --system, and loop over several"
        )
    if len(operands) < 2:
        raise UsageError(
            "expected a STORE, or GOLD and perhaps SYSTEM, and behind them a pattern"
        )
    *files, source = operands
    if "{" not in source and Path(source).exists():
        raise UsageError(
            f"expected a pattern behind the files, found the file {source!r}"
        )
    written = {"--svg": svg, "--html": html}
    pictures = {option: file for option, file in written.items() if file is not None}
    printed = show or count or by is not None or output.mode is not None
    _check_pictures(pictures, files, printed)
    scope = scope_of(parse(source))
    keys = tuple(x.strip() for x in (by or "").split(",") if x.strip())
    if by is not None and not keys:
        raise UsageError("--by: found nothing, expected such as X.label")
    table = output.shape == "table" or show or bool(pictures)
    sides = {"gold": gold, "system": next(iter(systems), None), "scope": in_scope}
    store, named = _searched(files, scope, sides, metrics, scoring, reading, output)
    asked: dict[str, Any] = {
        **named,
        "framework": in_framework,
        "distinct": "nodes" if distinct else None,
        "seconds": timeout,
    }
    across = table and bool(keys) and not show
    listed = not count and not across
    # Without a number there may be more hits than fit into memory.
    streamed = (
        listed
        and top is None
        and not table
        and output.summary is None
        and not (keys and output.shape != "json")
    )
    found = store.find(
        scope.pattern,
        by=keys,
        # A table is cut when all groups are there, which may go across.
        top=None if across else top or (TOP if table else None),
        items=listed and not streamed,
        **asked,
    )
    if show:
        _show(store, found)
    if pictures:
        _draw(store, found, str(scope.pattern), pictures, output)
    if streamed:
        _stream(store, scope, found, asked, output)
    else:
        _print(found, keys, (count, show or bool(pictures)), top or TOP, output)
    for remark in found.remarks:
        output.say(remark)
    if sql:
        output.beneath(f"{found.sql};")


def _searched(
    files: Sequence[str],
    scope: Scope,
    sides: dict[str, str | None],
    metrics: Sequence[Metric] | None,
    scoring: Scoring,
    reading: ReadingOptions,
    output: Output,
) -> tuple[Store, dict[str, str | None]]:
    """Return the store that is searched, and the collections and metric in it."""
    if names_store(files, reading, any(sides.values())):
        metric = str(metrics[0]) if metrics else None
        return opened(files[0]), {**sides, "metric": metric}
    if len(files) > 2:
        raise UsageError("find takes one system: give GOLD, SYSTEM and a pattern")
    if scope.compares:
        if len(files) < 2:
            raise UsageError(
                f"the pattern compares two sides: give a system beside {files[0]}"
            )
        both = FileOperands(files[0], (files[1],))
        options = scoring.options(reading, details=True)
        store, gold, made = scored(both, reading, metrics, options, output)
        if len(made) > 1:
            names = ", ".join(str(choice.metric) for _, choice, _ in made)
            raise UsageError(
                f"several metrics score these files, expected -m with one of: {names}"
            )
        [(system, choice, _)] = made
        output.say_chosen([(choice.metric, choice.because)])
        return store, {"gold": gold, "system": system, "metric": str(choice.metric)}
    from graphscore.find.search import only_side

    side = FileOperands(files[-1] if only_side(scope) == "system" else files[0], ())
    store = temporary_store(output)
    fill(store, side, collection_names(side), reading, output)
    return store, {}


def _check_pictures(
    pictures: dict[str, str], files: Sequence[str], printed: bool
) -> None:
    """Refuse pictures that could not be written, before anything is read.

    Args:
        pictures: their files, by option.
        files: the operands.
        printed: whether hits are to be printed as well.
    """
    from graphscore.cli.pictures import check_target

    if pictures and printed:
        raise UsageError(
            f"{' and '.join(pictures)} writes pictures of hits instead of printing "
            "them, expected neither --show, --count and --by nor a shape such as --json"
        )
    for option, file in pictures.items():
        if file != "-":
            check_target(option, file, FileOperands(files[0], tuple(files[1:])))


def _draw(
    store: Store, found: Found, pattern: str, pictures: dict[str, str], output: Output
) -> None:
    """Write pictures of hits; of no hits only a page, which says so."""
    from graphscore.cli.pictures import draw_hits, write_hits
    from graphscore.report.showing.found import pictured

    hits = pictured(store, found)
    for option, file in pictures.items():
        if option == "--html":
            write_hits(pattern, hits, found.hits, file)
        elif hits:
            draw_hits(hits, file)
        else:
            output.say(f"--svg {file}: nothing is found, and nothing is written")
            continue
        if file != "-":
            output.say(f"{file}: {amount(len(hits), 'picture')}")


def _stream(
    store: Store,
    scope: Scope,
    found: Found,
    asked: dict[str, Any],
    output: Output,
) -> None:
    """Print all hits, of which none is kept."""
    from graphscore.report.showing.hits import hit_columns, hit_row

    hits = store.hits(scope.pattern, **asked)
    if output.shape == "json":
        output.members(found.to_dict(), "items", hits)
    elif output.shape == "jsonl":
        output.lines(hits)
    else:
        # As a column stands for documents where there are any.
        seen = store.find(
            scope.pattern, by=["document"], top=2, items=False, **asked
        ).groups
        documents = any(each["document"] for each in seen)
        first = [*islice(hits, 1)]
        columns = hit_columns(first, documents)
        rows = (hit_row(each, columns) for each in chain(first, hits))
        output.rows(columns, rows)
    output.say(amount(found.hits, "hit"))


def _show(store: Store, found: Found) -> None:
    """Print hits in their graphs."""
    from graphscore.report.showing.found import graph_of
    from graphscore.report.showing.hits import drawn

    names = {"gold": found.sides.gold, "system": found.sides.system}
    for number, item in enumerate(found.items):
        graphs: dict[str, Any] = {}
        for side in found.searched:
            name = names[side]
            assert name is not None
            graphs[side] = graph_of(store, name, item, side)
        if number:
            echo("")
        echo("\n".join(drawn(item, graphs)))


def _print(
    found: Found,
    keys: Sequence[str],
    asked: tuple[bool, bool],
    top: int,
    output: Output,
) -> None:
    from graphscore.report.showing.hits import group_table, hit_rows, hit_table

    count, show = asked
    said = amount(found.hits, "hit")
    for each in () if show else output.audiences():
        if each.shape == "table":
            if count and not keys:
                echo(said)
            elif keys and found.groups:
                each.tables([group_table(found.groups, keys, top)])
            elif found.items:
                each.tables([hit_table(found.items)])
        elif each.shape == "json":
            whole = found.to_dict()
            if count:
                del whole["items"]
            each.value(whole)
        elif keys:
            columns = [*keys, "hits"]
            each.rows(columns, [tuple(g[x] for x in columns) for g in found.groups])
        elif count:
            each.rows(["hits"], [(found.hits,)])
        elif each.shape == "jsonl":
            each.lines(found.items)
        else:
            each.rows(*hit_rows(found.items))
    shown = len(found.items)
    more = f", the first {shown:,} shown" if 0 < shown < found.hits else ""
    output.say(f"{said}{more}")
