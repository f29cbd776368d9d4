"""Commands over a store that has everything: nothing is read again, nothing written."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

import graphscore
from graphscore.evaluation import store as stores
from graphscore.store import detect
from tests.cli.conftest import ALDER, BIRCH, GOLD

NAMES = "gold", "alder", "birch"


COMMANDS = {
    "agree": (*NAMES, "--samples", "20", "--chance", "4"),
    "compare": (
        "--gold",
        "gold",
        "--system",
        "alder",
        "--system",
        "birch",
        "--samples",
        "20",
    ),
    "whatif": ("--gold", "gold", "--system", "birch"),
}


def state(folder: Path) -> dict[str, str]:
    """Every file of a folder, with what is in it and when it was written."""
    return {
        each.name: hashlib.sha256(each.read_bytes()).hexdigest()
        + str(each.stat().st_mtime_ns)
        for each in folder.iterdir()
    }


@pytest.fixture
def store(tmp_path, monkeypatch):
    """A store in a folder of its own, made of files that are gone."""
    monkeypatch.chdir(tmp_path)
    wanted = {f"sample-{number:02}" for number in range(1, 7)}
    folder = tmp_path / "held"
    folder.mkdir()
    with graphscore.Store(str(folder / "runs.db"), mode="create") as runs:
        for file, name in ((GOLD, "gold"), (ALDER, "alder"), (BIRCH, "birch")):
            every = [each.graph for each in graphscore.read_file(file) if each[1]]
            kept = [g for g in every if g.framework == "dm" and g.id in wanted]
            runs.add(kept, name)
    return folder / "runs.db"


@pytest.mark.parametrize("verb", ["agree", "compare", "whatif"])
def test_nothing_is_written_where_everything_is_there(run, store, monkeypatch, verb):
    asked = verb, str(store), *COMMANDS[verb], "-m", "mrp", "--json"
    first = run(*asked)
    assert first.code == 0, first.err
    before = state(store.parent)
    store.chmod(0o444)
    store.parent.chmod(0o555)
    # Root may write everywhere: it is seen that nobody asks to.
    modes = []
    opened = stores.open_store

    def watched(*args, **asked):
        modes.append(asked["read_only"])
        return opened(*args, **asked)

    monkeypatch.setattr(stores, "open_store", watched)
    try:
        again = run(*asked)
        assert again.code == 0, again.err
        assert again.json == first.json
        assert state(store.parent) == before
        assert modes == [True] * len(modes) != []
        # Python's doors open the store themselves, to write where that can be.
        modes.clear()
        monkeypatch.setattr(detect.os, "access", lambda *_: False)
        from_python(verb, str(store))
        assert state(store.parent) == before
        assert modes == [True]
    finally:
        store.parent.chmod(0o755)


def from_python(verb: str, store: str) -> None:
    asked = {"metric": "mrp"}
    if verb == "agree":
        graphscore.agree(store, *NAMES, samples=20, chance=4, **asked)
    elif verb == "compare":
        graphscore.compare(store, *NAMES, samples=20, **asked)
    else:
        graphscore.whatif(store, "gold", "birch", **asked)
