"""Files of rules that mean harm: one clear error each, in no time and little memory."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from graphscore.cli.main import cli
from graphscore.exceptions import GraphscoreError, InputError, UsageError
from graphscore.metrics.entities.rules import Rules
from graphscore.rules import engine as engines
from graphscore.rules.engine import RuleError
from graphscore.rules.functions import Functions, instr, trim
from graphscore.rules.loader import LARGEST, MOST_PROBLEMS, rules_of
from graphscore.rules.model import Settings
from graphscore.rules.parser import MOST_RULES
from graphscore.rules.sandbox import check
from tests.rules.facts import Said, classes, metric_of, problems

SPAN = [Said("PER", "Smith")]

LONGEST = 8.0
"""Seconds that any of these may take, on a slow machine."""


@pytest.fixture(autouse=True)
def in_no_time() -> Iterator[None]:
    begin = time.process_time()
    yield
    assert time.process_time() - begin < LONGEST


def many(number: int, text: str) -> str:
    return "".join(text.replace("#", str(k)) for k in range(number))


@pytest.mark.parametrize(
    "text",
    [
        "[settings]\n" + many(20_000, "k#=1\n"),
        many(20_000, "k#=1\n"),
        "remove = [" + many(20_000, "'#',") + "]",
        "extends = 'default'\nphases = [" + many(20_000, "'#',") + "]",
        "[classes]\n" + many(900, "k#='true'\n") + many(90, "[[rule]]\nname='#'\n"),
        "extends='default'\n[[rule]]\nname='x'\nphase='base'\nover='gold'\n"
        "to_gold='TP'\nfrom_gold=[" + many(20_000, "'#',") + "]",
    ],
)
def test_of_very_much_that_is_wrong_the_first_is_listed(
    tmp_path: Path, text: str
) -> None:
    assert len(problems(tmp_path, text)) <= MOST_PROBLEMS + 1


def test_very_many_rules_are_too_many(tmp_path: Path) -> None:
    rule = "[[rule]]\nname='r#'\nphase='base'\nover='gold'\nto_gold='FN'\n"
    [found] = problems(tmp_path, "extends='default'\n" + many(10_000, rule))
    assert found == "my.toml:2: rule: found 10000 rules, expected at most 1000"
    [found] = problems(tmp_path, "[classes]\n" + many(10_000, "k#='true'\n"))
    assert found == "my.toml:1: classes: found 10000, expected at most 1000"
    # Files that extend one another may have no more.
    (tmp_path / "base.toml").write_text("extends='default'\n" + many(990, rule))
    more = "extends='base.toml'\n" + many(20, rule.replace("r#", "s#"))
    [found] = problems(tmp_path, more)
    assert "rules together" in found


def test_as_many_rules_as_there_may_be_run(tmp_path: Path) -> None:
    head = "phases=['p']\n[settings]\nlevels=['span']\n[classes]\nA='true'\nB='true'\n"
    rule = "[[rule]]\nname='r#'\nphase='p'\nover='gold'\nfrom_gold='A'\nto_gold='B'\n"
    first = "[[rule]]\nname='a'\nphase='p'\npriority=1\nover='gold'\nto_gold='A'\n"
    metric = metric_of(tmp_path, head + first + many(MOST_RULES - 1, rule))
    assert classes(SPAN, [], metric) == (["B"], [])


def test_a_file_that_is_huge_is_not_read(tmp_path: Path) -> None:
    huge = tmp_path / "huge.toml"
    with huge.open("wb") as stream:
        stream.truncate(1 << 40)
    [found] = problems(tmp_path, "extends = 'huge.toml'")
    assert found.startswith(f"huge.toml: found more than {LARGEST} bytes")
    with pytest.raises(InputError, match="more than"):
        rules_of("/dev/zero")


def test_links_in_a_circle_are_no_file(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(UsageError, match="expected a file of rules"):
        rules_of(str(tmp_path / "loop"))
    with pytest.raises(UsageError, match="expected a file of rules"):
        rules_of("a\0b")
    [found] = problems(tmp_path, "extends = 'loop'")
    assert "the path of a file" in found


@pytest.mark.parametrize(
    "condition",
    [
        "1); drop table gold; --",
        "1; attach database 'x' as y",
        "(select 1)",
        "exists (select 1 from gold)",
        "gold.id in (select id from gold)",
        "1) union select 1 from gold where (1",
        "1 or (with recursive n(x) as (select 1 union all select x + 1 from n) "
        "select max(x) from n)",
        "load_extension('x')",
        "readfile('/etc/passwd')",
        "writefile('a', 'b')",
        "randomblob(1000000000)",
        "zeroblob(1000000000)",
        "printf('%1000000000d', 1)",
        "random() > 0",
        "gold.type like '%a%a%a%a%a%a%a%'",
        "gold.type glob '*a*a*a*a*a*'",
        "gold.type regexp '(a+)+$'",
        "gold.type match 'a'",
        "replace(replace(gold.text, 'a', 'aa'), 'a', 'aa') = ''",
        "sqlite_version() = ''",
        "total_changes() = 0",
        "changes() = 0",
        "gold.rowid = 1",
        "gold.id = 1",
        "gold.part = 1",
        "gold.class_by = 1",
        "overlap.dice > 0",
        "sqlite_master.name = ''",
        "pragma_table_info.name = ''",
        '"gold".type = "PER"',
        "`gold`.type = 1",
        "[gold].type = 1",
        "gold.type = ?",
        "gold.type = :unknown",
        "gold.type = @x",
        "gold.type = $x",
        "gold.type = 'open",
        "gold.type = 1 -- comment",
        "gold.type /* comment */ = 1",
        "count(*) > 1",
        "max(gold.start) > 1",
        "row_number() over () = 1",
        "raise(abort, 'x')",
        "gold.type =",
        "no_such = 1",
        "type = type and",
        "(" * 300 + "1" + ")" * 300,
        "1 + " * 900 + "1",
        "gold.type = char(0)",
        "gs_shared(1,2,3,4,5,6)",
        "a" * 3000,
        "gold.type in sqlite_master",
        "gold.type in gold",
        "(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11) in gold",
        "1 in (values (1))",
        "1 in json_each('[1]')",
        "1 in pragma_table_info('gold')",
        "(table gold)",
        "main.gold.type = 'PER'",
        "gold.oid = 1",
        "gold._rowid_ = 1",
        "gold.type = 'a\\' or 1 = 1 --'",
        "gold.type = ?1",
        "abs(-9223372036854775807 - 1) > 0",
        "gold.type -> '$'",
        "current_timestamp > 1",
        "(" * 51 + "1" + ")" * 51,
        "~" * 400 + "1",
        "1) or (1",
        "1 returning 1",
        "1 limit 1",
        "gold.type is distinct from system.type",
        "max(" + ",".join("1" * 21) + ")",
        "   ",
    ],
)
def test_conditions_can_do_nothing_but_compare(condition: str) -> None:
    found = check(condition, ("gold", "system"), "span", {})
    assert found is not None
    assert "expected" in found


@pytest.mark.parametrize(
    "condition",
    [
        "null",
        "not null",
        "1 / 0",
        "0.0 / 0",
        "gold.start = 9e999 - 9e999",
        "gold.start + 9223372036854775807 > 0",
        "-9223372036854775808 - gold.start",
        "gold.type = x'41'",
        "round(gold.start, 400000000) < 0",
        "substr(gold.text, -9223372036854775807, 9223372036854775807) = '!'",
        "common(gold.ids, 5)",
        "descends(null, null)",
        "stop_word(null, null)",
        "begins(null, 1)",
        "same_words(gold.text, null, null)",
        "instr(null, null)",
        "trim(null)",
        "gold.type in ()",
    ],
)
def test_conditions_of_nothing_do_not_fail(tmp_path: Path, condition: str) -> None:
    file = f"""
extends = "default"
[[rule]]
name = "true positive"
when = \"\"\"({condition}) is null or not ({condition}) or ({condition})\"\"\"
"""
    # Whatever it is, one of the three holds.
    assert classes(SPAN, SPAN, metric_of(tmp_path, file)) == (["TP"], ["TP"])


def test_nothing_compares_all_characters_with_all(tmp_path: Path) -> None:
    """SQLite's own trim and instr would, for hours, and cannot be interrupted."""
    text, those = "||".join([":a"] * 110), "||".join([":b"] * 110)
    file = f"""
extends = "default"
[values]
a = "{"a" * 1_000}"
b = "{"bcdefghi" * 124 + "a"}"
[[rule]]
name = "true positive"
when = "length(trim({text}, {those})) = 0 and not instr({text}, {those})"
"""
    assert classes(SPAN, SPAN, metric_of(tmp_path, file)) == (["TP"], ["TP"])


def test_texts_that_rules_make_are_not_kept() -> None:
    made = Functions(Settings())
    for number in range(100):
        made.same_words("x" * 100_000 + str(number), "y", "PER")
    assert made._remembered.cache_info().currsize == 1


@pytest.mark.parametrize("text", ["", " a ", "..a.", "abc", "  ", "a\tb "])
@pytest.mark.parametrize("marks", [" ", ".", "ab", ""])
def test_what_stands_in_for_sqlite_says_the_same(text: str, marks: str) -> None:
    import sqlite3
    from contextlib import closing

    def of_sqlite(expression: str, *values: str) -> object:
        with closing(sqlite3.connect(":memory:")) as connection:
            [found] = connection.execute(f"select {expression}", values)
        return found[0]

    assert instr(text, marks) == of_sqlite("instr(?, ?)", text, marks)
    for name, left, right in (("trim", 1, 1), ("ltrim", 1, 0), ("rtrim", 0, 1)):
        said = of_sqlite(f"{name}(?, ?)", text, marks)
        assert trim(text, marks, bool(left), bool(right)) == said


def test_a_deep_hierarchy_takes_no_memory(tmp_path: Path) -> None:
    deep = many(20_000, "t# = 'u#'\n") + "\n"
    chain = "".join(f"c{k} = 'c{k + 1}'\n" for k in range(20_000))
    file = f"extends = 'default'\n[settings.hierarchy]\n{deep}{chain}c20000 = 'c0'\n"
    metric = metric_of(tmp_path, file)
    one, two = [Said("c3", "Smith")], [Said("c19000", "Smith")]
    assert classes(one, two, metric) == (["partial TP"], ["partial TP"])


HEAD = """
extends = "default"
[classes]
A = "true"
B = "true"
C = "true"
"""


def rule(name: str, was: str, to: str, more: str = "") -> str:
    return (
        f"[[rule]]\nname = '{name}'\nphase = 'labels'\nover = 'gold'\n"
        f"from_gold = {was}\nto_gold = '{to}'\n{more}\n"
    )


@pytest.mark.parametrize(
    ("rules", "named"),
    [
        (
            rule("r1", "['TP', 'C']", "A", "priority = 3")
            + rule("r2", "'A'", "B", "priority = 2")
            + rule("r3", "'B'", "C", "priority = 1"),
            ["r1", "r2", "r3"],
        ),
        (
            rule("r1", "['TP', 'B']", "A") + rule("r2", "['A']", "B"),
            ["r1", "r2"],
        ),
    ],
)
def test_rules_that_undo_one_another_are_named(
    tmp_path: Path, rules: str, named: list[str]
) -> None:
    with pytest.raises(RuleError, match="without end") as error:
        classes(SPAN, SPAN, metric_of(tmp_path, HEAD + rules))
    assert re.findall(r"'(r\d)' \(.*?rules\.toml:\d+\)", str(error.value)) == named


def test_a_class_cannot_grow_without_end(tmp_path: Path) -> None:
    grown = rule("grow", "['TP', 'TPx', 'TPxx']", "{class}x")
    found = problems(tmp_path, HEAD + grown)
    assert found
    assert all("[classes]" in each for each in found)
    declared = "TPx = 'true'\nTPxx = 'true'\nTPxxx = 'true'\n"
    with pytest.raises(RuleError, match=r"'grow' \(.*:\d+\) fires on its own result"):
        classes(SPAN, SPAN, metric_of(tmp_path, HEAD + declared + grown))


@pytest.mark.parametrize("level", ["span", "document", "resolution"])
def test_conflicts_of_every_level_are_reported(tmp_path: Path, level: str) -> None:
    two = "".join(
        f"[[rule]]\nname = 'to {to}'\nphase = 'base'\npriority = 999\n"
        f"level = '{level}'\nover = 'gold'\nto_gold = '{to}'\n"
        for to in "AB"
    )
    with pytest.raises(RuleError, match="different classes") as error:
        classes(SPAN, [], metric_of(tmp_path, HEAD + two))
    for part in ("'to A'", "'to B'", "'Smith' (PER)", "(base, 999)"):
        assert part in str(error.value)


def test_quotes_in_names_are_quotes_in_names(tmp_path: Path) -> None:
    odd = """it's; drop table gold --"""
    file = f"""
phases = ["a'b\\"; drop"]
[settings]
levels = ["span"]
[classes]
"{odd}" = "fuzzy"
"{odd}{{class}}" = "true"
[[rule]]
name = "x'y"
phase = "a'b\\"; drop"
over = "gold"
to_gold = "{odd}"
"""
    metric = metric_of(tmp_path, file)
    assert classes(SPAN, [], metric) == ([odd], [])
    # Nothing is said of credit: fuzzy matches count in full.
    assert metric.rules.credit(odd, "gold") == 1


def test_the_command_line_says_where_and_ends_with_three(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    for text, line in (
        ("extends = 'default'\n[[rule]]\nname = 'stop word'\nwhen = '(select 1)'", 4),
        ("a = " + "[" * 10_000, 1),
        (f"[values]\nx = {10**30}", 2),
    ):
        file.write_text(text)
        done = CliRunner().invoke(cli, ["rules", "check", str(file)])
        assert done.exit_code == 3, done.output
        assert f"my.toml:{line}: " in done.stderr
        with pytest.raises(GraphscoreError):
            Rules(str(file))


@pytest.mark.parametrize(("pages", "spans"), [(150, 150), (50, 1500)])
def test_more_pairs_than_there_is_room_for_are_an_error(
    monkeypatch: pytest.MonkeyPatch, pages: int, spans: int
) -> None:
    """The first has room for the spans but not for their pairs."""
    monkeypatch.setattr(engines, "PAGES", pages)
    many = SPAN * spans
    with pytest.raises(RuleError, match="MiB of spans and pairs, expected less"):
        classes(many, many, Rules())
    assert classes(SPAN, SPAN, Rules())[0] == ["TP"]


def test_a_long_ring_names_a_few_of_its_rules(tmp_path: Path) -> None:
    count = 100
    rules = 'extends = "default"\n[classes]\n'
    rules += "".join(f'c{k} = "true"\n' for k in range(count))
    for k in range(count):
        rules += (
            f'[[rule]]\nname = "r{k:02}"\nphase = "base"\nover = "gold"\n'
            f'from_gold = "c{k}"\nto_gold = "c{(k + 1) % count}"\n'
        )
    rules += '[[rule]]\nname = "first"\nphase = "base"\npriority = 1000\n'
    rules += 'over = "gold"\nto_gold = "c0"\n'
    with pytest.raises(RuleError, match="and 95 more undo each other") as found:
        classes(SPAN, [], metric_of(tmp_path, rules))
    assert str(found.value).count("rule '") == engines.TOLD


def test_one_class_that_is_written_in_two_ways_is_no_conflict(tmp_path: Path) -> None:
    rules = 'extends = "default"\n'
    for name, to in (("a", "{class} low confidence"), ("b", "TP low confidence")):
        rules += (
            f'[[rule]]\nname = "{name}"\nphase = "labels"\nover = "gold"\n'
            f'from_gold = "TP"\nto_gold = "{to}"\n'
        )
    assert classes(SPAN, SPAN, metric_of(tmp_path, rules))[0] == ["TP low confidence"]
    other = rules.replace('to_gold = "TP low', 'to_gold = "FN low')
    with pytest.raises(RuleError, match="different classes"):
        classes(SPAN, SPAN, metric_of(tmp_path, other))
