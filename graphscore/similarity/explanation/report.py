"""Evaluation of a formula on one pair: amounts, ratios, and the whole alignment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from graphscore.correspondence import Budget
from graphscore.model.graph import Graph
from graphscore.model.outcome import MORE, Count
from graphscore.similarity.base import (
    Aligned,
    Number,
    Numerators,
    Request,
    Similarity,
    as_graph,
)
from graphscore.similarity.evaluation.equal_members import tally
from graphscore.similarity.evaluation.functions import align, overlaps, selves
from graphscore.similarity.expression import ARTICLES, FormulaError
from graphscore.similarity.operators.ratios import Harmonic, Normalized
from graphscore.similarity.operators.recursion import loose
from graphscore.similarity.view import GRAPH, ROOT, Pair, Proof, View


class Measured(Struct, frozen=True):
    """Amounts of a formula for one pair.

    Args:
        gold: what gold would earn with itself, Σ(R, R).
        system: what the system output would earn with itself, Σ(P, P).
        found: what they earn together.
        value: the formula's own number.
    """

    gold: Number
    system: Number
    found: Numerators
    value: Number

    @classmethod
    def of(cls, count: Count) -> Measured:
        """Convert counts made without a formula."""
        matched, correct = count.matched, count.correct_system
        numerators = Numerators(matched, correct, matched)
        return cls(count.gold, count.system, numerators, count.f1)

    @property
    def count(self) -> Count:
        """The amounts as a count."""
        recall, precision = self.found.recall, self.found.precision
        return Count(
            self.gold,
            self.system,
            recall,
            None if recall == precision else precision,
        )


def check(similarity: Similarity) -> None:
    """Fail unless a formula can score graphs.

    Raises:
        FormulaError: if it is about something smaller, has free variables, or asks
            again for a formula that it is not in.
    """
    if similarity.of != "graph":
        raise FormulaError(
            f"{similarity} compares {ARTICLES[similarity.of]}, expected a formula "
            "about the whole graph, such as f1(match(nodes(), ...))",
            str(similarity),
            str(similarity),
        )
    if similarity.has_variables:
        raise FormulaError(
            "a variable outside of latent(...), which would find what it is",
            str(similarity),
            "φ̃",
        )
    for name in sorted(loose(similarity)):
        raise FormulaError(
            f"again({name!r}) outside of recursive({name!r}, ...)",
            str(similarity),
            name,
        )


def over_one(similarity: Similarity) -> str:
    """Why a share of a formula can be more than 1; nothing where none can.

    Args:
        similarity: a formula about the whole graph.

    Example:
        >>> from graphscore.similarity import contained, exact, label, match, nodes
        >>> from graphscore.similarity import recall, targets
        >>> several = match(nodes(), contained(targets(), exact(label)), "n:1")
        >>> over_one(recall(several)), over_one(recall(several, counting="formula"))
        ('', "counting='formula' counts what several others match as often as they do")
    """
    literal = isinstance(similarity, Normalized) and similarity.counting == "formula"
    if literal and not similarity.proper:
        return LITERAL
    if isinstance(similarity, Normalized) and similarity.counting == "refused":
        return ""
    return next(filter(None, map(over_one, similarity.parts())), "")


LITERAL = "counting='formula' counts what several others match as often as they do"
"""Why a share of a formula can be more than 1."""


def splits(similarity: Similarity) -> bool:
    """Return true if recall and precision can have different numerators."""
    if isinstance(similarity, Harmonic):
        return True
    if isinstance(similarity, Normalized):
        return similarity.counting == "bounded" and similarity.operand.sided
    return similarity.sided


def measure(similarity: Similarity, pair: Pair) -> Measured:
    """Evaluate a formula on one pair.

    Args:
        similarity: a formula about the whole graph.
        pair: the two graphs; what the searches proved is kept in it.

    Returns:
        The amounts of a ratio's operand; a formula that is no ratio is its own
        amount.
    """
    if isinstance(similarity, Harmonic):
        left, right = (
            measure(similarity.precision, pair),
            measure(similarity.recall, pair),
        )
        both = Numerators(right.found.recall, left.found.precision, right.found.literal)
        joint = Measured(right.gold, left.system, both, 0)
        return replace(joint, value=joint.count.f1)
    operand = similarity
    if isinstance(similarity, Normalized):
        operand = similarity.operand
    if operand.countable:
        return _measure_counted(similarity, operand, pair)
    [gold] = selves(operand, pair.gold, GRAPH)
    [system] = selves(operand, pair.system, GRAPH)
    none = Numerators(0, 0, 0)
    graphs = Request(pair, GRAPH, GRAPH, ((0, 0),))
    overlap = overlaps(operand, graphs).get((0, 0), none)
    if not isinstance(similarity, Normalized):
        return Measured(gold, system, overlap, overlap.literal)
    matched, correct = similarity.counted(gold, system, overlap)
    overlap = Numerators(matched, correct, overlap.literal)
    return Measured(gold, system, overlap, similarity.ratio(gold, system, overlap))


def _measure_counted(
    similarity: Similarity, operand: Similarity, pair: Pair
) -> Measured:
    """Evaluate a formula that counts equal keys."""
    gold, system, shared = tally(operand, pair)
    numerators = Numerators(shared, shared, shared)
    value: Number = shared
    if isinstance(similarity, Normalized):
        value = similarity.ratio(gold, system, numerators)
    return Measured(gold, system, numerators, value)


class Report(Struct, frozen=True):
    """A formula's answer for one pair.

    Attributes:
        similarity: the formula.
        gold: Σ(R, R).
        system: Σ(P, P).
        matched: numerator of recall.
        matched_system: numerator of precision.
        value: the formula's own number.
        precision: matched share of the system's amount.
        recall: matched share of gold's amount.
        f1: their harmonic mean.
        proven: whether no other matching earns more.
        gap: how much more another matching could earn; 0 where it is proven.
        alignment: matched members of every level, and those that are alone.
    """

    similarity: Similarity
    measured: Measured
    alignment: tuple[Aligned, ...]
    proof: Proof
    pair: Pair

    @property
    def gold(self) -> Number:
        """Self-similarity of gold."""
        return self.measured.gold

    @property
    def system(self) -> Number:
        """Self-similarity of the system output."""
        return self.measured.system

    @property
    def matched(self) -> Number:
        """Numerator of recall."""
        return self.measured.found.recall

    @property
    def matched_system(self) -> Number:
        """Numerator of precision."""
        return self.measured.found.precision

    @property
    def value(self) -> Number:
        """The formula's own number."""
        return self.measured.value

    @property
    def precision(self) -> float:
        """Matched share of the system's amount."""
        return self.measured.count.precision

    @property
    def recall(self) -> float:
        """Matched share of gold's amount."""
        return self.measured.count.recall

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        return self.measured.count.f1

    @property
    def proven(self) -> bool:
        """True if no other matching has a greater weight."""
        return self.proof.proven

    @property
    def gap(self) -> float:
        """Upper bound on the improvement by another matching; 0 if proven optimal."""
        return self.proof.gap

    def paths(self) -> Iterator[tuple[str, str, float]]:
        """Every matched pair, as paths on both sides and what it earns.

        Yields:
            Gold path, system path (empty where one is alone), credit.
        """
        yield from _paths(self.alignment, "", "")

    def explain(self) -> str:
        """The nested alignment, as text."""
        lines = [
            str(self.similarity),
            f"  = {self.value:.6g}   "
            f"precision {self.precision:.4f} ({_amount(self.matched_system)} of "
            f"{_amount(self.system)})   recall {self.recall:.4f} "
            f"({_amount(self.matched)} of {_amount(self.gold)})",
        ]
        for share in ("recall", "precision"):
            if getattr(self, share) > MORE:
                lines.append(f"  {share} is more than 1: {over_one(self.similarity)}")
        if not self.proven:
            lines.append(f"  not proven: at most {_amount(self.proof.gap)} more")
        lines += _explain(self.alignment, self.pair, 1)
        return "\n".join(lines)


def score(
    similarity: Similarity, gold: Any, system: Any, budget: Budget | int | None = None
) -> Report:
    """Score one system output against its gold standard.

    Args:
        similarity: a formula about the whole graph.
        gold: a graph, or an object that ``structures`` lays out as one.
        system: likewise, or ``None``.
        budget: how much work each search may take, in steps.

    Returns:
        Raw counts, ratios and the matching at every level.

    Raises:
        FormulaError: if the formula is not about a whole graph.
        ValueError: if the budget is less than a step.
    """
    check(similarity)
    steps = budget_of(budget)
    sides = [as_graph(gold), as_graph(system)]
    empty = Graph("", next((side.framework for side in sides if side is not None), ""))
    left, right = (View(empty if side is None else side) for side in sides)
    pair = Pair(left, right, steps)
    measured = measure(similarity, pair)
    alignment = align(similarity, pair, ROOT, ROOT)
    return Report(similarity, measured, alignment, pair.proof, pair)


def budget_of(budget: Budget | int | None) -> Budget:
    """Return the budget of each search.

    Args:
        budget: a budget, or so many steps; ``None`` for the default.

    Raises:
        ValueError: if it is less than a step.
    """
    result = Budget() if budget is None else budget
    if not isinstance(result, Budget):
        result = Budget(steps=result)
    if result.steps < 1:
        raise ValueError(f"found a budget of {result.steps}, expected at least 1 step")
    return result


def _paths(
    aligned: Sequence[Aligned], gold: str, system: str
) -> Iterator[tuple[str, str, float]]:
    # Depth is that of the data, so it must not be that of calls.
    waiting = [(member, gold, system) for member in reversed(aligned)]
    while waiting:
        member, gold, system = waiting.pop()
        left = (
            f"{gold}/{member.via}[{member.gold_place}]"
            if member.gold is not None
            else ""
        )
        right = (
            f"{system}/{member.via}[{member.system_place}]"
            if member.system is not None
            else ""
        )
        yield left, right, float(member.credit)
        waiting += [(inner, left, right) for inner in reversed(member.children)]


def _explain(aligned: Sequence[Aligned], pair: Pair, depth: int) -> Iterator[str]:
    from graphscore.similarity.explanation.wording import describe

    waiting = [(member, depth) for member in reversed(aligned)]
    while waiting:
        member, depth = waiting.pop()
        left = (
            "" if member.gold is None else describe(pair.gold, member.sort, member.gold)
        )
        right = (
            ""
            if member.system is None
            else describe(pair.system, member.sort, member.system)
        )
        sign = "=" if member.whole else "≈" if member.credit else "≠"
        if member.gold is None:
            shown = f"+ {right}"
        elif member.system is None:
            shown = f"- {left}"
        elif left == right:
            shown = f"{sign} {left}"
        else:
            shown = f"{sign} {left} | {right}"
        credit = (
            "" if member.gold is None or member.system is None else _credit_text(member)
        )
        yield f"{'  ' * depth}{shown}{credit}"
        waiting += [(inner, depth + 1) for inner in reversed(member.children)]


def _credit_text(member: Aligned) -> str:
    return f"   {_amount(member.credit)}" if any(member.worth) else ""


def _amount(number: Number) -> str:
    return f"{number:.6g}"
