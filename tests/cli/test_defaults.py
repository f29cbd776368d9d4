"""Commands without ``-m``: the metrics of what is there, and what is said of that."""

import io
import os
import subprocess
import sys

import pytest

from tests.cli.conftest import DATA

ENTITIES = """\
Ada B-PER
Byron I-PER
left O
Rome B-LOC

Paris B-LOC
"""

SYSTEM = ENTITIES.replace("Rome B-LOC", "Rome B-PER")

TREES = """\
1	Dogs	dog	NOUN	_	_	2	nsubj	{one}	_
2	bark	bark	VERB	_	_	0	root	{two}	_

"""

MUC = """\
0.  MESSAGE: ID                     TST1-MUC3-0001
1.  MESSAGE: TEMPLATE               1
2.  INCIDENT: DATE                  -
3.  INCIDENT: LOCATION              EL SALVADOR
4.  INCIDENT: TYPE                  BOMBING
9.  PERP: INDIVIDUAL ID             "GUERRILLAS"
"""

GRIT = (
    '{"docid": "TST1-MUC3-0001", "doctext": "guerrillas", "extracts": '
    '{"perp_individual_id": [[["guerrillas", 0]]], "perp_organization_id": [], '
    '"phys_tgt_id": [], "hum_tgt_name": [], "incident_instrument_id": []}}\n'
)

ABSTRACTS = [
    str(DATA / "ie" / name) for name in ("abstracts.jsonl", "abstracts.predicted.jsonl")
]
ALL = ["conll", "ner", "relation", "trigger", "argument"]


@pytest.fixture
def sides(tmp_path):
    """Entities of both sides."""
    gold, system = tmp_path / "gold.iob2", tmp_path / "system.iob2"
    gold.write_text(ENTITIES)
    system.write_text(SYSTEM)
    return str(gold), str(system)


def test_entities_are_scored_as_entities(run, sides):
    found = run("score", *sides)
    named = run("score", *sides, "-m", "ner").json
    assert "because the files hold named entities" in found.err
    assert found.json == named
    assert found.err.splitlines()[-1] == (
        "ner, because the files hold named entities; -m chooses another"
    )
    assert "-m chooses" not in run("score", *sides, "-m", "ner").err
    assert run("score", *sides, "-q").err == ""


def test_a_line_says_why_and_the_title_stays_short(run, sides):
    table = run("score", *sides, "--table")
    several = run("score", *sides, sides[0], "--table")
    alone = run("score", *sides, "--table", "--score-only")
    for found in (table, several, alone):
        assert "because" not in found.out
        assert found.err.count("because the files hold named entities") == 1
    named = run("score", *sides, "-m", "ner", "--table")
    assert table.out == named.out
    assert table.out.startswith("ner: ")


def test_several_layers_are_several_results(run):
    found = run("score", *ABSTRACTS)
    assert [each["metric"] for each in found.json["results"]] == ALL
    assert "trigger and argument, because the files hold events" in found.err
    assert found.err.endswith("; -m chooses others\n")
    named = run("score", *ABSTRACTS, "-m", ",".join(ALL))
    assert [each["signature"] for each in found.json["results"]] == [
        each["signature"] for each in named.json["results"]
    ]


def test_what_another_metric_scores_is_not_left_out(run):
    assert "left out" not in run("score", *ABSTRACTS).err
    both = run("score", *ABSTRACTS, "-m", "ner,conll").err
    assert "ner, conll do not score event, relation: 3 graphs left out" in both
    alone = run("score", *ABSTRACTS, "-m", "ner").err
    assert "ner does not score coref, event, relation: 5 graphs left out" in alone
    assert alone.count("left out") == both.count("left out") == 1


@pytest.mark.parametrize(
    ("gold", "system", "metrics"),
    [
        (("_", "_"), ("_", "_"), ["udeval"]),
        (("2:nsubj", "0:root"), ("2:nsubj", "0:root"), ["udeval", "elas", "eulas"]),
    ],
)
def test_enhanced_graphs_are_scored_where_there_are_any(
    run, tmp_path, gold, system, metrics
):
    for name, deps in (("gold", gold), ("system", system)):
        text = TREES.format(one=deps[0], two=deps[1])
        (tmp_path / f"{name}.conllu").write_text(text)
    found = run("score", tmp_path / "gold.conllu", tmp_path / "system.conllu").json
    results = found.get("results", [found])
    assert [each["metric"] for each in results] == metrics


@pytest.mark.parametrize(
    ("name", "text", "metric"),
    [
        ("a.key", MUC, "muc4"),
        ("a.jsonl", GRIT, "ceaf_ree"),
        ("incidents", None, "gtt"),
    ],
)
def test_templates_have_the_metric_of_their_kind(run, tmp_path, name, text, metric):
    path = DATA / "ie" / "incidents.jsonl"
    if text is not None:
        path = tmp_path / name
        path.write_text(text)
    found = run("score", path, path)
    assert found.json["metric"] == metric, found.err
    assert found.json["counts"]["all"]["f1"] == 1


def test_errors_items_and_show_choose_alike(run, sides):
    rows = run("errors", *sides)
    assert {row["framework"] for row in rows.json} == {"ner"}
    assert "ner, because the files hold named entities" in rows.err
    assert rows.json == run("errors", *sides, "-m", "ner").json
    items = run("items", *sides)
    assert items.json == run("items", *sides, "-m", "ner").json
    item = items.json[0]["item"]
    shown = run("show", item, *sides)
    assert shown.json == run("show", item, *sides, "-m", "ner").json
    assert "because the files hold" in shown.err


def test_errors_of_several_layers_name_their_metric(run):
    found = run("errors", *ABSTRACTS)
    assert {row["metric"] for row in found.json} <= {*ALL}
    assert len({row["metric"] for row in found.json}) > 1
    only = run("errors", *ABSTRACTS, "--framework", "ner").json
    assert {row["framework"] for row in only} == {"ner"}
    assert only == run("errors", *ABSTRACTS, "-m", "ner", "--framework", "ner").json
    assert run("errors", *ABSTRACTS, "--tuple-type", "colour").code == 2
    items = run("items", *ABSTRACTS).json
    assert {row["metric"] for row in items} == {*ALL}
    for row in items:
        assert len(row["f1"]) == 1


def test_show_has_every_layer_of_an_item(run):
    [item, *_] = {row["item"] for row in run("items", *ABSTRACTS, "-m", "ner").json}
    shown = run("show", item, *ABSTRACTS)
    assert len(shown.json) >= len({each["framework"] for each in shown.json}) > 2


def test_a_store_chooses_by_its_collections(run, tmp_path, sides):
    store = tmp_path / "runs.db"
    for name, path in zip(("gold", "system"), sides, strict=True):
        run("ingest", store, path, "--as", name)
    names = ("--gold", "gold", "--system", "system")
    found = run("score", store, *names)
    assert found.json["metric"] == "ner"
    assert "ner, because the collections hold named entities" in found.err
    rows = run("errors", store, *names)
    assert rows.json == run("errors", *sides).json
    item = run("items", store, *names).json[0]["item"]
    assert run("show", item, store, *names).json == run("show", item, *sides).json


def test_saved_files_are_scored_alike(run, tmp_path, sides):
    saved = run("score", *sides, "--save", tmp_path / "runs.db").json
    assert saved["metric"] == "ner"
    assert saved["counts"] == run("score", *sides).json["counts"]


def test_standard_input_is_read_once(run, sides, monkeypatch):
    stream = io.TextIOWrapper(io.BytesIO(SYSTEM.encode()))
    monkeypatch.setattr(sys, "stdin", stream)
    found = run("score", sides[0], "-", "--format", "iob", stdin=SYSTEM)
    assert found.json["metric"] == "ner"


def test_a_threshold_of_both_directions_needs_a_score(run):
    radio = str(DATA / "ner" / "radio.ne")
    found = run("score", radio, radio, "-m", "eter,mrp", "--fail-over", "0.5")
    assert found.code == 2
    assert "name a score, as in --fail-over eter=0.5" in found.err
    found = run("score", radio, radio, "-m", "eter,mrp", "--fail-under", "0.5")
    assert found.code == 2
    assert "name a score, as in --fail-under all=0.5" in found.err
    found = run("score", radio, radio, "-m", "eter,mrp", "--fail-over", "eter=0.5")
    assert found.code == 0


def test_a_threshold_over_defaults_is_checked_when_they_are_known(run):
    radio = str(DATA / "ner" / "radio.ne")
    found = run("score", radio, radio, "--fail-under", "0.5")
    assert found.code == 2
    assert "use --fail-over" in found.err
    assert found.out == ""
    assert run("score", radio, radio, "--fail-over", "0.5").code == 0


def test_a_named_threshold_looks_at_the_results_that_have_it(run):
    assert run("score", *ABSTRACTS, "--fail-under", "exact=0.9").code == 1
    assert run("score", *ABSTRACTS, "--fail-under", "exact=0.1").code == 0
    found = run("score", *ABSTRACTS, "--fail-under", "colour=0.1")
    assert found.code == 2
    assert "no score 'colour'" in found.err


@pytest.fixture
def trees(tmp_path):
    """A file with enhanced dependencies and one without."""
    files = []
    for name, deps in (("plain", ("_", "_")), ("rich", ("2:nsubj", "0:root"))):
        files.append(tmp_path / f"{name}.conllu")
        files[-1].write_text(TREES.format(one=deps[0], two=deps[1]))
    return files


def test_enhanced_graphs_of_one_side_stop_nothing(run, trees):
    plain, rich = trees
    for sides in ((plain, rich), (rich, plain)):
        found = run("score", *sides)
        assert (found.json["metric"], found.json["pairs"]) == ("udeval", 1)
        assert "udeval does not score eud: 1 graph left out" in found.err
        assert run("score", *sides, "--fail-under", "0.5").code == 0
        assert run("errors", *sides).json == []
        assert [row["f1"] for row in run("items", *sides).json] == [{"ud": 1.0}]


def test_metrics_that_were_found_are_not_set_against_each_other(run):
    found = run("score", *ABSTRACTS, ABSTRACTS[0])
    assert [each["changes"] for each in found.json["ranking"]["systems"]] == [{}, {}]
    table = run("score", *ABSTRACTS, ABSTRACTS[0], "--table").out
    assert "difference" not in table
    named = run("score", *ABSTRACTS, ABSTRACTS[0], "-m", "ner,conll", "--table").out
    assert "differences and changes are against ner" not in named
    assert "not of the same units: ner: " in named


def test_a_pipe_is_read_once(run, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (str(DATA / "ie" / "news.iob2"), ABSTRACTS[0]):
        # Whoever opens a pipe waits for the other end.
        writer = subprocess.Popen(["cp", path, str(pipe)])
        found = run("score", path, pipe)
        writer.wait()
        assert found.code == 0, found.err
        again = run("score", path, path).out
        assert found.out.replace(str(pipe), path) == again


def test_texts_need_not_be_alike_where_strings_are_compared(run, tmp_path):
    gold, system = DATA / "ie" / "incidents.jsonl", tmp_path / "system.jsonl"
    system.write_text(gold.read_text().replace("threw", "flung"))
    plain = run("score", gold, system, "-m", "gtt")
    assert plain.json["counts"]["all"]["f1"] == 1
    assert "the text differs" not in plain.err
    placed = run("score", gold, system, "-m", "gtt(mentions=exact)")
    assert "the text differs from gold in 1 pair" in placed.err
