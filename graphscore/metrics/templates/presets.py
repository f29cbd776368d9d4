"""What other scorers do to templates before they compare them."""

from __future__ import annotations

from graphscore.metrics.templates.filling import STRINGS, Fill, Filled, Form
from graphscore.similarity.features.elements import surface
from graphscore.structures.layout import ENTITY, MENTION

_SPECIAL = str.maketrans("", "", "'\"\\-")
"""What IterX takes out of gold's strings."""


def mentioned(filled: Filled) -> Filled:
    """Without entities that have no mentions, as GRIT, GTT and IterX read gold.

    Args:
        filled: gold's templates.
    """
    return filled.refilled(lambda fill: (fill,) if fill.listed else ())


def singletons(filled: Filled) -> Filled:
    """Every mention as an entity of its own, as IterX predicts them.

    Args:
        filled: the system's templates.
    """
    return filled.refilled(apart)


def strings(filled: Filled) -> Filled:
    """Only what is filled by words: entities and mentions.

    Args:
        filled: the templates of a document.
    """
    return filled.refilled(lambda fill: (fill,) if fill.kind in STRINGS else ())


def apart(fill: Fill) -> list[Fill]:
    """Each mention of a filler as a filler of its own.

    Args:
        fill: the filler.
    """
    return [
        fill._replace(node=node, members=(node,), keys=frozenset((key,)), listed=(key,))
        for node, key in zip(fill.members, fill.listed, strict=True)
    ]


def distinct(filled: Filled, sanitized: bool) -> Filled:
    """Without templates that say the same as an earlier one, and empty entities.

    GTT and IterX read gold so; two templates are the same if their types are, and
    their strings, before these are normalized.

    Args:
        filled: gold's templates.
        sanitized: whether quotation marks, backslashes and hyphens make no
            difference (IterX, ``sanitize_special_chars``).
    """
    filled = mentioned(filled)
    graph = filled.graph
    place = graph.ordinals()
    words: dict[int, list[str]] = {}
    for edge in graph.edges:
        if edge.label == MENTION:
            text = surface(graph, graph.nodes[place[edge.target]]) or ""
            if sanitized:
                text = text.translate(_SPECIAL)
            words.setdefault(place[edge.source], []).append(text)
    seen: list[object] = []
    kept: list[Form] = []
    for form in filled.forms:
        said = {
            slot: [
                (fill.kind, words.get(fill.node) if fill.kind == ENTITY else fill.keys)
                for fill in fills
            ]
            for slot, fills in form.slots.items()
        }
        if (form.type, said) not in seen:
            seen.append((form.type, said))
            kept.append(form)
    return Filled(graph, kept)
