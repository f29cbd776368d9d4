"""The first rounds of the search, compiled (extra ``[fast]``).

On small graphs the time goes into calling numpy, not into numpy.  This is the
same algorithm as :class:`~graphscore.correspondence.tightening.Tightening`, step for
step on the same integers, in one compiled function: same map, same bound, same
number of steps.  Where it does not close within its rounds, nothing is kept and
the plain search starts from scratch.

Loading the compiler takes about a second, so it is only done once a process has
solved :data:`WORTHWHILE` problems; since results are identical, nobody sees
when.  ``GRAPHSCORE_FAST=0`` keeps it away, ``GRAPHSCORE_FAST=1`` loads it at once.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

from graphscore.correspondence.candidates import Cells
from graphscore.correspondence.problem import Problem

WORTHWHILE = 2000
"""Problems after which the compiled search is loaded."""


class Quick(NamedTuple):
    """What the compiled rounds found, when they closed."""

    score: int
    maps: list[Cells]
    """The best maps met, in the order in which they were met."""
    rounds: int
    steps: int


class Accelerator:
    """Decides when the compiled rounds are used, and runs them."""

    def __init__(self) -> None:
        self._solved = 0
        self._close: Callable[..., Any] | None = None
        wish = os.environ.get("GRAPHSCORE_FAST", "")
        self._possible = wish != "0" and find_spec("numba") is not None
        self._after = 0 if wish == "1" else WORTHWHILE

    def use(self, wanted: bool) -> bool:
        """Switch the compiled rounds on at once, or off; true if that worked."""
        self._possible = wanted and find_spec("numba") is not None
        self._after = 0 if wanted else WORTHWHILE
        return self._possible == wanted

    @property
    def loaded(self) -> bool:
        """Whether the compiled rounds are what problems are solved with."""
        return self._possible and self._close is not None

    def close(self, problem: Problem, limit: int, rounds: int) -> Quick | None:
        """Run the first rounds, if compiled ones are to be had.

        Args:
            problem: what is solved.
            limit: steps that may be spent.
            rounds: relaxations at most.

        Returns:
            The proven outcome, or ``None`` where the plain search must do it.
        """
        if not self._possible:
            return None
        if self._close is None:
            self._solved += 1
            if self._solved <= self._after:
                return None
            from graphscore.correspondence import kernel

            compiled: Any = kernel.close
            self._close = compiled
        links = problem.links
        closed, score, done, steps, count, maps = self._close(
            *map(np.ascontiguousarray, (problem.reward, *links)),
            problem.ordered,
            limit,
            rounds,
        )
        if not closed:
            return None
        cells = [
            tuple((i, j) for i, j in enumerate(row) if j >= 0)
            for row in maps[:count].tolist()
        ]
        return Quick(int(score), cells, int(done), int(steps))


accelerator = Accelerator()
"""The process's own; it holds no results, only whether the code is loaded."""
