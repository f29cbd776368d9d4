"""Formats and classes of one's own on the command line."""

import json
import os
import re

import pytest

from graphscore import ReaderOptions, read_file
from graphscore.formats.dataclass_reader import KeysPassedOver
from tests.conftest import ROOT

EXAMPLES = ROOT / "docs" / "examples"
REPORT = f"{EXAMPLES}/reports.py:Report"
SLASHES = f"{EXAMPLES}/slashes.py:read"
REPORTS = EXAMPLES / "gold_reports.jsonl", EXAMPLES / "system_reports.jsonl"
SLASHED = EXAMPLES / "gold.slashes", EXAMPLES / "system.slashes"


def test_the_page_shows_what_is_printed(run):
    text = (ROOT / "docs" / "own_formats.md").read_text(encoding="utf-8")
    shown = re.findall(
        r"```bash\n(graphscore score [^\n]*)\n```\n\n```text\n(.*?)^```",
        text,
        re.M | re.S,
    )
    assert len(shown) == 2
    for line, expected in shown:
        words = line.replace("docs/", f"{ROOT}/docs/").split()[1:]
        found = run(*words)
        assert found.code == 0, found.err
        assert expected in found.out


@pytest.mark.parametrize(
    "verb",
    [
        ("score",),
        ("errors",),
        ("show", "1"),
        ("compare",),
        ("whatif",),
        ("agree",),
        ("items",),
        ("validate",),
        ("analyze",),
    ],
)
def test_every_verb_that_has_a_format_reads_with_a_function(run, verb):
    more = SLASHED[:1] if verb == ("compare",) else ()
    found = run(*verb, *SLASHED, *more, "--format", SLASHES, "--json")
    assert found.code == 0, found.err
    assert found.json


def test_streams_and_single_sides_are_read_with_a_function(run):
    text = SLASHED[0].read_text(encoding="utf-8")
    found = run("score", "-", SLASHED[1], "--format", SLASHES, "--json", stdin=text)
    assert found.json["counts"]["all"]["matched"] == 2
    spans = json.dumps({"id": "1", "text": "Ada wrote to Charles", "spans": []})
    found = run(
        *("score", SLASHED[0], "-", "--gold-format", SLASHES, "--json"),
        *("--item", "1", "-m", "ner"),
        stdin=spans,
    )
    assert found.json["counts"]["all"]["gold"] == 2


def test_what_a_function_reads_is_converted(run, tmp_path):
    out = tmp_path / "out.mrp"
    assert run("convert", SLASHED[0], out, "--from", SLASHES).code == 0
    against = ("score", SLASHED[0], out, "--gold-format", SLASHES, "--score-only")
    assert run(*against).out == "1.0\n"
    found = run("convert", out, tmp_path / "o.x", "--to", SLASHES)
    assert found.code == 2
    assert "no format" in found.err


@pytest.mark.parametrize(
    ("source", "code", "said"),
    [
        ("def read(stream):\n    return [1 / 0]", 3, "mine.py:2: ZeroDivisionError"),
        ("def read(stream):\n    yield 5", 2, "mine.py:2: "),
        ("def other(stream): ...", 2, "mine.py has no 'read'"),
        ("def read(a, b, c): ...", 2, "takes (a, b, c)"),
        ("def read(:", 2, "mine.py:1: "),
        ("import nowhere_at_all\n", 2, "mine.py:1: ModuleNotFoundError"),
        ("def read(stream):\n    return []", 3, "found a file without graphs"),
    ],
)
def test_exit_codes_of_failures(run, tmp_path, source, code, said):
    mine = tmp_path / "mine.py"
    mine.write_text(source, encoding="utf-8")
    found = run("score", *SLASHED, "--format", f"{mine}:read", "-m", "ner")
    assert (found.code, said in found.err) == (code, True), found.err
    assert "Traceback" not in found.err


def test_objects_score_alike_from_files_and_a_store(run, tmp_path):
    both = f"{REPORT},{EXAMPLES}/reports.py:names"
    files = run("score", *REPORTS, "-m", both, "--json")
    assert files.code == 0, files.err
    report, names = files.json["results"]
    assert set(report["counts"]) == {"victims", "place", "kind", "all"}
    assert report["metric"] == REPORT
    assert [each["counts"]["victims"]["matched"] for each in (report, names)] == [1, 2]
    assert (
        run("score", *REPORTS, "-m", both, "--json", "--jobs", "2").json == files.json
    )
    store = tmp_path / "runs.db"
    for path, name in zip(REPORTS, ("gold", "alder"), strict=True):
        into = ("ingest", store, path, "--as", name, "--format", REPORT, "--json")
        assert run(*into).json[0]["graphs"] == 2
        assert run(*into).json[0]["unchanged"]
    asked = ("score", store, "--gold", "gold", "--system", "alder", "-m", both)
    for reused in (0, 2):
        kept = run(*asked, "--json").json["results"]
        assert [each["counts"] for each in kept] == [
            each["counts"] for each in (report, names)
        ]
        assert {each["reused"] for each in kept} == {reused}
    saved = tmp_path / "saved.db"
    found = run("score", *REPORTS, "-m", REPORT, "--save", saved, "--json")
    assert found.json["counts"] == report["counts"]
    # Objects of another class find nothing of theirs, and do not stand in the way.
    other = tmp_path / "other.py"
    other.write_text(
        "from dataclasses import dataclass\n\n@dataclass\nclass Other:\n"
        "    place: str\n",
        encoding="utf-8",
    )
    found = run(*asked[:-1], f"{other}:Other", "--json")
    assert found.code == 0, found.err
    assert found.json["counts"]["all"]["matched"] == 1


def test_a_class_as_a_format_is_the_metric_too(run):
    found = run("score", *REPORTS, "--format", REPORT, "--json")
    assert found.json == run("score", *REPORTS, "-m", REPORT, "--json").json
    found = run("score", *REPORTS, "--format", REPORT, "-m", "mrp", "--json")
    assert found.json["metric"] == "mrp"
    found = run("score", *SLASHED, "--format", SLASHES, "--json")
    assert found.json["metric"] == "ner"


@pytest.mark.parametrize("verb", ["errors", "compare", "agree", "items"])
def test_verbs_take_a_class_as_a_metric(run, verb):
    more = REPORTS[:1] if verb == "compare" else ()
    found = run(verb, *REPORTS, *more, "-m", REPORT, "--json")
    assert found.code == 0, found.err
    assert found.json


def test_graphs_of_objects_are_scored_by_their_class(run, tmp_path):
    out = tmp_path / "gold.mrp"
    assert run("convert", REPORTS[0], out, "--from", REPORT).code == 0
    found = run(
        *("score", out, REPORTS[1], "-m", REPORT, "--gold-format", "mrp"), "--json"
    )
    assert found.json["counts"]["victims"]["matched"] == 1


def test_bad_objects_are_named_with_line_and_path(run, tmp_path):
    lines = REPORTS[1].read_text(encoding="utf-8").replace("13", '"x"')
    bad = tmp_path / "bad.jsonl"
    bad.write_text(lines, encoding="utf-8")
    said = f"{bad}:1: $.victims[0].age: found str, expected int or null"
    found = run("score", bad, REPORTS[0], "-m", REPORT)
    assert (found.code, said in found.err) == (3, True), found.err
    found = run("score", REPORTS[0], bad, "-m", REPORT, "--json")
    assert (found.code, said in found.err) == (0, True), found.err
    assert (found.json["rejected"], found.json["missing_system"]) == (1, 1)
    assert run("score", REPORTS[0], bad, "-m", REPORT, "--strict").code == 3


@pytest.mark.filterwarnings(
    "default::graphscore.formats.dataclass_reader.KeysPassedOver"
)
def test_keys_without_a_field_are_named_and_counted(run, tmp_path):
    path = tmp_path / "system.jsonl"
    lines = REPORTS[1].read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) | {"source": None} for line in lines]
    for record in records:
        record["victims"] = [each | {"sex": "f"} for each in record["victims"]]
    people = sum(len(record["victims"]) for record in records)
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    found = run("score", REPORTS[0], path, "-m", REPORT, "--score-only")
    assert found.out.strip() == "0.4"
    for said in f"source ({len(records)} times)", f"victims[].sex ({people} times)":
        assert said in found.err
    assert found.err.startswith(f"{path}: Report has no field for ")
    assert not run("score", REPORTS[0], path, "-m", REPORT, "--quiet").err
    assert "no field" not in run("score", *REPORTS, "-m", REPORT).err
    with pytest.warns(KeysPassedOver, match=r"Report has no field for "):
        list(read_file(str(path), ReaderOptions(format=REPORT)))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("-m", f"{EXAMPLES}/reports.py:Reprot"), "in it: Victim, Report, names"),
        (("-m", f"{EXAMPLES}/reports.py"), "name the metric in this file, as in"),
        (("--format", f"{EXAMPLES}/slashes.py:raed"), "there are: read\n"),
        (("--format", f"{EXAMPLES}/slashes.py"), "name the reader in this file, as in"),
    ],
)
def test_what_is_not_there_is_told_what_is(run, words, said):
    found = run("score", *REPORTS, *words)
    assert (found.code, said in found.err) == (2, True), found.err


def test_classes_that_do_not_go_together_are_refused(run, tmp_path):
    both = f"{REPORT},{EXAMPLES}/reports.py:Victim"
    found = run("score", *REPORTS, "-m", both)
    assert found.code == 2
    assert "names the classes" in found.err
    mine = tmp_path / "mine.py"
    mine.write_text(
        "from dataclasses import dataclass\n\n@dataclass\nclass A:\n    a: int\n\n"
        "@dataclass\nclass B:\n    b: int\n\n@dataclass\nclass C:\n    c: A | B\n",
        encoding="utf-8",
    )
    found = run("score", *REPORTS, "-m", f"{mine}:C")
    assert (found.code, "C.c cannot be read" in found.err) == (2, True), found.err


MARKING = """
from pathlib import Path
Path({marker!r}).write_text("run")

def read(stream):
    for line in stream:
        yield {{"id": line.decode().strip(), "tokens": ["a"], "tags": ["B-X"]}}
"""


def test_nothing_is_run_that_was_not_named(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    marker, mine = tmp_path / "marker", tmp_path / "mine.py"
    (tmp_path / "in.txt").write_text("1\n2\n", encoding="utf-8")
    mine.write_text(MARKING.format(marker=str(marker)), encoding="utf-8")
    for name in ("gold", "system"):
        into = ("ingest", "runs.db", "in.txt", "--as", name, "--format", "mine.py:read")
        assert run(*into).code == 0
    marker.unlink()
    # Edited, so that it would run again wherever it were imported.
    mine.write_text(mine.read_text(encoding="utf-8") + "\n# edited\n", encoding="utf-8")
    sides = ("runs.db", "--gold", "gold", "--system", "system")
    for verb in (
        ("score", *sides, "-m", "ner"),
        ("errors", *sides, "-m", "ner"),
        ("show", "1", *sides, "-m", "ner"),
        ("store", "list", "runs.db"),
        ("query", "runs.db", "select distinct format from v_graphs"),
        ("validate", "runs.db"),
        ("analyze", "runs.db", "--collection", "gold"),
        ("store", "migrate", "runs.db"),
        ("score", "mine.py:read", "in.txt", "-m", "ner"),
        ("formats",),
    ):
        found = run(*verb)
        assert found.code in (0, 3), (verb, found.err)
        assert not marker.exists(), verb
    assert "mine.py:read" in run("query", "runs.db", "select format from v_graphs").out
    named = run("score", "in.txt", "in.txt", "--format", "mine.py:read", "-m", "ner")
    assert named.code == 0
    assert marker.exists()


def test_the_help_says_where_names_are_taken_from(run):
    for verb in ("score", "ingest", "convert", "validate"):
        text = " ".join(run(verb, "--help").out.split())
        assert "mine.py:NAME" in text


def test_modules_are_found_as_python_finds_them(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*os.sys.path])
    source = (EXAMPLES / "slashes.py").read_text(encoding="utf-8")
    (tmp_path / "own_slashes_reader.py").write_text(source, encoding="utf-8")
    found = run("score", *SLASHED, "--format", "own_slashes_reader:read", "--json")
    assert found.json["counts"]["all"]["matched"] == 2


def test_everyday_metrics_in_a_file_are_those_of_the_page(run):
    folder = ROOT / "docs" / "examples" / "everyday.py"
    for name, expected in (("senseless_edges", 0.75), ("core_roles", 0.8132)):
        files = ROOT / "data" / "gold.mrp", ROOT / "data" / "alder.mrp"
        found = run("score", *files, "-m", f"{folder}:{name}", "--framework", "amr")
        assert round(found.json["counts"]["all"]["f1"], 4) == expected
