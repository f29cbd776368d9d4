"""Options of ``find``, its search, and hits that are not kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graphscore.cli.bundles import Bundle, option
from graphscore.cli.command import FILE
from graphscore.cli.operands import (
    Operands,
    collection_names,
    names_store,
    open_store,
    temporary_store,
)
from graphscore.cli.options import names_in
from graphscore.cli.plots import draw_hits, output_option, write_hits
from graphscore.cli.stores import fill, scored_store
from graphscore.exceptions import UsageError, amount
from graphscore.store.detect import is_store

if TYPE_CHECKING:
    from graphscore.cli.options import ReaderArguments, ScoringOptions, Sides
    from graphscore.cli.output import Output
    from graphscore.evaluation.store import Store
    from graphscore.find.scope import Scope
    from graphscore.find.search import Hits

TOP = 20
"""Hits and groups that a table has."""

_PRINTED = ("show", "count", "by", "mode")
"""Fields of options that print hits."""


class FindOptions(Bundle):
    """Options of a pattern search and its hits."""

    in_framework: str | None = option(
        "--framework", metavar="NAME", help="Include only this framework."
    )
    in_scope: str | None = option(
        "--scope",
        metavar="SCOPE",
        help="Select the scope, if a metric has several evaluations.",
    )
    by: str | None = option(
        "--by",
        metavar="KEYS",
        help="Count hits by X.label, item, document or framework.",
    )
    count: bool = option(
        "--count", default=False, is_flag=True, help="Print only the number of hits."
    )
    show: bool = option(
        "--show",
        default=False,
        is_flag=True,
        excludes=["count", "mode"],
        help="Print each hit in its graph.",
    )
    svg: str | None = option(
        "--svg",
        metavar="FILE",
        type=FILE,
        excludes=_PRINTED,
        help="Draw each hit in its graph into FILE (- is stdout).",
    )
    html: str | None = option(
        "--html",
        metavar="FILE",
        type=FILE,
        excludes=_PRINTED,
        help="Write a page of hits with their pictures.",
    )
    file: str | None = output_option(_PRINTED)
    sql: bool = option(
        "--sql", default=False, is_flag=True, help="Print the SQL of the search."
    )
    distinct: str | None = option(
        "--distinct",
        type=click.Choice(["nodes"]),
        help="Merge hits that differ in edges only.",
    )
    top: int | None = option(
        "--top",
        type=click.IntRange(1),
        metavar="N",
        help="Show at most N hits and groups.  "
        f"[default: {TOP} in tables and pictures, else all]",
    )
    timeout: float | None = option(
        "--timeout",
        type=click.FloatRange(0, 1_000_000, min_open=True),
        metavar="SECONDS",
        help="Stop the search after SECONDS (scoring excluded).",
    )

    def keys(self) -> tuple[str, ...]:
        """Return the keys by which hits are counted.

        Raises:
            UsageError: if nothing is named.
        """
        keys = names_in(self.by or "")
        if self.by is not None and not keys:
            raise UsageError("--by: found nothing, expected keys such as X.label")
        return keys

    def filters(self) -> dict[str, Any]:
        """Return the filters of hits, as stores take them."""
        return {
            "framework": self.in_framework,
            "distinct": self.distinct,
            "seconds": self.timeout,
        }


def files_and_pattern(operands: Sequence[str]) -> tuple[list[str], str]:
    """Tell files, or a store, from the pattern behind them.

    Args:
        operands: what was typed.

    Raises:
        UsageError: if there is no pattern.
    """
    if len(operands) < 2:
        raise UsageError("expected STORE PATTERN or GOLD [SYSTEM] PATTERN")
    *files, source = operands
    if "{" not in source and Path(source).exists():
        raise UsageError(
            f"expected a pattern after the files, found the file {source!r}"
        )
    return files, source


def operands_of(files: Sequence[str]) -> Operands:
    """Operands of which nothing is overwritten.

    Args:
        files: a store, or one or two files.
    """
    if is_store(files[0]):
        return Operands("", (), store=files[0])
    return Operands(files[0], tuple(files[1:]))


def search_target(
    files: Sequence[str],
    scope: Scope,
    where: tuple[Sides, str | None],
    scoring: ScoringOptions,
    reading: ReaderArguments,
    output: Output,
) -> tuple[Store, dict[str, Any]]:
    """Return the store that is searched, and the collections and metric in it.

    Args:
        files: a store, or one or two files, which go into one that is temporary.
        scope: the pattern; of two files that it compares both are scored.
        where: collections and metric, and the scope of their evaluation.
        scoring: how files are scored.
        reading: how they are read.
        output: is told of the reading and writing.

    Raises:
        UsageError: if it is not clear what is searched.
    """
    sides, in_scope = where
    if len(sides.systems) > 1:
        raise UsageError(
            "find takes one system: give one --system, and loop over several"
        )
    metrics = sides.metrics("find")
    if names_store(files, reading, bool(sides.gold or sides.systems or in_scope)):
        return open_store(files[0]), {
            "gold": None if sides.gold is None else str(sides.gold),
            "system": next(iter(sides.systems), None),
            "scope": in_scope,
            "metric": str(metrics[0]) if metrics else None,
        }
    if len(files) > 2:
        raise UsageError("find takes one system: give GOLD, SYSTEM and a pattern")
    if scope.compares:
        if len(files) < 2:
            raise UsageError(
                f"the pattern compares two sides: give a system beside {files[0]}"
            )
        both = Operands(files[0], (files[1],))
        options = scoring.options(reading, details=True)
        store, gold, made = scored_store(both, reading, metrics, options, output)
        if len(made) > 1:
            names = ", ".join(str(choice.metric) for _, choice, _ in made)
            raise UsageError(
                f"several metrics score these files, expected -m with one of: {names}"
            )
        [(system, choice, _)] = made
        output.say_chosen([(choice.metric, choice.because)])
        return store, {"gold": gold, "system": system, "metric": str(choice.metric)}
    from graphscore.find.search import only_side

    side = Operands(files[-1] if only_side(scope) == "system" else files[0], ())
    store = temporary_store(output)
    fill(store, side, collection_names(side), reading, output)
    return store, {}


def draw(
    store: Store,
    result: Hits,
    pattern: str,
    pictures: Mapping[str, str],
    output: Output,
) -> None:
    """Write pictures of hits; of no hits only a page, which says so.

    Args:
        store: where they were found.
        result: the hits.
        pattern: what was looked for.
        pictures: the files, by option.
        output: is told what was written.
    """
    from graphscore.report.item_view.hit_pictures import pictured

    hits = pictured(store, result)
    for option_name, file in pictures.items():
        if option_name == "--html":
            write_hits(pattern, hits, result.hits, file)
        elif hits:
            draw_hits(hits, file)
        else:
            output.say(f"--svg {file}: no hits, nothing written")
            continue
        if file != "-":
            output.say(f"{file}: {amount(len(hits), 'picture')}")


def stream(
    store: Store,
    scope: Scope,
    result: Hits,
    question: Mapping[str, Any],
    output: Output,
) -> None:
    """Print all hits, of which none is kept.

    Args:
        store: where they are.
        scope: the pattern.
        result: how many there are.
        question: the collections, and what of the hits is asked for.
        output: where to.
    """
    from graphscore.report.item_view.hits import hit_columns, hit_row

    hits = store.hits(scope.pattern, **question)
    if output.shape == "json":
        output.members(result.to_dict(), "items", hits)
    elif output.shape == "jsonl":
        output.lines(hits)
    else:
        # As a column stands for documents where there are any.
        seen = store.find(
            scope.pattern, by=["document"], top=2, items=False, **question
        ).groups
        documents = any(group["document"] for group in seen)
        first = [*islice(hits, 1)]
        columns = hit_columns(first, documents)
        output.rows(columns, (hit_row(hit, columns) for hit in chain(first, hits)))
