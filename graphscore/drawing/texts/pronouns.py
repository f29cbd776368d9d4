"""Pronouns and the names that they are asked about, as GAP has them.

Which name a pronoun stands for is an edge, and a text has marks alone: so names say
it.  A system's answers have no places; theirs are those of gold.

>>> from graphscore.drawing.looks import Look, alone
>>> from graphscore.model.graph import Anchor, Edge, Graph, Node
>>> nodes = (Node(0, "feminine", (), (Anchor(8, 11),)),
...          Node(1, None, ((CANDIDATE, "A"),), (Anchor(0, 3),)),
...          Node(2, None, ((CANDIDATE, "B"),), (Anchor(16, 19),)))
>>> graph = Graph("1", "gap", text="Ann saw her and Eve", nodes=nodes,
...               edges=(Edge(0, 1, COREFERENCE),))
>>> [side] = with_answers([alone(graph)])
>>> [node.label for node in side.graph.nodes]
['A or B?', 'A = her', 'B']
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from graphscore.drawing.looks import Look, Side
from graphscore.drawing.texts.brackets import ranges, words_of
from graphscore.model.graph import Anchor, NodeId
from graphscore.structures.layout import CANDIDATE, COREFERENCE, first_of

GAP = "gap"
"""The framework whose pronouns are asked about."""


def with_answers(sides: Sequence[Side]) -> list[Side]:
    """Sides whose names say whether the pronoun stands for them.

    A name that it stands for looks as the edge that says so: the marks of both sides
    differ where the answers do.

    Args:
        sides: one or two, with texts.

    Returns:
        The sides as they are where no node is asked about.
    """
    if sides[0].graph.framework != GAP or not any(map(_asked, sides)):
        return list(sides)
    anchors: dict[str, tuple[Anchor, ...]] = {}
    pairs: dict[str, int] = {}
    for side in sides:
        for node, look in side.seen_nodes():
            role = _role(side, node.id)
            pairs.setdefault(role, look.pair)
            if node.anchors:
                anchors.setdefault(role, node.anchors)
    return [_answered(side, anchors, pairs) for side in sides]


def _asked(side: Side) -> dict[NodeId, str]:
    """The names that are asked about, by their ids."""
    found = {}
    for node in side.graph.nodes:
        name = first_of(node.properties, CANDIDATE)
        if name is not None:
            found[node.id] = str(name)
    return found


def _role(side: Side, id: NodeId) -> str:
    """The letter of a name; nothing for the pronoun."""
    return _asked(side).get(id, "")


def _answered(
    side: Side, anchors: dict[str, tuple[Anchor, ...]], pairs: dict[str, int]
) -> Side:
    asked = _asked(side)
    answers = {
        edge.target: look
        for edge, look in side.seen_edges()
        if edge.label == COREFERENCE
    }
    pronoun = words_of(side.graph.text, ranges(side.graph.text, anchors.get("", ())))
    nodes, looks = [], list[Look]()
    for node, look in side.seen_nodes():
        role = asked.get(node.id, "")
        label = role or f"{' or '.join(asked.values())}?"
        look = look._replace(pair=pairs[role])
        if node.id in answers:
            label = f"{role} = {pronoun or 'the pronoun'}"
            look = look._replace(standing=answers[node.id].standing)
        places = node.anchors or anchors.get(role, ())
        nodes.append(replace(node, label=label, anchors=places))
        looks.append(look)
    graph = replace(side.graph, nodes=tuple(nodes))
    return side._replace(graph=graph, nodes=tuple(looks))
