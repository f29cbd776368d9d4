"""Nodes identified by anchors: what holds for every metric that does it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore import similarity
from graphscore.exceptions import UsageError
from graphscore.metrics.base import Metric
from graphscore.metrics.formula import FormulaMetric, suite
from graphscore.metrics.registry import parse
from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.similarity import (
    Pair,
    View,
    anchors,
    at,
    base_edges,
    base_end,
    base_label,
    characters,
    computed,
    edge_label,
    edges,
    exact,
    f1,
    kept_properties,
    label,
    match,
    nodes,
    source,
    target,
    targets,
    yields,
)
from graphscore.similarity import (
    given as column,
)
from graphscore.similarity.evaluation.equal_members import partition_all
from graphscore.similarity.evaluation.functions import align
from graphscore.similarity.explanation.report import measure
from graphscore.similarity.features.conventions import by_yields, walk_yields
from tests.metrics.meaning.pieces import counts, graph, outcome
from tests.strategies import graph_pairs

NAMES = ("sdp", "edm", "ucca", "sdp(duplicates=multiset)", "edm(duplicates=multiset)")
METRICS = [
    *NAMES,
    "ucca(duplicates=multiset)",
    "sdp(preset=mtool)",
    "edm(preset=mtool)",
    "ucca(preset=mtool)",
    "edm(names=2,tops=0.5)",
]
every_metric = pytest.mark.parametrize("metric", [*map(parse, METRICS)], ids=str)
without_order = pytest.mark.parametrize("metric", [*map(parse, NAMES)], ids=str)


@every_metric
@given(pair=graph_pairs())
def test_an_error_that_differs_has_its_opposite(
    metric: Metric, pair: tuple[Graph, Graph]
) -> None:
    errors = outcome(*pair, metric).errors
    opposite = Counter(
        (error.tuple_type, error.object, error.gold, error.system, error.error_type)
        for error in errors
        if error.reason == "differs"
    )
    for tuple_type, name, gold, system, side in opposite:
        other = "spurious" if side == "missing" else "missing"
        assert opposite[tuple_type, name, gold, system, other] > 0


@every_metric
@given(pair=graph_pairs())
def test_nothing_is_searched(metric: Metric, pair: tuple[Graph, Graph]) -> None:
    found = outcome(*pair, metric)
    assert (found.proven, found.steps, found.method) == (True, 0, "identity")


@every_metric
@given(pair=graph_pairs())
def test_a_side_without_text_borrows_it(
    metric: Metric, pair: tuple[Graph, Graph]
) -> None:
    gold, system = pair
    bare = msgspec.structs.replace(system, text="")
    assert counts(gold, bare, metric) == counts(gold, system, metric)
    assert counts(bare, gold, metric) == counts(system, gold, metric)


@pytest.mark.parametrize("name", ["sdp", "edm", "ucca"])
@given(pair=graph_pairs())
def test_a_multiset_has_never_fewer_tuples_than_the_set(
    name: str, pair: tuple[Graph, Graph]
) -> None:
    once = counts(*pair, name)
    each = counts(*pair, f"{name}(duplicates=multiset)")
    for tuple_type, amounts in once.items():
        assert all(a <= b for a, b in zip(amounts, each[tuple_type], strict=True))


def test_one_node_may_stand_for_several() -> None:
    here = (Anchor(0, 5),)
    gold = graph(Node(0, "a", anchors=here), text="today")
    system = graph(Node(0, "b", anchors=here), Node(1, "a", anchors=here), text="today")
    found = outcome(gold, system, "edm")
    pairs = [(match.gold, match.system) for match in found.matches]
    assert pairs == [(0, 0), (0, 1)]
    assert counts(gold, system, "edm")["names"] == (1, 2, 1)


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ((1, 3), [(0, 0), (0, 1), (0, 2)]),
        ((2, 1), [(0, 0), (1, 0)]),
        ((3, 2), [(0, 0), (1, 1), (2, 1)]),
    ],
)
def test_nodes_of_one_identity_stand_beside_each_other(
    sizes: tuple[int, int], expected: list[tuple[int, int]]
) -> None:
    here = (Anchor(0, 5),)
    gold, system = (
        graph(*(Node(k, f"{side}{k}", anchors=here) for k in range(size)), text="today")
        for side, size in zip("gs", sizes, strict=True)
    )
    matches = outcome(gold, system, "edm").matches
    assert [(match.gold, match.system) for match in matches] == expected


def test_aligned_nodes_are_in_gold_s_order() -> None:
    first, last = (Anchor(0, 2),), (Anchor(3, 5),)
    places = enumerate((first, last, first))
    same = graph(*(Node(k, "x", anchors=place) for k, place in places), text="it is")
    matches = outcome(same, same, "edm").matches
    assert [match.gold for match in matches] == sorted(match.gold for match in matches)
    assert len({match.gold for match in matches}) == 3


# Yields.


@st.composite
def digraphs(draw: st.DrawFn) -> tuple[list[int], list[tuple[int, int]]]:
    size = draw(st.integers(1, 7))
    node = st.integers(0, size - 1)
    links = draw(st.lists(st.tuples(node, node), max_size=14))
    return draw(st.lists(st.integers(0, 15), min_size=size, max_size=size)), links


def words_of(value: object) -> object:
    return "no number"


def test_yields_of_something_else_than_characters_are_refused() -> None:
    with pytest.raises(
        UsageError, match=r"anchors is not a set of characters, expected"
    ):
        parse("f1(match(nodes(), exact(yields(anchors, edges()))))")
    here = graph(Node(0, "a", anchors=(Anchor(0, 1),)), Node(1, "b"), text="a")
    formula = f1(match(nodes(), exact(yields(computed(words_of, label), edges()))))
    with pytest.raises(UsageError, match=r"of node 0 is 'no number', expected a set"):
        formula.score(here, here)
    assert (
        f1(match(nodes(), exact(yields(characters(), edges())))).score(here, here).f1
        == 1.0
    )


@given(digraph=digraphs())
def test_a_yield_is_the_union_of_all_that_can_be_reached(
    digraph: tuple[list[int], list[tuple[int, int]]],
) -> None:
    own, links = digraph
    found = by_yields(own, links)
    for start in range(len(own)):
        seen, waiting = {start}, [start]
        while waiting:
            node = waiting.pop()
            after = {two for one, two in links if one == node} - seen
            seen |= after
            waiting += after
        union = 0
        for node in seen:
            union |= own[node]
        assert found[start] == union


def test_yields_of_deep_graphs_need_no_recursion() -> None:
    size = 50_000
    chain = [(k, k + 1) for k in range(size - 1)]
    own = [0] * (size - 1) + [1]
    assert by_yields(own, chain) == (1,) * size
    nodes = tuple(Node(k) for k in range(5_000))
    edges = tuple(Edge(k, k + 1, "A") for k in range(4_999))
    deep = graph(*nodes, edges=edges)
    assert counts(deep, deep, "ucca")["all"] == (1, 1, 1)
    assert counts(deep, deep, "ucca(preset=mtool)")["all"] == (1, 1, 1)


def test_many_nodes_with_one_identity_cost_no_more_than_their_number() -> None:
    nodes = tuple(Node(k, str(k)) for k in range(20_000))
    found = outcome(graph(*nodes), graph(*nodes[::-1]), "edm")
    assert len(found.matches) < 3 * len(nodes)
    assert found.score == len(nodes)


# The parts of the formulas by themselves.


def test_edges_are_read_in_their_base_direction() -> None:
    edges = (
        Edge(0, 1, "ARG0-of"),
        Edge(0, 1, "X", normal="Y"),
        Edge(0, 1, "", attributes=(("Remote", True), ("member", False))),
    )
    view = View(graph(Node(0), Node(1), framework="amr", edges=edges))
    every = range(3)
    assert base_end("source").follow(view, every) == [1, 1, 0]
    assert base_end("target").follow(view, every) == [0, 0, 1]
    assert base_label().of_all(view, every) == ["arg0", "y", None]
    assert [base_label().raw(view, edge) for edge in every] == ["ARG0-of", "X", ""]
    assert base_edges(having="remote").members(view, [0]) == [(2,)]
    assert base_edges(lacking="remote").members(view, [0]) == [(0, 1)]
    # An attribute with its default value says nothing.
    assert base_edges(having="member").members(view, [0]) == [()]


def test_mtool_reads_the_first_of_equal_edges_and_the_last_of_equal_properties() -> (
    None
):
    edges = (Edge(0, 1, "x"), Edge(0, 1, "X"), Edge(0, 1, "x", normal="y"))
    said = (("op1", "a"), ("wiki", "Q1"), ("OP1", "b"))
    for framework, kept in (("amr", ((0, 2),)), ("eds", ((0, 0), (0, 1), (0, 2)))):
        node = Node(0, properties=said)
        view = View(graph(node, Node(1), framework=framework, edges=edges))
        assert base_edges(mtool=True).members(view, [0]) == [(0, 1)]
        assert base_edges().members(view, [0]) == [(0, 1, 2)]
        assert kept_properties(mtool=True).members(view, [0]) == [kept]
        assert len(kept_properties().members(view, [0])[0]) == 3


def test_yields_are_about_nodes_and_follow_edges_of_the_graph() -> None:
    for own, followed in (
        (base_label(), base_edges()),
        (characters(), nodes()),
        (characters(), targets()),
        # Ranges are no sets: their union is not one of integers.
        (anchors, edges()),
    ):
        with pytest.raises(UsageError, match="expected"):
            yields(own, followed)


@given(digraph=digraphs())
def test_a_walk_never_finds_more_than_the_yield(
    digraph: tuple[list[int], list[tuple[int, int]]],
) -> None:
    own, links = digraph
    for mine, walk, whole in zip(
        own, walk_yields(own, links), by_yields(own, links), strict=True
    ):
        assert mine & ~walk == 0
        assert walk & ~whole == 0


def named(graph: Graph, names: Sequence[str]) -> View:
    """A view with a column of its own."""
    view = View(graph)
    view.kept["given", "name"] = names
    return view


def test_any_column_can_be_an_identity() -> None:
    one = graph(Node(0, "a"), Node(1, "b"), edges=(Edge(0, 1, "x"), Edge(1, 0, "y")))
    same = exact(column("name", "node", what=False))
    ends = at(base_end("source"), same) * at(base_end("target"), same)
    formula = f1(match(base_edges(), ends * exact(base_label())))
    mine, theirs = named(one, ("w1", "w2")), named(one, ("w1", "w3"))
    found = suite("las", formula).outcome(Pair(mine, theirs), details=True)
    assert found.raw_counts == {("all", "", "gold"): 2, ("all", "", "system"): 2}
    assert {error.reason for error in found.errors} == {"no counterpart"}


@pytest.mark.parametrize(
    ("left", "right", "both"), [(2, 3, 2), (1, 1, 1), (0, 2, 0), (4, 1, 1)]
)
def test_repetitions_match_as_often_as_both_sides_have_them(
    left: int, right: int, both: int
) -> None:
    def repeated(times: int) -> Graph:
        return graph(*(Node(k, "a") for k in range(times)))

    found = counts(repeated(left), repeated(right), "edm(duplicates=multiset)")
    assert found["names"] == (left, right, both)
    once = counts(repeated(left), repeated(right), "edm")
    assert once["names"] == (min(left, 1), min(right, 1), min(both, 1))


def test_what_differs_is_paired_once() -> None:
    def labeled(*labels: str) -> Graph:
        return graph(*(Node(k, label) for k, label in enumerate(labels)))

    errors = outcome(labeled("a", "b"), labeled("c"), "edm").errors
    rows = [(e.error_type, e.value, e.gold, e.system, e.reason) for e in errors]
    assert rows == [
        ("missing", "a", 0, 0, "differs"),
        ("missing", "b", 1, 0, "absent"),
        ("spurious", "c", 0, 0, "differs"),
    ]


@given(st.data())
def test_counts_are_those_of_plain_sets(data: st.DataObject) -> None:
    """Identities drawn at random, tuples compared by brute force."""
    sizes = data.draw(st.tuples(st.integers(1, 4), st.integers(1, 4)))
    views, plain = [], []
    for size in sizes:
        names = data.draw(st.lists(st.integers(0, 2), min_size=size, max_size=size))
        ends = data.draw(
            st.lists(
                st.tuples(
                    st.integers(0, size - 1),
                    st.integers(0, size - 1),
                    st.sampled_from("ab"),
                ),
                max_size=5,
            )
        )
        one = graph(*map(Node, range(size)), edges=tuple(Edge(*end) for end in ends))
        views.append(named(one, names))
        plain.append([(names[a], names[b], label) for a, b, label in ends])
    same = exact(column("name", "node", what=False))
    edge = at(source, same) * at(target, same) * exact(edge_label)
    pair = Pair(views[0], views[1])
    once = measure(match(edges(), edge, duplicates="set"), pair)
    assert once.value == len(set(plain[0]) & set(plain[1]))
    assert (once.gold, once.system) == tuple(len(set(each)) for each in plain)
    each = measure(match(edges(), edge), pair)
    left = list(plain[1])
    for item in plain[0]:
        if item in left:
            left.remove(item)
    assert each.value == len(plain[1]) - len(left)
    assert (each.gold, each.system) == tuple(map(len, plain))
    # What is aligned by itself, with nothing, and in all, is one and the same.
    for formula in (match(edges(), edge, duplicates="set"), match(edges(), edge)):
        every = align(formula, pair, 0, 0)
        alone = [
            (one.gold, one.system)
            for one in every
            if one.gold is None or one.system is None
        ]
        for matched in (True, False):
            [found] = partition_all(formula, pair, matched)
            assert alone == [
                *[(one, None) for one, _ in found.gold],
                *[(None, two) for two, _ in found.system],
            ]
        assert len(every) - len(alone) == measure(formula, pair).value


@every_metric
def test_formulas_read_back_from_their_python(metric: Metric) -> None:
    assert isinstance(metric, FormulaMetric)
    public = {name: getattr(similarity, name) for name in similarity.__all__}
    for formula in metric.formulas().values():
        assert eval(repr(formula), public) == formula
        assert formula.latex()
