"""Good maps for problems that the bound does not close.

The relaxation's own maps are good where labels and rewards tell nodes apart.  Where
they do not (one label throughout, regular graphs), the map has to come from the
shape of the graphs.  Every start below is followed by the same climbing:

* *colours*: nodes are told apart by what lies around them, round by round
  (Weisfeiler and Leman 1968), on both sides at once; nodes that stay alike for many
  rounds belong together;
* *singling out*: where colours leave nodes alike that are not, one node of each
  side gets a colour of its own and colours are refined again, for as long as both
  sides agree (McKay 1981): isomorphic graphs are found isomorphic;
* *growing*: pairs are added one by one, each time the one that earns most beside
  those that are there, of equals the one whose colours agree longest;
* *relaxing the map*: from every pair to the same extent towards one map, along the
  steepest ascent (Vogelstein et al. 2015, "Fast approximate quadratic programming
  for graph matching");
* *exchanging*: pairs are forced in one after the other although it costs, and may
  not be undone for a while (Taillard 1991, "Robust taboo search for the quadratic
  assignment problem").

No start knows of a family of graphs, and none uses chance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import itemgetter

import numpy as np
import numpy.typing as npt

from graphscore.correspondence.candidates import Cells
from graphscore.correspondence.edge_groups import EdgeGroups, Edges
from graphscore.correspondence.problem import Integers, relaxation_steps
from graphscore.correspondence.relaxation import assign, chain_in_order

Spend = Callable[[int], bool]
"""Is told how many steps something costs; false once there are none left."""

Colours = npt.NDArray[np.uint64]

REFINED = 40
"""Rounds of colours at most; after so many steps along edges little is new."""

SINGLED = 64
"""Nodes of a class that one is singled out against before the best is taken."""

RELAXED = 12
"""Assignments of one ascent towards a map."""

TENURE = 20
"""Exchanges for which a pair that was given up stays away, and more by turns."""

IDLE = 1200
"""Exchanges without a better map after which they end."""


class Incumbents:
    """The best map met of one problem.

    Args:
        reward: what each pair of nodes earns by itself, shape (gold, system).
        layers: the edges.
        ordered: whether maps must preserve the order of both sides.
        spend: is told how many steps something cost; false once there are no more.

    Attributes:
        score: what the best map earns.
        target: for each gold node its system node in that map, or -1.
        enough: a score that no map exceeds; the search ends there.
    """

    def __init__(
        self,
        reward: Integers,
        layers: EdgeGroups,
        ordered: bool,
        spend: Spend,
    ) -> None:
        self.reward, self.layers, self.ordered = reward, layers, ordered
        self.spend = spend
        self.score = 0
        self.target = np.full(reward.shape[0], -1, dtype=np.int64)
        self.enough = np.iinfo(np.int64).max
        joined = layers.couplings // max(1, min(reward.shape))
        self.price = relaxation_steps(joined, *reward.shape)
        self._match = chain_in_order if ordered else assign

    def bound(self) -> int:
        """Return an upper bound on every mapping, by degrees and by number of edges."""
        doubled = 2 * self.reward + self.layers.credit
        degrees = _worth(doubled, self._match(doubled)) // 2
        rewards = _worth(self.reward, self._match(self.reward))
        return min(degrees, rewards + self.layers.ceiling())

    def cells(self) -> Cells:
        """The pairs of the best map that earn something."""
        beside = self.reward + self.layers.beside(self.target)
        mapped = np.flatnonzero(self.target >= 0)
        useful = mapped[beside[mapped, self.target[mapped]] > 0]
        return tuple(zip(useful.tolist(), self.target[useful].tolist(), strict=True))

    def offer(self, target: Integers) -> tuple[int, Integers]:
        """Take a map into account.

        Args:
            target: for each gold node its system node, or -1.

        Returns:
            What it earns, and what each pair would earn beside it.
        """
        beside = self.reward + self.layers.beside(target)
        mapped = np.flatnonzero(target >= 0)
        cells = mapped, target[mapped]
        # Every matched edge stands beside both of its ends.
        score = int((beside[cells] + self.reward[cells]).sum()) // 2
        if score > self.score:
            self.score, self.target = score, target.copy()
        return score, beside

    def climb(self, target: Integers) -> int:
        """Assign again by what pairs earn beside the map, while that pays.

        Args:
            target: for each gold node its system node, or -1.

        Returns:
            What the best of these maps earns.
        """
        score, beside = self.offer(target)
        while score < self.enough and self.spend(self.price):
            again, fresh = self.offer(self._match(beside))
            if again <= score:
                break
            score, beside = again, fresh
        return score

    def improve(self) -> None:
        """Try every start, then exchange from each, until the budget ends."""
        maps: list[tuple[int, int, Integers]] = []
        for start in self._starts():
            maps.append((-self.climb(start), len(maps), start))
            if self.score >= self.enough or not self.spend(0):
                return
        if self.ordered:
            return
        self._exchange(self.target)
        for _, _, start in sorted(maps, key=itemgetter(0, 1)):
            if self.score >= self.enough or not self.spend(0):
                return
            self._exchange(start)

    def _starts(self) -> Iterator[Integers]:
        first = _first_colours(self.reward)
        plain = np.zeros_like(first[0]), np.zeros_like(first[1])
        for colouring in (first, plain):
            colours = list(_refine(self.layers, *colouring))
            alike = _agreement(colours)
            yield self._match(self.reward + alike * (REFINED + 1))
            if not self.ordered:
                if self.spend(len(self.reward) * (1 + self.reward.shape[1] // 1000)):
                    yield self._grown(alike)
                yield from self._single_out(*colours[-1])
            if colouring is first and len(np.unique(np.concatenate(first))) == 1:
                break
        yield self._match(2 * self.reward + self.layers.credit)
        yield self._relax(alike)

    def _grown(self, alike: Integers) -> Integers:
        """Pairs added one by one, each the best beside those that are there."""
        rows, columns = self.reward.shape
        target = np.full(rows, -1, dtype=np.int64)
        scale = int(alike.max(initial=0)) + 1
        worth = self.reward * scale + alike
        first = worth.argmax(axis=1)
        most = worth[np.arange(rows), first]
        neighbours = _Neighbours(self.layers)
        for _ in range(min(rows, columns)):
            row = int(most.argmax())
            column = int(first[row])
            target[row] = column
            worth[row, :] = worth[:, column] = -1
            stale = [np.flatnonzero(first == column)]
            for cells, amounts in neighbours.of(row, column):
                free = worth[cells] >= 0
                np.add.at(worth, tuple(c[free] for c in cells), scale * amounts[free])
                stale.append(cells[0])
            again = np.unique(np.concatenate(stale))
            first[again] = worth[again].argmax(axis=1)
            most[again] = worth[again, first[again]]
            most[row] = -1
        return target

    def _relax(self, alike: Integers) -> Integers:
        """From every pair to the same extent along the steepest ascent."""
        shape = self.reward.shape
        now = np.full(shape, 1.0 / max(shape))
        # What colours say breaks the symmetry of the start, and no more.
        lean = alike / (1.0 + alike.max(initial=0)) / 4.0
        target = np.full(shape[0], -1, dtype=np.int64)
        price = self.price + len(self.layers.gold.key) * shape[1] // 10_000
        for _ in range(RELAXED):
            if not self.spend(price):
                break
            slope = self.reward + self.layers.products(now) + lean
            target = self._match(slope)
            step = np.zeros(shape)
            mapped = np.flatnonzero(target >= 0)
            step[mapped, target[mapped]] = 1.0
            step -= now
            # Along the step the worth is a quadratic function: a x² + b x.
            curved = float((step * self.layers.products(step)).sum()) / 2
            rise = float((slope * step).sum())
            length = 1.0 if curved >= 0 else min(1.0, -rise / (2 * curved))
            now += length * step
            if length * rise < 1e-9 or length == 1.0:
                break
        return target

    def _single_out(self, gold: Colours, system: Colours) -> Iterator[Integers]:
        """Nodes told apart by singling them out, where both sides agree so far."""
        rows, columns = self.reward.shape
        price = max(1, REFINED * (len(self.layers.gold.key) + rows) // 20_000)
        if _count_shared(gold, system) * 2 < min(rows, columns):
            return
        for number in range(1, rows + 1):
            chosen = _smallest_class(gold, system)
            if chosen is None:
                break
            left, others = chosen
            best = -1
            for right in others[:SINGLED].tolist():
                if not self.spend(price):
                    return
                first, second = gold.copy(), system.copy()
                first[left] = second[right] = np.uint64(number)
                first, second = list(_refine(self.layers, first, second))[-1]
                agreed = _count_shared(first, second)
                if agreed > best:
                    best, kept = agreed, (first, second)
                if agreed == min(rows, columns):
                    break
            gold, system = kept
        alike = (gold[:, None] == system[None, :]).astype(np.int64)
        yield self._match(self.reward + alike * (1 + int(self.reward.max(initial=0))))

    def _exchange(self, target: Integers) -> None:
        """Force pairs in that cost least, and do not let go of them for a while."""
        rows, columns = self.reward.shape
        most = 0
        banned = np.zeros((rows, columns), dtype=np.int64)
        idle = turn = 0
        price = (
            self.price - relaxation_steps(0, rows, columns) + 5 + rows * columns // 2000
        )
        while idle < IDLE and self.score < self.enough and self.spend(price):
            turn, idle = turn + 1, idle + 1
            score, beside = self.offer(target)
            if score > most:
                most, idle = score, 0
            kept = self.layers.matched(target)
            ends = self.layers.gold.source[kept], self.layers.gold.target[kept]
            target = _exchanged(target, beside, ends, banned, turn)
        self.climb(target)


def _worth(table: Integers, target: Integers) -> int:
    """Return the weight of a mapping by the values of a table."""
    mapped = np.flatnonzero(target >= 0)
    return int(table[mapped, target[mapped]].sum())


def _exchanged(
    target: Integers,
    beside: Integers,
    matched: tuple[Integers, Integers],
    banned: Integers,
    turn: int,
) -> Integers:
    """The map after the exchange that costs least and is not banned.

    Args:
        target: the map.
        beside: what every pair earns beside it.
        matched: sources and targets of the gold edges that it finds.
        banned: until which turn each pair is.
        turn: the number of this exchange.
    """
    rows, columns = beside.shape
    mapped = np.flatnonzero(target >= 0)
    owner = np.full(columns, -1, dtype=np.int64)
    owner[target[mapped]] = mapped
    own = np.zeros(rows, dtype=np.int64)
    own[mapped] = beside[mapped, target[mapped]]
    lost = np.zeros(columns, dtype=np.int64)
    lost[target[mapped]] = own[mapped]
    # Whoever is displaced takes the place that becomes free.
    swapped = beside[owner[None, :], target[:, None]]
    swapped[:, owner < 0] = 0
    swapped[target < 0, :] = 0
    change = beside + swapped - own[:, None] - lost[None, :]
    # An edge between the two that give up their places was taken off twice.
    for left, right in (matched, matched[::-1]):
        change[left, target[right]] += 1
    change[mapped, target[mapped]] = -FAR
    change[banned > turn] = -FAR
    # Of equals another one every time, so that it does not go in circles.
    cells = np.arange(rows * columns, dtype=np.uint64).reshape(rows, columns)
    noise = _mix(cells + np.uint64(turn) * np.uint64(rows * columns)) >> np.uint64(54)
    row, column = divmod(
        int((change * 1024 + noise.astype(np.int64)).argmax()), columns
    )
    fresh = target.copy()
    previous_row, previous_column = int(owner[column]), int(target[row])
    stays = turn + TENURE + turn % TENURE
    if previous_column >= 0:
        banned[row, previous_column] = stays
    fresh[row] = column
    if previous_row >= 0:
        banned[previous_row, column] = stays
        fresh[previous_row] = previous_column
    return fresh


FAR = 1 << 40
"""More than any change of worth."""


class _Neighbours:
    """The edges at each node, to see what a new pair adds.

    Args:
        layers: the edges.
    """

    def __init__(self, layers: EdgeGroups) -> None:
        self._sides = [
            [
                _at_nodes(edges.turned() if turned else edges, size)
                for edges, size in zip(
                    (layers.gold, layers.system), layers.shape, strict=True
                )
            ]
            for turned in (False, True)
        ]

    def of(
        self, row: int, column: int
    ) -> Iterator[tuple[tuple[Integers, Integers], Integers]]:
        """Pairs of nodes that earn more once two nodes are paired.

        Args:
            row: the gold node.
            column: the system node.

        Yields:
            Rows and columns of the pairs, and how much more.
        """
        for (first, begins), (second, starts) in self._sides:
            gold_edges = slice(begins[row], begins[row + 1])
            system_edges = slice(starts[column], starts[column + 1])
            left, right = np.nonzero(
                first.key[gold_edges, None] == second.key[None, system_edges]
            )
            cells = first.target[gold_edges][left], second.target[system_edges][right]
            yield (
                cells,
                first.amount[gold_edges][left] * second.amount[system_edges][right],
            )


def _at_nodes(edges: Edges, size: int) -> tuple[Edges, Integers]:
    """Edges sorted by source, and where those of each node begin."""
    order = np.argsort(edges.source, kind="stable")
    ordered = Edges(*(column[order] for column in edges))
    return ordered, np.searchsorted(ordered.source, np.arange(size + 1))


def _mix(values: Colours) -> Colours:
    """Numbers spread over 64 bits (Steele et al. 2014, the finaliser of splitmix64)."""
    with np.errstate(over="ignore"):
        mixed = values + np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        spread: Colours = mixed ^ (mixed >> np.uint64(31))
    return spread


def _first_colours(reward: Integers) -> tuple[Colours, Colours]:
    """One colour for nodes that earn with one another as much as with any.

    Equal labels and properties make such nodes; they are joined transitively.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    rows, columns = reward.shape
    best = (reward == reward.max(axis=1, initial=0)[:, None]) & (
        reward == reward.max(axis=0, initial=0)[None, :]
    )
    left, right = np.nonzero(best)
    size = rows + columns
    graph = coo_array((np.ones(len(left)), (left, rows + right)), shape=(size, size))
    _, colours = connected_components(graph, directed=False)
    mixed = _mix(colours.astype(np.uint64))
    return mixed[:rows], mixed[rows:]


def _refine(
    layers: EdgeGroups, gold: Colours, system: Colours
) -> Iterator[tuple[Colours, Colours]]:
    """Colours of both sides, round by round, until no round tells more apart."""
    classes = 0
    for _ in range(REFINED):
        yield gold, system
        count = len(np.unique(np.concatenate((gold, system))))
        if count == classes:
            return
        classes = count
        gold = _recolor(layers.gold, gold)
        system = _recolor(layers.system, system)


def _recolor(edges: Edges, colours: Colours) -> Colours:
    """Each node's colour with those around it, as a sum that has no order."""
    with np.errstate(over="ignore"):
        total = _mix(colours)
        key_hash = _mix(edges.key.astype(np.uint64) * np.uint64(2))
        for ends, others, turn in (
            (edges.source, edges.target, np.uint64(1)),
            (edges.target, edges.source, np.uint64(2)),
        ):
            seen = _mix(colours[others] + _mix(key_hash + turn))
            seen *= edges.amount.astype(np.uint64)
            np.add.at(total, ends, seen)
    return _mix(total)


def _agreement(rounds: list[tuple[Colours, Colours]]) -> Integers:
    """For each pair of nodes in how many rounds they have one colour."""
    gold, system = rounds[0]
    total = np.zeros((len(gold), len(system)), dtype=np.int64)
    for gold, system in rounds:
        total += gold[:, None] == system[None, :]
    return total


def _count_shared(gold: Colours, system: Colours) -> int:
    """Count the nodes that could be paired with one of their color."""
    left = dict(zip(*np.unique(gold, return_counts=True), strict=True))
    right = dict(zip(*np.unique(system, return_counts=True), strict=True))
    return sum(int(min(count, right.get(colour, 0))) for colour, count in left.items())


def _smallest_class(gold: Colours, system: Colours) -> tuple[int, Integers] | None:
    """A gold node that is not alone in its colour, and the system's of that colour."""
    colours, first, counts = np.unique(gold, return_index=True, return_counts=True)
    others, more = np.unique(system, return_counts=True)
    for k in np.argsort(counts, kind="stable").tolist():
        at = np.searchsorted(others, colours[k])
        if at < len(others) and others[at] == colours[k] and counts[k] + more[at] > 2:
            return int(first[k]), np.flatnonzero(system == colours[k])
    return None
