"""Derivation of formulas for fields, from their shapes and rules.

Whatever can only be equal or not is one δ, of the whole field; so δ_subj is said of
a mention as it is of a string.  Everything else follows its shape.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from graphscore.similarity.base import Similarity
from graphscore.similarity.derivation.equality import (
    Equality,
    MutualRecursion,
    is_variable,
)
from graphscore.similarity.derivation.literals import (
    apply_limits,
    by_function,
    derive_types,
    field_feature,
    literal,
    misfit,
    nothing_of_items,
)
from graphscore.similarity.derivation.marks import Declarations, Rules, rules_of
from graphscore.similarity.derivation.sums import Sums
from graphscore.similarity.expression import FormulaError
from graphscore.similarity.features.elements import PropertyValue, label
from graphscore.similarity.features.objects import FieldType, Objects, field, whole
from graphscore.similarity.features.values import itself
from graphscore.similarity.navigation.collections import Collection, Items, Literals
from graphscore.similarity.navigation.selections import without
from graphscore.similarity.navigation.steps import Along, Nth, Path, Step
from graphscore.similarity.operators.arithmetic import exact, product, total
from graphscore.similarity.operators.delegation import at, choice
from graphscore.similarity.operators.matching import Match
from graphscore.similarity.operators.orders import InSequence, in_sequence
from graphscore.similarity.operators.recursion import Recursive, loose
from graphscore.similarity.operators.references import SelfReference, Variable, variable
from graphscore.structures.objects.annotations import fields_of
from graphscore.structures.objects.declarations import (
    By,
    Levels,
    Tree,
    Within,
)
from graphscore.structures.objects.field_types import (
    Field,
    Many,
    OneOf,
    Record,
    Row,
    Scalar,
    Shape,
)
from graphscore.structures.objects.to_graph import ITEM, VALUE, flat, plain, plain_items
from graphscore.structures.objects.variables import Var

NONE = Scalar("None")

Lift = Callable[[Collection], Collection]


def _here(collection: Collection) -> Collection:
    return collection


class Traits(NamedTuple):
    """Traits of a formula, known before it is built."""

    normalized: bool = True
    proper: bool = True


class _Open(NamedTuple):
    """Classes of which a formula is being made."""

    name: str
    shapes: tuple[Record, ...]
    within: Within | None


class Deriver:
    """Makes formulas of shapes.

    Args:
        declarations: what is said of classes and fields.
        balance: P inside of a precision, R inside of a recall, if that makes a
            difference (``by_either``).

    Attributes:
        sums: makes of sums what rules say.
        variables: labels of the variables that were met.
    """

    def __init__(self, declarations: Declarations, balance: str | None = None) -> None:
        self._declarations = declarations
        self._equality = Equality(declarations)
        self.sums = Sums(balance)
        self._together = MutualRecursion(declarations, self._equality)
        self._open: list[_Open] = []
        self._known: dict[str, Traits] = {}
        self.variables: set[str] = set()

    # Objects, and whatever else has a node of its own.

    def node(self, shape: Shape) -> Similarity:
        """Derive the similarity of two nodes of a shape."""
        if isinstance(shape, OneOf):
            if self._equality.discrete(shape):
                return exact(whole())
            cases = {option.label: self.node(option) for option in shape.several}
            return choice(label, cases)
        if isinstance(shape, Record):
            return self._record(shape)
        rules = rules_of(shape.marks, str(shape))
        if isinstance(shape, (Many, Row)) and rules.discrete:
            self._equality.without_variables(shape)
            return exact(whole())
        if isinstance(shape, (Many, Row)) and isinstance(rules.values, By):
            self._equality.without_variables(shape, rules.values)
            result = by_function(rules.values, Objects(None, shape), shape)
            return apply_limits(result, rules)
        levelled = isinstance(rules.values, (Levels, Tree))
        if isinstance(shape, (Many, Row)) and levelled:
            return derive_types(ITEM, shape, rules)
        if isinstance(shape, Many):
            amount = self.amount(ITEM, shape, rules)
            return self.sums.finish(amount, rules)
        if isinstance(shape, Row):
            return product(*self._row(ITEM, shape, rules))
        return literal(PropertyValue(VALUE), shape, rules)

    def _record(self, shape: Record) -> Similarity:
        rules = self._declarations.of_class(shape.cls, shape.marks)
        if issubclass(shape.cls, Var):
            self._require_unmarked(shape)
            self.variables.add(shape.label)
            return variable()
        nothing_of_items(rules, shape)
        if rules.similarity is not None:
            return rules.similarity
        if rules.discrete:
            self._equality.without_variables(shape)
            return exact(whole())
        if isinstance(rules.values, By):
            self._equality.without_variables(shape, rules.values)
            return apply_limits(
                by_function(rules.values, Objects(None, shape), shape), rules
            )
        if rules.values is not None:
            raise misfit(rules.where, rules.values, "something for literals", shape)
        return apply_limits(product(*self.factors(shape, rules.within)), rules)

    def factors(self, shape: Record, within: Within | None) -> list[Similarity]:
        """Derive the factors of the similarity of two objects, field by field.

        Args:
            shape: their class.
            within: marks for their fields in this place.

        Returns:
            Factors; the one that names itself inside of itself, where objects of the
            class have such objects as parts.

        Raises:
            FormulaError: if what has variables contains itself.
        """
        for around in self._open:
            if shape in around.shapes and around.within == within:
                traits = self._known.get(around.name, Traits())
                return [SelfReference(around.name, *traits)]
        shapes = self._together.of(shape) if within is None else (shape,)
        opened = _Open(_name(shape, self._open), shapes, within)
        while True:
            self._open.append(opened)
            result = [self._fields(shape, within) for shape in shapes]
            self._open.pop()
            inner = product(*result[0])
            if len(shapes) > 1:
                several = zip(shapes, result, strict=True)
                cases = {record.label: product(*factors) for record, factors in several}
                inner = choice(label, cases)
            if opened.name not in loose(inner):
                return result[0]
            if inner.has_variables:
                raise FormulaError(
                    f"{shape} contains itself and has variables, expected a mark where "
                    "it does, such as discrete or ignored",
                    str(inner),
                    "φ̃",
                )
            # What it is inside of itself depends on what it is, and the other way.
            before = self._known.get(opened.name, Traits())
            now = Traits(
                before.normalized and inner.normalized, before.proper and inner.proper
            )
            if now == before:
                self._known.pop(opened.name, None)
                return [Recursive(opened.name, inner)]
            self._known[opened.name] = now

    def _fields(self, shape: Record, within: Within | None) -> list[Similarity]:
        similarities: list[Similarity] = []
        for part in fields_of(shape.cls, shape.args):
            marks = part.shape.marks
            rules = self._declarations.of_field(shape.cls, part.name, marks, within)
            if part.compare:
                similarities += self.field(part, rules)
        return similarities or [exact(label)]

    def one(self, shape: Record, rules: Rules) -> Similarity:
        """Derive the similarity of two objects that are the only ones of a field.

        Args:
            shape: their class.
            rules: what is said of the field.
        """
        if rules.within is None:
            return apply_limits(self.node(shape), rules)
        return apply_limits(product(*self.factors(shape, rules.within)), rules)

    def _require_unmarked(self, shape: Shape) -> None:
        """Fail if anything is said of a class of variables: nothing can be."""
        assert isinstance(shape, Record)
        rules = self._declarations.of_class(shape.cls, shape.marks)
        if not rules.plain:
            raise FormulaError(
                f"{rules.where} is a variable with marks, expected none: it "
                "corresponds to another or does not"
            )

    # Fields.

    def field(self, declared: Field, rules: Rules) -> list[Similarity]:
        """Derive the similarity of two objects in one field.

        Args:
            declared: the field.
            rules: what is said of it.

        Returns:
            Factors; none for a field that makes no difference.

        Raises:
            FormulaError: if what is said does not fit what it holds.
        """
        name, shape = declared.name, declared.shape
        collection, _ = flat(shape)
        if rules.ignored:
            return []
        if rules.discrete:
            self._equality.without_variables(shape)
            return [exact(field_feature(name, shape))]
        options = list(shape.options())
        whole_value = plain(shape) != set(options) and not any(
            map(is_variable, options)
        )
        if isinstance(rules.values, By) and whole_value:
            self._equality.without_variables(shape, rules.values)
            return [
                apply_limits(
                    by_function(rules.values, Objects(name, shape), shape), rules
                )
            ]
        if collection is not None and isinstance(rules.values, (Levels, Tree)):
            return [derive_types(name, collection, rules)]
        if isinstance(collection, Many):
            return [self.sums.finish(self.amount(name, shape, rules), rules)]
        nothing_of_items(rules, shape)
        if isinstance(collection, Row):
            return self._row(name, collection, rules)
        return self._single(name, shape, rules)

    def _single(self, name: str, shape: Shape, rules: Rules) -> list[Similarity]:
        options = list(shape.options())
        if plain(shape) == set(options):
            return [literal(field_feature(name, shape), shape, rules)]
        inner = [option for option in options if option != NONE]
        variables = [sort for sort in inner if is_variable(sort)]
        if isinstance(rules.values, By) and variables and not rules.limits:
            return self._soft_or_variables(name, shape, variables, rules.values)
        if rules.values is not None:
            raise misfit(rules.where, rules.values, "something for literals", shape)
        if variables:
            if not rules.plain:
                raise FormulaError(
                    f"{rules.where} is a variable with marks, expected none"
                )
            return self._variables(name, shape, variables)
        if rules.plain and self._equality.discrete(shape):
            return [exact(field_feature(name, shape))]
        if len(inner) > 1:
            if mark := rules.within or rules.similarity:
                raise misfit(rules.where, mark, "marks for its options", shape)
            cases = {
                option.label: self._case(name, option, shape) for option in options
            }
            return [apply_limits(choice(FieldType(name), cases), rules)]
        return self._along(Along(name), inner[0], rules)

    def _along(self, step: Step, shape: Shape, rules: Rules) -> list[Similarity]:
        """Derive the similarity of the elements at the end of a step."""
        if rules.similarity is not None:
            return [at(step, rules.similarity)]
        if not isinstance(shape, Record):
            return [apply_limits(at(step, self.node(shape)), rules)]
        if rules.within is not None:
            factors = self.factors(shape, rules.within)
        else:
            inner = self.node(shape)
            factors = list(getattr(inner, "factors", (inner,)))
        if rules.limits or not any(factor.has_variables for factor in factors):
            return [apply_limits(at(step, product(*factors)), rules)]
        return [_push(step, factor) for factor in factors]

    def _case(self, name: str, option: Shape, shape: Shape) -> Similarity:
        """Derive the similarity for one option of a field."""
        if option in plain(shape):
            rules = rules_of(option.marks, f"{name}, {option}")
            return literal(field_feature(name, option), option, rules)
        if self._equality.discrete(option):
            return exact(field_feature(name, option))
        if is_variable(option):
            self._require_unmarked(option)
            self.variables.add(option.label)
            return variable(Along(name))
        return at(Along(name), self.node(option))

    def _soft_or_variables(
        self, name: str, shape: Shape, variables: Sequence[Shape], mark: By
    ) -> list[Similarity]:
        """A variable, or a literal that a function compares."""
        rest = [option for option in shape.options() if option not in variables]
        if not rest or NONE in rest or plain(shape) != set(rest):
            raise misfit(name, mark, "beside a variable literals, without None,", shape)
        if not mark.normalized:
            raise misfit(name, mark, "a similarity beside a variable", shape)
        for candidate in variables:
            self._require_unmarked(candidate)
        self.variables |= {variable.label for variable in variables}
        by_values = by_function(
            mark, PropertyValue(name), _those(shape, frozenset(rest))
        )
        soft: list[Similarity] = [by_values.where_given()]
        if len(variables) > 1:
            # Of two sorts of variables only those of the same can correspond.
            soft.append(exact(FieldType(name)))
        return [*soft, variable(Along(name))]

    def _variables(
        self, name: str, shape: Shape, variables: Sequence[Shape]
    ) -> list[Similarity]:
        """A variable, or something else that must be equal."""
        for candidate in variables:
            self._require_unmarked(candidate)
        labels = {variable.label for variable in variables}
        rest = [option for option in shape.options() if option.label not in labels]
        if not all(map(self._equality.discrete, rest)):
            cases = {e.label: self._case(name, e, shape) for e in shape.options()}
            return [choice(FieldType(name), cases)]
        self.variables |= labels
        similarities: list[Similarity] = []
        if rest:
            literals = plain(shape) == set(rest)
            feature = PropertyValue(name) if literals else field(name, variables=labels)
            similarities.append(exact(feature))
        elif len(labels) > 1:
            # Of two sorts of variables only those of the same can correspond.
            similarities.append(exact(FieldType(name)))
        return [*similarities, variable(Along(name))]

    def _row(self, name: str, row: Row, rules: Rules) -> list[Similarity]:
        """A tuple of fixed length, place by place."""
        if mark := rules.within or rules.values or rules.similarity:
            raise misfit(rules.where, mark, "marks for its items", row)
        if self._equality.discrete(row):
            return [apply_limits(exact(field_feature(name, row)), rules)]
        if any(plain_items(row, len(row.items))):
            raise FormulaError(
                f"{rules.where} is a {row} of literals with marks of their own, "
                "expected a dataclass, whose fields can have marks"
            )
        result = []
        for index, shape in enumerate(row.items):
            step = Nth(name, index)
            result += self._along(step, shape, rules_of((), f"{rules.where}[{index}]"))
        if rules.limits:
            return [apply_limits(product(*result), rules)]
        return result

    # Collections.

    def amount(
        self, name: str, shape: Shape, rules: Rules, lift: Lift = _here
    ) -> Similarity:
        """The sum over the matched items of a field.

        Args:
            name: the field.
            shape: a collection, or an optional one.
            rules: what is said of it.
            lift: what makes a collection start where it should.

        Raises:
            FormulaError: if what is said does not fit.
        """
        collection, optional = flat(shape)
        assert isinstance(collection, Many)
        if rules.values is not None or rules.similarity is not None:
            mark = rules.values or rules.similarity
            raise misfit(rules.where, mark, "a mark for its items", collection)
        if rules.within is not None:
            raise misfit(rules.where, rules.within, "a mark for one object", collection)
        order = _order(collection, rules)
        if order is not None and rules.ordered is None and not rules.contained:
            self._declarations.in_sequence(rules.where)
        constraint = rules.matched.constraint if rules.matched else "1:1"
        [bare] = plain_items(collection, 1)
        item = collection.item
        parts: list[Similarity] = []
        if bare:
            values: Collection = Literals(name)
            if optional:
                values = without(values, itself, None)
            how = literal(itself, _those(item, bare), rules_of(item.marks, rules.where))
            parts.append(Match(lift(values), how, constraint, order=order))
        if others := set(item.options()) - bare:
            inner = self.node(_those(item, frozenset(others)))
            parts.append(Match(lift(Items(name)), inner, constraint, order=order))
        return total(*parts)


def _name(shape: Record, around: Sequence[_Open]) -> str:
    """Return the unique formula name of a class within its outer formulas."""
    taken = {opened.name for opened in around}
    number, name = 1, shape.label
    while name in taken:
        number += 1
        name = f"{shape.label}_{number}"
    return name


def _those(item: Shape, requested: frozenset[Shape]) -> Shape:
    """Some of the options of a shape, in their order."""
    options = tuple(option for option in item.options() if option in requested)
    return options[0] if len(options) == 1 else OneOf(options)


def _order(collection: Many, rules: Rules) -> InSequence | None:
    if rules.ordered is None:
        return in_sequence if collection.ordered else None
    if rules.ordered.kept and not collection.ordered:
        raise misfit(rules.where, rules.ordered, "a sequence", collection)
    return in_sequence if rules.ordered.kept else None


def _push(step: Step, factor: Similarity) -> Similarity:
    """A factor at the end of a step; variables know their way themselves."""
    if isinstance(factor, Variable):
        return variable(step if factor.step is None else Path(step, factor.step))
    return at(step, factor)
