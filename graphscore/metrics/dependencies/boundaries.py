"""Where texts are cut into segments: Pk, WindowDiff and boundary similarity.

Beeferman, Berger and Lafferty (1999), "Statistical Models for Text Segmentation";
Pevzner and Hearst (2002), "A Critique and Improvement of an Evaluation Metric for Text
Segmentation"; Fournier (2013), "Evaluating Text Segmentation using Boundary Edit
Distance".  Numbers are those of segeval 2.0.11.

A text is a row of units, and a segmentation says how many units each segment has.

>>> window_of([2, 3, 3, 1, 3, 6, 3])
2
>>> edits([2, 3], [3, 2])
Edits(matched=[], near=[(2, 3)], missing=[], surplus=[])
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import ne, sub
from typing import Literal, NamedTuple

from graphscore.correspondence import Budget
from graphscore.errors import InvalidGraphError, UsageError
from graphscore.metrics.base import Metric
from graphscore.model.graph import Graph
from graphscore.model.ledger import Ledger
from graphscore.model.outcome import Figures, MassKey, Outcome, count_of

KIND = "boundaries"

UNITS = "units"
"""The property of a segment that says how many units it has."""

TEXTS = "texts"
"""Label of masses that are sums over texts, each of which counts alike."""

WINDOWS = "windows"
"""Label of masses that are sums over windows, or over edits."""

PARTS = ("pk", "windowdiff", "b")


class Cut(NamedTuple):
    """Segments of a graph."""

    masses: tuple[int, ...]
    """How many units each has."""
    nodes: tuple[int, ...]
    """The node that each ends with."""
    size: int
    """How many nodes the graph has."""
    item: str


class Edits(NamedTuple):
    """What makes one segmentation of another: boundaries by the units before them."""

    matched: list[int]
    near: list[tuple[int, int]]
    """Of gold and of the system, a few units apart."""
    missing: list[int]
    surplus: list[int]


def window_of(masses: Sequence[int]) -> int:
    """Half the mean size of segments, at least 2, as segeval has it.

    Args:
        masses: units of each segment.

    >>> window_of([3, 7]), window_of([1, 1])
    (2, 2)
    """
    width = 2 * len(masses)
    whole, rest = divmod(sum(masses), width)
    # What is half way goes to the even number.
    return max(2, whole + (2 * rest > width or (2 * rest == width and whole % 2)))


def edits(gold: Sequence[int], system: Sequence[int], n_t: int = 2) -> Edits:
    """Boundary edits between two segmentations of one text.

    A boundary that one side has alone, and the other has alone at most ``n_t - 1``
    units away, is a near miss; the nearest are taken first, then those from the left.

    Args:
        gold: units of each segment.
        system: the same of the other side.
        n_t: how many possible boundaries a near miss spans at most.
    """
    one, two = ([*accumulate(side)][:-1] for side in (gold, system))
    mine, theirs = set(one), set(two)
    alone = dict.fromkeys(mine - theirs, True) | dict.fromkeys(theirs - mine, False)
    places = sorted(alone)
    taken: set[int] = set()
    near: list[tuple[int, int]] = []
    for distance in range(1, n_t):
        for place in places:
            other = place + distance
            if alone.get(other, alone[place]) is alone[place]:
                continue
            if place not in taken and other not in taken:
                taken |= {place, other}
                near.append((place, other) if alone[place] else (other, place))
    left = [place for place in places if place not in taken]
    return Edits(
        sorted(mine & theirs),
        sorted(near),
        [place for place in left if alone[place]],
        [place for place in left if not alone[place]],
    )


@dataclass(frozen=True)
class Boundaries(Metric):
    """Boundaries of segments, and how far those of a system are off.

    Args:
        k: the size of windows; 0 for half the mean size of gold's segments.
        n_t: how many possible boundaries a near miss spans at most, for ``b``.
        lamprier: whether windows begin before the text and end behind it.
        units: of documents of words, whether words or characters are counted.
        preset: ``nltk`` works the size of windows out as that library does.

    Raises:
        UsageError: if ``k`` is below 0, or ``n_t`` below 1.

    Example:
        >>> str(Boundaries(k=3))
        'boundaries(k=3)'
    """

    name = "boundaries"
    follows = "segeval 2.0.11"
    title = "boundaries of segments: Pk, WindowDiff and boundary similarity"
    citation = (
        "Beeferman et al. 1999; Pevzner and Hearst 2002; Fournier 2013, Evaluating "
        "Text Segmentation using Boundary Edit Distance"
    )
    unit = "document"
    frameworks = frozenset({"segments", "ud"})
    kinds = (KIND,)
    leading = "pk"
    less_is_better = True
    bound = "a boundary that is put right changes all windows that it is in"

    k: int = 0
    n_t: int = 2
    lamprier: bool = False
    units: Literal["tokens", "characters"] = "tokens"
    preset: Literal["none", "nltk"] = "none"

    def __post_init__(self) -> None:
        for name, least in (("k", 0), ("n_t", 1)):
            if getattr(self, name) < least:
                raise UsageError(
                    f"boundaries: {name}={getattr(self, name)}: at least {least}"
                )

    def prepare(self, graph: Graph) -> Cut:
        """How many units each segment has."""
        size = len(graph.nodes)
        if graph.framework == "segments":
            masses = tuple([_units(graph, number) for number in range(size)])
            return Cut(masses, tuple(range(size)), size, graph.id)
        if self.units == "characters":
            count = len("".join(graph.text.split()))
        else:
            count = len(graph.tokens) or size
        return Cut((count,) * bool(count), (size - 1,) * bool(count), size, graph.id)

    def compare(
        self,
        gold: Sequence[Cut],
        system: Sequence[Cut],
        *,
        budget: Budget,
        details: bool = True,
    ) -> Outcome:
        """Compare two segmentations; a side without segments has an uncut text.

        Raises:
            InvalidGraphError: if the texts have different numbers of units.
        """
        one, two = (
            [mass for cut in side for mass in cut.masses] for side in (gold, system)
        )
        one, two = one or [sum(two)], two or [sum(one)]
        ledger = Ledger(details)
        if not one[0]:
            return ledger.outcome(0, "boundaries")
        if sum(one) != sum(two):
            item = (*gold, *system)[0].item
            raise InvalidGraphError(
                f"{sum(two)} units in the system's text of {item!r}",
                f"{sum(one)} as in gold's, for windows go over the same units",
            )
        found = edits(one, two, self.n_t)
        matched = len(found.matched)
        ledger.count(KIND, len(one) - 1, len(two) - 1, matched)
        self._amounts(ledger, one, two, found)
        if details:
            _enter(ledger, (gold, one), (system, two), found)
        return ledger.outcome(matched, "boundaries")

    def _amounts(
        self, ledger: Ledger, one: list[int], two: list[int], found: Edits
    ) -> None:
        """Add what the figures are made of."""
        pk, windows = self._differing(one, two)
        matched, near = len(found.matched), len(found.near)
        every = matched + near + len(found.missing) + len(found.surplus)
        spans = sum([abs(here - there) for here, there in found.near])
        # Whole numbers are divided, so that there is one rounding.
        earned = self.n_t * (matched + near) - spans, self.n_t * every
        masses = ledger.masses
        for name, (amount, whole), count, none in (
            ("pk", pk, pk[1], 0.0),
            ("windowdiff", windows, windows[1], 0.0),
            ("b", earned, every, 1.0),
        ):
            masses[name, TEXTS, "value"] = amount / whole if whole else none
            masses[name, TEXTS, "texts"] = 1
            if whole:
                masses[name, WINDOWS, "value"] = amount * count / whole
                masses[name, WINDOWS, "windows"] = count
        if near:
            masses["b", WINDOWS, "near"] = near

    def _differing(
        self, one: list[int], two: list[int]
    ) -> tuple[tuple[int, int], tuple[int, int]]:
        """Windows that differ, of how many: for Pk, and for WindowDiff."""
        k = self.k or self._window(one)
        gold, system = _labels(one), _labels(two)
        count = max(0, len(gold) - k)
        # How many boundaries each window has, on either side.
        mine, theirs = _inside(gold, k), _inside(system, k)
        pk = sum([(not a) != (not b) for a, b in zip(mine, theirs, strict=True)])
        if self.lamprier:
            mine, theirs = (
                _inside([0] * k + side + [side[-1] + 1] * k, k)
                for side in (gold, system)
            )
        windows = sum(map(ne, mine, theirs))
        return (pk, count), (windows, len(gold) + k + 1 if self.lamprier else count)

    def _window(self, gold: list[int]) -> int:
        if self.preset == "nltk":
            # Of a string with a place for each possible boundary.
            return round((sum(gold) - 1) / (2.0 * max(1, len(gold) - 1)))
        return window_of(gold)

    def figures(self, masses: Mapping[MassKey, int | float]) -> Figures:
        """Boundaries, the means of the figures over texts, and those of all windows."""
        count = count_of(masses, KIND)
        numbers: dict[str, float] = {}
        for label, quantity, suffix in (
            (TEXTS, "texts", ""),
            (WINDOWS, "windows", ".micro"),
        ):
            for name in PARTS:
                every = masses.get((name, label, quantity), 0)
                value = masses.get((name, label, "value"), 0)
                numbers[name + suffix] = value / every if every else math.nan
        numbers["near"] = masses.get(("b", WINDOWS, "near"), 0)
        return Figures({KIND: count, "all": count}, numbers)

    def lowest_best(self, figure: str) -> bool:
        """Whether it is an error rate: all but ``b`` and counts are."""
        return any(part in ("pk", "windowdiff") for part in figure.split(".")) or (
            figure == "macro"
        )

    def brief(self, numbers: Mapping[str, float]) -> Mapping[str, float]:
        """The means over texts."""
        return {name: numbers[name] for name in PARTS if name in numbers}


def _labels(masses: Sequence[int]) -> list[int]:
    """The number of its segment for every unit."""
    found: list[int] = []
    for number, mass in enumerate(masses, 1):
        found += [number] * mass
    return found


def _inside(labels: list[int], k: int) -> list[int]:
    """How many boundaries there are between units that are *k* apart."""
    return [*map(sub, labels[k:], labels)]


def _units(graph: Graph, number: int) -> int:
    """The units of a segment: as said, or the tokens within it."""
    node = graph.nodes[number]
    for name, value in node.properties:
        if name == UNITS and type(value) is int and value > 0:
            return value
    if not node.anchors or not graph.tokens:
        raise InvalidGraphError(
            f"segment {node.id!r} of {graph.id!r} without units",
            f"the property {UNITS}, a whole number above 0, or anchors over tokens",
        )
    start, end = node.anchors[0].start, node.anchors[-1].end
    return sum(start <= token.start and token.end <= end for token in graph.tokens)


def _ends(cuts: Sequence[Cut], masses: Sequence[int]) -> dict[int, int]:
    """The node that stands before each boundary, by the units before it."""
    nodes, before = [], 0
    for cut in cuts:
        nodes += [before + node for node in cut.nodes]
        before += cut.size
    return dict(zip(accumulate(masses), nodes, strict=False))


def _enter(
    ledger: Ledger,
    gold: tuple[Sequence[Cut], list[int]],
    system: tuple[Sequence[Cut], list[int]],
    found: Edits,
) -> None:
    """Enter boundaries that both have, near misses on both sides, and the others."""
    mine, theirs = _ends(*gold), _ends(*system)
    for place in found.matched:
        ledger.match(mine[place], theirs[place])
    near = dict(found.near)
    turned = {there: here for here, there in found.near}
    for place in sorted([*near, *found.missing]):
        other = near.get(place)
        _error(ledger, "missing", mine, place, theirs, other)
    for place in sorted([*turned, *found.surplus]):
        other = turned.get(place)
        _error(ledger, "surplus", theirs, place, mine, other)


def _error(
    ledger: Ledger,
    side: Literal["missing", "surplus"],
    own: Mapping[int, int],
    place: int,
    others: Mapping[int, int],
    other: int | None,
) -> None:
    apart = "" if other is None else f"{other - place:+d}"
    ledger.error(
        side,
        KIND,
        own[place],
        None if other is None else others[other],
        name=apart,
        value=f"after {place}",
        reason="near miss" if apart else "absent",
    )
