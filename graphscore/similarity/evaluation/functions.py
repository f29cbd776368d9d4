"""Values of expressions on two graphs, or on one alone, by rules for their parts.

Nothing here compares every thing with every other: a similarity is asked for all its
non-zero pairs at once, and finds them by the shape of its formula.  The rules below
are those of whatever has no rule of its own; the others are loaded when a formula is
first worked out by them, as formulas that only count equal members do not need them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import singledispatch, wraps
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from graphscore.similarity.base import (
    Aligned,
    Cell,
    Number,
    Numerators,
    Request,
    Similarity,
    Sparse,
)
from graphscore.similarity.view import Element, Elements, Pair, View

if TYPE_CHECKING:
    from functools import _SingleDispatchCallable

T = TypeVar("T")


def ruled(default: Callable[..., T]) -> _SingleDispatchCallable[T]:
    """A function with rules, which are loaded when it first lacks one.

    Args:
        default: the rule of whatever has no rule of its own.
    """

    @singledispatch
    @wraps(default)
    def function(similarity: Similarity, *operands: Any) -> T:
        import_module("graphscore.similarity.evaluation.rules")
        function.register(object, default)
        return function(similarity, *operands)

    return function


@ruled
def pairs(similarity: Similarity, request: Request) -> Sparse:
    """All similarities that are not 0.

    Args:
        similarity: how elements are compared.
        request: the elements.

    Returns:
        Similarities by positions of gold and of system elements.
    """
    raise TypeError(similarity)


@ruled
def overlaps(similarity: Similarity, request: Request) -> dict[Cell, Numerators]:
    """Numerators of recall and precision for the ``pairs``."""
    cells = pairs(similarity, request)
    return {cell: Numerators(value, value, value) for cell, value in cells.items()}


@ruled
def effort(similarity: Similarity, request: Request) -> int:
    """About how many steps it takes to find all pairs that are not 0.

    Args:
        similarity: how elements are compared.
        request: the elements; which pairs of them are requested makes no difference.
    """
    return len(request.gold) * len(request.system)


@ruled
def selves(similarity: Similarity, view: View, elements: Elements) -> list[Number]:
    """Self-similarity of each element: 1, if the similarity is normalized."""
    if not similarity.normalized:
        raise TypeError(similarity)
    return [1] * len(elements)


@ruled
def identities(
    similarity: Similarity, view: View, elements: Elements
) -> list[Hashable]:
    """All that a similarity sees of each element: what its parts see."""
    columns = [identities(part, view, elements) for part in similarity.parts()]
    return columns[0] if len(columns) == 1 else list(zip(*columns, strict=True))


@ruled
def warm(similarity: Similarity, view: View, elements: Elements) -> None:
    """Work out what depends on one graph alone."""
    for part in similarity.parts():
        warm(part, view, elements)


@ruled
def align(
    similarity: Similarity, pair: Pair, gold: Element | None, system: Element | None
) -> tuple[Aligned, ...]:
    """Matches inside two compared elements.

    Args:
        similarity: how they are compared.
        pair: the two graphs.
        gold: a gold element, or ``None``: then all inside the other is alone.
        system: a system element, or ``None``.
    """
    return tuple(
        inner
        for part in similarity.parts()
        for inner in align(part, pair, gold, system)
    )
