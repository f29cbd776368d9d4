"""What the choices of a formula change: scores, ranks, and pairs that turn round.

Two systems *turn round* where the one that the formula as written puts first comes
second.  Scores that differ by rounding alone are equal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Any, NamedTuple

from graphscore.evaluation.result import Result
from graphscore.rows import Tabular
from graphscore.similarity.varying.choices import Choice

EQUAL = 1e-12
"""Scores that differ by no more are equal."""

Made = tuple[tuple[Choice, str], ...]
"""Choices that are made otherwise, in the order of the formula."""

Two = tuple[str, str]
"""The better and the worse system under the formula as written."""


class Variant(NamedTuple):
    """A formula with other choices, and what systems score under it."""

    changes: Made
    formula: str
    """In notation."""
    scores: tuple[float, ...]
    """In the order of the systems."""

    @property
    def said(self) -> str:
        """What is otherwise, in words."""
        told = (f"{choice.said}: {value}" for choice, value in self.changes)
        return "; ".join(told) or "as written"

    @property
    def ranks(self) -> list[int]:
        """From 1; equal scores share a rank."""
        return [
            1 + sum(each > mine + EQUAL for each in self.scores) for mine in self.scores
        ]


class Effect(NamedTuple):
    """What one other choice does."""

    choice: Choice
    value: str
    reversed: tuple[Two, ...]
    """Pairs that turn round if it alone is made otherwise."""
    tied: tuple[Two, ...]
    """Pairs that are equal then."""
    turned: int
    """Of how many formulas it turns some pair round."""
    of: int
    """How many formulas there are with this choice as written and otherwise."""


class Turned(NamedTuple):
    """Two systems that do not always come in the same order."""

    better: str
    worse: str
    reversed: int
    """Formulas under which they come the other way."""
    tied: int


COLUMNS = ("changes", "formula", "system", "score", "rank", "reversed", "tied")
"""Of the rows of a sensitivity."""


@dataclass
class Sensitivity:
    """How a ranking depends on the choices of a formula.

    Attributes:
        metric: canonical string.
        kind: the kind whose formula it is.
        formula: as written, in notation.
        systems: what they are called.
        choices: what the formula decides, its outermost ratio first.
        variants: the formulas with what systems score; the first one is as written.
        scored: how many formulas were worked out: outermost ratios are made of these.
        complete: whether all combinations are there.
        impossible: combinations that are no formulas.
        seconds: how long it took.
        notes: what a reader should know.
        results: of the systems.
    """

    metric: str
    kind: str
    formula: str
    systems: tuple[str, ...]
    choices: tuple[Choice, ...]
    variants: tuple[Variant, ...]
    scored: int
    complete: bool
    impossible: int
    seconds: float
    notes: list[str] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)

    @property
    def written(self) -> Variant:
        """The formula as it is."""
        return self.variants[0]

    @cached_property
    def pairs(self) -> tuple[Two, ...]:
        """Every two systems that differ, the better one first."""
        found = []
        for one, two in combinations(range(len(self.systems)), 2):
            first = _first(self.written.scores, one, two)
            if first:
                better, worse = (one, two) if first > 0 else (two, one)
                found.append((self.systems[better], self.systems[worse]))
        return tuple(found)

    def turned(self, variant: Variant) -> tuple[tuple[Two, ...], tuple[Two, ...]]:
        """The pairs that turn round under a variant, and those that are equal.

        Args:
            variant: one of the variants.
        """
        return self._between(self.written.scores, variant.scores)

    def _between(
        self, before: Sequence[float], after: Sequence[float]
    ) -> tuple[tuple[Two, ...], tuple[Two, ...]]:
        """Pairs that turn round, and that become equal, from some scores to others."""
        turned, tied = [], []
        for one, two in combinations(range(len(self.systems)), 2):
            first = _first(before, one, two)
            if not first:
                continue
            better, worse = (one, two) if first > 0 else (two, one)
            names = self.systems[better], self.systems[worse]
            now = _first(after, better, worse)
            if now < 0:
                turned.append(names)
            elif not now:
                tied.append(names)
        return tuple(turned), tuple(tied)

    @cached_property
    def effects(self) -> tuple[Effect, ...]:
        """What every other choice does, in the order of the choices."""
        known = {frozenset(each.changes): each for each in self.variants}
        found = []
        for choice in self.choices:
            for value in choice.others:
                alone = known.get(frozenset({(choice, value)}))
                if alone is None:
                    continue
                of = turned = 0
                for changes, variant in known.items():
                    rest = changes - {(choice, value)}
                    if rest == changes or rest not in known:
                        continue
                    of += 1
                    turned += bool(self._between(known[rest].scores, variant.scores)[0])
                found.append(Effect(choice, value, *self.turned(alone), turned, of))
        return tuple(found)

    @cached_property
    def unstable(self) -> tuple[Turned, ...]:
        """The pairs that some variant turns round or makes equal, most often first."""
        turned, tied = dict.fromkeys(self.pairs, 0), dict.fromkeys(self.pairs, 0)
        for variant in self.variants:
            for found, pairs in zip((turned, tied), self.turned(variant), strict=True):
                for each in pairs:
                    found[each] += 1
        made = [Turned(*each, turned[each], tied[each]) for each in self.pairs]
        some = [each for each in made if each.reversed or each.tied]
        return tuple(sorted(some, key=lambda each: (-each.reversed, -each.tied)))

    def to_dict(self) -> dict[str, Any]:
        """All of it, for JSON."""
        ranks = [each.ranks for each in self.variants]
        return {
            "metric": self.metric,
            "kind": self.kind,
            "formula": self.formula,
            "variants": len(self.variants),
            "scored": self.scored,
            "complete": self.complete,
            "impossible": self.impossible,
            "seconds": self.seconds,
            "systems": [
                {
                    "system": name,
                    "score": self.written.scores[k],
                    "rank": ranks[0][k],
                    "least": min(each.scores[k] for each in self.variants),
                    "most": max(each.scores[k] for each in self.variants),
                    "best_rank": min(each[k] for each in ranks),
                    "worst_rank": max(each[k] for each in ranks),
                }
                for k, name in enumerate(self.systems)
            ],
            "choices": [
                {
                    **_told(each.choice),
                    "instead": each.value,
                    "reversed": [*map(list, each.reversed)],
                    "tied": [*map(list, each.tied)],
                    "turned": each.turned,
                    "of": each.of,
                }
                for each in self.effects
            ],
            "pairs": [each._asdict() for each in self.unstable],
            "scores": [
                {
                    "changes": [
                        {**_told(choice), "instead": value}
                        for choice, value in each.changes
                    ],
                    "formula": each.formula,
                    "scores": dict(zip(self.systems, each.scores, strict=True)),
                    "reversed": [*map(list, self.turned(each)[0])],
                    "tied": [*map(list, self.turned(each)[1])],
                }
                for each in self.variants
            ],
            "notes": self.notes,
        }

    def tabular(self) -> Tabular:
        """A row for each variant and system; see ``COLUMNS``."""
        return Tabular(COLUMNS, tuple(self._rows()))

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        for each in self.variants:
            turned, tied = map(len, self.turned(each))
            columns = zip(self.systems, each.scores, each.ranks, strict=True)
            for name, score, rank in columns:
                yield each.said, each.formula, name, score, rank, turned, tied


def _told(choice: Choice) -> dict[str, Any]:
    return {
        "sort": choice.sort,
        "part": choice.part,
        "level": choice.level,
        "written": choice.written,
    }


def _first(scores: Sequence[float], one: int, two: int) -> int:
    """1 where the first of two is better, -1 where the second, 0 where neither."""
    difference = scores[one] - scores[two]
    return 0 if abs(difference) <= EQUAL else 1 if difference > 0 else -1
