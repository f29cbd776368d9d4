"""Things with variables whose partners are still to be found (eq. 34 to 36).

Two propositions are alike only under a one-to-one map of variables, and the map
is chosen for the best sum of all.  Under a given map, propositions over the same
gold variables can only match propositions over their partners; so what two *tuples
of variables* earn together is a matching of its own, whatever the constraint, and
what is left is a correspondence problem over variables::

    one variable       a reward of mapping it
    two variables      a link whose ends must both be mapped
    three or more      an integer program (appendix A.1)

The first two are what :mod:`graphscore.correspondence` solves, for SMATCH as for
everything else, with its proof.  Where variables are deeper, inside of what is matched
inside of something that is matched, or matched in sequence, what is matched depends on
the map: :mod:`.mapping` takes cases apart then.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import ClassVar, NamedTuple

from graphscore.similarity.base import (
    Aligned,
    Asked,
    Cell,
    Number,
    Numerators,
    Similarity,
    Sparse,
    added,
    require_similarity,
)
from graphscore.similarity.expression import (
    ARTICLES,
    FormulaError,
    Notation,
    Sort,
    delegated,
    require,
)
from graphscore.similarity.features.elements import Feature
from graphscore.similarity.navigation.collections import Collection
from graphscore.similarity.operators.arithmetic import Exact, Product, Total, product
from graphscore.similarity.operators.bounding import misplaced
from graphscore.similarity.operators.counting import rows_of
from graphscore.similarity.operators.matching import Match
from graphscore.similarity.operators.references import Variable
from graphscore.similarity.operators.variable_search import best_related
from graphscore.similarity.solvers.assignment import worth
from graphscore.similarity.solvers.integer_programs import Tuple, best_map, reduced
from graphscore.similarity.solvers.numerators import Members, fullest, numerators
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
    mine: list[Tuple]
    theirs: list[Tuple]

    def members(self, pair: Pair, cells: Sparse) -> Members:
        """Return the members to match once variables are mapped."""
        constraint, both = self.part.match.constraint, (self.gold, self.system)
        return Members(self.part.rest, constraint, pair, both, cells)


class Solved(NamedTuple):
    """The best map of variables, and what it makes of every part."""

    variables: dict[int, int]
    matched: list[tuple[Problems, list[Cell]]]
    score: Number


@dataclass(frozen=True, repr=False)
class Latent(Similarity):
    """The best sum over all one-to-one maps of variables (eq. 36).

    Args:
        variables: which nodes are variables.
        operand: what is summed: things with variables, at any depth.
    """

    call: ClassVar[str] = "latent"

    variables: Collection
    operand: Similarity

    def __post_init__(self) -> None:
        before = f"max_{self.variables} "
        formula = f"{before}{self.operand}"
        require_similarity(self.operand, None, "", formula, before)
        demand = partial(
            require, formula=formula, spot=str(self.variables), before="max_"
        )
        demand(
            isinstance(self.variables, Collection),
            f"found {self.variables!r}, expected a collection such as nodes()",
        )
        demand(
            self.variables.yields == "node",
            f"{self.variables} leads to {ARTICLES[self.variables.yields]}, expected "
            "nodes: only they can be variables",
        )
        demand(
            self.variables.of == self.operand.of,
            f"{self.variables} are of {ARTICLES[self.variables.of]}, expected "
            f"variables of {ARTICLES[self.operand.of]}, as {self.operand} is",
        )
        demand(
            self._flat or self.operand.has_variables,
            f"found {self.operand}, expected a Σ of something with variables",
            spot=str(self.operand),
            before=before,
        )
        around = misplaced(self.operand)
        if around is not None and not self._flat:
            raise FormulaError(
                f"a variable inside of {around}, expected around variables equality, "
                "products, sums and ratios of things that are matched one to one, in "
                "any order or in sequence",
                formula,
                str(around),
            )

    @property
    def _sums(self) -> tuple[Similarity, ...]:
        operand = self.operand
        return operand.terms if isinstance(operand, Total) else (operand,)

    @cached_property
    def _flat(self) -> bool:
        """True if variables are factors of the summands, and nowhere else."""
        return all(
            isinstance(term, Match)
            and term.order is None
            and all(
                isinstance(factor, Variable) or not factor.has_variables
                for factor in _factors(term.similarity)
            )
            for term in self._sums
        )

    normalized = delegated("operand.normalized")

    def spell(self, notation: Notation) -> str:
        """The greatest over all maps."""
        below = notation.below("M") if notation.latex else "_M "
        return f"{notation.best}{below}{self.operand.spell(notation)}"

    def parts(self) -> Iterator[Similarity]:
        """The operand."""
        yield self.operand

    @property
    def has_variables(self) -> bool:
        """False: it binds all variables inside."""
        return False

    def _terms(self) -> Iterator[Part]:
        for term in self._sums:
            assert isinstance(term, Match)
            factors = _factors(term.similarity)
            fields = tuple(factor for factor in factors if isinstance(factor, Variable))
            rest = [factor for factor in factors if not isinstance(factor, Variable)]
            yield Part(term, fields, product(*rest) if rest else _anything(term))

    def pairs(
        self, pair: Pair, gold: Elements, system: Elements, requested: Asked = None
    ) -> Sparse:
        """The best sums, each two owners by themselves."""
        found = self.overlaps(pair, gold, system, requested)
        return {cell: number.literal for cell, number in found.items()}

    def overlaps(
        self, pair: Pair, gold: Elements, system: Elements, requested: Asked = None
    ) -> dict[Cell, Numerators]:
        """The best sums, told apart by what recall and precision count."""
        if requested is None:
            requested = [(r, c) for r in range(len(gold)) for c in range(len(system))]
        result: dict[Cell, Numerators] = {}
        for r, c in requested:
            solved = self.solved(pair, gold[r], system[c])
            if solved.score and self._flat:
                result[r, c] = self._numerators(pair, solved)
            elif solved.score:
                under = pair.under(frozenset(solved.variables.items()))
                cell = [(0, 0)]
                alike = self.operand.overlaps(under, [gold[r]], [system[c]], cell)
                result[r, c] = alike[0, 0]
        return result

    @staticmethod
    def _numerators(pair: Pair, solved: Solved) -> Numerators:
        found = [
            numerators(problem.members(pair, problem.cells), cells)
            for problem, cells in solved.matched
        ]
        recall, precision, _ = map(added, zip(*found, strict=True))
        return Numerators(recall, precision, solved.score)

    def solved(self, pair: Pair, gold: Element, system: Element) -> Solved:
        """The best map for two owners, found once."""
        return pair.keep(
            (self.token, gold, system), lambda: self._solve(pair, gold, system)
        )

    def _solve(self, pair: Pair, gold: Element, system: Element) -> Solved:
        [left] = self.variables.members(pair.gold, [gold])
        [right] = self.variables.members(pair.system, [system])
        if not self._flat:
            return self._solve_deep(pair, (gold, left), (system, right))
        places = (
            {each: k for k, each in enumerate(left)},
            {their: k for k, their in enumerate(right)},
        )
        problems = [
            self._problem(pair, part, gold, system, places) for part in self._terms()
        ]
        amounts: dict[tuple[Tuple, Tuple], list[Number]] = {}
        for problem in problems:
            for tuples, amount in _by_tuples(problem):
                key = reduced(*tuples)
                if key is not None:
                    amounts.setdefault(key, []).append(amount)
        earned = {
            key: numbers[0] if len(numbers) == 1 else added(numbers)
            for key, numbers in amounts.items()
        }
        result = best_map(earned, (len(left), len(right)), pair)
        scores: list[Number] = []
        done = []
        for problem in problems:
            kept = _agreeing(problem, result)
            matched = fullest(problem.members(pair, kept))
            scores += [kept[cell] for cell in matched]
            done.append((problem, matched))
        return Solved(
            {left[one]: right[value] for one, value in result.items()},
            done,
            added(scores),
        )

    def _solve_deep(
        self,
        pair: Pair,
        gold: tuple[Element, Elements],
        system: tuple[Element, Elements],
    ) -> Solved:
        """The best map where what is matched depends on it, for owners' variables."""
        result = best_related(self.operand, pair, gold, system)
        pair.proof.steps += result.steps
        if result.gap:
            pair.proof.proven = False
            pair.proof.gap += result.gap
        return Solved(dict(sorted(result.mapped)), [], result.score)

    @staticmethod
    def _problem(
        pair: Pair,
        part: Part,
        gold: Element,
        system: Element,
        places: tuple[dict[Element, int], dict[Element, int]],
    ) -> Problems:
        """Build the problem of two owners: their similarity but for the variables."""
        [left] = part.match.members(pair.gold, [gold])
        [right] = part.match.members(pair.system, [system])
        table = Match(part.match.collection, part.rest, "n:n").tables(pair, left, right)
        return Problems(
            part,
            left,
            right,
            table,
            _variables(part, pair.gold, left, places[0]),
            _variables(part, pair.system, right, places[1]),
        )

    def selves(self, view: View, elements: Elements) -> list[Number]:
        """Return the self-similarities: every variable is mapped to itself.

        What speaks of something that is no variable earns nothing, even there.
        """
        if not self._flat:
            return [self._under_identity(view, element) for element in elements]
        parts = list(self._terms())
        if any(
            part.match.constraint == "n:n" or not part.rest.proper for part in parts
        ):
            both = Pair(view, view)
            return [self.solved(both, element, element).score for element in elements]
        return [self._itself(view, parts, element) for element in elements]

    def _under_identity(self, view: View, element: Element) -> Number:
        [variables] = self.variables.members(view, [element])
        both = Pair(view, view, related=Related((e, e) for e in variables))
        found = self.operand.pairs(both, [element], [element], [(0, 0)])
        return found.get((0, 0), 0)

    def _itself(self, view: View, parts: list[Part], element: Element) -> Number:
        [variables] = self.variables.members(view, [element])
        places = {variable: k for k, variable in enumerate(variables)}
        numbers: list[Number] = []
        for part in parts:
            [members] = part.match.members(view, [element])
            tuples = _variables(part, view, members, places)
            numbers += [
                amount
                for amount, tuple_ in zip(
                    part.rest.selves(view, members), tuples, strict=True
                )
                if reduced(tuple_, tuple_) is not None
            ]
        return added(numbers)

    def aligned(
        self, pair: Pair, gold: Element | None, system: Element | None
    ) -> tuple[Aligned, ...]:
        """The variables and their partners, then the propositions."""
        if gold is None or system is None:
            return self.operand.aligned(pair, gold, system)
        solved = self.solved(pair, gold, system)
        name = self.variables.short
        [left] = self.variables.members(pair.gold, [gold])
        [right] = self.variables.members(pair.system, [system])
        places = {their: k for k, their in enumerate(right)}
        result: list[Aligned] = []
        for k, first in enumerate(left):
            if first in solved.variables:
                second = solved.variables[first]
                both = first, k, second, places[second]
                result.append(Aligned("node", name, *both, 0, (0, 0), self, ()))
        if not self._flat:
            under = pair.under(frozenset(solved.variables.items()))
            return (*result, *self.operand.aligned(under, gold, system))
        for problem, cells in solved.matched:
            match = problem.part.match
            result += rows_of(
                pair,
                match.collection,
                match.similarity,
                (problem.gold, problem.system),
                problem.cells,
                cells,
            )
        return tuple(result)

    def warm(self, view: View, elements: Elements) -> None:
        """Let the rest of every part."""
        if not self._flat:
            self.operand.warm(view, elements)
            return
        for part in self._terms():
            Match(part.match.collection, part.rest).warm(view, elements)


latent = Latent


def _factors(similarity: Similarity) -> tuple[Similarity, ...]:
    return similarity.factors if isinstance(similarity, Product) else (similarity,)


def _anything(match: Match) -> Exact:
    """Return an equality that always holds, where only variables count."""
    feature: Feature = _Nothing(match.collection.yields)
    return Exact((feature,))


@dataclass(frozen=True, repr=False)
class _Nothing(Feature):
    """Says the same of everything."""

    call: ClassVar[str] = "nothing"

    sort: Sort
    short: ClassVar[str] = "nothing"

    of = delegated("sort")

    def of_all(self, view: View, elements: Elements) -> list[Hashable]:
        """Return ``None`` for each element."""
        return [None] * len(elements)


def _variables(
    part: Part, view: View, elements: list[Element], places: dict[Element, int]
) -> list[Tuple]:
    """The variables of each proposition, numbered; -1 for what is none."""
    columns = [
        [
            None if each is None else places.get(each, -1)
            for each in field.at(view, elements)
        ]
        for field in part.fields
    ]
    if not columns:
        return [()] * len(elements)
    return list(zip(*columns, strict=True))


def _by_tuples(problem: Problems) -> Iterator[tuple[tuple[Tuple, Tuple], Number]]:
    """Yield the weights of propositions, by the variables of both sides."""
    left, right = problem.mine, problem.theirs
    if len({*left}) == len(left) and len({*right}) == len(right):
        for (p, q), number in problem.cells.items():
            yield (left[p], right[q]), number
        return
    matrices: dict[tuple[Tuple, Tuple], Sparse] = {}
    for (p, q), number in problem.cells.items():
        matrices.setdefault((left[p], right[q]), {})[p, q] = number
    for tuples, cells in matrices.items():
        yield tuples, worth(cells, problem.part.match.constraint)


def _agreeing(problem: Problems, found: dict[int, int]) -> Sparse:
    """The cells whose propositions a map of variables makes one."""
    places: dict[Tuple, list[int]] = {}
    for q, their in enumerate(problem.theirs):
        places.setdefault(their, []).append(q)
    kept: Sparse = {}
    for p, one in enumerate(problem.mine):
        # What is no variable has no image, and -2 is nobody's number.
        image = tuple(None if k is None else found.get(k, -2) for k in one)
        for q in places.get(image, ()):
            if (p, q) in problem.cells:
                kept[p, q] = problem.cells[p, q]
    return kept
