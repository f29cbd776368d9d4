"""Agreement of annotators, as tables and rows.

Pure functions; a table's cells keep their values, rounding is the renderer's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from graphscore.evaluation.options import package_version
from graphscore.exceptions import amount
from graphscore.report.comparison import fitted, scale, short_names
from graphscore.report.markup import signed
from graphscore.report.table import Column, Meaning, Table, columns_of, one_line
from graphscore.statistics.agreement.result import Agreement, Difference, Sliced

SHOWN = 5
"""Documents that a table lists, unless it is told."""

_LISTED = 3
"""Differences of a document that a table lists."""

_LABELS = 10
"""Labels of a tuple type that a table lists."""

_MATRIX = 8
"""Largest number of annotators with a matrix; beyond it only means are shown."""

_NAMED = 8
"""Characters of a name over a column of the matrix."""


def agreement_tables(found: Agreement, top: int = SHOWN) -> list[Table]:
    """Pairs, the matrix, coefficients, tuple types, frameworks, labels, then documents.

    Args:
        found: the agreement.
        top: documents that are listed.
    """
    tables = [pairs_table(found)]
    if len(found.annotators) > 2:
        tables += [matrix_table(found)]
    for column, slices in (
        ("tuple_type", found.tuple_types),
        ("framework", found.frameworks),
    ):
        if slices:
            tables.append(_sliced_table(found, column, slices))
    if found.label_units:
        tables.append(units_table(found))
    if found.labels:
        tables.append(labels_table(found))
    worst = documents_table(found, top)
    if worst.rows:
        tables.append(worst)
    return [*signed(tables, _signature(found))]


def _signature(found: Agreement) -> str:
    """Return the signature of the scores without the annotators."""
    metric = found.metric
    return (
        f"metric:{metric}|revision:{metric.revision}|normalize:{metric.normalization}"
        f"|bootstrap|samples:{found.samples}|seed:{found.seed}|unit:{found.unit}"
        f"|level:{found.level:g}|version:{package_version()}"
    )


def pairs_table(found: Agreement) -> Table:
    """A row per pair, the mean, and what is beyond chance."""
    table = Table(
        [
            *columns_of("name", "a", "b"),
            *columns_of(_scale(found), "value", "low", "high"),
            *columns_of("count", "items", "only a", "only b"),
        ],
        title=title(found),
    )
    for pair in found.pairs:
        numbers = pair.value, pair.low, pair.high
        counts = pair.items, pair.only_a, pair.only_b
        table.rows.append((pair.a, pair.b, *numbers, *counts))
    for name, bounds in (("mean", found.mean), *found.coefficients.items()):
        ratio = name == "mean"
        cells = (value if ratio or value is None else _three(value) for value in bounds)
        table.rows.append((name, None, *cells, None, None, None))
    table.rules = {len(found.pairs)}
    percent = f"{100 * found.level:g} %"
    table.notes.append(
        f"low, high: {percent} interval of {found.samples:,} samples of "
        f"{found.unit}s, seed {found.seed}"
    )
    table.notes.append(
        f"{amount(found.units, found.unit)} that two or more annotated, {found.shared} "
        "by all"
    )
    return _fitted(table, found.annotators)


def _fitted(table: Table, names: Sequence[str]) -> Table:
    return fitted(table, (0, 1), names)


def matrix_table(found: Agreement) -> Table:
    """A row and a column per annotator, and each one's mean with the others."""
    many = len(found.annotators) > _MATRIX
    across = () if many else found.annotators
    short = short_names(across, _NAMED)
    table = Table(
        [
            Column("annotator"),
            *columns_of(_scale(found), *map(short.__getitem__, across)),
            *columns_of(_scale(found), "mean", "low", "high"),
        ],
        title="agreement of every two, and the " * (not many) + "mean with the others",
    )
    for row, standing in zip(found.matrix(), found.standings, strict=True):
        cells = *row[: len(across)], *standing[1:]
        table.rows.append((standing.annotator, *cells))
    if found.apart:
        table.notes.append(f"stands apart: {found.apart}")
    return fitted(table, (0,), found.annotators)


def _sliced_table(found: Agreement, column: str, slices: Sequence[Sliced]) -> Table:
    values = [
        value
        for slice_ in slices
        for pair in slice_.pairs
        if (value := pair.value) is not None
    ]
    several = len(found.pairs) > 1 and bool(values)
    ends = ("lowest", "highest") if several else ()
    table = Table(
        [
            Column(column),
            *columns_of(_scale(found), "mean", "low", "high", *ends),
        ],
        title=f"by {column.replace('_', ' ')}"
        + (", with the pairs that agree least and most" * several),
    )
    for slice_ in slices:
        known = [pair.value for pair in slice_.pairs if pair.value is not None]
        bounds = (min(known), max(known)) if known else (None, None)
        numbers = (slice_.value, slice_.low, slice_.high, *(bounds if several else ()))
        table.rows.append((slice_.name, *numbers))
    return table


def units_table(found: Agreement) -> Table:
    """Kappa and alpha of the labels of given units."""
    table = Table(
        [
            Column("framework"),
            Column("labels"),
            Column("units", "count"),
            Column("coefficient"),
            *columns_of("number", "value", "low", "high"),
        ],
        title="labels beyond chance",
    )
    for label_unit in found.label_units:
        head: tuple[Any, ...] = (
            label_unit.framework,
            f"{label_unit.labels} of {label_unit.unit}s",
            label_unit.units,
        )
        rows = [(f"kappa ({label_unit.method.title()})", label_unit.kappa)]
        if label_unit.method != "cohen":
            rows.append(("mean kappa (Cohen)", label_unit.mean_kappa))
        rows.append(("alpha (nominal)", label_unit.alpha))
        for name, bounds in rows:
            cells = (None if x is None else _three(x) for x in bounds)
            table.rows.append((*head, name, *cells))
            head = ("", "", None)
    return table


def labels_table(found: Agreement) -> Table:
    """The most frequent labels of each tuple type, with the F1 on what has them."""
    several = len(found.pairs) > 1
    ends = ("lowest", "highest") if several else ()
    table = Table(
        [
            Column("framework"),
            Column("tuple_type"),
            Column("label"),
            Column("times", "count"),
            *columns_of("ratio", "mean", "low", "high", *ends),
        ],
        title="by label" + (", with the pairs that agree least and most" * several),
    )
    shown: Counter[tuple[str, str]] = Counter()
    for label in found.labels:
        tuple_type = label.framework, label.tuple_type
        shown[tuple_type] += 1
        if shown[tuple_type] > _LABELS:
            continue
        known = [pair.value for pair in label.pairs if pair.value is not None]
        bounds = (min(known), max(known)) if known else (None, None)
        values = (label.value, label.low, label.high, *(bounds if several else ()))
        table.rows.append(
            (*tuple_type, one_line(label.label, 24), label.times, *values)
        )
    more = sum(max(0, often - _LABELS) for often in shown.values())
    if more:
        table.notes.append(f"and {more} rarer ones")
    return table


def documents_table(found: Agreement, top: int = SHOWN) -> Table:
    """The units on which annotators agree least, and what only one of two has."""
    table = Table(
        [
            Column("framework"),
            Column(found.unit),
            Column("mean", _scale(found)),
            *(Column(name) for name in ("only", "against", "tuple_type", "what")),
            Column("times", "count"),
        ],
        title=f"{found.unit}s with the least agreement",
    )
    whole = 0.0 if found.lowest_best else 1.0
    # Where all agree there is nothing to look at, unless they differ in what the
    # score does not count.
    apart = [x for x in found.documents if x.value != whole or x.differences]
    for each in apart[:top]:
        head: tuple[Any, ...] = (
            each.framework,
            each.item,
            each.value,
        )
        for what in each.differences[:_LISTED] or (None,):
            table.rows.append((*head, *_difference(what)))
            head = ("", "", None)
    if len(apart) > top:
        table.notes.append(f"and {len(apart) - top} more")
    names = found.annotators
    return fitted(table, (3, 4), names)


def _difference(what: Difference | None) -> tuple[Any, ...]:
    if what is None:
        return None, None, None, None, None
    text = " ".join(
        str(part)
        for part in (what.label, what.name, what.value)
        if part not in ("", None)
    )
    return what.only, what.against, what.tuple_type, one_line(text, 40), what.times


def title(found: Agreement) -> str:
    """Metric and score in a line."""
    best = ", lowest best" if found.lowest_best else ""
    return f"{found.metric}: {found.score}{best}"


def _scale(found: Agreement) -> Meaning:
    return scale(found.metric, found.score)


def _three(value: float) -> str:
    """A coefficient: it may be negative, and is no percentage."""
    return f"{value:.3f}"
