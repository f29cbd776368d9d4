"""The best map of variables where they occur at any depth: branch and bound.

What a formula earns under a map is asked of the formula itself; how much it can earn
while variables may still be several is said by :mod:`.bounds`.  A case says which
variables may correspond and which members of the outermost sums may be matched.  Where
members still compete for one another, two of them are matched in one case and kept
apart in the other; where none do, what is left is one sum over all variables, whose
best map the search that SMATCH uses bounds, and then variables are decided likewise.
The case that promises most comes first.

A first map of variables: those that stand alike come together.

What is said of a node is the labels, properties and edges around it, to some depth, but
for what variables are called.  Variables about which the same is said to the greatest
depth are paired, then those that are alike less deep; what is left is paired in its
order.  Nothing is proven by it; it is a map that a search begins with.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Hashable, Iterable
from typing import NamedTuple

from graphscore.correspondence import Budget
from graphscore.lazy import blake2b
from graphscore.model.graph import Graph
from graphscore.similarity.base import (
    Cell,
    Number,
    Request,
    Similarity,
    Sparse,
    sum_exactly,
)
from graphscore.similarity.evaluation.bounding import member_bounds, mosts
from graphscore.similarity.evaluation.functions import pairs, selves
from graphscore.similarity.evaluation.upper_bounds import (
    Mapped,
    Scope,
    Solution,
    SpentError,
    Terms,
    UpperBound,
    UpperBounds,
    add_bounds,
    assign,
    best_alone,
    bound_matching,
    is_map,
    merge_terms,
)
from graphscore.similarity.operators.arithmetic import Total
from graphscore.similarity.operators.matching import Match
from graphscore.similarity.solvers.chains import through
from graphscore.similarity.solvers.matcher import pick
from graphscore.similarity.solvers.ordering import clock
from graphscore.similarity.view import Element, Elements, Every, Pair, Related

CERTAIN = 1e-9
"""Tolerance of a proof between bound and score.

Amounts that are no whole numbers are rounded.
"""

JOINT = 20_000
"""Steps for the best map of all members that may be matched, in one case: its search
decides variables better than cases of a formula do (3 of 3 documents of 12 sentences
proven in a second, of which 2,000 steps proved none in five)."""

MEMBERS_AN_ENTRY = 4
"""Nodes and edges that are gone through, when a map is tried, in the time that an
amount or credit takes."""

FEW = 400
"""Up to so many members it is asked of each two what any matching of them earns."""

EXACT = 2**52
"""Whole numbers up to which the search is exact; it parts each in 1024."""


class SearchResult(NamedTuple):
    """The best map that the budget allowed to find."""

    mapped: frozenset[Mapped]
    score: Number
    bound: Number
    """No map earns more."""
    steps: int

    @property
    def gap(self) -> Number:
        """Upper bound on the improvement by another mapping; 0 if proven optimal."""
        return self.bound - self.score


Pairing = tuple[int, Cell]
"""Members of one of the outermost sums, by position."""


class _Case(NamedTuple):
    """Some things decided, some not; the one that promises most comes first."""

    promise: Number
    """The bound, negative."""
    number: int
    """Negative, so that of equal promises the newest comes first."""
    sums: tuple[UpperBounds, ...]
    """Members that may be matched."""
    most: UpperBound


def best_related(
    operand: Similarity,
    pair: Pair,
    gold: tuple[Element, Elements],
    system: tuple[Element, Elements],
) -> SearchResult:
    """The map of variables under which two things earn most.

    Args:
        operand: what they earn; nothing that cannot be bounded around variables.
        pair: the two graphs, and the budget of steps.
        gold: the gold thing, and its variables.
        system: likewise.
    """
    (first, left), (second, right) = gold, system
    search = _Search(operand, Request(pair.under(()), [first], [second], [(0, 0)]))
    search.run(left, right)
    best = search.best
    return SearchResult(best.mapped, best.score, search.bound, search.steps)


class _BestMap:
    """The best map of variables that was tried."""

    def __init__(self, operand: Similarity, request: Request, scope: Scope) -> None:
        self._operand, self._request, self._scope = operand, request, scope
        graphs = request.pair.gold.graph, request.pair.system.graph
        self._parts = 1 + sum(len(graph.nodes) + len(graph.edges) for graph in graphs)
        self.mapped: frozenset[Mapped] = frozenset()
        self.score = self._evaluate(self.mapped)
        self._tried = {self.mapped}

    def offer(self, mapped: Iterable[Mapped]) -> None:
        """Try a map, and keep it if it earns more."""
        offered = frozenset(mapped)
        if offered in self._tried:
            return
        self._tried.add(offered)
        score = self._evaluate(offered)
        if score > self.score:
            self.mapped, self.score = offered, score

    def beaten_by(self, bound: Number) -> bool:
        """Return true if what earns so much would be better."""
        return bound - self.score > CERTAIN * max(1, self.score)

    def _evaluate(self, mapped: frozenset[Mapped]) -> Number:
        # What is asked for is paid for even if it is too much: it may be the best.
        self._scope.entries += self._parts // MEMBERS_AN_ENTRY
        under = self._request.pair.under(mapped)
        request = self._request._replace(pair=under)
        return pairs(self._operand, request).get((0, 0), 0)


class _Search:
    """The best map met, and the cases that are still open."""

    def __init__(self, operand: Similarity, request: Request) -> None:
        self.operand, self.request = operand, request
        self.pair = request.pair
        terms = operand.terms if isinstance(operand, Total) else (operand,)
        self._sums = [term for term in terms if isinstance(term, Match)]
        if len(self._sums) < len(terms):
            self._sums = []
        self._scope = Scope(self.pair)
        self.best = _BestMap(operand, request, self._scope)
        self.bound: Number = self.best.score
        self._open: list[_Case] = []
        self._number = 0
        self._late = clock(self.pair.budget.seconds)

    @property
    def steps(self) -> int:
        """Work done."""
        return 1 + self._scope.steps

    def run(self, left: Elements, right: Elements) -> None:
        """Take cases apart until nothing can be better, or the budget is spent.

        Args:
            left: gold's variables.
            right: the system's.
        """
        graphs = self.pair.gold.graph, self.pair.system.graph
        self.best.offer(by_surroundings(*graphs, left, right))
        promise = self._self_bound()
        if promise is not None:
            self._scope.limit = self.pair.budget.steps
        try:
            self._relate(Every(left, right), None)
            self._scope.limit = self.pair.budget.steps
            while self._open:
                promise = -self._open[0].promise
                if not self.best.beaten_by(promise):
                    break
                self._scope.spend(0)
                if self._late():
                    raise SpentError
                self._divide(heapq.heappop(self._open))
        except SpentError:
            assert promise is not None
            self.bound = max(self.best.score, promise)
            return
        self.bound = self.best.score

    def _self_bound(self) -> Number | None:
        """Return the bound by self-similarities, if the similarity is proper."""
        if not self.operand.proper:
            return None
        return min(selves(self.operand, *side)[0] for side in self.request.sides)

    # Cases.

    def _divide(self, case: _Case) -> None:
        """Decide two members, or two variables."""
        rivals = self._rivals(case.sums)
        if rivals:
            pairing, excluded = rivals
            self._enter(_without(case.sums, {pairing}))
            self._enter(_without(case.sums, excluded))
            return
        credited = case.most.credits
        rows: dict[Element, int] = {}
        columns: dict[Element, int] = {}
        for left, right in credited:
            rows[left] = rows.get(left, 0) + 1
            columns[right] = columns.get(right, 0) + 1
        loose = [(a, b) for a, b in credited if rows[a] > 1 or columns[b] > 1]
        left, right = min(loose, key=lambda both: (-credited[both], both))
        kept = frozenset((a, b) for a, b in credited if (a == left) == (b == right))
        self._relate(Related(set(credited) - {(left, right)}), case.sums)
        self._relate(Related(kept), case.sums)

    def _rivals(
        self, sums: tuple[UpperBounds, ...]
    ) -> tuple[Pairing, set[Pairing]] | None:
        """Two members that promise most among those with rivals, and the rivals."""
        chosen = [
            (-cells[cell].cap, k, cell)
            for k, (match, cells) in enumerate(zip(self._sums, sums, strict=False))
            for cell in pick(_caps(cells), match.order)
        ]
        for _, k, cell in sorted(chosen):
            self._scope.spend(len(sums[k]) // 4)
            match = self._sums[k]
            excluded = {(k, rival) for rival in sums[k] if _exclude(match, cell, rival)}
            if excluded:
                return (k, cell), excluded
        return None

    def _relate(self, related: Related, before: tuple[UpperBounds, ...] | None) -> None:
        """Enter a case in which other variables may correspond than before."""
        self.request = self.request._replace(pair=self.pair.under(related))
        if not self._sums:
            self._enter(())
            return
        sums = []
        for k, match in enumerate(self._sums):
            member = member_bounds(match, self.request, self._scope).get((0, 0), {})
            if before is not None:
                member = {cell: m for cell, m in member.items() if cell in before[k]}
            sums.append(member)
        self._enter(tuple(sums))

    def _enter(self, sums: tuple[UpperBounds, ...]) -> None:
        """Bound a case, try the maps that it suggests, keep it if it promises more."""
        most = self._bound(sums)
        if most is None:
            return
        self._scope.spend(3 * len(most.credits))
        limit, mapped = assign(most)
        bound = min(limit, most.cap)
        left = frozenset(most.credits)
        if not self.best.beaten_by(bound):
            return
        if is_map(left):
            # Nothing is open: it is what all of them together earn.
            self.best.offer(left)
            return
        self.best.offer(mapped)
        self.best.offer(most.hint)
        if most.terms and (whole := _as_integers(most.terms)):
            # The best map for what is matched where each earns most.
            self.best.offer(self._solve_alone(whole[0]).hint)
        sums = self._prune(sums)
        if self.best.beaten_by(bound):
            bound = min(bound, self._jointly(sums))
        if self.best.beaten_by(bound):
            self._number -= 1
            case = _Case(-bound, self._number, sums, most)
            heapq.heappush(self._open, case)

    def _bound(self, sums: tuple[UpperBounds, ...]) -> UpperBound | None:
        if not self._sums:
            return mosts(self.operand, self.request, self._scope).get((0, 0))
        result = [
            bound_matching(match, self._scope, cells)
            for match, cells in zip(self._sums, sums, strict=True)
            if cells
        ]
        return add_bounds(result) if result else None

    def _prune(self, sums: tuple[UpperBounds, ...]) -> tuple[UpperBounds, ...]:
        """Without members of which no matching earns more than is known."""
        caps = [_caps(cells) for cells in sums]
        most = [_sum(*both) for both in zip(self._sums, caps, strict=False)]
        result = []
        for k, cells in enumerate(sums):
            match = self._sums[k]
            if match.order is None and len(cells) > FEW:
                result.append(cells)
                continue
            rest = sum_exactly([*most[:k], *most[k + 1 :]])
            through = self._through(match, caps[k])
            result.append(
                {
                    cell: upper_bound
                    for cell, upper_bound in cells.items()
                    if self.best.beaten_by(sum_exactly([rest, through[cell]]))
                }
            )
        return tuple(result)

    def _through(self, match: Match, caps: Sparse) -> Sparse:
        """Return, for each pair of members, an upper bound on matchings with it."""
        if match.order is not None:
            self._scope.spend(len(caps))
            return through(caps)
        self._scope.spend(len(caps) ** 2 // 4)
        return {
            cell: sum_exactly([cap, _sum(match, _caps_beside(match, caps, cell))])
            for cell, cap in caps.items()
        }

    def _jointly(self, sums: tuple[UpperBounds, ...]) -> Number:
        """Return the upper bound of all possible members, even incompatible ones."""
        every = [most for cells in sums for most in cells.values()]
        caps = sum_exactly(most.cap for most in every)
        terms = merge_terms(most.terms for most in every)
        if not terms or not all(most.complete for most in every):
            return caps
        if len(every) > _useful(sums) and self._rivals(sums):
            return caps
        whole = _as_integers(terms)
        if whole is None:
            return caps
        numbers, unit = whole
        result = self._solve_alone(numbers)
        self.best.offer(result.hint)
        return min(caps, result.bound / unit)

    def _solve_alone(self, terms: Terms) -> Solution:
        left = max(1, self.pair.budget.steps - self.steps)
        budget = Budget(min(JOINT, left), self.pair.budget.seconds)
        return best_alone(self._scope, terms, budget)


def _useful(sums: tuple[UpperBounds, ...]) -> float:
    """Return the number of members beyond which their joint bound is useless."""
    return 1 + 1.5 * sum(
        min(len({p for p, _ in cells}), len({q for _, q in cells})) for cells in sums
    )


def _caps(cells: UpperBounds) -> Sparse:
    return {cell: most.cap for cell, most in cells.items()}


def _sum(match: Match, caps: Sparse) -> Number:
    return sum_exactly(caps[cell] for cell in pick(caps, match.order)) if caps else 0


def _caps_beside(match: Match, caps: Sparse, cell: Cell) -> Sparse:
    return {
        key: number
        for key, number in caps.items()
        if key != cell and not _exclude(match, cell, key)
    }


def _exclude(match: Match, left: Cell, right: Cell) -> bool:
    """Return true if only one of two pairs of members can be matched."""
    if left == right:
        return False
    if left[0] == right[0] or left[1] == right[1]:
        return True
    return match.order is not None and (left[0] < right[0]) != (left[1] < right[1])


def _without(
    sums: tuple[UpperBounds, ...], taken: set[Pairing]
) -> tuple[UpperBounds, ...]:
    return tuple(
        {cell: most for cell, most in cells.items() if (k, cell) not in taken}
        for k, cells in enumerate(sums)
    )


def _as_integers(terms: Terms) -> tuple[Terms, int] | None:
    """Amounts as whole numbers, never less, and how many of them are 1."""
    total = sum_exactly(terms.values())
    if all(isinstance(number, int) for number in terms.values()):
        return terms, 1
    unit = 2 ** int(math.log2(EXACT / 1024 / (total + 1)))
    if unit < len(terms):
        return None
    return {needs: math.ceil(unit * n) for needs, n in terms.items()}, unit


DEPTH = 4
"""Maximum depth in edges."""


def by_surroundings(
    gold: Graph, system: Graph, gold_variables: Elements, system_variables: Elements
) -> list[tuple[Element, Element]]:
    """A one-to-one map of variables by what is said of them.

    Args:
        gold: the gold graph.
        system: the system's.
        gold_variables: gold variables, nodes by position.
        system_variables: the system's.

    Returns:
        As many pairs as the fewer of both have.

    Example:
        >>> from graphscore.model.graph import Edge, Node
        >>> gold = Graph("1", "x", nodes=(Node(0), Node(1)), edges=(Edge(0, 1, "a"),))
        >>> system = Graph("1", "x", nodes=(Node(0), Node(1)), edges=(Edge(1, 0, "a"),))
        >>> by_surroundings(gold, system, [0, 1], [0, 1])
        [(0, 1), (1, 0)]
    """
    left, right = _colours(gold, gold_variables), _colours(system, system_variables)
    elements: list[tuple[Element, Element]] = []
    ones, others = list(gold_variables), list(system_variables)
    for gold_colours, system_colours in zip(left[::-1], right[::-1], strict=True):
        waiting: dict[Hashable, list[Element]] = {}
        for second in reversed(others):
            waiting.setdefault(system_colours[second], []).append(second)
        taken = []
        for first in ones:
            if same := waiting.get(gold_colours[first]):
                taken.append((first, same.pop()))
        elements += taken
        known = {variable for variable, _ in taken}
        ones = [variable for variable in ones if variable not in known]
        gone = {second_variable for _, second_variable in taken}
        others = [
            second_variable for second_variable in others if second_variable not in gone
        ]
    return elements


def _colours(graph: Graph, variables: Elements) -> list[list[int]]:
    """Return the color of each node, at every depth from 0 on."""
    ordinals, hidden = graph.ordinals(), set(variables)
    around: list[list[tuple[str, str, int]]] = [[] for _ in graph.nodes]
    for edge in graph.edges:
        source, target = ordinals[edge.source], ordinals[edge.target]
        around[source].append(("out", str(edge.label), target))
        around[target].append(("in", str(edge.label), source))
    colours = [
        _number(None if index in hidden else (node.label, node.properties))
        for index, node in enumerate(graph.nodes)
    ]
    result = [colours]
    for _ in range(DEPTH):
        last = result[-1]
        result.append(
            [
                _number(
                    (last[k], sorted((way, str(x), last[to]) for way, x, to in edges))
                )
                for k, edges in enumerate(around)
            ]
        )
    return result


def _number(seen: object) -> int:
    """The same number for what is written alike, in every process."""
    return int.from_bytes(blake2b(repr(seen).encode(), digest_size=8).digest(), "big")
