"""Folders of files that pair by name."""

from __future__ import annotations

import shutil

import pytest

from tests.cli.conftest import DATA

TREES = DATA / "dependencies"


@pytest.fixture
def folders(tmp_path):
    """Two treebanks whose sentences have the same ids, one of them parsed rightly."""
    for side in ("gold", "system"):
        (tmp_path / side).mkdir()
        for name in ("a.conllu", "b.conllu"):
            parsed = side == "system" and name == "b.conllu"
            file = TREES / ("parser.conllu" if parsed else "gold.conllu")
            shutil.copy(file, tmp_path / side / name)
    return tmp_path / "gold", tmp_path / "system"


def test_each_file_has_a_score_and_they_a_mean(run, folders):
    found = run("score", *folders, "-m", "las").json
    scores = {group["document"]: group for group in found["groups"]}
    assert [*scores] == ["a.conllu", "b.conllu"]
    alone = run("score", TREES / "gold.conllu", TREES / "parser.conllu", "-m", "las")
    f1 = alone.json["counts"]["all"]["f1"]
    assert scores["b.conllu"]["counts"]["all"]["f1"] == f1
    macro = run("score", *folders, "-m", "las", "--fail-under", "macro.f1=1")
    assert f"macro.f1 is {(1 + f1) / 2:.6g}, under 1" in macro.err
    table = run("score", *folders, "-m", "las", "--table").out.splitlines()
    starts = [line.split()[0] for line in table[1:] if line and line[0] != "─"]
    assert starts[:5] == ["document", "a.conllu", "b.conllu", "all", "macro"]


def test_files_of_one_corpus_are_pooled(run, folders):
    _, system = folders
    for folder in folders:
        text = (folder / "a.conllu").read_text().replace("_id = ", "_id = other-")
        text = text.replace("newdoc id = ", "newdoc id = other-")
        (folder / "a.conllu").write_text(text)
    shutil.copy(TREES / "gold.conllu", system / "c.conllu")
    found = run("score", *folders, "-m", "las")
    assert "no gold file for c.conllu, not scored" in found.err
    (system / "c.conllu").unlink()
    pooled = run("score", *folders, "-m", "las", "--pool").json
    assert [group["framework"] for group in pooled["groups"]] == ["ud"]
    assert pooled["counts"] == found.json["counts"]
    (system / "a.conllu").unlink()
    found = run("score", *folders, "-m", "las")
    assert "has no a.conllu; all files are scored as one corpus" in found.err
    assert found.json["counts"]["all"]["gold"] == pooled["counts"]["all"]["gold"]


def test_other_commands_pair_files_too(run, folders, tmp_path):
    gold, system = folders
    better = tmp_path / "better"
    shutil.copytree(gold, better)
    compared = run("compare", gold, system, better, "-m", "las", "--samples", "99")
    assert compared.json["units"] == 6
    by_file = run("compare", gold, system, better, "-m", "las", "--by", "document")
    assert [group["document"] for group in by_file.json["groups"]] == [
        "a.conllu",
        "b.conllu",
    ]
    wrong = run("whatif", gold, system, "-m", "las").json
    alone = run("whatif", gold / "b.conllu", system / "b.conllu", "-m", "las").json
    assert wrong["classes"][0]["errors"] == alone["classes"][0]["errors"]


def test_items_of_files_are_told_apart(run, folders):
    items = run("score", *folders, "-m", "las", "--per-item").json["items"]
    assert [item["document"] for item in items] == ["a.conllu", "b.conllu"]
    assert len({item["item"] for item in items}) == len(items)


def test_workers_start_once_for_all_files(run, folders, monkeypatch):
    from graphscore.evaluation import tasks

    started = []
    of_jobs = tasks.executor_for

    def counted(jobs, executor=None):
        started.append(executor is None and jobs > 1)
        return of_jobs(jobs, executor)

    monkeypatch.setattr(tasks, "executor_for", counted)
    one = run("score", *folders, "-m", "las").json
    two = run("score", *folders, "-m", "las", "--jobs", "2").json
    assert one["counts"] == two["counts"]
    assert sum(started) == 1


def test_what_is_true_of_several_files_is_said_once(run, folders):
    for name in ("a.conllu", "b.conllu"):
        path = folders[0] / name
        lines = path.read_text().splitlines()
        rows = [line.split("\t") for line in lines]
        text = "\n".join(
            "\t".join([*row[:8], f"{row[6]}:{row[7]}", row[9]])
            if len(row) == 10
            else line
            for row, line in zip(rows, lines, strict=True)
        )
        path.write_text(f"{text}\n\n")
    found = run("score", *folders).err
    assert found.count("graphs left out") == 1
    assert "6 graphs left out, in 2 files" in found
