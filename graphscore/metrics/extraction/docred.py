"""DocRED: relations among entities of a document, with and without known facts.

Yao et al. (2019), "DocRED: A Large-Scale Document-Level Relation Extraction Dataset".

::

    F↔relations[δ_label × δ_edges_out(role,target)]

What differs from ``code/evaluation.py``: a relation that is predicted twice counts
once, documents that gold lacks are not scored, facts are known by names of either side,
and evidence is no part of it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

from graphscore.metrics.corrections import Correctable
from graphscore.metrics.formula import FormulaMetric
from graphscore.metrics.parameters import Facts, digest_of, facts_of
from graphscore.metrics.templates.prepared import FillerKey, Mentions
from graphscore.model.graph import Node
from graphscore.model.outcome import Outcome
from graphscore.similarity import (
    Pair,
    Similarity,
    View,
    bag,
    edges_out,
    exact,
    f1,
    label,
    match,
    nodes,
    role,
    target,
    via,
)
from graphscore.similarity.expression import Sort
from graphscore.similarity.features.elements import Column, surface
from graphscore.similarity.view import GRAPH
from graphscore.structures.layout import ENTITY, KIND, MENTION, RELATION, first_of

INDEX, NAME = "index", "name"
"""The property of an entity that identifies it, and that of a mention that is called
otherwise than its words."""

REVISION = 1
"""Rises with any number that can move."""


class Identity(Column, frozen=True):
    """Key of an entity: its number, or the set of its mentions.

    Args:
        by: ``index``, the number where it has one; ``mentions``, always the mentions.
        mentions: what mentions are known by.
    """

    call: ClassVar[str] = "identity"
    of: ClassVar[Sort] = "node"
    says: ClassVar[bool] = False

    by: Literal["index", "mentions"] = "index"
    mentions: Mentions = "exact"

    @property
    def short(self) -> str:
        """Short name: the key that is used."""
        return self.by

    def column(self, view: View) -> Sequence[Hashable]:
        """One value for each node; for what is no entity, what it says itself."""
        graph, ordinals = view.graph, view.places()
        keys = FillerKey(self.mentions).of_all(view, range(len(graph.nodes)))
        members: dict[int, list[Hashable]] = {}
        for edge in graph.edges:
            if edge.label == MENTION:
                source = ordinals[edge.source]
                members.setdefault(source, []).append(keys[ordinals[edge.target]])
        result: list[Hashable] = []
        for ordinal, node in enumerate(graph.nodes):
            index = first_of(node.properties, INDEX)
            if first_of(node.properties, KIND) != ENTITY:
                result.append(keys[ordinal])
            elif self.by == "index" and index is not None:
                result.append((INDEX, index))
            else:
                result.append(frozenset(members.get(ordinal, ())))
        return result


@dataclass(frozen=True)
class Docred(FormulaMetric, Correctable):
    """Relations among entities, with and without facts seen in training.

    Args:
        entities: whether entities are the same by their number, where they have
            one, or by the set of their mentions.
        mentions: with sets of mentions, when two mentions are the same.
        facts: file of facts seen in training, by the names of their entities.

    Example:
        >>> print(Docred().formulas()["all"])
        F↔relations[δ_label × δ_edges_out(role,target.index)]
    """

    name = "docred"
    follows = "the definition of Yao et al. 2019"
    title = "DocRED (Yao et al. 2019): relation F1 and Ign F1"
    citation = (
        "Yao et al. 2019, DocRED: A Large-Scale Document-Level Relation Extraction "
        "Dataset"
    )
    unit = "document"
    frameworks = frozenset({"relation"})
    tuple_types = ("all", "unseen")
    bound = ""
    opens = ("facts=",)
    error_tuple_types = ("all",)

    entities: Literal["index", "mentions"] = "index"
    mentions: Mentions = "exact"
    facts: str = ""

    def __post_init__(self) -> None:
        _ = self.known

    @cached_property
    def known(self) -> Facts:
        """The facts seen in training."""
        return facts_of(self.facts)

    @cached_property
    def revision(self) -> int:
        """1, or a digest of the file."""
        return digest_of(self.facts) if self.facts else REVISION

    def formulas(self) -> Mapping[str, Similarity]:
        """Relations of equal type, each once, whose entities are the same."""
        return {"all": f1(match(nodes(RELATION), self._same, duplicates="set"))}

    @cached_property
    def _same(self) -> Similarity:
        who = Identity(self.entities, self.mentions)
        return exact(label, bag(edges_out(), role(), via(target, who)))

    def outcome(self, pair: Pair, details: bool) -> Outcome:
        """Raw counts of all relations, and without the right ones that were known."""
        result = super().outcome(pair, details)
        raw_counts = result.raw_counts
        right = raw_counts.get(("all", "", "matched"), 0)
        known = self._seen(pair) if self.known and right else 0
        amounts = {
            "gold": raw_counts.get(("all", "", "gold"), 0),
            "system": raw_counts.get(("all", "", "system"), 0) - known,
            "matched": right,
        }
        for quantity, amount in amounts.items():
            if amount:
                raw_counts["unseen", "", quantity] = amount
        if self.known:
            raw_counts["unseen", "", "matched_system"] = right - known
        return result

    def _seen(self, pair: Pair) -> int:
        """Count the correct relations that state a fact seen in training."""
        gold = self._relations(pair.gold)
        system = self._relations(pair.system)
        names = pair.gold.keep("names of entities", lambda: _names(pair.gold))
        others = pair.system.keep("names of entities", lambda: _names(pair.system))
        seen = 0
        for key in gold.keys() & system.keys():
            sides = (pair.gold, gold[key], names), (pair.system, system[key], others)
            seen += any(self._stated(*side) for side in sides)
        return seen

    def _relations(self, view: View) -> dict[Hashable, int]:
        [members] = nodes(RELATION).members(view, GRAPH)
        features, _ = self._same.split()
        columns = [feature.of_all(view, members) for feature in features]
        return dict(zip(zip(*columns, strict=True), members, strict=True))

    def _stated(
        self, view: View, relation: int, names: Mapping[int, frozenset[str]]
    ) -> bool:
        """Return true if a relation between any names of its entities was seen."""
        graph, ordinals = view.graph, view.places()
        tuple_type = str(graph.nodes[relation].label)
        [out] = edges_out().members(view, [relation])
        ends = [ordinals[graph.edges[edge].target] for edge in out]
        if len(ends) != 2:
            return False
        heads, tails = (names.get(end, frozenset()) for end in ends)
        return any(
            (head, tail, tuple_type) in self.known for head in heads for tail in tails
        )


def _names(view: View) -> dict[int, frozenset[str]]:
    """Return the names of each entity, from its mentions."""
    graph, ordinals = view.graph, view.places()
    names_of: dict[int, set[str]] = {}
    for edge in graph.edges:
        if edge.label == MENTION:
            node = graph.nodes[ordinals[edge.target]]
            names_of.setdefault(ordinals[edge.source], set()).update(
                _names_in(view, node)
            )
    return {entity: frozenset(names) for entity, names in names_of.items()}


def _names_in(view: View, node: Node) -> Iterable[str]:
    name = first_of(node.properties, NAME)
    text = surface(view.graph, node) if name is None else str(name)
    return () if text is None else (text,)
