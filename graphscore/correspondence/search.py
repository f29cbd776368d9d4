"""From a problem to its best map: compiled rounds, search, choice among ties."""

from __future__ import annotations

from graphscore.correspondence.candidates import find_candidates
from graphscore.correspondence.canonical import canonical_cells
from graphscore.correspondence.fast import accelerator
from graphscore.correspondence.problem import Budget, Correspondence, Problem
from graphscore.correspondence.relaxation import Assignment, Chain
from graphscore.correspondence.tightening import ROUNDS_WHOLE, Closed, Search


def solve(
    problem: Problem, budget: Budget | None = None, ties: str = "found"
) -> Correspondence:
    """Find a best map and prove it.

    Args:
        problem: rewards and link pairs, see :class:`Problem`.
        budget: how much work may be spent; the default is 100,000 steps.
        ties: ``found``: of the best maps met, the preferred one; ``canonical``:
            proves the lexicographic optimum of the problem's preferences.

    Returns:
        The map with its bound.

    Example:
        >>> import numpy as np
        >>> from graphscore.correspondence import LinkPairs, Problem, solve
        >>> nothing = np.empty(0, dtype=np.int64)
        >>> links = LinkPairs(*[nothing] * 5)
        >>> solve(Problem(np.array([[2, 1], [2, 0]]), links)).pairs
        ((0, 1), (1, 0))
    """
    search = Search(problem, budget or Budget())
    found = _quick(search)
    if found is None or ties == "canonical":
        candidates = find_candidates(problem)
        if not len(candidates.gold):
            return Correspondence((), 0, 0, True, 0, "identical")
    if found is None:
        found = search.solve(candidates)
    proven = found.bound == found.score
    cells, method = found.cells, found.method
    if ties == "canonical" and proven and problem.preferences:
        cells, proven, branched = canonical_cells(search, candidates, found)
        method = "program" if branched else method
    return Correspondence(cells, found.score, found.bound, proven, search.steps, method)


def _quick(search: Search) -> Closed | None:
    """The first rounds compiled, where that is possible and they close."""
    problem = search.problem
    if search.deadline is not None or not problem.reward.size:
        return None
    found = accelerator.close(problem, search.limit, ROUNDS_WHOLE)
    if found is None:
        return None
    search.steps = found.steps
    plain = Chain.name if problem.ordered else Assignment.name
    method = plain if found.rounds <= 1 else "tightened"
    return Closed(found.score, search.preferred(found.maps), found.score, method)
