"""Rules as SQL statements.

A rule is one statement that finds all its matches; what it gives is an update of the
spans that were found.  A rule over one side that gives a first class needs no list of
matches: it is an update by itself.

>>> print(compiled(0, Rule("fp", over="system", to_system="FP")).direct)
update system set class = 'FP', class_by = 0 where class is null
"""

from __future__ import annotations

from dataclasses import dataclass

from graphscore.rules.model import NOW, SIDES, UNCLASSIFIED, Over, Rule, Side
from graphscore.rules.safety import read_by

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

PAIRS: dict[Over, str] = {"same": SAME, "overlap": OVERLAPS}
"""What fills the tables of pairs."""


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
        """Whether what another rule gives may make this one match anew."""
        for column, wanted in self.asks:
            for side in other.rule.targets:
                if column == f"{table_of(other.rule, side)}.{column_of(other.rule)}":
                    given = {after for _, after in other.rule.classes(side)}
                    if not wanted or given & set(wanted):
                        return True
        return False


def column_of(rule: Rule) -> str:
    """The column of the classes that a rule gives."""
    return "resolution" if rule.level == "resolution" else "class"


def table_of(rule: Rule, side: Side) -> str:
    """The table that a side of a rule stands in."""
    return f"{side}_entry" if rule.level == "document" else side


def quoted(text: str) -> str:
    """A string as SQL has it.

    >>> quoted("it's")
    "'it''s'"
    """
    return "'" + text.replace("'", "''") + "'"


def compiled(number: int, rule: Rule) -> Compiled:
    """The statements of a rule.

    Args:
        number: its place in the order of firing.
        rule: a rule that was checked.
    """
    column = column_of(rule)
    sources, joins = _from(rule, rule.over)
    guards = {
        side: _guard(f"{side}.{column}", wanted)
        for side in rule.sides
        if (wanted := rule.froms(side)) is not None
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
        there = side in rule.sides
        shown.append(f"{side}.id" if there else "null")
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
    if len(rule.sides) == 1 and rule.froms(rule.sides[0]) == (UNCLASSIFIED,):
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
        table = table_of(rule, over)
        return f"{table} as {over}", []
    if over == "overlap" or rule.level != "document":
        return joined(over), []
    gold, system = (f"{table_of(rule, side)} as {side}" for side in SIDES)
    if _from_gold(rule):
        return f"{gold} cross join {system}", [_same(rule)]
    return f"{system} cross join {gold}", [_same(rule)]


def joined(over: Over) -> str:
    """Pairs with their spans."""
    return (
        f"{over} cross join system on system.id = {over}.system "
        f"cross join gold on gold.id = {over}.gold"
    )


def _from_gold(rule: Rule) -> bool:
    """Whether gold spans are gone through, and system spans looked up."""
    return rule.targets == ("gold",)


def _same(rule: Rule) -> str:
    """What makes two facts the same but for their types."""
    if rule.level == "document":
        return "gold.unit = system.unit and gold.key = system.key"
    return (
        "gold.part = system.part and gold.start = system.start "
        "and gold.end = system.end and gold.pieces = system.pieces"
    )


def _unless(rule: Rule) -> str:
    [side] = rule.sides
    other: Side = "gold" if side == "system" else "system"
    condition = f" and ({rule.unless_when})" if rule.unless_when else ""
    if rule.unless_over == "overlap":
        return (
            f"not exists (select 1 from overlap cross join {other} "
            f"on {other}.id = overlap.{other} "
            f"where overlap.{side} = {side}.id{condition})"
        )
    table = f"{table_of(rule, other)} as {other}"
    return f"not exists (select 1 from {table} where {_same(rule)}{condition})"


def _guard(column: str, wanted: tuple[str, ...]) -> str:
    named = [quoted(name) for name in wanted if name]
    parts = [f"{column} is null"] if UNCLASSIFIED in wanted else []
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
    parts = [quoted(pieces[0])] if pieces[0] else []
    for piece in pieces[1:]:
        parts.append(column)
        parts += [quoted(piece)] if piece else []
    return " || ".join(parts)


def _direct(number: int, rule: Rule, conditions: list[str]) -> str:
    [side] = rule.sides
    table, column = table_of(rule, side), column_of(rule)
    name = table if table == side else f"{table} as {side}"
    where = " and ".join(conditions)
    if table == side:
        where = where.replace(f"{side}.{column} is null", f"{column} is null", 1)
    return (
        f"update {name} set {column} = {value_of(rule, side, column)}, "
        f"{column}_by = {number} where {where}"
    )


def _effect(number: int, rule: Rule, side: Side) -> str:
    """What a side gets, where no other rule of the priority gave it that before."""
    table, column = table_of(rule, side), column_of(rule)
    still = _guard(column, rule.froms(side) or (UNCLASSIFIED,))
    return (
        f"update {table} set {column} = {value_of(rule, side, column)}, "
        f"{column}_by = {number} where {still} and id in "
        f"(select {side}_to from log where rowid > ? and rowid <= ?)"
    )


def _needs(rule: Rule) -> tuple[str, ...]:
    found = []
    document = rule.level == "document"
    key = "key" if document else "place"
    if rule.over == "same":
        if document:
            found.append(f"system_{key}" if _from_gold(rule) else f"gold_{key}")
        else:
            found += ["gold_place", "same"]
    if rule.unless_over == "same":
        found.append(f"gold_{key}" if rule.over == "system" else f"system_{key}")
    if "overlap" in (rule.over, rule.unless_over):
        found += ["gold_place", "overlap"]
    return tuple(found)


def _asks(rule: Rule) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The classes that a rule depends on, besides none."""
    column = column_of(rule)
    found = []
    for side in rule.sides:
        wanted = rule.froms(side) or ()
        named = tuple(name for name in wanted if name)
        if named:
            found.append((f"{table_of(rule, side)}.{column}", named))
    for name in sorted(read_by(rule)):
        table, _, read = name.partition(".")
        if read in ("class", "resolution") and table in SIDES:
            own: Side = "gold" if table == "gold" else "system"
            asked = own in rule.sides and rule.froms(own) and not rule.each
            # It has to be one of the classes that are asked for in any case.
            if read != column or not asked:
                found.append((f"{table_of(rule, own)}.{read}", ()))
    return tuple(found)
