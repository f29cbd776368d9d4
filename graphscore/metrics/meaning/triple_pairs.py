"""Pairs of triples that two graphs could share: the problem that is searched."""

from __future__ import annotations

from functools import partial

import numpy as np

from graphscore.correspondence import Problem
from graphscore.metrics.meaning.overlap import CommonFacts, Parts
from graphscore.metrics.meaning.triples import ATTRIBUTES, INSTANCES, Triples
from graphscore.model.fact_arrays import Integers, integers


class TriplePairs(CommonFacts):
    """Pairs of triples that could match.

    Args:
        gold: triples of the gold graph.
        system: triples of the system graph.
        once: whether every pair matches once.
    """

    def __init__(self, gold: Triples, system: Triples, once: bool) -> None:
        left, right = gold.arrays, system.arrays
        if once:
            super().__init__(left, right)
        else:
            super().__init__(
                left,
                right,
                (_fact_amounts(gold), _fact_amounts(system)),
                (integers(gold.relation_counts), integers(system.relation_counts)),
                np.multiply if gold.conventions.duplicates == "pairs" else np.minimum,
            )

    def problem(self) -> Problem:
        """The problem of the two graphs, which prefers instances, then attributes."""
        facts = (partial(self.facts_alone, kind) for kind in (INSTANCES, ATTRIBUTES))
        edges = partial(self.edges_alone, self.links.weight)
        return self.build(False, Parts(*facts, edges))


def _fact_amounts(triples: Triples) -> Integers:
    """How often each fact of a node counts, in the order of the arrays."""
    counts = triples.fact_counts
    return integers([counts[k] for facts in triples.said for k in facts.values()])
