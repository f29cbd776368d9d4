"""``status`` and ``prune``, as they are typed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from graphscore import Store
from graphscore.metrics.meaning.smatch import Smatch
from tests.cli.conftest import ALDER, GOLD

SIDES = ("--gold", "gold", "--system", "alder")


@pytest.fixture
def store(tmp_path: Path, run: Any) -> Path:
    """A store with two evaluations, and a collection that none uses."""
    path = tmp_path / "runs.db"
    for name, file in (("gold", GOLD), ("alder", ALDER), ("spare", ALDER)):
        assert run("ingest", path, file, "--as", name).code == 0
    assert run("score", path, *SIDES, "-m", "smatch,mrp").code in (0, 4)
    return path


def test_status_says_what_there_is(store: Path, run: Any) -> None:
    said = run("status", store, "--json").json
    assert said["bytes"] == store.stat().st_size
    assert {each["name"]: each["graphs"] for each in said["collections"]} == {
        "gold": 73,
        "alder": 73,
        "spare": 73,
    }
    assert said["unused"] == {"collections": ["spare"], "results": 0}
    assert len(said["evaluations"]["done"]) == 2
    assert said["prunable"]["bytes"] == 0
    rows = {each["table"]: each["rows"] for each in said["tables"]}
    assert rows["graph"] == 219
    with Store(store) as opened:
        assert opened.status().to_dict() == said | {"store": str(store)}
    lines = run("status", store, "--csv").out.splitlines()
    assert lines[0] == "table,rows,bytes"
    assert len(lines) == len(rows) + 1


def test_a_table_of_eighty_columns(store: Path, run: Any) -> None:
    said = run("status", store, "--table", "--width", "80").out
    assert max(map(len, said.splitlines())) <= 80
    assert "used by no evaluation: spare" in said
    assert "nothing to prune" in said


def test_a_file_that_nobody_may_write(store: Path, run: Any) -> None:
    store.chmod(0o444)
    store.parent.chmod(0o555)
    try:
        assert run("status", store).code == 0
        dry = run("prune", store, "--dry-run", "--unused-collections", "--json")
        assert (dry.code, dry.json[0]["collections"]) == (0, 1)
        assert os.listdir(store.parent) == [store.name]
    finally:
        store.parent.chmod(0o755)


def test_outdated_and_stale_are_named(
    store: Path, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("ingest", store, GOLD, "--as", "alder", "--replace").code == 0
    monkeypatch.setattr(Smatch, "revision", Smatch.revision + 1)
    said = run("status", store, "--json").json["evaluations"]
    assert [each["metric"] for each in said["stale"]] == ["mrp"]
    [old] = said["outdated"]
    assert old["now"] == old["revision"] + 1
    before = store.read_bytes()
    dry = run("prune", store, "--stale", "--dry-run", "--json")
    assert store.read_bytes() == before
    assert "would remove 2 outdated or stale evaluations" in dry.err
    done = run("prune", store, "--stale", "--json")
    assert done.json[0] | {"bytes": 0, "dry_run": True} == dry.json[0] | {"bytes": 0}
    assert done.json[0]["bytes"] > 0
    assert run("status", store, "--json").json["evaluations"]["stale"] == []


def test_collections_go_only_when_asked(store: Path, run: Any) -> None:
    assert "nothing is outdated" in run("prune", store).err
    done = run("prune", store, "--unused-collections")
    assert "unused 'spare' with 73 graphs" in done.err
    left = run("status", store, "--json").json["collections"]
    assert [each["name"] for each in left] == ["gold", "alder"]
