"""Ties: the map that is best by total and then by each preference in turn.

Several maps can reach the proven total and differ in what they match.  Here the
lexicographic optimum is proven: of all best maps the most of the first
preference, of those the most of the second, and so on.  The vector of what each
preference earns is then a property of the problem alone.

All candidates of best maps are kept (pruned only against the known total), each
component of what is left is solved with total and preferences packed into one
integer per candidate, in mixed radix; where the relaxation does not close, it is
divided into cases, as any problem.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from graphscore.correspondence.branching import branch
from graphscore.correspondence.candidates import Candidates, Cells, components
from graphscore.correspondence.problem import SCALE, Integers, Problem
from graphscore.correspondence.relaxation import Assignment, Chain, Relaxation
from graphscore.correspondence.tightening import Search, SearchOutcome, Tightening


class ObjectiveTerm(NamedTuple):
    """A linear part of the objective over candidates and couplings."""

    reward: Integers
    weight: Integers


EXACT = 2**53
"""Assignments are solved in doubles: totals must stay exact."""

ROUNDS = 40
"""Relaxations of one component with packed weights before it is divided."""


def canonical_cells(
    search: Search, candidates: Candidates, outcome: SearchOutcome
) -> tuple[Cells, bool, bool]:
    """The lexicographically best of all best maps.

    Args:
        search: the search that proved the total; its budget goes on.
        candidates: all candidates of the problem.
        outcome: the proven outcome.

    Returns:
        The map, whether its place is proven, and whether cases were needed.
    """
    whole = Tightening(candidates, search)
    values = whole.relaxation.values(whole.split)
    [total], _ = whole.matching.best(values)
    search.steps += whole.only.price
    alive = whole.matching.through(values, total) >= outcome.score * SCALE
    left = candidates.keep(alive)
    cells: list[tuple[int, int]] = []
    proven = True
    branched = False
    for mask in components(left):
        part = left.keep(mask).compact()
        chosen, sure, divided = _component(search, part, outcome.cells)
        cells.extend(part.cells(chosen))
        proven &= sure
        branched |= divided
    return tuple(sorted(cells)), proven, branched


def _component(
    search: Search, part: Candidates, best: Cells
) -> tuple[Integers, bool, bool]:
    packed, whole = _pack(part, preference_parts(search.problem, part))
    tightening = Tightening(packed, search)
    tightening.offer(packed.locate(best))
    if tightening.run(ROUNDS):
        return packed.locate(tightening.only.cells), whole, False
    result = branch(search, tightening, search.limit)
    return packed.locate(result.cells), whole and not result.gap, True


def _pack(
    candidates: Candidates, parts: list[ObjectiveTerm]
) -> tuple[Candidates, bool]:
    """Total and preferences in one integer each, in mixed radix.

    Returns:
        The candidates, and whether all preferences fit into an exact integer; the
        first that does not and those after it are left out.
    """
    reward, weight = candidates.reward, candidates.weight
    worth = _most_of(candidates, ObjectiveTerm(reward, weight)) + 1
    # The last preference is what remains of the total.
    for part in parts[:-1]:
        radix = _most_of(candidates, part) + 1
        worth *= radix
        if worth * SCALE >= EXACT:
            return candidates._replace(reward=reward, weight=weight), False
        reward = reward * radix + part.reward
        weight = weight * radix + part.weight
    return candidates._replace(reward=reward, weight=weight), True


def _most_of(candidates: Candidates, part: ObjectiveTerm) -> int:
    """Return an upper bound on an objective term over the candidates."""
    weighted = candidates._replace(reward=part.reward, weight=part.weight)
    relaxation = Relaxation(weighted)
    matching = Chain(weighted) if weighted.ordered else Assignment(weighted)
    [total], _ = matching.best(relaxation.values(relaxation.full >> 1))
    return total // SCALE


def preference_parts(problem: Problem, candidates: Candidates) -> list[ObjectiveTerm]:
    """The problem's preferences over *candidates* and their couplings."""
    columns = problem.shape[1]
    area = problem.shape[0] * columns
    cell = (
        candidates.gold_objects[candidates.gold] * columns
        + candidates.system_objects[candidates.system]
    )
    key = np.minimum(cell[candidates.first], cell[candidates.second]) * area
    key += np.maximum(cell[candidates.first], cell[candidates.second])
    order = np.argsort(key)
    links = problem.links
    left = links.gold_source * columns + links.system_source
    right = links.gold_target * columns + links.system_target
    pair_key = np.minimum(left, right) * area + np.maximum(left, right)
    position = np.searchsorted(key[order], pair_key)
    position = np.minimum(position, max(len(key) - 1, 0))
    hit = (
        (key[order][position] == pair_key)
        if len(key)
        else np.zeros(len(pair_key), np.bool_)
    )
    coupling = order[position[hit]] if len(key) else np.empty(0, dtype=np.int64)
    gold = candidates.gold_objects[candidates.gold]
    system = candidates.system_objects[candidates.system]
    return [
        ObjectiveTerm(
            part.reward[gold, system],
            np.bincount(coupling, part.weight[hit], len(key)).astype(np.int64),
        )
        for part in problem.preferences
    ]
