"""The tables that rules run over, and how they are filled.

Rows have those columns only that some rule reads, and many are put in by one statement:
most of the time that small conditions take is otherwise spent on loading.

Which spans mention an entity is a table, too.  Before a phase whose rules ask for it
classes of mentions are counted by entity, pairs of mentions by pairs of entities.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

from graphscore.rules.batch import Batch
from graphscore.rules.model import SIDES, Rule, Treated
from graphscore.rules.ruleset import RuleSet
from graphscore.rules.sandbox import (
    MENTION_COLUMNS,
    MENTIONS_COLUMNS,
    conjuncts,
    read_by,
    reads,
    tables_of,
)
from graphscore.rules.statements import quote

BLOCK = 64
"""Rows that are put in at a time."""

_PAIR = "gold integer, system integer"


def create(connection: sqlite3.Connection, rules: RuleSet) -> None:
    """Make the tables of a rule set, without indexes.

    Args:
        connection: an empty database.
        rules: whose columns the tables have.
    """
    run = connection.execute
    run("create table part (id integer primary key, reach integer)")
    for side in SIDES:
        run(
            f"create table {side} (id integer primary key, part integer, class text, "
            "class_by integer, resolution text, resolution_by integer, "
            f"{_list_columns(rules.span_columns)})"
        )
        run(
            f"create table {side}_entry (id integer primary key, unit integer, "
            f"class text, class_by integer, {_list_columns(rules.entry_columns)}, "
            f"{_list_columns([*MENTION_COLUMNS])})"
        )
    run(f"create table same ({_PAIR})")
    run(
        f"create table overlap ({_PAIR}, characters integer, "
        "jaccard real, dice real, of_gold real, of_system real)"
    )
    run(f"create table near ({_PAIR}, distance integer)")
    for side in SIDES:
        run(
            f"create table within_{side} (span integer, other integer, "
            "characters integer, jaccard real, dice real, of_span real, "
            "of_other real, distance integer)"
        )
    run(f"create table hit ({_PAIR}, gold_rule integer, system_rule integer)")
    run("create table best (id integer primary key, rule integer)")
    run(
        f"create table log (rule integer, {_PAIR}, gold_to integer, system_to integer, "
        "gold_was text, gold_by integer, system_was text, system_by integer)"
    )


def create_index(connection: sqlite3.Connection, name: str) -> None:
    """Make an index.

    Args:
        connection: with the tables.
        name: ``gold_place``, ``system_place``, ``gold_key`` or ``system_key``.
    """
    side, what = name.split("_")
    spans = what == "place"
    table = side if spans else f"{side}_entry"
    listed = "part, start, end" if spans else "unit, key"
    connection.execute(f"create index {name} on {table} ({listed})")


def _list_columns(columns: Sequence[str]) -> str:
    return ", ".join(f'"{name}"' for name in columns)


class Filler:
    """Puts the rows of batches into the tables of a rule set.

    Args:
        rules: the set.
    """

    def __init__(self, rules: RuleSet) -> None:
        self._inserts: dict[str, list[str]] = {}
        self._widths: dict[str, int] = {}
        for side in SIDES:
            for table, whose, columns in (
                (side, "part", rules.span_columns),
                (f"{side}_entry", "unit", rules.entry_columns),
            ):
                self._widths[table] = len(columns)
                self._inserts[table] = [
                    _insert(table, whose, columns, count) for count in range(BLOCK + 1)
                ]

    def fill(self, connection: sqlite3.Connection, batch: Batch) -> None:
        """Replace what is in the tables.

        Args:
            connection: with the tables.
            batch: the units.
        """
        run = connection.execute
        within = (f"within_{side}" for side in SIDES)
        for table in ("part", "same", "overlap", "near", *within, "hit", "log"):
            run(f"delete from {table}")
        connection.executemany("insert into part values (?, ?)", enumerate(batch.reach))
        for number, side in enumerate(SIDES):
            self._put(connection, side, batch.cells(number))
            self._put(connection, f"{side}_entry", batch.entry_cells(number))

    def _put(
        self,
        connection: sqlite3.Connection,
        table: str,
        cells: Iterable[tuple[int, Sequence[Any]]],
    ) -> None:
        run = connection.execute
        run(f"delete from {table}")
        inserts, width = self._inserts[table], self._widths[table]
        step = BLOCK * width
        for number, values in cells:
            if len(values) <= step:
                if values:
                    run(inserts[len(values) // width], (number, *values))
                continue
            for begin in range(0, len(values), step):
                some = values[begin : begin + step]
                run(inserts[len(some) // width], (number, *some))


def _insert(table: str, whose: str, columns: Sequence[str], count: int) -> str:
    """A statement for so many rows of one part or unit."""
    # Placeholders without a number, which sequences are bound to on every Python: the
    # part is said once, and joined to all rows.
    names = ", ".join(f"column{k + 1}" for k in range(len(columns)))
    row = f"({', '.join('?' * len(columns))})"
    return (
        f"insert into {table} ({whose}, {_list_columns(columns)}) with said(number) as "
        f"(values (?)) select number, {names} from said, "
        f"(values {', '.join([row] * count)})"
    )


TREATED: dict[str, frozenset[Treated]] = {
    "found": frozenset({"true"}),
    "fuzzy": frozenset({"fuzzy"}),
    "conditional": frozenset({"conditional"}),
    "partial": frozenset({"partial"}),
    "ignored": frozenset({"ignored", "negative"}),
}
"""Treatments that each column counts."""


def counted_columns(rules: Sequence[Rule]) -> dict[str, list[str]]:
    """The columns of classes of mentions that rules read, by side."""
    names = {name for r in rules if r.level == "document" for name in read_by(r)}
    return {
        side: [column for column in MENTION_COLUMNS if f"{side}.{column}" in names]
        for side in SIDES
    }


def asks_pairs(rules: Sequence[Rule]) -> bool:
    """Return true if rules range over pairs of entities by their mentions."""
    return any("mentions" in (rule.over, rule.unless_over) for rule in rules)


def create_mentions(connection: sqlite3.Connection) -> None:
    """Make the tables.

    Args:
        connection: with the tables of spans and entities.
    """
    run = connection.execute
    for side in SIDES:
        run(
            f"create table {side}_mention (span integer, entry integer, "
            "primary key (entry, span)) without rowid"
        )
        run(f"create index {side}_mentioned on {side}_mention (span)")
    listed = ", ".join(f"{name} integer" for name in MENTIONS_COLUMNS)
    run(f"create table mentions (gold integer, system integer, {listed})")


def fill_mentions(connection: sqlite3.Connection, batch: Batch) -> None:
    """Say which spans mention which entity.

    Args:
        connection: with the tables.
        batch: what the tables of spans and entities were filled with.
    """
    for side, entities in zip(SIDES, batch.entities, strict=True):
        connection.execute(f"delete from {side}_mention")
        connection.executemany(
            f"insert into {side}_mention values (?, ?)",
            (
                (first + member + 1, number)
                for number, (first, members) in enumerate(entities, 1)
                for member in members
            ),
        )


def counting_of(rules: RuleSet, some: Sequence[Rule]) -> list[str]:
    """Statements that count classes of mentions, for the rules of a phase.

    Args:
        rules: the set.
        some: the rules of the phase.
    """
    result = []
    for side, columns in counted_columns(some).items():
        if not columns:
            continue
        sums = ", ".join(
            f"coalesce(sum(m.class in {_classes(rules, TREATED[name])}), 0)"
            for name in columns
        )
        result.append(
            f"update {side}_entry set ({', '.join(columns)}) = (select {sums} "
            f"from {side}_mention cross join {side} as m on m.id = span "
            f"where entry = {side}_entry.id)"
        )
    if asks_pairs(some):
        result += ["delete from mentions", _pairs(rules, _read_columns(some))]
    return result


_NEEDED = re.compile(r"\(?(?:mentions\.([a-z]+) > 0)(?: or mentions\.[a-z]+ > 0)*\)?")
"""A condition that no pair meets whose counts are all 0."""


def _read_columns(some: Sequence[Rule]) -> frozenset[str]:
    """The columns of pairs that rules read, where pairs that have none do not matter.

    Where a rule may match a pair whose counts are all 0, it is every column.
    """
    names: set[str] = set()
    for rule in some:
        for over, when in (
            (rule.over, rule.when),
            (rule.unless_over, rule.unless_when),
        ):
            if over != "mentions":
                continue
            if not any(_NEEDED.fullmatch(conjunct) for conjunct in conjuncts(when)):
                return frozenset(MENTIONS_COLUMNS)
            read = reads(when, tables_of(rule, over), rule.level)
            names |= {n[9:] for n in read if n.startswith("mentions.")}
    return frozenset(names)


def _classes(rules: RuleSet, treated: frozenset[Treated]) -> str:
    names = [
        n for n, treatment in rules.treatments.items() if treatment.treated in treated
    ]
    return f"({', '.join(map(quote, names))})"


def _pairs(rules: RuleSet, columns: frozenset[str]) -> str:
    missed = _classes(rules, frozenset({"missed"}))
    sums = ["count(*)"]
    for name in list(MENTIONS_COLUMNS)[1:]:
        classes = _classes(rules, TREATED[name])
        own = f"gold.class in {classes}"
        if name != "found":
            # A rule may give the system's side its class alone.
            own = f"({own} or gold.class in {missed})"
        sums.append(f"coalesce(sum(system.class in {classes} and {own}), 0)")
    narrowed = ""
    if "pairs" not in columns:
        # What has none of these classes adds nothing to what is read.
        classes = _classes(
            rules, frozenset().union(*(TREATED[name] for name in columns))
        )
        narrowed = f"where system.class in {classes} "
    return (
        f"insert into mentions select g.entry, s.entry, {', '.join(sums)} "
        "from (select gold, system from same union all "
        "select gold, system from overlap) as pair "
        "cross join gold_mention as g on g.span = pair.gold "
        "cross join system_mention as s on s.span = pair.system "
        "cross join gold on gold.id = pair.gold "
        f"cross join system on system.id = pair.system {narrowed}group by 1, 2"
    )
