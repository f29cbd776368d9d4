"""Published files as users have them, and what the field's own scorers say of them.

``expected.json`` of each folder has what stands in the files, counted by independent
readers, and the scores of the peers.  None of it may be copied into the project.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graphscore.formats import ReadGraph, read_file
from graphscore.model.graph import Graph
from tests.conftest import ROOT

WILD = ROOT.parent / "shared" / "wild"
IE = WILD / "ie"
GRAPHS = WILD / "graphs"

NOT_SCORED = {
    "gap": "the metric and the format gap were removed",
    "scorch_json": "the format scorch was removed",
}
"""Cases of ``expected.json`` that are left out, and why."""

needs_wild = pytest.mark.skipif(
    not WILD.is_dir(), reason="the published files are not beside this checkout"
)
"""Marks tests that read the published files."""


def graphs_of(path: Path, framework: str) -> list[Graph]:
    """The graphs of a framework in a file, no record of which may be bad."""
    found = []
    for record in read_file(str(path)):
        assert isinstance(record, ReadGraph), record
        if record.graph.framework == framework:
            found.append(record.graph)
    return found


def expected(folder: Path) -> dict[str, Any]:
    """The scored cases of a folder by name; none where the folder is absent."""
    path = folder / "expected.json"
    if not path.is_file():
        return {}
    cases = json.loads(path.read_text(encoding="utf-8"))["cases"]
    named = cases if isinstance(cases, dict) else {each["id"]: each for each in cases}
    return {name: case for name, case in named.items() if name not in NOT_SCORED}
