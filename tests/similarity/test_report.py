"""What a formula's answer consists of: amounts, alignments, rows of every level."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from graphscore import similarity as s
from graphscore.correspondence import Budget
from graphscore.metrics.formula import Suite, suite
from graphscore.metrics.made_scores import average_of
from graphscore.model.graph import Edge, Graph, Node
from graphscore.model.outcome import Outcome
from graphscore.similarity import (
    Similarity,
    along,
    anchors,
    at,
    edge_label,
    edges_out,
    exact,
    f1,
    label,
    latent,
    levels,
    match,
    nodes,
    precision,
    recall,
    target,
    targets,
    tops,
    variable,
    via,
)
from graphscore.similarity.evaluation.functions import align
from graphscore.similarity.explanation.report import Measured, measure
from graphscore.similarity.explanation.rows import Rows
from graphscore.similarity.operators.matching import Constraint
from graphscore.similarity.view import Pair, View
from tests.similarity.oracle import Harmonic, Normalized, evaluate
from tests.similarity.pieces import entities, events, letters
from tests.similarity.strategies import (
    edge_features,
    formulas,
    graph_pairs,
    latents,
    node_features,
    one_sided,
)

MENTION = exact(anchors)
CEAF = f1(match(nodes("entity"), f1(match(targets("mention"), MENTION))))
ARGUMENT = exact(edge_label, via(target, anchors))
ARGUMENTS = f1(
    match(nodes("event"), exact(anchors, label) * match(edges_out(), ARGUMENT))
)


def measured(formula: Similarity, gold: Graph, system: Graph) -> Measured:
    return measure(formula, Pair(View(gold), View(system)))


def outcome(metric: Suite, gold: Graph, system: Graph) -> Outcome:
    sides = (metric.prepare(gold),), (metric.prepare(system),)
    return metric.compare(*sides, budget=Budget())


# One pair.


def test_score() -> None:
    report = ARGUMENTS.score(
        events(("attack", 5, {"victim": 1, "place": 2})),
        events(("attack", 5, {"victim": 1}), ("meet", 7, {"who": 1, "whom": 2})),
    )
    assert (report.gold, report.system) == (2, 3)
    assert (report.matched, report.matched_system) == (1, 1)
    assert (report.precision, report.recall, report.value) == (1 / 3, 1 / 2, 2 / 5)
    assert report.f1 == report.value
    assert report.proven


def test_paths() -> None:
    report = CEAF.score(entities("ab", "c"), entities("c", "a"))
    found = list(report.paths())
    assert [(one, two) for one, two, _ in found] == [
        ("/entities[0]", "/entities[1]"),
        ("/entities[0]/mentions[0]", "/entities[1]/mentions[0]"),
        ("/entities[0]/mentions[1]", ""),
        ("/entities[1]", "/entities[0]"),
        ("/entities[1]/mentions[0]", "/entities[0]/mentions[0]"),
    ]
    assert [credit for _, _, credit in found] == [2 / 3, 1, 0, 1, 1]


def test_latent_alignment_starts_with_the_variables() -> None:
    formula = latent(
        nodes(),
        match(nodes(), variable() * exact(label)),
    )
    report = formula.score(letters("ab"), letters("bc"))
    [pair_, fact, missing, spurious] = report.alignment
    assert (pair_.gold, pair_.system, pair_.credit) == (1, 0, 0)
    assert (fact.gold, fact.system, fact.credit) == (1, 0, 1)
    assert (missing.gold, missing.system) == (0, None)
    assert (spurious.gold, spurious.system) == (None, 1)
    assert "= b" in formula.explain(letters("ab"), letters("bc"))


def test_parts_of_a_choice_and_at_a_step_are_aligned() -> None:
    inner = match(edges_out(), exact(edge_label))
    formula = f1(at(s.top, s.choice(s.kind, {"relation": inner})))
    gold = entities("a", "b", roles=("r1", "r2"))
    system = entities("a", "b", roles=("r1", "r3"))
    credits = [credit for _, _, credit in formula.score(gold, system).paths()]
    assert credits == [1, 0, 0]


# Rows.


def test_rows_have_parents_and_levels() -> None:
    metric = suite("ceaf", CEAF)
    found = outcome(metric, entities("ab", "c"), entities("c", "a", "d"))
    rows = [(m.gold, m.system, m.credit, m.parent, m.level) for m in found.matches]
    # Mentions come before the entities in these graphs: a, b, entity, c, entity.
    assert rows[0] == (2, 3, pytest.approx(2 / 3), None, 0)
    assert rows[1] == (0, 2, 1, 0, 1)
    assert rows[2] == (4, 1, 1, None, 0)
    assert rows[3] == (3, 0, 1, 2, 1)
    sides = [
        (error.error_type, error.gold, error.system, error.parent)
        for error in found.errors
    ]
    assert ("partial", 2, 3, None) in sides
    assert ("missing", 1, None, 0) in sides
    assert ("spurious", None, 5, None) in sides
    partial = next(error for error in found.errors if error.error_type == "partial")
    assert partial.credit == pytest.approx(2 / 3)
    assert found.score == pytest.approx(5 / 3)


def test_what_is_somewhere_but_something_else_has_a_counterpart() -> None:
    metric = suite("triggers", f1(match(nodes("event"), exact(anchors, label))))
    gold, system = events(("attack", 5, {})), events(("meet", 5, {}), ("die", 7, {}))
    errors = outcome(metric, gold, system).errors
    assert [(e.error_type, e.gold, e.system, e.reason) for e in errors] == [
        ("missing", 0, 0, "differs"),
        ("spurious", 0, 0, "differs"),
        ("spurious", None, 1, "no counterpart"),
    ]


@given(st.one_of(formulas(), one_sided(), latents()), graph_pairs())
def test_rows_are_a_forest(formula: Similarity, pair: tuple[Graph, Graph]) -> None:
    """Whatever the formula: parents first, levels one deeper, ordinals that exist."""
    found = outcome(suite("any", formula), *pair)
    sizes = [max(len(g.nodes), len(g.edges), 6) for g in pair]
    for place, row in enumerate(found.matches):
        assert row.credit >= 0
        if row.parent is None:
            assert row.level == 0
        else:
            assert row.parent < place
            assert row.level == found.matches[row.parent].level + 1
        assert (row.gold, row.system) != (None, None)
        assert row.gold is None or 0 <= row.gold < sizes[0]
        assert row.system is None or 0 <= row.system < sizes[1]
    for error in found.errors:
        assert error.parent is None or error.parent < len(found.matches)
        if error.error_type == "missing":
            assert error.gold is not None
        if error.error_type == "spurious":
            assert error.system is not None
    assert (found.score, found.proven) == (
        measured(formula, *pair).found.literal,
        True,
    )


@st.composite
def counts(draw: st.DrawFn) -> Similarity:
    """Formulas that count what is equal, and do nothing else."""
    terms = []
    for _ in range(draw(st.integers(1, 2))):
        duplicates = draw(st.sampled_from(("multiset", "set")))
        if draw(st.booleans()):
            alike = draw(st.lists(node_features, min_size=1, max_size=2))
            terms.append(match(nodes(), exact(*alike), duplicates=duplicates))
        else:
            alike = draw(st.lists(edge_features, min_size=1, max_size=2))
            terms.append(match(s.edges(), exact(*alike), duplicates=duplicates))
    return s.total(*terms)


@given(counts(), graph_pairs())
def test_what_is_only_counted_has_the_same_rows(
    formula: Similarity, pair: tuple[Graph, Graph]
) -> None:
    """Rows found by counting are those of the alignment, whoever of equals matches."""
    assert formula.countable
    metric = suite("any", f1(formula))
    found = outcome(metric, *pair)
    views = Pair(View(pair[0]), View(pair[1]))
    rows = Rows(views, "all")
    rows.add(align(formula, views, 0, 0))
    assert len(found.matches) == len(rows.matches)
    assert {row[3:] for row in found.matches} <= {(1, None, 0)}
    expected = evaluate(f1(formula), *pair)
    counted = metric.scores(found.raw_counts).counts["all"]
    assert counted[:3] == (expected.gold, expected.system, expected.found.literal)
    assert counted.matched == len(found.matches)
    for side in ("missing", "spurious"):
        assert Counter(
            (e.object, e.label) for e in found.errors if e.error_type == side
        ) == (Counter((e.object, e.label) for e in rows.errors if e.error_type == side))
    missing = [error for error in found.errors if error.error_type == "missing"]
    assert len(missing) + counted.matched == counted.gold
    sides = (metric.prepare(pair[0]),), (metric.prepare(pair[1]),)
    plain = metric.compare(*sides, budget=Budget(), details=False)
    assert (plain.raw_counts, plain.matches) == (found.raw_counts, ())


@given(one_sided(), graph_pairs())
def test_credits_of_the_outermost_rows_are_the_sum(
    formula: Similarity, pair: tuple[Graph, Graph]
) -> None:
    report = formula.score(*pair)
    credits = sum(each.credit for each in report.alignment)
    assert credits == pytest.approx(report.measured.found.literal)
    amount = formula.operand if isinstance(formula, Normalized) else formula
    assert isinstance(amount, match)
    for side, graph in enumerate(pair):
        members = [x.system if side else x.gold for x in report.alignment]
        everything = set(range(len(graph.nodes)))
        assert {each for each in members if each is not None} == everything


def test_a_suite_is_one_metric_with_scores_of_its_own() -> None:
    metric = suite(
        "events",
        {
            "arguments": ARGUMENTS,
            "triggers": f1(match(nodes("event"), exact(anchors, label))),
            "places": s.jaccard(match(nodes("event"), MENTION)),
        },
        scores={"mean": average_of("arguments.f1", "triggers.f1")},
    )
    gold = events(("attack", 5, {"victim": 1, "place": 2}))
    system = events(("attack", 5, {"victim": 1}), ("meet", 7, {}))
    found = outcome(metric, gold, system)
    counts, numbers = metric.scores(found.raw_counts)
    assert counts["all"] == counts["arguments"]
    assert counts["triggers"][:3] == (1, 2, 1)
    assert numbers["mean"] == pytest.approx((2 / 3 + 2 / 3) / 2)
    assert numbers["places.jaccard"] == 1 / 2
    # Only what counts in "all" has rows; errors of the others have no parent.
    assert all(
        error.parent is None
        for error in found.errors
        if error.tuple_type != "arguments"
    )


def test_both_numerators_are_raw_counts_where_they_can_differ() -> None:
    amount = match(nodes(), exact(label), "n:1")
    one, two = letters("a"), letters("aa")
    bounded = outcome(suite("r", recall(amount)), one, two).raw_counts
    assert (bounded["all", "", "matched"], bounded["all", "", "matched_system"]) == (
        1,
        2,
    )
    literal = outcome(
        suite("r", recall(amount, counting="formula")), one, two
    ).raw_counts
    assert literal["all", "", "matched"] == 2
    assert ("all", "", "matched_system") not in literal


@given(st.one_of(formulas(), one_sided()), graph_pairs())
def test_raw_counts_give_back_the_value(
    formula: Similarity, pair: tuple[Graph, Graph]
) -> None:
    """What is stored is enough: the score of the raw counts is the formula's
    number."""
    assume(isinstance(formula, Normalized))
    metric = suite("any", formula)
    counts, numbers = metric.scores(outcome(metric, *pair).raw_counts)
    value = measured(formula, *pair).value
    if formula.norm == "J":
        found = numbers["jaccard"]
    elif formula.norm == "F" and formula.beta != 1:
        found = numbers[f"f{formula.beta:g}"]
    else:
        count = counts["all"]
        found = {"P": count.precision, "R": count.recall, "F": count.f1}[formula.norm]
    assert found == pytest.approx(value)


# What must not matter, and what must.


def inner(formula: Similarity) -> list[Similarity]:
    return [formula, *(each for part in formula.parts() for each in inner(part))]


def ordered(formula: Similarity) -> bool:
    """Whether an order has a say."""
    return any(isinstance(each, match) and each.order for each in inner(formula))


@given(st.one_of(formulas(), one_sided(), latents()), graph_pairs(), st.data())
def test_the_order_of_nodes_does_not_matter(
    formula: Similarity, pair: tuple[Graph, Graph], data: st.DataObject
) -> None:
    assume(not ordered(formula))
    one = measured(formula, *pair)
    moved = [
        msgspec.structs.replace(
            graph, nodes=tuple(data.draw(st.permutations(graph.nodes)))
        )
        for graph in pair
    ]
    two = measured(formula, *moved)
    assert (two.gold, two.system) == (one.gold, one.system)
    assert two.found.literal == pytest.approx(one.found.literal)
    if not any(isinstance(each, type(LATENT)) for each in inner(formula)):
        assert two.found == pytest.approx(one.found)
        assert two.value == pytest.approx(one.value)


LATENT = latent(nodes(), match(nodes(), variable()))
DESCENDANT = s.descendant
MIRRORED = {"1:1": "1:1", "n:1": "1:n", "1:n": "n:1", "n:n": "n:n"}


def mirrored(formula: Similarity) -> Similarity:
    """The formula that says of (system, gold) what another says of (gold, system)."""
    if isinstance(formula, match):
        return replace(
            formula,
            similarity=mirrored(formula.similarity),
            constraint=MIRRORED[formula.constraint],  # type: ignore[arg-type]
        )
    if isinstance(formula, Normalized):
        norm = {"P": "R", "R": "P"}.get(formula.norm, formula.norm)
        found = mirrored(formula.operand)
        return replace(formula, operand=found, norm=norm, beta=1 / formula.beta)
    if isinstance(formula, Harmonic):
        ratios = mirrored(formula.recall), mirrored(formula.precision)
        return s.harmonic(*ratios)  # type: ignore[arg-type]
    if isinstance(formula, DESCENDANT):
        return replace(formula, below=formula.above, above=formula.below)
    if isinstance(formula, type(exact(label) >= 0.5)):
        inside = mirrored(formula.similarity)
        return inside > formula.limit if formula.strict else inside >= formula.limit
    changed: dict[str, object] = {}
    if hasattr(formula, "cases"):
        changed["cases"] = tuple((key, mirrored(each)) for key, each in formula.cases)
        if formula.otherwise is not None:
            changed["otherwise"] = mirrored(formula.otherwise)
    for name in ("factors", "terms"):
        if hasattr(formula, name):
            changed[name] = tuple(map(mirrored, getattr(formula, name)))
    for name in ("similarity", "operand"):
        if hasattr(formula, name):
            changed[name] = mirrored(getattr(formula, name))
    return replace(formula, **changed) if changed else formula  # type: ignore[type-var]


@given(st.one_of(formulas(), one_sided(), latents()), graph_pairs())
def test_swapping_sides_mirrors_the_constraint(
    formula: Similarity, pair: tuple[Graph, Graph]
) -> None:
    assume(not ordered(formula))
    gold, system = pair
    one, two = (
        measured(formula, gold, system),
        measured(mirrored(formula), system, gold),
    )
    assert (two.gold, two.system) == (one.system, one.gold)
    assert two.found.literal == pytest.approx(one.found.literal)
    if not any(isinstance(each, type(LATENT)) for each in inner(formula)):
        assert two.found.recall == pytest.approx(one.found.precision)
        assert two.found.precision == pytest.approx(one.found.recall)
        assert two.value == pytest.approx(one.value)


def test_mirrors_of_the_named_ratios() -> None:
    amount = match(nodes(), levels(label), "n:1")
    assert mirrored(precision(amount)) == recall(match(nodes(), levels(label), "1:n"))


SCRIPT = """
from graphscore import similarity as s
from tests.similarity.pieces import entities
from tests.similarity.test_report import CEAF, outcome, suite
mentions = s.without(s.targets("mention"), s.label, "x", "y", "zz")
subset = s.contained(mentions, s.exact(s.anchors))
formula = s.f1(s.match(s.nodes("entity"), subset, "n:1"))
words = s.words(s.label, frozenset({"the", "a", "an", "of"}))
gold, system = entities("abc", "de", "fg"), entities("ab", "c", "defg", "gh")
strings = s.match(s.nodes(), s.f1(s.match(words, s.exact(s.itself))))
for each in (CEAF, formula, strings):
    print(repr(each), each, each.explain(gold, system))
    print(outcome(suite("x", each), gold, system))
"""


def test_the_same_on_every_run() -> None:
    root = Path(__file__).parent.parent.parent
    found = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env=os.environ | {"PYTHONHASHSEED": seed},
            cwd=root,
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("0", "1", "77")
    }
    assert len(found) == 1
    assert "φ⊆" in found.pop()


def test_along_a_cycle_of_steps() -> None:
    """Who has no boss is not like whose boss has none."""

    def staff(*bosses: tuple[int, int]) -> Graph:
        people = tuple(Node(k, "x") for k in range(2))
        return Graph(
            "1", "x", nodes=people, edges=tuple(Edge(a, b, "boss") for a, b in bosses)
        )

    twice = at(along("boss"), exact(via(along("boss"), label)))
    one = match(nodes(), twice)
    assert measured(one, staff(), staff()).found.literal == 2
    assert measured(one, staff((0, 1)), staff((0, 1))).found.literal == 2
    assert measured(one, staff((0, 1)), staff()).found.literal == 1
    assert measured(one, staff((0, 0)), staff((0, 0))).found.literal == 2


def test_null_is_a_value_like_others() -> None:
    """It is an element, compared, aligned and shown; it is not the number 0."""

    def holder(*found: object) -> Graph:
        return Graph(
            "1", "x", nodes=(Node(0, "x", tuple(("v", each) for each in found)),)
        )  # type: ignore[misc]

    for alike in (exact(s.itself), s.custom(same, s.itself)):
        for order in (None, s.in_sequence):
            formula = match(nodes(), match(s.values("v"), alike, order=order))
            gold, system = holder(None, True, 0), holder(None, 1, False)
            found = measured(formula, gold, system)
            assert (found.gold, found.system, found.found.literal) == (3, 3, 1)
            [row] = formula.score(gold, system).alignment
            assert len(row.children) == 1 + 2 + 2
            text = formula.explain(gold, system)
            assert "- True" in text
            assert "+ False" in text


def same(predicted: object, gold: object) -> float:
    return float(type(predicted) is type(gold) and predicted == gold)


def test_of_members_that_look_alike_the_first_is_aligned() -> None:
    twins = Graph("1", "x", nodes=(Node(0, "a.b"), Node(1, "a.b"), Node(2, "a.c")))
    single = Graph("1", "x", nodes=(Node(0, "a.b"),))
    for counted in (levels(label), exact(label)):
        formula = f1(match(nodes(), counted, duplicates="set"))
        rows = formula.score(twins, single).alignment
        assert [(row.gold, row.system) for row in rows] == [(0, 0), (2, None)]


@pytest.mark.parametrize(("constraint", "rows"), [("1:1", 2), ("n:n", 4)])
def test_a_member_that_is_there_twice_counts_twice(
    constraint: Constraint, rows: int
) -> None:
    double = (Edge(0, 1, "a"), Edge(0, 1, "b"))
    words = Node(0, "x"), Node(1, "a.b")
    graph = Graph("1", "x", nodes=words, edges=double, tops=(0,))
    amount = match(targets(), levels(label), constraint)
    report = f1(match(tops(), f1(amount))).score(graph, graph)
    assert (report.gold, report.matched, report.f1) == (1, 1, 1)
    [row] = report.alignment
    assert len(row.children) == rows
