"""The metric of a dataclass, under a name.

>>> from graphscore.structures.coreference import EntitySet
>>> str(derived_metric(EntitySet))
'EntitySet'
"""

from __future__ import annotations

from typing import Any

from graphscore.metrics.base import Metric
from graphscore.metrics.formula import suite
from graphscore.similarity import derive
from graphscore.structures.layout import OBJECT
from graphscore.structures.objects.annotations import fields_of, record_of
from graphscore.structures.objects.declared import declared, ignored
from graphscore.structures.objects.ids import ID, names_objects


def derived_metric(cls: Any, name: str = "") -> Metric:
    """The metric that is derived from a dataclass.

    A field ``id`` that names the objects, and that no mark speaks of, is not compared:
    objects that are compared have the same.

    Args:
        cls: a dataclass.
        name: what the metric goes by; the name of the class if it is empty.

    Raises:
        FormulaError: if its fields say nothing that can be compared.
        StructureError: for an annotation that says nothing a graph can hold.
    """
    shape = record_of(cls)
    name = name or shape.cls.__qualname__.rpartition(".")[2]
    fields = {each.name: each for each in fields_of(shape.cls, shape.args)}
    apart = (
        names_objects(cls)
        and len(fields) > 1
        and not fields[ID].shape.marks
        and ID not in declared(shape.cls)[1]
    )
    formulas = derive(cls, {shape.cls: {ID: ignored}} if apart else None)
    # Of other graphs it would find nothing on either side, and call that right.
    return suite(name, formulas, frameworks=(OBJECT,))
