"""Sums of masses that do not depend on the order in which they are added up.

Doubles are added as whole numbers of the smallest double there is, so that nothing is
lost on the way, and rounded once.  One run over everything and the sums of its parts,
in whatever order they come, therefore give the same bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import isfinite
from typing import Any, Self

from graphscore.model.outcome import Masses, MassKey

SHIFT = 1074
"""The smallest double is one part in two to the power of this."""

_ONE = 1 << SHIFT


def scaled(value: float) -> int:
    """A finite double as a whole number of the smallest double.

    Args:
        value: any finite number.

    Raises:
        OverflowError: of an infinite one.
        ValueError: of ``nan``.

    Example:
        >>> scaled(5e-324), rounded(scaled(0.1) + scaled(0.2))
        (1, 0.30000000000000004)
    """
    numerator, denominator = value.as_integer_ratio()
    return numerator << (SHIFT + 1 - denominator.bit_length())


def rounded(value: int) -> float:
    """The double nearest to a whole number of the smallest double.

    Args:
        value: what :func:`scaled` gave, or a sum of such.
    """
    return value / _ONE


class ExactMasses(Masses):
    """Masses that are added up exactly; what is read of them is rounded once.

    Args:
        several: what is added up.

    Attributes:
        exact: the sums that have doubles in them, in :func:`scaled` numbers.

    Example:
        >>> key = ("b3", "", "matched")
        >>> sums = ExactMasses([{key: 0.1}, {key: 0.2}, {key: 0.3}])
        >>> sums[key], 0.1 + 0.2 + 0.3
        (0.6, 0.6000000000000001)
    """

    __slots__ = ("exact",)

    def __init__(self, several: Iterable[Mapping[MassKey, int | float]] = ()) -> None:
        super().__init__()
        self.exact: dict[MassKey, int] = {}
        for masses in several:
            self.add(masses)

    def add(self, masses: Mapping[MassKey, int | float]) -> Self:
        """Add some masses, or exact sums of such, in place."""
        sums = masses.exact if isinstance(masses, ExactMasses) else {}
        exact, get = self.exact, self.get
        for key, value in masses.items():
            if isinstance(value, int) and key not in exact:
                self[key] = get(key, 0) + value
                continue
            before = get(key, 0)
            both = before + value
            if getattr(both, "ndim", 0) or not isfinite(both):
                # Nothing is lost of what is infinite already, and columns of samples
                # are added as they are.
                self[key] = both
            else:
                whole = exact[key] if key in exact else scaled(before)
                exact[key] = whole + (sums[key] if key in sums else scaled(value))
                self[key] = rounded(exact[key])
        return self

    def in_order(self, place: Callable[[MassKey], Any]) -> ExactMasses:
        """The same in another order.

        Args:
            place: gives what masses are sorted by.
        """
        found = ExactMasses()
        for key in sorted(self, key=place):
            found[key] = self[key]
            if key in self.exact:
                found.exact[key] = self.exact[key]
        return found
