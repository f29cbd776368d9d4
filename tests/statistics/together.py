"""The main score with several classes of errors right at once."""

from __future__ import annotations

from graphscore import Result
from graphscore.statistics.whatif.corrected_scores import Repaired
from graphscore.statistics.whatif.corrections import _Errors


def together(result: Result, *wanted: tuple[str, str, str]) -> float:
    """The score with all classes right that are wanted.

    Args:
        result: with items and their errors.
        wanted: tuple type, label and side of classes; what is empty may be anything.
    """
    table = _Errors(result, Repaired(result))
    chosen = [
        numbers
        for key, numbers in table.members.items()
        if any(
            all(value in ("", own) for value, own in zip(each, key, strict=True))
            for each in wanted
        )
    ]
    [value] = table.values([set().union(*chosen)])
    return value
