"""Pronouns by gender, as gap_scorer.py counts them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore import Count, Edge, Graph, Node, score

ANSWER = st.sampled_from([(), ("A",), ("B",), ("A", "B")])
GENDERS = st.sampled_from(["masculine", "feminine"])


def line(item: str, gender: str | None, true: Iterable[str]) -> Graph:
    """A pronoun and two names."""
    nodes = [Node(0, gender, (("kind", "mention"),))]
    for place, name in enumerate("AB", 1):
        nodes.append(Node(place, None, (("kind", "mention"), ("candidate", name))))
    edges = [Edge(0, "AB".index(name) + 1, "coreference") for name in true]
    return Graph(item, "gap", nodes=tuple(nodes), edges=tuple(edges))


def program(
    gold: list[tuple[str, Any]], system: list[Any], of: str | None
) -> tuple[int, ...]:
    """True and false positives, false and true negatives, as the program counts."""
    tp = fp = fn = tn = 0
    for (gender, mine), theirs in zip(gold, system, strict=True):
        if of in (None, gender):
            for name in "AB":
                if theirs is None:
                    fn += 1
                elif name in mine and name in theirs:
                    tp += 1
                elif name in theirs:
                    fp += 1
                elif name in mine:
                    fn += 1
                else:
                    tn += 1
    return tp, fp, fn, tn


@given(st.lists(st.tuples(GENDERS, ANSWER, ANSWER | st.none()), min_size=1))
def test_counts_are_those_of_the_program(lines: list[Any]) -> None:
    gold = [(gender, mine) for gender, mine, _ in lines]
    system = [theirs for *_, theirs in lines]
    if all(each is None for each in system):
        return
    found = score(
        [line(str(k), *each) for k, each in enumerate(gold)],
        [line(str(k), None, e) for k, e in enumerate(system) if e is not None],
        "gap",
    )
    f1 = {}
    for kind, of in (("masculine",) * 2, ("feminine",) * 2, ("all", None)):
        tp, fp, fn, _ = program(gold, system, of)
        assert found.counts[kind] == Count(tp + fn, tp + fp, tp)
        f1[kind] = found.counts[kind].f1
    tp, fp, fn, tn = program(gold, system, None)
    numbers = found.figures.numbers
    assert numbers["accuracy"] == pytest.approx((tp + tn) / (tp + fp + fn + tn))
    if f1["masculine"] and f1["feminine"]:
        assert numbers["bias"] == pytest.approx(f1["feminine"] / f1["masculine"])
    else:
        assert "bias" not in numbers


def test_it_is_the_default_of_its_framework() -> None:
    gold = [line("1", "feminine", "A")]
    assert str(score(gold, gold).metric) == "gap"
    assert score(gold, gold).f1 == 1
    assert math.isnan(score(gold, gold).figures.numbers.get("bias", math.nan))


def test_errors_are_links() -> None:
    gold, system = line("1", "feminine", "A"), line("1", None, "B")
    result = score([gold], [system], "gap")
    assert result.counts["feminine"] == Count(1, 1, 0)
    assert result.counts["masculine"] == Count(0, 0, 0)
    assert result.figures.numbers["accuracy"] == 0
