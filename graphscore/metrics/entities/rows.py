"""Which entities correspond, and which are wrong, as rows.

A gold entity without an equal is *missing*, a system entity *surplus*.  Where the two
correspond all the same, both rows name each other, and ``name`` says what is wrong:
``type``, ``boundary``, or ``type and boundary``.  The value is the type, or the words
where only the boundary is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence

from graphscore.metrics.entities.alignment import EXACT, OVERLAP, SPAN, TYPED, Aligned
from graphscore.metrics.entities.view import Entities
from graphscore.model.graph import Graph, Node
from graphscore.model.outcome import Error, Match, Side
from graphscore.structures.layout import TEXT, first_of

WRONG = {SPAN: "type", TYPED: "boundary", OVERLAP: "type and boundary"}
"""What is wrong with entities of a relation."""


def rows_of(
    gold: Entities, system: Entities, pairs: Sequence[Aligned]
) -> tuple[tuple[Match, ...], tuple[Error, ...]]:
    """Matches in gold order, then what is missing and what is surplus.

    Args:
        gold: the gold side.
        system: the system's.
        pairs: how entities are aligned.
    """
    matches: list[Match] = []
    mine: dict[int, tuple[int | None, str]]
    mine = {k: (None, "") for k in range(len(gold.entities))}
    theirs: dict[int, tuple[int | None, str]]
    theirs = {k: (None, "") for k in range(len(system.entities))}
    for one, two, relation in pairs:
        left, right = gold.nodes[one], system.nodes[two]
        equal = relation == EXACT
        matches.append(Match("node", left, right, float(equal)))
        if equal:
            del mine[one], theirs[two]
        else:
            mine[one], theirs[two] = (right, WRONG[relation]), (left, WRONG[relation])
    errors = [
        _error("missing", gold, gold.nodes[k], partner, name)
        for k, (partner, name) in mine.items()
    ]
    errors += [
        _error("surplus", system, system.nodes[k], partner, name)
        for k, (partner, name) in theirs.items()
    ]
    return tuple(matches), tuple(errors)


def _error(
    side: Side, entities: Entities, ordinal: int, partner: int | None, name: str
) -> Error:
    node = entities.graph.nodes[ordinal]
    value = words_of(entities.graph, node) if name == WRONG[TYPED] else node.label
    return Error(
        side,
        "strict",
        "node",
        ordinal if side == "missing" else partner,
        partner if side == "missing" else ordinal,
        node.label,
        name,
        value,
        None,
        "no counterpart" if partner is None else "differs",
    )


def words_of(graph: Graph, node: Node) -> str:
    """The words of an entity, or its characters where there is no text.

    Args:
        graph: where it is.
        node: the entity.
    """
    text = graph.text
    if not node.anchors:
        return str(first_of(node.properties, TEXT) or "")
    if not text:
        return ";".join(f"{start}:{end}" for start, end in node.anchors)
    return " ".join(text[start:end] for start, end in node.anchors)
