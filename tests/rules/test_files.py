"""Files of rules: what they add, override and remove, and what is wrong with them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.exceptions import GraphscoreError, InputError, UsageError
from graphscore.metrics.entities.rules import Rules
from graphscore.metrics.registry import parse
from graphscore.rules.functions import BUILT_IN
from graphscore.rules.loader import rules_of
from graphscore.rules.sandbox import check
from tests.rules.facts import Said, classes, metric_of, problems

SPAN = [Said("PER", "Smith")]


def test_rules_are_added_overridden_and_removed(tmp_path: Path) -> None:
    metric = metric_of(
        tmp_path,
        """
extends = "default"
remove = ["false negative"]
[classes]
unseen = "missed"
[[rule]]
name = "unseen"
phase = "base"
over = "gold"
to_gold = "unseen"
[[rule]]
name = "true positive"
when = "lower(gold.type) = lower(system.type)"
""",
    )
    mine, theirs = [Said("PER", "Smith"), Said("ORG", "Acme")], [Said("per", "Smith")]
    assert classes(mine, theirs, metric) == (["TP", "unseen"], ["TP"])
    kept = next(rule for rule in metric.rules.rules if rule.name == "true positive")
    assert (kept.priority, kept.to_gold) == (100, "TP")


def test_levels_are_in_order_and_words_are_folded(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text(
        "extends = 'default'\n[settings]\nlevels = ['document', 'span']\n"
        "stop_words = { PER = ['The  King'] }\n"
    )
    settings = rules_of(str(file)).settings
    assert settings.levels == ("span", "document")
    assert settings.stop_words["PER"] == {"the king"}


def test_files_extend_files_from_where_they_stand(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "base.toml").write_text('extends = "default"\n[values]\nx = 1')
    top = tmp_path / "deep" / "top.toml"
    top.write_text('extends = "../base.toml"\n[values]\ny = "a"')
    found = rules_of(str(top))
    assert found.settings.values["x"] == 1
    assert found.settings.values["y"] == "a"
    assert len(found.files) == 3


def test_the_revision_follows_the_files(tmp_path: Path) -> None:
    base, top = tmp_path / "base.toml", tmp_path / "top.toml"
    base.write_text('extends = "default"')
    top.write_text('extends = "base.toml"')
    before = Rules(str(top)).revision
    assert Rules(str(top)).revision == before
    base.write_text('extends = "default"\n[settings]\nlow_confidence = "ignore"')
    assert Rules(str(top)).revision != before


def test_the_name_of_the_metric_is_read_back(tmp_path: Path) -> None:
    file = tmp_path / "a (b), c.toml"
    file.write_text('extends = "default"')
    for name in ("rules", "rules:default", f"rules:{file}"):
        metric = parse(name)
        assert str(metric) == name
        assert parse(str(metric)) == metric
    with pytest.raises(UsageError, match="rules:FILE"):
        parse("rules: ")
    with pytest.raises(UsageError, match="expected a file of rules"):
        parse("rules:nowhere.toml")


def test_circles_of_files_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "my.toml").write_text("")
    (tmp_path / "b.toml").write_text('extends = "my.toml"')
    [found] = problems(tmp_path, '\nextends = "b.toml"')
    assert found.startswith("b.toml:1: extends: found 'my.toml, which leads back'")
    [found] = problems(tmp_path, 'extends = "my.toml"')
    assert "leads back" in found
    [found] = problems(tmp_path, 'extends = "absent.toml"')
    assert found.startswith("my.toml:1: extends: found 'absent.toml', expected")


def test_everything_that_is_wrong_is_said_with_its_line(tmp_path: Path) -> None:
    found = problems(
        tmp_path,
        """extends = "default"
surprise = 1
remove = ["no such rule"]
[settings]
levels = ["spam"]
credit = { fuzzy = 2 }
colour = "red"
[values]
list = []
[classes]
odd = "maybe"
[[rule]]
over = "gold"
[[rule]]
name = "a"
over = "everything"
priority = "high"
[[rule]]
name = "b"
phase = "nowhere"
over = "gold"
to_system = "TP"
when = "gold.typ = 1"
""",
    )
    lines = [int(re.match(r"my\.toml:(\d+): ", each)[1]) for each in found]  # type: ignore[index]
    assert lines == [2, 3, 5, 6, 7, 9, 11, 12, 16, 17, 20, 22, 23]
    found = problems(
        tmp_path,
        """extends = "default"
[[rule]]
name = "b"
phase = "nowhere"
over = "gold"
to_system = "TP"
when = "gold.typ = 1"
[[rule]]
name = "c"
phase = "base"
over = "system"
from_system = ["FP", "XX"]
to_system = "FP"
[[rule]]
name = "d"
phase = "base"
over = "system"
""",
    )
    assert [each.partition(" ")[0] for each in found] == [
        "my.toml:4:",
        "my.toml:6:",
        "my.toml:7:",
        "my.toml:12:",
        "my.toml:13:",
        "my.toml:15:",
    ]
    assert "gold.typ (did you mean 'type'?)" in found[2]


RULE = "[[rule]]\nname = 'x'\nphase = 'base'\n"

WRONG = [
    # What no TOML is, or goes beyond what can be held.
    ("a = ", 1, "TOML"),
    ("[[rule]\n", 1, "TOML"),
    ("a = " + "[" * 50_000, 1, "brackets"),
    ("\n[settings]\nx = " + "{a=" * 5_000 + "1" + "}" * 5_000, 3, "brackets"),
    ("\n" + ".".join("a" * 100_000) + " = 1", 2, "20 parts"),
    ("[" + " . ".join(['"a"'] * 50_000) + "]", 1, "20 parts"),
    ("a = {" + ".".join("a" * 3_000) + " = 1}", 1, "20 parts"),
    ("\n[values]\nx = " + "9" * 20_000, 3, "digits"),
    ("extends = 'default'\nextends = 'default'", 2, "TOML"),
    ("[settings]\nlow = []\n[settings]\nlow = []", 3, "TOML"),
    ("title = 'a\0b'", 1, "TOML"),
    # What is not of the kind that a key asks for.
    ("extends = '/dev/null'", 1, "the path of a file"),
    ("extends = '/dev/zero'", 1, "the path of a file"),
    ("extends = '.'", 1, "the path of a file"),
    ("extends = 'my.toml'", 1, "an end of the chain"),
    ('extends = "a\\u0000b"', 1, "a path of at most"),
    ("extends = '" + "a" * 5_000 + "'", 1, "a path of at most"),
    ("extends = ''", 1, "a string"),
    ("extends = ['default']", 1, "a string"),
    ("phases = ['a', 'a']", 1, "each once"),
    ("phases = []", 1, "each once"),
    ("settings = 1", 1, "a table"),
    ("[settings]\nhierarchy = 1", 2, "a table of types"),
    ("[settings]\nstop_words = ['a']", 2, "a table of lists"),
    ("[settings.stop_words]\nPER = [1]", 2, "a string or a list"),
    ("[settings]\ncredit = { partial = -1 }", 2, "a number from 0 to 1"),
    ("[settings]\nlow = [1]", 2, "a list of strings"),
    ("[settings]\nlow_confidence = {}", 2, "count, ignore"),
    ("[settings]\ndocument_key = []", 2, "words, entries, entries only"),
    ("[settings]\nnear = -1", 2, "from 0 to 10000"),
    ("[settings]\nnear = 'x'", 2, "from 0 to 10000"),
    ("[settings]\nframeworks = ['nerr']", 2, "did you mean 'ner'"),
    ("[settings]\nframeworks = []", 2, "one of: "),
    ("[settings]\nnodes = ['x']", 2, "mention"),
    ("[settings]\nsame_names = ['a']", 2, "the table 'a'"),
    ("[settings.stop_words]\nPER = ['@a']", 1, "the list '@a'"),
    ("[values]\n'a b' = 1", 2, "letters and digits"),
    ("[values]\na = nan", 2, "a number or a string"),
    (f"[values]\nx = {2**63}", 2, "64 bits"),
    ("[values]\nx = '" + "x" * 2_000 + "'", 2, "1000 characters"),
    ("[values]\nx = 1979-05-27", 2, "a number or a string"),
    ("[classes]\n'" + "x" * 200_000 + "' = 'true'", 2, "100 characters"),
    ('[classes]\n"a\\nb" = "true"', 1, "100 characters"),
    ('[classes]\n"a\\u0000b" = "true"', 1, "100 characters"),
    ("[classes]\n'' = 'true'", 2, "a string"),
    ("[classes]\n'FN by tagger' = 'missed'", 2, "' by '"),
    ("[classes]\na = {as = 'true', low = 3}", 2, "one of: true"),
    ("[classes]\na = {as = ['true']}", 2, "one of: true"),
    ("[classes]\na = {as = {a = 1}}", 2, "one of: true"),
    ("[classes]\na = {as = 'partial', credit = 2}", 2, "a number from 0 to 1"),
    ("[classes]\na = {as = 'true', credit = 0.5}", 2, "credit of a class that is"),
    # Words and names.
    ("[lists]\na = 'absent.txt'", 2, "lists.a: found 'absent.txt': No such"),
    ("[lists]\na = 3", 2, "lists.a: found 3, expected the path"),
    ("[lists]\na = ['x', 3]", 2, "the path of a file, or a list of texts"),
    ("[lists]\n'a b' = []", 2, "a name of letters and digits"),
    ("[lists]\na = 'empty.txt'", 2, "'empty.txt': nothing"),
    ("[lists]\na = 'bytes.txt'", 2, "no text in UTF-8"),
    ("[lists]\na = '.'", 2, "lists.a: found '.'"),
    ("[aliases]\na = { x = ['y'], z = ['y'] }", 2, "'y', which stands for another"),
    ("[aliases]\na = { x = 'y' }", 2, "aliases.a"),
    ("[aliases]\na = 1", 2, "aliases.a: found 1"),
    ("[properties]\nscore = 'numeral'", 2, "properties.score: found 'numeral'"),
    ("lists = 3", 1, "lists: found 3, expected a table"),
    # Rules.
    ("rule = 3", 1, "[[rule]]"),
    ("rule = [3]", 1, "[[rule]]"),
    ("[[rule]]\nname = ''\nover = 'gold'", 2, "a string"),
    ('[[rule]]\nname = "a\\u0007"\nover = "gold"', 2, "at most 100"),
    (f"{RULE}unless = 3", 4, "{over ="),
    (f"{RULE}unless = {{over = []}}", 4, "overlap"),
    (f"{RULE}to_gold = 'TP'", 1, "expected it"),
    (f"{RULE}over = 'gold'\nto_gold = 'TP'\n{RULE}", 6, "a name once"),
    (f"{RULE}level = ['span']\nover = 'gold'", 4, "resolution"),
    (f"{RULE}over = {{}}", 4, "overlap"),
    (f"{RULE}over = 'within gold'\nto_system = 'TP'", 5, "a rule over system"),
    (
        f"{RULE}over = 'within gold'\nto_gold = 'TP'\nlevel = 'document'",
        *(4, "no extents"),
    ),
    (f"{RULE}over = 'near'\nto_gold = 'TP'\nlevel = 'document'", 4, "no extents"),
    (f"{RULE}over = 'within'\nto_gold = 'TP'", 4, "within gold"),
    (f"{RULE}over = 'gold'\nto_gold = 'TP'\nwhen = 'other.copy'", 6, "other.copy"),
    (f"{RULE}over = 'near'\nto_gold = 'TP'\nwhen = 'near.dice > 0'", 6, "near.dice"),
    (
        f"{RULE}over = 'near'\nto_gold = 'TP'\nwhen = \"near.distance = 'x'\"",
        *(6, "a number"),
    ),
]
"""Files with something wrong, on which line, and a part of what is said."""


@pytest.mark.parametrize(("text", "line", "expected"), WRONG)
def test_what_is_wrong_is_said_with_its_line(
    tmp_path: Path, text: str, line: int, expected: str
) -> None:
    (tmp_path / "empty.txt").write_text("# nothing\n")
    (tmp_path / "bytes.txt").write_bytes(b"\xff\xfe")
    found = problems(tmp_path, text)
    told = [each for each in found if re.match(rf"my\.toml:{line}(:\d+)?: ", each)]
    assert any(expected in each for each in told), found
    assert all(len(each) < 500 for each in found)


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n", "\ufeff"])
def test_an_empty_file_is_refused(tmp_path: Path, text: str) -> None:
    [found] = problems(tmp_path, text)
    assert found == "my.toml: found nothing, expected rules, or extends = 'default'"
    [found] = problems(tmp_path, "phases = ['p']\n")
    assert "no rule that takes part" in found


def test_files_that_are_no_text(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_bytes(b"title = '\xff\xfe'")
    with pytest.raises(InputError, match=r"my\.toml:1: found bytes, expected UTF-8"):
        rules_of(str(file))
    file.write_text("a = " + "[" * 100_000)
    with pytest.raises(InputError):
        rules_of(str(file))
    file.write_text("#" * 1_000_001)
    with pytest.raises(InputError, match="at most"):
        rules_of(str(file))
    with pytest.raises(UsageError, match="expected a file of rules"):
        rules_of(str(tmp_path))


@given(st.text(max_size=80))
def test_no_text_is_more_than_an_error(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    file = tmp_path_factory.mktemp("any") / "my.toml"
    file.write_text(text, encoding="utf-8", errors="surrogatepass")
    found = ""
    try:
        assert rules_of(str(file)).rules == ()
    except GraphscoreError as error:
        found = str(error)
    assert "my.toml" in found or not found


@pytest.mark.parametrize("name", sorted(BUILT_IN - {"max", "min", "substr", "instr"}))
def test_listed_functions_can_be_called(name: str) -> None:
    two = name in ("coalesce", "ifnull", "nullif")
    condition = f"{name}(gold.text{', 1' if two else ''}) is not null"
    assert check(condition, ("gold",), "span", {}) is None


def test_own_functions_can_be_called(tmp_path: Path) -> None:
    metric = metric_of(
        tmp_path,
        """
extends = "default"
[[rule]]
name = "true positive"
when = \"\"\"begins(gold.text, 'Sm') and ends(gold.text, 'th') and length(gold.text) = 5
  and instr(gold.text, 'mit') and substr(gold.text, 1, 1) = 'S'
  and min(gold.start, 99) = max(4, gold.start) - 0 * 1 and gold.end > :least\"\"\"
[values]
least = 3
""",
    )
    assert classes(SPAN, SPAN, metric) == (["TP"], ["TP"])


def test_nothing_is_written_to_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    classes(SPAN, SPAN)
    assert list(tmp_path.iterdir()) == []
