"""Raw counts of slots from aligned templates, and the scores made of them.

A slot counts what its fills weigh on either side, and what the fills of aligned
templates earn; the type of a template is a slot where it counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from graphscore.metrics.templates.matching import Aligned, Scheme
from graphscore.metrics.templates.prepared import TYPE, DocumentTemplates
from graphscore.model.outcome import Count, CountKey, RawCounts, count_of
from graphscore.similarity.base import Number, sum_exactly

MACRO = "macro"
"""Prefix of the scores that are means over the slots."""

RATIOS = ("precision", "recall", "f1")


def slot_weights(scheme: Scheme, filled: DocumentTemplates) -> dict[str, Number]:
    """Return the weights of the fills of each slot, and of all under ``""``.

    Args:
        scheme: what fills weigh.
        filled: the templates of a side.
    """

    def sums(filled: DocumentTemplates) -> dict[str, Number]:
        result: dict[str, Number] = {"": 0}
        for form in filled.forms:
            for slot, fills in form.slots.items():
                result[slot] = result.get(slot, 0) + sum(map(scheme.weight, fills))
        result[""] = sum_exactly(result.values())
        return result

    return filled.cached(f"weights by {scheme.weight.__name__}", sums)


def raw_counts_of(
    scheme: Scheme,
    tuple_type: str,
    sides: tuple[DocumentTemplates, DocumentTemplates],
    pairs: Sequence[Aligned],
) -> RawCounts:
    """Count each slot, and all of them.

    Args:
        scheme: how templates are compared.
        tuple_type: what slots are counted under.
        sides: the templates of gold and the system.
        pairs: those that are aligned.
    """
    raw_counts: RawCounts = {}
    for quantity, side in zip(("gold", "system"), sides, strict=True):
        for slot, amount in slot_weights(scheme, side).items():
            if amount:
                raw_counts[tuple_type, slot, quantity] = amount
    numerators = {"matched": "recall" if scheme.bounded else "literal"}
    if scheme.split:
        numerators["matched_system"] = "precision"
    for quantity, numerator in numerators.items():
        earned: dict[str, list[Number]] = {}
        for pair in pairs:
            for slot, matched in pair.slots.items():
                if matched.pairs:
                    number = getattr(matched.sides, numerator)
                    earned.setdefault(slot, []).append(number)
        for slot, numbers in earned.items():
            raw_counts[tuple_type, slot, quantity] = sum_exactly(numbers)
        if earned or quantity == "matched_system":
            every = chain.from_iterable(earned.values())
            raw_counts[tuple_type, "", quantity] = sum_exactly(every)
    if scheme.types_count:
        gold, system = (side.forms for side in sides)
        typed = sum(scheme.typed(gold[p.gold], system[p.system]) for p in pairs)
        amounts = {"gold": len(gold), "system": len(system)}
        for quantity, amount in (amounts | dict.fromkeys(numerators, typed)).items():
            for label in ("", TYPE) if amount else ():
                key = (tuple_type, label, quantity)
                raw_counts[key] = raw_counts.get(key, 0) + amount
    return raw_counts


def slot_counts(
    raw_counts: Mapping[CountKey, int | float], tuple_type: str
) -> dict[str, Count]:
    """The count of each slot, from summed raw counts.

    Args:
        raw_counts: summed raw counts.
        tuple_type: the tuple type that slots are counted under.

    Returns:
        Counts by slot, in alphabetical order.
    """
    slots = sorted(
        {label for part, label, _ in raw_counts if part == tuple_type and label}
    )
    return {slot: count_of(raw_counts, tuple_type, slot) for slot in slots}


def slot_scores(
    raw_counts: Mapping[CountKey, int | float], tuple_type: str
) -> Iterable[tuple[str, float]]:
    """The ratios of each slot, then their means, each slot as good as the others.

    Args:
        raw_counts: summed raw counts.
        tuple_type: the tuple type that slots are counted under.
    """
    counts = slot_counts(raw_counts, tuple_type)
    for slot, count in counts.items():
        for ratio in RATIOS:
            yield f"{slot}.{ratio}", getattr(count, ratio)
    # A sample of a corpus may have no filler of a slot: it is then no slot of it.
    present = [count for count in counts.values() if count.gold or count.system]
    for ratio in RATIOS:
        ratios = [getattr(count, ratio) for count in present]
        yield f"{MACRO}.{ratio}", sum(ratios) / len(ratios) if ratios else 0.0
