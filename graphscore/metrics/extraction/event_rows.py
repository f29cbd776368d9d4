"""Error rows of events, and arguments that are wrong only by their trigger.

Events that nothing matches are put side by side: first those with the same trigger
words, whatever their types, then those of one type that have arguments in common.
``name`` says what is wrong with such an event:

- ``type``: the same words as another type;
- ``words``: other words as the same type;
- ``arguments``: words and type are right, and no argument is.

Both rows name each other then.  An argument that both events have is called
``trigger``: it would be right if that were.  Whatever is inside an event that nothing
matches is below the match of that event, and so is the event's own row.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from graphscore.correspondence.assignment import one_to_one
from graphscore.metrics.corrections import confused
from graphscore.model.outcome import Error, Match
from graphscore.similarity import Similarity, exact, label
from graphscore.similarity.base import Aligned, Request, Sparse
from graphscore.similarity.evaluation.functions import align, pairs
from graphscore.similarity.explanation.rows import Rows
from graphscore.similarity.view import Pair

TYPE, WORDS, ARGUMENTS = "type", "words", "arguments"
"""Error names of an event."""

TRIGGER = "trigger"
"""Error name of an argument that is correct but for its event."""


class EventRows(Rows):
    """Matches and errors of the events of one pair.

    Args:
        pair: the two graphs.
        tuple_type: the tuple type that errors are of.
        weight: how often a match counts.
        same: whether triggers have the same words.
        inner: how many arguments two events share.
    """

    def __init__(
        self,
        pair: Pair,
        tuple_type: str,
        weight: int | float,
        same: Similarity,
        inner: Similarity,
    ) -> None:
        super().__init__(pair, tuple_type, None, weight)
        self._same, self._inner = same, inner
        self._beside: dict[int, tuple[Aligned, str]] = {}
        """By the id of an event the one at its side, and what is wrong."""
        self._within: dict[int, Aligned] = {}
        """By the id of anything in an event that nothing matches that event."""

    def add(
        self, aligned: Sequence[Aligned], parent: int | None = None, level: int = 0
    ) -> None:
        """Add events, and all that is inside of them."""
        if not level:
            golds = [event for event in aligned if event.system is None]
            systems = [event for event in aligned if event.gold is None]
            for left, right, name in self._side_by_side(golds, systems):
                self._beside[id(left)] = right, name
                self._beside[id(right)] = left, name
            for event in (*golds, *systems):
                for child in event.children:
                    self._within[id(child)] = event
        super().add(aligned, parent, level)

    def _side_by_side(
        self, golds: list[Aligned], systems: list[Aligned]
    ) -> Iterator[tuple[Aligned, Aligned, str]]:
        """Events that nothing matches, two and two, and what is wrong with them."""
        # They are nodes, known by numbers.
        gold_nodes: list[int] = [gold.gold for gold in golds]  # type: ignore[misc]
        system_nodes: list[int] = [event.system for event in systems]  # type: ignore[misc]
        if not (gold_nodes and system_nodes):
            return
        request = Request(self.pair, gold_nodes, system_nodes)
        words, shared = pairs(self._same, request), pairs(self._inner, request)
        similar = words.keys() | shared.keys()
        typed = pairs(exact(label), request._replace(requested=similar))
        # What they share comes first, of what is as good the same type.
        cells: Sparse = {
            cell: 2 * shared.get(cell, 0) + 1 + bool(typed.get(cell)) / 2
            for cell in words
        }
        left, right = set(range(len(golds))), set(range(len(systems)))
        for p, q in one_to_one(cells):
            name = ARGUMENTS if typed.get((p, q)) else TYPE
            yield golds[p], systems[q], name
            left.discard(p)
            right.discard(q)
        more: Sparse = {
            (p, q): amount
            for (p, q), amount in shared.items()
            if p in left and q in right and typed.get((p, q))
        }
        for p, q in one_to_one(more):
            yield golds[p], systems[q], WORDS

    def alone(self, unmatched: Aligned, error: Error, parent: int | None) -> Error:
        """The row of an event is below its match, and names the one at its side."""
        if unmatched.sort != "node":
            return error
        error = error._replace(parent=parent)
        beside = self._beside.get(id(unmatched))
        if beside is None:
            if error.reason == "differs":
                return self._facing(error, None, "", "no counterpart")
            return error._replace(name="")
        counterpart, name = beside
        side = 0 if unmatched.gold is None else 1
        return self._facing(error, self.ordinal(side, counterpart), name, "differs")

    def apart(self, members: Sequence[Aligned], parent: int | None) -> dict[int, Error]:
        """Rows of what is alone; of an event at whose side there is one, with that."""
        result = super().apart(members, parent)
        event = self._within.get(id(members[0])) if members else None
        if event is None or id(event) not in self._beside:
            return result
        counterpart, _ = self._beside[id(event)]
        gold, system = (
            (event, counterpart) if event.system is None else (counterpart, event)
        )
        inside = align(self._inner, self.pair, gold.gold, system.system)
        side = 0 if event is gold else 1
        own = {(shared.gold, shared.system)[side]: shared for shared in inside}
        rows = super().apart(inside, parent)
        for child in members:
            at = own.get((child.gold, child.system)[side])
            if child.sort != "edge" or at is None:
                continue
            if id(at) in rows:
                result[id(child)] = rows[id(at)]
            else:
                ordinal = self.ordinal(1 - side, at)
                row = result[id(child)]
                result[id(child)] = self._facing(row, ordinal, TRIGGER, "differs")
        return result

    def _facing(
        self, error: Error, ordinal: int | None, name: str, reason: str
    ) -> Error:
        """A row with another counterpart."""
        error = error._replace(name=name, reason=reason)
        if error.error_type == "spurious":
            return error._replace(gold=ordinal)
        return error._replace(system=ordinal)


def below_events(rows: Sequence[Rows]) -> tuple[list[list[Error]], list[Match]]:
    """The errors of all tuple types below matches, those of the last and a few more.

    Args:
        rows: what was found of each tuple type; the matches of the last one are kept.

    Returns:
        Errors tuple type by tuple type, and further matches: events that nothing
        matches in another tuple type, where they are not so in the last one.
    """
    main = rows[-1]
    indices = {
        (match.gold, match.system): index
        for index, match in enumerate(main.matches)
        if not match.level
    }
    more: list[Match] = []
    errors: list[list[Error]] = []
    for row in rows[:-1]:
        kept: dict[int | None, int] = {}
        for number, match in enumerate(row.matches):
            at = match.gold, match.system
            if match.level or None not in at:
                continue
            if at not in indices:
                indices[at] = len(main.matches) + len(more)
                more.append(match)
            kept[number] = indices[at]
        errors.append(
            [error._replace(parent=kept.get(error.parent)) for error in row.errors]
        )
    return [*errors, main.errors], more


def is_trigger(error: Error) -> bool:
    """Return true for a row of an event that is unmatched or has a wrong trigger."""
    whole = error.object == "node" and error.error_type != "partial"
    return whole and error.name != ARGUMENTS


def with_triggers(errors: Sequence[Error]) -> dict[int, list[int]]:
    """Map errors of triggers and arguments to those corrected with them.

    A trigger that is put right rights the arguments that are wrong for nothing else.
    One that is missing comes along with any of its arguments, one that is spurious
    takes them with it.

    Args:
        errors: of one unit.
    """
    result = defaultdict(list, confused(errors))
    for number, trigger in _triggers(errors).items():
        error = errors[number]
        if errors[trigger].name:
            if error.name == TRIGGER:
                result[trigger].append(number)
        elif error.error_type == "spurious":
            result[trigger].append(number)
        else:
            result[number].append(trigger)
    return dict(result)


def awaited_triggers(errors: Sequence[Error]) -> dict[int, list[int]]:
    """The trigger that must be right before an argument counts as right.

    Args:
        errors: of one unit.
    """
    beside = confused(errors)
    return {
        number: [trigger]
        for number, trigger in _triggers(errors).items()
        # What is spurious and in nobody's place only has to go.
        if errors[trigger].name
        and (errors[number].error_type == "missing" or number in beside)
    }


def _triggers(errors: Sequence[Error]) -> dict[int, int]:
    """The wrong trigger of each argument, by numbers of errors."""
    triggers = {
        (error.tuple_type, error.error_type, error.parent): number
        for number, error in enumerate(errors)
        if is_trigger(error)
    }
    result = {}
    for number, error in enumerate(errors):
        if error.object == "edge" and error.parent is not None:
            trigger = triggers.get((error.tuple_type, error.error_type, error.parent))
            if trigger is not None:
                result[number] = trigger
    return result
