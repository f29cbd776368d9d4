"""Structures of information extraction in the uniform graph.

:mod:`graphscore.structures.layout` says where mentions, entities, relations and
events stand in a :class:`~graphscore.graph.Graph`; readers build graphs with it,
metrics find their way with it, and nothing else knows the layout.

:mod:`graphscore.structures.dataclasses` lays objects of one's own classes out as
graphs, and reads them back; :mod:`graphscore.structures.declared` has the marks that
say how a metric compares them.  The outputs of the tasks that there are metrics for
stand in ``relations``, ``dependencies``, ``events``, ``coreference``, ``templates`` and
``amr``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from graphscore.structures.layout import (
    ARGUMENT,
    COMPONENT,
    ENTITY,
    KIND,
    KINDS,
    MENTION,
    PREDICATE,
    RELATION,
    TEMPLATE,
    TOKEN,
    TRIGGER,
    VALUE,
    Argument,
    LayoutBuilder,
    first_of,
    kind_of,
    nodes_of,
)

if TYPE_CHECKING:
    from graphscore.structures.dataclasses import (
        StructureError,
        Var,
        from_graph,
        to_graph,
    )

__all__ = [
    "ARGUMENT",
    "COMPONENT",
    "ENTITY",
    "KIND",
    "KINDS",
    "MENTION",
    "PREDICATE",
    "RELATION",
    "TEMPLATE",
    "TOKEN",
    "TRIGGER",
    "VALUE",
    "Argument",
    "LayoutBuilder",
    "StructureError",
    "Var",
    "first_of",
    "from_graph",
    "kind_of",
    "nodes_of",
    "to_graph",
]

_OBJECTS = {"StructureError", "Var", "from_graph", "to_graph"}
"""What readers of files, who only need the layout, should not wait for."""


def __getattr__(name: str) -> Any:
    if name not in _OBJECTS:
        raise AttributeError(
            f"module 'graphscore.structures' has no attribute {name!r}"
        )
    return getattr(import_module("graphscore.structures.dataclasses"), name)
