"""Features derived from values: identical, case-folded, computed."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

from graphscore.exceptions import GraphscoreError
from graphscore.model.graph import Value
from graphscore.model.normalize import fold
from graphscore.plugins import failure
from graphscore.similarity.expression import FormulaError, Sort, delegate, require
from graphscore.similarity.features.elements import (
    NULL,
    Feature,
    OfOther,
    comparable,
    plain_value,
    require_feature,
)
from graphscore.similarity.view import Element, Elements, View


class Named(Feature, frozen=True):
    """The name of a property."""

    of: ClassVar[Sort] = "property"
    says: ClassVar[bool] = False
    short: ClassVar[str] = "name"

    def of_all(self, view: View, elements: Elements) -> list[Hashable]:
        """The name of each property."""
        nodes = view.graph.nodes
        return [nodes[node].properties[index][0] for node, index in elements]


name = Named()
"""The name of a property."""


class Valued(Feature, frozen=True):
    """The value of a property."""

    of: ClassVar[Sort] = "property"
    short: ClassVar[str] = "value"

    def of_all(self, view: View, elements: Elements) -> list[Hashable]:
        """The value of each property."""
        nodes = view.graph.nodes
        return [
            comparable(nodes[node].properties[index][1]) for node, index in elements
        ]


value = Valued()
"""The value of a property."""


class Itself(Feature, frozen=True):
    """A bare value, which says all there is."""

    of: ClassVar[Sort] = "value"
    short: ClassVar[str] = "itself"

    def of_all(self, view: View, elements: Elements) -> list[Hashable]:
        """The values."""
        return [None if element == NULL else element for element in elements]


itself = Itself()
"""A bare value, which says all there is."""


class Folded(OfOther, frozen=True):
    """Another feature, with values compared as case-insensitive strings.

    Args:
        feature: whose values; 42 equals "42", "Pierre" equals "pierre".
    """

    call: ClassVar[str] = "folded"

    feature: Feature

    def __post_init__(self) -> None:
        shown = f"folded({self.feature})"
        require_feature(self.feature, None, "", shown, "folded(")

    field = delegate("feature.field")

    def of_all(self, view: View, elements: Elements) -> list[Hashable]:
        """The folded values; an absent one stays absent."""
        result = [_fold(hashable) for hashable in self.feature.of_all(view, elements)]
        if self.feature == value:
            # A property that is there has a value, if only null.
            return [
                fold(None) if folded_value is None else folded_value
                for folded_value in result
            ]
        return result

    def raw(self, view: View, element: Element) -> Value:
        """The value as written."""
        return self.feature.raw(view, element)


def _fold(hashable: Hashable) -> Hashable:
    value = plain_value(hashable)
    if value is None or not isinstance(value, (str, int, float)):
        return hashable
    return fold(value)


class Computed(OfOther, frozen=True):
    """A function of another feature.

    Args:
        function: a named function of one value, which is ``None`` where there is
            none; it gives a hashable value.
        feature: what it is applied to.

    Raises:
        FormulaError: for a lambda; when it is used, with the item and the value, if
            the function fails, or gives what is not hashable.
    """

    call: ClassVar[str] = "computed"

    function: Callable[[Any], Hashable]
    feature: Feature

    def __post_init__(self) -> None:
        require_named(self.function, "", f"({self.feature})")
        shown = f"{self.function.__name__}({self.feature})"
        require_feature(self.feature, None, "", shown, f"{self.function.__name__}(")

    @property
    def short(self) -> str:
        """Its name in the formula."""
        return f"{self.function.__name__}({self.feature.short})"

    def of_all(self, view: View, elements: Elements) -> list[Hashable]:
        """Return the function's result for each element."""
        values = self.feature.of_all(view, elements)
        with naming_item(view):
            return [self._of(plain_value(value)) for value in values]

    def _of(self, value: Any) -> Hashable:
        """Return the function's result for a value."""
        result = comparable(call(self.function, str(self), value))
        try:
            hash(result)
        except TypeError:
            raise FormulaError(
                f"{self.function.__name__}({value!r}) is {result!r}, expected a value "
                "that is hashable: a string, a number, a tuple",
                str(self),
                str(self),
            ) from None
        return result


def call(function: Callable[..., Any], formula: str, *values: Any) -> Any:
    """Call a function of one's own.

    Args:
        function: what is called.
        formula: the part of a formula that it stands in, for the message.
        values: its arguments.

    Returns:
        What it gives.

    Raises:
        FormulaError: if it fails, with the values, and the file and line where it
            does.
    """
    try:
        return function(*values)
    except (GraphscoreError, MemoryError):
        raise
    except Exception as error:
        code = getattr(inspect.unwrap(function), "__code__", None)
        why = failure(error, code.co_filename if code else "")
        shown = ", ".join(map(repr, values))
        raise FormulaError(
            f"{function.__name__}({shown}) failed: {why}", formula, formula
        ) from error


@contextmanager
def naming_item(view: View) -> Iterator[None]:
    """Say in errors of a function which item it was asked about.

    Args:
        view: of the item's graph.

    Raises:
        FormulaError: the error, with the item.
    """
    try:
        yield
    except FormulaError as error:
        graph = view.graph
        raise FormulaError(
            f"item {graph.id} ({graph.framework}): {error.problem}",
            error.formula,
            error.spot,
        ) from error.__cause__


def require_named(function: Any, before: str, after: str) -> None:
    """Fail unless a function has a name that ``repr`` can write down.

    Args:
        function: what was given.
        before: what stands before its name in the formula.
        after: what stands after it.

    Raises:
        FormulaError: for lambdas and for things that are no functions.
    """
    named = getattr(function, "__name__", "<lambda>")
    require(
        callable(function) and named.isidentifier(),
        f"found {function!r}, expected a function with a name: a formula is a value "
        "that can be written down, which a lambda cannot",
        f"{before}{named}{after}",
        named,
        before,
    )


# As parts of a formula they are named in small letters.
computed = Computed
folded = Folded
