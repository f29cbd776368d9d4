"""Every mistake that a formula is refused for: what it says, where it points."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from graphscore.metrics.registry import parse as metric_of
from graphscore.model.graph import Graph, Node
from graphscore.similarity import (
    FormulaError,
    all_properties,
    along,
    anchors,
    at,
    choice,
    computed,
    contained,
    custom,
    descendant,
    edge_label,
    edges,
    edges_out,
    exact,
    excess,
    f1,
    f_beta,
    folded,
    given,
    harmonic,
    hierarchy,
    in_sequence,
    itself,
    jaccard,
    kind,
    label,
    latent,
    levels,
    listed,
    match,
    nodes,
    offsets,
    only,
    owner,
    precision,
    product,
    property_value,
    reachable,
    recall,
    row,
    source,
    supertypes,
    target,
    targets,
    total,
    value,
    values,
    variable,
    via,
    weight,
    without,
    words,
)

DELTA = exact(label)
AMOUNT = match(nodes(), DELTA)
Make = Callable[[], Any]


def first(found: str) -> str:
    return found[:1]


def pointed_at(error: FormulaError) -> tuple[str, str]:
    """What stands above the carets, and the formula; one column a sign."""
    _, formula, carets = str(error).split("\n")
    formula = formula.replace("̃", "")
    start = carets.index("^")
    assert set(carets[start:]) == {"^"}
    assert carets[:start].strip() == ""
    return formula[start : len(carets)], formula.strip()


MISTAKES: list[tuple[Make, str, str]] = [
    # Features.
    (lambda: exact(), "expected a feature", "exact()"),
    (lambda: exact("label"), "found 'label', expected a feature", "label"),
    (lambda: exact(DELTA), "expected a feature", "δ_label"),
    (lambda: exact(edge_label, label, edge_label), "label is said of a node", "label"),
    (lambda: folded("x"), "expected a feature", "x"),
    (lambda: folded(DELTA), "expected a feature", "δ_label"),
    (lambda: computed(lambda x: x, label), "a lambda cannot", "<lambda>"),
    (lambda: computed(first, "label"), "expected a feature", "label"),
    (lambda: computed(3, label), "found 3, expected a function", "<lambda>"),
    (lambda: via(target, edge_label), "where target leads", "edge_label"),
    (lambda: via(target, "label"), "expected a feature", "label"),
    (lambda: via("target", label), "expected a step", "target"),
    (lambda: via(label, label), "expected a step", "label"),
    (lambda: via(owner, value), "value is said of a property", "value"),
    # Collections.
    (lambda: words("x"), "expected a feature", "x"),
    (lambda: offsets(nodes()), "expected a feature", "nodes"),
    (lambda: supertypes(None), "found None, expected a feature", "None"),
    (lambda: supertypes(label, separator=""), "an empty separator", "supertypes"),
    (lambda: only(nodes(), edge_label, "x"), "said of an edge", "edge_label"),
    (lambda: without(edges(), label, "x"), "said of a node", "label"),
    (lambda: only("nodes", label, "x"), "expected a collection", "nodes"),
    (lambda: only(nodes(), "label", "x"), "expected a feature", "label"),
    # Single features.
    (lambda: custom(lambda x, y: 1, label), "a lambda cannot", "<lambda>"),
    (lambda: custom(first, "label"), "expected a feature", "label"),
    (lambda: levels(DELTA), "expected a feature", "δ_label"),
    (lambda: levels(label, depth=0), "found 0 levels", "φ_levels(label)"),
    (lambda: levels(label, ""), "an empty separator", "φ_levels(label)"),
    (lambda: descendant(label, TREE, below=2), "a credit of 2", "φ_<:(label)"),
    (lambda: descendant(label, TREE, above=-1), "a credit of -1", "φ_<:(label)"),
    (lambda: descendant("x", TREE), "expected a feature", "x"),
    (lambda: weight(label, {"a": -1}), "weight -1 of 'a'", "w_label"),
    (lambda: weight(label, {"a": math.inf}), "weight inf of 'a'", "w_label"),
    (lambda: weight(label, {}, otherwise=math.nan), "weight nan", "w_label"),
    (lambda: hierarchy({"a": None}), "found ('a', None)", "hierarchy"),
    (lambda: hierarchy(["ab"]), "found 'ab'", "hierarchy"),
    (lambda: hierarchy({"a": ("b", 3)}), "found ('a', 3)", "hierarchy"),
    (lambda: hierarchy({"a": "b", "b": "a"}), "'a' is above itself", "a"),
    (lambda: hierarchy({"a": "a"}), "'a' is above itself", "a"),
    (lambda: hierarchy({"x": "a", "a": ("r", "b"), "b": "a"}), "'a' is above", "a"),
    (lambda: row(values("p")), "found no feature, expected one or more", "ps"),
    (lambda: row(values("p"), label), "label is said of a node", "label"),
    # Combinations.
    (lambda: DELTA * exact(edge_label), "compares an edge", "δ_edge_label"),
    (lambda: exact(itself) * exact(anchors) * exact(itself), "as δ does", "δ"),
    (lambda: DELTA * 2, "found 2, expected a similarity", "2"),
    (lambda: product(2, DELTA), "found 2, expected a similarity", "2"),
    (lambda: product(label), "expected a similarity", "label"),
    (lambda: product(), "found nothing", "×"),
    (lambda: total(), "found nothing", "+"),
    (lambda: DELTA + label, "expected a similarity", "label"),
    (lambda: AMOUNT + match(edges_out(), exact(edge_label)), "a node", "Σ↔edges_out"),
    (lambda: at(target, exact(edge_label)), "compares an edge", "δ_edge_label"),
    (lambda: at("target", DELTA), "expected a step", "target"),
    (lambda: at(label, DELTA), "expected a step", "label"),
    (lambda: at(source, label), "expected a similarity", "label"),
    (lambda: choice(kind, {}), "found no case", "{}"),
    (lambda: choice("kind", {"a": DELTA}), "expected a feature", "kind"),
    (lambda: choice(kind, {"a": DELTA, "b": 1}), "expected a similarity", "1"),
    (
        lambda: choice(kind, {"a": DELTA}, otherwise=exact(edge_label)),
        "compares an edge",
        "δ_edge_label",
    ),
    # Limits.
    (lambda: DELTA > -1, "found -1, expected a limit", "-1"),
    (lambda: DELTA >= 0, "found 0, expected a limit", "0"),
    (lambda: AMOUNT.__gt__(math.nan), "found nan, expected a limit", "nan"),
    (lambda: DELTA > DELTA, "expected a limit", "δ_label"),
    (lambda: DELTA > "a", "found 'a', expected a limit", "a"),
    (lambda: excess(DELTA, 1), "is normalized", "δ_label"),
    (lambda: excess(AMOUNT, 0), "found 0, expected an amount", "0"),
    (lambda: AMOUNT - AMOUNT, "expected an amount", "Σ↔nodes[δ_label]"),
    # Sums.
    (lambda: match("nodes", DELTA), "expected a collection", "nodes"),
    (lambda: match(label, DELTA), "expected a collection", "label"),
    (lambda: match(nodes(), label), "expected a similarity", "label"),
    (lambda: match(edges(), exact(anchors)), "compares a node", "δ"),
    (lambda: match(nodes(), f1(AMOUNT)), "compares the graph", "F↔nodes[δ_label]"),
    (lambda: match(nodes(), DELTA, "2:1"), "found '2:1', expected one of", "Σ"),
    (lambda: match(nodes(), DELTA, duplicates="x"), "found 'x', expected one", "Σ"),
    (lambda: match(nodes(), DELTA, order="up"), "expected an order", "Σ"),
    (
        lambda: match(edges(), exact(edge_label), order=reachable()),
        "only they can be reached",
        "edges",
    ),
    (
        lambda: match(all_properties(), exact(value), order=reachable()),
        "only they can be reached",
        "properties",
    ),
    # Ratios.
    (lambda: f1(DELTA), "is normalized already", "δ_label"),
    (lambda: f1(f1(AMOUNT)), "is normalized already", "F↔nodes[δ_label]"),
    (lambda: recall(AMOUNT > 1), "is normalized already", "⟦Σ↔nodes[δ_label] > 1⟧"),
    (lambda: jaccard(nodes()), "expected a similarity", "nodes"),
    (lambda: f_beta(0, AMOUNT), "found 0, expected a beta", "0"),
    (lambda: f_beta(math.inf, AMOUNT), "found inf, expected a beta", "inf"),
    (lambda: f_beta("2", AMOUNT), "found '2', expected a beta", "2"),
    (lambda: recall(AMOUNT, counting="x"), "found 'x', expected one of", "R"),
    (
        lambda: harmonic(recall(AMOUNT), recall(AMOUNT)),
        "a precision",
        "R↔nodes[δ_label]",
    ),
    (lambda: harmonic(precision(AMOUNT), AMOUNT), "a recall", "Σ↔nodes[δ_label]"),
    (lambda: harmonic(precision(AMOUNT), label), "expected a similarity", "label"),
    (
        lambda: harmonic(precision(AMOUNT), recall(match(targets(), DELTA))),
        "compares a node",
        "R↔targets[δ_label]",
    ),
    (lambda: contained(nodes(), exact(edge_label)), "an edge", "δ_edge_label"),
    # Variables.
    (lambda: variable(label), "expected a step", "label"),
    (lambda: variable("x"), "expected a step", "x"),
    (lambda: latent("x", AMOUNT), "expected a collection", "x"),
    (lambda: latent(edges(), AMOUNT), "only they can be variables", "edges"),
    (lambda: latent(values("v"), AMOUNT), "only they can be variables", "vs"),
    (lambda: latent(targets(), AMOUNT), "are of a node", "targets"),
    (lambda: latent(nodes(), label), "expected a similarity", "label"),
    (lambda: latent(nodes(), f1(AMOUNT)), "expected a Σ", "F↔nodes[δ_label]"),
    (lambda: latent(nodes(), DELTA), "expected variables of a node", ""),
    (
        lambda: latent(nodes(), match(nodes(), DELTA, order=in_sequence)),
        "expected a Σ of something with variables",
        "",
    ),
    (
        lambda: latent(nodes(), match(nodes(), variable(), order=reachable())),
        "matched one to one",
        "Σ↔nodes≤[φ]",
    ),
    (
        lambda: latent(
            nodes(), match(nodes(), f1(match(targets(), variable(), "n:1")))
        ),
        "matched one to one",
        "F→targets[φ]",
    ),
    (
        lambda: latent(nodes(), match(nodes(), contained(targets(), variable()))),
        "matched one to one",
        "φ⊆targets[φ]",
    ),
]
TREE = hierarchy({"b": "a"})


@pytest.mark.parametrize(("make", "words_", "spot"), MISTAKES)
def test_mistakes_are_shown_in_place(make: Make, words_: str, spot: str) -> None:
    with pytest.raises(FormulaError) as caught:
        make()
    assert words_ in str(caught.value)
    found, formula = pointed_at(caught.value)
    assert spot in found
    assert found in formula


def test_the_spot_is_the_one_that_is_wrong() -> None:
    """Though the same stands elsewhere in the formula."""
    with pytest.raises(FormulaError) as caught:
        product(exact(itself), exact(anchors), exact(itself))
    assert str(caught.value).split("\n")[1:] == ["    δ × δ × δ", "        ^"]
    with pytest.raises(FormulaError) as caught:
        harmonic(recall(AMOUNT), recall(AMOUNT))
    assert str(caught.value).split("\n")[2].index("^") == len("    F[")


def test_carets_stand_under_what_is_seen() -> None:
    """The tilde of a variable takes no column of its own."""
    with pytest.raises(FormulaError) as caught:
        match(nodes(), variable() * variable(along("a")) * exact(edge_label))
    _, formula, carets = str(caught.value).split("\n")
    assert formula == "    φ̃ × φ̃_a × δ_edge_label"
    assert carets == " " * len("    φ × φ_a × ") + "^" * len("δ_edge_label")


GRAPH = Graph("1", "x", nodes=(Node(0, "a.b.c", (("n", 3),)),))


@pytest.mark.parametrize(
    ("make", "problem", "spot"),
    [
        (lambda: DELTA, "expected a formula about the whole graph", "δ_label"),
        (
            lambda: match(targets(), DELTA),
            "compares a node, expected a formula about the whole graph",
            "Σ↔targets[δ_label]",
        ),
        (
            lambda: f1(match(nodes(), DELTA * variable())),
            "a variable outside of latent",
            "φ",
        ),
    ],
)
def test_what_cannot_be_scored(make: Make, problem: str, spot: str) -> None:
    with pytest.raises(FormulaError, match=problem) as caught:
        make().score(GRAPH, GRAPH)
    found, _ = pointed_at(caught.value)
    assert found == spot


def nothing(predicted: object, gold: object) -> Any:
    return None


def negative(predicted: object, gold: object) -> float:
    return -0.5


def no_number(predicted: object, gold: object) -> float:
    return math.nan


def more(predicted: object, gold: object) -> float:
    return 1.5


def unlike_itself(predicted: object, gold: object) -> float:
    return 0.5


@pytest.mark.parametrize(
    "function", [nothing, negative, no_number, more, unlike_itself]
)
def test_functions_that_are_no_similarities(function: Any) -> None:
    with pytest.raises(
        FormulaError, match="expected a similarity: from 0 to 1"
    ) as caught:
        match(nodes(), custom(function, label)).score(GRAPH, GRAPH)
    found, _ = pointed_at(caught.value)
    assert found == f"φ_{function.__name__}(label)"


def test_types_that_are_too_deep() -> None:
    other = Graph("1", "x", nodes=(Node(0, "a.b.d"),))
    with pytest.raises(FormulaError, match=r"found 3 levels in .* expected at most 2"):
        match(nodes(), levels(label, depth=2)).score(GRAPH, other)
    assert match(nodes(), levels(property_value("n"))).score(GRAPH, GRAPH).value == 1


@pytest.mark.parametrize(
    "make", [lambda: 2 * DELTA, lambda: DELTA < 1, lambda: sum([DELTA, DELTA])]
)
def test_what_python_refuses_by_itself(make: Make) -> None:
    with pytest.raises(TypeError):
        make()


@pytest.mark.parametrize(
    ("formula", "what"),
    [
        (f1(match(nodes(), exact(given("head", "node")))), "column 'head'"),
        (f1(match(listed("words", "node"), exact(label))), "collection 'words'"),
    ],
)
def test_what_metrics_give_their_own_formulas_no_other_has(
    formula: Any, what: str
) -> None:
    problem = f"no metric gives this formula the {what}, expected what graphs say"
    with pytest.raises(FormulaError, match=problem) as caught:
        formula.score(GRAPH, GRAPH)
    assert caught.value.exit_code == 2


def test_labels_of_nodes_and_of_edges_are_told_apart():
    for formula, name in (
        ("f1(match(edges(), exact(label)))", "of an edge is edge_label"),
        ("f1(match(nodes(), exact(edge_label)))", "of a node is label"),
    ):
        with pytest.raises(FormulaError, match=f"the label {name}"):
            metric_of(formula)
