"""The modules that hold the rules of formulas, all of them loaded with this one."""

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
