"""From a problem to its best map: search, choice among ties."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from graphscore.correspondence.candidates import (
    Cells,
    components,
    find_candidates,
)
from graphscore.correspondence.problem import (
    Budget,
    Correspondence,
    Problem,
    relaxation_steps,
)
from graphscore.correspondence.relaxation import Assignment, Chain
from graphscore.correspondence.tightening import Search, SearchOutcome, Tightening

if TYPE_CHECKING:
    from graphscore.correspondence.incumbents import Incumbents

TOGETHER = 50_000
"""Link pairs and cells of the problems that are relaxed together: what is greater
takes longer than its calls."""

ROUNDS_WHOLE = 12
"""Relaxations of all candidates together before they are split into components."""

ROUNDS_PART = 60
"""Relaxations of one component before it is divided into cases."""

FIRST = 2_000
"""Steps of one component before better maps are looked for."""

WIDE = 20_000
"""Couplings of a component above which dividing it into cases leads nowhere."""

SHARE = 3
"""One part in so many of what is left goes to looking for better maps, or, where
cases lead nowhere, to relaxing again once they are found."""


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
    return next(solve_many([problem], budget or Budget(), ties))


def solve_many(
    problems: Iterable[Problem], budget: Budget, ties: str = "found"
) -> Iterator[Correspondence]:
    """Find the best maps of many problems as :func:`solve` does, in less time.

    Args:
        problems: taken as far as they fit beside one another.
        budget: how much work may be spent on each.
        ties: as of :func:`solve`.

    Yields:
        The map of each problem, which does not depend on the others.
    """
    # Each has its own time, where that counts.
    most = TOGETHER if budget.seconds is None else 0
    for batch in _batches(problems, most):
        if batch[0].joined:
            yield from _in_step(batch, budget, ties)
        else:
            yield _on_edges(Search(batch[0], budget))


def _batches(problems: Iterable[Problem], most: int) -> Iterator[list[Problem]]:
    """Divide problems into those of one sort that are small enough together."""
    batch: list[Problem] = []
    room = most
    for problem in problems:
        size = len(problem.links.weight) + problem.reward.size
        if batch and not (
            size <= room
            and problem.joined
            and batch[-1].joined
            and problem.ordered == batch[-1].ordered
        ):
            yield batch
            batch, room = [], most
        batch.append(problem)
        room -= size
    if batch:
        yield batch


def _in_step(
    problems: Sequence[Problem], budget: Budget, ties: str
) -> Iterator[Correspondence]:
    """Relax problems together, and finish what is open by itself."""
    searches = [Search(problem, budget) for problem in problems]
    candidates = find_candidates(problems)
    whole = Tightening(candidates, *searches)
    for problem, part in zip(problems, whole.parts, strict=True):
        part.price = relaxation_steps(len(problem.links.weight), *problem.shape)
    whole.run(ROUNDS_WHOLE)
    for number, (search, part) in enumerate(zip(searches, whole.parts, strict=True)):
        if not part.bound:
            yield Correspondence((), 0, 0, True, 0, "identical")
            continue
        result = (
            part.closed(whole.matching.name)
            if part.score >= part.bound
            else _solve(search, whole.alone(number))
        )
        proven = result.bound == result.score
        cells, method = result.cells, result.method
        if ties == "canonical" and proven and search.problem.preferences:
            from graphscore.correspondence.tie_breaking import canonical_cells

            own = candidates.alone(number)
            cells, proven, branched = canonical_cells(search, own, result)
            method = "branched" if branched else method
        yield Correspondence(
            cells, result.score, result.bound, proven, search.steps, method
        )


def _solve(search: Search, whole: Tightening) -> SearchOutcome:
    """Best map of one problem that is relaxed already, as far as the budget reaches."""
    # Few pairs get here: only now is a hint worth computing.
    whole.try_hint()
    known = whole.only
    parts = []
    for mask in components(whole.candidates):
        component = whole.candidates.keep(mask).compact()
        part = Tightening(component, search)
        part.offer(component.locate(known.cells))
        parts.append(part)
    closed = [_attempt(search, part, FIRST) for part in parts]
    if any(attempt.gap for attempt in closed) and not search.spent():
        left = search.limit - search.steps
        wide = max(len(part.candidates.weight) for part in parts) > WIDE
        limit = search.limit - left // SHARE if wide else search.steps + left // SHARE
        better = _incumbent(search, _join(closed), known.bound, limit)
        for number, part in enumerate(parts):
            if closed[number].gap:
                part.offer(part.candidates.locate(better))
                share = (search.limit - search.steps) // _open(closed, number)
                closed[number] = _attempt(search, part, share, last=True)
    score = sum(part.score for part in closed)
    bound = max(known.score, sum(part.bound for part in closed))
    cells = _join(closed)
    if score < known.score:
        score, cells = known.score, known.cells
    elif score == known.score:
        cells = search.preferred((cells, known.cells))
    methods = {part.method for part in closed}
    hardest = ("open", "branched", "tightened")
    method = next((name for name in hardest if name in methods), "tightened")
    return SearchOutcome(score, cells, min(bound, known.bound), method)


def _attempt(
    search: Search, part: Tightening, share: int, last: bool = False
) -> SearchOutcome:
    """Relax one component, then divide it into cases.

    Args:
        search: the search.
        part: the component.
        share: steps that it may take.
        last: whether no other attempt follows.
    """
    limit = min(search.limit, search.steps + share)
    wide = len(part.candidates.weight) > WIDE
    relaxing = limit if wide else search.steps + share // 2
    if part.run(ROUNDS_PART, relaxing) or search.steps >= limit:
        return part.closed()
    # Only what is not closed by now needs cases.
    from graphscore.correspondence.branching import ObjectBranching, branch

    if last and not part.candidates.ordered:
        return ObjectBranching(search, part, limit).run()
    return part.closed() if wide else branch(search, part, limit)


def _open(closed: list[SearchOutcome], first: int) -> int:
    """Count the components from *first* on that are not proven yet."""
    return sum(search_outcome.gap > 0 for search_outcome in closed[first:])


def _join(closed: list[SearchOutcome]) -> Cells:
    """The map of all components together."""
    return tuple(sorted(cell for part in closed for cell in part.cells))


def _incumbent(search: Search, cells: Cells, bound: int, limit: int) -> Cells:
    """A better map than *cells*, if one is found before so many steps are spent."""
    incumbents = _incumbents(search, limit)
    incumbents.enough = bound
    target = np.full(search.problem.shape[0], -1, dtype=np.int64)
    for gold, system in cells:
        target[gold] = system
    incumbents.climb(target)
    incumbents.improve()
    return incumbents.cells()


def _incumbents(search: Search, limit: int) -> Incumbents:
    """Build the local search for mappings on the edges, up to a number of steps."""
    # Only what the bound does not close needs this.
    from graphscore.correspondence.edge_groups import EdgeGroups
    from graphscore.correspondence.incumbents import Incumbents

    problem = search.problem
    layers = (
        EdgeGroups.of(problem.links, problem.shape)
        if problem.edges is None
        else problem.edges()
    )
    spend = search.spender(limit)
    return Incumbents(problem.reward, layers, problem.ordered, spend)


def _on_edges(search: Search) -> Correspondence:
    """A map and a bound where there are too many couplings to write them out."""
    incumbents = _incumbents(search, search.limit)
    incumbents.spend(2 * incumbents.price)
    bound = incumbents.bound()
    incumbents.enough = bound
    incumbents.improve()
    proven = incumbents.score == bound
    plain = Chain.name if search.problem.ordered else Assignment.name
    return Correspondence(
        incumbents.cells(),
        incumbents.score,
        bound,
        proven,
        search.steps,
        plain if proven else "open",
    )
