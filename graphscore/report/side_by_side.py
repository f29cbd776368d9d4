"""One item, gold beside system: what corresponds, what matched, what did not.

Works from an :class:`~graphscore.model.outcome.Outcome` alone, so it serves every
metric: matches say which objects stand beside each other, errors say which of
their pieces found nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from graphscore.evaluation.unit import COLLECTION
from graphscore.exceptions import amount
from graphscore.metrics.base import Metric, unit_of
from graphscore.model.document import lent
from graphscore.model.graph import Graph, NodeId
from graphscore.model.normalize import counted_role
from graphscore.model.outcome import Count, Outcome
from graphscore.report.element_values import (
    DIFFERENT,
    LEGEND,
    LONG,
    MISSING,
    SAME,
    SPURIOUS,
    UNCOUNTED,
    SideElement,
    Wrong,
    edge_half,
    marked,
    node_half,
    piece_key,
    untagged,
)
from graphscore.report.item_view.clusters import clusters_of
from graphscore.report.item_view.roles import roles_of
from graphscore.report.item_view.slots import beyond_slots, slots_of
from graphscore.report.item_view.underlined import spans_of, underlined
from graphscore.report.item_view.words import words_of
from graphscore.report.table import COUNTED, Column, Table, one_line
from graphscore.report.tables import EMPTY
from graphscore.structures.layout import KIND, MENTION, NER

WIDTH = 80
"""Characters of a line where nobody says how many there are."""

_MENTION = KIND, MENTION

ARROW = " -> "
"""Between what an edge joins."""

LEAST, SAID = 12, 14
"""Characters of an end that are always shown, and that what an edge says may take."""

ABSENT = "the system has no such graph"


FLAT = ("framework", "item", "object", "mark", "side", "id", "pieces", "credit")
"""Columns of objects beside each other as rows."""


class Row(NamedTuple):
    """Objects that stand beside each other."""

    mark: str
    gold: SideElement | None
    system: SideElement | None
    credit: float | None = None
    """Partial credit of objects that differ, where the metric gives any."""


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
        self._wrong: dict[str, Wrong] = {"missing": {}, "spurious": {}}
        self._rivals: dict[int, int] = {}
        self._credits: dict[tuple[str, int, int], float] = {}
        for error in outcome.errors:
            ordinal = error.gold if error.error_type == "missing" else error.system
            if ordinal is not None and error.error_type in self._wrong:
                objects = self._wrong[error.error_type]
                value = error.value
                if counted_role(error.label, error.compared) == value:
                    # Graphs have an inverted role as it is written.
                    value = error.label
                key = piece_key(error.tuple_type, error.name, value)
                objects.setdefault((error.object, ordinal), {})[key] = value
            if error.gold is not None and error.system is not None:
                # Of an object's errors each has what the object earns.
                both = error.object, error.gold, error.system
                if error.error_type == "partial" or error.credit:
                    self._credits[both] = max(
                        self._credits.get(both, 0.0), error.credit
                    )
            if (
                (error.object, error.error_type) == ("edge", "missing")
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
            node_half(system, n, wrong["spurious"]) for n in range(len(system.nodes))
        ]
        rows = [
            self._counted(row) for row in self._beside("node", golds, systems, pairs)
        ]
        return _aligned(rows, (_said, _standing))

    def edges(self) -> list[Row]:
        """Edges beside their counterparts, or beside what joins the same nodes."""
        pairs = self._pairs("edge")
        taken = set(pairs.values())
        for key, rival in self._rivals.items():
            if key not in pairs and rival not in taken:
                pairs[key] = rival
                taken.add(rival)
        gold, system, wrong = self.gold, self.system, self._wrong
        gold_nodes = {node.id: node for node in gold.nodes}
        system_nodes = {node.id: node for node in system.nodes}
        golds = [
            edge_half(gold, n, wrong["missing"], gold_nodes)
            for n in range(len(gold.edges))
        ]
        systems = [
            edge_half(system, n, wrong["spurious"], system_nodes)
            for n in range(len(system.edges))
        ]
        rows = [
            self._counted(row) for row in self._beside("edge", golds, systems, pairs)
        ]
        # Ends are numbers of rows of nodes, which are the same for counterparts.
        ends: tuple[dict[NodeId | None, int], ...] = {}, {}
        for number, row in enumerate(self.nodes()):
            for half, ids in zip((row.gold, row.system), ends, strict=True):
                if half is not None:
                    ids[half.id] = number

        def joined(half: SideElement, side: int) -> Hashable:
            edge = (system if side else gold).edges[half.ordinal]
            return ends[side][edge.source], ends[side][edge.target]

        def labelled(half: SideElement, side: int) -> Hashable:
            return joined(half, side), _said(half, side)

        return _aligned(rows, (labelled, joined))

    def _beside(
        self,
        name: str,
        golds: list[SideElement],
        systems: list[SideElement],
        pairs: dict[int, int],
    ) -> Iterator[Row]:
        """Objects beside their counterparts, gold order, the system's rest last."""
        for half in golds:
            opposite = pairs.get(half.ordinal)
            if opposite is None:
                yield Row(MISSING, half, None)
                continue
            both = (*half.pieces, *systems[opposite].pieces)
            credit = self._credits.get((name, half.ordinal, opposite))
            whole = credit is None and all(piece.matched for piece in both)
            yield Row(SAME if whole else DIFFERENT, half, systems[opposite], credit)
        taken = set(pairs.values())
        for half in systems:
            if half.ordinal not in taken:
                yield Row(SPURIOUS, None, half)

    def _counted(self, row: Row) -> Row:
        """An object alone that is no error is none that the metric counts.

        So is an edge that says what another edge said already.  A node that says
        nothing could be wrong in nothing, and is there on one side all the same.
        """
        half = row.gold or row.system
        if half is None or (row.gold is not None and row.system is not None):
            return row
        says = half.pieces or half.id is None
        if says and all(piece.matched for piece in half.pieces):
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
        scores = self.metric.scores(self.outcome.raw_counts)
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
            "counts": {
                tuple_type: count.to_dict()
                for tuple_type, count in scores.counts.items()
            },
            "nodes": [_row_dict(row) for row in self.nodes()],
            "edges": [_row_dict(row) for row in self.edges()],
            "errors": [error._asdict() for error in self.outcome.errors],
        }

    @property
    def note(self) -> str:
        """Note on an item that a metric of whole collections sees alone."""
        if unit_of(self.metric) != "collection" or self.gold.id == COLLECTION:
            return ""
        return (
            f"{self.metric} compares whole collections; {self.gold.id} is compared "
            f"as if it were all, {COLLECTION} shows all"
        )

    @property
    def running_text(self) -> str:
        """Text of the item on one line."""
        return _running(self.gold.text or self.system.text)

    def flat(self) -> Iterator[tuple[Any, ...]]:
        """One row per object and side: framework, item, object, mark and text."""
        for name, rows in (("node", self.nodes()), ("edge", self.edges())):
            for row in rows:
                for side, half, sign in (
                    ("gold", row.gold, MISSING),
                    ("system", row.system, SPURIOUS),
                ):
                    if half is not None:
                        head = (self.gold.framework, self.gold.id, name, row.mark, side)
                        yield (*head, half.id, _pieces(half, sign), row.credit)

    def tables(self, width: int = WIDTH, *, verbose: bool = False) -> list[Table]:
        """Head with text and proof, nodes, edges, counts per tuple type.

        Words of dependencies, entities of coreference, templates and roles have a
        table of their own, which stands for nodes and edges.

        Args:
            width: characters of a line; the ends of edges are cut to fit.
            verbose: whether nodes and edges are there all the same.
        """
        proof = f"proven optimal ({self.outcome.method}, {self.outcome.steps} steps)"
        if not self.outcome.proven:
            proof = f"unproven: {self.outcome.score:g}, at most {self.outcome.bound:g}"
        where = ", ".join(filter(None, (self.gold.framework, self.gold.layer)))
        head = Table(
            [],
            title=f"{self.gold.id} ({where}), {self.metric}: {proof}",
        )
        spans = self._spans(width)
        if self.running_text and not spans:
            head.notes.append(self.running_text)
        if self.absent:
            head.notes.append(ABSENT)
        head.notes.append(amount(len(self.outcome.errors), "error"))
        rows, edge_rows = self.nodes(), self.edges()
        sides = self.gold, self.system
        shown = words_of(rows, sides) or clusters_of(rows, sides)
        shown = shown or roles_of(rows, edge_rows, sides)
        others: Sequence[Row] = rows if verbose or not shown else []
        if not shown:
            shown = slots_of(rows, edge_rows, sides)
            others = rows if verbose or not shown else beyond_slots(rows, sides)
        whole = others is rows
        if others:
            columns = ["", "id", "gold", "id", "system"]
            nodes = Table([*map(Column, columns)], title="Nodes")
            if self.gold.framework == NER:
                others = [
                    row._replace(gold=untagged(row.gold), system=untagged(row.system))
                    for row in others
                ]
            nodes.rows = [_cells(row) for row in others]
            shown = [*shown, nodes]
        if whole and edge_rows:
            shown = [*shown, _edge_table(edge_rows, width)]
        if shown:
            shown[0].notes.insert(0, LEGEND)
        counts = self.metric.scores(self.outcome.raw_counts).counts
        return [head, *spans, *shown, self._counts(counts)]

    def _spans(self, width: int) -> list[Table]:
        """The text with the spans of both sides, where they are of one text."""
        text = self.gold.text
        if not text or (self.system.text or text) != text:
            return []
        counted = [row for row in self.nodes() if row.mark != UNCOUNTED]
        golds, systems = (
            [(half.ordinal, row.mark) for half, row in halves if half is not None]
            for halves in (
                [(row.gold, row) for row in counted],
                [(row.system, row) for row in counted],
            )
        )
        gold, system = lent(self.gold, self.system)
        spans = spans_of(gold, golds), spans_of(system, systems)
        if not any(spans):
            return []
        lines = underlined(text, *spans, width)
        return [Table([], title="Spans", listing="\n".join(lines))]

    def _counts(self, counts: Mapping[str, Count]) -> Table:
        table = Table([Column("tuple_type"), *COUNTED])
        applicable = {*self.metric.applicable(self.gold.framework), "all"}
        for tuple_type, count in counts.items():
            if tuple_type not in applicable and not (count.gold or count.system):
                continue
            ratios: tuple[Any, ...] = (EMPTY, EMPTY, EMPTY)
            if count.gold or count.system:
                ratios = (count.precision, count.recall, count.f1)
            amounts = (count.gold, count.system, count.matched)
            table.rows.append((tuple_type, *amounts, *ratios))
        return table


def _aligned(
    rows: list[Row], keys: Iterable[Callable[[SideElement, int], Hashable]]
) -> list[Row]:
    """Rows with what is not counted beside the like of it on the other side.

    Args:
        rows: in order, the system's alone last.
        keys: what makes two alike of a half and its side (0 is gold), the closest
            likeness first; ``None`` is like nothing.
    """
    alone = [row for row in rows if row.mark == UNCOUNTED]
    partners: dict[int, SideElement] = {}
    left = [row.system for row in alone if row.system is not None]
    for key in keys:
        unpaired: dict[Hashable, deque[SideElement]] = {}
        for half in left:
            unpaired.setdefault(key(half, 1), deque()).append(half)
        unpaired.pop(None, None)
        for row in alone:
            if row.gold is None or row.gold.ordinal in partners:
                continue
            if candidates := unpaired.get(key(row.gold, 0)):
                partners[row.gold.ordinal] = candidates.popleft()
        taken = {half.ordinal for half in partners.values()}
        left = [half for half in left if half.ordinal not in taken]
    beside = {half.ordinal for half in partners.values()}
    aligned = []
    for row in rows:
        if row.mark == UNCOUNTED and row.gold is not None:
            row = row._replace(system=partners.get(row.gold.ordinal))
        elif row.mark == UNCOUNTED and row.system and row.system.ordinal in beside:
            continue
        aligned.append(row)
    return aligned


def _said(half: SideElement, side: int) -> Hashable:
    return tuple(
        piece_key(piece.tuple_type, piece.name, piece.value) for piece in half.pieces
    )


def _standing(half: SideElement, side: int) -> Hashable:
    """Return the position of a node, and its tuple type if it has one."""
    known = {(piece.tuple_type, piece.name): piece.value for piece in half.pieces}
    anchors = known.get(("anchors", ""))
    return (
        None if anchors is None else (anchors, str(known.get(("properties", "kind"))))
    )


def _pieces(half: SideElement | None, sign: str) -> str:
    return "" if half is None else " ".join(piece.text(sign) for piece in half.pieces)


def _running(text: str) -> str:
    """A text on one line, without the ends of its lines."""
    return one_line(" ".join(text.splitlines()).rstrip())


def _in_words(half: SideElement | None, sign: str) -> str:
    """Describe a node; that words are a mention is implied."""
    if half is None:
        return ""
    return " ".join(
        piece.text(sign)
        for piece in half.pieces
        if not (half.place and piece.matched and (piece.name, piece.value) == _MENTION)
    )


def _cells(row: Row) -> tuple[Any, ...]:
    cells: list[Any] = [marked(row.mark, row.credit)]
    for half, sign in ((row.gold, MISSING), (row.system, SPURIOUS)):
        text = _in_words(half, sign)
        # A word is there once, whichever piece says it.
        if half is not None and half.place and half.place not in _values(half):
            text += f' "{half.place}"'
        cells += ["" if half is None else str(half.id), text.strip()]
    return tuple(cells)


def _values(half: SideElement) -> set[str]:
    return {one_line(str(piece.value), LONG) for piece in half.pieces}


def _edge_table(rows: Sequence[Row], width: int) -> Table:
    """Edges, with what they say below what the edges above them say."""
    columns = ["", "gold", "", "system", ""]
    table = Table([*map(Column, columns)], title="Edges")
    halves = [half for row in rows for half in (row.gold, row.system) if half]
    most = max((_room_of(half) for half in halves), default=0)
    says = max((len(_pieces(half, MISSING)) for half in halves), default=0)
    # A mark, and on each side two ends, an arrow between them, and what it says.
    left = (
        width - max((len(marked(row.mark, row.credit)) for row in rows), default=0) - 4
    )
    room = max((left - 2 * (min(says, SAID) + len(ARROW))) // 4, LEAST)
    for row in rows:
        cells: list[str] = [marked(row.mark, row.credit)]
        for half, sign in ((row.gold, MISSING), (row.system, SPURIOUS)):
            words = half.place if half else ""
            if most > 2 * room + len(ARROW):
                ends = words.split(ARROW)
                words = ARROW.join(one_line(end, room) for end in ends)
            cells += [words, _pieces(half, sign)]
        table.rows.append(tuple(cells))
    return table


def _room_of(half: SideElement) -> int:
    from rich.cells import cell_len

    return cell_len(half.place)


def _row_dict(row: Row) -> dict[str, Any]:
    return {
        "mark": row.mark,
        "credit": row.credit,
        "gold": _half_dict(row.gold),
        "system": _half_dict(row.system),
    }


def _half_dict(half: SideElement | None) -> dict[str, Any] | None:
    if half is None:
        return None
    return half._asdict() | {"pieces": [piece._asdict() for piece in half.pieces]}
