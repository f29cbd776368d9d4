"""Role fillers as mentions: which words fill which role, and nothing more.

Patwardhan and Riloff (2009), "A Unified Model of Phrasal and Sentential Evidence for
Information Extraction"; Du and Cardie (2020), "Document-level Event Role Filler
Extraction using Multi-granularity Contextualized Encoding".

::

    F↔mentions[δ]    with the role of each mention

No script is followed to the count: those of the literature compare heads
(``mentions=head``), and find an entity with any of its mentions (``ceaf_rme``).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from graphscore.metrics.templates.base import TemplateMetric
from graphscore.metrics.templates.matching import Scheme, one, subset
from graphscore.metrics.templates.prepared import (
    DocumentTemplates,
    Fill,
    Mentions,
    TemplateOptions,
    Templates,
    lay_out,
)
from graphscore.metrics.templates.presets import apart as singles
from graphscore.similarity import Similarity, View, exact, f1, itself, match
from graphscore.similarity.expression import Sort
from graphscore.similarity.navigation.collections import Whole
from graphscore.similarity.view import Element
from graphscore.structures.layout import ENTITY


class RoleMentions(Whole, frozen=True):
    """The mentions of all fillers, each with its role and the type of its template.

    Args:
        by: what mentions are known by.
        templates: whether the type of a template counts.
    """

    call: ClassVar[str] = "role_mentions"
    yields: ClassVar[Sort] = "value"
    short: ClassVar[str] = "mentions"

    by: Mentions = "text"
    templates: Templates = "merged"

    def every(self, view: View) -> Iterable[Element]:
        """Type, role, and what the mention is known by."""
        filled = lay_out(view.graph, TemplateOptions(self.by, self.templates))
        result: dict[Hashable, None] = {}
        for form in filled.forms:
            for slot, fills in form.slots.items():
                for fill in fills:
                    for key in fill.listed:
                        result[form.type, slot, fill.kind == ENTITY, key] = None
        return result


def mentions_of(filled: DocumentTemplates) -> DocumentTemplates:
    """Every mention of a slot once, as a filler of its own.

    Args:
        filled: the templates of a document, those of one type as one.
    """
    merged: dict[Hashable, dict[str, dict[Hashable, Fill]]] = {}
    firsts: dict[Hashable, int] = {}
    for index, form in enumerate(filled.forms):
        firsts.setdefault(form.type, index)
        slots = merged.setdefault(form.type, {})
        for slot, fills in form.slots.items():
            for fill in fills:
                known = slots.setdefault(slot, {})
                for single in singles(fill):
                    # A bare mention is none of an entity.
                    known.setdefault((fill.kind == ENTITY, *single.listed), single)
    forms = [
        filled.forms[firsts[kind]]._replace(
            slots={slot: tuple(fills.values()) for slot, fills in slots.items()}
        )
        for kind, slots in merged.items()
    ]
    return DocumentTemplates(filled.graph, forms)


@dataclass(frozen=True)
class RoleFillers(TemplateMetric):
    """Role fillers as mentions, whatever they refer to.

    Args:
        mentions: when two mentions are the same.
        templates: whether the fillers of all templates are those of the document,
            or the type of the template counts, too.

    Example:
        >>> print(RoleFillers().formulas()["all"])
        F↔mentions[δ]
    """

    name = "rolefillers"
    follows = "the definition of Du and Cardie 2020"
    title = "Role-filler mention F1 (Patwardhan & Riloff 2009)"
    citation = (
        "Patwardhan and Riloff 2009, A Unified Model of Phrasal and Sentential "
        "Evidence for Information Extraction"
    )
    scheme = Scheme(subset, one)

    mentions: Mentions = "text"
    templates: Templates = "merged"

    def formulas(self) -> Mapping[str, Similarity]:
        """Equal mentions in equal roles."""
        every = RoleMentions(self.mentions, self.templates)
        return {"all": f1(match(every, exact(itself)))}

    @property
    def reading(self) -> TemplateOptions:
        """Template options implied by the parameters."""
        return TemplateOptions(self.mentions, self.templates)

    def preset_sides(
        self, gold: DocumentTemplates, system: DocumentTemplates
    ) -> tuple[DocumentTemplates, DocumentTemplates]:
        """Every mention by itself."""
        return gold.cached("apart", mentions_of), system.cached("apart", mentions_of)
