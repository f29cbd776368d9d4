"""Discrete shapes, which have no sets, marks or variables, and recursive classes.

Classes that contain one another: which of them are compared by one formula.

A class that contains itself has a formula that names itself.  Of classes that contain
one another all have one such formula together, with a case for each: formulas inside
of one another would grow with every order in which they can be gone through.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphscore.similarity.derivation.marks import Declarations, rules_of
from graphscore.similarity.expression import FormulaError
from graphscore.structures.objects.annotations import fields_of
from graphscore.structures.objects.declarations import By
from graphscore.structures.objects.field_types import Many, OneOf, Record, Row, Shape
from graphscore.structures.objects.variables import Var


def is_variable(shape: Shape) -> bool:
    """Return true if a shape is a variable."""
    return isinstance(shape, Record) and issubclass(shape.cls, Var)


class Equality:
    """Tells what can only be equal or not.

    Args:
        declarations: what is said of classes and fields.
    """

    def __init__(self, declarations: Declarations) -> None:
        self._declarations = declarations

    def discrete(self, shape: Shape) -> bool:
        """Return true if two values of a shape can only be equal or not."""
        return self._discrete(shape, set())

    def _discrete(self, shape: Shape, assumed: set[Shape]) -> bool:
        if isinstance(shape, OneOf):
            return all(self._discrete(option, assumed) for option in shape.several)
        if isinstance(shape, Record):
            return self._discrete_record(shape, assumed)
        rules = rules_of(shape.marks, str(shape))
        if rules.discrete:
            return True
        if isinstance(shape, Row):
            items = shape.items
            return rules.plain and all(self._discrete(item, assumed) for item in items)
        return rules.plain and not isinstance(shape, Many)

    def _discrete_record(self, shape: Record, assumed: set[Shape]) -> bool:
        if shape in assumed:
            return True
        rules = self._declarations.of_class(shape.cls, shape.marks)
        if issubclass(shape.cls, Var) or not (rules.plain or rules.discrete):
            return False
        if rules.discrete:
            return True
        assumed = assumed | {shape}
        for field in fields_of(shape.cls, shape.args):
            marks = field.shape.marks
            field_rules = self._declarations.of_field(
                shape.cls, field.name, marks, None
            )
            if field_rules.discrete and field.compare:
                continue
            if not (field.compare and field_rules.plain):
                return False
            if not self._discrete(field.shape, assumed):
                return False
        return True

    def without_variables(self, shape: Shape, mark: object = None) -> None:
        """Fail if there are variables in what is taken as it is.

        Args:
            shape: what is taken so.
            mark: what compares it; ``None`` where it is equal or not.

        Raises:
            FormulaError: naming them.
        """
        taken = "equal or not" if mark is None else f"compared {mark!r}"
        self._without(shape, taken, frozenset())

    def _without(self, shape: Shape, taken: str, seen: frozenset[Shape]) -> None:
        for option in shape.options():
            if is_variable(option):
                raise FormulaError(
                    f"a variable in {shape}, expected none in what is {taken}: "
                    "what a variable is called says nothing"
                )
            inner: list[Shape] = []
            if isinstance(option, Record) and option not in seen:
                inner = [field.shape for field in fields_of(option.cls, option.args)]
            elif isinstance(option, Many):
                inner = [option.item]
            elif isinstance(option, Row):
                inner = list(option.items)
            for part in inner:
                self._without(part, taken, seen | {option})


class MutualRecursion:
    """Tells which classes contain one another, as far as marks let them.

    Args:
        declarations: what is said of classes and fields.
        equality: what can only be equal or not, and is not looked into.
    """

    def __init__(self, declarations: Declarations, equality: Equality) -> None:
        self._declarations, self._equality = declarations, equality
        self._known: dict[Record, tuple[Record, ...]] = {}

    def of(self, shape: Record) -> tuple[Record, ...]:
        """The class itself, then those that it contains and that contain it.

        Of classes with one name nodes do not tell which they are of; then it stands
        alone, and their formulas inside of its own.
        """
        below = self._below(shape)
        result = [shape]
        result += [
            record
            for record in below
            if record != shape and shape in self._below(record)
        ]
        if len({record.label for record in result}) < len(result):
            return (shape,)
        return tuple(result)

    def _below(self, shape: Record) -> list[Record]:
        """All classes that objects of one can have inside, each once."""
        result: dict[Record, None] = {}
        waiting = [shape]
        while waiting:
            for record in self._directly(waiting.pop()):
                if record not in result:
                    result[record] = None
                    waiting.append(record)
        return list(result)

    def _directly(self, shape: Record) -> tuple[Record, ...]:
        if shape not in self._known:
            self._known[shape] = tuple(self._looked_into(shape))
        return self._known[shape]

    def _looked_into(self, shape: Record) -> Iterator[Record]:
        """The classes of what is compared as objects, in the fields of a class."""
        for field in fields_of(shape.cls, shape.args):
            marks = field.shape.marks
            rules = self._declarations.of_field(shape.cls, field.name, marks, None)
            whole = rules.ignored or rules.discrete or isinstance(rules.values, By)
            if not field.compare or whole or rules.within or rules.similarity:
                continue
            if not (rules.plain and self._equality.discrete(field.shape)):
                yield from self._options(field.shape)

    def _options(self, shape: Shape) -> Iterator[Record]:
        if isinstance(shape, OneOf):
            for option in shape.several:
                yield from self._options(option)
        elif isinstance(shape, Record):
            rules = self._declarations.of_class(shape.cls, shape.marks)
            whole = rules.discrete or rules.similarity or rules.values or rules.within
            if not (whole or is_variable(shape)):
                yield shape
        elif not rules_of(shape.marks, str(shape)).discrete:
            if isinstance(shape, Many):
                yield from self._options(shape.item)
            elif isinstance(shape, Row):
                for item in shape.items:
                    yield from self._options(item)
