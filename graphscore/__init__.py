"""graphscore: exact scores and explained errors for structured predictions.

>>> import graphscore
>>> from graphscore import Edge, Graph, Node
>>> gold = Graph("1", "amr", 2, nodes=(Node(0, "bark-01"), Node(1, "dog")),
...              edges=(Edge(0, 1, "ARG0"),), tops=(0,))
>>> graphscore.score([gold], [gold]).f1
1.0
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graphscore.api import score
    from graphscore.correspondence import Budget
    from graphscore.errors import GraphscoreError, InputError, Problem
    from graphscore.evaluation import Options
    from graphscore.formats import Reading, read_file, write_graphs
    from graphscore.graph import Anchor, Edge, Graph, Node
    from graphscore.interchange import (
        from_networkx,
        from_rustworkx,
        to_networkx,
        to_rustworkx,
    )
    from graphscore.metrics.base import Metric
    from graphscore.metrics.registry import parse
    from graphscore.scores import Result
    from graphscore.stored import Store
    from graphscore.units import Selection

# Imported when first used: `graphscore --help` must not wait for numpy.
_HOMES = {
    "Anchor": "graph",
    "Budget": "correspondence",
    "Edge": "graph",
    "Graph": "graph",
    "GraphscoreError": "errors",
    "InputError": "errors",
    "Metric": "metrics.base",
    "Node": "graph",
    "Options": "evaluation",
    "Problem": "errors",
    "Reading": "formats",
    "Result": "scores",
    "Selection": "units",
    "Store": "stored",
    "from_networkx": "interchange",
    "from_rustworkx": "interchange",
    "parse": "metrics.registry",
    "read_file": "formats",
    "score": "api",
    "to_networkx": "interchange",
    "to_rustworkx": "interchange",
    "write_graphs": "formats",
}

__all__ = [
    "Anchor",
    "Budget",
    "Edge",
    "Graph",
    "GraphscoreError",
    "InputError",
    "Metric",
    "Node",
    "Options",
    "Problem",
    "Reading",
    "Result",
    "Selection",
    "Store",
    "from_networkx",
    "from_rustworkx",
    "parse",
    "read_file",
    "score",
    "to_networkx",
    "to_rustworkx",
    "write_graphs",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'graphscore' has no attribute {name!r}")
    return getattr(import_module(f"graphscore.{home}"), name)


def __dir__() -> list[str]:
    return __all__
