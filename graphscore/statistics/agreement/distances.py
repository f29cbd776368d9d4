r"""How far two labels are apart: by level of measurement, or as a table says.

The levels are those of Krippendorff (2011): *nominal* labels are equal or not; of
numbers *interval* takes the square of their difference, *ratio* that of their
difference over their sum, and *ordinal* that of the difference of their mean ranks
among all labels, which depends on how often there are which.

A table is a file with a line for every two labels and their distance, separated by
tabulators; equal labels are 0 apart, both directions are the same:

>>> import tempfile, pathlib
>>> folder = tempfile.TemporaryDirectory()
>>> path = pathlib.Path(folder.name, "apart.tsv")
>>> _ = path.write_text("# near\nLOC\tGPE\t0.25\nLOC\tPER\t1\n")
>>> table = measured(str(path))
>>> table("GPE", "LOC"), table("PER", "PER"), table.labels
(0.25, 0.0, ('GPE', 'LOC', 'PER'))
>>> folder.cleanup()
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

from graphscore.errors import InputError, Problem, UsageError, meant
from graphscore.tables import content_of, rows

Distance = Callable[[Any, Any], float]
"""How far two labels are apart: 0 where they are equal."""

LEVELS = ("nominal", "ordinal", "interval", "ratio")
"""Levels of measurement, by name."""


class Measure:
    """A level of measurement or a table, by its name.

    Args:
        name: as it was given: one of :data:`LEVELS`, or a file.
        function: how far two labels are apart.
        labels: those that a table has; of a level none are named.
    """

    def __init__(
        self, name: str, function: Distance, labels: tuple[str, ...] = ()
    ) -> None:
        self.name, self.function, self.labels = name, function, labels

    def __call__(self, a: Any, b: Any) -> float:
        """How far two labels are apart."""
        return self.function(a, b)


def measured(distance: Distance | str | None) -> Distance | None:
    """The function of a distance.

    Args:
        distance: a function, a level of measurement, or a file with a table.

    Returns:
        ``None`` where labels are equal or not.

    Raises:
        InputError: if a table cannot be read, or says something twice.
        UsageError: if there is neither such a level nor such a file.

    Example:
        >>> measured("interval")(1, "4"), measured("ratio")(1, 3), measured("nominal")
        (9.0, 0.25, None)
    """
    if distance is None or distance == "nominal":
        return None
    if not isinstance(distance, str):
        return distance
    if distance == "ordinal":
        # Ranks are those among all labels: who sums knows them.
        return Measure(distance, _ranks_unknown)
    if distance in _OF_NUMBERS:
        return Measure(distance, _OF_NUMBERS[distance])
    if not Path(distance).exists():
        raise UsageError(
            f"distance {distance!r}{meant(distance, LEVELS)}: expected one of "
            f"{', '.join(LEVELS)}, or a file with a table of distances"
        )
    return _table(distance)


def as_number(label: Any) -> float:
    """A label as the number that it says.

    Raises:
        UsageError: if it says none.
    """
    try:
        found = float(label)
    except (TypeError, ValueError):
        found = math.nan
    if not math.isfinite(found):
        raise UsageError(
            f"found label {label!r}, expected a number: ordinal, interval and ratio "
            "distances are those of numbers"
        )
    return found


def _interval(a: Any, b: Any) -> float:
    return (as_number(a) - as_number(b)) ** 2


def _ratio(a: Any, b: Any) -> float:
    first, second = as_number(a), as_number(b)
    if min(first, second) < 0:
        raise UsageError(
            f"found label {min(first, second):g}, expected 0 or more: so are those of "
            "the ratio distance"
        )
    whole = first + second
    return ((first - second) / whole) ** 2 if whole else 0.0


def _ranks_unknown(a: Any, b: Any) -> float:
    raise UsageError("ordinal: two labels alone have no ranks")


_OF_NUMBERS: dict[str, Distance] = {"interval": _interval, "ratio": _ratio}


def _table(path: str) -> Measure:
    """What a file of distances says."""
    try:
        text = content_of(path).decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        said = error.strerror if isinstance(error, OSError) else "no UTF-8"
        raise InputError(
            [Problem(path, None, None, "", str(said), "a table of distances")]
        ) from None
    found: dict[tuple[str, str], float] = {}
    problems = []
    for line, cells in rows(text, comment="#"):
        value = _value(cells)
        if value is None:
            expected = "two labels and a distance of 0 or more, by tabulators"
            problems.append(Problem(path, line, None, "", " ".join(cells), expected))
            continue
        a, b = cells[:2]
        if a == b and value:
            problems.append(
                Problem(path, line, None, "", f"{value:g} of {a} from itself", "0")
            )
        elif found.setdefault((a, b), value) != value:
            before = f"{found[a, b]:g}, as a line before says"
            problems.append(
                Problem(path, line, None, "", f"{value:g} of {a} from {b}", before)
            )
        found[b, a] = found.get((a, b), value)
    if not found and not problems:
        problems.append(Problem(path, None, None, "", "no line", "two labels a line"))
    if problems:
        raise InputError(problems)

    def apart(a: Any, b: Any) -> float:
        first, second = str(a), str(b)
        if first == second:
            return 0.0
        if (first, second) not in found:
            raise InputError(
                [Problem(path, None, None, "", f"no {first} and {second}", "a line")]
            )
        return found[first, second]

    return Measure(
        path, apart, tuple(sorted({label for pair in found for label in pair}))
    )


def _value(cells: list[str]) -> float | None:
    if len(cells) != 3 or not all(cells):
        return None
    try:
        value = float(cells[2])
    except ValueError:
        return None
    return value if math.isfinite(value) and value >= 0 else None
