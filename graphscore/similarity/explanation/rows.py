"""An alignment as the rows that go into results: matches and errors of every level.

Parts of a matched pair are rows below it: ``parent`` is the position of its match,
``level`` how deep it is.  What is left alone is an error; a pair that earned only
part of its worth is a *partial* one, and what it lacks are errors below it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from graphscore.model.outcome import Error, Match
from graphscore.model.outcome_builder import error_of, match_row
from graphscore.similarity.base import Aligned, Number, Partition, Similarity
from graphscore.similarity.evaluation.equal_members import partition_all
from graphscore.similarity.explanation.differences import Errors
from graphscore.similarity.explanation.wording import (
    OBJECTS,
    describe_member,
    labels_of,
    object_name,
)
from graphscore.similarity.expression import singular
from graphscore.similarity.features.elements import Feature
from graphscore.similarity.navigation.steps import top
from graphscore.similarity.view import ROOT, Pair


class _Frame(NamedTuple):
    """Members of one level whose rows are being made."""

    members: Iterator[Aligned]
    alone: dict[int, Error]
    """An error for each of them without a partner, by their ids."""
    parent: int | None
    level: int
    before: int | None
    """Number of errors kept when the frame ends; ``None`` for all."""


class Rows:
    """Matches and errors of one pair.

    Args:
        pair: the two graphs.
        tuple_type: the tuple type that errors are of.
        shown: what errors show as the value, of things that these features are
            said of, and nothing of others; ``None`` for what the formula suggests.
        weight: how often a match counts.
    """

    def __init__(
        self,
        pair: Pair,
        tuple_type: str,
        shown: tuple[Feature, ...] | None = None,
        weight: Number = 1,
    ) -> None:
        self.pair, self.tuple_type, self.weight = pair, tuple_type, weight
        self.matches: list[Match] = []
        self.errors: list[Error] = []
        self._alone = Errors(pair, tuple_type, shown)

    def add_counted(self, counted: Similarity, matched: bool) -> None:
        """Add what a formula that counts equal keys finds.

        Args:
            counted: the formula.
            matched: whether rows of what is equal are requested.
        """
        credit = float(self.weight)
        for partition in partition_all(counted, self.pair, matched):
            if partition.matched:
                name = OBJECTS.get(partition.sort) or singular(partition.via)
                left, p, right, q = zip(*partition.matched, strict=True)
                golds = self._alone.ordinals(0, partition.sort, left, p)
                systems = self._alone.ordinals(1, partition.sort, right, q)
                self.matches += [
                    match_row((name, gold, system, credit, None, 0))
                    for gold, system in zip(golds, systems, strict=True)
                ]
            for errors in self._alone.of(partition, None):
                self.errors += errors

    def add_whole(self, features: Sequence[Feature]) -> None:
        """Add a missing and a spurious error if features of the whole graphs differ.

        Args:
            features: what must be equal of the two graphs.
        """
        sides = self.pair.gold, self.pair.system
        differing = [
            feature
            for feature in features
            if len({feature.of_all(view, [ROOT])[0] for view in sides}) > 1
        ]
        if not differing:
            return
        above = f"{top.short}."
        name = "+".join(feature.short.removeprefix(above) for feature in differing)
        for side, view in enumerate(sides):
            values = [feature.raw(view, ROOT) for feature in differing]
            shown = ["null" if value is None else str(value) for value in values]
            self.errors.append(
                error_of(
                    "spurious" if side else "missing",
                    self.tuple_type,
                    ROOT,
                    ROOT,
                    what=OBJECTS["graph"],
                    name=name,
                    value=values[0] if len(values) == 1 else ", ".join(shown),
                    reason="differs",
                )
            )

    def add(
        self, aligned: Sequence[Aligned], parent: int | None = None, level: int = 0
    ) -> None:
        """Add what is aligned, and all that is inside of it.

        Args:
            aligned: matched members and those that are alone.
            parent: position of the match that they are inside of.
            level: how deep they are.
        """
        # Depth is that of the data, so it must not be that of calls.
        stack = [self._frame(aligned, parent, level)]
        while stack:
            frame = stack[-1]
            member = next(frame.members, None)
            if member is None:
                stack.pop()
                if frame.before is not None:
                    del self.errors[frame.before :]
                continue
            error = frame.alone.get(id(member))
            position = None
            if error is None or member.children:
                position = len(self.matches)
                self.matches.append(self._match(member, frame.parent, frame.level))
            if error is not None:
                if any(member.worth):
                    self.errors.append(self.alone(member, error, position))
            elif not member.whole:
                self.errors.append(self._partial(member, frame.parent))
            if member.children:
                # What is whole has no errors inside, but its matches are rows.
                before = len(self.errors) if member.whole else None
                stack.append(
                    self._frame(member.children, position, frame.level + 1, before)
                )

    def _frame(
        self,
        aligned: Sequence[Aligned],
        parent: int | None,
        level: int,
        before: int | None = None,
    ) -> _Frame:
        alone = self.apart(aligned, parent)
        return _Frame(iter(aligned), alone, parent, level, before)

    def alone(self, member: Aligned, error: Error, position: int | None) -> Error:
        """The row of a member without a partner; by default as it was made.

        Args:
            member: the member.
            error: its row.
            position: position of its own match, which all inside of it is below.
        """
        return error

    def _match(self, member: Aligned, parent: int | None, level: int) -> Match:
        gold, system = self.ordinal(0, member), self.ordinal(1, member)
        credit = float(member.credit * self.weight)
        return Match(object_name(member), gold, system, credit, parent, level)

    def ordinal(self, side: int, member: Aligned) -> int | None:
        """The ordinal of a member, or ``None`` where a side has none.

        Args:
            side: 0 for gold, 1 for the system.
            member: what is aligned.
        """
        element = member.system if side else member.gold
        position = member.system_place if side else member.gold_place
        if element is None or position is None:
            return None
        return self._alone.ordinals(side, member.sort, [element], [position])[0]

    def _partial(self, member: Aligned, parent: int | None) -> Error:
        gold, system = self.ordinal(0, member), self.ordinal(1, member)
        view, element = self.pair.gold, member.gold
        shown = self._alone.show(view, member.sort, [element])
        name, value, compared = (
            shown[0] if shown else describe_member(view, member, element, None)
        )
        [label] = labels_of(view.graph, member.sort, [element])
        return error_of(
            "partial",
            self.tuple_type,
            gold,
            system,
            what=object_name(member),
            label=label,
            name=name,
            value=value,
            compared=compared,
            reason="differs",
            credit=float(member.credit),
            parent=parent,
        )

    def apart(self, aligned: Sequence[Aligned], parent: int | None) -> dict[int, Error]:
        """An error for each member without a partner, by their ids.

        Args:
            aligned: matched members and those that are alone.
            parent: position of the match that they are inside of.
        """
        groups: dict[tuple[str, int], tuple[list[Aligned], list[Aligned]]] = {}
        for lone in aligned:
            if lone.gold is None or lone.system is None:
                key = lone.via, id(lone.similarity)
                sides = groups.setdefault(key, ([], []))
                sides[lone.gold is None].append(lone)
        result: dict[int, Error] = {}
        for left, right in groups.values():
            some = (left or right)[0]
            apart = Partition(
                some.sort,
                some.via,
                some.similarity,
                [],
                [(lone.gold, lone.gold_place or 0) for lone in left],
                [(their.system, their.system_place or 0) for their in right],
            )
            for members, errors in zip(
                (left, right), self._alone.of(apart, parent), strict=True
            ):
                for member, error in zip(members, errors, strict=True):
                    result[id(member)] = error
        return result
