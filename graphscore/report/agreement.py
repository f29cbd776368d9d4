"""Agreement of annotators, as tables and rows.

Pure functions; a table's cells keep their values, rounding is the renderer's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from graphscore import __version__
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


def agreement_tables(agreement: Agreement, top: int = SHOWN) -> list[Table]:
    """Pairs, the matrix, coefficients, tuple types, frameworks, labels, then documents.

    Args:
        agreement: the agreement.
        top: documents that are listed.
    """
    tables = [pairs_table(agreement)]
    if len(agreement.annotators) > 2:
        tables += [matrix_table(agreement)]
    for column, slices in (
        ("tuple_type", agreement.tuple_types),
        ("framework", agreement.frameworks),
    ):
        if slices:
            tables.append(_sliced_table(agreement, column, slices))
    if agreement.label_units:
        tables.append(units_table(agreement))
    if agreement.labels:
        tables.append(labels_table(agreement))
    worst = documents_table(agreement, top)
    if worst.rows:
        tables.append(worst)
    return [*signed(tables, _signature(agreement))]


def _signature(agreement: Agreement) -> str:
    """Return the signature of the scores without the annotators."""
    metric = agreement.metric
    return (
        f"metric:{metric}|revision:{metric.revision}|normalize:{metric.normalization}"
        f"|bootstrap|samples:{agreement.samples}|seed:{agreement.seed}|unit:{agreement.unit}"
        f"|level:{agreement.level:g}|version:{__version__}"
    )


def pairs_table(agreement: Agreement) -> Table:
    """A row per pair, the mean, and what is beyond chance."""
    table = Table(
        [
            *columns_of("name", "a", "b"),
            *columns_of(_scale(agreement), "value", "low", "high"),
            *columns_of("count", "items", "only a", "only b"),
        ],
        title=title(agreement),
    )
    for pair in agreement.pairs:
        numbers = pair.value, pair.low, pair.high
        counts = pair.items, pair.only_a, pair.only_b
        table.rows.append((pair.a, pair.b, *numbers, *counts))
    for name, bounds in (("mean", agreement.mean), *agreement.coefficients.items()):
        ratio = name == "mean"
        cells = (value if ratio or value is None else _three(value) for value in bounds)
        table.rows.append((name, None, *cells, None, None, None))
    table.rules = {len(agreement.pairs)}
    percent = f"{100 * agreement.level:g} %"
    table.notes.append(
        f"low, high: {percent} interval of {agreement.samples:,} samples of "
        f"{agreement.unit}s, seed {agreement.seed}"
    )
    table.notes.append(
        f"{amount(agreement.units, agreement.unit)} that two or more annotated, "
        f"{agreement.shared} by all"
    )
    return _fitted(table, agreement.annotators)


def _fitted(table: Table, names: Sequence[str]) -> Table:
    return fitted(table, (0, 1), names)


def matrix_table(agreement: Agreement) -> Table:
    """A row and a column per annotator, and each one's mean with the others."""
    many = len(agreement.annotators) > _MATRIX
    across = () if many else agreement.annotators
    short = short_names(across, _NAMED)
    table = Table(
        [
            Column("annotator"),
            *columns_of(_scale(agreement), *map(short.__getitem__, across)),
            *columns_of(_scale(agreement), "mean", "low", "high"),
        ],
        title="agreement of every two, and the " * (not many) + "mean with the others",
    )
    for row, standing in zip(agreement.matrix(), agreement.standings, strict=True):
        cells = *row[: len(across)], *standing[1:]
        table.rows.append((standing.annotator, *cells))
    if agreement.apart:
        table.notes.append(f"stands apart: {agreement.apart}")
    return fitted(table, (0,), agreement.annotators)


def _sliced_table(agreement: Agreement, column: str, slices: Sequence[Sliced]) -> Table:
    values = [
        value
        for slice_ in slices
        for pair in slice_.pairs
        if (value := pair.value) is not None
    ]
    several = len(agreement.pairs) > 1 and bool(values)
    ends = ("lowest", "highest") if several else ()
    table = Table(
        [
            Column(column),
            *columns_of(_scale(agreement), "mean", "low", "high", *ends),
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


def units_table(agreement: Agreement) -> Table:
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
    for label_unit in agreement.label_units:
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


def labels_table(agreement: Agreement) -> Table:
    """The most frequent labels of each tuple type, with the F1 on what has them."""
    several = len(agreement.pairs) > 1
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
    for label in agreement.labels:
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


def documents_table(agreement: Agreement, top: int = SHOWN) -> Table:
    """The units on which annotators agree least, and what only one of two has."""
    table = Table(
        [
            Column("framework"),
            Column(agreement.unit),
            Column("mean", _scale(agreement)),
            *(Column(name) for name in ("only", "against", "tuple_type", "what")),
            Column("times", "count"),
        ],
        title=f"{agreement.unit}s with the least agreement",
    )
    whole = 0.0 if agreement.lowest_best else 1.0
    # Where all agree there is nothing to look at, unless they differ in what the
    # score does not count.
    apart = [x for x in agreement.documents if x.value != whole or x.differences]
    for document in apart[:top]:
        head: tuple[Any, ...] = (
            document.framework,
            document.item,
            document.value,
        )
        for what in document.differences[:_LISTED] or (None,):
            table.rows.append((*head, *_difference(what)))
            head = ("", "", None)
    if len(apart) > top:
        table.notes.append(f"and {len(apart) - top} more")
    names = agreement.annotators
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


def title(agreement: Agreement) -> str:
    """Metric and score in a line."""
    best = ", lowest best" if agreement.lowest_best else ""
    return f"{agreement.metric}: {agreement.score}{best}"


def _scale(agreement: Agreement) -> Meaning:
    return scale(agreement.metric, agreement.score)


def _three(value: float) -> str:
    """A coefficient: it may be negative, and is no percentage."""
    return f"{value:.3f}"
