"""What matched members earn at most, whatever the variables are mapped to.

Members are matched one to one, in any order or in sequence.  The most that a sum earns
is the best matching of the most that its members earn; credits of a pair of variables
are matched for themselves.  Where members are nothing but a product of variables, as in
SMATCH, the most is that of the exact search for the best map of these members alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from graphscore.correspondence import Budget
from graphscore.similarity.base import Cell, Number, Sparse, added
from graphscore.similarity.combining.matching import Match
from graphscore.similarity.combining.most import (
    Mapped,
    Most,
    Mosts,
    Terms,
    assigned,
    is_map,
    joined,
    together,
)
from graphscore.similarity.solving.assignment import best, worth
from graphscore.similarity.solving.chains import heaviest
from graphscore.similarity.solving.variable_maps import Earned, best_map
from graphscore.similarity.view import Pair

ENTRIES_A_STEP = 30
"""Amounts and credits that are worked out in about a step, a ten-thousandth of a
second (``correspondence.problem.relaxing``)."""


class SpentError(Exception):
    """No step is left; what was under way says nothing."""


@dataclass
class Scope:
    """Two graphs, which variables may correspond, and the work that may be done.

    Args:
        pair: the two graphs.
        limit: steps that may be taken; ``None`` while there is no limit.
        solved: the best maps of sums that were met before.
    """

    pair: Pair
    limit: int | None = None
    solved: dict[frozenset[tuple[frozenset[Mapped], Number]], Solution] = field(
        default_factory=dict
    )
    entries: int = 0

    @property
    def steps(self) -> int:
        """Steps taken."""
        return self.entries // ENTRIES_A_STEP

    def spend(self, entries: int) -> None:
        """Say what is going to be worked out.

        Args:
            entries: how many amounts and credits.

        Raises:
            SpentError: if that is more than may be: it should not be begun.
        """
        limit = self.limit
        if limit is not None and self.entries + entries >= limit * ENTRIES_A_STEP:
            raise SpentError
        self.entries += entries


class Solution(NamedTuple):
    """The best map for some amounts."""

    bound: Number
    hint: tuple[Mapped, ...]


def picking(similarity: Match) -> Callable[[Sparse], list[Cell]]:
    """What gives the best matching, in sequence or in any order."""
    return _one_to_one if similarity.order is None else heaviest


def matched(similarity: Match, scope: Scope, cells: Mosts) -> Most:
    """What members earn at most, matched one to one.

    Args:
        similarity: the sum that they are members of.
        scope: the two graphs, and which variables may correspond.
        cells: what two members earn at most, by position; at least one.
    """
    pick = picking(similarity)
    scope.spend(len(cells) + sum(len(most.credits) for most in cells.values()))
    caps = {cell: most.cap for cell, most in cells.items()}
    chosen = pick(caps)
    cap = added(caps[cell] for cell in chosen)
    bases = {cell: most.base for cell, most in cells.items() if most.base}
    base = added(bases[cell] for cell in pick(bases)) if bases else 0
    shares: dict[Mapped, Sparse] = {}
    for cell, most in cells.items():
        for mapped, number in most.credits.items():
            shares.setdefault(mapped, {})[cell] = number
    credited = {mapped: _credit(found) for mapped, found in shares.items()}
    chosen.sort(key=lambda cell: (-caps[cell], cell))
    hint = joined(cells[cell].hint for cell in chosen)
    if similarity.order is None and all(m.needs is not None for m in cells.values()):
        # Things of the same variables are matched by themselves, whatever the map.
        terms: Terms | None = _by_needs(cells)
        assert terms is not None
        found = Most(cap, base, credited, None, hint, terms, True)
        if is_map(credited):
            return found
        solution = alone(scope, terms)
        return found._replace(cap=min(cap, solution.bound), hint=solution.hint)
    terms = together(cells[cell].terms for cell in chosen)
    complete = len(chosen) == len(cells) and all(m.complete for m in cells.values())
    found = Most(cap, base, credited, None, hint, terms, complete)
    if not is_map(credited):
        limit, best_mapped = assigned(found)
        if limit < cap:
            return found._replace(cap=limit, hint=tuple(best_mapped))
    return found


def _by_needs(cells: Mosts) -> Terms:
    groups: dict[frozenset[Mapped], Sparse] = {}
    for cell, most in cells.items():
        assert most.needs is not None
        groups.setdefault(most.needs, {})[cell] = most.cap
    return {needs: worth(found, "1:1") for needs, found in groups.items()}


def _one_to_one(cells: Sparse) -> list[Cell]:
    return best(cells, "1:1")


def _credit(cells: Sparse) -> Number:
    if len(cells) == 1:
        [number] = cells.values()
        return number
    positive = {cell: number for cell, number in cells.items() if number > 0}
    return worth(positive, "1:1") if positive else 0


def alone(scope: Scope, terms: Terms, budget: Budget | None = None) -> Solution:
    """The best map for nothing but some terms.

    Args:
        scope: the two graphs; remembers what was solved.
        terms: what sets of variables earn.
        budget: how much work that may take; by default all that the pair may.
    """
    scope.spend(len(terms))
    key = frozenset(terms.items())
    if key not in scope.solved:
        mapped = sorted({each for needs in terms for each in needs})
        rows, columns = (sorted({each[k] for each in mapped}) for k in (0, 1))
        places = {each: k for k, each in enumerate(rows)}
        others = {each: k for k, each in enumerate(columns)}
        earned: Earned = {
            (tuple(places[a] for a, _ in ends), tuple(others[b] for _, b in ends)): n
            for ends, n in ((sorted(needs), n) for needs, n in terms.items() if needs)
        }
        pair = Pair(scope.pair.gold, scope.pair.system, budget or scope.pair.budget)
        found = best_map(earned, (len(rows), len(columns)), pair)
        hint = tuple([(rows[r], columns[c]) for r, c in sorted(found.items())])
        met = set(hint)
        score = added(n for needs, n in terms.items() if needs <= met)
        scope.entries += pair.proof.steps * ENTRIES_A_STEP
        gap = [pair.proof.gap] if pair.proof.gap else []
        scope.solved[key] = Solution(added([score, *gap]), hint)
    return scope.solved[key]
