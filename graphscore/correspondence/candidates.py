"""Candidates and couplings: the problem in the form in which it is searched.

A *candidate* is a pair (gold object, system object) that could earn something.
A *coupling* joins two candidates that earn a weight together.  All link pairs
with the same four ends, in either direction, are one coupling.  Both lists
shrink as the search proves candidates useless; what is left falls apart into
components of the candidate graph, which are solved one by one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from graphscore.correspondence.problem import Booleans, Integers, Problem

Cells = tuple[tuple[int, int], ...]
"""A map as (gold object, system object) pairs, by gold object."""


class Candidates(NamedTuple):
    """Live candidates and the couplings between them.

    Candidates are sorted by gold, then system object.  ``first`` and ``second``
    are positions in the candidate arrays.
    """

    gold_objects: Integers
    """The gold objects at stake; ``gold`` numbers them from 0."""
    system_objects: Integers
    """The system objects at stake; ``system`` numbers them from 0."""
    gold: Integers
    """Row of each candidate: a position in ``gold_objects``."""
    system: Integers
    """Column of each candidate: a position in ``system_objects``."""
    reward: Integers
    """Reward of each candidate by itself."""
    first: Integers
    """One end of each coupling."""
    second: Integers
    """The other end of each coupling."""
    weight: Integers
    """Weight of each coupling."""
    ordered: bool

    @property
    def rows(self) -> int:
        """Number of gold objects at stake."""
        return len(self.gold_objects)

    @property
    def columns(self) -> int:
        """Number of system objects at stake."""
        return len(self.system_objects)

    def cells(self, chosen: Integers) -> Cells:
        """The (gold, system) objects of the *chosen* candidates, by gold object."""
        chosen = np.sort(chosen)
        return tuple(
            zip(
                self.gold_objects[self.gold[chosen]].tolist(),
                self.system_objects[self.system[chosen]].tolist(),
                strict=True,
            )
        )

    def locate(self, cells: Cells) -> Integers:
        """The candidates that stand for *cells*, where they are live."""
        requested = set(cells)
        gold = self.gold_objects[self.gold].tolist()
        system = self.system_objects[self.system].tolist()
        result = [
            k
            for k, cell in enumerate(zip(gold, system, strict=True))
            if cell in requested
        ]
        return np.array(result, dtype=np.int64)

    def compact(self) -> Candidates:
        """The same candidates over only those objects that they mention."""
        rows, gold = np.unique(self.gold, return_inverse=True)
        columns, system = np.unique(self.system, return_inverse=True)
        return self._replace(
            gold_objects=self.gold_objects[rows],
            system_objects=self.system_objects[columns],
            gold=gold,
            system=system,
        )

    def keep(self, alive: Booleans) -> Candidates:
        """The candidates of *alive* and the couplings with both ends in it."""
        position = alive.cumsum() - 1
        live = alive[self.first] & alive[self.second]
        return Candidates(
            self.gold_objects,
            self.system_objects,
            self.gold[alive],
            self.system[alive],
            self.reward[alive],
            position[self.first[live]],
            position[self.second[live]],
            self.weight[live],
            self.ordered,
        )

    def decided(self, taken: int) -> tuple[Candidates, Booleans]:
        """Return the problem that remains once one candidate is in the mapping.

        Args:
            taken: the candidate.

        Returns:
            The candidates that it leaves possible, with what they earn together with
            it as reward, and which of these candidates they are.
        """
        gold, system = self.gold[taken], self.system[taken]
        reward = self.reward.copy()
        for owner, partner in ((self.first, self.second), (self.second, self.first)):
            touching = owner == taken
            np.add.at(reward, partner[touching], self.weight[touching])
        alive = (self.gold != gold) & (self.system != system)
        if self.ordered:
            alive &= (self.gold < gold) == (self.system < system)
        return self._replace(reward=reward).keep(alive), alive


def changes(numbers: Integers) -> Booleans:
    """Mark the numbers that differ from the one before.

    >>> changes(np.array([3, 3, 5])).tolist()
    [True, False, True]
    """
    fresh = np.empty(len(numbers), dtype=np.bool_)
    fresh[:1] = True
    np.not_equal(numbers[1:], numbers[:-1], out=fresh[1:])
    return fresh


def find_candidates(problem: Problem) -> Candidates:
    """All candidates of *problem*, with equal couplings merged.

    In an ordered problem couplings whose ends cross are dropped at once.
    """
    rows, columns = problem.shape
    links = problem.links
    left = links.gold_source * columns + links.system_source
    right = links.gold_target * columns + links.system_target
    proper = (links.gold_source != links.gold_target) & (
        links.system_source != links.system_target
    )
    if problem.ordered:
        proper &= (links.gold_source < links.gold_target) == (
            links.system_source < links.system_target
        )
    weight = links.weight
    if not proper.all():
        left, right, weight = left[proper], right[proper], weight[proper]
    low, high = np.minimum(left, right), np.maximum(left, right)
    area = rows * columns
    key = low * area + high
    order = key.argsort(kind="stable")
    low, high, weight = low[order], high[order], weight[order]
    starts = changes(key[order]).nonzero()[0]
    if len(starts) < len(low):
        low, high = low[starts], high[starts]
        weight = np.add.reduceat(weight, starts)
    flat = problem.reward.ravel()
    useful = flat > 0
    useful[low] = True
    useful[high] = True
    cells = useful.nonzero()[0]
    position = useful.cumsum() - 1
    gold = cells // columns
    system = cells - gold * columns
    return Candidates(
        np.arange(rows),
        np.arange(columns),
        gold,
        system,
        flat[cells],
        position[low],
        position[high],
        weight,
        problem.ordered,
    )


def components(candidates: Candidates) -> list[Booleans]:
    """Masks of the independent parts of the candidates.

    Two candidates belong together when they compete for an object or earn
    something together; in an ordered problem all candidates belong together
    that can cross.  The candidate graph is a rustworkx graph over the objects
    of both sides.

    Returns:
        One mask over the candidates per component, in order of first gold object.
    """
    import rustworkx as rx

    rows = candidates.rows
    graph = rx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(rows + candidates.columns))
    graph.extend_from_edge_list(
        list(
            zip(
                candidates.gold.tolist(),
                (candidates.system + rows).tolist(),
                strict=True,
            )
        )
    )
    graph.extend_from_edge_list(
        list(
            zip(
                candidates.gold[candidates.first].tolist(),
                candidates.gold[candidates.second].tolist(),
                strict=True,
            )
        )
    )
    label = np.empty(rows + candidates.columns, dtype=np.int64)
    for number, members in enumerate(rx.connected_components(graph)):
        label[list(members)] = number
    group = label[candidates.gold]
    if candidates.ordered:
        group = _merge_crossing(candidates, group)
    _, first = np.unique(group, return_index=True)
    return [group == group[position] for position in np.sort(first)]


def _merge_crossing(candidates: Candidates, label: Integers) -> Integers:
    """Join components whose candidates can cross one another.

    Sorted by gold object, the list can be cut only where everything before
    lies strictly before everything after, on both sides.
    """
    import rustworkx as rx

    if not len(label):
        return label
    gold, system = candidates.gold, candidates.system
    highest = np.maximum.accumulate(system)
    lowest = np.minimum.accumulate(system[::-1])[::-1]
    cut = np.zeros(len(gold), dtype=np.bool_)
    cut[1:] = (gold[1:] > gold[:-1]) & (lowest[1:] > highest[:-1])
    section = np.cumsum(cut)
    graph = rx.PyGraph()
    graph.add_nodes_from(range(int(section[-1]) + 1))
    links: dict[int, int] = {}
    edges = []
    for part, component in zip(section.tolist(), label.tolist(), strict=True):
        if component in links:
            edges.append((links[component], part))
        else:
            links[component] = part
    graph.extend_from_edge_list(edges)
    merged = np.empty(int(section[-1]) + 1, dtype=np.int64)
    for number, members in enumerate(rx.connected_components(graph)):
        merged[list(members)] = number
    return merged[section]
