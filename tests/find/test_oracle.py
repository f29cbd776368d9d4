"""What the SQL finds is what trying everything finds."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from graphscore.evaluation.store import Store
from graphscore.find.grammar import parse
from graphscore.model.graph import Anchor, Edge, Graph, Node
from tests.databases import Stores
from tests.find.oracle import Matcher, Pair

NODES = ("X", "Y", "Z")

LABELS = ("a", "b", "42", "true", 're"[ab]"', 're"cr.*"', '""')

EDGES = ("ARG0", "ARG1", 're"ARG.*"', "mod", "ARG0-of")

TEXT = "Zoë ate 🙂 a crème"

names = st.sampled_from(NODES)

ends = st.one_of(names, names, names, st.sampled_from(["*", "X$", "W$"]))


@st.composite
def among(draw: st.DrawFn, values: tuple[str, ...]) -> str:
    return "|".join(draw(st.lists(st.sampled_from(values), min_size=1, max_size=2)))


@st.composite
def node_tests(draw: st.DrawFn) -> str:
    name = draw(st.sampled_from(("label", "label", "pos", "frame", "text")))
    sign = draw(st.sampled_from(("=", "<>", "", "!")))
    if sign in ("", "!"):
        return f"{sign}{name}"
    return f"{name}{sign}{draw(among(LABELS))}"


@st.composite
def edges(draw: st.DrawFn) -> str:
    tuple_type = draw(st.sampled_from(("", "=", "=", "^", "attribute")))
    arrow = "->"
    if tuple_type == "attribute":
        what = draw(st.sampled_from(("!remote", "remote=true|b", "label<>mod, remote")))
        arrow = f"-[{what}]->"
    elif tuple_type:
        arrow = f"-[{tuple_type.strip('=')}{draw(among(EDGES))}]->"
    return f"{draw(ends)} {arrow} {draw(ends)}"


PLAIN = (
    *("X << Y", "X < Y", "top(X)", "X.label = Y.label", "X.pos <> Y.frame", "Y << X"),
    *("X.__id__ < Y.__id__", 'X.label <> re"[ab]"', "X ->> Y", "e.label = X.pos"),
    *("X ->> Z", "Y ->> X", "Z ->> Y", "X.text = Y.text"),
)
"""Clauses about what is bound."""

JUDGED = {
    "gold": ("missing(X)", "missing(e)", 'missing(X -[re"ARG.*"]-> Y)'),
    "system": ("spurious(X)", "spurious(e)", "spurious(X -> Y)"),
    "either": (
        *("matched(X)", "matched(Y)", "matched(e)", "matched(X -> Y)"),
        *("wrong(X.label)", "wrong(X.pos)", "wrong(e.label)", "wrong(e.remote)"),
        *("spurious(* -> X)", "missing(X -> *)", "matched(* -> X)"),
    ),
}
"""Clauses about what became of it, by side."""

LOOSE = {"gold": "spurious(X -> Y)", "system": "missing(X -[ARG1|mod]-> Y)"}
"""Of an edge of the other side, between counterparts."""


@st.composite
def clauses(
    draw: st.DrawFn, judged: bool, side: str = "gold", edge: str = "e"
) -> list[str]:
    """Some that bind, then some that are about what is bound."""
    found = [f"{name} []" for name in draw(st.lists(names, max_size=2, unique=True))]
    found += draw(st.lists(edges(), min_size=1 - bool(found), max_size=2))
    found += [
        f"{draw(names)} [{draw(node_tests())}]" for _ in range(draw(st.integers(0, 1)))
    ]
    rest = [*PLAIN]
    if judged:
        rest += [*JUDGED[side], *JUDGED[side], *JUDGED["either"], LOOSE[side]]
    chosen = draw(st.lists(st.sampled_from(rest), max_size=2, unique=True))
    if any("e." in x or "(e)" in x for x in chosen):
        found.append("e: X -> Y")
    for name in NODES:
        if any(name in x for x in chosen) and name not in " ".join(found):
            found.append(f"{name} []")
    return [re.sub(r"\be(?=[.:)])", edge, x) for x in found + chosen]


@st.composite
def patterns(draw: st.DrawFn, judged: bool) -> str:
    block = "; ".join(draw(clauses(judged)))
    found = [f"pattern {{ {block} }}"]
    if judged and draw(st.booleans()):
        inner = "; ".join(draw(clauses(True, "system", "f")))
        found.append(f"system {{ {inner} }}")
    for tuple_type in draw(st.lists(st.sampled_from(("with", "without")), max_size=2)):
        side = draw(st.sampled_from(("gold", "system"))) if judged else "gold"
        inner = "; ".join(draw(clauses(judged, side, "g")))
        if side == "system":
            inner = f"system {{ {inner} }}"
        found.append(f"{tuple_type} {{ {inner} }}")
    return " ".join(found)


def in_store(store: Store, pattern: str, **sides: str) -> list[Any]:
    """Hits as the store says them, by item."""
    found = store.find(pattern, **sides)
    assert found.hits == len(found.items)
    hits = []
    for each in found.items:
        nodes = []
        for name, node in each["nodes"].items():
            several = [node[side] for side in ("gold", "system") if side in node]
            nodes.append((name, [one["ordinal"] for one in several or [node]]))
        edges = sorted(edge["ordinal"] for edge in each["edges"].values())
        hits.append((each["item"], sorted(nodes), edges))
    return sorted(hits)


def expected(pattern: str, pairs: dict[str, Pair]) -> list[Any]:
    found = []
    for item, pair in pairs.items():
        for nodes, edges in Matcher(parse(pattern), pair).hits():
            named: dict[str, list[int]] = {}
            for (_, name), number in sorted(nodes.items()):
                named.setdefault(name, []).append(number)
            found.append((item, sorted(named.items()), sorted(edges.values())))
    return sorted(found)


def random_graph(chance: Random, item: str) -> Graph:
    """A dense graph of few labels, with loops, parallel edges and gaps."""

    def value() -> Any:
        return chance.choice(("a", "b", "a", "b", 42, True, None, "", "crème", "42"))

    def pairs(*names: str) -> Any:
        return tuple(
            (chance.choice(names), value()) for _ in range(chance.randint(0, 2))
        )

    def anchor() -> Anchor:
        return Anchor(*sorted((chance.randint(0, 17), chance.randint(0, 17))))

    size = chance.choice((1, 2, 3, 3, 4))
    nodes = tuple(
        Node(
            *(k if k % 2 else f"n{k}", value(), pairs("pos", "frame")),
            tuple(anchor() for _ in range(chance.choice((0, 1, 1, 2)))),
        )
        for k in range(size)
    )
    ids = [node.id for node in nodes]
    labels = ("ARG0", "ARG1", "ARG1", "mod", "ARG0-of", None)
    edges = tuple(
        Edge(
            *(chance.choice(ids), chance.choice(ids), chance.choice(labels)),
            attributes=pairs("remote", "x"),
        )
        for _ in range(chance.randint(0, 6))
    )
    tops = tuple(chance.sample(ids, chance.choice((0, 1, 1))))
    text = chance.choice((TEXT, TEXT, TEXT, ""))
    return Graph(*(item, "eds", 1), text=text, nodes=nodes, edges=edges, tops=tops)


def changed(chance: Random, graph: Graph) -> Graph:
    """What a parser would make of a graph: much is right."""
    other = random_graph(chance, graph.id)
    ids = {node.id for node in graph.nodes}
    nodes = tuple(
        msgspec.structs.replace(
            node,
            label=node.label if chance.random() < 0.7 else "b",
            properties=node.properties if chance.random() < 0.7 else (("pos", "a"),),
        )
        for node in graph.nodes
    )
    edges = [edge for edge in graph.edges if chance.random() < 0.8]
    edges += [x for x in other.edges if {x.source, x.target} <= ids][:2]
    kept = [
        msgspec.structs.replace(edge, label="ARG0") if chance.random() < 0.2 else edge
        for edge in edges
    ]
    order = sorted(nodes, key=lambda _: chance.random())
    return msgspec.structs.replace(graph, nodes=tuple(order), edges=tuple(kept))


seeds = st.integers(0, 2**32)


WORDLY = (
    *("X []; Y []; X < Y", "X [form=a]; Y []; Y << X", "Z [!multiword]; X []; X < Z"),
    *("X -[1=nsubj]-> Y", "X -[1=nsubj, 2=pass|a]-> Y", "X -[2<>pass]-> Y"),
    *("X -[1=nsubj, !2]-> Y", "X -[2=*, 1=root]-> Y", "e: X -> Y; e.1 = X.form"),
    *("* -[root]-> X; X []", "* -[1=root|nsubj]-> X; Y -> X", "* -[^root]-> X; X []"),
    *('e: X -> Y; e.2 <> "pass"', 'X []; X.form = re"[ab]"', "X []; Y []; Y > X"),
    *("* -[label=root, !x]-> X; X []", 'X []; Y []; X.form <> "a"; X < Y'),
)
"""Clauses of which graphs over words have their own understanding."""

GLOBALS = (
    *("is_projective", "is_not_projective", "is_tree", "is_not_tree", "is_forest"),
    *("is_not_forest", "is_cyclic", "is_not_cyclic", "framework=ud|eud"),
    *('sent_id="1"|"2"|"3"', 'sent_id<>"1"', 'text=re".*g.*"', 'text<>""'),
)


def word_graph(chance: Random, item: str) -> Graph:
    """One whose nodes are words, tokens of words among them."""
    graph = random_graph(chance, item)
    labels = ("nsubj", "nsubj:pass", "root", "root:a", "nsubj:a:b", None)
    nodes = [
        msgspec.structs.replace(node, properties=chance.choice((
            *(node.properties, node.properties, (("multiword", 2),)),
            (("deprel", "x"),),
        )))
        for node in graph.nodes
    ]  # fmt: skip
    edges = [
        msgspec.structs.replace(edge, label=chance.choice(labels))
        for edge in graph.edges[: chance.randint(0, 6)]
    ]
    framework = chance.choice(("ud", "eud", "ud", "eds"))
    return msgspec.structs.replace(
        graph, framework=framework, nodes=tuple(nodes), edges=tuple(edges)
    )


@settings(max_examples=12)
@given(
    seeds,
    st.lists(
        st.tuples(st.sampled_from(WORDLY), st.sampled_from(GLOBALS), st.integers(0, 3)),
        min_size=8,
        max_size=8,
    ),
    st.booleans(),
)
def test_words_and_whole_graphs_are_searched_as_a_naive_matcher_does(
    seed: int, asked: list[tuple[str, str, int]], mixed: bool
) -> None:
    chance = Random(seed)
    graphs = [word_graph(chance, str(number)) for number in range(8)]
    if not mixed:
        graphs = [x for x in graphs if x.framework in ("ud", "eud")]
    pairs = {g.id: Pair({"gold": g, "system": None}) for g in graphs}
    with Store("sqlite://", mode="create") as store:
        store.add(graphs, "gold")
        for clause, whole, tuple_type in asked:
            pattern = (
                f"pattern {{ {clause} }}",
                f"pattern {{ {clause} }} global {{ {whole} }}",
                f"pattern {{ X -> Y }} without {{ {clause} }}",
                f"pattern {{ }} global {{ {whole} }}",
            )[tuple_type]
            assert in_store(store, pattern) == expected(pattern, pairs), pattern


@settings(max_examples=16)
@given(seeds, st.lists(patterns(False), min_size=5, max_size=5))
def test_one_side_is_searched_as_a_naive_matcher_does(
    stores: Stores, seed: int, asked: list[str]
) -> None:
    chance = Random(seed)
    graphs = [random_graph(chance, str(number)) for number in range(6)]
    pairs = {g.id: Pair({"gold": g, "system": None}) for g in graphs}
    with stores.brief() as place, Store(place, mode="create") as store:
        store.add(graphs, "gold")
        for pattern in asked:
            assert in_store(store, pattern) == expected(pattern, pairs), pattern


def judged(store: Store, golds: list[Graph], systems: list[Graph]) -> dict[str, Pair]:
    """What the public views say of each item."""
    there = {g.id: g for g in systems}
    pairs = {g.id: Pair({"gold": g, "system": there.get(g.id)}) for g in golds}
    _, rows = store.query(
        "select item, object, gold_ordinal, system_ordinal from v_correspondences "
        "where side = 'both'"
    )
    for item, what, gold, system in rows:
        into = pairs[item].nodes if what == "node" else pairs[item].edges
        into.add((gold, system))
    columns, rows = store.query(
        "select item, object, tuple_type, error_type, name, gold_ordinal as gold, "
        "system_ordinal as system from v_errors"
    )
    for row in rows:
        one = dict(zip(columns, row, strict=True))
        pairs[one["item"]].errors.append(one)
    return pairs


@settings(max_examples=16)
@given(seeds, st.lists(patterns(True), min_size=5, max_size=5))
def test_two_sides_and_what_is_wrong_are_found_as_a_naive_matcher_does(
    stores: Stores, seed: int, asked: list[str]
) -> None:
    chance = Random(seed)
    golds = [random_graph(chance, str(number)) for number in range(5)]
    systems = [changed(chance, graph) for graph in golds[:-1]]
    with stores.brief() as place, Store(place, mode="create") as store:
        store.add(golds, "gold")
        store.add(systems, "system")
        store.score("gold", "system", "mrp")
        pairs = judged(store, golds, systems)
        for pattern in asked:
            hits = in_store(store, pattern, gold="gold", system="system")
            assert hits == expected(pattern, pairs), pattern
