"""The bundle for Codabench in its layout of folders."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT

BUNDLE = ROOT / "docs" / "examples" / "codabench"


def run(app: Path) -> subprocess.CompletedProcess[str]:
    """Run the command that the metadata names, with folders of its own."""
    [command] = [
        line.removeprefix("command: ")
        for line in (BUNDLE / "metadata").read_text("utf-8").splitlines()
        if line.startswith("command: ")
    ]
    program, *arguments = command.replace("/app", str(app)).split()
    assert program == "python3"
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=BUNDLE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=100,
    )


def test_scores_and_a_page_without_gold(tmp_path: Path) -> None:
    for name, file in (("ref", "gold.mrp"), ("res", "birch.mrp")):
        (tmp_path / "input" / name).mkdir(parents=True)
        shutil.copy(ROOT / "data" / file, tmp_path / "input" / name)
    done = run(tmp_path)
    assert done.returncode == 0, done.stderr
    scores = json.loads((tmp_path / "output" / "scores.json").read_text("utf-8"))
    assert f"{scores['score']:.4f}" == "0.7617"
    assert f"{scores['mrp_eds_all_f1']:.4f}" == "0.7821"
    assert all(type(value) in (int, float) for value in scores.values())
    page = (tmp_path / "output" / "detailed_results.html").read_text("utf-8")
    assert "ucca: 12 of 13 items, 1 missing, 0 extra" in page
    assert "76.17" in page
    assert "sample-" not in page
