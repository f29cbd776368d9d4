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
    found = [
        Aligned(
            sort,
            via,
            left[p],
            p,
            right[q],
            q,
            cells[p, q],
            (own[0][p], own[1][q]),
            similarity,
            similarity.aligned(pair, left[p], right[q]),
        )
        for p, q in matched
    ]
    for p in sorted(set(range(len(left))) - {p for p, _ in matched}):
        inner = similarity.aligned(pair, left[p], None)
        found.append(
            Aligned(
                sort,
                via,
                left[p],
                p,
                None,
                None,
                0,
                (own[0][p], 0),
                similarity,
                inner,
            )
        )
    for q in sorted(set(range(len(right))) - {q for _, q in matched}):
        inner = similarity.aligned(pair, None, right[q])
        found.append(
            Aligned(
                sort,
                via,
                None,
                None,
                right[q],
                q,
                0,
                (0, own[1][q]),
                similarity,
                inner,
            )
        )
    return tuple(found)


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
