"""Shares on workers, however many and whatever becomes of them, are one run."""

from __future__ import annotations

import io
import json
import os
import re
import sys
import threading
import time
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import graphscore
from graphscore import Graph, Options, References, Result
from graphscore.distributed import score
from graphscore.distributed.progress import Line
from graphscore.evaluation.rows.errors import ErrorRow
from graphscore.exceptions import InputError, LossWarning, PairingError, UsageError
from graphscore.statistics import interval
from tests.conftest import ROOT

DATA = ROOT / "data"
GOLD, ALDER, BIRCH = (str(DATA / f"{name}.mrp") for name in ("gold", "alder", "birch"))
COREF = [str(DATA / "coreference" / f"{name}.conll") for name in ("key", "response")]


def said(result: Result, per_item: bool = False) -> tuple[Any, ...]:
    """All that anybody is told of a result, byte by byte."""
    return (
        json.dumps(result.to_dict(("framework", "document"), per_item)),
        result.notes,
        result.rejected,
        result.spurious_system,
        [(key, [*each.items()]) for key, each in result.raw_counts.items()],
    )


KEPT = Options(per_item=True, details=True)


def one_run(
    gold: Any, system: Any, metrics: Any = None, options: Options | None = None
) -> Any:
    """What one process says."""
    return graphscore.score(gold, system, metrics, options=options or Options())


@pytest.mark.parametrize(
    ("gold", "system", "names"),
    [(GOLD, BIRCH, ("mrp", "smatch")), (*COREF, ("b3", "lea", "blanc"))],
    ids=["mrp", "coref"],
)
def test_any_number_of_workers_and_shares_is_one_run(
    eight: Any, gold: str, system: str, names: tuple[str, ...]
) -> None:
    whole = [said(each) for each in one_run(gold, system, list(names))]
    for parts in (1, 8, 20):
        found = score(gold, system, list(names), client=eight, parts=parts)
        assert isinstance(found, list)
        assert [said(each) for each in found] == whole


def test_workers_in_processes_of_their_own(processes: Any) -> None:
    whole = one_run(GOLD, BIRCH)
    for parts in (None, 3):
        found = score(GOLD, Path(BIRCH), client=processes, parts=parts)
        assert isinstance(found, Result)
        assert said(found) == said(whole)
    assert len({*processes.run(os.getpid).values()} - {os.getpid()}) == 2


def test_it_says_how_far_it_is(processes: Any) -> None:
    told: list[tuple[int, int]] = []
    kept = Options(per_item=True, details=True, parts=True)
    found = score(
        GOLD,
        BIRCH,
        "mrp",
        client=processes,
        options=kept,
        progress=lambda done, total: told.append((done, total)),
    )
    assert isinstance(found, Result)
    whole = one_run(GOLD, BIRCH, "mrp", options=kept)
    assert isinstance(whole, Result)
    assert said(found, True) == said(whole, True)
    assert list(found.items) == list(whole.items)
    assert told == [(done, 8) for done in range(9)]
    assert interval(found, seed=1) == interval(whole, seed=1)


def test_several_systems_are_one_call(eight: Any) -> None:
    found = score(GOLD, [ALDER, Path(BIRCH)], ["mrp", "edm"], client=eight)
    assert isinstance(found, list)
    for results, system in zip(found, (ALDER, BIRCH), strict=True):
        whole = one_run(GOLD, system, ["mrp", "edm"])
        assert [*map(said, results)] == [*map(said, whole)]
    [alone] = score(GOLD, [ALDER], "mrp", client=eight)
    assert said(alone) == said(one_run(GOLD, ALDER, "mrp"))


@pytest.fixture
def parquet() -> Any:
    return pytest.importorskip(
        "pyarrow.parquet", reason="pyarrow is not installed ([frames])"
    )


def rows_in(parquet: Any, folder: Path) -> Counter[tuple[Any, ...]]:
    """The rows of all files; a single file each, as nothing is told by names."""
    return Counter(
        tuple(row.values())
        for path in folder.iterdir()
        for row in parquet.ParquetFile(path).read().to_pylist()
    )


def unscoped(row: ErrorRow) -> tuple[Any, ...]:
    """An error as a share tells it, which does not know what the whole is over."""
    return tuple(row._replace(scope=""))


def test_bad_records_of_a_system_are_those_of_one_run(
    eight: Any, parquet: Any, tmp_path: Path
) -> None:
    lines = Path(BIRCH).read_text(encoding="utf-8").splitlines()
    lines[3] = lines[3][:-20]
    lines[5] = lines[5].replace('"id": 0', '"id": "zero"', 1)
    bad = tmp_path / "bad.mrp"
    bad.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.warns(LossWarning, match="2 bad records"):
        whole = one_run(GOLD, str(bad), "mrp", options=KEPT)
    with pytest.warns(LossWarning, match="2 bad records"):
        found = score(GOLD, bad, "mrp", client=eight, errors=tmp_path / "rows", parts=3)
    assert isinstance(found, Result)
    assert said(found) == said(whole)
    assert rows_in(parquet, tmp_path / "rows") == Counter(map(unscoped, whole.errors))
    assert len([*(tmp_path / "rows").iterdir()]) == 3


def test_errors_are_written_by_shares(eight: Any, parquet: Any, tmp_path: Path) -> None:
    for gold, system, names in (
        (GOLD, BIRCH, ["mrp", "smatch"]),
        (*COREF, ["b3", "mentions"]),
    ):
        results = one_run(gold, system, names, options=KEPT)
        assert isinstance(results, list)
        wanted = Counter(unscoped(row) for each in results for row in each.errors)
        folder = tmp_path / names[0] / "rows"
        found = score(gold, system, names, client=eight, errors=folder, parts=3)
        assert isinstance(found, list)
        assert [*map(said, found)] == [*map(said, results)]
        assert rows_in(parquet, folder) == wanted
        assert [*folder.parent.iterdir()] == [folder]
        assert sorted(each.name for each in folder.iterdir()) == [
            f"part-{number}-of-3.parquet" for number in (1, 2, 3)
        ]
        with pytest.raises(UsageError, match="exists and is not empty"):
            score(gold, system, names, client=eight, errors=folder)


def test_no_errors_are_written_where_it_fails(
    eight: Any, parquet: Any, tmp_path: Path
) -> None:
    with pytest.raises(PairingError):
        score(GOLD, ALDER, "ner", client=eight, errors=tmp_path / "rows", parts=2)
    with pytest.raises(UsageError, match="needs named metrics"):
        score(GOLD, ALDER, client=eight, errors=tmp_path / "rows")
    assert not [*tmp_path.iterdir()]


KILLING = """
import os, signal, time
from pathlib import Path
from graphscore.similarity import *

def deadly(one, other):
    mark = Path(__file__).with_name("died")
    try:
        mark.touch(exist_ok=False)
    except FileExistsError:
        return float(one == other)
    Path(__file__).with_name("pid").write_text(str(os.getpid()))
    time.sleep(60)

m = f1(match(nodes(), custom(deadly, label)))
"""


def test_a_worker_that_is_killed_changes_nothing(
    processes: Any, tmp_path: Path
) -> None:
    own = tmp_path / "own.py"
    own.write_text(KILLING, encoding="utf-8")
    pid = tmp_path / "pid"

    def kill() -> None:
        while not (pid.exists() and pid.read_text()):
            time.sleep(0.02)
        os.kill(int(pid.read_text()), 9)

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    errors: dict[str, Any] = {}
    if find_spec("pyarrow"):
        errors = {"errors": tmp_path / "rows"}
    found = score(GOLD, BIRCH, f"{own}:m", client=processes, parts=6, **errors)
    killer.join(1)
    if errors:
        # Nothing is left of the file that was begun.
        names = [each.name for each in (tmp_path / "rows").iterdir()]
        assert sorted(names) == [f"part-{n}-of-6.parquet" for n in range(1, 7)]
    assert not killer.is_alive()
    assert (tmp_path / "died").exists()
    assert isinstance(found, Result)
    whole = one_run(GOLD, BIRCH, f"{own}:m")
    assert said(found) == said(whole)


def test_errors_are_those_of_one_run(processes: Any, tmp_path: Path) -> None:
    bad = tmp_path / "bad.mrp"
    bad.write_text(Path(GOLD).read_text(encoding="utf-8") + "{}\n", encoding="utf-8")
    empty = tmp_path / "other.mrp"
    empty.write_text(
        Path(ALDER).read_text(encoding="utf-8").replace('"id": "', '"id": "x'),
        encoding="utf-8",
    )
    for gold, system, tuple_type in (
        (str(bad), ALDER, InputError),
        (GOLD, str(empty), PairingError),
        (GOLD, str(tmp_path / "absent.mrp"), InputError),
    ):
        with pytest.raises(tuple_type) as one:
            one_run(gold, system, "mrp")
        with pytest.raises(tuple_type) as many:
            score(gold, system, "mrp", client=processes, parts=3)
        assert str(many.value) == str(one.value)
        assert type(many.value) is type(one.value)


def test_what_has_no_shares_is_refused(eight: Any) -> None:
    refused: list[tuple[tuple[Any, ...], dict[str, Any], str]] = [
        (([], ALDER, "mrp"), {}, "executor="),
        ((GOLD, [Graph("1", "dm")], "mrp"), {}, "workers read files by their paths"),
        ((GOLD, "-", "mrp"), {}, "read only once"),
        ((References(GOLD, GOLD), ALDER, "mrp"), {}, "references"),
        ((GOLD, ALDER, "mrpp"), {}, "mrpp"),
        ((GOLD, ALDER, "mrp"), {"parts": 0}, "parts=0"),
        ((GOLD, ALDER), {"options": Options(where="pattern { X -> Y }")}, "pattern"),
    ]
    for args, options, told in refused:
        with pytest.raises(UsageError, match=re.escape(told)):
            score(*args, client=eight, **options)
    with pytest.raises(TypeError, match=r"expected distributed\.Client"):
        score(GOLD, ALDER, client="tcp://10.0.0.1:8786")  # type: ignore[arg-type]


def test_a_cluster_without_workers(library: Any) -> None:
    with (
        library.LocalCluster(
            n_workers=0, processes=False, dashboard_address=":0"
        ) as cluster,
        library.Client(cluster) as client,
        pytest.raises(UsageError, match="no workers"),
    ):
        score(GOLD, ALDER, "mrp", client=client)


def test_workers_that_are_elsewhere_or_older(
    processes: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gold.mrp").write_bytes(Path(GOLD).read_bytes())
    with pytest.raises(UsageError, match="give absolute paths"):
        score("gold.mrp", ALDER, "mrp", client=processes)
    assert score(GOLD, ALDER, "mrp", client=processes).pairs == 73  # type: ignore[union-attr]
    monkeypatch.setattr("graphscore.distributed.tasks.__version__", "9.9")
    with pytest.raises(UsageError, match=r"the client has 9\.9"):
        score(GOLD, ALDER, "mrp", client=processes)


def test_what_is_interrupted_takes_back_its_tasks(processes: Any) -> None:
    def interrupt(done: int, total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        score(GOLD, ALDER, "mrp", client=processes, parts=60, progress=interrupt)
    # What has begun goes on, and its result is let go.
    until = time.monotonic() + 10
    while time.monotonic() < until and (processes.futures or processes.who_has()):
        time.sleep(0.02)
    assert not processes.futures
    assert not processes.who_has()
    assert score(GOLD, ALDER, "mrp", client=processes).pairs == 73  # type: ignore[union-attr]


def test_metrics_that_python_holds(processes: Any) -> None:
    from graphscore.metrics import FormulaMetric
    from graphscore.similarity import exact, f1, label, match, nodes

    class Labels(FormulaMetric):
        name = "labels_here"
        title = "labels"
        citation = "nobody, 2026"
        tuple_types = ("labels",)
        main = "labels"
        follows = "nobody"

        def formulas(self) -> Any:
            return {"labels": f1(match(nodes(), exact(label)))}

    metric = Labels()
    found = score(GOLD, ALDER, metric, client=processes, parts=3)
    whole = one_run(GOLD, ALDER, metric)
    assert isinstance(found, Result)
    assert said(found) == said(whole)


def test_a_line_says_how_far_it_is() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    for stream, pattern in (
        (io.StringIO(), r"0 of 40 parts\n4 of 40 parts, 0 s, about 0 s left\n"),
        (Terminal(), r"\r0 of 40 parts\r1 of 40 parts, 0 s, about 0 s left\r2 of"),
    ):
        line = Line(stream)
        for done in range(41):
            line(done, 40)
        line.end()
        text = stream.getvalue()
        assert re.match(pattern, text)
        assert text.rstrip(" \n").endswith("40 of 40 parts, 0 s")
        assert text.count("\n") == (1 if stream.isatty() else 11)


def test_the_library_is_named_where_it_is_absent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match=re.escape("pip install 'graphscore[dask]'")):
        score(GOLD, ALDER, client=None)  # type: ignore[arg-type]


def test_a_store_goes_in_and_out(processes: Any, tmp_path: Path) -> None:
    runs = tmp_path / "runs.db"
    scored = score(GOLD, [ALDER, BIRCH], "mrp", client=processes, store=runs)
    assert [each.f1 for each in scored] == [
        one_run(GOLD, system, "mrp").f1 for system in (ALDER, BIRCH)
    ]
    again = score("gold", "alder", "mrp", client=processes, store=runs)
    assert again.reused == again.pairs
    with graphscore.Store(runs) as store:
        [board] = store.leaderboards()
    assert board.fresh
    assert [board.ranks[""][x].rank for x in ("alder", "birch")] == [1, 2]


def test_errors_of_a_store_are_those_of_one_process(
    processes: Any, tmp_path: Path
) -> None:
    runs = tmp_path / "runs.db"
    with pytest.raises(UsageError, match="no collection 'golden'"):
        score("golden", "alder", "mrp", client=processes, store=runs)
    with pytest.raises(UsageError, match="a store has no shares"):
        score(GOLD, ALDER, "mrp", client=processes, store=runs, parts=3)
