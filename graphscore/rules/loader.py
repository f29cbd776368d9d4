"""Rule sets from TOML files, with what they extend, and everything wrong with them.

>>> rules = rules_of("")
>>> rules.phases[0], rules.treatments["FzTP"].treated
('base', 'fuzzy')
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import asdict, replace

from graphscore.errors import InputError, Problem, UsageError, expecting
from graphscore.rules.functions import LIST
from graphscore.rules.model import Rule, Settings, Treatment
from graphscore.rules.parser import MOST_RULES, Parser, RuleSource, faults, shown
from graphscore.rules.ruleset import RuleSet
from graphscore.tables import BrokenError, tables

DEFAULT = "default"
"""The name of the rule set that is shipped."""

MEANING = b"2"
"""Changes when the same files come to mean something else: part of their digest."""

DEEPEST = 20
"""Files that may extend one another in a row."""

LARGEST = 1_000_000
"""Bytes of a file of rules."""

MOST_PROBLEMS = 200
"""Lines of what is wrong with files."""

DOTS = 20
"""Parts of a key; work grows with the cube of them."""

_DOTTED = re.compile(
    rf"""(?<![\w-])(?:(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){{{DOTS}}}""",
    re.ASCII,
)


class _File(NamedTuple):
    """One file as it is written."""

    name: str
    content: bytes
    table: Mapping[str, Any]
    parser: Parser


@expecting(file=str)
def rules_of(file: str) -> RuleSet:
    """The rule set of a file.

    Args:
        file: its path; ``""`` or ``default`` for the one that is shipped.

    Returns:
        The set with all that the file extends.

    Raises:
        UsageError: if a file cannot be read.
        InputError: listing everything that is wrong with the files.
    """
    problems: list[Problem] = []
    chain = list(_chain(file or DEFAULT, problems))
    # Where a file cannot be read, what it does not say is no mistake.
    whole = not problems
    merged = _Merged()
    for each in reversed(chain):
        merged.add(each)
        problems += each.parser.problems
    state = hashlib.blake2b(digest_size=4, key=MEANING)
    for each in chain:
        for content in (each.content, *each.parser.contents):
            state.update(len(content).to_bytes(8, "big") + content)
    made = merged.rule_set(
        tuple(each.name for each in chain),
        (int.from_bytes(state.digest(), "big") >> 1) or 1,
    )
    if whole and not any(each.parser.cut for each in chain):
        problems += merged.last_problems(made)
    if not problems and not made.in_order():
        none = "no rule that takes part", "a [[rule]], or extends = 'default'"
        problems.append(Problem(made.files[0], None, None, "rule", *none))
    if problems:
        raise InputError(_sorted(problems))
    return made


def _sorted(problems: list[Problem]) -> list[Problem]:
    found = sorted(dict.fromkeys(problems), key=lambda p: (p.file, p.line or 0))
    if len(found) > MOST_PROBLEMS:
        more = f"{len(found) - MOST_PROBLEMS} more that is wrong"
        found = found[:MOST_PROBLEMS]
        found.append(Problem(found[-1].file, None, None, "", more, ""))
    return found


def _chain(file: str, problems: list[Problem]) -> Iterator[_File]:
    """A file, the one that it extends, and so on."""
    seen: set[str] = set()
    while True:
        seen.add(_place(file))
        here = _read(file, problems)
        yield here
        extends = here.parser.extends
        if not extends:
            return
        file = DEFAULT
        if extends != DEFAULT:
            file = str(Path(here.name).parent / extends)
        expected = ""
        if file != DEFAULT and not _is_file(file):
            expected = "'default', or the path of a file from here"
        elif _place(file) in seen:
            extends, expected = f"{extends}, which leads back", "an end of the chain"
        elif len(seen) == DEEPEST:
            expected = f"at most {DEEPEST} files that extend one another"
        if expected:
            line = here.parser.line_of("extends")
            found = repr(extends)
            problems.append(Problem(here.name, line, None, "extends", found, expected))
            return


def _place(file: str) -> str:
    if file == DEFAULT:
        return file
    try:
        return str(Path(file).resolve())
    except (OSError, RuntimeError, ValueError):
        # Links in a circle, or no path at all: reading will tell.
        return file


def _is_file(file: str) -> bool:
    try:
        return Path(file).is_file()
    except (OSError, ValueError):
        return False


def _read(file: str, problems: list[Problem]) -> _File:
    if file == DEFAULT:
        name = "default.toml"
        content = files("graphscore.rules").joinpath(name).read_bytes()
    else:
        name = file
        try:
            with open(file, "rb") as stream:
                content = stream.read(LARGEST + 1)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "not a path"
            raise UsageError(f"{file}: {reason}, expected a file of rules") from None
    text, table = "", {}
    if len(content) > LARGEST:
        found, expected = f"more than {LARGEST} bytes", f"at most {LARGEST}"
        problems.append(Problem(name, None, None, "", found, expected))
        content = b""
    try:
        text = content.decode("utf-8-sig")
        dotted = _DOTTED.search(text)
        if dotted is None:
            table = tables(text)
            if not table and not problems:
                found, expected = "nothing", "rules, or extends = 'default'"
                problems.append(Problem(name, None, None, "", found, expected))
        else:
            line = text.count("\n", 0, dotted.start()) + 1
            expected = f"a key of at most {DOTS} parts"
            problems.append(Problem(name, line, None, "", "a longer one", expected))
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        problems.append(Problem(name, line, None, "", "bytes", "UTF-8 text"))
    except BrokenError as error:
        problems.append(_broken(name, text, error))
    parser = Parser(name, text)
    parser.parse(table)
    return _File(name, content, table, parser)


def _broken(name: str, text: str, error: BrokenError) -> Problem:
    if error.kind == "depth":
        found = "brackets in brackets"
        return Problem(name, _deepest(text), None, "", found, "less of them")
    digits = re.search(r"[\d_]{4300}", text)
    if error.kind == "digits" and digits is not None:
        found = "a number of so many digits"
        place = text.count("\n", 0, digits.start()) + 1
        return Problem(name, place, None, "", found, "less")
    line = error.line
    if error.said.endswith(" (at end of document)"):
        line = text.count("\n") + (not text.endswith("\n"))
    return Problem(name, line, error.column, "", error.said, "TOML")


def _deepest(text: str) -> int:
    """The line where most brackets are open."""
    depth = most = found = 0
    for number, line in enumerate(text.splitlines(), 1):
        for mark in re.findall(r"[\[\]{}]", line):
            depth += 1 if mark in "[{" else -1
            if depth > most:
                most, found = depth, number
    return found or 1


class _Merged:
    """Files on top of one another, the extended one first."""

    def __init__(self) -> None:
        self.title = ""
        self.phases: tuple[str, ...] = ()
        self.rules: dict[str, Rule] = {}
        self.settings = Settings()
        self.treatments: dict[str, Treatment] = {}
        self.parsers: dict[str, Parser] = {}
        self.broken: dict[str, set[str]] = {}

    def add(self, file: _File) -> None:
        """Lay a file over what there is."""
        found = file.parser
        self.parsers[file.name] = found
        for name, keys in found.broken.items():
            self.broken.setdefault(name, set()).update(keys)
        self.title = found.title or self.title
        self.phases = found.phases or self.phases
        for name in found.remove:
            if self.rules.pop(name, None) is None:
                there = "a rule that there is"
                found.problem("remove", f"the rule {shown(name)}", there)
        for given in found.rules:
            self._rule(given, found)
        settings: dict[str, Any] = {}
        for key, value in found.settings.items():
            old = getattr(self.settings, key)
            settings[key] = {**old, **value} if isinstance(value, dict) else value
        self.settings = replace(self.settings, **settings)
        self.treatments |= found.treatments

    def _rule(self, given: RuleSource, found: Parser) -> None:
        """A new rule, or an old one with other parts."""
        name = given.values["name"]
        old = self.rules.get(name)
        values = {**given.values, "file": found.file, "line": given.line}
        if old is not None:
            kept = asdict(old)
            values = kept | values
        elif "over" not in values:
            if "over" not in found.broken.get(name, ()):
                found.problem("over", f"the rule {name!r} without it", "it", given.line)
            values["over"] = "gold"
            self.broken.setdefault(name, set()).add("over")
        self.rules[name] = Rule(**values)

    def rule_set(self, names: tuple[str, ...], digest: int) -> RuleSet:
        """What there is now."""
        return RuleSet(
            self.title,
            self.phases,
            tuple(self.rules.values()),
            self.settings,
            self.treatments,
            names,
            digest,
        )

    def _references(self, made: RuleSet) -> list[Problem]:
        """Lists and tables of aliases that are named and not there."""
        settings, found = made.settings, []
        asked = [
            (f"settings.{key}", f"the list {word!r}", word[1:] in settings.lists)
            for key in ("fuzzy_words", "stop_words")
            for words in getattr(settings, key).values()
            for word in sorted(words)
            if word.startswith(LIST)
        ] + [
            ("settings.same_names", f"the table {name!r}", name in settings.aliases)
            for name in settings.same_names
        ]
        for where, said, there in asked:
            if not there:
                file = made.files[0]
                line = self.parsers[file].line_of(where)
                expected = "one of [lists], or of [aliases]"
                found.append(Problem(file, line, None, where, said, expected))
        return found

    def last_problems(self, made: RuleSet) -> list[Problem]:
        """What is wrong with rules once everything is known."""
        found: list[Problem] = []
        for what, number in (
            ("rules", len(made.rules)),
            ("classes", len(made.treatments)),
        ):
            if number > MOST_RULES:
                said, most = f"{number} {what} together", f"at most {MOST_RULES}"
                return [Problem(made.files[0], None, None, "", said, most)]
        found += self._references(made)
        for rule in made.rules:
            broken = self.broken.get(rule.name, set())
            if broken & {"over", "level", "unless"}:
                continue
            for key, what, expected in faults(rule, made):
                if key in broken or (
                    key == "name" and broken & {"to_gold", "to_system"}
                ):
                    continue
                line = self.parsers[rule.file].line_in(rule.line, key)
                where = f"rule {rule.name!r}, {key}"
                found.append(Problem(rule.file, line, None, where, what, expected))
        return found
