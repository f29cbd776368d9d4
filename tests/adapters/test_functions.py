"""Functions of the commands: they list what the commands list, of whatever is given."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import graphscore
from graphscore import Graph, GraphscoreError, Node, Store, UsageError
from graphscore.cli.main import cli

GOLD = [["B-PER", "O", "B-LOC"], ["B-LOC", "O"]]
SYSTEM = [["B-PER", "O", "O"], ["O", "B-LOC"]]
FILES = "data/gold.mrp", "data/birch.mrp"


def test_errors_of_lists_files_and_stores(tmp_path: Path) -> None:
    listing = graphscore.errors(GOLD, SYSTEM, metric="ner")
    assert listing.to_dicts()[0] | {"instead": ""} == {
        **{"framework": "ner", "tuple_type": "strict", "error_type": "missing"},
        **{"name": "", "value": "LOC", "errors": 2, "instead": ""},
    }
    edges = graphscore.errors(*FILES, tuple_type="edges", framework="ucca", top=3)
    assert {row["tuple_type"] for row in edges.to_dicts()} == {"edges"}
    store = str(tmp_path / "runs.db")
    with Store(store, mode="create") as made:
        for file, name in zip(FILES, ("gold", "birch"), strict=True):
            made.ingest(file, name)
        made.score("gold", "birch", "mrp")
        words: dict[str, Any] = {"metric": "mrp", "tuple_type": "edges"}
        words |= {"framework": "ucca", "top": 3}
        assert graphscore.errors(made, "gold", "birch", **words).rows == edges.rows
    assert graphscore.errors(store, "gold", "birch", **words).rows == edges.rows
    grouped = graphscore.errors(GOLD, SYSTEM, metric="ner", by="tuple-type,error-type")
    assert grouped.columns[:2] == ("tuple_type", "error_type")
    assert graphscore.errors(*FILES, confusions=True).columns[-1] == "times"
    with pytest.raises(UsageError, match="no tuple type 'edgs'"):
        graphscore.errors(*FILES, metric="mrp", tuple_type="edgs")
    with pytest.raises(TypeError, match="errors: unknown keyword 'tops'"):
        graphscore.errors(*FILES, tops=1)  # type: ignore[call-arg]


def test_items_are_sorted_the_lowest_first() -> None:
    first, *_ = graphscore.items(GOLD, SYSTEM, metric="ner").to_dicts()
    assert (first["item"], first["ner"]) == ("1", 0)
    assert len(graphscore.items(*FILES, worst=3, order="best")) == 3
    assert "sample" in str(graphscore.items(*FILES, worst=3))


def test_an_item_is_shown_by_its_id_or_ordinal() -> None:
    first = graphscore.show(0, GOLD, SYSTEM, "ner")
    assert first.rows == graphscore.show("0", GOLD, SYSTEM, "ner").rows
    assert "PER" in str(first)
    assert graphscore.explain(GOLD, SYSTEM, 1, "ner")[0].item == "1"
    one = graphscore.show("sample-11", *FILES, "mrp", framework="amr")
    assert {row[0] for row in one.rows} == {"amr"}
    with pytest.raises(UsageError, match="no item 7: gold has 2 items"):
        graphscore.show(7, GOLD, SYSTEM, "ner")


def test_files_and_graphs_are_validated() -> None:
    assert "severity" in graphscore.validate(FILES[0]).columns
    bad = Graph("1", "amr", 2, nodes=(Node(0, "a"), Node(1, "b")))
    codes = [row["code"] for row in graphscore.validate([bad]).to_dicts()]
    assert "amr-disconnected" in codes
    left = graphscore.validate([bad], ignore=["amr-disconnected"])
    assert len(left) == len(codes) - 1


def test_files_are_converted(tmp_path: Path) -> None:
    target = str(tmp_path / "a.dot")
    assert graphscore.convert(FILES[0], target, framework="amr") == 17
    with pytest.raises(GraphscoreError, match="exists; --force"):
        graphscore.convert(FILES[0], target)


def test_statistics_are_of_files_graphs_and_stores(tmp_path: Path) -> None:
    whole = graphscore.analyze(FILES[0], framework="amr")
    assert whole.to_dicts()[0]["value"] == 17
    graphs = list(graphscore.analyze(GOLD, SYSTEM, by="collection").rows)
    assert {row[0] for row in graphs} == {"collection 1", "collection 2"}
    with Store("sqlite://", mode="create") as store:
        store.ingest(FILES[0], "gold")
        assert graphscore.analyze(store, "gold", framework="amr").rows == whole.rows


def test_patterns_are_found_in_graphs_and_between_sides() -> None:
    hits = graphscore.find_pattern("pattern { X -[ARG1]-> Y }", FILES[0], top=2)
    assert (hits.hits, len(hits.items)) == (79, 2)
    missing = "pattern { missing(V -[ARG2]-> A) }"
    assert graphscore.find_pattern(missing, *FILES, metric="mrp").hits == 18
    with Store("sqlite://", mode="create") as store:
        store.ingest(FILES[0], "gold")
        found = graphscore.find_pattern("pattern { X -[ARG1]-> Y }", store, "gold")
    assert found.hits == 79
    with pytest.raises(UsageError, match="2 sides: the pattern is about one"):
        graphscore.find_pattern("pattern { X -[ARG1]-> Y }", *FILES)


def test_reports_are_written(tmp_path: Path) -> None:
    for ending, beginning in ((".md", "#"), (".html", "<!doctype")):
        path = tmp_path / f"report{ending}"
        graphscore.write_report(path, GOLD, SYSTEM, metric="ner", samples=9)
        assert path.read_text(encoding="utf-8").startswith(beginning)
    with pytest.raises(UsageError, match=r"ends in .html or .md"):
        graphscore.write_report(tmp_path / "report.pdf", GOLD, SYSTEM)


def test_metrics_formats_and_rules_are_listed() -> None:
    assert graphscore.list_metrics("ner")[0]["name"] == "ner"
    assert {"mrp", "smatch"} <= {metric["name"] for metric in graphscore.list_metrics()}
    assert "conllu" in {format["name"] for format in graphscore.list_formats()}
    for listing, command in (
        (graphscore.list_metrics(), ["metrics"]),
        (graphscore.list_metrics("ner"), ["metrics", "ner"]),
        (graphscore.list_formats(), ["formats"]),
    ):
        assert len(repr(listing)) < 200
        printed = CliRunner().invoke(cli, [*command, "--markdown"]).stdout
        assert printed.strip() == listing._repr_markdown_().strip()
        assert len(listing.to_dicts()) == len(listing)
    assert graphscore.check_rules("default")["rules"]
    assert graphscore.__version__[0].isdigit()


def test_scores_are_broken_down_and_have_intervals() -> None:
    result = graphscore.score(*FILES, "mrp", by="framework,document", ci=0.9)
    assert "document" in result.tabular().columns
    assert result.intervals is not None
    assert result.intervals.level == 0.9
    assert "low" in str(result)
    with pytest.raises(UsageError, match="did you mean 'framework'"):
        graphscore.score(GOLD, SYSTEM, "ner", by="frame")


def test_results_are_short_in_an_interpreter() -> None:
    gold, system = GOLD * 30, SYSTEM * 30
    result = graphscore.score(gold, system, "ner")
    compared = graphscore.compare(gold, system, system, metric="ner", samples=9)
    explained = graphscore.explain(gold, system, 1, "ner")
    with Store("sqlite://", mode="create") as store:
        store.add(graphscore.from_tags(gold, ids=range(60)), "gold")
        store.add(graphscore.from_tags(system, ids=range(60)), "system")
        stored = store.score("gold", "system", "ner")
        objects: list[Any] = [
            *(result, result.errors, result.confusions, result.per_class),
            *(result.per_item, result.per_item[0], result.errors.frequent()),
            *(compared, explained, explained[0], store, stored, store.errors()),
            graphscore.agree(gold, system, metric="ner", samples=9),
            graphscore.whatif(gold, system, metric="ner"),
            graphscore.errors(gold, system, metric="ner"),
            graphscore.items(gold, system, metric="ner"),
            graphscore.show(0, gold, system, "ner"),
            graphscore.validate(gold),
            graphscore.References(*[gold] * 60),
            graphscore.find_pattern("pattern { X [] }", gold),
            store.item_scores(gold="gold", system="system", metric="ner"),
        ]
        assert [repr(x) for x in objects if len(repr(x)) >= 200] == []
