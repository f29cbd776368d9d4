"""Elementary dependencies as PyDelphin counts them.

Reference: ``delphin.edm`` of PyDelphin 1.11.0.  A node is the range of characters of
its link to the surface, as it is written; nodes without one are all alike.  Everything
counts as often as it is said.  Predicates and roles are in small letters in EDS and as
written in DMRS, properties in small letters and constants as written everywhere.

Two arguments do not count: links ``MOD`` of DMRS, which are none, and in EDS a role
that the node says again further on.

>>> from graphscore.model.graph import Anchor, Edge, Graph, Node
>>> from graphscore.similarity import View
>>> ada = Node(0, "named", (("carg", "Ada"), ("NUM", "sg")), (Anchor(0, 3),))
>>> view = View(Graph("1", "eds", 1, nodes=(ada,), edges=(Edge(0, 0, "ARG1"),)))
>>> SPAN.of_all(view, [0]), list(CONSTANTS.every(view)), list(PROPERTIES.every(view))
([(0, 3)], [(0, 0)], [(0, 1)])
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import Field, dataclass
from functools import cached_property
from typing import Any, ClassVar

from graphscore.correspondence import Budget
from graphscore.metrics.meaning.edm import CONSTANT, Edm
from graphscore.model.frameworks import DMRS
from graphscore.model.graph import Anchor, Graph, Node, NodeId, Pairs, Value
from graphscore.model.normalize import Results, fold
from graphscore.model.outcome import Outcome
from graphscore.model.outcome_builder import OutcomeBuilder
from graphscore.similarity import (
    Feature,
    Similarity,
    at,
    edge_label,
    exact,
    f1,
    folded,
    label,
    match,
    name,
    nodes,
    owner,
    source,
    target,
    tops,
    value,
)
from graphscore.similarity.expression import Sort
from graphscore.similarity.features.elements import OfNode, OfOther, plain_value
from graphscore.similarity.navigation.collections import Whole
from graphscore.similarity.view import Element, Elements, View

MODIFIER = "MOD"
"""The role of links of DMRS that are no arguments."""


def _spans(graph: Graph) -> list[Hashable]:
    return [_span(node) for node in graph.nodes]


def _span(node: Node) -> Hashable:
    anchors = node.anchors
    if len(anchors) == 1:
        return tuple(anchors[0])
    if not anchors:
        return ()
    return min(start for start, _ in anchors), max(end for _, end in anchors)


SPAN = OfNode("span", _spans, False)
"""From the first to the last character of a node; nothing without an anchor."""


class LowerCased(OfOther, frozen=True):
    """Case-folded value of a feature; in DMRS, the value as written.

    Args:
        feature: what it says.
        written: whether it is as it is written anywhere.
    """

    call: ClassVar[str] = "small"

    feature: Feature
    written: bool = False

    def of_all(self, view: View, elements: Elements) -> list[Hashable]:
        """The spelling of each."""
        written = self.written or view.graph.framework == DMRS
        spelled = _spelt if written else fold
        return [spelled(plain_value(x)) for x in self.feature.of_all(view, elements)]

    def raw(self, view: View, element: Element) -> Value:
        """The value as written."""
        return self.feature.raw(view, element)


PREDICATE, ROLE = LowerCased(label), LowerCased(edge_label)


class Arguments(Whole, frozen=True):
    """The arguments that count; of a role that is repeated the last one."""

    call: ClassVar[str] = "arguments"
    yields: ClassVar[Sort] = "edge"
    short: ClassVar[str] = "arguments"

    def every(self, view: View) -> Iterable[Element]:
        """Their ordinals."""
        edges = view.graph.edges
        if view.graph.framework == DMRS:
            return [k for k, edge in enumerate(edges) if edge.label != MODIFIER]
        last = {(edge.source, fold(edge.label)): k for k, edge in enumerate(edges)}
        return list(last.values())


class NodeProperties(Whole, frozen=True):
    """Properties, or constants; of a property that is repeated the last one.

    Args:
        constants: whether constants, other than empty ones, or all but them.
    """

    call: ClassVar[str] = "said"
    yields: ClassVar[Sort] = "property"

    constants: bool

    @property
    def short(self) -> str:
        """Short name: ``constants`` or ``properties``."""
        return "constants" if self.constants else "properties"

    def every(self, view: View) -> Iterable[Element]:
        """(node ordinal, position) of each."""
        elements: list[Element] = []
        for index, node in enumerate(view.graph.nodes):
            if not node.properties:
                continue
            last = {fold(name): slot for slot, (name, _) in enumerate(node.properties)}
            slot = last.pop(CONSTANT, None)
            if not self.constants:
                elements += [(index, value) for value in last.values()]
            elif slot is not None and node.properties[slot][1] not in ("", None):
                elements.append((index, slot))
        return elements


CONSTANTS, PROPERTIES = NodeProperties(True), NodeProperties(False)


def formulas() -> Mapping[str, Similarity]:
    """Return the formulas over spans and over pairs of spans; tuples are multisets."""
    same_place = exact(SPAN)
    properties = at(owner, same_place) * exact(folded(name), folded(value))
    arguments = at(source, same_place) * at(target, same_place) * exact(ROLE)
    return {
        "names": f1(match(nodes(), same_place * exact(PREDICATE))),
        "arguments": f1(match(Arguments(), arguments)),
        "properties": f1(match(PROPERTIES, properties)),
        "constants": f1(
            match(CONSTANTS, at(owner, same_place) * exact(LowerCased(value, True)))
        ),
        "tops": f1(match(tops(), same_place)),
    }


# The same amounts without formulas: where nobody asks for rows, nothing but counting.

Span = int
"""A range as a number."""


class Bundle:
    """Properties and constant of a node; nodes with equal ones share a bundle."""

    __slots__ = ("constant", "pairs")

    def __init__(self, properties: Pairs) -> None:
        last = {fold(name): (name, value) for name, value in properties}
        _, constant = last.pop(CONSTANT, ("", ""))
        self.constant = _spelt(constant) if constant is not None else ""
        self.pairs = [(fold(name), fold(value)) for name, value in last.values()]


def _spelt(value: Value) -> str:
    return value if type(value) is str else fold(value)


def _bundle(properties: Pairs) -> Bundle | None:
    """A bundle; nothing if values are no strings, as 1 and true would be one key."""
    if all(type(value) is str for _, value in properties):
        return Bundle(properties)
    return None


class Tuples:
    """Everything that a graph says, tuple type by tuple type.

    Between two graphs of one framework those tuples are equal that the formulas find
    equal.

    Args:
        graph: its edges and tops name existing nodes.
    """

    __slots__ = ("arguments", "bundles", "constants", "names", "properties", "tops")

    def __init__(self, graph: Graph) -> None:
        small = graph.framework != DMRS
        spelled = _lowered.__getitem__ if small else str
        span_of: dict[NodeId, Span] = {}
        self.names: list[tuple[Span, str]] = []
        self.bundles: list[tuple[Span, Bundle]] = []
        self.constants: list[tuple[Span, str]] = []
        self.properties = 0
        name = self.names.append
        for node in graph.nodes:
            anchors, label, properties = node.anchors, node.label, node.properties
            try:
                span = _spans_of[anchors]
            except TypeError:
                # Nodes that are made by hand may have lists.
                span = _number(anchors)
            span_of[node.id] = span
            name((span, spelled(label) if type(label) is str else fold(label)))
            if properties:
                bundle = _bundles[properties] or Bundle(properties)
                if bundle.pairs:
                    self.bundles.append((span, bundle))
                    self.properties += len(bundle.pairs)
                if bundle.constant:
                    self.constants.append((span, bundle.constant))
        self.tops = [(span_of[top], "") for top in dict.fromkeys(graph.tops)]
        self.arguments: list[tuple[Span, str, Span]] = []
        last: dict[tuple[NodeId, str], tuple[Span, str, Span]] = {}
        for edge in graph.edges:
            source, label = edge.source, edge.label
            role = spelled(label) if type(label) is str else fold(label)
            argument = span_of[source], role, span_of[edge.target]
            if small:
                # Of a role that a node says again, the last one.
                last[source, role] = argument
            elif label != MODIFIER:
                self.arguments.append(argument)
        self.arguments += last.values()


def _number(anchors: tuple[Anchor, ...]) -> Span:
    """A number for the range of a node; -1 without one."""
    if not anchors:
        return -1
    return min(start for start, _ in anchors) << 32 | max(end for _, end in anchors)


_spans_of, _bundles, _lowered = Results(_number), Results(_bundle), Results(str.lower)


def counted(gold: View, system: View) -> list[tuple[int, int, int]]:
    """Gold, system and matched amounts of every kind of :data:`APART`.

    Args:
        gold: one graph.
        system: the other.
    """
    left, right = (side.kept.get(Tuples) or _kept(side) for side in (gold, system))
    shared = _shared_properties(left.bundles, right.bundles)
    return [
        _count(left.names, right.names),
        _count(left.arguments, right.arguments),
        (left.properties, right.properties, shared),
        _count(left.constants, right.constants),
        _count(left.tops, right.tops),
    ]


def _kept(view: View) -> Tuples:
    tuples = view.kept[Tuples] = Tuples(view.graph)
    return tuples


def _count(left: list[Any], right: list[Any]) -> tuple[int, int, int]:
    if not (left and right):
        return len(left), len(right), 0
    return len(left), len(right), _in_both(left, right)


def _in_both(first: list[Any], second: list[Any]) -> int:
    """Count the tuples that both have, with multiplicity."""
    # Where either says it once, both say it once.
    for side, other in ((first, second), (second, first)):
        distinct = set(side)
        if len(distinct) == len(side):
            return len(distinct.intersection(other))
    return (Counter(first) & Counter(second)).total()


def _shared_properties(
    first: list[tuple[Span, Bundle]], second: list[tuple[Span, Bundle]]
) -> int:
    """Bundles that both have need no look at what is in them.

    What is left of either side is compared pair by pair: taking the same away from
    both takes away as much from what they share.
    """
    if not (first and second):
        return 0
    gold_bundles, system_bundles = Counter(first), Counter(second)
    same = gold_bundles & system_bundles
    shared = sum(len(bundle.pairs) * times for (_, bundle), times in same.items())
    left = [
        [
            (span, pair)
            for span, bundle in (side - same).elements()
            for pair in bundle.pairs
        ]
        for side in (gold_bundles, system_bundles)
    ]
    return shared + _in_both(*left)


@dataclass(frozen=True)
class PydelphinEdm(Edm):
    """Multisets of what is said of ranges, as ``edm(preset=pydelphin)``."""

    # Ranges are compared as they are, whatever the text.
    lends = False
    normalization = "case,anchors=written,multiset,pydelphin"
    identity = SPAN

    def __post_init__(self) -> None:
        object.__setattr__(self, "duplicates", "multiset")
        if self.constants == "properties":
            object.__setattr__(self, "constants", 1.0)
        super().__post_init__()

    def default_of(self, field: Field[Any]) -> Any:
        """Return the preset's default for a parameter, or else its own."""
        defaults = {"duplicates": "multiset", "constants": 1.0}
        return defaults.get(field.name, field.default)

    def formulas(self) -> Mapping[str, Similarity]:
        """Return the formulas over spans and over pairs of spans."""
        return formulas()

    @cached_property
    def _weights(self) -> list[tuple[str, int | float]]:
        return [*self.weights().items()]

    def prepare(self, graph: Graph) -> View:
        """Work out nothing: formulas are needed where rows are."""
        return View(graph)

    def compare_sides(
        self, gold: View, system: View, budget: Budget, details: bool
    ) -> Outcome:
        """Work out every tuple type, without formulas if nobody wants rows."""
        if details:
            return super().compare_sides(gold, system, budget, details)
        builder = OutcomeBuilder(details)
        score: int | float = 0
        counts = counted(gold, system)
        for (tuple_type, weight), amounts in zip(self._weights, counts, strict=True):
            builder.count(tuple_type, *amounts)
            score += weight * amounts[2]
        return builder.outcome(score, self.method)

    def shown(self, tuple_type: str) -> tuple[Feature, ...]:
        """A predicate as a name, a role as an argument."""
        return (PREDICATE if tuple_type == "names" else ROLE,)
