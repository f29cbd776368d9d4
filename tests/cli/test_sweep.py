"""``graphscore score --sweep`` and ``--plot``: metrics at several values, drawn."""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from xml.etree import ElementTree

import pytest

import graphscore.report.plots
from graphscore import score
from graphscore.metrics.registry import parse
from graphscore.metrics.sweep import Point
from graphscore.report.plots import SUFFIXES, line_chart, rendered

TEXT = (
    ("Ada B-PER", "Lovelace I-PER", "in O", "old B-LOC", "London I-LOC"),
    ("Acme B-ORG", "Works I-ORG", "hired O", "May B-PER"),
)
WRONG = {
    "one": {"Lovelace": "O", "old": "O", "London": "B-LOC"},
    "two": {"May": "O", "Works": "O"},
    "none": {},
}
SWEEP = ("-m", "ner", "--sweep", "overlap=0:1:0.2")


@pytest.fixture
def files(tmp_path):
    """Gold, and what three systems make of it."""
    made = {}
    for name, wrong in {"gold": {}, **WRONG}.items():
        path = tmp_path / f"{name}.iob2"
        lines = []
        for sentence in TEXT:
            for cell in sentence:
                word, tag = cell.split()
                lines.append(f"{word}\t{wrong.get(word, tag)}\n")
            lines.append("\n")
        path.write_text("".join(lines))
        made[name] = str(path)
    return made


def operands(files, *systems):
    return [files["gold"], *(files[name] for name in systems)]


NAMED = "ner,ner(overlap=0.2),ner(overlap=0.4),ner(overlap=0.6),ner(overlap=0.8),"
NAMED += "ner(overlap=1)"


@pytest.mark.parametrize(
    "options",
    [
        ("--json",),
        ("--json", "--per-item", "--by", "item"),
        ("--jsonl",),
        ("--csv", "--by", "tuple_type"),
        ("--table",),
        ("--table", "-v"),
        ("--markdown",),
        ("--latex",),
        ("--score-only",),
        ("--rank", "partial", "--csv"),
        ("--ci", "--samples", "20"),
        ("--fail-under", "partial=0.6"),
    ],
    ids=" ".join,
)
def test_a_sweep_prints_what_its_metrics_print(run, files, options):
    arguments = ("score", *operands(files, "one", "two"), *options)
    found, named = run(*arguments, *SWEEP), run(*arguments, "-m", NAMED)
    assert (found.out, found.err, found.code) == (named.out, named.err, named.code)
    assert found.code == (1 if "--fail-under" in options else 0)
    assert "ner(overlap=0.2)" in found.out + found.err


def test_every_value_is_scored(run, files):
    found = run("score", *operands(files, "one", "two"), *SWEEP).json["results"]
    partial = {}
    for each in found:
        mine = partial.setdefault(each["system"], [])
        mine.append(each["counts"]["partial"]["f1"])
    # By characters: 3/12 and 6/10 of two entities; and then 4/10 of one.
    assert partial[files["one"]] == [0.75, 0.75, 0.625, 0.625, 0.5, 0.5]
    assert [round(x, 4) for x in partial[files["two"]]] == [
        *(0.7143, 0.7143, 0.7143, 0.5714, 0.5714, 0.5714),
    ]


def test_a_store_keeps_every_value(run, files, tmp_path):
    store = tmp_path / "runs.db"
    first = run("score", *operands(files, "one", "two"), *SWEEP, "--save", store)
    assert first.code == 0
    systems = [each["system"] for each in first.json["results"]]
    assert systems == ["one"] * 6 + ["two"] * 6
    with closing(sqlite3.connect(store)) as connection:
        kept = connection.execute("select distinct metric from v_scores").fetchall()
    values = ("0.2", "0.4", "0.6", "0.8", "1.0")
    expected = {"ner", *(f"ner(overlap={value})" for value in values)}
    assert {metric for (metric,) in kept} == expected
    names = ("--gold", "gold", "--system", "one", "--system", "two")
    again = run("score", store, *names, *SWEEP)
    assert [each | {"reused": 0} for each in again.json["results"]] == [
        each | {"reused": 0} for each in first.json["results"]
    ]
    assert again.err.count("reused 2 of 2") == 12


def test_output_is_the_same_for_any_number_of_workers(run, files):
    arguments = ("score", *operands(files, "one", "two"), *SWEEP)
    assert run(*arguments).out == run(*arguments, "--jobs", "2").out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--sweep", "alpha=0,1"), "ner has no parameter 'alpha'"),
        (("-m", "las", "--sweep", "overlap=0,1"), "las has no parameter 'overlap'"),
        (("--sweep", "overlap=0:1:0"), "step 0, expected more than 0"),
        (("--sweep", "overlap=0:1:0.0001"), "10001 values, at most 1000"),
        (("--sweep", "overlap=low,high"), "'low' is not a number"),
        (("--sweep", "scheme=0,1"), "ner: scheme is not a number"),
        (("--plot", "a.gif"), "a.gif: expected a file ending in .svg, .png, .pdf"),
        (("--plot", "nowhere/a.svg"), "no directory nowhere"),
    ],
)
def test_wrong_usage_is_named(run, files, options, message):
    found = run("score", *operands(files, "one"), "-m", "ner", *options)
    assert found.code == 2
    assert message in found.err
    assert found.out == ""


def test_a_sweep_needs_a_metric(run, files):
    found = run("score", *operands(files, "one"), "--sweep", "overlap=0,1")
    assert (found.code, found.out) == (2, "")
    assert found.err == "Error: --sweep overlap=0,1 goes with -m METRIC\n"


def test_a_picture_never_replaces_what_is_scored(run, files, tmp_path):
    gold = tmp_path / "gold.json"
    gold.write_text("{}")
    found = run("score", gold, files["one"], "--plot", gold)
    assert found.code == 2
    assert gold.read_text() == "{}"


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_pictures_are_made_and_equal(run, files, tmp_path, suffix):
    arguments = ("score", *operands(files, "one", "two"), *SWEEP)
    contents = []
    for name in ("a", "b"):
        path = tmp_path / f"{name}{suffix}"
        path.write_bytes(b"what was there before")
        found = run(*arguments, "--plot", path)
        assert found.code == 0, found.err
        assert found.out == run(*arguments).out
        contents.append(path.read_bytes())
    assert contents[0] == contents[1]
    start = {
        ".svg": b"<svg",
        ".png": b"\x89PNG",
        ".pdf": b"%PDF",
        ".html": b"<!DOCTYPE html>",
        ".json": b"{",
    }[suffix]
    assert contents[0].lstrip().startswith(start)
    assert [path for path in tmp_path.iterdir() if path.name.endswith(".part")] == []
    if suffix == ".html":
        # Everything is in the page: no script comes from elsewhere.
        assert b"<script src=" not in contents[0]


def test_the_picture_has_a_line_per_system_and_every_point(run, files, tmp_path):
    path = tmp_path / "curve.json"
    arguments = (*operands(files, "one", "two"), *SWEEP)
    results = run("score", *arguments, "--plot", path).json["results"]
    chart = json.loads(path.read_text())
    assert chart["mark"] == {"point": True, "type": "line"}
    encoding = chart["encoding"]
    assert encoding["x"]["title"] == "overlap"
    assert encoding["y"]["title"] == "F1 (%)"
    assert encoding["color"]["scale"]["domain"] == [files["one"], files["two"]]
    assert "strokeDash" not in encoding
    points = {(row["system"], row["value"]): row["score"] for row in rows_of(chart)}
    values = [0, 0.2, 0.4, 0.6, 0.8, 1] * 2
    assert points == {
        (each["system"], value): 100 * each["counts"]["strict"]["f1"]
        for value, each in zip(values, results, strict=True)
    }


def test_means_over_references_are_drawn(run, files, tmp_path):
    path = tmp_path / "curve.json"
    golds = f"{files['gold']},{files['two']}"
    means = ("--references", "mean", *SWEEP, "--plot", path)
    found = run("score", golds, files["one"], *means)
    assert found.code == 0, found.err
    scores = [100 * each["counts"]["strict"]["f1"] for each in found.json["results"]]
    assert [row["score"] for row in rows_of(json.loads(path.read_text()))] == scores


def test_several_metrics_have_lines_of_their_own(run, files, tmp_path):
    path = tmp_path / "curve.json"
    metrics = ("-m", "ner,ner(duplicates=set)", "--sweep", "overlap=0,1")
    found = run("score", *operands(files, "one"), *metrics, "--plot", path)
    assert found.code == 0, found.err
    chart = json.loads(path.read_text())
    dashes = chart["encoding"]["strokeDash"]["scale"]
    assert dashes["domain"] == ["ner", "ner(duplicates=set)"]
    assert [(row["metric"], row["value"]) for row in rows_of(chart)] == [
        *(("ner", 0), ("ner", 1)),
        *(("ner(duplicates=set)", 0), ("ner(duplicates=set)", 1)),
    ]


def drawn(names, metric="m", parameter="a"):
    """A chart of systems, a metric and a parameter of these names."""
    tags = [["B-PER", "O"]]
    metrics = [parse("ner"), parse("ner(overlap=0.5)")]
    results = [
        replace(score(tags, tags, each), system=name)
        for name in names
        for each in metrics
    ]
    points = {
        each: Point(metric, parameter, value) for value, each in enumerate(metrics)
    }
    return line_chart(results, points)


def test_names_cannot_end_the_script_of_a_page():
    name = "</script><script>alert(1)</script>"
    page = rendered(drawn([name, "\ue000"]), "a.html").decode()
    assert name not in page
    assert page.count("<script") == page.count("</script>")
    assert r"\u003c/script>\u003cscript>alert(1)\u003c/script>" in page


def rows_of(chart):
    data = chart["data"]
    return data["values"] if "values" in data else chart["datasets"][data["name"]]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_no_name_breaks_a_picture_or_acts_in_it(suffix):
    names = ["</script><b>", '"><img onerror=x>', "\x1b\x00\x07", "\udcff\ud800"]
    names += ["\u2028\u202e", "&lt;&#60;]]>", "<!--", "\ufffe\uffff"]
    found = rendered(drawn(names, names[0], names[1]), f"a{suffix}")
    if suffix == ".svg":
        ElementTree.fromstring(found)
        assert b"<img" not in found
    elif suffix == ".html":
        assert not any(name.encode() in found for name in names[:2])
    elif suffix == ".json":
        assert "\\\\x1b" in found.decode()


def test_without_a_sweep_there_are_bars(run, files, tmp_path):
    path = tmp_path / "bars.json"
    metrics = ("-m", "ner,ner(overlap=0.5)")
    found = run("score", *operands(files, "one", "two"), *metrics, "--plot", path).json
    chart = json.loads(path.read_text())
    assert chart["mark"]["type"] == "bar"
    assert [(row["metric"], row["system"], row["score"]) for row in rows_of(chart)] == [
        (each["metric"], each["system"], 100 * each["counts"]["strict"]["f1"])
        for each in found["results"]
    ]


def test_without_the_extra_one_sentence_names_it(run, files, tmp_path, monkeypatch):
    def absent(name):
        assert name in ("altair", "vl_convert")

    monkeypatch.setattr(graphscore.report.plots, "find_spec", absent)
    path = tmp_path / "curve.svg"
    found = run("score", *operands(files, "one"), *SWEEP, "--plot", path)
    assert found.code == 2
    assert "pip install 'graphscore[plots]'" in found.err
    assert len(found.err.splitlines()) == 1
    assert not path.exists()


def test_altair_is_only_imported_for_a_picture(start, files):
    script = (
        "import sys; from graphscore.cli.main import cli; "
        f"cli({['score', *operands(files, 'one'), *SWEEP]!r}, standalone_mode=False); "
        "print([m for m in ('altair', 'vl_convert') if m in sys.modules])"
    )
    found = start("-c", script, python=True)
    assert found.code == 0
    assert found.out.splitlines()[-1] == "[]"


AMBASSADOR = {
    "gold": (
        "<func.ind> <kind> ambassadeur </kind> de la <loc.adm.nat> "
        "<name> Turquie "
        "</name> </loc.adm.nat> en <loc.adm.nat> <name> France </name> "
        "</loc.adm.nat> </func.ind>\n"
    ),
    "flat": (
        "<func.ind> <kind> ambassadeur </kind> de la <name> Turquie "
        "</name> en "
        "<name> France </name> </func.ind>\n"
    ),
    "wrong": (
        "<func.coll> ambassadeur de la <loc.adm.nat> <name> Turquie </name> "
        "</loc.adm.nat> en <loc.adm.nat> <name> France </name> </loc.adm.nat> "
        "</func.coll>\n"
    ),
}
"""Figures 3 and 4 of the paper, and a system with other mistakes."""


def test_the_entity_tree_error_rate_by_alpha(run, tmp_path):
    for name, text in AMBASSADOR.items():
        (tmp_path / f"{name}.ne").write_text(text)
    gold, flat, wrong = (str(tmp_path / f"{name}.ne") for name in AMBASSADOR)
    path = tmp_path / "curve.json"
    alphas = ("-m", "eter", "--sweep", "alpha=0:1:0.25", "--plot", path)
    rates = {}
    for each in run("score", gold, flat, wrong, *alphas).json["results"]:
        rates.setdefault(each["system"], []).append(each["scores"]["eter"])
    values = [0, 0.25, 0.5, 0.75, 1]
    # Two entities are missing; of three components two have a wrong label, 0.5 each.
    assert rates[flat] == pytest.approx([(2 + alpha / 3) / 3 for alpha in values])
    # The subtype is wrong, 0.25, and one of three components is missing.
    assert rates[wrong] == pytest.approx(
        [((1 - alpha) / 4 + alpha / 3) / 3 for alpha in values]
    )
    chart = json.loads(path.read_text())
    assert chart["encoding"]["y"]["title"] == "eter (%)"
    assert [(row["system"], row["value"]) for row in rows_of(chart)] == [
        (system, alpha) for system in (flat, wrong) for alpha in values
    ]


def test_rates_of_parts_are_ratios_of_which_the_lowest_is_best(run, tmp_path):
    lines = "<loc> <name> a </name> </loc> <org> b </org>", "<loc> a </loc> b", "a b"
    paths = [tmp_path / name for name in ("gold.ne", "one.ne", "two.ne")]
    for path, line in zip(paths, lines, strict=True):
        path.write_text(line + "\n")
    command = ("score", *map(str, paths), "-m", "eter")
    score = "entities.loc.eter"
    out = run(*command, "--rank", f"{score},entities.deletions", "--table").out
    assert f"ranking by {score}, lowest first (* best)" in out
    found = run(*command, "--rank", f"{score},entities.deletions").json["rankings"]
    best = [[x["places"]["eter"]["rank"] for x in each["systems"]] for each in found]
    assert best == [[1, 2], [1, 2]]
    assert [each["systems"][0]["system"] for each in found] == [str(paths[1])] * 2


def test_what_is_undefined_has_no_point(run, tmp_path):
    (tmp_path / "gold.ne").write_text("rien du tout\n")
    (tmp_path / "one.ne").write_text("<pers> rien </pers> du tout\n")
    gold, one = str(tmp_path / "gold.ne"), str(tmp_path / "one.ne")
    path = tmp_path / "curve.json"
    options = ("--format", "quaero", "-m", "eter", "--sweep", "alpha=0,1")
    arguments = (gold, one, gold, *options)
    results = run("score", *arguments, "--plot", path).json["results"]
    assert [each["scores"]["eter"] for each in results] == [None] * 4
    assert rows_of(json.loads(path.read_text())) == []


def test_error_rates_of_several_systems_are_ranked(run, tmp_path):
    for name, text in AMBASSADOR.items():
        (tmp_path / f"{name}.ne").write_text(text)
    gold, flat, wrong = (str(tmp_path / f"{name}.ne") for name in AMBASSADOR)
    found = run("score", gold, flat, wrong, "-m", "ser,eter").json["ranking"]
    assert found["metrics"] == ["ser", "eter"]
    assert [each["system"] for each in found["systems"]] == [wrong, flat]
    # Of six slots two are missing; or one is, and one has a wrong type, 0.5.
    expected = {flat: (2 / 6, (2 + 1 / 6) / 3), wrong: (1.5 / 6, 7 / 24 / 3)}
    for each in found["systems"]:
        places, rates = each["places"], expected[each["system"]]
        first = each["system"] == wrong
        for metric, rate in zip(("ser", "eter"), rates, strict=True):
            assert places[metric] == {
                metric: pytest.approx(rate),
                "rank": 1 if first else 2,
                "best": first,
            }
