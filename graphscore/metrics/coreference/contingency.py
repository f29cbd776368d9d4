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
>>> table.shared
{(0, 0): 1, (1, 1): 2, (2, 1): 1, (2, 2): 1}
>>> table.matched, ceaf(table, 4)
(5, 2.3)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import count
from math import fsum
from typing import Literal

from graphscore.correspondence.assignment import SLIGHT, one_to_one
from graphscore.metrics.coreference.chains import Chains
from graphscore.metrics.coreference.mention_alignment import NONE, Alignment, align
from graphscore.model.outcome import Count
from graphscore.model.outcome_builder import OutcomeBuilder

Phi = Literal[1, 2, 3, 4]
"""Number of the entity similarity φ (Luo 2005)."""

DENSE = 1 << 16
"""An assignment of so many cells, empty ones included, is solved as a whole."""

Cell = tuple[int, int]
"""Positions of a gold entity and of a system entity."""

Cells = dict[Cell, int]
"""The entries of a table that are not 0, in order of their cells."""


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
        left = [mention for mention, other in enumerate(partner) if other >= 0]
        right = [other for other in partner if other >= 0]
        self.pairs = left, right
        """Positions of the gold mentions that have a partner, and their partners'."""
        self.matched = len(left)
        """Number of matching mentions."""
        self.mentions = _distinct(gold), _distinct(system)
        """Number of mentions in gold and in the system."""
        first, second = gold.owner, system.owner
        self.cells: list[Cell] = [(first[k], second[partner[k]]) for k in left]
        """The entities of each pair of mentions."""
        copied = self.sided and bool(gold.repeated or system.repeated)
        self.shared = counted(_copies(self) if copied else self.cells)
        """Mentions that two entities have in common."""
        self.by_gold = self.by_system = self.shared
        """Likewise, each copy of a mention of one side in one entity of the other."""
        if copied:
            back = [NONE] * len(system.keys)
            for mention, other in zip(left, right, strict=True):
                back[other] = mention
            self.by_gold = counted(_last(gold, system, partner))
            self.by_system = counted((k, r) for r, k in _last(system, gold, back))
        self.company: Cells | None = None
        """For each cell ``by_gold`` how many mentions its entities share, if not its
        own."""
        self.rows: OutcomeBuilder | None = None
        """Builder of error rows for the pair, if rows are requested."""
        self._ceaf: dict[int, int | float] = {}

    @property
    def sided(self) -> bool:
        """True if a mention may lie in several entities at once."""
        return self.gold.reading.preset == "corefud"

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
    gold, system = table.gold.sizes, table.system.sizes
    worth: dict[Cell, float]
    if phi == 1:
        worth = {
            (k, r): float(gold[k] == shared == system[r])
            for (k, r), shared in table.shared.items()
        }
    elif phi == 2:
        worth = dict.fromkeys(table.shared, 1.0)
    elif phi == 3:
        worth = {cell: float(shared) for cell, shared in table.shared.items()}
    else:
        worth = {
            (k, r): 2 * shared / (gold[k] + system[r])
            for (k, r), shared in table.shared.items()
        }
    total = fsum(map(worth.__getitem__, best_cells(worth)))
    return total if phi == 4 else int(total)


def best_cells(worth: Mapping[Cell, float]) -> list[Cell]:
    """Return the cells of an optimal one-to-one matching, in order.

    Args:
        worth: what cells earn, not negative; others earn nothing.

    Example:
        >>> best_cells({(0, 0): 3.0, (0, 1): 2.0, (1, 0): 2.0, (2, 2): 1.0})
        [(0, 1), (1, 0), (2, 2)]
    """
    chosen: list[Cell] = []
    rest = worth
    while rest:
        # What earns more than the best that it excludes, of its row and of its column,
        # is in every optimal matching; most entities have such a cell.
        rows, columns = _two_best(rest)
        sure = [
            cell
            for cell, earned in rest.items()
            if 3 * earned > rows[cell[0]] + columns[cell[1]] + SLIGHT
        ]
        if len(sure) < len(rest) / FEW:
            break
        chosen += sure
        taken = [{*indices} for indices in zip(*sure, strict=True)]
        rest = {
            cell: earned
            for cell, earned in rest.items()
            if cell[0] not in taken[0] and cell[1] not in taken[1]
        }
    return sorted(chosen + _solved(rest) if rest else chosen)


FEW = 8
"""Sure cells are taken out as long as there is one among so many."""


def _two_best(worth: Mapping[Cell, float]) -> list[dict[int, float]]:
    """What the two best cells of every row earn together, and those of columns."""
    result = []
    for side in (0, 1):
        best: dict[int, float] = {}
        both: dict[int, float] = {}
        for cell, earned in worth.items():
            index = cell[side]
            if index not in best:
                best[index] = both[index] = earned
            elif earned > best[index]:
                both[index] = earned + best[index]
                best[index] = earned
            elif earned + best[index] > both[index]:
                both[index] = earned + best[index]
        result.append(both)
    return result


def _solved(worth: Mapping[Cell, float]) -> list[Cell]:
    """The cells of an optimal matching, where cells compete."""
    rows, columns = (sorted({*indices}) for indices in zip(*worth, strict=True))
    if len(rows) * len(columns) > DENSE:
        return one_to_one({cell: n for cell, n in worth.items() if n > 0})
    # Few need it.
    import numpy as np

    from graphscore.correspondence.scipy_assignment import linear_sum_assignment

    row_of, column_of = (dict(zip(x, count(), strict=False)) for x in (rows, columns))
    table = np.zeros((len(rows), len(columns)))
    for (row, column), earned in worth.items():
        table[row_of[row], column_of[column]] = earned
    ends = (side.tolist() for side in linear_sum_assignment(table, maximize=True))
    cells = [(rows[i], columns[j]) for i, j in zip(*ends, strict=True)]
    return [cell for cell in cells if cell in worth]


def counted(cells: Iterable[Cell]) -> Cells:
    """Cells in order, and how often each of them occurs."""
    counts = Counter(cells)
    return {cell: counts[cell] for cell in sorted(counts)}


def _copies(table: Table) -> Iterable[Cell]:
    """Cells of pairs where a mention can lie in several entities of either side."""
    gold, system = table.gold, table.system
    for left, right in zip(*table.pairs, strict=True):
        for a in gold.repeated.get(gold.keys[left], (left,)):
            for b in system.repeated.get(system.keys[right], (right,)):
                yield gold.owner[a], system.owner[b]


def _last(side: Chains, opposite: Chains, partner: list[int]) -> Iterable[Cell]:
    """Entities of mentions, and the last of the other side that each lies in."""
    for entity, key in zip(side.owner, side.keys, strict=True):
        counterpart = partner[side.first[key]]
        if counterpart >= 0:
            copies = opposite.repeated.get(opposite.keys[counterpart], (counterpart,))
            yield entity, opposite.owner[copies[-1]]


def _distinct(chains: Chains) -> int:
    if chains.reading.preset == "corefud":
        return len(chains.first)
    return len(chains.keys)
