"""Why members without a partner have none: the errors of a matching.

Of what is left alone, gold's and the system's members at the same place belong
together: they *differ*.  Where nothing of the sort is left at the place, but the
other side has all nodes that a member speaks of, it is *absent*; else it has *no
counterpart*.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

from graphscore.model.graph import Value
from graphscore.model.outcome import Error
from graphscore.model.outcome_builder import error_of
from graphscore.similarity.base import Partition, Similarity, keys_of
from graphscore.similarity.explanation.wording import (
    compared_text,
    describe_member,
    labels_of,
    object_name,
    spell,
)
from graphscore.similarity.expression import Sort
from graphscore.similarity.features.elements import Feature
from graphscore.similarity.navigation.steps import Via
from graphscore.similarity.view import Element, Pair, View


class EqualityTest(NamedTuple):
    """Features that a similarity requires to be equal."""

    where: tuple[Feature, ...]
    """Features that locate an element."""
    what: tuple[Feature, ...]
    """Features that describe it."""
    ends: tuple[tuple[Feature, Feature], ...]
    """Features of *where* that identify a node: of the member, and of the node."""


_TESTS: dict[int, EqualityTest] = {}


def equality_test(similarity: Similarity) -> EqualityTest:
    """Return the features that a similarity requires to be equal."""
    result = _TESTS.get(similarity.token)
    if result is None:
        result = _TESTS[similarity.token] = _equality_test(similarity)
    return result


def _equality_test(similarity: Similarity) -> EqualityTest:
    features, _ = similarity.split()
    where = tuple(feature for feature in features if not feature.says)
    ends = [
        (location, location.feature if isinstance(location, Via) else location)
        for location in where
        if location.of == "node"
        or (isinstance(location, Via) and location.step.leads == "node")
    ]
    return EqualityTest(
        where, tuple(feature for feature in features if feature.says), tuple(ends)
    )


Beside = tuple[list[int | None], list[int | None]]
"""For each member of either side the position of its counterpart in *members*."""


class Errors:
    """Errors of members without a partner, of one pair and one kind.

    Args:
        pair: the two graphs.
        kind: the kind that errors are of.
        shown: what errors show as the value, of things that these features are
            said of, and nothing of others; ``None`` for what the formula suggests.
    """

    def __init__(
        self, pair: Pair, kind: str, shown: tuple[Feature, ...] | None
    ) -> None:
        self.pair, self.kind, self.shown = pair, kind, shown
        self._views = (pair.gold, pair.system)

    def of(
        self, apart: Partition, parent: int | None
    ) -> tuple[list[Error], list[Error]]:
        """An error for each member, gold's and the system's.

        Args:
            apart: the members.
            parent: position of the match that they are inside of.
        """
        test = equality_test(apart.similarity)
        beside = self._find_beside(apart, test)
        return (
            self._errors(0, apart, test, beside, parent),
            self._errors(1, apart, test, beside, parent),
        )

    def _find_beside(self, apart: Partition, test: EqualityTest) -> Beside:
        """For members one on the other side at the same place.

        The first of gold's at a place and the first of the system's there belong
        together, and so on.
        """
        left, right = apart.members
        beside: Beside = ([None] * len(left), [None] * len(right))
        if not (left and right and test.where):
            return beside
        waiting: dict[Hashable, list[int]] = {}
        keys = keys_of(test.where, self.pair.system, right)
        for system_index in range(len(right) - 1, -1, -1):
            waiting.setdefault(keys[system_index], []).append(system_index)
        for index, key in enumerate(keys_of(test.where, self.pair.gold, left)):
            if others := waiting.get(key):
                column = others.pop()
                beside[0][index], beside[1][column] = column, index
        return beside

    def _errors(
        self,
        side: int,
        apart: Partition,
        test: EqualityTest,
        beside: Beside,
        parent: int | None,
    ) -> list[Error]:
        """Errors of members of one side."""
        elements, others = apart.members[side], beside[side]
        if not elements:
            return []
        view, sort = self._views[side], apart.sort
        object_, many = object_name(apart), len(test.what) > 1
        own, opposite = (
            self.ordinals(k, sort, apart.members[k], apart.places[k])
            for k in (side, 1 - side)
        )
        nodes_there = self._there(side, elements, test)
        nodes = (
            self.ordinals(1 - side, "node", nodes_there, []) if sort in NODES else None
        )
        differing = self._find_differing(side, apart, others, nodes_there, test)
        labels = labels_of(view.graph, sort, elements)
        shown = self.show(view, sort, elements)
        errors = []
        for index, counterpart in enumerate(others):
            names = differing[index] if differing else []
            reason, beyond = "no counterpart", None
            if counterpart is not None:
                reason, beyond = "differs", opposite[counterpart]
            elif nodes_there[index] is not None:
                reason = "absent"
                if nodes is not None:
                    beyond = nodes[index]
            if shown is None:
                feature = names[0] if counterpart is not None and names else None
                name, value, compared = describe_member(
                    view, apart, elements[index], feature
                )
            else:
                name, value, compared = shown[index]
            if names and not name:
                name = _error_name(names, many)
            errors.append(
                error_of(
                    "spurious" if side else "missing",
                    self.kind,
                    own[index],
                    beyond,
                    what=object_,
                    label=labels[index],
                    name=name,
                    value=value,
                    compared=compared,
                    reason=reason,
                    parent=parent,
                )
            )
        return errors

    def ordinals(
        self,
        side: int,
        sort: Sort,
        elements: Sequence[Element | None],
        positions: Sequence[int],
    ) -> Sequence[int | None]:
        """Return the numbers of elements in rows: ordinals, or positions of values.

        Args:
            side: 0 for gold, 1 for the system.
            sort: what they are.
            elements: elements; of nodes there may be none.
            positions: their positions among the members of their owner.
        """
        if sort == "value":
            return positions
        if sort == "property":
            elements = [node for node, _ in elements]  # type: ignore[misc]
        numbers = self._views[side].numbers
        if numbers is None or sort in ("edge", "graph"):
            return elements
        return [None if node is None else numbers[node] for node in elements]

    def _there(
        self, side: int, elements: list[Element], test: EqualityTest
    ) -> list[Element | None]:
        """For each element the first node that it speaks of, as the other side has it.

        ``None`` where that side lacks one of them.
        """
        if not test.ends:
            return [None] * len(elements)
        view, opposite = self._views[side], self._views[1 - side]
        columns = []
        for feature, of_node in test.ends:
            index = _index(opposite, of_node)
            columns.append([index.get(v) for v in feature.of_all(view, elements)])
        if len(columns) == 1:
            return columns[0]
        return [None if None in row else row[0] for row in zip(*columns, strict=True)]

    def show(
        self, view: View, sort: Sort, elements: list[Element]
    ) -> list[tuple[str, Value, str | None]] | None:
        """Return the display of elements in error rows, if the metric defines it.

        Args:
            view: the graph.
            sort: what the elements are.
            elements: the elements.

        Returns:
            Name, value, and what is compared where that differs; ``None`` where it
            is left to the formula.
        """
        if self.shown is None or sort == "property":
            return None
        columns = [feature for feature in self.shown if feature.of == sort]
        if len(columns) == 1:
            [column] = columns
            written = column.raws(view, elements)
            compared = column.of_all(view, elements)
            return [
                ("", value, compared_text(value, key))
                for value, key in zip(written, compared, strict=True)
            ]
        if not columns:
            return [("", "", None)] * len(elements)
        values = (map(spell, column.raws(view, elements)) for column in columns)
        return [("", " ".join(texts), None) for texts in zip(*values, strict=True)]

    def _find_differing(
        self,
        side: int,
        apart: Partition,
        others: list[int | None],
        nodes_there: list[Element | None],
        test: EqualityTest,
    ) -> list[list[Feature]] | None:
        """The features that tell each member from what is at its place there.

        That is its counterpart, or for a node the one at the same place.
        """
        if self.shown is not None and len(test.what) == 1 and not test.what[0].field:
            # There is no choice, and no name to be told.
            return None
        elements, opposite = apart.members[side], apart.members[1 - side]
        pairs = []
        for index, (counterpart, node) in enumerate(
            zip(others, nodes_there, strict=True)
        ):
            if counterpart is not None:
                pairs.append((index, opposite[counterpart]))
            elif node is not None and apart.sort == "node":
                pairs.append((index, node))
        if not pairs:
            return None
        features: list[list[Feature]] = [[] for _ in elements]
        own = [elements[index] for index, _ in pairs]
        others_there = [element for _, element in pairs]
        for feature in test.what:
            left = feature.of_all(self._views[side], own)
            right = feature.of_all(self._views[1 - side], others_there)
            for (index, _), first, second in zip(pairs, left, right, strict=True):
                if first != second:
                    features[index].append(feature)
        return features


NODES = ("node", "property")
"""Sorts of which the node there is named."""


def _error_name(differing: list[Feature], many: bool) -> str:
    """Return the error name of the features that differ.

    Args:
        differing: the features.
        many: whether there are others, so that even a label has to be named.
    """
    return "+".join(
        feature.field or (feature.short if many else "") for feature in differing
    )


def _index(view: View, feature: Feature) -> dict[Hashable, int]:
    """The first node of which a feature says something, by what it says."""

    def make() -> dict[Hashable, int]:
        nodes = range(len(view.graph.nodes))
        values = feature.of_all(view, nodes)
        # Of several the first stays.
        return dict(zip(reversed(values), reversed(nodes), strict=True))

    return view.keep((feature.token, "index"), make)
