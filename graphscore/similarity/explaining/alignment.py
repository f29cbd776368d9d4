"""What is reported of a matching: its pairs, then what is left alone."""

from __future__ import annotations

from graphscore.similarity.base import Aligned, Cell, Parted, Similarity, Sparse
from graphscore.similarity.navigation.collections import Collection
from graphscore.similarity.view import Element, Pair


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
