"""What a format has no place for is said, in Python as on the command line."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from graphscore import LossWarning, write_graphs
from graphscore.cli.main import cli
from graphscore.formats import Read, read_file
from graphscore.model.graph import Graph, Node
from tests.formats.samples import SAMPLES

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
    return next(r.graph for r in read_file(str(path)) if isinstance(r, Read))


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
