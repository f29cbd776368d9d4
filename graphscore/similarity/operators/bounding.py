"""How each part of a formula bounds what is around a variable.

A formula never earns less where more variables may correspond, so what it earns where
many may be many is a bound, and a poor one.  A better one is linear: every pair of
variables is credited with its share of all that needs it, and no one-to-one map has
more than the best assignment of these credits.  Both are worked out bottom up::

    φ̃              1, for one pair of variables
    ×              what one factor is worth times the other's share, halved between them
    Σ              the best matching of the most that members earn; their credits added
    a ratio of Σ   a straight line to what the most comes to

What comes of it is a ``Most`` for each two things, by position.
"""

from __future__ import annotations

from collections.abc import Callable, Sized

from graphscore.similarity.base import Asked, Cell, Numerators, Similarity
from graphscore.similarity.operators.arithmetic import Product, Total, product
from graphscore.similarity.operators.counting import cut, places_of
from graphscore.similarity.operators.delegation import At, Choice
from graphscore.similarity.operators.matching import Match
from graphscore.similarity.operators.ratios import Normalized
from graphscore.similarity.operators.references import Variable
from graphscore.similarity.operators.thresholds import Excess, Threshold
from graphscore.similarity.operators.upper_bounds import (
    Most,
    Mosts,
    Scope,
    fixed,
    matched,
    multiplied,
    summed,
)
from graphscore.similarity.solvers.ordering import InSequence
from graphscore.similarity.view import Elements, unique

FEWER = 4
"""Pairs are written down so many times faster than amounts are worked out."""


def misplaced(similarity: Similarity) -> Similarity | None:
    """What stands around a variable and cannot be bounded, or ``None``.

    Args:
        similarity: a formula with variables.
    """
    if not similarity.has_variables:
        return None
    if type(similarity) not in RULES:
        return similarity
    if isinstance(similarity, Match):
        ordered = similarity.order is None or isinstance(similarity.order, InSequence)
        if similarity.constraint != "1:1" or not ordered:
            return similarity
    found = (misplaced(each) for each in similarity.parts())
    around = next((each for each in found if each is not None), None)
    if isinstance(similarity, Normalized) and around is similarity.operand:
        # It is the ratio that stands in the formula.
        return similarity
    return around


def mosts(
    similarity: Similarity,
    scope: Scope,
    gold: Elements,
    system: Elements,
    wanted: Asked = None,
) -> Mosts:
    """What pairs of things earn at most, where that is more than 0.

    Args:
        similarity: how they are compared; nothing ``misplaced`` in it.
        scope: the two graphs, and which variables may correspond.
        gold: distinct gold elements.
        system: distinct system elements.
        wanted: which pairs are asked for; ``None`` for all.
    """
    if not similarity.has_variables:
        scope.spend(_asked(similarity, scope, gold, system, wanted))
        found = similarity.pairs(scope.pair, gold, system, wanted)
        return {cell: fixed(number) for cell, number in found.items()}
    return RULES[type(similarity)](similarity, scope, gold, system, wanted)


def _asked(
    similarity: Similarity, scope: Scope, gold: Elements, system: Elements, asked: Asked
) -> int:
    """How many pairs are looked at; of a pair not much is worked out."""
    if asked is None:
        return similarity.effort(scope.pair, gold, system)
    return len(asked) if isinstance(asked, Sized) else len(gold) * len(system)


# Rules, one for each part of formulas that may stand around a variable.


def _variable(
    similarity: Variable, scope: Scope, gold: Elements, system: Elements, wanted: Asked
) -> Mosts:
    mine = similarity.at(scope.pair.gold, gold)
    theirs = similarity.at(scope.pair.system, system)
    scope.spend(_asked(similarity, scope, gold, system, wanted))
    found: Mosts = {}
    for r, c in similarity.pairs(scope.pair, gold, system, wanted):
        if mine[r] is None:
            found[r, c] = fixed(1)
        else:
            both = mine[r], theirs[c]
            needs = frozenset((both,))
            found[r, c] = Most(1, 0, {both: 1}, needs, (both,), {needs: 1}, True)
    return found


def _product(
    similarity: Product, scope: Scope, gold: Elements, system: Elements, wanted: Asked
) -> Mosts:
    rest = [each for each in similarity.factors if not each.has_variables]
    moving = [each for each in similarity.factors if each.has_variables]
    found: dict[Cell, list[Most]] = {}
    if rest:
        fixed_part = product(*rest)
        scope.spend(_asked(fixed_part, scope, gold, system, wanted))
        first = fixed_part.pairs(scope.pair, gold, system, wanted)
        found = {cell: [fixed(number)] for cell, number in first.items()}
        wanted = found
    for factor in moving:
        more = mosts(factor, scope, gold, system, wanted)
        found = {cell: [*found.get(cell, ()), most] for cell, most in more.items()}
        wanted = found
    scope.spend(sum(1 + len(each.credits) for many in found.values() for each in many))
    both = ((cell, multiplied(several)) for cell, several in found.items())
    return {cell: most for cell, most in both if most is not None}


def _total(
    similarity: Total, scope: Scope, gold: Elements, system: Elements, wanted: Asked
) -> Mosts:
    found: dict[Cell, list[Most]] = {}
    for term in similarity.terms:
        for cell, most in mosts(term, scope, gold, system, wanted).items():
            found.setdefault(cell, []).append(most)
    return {cell: summed(several) for cell, several in found.items()}


def members_of(
    similarity: Match, scope: Scope, gold: Elements, system: Elements, wanted: Asked
) -> dict[Cell, Mosts]:
    """What members earn at most, by their positions, for each two owners.

    Args:
        similarity: a sum over members.
        scope: the two graphs, and which variables may correspond.
        gold: gold owners.
        system: the system's.
        wanted: which owners are asked for; ``None`` for all.
    """
    pair = scope.pair
    mine = similarity.members(pair.gold, gold)
    theirs = similarity.members(pair.system, system)
    left, where = unique([each for group in mine for each in group])
    right, there = unique([each for group in theirs for each in group])
    rows, columns = places_of(mine, where), places_of(theirs, there)
    only = None if wanted is None else set(wanted)
    asked: Asked = None
    if only is not None:
        several = sum(len(mine[r]) * len(theirs[c]) for r, c in only)
        if several < len(left) * len(right):
            scope.spend(several // FEWER)
            ones, others = cut(mine, where), cut(theirs, there)
            asked = {
                (p, q) for r, c in sorted(only) for p in ones[r] for q in others[c]
            }
    inner = mosts(similarity.similarity, scope, left, right, asked)
    scope.spend(sum(len(rows[one]) * len(columns[two]) for one, two in inner))
    found: dict[Cell, Mosts] = {}
    for (one, two), most in inner.items():
        for r, p in rows[one]:
            for c, q in columns[two]:
                if only is None or (r, c) in only:
                    found.setdefault((r, c), {})[p, q] = most
    return found


def _match(
    similarity: Match, scope: Scope, gold: Elements, system: Elements, wanted: Asked
) -> Mosts:
    found = members_of(similarity, scope, gold, system, wanted)
    return {cell: matched(similarity, scope, cells) for cell, cells in found.items()}


def _normalized(
    similarity: Normalized,
    scope: Scope,
    gold: Elements,
    system: Elements,
    wanted: Asked,
) -> Mosts:
    pair, operand = scope.pair, similarity.operand
    left, right = operand.selves(pair.gold, gold), operand.selves(pair.system, system)
    found: Mosts = {}
    for (r, c), most in mosts(operand, scope, gold, system, wanted).items():
        cap = similarity.ratio(left[r], right[c], Numerators(*[most.cap] * 3))
        if cap:
            # Ratios are straight, and Jaccard's is below its chord.
            found[r, c] = most.scaled(cap, cap / most.cap)
    if wanted is None:
        rows = [r for r, number in enumerate(left) if number == 0]
        columns = [c for c, number in enumerate(right) if number == 0]
        scope.spend(len(rows) * len(columns))
        wanted = [(r, c) for r in rows for c in columns]
    for r, c in wanted:
        if left[r] == 0 == right[c]:
            found[r, c] = fixed(1)
    return found


def _threshold(
    similarity: Threshold, scope: Scope, gold: Elements, system: Elements, wanted: Asked
) -> Mosts:
    inner = mosts(similarity.similarity, scope, gold, system, wanted)
    found: Mosts = {}
    for cell, most in inner.items():
        if similarity.passes(most.cap):
            flat = most.scaled(1, 0)
            found[cell] = flat._replace(base=1, terms=None, complete=False)
            if most.needs is not None:
                found[cell] = most.scaled(1, 1 / most.cap)
            elif similarity.limit:
                found[cell] = most.scaled(1, 1 / similarity.limit)
    return found


def _excess(
    similarity: Excess, scope: Scope, gold: Elements, system: Elements, wanted: Asked
) -> Mosts:
    inner = mosts(similarity.similarity, scope, gold, system, wanted)
    return {
        cell: most.scaled(cap, cap / most.cap)
        for cell, most in inner.items()
        if (cap := most.cap - similarity.amount) > 0
    }


def _at(
    similarity: At, scope: Scope, gold: Elements, system: Elements, wanted: Asked
) -> Mosts:
    mine, where, theirs, there = similarity.ends(scope.pair, gold, system)
    if wanted is None:
        scope.spend(len(where) * len(there))
        wanted = [(r, c) for r in range(len(where)) for c in range(len(there))]
    ends = {(r, c): (where[r], there[c]) for r, c in wanted}
    asked = {end for end in ends.values() if min(end) >= 0}
    inner = mosts(similarity.similarity, scope, mine, theirs, asked)
    found: Mosts = {}
    for cell, end in ends.items():
        if end in inner:
            found[cell] = inner[end]
        elif end == (-1, -1) and similarity.normalized:
            found[cell] = fixed(1)
    return found


def _choice(
    similarity: Choice, scope: Scope, gold: Elements, system: Elements, wanted: Asked
) -> Mosts:
    found: Mosts = {}
    types = similarity.types(scope.pair, gold, system, wanted)
    for case, left, right, inner in types:
        mine, theirs = [gold[k] for k in left], [system[k] for k in right]
        for (r, c), most in mosts(case, scope, mine, theirs, inner).items():
            found[left[r], right[c]] = most
    return found


RULES: dict[type[Similarity], Callable[..., Mosts]] = {
    Variable: _variable,
    Product: _product,
    Total: _total,
    Match: _match,
    Normalized: _normalized,
    Threshold: _threshold,
    Excess: _excess,
    At: _at,
    Choice: _choice,
}
"""How each part of a formula bounds what is around a variable."""
