"""The solver that is loaded alone is the one that ``scipy.optimize`` offers."""

import subprocess
import sys

import numpy as np
import pytest

from graphscore.correspondence import scipy_assignment
from graphscore.correspondence.scipy_assignment import linear_sum_assignment, solver

LOADED = """
import sys
from graphscore.correspondence.scipy_assignment import linear_sum_assignment, solver
rows, columns = linear_sum_assignment([[4, 1, 3], [2, 0, 5], [3, 2, 2]])
assert "scipy.optimize" not in sys.modules, "the whole package was imported"
assert not [name for name in sys.modules if "_lsap" in name]
from scipy import optimize
public = optimize.linear_sum_assignment([[4, 1, 3], [2, 0, 5], [3, 2, 2]])
assert (columns == public[1]).all(), (columns, public)
assert optimize._lsap.linear_sum_assignment is optimize.linear_sum_assignment
print(columns.tolist())
"""


@pytest.fixture
def fresh():
    solver.cache_clear()
    yield
    solver.cache_clear()


def test_it_loads_one_file_and_scipy_is_imported_as_ever_afterwards():
    command = [sys.executable, "-c", LOADED]
    assert (
        subprocess.run(command, capture_output=True, text=True).stdout == "[1, 0, 2]\n"
    )


def _tables():
    rng = np.random.default_rng(5)
    for rows, columns in ((1, 1), (3, 3), (2, 7), (9, 4), (30, 30), (0, 3)):
        yield rng.integers(0, 3, (rows, columns))
        yield rng.random((rows, columns)) - 0.5


@pytest.mark.parametrize("maximize", [False, True])
def test_assignments_are_those_of_scipy(fresh, monkeypatch, maximize):
    from scipy import optimize

    monkeypatch.delitem(sys.modules, "scipy.optimize")
    assert solver() is scipy_assignment._load_solver().linear_sum_assignment
    for table in _tables():
        alone = linear_sum_assignment(table, maximize=maximize)
        public = optimize.linear_sum_assignment(table, maximize=maximize)
        for own, other in zip(alone, public, strict=True):
            assert own.dtype == other.dtype
            assert own.tolist() == other.tolist()


@pytest.mark.parametrize("error", [ImportError, AttributeError])
def test_the_public_function_serves_where_the_file_cannot_be_loaded(
    fresh, monkeypatch, error
):
    from scipy import optimize

    def fail():
        raise error("another layout")

    monkeypatch.setattr(scipy_assignment, "_load_solver", fail)
    monkeypatch.delitem(sys.modules, "scipy.optimize")
    monkeypatch.setitem(sys.modules, "scipy.optimize", optimize)
    assert solver() is optimize.linear_sum_assignment
    solver.cache_clear()
    monkeypatch.delitem(sys.modules, "scipy.optimize")
    assert linear_sum_assignment([[4, 1], [2, 0]])[1].tolist() == [1, 0]


def test_what_is_no_table_is_refused(fresh):
    with pytest.raises(ValueError, match=r"2-D|2 dim|two|matrix"):
        linear_sum_assignment([1, 2, 3])
