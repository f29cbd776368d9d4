"""The assignment solver of scipy, loaded without the rest of ``scipy.optimize``.

That package takes 0.3 s to import, longer than one document takes to score; the
compiled file that solves assignments is loaded alone in less than a millisecond.  Where
it cannot be, the public function serves, which is the same one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from importlib.machinery import (
    EXTENSION_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    ModuleSpec,
)
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Solver = Callable[..., tuple[NDArray[np.int64], NDArray[np.int64]]]

_NAME = "scipy.optimize._lsap"


def linear_sum_assignment(
    table: ArrayLike, *, maximize: bool = False
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Assign rows to columns one to one, so that the values add up to the best sum.

    Crouse (2016), On implementing 2D rectangular assignment algorithms, as
    ``scipy.optimize.linear_sum_assignment`` implements it.

    Args:
        table: finite values, shape (rows, columns).
        maximize: whether the greatest sum is the best one; otherwise the least.

    Returns:
        The assigned rows in order, and the column of each; as many as the shorter side
        of the table has.

    Raises:
        ValueError: if there is no table of two dimensions, or no assignment.

    Example:
        >>> rows, columns = linear_sum_assignment([[4, 1], [2, 0]], maximize=True)
        >>> columns.tolist()
        [0, 1]
    """
    return solver()(table, maximize)


@cache
def solver() -> Solver:
    """Return the compiled solver; that of ``scipy.optimize`` where it has none."""
    if "scipy.optimize" not in sys.modules:
        try:
            alone: Solver = _load_solver().linear_sum_assignment
            return alone
        except (ImportError, AttributeError):
            # Another layout of scipy's files.
            pass
    from scipy import optimize

    public: Solver = optimize.linear_sum_assignment
    return public


def _load_solver() -> Any:
    """Load the compiled module of the solver, and leave no trace among the modules.

    Raises:
        ImportError: if there is no such file, or it cannot be loaded alone.
    """
    package = find_spec("scipy")
    if package is None or package.origin is None:
        raise ImportError("scipy is not installed as a folder of files")
    folder = Path(package.origin).parent / "optimize"
    finder = FileFinder(str(folder), (ExtensionFileLoader, EXTENSION_SUFFIXES))
    file = finder.find_spec(_NAME)
    if not isinstance(file, ModuleSpec) or file.loader is None:
        raise ImportError(f"no {_NAME} in {folder}")
    module = module_from_spec(file)
    file.loader.exec_module(module)
    # Whoever imports scipy.optimize does so as if nothing had been loaded.
    sys.modules.pop(_NAME, None)
    return module
