"""One item, gold beside system: what corresponds, what matched, what did not.

Works from an :class:`~graphscore.model.outcome.Outcome` alone, so it serves every
metric: matches say which objects stand beside each other, errors say which of
their pieces found nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from graphscore.metrics.base import Metric
from graphscore.model.graph import Graph
from graphscore.model.outcome import Outcome
from graphscore.report.pieces import Half, Wrong, edge_half, node_half, piece_key
from graphscore.report.tables import EMPTY
from graphscore.report.text import Column, Ratio, Table, one_line

SAME, DIFFERENT, MISSING, SURPLUS, UNCOUNTED = "=", "~", "-", "+", " "
"""Marks: matched in full, in part, gold alone, system alone, not counted."""

LEGEND = "= matched   ~ corresponds, but differs   - only gold   + only system"


class Row(NamedTuple):
    """Objects that stand beside each other."""

    mark: str
    gold: Half | None
    system: Half | None


class Comparison:
    """An item of both sides with what a metric found.

    Args:
        gold: the gold graph.
        system: the system graph, or ``None`` where there is none.
        metric: the metric.
        outcome: what it found, with matches and errors.
    """

    def __init__(
        self, gold: Graph, system: Graph | None, metric: Metric, outcome: Outcome
    ) -> None:
        self.gold = gold
        self.system = system if system is not None else Graph(gold.id, gold.framework)
        self.absent = system is None
        self.metric, self.outcome = metric, outcome
        self._wrong: dict[str, Wrong] = {"missing": {}, "surplus": {}}
        self._rivals: dict[int, int] = {}
        for error in outcome.errors:
            ordinal = error.gold if error.side == "missing" else error.system
            if ordinal is not None and error.side in self._wrong:
                objects = self._wrong[error.side]
                key = piece_key(error.kind, error.name, error.value)
                objects.setdefault((error.object, ordinal), {})[key] = error.value
            if (
                (error.object, error.side) == ("edge", "missing")
                and error.gold is not None
                and error.system is not None
            ):
                self._rivals.setdefault(error.gold, error.system)

    def nodes(self) -> list[Row]:
        """Nodes beside their counterparts, gold order, the system's rest last."""
        pairs = self._pairs("node")
        gold, system, wrong = self.gold, self.system, self._wrong
        golds = [node_half(gold, n, wrong["missing"]) for n in range(len(gold.nodes))]
        systems = [
            node_half(system, n, wrong["surplus"]) for n in range(len(system.nodes))
        ]
        return list(_beside(golds, systems, pairs))

    def edges(self) -> list[Row]:
        """Edges beside their counterparts, or beside what joins the same nodes."""
        pairs = self._pairs("edge")
        taken = set(pairs.values())
        for one, two in self._rivals.items():
            if one not in pairs and two not in taken:
                pairs[one] = two
                taken.add(two)
        gold, system, wrong = self.gold, self.system, self._wrong
        gold_nodes = {node.id: node for node in gold.nodes}
        system_nodes = {node.id: node for node in system.nodes}
        golds = [
            edge_half(gold, n, wrong["missing"], gold_nodes)
            for n in range(len(gold.edges))
        ]
        systems = [
            edge_half(system, n, wrong["surplus"], system_nodes)
            for n in range(len(system.edges))
        ]
        return [self._counted(row) for row in _beside(golds, systems, pairs)]

    def _counted(self, row: Row) -> Row:
        """An edge alone that is no error says what another edge said already."""
        half = row.gold or row.system
        alone = row.gold is None or row.system is None
        if alone and half is not None and all(piece.matched for piece in half.pieces):
            return row._replace(mark=UNCOUNTED)
        return row

    def _pairs(self, name: str) -> dict[int, int]:
        return {
            match.gold: match.system
            for match in self.outcome.matches
            if match.object == name
            and match.gold is not None
            and match.system is not None
        }

    def to_dict(self) -> dict[str, Any]:
        """Plain values at full precision."""
        figures = self.metric.figures(self.outcome.masses)
        return {
            "framework": self.gold.framework,
            "language": self.gold.language,
            "item": self.gold.id,
            "document": self.gold.document,
            **({"layer": self.gold.layer} if self.gold.layer else {}),
            "text": self.gold.text or self.system.text,
            "metric": str(self.metric),
            "missing": self.absent,
            "score": self.outcome.score,
            "bound": self.outcome.bound,
            "proven": self.outcome.proven,
            "method": self.outcome.method,
            "steps": self.outcome.steps,
            "counts": {kind: each.to_dict() for kind, each in figures.counts.items()},
            "nodes": [_row_dict(row) for row in self.nodes()],
            "edges": [_row_dict(row) for row in self.edges()],
            "errors": [error._asdict() for error in self.outcome.errors],
        }

    def flat(self) -> Iterator[tuple[Any, ...]]:
        """One row per object and side: framework, item, object, mark and text."""
        for name, rows in (("node", self.nodes()), ("edge", self.edges())):
            for row in rows:
                for side, half, sign in (
                    ("gold", row.gold, MISSING),
                    ("system", row.system, SURPLUS),
                ):
                    if half is not None:
                        head = (self.gold.framework, self.gold.id, name, row.mark, side)
                        yield (*head, half.id, _pieces(half, sign))

    def tables(self) -> list[Table]:
        """Head with text and proof, nodes, edges, counts per kind."""
        proof = f"proven optimal ({self.outcome.method}, {self.outcome.steps} steps)"
        if not self.outcome.proven:
            proof = f"unproven: {self.outcome.score:g}, at most {self.outcome.bound:g}"
        kind = ", ".join(filter(None, (self.gold.framework, self.gold.layer)))
        head = Table(
            [],
            title=f"{self.gold.id} ({kind}), {self.metric}: {proof}",
            notes=[one_line(self.gold.text or self.system.text)],
        )
        if self.absent:
            head.notes.append("the system has no such graph")
        columns = ["", "id", "gold", "id", "system"]
        nodes = Table([*map(Column, columns)], title="Nodes", notes=[LEGEND])
        nodes.rows = [_cells(row) for row in self.nodes()]
        edges = Table([Column(""), Column("gold"), Column("system")], title="Edges")
        edges.rows = [_edge_cells(row) for row in self.edges()]
        return [head, nodes, edges, self._counts()]

    def _counts(self) -> Table:
        names = ("gold", "system", "matched", "P", "R", "F1")
        table = Table([Column("kind"), *(Column(name, True) for name in names)])
        applicable = {*self.metric.applicable(self.gold.framework), "all"}
        for kind, count in self.metric.figures(self.outcome.masses).counts.items():
            if kind not in applicable and not (count.gold or count.system):
                continue
            ratios: tuple[Any, ...] = (EMPTY, EMPTY, EMPTY)
            if count.gold or count.system:
                ratios = (Ratio(count.precision), Ratio(count.recall), Ratio(count.f1))
            amounts = (count.gold, count.system, count.matched)
            table.rows.append((kind, *amounts, *ratios))
        return table


def _beside(
    golds: list[Half], systems: list[Half], pairs: dict[int, int]
) -> Iterator[Row]:
    for half in golds:
        other = pairs.get(half.ordinal)
        if other is None:
            yield Row(MISSING, half, None)
        else:
            both = (*half.pieces, *systems[other].pieces)
            mark = SAME if all(piece.matched for piece in both) else DIFFERENT
            yield Row(mark, half, systems[other])
    taken = set(pairs.values())
    for half in systems:
        if half.ordinal not in taken:
            yield Row(SURPLUS, None, half)


def _pieces(half: Half | None, sign: str) -> str:
    return "" if half is None else " ".join(piece.text(sign) for piece in half.pieces)


def _cells(row: Row) -> tuple[Any, ...]:
    cells: list[Any] = [row.mark]
    for half, sign in ((row.gold, MISSING), (row.system, SURPLUS)):
        text = _pieces(half, sign)
        if half is not None and half.place:
            text += f' "{half.place}"'
        cells += ["" if half is None else str(half.id), text]
    return tuple(cells)


def _edge_cells(row: Row) -> tuple[str, str, str]:
    shown = [
        "" if half is None else f"{half.place}  {_pieces(half, sign)}"
        for half, sign in ((row.gold, MISSING), (row.system, SURPLUS))
    ]
    return row.mark, shown[0], shown[1]


def _row_dict(row: Row) -> dict[str, Any]:
    return {
        "mark": row.mark,
        "gold": _half_dict(row.gold),
        "system": _half_dict(row.system),
    }


def _half_dict(half: Half | None) -> dict[str, Any] | None:
    if half is None:
        return None
    return half._asdict() | {"pieces": [piece._asdict() for piece in half.pieces]}
