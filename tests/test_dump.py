"""The comparison of two versions sees what it should, and nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import dump
from tests.conftest import ROOT

ONLY = (
    *("--only", "data/coreference/response.conll::b3*"),
    *("--only", "data/ner/tagger.iob2::ner"),
)


def digests(path: Path, seed: int) -> bytes:
    """What a process with that seed of hashes writes for two metrics."""
    subprocess.run(
        [sys.executable, "-m", "tests.dump", str(path), "--jobs", "1", *ONLY],
        check=True,
        capture_output=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONHASHSEED": str(seed)},
    )
    return path.read_bytes()


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("dump") / "before.json"
    digests(path, 1)
    return path


def test_digests_do_not_depend_on_hashes(before: Path, tmp_path: Path) -> None:
    assert digests(tmp_path / "after.json", 2) == before.read_bytes()
    rows = dump.load(before)
    assert "b3(preset=perl)" in rows["data/coreference/response.conll"]
    tagged = dump.sections_of(rows["data/ner/tagger.iob2"]["ner"])
    assert {*tagged} == {"value", *dump.SECTIONS}
    assert "-" not in (tagged["scores"], tagged["items"], tagged["errors"])
    assert "-" not in (tagged["matches"], tagged["signature"])


def test_a_changed_number_is_reported(
    before: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert dump.main(["compare", str(before), str(before)]) == 0
    assert " 0 differ" in capsys.readouterr().out
    rows = dump.load(before)
    case = rows["data/ner/tagger.iob2"]
    value, scores, *others = case["ner"].split(" ")
    case["ner"] = " ".join(["0.25", scores[::-1], *others])
    after = tmp_path / "after.json.xz"
    dump.save(rows, after)
    assert dump.main(["compare", str(before), str(after)]) == 1
    shown = capsys.readouterr().out
    changed = f"data/ner/tagger.iob2\tner\tscores: {value} -> 0.25\n"
    assert shown.startswith(changed)
    assert " 1 differ" in shown


def test_what_has_left_is_told_from_what_is_missing(
    before: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    [gone] = dump.table()["removed"]["metrics"][:1]
    rows = dump.load(before)
    rows["data/ner/tagger.iob2"] |= {gone: "1", "err": "1"}
    assert dump.compare(rows, dump.load(before), ()) == 1
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == "data/ner/tagger.iob2\terr\tmissing"
    assert "1 differ, 1 are removed, as listed" in shown[1]
    assert dump.compare(rows, {}, ()) == 1
    shown = capsys.readouterr().out.splitlines()
    assert "data/ner/tagger.iob2\tall of its rows, 2\tmissing" in shown


def test_a_section_is_shown_line_by_line(capsys: pytest.CaptureFixture[str]) -> None:
    here = os.getcwd()
    try:
        dump.main(["show", "data/ner/tagger.iob2", "ner", "errors"])
    finally:
        os.chdir(here)
    lines = capsys.readouterr().out.splitlines()
    rows = [json.loads(line.partition("\t")[2]) for line in lines]
    assert rows
    assert {row["error_type"] for row in rows} <= {"missing", "spurious", "partial"}


def test_numbers_are_compared_to_twelve_digits() -> None:
    assert dump.digest([0.1 + 0.2]) == dump.digest([0.3])
    assert dump.digest([0.3]) != dump.digest([0.3000001])
