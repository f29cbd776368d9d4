"""What a format has no place for is said, in Python as on the command line."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from graphscore import LossWarning, write_graphs
from graphscore.cli.main import cli
from graphscore.exceptions import GraphscoreError
from graphscore.formats import ReadGraph, read_file
from graphscore.formats.graph_diff import likeness
from graphscore.formats.registry import format_named
from graphscore.formats.round_trip import write_with_losses
from graphscore.model.graph import Edge, Graph, Node, NodeId
from graphscore.structures.layout import Argument, LayoutBuilder
from tests.formats.reading import lost_of
from tests.formats.samples import SAMPLES
from tests.formats.test_fidelity import base, good

put = msgspec.structs.replace


def warned(name: str, *graphs: Graph) -> list[str]:
    """What is said when graphs are written."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        assert b"".join(write_graphs(graphs, name))
    for each in found:
        assert each.category is LossWarning
        # It points at whoever writes.
        assert each.filename == __file__
    return [str(each.message) for each in found]


def sample(name: str, folder: Path) -> Graph:
    """The first graph of a format's sample."""
    path = folder / "sample"
    path.write_bytes(SAMPLES[name][0].data)
    return next(r.graph for r in read_file(str(path)) if isinstance(r, ReadGraph))


def labelled(graph: Graph) -> Graph:
    """A graph of which a unit has a label."""
    nodes = [*graph.nodes]
    place = next(n for n, node in enumerate(nodes) if not node.anchors)
    nodes[place] = put(nodes[place], label="unit")
    return put(graph, nodes=tuple(nodes))


def sure(graph: Graph) -> Graph:
    """A graph of which a node has a property of its own."""
    first, *others = graph.nodes
    said = put(first, properties=(*first.properties, ("sure", True)))
    return put(graph, nodes=(said, *others))


CASES = [
    ("ucca", labelled, "labels"),
    ("drg", sure, "property sure"),
    ("sbn", sure, "property sure"),
]


@pytest.mark.parametrize(("name", "change", "what"), CASES)
def test_python_says_what_convert_says(
    name: str, change: Callable[[Graph], Graph], what: str, tmp_path: Path
) -> None:
    graph = sample(name, tmp_path)
    assert warned(name, graph) == []
    said = f"not in {name}, with the number of graphs: {what} (1)"
    assert warned(name, change(graph)) == [said]
    path, out = tmp_path / "given.mrp", tmp_path / "out"
    path.write_bytes(b"".join(write_graphs([change(graph)], "mrp")))
    found = CliRunner().invoke(cli, ["convert", str(path), str(out), "--to", name])
    assert found.exit_code == 0
    assert found.stderr.splitlines()[-1] == said


def test_losses_are_counted_in_one_warning(tmp_path: Path) -> None:
    graph = sample("drg", tmp_path)
    graphs = sure(graph), put(graph, id="2"), put(sure(graph), id="3")
    said = "not in drg, with the number of graphs: property sure (2)"
    assert warned("drg", *graphs) == [said]


def test_what_a_format_itself_says_is_lost_is_said(tmp_path: Path) -> None:
    """As of columns, of which the round trip sees only that they differ."""
    said = (
        "not in conll2005, with the number of graphs: ids (1), texts (1), senses (1), "
        "trees (1), heads of arguments (1), other columns (1)"
    )
    assert warned("conll2005", sample("up", tmp_path)) == [said]


def test_documents_are_lost_unless_a_file_can_be_called_after_them() -> None:
    node = Node("b", "bark-01")
    one, two = (
        Graph(str(k), "amr", nodes=(node,), tops=("b",), document=f"novel {k}")
        for k in (1, 2)
    )
    assert warned("amr", one, put(one, id="3")) == []
    said = "not in amr, with the number of graphs: documents (2)"
    assert warned("amr", one, two) == [said]
    known = put(one, id="wsj_0003.8", document="wsj_0003")
    said = "not in amr, with the number of graphs: documents (1)"
    assert warned("amr", one, known) == [said]


# What is the same graph, and what only says the same.

QUANT = ("quant", "3"), ("quant", "4"), ("mode", "x")
BARK = Graph(
    "1",
    "amr",
    nodes=(Node("b", "bark-01", QUANT), Node("d", "dog"), Node("e", "dog")),
    edges=(Edge("b", "d", "ARG0"), Edge("b", "e", "ARG0-of", "ARG0"), Edge("d", "e")),
    tops=("b",),
)
NODES, EDGES = BARK.nodes, BARK.edges


def said(*pairs: tuple[str, str | int | bool | None]) -> dict[str, tuple[Node, ...]]:
    """Nodes of which the first has other properties."""
    return {"nodes": (put(NODES[0], properties=pairs), *NODES[1:])}


def edge(place: int, **change: str | NodeId | None) -> dict[str, tuple[Edge, ...]]:
    """Edges of which one is another."""
    changed = put(EDGES[place], **change)
    return {"edges": (*EDGES[:place], changed, *EDGES[place + 1 :])}


@pytest.mark.parametrize(
    ("back", "lost"),
    [
        ({"nodes": NODES[::-1]}, "order of nodes"),
        ({"edges": EDGES[::-1]}, "order of edges"),
        (said(*QUANT[::-1]), "order of properties"),
        (said(*QUANT, QUANT[0]), "repeated properties"),
        (said(("quant", 3), *QUANT[1:]), "types of values"),
        (said(("quant", "3"), ("quant", 4), QUANT[2]), "types of values"),
        (edge(1, normal=None), "normal labels of edges"),
        (edge(1, label="x"), "labels of edges"),
        (
            edge(1, source="e", target="b", label="ARG0", normal=None),
            "directions of edges",
        ),
    ],
)
def test_what_says_the_same_need_not_be_the_same(
    back: dict[str, object], lost: str
) -> None:
    assert likeness(BARK, put(BARK, **back)) == ("", (lost,))
    assert likeness(put(BARK, **back), BARK) == ("", (lost,))


def test_nodes_that_say_nothing_are_out_of_order_by_their_edges() -> None:
    nodes = Node(0), Node(1), Node(2, "a")
    graph = Graph("1", "ucca", nodes=nodes, edges=(Edge(0, 1, "H"), Edge(1, 2, "A")))
    turned = put(graph, edges=(Edge(1, 0, "H"), Edge(0, 2, "A")))
    assert likeness(graph, turned) == ("", ("order of nodes",))


@pytest.mark.parametrize("name", ["aida", "iob"])
def test_letters_of_tags_that_are_there_twice_are_lost(
    name: str, tmp_path: Path
) -> None:
    graph = sample(name, tmp_path)
    node = graph.nodes[0]
    twice = put(node, properties=(*node.properties, ("tags", "I")))
    changed = put(graph, nodes=(twice, *graph.nodes[1:]))
    told_before = lost_of(name, graph)
    assert lost_of(name, changed) - told_before == {"repeated properties"}


NAMES = {"documents", "ids"}
"""What scoring does not see."""


def test_ucca_keeps_repeated_edges_and_writes_edges_unit_by_unit(
    tmp_path: Path,
) -> None:
    graph = sample("ucca", tmp_path)
    first, *others = graph.edges
    named = lost_of("ucca", graph)
    assert named <= NAMES
    assert lost_of("ucca", put(graph, edges=(first, *graph.edges))) == named
    # Of another unit than the one before it.
    assert others[-1].source != first.source
    moved = put(graph, edges=(others[-1], first, *others[:-1]))
    assert lost_of("ucca", moved) - named == {"order of edges"}


SEEN = (
    *("amr", "conll2005", "conll2009", "conll2012", "conllu", "conllu-srl"),
    *("drg", "eds", "genia", "hipe", "muc", "sbn", "sdp", "ucca", "umr", "up"),
)
"""Formats that are not JSON, of which a graph alone is a file."""


@pytest.mark.parametrize("name", SEEN)
@given(data=st.data())
def test_what_scoring_can_see_is_written_told_or_refused(
    name: str, data: st.DataObject
) -> None:
    """Whatever moves, stands there twice or is of another type."""
    graph = data.draw(st.sampled_from(base(name)))
    nodes = [*data.draw(st.permutations(graph.nodes))]
    edges = [*data.draw(st.permutations(graph.edges))]
    if edges and data.draw(st.booleans()):
        edges.append(data.draw(st.sampled_from(edges)))
    if data.draw(st.booleans()):
        place = data.draw(st.integers(0, len(nodes) - 1))
        pairs = [*nodes[place].properties]
        pairs += data.draw(st.lists(st.sampled_from(pairs or [("quant", "3")])))
        typed = st.sampled_from([("quant", 3), ("quant", "3"), ("quant", True)])
        pairs += data.draw(st.lists(typed, max_size=2))
        nodes[place] = put(nodes[place], properties=tuple(pairs))
    changed = put(graph, nodes=tuple(nodes), edges=tuple(edges))
    lost: set[str] = set()
    chosen = format_named(name)
    try:
        file = b"".join(
            write_with_losses(chosen, [changed], lambda _, what: lost.update(what))
        )
    except GraphscoreError:
        return
    back = [g for g in good(name, file) if g.framework == graph.framework]
    assert lost - NAMES or [each.digest() for each in back] == [changed.digest()]


@pytest.mark.parametrize("name", ["better", "grit", "gtt", "iterx", "muc"])
def test_an_edge_that_is_given_twice_is_lost_where_nodes_may_be_more(name: str) -> None:
    build = LayoutBuilder()
    entity = build.entity([build.mention(None, text="HE")], id="e")
    kind = None if name == "grit" else "attack"
    build.template(kind, [Argument("PERP: INDIVIDUAL ID", entity)])
    graph = build.graph("1", "template", document="1")
    assert "repeated edges" not in lost_of(name, graph)
    for edge in graph.edges:
        twice = put(graph, edges=(*graph.edges, edge))
        same = name == "better" and edge.label != "mention"
        assert ("repeated edges" in lost_of(name, twice)) is not same
