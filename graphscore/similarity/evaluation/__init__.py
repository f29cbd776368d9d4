"""Functions of expressions: each has a rule for every part of formulas.

Expressions are plain data.  What they amount to on graphs is said by the functions of
:mod:`.functions`; the other modules hold their rules, so all of them are loaded with
the first.
"""

from graphscore.similarity.evaluation import (
    alignment,
    arithmetic,
    delegation,
    latent,
    leaves,
    matching,
    recursion,
)

__all__ = [
    "alignment",
    "arithmetic",
    "delegation",
    "latent",
    "leaves",
    "matching",
    "recursion",
]
