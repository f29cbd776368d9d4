"""The page on reliability names tests and campaigns that there are."""

from __future__ import annotations

import re

from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "reliability.md").read_text(encoding="utf-8")


def test_every_promise_is_held_by_what_there_is() -> None:
    promised = PAGE.partition("## What is promised")[2].partition("\n## ")[0]
    table = [line for line in promised.splitlines() if line.startswith("| ")][1:]
    assert len(table) > 15
    for line in table:
        named = re.findall(r"`(tests/[\w/]+\.py)::(?:\w+::)?(\w+)`", line)
        assert named, line
        for file, test in named:
            source = (ROOT / file).read_text(encoding="utf-8")
            assert f"def {test}(" in source, test
    for name in set(re.findall(r"`campaigns\.(\w+)`", PAGE)):
        assert (ROOT / "campaigns" / f"{name}.py").exists(), name
