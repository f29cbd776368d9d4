"""A matcher that tries every node for every name: slow, and plain to see."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from graphscore.find.pattern import (
    EdgeClause,
    Feature,
    FeatureClause,
    GlobalClause,
    NodeClause,
    OrderClause,
    PathClause,
    Pattern,
    Regex,
    SideBlock,
    Test,
    TopClause,
    VerdictClause,
)
from graphscore.model.graph import Edge, Graph, Node, Value, json_type

WORDS = ("ud", "eud")

Binding = dict[tuple[str, str], int]


@dataclass
class Pair:
    """Both graphs of an item, and what a metric said of them."""

    graphs: dict[str, Graph | None]
    nodes: set[tuple[int, int]] = field(default_factory=set)
    edges: set[tuple[int, int]] = field(default_factory=set)
    errors: list[dict[str, Any]] = field(default_factory=list)


def said(value: Value) -> str | None:
    """A value as text; nothing for null."""
    return value if value is None or isinstance(value, str) else json_type(value)[1]


def is_one(text: str, values: tuple[str | Regex, ...]) -> bool:
    return any(
        re.fullmatch(x.text, text) is not None if isinstance(x, Regex) else x == text
        for x in values
    )


def words(graph: Graph, node: int) -> str:
    if not graph.text:
        return ""
    anchors = sorted(graph.nodes[node].anchors)
    return " ".join(graph.text[start:end] for start, end in anchors)


def values(graph: Graph, what: str, number: int, name: str) -> list[str | None]:
    """What a feature has; null is a value, too."""
    if what == "node" and name == "text":
        return list(filter(None, [words(graph, number)]))
    if what == "node" and name == "form" and graph.framework in WORDS:
        name = "label"
    if what == "edge" and name in ("1", "2"):
        [label] = values(graph, what, number, "label") or [None]
        before, colon, behind = (label or "").partition(":")
        if label is None or (name == "2" and not colon):
            return []
        return [before if name == "1" else behind]
    thing: Any = (graph.nodes if what == "node" else graph.edges)[number]
    if name == "label":
        return [] if thing.label is None else [said(thing.label)]
    pairs = thing.properties if what == "node" else thing.attributes
    return [said(value) for each, value in pairs if each == name]


def passes(graph: Graph, what: str, number: int, test: Test) -> bool:
    found = values(graph, what, number, test.name)
    if test.sign == "has":
        return bool(found)
    if test.sign == "lacks":
        return not found
    if test.name == "text" and what == "node" and not found:
        found = [""]
    told = [x for x in found if x is not None]
    return any(is_one(x, test.values) == (test.sign == "=") for x in told)


def ends(graph: Graph, edge: Edge) -> tuple[int, int]:
    place = graph.ordinals()
    return place[edge.source], place[edge.target]


def span(graph: Graph, node: int) -> tuple[int, int] | None:
    anchors = graph.nodes[node].anchors
    if not anchors:
        return None
    return min(x.start for x in anchors), max(x.end for x in anchors)


def stands_before(graph: Graph, left: int, right: int, near: bool) -> bool:
    if graph.framework in WORDS:
        words = [k for k, node in enumerate(graph.nodes) if is_word(node)]
        if not {left, right} <= {*words} or left >= right:
            return False
        return not near or words.index(right) == words.index(left) + 1
    one, two = span(graph, left), span(graph, right)
    if one is None or two is None or one[1] > two[0]:
        return False
    between = [
        span(graph, k) for k in range(len(graph.nodes)) if k not in (left, right)
    ]
    return not near or not any(x and one[1] <= x[0] and x[1] <= two[0] for x in between)


def is_word(node: Node) -> bool:
    return "multiword" not in dict(node.properties)


def is_projective(graph: Graph) -> bool:
    """No two arcs cross; to a top leads one from before all words."""
    arcs = [tuple(sorted(ends(graph, edge))) for edge in graph.edges]
    arcs += [(-1, graph.ordinals()[top]) for top in graph.tops]
    return not any(a < c < b < d for a, b in arcs for c, d in arcs)


def whole(graph: Graph, test: Test) -> bool:
    """Whether a whole graph is as ``global { ... }`` asks."""
    if test.sign != "has":
        value = {"sent_id": graph.id, "text": graph.text}.get(test.name)
        found = graph.framework if value is None else value
        return is_one(found, test.values) == (test.sign == "=")
    places = range(len(graph.nodes))
    targets = [ends(graph, edge)[1] for edge in graph.edges]
    shape = {"cyclic": any(leads(graph, k, k) for k in places)}
    shape["forest"] = not shape["cyclic"] and len({*targets}) == len(targets)
    roots = [k for k in places if k not in targets and is_word(graph.nodes[k])]
    shape["tree"] = shape["forest"] and len(roots) == 1
    shape["projective"] = is_projective(graph)
    name = test.name.removeprefix("is_").removeprefix("not_")
    if name == "projective" and graph.framework not in WORDS:
        return False
    return shape[name] != test.name.startswith("is_not_")


def leads(graph: Graph, source: int, target: int) -> bool:
    reached: set[int] = set()
    ahead = [source]
    while ahead:
        here = ahead.pop()
        for edge in graph.edges:
            start, end = ends(graph, edge)
            if start == here and end not in reached:
                reached.add(end)
                ahead.append(end)
    return target in reached


class Matcher:
    """All hits of a pattern in one pair; gold is what stands in no block of a side."""

    def __init__(self, pattern: Pattern, pair: Pair) -> None:
        self.pair = pair
        self.levels: list[tuple[str, list[tuple[str, Any]]]] = [("pattern", [])]
        self.free = {x[:-1] for x in re.findall(r"\w+\$", str(pattern))}
        self.wholes: list[Test] = []
        for block in pattern.blocks:
            if not isinstance(block, SideBlock) and block.kind == "global":
                self.wholes += [
                    x.test for x in block.clauses if isinstance(x, GlobalClause)
                ]
                continue
            into = self.levels[0][1]
            inside: Any = [block] if isinstance(block, SideBlock) else block.clauses
            if not isinstance(block, SideBlock) and block.kind != "pattern":
                into = []
                self.levels.append((block.kind, into))
            for each in inside:
                if isinstance(each, SideBlock):
                    into += [(each.side, clause) for clause in each.clauses]
                else:
                    into.append(("gold", each))

    def hits(self) -> list[tuple[Binding, Binding]]:
        """The nodes and the edges of each."""
        found: list[tuple[Binding, Binding]] = []
        graph = self.pair.graphs["gold"]
        if self.wholes and not (graph and all(whole(graph, x) for x in self.wholes)):
            return found
        for nodes, edges in self.extended(self.levels[0][1], {}, {}):
            kept = all(
                any(True for _ in self.extended(clauses, nodes, edges))
                == (tuple_type == "with")
                for tuple_type, clauses in self.levels[1:]
            )
            if kept:
                found.append((nodes, edges))
        return found

    def names(self, clauses: list[tuple[str, Any]]) -> list[tuple[str, str]]:
        found: dict[tuple[str, str], None] = {}
        for side, clause in clauses:
            if isinstance(clause, VerdictClause):
                clause = clause.subject
            if isinstance(clause, NodeClause):
                found[side, clause.name.rstrip("$")] = None
            elif isinstance(clause, EdgeClause | PathClause):
                for end in (clause.source, clause.target):
                    if end != "*":
                        found[side, end.rstrip("$")] = None
        return [*found]

    def extended(
        self, clauses: list[tuple[str, Any]], nodes: Binding, edges: Binding
    ) -> Iterator[tuple[Binding, Binding]]:
        new = [each for each in self.names(clauses) if each not in nodes]
        sizes = []
        for side, _ in new:
            graph = self.pair.graphs[side]
            sizes.append(range(len(graph.nodes) if graph else 0))
        for chosen in product(*sizes):
            bound = {**nodes, **dict(zip(new, chosen, strict=True))}
            if self.allowed(bound, new):
                yield from self.with_edges(clauses, bound, edges)

    def allowed(self, bound: Binding, new: list[tuple[str, str]]) -> bool:
        for one in new:
            side, name = one
            for other, number in bound.items():
                if other == one:
                    continue
                same = other[0] == side and number == bound[one]
                if same and not {name, other[1]} & self.free:
                    return False
                if other[1] == name:
                    gold, system = bound["gold", name], bound["system", name]
                    if (gold, system) not in self.pair.nodes:
                        return False
        return True

    def with_edges(
        self, clauses: list[tuple[str, Any]], nodes: Binding, edges: Binding
    ) -> Iterator[tuple[Binding, Binding]]:
        wanted: list[tuple[tuple[str, str], list[int]]] = []
        for number, (side, clause) in enumerate(clauses):
            verdict = isinstance(clause, VerdictClause)
            edge = clause.subject if verdict else clause
            if not isinstance(edge, EdgeClause):
                continue
            if "*" in (edge.source, edge.target):
                continue
            if verdict and self.side_of(side, clause) != side:
                continue
            there = self.matching(side, edge, nodes)
            wanted.append(((side, edge.name or f"#{number}"), there))
        for chosen in product(*(there for _, there in wanted)):
            names = [name for name, _ in wanted]
            bound = {**edges, **dict(zip(names, chosen, strict=True))}
            if all(
                self.holds(side, clause, nodes, bound, number)
                for number, (side, clause) in enumerate(clauses)
            ):
                yield nodes, bound

    def side_of(self, side: str, clause: VerdictClause) -> str:
        return {"missing": "gold", "spurious": "system"}.get(clause.verdict, side)

    def matching(self, side: str, edge: EdgeClause, nodes: Binding) -> list[int]:
        graph = self.pair.graphs[side]
        if graph is None:
            return []
        found = []
        for number, each in enumerate(graph.edges):
            real = ends(graph, each)
            fits = all(
                name == "*" or nodes[side, name.rstrip("$")] == real[k]
                for k, name in enumerate((edge.source, edge.target))
            )
            if fits and all(passes(graph, "edge", number, x) for x in edge.tests):
                found.append(number)
        return found

    def holds(
        self, side: str, clause: Any, nodes: Binding, edges: Binding, number: int
    ) -> bool:
        graph = self.pair.graphs[side]
        if graph is None:
            return False

        def node(name: str) -> int:
            return nodes[side, name.rstrip("$")]

        if isinstance(clause, NodeClause):
            return all(
                passes(graph, "node", node(clause.name), x) for x in clause.tests
            )
        if isinstance(clause, EdgeClause):
            found = bool(self.matching(side, clause, nodes))
            return found or self.is_root(graph, clause, nodes, side)
        if isinstance(clause, OrderClause):
            left, right = node(clause.left), node(clause.right)
            return stands_before(graph, left, right, clause.sign == "<")
        if isinstance(clause, PathClause):
            return leads(graph, node(clause.source), node(clause.target))
        if isinstance(clause, TopClause):
            return graph.nodes[node(clause.node)].id in graph.tops
        if isinstance(clause, FeatureClause):
            return self.compared(graph, side, clause, nodes, edges)
        assert isinstance(clause, VerdictClause)
        return self.judged(side, clause, nodes, edges, number)

    def is_root(
        self, graph: Graph, clause: EdgeClause, nodes: Binding, side: str
    ) -> bool:
        """What no edge leads to is the root, where one of that name is asked for."""
        asked = [x for x in clause.tests if x.sign == "=" and "root" in x.values]
        if clause.source != "*" or clause.target == "*" or not asked:
            return False
        node = graph.nodes[nodes[side, clause.target.rstrip("$")]]
        own = node.id in graph.tops and "deprel" not in dict(node.properties)
        return graph.framework in WORDS and own

    def thing(
        self, side: str, name: str, nodes: Binding, edges: Binding
    ) -> tuple[str, int]:
        if (side, name) in edges:
            return "edge", edges[side, name]
        return "node", nodes[side, name.rstrip("$")]

    def compared(
        self,
        graph: Graph,
        side: str,
        clause: FeatureClause,
        nodes: Binding,
        edges: Binding,
    ) -> bool:
        what, number = self.thing(side, clause.left.owner, nodes, edges)
        if clause.left.name == "__id__":
            assert isinstance(clause.right, Feature)
            other = self.thing(side, clause.right.owner, nodes, edges)[1]
            return {"<": number < other, "=": number == other}.get(
                clause.sign, number != other
            )
        left = [
            x for x in values(graph, what, number, clause.left.name) if x is not None
        ]
        if isinstance(clause.right, Feature):
            tuple_type, other = self.thing(side, clause.right.owner, nodes, edges)
            right = values(graph, tuple_type, other, clause.right.name)
            told = [x for x in right if x is not None]
            return any((x == y) == (clause.sign == "=") for x in left for y in told)
        wanted = (clause.right,)
        return any(is_one(x, wanted) == (clause.sign == "=") for x in left)

    def counterparts(self, side: str, node: int) -> set[int]:
        if side == "gold":
            return {system for gold, system in self.pair.nodes if gold == node}
        return {gold for gold, system in self.pair.nodes if system == node}

    def wrong(self, side: str, what: str, number: int, name: str | None) -> bool:
        own = {"gold": "missing", "system": "spurious"}[side]
        return any(
            x["object"] == what
            and x[side] == number
            and x["error_type"] == own
            and self.is_about(x, what, name)
            for x in self.pair.errors
        )

    @staticmethod
    def is_about(error: dict[str, Any], what: str, name: str | None) -> bool:
        if name is None:
            return error["name"] == ""
        if what == "edge":
            # What is wrong of an edge is so beside another edge: else it is missing.
            there = error["gold"] is not None and error["system"] is not None
            return there and error["name"] == ("" if name == "label" else name)
        if name == "label":
            return error["name"] == "" and error["tuple_type"] == "labels"
        return bool(error["name"] == name)

    def judged(
        self,
        side: str,
        clause: VerdictClause,
        nodes: Binding,
        edges: Binding,
        number: int,
    ) -> bool:
        subject, verdict = clause.subject, clause.verdict
        if isinstance(subject, Feature):
            what, own = self.thing(side, subject.owner, nodes, edges)
            known = what == "edge" or bool(self.counterparts(side, own))
            return known and self.wrong(side, what, own, subject.name)
        if isinstance(subject, EdgeClause):
            of = self.side_of(side, clause)
            if of == side and "*" not in (subject.source, subject.target):
                own = edges[side, subject.name or f"#{number}"]
                return self.edge_is(side, verdict, own)
            return self.loose(side, of, clause, subject, nodes)
        what, own = self.thing(side, subject, nodes, edges)
        if what == "edge":
            return self.edge_is(side, verdict, own)
        return bool(self.counterparts(side, own)) == (verdict == "matched")

    def edge_is(self, side: str, verdict: str, edge: int) -> bool:
        bad = self.wrong(side, "edge", edge, None)
        if verdict != "matched":
            return bad
        place = 0 if side == "gold" else 1
        return not bad and any(pair[place] == edge for pair in self.pair.edges)

    def loose(
        self,
        side: str,
        of: str,
        clause: VerdictClause,
        edge: EdgeClause,
        nodes: Binding,
    ) -> bool:
        graph = self.pair.graphs[of]
        if graph is None:
            return False
        for number, each in enumerate(graph.edges):
            real = ends(graph, each)
            if not all(passes(graph, "edge", number, x) for x in edge.tests):
                continue
            near = True
            for k, name in enumerate((edge.source, edge.target)):
                if name == "*":
                    continue
                own = nodes[side, name.rstrip("$")]
                near &= real[k] in (
                    {own} if of == side else self.counterparts(side, own)
                )
            if near and self.edge_is(of, clause.verdict, number):
                return True
        return False
