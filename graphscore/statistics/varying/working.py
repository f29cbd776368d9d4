"""Scoring systems under every other choice of a formula, in one pass each."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from graphscore.errors import PairingError, UsageError, amount, meant
from graphscore.evaluation.files import score_files
from graphscore.evaluation.options import Options
from graphscore.evaluation.result import Result
from graphscore.metrics.base import Metric
from graphscore.metrics.formula import Suite
from graphscore.metrics.registry import parse
from graphscore.metrics.varied import stripped, with_formulas
from graphscore.model.graph import Graph
from graphscore.model.outcome import Count
from graphscore.similarity.base import Numerators, Similarity
from graphscore.similarity.combining.ratios import Normalized
from graphscore.similarity.varying.choices import choices_of, outermost, plan_of
from graphscore.statistics.varying.found import Made, Sensitivity, Variant

MOST = 100
"""Formulas that are scored if all choices are combined."""

Side = str | Sequence[Graph]


def sensitivity(
    gold: Side,
    systems: Mapping[str, Side] | Sequence[str],
    metric: str | Metric | Similarity,
    *,
    kind: str = "",
    most: int = MOST,
    options: Options | None = None,
    progress: Callable[..., None] | None = None,
) -> Sensitivity:
    """Say which choices of a formula change the ranking of systems.

    The constraint of every matching (1:1, n:1, 1:n, n:n), the ratio that is made of
    every sum (P, R, F, J) and how anchors are trimmed are made otherwise: all
    combinations, or one at a time where these are too many.  Outermost ratios are made
    of the same sums.  What a metric makes of graphs before it compares them stays.

    Args:
        gold: a file, directory or glob, or graphs.
        systems: files, or by name files or graphs.
        metric: a formula, or a metric that has one; presets are left out.
        kind: which of its formulas; by default that of its main kind.
        most: how many formulas are scored at most to combine all choices.
        options: how; pairing, reading, budget.
        progress: is told how many systems are done, of how many.

    Returns:
        Scores under every variant, what each choice does, which pairs turn round.

    Raises:
        UsageError: if the metric has no formulas, or none of that kind.

    Example:
        >>> from graphscore import Graph, Node
        >>> def corpus(*labels):
        ...     nodes = tuple(Node(k, label) for k, label in enumerate(labels))
        ...     return [Graph("1", "x", nodes=nodes)]
        >>> systems = {"short": corpus("a"), "long": corpus(*"abwxyz")}
        >>> text = "f1(match(nodes(), exact(label)))"
        >>> found = sensitivity(corpus("a", "b", "c"), systems, text)
        >>> [(each.choice.said, each.value) for each in found.effects if each.reversed]
        [('ratio', 'R')]
    """
    start = time.perf_counter()
    sides = (
        systems if isinstance(systems, Mapping) else {name: name for name in systems}
    )
    asked = parse(metric)
    inner, under = stripped(asked)
    written = dict(getattr(inner, "formulas", dict)())
    if not written:
        raise UsageError(f"{asked} has no formulas, expected a metric that has some")
    name = kind or (inner.main if inner.main in written else next(iter(written)))
    if name not in written:
        there = ", ".join(written)
        raise UsageError(
            f"{asked} has no formula of the kind {name!r}{meant(name, written)}; "
            f"there are: {there}"
        )
    formula = written[name]
    ratio = outermost(formula)
    plan = plan_of(formula, most)
    named = {f"v{k}": each for k, each in enumerate(plan.formulas.values())}
    every = [with_formulas(inner, named)]
    if not isinstance(inner, Suite):
        every.append(inner)
    given = replace(options or Options(), details=False)
    results: list[list[Result]] = []
    for done, side in enumerate(sides.values()):
        if progress is not None:
            progress(done, len(sides))
        results.append(score_files(gold, side, every, given))
    if any(mine[0].nothing for mine in results):
        raise PairingError(f"gold has nothing that {asked} scores")
    counts = [mine[0].counts for mine in results]
    variants: list[tuple[Made, str, tuple[float, ...]]] = []
    for key, (changes, each) in zip(named, plan.formulas.items(), strict=True):
        for norm in (ratio.written, *ratio.others):
            other: Made = () if norm == ratio.written else ((ratio, norm),)
            scores = tuple(ratio_of(count[key], norm, each) for count in counts)
            variants.append(
                ((*other, *changes), shown(each, norm, ratio.written), scores)
            )
    made = tuple(Variant(*each) for each in variants)
    choices = [ratio, *choices_of(formula)]
    found = Sensitivity(
        str(asked),
        name,
        str(formula),
        tuple(sides),
        tuple(choices),
        made,
        len(named),
        plan.complete,
        plan.impossible,
        time.perf_counter() - start,
        results=[mine[0] for mine in results],
    )
    if under:
        found.notes.append(f"{asked} with {under}: presets do more than formulas say")
    if len(every) > 1:
        found.notes += _more(results, name)
    return found


def ratio_of(count: Count, norm: str, formula: Similarity) -> float:
    """What a corpus scores by a ratio of its sums.

    Args:
        count: the sums.
        norm: P, R, F or J, or the formula's own.
        formula: whose sums they are.
    """
    if norm in ("P", "R", "F"):
        return {"P": count.precision, "R": count.recall, "F": count.f1}[norm]
    if isinstance(formula, Normalized):
        ratio = formula if norm != "J" else replace(formula, norm="J", beta=1.0)
        found = Numerators(count.matched, count.correct_system, count.matched)
        return ratio.ratio(count.gold, count.system, found)
    shared = count.precision * count.recall
    below = count.precision + count.recall - shared
    return shared / below if below else 0.0


def shown(formula: Similarity, norm: str, written: str) -> str:
    """A variant in notation, with its outermost ratio.

    Args:
        formula: with the ratio as written.
        norm: the ratio.
        written: the ratio that the formula has.
    """
    if norm == written:
        return str(formula)
    if isinstance(formula, Normalized):
        changed: Any = replace(formula, norm=norm, beta=1.0)  # type: ignore[arg-type]
        return str(changed)
    return f"{norm} of {formula}"


def _more(results: Sequence[Sequence[Result]], kind: str) -> list[str]:
    """Where a metric has another number than its formula."""
    for varied, own in results:
        mine, theirs = varied.counts["v0"], own.counts.get(kind)
        if theirs is not None and not math.isclose(mine.f1, theirs.f1, abs_tol=1e-9):
            return [
                f"{own.metric} scores {varied.system} with {100 * theirs.f1:.2f}, its "
                f"formula with {100 * mine.f1:.2f}: it does more than the formula says"
            ]
    return []


def told(found: Sensitivity) -> list[str]:
    """What was scored, in lines.

    Args:
        found: the sensitivity.
    """
    how = "all combinations" if found.complete else "one choice at a time"
    lines = [
        f"{amount(len(found.variants), 'variant')} of "
        f"{amount(found.scored, 'formula')} ({how})"
    ]
    if found.impossible:
        lines.append(f"{amount(found.impossible, 'combination')} that are no formulas")
    return lines
