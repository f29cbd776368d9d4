"""Random small graphs, and random formulas over every name of the package."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from msgspec.structs import replace

from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.similarity import (
    Similarity,
    all_properties,
    along,
    anchors,
    at,
    attribute_value,
    choice,
    computed,
    contained,
    custom,
    descendant,
    edge_label,
    edges,
    edges_in,
    edges_out,
    exact,
    f1,
    f_beta,
    folded,
    harmonic,
    hierarchy,
    in_sequence,
    itself,
    jaccard,
    kind,
    label,
    latent,
    levels,
    match,
    name,
    nodes,
    offsets,
    only,
    owner,
    precision,
    properties,
    property_value,
    reachable,
    recall,
    source,
    sources,
    supertypes,
    target,
    targets,
    top,
    tops,
    total,
    value,
    values,
    variable,
    via,
    weight,
    without,
    words,
)

TREE = hierarchy({"a.x": ("a", "A"), "a.y": "a", "a": "b", "A": ("True", "b")})

LABELS = ("a", "a.x", "a.y", "b", "A", None, True, 1)
VALUES = ("a b", "b", "a.x", None, True, 1, 2)


def alike(one: Any, two: Any) -> float:
    """Half for values that begin alike."""
    if type(one) is type(two) and one == two:
        return 1
    return 0.5 if str(one)[:1].lower() == str(two)[:1].lower() else 0


def initial(found: Any) -> Any:
    """The first sign, or whether there is none."""
    return str(found)[:1] if found is not None else False


places = st.sampled_from(
    (
        (),
        (Anchor(0, 2),),
        (Anchor(0, 1), Anchor(1, 2)),
        (Anchor(1, 4),),
        (Anchor(3, 5),),
        (Anchor(0, 1), Anchor(3, 4)),
    )
)
pairs = st.lists(
    st.tuples(st.sampled_from(("p", "text")), st.sampled_from(VALUES)), max_size=2
)
kinds = st.sampled_from(((), (("kind", "m"),), (("kind", "e"),)))


POOLS = (LABELS, ("a", "a.x"), ("a", True, 1), ("a",))


@st.composite
def graphs(
    draw: st.DrawFn, most: int = 3, pool: tuple[Any, ...] | None = None
) -> Graph:
    """Graphs with loops, cycles, parallel edges, absent labels, equal nodes.

    Mostly full ones with few labels, so that much is alike.
    """
    pool = draw(st.sampled_from(POOLS)) if pool is None else pool
    size = draw(st.sampled_from((most, most, most, *range(most - 1, -1, -1))))
    labels = st.sampled_from(pool)
    made = tuple(
        Node(k, draw(labels), draw(kinds) + tuple(draw(pairs)), draw(places))
        for k in range(size)
    )
    ends = st.integers(0, max(0, size - 1))
    least = draw(st.sampled_from((4, 3, 2, 0)))
    found = draw(
        st.lists(
            st.tuples(
                ends,
                ends,
                st.sampled_from(("a", "b")) if draw(st.booleans()) else labels,
                st.sampled_from(((), (("w", True),), (("w", 1),))),
            ),
            min_size=least if size else 0,
            max_size=4 if size else 0,
        )
    )
    tops = draw(st.lists(ends, min_size=1, max_size=2)) if size else []
    return Graph(
        "1",
        "x",
        text="ab cd",
        nodes=made,
        edges=tuple(Edge(s, t, text, None, more) for s, t, text, more in found),
        tops=tuple(tops) if draw(st.integers(0, 3)) else (),
    )


@st.composite
def graph_pairs(draw: st.DrawFn) -> tuple[Graph, Graph]:
    """Two graphs that have something to do with one another."""
    pool = draw(st.sampled_from(POOLS))
    gold = draw(graphs(pool=pool))
    if draw(st.booleans()) or not gold.nodes:
        return gold, draw(graphs(pool=pool))
    labels = st.sampled_from(pool)
    order = draw(st.permutations(gold.nodes))
    nodes = tuple(
        each if draw(st.booleans()) else replace(each, label=draw(labels))
        for each in order
    )
    edges = tuple(each for each in gold.edges if draw(st.integers(0, 3)))
    return gold, replace(gold, nodes=nodes, edges=edges)


ONE = ("1:1", "n:n")
SIDES = st.sampled_from((("n:1",), ("1:n",)))
"""One direction for a whole formula, so that its numerators are one pair."""

node_features = st.sampled_from(
    (
        kind,
        label,
        computed(initial, label),
        anchors,
        property_value("p"),
        folded(label),
        via(along("a"), label),
        via(along("b"), anchors),
    )
)
edge_features = st.sampled_from(
    (
        edge_label,
        attribute_value("w"),
        via(target, label),
        via(source, kind),
        via(source, via(along("b"), label)),
        folded(edge_label),
    )
)
node_leaves: st.SearchStrategy[Similarity] = st.one_of(
    node_features.map(exact),
    st.lists(node_features, min_size=2, max_size=2).map(lambda x: exact(*x)),
    st.sampled_from(
        (
            custom(alike, label),
            levels(label),
            levels(label),
            levels(label, depth=3),
            levels(via(along("a"), label)),
            descendant(label, TREE),
            descendant(label, TREE, above=0.25),
            custom(alike, label),
            custom(alike, via(along("b"), property_value("p"))),
            weight(label, {"a": 2, True: 0.5}, otherwise=0.25),
            weight(label, {1: 1}),
            weight(kind, {"m": 1}),
        )
    ),
)
edge_leaves: st.SearchStrategy[Similarity] = st.one_of(
    edge_features.map(exact),
    st.lists(edge_features, min_size=2, max_size=2).map(lambda x: exact(*x)),
    st.sampled_from(
        (
            levels(edge_label),
            custom(alike, edge_label),
            weight(edge_label, {"a": 1, True: 3}),
            levels(via(target, label)),
        )
    ),
)
property_leaves: st.SearchStrategy[Similarity] = st.sampled_from(
    (exact(name), exact(name, value), custom(alike, value), exact(value))
)
value_leaves: st.SearchStrategy[Similarity] = st.sampled_from(
    (
        exact(itself),
        custom(alike, itself),
        choice(itself, {None: exact(itself), True: levels(itself)}),
        weight(itself, {None: 0.5, "b": 2}),
    )
)

around_nodes = st.sampled_from(
    (
        edges_out(),
        edges_out(),
        edges_in("a"),
        edges_out(True),
        only(edges_out(), attribute_value("w"), True),
    )
)
to_nodes = st.sampled_from(
    (
        targets(),
        targets(),
        sources(),
        targets(edge="a"),
        targets("m"),
        without(targets(), label, "a", True),
        sources(label="a"),
    )
)
to_values = st.sampled_from(
    (
        words(property_value("p")),
        words(label, frozenset({"b"})),
        offsets(),
        offsets(via(along("a"), anchors)),
        supertypes(label),
        supertypes(label, TREE),
        values("p"),
        without(values("p"), itself, None),
        only(values("p"), itself, None, True, "b"),
    )
)
of_graph = {
    "node": st.sampled_from(
        (nodes(), nodes(), nodes(), tops(), nodes("m"), nodes(label=1))
    ),
    "edge": st.sampled_from((edges(), edges(), edges("a"))),
    "property": st.just(all_properties()),
}


def normalized(draw: st.DrawFn, amount: Similarity) -> Similarity:
    """A ratio of an amount."""
    counting = draw(st.sampled_from(("bounded", "bounded", "formula")))
    how = draw(st.sampled_from((precision, recall, f1, jaccard)))
    if draw(st.integers(0, 5)) == 0:
        return f_beta(draw(st.sampled_from((0.5, 2))), amount, counting=counting)
    return how(amount, counting=counting)


@st.composite
def sums(
    draw: st.DrawFn, sort: str, deep: int, sides: tuple[str, ...], ordered: bool = True
) -> Similarity:
    """A Σ of nodes, edges, properties or values around a node or of a graph."""
    if sort == "graph":
        inner = draw(st.sampled_from(("node", "node", "edge", "property")))
        where = draw(of_graph[inner])
    else:
        inner = draw(st.sampled_from(("node", "edge", "property", "value")))
        where = draw(
            {
                "node": to_nodes,
                "edge": around_nodes,
                "property": st.just(properties()),
                "value": to_values,
            }[inner]
        )
    constraint = draw(st.sampled_from((*ONE, "1:1", *sides, *sides)))
    order = None
    if ordered and draw(st.integers(0, 3)) == 0:
        order = in_sequence
        if inner == "node" and draw(st.booleans()):
            order = draw(st.sampled_from((reachable(), reachable("a"))))
        if deep < 3 and constraint in sides:
            constraint = "1:1"
    duplicates = draw(st.sampled_from(("multiset", "set")))
    if duplicates == "set" and not isinstance(order, type(in_sequence)):
        order = None
    similarity = draw(similarities(inner, deep - 1, sides))
    return match(where, similarity, constraint, duplicates, order)


@st.composite
def similarities(
    draw: st.DrawFn, sort: str, deep: int, sides: tuple[str, ...]
) -> Similarity:
    """Similarities of a node, an edge, a property or a value."""
    leaves = {
        "node": node_leaves,
        "edge": edge_leaves,
        "property": property_leaves,
        "value": value_leaves,
    }[sort]
    how = draw(st.integers(0, 9 if deep > 0 else 0))
    if how <= 2:
        return draw(leaves)
    if how == 3:
        many = draw(st.integers(2, 3))
        found = draw(similarities(sort, deep - 1, sides))
        for _ in range(many - 1):
            found = found * draw(similarities(sort, deep - 1, sides))
        return found
    if how == 4:
        return total(
            draw(similarities(sort, deep - 1, sides)),
            draw(similarities(sort, deep - 1, sides)),
        )
    if how == 5:
        inner = draw(similarities(sort, deep - 1, sides))
        limit = draw(st.sampled_from((0, 0.5, 1)))
        if draw(st.booleans()) and not inner.normalized:
            return inner - (limit or 0.25)
        return inner > limit if draw(st.booleans()) else inner >= (limit or 0.25)
    if sort != "node":
        ends = {"edge": (source, target), "property": (owner,), "value": ()}[sort]
        if not ends:
            return draw(leaves)
        inner = draw(similarities("node", deep - 1, sides))
        return at(draw(st.sampled_from(ends)), inner)
    return draw(of_nodes(how, deep, sides))


@st.composite
def of_nodes(
    draw: st.DrawFn, how: int, deep: int, sides: tuple[str, ...]
) -> Similarity:
    """Similarities that only nodes have."""
    if how == 6:
        return at(along("a"), draw(similarities("node", deep - 1, sides)))
    if how == 7:
        cases = {
            each: draw(similarities("node", deep - 1, sides)) for each in ("m", None)
        }
        other = draw(st.none() | similarities("node", deep - 1, sides))
        return choice(kind, cases, otherwise=other)
    amount = draw(sums("node", deep, sides))
    if how == 8:
        return amount
    if draw(st.integers(0, 4)) == 0:
        second = draw(sums("node", deep, sides))
        return harmonic(precision(second), recall(amount))
    if draw(st.integers(0, 4)) == 0:
        return contained(targets(), draw(similarities("node", deep - 1, sides)))
    return normalized(draw, amount)


@st.composite
def formulas(draw: st.DrawFn, deep: int = 3) -> Similarity:
    """Formulas about whole graphs."""
    sides = draw(SIDES)
    found = draw(sums("graph", deep, sides))
    how = draw(st.integers(0, 7))
    if how == 0:
        found = total(found, draw(sums("graph", deep - 1, sides)))
    elif how == 1:
        found = found * draw(sums("graph", deep - 1, sides))
    elif how == 2:
        found = at(top, draw(sums("node", deep, sides)))
    elif how == 3:
        found = found * normalized(draw, draw(sums("graph", deep - 1, sides, False)))
    if draw(st.booleans()) and not found.normalized:
        return normalized(draw, found)
    return found


@st.composite
def one_sided(draw: st.DrawFn) -> Similarity:
    """Sums and ratios in one another, one of them or both one-sided."""
    side, other = draw(st.permutations(("n:1", "1:n")))
    lax = st.sampled_from(
        (exact(kind), custom(alike, label), levels(label), exact(label))
    )
    inner = match(
        draw(st.sampled_from((targets(), sources(), targets(edge="a")))),
        draw(lax),
        draw(st.sampled_from((side, side, "1:1", "n:n", other))),
    )
    how = draw(st.sampled_from((4, *range(8))))
    found: Similarity = inner
    if how == 1:
        found = exact(kind) * inner
    elif how == 2:
        found = total(inner, draw(lax))
    elif how == 3:
        found = choice(kind, {"m": inner, "e": draw(lax)}, otherwise=inner)
    elif how == 4:
        found = at(along(draw(st.sampled_from("ab"))), inner)
    elif how == 5:
        found = normalized(draw, inner)
    elif how == 6:
        found = draw(lax)
    elif how == 7:
        found = inner - 0.5
    outer = match(nodes(), found, draw(st.sampled_from((side, side, "1:1", "n:n"))))
    return draw(st.sampled_from((outer, f1(outer), jaccard(outer), recall(outer))))


@st.composite
def latents(draw: st.DrawFn) -> Similarity:
    """Sums over things with one, two or three variables."""
    sides = ("n:1", "1:n")
    terms = []
    for _ in range(draw(st.integers(1, 2))):
        fields: list[Similarity]
        if draw(st.booleans()):
            where = draw(st.sampled_from((nodes(), nodes("m"))))
            fields = [variable()]
            if draw(st.booleans()):
                fields.append(variable(along("a")))
            rest = draw(similarities("node", 1, ()))
        else:
            where = draw(st.sampled_from((edges(), edges("a"))))
            fields = [variable(source), variable(target)]
            rest = draw(similarities("edge", 1, ()))
        if draw(st.integers(0, 2)) == 0 and len(fields) == 2:
            fields = fields[: draw(st.integers(0, 2))]
        parts = [*fields, rest] if draw(st.booleans()) or not fields else fields
        found = parts[0]
        for each in parts[1:]:
            found = found * each
        constraint = draw(st.sampled_from((*ONE, *sides)))
        duplicates = draw(st.sampled_from(("multiset", "set")))
        terms.append(match(where, found, constraint, duplicates))
    variables = draw(st.sampled_from((nodes(), nodes(), nodes("m"))))
    return latent(variables, total(*terms))
