"""Sums over matchings of parts (Σ, eq. 13), and what makes ratios of them.

Three ways to a sum, chosen by the shape of what is summed::

    δ alone           equal keys are counted, set by set: no pair is ever formed
    δ and more        only pairs with equal keys are compared
    no δ              all pairs that the parts say are not 0

For many owners at once their parts are joined in one go: the sparse table of who
shares what with whom.  Then each two that share something are matched by themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain
from typing import ClassVar, get_args

from graphscore.similarity.base import (
    Aligned,
    Asked,
    Bag,
    Cell,
    Number,
    Numerators,
    Partition,
    Similarity,
    Sparse,
    added,
    join_size,
    keys_of,
    require_similarity,
)
from graphscore.similarity.expression import (
    ARTICLES,
    Notation,
    delegated,
    require,
)
from graphscore.similarity.navigation.collections import Collection
from graphscore.similarity.operators.counting import (
    Duplicates,
    EqualMembers,
    as_aligned,
    cut,
    places_of,
    rows_of,
)
from graphscore.similarity.solvers import assignment
from graphscore.similarity.solvers.assignment import CONSTRAINTS, Constraint
from graphscore.similarity.solvers.numerators import Members, fullest, numerators
from graphscore.similarity.solvers.ordering import InSequence, Order
from graphscore.similarity.view import (
    ROOT,
    Element,
    Elements,
    Pair,
    View,
    unique,
)


@dataclass(frozen=True, repr=False)
class Match(Similarity):
    """The sum of similarities over the best matching of members (Σ, eq. 13).

    Args:
        collection: whose members are matched.
        similarity: how two members are compared.
        constraint: ``1:1``, ``n:1`` (many system members may match one gold
            member), ``1:n`` or ``n:n``.
        duplicates: whether members that look alike to *similarity* each count.
        order: an order that matched members must have in common (eq. 37).
    """

    call: ClassVar[str] = "match"
    normalized: ClassVar[bool] = False

    collection: Collection
    similarity: Similarity
    constraint: Constraint = "1:1"
    duplicates: Duplicates = "multiset"
    order: Order | None = None

    def __post_init__(self) -> None:
        require(
            isinstance(self.collection, Collection),
            f"found {self.collection!r}, expected a collection such as "
            "nodes('mention') or edges_out()",
            f"Σ{self.collection}[{self.similarity}]",
            f"{self.collection}",
            "Σ",
        )
        shown = f"Σ{self.collection}[{self.similarity}]"
        require_similarity(
            self.similarity,
            self.collection.yields,
            f": {ARTICLES[self.collection.yields]} is what {self.collection} leads to",
            shown,
            f"Σ{self.collection}[",
        )
        demand = partial(require, formula=shown, spot="Σ", before="")
        for found, choices in (
            (self.constraint, CONSTRAINTS),
            (self.duplicates, get_args(Duplicates)),
        ):
            demand(
                found in choices,
                f"found {found!r}, expected one of: {', '.join(choices)}",
            )
        if self.order is not None:
            demand(
                isinstance(self.order, Order),
                f"found {self.order!r}, expected an order such as in_sequence",
            )
            self.order.check(self.collection, shown)

    @property
    def proper(self) -> bool:
        """One to one, of parts that are."""
        return self.constraint == "1:1" and self.similarity.proper

    @property
    def capped(self) -> bool:
        """Unless any part may match many on both sides."""
        return self.constraint != "n:n" and self.similarity.capped

    @property
    def sided(self) -> bool:
        """True if its constraint, or that of a part, is not one to one."""
        return self.constraint != "1:1" or self.similarity.sided

    of = delegated("collection.of")

    def arguments(self) -> Iterator[str]:
        """The collection, the similarity, and what is off its default."""
        yield repr(self.collection)
        yield repr(self.similarity)
        if self.constraint != "1:1":
            yield repr(self.constraint)
        if self.duplicates != "multiset":
            yield f"duplicates={self.duplicates!r}"
        if self.order is not None:
            yield f"order={self.order!r}"

    def spell(self, notation: Notation) -> str:
        """Σ with its constraint, collection and similarity."""
        return self.spelt(notation.total, notation)

    def spelt(self, letter: str, notation: Notation) -> str:
        """The same with another letter, as normalised sums are written."""
        arrow = notation.above(notation.arrows[self.constraint])
        order = "" if self.order is None else self.order.spell(notation)
        below = self.collection.spell(notation) + order
        shown = notation.below(below) if notation.latex else below
        left, right = notation.brackets
        return f"{letter}{arrow}{shown}{left}{self.similarity.spell(notation)}{right}"

    def parts(self) -> Iterator[Similarity]:
        """The similarity of members."""
        yield self.similarity

    # Members and keys of one graph.

    def members(self, view: View, owners: Elements) -> list[list[Element]]:
        """The members of each owner; of members that look alike one, in a set."""
        result = [list(member) for member in self.collection.members(view, owners)]
        if self.duplicates == "set":
            result = [self._distinct(view, each) for each in result]
        return result

    def _distinct(self, view: View, members: list[Element]) -> list[Element]:
        seen = self.similarity.identities(view, members)
        first: dict[Hashable, Element] = {}
        for key, member in zip(seen, members, strict=True):
            first.setdefault(key, member)
        return list(first.values())

    @cached_property
    def equal(self) -> EqualMembers | None:
        """The members, where only their equality counts; ``None`` for others."""
        features, rest = self.similarity.split()
        if rest or self.order is not None:
            return None
        return EqualMembers(
            self.token,
            self.collection,
            self.similarity,
            features,
            self.constraint,
            self.duplicates,
        )

    @cached_property
    def countable(self) -> bool:
        """True if it counts equal members of the whole graph, one to one."""
        one_to_one = self.constraint == "1:1" and self.equal is not None
        return one_to_one and self.collection.of == "graph"

    def bags(self, view: View) -> tuple[Bag, ...]:
        """The keys of all members, as one bag."""
        result: tuple[Bag, ...] | None = view.kept.get(self.bag_key)
        if result is None and self.equal is not None:
            result = view.kept[self.bag_key] = (self.equal.bag(view),)
        return result or ()

    def parted(self, pair: Pair, matched: bool = True) -> tuple[Partition, ...]:
        """Its members that are equal, and those that are not."""
        if self.equal is None:
            return ()
        if not matched:
            [left], [right] = self.bags(pair.gold), self.bags(pair.system)
            if alone := self.equal.alone(pair, left, right):
                return (alone,)
        return (self.equal.parted(pair, ROOT, ROOT),)

    def warm(self, view: View, elements: Elements) -> None:
        """Work out members, keys and what is inside of them."""
        if self.countable:
            self.bags(view)
        elif self.equal is not None:
            self.equal.counters(view, elements)
        else:
            inner = (each for group in self.members(view, elements) for each in group)
            self.similarity.warm(view, list(dict.fromkeys(inner)))

    def pairs(
        self, pair: Pair, gold: Elements, system: Elements, requested: Asked = None
    ) -> Sparse:
        """The sums that are not 0."""
        if self.equal is not None:
            return self.equal.pairs(pair, gold, system, requested)
        tables = self._tables(pair, gold, system, requested)
        if self.order is None:
            kept = self.constraint
            return {at: assignment.worth(cells, kept) for at, cells in tables.items()}
        left, right = self.members(pair.gold, gold), self.members(pair.system, system)
        return {
            (r, c): added(
                cells[cell] for cell in self._best(pair, left[r], right[c], cells)
            )
            for (r, c), cells in tables.items()
        }

    def overlaps(
        self, pair: Pair, gold: Elements, system: Elements, requested: Asked = None
    ) -> dict[Cell, Numerators]:
        """The sums, told apart by what recall and precision count."""
        if not self.sided:
            return super().overlaps(pair, gold, system, requested)
        if self.equal is not None:
            return self.equal.overlaps(pair, gold, system, requested)
        left = self.members(pair.gold, gold)
        right = self.members(pair.system, system)
        result = {}
        for (r, c), cells in self._tables(pair, gold, system, requested).items():
            matched = self._best(pair, left[r], right[c], cells)
            members = self._members(pair, left[r], right[c], cells)
            result[r, c] = numerators(members, matched)
        return result

    def effort(self, pair: Pair, gold: Elements, system: Elements) -> int:
        """Return the cost of comparing all members."""
        if self.equal is not None:
            return self.equal.effort(pair, gold, system)
        left = chain.from_iterable(self.collection.members(pair.gold, gold))
        right = chain.from_iterable(self.collection.members(pair.system, system))
        return self.similarity.effort(
            pair, list(dict.fromkeys(left)), list(dict.fromkeys(right))
        )

    def selves(self, view: View, elements: Elements) -> list[Number]:
        """Σ of each with itself: where nothing earns more, every member itself."""
        if self.constraint == "n:n" or not self.similarity.proper:
            found = self.pairs(
                Pair(view, view),
                elements,
                elements,
                [(k, k) for k in range(len(elements))],
            )
            return [found.get((k, k), 0) for k in range(len(elements))]
        if self.equal is not None:
            return self.equal.selves(view, elements)
        groups = self.members(view, elements)
        flat, where = unique([each for group in groups for each in group])
        worth = self.similarity.selves(view, flat)
        places = iter(where)
        return [added([worth[next(places)] for _ in group]) for group in groups]

    def identities(self, view: View, elements: Elements) -> list[Hashable]:
        """Return the identities of all members; their order only where it matters."""
        result: list[Hashable] = []
        for element, group in zip(elements, self.members(view, elements), strict=True):
            seen = self.similarity.identities(view, group)
            if self.order is None:
                result.append(frozenset(Counter(seen).items()))
            elif isinstance(self.order, InSequence):
                result.append(tuple(seen))
            else:
                result.append((element, tuple(seen)))
        return result

    def _tables(
        self, pair: Pair, gold: Elements, system: Elements, requested: Asked
    ) -> dict[Cell, Sparse]:
        """For every two owners the similarities of their members, by position."""
        mine = self.members(pair.gold, gold)
        theirs = self.members(pair.system, system)
        left, where = unique([each for group in mine for each in group])
        right, there = unique([each for group in theirs for each in group])
        asked = self._asked(pair, mine, theirs, left, where, right, there, requested)
        cells = self.similarity.pairs(pair, left, right, asked)
        single = len(mine) == len(theirs) == 1
        if single and len(left) == len(mine[0]) and len(right) == len(theirs[0]):
            return {(0, 0): cells} if cells else {}
        rows, columns = places_of(mine, where), places_of(theirs, there)
        only = None if requested is None else set(requested)
        matrices: dict[Cell, Sparse] = {}
        for (first, second), number in cells.items():
            for r, p in rows[first]:
                for c, q in columns[second]:
                    if only is None or (r, c) in only:
                        matrices.setdefault((r, c), {})[p, q] = number
        return matrices

    def tables(self, pair: Pair, left: list[Element], right: list[Element]) -> Sparse:
        """The similarities of two lists of members that are not 0, by position."""
        mine, where = unique(left)
        theirs, there = unique(right)
        cells = self.similarity.pairs(pair, mine, theirs)
        if len(mine) == len(left) and len(theirs) == len(right):
            return cells
        rows, columns = places_of([left], where), places_of([right], there)
        return {
            (p, q): number
            for (one, two), number in cells.items()
            for _, p in rows[one]
            for _, q in columns[two]
        }

    def _asked(
        self,
        pair: Pair,
        mine: list[list[Element]],
        theirs: list[list[Element]],
        left: list[Element],
        where: list[int],
        right: list[Element],
        there: list[int],
        requested: Asked,
    ) -> set[Cell] | None:
        """Return the members to compare; ``None`` if a join of all is no dearer."""
        if requested is None:
            return None
        dear = sum(len(mine[r]) * len(theirs[c]) for r, c in requested)
        features, _ = self.similarity.split()
        if features:
            mine_keys = keys_of(features, pair.gold, left)
            if join_size(mine_keys, keys_of(features, pair.system, right)) <= dear:
                return None
        elif dear >= len(left) * len(right):
            return None
        rows, columns = cut(mine, where), cut(theirs, there)
        return {(p, q) for r, c in requested for p in rows[r] for q in columns[c]}

    # Matchings.

    def _best(
        self, pair: Pair, left: list[Element], right: list[Element], cells: Sparse
    ) -> list[Cell]:
        """The best matching of two owners' members, by position."""
        if not cells:
            return []
        if self.order is not None:  # searched once: steps and gap count once
            key = tuple(left), tuple(right), frozenset(cells.items())
            order, kept = self.order, self.constraint
            return pair.keep(
                (self.token, "ordered", key),
                lambda: order.matching(pair, left, right, cells, kept),
            )
        return fullest(self._members(pair, left, right, cells))

    def _members(
        self, pair: Pair, left: Elements, right: Elements, cells: Sparse
    ) -> Members:
        return Members(self.similarity, self.constraint, pair, (left, right), cells)

    def aligned(
        self, pair: Pair, gold: Element | None, system: Element | None
    ) -> tuple[Aligned, ...]:
        """The matched members, then those without a partner, gold's first."""
        if self.equal is not None:
            return as_aligned(self.equal.parted(pair, gold, system))
        mine = self.members(pair.gold, [] if gold is None else [gold])
        theirs = self.members(pair.system, [] if system is None else [system])
        left, right = (mine[0] if mine else []), (theirs[0] if theirs else [])
        cells: Sparse = {}
        matched: list[Cell] = []
        if left and right:
            tables = self._tables(pair, [gold], [system], [(0, 0)])
            cells = tables.get((0, 0), {})
            matched = self._best(pair, left, right, cells)
        return rows_of(
            pair, self.collection, self.similarity, (left, right), cells, matched
        )


# As parts of a formula they are named in small letters.
match = Match
