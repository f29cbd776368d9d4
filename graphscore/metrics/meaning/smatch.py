"""SMATCH, exactly: triples that two graphs share under the best map of variables.

Cai and Knight (2013), "Smatch: an evaluation metric for semantic feature
structures".  Reference scorers: smatch.py 1.0.4, smatch++ 1.8 (Opitz 2023) and
mtool 4cee3a2 (``score/smatch.py``).  The first and the last climb hills; here
every score is the proven optimum.

What differs besides: values with blanks are whole, and repeated triples match as often
as both sides have them (``duplicates=pairs``: as smatch.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from msgspec.structs import replace

from graphscore.correspondence import Budget, Correspondence
from graphscore.metrics.base import numbered, outcome_of
from graphscore.metrics.corrections import Correctable
from graphscore.metrics.meaning.conventions import TripleConventions
from graphscore.metrics.meaning.shared_triples import (
    CommonTriples,
    enter_triple_errors,
    enter_triple_matches,
)
from graphscore.metrics.meaning.triples import PARTS, Triples, lay_out
from graphscore.metrics.pairwise import MappedPairMetric
from graphscore.model.frameworks import TRIPLED
from graphscore.model.graph import Graph
from graphscore.model.outcome import CountKey, Error, Outcome, Scores, count_of
from graphscore.model.outcome_builder import OutcomeBuilder

if TYPE_CHECKING:
    from graphscore.correspondence.problem import Problem

ORIGINAL = TripleConventions(
    top="constant",
    spelling="smatch",
    exempt="smatch",
    duplicates="pairs",
    inverted="drop",
)
"""The triples of smatch.py, as it counts them."""

PRESETS: dict[str, TripleConventions] = {
    # The number that papers print.  A triple that is said twice matches at most as
    # often as both sides say it, so that a graph is like itself to 1.
    "standard": replace(ORIGINAL, duplicates="multiset"),
    "none": TripleConventions(),
    "smatch": ORIGINAL,
    "smatchpp": TripleConventions(spelling="smatchpp", exempt="none", reify="dereify"),
    "mtool": TripleConventions(
        wiki="drop",
        spelling="smatch",
        exempt="mtool",
        repeated="mtool",
        duplicates="pairs",
    ),
}
"""Conventions of each preset, as defaults of the other parameters."""


@dataclass(frozen=True)
class Smatch(MappedPairMetric, Correctable):
    """Shared triples under the best one-to-one map of nodes.

    Every parameter but ``ties`` is ``preset`` unless it is given: then it is
    what the preset says, and those that are given go before it.

    Args:
        top: whether the triple of a top names the node's label or a constant.
        wiki: whether links to Wikipedia count (in amr).
        case: whether upper and lower case are the same.
        spelling: how values are spelt for comparing.
        exempt: which roles in ``-of`` are not turned round.
        repeated: what of repeated attributes and edges counts.
        duplicates: how often a triple counts that is said repeatedly.
        inverted: whether attributes under inverted roles count.
        anchors: whether anchors are attributes of nodes; by default where they are
            part of the annotation, and no comments beside it as in drg and sbn.
        senses: whether the numbers of senses count (in sbn).
        attributes: whether edge attributes are relations of their own.
        reify: whether roles are unified with the concepts that stand for them.
        ties: how one of several best maps is chosen.
        preset: whose conventions hold: those of smatch.py, but for repeated triples
            (``standard``); of the published definition (``none``); or of a tool to
            the letter.

    Example:
        >>> str(Smatch(preset="mtool", wiki="keep"))
        'smatch(wiki=keep,preset=mtool)'
        >>> Smatch(preset="mtool", wiki="keep").conventions.repeated
        'mtool'
    """

    name = "smatch"
    follows = "smatch.py 1.0.4"
    title = "SMATCH (Cai & Knight 2013): triple F1, optimal mapping"
    citation = (
        "Cai and Knight 2013, Smatch: an evaluation metric for semantic feature "
        "structures"
    )
    revision = 4
    made_for = TRIPLED
    tuple_types = ("all",)
    error_tuple_types = PARTS

    top: Literal["preset", "label", "constant"] = "preset"
    wiki: Literal["preset", "keep", "drop"] = "preset"
    case: Literal["preset", "fold", "keep"] = "preset"
    spelling: Literal["preset", "plain", "smatch", "smatchpp"] = "preset"
    exempt: Literal["preset", "amr", "smatch", "mtool", "none"] = "preset"
    repeated: Literal["preset", "keep", "mtool"] = "preset"
    duplicates: Literal["preset", "set", "multiset", "pairs"] = "preset"
    inverted: Literal["preset", "keep", "drop"] = "preset"
    anchors: Literal["preset", "annotated", "keep", "drop"] = "preset"
    senses: Literal["preset", "counted", "ignored"] = "preset"
    attributes: Literal["preset", "keep", "drop"] = "preset"
    reify: Literal["preset", "none", "reify", "dereify"] = "preset"
    ties: Literal["found", "canonical"] = "found"
    preset: Literal["standard", "none", "smatch", "smatchpp", "mtool"] = "standard"

    @cached_property
    def conventions(self) -> TripleConventions:
        """Conventions that follow from the parameters and the preset."""
        chosen = {
            name: getattr(self, name)
            for name in TripleConventions.__struct_fields__
            if getattr(self, name) != "preset"
        }
        return replace(PRESETS[self.preset], **chosen)

    @property
    def bound(self) -> str:
        """A repeated triple may match more often than both sides have it."""
        pairs = self.conventions.duplicates == "pairs"
        return "a triple matches every equal one" if pairs else ""

    @property
    def local(self) -> bool:
        """True if a repeated triple matches at most as often as both sides have it."""
        return not self.bound

    @property
    def over_one(self) -> str:
        """Explanation of scores above one, if repeated triples match one another."""
        if not self.bound:
            return ""
        return (
            "duplicates=pairs counts what is said twice on both sides four times; "
            "duplicates=multiset counts it twice"
        )

    @property
    def normalization(self) -> str:
        """Every convention that holds."""
        return ",".join(
            f"{name}={getattr(self.conventions, name)}"
            for name in TripleConventions.__struct_fields__
        )

    def repaired(self, error: Error) -> Mapping[CountKey, int | float]:
        """A triple that is right counts among all, and among those of its sort."""
        return {
            ("all", part, quantity): amount
            for (_, _, quantity), amount in super().repaired(error).items()
            for part in ("", error.tuple_type)
        }

    def prepare(self, graph: Graph) -> Triples:
        """Lay out a graph's triples."""
        return lay_out(graph, self.conventions)

    def plain_map(
        self, gold: Triples, system: Triples, budget: Budget
    ) -> Correspondence | None:
        """Return the map of equal graphs, or one that the first bound proves."""
        return CommonTriples(gold, system).plain_map(budget, self.ties)

    def problem(self, gold: Triples, system: Triples) -> Problem:
        """The triples that could match."""
        return CommonTriples(gold, system).problem()

    def outcome(
        self, gold: Triples, system: Triples, result: Correspondence, details: bool
    ) -> Outcome:
        """Count shared triples under a map of the nodes."""
        common, partner = CommonTriples(gold, system), dict(result.pairs)
        builder = OutcomeBuilder(details)
        builder.count("all", sum(gold.totals), sum(system.totals), result.score)
        counts = common.matched(partner)
        for part, *amounts in zip(
            PARTS, gold.totals, system.totals, counts, strict=True
        ):
            builder.count("all", *amounts, label=part)
        if details:
            enter_triple_matches(builder, common, result)
            enter_triple_errors(builder, PARTS, gold, system, partner)
        return outcome_of(result, builder)

    def scores(self, raw_counts: Mapping[CountKey, int | float]) -> Scores:
        """The count of all triples; instances, attributes, relations as numbers."""
        counts, numbers = super().scores(raw_counts)
        for part in PARTS:
            count = count_of(raw_counts, "all", part)
            amounts = zip(("gold", "system", "matched"), count[:3], strict=True)
            numbers |= {f"{part}.{name}": amount * 1.0 for name, amount in amounts}
            numbers |= numbered(part, count)
        return Scores(counts, numbers)
