"""SemBleu: bags of labels and short paths, a geometric mean, a penalty for brevity.

Song and Gildea (2019), "SemBleu: A Robust Metric for AMR Parsing Evaluation", as their
program computes it (69ff2d4): nothing is mapped onto anything.  Masses are the n-grams
of each length that a side has and that both have, and the lengths of both sides; the
figure is worked out of their sums, as BLEU is.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from graphscore.correspondence import Budget
from graphscore.metrics.base import PairMetric
from graphscore.metrics.meaning.grams import Bags
from graphscore.metrics.meaning.ngrams import KINDS
from graphscore.model.graph import Graph
from graphscore.model.ledger import Ledger, sided
from graphscore.model.outcome import Figures, MassKey, Outcome

LENGTH = ("lengths", "length")
"""Kind and label of the masses of lengths, which no kind sums."""

WEIGHTS = (0.34, 0.33, 0.34)
"""What the program weighs the three lengths with; they do not add up to 1."""


@dataclass(frozen=True)
class Sembleu(PairMetric):
    """N-grams of graphs as bags, and BLEU of their sums.

    Args:
        n: nodes on the longest n-grams.
        weights: those of the program (``published``), or equal ones; so they are
            wherever ``n`` is not 3.
        properties: whether properties are leaves, as constants of AMR are, or left
            out.

    Example:
        >>> str(Sembleu(n=2))
        'sembleu(n=2)'
    """

    name = "sembleu"
    follows = "sembleu 69ff2d4"
    title = "bags of labels and paths of edges, as BLEU has those of words"
    citation = (
        "Song and Gildea 2019, SemBleu: A Robust Metric for AMR Parsing Evaluation"
    )
    kinds = KINDS
    leading = "sembleu"
    lends = False
    bound = "an n-gram is right with all of its parts, and others share them"

    n: Literal[3, 2, 1] = 3
    weights: Literal["published", "uniform"] = "published"
    properties: Literal["leaves", "none"] = "leaves"

    @property
    def normalization(self) -> str:
        """Small letters, and edges in their base direction."""
        return "case,edges=of"

    def applicable(self, framework: str) -> frozenset[str]:
        """Paths of up to ``n`` nodes."""
        return frozenset(KINDS[: self.n])

    def prepare(self, graph: Graph) -> Bags:
        """Turn inverted edges round, and see what can be reached."""
        return Bags(graph, self.properties == "leaves")

    def compare_sides(
        self, gold: Bags, system: Bags, budget: Budget, details: bool
    ) -> Outcome:
        """Count the n-grams of both sides, and those that both have."""
        ledger, score = Ledger(details), 0
        sides = gold.counted(self.n), system.counted(self.n)
        for kind, one, two in zip(KINDS, *sides, strict=False):
            matched = _shared(one, two)
            ledger.count(kind, one.total(), two.total(), matched)
            score += matched
        for side, each in (("gold", gold), ("system", system)):
            ledger.add(*LENGTH, side, each.length)
        if details:
            self._enter(ledger, gold, system)
        return ledger.outcome(score, "bags")

    def _enter(self, ledger: Ledger, gold: Bags, system: Bags) -> None:
        """Enter what both have, the first beside the first, and what is over."""
        both = gold.grams(self.n), system.grams(self.n)
        for kind, one, two in zip(KINDS, *both, strict=False):
            there: dict[str, list[int]] = {}
            for number, gram in reversed([*enumerate(two)]):
                there.setdefault(gram.says, []).append(number)
            said = {gram.says for gram in one}, set(there)
            missing, taken = [], set()
            for gram in one:
                if numbers := there.get(gram.says):
                    number = numbers.pop()
                    taken.add(number)
                    ledger.match(gram.ordinal, two[number].ordinal, 1.0, gram.what)
                else:
                    missing.append(gram)
            surplus = [gram for k, gram in enumerate(two) if k not in taken]
            for side, own, _ in sided(missing, surplus):
                known = said[1] if side == "missing" else said[0]
                for gram in own:
                    ledger.error(
                        side,
                        kind,
                        gram.ordinal,
                        what=gram.what,
                        label=gram.label,
                        value=gram.shown,
                        reason="fewer" if gram.says in known else "absent",
                    )

    def figures(self, masses: Mapping[MassKey, int | float]) -> Figures:
        """A count per kind and their sum; SemBleu, and the penalty in it."""
        counts = super().figures(masses).counts
        lengths = [masses.get((*LENGTH, side), 0) for side in ("gold", "system")]
        amounts = [(counts[kind].matched, counts[kind].system) for kind in KINDS]
        brevity = _brevity(*lengths)
        if not lengths[0] and not lengths[1]:
            brevity = found = math.nan
        else:
            found = brevity * self._mean(amounts[: self.n])
        return Figures(counts, {"sembleu": found, "brevity": brevity})

    def _mean(self, amounts: Sequence[tuple[Any, Any]]) -> Any:
        """The smoothed geometric mean of precisions.

        Args:
            amounts: what is matched, of how many n-grams of the system.
        """
        longest = max(
            (n for n, (_, every) in enumerate(amounts, 1) if every), default=0
        )
        if not longest or not amounts[0][0]:
            return 0.0
        weights: tuple[float, ...] = WEIGHTS
        if longest < 3 or self.n < 3 or self.weights == "uniform":
            weights = (1 / longest,) * longest
        terms, halvings = [], 1
        for weight, (matched, every) in zip(weights, amounts, strict=False):
            # What is never matched counts half, the next a quarter...
            if not matched:
                share = 1 / (2**halvings * (every if every > 1 else 1.0))
                halvings += 1
            else:
                share = matched / every
            terms.append(weight * _log(share))
        if any(isinstance(each, np.ndarray) for each in terms):
            return np.exp(sum(terms))
        return math.exp(math.fsum(terms))


def _shared(one: Counter[str], two: Counter[str]) -> int:
    """How many n-grams both bags have."""
    few, many = (one, two) if len(one) < len(two) else (two, one)
    return sum([min(many[each], times) for each, times in few.items() if each in many])


def _brevity(gold: Any, system: Any) -> Any:
    """The penalty of a system whose graphs are smaller than gold's."""
    if system > gold:
        return 1.0
    return _exp(1 - gold / system) if system else 0.0


def _exp(value: Any) -> Any:
    return np.exp(value) if isinstance(value, np.ndarray) else math.exp(value)


def _log(value: Any) -> Any:
    return np.log(value) if isinstance(value, np.ndarray) else math.log(value)
