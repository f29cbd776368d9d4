"""The queries of pages, which ``queries.sql`` has by their names.

All values are written in as literals.  Statements that pages show to be copied use the
documented views alone; those that have to be quick use the tables behind them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files

from graphscore.store.evaluations import Evaluation
from graphscore.store.read.queries import literal

Wanted = Mapping[str, str | None]

Known = Mapping[str, str | tuple[int, ...] | None]
"""Filters, with labels and values by their ids.

A text may have several: one of each type.
"""

Hits = Sequence[tuple[int, int]]
"""Positions of units in their evaluation, and of errors in their unit."""

COUNTED = frozenset({"framework", "tuple_type", "error_type"})
"""Columns by which errors are counted when an evaluation is made."""

FILTERS = (
    *("framework", "language", "document", "layer", "item"),
    *("tuple_type", "error_type", "label", "value"),
)
"""Columns by which errors can be filtered."""

_UNIT = frozenset({"framework", "language", "document", "layer", "item"})

SYMBOLS = ("label", "name", "value")
"""Filters whose texts are kept once, and have numbers."""

_NAME = re.compile(r"^-- (\w+)(?::.*)?\n", re.MULTILINE)


class Sql(str):
    """Part of a query, which stands in it as it is."""


@lru_cache(maxsize=1)
def _queries() -> dict[str, str]:
    """The queries by their names."""
    text = files(__package__).joinpath("queries.sql").read_text("utf-8")
    _, *parts = _NAME.split(text.partition("\n\n")[2])
    return {
        name: query.strip().removesuffix(";")
        for name, query in zip(parts[::2], parts[1::2], strict=True)
    }


def query(name: str, /, **values: str | int) -> Sql:
    """Return a query with its values.

    Args:
        name: the name that it has in ``queries.sql``.
        values: what is filled in: texts as literals, :class:`Sql` as it is.

    Example:
        >>> query("symbols", text="it's")
        "select id from symbol where text = 'it''s'"
    """
    written = {
        key: literal(value)
        if isinstance(value, str) and not isinstance(value, Sql)
        else value
        for key, value in values.items()
    }
    return Sql(_queries()[name].format_map(written))


def conditions(filters: Known, unit: str, error: str = "") -> Sql:
    """Return the conditions on rows that follow others.

    Args:
        filters: values of columns; ``None`` filters nothing.
        unit: the table of units, with a dot.
        error: the table of errors, if there is one, with a dot.
    """
    parts = []
    for name, value in filters.items():
        if value is None:
            continue
        column = f"{unit if name in _UNIT or not error else error}{name}"
        if isinstance(value, tuple):
            # Compared with one number, rows are passed over faster.
            column = f"coalesce({column}, 0)" if name == "name" else column
            numbers = ", ".join(map(str, value)) or "null"
            parts.append(f"{column} {'=' if len(value) < 2 else 'in'} ({numbers})")
        else:
            parts.append(f"{column} = {literal(value)}")
    return Sql("".join(f"\n  and {part}" for part in parts))


def _errors(made: Evaluation, hits: Hits | None) -> Sql:
    """Return the SQL of errors ``x`` of pairs ``p``.

    Args:
        made: the evaluation.
        hits: those that may be it, if they are known.
    """
    if hits is None:
        return query("all_errors", evaluation=made.id)
    values = ", ".join(f"({unit:d}, {error:d})" for unit, error in hits or [(-1, -1)])
    return query("known_errors", evaluation=made.id, hits=Sql(values))


def groups_sql(
    made: Evaluation, filters: Known, first: int, count: int, hits: Hits | None = None
) -> Sql:
    """The most frequent errors, folded by framework, types, name and value.

    Args:
        made: the evaluation.
        filters: what they are narrowed by, any of :data:`FILTERS`.
        first: how many groups are left out at the beginning.
        count: how many follow.
        hits: the errors that may be it, if they are known.
    """
    names = {name for name, value in filters.items() if value is not None}
    if names <= COUNTED | {"value", "name"}:
        where = conditions(filters, "t.")
        groups = query("counted_groups", evaluation=made.id, where=where)
    else:
        where = conditions(filters, "p.", "x.")
        groups = query("single_groups", errors=_errors(made, hits), where=where)
    return query("error_groups", groups=groups, first=first, count=count)


def occurrences_sql(
    made: Evaluation,
    filters: Known,
    first: int,
    count: int,
    null: bool = False,
    hits: Hits | None = None,
) -> Sql:
    """Single errors in the order of items.

    Args:
        made: the evaluation.
        filters: what they are narrowed by, also ``name``.
        first: how many are left out at the beginning.
        count: how many follow.
        null: whether only those without a value are wanted.
        hits: the errors that may be it, if they are known.
    """
    where = conditions(filters, "p.", "x.")
    if null:
        where = Sql(f"{where}\n  and coalesce(x.value, 0) = 0")
    rows = {"errors": _errors(made, hits), "where": where}
    return query("single_errors", **rows, first=first, count=count)


def totals_sql(made: Evaluation, column: str, filters: Wanted) -> Sql:
    """Return SQL that counts errors by a column and error type, from stored counts.

    Args:
        made: the evaluation.
        column: ``framework``, ``document`` or ``tuple_type``.
        filters: the framework and document that they are in.
    """
    known = {name: filters.get(name) for name in ("framework", "document")}
    where = conditions(known, "t.")
    return query("error_totals", evaluation=made.id, column=Sql(column), where=where)


def changes_sql(baseline: Evaluation, system: Evaluation, filters: Wanted) -> Sql:
    """Errors that are fixed, broken and left, by framework, tuple type and error type.

    Args:
        baseline: the baseline.
        system: the other, of the same gold collection and metric.
        filters: ``framework``, ``language``, ``document``, ``item``, ``layer``.
    """
    where = conditions(filters, "p.")
    return query("changes", baseline=baseline.id, system=system.id, where=where)


def single_changes_sql(
    baseline: Evaluation, system: Evaluation, filters: Wanted
) -> Sql:
    """Errors of an item that are fixed, broken and left, one by one.

    Args:
        baseline: the baseline.
        system: the other.
        filters: ``item``, and what else is known of it.
    """
    return query(
        "single_changes",
        gold=baseline.gold,
        metric=baseline.metric,
        scope=baseline.scope,
        baseline=baseline.system,
        system=system.system,
        where=conditions(filters, ""),
    )


def pattern_of(text: str, dialect: str) -> Sql:
    """Return the condition that a text has something in it, in small or large letters.

    Args:
        text: what.
        dialect: the database.
    """
    for character in "\\%_":
        text = text.replace(character, f"\\{character}")
    like = "ilike" if dialect == "postgresql" else "like"
    return Sql(f"{like} {literal(f'%{text}%')} escape '\\'")


def graphs_sql(
    number: int, filters: Wanted, dialect: str, first: int, count: int
) -> Sql:
    """Graphs of a collection, in an order in which they need not be sorted.

    Args:
        number: of the collection.
        filters: ``framework``, ``language``, ``layer``, ``document``; ``find``, which
            their ids have in them.
        dialect: the database.
        first: how many are left out at the beginning.
        count: how many follow.
    """
    known = {name: value for name, value in filters.items() if name != "find"}
    where = conditions(known, "g.")
    if find := filters.get("find"):
        where = Sql(f"{where}\n  and g.item {pattern_of(find, dialect)}")
    return query("graphs", collection=number, where=where, first=first, count=count)
