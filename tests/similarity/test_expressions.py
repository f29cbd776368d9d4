"""Formulas as values: written down, read back, printed, refused in place."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import graphscore.similarity as similarity
from graphscore.model.graph import Edge, Graph, Node
from graphscore.similarity import (
    FormulaError,
    Similarity,
    anchors,
    at,
    computed,
    contained,
    custom,
    edge_label,
    edges,
    edges_out,
    exact,
    f1,
    f_beta,
    in_sequence,
    itself,
    jaccard,
    kind,
    label,
    latent,
    match,
    nodes,
    precision,
    recall,
    span_jaccard,
    string_overlap,
    surface_text,
    target,
    targets,
    top,
    variable,
    words,
)
from tests.similarity.strategies import formulas

NAMES = {name: getattr(similarity, name) for name in similarity.__all__}

CEAF = f1(match(nodes("entity"), f1(match(targets("mention"), exact(anchors)))))
ARGUMENT = exact(edge_label) * at(target, exact(anchors))
ARGUMENTS = f1(
    match(nodes("trigger"), exact(anchors, label) * match(edges_out(), ARGUMENT))
)


def near(predicted: object, gold: object) -> float:
    return 1.0 if predicted == gold else 0.25


@given(formulas())
def test_repr_is_the_python_that_makes_it(formula: Similarity) -> None:
    names = NAMES | {
        function.__name__: function for function in vars(_functions()).values()
    }
    made = eval(repr(formula), names)
    assert made == formula
    assert repr(made) == repr(formula)
    assert hash(made) == hash(formula)
    assert made.token == formula.token
    assert pickle.loads(pickle.dumps(formula)) == formula
    assert str(formula)
    assert formula.latex()


def _functions() -> Any:
    """The functions of one's own that random formulas call."""
    import types

    import tests.similarity.strategies as strategies

    found = types.SimpleNamespace()
    for name, value in vars(strategies).items():
        if isinstance(value, types.FunctionType):
            setattr(found, name, value)
    return found


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        (CEAF, "F↔entities[F↔mentions[δ]]"),
        (
            ARGUMENTS,
            "F↔triggers[δ_anchors × δ_label × Σ↔edges_out[δ_edge_label × δ_target]]",
        ),
        (recall(match(nodes("a"), exact(label), "n:1")), "R→as[δ_label]"),
        (precision(match(nodes(), exact(label), "1:n")), "P←nodes[δ_label]"),
        (jaccard(match(nodes(), exact(label), "n:n")), "J~nodes[δ_label]"),
        (f_beta(2, match(nodes(), exact(label))), "F_2↔nodes[δ_label]"),
        (contained(targets("mention"), exact(anchors)), "φ⊆mentions[δ]"),
        (span_jaccard() > 0.5, "⟦J↔offsets[δ] > 0.5⟧"),
        (f1(match(words(surface_text), exact(itself))), "F↔words[δ]"),
        (match(nodes(), exact(label), order=in_sequence), "Σ↔nodes≤[δ_label]"),
        (
            f1(latent(nodes(), match(edges(), variable(target) * exact(edge_label)))),
            "F[max_M Σ↔edges[φ̃_target × δ_edge_label]]",
        ),
        (
            match(nodes(), exact(label)) + match(edges(), exact(edge_label)),
            "Σ↔nodes[δ_label] + Σ↔edges[δ_edge_label]",
        ),
    ],
)
def test_formulas_print_as_the_paper_writes_them(
    formula: Similarity, text: str
) -> None:
    assert str(formula) == text


def test_latex() -> None:
    assert CEAF.latex() == (
        r"F^{\leftrightarrow}_{\text{entities}}\left[F^{\leftrightarrow}_{\text{mentions}}"
        r"\left[\delta\right]\right]"
    )
    for formula in (ARGUMENTS, span_jaccard() > 0.5, string_overlap()):
        assert formula.latex().count("{") == formula.latex().count("}")


def test_equal_formulas_are_equal_values() -> None:
    again = f1(match(nodes("entity"), f1(match(targets("mention"), exact(anchors)))))
    assert again == CEAF
    assert hash(again) == hash(CEAF)
    assert again != f1(match(nodes("entity"), exact(label)))
    assert {CEAF: 1}[again] == 1
    with pytest.raises(AttributeError):
        CEAF.norm = "P"  # type: ignore[misc]


def wrong(predicted: object, gold: object) -> float:
    return 1.5


def failing(predicted: object, gold: object) -> float:
    raise KeyError(predicted)


def lower(predicted: object, gold: object) -> float:
    return -1.0 if predicted != gold else 1.0


@pytest.mark.parametrize(
    ("own", "said"),
    [
        (custom(wrong, label), r"wrong\('b', 'a'\) is 1\.5, expected a similarity"),
        (custom(failing, label), r"failing\('b', 'a'\) failed: .*\.py:\d+: KeyError"),
        (
            custom(lower, label, normalized=False),
            r"lower\('b', 'a'\) is -1\.0, expected an amount",
        ),
        (
            custom(failing, label, normalized=False),
            r"failing\('a', 'a'\) failed: .*\.py:\d+: KeyError",
        ),
    ],
)
def test_errors_of_a_function_name_the_item_and_both_values(
    own: Similarity, said: str
) -> None:
    gold, system = (Graph("7", "x", nodes=(Node(0, name),), tops=(0,)) for name in "ab")
    for formula in (f1(match(nodes(), own)), at(top, own * exact(kind))):
        with pytest.raises(FormulaError, match=rf"^item 7 \(x\): {said}"):
            formula.score(gold, system)


def shout(value: Any) -> Any:
    return value.upper()


def letters(value: Any) -> Any:
    return [*value]


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (shout, r"shout\(3\) failed: .*\.py:\d+: AttributeError: 'int' object has no"),
        (letters, r"letters\('a'\) is \['a'\], expected a value that is hashable"),
    ],
)
def test_errors_of_a_computed_feature_name_the_item_and_the_value(
    function: Any, said: str
) -> None:
    gold, system = (
        Graph("7", "x", nodes=(Node(0, name), Node(1, 3))) for name in ("a", "b")
    )
    formula = f1(match(nodes(), exact(computed(function, label))))
    with pytest.raises(FormulaError, match=rf"^item 7 \(x\): {said}") as caught:
        formula.score(gold, system)
    assert caught.value.exit_code == 2
    assert str(computed(function, label)) in str(caught.value)


@pytest.mark.parametrize("number", [np.float32, np.float64, np.int8, np.bool_])
def test_a_function_may_give_numbers_of_numpy(number: Any) -> None:
    def given(predicted: object, gold: object) -> Any:
        return number(predicted == gold)

    graph = Graph("1", "x", nodes=(Node(0, "a"), Node(1, "b")))
    found = match(nodes(), custom(given, label)).score(graph, graph).matched
    assert (found, type(found) in (int, float)) == (2, True)


def test_a_function_gets_the_prediction_first() -> None:
    seen = []

    def noted(predicted: object, gold: object) -> float:
        seen.append((predicted, gold))
        return float(predicted == gold)

    gold, system = (
        Graph("1", "x", nodes=(Node(0, "g"),)),
        Graph("1", "x", nodes=(Node(0, "s"),)),
    )
    match(nodes(), custom(noted, label)).score(gold, system)
    assert ("s", "g") in seen
    assert ("g", "s") not in seen


# What a report says.


def chains(*entities: list[str]) -> Graph:
    found: list[Node] = []
    arcs: list[Edge] = []
    for mentions in entities:
        entity = len(found)
        found.append(Node(entity, None, (("kind", "entity"),)))
        for text in mentions:
            arcs.append(Edge(entity, len(found), "mention"))
            found.append(Node(len(found), None, (("kind", "mention"), ("text", text))))
    return Graph("1", "coref", nodes=tuple(found), edges=tuple(arcs))


def test_explain_shows_every_level() -> None:
    gold, system = chains(["Ada", "she"], ["Bob"]), chains(["Ada"], ["Bob", "she"])
    assert CEAF.explain(gold, system).splitlines() == [
        "F↔entities[F↔mentions[δ]]",
        "  = 0.666667   precision 0.6667 (1.33333 of 2)   recall 0.6667 (1.33333 of 2)",
        "  ≈ (mention: “Ada”, mention: “she”) | (mention: “Ada”)   0.666667",
        "    = “Ada”   1",
        "    - “she”",
        "  ≈ (mention: “Bob”) | (mention: “Bob”, mention: “she”)   0.666667",
        "    = “Bob”   1",
        "    + “she”",
    ]


def test_sides_that_are_not_there() -> None:
    gold = chains(["Ada", "she"])
    report = CEAF.score(gold, None)
    assert (report.gold, report.system, report.value) == (1, 0, 0)
    assert next(path for path, _, _ in report.paths()) == "/entities[0]"
    nothing = CEAF.score(None, None)
    assert (nothing.gold, nothing.system, nothing.f1) == (0, 0, 0)


def test_nothing_inside_of_something() -> None:
    # Two entities without mentions are as alike as can be (Definition 1).
    assert CEAF.score(chains([]), chains([])).f1 == 1
    assert CEAF.score(chains([]), chains(["Ada"])).f1 == 0


@given(formulas())
def test_choices_of_order_and_names_do_not_move_totals(formula: Similarity) -> None:
    graph = chains(["Ada", "she"], ["Bob"], ["it"])
    other = chains(["she", "Ada"], ["Bob", "it"])
    renamed = Graph(
        "1",
        "coref",
        nodes=tuple(
            Node(f"n{node.id}", node.label, node.properties) for node in other.nodes
        ),
        edges=tuple(
            Edge(f"n{edge.source}", f"n{edge.target}", edge.label)
            for edge in other.edges
        ),
    )
    one, two = formula.score(graph, other), formula.score(graph, renamed)
    assert (one.gold, one.system, one.matched) == (two.gold, two.system, two.matched)
