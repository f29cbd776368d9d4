"""Facts and edges of a graph as numbers, for joining them with those of another graph.

Only graphs whose nodes are searched for a correspondence are numbered: what numbers
them imports numpy, which takes longer than comparing a few plain pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]


class GraphFacts(Protocol):
    """A graph by what its nodes and edges say, each of it once."""

    @property
    def size(self) -> int:
        """Number of nodes."""
        ...

    @property
    def said(self) -> Sequence[Mapping[Any, int]]:
        """The facts of each node, with a number of each."""
        ...

    @property
    def edge_numbers(self) -> Mapping[tuple[int, int, Any], int]:
        """Every edge as source, target and label, with its number, in order."""
        ...

    @property
    def attributes(self) -> Mapping[int, Mapping[Any, Any]]:
        """Attributes of edges, by edge number."""
        ...


class FactArrays:
    """What a graph says, as parallel arrays.

    Args:
        graph: the graph.
        tuple_type: gives the tuple type of a fact, as a small number.

    Attributes:
        codes: every distinct fact, numbered in order of appearance.
        fact_codes, fact_nodes, fact_tuple_types: of each fact of a node its code, the
            node and the tuple type.
        fact_numbers: the number that the graph gives each fact.
        label_codes: every distinct edge label, numbered in order of appearance.
        edge_codes: the code of each edge's label.
        edge_ends: shape (2, edges): sources and targets.
    """

    def __init__(self, graph: GraphFacts, tuple_type: Callable[[Any], int]) -> None:
        self.size = graph.size
        self.codes: dict[Any, int] = {}
        codes, numbers = self.codes, list[int]()
        for node, facts in enumerate(graph.said):
            for fact, number in facts.items():
                code = codes.setdefault(fact, len(codes))
                numbers += (code, node, tuple_type(fact), number)
        columns = np.array(numbers, dtype=np.int64).reshape(-1, 4).T.copy()
        self.fact_codes: Integers = columns[0]
        self.fact_nodes: Integers = columns[1]
        self.fact_tuple_types: Integers = columns[2]
        self.fact_numbers: Integers = columns[3]
        self.label_codes: dict[Any, int] = {}
        labels, numbers = self.label_codes, []
        for source, target, label in graph.edge_numbers:
            numbers += (labels.setdefault(label, len(labels)), source, target)
        columns = np.array(numbers, dtype=np.int64).reshape(-1, 3).T.copy()
        self.edge_codes: Integers = columns[0]
        self.edge_ends: Integers = columns[1:]
