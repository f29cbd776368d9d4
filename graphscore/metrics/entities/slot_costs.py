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

import dataclasses
import math
from functools import lru_cache
from itertools import permutations
from typing import Any

from graphscore.errors import UsageError
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


def check_costs(metric: Any) -> None:
    """Make numbers of the costs that a metric was given, 1 and 1.0 alike.

    Args:
        metric: a dataclass with a ``name``; every field whose default is a float is
            a cost, ``insertion`` and ``deletion`` among them.

    Raises:
        UsageError: if one is negative or not finite, or both insertion and deletion
            cost nothing.
    """
    for field in dataclasses.fields(metric):
        if isinstance(field.default, float):
            value = getattr(metric, field.name)
            if not 0 <= value < math.inf:
                found = f"{metric.name}: {field.name}={value}"
                raise UsageError(f"{found}, expected 0 or more")
            # 1 and 1.0 are one metric, and print alike.
            object.__setattr__(metric, field.name, float(value) + 0.0)
    if not metric.insertion + metric.deletion:
        found = f"{metric.name}: insertion and deletion are 0"
        raise UsageError(f"{found}, expected one above")


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
