"""Features of a node, an edge, a property or a value.

A feature is a column: one comparable value for every element.  Some say *where*
something is (its anchors, the ends of an edge), the others *what* it is (its
label, a property).  Elements that agree on where and differ in what are reported
beside each other.

>>> from graphscore.model.graph import Anchor, Graph, Node
>>> view = View(Graph("1", "ner", text="Ada slept", nodes=(
...     Node(0, "PER", (("kind", "mention"),), (Anchor(0, 3),)),)))
>>> label.of_all(view, [0]), anchors.of_all(view, [0]), kind.of_all(view, [0])
(['PER'], [((0, 3),)], ['mention'])
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Sequence
from typing import Any, ClassVar

from graphscore.model.anchors import (
    Trim,
    trimmed_ranges,
    unite,
    visible_characters,
)
from graphscore.model.anchors import characters as character_set
from graphscore.model.graph import Graph, Node, Value
from graphscore.similarity.expression import (
    ARTICLES,
    Expression,
    Notation,
    Sort,
    delegate,
    require,
    spoken,
)
from graphscore.similarity.view import Element, Elements, View
from graphscore.structures.entities.tags import visible_place
from graphscore.structures.layout import KIND, first_of


def comparable(value: Any) -> Hashable:
    """A value so that only equal ones are equal: ``True`` is not 1, ``1`` is 1.0."""
    return ("bool", value) if isinstance(value, bool) else value


ABSENT: tuple[str, ...] = ("absent",)
"""Value of a step that leads nowhere, equal on both sides.

One more for every step that did lead somewhere: who has no boss is not like whose boss
has none.
"""


NULL: tuple[str, ...] = ("null",)
"""A bare value that is null: as an element ``None`` would be none at all."""


def is_absent(value: Hashable) -> bool:
    """Return true if a value is absent because some step leads nowhere."""
    if not isinstance(value, tuple) or value[:1] != ABSENT:
        return False
    return value == ABSENT * len(value)


def deeper(value: Hashable) -> Hashable:
    """Return the value as seen one step before; only absent values change."""
    return (*value, *ABSENT) if is_absent(value) else value  # type: ignore[misc]


def plain_value(value: Hashable) -> Any:
    """The value that a comparable one stands for; ``None`` for what is absent.

    >>> [plain_value(value) for value in (comparable(True), comparable(1), ABSENT)]
    [True, 1, None]
    """
    if isinstance(value, tuple):
        if value == NULL or is_absent(value):
            return None
        if len(value) == 2 and value[0] == "bool":
            return bool(value[1])
    return value


class Feature(Expression, frozen=True):
    """Base of features."""

    @property
    @abstractmethod
    def of(self) -> Sort:
        """Sort of the elements that it describes."""

    @property
    def says(self) -> bool:
        """True if it describes an element rather than locates it."""
        return True

    @property
    @abstractmethod
    def short(self) -> str:
        """Short name in formulas."""

    @property
    def field(self) -> str:
        """Field name in errors, if it is one of many that an element has."""
        return ""

    @abstractmethod
    def of_all(self, view: View, elements: Elements) -> list[Hashable]:
        """The feature of each element.

        Args:
            view: the graph.
            elements: elements of sort ``of``.

        Returns:
            One hashable value each.
        """

    def raw(self, view: View, element: Element) -> Value:
        """Return the value that an error shows of an element: as written."""
        result = plain_value(self.of_all(view, [element])[0])
        if result is None or isinstance(result, (str, int, float, bool)):
            return result
        return str(result)

    def raws(self, view: View, elements: Elements) -> list[Value]:
        """Return the values that errors show of elements."""
        return [self.raw(view, element) for element in elements]

    @property
    def phrase(self) -> str:
        """Phrase for sentences."""
        return spoken(self.short)

    def spell(self, notation: Notation) -> str:
        """Its name."""
        return notation.name(self.short)


class Column(Feature, frozen=True):
    """A feature that is worked out for all nodes or all edges at once."""

    def of_all(self, view: View, elements: Elements) -> list[Hashable]:
        """The feature of each element, out of the whole column."""
        column = view.keep(self.token, lambda: self.column(view))
        return [column[element] for element in elements]

    @abstractmethod
    def column(self, view: View) -> Sequence[Hashable]:
        """The feature of every node or edge, in the order of the graph."""


class Called(Column, frozen=True):
    """Base of columns that a thing has by name."""

    name: str

    short = delegate("name")
    field = delegate("name")


class OfOther(Feature, frozen=True):
    """Base of what is made of another feature, and said of the same."""

    @property
    @abstractmethod
    def feature(self) -> Feature:
        """The feature that it is made of."""

    of = delegate("feature.of")
    says = delegate("feature.says")
    short = delegate("feature.short")


class OfNode(Column, frozen=True):
    """Feature of nodes that is computed by a function.

    Args:
        called: its name in formulas and in Python.
        function: takes a graph, gives one value for each node.
        what: whether it says what a node is rather than where.
    """

    of: ClassVar[Sort] = "node"

    called: str
    function: Callable[[Graph], Sequence[Hashable]]
    what: bool = True

    says = delegate("what")
    short = delegate("called")

    def column(self, view: View) -> Sequence[Hashable]:
        """One value for each node."""
        return self.function(view.graph)


def _ranges(graph: Graph) -> list[Hashable]:
    return [_place(node) for node in graph.nodes]


def _place(node: Node) -> Hashable:
    """Ranges united; for a mention that is a bare string, the string."""
    if node.anchors:
        return tuple(unite(node.anchors))
    return comparable(first_of(node.properties, "text"))


def _visible(graph: Graph) -> list[Hashable]:
    return [
        visible_place(graph.text, node) if node.anchors else _place(node)
        for node in graph.nodes
    ]


def _labels(graph: Graph) -> list[Hashable]:
    return [comparable(node.label) for node in graph.nodes]


def _kinds(graph: Graph) -> list[Hashable]:
    return [comparable(first_of(node.properties, KIND)) for node in graph.nodes]


def _surfaces(graph: Graph) -> list[Hashable]:
    return [surface(graph, node) for node in graph.nodes]


def surface(graph: Graph, node: Node) -> str | None:
    """The characters that a node stands for, its parts joined by a blank.

    Returns:
        The text under its anchors; without anchors, or without a text, its
        property ``text``; ``None`` where there is neither.
    """
    if node.anchors and graph.text:
        parts = (graph.text[start:end] for start, end in unite(node.anchors))
        return " ".join(parts)
    result = first_of(node.properties, "text")
    return None if result is None else str(result)


label = OfNode("label", _labels)
"""A node's label."""
kind = OfNode("kind", _kinds)
"""Kind of a node: its property ``kind``."""
anchors = OfNode("anchors", _ranges, False)
"""Exactly the ranges that a node stands for, touching ones united."""
visible_anchors = OfNode("visible_anchors", _visible, False)
"""The ranges of the characters of a node that are no white space."""
surface_text = OfNode("surface_text", _surfaces)
"""The characters under a node's anchors, as a string."""


class PropertyValue(Called, frozen=True):
    """The first value of a node's property; ``None`` where it has none.

    Args:
        name: name of the property.
    """

    call: ClassVar[str] = "property_value"
    of: ClassVar[Sort] = "node"

    def column(self, view: View) -> Sequence[Hashable]:
        """One value for each node."""
        return [
            comparable(first_of(node.properties, self.name))
            for node in view.graph.nodes
        ]


class Spans(Column, frozen=True):
    """Ranges without punctuation at their ends; those without anchors are equal."""

    call: ClassVar[str] = "spans"
    of: ClassVar[Sort] = "node"
    says: ClassVar[bool] = False
    short: ClassVar[str] = "spans"

    def column(self, view: View) -> Sequence[Hashable]:
        """One tuple of ranges for each node."""
        graph = view.graph
        return [tuple(trimmed_ranges(n.anchors, graph.text)) for n in graph.nodes]


class Characters(Column, frozen=True):
    """The set of visible characters, punctuation trimmed; see ``anchors``.

    Args:
        trim: where punctuation is taken off.
    """

    call: ClassVar[str] = "characters"
    of: ClassVar[Sort] = "node"
    says: ClassVar[bool] = False
    short: ClassVar[str] = "characters"

    trim: Trim = "range"

    def column(self, view: View) -> Sequence[Hashable]:
        """One integer a node, see :func:`graphscore.model.anchors.characters`."""
        graph = view.graph
        visible = visible_characters(graph.text)
        return [
            character_set(node.anchors, graph.text, self.trim, visible)
            for node in graph.nodes
        ]


class EdgeLabel(Column, frozen=True):
    """An edge's label as written."""

    of: ClassVar[Sort] = "edge"
    short: ClassVar[str] = "edge_label"

    def column(self, view: View) -> Sequence[Hashable]:
        """One label for each edge."""
        return [comparable(edge.label) for edge in view.graph.edges]

    def raw(self, view: View, element: Element) -> Value:
        """The label as written."""
        return view.graph.edges[element].label


edge_label = EdgeLabel()
"""An edge's label as written."""


class AttributeValue(Called, frozen=True):
    """The first value of an edge's attribute; ``None`` where it has none.

    Args:
        name: name of the attribute.
    """

    call: ClassVar[str] = "attribute_value"
    of: ClassVar[Sort] = "edge"

    def column(self, view: View) -> Sequence[Hashable]:
        """One value for each edge."""
        return [
            comparable(first_of(edge.attributes, self.name))
            for edge in view.graph.edges
        ]


class Given(Called, frozen=True):
    """A column that the metric works out for each pair and gives to its views.

    Args:
        name: what it is called.
        sort: what it is said of.
        what: whether it says what something is rather than where.
    """

    call: ClassVar[str] = "given"

    sort: Sort
    what: bool = True

    of = delegate("sort")
    says = delegate("what")

    def column(self, view: View) -> Sequence[Hashable]:
        """Return the column supplied to the view.

        Raises:
            FormulaError: if it was given no such column.
        """
        return view.given(self.name)

    def raw(self, view: View, element: Element) -> Value:
        """The value as written, where the view knows it."""
        return self.raws(view, [element])[0]

    def raws(self, view: View, elements: Elements) -> list[Value]:
        """The values as written, where the view knows them."""
        written = view.keep((self.token, "raw"), lambda: view.written(self.name))
        if written is None:
            return [super(Given, self).raw(view, element) for element in elements]
        return [written[element] for element in elements]


def require_feature(
    feature: Any, sort: Sort | None, where: str, formula: str, before: str
) -> None:
    """Fail unless something is a feature of the right sort.

    Args:
        feature: what was given.
        sort: what it should be said of; ``None`` for anything.
        where: why, for the message.
        formula: the formula as far as it goes.
        before: what of the formula stands before it.

    Raises:
        FormulaError: if it is none, or said of something else.
    """
    require(
        isinstance(feature, Feature),
        f"found {feature!r}, expected a feature such as label or anchors",
        formula,
        str(feature),
        before,
    )
    require(
        sort is None or feature.of == sort,
        f"{feature} is said of {ARTICLES[feature.of]}, expected something said of "
        f"{ARTICLES[sort or feature.of]}{where}",
        formula,
        str(feature),
        before,
    )


def one_sort(features: Sequence[Feature], sign: str, before: str = "") -> Sort:
    """The sort that all features are said of.

    Args:
        features: at least one.
        sign: what stands between them in the formula.
        before: what stands before each.

    Raises:
        FormulaError: if they are said of different things.
    """
    for index, part in enumerate(features):
        sort = features[0].of if index else None
        if isinstance(part, Feature) and sort in (None, part.of):
            continue
        shown = [f"{before}{feature}" for feature in features]
        ahead = "".join(f"{text}{sign}" for text in shown[:index]) + before
        require_feature(part, sort, "", sign.join(shown), ahead)
    return features[0].of


# As parts of a formula they are named in small letters.
attribute_value = AttributeValue
characters = Characters
given = Given
property_value = PropertyValue
spans = Spans
