"""SVG: pictures that any browser shows, and notebooks too.

A file has the pictures of its graphs below each other; in a folder each graph has a
file of its own.  What is drawn, and how, stands in :mod:`graphscore.drawing`.

>>> from graphscore.model.graph import Edge, Graph, Node
>>> graph = Graph("1", "amr", nodes=(Node(0, "bark-01"), Node(1, "dog")),
...               edges=(Edge(0, 1, "ARG0"),), tops=(0,))
>>> picture = b"".join(write([graph])).decode()
>>> picture.count("<svg"), picture.count("bark-01") > 0
(2, True)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from graphscore.drawing.choice import draw
from graphscore.drawing.looks import alone
from graphscore.drawing.svg import stacked
from graphscore.model.graph import Graph


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """The bytes of a file with the pictures of these graphs.

    Args:
        graphs: any graphs, in the order of their pictures.
    """
    yield stacked([draw([alone(graph)]) for graph in graphs]).encode()
