"""What a pair of slots costs, and what is wrong with it.

Ben Jannet et al. (2014), section 4.3: a wrong type costs 0.5, a wrong subtype 0.25, a
wrong boundary 0.25 more.  Where an entity has two types, the mean over the longer
list counts, paired in the best way; what has no partner is a wrong type.  That is all
four formulas of the paper:

>>> def cost(gold, system):
...     return type_error(tuple(gold.split()), tuple(system.split()), 0.5, 0.25)[0]
>>> cost("loc.adm.town", "loc.adm.nat"), cost("loc.adm.town org.adm", "loc.adm.town")
(0.25, 0.25)
>>> cost("loc.adm.town", "org.ent prod.art")
0.5
>>> cost("loc.adm.town org.adm", "org.adm loc.adm.nat")
0.125
"""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations

from graphscore.metrics.entities.slots import COMPONENTS, ENTITIES, Types
from graphscore.structures.entities.trees import main_type

TYPE, SUBTYPE, BOUNDARY = 1, 2, 4
"""What can be wrong; they add up."""

ASPECTS = {
    ENTITIES: {"type": TYPE, "subtype": SUBTYPE, "boundary": BOUNDARY},
    COMPONENTS: {"label": TYPE, "boundary": BOUNDARY},
}
"""How that is called, by kind of slot."""

NAMES = {
    kind: {
        first + last: " and ".join(
            name for name, bit in aspects.items() if bit & (first + last)
        )
        for first in (0, TYPE, SUBTYPE)
        for last in (0, BOUNDARY)
    }
    for kind, aspects in ASPECTS.items()
}
"""What errors are called by what is wrong: ``type and boundary``."""


@lru_cache(maxsize=16384)
def type_error(
    gold: Types, system: Types, other: float, sub: float
) -> tuple[float, int]:
    """What the types of two entities cost, and what is wrong with them.

    Args:
        gold: one type, or two.
        system: likewise.
        other: what a wrong type costs.
        sub: what a wrong subtype costs, where the main type is right.

    Returns:
        The mean over the longer list, of the best way to pair them; ``TYPE`` if a
        main type is wrong, else ``SUBTYPE``, else 0.
    """
    if sorted(gold) == sorted(system):
        return 0.0, 0
    less, more = sorted((gold, system), key=len)
    padded = (*less, *[None] * (len(more) - len(less)))
    cost, _, wrong = min(
        _compared(padded, order, other, sub) for order in permutations(more)
    )
    return cost / len(more), wrong


def _compared(
    some: tuple[str | None, ...], others: Types, other: float, sub: float
) -> tuple[float, int, int]:
    """The sum of costs, how many main types are wrong, and what is wrong at most."""
    cost, types, subtypes = 0.0, 0, 0
    for one, two in zip(some, others, strict=True):
        if one is None or main_type(one) != main_type(two):
            cost += other
            types += 1
        elif one != two:
            cost += sub
            subtypes += 1
    return cost, types, TYPE if types else SUBTYPE if subtypes else 0
