"""Names and links in columns, as the scorer of HIPE-2020 and HIPE-2022 counts them.

The entities of the system are gone through from the first to the last.  Each is held
against the gold entity of the same tokens, else against the first that it overlaps and
that none was held against before:

========== ===================== ======================= ==============
tuple type       same tokens and label overlap, and same label overlap alone
========== ===================== ======================= ==============
fuzzy      1                     1                       0
strict     1                     0                       0
exact      1 (whatever label)    0                       0
partial    1 (whatever label)    1/2                     1/2
========== ===================== ======================= ==============

Ehrmann et al. (2020), "Overview of CLEF HIPE 2020"; (2022), "Overview of HIPE-2022".
Reference implementation: HIPE-scorer c2a5684.

What differs: a type that gold never has is spurious, where the program leaves it out of
columns of types, and links are compared whole, with ``-`` and ``#`` in them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Literal, NamedTuple

from graphscore.correspondence import Budget
from graphscore.exceptions import UsageError
from graphscore.metrics.corrections import Correctable
from graphscore.metrics.entities.view import add_links, is_mention, remark_links
from graphscore.metrics.pairwise import PairMetric
from graphscore.model.graph import Graph
from graphscore.model.outcome import (
    Count,
    CountKey,
    Outcome,
    RawCounts,
    Scores,
    counts_of,
)
from graphscore.model.outcome_builder import Described, OutcomeBuilder, sided
from graphscore.structures.entities.authority import (
    CANDIDATE,
    METONYMIC_AUTHORITY,
    WITHIN,
)
from graphscore.structures.layout import first_of, type_name

METHOD = "order"
"""Method recorded in results."""

TUPLE_TYPES = ("fuzzy", "strict", "exact", "partial")

DOCUMENTS = "documents"
"""Kind of the raw counts that means over documents are made of; their label is the
tuple type."""

MEAN = "macro_doc"
"""Name of the means over documents."""


class Entity(NamedTuple):
    """An entity, or a part of one that has links of its own."""

    start: int
    end: int
    """Behind its last character."""
    labels: tuple[str, ...]
    """Its type, or its links, the best one first; in capitals."""
    ordinal: int


class Columns:
    """The entities of a column.

    Args:
        graph: of the framework ``ner``.

    Attributes:
        gold: as gold has them: of an entity whose parts are linked apart the first
            link is that of all of it.
        system: as a system has them: every part is held against gold.
        metonymic: for each of these, the links that it has in its context.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.gold: list[Entity] = []
        self.system: list[Entity] = []
        self.metonymic: list[tuple[str, ...]] = []
        mentions = []
        for ordinal, node in enumerate(graph.nodes):
            if is_mention(node) and node.anchors:
                extent = node.anchors[0][0], node.anchors[-1][1]
                mentions.append((*extent, ordinal, node))
        for start, end, ordinal, node in sorted(mentions, key=lambda x: (x[0], x[1])):
            labels = [type_name(node.label)]
            labels += [str(y) for x, y in node.properties if x == CANDIDATE]
            entity = Entity(start, end, tuple(x.upper() for x in labels), ordinal)
            self.system.append(entity)
            senses = (y for x, y in node.properties if x == METONYMIC_AUTHORITY)
            self.metonymic.append(tuple(str(sense).upper() for sense in senses))
            around = first_of(node.properties, WITHIN)
            if around is not None:
                first, _, last = str(around).partition(":")
                if str(start) != first or not last.isdecimal():
                    continue
                entity = entity._replace(end=int(last))
            self.gold.append(entity)

    def runs(self) -> list[Entity]:
        """Links alone: what touches and has the same ones is one, whatever it is."""
        entities: list[Entity] = []
        tokens = self.graph.tokens
        after = {x.end: y.start for x, y in pairwise(tokens)}
        for entity in self.system:
            last = entities[-1] if entities else None
            end = last.end if last else -1
            touches = after.get(end, end) == entity.start
            if last and last.labels == entity.labels and touches:
                entities[-1] = last._replace(end=entity.end)
            else:
                entities.append(entity)
        return entities


class ComparedEntity(NamedTuple):
    """A system entity, and what it is held against."""

    system: Entity
    gold: Entity
    same_place: bool
    same_label: bool

    def credit(self, tuple_type: str) -> float:
        """Return the credit under a tuple type.

        Args:
            tuple_type: under which kind.
        """
        if tuple_type == "fuzzy":
            return float(self.same_label)
        if tuple_type == "strict":
            return float(self.same_label and self.same_place)
        return 1.0 if self.same_place else 0.5 * (tuple_type == "partial")


def held(gold: Sequence[Entity], system: Sequence[Entity]) -> list[ComparedEntity]:
    """Return the gold entity compared with each system entity that overlaps one.

    Args:
        gold: gold's entities, from the first to the last.
        system: the system's, with as many labels as count.
    """
    by_extent: dict[tuple[int, int], list[Entity]] = {}
    for entity in gold:
        by_extent.setdefault((entity.start, entity.end), []).append(entity)
    # Where entities are within others, what ends behind a place begins anywhere.
    ends = list(accumulate((entity.end for entity in gold), max))
    taken: set[int] = set()
    result = []
    for entity in system:
        same = by_extent.get((entity.start, entity.end))
        if same is not None:
            right = [x for x in same if x.labels[0] in entity.labels] or same
            candidate = next((x for x in right if x.ordinal not in taken), right[0])
            taken.add(candidate.ordinal)
            result.append(
                ComparedEntity(
                    entity, candidate, True, candidate.labels[0] in entity.labels
                )
            )
            continue
        for number in range(bisect_right(ends, entity.start), len(gold)):
            candidate = gold[number]
            if candidate.start >= entity.end:
                break
            if candidate.end > entity.start and candidate.ordinal not in taken:
                taken.add(candidate.ordinal)
                result.append(
                    ComparedEntity(
                        entity, candidate, False, candidate.labels[0] in entity.labels
                    )
                )
                break
    return result


@dataclass(frozen=True)
class Hipe(PairMetric, Correctable):
    """Names or links of documents, fuzzy and strict.

    Args:
        best: how many links of a system entity count, the best one first: ``@k``.
        mentions: whether links are those of entities, or of all tokens in a row that
            have the same ones, as in 2020 (``--original_nel``).
        senses: whether for literal links the metonymic ones count as well.

    Example:
        >>> from graphscore import Anchor, Graph, Node, score
        >>> def said(end, *links):
        ...     more = tuple(("candidate", link) for link in links[1:])
        ...     kind = ("kind", "mention")
        ...     node = Node(0, links[0], (kind, *more), (Anchor(0, end),))
        ...     return [Graph("1", "ner", text="Ada Lovelace", nodes=(node,))]
        >>> gold, system = said(12, "Q7259"), said(3, "Q1", "Q7259")
        >>> [score(gold, system, f"hipe(best={k})").f1 for k in (1, 3)]
        [0.0, 1.0]
    """

    name = "hipe"
    follows = "HIPE-scorer c2a5684"
    title = "HIPE (Ehrmann et al. 2022): entities and links, strict, fuzzy, @k"
    citation = "Ehrmann et al. 2022, Overview of HIPE-2022"
    frameworks = frozenset({"ner"})
    tuple_types = TUPLE_TYPES
    main = "fuzzy"
    spans_by = "tokens"
    bound = "what an entity is held against depends on those before it"
    error_tuple_types = ("strict",)
    normalization = "capitals"

    best: int = 1
    mentions: Literal["entities", "links"] = "entities"
    senses: Literal["one", "both"] = "one"

    def __post_init__(self) -> None:
        if self.best < 1:
            raise UsageError(f"hipe: best={self.best}, expected 1 or more")
        if self.best > 1 and self.senses == "both":
            expected = "one of them: which links are the best is not said of both"
            raise UsageError(f"hipe: best={self.best},senses=both, expected {expected}")

    def prepare(self, graph: Graph) -> Columns:
        """The entities of a column."""
        return Columns(graph)

    def _sides(self, gold: Columns, system: Columns) -> tuple[list[Entity], ...]:
        """The entities of both sides, the system's with the labels that count."""
        links = self.mentions == "links"
        left = gold.runs() if links else gold.gold
        right = system.runs() if links else system.system
        if self.senses == "both":
            more = {
                entity.ordinal: senses
                for entity, senses in zip(system.system, system.metonymic, strict=True)
            }
            return left, [
                their._replace(labels=(their.labels[0], *more[their.ordinal]))
                for their in right
            ]
        return left, [
            their._replace(labels=their.labels[: self.best]) for their in right
        ]

    def compare_sides(
        self, gold: Columns, system: Columns, budget: Budget, details: bool
    ) -> Outcome:
        """Hold the entities of the system against gold's."""
        builder = OutcomeBuilder(details)
        add_links(builder.raw_counts, [gold.graph], [system.graph])
        left, right = self._sides(gold, system)
        pairs = held(left, right)
        missed = len(left) - len({pair.gold.ordinal for pair in pairs})
        possible, score = len(pairs) + missed, 0.0
        for tuple_type in TUPLE_TYPES:
            earned = sum(pair.credit(tuple_type) for pair in pairs)
            whole = int(earned) if earned == int(earned) else earned
            builder.count(tuple_type, possible, len(right), whole)
            _of_document(
                builder.raw_counts, tuple_type, Count(possible, len(right), earned)
            )
            score = earned if tuple_type == self.main else score
        if details:
            _enter(builder, (gold, system), left, right, pairs)
        return builder.outcome(score, METHOD)

    def scores(self, raw_counts: Mapping[CountKey, int | float]) -> Scores:
        """Counts of the tuple types, and means over documents beside."""
        counts = counts_of(raw_counts, TUPLE_TYPES)
        counts["all"] = counts[self.main]
        numbers: dict[str, float] = {}
        for tuple_type in TUPLE_TYPES:
            for name in ("precision", "recall", "f1"):
                raw_count = raw_counts.get((DOCUMENTS, tuple_type, f"{name} of"), 0)
                if raw_count:
                    total = raw_counts.get((DOCUMENTS, tuple_type, name), 0)
                    numbers[f"{MEAN}.{tuple_type}.{name}"] = total / raw_count
        return Scores(counts, numbers)

    def remarks(self, raw_counts: Mapping[CountKey, int | float]) -> Iterable[str]:
        """Say that names have links besides."""
        yield from remark_links(self, raw_counts)

    def brief(self, numbers: Mapping[str, float]) -> Mapping[str, float]:
        """The mean of the main tuple type."""
        name = f"{MEAN}.{self.main}.f1"
        return {name: numbers[name]} if name in numbers else {}


def _of_document(raw_counts: RawCounts, tuple_type: str, count: Count) -> None:
    """Add the ratios of a document, where they are ratios of anything."""
    for name, of_anything in (
        ("precision", count.system),
        ("recall", count.gold),
        ("f1", count.system and count.gold),
    ):
        if of_anything:
            raw_counts[DOCUMENTS, tuple_type, f"{name} of"] = 1
            raw_counts[DOCUMENTS, tuple_type, name] = getattr(count, name)


def _enter(
    builder: OutcomeBuilder,
    sides: tuple[Columns, Columns],
    gold: Sequence[Entity],
    system: Sequence[Entity],
    pairs: Sequence[ComparedEntity],
) -> None:
    """Enter what is held against what, and what is wrong with it."""
    left, right = (side.graph.nodes for side in sides)
    for pair in pairs:
        builder.match(pair.gold.ordinal, pair.system.ordinal, float(pair.same_label))
        if pair.credit("strict"):
            continue
        wrong = ["label"] * (not pair.same_label) + ["boundary"] * (not pair.same_place)
        name = " and ".join(wrong)
        first, second = pair.gold.ordinal, pair.system.ordinal
        for side, own, near in sided(first, second):
            label = (right if side == "spurious" else left)[own].label
            described = Described(
                "strict", own, near, label=label, name=name, value=label
            )
            builder.error(side, described)
    met = {pair.gold.ordinal for pair in pairs}, {pair.system.ordinal for pair in pairs}
    for (side, entities, _), (_, nodes, _), known in zip(
        sided(gold, system), sided(left, right), met, strict=True
    ):
        for entity in entities:
            if entity.ordinal not in known:
                label = nodes[entity.ordinal].label
                described = Described(
                    "strict", entity.ordinal, label=label, value=label
                )
                builder.error(side, described)
