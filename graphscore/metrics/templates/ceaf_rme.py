"""CEAF-RME: role fillers as entities, several predicted ones for one of gold's.

Chen et al. (2023), "Iterative Document-level Information Extraction via Imitation
Learning"; eq. 27 and 28 of Chen et al. (2023), "A Unified View".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from graphscore.correspondence import Budget
from graphscore.metrics.templates.base import TemplateMetric
from graphscore.metrics.templates.filling import Filled, Mentions, Reading, Templates
from graphscore.metrics.templates.formulas import documents, fill, scheme
from graphscore.metrics.templates.iterx_script import (
    SCHEMES,
    aligned_as_iterx,
    doubled,
    sides_of,
)
from graphscore.metrics.templates.matching import Aligned, Alignment, Scheme
from graphscore.model.outcome import Masses
from graphscore.similarity import Similarity
from graphscore.similarity.base import Numerators


@dataclass(frozen=True)
class CeafRme(TemplateMetric):
    """Role fillers as entities, several predicted ones for one of gold's.

    Args:
        similarity: when two entities are alike, and to what degree.
        recall: whether a gold entity counts for what it is worth at most, or as
            often as it is predicted (eq. 5 to the letter), which can exceed 1.
        mentions: when two mentions are the same.
        templates: whether templates of equal type are aligned first, or all fillers
            are those of the document.
        empty: whether documents whose gold has no template count.
        preset: ``iterx`` follows the script of that system.

    Example:
        >>> for phi in ("subset", "phi3"):
        ...     print(CeafRme(similarity=phi).formulas()["all"])
        ... # doctest: +NORMALIZE_WHITESPACE
        F↔templates[δ_label × Σ→edges_out[δ_role ×
        ({entity: φ⊆mentions[δ_text], …: δ_text})_target]]
        F↔templates[δ_label × Σ→edges_out[δ_role ×
        ({entity: Σ↔mentions[δ_text], …: δ_text})_target]]
    """

    name = "ceaf_rme"
    title = "role fillers as entities, several for one of gold's"
    citation = (
        "Chen et al. 2023, Iterative Document-level Information Extraction via "
        "Imitation Learning"
    )

    similarity: Literal["subset", "phi3"] = "subset"
    recall: Literal["bounded", "formula"] = "bounded"
    mentions: Mentions = "text"
    templates: Templates = "aligned"
    empty: Literal["count", "ignore"] = "count"
    preset: Literal["none", "iterx"] = "none"

    def formulas(self) -> Mapping[str, Similarity]:
        """Equations 27 and 28, of templates of equal type."""
        filler = fill(self.similarity, self.reading.mentions)
        return {"all": documents(filler, self.templates, "n:1", self.recall)}

    @property
    def reading(self) -> Reading:
        """What of a document is looked at."""
        by: Mentions = "normalized" if self.preset == "iterx" else self.mentions
        return Reading(by, self.templates)

    @cached_property
    def scheme(self) -> Scheme:
        """How fills are compared."""
        if self.preset == "iterx":
            return SCHEMES[self.similarity]
        return scheme(self.similarity, "n:1")

    def given(self, gold: Filled, system: Filled) -> tuple[Filled, Filled]:
        """With the preset, distinct templates beside single mentions."""
        return sides_of(gold, system) if self.preset == "iterx" else (gold, system)

    def align(self, gold: Filled, system: Filled, budget: Budget) -> Alignment:
        """The templates that belong together; with the preset, one type each."""
        if self.preset == "iterx":
            return Alignment(aligned_as_iterx(self.scheme, gold, system))
        return super().align(gold, system, budget)

    def masses(self, gold: Filled, system: Filled, found: Sequence[Aligned]) -> Masses:
        """Amounts of each slot, and of all of them."""
        if self.empty == "ignore" and not gold.forms:
            return {}
        if self.recall == "formula" and self.preset == "none":
            found = [_literal(each) for each in found]
        masses = super().masses(gold, system, found)
        if self.preset == "iterx" and self.similarity == "phi3" and system.forms:
            for slot, amount in doubled(gold, self.scheme.worth).items():
                masses[self.counted, slot, "gold"] += amount
        return masses

    @property
    def split(self) -> bool:
        """Whether recall and precision can have different numerators."""
        return super().split and self.recall == "bounded"


def _literal(found: Aligned) -> Aligned:
    """The same, with every filler counted as often as it is predicted."""
    slots = {
        slot: each._replace(sides=Numerators(*[each.sides.literal] * 3))
        for slot, each in found.slots.items()
    }
    return found._replace(slots=slots)
