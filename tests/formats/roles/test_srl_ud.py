"""The dependency trees of files with semantic roles, read by name."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from graphscore.correspondence import Budget
from graphscore.formats import ReaderOptions, read_file
from graphscore.formats.base import ReadGraph
from graphscore.formats.registry import detect, format_named
from graphscore.metrics.registry import parse
from tests.conftest import ROOT
from tests.formats.reading import FormatReader

CONLLU = format_named("conllu")
FORMAT = format_named("srl-ud")

DATA = ROOT / "data" / "srl"
FILES = ("market.conll09", "market.conllu", "market.conllup")


_reading = FormatReader(FORMAT, "a")
read = _reading.read
good = _reading.good
problems = _reading.problems


@pytest.mark.parametrize("name", FILES)
def test_each_file_has_the_same_tree(name: str) -> None:
    [graph] = good((DATA / name).read_bytes())
    assert graph.framework == "ud"
    assert graph.tops == (2,)
    assert [(e.source, e.target, e.label) for e in graph.edges] == [
        *((2, 1, "nsubj"), (5, 3, "det"), (5, 4, "amod"), (2, 5, "obj")),
        *((9, 6, "punct"), (9, 7, "cc"), (9, 8, "nsubj"), (2, 9, "conj")),
        *((9, 10, "obj"), (2, 11, "punct")),
    ]
    assert dict(graph.nodes[1].properties)["lemma"] == "sell"


def test_columns_are_read_as_a_treebank() -> None:
    tree = b"1\tA\ta\tX\t_\tC=D\t0\troot\t0:root\tSpaceAfter=No\n\n"
    roles = tree.replace(b"=No\n", b"=No\tY\ta.01\tA0\n")
    assert CONLLU.read is not None
    expected = list(CONLLU.read(io.BytesIO(b"# sent_id = 1\n" + tree), "a"))
    found = read(b"# sent_id = 1\n" + roles)
    graphs = [
        [each.graph for each in some if isinstance(each, ReadGraph)]
        for some in (found, expected)
    ]
    assert [graph.framework for graph in graphs[0]] == ["ud", "eud"]
    assert graphs[0] == graphs[1]


def test_predicted_trees_stand_in_where_there_is_no_other() -> None:
    data = (DATA / "market.conll09").read_bytes()
    rows = [line.split(b"\t") for line in data.strip().split(b"\n")]
    for row in rows:
        row[8] = row[10] = b"_"
    blind = b"\n".join(b"\t".join(row) for row in rows) + b"\n\n"
    assert good(blind)[0].edges == good(data)[0].edges
    for row in rows:
        row[9] = b"_"
    none = b"\n".join(b"\t".join(row) for row in rows) + b"\n\n"
    assert problems(data + none) == ["a:13: HEAD: found nothing, expected a tree"]


def test_the_attachment_scores_are_those_of_conll09() -> None:
    data = (DATA / "market.conll09").read_bytes()
    wrong = data.replace(b"5\t5\tdet", b"2\t2\tdet").replace(b"cc\tcc", b"mark\tmark")
    assert wrong != data
    scores = []
    for spelled, name in (
        ("conll09", "conll2009"),
        ("las", "srl-ud"),
        ("uas", "srl-ud"),
    ):
        reader = format_named(name).read
        assert reader is not None
        metric = parse(spelled)
        pair = []
        for each in (data, wrong):
            [record] = reader(io.BytesIO(each), "a")
            assert isinstance(record, ReadGraph)
            pair.append((metric.prepare(record.graph),))
        outcome = metric.compare(*pair, budget=Budget(), details=False)
        scores.append(metric.scores(outcome.raw_counts))
    roles, las, uas = scores
    assert las.counts["all"].f1 == pytest.approx(9 / 11)
    assert uas.counts["all"].f1 == pytest.approx(10 / 11)
    assert roles.numbers["las"] == pytest.approx(9 / 11)
    assert roles.numbers["uas"] == pytest.approx(10 / 11)


def test_only_when_named() -> None:
    for name in FILES:
        path = str(DATA / name)
        with Path(path).open("rb") as stream:
            assert detect(stream, path).name != "srl-ud"
        [record] = read_file(path, ReaderOptions(format="srl-ud"))
        assert isinstance(record, ReadGraph)
        assert record.graph.document == "market"


def test_other_files_are_refused() -> None:
    assert problems(b"- (A0*)\nbark (V*)\n") == [
        "a:1: found content of another kind, expected conll2009, conllu-srl or up"
    ]
    bare = b"# global.columns = ID UP:PRED UP:ARGHEADS\n# sent_id = x\n1\ta.01\tA0:1\n"
    [found] = problems(bare)
    assert found == "a:1: HEAD: found nothing, expected a tree"


def test_a_bar_may_stand_behind_the_features() -> None:
    row = b"1\tA\ta\tX\t_\tC=D|\t0\troot\t_\t_\tY\ta.01\tA0\n\n"
    [graph] = good(row)
    assert ("C", "D") in graph.nodes[0].properties
    assert good(row.replace(b"C=D|", b"|"))[0].nodes[0].properties[-1][0] == "upos"
