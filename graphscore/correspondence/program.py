"""Branching: the integer program for what bound and pruning leave open.

One binary variable a candidate, one continuous variable a coupling.  For every
candidate and every object at the other end, the couplings that exclude each
other sum to at most the candidate: the groups of the relaxation again, so that
only node matches need be integer.  Ordered problems add clique cuts against
crossings.  HiGHS solves it through ``scipy.optimize.milp``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from graphscore.correspondence.candidates import Candidates
from graphscore.correspondence.problem import Integers
from graphscore.correspondence.relaxation import Relaxation


class Part(NamedTuple):
    """A linear part of the objective over candidates and couplings."""

    reward: Integers
    weight: Integers


class Answer(NamedTuple):
    """What the integer program found."""

    chosen: Integers | None
    """The best map's candidates, or ``None`` where none was found in time."""
    bound: float
    """No map of these candidates earns more."""
    nodes: int
    """Branching nodes used."""
    optimal: bool
    """Whether ``chosen`` is proven best."""


class Program:
    """The integer program of one set of candidates.

    Args:
        candidates: live candidates and couplings.
    """

    def __init__(self, candidates: Candidates) -> None:
        self.candidates = candidates
        c = candidates
        self.variables = len(c.gold) + len(c.weight)
        self._rows: list[npt.NDArray[np.int64]] = []
        self._columns: list[npt.NDArray[np.int64]] = []
        self._data: list[npt.NDArray[np.float64]] = []
        self._limits: list[npt.NDArray[np.float64]] = []
        self._height = 0
        every = np.arange(len(c.gold))
        self._add(c.gold, every, 1.0, np.ones(c.rows))
        self._add(c.system, every, 1.0, np.ones(c.columns))
        if len(c.weight):
            relaxation = Relaxation(c)
            for groups in (relaxation.by_gold, relaxation.by_system):
                number = np.repeat(
                    np.arange(len(groups.starts)),
                    np.diff(groups.starts, append=len(groups.order)),
                )
                coupling = len(c.gold) + groups.order % len(c.weight)
                numbers = np.arange(len(groups.starts))
                self._add(
                    np.concatenate((number, numbers)),
                    np.concatenate((coupling, groups.owner)),
                    np.concatenate((np.ones(len(number)), -np.ones(len(numbers)))),
                    np.zeros(len(numbers)),
                )
        if c.ordered:
            self._forbid_crossings()

    def _add(
        self,
        rows: Integers,
        columns: Integers,
        data: float | npt.NDArray[np.float64],
        limits: npt.NDArray[np.float64],
    ) -> None:
        """Add ``len(limits)`` rows: sum of data * variable <= limit."""
        self._rows.append(rows + self._height)
        self._columns.append(columns)
        self._data.append(
            np.broadcast_to(np.asarray(data, dtype=np.float64), rows.shape)
        )
        self._limits.append(limits)
        self._height += len(limits)

    def _forbid_crossings(self) -> None:
        """Of the candidates (i' >= i, j' <= j), at most one chain element crosses.

        For each candidate (i, j): it excludes every (i', j') with i' > i and
        j' < j; all (i'', j) with i'' <= i together with all (i', j') of one
        later row i' with j' < j form a clique.
        """
        c = self.candidates
        for row in range(c.rows - 1):
            here = np.flatnonzero(c.gold == row)
            for later in range(row + 1, c.rows):
                there = np.flatnonzero(c.gold == later)
                for column in np.unique(c.system[here]).tolist():
                    left = there[c.system[there] <= column]
                    right = here[c.system[here] >= column]
                    if len(left) and c.system[left].min() < column:
                        members = np.concatenate((left, right))
                        self._add(
                            np.zeros(len(members), dtype=np.int64),
                            members,
                            1.0,
                            np.ones(1),
                        )

    def maximise(
        self,
        part: Part,
        floors: Sequence[tuple[Part, int]] = (),
        nodes: int | None = None,
        seconds: float | None = None,
    ) -> Answer:
        """Maximise one part of the objective.

        Args:
            part: what is maximised.
            floors: other parts and what they must reach at least.
            nodes: limit on branching nodes.
            seconds: limit on time.

        Returns:
            The best map with its bound.
        """
        # scipy.optimize costs a third of a second to import: only when needed.
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import csr_array

        c = self.candidates
        rows, columns = list(self._rows), list(self._columns)
        data, limits = list(self._data), list(self._limits)
        every = np.arange(self.variables)
        for number, (floor, least) in enumerate(floors):
            rows.append(np.full(self.variables, self._height + number))
            columns.append(every)
            data.append(-np.concatenate((floor.reward, floor.weight)).astype(float))
            limits.append(np.array([-float(least)]))
        height = self._height + len(floors)
        matrix = csr_array(
            (np.concatenate(data), (np.concatenate(rows), np.concatenate(columns))),
            shape=(height, self.variables),
        )
        options: dict[str, Any] = {"mip_rel_gap": 0.0}
        if nodes is not None:
            options["node_limit"] = max(1, nodes)
        if seconds is not None:
            options["time_limit"] = max(0.01, seconds)
        integrality = np.zeros(self.variables, dtype=np.int64)
        integrality[: len(c.gold)] = 1
        solved = milp(
            -np.concatenate((part.reward, part.weight)).astype(float),
            integrality=integrality,
            bounds=Bounds(0.0, 1.0),
            constraints=LinearConstraint(matrix, -np.inf, np.concatenate(limits)),
            options=options,  # type: ignore[arg-type]
        )
        used = int(solved.mip_node_count or 0) + 1
        bound = np.inf
        if solved.mip_dual_bound is not None:
            bound = -float(solved.mip_dual_bound)
        if solved.x is None:
            return Answer(None, bound, used, False)
        chosen = np.flatnonzero(solved.x[: len(c.gold)] > 0.5)
        return Answer(chosen, bound, used, solved.status == 0)
