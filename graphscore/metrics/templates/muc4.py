"""MUC-4: templates with strings, values and types, as in 1992 and since.

Chinchor (1992), "MUC-4 Evaluation Metrics"; eq. 32, 33, 45 and 46 and appendix C of
Chen et al. (2023).

::

    F↔templates[⟦types fit⟧ × ⟦some constrained slot matches⟧ × (φ_type + Σ↔fillers[φ])]

The scorer of 1992 does not run any more, and people decided in it; what differs is that
nothing is decided by hand (``adjudication`` takes decisions from a file).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Literal, NamedTuple

from graphscore.metrics.parameters import (
    Decisions,
    decisions_of,
    digest_of,
    hierarchy_of,
    words_of,
)
from graphscore.metrics.templates.base import TemplateMetric
from graphscore.metrics.templates.formulas import (
    PhiT,
    SetFills,
    SlotEdges,
    Types,
    any_sharing_words,
    entities,
    scheme,
    sharing_words,
    split_t,
    templates,
)
from graphscore.metrics.templates.matching import (
    Aligned,
    Scheme,
    alike_types,
    one,
)
from graphscore.metrics.templates.muc_fills import (
    CONSTRAINT,
    QUANTITIES,
    AdjudicatedMatch,
    Credits,
    adjudicated,
    any_of_seven,
    overlap,
    read_as_muc,
    reported,
    tallied,
)
from graphscore.metrics.templates.prepared import (
    DocumentTemplates,
    FillerKey,
    TemplateOptions,
)
from graphscore.metrics.traits import Amounts
from graphscore.model.graph import Graph
from graphscore.model.outcome import CountKey, RawCounts, Scores
from graphscore.similarity import (
    Hierarchy,
    Similarity,
    at,
    choice,
    exact,
    kind,
    match,
    role,
    target,
)
from graphscore.structures.layout import ENTITY, MENTION, VALUE

REVISION = 1
"""Rises with any number that can move."""


class MucFiles(NamedTuple):
    """Contents of the files that parameters name."""

    tree: Hierarchy
    """Hierarchy of values."""
    premodifiers: frozenset[str]
    """Words that do not count."""
    decisions: Decisions
    """Manual decisions about strings."""


@dataclass(frozen=True)
class Muc4(TemplateMetric, Amounts):
    """Templates with strings, values and types, as in MUC-4.

    Args:
        strings: φ_T of strings: a word in common with any mention of gold's entity,
            or one of the similarities that are used today.
        fills: whether values are scored, too, or strings alone.
        generic: the type that earns half in place of any other; empty for none.
        constraint: whether templates must match in one of seven slots to be aligned.
        hierarchies: file of values and what is above them.
        premodifiers: file of words that do not count.
        adjudication: file of decisions about strings, for the score and not the
            alignment.

    Example:
        >>> print(Muc4(generic="", constraint="none").formulas()["all"])
        ... # doctest: +NORMALIZE_WHITESPACE
        F↔templates[⟦φ_type > 0⟧ × (φ_type +
        Σ↔fillers[δ_role ×
        ({entity: ⟦Σ~mentions[⟦Σ↔words[δ] > 0⟧] > 0⟧, mention: ⟦Σ↔words[δ] > 0⟧,
        value: φ_set, …: δ_text})_target])]
    """

    name = "muc4"
    follows = "the definition of Chinchor 1992"
    title = "MUC-4 template slot F1 (Chinchor 1992)"
    citation = "Chinchor 1992, MUC-4 Evaluation Metrics"

    opens = ("hierarchies=", "premodifiers=", "adjudication=")

    strings: Literal["overlap", "subset", "rme_subset", "rme_phi3"] = "overlap"
    fills: Literal["all", "strings"] = "all"
    generic: str = "attack"
    constraint: Literal["slots", "none"] = "slots"
    hierarchies: str = ""
    premodifiers: str = ""
    adjudication: str = ""

    def __post_init__(self) -> None:
        _ = self.files

    @cached_property
    def files(self) -> MucFiles:
        """Contents of the files that parameters name."""
        return MucFiles(
            hierarchy_of(self.hierarchies),
            words_of(self.premodifiers),
            decisions_of(self.adjudication),
        )

    @cached_property
    def revision(self) -> int:
        """1, or a digest of the files."""
        files = self.hierarchies, self.premodifiers, self.adjudication
        return digest_of(*files) if any(files) else REVISION

    def formulas(self) -> Mapping[str, Similarity]:
        """Equation 32 with the type as a slot, and what appendix C adds."""
        filler = self._filler()
        _, constraint = split_t(self._phi)
        alike = exact(role()) * at(target, filler)
        inner = match(SlotEdges(), alike, constraint)
        threshold = None
        if self.constraint == "slots":
            threshold = match(SlotEdges(CONSTRAINT), alike, constraint)
        return {"all": templates(Types(self.generic.lower()), inner, threshold)}

    def _filler(self) -> Similarity:
        """Build the similarity of two fillers."""
        same_key = exact(FillerKey("text"))
        cases: dict[str, Similarity] = {}
        if self.strings == "overlap":
            cases[ENTITY] = any_sharing_words(self.files.premodifiers)
            cases[MENTION] = sharing_words(self.files.premodifiers)
        else:
            phi, _ = split_t(self._phi)
            cases |= {ENTITY: entities(phi, "text"), MENTION: same_key}
        if self.fills == "strings":
            return choice(kind, cases)
        return choice(
            kind, {**cases, VALUE: SetFills(self.files.tree)}, otherwise=same_key
        )

    @property
    def _phi(self) -> PhiT:
        return "subset" if self.strings == "overlap" else self.strings

    @property
    def reading(self) -> TemplateOptions:
        """Template options implied by the parameters."""
        return TemplateOptions("text")

    @property
    def layout(self) -> Hashable:
        """Metrics that read alike take each other's documents."""
        return type(self), self._premodifiers, self.fills

    @property
    def normalization(self) -> str:
        """Description of how strings are compared."""
        return f"strings={self.strings}"

    @property
    def _premodifiers(self) -> frozenset[str] | None:
        return self.files.premodifiers if self.strings == "overlap" else None

    def prepare(self, graph: Graph) -> DocumentTemplates:
        """The templates of one document, as they are scored."""
        filled = super().prepare(graph)
        return read_as_muc(filled, self._premodifiers, self.fills == "all")

    @cached_property
    def scheme(self) -> Scheme:
        """Scheme by which fills are compared."""
        plain = scheme(*split_t(self._phi))._replace(
            typed=partial(alike_types, self.generic.lower()),
            types_count=True,
            allowed=any_of_seven if self.constraint == "slots" else None,
        )
        credit = overlap if self.strings == "overlap" else plain.credit
        if self.fills == "all":
            # Values below others have no key in common.
            plain = plain._replace(keyed=False)
            credit = Credits(credit, self.files.tree)
        plain = plain._replace(credit=credit)
        if not (decisions := self.files.decisions):
            return plain
        return plain._replace(
            credit=AdjudicatedMatch(credit, decisions, self._premodifiers),
            keyed=False,
            align=partial(adjudicated, plain),
        )

    def raw_counts(
        self,
        gold: DocumentTemplates,
        system: DocumentTemplates,
        pairs: Sequence[Aligned],
    ) -> RawCounts:
        """Amounts of each slot, and what MUC counts."""
        raw_counts = super().raw_counts(gold, system, pairs)
        if self.scheme.weight is not one:
            return raw_counts
        types = [
            self.scheme.typed(gold.forms[pair.gold], system.forms[pair.system])
            for pair in pairs
        ]
        counts, optional = tallied(gold, system, pairs, types)
        for slot, amount in optional.items():
            raw_counts[self.counted, slot, "gold"] -= amount
            raw_counts[self.counted, "", "gold"] -= amount
        if self.scheme.constraint == "1:1":
            for (slot, quantity), number in counts.items():
                for label in ("", slot) if number else ():
                    key = (self.counted, label, quantity)
                    raw_counts[key] = raw_counts.get(key, 0) + number
        return raw_counts

    def scores(self, raw_counts: Mapping[CountKey, int | float]) -> Scores:
        """Counts and ratios, and what MUC reports beside them."""
        result = super().scores(raw_counts)
        if self.scheme.constraint == "1:1":
            result.numbers.update(reported(raw_counts, self.counted))
        return result

    def is_ratio(self, score: str, value: float) -> bool:
        """Return true if a further score is a ratio rather than a number of fills.

        Args:
            score: its name.
            value: what it is.
        """
        return score not in QUANTITIES and super().is_ratio(score, value)
