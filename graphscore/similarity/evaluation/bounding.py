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
from collections.abc import Sized
from functools import singledispatch
from typing import NamedTuple

from graphscore.similarity.base import Asked, Cell, Numerators, Similarity, Sparse
from graphscore.similarity.evaluation.delegation import by_type, ends, variables_at
from graphscore.similarity.evaluation.functions import effort, pairs, selves
from graphscore.similarity.evaluation.matching import Groups, by_owners, members_of
from graphscore.similarity.evaluation.upper_bounds import (
    Scope,
    UpperBound,
    UpperBounds,
    fixed,
    matched,
    multiplied,
    summed,
)
from graphscore.similarity.operators.arithmetic import Product, Total, product
from graphscore.similarity.operators.delegation import ByType, ThroughStep
from graphscore.similarity.operators.matching import Match
from graphscore.similarity.operators.ratios import Normalized
from graphscore.similarity.operators.references import Variable
from graphscore.similarity.operators.thresholds import Excess, Threshold
from graphscore.similarity.view import Elements

FEWER = 4
"""Pairs are written down so many times faster than amounts are worked out."""


class Request(NamedTuple):
    """Request of upper bounds for pairs of elements."""

    scope: Scope
    """The two graphs, and which variables may correspond."""
    gold: Elements
    """Distinct gold elements."""
    system: Elements
    """Distinct system elements."""
    requested: Asked = None
    """Requested pairs; ``None`` for all."""

    def pairs(self, similarity: Similarity) -> Sparse:
        """Compare them by something without variables, or as if any may correspond."""
        scope, gold, system, requested = self
        if requested is None:
            scope.spend(effort(similarity, scope.pair, gold, system))
        else:
            every = len(gold) * len(system)
            scope.spend(len(requested) if isinstance(requested, Sized) else every)
        return pairs(similarity, scope.pair, gold, system, requested)


def mosts(similarity: Similarity, request: Request) -> UpperBounds:
    """Return positive upper bounds of pairs of elements.

    Args:
        similarity: how they are compared; nothing ``misplaced`` in it.
        request: which things.
    """
    if similarity.has_variables:
        return bound(similarity, request)
    return {cell: fixed(number) for cell, number in request.pairs(similarity).items()}


@singledispatch
def bound(similarity: Similarity, request: Request) -> UpperBounds:
    """Bound what is around a variable: one rule for each part of formulas that can be.

    Args:
        similarity: a formula with variables.
        request: which things.
    """
    raise TypeError(similarity)


@bound.register
def _(similarity: Variable, request: Request) -> UpperBounds:
    pair = request.scope.pair
    left = variables_at(similarity, pair.gold, request.gold)
    right = variables_at(similarity, pair.system, request.system)
    upper_bounds: UpperBounds = {}
    for r, c in request.pairs(similarity):
        if left[r] is None:
            upper_bounds[r, c] = fixed(1)
        else:
            both = left[r], right[c]
            needs = frozenset((both,))
            upper_bounds[r, c] = UpperBound(
                1, 0, {both: 1}, needs, (both,), {needs: 1}, True
            )
    return upper_bounds


@bound.register
def _(similarity: Product, request: Request) -> UpperBounds:
    rest = [factor for factor in similarity.factors if not factor.has_variables]
    moving = [factor for factor in similarity.factors if factor.has_variables]
    upper_bounds: dict[Cell, list[UpperBound]] = {}
    if rest:
        first = request.pairs(product(*rest))
        upper_bounds = {cell: [fixed(number)] for cell, number in first.items()}
        request = request._replace(requested=upper_bounds)
    for factor in moving:
        more = mosts(factor, request)
        upper_bounds = {
            cell: [*upper_bounds.get(cell, ()), most] for cell, most in more.items()
        }
        request = request._replace(requested=upper_bounds)
    request.scope.spend(
        sum(
            1 + len(most.credits)
            for several in upper_bounds.values()
            for most in several
        )
    )
    both = ((cell, multiplied(several)) for cell, several in upper_bounds.items())
    return {cell: most for cell, most in both if most is not None}


@bound.register
def _(similarity: Total, request: Request) -> UpperBounds:
    upper_bounds: dict[Cell, list[UpperBound]] = {}
    for term in similarity.terms:
        for cell, most in mosts(term, request).items():
            upper_bounds.setdefault(cell, []).append(most)
    return {cell: summed(several) for cell, several in upper_bounds.items()}


def member_bounds(similarity: Match, request: Request) -> dict[Cell, UpperBounds]:
    """Return upper bounds of members, by position, for each pair of owners.

    Args:
        similarity: a sum over members.
        request: their owners.
    """
    scope, gold, system, requested = request
    left = Groups(members_of(similarity, scope.pair.gold, gold))
    right = Groups(members_of(similarity, scope.pair.system, system))
    asked: Asked = None
    if requested is not None:
        only = set(requested)
        several = sum(len(left.groups[r]) * len(right.groups[c]) for r, c in only)
        if several < len(left.members) * len(right.members):
            scope.spend(several // FEWER)
            ones, others = left.cut(), right.cut()
            asked = {
                (p, q) for r, c in sorted(only) for p in ones[r] for q in others[c]
            }
    inner = Request(scope, left.members, right.members, asked)
    cells = mosts(similarity.similarity, inner)
    often = Counter(left.where), Counter(right.where)
    scope.spend(sum(often[0][one] * often[1][two] for one, two in cells))
    return by_owners(left, right, cells, requested)


@bound.register
def _(similarity: Match, request: Request) -> UpperBounds:
    owners = member_bounds(similarity, request)
    return {
        cell: matched(similarity, request.scope, members)
        for cell, members in owners.items()
    }


@bound.register
def _(similarity: Normalized, request: Request) -> UpperBounds:
    (scope, gold, system, requested), operand = request, similarity.operand
    left = selves(operand, scope.pair.gold, gold)
    right = selves(operand, scope.pair.system, system)
    upper_bounds: UpperBounds = {}
    for (r, c), most in mosts(operand, request).items():
        cap = similarity.ratio(left[r], right[c], Numerators(*[most.cap] * 3))
        if cap:
            # Ratios are straight, and Jaccard's is below its chord.
            upper_bounds[r, c] = most.scaled(cap, cap / most.cap)
    if requested is None:
        rows = [r for r, number in enumerate(left) if number == 0]
        columns = [c for c, number in enumerate(right) if number == 0]
        scope.spend(len(rows) * len(columns))
        requested = [(r, c) for r in rows for c in columns]
    for r, c in requested:
        if left[r] == 0 == right[c]:
            upper_bounds[r, c] = fixed(1)
    return upper_bounds


@bound.register
def _(similarity: Threshold, request: Request) -> UpperBounds:
    upper_bounds: UpperBounds = {}
    for cell, most in mosts(similarity.similarity, request).items():
        if similarity.passes(most.cap):
            flat = most.scaled(1, 0)
            upper_bounds[cell] = flat._replace(base=1, terms=None, complete=False)
            if most.needs is not None:
                upper_bounds[cell] = most.scaled(1, 1 / most.cap)
            elif similarity.limit:
                upper_bounds[cell] = most.scaled(1, 1 / similarity.limit)
    return upper_bounds


@bound.register
def _(similarity: Excess, request: Request) -> UpperBounds:
    return {
        cell: most.scaled(cap, cap / most.cap)
        for cell, most in mosts(similarity.similarity, request).items()
        if (cap := most.cap - similarity.amount) > 0
    }


@bound.register
def _(similarity: ThroughStep, request: Request) -> UpperBounds:
    scope, gold, system, requested = request
    left, where, right, there = ends(similarity, scope.pair, gold, system)
    if requested is None:
        scope.spend(len(where) * len(there))
        requested = [(r, c) for r in range(len(where)) for c in range(len(there))]
    ends_of = {(r, c): (where[r], there[c]) for r, c in requested}
    asked = {end for end in ends_of.values() if min(end) >= 0}
    inner = mosts(similarity.similarity, Request(scope, left, right, asked))
    upper_bounds: UpperBounds = {}
    for cell, end in ends_of.items():
        if end in inner:
            upper_bounds[cell] = inner[end]
        elif end == (-1, -1) and similarity.normalized:
            upper_bounds[cell] = fixed(1)
    return upper_bounds


@bound.register
def _(similarity: ByType, request: Request) -> UpperBounds:
    scope, gold, system, requested = request

    def bounds(
        case: Similarity, left: Elements, right: Elements, asked: Asked
    ) -> UpperBounds:
        return mosts(case, Request(scope, left, right, asked))

    return by_type(bounds, similarity, scope.pair, gold, system, requested)
