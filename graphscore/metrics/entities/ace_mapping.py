"""Which system entity is which gold entity: the mapping of most value.

ACE 2008 evaluation plan, and its scorer ``ace08-eval-v08``.  Of two entities that
share a mention, each pair of mentions earns what the worse of both is worth, less for
what is wrong with it; a mention of the system that is left over costs a share of its
worth.  Mentions are mapped one to one, then entities are, each so that the value is
the greatest; nobody is mapped who would lower it.

>>> overlap(((0, 10),), ((5, 10),)), overlap(((0, 4),), ((4, 8),))
(0.5, 0.0)
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from graphscore.metrics.entities.ace_table import Factors, Values
from graphscore.metrics.entities.ace_view import Entity, Layout, Mention
from graphscore.metrics.entities.alignment import shared
from graphscore.metrics.entities.view import Place
from graphscore.similarity.base import Cell, Sparse
from graphscore.similarity.solving.assignment import best

TIE = 1e-9
"""Of two mappings of one value that is taken which shares more: this much of the
greatest value of a mention is added for every mention, by the share of its words."""


class Rules(NamedTuple):
    """How two layouts are compared."""

    values: Values
    level: bool
    """Whether an entity is worth its best mention, or all of them together."""
    least: float
    """What share of the longer mention two mentions must have in common."""


class Pair(NamedTuple):
    """A gold entity and the system entity it is mapped to."""

    gold: int
    system: int
    value: float
    """What the system's entity is worth."""
    mentions: tuple[Cell, ...]
    """Positions of mentions that are mapped to each other, by gold position."""


class Mapping(NamedTuple):
    """How two layouts correspond."""

    pairs: tuple[Pair, ...]
    """By gold position."""
    gold: tuple[float, ...]
    """What each gold entity is worth."""
    alarms: tuple[float, ...]
    """What each system entity would cost if it were spurious."""


def overlap(one: Place, two: Place) -> float:
    """What share of the longer of two places both have in common.

    Args:
        one: ranges of characters; a string, or an empty range, is only like itself.
        two: likewise.
    """
    size = max(_size(one), _size(two))
    return shared(one, two) / size if size else float(one == two)


def _size(place: Place) -> int:
    return 0 if len(place[0]) > 2 else sum(end - start for start, end in place)


def mapped(gold: Layout, system: Layout, rules: Rules) -> Mapping:
    """The mapping of most value.

    Args:
        gold: the gold side.
        system: the system's.
        rules: how they are compared.
    """
    values = rules.values
    units = [
        [_unit(each, rules.level) for each in side.entities] for side in (gold, system)
    ]
    common = _common(gold, system, rules)
    known = {(b, n) for (_, b), cells in common.items() for _, n in cells}
    alarms = [
        values.false_alarm * _summed(each, unit)
        for each, unit in zip(system.entities, units[1], strict=True)
    ]
    offers: Sparse = {}
    found: dict[Cell, Pair] = {}
    for (a, b), cells in common.items():
        costs = [
            values.false_alarm
            * (values.coreference if (b, n) in known else 1.0)
            * units[1][b]
            * mention.worth
            for n, mention in enumerate(system.entities[b].mentions)
        ]
        value, mentions = _value(
            gold.entities[a], system.entities[b], cells, costs, rules
        )
        tie = TIE * values.scale
        offer = value + alarms[b] + tie * sum(cells[cell] for cell in mentions)
        if offer > 0:
            offers[a, b] = offer
            found[a, b] = Pair(a, b, value, tuple(sorted(mentions)))
    return Mapping(
        tuple(found[cell] for cell in best(offers, "1:1")) if offers else (),
        tuple(map(_summed, gold.entities, units[0])),
        tuple(alarms),
    )


def _value(
    gold: Entity,
    system: Entity,
    cells: dict[Cell, float],
    costs: Sequence[float],
    rules: Rules,
) -> tuple[float, list[Cell]]:
    """What a system entity is worth beside a gold one, and its mentions' mapping.

    Args:
        gold: the gold entity.
        system: the system's.
        cells: what share of their words mentions have in common.
        costs: what the system's mentions cost if they are left over.
        rules: how entities are compared.
    """
    values = rules.values
    kept = _kept(gold.said, system.said, values.entity_errors)
    worth = min(gold.type_worth, system.type_worth)
    worth *= min(gold.class_worth, system.class_worth)
    unit = kept * worth * _norm(gold, rules.level)
    earned = {
        (m, n): unit * _earned(gold.mentions[m], system.mentions[n], values)
        for m, n in cells
    }
    tie = TIE * values.scale
    worths: Sparse = {
        (m, n): earned[m, n] + costs[n] + tie * share for (m, n), share in cells.items()
    }
    mentions = best(worths, "1:1")
    right = {n for _, n in mentions}
    left = [-cost for n, cost in enumerate(costs) if n not in right]
    return math.fsum([earned[cell] for cell in mentions] + left), mentions


def _norm(entity: Entity, level: bool) -> float:
    """What all mentions are divided by, where an entity is worth its best one."""
    if not level:
        return 1.0
    return entity.level / entity.total if entity.total else 0.0


def _unit(entity: Entity, level: bool) -> float:
    """What an entity adds to the worth of its mentions."""
    return entity.worth * _norm(entity, level)


def _summed(entity: Entity, unit: float) -> float:
    """What an entity is worth with all of its mentions."""
    return math.fsum(unit * mention.worth for mention in entity.mentions)


def _kept(one: Sequence[str], two: Sequence[str], factors: Factors) -> float:
    """What is left of a value where two do not say the same."""
    return math.prod(
        factor
        for (_, factor), mine, theirs in zip(factors, one, two, strict=True)
        if mine != theirs
    )


def _earned(one: Mention, two: Mention, values: Values) -> float:
    return min(one.worth, two.worth) * _kept(one.said, two.said, values.mention_errors)


def _common(
    gold: Layout, system: Layout, rules: Rules
) -> dict[Cell, dict[Cell, float]]:
    """For entities, the mentions that may be the same, and what share they have."""
    found: dict[Cell, dict[Cell, float]] = {}
    for a, m, b, n in _near(gold.entities, system.entities):
        one, two = gold.entities[a].mentions[m], system.entities[b].mentions[n]
        heads = one.head, two.head
        if heads[0] is not None and heads[1] is not None:
            share = overlap(heads[0], heads[1])
        else:
            share = overlap(one.place, two.place)
        if share > 0 and share >= rules.least:
            found.setdefault((a, b), {})[m, n] = share
    return dict(sorted(found.items()))


def _near(
    gold: Sequence[Entity], system: Sequence[Entity]
) -> Iterator[tuple[int, int, int, int]]:
    """Positions of entities and mentions that may have characters in common."""
    theirs = sorted(
        (mention.place[0][0], mention.place[-1][1], b, n)
        for b, entity in enumerate(system)
        for n, mention in enumerate(entity.mentions)
    )
    starts = [start for start, _, _, _ in theirs]
    # How far any of the first so many reaches.
    reach: list[int] = []
    for _, end, _, _ in theirs:
        reach.append(max(end, reach[-1]) if reach else end)
    for a, entity in enumerate(gold):
        for m, mention in enumerate(entity.mentions):
            first, last = mention.place[0][0], mention.place[-1][1]
            k = bisect_left(starts, last + 1)
            while k and reach[k - 1] >= first:
                k -= 1
                if theirs[k][1] >= first:
                    yield a, m, theirs[k][2], theirs[k][3]
