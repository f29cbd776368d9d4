"""What can only be equal or not: what has no sets, no marks and no variables in it."""

from __future__ import annotations

from graphscore.similarity.deriving.marks import Declarations, rules_of
from graphscore.similarity.expression import FormulaError
from graphscore.structures.objects.annotations import fields_of
from graphscore.structures.objects.shapes import Many, OneOf, Record, Row, Shape
from graphscore.structures.objects.variables import Var


def is_variable(shape: Shape) -> bool:
    """Whether a shape is a variable."""
    return isinstance(shape, Record) and issubclass(shape.cls, Var)


class Equality:
    """Tells what can only be equal or not.

    Args:
        declarations: what is said of classes and fields.
    """

    def __init__(self, declarations: Declarations) -> None:
        self._declarations = declarations

    def discrete(self, shape: Shape) -> bool:
        """Whether two values of a shape can only be equal or not."""
        return self._discrete(shape, set())

    def _discrete(self, shape: Shape, assumed: set[Shape]) -> bool:
        if isinstance(shape, OneOf):
            return all(self._discrete(each, assumed) for each in shape.several)
        if isinstance(shape, Record):
            return self._discrete_record(shape, assumed)
        rules = rules_of(shape.marks, str(shape))
        if rules.discrete:
            return True
        if isinstance(shape, Row):
            items = shape.items
            return rules.plain and all(self._discrete(each, assumed) for each in items)
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
        for each in fields_of(shape.cls, shape.args):
            marks = each.shape.marks
            said = self._declarations.of_field(shape.cls, each.name, marks, None)
            if said.discrete and each.compare:
                continue
            if not (each.compare and said.plain):
                return False
            if not self._discrete(each.shape, assumed):
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
        for each in shape.options():
            if is_variable(each):
                raise FormulaError(
                    f"a variable in {shape}, expected none in what is {taken}: "
                    "what a variable is called says nothing"
                )
            inner: list[Shape] = []
            if isinstance(each, Record) and each not in seen:
                inner = [one.shape for one in fields_of(each.cls, each.args)]
            elif isinstance(each, Many):
                inner = [each.item]
            elif isinstance(each, Row):
                inner = list(each.items)
            for one in inner:
                self._without(one, taken, seen | {each})
