"""Conventions for SMATCH triples: which triples there are, and when two are equal.

Tools disagree about it; every choice has a name here, and a preset is a set of
choices.

>>> mtool = TripleConventions(exempt="mtool")
>>> TripleConventions().turned("consist-of"), mtool.turned("consist-of")
(None, 'consist')
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from msgspec import Struct

from graphscore.model.graph import Edge, Graph, NodeId, Pairs, Value
from graphscore.model.normalize import Table, fold
from graphscore.model.reification import Reify

Top = Literal["label", "constant"]
Exempt = Literal["amr", "smatch", "mtool", "none"]
Spelling = Literal["plain", "smatch", "smatchpp"]
Duplicates = Literal["set", "multiset", "pairs"]
Keep = Literal["keep", "drop"]
Anchored = Literal["annotated", "keep", "drop"]

EXEMPT: dict[str, frozenset[str]] = {
    "amr": frozenset({"consist-of", "subset-of"}),
    "smatch": frozenset({"consist-of", "prep-on-behalf-of", "prep-out-of"}),
    "mtool": frozenset(),
    "none": frozenset(),
}
"""Roles in ``-of`` that are not turned round, by convention (smatch.py 1.0.4,
``amr.py``; mtool 4cee3a2, ``graph.py``; smatch++ 1.8, ``graph_transforms.py``)."""

PREPOSITIONS = frozenset({"amr", "mtool"})
"""Conventions under which no role in ``prep-`` is turned round."""


class TripleConventions(Struct, frozen=True):
    """Conventions for the triples of a graph and their equality.

    Args:
        top: whether the triple of a top names the node's label or a constant.
        wiki: whether links to Wikipedia count.
        case: whether upper and lower case are the same.
        spelling: ``plain`` as written; ``smatch`` without underscores at the
            end; ``smatchpp`` without quotation marks.
        exempt: which roles in ``-of`` are not turned round.
        repeated: ``keep`` counts every attribute and edge that is said;
            ``mtool`` the last of a repeated attribute (in amr) and the first of
            edges with equal ends and label.
        duplicates: whether a triple that is said twice counts once (``set``) or
            twice, and then matches at most as often as it is said on the other
            side (``multiset``) or once with every such triple (``pairs``).
        inverted: whether an attribute under an inverted role counts; turned
            round it would lead from a constant.
        anchors: whether anchors are attributes of nodes; ``annotated`` unless they are
            comments beside the annotation, as in drg and sbn.
        senses: whether the numbers of senses count (in sbn).
        attributes: whether edge attributes are relations of their own.
        reify: how roles and the concepts that stand for them are unified.
    """

    top: Top = "label"
    wiki: Keep = "keep"
    case: Literal["fold", "keep"] = "fold"
    spelling: Spelling = "plain"
    exempt: Exempt = "amr"
    repeated: Literal["keep", "mtool"] = "keep"
    duplicates: Duplicates = "set"
    inverted: Keep = "keep"
    anchors: Anchored = "annotated"
    senses: Literal["counted", "ignored"] = "counted"
    attributes: Keep = "keep"
    reify: Reify = "none"

    def compared(self, value: Value) -> str:
        """The form in which a value is compared."""
        text = fold(value) if self.case == "fold" else spelled(value)
        if self.spelling == "smatch":
            return text.rstrip("_")
        if self.spelling == "smatchpp":
            return text.replace('"', "").replace("'", "")
        return text

    def relation(self, edge: Edge) -> tuple[NodeId, NodeId, Value]:
        """An edge in its base direction, with its base label."""
        source, target, label = edge.source, edge.target, edge.label
        if edge.normal is not None and edge.normal != "":
            source, target, label = target, source, edge.normal
            if self.exempt != "none":
                return source, target, label
        if type(label) is not str:
            return source, target, label
        base = self.turned(label)
        while base is not None:
            source, target, label = target, source, base
            # Only smatch++ goes on, and so finds ``domain`` below ``mod-of``.
            base = self.turned(label) if self.exempt == "none" else None
        return source, target, label

    def turned(self, role: str) -> str | None:
        """The base label of an inverted role; ``None`` where it is one itself."""
        # smatch++ lower-cases roles first; the others go by their spelling.
        seen = role.lower() if self.exempt == "none" else role
        if seen == "mod":
            return "domain"
        if not seen.endswith("-of") or seen in EXEMPT[self.exempt]:
            return None
        if self.exempt in PREPOSITIONS and role.startswith("prep-"):
            return None
        return role[:-3]


class Spellings(Table[str, str]):
    """Cache of texts in the normalized form of some conventions.

    Args:
        conventions: which.
    """

    __slots__ = ("conventions",)

    def __init__(self, conventions: TripleConventions) -> None:
        super().__init__()
        self.conventions = conventions

    def work_out(self, key: str) -> str:
        """See :meth:`TripleConventions.compared`."""
        return self.conventions.compared(key)


class Relations(Table[str, tuple[bool, str | None]]):
    """Cache of roles: true if a role is inverted, and its normalized form.

    Args:
        conventions: under which.
    """

    __slots__ = ("conventions",)

    def __init__(self, conventions: TripleConventions) -> None:
        super().__init__()
        self.conventions = conventions

    def work_out(self, key: str) -> tuple[bool, str | None]:
        """See :meth:`TripleConventions.relation`; an empty label is none."""
        source, _, label = self.conventions.relation(Edge(0, 1, key))
        bare = label is None or label == ""
        return source == 1, None if bare else self.conventions.compared(label)


@lru_cache(maxsize=16)
def tables_of(conventions: TripleConventions) -> tuple[Spellings, Relations]:
    """Return the caches that belong to some conventions."""
    return Spellings(conventions), Relations(conventions)


def spelled(value: Value) -> str:
    """A value as text, in its own case; booleans and null as JSON has them.

    >>> spelled("Pierre"), spelled(True), spelled(42)
    ('Pierre', 'true', '42')
    """
    return value if type(value) is str else fold(value)


def counted_properties(
    graph: Graph, properties: Pairs, conventions: TripleConventions
) -> list[int]:
    """Positions of those *properties* that become triples."""
    slots = list(range(len(properties)))
    if graph.framework == "sbn" and conventions.senses == "ignored":
        return [slot for slot in slots if properties[slot][0] != "sense"]
    if graph.framework != "amr":
        return slots
    if conventions.repeated == "mtool":
        # A name stays where it was first said (mtool, ``Node.set_property``).
        slots = list({fold(properties[slot][0]): slot for slot in slots}.values())
    names = [fold(name) for name, _ in properties]
    if conventions.wiki == "drop":
        slots = [slot for slot in slots if names[slot] != "wiki"]
    if conventions.inverted == "drop":
        slots = [slot for slot in slots if conventions.turned(names[slot]) is None]
    return slots
