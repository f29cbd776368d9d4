"""Features of relations and events: their roles, what fills them, all of it at once.

A relation is known by its arguments: :func:`bag` says them all, as one value.
What fills a role may be a mention, an entity, or another event; :class:`Filler`
says of each which one it is.

>>> from graphscore.model.graph import Anchor
>>> from graphscore.structures.layout import Argument, LayoutBuilder
>>> from graphscore.similarity import edges_out, target, via
>>> build = LayoutBuilder()
>>> ada = build.mention("PER", [Anchor(0, 3)])
>>> ibm = build.mention("ORG", [Anchor(13, 16)])
>>> _ = build.relation("works-for", [Argument("Arg1", ada), Argument("Arg2", ibm)])
>>> view = View(build.graph("1", "relation", text="Ada works for IBM"))
>>> Filler().of_all(view, [0]), Filler(typed="all").of_all(view, [0])
([((0, 3),)], [(((0, 3),), 'PER')])
>>> Role().of_all(view, [0, 1]), Role("order").of_all(view, [0, 1])
(['Arg1', 'Arg2'], [0, 1])
>>> bag(edges_out(), Role(), via(target, Filler())).of_all(view, [2]) == [
...     frozenset({("Arg1", ((0, 3),)), ("Arg2", ((13, 16),))})]
True

All members of a collection as one value, in their order: types of several levels.

>>> from graphscore.model.graph import Graph, Node
>>> from graphscore.similarity import itself, values
>>> levels = (("type", "conflict"), ("type", "attack"), ("type", "bombing"))
>>> view = View(Graph("1", "structure", nodes=(Node(0, "Event", levels),)))
>>> [said] = row(values("type"), itself).of_all(view, [0])
>>> row_members(said)
('conflict', 'attack', 'bombing')
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import ClassVar, Literal

from graphscore.model.anchors import visible_ranges
from graphscore.model.graph import Anchor, Graph, Node, Value
from graphscore.model.normalize import fold
from graphscore.similarity.expression import (
    ARTICLES,
    Sort,
    delegate,
    enumerate_names,
    require,
    spoken,
)
from graphscore.similarity.features.elements import (
    Column,
    Feature,
    anchors,
    comparable,
    kind,
    label,
    one_sort,
    plain_value,
    surface,
)
from graphscore.similarity.features.values import itself
from graphscore.similarity.navigation.collections import Collection
from graphscore.similarity.view import Element, Elements, View
from graphscore.structures.layout import first_of

Words = Literal["span", "head", "text"]
"""Key of a mention: its characters, those of its head, or its text."""

Typed = Literal["none", "events", "all"]
"""Fillers whose type counts too."""

Roles = Literal["name", "order", "none"]
"""Key of a role."""

MENTION, ENTITY, TRIGGER = "mention", "entity", "trigger"
RELATION, TEMPLATE, VALUE = "relation", "template", "value"


class Bag(Feature, frozen=True):
    """All members of a collection, as one value: what is said of each, and how often.

    Two things with equal bags have the same members, whatever their order.

    Args:
        collection: whose members.
        features: what is looked at of each member, at least one.

    Raises:
        FormulaError: if a feature is not said of the members.
    """

    says: ClassVar[bool] = False

    collection: Collection
    features: tuple[Feature, ...]

    def __post_init__(self) -> None:
        shown = self.collection.short
        require(
            bool(self.features),
            "found no feature, expected one or more",
            shown,
            shown,
        )
        sort = one_sort(self.features, " × ")
        require(
            sort == self.collection.yields,
            f"{self.features[0]} is said of {ARTICLES[sort]}, expected something said "
            f"of {ARTICLES[self.collection.yields]}: that is what {self.collection} "
            "leads to",
            self.short,
            self.features[0].short,
        )

    of = delegate("collection.of")

    @property
    def short(self) -> str:
        """The collection, and what is looked at."""
        return f"{self.collection.short}({','.join(f.short for f in self.features)})"

    @property
    def phrase(self) -> str:
        """The collection, and what is looked at, in a sentence."""
        features = enumerate_names(feature.phrase for feature in self.features)
        return f"{spoken(self.collection.short)} by {features}"

    def __repr__(self) -> str:
        return f"bag({', '.join(map(repr, (self.collection, *self.features)))})"

    def of_all(self, view: View, elements: Elements) -> list[Hashable]:
        """One value for each element, the same for the same members."""
        known: dict[Element, Hashable] = view.keep((self.token, "bags"), dict)
        left = [fromkey for fromkey in dict.fromkeys(elements) if fromkey not in known]
        if left:
            groups = self.collection.members(view, left)
            flat = [member for group in groups for member in group]
            columns = [feature.of_all(view, flat) for feature in self.features]
            values = iter(zip(*columns, strict=True))
            for element, group in zip(left, groups, strict=True):
                known[element] = self.combine([next(values) for _ in group])
        return [known[element] for element in elements]

    def combine(self, members: Sequence[tuple[Hashable, ...]]) -> Hashable:
        """A value that only the same members in any order give."""
        return _bag(members)


REPEATED = "repeated"
"""Prefix of members some of which are repeated."""


def _bag(members: Sequence[tuple[Hashable, ...]]) -> Hashable:
    """A value that only the same members in any order give."""
    distinct = frozenset(members)
    if len(distinct) == len(members):
        return distinct
    # Of a member that is there twice, the set alone would not tell.
    return (REPEATED, frozenset(Counter(members).items()))


def bag(collection: Collection, *features: Feature) -> Bag:
    """All members of a collection, as one value that can be equal or not.

    Args:
        collection: such as ``edges_out()``.
        features: what is looked at of each member.

    Raises:
        FormulaError: if a feature is not said of the members.
    """
    return Bag(collection, features)


class Role(Column, frozen=True):
    """The role that an edge gives its target.

    Args:
        by: ``name``, the edge's label; ``order``, its position among the edges of
            its source, from 0; ``none``, every role is the same.
        symmetric: types of relations whose roles are all the same.
    """

    call: ClassVar[str] = "role"
    of: ClassVar[Sort] = "edge"

    by: Roles = "name"
    symmetric: frozenset[str] = frozenset()

    @property
    def short(self) -> str:
        """Short name in formulas."""
        return "order" if self.by == "order" else "role"

    def __repr__(self) -> str:
        # Sets have no order: written down, they need one.
        names = ", ".join(map(repr, sorted(self.symmetric)))
        arguments = [repr(self.by)] if self.by != "name" else []
        if self.symmetric:
            arguments.append(f"symmetric=frozenset({{{names}}})")
        return f"role({', '.join(arguments)})"

    def column(self, view: View) -> Sequence[Hashable]:
        """One role for each edge."""
        edges, nodes = view.graph.edges, view.graph.nodes
        if self.by == "none":
            return [None] * len(edges)
        ordinals = view.places()
        result: list[Hashable] = []
        before: Counter[int] = Counter()
        for edge in edges:
            source = ordinals[edge.source]
            if str(nodes[source].label) in self.symmetric:
                result.append(None)
            elif self.by == "order":
                result.append(before[source])
                before[source] += 1
            else:
                result.append(comparable(edge.label))
        return result


class Filler(Feature, frozen=True):
    """Filler of a role, with a value that is equal for equal fillers on both sides.

    ========  ==============================================================
    mention   its characters; a bare string, where it has none
    entity    the set of its mentions
    trigger   the characters of the trigger
    relation  its type and what fills its own roles, further in only types
    value     the value
    ========  ==============================================================

    Args:
        by: what the words of a mention are known by: ``span``, its characters;
            ``head``, the characters of its head, or all where it names none;
            ``text``, what they say, upper and lower case and blanks alike.
        typed: of which fillers the type counts too: of none, of nested events, or
            of all.
        place: which characters of a mention count: ``anchors``, all of them, or
            ``visible_anchors``, those that are no white space.
    """

    call: ClassVar[str] = "filler"
    of: ClassVar[Sort] = "node"
    says: ClassVar[bool] = False

    by: Words = "span"
    typed: Typed = "none"
    place: Feature = anchors

    @property
    def short(self) -> str:
        """Short name: the key that is used."""
        every = self.by != "span" or self.place == anchors
        by = self.by if every else self.place.short
        return f"{by}+type" if self.typed == "all" else by

    def of_all(self, view: View, elements: Elements) -> list[Hashable]:
        """One value for each node; those of other nodes are not worked out."""
        known: dict[Element, Hashable] = view.keep((self.token, "fillers"), dict)
        left = [element for element in dict.fromkeys(elements) if element not in known]
        if left:
            kinds, types = kind.of_all(view, left), label.of_all(view, left)
            words = self._words(view, left)
            for node, sort, type_, word in zip(left, kinds, types, words, strict=True):
                known[node] = self._filler(view, node, sort, type_, word)
        return [known[element] for element in elements]

    def _filler(
        self, view: View, node: int, sort: Hashable, type_: Hashable, value: Hashable
    ) -> Hashable:
        if sort in (ENTITY, RELATION, TEMPLATE):
            table = view.outgoing()
            roles = [role for role, _ in table.get(node, ())]
            words = self._words(view, [end for _, end in table.get(node, ())])
            if sort != ENTITY:
                return type_, _bag(list(zip(roles, words, strict=True)))
            value = frozenset(words)
        elif sort == VALUE:
            value = type_
        if self.typed == "all" or (self.typed == "events" and sort == TRIGGER):
            return value, type_
        return value

    def _words(self, view: View, elements: Elements) -> Sequence[Hashable]:
        """Return the keys of the nodes' own words."""
        nodes, graph = view.graph.nodes, view.graph
        if self.by == "text":
            return [_folded_text(graph, nodes[element]) for element in elements]
        spots = self.place.of_all(view, elements)
        if self.by == "span":
            return spots
        return [
            self._head(graph, nodes[element], spot)
            for element, spot in zip(elements, spots, strict=True)
        ]

    def _head(self, graph: Graph, node: Node, spot: Hashable) -> Hashable:
        """The characters of a mention's head word, where its text has that word."""
        word = first_of(node.properties, "head")
        if not isinstance(word, str) or not word.strip():
            return spot
        for start, end in node.anchors:
            at = graph.text.find(word, max(start, 0), end)
            if at >= 0 and self.place == anchors:
                return ((at, at + len(word)),)
            if at >= 0:
                return visible_ranges([Anchor(at, at + len(word))], graph.text)
        return fold(word)


def _folded_text(graph: Graph, node: Node) -> Hashable:
    result = surface(graph, node)
    return None if result is None else fold(" ".join(result.split()))


# As parts of a formula they are named in small letters.
filler = Filler
role = Role


ROW = "row"
"""Prefix of members in their order, which is unique to them."""


class Row(Bag, frozen=True):
    """All members of a collection, as one value: what is said of each, in order.

    Two things with equal rows have the same members in the same order.

    Args:
        collection: whose members.
        features: what is looked at of each member, at least one.

    Raises:
        FormulaError: if a feature is not said of the members.
    """

    @property
    def short(self) -> str:
        """The collection, and what is looked at, if not all there is."""
        return self.collection.short if self.features == (itself,) else super().short

    def __repr__(self) -> str:
        return f"row({', '.join(map(repr, (self.collection, *self.features)))})"

    def combine(self, members: Sequence[tuple[Hashable, ...]]) -> Hashable:
        """A value that only the same members in the same order give."""
        single = len(self.features) == 1
        return ROW, tuple(values[0] if single else values for values in members)

    def raw(self, view: View, element: Element) -> Value:
        """The members as written, with commas between."""
        result = row_members(self.of_all(view, [element])[0])
        return ", ".join(str(plain_value(member)) for member in result or ()) or None


def row(collection: Collection, *features: Feature) -> Row:
    """All members of a collection, in order as one value.

    Args:
        collection: such as ``values("type")``.
        features: what is looked at of each member, such as ``itself``.

    Raises:
        FormulaError: if a feature is not said of the members.
    """
    return Row(collection, features)


def row_members(value: Hashable) -> tuple[Hashable, ...] | None:
    """The members that a row says; ``None`` for what is no row.

    Args:
        value: what a feature says.
    """
    if isinstance(value, tuple) and len(value) == 2 and value[0] == ROW:
        members = value[1]
        return members if isinstance(members, tuple) else None
    return None


def distinct_members(value: Hashable) -> Iterable[Hashable] | None:
    """The members that a row or a bag says, each once; ``None`` for anything else.

    Args:
        value: what a feature says.

    Example:
        >>> distinct_members("poet"), distinct_members(frozenset({("poet",)}))
        (None, ['poet'])
    """
    row = row_members(value)
    if row is not None:
        return dict.fromkeys(row)
    if isinstance(value, tuple) and len(value) == 2 and value[0] == REPEATED:
        counted = value[1]
        if not isinstance(counted, frozenset):
            return None
        return [only for (only, *_), _ in counted]
    if isinstance(value, frozenset):
        return [only for (only, *_) in value]
    return None
