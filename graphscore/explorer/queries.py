"""The SQL of pages, over what the store counted already wherever that is enough.

All values are written in as literals.  Statements that pages show to be copied use the
documented views alone; those that have to be quick use the tables behind them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graphscore.store.evaluations import Evaluation
from graphscore.store.read.literals import literal

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

_TEXT = "(select y.text from symbol y where y.id = {})"

_SAME = (
    "x.tuple_type, x.error_type, coalesce(x.name, 0) as name, "
    "coalesce(x.value, 0) as value"
)


def symbols_sql(text: str) -> str:
    """The numbers of a text, of whatever type.

    Args:
        text: a label, name or value.
    """
    return f"select id from symbol where text = {literal(text)}"


def _conditions(wanted: Known, unit: str, error: str) -> str:
    """Return the SQL conditions on rows, by the names of their tables."""
    conditions = []
    for name, value in wanted.items():
        if value is None:
            continue
        of = f"{unit if name in _UNIT else error}.{name}"
        if isinstance(value, tuple):
            # Compared with one number, rows are passed over faster.
            of = f"coalesce({of}, 0)" if name == "name" else of
            numbers = ", ".join(map(str, value)) or "null"
            conditions.append(f"{of} {'=' if len(value) < 2 else 'in'} ({numbers})")
        else:
            conditions.append(f"{of} = {literal(value)}")
    return "".join(f"\n  and {each}" for each in conditions)


def _rows(made: Evaluation, hits: Hits | None) -> tuple[str, str]:
    """Return the SQL of errors ``x`` of pairs ``p``, and the SQL before it.

    Args:
        made: the evaluation.
        hits: those that may be it, if they are known.
    """
    if hits is None:
        of = "from pair p join error x on x.result = p.result\n"
        return f"{of}where p.evaluation = {made.id:d}", ""
    values = ", ".join(f"({unit:d}, {error:d})" for unit, error in hits or [(-1, -1)])
    # Crossed, so that SQLite begins with the few.
    of = "from h cross join pair p cross join error x\n"
    known = "p.seq = h.unit and x.result = p.result and x.seq = h.error"
    return (
        f"{of}where p.evaluation = {made.id:d} and {known}",
        f"with h(unit, error) as (values {values})\n",
    )


def groups_sql(
    made: Evaluation, wanted: Known, first: int, count: int, hits: Hits | None = None
) -> str:
    """The most frequent errors, folded by framework, types, name and value.

    Args:
        made: the evaluation.
        wanted: what they are narrowed by, any of :data:`FILTERS`.
        first: how many groups are left out at the beginning.
        count: how many follow.
        hits: the errors that may be it, if they are known.
    """
    names = {name for name, value in wanted.items() if value is not None}
    before = ""
    if names <= COUNTED | {"value", "name"}:
        result = (
            "select t.framework, t.tuple_type, t.error_type, t.name, t.value, "
            "t.errors\n"
            f"from error_tuple t where t.evaluation = {made.id:d}"
            + _conditions(wanted, "t", "t")
        )
    else:
        rows, before = _rows(made, hits)
        result = (
            f"select p.framework, {_SAME}, count(*) as errors\n"
            + rows
            + _conditions(wanted, "p", "x")
            + "\ngroup by 1, 2, 3, 4, 5"
        )
    text = _TEXT.format
    return (
        f"{before}select framework, tuple_type, error_type,\n"
        f"  coalesce({text('f.name')}, '') as name,\n"
        f"  {text('f.value')} as value, errors\nfrom (\n{result}\n) f\n"
        "order by errors desc, framework, tuple_type, error_type, name, "
        "value nulls first\n"
        f"limit {count:d} offset {first:d}"
    )


def occurrences_sql(
    made: Evaluation,
    wanted: Known,
    first: int,
    count: int,
    null: bool = False,
    hits: Hits | None = None,
) -> str:
    """Single errors in the order of items.

    Args:
        made: the evaluation.
        wanted: what they are narrowed by, also ``name``.
        first: how many are left out at the beginning.
        count: how many follow.
        null: whether only those without a value are wanted.
        hits: the errors that may be it, if they are known.
    """
    text = _TEXT.format
    rows, before = _rows(made, hits)
    nothing = "\n  and coalesce(x.value, 0) = 0" if null else ""
    return (
        f"{before}select p.framework, p.language, p.document, p.item, p.layer,\n"
        f"  x.error_type, x.tuple_type, x.object, {text('x.label')} as label,\n"
        f"  coalesce({text('x.name')}, '') as name, {text('x.value')} as value,\n"
        f"  {text('x.compared')} as compared, x.reason, x.credit,\n"
        f"  (select {text('z.value')} from error z where z.result = x.result\n"
        "    and z.tuple_type = x.tuple_type and coalesce(z.name, 0) = "
        "coalesce(x.name, 0)\n"
        "    and z.error_type =\n"
        "      case x.error_type when 'missing' then 'spurious' else 'missing' end\n"
        "    and z.object = x.object and z.gold = x.gold and z.system = x.system\n"
        "    and x.error_type <> 'partial' order by z.seq limit 1) as instead\n"
        + rows
        + _conditions(wanted, "p", "x")
        + nothing
        + f"\norder by p.seq, x.seq\nlimit {count:d} offset {first:d}"
    )


def totals_sql(made: Evaluation, column: str, wanted: Wanted) -> str:
    """Return SQL that counts errors by a column and error type, from stored counts.

    Args:
        made: the evaluation.
        column: ``framework``, ``document`` or ``tuple_type``.
        wanted: the framework and document that they are in.
    """
    filters = {name: wanted.get(name) for name in ("framework", "document")}
    return (
        f"select t.{column}, t.error_type, sum(t.errors) as errors\nfrom error_total "
        f"t\n"
        f"where t.evaluation = {made.id:d}{_conditions(filters, 't', 't')}"
        "\ngroup by 1, 2 order by 1, 2"
    )


def pairs_sql(made: Evaluation, wanted: Wanted) -> str:
    """The units of an item, with their graphs and results.

    Args:
        made: the evaluation.
        wanted: ``item``; perhaps ``framework``, ``language``, ``layer``.
    """
    return (
        "select p.framework, p.language, p.document, p.item, p.layer, p.status,\n"
        "  p.gold_graph, p.system_graph, p.result\nfrom pair p\n"
        f"where p.evaluation = {made.id:d}{_conditions(wanted, 'p', 'p')}\n"
        "  and p.status <> 'spurious' order by p.seq"
    )


def changes_sql(one: Evaluation, two: Evaluation, wanted: Wanted) -> str:
    """Errors that are fixed, broken and left, by framework, tuple type and error type.

    As ``v_changes`` has them, which tells them one by one and takes longer.

    Args:
        one: the baseline.
        two: the other, of the same gold collection and metric.
        wanted: ``framework``, ``language``, ``document``, ``item``, ``layer``.
    """
    least = "case when {0} < {1} then {0} else {1} end"
    more = "case when {0} > {1} then {0} - {1} else 0 end"
    return (
        "select framework, tuple_type, error_type,\n"
        f"  sum({more.format('b', 's')}) as fixed,\n"
        f"  sum({more.format('s', 'b')}) as broken,\n"
        f"  sum({least.format('b', 's')}) as still\nfrom (\n"
        "  select p.framework, x.tuple_type, x.error_type,\n"
        "    sum(case when x.result = p.result then 1 else 0 end) as b,\n"
        "    sum(case when x.result = o.result then 1 else 0 end) as s\n"
        f"  from pair p join pair o on o.evaluation = {two.id:d} and o.item = p.item\n"
        "    and o.framework = p.framework and o.language = p.language\n"
        "    and o.layer = p.layer\n"
        "  join error x on x.result in (p.result, o.result)\n"
        f"  where p.evaluation = {one.id:d}{_conditions(wanted, 'p', 'x')}\n"
        "  group by p.seq, x.gold, x.value, x.label, x.name, x.error_type, "
        "x.tuple_type,\n"
        "    x.object, p.framework\n"
        ") c group by 1, 2, 3 order by 1, 2, 3"
    )


def single_changes_sql(one: Evaluation, two: Evaluation, wanted: Wanted) -> str:
    """Errors of an item that are fixed, broken and left, one by one.

    Args:
        one: the baseline.
        two: the other.
        wanted: ``item``, and what else is known of it.
    """
    named = {
        "gold": one.gold,
        "metric": one.metric,
        "scope": one.scope,
        "baseline": one.system,
        "system": two.system,
        **wanted,
    }
    text = "\n  and ".join(
        f"{name} = {literal(value)}" for name, value in named.items() if value
    )
    return (
        "select status, framework, tuple_type, error_type, object, label, name, value, "
        "errors\n"
        f"from v_changes\nwhere {text}\n"
        "order by status, framework, tuple_type, error_type, name, value limit 1000"
    )


def _pattern(text: str) -> str:
    """Return the ``like`` pattern of texts that contain a text."""
    for character in "\\%_":
        text = text.replace(character, f"\\{character}")
    return literal(f"%{text}%") + " escape '\\'"


_NAMED = (
    "select c.name as collection, g.framework, g.language, g.document, g.item, g.layer"
)
"""Columns that identify a graph."""


def graphs_sql(number: int, wanted: Wanted, like: str, first: int, count: int) -> str:
    """Graphs of a collection, in an order in which they need not be sorted.

    Args:
        number: of the collection.
        wanted: ``framework``, ``language``, ``layer``, ``document``; ``find``, which
            their ids have in them.
        like: the operator that does not tell small letters from large ones.
        first: how many are left out at the beginning.
        count: how many follow.
    """
    filters = {name: value for name, value in wanted.items() if name != "find"}
    find = wanted.get("find")
    having = f"\n  and g.item {like} {_pattern(find)}" if find else ""
    return (
        "select g.item, g.framework, g.language, g.layer, g.document,\n"
        "  t.content as text\nfrom graph g\nleft join text t on t.digest = g.text\n"
        f"where g.collection = {number:d}{_conditions(filters, 'g', 'g')}{having}\n"
        "order by g.framework, g.language, g.item, g.layer\n"
        f"limit {count:d} offset {first:d}"
    )


def found_texts_sql(text: str, like: str, count: int) -> str:
    """Graphs whose text has something in it.

    Args:
        text: what.
        like: the operator that does not tell small letters from large ones.
        count: how many.
    """
    return (
        f"{_NAMED}, t.content as text\nfrom graph g\n"
        "join collection c on c.id = g.collection\njoin text t on t.digest = g.text\n"
        "where g.text in (select z.digest from text z\n"
        f"  where z.content {like} {_pattern(text)})\nlimit {count:d}"
    )


def found_items_sql(text: str, like: str, count: int) -> str:
    """Items whose id has something in it."""
    return (
        f"{_NAMED}, t.content as text\nfrom graph g\n"
        "join collection c on c.id = g.collection\n"
        "left join text t on t.digest = g.text\n"
        f"where g.item {like} {_pattern(text)}\nlimit {count:d}"
    )


def found_labels_sql(text: str, like: str, count: int) -> str:
    """Labels and values that have something in them, with how often they are wrong."""
    return (
        "select y.text, t.evaluation, t.framework, t.tuple_type, t.error_type, "
        "t.errors\n"
        "from symbol y join error_tuple t on t.value = y.id\n"
        f"where y.text {like} {_pattern(text)}\n"
        f"order by t.errors desc, y.text, t.evaluation limit {count:d}"
    )


def using_graphs_sql(text: str, like: str, count: int) -> str:
    """Graphs with a node whose label has something in it."""
    return (
        f"{_NAMED}, y.text as label\nfrom node n\n"
        "join symbol y on y.id = n.label\njoin graph g on g.id = n.graph\n"
        "join collection c on c.id = g.collection\n"
        "where n.label in (select y.id from symbol y\n"
        f"  where y.text {like} {_pattern(text)})\nlimit {count:d}"
    )


def like_of(dialect: str) -> str:
    """The operator that takes small letters for large ones."""
    return "ilike" if dialect == "postgresql" else "like"


def values_of(row: tuple[Any, ...], names: tuple[str, ...]) -> dict[str, Any]:
    """A row by the names of its columns."""
    return dict(zip(names, row, strict=True))
