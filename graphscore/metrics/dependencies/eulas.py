"""Labelled attachment score on enhanced dependencies, by universal relation.

Bouma, Seddah and Zeman (2020), section 4; UD eval.py (udtools 0.2.9), ``EULAS``.
"""

from __future__ import annotations

from dataclasses import dataclass

from graphscore.metrics.dependencies.enhanced import Enhanced, universal_path


@dataclass(frozen=True)
class Eulas(Enhanced):
    """Share of enhanced dependencies with the right head and universal relation.

    Example:
        >>> str(Eulas(empty="skip"))
        'eulas(empty=skip)'
    """

    name = "eulas"
    title = "enhanced dependencies with head and universal relation"

    def compared(self, label: str) -> str:
        """The label without subtypes."""
        return universal_path(label)
