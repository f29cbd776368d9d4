"""Frames of pandas, polars and Arrow, where these libraries are installed."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import graphscore
from graphscore import GraphscoreError, Result, Store, score
from graphscore.exceptions import UsageError
from graphscore.rows import Rows, frame_of
from tests.conftest import DATA

MODULES = {"pandas": "pandas", "polars": "polars", "arrow": "pyarrow"}


@pytest.fixture(scope="module")
def result() -> Result:
    return score(str(DATA / "gold.mrp"), str(DATA / "alder.mrp"), "mrp")


@cache
def compared() -> tuple[Rows, ...]:
    """What several systems give."""
    gold, *systems = (str(DATA / f"{name}.mrp") for name in ("gold", "alder", "birch"))
    drawn = {"metric": "mrp", "samples": 20}
    return (
        graphscore.compare(gold, *systems, by="framework", **drawn),
        graphscore.agree(gold, *systems, **drawn),
        graphscore.whatif(gold, systems[0], metric="mrp"),
    )


def dicts(frame: Any) -> list[dict[str, Any]]:
    """The rows of any of the frames, what is missing as ``None``."""
    if hasattr(frame, "to_pylist"):
        rows = frame.to_pylist()
    elif hasattr(frame, "to_dicts"):
        rows = frame.to_dicts()
    else:
        rows = frame.to_dict("records")
    return [
        {name: None if cell != cell else cell for name, cell in row.items()}
        for row in rows
    ]


@pytest.mark.parametrize("library", MODULES)
def test_frames_hold_what_dictionaries_hold(library: str, result: Result) -> None:
    pytest.importorskip(MODULES[library], reason=f"needs {MODULES[library]}")
    for rows in (result, result.items, result.errors, result.confusions):
        frame = getattr(rows, f"to_{library}")()
        assert type(frame).__module__.split(".")[0] == MODULES[library]
        assert dicts(frame) == rows.to_dicts() != []
        assert dicts(rows.to_frame(library)) == dicts(frame)
        assert len(rows.to_frame()) == len(rows.to_dicts())


@pytest.mark.parametrize("library", MODULES)
def test_what_is_compared_goes_into_frames(library: str) -> None:
    pytest.importorskip(MODULES[library], reason=f"needs {MODULES[library]}")
    for found in compared():
        frame = getattr(found, f"to_{library}")()
        assert dicts(frame) == found.to_dicts() != []


@pytest.mark.parametrize("library", MODULES)
def test_frames_without_rows_keep_their_columns(library: str) -> None:
    pytest.importorskip(MODULES[library], reason=f"needs {MODULES[library]}")
    frame = frame_of(("a", "b", "a"), [], library)
    names = frame.column_names if library == "arrow" else frame.columns
    assert [*names] == ["a", "b", "a_2"]
    assert dicts(frame) == []


@pytest.mark.parametrize("library", ["polars", "arrow"])
def test_columns_of_numbers_are_of_one_type(library: str) -> None:
    pytest.importorskip(MODULES[library], reason=f"needs {MODULES[library]}")
    rows = [(1, None), (2.5, b"a"), (None, None)]
    frame = frame_of(("number", "bytes"), rows, library)
    assert dicts(frame) == [
        {"number": 1.0, "bytes": None},
        {"number": 2.5, "bytes": b"a"},
        {"number": None, "bytes": None},
    ]
    with pytest.raises(UsageError, match=r"'mixed' holds .* \(int, str\)"):
        frame_of(("mixed",), [(1,), ("a",)], library)
    assert dicts(frame_of(("far",), [(-(2**63),), (None,)], library))[0]["far"] < 0
    with pytest.raises(
        UsageError, match=r"'far' holds 9223372036854775808, an integer"
    ):
        frame_of(("far",), [(None,), (2**63,)], library)


@pytest.mark.parametrize("library", MODULES)
def test_what_is_not_installed_is_named_with_what_installs_it(
    library: str, result: Result, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = MODULES[library]
    monkeypatch.setitem(sys.modules, module, None)
    expected = rf"needs {module}: pip install 'graphscore\[frames\]' {module}"
    with pytest.raises(UsageError, match=expected):
        getattr(result, f"to_{library}")()


def test_unknown_libraries_are_refused() -> None:
    with pytest.raises(UsageError, match="'pandas', 'polars', 'arrow'"):
        frame_of(("a",), [], "excel")


@pytest.mark.parametrize("library", MODULES)
@pytest.mark.parametrize("url", ["sqlite://", "runs.db"])
def test_queries_are_answered_by_frames(
    library: str, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip(MODULES[library], reason=f"needs {MODULES[library]}")
    monkeypatch.chdir(tmp_path)
    with Store(url, mode="create") as store:
        store.ingest(str(DATA / "gold.mrp"), "gold")
        sql = "select item, nodes, nodes, 0.5 as half, null as gone from v_graphs"
        columns, rows = store.query(sql)
        assert columns == ("item", "nodes", "nodes", "half", "gone")
        names = ("item", "nodes", "nodes_2", "half", "gone")
        expected = [dict(zip(names, row, strict=True)) for row in rows]
        assert dicts(store.frame(sql, library)) == expected != []
        with pytest.raises(GraphscoreError):
            store.frame("delete from graph", library)
        assert dicts(store.frame(sql, library)) == expected


def test_libraries_are_looked_for_before_a_store_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    with Store("sqlite://", mode="create") as store:
        with pytest.raises(UsageError, match="needs polars"):
            store.frame("no SQL", "polars")
        with pytest.raises(UsageError, match="'pandas', 'polars', 'arrow'"):
            store.frame("no SQL", "excel")  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="sql"):
            store.frame(3)  # type: ignore[arg-type]
