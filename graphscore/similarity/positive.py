"""What can be said of a formula as a kernel, part by part (appendix B).

A similarity is a *kernel* where the table of it for any things is symmetric and has
no eigenvalue below 0: then it is an inner product, and what is built on those
(support vector machines, principal components, Gaussian processes) may use it.  It is
*strong* where κ(x, y) ≥ min(κ(x, z), κ(z, y)) for any three things, which makes it a
kernel (Kriege et al. 2016), and an *equality* where it is strong and 0 or 1.

Appendix B of Chen et al. (2023) calls κ(x, x) ≥ κ(x, y) strong.  That is too little
for Lemma 5: Σ↔[F↔[δ]] fulfils it and is no kernel.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol

Kind = Literal["equality", "strong", "kernel", "unknown", "none"]
"""What a similarity is known to be: each of the first three is all that come after."""

KINDS: tuple[Kind, ...] = ("equality", "strong", "kernel")
"""Those that are kernels, the most special first."""


class Ruling(NamedTuple):
    """What one part of a formula is, its own parts being what they are."""

    kind: Kind
    because: str
    """The lemma, or what is missing."""


def least(kinds: Sequence[Kind]) -> Kind:
    """The most that all of some similarities are.

    >>> least(["equality", "kernel"]), least(["none", "strong"])
    ('kernel', 'unknown')
    """
    if not set(kinds) <= set(KINDS):
        return "unknown"
    return max(kinds, key=KINDS.index)


def kept(inside: Sequence[Kind], because: str) -> Ruling:
    """What a part is that only hands on what is inside of it."""
    [kind] = inside
    return Ruling(kind, because if kind in KINDS else OPEN)


OPEN = "rests on a part of which nothing is known"
"""Why nothing is known of what is made of such a part."""

ONE_SIDED = "not symmetric: what one thing is to another, that one need not be to it"
"""Why something cannot be a kernel (Definition 2)."""


class Matching(Protocol):
    """The sum over a best matching of members."""

    @property
    def constraint(self) -> str:
        """Which matchings are allowed."""

    @property
    def order(self) -> object:
        """What they must keep, if anything."""


def of_matching(of: Matching, inside: Sequence[Kind]) -> Ruling:
    """What the sum over a best matching is (Lemmas 3 and 5).

    Args:
        of: the sum.
        inside: what the similarity of what is matched is.
    """
    if of.constraint in ("n:1", "1:n"):
        return Ruling("none", ONE_SIDED)
    if least(inside) == "unknown":
        return Ruling("unknown", OPEN)
    if of.order is not None:
        return Ruling("unknown", "best matching that keeps an order: need be none")
    if of.constraint == "n:n":
        return Ruling("kernel", "sum over all pairs of a kernel (Lemma 3)")
    if list(inside) == ["kernel"]:
        because = "best matching of what is not strong: need be none"
        return Ruling("unknown", because)
    return Ruling("kernel", "best matching of what is strong (Lemma 5)")
