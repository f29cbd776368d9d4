"""The most frequent errors of a system, asked of a store in plain SQL.

Both statements use the public views only and have all values written in, so that
they can be copied, changed and run with ``graphscore query``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from graphscore.errors import UsageError, meant
from graphscore.rows import Rows, Tabular, numbers_of
from graphscore.store.reading.literals import literal

COLUMNS = (
    "framework",
    "language",
    "document",
    "item",
    "layer",
    "kind",
    "side",
    "label",
    "name",
    "value",
    "reason",
)
"""What errors can be grouped by."""

ERROR_GROUPS = ("framework", "kind", "side", "name", "value")

COUNTED = frozenset({"gold", "system", "metric", *ERROR_GROUPS})
"""Columns of ``v_error_tuples``."""

_NULLABLE = frozenset({"label", "value", "gold_value", "system_value"})

LISTED = 100
"""Values that are written into a statement; more are not worth filtering."""

_KEY = ("framework", "kind", "name")
"""What an error and its confusion have in common, beside the value."""

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
        a last column says what stands there instead, most often, with its count.

    Raises:
        UsageError: if a column is unknown.
    """
    refuse_unknown(by)
    counted = errors_sql(wanted, by, top)
    columns, found = ask(counted)
    rows = [tuple(row) for row in found]
    narrow = any(wanted.get(name) is not None for name in ("item", "layer"))
    if not tells_instead(by) or narrow:
        return Frequent(tuple(columns), rows, [counted])
    place = columns.index("value")
    values = {row[place] for row in rows} - {None}
    if not values:
        return Frequent(*with_instead(columns, rows, ()), [counted])
    asked = confusions_sql(wanted, sorted(map(str, values)))
    return Frequent(*with_instead(columns, rows, ask(asked)[1]), [counted, asked])


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


def tells_instead(by: Sequence[str]) -> bool:
    """Whether groups tell all by which what stands there instead is found."""
    return {*_KEY, "side", "value"} <= set(by)


def with_instead(
    columns: Sequence[str],
    rows: Iterable[tuple[Any, ...]],
    confusions: Iterable[Sequence[Any]],
) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    """Groups of errors with what stands there instead, most often, and its count.

    Args:
        columns: of the groups, as for :func:`tells_instead`.
        rows: the groups.
        confusions: framework, kind, name, both values and their number; the most
            frequent first.

    Returns:
        The columns and rows, each with one more.
    """
    places = [columns.index(name) for name in (*_KEY, "side", "value")]
    instead: dict[tuple[Any, ...], str] = {}
    for framework, kind, name, gold, system, times in confusions:
        head = (framework, kind, name)
        instead.setdefault((*head, "missing", gold), f"{_shown(system)} ({times})")
        instead.setdefault((*head, "surplus", system), f"{_shown(gold)} ({times})")
    told = [(*row, instead.get(tuple(row[place] for place in places))) for row in rows]
    return (*columns, "instead"), told


CONFUSION_FILTERS = frozenset(
    {"gold", "system", "metric", "framework", "document", "kind"}
)
"""What confusions can be narrowed by."""


def frequent_confusions(
    ask: Ask, wanted: Mapping[str, str | None], top: int = 20
) -> Frequent:
    """Count which value stands where gold has which other one.

    Args:
        ask: runs SQL on the store.
        wanted: values of columns of ``v_confusions``; ``None`` filters nothing.
        top: how many pairs of values.

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
    counted = _counted_confusions(_where(wanted)) + f"\nlimit {top:d}"
    columns, found = ask(counted)
    return Frequent(tuple(columns), [tuple(row) for row in found], [counted])


def _shown(value: str | None) -> str:
    return "null" if value is None else value


def _where(wanted: Mapping[str, str | None]) -> str:
    given = [
        f"{name} = {literal(value)}"
        for name, value in wanted.items()
        if value is not None
    ]
    return f"\nwhere {' and '.join(given)}" if given else ""


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
            + _where(wanted)
            + f"\norder by errors desc, {_order(by)}\nlimit {top:d}"
        )
    return (
        f"select {columns + ', ' if columns else ''}count(*) as errors\nfrom v_errors"
        + _where(wanted)
        + (f"\ngroup by {columns}\norder by errors desc, {_order(by)}" if by else "")
        + f"\nlimit {top:d}"
    )


def confusions_sql(wanted: Mapping[str, str | None], values: Sequence[str]) -> str:
    """SQL that counts what stands in the place of *values*, most frequent first."""
    known = ("gold", "system", "metric", "framework", "document", "kind")
    where = _where({name: wanted.get(name) for name in known})
    # A character without a literal in SQL: everything is counted, and looked up.
    if len(values) <= LISTED and not any("\x00" in each for each in values):
        listed = ", ".join(map(literal, values))
        where += "\n  and " if where else "\nwhere "
        where += f"(gold_value in ({listed})\n  or system_value in ({listed}))"
    return _counted_confusions(where)


def _counted_confusions(where: str) -> str:
    return (
        "select framework, kind, name, gold_value, system_value,\n"
        "  sum(confusions) as times\nfrom v_confusions"
        + where
        + "\ngroup by framework, kind, name, gold_value, system_value"
        + "\norder by times desc, framework, kind, name, "
        + _order(("gold_value", "system_value"))
    )
