"""What benchmarks write of themselves, and how two runs are compared."""

import argparse
import math
import sys
from pathlib import Path

import msgspec
import pytest

from benchmarks import compare, history, peers, reading
from benchmarks.history import Recorder, Run, Score
from graphscore import score
from tests.conftest import DATA

SCRIPTS = sorted(
    path.stem
    for path in Path(history.__file__).parent.glob("*.py")
    if path.stem not in ("history", "compare") and "def main(" in path.read_text()
)


@pytest.fixture(autouse=True)
def _few_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    speeds = {"assignments": 100.0, "words": 1000.0}
    monkeypatch.setattr(history, "calibration", lambda: dict(speeds))


def run_of(speed: float = 1.0, script: str = "made", **scores: float) -> Run:
    """A run on a machine so many times as fast as another."""
    recorder = Recorder(script)
    for name, value in scores.items():
        what, _, unit = name.partition("_")
        recorder.record(what, value, unit.replace("_per_s", "/s"))
    run = msgspec.json.decode(recorder.write().read_bytes(), type=Run)
    loops = {name: each * speed for name, each in run.calibration.items()}
    return msgspec.structs.replace(run, calibration=loops)


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "FOLDER", tmp_path / "runs")


def kept(path: Path, run: Run) -> str:
    path.write_bytes(msgspec.json.encode(run))
    return str(path)


@pytest.mark.parametrize("script", SCRIPTS)
def test_every_script_records_what_it_prints(script: str) -> None:
    text = Path(history.__file__).with_name(f"{script}.py").read_text()
    assert "\n@recorded\ndef main(" in text
    assert "begin(parser" in text
    assert "record(" in text.replace("@recorded", "")


def test_loops_of_calibration_are_counted() -> None:
    for loop in history.LOOPS.values():
        assert 0 < loop() < math.inf


def test_a_run_is_written_with_its_machine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "deep" / "run.json"

    @history.recorded
    def main() -> None:
        parser = argparse.ArgumentParser()
        parser.add_argument("--size", type=int, default=3)
        chosen = history.begin(parser, ["--json", str(path)])
        history.record("reading", 2.0 * chosen.size, "graphs/s")
        history.record("large", 0.25, "ms")
        history.record("files", 1.5, "times", "lower")
        assert not path.exists()

    main()
    run = msgspec.json.decode(path.read_bytes(), type=Run)
    assert run.script == "test_benchmarks"
    assert run.arguments == {"size": 3}
    assert run.scores == [
        Score("reading", "graphs/s", 6.0, "higher"),
        Score("large", "ms", 0.25, "lower"),
        Score("files", "times", 1.5, "lower"),
    ]
    assert run.calibration == {"assignments": 100.0, "words": 1000.0}
    assert {"python", "numpy", "sqlite", "processor", "cores"} <= set(run.machine)
    assert [each.name for each in path.parent.iterdir()] == ["run.json"]
    assert f"written: {path}" in capsys.readouterr().out


def test_a_run_that_fails_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "run.json"

    @history.recorded
    def main() -> None:
        history.begin(argparse.ArgumentParser(), ["--json", str(path)])
        history.record("reading", 1, "s")
        raise RuntimeError

    with pytest.raises(RuntimeError):
        main()
    assert not path.exists()
    history.record("reading", 1, "s")  # Outside a run it goes nowhere.


def test_without_a_file_a_run_gets_one_of_its_own(tmp_path: Path) -> None:
    recorder = Recorder("reading")
    path = recorder.write()
    assert path.parent == tmp_path / "runs"
    assert path.name.startswith(f"reading-{recorder.date:%Y%m%dT%H%M%S}-")


def test_a_wrong_score_is_refused() -> None:
    recorder = Recorder("made")
    recorder.record("a", 1, "s")
    with pytest.raises(ValueError, match="'a' has been recorded already"):
        recorder.record("a", 2, "s")
    with pytest.raises(ValueError, match="'b': found nan, expected a finite number"):
        recorder.record("b", math.nan, "s")
    with pytest.raises(ValueError, match="'times' does not say whether more"):
        recorder.record("b", 1, "times")


def test_ratios_leave_out_how_fast_the_machine_was() -> None:
    one = run_of(read_graphs_per_s=1000, score_s=4, peak_MiB=50, gone_s=1)
    other = run_of(2.0, read_graphs_per_s=3000, score_s=1, peak_MiB=100, new_s=1)
    found = {row.one.name: row for row in compare.ratios(one, other)}
    assert list(found) == ["read", "score", "peak"]
    assert found["read"].raw == pytest.approx(3)
    assert found["read"].calibrated == pytest.approx(1.5)
    assert found["score"].raw == pytest.approx(4)
    assert found["score"].calibrated == pytest.approx(2)
    assert found["peak"].raw == found["peak"].calibrated == pytest.approx(0.5)
    assert compare.absent(one, other) == ["gone"]


def test_loops_count_as_ratios() -> None:
    one = run_of(read_s=1)
    other = msgspec.structs.replace(
        one, calibration={"assignments": 800.0, "words": 500.0, "more": 1.0}
    )
    assert compare.faster(one, other) == pytest.approx(2)  # Of 8 and a half.


def test_what_takes_no_time_is_not_divided_by() -> None:
    rows = [
        *compare.ratios(run_of(a_s=0.0, b_s=0.0), run_of(a_s=0.0, b_s=1.0)),
        *compare.ratios(run_of(a_s=1.0), run_of(a_s=0.0)),
    ]
    assert [row.raw for row in rows] == [1.0, 0.0, math.inf]


def test_a_table_fits_a_terminal_and_says_what_differs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "the longest name of a score that has ever been, prepared"
    one, other = run_of(read_graphs_per_s=12345), run_of(2, read_graphs_per_s=24690)
    one.scores.append(Score(name, "s", 2.0, "lower"))
    one.arguments["size"], other.arguments["size"] = 10, 20
    files = kept(tmp_path / "a.json", one), kept(tmp_path / "b.json", other)
    assert compare.main(files) == 0
    out = capsys.readouterr().out
    assert "A B raw calibrated" in " ".join(out.split())
    assert "read, graphs/s 12,345 24,690 2.00 1.00" in " ".join(out.split())
    assert "B's machine is 2.00 times as fast" in out
    assert "other arguments: size is 10 in A and 20 in B" in out
    assert f"only in A: {name}" in out
    assert max(map(len, out.splitlines())) <= 80
    # Against itself the long name has a line of its own.
    assert compare.main((files[0], files[0])) == 0
    assert f"\n{name}, s\n" in capsys.readouterr().out


def test_a_slower_run_fails_where_that_is_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = kept(tmp_path / "a.json", run_of(read_s=1, write_s=1, peak_MiB=1))
    other = kept(tmp_path / "b.json", run_of(read_s=1.2, write_s=1, peak_MiB=1))
    assert compare.main((one, other)) == 0
    assert compare.main((one, other, "--fail-below", "0.8")) == 0
    capsys.readouterr()
    assert compare.main((one, other, "--fail-below", "0.9")) == 1
    assert capsys.readouterr().err == "below 0.9: made: read: 0.83\n"
    lacking = kept(tmp_path / "c.json", run_of(read_s=1, write_s=1))
    assert compare.main((one, lacking, "--fail-below", "0.9")) == 1
    assert capsys.readouterr().err == "below 0.9: made: peak: only in A\n"


def test_of_a_folder_the_newest_of_each_script_counts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = run_of(read_s=3), run_of(read_s=1)
    kept(tmp_path / "1.json", new)
    kept(tmp_path / "2.json", old)
    kept(tmp_path / "3.json", run_of(script="another", read_s=1))
    other = kept(tmp_path.parent / f"{tmp_path.name}.json", run_of(read_s=2))
    assert compare.main((str(tmp_path), other)) == 0
    out = capsys.readouterr().out
    assert "read, s 1 2 0.50 0.50" in " ".join(out.split())
    assert "only in A: another" in out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "found Input data was truncated, expected what a benchmark wrote"),
        ('{"script": 1}', "found Expected `str`, got `int`"),
        (None, "No such file or directory"),
    ],
)
def test_a_wrong_file_is_one_clear_error(
    text: str | None, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "wrong.json"
    if text is not None:
        path.write_text(text)
    good = kept(tmp_path / "good.json", run_of(read_s=1))
    with pytest.raises(SystemExit) as ended:
        compare.main((good, str(path)))
    assert ended.value.code == 2
    assert f"{path}: {said}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (dict(script="b", read_s=1), "found b, expected made"),
        (dict(read_ms=1), "made: read: found ms, expected s"),
    ],
)
def test_runs_that_cannot_be_compared_are_refused(
    other: dict[str, float],
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    one = kept(tmp_path / "a.json", run_of(read_s=1))
    with pytest.raises(SystemExit) as ended:
        compare.main((one, kept(tmp_path / "b.json", run_of(**other))))
    assert ended.value.code == 2
    assert said in capsys.readouterr().err


def test_a_script_writes_scores(tmp_path: Path) -> None:
    """One of them, whole."""
    path = tmp_path / "reading.json"
    (tmp_path / "gold").mkdir()
    (tmp_path / "gold" / "eds.mrp").write_bytes((DATA / "gold.mrp").read_bytes())
    (tmp_path / "native").mkdir()
    (tmp_path / "native" / "eds.eds").write_text("{e: e:_bark_v_1<0:4>[]}\n")
    with pytest.MonkeyPatch.context() as patch:
        given = f"x --data {tmp_path} --seconds 0.05 --json {path}"
        patch.setattr("sys.argv", given.split())
        reading.main()
    run = msgspec.json.decode(path.read_bytes(), type=Run)
    assert run.script == "reading"
    assert [each.name for each in run.scores] == [
        "eds, native/eds.eds, read",
        "eds, native/eds.eds, carefully",
        "eds, native/eds.eds, twin",
        "mrp, gold/eds.mrp, read",
    ]


def test_a_command_says_what_it_used_or_why_it_did_not_end_well() -> None:
    def python(program: str, cap: float = 60.0) -> peers.Ran | str:
        return peers.run([sys.executable, "-S", "-c", program], cap)

    busy = "from time import process_time as t\nwhile t() < 0.2: pass\nprint('F 37')"
    ran = python(busy)
    assert isinstance(ran, peers.Ran)
    assert 0.2 <= ran.processor < 5
    assert 1 < ran.memory < 60
    program = peers.Program("busy", (), r"F (.+)")
    assert peers.score_of(program, ran.output) == "0.370000"
    assert peers.score_of(program, "nothing") == "-"
    assert python("raise SystemExit('not so')") == "not so"
    assert python("while True: pass", 0.2) == "over 0.2 s"
    assert peers.run(["no-such-command"], 1.0) == (
        "no-such-command: No such file or directory"
    )


@pytest.mark.parametrize("name", ["ner", "coreference"])
def test_made_up_files_of_peers_are_scored(name: str, tmp_path: Path) -> None:
    work = peers.works(tmp_path)[name]
    gold, system = work.write(tmp_path, 20)
    result = score(str(gold), str(system), work.metrics.rpartition(",")[2])
    assert 0 < result.f1 < 1
    assert result.pairs == (20 if name == "ner" else 2)
