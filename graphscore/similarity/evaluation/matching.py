"""Rules of sums over matchings of parts (Σ, eq. 13).

Three ways to a sum, chosen by the shape of what is summed::

    δ alone           equal keys are counted, set by set: no pair is ever formed
    δ and more        only pairs with equal keys are compared
    no δ              all pairs that the parts say are not 0

For many owners at once their parts are joined in one go: the sparse table of who
shares what with whom.  Then each two that share something are matched by themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Sequence
from functools import partial
from itertools import chain
from typing import TypeVar

from graphscore.similarity.base import (
    Asked,
    Cell,
    Number,
    Numerators,
    Request,
    Similarity,
    Sparse,
    join_size,
    keys_of,
    sum_exactly,
)
from graphscore.similarity.evaluation.equal_members import (
    bags,
    counters,
    equal_effort,
    equal_overlaps,
    equal_pairs,
    equal_selves,
)
from graphscore.similarity.evaluation.functions import (
    effort,
    identities,
    overlaps,
    pairs,
    selves,
    warm,
)
from graphscore.similarity.operators.matching import Constraint, Match
from graphscore.similarity.operators.orders import InSequence
from graphscore.similarity.solvers.matcher import Members, best, numerators
from graphscore.similarity.view import Element, Elements, Pair, View, unique

T = TypeVar("T")


def members_of(match: Match, view: View, owners: Elements) -> list[list[Element]]:
    """The members of each owner; of members that look alike one, in a set."""
    groups = [list(members) for members in match.collection.members(view, owners)]
    if match.duplicates == "set":
        return [_distinct(match.similarity, view, group) for group in groups]
    return groups


def _distinct(
    similarity: Similarity, view: View, members: list[Element]
) -> list[Element]:
    first: dict[Hashable, Element] = {}
    seen = identities(similarity, view, members)
    for key, member in zip(seen, members, strict=True):
        first.setdefault(key, member)
    return list(first.values())


class Groups:
    """Members of many owners, brought together and cut apart again.

    Args:
        groups: the members of each owner.
    """

    def __init__(self, groups: Sequence[list[Element]]) -> None:
        self.groups = groups
        self.members, self.where = unique(list(chain.from_iterable(groups)))
        """The distinct members, and which of them each of all members is."""

    def is_whole(self) -> bool:
        """True if they are the members of one owner, each once."""
        return len(self.groups) == 1 and len(self.members) == len(self.where)

    def owners(self) -> dict[int, list[tuple[int, int]]]:
        """For each distinct member its owners and its positions among their members."""
        owners: dict[int, list[tuple[int, int]]] = {}
        flat = iter(self.where)
        for owner, group in enumerate(self.groups):
            for position in range(len(group)):
                owners.setdefault(next(flat), []).append((owner, position))
        return owners

    def cut(self) -> list[list[int]]:
        """For each owner which of the distinct members its members are."""
        flat = iter(self.where)
        return [[next(flat) for _ in group] for group in self.groups]


def by_owners(
    gold: Groups, system: Groups, cells: dict[Cell, T], requested: Asked
) -> dict[Cell, dict[Cell, T]]:
    """Cut what is known of distinct members apart, for every two owners.

    Args:
        gold: members of gold owners.
        system: likewise.
        cells: values by positions among the distinct members.
        requested: which owners are asked for; ``None`` for all.

    Returns:
        By positions of the owners, values by positions among their members.
    """
    if gold.is_whole() and system.is_whole():
        return {(0, 0): cells} if cells else {}
    rows, columns = gold.owners(), system.owners()
    only = None if requested is None else set(requested)
    tables: dict[Cell, dict[Cell, T]] = {}
    for (first, second), value in cells.items():
        for r, p in rows[first]:
            for c, q in columns[second]:
                if only is None or (r, c) in only:
                    tables.setdefault((r, c), {})[p, q] = value
    return tables


def tables_of(
    match: Match, pair: Pair, gold: Groups, system: Groups, requested: Asked = None
) -> dict[Cell, Sparse]:
    """For every two owners the similarities of their members, by position."""
    members = Request(pair, gold.members, system.members)
    if requested is not None:
        members = _narrow(match, members, gold, system, requested)
    return by_owners(gold, system, pairs(match.similarity, members), requested)


def member_pairs(
    similarity: Similarity, pair: Pair, left: list[Element], right: list[Element]
) -> Sparse:
    """The similarities of two lists of members that are not 0, by position."""
    gold, system = Groups([left]), Groups([right])
    cells = pairs(similarity, Request(pair, gold.members, system.members))
    return by_owners(gold, system, cells, None).get((0, 0), {})


def _narrow(
    match: Match,
    members: Request,
    gold: Groups,
    system: Groups,
    owners: Collection[Cell],
) -> Request:
    """Request only members of some owners, unless a join of all is no dearer."""
    dear = sum(len(gold.groups[r]) * len(system.groups[c]) for r, c in owners)
    features, _ = match.similarity.split()
    if features:
        if join_size(*(keys_of(features, *side) for side in members.sides)) <= dear:
            return members
    elif dear >= len(gold.members) * len(system.members):
        return members
    rows, columns = gold.cut(), system.cut()
    cells = {(p, q) for r, c in owners for p in rows[r] for q in columns[c]}
    return members._replace(requested=cells)


def matched_members(
    similarity: Similarity,
    constraint: Constraint,
    pair: Pair,
    both: tuple[Elements, Elements],
    cells: Sparse,
) -> Members:
    """Return members of two owners with what they are worth, for the matcher.

    Args:
        similarity: how they are compared.
        constraint: which matchings are allowed.
        pair: the two graphs.
        both: gold's and the system's members.
        cells: their similarities by position.
    """
    worths = partial(
        _among if constraint == "n:n" else _own_worths, similarity, pair, both
    )
    sides = partial(_sides, similarity, pair, both) if similarity.sided else None
    return Members(pair, both, cells, worths, constraint, None, sides)


def _sides(
    similarity: Similarity,
    pair: Pair,
    both: tuple[Elements, Elements],
    requested: Sequence[Cell],
) -> dict[Cell, Numerators]:
    """Return the numerators of pairs of members."""
    return overlaps(similarity, Request(pair, *both, requested))


def _own_worths(
    similarity: Similarity,
    pair: Pair,
    both: tuple[Elements, Elements],
    axis: int,
    indices: Sequence[int],
) -> list[Number]:
    """Return the self-similarities of members of one side."""
    view = pair.system if axis else pair.gold
    return selves(similarity, view, [both[axis][k] for k in indices])


def _among(
    similarity: Similarity,
    pair: Pair,
    both: tuple[Elements, Elements],
    axis: int,
    indices: Sequence[int],
) -> list[Number]:
    """Return the total similarity of members with all of their side."""
    view = pair.system if axis else pair.gold
    members, where = unique(list(both[axis]))
    cells = pairs(similarity, Request(Pair(view, view), members, members))
    often = Counter(where)
    amounts: list[list[Number]] = [[] for _ in members]
    for cell, number in cells.items():
        amounts[cell[axis]].append(number * often[cell[1 - axis]])
    sums = list(map(sum_exactly, amounts))
    return [sums[where[index]] for index in indices]


def matching_of(
    match: Match, pair: Pair, left: list[Element], right: list[Element], cells: Sparse
) -> tuple[Members, list[Cell]]:
    """Return the members of two owners, and their best matching, by position."""
    members = matched_members(
        match.similarity, match.constraint, pair, (left, right), cells
    )
    if match.order is None or not cells:
        return members, best(members)
    # Searched once: steps and gap count once.
    members = members._replace(order=match.order)
    key = tuple(left), tuple(right), frozenset(cells.items())
    return members, pair.keep((match.token, "ordered", key), lambda: best(members))


@pairs.register
def _(similarity: Match, request: Request) -> Sparse:
    if similarity.features is not None:
        return equal_pairs(similarity, request)
    left, right, tables = _members(similarity, request)
    if similarity.order is None:
        from graphscore.similarity.solvers.ordering import worth

        constraint = similarity.constraint
        return {owners: worth(cells, constraint) for owners, cells in tables.items()}
    result: Sparse = {}
    for (r, c), cells in tables.items():
        _, matched = matching_of(similarity, request.pair, left[r], right[c], cells)
        result[r, c] = sum_exactly(cells[cell] for cell in matched)
    return result


@overlaps.register
def _(similarity: Match, request: Request) -> dict[Cell, Numerators]:
    if not similarity.sided:
        sums = pairs(similarity, request)
        return {cell: Numerators(value, value, value) for cell, value in sums.items()}
    if similarity.features is not None:
        return equal_overlaps(similarity, request)
    left, right, tables = _members(similarity, request)
    matching = partial(matching_of, similarity, request.pair)
    return {
        (r, c): numerators(*matching(left[r], right[c], cells))
        for (r, c), cells in tables.items()
    }


def _members(
    match: Match, request: Request
) -> tuple[list[list[Element]], list[list[Element]], dict[Cell, Sparse]]:
    """Return members of gold and system owners, and their similarities."""
    left, right = (members_of(match, *side) for side in request.sides)
    groups = Groups(left), Groups(right)
    return left, right, tables_of(match, request.pair, *groups, request.requested)


@effort.register
def _(similarity: Match, request: Request) -> int:
    if similarity.features is not None:
        return equal_effort(similarity, request)
    members = similarity.collection.members
    left, right = (
        list(dict.fromkeys(chain.from_iterable(members(*side))))
        for side in request.sides
    )
    return effort(similarity.similarity, Request(request.pair, left, right))


@selves.register
def _(similarity: Match, view: View, elements: Elements) -> list[Number]:
    """Σ of each with itself: where nothing earns more, every member itself."""
    inner = similarity.similarity
    if similarity.constraint == "n:n" or not inner.proper:
        cells = [(k, k) for k in range(len(elements))]
        request = Request(Pair(view, view), elements, elements, cells)
        sums = pairs(similarity, request)
        return [sums.get(cell, 0) for cell in cells]
    if similarity.features is not None:
        return equal_selves(similarity, view, elements)
    members = Groups(members_of(similarity, view, elements))
    worths = selves(inner, view, members.members)
    return [sum_exactly([worths[index] for index in owned]) for owned in members.cut()]


@identities.register
def _(similarity: Match, view: View, elements: Elements) -> list[Hashable]:
    # Those of all members; their order only where it matters.
    result: list[Hashable] = []
    groups = members_of(similarity, view, elements)
    for element, group in zip(elements, groups, strict=True):
        seen = identities(similarity.similarity, view, group)
        if similarity.order is None:
            result.append(frozenset(Counter(seen).items()))
        elif isinstance(similarity.order, InSequence):
            result.append(tuple(seen))
        else:
            result.append((element, tuple(seen)))
    return result


@warm.register
def _(similarity: Match, view: View, elements: Elements) -> None:
    if similarity.countable:
        bags(similarity, view)
    elif similarity.features is not None:
        counters(similarity, view, elements)
    else:
        inner = chain.from_iterable(members_of(similarity, view, elements))
        warm(similarity.similarity, view, list(dict.fromkeys(inner)))
