"""Objects of one's own dataclasses.

>>> from dataclasses import dataclass
>>> @dataclass
... class Report:
...     place: str
...     victims: list[str]
>>> [graph] = from_objects([Report("Lima", ["Ada"])])
>>> graph.framework, graph.nodes[0].label, graph.nodes[0].properties
('structure', 'Report', (('place', 'Lima'), ('victims', 'Ada')))
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import is_dataclass
from typing import Any

from graphscore.inputs.base import names_of, refusal
from graphscore.model.graph import Graph
from graphscore.structures.objects.dataclasses import to_graph
from graphscore.structures.objects.field_types import StructureError


def from_objects(
    objects: Iterable[Any],
    *,
    cls: Any = None,
    ids: Iterable[Any] | None = None,
    name: str = "objects",
) -> list[Graph]:
    """Objects of dataclasses as graphs.

    Args:
        objects: one for each item.
        cls: their class, where it does not say all: ``SlotFiller[Mention]``.
        ids: the id of each item; without, items pair by their order.
        name: what messages call them.

    Returns:
        A graph of the framework ``structure`` for each item.

    Raises:
        InputError: if something is no such object, or not what its class says.
    """
    items = list(objects)
    result = []
    for number, (item, id) in enumerate(
        zip(items, names_of(name, items, ids), strict=True)
    ):
        if not is_dataclass(item) or isinstance(item, type):
            raise refusal(name, f"[{number}]", repr(item), "an object of a dataclass")
        try:
            result.append(to_graph(item, cls, id=id))
        except StructureError as error:
            where = f"[{number}]: {error.where}"
            raise refusal(name, where, error.found, error.expected) from None
    return result
