"""What entities of documents see of the classes of their mentions.

Which spans mention an entity is a table; before a phase whose rules ask for it, the
classes of mentions are counted by entity, and pairs of mentions by pairs of entities.

>>> from graphscore.rules.reading import rules_of
>>> rules = rules_of("").in_order()
>>> counted(rules) == {"gold": ["ignored"], "system": ["ignored"]}, asks_pairs(rules)
(True, True)
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence

from graphscore.rules.facts import Batch
from graphscore.rules.model import SIDES, Rule, Treated
from graphscore.rules.ruleset import RuleSet
from graphscore.rules.safety import (
    MENTION_COLUMNS,
    MENTIONS_COLUMNS,
    conjuncts,
    read_by,
    reads,
    tables_of,
)
from graphscore.rules.statements import quoted

TREATED: dict[str, frozenset[Treated]] = {
    "found": frozenset({"true"}),
    "fuzzy": frozenset({"fuzzy"}),
    "conditional": frozenset({"conditional"}),
    "partial": frozenset({"partial"}),
    "ignored": frozenset({"ignored", "negative"}),
}
"""What each column counts."""


def counted(rules: Sequence[Rule]) -> dict[str, list[str]]:
    """The columns of classes of mentions that rules read, by side."""
    names = {name for r in rules if r.level == "document" for name in read_by(r)}
    return {
        side: [column for column in MENTION_COLUMNS if f"{side}.{column}" in names]
        for side in SIDES
    }


def asks_pairs(rules: Sequence[Rule]) -> bool:
    """Whether rules range over pairs of entities by their mentions."""
    return any("mentions" in (rule.over, rule.unless_over) for rule in rules)


def create(connection: sqlite3.Connection) -> None:
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


def fill(connection: sqlite3.Connection, batch: Batch) -> None:
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


def counting(rules: RuleSet, some: Sequence[Rule]) -> list[str]:
    """Statements that count classes of mentions, for the rules of a phase.

    Args:
        rules: the set.
        some: the rules of the phase.
    """
    found = []
    for side, columns in counted(some).items():
        if not columns:
            continue
        sums = ", ".join(
            f"coalesce(sum(m.class in {_classes(rules, TREATED[name])}), 0)"
            for name in columns
        )
        found.append(
            f"update {side}_entry set ({', '.join(columns)}) = (select {sums} "
            f"from {side}_mention cross join {side} as m on m.id = span "
            f"where entry = {side}_entry.id)"
        )
    if asks_pairs(some):
        found += ["delete from mentions", _pairs(rules, _asked(some))]
    return found


_NEEDED = re.compile(r"\(?(?:mentions\.([a-z]+) > 0)(?: or mentions\.[a-z]+ > 0)*\)?")
"""A condition that no pair meets whose counts are all 0."""


def _asked(some: Sequence[Rule]) -> frozenset[str]:
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
            if not any(_NEEDED.fullmatch(each) for each in conjuncts(when)):
                return frozenset(MENTIONS_COLUMNS)
            read = reads(when, tables_of(rule, over), rule.level)
            names |= {n[9:] for n in read if n.startswith("mentions.")}
    return frozenset(names)


def _classes(rules: RuleSet, treated: frozenset[Treated]) -> str:
    names = [n for n, each in rules.treatments.items() if each.treated in treated]
    return f"({', '.join(map(quoted, names))})"


def _pairs(rules: RuleSet, asked: frozenset[str]) -> str:
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
    if "pairs" not in asked:
        # What has none of these classes adds nothing to what is read.
        classes = _classes(rules, frozenset().union(*(TREATED[name] for name in asked)))
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
