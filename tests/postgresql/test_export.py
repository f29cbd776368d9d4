"""``graphscore export`` writes the same of both databases."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from graphscore.cli.main import cli
from graphscore.store.columnar.layouts import LAYOUTS
from tests.rows.exported import fill, written


def test_both_databases_give_equal_files(url: str, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="the extra frames is not installed")
    pytest.importorskip(
        "adbc_driver_sqlite", reason="the extra frames is not installed"
    )
    from pyarrow import dataset

    views = ",".join(LAYOUTS)
    for name, place in (("one", url), ("other", str(tmp_path / "runs.db"))):
        fill(place)
        done = CliRunner().invoke(
            cli, ["export", place, str(tmp_path / name), "--views", views]
        )
        assert done.exit_code == 0, done.output
    for view, layout in LAYOUTS.items():
        found = [written(tmp_path / each, view) for each in ("one", "other")]
        if "microseconds" in layout.columns:
            place = [*layout.columns].index("microseconds")
            found = [
                type(each)(
                    {(*row[:place], *row[place + 1 :]): n for row, n in each.items()}
                )
                for each in found
            ]
        assert found[0] == found[1], view
        assert found[0] or view == "v_changes"
        one, other = (
            dataset.dataset(tmp_path / each / view, partitioning="hive").schema
            for each in ("one", "other")
        )
        assert one == other
    assert "secret" not in (tmp_path / "one" / "manifest.json").read_text()
