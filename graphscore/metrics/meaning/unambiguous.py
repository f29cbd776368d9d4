"""Maps that are evident: the first bound of the search, without building its problem.

The search bounds every map by an assignment in which each pair of nodes has a value:
what it earns, and half of what its edges could earn, credited once a node at their
other ends (:mod:`graphscore.correspondence`).  Most pairs of graphs that people
compare are alike enough that every gold node has one system node whose value is above
that of all others, no two have the same, and what this map earns is the bound.  The
assignment is then unique, so that it is the map that the search returns, after one
relaxation.  So it is where a node has several best ones, and the others choose all but
one of them; and the same holds of system nodes that choose among gold nodes.

Here that is shown node by node, on sets and dictionaries.  Nodes choose the only one
that says the same as they do, or else the one that shares most.  A pair whose edges are
all found is credited with all of them, and what others are worth at most follows from
how many facts they share; only where this does not decide are values worked out.  Where
anything is in doubt the search decides.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cached_property
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from graphscore.correspondence import Budget, Correspondence
from graphscore.correspondence.problem import (
    ASSIGNMENT,
    CHAIN,
    SCALE,
    relaxation_steps,
)

if TYPE_CHECKING:
    from graphscore.model.fact_arrays import GraphFacts

LARGEST = 300
"""Nodes of a side up to which it is tried."""

PAIRS = 1_000_000
"""Pairs of edges up to which it is tried."""

WORTHWHILE = 0.25
"""Share of evident maps below which trying costs more than it saves."""

SELDOM = 10
"""Interval at which a pair is tried while trying does not pay, in case that changes."""

HALF = SCALE // 2

_LABEL = itemgetter(2)
_NONE = frozenset[Any]()


def evident(
    gold: GraphFacts, system: GraphFacts, ordered: bool, budget: Budget
) -> Correspondence | None:
    """The best map, where the first bound proves it and no other reaches that.

    Args:
        gold: the gold graph.
        system: the system graph.
        ordered: whether maps must preserve the order of the nodes.
        budget: how much work may be spent.

    Returns:
        What the search would return, or ``None`` where that is not evident.
    """
    pairs = len(gold.edge_numbers) * len(system.edge_numbers)
    if budget.seconds is not None or budget.steps < 1 or pairs > PAIRS:
        return None
    if not (0 < gold.size <= LARGEST and 0 < system.size <= LARGEST):
        return None
    if _mostly_silent(gold):
        return None
    rows = Rows(_Side(gold), _Side(system), ordered)
    if rows.decide():
        cells = [(i, j) for i, j in enumerate(rows.target) if j >= 0]
    else:
        if rows.hopeless or _mostly_silent(system):
            return None
        rows = Rows(rows.theirs, rows.mine, ordered)
        if not rows.decide():
            return None
        cells = sorted((j, i) for i, j in enumerate(rows.target) if j >= 0)
    if not cells:
        return None
    if pairs >= 1000:
        # Fewer do not make a step.
        left, right = (
            Counter(map(_LABEL, side.edge_numbers)) for side in (gold, system)
        )
        pairs = sum(count * right[label] for label, count in left.items())
    steps = relaxation_steps(pairs, gold.size, system.size)
    method = CHAIN if ordered else ASSIGNMENT
    return Correspondence(tuple(cells), rows.score, rows.score, True, steps, method)


def _mostly_silent(graph: GraphFacts) -> bool:
    """Return true if many nodes say nothing, as inner ones of some frameworks do."""
    return graph.said.count({}) > 1 + graph.size // 4


class Yield:
    """Running estimate of whether the attempt pays: recent rate of unambiguous pairs.

    The search returns the same, so that this moves nothing but the time.
    """

    def __init__(self) -> None:
        self.share = 1.0
        self._passed = 0

    def pays(self) -> bool:
        """Return true if the next pair should be tried."""
        if self.share >= WORTHWHILE:
            return True
        self._passed += 1
        return self._passed % SELDOM == 0

    def note(self, success: bool) -> None:
        """Take in how a pair that was tried came out."""
        self.share += (success - self.share) / 30


_of_late = Yield()


def evident_where_it_pays(
    gold: GraphFacts, system: GraphFacts, ordered: bool, budget: Budget
) -> Correspondence | None:
    """Call :func:`evident`, unless the search itself is likely to be quicker.

    Args:
        gold: the gold graph.
        system: the system graph.
        ordered: whether maps must preserve the order of the nodes.
        budget: how much work may be spent.

    Returns:
        What the search would return, or ``None`` where that is not evident or was not
        asked.
    """
    if not _of_late.pays():
        return None
    result = evident(gold, system, ordered, budget)
    _of_late.note(result is not None)
    return result


class _Side:
    """One side, with what its edges are worth.

    Args:
        graph: the graph.

    Attributes:
        incident: for each node its edges: label, direction, other end and number.
        degrees: upper bound on the weight of each node's edges.
        loops: whether an edge leads from a node to itself.
    """

    def __init__(self, graph: GraphFacts) -> None:
        self.said, self.numbers = graph.said, graph.edge_numbers
        self.attributes = graph.attributes
        self.incident: list[list[tuple[Any, bool, int, int]]] = []
        self.degrees: list[int] = []
        self.loops = False

    def note_edges(self) -> None:
        """Note the edges of each node, unless that is done."""
        if self.incident:
            return
        attributes, incident = self.attributes, self.incident
        incident += [[] for _ in self.said]
        for (source, target, label), number in self.numbers.items():
            if source == target:
                self.loops = True
            else:
                incident[source].append((label, True, target, number))
                incident[target].append((label, False, source, number))
        self.degrees = [*map(len, incident)]
        if attributes:
            for node, edges in enumerate(incident):
                counts = [len(attributes.get(number, ())) for *_, number in edges]
                self.degrees[node] += sum(counts)


class Rows:
    """For each node of one side the node of the other whose value is highest.

    Args:
        mine: the side whose nodes choose.
        theirs: the other side.
        ordered: whether maps must preserve the order of the nodes.

    Attributes:
        target: the node that each chooses, or -1 where none has a value.
        score: what this map earns, and what its values round down to.
        hopeless: whether the other side need not choose either.
    """

    def __init__(self, left: _Side, right: _Side, ordered: bool) -> None:
        self.mine, self.theirs, self.ordered = left, right, ordered
        size = len(left.said)
        self.target, self._earned = [-1] * size, [0] * size
        self.score = 0
        self.hopeless = False
        self._weighed: set[int] = set()
        self._last: tuple[int, dict[Any, list[tuple[int, int]]]] = -1, {}

    def decide(self) -> bool:
        """Choose; true if every choice is the only best that is left to a node."""
        undecided = self._lean()
        if undecided is None:
            return False
        self.mine.note_edges()
        self.theirs.note_edges()
        if self.mine.loops and self.theirs.loops:
            # They reward a pair of nodes, which facts say nothing of.
            self.hopeless = True
            return False
        if undecided and not self._decide_rest(undecided):
            return False
        target, earned = self.target, self._earned
        chosen = [choice for choice in target if choice >= 0]
        if len(set(chosen)) < len(chosen) or (
            self.ordered and chosen != sorted(chosen)
        ):
            return False
        near, matched = self._matched()
        self.score = sum(earned) + matched
        degrees, room = self.theirs.degrees, SCALE // HALF
        for node, (credit, most) in enumerate(
            zip(near, self.mine.degrees, strict=True)
        ):
            choice = target[node]
            if credit == most or choice < 0:
                # No other shares as many facts, and edges earn no more than all.
                continue
            if credit < degrees[choice]:
                room += credit
                credit = self._credit(node, choice)
                room -= credit
                if room <= 0:
                    # The bound stays above what this map earns.
                    self.hopeless = True
                    return False
            value = earned[node] * SCALE + credit * HALF
            if (
                (earned[node] - 1) * SCALE + most * HALF >= value
                and node not in self._weighed
                and not self._strict(node, choice, value)
            ):
                return False
        return True

    def _lean(self) -> list[int] | None:
        """Choose the node that says the same, or else the one that shares most facts.

        Returns:
            The nodes that have no such choice, or not one alone; ``None`` where these
            are many.
        """
        target, earned = self.target, self._earned
        room = 1 + len(target) // 4
        wholes = [*map(frozenset, self.theirs.said)]
        twins = dict(zip(wholes, range(len(wholes)), strict=True))
        if len(twins) < len(wholes):
            counts = Counter(wholes)
            twins = {whole: twins[whole] for whole in twins if counts[whole] == 1}
        # Facts of nodes that say more, of which one could say all that another does.
        more = {
            size: _NONE.union(*[x for x in wholes if len(x) > size])
            for size in sorted(set(map(len, wholes)))[:-1]
        }
        undecided = []
        for node, whole in enumerate(map(frozenset, self.mine.said)):
            choice, most = twins.get(whole, -1), len(whole)
            if choice < 0 or whole <= more.get(most, _NONE):
                choice, most = self._most_shared(node)
                if choice < 0:
                    undecided.append(node)
                    if len(undecided) > room:
                        self.hopeless = True
                        return None
            target[node], earned[node] = choice, most
        return undecided

    @cached_property
    def _holders(self) -> dict[Any, list[int]]:
        """The nodes of the other side that say each fact."""
        holders = defaultdict[Any, list[int]](list)
        for node, facts in enumerate(self.theirs.said):
            for key in facts:
                holders[key].append(node)
        return holders

    def _shared(self, node: int) -> dict[int, int]:
        """Count the facts that each node of the other side shares with a node."""
        counts: dict[int, int] = {}
        holders = self._holders.get
        for key in self.mine.said[node]:
            for candidate in holders(key, ()):
                counts[candidate] = counts.get(candidate, 0) + 1
        return counts

    def _most_shared(self, node: int) -> tuple[int, int]:
        """The only node that shares most facts with one, or -1; and how many."""
        counts = self._shared(node)
        amounts = [*counts.values()]
        most = max(amounts, default=0)
        if amounts.count(most) != 1:
            return -1, 0
        return [*counts][amounts.index(most)], most

    def _decide_rest(self, undecided: list[int]) -> bool:
        """Choose by values; true if each has one best node that no other chooses.

        Where several are best for a node, and all but one of them are chosen by others,
        that one is left: these others are looked at in the end, and if each has nothing
        better or as good, no other map reaches what all have at best.
        """
        tied = {}
        for node in undecided:
            choices = self._weigh(node)
            if len(choices) > 1:
                tied[node] = choices
            elif choices:
                self._choose(node, choices[0])
        while tied:
            taken = set(self.target)
            free = {
                node: [choice for choice in choices if choice not in taken]
                for node, choices in tied.items()
            }
            node, choices = min(free.items(), key=lambda item: len(item[1]))
            if len(choices) != 1:
                # Without any, those of the other side may be in no doubt.
                self.hopeless = len(choices) > 1
                return False
            self._choose(node, choices[0])
            del tied[node]
        return True

    def _choose(self, node: int, choice: int) -> None:
        """Have a node choose one that is known to be best."""
        self.target[node] = choice
        self._earned[node] = self._shared(node).get(choice, 0)
        self._weighed.add(node)

    def _weigh(self, node: int) -> list[int]:
        """Return the nodes whose values are highest, the most promising first."""
        own, right = self.mine.degrees, self.theirs.degrees
        shared = self._shared(node)
        left = own[node]
        facts = max(shared.values(), default=0) * SCALE
        most = [
            (
                shared.get(candidate, 0) * SCALE + min(left, right[candidate]) * HALF,
                candidate,
            )
            for candidate in self._rivals(shared, left, facts)
        ]
        most.sort(reverse=True)
        best, choices = 0, list[int]()
        for bound, candidate in most:
            if bound < best or not bound:
                break
            credit = self._credit(node, candidate)
            value = shared.get(candidate, 0) * SCALE + credit * HALF
            if value > best:
                best, choices = value, [candidate]
            elif value == best and value:
                choices.append(candidate)
        return choices

    def _rivals(self, shared: dict[int, int], left: int, value: int) -> Iterable[int]:
        """Return the nodes of the other side that may reach a value.

        Args:
            shared: number of facts that each shares with a node.
            left: the weight of that node's edges.
            value: the value.
        """
        return shared if value > left * HALF else range(len(self.theirs.said))

    def _strict(self, node: int, choice: int, value: int) -> bool:
        """Return true if no other node reaches the value of the chosen one."""
        own, right = self.mine.degrees, self.theirs.degrees
        shared = self._shared(node)
        left = own[node]
        for candidate in self._rivals(shared, left, value):
            facts = shared.get(candidate, 0) * SCALE
            most = facts + min(left, right[candidate]) * HALF
            if candidate == choice or most < value:
                continue
            if facts + self._credit(node, candidate) * HALF >= value:
                return False
        return True

    def _matched(self) -> tuple[list[int], int]:
        """Return the weight of the mapping's edges: at each node, and in total."""
        target, numbers = self.target, self.theirs.numbers
        attributes, others = self.mine.attributes, self.theirs.attributes
        near = [*self.mine.degrees]
        total = len(self.mine.numbers) + sum(map(len, attributes.values()))
        for (source, end, label), number in self.mine.numbers.items():
            counterpart = numbers.get((target[source], target[end], label))
            if counterpart is not None and not attributes:
                continue
            own = attributes.get(number, {}).keys()
            if counterpart is None:
                lost = 1 + len(own)
            else:
                lost = len(own - others.get(counterpart, {}).keys())
            total -= lost
            if source != end:
                near[source] -= lost
                near[end] -= lost
        return near, total

    def _ways(self, node: int) -> dict[Any, list[tuple[int, int]]]:
        """Return the edges of a node by label and direction: other ends and numbers."""
        if self._last[0] != node:
            ways = defaultdict[Any, list[tuple[int, int]]](list)
            for label, outward, end, number in self.mine.incident[node]:
                ways[label, outward].append((end, number))
            self._last = node, ways
        return self._last[1]

    def _credit(self, node: int, candidate: int) -> int:
        """Return an upper bound on the edge weight of two nodes, half of each edge."""
        attributes, others = self.mine.attributes, self.theirs.attributes
        ways = self._ways(node)
        joint: dict[tuple[int, int], int] = {}
        for label, outward, opposite, name in self.theirs.incident[candidate]:
            for end, number in ways.get((label, outward), ()):
                if self.ordered and (node < end) != (candidate < opposite):
                    continue
                worth = 1
                if attributes and others and number in attributes and name in others:
                    worth += len(attributes[number].keys() & others[name].keys())
                cell = end, opposite
                joint[cell] = joint.get(cell, 0) + worth
        if len(joint) < 2:
            return sum(joint.values())
        first: dict[int, int] = {}
        second: dict[int, int] = {}
        for (end, opposite), worth in joint.items():
            if worth > first.get(end, 0):
                first[end] = worth
            if worth > second.get(opposite, 0):
                second[opposite] = worth
        return min(sum(first.values()), sum(second.values()))
