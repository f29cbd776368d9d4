"""Similarities of things that have such things as parts: trees, by their own formula.

Inside of :func:`recursive` the name of the formula, :func:`again`, stands for the
formula itself::

    recursive('Tree', exact(label) * f1(match(targets(), again('Tree'))))
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, partial
from typing import ClassVar

from graphscore.similarity.base import Similarity, require_similarity
from graphscore.similarity.expression import Notation, Sort, delegate, require
from graphscore.similarity.features.elements import Feature
from graphscore.similarity.operators.arithmetic import Total
from graphscore.similarity.operators.delegation import ByType, ThroughStep
from graphscore.similarity.operators.matching import Match
from graphscore.similarity.operators.ratios import Contained, Harmonic, Normalized
from graphscore.similarity.operators.references import SelfReference, require_name


class Recursive(Similarity, frozen=True):
    """A similarity that is asked again about parts, and parts of parts.

    Args:
        name: what the formula is called inside of itself.
        similarity: the formula; ``again(name)`` in it, inside of a ``match`` or at
            the end of a step, is the formula itself.

    Raises:
        FormulaError: if it has no end, or is no similarity of nodes; when it is
            used, ``StructureError`` for a graph in which something is a part of
            itself.

    Example:
        >>> from graphscore.similarity import again, exact, f1, label, match, targets
        >>> print(recursive("Tree", exact(label) * f1(match(targets(), again("Tree")))))
        μTree[δ_label × F↔targets[Tree]]
    """

    call: ClassVar[str] = "recursive"

    name: str
    similarity: Similarity

    def __post_init__(self) -> None:
        require_name(self.name, "recursive")
        formula = f"μ{self.name}[{self.similarity}]"
        before = f"μ{self.name}["
        require_similarity(
            self.similarity, "node", ": recursion is from node to node", formula, before
        )
        inner = list(_agains(self.similarity, self.name))
        demand = partial(
            require, formula=formula, spot=str(self.similarity), before=before
        )
        demand(
            bool(inner), f"found nothing of itself, expected again({self.name!r}) in it"
        )
        demand(
            not _is_unguarded(self.similarity, self.name),
            f"again({self.name!r}) about the same thing, expected it inside of a "
            "match, or at a step: a formula has an end",
            spot=self.name,
            before=None,
        )
        demand(
            not self.similarity.has_variables,
            "a variable in a recursive formula, expected none: what corresponds there "
            "cannot be found",
            spot="φ̃",
            before=None,
        )
        demand(
            not self.similarity.sided,
            "a sum that recall and precision count differently in a recursive "
            "formula, expected a ratio such as f1 around it",
        )
        traits = (self.similarity.normalized, self.similarity.proper)
        for reference in inner:
            demand(
                (reference.normalized, reference.proper) == traits,
                f"found {reference!r}, expected again({self.name!r}, normalized="
                f"{traits[0]}, proper={traits[1]}), as the formula is",
                spot=self.name,
                before=None,
            )
        demand(
            not _always_zero(self.similarity, self.name),
            "a formula that is 0 for every two things, also for equal ones: what has "
            "no parts has an empty sum, expected a ratio such as f1 (in a dataclass "
            "the mark by_f1) around the sum that asks it again",
        )

    @property
    def of(self) -> Sort:
        """Recursion is from node to node."""
        return "node"

    normalized = delegate("similarity.normalized")

    def spell(self, notation: Notation) -> str:
        """μ with the name."""
        sign = r"\mu_" if notation.latex else "μ"
        left, right = notation.brackets
        name = notation.name(self.name)
        shown = f"{{{name}}}" if notation.latex else name
        return f"{sign}{shown}{left}{self.similarity.spell(notation)}{right}"

    def split(self) -> tuple[tuple[Feature, ...], tuple[Similarity, ...]]:
        """Return the features of the elements that must be equal, and the formula."""
        return self.similarity.split()[0], (self,)

    def parts(self) -> Iterator[Similarity]:
        """The formula."""
        yield self.similarity

    @cached_property
    def around(self) -> tuple[str, ...]:
        """Names of formulas around this one that it asks, in order."""
        return tuple(sorted(loose(self)))


def loose(similarity: Similarity) -> frozenset[str]:
    """Names that stand for a formula, of which no ``recursive`` inside is."""
    if isinstance(similarity, SelfReference):
        return frozenset((similarity.name,))
    names = frozenset[str]().union(*map(loose, similarity.parts()))
    return names - {similarity.name} if isinstance(similarity, Recursive) else names


def _agains(similarity: Similarity, name: str) -> Iterator[SelfReference]:
    """All that stand for the formula of a name."""
    if isinstance(similarity, SelfReference) and similarity.name == name:
        yield similarity
    elif not (isinstance(similarity, Recursive) and similarity.name == name):
        for part in similarity.parts():
            yield from _agains(part, name)


def _always_zero(similarity: Similarity, name: str) -> bool:
    """Return whether a formula that asks itself again can never exceed 0.

    Its least fixed point: at the lowest things *name* has nothing to add up, so it is
    0 there, and above them whatever only multiplies or adds it is 0, too.  A ratio, and
    what is at the end of a step, is 1 where both sides have nothing (Definition 1).

    Args:
        similarity: the formula, or a part of it.
        name: what it is called inside of itself.
    """
    if isinstance(similarity, SelfReference):
        return similarity.name == name
    if isinstance(similarity, ThroughStep | Normalized | Harmonic | Contained):
        return False
    parts = [_always_zero(part, name) for part in similarity.parts()]
    if isinstance(similarity, ByType | Total):
        return bool(parts) and all(parts)
    return any(parts)


def _is_unguarded(similarity: Similarity, name: str) -> bool:
    """Return true if a formula refers to itself on the same element."""
    if isinstance(similarity, SelfReference):
        return similarity.name == name
    if isinstance(similarity, (Match, ThroughStep)):
        return False
    if isinstance(similarity, Recursive) and similarity.name == name:
        return False
    return any(_is_unguarded(part, name) for part in similarity.parts())


recursive = Recursive
