"""Files of phenomena: TOML with a pattern for each, and everything wrong with them.

>>> [each.name for each in phenomena_of("amr").phenomena][:2]
['reentrancy', 'control']
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from graphscore.errors import InputError, Problem, UsageError, expecting, meant
from graphscore.find.grammar import PatternError, parse
from graphscore.find.pattern import Pattern, SideBlock, VerdictClause
from graphscore.find.scope import scope_of
from graphscore.model.frameworks import FRAMEWORKS
from graphscore.tables import BrokenError, content_of, tables

SHIPPED = ("amr", "eds", "sdp", "ucca", "ud")
"""Files that are named without a path."""

ALIASES = {"dm": "sdp", "psd": "sdp", "eud": "ud"}
"""Frameworks whose phenomena are in a file of another name."""

LARGEST = 1_000_000
"""Bytes of a file."""

MOST = 1_000
"""Phenomena of a file."""

LONGEST = 100
"""Characters of a name."""

KEYS = ("name", "pattern", "frameworks", "source", "about")

_HEADER = re.compile(r"^[ \t]*\[\[[ \t]*phenomenon[ \t]*\]\]", re.MULTILINE)

_LONG_STRING = re.compile(r"('''|\"\"\").*?\1", re.DOTALL)


class Phenomenon(NamedTuple):
    """A pattern with a name.

    Args:
        name: of the phenomenon, once in a file.
        pattern: what is found of it in a graph.
        frameworks: of the graphs that it is looked for in.
        source: where it is defined.
        about: what it is, in a sentence or two; may be empty.
    """

    name: str
    pattern: Pattern
    frameworks: tuple[str, ...]
    source: str
    about: str = ""


class Phenomena(NamedTuple):
    """What a file says.

    Args:
        file: its path, or the name of one that is shipped.
        phenomena: in the order in which they stand there.
    """

    file: str
    phenomena: tuple[Phenomenon, ...]


@expecting(file=str)
def phenomena_of(file: str) -> Phenomena:
    """The phenomena of a file.

    Args:
        file: its path, or the name of one that is shipped, as ``amr``.

    Raises:
        UsageError: if there is no such file.
        InputError: listing everything that is wrong with it.
    """
    # A file or folder that is there is meant; a mere name of a framework is not one.
    if file in ALIASES and not Path(file).exists():
        file = ALIASES[file]
    if file in SHIPPED:
        name = f"{file}.toml"
        content = files("graphscore.find.phenomena").joinpath(name).read_bytes()
    else:
        try:
            content = content_of(file, LARGEST + 1)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "not a path"
            raise UsageError(
                f"{file}: {reason}, expected a file of phenomena, or one of: "
                f"{', '.join(SHIPPED)}"
            ) from None
    if len(content) > LARGEST:
        raise _alone(file, None, f"more than {LARGEST:,} bytes", f"at most {LARGEST:,}")
    try:
        text = content.decode("utf-8-sig")
        table = tables(text)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise _alone(file, line, "bytes", "UTF-8 text") from None
    except BrokenError as error:
        raise _alone(file, error.line, error.said, "TOML", error.column) from None
    reader = _Reader(file, text)
    found = tuple(reader.phenomena(table))
    if reader.problems:
        raise InputError(reader.problems)
    return Phenomena(file, found)


def _alone(
    file: str, line: int | None, found: str, expected: str, column: int | None = None
) -> InputError:
    return InputError([Problem(file, line, column, "", found, expected)])


@dataclass
class _Reader:
    file: str
    text: str
    problems: list[Problem] = field(default_factory=list)

    def __post_init__(self) -> None:
        # As TOML itself has it.
        self.text = self.text.replace("\r\n", "\n")
        # What stands in a string is no header and no key; lines stay where they are.
        self._plain = _LONG_STRING.sub(
            lambda found: re.sub(r"[^\n]", " ", found[0]), self.text
        )

    def phenomena(self, table: Mapping[str, Any]) -> Iterator[Phenomenon]:
        """Those of a file; what is wrong is entered."""
        for key in table:
            if key != "phenomenon":
                line = self._line(key, 0)
                hint = f"[[phenomenon]]{meant(key, ['phenomenon'])}"
                self._wrong(line, "", f"the key {key!r}", hint)
        if self.problems and "phenomenon" not in table:
            return
        listed = table.get("phenomenon", [])
        if not isinstance(listed, list) or not all(isinstance(x, dict) for x in listed):
            line = self._line("phenomenon", 0)
            self._wrong(line, "", "phenomenon as a value", "tables [[phenomenon]]")
            return
        if not 0 < len(listed) <= MOST:
            found = f"{len(listed)} phenomena" if listed else "no phenomenon"
            self._wrong(None, "", found, f"1 to {MOST:,} tables [[phenomenon]]")
            return
        starts = [found.start() for found in _HEADER.finditer(self._plain)]
        if len(starts) != len(listed):
            # Inline tables: of these only the list has a place.
            starts = [0] * len(listed)
        names: dict[str, int] = {}
        for given, start in zip(listed, starts, strict=True):
            one = self._phenomenon(given, start)
            if one is None:
                continue
            line = self._line("name", start)
            if one.name in names:
                first = f"another name than that of line {names[one.name]}"
                self._wrong(line, "name", repr(one.name), first)
            names.setdefault(one.name, line)
            yield one

    def _phenomenon(self, given: dict[str, Any], start: int) -> Phenomenon | None:
        before = len(self.problems)
        for key in given:
            if key not in KEYS:
                expected = f"one of: {', '.join(KEYS)}{meant(key, KEYS)}"
                self._wrong(self._line(key, start), "", f"the key {key!r}", expected)
        texts: dict[str, str] = {"about": ""}
        for key in ("name", "pattern", "source", "about"):
            value = given.get(key)
            line = self._line(key, start)
            if value is None:
                if key != "about":
                    self._wrong(line, "", f"no {key}", f"{key} = '…'")
            elif not isinstance(value, str) or not value.strip():
                self._wrong(line, key, repr(value), "a string that says something")
            else:
                texts[key] = value if key == "pattern" else " ".join(value.split())
        name = texts.get("name", "")
        if len(name) > LONGEST or not name.isprintable():
            expected = f"at most {LONGEST} characters that can be printed"
            self._wrong(self._line("name", start), "name", repr(name), expected)
        frameworks = self._frameworks(given.get("frameworks"), start)
        pattern = None
        if "pattern" in texts:
            pattern = self._pattern(texts["pattern"], start, name)
        if len(self.problems) > before or pattern is None:
            return None
        return Phenomenon(name, pattern, frameworks, texts["source"], texts["about"])

    def _frameworks(self, value: Any, start: int) -> tuple[str, ...]:
        line = self._line("frameworks", start)
        if value is None:
            self._wrong(line, "", "no frameworks", "frameworks = ['…']")
            return ()
        if not isinstance(value, list) or not value:
            self._wrong(line, "frameworks", repr(value), "a list of names")
            return ()
        for each in value:
            if each not in [*FRAMEWORKS]:
                expected = f"a framework, as 'amr'{meant(each, FRAMEWORKS)}"
                self._wrong(line, "frameworks", repr(each), expected)
        return tuple(dict.fromkeys(map(str, value)))

    def _pattern(self, source: str, start: int, name: str) -> Pattern | None:
        """A pattern of gold; its errors point to the place in the file."""
        where = f"phenomenon {name!r}, pattern" if name else "pattern"
        try:
            pattern = parse(source)
            scope = scope_of(pattern)
        except PatternError as error:
            found, _, expected = error.what.partition(", expected ")
            found = found.removeprefix("found ").removeprefix("there are ")
            line, column = self._place(source, error.at, start)
            self._wrong(line, where, found, expected, column)
            return None
        for at, said in _compared(pattern):
            line, column = self._place(source, at, start)
            expected = "a pattern of one graph: what became of its hits is counted"
            self._wrong(line, where, said, expected, column)
            return None
        if not scope.main.new:
            line, column = self._place(source, 0, start)
            expected = "pattern { … } with a node, whose fate is counted"
            self._wrong(line, where, "no node that is bound", expected, column)
        return pattern

    def _place(self, source: str, at: int, start: int) -> tuple[int, int | None]:
        """Line and column of what stands in a pattern; escapes hide the column."""
        line = self._line("pattern", start)
        begin = sum(len(x) + 1 for x in self.text.split("\n")[: line - 1])
        found = self.text.find(source, begin)
        if found < 0:
            return line, None
        before = self.text[: found + at]
        column = len(before[before.rfind("\n") + 1 :].encode()) + 1
        return before.count("\n") + 1, column

    def _line(self, key: str, start: int) -> int:
        """The line of a key in a table, or that of the table."""
        name = rf"(['\"]?){re.escape(key)}\1[ \t]*"
        own = re.compile(
            rf"^[ \t]*(?:{name}[.=]|\[\[?[ \t]*{name.replace('1', '2')}\])",
            re.MULTILINE,
        )
        header = _HEADER.match(self._plain, start)
        end = _HEADER.search(self._plain, header.end()) if header else None
        stop = end.start() if end else len(self.text)
        found = own.search(self._plain, start, stop)
        place = found.start() if found else start
        return self.text.count("\n", 0, place) + 1

    def _wrong(
        self,
        line: int | None,
        where: str,
        found: str,
        expected: str,
        column: int | None = None,
    ) -> None:
        problem = Problem(self.file, line, column, where, found, expected)
        self.problems.append(problem)


def _compared(pattern: Pattern) -> Iterator[tuple[int, str]]:
    """What a pattern asks of another graph: where, and what it is."""
    for block in pattern.blocks:
        if isinstance(block, SideBlock):
            yield block.at, f"{block.side} {{ … }}"
            continue
        for clause in block.clauses:
            if isinstance(clause, SideBlock):
                yield clause.at, f"{clause.side} {{ … }}"
            elif isinstance(clause, VerdictClause):
                yield clause.at, f"{clause.verdict}(…)"
