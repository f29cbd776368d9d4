"""Clauses as Counter counts them, against every map there is."""

from __future__ import annotations

import io
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.evaluation.api import score
from graphscore.formats.base import ReadGraph
from graphscore.formats.registry import format_named
from graphscore.metrics.meaning.clauses import Statements
from graphscore.metrics.meaning.counter import SYMMETRIC, Counter
from graphscore.metrics.registry import parse
from graphscore.model.graph import Graph
from tests.metrics.meaning.drs import representations
from tests.metrics.meaning.pieces import outcome

GOLD = """\
b1 REF x1
b1 male "n.02" x1
b1 Name x1 "tom"
b2 REF e1
b2 smile "v.01" e1
b2 Agent e1 x1
b2 Time e1 t1
b3 REF t1
b3 time "n.08" t1
b3 EQU t1 "now"
b1 PRESUPPOSITION b2
"""


def drs(text: str) -> Graph:
    [record] = format_named("drg").read(io.BytesIO(text.encode()), "a.clf")
    assert isinstance(record, ReadGraph), record
    return record.graph


def counted(gold: str, system: str, metric: str = "counter") -> tuple[float, ...]:
    raw_counts = outcome(drs(gold), drs(system), metric).raw_counts
    return tuple(parse(metric).scores(raw_counts).counts["all"][:3])


def best(gold: Statements, system: Statements) -> int:
    """The most statements that match under any map: all of them are tried."""
    own, other = gold.variables, system.variables
    wide = [*other, *[-1] * len(own)]
    return max(
        sum(
            1
            for _ in gold.matches(system, dict(zip(own, image, strict=True)), SYMMETRIC)
        )
        for image in set(permutations(wide, len(own)))
    )


@given(representations(2), representations(2), st.sampled_from(("counted", "ignored")))
def test_no_map_matches_more_clauses(gold: Graph, system: Graph, senses: str) -> None:
    metric = parse(f"counter(senses={senses})")
    found = outcome(gold, system, str(metric))
    sides = metric.prepare(gold), metric.prepare(system)
    assert found.score == best(*sides) if sides[0].variables else found.score == 0
    assert found.proven
    assert (
        found.score
        == found.bound
        == metric.scores(found.raw_counts).counts["all"].matched
    )


def test_an_introduction_counts_only_where_its_box_says_nothing_else() -> None:
    assert counted(GOLD, GOLD) == (8, 8, 8)
    assert counted(GOLD, GOLD, "counter(refs=all)") == (11, 11, 11)
    alone = 'b1 REF x1\nb2 dog "n.01" x1\n'
    assert counted(alone, alone) == (2, 2, 2)


def test_boxes_count_with_what_they_hold() -> None:
    # One referent in a box of its own: its concept, and the role that is said there.
    moved = GOLD.replace("b3", "b2")
    assert counted(GOLD, moved) == (8, 8, 6)


@pytest.mark.parametrize(
    ("before", "after", "metric"),
    [
        ("b2 Agent e1 x1", "b2 Theme e1 x1", "counter(roles=ignored)"),
        ('smile "v.01"', 'smile "v.02"', "counter(senses=ignored)"),
        ('smile "v.01"', 'grin "v.02"', "counter(concepts=ignored)"),
    ],
)
def test_what_is_ignored_may_differ(before: str, after: str, metric: str) -> None:
    system = GOLD.replace(before, after)
    assert counted(GOLD, system) == (8, 8, 7)
    assert counted(GOLD, system, metric) == (8, 8, 8)


@pytest.mark.parametrize(
    ("gold", "system"),
    [
        ("b1 PartOf x1 e1", "b1 Part e1 x1"),
        ('b1 NEQ "now" x1', 'b1 NEQ x1 "now"'),
        ("b1 APX x1 e1", "b1 APX e1 x1"),
    ],
)
def test_two_spellings_of_one_clause_match(gold: str, system: str) -> None:
    rest = '\nb1 dog "n.01" x1\nb1 cat "n.01" e1\n'
    assert counted(gold + rest, system + rest) == (3, 3, 3)
    assert counted(gold.replace("APX", "TPR") + rest, gold + rest)[2] >= 2


@pytest.mark.parametrize("other", ["x1 x1", "x1 e1"])
def test_one_variable_said_twice_matches_once(other: str) -> None:
    rest = '\nb1 dog "n.01" x1\nb1 cat "n.01" e1\n'
    gold, system = f"b1 EQU x1 x1{rest}", f"b1 EQU {other}{rest}"
    matched = 3 if other == "x1 x1" else 2
    assert counted(gold, system + "b1 Agent e1 x1\n") == (3, 4, matched)


def test_an_ordered_operator_keeps_its_order() -> None:
    rest = '\nb1 dog "n.01" x1\nb1 cat "n.01" e1\n'
    assert counted(f"b1 TPR x1 e1{rest}", f"b1 TPR e1 x1{rest}") == (3, 3, 2)


def test_a_clause_that_is_said_twice_counts_once() -> None:
    again = GOLD + "b2 Agent e1 x1\n"
    assert counted(again, GOLD) == (8, 8, 8)


def test_errors_name_the_clause_and_what_stands_in_its_place() -> None:
    system = GOLD.replace("Agent", "Theme").replace('"tom"', '"tim"')
    found = outcome(drs(GOLD), drs(system), "counter").errors
    rows = [(e.error_type, e.tuple_type, e.value, e.reason) for e in found]
    assert sorted(rows) == [
        ("missing", "roles", "Agent", "differs"),
        ("missing", "roles", 'Name "tom"', "differs"),
        ("spurious", "roles", 'Name "tim"', "differs"),
        ("spurious", "roles", "Theme", "differs"),
    ]
    assert all(None not in (error.gold, error.system) for error in found)


def test_relations_of_discourse_and_tables_are_scores() -> None:
    result = score([drs(GOLD)], [drs(GOLD.replace("Agent", "Theme"))], "counter")
    numbers = result.scores.numbers
    assert numbers["discourse.f1"] == 1
    assert numbers["roles.Agent.gold"] == 1
    assert numbers["roles.Agent.f1"] == 0
    tables = Counter().tables(result.scores)
    assert [table.title for table in tables] == ["by operator", "by role", "by concept"]
    assert tables[1].rows["Time"] == (1, 1, 1, 1.0)


def test_a_referent_introduced_elsewhere_keeps_its_clause() -> None:
    """Its box says nothing else of it, whatever another box says (`var_occurs`)."""
    text = 'b3 REF x1\nb4 dog "n.01" x1\nb5 dog "n.01" x1'
    assert counted(text, text) == (3, 3, 3)
    moved = text.replace("b5 dog", "b3 dog")
    # Now box b3 speaks of x1: its REF goes, and the dog of b5 is that of b3.
    assert counted(text, moved) == (3, 2, 2)
