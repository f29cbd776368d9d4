"""CEAF-REE: role fillers as entities, one to one.

Du, Rush and Cardie (2021), "GRIT: Generative Role-filler Transformers for
Document-level Event Entity Extraction"; eq. 25 and 26 of Chen et al. (2023).

::

    F↔templates[δ_label × Σ↔edges_out[δ_role × φ⊆mentions of the fillers]]

Reference: GRIT's ``eval.py`` (d8212bc), whose number the default is, but that gold is
like itself: for each entity without mentions that is left out of gold, one of the
system's is (``preset=grit``: as the program).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from graphscore.metrics.templates.base import TemplateMetric
from graphscore.metrics.templates.formulas import Phi, documents, fill, scheme
from graphscore.metrics.templates.matching import Scheme, contained_in
from graphscore.metrics.templates.prepared import (
    DocumentTemplates,
    Fill,
    MentionsOr,
    TemplateOptions,
    Templates,
)
from graphscore.metrics.templates.presets import mentioned, mentions_by, without
from graphscore.similarity import Similarity
from graphscore.similarity.base import Number


def grit_proportional(gold: Fill, system: Fill) -> Number:
    """Gold's mentions that are predicted, repeated ones each, by those predicted."""
    if gold.kind != system.kind or not system.listed:
        return 0
    shared = sum(1 for key in gold.listed if key in system.keys)
    return shared / len(system.listed)


@dataclass(frozen=True)
class CeafRee(TemplateMetric):
    """Role fillers as entities, one to one.

    Args:
        similarity: when two entities are alike, and to what degree.
        mentions: when two mentions are the same; as the preset has it unless given.
        templates: whether templates of equal type are aligned first, or all fillers
            are those of the document.
        preset: ``grit`` follows the script of that system to the letter,
            ``standard`` but for what keeps gold from being like itself, ``none``
            the equation.

    Example:
        >>> print(CeafRee(templates="merged", preset="none").formulas()["all"])
        ... # doctest: +NORMALIZE_WHITESPACE
        F↔edges(source.kind∈{template})[δ_role ×
        ({entity: φ⊆mentions[δ_text], …: δ_text})_target]
    """

    name = "ceaf_ree"
    follows = "GRIT's eval.py d8212bc"
    title = "CEAF-REE (Du et al. 2021): role-filler entities, one-to-one"
    citation = (
        "Du et al. 2021, GRIT: Generative Role-filler Transformers for Document-level "
        "Event Entity Extraction"
    )

    revision = 2

    similarity: Phi = "subset"
    mentions: MentionsOr = "preset"
    templates: Templates = "aligned"
    preset: Literal["standard", "none", "grit"] = "standard"

    def formulas(self) -> Mapping[str, Similarity]:
        """Equation 26, of templates of equal type."""
        filler = fill(self.similarity, self.reading.mentions)
        return {"all": documents(filler, self.templates)}

    @property
    def reading(self) -> TemplateOptions:
        """Template options implied by the parameters."""
        return TemplateOptions(mentions_by(self.mentions, self.preset), self.templates)

    @cached_property
    def scheme(self) -> Scheme:
        """Scheme by which fills are compared."""
        plain = scheme(self.similarity)
        if self.preset != "none" and self.similarity == "subset":
            return plain._replace(credit=contained_in, keyed=False)
        if self.preset != "none" and self.similarity == "proportional":
            return plain._replace(credit=grit_proportional)
        return plain

    def preset_sides(
        self, gold: DocumentTemplates, system: DocumentTemplates
    ) -> tuple[DocumentTemplates, DocumentTemplates]:
        """With the preset, gold without entities that have no mentions."""
        if self.preset == "standard":
            system = without(gold, system, repeated=False, sanitized=False)
        if self.preset != "none":
            gold = gold.cached("mentioned", mentioned)
        return gold, system
