"""Effects of corrected errors on the raw counts of a metric.

Raw counts are sums, so a metric says what comes to them once an error is right, which
others are right with it, and which it must wait for.

>>> from graphscore.metrics.registry import parse
>>> from graphscore.model.outcome_builder import error_of
>>> parse("mrp").repaired(error_of("spurious", "tops", 0))
{('tops', '', 'system'): -1}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graphscore.model.graph import Value
from graphscore.model.normalize import counted_role
from graphscore.model.outcome import CountKey, Error, Match, RawCounts


def confused(errors: Sequence[Error]) -> dict[int, list[int]]:
    """Map errors to those they are confused with, by error number.

    Args:
        errors: of one unit.
    """
    spurious: dict[tuple[Any, ...], list[int]] = {}
    keys = [
        (error.tuple_type, error.object, error.name, error.gold, error.system)
        if error.gold is not None and error.system is not None
        else None
        for error in errors
    ]
    for number, key in enumerate(keys):
        if key is not None and errors[number].error_type == "spurious":
            spurious.setdefault(key, []).append(number)
    result: dict[int, list[int]] = {}
    for number, key in enumerate(keys):
        if key in spurious and errors[number].error_type == "missing" and spurious[key]:
            counterpart = spurious[key].pop(0)
            result[number], result[counterpart] = [counterpart], [number]
    return result


def spelled(value: Value) -> str:
    """A value as a part of what errors are called.

    >>> spelled("dog"), spelled(None)
    ('dog', '')
    """
    return "" if value is None else str(value)


class Correctable:
    """Trait: errors that can be corrected in the raw counts, and their classes."""

    @property
    def bound(self) -> str:
        """Why an error cannot be put right by itself, as by default; else nothing.

        Where it can, :meth:`repaired` and :meth:`entailed` say what comes of it.
        """
        return "one that is put right changes what others count"

    @property
    def local(self) -> bool:
        """True if each tuple is counted once, with at most one error, of one object.

        That is a node or an edge; then some tuples are counted without the others.
        """
        return False

    def class_of(self, error: Error) -> Value:
        """Return the class of an error, to tell it from others of its tuple type.

        By default the label of the object, of an inverted role its base role.

        Args:
            error: any error of the metric.
        """
        return counted_role(error.label, error.compared)

    def sort_of(self, error: Error) -> str:
        """Return the sort of an error's object, if its tuple type has several.

        By default its tuple type.

        Args:
            error: any error of the metric.
        """
        return error.tuple_type

    def confusion(self, missing: Error, spurious: Error) -> str:
        """Return the name of a confusion, a missing and a spurious error together.

        By default what either side says, or what differs where both say the same.

        Args:
            missing: what only gold has.
            spurious: what the system has in its place.

        Returns:
            Its class; nothing where it is in none of its own.
        """
        left, right = spelled(missing.value), spelled(spurious.value)
        if left == right and missing.name:
            right = f"(other {missing.name})"
        return f"{left} → {right}"

    def ruled(self, error: Error) -> str | None:
        """The class that a rule gave to what is in error.

        Args:
            error: any error of the metric.

        Returns:
            Its name; nothing where no rules are run, as by default.
        """
        return None

    def repaired(self, error: Error) -> Mapping[CountKey, int | float]:
        """Return the change of raw counts if an error is corrected.

        By default a tuple of gold's is in the system then, and matches; one that only
        the system has is not any more.  What was earned before is not earned again,
        and what earned a part the system has already.  Parts come to nothing.

        Returns:
            By their keys, what comes to raw counts; negative what goes.
        """
        if self.is_part(error):
            return {}
        if error.error_type == "spurious":
            return {(error.tuple_type, "", "system"): -1}
        moved: RawCounts = {(error.tuple_type, "", "matched"): 1 - error.credit}
        if error.error_type != "partial":
            moved[error.tuple_type, "", "system"] = 1
        return moved

    def completed(self, raw_counts: RawCounts) -> RawCounts:
        """Return the raw counts that scores need beside those of the pair's tuples.

        By default nothing.

        Args:
            raw_counts: amounts of some tuples of one pair.
        """
        return raw_counts

    def repairs(
        self, errors: Sequence[Error], matches: Sequence[Match]
    ) -> Sequence[Mapping[CountKey, int | float]]:
        """Return the change of raw counts for each of several errors if corrected.

        By default each says so by itself.

        Args:
            errors: of one unit.
            matches: likewise.

        Returns:
            For each error what :meth:`repaired` gives of one.
        """
        return [self.repaired(error) for error in errors]

    def is_part(self, error: Error) -> bool:
        """Return true if the object in error is part of another, corrected with it."""
        return False

    def entailed(self, errors: Sequence[Error]) -> Mapping[int, Sequence[int]]:
        """Map errors of a unit to the errors that are corrected with them.

        By default, what stands in each other's place: of the same tuple type, name and
        object on both sides.  It is replaced, so that both are right or neither.

        Args:
            errors: of one unit.

        Returns:
            By the number of an error those of others.
        """
        return confused(errors)

    def awaited(self, errors: Sequence[Error]) -> Mapping[int, Sequence[int]]:
        """Map errors of a unit to the errors that must be corrected before they count.

        What is put in before they are is there, and wrong.  By default, none.

        Args:
            errors: of one unit.

        Returns:
            By the number of an error those of others.
        """
        return {}
