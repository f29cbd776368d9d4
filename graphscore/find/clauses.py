"""Clauses that bind nothing, as conditions: order, features, verdicts, loose edges."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from graphscore.find.conditions import Writer
from graphscore.find.documents import Documents
from graphscore.find.grammar import pattern_error
from graphscore.find.pattern import (
    ANY,
    SIDES,
    Clause,
    EdgeClause,
    Feature,
    FeatureClause,
    OrderClause,
    PathClause,
    Side,
    Test,
    TopClause,
    VerdictClause,
)
from graphscore.find.scope import OTHER, Name, Scope, plain_name


class SearchTarget(NamedTuple):
    """Target of a search: a collection or an evaluation.

    Args:
        collection: the id of a collection, where one side alone is searched.
        evaluation: the id of an evaluation, where two are.
        framework: only graphs of this one.
        documents: the sentences, where the metric compares documents.
        words: whether graphs are over words; ``None`` if some are.
    """

    collection: int | None = None
    evaluation: int | None = None
    framework: str | None = None
    documents: Documents | None = None
    words: bool | None = None


class Clauses:
    """Writes the conditions of a pattern, and knows of which graph each is.

    Args:
        scope: the pattern, with its names.
        where: what is searched.
        dialect: ``sqlite`` or ``postgresql``.
    """

    def __init__(self, scope: Scope, where: SearchTarget, dialect: str) -> None:
        self._scope = scope
        self._where = where
        self._writer = Writer(dialect)
        self._paired = where.evaluation is not None
        self._edges: dict[Name, str] = {}
        self._writer.joined = where.documents is not None
        self._writer.words = where.words
        self._writer.beside = len({side for side, _ in scope.main.new}) > 1
        self._lent: dict[Side, str] = {}
        """Graphs that are not those of the hit."""

    def _graph(self, side: Side) -> str:
        if side in self._lent:
            return self._lent[side]
        return f"p.{side}_graph" if self._paired else "g.id"

    @contextmanager
    def _aligned_sentence(self, side: Side) -> Iterator[tuple[list[str], list[str]]]:
        """Some sentence of a side beside the one of the other that is at hand.

        Yields:
            Its table and its conditions; none where pairs are of graphs.
        """
        if self._where.documents is None:
            yield [], []
            return
        s, before = self._writer.alias("s"), dict(self._lent)
        condition = f"{s}.{OTHER[side]}_graph = {self._graph(OTHER[side])}"
        self._lent[side] = f"{s}.{side}_graph"
        yield [f"beside {s}"], [condition]
        self._lent = before

    def _condition(self, side: Side, clause: Clause, bound: dict[Name, str]) -> str:
        writer, graph = self._writer, self._graph(side)
        if isinstance(clause, OrderClause):
            left, right = (
                bound[side, plain_name(clause.left)],
                bound[side, plain_name(clause.right)],
            )
            return writer.before(graph, left, right, clause.sign == "<")
        if isinstance(clause, PathClause):
            source, target = plain_name(clause.source), plain_name(clause.target)
            return writer.path(graph, bound[side, source], bound[side, target])
        if isinstance(clause, TopClause):
            return self._top(graph, bound[side, plain_name(clause.node)])
        if isinstance(clause, FeatureClause):
            return self._comparison(side, clause, bound)
        if isinstance(clause, EdgeClause):
            return self._loose(side, clause, bound)
        assert isinstance(clause, VerdictClause)
        return self._verdict(side, clause, bound)

    def _object_of(
        self, side: Side, name: str, bound: dict[Name, str]
    ) -> tuple[str, str]:
        """Return the type and ordinal of a name."""
        if (side, name) in self._edges:
            return "edge", self._edges[side, name]
        return "node", bound[side, plain_name(name)]

    def _comparison(
        self, side: Side, clause: FeatureClause, bound: dict[Name, str]
    ) -> str:
        writer, graph = self._writer, self._graph(side)
        what, own = self._object_of(side, clause.left.owner, bound)
        right = clause.right
        if clause.left.name == "__id__" and isinstance(right, Feature):
            other_node = self._object_of(side, right.owner, bound)[1]
            return f"{own} {clause.sign} {other_node}"
        left = f"({writer.values_of(what, graph, own, clause.left.name)})"
        a, b = writer.alias("a"), writer.alias("b")
        if isinstance(right, Feature):
            kind, other_node = self._object_of(side, right.owner, bound)
            values = f"({writer.values_of(kind, graph, other_node, right.name)})"
            return (
                f"{writer.exists} (select 1 from {left} {a} cross join {values} {b} "
                f"where {a}.v {clause.sign} {b}.v)"
            )
        condition = writer.among(f"{a}.v", (right,))
        negated = "not " if clause.sign == "<>" else ""
        return f"{writer.exists} (select 1 from {left} {a} where {negated}{condition})"

    def _loose(
        self,
        side: Side,
        clause: EdgeClause,
        bound: dict[Name, str],
        more: str = "",
    ) -> str:
        """Return the condition that there is an edge, which is not bound."""
        z, graph = self._writer.alias("z"), self._graph(side)
        conditions = [f"{z}.graph = {graph}"]
        for column, name in (("source", clause.source), ("target", clause.target)):
            if name != ANY:
                conditions.append(f"{z}.{column} = {bound[side, plain_name(name)]}")
        conditions += self._writer.tests("edge", z, graph, f"{z}.ordinal", clause.tests)
        if more:
            conditions.append(more.replace("{z}", z))
        exists, condition = self._writer.exists, " and ".join(conditions)
        result = f"{exists} (select 1 from edge {z} where {condition})"
        if more or clause.source != ANY or clause.target == ANY:
            return result
        if self._writer.words is False or not _of_roots(clause.tests):
            return result
        # What no edge leads to has the relation root all the same.
        root = self._root(graph, bound[side, plain_name(clause.target)])
        return f"({result} or {root})"

    def _root(self, graph: str, node: str) -> str:
        """Return the condition that a word is the root of its sentence, labeled so."""
        writer = self._writer
        parts = [self._top(graph, node), writer.lacks(graph, node, "deprel")]
        if writer.words is None:
            parts.append(writer.over_words(graph))
        return " and ".join(parts)

    def _top(self, graph: str, node: str) -> str:
        o = self._writer.alias("o")
        return (
            f"{self._writer.exists} (select 1 from top {o} where {o}.graph = {graph} "
            f"and {o}.node = {node})"
        )

    def _verdict(
        self, side: Side, clause: VerdictClause, bound: dict[Name, str]
    ) -> str:
        verdict, subject = clause.verdict, clause.subject
        writer = self._writer
        of: dict[str, Side] = {"missing": "gold", "spurious": "system"}
        if isinstance(subject, EdgeClause):
            return self._verdict_of_edge(side, clause, subject, bound)
        name = subject.owner if isinstance(subject, Feature) else subject
        what, own = self._object_of(side, name, bound)
        graph = self._graph(side)
        if verdict in of and of[verdict] != side:
            whose = "gold's" if side == "gold" else "the system's"
            raise pattern_error(
                self._scope.pattern.source,
                clause.at,
                f"{name} is {whose}, which is never {verdict}",
            )
        if isinstance(subject, Feature):
            about = writer.about(what, subject.name)
            if what == "node":
                wrongly = writer.error(side, what, graph, own, about)
                return f"{writer.counterpart(side, graph, own)} and {wrongly}"
            more = f"{about} and x.{OTHER[side]} is not null"
            return writer.error(side, what, graph, own, more)
        if what == "node":
            has = writer.counterpart(side, graph, own)
            if verdict == "matched":
                return has
            word = f" and {writer.is_word(graph, own)}" if writer.joined else ""
            return f"not {has}{word}"
        if verdict == "matched":
            return writer.matched_edge(side, graph, own)
        return writer.error(side, what, graph, own, writer.whole, partial=False)

    def _verdict_of_edge(
        self,
        side: Side,
        clause: VerdictClause,
        edge: EdgeClause,
        bound: dict[Name, str],
    ) -> str:
        """An edge that only has to be there: with ``*``, or of the other side."""
        writer = self._writer
        of: dict[str, Side] = {"missing": "gold", "spurious": "system"}
        own = of.get(clause.verdict, side)
        if own == side:
            return self._loose(side, edge, bound, self._match_status(side, clause))
        z = writer.alias("z")
        with self._aligned_sentence(own) as (tables, conditions):
            graphs = {graph_side: self._graph(graph_side) for graph_side in SIDES}
            for column, name in (("source", edge.source), ("target", edge.target)):
                if name != ANY:
                    m = writer.alias("m")
                    node = bound[side, plain_name(name)]
                    table, tied = writer.corresponding(m, own, graphs, node)
                    tables.append(table)
                    conditions += [*tied, f"{z}.{column} = {m}.{own}"]
            tables.append(f"edge {z}")
            conditions.append(f"{z}.graph = {graphs[own]}")
            conditions += writer.tests(
                "edge", z, graphs[own], f"{z}.ordinal", edge.tests
            )
            conditions.append(self._match_status(own, clause).replace("{z}", z))
        return (
            f"{writer.exists} (select 1 from {' cross join '.join(tables)} "
            f"where {' and '.join(conditions)})"
        )

    def _match_status(self, side: Side, clause: VerdictClause) -> str:
        """Return the condition of a match status on the edge ``{z}``."""
        writer, graph, edge = self._writer, self._graph(side), "{z}.ordinal"
        if clause.verdict == "matched":
            return writer.matched_edge(side, graph, edge)
        return writer.error(side, "edge", graph, edge, writer.whole, partial=False)


def _of_roots(tests: tuple[Test, ...]) -> bool:
    """Return whether an edge with these tests may be a root."""

    def fits(test: Test) -> bool:
        if test.sign == "lacks":
            return test.name not in ("label", "1")
        return (
            test.sign == "=" and test.name in ("label", "1") and "root" in test.values
        )

    return any(test.sign == "=" for test in tests) and all(map(fits, tests))
