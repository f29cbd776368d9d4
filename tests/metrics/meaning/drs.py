"""Discourse representations for tests: small ones, drawn at random."""

from __future__ import annotations

from hypothesis import strategies as st

from graphscore.model.graph import Edge, Graph, Node

CONCEPTS = ("dog.n.01", "dog.n.02", "bark.v.01", "time.n.08")
ROLES = ("Agent", "Theme", "PartOf", "EQU", "TPR")
RELATIONS = ("NEGATION", "PRESUPPOSITION")
CONSTANTS = ('"now"', '"tom"')


@st.composite
def representations(draw: st.DrawFn, largest: int = 3) -> Graph:
    """Boxes that hold referents, with roles and relations between them.

    Args:
        draw: of hypothesis.
        largest: how many referents there are at most.
    """
    boxes = [f"b{number}" for number in range(draw(st.integers(1, 2)))]
    nodes = [Node(box) for box in boxes]
    edges = []
    referents = [f"x{number}" for number in range(draw(st.integers(0, largest)))]
    for name in referents:
        label = draw(st.sampled_from((None, *CONCEPTS)))
        nodes.append(Node(name, label))
        for box in draw(st.sets(st.sampled_from(boxes), min_size=1)):
            edges.append(Edge(box, name, "in"))
    for constant in CONSTANTS:
        nodes.append(Node(constant, constant))
    for number in range(draw(st.integers(0, 3)) if referents else 0):
        role, label = f"r{number}", draw(st.sampled_from(ROLES))
        nodes.append(Node(role, label))
        first = draw(st.sampled_from((*referents, *CONSTANTS)))
        second = draw(st.sampled_from((*referents, *CONSTANTS)))
        edges.append(Edge(draw(st.sampled_from(boxes)), role, "in"))
        edges += [Edge(first, role), Edge(role, second)]
    if len(boxes) > 1 and draw(st.booleans()):
        edges.append(Edge(*boxes, draw(st.sampled_from(RELATIONS))))
    return Graph("1", "drg", 2, nodes=tuple(nodes), edges=tuple(edges), tops=("b0",))
