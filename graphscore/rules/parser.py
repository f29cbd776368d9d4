r"""What one file of rules says, and what is wrong with it.

>>> checker = Checker("my.toml", "[[rule]]\nname = 1\n")
>>> checker.check({"rule": [{"name": 1}]})
>>> print(checker.problems[0])
my.toml:2: name: found 1, expected a string
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, get_args

from graphscore.errors import Problem, meant
from graphscore.model.frameworks import FRAMEWORKS
from graphscore.model.normalize import fold
from graphscore.rules.lists import NAMED, take_named
from graphscore.rules.model import (
    CREDITED,
    LEVELS,
    NOW,
    SIDES,
    TREATED,
    Level,
    Over,
    Rule,
    Treatment,
    Unless,
)
from graphscore.rules.ruleset import RuleSet
from graphscore.rules.sandbox import check, tables_of
from graphscore.structures.layout import KINDS

TOP = (
    *("title", "extends", "phases", "remove", "settings", "values", "classes", "rule"),
    *("properties", "lists", "aliases"),
)

MOST = 100
"""Characters of a name; classes and rules become names of figures."""

MOST_RULES = 1_000
"""Rules of a set; and classes."""

MANY = 50
"""Names that a message lists."""

LONGEST = 1_000
"""Characters of a path."""

MOST_VALUE = 1_000
"""Characters of a value that conditions may call."""

UNLESS: tuple[str, ...] = get_args(Unless)
"""Pairs of which there may have to be none."""

_ENTITIES = ("gold", "system", "same", "mentions", "any")
"""What rules for entities of documents range over."""

RESERVED = " by "
"""What no class has: it stands between a class and the cause of an error."""

_HEADER = re.compile(r"^\s*\[\[\s*rule\s*\]\]")

_TABLE = re.compile(r"^\s*\[\[?\s*([a-z]+)\s*\]")

_KEY = re.compile(r"^\s*(?:\"([^\"]*)\"|'([^']*)'|([A-Za-z0-9_-]+))\s*[=.]")


@dataclass
class Found:
    """A rule as one file has it: what is said of it, and where."""

    values: dict[str, Any]
    line: int


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError("a string")
    if len(value) > MOST or not value.isprintable():
        raise ValueError(f"a line of at most {MOST} characters")
    return value


def one_of(names: Iterable[str]) -> str:
    """What there is to choose from, as far as it can be read."""
    found = list(names)
    more = f" and {len(found) - MANY} more" if len(found) > MANY else ""
    return f"{', '.join(found[:MANY])}{more}"


def _path(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError("a string")
    if len(value) > LONGEST or not value.isprintable():
        raise ValueError(f"a path of at most {LONGEST} characters")
    return value


def _long(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("a string")
    return value


def _whole(value: Any) -> int:
    if type(value) is not int or abs(value) > 1_000_000:
        raise ValueError("a whole number up to a million")
    return value


def _truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError("true or false")
    return value


def shown(value: Any) -> str:
    """What was found, however large or deep it is.

    >>> shown([1, "a"]), shown("a" * 999)[-6:]
    ("[1, 'a']", 'aaa...')
    """
    try:
        text = repr(value)
    except (RecursionError, ValueError):
        return f"a {type(value).__name__} that is too large"
    return text if len(text) <= 60 else text[:57] + "..."


def _names(value: Any) -> tuple[str, ...]:
    listed = value if isinstance(value, list) else [value]
    if not all(isinstance(each, str) for each in listed):
        raise ValueError("a string or a list of strings")
    return tuple(dict.fromkeys(listed))


def _phases(value: Any) -> tuple[str, ...]:
    found = _names(value)
    if not found or (isinstance(value, list) and len(found) < len(value)):
        raise ValueError("a list of names, each once")
    return tuple(map(_text, found))


def _among(given: Any, choices: Iterable[str]) -> str:
    """What is expected where there is a choice, and which was perhaps meant."""
    known = tuple(choices)
    near = meant(given, known) if isinstance(given, str) else ""
    return f"one of: {', '.join(known)}{near}"


def _one_of(*choices: str) -> Callable[[Any], str]:
    def take(value: Any) -> str:
        if not isinstance(value, str) or value not in choices:
            raise ValueError(_among(value, choices))
        return str(value)

    return take


def _levels(value: Any) -> tuple[str, ...]:
    found = _names(value)
    if not found or set(found) - set(LEVELS):
        raise ValueError(f"a list of: {', '.join(LEVELS)}")
    return tuple(level for level in LEVELS if level in found)


def _words(value: Any) -> dict[str, frozenset[str]]:
    if not isinstance(value, Mapping):
        raise ValueError("a table of lists of words by type, * for all types")
    return {
        name: frozenset(fold(" ".join(word.split())) for word in _names(listed))
        for name, listed in value.items()
    }


def _above(value: Any) -> dict[str, frozenset[str]]:
    if not isinstance(value, Mapping):
        raise ValueError("a table of types with the type or types above each")
    return {name: frozenset(_names(listed)) for name, listed in value.items()}


def _credit(value: Any) -> dict[str, float]:
    expected = f"a table of numbers from 0 to 1 for {', '.join(CREDITED)}"
    if not isinstance(value, Mapping) or set(value) - set(CREDITED):
        raise ValueError(expected)
    if not all(_number(each) and 0 <= each <= 1 for each in value.values()):
        raise ValueError(expected)
    return {name: float(each) for name, each in value.items()}


def _number(value: Any) -> bool:
    if type(value) is int:
        return -(2**63) <= value < 2**63
    return type(value) is float and math.isfinite(value)


def _value(value: Any) -> float | str:
    if isinstance(value, str) and len(value) <= MOST_VALUE:
        return value
    if _number(value):
        return value  # type: ignore[no-any-return]
    raise ValueError(
        f"a number or a string, of at most 64 bits or {MOST_VALUE} characters"
    )


def _characters(value: Any) -> int:
    if type(value) is not int or not 0 <= value <= 10_000:
        raise ValueError("a number of characters, from 0 to 10000")
    return value


def _frameworks(value: Any) -> tuple[str, ...]:
    found = _names(value)
    if not found or not all(name in FRAMEWORKS for name in found):
        wrong = next((name for name in found if name not in FRAMEWORKS), "")
        raise ValueError(_among(wrong, FRAMEWORKS))
    return found


def _nodes(value: Any) -> tuple[str, ...]:
    found, known = _names(value), ("*", *KINDS)
    if not found or not all(name in known for name in found):
        wrong = next((name for name in found if name not in known), "")
        raise ValueError(_among(wrong, known))
    return found


SETTINGS: Mapping[str, Callable[[Any], Any]] = {
    "levels": _levels,
    "low": lambda value: frozenset(_names(value)),
    "low_confidence": _one_of("count", "ignore"),
    "credit": _credit,
    "fuzzy_words": _words,
    "stop_words": _words,
    "hierarchy": _above,
    "same_names": _names,
    "near": lambda value: _characters(value),
    "frameworks": lambda value: _frameworks(value),
    "nodes": lambda value: frozenset(_nodes(value)),
    "document_key": _one_of("words", "entries", "entries only"),
}

PARTS: Mapping[str, Callable[[Any], Any]] = {
    "name": _text,
    "phase": _text,
    "priority": _whole,
    "level": _one_of(*get_args(Level)),
    "over": _one_of(*get_args(Over)),
    "when": _long,
    "from_gold": _names,
    "from_system": _names,
    "to_gold": _text,
    "to_system": _text,
    "each": _truth,
    "cause": _text,
    "reason": _text,
    "enabled": _truth,
}


class Checker:
    """Takes what a file says apart, and notes everything wrong with it.

    Args:
        file: its name.
        text: its text, for the numbers of lines.

    Attributes:
        problems: what is wrong.
        title, extends, phases, remove, settings, treatments, rules: what it says.
        cut: whether so much cannot be read that what is missed is no mistake.
        broken: by the name of a rule, keys that are wrong by themselves.
        contents: what is in files of words and aliases.
    """

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.lines = list(_outside_strings(text))
        self.problems: list[Problem] = []
        self.title = ""
        self.extends = ""
        self.phases: tuple[str, ...] = ()
        self.remove: tuple[str, ...] = ()
        self.settings: dict[str, Any] = {}
        self.treatments: dict[str, Treatment] = {}
        self.rules: list[Found] = []
        self.cut = False
        self.contents: list[bytes] = []
        self.broken: dict[str, set[str]] = {}

    def line_of(self, key: str, first: int = 0, last: int | None = None) -> int | None:
        """The line where a key is given a value, from 1."""
        if not first and last is None:
            return self._places.get(key)
        for number, line in enumerate(self.lines[first:last], first + 1):
            said = _KEY.match(line)
            if said is not None and key in said.groups():
                return number
        return None

    @cached_property
    def _places(self) -> dict[str, int]:
        """The first line of each key of the file, and of each table."""
        found: dict[str, int] = {}
        for number, line in enumerate(self.lines, 1):
            table = _TABLE.match(line)
            if table is not None and table[1] in TOP:
                found.setdefault(table[1], number)
            said = _KEY.match(line)
            if said is not None:
                [key] = [each for each in said.groups() if each is not None]
                found.setdefault(key, number)
        return found

    def line_in(self, start: int, key: str) -> int:
        """The line of a key of the rule that begins on a line, or that line."""
        end = start
        while end < len(self.lines) and not self.lines[end].lstrip().startswith("["):
            end += 1
        return self.line_of(key.partition(".")[0], start, end) or start

    def problem(
        self, where: str, found: str, expected: str, line: int | None = None
    ) -> None:
        """Note what is wrong."""
        if line is None:
            line = self.line_of(where.rpartition(".")[2])
        if len(where) > 2 * MOST or not where.isprintable():
            where = shown(where)
        self.problems.append(Problem(self.file, line, None, where, found, expected))

    def check(self, table: Mapping[str, Any]) -> None:
        """Take a whole file apart."""
        for key in table:
            if key not in TOP:
                self.problem(key, f"the key {shown(key)}", _among(key, TOP))
        for key, take in (("title", _text), ("extends", _path)):
            if key in table:
                setattr(self, key, self._take(key, table[key], take, key) or "")
        if "phases" in table:
            self.phases = self._take("phases", table["phases"], _phases, "phases") or ()
            self.cut = not self.phases
        if "remove" in table:
            self.remove = self._take("remove", table["remove"], _names, "remove") or ()
        self._tables(table)
        given = table.get("rule", [])
        if not isinstance(given, list) or not all(isinstance(r, dict) for r in given):
            self.problem("rule", shown(given), "[[rule]], a table each")
            self.cut = True
            return
        if len(given) > MOST_RULES:
            self.problem("rule", f"{len(given)} rules", f"at most {MOST_RULES}")
            self.cut = True
            return
        starts = [k for k, line in enumerate(self.lines, 1) if _HEADER.match(line)]
        names: set[str] = set()
        for number, each in enumerate(given):
            line = starts[number] if number < len(starts) else 0
            self._rule(each, line, names)

    def _tables(self, table: Mapping[str, Any]) -> None:
        for key, value in self._table(table, "settings").items():
            if key not in SETTINGS:
                expected = _among(key, SETTINGS)
                self.problem(f"settings.{key}", f"the key {shown(key)}", expected)
                continue
            taken = self._take(f"settings.{key}", value, SETTINGS[key], key)
            if taken is not None:
                self.settings[key] = taken
        values = {}
        for key, value in self._table(table, "values").items():
            where = f"values.{key}"
            if not re.fullmatch(r"[A-Za-z_]\w*", key, re.ASCII):
                self.problem(where, shown(key), "a name of letters and digits")
                continue
            # Conditions that call one of a wrong kind are not wrong for that.
            taken = self._take(where, value, _value, key)
            values[key] = 0 if taken is None else taken
        self.settings |= {"values": values} if values else {}
        take_named(self, {key: self._table(table, key) for key in NAMED})
        classes = self._table(table, "classes")
        if len(classes) > MOST_RULES:
            self.problem("classes", f"{len(classes)}", f"at most {MOST_RULES}")
            self.cut = True
            return
        for name, value in classes.items():
            self._class(name, value)

    def _table(self, table: Mapping[str, Any], key: str) -> Mapping[str, Any]:
        value = table.get(key, {})
        if isinstance(value, Mapping):
            return value
        self.problem(key, shown(value), "a table")
        return {}

    def _class(self, name: str, value: Any) -> None:
        try:
            _text(name)
        except ValueError as error:
            line = self.line_of(name)
            self.problem("classes", f"the class {shown(name)}", str(error), line)
            return
        if RESERVED in name:
            expected = f"a name without {RESERVED!r}, which precedes a cause"
            self.problem(f"classes.{name}", shown(name), expected, self.line_of(name))
            return
        expected = (
            f"{_among(value, TREATED)}; or {{as = ..., low = true, credit = 0.3}}"
        )
        # Rules that name it are not wrong for that.
        self.treatments[name] = Treatment("ignored")
        said: Any = {"as": value} if isinstance(value, str) else value
        if (
            not isinstance(said, Mapping)
            or not isinstance(said.get("as"), str)
            or said["as"] not in TREATED
            or set(said) - {"as", "low", "credit"}
            or not isinstance(said.get("low", False), bool)
        ):
            self.problem(f"classes.{name}", shown(value), expected)
            return
        credit, line = said.get("credit"), self.line_of(name)
        if credit is not None and not (_number(credit) and 0 <= credit <= 1):
            wrong = f"credit = {shown(credit)}", "a number from 0 to 1"
            self.problem(f"classes.{name}", *wrong, line)
        elif credit is not None and said["as"] not in CREDITED:
            kinds = f"credit of a class that is {', '.join(CREDITED)}"
            self.problem(f"classes.{name}", f"credit of {said['as']!r}", kinds, line)
        else:
            own = None if credit is None else float(credit)
            self.treatments[name] = Treatment(said["as"], said.get("low", False), own)

    def _take(
        self,
        where: str,
        value: Any,
        take: Callable[[Any], Any],
        key: str,
        line: int | None = None,
    ) -> Any:
        try:
            return take(value)
        except ValueError as error:
            line = self.line_of(key) if line is None else line
            self.problem(where, shown(value), str(error), line)
            return None

    def _rule(self, given: Mapping[str, Any], line: int, names: set[str]) -> None:
        taken: dict[str, Any] = {}
        wrong: set[str] = set()
        for key, value in given.items():
            at, before = self.line_in(line, key), len(self.problems)
            if key == "unless":
                self._unless(value, at, taken)
            elif key not in PARTS:
                there = _among(key, (*PARTS, "unless"))
                self.problem(key, f"the key {shown(key)}", there, at)
            else:
                found = self._take(key, value, PARTS[key], key, at)
                if found is not None:
                    taken[key] = found
            if len(self.problems) > before:
                wrong.add(key)
        if "name" not in given:
            self.problem("rule", "a rule without a name", "name = ...", line)
            return
        name = taken.get("name")
        if name in names:
            self.problem("name", f"{name!r} twice", "a name once", line)
        elif name is not None:
            names.add(name)
            self.rules.append(Found(taken, line))
            if wrong:
                self.broken[name] = wrong

    def _unless(self, value: Any, line: int, taken: dict[str, Any]) -> None:
        expected = f"{{over = {' or '.join(map(repr, UNLESS))}, when = ...}}"
        if (
            not isinstance(value, Mapping)
            or set(value) - {"over", "when"}
            or not isinstance(value.get("over"), str)
            or value["over"] not in UNLESS
            or not isinstance(value.get("when", ""), str)
        ):
            self.problem("unless", shown(value), expected, line)
            return
        taken["unless_over"] = value["over"]
        taken["unless_when"] = value.get("when", "")

    def faults(self, rule: Rule, made: RuleSet) -> Iterator[tuple[str, str, str]]:
        """What is wrong with a rule, by key, once the whole set is known."""
        if rule.phase not in made.phases:
            yield "phase", repr(rule.phase), f"one of: {one_of(made.phases)}"
        for over in (rule.over, rule.unless_over):
            if rule.level == "document" and over not in (*_ENTITIES, None):
                there = "entities of a document have no extents"
                yield "over", repr(over), f"'same': {there}"
        if rule.level != "document" and "mentions" in (rule.over, rule.unless_over):
            yield "over", "'mentions'", "level = 'document': spans have none"
        if rule.over == "any" and not (rule.level == "document" and rule.when):
            yield "over", "'any'", "level = 'document' and when, which says which pairs"
        if rule.unless_over is not None and len(rule.sides) > 1:
            yield "unless", "a rule over pairs", "over = 'gold' or 'system'"
        if not rule.targets:
            yield "name", "a rule without effect", "to_gold or to_system"
        for side in SIDES:
            if side not in rule.sides:
                for key in (f"to_{side}", f"from_{side}"):
                    if getattr(rule, key):
                        yield key, f"over = {rule.over!r}", f"a rule over {side}"
            yield from _classes(rule, side, made)
        yield from _conditions(rule, made)


def _classes(rule: Rule, side: Any, made: RuleSet) -> Iterator[tuple[str, str, str]]:
    """Classes that are not declared, or do not change."""
    there = one_of(made.treatments)
    for name in rule.froms(side) or ():
        if name and name not in made.treatments:
            yield f"from_{side}", repr(name), f"one of [classes]: {there}"
    for before, after in rule.classes(side):
        if before == after:
            yield f"to_{side}", f"{after!r} from itself", "another class"
        elif after not in made.treatments:
            yield f"to_{side}", repr(after), f"one of [classes]: {there}"
        elif NOW in rule.to(side) and not before:
            yield f"from_{side}", f"none beside {NOW}", "the classes that there may be"


def _conditions(rule: Rule, made: RuleSet) -> Iterator[tuple[str, str, str]]:
    values = made.settings.values
    for key, over, condition in (
        ("when", rule.over, rule.when),
        ("unless", rule.unless_over, rule.unless_when),
    ):
        if not condition or over is None:
            continue
        wrong = check(condition, tables_of(rule, over), rule.level, values, made.names)
        if wrong is not None:
            found, _, expected = wrong.partition(", expected ")
            yield key, found, expected or "a SQL expression"


def _outside_strings(text: str) -> Iterator[str]:
    """Lines of a file; nothing for those inside of strings of several lines."""
    quote = ""
    for line in text.splitlines():
        yield "" if quote else line
        for mark in re.findall(r"\"\"\"|'''", line):
            if not quote:
                quote = mark
            elif quote == mark:
                quote = ""
