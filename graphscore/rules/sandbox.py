"""Conditions compare, and do nothing else.

A condition is one SQL expression without subqueries.  Its signs are looked over before
SQLite sees it; then it is compiled under an authorizer that lets it read the documented
columns and call the listed functions, on empty tables.

>>> check("system.type = 'PER'", ("system",), "span", {})
>>> check("load_extension('x')", ("system",), "span", {})
'the function load_extension, expected one of: abs, alias, begins, coalesce, common,\
 descends, ends, ifnull, instr, length, listed, lower, ltrim, max, min, nullif, round,\
 rtrim, same_words, stop_word, substr, trim, upper'
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Collection, Mapping
from functools import lru_cache

from graphscore.exceptions import did_you_mean
from graphscore.rules.functions import BUILT_IN, OWN, Functions
from graphscore.rules.model import (
    OTHER,
    SIDES,
    WITHIN,
    Level,
    Over,
    Rule,
    Settings,
    Unless,
)
from graphscore.rules.type_checking import Names, find_type_error

FUNCTIONS = sorted(BUILT_IN | OWN.keys())

SPAN_COLUMNS = {
    "type": "the type",
    "start": "the first character",
    "end": "one past the last character",
    "text": "the words",
    "class": "the class at span level",
    "resolution": "the class at resolution level",
    "low": "1 if the confidence counts as low",
    "confidence": "the confidence, as written",
    "entries": "how many entries of the authority file it has",
    "ids": "its entries, for `common`",
    "copy": "0; 1, 2... for a span whose place and type an earlier one of its side has",
}
"""Columns of a span in conditions."""

MENTION_COLUMNS = {
    "found": "how many of its mentions have a class that is true",
    "fuzzy": "a fuzzy one",
    "conditional": "a conditional one",
    "partial": "a partial one",
    "ignored": "one that counts nowhere",
}
"""Columns of the mentions' classes in conditions, when the phase begins."""

ENTRY_COLUMNS = {
    "type": "the type",
    "text": "the words of the first mention",
    "class": "the class",
    "low": "1 if the confidence of every mention counts as low",
    "mentions": "how many mentions it has",
    "known": "1 if it is known by an entry of the authority file",
    **MENTION_COLUMNS,
}
"""Columns of an entity of a document in conditions."""

MENTIONS_COLUMNS = {
    "pairs": "how many pairs of mentions are at the same place or overlap",
    "found": "in how many of them both have a class that is true",
    "fuzzy": "the system's a fuzzy one, and gold's a fuzzy one or one that is missed",
    "conditional": "the same of conditional ones",
    "partial": "the same of partial ones",
}
"""Columns of two entities with such mentions in conditions."""

OVERLAP_COLUMNS = {
    "characters": "how many characters both have",
    "jaccard": "their share of those that either has",
    "dice": "their share of the mean of both",
    "of_gold": "their share of the gold span's",
    "of_system": "their share of the system span's",
}
"""Columns of two overlapping spans in conditions."""

NEAR_COLUMNS = {
    "distance": "how many characters are between them",
}
"""Columns of two spans near each other in conditions."""

WITHIN_COLUMNS = {
    "characters": "how many characters both have",
    "jaccard": "their share of those that either has",
    "dice": "their share of the mean of both",
    "of_span": "their share of the span's",
    "of_other": "their share of the other's",
    "distance": "how many characters are between them; 0 where they overlap",
}
"""Columns of two spans of one side in conditions."""

PAIR_COLUMNS: dict[str, dict[str, str]] = {
    "overlap": OVERLAP_COLUMNS,
    "mentions": MENTIONS_COLUMNS,
    "near": NEAR_COLUMNS,
    WITHIN: WITHIN_COLUMNS,
}
"""Columns of pairs in conditions, by range."""

WORDS = dict.fromkeys(
    ("exists", "from", "main", "over", "raise", "select", "temp", "with"),
    "an expression without subqueries",
) | dict.fromkeys(
    ("glob", "like", "match", "regexp"), "begins(), ends() or instr() > 0"
)
WORDS["collate"] = "lower() or upper()"
"""Words that no condition has, and what stands in for them: what SQLite simplifies away
it does not ask about."""

MOST = 2_000
"""Characters of a condition."""

DEEPEST = 50
"""Brackets within brackets: how many SQLite takes differs between its versions."""

_SIGN = re.compile(
    r"""
      (?P<text>'(?:[^']|'')*')
    | (?P<comment>--|/\*)
    | (?P<odd>["`\[\];?@$\#{}\\]|[^\x00-\x7f]|[\x00-\x08\x0e-\x1f])
    | (?P<name>:[A-Za-z_]\w*)
    | (?P<bracket>[()])
    | (?P<other>\w+|\s+|[^\w\s'])
    """,
    re.VERBOSE,
)

_SPACE = re.compile(r"\s+")


def columns_of(level: Level) -> dict[str, str]:
    """Return the columns of a fact, by the level of the rule."""
    return ENTRY_COLUMNS if level == "document" else SPAN_COLUMNS


def tables_of(rule: Rule, over: Over | Unless) -> tuple[str, ...]:
    """The tables that a condition of a rule may read.

    Args:
        rule: the rule.
        over: what it ranges over, or what there may be none of.
    """
    if over.startswith(WITHIN):
        return (*rule.sides, OTHER, WITHIN)
    sides = rule.sides if over == rule.over else SIDES
    return (*sides, over) if over in PAIR_COLUMNS else tuple(sides)


RESERVED = frozenset(
    {
        "id",
        "part",
        "unit",
        "key",
        "pieces",
        "class_by",
        "resolution_by",
        "entry",
        "span",
    }
)
"""Names that tables have of their own: no property is called so."""

MANY = 50
"""Properties that a condition may read."""

_MISSING = re.compile(r"no such column: (?:(\w+)\.)?([A-Za-z_]\w*)")


NO_NAMES = Names()


def check(
    condition: str,
    tables: Collection[str],
    level: Level,
    values: Mapping[str, float | str],
    names: Names = NO_NAMES,
) -> str | None:
    """Check a condition, and return an error message or ``None``.

    Args:
        condition: the SQL expression.
        tables: what it may look at: ``gold``, ``system``, ``overlap``.
        level: the level of the rule.
        values: the values that it may call ``:name``.
        names: properties that are declared, lists and tables of aliases.

    Returns:
        What was found and what was expected; nothing if it may be used.
    """
    return (
        _signs(condition, values)
        or _check_compiled(
            condition,
            tuple(tables),
            level,
            tuple(sorted(values.items())),
            frozenset(names.properties),
        )
        or find_type_error(condition, names, values)
    )


def reads(condition: str, tables: Collection[str], level: Level) -> frozenset[str]:
    """Return the columns that a condition reads, as ``table.column``.

    Args:
        condition: one that was checked.
        tables: what it may look at.
        level: the level of the rule.

    >>> sorted(reads("gold.type = system.type", ("gold", "system"), "span"))
    ['gold.type', 'system.type']
    """
    return _reads(condition, tuple(tables), level)


@lru_cache(maxsize=1024)
def _reads(condition: str, tables: tuple[str, ...], level: Level) -> frozenset[str]:
    result: set[str] = set()
    _compile(condition, tables, level, {}, result)
    return frozenset(result)


def read_by(rule: Rule) -> frozenset[str]:
    """Return the columns that the conditions of a rule read, as ``table.column``."""
    result: frozenset[str] = frozenset()
    for over, condition in (
        (rule.over, rule.when),
        (rule.unless_over, rule.unless_when),
    ):
        if condition and over is not None:
            result |= reads(condition, tables_of(rule, over), rule.level)
    return result


def conjuncts(condition: str) -> list[str]:
    """Split a condition into its conjuncts.

    >>> conjuncts("gold.low and (gold.start = 1 or 'a and b' = gold.text)")
    ['gold.low', "(gold.start = 1 or 'a and b' = gold.text)"]
    >>> conjuncts("gold.low and gold.start = 1 or gold.copy")
    ['gold.low and gold.start = 1 or gold.copy']
    """
    result = [""]
    depth = 0
    for sign in _SIGN.finditer(condition):
        text = sign.group()
        word = text.lower()
        if sign.lastgroup == "bracket":
            depth += 1 if text == "(" else -1
        if depth == 0 and word in ("or", "between", "case"):
            return [condition]
        if depth == 0 and word == "and":
            result.append("")
        else:
            result[-1] += text if sign.lastgroup == "text" else _SPACE.sub(" ", text)
    return [conjunct.strip() for conjunct in result]


def _signs(condition: str, values: Mapping[str, float | str]) -> str | None:
    """Look a condition over before it is compiled."""
    if len(condition) > MOST:
        return f"{len(condition)} characters, expected at most {MOST}"
    depth = index = 0
    while index < len(condition):
        sign = _SIGN.match(condition, index)
        if sign is None:
            return "a ' that is not closed, expected strings in single quotes"
        kind, text = sign.lastgroup, sign.group()
        if kind == "comment":
            return f"the comment {text}, expected an expression (TOML has comments)"
        if kind == "odd":
            hint = "strings in single quotes" if text in '"`' else "an expression"
            return f"the sign {text!r}, expected {hint}"
        if kind == "name" and text[1:] not in values:
            known = ", ".join(f":{name}" for name in sorted(values)) or "none"
            return f"the value {text}, expected one of [values]: {known}"
        if kind == "other" and text.lower() in WORDS:
            return f"the word {text}, expected {WORDS[text.lower()]}"
        if kind == "bracket":
            depth += 1 if text == "(" else -1
            if depth < 0:
                return "a ) too many, expected one expression"
            if depth > DEEPEST:
                return f"brackets more than {DEEPEST} deep, expected at most {DEEPEST}"
        index = sign.end()
    return "a ( that is not closed, expected one expression" if depth else None


@lru_cache(maxsize=1024)
def _check_compiled(
    condition: str,
    tables: tuple[str, ...],
    level: Level,
    values: tuple[tuple[str, float | str], ...],
    declared: frozenset[str],
) -> str | None:
    read_columns: set[str] = set()
    problem = _compile(condition, tables, level, dict(values), read_columns)
    if problem is not None:
        return problem
    columns = columns_of(level)
    for column in sorted(read_columns):
        table, _, name = column.partition(".")
        if table in (*SIDES, OTHER) and name not in columns and name not in declared:
            near = did_you_mean(name, columns)
            if near:
                return f"the property {column}{near}, expected it in [properties]"
    return None


def _compile(
    condition: str,
    tables: tuple[str, ...],
    level: Level,
    values: Mapping[str, float | str],
    read_columns: set[str],
) -> str | None:
    """Compile on empty tables; say what was read, or what is not allowed.

    What no column is called is a property of spans.
    """
    properties: dict[str, set[str]] = {table: set() for table in tables}
    while True:
        problem, missing = _compile_once(
            condition, tables, level, values, read_columns, properties
        )
        if missing is None or sum(map(len, properties.values())) == MANY:
            return problem
        table, name = missing
        properties[table].add(name)
        read_columns.clear()


def _property(
    error: str, tables: tuple[str, ...], level: Level
) -> tuple[str, str] | None:
    """The table and name of a property that a condition asks for."""
    match = _MISSING.fullmatch(error)
    sides = [table for table in tables if table in (*SIDES, OTHER)]
    if match is None or level == "document":
        return None
    table, name = (match[1] or "").lower(), match[2].lower()
    if not table and len(sides) == 1:
        [table] = sides
    if table not in sides or name in {*RESERVED, *WORDS, *ENTRY_COLUMNS}:
        return None
    return table, name


def _compile_once(
    condition: str,
    tables: tuple[str, ...],
    level: Level,
    values: Mapping[str, float | str],
    read_columns: set[str],
    properties: Mapping[str, set[str]],
) -> tuple[str | None, tuple[str, str] | None]:
    """Compile with some properties; what is wrong, and a property that is missing."""
    columns = columns_of(level)
    denied: list[str] = []
    selects = 0

    def allow(action: int, left: str | None, right: str | None, *_: str | None) -> int:
        nonlocal selects
        if action == sqlite3.SQLITE_SELECT:
            selects += 1
            if selects == 1:
                return sqlite3.SQLITE_OK
            denied.append("a subquery, expected an expression without SELECT")
        elif action == sqlite3.SQLITE_READ:
            # Of a table that it only joins, SQLite asks for no column at all.
            allowed = PAIR_COLUMNS.get(str(left), columns)
            if not right:
                return sqlite3.SQLITE_OK
            if right in allowed or right in properties.get(str(left), ()):
                read_columns.add(f"{left}.{right}")
                return sqlite3.SQLITE_OK
            denied.append(f"the column {left}.{right}, expected {', '.join(allowed)}")
        elif action == sqlite3.SQLITE_FUNCTION:
            if right in BUILT_IN or right in OWN:
                return sqlite3.SQLITE_OK
            denied.append(
                f"the function {right}, expected one of: {', '.join(FUNCTIONS)}"
            )
        else:
            denied.append("a statement, expected an expression")
        return sqlite3.SQLITE_DENY

    connection = sqlite3.connect(":memory:")
    try:
        limit(connection)
        Functions(Settings()).install(connection)
        for table in tables:
            names = [*PAIR_COLUMNS.get(table, columns), *sorted(properties[table])]
            listed = ", ".join(f'"{name}"' for name in names)
            connection.execute(f"create table {table} ({listed})")
        connection.set_authorizer(allow)
        joined = ", ".join(tables)
        parameters = dict.fromkeys(_names(condition), 0) | dict(values)
        # Only compiled: on empty tables nothing is computed.
        connection.execute(f"select 1 from {joined} where ({condition})", parameters)
    except (sqlite3.Error, sqlite3.Warning, ValueError) as error:
        if denied:
            return denied[0], None
        problem = f"{_plainly(error)}, expected a SQL expression over {_over(tables)}"
        return problem, _property(str(error), tables, level)
    finally:
        connection.close()
    return None, None


def limit(connection: sqlite3.Connection) -> None:
    """Bound what a statement may be and make."""
    for name, amount in (
        (sqlite3.SQLITE_LIMIT_ATTACHED, 0),
        (sqlite3.SQLITE_LIMIT_EXPR_DEPTH, 200),
        (sqlite3.SQLITE_LIMIT_FUNCTION_ARG, 20),
        (sqlite3.SQLITE_LIMIT_LENGTH, 50_000_000),
        (sqlite3.SQLITE_LIMIT_SQL_LENGTH, 50_000),
        (sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH, 1),
    ):
        connection.setlimit(name, amount)


def _names(condition: str) -> list[str]:
    return [
        sign.group()[1:]
        for sign in _SIGN.finditer(condition)
        if sign.lastgroup == "name"
    ]


def _plainly(error: Exception) -> str:
    text = str(error)
    column = re.fullmatch(r"no such column: (.*)", text)
    return f"the column {column[1]} that is not there" if column else text


def _over(tables: tuple[str, ...]) -> str:
    return ", ".join(f"{table}.COLUMN" for table in tables)
