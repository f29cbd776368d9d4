"""Maps that are evident: the first bound of the search, without building its problem.

The search bounds every map by an assignment in which each pair of nodes has a value:
what it earns, and half of what its edges could earn, credited once a node at their
other ends (:mod:`graphscore.correspondence`).  Most pairs of graphs that people
compare are alike enough that every gold node has one system node whose value is above
that of all others, no two have the same, and what this map earns is the bound.  The
assignment is then unique, so that it is the map that the search returns, after one
relaxation.  So it is where a node has several best ones, and the others choose all but
one of them; and the same holds of system nodes that choose among gold nodes.

Here that is shown node by node, on dictionaries.  A pair whose edges are all found is
credited with all of them, and what others are worth at most follows from how many
facts they share; only where this does not decide are values worked out.  Where
anything is in doubt the search decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cached_property
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
    rows = Rows(_Side(gold), _Side(system), ordered)
    if rows.decide():
        cells = [(i, j) for i, j in enumerate(rows.target) if j >= 0]
    else:
        if rows.hopeless:
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
            Counter(edge[2] for edge in side.edge_numbers) for side in (gold, system)
        )
        pairs = sum(count * right[label] for label, count in left.items())
    steps = relaxation_steps(pairs, gold.size, system.size)
    method = CHAIN if ordered else ASSIGNMENT
    return Correspondence(tuple(cells), rows.score, rows.score, True, steps, method)


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
    """

    def __init__(self, graph: GraphFacts) -> None:
        self.said, self.numbers = graph.said, graph.edge_numbers
        self.attributes = graph.attributes
        self._around: dict[int, dict[tuple[Any, bool], list[tuple[int, int]]]] = {}

    @cached_property
    def degrees(self) -> list[int]:
        """Upper bound on the weight of each node's edges."""
        attributes, result = self.attributes, [0] * len(self.said)
        for (source, target, _), number in self.numbers.items():
            if source != target:
                worth = 1 + len(attributes[number]) if number in attributes else 1
                result[source] += worth
                result[target] += worth
        return result

    @cached_property
    def loops(self) -> bool:
        """True if an edge leads from a node to itself."""
        return any(source == target for source, target, _ in self.numbers)

    @cached_property
    def _incident(self) -> list[list[tuple[Any, bool, int, int]]]:
        """For each node its edges: label, direction, other end and number."""
        result: list[list[tuple[Any, bool, int, int]]] = [[] for _ in self.said]
        for (source, target, label), number in self.numbers.items():
            if source != target:
                result[source].append((label, True, target, number))
                result[target].append((label, False, source, number))
        return result

    def around(self, node: int) -> dict[tuple[Any, bool], list[tuple[int, int]]]:
        """The edges of a node by label and direction: other ends and numbers."""
        result = self._around.get(node)
        if result is None:
            result = self._around[node] = {}
            for label, outward, end, number in self._incident[node]:
                result.setdefault((label, outward), []).append((end, number))
        return result


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
        self.target = [-1] * len(left.said)
        self.score = 0
        self.hopeless = False

    def decide(self) -> bool:
        """Choose; true if every choice is the only best that is left to a node."""
        leaning = self._lean()
        if leaning is None:
            return False
        earned, others, undecided = leaning
        left, right = self.mine.degrees, self.theirs.degrees
        if self.mine.loops and self.theirs.loops:
            # They reward a pair of nodes, which facts say nothing of.
            self.hopeless = True
            return False
        if undecided and not self._decide_rest(undecided):
            return False
        target = self.target
        chosen = [choice for choice in target if choice >= 0]
        if len(set(chosen)) < len(chosen) or (
            self.ordered and chosen != sorted(chosen)
        ):
            return False
        near, matched = self._matched()
        self.score = sum(earned) + matched
        room = SCALE // HALF
        for node, chosen_node in enumerate(target):
            credit = near[node]
            if chosen_node >= 0 and credit < left[node] and credit < right[chosen_node]:
                near[node] = self._credit(node, chosen_node)
                room -= near[node] - credit
                if room <= 0:
                    # The bound stays above what this map earns.
                    self.hopeless = True
                    return False
        for node, chosen_node in enumerate(target):
            value = earned[node] * SCALE + near[node] * HALF
            if (
                chosen_node >= 0
                and others[node] * SCALE + left[node] * HALF >= value
                and not self._strict(node, chosen_node, value)
            ):
                return False
        return True

    def _lean(self) -> tuple[list[int], list[int], list[int]] | None:
        """Choose by what only one node says as well, or by how much is shared.

        Returns:
            For each node what its choice earns by itself, and how many facts any other
            could share; and the nodes that have no such choice.  ``None`` where
            these are many.
        """
        size = len(self.target)
        room = 1 + size // 4
        if self.mine.said.count({}) > room:
            # As in frameworks whose inner nodes say nothing.
            self.hopeless = True
            return None
        target, holders = self.target, self._holders
        earned, others = [0] * size, [0] * size
        undecided = []
        for node, facts in enumerate(self.mine.said):
            choice, alone, shared = -1, 0, 0
            for key in facts:
                holder = holders.get(key)
                if holder is None:
                    continue
                if len(holder) > 1:
                    shared += 1
                    continue
                alone += 1
                if choice < 0:
                    choice = holder[0]
                elif choice != holder[0]:
                    choice = -1
                    break
            if choice < 0:
                choice, earned[node], others[node] = self._most_shared(node)
                if choice >= 0:
                    target[node] = choice
                    continue
                undecided.append(node)
                if len(undecided) > room:
                    self.hopeless = True
                    return None
                continue
            target[node], others[node] = choice, shared
            if shared:
                chosen_facts = self.theirs.said[choice]
                alone = sum([key in chosen_facts for key in facts])
            earned[node] = alone
        self._earned, self._others = earned, others
        return earned, others, undecided

    @cached_property
    def _holders(self) -> dict[Any, list[int]]:
        """The nodes of the other side that say each fact."""
        holders: dict[Any, list[int]] = {}
        for node, facts in enumerate(self.theirs.said):
            for key in facts:
                if key in holders:
                    holders[key].append(node)
                else:
                    holders[key] = [node]
        return holders

    def _shared(self, node: int) -> dict[int, int]:
        """Count the facts that each node of the other side shares with a node."""
        counts: dict[int, int] = {}
        holders = self._holders
        for key in self.mine.said[node]:
            for candidate in holders.get(key, ()):
                counts[candidate] = counts.get(candidate, 0) + 1
        return counts

    def _most_shared(self, node: int) -> tuple[int, int, int]:
        """The only node that shares most with one, what, and what the next shares."""
        choice, most, second = -1, 0, 0
        for key, count in self._shared(node).items():
            if count > most:
                choice, most, second = key, count, most
            elif count > second:
                second = count
        return (-1, 0, 0) if most == second else (choice, most, second)

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
        self._others[node] = -self.mine.degrees[node] - 1

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
        target = self.target
        near = [0] * len(target)
        total = 0
        numbers = self.theirs.numbers
        attributes, others = self.mine.attributes, self.theirs.attributes
        for (source, end, label), number in self.mine.numbers.items():
            counterpart = numbers.get((target[source], target[end], label))
            if counterpart is None:
                continue
            worth = 1
            if attributes and others and number in attributes and counterpart in others:
                worth += len(attributes[number].keys() & others[counterpart].keys())
            total += worth
            if source != end:
                near[source] += worth
                near[end] += worth
        return near, total

    def _credit(self, node: int, candidate: int) -> int:
        """Return an upper bound on the edge weight of two nodes, half of each edge."""
        left, right = self.mine.around(node), self.theirs.around(candidate)
        attributes, others = self.mine.attributes, self.theirs.attributes
        joint: dict[tuple[int, int], int] = {}
        for way, ends in left.items():
            for end, number in ends:
                for opposite, name in right.get(way, ()):
                    if self.ordered and (node < end) != (candidate < opposite):
                        continue
                    worth = 1
                    if (
                        attributes
                        and others
                        and number in attributes
                        and name in others
                    ):
                        worth += len(attributes[number].keys() & others[name].keys())
                    cell = end, opposite
                    joint[cell] = joint.get(cell, 0) + worth
        first: dict[int, int] = {}
        second: dict[int, int] = {}
        for (end, opposite), worth in joint.items():
            if worth > first.get(end, 0):
                first[end] = worth
            if worth > second.get(opposite, 0):
                second[opposite] = worth
        return min(sum(first.values()), sum(second.values()))
