"""The errors of one unit as rows, and the most frequent ones of a result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from graphscore.drawing.styles import GLYPHS, Standing
from graphscore.drawing.svg import shortened
from graphscore.exceptions import amount
from graphscore.metrics.corrections import confused, spelled
from graphscore.model.graph import Graph, Node, NodeId, Value, json_type, unlabelled
from graphscore.model.outcome import Count, Error
from graphscore.report.table import (
    Bar,
    Cell,
    Column,
    Table,
    columns_of,
    one_line,
    without_constants,
)
from graphscore.store.read.frequent import ERROR_GROUPS
from graphscore.structures.layout import TEXT, first_of

if TYPE_CHECKING:
    from graphscore.evaluation.result import Result
    from graphscore.report.page.report_data import Item, ReportData

TOP = 20
"""Groups of errors that are listed."""

TELLING = 3
"""Errors that are told of an item, and groups of errors of a result."""

LINKED = 8
"""Items that a group of errors links to."""

NAME = 20
"""Characters of their names."""

LISTED = 60
"""Errors that are listed of a unit."""

SHORT = 40
"""Characters of the words of a node."""


class ErrorLine(NamedTuple):
    """Row of an object: an error, or several of one mark."""

    glyph: str
    name: str
    """The name, or the tuple type of what has none; several have commas between."""
    gold: str
    """Gold value; empty where there is none."""
    system: str
    """System value."""
    where: str
    """The words of a node; what an edge joins."""
    change: str = ""
    """Change of its status, where systems are compared."""


Status = Callable[[Error], str]
"""Function from an error to its status."""


def error_lines(
    errors: Sequence[Error],
    gold: Graph | None,
    system: Graph | None,
    status: Status | None = None,
) -> list[ErrorLine]:
    """Return the lines of errors, one for each object that one side alone has.

    What stands where something else does has a line of its own, with both.

    Args:
        errors: of one unit.
        gold: its graph, which says where errors are; unknown without.
        system: the system's.
        status: says what has become of an error.
    """
    names = (
        None if gold is None else _Names(gold),
        None if system is None else _Names(system),
    )
    beside = confused(errors)
    lines_by_object: dict[Any, list[ErrorLine]] = {}
    for number, error in enumerate(errors):
        rival = errors[beside[number][0]] if number in beside else None
        if rival is not None and error.error_type == "spurious":
            # It stands beside what is missing.
            continue
        own, opposite = _said(error), _said(rival) if rival else ""
        if rival is not None and own == opposite:
            own, opposite = _differing(error, rival) or (own, opposite)
        if error.error_type == "partial":
            opposite = f"≈ {error.credit:.3g}"
        if error.error_type == "spurious":
            own, opposite = "", own
        where = _where(error, names)
        name = error.name or error.tuple_type
        both = filter(None, (error, rival))
        changes = dict.fromkeys(status(x) for x in both) if status else {}
        change = ", ".join(changes)
        line = ErrorLine(_glyph(error, rival), name, own, opposite, where, change)
        # Where several tuple types count one difference of an object, it is said once.
        beside_it = None if rival is None else rival.system
        of = error.error_type, error.object, error.gold, error.system, beside_it
        alone = rival is None and error.error_type != "partial"
        lines_by_object.setdefault(of if alone else (*of, line), []).append(line)
    return [_joined(lines) for lines in lines_by_object.values()]


def _differing(error: Error, rival: Error) -> tuple[str, str] | None:
    """Return the values or labels in which two errors of one value differ."""
    for left, right in ((error.compared, rival.compared), (error.label, rival.label)):
        if None not in (left, right) and left != right:
            return spelled(left), spelled(right)
    return None


def _joined(lines: Sequence[ErrorLine]) -> ErrorLine:
    """Several lines of one object as one."""
    if len(lines) == 1:
        return lines[0]
    tuple_types, golds, systems, changes = (
        ", ".join(filter(None, dict.fromkeys(line[place] for line in lines)))
        for place in (1, 2, 3, 5)
    )
    first = lines[0]
    return ErrorLine(first.glyph, tuple_types, golds, systems, first.where, changes)


def _glyph(error: Error, rival: Error | None) -> str:
    standing: Standing = "missing" if error.error_type == "missing" else "spurious"
    if error.error_type == "partial":
        standing = "part"
    elif rival is not None:
        standing = "boundary" if error.tuple_type == "anchors" else "label"
    return GLYPHS[standing]


def _said(error: Error) -> str:
    """The value; the label of what has none."""
    value: Value = error.label if error.value is None else error.value
    if error.tuple_type == "tops" and value in (None, ""):
        return "top"
    return unlabelled(value, error.name) or spelled(value)


class _Names:
    """Names of the nodes and edges of a graph.

    Args:
        graph: the graph.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._ordinals = graph.ordinals()
        self._held: dict[NodeId, list[NodeId]] = {}
        for edge in graph.edges:
            # What a unit shares with another one, which holds it, is not its own.
            if ("remote", True) not in edge.attributes:
                self._held.setdefault(edge.source, []).append(edge.target)

    def of(self, thing: str, ordinal: int) -> str | None:
        """The words of a node, or what an edge joins.

        Args:
            thing: ``node`` or ``edge``; of anything else nothing is said.
            ordinal: its position among its tuple type.
        """
        graph = self._graph
        if thing == "node" and ordinal < len(graph.nodes):
            return self._named(graph.nodes[ordinal])
        if thing == "edge" and ordinal < len(graph.edges):
            edge = graph.edges[ordinal]
            ends = (self._ordinals[end] for end in (edge.source, edge.target))
            return " → ".join(self._labelled(graph.nodes[end]) for end in ends)
        return None

    def _named(self, node: Node) -> str:
        """The words of a node, its label, the words below a bare one, or its id."""
        text = self._graph.text
        words = " ".join(filter(None, (text[a:b] for a, b in node.anchors)))
        named = words or ("" if node.label is None else str(node.label))
        return one_line(named or self._below(node) or str(node.id), SHORT)

    def _below(self, node: Node) -> str:
        """The words of what a bare node holds, a unit or an entity, in their order."""
        reached, waiting = {node.id}, [node.id]
        while waiting:
            for id in self._held.get(waiting.pop(), ()):
                if id not in reached:
                    reached.add(id)
                    waiting.append(id)
        graph, ordinals = self._graph, self._ordinals
        ordinals_below = sorted(ordinals[id] for id in reached if id in ordinals)
        below = [graph.nodes[ordinal] for ordinal in ordinals_below]
        ranges = sorted({ordinal for each in below for ordinal in each.anchors})
        pieces, end = [], 0
        for first, last in ranges:
            if last > end:
                pieces.append(graph.text[max(first, end) : last].strip())
                end = last
        # Mentions may have a string and no place.
        strings = [first_of(each.properties, TEXT) for each in below]
        return " ".join(filter(None, pieces)) or " / ".join(
            dict.fromkeys(str(string) for string in strings if string)
        )

    def _labelled(self, node: Node) -> str:
        """The label of a node, which words may share; else what it is called."""
        return one_line(str(node.label), SHORT) if node.label else self._named(node)


def _where(error: Error, names: tuple[_Names | None, _Names | None]) -> str:
    """The words of a node, or what an edge joins, on the side that has it."""
    sides = ((names[0], error.gold), (names[1], error.system))
    for side, ordinal in sides if error.error_type != "spurious" else reversed(sides):
        if side is not None and ordinal is not None:
            called = side.of(error.object, ordinal)
            if called is not None:
                return called
    return ""


class ErrorTable(NamedTuple):
    """The errors of one unit, as pages list them."""

    title: str
    columns: tuple[str, ...]
    lines: list[tuple[str, ...]]
    rest: int
    """Number of lines that are left out."""
    nothing: str
    """Text where there are no errors."""


def error_table(
    errors: Sequence[Error],
    gold: Graph | None,
    system: Graph | None,
    status: Status | None = None,
    count: Count | None = None,
) -> ErrorTable:
    """The errors of one unit as a table.

    Args:
        errors: they.
        gold: its graph, if it is there.
        system: likewise.
        status: says what has become of an error.
        count: what stands for the metric, which may name no errors of some tuple types.
    """
    lines = error_lines(errors, gold, system, status)
    whole = count is None or count.f1 == 1 or not (count.gold or count.system)
    columns = ("tuple_type", "gold", "system", "where", "change")
    shown = len(ErrorLine._fields) - (status is None)
    return ErrorTable(
        amount(len(errors), "error"),
        columns[: shown - 1],
        [line[:shown] for line in lines[:LISTED]],
        max(0, len(lines) - LISTED),
        "no errors" + ("" if whole else " are listed: pictures show what differs"),
    )


Group = tuple[Any, ...]
"""Framework, tuple type, side, name and value as text."""


def _groups(item: Item, place: int, result: Result) -> Iterator[Group]:
    """The groups of errors that a system has in an item."""
    for seen in item.seen:
        if seen.system != place or seen.metric != result.metric:
            continue
        for error in seen.result.errors:
            value = None if error.value is None else json_type(error.value)[1]
            yield (
                seen.result.framework,
                error.tuple_type,
                error.error_type,
                error.name,
                value,
            )


def frequent_tables(findings: ReportData) -> Iterator[Table]:
    """Yield the most frequent errors of every result, with the items that have them.

    Args:
        findings: what a report tells.
    """
    for number, (place, result) in enumerate(findings.every, 1):
        frequent = result.errors.frequent(ERROR_GROUPS, TOP)
        if frequent.rows:
            yield _frequent(findings, place, result, frequent.rows, number)
        else:
            yield Table([], title=f"{result.system}, {result.metric}: no errors")


def _frequent(
    findings: ReportData,
    place: int,
    result: Result,
    groups: Sequence[tuple[Any, ...]],
    number: int,
) -> Table:
    having: dict[Group, dict[int, Item]] = {}
    for item in findings.items:
        for group in _groups(item, place, result):
            having.setdefault(group, {}).setdefault(item.number, item)
    most = max(row[-2] for row in groups)
    heads = [*map(Column, ERROR_GROUPS), Column("errors", "count"), Column("")]
    table = Table(
        [*heads, *columns_of("text", "instead", "items")], name="frequent records"
    )
    shown_of = f", the first {TOP} groups" if len(groups) == TOP else ""
    errors = f"{len(result.errors)} errors{shown_of}"
    table.title = f"{result.system}, {result.metric}: {errors}"
    for index, (*cells, times, instead) in enumerate(groups):
        items = [*having.get(tuple(cells), {}).values()]
        row = (*cells, times, Bar(times / most), instead, _links(items))
        table.rows.append(row)
        table.ids[index] = f"e{number}-{index + 1}"
    return without_constants(table)


def telling(errors: Sequence[ErrorLine]) -> list[str]:
    """The most telling errors in words: confusions, then values, then places.

    Args:
        errors: of one unit, as :func:`error_lines` has them.
    """
    order = sorted(
        errors,
        key=lambda line: (
            not (line.gold and line.system),
            line.name == "anchors",
        ),
    )
    lines = []
    for line in order[:TELLING]:
        both = line.gold, line.system
        values = " → ".join(both) if all(both) else " ".join(filter(None, both))
        where = f" ({line.where})" if line.where and line.where not in values else ""
        lines.append(f"{line.glyph} {line.name} {values}{where}")
    return lines


def look_at(findings: ReportData) -> list[Cell]:
    """Return links to the most frequent errors.

    Args:
        findings: what a report tells.
    """
    links = []
    for number, (_, result) in enumerate(findings.every, 1):
        frequent = result.errors.frequent(ERROR_GROUPS, TELLING)
        for row_number, row in enumerate(frequent.rows, 1):
            framework, *cells, times, _ = row
            if len(result.frameworks) > 1:
                cells.insert(0, framework)
            named = " ".join(str(cell) for cell in cells if cell not in (None, ""))
            whose = f"{result.system}: " if findings.several else ""
            text = f"{whose}{times} × {named}"
            links.append(Cell(text, f"#e{number}-{row_number}"))
    return links


def _links(items: Sequence[Item]) -> list[Cell]:
    links = [Cell(shortened(item.name, NAME), f"#{item.id}") for item in items[:LINKED]]
    rest = len(items) - LINKED
    return [*links, Cell(f"and {rest} more")] if rest > 0 else links
