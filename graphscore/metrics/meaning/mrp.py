"""The MRP metric: tuples of six types under the best node correspondence.

Oepen et al. (2019), "MRP 2019: Cross-Framework Meaning Representation Parsing";
reference scorer cfmrp/mtool 4cee3a2, ``score/mces.py``.  Where that scorer stops
searching, the score here is the proven optimum.

What differs besides: repeated edges keep the attributes of all, ``:wiki`` and repeated
properties count, ``consist-of`` and ``subset-of`` stay as they are (``preset=mtool``:
as that scorer); a side without text borrows the other's.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import Field, dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, cast

from graphscore.correspondence import Budget, Correspondence
from graphscore.metrics.base import numbered, outcome_of
from graphscore.metrics.corrections import Correctable, confused
from graphscore.metrics.pairwise import MappedPairMetric
from graphscore.metrics.traits import FrameworkRemarks, TupleTypeGroups
from graphscore.model import frameworks
from graphscore.model.anchors import Trim
from graphscore.model.frameworks import (
    ANCHORS,
    ATTRIBUTES,
    COMMENTED,
    EDGES,
    TUPLE_TYPES,
)
from graphscore.model.graph import Graph, Value
from graphscore.model.normalize import Invert
from graphscore.model.outcome import (
    CountKey,
    Error,
    ErrorType,
    Match,
    Outcome,
    Scores,
    total_count,
)
from graphscore.model.outcome_builder import OutcomeBuilder, sided, unlike
from graphscore.model.tuples import (
    Conventions,
    Fact,
    Facts,
    Key,
    decompose,
)

if TYPE_CHECKING:
    from graphscore.correspondence.problem import Problem

OFFICIAL = {
    "order": "surface",
    "trim": "range",
    "invert": "all",
    "counted_tuple_types": "all",
}
"""Parameters as the official scorer has them."""

PRESETS = {
    "none": OFFICIAL,
    "mtool": OFFICIAL,
    "paper": {
        "order": "free",
        "trim": "anchor",
        "invert": "amr",
        "counted_tuple_types": "applicable",
    },
}
"""Default parameters of each preset, for those not set explicitly."""

LEFT_OUT = "not applicable"
"""The label of raw counts of tuples that are left out."""

NODE_TUPLE_TYPES = ("tops", "labels", "properties", "anchors")
EDGE_TUPLE_TYPES = ("edges", "attributes")


@dataclass(frozen=True)
class Mrp(MappedPairMetric, Correctable, TupleTypeGroups, FrameworkRemarks):
    """Cross-framework meaning representation parsing score.

    Args:
        order: whether maps of bi-lexical graphs preserve the order of the node
            lists (``surface``, the official scorer) or not (``free``, the
            published definition).
        edges: whether edges count with their labels or as bare pairs of nodes.
        trim: where punctuation is taken off anchors.
        invert: where inverted edges are inferred from their labels.
        ties: how one of several best maps is chosen.
        preset: ``mtool`` follows that tool's reading of AMR and repeated edges,
            ``paper`` the published definition; parameters that are given go before.
        conventions: the shared task whose scorer is followed.
        anchors: whether the tokens that clauses name in their comments count as
            anchors in ``drg``; the scorer of the Parallel Meaning Bank drops them.
        counted_tuple_types: ``tuple_types`` in strings: whether tuples of tuple types
            that a framework does not have count, or are left out.

    Example:
        >>> str(Mrp(order="free"))
        'mrp(order=free)'
    """

    name = "mrp"
    follows = "mtool 4cee3a2"
    title = "MRP (Oepen et al. 2019): F1 of six tuple types"
    citation = (
        "Oepen et al. 2019, MRP 2019: Cross-Framework Meaning Representation Parsing"
    )
    made_for = frameworks.MEANING
    tuple_types = TUPLE_TYPES
    revision = 2
    bound = ""
    local = True
    groups = MappingProxyType({"nodes": NODE_TUPLE_TYPES, "edges": EDGE_TUPLE_TYPES})

    spelled: ClassVar[Mapping[str, str]] = {"counted_tuple_types": "tuple_types"}

    order: Literal["preset", "surface", "free"] = "preset"
    edges: Literal["labeled", "unlabeled"] = "labeled"
    trim: Literal["preset"] | Trim = "preset"
    invert: Literal["preset"] | Invert = "preset"
    ties: Literal["found", "canonical"] = "found"
    preset: Literal["none", "mtool", "paper"] = "none"
    conventions: Literal[2020, 2019] = 2020
    anchors: Literal["drop", "keep"] = "drop"
    counted_tuple_types: Literal["preset", "all", "applicable"] = "preset"

    def __post_init__(self) -> None:
        for name, value in PRESETS[self.preset].items():
            if getattr(self, name) == "preset":
                object.__setattr__(self, name, value)

    def default_of(self, field: Field[Any]) -> Any:
        """Return the preset's default for a parameter, or else its own."""
        return PRESETS[self.preset].get(field.name, field.default)

    @classmethod
    def parameters(cls) -> dict[str, tuple[Any, tuple[Any, ...] | type]]:
        """Every parameter with its default without a preset, and its choices."""
        declared = super().parameters()
        for name, default in OFFICIAL.items():
            choices = (default, *(value[name] for value in PRESETS.values()))
            spelled = cls.spelled.get(name, name)
            declared[spelled] = (default, tuple(dict.fromkeys(choices)))
        return declared

    def applicable(self, framework: str) -> frozenset[str]:
        """Tuple types that the framework has."""
        result = frameworks.framework(framework).tuple_types
        if framework in COMMENTED and self.anchors == "keep":
            result |= {TUPLE_TYPES[ANCHORS]}
        return result

    @property
    def normalization(self) -> str:
        """Case, anchors, inverted edges and default attributes."""
        reading = ",mtool" if self.preset == "mtool" else ""
        reading += ",2019" if self.conventions == 2019 else ""
        reading += ",drg=anchors" if self.anchors == "keep" else ""
        reading += ",applicable" if self.counted_tuple_types == "applicable" else ""
        return f"case,anchors={self.trim},edges={self.invert},attributes{reading}"

    @property
    def layout(self) -> Hashable:
        """Key of how a graph's tuples are read, however they are compared."""
        return Mrp.prepare, self._reading

    @cached_property
    def _reading(self) -> Conventions:
        return Conventions(
            self.edges == "labeled",
            cast(Trim, self.trim),
            cast(Invert, self.invert),
            self.preset == "mtool",
            self.conventions,
            frozenset() if self.anchors == "keep" else COMMENTED,
            COMMENTED if self.anchors == "keep" else frozenset(),
            self.counted_tuple_types == "applicable",
        )

    def prepare(self, graph: Graph) -> Facts:
        """Decompose a graph into its tuples."""
        return decompose(graph, self._reading)

    def plain_map(
        self, gold: Facts, system: Facts, budget: Budget
    ) -> Correspondence | None:
        """Return the map of equal graphs, or one that the first bound proves."""
        if _identical(gold, system):
            size = sum(gold.totals)
            same = tuple((k, k) for k in range(gold.size))
            return Correspondence(same, size, size, True, 0, "identical")
        if self.ties != "found":
            return None
        # Not for graphs that are identical.
        from graphscore.metrics.meaning.unambiguous import evident_where_it_pays

        return evident_where_it_pays(gold, system, self._ordered(gold), budget)

    def _ordered(self, gold: Facts) -> bool:
        return self.order == "surface" and gold.graph.ordered

    def problem(self, gold: Facts, system: Facts) -> Problem:
        """The tuples that could match."""
        from graphscore.metrics.meaning.overlap import Overlap

        return Overlap(gold, system).problem(self._ordered(gold))

    def outcome(
        self, gold: Facts, system: Facts, result: Correspondence, details: bool
    ) -> Outcome:
        """Count matched tuples under a correspondence of the nodes."""
        builder = OutcomeBuilder(details)
        perfect = sum(gold.totals) == result.score == sum(system.totals)
        attributed = not perfect and gold.attributes and system.attributes
        partner = dict(result.pairs) if details or attributed else {}
        edges = [*_matched_edges(gold, system, partner)] if partner else []
        counts: Sequence[int] = gold.totals
        if not perfect:
            counts = _matched_counts(gold, system, result, edges if attributed else ())
        totals = gold.totals, system.totals
        for tuple_type, *amounts in zip(TUPLE_TYPES, *totals, counts, strict=True):
            builder.count(tuple_type, *amounts)
        if gold.left_out or system.left_out:
            for tuple_type in sorted(gold.left_out.keys() | system.left_out.keys()):
                sides = (
                    gold.left_out.get(tuple_type, 0),
                    system.left_out.get(tuple_type, 0),
                )
                builder.count(tuple_type, *sides, 0, label=LEFT_OUT)
        if details:
            _enter_matches(builder, gold, system, partner, edges)
            if not perfect:
                _enter_errors(builder, gold, system, partner)
        return outcome_of(result, builder)

    def entailed(self, errors: Sequence[Error]) -> Mapping[int, Sequence[int]]:
        """Map errors to those corrected with them: replacements, edges, attributes.

        An attribute that is missing needs its edge.  Those of a spurious edge go with
        it; and where the edge is replaced, those that both edges have are right.
        """
        result = confused(errors)
        for number, others in _carried(errors, result):
            result.setdefault(number, []).extend(others)
        return result

    def scores(self, raw_counts: Mapping[CountKey, int | float]) -> Scores:
        """Counts per tuple type and ``all``; groups of node and edge tuples."""
        counts, _ = super().scores(raw_counts)
        numbers: dict[str, float] = {}
        for group, tuple_types in self.groups.items():
            numbers |= numbered(
                group, total_count(counts[tuple_type] for tuple_type in tuple_types)
            )
        return Scores(counts, numbers)

    def remark_on(
        self, framework: str, raw_counts: Mapping[CountKey, int | float]
    ) -> str:
        """Report the number of tuples of types that a framework does not have."""
        applicable = self.counted_tuple_types == "applicable"
        label = LEFT_OUT if applicable else ""
        inapplicable = []
        for tuple_type in TUPLE_TYPES:
            gold, system = (
                int(raw_counts.get((tuple_type, label, side), 0))
                for side in ("gold", "system")
            )
            if tuple_type not in self.applicable(framework) and (gold or system):
                inapplicable.append(
                    f"{tuple_type} {gold} in gold, {system} in the system"
                )
        if not inapplicable:
            return ""
        message = "they count (tuple types=applicable leaves them out)"
        return (
            f"tuples of tuple types that {framework} does not have: "
            f"{'; '.join(inapplicable)}; "
            + ("they are left out" if applicable else message)
        )


def _carried(
    errors: Sequence[Error], replaced: Mapping[int, Sequence[int]]
) -> Iterator[tuple[int, Sequence[int]]]:
    """Yield the errors corrected along with an edge, attributes of missing ones too."""
    edges: dict[tuple[str, int | None], int] = {}
    for number, error in enumerate(errors):
        if error.tuple_type == "edges":
            edges[error.error_type, _ordinal_of(error)] = number
    dropped: dict[tuple[int, int, str, str], int] = {}
    for number, error in enumerate(errors):
        edge = edges.get((error.error_type, _ordinal_of(error)))
        if (
            error.tuple_type != "attributes"
            or edge is None
            or error.error_type == "missing"
        ):
            continue
        for counterpart in replaced.get(edge, ()):
            dropped[edge, counterpart, error.name, _compared(error)] = number
        if edge not in replaced:
            yield edge, (number,)
    for number, error in enumerate(errors):
        edge = edges.get((error.error_type, _ordinal_of(error)))
        if (
            error.tuple_type != "attributes"
            or edge is None
            or error.error_type != "missing"
        ):
            continue
        yield number, (edge,)
        for counterpart in replaced.get(edge, ()):
            same = dropped.get((counterpart, edge, error.name, _compared(error)))
            if same is not None:
                yield edge, (number, same)


def _ordinal_of(error: Error) -> int | None:
    """The ordinal of what did not match."""
    return error.system if error.error_type == "spurious" else error.gold


def _compared(error: Error) -> str:
    return error.compared if error.compared is not None else str(error.value)


def _identical(gold: Facts, system: Facts) -> bool:
    """Return true if both sides have equal facts for equal node ordinals."""
    return (
        gold.size == system.size
        and gold.totals == system.totals
        and gold.edge_numbers.keys() == system.edge_numbers.keys()
        and all(
            left.keys() == right.keys()
            for left, right in zip(gold.said, system.said, strict=True)
        )
        and _by_edge(gold) == _by_edge(system)
    )


def _by_edge(facts: Facts) -> dict[tuple[int, int, str | None], frozenset[object]]:
    if not facts.attributes:
        return {}
    return {
        facts.edges[number]: frozenset(attributes)
        for number, attributes in facts.attributes.items()
        if attributes
    }


_MatchedEdge = tuple[int, int, int]
"""Numbers of edge tuples of both sides that match, and their worth with their
attributes."""


def _matched_counts(
    gold: Facts, system: Facts, result: Correspondence, edges: Iterable[_MatchedEdge]
) -> list[int]:
    """Return the number of tuples of each tuple type that both graphs share.

    Args:
        gold: tuples of the gold graph.
        system: tuples of the system graph.
        result: the map and its score, which is the number of all of them.
        edges: edges that match, where both graphs have attributes.
    """
    counts = [*gold.totals]
    opposites: list[Mapping[Key, int]] = [{}] * gold.size
    for node, counterpart in result.pairs:
        opposites[node] = system.said[counterpart]
    for facts, opposite in zip(gold.said, opposites, strict=True):
        if facts != opposite:
            for key in facts:
                if key not in opposite:
                    counts[key[0]] -= 1
    counts[ATTRIBUTES] = sum([worth - 1 for _, _, worth in edges])
    counts[EDGES] = result.score - sum(counts[:EDGES]) - counts[ATTRIBUTES]
    return counts


def _matched_edges(
    gold: Facts, system: Facts, partner: Mapping[int, int]
) -> Iterator[_MatchedEdge]:
    """Yield the edges that both graphs share.

    Args:
        gold: tuples of the gold graph.
        system: tuples of the system graph.
        partner: for gold nodes that correspond to something their system node.
    """
    numbers = system.edge_numbers
    attributed = bool(gold.attributes and system.attributes)
    for (source, target, label), number in gold.edge_numbers.items():
        image = numbers.get((partner.get(source, -1), partner.get(target, -1), label))
        if image is None:
            continue
        worth = 1
        if attributed:
            first = gold.attributes.get(number)
            second = system.attributes.get(image)
            if first and second:
                worth += len(first.keys() & second.keys())
        yield number, image, worth


def _enter_matches(
    builder: OutcomeBuilder,
    gold: Facts,
    system: Facts,
    partner: Mapping[int, int],
    edges: Iterable[_MatchedEdge],
) -> None:
    """Enter nodes that correspond and edges that match.

    Args:
        builder: where they go.
        gold: tuples of the gold graph.
        system: tuples of the system graph.
        partner: for gold nodes that correspond to something their system node.
        edges: edges that match.
    """
    enter = builder.matches.append
    for node, counterpart in partner.items():
        credit = len(gold.said[node].keys() & system.said[counterpart].keys())
        enter(_row(Match, ("node", node, counterpart, float(credit), None, 0)))
    left, right = gold.edge_ordinals, system.edge_ordinals
    for number, image, worth in edges:
        ends = left[number], right[image]
        enter(_row(Match, ("edge", *ends, float(worth), None, 0)))


def _enter_errors(
    builder: OutcomeBuilder, gold: Facts, system: Facts, partner: Mapping[int, int]
) -> None:
    """Enter tuples that the other side does not have: gold's, then the system's."""
    backward = {value: node for node, value in partner.items()}
    enter = builder.entered.append
    for side, left, right in sided(gold, system):
        known = backward if side == "spurious" else partner
        for node, key, counterpart, reason in _unmatched_facts(left, right, known):
            enter(_error(side, left.node_fact(node, key), counterpart, reason))
        for fact, counterpart, reason in _unmatched_edges(left, right, known):
            enter(_error(side, fact, counterpart, reason))


_row = tuple.__new__
"""A row from its fields in order: thousands of them are made a second."""


def _error(side: ErrorType, fact: Fact, counterpart: int | None, reason: str) -> Error:
    tuple_type, what, own, _, label, name, value, compared = fact
    gold, system = (counterpart, own) if side == "spurious" else (own, counterpart)
    shown = _unlike(compared, value)
    return _row(
        Error,
        (
            side, tuple_type, what, gold, system, label, name, value, shown, reason,
            0.0, None,
        ),
    )  # fmt: skip


def _unlike(compared: str | None, value: Value) -> str | None:
    """Return the compared value if it differs from the value as written."""
    return None if compared == value else unlike(compared, value)


def _unmatched_facts(
    left: Facts, right: Facts, partner: Mapping[int, int]
) -> Iterator[tuple[int, Key, int | None, str]]:
    """Node-local tuples of *left* that the map does not find in *right*.

    Yields the node, the tuple, the node's counterpart and the reason.
    """
    for node, facts in enumerate(left.said):
        counterpart = partner.get(node)
        if counterpart is None:
            for key in facts:
                yield node, key, None, "no counterpart"
            continue
        opposite = right.said[counterpart]
        for key in facts:
            if key not in opposite:
                # A fact of the same tuple type, and of the same name for a property.
                stem = key[:-1]
                rival = any(fact[:-1] == stem for fact in opposite) if stem else False
                yield node, key, counterpart, "differs" if rival else "absent"


def _unmatched_edges(
    left: Facts, right: Facts, partner: Mapping[int, int]
) -> Iterator[tuple[Fact, int | None, str]]:
    """Edge and attribute tuples of *left* that the map does not find in *right*.

    Yields the tuple, the ordinal of its edge's counterpart and the reason.
    """
    between: dict[tuple[int, int], int] | None = None
    numbers, attributes = right.edge_numbers, left.attributes
    for (source, target, label), number in left.edge_numbers.items():
        first, second = partner.get(source), partner.get(target)
        same = (
            None
            if first is None or second is None
            else numbers.get((first, second, label))
        )
        if same is None:
            rival: int | None = None
            reason = "no counterpart"
            if first is not None and second is not None:
                if between is None:
                    between = {}
                    for (begin, end, _), position in numbers.items():
                        between.setdefault((begin, end), right.edge_ordinals[position])
                rival = between.get((first, second))
                reason = "absent" if rival is None else "differs"
            yield left.edge_fact(number), rival, reason
            for attribute in attributes.get(number, ()):
                yield left.attribute_fact(number, attribute), rival, reason
            continue
        if number not in attributes:
            continue
        opposite = right.attributes.get(same, {})
        for attribute in attributes[number]:
            if attribute not in opposite:
                named = any(name == attribute[0] for name, _ in opposite)
                yield (
                    left.attribute_fact(number, attribute),
                    right.edge_ordinals[same],
                    "differs" if named else "absent",
                )
