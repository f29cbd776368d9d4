"""Members of many owners, brought together and cut apart again."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from graphscore.similarity.base import (
    Aligned,
    Asked,
    Cell,
    Numerators,
    Parted,
    Similarity,
    Sparse,
)
from graphscore.similarity.navigation.collections import Collection
from graphscore.similarity.solvers.assignment import Constraint
from graphscore.similarity.view import Element, Pair

Counted = dict[Hashable, int]
"""How often each key is there."""


def amount_of(one: int, two: int, constraint: Constraint) -> int:
    """The sum over so many equal gold and system members.

    >>> [amount_of(2, 3, each) for each in ("1:1", "n:1", "1:n", "n:n")]
    [2, 3, 2, 6]
    """
    if constraint == "1:1":
        return one if one < two else two
    if constraint == "n:1":
        return two
    return one if constraint == "1:n" else one * two


def contingency(
    mine: Sequence[Counted],
    theirs: Sequence[Counted],
    wanted: Asked,
    constraint: Constraint,
) -> Sparse:
    """Who shares how much with whom, key by key.

    Args:
        mine: keys of each gold owner.
        theirs: keys of each system owner.
        wanted: which owners are asked about; ``None`` for all.
        constraint: which matchings of equal members are allowed.

    Returns:
        Amounts that are not 0, by positions of the owners.
    """
    index: dict[Hashable, list[tuple[int, int]]] = {}
    for c, counted in enumerate(theirs):
        for key, count in counted.items():
            index.setdefault(key, []).append((c, count))
    found: Sparse = {}
    for r, counted in enumerate(mine):
        row: dict[int, int] = {}
        for key, count in counted.items():
            for c, other in index.get(key, ()):
                row[c] = row.get(c, 0) + amount_of(count, other, constraint)
        for c, number in row.items():
            found[r, c] = number
    if wanted is None:
        return found
    return {cell: found[cell] for cell in wanted if cell in found}


def lacking(
    members: Sequence[Element], keys: Sequence[Hashable], there: frozenset[Hashable]
) -> list[tuple[Element, int]]:
    """Members whose keys are not there, with their positions."""
    if there.issuperset(keys):
        return []
    return [
        (members[place], place) for place, key in enumerate(keys) if key not in there
    ]


def together(one: list[int], two: list[int], constraint: Constraint) -> list[Cell]:
    """A matching of things that are all alike."""
    if constraint == "1:1":
        return list(zip(one, two, strict=False))
    if constraint == "n:n":
        return [(p, q) for p in one for q in two]
    if constraint == "n:1":
        return [(one[min(k, len(one) - 1)], q) for k, q in enumerate(two)]
    return [(p, two[min(k, len(two) - 1)]) for k, p in enumerate(one)]


def places_of(
    groups: list[list[Element]], where: list[int]
) -> dict[int, list[tuple[int, int]]]:
    """For each distinct member its owners and its positions among their members."""
    found: dict[int, list[tuple[int, int]]] = {}
    flat = iter(where)
    for owner, group in enumerate(groups):
        for position in range(len(group)):
            found.setdefault(next(flat), []).append((owner, position))
    return found


def cut(groups: list[list[Element]], where: list[int]) -> list[list[int]]:
    """The flat list *where*, cut into groups again."""
    flat = iter(where)
    return [[next(flat) for _ in group] for group in groups]


def held(
    mine: Sequence[Counted], theirs: Sequence[Counted], literal: Sparse
) -> dict[Cell, Numerators]:
    """What owners share where every equal two match, held to each side's own.

    A key that one side has *a* times and the other *b* times is *ab* pairs, and *aa*
    of the one side with itself: no more of them count there.

    Args:
        mine: keys of each gold owner.
        theirs: keys of each system owner.
        literal: all pairs of equal members, by owners.

    Example:
        >>> from collections import Counter
        >>> held([Counter("aa")], [Counter("aaa")], {(0, 0): 6})[0, 0]
        Numerators(recall=4, precision=6, literal=6)
    """
    found = {}
    for (r, c), number in literal.items():
        one, two = mine[r], theirs[c]
        both = [(one[key], two[key]) for key in one.keys() & two.keys()]
        recall = sum(a * min(a, b) for a, b in both)
        precision = sum(b * min(a, b) for a, b in both)
        found[r, c] = Numerators(recall, precision, number)
    return found


def rows_of(
    pair: Pair,
    collection: Collection,
    similarity: Similarity,
    sides: tuple[list[Element], list[Element]],
    cells: Sparse,
    matched: list[Cell],
) -> tuple[Aligned, ...]:
    """The matched members, then gold's that are alone, then the system's.

    Args:
        pair: the two graphs.
        collection: whose members they are.
        similarity: how they are compared.
        sides: gold and system members.
        cells: similarities by position.
        matched: the matched cells.
    """
    left, right = sides
    via, sort = collection.short, collection.yields
    own = similarity.selves(pair.gold, left), similarity.selves(pair.system, right)

    def row(p: int | None, q: int | None) -> Aligned:
        gold, worth = (None, 0) if p is None else (left[p], own[0][p])
        system, value = (None, 0) if q is None else (right[q], own[1][q])
        credit = 0 if p is None or q is None else cells[p, q]
        inner = similarity.aligned(pair, gold, system)
        both = worth, value
        return Aligned(sort, via, gold, p, system, q, credit, both, similarity, inner)

    gold_alone = sorted(set(range(len(left))) - {p for p, _ in matched})
    system_alone = sorted(set(range(len(right))) - {q for _, q in matched})
    return (
        *[row(p, q) for p, q in matched],
        *[row(p, None) for p in gold_alone],
        *[row(None, q) for q in system_alone],
    )


def as_aligned(parted: Parted) -> tuple[Aligned, ...]:
    """Equal members and those without a partner, gold's first."""
    sort, via, inner, matched, gold, system = parted
    return (
        *[
            Aligned(sort, via, one, p, two, q, 1, (1, 1), inner, ())
            for one, p, two, q in matched
        ],
        *[
            Aligned(sort, via, one, p, None, None, 0, (1, 0), inner, ())
            for one, p in gold
        ],
        *[
            Aligned(sort, via, None, None, two, q, 0, (0, 1), inner, ())
            for two, q in system
        ],
    )
