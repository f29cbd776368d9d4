"""SciREX: n-ary relations whose entities are alike where most mentions are.

Jain et al. (2020), "SciREX: A Challenge Dataset for Document-Level Information
Extraction"; eq. 29 to 31 of Chen et al. (2023).

::

    F↔relations[δ_label × ⟦F↔edges_out[δ_role × ⟦P↔mentions[overlap] > 0.5⟧] ≥ 1⟧]

What differs from the published script: entities are matched inside of each pair of
relations, not once before; repeated relations count each; counts are summed, not
averaged over documents.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import msgspec

from graphscore.exceptions import UsageError
from graphscore.metrics.corrections import Correctable
from graphscore.metrics.formula import FormulaMetric
from graphscore.model.anchors import unite
from graphscore.model.graph import Node
from graphscore.model.outcome import Outcome
from graphscore.similarity import (
    Collection,
    Pair,
    Similarity,
    View,
    at,
    edges_out,
    exact,
    f1,
    label,
    match,
    nodes,
    precision,
    property_value,
    role,
    span_jaccard,
    target,
    targets,
    without,
)
from graphscore.similarity.expression import Sort
from graphscore.similarity.features.elements import Column
from graphscore.structures.layout import MENTION, RELATION, TEXT, first_of

UNMENTIONED = "unmentioned"
"""The property of a relation with an entity that the text does not mention."""


class Indices(Column, frozen=True):
    """The ranges of tokens that a mention has some of; of characters without tokens.

    A mention that is a bare string is that string.
    """

    call: ClassVar[str] = "indices"
    of: ClassVar[Sort] = "node"
    says: ClassVar[bool] = False
    short: ClassVar[str] = "indices"

    def column(self, view: View) -> Sequence[Hashable]:
        """One tuple of ranges for each node."""
        tokens = view.graph.tokens
        starts = [start for start, _ in tokens]
        ends = [end for _, end in tokens]
        return [_indices(node, starts, ends) for node in view.graph.nodes]


def _indices(node: Node, starts: list[int], ends: list[int]) -> Hashable:
    if not node.anchors:
        return first_of(node.properties, TEXT)
    ranges = unite(node.anchors)
    if not starts:
        return tuple((start, end) for start, end in ranges)
    # The first token that ends behind the start, up to the first that begins after.
    return tuple(
        (bisect_right(ends, start), bisect_left(starts, end)) for start, end in ranges
    )


@dataclass(frozen=True)
class Scirex(FormulaMetric, Correctable):
    """N-ary relations whose entities are alike where most mentions are.

    Args:
        overlap: what the Jaccard similarity of two mentions' tokens must exceed.
        share: what share of a predicted entity's mentions must be gold's.
        roles: whether arguments are told apart by their role.
        unmentioned: whether relations count that have an entity without mentions.

    Example:
        >>> print(Scirex().formulas()["relations"])  # doctest: +NORMALIZE_WHITESPACE
        F↔relations(unmentioned∉{True})[δ_label × ⟦F↔edges_out[δ_role ×
        (⟦P↔mentions[⟦J↔offsets[δ] > 0.5⟧] > 0.5⟧)_target] ≥ 1⟧]
    """

    name = "scirex"
    follows = "the definition of Jain et al. 2020"
    title = "SciREX (Jain et al. 2020): n-ary relation F1"
    citation = (
        "Jain et al. 2020, SciREX: A Challenge Dataset for Document-Level Information "
        "Extraction"
    )
    unit = "document"
    frameworks = frozenset({"relation"})
    tuple_types = ("relations",)
    main = "relations"
    bound = "entities are alike where most of their mentions are"

    overlap: float = 0.5
    share: float = 0.5
    roles: Literal["name", "none"] = "name"
    unmentioned: Literal["drop", "keep"] = "drop"

    def __post_init__(self) -> None:
        for name, limit in (("overlap", self.overlap), ("share", self.share)):
            if not 0 <= limit < 1:
                raise UsageError(
                    f"scirex: {name}={limit:g}, expected from 0 to below 1"
                )

    def formulas(self) -> Mapping[str, Similarity]:
        """Equation 31, inside of F1."""
        mention = span_jaccard(Indices()) > self.overlap
        entity = precision(match(targets(MENTION), mention)) > self.share
        filler = exact(role(self.roles)) * at(target, entity)
        every: Collection = nodes(RELATION)
        if self.unmentioned == "drop":
            every = without(every, property_value(UNMENTIONED), True)
        whole = f1(match(edges_out(), filler)) >= 1
        return {"relations": f1(match(every, exact(label) * whole))}

    def outcome(self, pair: Pair, details: bool) -> Outcome:
        """Raw counts of one pair; a side without tokens is read with the other's."""
        gold, system = pair.gold, pair.system
        if gold.graph.tokens and not system.graph.tokens:
            system = self._with_tokens(system, gold)
        elif system.graph.tokens and not gold.graph.tokens:
            gold = self._with_tokens(gold, system)
        if (gold, system) != (pair.gold, pair.system):
            pair = Pair(gold, system, pair.budget)
        return super().outcome(pair, details)

    def _with_tokens(self, view: View, with_tokens: View) -> View:
        if not any(node.anchors for node in view.graph.nodes):
            return view
        tokens = with_tokens.graph.tokens
        result: View = self.prepare(msgspec.structs.replace(view.graph, tokens=tokens))
        return result
