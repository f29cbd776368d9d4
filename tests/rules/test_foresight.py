"""What is known of rules before they run: what is certain does happen."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from graphscore.cli.main import cli
from graphscore.metrics.entities.rules import Rules
from graphscore.rules import Rule, RuleSet, Settings, rules_of
from graphscore.rules.engine import Engine, RuleError
from graphscore.rules.facts import Unit
from graphscore.rules.foresight import foresee
from graphscore.rules.model import Treatment
from graphscore.rules.outcome import batch_of, laid
from tests.rules.facts import Said, graph

CLASSES = {name: Treatment("true") for name in ("A", "B", "C")}
HEAD = """phases = ["p", "q"]
[settings]
levels = ["span"]
[classes]
A = "true"
B = "true"
C = "true"
"""


def of(*rules: Rule) -> RuleSet:
    return RuleSet("", ("p", "q"), rules, Settings(levels=("span",)), CLASSES)


def over(name: str, to: str, when: str = "", **more: object) -> Rule:
    return Rule(name, "p", over="gold", to_gold=to, when=when, **more)  # type: ignore[arg-type]


def test_the_shipped_rules_are_foreseen_to_be_fit() -> None:
    for file in ("", "docs/examples/figures.toml"):
        assert not any(foresee(rules_of(file)))


@pytest.mark.parametrize(
    ("one", "two", "known"),
    [
        (over("a", "A"), over("b", "B"), "certain"),
        (over("a", "A"), over("b", "B", "gold.low"), "certain"),
        (
            over("a", "A", "gold.low and gold.copy"),
            over("b", "B", "gold.low"),
            "certain",
        ),
        (over("a", "A", "gold.low"), over("b", "B", "gold.copy"), "possible"),
        (over("a", "A", "gold.low"), over("b", "B", "not gold.low"), "none"),
        (over("a", "A", "gold.type = 'X'"), over("b", "B", "gold.type = 'Y'"), "none"),
        (over("a", "A"), over("b", "A"), "none"),
        (over("a", "A"), over("b", "B", priority=1), "none"),
        (over("a", "A"), over("b", "B", from_gold=("C",)), "none"),
        (over("a", "A"), Rule("b", "p", over="same", to_gold="B"), "certain"),
        (
            over("a", "A", "gold.low"),
            Rule("b", "p", over="same", to_gold="B"),
            "possible",
        ),
        (
            Rule("a", "p", over="same", to_gold="A"),
            Rule("b", "p", over="overlap", to_gold="B"),
            "possible",
        ),
        (
            over("a", "A", unless_over="same"),
            over("b", "B"),
            "certain",
        ),
    ],
)
def test_conflicts(one: Rule, two: Rule, known: str) -> None:
    found = foresee(of(one, two))
    assert bool(found.conflicts) == (known == "certain")
    assert bool(found.possible_conflicts) == (known == "possible")
    assert not found.loops


def ring(*classes: str, when: str = "", **more: object) -> list[Rule]:
    pairs = zip(classes, classes[1:] + classes[:1], strict=True)
    return [over(f"{a}{b}", b, when, from_gold=(a,), **more) for a, b in pairs]


@pytest.mark.parametrize(
    ("rules", "known"),
    [
        (ring("A", "B"), "certain"),
        (ring("A", "B", "C"), "certain"),
        (ring("A", "B", when="gold.low"), "certain"),
        ([ring("A", "B")[0], *ring("A", "B", when="gold.low")[1:]], "certain"),
        ([*ring("A", "B"), over("out", "C", from_gold=("B",), priority=1)], "possible"),
        (
            [over("x", "B", "gold.low", from_gold=("A",)),
             over("y", "A", "gold.copy", from_gold=("B",))],
            "possible",
        ),
        ([over("x", "B", from_gold=("A",)), over("y", "C", from_gold=("B",))], "none"),
    ],
)  # fmt: skip
def test_loops(rules: list[Rule], known: str) -> None:
    found = foresee(of(*rules))
    assert bool(found.loops) == (known == "certain")
    assert bool(found.possible_loops) == (known == "possible")


drawn = st.builds(
    lambda to, when, start, priority, kind: Rule(
        "",
        "p",
        priority,
        over=kind,
        to_gold=to,
        when=when,
        from_gold=start,
    ),
    st.sampled_from("ABC"),
    st.sampled_from(
        ("", "gold.low", "not gold.low", "gold.copy = 0", "gold.low and 1")
    ),
    st.sampled_from((None, ("A",), ("B",), ("A", "B"))),
    st.integers(0, 1),
    st.sampled_from(("gold", "same")),
).filter(lambda rule: all(a != b for a, b in rule.classes("gold")))


@given(st.lists(drawn, min_size=1, max_size=4), st.booleans())
@settings(max_examples=60)
def test_what_is_not_foreseen_does_not_happen(rules: list[Rule], low: bool) -> None:
    from dataclasses import replace

    made = of(*(replace(rule, name=f"r{k}") for k, rule in enumerate(rules)))
    found = foresee(made)
    spans = [graph([Said("PER", "Smith", low=low), Said("LOC", "Rome")])]
    engine = Engine(made)
    try:
        sides = [[laid(made, each) for each in spans] for _ in range(2)]
        engine.run(batch_of(made, engine, [Unit(*sides)]))
    except RuleError as error:
        if "different classes" in str(error):
            assert found.conflicts or found.possible_conflicts
        else:
            assert found.loops or found.possible_loops
    finally:
        engine.close()


def test_check_says_what_is_certain_and_what_it_cannot_know(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    rule = "[[rule]]\nname = '{}'\nphase = 'p'\nover = 'gold'\nto_gold = '{}'\n{}\n"
    file.write_text(HEAD + rule.format("a", "A", "") + rule.format("b", "B", ""))
    done = CliRunner().invoke(cli, ["rules", "check", str(file)])
    assert done.exit_code == 3
    assert "my.toml:8: rule 'a': found a rule that contradicts 'b'" in done.stderr
    moved = rule.format("c", "B", "from_gold = 'A'") + rule.format(
        "d", "A", "from_gold = 'B'"
    )
    file.write_text(HEAD + moved)
    done = CliRunner().invoke(cli, ["rules", "check", str(file)])
    assert done.exit_code == 3
    assert "undoes 'd' whenever both match" in done.stderr
    either = "when = 'gold.low'", "when = 'gold.copy'"
    file.write_text(
        HEAD + rule.format("a", "A", either[0]) + rule.format("b", "B", either[1])
    )
    done = CliRunner().invoke(cli, ["rules", "check", str(file), "--table"])
    assert done.exit_code == 0
    assert "'a', 'b' may give a span different classes: that depends on" in done.stdout
    assert Rules(str(file)).rules.in_order()


def test_a_thousand_rules_are_looked_through(tmp_path: Path) -> None:
    import time

    rules = [over(f"r{k}", "AB"[k % 2], f"gold.start = {k}") for k in range(1_000)]
    begin = time.process_time()
    assert foresee(of(*rules)).conflicts == []
    assert time.process_time() - begin < 8
