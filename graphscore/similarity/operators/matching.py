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
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import ClassVar, Literal, get_args

from graphscore.similarity.base import (
    Aligned,
    Asked,
    Bag,
    Cell,
    Keys,
    Number,
    Numerators,
    Parted,
    Similarity,
    Sparse,
    added,
    join_size,
    require_similarity,
)
from graphscore.similarity.expression import ARTICLES, Notation, Sort, require
from graphscore.similarity.navigation.collections import Collection
from graphscore.similarity.operators.counting import (
    Counted,
    amount_of,
    as_aligned,
    contingency,
    cut,
    held,
    lacking,
    places_of,
    rows_of,
    together,
)
from graphscore.similarity.positive import of_matching
from graphscore.similarity.solvers import assignment
from graphscore.similarity.solvers.assignment import CONSTRAINTS, Constraint
from graphscore.similarity.solvers.numerators import Members, fullest, numerators
from graphscore.similarity.solvers.ordering import InSequence, Order
from graphscore.similarity.view import (
    GRAPH,
    ROOT,
    Element,
    Elements,
    Pair,
    View,
    unique,
)

Duplicates = Literal["multiset", "set"]
"""Whether members that look alike each count, or are one."""


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

    ruling = of_matching

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
        for found, choices in (
            (self.constraint, CONSTRAINTS),
            (self.duplicates, get_args(Duplicates)),
        ):
            require(
                found in choices,
                f"found {found!r}, expected one of: {', '.join(choices)}",
                shown,
                "Σ",
                "",
            )
        if self.order is not None:
            require(
                isinstance(self.order, Order),
                f"found {self.order!r}, expected an order such as in_sequence",
                shown,
                "Σ",
                "",
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
        """Where the constraint is not one to one, or that of a part is not."""
        return self.constraint != "1:1" or self.similarity.sided

    @property
    def of(self) -> Sort:
        """Where the collection starts."""
        return self.collection.of

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
        shown = notation.below(below) if notation.delta.startswith("\\") else below
        left, right = notation.brackets
        return f"{letter}{arrow}{shown}{left}{self.similarity.spell(notation)}{right}"

    def parts(self) -> Iterator[Similarity]:
        """The similarity of members."""
        yield self.similarity

    # Members and keys of one graph.

    def members(self, view: View, owners: Elements) -> list[list[Element]]:
        """The members of each owner; of members that look alike one, in a set."""
        found = [list(each) for each in self.collection.members(view, owners)]
        if self.duplicates == "set":
            found = [self._distinct(view, each) for each in found]
        return found

    def _distinct(self, view: View, members: list[Element]) -> list[Element]:
        seen = self.similarity.identities(view, members)
        first: dict[Hashable, Element] = {}
        for key, member in zip(seen, members, strict=True):
            first.setdefault(key, member)
        return list(first.values())

    def _counters(self, view: View, owners: Elements) -> list[Counted]:
        """How often each key is there, for each owner, if equality is all."""
        known: dict[Element, Counted] = view.keep((self.token, "counted"), dict)
        left = [owner for owner in owners if owner not in known]
        if left:
            keys = Keys(self.similarity.split()[0])
            groups = self.collection.members(view, left)
            flat = iter(keys.of(view, [each for group in groups for each in group]))
            for owner, group in zip(left, groups, strict=True):
                here = [next(flat) for _ in group]
                if self.duplicates == "set":
                    known[owner] = dict.fromkeys(here, 1)
                else:
                    known[owner] = Counter(here)
        return [known[owner] for owner in owners]

    @cached_property
    def countable(self) -> bool:
        """Whether equality is all, one to one, of members of the whole graph."""
        return (
            self.collection.of == "graph"
            and self.constraint == "1:1"
            and self.order is None
            and not self.similarity.split()[1]
        )

    def bags(self, view: View) -> tuple[Bag, ...]:
        """The keys of all members, as one bag."""
        found: tuple[Bag, ...] | None = view.kept.get(self.bag_key)
        if found is None:
            found = view.kept[self.bag_key] = (self._bag(view),)
        return found

    def _bag(self, view: View) -> Bag:
        _, every = self._every(view)
        keys = frozenset(every)
        if self.duplicates == "set" or len(keys) == len(every):
            return Bag(keys, {}, len(keys))
        repeated = {key: count for key, count in Counter(every).items() if count > 1}
        return Bag(keys, repeated, len(every))

    def _every(self, view: View) -> tuple[tuple[Element, ...], list[Hashable]]:
        """All members of the graph, and their keys."""
        [members] = self.collection.members(view, GRAPH)
        keys = view.keep((self.token, "keys"), lambda: self._keys(view, members))
        return members, keys

    def parted(self, pair: Pair, matched: bool = True) -> tuple[Parted, ...]:
        """Its members that are equal, and those that are not."""
        if not matched:
            [one], [two] = self.bags(pair.gold), self.bags(pair.system)
            left, right = self._every(pair.gold), self._every(pair.system)
            # Of members that are alike some may have a partner, and others not.
            if len(one.keys) == len(left[1]) and len(two.keys) == len(right[1]):
                mine = lacking(*left, two.keys)
                theirs = lacking(*right, one.keys)
                return (self._parted([], mine, theirs),)
        return (self._equal(pair, ROOT, ROOT),)

    def _parted(
        self,
        matched: list[tuple[Element, int, Element, int]],
        gold: list[tuple[Element, int]],
        system: list[tuple[Element, int]],
    ) -> Parted:
        sort, via = self.collection.yields, self.collection.short
        return Parted(sort, via, self.similarity, matched, gold, system)

    @cached_property
    def _equalities(self) -> Keys:
        return Keys(self.similarity.split()[0])

    def _keys(self, view: View, members: Sequence[Element]) -> list[Hashable]:
        return self._equalities.of(view, members)

    def warm(self, view: View, elements: Elements) -> None:
        """Work out members, keys and what is inside of them."""
        if self.countable:
            self.bags(view)
        elif not self.similarity.split()[1] and self.order is None:
            self._counters(view, elements)
        else:
            inner = (each for group in self.members(view, elements) for each in group)
            self.similarity.warm(view, list(dict.fromkeys(inner)))

    def pairs(
        self, pair: Pair, gold: Elements, system: Elements, wanted: Asked = None
    ) -> Sparse:
        """The sums that are not 0."""
        if self.order is None and not self.similarity.split()[1]:
            return self._counted(pair, gold, system, wanted)
        tables = self._tables(pair, gold, system, wanted)
        if self.order is None:
            kept = self.constraint
            return {at: assignment.worth(cells, kept) for at, cells in tables.items()}
        mine, theirs = self.members(pair.gold, gold), self.members(pair.system, system)
        return {
            (r, c): added(
                cells[cell] for cell in self._best(pair, mine[r], theirs[c], cells)
            )
            for (r, c), cells in tables.items()
        }

    def overlaps(
        self, pair: Pair, gold: Elements, system: Elements, wanted: Asked = None
    ) -> dict[Cell, Numerators]:
        """The sums, told apart by what recall and precision count."""
        if not self.sided:
            return super().overlaps(pair, gold, system, wanted)
        if self.order is None and not self.similarity.split()[1]:
            return self._counted_sides(pair, gold, system, wanted)
        mine = self.members(pair.gold, gold)
        theirs = self.members(pair.system, system)
        found = {}
        for (r, c), cells in self._tables(pair, gold, system, wanted).items():
            matched = self._best(pair, mine[r], theirs[c], cells)
            members = self._members(pair, mine[r], theirs[c], cells)
            found[r, c] = numerators(members, matched)
        return found

    def _counted_sides(
        self, pair: Pair, gold: Elements, system: Elements, wanted: Asked
    ) -> dict[Cell, Numerators]:
        """Sums of equalities; one to one they count every member once."""
        literal = self._counted(pair, gold, system, wanted)
        if self.constraint == "n:n" and self.duplicates == "multiset":
            mine = self._counters(pair.gold, gold)
            return held(mine, self._counters(pair.system, system), literal)
        once = Match(self.collection, self.similarity, "1:1", self.duplicates)
        bounded = once._counted(pair, gold, system, list(literal))
        if self.constraint == "n:1":
            return {c: Numerators(bounded[c], n, n) for c, n in literal.items()}
        return {c: Numerators(n, bounded[c], n) for c, n in literal.items()}

    def effort(self, pair: Pair, gold: Elements, system: Elements) -> int:
        """What it takes to compare all members."""
        if self.order is None and not self.similarity.split()[1]:
            there = Counter(
                key for each in self._counters(pair.system, system) for key in each
            )
            return sum(
                there[key]
                for each in self._counters(pair.gold, gold)
                for key in each
                if key in there
            )
        mine = chain.from_iterable(self.collection.members(pair.gold, gold))
        theirs = chain.from_iterable(self.collection.members(pair.system, system))
        return self.similarity.effort(
            pair, list(dict.fromkeys(mine)), list(dict.fromkeys(theirs))
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
        if not self.similarity.split()[1]:
            if self.duplicates == "multiset":
                return [len(each) for each in self.collection.members(view, elements)]
            return [len(each) for each in self._counters(view, elements)]
        groups = self.members(view, elements)
        flat, where = unique([each for group in groups for each in group])
        worth = self.similarity.selves(view, flat)
        places = iter(where)
        return [added([worth[next(places)] for _ in group]) for group in groups]

    def identities(self, view: View, elements: Elements) -> list[Hashable]:
        """What is seen of all members; their order only where it matters."""
        found: list[Hashable] = []
        for element, group in zip(elements, self.members(view, elements), strict=True):
            seen = self.similarity.identities(view, group)
            if self.order is None:
                found.append(frozenset(Counter(seen).items()))
            elif isinstance(self.order, InSequence):
                found.append(tuple(seen))
            else:
                found.append((element, tuple(seen)))
        return found

    def _counted(
        self, pair: Pair, gold: Elements, system: Elements, wanted: Asked
    ) -> Sparse:
        """Sums of equalities, by counting equal keys."""
        mine = self._counters(pair.gold, gold)
        theirs = self._counters(pair.system, system)
        if wanted is None and len(mine) == len(theirs) == 1:
            wanted = ((0, 0),)
        if wanted is not None:
            cost = sum(min(len(mine[r]), len(theirs[c])) for r, c in wanted)
            table = sum(map(len, mine)) + sum(map(len, theirs))
            if len(wanted) <= 1 or cost <= 2 * table:
                found = ((cell, self._shared(mine, theirs, cell)) for cell in wanted)
                return {cell: number for cell, number in found if number}
        return contingency(mine, theirs, wanted, self.constraint)

    def _shared(self, mine: list[Counted], theirs: list[Counted], cell: Cell) -> Number:
        one, two = mine[cell[0]], theirs[cell[1]]
        both = one.keys() & two.keys()
        if self.duplicates == "set":
            return len(both)
        return sum([amount_of(one[key], two[key], self.constraint) for key in both])

    def _tables(
        self, pair: Pair, gold: Elements, system: Elements, wanted: Asked
    ) -> dict[Cell, Sparse]:
        """For every two owners the similarities of their members, by position."""
        mine = self.members(pair.gold, gold)
        theirs = self.members(pair.system, system)
        left, where = unique([each for group in mine for each in group])
        right, there = unique([each for group in theirs for each in group])
        asked = self._asked(pair, mine, theirs, left, where, right, there, wanted)
        cells = self.similarity.pairs(pair, left, right, asked)
        single = len(mine) == len(theirs) == 1
        if single and len(left) == len(mine[0]) and len(right) == len(theirs[0]):
            return {(0, 0): cells} if cells else {}
        rows, columns = places_of(mine, where), places_of(theirs, there)
        only = None if wanted is None else set(wanted)
        found: dict[Cell, Sparse] = {}
        for (one, two), number in cells.items():
            for r, p in rows[one]:
                for c, q in columns[two]:
                    if only is None or (r, c) in only:
                        found.setdefault((r, c), {})[p, q] = number
        return found

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
        wanted: Asked,
    ) -> set[Cell] | None:
        """Which members need comparing; ``None`` where a join of all is no dearer."""
        if wanted is None:
            return None
        dear = sum(len(mine[r]) * len(theirs[c]) for r, c in wanted)
        features, _ = self.similarity.split()
        if features:
            keys = Keys(features)
            if join_size(keys.of(pair.gold, left), keys.of(pair.system, right)) <= dear:
                return None
        elif dear >= len(left) * len(right):
            return None
        rows, columns = cut(mine, where), cut(theirs, there)
        return {(p, q) for r, c in wanted for p in rows[r] for q in columns[c]}

    # Matchings.

    def _best(
        self, pair: Pair, mine: list[Element], theirs: list[Element], cells: Sparse
    ) -> list[Cell]:
        """The best matching of two owners' members, by position."""
        if not cells:
            return []
        if self.order is not None:  # searched once: steps and gap count once
            key = tuple(mine), tuple(theirs), frozenset(cells.items())
            order, kept = self.order, self.constraint
            return pair.keep(
                (self.token, "ordered", key),
                lambda: order.matching(pair, mine, theirs, cells, kept),
            )
        return fullest(self._members(pair, mine, theirs, cells))

    def _members(
        self, pair: Pair, mine: Elements, theirs: Elements, cells: Sparse
    ) -> Members:
        return Members(self.similarity, self.constraint, pair, (mine, theirs), cells)

    def aligned(
        self, pair: Pair, gold: Element | None, system: Element | None
    ) -> tuple[Aligned, ...]:
        """The matched members, then those without a partner, gold's first."""
        if self.order is None and not self.similarity.split()[1]:
            return as_aligned(self._equal(pair, gold, system))
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

    def _equal(
        self, pair: Pair, gold: Element | None, system: Element | None
    ) -> Parted:
        """The members of two owners that are equal, and those that are not."""
        left, here = self._index(pair.gold, gold)
        right, there = self._index(pair.system, system)
        cells: list[Cell] = []
        for key, places in here.items():
            if (others := there.get(key)) is None:
                continue
            if len(places) == len(others) == 1:
                cells.append((places[0], others[0]))
            else:
                cells += together(places, others, self.constraint)
        cells.sort()
        mine, theirs = {p for p, _ in cells}, {q for _, q in cells}
        return self._parted(
            [(left[p], p, right[q], q) for p, q in cells],
            [(one, p) for p, one in enumerate(left) if p not in mine],
            [(one, q) for q, one in enumerate(right) if q not in theirs],
        )

    def _index(
        self, view: View, owner: Element | None
    ) -> tuple[list[Element], dict[Hashable, list[int]]]:
        """An owner's members, and their positions by key."""
        if owner is None:
            return [], {}
        known: dict[Element, tuple[list[Element], dict[Hashable, list[int]]]]
        known = view.keep((self.token, "index"), dict)
        if owner not in known:
            [group] = self.collection.members(view, [owner])
            # All members of the graph may have been counted by their keys.
            every = view.kept.get((self.token, "keys")) if owner == ROOT else None
            keys = self._keys(view, group) if every is None else every
            index: dict[Hashable, list[int]] = {}
            members: list[Element] = []
            for key, member in zip(keys, group, strict=True):
                places = index.setdefault(key, [])
                if not places or self.duplicates == "multiset":
                    places.append(len(members))
                    members.append(member)
            known[owner] = members, index
        return known[owner]


# As parts of a formula they are named in small letters.
match = Match
