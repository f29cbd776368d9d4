"""Kernels: which formulas are one, with the reason for every part (appendix B).

A similarity is a *kernel* where the table of it for any things is symmetric and has
no eigenvalue below 0: then it is an inner product, and what is built on those
(support vector machines, principal components, Gaussian processes) may use it.  It is
*strong* where κ(x, y) ≥ min(κ(x, z), κ(z, y)) for any three things, which makes it a
kernel (Kriege et al. 2016), and an *equality* where it is strong and 0 or 1.

Appendix B of Chen et al. (2023) calls κ(x, x) ≥ κ(x, y) strong.  That is too little
for Lemma 5: Σ↔[F↔[δ]] fulfils it and is no kernel.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import singledispatch
from itertools import product
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from graphscore.model.graph import Graph
from graphscore.similarity.base import Similarity, as_graph
from graphscore.similarity.explanation.report import budget_of, check, measure
from graphscore.similarity.expression import FormulaError
from graphscore.similarity.features.elements import Given
from graphscore.similarity.operators.arithmetic import Exact, Product, Total
from graphscore.similarity.operators.delegation import ByType, ThroughStep
from graphscore.similarity.operators.hierarchies import Descendant, Levels
from graphscore.similarity.operators.leaves import Weight
from graphscore.similarity.operators.matching import Match
from graphscore.similarity.operators.ratios import Normalized
from graphscore.similarity.operators.recursion import Recursive
from graphscore.similarity.operators.references import SelfReference
from graphscore.similarity.operators.thresholds import Excess, Threshold
from graphscore.similarity.view import Pair, View

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from graphscore.correspondence import Budget


Kind = Literal["equality", "strong", "kernel", "unknown", "none"]
"""Kernel property of a similarity; each of the first three implies the following."""

KINDS: tuple[Kind, ...] = ("equality", "strong", "kernel")
"""Those that are kernels, the most special first."""


class KernelProperty(NamedTuple):
    """Kernel property of one part of a formula, given those of its parts."""

    kind: Kind
    because: str
    """The lemma, or what is missing."""


def weakest(kinds: Sequence[Kind]) -> Kind:
    """The most that all of some similarities are.

    >>> weakest(["equality", "kernel"]), weakest(["none", "strong"])
    ('kernel', 'unknown')
    """
    if not set(kinds) <= set(KINDS):
        return "unknown"
    return max(kinds, key=KINDS.index)


OPEN = "rests on a part of which nothing is known"
"""Why nothing is known of what is made of such a part."""

ONE_SIDED = "not symmetric: what one thing is to another, that one need not be to it"
"""Why something cannot be a kernel (Definition 2)."""


@singledispatch
def rule_on(similarity: Similarity, inside: Sequence[Kind]) -> KernelProperty:
    """Rule what one part of a formula is known to be; nothing unless a lemma says so.

    Args:
        similarity: the part.
        inside: what its own parts are, in the order of ``parts``.
    """
    return KernelProperty("unknown", "nothing is known of it")


def hand_on(inside: Sequence[Kind], because: str) -> KernelProperty:
    """Rule on a part that only hands on what is inside of it."""
    [kind] = inside
    return KernelProperty(kind, because if kind in KINDS else OPEN)


@rule_on.register
def _(similarity: Exact, inside: Sequence[Kind]) -> KernelProperty:
    if any(isinstance(feature, Given) for feature in similarity.features):
        return KernelProperty(
            "unknown", "a metric says anew what is equal in each pair"
        )
    return KernelProperty("equality", "equality (Lemma 1)")


@rule_on.register
def _(similarity: Product, inside: Sequence[Kind]) -> KernelProperty:
    whole = weakest(inside)
    others = [kind for kind in inside if kind != "equality"]
    if whole == "unknown":
        return KernelProperty("unknown", OPEN)
    if len(others) <= 1:
        return KernelProperty(
            whole, "equalities, and at most one that is more (Lemma 2)"
        )
    return KernelProperty("kernel", "product of kernels (Lemma 2)")


@rule_on.register
def _(similarity: Total, inside: Sequence[Kind]) -> KernelProperty:
    if weakest(inside) == "unknown":
        return KernelProperty("unknown", OPEN)
    return KernelProperty("kernel", "sum of kernels")


@rule_on.register
def _(similarity: Match, inside: Sequence[Kind]) -> KernelProperty:
    if similarity.constraint in ("n:1", "1:n"):
        return KernelProperty("none", ONE_SIDED)
    if weakest(inside) == "unknown":
        return KernelProperty("unknown", OPEN)
    if similarity.order is not None:
        return KernelProperty(
            "unknown", "best matching that keeps an order: need be none"
        )
    if similarity.constraint == "n:n":
        return KernelProperty("kernel", "sum over all pairs of a kernel (Lemma 3)")
    if list(inside) == ["kernel"]:
        return KernelProperty(
            "unknown", "best matching of what is not strong: need be none"
        )
    return KernelProperty("kernel", "best matching of what is strong (Lemma 5)")


@rule_on.register
def _(similarity: Normalized, inside: Sequence[Kind]) -> KernelProperty:
    if similarity.norm in "PR" or similarity.beta != 1:
        return KernelProperty("none", ONE_SIDED)
    if weakest(inside) == "unknown":
        return KernelProperty("unknown", OPEN)
    if similarity.operand.sided and similarity.counting == "bounded":
        because = "counts that are bounded are not those of a kernel"
        return KernelProperty("unknown", f"{because}; counting='formula' are")
    lemma = "Lemma 7" if similarity.norm == "F" else "Lemma 8"
    return KernelProperty("kernel", f"{similarity.norm} of a kernel ({lemma})")


@rule_on.register
def _(similarity: Threshold, inside: Sequence[Kind]) -> KernelProperty:
    if inside[0] in ("equality", "strong"):
        because = "things beyond a limit of what is strong are a class"
        return KernelProperty("equality", because)
    return KernelProperty(
        "unknown", "a limit to what is not strong need not be a kernel"
    )


@rule_on.register
def _(similarity: Excess, inside: Sequence[Kind]) -> KernelProperty:
    if inside[0] in ("equality", "strong"):
        return KernelProperty("strong", "less is as strong as what it is taken off")
    return KernelProperty("unknown", "less than what is not strong: need be none")


@rule_on.register
def _(similarity: ThroughStep, inside: Sequence[Kind]) -> KernelProperty:
    return hand_on(inside, "what is there; nothing is like nothing alone")


@rule_on.register
def _(similarity: Recursive, inside: Sequence[Kind]) -> KernelProperty:
    return hand_on(inside, "by induction over what is below (as inside)")


@rule_on.register
def _(similarity: ByType, inside: Sequence[Kind]) -> KernelProperty:
    whole = weakest(inside)
    return KernelProperty(
        whole, OPEN if whole == "unknown" else "one of these for each type"
    )


@rule_on.register
def _(similarity: Weight, inside: Sequence[Kind]) -> KernelProperty:
    return KernelProperty("strong", "the lesser of two weights")


@rule_on.register
def _(similarity: Levels, inside: Sequence[Kind]) -> KernelProperty:
    if similarity.depth is None:
        because = "types may differ in depth; depth= would make it strong"
        return KernelProperty("unknown", because)
    return KernelProperty("strong", "levels in common from the first on, of as many")


@rule_on.register
def _(similarity: Descendant, inside: Sequence[Kind]) -> KernelProperty:
    if similarity.below != similarity.above:
        return KernelProperty("none", ONE_SIDED)
    if not similarity.below:
        return KernelProperty("equality", "equality (Lemma 1)")
    return KernelProperty("unknown", "credit for what is above or below: need be none")


@dataclass(frozen=True)
class Kernel:
    """Kernel property of a formula; true if it is a kernel.

    Attributes:
        similarity: the formula.
        kind: ``equality``, ``strong`` or ``kernel`` where it is proven to be one;
            ``none`` where it is not symmetric; else ``unknown``.
        because: the lemma, or what is missing.
        inside: the same of its parts.
    """

    similarity: Similarity
    kind: Kind
    because: str
    inside: tuple[Kernel, ...]

    def __bool__(self) -> bool:
        return self.kind in KINDS

    def __str__(self) -> str:
        return "\n".join(self._lines(0))

    def _lines(self, depth: int) -> Iterator[str]:
        shown = f"{'  ' * depth}{self.similarity}  {self.because}"
        yield f"{self.kind:<8}  {shown}"
        for part in self.inside:
            yield from part._lines(depth + 1)


def kernel(similarity: Similarity) -> Kernel:
    """Decide if a formula is a positive definite kernel, with the reason.

    Args:
        similarity: any formula.

    Returns:
        The verdict, part by part.  What is ``unknown`` may be a kernel of the graphs
        at hand all the same: the eigenvalues of ``gram`` tell.
    """
    return _judge(similarity, {})


def _judge(similarity: Similarity, named: Mapping[str, Kind]) -> Kernel:
    """The verdict, formulas that are asked again being what is said of them."""
    if isinstance(similarity, SelfReference) and similarity.name in named:
        because = "what the formula is of things with less below them"
        return Kernel(similarity, named[similarity.name], because, ())
    if not isinstance(similarity, Recursive):
        return _apply_rule(similarity, named)
    name = similarity.name
    # By induction over what is below: what is true of a formula if it is of the one
    # inside, is true, as things without parts do not ask it.
    for supposed in KINDS:
        result = _apply_rule(similarity, {**named, name: supposed})
        if result.kind in KINDS[: KINDS.index(supposed) + 1]:
            return result
    return _apply_rule(similarity, {**named, name: "unknown"})


def _apply_rule(similarity: Similarity, named: Mapping[str, Kind]) -> Kernel:
    inside = tuple(_judge(part, named) for part in similarity.parts())
    kernel_property: KernelProperty = rule_on(
        similarity, [verdict.kind for verdict in inside]
    )
    return Kernel(similarity, kernel_property.kind, kernel_property.because, inside)


def gram(
    similarity: Similarity, graphs: Sequence[Any], budget: Budget | int | None = None
) -> NDArray[np.float64]:
    """The formula's number for every two of some graphs.

    Args:
        similarity: a formula about the whole graph.
        graphs: graphs, or objects that ``structures`` lays out as such.
        budget: how much work each search may take, in steps.

    Returns:
        graphs × graphs; rows are the system's side, columns gold's.  Where the
        formula is a kernel, each two are compared once.

    Raises:
        FormulaError: if the formula is not about a whole graph, or a search ends
            without a proof.
        ValueError: if the budget is less than a step.
    """
    import numpy as np

    check(similarity)
    steps = budget_of(budget)
    laid_out = [as_graph(graph) for graph in graphs]
    views = [View(Graph("", "") if laid is None else laid) for laid in laid_out]
    symmetric = bool(kernel(similarity))
    table = np.zeros((len(views), len(views)))
    for r, c in product(range(len(views)), repeat=2):
        if symmetric and c < r:
            table[r, c] = table[c, r]
            continue
        pair = Pair(views[c], views[r], steps)
        table[r, c] = measure(similarity, pair).value
        if not pair.proof.proven:
            raise FormulaError(
                f"graphs {c} and {r}: a matching that is not proven, expected "
                f"budget= of more than {steps.steps} steps",
                str(similarity),
            )
    return table
