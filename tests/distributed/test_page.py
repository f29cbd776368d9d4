"""What the page says of clusters is what happens."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.conftest import ROOT


def test_the_example_of_the_page_prints_what_it_shows(
    library: Any, tmp_path: Path
) -> None:
    page = (ROOT / "docs" / "distributed.md").read_text(encoding="utf-8")
    [(code, shown)] = re.findall(
        r"```python\n(from dask.*?)```\n\n```text\n(.*?)```", page, re.DOTALL
    )
    (tmp_path / "data").symlink_to(ROOT / "data")
    (tmp_path / "example.py").write_text(code, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "example.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == shown
    assert "8 of 8 parts" in done.stderr
