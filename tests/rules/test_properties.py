"""Properties, lists and aliases in conditions, and comparisons that make no sense."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore import score
from graphscore.exceptions import InputError, InvalidGraphError
from graphscore.metrics.entities.rules import Rules
from graphscore.model.graph import Anchor, Graph, Node
from graphscore.rules import rules_of
from graphscore.rules.facts import fact_of
from graphscore.rules.lists import reduce
from graphscore.rules.sandbox import check, reads
from graphscore.rules.type_checking import Names
from tests.rules.facts import Said, classes, metric_of

HEAD = """phases = ["p"]
[settings]
levels = ["span"]
[classes]
A = "true"
B = "spurious"
"""


def rule(when: str, name: str = "r", to: str = "A", priority: int = 1) -> str:
    return (
        f"[[rule]]\nname = '{name}'\nphase = 'p'\npriority = {priority}\n"
        f'over = \'system\'\nto_system = \'{to}\'\nwhen = """{when}"""\n'
    )


def span(**properties: Any) -> Graph:
    said = tuple((name.replace("__", "-"), value) for name, value in properties.items())
    node = Node(0, "PER", (("kind", "mention"), *said), (Anchor(0, 5),))
    return Graph("1", "ner", 1, text="Smith", nodes=(node,))


def holds(folder: Path, when: str, system: Graph, head: str = HEAD) -> bool:
    metric = metric_of(folder, head + rule(when))
    found = score([span()], [system], metric).scores.numbers
    return bool(found.get("span.system.A"))


@pytest.mark.parametrize(
    ("when", "properties", "expected"),
    [
        ("system.score < 0.5", {"score": 0.25}, True),
        ("system.score < 0.5", {"score": "0.25"}, True),
        ("system.score < 0.5", {"score": 0.75}, False),
        ("system.score < 0.5", {}, False),
        ("score < 0.5", {"score": 0.25}, True),
        ("confidence < 0.5", {"confidence": 0.25}, True),
        ("confidence < 0.5", {"confidence": "0.75"}, False),
        ("confidence = 'low'", {"confidence": "low"}, True),
        ("confidence = 'low' and system.low", {"confidence": "low"}, True),
        ("system.pos = 'NN'", {"pos": "NN"}, True),
        ("system.head_word = '007'", {"Head__Word": "007"}, False),
        ("system.Nested and system.kind = 'mention'", {"nested": True}, True),
        ("system.score is null", {}, True),
        ("system.score in (1, 2)", {"score": 2}, True),
    ],
)
def test_every_property_is_a_fact(
    tmp_path: Path, when: str, properties: dict[str, Any], expected: bool
) -> None:
    if "'007'" in when:
        # Zeros in front: text, which stays so; but in quotes it looks like a number.
        head = HEAD + "[properties]\nhead_word = 'text'\n"
        assert holds(tmp_path, when, span(**properties), head)
        return
    assert holds(tmp_path, when, span(**properties)) == expected


def test_declared_kinds_are_held_to(tmp_path: Path) -> None:
    text = HEAD + "[properties]\nyear = 'text'\n"
    assert holds(tmp_path, "system.year = '1990'", span(year=1990), text)
    number = HEAD + "[properties]\nscore = 'number'\n"
    with pytest.raises(InvalidGraphError, match="score of node 0, 'high'"):
        holds(tmp_path, "system.score > 0", span(score="high"), number)


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ("system.text < 0.5", "0.5, a number, beside system.text, a text"),
        ("system.start = 'a'", "'a', a text, beside system.start, a number"),
        ("system.type in ('PER', 3)", "3, a number"),
        ("system.type between 'a' and 5", "5, a number"),
        ("5 > lower(system.type)", "5, a number, beside lower(system.type), a text"),
        ("length(system.text) = '5'", "'5', a text"),
        ("system.class = :least", ":least, a number"),
        ("system.start > :word", "system.start, a number"),
        ("not (system.low or system.text > 1)", "1, a number"),
        ("case when system.low then 1 else 2 end = 'a'", "'a', a text"),
        ("case system.type when 1 then 2 end", "1, a number"),
        ("coalesce(system.text, 'a') is not 3", "3, a number"),
        ("system.text || system.start > 4", "4, a number"),
        ("system.pos > 'x' and system.rank = 'first'", "'first', a text"),
        ("system.year = '1990'", "expected 1990, or [properties] year = 'text'"),
        ("listed(system.text, 'towns')", "'towns', expected one of [lists]"),
        ("listed(system.text, system.type)", "expected one of [lists]"),
        ("alias(system.text, 'titles') = 'x'", "'titles', expected one of [aliases]"),
        ("system.typ = 'PER'", "did you mean 'type'"),
        ("system.id = 1", "system.id that is not there"),
        ("system.rowid = 1", "ROWID"),
        ("system.found > 1", "system.found that is not there"),
    ],
)
def test_what_cannot_be_compared_is_an_error(condition: str, found: str) -> None:
    names = Names({"rank": "number"}, frozenset({"titles"}), frozenset({"lands"}))
    values = {"least": 0.5, "word": "a"}
    said = check(condition, ("system",), "span", values, names)
    assert said is not None
    assert found in said


@pytest.mark.parametrize(
    "condition",
    [
        "system.pos > 1 and system.pos > 'a'",
        "confidence < 0.5 or confidence = 'low'",
        "system.text = 'a'",
        "cast(system.text as integer) > 3",
        "system.start + 1 < system.end and system.text <> ''",
        "listed(system.text, 'Titles') and alias(system.text, 'lands') = 'france'",
        "system.type = null or system.start is not null or system.end notnull",
        "min(system.start, 3) > 2 and min(system.text, 'a') = 'b'",
        "-system.start < 3 and ~system.start <> 4 and (system.low = 1) = 1",
        "system.text not in ('a', 'b') and system.start not between 1 and 2",
        "case when system.low then 'a' end = 'b'",
    ],
)
def test_what_can_be_compared_is_none(condition: str) -> None:
    names = Names({}, frozenset({"titles"}), frozenset({"lands"}))
    assert check(condition, ("system",), "span", {}, names) is None


def test_check_says_so_with_the_line(tmp_path: Path) -> None:
    (tmp_path / "my.toml").write_text(HEAD + rule("system.text < 0.5"))
    with pytest.raises(InputError) as error:
        rules_of(str(tmp_path / "my.toml"))
    [problem] = error.value.problems
    assert str(problem).endswith(
        "my.toml:13: rule 'r', when: found 0.5, a number, beside system.text, a text, "
        "expected both of one kind"
    )


@given(st.text("gold.sytem'0159 ()<>=andornotibwe|-+*:,", max_size=40))
def test_no_condition_is_more_than_an_error(condition: str) -> None:
    said = check(condition, ("system",), "span", {})
    assert said is None or isinstance(said, str)


@given(st.one_of(st.integers(), st.floats(), st.text(max_size=5), st.booleans()))
def test_a_fact_is_what_a_database_holds(value: Any) -> None:
    found = fact_of(value)
    assert found is None or isinstance(found, int | float | str)
    if isinstance(found, int):
        assert -(2**63) <= found < 2**63
    if isinstance(value, str) and not isinstance(found, str):
        assert float(value) == found


def test_what_is_read_is_known() -> None:
    assert reads("score < 1 and system.Pos = 'a'", ("system",), "span") == frozenset(
        {"system.score", "system.pos"}
    )


LISTS = """extends = "default"
[lists]
titles = "titles.txt"
towns = ["Rome", "New  York"]
[aliases]
lands = "lands.tsv"
[settings]
same_names = ["lands"]
[settings.fuzzy_words]
PER = ["@titles"]
[settings.stop_words]
"*" = ["@towns", "it"]
"""


def write(folder: Path) -> None:
    (folder / "titles.txt").write_text("# titles\nPrime Minister\nDr.\n\n")
    (folder / "lands.tsv").write_text("United States\tUSA\tU.S.\nFrance\tRF\n")


def test_lists_and_aliases_from_files(tmp_path: Path) -> None:
    write(tmp_path)
    metric = metric_of(tmp_path, LISTS)
    text = "Prime Minister Dr. Smith left the USA, the U.S. or United States, for Rome"
    mine = [Said("PER", "Prime Minister Dr. Smith"), Said("LOC", "the USA")]
    theirs = [Said("PER", "Smith"), Said("LOC", "USA"), Said("PER", "Rome")]
    found = classes(mine, theirs, metric, text=text)
    assert found == (["FzTP", "FzTP"], ["FzTP", "FzTP", "FP-ignored:stop word"])
    # Entities of a document are one under any of their names.
    one, two = [Said("LOC", "USA")], [Said("LOC", "United States")]
    assert classes(one, two, metric, "document", text) == (["TP"], ["TP"])
    assert classes(one, two, None, "document", text) == (["FN"], ["FP"])
    more = rule("listed(system.text, 'towns')", "town", "FP", 200)
    more += rule("alias(system.text, 'lands') = 'united states'", "land", "TP", 200)
    own = metric_of(tmp_path, LISTS + more.replace("'p'", "'base'"))
    theirs = [Said("LOC", "Rome"), Said("LOC", "U.S"), Said("LOC", "Smith")]
    assert classes([], theirs, own, text=text)[1] == [
        *("FP-ignored:stop word", "TP", "FP")
    ]


def test_the_revision_follows_the_lists(tmp_path: Path) -> None:
    write(tmp_path)
    before = metric_of(tmp_path, LISTS).revision
    assert metric_of(tmp_path, LISTS).revision == before
    (tmp_path / "titles.txt").write_text("Mr\n")
    assert metric_of(tmp_path, LISTS).revision != before


def test_a_word_is_found_however_it_is_written() -> None:
    assert reduce("Dr.") == reduce("dr") == "dr"
    assert Rules().rules.settings.names == {}


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("alone\n", "names.txt:1: found one name, expected names of"),
        ("a\tb\nc\tb\n", "names.txt:2: found 'b', which stands for"),
    ],
)
def test_aliases_of_nothing_or_of_two(
    tmp_path: Path, content: str, expected: str
) -> None:
    (tmp_path / "names.txt").write_text(content)
    (tmp_path / "my.toml").write_text(
        "extends = 'default'\n[aliases]\na = 'names.txt'\n"
    )
    with pytest.raises(InputError) as error:
        rules_of(str(tmp_path / "my.toml"))
    [problem] = error.value.problems
    assert expected in str(problem)
