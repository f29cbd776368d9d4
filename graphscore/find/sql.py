"""From a pattern to one SQL statement.

The statement goes from graph to graph (or from pair to pair of an evaluation) and
looks for edges and nodes within each, where tables are clustered.  It is ``cross
join`` that keeps SQLite to the order of tables given here, in which what is rare comes
first; PostgreSQL finds an order of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import NamedTuple

from graphscore.exceptions import UsageError, did_you_mean
from graphscore.find.clauses import Clauses, SearchTarget
from graphscore.find.conditions import Writer
from graphscore.find.documents import Made, begun
from graphscore.find.documents import tables as made_for
from graphscore.find.global_clauses import holds
from graphscore.find.pattern import (
    SIDES,
    PathClause,
    Side,
    Test,
)
from graphscore.find.scope import OTHER, Level, Name, Scope, plain_name

UNIT = ("framework", "language", "document", "item", "layer")
"""Columns of a hit that say where it is."""


Count = Callable[[str, tuple[Test, ...]], float]
"""Function that estimates how many nodes or edges of a graph pass tests."""


class Column(NamedTuple):
    """A node or edge of a hit: what it is, of which side, and its column."""

    what: str
    side: Side
    name: str
    column: str


@dataclass(frozen=True)
class Statement:
    """A compiled pattern.

    Attributes:
        core: the statement: a row for each hit, of ids and ordinals.
        writer: has the values of its parameters.
        columns: the nodes and edges of a hit.
        graphs: the columns of its graphs.
        made: tables that it is asked of besides.
    """

    core: str
    writer: Writer
    columns: tuple[Column, ...]
    graphs: tuple[str, ...]
    made: tuple[Made, ...] = ()

    @property
    def whole(self) -> str:
        """The statement with these tables, as it is by itself."""
        return begun(self.made) + self.core

    @property
    def order(self) -> str:
        """The columns by which hits are ordered."""
        return ", ".join(
            f"h.{name}"
            for name in ("seq", *self.graphs, *(x.column for x in self.columns))
        )

    def graph(self, side: Side) -> str:
        """The column of the graph of a side."""
        return f"h.{side}_graph"

    def column(self, key: str) -> str:
        """The value of what hits are grouped by, such as ``X.label``.

        Args:
            key: a feature of a node or edge, or ``item``, ``framework``...

        Raises:
            UsageError: if there is none.
        """
        if key in UNIT:
            return f"h.{key}"
        side, rest = None, key
        for known_side in SIDES:
            if key.startswith(f"{known_side}."):
                side, rest = known_side, key.removeprefix(f"{known_side}.")
        name, dot, feature = rest.partition(".")
        matching = [
            x for x in self.columns if x.name == name and side in (None, x.side)
        ]
        if not dot or not feature or not matching:
            names = [x.name for x in self.columns if "@" not in x.name]
            keys = [f"{name}.label" for name in dict.fromkeys(names)]
            raise UsageError(
                f"--by {key}: expected a feature of the pattern's "
                f"({', '.join(keys)}…) or one of: "
                f"{', '.join(UNIT)}{did_you_mean(key, keys)}"
            )
        first = matching[0]
        values = self.writer.values_of(
            first.what, self.graph(first.side), f"h.{first.column}", feature
        )
        return f"({values} limit 1)" if feature != "__id__" else f"h.{first.column}"


def compile_pattern(
    scope: Scope, where: SearchTarget, dialect: str, count: Count
) -> Statement:
    """Compile a pattern.

    Args:
        scope: the pattern, with its names.
        where: what is searched.
        dialect: ``sqlite`` or ``postgresql``.
        count: tells how rare something is.

    Raises:
        UsageError: if something is asked that cannot be.
    """
    return _Compiler(scope, where, dialect, count).statement()


class _Element(NamedTuple):
    """A table that is joined: of an edge, or of a node."""

    what: str
    side: Side
    name: str
    alias: str
    tests: tuple[Test, ...]
    source: str = ""
    target: str = ""


class _Compiler(Clauses):
    def __init__(
        self, scope: Scope, where: SearchTarget, dialect: str, count: Count
    ) -> None:
        super().__init__(scope, where, dialect)
        self._count = count
        bound = {side for side, _ in scope.main.new} or {scope.side}
        self._sides = [side for side in SIDES if side in bound]

    def statement(self) -> Statement:
        """The whole."""
        scope, writer = self._scope, self._writer
        main = scope.main
        bound: dict[Name, str] = {}
        tables, conditions = self._level(main, bound)
        for level in scope.filters:
            conditions.append(self._filter(level, bound))
        columns = [
            Column("node", *name, f"n{number}")
            for number, name in enumerate(sorted(main.new, key=lambda x: x[::-1]), 1)
        ]
        columns += [
            Column("edge", *name, f"e{number}")
            for number, name in enumerate(main.edges, 1)
        ]
        own = "p" if self._paired else "g"
        start, first, graphs = self._start()
        if self._where.framework is not None:
            first.append(f"{own}.framework = {writer.parameter(self._where.framework)}")
        first += [
            holds(writer, clause.test, own, graphs[f"{self._sides[0]}_graph"])
            for clause in scope.wholes
        ]
        known = {"node": bound, "edge": self._edges}
        ordinals = [f"{known[x.what][x.side, x.name]} as {x.column}" for x in columns]
        graph_columns = [f"{sql} as {name}" for name, sql in graphs.items()]
        selected = ", ".join(
            [*graph_columns, *(f"{own}.{name}" for name in UNIT), *ordinals]
        )
        joined = "".join(f"\n  cross join {table}" for table in tables)
        condition = "\n  and ".join([*first, *conditions]) or "1 = 1"
        core = f"select {selected}\nfrom {start}{joined}\nwhere {condition}"
        result: tuple[Made, ...] = ()
        if self._where.documents is not None:
            result = made_for(self._where.documents, core, writer.parameter)
        names = tuple(name for name in graphs if name.endswith("_graph"))
        return Statement(core, writer, tuple(columns), names, result)

    def _start(self) -> tuple[str, list[str], dict[str, str]]:
        """Return the tables of the statement, with their conditions and graphs."""
        parameter, where = self._writer.parameter, self._where
        if where.documents is not None:
            # From sentence to sentence; both sides only where both are bound.
            message = " and ".join(f"g.id = s.{side}_graph" for side in self._sides[:1])
            graphs = {f"{side}_graph": f"s.{side}_graph" for side in self._sides}
            columns = ", ".join(
                [*graphs.values(), *(f"g.{name}" for name in UNIT), "g.id as seq"]
            )
            start = "beside s"
            if len(self._sides) == 1:
                [side] = self._sides
                start = f"(select x.graph as {side}_graph from {side}_of x) s"
            graphs = {name: f"p.{name}" for name in graphs}
            start = f"(select {columns} from {start} join graph g on {message}) p"
            return start, [], graphs | {"seq": "p.seq"}
        if self._paired:
            names = ("gold_graph", "system_graph", "result", "seq")
            first = [f"p.evaluation = {parameter(where.evaluation)}"]
            return "pair p", first, {name: f"p.{name}" for name in names}
        [only] = {side for side, _ in self._scope.main.new} or {self._scope.side}
        first = [f"g.collection = {parameter(where.collection)}"]
        return "graph g", first, {f"{only}_graph": "g.id", "seq": "g.id"}

    def _level(
        self, level: Level, bound: dict[Name, str]
    ) -> tuple[list[str], list[str]]:
        """Tables and conditions of a level; what it binds is entered."""
        tables: list[str] = []
        conditions: list[str] = []
        led: list[str] = []
        followed: set[tuple[Side, str, str]] = set()
        for element in self._elements(level, bound):
            graph, alias = self._graph(element.side), element.alias
            if element.what == "path":
                forward = (element.side, element.source) in bound
                source, target = element.source, element.target
                if not forward:
                    source, target = target, source
                node = bound[element.side, source]
                tables.append(self._writer.reached(alias, graph, node, forward))
                bound[element.side, target] = f"{alias}.value"
                conditions += self._distinct((element.side, target), bound)
                followed.add((element.side, element.source, element.target))
                continue
            ends = (
                [("source", element.source), ("target", element.target)]
                if element.what == "edge"
                else [("ordinal", element.name)]
            )
            for name in dict.fromkeys(name for _, name in ends):
                new = (element.side, name)
                counterpart = bound.get((OTHER[element.side], name))
                if counterpart is not None and new not in bound:
                    led.append(m := self._writer.alias("m"))
                    graphs = {side: self._graph(side) for side in SIDES}
                    table, tied = self._writer.corresponding(
                        m, element.side, graphs, counterpart
                    )
                    tables.append(table)
                    conditions += tied
                    bound[new] = f"{m}.{element.side}"
                    conditions += self._distinct(new, bound)
            tables.append(f"{element.what} {alias}")
            conditions.append(f"{alias}.graph = {graph}")
            for column, name in ends:
                own = f"{alias}.{column}"
                known = bound.get((element.side, name))
                if known is not None:
                    conditions.append(f"{own} = {known}")
                    continue
                bound[element.side, name] = own
                conditions += self._distinct((element.side, name), bound)
            if element.what == "edge":
                self._edges[element.side, element.name] = f"{alias}.ordinal"
            conditions += self._writer.tests(
                element.what, alias, graph, f"{alias}.ordinal", element.tests
            )
        if level is self._scope.main and not self._writer.joined:
            # What only has to be there may be so twice.
            last = tables[-1].split()[-1] if tables else ""
            conditions += [self._writer.first(m, last) for m in led]
        conditions += [
            self._condition(side, x, bound)
            for side, x in level.clauses
            if not isinstance(x, PathClause)
            or (side, plain_name(x.source), plain_name(x.target)) not in followed
        ]
        return tables, conditions

    def _elements(self, level: Level, bound: dict[Name, str]) -> list[_Element]:
        """The tables of a level: what is rare and what is tied to others first."""
        left = [
            _Element(
                *("edge", side, name, self._writer.alias("e"), edge.tests),
                *(plain_name(edge.source), plain_name(edge.target)),
            )
            for (side, name), edge in level.edges.items()
        ]
        ends = {(x.side, end) for x in left for end in (x.source, x.target)}
        for side, name in dict.fromkeys([*level.nodes, *level.new]):
            clauses = level.nodes.get((side, name), ())
            tests = tuple(test for clause in clauses for test in clause.tests)
            # An edge binds its ends already.
            if tests or ((side, name) not in ends and (side, name) not in bound):
                alias = self._writer.alias("n")
                left.append(_Element("node", side, name, alias, tests))
        left += self._paths(level, bound)
        elements: list[_Element] = []
        known = set(bound)

        def cost(element: _Element) -> tuple[int, float]:
            names = [element.name]
            if element.what != "node":
                names = [element.source, element.target]
            tied = sum((element.side, name) in known for name in names)
            if element.what == "path":
                # As many as half of all nodes, unless what is rare comes first.
                return (3, self._count("node", ()) / 2) if tied == 1 else (4, 0.0)
            across = any((OTHER[element.side], name) in known for name in names)
            # A node that is known is one row, and only thins out what there is.
            if tied == len(names):
                return 0, 0.0
            rank = 1 if tied else 2 if across else 3
            return rank if known else 1, self._count(element.what, element.tests)

        while left:
            element = min(left, key=cost)
            left.remove(element)
            names = [element.name]
            if element.what != "node":
                names = [element.source, element.target]
            new = {(element.side, name) for name in names} - known
            # A path between nodes that are known is a condition.
            if new or element.what != "path":
                elements.append(element)
            known |= new
        return elements

    def _paths(self, level: Level, bound: dict[Name, str]) -> list[_Element]:
        """Paths that may be followed from one end to the other."""
        both = {*bound, *level.new}
        return [
            _Element("path", side, "", self._writer.alias("f"), (), source, target)
            for side, clause in level.clauses
            if isinstance(clause, PathClause)
            for source, target in [
                (plain_name(clause.source), plain_name(clause.target))
            ]
            # Where the other side has the node, too, correspondences lead to it.
            if source != target
            and not {(OTHER[side], source), (OTHER[side], target)} & both
        ]

    def _distinct(self, new: Name, bound: dict[Name, str]) -> list[str]:
        """Return the conditions that a node differs from those bound already."""
        side, name = new
        free = self._scope.free
        return [
            f"{bound[new]} <> {known}"
            for (other_side, other_name), known in bound.items()
            if other_side == side
            and other_name != name
            and not {name, other_name} & free
        ]

    def _filter(self, level: Level, bound: dict[Name, str]) -> str:
        """A ``with`` or ``without``."""
        edges = dict(self._edges)
        sides = {side for side, _ in (*level.new, *level.clauses)}
        with ExitStack() as stack:
            tables: list[str] = []
            conditions: list[str] = []
            for side in sorted(sides - {*self._sides}):
                hits = stack.enter_context(self._aligned_sentence(side))
                tables, conditions = tables + hits[0], conditions + hits[1]
            more = self._level(level, dict(bound))
            tables, conditions = tables + more[0], conditions + more[1]
        self._edges = edges
        within = f"\n    from {' cross join '.join(tables)}" if tables else ""
        condition = " and ".join(conditions) or "1 = 1"
        exists = "not exists" if level.kind == "without" else self._writer.exists
        return f"{exists} (select 1{within}\n    where {condition})"
