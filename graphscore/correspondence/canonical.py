"""Ties: the map that is best by total and then by each preference in turn.

Several maps can reach the proven total and differ in what they match.  Here the
lexicographic optimum is proven: of all best maps the most of the first
preference, of those the most of the second, and so on.  The vector of what each
preference earns is then a property of the problem alone.

All candidates of best maps are kept (pruned only against the known total), each
component of what is left is solved with total and preferences packed into one
integer per candidate, in mixed radix; where the relaxation does not close, one
integer program per preference does, each bound to the values before it.
"""

from __future__ import annotations

import numpy as np

from graphscore.correspondence.candidates import Candidates, Cells, components
from graphscore.correspondence.problem import Integers, Problem
from graphscore.correspondence.program import Part, Program
from graphscore.correspondence.relaxation import SCALE
from graphscore.correspondence.tightening import Closed, Search, Tightening

EXACT = 2**53
"""Assignments are solved in doubles: totals must stay exact."""

ROUNDS = 40
"""Relaxations of one component with packed weights before it is branched on."""


def canonical_cells(
    search: Search, candidates: Candidates, found: Closed
) -> tuple[Cells, bool, bool]:
    """The lexicographically best of all best maps.

    Args:
        search: the search that proved the total; its budget goes on.
        candidates: all candidates of the problem.
        found: the proven outcome.

    Returns:
        The map, whether its place is proven, and whether programs were needed.
    """
    whole = Tightening(search, candidates)
    whole.score = found.score
    values = whole.relaxation.values(whole.split)
    total, _ = whole.matching.best(values)
    search.steps += 1
    alive = whole.matching.through(values, total) >= found.score * SCALE
    left = candidates.keep(alive)
    cells: list[tuple[int, int]] = []
    proven = True
    branched = False
    for mask in components(left):
        part = left.keep(mask).compact()
        chosen, sure, program = _component(search, part, found.cells)
        cells.extend(part.cells(chosen))
        proven &= sure
        branched |= program
    return tuple(sorted(cells)), proven, branched


def _component(
    search: Search, part: Candidates, best: Cells
) -> tuple[Integers, bool, bool]:
    start = part.locate(best)
    parts = preference_parts(search.problem, part)
    packed = _pack(part, parts)
    if packed is not None:
        tightening = Tightening(search, packed)
        tightening.offer(start)
        if tightening.run(ROUNDS):
            return packed.locate(tightening.cells), True, False
        start = packed.locate(tightening.cells)
    program = Program(part)
    total = Part(part.reward, part.weight)
    floors = [(total, _earned(total, part, start))]
    chosen = start
    # The last preference is what remains of the total.
    for preference in parts[:-1]:
        if search.spent():
            return chosen, False, True
        answer = search.branch(program, preference, floors)
        if answer.chosen is None or not answer.optimal:
            return chosen, False, True
        chosen = answer.chosen
        floors.append((preference, _earned(preference, part, chosen)))
    return chosen, True, True


def _earned(part: Part, candidates: Candidates, chosen: Integers) -> int:
    selected = np.zeros(len(candidates.gold), dtype=np.bool_)
    selected[chosen] = True
    both = selected[candidates.first] & selected[candidates.second]
    return int(part.reward[chosen].sum() + part.weight[both].sum())


def _pack(candidates: Candidates, parts: list[Part]) -> Candidates | None:
    """Total and preferences in one integer each, or ``None`` if that is inexact."""
    reward, weight = candidates.reward, candidates.weight
    size = min(candidates.rows, candidates.columns)
    worth = int(reward.sum() + weight.sum()) + 1
    for part in parts[:-1]:
        # No map earns more of this preference than its best per row, nor than
        # all its couplings together.
        most = int(part.reward.max(initial=0)) * size + int(part.weight.sum())
        worth *= most + 1
        if worth * SCALE >= EXACT:
            return None
        reward = reward * (most + 1) + part.reward
        weight = weight * (most + 1) + part.weight
    return candidates._replace(reward=reward, weight=weight)


def preference_parts(problem: Problem, candidates: Candidates) -> list[Part]:
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
    one = links.gold_source * columns + links.system_source
    two = links.gold_target * columns + links.system_target
    wanted = np.minimum(one, two) * area + np.maximum(one, two)
    place = np.searchsorted(key[order], wanted)
    place = np.minimum(place, max(len(key) - 1, 0))
    hit = (key[order][place] == wanted) if len(key) else np.zeros(len(wanted), np.bool_)
    coupling = order[place[hit]] if len(key) else np.empty(0, dtype=np.int64)
    gold = candidates.gold_objects[candidates.gold]
    system = candidates.system_objects[candidates.system]
    return [
        Part(
            part.reward[gold, system],
            np.bincount(coupling, part.weight[hit], len(key)).astype(np.int64),
        )
        for part in problem.preferences
    ]
