"""Templates by their type and the strings that fill them.

Du, Rush and Cardie (2021), "Template Filling with Generative Transformers"; eq. 32 of
Chen et al. (2023) with φ_T = φ⊆, or one of their relaxed similarities.

The preset ``gtt`` compares as GTT's scorer does (9ff7920, ``eval.py``):

- Strings are normalized; gold's templates that say the same as an earlier one, and
  entities without mentions, are left out.
- The predicted type need only be a part of gold's, ``attack`` of ``attack / bombing``;
  what is no string is ``attack``.
- A predicted entity is right if it is a subset of any gold entity of the slot, and
  a gold entity is found if any predicted one is a subset of it.
- Of all alignments of a document's templates the one with the best F1 of the document
  is taken, the first of them in the order of the files: the first predicted template
  with the first of gold's, and with none last.

The script tries every alignment; here what cannot be better is left out.

The default is that number (``standard``), but that gold is like itself: what is left
out of gold is left out of the system's templates as often, and equal types fit even
where they are no strings.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Literal

from graphscore.correspondence import Budget
from graphscore.correspondence.ratio import best_ratio
from graphscore.metrics.templates.base import TemplateMetric
from graphscore.metrics.templates.counts import slot_weights
from graphscore.metrics.templates.formulas import (
    PhiT,
    Types,
    entities,
    scheme,
    slots,
    split_t,
    templates,
)
from graphscore.metrics.templates.matching import (
    Aligned,
    Alignment,
    Matched,
    Scheme,
    alike_types,
    cells_of,
    compared,
    contained_in,
    in_order,
    one,
)
from graphscore.metrics.templates.prepared import (
    DocumentTemplates,
    FillerKey,
    MentionsOr,
    PreparedTemplate,
    TemplateOptions,
)
from graphscore.metrics.templates.presets import (
    distinct,
    mentions_by,
    strings,
    without,
)
from graphscore.similarity import Similarity, choice, exact, kind
from graphscore.similarity.base import Cell, Number, Numerators
from graphscore.structures.layout import ENTITY, MENTION


@dataclass(frozen=True)
class Gtt(TemplateMetric):
    """Templates by their type and the strings that fill them.

    Args:
        similarity: φ_T: as the preset has it; subsets of entities one to one, or one
            of the similarities of ``ceaf_rme``.
        mentions: when two mentions are the same; as the preset has it unless given.
        preset: ``gtt`` follows the script of that system to the letter,
            ``standard`` but for what keeps gold from being like itself, ``none``
            the equation.

    Example:
        >>> equation = Gtt(preset="none").formulas()["all"]
        >>> print(equation)  # doctest: +NORMALIZE_WHITESPACE
        F↔templates[⟦φ_type > 0⟧ × (φ_type + Σ↔edges_out[δ_role ×
        ({entity: φ⊆mentions[δ_text], mention: δ_text})_target])]
    """

    name = "gtt"
    follows = "GTT's eval.py 9ff7920"
    title = "GTT template F1 (Du et al. 2021): type and filler strings"
    citation = "Du et al. 2021, Template Filling with Generative Transformers"

    revision = 2

    similarity: Literal["preset", "subset", "rme_subset", "rme_phi3"] = "preset"
    mentions: MentionsOr = "preset"
    preset: Literal["standard", "none", "gtt"] = "standard"

    def formulas(self) -> Mapping[str, Similarity]:
        """Equation 32 with a type that counts."""
        by = self.reading.mentions
        phi, constraint = split_t(self._phi)
        cases = {ENTITY: entities(phi, by), MENTION: exact(FillerKey(by))}
        return {"all": templates(Types(), slots(choice(kind, cases), constraint))}

    @property
    def reading(self) -> TemplateOptions:
        """Template options implied by the parameters."""
        return TemplateOptions(mentions_by(self.mentions, self.preset))

    @property
    def _phi(self) -> PhiT:
        return "subset" if self.similarity == "preset" else self.similarity

    @property
    def _any(self) -> bool:
        """True if a fill is correct when it is similar to any of the other side."""
        return self.preset != "none" and self.similarity == "preset"

    @cached_property
    def scheme(self) -> Scheme:
        """Scheme by which fills are compared."""
        if self._any:
            plain = Scheme(contained_in, one, "n:1", False, fill=filled_any)
        else:
            plain = scheme(*split_t(self._phi))
        fits: dict[str, Callable[[PreparedTemplate, PreparedTemplate], Number]] = {
            "none": partial(alike_types, ""),
            "standard": equal_or_fitting,
            "gtt": type_fits,
        }
        plain = plain._replace(typed=fits[self.preset], types_count=True)
        return plain if self.preset == "none" else plain._replace(align=best_aligned)

    def preset_sides(
        self, gold: DocumentTemplates, system: DocumentTemplates
    ) -> tuple[DocumentTemplates, DocumentTemplates]:
        """Only what is filled by strings."""
        gold, system = (
            gold.cached("strings", strings),
            system.cached("strings", strings),
        )
        if self.preset == "none":
            return gold, system
        if self.preset == "standard":
            system = without(gold, system, repeated=True, sanitized=False)
        return gold_of(gold), system


ATTACK = "attack"
"""The type of what has none."""


def gold_of(filled: DocumentTemplates) -> DocumentTemplates:
    """Gold's templates as they are read.

    Args:
        filled: gold's templates.
    """
    return filled.cached("distinct, plain", lambda filled: distinct(filled, False))


def equal_or_fitting(gold: PreparedTemplate, system: PreparedTemplate) -> Number:
    """Return 1 if two types are equal, or the predicted one is within gold's."""
    return 1 if gold.type == system.type else type_fits(gold, system)


def type_fits(gold: PreparedTemplate, system: PreparedTemplate) -> Number:
    """Return 1 if the predicted type is within gold's, as strings.

    Args:
        gold: gold's template.
        system: the system's.
    """
    type_ = system.type if isinstance(system.type, str) else ATTACK
    return int(type_ in gold.type) if isinstance(gold.type, str) else 0


def filled_any(
    scheme: Scheme, gold: PreparedTemplate, system: PreparedTemplate
) -> dict[str, Matched]:
    """Fills of which any of the other side is right, slot by slot.

    Args:
        scheme: how fills are compared.
        gold: gold's template.
        system: the system's.
    """
    result: dict[str, Matched] = {}
    for slot, fills in gold.slots.items():
        right = system.slots.get(slot, ())
        cells = sorted(cells_of(scheme, fills, right))
        left: dict[int, Cell] = {}
        others: dict[int, Cell] = {}
        for cell in cells:
            left.setdefault(cell[0], cell)
            others.setdefault(cell[1], cell)
        shown = sorted({*left.values(), *others.values()})
        pairs = tuple((fills[r], right[c], 1) for r, c in shown)
        sides = Numerators(len(left), len(others), len(others))
        result[slot] = Matched(pairs, sides)
    return result


def best_aligned(
    scheme: Scheme, gold: DocumentTemplates, system: DocumentTemplates, budget: Budget
) -> Alignment:
    """The alignment with the best F1.

    Args:
        scheme: how templates are compared.
        gold: gold's templates.
        system: the system's.
        budget: how much work may be spent.
    """
    result = in_order(scheme, gold, system)
    if result is not None:
        return Alignment(result)
    gold_size, system_size = (
        len(side.forms) + slot_weights(scheme, side)[""] for side in (gold, system)
    )
    tables = compared(scheme, gold, system)
    shape = len(gold.forms), len(system.forms)
    amounts = {cell: (s.recall, s.precision) for cell, (s, _) in tables.items()}
    best = best_ratio(amounts, shape, (gold_size, system_size), budget.steps)
    pairs = [Aligned(r, c, *tables[r, c]) for r, c in best.pairs]
    return Alignment(pairs, best.steps, best.proven)
