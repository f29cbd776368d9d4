"""``graphscore metrics``."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import indent
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from graphscore.cli.options import (
    ReadingOptions,
    Scoring,
    output_options,
    scoring_options,
    sides_reading_options,
)
from graphscore.cli.output import Output, write_csv
from graphscore.cli.verb import FILE, Verb
from graphscore.errors import UsageError

if TYPE_CHECKING:
    from graphscore.similarity.base import Similarity


@click.command("metrics", cls=Verb)
@click.argument("name", required=False)
@click.argument("operands", type=FILE, nargs=-1, metavar="[GOLD SYSTEM...]")
@click.option(
    "--sensitivity",
    is_flag=True,
    help="Score systems under every other constraint, ratio and trim of the metric's "
    "formula, and say which of these choices change their ranking.",
)
@click.option(
    "--kind",
    default="",
    metavar="KIND",
    help="With --sensitivity: the kind whose formula it is.  [default: the main one]",
)
@click.option(
    "--variants",
    type=click.IntRange(1),
    metavar="N",
    help="With --sensitivity: combine all choices if these are at most so many "
    "formulas, else one at a time.  [default: 100]",
)
@scoring_options
@sides_reading_options
@output_options
def command(
    name: str | None,
    operands: tuple[str, ...],
    sensitivity: bool,
    kind: str,
    variants: int | None,
    scoring: Scoring,
    reading: ReadingOptions,
    output: Output,
) -> None:
    """List the metrics, or everything about one.

    --sensitivity says how far a ranking depends on what a formula chooses.  Options of
    scoring and reading go with it.

    Examples:
      graphscore metrics
      graphscore metrics mrp
      graphscore metrics ceafe --sensitivity gold.conll a.conll b.conll c.conll

    Exit codes: 0 done, 2 wrong usage, 3 bad input or nothing paired, 4 done but some
    pairs are unproven, 5 a defect of graphscore.
    """
    if sensitivity:
        _vary(name, operands, kind, variants, scoring, reading, output)
        return
    _refuse_without()
    if operands:
        raise UsageError(f"found {operands[0]!r} behind a metric: --sensitivity lacks")
    from graphscore.metrics.registry import metrics, parse

    chosen = metrics() if name is None else {name: parse(name)}
    found = [
        _describe(metric() if isinstance(metric, type) else metric)
        for metric in chosen.values()
    ]
    for each in output.audiences():
        if each.shape == "table":
            _print(found, each, name is not None)
        elif each.shape == "csv":
            columns = ("name", "title", "unit", "parameters", "citation", "follows")
            each.rows(columns, [_as_row(one) for one in found])
        elif each.shape == "jsonl":
            each.lines(found)
        else:
            each.value(found if name is None else found[0])


def _refuse_without() -> None:
    """Refuse what goes with ``--sensitivity`` alone."""
    from dataclasses import fields

    own = {"kind", "variants"}
    own |= {each.name for kind in (Scoring, ReadingOptions) for each in fields(kind)}
    context = click.get_current_context()
    for each in context.command.params:
        given = context.get_parameter_source(each.name or "")
        if each.name in own and given is ParameterSource.COMMANDLINE:
            raise UsageError(f"{each.opts[-1]} goes with --sensitivity")


def _vary(
    name: str | None,
    operands: Sequence[str],
    kind: str,
    variants: int | None,
    scoring: Scoring,
    reading: ReadingOptions,
    output: Output,
) -> None:
    """Score under other choices, and print what these change."""
    from graphscore.cli.output import progress
    from graphscore.cli.scoring import exit_code, talk
    from graphscore.formats.streams import held_streams, refuse_repeated
    from graphscore.report.varying.tables import sensitivity_tables
    from graphscore.statistics.varying.working import MOST, sensitivity, told
    from graphscore.store.detect import is_store

    if name is None or len(operands) < 2:
        raise UsageError(
            "--sensitivity: expected a metric, GOLD, and one SYSTEM or more"
        )
    if store := next(filter(is_store, operands), None):
        raise UsageError(f"{store} is a store: --sensitivity scores files")
    refuse_repeated(operands)
    gold, *systems = operands
    with held_streams(len(systems) > 1), progress(output, "scoring") as update:
        found = sensitivity(
            gold,
            list(dict.fromkeys(systems)),
            name,
            kind=kind,
            most=MOST if variants is None else variants,
            options=scoring.options(reading),
            progress=update,
        )
    for each in output.audiences():
        if each.shape == "table":
            each.tables(sensitivity_tables(found))
        elif each.shape == "csv":
            tabular = found.tabular()
            write_csv(tabular.columns, tabular.rows)
        elif each.shape == "jsonl":
            each.lines(found.to_dict()["scores"])
        else:
            each.value(found.to_dict())
    # Tables are the same whenever they are made; how long it took is not.
    output.say(f"{told(found)[0]}, scored in {found.seconds:.1f} s")
    for note in found.notes:
        output.say(note)
    talk(found.results, output)
    click.get_current_context().exit(exit_code(found.results, False, False))


def formulas_of(metric: Any) -> tuple[dict[str, Similarity], str]:
    """The formula of each kind, and what one has to ask for to have their numbers.

    Presets do what a program does, beside the formulas.

    Args:
        metric: any metric.

    Returns:
        Nothing for metrics that are no formulas; and ``preset=none`` where the metric
        has another preset.
    """
    from graphscore.metrics.varied import stripped

    inner, under = stripped(metric)
    formulas: dict[str, Similarity] = dict(getattr(inner, "formulas", dict)())
    return formulas, under if formulas else ""


def _describe(metric: Any) -> dict[str, Any]:
    from graphscore.metrics.base import unit_of
    from graphscore.similarity.explaining.words import in_words

    formulas, under = formulas_of(metric)
    return {
        "name": metric.name,
        "title": metric.title,
        "unit": unit_of(metric),
        "revision": metric.revision,
        "frameworks": sorted(metric.frameworks),
        "kinds": list(metric.kinds),
        "main": metric.main,
        "parameters": [
            {
                "name": name,
                "default": default,
                "choices": list(kind) if isinstance(kind, tuple) else [],
                "type": "choice" if isinstance(kind, tuple) else kind.__name__,
            }
            for name, (default, kind) in metric.parameters().items()
        ],
        "formulas": {kind: str(formula) for kind, formula in formulas.items()},
        "in_words": {kind: in_words(each) for kind, each in formulas.items()},
        "formulas_of": under,
        "over_one": metric.over_one,
        "follows": metric.follows,
        "citation": metric.citation,
    }


def _as_row(each: dict[str, Any]) -> tuple[str, ...]:
    parameters = " ".join(
        f"{one['name']}={one['default']}" for one in each["parameters"]
    )
    names = ("citation", "follows")
    return (
        *(each["name"], each["title"], each["unit"], parameters),
        *(each[name] for name in names),
    )


def _print(found: list[dict[str, Any]], output: Output, alone: bool) -> None:
    from graphscore.report.text import Column, Table

    listed = Table(
        [Column("name"), Column("title"), Column("unit"), Column("kinds")],
        [(e["name"], e["title"], e["unit"], " ".join(e["kinds"])) for e in found],
    )
    tables = [] if alone else [listed]
    for each in found:
        table = Table(
            [Column("parameter"), Column("default"), Column("choices")],
            title=f"{each['name']}: {each['title']}",
            notes=[f"unit: {each['unit']}", f"citation: {each['citation']}"],
        )
        if alone:
            table.notes.insert(0, f"kinds: {', '.join(each['kinds'])}")
            if each["follows"]:
                table.notes.insert(0, f"whose number the default is: {each['follows']}")
            if each["over_one"]:
                table.notes.append(f"can be more than 1: {each['over_one']}")
            if each["formulas_of"]:
                table.notes.append(f"with {each['formulas_of']}, as a formula:")
            shown = [f"{kind} = {found}" for kind, found in each["formulas"].items()]
            if alone:
                words = each["in_words"].values()
                table.listing = "\n".join(
                    f"{formula}\n{indent(text, '  ')}"
                    for formula, text in zip(shown, words, strict=True)
                )
            else:
                table.notes += shown
        for parameter in each["parameters"]:
            choices = " ".join(map(str, parameter["choices"])) or parameter["type"]
            table.rows.append((parameter["name"], str(parameter["default"]), choices))
        tables.append(table)
    output.tables(tables)
