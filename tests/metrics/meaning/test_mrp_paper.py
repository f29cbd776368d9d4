"""The published definition of mrp, and tuples that a framework does not have."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from graphscore import Store, score
from graphscore.cli.main import cli
from graphscore.evaluation.result import Result
from graphscore.formats import write_graphs
from graphscore.metrics.meaning.mrp import Mrp
from graphscore.metrics.registry import parse
from graphscore.model.graph import Anchor, Edge, Graph, Node

TEXT = "Nov. 29"

PAPER = "mrp(preset=paper)"


def ucca(label: str | None, item: str = "1") -> Graph:
    """A unit of two words, with a label that UCCA does not have."""
    return Graph(
        item,
        "ucca",
        1,
        text="dogs bark",
        nodes=(
            Node(0, label),
            Node(1, label, (), (Anchor(0, 4),)),
            Node(2, label, (), (Anchor(5, 9),)),
        ),
        edges=(Edge(0, 1, "A"), Edge(0, 2, "P")),
        tops=(0,),
    )


LABELLED, BARE = ucca("unit"), ucca(None)


def amounts(result: Result, tuple_type: str = "all") -> tuple[float, ...]:
    return result.counts[tuple_type][:3]


def test_what_the_preset_means() -> None:
    spelled = Mrp(
        order="free", trim="anchor", invert="amr", counted_tuple_types="applicable"
    )
    paper = Mrp(preset="paper")
    for name in ("order", "trim", "invert", "counted_tuple_types"):
        assert getattr(paper, name) == getattr(spelled, name)
    assert str(paper) == "mrp(preset=paper)"
    assert (
        str(spelled) == "mrp(order=free,trim=anchor,invert=amr,tuple_types=applicable)"
    )
    assert parse("mrp(preset=paper,order=free,tuple_types=applicable)") == paper


@pytest.mark.parametrize(
    "text",
    [
        "mrp(order=surface,preset=paper)",
        "mrp(trim=range,invert=all,preset=paper,tuple_types=all)",
        "mrp(tuple_types=applicable)",
    ],
)
def test_what_is_given_goes_before_the_preset(text: str) -> None:
    metric = parse(text)
    assert str(metric) == text
    assert parse(str(metric)) == metric
    for given in text[4:-1].split(","):
        name, _, value = given.partition("=")
        field = {"tuple_types": "counted_tuple_types"}.get(name, name)
        assert getattr(metric, field) == value


def test_each_part_of_the_preset() -> None:
    one, two = (
        Graph("1", "dm", 0, nodes=tuple(Node(*each) for each in enumerate(labels)))
        for labels in ("ab", "ba")
    )
    matched = [
        amounts(score([one], [two], metric), "labels")[2] for metric in ("mrp", PAPER)
    ]
    assert matched == [1, 2]
    full, bare = (
        Graph("1", "eds", 1, text=TEXT, nodes=(Node(0, "d", (), anchors),))
        for anchors in ((Anchor(0, 4), Anchor(5, 7)), (Anchor(0, 3), Anchor(5, 7)))
    )
    matched = [
        amounts(score([full], [bare], metric), "anchors")[2]
        for metric in ("mrp", PAPER)
    ]
    assert matched == [1, 0]
    nodes = Node(0, "a"), Node(1, "b")
    for framework, same in (("eds", 0), ("amr", 1)):
        turned, base = (
            Graph("1", framework, 1, nodes=nodes, edges=(edge,))
            for edge in (Edge(0, 1, "ARG1-of"), Edge(1, 0, "ARG1"))
        )
        assert amounts(score([turned], [base], "mrp"), "edges")[2] == 1
        assert amounts(score([turned], [base], PAPER), "edges")[2] == same


@pytest.mark.parametrize(
    ("gold", "system", "counted", "left", "labels"),
    [
        (BARE, LABELLED, (5, 8, 5), (5, 5, 5), "labels 0 in gold, 3 in the system"),
        (LABELLED, BARE, (8, 5, 5), (5, 5, 5), "labels 3 in gold, 0 in the system"),
        (LABELLED, LABELLED, (8, 8, 8), (5, 5, 5), "labels 3 in gold, 3 in the system"),
    ],
)
def test_tuples_that_a_framework_does_not_have(
    gold: Graph,
    system: Graph,
    counted: tuple[int, ...],
    left: tuple[int, ...],
    labels: str,
) -> None:
    every, applicable = (
        score([gold], [system], metric)
        for metric in ("mrp", "mrp(tuple_types=applicable)")
    )
    assert (amounts(every), amounts(applicable)) == (counted, left)
    [said] = [note for note in every.notes if "does not have" in note]
    assert "tuple types that ucca does not have" in said
    assert labels in said
    assert "they count (tuple types=applicable leaves them out)" in said
    [said] = [note for note in applicable.notes if "does not have" in note]
    assert labels in said
    assert "they are left out" in said
    assert amounts(applicable, "labels") == (0, 0, 0)


def test_nothing_is_said_where_there_are_none() -> None:
    for metric in ("mrp", "mrp(tuple_types=applicable)"):
        assert not [
            note
            for note in score([BARE], [BARE], metric).notes
            if "does not have" in note
        ]
    # Of a framework that nothing is known of, all tuple types are its own.
    mine = msgspec.structs.replace(LABELLED, framework="mine")
    assert amounts(score([mine], [mine], "mrp(tuple_types=applicable)")) == (8, 8, 8)


def test_every_tuple_type_is_left_out() -> None:
    node = Node(0, "x", (("p", "v"),), (Anchor(0, 1),))
    edge = Edge(0, 0, "e", attributes=(("remote", True), ("effective", True)))
    for framework, lacking in (
        ("ucca", {"labels": 1, "properties": 1}),
        ("amr", {"anchors": 1, "attributes": 2}),
        ("dm", {"attributes": 2}),
        ("ptg", {}),
    ):
        graph = Graph("1", framework, text="x", nodes=(node,), edges=(edge,), tops=(0,))
        result = score([graph], [graph], "mrp(tuple_types=applicable)")
        assert amounts(result)[0] == 7 - sum(lacking.values())
        assert result.f1 == 1
        said = " ".join(result.notes)
        for tuple_type, number in lacking.items():
            assert f"{tuple_type} {number} in gold, {number} in the system" in said
        for other in ("mrp", "mrp(tuple_types=applicable)"):
            facts = parse(other).prepare(graph)
            tuple_types = {fact.tuple_type for fact in facts.listing()}
            assert ({*lacking} & tuple_types == set()) == (
                other != "mrp" or not lacking
            )


def test_the_table_hides_nothing_that_counts(tmp_path: Path) -> None:
    for name, graph in (("gold", BARE), ("system", LABELLED)):
        (tmp_path / f"{name}.mrp").write_bytes(b"".join(write_graphs([graph], "mrp")))
    files = [str(tmp_path / f"{name}.mrp") for name in ("gold", "system")]

    def table(*words: str) -> tuple[str, str]:
        run = CliRunner().invoke(cli, ["score", *files, "--table", *words])
        assert run.exit_code == 0
        return run.stdout, run.stderr

    shown, said = table("-m", "mrp")
    row = next(line for line in shown.splitlines() if line.startswith("ucca"))
    assert "0.00" in row.split()
    assert "labels 0 in gold, 3 in the system" in said
    assert any(
        line.split()[:4] == ["labels", "0", "3", "0"]
        for line in table("-m", "mrp", "--by", "tuple_type")[0].splitlines()
    )
    shown, said = table("-m", "mrp(tuple_types=applicable)")
    row = next(line for line in shown.splitlines() if line.startswith("ucca"))
    assert "0.00" not in row.split()
    assert "they are left out" in said


def test_a_store_says_the_same() -> None:
    with Store("sqlite://", mode="create") as store:
        store.add([BARE], "gold")
        store.add([LABELLED], "system")
        for metric in ("mrp", "mrp(tuple_types=applicable)"):
            [mine] = store.score("gold", "system", [parse(metric)])
            [again] = store.score("gold", "system", [parse(metric)])
            files = score([BARE], [LABELLED], metric)
            assert mine.counts == again.counts == files.counts
            notes = [
                [note.partition(": ")[2] for note in each.notes if "not have" in note]
                for each in (mine, again, files)
            ]
            assert notes[0] == notes[1] == notes[2] != []
