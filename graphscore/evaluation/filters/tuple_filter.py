"""Counting those tuples of pairs that are of nodes and edges which a pattern binds.

All tuples of a graph are what is missing where the other side has nothing.  Those of
gold that are bound and not among the errors of the pair match, whatever they match
with; and so do those of the system.  The correspondence is that of the whole pair.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec
from sqlalchemy import Connection

from graphscore.correspondence import Budget
from graphscore.evaluation.tasks import BATCH, Task, run_task
from graphscore.evaluation.unit import ItemResult
from graphscore.find.binding import Bindings
from graphscore.metrics.base import Metric
from graphscore.metrics.corrections import Correctable
from graphscore.metrics.traits import trait
from graphscore.model.graph import Graph
from graphscore.model.outcome import Error, RawCounts
from graphscore.store.evaluations import StoredPair
from graphscore.store.read.load import load_present
from graphscore.store.write.rows import batched

QUANTITIES = ("gold", "system", "matched", "matched_system")


class Ends(NamedTuple):
    """Bindings of a pattern on both sides, with the settings of scoring.

    Args:
        connection: the store that has the graphs.
        metric: what scores.
        budget: how much work was allowed.
        gold: what the pattern binds in gold.
        system: what it binds in the system.
    """

    connection: Connection
    metric: Metric
    budget: Budget
    gold: Bindings
    system: Bindings

    def found_in(self, pair: StoredPair) -> bool:
        """Return whether either side of a pair has a hit."""
        return pair.gold in self.gold.graphs or pair.system in self.system.graphs

    def binds(self, pair: StoredPair, error: Error) -> bool:
        """Return whether an error is about a node or edge that is bound."""
        if error.error_type == "spurious":
            return self.system.binds(pair.system, error.object, error.system)
        return self.gold.binds(pair.gold, error.object, error.gold)


def restrict_to_bound(
    ends: Ends, items: Sequence[ItemResult], pairs: Sequence[StoredPair]
) -> list[ItemResult]:
    """The items in which anything is bound, with what counts of them.

    Args:
        ends: what is counted.
        items: those of everything, with their errors.
        pairs: what became of each unit.
    """
    known = {
        (pair.framework, pair.language, pair.item, pair.layer): pair
        for pair in pairs
        if pair.result is not None and ends.found_in(pair)
    }
    corrections = trait(ends.metric, Correctable)
    bound_items = []
    for item in items:
        pair = known.get((item.framework, item.language, item.item, item.layer))
        if pair is not None:
            bound_items.append((item, pair))
    result = []
    for chunk in batched(bound_items, BATCH):
        errors_by_pair = _tuples_of(ends, [pair for _, pair in chunk])
        for (item, pair), every in zip(chunk, errors_by_pair, strict=True):
            errors = tuple(x for x in item.errors if ends.binds(pair, x))
            bound = (x for x in every if ends.binds(pair, x))
            raw_counts = corrections.completed(_count_bound(corrections, bound, errors))
            result.append(item._replace(raw_counts=raw_counts, errors=errors))
    return result


def _tuples_of(ends: Ends, pairs: Sequence[StoredPair]) -> Iterator[tuple[Error, ...]]:
    """All tuples of both sides of every pair, as errors."""
    ids = {x for pair in pairs for x in (pair.gold, pair.system) if x is not None}
    graphs = load_present(ends.connection, sorted(ids))
    one_sided = []
    for pair in pairs:
        gold, system = (
            (graphs[number],) if number is not None else ()
            for number in (pair.gold, pair.system)
        )
        one_sided += [(gold, _without_nodes(system)), (_without_nodes(gold), system)]
    task = Task((ends.metric,), tuple(one_sided), ends.budget, True)
    errors = [timed.outcome.errors for timed in run_task(task)]
    for missing, spurious in zip(errors[::2], errors[1::2], strict=True):
        yield missing + spurious


def _without_nodes(graphs: tuple[Graph, ...]) -> tuple[Graph, ...]:
    """Graphs without anything but their text, by which anchors are compared."""
    return tuple(
        msgspec.structs.replace(graph, nodes=(), edges=(), tops=()) for graph in graphs
    )


def _count_bound(
    corrections: Correctable, bound: Iterable[Error], errors: Iterable[Error]
) -> RawCounts:
    """The amounts of tuples that are bound, some of which are in error."""
    raw_counts: RawCounts = {}
    for sign, rows in ((1, bound), (-1, errors)):
        for row in rows:
            spurious = row.error_type == "spurious"
            whole, right = QUANTITIES[1::2] if spurious else QUANTITIES[::2]
            repaired = corrections.repaired(row)
            for tuple_type, label, quantity in repaired:
                if quantity != ("system" if spurious else "matched"):
                    continue
                for name in QUANTITIES:
                    # What is not said to be 0 for the system is that of gold.
                    raw_counts.setdefault((tuple_type, label, name), 0)
                raw_counts[tuple_type, label, right] += sign
                if sign > 0:
                    raw_counts[tuple_type, label, whole] += 1
    return raw_counts
