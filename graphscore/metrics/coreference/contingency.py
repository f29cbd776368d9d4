"""Contingency table: mentions shared by each gold entity and each system entity.

All metrics of coreference are functions of this one sparse table and of the sizes
of entities (Pradhan et al. 2014).  It is made once for a pair of documents.

>>> from graphscore.model.graph import Anchor, Edge, Graph, Node
>>> from graphscore.metrics.coreference.chains import MentionOptions, lay_out
>>> def document(*entities):
...     nodes, edges = [], []
...     for number, mentions in enumerate(entities):
...         nodes.append(Node(f"e{number}", None, (("kind", "entity"),)))
...         for start in mentions:
...             nodes.append(Node(f"{number}:{start}", None, (("kind", "mention"),),
...                               (Anchor(start, start + 1),)))
...             edges.append(Edge(f"e{number}", f"{number}:{start}", "mention"))
...     return lay_out(
...         Graph("1", "coref", nodes=tuple(nodes), edges=tuple(edges)),
...         MentionOptions())
>>> table = table_of(document([0], [1, 2], [3, 4, 5]), document([0], [1, 2, 3], [4]))
>>> [each.tolist() for each in table.shared]
[[0, 1, 2, 2], [0, 1, 1, 2], [1, 2, 1, 1]]
>>> table.matched, ceaf(table, 4)
(5, 2.3)
"""

from __future__ import annotations

from functools import lru_cache
from math import fsum
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from graphscore.correspondence.assignment import one_to_one
from graphscore.metrics.coreference.chains import Chains, Integers
from graphscore.metrics.coreference.mention_alignment import (
    Alignment,
    align,
)
from graphscore.model.outcome import Count
from graphscore.model.outcome_builder import OutcomeBuilder

if TYPE_CHECKING:
    from graphscore.correspondence.assignment import Earned

Phi = Literal[1, 2, 3, 4]
"""Number of the entity similarity φ (Luo 2005)."""

DENSE = 1 << 16
"""An assignment of so many cells, empty ones included, is solved as a whole."""


class Cells(NamedTuple):
    """The entries of a table that are not 0, by gold and by system entity.

    Where mentions have copies, a table ``by_gold`` has each copy of gold's in one
    system entity only.
    """

    gold: Integers
    system: Integers
    mentions: Integers


class Table:
    """The contingency table of a pair of documents.

    Args:
        gold: the gold entities.
        system: the system's.
    """

    def __init__(self, gold: Chains, system: Chains) -> None:
        self.gold, self.system = gold, system
        self.alignment: Alignment = align(gold, system)
        partner = self.alignment.partner
        [matched] = np.nonzero(partner >= 0)
        self.pairs = matched, partner[matched]
        """Positions of the gold mentions that have a partner, and their partners'."""
        self.matched = len(matched)
        """Number of matching mentions."""
        self.mentions = _distinct(gold), _distinct(system)
        """Number of mentions in gold and in the system."""
        self.shared = self.by_gold = self.by_system = self._shared()
        """Mentions that two entities have in common."""
        if self._copied:
            self.by_gold, self.by_system = self._by_gold(), self._by_system()
        self.company: Integers | None = None
        """For each cell ``by_gold`` how many mentions its entities share, if not its
        own."""
        self.rows: OutcomeBuilder | None = None
        """Builder of error rows for the pair, if rows are requested."""
        self._ceaf: dict[int, int | float] = {}

    def _shared(self) -> Cells:
        if self._copied:
            return _joined(self)
        left, right = self.pairs
        return counted(self, self.gold.owner[left], self.system.owner[right])

    def _by_gold(self) -> Cells:
        """Gold entities' mentions, by the last system entity that each lies in."""
        gold, system = _entities_of_matched(
            self.gold, self.system, self.alignment.partner
        )
        return counted(self, gold, system)

    def _by_system(self) -> Cells:
        """System entities' mentions, by the last gold entity that each lies in."""
        back = np.full(len(self.system.keys), -1, dtype=np.int64)
        left, right = self.pairs
        back[right] = left
        system, gold = _entities_of_matched(self.system, self.gold, back)
        return counted(self, gold, system)

    @property
    def sided(self) -> bool:
        """True if a mention may lie in several entities at once."""
        return self.gold.reading.preset == "corefud"

    @property
    def _copied(self) -> bool:
        """True if some mention lies in several entities."""
        return self.sided and bool(self.gold.repeated or self.system.repeated)

    @property
    def links(self) -> tuple[Count, Count] | None:
        """Links within entities and between them, where sizes do not say them."""
        return None


RECENT = 8
"""Pairs whose tables are kept: of the parts of one document, for further metrics."""


@lru_cache(RECENT)
def table_of(gold: Chains, system: Chains) -> Table:
    """The table of a pair; made once, however many metrics ask for it.

    Args:
        gold: the gold entities.
        system: the system's, read the same way.
    """
    return Table(gold, system)


def ceaf(table: Table, phi: Phi) -> int | float:
    """The greatest sum of similarities that a matching of entities has.

    Args:
        table: a pair.
        phi: 1 for equal entities, 2 for such as share a mention, 3 for the number
            of mentions they share, 4 for twice that in relation to their sizes.
    """
    result = table._ceaf.get(phi)
    if result is None:
        result = table._ceaf[phi] = _ceaf(table, phi)
    return result


def _ceaf(table: Table, phi: Phi) -> int | float:
    gold, system, mentions = table.shared
    left, right = table.gold.sizes[gold], table.system.sizes[system]
    worth: Earned
    if phi == 1:
        worth = ((mentions == left) & (mentions == right)).astype(float)
    elif phi == 2:
        worth = np.ones(len(mentions))
    elif phi == 3:
        worth = mentions.astype(float)
    else:
        worth = 2 * mentions / (left + right)
    total = fsum(worth[assigned(gold, system, worth)].tolist())
    return total if phi == 4 else int(total)


def assigned(
    rows: Integers, columns: Integers, worth: Earned
) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Select the cells of an optimal one-to-one matching.

    Args:
        rows: row of each cell, shape (n,).
        columns: its column.
        worth: what it earns, not negative.

    Returns:
        Whether it is taken, shape (n,).

    Example:
        >>> one, two = np.array([0, 0, 1, 2]), np.array([0, 1, 0, 2])
        >>> assigned(one, two, np.array([3.0, 2.0, 2.0, 1.0])).tolist()
        [False, True, True, True]
    """
    taken: np.ndarray[tuple[int], np.dtype[np.bool_]] = np.ones(len(rows), dtype=bool)
    if not len(rows):
        return taken
    # Cells that nothing competes with are taken; most entities are of that kind.
    rivals = (np.bincount(rows)[rows] > 1) | (np.bincount(columns)[columns] > 1)
    [contested] = np.nonzero(rivals)
    if not len(contested):
        return taken
    taken[contested] = False
    amounts = worth[contested]
    height, row_rank = _renumbered(rows[contested])
    width, column_rank = _renumbered(columns[contested])
    if height * width > DENSE:
        cells = {
            (r, c): amount
            for r, c, amount in zip(
                row_rank.tolist(), column_rank.tolist(), amounts.tolist(), strict=True
            )
            if amount > 0
        }
        number = {
            cell: k
            for k, cell in enumerate(
                zip(row_rank.tolist(), column_rank.tolist(), strict=True)
            )
        }
        chosen = [number[cell] for cell in one_to_one(cells)]
        taken[contested[np.array(chosen, dtype=np.int64)]] = True
        return taken
    # Few need it.
    from graphscore.correspondence.scipy_assignment import linear_sum_assignment

    table = np.zeros((height, width))
    table[row_rank, column_rank] = amounts
    partner = np.full(height, -1, dtype=np.int64)
    left, right = linear_sum_assignment(table, maximize=True)
    partner[left] = right
    taken[contested] = partner[row_rank] == column_rank
    return taken


def counted(table: Table, gold: Integers, system: Integers) -> Cells:
    """Cells from the two entities of every matched mention."""
    width = max(len(table.system.sizes), 1)
    codes = gold * width + system
    codes.sort()
    # Where a run of equal codes begins, and where the last one ends.
    changes = np.empty(len(codes) + 1, dtype=bool)
    changes[0] = changes[-1] = True
    np.not_equal(codes[1:], codes[:-1], out=changes[1:-1])
    [starts] = np.nonzero(changes)
    if not len(codes):
        starts = starts[:1]
    cells = codes[starts[:-1]]
    return Cells(cells // width, cells % width, starts[1:] - starts[:-1])


def _renumbered(indices: Integers) -> tuple[int, Integers]:
    """Return the number of distinct indices, and the rank of each among them."""
    [distinct] = np.nonzero(np.bincount(indices))
    number = np.empty(int(distinct[-1]) + 1, dtype=np.int64)
    number[distinct] = np.arange(len(distinct))
    return len(distinct), number[indices]


def _joined(table: Table) -> Cells:
    """Cells where a mention can lie in several entities of either side."""
    gold_mentions, system_mentions = table.pairs
    gold, system = table.gold, table.system
    first: list[int] = []
    second: list[int] = []
    for left, right in zip(
        gold_mentions.tolist(), system_mentions.tolist(), strict=True
    ):
        for a in gold.repeated.get(gold.keys[left], (left,)):
            for b in system.repeated.get(system.keys[right], (right,)):
                first.append(int(gold.owner[a]))
                second.append(int(system.owner[b]))
    return counted(table, np.array(first, dtype=int), np.array(second, dtype=int))


def _representatives(chains: Chains) -> tuple[Integers, Integers]:
    """For each mention the first with its key, and the last."""
    first = np.arange(len(chains.keys))
    last = first.copy()
    for value in chains.repeated.values():
        first[value] = value[0]
        last[value] = value[-1]
    return first, last


def _entities_of_matched(
    side: Chains, opposite: Chains, partner: Integers
) -> tuple[Integers, Integers]:
    """Entities of mentions, and the last of the other side that each lies in."""
    first, last = _representatives(side)[0], _representatives(opposite)[1]
    result = partner[first]
    matched = result >= 0
    return side.owner[matched], opposite.owner[last[result[matched]]]


def _distinct(chains: Chains) -> int:
    if chains.reading.preset == "corefud":
        return len(chains.first)
    return len(chains.keys)
