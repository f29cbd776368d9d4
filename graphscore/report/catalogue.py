"""The metrics and their parameters, as JSON, rows and tables.

Built-in metrics are listed from :data:`LISTED`, as :func:`described` gives them, so
that none is imported.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from operator import itemgetter
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING, Any

from graphscore.exceptions import amount
from graphscore.lazy import entry_points
from graphscore.report.table import Column, Table, as_table
from graphscore.rows import Rows, Tabular, brief

if TYPE_CHECKING:
    from graphscore.similarity.base import Similarity

COLUMNS = ("name", "title", "unit", "parameters", "citation", "follows")

LISTED = Path(__file__).with_name("metrics.jsonl")
"""Descriptions of the built-in metrics by name, one a line.

``python -m tests.report.test_catalogue`` writes it; a test compares it with them.
"""


def formulas_of(metric: Any) -> tuple[dict[str, Similarity], str]:
    """The formula of each type, and what one has to ask for to have their numbers.

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


def described(metric: Any) -> dict[str, Any]:
    """Describe a metric: its parameters, formulas and citation, as JSON has them."""
    from graphscore.metrics.base import own_frameworks, unit_of
    from graphscore.similarity.explanation.words import in_words

    formulas, under = formulas_of(metric)
    return {
        "name": metric.name,
        "title": metric.title,
        "unit": unit_of(metric),
        "revision": metric.revision,
        "frameworks": sorted(own_frameworks(metric)),
        "tuple_types": list(metric.tuple_types),
        "main": metric.main,
        "parameters": [
            {
                "name": name,
                "default": default,
                "choices": list(tuple_type) if isinstance(tuple_type, tuple) else [],
                "type": "choice"
                if isinstance(tuple_type, tuple)
                else tuple_type.__name__,
            }
            for name, (default, tuple_type) in metric.parameters().items()
        ],
        "formulas": {
            tuple_type: str(formula) for tuple_type, formula in formulas.items()
        },
        "in_words": {
            tuple_type: in_words(each) for tuple_type, each in formulas.items()
        },
        "formulas_of": under,
        "over_one": metric.over_one,
        "follows": metric.follows,
        "citation": metric.citation,
    }


def metric_row(metric: dict[str, Any]) -> tuple[str, ...]:
    """A metric that was described as a row of :data:`COLUMNS`."""
    parameters = " ".join(
        f"{parameter['name']}={parameter['default']}"
        for parameter in metric["parameters"]
    )
    cells = metric | {"parameters": parameters}
    return tuple(cells[name] for name in COLUMNS)


def metric_tables(metrics: list[dict[str, Any]], alone: bool) -> list[Table]:
    """Metrics as tables: the list of them, then the parameters of each.

    Args:
        metrics: metrics that were described.
        alone: whether everything about one is wanted, and no list.
    """
    listed = Table(
        [
            *(Column("name"), Column("title", "text")),
            *(Column("unit"), Column("tuple_types", "text")),
        ],
        [
            (e["name"], e["title"], e["unit"], " ".join(e["tuple_types"]))
            for e in metrics
        ],
    )
    tables = [] if alone else [listed]
    for metric in metrics:
        table = Table(
            [Column("parameter"), Column("default"), Column("choices", "text")],
            title=f"{metric['name']}: {metric['title']}",
            notes=[f"unit: {metric['unit']}", f"citation: {metric['citation']}"],
        )
        if alone:
            table.notes.insert(0, f"tuple_types: {', '.join(metric['tuple_types'])}")
            if metric["follows"]:
                table.notes.insert(
                    0, f"whose number the default is: {metric['follows']}"
                )
            if metric["over_one"]:
                table.notes.append(f"can be more than 1: {metric['over_one']}")
            if metric["formulas_of"]:
                table.notes.append(f"with {metric['formulas_of']}, as a formula:")
            shown = [
                f"{tuple_type} = {text}"
                for tuple_type, text in metric["formulas"].items()
            ]
            if alone:
                words = metric["in_words"].values()
                table.listing = "\n".join(
                    f"{formula}\n{indent(text, '  ')}"
                    for formula, text in zip(shown, words, strict=True)
                )
            else:
                table.notes += shown
        for parameter in metric["parameters"]:
            choices = " ".join(map(str, parameter["choices"])) or parameter["type"]
            table.rows.append((parameter["name"], str(parameter["default"]), choices))
        tables.append(table)
    return tables


class Listing(Rows, list[dict[str, Any]]):
    """Metrics or formats, as JSON has them; they print as the command does.

    Args:
        described: a dictionary for each.
        noun: what they are.
        rows: makes their rows.
        tables: makes what the command prints.
    """

    def __init__(
        self,
        described: Iterable[dict[str, Any]],
        noun: str,
        rows: Callable[[Listing], Tabular],
        tables: Callable[[Listing], list[Table]],
    ) -> None:
        super().__init__(described)
        self._noun, self._rows, self._tables = noun, rows, tables

    def __repr__(self) -> str:
        return brief("Listing", f"of {amount(len(self), self._noun)}")

    def __str__(self) -> str:
        return self.table().rstrip("\n")

    def tables(self) -> list[Table]:
        """Return what the command prints."""
        return self._tables(self)

    def tabular(self) -> Tabular:
        """A row for each, as CSV has them."""
        return self._rows(self)

    def numbers(self) -> dict[str, float]:
        """None: nothing was scored."""
        return {}


def list_metrics(name: str | None = None) -> Listing:
    """List metrics and their parameters, as ``graphscore metrics`` does.

    Args:
        name: only this one, perhaps with parameters.

    Returns:
        A list of dictionaries, as ``graphscore metrics --json`` has them.

    Raises:
        UsageError: if there is no such metric.
    """
    return Listing(
        _described(name),
        "metric",
        lambda listed: Tabular(COLUMNS, [*map(metric_row, listed)]),
        lambda listed: metric_tables(listed, name is not None),
    )


def _described(name: str | None) -> list[dict[str, Any]]:
    if name is not None:
        from graphscore.metrics.registry import parse

        return [described(parse(name))]
    listed = [json.loads(line) for line in LISTED.read_text("utf-8").splitlines()]
    if entry_points("graphscore.metrics"):
        from graphscore.metrics.registry import offered_metrics

        names = {metric["name"] for metric in listed}
        listed += [
            described(metric() if isinstance(metric, type) else metric)
            for name, metric in offered_metrics().items()
            if name not in names
        ]
        listed.sort(key=itemgetter("name"))
    return listed


FORMAT_COLUMNS = ("name", "title", "can", "suffixes", "frameworks")


def list_formats() -> Listing:
    """List file formats, as ``graphscore formats`` does.

    Returns:
        A list of dictionaries, as ``graphscore formats --json`` has them.
    """
    from graphscore.formats import formats

    described = [
        {
            "name": known_format.name,
            "title": known_format.title,
            "read": known_format.read is not None,
            "write": bool(known_format.write or known_format.files),
            "suffixes": list(known_format.suffixes),
            "frameworks": list(known_format.frameworks),
        }
        for known_format in formats().values()
    ]
    return Listing(
        described,
        "format",
        lambda listed: Tabular(FORMAT_COLUMNS, [*map(format_row, listed)]),
        lambda listed: [as_table(*listed.tabular())],
    )


def format_row(described: dict[str, Any]) -> tuple[str, ...]:
    """A format as a row of :data:`FORMAT_COLUMNS`."""
    return (
        described["name"],
        described["title"],
        ", ".join(word for word in ("read", "write") if described[word]),
        " ".join(described["suffixes"]),
        " ".join(described["frameworks"]) or "any",
    )
