"""A changed file that comes again: only what changed is scored again."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from graphscore import InputError, Store
from graphscore.evaluation import incoming
from graphscore.formats import write_graphs
from tests.store.conftest import bark


def test_only_what_changed_is_computed(tmp_path: Path) -> None:
    """One of ten graphs has another label; an eleventh has come, the last has gone."""
    file = tmp_path / "system.mrp"
    graphs = [bark(str(n), f"w{n}") for n in range(10)]
    changed = [*graphs[:4], bark("4", "growl"), *graphs[5:9], bark("10", "howl")]
    with Store(tmp_path / "runs.db", mode="create") as store:
        store.add([bark(str(n), f"v{n}") for n in range(11)], "gold")
        computed, scores = [], []
        for version in (graphs, changed):
            with file.open("wb") as stream:
                stream.writelines(write_graphs(version, "mrp"))
            [report] = store.ingest(file, "system", replace=True)
            result = store.score("gold", "system", "mrp")
            computed.append(result.pairs - result.reused)
            scores.append(result.f1)
        assert (report.replaced, report.removed) == (9, 1)
        # Gold's last but one has no counterpart now, its last one has.
        assert computed == [11, 3]
        with Store(tmp_path / "anew.db", mode="create") as anew:
            anew.add([bark(str(n), f"v{n}") for n in range(11)], "gold")
            anew.ingest(file, "system")
            assert anew.score("gold", "system", "mrp").f1 == scores[1]


def test_a_file_replaced_while_it_is_ingested_is_there_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The digest and the graphs are those of one version, whenever it is replaced."""
    file, other = tmp_path / "system.mrp", tmp_path / "new.mrp"
    write(file, "old")
    write(other, "new")
    digest = incoming.file_digest

    def replaced(*given: Any) -> bytes:
        found = digest(*given)
        if other.exists():
            other.replace(file)
        return found

    monkeypatch.setattr(incoming, "file_digest", replaced)
    with Store(tmp_path / "runs.db", mode="create") as store:
        store.ingest(file, "system")
        labels = (
            "select distinct value from v_tuples where tuple_type = 'labels' order by 1"
        )
        assert ("old",) in store.query(labels)[1]
        [report] = store.ingest(file, "system", replace=True)
        assert not report.unchanged
        assert ("new",) in store.query(labels)[1]
        [report] = store.ingest(file, "system")
        assert report.unchanged


def test_a_file_written_to_while_it_is_ingested_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "system.mrp"
    write(file, "old")

    def written(_: int) -> None:
        os.utime(file, ns=(1, 1))

    with Store(tmp_path / "runs.db", mode="create") as store:
        with pytest.raises(InputError, match="changed while it was read"):
            store.ingest(file, "system", progress=written)
        assert not store.collections()
        [report] = store.ingest(file, "system")
        assert report.graphs == 300


def write(file: Path, label: str) -> None:
    with file.open("wb") as stream:
        graphs = [bark(str(n), label) for n in range(300)]
        stream.writelines(write_graphs(graphs, "mrp"))
