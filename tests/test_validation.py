"""Well-formedness: every code is documented, and something triggers it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from graphscore.exceptions import Problem
from graphscore.formats import ReadGraph, read_file
from graphscore.formats.base import Note
from graphscore.model.frameworks import FRAMEWORKS
from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.validation import (
    CODES,
    Finding,
    Inversions,
    left_out,
    passed_over,
    repeated,
    unreadable,
    validate,
)
from graphscore.validation.base import circle, pieces
from tests.conftest import ROOT
from tests.strategies import graphs

TEXT = "Dogs bark ."
DOGS, BARK, STOP = Anchor(0, 4), Anchor(5, 9), Anchor(10, 11)
REMOTE = (("remote", True),)


def sdp(**changes: Any) -> Graph:
    return build(
        {
            "framework": "dm",
            "flavor": 0,
            "nodes": (Node(0, "dog", (), (DOGS,)), Node(1, "bark", (), (BARK,))),
            "edges": (Edge(1, 0, "ARG1"),),
            "tops": (1,),
        }
        | changes
    )


def eds(**changes: Any) -> Graph:
    return sdp(**{"framework": "eds", "flavor": 1} | changes)


def ucca(*more: Edge, **changes: Any) -> Graph:
    """``H(A(Dogs) P(bark))``, with further edges."""
    edges = (Edge(2, 3, "H"), Edge(3, 0, "A"), Edge(3, 1, "P"), *more)
    nodes = (Node(0, anchors=(DOGS,)), Node(1, anchors=(BARK,)), Node(2), Node(3))
    return build(
        {
            "framework": "ucca",
            "flavor": 1,
            "nodes": nodes,
            "edges": edges,
            "tops": (2,),
        }
        | changes
    )


def amr(**changes: Any) -> Graph:
    return build(
        {
            "framework": "amr",
            "flavor": 2,
            "nodes": (Node(0, "dog"), Node(1, "bark-01")),
            "edges": (Edge(1, 0, "ARG0"),),
            "tops": (1,),
        }
        | changes
    )


def drg(*more: Edge, **changes: Any) -> Graph:
    nodes = (
        Node("b1"),
        Node("x1", "dog.n.01"),
        Node("e1", "bark.v.01"),
        Node("r1", "Agent"),
    )
    edges = (
        Edge("b1", "x1", "in"),
        Edge("b1", "e1", "in"),
        Edge("e1", "r1"),
        Edge("r1", "x1"),
        *more,
    )
    return build(
        {
            "framework": "drg",
            "flavor": 2,
            "nodes": nodes,
            "edges": edges,
            "tops": ("b1",),
        }
        | changes
    )


def build(fields: dict[str, Any]) -> Graph:
    return Graph(**{"id": "7", "text": TEXT} | fields)


def found(graph: Graph) -> list[tuple[str, Any, Any]]:
    return [(each.code, each.node, each.edge) for each in validate(graph)]


@pytest.mark.parametrize("graph", [sdp(), eds(), ucca(), amr(), drg()])
def test_what_is_well_formed_gives_no_finding(graph: Graph) -> None:
    assert validate(graph) == []


def other(number: int, *anchors: Anchor, label: str | None = "x") -> Node:
    return Node(number, label, (), anchors)


CASES: list[tuple[str, Graph, Any, Any]] = [
    # code, graph, node, edge
    ("dangling-edge", amr(edges=(Edge(1, 9, "ARG0"), Edge(1, 0, "ARG1"))), None, 0),
    ("dangling-edge", amr(tops=(9,)), None, None),
    ("repeated-id", amr(nodes=(Node(1, "a"), Node(1, "b")), edges=()), 1, None),
    ("wrong-flavor", amr(flavor=1), None, None),
    ("no-flavor", amr(flavor=None), None, None),
    ("anchor-outside", sdp(text="Dogs"), 1, None),
    ("anchor-outside", sdp(nodes=(other(0, Anchor(4, 0)), other(1, BARK))), 0, None),
    ("no-text", amr(text=""), None, None),
    ("empty-graph", amr(nodes=(), edges=(), tops=()), None, None),
    ("no-top", sdp(tops=()), None, None),
    ("repeated-top", amr(tops=(1, 1)), 1, None),
    ("isolated-node", amr(nodes=(*amr().nodes, Node(5, "cat"))), 5, None),
    ("self-loop", amr(edges=(Edge(1, 0, "ARG0"), Edge(1, 1, "ARG1"))), None, 1),
    ("repeated-edge", amr(edges=(Edge(1, 0, "ARG0"), Edge(1, 0, "arg0"))), None, 1),
    (
        "repeated-property",
        eds(nodes=(Node(0, "a", (("n", 1), ("N", 2)), (DOGS,)), other(1, BARK))),
        0,
        None,
    ),
    ("blank-anchor", sdp(nodes=(other(0, Anchor(4, 5)), other(1, BARK))), 0, None),
    ("blank-anchor", eds(text="", nodes=(other(0, Anchor(4, 4)), other(1, BARK))), 0,
     None),
    ("inapplicable-tuple", amr(nodes=(other(0, DOGS), Node(1, "b"))), 0, None),
    ("inapplicable-tuple", amr(edges=(Edge(1, 0, "a", None, REMOTE),)), None, 0),
    ("inapplicable-tuple", ucca(nodes=(other(0, DOGS), *ucca().nodes[1:])), 0, None),
    ("sdp-anchors", sdp(nodes=(other(0), other(1, BARK))), 0, None),
    ("sdp-anchors", sdp(nodes=(other(0, DOGS, STOP), other(1, BARK))), 0, None),
    ("sdp-token", sdp(tokens=(DOGS, Anchor(5, 8))), 1, None),
    ("sdp-token", sdp(nodes=(other(0, Anchor(4, 4)), other(1, BARK))), 0, None),
    ("sdp-order", sdp(nodes=(other(1, BARK), other(0, DOGS))), 0, None),
    ("sdp-label", sdp(edges=(Edge(1, 0),)), None, 0),
    ("sdp-tops", sdp(tops=(0, 1)), None, None),
    ("sdp-shared", sdp(nodes=(other(0, BARK), other(1, BARK))), 1, None),
    ("eds-top", eds(tops=()), None, None),
    ("eds-top", eds(tops=(0, 1)), None, None),
    ("eds-label", eds(nodes=(other(0, DOGS, label=None), other(1, BARK))), 0, None),
    ("eds-label", eds(edges=(Edge(1, 0, ""),)), None, 0),
    ("eds-anchors", eds(nodes=(other(0), other(1, BARK))), 0, None),
    ("eds-disconnected", eds(edges=()), 1, None),
    ("ucca-top", ucca(tops=()), None, None),
    ("ucca-parents", ucca(Edge(2, 0, "A")), 0, None),
    ("ucca-orphan", ucca(edges=ucca().edges[:2]), 1, None),
    (
        "ucca-orphan",
        ucca(edges=(*ucca().edges[:2], Edge(3, 1, "P", None, REMOTE))),
        1,
        None,
    ),
    ("ucca-top-below", ucca(tops=(3,)), 3, None),
    ("ucca-cycle", ucca(Edge(3, 2, "A")), 2, None),
    ("ucca-unanchored", ucca(nodes=(Node(0), *ucca().nodes[1:])), 0, None),
    ("ucca-category", ucca(edges=(*ucca().edges[:2], Edge(3, 1))), None, 2),
    ("ucca-unknown", ucca(edges=(*ucca().edges[:2], Edge(3, 1, "ARG0"))), None, 2),
    ("ucca-remote", ucca(Edge(2, 0, "A", None, (("remote", "yes"),))), None, 3),
    ("ucca-remote", ucca(nodes=(Node(0, None, REMOTE, (DOGS,)), *ucca().nodes[1:])),
     0, None),
    ("ucca-attribute", ucca(Edge(2, 0, "A", None, (*REMOTE, ("x", 1)))), None, 3),
    (
        "ucca-shared",
        ucca(nodes=(Node(0, anchors=(BARK,)), *ucca().nodes[1:])),
        1,
        None,
    ),
    ("ucca-remote-cycle", ucca(Edge(3, 2, "A", None, REMOTE)), 2, None),
    ("amr-top", amr(tops=()), None, None),
    ("amr-top", amr(tops=(0, 1)), None, None),
    ("amr-label", amr(nodes=(Node(0), Node(1, "b"))), 0, None),
    ("amr-label", amr(edges=(Edge(1, 0),)), None, 0),
    ("amr-disconnected", amr(edges=()), 1, None),
    ("amr-cycle", amr(edges=(Edge(1, 0, "ARG0"), Edge(0, 1, "ARG1"))), 0, None),
    ("drg-top", drg(tops=()), None, None),
    ("drg-top", drg(tops=("x1",)), "x1", None),
    ("drg-role", drg(Edge("r1", "e1")), "r1", None),
    ("drg-box", drg(Edge("x1", "e1", "in")), None, 4),
    ("drg-concept", drg(nodes=(Node("x1"), *drg().nodes[::2], Node("r1", "Agent"))),
     "x1", None),
    ("drg-free", drg(edges=drg().edges[1:]), "x1", None),
]  # fmt: skip


@pytest.mark.parametrize(
    ("code", "graph", "node", "edge"),
    [pytest.param(*case, id=f"{k}-{case[0]}") for k, case in enumerate(CASES)],
)
def test_every_code_is_found_where_it_belongs(
    code: str, graph: Graph, node: Any, edge: Any
) -> None:
    assert (code, node, edge) in found(graph)


def test_two_categories_of_one_edge_are_one_parent() -> None:
    assert found(ucca(Edge(3, 1, "D"))) == []


def test_remote_edges_add_parents() -> None:
    assert found(ucca(Edge(2, 0, "A", None, REMOTE))) == []


def test_several_tops_are_normal_in_psd_only() -> None:
    psd = sdp(framework="psd", tops=(0, 1))
    assert found(psd) == []


def test_inverse_roles_make_no_circle() -> None:
    inverse = amr(edges=(Edge(1, 0, "ARG0"), Edge(0, 1, "ARG1-of", "ARG1")))
    assert found(inverse) == []


def test_flat_annotations_have_neither_tops_nor_edges() -> None:
    assert found(Graph("1", "ner", text=TEXT, nodes=(other(0, DOGS), other(1)))) == []


def test_several_entries_of_an_authority_file_are_no_repetition() -> None:
    for name, expected in (("authority", 0), ("normalization", 0), ("entry", 1)):
        twice = (("kind", "mention"), (name, "Q64"), (name, "Q64"))
        node = Node(0, "LOC", twice, (DOGS,))
        assert len(found(Graph("1", "ner", text=TEXT, nodes=(node,)))) == expected


def test_several_values_of_a_property_are_a_list_in_annotations() -> None:
    several = (("kind", "relation"), ("evidence", 0), ("evidence", 2))
    node = Node(0, "P17", several)
    assert found(Graph("1", "relation", text=TEXT, nodes=(node,))) == []


@pytest.mark.parametrize(
    "framework", ["coref", "ner", "etree", "relation", "event", "template", "srl"]
)
def test_nothing_may_be_found_in_a_layer(framework: str) -> None:
    assert found(Graph("1", framework, text=TEXT)) == []
    # Without characters no text is missing.
    words = Node(0, None, (("kind", "mention"), ("text", "dogs")))
    assert found(Graph("1", framework, nodes=(words,))) == []
    [finding] = found(Graph("1", framework, nodes=(other(0, DOGS),)))
    assert finding[0] == "no-text"


# About a file.


def test_silent_inversions_are_found_where_others_speak() -> None:
    said = Edge(1, 0, "ARG0-of", "ARG0")
    silent, own = Edge(1, 0, "ARG1-of"), Edge(1, 0, "consist-of")
    inversions = Inversions()
    inversions.take(amr(edges=(silent, own)), "a.mrp", 1)
    assert inversions.findings() == []
    inversions.take(sdp(edges=(said,)), "a.mrp", 2)
    assert inversions.findings() == [], "another framework does not count"
    inversions.take(amr(edges=(said, silent)), "a.mrp", 3)
    assert [(f.code, f.line, f.edge) for f in inversions.findings()] == [
        ("missing-normal", 1, 0),
        ("missing-normal", 3, 1),
    ]


def test_what_is_unreadable_or_repeated_is_a_finding() -> None:
    problem = Problem("a.mrp", 3, 5, "$.id", "nothing", "a string")
    one = unreadable(problem, "amr", "9")
    assert str(one) == (
        "a.mrp:3: item 9: error unreadable: $.id: found nothing, expected a string"
    )
    two = repeated(amr(), "a.mrp", 4, "a.mrp:1")
    assert str(two) == (
        "a.mrp:4: item 7: error repeated-item: the item is at a.mrp:1 already"
    )
    assert one.severity == two.severity == "error"
    noted = passed_over(Note("a name of no item", problem), Graph("9", "dm"))
    assert str(noted) == (
        "a.mrp:3: item 9: warning passed-over: a name of no item: $.id: found nothing, "
        "expected a string"
    )
    three = left_out(problem, Graph("9", "template"))
    assert str(three) == (
        "a.mrp:3: item 9: warning left-out: $.id: found nothing, expected a string"
    )


def test_every_code_is_triggered_here() -> None:
    elsewhere = {"unreadable", "left-out", "repeated-item", "missing-normal"}
    elsewhere |= {"passed-over", "self-score"}
    assert {case[0] for case in CASES} | elsewhere == set(CODES)


def test_every_code_is_documented_with_its_severity_and_meaning() -> None:
    page = (ROOT / "docs" / "validation.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `([\w-]+)` \| (.*) \|$", page, re.MULTILINE))
    assert set(rows) == set(CODES)
    for name, code in CODES.items():
        assert rows[name].startswith(f"{code.severity} | {code.meaning}"), name


def test_a_code_says_where_it_can_occur() -> None:
    for name, code in CODES.items():
        assert code.severity in ("error", "warning")
        for framework in code.frameworks.split():
            assert framework == "all" or framework in FRAMEWORKS, name


# Real and random graphs.


def of(path: Path) -> list[Finding]:
    records = [each for each in read_file(str(path)) if isinstance(each, ReadGraph)]
    return [one for each in records for one in validate(each.graph, "f", each.line)]


def test_the_sample_has_no_errors(sample: Path) -> None:
    assert {(each.severity, each.code) for each in of(sample / "gold.mrp")} == {
        ("warning", "amr-cycle")
    }


def test_system_output_of_the_sample_has_some(sample: Path) -> None:
    codes = {each.code for each in of(sample / "birch.mrp")}
    assert {"amr-disconnected", "ucca-parents", "eds-top"} <= codes


GOLD: dict[str, dict[str, int]] = {
    "amr.mrp": {},
    "dm.mrp": {"no-top": 1},
    "eds.mrp": {"eds-disconnected": 1},
    "psd.mrp": {"isolated-node": 1},
    "ucca.mrp": {},
    "lpps.mrp": {"amr-cycle": 1},
    "dm.empty.mrp": {"empty-graph": 2},
}


@pytest.mark.parametrize("name", GOLD)
def test_published_gold_has_no_errors_and_few_warnings(
    conformance: Path, name: str
) -> None:
    findings = of(conformance / "mrp" / "gold" / name)
    assert [str(each) for each in findings if each.severity == "error"] == []
    codes = [each.code for each in findings]
    assert {code: codes.count(code) for code in codes} == GOLD[name]


@given(graphs())
def test_no_graph_breaks_the_checks(graph: Graph) -> None:
    ids = {node.id for node in graph.nodes}
    severities = []
    for each in validate(graph, "a.mrp", 3):
        assert each.severity == CODES[each.code].severity
        assert each.node is None or each.node in ids
        assert each.edge is None or 0 <= each.edge < len(graph.edges)
        severities.append(each.severity)
        json.dumps(each._asdict())
    assert severities == sorted(severities), "errors come first"


def test_shapes_are_found_without_recursion() -> None:
    size = 5_000
    nodes = tuple(Node(k, "x") for k in range(size))
    chain = tuple(Edge(k, k + 1, "a") for k in range(size - 1))
    graph = Graph("1", "amr", 2, text="x", nodes=nodes, edges=chain, tops=(0,))
    assert len(pieces(graph)) == 1
    assert validate(graph) == []
    assert circle({k: {(k + 1) % size} for k in range(size)}) is not None


def test_tokens_that_comments_of_clauses_name_are_no_finding() -> None:
    nodes = tuple(
        Node(node.id, node.label, node.properties, (Anchor(0, 1),))
        for node in drg().nodes
    )
    assert not found(drg(nodes=nodes))


def test_no_finding_contains_a_whole_name() -> None:
    long = "x" * 20_000
    problem = Problem("a.mrp", 3, None, "$.id", "nothing", "a string")
    for finding in (
        unreadable(problem, long, long),
        repeated(Graph(long, long), "a.mrp", 4, "a.mrp:1"),
    ):
        assert len(str(finding)) < 1_000
        assert len(finding.framework) < 1_000
