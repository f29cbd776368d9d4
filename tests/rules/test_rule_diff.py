"""Two sets of rules beside each other."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from graphscore import score
from graphscore.cli.main import cli
from graphscore.metrics.entities.rules import Rules
from graphscore.rules import rules_of
from graphscore.rules.rule_diff import changes, level_counts, parts
from tests.rules.facts import Said, graph
from tests.rules.test_command_line import folder

__all__ = ["folder"]

GOLD = [Said("PER", "Mr. Smith"), Said("ORG", "Acme"), Said("CITY", "Rome")]
SYSTEM = [Said("PER", "Smith"), Said("ORG", "Acme"), Said("LOC", "Rome")]
UNITS = [((graph(GOLD),), (graph(SYSTEM),))]

MINE = """extends = "default"
remove = ["partial label"]
[classes]
metonymy = { as = "partial", credit = 0.3 }
[[rule]]
name = "metonymy"
phase = "labels"
over = "same"
from_gold = "FN"
from_system = "FP"
to_gold = "metonymy"
to_system = "metonymy"
"""


@pytest.fixture
def mine(tmp_path: Path) -> str:
    (tmp_path / "mine.toml").write_text(MINE)
    return str(tmp_path / "mine.toml")


def test_a_class_has_a_credit_of_its_own(mine: str) -> None:
    found = score([graph(GOLD)], [graph(SYSTEM)], Rules(mine))
    assert found.counts["span"].matched == pytest.approx(2.3)
    numbers = found.scores.numbers
    assert numbers["span.strict.f1"] == pytest.approx(1 / 3)
    assert numbers["span.full.f1"] == 1
    rules = rules_of(mine)
    assert rules.credit("metonymy", "gold") == 0.3
    assert rules.credit("partial TP", "gold") == 0.5
    assert rules.credit("metonymy", "gold", 1.0) == 1


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ('{ as = "partial", credit = 2 }', "a number from 0 to 1"),
        ('{ as = "partial", credit = "x" }', "a number from 0 to 1"),
        ('{ as = "partial", credit = true }', "a number from 0 to 1"),
        (
            '{ as = "true", credit = 0.5 }',
            "a class that is fuzzy, conditional, partial",
        ),
    ],
)
def test_wrong_credits(tmp_path: Path, said: str, expected: str) -> None:
    from graphscore.exceptions import InputError

    (tmp_path / "my.toml").write_text(f'extends = "default"\n[classes]\nm = {said}\n')
    with pytest.raises(InputError, match=expected):
        rules_of(str(tmp_path / "my.toml"))


def test_what_two_sets_say_differently(mine: str) -> None:
    found = list(changes(rules_of(""), rules_of(mine), UNITS))
    spans = [each for each in found if each.level == "span"]
    assert [(e.side, e.text, e.before.name, e.after.name) for e in spans] == [
        ("gold", "Rome", "partial TP", "metonymy"),
        ("system", "Rome", "partial TP", "metonymy"),
    ]
    assert spans[0].after.rule == "metonymy"
    assert (spans[0].place.item, spans[0].place.start) == ("1", 24)
    assert not list(changes(rules_of(mine), rules_of(mine), UNITS))


def test_scores_are_those_of_the_metric(mine: str) -> None:
    for file in ("", mine):
        whole = score([graph(GOLD)], [graph(SYSTEM)], Rules(file)).counts
        found = level_counts(rules_of(file), UNITS)
        assert {level: whole[level] for level in found} == found


def test_the_parts_of_a_change(mine: str) -> None:
    found = {
        each.rule.name: each for each in parts(rules_of(""), rules_of(mine), UNITS)
    }
    assert {name: each.what for name, each in found.items()} == {
        "metonymy": "added",
        "partial label": "removed",
    }
    # Without metonymy, or with the partial label back, which comes first.
    assert found["metonymy"].gains["span"] == pytest.approx(0.1)
    assert found["partial label"].gains["span"] == pytest.approx((2.3 - 2.5) / 3)


def test_the_verbs(folder: Path) -> None:
    (folder / "mine.toml").write_text(MINE)
    files = "gold.jsonl", "system.jsonl"
    words = ["rules", "diff", "default", "mine.toml", *files]
    done = CliRunner().invoke(cli, words)
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert {each["rule"] for each in found["rules"]} == {"metonymy", "partial label"}
    assert found["spans"][0]["class_b"] == "metonymy"
    assert found["spans"][0]["item"] == "a"
    [span] = [each for each in found["scores"] if each["level"] == "span"]
    assert span["f1_b"] < span["f1_a"]
    table = CliRunner().invoke(cli, [*words, "--table"]).stdout
    assert "what each rule changes of F1" in table
    lines = CliRunner().invoke(cli, [*words, "--jsonl"]).stdout.splitlines()
    assert [json.loads(line) for line in lines] == found["spans"]
    assert (
        CliRunner().invoke(cli, ["rules", "diff", "absent.toml", *words[3:]]).exit_code
        == 2
    )
