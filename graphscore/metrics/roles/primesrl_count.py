"""Sums of PriMeSRL, at every level of strictness.

From lenient to strict, of all pieces those whose predicate is there, those in a right
place, and those with their label too, be it X or C-X; then of whole arguments those
with places and label right, those that also refer to the right X, and those under the
right sense.
What F1 loses from one level to the next is due to that step, and the losses add up to
what is missing to 1.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from graphscore.metrics.roles.inventories import CONTEXT, CORE
from graphscore.metrics.roles.primesrl_join import Joined, WholeArgument
from graphscore.model.ledger import Ledger
from graphscore.model.outcome import (
    Count,
    Figures,
    FigureTable,
    MassKey,
    count_of,
    total_count,
)

PREDICATES, SENSES = "predicates", "senses"

ARGUMENTS, SENSE_ARGUMENTS = "arguments", "sense_arguments"
"""Sums of kinds: core and context; with senses."""

PIECES, WHOLE, IDENTIFIED = "pieces", "whole", "identified"
"""Not kinds: what weaker comparisons find, by kind of argument."""

ASIDE = "aside"
"""Not a kind: what is counted and not scored, or scored for lack of better."""

STEPS = (
    PREDICATES,
    "identification",
    "classification",
    "continuation",
    "reference",
    "sense",
)
"""What a loss is due to, in order of strictness."""

LOST = (*("predicates", "identification", "classification"), *("C-X", "R-X", "sense"))
"""The steps as a table names them."""


class Laid(NamedTuple):
    """A predicate with its arguments."""

    node: int
    sense: str
    joined: Joined


class Tally:
    """Sums over the predicates of one pair of sentences.

    Args:
        ledger: where they go.
    """

    def __init__(self, ledger: Ledger) -> None:
        self.add = ledger.add

    def side(self, laid: Laid, quantity: str) -> None:
        """Count a predicate with its arguments as gold or system."""
        joined = laid.joined
        self.add(PREDICATES, "", quantity)
        self.add(SENSES, "", quantity)
        for kind, amount in joined.sizes.items():
            self.add(kind, "", quantity, amount)
        for kind, amount in joined.parts.items():
            self.add(PIECES, kind, quantity, amount)
        for each in joined.arguments.values():
            # No label is the key of the sum.
            self.add(each.kind, each.label, quantity, bool(each.label))
        self.add(ASIDE, "verbs", quantity, joined.excluded)
        self.add(ASIDE, "unknown_labels", quantity, joined.unknown)

    def pair(self, gold: Joined, system: Joined, right: bool) -> None:
        """Count what the arguments of two predicates in one place have in common.

        Args:
            gold: the gold ones.
            system: the system's.
            right: whether the sense is right.
        """
        for key in gold.arguments.keys() & system.arguments.keys():
            one, two = gold.arguments[key], system.arguments[key]
            self._both(WHOLE, one.kind, two.kind, "referred")
            if counts_under(right, one, two):
                self.add(one.kind, "", "matched")
                self.add(one.kind, one.label, "matched", bool(one.label))
        for whole in gold.plain.keys() & system.plain.keys():
            self._both(WHOLE, gold.plain[whole], system.plain[whole], "labeled")
        for places, amount in gold.places.items():
            self.add(IDENTIFIED, "", "matched", min(amount, system.places[places]))
        for kind in (CORE, CONTEXT):
            self.add(PIECES, kind, "located", gold.parts[kind])
            self.add(PIECES, kind, "located_system", system.parts[kind])
        self._pieces(gold, system)

    def _both(self, what: str, mine: str, theirs: str, quantity: str) -> None:
        """Count for both sides: under another frame a label may be of another kind."""
        self.add(what, mine, quantity)
        self.add(what, theirs, f"{quantity}_system")

    def _pieces(self, gold: Joined, system: Joined) -> None:
        common = gold.pieces.keys() & system.pieces.keys()
        for key in common:
            kinds = gold.pieces[key], system.pieces[key]
            self._both(PIECES, *kinds, "labeled")
            self._both(PIECES, *kinds, "placed")
        if len(common) == len(gold.pieces) or len(common) == len(system.pieces):
            return
        for one, two, quantity in (
            (gold, system, "placed"),
            (system, gold, "placed_system"),
        ):
            free = Counter(key[1] for key in two.pieces if key not in common)
            for key, kind in one.pieces.items():
                if key not in common and free[key[1]]:
                    free[key[1]] -= 1
                    self.add(PIECES, kind, quantity)


def counts_under(right: bool, gold: WholeArgument, system: WholeArgument) -> bool:
    """Whether two arguments that are equal count, core ones under a right sense.

    Args:
        right: whether the sense is right.
        gold: the gold one.
        system: the system's; under another sense it may be core where gold's is not.
    """
    return right or gold.kind == system.kind == CONTEXT


def levels(masses: Mapping[MassKey, int | float], kind: str) -> list[Count]:
    """Counts of one kind of argument from lenient to strict.

    Args:
        masses: summed masses.
        kind: ``core`` or ``context``.
    """

    def amount(key: str, quantity: str) -> int | float:
        return masses.get((key, kind, quantity), 0)

    def count(key: str, gold: float, system: float, quantity: str) -> Count:
        both = amount(key, quantity), amount(key, f"{quantity}_system")
        return Count(gold, system, *both)

    whole = count_of(masses, kind)
    pieces = amount(PIECES, "gold"), amount(PIECES, "system")
    return [
        *(count(PIECES, *pieces, said) for said in ("located", "placed", "labeled")),
        *(count(WHOLE, *whole[:2], said) for said in ("labeled", "referred")),
        whole,
    ]


def losses(masses: Mapping[MassKey, int | float]) -> Iterator[tuple[str, float]]:
    """What F1 loses at each step, by name of the figure.

    Args:
        masses: summed masses.
    """
    place, sense = count_of(masses, PREDICATES), count_of(masses, SENSES)
    ladders = {kind: levels(masses, kind) for kind in (CORE, CONTEXT)}
    both = list(zip(ladders[CORE], ladders[CONTEXT], strict=True))
    ladders[ARGUMENTS] = [total_count(each) for each in both]
    senses = [place] * (len(STEPS) - 1) + [sense]
    yield f"loss.{SENSES}.{PREDICATES}", 1 - place.f1 if place != Count() else 0.0
    yield f"loss.{SENSES}.sense", place.f1 - sense.f1
    ladders[SENSE_ARGUMENTS] = [
        total_count(each) for each in zip(senses, ladders[ARGUMENTS], strict=True)
    ]
    for kind, counts in ladders.items():
        before = 1.0 if counts[0].gold or counts[0].system else 0.0
        for step, count in zip(STEPS, counts, strict=True):
            yield f"loss.{kind}.{step}", before - count.f1
            before = count.f1


def loss_table(figures: Figures) -> FigureTable:
    """What F1 is lost by, a row for each score; with its F1 a row sums to 1.

    Args:
        figures: with the numbers of :func:`losses`.

    Returns:
        A table whose rows are undefined where there is nothing to score.
    """
    counts, numbers = figures.counts, figures.numbers
    arguments = counts[CORE].plus(counts[CONTEXT])
    scores = {SENSES: counts[SENSES], CORE: counts[CORE], CONTEXT: counts[CONTEXT]}
    scores |= {ARGUMENTS: arguments, SENSE_ARGUMENTS: arguments.plus(counts[SENSES])}
    rows: dict[str, tuple[float | None, ...]] = {}
    for kind, count in scores.items():
        lost = [numbers.get(f"loss.{kind}.{step}") for step in STEPS]
        if not count.gold and not count.system:
            lost = [None if each is None else math.nan for each in lost]
            rows[kind] = (math.nan, *lost)
        else:
            rows[kind] = (count.f1, *lost)
    return FigureTable("what F1 is lost by", ("score", "F1", *LOST), rows)
