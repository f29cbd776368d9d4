"""IDs of objects: the field of a class that identifies them.

>>> from dataclasses import dataclass
>>> @dataclass
... class Report:
...     id: str
...     place: str
>>> names_objects(Report)
True
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from graphscore.structures.objects.annotations import fields_of, record_of
from graphscore.structures.objects.field_types import Scalar

ID = "id"
"""The field."""

_NAMES = {"str", "int", "None"}


@lru_cache(maxsize=256)
def names_objects(cls: Any) -> bool:
    """Return true if objects of a class have an ID: a field ``id``, string or number.

    Args:
        cls: a dataclass, with arguments if it is generic.

    Raises:
        StructureError: for an annotation that says nothing a graph can hold.
    """
    shape = record_of(cls)
    fields = {field.name: field.shape for field in fields_of(shape.cls, shape.args)}
    if ID not in fields:
        return False
    options = fields[ID].options()
    return all(
        isinstance(option, Scalar) and option.kind in _NAMES for option in options
    )


def id_of(cls: Any, obj: Any) -> str:
    """The id of an object; empty where its class has none, or it is ``None``.

    Args:
        cls: its class, with arguments if it is generic.
        obj: the object.
    """
    result = getattr(obj, ID) if names_objects(cls) else None
    return "" if result is None else str(result)
