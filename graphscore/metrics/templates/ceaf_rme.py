"""CEAF-RME: role fillers as entities, several predicted ones for one of gold's.

Chen et al. (2023), "Iterative Document-level Information Extraction via Imitation
Learning"; eq. 27 and 28 of Chen et al. (2023), "A Unified View".

The preset ``iterx`` compares as IterX's scorer does (65fd64c,
``metrics/muc/ceaf_rme.py``):

- Strings are normalized; gold's templates that say the same as an earlier one, and
  entities without mentions, are left out.
- A predicted mention is an entity of its own.
- φ⊆ counts the predicted mentions that gold has anywhere in the slot, and in recall
  the gold entities that are the first to have one; φ3 pairs mentions and gold
  entities one to one.
- A gold template of several types, ``attack / bombing``, may be aligned as either;
  of its types that one is kept whose fillers have most in common with all templates
  of the system together.  φ3 divides recall by its mentions once for each type,
  unless the system has no template at all.

The default is that number (``standard``), but that gold is like itself: what is left
out of gold is left out of the system's templates as often, a template of several types
is like one of the same several, and a mention that is of several gold entities finds as
many of them as it is predicted times.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Literal

import numpy as np

from graphscore.correspondence import Budget
from graphscore.metrics.templates.base import TemplateMetric
from graphscore.metrics.templates.formulas import documents, fill, scheme
from graphscore.metrics.templates.matching import (
    Aligned,
    Alignment,
    Compared,
    Matched,
    Scheme,
    one,
    subset,
)
from graphscore.metrics.templates.prepared import (
    DocumentTemplates,
    Fill,
    MentionsOr,
    PreparedTemplate,
    TemplateOptions,
    Templates,
)
from graphscore.metrics.templates.presets import (
    distinct,
    mentions_by,
    singletons,
    without,
)
from graphscore.model.outcome import RawCounts
from graphscore.similarity import Similarity
from graphscore.similarity.base import Cell, Number, Numerators, Sparse


def listed_in(gold: Fill, system: Fill) -> Number:
    """Count the predicted mentions that gold has, repeated ones each time."""
    if gold.kind != system.kind:
        return 0
    return sum(1 for key in system.listed if key in gold.keys)


def length(fill: Fill) -> Number:
    """A fill is worth its mentions, repeated ones each."""
    return len(fill.listed)


def sides_of(
    gold: DocumentTemplates, system: DocumentTemplates
) -> tuple[DocumentTemplates, DocumentTemplates]:
    """Both sides as they are compared.

    Args:
        gold: gold's templates.
        system: the system's.
    """
    return (
        gold.cached("distinct", lambda filled: distinct(filled, True)),
        system.cached("singletons", singletons),
    )


def _types(form: PreparedTemplate) -> list[Hashable]:
    """The types that a template of several may be aligned as; none for others."""
    if not isinstance(form.type, str) or "/" not in form.type:
        return []
    if not any(form.slots.values()):
        return []
    return [part.strip() for part in form.type.split("/")]


def listed_any(
    letter: bool, scheme: Scheme, gold: PreparedTemplate, system: PreparedTemplate
) -> dict[str, Matched]:
    """Predicted mentions that any entity of gold's slot has, slot by slot.

    Args:
        letter: whether the script is followed even where gold is not like itself.
        scheme: how fills are compared.
        gold: gold's template.
        system: the system's.
    """
    slots: dict[str, Matched] = {}
    for slot, fills in gold.slots.items():
        pairs: list[tuple[Fill, Fill, Number]] = []
        times: Counter[Hashable] = Counter()
        for predicted in system.slots.get(slot, ()):
            near = [fill for fill in fills if scheme.credit(fill, predicted)]
            if near:
                # Said again, a mention finds the next entity that has it.
                again = 0 if letter else times[predicted.keys]
                pairs.append((near[again if again < len(near) else 0], predicted, 1))
                times[predicted.keys] += 1
        right = len({fill.edge for fill, _, _ in pairs})
        sides = Numerators(right, len(pairs), len(pairs))
        slots[slot] = Matched(tuple(pairs), sides)
    return slots


def aligned_as_iterx(
    letter: bool,
    scheme: Scheme,
    gold: DocumentTemplates,
    system: DocumentTemplates,
    budget: Budget,
) -> Alignment:
    """The templates that belong together.

    Where several alignments are equally good, φ⊆ depends on which one is taken: it
    is that of ``scipy.optimize.linear_sum_assignment``, in the order of the files.

    Args:
        letter: whether the script is followed even where gold is not like itself.
        scheme: how templates are compared.
        gold: gold's templates.
        system: the system's.
        budget: how much work may be spent; none is.
    """
    columns = [c for c, form in enumerate(system.forms) if any(form.slots.values())]
    rows: list[int] = []
    tables: dict[Cell, Compared] = {}
    for number, form in enumerate(gold.forms):
        chosen, most = len(rows), -1.0
        by_row: dict[int, dict[Cell, Compared]] = {}
        types = _types(form) or [form.type]
        if not letter and any(system.forms[c].type == form.type for c in columns):
            types = [form.type]
        for type_ in types:
            row, total = len(rows), 0.0
            rows.append(number)
            by_row[row] = {}
            for index, column in enumerate(columns):
                both = scheme.compare(form._replace(type=type_), system.forms[column])
                if both is not None and both[0].literal:
                    by_row[row][row, index] = both
                    total += both[0].literal
            if total > most:
                chosen, most = row, total
        tables |= by_row[chosen]
    cells = {cell: tables[cell][0].literal for cell in tables}
    return Alignment(
        [
            Aligned(rows[r], columns[c], *tables[r, c])
            for r, c in _best(cells, rows, columns)
        ]
    )


def _best(cells: Sparse, rows: Sequence[int], columns: Sequence[int]) -> list[Cell]:
    """The assignment that the script takes, without what earns nothing."""
    if len({r for r, _ in cells}) == len(cells) == len({c for _, c in cells}):
        return list(cells)
    # Few need it.
    from graphscore.correspondence.scipy_assignment import linear_sum_assignment

    table = np.zeros((len(rows), len(columns)))
    for cell, number in cells.items():
        table[cell] = -number
    chosen = zip(*(axis.tolist() for axis in linear_sum_assignment(table)), strict=True)
    return [cell for cell in chosen if cell in cells]


def doubled(
    gold: DocumentTemplates, weight: Callable[[Fill], Number]
) -> dict[str, Number]:
    """By how much more φ3 divides recall: templates of several types again.

    Args:
        gold: gold's templates.
        weight: what a fill weighs.

    Returns:
        Amounts by slot, and under ``""`` all of them; slots of 0 are left out.
    """
    numbers: dict[str, Number] = {}
    for form in gold.forms:
        again = len(_types(form)) - 1
        if again > 0:
            for slot, fills in form.slots.items():
                amount = again * sum(map(weight, fills))
                if amount:
                    numbers[slot] = numbers.get(slot, 0) + amount
                    numbers[""] = numbers.get("", 0) + amount
    return numbers


@dataclass(frozen=True)
class CeafRme(TemplateMetric):
    """Role fillers as entities, several predicted ones for one of gold's.

    Args:
        similarity: when two entities are alike, and to what degree.
        recall: whether a gold entity counts for what it is worth at most, or as
            often as it is predicted (eq. 5 to the letter), which can exceed 1.
        mentions: when two mentions are the same; as the preset has it unless given.
        templates: whether templates of equal type are aligned first, or all fillers
            are those of the document.
        empty: whether documents whose gold has no template count.
        preset: ``iterx`` follows the script of that system to the letter,
            ``standard`` but for what keeps gold from being like itself, ``none``
            the equation.

    Example:
        >>> for phi in ("subset", "phi3"):
        ...     metric = CeafRme(similarity=phi, preset="none")
        ...     print(metric.formulas()["all"])
        ... # doctest: +NORMALIZE_WHITESPACE
        F↔templates[δ_label × Σ→edges_out[δ_role ×
        ({entity: φ⊆mentions[δ_text], …: δ_text})_target]]
        F↔templates[δ_label × Σ→edges_out[δ_role ×
        ({entity: Σ↔mentions[δ_text], …: δ_text})_target]]
    """

    name = "ceaf_rme"
    follows = "IterX's ceaf_rme.py 65fd64c"
    title = "CEAF-RME (Chen et al. 2023): role-filler entities, many-to-one"
    citation = (
        "Chen et al. 2023, Iterative Document-level Information Extraction via "
        "Imitation Learning"
    )

    revision = 2

    similarity: Literal["subset", "phi3"] = "subset"
    recall: Literal["bounded", "formula"] = "bounded"
    mentions: MentionsOr = "preset"
    templates: Templates = "aligned"
    empty: Literal["count", "ignore"] = "count"
    preset: Literal["standard", "none", "iterx"] = "standard"

    def formulas(self) -> Mapping[str, Similarity]:
        """Equations 27 and 28, of templates of equal type."""
        filler = fill(self.similarity, self.reading.mentions)
        return {"all": documents(filler, self.templates, "n:1", self.recall)}

    @property
    def reading(self) -> TemplateOptions:
        """Template options implied by the parameters."""
        return TemplateOptions(mentions_by(self.mentions, self.preset), self.templates)

    @cached_property
    def scheme(self) -> Scheme:
        """Scheme by which fills are compared."""
        bounded = self.recall == "bounded"
        if self.preset == "none":
            return scheme(self.similarity, "n:1")._replace(bounded=bounded)
        letter = self.preset == "iterx"
        align = partial(aligned_as_iterx, letter)
        if self.similarity == "phi3":
            plain = Scheme(listed_in, length, "1:1", align=align)
        else:
            fill = partial(listed_any, letter)
            plain = Scheme(subset, one, "n:1", fill=fill, align=align)
        return plain._replace(bounded=bounded)

    def preset_sides(
        self, gold: DocumentTemplates, system: DocumentTemplates
    ) -> tuple[DocumentTemplates, DocumentTemplates]:
        """With the preset, distinct templates beside single mentions."""
        if self.preset == "standard":
            system = without(gold, system, repeated=True, sanitized=True)
        return (gold, system) if self.preset == "none" else sides_of(gold, system)

    def raw_counts(
        self,
        gold: DocumentTemplates,
        system: DocumentTemplates,
        pairs: Sequence[Aligned],
    ) -> RawCounts:
        """Amounts of each slot, and of all of them."""
        if self.empty == "ignore" and not gold.forms:
            return {}
        raw_counts = super().raw_counts(gold, system, pairs)
        if self.preset != "none" and self.similarity == "phi3" and system.forms:
            for slot, amount in doubled(gold, self.scheme.weight).items():
                raw_counts[self.counted, slot, "gold"] += amount
        return raw_counts

    @property
    def over_one(self) -> str:
        """Explanation of scores above one, if recall is the printed equation."""
        if self.recall == "bounded":
            return ""
        return (
            "recall=formula counts a gold entity as often as it is predicted; "
            "recall=bounded counts it once"
        )
