"""Labelled attachment score on enhanced dependencies.

Bouma, Seddah and Zeman (2020), section 4; UD eval.py (udtools 0.2.9), ``ELAS``.
"""

from __future__ import annotations

from dataclasses import dataclass

from graphscore.metrics.dependencies.enhanced import Enhanced


@dataclass(frozen=True)
class Elas(Enhanced):
    """Share of enhanced dependencies with the right head and full label.

    Example:
        >>> str(Elas(empty="skip"))
        'elas(empty=skip)'
    """

    name = "elas"
    title = "enhanced dependencies with head and full label"

    def compared(self, label: str) -> str:
        """The label with all its subtypes."""
        return label
