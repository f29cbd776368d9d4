"""The heaviest choice among things of which some exclude one another.

First choices are grown and improved by exchange (``exchanging``), then cliques bound
what any choice can earn and put aside what no better one holds (``cutting``), and what
is left goes through all cases (``dividing``).  Where the things are too many for a
table of exclusions, choices are grown and exchanged without one.  Either way the
budget bounds the work, and the bound is true.

>>> import numpy as np
>>> clash = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], dtype=bool)
>>> heaviest([2, 3, 2], clash.__getitem__, [0, 1, 2], 4, 100)
Choice(chosen=[0, 2], bound=4, steps=2)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from graphscore.similarity.base import Number
from graphscore.similarity.solving.choosing import TABLE, Choosing, Places, Row
from graphscore.similarity.solving.cutting import Cutting
from graphscore.similarity.solving.dividing import Cases
from graphscore.similarity.solving.exchanging import exchange

GROWN = 24
"""Choices that are grown from different beginnings."""

FIRST = 1_000
"""Steps that go through cases before anything else: most problems are small."""


FEW = 1_000
"""Things of which all cases are gone through for longer."""

PATIENCE = 8
"""How often prices may stall where nothing else bounds what can be chosen."""

WORTHWHILE = 0.8
"""The share of things that must be left at most to begin with the cases anew."""


class Choice(NamedTuple):
    """What was chosen, and what is known of it."""

    chosen: list[int]
    """Positions of what is chosen, ascending."""
    bound: Number
    """No choice earns more."""
    steps: int
    """Work done, in steps of the search (``correspondence.problem.relaxing``)."""


def heaviest(
    amounts: Sequence[Number],
    excludes: Callable[[int], Row],
    order: Sequence[int],
    bound: Number,
    limit: int,
    spent: Callable[[], bool] = lambda: False,
    places: Places | None = None,
) -> Choice:
    """The heaviest choice that the budget allows to find.

    Args:
        amounts: what each thing earns, positive.
        excludes: gives for a thing which others it excludes, shape (things,).
        order: positions, the most promising first.
        bound: what no choice exceeds, known from elsewhere.
        limit: steps that may be taken.
        spent: whether to stop for another reason, such as the time.
        places: where the things stand, if they are pairs of members.

    Returns:
        The choice with a bound.
    """
    search = Choosing(amounts, excludes, limit, spent)
    _grow(search, list(order), bound)
    if len(amounts) > TABLE:
        exchange(search, bound, limit)
    elif search.earned < bound:
        bound = min(bound, _close(search, bound, places))
    return Choice(sorted(search.best), max(bound, search.earned), search.steps)


def _close(search: Choosing, bound: Number, places: Places | None) -> Number:
    """Better choices and better bounds, in turn; what no choice exceeds."""
    every = np.arange(len(search.amounts))
    # A tenth of the budget for each round of exchange; three more for cases where the
    # things are few, else for prices.
    share, few = search.limit // 10, len(every) <= FEW
    exchange(search, bound, search.steps + share // 10)
    cases = Cases(search, every)
    bound = min(bound, cases.run(search.steps + min(FIRST, share)))
    if search.earned >= bound or search.ended():
        return bound
    exchange(search, bound, search.steps + share)
    if few:
        # Where much is excluded, there are not many cases, and prices say little.
        bound = min(bound, cases.run(search.steps + 3 * share))
        if search.earned >= bound or search.ended():
            return bound
    cutting = Cutting(search, places)
    rest = search.limit - search.steps
    if few:
        cutting.run(search.steps + rest // 2)
    else:
        cutting.run(search.steps + rest - share, PATIENCE)
    if not cutting.closed:
        exchange(search, min(bound, cutting.bound), search.steps + share)
    bound = min(bound, cutting.bound)
    if search.earned >= bound or search.ended():
        return bound
    if cutting.alive.sum() < WORTHWHILE * len(every):
        cases = Cases(search, np.flatnonzero(cutting.alive))
    return min(bound, cases.run(search.limit))


def _grow(search: Choosing, order: list[int], bound: Number) -> None:
    """Choices in the order given, each from another beginning."""
    every = np.array(order, dtype=np.int64)
    for first in range(min(GROWN, len(every))):
        left = np.concatenate((every[first : first + 1], np.delete(every, first)))
        chosen: list[int] = []
        while len(left) and not (chosen and search.ended()):
            here = int(left[0])
            chosen.append(here)
            search.steps += search.price
            clash = search.row(here).copy()
            clash[here] = True
            left = left[~clash[left]]
        search.offer(chosen)
        if search.earned >= bound or search.ended():
            return


__all__ = ["Choice", "Places", "heaviest"]
