"""Whether a formula is a kernel, with the reason for every part, and its tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

from graphscore.model.graph import Graph
from graphscore.similarity.base import Similarity, as_graph, operation
from graphscore.similarity.explanation.report import allowed, check, measure
from graphscore.similarity.expression import FormulaError
from graphscore.similarity.operators.references import Again, Named
from graphscore.similarity.positive import KINDS, Kind, Ruling
from graphscore.similarity.view import Pair, View

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from graphscore.correspondence import Budget


@dataclass(frozen=True)
class Kernel:
    """What a formula is known to be as a kernel; true where it is one.

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
        for each in self.inside:
            yield from each._lines(depth + 1)


@operation("kernel")
def kernel(similarity: Similarity) -> Kernel:
    """Whether a formula is a positive definite kernel, and why.

    Args:
        similarity: any formula.

    Returns:
        The verdict, part by part.  What is ``unknown`` may be a kernel of the graphs
        at hand all the same: the eigenvalues of ``gram`` tell.
    """
    return _judged(similarity, {})


def _judged(similarity: Similarity, named: Mapping[str, Kind]) -> Kernel:
    """The verdict, formulas that are asked again being what is said of them."""
    if isinstance(similarity, Again) and similarity.name in named:
        because = "what the formula is of things with less below them"
        return Kernel(similarity, named[similarity.name], because, ())
    if not isinstance(similarity, Named):
        return _ruled(similarity, named)
    name = similarity.name
    # By induction over what is below: what is true of a formula if it is of the one
    # inside, is true, as things without parts do not ask it.
    for supposed in KINDS:
        found = _ruled(similarity, {**named, name: supposed})
        if found.kind in KINDS[: KINDS.index(supposed) + 1]:
            return found
    return _ruled(similarity, {**named, name: "unknown"})


def _ruled(similarity: Similarity, named: Mapping[str, Kind]) -> Kernel:
    inside = tuple(_judged(each, named) for each in similarity.parts())
    found: Ruling = similarity.ruling([each.kind for each in inside])
    return Kernel(similarity, found.kind, found.because, inside)


@operation("gram")
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
    steps = allowed(budget)
    laid_out = [as_graph(each) for each in graphs]
    views = [View(Graph("", "") if each is None else each) for each in laid_out]
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
