"""Comparisons of systems as tables and rows.

Pure functions; a table's cells keep their values, rounding is the renderer's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from graphscore.report.html import html_table
from graphscore.report.text import Column, Ratio, Table
from graphscore.statistics.comparison import Comparison, Rated, Tested


def comparison_tables(comparison: Comparison) -> list[Table]:
    """The systems, their pairs, and each slice likewise.

    Args:
        comparison: any comparison.
    """
    tables = [systems_table(comparison), pairs_table(comparison)]
    for each in comparison.groups:
        tables += [systems_table(each), pairs_table(each)]
    return tables


def comparison_html(comparison: Comparison) -> str:
    """A comparison as HTML, without scripts or style sheets."""
    return "".join(map(html_table, comparison_tables(comparison)))


def systems_table(comparison: Comparison) -> Table:
    """A row per system, best first, a line between clusters."""
    percent = f"{100 * comparison.level:g} %"
    table = Table(
        [
            Column("rank", True),
            Column("ranks", True),
            Column("system"),
            Column(comparison.figure, True),
            Column(f"{percent} from", True),
            Column("to", True),
        ],
        title=title(comparison),
    )
    order = sorted(comparison.systems, key=lambda each: each.rank)
    for each in order:
        numbers = each.value, each.low, each.high
        values = (_shown(comparison, number) for number in numbers)
        table.rows.append((each.rank, _ranks(each), each.system, *values))
    places = {each.system: place for place, each in enumerate(order)}
    table.rules = {
        min(places[name] for name in group) for group in comparison.clusters[1:]
    }
    return table


def pairs_table(comparison: Comparison) -> Table:
    """A row per pair: how it differs, and by how much chance."""
    table = Table(
        [
            Column("a"),
            Column("b"),
            *(Column(name, True) for name in ("a - b", "from", "to", "p", "adjusted")),
            *(Column(name, True) for name in ("wins", "ties", "losses", "effect")),
        ]
    )
    for each in comparison.pairs:
        numbers = each.difference, each.low, each.high
        table.rows.append(
            (
                each.a,
                each.b,
                *(_shown(comparison, number) for number in numbers),
                _probability(each.p),
                _probability(each.p_adjusted),
                each.wins,
                each.ties,
                each.losses,
                None if each.effect is None else f"{each.effect:z.2f}",
            )
        )
    return table


def title(comparison: Comparison) -> str:
    """Metric, figure, slice and units in a line."""
    slice_ = ", ".join(f"{name} {value}" for name, value in comparison.slice.items())
    best = ", lowest best" if comparison.lowest_best else ""
    where = f" ({slice_})" if slice_ else ""
    units = f"{comparison.units} {comparison.unit}{'s' * (comparison.units != 1)}"
    return f"{comparison.metric}: {comparison.figure}{best}{where}, {units}"


def _shown(comparison: Comparison, value: float | None) -> Any:
    if value is None or not comparison.metric.is_ratio(comparison.figure, value):
        return value
    return Ratio(value)


def _ranks(each: Rated) -> str | None:
    if each.rank_low is None:
        return None
    if each.rank_low == each.rank_high:
        return str(each.rank_low)
    return f"{each.rank_low}-{each.rank_high}"


def _probability(p: float | None) -> str | None:
    """A p-value as journals print it.

    >>> _probability(0.04312), _probability(0.00009999), _probability(1.0)
    ('0.0431', '0.0001', '1')
    """
    return None if p is None else f"{p:.3g}" if p >= 0.001 else f"{p:.1g}"


_SYSTEM = tuple(name for name in Rated._fields if name != "system")
_PAIR = ("p", "p_adjusted", "wins", "ties", "losses", "effect")


def flat_columns(by: Sequence[str] = ()) -> list[str]:
    """Names of the columns of :func:`flat_rows`."""
    head = ["metric", "figure", *by, "unit", "units", "samples", "seed", "level"]
    return [*head, "system", "against", "cluster", *_SYSTEM, *_PAIR]


def flat_rows(comparison: Comparison) -> Iterator[tuple[Any, ...]]:
    """A row per system, with what it is *against* empty, and one per pair.

    The *value* of a pair is its difference.  Rows of the whole come first, those of
    slices after them.
    """
    for each in (comparison, *comparison.groups):
        head = (
            str(each.metric),
            each.figure,
            *(each.slice.get(name, "") for name in comparison.by),
            *(each.unit, each.units, each.samples, each.seed, each.level),
        )
        cluster = {
            name: number
            for number, group in enumerate(each.clusters, 1)
            for name in group
        }
        for system in each.systems:
            own = (system.system, "", cluster[system.system])
            yield (*head, *own, *system[1:], *(None for _ in _PAIR))
        for pair in each.pairs:
            yield (*head, *_pair_cells(pair))


def _pair_cells(pair: Tested) -> tuple[Any, ...]:
    ends = (pair.difference, pair.low, pair.high)
    blank = (None for _ in range(len(_SYSTEM) - len(ends)))
    return (
        *(pair.a, pair.b, None, *ends, *blank),
        *(getattr(pair, name) for name in _PAIR),
    )


def nested_rows(comparison: Comparison) -> Iterator[dict[str, Any]]:
    """The whole and each slice as in the JSON contract, one value each."""
    for each in (comparison, *comparison.groups):
        value = each.to_dict()
        value.pop("groups", None)
        yield value
