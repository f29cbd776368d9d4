"""Old results are known as old, on the command line and in the views."""

from __future__ import annotations

import json
import shlex
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from graphscore import Store, parse
from graphscore.evaluation.outdated import command
from graphscore.exceptions import StoreError
from graphscore.metrics.meaning.smatch import Smatch
from graphscore.metrics.revisions import current_revision
from graphscore.store.revisions import EVALUATED
from tests.conftest import DATA

SIDES = ("--gold", "gold", "--system", "alder")
MRP = {name: str(DATA / f"{name}.mrp") for name in ("gold", "alder")}
FORMULA = """
from graphscore.similarity import exact, f1, label, match, nodes
labels = f1(match(nodes(), exact(label)))
"""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, run: Any) -> Path:
    """A store with one evaluation of each of two metrics."""
    path = tmp_path_factory.mktemp("whole") / "runs.db"
    done = run(
        "score", *MRP.values(), "-m", "smatch,mrp", "--save", path, "--score-only"
    )
    assert done.code == 0
    return path


@pytest.fixture
def made(tmp_path: Path, whole: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copy(whole, tmp_path / "runs.db"))


@pytest.fixture
def risen(made: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same, one revision of smatch later."""
    monkeypatch.setattr(Smatch, "revision", Smatch.revision + 1)
    return made


def statuses(run: Any, path: Path, view: str) -> dict[tuple[str, int], str]:
    sql = f"select distinct metric, revision, evaluation from {view}"
    found = run("query", path, sql, "--jsonl").lines
    return {(each["metric"], each["revision"]): each["evaluation"] for each in found}


def plainly(path: Path, view: str) -> set[tuple[str, str]]:
    """What another program sees."""
    with sqlite3.connect(path) as connection:
        found = connection.execute(f"select metric, evaluation from {view}").fetchall()
    connection.close()
    return set(found)


@pytest.mark.parametrize(
    "view", [each for each in EVALUATED if "entity" not in each and each != "v_changes"]
)
def test_every_view_says_so_and_reading_writes_nothing(
    made: Path, run: Any, view: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, mrp = ("smatch", Smatch.revision), ("mrp", parse("mrp").revision)
    assert statuses(run, made, view) == {old: "done", mrp: "done"}
    before = made.read_bytes()
    monkeypatch.setattr(Smatch, "revision", Smatch.revision + 1)
    assert statuses(run, made, view) == {old: "outdated", mrp: "done"}
    assert made.read_bytes() == before
    # Another program sees it from the next time that graphscore may write.
    assert plainly(made, view) == {("smatch", "done"), ("mrp", "done")}
    Store(made, mode="write").close()
    assert plainly(made, view) == {("smatch", "outdated"), ("mrp", "done")}
    assert statuses(run, made, view) == {old: "outdated", mrp: "done"}
    monkeypatch.undo()
    assert statuses(run, made, view) == {old: "done", mrp: "done"}
    Store(made, mode="write").close()
    assert plainly(made, view) == {("smatch", "done"), ("mrp", "done")}


def test_a_store_on_a_read_only_disk_says_so_too(risen: Path, run: Any) -> None:
    risen.chmod(0o444)
    risen.parent.chmod(0o555)
    try:
        assert "outdated" in statuses(run, risen, "v_scores").values()
    finally:
        risen.parent.chmod(0o755)


def test_the_database_still_refuses_to_write(risen: Path, run: Any) -> None:
    for sql in ("delete from main.evaluation", "create temp table x (y)"):
        assert run("query", risen, sql).code != 0


def test_collections_has_a_column(risen: Path, run: Any) -> None:
    gold, alder = run("store", "list", risen, "--json").json
    now = Smatch.revision
    # Like evaluations, of either side; the revisions stand with the systems.
    assert (gold["evaluations"], gold["outdated"], gold["revision"]) == (2, 1, [])
    assert (alder["evaluations"], alder["outdated"]) == (2, 1)
    assert {each["metric"]: each for each in alder["revision"]} == {
        "smatch": {
            "gold": "gold",
            "metric": "smatch",
            "scope": "amr",
            "revision": now - 1,
            "now": now,
            "status": "outdated",
        },
        "mrp": {
            "gold": "gold",
            "metric": "mrp",
            "scope": "amr,dm,eds,psd,ucca",
            "revision": parse("mrp").revision,
            "now": parse("mrp").revision,
            "status": "done",
        },
    }
    rows = run("store", "list", risen, "--csv").out.splitlines()
    assert rows[0].endswith(",evaluations,outdated,revision")
    assert f"smatch:{now - 1}(now {now})" in rows[2]
    assert "revision" in run("store", "list", risen).out


@pytest.mark.parametrize(
    "verb",
    [
        ("errors",),
        ("errors", "--confusions"),
        ("items",),
        ("show", "1"),
    ],
)
def test_verbs_refuse_it_and_name_the_command(
    risen: Path, run: Any, verb: tuple[str, ...]
) -> None:
    item = [json.loads(Path(MRP["gold"]).read_text().splitlines()[0])["id"]]
    words = verb[:1] if verb[0] != "show" else (*verb[:1], *item)
    rest = verb[1:] if verb[0] != "show" else ()
    call = (*words, risen, *SIDES, *rest, "-m", "smatch")
    refused = run(*call)
    assert (refused.code, refused.out) == (3, "")
    now = Smatch.revision
    assert f"is outdated (revision {now - 1}, now {now})" in refused.err
    named = shlex.split(refused.err.partition("score again: ")[2])
    assert named[:2] == ["graphscore", "score"]
    assert run(*named[1:]).code == 0
    again = run(*call)
    assert again.code == 0
    assert again.out
    # Of the other metric nothing was outdated.
    assert run(*words, risen, *SIDES, *rest, "-m", "mrp").code == 0


def test_the_command_pairs_as_before(tmp_path: Path, run: Any) -> None:
    path = tmp_path / "my runs.db"
    pairing = ("--pair", "order")
    assert (
        run("score", *MRP.values(), *pairing, "-m", "smatch", "--save", path).code == 0
    )
    with Store(str(path)) as store:
        [made] = store.evaluations()
    named = shlex.split(command(str(path), made))
    assert named[-2:] == ["--pair", "order"]
    assert named[2] == str(path)


def test_python_refuses_too(risen: Path) -> None:
    sides = {"gold": "gold", "system": "alder"}
    with Store(str(risen)) as store:
        for ask in (store.errors, store.confusions, store.item_scores):
            with pytest.raises(StoreError, match="score again"):
                ask(**sides, metric="smatch")
            assert ask(**sides, metric="mrp")
            with pytest.raises(StoreError, match="with smatch is outdated"):
                ask(gold="gold")
        status = {each.metric: each.status for each in store.evaluations()}
    assert status == {"smatch": "outdated", "mrp": "done"}


def test_scoring_again_makes_it_new(risen: Path, run: Any) -> None:
    again = run("score", risen, *SIDES, "-m", "smatch,mrp", "--json").json["results"]
    reused = {each["metric"]: (each["reused"], each["pairs"]) for each in again}
    assert reused["smatch"][0] == 0
    assert reused["mrp"][0] == reused["mrp"][1] > 0
    assert set(statuses(run, risen, "v_scores").values()) == {"done"}


@pytest.mark.parametrize("verb", [("migrate",), ("remove", "spare")])
def test_what_is_old_is_cleared_and_nothing_else(
    risen: Path, run: Any, verb: tuple[str, ...]
) -> None:
    results = "select count(*) from result r join metric m on m.id = r.metric"
    of_smatch = " where m.name = 'smatch'"
    [counted] = run("query", risen, results + of_smatch, "--csv").out.split()[1:]
    kept = run("query", risen, "select * from v_scores where metric = 'mrp'").out
    assert run("ingest", risen, MRP["alder"], "--as", "spare").code == 0
    done = run("store", verb[0], risen, *verb[1:], "--json")
    assert done.code == 0
    [gone] = done.json
    assert (gone["outdated"], gone["results"]) == (1, int(counted))
    assert f"cleared {counted} results, 1 outdated evaluation" in done.err
    assert set(statuses(run, risen, "v_items")) == {("mrp", parse("mrp").revision)}
    assert (
        run("query", risen, "select * from v_scores where metric = 'mrp'").out == kept
    )
    [left] = run("query", risen, results + of_smatch, "--csv").out.split()[1:]
    assert left == "0"
    again = run("store", "migrate", risen, "--json")
    assert "cleared 0 results, 0 outdated evaluations" in again.err
    assert again.json[0]["results"] == 0


def test_results_whose_evaluation_was_made_anew_are_cleared(
    risen: Path, run: Any
) -> None:
    assert run("score", risen, *SIDES, "-m", "smatch").code == 0
    [gone] = run("store", "migrate", risen, "--json").json
    assert gone["outdated"] == 0
    assert gone["results"] > 0
    assert set(statuses(run, risen, "v_scores").values()) == {"done"}
    result = run("score", risen, *SIDES, "-m", "smatch", "--json").json
    assert result["reused"] == result["pairs"]


def test_a_formula_that_was_edited_is_not_run_to_find_out(
    tmp_path: Path, run: Any
) -> None:
    mine, path = tmp_path / "mine.py", tmp_path / "runs.db"
    mine.write_text(FORMULA)
    metric = f"{mine}:labels"
    assert run("score", *MRP.values(), "-m", metric, "--save", path).code == 0
    [((_, revision), status)] = statuses(run, path, "v_scores").items()
    assert (revision, status) == (current_revision(metric), "done")
    ran = tmp_path / "ran"
    mine.write_text(FORMULA + f"open({str(ran)!r}, 'w')\n")
    # Only who names it has it looked at.
    assert list(statuses(run, path, "v_scores").values()) == ["done"]
    with Store(path) as store:
        assert store.errors().rows
        with pytest.raises(StoreError, match="is outdated"):
            store.errors(metric=metric)
        mine.unlink()
        # What it is now cannot be known.
        assert current_revision(metric) is None
        assert store.errors(metric=metric).rows
    assert not ran.exists()


def test_a_module_is_found_without_importing_it(
    tmp_path: Path, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "laid"
    package.mkdir()
    (package / "__init__.py").write_text("raise SystemExit\n")
    (package / "out.py").write_text(FORMULA)
    monkeypatch.chdir(tmp_path)
    assert current_revision("laid.out:labels") == current_revision("laid/out.py:labels")
    assert current_revision("laid.away:labels") is None
    assert current_revision("nowhere.at.all:labels") is None


def test_a_file_that_a_metric_reads(tmp_path: Path, run: Any) -> None:
    tree, path = tmp_path / "tree.tsv", tmp_path / "runs.db"
    tree.write_text("DYNAMITE\tBOMB\n")
    sides = [
        DATA / "ie" / name for name in ("incidents.jsonl", "incidents.predicted.json")
    ]
    metric = f"muc4(hierarchies={tree})"
    done = run("score", *sides, "-m", metric, "--ids", "muc4", "--save", path)
    assert done.code == 0
    assert list(statuses(run, path, "v_items").values()) == ["done"]
    tree.write_text("DYNAMITE\tBOMB\nBOMB\tEXPLOSIVE\n")
    assert list(statuses(run, path, "v_items").values()) == ["done"]
    with Store(str(path)) as store, pytest.raises(StoreError, match="--ids muc4"):
        store.errors(metric=metric)


def test_a_store_in_memory() -> None:
    with Store("sqlite://", mode="create") as store, pytest.MonkeyPatch.context() as it:
        for name, file in MRP.items():
            store.ingest(file, name)
        store.score("gold", "alder", [parse("smatch")])
        it.setattr(Smatch, "revision", Smatch.revision + 1)
        asked = "select distinct evaluation from v_scores"
        assert list(store.query(asked)[1]) == [("outdated",)]
        with pytest.raises(StoreError, match="score again"):
            store.errors(metric="smatch")
        assert store.clear_results().outdated == 1
        assert not store.evaluations()
