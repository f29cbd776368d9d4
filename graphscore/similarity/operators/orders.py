"""Orders that matched members have in common: sequences and preorders (eq. 37).

Matched elements must stand in the same order on both sides: *u* before *u'* if
and only if their partners are.  For nodes of a graph, *before* is reachability along
edges, so nodes on a cycle are before one another.
"""

from __future__ import annotations

from typing import ClassVar

from graphscore.model.graph import Value
from graphscore.similarity.expression import ARTICLES, Expression, Notation, require
from graphscore.similarity.navigation.collections import Collection


class Order(Expression, frozen=True):
    """Base of orders."""

    words: ClassVar[str] = "in an order that both sides keep"
    """Phrase for a matching that keeps the order."""

    def check(self, collection: Collection, formula: str) -> None:
        """Fail unless the members of a collection can have this order.

        Raises:
            FormulaError: if they cannot.
        """

    def spell(self, notation: Notation) -> str:
        """The sign for an order that is kept."""
        return "≤" if not notation.latex else r"\leq"


class InSequence(Order, frozen=True):
    """The order in which members stand: that of nodes, edges, or of a list."""

    def __repr__(self) -> str:
        return "in_sequence"


in_sequence = InSequence()
"""The order in which members stand."""


class Reachable(Order, frozen=True):
    """A node is before all that can be reached from it, itself included.

    Args:
        label: only along edges with this label.
    """

    call: ClassVar[str] = "reachable"

    label: Value = None

    def check(self, collection: Collection, formula: str) -> None:
        """Only nodes can be reached.

        Raises:
            FormulaError: if the members are something else.
        """
        require(
            collection.yields == "node",
            f"{collection} leads to {ARTICLES[collection.yields]}, expected nodes: "
            "only they can be reached along edges",
            formula,
            str(collection),
        )


reachable = Reachable
