"""Frames that are fetched in columns equal those that are made of rows."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import graphscore.store.columnar.frames as column_frames
from graphscore import Store
from graphscore.exceptions import GraphscoreError, UsageError
from tests.conftest import DATA

WHOLE = {
    "a view": "select * from v_errors order by item, error_type, tuple_type, value, "
    "gold_ordinal",
    "names twice": "select item, f1, item from v_scores order by 1, 2;",
    "with": "with x as (select item from v_graphs) select * from x order by item desc",
    "many types": "select case row_number() over (order by item) % 2 when 0 then nodes "
    "else 0.5 end as x, null as y, case when row_number() over (order by item) > 9 "
    "then nodes end as z from v_graphs order by item, framework",
}
"""Questions whose columns have one type each."""

MIXED = {
    "text later": "select case when row_number() over () > 9 then item else 7 end as x "
    "from v_graphs",
    "a number later": "select case when row_number() over () > 9 then 7 else item end "
    "as x from v_graphs",
    "fractions later": "select case when row_number() over () > 9 then 0.5 else 7 end "
    "as x from v_graphs",
    "text after nothing": "select case when row_number() over () > 9 then item end "
    "as x from v_graphs",
    "bytes later": "select case when row_number() over () > 9 then x'00' else item end "
    "as x from v_graphs",
    "bytes": "select x'00' as x from v_graphs",
    "a comment": "select item from v_graphs order by item, framework; -- that is all",
}
"""Those of which rows are asked for after all."""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    place = str(tmp_path_factory.mktemp("frames") / "runs.db")
    with Store(place, mode="create") as runs:
        for name in ("gold", "alder"):
            runs.ingest(str(DATA / f"{name}.mrp"), name)
        runs.score("gold", "alder", "mrp")
    return place


@pytest.fixture(autouse=True)
def fetching(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Starts the process for few rows, and notes what it gave."""
    for module in ("pyarrow", "adbc_driver_sqlite"):
        pytest.importorskip(module, reason="the extra frames is not installed")
    given: list[Any] = []
    table_of = column_frames.table_of

    def noted(*arguments: Any) -> Any:
        given.append(table_of(*arguments))
        return given[-1]

    monkeypatch.setattr(column_frames, "FEW", 4)
    monkeypatch.setattr(column_frames, "table_of", noted)
    return given


def made(store: str, sql: str, library: Any) -> Any:
    try:
        with Store(store) as opened:
            return opened.frame(sql, library)
    except UsageError as error:
        return str(error)


def assert_equal(found: Any, expected: Any) -> None:
    assert type(found) is type(expected)
    if isinstance(found, str):
        assert found == expected
    elif hasattr(found, "schema"):
        assert found.schema == expected.schema
        assert found.equals(expected)
    else:
        import pandas

        pandas.testing.assert_frame_equal(found, expected)


@pytest.mark.parametrize("library", ["pandas", "polars", "arrow"])
def test_frames_are_the_same(
    store: str, library: str, fetching: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pyarrow" if library == "arrow" else library)
    asked = WHOLE | MIXED
    if library != "arrow":
        asked = {name: asked[name] for name in ("a view", "many types", "text later")}
    fast = {each: made(store, sql, library) for each, sql in asked.items()}
    columnar = [table is not None for table in fetching]
    assert columnar == [each in WHOLE for each in asked]
    monkeypatch.setattr(column_frames, "in_columns", lambda: False)
    for each, sql in asked.items():
        assert_equal(fast[each], made(store, sql, library))
    assert len(fetching) == len(asked)


def test_writing_is_refused_as_ever(store: str, fetching: list[Any]) -> None:
    before = Path(store).read_bytes()
    with Store(store) as opened:
        for sql in ("delete from graph", "select 1) select 2 from (select 3", "select"):
            with pytest.raises(GraphscoreError):
                opened.frame(sql, "arrow")
    assert not fetching
    assert Path(store).read_bytes() == before
    assert os.listdir(Path(store).parent) == ["runs.db"]


def test_an_interrupt_ends_what_is_fetched(store: str) -> None:
    # The first rows come at once, all others never.
    endless = (
        "with recursive n(x) as (select 1 union all select x + 1 from n) "
        "select x from n where x < 5 or x < 0"
    )
    timer = threading.Timer(1.5, os.kill, (os.getpid(), signal.SIGINT))
    begin = time.monotonic()
    with Store(store) as opened:
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            opened.frame(endless, "arrow")
    assert time.monotonic() - begin < 20
