"""SMATCH: what each parameter means, and properties that always hold."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import msgspec
import pytest
from hypothesis import given

from graphscore import score
from graphscore.metrics.meaning.conventions import TripleConventions
from graphscore.metrics.meaning.smatch import PRESETS, Smatch
from graphscore.metrics.meaning.triples import Triples
from graphscore.metrics.registry import parse
from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.model.outcome_builder import error_of
from tests.metrics.meaning.pieces import outcome as compare
from tests.strategies import graph_pairs

METRICS = [
    Smatch(preset=preset, duplicates=duplicates, reify=reify)  # type: ignore[arg-type]
    for preset in ("standard", "none", "smatch", "smatchpp", "mtool")
    for duplicates, reify in (("set", "none"), ("multiset", "dereify"))
]
every_metric = pytest.mark.parametrize("metric", METRICS, ids=str)


def counts(
    gold: Graph | None, system: Graph | None, metric: Smatch | str = "smatch"
) -> tuple[int | float, ...]:
    raw_counts = compare(gold, system, metric).raw_counts
    return parse(metric).scores(raw_counts).counts["all"][:3]


def amr(*nodes: Node, **rest: Any) -> Graph:
    return Graph("1", "amr", 2, nodes=nodes, **rest)


def swapped(graph: Graph) -> Graph:
    """Every edge read in the other direction, by its inverse label."""
    edges = tuple(
        Edge(edge.target, edge.source, f"{edge.label}-of") for edge in graph.edges
    )
    return msgspec.structs.replace(graph, edges=edges)


# The published example (Cai and Knight 2013, figure 1 and section 3).


def test_the_example_of_the_publication() -> None:
    gold = amr(
        Node("a", "want-01"),
        Node("b", "boy"),
        Node("c", "go-01"),
        edges=(Edge("a", "b", "ARG0"), Edge("a", "c", "ARG1"), Edge("c", "b", "ARG0")),
    )
    system = amr(
        Node("x", "want-01"),
        Node("y", "boy"),
        Node("z", "football"),
        edges=(Edge("x", "y", "ARG0"), Edge("x", "z", "ARG1")),
    )
    outcome = compare(gold, system, "smatch")
    assert counts(gold, system) == (6, 5, 4)
    assert outcome.proven
    assert round(parse("smatch").scores(outcome.raw_counts).counts["all"].f1, 2) == 0.73
    pairs = {(m.gold, m.system) for m in outcome.matches if m.object == "node"}
    assert pairs == {(0, 0), (1, 1), (2, 2)}


# Parameters.

DOG, CAT = amr(Node(0, "dog"), tops=(0,)), amr(Node(0, "cat"), tops=(0,))


@pytest.mark.parametrize(("top", "matched"), [("label", 0), ("constant", 1)])
def test_a_top_matches_by_its_label_or_as_such(top: str, matched: int) -> None:
    assert counts(DOG, CAT, f"smatch(top={top})") == (2, 2, matched)


def test_wiki_links_can_be_dropped_in_amr() -> None:
    one = amr(Node(0, "city", (("wiki", "Rome"), ("WIKI", "-"))))
    assert counts(one, one) == (3, 3, 3)
    assert counts(one, one, "smatch(wiki=drop)") == (1, 1, 1)
    other = msgspec.structs.replace(one, framework="x")
    assert counts(other, other, "smatch(wiki=drop)") == (3, 3, 3)


def test_case_can_be_kept() -> None:
    lower, upper = (
        amr(Node(0, "dog", (("A", "b"),))),
        amr(Node(0, "Dog", (("a", "B"),))),
    )
    assert counts(lower, upper) == (2, 2, 2)
    assert counts(lower, upper, "smatch(case=keep)") == (2, 2, 0)


@pytest.mark.parametrize(
    ("spelling", "matched"), [("plain", 0), ("smatch", 1), ("smatchpp", 1)]
)
def test_spelling_drops_final_underscores_or_quotation_marks(
    spelling: str, matched: int
) -> None:
    written = {"plain": "x_", "smatch": "x_", "smatchpp": "'\"x"}[spelling]
    pair = amr(Node(0, "x")), amr(Node(0, written))
    assert counts(*pair, f"smatch(spelling={spelling})") == (1, 1, matched)


@pytest.mark.parametrize(
    ("role", "turned"),
    [
        ("ARG0-of", {"amr", "smatch", "mtool", "none"}),
        ("consist-of", {"mtool", "none"}),
        ("subset-of", {"smatch", "mtool", "none"}),
        ("prep-out-of", {"none"}),
        ("prep-instead-of", {"smatch", "none"}),
    ],
)
def test_roles_that_are_not_turned_round(role: str, turned: set[str]) -> None:
    nodes = Node(0, "a"), Node(1, "b")
    written = amr(*nodes, edges=(Edge(0, 1, role),))
    base = amr(*nodes, edges=(Edge(1, 0, role.removesuffix("-of")),))
    for exempt in ("amr", "smatch", "mtool", "none"):
        matched = 3 if exempt in turned else 2
        assert counts(base, written, f"smatch(exempt={exempt})") == (3, 3, matched)


@pytest.mark.parametrize("role", ["mod", "domain-of", "domain-of-of-of"])
def test_domain_and_mod_are_one_relation(role: str) -> None:
    nodes = Node(0, "a"), Node(1, "b")
    written = amr(*nodes, edges=(Edge(0, 1, role),))
    base = amr(*nodes, edges=(Edge(1, 0, "domain"),))
    assert counts(base, written, "smatch(exempt=none)") == (3, 3, 3)


def test_an_explicit_normal_is_honoured_and_empty_labels_are_absent() -> None:
    nodes = Node(0, "a"), Node(1, "b")
    written = amr(*nodes, edges=(Edge(0, 1, "x", "y"), Edge(0, 1, "")))
    base = amr(*nodes, edges=(Edge(1, 0, "y"), Edge(0, 1)))
    assert counts(base, written) == (4, 4, 4)


def test_repeated_attributes_and_edges_under_the_reading_of_mtool() -> None:
    one = amr(
        Node(0, "a", (("op1", "x"), ("OP1", "y"))),
        Node(1, "b"),
        edges=(Edge(0, 1, "r"), Edge(0, 1, "r", attributes=(("k", "v"),))),
    )
    assert counts(one, one, "smatch(duplicates=multiset)") == (7, 7, 7)
    last = amr(Node(0, "a", (("op1", "y"),)), Node(1, "b"), edges=(Edge(0, 1, "r"),))
    metric = "smatch(duplicates=multiset,repeated=mtool)"
    assert counts(one, last, metric) == (4, 4, 4)


@pytest.mark.parametrize(
    ("duplicates", "expected"),
    [("set", (3, 3, 3)), ("multiset", (4, 5, 4)), ("pairs", (4, 5, 8))],
)
def test_what_is_said_repeatedly(duplicates: str, expected: tuple[int, ...]) -> None:
    def said(times: int) -> Graph:
        edges = (Edge(0, 1, "r"), Edge(1, 0, "r-of"), Edge(0, 1, "R"))[:times]
        return amr(Node(0, "a"), Node(1, "b"), edges=edges)

    metric = f"smatch(duplicates={duplicates})"
    assert counts(said(2), said(3), metric) == expected
    # Said once on one side, it matches once unless in pairs.
    twice = 2 if duplicates == "pairs" else 1
    assert counts(said(1), said(2), metric)[2] == 2 + twice
    spurious = [each for each in compare(said(2), said(3), metric).errors]
    assert len(spurious) == (duplicates == "multiset")


def test_repeated_facts_of_one_node_count_like_repeated_edges() -> None:
    def said(times: int) -> Graph:
        return amr(Node(0, "a", (("op", "x"),) * times))

    assert counts(said(2), said(3), "smatch(duplicates=set)") == (2, 2, 2)
    assert counts(said(2), said(3), "smatch(duplicates=multiset)") == (3, 4, 3)
    assert counts(said(2), said(3), "smatch(duplicates=pairs)") == (3, 4, 7)
    assert counts(said(2), said(2), "smatch(duplicates=pairs)") == (3, 3, 5)


def test_attributes_under_inverted_roles_can_be_dropped() -> None:
    one = amr(Node(0, "a", (("mod", "5"), ("ARG1-of", "x"), ("quant", "5"))))
    assert counts(one, one, "smatch(preset=none)") == (4, 4, 4)
    assert counts(one, one, "smatch(inverted=keep)") == (4, 4, 4)
    assert counts(one, one) == (2, 2, 2)
    assert counts(one, one, "smatch(inverted=drop,preset=none)") == (2, 2, 2)


def test_anchors_and_edge_attributes_count_unless_dropped() -> None:
    nodes = Node(0, None, (), (Anchor(0, 3),)), Node(1, "b")
    edges = (Edge(0, 1, "A", attributes=(("remote", True), ("member", False))),)
    one = Graph("1", "ucca", 1, text="ab.", nodes=nodes, edges=edges)
    two = msgspec.structs.replace(
        one, nodes=(Node(0, None, (), (Anchor(0, 2),)), Node(1, "b"))
    )
    assert counts(one, two) == (4, 4, 4)
    assert counts(one, two, "smatch(anchors=drop)") == (3, 3, 3)
    assert counts(one, two, "smatch(attributes=drop)") == (3, 3, 3)


def test_a_missing_text_is_borrowed() -> None:
    one = Graph("1", "x", text="ab.", nodes=(Node(0, None, (), (Anchor(0, 3),)),))
    two = Graph("1", "x", nodes=(Node(0, None, (), (Anchor(0, 2),)),))
    assert counts(one, two) == counts(two, one) == (1, 1, 1)


def test_roles_and_their_concepts_are_unified() -> None:
    short = amr(
        Node(0, "worm", (("quant", 2),)),
        Node(1, "can"),
        edges=(Edge(0, 1, "location"),),
        tops=(0,),
    )
    long = amr(
        Node(0, "worm"),
        Node(1, "can"),
        Node(2, "be-located-at-91"),
        Node(3, "have-quant-91", (("ARG2", "2"),)),
        edges=(
            Edge(0, 2, "ARG1-of", "ARG1"),
            Edge(2, 1, "ARG2"),
            Edge(3, 0, "ARG1"),
        ),
        tops=(0,),
    )
    assert counts(short, long) == (5, 9, 3)
    assert counts(short, long, "smatch(reify=dereify)") == (5, 5, 5)
    assert counts(short, long, "smatch(reify=reify)") == (9, 9, 9)
    # What is an edge here and a node there is in no row of matches.
    matches = compare(short, long, "smatch(reify=dereify)").matches
    rows = {(each.object, each.gold, each.system) for each in matches}
    assert rows == {("node", 0, 0), ("node", 1, 1)}


def test_errors_of_reified_graphs_name_what_was_read() -> None:
    short = amr(Node(0, "worm"), Node(1, "can"), edges=(Edge(0, 1, "location"),))
    bare = amr(Node(0, "worm"), Node(1, "can"))
    outcome = compare(short, bare, "smatch(reify=reify)")
    assert {(each.object, each.gold) for each in outcome.errors} == {("edge", 0)}
    assert len(outcome.errors) == 3
    long = amr(
        *bare.nodes,
        Node(2, "be-located-at-91"),
        edges=(Edge(2, 0, "ARG1"), Edge(2, 1, "ARG2")),
        tops=(0,),
    )
    [error] = compare(
        bare, msgspec.structs.replace(long, tops=()), "smatch(reify=dereify)"
    ).errors
    assert (error.error_type, error.object, error.system) == ("spurious", "node", 2)


# Presets and names.


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_is_a_bundle_of_the_parameters(preset: Any) -> None:
    bundle = PRESETS[preset]
    spelled = Smatch(**{name: getattr(bundle, name) for name in _names()})
    assert spelled.conventions == Smatch(preset=preset).conventions == bundle
    assert spelled.normalization == Smatch(preset=preset).normalization


def test_a_parameter_goes_before_the_preset() -> None:
    metric = Smatch(preset="mtool", wiki="keep")
    assert metric.conventions.wiki == "keep"
    assert metric.conventions.repeated == "mtool"
    assert parse(str(metric)) == metric


def _names() -> list[str]:
    return [name for name in Smatch.parameters() if name not in ("ties", "preset")]


def test_every_convention_is_a_parameter() -> None:
    assert set(_names()) == set(TripleConventions.__struct_fields__)
    for name, (default, choices) in Smatch.parameters().items():
        if name in _names():
            assert default == "preset"
            assert isinstance(choices, tuple)
            assert getattr(TripleConventions(), name) in choices


# Properties.


@every_metric
@given(graph_pairs())
def test_sorts_of_triples_sum_up_to_all(
    metric: Smatch, pair: tuple[Graph, Graph]
) -> None:
    gold, system = pair
    outcome = compare(gold, system, metric)
    total = metric.scores(outcome.raw_counts).counts["all"]
    numbers = metric.scores(outcome.raw_counts).numbers
    for place, name in enumerate(("gold", "system", "matched")):
        parts = (numbers[f"{part}.{name}"] for part in _parts())
        assert sum(parts) == total[place]


def _parts() -> tuple[str, ...]:
    return ("instances", "attributes", "relations")


def _by_hand(gold: Triples, system: Triples) -> int:
    """The best of all maps, counted triple by triple."""
    best = 0
    longer = max(gold.size, system.size)
    for order in itertools.permutations(range(longer), gold.size):
        mine: Counter[Any] = Counter()
        theirs: Counter[Any] = Counter()
        for (node, fact), place in gold.facts.items():
            mine[(order[node], fact)] += gold.fact_counts[place]
        for (source, target, label), place in gold.relations.items():
            key = (order[source], order[target], label)
            mine[key] += gold.relation_counts[place]
        for key, place in system.facts.items():
            theirs[key] += system.fact_counts[place]
        for relation, place in system.relations.items():
            theirs[relation] += system.relation_counts[place]
        if gold.conventions.duplicates == "pairs":
            shared = sum(mine[key] * theirs[key] for key in mine)
        else:
            shared = sum((mine & theirs).values())
        best = max(best, shared)
    return best


@pytest.mark.parametrize("duplicates", ["set", "multiset", "pairs"])
@given(graph_pairs(4))
def test_no_map_shares_more(duplicates: Any, pair: tuple[Graph, Graph]) -> None:
    gold, system = (msgspec.structs.replace(side, text="") for side in pair)
    metric = Smatch(duplicates=duplicates)
    expected = _by_hand(metric.prepare(gold), metric.prepare(system))
    assert compare(gold, system, metric).score == expected


@given(graph_pairs())
def test_canonical_ties_do_not_depend_on_the_order(pair: tuple[Graph, Graph]) -> None:
    metric = Smatch(ties="canonical")
    one = compare(*pair, metric)
    two = compare(*pair[::-1], metric)
    numbers = metric.scores(one.raw_counts).numbers
    turned = metric.scores(two.raw_counts).numbers
    for part in _parts():
        assert numbers[f"{part}.matched"] == turned[f"{part}.matched"]


def test_inverted_edges_are_turned_round() -> None:
    nodes = Node(0, "a"), Node(1, "b"), Node(2, "c")
    one = amr(*nodes, edges=(Edge(0, 1, "ARG0"), Edge(1, 2, "time")))
    assert counts(one, swapped(one)) == (5, 5, 5)


def test_reasons_of_errors() -> None:
    gold = amr(
        Node(0, "a", (("op", "x"), ("y", "z"))),
        Node(1, "b"),
        Node(2, "c"),
        edges=(Edge(0, 1, "r"), Edge(0, 2, "s")),
    )
    system = amr(Node(0, "a", (("op", "w"),)), Node(1, "b"), edges=(Edge(0, 1, "q"),))
    errors = compare(gold, system, "smatch").errors
    found = {
        (e.error_type, e.tuple_type, e.object, e.name, e.value, e.reason)
        for e in errors
    }
    assert found == {
        ("missing", "attributes", "node", "op", "x", "differs"),
        ("missing", "attributes", "node", "y", "z", "absent"),
        ("missing", "instances", "node", "", "c", "no counterpart"),
        ("missing", "relations", "edge", "", "r", "differs"),
        ("missing", "relations", "edge", "", "s", "no counterpart"),
        ("spurious", "attributes", "node", "op", "w", "differs"),
        ("spurious", "relations", "edge", "", "q", "differs"),
    }


@pytest.mark.parametrize(("preset", "apart"), [("standard", True), ("smatch", False)])
def test_triples_are_counted_apart_unless_they_match_in_pairs(
    preset: str, apart: bool
) -> None:
    metric = Smatch(preset=preset)  # type: ignore[arg-type]
    assert (metric.local, not metric.bound, not metric.over_one) == (apart,) * 3


def test_a_triple_that_is_right_counts_among_all_and_in_its_sort() -> None:
    moved = Smatch().repaired(error_of("spurious", "relations", 0))
    assert moved == {("all", part, "system"): -1 for part in ("", "relations")}


def test_each_sort_of_triples_has_errors_and_scores_of_its_own() -> None:
    gold = amr(Node("a", "see-01"), Node("b", "dog"), edges=(Edge("a", "b", "ARG0"),))
    system = amr(Node("a", "see-01"), Node("b", "cat"))
    metric = parse("smatch")
    result = compare(gold, system, metric)
    assert metric.error_tuple_types == ("instances", "attributes", "relations")
    assert {error.tuple_type for error in result.errors} == {"instances", "relations"}
    numbers = metric.scores(result.raw_counts).numbers
    assert (numbers["instances.f1"], numbers["relations.recall"]) == (0.5, 0)


def test_canonical_ties_take_instances_before_attributes() -> None:
    gold = amr(Node("a", "dog", (("name", "x"),)))
    nodes = [Node("b", "cat", (("name", "x"),)), Node("c", "dog", (("name", "z"),))]
    for order in (nodes, nodes[::-1]):
        [pair, *_] = compare(gold, amr(*order), "smatch(ties=canonical)").matches
        assert order[pair.system].id == "c"


def test_of_equal_maps_that_of_smallest_pairs_is_kept_beside_loops() -> None:
    gold = "(c / y :B (a / x :B (b / x :B b)))"
    [item] = score([gold], ["(d / y :B (e / x :B e))"], "smatch").per_item
    missing = [
        (error.object, error.gold)
        for error in item.errors
        if error.error_type == "missing"
    ]
    assert missing == [("node", 1), ("edge", 0), ("edge", 1)]
