"""The pages of the anchor-identity metrics and larger pieces name tests that exist."""

from __future__ import annotations

import re

import pytest

from tests.conftest import ROOT

PAGES = ("sdp", "edm", "ucca", "predications", "ngrams")


@pytest.mark.parametrize("name", PAGES)
def test_every_test_that_a_page_names_exists(name: str) -> None:
    page = (ROOT / "docs" / "metrics" / f"{name}.md").read_text(encoding="utf-8")
    tests = (ROOT / "tests" / "metrics" / f"test_{name}.py").read_text(encoding="utf-8")
    named = set(re.findall(r"`(test_\w+)`", page))
    assert named
    assert named <= set(re.findall(r"^def (test_\w+)", tests, re.MULTILINE))
