"""Objects read back from their graphs: for functions of one's own.

>>> from graphscore.structures.objects.dataclasses import to_graph
>>> from graphscore.structures.extraction import Mention, Relation
>>> view = View(to_graph(Relation("in", Mention(0, 4), Mention(9, 12))))
>>> objects("obj", Mention).of_all(view, [0])
[Mention(left=9, right=12)]
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from graphscore.similarity.expression import Sort
from graphscore.similarity.features.elements import Feature, OfOther, plain
from graphscore.similarity.view import Element, Elements, View
from graphscore.structures.objects.annotations import shape_of
from graphscore.structures.objects.reading import Reader, literal_of
from graphscore.structures.objects.shapes import Shape


@dataclass(frozen=True, repr=False)
class Objects(Feature):
    """Objects read back, for functions of one's own.

    Args:
        name: the field that holds them; ``None`` for the object itself.
        shape: what they are.
    """

    call: ClassVar[str] = "objects"
    of: ClassVar[Sort] = "node"
    says: ClassVar[bool] = False

    name: str | None
    shape: Shape

    def arguments(self) -> Iterator[str]:
        """The field, and what it holds as an annotation says it."""
        yield repr(self.name)
        yield str(self.shape)

    @property
    def short(self) -> str:
        """The field's name, or that of the class."""
        return self.name or self.shape.label

    def of_all(self, view: View, elements: Elements) -> list[Hashable]:
        """What each element holds, or is."""
        reader = view.keep(("reader", "objects"), lambda: Reader(view.graph))
        read: dict[Element, Hashable] = view.keep(self.token, dict)
        for element in elements:
            if element not in read:
                if self.name is None:
                    read[element] = reader.node(element, self.shape, "object")
                else:
                    read[element] = reader.field(element, self.name, self.shape)
        return [read[element] for element in elements]


def objects(name: str | None, cls: Any) -> Objects:
    """Objects read back, for functions of one's own.

    Args:
        name: the field that holds them; ``None`` for the object itself.
        cls: what they are.
    """
    return Objects(name, shape_of(cls, name or str(cls), {}))


@dataclass(frozen=True, repr=False)
class Members(OfOther):
    """Members of an enumeration, or truth values, for functions of one's own.

    Args:
        feature: what stands for them.
        shape: what they are.
    """

    call: ClassVar[str] = "members"

    feature: Feature
    shape: Shape

    def arguments(self) -> Iterator[str]:
        """The feature, and what it stands for as an annotation says it."""
        yield repr(self.feature)
        yield str(self.shape)

    def of_all(self, view: View, elements: Elements) -> list[Hashable]:
        """What each stands for."""
        said = self.feature.of_all(view, elements)
        return [literal_of(plain(each), self.shape, self.short) for each in said]


def members(feature: Feature, cls: Any) -> Members:
    """Members of an enumeration, or truth values, for functions of one's own.

    Args:
        feature: what stands for them.
        cls: what they are.
    """
    return Members(feature, shape_of(cls, feature.short, {}))
