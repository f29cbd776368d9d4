"""Parts on workers, however many and whatever becomes of them, are one run."""

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

from graphscore import Graph, Options, References, Result
from graphscore.distributed import score, score_split
from graphscore.distributed.progress import Line
from graphscore.errors import InputError, PairingError, UsageError
from graphscore.evaluation.files import score_files
from graphscore.evaluation.parting.splitting import split
from graphscore.metrics.registry import parse
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
        result.surplus_system,
        [(key, [*each.items()]) for key, each in result.masses.items()],
    )


def one_run(gold: str, system: str, *names: str, **options: Any) -> list[Result]:
    metrics = [*map(parse, names)] or None
    return score_files(gold, system, metrics, Options(**options))


@pytest.mark.parametrize(
    ("gold", "system", "names"),
    [(GOLD, BIRCH, ("mrp", "smatch")), (*COREF, ("b3", "lea", "blanc"))],
    ids=["mrp", "coref"],
)
def test_any_number_of_workers_and_parts_is_one_run(
    eight: Any, gold: str, system: str, names: tuple[str, ...]
) -> None:
    whole = [said(each) for each in one_run(gold, system, *names)]
    for parts in (1, 8, 20):
        found = score(eight, gold, system, list(names), parts=parts)
        assert isinstance(found, list)
        assert [said(each) for each in found] == whole


def test_workers_in_processes_of_their_own(processes: Any) -> None:
    [whole] = one_run(GOLD, BIRCH)
    for parts in (None, 3):
        found = score(processes, GOLD, Path(BIRCH), parts=parts)
        assert isinstance(found, Result)
        assert said(found) == said(whole)
    assert len({*processes.run(os.getpid).values()} - {os.getpid()}) == 2


def test_a_folder_of_parts(processes: Any, tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    told: list[tuple[int, int]] = []
    found = score(
        processes,
        GOLD,
        BIRCH,
        "mrp",
        folder=folder,
        units=True,
        progress=lambda done, total: told.append((done, total)),
    )
    assert isinstance(found, Result)
    [whole] = one_run(GOLD, BIRCH, "mrp", per_item=True, parts=True)
    assert said(found, True) == said(whole, True)
    assert told == [(done, 8) for done in range(9)]
    assert interval(found, seed=1) == interval(whole, seed=1)
    [[again]] = score_split(processes, folder)
    assert said(again) == said(whole)
    with pytest.raises(UsageError, match="is there already"):
        score(processes, GOLD, BIRCH, "mrp", folder=folder)
    with pytest.raises(UsageError, match="was split for mrp"):
        score_split(processes, folder, "smatch")
    with pytest.raises(InputError, match="no such file"):
        score_split(processes, tmp_path)


def test_several_systems_of_a_folder(eight: Any, tmp_path: Path) -> None:
    split(GOLD, [ALDER, BIRCH], ["mrp", "edm"], folder=tmp_path / "p", parts=5)
    found = score_split(eight, tmp_path / "p")
    for mine, system in zip(found, (ALDER, BIRCH), strict=True):
        whole = one_run(GOLD, system, "mrp", "edm")
        assert [*map(said, mine)] == [*map(said, whole)]


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


def test_errors_are_written_by_parts(eight: Any, parquet: Any, tmp_path: Path) -> None:
    kept = Options(per_item=True, details=True)
    results = score_files(GOLD, BIRCH, [parse("mrp"), parse("smatch")], kept)
    # The scope is known only when all parts are.
    rows = (row._replace(scope="") for each in results for row in each.errors)
    wanted = Counter(map(tuple, rows))
    for name, options in (("a", {"parts": 3}), ("b", {"folder": tmp_path / "p"})):
        folder = tmp_path / name / "rows"
        found = score(eight, GOLD, BIRCH, ["mrp", "smatch"], errors=folder, **options)
        assert isinstance(found, list)
        assert [*map(said, found)] == [*map(said, results)]
        assert rows_in(parquet, folder) == wanted
        assert [*(tmp_path / name).iterdir()] == [folder]
    assert sorted(each.name for each in (tmp_path / "a" / "rows").iterdir()) == [
        f"part-{number}-of-3.parquet" for number in (1, 2, 3)
    ]
    [[_, again]] = score_split(eight, tmp_path / "p", errors=tmp_path / "c")
    assert rows_in(parquet, tmp_path / "c") == wanted
    assert again.signature == results[1].signature
    with pytest.raises(UsageError, match="is there already, and not empty"):
        score_split(eight, tmp_path / "p", errors=tmp_path / "c")


def test_no_errors_are_written_where_it_fails(
    eight: Any, parquet: Any, tmp_path: Path
) -> None:
    with pytest.raises(PairingError):
        score(eight, GOLD, ALDER, "ner", errors=tmp_path / "rows", parts=2)
    with pytest.raises(UsageError, match="metrics that are named"):
        score(eight, GOLD, ALDER, errors=tmp_path / "rows")
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
    found = score(processes, GOLD, BIRCH, f"{own}:m", parts=6, **errors)
    killer.join(1)
    if errors:
        # Nothing is left of the file that was begun.
        names = [each.name for each in (tmp_path / "rows").iterdir()]
        assert sorted(names) == [f"part-{n}-of-6.parquet" for n in range(1, 7)]
    assert not killer.is_alive()
    assert (tmp_path / "died").exists()
    assert isinstance(found, Result)
    [whole] = one_run(GOLD, BIRCH, f"{own}:m")
    assert said(found) == said(whole)


def test_errors_are_those_of_one_run(processes: Any, tmp_path: Path) -> None:
    bad = tmp_path / "bad.mrp"
    bad.write_text(Path(GOLD).read_text(encoding="utf-8") + "{}\n", encoding="utf-8")
    empty = tmp_path / "other.mrp"
    empty.write_text(
        Path(ALDER).read_text(encoding="utf-8").replace('"id": "', '"id": "x'),
        encoding="utf-8",
    )
    for gold, system, kind in (
        (str(bad), ALDER, InputError),
        (GOLD, str(empty), PairingError),
        (GOLD, str(tmp_path / "absent.mrp"), InputError),
    ):
        with pytest.raises(kind) as one:
            one_run(gold, system, "mrp")
        with pytest.raises(kind) as many:
            score(processes, gold, system, "mrp", parts=3)
        assert str(many.value) == str(one.value)
        assert type(many.value) is type(one.value)


def test_what_has_no_parts_is_refused(eight: Any) -> None:
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
            score(eight, *args, **options)
    with pytest.raises(TypeError, match=r"expected distributed\.Client"):
        score("tcp://10.0.0.1:8786", GOLD, ALDER)  # type: ignore[arg-type]


def test_a_cluster_without_workers(library: Any) -> None:
    with (
        library.LocalCluster(
            n_workers=0, processes=False, dashboard_address=":0"
        ) as cluster,
        library.Client(cluster) as client,
        pytest.raises(UsageError, match="no workers"),
    ):
        score(client, GOLD, ALDER, "mrp")


def test_workers_that_are_elsewhere_or_older(
    processes: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gold.mrp").write_bytes(Path(GOLD).read_bytes())
    with pytest.raises(UsageError, match="give absolute paths"):
        score(processes, "gold.mrp", ALDER, "mrp")
    assert score(processes, GOLD, ALDER, "mrp").pairs == 73  # type: ignore[union-attr]
    monkeypatch.setattr("graphscore.distributed.tasks.package_version", lambda: "9.9")
    with pytest.raises(UsageError, match=r"who asks has 9\.9"):
        score(processes, GOLD, ALDER, "mrp")


def test_what_is_interrupted_takes_back_its_tasks(processes: Any) -> None:
    def interrupt(done: int, total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        score(processes, GOLD, ALDER, "mrp", parts=60, progress=interrupt)
    # What has begun goes on, and its result is let go.
    until = time.monotonic() + 10
    while time.monotonic() < until and (processes.futures or processes.who_has()):
        time.sleep(0.02)
    assert not processes.futures
    assert not processes.who_has()
    assert score(processes, GOLD, ALDER, "mrp").pairs == 73  # type: ignore[union-attr]


def test_metrics_that_python_holds(processes: Any) -> None:
    from graphscore.metrics import FormulaMetric
    from graphscore.similarity import exact, f1, label, match, nodes

    class Labels(FormulaMetric):
        name = "labels_here"
        title = "labels"
        citation = "nobody, 2026"
        kinds = ("labels",)
        main = "labels"
        follows = "nobody"

        def formulas(self) -> Any:
            return {"labels": f1(match(nodes(), exact(label)))}

    metric = Labels()
    found = score(processes, GOLD, ALDER, metric, parts=3)
    [whole] = score_files(GOLD, ALDER, [metric])
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
        score(None, GOLD, ALDER)  # type: ignore[arg-type]
