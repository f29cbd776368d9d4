"""Similarities: how alike two things of one sort are.

A similarity gives φ(P, R) for a predicted and a reference thing (Definition 1 of
Chen et al. 2023).  It is *normalized* where φ(x, x) is always 1; otherwise it is
an amount.  Nothing here compares every thing with every other: a similarity is
asked for all its non-zero pairs at once, and finds them by the shape of its
formula.

In code the gold side stands first, as everywhere in graphscore; where a function
of the formula depends on the order, the prediction is its first argument, as in
the paper.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from math import fsum
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct

from graphscore.lazy import lazily
from graphscore.similarity.expression import ARTICLES, Expression, Sort, require
from graphscore.similarity.features.elements import Feature
from graphscore.similarity.view import Element, Elements, Pair, View

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from graphscore.correspondence import Budget
    from graphscore.model.graph import Graph
    from graphscore.similarity.explanation.kernels import Kernel
    from graphscore.similarity.explanation.report import Report

Number = int | float

Cell = tuple[int, int]
"""Positions among the gold and among the system elements."""

Asked = Collection[Cell] | None
"""Requested pairs; ``None`` for all."""

Sparse = dict[Cell, Number]
"""Similarities that are not 0."""


class Request(NamedTuple):
    """Elements of two graphs that are to be compared."""

    pair: Pair
    gold: Elements
    """Distinct gold elements."""
    system: Elements
    """Distinct system elements."""
    requested: Asked = None
    """Requested pairs, by position; ``None`` for all."""

    @property
    def sides(self) -> tuple[tuple[View, Elements], tuple[View, Elements]]:
        """Graph and elements of gold, and those of the system."""
        return (self.pair.gold, self.gold), (self.pair.system, self.system)

    @property
    def cells(self) -> Collection[Cell]:
        """The requested pairs, all written out."""
        if self.requested is not None:
            return self.requested
        columns = range(len(self.system))
        return [(r, c) for r in range(len(self.gold)) for c in columns]


def sum_exactly(numbers: Iterable[Number]) -> Number:
    """A sum that does not depend on the order: exact, and rounded once.

    >>> sum_exactly([1, 2]), sum_exactly([0.1] * 10)
    (3, 1.0)
    """
    result = list(numbers)
    total = sum(result)
    return total if isinstance(total, int) else fsum(result)


class Numerators(NamedTuple):
    """An overlap as recall counts it and as precision does.

    They differ where many system elements may match one gold element: recall can
    count each gold element once, see :class:`~graphscore.similarity.Normalized`.
    """

    recall: Number
    precision: Number
    literal: Number
    """The sum over the matching itself (eq. 13)."""


class Bag(NamedTuple):
    """Keys of which only equality counts, laid out for counting."""

    keys: frozenset[Hashable]
    repeated: dict[Hashable, int]
    """Count of each key that occurs more than once."""
    size: int
    """Number of keys, with repetitions."""

    def count_shared(self, other: Bag) -> int:
        """Count the keys that can be matched one to one.

        >>> bag = Bag(frozenset("ab"), {"a": 3}, 4)
        >>> bag.count_shared(Bag(frozenset("ac"), {"a": 2}, 3))
        2
        """
        result = len(self.keys & other.keys)
        if self.repeated and other.repeated:
            for key in self.repeated.keys() & other.repeated.keys():
                result += min(self.repeated[key], other.repeated[key]) - 1
        return result


class Partition(Struct, dict=True):
    """Members of two owners, those that are equal and those without a partner."""

    sort: Sort
    via: str
    """Name of the members: that of their collection in the formula."""
    similarity: Similarity
    matched: list[tuple[Element, int, Element, int]]
    """Gold's and the system's member, each with its position among all members."""
    gold: list[tuple[Element, int]]
    """Gold's members without a partner, and their positions."""
    system: list[tuple[Element, int]]

    @cached_property
    def members(self) -> tuple[list[Element], list[Element]]:
        """The members without a partner, gold's and the system's."""
        return [member for member, _ in self.gold], [
            system_member for system_member, _ in self.system
        ]

    @cached_property
    def places(self) -> tuple[list[int], list[int]]:
        """Their positions among all members."""
        return [index for _, index in self.gold], [index for _, index in self.system]


class Aligned(Struct, frozen=True):
    """Two matched things, or one without a partner, and what is inside of them."""

    sort: Sort
    via: str
    """Name of the members: that of their collection in the formula."""
    gold: Element | None
    gold_place: int | None
    """Position among the members of its owner, from 0."""
    system: Element | None
    system_place: int | None
    credit: Number
    worth: tuple[Number, Number]
    """Self-similarity of either member, gold first."""
    similarity: Similarity
    children: tuple[Aligned, ...]

    @property
    def whole(self) -> bool:
        """True if the pair has full credit."""
        return (
            self.gold is not None
            and self.system is not None
            and self.credit >= max(self.worth)
        )


_operation = lazily(
    "graphscore.similarity",
    {
        "explanation.kernels": "gram kernel",
        "explanation.report": "score",
        "operators.arithmetic": "product total",
        "operators.thresholds": "Threshold excess",
    },
)
"""Find what signs between formulas make, and what scores one.

These are built on :class:`Similarity`, so it can only import them when it is asked.
"""


class Operand(Expression, frozen=True):
    """Base of what signs between formulas join."""

    def __mul__(self, other: Similarity) -> Similarity:
        similarity: Similarity = _operation("product")(self, other)
        return similarity

    def __add__(self, other: Similarity) -> Similarity:
        similarity: Similarity = _operation("total")(self, other)
        return similarity

    def __sub__(self, amount: float) -> Similarity:
        similarity: Similarity = _operation("excess")(self, amount)
        return similarity

    def __gt__(self, limit: float) -> Similarity:
        similarity: Similarity = _operation("Threshold")(self, limit, True)
        return similarity

    def __ge__(self, limit: float) -> Similarity:
        similarity: Similarity = _operation("Threshold")(self, limit, False)
        return similarity


class Similarity(Operand, frozen=True):
    """Base of similarities."""

    @property
    def of(self) -> Sort:
        """Sort of the compared elements: that of its parts."""
        return next(iter(self.parts())).of

    @property
    @abstractmethod
    def normalized(self) -> bool:
        """True if every self-similarity is 1."""

    @property
    def proper(self) -> bool:
        """True if no similarity exceeds the self-similarity of either element.

        Then the best matching of anything with itself matches every part with
        itself.  One-sided sums and literal ratios of them are not.
        """
        return all(part.proper for part in self.parts())

    @property
    def capped(self) -> bool:
        """True if numerators never exceed the denominators of recall and precision."""
        return all(part.capped for part in self.parts())

    @property
    def sided(self) -> bool:
        """True if recall and precision can have different numerators."""
        return any(part.sided for part in self.parts())

    @property
    def has_variables(self) -> bool:
        """True if there are variables outside of every ``latent``."""
        return any(part.has_variables for part in self.parts())

    def split(self) -> tuple[tuple[Feature, ...], tuple[Similarity, ...]]:
        """The features that must be equal, and the factors that are left."""
        return (), (self,)

    @property
    def countable(self) -> bool:
        """True if it is about the graph and only counts equal keys."""
        return False

    def parts(self) -> Iterator[Similarity]:
        """The similarities that it is made of."""
        return iter(())

    def score(
        self, gold: Any, system: Any, *, budget: Budget | int | None = None
    ) -> Report:
        """Score one system output against its gold standard.

        Args:
            gold: a graph, or an object that ``structures`` lays out as one.
            system: likewise; ``None`` where there is none.
            budget: how much work each search may take, in steps; the default is
                100,000.  Where it does not do, the report is not ``proven`` and
                has the ``gap``.

        Returns:
            Raw counts, precision, recall and F1, and the matching at every level.

        Raises:
            FormulaError: if the formula is not about a whole graph.
            ValueError: if the budget is less than a step.
        """
        report: Report = _operation("score")(self, gold, system, budget)
        return report

    def kernel(self) -> Kernel:
        """Decide if it is a positive definite kernel, with the reason (appendix B).

        Returns:
            A verdict that is true where it is proven to be one; as text it gives the
            lemma for every part.

        Example:
            >>> from graphscore.similarity import exact, f1, label, match, nodes
            >>> print(f1(match(nodes(), exact(label))).kernel())
            kernel    F↔nodes[δ_label]  F of a kernel (Lemma 7)
            kernel      Σ↔nodes[δ_label]  best matching of what is strong (Lemma 5)
            equality      δ_label  equality (Lemma 1)
        """
        made: Kernel = _operation("kernel")(self)
        return made

    def gram(
        self, graphs: Sequence[Any], *, budget: Budget | int | None = None
    ) -> NDArray[np.float64]:
        """The formula's number for every two of some graphs.

        Args:
            graphs: graphs, or objects that ``structures`` lays out as such.
            budget: how much work each search may take, in steps.

        Returns:
            graphs × graphs; rows are the system's side, columns gold's.

        Raises:
            FormulaError: if the formula is not about a whole graph, or a search ends
                without a proof: a bound is no number to learn from.
        """
        result: NDArray[np.float64] = _operation("gram")(self, graphs, budget)
        return result

    def explain(self, gold: Any, system: Any) -> str:
        """The nested alignment of one pair, as text.

        Args:
            gold: a graph, or an object that ``structures`` lays out as one.
            system: likewise.
        """
        return self.score(gold, system).explain()


def require_similarity(
    similarity: Any,
    sort: Sort | None,
    where: str,
    formula: str,
    before: str | None = None,
) -> None:
    """Fail unless *similarity* is a similarity of the right sort.

    Args:
        similarity: what was given.
        sort: what it should compare; ``None`` for anything.
        where: why, for the message.
        formula: the formula as far as it goes.
        before: what of the formula stands before it, see ``FormulaError``.

    Raises:
        FormulaError: if it is none, or compares something else.
    """
    require(
        isinstance(similarity, Similarity),
        f"found {similarity!r}, expected a similarity such as exact(label)",
        formula,
        str(similarity),
        before,
    )
    # Labels of nodes and of edges are features of their own.
    label = {"edge": "edge_label", "node": "label"}.get(sort or "")
    hint = ""
    if label and similarity.of in ("edge", "node") and "label" in str(similarity):
        hint = f"; the label of {ARTICLES[sort or similarity.of]} is {label}"
    require(
        sort is None or similarity.of == sort,
        f"{similarity} compares {ARTICLES[similarity.of]}, expected something that "
        f"compares {ARTICLES[sort or similarity.of]}{where}{hint}",
        formula,
        str(similarity),
        before,
    )


def as_graph(side: Any) -> Graph | None:
    """A graph as it is, anything else laid out as one, ``None`` as ``None``."""
    from graphscore.model.graph import Graph

    if side is None or isinstance(side, Graph):
        return side
    from graphscore.structures.objects.dataclasses import to_graph

    graph: Graph = to_graph(side)
    return graph


def keys_of(
    features: Sequence[Feature], view: View, elements: Elements
) -> list[Hashable]:
    """Return the joint key of each element: the values that must be equal.

    Args:
        features: equal-or-not factors of a formula.
        view: the graph.
        elements: what they are said of.
    """
    columns = [feature.of_all(view, elements) for feature in features]
    return joint_keys(columns, len(elements))


def joint_keys(columns: Sequence[list[Hashable]], size: int) -> list[Hashable]:
    """Return the joint key of each element, from a column for each feature.

    Args:
        columns: of each feature its value of every element.
        size: number of elements, which no feature may tell apart.

    Example:
        >>> joint_keys([["a", "b"]], 2), joint_keys([["a", "b"], [1, 2]], 2)
        (['a', 'b'], [('a', 1), ('b', 2)])
    """
    if len(columns) == 1:
        return columns[0]
    return list(zip(*columns, strict=True)) if columns else [()] * size


def join_size(gold: Sequence[Hashable], system: Sequence[Hashable]) -> int:
    """Count the pairs with equal keys.

    >>> join_size(["a", "b"], ["b", "b"])
    2
    """
    counter = Counter(system)
    return sum(counter[key] for key in gold if key in counter)


def join(
    gold: Sequence[Hashable], system: Sequence[Hashable], requested: Asked
) -> Sparse:
    """The pairs with equal keys.

    Args:
        gold: a key for each gold element.
        system: a key for each system element.
        requested: which pairs are looked at; ``None`` for all.

    Example:
        >>> join(["a", "b"], ["b", "b"], None)
        {(1, 0): 1, (1, 1): 1}
    """
    if requested is not None:
        return {(r, c): 1 for r, c in requested if gold[r] == system[c]}
    index: dict[Hashable, list[int]] = {}
    for c, key in enumerate(system):
        index.setdefault(key, []).append(c)
    sparse: Sparse = {}
    for r, key in enumerate(gold):
        for c in index.get(key, ()):
            sparse[r, c] = 1
    return sparse
