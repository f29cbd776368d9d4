"""Opinions: what is thought of what by whom, and how it is said.

Barnes et al. (2021), "Structured Sentiment Analysis as Dependency Graph Parsing": an
opinion is a tuple of a holder, a target, an expression and a polarity, any of the
parts in several pieces.

>>> loved = Opinion(pieces(Mention(3, 7)), pieces(Mention(0, 1)), polarity="Positive")
>>> graph = opinion_graph(OpinionSet(frozenset({loved})), text="We loved it")
>>> [(node.label, node.anchors) for node in graph.nodes]
[(None, (Anchor(start=0, end=2),)), ('Positive', (Anchor(start=3, end=8),))]
>>> [(edge.source, edge.label, edge.target) for edge in graph.edges]
[(1, 'holder', 0)]
>>> opinions_of(graph).opinions == {loved}
True
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import msgspec

from graphscore.model.graph import Anchor, Graph, Node
from graphscore.structures import layout
from graphscore.structures.layout import (
    HOLDER,
    INTENSITY,
    MENTION,
    OPINION,
    SENTIMENT,
    TARGET,
    first_of,
)
from graphscore.structures.mentions import Mention
from graphscore.structures.objects.declarations import ignored
from graphscore.structures.objects.field_types import StructureError
from graphscore.structures.objects.views import Layer, Laying, named


@dataclass(frozen=True)
class Opinion:
    """Opinion of a holder about a target.

    Args:
        expression: the pieces of the words that express it.
        holder: those of who holds it; none where that is not said.
        target: those of what it is about; none where that is not said.
        polarity: ``Positive``, ``Negative``, ``Neutral``; empty where it has none.
        intensity: how strong it is, which no metric compares.
    """

    expression: frozenset[Mention]
    holder: frozenset[Mention] = frozenset()
    target: frozenset[Mention] = frozenset()
    polarity: str = ""
    intensity: Annotated[str, ignored] = ""


@dataclass(frozen=True)
class OpinionSet:
    """Output of structured sentiment analysis for a sentence.

    Args:
        opinions: the opinions.
    """

    opinions: frozenset[Opinion]


def pieces(*mentions: Mention) -> frozenset[Mention]:
    """A part of an opinion.

    Args:
        mentions: its pieces, in any order.
    """
    return frozenset(mentions)


def opinion_graph(
    opinions: OpinionSet,
    *,
    id: str = "",
    document: str = "",
    text: str = "",
    tokens: Sequence[Anchor] = (),
) -> Graph:
    """Lay opinions out: opinion -holder-> mention, opinion -target-> mention.

    Each opinion has mentions of its own.

    Args:
        opinions: the opinions.
        id: the item.
        document: the document that it belongs to.
        text: the text that mentions are of.
        tokens: character ranges of the tokens, if mentions count tokens.

    Raises:
        StructureError: if a piece ends before it begins.
    """
    lay = Laying(tokens)
    for opinion in lay.sorted(opinions.opinions):
        roles = [
            layout.Argument(role, lay.build.mention(None, _anchors(lay, part, tokens)))
            for role, part in ((HOLDER, opinion.holder), (TARGET, opinion.target))
            if part
        ]
        intensity = ((INTENSITY, opinion.intensity),) if opinion.intensity else ()
        expression = _anchors(lay, opinion.expression, tokens)
        lay.build.opinion(opinion.polarity or None, expression, roles, intensity)
    return lay.graph(id, SENTIMENT, document, text)


def _anchors(
    lay: Laying, part: frozenset[Mention], tokens: Sequence[Anchor]
) -> list[Anchor]:
    return [span.anchor(tokens) for span in lay.sorted(part)]


def opinions_of(graph: Graph, *, in_tokens: bool = False) -> OpinionSet:
    """The opinions of a graph in the layout.

    Args:
        graph: a graph of the framework ``sentiment``.
        in_tokens: whether mentions count tokens, not characters.

    Raises:
        StructureError: if an edge is of no role, or a piece is not a range.
    """
    layer = Layer(graph, in_tokens)
    opinions = set()
    for node in layer.nodes(OPINION):
        parts: dict[str, frozenset[Mention]] = {HOLDER: pieces(), TARGET: pieces()}
        for edge in layer.edges(node):
            role = named(edge.label)
            if role not in parts:
                shown = f"an edge {role!r}"
                raise StructureError(f"node {node.id!r}", shown, "holder or target")
            layer.kind(edge.target, MENTION)
            parts[role] |= _pieces(layer, layer.node(edge.target))
        opinions.add(
            Opinion(
                _pieces(layer, node),
                parts[HOLDER],
                parts[TARGET],
                named(node.label),
                named(first_of(node.properties, INTENSITY)),
            )
        )
    return OpinionSet(frozenset(opinions))


def _pieces(layer: Layer, node: Node) -> frozenset[Mention]:
    alone = (
        msgspec.structs.replace(node, anchors=(anchor,)) for anchor in node.anchors
    )
    return pieces(*map(layer.span, alone))
