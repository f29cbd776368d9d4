"""Scores of items against an outcome from elsewhere.

Does a better score of a sentence's graph go with a better judgement by people, or
with success in a later task?  The outcome is a table of items and numbers; the
answer is a correlation over the items that both have.

>>> round(kendall([1, 2, 3, 4], [1, 3, 2, 4]), 4)
0.6667
>>> spearman([1, 2, 3], [10, 100, 1000]), pearson([1, 2, 3], [3, 2, 1])
(1.0, -1.0)
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from graphscore.errors import InputError, Problem, cut, expecting
from graphscore.evaluation.result import ItemResult, Result, figure_getter

Doubles = npt.NDArray[np.float64]


def _centred(values: Sequence[float] | Doubles) -> Doubles:
    found = np.asarray(values, dtype=np.float64)
    return found - found.mean() if len(found) else found


def pearson(
    first: Sequence[float] | Doubles, second: Sequence[float] | Doubles
) -> float:
    """Pearson's product-moment correlation.

    That of ``scipy.stats`` but for the last digits: exactly 1 and -1 on a line, and
    without warnings of values that hardly vary.

    Args:
        first: values.
        second: as many values, in the same order.

    Returns:
        From -1 to 1; not a number where either does not vary.
    """
    first, second = _numbers(first, second)
    if len(first) < 2 or _constant(first) or _constant(second):
        return math.nan
    one, two = _centred(first), _centred(second)
    # Scaled first, so that squares neither vanish nor overflow.
    one, two = one / np.abs(one).max(), two / np.abs(two).max()
    found = float(one @ two) / math.sqrt(float(one @ one) * float(two @ two))
    return max(-1.0, min(1.0, found))


def _numbers(*sides: Sequence[float] | Doubles) -> tuple[Doubles, ...]:
    """Values of one side, or as many of both.

    Raises:
        TypeError: for anything but numbers.
        ValueError: where sides are not of one length.
    """
    found = []
    for values in sides:
        try:
            array = np.asarray(values, dtype=np.float64)
        except (TypeError, ValueError, OverflowError):
            array = np.zeros((0, 0))
        if array.ndim != 1:
            shown = cut(repr(values))
            raise TypeError(f"found {shown}, expected a sequence of numbers")
        found.append(array)
    sizes = {len(each) for each in found}
    if len(sizes) > 1:
        sizes_shown = " and ".join(str(len(each)) for each in found)
        raise ValueError(f"found {sizes_shown} values, expected as many of both")
    return tuple(found)


def _constant(values: Sequence[float] | Doubles) -> bool:
    found = np.asarray(values)
    return bool((found == found[0]).all())


def ranks(values: Sequence[float] | Doubles) -> Doubles:
    """Ranks from 1; equal values share the mean of theirs.

    >>> ranks([30, 10, 30]).tolist()
    [2.5, 1.0, 2.5]
    """
    from scipy.stats import rankdata

    found: Doubles = np.asarray(rankdata(_numbers(values)[0]), dtype=np.float64)
    return found


def spearman(
    first: Sequence[float] | Doubles, second: Sequence[float] | Doubles
) -> float:
    """Spearman's rank correlation: Pearson's of the ranks.

    Args:
        first: values.
        second: as many values, in the same order.

    Returns:
        From -1 to 1; not a number where either does not vary.
    """
    first, second = _numbers(first, second)
    return pearson(ranks(first), ranks(second)) if len(first) else math.nan


def kendall(
    first: Sequence[float] | Doubles, second: Sequence[float] | Doubles
) -> float:
    """Kendall's tau-b: pairs of items in the same order less those in the other.

    Ties are left out on either side (Kendall 1945); what ``scipy.stats`` finds.

    Args:
        first: values.
        second: as many values, in the same order.

    Returns:
        From -1 to 1; not a number where either does not vary.
    """
    first, second = _numbers(first, second)
    if len(first) < 2 or _constant(first) or _constant(second):
        return math.nan
    if len(first) <= _FEW and not np.isnan(first + second).any():
        return _kendall_of_few(first, second)
    from scipy.stats import kendalltau

    return float(kendalltau(first, second).statistic)


_FEW = 200
"""So few values that all pairs are compared before scipy has checked its arguments."""


def _kendall_of_few(first: Doubles, second: Doubles) -> float:
    """To the bit what scipy finds; resampling asks for it thousands of times."""
    signs = [
        np.subtract(side[:, None] > side, side[:, None] < side, dtype=np.int64)
        for side in (first, second)
    ]
    # Every pair stands there twice.
    agreed = int((signs[0] * signs[1]).sum()) // 2
    one, two = (int(np.count_nonzero(each)) // 2 for each in signs)
    return max(-1.0, min(1.0, agreed / math.sqrt(one) / math.sqrt(two)))


class OutcomeKey(NamedTuple):
    """What an outcome belongs to; an empty field means any.

    Without an item it is that of a system as a whole.
    """

    item: str
    framework: str
    system: str


@expecting(path=str | PathLike, column=str)
def read_outcomes(
    path: str | PathLike[str], column: str = "value"
) -> dict[OutcomeKey, float]:
    """Read a table of outcomes.

    The first line names the columns: ``item``, the value, and where they matter
    ``framework`` and ``system``; others are ignored.  Without ``item`` a line is the
    outcome of a whole system.  Columns are separated by commas, or by tabs if the
    first line has any.

    Args:
        path: the file.
        column: the column of the value.

    Returns:
        Values by what they belong to.

    Raises:
        InputError: listing everything that is wrong: columns that are missing,
            values that are no finite numbers, items that occur twice.
    """
    path = fspath(path)
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            [
                Problem(
                    path, None, None, "", f"bytes that are no text ({error})", "UTF-8"
                )
            ]
        ) from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        unread = f"a file that cannot be read ({why})"
        raise InputError([Problem(path, None, None, "", unread, "")]) from None
    first = text.split("\n", 1)[0]
    reader = csv.reader(io.StringIO(text), delimiter="\t" if "\t" in first else ",")
    problems: list[Problem] = []
    found: dict[OutcomeKey, float] = {}
    lines: dict[OutcomeKey, int] = {}
    try:
        header = [name.strip().lower() for name in next(reader, [])]
        whose = "item" in header or "system" in header
        there_once = len(set(header)) == len(header)
        if not (whose and column.lower() in header and there_once):
            there = ", ".join(header) or "nothing"
            expected = f"columns item and {column}, or system and {column}, each once"
            raise InputError([Problem(path, 1, None, "", there, expected)])
        for row in reader:
            line = reader.line_num
            if not any(cell.strip() for cell in row):
                continue
            if len(row) != len(header):
                problems.append(
                    Problem(path, line, None, "", f"{len(row)} cells", f"{len(header)}")
                )
                continue
            cells = dict(zip(header, map(str.strip, row), strict=True))
            value = _number(cells[column.lower()])
            if value is None:
                seen = repr(cells[column.lower()])
                problems.append(
                    Problem(path, line, None, column, seen, "a finite number")
                )
                continue
            key = OutcomeKey(
                cells.get("item", ""),
                cells.get("framework", ""),
                cells.get("system", ""),
            )
            if key in found:
                named = "item" if key.item or not key.system else "system"
                again = getattr(key, named)
                where = f"{again!r} again, first in line {lines[key]}"
                problems.append(Problem(path, line, None, named, where, "it once"))
                continue
            found[key] = value
            lines[key] = line
    except csv.Error as error:
        line = reader.line_num
        problems.append(Problem(path, line, None, "", str(error), "a table"))
    if not found and not problems:
        problems.append(Problem(path, None, None, "", "no outcome", "a line per item"))
    if problems:
        raise InputError(problems, "the outcomes cannot be used:")
    return found


def _number(text: str) -> float | None:
    try:
        value = math.nan if "_" in text else float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


class Correlation(NamedTuple):
    """How scores of items go with an outcome."""

    framework: str
    n: int
    """Items that have both."""
    pearson: float
    spearman: float
    kendall: float
    without_outcome: int
    """Scored items that the outcomes do not name."""


class Correlated(NamedTuple):
    """Correlations by framework, and the outcomes that were used."""

    rows: list[Correlation]
    used: frozenset[OutcomeKey]


@expecting(result=Result, outcomes=Mapping, figure=str, system=str | None)
def correlate(
    result: Result,
    outcomes: Mapping[OutcomeKey, float],
    figure: str = "",
    system: str | None = None,
) -> Correlated:
    """Correlate the scores of a system's items with outcomes.

    Items where neither side has anything that is scored have no score, and no part.

    Args:
        result: with results per item.
        outcomes: see :func:`read_outcomes`.
        figure: which figure of an item, see ``--fail-under``; its main F1 if
            nothing is said.
        system: what outcomes call the system; the result's name by default.

    Returns:
        A row per framework, in alphabetical order.
    """
    found = item_pairs(result, outcomes, figure, system)
    rows = []
    for framework in sorted(found.pairs):
        first, second = found.sides(framework)
        rows.append(
            Correlation(
                framework,
                len(first),
                pearson(first, second),
                spearman(first, second),
                kendall(first, second),
                found.lacking.get(framework, 0),
            )
        )
    return Correlated(rows, frozenset(found.used))


class ItemPairs(NamedTuple):
    """Scores of items with their outcomes, by framework."""

    pairs: dict[str, list[tuple[float, float]]]
    """Score and outcome."""
    lacking: dict[str, int]
    """Scored items that the outcomes do not name."""
    used: set[OutcomeKey]

    def sides(self, framework: str) -> tuple[Doubles, Doubles]:
        """The scores and the outcomes of a framework's items."""
        both = np.array(self.pairs[framework], dtype=np.float64).reshape(-1, 2)
        return both[:, 0], both[:, 1]


def item_pairs(
    result: Result,
    outcomes: Mapping[OutcomeKey, float],
    figure: str = "",
    system: str | None = None,
) -> ItemPairs:
    """What :func:`correlate` correlates.

    Args:
        result: with results per item.
        outcomes: see :func:`read_outcomes`.
        figure: which figure of an item.
        system: what outcomes call the system; the result's name by default.
    """
    name = result.system if system is None else system
    get = figure_getter(figure)
    values: dict[str, list[tuple[float, float]]] = {}
    lacking: dict[str, int] = {}
    used: set[OutcomeKey] = set()
    for each in result.items:
        values.setdefault(each.framework, [])
        key = outcome_of(each, name, outcomes)
        if key is None:
            lacking[each.framework] = lacking.get(each.framework, 0) + 1
            continue
        used.add(key)
        alone = Result(result.metric, masses={("", "", "", ""): each.masses})
        score = get(alone)
        if _says_something(alone, figure) and not math.isnan(score):
            values[each.framework].append((score, outcomes[key]))
    return ItemPairs(values, lacking, used)


def _says_something(item: Result, figure: str) -> bool:
    """Whether any side has what a figure counts; so of figures that are no counts."""
    counts, numbers = item.figures
    if figure in numbers or (not figure and item.metric.leading):
        return True
    kind = figure.partition(".")[0]
    count = counts.get(item.metric.aliases.get(kind, kind) if kind else "") or item.main
    return count is not None and bool(count.gold or count.system)


def outcome_of(
    item: ItemResult, system: str, outcomes: Mapping[OutcomeKey, float]
) -> OutcomeKey | None:
    """The outcome that speaks of *item* most precisely."""
    for framework in (item.framework, ""):
        for name in (system, ""):
            key = OutcomeKey(item.item, framework, name)
            if key in outcomes:
                return key
    return None
