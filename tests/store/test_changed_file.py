"""A changed file that comes again: only what changed is scored again."""

from __future__ import annotations

from pathlib import Path

from graphscore import Store
from graphscore.formats import write_graphs
from tests.store.conftest import bark


def test_only_what_changed_is_computed(tmp_path: Path) -> None:
    """One of ten graphs has another label; an eleventh has come, the last has gone."""
    file = tmp_path / "system.mrp"
    graphs = [bark(str(n), f"w{n}") for n in range(10)]
    changed = [*graphs[:4], bark("4", "growl"), *graphs[5:9], bark("10", "howl")]
    with Store(tmp_path / "runs.db", mode="create") as store:
        store.add([bark(str(n), f"v{n}") for n in range(11)], "gold")
        computed, figures = [], []
        for version in (graphs, changed):
            with file.open("wb") as stream:
                stream.writelines(write_graphs(version, "mrp"))
            [report] = store.ingest(file, "system", replace=True)
            result = store.score("gold", "system", "mrp")
            computed.append(result.pairs - result.reused)
            figures.append(result.f1)
        assert (report.replaced, report.removed) == (9, 1)
        # Gold's last but one has no counterpart now, its last one has.
        assert computed == [11, 3]
        with Store(tmp_path / "anew.db", mode="create") as anew:
            anew.add([bark(str(n), f"v{n}") for n in range(11)], "gold")
            anew.ingest(file, "system")
            assert anew.score("gold", "system", "mrp").f1 == figures[1]
