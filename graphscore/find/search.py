"""Running a pattern: on which collections, and what is found there."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sqlalchemy import Connection, text

from graphscore.exceptions import UsageError, amount, did_you_mean
from graphscore.find import documents
from graphscore.find.clauses import SearchTarget
from graphscore.find.conditions import Writer, literal_sql
from graphscore.find.documents import WORDS, Documents, documents_of
from graphscore.find.grammar import parse
from graphscore.find.hints import unknown
from graphscore.find.pattern import Pattern, Regex, Side, Test
from graphscore.find.scope import Scope, scope_of
from graphscore.find.sql import UNIT, Column, Statement, compile_pattern
from graphscore.metrics.base import Metric, unit_of
from graphscore.metrics.registry import parse as parse_metric
from graphscore.metrics.registry import stored_metric
from graphscore.rows import brief
from graphscore.store.evaluations import find_evaluations
from graphscore.store.read.expressions import teach
from graphscore.store.read.queries import literal
from graphscore.store.write.rows import find_collection

SAMPLED = 200
"""Graphs that are looked at to see which labels are rare."""

STREAMED = {"stream_results": True}
"""Has rows come as they are asked for."""


class Sides(NamedTuple):
    """Names of the collections and the evaluation to search.

    Args:
        gold: the gold collection, or the only one.
        system: the system collection, where one is searched.
        metric: of the evaluation, where something of it is asked for.
        scope: of the evaluation, where there are several by that metric.
    """

    gold: str | None = None
    system: str | None = None
    metric: str | None = None
    scope: str | None = None


@dataclass(repr=False)
class Hits:
    """Hits of a pattern.

    Attributes:
        hits: how often it matches.
        items: a dictionary for each hit that was asked for: where it is, and the nodes
            and edges that it binds.
        groups: how many hits each combination of what it was grouped by has.
        sql: the statement, with its values written in.
        remarks: why there may be nothing.
        sides: what was searched.
        requested: the metric that the user named; that of :attr:`sides` may be one
            that the store names.
        searched: the sides that a hit has graphs of.
    """

    hits: int
    items: list[dict[str, Any]] = field(default_factory=list)
    groups: list[dict[str, Any]] = field(default_factory=list)
    sql: str = ""
    remarks: list[str] = field(default_factory=list)
    sides: Sides = field(default_factory=Sides)
    requested: str | None = None
    searched: tuple[Side, ...] = ()

    def __repr__(self) -> str:
        return brief("Hits", amount(self.hits, "hit"), self.remarks)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.items)

    def __len__(self) -> int:
        return self.hits

    def to_dict(self) -> dict[str, Any]:
        """Return the hits as JSON."""
        return {"hits": self.hits, "items": self.items, "groups": self.groups}


class HitRequest(NamedTuple):
    """Options of the hits to return.

    Args:
        framework: only in graphs of this one.
        by: what they are grouped by, as ``X.label``.
        top: how many hits and groups are given; all without.
        items: whether hits are given, not only counted.
        folded: whether hits that differ in edges alone are one.
    """

    framework: str | None = None
    by: tuple[str, ...] = ()
    top: int | None = None
    items: bool = True
    folded: bool = False


def find(
    connection: Connection,
    pattern: str | Pattern,
    sides: Sides | None = None,
    request: HitRequest | None = None,
) -> Hits:
    """Search a store.

    Args:
        connection: the store; it is only read.
        pattern: what is looked for.
        sides: where; what is not named is what there is only one of.
        request: what is asked of the hits.

    Raises:
        UsageError: if the pattern is wrong, or it is not clear what is searched.
    """
    request = request or HitRequest()
    scope = scope_of(parse(pattern) if isinstance(pattern, str) else pattern)
    sides = sides or Sides()
    requested = sides.metric
    statement, sides = ready(connection, scope, sides, request.framework)
    hits = _Search(connection, statement, request).found()
    hits.sides, hits.requested = sides, requested
    bound = {x.side for x in statement.columns} or {only_side(scope)}
    hits.searched = tuple(sorted(bound))
    hits.remarks = [*unknown(connection, scope, request.by, has_hits=bool(hits.hits))]
    return hits


def hits(
    connection: Connection, pattern: str | Pattern, sides: Sides, request: HitRequest
) -> Iterator[dict[str, Any]]:
    """The hits of a pattern one after another, however many there are.

    Args:
        connection: the store; it is only read.
        pattern: what is looked for.
        sides: where; what is not named is what there is only one of.
        request: which hits.

    Raises:
        UsageError: if the pattern is wrong, or it is not clear what is searched.
    """
    scope = scope_of(parse(pattern) if isinstance(pattern, str) else pattern)
    statement, _ = ready(connection, scope, sides, request.framework)
    yield from _Search(connection, statement, request).items()


def ready(
    connection: Connection, scope: Scope, sides: Sides, framework: str | None = None
) -> tuple[Statement, Sides]:
    """The statement of a pattern, on a connection that knows all that is in it.

    Args:
        connection: the store; it is only read.
        scope: the pattern, with its names.
        sides: where it is searched; what is not named is what there is only one of.
        framework: only in graphs of this one.

    Returns:
        The statement, and what is searched.

    Raises:
        UsageError: if it is not clear what is searched.
    """
    where, sides = _where(connection, scope, sides, framework)
    prepare(connection)
    name = connection.dialect.name
    return compile_pattern(scope, where, name, _Sample(connection, where)), sides


def prepare(connection: Connection) -> None:
    """Teach SQLite regular expressions; each matches the whole of a text."""
    raw = connection.connection.driver_connection
    if isinstance(raw, sqlite3.Connection):
        teach(raw)


def _where(
    connection: Connection, scope: Scope, sides: Sides, framework: str | None
) -> tuple[SearchTarget, Sides]:
    """The collection or the evaluation that is searched."""
    if framework is not None:
        _check_framework(connection, framework)
    if scope.compares:
        return _evaluation(connection, sides, framework)
    side = only_side(scope)
    collection = sides.gold if side == "gold" else sides.system
    if collection is None:
        collection = _only_collection(connection, side, sides)
    number = find_collection(connection, collection)
    sides_of = Sides(collection, None) if side == "gold" else Sides(None, collection)
    where = SearchTarget(collection=number, framework=framework)
    return where._replace(words=_over_words(connection, where)), sides_of


def only_side(scope: Scope) -> Side:
    """The side that a pattern is about, which compares none.

    Args:
        scope: the pattern, with its names.
    """
    for level in scope.levels:
        for side, _ in (*level.new, *level.edges, *level.nodes, *level.clauses):
            return side
    return scope.side


def _only_collection(connection: Connection, side: Side, sides: Sides) -> str:
    """The collection that is meant where none is named."""
    rows = connection.execute(text("select name from collection order by id"))
    names = [str(name) for [name] in rows]
    if len(names) == 1:
        return names[0]
    made = find_evaluations(connection, gold=sides.gold, system=sides.system)
    known = {
        evaluation.gold if side == "gold" else evaluation.system for evaluation in made
    }
    if len(known) == 1:
        return known.pop()
    if not names:
        raise UsageError("the store has no collections: ingest files first")
    raise UsageError(
        f"the store has several collections, expected --{side} with one of: "
        f"{', '.join(names)}"
    )


def _evaluation(
    connection: Connection, sides: Sides, framework: str | None
) -> tuple[SearchTarget, Sides]:
    """The evaluation that is searched.

    Args:
        connection: the store.
        sides: what is known of it; the rest is what there is only one of.
        framework: only graphs of this one.

    Raises:
        UsageError: if there is none, are several, or its metric compares documents of
            which it tells nothing by graph.
    """
    for name in filter(None, (sides.gold, sides.system)):
        find_collection(connection, name)
    made = find_evaluations(connection, **sides._asdict())
    if not made:
        names = [f"{name} {value}" for name, value in sides._asdict().items() if value]
        raise UsageError(
            "the pattern compares two sides, and there is no evaluation"
            f"{' of ' if names else ''}{', '.join(names)} in the store: "
            "score them first"
        )
    for name in Sides._fields:
        choices = list(
            dict.fromkeys(str(getattr(evaluation, name)) for evaluation in made)
        )
        if len(choices) > 1:
            raise UsageError(
                f"the store has several evaluations, expected --{name} with one of: "
                f"{', '.join(map(repr, choices) if name == 'scope' else choices)}"
            )
    [evaluation] = made
    names_found = Sides(*evaluation.names)
    where = SearchTarget(
        evaluation=evaluation.id,
        framework=framework,
        documents=_documents(connection, evaluation.id, names_found, sides.metric),
    )
    return where._replace(words=_over_words(connection, where)), names_found


def _over_words(connection: Connection, where: SearchTarget) -> bool | None:
    """Return whether all searched graphs are over words, or none is."""
    if where.framework is not None:
        return where.framework in WORDS
    column, value, table = "collection", where.collection, "graph"
    if where.evaluation is not None:
        column, value, table = "evaluation", where.evaluation, "pair"
    sql = f"select distinct framework from {table} where {column} = :v"
    frameworks = {str(name) for [name] in connection.execute(text(sql), {"v": value})}
    known = {name in WORDS for name in frameworks}
    return known.pop() if len(known) == 1 else None


def named_metric(name: str, requested: str | None) -> Metric:
    """The metric of an evaluation.

    Args:
        name: as the store has it.
        requested: as the user has named it.

    Raises:
        UsageError: if it needs code or a file, and only the store names it.
    """
    metric = stored_metric(name) if requested is None else parse_metric(requested)
    if metric is None:
        raise UsageError(
            f"the store names the metric {name}, which is code or needs a file of "
            "somebody's: what only a store names is not run or opened; name it with -m"
        )
    return metric


def _documents(
    connection: Connection, evaluation: int, sides: Sides, requested: str | None
) -> Documents | None:
    """The sentences, where the metric compares documents."""
    statement = text(
        "select framework, max(case when result is not null and gold_graph is null "
        "and system_graph is null then 1 else 0 end) "
        "from pair where evaluation = :e group by framework"
    )
    joined = {
        str(x): bool(y) for x, y in connection.execute(statement, {"e": evaluation})
    }
    if not joined.keys() <= {*WORDS}:
        if not any(joined.values()):
            return None
        raise UsageError(
            f"{sides.metric} compares whole documents, in which nodes of gold and "
            "system are not told by graph; expected a metric over items, or one of "
            "dependencies, with --metric"
        )
    # Documents may be of one sentence each: only the metric says what it compares.
    if unit_of(named_metric(str(sides.metric), requested)) == "item":
        return None
    assert sides.gold is not None
    assert sides.system is not None
    names: dict[Side, str] = {"gold": sides.gold, "system": sides.system}
    numbers = {side: find_collection(connection, name) for side, name in names.items()}
    return documents_of(connection, evaluation, names, numbers)


def _check_framework(connection: Connection, framework: str) -> None:
    rows = connection.execute(text("select distinct framework from graph order by 1"))
    names = [str(name) for [name] in rows]
    if framework not in names:
        raise UsageError(
            f"no framework {framework!r} in the store{did_you_mean(framework, names)}; "
            f"there are: {', '.join(names) or 'none yet'}"
        )


class _Sample:
    """Counts nodes and edges in some graphs of what is searched."""

    def __init__(self, connection: Connection, where: SearchTarget) -> None:
        self._connection = connection
        self._graphs = ""
        self._where = where

    def __call__(self, what: str, tests: tuple[Test, ...]) -> float:
        """Estimate the number of matches, with a penalty for loose conditions."""
        if not self._graphs:
            self._graphs = self._choose_sides()
        writer = Writer(self._connection.dialect.name, words=self._where.words)
        conditions = " and ".join(
            [
                f"t.graph in ({self._graphs})",
                *writer.tests(what, "t", "t.graph", "t.ordinal", tests),
            ]
        )
        sql = text(f"select count(*) from {what} t where {conditions}")
        count = int(self._connection.execute(sql, writer.values).scalar() or 0)
        return count + sum(_looseness(test) for test in tests) / 8

    def _choose_sides(self) -> str:
        table, column, value = "graph", "id", self._where.collection
        owner = "collection"
        joined = self._where.documents
        if joined is not None:
            value = joined.collections["gold"]
        elif self._where.evaluation is not None:
            table, column, value = "pair", "gold_graph", self._where.evaluation
            owner = "evaluation"
        sql = (
            f"select {column} from {table} where {owner} = :v and {column} is not null"
        )
        ids = sorted(x for [x] in self._connection.execute(text(sql), {"v": value}))
        step = max(1, len(ids) // SAMPLED)
        return ", ".join(map(str, ids[::step])) or "null"


def _looseness(test: Test) -> float:
    """Return a rank of tests where a sample matches neither: the rarer, the lower."""
    if test.sign != "=":
        return 4.0
    return float(len(test.values)) + sum(isinstance(x, Regex) for x in test.values)


class _Search:
    """Runs a statement, and reads what it gives."""

    def __init__(
        self, connection: Connection, statement: Statement, request: HitRequest
    ) -> None:
        self._connection = connection
        self._statement = statement
        self._wanted = request
        self._nodes = [x for x in statement.columns if x.what == "node"]
        self._edges = [x for x in statement.columns if x.what == "edge"]
        # Both sides of documents are bound, which may be cut into other sentences.
        self._apart = statement.writer.joined and len(statement.graphs) > 1
        self._inline = connection.dialect.name != "sqlite"
        self._core = statement.whole if self._inline else statement.core
        if request.folded:
            kept = ", ".join(
                (*statement.graphs, "seq", *UNIT, *(x.column for x in self._nodes))
            )
            firsts = ", ".join(f"min({x.column}) as {x.column}" for x in self._edges)
            self._core = (
                f"select {kept}{', ' * bool(firsts)}{firsts}\n"
                f"from (\n{_indent_sql(self._core)}\n) k\ngroup by {kept}"
            )

    def found(self) -> Hits:
        """Everything that is wanted."""
        keys = [self._statement.column(key) for key in self._wanted.by]
        with self._make_temporary():
            return self._find_hits(keys)

    def _make_temporary(self) -> AbstractContextManager[None]:
        result = () if self._inline else self._statement.made
        return documents.temporary_tables(
            self._connection, result, self._statement.writer.values
        )

    def _find_hits(self, keys: list[str]) -> Hits:
        request = self._wanted
        hits = int(self._run(f"select count(*) from ({self._core}) h")[0][0])
        items = [*self._items()] if request.items and hits else []
        groups = self._groups(keys) if keys and hits else []
        statement = self._statement
        core = self._core
        if statement.made and not self._inline:
            core = core.replace(statement.core, statement.whole)
        sql = literal_sql(core, self._statement.writer.values, literal)
        return Hits(hits, items, groups, sql)

    def _run(self, sql: str) -> Sequence[Any]:
        return self._connection.execute(text(sql), self._statement.writer.values).all()

    def _limit(self) -> str:
        return f"\nlimit {self._wanted.top}" if self._wanted.top is not None else ""

    def _groups(self, keys: list[str]) -> list[dict[str, Any]]:
        names = [f"k{number}" for number in range(1, len(keys) + 1)]
        selected = ", ".join(f"{x} as {y}" for x, y in zip(keys, names, strict=True))
        listed = ", ".join(names)
        order = ", ".join(f"{name} nulls first" for name in names)
        rows = self._run(
            f"select {listed}, count(*) as hits from (\n"
            f"select {selected} from ({self._core}) h) c\n"
            f"group by {listed} order by hits desc, {order}{self._limit()}"
        )
        columns = (*self._wanted.by, "hits")
        return [dict(zip(columns, row, strict=True)) for row in rows]

    def items(self) -> Iterator[dict[str, Any]]:
        """The hits, as they are asked for."""
        with self._make_temporary():
            yield from self._items()

    def _items(self) -> Iterator[dict[str, Any]]:
        statement = self._statement
        cells = [f"h.{name}" for name in UNIT]
        graphs = statement.graphs
        first = f"h.{graphs[0]}"
        if len(graphs) > 1:
            first = f"coalesce(h.{graphs[0]}, h.{graphs[1]})"
        cells.append(
            "(select t.content from text t join graph x on x.text = t.digest "
            f"where x.id = {first})"
        )
        if self._apart:
            cells.append("(select x.item from graph x where x.id = h.system_graph)")
        for column in statement.columns:
            cells += self._describe_column(column)
        sql = (
            f"select {', '.join(cells)}\nfrom ({self._core}) h\n"
            f"order by {statement.order}{self._limit()}"
        )
        # Without, a server sends all of them at once.
        rows = self._connection.execute(
            text(sql), statement.writer.values, execution_options=STREAMED
        )
        try:
            yield from map(self._item, rows)
        finally:
            rows.close()

    def _describe_column(self, column: Column) -> list[str]:
        own, graph = f"h.{column.column}", self._statement.graph(column.side)
        columns = ("identifier",) if column.what == "node" else ("source", "target")
        of = f"from {column.what} x where x.graph = {graph} and x.ordinal = {own}"
        label = f"(select y.text from symbol y where y.id = (select x.label {of}))"
        cells = [own, label, *(f"(select x.{name} {of})" for name in columns)]
        if column.what == "node":
            cells.append(self._statement.writer.text_of(graph, own))
        return cells

    def _item(self, row: Sequence[Any]) -> dict[str, Any]:
        cells = iter(row)
        item: dict[str, Any] = {name: next(cells) for name in UNIT}
        item["text"] = next(cells)
        if self._apart and (system_item := next(cells)) != item["item"]:
            item["system_item"] = system_item
        nodes: dict[str, Any] = {}
        edges: dict[str, Any] = {}
        both = {x.name for x in self._nodes}
        sides = {name: [x.side for x in self._nodes if x.name == name] for name in both}
        for column in self._statement.columns:
            ordinal, label = next(cells), next(cells)
            if column.what == "edge":
                node = {
                    "side": column.side,
                    "ordinal": ordinal,
                    "label": label,
                    "source": next(cells),
                    "target": next(cells),
                }
                edges[_edge_name(column.name, len(edges))] = node
                continue
            identifier = next(cells)
            node = {
                "side": column.side,
                "id": ordinal if identifier is None else json.loads(identifier),
                "ordinal": ordinal,
                "label": label,
                "text": next(cells),
            }
            if len(sides[column.name]) > 1:
                nodes.setdefault(column.name, {})[column.side] = node
            else:
                nodes[column.name] = node
        return {**item, "nodes": nodes, "edges": edges}


def _edge_name(name: str, number: int) -> str:
    """An edge of the hit by name; those without by number."""
    return f"#{number + 1}" if "@" in name else name


def _indent_sql(sql: str) -> str:
    return "\n".join(f"  {line}" for line in sql.split("\n"))
