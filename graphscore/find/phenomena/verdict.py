"""What became of a hit, in SQL: whether it is right, wrong, or not there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from graphscore.find.conditions import Writer
from graphscore.find.pattern import (
    PARTS,
    Feature,
    FeatureClause,
    OrderClause,
    Pattern,
    Side,
    SideBlock,
    TopClause,
)
from graphscore.find.scope import OTHER, Level, Name, Scope, plain
from graphscore.find.sql import Statement

ORDINAL = "__id__"
"""A feature that is no annotation."""

Asked = tuple[str, Name, str, bool]
"""A feature that a pattern asks for: of a node or edge, which, the feature, and whether
it must be absent."""


def of_side(pattern: Pattern, side: Side) -> Pattern:
    """A pattern about the graph of one side.

    Args:
        pattern: one that names no side.
        side: which.
    """
    blocks = [
        block
        if block.kind == "global"
        else replace(block, clauses=(SideBlock(side, block.clauses),))  # type: ignore[arg-type]
        for block in pattern.blocks
        if not isinstance(block, SideBlock)
    ]
    return Pattern(tuple(blocks), pattern.source)


def tallied(scope: Scope, statement: Statement, side: Side, frameworks: str) -> str:
    """A statement that counts the hits of each verdict.

    Args:
        scope: a pattern of one side, with its names.
        statement: compiled over the pairs of an evaluation.
        side: whose graphs are searched.
        frameworks: parameters of the frameworks that count, with commas.

    Returns:
        SQL with a row for each of ``right``, ``wrong`` and ``lost`` that there is, and
        how many hits it has.
    """
    judge = _Judge(scope, statement, side)
    verdict = (
        f"case when {judge.right()}\n  then 'right'\n"
        f"when {judge.found()}\n  then 'wrong' else 'lost' end"
    )
    # What is compiled speaks of pairs as ``p``; so does what is asked of its hits.
    return (
        f"select verdict, count(*) as hits from (\nselect {verdict} as verdict\n"
        f"from (\n{statement.core}\n) p\nwhere p.framework in ({frameworks})\n) h\n"
        "group by verdict"
    )


class _Judge:
    def __init__(self, scope: Scope, statement: Statement, side: Side) -> None:
        self._main = scope.main
        self._writer: Writer = statement.writer
        self._side = side
        self._graph = f"p.{side}_graph"
        self._columns = {
            (x.what, (x.side, x.name)): f"p.{x.column}" for x in statement.columns
        }

    def _own(self, what: str, name: Name) -> str:
        return self._columns[what, name]

    def right(self) -> str:
        """That all of it is there, and nothing that was asked for is in error."""
        writer, side = self._writer, self._side
        parts = list(self._counterparts())
        parts += [
            writer.matched_edge(side, self._graph, self._own("edge", name))
            for name in self._main.edges
        ]
        parts += [self._without_error(asked) for asked in _asked(self._main)]
        return "\n  and ".join(dict.fromkeys(parts))

    def found(self) -> str:
        """That each node has a counterpart, and between those of an edge there is one.

        Either way round: where a metric turns edges, it is right so, too.
        """
        parts = list(self._counterparts())
        for name, edge in self._main.edges.items():
            side, own = self._side, self._own("edge", name)
            ends = [
                self._own("node", (side, plain(x))) for x in (edge.source, edge.target)
            ]
            matched = self._writer.matched_edge(side, self._graph, own)
            parts.append(f"(({matched}) or {self._between(*ends)})")
        return "\n  and ".join(parts)

    def _counterparts(self) -> Iterator[str]:
        for name in self._main.new:
            own = self._own("node", name)
            yield self._writer.counterpart(self._side, self._graph, own)

    def _between(self, source: str, target: str) -> str:
        writer, there = self._writer, OTHER[self._side]
        a, b, z = (writer.alias(letter) for letter in "mmz")
        # Where sentences are cut otherwise, the words say in which one the edge is.
        graph = f"{z}.graph" if writer.joined else f"p.{there}_graph"
        graphs = {self._side: self._graph, there: graph}
        one, tied = writer.corresponding(a, there, graphs, source)
        two, tied_too = writer.corresponding(b, there, graphs, target)
        asked = [
            *(*tied, *tied_too),
            f"{z}.graph = {graph}",
            f"({z}.source = {a}.{there} and {z}.target = {b}.{there} "
            f"or {z}.source = {b}.{there} and {z}.target = {a}.{there})",
        ]
        return (
            f"{writer.exists} (select 1 from {one} cross join {two} "
            f"cross join edge {z} where {' and '.join(asked)})"
        )

    def _without_error(self, asked: Asked) -> str:
        what, name, feature, absent = asked
        writer, side, own = self._writer, self._side, self._own(what, name)
        about = writer.about(what, feature)
        if not absent:
            return f"not {writer.error(side, what, self._graph, own, about)}"
        # What must not be there would be too much of the other side.
        m, there = writer.alias("m"), OTHER[side]
        graph = f"{m}.{there}_graph" if writer.joined else f"p.{there}_graph"
        wrongly = writer.error(there, what, graph, f"{m}.{there}", about, partial=False)
        told = writer.told("correspondence", m, what, side, self._graph)
        return (
            f"not exists (select 1 from {told} and {m}.{side} = {own} "
            f"and {m}.{there} is not null and {wrongly})"
        )


def _asked(level: Level) -> Iterator[Asked]:
    """The features that a pattern asks for of what it binds."""
    for name, nodes in level.nodes.items():
        for test in (test for node in nodes for test in node.tests):
            yield "node", name, _judged(test.name), test.sign == "lacks"
    for name, edge in level.edges.items():
        for test in edge.tests:
            # That of labels is the match of the edge.
            if test.name not in ("label", *PARTS):
                yield "edge", name, test.name, test.sign == "lacks"
    for side, clause in level.clauses:
        if isinstance(clause, TopClause):
            yield "node", (side, plain(clause.node)), "top", False
        elif isinstance(clause, OrderClause):
            for end in (clause.left, clause.right):
                yield "node", (side, plain(end)), "anchor", False
        elif isinstance(clause, FeatureClause):
            yield from _compared(level, side, clause)


def _compared(level: Level, side: Side, clause: FeatureClause) -> Iterator[Asked]:
    for each in (clause.left, clause.right):
        if not isinstance(each, Feature) or each.name == ORDINAL:
            continue
        if (side, each.owner) not in level.edges:
            yield "node", (side, plain(each.owner)), _judged(each.name), False
        elif each.name not in ("label", *PARTS):
            yield "edge", (side, each.owner), each.name, False


def _judged(feature: str) -> str:
    # Words are what a node is anchored to.
    return {"text": "anchor", "form": "label"}.get(feature, feature)
