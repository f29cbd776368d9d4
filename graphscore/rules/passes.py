"""Rules that are decided together, by one look at every pair.

Most rules of Figure 1 give a first class, each side for itself, by what they do not
change.  Of such rules that follow one another the first that matches a span decides,
so that all of them are one statement for each kind of pairs.  Wherever two of one
priority might give a span different classes, they are left to be fired one by one.

>>> from graphscore.rules.reading import rules_of
>>> from graphscore.rules.statements import compiled
>>> order = rules_of("").in_order()
>>> made = [compiled(number, rule) for number, rule in enumerate(order)]
>>> phase = [each for each in made if each.rule.phase == "resolution"]
>>> {each.rule.over for each in phase[:len(leading(phase))]} == {"same", "overlap"}
True
>>> {each.rule.over for each in phase[len(leading(phase)):]} == {"gold", "system"}
True
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from graphscore.rules.model import NOW, SIDES, UNCLASSIFIED, Over, Side
from graphscore.rules.safety import conjuncts, read_by
from graphscore.rules.statements import PAIRS, Compiled, column_of, joined, quoted

DOUBT = -1
"""Stands for a rule where two of one priority give different classes."""

LONGEST = 40_000
"""Characters of a statement; longer ones the database may refuse."""


class Pass(NamedTuple):
    """Rules as one statement for each kind of pairs."""

    rules: tuple[Compiled, ...]
    finds: tuple[tuple[Over, str], ...]
    """Put into the table of hits which rule is the first for each side of a pair."""
    doubts: tuple[str, ...]
    """Find a row where the rules have to be fired one by one."""
    effects: tuple[str, ...]


def leading(phase: Sequence[Compiled]) -> list[Compiled]:
    """The first rules of a phase, as far as they can be decided together.

    Args:
        phase: its rules, in order.
    """
    found: list[Compiled] = []
    for _, each in groupby(phase, lambda one: one.rule.priority):
        group = list(each)
        if not all(_alone(one, phase[0]) for one in group):
            break
        found += group
    return found


def _alone(each: Compiled, first: Compiled) -> bool:
    """Whether a rule gives first classes, each side by itself, by other columns."""
    rule = each.rule
    column = column_of(rule)
    return (
        rule.over in PAIRS
        and rule.level == first.rule.level != "document"
        and (rule.each or len(rule.targets) == 1)
        and all(
            rule.froms(side) == ((UNCLASSIFIED,) if rule.to(side) else None)
            and NOW not in rule.to(side)
            and f"{side}.{column}" not in read_by(rule)
            for side in SIDES
        )
    )


def pass_of(phase: Sequence[Compiled]) -> Pass | None:
    """The first rules of a phase as a pass; nothing if it would save nothing.

    Args:
        phase: its rules, in order.
    """
    rules = leading(phase)
    if len(rules) < 2:
        return None
    finds = tuple((over, _find(over, rules)) for over in PAIRS if _over(over, rules))
    if max(len(statement) for _, statement in finds) > LONGEST:
        return None
    doubts: list[str] = []
    effects: list[str] = []
    for side in SIDES:
        own = [each for each in rules if each.rule.to(side)]
        if own:
            doubts += _doubts(side, own)
            effects += _effects(side, own)
    return Pass(tuple(rules), finds, tuple(doubts), tuple(effects))


def _over(over: Over, rules: Sequence[Compiled]) -> list[Compiled]:
    return [each for each in rules if each.rule.over == over]


def _find(over: Over, rules: Sequence[Compiled]) -> str:
    there = _over(over, rules)
    parts = [conjuncts(each.rule.when or "1") for each in there]
    shared = list(common(parts))
    rests = {
        each.number: " and ".join(part[len(shared) :]) or "1"
        for each, part in zip(there, parts, strict=True)
    }
    cases = [
        _case(side, [each for each in there if each.rule.to(side)], rests)
        for side in SIDES
    ]
    asked = ["one is not null or other is not null", *shared]
    where = " and ".join(f"({each})" for each in asked)
    return (
        f"insert into hit select gold.id, system.id, {cases[0]} as one, "
        f"{cases[1]} as other from {joined(over)} where {where}"
    )


def common(lists: Sequence[Sequence[str]]) -> Iterator[str]:
    """What all begin with.

    >>> list(common([["a", "b", "c"], ["a", "b"], ["a", "b", "d"]]))
    ['a', 'b']
    """
    for same in zip(*lists, strict=False):
        if len(set(same)) > 1:
            return
        yield same[0]


def _case(side: Side, rules: Sequence[Compiled], rests: Mapping[int, str]) -> str:
    """The number of the first rule whose condition holds."""
    whens = []
    for place, each in enumerate(rules):
        found = str(each.number)
        rivals = [
            f"({rests[other.number]})"
            for other in rules[place + 1 :]
            if other.rule.priority == each.rule.priority
            and other.rule.to(side) != each.rule.to(side)
        ]
        if rivals:
            found = f"case when {' or '.join(rivals)} then {DOUBT} else {found} end"
        whens.append(f"when {rests[each.number]} then {found}")
    return f"case {' '.join(whens)} end" if whens else "null"


def _doubts(side: Side, rules: Sequence[Compiled]) -> list[str]:
    """Statements that find spans of two rules of one priority, but several classes."""
    found = []
    for _, each in groupby(rules, lambda one: one.rule.priority):
        classes: dict[str, list[str]] = defaultdict(list)
        for one in each:
            classes[one.rule.to(side)].append(str(one.number))
        if len(classes) < 2:
            continue
        places = " ".join(
            f"when {side}_rule in ({', '.join(numbers)}) then {place}"
            for place, numbers in enumerate(classes.values())
        )
        named = f"case {places} end"
        every = ", ".join(number for numbers in classes.values() for number in numbers)
        found.append(
            f"select 1 from hit where {side}_rule in ({every}, {DOUBT}) "
            f"group by {side} having min({side}_rule) = {DOUBT} "
            f"or min({named}) < max({named}) limit 1"
        )
    return found


def _effects(side: Side, rules: Sequence[Compiled]) -> tuple[str, ...]:
    """Statements that give every span the class of the first of its rules."""
    column = column_of(rules[0].rule)
    classes = " ".join(
        f"when {each.number} then {quoted(each.rule.to(side))}" for each in rules
    )
    return (
        "delete from best",
        f"insert into best select {side}, {side}_rule from hit "
        f"where {side}_rule is not null "
        "on conflict (id) do update set rule = min(rule, excluded.rule)",
        f"update {side} set ({column}, {column}_by) = (select case rule {classes} end, "
        f"rule from best where best.id = {side}.id) "
        f"where {column} is null and id in (select id from best)",
    )
