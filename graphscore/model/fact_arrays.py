"""Facts and edges of a graph as numbers, for joining them with those of another graph.

Only graphs whose nodes are searched for a correspondence are numbered: what numbers
them imports numpy, which takes longer than comparing a few plain pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cached_property
from itertools import chain
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
    """What a graph says, in parallel.

    Args:
        graph: the graph.
        tuple_type: gives the tuple type of a fact, as a small number.

    Attributes:
        facts: the facts of its nodes, node by node.
        fact_nodes: the node of each.
        labels: the label of every edge.
        edge_ends: shape (2, edges): sources and targets.
    """

    def __init__(self, graph: GraphFacts, tuple_type: Callable[[Any], int]) -> None:
        # The graph itself is not kept: it keeps its arrays.
        self._tuple_type = tuple_type
        self.size = graph.size
        self.facts = [*chain.from_iterable(graph.said)]
        self.fact_nodes = np.arange(self.size).repeat(integers([*map(len, graph.said)]))
        columns = [*zip(*graph.edge_numbers, strict=True)] or [(), (), ()]
        sources, targets, self.labels = columns
        self.edge_ends = integers((sources, targets))

    @cached_property
    def fact_tuple_types(self) -> Integers:
        """The tuple type of each fact."""
        return integers([*map(self._tuple_type, self.facts)])


def integers(numbers: Sequence[Any]) -> Integers:
    """Numbers as an array."""
    return np.array(numbers, dtype=np.int64)


def common_codes(
    gold: Sequence[Hashable], system: Sequence[Hashable]
) -> tuple[Integers, Integers]:
    """Number what both sides say, the same alike.

    Args:
        gold: what gold says; it is numbered in order of appearance.
        system: what the system says; what gold does not say is -1.

    Example:
        >>> common_codes(["dog", "cat", "dog"], ["bird", "cat"])
        (array([0, 1, 0]), array([-1,  1]))
    """
    codes: dict[Hashable, int] = {}
    numbers = [codes.setdefault(key, len(codes)) for key in gold]
    return integers(numbers), integers([codes.get(key, -1) for key in system])
