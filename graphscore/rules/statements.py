"""Rules as SQL statements.

A rule is one statement that finds all its matches; what it gives is an update of the
spans that were found.  A rule over one side that gives a first class needs no list of
matches: it is an update by itself.

>>> print(compile_rule(0, Rule("fp", over="system", to_system="FP")).direct)
update system set class = 'FP', class_by = 0 where class is null
"""

from __future__ import annotations

from dataclasses import dataclass

from graphscore.rules.model import (
    NOW,
    OTHER,
    SIDES,
    UNCLASSIFIED,
    WITHIN,
    Level,
    Over,
    Rule,
    Side,
)
from graphscore.rules.sandbox import read_by

SAME = """
insert into same
select gold.id, system.id
from system
cross join gold on gold.part = system.part and gold.start = system.start
  and gold.end = system.end and gold.pieces = system.pieces
"""
"""Fills the table of pairs at the same extents."""

OVERLAPS = """
insert into overlap
select gold, system, shared, shared * 1.0 / (mine + theirs - shared),
  shared * 2.0 / (mine + theirs), shared * 1.0 / mine, shared * 1.0 / theirs
from (
  select gold.id as gold, system.id as system,
    case when gold.pieces = '' and system.pieces = ''
      then min(gold.end, system.end) - max(gold.start, system.start)
      else gs_shared(gold.start, gold.end, gold.pieces,
        system.start, system.end, system.pieces) end as shared,
    case when gold.pieces = '' then gold.end - gold.start
      else gs_size(gold.start, gold.end, gold.pieces) end as mine,
    case when system.pieces = '' then system.end - system.start
      else gs_size(system.start, system.end, system.pieces) end as theirs
  from system
  cross join part on part.id = system.part
  cross join gold on gold.part = system.part
    and gold.start < system.end and gold.start > system.start - part.reach
    and gold.end > system.start
  where not (gold.start = system.start and gold.end = system.end
    and gold.pieces = system.pieces)
)
where shared > 0
"""
"""Fills the table of pairs that overlap; looked up by place, system by system."""

NEAR = """
insert into near
select gold.id, system.id, max(gold.start - system.end, system.start - gold.end)
from system
cross join part on part.id = system.part
cross join gold on gold.part = system.part
  and gold.start <= system.end + :gs_near
  and gold.start >= system.start - part.reach - :gs_near
where (gold.start >= system.end or system.start >= gold.end)
  and gold.end >= system.start - :gs_near and gold.start >= 0 and system.start >= 0
"""
"""Fills the table of pairs that are near each other without overlapping."""

_WITHIN = """
insert into within_{side}
select span, other, shared,
  case when mine + theirs = 0 then 1.0 else shared * 1.0 / (mine + theirs - shared) end,
  case when mine + theirs = 0 then 1.0 else shared * 2.0 / (mine + theirs) end,
  case when mine = 0 then 1.0 else shared * 1.0 / mine end,
  case when theirs = 0 then 1.0 else shared * 1.0 / theirs end,
  distance
from (
  select one.id as span, two.id as other,
    max(0, one.start - two.end, two.start - one.end) as distance,
    gs_shared(one.start, one.end, one.pieces, two.start, two.end, two.pieces) as shared,
    gs_size(one.start, one.end, one.pieces) as mine,
    gs_size(two.start, two.end, two.pieces) as theirs
  from (select part, max(end - start) as reach from {side} group by part) as longest
  cross join {side} as one on one.part = longest.part
  cross join {side} as two on two.part = one.part
    and two.start <= one.end + :gs_near
    and two.start >= one.start - longest.reach - :gs_near
  where two.end >= one.start - :gs_near and one.id <> two.id
    and (one.start < 0) = (two.start < 0)
    and (one.start >= 0 or one.pieces = two.pieces)
)
"""
"""Fills the table of pairs of one side; what is only a string is near its like."""

PAIRS: dict[Over, str] = {"same": SAME, "overlap": OVERLAPS, "near": NEAR}
"""Statements that fill the tables of pairs."""

FILLS: dict[str, str] = {
    **{str(over): statement for over, statement in PAIRS.items()},
    **{f"{WITHIN}_{side}": _WITHIN.format(side=side) for side in SIDES},
}
"""Statements that fill these, and the tables of pairs of one side."""


@dataclass(frozen=True)
class Compiled:
    """A rule with its statements.

    Args:
        number: its place in the order of firing.
        rule: the rule.
        match: puts every match into the log.
        direct: gives the class at once, where no list of matches is needed.
        effects: give the classes of the matches between two rows of the log.
        needs: indexes and tables that must be there.
        asks: columns of classes that it reads, with the classes that it asks for;
            nothing for any class.
    """

    number: int
    rule: Rule
    match: str
    direct: str
    effects: tuple[str, ...]
    needs: tuple[str, ...]
    asks: tuple[tuple[str, tuple[str, ...]], ...]

    def wakes(self, other: Compiled) -> bool:
        """Return true if another rule's result may make this one match anew."""
        level = other.rule.level
        for side in other.rule.targets:
            written = f"{table_of(level, side)}.{column_of(level)}"
            classes = {after for _, after in other.rule.classes(side)}
            for column, required in self.asks:
                if column == written and (not required or classes & set(required)):
                    return True
        return False


def column_of(level: Level) -> str:
    """Return the column of the classes of a level."""
    return "resolution" if level == "resolution" else "class"


def table_of(level: Level, side: Side) -> str:
    """Return the table of what has the classes of a level."""
    return f"{side}_entry" if level == "document" else side


def quote(text: str) -> str:
    """A string as SQL has it.

    >>> quote("it's")
    "'it''s'"
    """
    return "'" + text.replace("'", "''") + "'"


def compile_rule(number: int, rule: Rule) -> Compiled:
    """The statements of a rule.

    Args:
        number: its place in the order of firing.
        rule: a rule that was checked.
    """
    column = column_of(rule.level)
    sources, joins = _from(rule, rule.over)
    guards = {
        side: _guard(f"{side}.{column}", froms)
        for side in rule.sides
        if (froms := rule.froms(side)) is not None
    }
    conditions = [*joins, *guards.values()]
    if rule.each and len(rule.targets) == 2:
        conditions = [*joins, f"({' or '.join(guards.values())})"]
    if rule.when:
        conditions.append(f"({rule.when})")
    if rule.unless_over is not None:
        conditions.append(_unless(rule))
    where = " and ".join(conditions) or "1"
    shown = []
    for side in SIDES:
        present = side in rule.sides
        shown.append(f"{side}.id" if present else "null")
    for side in SIDES:
        target = f"{side}.id" if side in rule.targets else "null"
        if rule.each and side in guards:
            target = f"case when {guards[side]} then {target} end"
        shown.append(target)
    for side in SIDES:
        for part in (column, f"{column}_by"):
            shown.append(f"{side}.{part}" if side in rule.targets else "null")
    match = (
        "insert into log (rule, gold, system, gold_to, system_to, gold_was, gold_by, "
        f"system_was, system_by) select {number}, {', '.join(shown)} "
        f"from {sources} where {where}"
    )
    direct = ""
    if rule.over in SIDES and rule.froms(rule.sides[0]) == (UNCLASSIFIED,):
        direct = _direct(number, rule, conditions)
    return Compiled(
        number,
        rule,
        match,
        direct,
        tuple(_effect(number, rule, side) for side in rule.targets),
        _needs(rule),
        _asks(rule),
    )


def _from(rule: Rule, over: Over) -> tuple[str, list[str]]:
    """The tables that a rule ranges over, and how they are joined."""
    if over in SIDES:
        table = table_of(rule.level, over)
        return f"{table} as {over}", []
    if over == "mentions":
        return join(over, "_entry"), []
    if over.startswith(WITHIN):
        [side] = rule.sides
        return (
            f"{_from_within(side)} cross join {side} on {side}.id = {WITHIN}.span",
            [],
        )
    if over == "overlap" or rule.level != "document":
        return join(over), []
    gold, system = (f"{table_of(rule.level, side)} as {side}" for side in SIDES)
    paired = _equal_places(rule) if over == "same" else "gold.unit = system.unit"
    if _from_gold(rule):
        return f"{gold} cross join {system}", [paired]
    return f"{system} cross join {gold}", [paired]


def _from_within(side: Side) -> str:
    """Pairs of one side with their other span."""
    return (
        f"{WITHIN}_{side} as {WITHIN} "
        f"cross join {side} as {OTHER} on {OTHER}.id = {WITHIN}.other"
    )


def join(over: Over, kind: str = "") -> str:
    """Pairs with their spans, or with entities."""
    return (
        f"{over} cross join system{kind} as system on system.id = {over}.system "
        f"cross join gold{kind} as gold on gold.id = {over}.gold"
    )


def _from_gold(rule: Rule) -> bool:
    """Return true if gold spans are scanned, and system spans looked up."""
    return rule.targets == ("gold",)


def _equal_places(rule: Rule) -> str:
    """Return the condition that two facts are equal but for their types."""
    if rule.level == "document":
        return "gold.unit = system.unit and gold.key = system.key"
    return (
        "gold.part = system.part and gold.start = system.start "
        "and gold.end = system.end and gold.pieces = system.pieces"
    )


def _unless(rule: Rule) -> str:
    [side] = rule.sides
    opposite: Side = "gold" if side == "system" else "system"
    condition = f" and ({rule.unless_when})" if rule.unless_when else ""
    over = rule.unless_over
    if over == WITHIN:
        return (
            f"not exists (select 1 from {_from_within(side)} "
            f"where {WITHIN}.span = {side}.id{condition})"
        )
    if over in ("overlap", "near", "mentions"):
        return (
            f"not exists (select 1 from {over} "
            f"cross join {table_of(rule.level, opposite)} as {opposite} "
            f"on {opposite}.id = {over}.{opposite} "
            f"where {over}.{side} = {side}.id{condition})"
        )
    table = f"{table_of(rule.level, opposite)} as {opposite}"
    return f"not exists (select 1 from {table} where {_equal_places(rule)}{condition})"


def _guard(column: str, classes: tuple[str, ...]) -> str:
    named = [quote(name) for name in classes if name]
    parts = [f"{column} is null"] if UNCLASSIFIED in classes else []
    if len(named) == 1:
        parts.append(f"{column} = {named[0]}")
    elif named:
        parts.append(f"{column} in ({', '.join(named)})")
    return parts[0] if len(parts) == 1 else f"({' or '.join(parts)})"


def value_of(rule: Rule, side: Side, column: str) -> str:
    """The class that a rule gives to a side, as SQL.

    Args:
        rule: a rule that gives it one.
        side: which side.
        column: SQL for the class that it has.
    """
    pieces = rule.to(side).split(NOW)
    parts = [quote(pieces[0])] if pieces[0] else []
    for piece in pieces[1:]:
        parts.append(column)
        parts += [quote(piece)] if piece else []
    return " || ".join(parts)


def _direct(number: int, rule: Rule, conditions: list[str]) -> str:
    [side] = rule.sides
    table, column = table_of(rule.level, side), column_of(rule.level)
    name = table if table == side else f"{table} as {side}"
    where = " and ".join(conditions)
    if table == side:
        where = where.replace(f"{side}.{column} is null", f"{column} is null", 1)
    return (
        f"update {name} set {column} = {value_of(rule, side, column)}, "
        f"{column}_by = {number} where {where}"
    )


def _effect(number: int, rule: Rule, side: Side) -> str:
    """Return the statement that classifies a side, unless another rule did already."""
    table, column = table_of(rule.level, side), column_of(rule.level)
    still = _guard(column, rule.froms(side) or (UNCLASSIFIED,))
    return (
        f"update {table} set {column} = {value_of(rule, side, column)}, "
        f"{column}_by = {number} where {still} and id in "
        f"(select {side}_to from log where rowid > ? and rowid <= ?)"
    )


def _needs(rule: Rule) -> tuple[str, ...]:
    result = []
    document = rule.level == "document"
    key = "key" if document else "place"
    if rule.over == "any":
        # The index begins with the document.
        result.append("system_key" if _from_gold(rule) else "gold_key")
    if rule.over == "same":
        if document:
            result.append(f"system_{key}" if _from_gold(rule) else f"gold_{key}")
        else:
            result += ["gold_place", "same"]
    if rule.unless_over == "same":
        result.append(f"gold_{key}" if rule.over == "system" else f"system_{key}")
    for pairs in ("overlap", "near"):
        if pairs in (rule.over, rule.unless_over):
            result += ["gold_place", pairs]
    if rule.over.startswith(WITHIN) or rule.unless_over == WITHIN:
        [side] = rule.sides
        result += [f"{side}_place", f"{WITHIN}_{side}"]
    return tuple(result)


def _asks(rule: Rule) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The classes that a rule depends on, besides none."""
    column = column_of(rule.level)
    asks = []
    for side in rule.sides:
        required = rule.froms(side) or ()
        named = tuple(name for name in required if name)
        if named:
            asks.append((f"{table_of(rule.level, side)}.{column}", named))
    for name in sorted(read_by(rule)):
        table, _, read = name.partition(".")
        if read in ("class", "resolution") and table in (*SIDES, OTHER):
            own: Side = "gold" if table == "gold" else "system"
            if table == OTHER:
                [own] = rule.sides
            implied = (
                table != OTHER
                and own in rule.sides
                and rule.froms(own)
                and not rule.each
            )
            # It has to be one of the classes that are asked for in any case.
            if read != column or not implied:
                asks.append((f"{table_of(rule.level, own)}.{read}", ()))
    return tuple(asks)
