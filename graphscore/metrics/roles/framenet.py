"""Frames and frame elements, with credit for related ones.

Baker, Ellsworth and Erk (2007), "SemEval-2007 Task 19: Frame Semantic Structure
Extraction", section 4; its scorer ``fssScore.pl``.

What differs: missing sentences count, frames of a target are paired for what they earn
most, and elements are compared by their words, not by marked heads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from graphscore.correspondence.assignment import one_to_one
from graphscore.exceptions import UsageError
from graphscore.metrics.roles.base import (
    Labels,
    Predicates,
    Prepared,
    RoleBuilder,
    RoleMetric,
)
from graphscore.metrics.roles.frame_relations import (
    RelationPath,
    Relations,
    digest_of,
    relations_of,
)
from graphscore.model.outcome import ErrorType
from graphscore.model.outcome_builder import Alignment, Described, sided
from graphscore.structures.roles.sentence import Sentence

FRAMES, ELEMENTS = "frames", "elements"

Words = tuple[int, ...]


class Element(NamedTuple):
    """A frame element, its parts united."""

    label: str
    words: Words
    edge: int
    """The ordinal of the edge of its first part."""


class Frame(NamedTuple):
    """A frame that a target evokes."""

    node: int
    label: str
    elements: tuple[Element, ...]


class Pair(NamedTuple):
    """Two frames, or two elements, and what the system's one keeps of its worth."""

    gold: int
    system: int
    credit: float
    way: RelationPath


@dataclass(frozen=True)
class FrameNet(RoleMetric[dict[Words, list[Frame]]]):
    """Frames of equal targets, and elements of equal words, alike or related.

    Args:
        labels: whether labels are compared as written, or in one spelling.
        relations: files that say how frames are related, and which elements are
            core, with ``|`` between.
        decay: what is left of the credit with every step between frames.
        peripheral: what an element is worth that is not core.
        predicates: whether frames of targets that one side lacks count, or only those
            of shared targets.

    Example:
        >>> str(FrameNet(decay=0.5))
        'framenet(decay=0.5)'
    """

    name = "framenet"
    follows = "fssScore.pl SemEval-2007"
    title = "Frame and frame-element F1 (Baker et al. 2007)"
    bound = "what elements earn depends on how their frames are related"
    citation = (
        "Baker et al. 2007, SemEval-2007 Task 19: Frame Semantic Structure Extraction"
    )
    tuple_types = (FRAMES, ELEMENTS)

    opens = ("relations=",)

    labels: Labels = "written"
    relations: str = ""
    decay: float = 0.8
    peripheral: float = 0.5
    predicates: Predicates = "all"

    def __post_init__(self) -> None:
        for name in ("decay", "peripheral"):
            value = getattr(self, name)
            if not 0 <= value <= 1:
                raise UsageError(f"framenet: {name}={value:g}, expected from 0 to 1")
        # What the files say now is what counts.
        _ = self.revision, self.related

    @cached_property
    def revision(self) -> int:
        """1, or a digest of the files: what they say is part of the metric."""
        return digest_of(self.relations) or 1

    @cached_property
    def related(self) -> Relations:
        """Relations and core elements from the files.

        Raises:
            UsageError: naming what is wrong with them.
        """
        return relations_of(self.relations, digest_of(self.relations))

    def lay_out(self, sentence: Sentence) -> dict[Words, list[Frame]]:
        """Frames by their targets."""
        frames: dict[Words, list[Frame]] = {}
        for proposition in sentence.propositions:
            parts: dict[str, tuple[set[int], int]] = {}
            for piece in proposition.pieces:
                label = self.label(piece.label)
                words, _ = parts.setdefault(label, (set(), piece.edge))
                words.update(sentence.span(proposition, piece))
            elements = tuple(
                Element(label, tuple(sorted(words)), edge)
                for label, (words, edge) in parts.items()
            )
            frame = Frame(proposition.node, proposition.label, elements)
            frames.setdefault(proposition.words, []).append(frame)
        return frames

    def worth(self, frame: Frame, element: Element) -> float:
        """Return the weight of an element."""
        core = self.related.is_core(frame.label, element.label)
        return 1.0 if core else self.peripheral

    def measure(
        self,
        gold: Prepared,
        system: Prepared,
        builder: RoleBuilder,
    ) -> int | float:
        """Compare the frames of equal targets."""
        tally = _Tally(self, builder)
        left, right = gold.laid(self), system.laid(self)
        for target in {**left, **right}:
            if self.predicates == "given" and not (target in left and target in right):
                continue
            tally.target(left.get(target, []), right.get(target, []))
        return sum(
            builder.raw_counts.get((tuple_type, "", "matched"), 0)
            for tuple_type in self.tuple_types
        )

    def paired_frames(self, gold: list[Frame], system: list[Frame]) -> list[Pair]:
        """Frames of one target, one to one."""
        ways = {
            (a, b): way
            for a, left in enumerate(gold)
            for b, right in enumerate(system)
            if (way := self.related.way(left.label, right.label)) is not None
        }
        return list(self._nearest(ways))

    def paired_elements(
        self, gold: Frame, system: Frame, between: RelationPath
    ) -> Iterator[Pair]:
        """Elements of two frames with equal words, one to one.

        Related elements must be as far apart as their frames; a share of the
        shortest ways between the frames that the elements take, too, is kept.
        """
        ways: dict[tuple[int, int], RelationPath] = {}
        same_frame = gold.label == system.label
        for a, element in enumerate(gold.elements):
            for b, counterpart in enumerate(system.elements):
                if element.words != counterpart.words:
                    continue
                ends = (gold.label, element.label), (system.label, counterpart.label)
                if same_frame:
                    way = (
                        RelationPath(0, 1)
                        if element.label == counterpart.label
                        else None
                    )
                else:
                    way = self.related.way(*ends)
                if way is not None and way.steps == between.steps:
                    ways[a, b] = way
        for pair in self._nearest(ways):
            if pair.way.steps:
                share = min(1.0, pair.way.ways / between.ways)
                pair = pair._replace(credit=pair.credit * share)
            yield pair

    def _nearest(self, ways: dict[tuple[int, int], RelationPath]) -> Iterator[Pair]:
        """One to one, with as much credit as possible."""
        credits = {cell: self.decay**way.steps for cell, way in ways.items()}
        cells = {cell: credit for cell, credit in credits.items() if credit}
        for a, b in one_to_one(cells):
            way = ways[a, b]
            yield Pair(a, b, cells[a, b], way)


class _Tally:
    """Sums over the targets of one pair of sentences."""

    def __init__(self, metric: FrameNet, builder: RoleBuilder) -> None:
        self.metric, self.builder = metric, builder

    def target(self, gold: list[Frame], system: list[Frame]) -> None:
        """Count the frames of one target, and their elements."""
        metric, builder = self.metric, self.builder
        for quantity, frames in (("gold", gold), ("system", system)):
            builder.add(FRAMES, "", quantity, len(frames))
            for frame in frames:
                for element in frame.elements:
                    worth = metric.worth(frame, element)
                    builder.add(ELEMENTS, "", quantity, worth)
        pairs = metric.paired_frames(gold, system)
        for a, b, credit, way in pairs:
            left, right = gold[a], system[b]
            builder.add(FRAMES, "", "matched", credit)
            parent = builder.match(left.node, right.node, credit)
            if way.steps:
                described = Described(
                    FRAMES, left.node, right.node, compared=left.label
                )
                builder.error("partial", described._replace(credit=credit), parent)
            self._elements(left, right, way, parent)
        if builder.details:
            paired = {pair.gold for pair in pairs}, {pair.system for pair in pairs}
            for (side, frames, _), taken in zip(
                sided(gold, system), paired, strict=True
            ):
                self._alone(side, frames, taken)

    def _elements(
        self, gold: Frame, system: Frame, between: RelationPath, parent: int
    ) -> None:
        metric, builder = self.metric, self.builder
        pairs = list(metric.paired_elements(gold, system, between))
        for a, b, credit, way in pairs:
            first, second = gold.elements[a], system.elements[b]
            credit *= metric.worth(system, second)
            builder.add(ELEMENTS, "", "matched", credit)
            builder.match(first.edge, second.edge, credit, "edge", parent)
            if way.steps:
                described = _element(first, second, "differs")
                builder.error("partial", described._replace(credit=credit), parent)

        def alone(
            own: Sequence[Element], others: Sequence[Element], taken: set[int]
        ) -> Iterator[tuple[Element, Element | None]]:
            beside = {element.words: element for element in others}
            left = (element for k, element in enumerate(own) if k not in taken)
            return ((element, beside.get(element.words)) for element in left)

        sides = gold.elements, system.elements
        missing = alone(*sides, {pair.gold for pair in pairs})
        spurious = alone(*sides[::-1], {pair.system for pair in pairs})
        builder.enter(
            Alignment(missing, spurious),
            lambda side, own, counterpart: _element(
                own, counterpart, "" if counterpart else "absent"
            ),
            parent=parent,
        )

    def _alone(self, side: ErrorType, frames: list[Frame], paired: set[int]) -> None:
        """Frames without a partner, and all their elements."""
        enter = self.builder.error
        for k, frame in enumerate(frames):
            if k not in paired:
                enter(side, Described(FRAMES, frame.node, compared=frame.label))
                for element in frame.elements:
                    enter(side, _element(element, None))


def _element(own: Element, counterpart: Element | None, reason: str = "") -> Described:
    beside = None if counterpart is None else counterpart.edge
    return Described(
        ELEMENTS, own.edge, beside, "edge", compared=own.label, reason=reason
    )
