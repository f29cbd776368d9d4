"""Two documents as the formulas of coreference see them.

Which mentions are the same has been found out before; a formula compares what they
were given as their name, δ_mention.  Entities are nodes with edges to their mentions
and a property ``link`` for every pair of those, or for the one mention that a
singleton has (Moosavi and Strube 2016); the links within and between the entities of
a document are collections of their own.

>>> from graphscore.similarity import f1
>>> print(f1(match(ENTITIES, f1(match(MEMBERS, SAME)))))
F↔entities[F↔mentions[δ_mention]]
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from graphscore.metrics.coreference.chains import MEMBER, Chains
from graphscore.metrics.coreference.contingency import Phi, Table
from graphscore.model.graph import Edge, Graph, Node
from graphscore.similarity import (
    Similarity,
    View,
    at,
    edges,
    exact,
    f1,
    given,
    harmonic,
    itself,
    kind,
    listed,
    match,
    nodes,
    precision,
    recall,
    source,
    target,
    targets,
    values,
    via,
)
from graphscore.similarity.features.elements import surface
from graphscore.similarity.view import Element

MENTION = given("mention", "node")
"""Mention variable of the formulas, the same name on both sides."""

SAME: Similarity = exact(MENTION)
"""Equality of two mentions."""

ENTITIES = nodes("entity")
MEMBERS = targets("mention")
MEMBERSHIPS = edges(MEMBER)

IN_COMMON = match(MEMBERS, SAME)
"""Number of mentions that two entities share, φ3 (eq. 17)."""

LINKS = match(values("link"), exact(itself))
"""Number of links that two entities share."""

COREFERENT = match(listed("links", "value"), exact(itself))
"""The links within entities that two documents share."""

OTHERS = match(listed("nonlinks", "value"), exact(itself))
"""The links between entities that they share."""


def in_entity(similarity: Similarity) -> Similarity:
    """A membership of the same mention, in entities that are alike to a degree."""
    return exact(via(target, MENTION)) * at(source, similarity)


B3 = harmonic(
    *(
        ratio(match(MEMBERSHIPS, in_entity(ratio(IN_COMMON))))
        for ratio in (precision, recall)
    )
)
"""B³: overlap of the entities of each mention, equations 23 and 24."""


def ceaf(phi: Phi) -> Similarity:
    """CEAF with one of the similarities of Luo (2005), equations 17 to 19.

    Args:
        phi: which.

    Example:
        >>> print(*(ceaf(phi) for phi in (3, 4)), sep=" | ")
        F↔entities[Σ↔mentions[δ_mention]] | F↔entities[F↔mentions[δ_mention]]
    """
    alike: dict[int, Similarity] = {
        1: f1(IN_COMMON) >= 1,
        2: IN_COMMON > 0,
        3: IN_COMMON,
        4: f1(IN_COMMON),
    }
    return f1(match(ENTITIES, alike[phi]))


def lea() -> Similarity:
    """Size times share of the links resolved, of any two entities."""
    # Every mention of one side, whatever the other's are: that is its size.
    system_size, gold_size = (
        match(MEMBERS, exact(kind), cardinality) for cardinality in ("n:1", "1:n")
    )
    return harmonic(
        precision(match(ENTITIES, system_size * precision(LINKS), "n:n")),
        recall(match(ENTITIES, gold_size * recall(LINKS), "n:n")),
    )


MUC = f1(match(ENTITIES, IN_COMMON - 1, "n:n"))
"""Links that entities have in common, equations 21 and 22."""

MENTIONS = f1(match(nodes("mention"), SAME))
"""Mentions that both sides have."""

FORMULAS: dict[str, dict[str, Similarity]] = {
    "muc": {"all": MUC},
    "b3": {"all": B3},
    "ceafm": {"all": ceaf(3)},
    "ceafe": {"all": ceaf(4)},
    "lea": {"all": lea()},
    "blanc": {"coreference": f1(COREFERENT), "noncoreference": f1(OTHERS)},
    "conll": {"mentions": MENTIONS, "muc": MUC, "b3": B3, "ceafe": ceaf(4)},
    "mentions": {"mentions": MENTIONS},
}
"""Formulas by metric name and tuple type."""


class NamedMentions(View):
    """A document with the names of its mentions.

    Args:
        chains: its entities.
        names: what each mention is called.
        called: the same in words, the same on both sides for the same mention.
    """

    __slots__ = ("called", "chains", "names")

    def __init__(self, chains: Chains, names: list[int], called: list[str]) -> None:
        first = len(chains.sizes)
        members: list[list[tuple[int, str]]] = [[] for _ in chains.sizes]
        named_mentions = zip(names, called, strict=True)
        for named_mention, entity in zip(named_mentions, chains.owner, strict=True):
            members[entity].append(named_mention)
        laid = [
            Node(k, None, _entity_properties(member))
            for k, member in enumerate(members)
        ]
        # Formulas do not look at labels; explanations show them.
        laid += [
            Node(first + k, label, (("kind", "mention"),))
            for k, label in enumerate(_texts(chains))
        ]
        joined = tuple(
            Edge(entity, first + k, MEMBER) for k, entity in enumerate(chains.owner)
        )
        super().__init__(Graph("", "coref", nodes=tuple(laid), edges=joined))
        self.chains, self.names, self.called = chains, names, called
        self.kept["given", "mention"] = [None] * first + names

    def listed(self, name: str) -> Iterable[Element]:
        """The links within entities, or those between them."""
        if name not in ("links", "nonlinks"):
            return super().listed(name)
        owned = zip(self.names, self.called, self.chains.owner, strict=True)
        # By name, so that the same two stand in the same order on both sides.
        return [
            _link(left, right)
            for (_, left, left_entity), (_, right, right_entity) in combinations(
                sorted(owned), 2
            )
            if (left_entity == right_entity) == (name == "links")
        ]


def views_of(table: Table) -> tuple[NamedMentions, NamedMentions]:
    """The two documents of a table.

    Args:
        table: the pair; its alignment says which mentions are the same.
    """
    gold, system = table.gold, table.system
    names = [-1 - k for k in range(len(system.keys))]
    left = [f"{k} {text}" for k, text in enumerate(_texts(gold))]
    right = [f"+{k} {text}" for k, text in enumerate(_texts(system))]
    for first, second in zip(*table.pairs, strict=True):
        names[second], right[second] = first, left[first]
    return NamedMentions(gold, list(range(len(gold.keys))), left), NamedMentions(
        system, names, right
    )


def _texts(chains: Chains) -> list[str]:
    """Return the text of each mention of a document; its label where it has no text."""
    nodes = (chains.graph.nodes[ordinal] for ordinal in chains.nodes)
    return [surface(chains.graph, node) or str(node.label or "·") for node in nodes]


def _entity_properties(members: list[tuple[int, str]]) -> tuple[tuple[str, str], ...]:
    pairs = combinations(sorted(members), 2) if len(members) > 1 else [members * 2]
    links = (("link", _link(left, right)) for (_, left), (_, right) in pairs)
    return ("kind", "entity"), *links


def _link(left: str, right: str) -> str:
    return f"{left} \N{EN DASH} {right}"
