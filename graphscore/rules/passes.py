"""Rules of a phase that are decided together, by a statement for each kind of pairs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from graphscore.rules.model import NOW, SIDES, UNCLASSIFIED, Over, Side
from graphscore.rules.sandbox import conjuncts, read_by
from graphscore.rules.statements import PAIRS, Compiled, column_of, join, quote

DOUBT = -1
"""Stands for a rule where two of one priority give different classes."""

LONGEST = 40_000
"""Characters of a statement; longer ones the database may refuse."""


class Pass(NamedTuple):
    """Rules that are decided together, by one statement for each kind of pairs.

    Most rules of Figure 1 give a first class, each side for itself, by what they do not
    change.  Of such rules that follow one another the first that matches a span
    decides.  Wherever two of one priority might give a span different classes, they
    are left to be fired one by one.
    """

    rules: tuple[Compiled, ...]
    finds: tuple[tuple[Over, str], ...]
    """Put into the table of hits which rule is the first for each side of a pair."""
    doubts: tuple[str, ...]
    """Find a row where the rules have to be fired one by one."""
    effects: tuple[str, ...]


def leading_rules(phase: Sequence[Compiled]) -> list[Compiled]:
    """The first rules of a phase, as far as they can be decided together.

    Args:
        phase: its rules, in order.
    """
    result: list[Compiled] = []
    for _, same_priority in groupby(phase, lambda compiled: compiled.rule.priority):
        group = list(same_priority)
        if not all(_is_independent(compiled, phase[0]) for compiled in group):
            break
        result += group
    return result


def _is_independent(compiled: Compiled, first: Compiled) -> bool:
    """Return true if a rule gives first classes, per side, by other columns."""
    rule = compiled.rule
    column = column_of(rule.level)
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
    rules = leading_rules(phase)
    if len(rules) < 2:
        return None
    finds = tuple((over, _find(over, rules)) for over in PAIRS if _over(over, rules))
    if max(len(statement) for _, statement in finds) > LONGEST:
        return None
    doubts: list[str] = []
    effects: list[str] = []
    for side in SIDES:
        own = [rule for rule in rules if rule.rule.to(side)]
        if own:
            doubts += _doubts(side, own)
            effects += _effects(side, own)
    return Pass(tuple(rules), finds, tuple(doubts), tuple(effects))


def _over(over: Over, rules: Sequence[Compiled]) -> list[Compiled]:
    return [rule for rule in rules if rule.rule.over == over]


def _find(over: Over, rules: Sequence[Compiled]) -> str:
    several = _over(over, rules)
    parts = [conjuncts(compiled.rule.when or "1") for compiled in several]
    shared = list(common(parts))
    rests = {
        compiled.number: " and ".join(part[len(shared) :]) or "1"
        for compiled, part in zip(several, parts, strict=True)
    }
    cases = [
        _case(
            side,
            [compiled for compiled in several if compiled.rule.to(side)],
            rests,
        )
        for side in SIDES
    ]
    conditions = ["one is not null or other is not null", *shared]
    where = " and ".join(f"({compiled})" for compiled in conditions)
    return (
        f"insert into hit select gold.id, system.id, {cases[0]} as one, "
        f"{cases[1]} as other from {join(over)} where {where}"
    )


def common(lists: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the common prefix of lists.

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
    for index, compiled in enumerate(rules):
        number = str(compiled.number)
        rivals = [
            f"({rests[rule.number]})"
            for rule in rules[index + 1 :]
            if rule.rule.priority == compiled.rule.priority
            and rule.rule.to(side) != compiled.rule.to(side)
        ]
        if rivals:
            number = f"case when {' or '.join(rivals)} then {DOUBT} else {number} end"
        whens.append(f"when {rests[compiled.number]} then {number}")
    return f"case {' '.join(whens)} end" if whens else "null"


def _doubts(side: Side, rules: Sequence[Compiled]) -> list[str]:
    """Statements that find spans of two rules of one priority, but several classes."""
    doubts = []
    for _, same_priority in groupby(rules, lambda compiled: compiled.rule.priority):
        classes: dict[str, list[str]] = defaultdict(list)
        for compiled in same_priority:
            classes[compiled.rule.to(side)].append(str(compiled.number))
        if len(classes) < 2:
            continue
        cases = " ".join(
            f"when {side}_rule in ({', '.join(numbers)}) then {index}"
            for index, numbers in enumerate(classes.values())
        )
        named = f"case {cases} end"
        every = ", ".join(number for numbers in classes.values() for number in numbers)
        doubts.append(
            f"select 1 from hit where {side}_rule in ({every}, {DOUBT}) "
            f"group by {side} having min({side}_rule) = {DOUBT} "
            f"or min({named}) < max({named}) limit 1"
        )
    return doubts


def _effects(side: Side, rules: Sequence[Compiled]) -> tuple[str, ...]:
    """Statements that give every span the class of the first of its rules."""
    column = column_of(rules[0].rule.level)
    classes = " ".join(
        f"when {rule.number} then {quote(rule.rule.to(side))}" for rule in rules
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
