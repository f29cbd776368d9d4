"""Variables that stand for something whose identity is not compared."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Var:
    """A latent variable (section 4 of Chen et al. 2023).

    Equal variables of one object are one node of its graph.  What a variable is
    called says nothing: a metric finds which gold and system variables correspond.
    Subclasses are variables of another sort, which correspond among themselves.

    Args:
        name: what tells it from other variables of the same object.

    Example:
        >>> Var("x") == Var("x"), Var("x") == Var("y")
        (True, False)
    """

    name: str
