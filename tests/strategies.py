"""Random labelled graphs, and what can be done to them without changing them."""

from __future__ import annotations

import msgspec
from hypothesis import strategies as st

from graphscore.model.graph import Anchor, Edge, Graph, Node, NodeId, Pairs

TEXTS = ("", "Zoë ate crème brûlée.", "Nov. 29, 1 a.m. (sic!)", "日本 は　良い 🙂 x")

LABELS = (None, "", "\n", "a b", "\t", "x" * 300, "\u2028", "(", "*")
"""Labels that few programs expect."""

scalars = st.one_of(
    st.sampled_from(("a", "A", "b", "", "42", "true", "crème")),
    st.sampled_from((42, 0, -1, 1.5, True, False, None)),
)
"""Few values, so that nodes often agree."""

any_scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
)
"""Every JSON scalar."""

edge_labels = st.sampled_from(
    (None, "", "ARG0", "arg0", "ARG1", "ARG0-of", "mod", "domain", "consist-of")
)


def pairs(names: st.SearchStrategy[str]) -> st.SearchStrategy[Pairs]:
    """Names with values; names may repeat."""
    return st.lists(st.tuples(names, scalars), max_size=3).map(tuple)


properties = pairs(st.sampled_from(("pos", "POS", "frame", "op1")))
attributes = pairs(st.sampled_from(("remote", "effective", "x")))


def anchors_of(text: str) -> st.SearchStrategy[tuple[Anchor, ...]]:
    """Up to two ranges of *text*, empty and overlapping ones included."""
    end = len(text) or 12
    spans = st.tuples(st.integers(0, end), st.integers(0, end))
    return st.lists(spans.map(lambda two: Anchor(*sorted(two))), max_size=2).map(tuple)


@st.composite
def graphs(
    draw: st.DrawFn,
    largest: int = 4,
    framework: str | None = None,
    text: str | None = None,
    item: str = "1",
) -> Graph:
    """Graphs with self-loops, parallel edges, repeated properties, absent labels."""
    if framework is None:
        framework = draw(st.sampled_from(("dm", "eds", "ucca", "amr", "x")))
    if text is None:
        text = draw(st.sampled_from(TEXTS))
    size = draw(st.integers(0, largest))
    ids: list[NodeId] = [k if k % 2 else f"n{k}" for k in range(size)]
    nodes = tuple(
        Node(ids[k], draw(scalars), draw(properties), draw(anchors_of(text)))
        for k in range(size)
    )
    edges: tuple[Edge, ...] = ()
    tops: tuple[NodeId, ...] = ()
    if size:
        place = st.sampled_from(ids)
        edges = tuple(
            Edge(source, target, label, normal, found)
            for source, target, label, normal, found in draw(
                st.lists(
                    st.tuples(
                        place,
                        place,
                        edge_labels,
                        st.sampled_from((None, None, None, "ARG1")),
                        attributes,
                    ),
                    max_size=2 * largest,
                )
            )
        )
        tops = tuple(draw(st.lists(place, max_size=2)))
    flavor = {"dm": 0, "eds": 1, "ucca": 1, "amr": 2}.get(framework)
    return Graph(
        item, framework, flavor, text=text, nodes=nodes, edges=edges, tops=tops
    )


@st.composite
def graph_pairs(draw: st.DrawFn, largest: int = 5) -> tuple[Graph, Graph]:
    """Two graphs of one framework and text: unrelated, or a disturbed copy."""
    framework = draw(st.sampled_from(("dm", "eds", "ucca", "amr")))
    text = draw(st.sampled_from(TEXTS))
    gold = draw(graphs(largest, framework, text))
    if draw(st.booleans()):
        return gold, draw(graphs(largest, framework, text))
    kept = [node for node in gold.nodes if draw(st.integers(0, 5))]
    if framework != "dm":
        kept = draw(st.permutations(kept))
    nodes = tuple(
        node
        if draw(st.integers(0, 3))
        else msgspec.structs.replace(node, label=draw(scalars))
        for node in kept
    )
    there = {node.id for node in nodes}
    edges = tuple(
        edge
        if draw(st.integers(0, 3))
        else msgspec.structs.replace(edge, label=draw(edge_labels))
        for edge in gold.edges
        if edge.source in there and edge.target in there
    )
    tops = tuple(top for top in gold.tops if top in there)
    system = msgspec.structs.replace(gold, nodes=nodes, edges=edges, tops=tops)
    return gold, renamed(system)


def renamed(graph: Graph) -> Graph:
    """The same graph with other node ids."""
    name: dict[NodeId, NodeId] = {
        node.id: f"other{place}" if place % 3 else 1000 - place
        for place, node in enumerate(graph.nodes)
    }
    replace = msgspec.structs.replace
    return replace(
        graph,
        nodes=tuple(replace(node, id=name[node.id]) for node in graph.nodes),
        edges=tuple(
            replace(edge, source=name[edge.source], target=name[edge.target])
            for edge in graph.edges
        ),
        tops=tuple(name[top] for top in graph.tops),
    )


def reordered(graph: Graph, order: list[int]) -> Graph:
    """The same graph with its node list in another order; edges reversed."""
    return msgspec.structs.replace(
        graph,
        nodes=tuple(graph.nodes[place] for place in order),
        edges=graph.edges[::-1],
        tops=graph.tops[::-1],
    )


@st.composite
def orders(draw: st.DrawFn, graph: Graph) -> list[int]:
    """A permutation of the node list."""
    return draw(st.permutations(range(len(graph.nodes))))
