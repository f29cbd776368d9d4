"""Functions that writers share: refusing frameworks, naming items, joining layers.

>>> one, two = Graph("1", "ner"), Graph("1", "relation")
>>> [list(layers) for layers in join_layers([one, two], ("ner", "relation"), "OneIE")]
[['ner', 'relation']]
>>> check_framework(Graph("1", "dm"), ("ner",), "OneIE")
Traceback (most recent call last):
    ...
graphscore.exceptions.GraphscoreError: item '1' is of framework 'dm'; OneIE holds ner
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from graphscore.exceptions import GraphscoreError, InvalidGraphError
from graphscore.model.graph import Graph, Value

encode = msgspec.json.Encoder().encode

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


def spell_value(value: Value) -> str:
    """A label or value as notations without types have it; nothing if there is none.

    >>> spell_value("prop"), spell_value(True), spell_value(None)
    ('prop', 'true', '')
    """
    if isinstance(value, str):
        return value
    return "" if value is None else str(value).lower()


def gold_or_predicted(graph: Graph, key: str, before: bool | None, format: str) -> bool:
    """Return whether a graph was predicted, as all others in its file were, or none.

    Args:
        graph: what is to be written.
        key: the field of ``extra`` that says so.
        before: what the graph before was, if there was one.
        format: the name of the format, as people call it.

    Raises:
        GraphscoreError: for gold among predictions, or the other way round.
    """
    predicted = bool(graph.extra.get(key))
    if before is not None and predicted is not before:
        raise GraphscoreError(
            f"item {graph.id!r}: a file of {format} is gold or predicted, not both"
        )
    return predicted


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


def same_item(left: Graph, right: Graph) -> bool:
    """Return whether two graphs agree in all but framework, nodes and edges."""
    return (
        (left.id, left.language, left.document)
        == (right.id, right.language, right.document)
        and (left.text, left.tokens, left.extra)
        == (right.text, right.tokens, right.extra)
    )  # fmt: skip


def join_layers(
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


def json_array(items: Iterable[bytes]) -> Iterator[bytes]:
    r"""One JSON array, an item to a line.

    >>> b"".join(json_array([b"1", b"2"])), b"".join(json_array([]))
    (b'[1,\n 2]\n', b'[]\n')
    """
    joint = b"["
    for item in items:
        yield joint + item
        joint = b",\n "
    yield b"[]\n" if joint == b"[" else b"]\n"


def lines_of_graphs(
    graphs: Iterable[Graph],
    framework: str,
    format: str,
    fields: Callable[[Graph], dict[str, Any]],
) -> Iterator[bytes]:
    """Write graphs of one framework as JSON, one to a line.

    Args:
        graphs: what is to be written.
        framework: what the format holds.
        format: what a line of it is, as people call it.
        fields: gives the object of a graph.

    Yields:
        Lines.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that the format cannot hold.
    """
    for graph in graphs:
        check_framework(graph, (framework,), format)
        with naming(graph):
            line = fields(graph)
        yield encode(line) + b"\n"


def json_lines(
    graphs: Iterable[Graph],
    frameworks: Collection[str],
    format: str,
    fields: Callable[[Graph, Layers], dict[str, Any]],
    alike: Callable[[Graph, Graph], bool] = same_item,
) -> Iterator[bytes]:
    """Write graphs as JSON, one item to a line.

    Args:
        graphs: what is to be written.
        frameworks: what the format holds.
        format: the name of the format, as people call it.
        fields: gives the object of an item, by its first graph and all its layers.
        alike: whether a graph is a layer of the same item as the first one of it.

    Yields:
        Lines.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that the format cannot hold.
    """
    for layers in join_layers(graphs, frameworks, format, alike):
        graph = next(iter(layers.values()))
        with naming(graph):
            line = fields(graph, layers)
        yield encode(line) + b"\n"
