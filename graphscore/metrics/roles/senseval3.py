"""Frame elements as SENSEVAL-3 counts them: right label, some of the right words.

Litkowski (2004), "Senseval-3 Task: Automatic Labeling of Semantic Roles", section 3.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from graphscore.metrics.roles.base import Prepared, RoleLedger, RoleMetric
from graphscore.metrics.roles.labels import Labels
from graphscore.model.ledger import sided
from graphscore.model.outcome import Figures, MassKey, count_of
from graphscore.similarity.solving.assignment import best
from graphscore.structures.roles.sentence import Sentence

ELEMENTS = "elements"

Ranges = list[tuple[int, int]]
"""Ranges of characters, sorted and apart."""


class Element(NamedTuple):
    """A frame element."""

    edge: int
    ranges: Ranges


class Frame(NamedTuple):
    """A target with its frame elements."""

    node: int
    label: str
    elements: dict[str, list[Element]]
    """By label."""


@dataclass(frozen=True)
class Senseval3(RoleMetric[dict[int, list[Frame]]]):
    """Frame elements with the right label that share characters with gold's.

    Args:
        labels: whether labels are compared as written, or in one spelling.
        frames: whether the frame of a target is given, or must be right.

    Example:
        >>> str(Senseval3(frames="equal"))
        'senseval3(frames=equal)'
    """

    name = "senseval3"
    follows = "the definition of Litkowski 2004"
    title = "frame elements that overlap with gold's (SENSEVAL-3)"
    citation = "Litkowski 2004, Senseval-3 Task: Automatic Labeling of Semantic Roles"
    kinds = (ELEMENTS,)
    main = ELEMENTS
    bound = "what an element earns depends on all that overlap it"

    labels: Labels = "written"
    frames: Literal["given", "equal"] = "given"

    def lay_out(self, sentence: Sentence) -> dict[int, list[Frame]]:
        """Frame elements by target."""
        found: dict[int, list[Frame]] = {}
        for each in sentence.propositions:
            elements: dict[str, list[Element]] = {}
            for piece in each.pieces:
                ranges = sentence.ranges(each, piece)
                label = self.label(piece.label)
                elements.setdefault(label, []).append(Element(piece.edge, ranges))
            found.setdefault(each.place, []).append(
                Frame(each.node, each.label, elements)
            )
        return found

    def measure(
        self,
        gold: Prepared[dict[int, list[Frame]]],
        system: Prepared[dict[int, list[Frame]]],
        ledger: RoleLedger,
    ) -> int | float:
        """Compare targets in equal places."""
        tally = _Tally(ledger)
        for place in {**gold.laid, **system.laid}:
            mine, theirs = gold.laid.get(place, []), system.laid.get(place, [])
            pairs = self._targets(mine, theirs)
            paired = {id(each) for pair in pairs for each in pair}
            for one, two in pairs:
                tally.targets(one, two)
            for one in mine:
                if id(one) not in paired:
                    tally.targets(one, None)
            for two in theirs:
                if id(two) not in paired:
                    tally.targets(None, two)
        return ledger.masses.get((ELEMENTS, "", "matched"), 0)

    def _targets(
        self, mine: list[Frame], theirs: list[Frame]
    ) -> list[tuple[Frame, Frame]]:
        """Targets of one place, of equal frames first."""
        pairs: list[tuple[Frame, Frame]] = []
        left, right = list(mine), list(theirs)
        for one in mine:
            same = next((two for two in right if two.label == one.label), None)
            if same is not None:
                pairs.append((one, same))
                left = [each for each in left if each is not one]
                right = [each for each in right if each is not same]
        if self.frames == "given":
            pairs += zip(left, right, strict=False)
        return pairs

    def figures(self, masses: Mapping[MassKey, int | float]) -> Figures:
        """Precision and recall, mean overlap, and the share that is attempted."""
        count = count_of(masses, ELEMENTS)
        overlap = masses.get((ELEMENTS, "", "overlap"), 0)
        return Figures(
            {ELEMENTS: count, "all": count},
            {
                "overlap": overlap / count.matched if count.matched else 0.0,
                "attempted": count.system / count.gold if count.gold else 0.0,
            },
        )


class _Tally:
    """Sums over the targets of one pair of sentences."""

    def __init__(self, ledger: RoleLedger) -> None:
        self.ledger = ledger

    def _add(self, quantity: str, label: str, amount: float) -> None:
        self.ledger.add(ELEMENTS, "", quantity, amount)
        self.ledger.add(ELEMENTS, label, quantity, amount)

    def targets(self, mine: Frame | None, theirs: Frame | None) -> None:
        """Count the frame elements of two targets."""
        parent = None
        if mine is not None and theirs is not None:
            parent = self.ledger.match(mine.node, theirs.node, 0.0)
        one = {} if mine is None else mine.elements
        two = {} if theirs is None else theirs.elements
        absent = mine is None or theirs is None
        for label in {**one, **two}:
            self._label(label, one.get(label, []), two.get(label, []), absent, parent)

    def _label(
        self,
        label: str,
        mine: list[Element],
        theirs: list[Element],
        absent: bool,
        parent: int | None,
    ) -> None:
        """Count the elements of one label; most of them, then most words, match."""
        shares = {
            (a, b): share
            for a, one in enumerate(mine)
            for b, two in enumerate(theirs)
            if (share := overlap_of(one.ranges, two.ranges)) > 0
        }
        cells = {place: len(mine) + 1 + share for place, share in shares.items()}
        pairs = best(cells, "1:1") if len(cells) > 1 else list(cells)
        self._add("gold", label, len(mine))
        self._add("system", label, len(theirs))
        for a, b in pairs:
            self._add("matched", label, 1)
            self._add("overlap", label, shares[a, b])
            self.ledger.match(mine[a].edge, theirs[b].edge, 1.0, "edge", parent)
        if not self.ledger.details:
            return
        reason = "no counterpart" if absent else "absent"
        one, two = {a for a, _ in pairs}, {b for _, b in pairs}
        left = [each.edge for a, each in enumerate(mine) if a not in one]
        right = [each.edge for b, each in enumerate(theirs) if b not in two]
        for side, own, others in sided(left, right):
            for k, edge in enumerate(own):
                other = others[k] if k < len(others) else None
                why = reason if other is None else "differs"
                self.ledger.unmatched(
                    *(side, ELEMENTS, "edge", edge, other, why),
                    compared=label,
                    parent=parent,
                )


def overlap_of(gold: Ranges, system: Ranges) -> float:
    """The share of gold's characters that the system has.

    >>> overlap_of([(0, 4)], [(2, 9)]), overlap_of([(0, 4)], [(4, 9)])
    (0.5, 0.0)
    """
    total = sum(end - start for start, end in gold)
    shared = sum(
        max(0, min(end, other) - max(start, begin))
        for start, end in gold
        for begin, other in system
    )
    return shared / total if total else 0.0
