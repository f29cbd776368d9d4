"""Formulas in words: nothing lacks them, and no notation is left."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given

from graphscore.metrics.registry import metrics
from graphscore.similarity import (
    Similarity,
    again,
    at,
    choice,
    custom,
    descendant,
    edge_label,
    edges,
    exact,
    excess,
    f1,
    f_beta,
    hierarchy,
    kind,
    label,
    latent,
    levels,
    match,
    nodes,
    recursive,
    source,
    target,
    targets,
    variable,
    weight,
)
from graphscore.similarity.explanation.words import describe, in_words
from tests.similarity.strategies import formulas


def _classes(base: type[Any]) -> Iterator[type[Any]]:
    for each in base.__subclasses__():
        if each.__module__.startswith("graphscore."):
            yield each
            yield from _classes(each)


def _formulas() -> Iterator[tuple[str, Similarity]]:
    for name, metric in metrics().items():
        made = metric() if isinstance(metric, type) else metric
        for key, formula in getattr(made, "formulas", dict)().items():
            yield f"{name}.{key}", formula


def test_every_class_has_words() -> None:
    assert list(_formulas())
    found = {each for each in _classes(Similarity) if each.__struct_fields__}
    assert len(found) > 15
    unsaid = describe.dispatch(object)
    assert [each for each in found if describe.dispatch(each) is unsaid] == []


def test_words_of_metrics_have_no_notation() -> None:
    for name, formula in _formulas():
        found = in_words(formula)
        assert not set(found) & set("δΣ↔→←φ⟦⊆×μ"), (name, found)


def test_formulas_that_differ_have_words_that_differ() -> None:
    known: dict[str, str] = {}
    for name, formula in _formulas():
        assert known.setdefault(in_words(formula), str(formula)) == str(formula), name


@given(formulas())
def test_every_formula_can_be_said(formula: Similarity) -> None:
    lines = in_words(formula).split("\n")
    assert all(line.strip() for line in lines)
    depths = [(len(line) - len(line.lstrip())) // 2 for line in lines]
    assert depths[0] == 0
    # Nothing is more than a level deeper than the line that it belongs to.
    assert all(b <= a + 1 for a, b in pairwise(depths))


def _half(one: Any, two: Any) -> float:
    return 1.0 if one == two else 0.5


SAID = [
    (
        f_beta(2, match(nodes("a"), exact(label), duplicates="set")),
        "F with 2 times the weight on recall of as, matched one to one, equal "
        "ones once; a pair counts\n"
        "  1 if both have the same label, else 0",
    ),
    (
        f1(excess(match(nodes("m"), custom(_half, label), "n:1"), 1)),
        "F1 of what is more than 1 (else 0) of the sum over ms, each of the system's "
        "with its best of gold's; a pair counts\n"
        "  what _half says of both by label, from 0 to 1",
    ),
    (
        choice(kind, {"m": levels(label, "."), "e": weight(label, {"a": 2})}),
        "by kind, where it is equal\n"
        "  m: half for every level that both have not in common by label, 0 if the "
        "first differs\n"
        "  e: the lesser weight of both by label (a: 2, anything else: 0)\n"
        "  anything else: 0",
    ),
    (
        recursive("Tree", exact(label) * f1(match(targets(), again("Tree")))),
        "Tree, which is where both have the same label (else 0)\n"
        "  F1 of targets, matched one to one for the greatest sum; a pair counts\n"
        "    Tree again, of these",
    ),
    (
        f1(
            latent(
                nodes(),
                match(edges(), variable(source) * exact(edge_label) * variable(target)),
            )
        ),
        "F1 of the most that any of all one-to-one maps of nodes gives of\n"
        "  the sum over edges, matched one to one for the greatest sum; a pair counts\n"
        "    where both have the same edge label (else 0)\n"
        "      the product of\n"
        "        1 if the map takes the source of the one to that of the other, "
        "else 0\n"
        "        1 if the map takes the target of the one to that of the other, "
        "else 0",
    ),
    (
        at(target, descendant(label, hierarchy({"b": "a"})) > 0.2),
        "of the target of both\n"
        "  1 if this is more than 0.2, else 0\n"
        "    1 if both have the same label, 0.5 if the system's is below gold's, "
        "0 if it is above, else 0",
    ),
]


@pytest.mark.parametrize(("formula", "words"), SAID)
def test_what_is_said(formula: Similarity, words: str) -> None:
    assert in_words(formula) == words
