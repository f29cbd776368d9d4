"""The pictures of the docs are what the commands above them draw."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from graphscore.cli.main import cli
from tests.conftest import ROOT

PAGE = ROOT / "docs" / "pictures.md"

DRAWN = re.findall(
    r"```bash\ngraphscore (show [^\n]*) --svg (\w+\.svg)\n```\n\n"
    r"!\[[^\]]+\]\(pictures/(\S+)\)",
    PAGE.read_text(encoding="utf-8"),
)


def test_every_picture_stands_below_its_command() -> None:
    assert len(DRAWN) >= 7
    kept = {path.name for path in (PAGE.parent / "pictures").iterdir()}
    assert (
        {written for _, written, _ in DRAWN} == {shown for *_, shown in DRAWN} == kept
    )


@pytest.mark.parametrize(("line", "name", "shown"), DRAWN)
def test_the_picture_is_what_is_drawn(
    line: str, name: str, shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    target = tmp_path / name
    done = CliRunner().invoke(cli, [*shlex.split(line), "--svg", str(target)])
    assert done.exit_code == 0, done.output
    kept = PAGE.parent / "pictures" / shown
    assert target.read_bytes() == kept.read_bytes(), (
        f"draw it again: graphscore {line} --svg docs/pictures/{shown}"
    )
