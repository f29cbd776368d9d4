"""Fills as MUC scores them: words in common, values below others, decisions of people.

Chinchor (1992), "MUC-4 Evaluation Metrics"; eq. 33, 45 and 46 and appendix C of Chen
et al. (2023).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from graphscore.correspondence import Budget
from graphscore.metrics.muc_categories import MucCategories
from graphscore.metrics.parameters import Decisions
from graphscore.metrics.templates.formulas import telling, values_alike
from graphscore.metrics.templates.matching import (
    Aligned,
    Alignment,
    Credit,
    Matched,
    Scheme,
    aligned,
    filled,
)
from graphscore.metrics.templates.prepared import (
    STRINGS,
    TYPE,
    TYPES,
    DocumentTemplates,
    Fill,
)
from graphscore.model.outcome import CountKey
from graphscore.similarity import Hierarchy
from graphscore.similarity.base import Number
from graphscore.structures.layout import VALUE

CONSTRAINT = frozenset(
    {
        *("PHYS TGT: ID", "PHYS TGT: TYPE", "HUM TGT: NAME", "HUM TGT: DESCRIPTION"),
        *("HUM TGT: TYPE", "PERP: INDIVIDUAL ID", "PERP: ORGANIZATION ID"),
        *("PerpInd", "PerpOrg", "Target", "Victim"),
    }
)
"""One of these must match for templates to be aligned: the seven of MUC-4, and what
GRIT, GTT and IterX call four of them."""

QUANTITIES = ("correct", "partial", "incorrect", "missing", "spurious")
"""Counts of MUC for each slot."""

RATES = ("undergeneration", "overgeneration", "substitution", "error")
"""Rates of MUC derived from the counts."""


def any_of_seven(slots: Mapping[str, Matched]) -> bool:
    """Return true if one of the seven slots matches, at least partially."""
    return any(matched.pairs for slot, matched in slots.items() if slot in CONSTRAINT)


def overlap(gold: Fill, system: Fill) -> Number:
    """Return 1 if a predicted mention shares a word with any of gold's (eq. 46)."""
    return int(gold.kind == system.kind and not gold.keys.isdisjoint(system.keys))


@dataclass(frozen=True)
class Credits:
    """Credit of two fills: strings by one formula, values by another.

    Args:
        strings: of entities, mentions and whatever else is no value.
        tree: which value is below which.
    """

    strings: Credit
    tree: Hierarchy

    def __call__(self, gold: Fill, system: Fill) -> Number:
        """The credit of gold's and the system's fill."""
        if gold.kind != VALUE:
            return self.strings(gold, system)
        if system.kind != VALUE:
            return 0
        return values_alike(self.tree, gold.values, system.values)


@dataclass(frozen=True)
class AdjudicatedMatch:
    """Credit of two fills with manual decisions.

    A decision about two strings stands in place of what they would earn; an entity
    earns the best of its mentions.

    Args:
        credits: what they earn otherwise.
        decisions: credit by predicted and gold string.
        premodifiers: words that do not count; ``None`` where words are not compared.
    """

    credits: Credit
    decisions: Decisions
    premodifiers: frozenset[str] | None

    def __call__(self, gold: Fill, system: Fill) -> Number:
        """The credit of gold's and the system's fill."""
        if gold.kind not in STRINGS or gold.kind != system.kind:
            return self.credits(gold, system)
        pairs = [(right, left) for left in gold.listed for right in system.listed]
        decided = [self.decisions.get((str(right), str(left))) for right, left in pairs]
        if all(credit is None for credit in decided):
            return self.credits(gold, system)
        best = max(credit for credit in decided if credit is not None)
        if self.premodifiers is None:
            return best
        # The other mentions may still share words.
        for credit, (right, left) in zip(decided, pairs, strict=True):
            if credit is None and not self._words(left).isdisjoint(self._words(right)):
                return 1
        return int(best) if best in (0, 1) else best

    def _words(self, text: object) -> frozenset[str]:
        return frozenset(telling(text, self.premodifiers or frozenset()))


def read_as_muc(
    filled: DocumentTemplates, premodifiers: frozenset[str] | None, values: bool
) -> DocumentTemplates:
    """The templates of a document as they are scored.

    The slot that repeats the type is left out, and entities without mentions.

    Args:
        filled: the templates.
        premodifiers: words that do not count; ``None`` where words are not compared.
        values: whether values are scored, too.
    """

    def fills_of(fill: Fill) -> tuple[Fill, ...]:
        if fill.slot.lower() in TYPES or not fill.listed:
            return ()
        if fill.kind not in STRINGS:
            return (fill,) if values else ()
        if premodifiers is None:
            return (fill,)
        words = (word for text in fill.listed for word in telling(text, premodifiers))
        return (fill._replace(keys=frozenset(words)),)

    return filled.refilled(fills_of)


def adjudicated(
    plain: Scheme,
    scheme: Scheme,
    gold: DocumentTemplates,
    system: DocumentTemplates,
    budget: Budget,
) -> Alignment:
    """The templates that belong together, their fills compared as people decided.

    Args:
        plain: how templates are aligned; their numerators stay as they are.
        scheme: how fills are compared then.
        gold: gold's templates.
        system: the system's.
        budget: how much work may be spent.
    """
    alignment = aligned(plain, gold, system, budget)
    pairs = [
        pair._replace(
            slots=filled(scheme, gold.forms[pair.gold], system.forms[pair.system])
        )
        for pair in alignment.pairs
    ]
    return alignment._replace(pairs=pairs)


def tallied(
    gold: DocumentTemplates,
    system: DocumentTemplates,
    pairs: Sequence[Aligned],
    types: Sequence[Number],
) -> tuple[Counter[tuple[str, str]], Counter[str]]:
    """Count MUC's quantities for each slot, and the optional fills.

    Of the fills of a slot that have no partner, as many are *incorrect* as both
    sides have; the rest is missing or spurious.  An optional fill without a partner
    counts nowhere, nor does an optional template to which none is aligned.

    Args:
        gold: gold's templates.
        system: the system's.
        pairs: those that are aligned.
        types: what their types earn.

    Returns:
        Amounts by slot and quantity, and by slot how many fills were not asked for.
    """
    counts: Counter[tuple[str, str]] = Counter()
    optional: Counter[str] = Counter()
    by_gold = {pair.gold: pair for pair in pairs}
    by_system = {pair.system: pair for pair in pairs}
    for typed in types:
        counts[TYPE, "correct" if typed >= 1 else "partial"] += typed > 0
    for index, form in enumerate(gold.forms):
        pair = by_gold.get(index)
        if pair is None and form.optional:
            optional.update({slot: len(fills) for slot, fills in form.slots.items()})
            optional[TYPE] += 1
            continue
        counts[TYPE, "missing"] += pair is None
        opposite = system.forms[pair.system].slots if pair else {}
        for slot, fills in form.slots.items():
            matched = pair.slots.get(slot) if pair else None
            earned = {fill.edge: n for fill, _, n in (matched.pairs if matched else ())}
            free = sum(fill.optional and fill.edge not in earned for fill in fills)
            optional[slot] += free
            whole = sum(number >= 1 for number in earned.values())
            left = len(fills) - len(earned) - free
            right = len(opposite.get(slot, ())) - len(earned)
            wrong = min(left, right)
            counts[slot, "correct"] += whole
            counts[slot, "partial"] += len(earned) - whole
            counts[slot, "incorrect"] += wrong
            counts[slot, "missing"] += left - wrong
            counts[slot, "spurious"] += right - wrong
    for index, form in enumerate(system.forms):
        pair = by_system.get(index)
        counts[TYPE, "spurious"] += pair is None
        known = gold.forms[pair.gold].slots if pair else {}
        for slot, fills in form.slots.items():
            if slot not in known:
                counts[slot, "spurious"] += len(fills)
    return counts, optional


def reported(
    raw_counts: Mapping[CountKey, int | float], kind: str
) -> Iterable[tuple[str, float]]:
    """Yield the scores of MUC beside recall and precision, overall and by slot.

    Args:
        raw_counts: summed raw counts.
        kind: the kind that slots are counted under.
    """
    slots = sorted({label for part, label, _ in raw_counts if part == kind and label})
    for slot in ("", *slots):
        amounts = {name: raw_counts.get((kind, slot, name), 0) for name in QUANTITIES}
        prefix = f"{slot}." if slot else ""
        if not slot:
            yield from ((name, amount * 1.0) for name, amount in amounts.items())
        for name, rate in zip(
            RATES, MucCategories(**amounts).rates().values(), strict=True
        ):
            yield prefix + name, rate
