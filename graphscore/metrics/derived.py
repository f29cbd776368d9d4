"""The metric of a dataclass, under a name.

>>> from graphscore.structures.coreference import EntitySet
>>> str(derived_metric(EntitySet))
'EntitySet'

Lists are compared in order where nothing is said of it.  Where that cost a score
something, it is said, with what declares the field a set:

>>> from dataclasses import dataclass
>>> from graphscore import score
>>> @dataclass
... class Report:
...     victims: list[str]
>>> score([Report(["Ada", "Bo"])], [Report(["Bo", "Ada"])]).notes[0]
'<memory>: in 1 item another order of Report.victims would have scored higher, as \
lists are compared in order; declare a frozenset, or in_any_order, if it says nothing'
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from graphscore.exceptions import amount
from graphscore.metrics.base import ANOTHER_ORDER, Metric
from graphscore.metrics.corrections import Correctable
from graphscore.metrics.formula import CompiledTupleType, Suite
from graphscore.metrics.traits import FrameworkRemarks
from graphscore.model.outcome import CountKey, Error, Outcome, RawCounts
from graphscore.similarity import Similarity, derive
from graphscore.similarity.view import Pair
from graphscore.structures.layout import OBJECT
from graphscore.structures.objects.annotations import fields_of, record_of
from graphscore.structures.objects.declarations import declared, ignored
from graphscore.structures.objects.ids import ID, names_objects

ORDER = "order"
"""The kind of the raw counts that say in how many items the order of a field cost."""

CLOSE = 1e-9
"""Tolerance for scores above one: sums of fractions are rounded."""


@dataclass(frozen=True)
class OfClass(Suite, FrameworkRemarks, Correctable):
    """The formulas of a class.

    An object that is put right matches as a whole, with all of its parts.

    Args:
        unordered: for each field that is compared in order because nothing is said of
            it, the formulas by which it is compared in any order.
    """

    bound = ""

    unordered: tuple[tuple[str, tuple[tuple[str, Similarity], ...]], ...] = ()

    def is_part(self, error: Error) -> bool:
        """Return true if the object in error is part of another, corrected with it."""
        return error.parent is not None

    def outcome(self, pair: Pair, details: bool) -> Outcome:
        """Raw counts, matches and errors; and the fields whose order cost something."""
        if not self.unordered:
            return super().outcome(pair, details)
        pair.crossed = []
        result = super().outcome(pair, details)
        # What is not proven might have been as much in this order.
        if pair.crossed and result.proven:
            for field in self._costly(pair, result.raw_counts):
                result.raw_counts[ORDER, field, "items"] = 1
        return result

    def _costly(self, pair: Pair, raw_counts: RawCounts) -> Iterator[str]:
        """The fields of which another order would have scored higher."""
        for field, plan in self._plans:
            # Compared anew: what was found in order is not what is looked for.
            anew, more = Pair(pair.gold, pair.system, pair.budget), RawCounts()
            for part in plan:
                part.add(more, anew)
            if any(
                more.get(key, 0) > raw_counts.get(key, 0) + CLOSE
                for part in plan
                for key in part.keys[2:]
            ):
                yield field

    @cached_property
    def _plans(self) -> list[tuple[str, list[CompiledTupleType]]]:
        """By field, formulas in any order that are others than those in order."""
        ordered = dict(self.named)
        return [
            (
                field,
                [
                    CompiledTupleType.of(tuple_type, formula, 0, None)
                    for tuple_type, formula in formulas
                    if formula != ordered.get(tuple_type)
                ],
            )
            for field, formulas in self.unordered
        ]

    def remark_on(
        self, framework: str, raw_counts: Mapping[CountKey, int | float]
    ) -> str:
        """Say where another order of a list would have scored higher."""
        costly = [
            f"in {amount(int(items), 'item')} another order of {field}"
            for (tuple_type, field, _), items in raw_counts.items()
            if tuple_type == ORDER
        ]
        if not costly:
            return ""
        return (
            f"{', '.join(costly)} {ANOTHER_ORDER}; declare a frozenset, or "
            "in_any_order, if it says nothing"
        )


def derived_metric(cls: Any, name: str = "") -> Metric:
    """The metric that is derived from a dataclass.

    Of a class without collections the fields are scored too, each by itself.

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
    fields = {f.name: f for f in fields_of(shape.cls, shape.args)}
    apart = (
        names_objects(cls)
        and len(fields) > 1
        and not fields[ID].shape.marks
        and ID not in declared(shape.cls)[1]
    )
    changes: dict[Any, Any] = {shape.cls: {ID: ignored}} if apart else {}
    formulas = derive(cls, changes)
    unordered = []
    for field, (owner, change) in formulas.sequences.items():
        both = changes | {owner: {**changes.get(owner, {}), **change}}
        unordered.append((field, tuple(derive(cls, both).items())))
    # Of other graphs it would find nothing on either side, and call that right.
    return OfClass(
        name,
        (*formulas.items(), *formulas.fields.items()),
        of=frozenset((OBJECT,)),
        unordered=tuple(unordered),
    )
