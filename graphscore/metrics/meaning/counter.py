"""Clauses that two discourse representations share, as Counter counts them, proven.

Van Noord, Abzianidze, Haagsma and Bos (2018), "Evaluating Scoped Meaning
Representations".  Reference scorer: ``counter.py`` of RikVN/DRS_parsing 190838f,
which climbs hills; here every score is the proven optimum.

What differs besides: a clause with one variable twice can match, ill-formed
representations are scored, and concepts compare as they are written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from graphscore.correspondence import Budget
from graphscore.metrics.base import numbered, outcome_of
from graphscore.metrics.label_tables import amounts_of, label_table, labels_of
from graphscore.metrics.meaning.clauses import (
    Statement,
    Statements,
    best_map,
    statement_of,
)
from graphscore.metrics.pairwise import PairMetric
from graphscore.model.graph import Graph
from graphscore.model.outcome import (
    CountKey,
    Outcome,
    Scores,
    ScoreTable,
    count_of,
    total_count,
)
from graphscore.model.outcome_builder import (
    Described,
    OutcomeBuilder,
    both_ways,
    unlike,
)
from graphscore.structures.discourse import (
    REF,
    RELATIONS,
    Clause,
    Kind,
    Term,
    clauses_of,
)

TUPLE_TYPES: tuple[Kind, ...] = ("operators", "roles", "concepts")

SYMMETRIC = frozenset({"APX", "NEQ", "EQU", "TAB"})
"""Operators whose two arguments may change places."""

SHOWN = 20
"""Rows of a table."""

Counted = Literal["counted", "ignored"]


@dataclass(frozen=True)
class Counter(PairMetric):
    """Shared clauses under the best one-to-one map of boxes and referents.

    Args:
        senses: whether the part of speech and number of a concept count (``-dse``).
        concepts: whether it matters which concept a referent has (``-dc``).
        roles: whether it matters which role an argument has (``-dr``).
        refs: whether clauses that introduce a referent count where another clause of
            the box speaks of it (``-ic``).

    Example:
        >>> str(Counter(senses="ignored"))
        'counter(senses=ignored)'
    """

    name = "counter"
    follows = "counter.py of DRS_parsing 190838f"
    title = "Counter (van Noord et al. 2018): DRS clause F1"
    citation = (
        "van Noord, Abzianidze, Haagsma and Bos 2018, Evaluating Scoped Meaning "
        "Representations"
    )
    frameworks = frozenset({"drg"})
    tuple_types = TUPLE_TYPES
    lends = False

    senses: Counted = "counted"
    concepts: Counted = "counted"
    roles: Counted = "counted"
    refs: Literal["needed", "all"] = "needed"

    def prepare(self, graph: Graph) -> Statements:
        """Lay out a graph's clauses."""
        return Statements(graph, self._statements(graph))

    def _statements(self, graph: Graph) -> Iterator[Statement]:
        clauses = [(clause, *_turned(clause)) for clause in clauses_of(graph)]
        # How often a box speaks of something, in the last two places of a clause.
        spoken: dict[tuple[Term, Term], int] = {}
        if self.refs == "needed":
            for _, _, terms in clauses:
                for term in {*terms[-2:]}:
                    pair = terms[0], term
                    spoken[pair] = spoken.get(pair, 0) + 1
        seen = set()
        for clause, operator, terms in clauses:
            if operator == REF and spoken.get((terms[0], terms[1]), 0) > 1:
                continue
            compared = self._compared(clause, operator)
            label = clause.operator if compared == operator else compared
            statement = statement_of(clause, compared, terms, label)
            if statement[:2] not in seen:
                seen.add(statement[:2])
                yield statement

    def _compared(self, clause: Clause, operator: str) -> str:
        if clause.kind == "roles":
            return operator if self.roles == "counted" else "role"
        if clause.kind == "operators":
            return operator
        if self.concepts == "ignored":
            return "concept"
        if self.senses == "ignored":
            return operator.rsplit(".", 2)[0]
        return operator

    def compare_sides(
        self, gold: Statements, system: Statements, budget: Budget, details: bool
    ) -> Outcome:
        """Count shared clauses under the best map of variables."""
        result = best_map(gold, system, SYMMETRIC, budget)
        partner = dict(result.pairs)
        same = dict(gold.matches(system, partner, SYMMETRIC))
        builder = OutcomeBuilder(details)
        for index, statement in enumerate(gold.statements):
            _count(builder, statement, 1, 0, int(index in same))
        for statement in system.statements:
            _count(builder, statement, 0, 1, 0)
        if details:
            _enter_matches(builder, gold, system, partner, same)
            back = {value: number for number, value in same.items()}
            for side, left, right, known in both_ways(gold, system, partner):
                matched = same if side == "missing" else back
                for number, statement in enumerate(left.statements):
                    if number not in matched:
                        builder.error(side, _described(statement, left, right, known))
        return outcome_of(result, builder)

    def scores(self, raw_counts: Mapping[CountKey, int | float]) -> Scores:
        """Counts by sort of clause; relations of discourse; numbers by operator."""
        scores = super().scores(raw_counts)
        labels = sorted(
            {(tuple_type, label) for tuple_type, label, _ in raw_counts if label}
        )
        relations = [
            count_of(raw_counts, tuple_type, label)
            for tuple_type, label in labels
            if tuple_type == "operators" and label in RELATIONS
        ]
        total = total_count(relations)
        numbers = {
            "discourse.gold": total.gold * 1.0,
            "discourse.system": total.system * 1.0,
            "discourse.matched": total.matched * 1.0,
        }
        numbers |= numbered("discourse", total)
        for tuple_type, label in labels:
            numbers |= amounts_of(
                f"{tuple_type}.{label}", count_of(raw_counts, tuple_type, label)
            )
        return Scores(scores.counts, numbers)

    def brief(self, numbers: Mapping[str, float]) -> Mapping[str, float]:
        """Relations of discourse; operators have tables of their own."""
        return {
            name: number
            for name, number in numbers.items()
            if name.startswith("discourse.")
        }

    def tables(self, scores: Scores) -> Sequence[ScoreTable]:
        """Operators, roles and concepts one by one, the most frequent of gold first."""
        return tuple(_table(tuple_type, scores.numbers) for tuple_type in TUPLE_TYPES)


def _turned(clause: Clause) -> tuple[str, tuple[Term, ...]]:
    """Operator and terms, inverted roles and constants in their usual places.

    >>> _turned(Clause("roles", "PartOf", (0, 1, 2), "node", 3))
    ('Part', (0, 2, 1))
    >>> _turned(Clause("operators", "EQU", (0, '"now"', 2), "node", 3))
    ('EQU', (0, 2, '"now"'))
    """
    operator, terms = clause.operator, clause.terms
    if len(terms) != 3 or clause.kind == "concepts":
        return operator, terms
    box, first, second = terms
    if clause.kind == "roles":
        if len(operator) > 2 and operator.endswith("Of"):
            return operator[:-2], (box, second, first)
    elif operator in SYMMETRIC and isinstance(first, str) and type(second) is int:
        return operator, (box, second, first)
    return operator, terms


def _count(
    builder: OutcomeBuilder, statement: Statement, gold: int, system: int, matched: int
) -> None:
    builder.count(statement.tuple_type, gold, system, matched)
    builder.count(statement.tuple_type, gold, system, matched, label=statement.label)


def _enter_matches(
    builder: OutcomeBuilder,
    gold: Statements,
    system: Statements,
    partner: Mapping[int, int],
    same: Mapping[int, int],
) -> None:
    """Enter nodes and edges that correspond, with the clauses that they say."""
    credit: dict[tuple[str, int, int], int] = {
        ("node", node, value): 0 for node, value in partner.items()
    }
    for number, value in same.items():
        left, right = gold.statements[number].clause, system.statements[value].clause
        # What is said by a node here can be said by an edge there only where both
        # are laid out unlike any discourse representation.
        if left.object == right.object:
            key = left.object, left.ordinal, right.ordinal
            credit[key] = credit.get(key, 0) + 1
    for (what, own, counterpart), worth in sorted(credit.items()):
        builder.match(own, counterpart, float(worth), what)


def _described(
    statement: Statement,
    left: Statements,
    right: Statements,
    partner: Mapping[int, int],
) -> Described:
    """Describe a clause that the other side does not have, as ``Name "tom"``."""
    clause, nodes = statement.clause, left.graph.nodes
    image = tuple(partner.get(node, -1) for node in statement.variables)
    rival = None
    if -1 not in image:
        # Another clause of the sort that says something of the same.
        rival = next(
            (
                candidate.clause
                for candidate in right.statements
                if candidate.variables == image
                and candidate.tuple_type == statement.tuple_type
            ),
            None,
        )
    reason = "absent" if rival is None else "differs"
    if -1 in image:
        reason = "no counterpart"
    constants = (term for term in clause.terms[1:] if isinstance(term, str))
    return Described(
        statement.tuple_type,
        clause.ordinal,
        None if rival is None or rival.object != clause.object else rival.ordinal,
        what=clause.object,
        label=nodes[clause.ordinal].label if clause.object == "node" else None,
        value=" ".join(filter(None, (clause.operator, *constants))),
        compared=unlike(statement.key[0], clause.operator),
        reason=reason,
    )


def _table(tuple_type: str, numbers: Mapping[str, float]) -> ScoreTable:
    """The most frequent of one sort of clause."""
    labels = labels_of(numbers, f"{tuple_type}.", by_frequency=True)
    more = f", the {SHOWN} most frequent of gold" if len(labels) > SHOWN else ""
    columns = (tuple_type, "gold", "system", "matched", "F1")
    title, scores = f"by {tuple_type[:-1]}{more}", ("gold", "system", "matched", "f1")
    return label_table(title, columns, numbers, f"{tuple_type}.", scores, labels)
