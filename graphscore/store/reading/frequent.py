"""The most frequent errors of a system, asked of a store in plain SQL.

All statements use the public views only and have all values written in, so that
they can be copied, changed and run with ``graphscore query``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from graphscore.errors import UsageError, meant
from graphscore.rows import Rows, Tabular, numbers_of
from graphscore.store.reading.instead import (
    CHOSEN,
    Instead,
    labels_sql,
    listed,
    nothing_sql,
    other,
    paired_sql,
    tells_heads,
    tells_instead,
    where,
    with_instead,
)

COLUMNS = (
    "framework",
    "language",
    "document",
    "item",
    "layer",
    "kind",
    "side",
    "level",
    "object",
    "label",
    "name",
    "value",
    "compared",
    "reason",
)
"""What errors can be grouped by."""

ERROR_GROUPS = ("framework", "kind", "side", "name", "value")

COUNTED = frozenset({"gold", "system", "metric", "scope", *ERROR_GROUPS})
"""Columns of ``v_error_tuples``."""

_NULLABLE = frozenset({"label", "value", "compared", "gold_value", "system_value"})

_NARROW = ("item", "layer")
"""What ``v_confusions`` does not tell."""

_NAME, _GOLD, _SYSTEM = 2, 3, 4
"""Where a confusion has its name and values."""

Ask = Callable[[str], tuple[Sequence[str], Iterable[tuple[Any, ...]]]]
"""Runs SQL and gives names of columns and rows."""


class _Frequent(NamedTuple):
    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    sql: list[str]


class Frequent(Rows, _Frequent):
    """The most frequent errors and the SQL behind them: columns, rows, statements."""

    def tabular(self) -> Tabular:
        """Columns and rows."""
        return Tabular(self.columns, self.rows)

    def flat(self) -> dict[str, float]:
        """How often, by what is counted; a value that is null is called so."""
        [times] = [name for name in ("errors", "times") if name in self.columns]
        named = [name for name in self.columns if name not in (times, "instead")]
        rows = [["null" if x is None else x for x in row] for row in self.rows]
        return numbers_of(self.columns, rows, named, [times])


def frequent_errors(
    ask: Ask,
    wanted: Mapping[str, str | None],
    by: Sequence[str] = ERROR_GROUPS,
    top: int = 20,
) -> Frequent:
    """Group and count errors.

    Args:
        ask: runs SQL on the store.
        wanted: values of columns of ``v_errors``: ``gold``, ``system``, ``metric``
            and filters; ``None`` filters nothing.
        by: columns to group by.
        top: how many groups.

    Returns:
        Groups, most frequent first.  Where they tell kind, side, name and value,
        a last column says what stands there instead, most often, with its count, and
        in how many places there is nothing.

    Raises:
        UsageError: if a column is unknown.
    """
    refuse_unknown(by)
    counted = errors_sql(wanted, by, top)
    columns, found = ask(counted)
    rows = [tuple(row) for row in found]
    if not tells_instead(by) or not rows:
        return Frequent(tuple(columns), rows, [counted])
    statements = [counted]

    def asked(statement: str) -> list[tuple[Any, ...]]:
        statements.append(statement)
        return [tuple(row) for row in ask(statement)[1]]

    values, only = _there(columns, rows)
    narrow = any(wanted.get(name) is not None for name in _NARROW)
    instead: list[Instead] = []
    if narrow or {*by} != {*ERROR_GROUPS}:
        instead = list(map(_instead, asked(paired_sql(wanted, by, only))))
    elif values:
        confusions = asked(confusions_sql(wanted, values))
        unlike = [row for row in confusions if row[_GOLD] != row[_SYSTEM]]
        same = len(unlike) < len(confusions)
        headed = sorted({row[_NAME] for row in unlike if tells_heads(row[_NAME])})
        if headed:
            # Of these more is told than the values, which are in the errors alone.
            each = asked(paired_sql(wanted, by, {**only, "name": headed}))
            instead = list(map(_instead, each))
            unlike = [row for row in unlike if row[_NAME] not in headed]
        left = [name for name in only["name"] if name not in headed]
        if same and left:
            # They differ in something else than the value.
            equal = asked(paired_sql(wanted, by, {**only, "name": left}, equal=True))
            instead += map(_instead, equal)
        instead += [each for row in unlike for each in _of_both(row, by)]
    nothing = [
        (tuple(group), times) for *group, times in asked(nothing_sql(wanted, by, only))
    ]
    return Frequent(*with_instead(columns, rows, instead, nothing), statements)


def _there(
    columns: Sequence[str], rows: Iterable[tuple[Any, ...]]
) -> tuple[list[str], dict[str, list[str]]]:
    """The values of groups, and by column the frameworks, kinds and names of them."""
    found = {
        name: {row[columns.index(name)] for row in rows} for name in ("value", *CHOSEN)
    }
    values = sorted(map(str, found.pop("value") - {None}))
    return values, {name: sorted(each) for name, each in found.items()}


def _instead(row: tuple[Any, ...]) -> Instead:
    """A row of :func:`~graphscore.store.reading.instead.paired_sql`."""
    *group, there, there_compared, own, own_compared, times = row
    return Instead(tuple(group), own, there, own_compared, there_compared, times)


def _of_both(row: tuple[Any, ...], by: Sequence[str]) -> Iterator[Instead]:
    """A confusion as the errors of either side see it."""
    framework, kind, name, gold, system, times = row
    for side, own, there in (("missing", gold, system), ("surplus", system, gold)):
        known = dict(zip(ERROR_GROUPS, (framework, kind, side, name, own), strict=True))
        group = tuple(known[column] for column in by)
        yield Instead(group, own, there, None, None, times)


def refuse_unknown(by: Sequence[str]) -> None:
    """Refuse columns that errors cannot be grouped by.

    Raises:
        UsageError: naming those that there are.
    """
    for name in by:
        if name not in COLUMNS:
            raise UsageError(
                f"--by {name}{meant(name, COLUMNS)}: there are {', '.join(COLUMNS)}"
            )


CONFUSION_FILTERS = frozenset(
    {"gold", "system", "metric", "scope", "framework", "document", "kind"}
)
"""What confusions can be narrowed by."""


def frequent_confusions(
    ask: Ask,
    wanted: Mapping[str, str | None],
    top: int = 20,
    labels: bool = False,
) -> Frequent:
    """Count which value stands where gold has which other one.

    Args:
        ask: runs SQL on the store.
        wanted: values of columns of ``v_confusions``; ``None`` filters nothing.
        top: how many pairs of values.
        labels: whether labels are counted, such as roles, and not values; those of
            all kinds are mistaken for each other.

    Returns:
        Pairs of values at objects that correspond, most frequent first, by
        framework, kind and name.

    Raises:
        UsageError: if *wanted* has something that confusions do not tell.
    """
    for name, value in wanted.items():
        if value is not None and name not in CONFUSION_FILTERS:
            raise UsageError(
                f"confusions have no {name}; they can be narrowed by: "
                "framework, document, kind"
            )
    counted = labels_sql(wanted) if labels else _counted_confusions(where(wanted))
    counted += f"\nlimit {top:d}"
    columns, found = ask(counted)
    rows = [without_equal(tuple(row)) for row in found]
    return Frequent(tuple(columns), rows, [counted])


def without_equal(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """A confusion that does not say that something is mistaken for itself.

    Args:
        row: framework, kind, name, both values, and what follows.

    Example:
        >>> without_equal(("ud", "all", "head", "punct", "punct", 56))
        ('ud', 'all', 'head', 'punct', '(other head)', 56)
    """
    name, gold, system = row[_NAME : _SYSTEM + 1]
    if gold != system:
        return row
    return (*row[:_SYSTEM], other(name), *row[_SYSTEM + 1 :])


def _order(columns: Sequence[str]) -> str:
    """Columns to sort by; databases differ in where they put what has no value."""
    return ", ".join(
        f"{name} nulls first" if name in _NULLABLE else name for name in columns
    )


def errors_sql(wanted: Mapping[str, str | None], by: Sequence[str], top: int) -> str:
    """SQL that counts errors by *by*, most frequent first."""
    columns = ", ".join(by)
    asked = {name for name, value in wanted.items() if value is not None}
    if tuple(by) == ERROR_GROUPS and asked <= COUNTED:
        # Counted when the evaluation was made: no need to go through the errors.
        return (
            f"select {columns}, errors\nfrom v_error_tuples"
            + where(wanted)
            + f"\norder by errors desc, {_order(by)}\nlimit {top:d}"
        )
    return (
        f"select {columns + ', ' if columns else ''}count(*) as errors\nfrom v_errors"
        + where(wanted)
        + (f"\ngroup by {columns}\norder by errors desc, {_order(by)}" if by else "")
        + f"\nlimit {top:d}"
    )


def confusions_sql(wanted: Mapping[str, str | None], values: Sequence[str]) -> str:
    """SQL that counts what stands in the place of *values*, most frequent first."""
    known = {name: wanted[name] for name in wanted if name in CONFUSION_FILTERS}
    clause = where(known)
    if own := listed("gold_value", values):
        clause += "\n  and " if clause else "\nwhere "
        clause += f"({own}\n  or {listed('system_value', values)})"
    return _counted_confusions(clause)


def _counted_confusions(clause: str) -> str:
    return (
        "select framework, kind, name, gold_value, system_value,\n"
        "  sum(confusions) as times\nfrom v_confusions"
        + clause
        + "\ngroup by framework, kind, name, gold_value, system_value"
        + "\norder by times desc, framework, kind, name, "
        + _order(("gold_value", "system_value"))
    )
