"""``graphscore store export``: views as Parquet, whole or not at all."""

from __future__ import annotations

import errno
import io
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from graphscore import Store
from graphscore.exceptions import GraphscoreError
from graphscore.store.columnar import answers, export
from graphscore.store.columnar.export import hive
from graphscore.store.columnar.layouts import LAYOUTS, USUAL
from graphscore.store.columnar.parquet import RowWriter
from graphscore.store.views import VIEWS
from tests.cli.conftest import run  # noqa: F401
from tests.conftest import ROOT
from tests.rows.exported import ODD, fill, stored, written

Run = Callable[..., Any]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    place = str(tmp_path_factory.mktemp("export") / "runs #1?.db")
    fill(place)
    return place


@pytest.fixture
def frames() -> None:
    """Skips where the extra is not installed."""
    for module in ("pyarrow", "adbc_driver_sqlite"):
        pytest.importorskip(module, reason="the extra frames is not installed")


def test_all_views_have_a_layout(store: str) -> None:
    assert [*LAYOUTS] == [*VIEWS]
    assert {*VIEWS} - {*USUAL} == {"v_changes"}
    with Store(store) as opened:
        for view, layout in LAYOUTS.items():
            columns, rows = opened.query(f"select * from {view} limit 0")
            assert (columns, [*rows]) == (tuple(layout.columns), []), view
            assert {*layout.parts} <= {*columns}


def test_what_is_not_installed_is_named(
    run: Run,  # noqa: F811
    store: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(answers, "is_installed", lambda name: name != "pyarrow")
    refused = run("store", "export", store, tmp_path / "out")
    assert refused.code == 2
    assert "needs pyarrow: pip install 'graphscore[frames]'" in refused.err
    assert not [*tmp_path.iterdir()]


def test_names_of_folders() -> None:
    assert hive("system", ODD) == "system=a%2Fb%3D%C3%BC%2050%25"
    assert hive("system", "..") == "system=.."
    assert hive("metric", "mrp(order=free)") == "metric=mrp%28order%3Dfree%29"
    with pytest.raises(GraphscoreError, match="--flat"):
        hive("metric", "ü" * 90)


@pytest.mark.parametrize("batch", [3, 32_768])
def test_files_hold_what_the_views_do(
    frames: None,
    run: Run,  # noqa: F811
    store: str,
    tmp_path: Path,
    batch: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # With few rows at a time, what comes first says nothing of what follows.
    monkeypatch.setattr(answers, "BATCH", batch)
    out = tmp_path / "out"
    done = run("store", "export", store, out, "--views", ",".join(LAYOUTS), "--json")
    assert done.code == 0, done.err
    manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    told = {each["view"]: each for each in done.json}
    for view in LAYOUTS:
        expected = stored(store, view)
        assert written(out, view) == expected, view
        assert told[view]["rows"] == manifest["views"][view]["rows"] == expected.total()
        assert told[view]["files"] == len([*(out / view).rglob("*.parquet")])
        assert expected or view == "v_changes"
    keys = {(each["system"], each["metric"]) for each in manifest["evaluations"]}
    assert keys == {
        (s, m) for s in (ODD, "birch") for m in ("mrp(order=free)", "ceafe")
    }
    assert all("|gold:" in each["signature"] for each in manifest["evaluations"])
    assert sorted(each.name for each in out.iterdir()) == sorted(
        ["manifest.json", *LAYOUTS]
    )


def test_types(frames: None, run: Run, store: str, tmp_path: Path) -> None:  # noqa: F811
    from pyarrow import dataset

    run("store", "export", store, tmp_path / "out", "--views", "v_scores,v_errors")
    found = dataset.dataset(tmp_path / "out" / "v_scores", partitioning="hive").schema
    types = {name: str(found.field(name).type) for name in found.names}
    repeated = "dictionary<values=string, indices=int32, ordered=0>"
    assert types["tuple_type"] == types["framework"] == types["gold"] == repeated
    assert types["item"] == types["system"] == types["metric"] == "string"
    assert types["gold_count"] == types["matched"] == types["f1"] == "double"
    assert (types["proven"], types["steps"]) == ("bool", "int64")
    errors = dataset.dataset(tmp_path / "out" / "v_errors", partitioning="hive").schema
    # Nearly always null, and of a type all the same.
    assert str(errors.field("compared").type) == "string"


def test_what_was_chosen(frames: None, run: Run, store: str, tmp_path: Path) -> None:  # noqa: F811
    out = tmp_path / "out"
    some = ("--views", "v_errors,v_graphs", "--system", ODD, "-m", "mrp(order = free)")
    assert run("store", "export", store, out, *some, "--flat").code == 0
    whole = stored(store, "v_errors")
    mine = {row: n for row, n in whole.items() if row[1:3] == (ODD, "mrp(order=free)")}
    assert written(out, "v_errors") == mine != whole
    graphs = {row: n for row, n in stored(store, "v_graphs").items() if row[0] == ODD}
    assert written(out, "v_graphs") == graphs
    files = [str(each.relative_to(out)) for each in sorted(out.rglob("*.parquet"))]
    assert files == ["v_errors/part-0.parquet", "v_graphs/part-0.parquet"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--views", "v_error"), "no view 'v_error' (did you mean 'v_errors'?)"),
        (("--views", ","), "--views needs"),
        (("--system", "birk"), "no collection 'birk' (did you mean 'birch'?)"),
        (("--gold", "x"), "--gold: no collection 'x'"),
        (("-m", "mrp"), "nothing is scored by 'mrp'"),
        (("--gold", "birch"), "no evaluation has"),
    ],
)
def test_what_is_not_there_is_refused(
    frames: None,
    run: Run,  # noqa: F811
    store: str,
    tmp_path: Path,
    options: tuple[str, ...],
    said: str,
) -> None:
    refused = run("store", "export", store, tmp_path / "out", *options)
    assert (refused.code, said in refused.err) == (2, True), refused.err
    assert not [*tmp_path.iterdir()]


def test_folders_in_use(frames: None, run: Run, store: str, tmp_path: Path) -> None:  # noqa: F811
    out = tmp_path / "out"
    out.mkdir()
    some = ("--views", "v_items")
    assert run("store", "export", store, out, *some).code == 0
    (out / "v_items" / "mine").touch()
    again = run("store", "export", store, out, *some)
    assert (again.code, "--replace" in again.err) == (2, True)
    assert (out / "v_items" / "mine").exists()
    assert run("store", "export", store, out, *some, "--replace").code == 0
    assert not (out / "v_items" / "mine").exists()
    for taken in (tmp_path, Path(store)):
        refused = run("store", "export", store, taken, *some, "--replace")
        assert refused.code == 2, refused.err
    lost = run("store", "export", store, tmp_path / "no" / "out", *some)
    assert (lost.code, "does not exist" in lost.err) == (2, True)
    assert [each.name for each in tmp_path.iterdir()] == ["out"]


def test_an_empty_store_has_empty_files(frames: None, run: Run, tmp_path: Path) -> None:  # noqa: F811
    place = str(tmp_path / "empty.db")
    Store(place, mode="create").close()
    assert run("store", "export", place, tmp_path / "out").code == 0
    for view in USUAL:
        assert written(tmp_path / "out", view).total() == 0
        assert (tmp_path / "out" / view / "part-0.parquet").exists()


def test_outdated_evaluations_are_told(
    frames: None,
    run: Run,  # noqa: F811
    store: str,
    tmp_path: Path,
) -> None:
    place = str(shutil.copy(store, tmp_path / "old.db"))
    with closing(sqlite3.connect(place)) as raw, raw:
        raw.execute("update evaluation set revision = 0 where metric = 'ceafe'")
    before = Path(place).read_bytes()
    assert (
        run("store", "export", place, tmp_path / "out", "--views", "v_items").code == 0
    )
    expected = stored(place, "v_items")
    place_of_status = [*LAYOUTS["v_items"].columns].index("evaluation")
    assert {row[place_of_status] for row in expected} == {"done", "outdated"}
    assert written(tmp_path / "out", "v_items") == expected
    assert Path(place).read_bytes() == before
    assert sorted(each.name for each in tmp_path.iterdir()) == ["old.db", "out"]


def test_what_a_killed_export_left_is_removed(
    frames: None,
    run: Run,  # noqa: F811
    store: str,
    tmp_path: Path,
) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    folder = tmp_path / f".out.{gone.pid}.part"
    file = tmp_path / f".e.pq.{gone.pid}.part"
    folder.mkdir()
    for path in (folder / "x.parquet", file, folder):
        if not path.exists():
            path.touch()
        os.utime(path, (1, 1))
    export = ("store", "export", store)
    assert run(*export, tmp_path / "out", "--views", "v_items").code == 0
    with RowWriter(tmp_path / "e.pq", {"name": "text"}) as writer:
        writer.add([("a",)])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["e.pq", "out"]


def test_interrupts_leave_nothing(
    frames: None,
    run: Run,  # noqa: F811
    store: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started = []

    def interrupted(self: answers.Fetcher, *_: Any) -> Any:
        started.append(self._process)
        raise KeyboardInterrupt

    out = tmp_path / "out"
    assert run("store", "export", store, out, "--views", "v_items").code == 0
    files = sorted(out.rglob("*"))
    monkeypatch.setattr(export, "_written", interrupted)
    stopped = run("store", "export", store, out, "--views", "v_items", "--replace")
    assert stopped.code == 130
    assert sorted(out.rglob("*")) == files
    assert [each.name for each in tmp_path.iterdir()] == ["out"]
    [process] = started
    assert process is not None
    assert process.returncode is not None


def test_a_full_disk_is_one_sentence(
    frames: None,
    run: Run,  # noqa: F811
    store: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from pyarrow import parquet

    def full(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, "Error writing bytes to file")

    monkeypatch.setattr(parquet.ParquetWriter, "write_table", full)
    out = tmp_path / "out"
    done = run("store", "export", store, out)
    said = f"Error: {out} cannot be written: {os.strerror(errno.ENOSPC)}\n"
    assert (done.code, done.err) == (3, said)
    assert not [*tmp_path.iterdir()]


def test_damage_is_one_sentence(
    frames: None,
    run: Run,  # noqa: F811
    store: str,
    tmp_path: Path,
) -> None:
    place = str(shutil.copy(store, tmp_path / "old.db"))
    with closing(sqlite3.connect(place)) as raw, raw:
        raw.execute("update symbol set text = cast(x'ff' as text) where text = 'ARG1'")
    broken = run("store", "export", place, tmp_path / "out", "--views", "v_errors")
    assert broken.code == 3
    assert broken.err.startswith(f"Error: {place}: is damaged: ")
    assert len(broken.err.splitlines()) == 1
    assert not (tmp_path / "out").exists()


def test_rows_are_written_as_they_come(frames: None, tmp_path: Path) -> None:
    from pyarrow import parquet

    path = tmp_path / "errors.parquet"
    columns = {"side": "name", "item": "text", "n": "integer", "ok": "boolean"}
    rows = (("missing", None, number, number % 2) for number in range(70_000))
    with RowWriter(path, columns) as writer:  # type: ignore[arg-type]
        writer.add(rows)
    found = parquet.read_table(path)
    assert found.num_rows == 70_000
    assert found.slice(69_999).to_pylist() == [
        {"side": "missing", "item": None, "n": 69_999, "ok": True}
    ]

    def broken() -> Any:
        yield ("missing", "1", 1, None)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), RowWriter(path, columns) as writer:  # type: ignore[arg-type]
        writer.add(broken())
    assert parquet.read_table(path).num_rows == 70_000
    assert [each.name for each in tmp_path.iterdir()] == ["errors.parquet"]


SHOWN = re.compile(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", re.M | re.S)


def test_duckdb_and_polars_ask_as_the_page_shows(
    frames: None,
    run: Run,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in ("duckdb", "polars"):
        pytest.importorskip(module, reason=f"needs {module}")
    page = (ROOT / "docs" / "export.md").read_text(encoding="utf-8")
    [block] = re.findall(
        r"^```bash\npip .*?\n(graphscore score.*?)^```$", page, re.M | re.S
    )
    (tmp_path / "data").symlink_to(ROOT / "data")
    monkeypatch.chdir(tmp_path)
    for line in block.splitlines():
        done = run(*line.split()[1:])
        assert done.code == 0, done.err
    shown = SHOWN.findall(page)
    assert len(shown) == 4
    names: dict[str, Any] = {}
    for code, expected in shown:
        printed = io.StringIO()
        with redirect_stdout(printed):
            exec(code, names)
        assert printed.getvalue() == expected, code
