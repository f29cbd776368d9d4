"""Candidates and couplings: the problem in the form in which it is searched.

A *candidate* is a pair (gold object, system object) that could earn something.
A *coupling* joins two candidates that earn a weight together.  All link pairs
with the same four ends, in either direction, are one coupling.  Both lists
shrink as the search proves candidates useless; what is left falls apart into
components of the candidate graph, which are solved one by one.

Small problems take as long as the calls that they make, so that many of them stand in
the same arrays, side by side: nothing of one competes with anything of another.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from graphscore.correspondence.problem import Booleans, Integers, Problem

Cells = tuple[tuple[int, int], ...]
"""A map as (gold object, system object) pairs, by gold object."""


class Grid(NamedTuple):
    """Tables of the objects of problems that stand side by side, as one array."""

    shapes: Sequence[tuple[int, int]]
    """Gold and system objects of each problem."""
    rows: Sequence[int]
    """Where the gold objects of each problem begin, and where all end."""
    columns: Sequence[int]
    """Likewise of the system objects."""
    cells: Sequence[int]
    """Likewise of the tables."""
    start: Integers
    """Where the row of each gold object begins."""
    place: Integers
    """Where it would begin if its first system object were 0."""
    problem: Integers
    """The problem of each gold object."""

    @classmethod
    def of(cls, shapes: Sequence[tuple[int, int]]) -> Grid:
        """Lay out tables of these shapes."""
        rows = [0, *accumulate(size for size, _ in shapes)]
        columns = [0, *accumulate(width for _, width in shapes)]
        cells = [0, *accumulate(size * width for size, width in shapes)]
        starts = np.concatenate(
            [
                np.arange(begin, end, width) if width else np.full(size, begin)
                for (size, width), begin, end in zip(
                    shapes, cells, cells[1:], strict=False
                )
            ]
        )
        if len(shapes) == 1:
            none = np.zeros(len(starts), dtype=np.int64)
            return cls(shapes, rows, columns, cells, starts, starts, none)
        problem = np.repeat(np.arange(len(shapes)), [size for size, _ in shapes])
        places = starts - np.array(columns)[problem]
        return cls(shapes, rows, columns, cells, starts, places, problem)


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
    grid: Grid
    """The tables of gold and system objects: one, or as many as there are problems."""

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
            grid=Grid.of([(len(rows), len(columns))]),
        )

    def alone(self, number: int) -> Candidates:
        """The candidates of one of the problems that stand side by side.

        Args:
            number: of the problem.
        """
        grid = self.grid
        if len(grid.shapes) == 1:
            return self
        rows = slice(*grid.rows[number : number + 2])
        columns = slice(*grid.columns[number : number + 2])
        own = self.keep(grid.problem[self.gold] == number)
        return own._replace(
            gold_objects=self.gold_objects[rows],
            system_objects=self.system_objects[columns],
            gold=own.gold - rows.start,
            system=own.system - columns.start,
            grid=Grid.of([grid.shapes[number]]),
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
            self.grid,
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


def find_candidates(problems: Sequence[Problem]) -> Candidates:
    """All candidates of problems side by side, with equal couplings merged.

    In ordered problems couplings whose ends cross are dropped at once.

    Args:
        problems: at least one; all of them ordered, or none.
    """
    grid = Grid.of([problem.shape for problem in problems])
    sizes = [len(problem.links.weight) for problem in problems]
    gold_source, gold_target, system_source, system_target, weight = (
        np.concatenate(column)
        for column in zip(*(problem.links for problem in problems), strict=True)
    )
    proper = (gold_source != gold_target) & (system_source != system_target)
    ordered = problems[0].ordered
    if ordered:
        proper &= (gold_source < gold_target) == (system_source < system_target)
    first = np.repeat(grid.rows[:-1], sizes)
    second = np.repeat(grid.columns[:-1], sizes)
    left = grid.place[gold_source + first] + system_source + second
    right = grid.place[gold_target + first] + system_target + second
    if not proper.all():
        left, right, weight = left[proper], right[proper], weight[proper]
    low, high = np.minimum(left, right), np.maximum(left, right)
    key = low * grid.cells[-1] + high
    order = key.argsort(kind="stable")
    low, high, weight = low[order], high[order], weight[order]
    starts = changes(key[order]).nonzero()[0]
    if len(starts) < len(low):
        low, high = low[starts], high[starts]
        weight = np.add.reduceat(weight, starts)
    flat = np.concatenate([problem.reward.ravel() for problem in problems])
    useful = flat > 0
    useful[low] = True
    useful[high] = True
    cells = useful.nonzero()[0]
    position = useful.cumsum() - 1
    gold = grid.start.searchsorted(cells, side="right") - 1
    return Candidates(
        np.concatenate([np.arange(rows) for rows, _ in grid.shapes]),
        np.concatenate([np.arange(columns) for _, columns in grid.shapes]),
        gold,
        cells - grid.place[gold],
        flat[cells],
        position[low],
        position[high],
        weight,
        ordered,
        grid,
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
