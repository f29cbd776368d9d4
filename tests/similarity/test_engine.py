"""The engine says what the definitions say, on random graphs and formulas."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from graphscore.model.graph import Graph
from graphscore.similarity import Similarity, f1
from graphscore.similarity.evaluation.functions import warm
from graphscore.similarity.explanation.report import measure
from graphscore.similarity.view import Pair, View
from tests.similarity.oracle import UnclearError, evaluate
from tests.similarity.strategies import (
    formulas,
    graph_pairs,
    graphs,
    latents,
    one_sided,
)


def close(found: object) -> object:
    return pytest.approx(float(found), rel=1e-9, abs=1e-12)  # type: ignore[arg-type]


def agrees(formula: Similarity, gold: Graph, system: Graph) -> None:
    """The engine's amounts are those of the definitions."""
    try:
        expected = evaluate(formula, gold, system)
    except UnclearError:
        assume(False)
    pair = Pair(View(gold), View(system))
    found = measure(formula, pair)
    assert pair.proof.proven
    assert found.gold == close(expected.gold)
    assert found.system == close(expected.system)
    assert found.found.literal == close(expected.found.literal)
    allowed = [(float(a), float(b)) for a, b in expected.found.sides]
    both = (float(found.found.recall), float(found.found.precision))
    assert any(both == pytest.approx(x, rel=1e-9, abs=1e-12) for x in allowed)
    if expected.value is not None:
        assert found.value == close(expected.value)
    # A second time, with everything kept, and with what one graph says alone.
    again = measure(formula, pair)
    assert again == found
    views = View(gold), View(system)
    for view in views:
        warm(formula, view, (0,))
    assert measure(formula, Pair(*views)) == found


@given(formulas(), graph_pairs())
def test_formulas(formula: Similarity, pair: tuple[Graph, Graph]) -> None:
    agrees(formula, *pair)


@given(one_sided(), graph_pairs())
def test_one_sided_sums(formula: Similarity, pair: tuple[Graph, Graph]) -> None:
    agrees(formula, *pair)


@given(formulas(), graphs())
def test_formulas_of_a_graph_with_itself(formula: Similarity, graph: Graph) -> None:
    agrees(formula, graph, graph)


@given(latents(), graph_pairs(), st.booleans())
def test_latent_variables(
    formula: Similarity, pair: tuple[Graph, Graph], ratio: bool
) -> None:
    agrees(f1(formula) if ratio else formula, *pair)


@given(latents(), graphs())
def test_a_graph_is_itself_whatever_its_variables(
    formula: Similarity, graph: Graph
) -> None:
    found = measure(formula, Pair(View(graph), View(graph)))
    assert found.gold == found.system == close(found.found.literal)
