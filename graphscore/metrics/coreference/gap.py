"""Ambiguous pronouns and their names, by gender (Webster et al. 2018).

>>> from graphscore.model.graph import Edge, Graph, Node
>>> def line(item, gender, *true):
...     nodes = [Node(0, gender, (("kind", "mention"),))]
...     for place, name in enumerate("AB", 1):
...         nodes.append(Node(place, None, (("kind", "mention"), ("candidate", name))))
...     edges = [Edge(0, "AB".index(name) + 1, "coreference") for name in true]
...     return Graph(item, "gap", nodes=tuple(nodes), edges=tuple(edges))
>>> from graphscore import score
>>> gold = [line("1", "masculine", "A"), line("2", "feminine", "B")]
>>> found = score(gold, [line("1", None, "A"), line("2", None, "A", "B")], "gap")
>>> {kind: round(count.f1, 3) for kind, count in found.counts.items()}
{'masculine': 1.0, 'feminine': 0.667, 'all': 0.8}
>>> {name: round(value, 3) for name, value in found.figures.numbers.items()}
{'bias': 0.667, 'accuracy': 0.75}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from graphscore.correspondence import Budget
from graphscore.metrics.base import Metric
from graphscore.model.graph import Graph
from graphscore.model.ledger import Ledger
from graphscore.model.outcome import (
    Figures,
    MassKey,
    Outcome,
    count_of,
    total_count,
)
from graphscore.structures.layout import first_of

MASCULINE, FEMININE, OTHER = "masculine", "feminine", "other"

PAIRS, RIGHT, EVERY = "pairs", "right", "every"
"""The masses of accuracy."""


class Line(NamedTuple):
    """A pronoun with its names."""

    gender: str | None
    names: tuple[str, ...]
    links: dict[str, int]
    """The edge to each name that the pronoun refers to."""


@dataclass(frozen=True)
class Gap(Metric):
    """Pronouns and the names that they refer to, over all and by gender.

    Counts are those of ``gap_scorer.py``: every pronoun has two names, and the pairs
    that are true are counted.  What a system says nothing of it has wrong, both pairs.
    """

    name = "gap"
    title = "ambiguous pronouns: names they refer to, by gender"
    citation = "Webster et al. 2018, Mind the GAP"
    follows = "gap_scorer.py 83135f2"
    frameworks = frozenset({"gap"})
    bound = "a name of a pronoun without an answer is missed, be it true or not"
    kinds = (MASCULINE, FEMININE)

    def prepare(self, graph: Graph) -> Line:
        """The pronoun of a line, and the names that are true."""
        names = {
            node.id: str(name)
            for node in graph.nodes
            if (name := first_of(node.properties, "candidate")) is not None
        }
        labels = [node.label for node in graph.nodes if node.id not in names]
        gender = next((str(each) for each in labels if each is not None), None)
        links = {
            names[edge.target]: number
            for number, edge in enumerate(graph.edges)
            if edge.target in names
        }
        return Line(gender, tuple(names.values()), links)

    def compare(
        self,
        gold: Sequence[Line],
        system: Sequence[Line],
        *,
        budget: Budget,
        details: bool = True,
    ) -> Outcome:
        """Compare the two pairs of a pronoun."""
        nothing = Line(None, (), {})
        [mine, *_], [theirs, *_] = [*gold, nothing], [*system, nothing]
        gender = mine.gender or theirs.gender
        kind = gender if gender in self.kinds else OTHER
        ledger = Ledger(details)
        for name in mine.names or theirs.names:
            one, two = mine.links.get(name), theirs.links.get(name)
            # What is not answered counts as missed, be it true or not.
            missed = bool(mine.names) and not theirs.names
            ledger.count(
                kind,
                int(one is not None or missed),
                int(two is not None),
                int(one is not None and two is not None),
            )
            right = (one is None) == (two is None) and not missed
            ledger.add(kind, PAIRS, RIGHT, int(right))
            ledger.add(kind, PAIRS, EVERY)
            if one is not None and two is not None:
                ledger.match(one, two, what="edge")
            elif one is not None:
                ledger.error("missing", kind, one, what="edge", label=name)
            elif two is not None:
                ledger.error("surplus", kind, two, what="edge", label=name)
        return ledger.outcome(ledger.masses.get((kind, "", "matched"), 0), "pairs")

    def figures(self, masses: Mapping[MassKey, int | float]) -> Figures:
        """Counts by gender and of all; bias is F1 of feminine by that of masculine."""
        counts = {kind: count_of(masses, kind) for kind in self.kinds}
        every = [*counts.values(), count_of(masses, OTHER)]
        numbers = {}
        if counts[MASCULINE].f1 and counts[FEMININE].f1:
            numbers["bias"] = counts[FEMININE].f1 / counts[MASCULINE].f1
        right, pairs = (
            sum(masses.get((kind, PAIRS, each), 0) for kind in (*self.kinds, OTHER))
            for each in (RIGHT, EVERY)
        )
        if pairs:
            numbers["accuracy"] = right / pairs
        counts["all"] = total_count(every)
        return Figures(counts, numbers)
