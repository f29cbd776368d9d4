"""Raw counts of several units as a matrix: what is resampled.

A score of a corpus is a function of summed raw counts, and raw counts are additive.
So a corpus of *n* units is a matrix, a row per unit and a column per raw count; a
sample draws rows, sums them and asks the metric for its score again::

             gold  system  matched
    unit 0     12      11        9         rows drawn: 2 0 2
    unit 1      7       7        7    ->   sums:       36 35 31
    unit 2     12      12       11         score:     F1 = 62 / 71

Means over frameworks need the raw counts of each apart: then there is a column for
every framework and raw count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from graphscore.evaluation.macro import score_in
from graphscore.evaluation.result import COLUMNS, GroupKey, Result
from graphscore.evaluation.unit import COLLECTION, ItemResult, SentenceCounts
from graphscore.exceptions import PairingError
from graphscore.metrics.base import Metric
from graphscore.model.outcome import CountKey, Error, RawCounts
from graphscore.statistics.vectorized_counts import by_sample

Doubles = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

Unit = Literal["item", "sentence", "document", "collection"]
UnitKey = tuple[str, str, str]

Rows = Any
"""Doubles as an array, or as a sparse one of scipy."""

Cell = tuple[int, int, float]
"""Row, column and value."""

ColumnKey = tuple[GroupKey, CountKey]
"""The slice that a mean is over, blank where there is none, and the raw count."""

WHOLE: GroupKey = ("", "", "", "")

BLOCK = 1 << 18
"""Sums that are kept at a time before scores are made of them."""

MANY, WIDEST = 512, 1 << 22
"""Samples from which many columns keep more sums, and the limit of these sums."""

WEIGHED = 1 << 22
"""Weights that are multiplied at a time: products of few samples take far longer."""

_SINGLE = 1 << 24
"""Integers up to here are exact as single floats."""

_MANY, _SPARSE = 32, 0.2
"""Sparse storage: the minimum number of columns, and the maximum share of cells."""

Score = Callable[[Any], Any]
"""From raw counts by column to a number: ``None`` where there is none."""


class Table(NamedTuple):
    """Raw counts of several units."""

    units: tuple[UnitKey, ...]
    """Framework, language and item (or document) of every row."""
    columns: tuple[ColumnKey, ...]
    """Slice and raw count of every column."""
    rows: Rows
    """Shape (units, columns)."""

    @property
    def keys(self) -> tuple[CountKey, ...]:
        """The raw count of every column."""
        return tuple(key for _, key in self.columns)

    def raw_counts(self, sums: Doubles) -> RawCounts:
        """Sums of columns as raw counts by key."""
        return dict(zip(self.keys, sums.tolist(), strict=True))

    def by_column(self, sums: Doubles) -> dict[ColumnKey, Any]:
        """Sums of shape (samples, columns) as arrays by column."""
        return dict(zip(self.columns, sums.T, strict=True))


class UnitRawCounts(NamedTuple):
    """The raw counts of a unit, or of a part of it."""

    framework: str
    language: str
    name: str
    document: str
    layer: str
    raw_counts: RawCounts
    texts: tuple[str, ...] = ()
    """Texts of its gold graphs, if kept."""
    errors: tuple[Error, ...] = ()
    """Unmatched tuples, if kept."""


def units_of(items: Iterable[ItemResult], unit: Unit) -> Iterator[UnitRawCounts]:
    """Yield the raw counts of each row: of items, or of their sentences.

    Args:
        items: ``Result.items``, from files or from a store.
        unit: what is one row.
    """
    if unit == "sentence":
        yield from _sentences(list(items))
        return
    for item in items:
        if unit == "document" and item.item == COLLECTION and item.parts:
            for part, texts in _parts(item):
                yield _unit(item, part.document, part.document, part, texts)
            continue
        name = item.document if unit == "document" else item.item
        yield _unit(item, name, item.document, item, item.texts)


def _parts(item: ItemResult) -> Iterator[tuple[SentenceCounts, tuple[str, ...]]]:
    """The gold graphs of a unit, each with its text, where texts were kept."""
    for number, part in enumerate(item.parts):
        yield part, item.texts[number : number + 1]


def _unit(
    item: ItemResult,
    name: str,
    document: str,
    of: ItemResult | SentenceCounts,
    texts: tuple[str, ...],
) -> UnitRawCounts:
    side = item.framework, item.language, name, document, item.layer
    return UnitRawCounts(*side, of.raw_counts, texts, of.errors)


def _sentences(items: Sequence[ItemResult]) -> Iterator[UnitRawCounts]:
    """Gold sentences by their ids, with the document where several have one id.

    That is its own document, whatever it was joined with for some system; and where
    an id is there twice in a document, the second is numbered.
    """
    every = [(item, *part) for item in items for part in _parts(item)]
    counted = Counter((*_side(each), part.item) for each, part, _ in every)
    seen = Counter[tuple[str, ...]]()
    for each, part, texts in every:
        name = part.item
        if counted[*_side(each), name] > 1:
            name = f"{part.document} {name}"
        seen[*_side(each), name] += 1
        if (times := seen[*_side(each), name]) > 1:
            name = f"{name} ({times})"
        yield _unit(each, name, each.document, part, texts)


def _side(item: ItemResult) -> tuple[str, str, str]:
    return item.framework, item.language, item.layer


def raw_count_table(
    items: Iterable[ItemResult],
    unit: Unit = "item",
    keys: Sequence[CountKey] = (),
    by: Sequence[str] = (),
) -> Table:
    """Lay out the raw counts of per-item results.

    Args:
        items: ``Result.items``, from files or from a store.
        unit: what is one row: an item, a sentence of it, or all items of a document
            together.
        keys: columns that come first, whether they occur or not.
        by: the columns of results whose slices are kept apart, for means over them.

    Returns:
        Their raw counts; rows in order of first appearance.
    """
    [table] = raw_count_tables([items], unit, by, keys)
    return table


def raw_count_tables(
    systems: Sequence[Iterable[ItemResult]],
    unit: Unit = "item",
    by: Sequence[str] = (),
    keys: Sequence[CountKey] = (),
    known_by: Sequence[str] = (),
) -> list[Table]:
    """Lay out several systems alike: equal rows and columns in the same order.

    Args:
        systems: per-item results of each, on the same gold.
        unit: what is one row.
        by: the columns of results whose slices are kept apart, for means over them.
        keys: columns that come first, whether they occur or not.
        known_by: what tells units apart, of the columns of results; framework,
            language and name without.

    Returns:
        A table for each system.

    Raises:
        PairingError: if the units are not the same.
    """
    columns: dict[ColumnKey, int] = {}
    for key in keys:
        columns.setdefault((WHOLE, key), len(columns))
    units: dict[UnitKey, int] = {}
    cells: list[list[Cell]] = []
    first: set[UnitKey] = set()
    for number, items in enumerate(systems):
        seen: set[UnitKey] = set()
        found: list[Cell] = []
        for drawn in units_of(items, unit):
            name = _name(drawn, known_by)
            seen.add(name)
            row = units.setdefault(name, len(units))
            group = _group(drawn, by)
            for raw_count, value in drawn.raw_counts.items():
                column = columns.setdefault((group, raw_count), len(columns))
                found.append((row, column, value))
        first = first or seen
        if seen != first:
            raise _apart(number, first, seen)
        cells.append(found)
    shape = len(units), len(columns)
    return [Table(tuple(units), tuple(columns), _matrix(cell, shape)) for cell in cells]


def _name(unit: UnitRawCounts, known_by: Sequence[str]) -> UnitKey:
    if not known_by:
        return unit.framework, unit.language, unit.name
    framework, language = (
        getattr(unit, column) if column in known_by else ""
        for column in ("framework", "language")
    )
    # Several columns beside these two make one name together.
    rest = [name for name in known_by if name not in ("framework", "language")]
    parts = [unit.name if name == "item" else getattr(unit, name) for name in rest]
    return framework, language, " ".join(parts)


def _group(unit: UnitRawCounts, by: Sequence[str]) -> GroupKey:
    if not by:
        return WHOLE
    kept = [getattr(unit, name) if name in by else "" for name in COLUMNS]
    return (kept[0], kept[1], kept[2], kept[3])


def _matrix(cells: list[Cell], shape: tuple[int, int]) -> Rows:
    """Cells as an array: sparse where most of many are empty; equal places add up."""
    if shape[1] >= _MANY and len(cells) < _SPARSE * shape[0] * shape[1]:
        from scipy.sparse import coo_array

        at, column, value = zip(*cells, strict=True)
        return coo_array((np.array(value, float), (at, column)), shape).tocsr()
    rows = np.zeros(shape)
    if cells:
        at, column, value = zip(*cells, strict=True)
        np.add.at(rows, (np.array(at), np.array(column)), np.array(value, float))
    return rows


def _dense(rows: Rows) -> Doubles:
    doubles: Doubles = rows if isinstance(rows, np.ndarray) else rows.toarray()
    return doubles


def _apart(number: int, units: set[UnitKey], seen: set[UnitKey]) -> PairingError:
    apart = sorted(units ^ seen)
    return PairingError(
        f"system {number + 1} was not scored on the same units as the first: "
        f"{len(seen)} and {len(units)}, of which {len(apart)} are in one only, such as "
        f"{' '.join(apart[0])}"
    )


def score_of_columns(metric: Metric, name: str = "", by: Sequence[str] = ()) -> Score:
    """A score as a function of raw counts by column, numbers or arrays of samples.

    Args:
        metric: whose scores.
        name: as for ``--fail-under``: empty for the number that stands for the
            metric, a tuple type, a tuple type with a ratio (``edges.precision``), one
            of the further scores, or ``macro`` with or without one of these.
        by: what the mean ``macro`` is over; frameworks without.
    """

    def score(raw_counts: dict[ColumnKey, Any]) -> Any:
        groups: dict[GroupKey, RawCounts] = {}
        for (group, key), value in raw_counts.items():
            groups.setdefault(group, {})[key] = value
        return score_in(Result(metric, raw_counts=groups, pairs=1), name, by)

    return score


def values(table: Table, score: Score) -> Doubles:
    """The score of every unit by itself; ``nan`` where it is undefined."""
    return _scores(table, score, in_blocks(table))


def left_out(table: Table, score: Score) -> Doubles:
    """The score of everything but one unit, for every unit (the jackknife)."""
    total = table.rows.sum(axis=0)
    return _scores(table, score, (total - block for block in in_blocks(table)))


def in_blocks(table: Table) -> Iterator[Doubles]:
    """The rows of a table, as many at a time as sums are kept."""
    step = max(1, BLOCK // max(1, len(table.columns)))
    for start in range(0, len(table.units), step):
        yield _dense(table.rows[start : start + step])


def whole(table: Table, score: Score) -> float:
    """The score of all units together; ``nan`` where it is undefined."""
    return float(_scores(table, score, iter([table.rows.sum(axis=0)[None]]))[0])


def _scores(table: Table, score: Score, blocks: Iterator[Doubles]) -> Doubles:
    scores = [by_sample(score, table.by_column(sums), len(sums)) for sums in blocks]
    return np.concatenate(scores) if scores else np.zeros(0)


def resampled(
    tables: Sequence[Table],
    scores: Sequence[Score],
    weights: Iterator[Integers],
) -> Doubles:
    """A score of every table in every sample; all draw the same units.

    Args:
        tables: of the systems, with the same units in the same order.
        scores: of each table one, of raw counts by column.
        weights: blocks of shape (samples, units): how often each unit is drawn.

    Returns:
        Shape (tables, samples).
    """
    result: list[list[Doubles]] = [[] for _ in tables]
    for sums in drawn_sums(tables, weights):
        for table, score, kept, own in zip(tables, scores, result, sums, strict=True):
            kept.append(by_sample(score, table.by_column(own), len(own)))
    return np.array([np.concatenate(kept) for kept in result])


def swapped(
    tables: Sequence[Table],
    score: Score,
    assignments: Iterator[Integers],
    pairs: Sequence[tuple[int, int]],
) -> Doubles:
    """Differences of pairs of systems whose outputs are swapped in some units.

    Args:
        tables: of the systems, laid out alike.
        score: of raw counts by column.
        assignments: blocks of shape (assignments, units) of 0 and 1.
        pairs: numbers of the systems whose scores are subtracted.

    Returns:
        Shape (pairs, assignments).
    """
    totals = [table.rows.sum(axis=0) for table in tables]
    result: list[list[Doubles]] = [[] for _ in pairs]
    for moved in drawn_sums(tables, assignments):
        for kept, (a, b) in zip(result, pairs, strict=True):
            gained = moved[b] - moved[a]
            left, right = (
                by_sample(score, tables[a].by_column(sums), len(sums))
                for sums in (totals[a] + gained, totals[b] - gained)
            )
            kept.append(left - right)
    return np.array([np.concatenate(kept) for kept in result])


def drawn_sums(
    tables: Sequence[Table], weights: Iterator[Integers]
) -> Iterator[list[Doubles]]:
    """Weighted sums of every system's rows, many samples at a time.

    Raw counts that are whole numbers are summed exactly: doubles hold the integers
    below 2 ** 53, in whatever order they are added, and single floats those below 2 **
    24.

    Args:
        tables: of the systems, with the same units in the same order.
        weights: blocks of shape (samples, units): how often each unit counts.

    Yields:
        For each table an array of shape (samples, columns).
    """
    ends = list(accumulate(len(table.columns) for table in tables))
    stacked = _stacked([table.rows for table in tables])
    width = max(1, ends[-1])
    limit = max(BLOCK // width, min(MANY, WIDEST // width), 1)
    limit = min(limit, max(1, WEIGHED // max(1, stacked.shape[0])))
    kept: list[npt.NDArray[Any]] = []
    for block in weights:
        kept.append(block.astype(stacked.dtype))
        if sum(map(len, kept)) >= limit:
            yield _summed(kept, stacked, ends)
            kept = []
    if kept:
        yield _summed(kept, stacked, ends)


def _summed(
    weights: list[npt.NDArray[Any]], stacked: Rows, ends: Sequence[int]
) -> list[Doubles]:
    sums = (np.concatenate(weights) @ stacked).astype(np.float64)
    weights.clear()
    return np.split(sums, ends[:-1], axis=1)


def _stacked(rows: Sequence[Rows]) -> Rows:
    """Rows of all systems side by side, as small numbers where that is exact."""
    if all(isinstance(row, np.ndarray) for row in rows):
        both = cells = np.hstack(rows)
    else:
        from scipy.sparse import csr_array, hstack

        both = hstack([csr_array(row) for row in rows], format="csr")
        cells = both.data
    most = np.abs(cells).max(initial=0) * both.shape[0]
    if most < _SINGLE and (cells == np.rint(cells)).all():
        return both.astype(np.float32)
    return both
