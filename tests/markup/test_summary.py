"""``--summary``: tables for the summary of a job."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from graphscore.cli.main import cli
from graphscore.cli.output import SUMMARY
from graphscore.report.table import Short
from tests.markup.latex import tabulars
from tests.markup.markdown import read

DATA = Path(__file__).parents[2] / "data"
GOLD, ALDER, BIRCH = (str(DATA / f"{name}.mrp") for name in ("gold", "alder", "birch"))
AMR = ("-m", "mrp", "--framework", "amr")


def run(*args: str) -> Result:
    """Run the command line."""
    return CliRunner().invoke(cli, [*args])


def test_it_is_appended_beside_whatever_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "summary.md"
    path.write_text("- before", encoding="utf-8")
    monkeypatch.setenv(SUMMARY, str(path))
    found = run("score", GOLD, BIRCH, *AMR, "--summary", "--json")
    assert found.exit_code == 0
    value = json.loads(found.stdout)
    text = path.read_text(encoding="utf-8")
    assert text.startswith("- before\n\n")
    page = read(text)
    assert page.lines[0] == "before"
    [row] = [row for row in page.tables[0] if row[0] == "amr"]
    assert row[-1] == f"{100 * value['counts']['all']['f1']:.2f}"
    assert page.lines[-1] == value["signature"]
    run("score", GOLD, BIRCH, *AMR, "--summary")
    assert len(read(path.read_text(encoding="utf-8")).tables) == 2


def test_numbers_alone_have_tables_in_their_summary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "summary.md"
    monkeypatch.setenv(SUMMARY, str(path))
    found = run("score", GOLD, BIRCH, *AMR, "--summary", "--score-only")
    assert found.exit_code == 0
    [row] = [row for row in read(path.read_text("utf-8")).tables[0] if row[0] == "amr"]
    assert row[-1] == f"{100 * float(found.stdout):.2f}"


def test_a_failed_threshold_leaves_its_summary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "summary.md"
    monkeypatch.setenv(SUMMARY, str(path))
    found = run("score", GOLD, BIRCH, *AMR, "--summary", "--fail-under", "0.99")
    assert found.exit_code == 1
    assert read(path.read_text(encoding="utf-8")).tables


@pytest.mark.parametrize("value", [None, ""])
def test_without_the_variable_a_note_says_so(
    value: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(SUMMARY, raising=False)
    if value is not None:
        monkeypatch.setenv(SUMMARY, value)
    note = f"--summary: {SUMMARY} is not set"
    found = run("score", GOLD, BIRCH, *AMR, "--summary")
    assert found.exit_code == 0
    assert json.loads(found.stdout)["metric"] == "mrp"
    assert found.stderr.count(note) == 1
    twice = run("errors", GOLD, BIRCH, *AMR[:2], "--summary", "--sql")
    assert (twice.exit_code, twice.stderr.count(note)) == (0, 1)
    assert note not in run("formats", "--summary", "--quiet").stderr


def test_without_the_option_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "summary.md"
    monkeypatch.setenv(SUMMARY, str(path))
    assert run("score", GOLD, BIRCH, *AMR).exit_code == 0
    assert not path.exists()


def test_what_cannot_be_written_is_said_before_anything_is_scored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SUMMARY, str(tmp_path))
    found = run("score", "no-such-file.mrp", BIRCH, "--summary")
    assert found.exit_code == 3
    assert found.stdout == ""
    assert found.stderr == (
        f"Error: --summary: {SUMMARY} names {tmp_path}, which cannot be written: "
        "Is a directory\n"
    )


def test_it_is_unicode_whatever_standard_output_is(tmp_path: Path) -> None:
    path = tmp_path / "summary.md"
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1", SUMMARY: str(path)}
    command = [
        sys.executable,
        "-m",
        "graphscore",
        "show",
        "--explain",
        "sample-01",
        GOLD,
        BIRCH,
    ]
    more = ["--framework", "ucca", "-m", "mrp", "--summary", "--markdown"]
    done = subprocess.run(
        [*command, *more], env=environment, capture_output=True, check=True
    )
    assert "Zoë" in done.stdout.decode("latin-1")
    assert r"\u2248 in part" in done.stdout.decode("latin-1")
    assert "≈ in part" in path.read_text(encoding="utf-8")


def test_a_comparison_marks_what_tests_found() -> None:
    args = ("compare", GOLD, BIRCH, ALDER, "-m", "mrp", "--samples", "2000")
    value = json.loads(run(*args, "--json").stdout)
    [pair] = value["pairs"]
    assert pair["p_adjusted"] < 0.001
    page = read(run(*args, "--markdown").stdout)
    systems, pairs, *_ = page.tables
    best, worse = systems[1:]
    shown = {each["system"]: f"{100 * each['value']:.2f}" for each in value["systems"]}
    assert best[1:3] == [ALDER, shown[ALDER]]
    assert worse[1:3] == [BIRCH, f"{shown[BIRCH]}†"]
    assert page.bold.count(shown[ALDER]) == 1
    # The better system stands first, whatever was named first.
    assert pairs[1][:2] == [ALDER, BIRCH]
    assert pairs[1][2] == f"{-100 * pair['difference']:.2f}***"
    assert [line for line in page.lines if line.endswith(value["signature"])]
    rows = tabulars(run(*args, "--latex").stdout)
    assert rows[0][1][2] == rf"\textbf{{{shown[ALDER]}}}"
    assert rows[0][2][2] == rf"{shown[BIRCH]}\ensuremath{{{{}}^{{\dagger}}}}"
    number = f"{-100 * pair['difference']:.2f}"
    assert rows[1][1][2] == rf"{number}\textsuperscript{{{{*}}{{*}}{{*}}}}"
    plain = run(*args, "--table").stdout
    assert "†" not in plain
    assert "***" not in plain


def test_equal_systems_have_no_marks(tmp_path: Path) -> None:
    same = tmp_path / "same.mrp"
    same.write_bytes(Path(BIRCH).read_bytes() + b"\n")
    args = ("compare", GOLD, BIRCH, str(same), *AMR, "--samples", "50")
    text = run(*args, "--markdown").stdout
    assert "†" not in text
    assert "adjusted p under" not in text
    assert read(text).bold.count("73.35") == 2  # both share the first rank


def test_names_that_terminals_cut_are_whole(tmp_path: Path) -> None:
    names = [f"{'transition-based-parser-' * 3}{n}.mrp" for n in (1, 2)]
    for name, source in zip(names, (ALDER, BIRCH), strict=True):
        (tmp_path / name).write_bytes(Path(source).read_bytes())
    systems = [str(tmp_path / name) for name in names]
    args = ("compare", GOLD, *systems, *AMR, "--samples", "20")
    assert systems[0] not in run(*args, "--table").stdout
    page = read(run(*args, "--markdown").stdout)
    assert {row[1] for row in page.tables[0][1:]} == {*systems}
    assert {*page.tables[1][1][:2]} == {*systems}
    assert Short("a…b", "a-b").whole == "a-b"


def test_several_systems_have_one_signature_with_both_digests() -> None:
    args = ("score", GOLD, ALDER, BIRCH, *AMR)
    results = json.loads(run(*args, "--json").stdout)["results"]
    digests = [field_of("system:", each["signature"].split("|")) for each in results]
    page = read(run(*args, "--markdown").stdout)
    assert f"system:{','.join(digests)}" in page.lines[-1]


def field_of(name: str, fields: list[str]) -> str:
    """The value of a field of a signature."""
    [found] = [each for each in fields if each.startswith(name)]
    return found.removeprefix(name)
