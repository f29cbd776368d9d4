"""Integer programs for what has no algorithm of its own (appendix A).

The solver is HiGHS, through scipy.  An answer is only proven if the solver says
that nothing better exists; what it could not close goes into the proof's gap.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphscore.similarity.view import Pair

SCALE = 1024.0
"""What the greatest amount is for the solver."""

ENTRIES = 3_000
"""Entries of the matrix up to which the first relaxation takes well under a second."""

ENTRIES_A_STEP = 20
"""What a branching node costs: a step for so many entries of the matrix."""

CERTAIN = 1e-9
"""How far the solver's bound may be above its answer and still prove it,
relative to the answer: it computes in floating point."""


def fits(entries: int) -> bool:
    """Whether a program is small enough for the solver to end soon.

    The solver cannot be asked to stop within its first relaxation, so larger programs
    are not handed to it.

    Args:
        entries: entries of the constraints' matrix.
    """
    return entries <= ENTRIES


def solve(
    earns: np.ndarray[Any, Any],
    table: tuple[Sequence[int], Sequence[int], Sequence[float]],
    limits: np.ndarray[Any, Any],
    pair: Pair,
    whole: int | None = None,
) -> np.ndarray[Any, Any]:
    """Maximise a sum over zeros and ones.

    Args:
        earns: what each variable earns, shape (n,).
        table: rows, columns and values of the constraints' matrix, shape (m, n).
        limits: upper limits of the constraints, shape (m,).
        pair: its budget limits the solver's nodes and time; its proof is kept.
        whole: how many variables, from the first, are 0 or 1; the others are
            anything between.  By default all.

    Returns:
        The variables, shape (n,); all 0 where the solver found nothing in time.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import coo_array

    if not len(earns) or not earns.max() > 0:
        return np.zeros(len(earns))
    # The solver is content within an absolute 1e-6: amounts must not be small.
    size = SCALE / float(earns.max())
    binary = np.zeros(len(earns), dtype=np.int64)
    binary[:whole] = 1
    rows, columns, values = table
    matrix = coo_array((values, (rows, columns)), shape=(len(limits), len(earns)))
    price = 1 + len(values) // ENTRIES_A_STEP
    options: dict[str, Any] = {
        "mip_rel_gap": 0.0,
        "node_limit": max(1, min(pair.budget.steps // price, 2**31 - 1)),
    }
    if pair.budget.seconds is not None:
        options["time_limit"] = pair.budget.seconds
    found = milp(
        -earns * size,
        integrality=binary,
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(matrix.tocsr(), -np.inf, limits),
        options=options,  # type: ignore[arg-type]
    )
    best = np.zeros(len(earns)) if found.x is None else found.x
    best = np.where(binary == 1, np.round(best), best)
    score = float(earns @ best)
    nodes = getattr(found, "mip_node_count", None)
    pair.proof.steps += price * max(1, int(nodes or 1))
    bound = getattr(found, "mip_dual_bound", None)
    limit = float(earns.sum()) if bound is None else -float(bound) / size
    if limit - score > CERTAIN * max(float(earns.max()), abs(score)):
        pair.proof.proven = False
        pair.proof.gap += limit - score
    return best
