"""The steps of `action.yml`, run as the shell of a public runner would run them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path

import pytest

import graphscore
from graphscore.cli.commands.score import command as score
from tests.conftest import DATA, ROOT

TEXT = (ROOT / "action.yml").read_text(encoding="utf-8")

STEPS = [
    textwrap.dedent(found)
    for found in re.findall(r"^      run: \|\n((?:        .*\n)+)", TEXT, re.M)
]
"""What installs, and what scores."""

DEFAULTS = {
    name.upper().replace("-", "_"): json.loads(f'"{default.strip(chr(34))}"')
    for name, default in re.findall(
        r"^  ([\w-]+):\n    description: .*\n    required: false\n    default: (.*)$",
        TEXT,
        re.M,
    )
}

RECORDER = """#!/usr/bin/env bash
printf '%s\\n' "$@" > "$CALLS/$3"
case "$3" in score) exit "${SCORED:-0}" ;; *) exit "${COMPARED:-0}" ;; esac
"""
"""Stands for python: keeps the arguments of a verb, and ends as it is told."""


def run(
    folder: Path, step: str = STEPS[-1], **given: str
) -> tuple[subprocess.CompletedProcess[str], dict[str, str]]:
    """What became of a step, and its outputs."""
    outputs, summary = folder / "outputs", folder / "summary.md"
    outputs.touch()
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step],
        cwd=folder,
        capture_output=True,
        text=True,
        env={
            **os.environ,
            **DEFAULTS,
            "PYTHON": sys.executable,
            "GITHUB_OUTPUT": str(outputs),
            "GITHUB_STEP_SUMMARY": str(summary),
            "PYTHONPATH": str(ROOT),
            **given,
        },
    )
    lines = outputs.read_text().splitlines()
    return done, dict(line.split("=", 1) for line in lines)


def recorded(folder: Path, **given: str) -> tuple[int, list[str], list[str] | None]:
    """The exit code, and the arguments that both verbs got."""
    python = folder / "recorder"
    python.write_text(RECORDER)
    python.chmod(0o755)
    done, outputs = run(folder, PYTHON=str(python), CALLS=str(folder), **given)
    assert outputs["exit-code"] == str(done.returncode), done.stderr
    calls = [folder / "score", folder / "compare"]
    scored, compared = (
        path.read_text().splitlines()[2:] if path.exists() else None for path in calls
    )
    assert scored is not None
    return done.returncode, scored, compared


def test_every_input_reaches_a_step() -> None:
    names = set(
        re.findall(r"^  ([\w-]+):\n    description: .*\n    required", TEXT, re.M)
    )
    assert names == set(re.findall(r"inputs\.([\w-]+)", TEXT))
    assert {"gold", "system"} | {
        name.lower().replace("_", "-") for name in DEFAULTS
    } == names
    # What a user writes is never part of a script, only of its environment.
    assert "${{" not in "".join(STEPS)


def test_options_that_steps_use_are_there() -> None:
    used = set(re.findall(r"(--[a-z-]+)", STEPS[-1]))
    assert used > {"--json", "--fail-under", "--fail-if-worse", "--summary"}
    said = subprocess.run(
        [sys.executable, "-m", "graphscore", "compare", "--help"],
        capture_output=True, text=True, cwd=ROOT, check=True,
    ).stdout  # fmt: skip
    there = {name for each in score.params for name in each.opts}
    assert used <= there | set(re.findall(r"--[a-z-]+", said))


def test_what_a_user_writes_becomes_arguments(tmp_path: Path) -> None:
    code, scored, compared = recorded(
        tmp_path,
        GOLD="my gold.mrp",
        SYSTEM="one.mrp\r\n\nmy $(touch pwned) `id` system.mrp\n",
        METRIC="mrp\nsmatch",
        BASELINE="main.mrp",
        FAIL_UNDER="0.8\nedges.f1=0.7\n",
        FAIL_OVER="0.2",
        ARGUMENTS="--by\nframework,tuple-type",
        COMPARE_ARGUMENTS="--samples\n500",
        FAIL_IF_WORSE="0.01",
    )
    assert code == 0
    systems = ["one.mrp", "my $(touch pwned) `id` system.mrp"]
    metrics = ["-m", "mrp", "-m", "smatch"]
    thresholds = [
        "--fail-under",
        "0.8",
        "--fail-under",
        "edges.f1=0.7",
        "--fail-over",
        "0.2",
    ]
    assert scored == [
        *["score", "my gold.mrp", *systems, "--json", *metrics, *thresholds],
        *["--summary", "--by", "framework,tuple-type"],
    ]
    assert compared == [
        *["compare", "my gold.mrp", "main.mrp", *systems, "--json", *metrics],
        *["--fail-if-worse", "0.01", "--summary", "--samples", "500"],
    ]
    assert not (tmp_path / "pwned").exists()


def test_little_is_enough(tmp_path: Path) -> None:
    given = {"GOLD": "g", "SYSTEM": "s", "SUMMARY": "false"}
    assert recorded(tmp_path, **given) == (0, ["score", "g", "s", "--json"], None)


@pytest.mark.parametrize(
    ("scored", "compared", "code"),
    [
        ("0", "1", 1),
        ("1", "0", 1),
        ("4", "0", 4),
        ("4", "1", 1),
        ("1", "4", 1),
        ("0", "4", 4),
        ("1", "3", 3),
        ("2", None, 2),
        ("3", None, 3),
        ("5", None, 5),
    ],
)
def test_the_worst_of_both_is_the_exit_code(
    scored: str, compared: str | None, code: int, tmp_path: Path
) -> None:
    given = {"GOLD": "g", "SYSTEM": "s", "BASELINE": "b", "SCORED": scored}
    given["COMPARED"] = compared or "0"
    found, _, call = recorded(tmp_path, **given)
    assert found == code
    assert (call is None) == (compared is None)


def test_what_is_installed(tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text('#!/bin/sh\nfor each; do last=$each; done; echo "$last"\n')
    python.chmod(0o755)
    for install, wanted in (("", "/here"), ("graphscore==1.0.0", "graphscore==1.0.0")):
        given = {"PYTHON": str(python), "INSTALL": install, "HERE": "/here"}
        done, _ = run(tmp_path, STEPS[0], **given)
        assert (done.returncode, done.stdout) == (0, f"{wanted}\n")


def test_the_sample_is_scored_compared_and_summed_up(tmp_path: Path) -> None:
    done, outputs = run(
        tmp_path,
        GOLD=str(DATA / "gold.mrp"),
        SYSTEM=str(DATA / "birch.mrp"),
        BASELINE=str(DATA / "alder.mrp"),
        METRIC="mrp",
        FAIL_UNDER="0.9",
        COMPARE_ARGUMENTS="--samples\n200\n--top\n0",
    )
    assert done.returncode == 1
    assert "0.9" in done.stderr
    assert outputs["exit-code"] == "1"
    scores = json.loads((tmp_path / outputs["score"]).read_text())
    assert scores
    assert json.loads((tmp_path / outputs["compare"]).read_text())
    summary = (tmp_path / "summary.md").read_text()
    assert "76.17" in summary
    assert "| system |" in summary


def test_papers_of_the_project_say_the_same_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {project['version']}\n" in citation
    assert graphscore.__version__ == project["version"]
    assert f"## {project['version']}" in (ROOT / "CHANGELOG.md").read_text()
    assert project["description"] in citation
    owner = "the graphscore maintainers"
    assert f"- name: {owner}\n" in citation
    assert owner in (ROOT / "LICENSE").read_text()


def test_what_is_said_to_be_oldest_is_what_the_project_allows() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = ("frames", "plots", "postgres", "web", "dask")
    stated = [*project["dependencies"]]
    for name in extras:
        stated += project["optional-dependencies"][name]
    lines = (ROOT / "tests" / "oldest.txt").read_text().splitlines()
    oldest = dict(line.split("==") for line in lines)
    for each in stated:
        name, least = re.fullmatch(r"([\w-]+)(?:\[\w+\])?>=([\d.]+)", each).groups()
        found = oldest[name.replace("_", "-")].split(".")
        wanted = least.split(".")
        assert found[: len(wanted)] == wanted or found > wanted, each
    command = (ROOT / "docs" / "versions.md").read_text()
    assert all(f"--extra {name}" in command for name in extras)
