"""Templates by their type and the strings that fill them.

Du, Rush and Cardie (2021), "Template Filling with Generative Transformers"; eq. 32 of
Chen et al. (2023) with φ_T = φ⊆, or one of their relaxed similarities.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from graphscore.correspondence import Budget
from graphscore.metrics.templates.base import TypedTemplates
from graphscore.metrics.templates.filling import (
    Filled,
    Form,
    Mentions,
    Reading,
    Said,
    types_alike,
)
from graphscore.metrics.templates.formulas import PhiT, entities, scheme, slots, split_t
from graphscore.metrics.templates.gtt_script import best_aligned, gold_of
from graphscore.metrics.templates.matching import Alignment, Scheme, contained_in, one
from graphscore.metrics.templates.presets import strings
from graphscore.metrics.templates.typed_formulas import Types, templates
from graphscore.similarity import Similarity, choice, exact, kind
from graphscore.similarity.base import Number
from graphscore.structures.layout import ENTITY, MENTION


@dataclass(frozen=True)
class Gtt(TypedTemplates):
    """Templates by their type and the strings that fill them.

    Args:
        similarity: φ_T: subsets of entities one to one, or one of the similarities
            of ``ceaf_rme``.
        mentions: when two mentions are the same.
        preset: ``gtt`` follows the script of that system.

    Example:
        >>> print(Gtt().formulas()["all"])  # doctest: +NORMALIZE_WHITESPACE
        F↔templates[⟦φ_type > 0⟧ × (φ_type + Σ↔edges_out[δ_role ×
        ({entity: φ⊆mentions[δ_text], mention: δ_text})_target])]
    """

    name = "gtt"
    title = "templates by their type and the strings that fill them"
    citation = "Du et al. 2021, Template Filling with Generative Transformers"

    similarity: PhiT = "subset"
    mentions: Mentions = "text"
    preset: Literal["none", "gtt"] = "none"

    def formulas(self) -> Mapping[str, Similarity]:
        """Equation 32 with a type that counts."""
        by = self.reading.mentions
        phi, constraint = split_t(self.similarity)
        cases = {ENTITY: entities(phi, by), MENTION: exact(Said(by))}
        return {"all": templates(Types(), slots(choice(kind, cases), constraint))}

    @property
    def reading(self) -> Reading:
        """What of a document is looked at."""
        return Reading("normalized" if self.preset == "gtt" else self.mentions)

    @cached_property
    def scheme(self) -> Scheme:
        """How fills are compared."""
        if self.preset == "gtt":
            return Scheme(contained_in, one, "n:1", False)
        return scheme(*split_t(self.similarity))

    def typed(self, gold: Form, system: Form) -> Number:
        """1 for templates that have a type in common."""
        if self.preset == "gtt":
            return 1
        return types_alike(gold.types, system.types, "")

    def given(self, gold: Filled, system: Filled) -> tuple[Filled, Filled]:
        """Only what is filled by strings."""
        gold, system = gold.keep("strings", strings), system.keep("strings", strings)
        return (gold_of(gold), system) if self.preset == "gtt" else (gold, system)

    def align(self, gold: Filled, system: Filled, budget: Budget) -> Alignment:
        """The templates that belong together; with the preset, of the best F1."""
        if self.preset == "none":
            return super().align(gold, system, budget)
        gold_size, system_size = (
            len(side.forms) + int(self._slots(side)[""]) for side in (gold, system)
        )
        sizes = gold_size, system_size
        return best_aligned(self.scheme, gold, system, sizes, budget)
