"""Every numbered equation of Chen et al. (2023), with a case worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.correspondence import Budget
from graphscore.metrics.formula import suite
from graphscore.metrics.made_scores import product_of
from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.model.outcome import RawCounts, add_raw_counts
from graphscore.similarity import (
    Similarity,
    all_properties,
    along,
    anchors,
    at,
    choice,
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
    harmonic,
    hierarchy,
    in_sequence,
    informed,
    itself,
    jaccard,
    kind,
    label,
    latent,
    levels,
    match,
    name,
    nodes,
    precision,
    property_value,
    reachable,
    recall,
    source,
    span_jaccard,
    string_overlap,
    supertypes,
    surface_text,
    target,
    targets,
    top,
    value,
    variable,
    via,
    weight,
    words,
)
from graphscore.similarity import head_word as head
from graphscore.similarity.explanation.report import Report
from graphscore.similarity.operators.matching import Constraint
from tests.similarity.pieces import Build, entities, events, letters, templates
from tests.similarity.programs import latent_sum, ordered_sum

DELTA = exact(label)
MENTION = exact(anchors)
EMPTY = Graph("1", "x")


def about(formula: Similarity) -> Similarity:
    """A similarity of single nodes, asked about graphs of one node each."""
    return match(nodes(), formula)


def number(formula: Similarity, gold: Graph, system: Graph) -> float:
    return formula.score(gold, system).value


def node(label: Any = None, *properties: tuple[str, Any], **more: Any) -> Graph:
    return Graph("1", "x", nodes=(Node(0, label, properties, **more),), tops=(0,))


def prf(report: Report) -> tuple[float, float, float]:
    return report.precision, report.recall, report.f1


# Section 2: records and sets.


def test_1_equality() -> None:
    assert number(about(DELTA), node("a"), node("a")) == 1
    assert number(about(DELTA), node("a"), node("b")) == 0
    assert number(about(DELTA), node(1), node(True)) == 0
    assert number(about(DELTA), node(1), node(1.0)) == 1
    assert number(about(DELTA), node(None), node(None)) == 1


def test_2_products() -> None:
    half = levels(label)
    third = custom(a_third, property_value("p"))
    gold, system = node("a.b", ("p", 1)), node("a.c", ("p", 2))
    assert number(about(half), gold, system) == 0.5
    assert number(about(half * third), gold, system) == pytest.approx(1 / 6)
    assert number(about(half * third * DELTA), gold, system) == 0
    assert number(about(half * third), gold, gold) == 1


def a_third(one: object, two: object) -> float:
    return 1 if one == two else 1 / 3


def test_3_overlap() -> None:
    assert number(match(nodes(), DELTA), letters("abcd"), letters("cdx")) == 2
    assert number(match(nodes(), DELTA), EMPTY, EMPTY) == 0


def test_4_to_7_ratios() -> None:
    amount = match(nodes(), DELTA)
    gold, system = letters("abcd"), letters("cdx")
    assert number(precision(amount), gold, system) == 2 / 3
    assert number(recall(amount), gold, system) == 2 / 4
    assert number(f1(amount), gold, system) == 4 / 7
    assert number(jaccard(amount), gold, system) == 2 / 5
    p, r = 2 / 3, 2 / 4
    weighted = 5 * p * r / (4 * p + r)
    assert number(f_beta(2, amount), gold, system) == pytest.approx(weighted)
    report = f1(amount).score(gold, system)
    assert (report.gold, report.system, report.matched) == (4, 3, 2)


def test_ratios_of_nothing() -> None:
    """The outermost 0/0 is 0; as a similarity two empty things are alike."""
    for ratio in (precision, recall, f1, jaccard):
        assert number(ratio(match(nodes(), DELTA)), EMPTY, EMPTY) == 0
        inside = match(nodes("entity"), ratio(match(targets("mention"), MENTION)))
        assert number(inside, entities(""), entities("")) == 1
        assert number(inside, entities(""), entities("a")) == 0
        assert number(inside, entities("a"), entities("")) == 0


def relation(*found: tuple[str, int, int]) -> Graph:
    build = Build()
    for type_, one, two in found:
        place = build.node("relation", type_)
        build.edge(place, build.node("mention", at=one), "subj")
        build.edge(place, build.node("mention", at=two), "obj")
    return build.graph()


def test_8_to_10_binary_relations() -> None:
    rel = f1(
        match(
            nodes("relation"),
            DELTA * at(along("subj"), MENTION) * at(along("obj"), MENTION),
        )
    )
    gold = relation(("capital", 1, 2), ("capital", 3, 4), ("mayor", 1, 2))
    system = relation(("capital", 1, 2), ("capital", 4, 3))
    assert prf(rel.score(gold, system)) == (1 / 2, 1 / 3, 2 / 5)


def test_11_and_12_attachment() -> None:
    def tree(*found: tuple[int, str]) -> Graph:
        words = tuple(Node(k, anchors=(Anchor(k, k + 1),)) for k in range(4))
        arcs = (Edge(gov, dep, rel) for dep, (gov, rel) in enumerate(found, 1))
        return Graph("1", "ud", nodes=words, edges=tuple(arcs))

    ends = exact(via(source, anchors), via(target, anchors))
    gold = tree((2, "nsubj"), (0, "root"), (2, "obj"))
    system = tree((2, "nsubj"), (0, "root"), (1, "obj"))
    other = tree((2, "obj"), (0, "root"), (2, "obj"))
    uas, las = f1(match(edges(), ends)), f1(match(edges(), ends * exact(edge_label)))
    assert (number(uas, gold, system), number(las, gold, system)) == (2 / 3, 2 / 3)
    assert (number(uas, gold, other), number(las, gold, other)) == (1, 2 / 3)


# Section 3: matching of sets.

TABLE = {
    ("g0", "s0"): 0.75,
    ("g0", "s1"): 0.5,
    ("g1", "s0"): 0.625,
    ("g1", "s2"): 0.25,
}


def tabled(predicted: str, gold: str) -> float:
    return 1 if predicted == gold else TABLE.get((gold, predicted), 0)


def listing(*labels: Any) -> Graph:
    return Graph("1", "x", nodes=tuple(Node(k, each) for k, each in enumerate(labels)))


def test_13_matchings() -> None:
    gold, system = listing("g0", "g1"), listing("s0", "s1", "s2")
    sums = {
        each: number(match(nodes(), custom(tabled, label), each), gold, system)
        for each in ("1:1", "n:1", "1:n", "n:n")
    }
    assert sums == {"1:1": 1.125, "n:1": 1.5, "1:n": 1.375, "n:n": 2.125}


LABELS = st.lists(st.sampled_from("abc"), max_size=6)


@given(LABELS, LABELS)
def test_14_overlap_is_a_matching(one: list[str], two: list[str]) -> None:
    gold, system = listing(*one), listing(*two)
    shared = len(set(one) & set(two))
    # Written so that the engine may count, and so that it has to match.
    for delta in (DELTA, DELTA * custom(a_third, label)):
        found = match(nodes(), delta, duplicates="set")
        assert number(found, gold, system) == shared
    bags = sum(min(one.count(each), two.count(each)) for each in "abc")
    assert number(match(nodes(), DELTA), gold, system) == bags


def test_15_and_16_events() -> None:
    gold = events(("attack", 5, {"victim": 1, "place": 2}), ("meet", 9, {}))
    system = events(
        ("attack", 5, {"victim": 1, "place": 3}), ("meet", 9, {}), ("die", 9, {})
    )
    trigger = exact(label, anchors)
    argument = exact(edge_label, via(target, anchors))
    trig = f1(match(nodes("event"), trigger)).score(gold, system)
    assert prf(trig) == (2 / 3, 1, 4 / 5)
    arg = f1(match(nodes("event"), trigger * match(edges_out(), argument)))
    report = arg.score(gold, system)
    # The meeting is right, but has no arguments to earn anything for.
    assert (report.gold, report.system, report.matched) == (2, 2, 1)
    assert number(arg, events(("meet", 9, {})), events(("meet", 9, {}))) == 0


GOLD = entities("abc", "defg")
SYSTEM = entities("ab", "cd", "fghi")
PHI3 = match(targets("mention"), MENTION)
PHI4 = f1(PHI3)


def test_17_to_19_ceaf() -> None:
    assert number(match(nodes("entity"), PHI3), GOLD, SYSTEM) == 2 + 2
    assert prf(f1(match(nodes("entity"), PHI3)).score(GOLD, SYSTEM)) == (
        4 / 8,
        4 / 7,
        8 / 15,
    )
    ceaf = f1(match(nodes("entity"), PHI4))
    assert str(ceaf) == "F↔entities[F↔mentions[δ]]"
    report = ceaf.score(GOLD, SYSTEM)
    assert report.matched == pytest.approx(4 / 5 + 4 / 8)
    assert report.f1 == pytest.approx(2 * 1.3 / 5)


LINKS = excess(PHI3, 1)
MUC = f1(match(nodes("entity"), LINKS, "n:n"))


def test_20_to_22_muc() -> None:
    report = MUC.score(GOLD, SYSTEM)
    # abc falls apart into ab and c, defg into d, e and fg.
    assert (report.matched, report.gold, report.system) == (1 + 1, 2 + 3, 1 + 1 + 3)
    assert prf(report) == (2 / 5, 2 / 5, 2 / 5)
    assert number(match(nodes("entity"), LINKS), entities("a"), entities("a")) == 0


@st.composite
def partitions(draw: st.DrawFn) -> list[str]:
    found: dict[int, str] = {}
    for each in draw(st.sets(st.sampled_from("abcdefg"))):
        group = draw(st.integers(0, 3))
        found[group] = found.get(group, "") + each
    return list(found.values())


@given(partitions(), partitions())
def test_20_is_22(gold: list[str], system: list[str]) -> None:
    """The partition form of MUC, from its definition."""

    def parts(one: str, others: Sequence[str]) -> int:
        alone = set(one) - set("".join(others))
        return len(alone) + sum(1 for each in others if set(one) & set(each))

    report = MUC.score(entities(*gold), entities(*system))
    assert report.matched == sum(len(one) - parts(one, system) for one in gold)
    assert report.gold == sum(len(one) - 1 for one in gold)
    assert report.matched_system == sum(len(one) - parts(one, gold) for one in system)


def test_23_and_24_b_cubed() -> None:
    member = exact(via(target, anchors))
    rels = edges("mention")
    b_cubed = harmonic(
        precision(match(rels, member * at(source, precision(PHI3)))),
        recall(match(rels, member * at(source, recall(PHI3)))),
    )
    report = b_cubed.score(GOLD, SYSTEM)
    # a, b, c, d, f and g; e is missing, h and i are not in gold.
    assert report.matched == pytest.approx(
        2 / 3 + 2 / 3 + 1 / 3 + 1 / 4 + 2 / 4 + 2 / 4
    )
    assert report.matched_system == pytest.approx(1 + 1 + 1 / 2 + 1 / 2 + 2 / 4 + 2 / 4)
    assert (report.gold, report.system) == (7, 8)
    p, r = 4 / 8, 35 / 12 / 7
    assert report.value == pytest.approx(2 * p * r / (p + r))
    assert str(b_cubed).startswith("F[P↔mentions[")


SUBSET = contained(targets("mention"), MENTION)


def test_25_containment() -> None:
    def phi(gold: str, system: str) -> float:
        return number(match(nodes("entity"), SUBSET), entities(gold), entities(system))

    assert [phi("abc", each) for each in ("abc", "a", "bc")] == [1, 1, 1]
    assert [phi("abc", each) for each in ("abcd", "ax", "x", "")] == [0, 0, 0, 0]
    assert phi("", "") == 1


def fillers(similarity: Similarity, constraint: Constraint = "1:1") -> Similarity:
    filler = exact(edge_label) * at(target, similarity)
    return at(top, match(edges_out(), filler, constraint))


def test_26_ceaf_ree() -> None:
    gold = entities("ab", "c", roles=("perp", "victim"))
    system = entities("a", "cd", roles=("perp", "victim"))
    assert prf(f1(fillers(SUBSET)).score(gold, system)) == (1 / 2, 1 / 2, 1 / 2)
    other = entities("a", "c", roles=("victim", "victim"))
    assert number(fillers(SUBSET), gold, other) == 1


def test_27_and_28_ceaf_rme() -> None:
    gold = entities("ab", "c", roles=("perp", "victim"))
    system = entities("a", "b", "d", roles=("perp", "perp", "victim"))
    report = f1(fillers(SUBSET, "n:1")).score(gold, system)
    assert (report.precision, report.recall) == (2 / 3, 1 / 2)
    literal = recall(fillers(SUBSET, "n:1"), counting="formula")
    assert number(literal, gold, system) == 2 / 2
    report = f1(fillers(PHI3, "n:1")).score(gold, system)
    assert (report.precision, report.recall) == (2 / 3, 2 / 3)


def test_literal_recall_exceeds_one() -> None:
    """Two singletons in one entity: 2 by eq. 5, and 1 where each gold counts once."""
    gold, system = entities("ab"), entities("a", "b")
    amount = match(nodes("entity"), SUBSET, "n:1")
    assert number(recall(amount, counting="formula"), gold, system) == 2
    assert number(recall(amount), gold, system) == 1
    assert number(f1(amount, counting="formula"), gold, system) == pytest.approx(4 / 3)
    assert number(f1(amount), gold, system) == 1
    assert number(jaccard(amount, counting="formula"), gold, system) == 2
    assert number(jaccard(amount), gold, system) == 1
    flipped = match(nodes("entity"), contained(targets("mention"), MENTION), "1:n")
    assert number(precision(flipped, counting="formula"), entities("a", "a"), gold) == 0
    assert number(flipped, entities("abc", "abd"), entities("a")) == 2
    assert number(precision(flipped), entities("abc", "abd"), entities("a")) == 1


def test_bounded_recall_does_not_depend_on_the_order() -> None:
    """Where several gold elements are equally good, as many as can be count."""
    gold = listing("a", "b", "c")
    fits = {"x": "ab", "y": "ac", "z": "ac"}

    ratio = recall(match(nodes(), custom(like_any, label) > 0, "n:1"))
    for order in (("x", "y", "z"), ("z", "x", "y"), ("y", "z", "x")):
        found = ratio.score(gold, listing(*(fits[each] for each in order)))
        assert (found.matched, found.matched_system) == (3, 3)
    # Half a match each: one gold element is full after two of them.
    half = recall(match(nodes(), custom(like_any, label), "n:1"))
    found = half.score(listing("a", "b"), listing("ab", "ab", "ax", "bx", "bx"))
    assert (found.matched, found.matched_system) == (2, 2.5)


def like_any(predicted: str, gold: str) -> float:
    if predicted == gold:
        return 1
    return 0.5 if gold in predicted else 0


def spans(*ranges: tuple[int, int]) -> Graph:
    return Graph(
        "1",
        "x",
        nodes=tuple(Node(k, anchors=(Anchor(*each),)) for k, each in enumerate(ranges)),
    )


def test_29_spans_that_overlap() -> None:
    half = about(span_jaccard() > 0.5)
    assert str(half) == "Σ↔nodes[⟦J↔offsets[δ] > 0.5⟧]"
    assert number(about(span_jaccard()), spans((0, 4)), spans((1, 4))) == 3 / 4
    assert number(half, spans((0, 4)), spans((1, 4))) == 1
    assert number(half, spans((0, 3)), spans((0, 6))) == 0
    assert number(about(span_jaccard() >= 0.5), spans((0, 3)), spans((0, 6))) == 1
    strings = [node(None, ("text", each)) for each in ("Lima", "Oslo")]
    assert number(half, strings[0], strings[0]) == 1
    assert number(half, *strings) == 0


def test_30_and_31_scirex() -> None:
    mention = span_jaccard() > 0.5
    filler = exact(edge_label) * at(
        target, precision(match(targets("mention"), mention)) > 0.5
    )
    same = f1(match(edges_out(), filler)) >= 1
    scirex = f1(match(nodes("relation"), same))
    roles = ("dataset", "method", "metric", "task")
    gold = entities("ab", "c", "d", "e", roles=roles)
    assert number(scirex, gold, entities("abx", "c", "d", "e", roles=roles)) == 1
    assert number(scirex, gold, entities("ax", "c", "d", "e", roles=roles)) == 0
    assert number(scirex, gold, entities("ab", "c", "d", roles=roles[:3])) == 0


INSTRUMENTS = hierarchy({"bomb": "weapon", "car bomb": "bomb"})


def test_32_and_33_templates() -> None:
    filler = choice(
        kind,
        {"set": descendant(label, INSTRUMENTS), "string": string_overlap(label)},
    )
    slots = match(edges_out(), exact(edge_label) * at(target, filler))
    muc4 = f1(match(nodes("template"), DELTA * slots))
    path = ("perp", "string", "the Shining Path")
    gold = templates(("bombing", [path, ("instrument", "set", "weapon")]))
    system = templates(
        (
            "bombing",
            [("perp", "string", "path members"), ("instrument", "set", "bomb")],
        ),
        ("arson", [path]),
    )
    report = muc4.score(gold, system)
    assert report.matched == 1 + 1 / 2
    assert prf(report) == (1.5 / 3, 1.5 / 2, 3 / 5)
    # A predicted ancestor earns nothing.
    above = templates(("bombing", [("instrument", "set", "weapon")]))
    below = templates(("bombing", [("instrument", "set", "car bomb")]))
    assert (number(muc4, above, below), number(muc4, below, above)) == (1 / 2, 0)


# Section 4: latent variables.


def propositions(*found: tuple[str, str] | tuple[str, str, str]) -> Graph:
    """Facts of one variable and relations of two, as nodes."""
    build = Build()
    places: dict[str, int] = {}
    for proposition in found:
        for one in proposition[1:]:
            if one not in places:
                places[one] = build.node("var")
    for said, *fields in found:
        place = build.node("fact" if len(fields) == 1 else "relation", said)
        for role, one in zip(("subj", "obj"), fields, strict=False):
            build.edge(place, places[one], role)
    return build.graph()


def smatch(constraint: Constraint = "1:1") -> Similarity:
    subj, obj = variable(along("subj")), variable(along("obj"))
    facts = match(nodes("fact"), DELTA * subj, constraint)
    relations = match(nodes("relation"), DELTA * subj * obj, constraint)
    return latent(nodes("var"), facts + relations)


def test_34_to_36_smatch() -> None:
    """The worked example of Cai and Knight (2013)."""
    gold = propositions(
        ("want-01", "a"),
        ("boy", "b"),
        ("go-01", "c"),
        ("ARG0", "a", "b"),
        ("ARG1", "a", "c"),
        ("ARG0", "c", "b"),
    )
    system = propositions(
        ("want-01", "x"),
        ("boy", "y"),
        ("football", "z"),
        ("ARG0", "x", "y"),
        ("ARG1", "x", "z"),
    )
    report = f1(smatch()).score(gold, system)
    assert prf(report) == (4 / 5, 4 / 6, 8 / 11)
    assert report.proven


@pytest.mark.parametrize("constraint", ["1:1", "n:1", "1:n", "n:n"])
def test_two_boys_are_not_one(constraint: Constraint) -> None:
    one, two = propositions(("boy", "x")), propositions(("boy", "x"), ("boy", "y"))
    assert number(smatch(constraint), one, two) == 1
    assert number(smatch(constraint), two, one) == 1
    assert number(smatch(constraint), two, two) == 2
    # Said twice of the same one, though, many may match.
    again = propositions(("boy", "x"), ("boy", "x"))
    expected = {"1:1": 1, "n:1": 2, "1:n": 1, "n:n": 2}
    assert number(smatch(constraint), one, again) == expected[constraint]


def test_variables_and_their_fields_are_kept_apart() -> None:
    """Something of a variable with itself is not of two variables."""
    itself_, other = propositions(("r", "x", "x")), propositions(("r", "x", "y"))
    assert number(smatch(), itself_, other) == 0
    assert number(smatch(), itself_, propositions(("r", "y", "y"))) == 1
    assert number(smatch(), other, propositions(("r", "y", "x"))) == 1


@pytest.mark.parametrize("size", [1e-9, 0.1, 1e9])
def test_amounts_of_any_size_are_solved_exactly(size: float) -> None:
    """Fractional amounts go to an integer program, which knows no small numbers."""
    worth = weight(label, {"p": 3 * size, "q": 2 * size, "r": 2 * size})
    fields = variable(along("subj")) * variable(along("obj"))
    formula = latent(nodes("var"), match(nodes("relation"), DELTA * worth * fields))
    gold = propositions(("p", "x", "y"), ("q", "y", "z"), ("r", "z", "x"))
    # Either p, or q and r: their variables contradict one another.
    system = propositions(("p", "x", "y"), ("q", "x", "z"), ("r", "z", "y"))
    report = formula.score(gold, system)
    assert report.value == pytest.approx(4 * size)
    assert report.gold == pytest.approx(7 * size)
    assert report.proven


# Section 5: structures.


def test_37_sequences() -> None:
    lcs = match(nodes(), DELTA, order=in_sequence)
    assert str(lcs) == "Σ↔nodes≤[δ_label]"
    one = listing(1, 2, 3, 4, 5)
    assert number(lcs, one, listing(1, 3, 5, 7, 9)) == 3
    assert number(lcs, one, listing(5, 4, 3, 2, 1)) == 1
    assert number(match(nodes(), DELTA), one, listing(5, 4, 3, 2, 1)) == 5
    # One element cannot be before itself and after.
    for constraint in ("n:1", "1:n", "n:n"):
        many = match(nodes(), DELTA, constraint, order=in_sequence)
        assert number(many, listing(1, 1), listing(1)) == 1
    heavy = match(
        nodes(), DELTA * weight(label, {1: 5}, otherwise=1), order=in_sequence
    )
    assert number(heavy, listing(1, 2, 3), listing(2, 3, 1)) == 5


def linked(labels: Sequence[str], *links: tuple[int, int]) -> Graph:
    return Graph(
        "1",
        "x",
        nodes=tuple(Node(k, each) for k, each in enumerate(labels)),
        edges=tuple(Edge(one, two, "to") for one, two in links),
    )


def test_37_partial_orders_and_preorders() -> None:
    kept = match(nodes(), DELTA, order=reachable())
    chain, back = linked("ab", (0, 1)), linked("ab", (1, 0))
    loop, apart = linked("ab", (0, 1), (1, 0)), linked("ab")
    every = (chain, back, loop, apart)
    for one in every:
        assert [number(kept, one, two) for two in every] == [
            2 if one is two else 1 for two in every
        ]
    # What is between does not matter, only what can be reached.
    assert number(kept, linked("ab", (0, 1)), linked("axb", (0, 1), (1, 2))) == 2
    assert number(kept, linked("abc", (0, 1)), linked("abc", (0, 1), (1, 2))) == 2
    # Nodes on a cycle are equivalent: two of them may be one elsewhere.
    many = match(nodes(), DELTA, "n:1", order=reachable())
    twice = linked("aa", (0, 1), (1, 0))
    assert number(many, linked("a"), twice) == 2
    assert number(many, linked("a"), linked("aa", (0, 1))) == 1


def test_38_levels() -> None:
    types = levels(label)
    found = ["A.b.c", "A.b.x", "A.x.c", "x.b.c"]
    table = [number(about(types), node("A.b.c"), node(each)) for each in found]
    assert table == [1, 1 / 2, 1 / 4, 0]
    deep = levels(label, depth=3)
    assert number(about(deep), node("A.b"), node("A.b.c")) == 1 / 2
    assert number(about(deep), node("A"), node("A.b")) == 1 / 4
    assert number(about(deep), node("A"), node("A")) == 1


def test_39_supertypes() -> None:
    types = f1(match(supertypes(label), exact(itself)))
    assert number(about(types), node("a.b.c"), node("a.b.d")) == pytest.approx(4 / 6)
    tree = f1(match(supertypes(label, INSTRUMENTS), exact(itself)))
    assert number(about(tree), node("weapon"), node("car bomb")) == 2 / 4
    assert number(about(tree), node("bomb"), node("bomb")) == 1


# Appendix A: integer programs as a second oracle.


@st.composite
def said(draw: st.DrawFn, fields: int) -> list[tuple[str, ...]]:
    variables = st.sampled_from("xyzuv")
    return draw(
        st.lists(
            st.tuples(st.sampled_from(["p.a", "p.b", "q"]), *[variables] * fields),
            max_size=5,
        )
    )


def with_fields(found: list[tuple[str, ...]], fields: int) -> Graph:
    build = Build()
    places = {
        name: build.node("var") for name in sorted({n for f in found for n in f[1:]})
    }
    for relation_, *names in found:
        place = build.node("prop", relation_)
        for k, one in enumerate(names):
            build.edge(place, places[one], f"f{k}")
    return build.graph()


@pytest.mark.parametrize("constraint", ["1:1", "n:1", "1:n", "n:n"])
@pytest.mark.parametrize("fields", [1, 2, 3])
@given(data=st.data())
def test_40_to_44_latent_sums(
    constraint: Constraint, fields: int, data: st.DataObject
) -> None:
    """A.1, with equal relations and with such that are half alike."""
    gold, system = data.draw(said(fields)), data.draw(said(fields))
    alike = data.draw(st.sampled_from([DELTA, levels(label)]))
    formula: Similarity = alike
    for k in range(fields):
        formula = formula * variable(along(f"f{k}"))
    latent_ = latent(nodes("var"), match(nodes("prop"), formula, constraint))
    one, two = with_fields(gold, fields), with_fields(system, fields)

    def worth(k: int, j: int) -> float:
        return number(about(alike), node(gold[k][0]), node(system[j][0]))

    expected = latent_sum(
        [each[1:] for each in gold], [each[1:] for each in system], worth, constraint
    )
    report = latent_.score(one, two)
    assert report.value == pytest.approx(expected)
    assert report.proven


@pytest.mark.parametrize("constraint", ["1:1", "n:1", "1:n", "n:n"])
@given(data=st.data())
def test_a2_ordered_sums(constraint: Constraint, data: st.DataObject) -> None:
    """A.2, over sequences and over graphs with cycles."""
    names = st.lists(st.sampled_from(["a.x", "a.y", "b"]), min_size=4, max_size=4)
    links = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=5)

    def drawn() -> Graph:
        return linked(data.draw(names), *data.draw(links))

    gold, system = drawn(), drawn()
    order = data.draw(st.sampled_from([in_sequence, reachable()]))

    def before(graph: Graph) -> Any:
        if order == in_sequence:
            return lambda k, j: k <= j
        reach = {(k, k) for k in range(4)} | {(e.source, e.target) for e in graph.edges}
        for _ in range(4):
            reach |= {(a, d) for a, b in reach for c, d in reach if b == c}
        return lambda k, j: (k, j) in reach

    def worth(k: int, j: int) -> float:
        types = gold.nodes[k].label, system.nodes[j].label
        return number(about(levels(label)), node(types[0]), node(types[1]))

    expected = ordered_sum((4, 4), (before(gold), before(system)), worth, constraint)
    formula = match(nodes(), levels(label), constraint, order=order)
    assert number(formula, gold, system) == pytest.approx(expected)


# Appendices C and D.


def test_45_and_46_strings() -> None:
    def overlap(gold: str, system: str, **more: Any) -> float:
        texts = (node(None, ("text", each)) for each in (gold, system))
        return number(about(string_overlap(**more)), *texts)

    assert overlap("the Shining Path", "Path members") == 1
    assert overlap("the embassy", "the school") == 1
    assert overlap("the embassy", "the school", premodifiers=["the"]) == 0
    assert overlap("the embassy", "The EMBASSY.", premodifiers=["the"]) == 1
    assert overlap("the", "the", premodifiers=["the"]) == 0


def test_47_products_of_scores() -> None:
    types = f1(match(nodes("template"), DELTA))
    slots = match(edges_out(), exact(edge_label, via(target, label)))
    fillers_ = f1(match(nodes("template"), DELTA * slots))
    granular = suite(
        "granular",
        {"types": types, "fillers": fillers_},
        scores={"granular": product_of("types.f1", "fillers.f1")},
    )
    pairs = [
        (
            templates(("attack", [("who", "string", "a"), ("whom", "string", "b")])),
            templates(("attack", [("who", "string", "a")]), ("meeting", [])),
        ),
        (
            templates(("meeting", [("who", "string", "a")])),
            templates(("meeting", [("who", "string", "c")])),
        ),
    ]
    raw_counts: RawCounts = {}
    for gold, system in pairs:
        sides = ((granular.prepare(gold),), (granular.prepare(system),))
        add_raw_counts(raw_counts, granular.compare(*sides, budget=Budget()).raw_counts)
    counts, numbers = granular.scores(raw_counts)
    assert counts["types"][:3] == (2, 3, 2)
    assert counts["fillers"][:3] == (3, 2, 1)
    assert numbers["granular"] == pytest.approx((4 / 5) * (2 / 5))


# What the discussion (section 6) asks for.


def test_similarities_of_strings_and_mentions() -> None:
    def texts(formula: Similarity, one: str, two: str) -> float:
        found = (node(None, ("text", each), ("head", each)) for each in (one, two))
        return number(about(formula), *found)

    bag_of_words = f1(match(words(surface_text), exact(itself)))
    assert texts(bag_of_words, "the red car", "a red car") == pytest.approx(4 / 6)
    assert texts(bag_of_words, "", "") == 1
    assert texts(head(), "Car", "car") == 1
    assert texts(exact(folded(property_value("head"))), "Car", "bus") == 0


def test_informative_mentions_count_more() -> None:
    importance = weight(
        property_value("level"), {"name": 1, "nominal": 0.5, "pronoun": 0.25}
    )

    def mentions(*found: tuple[int, str]) -> Graph:
        build = Build()
        for place, level in found:
            build.node("mention", None, ("level", level), at=place)
        return build.graph()

    formula = f1(match(nodes("mention"), informed(MENTION, importance)))
    gold = mentions((1, "name"), (2, "pronoun"))
    report = formula.score(gold, mentions((1, "nominal"), (2, "pronoun"), (3, "name")))
    assert (report.gold, report.system, report.matched) == (1.25, 1.75, 0.75)
    assert formula.score(gold, gold).value == 1


def test_properties_are_compared_one_by_one() -> None:
    one, two = node("a", ("p", 1), ("p", 2)), node("b", ("p", 2), ("q", 1))
    assert number(match(all_properties(), exact(name, value)), one, two) == 1
