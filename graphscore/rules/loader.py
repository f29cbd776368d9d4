"""Rule sets from TOML files, with what they extend, and everything wrong with them.

>>> rules = rules_of("")
>>> rules.phases[0], rules.treatments["FzTP"].treated
('base', 'fuzzy')
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path

from msgspec.structs import asdict, replace

from graphscore.exceptions import InputError, Problem, UsageError, expecting
from graphscore.lazy import blake2b
from graphscore.rules.functions import LIST
from graphscore.rules.model import Rule, Settings, Treatment
from graphscore.rules.parser import MOST_RULES, Parser, faults, show
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
    whole = not problems and not any(parser.cut for parser in chain)
    rules, broken = _merge(chain)
    for parser in reversed(chain):
        problems += parser.problems
    if whole:
        parsers = {parser.file: parser for parser in chain}
        problems += _faults(rules, parsers, broken)
    if not problems and not rules.in_order():
        none = "no rule that takes part", "a [[rule]], or extends = 'default'"
        problems.append(Problem(rules.files[0], None, None, "rule", *none))
    if problems:
        raise InputError(_sort(problems))
    return rules


def _sort(problems: list[Problem]) -> list[Problem]:
    result = sorted(dict.fromkeys(problems), key=lambda p: (p.file, p.line or 0))
    if len(result) > MOST_PROBLEMS:
        more = f"{len(result) - MOST_PROBLEMS} more that is wrong"
        result = result[:MOST_PROBLEMS]
        result.append(Problem(result[-1].file, None, None, "", more, ""))
    return result


def _chain(file: str, problems: list[Problem]) -> Iterator[Parser]:
    """A file, the one that it extends, and so on."""
    seen: set[str] = set()
    while True:
        seen.add(_place(file))
        parser = _read(file, problems)
        yield parser
        extends = parser.extends
        if not extends:
            return
        file = DEFAULT
        if extends != DEFAULT:
            file = str(Path(parser.file).parent / extends)
        expected = ""
        if file != DEFAULT and not _is_file(file):
            expected = "'default', or the path of a file from here"
        elif _place(file) in seen:
            extends, expected = f"{extends}, which leads back", "an end of the chain"
        elif len(seen) == DEEPEST:
            expected = f"at most {DEEPEST} files that extend one another"
        if expected:
            line = parser.line_of("extends")
            shown_path = repr(extends)
            problems.append(
                Problem(parser.file, line, None, "extends", shown_path, expected)
            )
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


def _read(file: str, problems: list[Problem]) -> Parser:
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
        problem, expected = f"more than {LARGEST} bytes", f"at most {LARGEST}"
        problems.append(Problem(name, None, None, "", problem, expected))
        content = b""
    try:
        text = content.decode("utf-8-sig")
        dotted = _DOTTED.search(text)
        if dotted is None:
            table = tables(text)
            if not table and not problems:
                problem, expected = "nothing", "rules, or extends = 'default'"
                problems.append(Problem(name, None, None, "", problem, expected))
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
    parser.contents.append(content)
    parser.parse(table)
    return parser


def _broken(name: str, text: str, error: BrokenError) -> Problem:
    if error.kind == "depth":
        result = "brackets in brackets"
        return Problem(name, _deepest(text), None, "", result, "less of them")
    digits = re.search(r"[\d_]{4300}", text)
    if error.kind == "digits" and digits is not None:
        result = "a number of so many digits"
        first = text.count("\n", 0, digits.start()) + 1
        return Problem(name, first, None, "", result, "less")
    line = error.line
    if error.said.endswith(" (at end of document)"):
        line = text.count("\n") + (not text.endswith("\n"))
    return Problem(name, line, error.column, "", error.said, "TOML")


def _deepest(text: str) -> int:
    """The line where most brackets are open."""
    depth = most = result = 0
    for number, line in enumerate(text.splitlines(), 1):
        for mark in re.findall(r"[\[\]{}]", line):
            depth += 1 if mark in "[{" else -1
            if depth > most:
                most, result = depth, number
    return result or 1


def _merge(chain: list[Parser]) -> tuple[RuleSet, dict[str, set[str]]]:
    """Lay files on top of one another, the last one first.

    Returns:
        The set; and by the names of rules, keys that are wrong by themselves.
    """
    title = ""
    phases: tuple[str, ...] = ()
    rules: dict[str, Rule] = {}
    settings = Settings()
    treatments: dict[str, Treatment] = {}
    broken: dict[str, set[str]] = {}
    for parser in reversed(chain):
        title, phases = parser.title or title, parser.phases or phases
        treatments |= parser.treatments
        for name, keys in parser.broken.items():
            broken.setdefault(name, set()).update(keys)
        for name in parser.remove:
            if rules.pop(name, None) is None:
                expected = "a rule that there is"
                parser.problem("remove", f"the rule {show(name)}", expected)
        for values, line in parser.rules:
            name = values["name"]
            old = asdict(rules[name]) if name in rules else {}
            if not old and "over" not in values:
                if "over" not in broken.get(name, ()):
                    parser.problem(f"rule {name!r}, over", "nothing", "it", line)
                old = {"over": "gold"}
                broken.setdefault(name, set()).add("over")
            rules[name] = Rule(**{**old, **values, "file": parser.file, "line": line})
        for key, value in parser.settings.items():
            if isinstance(value, dict):
                value = {**getattr(settings, key), **value}
            settings = replace(settings, **{key: value})
    state = blake2b(digest_size=4, key=MEANING)
    for parser in chain:
        for content in parser.contents:
            state.update(len(content).to_bytes(8, "big") + content)
    files = tuple(parser.file for parser in chain)
    digest = (int.from_bytes(state.digest(), "big") >> 1) or 1
    every = tuple(rules.values())
    return RuleSet(title, phases, every, settings, treatments, files, digest), broken


def _faults(
    rules: RuleSet, parsers: Mapping[str, Parser], broken: Mapping[str, set[str]]
) -> Iterator[Problem]:
    """Find what is wrong with rules once everything is known."""
    for what, number in (
        ("rules", len(rules.rules)),
        ("classes", len(rules.treatments)),
    ):
        if number > MOST_RULES:
            problem, expected = f"{number} {what} together", f"at most {MOST_RULES}"
            yield Problem(rules.files[0], None, None, "", problem, expected)
            return
    for where, problem in _missing_lists(rules.settings):
        line = parsers[rules.files[0]].line_of(where)
        expected = "one of [lists], or of [aliases]"
        yield Problem(rules.files[0], line, None, where, problem, expected)
    for rule in rules.rules:
        wrong = broken.get(rule.name, set())
        if wrong & {"over", "level", "unless"}:
            continue
        if wrong & {"to_gold", "to_system"}:
            wrong = {*wrong, "name"}
        for key, problem, expected in faults(rule, rules):
            if key not in wrong:
                line = parsers[rule.file].line_in(rule.line, key)
                where = f"rule {rule.name!r}, {key}"
                yield Problem(rule.file, line, None, where, problem, expected)


def _missing_lists(settings: Settings) -> Iterator[tuple[str, str]]:
    """Find lists and tables of aliases that are named and not there."""
    for key, table in (
        ("fuzzy_words", settings.fuzzy_words),
        ("stop_words", settings.stop_words),
    ):
        for word in sorted({word for words in table.values() for word in words}):
            if word.startswith(LIST) and word[1:] not in settings.lists:
                yield f"settings.{key}", f"the list {word!r}"
    for name in settings.same_names:
        if name not in settings.aliases:
            yield "settings.same_names", f"the table {name!r}"
