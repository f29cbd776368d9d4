"""Steps: from an element to at most one other.

>>> from graphscore.model.graph import Edge, Graph, Node
>>> view = View(Graph("1", "x", nodes=(Node(0), Node(1)), edges=(Edge(1, 0, "has"),)))
>>> target.follow(view, [0]), Along("has").follow(view, [0, 1])
([0], [None, 0])
>>> print(Path(Along("trig"), Along("mention")))
trig.mention
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable
from typing import Any, ClassVar, Literal

from graphscore.model.graph import Value
from graphscore.similarity.expression import (
    ARTICLES,
    Expression,
    Notation,
    Sort,
    delegate,
    require,
)
from graphscore.similarity.features.elements import (
    ABSENT,
    Feature,
    anchors,
    comparable,
    deeper,
    require_feature,
)
from graphscore.similarity.view import Element, Elements, View


class Step(Expression, frozen=True):
    """Base of what leads from an element to at most one other."""

    @property
    @abstractmethod
    def of(self) -> Sort:
        """Sort of the elements where it starts."""

    @property
    @abstractmethod
    def leads(self) -> Sort:
        """Sort of the elements to which it leads."""

    @property
    @abstractmethod
    def short(self) -> str:
        """Short name in formulas."""

    @abstractmethod
    def follow(self, view: View, elements: Elements) -> list[Element | None]:
        """Return the target of each element; ``None`` where it leads nowhere."""

    def spell(self, notation: Notation) -> str:
        """Its name."""
        return notation.name(self.short)


class End(Step, frozen=True):
    """An end of an edge.

    Args:
        end: ``target`` or ``source``.
    """

    of: ClassVar[Sort] = "edge"
    leads: ClassVar[Sort] = "node"

    end: Literal["target", "source"]

    short = delegate("end")

    def follow(self, view: View, elements: Elements) -> list[Element | None]:
        """The node at that end of each edge."""
        column = view.keep(("end", self.end), lambda: self._ends(view))
        return [column[element] for element in elements]

    def _ends(self, view: View) -> list[int]:
        ordinals = view.places()
        return [ordinals[getattr(edge, self.end)] for edge in view.graph.edges]


target = End("target")
"""From an edge to the node that it leads to."""


source = End("source")
"""From an edge to the node that it comes from."""


class Owner(Step, frozen=True):
    """From a property to its node."""

    of: ClassVar[Sort] = "property"
    leads: ClassVar[Sort] = "node"
    short: ClassVar[str] = "owner"

    def follow(self, view: View, elements: Elements) -> list[Element | None]:
        """The node of each property."""
        return [node for node, _ in elements]


owner = Owner()
"""From a property to its node."""


class Top(Step, frozen=True):
    """From the graph to its first top."""

    of: ClassVar[Sort] = "graph"
    leads: ClassVar[Sort] = "node"
    short: ClassVar[str] = "top"

    def follow(self, view: View, elements: Elements) -> list[Element | None]:
        """The first top, if the graph has one."""
        tops = view.graph.tops
        return [view.places()[tops[0]] if tops else None for _ in elements]


top = Top()
"""From the graph to its first top."""


class Along(Step, frozen=True):
    """From a node along its first outgoing edge with a label.

    Args:
        label: label of the edge.
    """

    call: ClassVar[str] = "along"
    of: ClassVar[Sort] = "node"
    leads: ClassVar[Sort] = "node"

    label: Value

    @property
    def short(self) -> str:
        """The label."""
        return str(self.label)

    def follow(self, view: View, elements: Elements) -> list[Element | None]:
        """Return the target of each node's first matching edge."""
        table = view.keep(self.token, lambda: self._table(view))
        return [table.get(element) for element in elements]

    def _table(self, view: View) -> dict[int, int]:
        ordinals = view.places()
        result: dict[int, int] = {}
        same = comparable(self.label)
        for edge in view.graph.edges:
            if comparable(edge.label) == same:
                result.setdefault(ordinals[edge.source], ordinals[edge.target])
        return result


class Nth(Step, frozen=True):
    """From a node along one of its outgoing edges with a label.

    Args:
        label: label of the edges.
        place: which of them, from 0.
    """

    call: ClassVar[str] = "nth"
    of: ClassVar[Sort] = "node"
    leads: ClassVar[Sort] = "node"

    label: Value
    place: int

    @property
    def short(self) -> str:
        """The label with the place."""
        return f"{self.label}[{self.place}]"

    def follow(self, view: View, elements: Elements) -> list[Element | None]:
        """Return the target of that edge of each node."""
        out = view.outgoing()
        result = (
            [end for label, end in out.get(element, ()) if label == self.label]
            for element in elements
        )
        return [ends[self.place] if len(ends) > self.place else None for ends in result]


class Path(Step, frozen=True):
    """Two steps, one after the other.

    Args:
        first: the first step.
        then: a step that starts where the first one leads.
    """

    call: ClassVar[str] = "path"

    first: Step
    then: Step

    def __post_init__(self) -> None:
        require(
            self.first.leads == self.then.of,
            f"{self.then} starts at {ARTICLES[self.then.of]}, expected a step that "
            f"starts at {ARTICLES[self.first.leads]}, where {self.first} leads",
            self.short,
            self.then.short,
        )

    of = delegate("first.of")
    leads = delegate("then.leads")

    @property
    def short(self) -> str:
        """Both names."""
        return f"{self.first.short}.{self.then.short}"

    def follow(self, view: View, elements: Elements) -> list[Element | None]:
        """Return the targets of both steps in sequence."""
        ends = self.first.follow(view, elements)
        targets = iter(self.then.follow(view, [end for end in ends if end is not None]))
        return [None if end is None else next(targets) for end in ends]


def require_step(step: Any, formula: str, before: str) -> None:
    """Fail unless something is a step.

    Args:
        step: what was given.
        formula: the formula as far as it goes.
        before: what of the formula stands before it.

    Raises:
        FormulaError: if it is none.
    """
    problem = f"found {step!r}, expected a step such as target"
    require(isinstance(step, Step), problem, formula, str(step), before)


class Via(Feature, frozen=True):
    """A feature of what a step leads to; of nothing, nothing is said.

    Args:
        step: where to look.
        feature: what is looked at there.
        what: whether it says what something is rather than where: an end of an
            edge says where the edge is, whatever is looked at there.
    """

    call: ClassVar[str] = "via"

    step: Step
    feature: Feature
    what: bool = False

    def __post_init__(self) -> None:
        before = f"{self.step}."
        formula = f"{before}{self.feature}"
        require_step(self.step, formula, "")
        where = f", where {self.step} leads"
        require_feature(self.feature, self.step.leads, where, formula, before)

    of = delegate("step.of")
    says = delegate("what")

    @property
    def short(self) -> str:
        """Step and feature."""
        if self.feature == anchors:
            return self.step.short
        return f"{self.step.short}.{self.feature.short}"

    def of_all(self, view: View, elements: Elements) -> list[Hashable]:
        """The feature where each element leads."""
        ends = self.step.follow(view, elements)
        targets = [end for end in ends if end is not None]
        values = self.feature.of_all(view, targets)
        if hasattr(self.feature, "feature"):
            # What is said there may be what is said of something else again.
            values = [deeper(value) for value in values]
        remaining = iter(values)
        return [ABSENT if end is None else next(remaining) for end in ends]

    def raw(self, view: View, element: Element) -> Value:
        """Return the value written there."""
        [end] = self.step.follow(view, [element])
        return None if end is None else self.feature.raw(view, end)


# As parts of a formula they are named in small letters.
along = Along
nth = Nth
path = Path
via = Via
