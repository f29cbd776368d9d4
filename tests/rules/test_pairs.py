"""Rules between spans of one side or near each other, over any nodes with anchors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore import Anchor, Edge, Graph, Node, score
from graphscore.metrics.entities.rules import Rules
from graphscore.rules.rule_diff import changes
from tests.rules.facts import Said, classes, metric_of

HEAD = """phases = ["p", "q"]
[settings]
levels = ["span"]
near = 5
[classes]
A = "true"
B = "spurious"
"""


def rule(
    over: str, when: str = "", to: str = "B", name: str = "r", more: str = ""
) -> str:
    side = "gold" if over.endswith("gold") else "system"
    return (
        f"[[rule]]\nname = '{name}'\nphase = 'p'\nover = '{over}'\n"
        f'to_{side} = \'{to}\'\nwhen = """{when}"""\n{more}\n'
    )


TEXT = "New York City Hall in New York, near York."

NESTED = [
    Said("LOC", "New York City"),
    Said("LOC", "New York"),
    Said("LOC", "York", skip=2),
    Said("LOC", "New York"),
]


def test_the_longest_of_nested_spans(tmp_path: Path) -> None:
    when = "within.of_span = 1 and within.jaccard < 1"
    for side in ("gold", "system"):
        metric = metric_of(tmp_path, HEAD + rule(f"within {side}", when))
        both = classes(
            *((NESTED, []) if side == "gold" else ([], NESTED)), metric, text=TEXT
        )
        assert both[side == "system"] == ["", "B", "", "B"]


def test_duplicates(tmp_path: Path) -> None:
    when = (
        "within.jaccard = 1 and other.type = system.type and other.copy < system.copy"
    )
    metric = metric_of(tmp_path, HEAD + rule("within system", when))
    assert classes([], NESTED, metric, text=TEXT)[1] == ["", "", "", "B"]
    none = rule("system", "1", "A", "alone", "unless = { over = 'within' }")
    assert classes([], NESTED, metric_of(tmp_path, HEAD + none), text=TEXT)[1] == [
        *("", "", "A", "")
    ]
    other = rule(
        *("system", "1", "A", "first"),
        "unless = { over = 'within', when = 'within.jaccard = 1 "
        "and other.copy < system.copy' }",
    )
    found = classes([], NESTED, metric_of(tmp_path, HEAD + other), text=TEXT)[1]
    assert found == ["A", "A", "A", ""]


def test_classes_of_the_other_span(tmp_path: Path) -> None:
    more = "from_system = ['A']"
    text = HEAD + rule("system", "system.copy = 0", "A", "all").replace("'p'", "'p'")
    text += rule(
        "within system", "other.class = 'A' and within.of_span < 1", "B", "in", more
    )
    text = text.replace("near = 5", "near = 0")
    found = classes([], NESTED[:2], metric_of(tmp_path, text), text=TEXT)[1]
    # What is in the other is wholly covered; the other covers it in part.
    assert found == ["B", "A"]


@pytest.mark.parametrize(("near", "found"), [(0, ""), (3, ""), (4, "B"), (20, "B")])
def test_near_spans(tmp_path: Path, near: int, found: str) -> None:
    mine, theirs = [Said("LOC", "City Hall")], [Said("LOC", "New York", skip=1)]
    text = HEAD.replace("near = 5", f"near = {near}") + rule(
        "near", "near.distance = 4"
    )
    assert classes(mine, theirs, metric_of(tmp_path, text), text=TEXT)[1] == [found]
    far = rule("system", "1", "A", "far", "unless = { over = 'near' }")
    text = HEAD.replace("near = 5", f"near = {near}") + far
    alone = "" if found else "A"
    assert classes(mine, theirs, metric_of(tmp_path, text), text=TEXT)[1] == [alone]


def test_a_rule_alone_sees_pairs_that_it_must_not_have(tmp_path: Path) -> None:
    alone = rule("system", "1", "A", "alone", "unless = { over = 'overlap' }")
    metric = metric_of(tmp_path, HEAD + alone)
    mine, theirs = [Said("LOC", "New York")], [Said("LOC", "York"), Said("LOC", "Hall")]
    assert classes(mine, theirs, metric, text=TEXT)[1] == ["", "A"]


spans = st.lists(
    st.tuples(st.integers(0, 30), st.integers(1, 8), st.sampled_from("XY")), max_size=7
)


def graph(said: list[tuple[int, int, str]]) -> Graph:
    nodes = tuple(
        Node(k, kind, (("kind", "mention"),), (Anchor(start, start + size),))
        for k, (start, size, kind) in enumerate(said)
    )
    return Graph("1", "ner", 1, text="x" * 40, nodes=nodes)


Test = Callable[[tuple[int, int, str], tuple[int, int, str]], bool]


def apart(one: tuple[int, int, str], two: tuple[int, int, str]) -> int:
    """Characters between two spans; negative where they overlap."""
    return max(one[0], two[0]) - min(one[0] + one[1], two[0] + two[1])


@given(spans, spans)
def test_pairs_are_those_that_are_seen_one_by_one(
    tmp_path_factory: pytest.TempPathFactory,
    gold: list[tuple[int, int, str]],
    system: list[tuple[int, int, str]],
) -> None:
    folder = tmp_path_factory.mktemp("pairs")
    for over, others, when, test in (
        ("near", gold, "gold.type = system.type", lambda a, b: 0 <= apart(a, b) <= 5),
        (
            "within system",
            system,
            "other.type = system.type",
            lambda a, b: apart(a, b) <= 5,
        ),
    ):
        metric = metric_of(folder, HEAD + rule(over, when))
        numbers = score([graph(gold)], [graph(system)], metric).scores.numbers
        expected = sum(
            any(
                test(one, two) and one[2] == two[2]
                for m, two in enumerate(others)
                if over == "near" or m != k
            )
            for k, one in enumerate(system)
        )
        assert numbers.get("span.system.B", 0) == expected


def test_any_nodes_with_anchors(tmp_path: Path) -> None:
    def event(word: str, role: str) -> Graph:
        text = "Jenny founded Acme"
        start = text.index(word)
        trigger = Node(
            1, "Start", (("kind", "trigger"),), (Anchor(start, start + len(word)),)
        )
        mention = Node(0, "PER", (("kind", "mention"),), (Anchor(0, 5),))
        edges = (Edge(1, 0, role),)
        return Graph(
            "1",
            "event",
            1,
            document="d",
            text=text,
            nodes=(mention, trigger),
            edges=edges,
        )

    text = (
        'extends = "default"\n[settings]\nlevels = ["span"]\nframeworks = ["event"]\n'
    )
    for nodes, expected in (("mention", 1), ("trigger", 1), ("*", 2)):
        metric = metric_of(tmp_path, f'{text}nodes = ["{nodes}"]\n')
        found = score([event("founded", "Agent")], [event("Acme", "Agent")], metric)
        assert found.counts["span"].gold == expected
        assert found.counts["span"].matched == (nodes != "trigger")
    assert metric.frameworks == frozenset({"event"})
    assert Rules().frameworks == frozenset({"ner"})
    tree = metric_of(tmp_path, text.replace("event", "coref") + 'nodes = ["mention"]\n')
    chain = Graph(
        *("1", "coref", 1),
        document="d",
        text="Jenny founded Acme",
        nodes=(
            Node(0, None, (("kind", "mention"),), (Anchor(0, 5),)),
            Node(1, None, (("kind", "entity"),)),
        ),
        edges=(Edge(1, 0, "mention"),),
    )
    assert score([chain], [chain], tree).counts["span"][:3] == (1, 1, 1)
    units = [((event("founded", "x"),), (event("founded", "x"),))]
    assert not list(changes(metric.rules, metric.rules, units))
