"""The most frequent errors of a system, with what stands there instead, in plain SQL.

All statements use the public views only and have all values written in, so that
they can be copied, changed and run with ``graphscore query``.

What is missing and what is spurious stand in each other's place where both are of one
tuple type and name, and of the same object on both sides.  Where no tuple stands
there, an error has nothing instead.  Where both have one value, they differ in what
was compared, such as the head of a word whose relation is right.  Where head and
relation are wrong, what stands there is the relation, and then which heads they have
most often: ``nmod instead (3), head see, not eat (2), nothing there (2)``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from graphscore.exceptions import UsageError, amount, did_you_mean
from graphscore.rows import Rows, Tabular, brief, numbers_of
from graphscore.store.read.queries import literal

COLUMNS = (
    "framework",
    "language",
    "document",
    "item",
    "layer",
    "tuple_type",
    "error_type",
    "level",
    "object",
    "label",
    "name",
    "value",
    "compared",
    "reason",
)
"""Columns by which errors can be grouped."""

ERROR_GROUPS = ("framework", "tuple_type", "error_type", "name", "value")

COUNTED = frozenset({"gold", "system", "metric", "scope", *ERROR_GROUPS})
"""Columns of ``v_error_tuples``."""

PLACE = (
    *("gold", "system", "metric", "scope", "framework", "tuple_type", "name"),
    *("language", "layer", "document", "gold_ordinal", "system_ordinal", "item"),
)
"""Columns of ``v_errors``: what is equal for errors in each other's place.

SQLite compares the last one first, which tells most errors apart.
"""

CONFUSION_FILTERS = frozenset(
    {"gold", "system", "metric", "scope", "framework", "document", "tuple_type"}
)
"""Columns by which confusions can be filtered."""

_NULLABLE = frozenset({"label", "value", "compared"})

_NAME, _GOLD, _SYSTEM = 2, 3, 4
"""Indexes of the name and values of a confusion."""

Wanted = Mapping[str, str | None]
"""Values of columns of a view; ``None`` filters nothing."""

Ask = Callable[[str], tuple[Sequence[str], Iterable[tuple[Any, ...]]]]
"""Runs SQL and gives names of columns and rows."""


class _Frequent(NamedTuple):
    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    sql: list[str]


class Frequent(Rows, _Frequent):
    """The most frequent errors and the SQL behind them: columns, rows, statements."""

    def __repr__(self) -> str:
        return brief("Frequent", amount(len(self.rows), "row"))

    def tabular(self) -> Tabular:
        """Columns and rows."""
        return Tabular(self.columns, self.rows)

    def numbers(self) -> dict[str, float]:
        """Number of errors by what is counted; a value that is null is called so."""
        [times] = [name for name in ("errors", "times") if name in self.columns]
        named = [name for name in self.columns if name not in (times, "instead")]
        rows = [["null" if x is None else x for x in row] for row in self.rows]
        return numbers_of(self.columns, rows, named, [times])


def frequent_errors(
    ask: Ask,
    filters: Wanted,
    by: Sequence[str] = ERROR_GROUPS,
    top: int = 20,
) -> Frequent:
    """Group and count errors.

    Args:
        ask: runs SQL on the store.
        filters: values of columns of ``v_errors``: ``gold``, ``system``, ``metric``
            and filters; ``None`` filters nothing.
        by: columns to group by.
        top: how many groups.

    Returns:
        Groups, most frequent first.  Where they tell tuple type, error type, name and
        value, a last column says what stands there instead, most often, with its
        count, and in how many places there is nothing.

    Raises:
        UsageError: if a column is unknown.
    """
    for name in by:
        if name not in COLUMNS:
            raise UsageError(
                f"--by {name}{did_you_mean(name, COLUMNS)}: there are "
                f"{', '.join(COLUMNS)}"
            )
    statement = _counted_errors(filters, by, top)
    if {*ERROR_GROUPS} <= {*by}:
        statement = _with_instead(statement, filters, by)
    columns, cursor = ask(statement)
    rows = [tuple(row) for row in cursor]
    # Of no errors nothing stands instead.
    known = columns if rows else [*by, "errors"]
    return Frequent(tuple(known), rows, [statement])


def _counted_errors(filters: Wanted, by: Sequence[str], top: int) -> str:
    """SQL that counts errors by *by*, most frequent first."""
    names = {name for name, value in filters.items() if value is not None}
    # Counted when the evaluation was made: no need to go through the errors.
    is_counted = tuple(by) == ERROR_GROUPS and names <= COUNTED
    columns = "".join(f"{name}, " for name in by)
    return (
        f"select {columns}{'errors' if is_counted else 'count(*) as errors'}"
        f"\nfrom {'v_error_tuples' if is_counted else 'v_errors'}{where(filters)}"
        + f"\ngroup by {', '.join(by)}" * (bool(by) and not is_counted)
        + f"\norder by errors desc, {_order(by)}" * bool(by)
        + f"\nlimit {top:d}"
    )


_SAME = "coalesce({0} = {1}, {0} is null and {1} is null)"

_SHOWN = "case {0} when '' then '(empty)' else coalesce({0}, 'null') end"

# ``said`` is what was compared, where that is not the value.  It matters where the
# values are the same, and where the head differs with them.
_INSTEAD = """\
with counted as (
{counted}),
top as (
  select *, row_number() over (order by errors desc, {order}) as number from counted),
e as (
  select {columns}, coalesce(compared, label) as said
  from v_errors{filtered} error_type <> 'partial'
    and (framework, tuple_type, name) in (select framework, tuple_type, name from top)),
paired as (
  select t.number, x.error_type, x.value as there, x.said as there_said, o.said as
  own_said,
    {same_value} as same,
    substr(o.name, 1, 5) = 'head+' and not {same_said} as headed
  from e o cross join top t
  left join e x on {place} and o.error_type <> x.error_type
  where {own}),
told as (
  select number, same, there,
    case when same or headed then there_said end as there_said,
    case when same or headed then own_said end as own_said,
    count(error_type) as times, count(*) - count(error_type) as alone
  from paired group by 1, 2, 3, 4, 5),
summed as (
  select *, sum(alone) over (partition by number) as all_alone,
    case when same then times
      else sum(times) over (partition by number, same, there) end as total,
    not same and coalesce(there_said, own_said) is not null as headed
  from told),
ranked as (
  select *, {there} as shown, {said} as shown_said, {same_told} as same_said,
    row_number() over (partition by number order by total desc, there nulls first,
      case when headed then times else 0 end desc,
      there_said nulls first, own_said nulls first) as rank
  from summed),
best as (
  select t.*,
    case when all_alone > 0 then 'nothing there (' || all_alone || ')' end as alone,
    case when total > 0 then
      case when not same then
          case when there is null and t.name = '' then '(no label)' else shown end
          || ' instead'
        when not same_said then shown_said
        when t.name = '' then '(elsewhere)'
        else '(other ' || t.name || ')' end
      || ' (' || total || ')'
      || case when headed then ', head ' || shown_said else '' end
      || case when headed and times < total then ' (' || times || ')' else '' end
    end as beside
  from top t left join ranked r on r.number = t.number and r.rank = 1)
select {by}, errors, coalesce(beside || ', ' || alone, beside, alone) as instead
from best order by number"""


def _with_instead(counted: str, filters: Wanted, by: Sequence[str]) -> str:
    """SQL that says of groups of errors what stands there instead.

    Args:
        counted: SQL that counts the groups.
        filters: values of columns of ``v_errors``.
        by: what errors are grouped by.
    """
    fixed = {name: filters[name] for name in PLACE if filters.get(name) is not None}
    free_columns = [name for name in PLACE if name not in fixed]
    shown = _SHOWN.format("there_said")
    if "compared" not in by:
        shown += f" || ', not ' || {_SHOWN.format('own_said')}"
    own = (
        (_SAME if name in _NULLABLE else "{0} = {1}").format(f"o.{name}", f"t.{name}")
        for name in by
    )
    return _INSTEAD.format(
        counted=counted,
        order=_order(by),
        columns=", ".join(dict.fromkeys((*free_columns, *by, "error_type"))),
        filtered=where(fixed) + ("\n    and" if fixed else "\n  where"),
        same_value=_SAME.format("o.value", "x.value"),
        same_said=_SAME.format("o.said", "x.said"),
        same_told=_SAME.format("there_said", "own_said"),
        place="\n    and ".join(f"o.{name} = x.{name}" for name in free_columns),
        own="\n    and ".join(own),
        there=_SHOWN.format("there"),
        said=shown,
        by=", ".join(by),
    )


def where(filters: Wanted) -> str:
    """The clause that filters by what is wanted; nothing where nothing is."""
    conditions = [
        f"{name} = {literal(value)}"
        for name, value in filters.items()
        if value is not None
    ]
    return f"\nwhere {' and '.join(conditions)}" if conditions else ""


def frequent_confusions(
    ask: Ask,
    filters: Wanted,
    top: int = 20,
    labels: bool = False,
) -> Frequent:
    """Count which value stands where gold has which other one.

    Args:
        ask: runs SQL on the store.
        filters: values of columns of ``v_confusions``; ``None`` filters nothing.
        top: how many pairs of values.
        labels: whether labels are counted, such as roles, and not values; those of
            all tuple types are mistaken for each other.

    Returns:
        Pairs of values at objects that correspond, most frequent first, by
        framework, tuple type and name.

    Raises:
        UsageError: if *filters* has something that confusions do not tell.
    """
    for name, value in filters.items():
        if value is not None and name not in CONFUSION_FILTERS:
            raise UsageError(
                f"confusions have no {name}; they can be narrowed by: "
                "framework, document, tuple_type"
            )
    counted = _labels_sql(filters) if labels else _confusions_sql(filters)
    counted += f"\nlimit {top:d}"
    columns, cursor = ask(counted)
    rows = [without_equal(tuple(row)) for row in cursor]
    return Frequent(tuple(columns), rows, [counted])


def without_equal(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """A confusion that does not say that something is mistaken for itself.

    Args:
        row: framework, tuple_type, name, both values, and what follows.

    Example:
        >>> without_equal(("ud", "all", "head", "punct", "punct", 56))
        ('ud', 'all', 'head', 'punct', '(other head)', 56)
    """
    name, gold, system = row[_NAME : _SYSTEM + 1]
    if gold != system:
        return row
    elsewhere = f"(other {name})" if name else "(elsewhere)"
    return (*row[:_SYSTEM], elsewhere, *row[_SYSTEM + 1 :])


def _order(columns: Sequence[str]) -> str:
    """Columns to sort by; databases differ in where they put what has no value."""
    return ", ".join(
        f"{name} nulls first" if name in _NULLABLE else name for name in columns
    )


def _confusions_sql(filters: Wanted) -> str:
    """SQL that counts the values that stand in each other's place."""
    return (
        "select framework, tuple_type, name, gold_value, system_value,\n"
        "  sum(confusions) as times\nfrom v_confusions"
        + where(filters)
        + "\ngroup by framework, tuple_type, name, gold_value, system_value"
        + "\norder by times desc, framework, tuple_type, name, "
        + "gold_value nulls first, system_value nulls first"
    )


def _labels_sql(filters: Wanted) -> str:
    """SQL that counts the labels of what stands in each other's place, of any type.

    Args:
        filters: values of columns of ``v_errors``; a tuple type is that of gold.
    """
    result = {name: value for name, value in filters.items() if name != "tuple_type"}
    columns = [name for name in PLACE if name != "tuple_type"]
    same_place = "\n    and ".join(f"o.{name} = x.{name}" for name in columns)
    tuple_type = (
        f"\n  and o.tuple_type = {literal(given)}"
        if (given := filters.get("tuple_type"))
        else ""
    )
    return (
        f"with e as (\n  select {', '.join(PLACE)}, error_type, object, label"
        f"\n  from v_errors{where(result)})"
        "\nselect o.framework, o.tuple_type, o.name, o.label as gold_value,"
        "\n  x.label as system_value, count(*) as times"
        f"\nfrom e o join e x on {same_place}\n    and o.object = x.object"
        "\nwhere o.error_type = 'missing' and x.error_type = 'spurious' and o.label "
        "<> x.label"
        f"{tuple_type}\ngroup by o.framework, o.tuple_type, o.name, o.label, x.label"
        "\norder by times desc, o.framework, o.tuple_type, o.name, gold_value, "
        "system_value"
    )
