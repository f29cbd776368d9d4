"""What is certain of rules before they run: that they contradict or undo each other.

A rule matches whenever another does if it asks for no more.  Two of one phase and
priority that give such a span different classes contradict each other for certain, and
a ring of classes is gone round without end if one match serves all its rules and
nothing leads out of it.  Of other conditions it cannot be known before: whether a span
is of two kinds at a time is a matter of data.

>>> from graphscore.rules.model import Settings, Treatment
>>> from graphscore.rules.ruleset import RuleSet
>>> classes = {name: Treatment("true") for name in "AB"}
>>> rules = (
...     Rule("all", over="gold", to_gold="A"),
...     Rule("low", over="gold", when="gold.low", to_gold="B"),
... )
>>> foresee(RuleSet("", ("base",), rules, Settings(), classes)).conflicts
[('all', 'low')]
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from graphscore.errors import Problem
from graphscore.rules.model import SIDES, UNCLASSIFIED, Rule, Side
from graphscore.rules.ruleset import RuleSet
from graphscore.rules.safety import conjuncts, read_by

Names = tuple[str, ...]

MANY = 1_000
"""Pairs or rings that are listed at most."""

_EQUALS = re.compile(r"([a-z]+\.[a-z_]+) = ('(?:[^']|'')*'|-?[\d.]+)")


class Foreseen(NamedTuple):
    """What is known of rules before they run; rules by their names."""

    conflicts: list[Names]
    """Pairs of one phase and priority that give one span different classes."""
    loops: list[Names]
    """Rings of rules that undo each other without end."""
    possible_conflicts: list[Names]
    """Pairs that may do so: that depends on the data."""
    possible_loops: list[Names]
    """Rules between whose classes there is a ring; whether it is gone round depends on
    the data."""

    def problems(self, rules: RuleSet) -> list[Problem]:
        """What is certain, with the line of the first rule.

        Args:
            rules: the set.
        """
        by_name = {rule.name: rule for rule in rules.rules}
        found = []
        for names, what, expected in (
            *((each, "contradicts", _CONFLICT) for each in self.conflicts),
            *((each, "undoes", _LOOP) for each in self.loops),
        ):
            first, *others = names
            rule, listed = by_name[first], " and ".join(map(repr, others))
            said = f"a rule that {what} {listed} whenever both match"
            if not others:
                said = "a rule that fires on its own result without end"
            where = f"rule {first!r}"
            line = rule.line or None
            found.append(Problem(rule.file, line, None, where, said, expected))
        return found


_CONFLICT = "different priorities or conditions"
_LOOP = "classes that are given once in a phase"


def foresee(rules: RuleSet) -> Foreseen:
    """Look for conflicts and loops among the rules of a set.

    Args:
        rules: a set that was checked.
    """
    found = Foreseen([], [], [], [])
    order = rules.in_order()
    asked = {rule.name: frozenset(conjuncts(rule.when or "1")) for rule in order}
    for phase in rules.phases:
        own = [rule for rule in order if rule.phase == phase]
        _conflicts(own, asked, found)
        for level in sorted({rule.level for rule in own}):
            for side in SIDES:
                some = [r for r in own if r.level == level and r.to(side)]
                _loops(some, side, asked, found)
    return Foreseen(*(sorted(set(each))[:MANY] for each in found))


Asked = dict[str, frozenset[str]]


def _conflicts(rules: Sequence[Rule], asked: Asked, found: Foreseen) -> None:
    alike: dict[tuple[str, int], list[Rule]] = defaultdict(list)
    for rule in rules:
        alike[rule.level, rule.priority].append(rule)
    for group in alike.values():
        for one, two in combinations(group, 2):
            for side in SIDES:
                if len(found.possible_conflicts) > 10 * MANY:
                    return
                if not _differ(one, two, side):
                    continue
                names = one.name, two.name
                if _covers(one, two, side, asked) or _covers(two, one, side, asked):
                    found.conflicts.append(names)
                elif not _apart(asked[one.name], asked[two.name]):
                    found.possible_conflicts.append(names)


def _differ(one: Rule, two: Rule, side: Side) -> bool:
    """Whether a span may have a class of which they make different ones."""
    mine, theirs = dict(one.classes(side)), dict(two.classes(side))
    return any(mine[name] != theirs[name] for name in mine.keys() & theirs.keys())


def _covers(one: Rule, two: Rule, side: Side, asked: Asked) -> bool:
    """Whether the first matches a span of a side whenever the second does."""
    if one.over != two.over and one.over != side:
        return False
    if not (asked[one.name] - {"1"} <= asked[two.name]):
        return False
    mine = one.unless_over, one.unless_when
    if one.unless_over is not None and mine != (two.unless_over, two.unless_when):
        return False
    return all(
        set(two.froms(each) or ()) <= set(one.froms(each) or ())
        and two.froms(each) is not None
        for each in one.sides
        if each != side and not one.each and one.froms(each) is not None
    )


def _apart(one: frozenset[str], two: frozenset[str]) -> bool:
    """Whether two conditions cannot hold together, as far as that can be seen."""
    values = {}
    for each in one:
        if f"not {each}" in two or each.removeprefix("not ") in two - {each}:
            return True
        if said := _EQUALS.fullmatch(each):
            values[said[1]] = said[2]
    return any(
        values.get(said[1], said[2]) != said[2]
        for each in two
        if (said := _EQUALS.fullmatch(each))
    )


def _loops(rules: Sequence[Rule], side: Side, asked: Asked, found: Foreseen) -> None:
    """Rings of classes that rules of one phase lead round."""
    edges = [
        (before, after, rule)
        for rule in rules
        for before, after in rule.classes(side)
        if before != UNCLASSIFIED
    ]
    for ring in _rings(edges):
        inside = {before for before, _, rule in edges if rule in ring}
        leaving = any(
            before in inside and after not in inside for before, after, _ in edges
        )
        names = tuple(sorted(rule.name for rule in ring))
        if not leaving and any(_forever(ring, each, side, asked) for each in ring):
            found.loops.append(names)
        else:
            found.possible_loops.append(names)


def _forever(ring: Sequence[Rule], strict: Rule, side: Side, asked: Asked) -> bool:
    """Whether a match of one rule of a ring is one of all, whatever happens."""
    return all(
        _covers(rule, strict, side, asked)
        and not _reads_classes(rule)
        and (
            len(rule.sides) == 1
            or all(rule.froms(s) is None for s in rule.sides if s != side)
        )
        for rule in ring
    )


def _reads_classes(rule: Rule) -> bool:
    return rule.unless_over is not None or any(
        name.endswith((".class", ".resolution")) for name in read_by(rule)
    )


def _rings(edges: Sequence[tuple[str, str, Rule]]) -> Iterator[list[Rule]]:
    """The rules between classes that lead to each other, once for each such group."""
    after: dict[str, set[str]] = defaultdict(set)
    for one, two, _ in edges:
        after[one].add(two)
    reached = {name: _reached(name, after) for name in list(after)}
    seen: set[str] = set()
    for name in sorted(after):
        if name in seen or name not in reached[name]:
            continue
        group = {name} | {o for o in reached[name] if name in reached.get(o, ())}
        seen |= group
        rules = {r.name: r for one, two, r in edges if one in group and two in group}
        yield list(rules.values())


def _reached(start: str, after: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        for name in after.get(waiting.pop(), ()):
            if name not in found:
                found.add(name)
                waiting.append(name)
    return found
