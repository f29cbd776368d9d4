"""Formulas for literals, and what all derived formulas have in common."""

from __future__ import annotations

from graphscore.similarity.base import Similarity
from graphscore.similarity.derivation.marks import Rules, rules_of
from graphscore.similarity.expression import FormulaError
from graphscore.similarity.features.elements import Feature, PropertyValue
from graphscore.similarity.features.fillers import bag, row
from graphscore.similarity.features.objects import Members, field
from graphscore.similarity.features.values import itself
from graphscore.similarity.navigation.collections import Literals
from graphscore.similarity.operators.arithmetic import exact
from graphscore.similarity.operators.hierarchies import (
    Descendant,
    Supertypes,
    hierarchy,
)
from graphscore.similarity.operators.hierarchies import Levels as LevelsOf
from graphscore.similarity.operators.leaves import Custom
from graphscore.similarity.operators.matching import Match
from graphscore.similarity.operators.ratios import f1
from graphscore.similarity.operators.thresholds import Threshold, excess
from graphscore.structures.objects import declarations
from graphscore.structures.objects.declarations import By, Less, Levels, Tree, Using
from graphscore.structures.objects.field_types import (
    Choices,
    Many,
    Record,
    Row,
    Scalar,
    Shape,
)
from graphscore.structures.objects.to_graph import VALUE, plain


def literal(feature: Feature, shape: Shape, rules: Rules) -> Similarity:
    """Derive the similarity of two literals.

    Args:
        feature: the literals.
        shape: what they are declared to be.
        rules: what is said of them.

    Raises:
        FormulaError: if that does not fit literals.
    """
    nothing_of_items(rules, shape)
    values = rules.values
    if rules.similarity is not None or rules.within is not None:
        raise misfit(
            rules.where,
            rules.similarity or rules.within,
            "something for literals",
            shape,
        )
    if values is None:
        return apply_limits(exact(feature), rules)
    if feature != itself:
        # Values are said as they are, not within what the field holds.
        feature = PropertyValue(getattr(feature, "name", VALUE))
    if isinstance(values, (Levels, Tree)):
        result = derive_type(feature, values)
    elif isinstance(values, Using):
        result = values.make(feature)
        if not isinstance(result, Similarity) or result.of != feature.of:
            raise misfit(rules.where, values, "a similarity of the feature", shape)
    else:
        result = by_function(values, _python_values(feature, shape), shape)
    return apply_limits(result, rules)


def derive_type(feature: Feature, values: Levels | Tree) -> Similarity:
    """Derive the similarity of two types.

    Args:
        feature: the types.
        values: as types of levels, or of a hierarchy.
    """
    if isinstance(values, Levels):
        return LevelsOf(feature, values.separator, values.depth)
    tree = hierarchy(dict(values.parents))
    if values.how == "below":
        return Descendant(feature, tree)
    return f1(Match(Supertypes(feature, tree), exact(itself)))


def derive_types(name: str, shape: Many | Row, rules: Rules) -> Similarity:
    """Derive the similarity of two collections whose items make up types.

    A tuple of fixed length has the levels of one type, where marks say so; any
    collection may have all types that something is of.

    Args:
        name: the field that holds them.
        shape: the collection.
        rules: what is said of it.

    Raises:
        FormulaError: if that does not fit the collection.
    """
    nothing_of_items(rules, shape)
    values = rules.values
    assert isinstance(values, (Levels, Tree))
    items = (shape.item,) if isinstance(shape, Many) else shape.items
    marked = any(not rules_of(item.marks, rules.where).plain for item in items)
    literals = all(plain(item) == set(item.options()) for item in items)
    if marked or not literals:
        raise misfit(rules.where, values, "a collection of literals", shape)
    members = Literals(name)
    if isinstance(values, Tree) and values.how == "supertypes":
        return apply_limits(derive_type(bag(members, itself), values), rules)
    if isinstance(values, Tree) or isinstance(shape, Many):
        raise misfit(rules.where, values, "a mark for its items", shape)
    return apply_limits(derive_type(row(members, itself), values), rules)


def field_feature(name: str, shape: Shape) -> Feature:
    """Return the feature of a field: for words what an element is, else where it is."""
    words = all(
        isinstance(option, Choices)
        or (isinstance(option, Scalar) and option.kind not in ("int", "float"))
        for option in shape.options()
    )
    if words and plain(shape) == set(shape.options()):
        return PropertyValue(name)
    return field(name)


def apply_limits(similarity: Similarity, rules: Rules) -> Similarity:
    """A similarity within the limits that rules set."""
    for limit in rules.limits:
        if isinstance(limit, Less):
            similarity = excess(similarity, limit.amount)
        else:
            similarity = Threshold(similarity, limit.limit, limit.strict)
    return similarity


def by_function(mark: By, feature: Feature, shape: Shape) -> Custom:
    """A function of one's own.

    Args:
        mark: the function.
        feature: the values.
        shape: what they are declared to be.

    Raises:
        FormulaError: if they are of a class whose objects can change.
    """
    for option in shape.options():
        if isinstance(option, Record) and option.cls.__hash__ is None:
            raise FormulaError(
                f"{mark!r} for {option}, expected a class whose objects cannot change: "
                "@dataclass(frozen=True)"
            )
    return Custom(mark.function, feature, normalized=mark.normalized)


def _python_values(feature: Feature, shape: Shape) -> Feature:
    """Members of enumerations and truth values as they are in Python."""
    kinds = {option.label for option in shape.options() if isinstance(option, Scalar)}
    same = kinds <= {"str", "int", "float", "None"}
    if same and not any(isinstance(option, Choices) for option in shape.options()):
        return feature
    return Members(feature, shape)


def nothing_of_items(rules: Rules, shape: Shape) -> None:
    """Fail if rules say what only makes sense for collections, or for fields.

    Raises:
        FormulaError: naming the mark.
    """
    if rules.ignored:
        raise misfit(rules.where, declarations.ignored, "a mark for a field", shape)
    for mark in rules.of_items:
        raise misfit(rules.where, mark, "a collection", shape)


def misfit(where: str, mark: object, expected: str, holder: object) -> FormulaError:
    """A mark that does not fit what it is for, as an error."""
    return FormulaError(
        f"{where} is declared {mark!r}, expected {expected} for {holder}"
    )
