"""Which slots correspond, and which are wrong, as rows.

A gold slot that is not right is *missing*, a system slot *surplus*.  Where the two are
a pair all the same, both rows name each other, and ``name`` says what is wrong:
``type``, ``subtype``, ``label`` (of components), ``boundary``, or two of them, as
``type and boundary``.  The value is the label, or the words where only the boundary is
wrong; of an entity with two types it is both, that of its context first
(``org.adm/loc.adm.town``).  A match and the rows of a pair earn what is left of 1, less
what it costs.
"""

from __future__ import annotations

from collections import Counter

from graphscore.metrics.entities.rows import words_of
from graphscore.metrics.entities.slot_costs import BOUNDARY, NAMES
from graphscore.metrics.entities.slot_view import Held
from graphscore.model.graph import Graph
from graphscore.model.outcome import Error, Match, Side


class SlotRows:
    """Matches and errors of one pair of graphs.

    Args:
        gold: the gold graph.
        system: the system's.
    """

    def __init__(self, gold: Graph, system: Graph) -> None:
        self._gold, self._system = gold, system
        self.matches: list[Match] = []
        self._missing: list[Error] = []
        self._surplus: list[Error] = []

    @property
    def errors(self) -> tuple[Error, ...]:
        """What is missing, then what is surplus."""
        return (*self._missing, *self._surplus)

    def pair(
        self,
        kind: str,
        gold: Held,
        system: Held,
        wrong: int,
        cost: float,
        parent: int | None = None,
    ) -> int:
        """Note a pair.

        Args:
            kind: of slots.
            gold: its gold slot.
            system: its system slot.
            wrong: what is wrong with it; 0 for nothing.
            cost: what it costs.
            parent: the number of the match that it is part of.

        Returns:
            The number of its match.
        """
        level = 0 if parent is None else 1
        ends, credit = (gold.ordinal, system.ordinal), 1.0 - cost
        self.matches.append(Match("node", *ends, credit, parent, level))
        if wrong:
            self._error("missing", kind, gold, *ends, wrong, credit, parent)
            self._error("surplus", kind, system, *ends, wrong, credit, parent)
        return len(self.matches) - 1

    def alone(
        self, side: Side, kind: str, slot: Held, parent: int | None = None
    ) -> None:
        """Note a slot that is left alone.

        Args:
            side: ``missing`` or ``surplus``.
            kind: of slots.
            slot: the slot.
            parent: the number of the match that it is part of.
        """
        one = slot.ordinal if side == "missing" else None
        two = slot.ordinal if side == "surplus" else None
        self._error(side, kind, slot, one, two, 0, 0.0, parent)

    def _error(
        self,
        side: Side,
        kind: str,
        slot: Held,
        gold: int | None,
        system: int | None,
        wrong: int,
        credit: float,
        parent: int | None,
    ) -> None:
        missing = side == "missing"
        graph = self._gold if missing else self._system
        node = graph.nodes[slot.ordinal]
        value = node.label
        if wrong == BOUNDARY:
            value = words_of(graph, node)
        elif len(slot.types) > 1:
            others = Counter(slot.types) - Counter((str(node.label),))
            value = "/".join((str(node.label), *others.elements()))
        if wrong:
            reason = "differs"
        else:
            reason = "no counterpart" if parent is None else "absent"
        rows = self._missing if missing else self._surplus
        rows.append(
            Error(
                side,
                kind,
                "node",
                gold,
                system,
                node.label,
                NAMES[kind][wrong],
                value,
                None,
                reason,
                credit,
                parent,
            )
        )
