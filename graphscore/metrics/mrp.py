"""The MRP metric: tuples of six types under the best node correspondence.

Oepen et al. (2019), "MRP 2019: Cross-Framework Meaning Representation Parsing";
reference scorer cfmrp/mtool 4cee3a2, ``score/mces.py``.  Where that scorer stops
searching, the figure here is the proven optimum.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

import msgspec
import numpy as np

from graphscore.anchors import Trim
from graphscore.correspondence import (
    Budget,
    Correspondence,
    LinkPairs,
    Preference,
    Problem,
    solve,
)
from graphscore.correspondence.relaxation import SCALE
from graphscore.graph import Graph
from graphscore.metrics.base import Metric, numbered
from graphscore.normalize import Invert
from graphscore.results import (
    Error,
    Figures,
    Masses,
    MassKey,
    Match,
    Outcome,
    total_count,
)
from graphscore.tuples import (
    ANCHORS,
    KINDS,
    Conventions,
    Fact,
    Facts,
    Integers,
    applicable,
    decompose,
)

NODE_KINDS = ("tops", "labels", "properties", "anchors")
EDGE_KINDS = ("edges", "attributes")


class Overlap:
    """What two graphs have in common before any correspondence is chosen.

    Args:
        gold: tuples of the gold graph.
        system: tuples of the system graph.
    """

    def __init__(self, gold: Facts, system: Facts) -> None:
        self.gold, self.system = gold, system
        # One more entry, so that a graph without facts can be looked up too.
        table = np.array([gold.codes.get(key, -1) for key in system.codes] + [-1])
        mine = table[system.fact_codes]
        left, right = np.nonzero(gold.fact_codes[:, None] == mine[None, :])
        self.fact_kinds = gold.fact_kinds[left]
        self.fact_gold = gold.fact_nodes[left]
        self.fact_system = system.fact_nodes[right]
        table = np.array(
            [gold.label_codes.get(key, -1) for key in system.label_codes] + [-1]
        )
        mine = table[system.edge_codes]
        self.gold_edges, self.system_edges = np.nonzero(
            gold.edge_codes[:, None] == mine[None, :]
        )
        self.links = LinkPairs(
            gold.edge_ends[0][self.gold_edges],
            gold.edge_ends[1][self.gold_edges],
            system.edge_ends[0][self.system_edges],
            system.edge_ends[1][self.system_edges],
            1 + self.common_attributes,
        )

    @cached_property
    def common_attributes(self) -> Integers:
        """Shared attribute tuples of each pair of equally labelled edges."""
        shared = np.zeros(len(self.gold_edges), dtype=np.int64)
        mine, theirs = self.gold.attributes, self.system.attributes
        if mine and theirs:
            carriers = self.gold.carriers[self.gold_edges]
            carriers &= self.system.carriers[self.system_edges]
            for k in np.flatnonzero(carriers).tolist():
                one = mine[int(self.gold_edges[k])]
                two = theirs[int(self.system_edges[k])]
                shared[k] = len(one.keys() & two.keys())
        return shared

    @cached_property
    def loops(self) -> Integers:
        """Pairs of edges that are self-loops on both sides: they reward a node."""
        links = self.links
        return np.flatnonzero(
            (links.gold_source == links.gold_target)
            & (links.system_source == links.system_target)
        )

    def reward(self, chosen: Integers, edges: Integers | int) -> Integers:
        """A reward table from the facts *chosen* and from self-loops.

        Args:
            chosen: positions of the ``fact_`` arrays that count.
            edges: what each pair of edges is worth.
        """
        rows, columns = self.gold.size, self.system.size
        cells = self.fact_gold[chosen] * columns + self.fact_system[chosen]
        table = np.bincount(cells, minlength=rows * columns).astype(np.int64)
        loops = self.loops
        if len(loops):
            worth = np.broadcast_to(edges, len(self.gold_edges))[loops]
            cells = self.links.gold_source[loops] * columns
            np.add.at(table, cells + self.links.system_source[loops], worth)
        return table.reshape(rows, columns)

    def problem(self, ordered: bool) -> Problem:
        """The correspondence problem of the two graphs."""
        every = np.arange(len(self.fact_kinds))
        return Problem(
            self.reward(every, self.links.weight),
            self.links,
            ordered,
            _Preferences(self),
            self.anchor_hint,
        )

    def anchor_hint(self) -> Integers:
        """Favour nodes whose characters overlap, their descendants' included.

        In units of the search's scale: less than one tuple, more for a larger
        common share.
        """
        gold, system = _yields(self.gold), _yields(self.system)
        table = np.zeros((len(gold), len(system)), dtype=np.int64)
        for i, one in enumerate(gold):
            if one:
                for j, two in enumerate(system):
                    common = one & two
                    if common:
                        share = common.bit_count() / (one | two).bit_count()
                        table[i, j] = int(share * (SCALE - 1))
        return table

    def matched(self, target: Integers) -> tuple[list[int], Integers]:
        """Matched tuples per kind under a map, and which pairs of edges match.

        Args:
            target: for each gold node its system node, or -1.
        """
        hit = target[self.fact_gold] == self.fact_system
        counts = np.bincount(self.fact_kinds[hit], minlength=4).tolist()
        links = self.links
        edges = (target[links.gold_source] == links.system_source) & (
            target[links.gold_target] == links.system_target
        )
        found = np.flatnonzero(edges)
        counts.append(len(found))
        counts.append(int(self.common_attributes[found].sum()))
        return counts, found


class _Preferences(Sequence[Preference]):
    """Tops, labels, properties, anchors, edges, attributes; made when asked for."""

    def __init__(self, overlap: Overlap) -> None:
        self._overlap = overlap

    @cached_property
    def _parts(self) -> tuple[Preference, ...]:
        overlap = self._overlap
        nothing = np.zeros(len(overlap.gold_edges), dtype=np.int64)
        none = np.empty(0, dtype=np.int64)
        parts = [
            Preference(
                overlap.reward(np.flatnonzero(overlap.fact_kinds == kind), 0), nothing
            )
            for kind in range(len(NODE_KINDS))
        ]
        for worth in (nothing + 1, overlap.common_attributes):
            parts.append(Preference(overlap.reward(none, worth), worth))
        return tuple(parts)

    def __len__(self) -> int:
        return len(KINDS)

    def __getitem__(self, position: Any) -> Any:
        return self._parts[position]


def _yields(facts: Facts) -> list[int]:
    """Characters of every node and of what it leads to."""
    yields = [0] * facts.size
    keys = facts.keys
    for code, node, kind in zip(
        facts.fact_codes.tolist(),
        facts.fact_nodes.tolist(),
        facts.fact_kinds.tolist(),
        strict=True,
    ):
        if kind == ANCHORS:
            yields[node] |= int(keys[code][1])
    changed = True
    while changed:
        changed = False
        for source, target, _ in facts.edges:
            union = yields[source] | yields[target]
            if union != yields[source]:
                yields[source] = union
                changed = True
    return yields


@dataclass(frozen=True)
class Mrp(Metric):
    """Cross-framework meaning representation parsing score.

    Args:
        order: whether maps of bi-lexical graphs preserve the order of the node
            lists (``surface``, the official scorer) or not (``free``, the
            published definition).
        edges: whether edges count with their labels or as bare pairs of nodes.
        trim: where punctuation is taken off anchors.
        invert: where inverted edges are inferred from their labels.
        ties: how one of several best maps is chosen.
        preset: ``mtool`` follows that tool's reading of AMR and repeated edges.

    Example:
        >>> str(Mrp(order="free"))
        'mrp(order=free)'
    """

    name: ClassVar[str] = "mrp"
    title: ClassVar[str] = "tuples of six types under the best node correspondence"
    citation: ClassVar[str] = (
        "Oepen et al. 2019, MRP 2019: Cross-Framework Meaning Representation Parsing"
    )
    revision: ClassVar[int] = 1
    kinds: ClassVar[tuple[str, ...]] = KINDS

    order: Literal["surface", "free"] = "surface"
    edges: Literal["labeled", "unlabeled"] = "labeled"
    trim: Trim = "range"
    invert: Invert = "all"
    ties: Literal["found", "canonical"] = "found"
    preset: Literal["none", "mtool"] = "none"

    def applicable(self, framework: str) -> frozenset[str]:
        """Tuple types that the framework has."""
        return applicable(framework)

    @property
    def normalization(self) -> str:
        """Case, anchors, inverted edges and default attributes."""
        reading = ",mtool" if self.preset == "mtool" else ""
        return f"case,anchors={self.trim},edges={self.invert},attributes{reading}"

    def prepare(self, graph: Graph) -> Facts:
        """Decompose a graph into its tuples."""
        return decompose(
            graph,
            Conventions(
                self.edges == "labeled", self.trim, self.invert, self.preset == "mtool"
            ),
        )

    def compare(
        self,
        gold: Sequence[Facts],
        system: Sequence[Facts],
        *,
        budget: Budget,
        details: bool = True,
    ) -> Outcome:
        """Count matched tuples under the best correspondence of the nodes."""
        mine, theirs = self._sides(gold, system)
        overlap = Overlap(mine, theirs)
        if _identical(mine, theirs):
            size = sum(mine.totals)
            same = tuple((k, k) for k in range(mine.size))
            found = Correspondence(same, size, size, True, 0, "identical")
        else:
            ordered = self.order == "surface" and mine.graph.ordered
            found = solve(overlap.problem(ordered), budget, self.ties)
        target = np.full(mine.size, -1, dtype=np.int64)
        for one, two in found.pairs:
            target[one] = two
        counts, edges = overlap.matched(target)
        masses: Masses = {}
        for kind, gold_total, system_total, common in zip(
            KINDS, mine.totals, theirs.totals, counts, strict=True
        ):
            if gold_total:
                masses[(kind, "", "gold")] = gold_total
            if system_total:
                masses[(kind, "", "system")] = system_total
            if common:
                masses[(kind, "", "matched")] = common
        matches: tuple[Match, ...] = ()
        errors: tuple[Error, ...] = ()
        if details:
            matches = tuple(_matches(overlap, found, edges))
            errors = tuple(_errors(mine, theirs, target))
        return Outcome(
            masses,
            found.score,
            found.bound,
            found.proven,
            found.steps,
            found.method,
            matches,
            errors,
        )

    def _sides(
        self, gold: Sequence[Facts], system: Sequence[Facts]
    ) -> tuple[Facts, Facts]:
        """The two graphs, an absent one as empty; a side without text borrows."""
        present = (*gold, *system)
        empty = Graph("", present[0].graph.framework if present else "")
        mine = gold[0] if gold else self.prepare(empty)
        theirs = system[0] if system else self.prepare(empty)
        if mine.graph.text and not theirs.graph.text and theirs.totals[ANCHORS]:
            theirs = self._with_text(theirs, mine.graph.text)
        elif theirs.graph.text and not mine.graph.text and mine.totals[ANCHORS]:
            mine = self._with_text(mine, theirs.graph.text)
        return mine, theirs

    def _with_text(self, facts: Facts, text: str) -> Facts:
        return self.prepare(msgspec.structs.replace(facts.graph, text=text))

    def figures(self, masses: Mapping[MassKey, int | float]) -> Figures:
        """Counts per tuple type and ``all``; groups of node and edge tuples."""
        counts, _ = super().figures(masses)
        nodes = total_count(counts[kind] for kind in NODE_KINDS)
        edges = total_count(counts[kind] for kind in EDGE_KINDS)
        return Figures(counts, numbered("nodes", nodes) | numbered("edges", edges))


def _identical(gold: Facts, system: Facts) -> bool:
    """Whether both sides say the same of the same node ordinals."""
    return (
        gold.size == system.size
        and gold.totals == system.totals
        and gold.of_node == system.of_node
        and set(gold.edges) == set(system.edges)
        and _by_edge(gold) == _by_edge(system)
    )


def _by_edge(facts: Facts) -> dict[tuple[int, int, str | None], frozenset[object]]:
    return {
        facts.edges[number]: frozenset(attributes)
        for number, attributes in facts.attributes.items()
        if attributes
    }


def _matches(
    overlap: Overlap, found: Correspondence, edges: Integers
) -> Iterator[Match]:
    gold, system = overlap.gold, overlap.system
    for one, two in found.pairs:
        common = gold.of_node[one] & system.of_node[two]
        yield Match("node", one, two, float(len(common)))
    for k in edges.tolist():
        yield Match(
            "edge",
            gold.edge_ordinals[int(overlap.gold_edges[k])],
            system.edge_ordinals[int(overlap.system_edges[k])],
            float(overlap.links.weight[k]),
        )


def _errors(gold: Facts, system: Facts, target: Integers) -> Iterator[Error]:
    """Unmatched tuples: the gold graph's as missing, the system's as surplus."""
    forward = {i: j for i, j in enumerate(target.tolist()) if j >= 0}
    backward = {j: i for i, j in forward.items()}
    for fact, partner, reason in _unmatched(gold, system, forward):
        yield _error(fact, "missing", fact.ordinal, partner, reason)
    for fact, partner, reason in _unmatched(system, gold, backward):
        yield _error(fact, "surplus", partner, fact.ordinal, reason)


def _error(
    fact: Fact,
    side: Literal["missing", "surplus"],
    gold: int | None,
    system: int | None,
    reason: str,
) -> Error:
    written = "" if fact.value is None else fact.value
    compared = None if str(written) == (fact.compared or "") else fact.compared
    return Error(
        side,
        fact.kind,
        fact.object,
        gold,
        system,
        fact.label,
        fact.name,
        fact.value,
        compared,
        reason,
    )


def _unmatched(
    mine: Facts, theirs: Facts, partner: dict[int, int]
) -> Iterator[tuple[Fact, int | None, str]]:
    """Tuples of *mine* that the map *partner* does not find in *theirs*.

    Yields the tuple, the ordinal of its object's counterpart and the reason.
    """
    keys = mine.keys
    for position, (code, node) in enumerate(
        zip(mine.fact_codes.tolist(), mine.fact_nodes.tolist(), strict=True)
    ):
        other = partner.get(node)
        if other is None:
            yield mine.node_fact(position), None, "no counterpart"
        elif keys[code] not in theirs.of_node[other]:
            # A fact of the same kind, and of the same name for a property.
            stem = keys[code][:-1] if len(keys[code]) > 1 else keys[code]
            rival = any(fact[:-1] == stem for fact in theirs.of_node[other])  # type: ignore[index]
            yield mine.node_fact(position), other, "differs" if rival else "absent"
    places = {edge: number for number, edge in enumerate(theirs.edges)}
    between: dict[tuple[int, int], int] = {}
    for number, (source, target, _) in enumerate(theirs.edges):
        between.setdefault((source, target), theirs.edge_ordinals[number])
    for number, (source, target, label) in enumerate(mine.edges):
        ends = partner.get(source), partner.get(target)
        attributes = mine.attributes.get(number, {})
        if ends[0] is None or ends[1] is None:
            yield mine.edge_fact(number), None, "no counterpart"
            for attribute in attributes:
                yield mine.attribute_fact(number, attribute), None, "no counterpart"
            continue
        same = places.get((ends[0], ends[1], label))
        rival_edge = between.get((ends[0], ends[1]))
        if same is None:
            reason = "absent" if rival_edge is None else "differs"
            yield mine.edge_fact(number), rival_edge, reason
            for attribute in attributes:
                yield mine.attribute_fact(number, attribute), rival_edge, reason
            continue
        found = theirs.attributes.get(same, {})
        for attribute in attributes:
            if attribute not in found:
                named = any(name == attribute[0] for name, _ in found)
                yield (
                    mine.attribute_fact(number, attribute),
                    theirs.edge_ordinals[same],
                    "differs" if named else "absent",
                )
