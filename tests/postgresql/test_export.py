"""``graphscore store export`` writes the same of both databases."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import graphscore.store.columnar.frames as column_frames
from graphscore import Store
from graphscore.cli.main import cli
from graphscore.exceptions import GraphscoreError
from graphscore.store.columnar.layouts import LAYOUTS
from tests.rows.exported import fill, written

TIMES = {"created", "microseconds"}
"""Columns that no two runs have alike."""


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
            cli, ["store", "export", place, str(tmp_path / name), "--views", views]
        )
        assert done.exit_code == 0, done.output
    for view, layout in LAYOUTS.items():
        found = [written(tmp_path / each, view) for each in ("one", "other")]
        times = [*map([*layout.columns].index, TIMES.intersection(layout.columns))]
        for place in sorted(times, reverse=True):
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


COLUMNAR = {
    "a view": "select * from v_errors order by item, error_type, tuple_type, value, "
    "gold_ordinal",
    "texts": "select text, item, text from v_graphs order by 2, framework, 1;",
    "truths": "select item, nodes > 5 as many from v_graphs order by 1, 2",
    "decimals": "select f1, gold_count, matched, 2.0 * gold_count as twice, null as n "
    "from v_scores order by item, framework, tuple_type, system",
    "partly whole": "select case when nodes > 9 then 0.5 else 7 end as x from v_graphs "
    "order by item, framework, collection",
}
"""Questions that are copied out in columns."""

IN_ROWS = {
    "a comment": "select item from v_graphs order by 1; -- that is all",
    "more than 64 bits": "select nodes * 1e30::numeric as x from v_graphs order by 1",
    "dates": "select date '2020-02-02' + nodes::integer as x from v_graphs order by 1",
}
"""Those of which rows are asked for after all."""


def test_frames_that_are_copied_are_those_of_rows(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("pyarrow", "adbc_driver_sqlite"):
        pytest.importorskip(module, reason="the extra frames is not installed")
    fill(url)
    given: list[Any] = []
    table_of = column_frames.table_of

    def noted(*arguments: Any) -> Any:
        given.append(table_of(*arguments))
        return given[-1]

    monkeypatch.setattr(column_frames, "FEW", 4)
    monkeypatch.setattr(column_frames, "table_of", noted)
    asked = COLUMNAR | IN_ROWS

    def frames() -> dict[str, Any]:
        found = {}
        with Store(url) as store:
            for each, sql in asked.items():
                try:
                    found[each] = store.frame(sql, "arrow")
                except GraphscoreError as error:
                    found[each] = str(error)
        return found

    fast = frames()
    assert [table is not None for table in given] == [x in COLUMNAR for x in asked]
    monkeypatch.setattr(column_frames, "in_columns", lambda: False)
    slow = frames()
    assert len(given) == len(asked)
    for each in asked:
        assert type(fast[each]) is type(slow[each]), each
        if each in COLUMNAR:
            assert fast[each].num_rows > 4
            assert fast[each].schema == slow[each].schema, each
            assert fast[each].equals(slow[each]), each
