"""Upper bounds for the parts of a formula around a variable.

A formula never earns less where more variables may correspond, so what it earns where
many may be many is a bound, and a poor one.  A better one is linear: every pair of
variables is credited with its share of all that needs it, and no one-to-one map has
more than the best assignment of these credits.  Both are worked out bottom up::

    φ̃              1, for one pair of variables
    ×              what one factor is worth times the other's share, halved between them
    Σ              the best matching of the most that members earn; their credits added
    a ratio of Σ   a straight line to what the most comes to

What comes of it is a ``UpperBound`` for each two things, by position.
"""

from __future__ import annotations

from collections import Counter
from functools import partial, singledispatch

from graphscore.similarity.base import Cell, Numerators, Request, Similarity, Sparse
from graphscore.similarity.evaluation.delegation import by_type, ends_of, variables_at
from graphscore.similarity.evaluation.functions import effort, pairs, selves
from graphscore.similarity.evaluation.matching import Groups, by_owners, members_of
from graphscore.similarity.evaluation.upper_bounds import (
    Scope,
    UpperBound,
    UpperBounds,
    add_bounds,
    bound_matching,
    fixed_bound,
    multiply_bounds,
)
from graphscore.similarity.operators.arithmetic import Product, Total, product
from graphscore.similarity.operators.delegation import ByType, ThroughStep
from graphscore.similarity.operators.matching import Match
from graphscore.similarity.operators.ratios import Normalized
from graphscore.similarity.operators.references import Variable
from graphscore.similarity.operators.thresholds import Excess, Threshold

FEWER = 4
"""Pairs are written down so many times faster than amounts are worked out."""


def _spent_pairs(similarity: Similarity, request: Request, scope: Scope) -> Sparse:
    """Compare by something without variables, or as if any may correspond."""
    if request.requested is None:
        scope.spend(effort(similarity, request))
    else:
        scope.spend(len(request.requested))
    return pairs(similarity, request)


def mosts(similarity: Similarity, request: Request, scope: Scope) -> UpperBounds:
    """Return positive upper bounds of pairs of elements.

    Args:
        similarity: how they are compared; nothing ``misplaced`` in it.
        request: the elements; its graphs say which variables may correspond.
        scope: the work that may be done.
    """
    if similarity.has_variables:
        return bound(similarity, request, scope)
    numbers = _spent_pairs(similarity, request, scope)
    return {cell: fixed_bound(number) for cell, number in numbers.items()}


@singledispatch
def bound(similarity: Similarity, request: Request, scope: Scope) -> UpperBounds:
    """Bound what is around a variable: one rule for each part of formulas that can be.

    Args:
        similarity: a formula with variables.
        request: the elements.
        scope: the work that may be done.
    """
    raise TypeError(similarity)


@bound.register
def _(similarity: Variable, request: Request, scope: Scope) -> UpperBounds:
    left, right = (variables_at(similarity, *side) for side in request.sides)
    upper_bounds: UpperBounds = {}
    for r, c in _spent_pairs(similarity, request, scope):
        if left[r] is None:
            upper_bounds[r, c] = fixed_bound(1)
        else:
            both = left[r], right[c]
            needs = frozenset((both,))
            upper_bounds[r, c] = UpperBound(
                1, 0, {both: 1}, needs, (both,), {needs: 1}, True
            )
    return upper_bounds


@bound.register
def _(similarity: Product, request: Request, scope: Scope) -> UpperBounds:
    rest = [factor for factor in similarity.factors if not factor.has_variables]
    moving = [factor for factor in similarity.factors if factor.has_variables]
    upper_bounds: dict[Cell, list[UpperBound]] = {}
    if rest:
        first = _spent_pairs(product(*rest), request, scope)
        upper_bounds = {cell: [fixed_bound(number)] for cell, number in first.items()}
        request = request._replace(requested=upper_bounds)
    for factor in moving:
        more = mosts(factor, request, scope)
        upper_bounds = {
            cell: [*upper_bounds.get(cell, ()), most] for cell, most in more.items()
        }
        request = request._replace(requested=upper_bounds)
    scope.spend(
        sum(
            1 + len(most.credits)
            for several in upper_bounds.values()
            for most in several
        )
    )
    both = ((cell, multiply_bounds(several)) for cell, several in upper_bounds.items())
    return {cell: most for cell, most in both if most is not None}


@bound.register
def _(similarity: Total, request: Request, scope: Scope) -> UpperBounds:
    upper_bounds: dict[Cell, list[UpperBound]] = {}
    for term in similarity.terms:
        for cell, most in mosts(term, request, scope).items():
            upper_bounds.setdefault(cell, []).append(most)
    return {cell: add_bounds(several) for cell, several in upper_bounds.items()}


def member_bounds(
    similarity: Match, request: Request, scope: Scope
) -> dict[Cell, UpperBounds]:
    """Return upper bounds of members, by position, for each pair of owners.

    Args:
        similarity: a sum over members.
        request: their owners.
        scope: the work that may be done.
    """
    left, right = (Groups(members_of(similarity, *side)) for side in request.sides)
    members = Request(request.pair, left.members, right.members)
    requested = request.requested
    if requested is not None:
        only = set(requested)
        several = sum(len(left.groups[r]) * len(right.groups[c]) for r, c in only)
        if several < len(left.members) * len(right.members):
            scope.spend(several // FEWER)
            rows, columns = left.cut(), right.cut()
            inner = {
                (p, q) for r, c in sorted(only) for p in rows[r] for q in columns[c]
            }
            members = members._replace(requested=inner)
    cells = mosts(similarity.similarity, members, scope)
    often = Counter(left.where), Counter(right.where)
    scope.spend(sum(often[0][p] * often[1][q] for p, q in cells))
    return by_owners(left, right, cells, requested)


@bound.register
def _(similarity: Match, request: Request, scope: Scope) -> UpperBounds:
    owners = member_bounds(similarity, request, scope)
    return {
        cell: bound_matching(similarity, scope, members)
        for cell, members in owners.items()
    }


@bound.register
def _(similarity: Normalized, request: Request, scope: Scope) -> UpperBounds:
    operand, requested = similarity.operand, request.requested
    left, right = (selves(operand, *side) for side in request.sides)
    upper_bounds: UpperBounds = {}
    for (r, c), most in mosts(operand, request, scope).items():
        cap = similarity.ratio(left[r], right[c], Numerators(*[most.cap] * 3))
        if cap:
            # Ratios are straight, and Jaccard's is below its chord.
            upper_bounds[r, c] = most.scale(cap, cap / most.cap)
    if requested is None:
        rows = [r for r, number in enumerate(left) if number == 0]
        columns = [c for c, number in enumerate(right) if number == 0]
        scope.spend(len(rows) * len(columns))
        requested = [(r, c) for r in rows for c in columns]
    for r, c in requested:
        if left[r] == 0 == right[c]:
            upper_bounds[r, c] = fixed_bound(1)
    return upper_bounds


@bound.register
def _(similarity: Threshold, request: Request, scope: Scope) -> UpperBounds:
    upper_bounds: UpperBounds = {}
    for cell, most in mosts(similarity.similarity, request, scope).items():
        if similarity.passes(most.cap):
            flat = most.scale(1, 0)
            upper_bounds[cell] = flat._replace(base=1, terms=None, complete=False)
            if most.needs is not None:
                upper_bounds[cell] = most.scale(1, 1 / most.cap)
            elif similarity.limit:
                upper_bounds[cell] = most.scale(1, 1 / similarity.limit)
    return upper_bounds


@bound.register
def _(similarity: Excess, request: Request, scope: Scope) -> UpperBounds:
    return {
        cell: most.scale(cap, cap / most.cap)
        for cell, most in mosts(similarity.similarity, request, scope).items()
        if (cap := most.cap - similarity.amount) > 0
    }


@bound.register
def _(similarity: ThroughStep, request: Request, scope: Scope) -> UpperBounds:
    ends, rows, columns = ends_of(similarity, request)
    if request.requested is None:
        scope.spend(len(rows) * len(columns))
    leads = {(r, c): (rows[r], columns[c]) for r, c in request.cells}
    existing = {end for end in leads.values() if min(end) >= 0}
    inner = mosts(similarity.similarity, ends._replace(requested=existing), scope)
    upper_bounds: UpperBounds = {}
    for cell, end in leads.items():
        if end in inner:
            upper_bounds[cell] = inner[end]
        elif end == (-1, -1) and similarity.normalized:
            upper_bounds[cell] = fixed_bound(1)
    return upper_bounds


@bound.register
def _(similarity: ByType, request: Request, scope: Scope) -> UpperBounds:
    return by_type(partial(mosts, scope=scope), similarity, request)
