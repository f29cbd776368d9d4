"""What stands where something is missing or surplus: the last column of errors.

What is missing and what is surplus stand in each other's place where both are of one
kind and name, and of the same object on both sides.  Where no tuple stands there, an
error has nothing instead.  Where both have one value, they differ in what was
compared, such as the head of a word whose relation is right:

Where head and relation are wrong, what stands there is the relation, and then which
heads they have most often.

>>> group = ("missing", "head", "obj")
>>> there = [Instead(group, "obj", "obj", "eat", "see", 1)]
>>> with_instead(("side", "name", "value", "errors"), [(*group, 3)], there,
...              [(group, 2)])[1]
[('missing', 'head', 'obj', 3, 'see, not eat (1), (nothing) (2)')]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from graphscore.model.graph import unlabelled
from graphscore.store.reading.literals import literal

NOTHING = "(nothing)"
"""What stands where the other side has no tuple at all."""

CHOSEN = ("framework", "kind", "name")
"""What an error and what stands there instead have in common, beside the object."""

PLACE = (
    *("gold", "system", "metric", "scope", "framework", "language", "document"),
    *("item", "layer", "kind", "name", "gold_ordinal", "system_ordinal"),
)
"""Columns of ``v_errors``: what is equal for errors in each other's place."""

HEAD = "head"
"""What errors are called where the head of a word differs."""

LISTED = 100
"""Values that are written into a statement; more are not worth filtering."""

SAME = "o.value = x.value or (o.value is null and x.value is null)"

_FILTERS = ("gold", "system", "metric", "scope", "document", "item", "layer")

Wanted = Mapping[str, str | None]


def tells_instead(by: Sequence[str]) -> bool:
    """Whether groups tell all by which what stands there instead is found."""
    return {*CHOSEN, "side", "value"} <= set(by)


def tells_heads(name: str) -> bool:
    """Whether what differs is the head, and more that is the value of errors.

    Args:
        name: what differs.

    Example:
        >>> tells_heads("head+deprel"), tells_heads("head"), tells_heads("deprel+feats")
        (True, False, False)
    """
    return name.startswith(f"{HEAD}+")


def other(name: str) -> str:
    """What stands there where both sides have the same value.

    Args:
        name: what differs; of no name, they are parts of other objects.

    Example:
        >>> other("head"), other("")
        ('(other head)', '(elsewhere)')
    """
    return f"(other {name})" if name else "(elsewhere)"


class Instead(NamedTuple):
    """What stands in the place of some errors of a group."""

    group: tuple[Any, ...]
    """What tells the group: the columns that errors are grouped by."""
    own: str | None
    """The value of the errors."""
    there: str | None
    """The value in their place."""
    own_compared: str | None
    """What was compared of the errors where that is not the value, or their label."""
    there_compared: str | None
    times: int

    @property
    def same(self) -> bool:
        """Whether both have one value."""
        return self.own == self.there

    @property
    def detailed(self) -> bool:
        """Whether it is known in what those differ that have one value."""
        return self.own_compared != self.there_compared


def with_instead(
    columns: Sequence[str],
    rows: Iterable[tuple[Any, ...]],
    found: Iterable[Instead],
    nothing: Iterable[tuple[tuple[Any, ...], int]],
) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    """Groups of errors with what stands there instead, most often, and its count.

    Args:
        columns: what they are grouped by, and last their number.
        rows: the groups.
        found: what stands in their place.
        nothing: how many errors of a group have nothing in their place.

    Returns:
        The columns and rows, each with one more: the most frequent, and after that how
        many have nothing.
    """
    counted: Counter[Instead] = Counter()
    heads: dict[Instead, Counter[Instead]] = {}
    name = columns.index("name")
    by_compared = "compared" in columns
    for each in found:
        times, each = each.times, each._replace(times=0)
        if not each.same:
            whole, each = each, each._replace(own_compared=None, there_compared=None)
            if whole.detailed and tells_heads(each.group[name]):
                heads.setdefault(each, Counter())[whole] += times
        counted[each] += times
    best: dict[tuple[Any, ...], str] = {}
    for each, times in sorted(counted.items(), key=_order):
        if each.group in best:
            continue
        best[each.group] = f"{_said(each, each.group[name], by_compared)} ({times})"
        if each in heads:
            best[each.group] += _heads(heads[each], times, by_compared)
    alone: Counter[tuple[Any, ...]] = Counter()
    for group, times in nothing:
        alone[group] += times
    told = []
    for row in rows:
        group = row[:-1]
        cell = [best[group]] if group in best else []
        cell += [f"{NOTHING} ({alone[group]})"] if alone[group] else []
        told.append((*row, ", ".join(cell) or None))
    return (*columns, "instead"), told


def _order(counted: tuple[Instead, int]) -> tuple[Any, ...]:
    """The most frequent first; what has no value before what has one."""
    each, times = counted
    said = each.there, each.there_compared, each.own, each.own_compared
    return -times, *((value is not None, value or "") for value in said)


def _said(each: Instead, name: str, by_compared: bool) -> str:
    """What stands there; of the same value, what was compared, and not what of here."""
    if not each.same:
        return unlabelled(each.there, name) or _shown(each.there)
    if not each.detailed:
        return other(name)
    return _compared(each, by_compared)


def _heads(found: Counter[Instead], times: int, by_compared: bool) -> str:
    """The heads that those have most often that differ in more than the head."""
    each, most = min(found.items(), key=_order)
    counted = f" ({most})" if most < times else ""
    return f", {HEAD} {_compared(each, by_compared)}{counted}"


def _compared(each: Instead, by_compared: bool) -> str:
    """What was compared there, and unless the group tells, what of here."""
    there = _shown(each.there_compared)
    return there if by_compared else f"{there}, not {_shown(each.own_compared)}"


def _shown(value: str | None) -> str:
    return "null" if value is None else value or "(empty)"


def where(wanted: Wanted) -> str:
    """The clause that filters by what is wanted; nothing where nothing is."""
    given = [
        f"{name} = {literal(value)}"
        for name, value in wanted.items()
        if value is not None
    ]
    return f"\nwhere {' and '.join(given)}" if given else ""


def listed(column: str, values: Sequence[str]) -> str:
    """The condition that a column is one of several values.

    Args:
        column: its name.
        values: all that there may be.

    Returns:
        Nothing where there are too many, or one has a character without a literal in
        SQL: then everything is counted, and looked up.
    """
    if len(values) > LISTED or any("\x00" in each for each in values):
        return ""
    return f"{column} in ({', '.join(map(literal, values))})"


def _errors(wanted: Wanted, only: Mapping[str, Sequence[str]]) -> str:
    """The clause that takes the errors of all sides of some kinds and names."""
    found = where({name: wanted.get(name) for name in _FILTERS})
    for name, values in only.items():
        if condition := listed(name, values):
            found += f"{chr(10)}  and " if found else "\nwhere "
            found += condition
    return found + ("\n  and " if found else "\nwhere ") + "side <> 'partial'"


def paired_sql(
    wanted: Wanted,
    by: Sequence[str],
    only: Mapping[str, Sequence[str]],
    equal: bool = False,
) -> str:
    """SQL that counts what stands in the place of errors.

    Args:
        wanted: values of columns of ``v_errors``.
        by: what errors are grouped by.
        only: the frameworks, kinds and names that matter.
        equal: whether only what has the same value is wanted, which differs in what
            was compared.

    Returns:
        The statement; its columns are those of *by*, the value and what was compared
        there, the same of the error itself, and how often.
    """
    own = [f"o.{name}" for name in by]
    told = ("coalesce(x.compared, x.label)", "coalesce(o.compared, o.label)")
    both = ["x.value", told[0], "o.value", told[1]]
    columns = dict.fromkeys((*PLACE, *by, "side", "value", "label", "compared"))
    place = "\n    and ".join(f"o.{name} = x.{name}" for name in PLACE)
    also = f"\n    and ({SAME})" * equal
    side = f"\n  and o.side = {literal(given)}" if (given := wanted.get("side")) else ""
    order = [f"{name} nulls first" for name in (*both, *own)]
    return (
        f"with e as (\n  select {', '.join(columns)}\n  from v_errors"
        f"{_errors(wanted, only)})"
        f"\nselect {', '.join(own)}, x.value as there, {told[0]} as there_compared,"
        f"\n  o.value as own, {told[1]} as own_compared, count(*) as times"
        f"\nfrom e o join e x on {place}{also}\nwhere o.side <> x.side{side}"
        f"\ngroup by {', '.join(dict.fromkeys((*own, *both)))}"
        f"\norder by times desc, {', '.join(order)}"
    )


def labels_sql(wanted: Wanted) -> str:
    """SQL that counts the labels of what stands in each other's place, of any kind.

    Args:
        wanted: values of columns of ``v_errors``; a kind is that of gold.
    """
    found = {name: each for name, each in wanted.items() if name != "kind"}
    columns = [name for name in PLACE if name != "kind"]
    place = "\n    and ".join(f"o.{name} = x.{name}" for name in columns)
    kind = f"\n  and o.kind = {literal(given)}" if (given := wanted.get("kind")) else ""
    return (
        f"with e as (\n  select {', '.join(PLACE)}, side, object, label"
        f"\n  from v_errors{where(found)})"
        "\nselect o.framework, o.kind, o.name, o.label as gold_value,"
        "\n  x.label as system_value, count(*) as times"
        f"\nfrom e o join e x on {place}\n    and o.object = x.object"
        "\nwhere o.side = 'missing' and x.side = 'surplus' and o.label <> x.label"
        f"{kind}\ngroup by o.framework, o.kind, o.name, o.label, x.label"
        "\norder by times desc, o.framework, o.kind, o.name, gold_value, system_value"
    )


def nothing_sql(
    wanted: Wanted, by: Sequence[str], only: Mapping[str, Sequence[str]]
) -> str:
    """SQL that counts the errors in whose place there is nothing.

    Args:
        wanted: values of columns of ``v_errors``.
        by: what errors are grouped by.
        only: the frameworks, kinds and names that matter.
    """
    columns = dict.fromkeys((*by, "side", "gold_ordinal", "system_ordinal"))
    side = f"\n  and side = {literal(given)}" if (given := wanted.get("side")) else ""
    return (
        f"select {', '.join(by)}, count(*) as errors\nfrom (\n  select "
        f"{', '.join(columns)},\n    min(side) over place as lowest,"
        " max(side) over place as highest\n  from v_errors"
        f"{_errors(wanted, only)}\n  window place as (partition by {', '.join(PLACE)})"
        ") e\nwhere (gold_ordinal is null or system_ordinal is null"
        f"\n    or lowest = highest){side}\ngroup by {', '.join(by)}"
    )
