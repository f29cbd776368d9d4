"""Named entities: strict, exact, partial and by type.

A gold entity without an equal is *missing*, a system entity *spurious*.  Where the two
correspond all the same, both rows name each other, and ``name`` says what is wrong:
``type``, ``boundary``, or ``type and boundary``.  The value is the type, or the words
where only the boundary is wrong.

Segura-Bedmar et al. (2013), "SemEval-2013 Task 9", section 4; Chinchor and Sundheim
(1993), "MUC-5 Evaluation Metrics"; Tjong Kim Sang and De Meulder (2003) and conlleval.
Reference implementations: nervaluate 1.2.1, seqeval 1.2.2.

Formulas::

    strict  F↔mentions[δ_visible_anchors × δ_label]
    exact   F↔mentions[δ_visible_anchors]
    type and partial: pairs that overlap, of one type, or half of those of other bounds

What differs: one alignment, the best, serves all schemas, where nervaluate aligns for
each, in the order of the system's entities (``preset=nervaluate``: as it); any overlap
is one, and white space is no part of spans.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat
from typing import TYPE_CHECKING, ClassVar, Literal

from graphscore.correspondence import Budget
from graphscore.exceptions import UsageError
from graphscore.metrics.base import Metric
from graphscore.metrics.corrections import Correctable, spelled
from graphscore.metrics.entities.alignment import (
    EXACT,
    OVERLAP,
    SPAN,
    TYPED,
    Aligned,
    EntityAlignment,
    best_alignment,
    first_pairs,
    in_tokens,
)
from graphscore.metrics.entities.ner_scores import (
    SCHEMAS,
    by_type,
    classes_by_schema,
    counts_of,
    overall,
    scores_of,
    strict_by_type,
)
from graphscore.metrics.entities.view import (
    ALIGNED,
    APART,
    OTHER_SIDE,
    RELATIONS,
    TOKENS,
    TUPLE_TYPES,
    Entities,
    Entity,
    Key,
    Spans,
    add_links,
    amounts,
    check_types,
    equal_counts,
    keys_of,
    remark_links,
    remark_untyped,
    tags_of,
    words_of,
)
from graphscore.metrics.pairwise import with_text
from graphscore.metrics.traits import ClassCounts, ItemScores, Losses, TupleTypeGroups
from graphscore.model.graph import Graph
from graphscore.model.outcome import (
    Count,
    CountKey,
    Error,
    ErrorType,
    Match,
    Outcome,
    RawCounts,
    Scores,
    ScoreTable,
)
from graphscore.model.outcome_builder import Described, row_of
from graphscore.structures.entities.tags import AnyScheme
from graphscore.structures.layout import type_name

if TYPE_CHECKING:
    from graphscore.similarity import Similarity

WRONG = {SPAN: "type", TYPED: "boundary", OVERLAP: "type and boundary"}
"""Error names of entities, by their relation to the counterpart."""

_RELATION = {name: relation for relation, name in WRONG.items()}

_WORTH = {"C": 1.0, "P": 0.5, "I": 0.0}
"""Credit of correct, partial and incorrect entities."""

LOSSES = frozenset(("INC", "MIS", "SPU", "UND", "OVG", "SUB", "ERR"))
"""Suffixes of the scores that are best when lowest."""

METHOD = "alignment"
"""Method recorded in results."""


@dataclass(frozen=True)
class Ner(Metric, Correctable, TupleTypeGroups, ClassCounts, Losses, ItemScores):
    """Entities under four schemas, over one alignment.

    Args:
        repair: whether an entity whose tags are against its scheme counts as it is
            read, or not at all.
        scheme: with ``repair=strict``, the scheme of the tags.
        overlap: what share of gold's characters an overlap must have; 0 for any.
        duplicates: whether equal entities of one item count each, or once.
        preset: ``nervaluate`` aligns as nervaluate 1.2.1 does, for every schema.
        spans: ``characters`` leaves white space in spans aside; with ``offsets`` it
            counts.

    Example:
        >>> for schema, formula in Ner().formulas().items():
        ...     print(schema, formula)
        strict F↔mentions[δ_visible_anchors × δ_label]
        exact F↔mentions[δ_visible_anchors]
    """

    name = "ner"
    follows = "seqeval 1.2.2"
    title = "NER F1: strict, exact, partial, type (SemEval-2013 task 9)"
    citation = (
        "Segura-Bedmar et al. 2013, SemEval-2013 Task 9: Extraction of Drug-Drug "
        "Interactions from Biomedical Texts"
    )
    frameworks = frozenset({"ner"})
    tuple_types = TUPLE_TYPES
    # An entity that is not equal is an error once, whatever the schema.
    error_tuple_types = ("strict",)
    main = "strict"
    aliases: ClassVar[Mapping[str, str]] = {"ent_type": "type"}
    revision = 4
    spans_by = "tokens"
    bound = ""

    repair: Literal["lenient", "strict"] = "lenient"
    scheme: AnyScheme = "auto"
    overlap: float = 0.0
    duplicates: Literal["multiset", "set"] = "multiset"
    preset: Literal["none", "nervaluate"] = "none"
    spans: Spans = "characters"

    def __post_init__(self) -> None:
        if not 0 <= self.overlap <= 1:
            raise UsageError(f"ner: overlap={self.overlap}, expected 0 to 1")

    @property
    def layout(self) -> Hashable:
        """Metrics for which the same entities count take each other's."""
        scheme = self.scheme if self.repair == "strict" else None
        return Entities, scheme, self.duplicates, self.spans

    @property
    def normalization(self) -> str:
        """Description of which entities count."""
        preset = ",nervaluate 1.2.1" if self.preset == "nervaluate" else ""
        return f"entities={self.repair},{self.duplicates}{preset}"

    def formulas(self) -> Mapping[str, Similarity]:
        """The schemas that are formulas of the algebra.

        The others have no formula: they share the alignment of these.  Formulas take
        entities as they are read and said: ``repair`` and ``duplicates`` come before.
        """
        from graphscore.similarity import (
            anchors,
            exact,
            f1,
            label,
            match,
            nodes,
            visible_anchors,
        )

        every = nodes("mention")
        same_place = exact(visible_anchors if self.spans == "characters" else anchors)
        return {
            "strict": f1(match(every, same_place * exact(label))),
            "exact": f1(match(every, same_place)),
        }

    def prepare(self, graph: Graph) -> Entities:
        """The entities that count, and what they say of each token."""
        strict = self.scheme if self.repair == "strict" else None
        return Entities(graph, strict, self.duplicates == "set", self.spans)

    def compare(
        self,
        gold: Sequence[Entities],
        system: Sequence[Entities],
        *,
        budget: Budget,
        details: bool = True,
    ) -> Outcome:
        """Align the entities of one item."""
        left, right = gold[0] if gold else _EMPTY, system[0] if system else _EMPTY
        if self.spans == "characters":
            left, right = with_text(left, right, self.prepare)
        left.look()
        if left.alike(right):
            right = left
        else:
            right.look()
        first, second = left.graph, right.graph
        if first.nodes and second.nodes and not (left.typed and right.typed):
            check_types([first], [second])
        keys = keys_of(left, right)
        if keys[0] == keys[1] and first.tokens == second.tokens:
            raw_counts = equal_counts(left)
            if self.preset == "nervaluate":
                raw_counts |= {
                    (kind, label, quantity): amount
                    for (aligned, label, quantity), amount in raw_counts.items()
                    if aligned == ALIGNED and quantity == RELATIONS[EXACT]
                    for kind in APART.values()
                }
            rows = _equal_rows(left.nodes, right.nodes) if details else NO_ROWS
        else:
            raw_counts = amounts(left, right)
            alignment = _aligned(self, left, right, keys, raw_counts)
            equal_tokens = 0
            if gold and system:
                equal_tokens = right_tokens(left, right, alignment, raw_counts)
            if equal_tokens:
                raw_counts[TOKENS, "", "matched"] = equal_tokens
            rows = _rows(left, right, alignment) if details else NO_ROWS
        if not (left.all_tagged and right.all_tagged):
            add_links(raw_counts, [first], [second])
        score = raw_counts.get(("strict", "", "matched"), 0)
        return Outcome(raw_counts, score, score, True, 0, METHOD, *rows)

    def scores(self, raw_counts: Mapping[CountKey, int | float]) -> Scores:
        """Counts of the schemas; classes, rates, types and means beside."""
        return scores_of(raw_counts, self.preset == "nervaluate")

    def item_scores(self, raw_counts: Mapping[CountKey, int | float]) -> Scores:
        """Counts of the schemas alone."""
        apart = self.preset == "nervaluate"
        return Scores(counts_of(overall(raw_counts, apart)), {})

    def classes(self, raw_counts: Mapping[CountKey, int | float]) -> dict[str, Count]:
        """The count of each type under the main schema."""
        tallies = by_type(raw_counts)
        return {
            name: tally[self.main].counted(self.main) for name, tally in tallies.items()
        }

    def remarks(self, raw_counts: Mapping[CountKey, int | float]) -> Iterable[str]:
        """Say that spans have no types, or links besides."""
        yield from remark_untyped(self, raw_counts, ALIGNED)
        yield from remark_links(self, raw_counts)

    def brief(self, scores: Mapping[str, float]) -> dict[str, float]:
        """The accuracy; the rest is in a table, or for the verbose."""
        return {name: scores[name] for name in ("accuracy",) if name in scores}

    def tables(self, scores: Scores) -> Sequence[ScoreTable]:
        """Classes by schema; the strict schema by type, with its means over types."""
        numbers = scores.numbers
        return (classes_by_schema(numbers), strict_by_type(numbers))

    def is_loss(self, score: str) -> bool:
        """True of errors, and of their rates."""
        return score.rpartition(".")[2] in LOSSES

    def confusion(self, missing: Error, spurious: Error) -> str:
        """The types of both, and whether the boundary is wrong."""
        both = f"{spelled(missing.label)} → {spelled(spurious.label)}"
        return f"{both} (boundary)" if "boundary" in missing.name else both

    def repaired(self, error: Error) -> Mapping[CountKey, int | float]:
        """Return the changes of raw counts under every schema for a corrected entity.

        It earns what it does not earn yet: nothing under ``type`` where only the
        boundary is wrong, half under ``partial``.

        Args:
            error: any error.
        """
        relation, label = _RELATION.get(error.name), type_name(error.label)
        raw_counts: RawCounts = {}
        if error.error_type == "spurious":
            raw_counts = {(tuple_type, "", "system"): -1 for tuple_type in TUPLE_TYPES}
            raw_counts[ALIGNED, label, "system"] = -1
            if relation in (SPAN, OVERLAP):
                raw_counts[ALIGNED, label, OTHER_SIDE[relation]] = -1
        else:
            for tuple_type in TUPLE_TYPES:
                earned = (
                    0.0 if relation is None else _WORTH[SCHEMAS[tuple_type][relation]]
                )
                raw_counts[tuple_type, "", "matched"] = 1 - earned
                raw_counts[tuple_type, "", "system"] = 1
            raw_counts[ALIGNED, label, "system"] = 1
            for counted_label in ("", label):
                raw_counts[ALIGNED, counted_label, RELATIONS[EXACT]] = 1
                if relation is not None:
                    raw_counts[ALIGNED, counted_label, RELATIONS[relation]] = -1
        if self.preset == "nervaluate":
            # Each type is aligned by itself there.
            return {
                key: n
                for key, n in raw_counts.items()
                if key[0] != ALIGNED or not key[1]
            }
        return raw_counts


def _aligned(
    metric: Ner,
    left: Entities,
    right: Entities,
    keys: tuple[Sequence[Key], Sequence[Key]],
    raw_counts: RawCounts,
) -> EntityAlignment:
    """Align, and add how many entities are in each relation."""
    if metric.preset == "nervaluate":
        return _apart(metric, left, right, raw_counts)
    alignment = best_alignment(*keys, metric.overlap, (left.at, right.at))
    if alignment.pairs:
        _add_related(raw_counts, *keys, alignment.pairs)
    return alignment


def _add_related(
    raw_counts: RawCounts,
    gold: Sequence[Key],
    system: Sequence[Key],
    pairs: Sequence[Aligned],
) -> None:
    """Add how many entities are in each relation, and what each schema makes of it."""
    counts = [0, 0, 0, 0]
    for first, second, relation in pairs:
        counts[relation] += 1
        key = ALIGNED, gold[first][0], RELATIONS[relation]
        raw_counts[key] = raw_counts.get(key, 0) + 1
        if relation in (SPAN, OVERLAP):
            key = ALIGNED, system[second][0], OTHER_SIDE[relation]
            raw_counts[key] = raw_counts.get(key, 0) + 1
    equal, same_span, typed, overlap = counts
    for name, amount in zip(RELATIONS, counts, strict=True):
        if amount:
            raw_counts[ALIGNED, "", name] = amount
    half = typed + overlap
    partial = equal + same_span + (half // 2 if half % 2 == 0 else half / 2)
    matched = (equal, equal + same_span, partial, equal + typed)
    for tuple_type, number in zip(TUPLE_TYPES, matched, strict=True):
        if number:
            raw_counts[tuple_type, "", "matched"] = number


def _apart(
    metric: Ner, left: Entities, right: Entities, raw_counts: RawCounts
) -> EntityAlignment:
    """Align for each schema, and within each type, as nervaluate 1.2.1 does.

    Returns:
        The alignment of the strict schema.
    """
    gold: Sequence[Entity] = left.entities
    system: Sequence[Entity] = right.entities
    tokens = left.graph.tokens
    if tokens and tokens == right.graph.tokens:
        # It counts tokens where there are any.
        entities = in_tokens([*gold, *system], tokens)
        gold, system = entities[: len(gold)], entities[len(gold) :]
    least = metric.overlap or 0.01
    alignments = {}
    for schema, kind in {"strict": ALIGNED, **APART}.items():
        alignments[schema] = first_pairs(gold, system, schema, least)
        _add_relations(raw_counts, kind, "", alignments[schema])
        for name in [name for name in left.types if name in right.types]:
            of_type = [[x for x in side if x[0] == name] for side in (gold, system)]
            pairs = first_pairs(of_type[0], of_type[1], schema, least)
            _add_relations(raw_counts, kind, name, pairs)
    matched: dict[str, list[float]] = {
        "strict": [relation == EXACT for *_, relation in alignments["strict"]],
        "exact": [relation <= SPAN for *_, relation in alignments["exact"]],
        "partial": [
            1 if relation <= SPAN else 0.5 for *_, relation in alignments["exact"]
        ],
        "type": [relation in (EXACT, TYPED) for *_, relation in alignments["type"]],
    }
    for tuple_type, credits in matched.items():
        if amount := sum(credits):
            whole = int(amount) if amount == int(amount) else amount
            raw_counts[tuple_type, "", "matched"] = whole
    equal = [pair for pair in alignments["strict"] if pair[2] == EXACT]
    return EntityAlignment(
        alignments["strict"],
        sorted({*range(len(gold))} - {position for position, _, _ in equal}),
        sorted({*range(len(system))} - {position for _, position, _ in equal}),
    )


def _add_relations(
    raw_counts: RawCounts, kind: str, label: str, pairs: Sequence[Aligned]
) -> None:
    """Add how many pairs are in each relation."""
    for number, name in enumerate(RELATIONS):
        amount = sum(relation == number for _, _, relation in pairs)
        if amount:
            raw_counts[kind, label, name] = amount


ItemRows = tuple[tuple[Match, ...], tuple[Error, ...]]
"""Matches and errors of an item."""

NO_ROWS: ItemRows = ((), ())
"""Those of an item where nobody asks for them."""


def _rows(gold: Entities, system: Entities, alignment: EntityAlignment) -> ItemRows:
    """Return matches in gold order; and what is missing, then what is spurious."""
    pairs, missing, spurious = alignment
    gold_nodes, system_nodes = gold.nodes, system.nodes
    matches = [
        _match(gold_nodes[gold_index], system_nodes[system_index], relation)
        for gold_index, system_index, relation in pairs
    ]
    if not (missing or spurious):
        return tuple(matches), ()
    by_gold: dict[int, Partner] = {}
    by_system: dict[int, Partner] = {}
    for gold_index, system_index, relation in pairs:
        if relation != EXACT:
            by_gold[gold_index] = system_nodes[system_index], relation
            by_system[system_index] = gold_nodes[gold_index], relation
    errors = [
        _error("missing", gold, index, by_gold.get(index, ALONE)) for index in missing
    ]
    errors += [
        _error("spurious", system, index, by_system.get(index, ALONE))
        for index in spurious
    ]
    return tuple(matches), tuple(errors)


def _error(
    side: ErrorType,
    entities: Entities,
    index: int,
    partner: Partner | tuple[None, None],
) -> Error:
    """The row of an entity without an equal."""
    other, wrong = partner
    ordinal = entities.nodes[index]
    node = entities.graph.nodes[ordinal]
    label = node.label
    value = words_of(entities.graph, node) if wrong == TYPED else label
    name = "" if wrong is None else WRONG[wrong]
    described = Described("strict", ordinal, other, "node", label, name, value)
    return row_of(side, described)


@lru_cache(maxsize=1 << 14)
def _match(gold: int, system: int, relation: int) -> Match:
    """The row of two entities that correspond; most pairs of graphs have the same."""
    return Match("node", gold, system, float(relation == EXACT))


@lru_cache(maxsize=256)
def _equal_rows(gold: Sequence[int], system: Sequence[int]) -> ItemRows:
    """The rows of entities that are equal one by one, of which ordinals are given."""
    return tuple(map(_match, gold, system, repeat(EXACT))), ()


Partner = tuple[int, int]
"""Ordinal of the counterpart on the other side, and relation to it."""

ALONE: tuple[None, None] = (None, None)
"""No counterpart."""


def right_tokens(
    left: Entities, right: Entities, alignment: EntityAlignment, raw_counts: RawCounts
) -> int:
    """Count the tokens with equal IOB2 tags.

    Where one side has no tokens, its entities are laid over the other's; where both
    have others, tokens are the same that have the same characters.

    Args:
        left: the gold side.
        right: the system's.
        alignment: which entities are equal.
        raw_counts: get the number of tokens of a side without its own.
    """
    tokens, system_tokens = left.graph.tokens, right.graph.tokens
    if not (tokens and system_tokens):
        if not tokens and not system_tokens:
            return 0
        side = "system" if tokens else "gold"
        raw_counts[TOKENS, "", side] = len(tokens or system_tokens)
    elif tokens != system_tokens:
        gold_tags = tags_of(left.on_tokens(), tokens)
        system_tags = tags_of(right.on_tokens(), system_tokens)
        tag_at = {token: system_tags.get(k) for k, token in enumerate(system_tokens)}
        return sum(
            token in tag_at and tag_at[token] == gold_tags.get(k)
            for k, token in enumerate(tokens)
        )
    tokens = tokens or system_tokens
    # Of tags only what the other side has not can make a difference.
    tagged = left.all_tagged and right.all_tagged
    gold_positions, system_positions = alignment[1:] if tagged else (None, None)
    gold_tags = tags_of(left.on_tokens(gold_positions), tokens)
    system_tags = tags_of(right.on_tokens(system_positions), tokens)
    differing = [token for token in gold_tags if token not in system_tags]
    differing += [
        token for token, x in system_tags.items() if x != gold_tags.get(token)
    ]
    return len(tokens) - len(differing)


_EMPTY = Entities(Graph("", "ner"))
