"""What shells are told when somebody presses the tab key."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from graphscore import Store, parse
from graphscore.cli.completion import COMPLETED
from graphscore.cli.main import VERBS, cli
from graphscore.formats import formats
from graphscore.metrics.registry import metrics
from graphscore.model.frameworks import FRAMEWORKS
from tests.conftest import DATA

HEAVY = ["numpy", "scipy", "sqlalchemy", "rich", "lxml", "networkx"]


def asked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str
) -> list[str]:
    """What bash is told of the last of some words."""
    monkeypatch.setenv("_GRAPHSCORE_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", " ".join(["graphscore", *words]))
    monkeypatch.setenv("COMP_CWORD", str(len(words)))
    with pytest.raises(SystemExit) as ended:
        cli(prog_name="graphscore")
    assert not ended.value.code
    return capsys.readouterr().out.splitlines()


@pytest.fixture
def ask(monkeypatch, capsys):
    def ask(*words: str) -> list[str]:
        return [
            line.removeprefix("plain,") for line in asked(monkeypatch, capsys, *words)
        ]

    return ask


def test_verbs_and_options(ask) -> None:
    assert ask("co") == [*("compare", "collections", "copy", "convert", "completion")]
    assert ask("") == [*VERBS]
    assert "--gold-format" in ask("score", "--gold")
    assert ask("score", "--pair", "o") == ["order"]


def test_nothing_is_said_of_a_verb_that_there_is_not(monkeypatch, capsys) -> None:
    monkeypatch.setenv("_GRAPHSCORE_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "graphscore scroe x")
    monkeypatch.setenv("COMP_CWORD", "2")
    with pytest.raises(SystemExit):
        cli(prog_name="graphscore")
    said = capsys.readouterr()
    assert (said.out.strip(), said.err) == ("", "")


def test_names_are_those_that_there_are(ask) -> None:
    assert ask("score", "g.mrp", "-m", "") == sorted(metrics())
    assert ask("metrics", "ceaf_r") == ["ceaf_ree", "ceaf_rme"]
    assert ask("convert", "--to", "") == sorted(formats())
    assert ask("score", "--framework", "") == sorted(FRAMEWORKS)
    assert ask("errors", "--by", "side,") == [
        f"side,{name}" for name in ("framework", "kind", "name", "value")
    ]


def test_of_several_metrics_the_last_is_completed(ask) -> None:
    assert ask("score", "-m", "mrp,smat") == ["mrp,smatch"]
    assert "mrp,mrp" not in ask("score", "-m", "mrp,m")


def test_figures_are_those_of_the_metrics(ask) -> None:
    assert ask("score", "-m", "ser", "--fail-over", "ser") == [
        f"{name}=" for name in ("ser.components", "ser.entities", "ser")
    ]
    assert "edges.recall" in ask("compare", "-m", "mrp", "--figure", "edges")
    assert ask("compare", "--figure", "") == ["f1", "macro", "precision", "recall"]
    assert ask("errors", "-m", "mrp", "--kind", "edg") == ["edges"]


def test_files_of_users_are_not_run(ask, tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text("raise SystemExit(9)\n", encoding="utf-8")
    named = f"{mine}:Report"
    assert ask("score", "-m", named, "--figure", "m") == ["macro"]


def test_files_are_left_to_the_shell(ask) -> None:
    assert ask("score", "gol") == ["file,gol"]
    assert ask("score", "--save", "") == ["file,"]


def test_collections_of_a_store(ask, tmp_path: Path) -> None:
    store = str(tmp_path / "runs.db")
    with Store(store, mode="create") as runs:
        for name in ("gold", "alder"):
            runs.ingest(str(DATA / f"{name}.mrp"), name)
    assert ask("score", store, "--gold", "") == ["alder", "gold"]
    assert ask("remove", store, "al") == ["alder"]
    assert ask("score", "--gold", "") == [""]  # An empty line.
    broken = tmp_path / "broken.db"
    broken.write_bytes(Path(store).read_bytes()[:50])
    assert ask("score", str(broken), "--gold", "") == [""]


def test_every_option_that_is_completed_is_there() -> None:
    there = set()
    for verb in VERBS:
        command = cli.get_command(None, verb)
        for param in command.params:
            there |= {*param.opts, *(f"{verb} {each}" for each in param.opts)}
    assert there >= COMPLETED.keys()


def test_every_metric_has_figures_to_complete() -> None:
    for name in metrics():
        counts, _ = parse("rules:default" if name == "rules" else name).figures({})
        assert counts, name


@pytest.mark.parametrize("words", ["score -m ", "score --format ", "remove {store} "])
def test_nothing_heavy_is_imported(words: str, tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    Store(str(store), mode="create").close()
    program = (
        "import sys\nfrom graphscore.cli.main import cli\n"
        "try:\n    cli(prog_name='graphscore')\nexcept SystemExit:\n    pass\n"
        f"print(sorted(set({HEAVY!r}) & set(sys.modules)), file=sys.stderr)\n"
    )
    typed = words.format(store=store)
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env=os.environ
        | {
            "_GRAPHSCORE_COMPLETE": "bash_complete",
            "COMP_WORDS": f"graphscore {typed}",
            "COMP_CWORD": str(len(typed.split()) + 1),
        },
    )
    assert done.stderr.strip() == "[]"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_are_those_of_the_shell(run, shell: str) -> None:
    found = run("completion", shell)
    assert found.code == 0
    assert f"_GRAPHSCORE_COMPLETE={shell}_complete" in found.out
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"no {shell} here to read the script")
    done = subprocess.run([program, "-n"], input=found.out, text=True)
    assert done.returncode == 0


@pytest.mark.parametrize(("shell", "word"), [("zsh", "1"), ("fish", "comple")])
def test_other_shells_are_told_what_verbs_do(
    monkeypatch, capsys, shell: str, word: str
) -> None:
    monkeypatch.setenv("_GRAPHSCORE_COMPLETE", f"{shell}_complete")
    monkeypatch.setenv("COMP_WORDS", "graphscore comple")
    monkeypatch.setenv("COMP_CWORD", word)
    with pytest.raises(SystemExit):
        cli(prog_name="graphscore")
    found = capsys.readouterr().out
    assert "completion" in found
    assert VERBS["completion"] in found


def test_other_shells_are_refused(run) -> None:
    found = run("completion", "tcsh")
    assert found.code == 2
    assert "'tcsh' is not one of" in found.err


def test_bash_completes(tmp_path: Path) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("no bash here")
    program = tmp_path / "graphscore"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m graphscore "$@"\n')
    program.chmod(0o755)
    script = (
        'eval "$(graphscore completion bash)"\n'
        "COMP_WORDS=(graphscore score -m smat)\nCOMP_CWORD=3\n"
        '_graphscore_completion graphscore smat -m\necho "${COMPREPLY[@]}"\n'
    )
    done = subprocess.run(
        [bash, "--norc"],
        input=script,
        capture_output=True,
        text=True,
        env=os.environ | {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"},
    )
    assert done.stdout.split() == ["smatch"], done.stderr
