"""Rules of things with variables whose partners are still to be found (eq. 34 to 36).

Under a given map of variables, propositions over the same gold variables can only
match propositions over their partners; so what two *tuples of variables* earn together
is a matching of its own, whatever the constraint, and what is left is a correspondence
problem over variables::

    one variable       a reward of mapping it
    two variables      a link whose ends must both be mapped
    three or more      an integer program (appendix A.1)

The first two are what :mod:`graphscore.correspondence` solves, for SMATCH as for
everything else, with its proof.  Where variables are deeper, inside of what is matched
inside of something that is matched, or matched in sequence, what is matched depends on
the map: :mod:`.variable_search` takes cases apart then.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import ClassVar, NamedTuple

from graphscore.similarity.base import (
    Cell,
    Number,
    Numerators,
    Request,
    Similarity,
    Sparse,
    sum_exactly,
)
from graphscore.similarity.evaluation.delegation import variables_at
from graphscore.similarity.evaluation.functions import overlaps, pairs, selves, warm
from graphscore.similarity.evaluation.matching import (
    matched_members,
    member_pairs,
    members_of,
)
from graphscore.similarity.expression import Sort, delegate
from graphscore.similarity.features.elements import Feature
from graphscore.similarity.operators.arithmetic import Exact, product
from graphscore.similarity.operators.latent import Latent, factors_of
from graphscore.similarity.operators.matching import Match
from graphscore.similarity.operators.references import Variable
from graphscore.similarity.solvers.integer_programs import (
    Tuple,
    best_map,
    reduce_tuples,
)
from graphscore.similarity.solvers.matcher import Members, best, numerators
from graphscore.similarity.view import Element, Elements, Pair, Related, View


class Part(NamedTuple):
    """One Σ inside of ``latent``, told apart into variables and the rest."""

    match: Match
    fields: tuple[Variable, ...]
    rest: Similarity


class Problems(NamedTuple):
    """Propositions of one part for one pair of owners."""

    part: Part
    gold: list[Element]
    system: list[Element]
    cells: Sparse
    gold_variables: list[Tuple]
    system_variables: list[Tuple]

    def members(self, pair: Pair, cells: Sparse) -> Members:
        """Return the members to match once variables are mapped."""
        constraint, both = self.part.match.constraint, (self.gold, self.system)
        return matched_members(self.part.rest, constraint, pair, both, cells)


class Solved(NamedTuple):
    """The best map of variables, and what it makes of every part."""

    variables: dict[int, int]
    matched: list[tuple[Problems, list[Cell]]]
    score: Number


def _terms(latent: Latent) -> Iterator[Part]:
    for term in latent.sums:
        assert isinstance(term, Match)
        factors = factors_of(term.similarity)
        fields = tuple(factor for factor in factors if isinstance(factor, Variable))
        rest = [factor for factor in factors if not isinstance(factor, Variable)]
        yield Part(term, fields, product(*rest) if rest else _always_equal(term))


@pairs.register
def _(similarity: Latent, request: Request) -> Sparse:
    sums = overlaps(similarity, request)
    return {cell: number.literal for cell, number in sums.items()}


@overlaps.register
def _(similarity: Latent, request: Request) -> dict[Cell, Numerators]:
    """The best sums, each two owners by themselves."""
    pair, gold, system = request.pair, request.gold, request.system
    result: dict[Cell, Numerators] = {}
    for r, c in request.cells:
        solved = solution(similarity, pair, gold[r], system[c])
        if solved.score and similarity.flat:
            result[r, c] = _numerators(pair, solved)
        elif solved.score:
            under = pair.under(frozenset(solved.variables.items()))
            owners = Request(under, [gold[r]], [system[c]], [(0, 0)])
            result[r, c] = overlaps(similarity.operand, owners)[0, 0]
    return result


def _numerators(pair: Pair, solved: Solved) -> Numerators:
    several = [
        numerators(problem.members(pair, problem.cells), cells)
        for problem, cells in solved.matched
    ]
    recall, precision, _ = map(sum_exactly, zip(*several, strict=True))
    return Numerators(recall, precision, solved.score)


def solution(latent: Latent, pair: Pair, gold: Element, system: Element) -> Solved:
    """The best map for two owners, found once."""
    key = latent.token, gold, system
    return pair.keep(key, lambda: _solve(latent, pair, gold, system))


def _solve(latent: Latent, pair: Pair, gold: Element, system: Element) -> Solved:
    [left] = latent.variables.members(pair.gold, [gold])
    [right] = latent.variables.members(pair.system, [system])
    if not latent.flat:
        return _solve_deep(latent.operand, pair, (gold, left), (system, right))
    indices = (
        {variable: k for k, variable in enumerate(left)},
        {variable: k for k, variable in enumerate(right)},
    )
    problems = [_problem(pair, part, gold, system, indices) for part in _terms(latent)]
    amounts: dict[tuple[Tuple, Tuple], list[Number]] = {}
    for problem in problems:
        for tuples, amount in _by_tuples(problem):
            key = reduce_tuples(*tuples)
            if key is not None:
                amounts.setdefault(key, []).append(amount)
    earned = {
        key: numbers[0] if len(numbers) == 1 else sum_exactly(numbers)
        for key, numbers in amounts.items()
    }
    mapped = best_map(earned, (len(left), len(right)), pair)
    scores: list[Number] = []
    done = []
    for problem in problems:
        kept = _agreeing_cells(problem, mapped)
        matched = best(problem.members(pair, kept))
        scores += [kept[cell] for cell in matched]
        done.append((problem, matched))
    return Solved(
        {left[row]: right[value] for row, value in mapped.items()},
        done,
        sum_exactly(scores),
    )


def _solve_deep(
    operand: Similarity,
    pair: Pair,
    gold: tuple[Element, Elements],
    system: tuple[Element, Elements],
) -> Solved:
    """The best map where what is matched depends on it, for owners' variables."""
    from graphscore.similarity.evaluation.variable_search import best_related

    result = best_related(operand, pair, gold, system)
    pair.proof.steps += result.steps
    if result.gap:
        pair.proof.proven = False
        pair.proof.gap += result.gap
    return Solved(dict(sorted(result.mapped)), [], result.score)


def _problem(
    pair: Pair,
    part: Part,
    gold: Element,
    system: Element,
    indices: tuple[dict[Element, int], dict[Element, int]],
) -> Problems:
    """Build the problem of two owners: their similarity but for the variables."""
    [left] = members_of(part.match, pair.gold, [gold])
    [right] = members_of(part.match, pair.system, [system])
    return Problems(
        part,
        left,
        right,
        member_pairs(part.rest, pair, left, right),
        _variables(part, pair.gold, left, indices[0]),
        _variables(part, pair.system, right, indices[1]),
    )


@selves.register
def _(similarity: Latent, view: View, elements: Elements) -> list[Number]:
    """Every variable is mapped to itself.

    What speaks of something that is no variable earns nothing, even there.
    """
    if not similarity.flat:
        return [_under_identity(similarity, view, element) for element in elements]
    parts = list(_terms(similarity))
    if any(part.match.constraint == "n:n" or not part.rest.proper for part in parts):
        both = Pair(view, view)
        return [
            solution(similarity, both, element, element).score for element in elements
        ]
    return [_itself(similarity, view, parts, element) for element in elements]


def _under_identity(latent: Latent, view: View, element: Element) -> Number:
    [variables] = latent.variables.members(view, [element])
    both = Pair(view, view, related=Related((e, e) for e in variables))
    cells = pairs(latent.operand, Request(both, [element], [element], [(0, 0)]))
    return cells.get((0, 0), 0)


def _itself(latent: Latent, view: View, parts: list[Part], element: Element) -> Number:
    [variables] = latent.variables.members(view, [element])
    indices = {variable: k for k, variable in enumerate(variables)}
    numbers: list[Number] = []
    for part in parts:
        [members] = members_of(part.match, view, [element])
        tuples = _variables(part, view, members, indices)
        numbers += [
            amount
            for amount, tuple_ in zip(
                selves(part.rest, view, members), tuples, strict=True
            )
            if reduce_tuples(tuple_, tuple_) is not None
        ]
    return sum_exactly(numbers)


@warm.register
def _(similarity: Latent, view: View, elements: Elements) -> None:
    # The rest of every part, without its variables.
    if not similarity.flat:
        warm(similarity.operand, view, elements)
        return
    for part in _terms(similarity):
        warm(Match(part.match.collection, part.rest), view, elements)


def _always_equal(match: Match) -> Exact:
    """Return an equality that always holds, where only variables count."""
    feature: Feature = _Nothing(match.collection.yields)
    return Exact((feature,))


class _Nothing(Feature, frozen=True):
    """Says the same of everything."""

    call: ClassVar[str] = "nothing"

    sort: Sort
    short: ClassVar[str] = "nothing"

    of = delegate("sort")

    def of_all(self, view: View, elements: Elements) -> list[Hashable]:
        """Return ``None`` for each element."""
        return [None] * len(elements)


def _variables(
    part: Part, view: View, elements: list[Element], indices: dict[Element, int]
) -> list[Tuple]:
    """The variables of each proposition, numbered; -1 for what is none."""
    columns = [
        [
            None if variable is None else indices.get(variable, -1)
            for variable in variables_at(field, view, elements)
        ]
        for field in part.fields
    ]
    if not columns:
        return [()] * len(elements)
    return list(zip(*columns, strict=True))


def _by_tuples(problem: Problems) -> Iterator[tuple[tuple[Tuple, Tuple], Number]]:
    """Yield the weights of propositions, by the variables of both sides."""
    left, right = problem.gold_variables, problem.system_variables
    if len({*left}) == len(left) and len({*right}) == len(right):
        for (p, q), number in problem.cells.items():
            yield (left[p], right[q]), number
        return
    from graphscore.similarity.solvers.ordering import worth

    matrices: dict[tuple[Tuple, Tuple], Sparse] = {}
    for (p, q), number in problem.cells.items():
        matrices.setdefault((left[p], right[q]), {})[p, q] = number
    for tuples, cells in matrices.items():
        yield tuples, worth(cells, problem.part.match.constraint)


def _agreeing_cells(problem: Problems, mapped: dict[int, int]) -> Sparse:
    """The cells whose propositions a map of variables makes one."""
    columns: dict[Tuple, list[int]] = {}
    for q, variables in enumerate(problem.system_variables):
        columns.setdefault(variables, []).append(q)
    kept: Sparse = {}
    for p, variables in enumerate(problem.gold_variables):
        # What is no variable has no image, and -2 is nobody's number.
        image = tuple(None if k is None else mapped.get(k, -2) for k in variables)
        for q in columns.get(image, ()):
            if (p, q) in problem.cells:
                kept[p, q] = problem.cells[p, q]
    return kept
