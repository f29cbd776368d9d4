"""Sums over members of which only equality counts: equal keys are counted.

Set by set, or all owners at once; no pair of members is ever formed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from functools import partial
from itertools import compress
from operator import ne

from graphscore.similarity.base import (
    Asked,
    Bag,
    Cell,
    Number,
    Numerators,
    Partition,
    Request,
    Similarity,
    Sparse,
    joint_keys,
    keys_of,
)
from graphscore.similarity.features.elements import Feature
from graphscore.similarity.operators.arithmetic import Total
from graphscore.similarity.operators.matching import Constraint, Match
from graphscore.similarity.view import GRAPH, ROOT, Element, Elements, Pair, View

Counted = dict[Hashable, int]
"""Count of each key."""

# Many owners at once.


def counters(match: Match, view: View, owners: Elements) -> list[Counted]:
    """Return the count of each key, for each owner."""
    known: dict[Element, Counted] = view.keep((match.token, "counted"), dict)
    new = [owner for owner in owners if owner not in known]
    if new:
        groups = match.collection.members(view, new)
        members = [member for group in groups for member in group]
        keys = iter(keys_of(match.features or (), view, members))
        for owner, group in zip(new, groups, strict=True):
            own = [next(keys) for _ in group]
            if match.duplicates == "set":
                known[owner] = dict.fromkeys(own, 1)
            else:
                known[owner] = Counter(own)
    return [known[owner] for owner in owners]


def equal_pairs(
    match: Match, request: Request, constraint: Constraint | None = None
) -> Sparse:
    """The sums that are not 0, for each two owners.

    Args:
        match: the sum, of which only equality counts.
        request: the owners.
        constraint: which matchings are allowed; by default those of the sum.
    """
    constraint, requested = constraint or match.constraint, request.requested
    left, right = (counters(match, *side) for side in request.sides)
    if requested is None and len(left) == len(right) == 1:
        requested = ((0, 0),)
    if requested is not None:
        cost = sum(min(len(left[r]), len(right[c])) for r, c in requested)
        table = sum(map(len, left)) + sum(map(len, right))
        if len(requested) <= 1 or cost <= 2 * table:
            once = match.duplicates == "set"
            sums = (
                ((r, c), _count_shared(left[r], right[c], constraint, once))
                for r, c in requested
            )
            return {cell: number for cell, number in sums if number}
    return contingency(left, right, requested, constraint)


def _count_shared(
    left: Counted, right: Counted, constraint: Constraint, once: bool
) -> int:
    both = left.keys() & right.keys()
    if once:
        return len(both)
    return sum([amount_of(left[key], right[key], constraint) for key in both])


def equal_overlaps(match: Match, request: Request) -> dict[Cell, Numerators]:
    """The sums as recall and precision count them: one to one once each."""
    literal = equal_pairs(match, request)
    if match.constraint == "n:n" and match.duplicates == "multiset":
        left, right = (counters(match, *side) for side in request.sides)
        return cap(left, right, literal)
    bounded = equal_pairs(match, request._replace(requested=list(literal)), "1:1")
    if match.constraint == "n:1":
        return {c: Numerators(bounded[c], n, n) for c, n in literal.items()}
    return {c: Numerators(n, bounded[c], n) for c, n in literal.items()}


def equal_effort(match: Match, request: Request) -> int:
    """Return the cost: the number of owners with equal keys."""
    left, right = (counters(match, *side) for side in request.sides)
    owners = Counter(key for counted in right for key in counted)
    return sum(owners[key] for counted in left for key in counted if key in owners)


def equal_selves(match: Match, view: View, owners: Elements) -> list[Number]:
    """Return the self-similarity of owners: their number of members."""
    if match.duplicates == "multiset":
        return [len(members) for members in match.collection.members(view, owners)]
    return [len(counted) for counted in counters(match, view, owners)]


# The whole graph.


def _sums(similarity: Similarity) -> tuple[Match, ...]:
    """The sums that a countable formula is made of."""
    terms = similarity.terms if isinstance(similarity, Total) else (similarity,)
    return tuple(term for term in terms if isinstance(term, Match))


def bags(similarity: Similarity, view: View) -> tuple[Bag, ...]:
    """Return the bags of keys of one graph, one per sum, if it is countable."""
    key = similarity.token, "bags"
    result: tuple[Bag, ...] | None = view.kept.get(key)
    if result is None:
        result = tuple(_bag(match, view) for match in _sums(similarity))
        view.kept[key] = result
    return result


def _bag(match: Match, view: View) -> Bag:
    """The keys of all members of the graph."""
    _, every = _all_keys(match, view)
    return _bag_of(match, every)


def _bag_of(match: Match, every: Sequence[Hashable]) -> Bag:
    """Lay out keys for counting."""
    keys = frozenset(every)
    if match.duplicates == "set" or len(keys) == len(every):
        return Bag(keys, {}, len(keys))
    repeated = {key: count for key, count in Counter(every).items() if count > 1}
    return Bag(keys, repeated, len(every))


def _all_keys(match: Match, view: View) -> tuple[tuple[Element, ...], list[Hashable]]:
    """All members of the graph, and their keys."""
    [members] = match.collection.members(view, GRAPH)

    def keys() -> list[Hashable]:
        return joint_keys(_columns(match, view, members), len(members))

    return members, view.keep((match.token, "keys"), keys)


def _columns(
    match: Match, view: View, members: tuple[Element, ...]
) -> list[list[Hashable]]:
    """Return what each feature says of all members, once for all sums over them."""
    collection = match.collection.token

    def column(feature: Feature) -> list[Hashable]:
        return feature.of_all(view, members)

    return [
        view.keep((feature.token, collection, "column"), partial(column, feature))
        for feature in match.features or ()
    ]


def tally(similarity: Similarity, pair: Pair) -> tuple[int, int, int]:
    """Return a countable formula's counts: gold, system and matched."""
    key = similarity.token, "bags"
    if key in pair.gold.kept and key in pair.system.kept:
        sides = bags(similarity, pair.gold), bags(similarity, pair.system)
        terms = [_counts(*both) for both in zip(*sides, strict=True)]
    else:
        terms = [_tally(match, pair) for match in _sums(similarity)]
    gold, system, shared = map(sum, zip(*terms, strict=True))
    return gold, system, shared


def _counts(gold: Bag, system: Bag) -> tuple[int, int, int]:
    return gold.size, system.size, gold.count_shared(system)


def _tally(match: Match, pair: Pair) -> tuple[int, int, int]:
    """Count the members of both sides and those that are equal.

    Members that are equal and stand at the same position are taken out first: of two
    bags that both lose a key, the common part loses exactly that key.
    """
    [left] = match.collection.members(pair.gold, GRAPH)
    [right] = match.collection.members(pair.system, GRAPH)
    if match.duplicates == "set" or len(left) != len(right):
        return _counts(_bag(match, pair.gold), _bag(match, pair.system))
    columns = _columns(match, pair.gold, left), _columns(match, pair.system, right)
    unequal = unequal_positions(zip(*columns, strict=True))
    rest = (
        _bag_of(match, joint_keys([[column[k] for k in unequal] for column in side], 0))
        for side in columns
    )
    equal = len(left) - len(unequal)
    gold, system, shared = _counts(*rest)
    return equal + gold, equal + system, equal + shared


def unequal_positions(
    columns: Iterable[tuple[Sequence[Hashable], Sequence[Hashable]]],
) -> Sequence[int]:
    """Return the positions at which two sides differ in any column, ascending.

    Args:
        columns: for each column the values of both sides, equally many.

    Example:
        >>> unequal_positions([("abc", "abd"), ((1, 2, 3), (0, 2, 3))])
        [0, 2]
    """
    positions: set[int] = set()
    for left, right in columns:
        if left != right:
            positions.update(compress(range(len(left)), map(ne, left, right)))
    return sorted(positions)


def partition_all(
    similarity: Similarity, pair: Pair, matched: bool = True
) -> tuple[Partition, ...]:
    """Partition the members into equal and unmatched ones, per sum, if countable.

    Args:
        similarity: a countable formula.
        pair: the two graphs.
        matched: whether what is equal is requested too.
    """
    result = []
    for match in _sums(similarity):
        alone = None if matched else _partition_alone(match, pair)
        result.append(alone or partition(match, pair, ROOT, ROOT))
    return tuple(result)


def _partition_alone(match: Match, pair: Pair) -> Partition | None:
    """All members without a partner, where no two of a side are alike.

    Of members that are alike some may have a partner, and others not: ``None``.
    """
    [gold], [system] = bags(match, pair.gold), bags(match, pair.system)
    left, right = _all_keys(match, pair.gold), _all_keys(match, pair.system)
    if len(gold.keys) < len(left[1]) or len(system.keys) < len(right[1]):
        return None
    lacks = members_without(*left, system.keys), members_without(*right, gold.keys)
    return _partition(match, [], *lacks)


def partition(
    match: Match, pair: Pair, gold: Element | None, system: Element | None
) -> Partition:
    """The members of two owners that are equal, and those that are not."""
    left, gold_index = _index(match, pair.gold, gold)
    right, system_index = _index(match, pair.system, system)
    cells: list[Cell] = []
    for key, rows_of_key in gold_index.items():
        if (others := system_index.get(key)) is None:
            continue
        if len(rows_of_key) == len(others) == 1:
            cells.append((rows_of_key[0], others[0]))
        else:
            cells += match_alike(rows_of_key, others, match.constraint)
    cells.sort()
    rows, columns = {p for p, _ in cells}, {q for _, q in cells}
    return _partition(
        match,
        [(left[p], p, right[q], q) for p, q in cells],
        [(member, p) for p, member in enumerate(left) if p not in rows],
        [(partner, q) for q, partner in enumerate(right) if q not in columns],
    )


def _partition(
    match: Match,
    matched: list[tuple[Element, int, Element, int]],
    gold: list[tuple[Element, int]],
    system: list[tuple[Element, int]],
) -> Partition:
    sort, via = match.collection.yields, match.collection.short
    return Partition(sort, via, match.similarity, matched, gold, system)


def _index(
    match: Match, view: View, owner: Element | None
) -> tuple[list[Element], dict[Hashable, list[int]]]:
    """An owner's members, and their positions by key."""
    if owner is None:
        return [], {}
    elements: dict[Element, tuple[list[Element], dict[Hashable, list[int]]]]
    elements = view.keep((match.token, "index"), dict)
    if owner not in elements:
        [group] = match.collection.members(view, [owner])
        # All members of the graph may have been counted by their keys.
        every = view.kept.get((match.token, "keys")) if owner == ROOT else None
        keys = keys_of(match.features or (), view, group) if every is None else every
        index = {key: [position] for position, key in enumerate(keys)}
        members = list(group)
        if len(index) < len(members):
            # Some are alike.
            index, members = {}, []
            for key, member in zip(keys, group, strict=True):
                indices = index.setdefault(key, [])
                if not indices or match.duplicates == "multiset":
                    indices.append(len(members))
                    members.append(member)
        elements[owner] = members, index
    return elements[owner]


def amount_of(left: int, right: int, constraint: Constraint) -> int:
    """The sum over so many equal gold and system members.

    >>> [amount_of(2, 3, each) for each in ("1:1", "n:1", "1:n", "n:n")]
    [2, 3, 2, 6]
    """
    if constraint == "1:1":
        return left if left < right else right
    if constraint == "n:1":
        return right
    return left if constraint == "1:n" else left * right


def contingency(
    left: Sequence[Counted],
    right: Sequence[Counted],
    requested: Asked,
    constraint: Constraint,
) -> Sparse:
    """Count the members that owners share, key by key.

    Args:
        left: keys of each gold owner.
        right: keys of each system owner.
        requested: which owners are asked about; ``None`` for all.
        constraint: which matchings of equal members are allowed.

    Returns:
        Amounts that are not 0, by positions of the owners.
    """
    index: dict[Hashable, list[tuple[int, int]]] = {}
    for c, counted in enumerate(right):
        for key, count in counted.items():
            index.setdefault(key, []).append((c, count))
    sparse: Sparse = {}
    for r, counted in enumerate(left):
        row: dict[int, int] = {}
        for key, count in counted.items():
            for c, system_count in index.get(key, ()):
                row[c] = row.get(c, 0) + amount_of(count, system_count, constraint)
        for c, number in row.items():
            sparse[r, c] = number
    if requested is None:
        return sparse
    return {cell: sparse[cell] for cell in requested if cell in sparse}


def members_without(
    members: Sequence[Element], keys: Sequence[Hashable], present: frozenset[Hashable]
) -> list[tuple[Element, int]]:
    """Members whose keys are not there, with their positions."""
    if present.issuperset(keys):
        return []
    return [
        (members[index], index) for index, key in enumerate(keys) if key not in present
    ]


def match_alike(
    left: list[int], right: list[int], constraint: Constraint
) -> list[Cell]:
    """A matching of things that are all alike."""
    if constraint == "1:1":
        return list(zip(left, right, strict=False))
    if constraint == "n:n":
        return [(p, q) for p in left for q in right]
    if constraint == "n:1":
        return [(left[min(k, len(left) - 1)], q) for k, q in enumerate(right)]
    return [(p, right[min(k, len(right) - 1)]) for k, p in enumerate(left)]


def cap(
    left: Sequence[Counted], right: Sequence[Counted], literal: Sparse
) -> dict[Cell, Numerators]:
    """Return overlaps where all equal members match, capped by each side's own.

    A key that one side has *a* times and the other *b* times is *ab* pairs, and *aa*
    of the one side with itself: no more of them count there.

    Args:
        left: keys of each gold owner.
        right: keys of each system owner.
        literal: all pairs of equal members, by owners.

    Example:
        >>> from collections import Counter
        >>> cap([Counter("aa")], [Counter("aaa")], {(0, 0): 6})[0, 0]
        Numerators(recall=4, precision=6, literal=6)
    """
    result = {}
    for (r, c), number in literal.items():
        first, second = left[r], right[c]
        both = [(first[key], second[key]) for key in first.keys() & second.keys()]
        recall = sum(a * min(a, b) for a, b in both)
        precision = sum(b * min(a, b) for a, b in both)
        result[r, c] = Numerators(recall, precision, number)
    return result
