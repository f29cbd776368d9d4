"""Semantic dependencies as the CoNLL shared tasks of 2008 and 2009 count them.

Hajič et al. (2009), "The CoNLL-2009 Shared Task: Syntactic and Semantic Dependencies in
Multiple Languages", section 3.2; reference scorer ``eval09.pl`` (SHA-1 1f245a18).

What differs: sentences that are missing or have other words, at which the scorer ends,
are scored, and shares of nothing are 0.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from operator import itemgetter
from typing import Literal, NamedTuple

from graphscore.exceptions import UsageError
from graphscore.metrics.base import numbered
from graphscore.metrics.roles.base import (
    Labels,
    Predicates,
    Prepared,
    RoleBuilder,
    RoleMetric,
    by_role,
    role_table,
    with_predicates,
)
from graphscore.model.outcome import (
    Count,
    CountKey,
    Error,
    ErrorType,
    RawCounts,
    Scores,
    ScoreTable,
    count_of,
    counts_of,
    total_count,
)
from graphscore.model.outcome_builder import Described, aligned_by_key, sided
from graphscore.structures.roles.sentence import ROOT, Sentence

SENSES, ARGUMENTS = "senses", "arguments"

PLACES, PROPOSITIONS, SYNTAX = "unlabeled", "propositions", "syntax"
"""Not tuple types: positions of predicates and arguments, propositions, words."""

LABELED = "labeled"
"""Not a tuple type: senses and arguments together."""

EXACT = "exact"
"""Not a tuple type: sentences, and those in which everything is right."""

Place = int | tuple[int, ...]
"""Head of an argument, or its words if no head is known."""

_Dependency = tuple[str, int]
"""Label and ordinal of the edge."""

Dependencies = dict[tuple[Place, str], int]
"""Ordinals of edges, by place and label."""

_DIGITS = re.compile("[0-9]+")


class PredicateArguments(NamedTuple):
    """A predicate with its dependencies."""

    node: int
    sense: str
    arguments: Dependencies
    places: Counter[Place]
    """Number of arguments in each place."""


class Word(NamedTuple):
    """A word of the dependency tree."""

    head: int | None
    relation: str | None
    scored: bool


class ComparedFields(NamedTuple):
    """Compared fields of a sentence."""

    predicates: dict[int, list[PredicateArguments]]
    """By place."""
    words: dict[int, Word]
    """By place."""


@dataclass(frozen=True)
class Conll09(RoleMetric[ComparedFields]):
    """Predicates by sense and arguments by head and label, with the tree beside.

    Args:
        labels: whether labels are compared as written, or in one spelling.
        punctuation: whether punctuation counts in the tree.
        weight: the share of semantics in the macro scores.
        predicates: whether those that one side lacks count, or only shared ones.

    Example:
        >>> str(Conll09(weight=1.0))
        'conll09(weight=1.0)'
    """

    name = "conll09"
    follows = "eval09.pl SHA-1 1f245a18"
    title = "CoNLL-2009 SRL: semantic dependency F1 (eval09)"
    citation = (
        "Hajič et al. 2009, The CoNLL-2009 Shared Task: Syntactic and Semantic "
        "Dependencies in Multiple Languages"
    )
    revision = 3
    classed = (ARGUMENTS,)
    tuple_types = (SENSES, ARGUMENTS)
    bound = ""

    labels: Labels = "written"
    punctuation: Literal["keep", "drop"] = "keep"
    weight: float = 0.5
    predicates: Predicates = "all"

    def __post_init__(self) -> None:
        if not 0 <= self.weight <= 1:
            raise UsageError(f"conll09: weight={self.weight:g}, expected from 0 to 1")

    def lay_out(self, sentence: Sentence) -> ComparedFields:
        """Senses, dependencies and words by place."""
        predicates: dict[int, list[PredicateArguments]] = {}
        for proposition in sentence.propositions:
            arguments: Dependencies = {}
            for piece in proposition.pieces:
                position: Place | None = piece.head
                if position is None:
                    position = piece.words or -1
                # Equal labels of one word are one.
                arguments.setdefault((position, self.label(piece.label)), piece.edge)
            counts = Counter(position for position, _ in arguments)
            compared = PredicateArguments(
                proposition.node, sense_of(proposition.label), arguments, counts
            )
            predicates.setdefault(proposition.place, []).append(compared)
        return ComparedFields(predicates, self._words(sentence))

    def _words(self, sentence: Sentence) -> dict[int, Word]:
        where = range(len(sentence.tree))
        positions = where if sentence.counted == "words" else map(sentence.first, where)
        order = list(positions)
        words: dict[int, Word] = {}
        for position, (form, head, relation, empty) in zip(
            order, sentence.tree, strict=True
        ):
            if empty:
                continue
            if head is not None and head != ROOT:
                head = order[head]
            scored = self.punctuation == "keep" or not is_punctuation(form)
            words[position] = Word(head, relation, scored)
        return words

    def entailed(self, errors: Sequence[Error]) -> Mapping[int, Sequence[int]]:
        """Map errors to confused ones, and predicates to errors of their arguments."""
        return with_predicates(errors)

    def measure(
        self,
        gold: Prepared,
        system: Prepared,
        builder: RoleBuilder,
    ) -> int | float:
        """Compare predicates in equal places, and words."""
        counts = _Counts(builder)
        left, right = gold.laid(self), system.laid(self)
        gold_predicates, system_predicates = left.predicates, right.predicates
        for position in (
            gold_predicates
            if gold_predicates.keys() == system_predicates.keys()
            else {**gold_predicates, **system_predicates}
        ):
            for pair in zip_longest(
                gold_predicates.get(position, ()), system_predicates.get(position, ())
            ):
                if self.predicates == "all" or None not in pair:
                    counts.predicate(*pair)
        counts.sum_up()
        semantic = counts.all_right
        if gold.sentence.size or gold.sentence.propositions:
            builder.add(EXACT, "", "gold")
            builder.add(EXACT, "", "semantic", semantic)
        if left.words:
            equal = _syntax(left.words, right.words, builder.raw_counts)
            builder.add(EXACT, "", "syntactic", equal)
            builder.add(EXACT, "", "overall", equal and semantic)
        return counts.senses[2] + counts.arguments[2]

    def scores(self, raw_counts: Mapping[CountKey, int | float]) -> Scores:
        """Everything that eval09 prints, as shares; and labelled F1 over LAS."""
        counts = counts_of(raw_counts, self.tuple_types)
        labeled = counts["all"] = total_count(counts.values())
        bare = raw_counts.get((PLACES, "", "matched"), 0)
        unlabeled = Count(labeled.gold, labeled.system, bare)

        def amount(tuple_type: str, quantity: str) -> int | float:
            return raw_counts.get((tuple_type, "", quantity), 0)

        def share(tuple_type: str, quantity: str) -> float:
            total = amount(tuple_type, "gold")
            return amount(tuple_type, quantity) / total if total else 0.0

        las, uas = share(SYNTAX, "labeled"), share(SYNTAX, "unlabeled")
        numbers = {
            **numbered("unlabeled", unlabeled),
            **numbered("propositions", count_of(raw_counts, PROPOSITIONS)),
            "las": las,
            "uas": uas,
            "relations": share(SYNTAX, "relations"),
            "exact.semantic": share(EXACT, "semantic"),
            "exact.syntactic": share(EXACT, "syntactic"),
            "exact.overall": share(EXACT, "overall"),
        }
        pairs = ("labeled", labeled, las), ("unlabeled", unlabeled, uas)
        for name, semantic, syntactic in pairs:
            numbers |= self._macro(name, semantic, syntactic)
            words = amount(SYNTAX, "gold"), amount(SYNTAX, name)
            both = semantic.plus(Count(words[0], words[0], words[1]))
            numbers |= numbered(f"micro.{name}", both)
        numbers["f1_by_las"] = labeled.f1 / las if las else 0.0
        return Scores(counts, numbers | by_role(self.classes(raw_counts)))

    def tables(self, scores: Scores) -> Sequence[ScoreTable]:
        """The table of roles."""
        return (role_table(scores.numbers),)

    def _macro(self, name: str, semantic: Count, syntactic: float) -> dict[str, float]:
        """The weighted means of semantics and syntax."""
        weight, rest = self.weight, (1 - self.weight) * syntactic
        precision = weight * semantic.precision + rest
        recall = weight * semantic.recall + rest
        total = precision + recall
        return {
            f"macro.{name}.precision": precision,
            f"macro.{name}.recall": recall,
            f"macro.{name}.f1": 2 * precision * recall / total if total else 0.0,
        }


class _Counts:
    """Sums over the predicates of one pair of sentences."""

    def __init__(self, builder: RoleBuilder) -> None:
        self.builder = builder
        self.senses = [0, 0, 0]
        self.arguments = [0, 0, 0]
        self.right = 0
        """Positions of predicates and arguments that both have."""
        self.propositions = 0
        self.roles: Counter[tuple[str, str]] = Counter()

    @property
    def all_right(self) -> bool:
        """True if both sides have the same predicates and arguments."""
        return len({*self.senses}) == len({*self.arguments}) == 1

    def sum_up(self) -> None:
        """Enter the sums by tuple type; those of arguments also by label."""
        builder = self.builder
        both = zip(self.senses, self.arguments, strict=True)
        for tuple_type, (gold, system, matched) in (
            (SENSES, self.senses),
            (ARGUMENTS, self.arguments),
            (LABELED, map(sum, both)),
            (PROPOSITIONS, (*self.senses[:2], self.propositions)),
        ):
            builder.count(tuple_type, gold, system, matched)
        for (label, quantity), amount in self.roles.items():
            builder.raw_counts[ARGUMENTS, label, quantity] = amount
        builder.add(PLACES, "", "matched", self.right)

    def predicate(
        self, gold: PredicateArguments | None, system: PredicateArguments | None
    ) -> None:
        """Count what two predicates in one place have in common."""
        builder = self.builder
        parent = None
        for k, (quantity, predicate) in enumerate((("gold", gold), ("system", system))):
            if predicate is not None:
                self.senses[k] += 1
                self.arguments[k] += len(predicate.arguments)
                for _, label in predicate.arguments:
                    self.roles[label, quantity] += 1
        if gold is not None and system is not None:
            common = gold.arguments.keys() & system.arguments.keys()
            right = same_sense(gold.sense, system.sense)
            self.senses[2] += right
            self.arguments[2] += len(common)
            for _, label in common:
                self.roles[label, "matched"] += 1
            self.right += 1 + (gold.places & system.places).total()
            self.propositions += right and len(common) == len(gold.arguments) == len(
                system.arguments
            )
            parent = builder.match(gold.node, system.node, float(right))
            for side, own, counterpart in () if right else sided(gold, system):
                sense = Described(
                    SENSES, own.node, counterpart.node, compared=own.sense
                )
                builder.error(side, sense, parent)
        elif gold is not None:
            parent = builder.alone("missing", gold.node)
            builder.error("missing", Described(SENSES, gold.node), parent)
        elif system is not None:
            parent = builder.alone("spurious", system.node)
            builder.error("spurious", Described(SENSES, system.node), parent)
        if builder.details:
            _enter_edges(
                builder,
                {} if gold is None else gold.arguments,
                {} if system is None else system.arguments,
                parent,
                gold is None or system is None,
            )


def _enter_edges(
    builder: RoleBuilder,
    left: Dependencies,
    right: Dependencies,
    parent: int | None,
    alone: bool,
) -> None:
    """Enter dependencies that are equal, and those that are not beside each other."""
    waiting: dict[Place, list[_Dependency]] = {}
    for (position, label), edge in right.items():
        if (position, label) not in left:
            waiting.setdefault(position, []).append((label, edge))
    near: dict[tuple[ErrorType, int], _Dependency] = {}
    for (position, label), edge in left.items():
        if (position, label) not in right and waiting.get(position):
            candidate = near["missing", edge] = waiting[position].pop(0)
            near["spurious", candidate[1]] = label, edge

    def describe(
        side: ErrorType, own: _Dependency, counterpart: _Dependency | None
    ) -> Described:
        label, edge = own
        reason = "no counterpart" if alone else "" if counterpart else "absent"
        beside = None if counterpart is None else counterpart[1]
        return Described(ARGUMENTS, edge, beside, "edge", compared=label, reason=reason)

    sides = ({key: (key[1], edge) for key, edge in x.items()} for x in (left, right))
    alignment = aligned_by_key(
        *sides,
        ordinal=itemgetter(1),
        beside=lambda side, _, own: near.get((side, own[1])),
    )
    builder.enter(alignment, describe, what="edge", parent=parent)


def _syntax(
    gold: dict[int, Word], system: dict[int, Word], raw_counts: RawCounts
) -> bool:
    """Count words with the right head and relation; whether all are right."""
    total = labeled = unlabeled = relations = 0
    for position, (head, relation, scored) in gold.items():
        if not scored:
            continue
        total += 1
        counterpart = system.get(position)
        if counterpart is None:
            continue
        unlabeled += counterpart.head == head
        relations += counterpart.relation == relation
        labeled += counterpart.head == head and counterpart.relation == relation
    raw_counts[SYNTAX, "", "gold"] = total
    raw_counts[SYNTAX, "", "labeled"] = labeled
    raw_counts[SYNTAX, "", "unlabeled"] = unlabeled
    raw_counts[SYNTAX, "", "relations"] = relations
    return labeled == total


def sense_of(label: str) -> str:
    """The sense in a label: what stands after its only dot, else all of it.

    >>> sense_of("buy.01"), sense_of("buy"), sense_of("e.g.01")
    ('01', 'buy', 'e.g.01')
    """
    return label.partition(".")[2] if label.count(".") == 1 else label


def same_sense(left: str, right: str) -> bool:
    """Return true if two senses are equal; numbers are compared as numbers.

    >>> same_sense("01", "1"), same_sense("01", "LV")
    (True, False)
    """
    if left == right:
        return True
    both = _DIGITS.fullmatch(left) and _DIGITS.fullmatch(right)
    return bool(both) and left.lstrip("0") == right.lstrip("0")


@lru_cache(maxsize=4096)
def is_punctuation(form: str) -> bool:
    """Return true if all characters of a word are punctuation.

    >>> is_punctuation("..."), is_punctuation("$"), is_punctuation("n't")
    (True, False, False)
    """
    return all(unicodedata.category(character)[0] == "P" for character in form)
