"""Texts that annotators reject are left out, counted, and shift nothing."""

import json
from pathlib import Path
from typing import Any

import pytest


def text(words: str, label: str, **more: Any) -> dict[str, Any]:
    spans = [{"start": 0, "end": len(words.split()[0]), "label": label}]
    return {"text": words, "spans": spans, **more}


GOLD = (
    text("Ada wrote", "PER", answer="accept"),
    text("Boats left", "PER", answer="reject"),
    text("Rome fell", "LOC", answer="accept"),
    text("Nobody came", "PER", answer="ignore"),
)
SYSTEM = (
    text("Ada wrote", "PER"),
    text("Boats left", "ORG"),
    text("Rome fell", "LOC"),
    text("Nobody came", "PER"),
)

NOTE = (
    "texts that annotators reject or ignore, passed over in 2 records, first "
    "{}:2: $.answer: found 'reject', expected 'accept'"
)


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """Gold and a system; no text has an id."""
    paths = tmp_path / "gold.jsonl", tmp_path / "system.jsonl"
    for path, lines in zip(paths, (GOLD, SYSTEM), strict=True):
        path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return paths


def test_they_are_no_gold(run: Any, files: tuple[Path, Path]) -> None:
    gold, system = files
    found = run("score", gold, system, "-m", "ner", "--json")
    assert found.code == 0
    report = found.json
    count = report["counts"]["strict"]
    assert (count["gold"], count["system"], count["matched"]) == (2, 2, 2)
    assert (report["pairs"], report["rejected"]) == (2, 0)
    assert NOTE.format(gold) in found.err


def test_they_are_no_answers_of_a_system(run: Any, files: tuple[Path, Path]) -> None:
    system, gold = files
    found = run("score", gold, system, "-m", "ner", "--json")
    report = found.json
    count = report["counts"]["strict"]
    assert (count["gold"], count["system"], count["matched"]) == (4, 2, 2)
    assert (report["missing_system"], report["rejected"]) == (2, 0)
    assert NOTE.format(system) in found.err


def test_they_are_not_ingested(
    run: Any, files: tuple[Path, Path], tmp_path: Path
) -> None:
    store = tmp_path / "runs.db"
    for path in files:
        found = run("ingest", store, path, "--as", path.stem)
        assert found.code == 0
        assert (NOTE.format(path) in found.err) == (path.stem == "gold")
    found = run("score", store, "--gold", "gold", "--system", "system", "-m", "ner",
                "--json")  # fmt: skip
    [report] = found.json if isinstance(found.json, list) else [found.json]
    assert report["counts"]["strict"]["matched"] == 2
    assert report["pairs"] == 2


def test_other_commands_say_how_many(run: Any, files: tuple[Path, Path]) -> None:
    gold, _ = files
    checked = run("validate", gold)
    assert (checked.code, checked.json["warnings"]) == (0, 2)
    assert checked.json["codes"] == {"passed-over": 2}
    converted = run("convert", gold, "-", "--to", "spans")
    assert [line["text"] for line in converted.lines] == ["Ada wrote", "Rome fell"]
    assert "texts that annotators reject or ignore (2)" in converted.err
    analyzed = run("analyze", gold)
    assert analyzed.code == 0
    assert NOTE.format(gold) in analyzed.err


@pytest.mark.parametrize(
    "words",
    [
        ("items", "GOLD", "SYSTEM"),
        ("errors", "GOLD", "SYSTEM"),
        ("whatif", "GOLD", "SYSTEM"),
        ("compare", "GOLD", "SYSTEM", "OTHER"),
        ("agree", "GOLD", "SYSTEM"),
        ("find", "GOLD", "SYSTEM", "pattern { X []; missing(X) }"),
        ("report", "GOLD", "SYSTEM", "--html", "page.html"),
    ],
    ids=lambda words: words[0],
)
def test_every_verb_that_reads_files_says_so_once(
    run: Any, files: tuple[Path, Path], tmp_path: Path, words: tuple[str, ...]
) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text("".join(f"{json.dumps(line)}\n" for line in SYSTEM))
    places = {
        "GOLD": files[0],
        "OTHER": other,
        "SYSTEM": files[1],
        "page.html": tmp_path / "page.html",
    }
    found = run(*(places.get(word, word) for word in words))
    assert found.code == 0, found.err
    assert found.err.count(NOTE.format(files[0])) == 1


@pytest.mark.parametrize("verb", ["items", "errors"])
def test_bad_records_are_said(
    run: Any, files: tuple[Path, Path], tmp_path: Path, verb: str
) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text(files[1].read_text() + '{"text": 3, "spans": []}\n')
    found = run(verb, files[0], bad)
    assert found.code == 0
    said = f"bad: 1 bad record, left out; first {bad}:5: $.text: found 3"
    assert said in found.err
