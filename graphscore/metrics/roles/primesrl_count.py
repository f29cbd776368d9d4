"""Sums of PriMeSRL, at every level of strictness.

From lenient to strict, of all pieces those whose predicate is there, those in a right
place, and those with their label too, be it X or C-X; then of whole arguments those
with places and label right, those that also refer to the right X, and those under the
right sense.
What F1 loses from one level to the next is due to that step, and the losses add up to
what is missing to 1.

**Joining,** as Jindal et al. (2023) join pieces of arguments.  X and all its C-X are
one argument: the set of their words, or of their heads.  R-X is an argument of its
own that refers to X.

>>> pieces = [Labelled("A0", (2,), 0), Labelled("C-A0", (11,), 1)]
>>> turned = [Labelled("C-A0", (2,), 0), Labelled("A0", (11,), 1)]
>>> join(pieces).arguments.keys() == join(turned).arguments.keys()
True
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import NamedTuple

from graphscore.metrics.roles.base import CONTINUED, REFERRING, parted
from graphscore.metrics.roles.inventories import CONTEXT, CORE, PROPBANK, Inventory
from graphscore.model.outcome import (
    Count,
    CountKey,
    Scores,
    ScoreTable,
    count_of,
    total_count,
)
from graphscore.model.outcome_builder import OutcomeBuilder
from graphscore.structures.roles.sentence import VERB

Places = tuple[int, ...]
"""Positions of words, sorted."""

Key = tuple[str, Places, Places | None, int]
"""Label, places, places of what is referred to, and how many before are the same."""


class Labelled(NamedTuple):
    """A piece as the sentence has it."""

    label: str
    """Label as compared, with its prefixes."""
    places: Places
    edge: int
    """The ordinal of its edge."""


class WholeArgument(NamedTuple):
    """A whole argument."""

    label: str
    """With R-, without C-."""
    places: Places
    referent: Places | None
    """Places of X for an argument R-X; ``None`` if there is no X."""
    tuple_type: str
    edge: int
    """The ordinal of the edge of X, or of the first C-X where there is no X."""


class Joined(NamedTuple):
    """The arguments of a predicate, and what weaker comparisons need."""

    arguments: dict[Key, WholeArgument]
    plain: dict[tuple[str, Places, int], str]
    """Kinds of arguments by label and places, whatever they refer to."""
    pieces: dict[tuple[str, Places, int], str]
    """Kinds of the pieces by label, without C-, and places."""
    places: Counter[Places]
    """Number of arguments with equal places."""
    sizes: dict[str, int]
    """Number of arguments, by tuple type."""
    parts: dict[str, int]
    """Number of continuations included, by tuple type."""
    excluded: int
    """Number of continuations that are words of the predicate."""
    unknown: int
    """Number of arguments whose label is in no known inventory."""


def join(
    pieces: Iterable[Labelled], inventory: Inventory = PROPBANK, sense: str = ""
) -> Joined:
    """Arguments of pieces.

    Of several X of one predicate the first in the text takes every C-X, and is what
    R-X refers to; the paper does not say, the published code does so.

    Args:
        pieces: those of one predicate.
        inventory: which labels are core.
        sense: the label of the predicate.
    """
    parts = {CORE: 0, CONTEXT: 0}
    labeled: dict[tuple[str, Places, int], str] = {}
    groups: list[tuple[str, list[Labelled]]] = []
    first: dict[str, list[Labelled]] = {}
    continued: list[tuple[str, Labelled]] = []
    excluded = 0
    times: Counter[Hashable] = Counter()
    for piece in sorted(pieces, key=_place):
        prefix, bare = parted(piece.label)
        if bare == VERB:
            excluded += 1
            continue
        tuple_type = inventory.tuple_type(bare, sense)
        parts[tuple_type] += 1
        name = REFERRING + bare if REFERRING in prefix else bare
        # Which part is called X and which C-X is no matter of labels.
        labeled[_numbered(times, name, piece.places)] = tuple_type
        if CONTINUED in prefix:
            continued.append((name, piece))
        else:
            group = [piece]
            first.setdefault(name, group)
            groups.append((name, group))
    for name, piece in continued:
        if name in first:
            first[name].append(piece)
        else:
            first[name] = [piece]
            groups.append((name, first[name]))
    where = {name: _united(group) for name, group in first.items()}
    joined = Joined(
        {}, {}, labeled, Counter(), {CORE: 0, CONTEXT: 0}, parts, excluded, 0
    )
    unknown = 0
    plain: Counter[Hashable] = Counter()
    whole: Counter[Hashable] = Counter()
    for name, group in groups:
        bare = parted(name)[1]
        referent = where.get(bare) if bare != name else None
        positions = where[name] if group is first[name] else _united(group)
        tuple_type = inventory.tuple_type(bare, sense)
        argument = WholeArgument(name, positions, referent, tuple_type, group[0].edge)
        number = whole[name, positions, referent]
        whole[name, positions, referent] += 1
        joined.arguments[name, positions, referent, number] = argument
        joined.plain[_numbered(plain, name, positions)] = tuple_type
        joined.places[positions] += 1
        joined.sizes[tuple_type] += 1
        unknown += not inventory.knows(bare, sense)
    return joined._replace(unknown=unknown)


def _place(piece: Labelled) -> Places:
    return piece.places


def _united(group: list[Labelled]) -> Places:
    if len(group) == 1:
        return group[0].places
    return tuple(sorted({position for piece in group for position in piece.places}))


def _numbered(
    times: Counter[Hashable], label: str, positions: Places
) -> tuple[str, Places, int]:
    """A key that is not known yet: equal ones are counted."""
    number = times[label, positions]
    times[label, positions] += 1
    return label, positions, number


NOTHING = join(())
"""A predicate without arguments."""


PREDICATES, SENSES = "predicates", "senses"

ARGUMENTS, SENSE_ARGUMENTS = "arguments", "sense_arguments"
"""Sums of tuple types: core and context; with senses."""

PIECES, WHOLE, IDENTIFIED = "pieces", "whole", "identified"
"""Not tuple types: what weaker comparisons find, by kind of argument."""

ASIDE = "aside"
"""Not a tuple type: what is counted and not scored, or scored for lack of better."""

STEPS = (
    PREDICATES,
    "identification",
    "classification",
    "continuation",
    "reference",
    "sense",
)
"""Causes of a loss, in order of strictness."""

LOST = (*("predicates", "identification", "classification"), *("C-X", "R-X", "sense"))
"""The steps as a table names them."""


class PredicateArguments(NamedTuple):
    """A predicate with its arguments."""

    node: int
    sense: str
    joined: Joined


class Tally:
    """Sums over the predicates of one pair of sentences.

    Args:
        builder: where they go.
    """

    def __init__(self, builder: OutcomeBuilder) -> None:
        self.add = builder.add

    def side(self, predicate: PredicateArguments, quantity: str) -> None:
        """Count a predicate with its arguments as gold or system."""
        joined = predicate.joined
        self.add(PREDICATES, "", quantity)
        self.add(SENSES, "", quantity)
        for tuple_type, amount in joined.sizes.items():
            self.add(tuple_type, "", quantity, amount)
        for tuple_type, amount in joined.parts.items():
            self.add(PIECES, tuple_type, quantity, amount)
        for argument in joined.arguments.values():
            # No label is the key of the sum.
            self.add(
                argument.tuple_type, argument.label, quantity, bool(argument.label)
            )
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
            first, second = gold.arguments[key], system.arguments[key]
            self._both(WHOLE, first.tuple_type, second.tuple_type, "referred")
            if counts_under(right, first, second):
                self.add(first.tuple_type, "", "matched")
                self.add(first.tuple_type, first.label, "matched", bool(first.label))
        for whole in gold.plain.keys() & system.plain.keys():
            self._both(WHOLE, gold.plain[whole], system.plain[whole], "labeled")
        for positions, amount in gold.places.items():
            self.add(IDENTIFIED, "", "matched", min(amount, system.places[positions]))
        for tuple_type in (CORE, CONTEXT):
            self.add(PIECES, tuple_type, "located", gold.parts[tuple_type])
            self.add(PIECES, tuple_type, "located_system", system.parts[tuple_type])
        self._pieces(gold, system)

    def _both(self, what: str, left: str, right: str, quantity: str) -> None:
        """Count for both sides: under another frame a label may be of another type."""
        self.add(what, left, quantity)
        self.add(what, right, f"{quantity}_system")

    def _pieces(self, gold: Joined, system: Joined) -> None:
        common = gold.pieces.keys() & system.pieces.keys()
        for key in common:
            tuple_types = gold.pieces[key], system.pieces[key]
            self._both(PIECES, *tuple_types, "labeled")
            self._both(PIECES, *tuple_types, "placed")
        if len(common) == len(gold.pieces) or len(common) == len(system.pieces):
            return
        for left, right, quantity in (
            (gold, system, "placed"),
            (system, gold, "placed_system"),
        ):
            free = Counter(key[1] for key in right.pieces if key not in common)
            for key, tuple_type in left.pieces.items():
                if key not in common and free[key[1]]:
                    free[key[1]] -= 1
                    self.add(PIECES, tuple_type, quantity)


def counts_under(right: bool, gold: WholeArgument, system: WholeArgument) -> bool:
    """Return true if two equal arguments count; core ones need a correct sense.

    Args:
        right: whether the sense is right.
        gold: the gold one.
        system: the system's; under another sense it may be core where gold's is not.
    """
    return right or gold.tuple_type == system.tuple_type == CONTEXT


def levels(raw_counts: Mapping[CountKey, int | float], tuple_type: str) -> list[Count]:
    """Counts of one kind of argument from lenient to strict.

    Args:
        raw_counts: summed raw counts.
        tuple_type: ``core`` or ``context``.
    """

    def amount(key: str, quantity: str) -> int | float:
        return raw_counts.get((key, tuple_type, quantity), 0)

    def count(key: str, gold: float, system: float, quantity: str) -> Count:
        both = amount(key, quantity), amount(key, f"{quantity}_system")
        return Count(gold, system, *both)

    whole = count_of(raw_counts, tuple_type)
    pieces = amount(PIECES, "gold"), amount(PIECES, "system")
    return [
        *(
            count(PIECES, *pieces, strictness)
            for strictness in ("located", "placed", "labeled")
        ),
        *(
            count(WHOLE, *whole[:2], strictness)
            for strictness in ("labeled", "referred")
        ),
        whole,
    ]


def losses(raw_counts: Mapping[CountKey, int | float]) -> Iterator[tuple[str, float]]:
    """Yield the loss of F1 at each step, by name of the score.

    Args:
        raw_counts: summed raw counts.
    """
    predicates, sense = count_of(raw_counts, PREDICATES), count_of(raw_counts, SENSES)
    ladders = {
        tuple_type: levels(raw_counts, tuple_type) for tuple_type in (CORE, CONTEXT)
    }
    both = list(zip(ladders[CORE], ladders[CONTEXT], strict=True))
    ladders[ARGUMENTS] = [total_count(pair) for pair in both]
    senses = [predicates] * (len(STEPS) - 1) + [sense]
    yield (
        f"loss.{SENSES}.{PREDICATES}",
        1 - predicates.f1 if predicates != Count() else 0.0,
    )
    yield f"loss.{SENSES}.sense", predicates.f1 - sense.f1
    ladders[SENSE_ARGUMENTS] = [
        total_count(pair) for pair in zip(senses, ladders[ARGUMENTS], strict=True)
    ]
    for tuple_type, counts in ladders.items():
        before = 1.0 if counts[0].gold or counts[0].system else 0.0
        for step, count in zip(STEPS, counts, strict=True):
            yield f"loss.{tuple_type}.{step}", before - count.f1
            before = count.f1


def loss_table(scores: Scores) -> ScoreTable:
    """Build the table of F1 losses, a row per score; with its F1 a row sums to 1.

    Args:
        scores: with the numbers of :func:`losses`.

    Returns:
        A table whose rows are undefined where there is nothing to score.
    """
    counts, numbers = scores.counts, scores.numbers
    arguments = counts[CORE].plus(counts[CONTEXT])
    amounts = {SENSES: counts[SENSES], CORE: counts[CORE], CONTEXT: counts[CONTEXT]}
    amounts |= {ARGUMENTS: arguments, SENSE_ARGUMENTS: arguments.plus(counts[SENSES])}
    rows: dict[str, tuple[float | None, ...]] = {}
    for tuple_type, count in amounts.items():
        lost = [numbers.get(f"loss.{tuple_type}.{step}") for step in STEPS]
        if not count.gold and not count.system:
            lost = [None if loss is None else math.nan for loss in lost]
            rows[tuple_type] = (math.nan, *lost)
        else:
            rows[tuple_type] = (count.f1, *lost)
    return ScoreTable("what F1 is lost by", ("score", "F1", *LOST), rows)
