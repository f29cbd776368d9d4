"""Paths of labels and edges, by length.

In the spirit of Song and Gildea (2019), "SemBleu: A Robust Metric for AMR Parsing
Evaluation": larger contexts count as pieces of their own.  Here a path of gold
counts where its image under the correspondence is a path of the system.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from graphscore.metrics.meaning.larger import Larger, Partners, Piece, spell
from graphscore.model.frameworks import LABELS, PROPERTIES
from graphscore.model.ledger import Ledger
from graphscore.model.tuples import Facts

KINDS = ("unigrams", "bigrams", "trigrams")


class Step(NamedTuple):
    """An edge, or a property that leads to its value."""

    source: int
    """Node where it begins."""
    target: int | None
    """Node where it ends; a value is none."""
    name: str | None
    """Label of the edge or name of the property, as compared."""
    value: str | None
    """Value of the property, as compared."""
    number: int
    """Number of the edge tuple; -1 for a property."""


@dataclass(frozen=True)
class Ngrams(Larger):
    """Labels, labels joined by an edge, and labels along two edges.

    Args:
        order, trim, invert, ties, preset: as in ``mrp``.
        n: nodes on the longest paths that count, from 1 to 3.
        properties: whether properties are left out, or lead to their values as
            edges to leaves.

    Example:
        >>> str(Ngrams(n=2))
        'ngrams(n=2)'
    """

    name = "ngrams"
    follows = "its own definition, after Song and Gildea 2019"
    title = "paths of up to three labelled nodes and their edges"
    citation = (
        "after Song and Gildea 2019, SemBleu: A Robust Metric for AMR Parsing "
        "Evaluation"
    )
    kinds = KINDS

    n: Literal[1, 2, 3] = 3
    properties: Literal["none", "leaves"] = "none"

    def applicable(self, framework: str) -> frozenset[str]:
        """Paths of up to ``n`` nodes; UCCA has no labels to be unigrams."""
        found = set(KINDS[: self.n])
        if framework == "ucca" and self.properties == "none":
            found.discard("unigrams")
        return frozenset(found)

    def count(
        self, gold: Facts, system: Facts, partner: Partners
    ) -> list[tuple[int, int, int]]:
        """Gold, system and matched paths of each length.

        Paths of two edges are counted at the node where the edges meet, so the
        work is linear in nodes and edges however many paths there are.
        """
        mine, theirs = self._steps(gold), self._steps(system)
        same = _matching(gold, system, mine, theirs, partner)
        alike = _alike(gold, system, partner)
        values = sum(
            step.target is None and _valued(gold, system, step, partner)
            for step in mine
        )
        found = [
            (_units(gold, mine), _units(system, theirs), len(alike) + values),
            (len(mine), len(theirs), len(same)),
            (_pairs(mine), _pairs(theirs), _pairs(same)),
        ]
        return [each if k < self.n else (0, 0, 0) for k, each in enumerate(found)]

    def enter_matches(
        self, ledger: Ledger, gold: Facts, system: Facts, partner: Partners
    ) -> None:
        """Enter corresponding nodes, and matched edges.

        A node's credit is the paths that begin there, as far as they match.
        """
        mine, theirs = self._steps(gold), self._steps(system)
        same = _matching(gold, system, mine, theirs, partner)
        alike = _alike(gold, system, partner)
        onward: dict[int, int] = {}
        for step in same:
            onward[step.source] = onward.get(step.source, 0) + 1
        credit = dict.fromkeys(partner, 0)
        for node in alike:
            credit[node] += 1
        for step in mine:
            if step.target is None and _valued(gold, system, step, partner):
                credit[step.source] += 1
        for step in same:
            if self.n > 1:
                credit[step.source] += 1
            if self.n > 2 and step.target is not None:
                credit[step.source] += onward.get(step.target, 0)
        for one, two in partner.items():
            ledger.match(one, two, float(credit[one]))
        places = {edge: number for number, edge in enumerate(system.edges)}
        for step in same:
            if step.target is not None:
                edge = (partner[step.source], partner[step.target], step.name)
                ledger.match(
                    gold.edge_ordinals[step.number],
                    system.edge_ordinals[places[edge]],
                    0.0,
                    "edge",
                )

    def unmatched(
        self, mine: Facts, theirs: Facts, partner: Partners
    ) -> Iterator[Piece]:
        """Paths whose image is none on the other side, shortest first.

        Every path of two edges is a row of its own, so their number is that of
        the paths.
        """
        own, other = self._steps(mine), self._steps(theirs)
        same = set(_matching(mine, theirs, own, other, partner))
        yield from self._unmatched_units(mine, theirs, own, partner)
        between: dict[tuple[int, int], int] = {}
        for number, (source, target, _) in enumerate(theirs.edges):
            between.setdefault((source, target), theirs.edge_ordinals[number])
        onward: dict[int, list[Step]] = {}
        for step in own:
            onward.setdefault(step.source, []).append(step)
        single = ((step,) for step in own if self.n > 1)
        double = (
            (step, after)
            for step in own
            if self.n > 2 and step.target is not None
            for after in onward.get(step.target, ())
        )
        for path in (*single, *double):
            if same.issuperset(path):
                continue
            reason, counterpart = _judge(path, partner, between, theirs)
            first = path[0]
            edge = first.target is not None
            yield Piece(
                KINDS[len(path)],
                "path" if len(path) > 1 else "edge" if edge else "node",
                mine.edge_ordinals[first.number] if edge else first.source,
                counterpart,
                mine.graph.nodes[first.source].label,
                _spelt(mine, path),
                reason,
            )

    def _unmatched_units(
        self, mine: Facts, theirs: Facts, own: list[Step], partner: Partners
    ) -> Iterator[Piece]:
        alike = _alike(mine, theirs, partner)
        labels, others = _labels(mine), _labels(theirs)
        for node in labels:
            if node in alike:
                continue
            two = partner.get(node)
            reason = "differs" if two in others else "absent"
            label = mine.graph.nodes[node].label
            yield Piece(
                "unigrams",
                "node",
                node,
                two,
                label,
                spell(label),
                "no counterpart" if two is None else reason,
            )
        for step in own:
            if step.target is None and not _valued(mine, theirs, step, partner):
                two = partner.get(step.source)
                yield Piece(
                    "unigrams",
                    "node",
                    step.source,
                    two,
                    mine.graph.nodes[step.source].label,
                    str(step.value),
                    "no counterpart" if two is None else "absent",
                )

    def _steps(self, facts: Facts) -> list[Step]:
        """Edges, and properties where they count, in order."""
        found = [
            Step(source, target, label, None, number)
            for number, (source, target, label) in enumerate(facts.edges)
        ]
        if self.properties == "leaves":
            found += [
                Step(node, None, key[1], key[2], -1)
                for node, said in enumerate(facts.said)
                for key in said
                if key[0] == PROPERTIES
            ]
        return found


def _labels(facts: Facts) -> dict[int, str]:
    """Folded labels of the nodes that have one."""
    return {
        node: key[1]
        for node, said in enumerate(facts.said)
        for key in said
        if key[0] == LABELS
    }


def _units(facts: Facts, steps: list[Step]) -> int:
    """Labels, and values of properties."""
    return len(_labels(facts)) + sum(step.target is None for step in steps)


def _alike(mine: Facts, theirs: Facts, partner: Partners) -> set[int]:
    """Labelled nodes whose counterpart has the same label."""
    others = _labels(theirs)
    return {
        node
        for node, label in _labels(mine).items()
        if node in partner and others.get(partner[node]) == label
    }


def _valued(mine: Facts, theirs: Facts, step: Step, partner: Partners) -> bool:
    """Whether the counterpart of a property's node has the property too."""
    two = partner.get(step.source)
    key = (PROPERTIES, step.name, step.value)
    return two is not None and key in theirs.said[two]


def _matching(
    mine: Facts, theirs: Facts, own: list[Step], other: list[Step], partner: Partners
) -> list[Step]:
    """Steps whose image, with the labels of its ends, is a step of *theirs*."""
    labels, others = _labels(mine), _labels(theirs)
    there = {step[:4] for step in other}

    def kept(node: int) -> bool:
        return node in partner and labels.get(node) == others.get(partner[node])

    found = []
    for step in own:
        if not kept(step.source):
            continue
        target = None
        if step.target is not None:
            if not kept(step.target):
                continue
            target = partner[step.target]
        if (partner[step.source], target, step.name, step.value) in there:
            found.append(step)
    return found


def _pairs(steps: list[Step]) -> int:
    """Paths of two steps: at every node those that come in times those that go on."""
    into: dict[int, int] = {}
    for step in steps:
        if step.target is not None:
            into[step.target] = into.get(step.target, 0) + 1
    return sum(into.get(step.source, 0) for step in steps)


def _judge(
    path: tuple[Step, ...],
    partner: Partners,
    between: dict[tuple[int, int], int],
    theirs: Facts,
) -> tuple[str, int | None]:
    """Why a path has no image, and what stands where it begins.

    Returns:
        ``no counterpart`` if a node of the path corresponds to nothing,
        ``differs`` if the counterparts are joined along the way, else
        ``absent``; and the ordinal of the edge that joins the first two
        counterparts, or of the node for a property.
    """
    counterparts: list[int | None] = []
    joined = True
    for step in path:
        source = partner.get(step.source)
        if step.target is None:
            counterparts.append(source)
            if source is None:
                return "no counterpart", None
            joined = joined and any(
                key[:2] == (PROPERTIES, step.name) for key in theirs.said[source]
            )
            continue
        target = partner.get(step.target)
        if source is None or target is None:
            return "no counterpart", None
        counterparts.append(between.get((source, target)))
        joined = joined and counterparts[-1] is not None
    return ("differs" if joined else "absent"), counterparts[0]


def _spelt(facts: Facts, path: tuple[Step, ...]) -> str:
    """A path as shown: ``bark -arg1-> dog``."""
    nodes = facts.graph.nodes
    shown = spell(nodes[path[0].source].label)
    for step in path:
        end = step.value if step.target is None else nodes[step.target].label
        shown += f" -{spell(step.name)}-> {spell(end)}"
    return shown
