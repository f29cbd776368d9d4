"""BETTER Granular: templates by their slots, times templates by their type.

Mckinnon and Rubino (2022), "The IARPA BETTER Program Abstract Task"; eq. 47 of Chen
et al. (2023).

::

    score = F1 of types, F↔templates[δ_label] × F1 of slots of aligned templates

The task's scorer is not public: what it says of single uses of fillers, of anchors and
of how informative mentions are is not compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from graphscore.metrics.made_scores import made_of, product_of
from graphscore.metrics.parameters import digest_of, hierarchy_of
from graphscore.metrics.templates.base import TemplateMetric
from graphscore.metrics.templates.formulas import Phi, SetFills, entities, scheme, slots
from graphscore.metrics.templates.matching import Aligned, Credit, Scheme
from graphscore.metrics.templates.muc_fills import Credits
from graphscore.metrics.templates.prepared import (
    DocumentTemplates,
    Fill,
    FillerKey,
    Mentions,
    TemplateOptions,
)
from graphscore.model.outcome import CountKey, RawCounts, Scores
from graphscore.similarity import (
    Constraint,
    Hierarchy,
    Similarity,
    choice,
    exact,
    f1,
    kind,
    label,
    match,
    nodes,
)
from graphscore.similarity.base import Number
from graphscore.structures.layout import ENTITY, TEMPLATE, TRIGGER, VALUE

REVISION = 1
"""Rises with any number that can move."""

SpanSets = Literal["subset", "phi3", "phi4", "rme_subset", "rme_phi3"]
"""φ of span sets."""


@dataclass(frozen=True)
class EventsByType:
    """Credit of two fills where events are identified by their type alone.

    Args:
        credits: what they earn otherwise.
    """

    credits: Credit

    def __call__(self, gold: Fill, system: Fill) -> Number:
        """The credit of gold's and the system's fill."""
        if gold.kind != TRIGGER or system.kind != TRIGGER:
            return self.credits(gold, system)
        return int(gold.values == system.values)


@dataclass(frozen=True)
class Granular(TemplateMetric):
    """Templates by their slots, times templates by their type.

    Args:
        spans: φ of span sets.
        events: whether events are the same if their type and their words are, or
            their type alone.
        mentions: when two mentions, or the words of two events, are the same.
        hierarchies: file of categories and what is above them; a category below
            gold's earns half.

    Example:
        >>> for formula in Granular().formulas().values():
        ...     print(formula)
        ... # doctest: +NORMALIZE_WHITESPACE
        F↔templates[δ_label]
        F↔templates[δ_label × Σ↔edges_out[δ_role ×
        ({entity: φ⊆mentions[δ_text], value: φ_set, …: δ_text})_target]]
    """

    name = "granular"
    follows = "the definition of Mckinnon and Rubino 2022"
    title = "BETTER Granular (Mckinnon & Rubino 2022): type F1 × slot F1"
    citation = (
        "Mckinnon and Rubino 2022, The IARPA BETTER Program Abstract Task: Four New "
        "Semantically Annotated Corpora from IARPA's BETTER Program"
    )
    tuple_types = ("types", "slots")
    main = "slots"
    counted = "slots"
    opens = ("hierarchies=",)

    spans: SpanSets = "subset"
    events: Literal["trigger", "type"] = "trigger"
    mentions: Mentions = "text"
    hierarchies: str = ""

    def __post_init__(self) -> None:
        _ = self.tree

    @cached_property
    def tree(self) -> Hierarchy:
        """Hierarchy of categories."""
        return hierarchy_of(self.hierarchies)

    @cached_property
    def revision(self) -> int:
        """1, or a digest of the file."""
        return digest_of(self.hierarchies) if self.hierarchies else REVISION

    @property
    def _phi(self) -> tuple[Phi, Constraint]:
        if self.spans == "rme_subset":
            return "subset", "n:1"
        return ("phi3", "n:1") if self.spans == "rme_phi3" else (self.spans, "1:1")

    def formulas(self) -> Mapping[str, Similarity]:
        """Both factors of equation 47."""
        phi, constraint = self._phi
        same_key = exact(FillerKey(self.mentions))
        cases = {ENTITY: entities(phi, self.mentions), VALUE: SetFills(self.tree)}
        if self.events == "type":
            cases[TRIGGER] = exact(label)
        filler = choice(kind, cases, otherwise=same_key)
        alike = exact(label) * slots(filler, constraint)
        return {
            "types": f1(match(nodes(TEMPLATE), exact(label))),
            "slots": f1(match(nodes(TEMPLATE), alike)),
        }

    @property
    def reading(self) -> TemplateOptions:
        """Template options implied by the parameters."""
        return TemplateOptions(self.mentions)

    @cached_property
    def scheme(self) -> Scheme:
        """Scheme by which fills are compared."""
        plain = scheme(*self._phi)
        credit: Credit = Credits(plain.credit, self.tree)
        if self.events == "type":
            credit = EventsByType(credit)
        return plain._replace(credit=credit, keyed=False)

    def raw_counts(
        self,
        gold: DocumentTemplates,
        system: DocumentTemplates,
        pairs: Sequence[Aligned],
    ) -> RawCounts:
        """Amounts of each slot and of all; and templates by type.

        Any alignment of templates of equal type can be extended until either side
        has none of that type left; so types count as if alone.
        """
        raw_counts = super().raw_counts(gold, system, pairs)
        left, right = (Counter(f.type for f in side.forms) for side in (gold, system))
        amounts = left.total(), right.total(), (left & right).total()
        for quantity, amount in zip(
            ("gold", "system", "matched"), amounts, strict=True
        ):
            if amount:
                raw_counts["types", "", quantity] = amount
        return raw_counts

    def scores(self, raw_counts: Mapping[CountKey, int | float]) -> Scores:
        """Both factors, their product, and the ratios of each slot."""
        counts, ratios = super().scores(raw_counts)
        score = made_of(product_of("types.f1", "slots.f1"), counts)
        return Scores(counts, {"score": score, **ratios})
