"""What click tells shells when somebody presses the tab key."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from graphscore.cli.main import COMMANDS, cli

HEAVY = ["numpy", "scipy", "sqlalchemy", "rich", "lxml", "networkx"]

IMPORTED = f"""
import sys
from graphscore.cli.main import cli
try:
    cli(prog_name="graphscore")
except SystemExit:
    pass
print(sorted(set({HEAVY!r}) & set(sys.modules)), file=sys.stderr)
"""


@pytest.fixture
def ask(monkeypatch, capsys):
    def ask(*words: str) -> list[str]:
        """What bash is told of the last of some words."""
        monkeypatch.setenv("_GRAPHSCORE_COMPLETE", "bash_complete")
        monkeypatch.setenv("COMP_WORDS", " ".join(["graphscore", *words]))
        monkeypatch.setenv("COMP_CWORD", str(len(words)))
        with pytest.raises(SystemExit) as ended:
            cli(prog_name="graphscore")
        assert not ended.value.code
        output = capsys.readouterr()
        assert output.err == ""
        return [line.removeprefix("plain,") for line in output.out.splitlines()]

    return ask


def test_verbs_options_and_choices(ask) -> None:
    assert ask("") == [*COMMANDS]
    assert ask("val") == ["validate"]
    assert "--gold-format" in ask("score", "--gold")
    assert ask("score", "--pair", "o") == ["order"]
    assert ask("store", "") == ["export", "list", "migrate", "remove"]
    assert "".join(ask("scroe", "x")) == ""


def test_files_are_left_to_the_shell(ask) -> None:
    assert ask("score", "gol") == ["file,gol"]
    assert ask("score", "--save", "") == ["file,"]


def test_other_shells_are_told_what_verbs_do(monkeypatch, capsys) -> None:
    monkeypatch.setenv("_GRAPHSCORE_COMPLETE", "fish_complete")
    monkeypatch.setenv("COMP_WORDS", "graphscore val")
    monkeypatch.setenv("COMP_CWORD", "val")
    with pytest.raises(SystemExit):
        cli(prog_name="graphscore")
    output = capsys.readouterr().out
    assert "validate" in output
    assert COMMANDS["validate"] in output


@pytest.mark.parametrize("words", [("sc",), ("score", "--pair", "")])
def test_nothing_heavy_is_imported(words: tuple[str, ...]) -> None:
    asked = {
        "_GRAPHSCORE_COMPLETE": "bash_complete",
        "COMP_WORDS": " ".join(["graphscore", *words]),
        "COMP_CWORD": str(len(words)),
    }
    done = subprocess.run(
        [sys.executable, "-c", IMPORTED],
        capture_output=True,
        text=True,
        env=os.environ | asked,
    )
    assert done.stderr.strip() == "[]"


def test_bash_completes(tmp_path: Path) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("no bash here")
    program = tmp_path / "graphscore"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m graphscore "$@"\n')
    program.chmod(0o755)
    script = (
        'eval "$(_GRAPHSCORE_COMPLETE=bash_source graphscore)"\n'
        "COMP_WORDS=(graphscore score --pair o)\nCOMP_CWORD=3\n"
        '_graphscore_completion graphscore o --pair\necho "${COMPREPLY[@]}"\n'
    )
    done = subprocess.run(
        [bash, "--norc"],
        input=script,
        capture_output=True,
        text=True,
        env=os.environ | {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"},
    )
    assert done.stdout.split() == ["order"], done.stderr
