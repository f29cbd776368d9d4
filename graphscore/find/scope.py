"""Names of a pattern: the nodes and edges of each side, and where each is new.

Names belong to a side.  What stands in ``gold { … }`` or ``system { … }`` is of that
side; everything else is of the side that is searched.  A name that both sides have
stands for a node of either, and the two correspond.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from graphscore.exceptions import did_you_mean
from graphscore.find.grammar import pattern_error
from graphscore.find.pattern import (
    ANY,
    PARTS,
    SIDES,
    Clause,
    EdgeClause,
    Feature,
    FeatureClause,
    GlobalClause,
    Kind,
    NodeClause,
    OrderClause,
    PathClause,
    Pattern,
    Side,
    SideBlock,
    TopClause,
    VerdictClause,
)

Name = tuple[Side, str]
"""A node or an edge: its side, and what the pattern calls it."""

WHOLE = ("sent_id", "text", "document", "framework", "language", "layer")
"""Features of whole graphs; ``sent_id`` is the name of the item."""

SHAPES = tuple(
    f"is_{negated}{shape}"
    for shape in ("projective", "tree", "forest", "cyclic")
    for negated in ("", "not_")
)
"""Tests of the shape of a graph."""

OTHER: dict[Side, Side] = {"gold": "system", "system": "gold"}


@dataclass
class Level:
    """Clauses bound together: the pattern proper, one ``with`` or ``without``.

    Attributes:
        kind: which.
        clauses: those that bind nothing, each with its side.
        edges: those that bind an edge, by name.
        nodes: clauses of nodes by name; of those that are not new here, too.
        new: the nodes that are bound here.
    """

    kind: Kind
    clauses: list[tuple[Side, Clause]] = field(default_factory=list)
    edges: dict[Name, EdgeClause] = field(default_factory=dict)
    nodes: dict[Name, list[NodeClause]] = field(default_factory=dict)
    new: dict[Name, None] = field(default_factory=dict)


@dataclass(frozen=True)
class Scope:
    """A pattern whose names are known.

    Attributes:
        pattern: as it was read.
        side: the side that is searched, where nothing names one.
        main: what is bound.
        filters: what has to be, or must not be, besides.
        free: nodes that may be the same as others.
        wholes: what is asked of whole graphs.
    """

    pattern: Pattern
    side: Side
    main: Level
    filters: tuple[Level, ...]
    free: frozenset[str]
    wholes: tuple[GlobalClause, ...] = ()

    @property
    def levels(self) -> tuple[Level, ...]:
        """All, the pattern proper first."""
        return self.main, *self.filters

    @property
    def compares(self) -> bool:
        """True if it asks for anything that only an evaluation has."""
        sides = {
            side
            for level in self.levels
            for side, _ in (*level.clauses, *level.nodes, *level.edges)
        }
        return len(sides) > 1 or any(
            isinstance(clause, VerdictClause)
            for level in self.levels
            for _, clause in level.clauses
        )

    @property
    def sides(self) -> dict[str, tuple[Side, ...]]:
        """The nodes that are bound, each with its sides."""
        result: dict[str, tuple[Side, ...]] = {}
        for side, name in self.main.new:
            result[name] = (*result.get(name, ()), side)
        return {name: tuple(sorted(both)) for name, both in result.items()}


def plain_name(name: str) -> str:
    """A node's name without the sign that lets it be the same as others."""
    return name.removesuffix("$")


def scope_of(pattern: Pattern) -> Scope:
    """Find out what the names of a pattern stand for.

    Args:
        pattern: as it was read.

    Raises:
        UsageError: for a name that stands for nothing, or for two things.

    Example:
        >>> from graphscore.find.grammar import parse
        >>> found = scope_of(parse("gold { X -> Y } system { X -> Z }"))
        >>> found.sides
        {'X': ('gold', 'system'), 'Y': ('gold',), 'Z': ('system',)}
    """
    side = _side_outside_blocks(pattern)
    main, filters = Level("pattern"), []
    wholes: list[GlobalClause] = []
    for block in pattern.blocks:
        level = main
        if not isinstance(block, SideBlock) and block.kind == "global":
            wholes += [x for x in block.clauses if isinstance(x, GlobalClause)]
            continue
        if not isinstance(block, SideBlock) and block.kind != "pattern":
            filters.append(level := Level(block.kind))
        inside = [block] if isinstance(block, SideBlock) else block.clauses
        for inner in inside:
            if isinstance(inner, SideBlock):
                for clause in inner.clauses:
                    _enter(level, inner.side, clause, pattern)
            elif not isinstance(inner, GlobalClause):
                _enter(level, side, inner, pattern)
    for level in filters:
        for name in [bound_name for bound_name in level.new if bound_name in main.new]:
            del level.new[name]
    free = frozenset(
        plain_name(name)
        for block in pattern.blocks
        for name in _names(block)
        if name.endswith("$")
    )
    scope = Scope(pattern, side, main, tuple(filters), free, tuple(wholes))
    for level in scope.levels:
        _check(scope, level)
    for whole in wholes:
        _check_whole(pattern, whole)
    return scope


def _names(block: object) -> Iterator[str]:
    """Names of nodes wherever a clause declares them."""
    for clause in getattr(block, "clauses", ()):
        yield from _names(clause)
    if isinstance(block, NodeClause):
        yield block.name
    elif isinstance(block, EdgeClause | PathClause):
        yield from (block.source, block.target)
    elif isinstance(block, VerdictClause) and isinstance(block.subject, EdgeClause):
        yield from _names(block.subject)


def _plain_clauses(pattern: Pattern) -> Iterator[Clause]:
    for block in pattern.blocks:
        if not isinstance(block, SideBlock):
            for clause in block.clauses:
                if not isinstance(clause, SideBlock | GlobalClause):
                    yield clause


def _side_outside_blocks(pattern: Pattern) -> Side:
    """The side of what stands in no block of a side.

    Gold, unless something of it is spurious, which only the system has.
    """
    clauses = [*_plain_clauses(pattern)]
    declared = {
        plain_name(name)
        for clause in clauses
        if not isinstance(clause, VerdictClause)
        for name in _names(clause)
    }

    def own(clause: VerdictClause) -> bool:
        # An edge between nodes that are there already may be the other side's.
        if isinstance(clause.subject, EdgeClause):
            ends = {
                plain_name(clause.subject.source),
                plain_name(clause.subject.target),
            }
            return not ends <= declared | {ANY}
        return True

    verdicts = [x for x in clauses if isinstance(x, VerdictClause) and own(x)]
    spurious = [x for x in verdicts if x.verdict == "spurious"]
    missing = [x for x in verdicts if x.verdict == "missing"]
    if spurious and missing:
        raise pattern_error(
            pattern.source,
            spurious[0].at,
            "what is missing is gold's and what is spurious the system's, expected "
            "each in its block: gold { … } system { … }",
        )
    return "system" if spurious else "gold"


def _enter(level: Level, side: Side, clause: Clause, pattern: Pattern) -> None:
    """Put a clause where it belongs; declare what it declares."""
    if isinstance(clause, VerdictClause) and isinstance(clause.subject, EdgeClause):
        edge = clause.subject
        of = {"missing": "gold", "spurious": "system"}.get(clause.verdict, side)
        if of == side and ANY not in (edge.source, edge.target):
            # The edge is one of this side, and a part of what is found.
            name = f"_{len(level.edges)}@{clause.at}"
            level.edges[side, name] = edge
            level.clauses.append((side, replace(clause, subject=name)))
        else:
            level.clauses.append((side, clause))
        _ends(level, side, edge)
    elif isinstance(clause, NodeClause):
        level.nodes.setdefault((side, plain_name(clause.name)), []).append(clause)
        level.new[side, plain_name(clause.name)] = None
    elif isinstance(clause, EdgeClause):
        _ends(level, side, clause)
        if ANY in (clause.source, clause.target):
            level.clauses.append((side, clause))
            return
        name = clause.name or f"_{len(level.edges)}@{clause.at}"
        if any((either, name) in level.edges for either in SIDES):
            raise pattern_error(
                pattern.source, clause.at, f"there are two edges {name}, expected one"
            )
        level.edges[side, name] = clause
    else:
        if isinstance(clause, PathClause):
            for name in (clause.source, clause.target):
                level.new[side, plain_name(name)] = None
        level.clauses.append((side, clause))


def _ends(level: Level, side: Side, edge: EdgeClause) -> None:
    for name in (edge.source, edge.target):
        if name != ANY:
            level.new[side, plain_name(name)] = None


def _check(scope: Scope, level: Level) -> None:
    """Refuse names that stand for nothing, and for a node as well as an edge."""
    source = scope.pattern.source
    nodes = {*scope.main.new, *level.new}
    edges = {*scope.main.edges, *level.edges}
    for (_, name), edge in level.edges.items():
        if any(name == node for _, node in nodes):
            raise pattern_error(
                source, edge.at, f"{name} is a node, expected another name"
            )
        if level is not scope.main and any(
            name == other_name for _, other_name in scope.main.edges
        ):
            raise pattern_error(
                source, edge.at, f"there are two edges {name}, expected one"
            )
    for side, clause in level.clauses:
        for name, at, kind in _used(clause):
            key = (side, plain_name(name))
            if isinstance(clause, VerdictClause) and key in edges:
                subject = clause.subject
                if isinstance(subject, Feature) and subject.name in PARTS:
                    text = "labels are right or wrong as a whole, expected"
                    raise pattern_error(source, at, f"{text} {name}.label")
            if key in edges and kind != "node":
                continue
            if key in nodes:
                continue
            known = sorted(
                {known_name for _, known_name in nodes | edges if "@" not in known_name}
            )
            message = f"no {kind} {name}"
            hint = did_you_mean(name, known)
            if key in edges and isinstance(clause, OrderClause):
                hint = ": it is an edge; expected the order of nodes, as of its ends"
            elif name in ("meta", "global"):
                hint = '; expected a block, as global { sent_id="a-1" }'
            if (OTHER[side], plain_name(name)) in nodes | edges:
                message += f" of the {side} side"
                hint = f": it is declared in {OTHER[side]} {{ … }}"
            raise pattern_error(source, at, f"{message} in the pattern{hint}")


def _check_whole(pattern: Pattern, clause: GlobalClause) -> None:
    """Refuse what cannot be asked of a whole graph."""
    name, sign = clause.test.name, clause.test.sign
    known = SHAPES if sign == "has" else WHOLE
    if name in known:
        return
    text = f"{name} of a whole graph is not known"
    if name in WHOLE:
        text = f"{name} has no value"
        known = tuple(f'{name}="…"' for name in WHOLE)
    elif name in SHAPES:
        text = f"{name} has a value"
    elif sign != "has":
        text = f"{name} is not searched, of the comments of a sentence these alone are"
    raise pattern_error(
        pattern.source,
        clause.at,
        f"{text}, expected {', '.join(known)}{did_you_mean(name, (*WHOLE, *SHAPES))}",
    )


def _used(clause: Clause) -> Iterator[tuple[str, int, str]]:
    """The names that a clause needs, where they stand, and what they may be."""
    if isinstance(clause, OrderClause):
        yield clause.left, clause.at, "node"
        yield clause.right, clause.at, "node"
    elif isinstance(clause, TopClause):
        yield clause.node, clause.at, "node"
    elif isinstance(clause, FeatureClause):
        for operand in (clause.left, clause.right):
            if isinstance(operand, Feature):
                yield operand.owner, operand.at, "node or edge"
    elif isinstance(clause, VerdictClause):
        if isinstance(clause.subject, str):
            yield clause.subject, clause.at, "node or edge"
        elif isinstance(clause.subject, Feature):
            yield clause.subject.owner, clause.subject.at, "node or edge"
