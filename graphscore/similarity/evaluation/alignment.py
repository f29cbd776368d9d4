"""Rules of what is matched inside of two compared things, level by level."""

from __future__ import annotations

from graphscore.similarity.base import Aligned, Cell, Partition, Similarity, Sparse
from graphscore.similarity.evaluation.equal_members import partition
from graphscore.similarity.evaluation.functions import align, selves
from graphscore.similarity.evaluation.latent import solution
from graphscore.similarity.evaluation.matching import (
    Groups,
    matching_of,
    members_of,
    tables_of,
)
from graphscore.similarity.evaluation.recursion import (
    Ends,
    bind,
    bound_of,
    ready,
    table_of,
)
from graphscore.similarity.navigation.collections import Collection
from graphscore.similarity.operators.delegation import ByType, ThroughStep
from graphscore.similarity.operators.latent import Latent
from graphscore.similarity.operators.matching import Match
from graphscore.similarity.operators.ratios import Harmonic
from graphscore.similarity.operators.recursion import Recursive
from graphscore.similarity.operators.references import SelfReference
from graphscore.similarity.view import Element, Pair


@align.register
def _(
    similarity: Match, pair: Pair, gold: Element | None, system: Element | None
) -> tuple[Aligned, ...]:
    """The matched members, then those without a partner, gold's first."""
    if similarity.features is not None:
        return _align_equal(partition(similarity, pair, gold, system))
    sides = [
        [] if owner is None else members_of(similarity, view, [owner])[0]
        for view, owner in ((pair.gold, gold), (pair.system, system))
    ]
    left, right = sides
    cells: Sparse = {}
    matched: list[Cell] = []
    if left and right:
        groups = Groups([left]), Groups([right])
        cells = tables_of(similarity, pair, *groups, [(0, 0)]).get((0, 0), {})
        _, matched = matching_of(similarity, pair, left, right, cells)
    both = left, right
    return _rows(
        pair, similarity.collection, similarity.similarity, both, cells, matched
    )


def _rows(
    pair: Pair,
    collection: Collection,
    similarity: Similarity,
    sides: tuple[list[Element], list[Element]],
    cells: Sparse,
    matched: list[Cell],
) -> tuple[Aligned, ...]:
    """The matched members, then gold's that are alone, then the system's.

    Args:
        pair: the two graphs.
        collection: whose members they are.
        similarity: how they are compared.
        sides: gold and system members.
        cells: similarities by position.
        matched: the matched cells.
    """
    left, right = sides
    via, sort = collection.short, collection.yields
    own = selves(similarity, pair.gold, left), selves(similarity, pair.system, right)

    def row(p: int | None, q: int | None) -> Aligned:
        gold, worth = (None, 0) if p is None else (left[p], own[0][p])
        system, value = (None, 0) if q is None else (right[q], own[1][q])
        credit = 0 if p is None or q is None else cells[p, q]
        inner = align(similarity, pair, gold, system)
        both = worth, value
        return Aligned(sort, via, gold, p, system, q, credit, both, similarity, inner)

    gold_alone = sorted(set(range(len(left))) - {p for p, _ in matched})
    system_alone = sorted(set(range(len(right))) - {q for _, q in matched})
    return (
        *[row(p, q) for p, q in matched],
        *[row(p, None) for p in gold_alone],
        *[row(None, q) for q in system_alone],
    )


def _align_equal(parted: Partition) -> tuple[Aligned, ...]:
    """Equal members and those without a partner, gold's first."""
    sort, via, inner = parted.sort, parted.via, parted.similarity
    return (
        *[
            Aligned(sort, via, left, p, right, q, 1, (1, 1), inner, ())
            for left, p, right, q in parted.matched
        ],
        *[
            Aligned(sort, via, left, p, None, None, 0, (1, 0), inner, ())
            for left, p in parted.gold
        ],
        *[
            Aligned(sort, via, None, None, right, q, 0, (0, 1), inner, ())
            for right, q in parted.system
        ],
    )


@align.register
def _(
    similarity: Latent, pair: Pair, gold: Element | None, system: Element | None
) -> tuple[Aligned, ...]:
    """The variables and their partners, then the propositions."""
    if gold is None or system is None:
        return align(similarity.operand, pair, gold, system)
    solved = solution(similarity, pair, gold, system)
    name = similarity.variables.short
    [left] = similarity.variables.members(pair.gold, [gold])
    [right] = similarity.variables.members(pair.system, [system])
    columns = {variable: k for k, variable in enumerate(right)}
    result: list[Aligned] = []
    for k, first in enumerate(left):
        if first in solved.variables:
            second = solved.variables[first]
            both = first, k, second, columns[second]
            result.append(Aligned("node", name, *both, 0, (0, 0), similarity, ()))
    if not similarity.flat:
        under = pair.under(frozenset(solved.variables.items()))
        return (*result, *align(similarity.operand, under, gold, system))
    for problem, cells in solved.matched:
        match = problem.part.match
        result += _rows(
            pair,
            match.collection,
            match.similarity,
            (problem.gold, problem.system),
            problem.cells,
            cells,
        )
    return tuple(result)


@align.register
def _(
    similarity: ThroughStep, pair: Pair, gold: Element | None, system: Element | None
) -> tuple[Aligned, ...]:
    follow = similarity.step.follow
    left = None if gold is None else follow(pair.gold, [gold])[0]
    right = None if system is None else follow(pair.system, [system])[0]
    if left is None and right is None:
        return ()
    return align(similarity.similarity, pair, left, right)


@align.register
def _(
    similarity: ByType, pair: Pair, gold: Element | None, system: Element | None
) -> tuple[Aligned, ...]:
    """Those of the case of their type."""
    types = {
        similarity.feature.of_all(view, [element])[0]
        for view, element in ((pair.gold, gold), (pair.system, system))
        if element is not None
    }
    case = similarity.case(*types) if len(types) == 1 else None
    return () if case is None else align(case, pair, gold, system)


@align.register
def _(
    similarity: Harmonic, pair: Pair, gold: Element | None, system: Element | None
) -> tuple[Aligned, ...]:
    return align(similarity.recall, pair, gold, system)


@align.register
def _(
    similarity: SelfReference, pair: Pair, gold: Element | None, system: Element | None
) -> tuple[Aligned, ...]:
    """The matches inside if computed already; otherwise note the request."""
    bound = bound_of(similarity, pair.gold)
    if (gold, system) == (None, None):
        return ()
    result = bound.aligned.get((gold, system))
    if result is None:
        bound.missing.append((gold, system))
        return ()
    return result


@align.register
def _(
    similarity: Recursive, pair: Pair, gold: Element | None, system: Element | None
) -> tuple[Aligned, ...]:
    """The matches inside, computed without recursion."""
    with bind(similarity, pair.gold, pair.system) as bound:
        bound.aligned = table_of(similarity, pair).aligned
        around = [pair.gold.kept["again", name] for name in similarity.around]
        stack: list[Ends] = [(gold, system)]
        while stack:
            ends = stack[-1]
            if ends in bound.aligned:
                stack.pop()
                continue
            ready(pair, bound, ends)
            before = [len(outer.missing) for outer in around]
            bound.missing.clear()
            inner = align(similarity.similarity, pair, *ends)
            if bound.missing:
                stack += dict.fromkeys(bound.missing)
            elif before != [len(outer.missing) for outer in around]:
                # It depends on what a formula around it has yet to find out.
                return ()
            else:
                bound.aligned[ends] = inner
        return bound.aligned[gold, system]
