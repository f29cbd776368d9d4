"""``graphscore metrics``."""

from __future__ import annotations

from dataclasses import replace
from textwrap import indent
from typing import TYPE_CHECKING, Any

import click

from graphscore.cli.options import output_options
from graphscore.cli.output import Output
from graphscore.cli.verb import Verb

if TYPE_CHECKING:
    from graphscore.similarity.base import Similarity


@click.command("metrics", cls=Verb)
@click.argument("name", required=False)
@output_options
def command(name: str | None, output: Output) -> None:
    """List the metrics, or everything about one.

    Examples:
      graphscore metrics
      graphscore metrics mrp
    """
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


def formulas_of(metric: Any) -> tuple[dict[str, Similarity], str]:
    """The formula of each kind, and what one has to ask for to have their numbers.

    Presets do what a program does, beside the formulas.

    Args:
        metric: any metric.

    Returns:
        Nothing for metrics that are no formulas; and ``preset=none`` where the metric
        has another preset.
    """
    from graphscore.metrics.user import UserMetric

    inner: Any = metric.inner if isinstance(metric, UserMetric) else metric
    under = ""
    if getattr(inner, "preset", "none") != "none":
        _, choices = inner.parameters()["preset"]
        if isinstance(choices, tuple) and "none" in choices:
            inner, under = replace(inner, preset="none"), "preset=none"
    formulas: dict[str, Similarity] = dict(getattr(inner, "formulas", dict)())
    return formulas, under if formulas else ""


def _describe(metric: Any) -> dict[str, Any]:
    from graphscore.metrics.base import unit_of
    from graphscore.similarity.explanation.words import in_words

    formulas, under = formulas_of(metric)
    return {
        "name": metric.name,
        "title": metric.title,
        "unit": unit_of(metric),
        "revision": metric.revision,
        "frameworks": sorted(metric.own_frameworks),
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
