"""The formulas of role fillers and templates.

>>> print(slots(fill("subset", "text")))
Σ↔edges_out[δ_role × ({entity: φ⊆mentions[δ_text], …: δ_text})_target]
"""

from __future__ import annotations

from typing import Literal

from graphscore.metrics.templates.filling import Mentions, Said, Templates
from graphscore.metrics.templates.matching import (
    Credit,
    Scheme,
    one,
    phi3,
    phi4,
    proportional,
    size,
    subset,
)
from graphscore.similarity import (
    Constraint,
    Similarity,
    at,
    choice,
    contained,
    edges,
    edges_out,
    exact,
    f1,
    kind,
    label,
    match,
    nodes,
    only,
    precision,
    role,
    source,
    target,
    targets,
    via,
)
from graphscore.similarity.combining.ratios import Counting
from graphscore.structures.layout import ENTITY, MENTION, TEMPLATE

Phi = Literal["subset", "phi3", "phi4", "proportional"]
"""The similarities of entities."""

PhiT = Literal["subset", "rme_subset", "rme_phi3"]
"""The similarities of what fills a template (φ_T), one to one or several to one."""

CREDITS: dict[Phi, Credit] = {
    "subset": subset,
    "phi3": phi3,
    "phi4": phi4,
    "proportional": proportional,
}


def scheme(phi: Phi, constraint: Constraint = "1:1") -> Scheme:
    """How fills are compared, in closed form.

    Args:
        phi: the similarity of entities.
        constraint: whether several predicted ones may be the same of gold's.
    """
    return Scheme(CREDITS[phi], size if phi == "phi3" else one, constraint)


def split_t(phi: PhiT) -> tuple[Phi, Constraint]:
    """The similarity of entities that φ_T stands for, and its constraint.

    Args:
        phi: φ_T.

    Example:
        >>> split_t("rme_phi3")
        ('phi3', 'n:1')
    """
    if phi == "subset":
        return "subset", "1:1"
    return ("phi3" if phi == "rme_phi3" else "subset"), "n:1"


def entities(phi: Phi, by: Mentions) -> Similarity:
    """The similarity of two entities.

    Args:
        phi: which.
        by: what mentions are known by.
    """
    members, same = targets(MENTION), exact(Said(by))
    if phi == "subset":
        return contained(members, same)
    shared = match(members, same, duplicates="set")
    if phi == "phi3":
        return shared
    return f1(shared) if phi == "phi4" else precision(shared)


def fill(phi: Phi, by: Mentions) -> Similarity:
    """The similarity of what fills two slots: entities, or anything else.

    Args:
        phi: the similarity of entities.
        by: what mentions are known by.
    """
    return choice(kind, {ENTITY: entities(phi, by)}, otherwise=exact(Said(by)))


def slots(filler: Similarity, constraint: Constraint = "1:1") -> Similarity:
    """What the slots of two templates have in common.

    Args:
        filler: the similarity of fillers.
        constraint: how many may match how many.
    """
    return match(edges_out(), exact(role()) * at(target, filler), constraint)


def documents(
    filler: Similarity,
    templates: Templates,
    constraint: Constraint = "1:1",
    counting: Counting = "bounded",
) -> Similarity:
    """F of the fillers of a document (eq. 26 to 28).

    Args:
        filler: the similarity of fillers.
        templates: whether templates are aligned, or all fillers are the document's.
        constraint: how many may match how many.
        counting: how often a filler counts that many others match.
    """
    if templates == "aligned":
        each = exact(label) * slots(filler, constraint)
        return f1(match(nodes(TEMPLATE), each), counting=counting)
    every = only(edges(), via(source, kind), TEMPLATE)
    each = exact(role()) * at(target, filler)
    return f1(match(every, each, constraint), counting=counting)
