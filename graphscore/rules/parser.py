r"""Parse one file of rules, and say everything wrong with it.

The schema is :class:`Schema`, with the fields of rules and settings.  Each value is
converted by itself, so that all that is wrong is said at once, each with its line.

>>> parser = Parser("my.toml", "[[rule]]\nname = 1\n")
>>> parser.parse({"rule": [{"name": 1}]})
>>> print(parser.problems[0])
my.toml:2: name: found 1, expected a string, a line of at most 100 characters
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from sys import float_info
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    Union,
    cast,
    get_args,
    get_origin,
)

import msgspec
from msgspec import Meta, Struct

from graphscore.exceptions import Problem, did_you_mean
from graphscore.model.frameworks import FRAMEWORKS
from graphscore.model.normalize import fold
from graphscore.rules.lists import aliases_of, fold_spaces, words_of
from graphscore.rules.model import (
    BY,
    CREDITED,
    LEVELS,
    NOW,
    SIDES,
    TREATED,
    Line,
    Names,
    Rule,
    Settings,
    Share,
    Treated,
    Treatment,
    Unless,
)
from graphscore.rules.ruleset import RuleSet
from graphscore.rules.sandbox import check, tables_of
from graphscore.structures.layout import KINDS

MOST_RULES = 1_000
"""Rules of a set; and classes."""

MANY = 50
"""Names that a message lists."""

LONGEST = 1_000
"""Characters of a path, and of a value that conditions may call."""

UNLESS: tuple[str, ...] = get_args(Unless)
"""Pairs of which there may have to be none."""

_ENTITIES = ("gold", "system", "same", "mentions", "any")
"""Ranges of rules for the entities of documents."""

_HEADER = re.compile(r"^\s*\[\[\s*rule\s*\]\]")

_TABLE = re.compile(r"^\s*\[\[?\s*([a-z]+)(?:\s*\.\s*([a-z_]+))?\s*\]")

_KEY = re.compile(r"^\s*(?:\"([^\"]*)\"|'([^']*)'|([A-Za-z0-9_-]+))\s*[=.]")

Path = Annotated[
    str,
    Meta(
        max_length=LONGEST,
        pattern=r"\S",
        description=f"a string, a path of at most {LONGEST} characters",
    ),
]
Phases = Annotated[
    tuple[Line, ...], Meta(min_length=1, description="a list of names, each once")
]
Named = Annotated[
    str,
    Meta(pattern=r"^(?a:[A-Za-z_]\w*)\Z", description="a name of letters and digits"),
]
Value = Annotated[
    Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
    | Annotated[float, Meta(ge=-float_info.max, le=float_info.max)]
    | Annotated[str, Meta(max_length=LONGEST)],
    Meta(
        description=f"a number or a string, of at most 64 bits or {LONGEST} characters"
    ),
]


class ClassTable(Struct, forbid_unknown_fields=True):
    """Treatment of a class, as in a file."""

    treated: Treated = msgspec.field(name="as")
    low: bool = False
    credit: Any = None


class UnlessTable(Struct, forbid_unknown_fields=True):
    """Pairs of which there must be none, as a file has them."""

    over: Unless
    when: str = ""


class Schema(Struct):
    """Everything that a file may say."""

    title: Line
    extends: Path
    phases: Phases
    remove: Names
    settings: Settings
    values: dict[Named, Value]
    classes: dict[
        Line,
        Annotated[
            Treated | ClassTable,
            Meta(description="{as = ..., low = true, credit = 0.3}"),
        ],
    ]
    rule: Annotated[list[dict[str, Any]], Meta(description="[[rule]], a table each")]
    properties: dict[Named, Literal["text", "number"]]
    lists: dict[
        Named,
        Annotated[
            str | list[str], Meta(description="the path of a file, or a list of texts")
        ],
    ]
    aliases: dict[
        Named,
        Annotated[
            str | dict[str, list[str]],
            Meta(
                description="the path of a file, or a table of names with lists of "
                "others"
            ),
        ],
    ]


_FIELDS = {field.name: field.type for field in msgspec.structs.fields(Schema)}

SETTINGS = {
    field.name: field.type
    for field in msgspec.structs.fields(Settings)
    if field.name not in _FIELDS
}
"""Keys of ``[settings]``, with what they may be."""

PARTS = {
    field.name: field.type
    for field in msgspec.structs.fields(Rule)
    if field.name not in ("file", "line", "unless_over", "unless_when")
} | {
    "unless": Annotated[
        UnlessTable,
        Meta(description=f"{{over = {' or '.join(map(repr, UNLESS))}, when = ...}}"),
    ]
}
"""Keys of a rule, with what they may be."""


class RuleSource(NamedTuple):
    """A rule as one file has it."""

    values: dict[str, Any]
    line: int


class Parser:
    """Take what a file says apart, and note everything wrong with it.

    Args:
        file: its name.
        text: its text, for the numbers of lines.

    Attributes:
        problems: what is wrong.
        title, extends, phases, remove, settings, treatments, rules: what it says.
        cut: True if so much cannot be read that what is missed is no mistake.
        broken: by the name of a rule, keys that are wrong by themselves.
        contents: bytes of the files of words and aliases.
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
        self.rules: list[RuleSource] = []
        self.cut = False
        self.contents: list[bytes] = []
        self.broken: dict[str, set[str]] = {}

    @cached_property
    def _lines_of_keys(self) -> dict[str, int]:
        """The first line of each key of the file, and of each table."""
        lines: dict[str, int] = {}
        for number, line in enumerate(self.lines, 1):
            table = _TABLE.match(line)
            if table is not None and table[1] in _FIELDS:
                lines.setdefault(table[1], number)
                lines.setdefault(table[2] or table[1], number)
            key = _KEY.match(line)
            if key is not None:
                lines.setdefault(key[key.lastindex or 0], number)
        return lines

    def line_of(self, where: str) -> int | None:
        """Return the line of a key, from 1, or else of the table that it is in."""
        table, _, key = where.partition(".")
        outer, _, inner = key.partition(".")
        for name in (key, outer, table):
            line = self._lines_of_keys.get(name)
            if line is not None:
                header = self.lines[line - 1].lstrip().startswith("[")
                return self.line_in(line, inner) if header and inner else line
        return None

    def line_in(self, start: int, key: str) -> int:
        """Return the line of a key of the rule that begins on a line, or that line."""
        for number, line in enumerate(self.lines[start:], start + 1):
            if line.lstrip().startswith("["):
                break
            match = _KEY.match(line)
            if match is not None and key.partition(".")[0] in match.groups():
                return number
        return start

    def problem(
        self, where: str, problem: str, expected: str, line: int | None = None
    ) -> None:
        """Note what is wrong."""
        line = self.line_of(where) if line is None else line
        if len(where) > 200 or not where.isprintable():
            where = show(where)
        self.problems.append(Problem(self.file, line, None, where, problem, expected))

    def parse(self, table: Mapping[str, Any]) -> None:
        """Take a whole file apart."""
        fields = self._fields("", table, _FIELDS)
        self.title, self.extends = fields.get("title", ""), fields.get("extends", "")
        self.phases, self.remove = fields.get("phases", ()), fields.get("remove", ())
        self.settings = self._settings(fields, table)
        rules, classes = fields.get("rule", []), fields.get("classes", {})
        self.cut = not (rules if "rule" in table else True)
        if "phases" in table and not self.phases:
            self.cut = True
        if len(classes) > MOST_RULES:
            self.problem("classes", f"{len(classes)}", f"at most {MOST_RULES}")
            self.cut, classes = True, {}
        if len(rules) > MOST_RULES:
            self.problem("rule", f"{len(rules)} rules", f"at most {MOST_RULES}")
            self.cut, rules = True, []
        # Rules that name a class that is wrong are not wrong for that.
        known = table["classes"] if "classes" in fields else ()
        self.treatments = dict.fromkeys(known, Treatment("ignored"))
        for name, value in classes.items():
            self._class(name, value)
        starts = [k for k, line in enumerate(self.lines, 1) if _HEADER.match(line)]
        for number, rule in enumerate(rules):
            self._rule(rule, starts[number] if number < len(starts) else 0)

    def _fields(
        self, where: str, table: Mapping[str, Any], kinds: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Convert the values of a table by its keys; leave out what is wrong."""
        taken = {}
        for key, value in table.items():
            location = f"{where}.{key}" if where else key
            if key not in kinds:
                self.problem(location, f"the key {show(key)}", _among(key, kinds))
            elif (made := self._take(location, value, kinds[key])) is not None:
                taken[key] = made
        return taken

    def _members(
        self, where: str, table: Mapping[str, Any], kind: Any
    ) -> dict[str, Any]:
        """Convert keys and values of a table whose keys may be many."""
        key_kind, value_kind = get_args(kind)
        taken = {}
        for key, value in table.items():
            location = f"{where}.{key}"
            if _convert(key, key_kind) is None:
                self.problem(location, show(key), _expectation(key_kind, key))
            elif (made := self._take(location, value, value_kind)) is not None:
                taken[key] = made
        return taken

    def _take(self, where: str, value: Any, kind: Any, line: int | None = None) -> Any:
        """Convert a value; note what is wrong with it, and return nothing then."""
        base, _ = _base(kind)
        if isinstance(value, dict):
            if base is Settings:
                return self._fields(where, value, SETTINGS)
            if get_origin(base) in (dict, Mapping):
                return self._members(where, value, base)
        result = _convert(value, kind)
        if result is None:
            self.problem(where, show(value), _expectation(kind, value), line)
        return result

    def _settings(
        self, fields: Mapping[str, Any], table: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return settings, with all that conditions may name."""
        settings: dict[str, Any] = fields.get("settings", {})
        for key in {"fuzzy_words", "stop_words"} & settings.keys():
            settings[key] = {
                kind: frozenset(map(fold_spaces, words))
                for kind, words in settings[key].items()
            }
        if "levels" in settings:
            levels = settings["levels"]
            settings["levels"] = tuple(level for level in LEVELS if level in levels)
        for key, known in (("frameworks", FRAMEWORKS), ("nodes", ("*", *KINDS))):
            wrong = [name for name in settings.get(key, ("*",)) if name not in known]
            if key in settings and (wrong or not settings[key]):
                expected = _among(min(wrong, default=""), known)
                shown_value = show(table["settings"][key])
                self.problem(f"settings.{key}", shown_value, expected)
                del settings[key]
        # What is wrong is there for conditions that name it.
        if "values" in fields:
            settings["values"] = {
                **dict.fromkeys(table["values"], 0),
                **fields["values"],
            }
        for key, read, nothing in (
            ("properties", lambda _, __, kind: kind, None),
            ("lists", words_of, frozenset()),
            ("aliases", aliases_of, {}),
        ):
            named = {
                fold(name): read(self, f"{key}.{name}", value)
                for name, value in fields.get(key, {}).items()
            }
            if nothing is not None and key in fields:
                named = {**dict.fromkeys(map(fold, table[key]), nothing), **named}
            if named:
                settings[key] = named
        return settings

    def _class(self, name: str, value: str | ClassTable) -> None:
        where = f"classes.{name}"
        if BY in name:
            expected = f"a name without {BY!r}, which precedes a cause"
            self.problem(where, show(name), expected)
            return
        if isinstance(value, str):
            value = ClassTable(cast(Treated, value))
        credit = value.credit
        if credit is not None:
            credit = self._take(f"{where}.credit", credit, Share, self.line_of(where))
            if credit is not None and value.treated not in CREDITED:
                expected = f"credit of a class that is {', '.join(CREDITED)}"
                self.problem(where, f"credit of {value.treated!r}", expected)
                return
        self.treatments[name] = Treatment(value.treated, value.low, credit)

    def _rule(self, table: Mapping[str, Any], line: int) -> None:
        name = table.get("name")
        title = f"rule {show(name)}, " if isinstance(name, str) else ""
        values: dict[str, Any] = {}
        wrong: set[str] = set()
        for key, value in table.items():
            where, at = f"{title}{key}", self.line_in(line, key)
            if key not in PARTS:
                self.problem(where, f"the key {show(key)}", _among(key, PARTS), at)
                wrong.add(key)
            elif (made := self._take(where, value, PARTS[key], at)) is not None:
                values[key] = made
            else:
                wrong.add(key)
        if "name" not in table:
            self.problem("rule", "a rule without a name", "name = ...", line)
        elif any(rule.values["name"] == values.get("name") for rule in self.rules):
            self.problem(f"{title}name", "the name twice", "a name once", line)
        elif "name" in values:
            unless = values.pop("unless", None)
            if unless is not None:
                values |= {"unless_over": unless.over, "unless_when": unless.when}
            self.rules.append(RuleSource(values, line))
            if wrong:
                self.broken[values["name"]] = wrong


_LINES = (Line, Path, Phases)


def _base(kind: Any) -> tuple[Any, str]:
    """Return a type without None and limits, and what it is in words."""
    if get_origin(kind) in (Union, UnionType) and NoneType in get_args(kind):
        [kind] = (part for part in get_args(kind) if part is not NoneType)
    if get_origin(kind) is Annotated:
        return get_args(kind)[0], str(kind.__metadata__[-1].description)
    return kind, {bool: "true or false", str: "a string"}.get(kind, "a table")


def _convert(value: Any, kind: Any) -> Any:
    """Convert a value; return nothing if it cannot be."""
    several = get_origin(_base(kind)[0]) in (tuple, frozenset)
    alone = several and isinstance(value, str)
    try:
        result = msgspec.convert([value] if alone else value, kind)
    except msgspec.ValidationError:
        return None
    if kind in _LINES and not all(map(str.isprintable, result)):
        return None
    if isinstance(result, tuple):
        each_once = tuple(dict.fromkeys(result))
        return None if kind == Phases and each_once != result else each_once
    return result


def _expectation(kind: Any, value: Any) -> str:
    """Return what is expected instead of a value."""
    base, words = _base(kind)
    if get_origin(base) is Literal:
        return _among(value, get_args(base))
    if Treated in get_args(base):
        return f"{_among(value, TREATED)}; or {words}"
    return words


def show(value: Any) -> str:
    """Return what was found, however large or deep it is.

    >>> show([1, "a"]), show("a" * 999)[-6:]
    ("[1, 'a']", 'aaa...')
    """
    try:
        text = repr(value)
    except (RecursionError, ValueError):
        return f"a {type(value).__name__} that is too large"
    return text if len(text) <= 60 else text[:57] + "..."


def _among(value: Any, choices: Iterable[str]) -> str:
    """Return what there is to choose from, and which was perhaps meant."""
    known = tuple(choices)
    near = did_you_mean(value, known) if isinstance(value, str) else ""
    return f"one of: {', '.join(known)}{near}"


def _some_of(names: Iterable[str]) -> str:
    """Return what there is to choose from, as far as it can be read."""
    listed = list(names)
    more = f" and {len(listed) - MANY} more" if len(listed) > MANY else ""
    return f"{', '.join(listed[:MANY])}{more}"


def faults(rule: Rule, made: RuleSet) -> Iterator[tuple[str, str, str]]:
    """Yield the errors of a rule, by key, in view of the whole set."""
    if rule.phase not in made.phases:
        yield "phase", repr(rule.phase), f"one of: {_some_of(made.phases)}"
    for over in (rule.over, rule.unless_over):
        if rule.level == "document" and over not in (*_ENTITIES, None):
            reason = "entities of a document have no extents"
            yield "over", repr(over), f"'same': {reason}"
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
    known = _some_of(made.treatments)
    for name in rule.froms(side) or ():
        if name and name not in made.treatments:
            yield f"from_{side}", repr(name), f"one of [classes]: {known}"
    for before, after in rule.classes(side):
        if before == after:
            yield f"to_{side}", f"{after!r} from itself", "another class"
        elif after not in made.treatments:
            yield f"to_{side}", repr(after), f"one of [classes]: {known}"
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
            problem, _, expected = wrong.partition(", expected ")
            yield key, problem, expected or "a SQL expression"


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
