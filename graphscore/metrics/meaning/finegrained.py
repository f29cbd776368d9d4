"""Fine-grained AMR scores: what a parser gets right, one phenomenon at a time.

Damonte, Cohen and Satta (2017), "An Incremental Parser for Abstract Meaning
Representation", section 5; reference script mdtux89/amr-evaluation
(``evaluation.sh``, ``scores.py``).  Tuple types that need a map of nodes are exact
SMATCH scores of graphs with less in them, the others compare sets of values.

What differs besides: edges are turned round before roles go, case is ignored, and all
relations between two nodes count (``preset=damonte``: the first two as the script).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Literal, NamedTuple

import msgspec

from graphscore.correspondence import Budget
from graphscore.metrics.corrections import Correctable
from graphscore.metrics.meaning.conventions import TripleConventions
from graphscore.metrics.meaning.shared_triples import (
    CommonTriples,
    enter_triple_errors,
    enter_triple_matches,
)
from graphscore.metrics.meaning.triples import (
    PARTS,
    Fact,
    Label,
    Triples,
    lay_out,
)
from graphscore.metrics.pairwise import PairMetric, best_maps
from graphscore.model.frameworks import TRIPLED
from graphscore.model.graph import Edge, Graph, Node
from graphscore.model.normalize import fold
from graphscore.model.outcome import CountKey, ErrorType, Outcome, Scores
from graphscore.model.outcome_builder import (
    Described,
    OutcomeBuilder,
    aligned_by_key,
    unlike,
)

MAPPED = ("unlabeled", "no_wsd", "reentrancies", "srl")
"""Tuple types that are SMATCH scores."""

SETS = ("concepts", "named_entities", "negation", "wikification")
"""Tuple types that compare sets of values."""

_SENSE = re.compile(r"-[0-9]+$")
_replace = msgspec.structs.replace


class Aspects(NamedTuple):
    """View of one graph for each tuple type."""

    graph: Graph
    triples: dict[str, Triples]
    """For each of :data:`MAPPED` the graph that it scores."""
    values: dict[str, dict[str, tuple[int, str]]]
    """For each of :data:`SETS` value → node that says it first, as written."""


@dataclass(frozen=True)
class Finegrained(PairMetric, Correctable):
    """AMR scored by phenomenon.

    Args:
        preset: ``damonte`` follows the published script in what it does beside
            its definition, see the metric's page.
        ties: how one of several best maps is chosen.

    Example:
        >>> Finegrained().main
        'unlabeled'
    """

    name = "finegrained"
    follows = "the definition of Damonte et al. 2017"
    title = "Fine-grained AMR F1 (Damonte et al. 2017)"
    citation = (
        "Damonte et al. 2017, An Incremental Parser for Abstract Meaning Representation"
    )
    made_for = TRIPLED
    tuple_types = (
        "unlabeled",
        "no_wsd",
        "concepts",
        "named_entities",
        "negation",
        "wikification",
        "reentrancies",
        "srl",
    )
    main = "unlabeled"
    bound = "every tuple type has a map of its own, of graphs with less in them"

    preset: Literal["none", "damonte"] = "none"
    ties: Literal["found", "canonical"] = "found"

    @property
    def normalization(self) -> str:
        """Description of how values are normalized and scripts are followed."""
        return "case" if self.preset == "none" else "damonte"

    @cached_property
    def conventions(self) -> TripleConventions:
        """Conventions for triples in the tuple types that are SMATCH scores."""
        if self.preset == "damonte":
            return TripleConventions(spelling="smatch", duplicates="pairs")
        return TripleConventions(duplicates="multiset")

    @property
    def over_one(self) -> str:
        """Under the preset, where triples are repeated."""
        if self.preset != "damonte":
            return ""
        return (
            "preset=damonte counts what is said twice on both sides four times; "
            "preset=none counts it twice"
        )

    def prepare(self, graph: Graph) -> Aspects:
        """Lay out what each tuple type sees of a graph."""
        conventions = self.conventions
        plain = lay_out(graph, conventions, _with_mod(graph))
        triples = {
            "unlabeled": lay_out(graph, conventions, self._without_roles(graph)),
            "no_wsd": lay_out(graph, conventions, _without_senses(graph)),
            "reentrancies": self._part(plain, _reentrancies(plain)),
            "srl": self._part(plain, _roles(plain)),
        }
        return Aspects(graph, triples, self._values(graph, plain))

    def _without_roles(self, graph: Graph) -> Graph:
        """The graph with one label for every edge and property."""

        def bare(edge: Edge) -> Edge:
            if self.preset == "damonte":
                # The script replaces roles in the text: nothing is turned round.
                return Edge(edge.source, edge.target, "label")
            source, target, _ = self.conventions.relation(edge)
            return Edge(source, target, "label")

        def unnamed(node: Node) -> Node:
            pairs = tuple(("label", value) for _, value in node.properties)
            return _replace(node, properties=pairs)

        return _replace(
            graph,
            nodes=tuple(map(unnamed, graph.nodes)),
            edges=tuple(
                _replace(bare(edge), attributes=edge.attributes) for edge in graph.edges
            ),
        )

    def _part(self, plain: Triples, relations: set[tuple[int, int, Label]]) -> Triples:
        """The *wanted* relations and the instances of the nodes that they join."""
        nodes = {end for source, target, _ in relations for end in (source, target)}
        result = plain.restricted(
            lambda node, fact: fact[0] == "instance" and node in nodes,
            lambda *relation: relation in relations,
        )
        if self.preset == "damonte":
            return _with_target_concepts(result)
        return result

    def _values(
        self, graph: Graph, plain: Triples
    ) -> dict[str, dict[str, tuple[int, str]]]:
        """The sets of values, each with the first node that says it."""
        values: dict[str, dict[str, tuple[int, str]]] = {
            tuple_type: {} for tuple_type in SETS
        }

        def say(tuple_type: str, node: int, value: object) -> None:
            written = "" if value is None else str(value)
            key = written if self.preset == "damonte" else fold(written)
            values[tuple_type].setdefault(key, (node, written))

        named = {source for source, _, label in plain.relations if label == "name"}
        negated = {
            source for source, _, label in plain.relations if label == "polarity"
        }
        for ordinal, node in enumerate(graph.nodes):
            names = {fold(name) for name, _ in node.properties}
            if node.label is not None:
                say("concepts", ordinal, node.label)
                if ordinal in named or "name" in names:
                    say("named_entities", ordinal, node.label)
                if ordinal in negated or "polarity" in names:
                    say("negation", ordinal, node.label)
            for name, value in node.properties:
                if fold(name) == "wiki":
                    say("wikification", ordinal, value)
        return values

    def compare_sides(
        self, gold: Aspects, system: Aspects, budget: Budget, details: bool
    ) -> Outcome:
        """Count each tuple type by itself, with a map of its own where it needs one."""
        builder = OutcomeBuilder(details, by_side=False)
        score = bound = steps = 0
        proven, methods = True, []
        pairs = [CommonTriples(gold.triples[x], system.triples[x]) for x in MAPPED]
        results = best_maps(
            pairs,
            lambda common: common.plain_map(budget, self.ties),
            CommonTriples.problem,
            budget,
            self.ties,
        )
        for tuple_type, common, correspondence in zip(
            MAPPED, pairs, results, strict=True
        ):
            left, right = common.gold, common.system
            score, bound = score + correspondence.score, bound + correspondence.bound
            steps += correspondence.steps
            proven = proven and correspondence.proven
            methods.append(correspondence.method)
            builder.count(
                tuple_type, sum(left.totals), sum(right.totals), correspondence.score
            )
            if details:
                partner = dict(correspondence.pairs)
                enter_triple_errors(
                    builder, (tuple_type,) * len(PARTS), left, right, partner
                )
                if tuple_type == self.main:
                    enter_triple_matches(builder, common, correspondence)
        for tuple_type in SETS:
            first, second = gold.values[tuple_type], system.values[tuple_type]
            shared = len(first.keys() & second.keys())
            score, bound = score + shared, bound + shared
            builder.count(tuple_type, len(first), len(second), shared)
            if details:
                describe = partial(_described, tuple_type, gold.graph, system.graph)
                sides = (
                    {k: (k, *v) for k, v in values.items()}
                    for values in (first, second)
                )
                builder.enter(aligned_by_key(*sides), describe)
        method = _hardest(methods)
        return builder.outcome(score, method, bound=bound, proven=proven, steps=steps)

    def scores(self, raw_counts: Mapping[CountKey, int | float]) -> Scores:
        """A count per tuple type; ``all`` repeats the main one, nothing is summed."""
        counts, numbers = super().scores(raw_counts)
        counts["all"] = counts[self.main]
        return Scores(counts, numbers)


def _hardest(methods: Iterable[str]) -> str:
    """Return the method that closed the hardest of several proofs."""
    result = set(methods)
    order = ("open", "branched", "tightened", "assignment", "identical")
    return next(name for name in order if name in result)


def _without_senses(graph: Graph) -> Graph:
    """The graph with ``-01`` as the sense of every concept that has one."""
    return _replace(
        graph,
        nodes=tuple(
            _replace(node, label=_SENSE.sub("-01", node.label))
            if isinstance(node.label, str)
            else node
            for node in graph.nodes
        ),
    )


def _with_mod(graph: Graph) -> Graph:
    """The graph with ``mod`` as it is written.

    Turned round to ``domain``, it would make every modified node that is an
    argument reentrant.  It is inverted only in lower case.
    """
    return _replace(
        graph,
        edges=tuple(
            _replace(edge, label="Mod", normal=None) if edge.label == "mod" else edge
            for edge in graph.edges
        ),
    )


def _reentrancies(plain: Triples) -> set[tuple[int, int, Label]]:
    """Relations to nodes that several relations lead to."""
    parents: Counter[int] = Counter()
    for (_, target, _), position in plain.relations.items():
        parents[target] += plain.relation_counts[position]
    return {relation for relation in plain.relations if parents[relation[1]] > 1}


def _roles(plain: Triples) -> set[tuple[int, int, Label]]:
    """Relations that are numbered arguments."""
    return {
        relation
        for relation in plain.relations
        if isinstance(relation[2], str) and relation[2].startswith("arg")
    }


def _with_target_concepts(part: Triples) -> Triples:
    """One attribute more per source and role: the concept that it leads to.

    The script's conversion (``smatch_edited.py``, ``parse_relations``) adds them,
    the last target of a repeated role winning.
    """
    concepts = {node: fact[1] for node, fact in part.facts if fact[0] == "instance"}
    with_target_concepts = part.restricted(_every, _every)
    last: dict[tuple[int, Label], tuple[int, Fact]] = {}
    for source, target, label in part.relations:
        fact: Fact = ("property", str(label), str(concepts.get(target, "")))
        last[(source, label)] = (part.edge_ordinal((source, target, label)), fact)
    for (source, _), (ordinal, fact) in last.items():
        with_target_concepts.add_fact(source, fact, ("edge", ordinal, 0, str(fact[-1])))
    return with_target_concepts.close()


def _every(*_: object) -> bool:
    return True


def _described(
    tuple_type: str,
    gold: Graph,
    system: Graph,
    side: ErrorType,
    own: _Value,
    counterpart: object,
) -> Described:
    key, ordinal, written = own
    return Described(
        tuple_type,
        ordinal,
        label=(system if side == "spurious" else gold).nodes[ordinal].label,
        name="wiki" if tuple_type == "wikification" else "",
        value=written,
        compared=unlike(key, written),
        reason="absent",
    )


_Value = tuple[str, int, str]
"""Compared value, its node, and the value as written."""
