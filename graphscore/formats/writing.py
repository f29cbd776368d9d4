"""What writers share: refusing other frameworks, naming items, joining layers.

>>> one, two = Graph("1", "ner"), Graph("1", "relation")
>>> [list(layers) for layers in layered([one, two], ("ner", "relation"), "OneIE")]
[['ner', 'relation']]
>>> check_framework(Graph("1", "dm"), ("ner",), "OneIE")
Traceback (most recent call last):
    ...
graphscore.errors.GraphscoreError: item '1' is of framework 'dm'; OneIE holds ner
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager

from graphscore.errors import GraphscoreError, InvalidGraphError
from graphscore.model.graph import Graph

Layers = dict[str, Graph]
"""The layers of one item, by framework."""


def check_framework(graph: Graph, frameworks: Collection[str], format: str) -> None:
    """Refuse a graph of another framework.

    Args:
        graph: what is to be written.
        frameworks: what the format holds.
        format: the name of the format, as people call it.

    Raises:
        GraphscoreError: if its framework is none of those.
    """
    if graph.framework not in frameworks:
        raise GraphscoreError(
            f"item {graph.id!r} is of framework {graph.framework!r}; "
            f"{format} holds {', '.join(frameworks)}"
        )


@contextmanager
def naming(graph: Graph) -> Iterator[None]:
    """Name the item in what is wrong with a graph.

    Args:
        graph: the graph that is written meanwhile.

    Raises:
        InvalidGraphError: what was raised, with the item.
    """
    try:
        yield
    except InvalidGraphError as error:
        found = f"{error.found} in item {graph.id!r}"
        raise InvalidGraphError(found, error.expected) from None


def same_item(one: Graph, other: Graph) -> bool:
    """Whether two graphs agree in everything but their framework, nodes and edges."""
    return (
        (one.id, one.language, one.document)
        == (other.id, other.language, other.document)
        and (one.text, one.tokens, one.extra)
        == (other.text, other.tokens, other.extra)
    )  # fmt: skip


def layered(
    graphs: Iterable[Graph],
    frameworks: Collection[str],
    format: str,
    alike: Callable[[Graph, Graph], bool] = same_item,
) -> Iterator[Layers]:
    """Join the layers of an item that follow one another.

    Args:
        graphs: what is to be written.
        frameworks: what the format holds.
        format: the name of the format, as people call it.
        alike: whether a graph is a layer of the same item as the first one of it.

    Yields:
        The layers of each item, one graph of a framework.

    Raises:
        GraphscoreError: for another framework.
    """
    held: Layers = {}
    for graph in graphs:
        check_framework(graph, frameworks, format)
        if held and (
            graph.framework in held or not alike(next(iter(held.values())), graph)
        ):
            yield held
            held = {}
        held[graph.framework] = graph
    if held:
        yield held
