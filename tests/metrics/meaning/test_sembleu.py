"""SemBleu: the program's figures, a brute-force oracle, what rows and sums say."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphscore import score
from graphscore.evaluation.options import Options
from graphscore.metrics.registry import parse
from graphscore.model.graph import Edge, Graph, Node
from tests.metrics.meaning.pieces import counts, graph, outcome
from tests.strategies import graph_pairs
from tests.wild import GRAPHS

BY_ORDER = Options(pair="order")

GOLD = """(a / ask-01 :ARG0 (b / boy) :ARG1 (q / question))

(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-01 :ARG0 b :polarity -))
"""

SYSTEM = """(a / answer-01 :ARG0 (g / girl) :ARG1 (q / question))

(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-01 :ARG0 b))
"""


def figure(gold: Graph | None, system: Graph | None, metric: str = "sembleu") -> float:
    chosen = parse(metric)
    return chosen.value(chosen.figures(outcome(gold, system, chosen).masses))


def files(folder: Path, gold: str, system: str) -> tuple[str, str]:
    paths = folder / "gold.amr", folder / "system.amr"
    for path, text in zip(paths, (gold, system), strict=True):
        path.write_text(text, encoding="utf-8")
    return str(paths[0]), str(paths[1])


# Worked examples, with what the program prints.


@pytest.mark.parametrize(
    ("gold", "system", "printed"),
    [
        (GOLD, SYSTEM, 0.6137001811454574),
        (SYSTEM, GOLD, 0.5196093608406864),
        # No trigrams at all: lengths weigh the same.
        (GOLD[:51], SYSTEM[:55], 0.28867513459481287),
        (GOLD[51:], SYSTEM[55:], 0.7165313105737893),
        (SYSTEM[55:], GOLD[51:], 0.6515396465997167),
    ],
)
def test_figures_are_those_of_the_program(
    gold: str, system: str, printed: float, tmp_path: Path
) -> None:
    result = score(*files(tmp_path, gold, system), "sembleu", options=BY_ORDER)
    assert result.value == printed


PUBLISHED = [
    (
        *("wild/graphs/amr/lpp_v3.0.gold.amr", "wild/graphs/amr/lpp_v1.6.amr"),
        [(3407, 3389, 3293), (3395, 3357, 3118), (2415, 2420, 2149)],
        (6815, 6759),
        (0.9205278827271832, 0.9212067020964214, 0.9421590577039622),
        0.9636557648694619,
    ),
    (
        *("wild/graphs/amr/bio_v3.0.gold.amr", "wild/graphs/amr/bio_v0.8.amr"),
        [(4302, 4213, 4074), (4369, 4283, 3890), (3747, 3721, 3244)],
        (8671, 8496),
        (0.8954682442438213, 0.8962005153967278, 0.9180577043808738),
        0.9472922818776667,
    ),
    (
        *("conformance/mrp/amr/coli500.gold.amr",),
        *("conformance/mrp/amr/coli500.system.amr",),
        [(8036, 7692, 6727), (8043, 7393, 4786), (6553, 5907, 2656)],
        (16079, 15118),
        (0.5919053072787769, 0.5947372207232038, 0.7060906203951633),
        0.8206831645984135,
    ),
    (
        *("conformance/mrp/amr/first.gold.amr", "conformance/mrp/amr/first.system.amr"),
        [(18, 16, 14), (18, 17, 10), (16, 14, 7)],
        (36, 33),
        (0.5786328409937757, 0.5808023908566485, 0.6550858961710482),
        0.7989631267469797,
    ),
    (
        *("conformance/mrp/amr/test.gold.amr", "conformance/mrp/amr/test.system.amr"),
        [(16, 16, 14), (14, 13, 10), (8, 7, 6)],
        (30, 29),
        (0.8034222436648303, 0.804260917984378, 0.7926047643797667),
        0.8453418719598969,
    ),
    (
        *("conformance/mrp/amr/233.gold.amr", "conformance/mrp/amr/233.system.amr"),
        [(7, 6, 6), (6, 6, 4), (3, 4, 2)],
        (13, 12),
        (0.6358409278306614, 0.6379231677865713, 0.7512131188464936),
        0.9200444146293233,
    ),
]
"""Files, counts by length, lengths, and what ``eval.py`` prints: without a third
argument, with 3, with 2; with 1."""


@pytest.mark.parametrize(
    ("gold", "system", "grams", "lengths", "printed", "labels"),
    PUBLISHED,
    ids=[Path(case[0]).name.partition(".")[0] for case in PUBLISHED],
)
def test_published_files_have_every_count_of_the_program(
    gold: str,
    system: str,
    grams: list[tuple[int, int, int]],
    lengths: tuple[int, int],
    printed: tuple[float, float, float],
    labels: float,
) -> None:
    shared = GRAPHS.parents[1]
    if not shared.is_dir():
        pytest.skip("the published files are not beside this checkout")
    sides = str(shared / gold), str(shared / system)
    names = "sembleu", "sembleu(weights=uniform)", "sembleu(n=2)", "sembleu(n=1)"
    found = [score(*sides, name, options=BY_ORDER) for name in names]
    assert [found[0].counts[kind][:3] for kind in parse("sembleu").kinds] == grams
    for side, length in zip(("gold", "system"), lengths, strict=True):
        key = "lengths", "length", side
        assert sum(each[key] for each in found[0].masses.values()) == length
    assert [each.value for each in found] == [*printed, labels]


# What is counted.


def chain(*labels: str, framework: str = "amr") -> Graph:
    nodes = tuple(Node(k, label) for k, label in enumerate(labels))
    edges = tuple(Edge(k, k + 1, "r") for k in range(len(labels) - 1))
    return graph(*nodes, framework=framework, edges=edges)


def test_paths_of_the_same_words_match_wherever_they_are() -> None:
    one = graph(*chain("a", "b").nodes, *(Node(2, "a"),), edges=(Edge(0, 1, "r"),))
    two = graph(*one.nodes, edges=(Edge(2, 1, "r"),))
    assert counts(one, two, "sembleu")["bigrams"] == (1, 1, 1)


def test_bags_are_clipped() -> None:
    one, two = chain("a", "a", "b"), chain("a", "a", "a", "a")
    assert counts(one, two, "sembleu")["unigrams"] == (3, 4, 2)
    assert counts(one, two, "sembleu")["bigrams"] == (2, 3, 1)


def test_labels_are_lower_case_and_roles_as_written() -> None:
    assert counts(chain("A", "B"), chain("a", "b"), "sembleu")["bigrams"][2] == 1
    other = graph(*chain("a", "b").nodes, edges=(Edge(0, 1, "R"),))
    assert counts(chain("a", "b"), other, "sembleu")["bigrams"][2] == 0


def test_every_label_in_of_is_turned_round() -> None:
    nodes = chain("a", "b").nodes
    for label, base in (("ARG0-of", "ARG0"), ("consist-of", "consist")):
        turned = graph(*nodes, edges=(Edge(0, 1, label),))
        straight = graph(*nodes, edges=(Edge(1, 0, base),))
        assert counts(turned, straight, "sembleu")["bigrams"] == (1, 1, 1)
    kept = graph(*nodes, edges=(Edge(0, 1, "mod"),))
    assert counts(kept, kept, "sembleu")["bigrams"] == (1, 1, 1)


def test_what_no_path_from_a_root_reaches_is_no_n_gram_but_has_its_length() -> None:
    nodes = tuple(Node(k, label) for k, label in enumerate("abc"))
    circle = Edge(1, 2, "r"), Edge(2, 1, "r")
    found = outcome(graph(*nodes, edges=circle), None, "sembleu").masses
    assert found["unigrams", "", "gold"] == 1
    assert found["lengths", "length", "gold"] == 5
    # With circles alone the top begins.
    whole = graph(*nodes, edges=(*circle, Edge(2, 0, "r"), Edge(0, 0, "s")), tops=(0,))
    assert outcome(whole, None, "sembleu").masses["unigrams", "", "gold"] == 1


def test_a_property_that_is_turned_round_begins_at_its_value() -> None:
    said = graph(Node(0, "a", (("ARG0-of", "X"),)))
    assert counts(said, said, "sembleu")["bigrams"] == (1, 1, 1)
    [row] = [e for e in outcome(said, None, "sembleu").errors if e.kind == "bigrams"]
    assert (row.object, row.gold, row.value) == ("leaf", 0, "x -ARG0-> a")


def test_properties_can_be_left_out() -> None:
    one = graph(Node(0, "a", (("pos", "NN"),)))
    assert counts(one, one, "sembleu(properties=none)")["all"] == (1, 1, 1)
    assert counts(one, one, "sembleu")["all"] == (3, 3, 3)


def test_the_penalty_is_for_what_is_too_short() -> None:
    long, short = chain("a", "b", "c"), chain("a", "b")
    assert figure(short, long) == pytest.approx((2 / 3) ** 0.34 * 0.5**0.33 * 0.5**0.34)
    assert figure(long, short) == pytest.approx(math.exp(1 - 5 / 3))


def test_nothing_is_worth_nothing() -> None:
    one = chain("a", "b")
    assert figure(one, None) == figure(None, one) == figure(one, chain("c")) == 0
    assert math.isnan(figure(None, None))


def test_corpus_figures_are_those_of_summed_counts_and_no_mean(tmp_path: Path) -> None:
    both = files(tmp_path, GOLD, SYSTEM)
    options = Options(pair="order", per_item=True)
    result = score(*both, "sembleu", options=options)
    single = [parse("sembleu").figures(each.masses) for each in result.items]
    values = [each.numbers["sembleu"] for each in single]
    assert values == [0.28867513459481287, 0.7165313105737893]
    assert result.value == 0.6137001811454574


def test_errors_are_n_grams() -> None:
    gold, system = chain("a", "b", "a"), chain("a", "c", "d")
    rows = [
        (e.side, e.kind, e.object, e.gold, e.system, e.value, e.reason)
        for e in outcome(gold, system, "sembleu").errors
    ]
    assert rows == [
        ("missing", "unigrams", "node", 1, None, "b", "absent"),
        ("missing", "unigrams", "node", 2, None, "a", "fewer"),
        ("missing", "bigrams", "edge", 0, None, "a -r-> b", "absent"),
        ("missing", "bigrams", "edge", 1, None, "b -r-> a", "absent"),
        ("missing", "trigrams", "path", 0, None, "a -r-> b -r-> a", "absent"),
        ("surplus", "unigrams", "node", None, 1, "c", "absent"),
        ("surplus", "unigrams", "node", None, 2, "d", "absent"),
        ("surplus", "bigrams", "edge", None, 0, "a -r-> c", "absent"),
        ("surplus", "bigrams", "edge", None, 1, "c -r-> d", "absent"),
        ("surplus", "trigrams", "path", None, 0, "a -r-> c -r-> d", "absent"),
    ]


# An oracle: the graph in another library, paths by trying all edges.


def bags(one: Graph, leaves: bool) -> list[Counter[tuple[str, ...]]]:
    net = nx.MultiDiGraph()

    def add(source: object, target: object, label: object) -> None:
        said = "" if label is None else str(label)
        if said[-3:] == "-of":
            source, target, said = target, source, said.replace("-of", "")
        net.add_edge(source, target, said=said if said[:1] == ":" else ":" + said)

    for node in one.nodes:
        net.add_node(node.id, said=node.label)
    for edge in one.edges:
        add(edge.source, edge.target, edge.label)
    for node in one.nodes if leaves else ():
        for number, (name, value) in enumerate(node.properties):
            net.add_node((node.id, number), said=value)
            add(node.id, (node.id, number), name)
    roots = [node for node, degree in net.in_degree() if degree == 0]
    roots = roots or [*one.tops, *net.nodes][:1]
    reached = set(roots).union(*(nx.descendants(net, root) for root in roots))

    def words(node: object) -> list[str]:
        said = net.nodes[node]["said"]
        return [] if said is None else str(said).lower().split()

    found: list[Counter[tuple[str, ...]]] = [Counter(), Counter(), Counter()]
    for node in reached:
        found[0][tuple(words(node))] += 1
    edges = list(net.edges(keys=True, data="said"))
    for a, b, _, said in edges:
        if a in reached:
            found[1][(*words(a), *said.split(), *words(b))] += 1
    for one_edge, two_edge in itertools.permutations(edges, 2):
        a, b, _, first = one_edge
        if a in reached and two_edge[0] == b:
            c, second = two_edge[1], two_edge[3]
            path = *words(a), *first.split(), *words(b), *second.split(), *words(c)
            found[2][path] += 1
    return found


def bleu(one: Graph, two: Graph, leaves: bool, weights: tuple[float, ...]) -> float:
    gold, system = bags(one, leaves), bags(two, leaves)
    sizes = [
        len(each.nodes)
        + len(each.edges)
        + 2 * leaves * sum(len(node.properties) for node in each.nodes)
        for each in (one, two)
    ]
    if not any(sizes):
        return math.nan
    every = [each.total() for each in system]
    shared = [(a & b).total() for a, b in zip(gold, system, strict=True)]
    if not shared[0]:
        return 0
    longest = 1 + max(n for n in range(3) if every[n])
    weights = weights if longest == 3 else (1 / longest,) * longest
    product, half = 1.0, 1.0
    for n in range(longest):
        share = shared[n] / every[n] if shared[n] else 0.0
        if not share:
            half /= 2
            share = half / max(1, every[n])
        product *= share ** weights[n]
    penalty = 1.0 if sizes[1] > sizes[0] else math.exp(1 - sizes[0] / sizes[1])
    return penalty * product


@settings(deadline=None, max_examples=80)
@given(pair=graph_pairs(5), leaves=st.booleans(), equal=st.booleans())
def test_counts_and_figures_are_those_of_the_oracle(
    pair: tuple[Graph, Graph], leaves: bool, equal: bool
) -> None:
    chosen = f"properties={'leaves' if leaves else 'none'}"
    weights = "uniform" if equal else "published"
    metric = f"sembleu({chosen},weights={weights})"
    one, two = (bags(each, leaves) for each in pair)
    found = counts(*pair, metric)
    for kind, gold, system in zip(parse("sembleu").kinds, one, two, strict=True):
        expected = gold.total(), system.total(), (gold & system).total()
        assert found[kind] == expected
    expected_figure = bleu(*pair, leaves, (1 / 3,) * 3 if equal else (0.34, 0.33, 0.34))
    assert figure(*pair, metric) == pytest.approx(expected_figure, nan_ok=True)
