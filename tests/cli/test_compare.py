"""``graphscore compare``: files, stores, Python, shapes of output, the gate."""

from __future__ import annotations

import pytest

import graphscore
from tests.cli.conftest import ALDER, BIRCH, GOLD

QUICK = ("--samples", "200")


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    path = str(tmp_path_factory.mktemp("compare") / "runs.db")
    with graphscore.Store(path, mode="create") as runs:
        for file, name in ((GOLD, "gold"), (ALDER, "alder"), (BIRCH, "birch")):
            runs.ingest(file, name, keep_going=True)
        for name in ("alder", "birch"):
            runs.score("gold", name)
    return path


def test_files_a_store_and_python_say_the_same(run, store):
    files = run("compare", GOLD, ALDER, BIRCH, *QUICK, "--json").json
    stored = run("compare", store, *QUICK, "--json")
    assert "reused 73 of 73" in stored.err
    assert [each["system"] for each in files["systems"]] == [ALDER, BIRCH]
    assert [each["system"] for each in stored.json["systems"]] == ["alder", "birch"]
    for one, other in zip(files["systems"], stored.json["systems"], strict=True):
        assert {**one, "system": ""} == {**other, "system": ""}
    python = graphscore.compare(store, gold="gold", samples=200)
    assert python.to_dict() == stored.json
    named = graphscore.compare(
        GOLD, ALDER, BIRCH, names=["alder", "birch"], samples=200
    )
    assert named.to_dict() == stored.json
    assert "<table>" in python._repr_html_()
