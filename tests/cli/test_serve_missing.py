"""``serve`` without its libraries says what installs them."""

from __future__ import annotations

import sys

import pytest
from click.testing import CliRunner

from graphscore.cli.main import cli


@pytest.mark.parametrize("name", ["starlette", "uvicorn"])
def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    for other in ("starlette", "uvicorn"):
        present = sys.modules.get(other) or sys
        monkeypatch.setitem(sys.modules, other, present)
    monkeypatch.setattr(sys, "meta_path", [Missing(name), *sys.meta_path])
    monkeypatch.delitem(sys.modules, name)
    done = CliRunner().invoke(cli, ["serve", "runs.db"])
    assert done.exit_code == 2
    assert f"serve needs {name}: pip install 'graphscore[web]'" in done.output


class Missing:
    """Finds no module of one name."""

    def __init__(self, name: str) -> None:
        self.name = name

    def find_spec(self, name: str, *_: object) -> None:
        if name == self.name:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
