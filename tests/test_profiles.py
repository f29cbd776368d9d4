"""Tests of the profiles of hypothesis: fixed examples, and the search for others."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import MethodType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import profiles

FIXED = settings.get_profile(profiles.FIXED)
SEARCH = settings.get_profile(profiles.SEARCH)


def drawn(chosen: settings) -> list[object]:
    """The examples of one test."""
    found: list[object] = []

    @settings(chosen, max_examples=100)
    @given(st.integers() | st.text() | st.floats(allow_nan=False))
    def each(value: object) -> None:
        found.append(value)

    each()
    return found


def test_fixed_examples_are_the_same(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if request.config.getoption("--hypothesis-profile") == profiles.SEARCH:
        pytest.skip("a search draws constants of what is loaded")
    before = drawn(FIXED)
    assert len(before) == 100
    said = "".join(f"A{number} = {7_000_000 + number}\n" for number in range(2_000))
    (tmp_path / "loaded_between.py").write_text(said, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("loaded_between")
    try:
        assert drawn(FIXED) == before
    finally:
        del sys.modules["loaded_between"]


def test_searched_examples_differ() -> None:
    assert drawn(SEARCH) != drawn(SEARCH)


def test_tests_run_with_fixed_examples(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--hypothesis-profile") is not None:
        pytest.skip("another profile is asked for")
    assert settings.default.derandomize
    assert settings.default.deadline is None


def test_a_search_widens_every_test() -> None:
    @settings(max_examples=7)
    @given(st.none())
    def own(value: None) -> None:
        pass

    @given(st.none())
    def usual(value: None) -> None:
        pass

    bound = [MethodType(own, object()) for _ in range(2)]
    profiles.widen([*bound, usual, test_searched_examples_differ])
    assert own._hypothesis_internal_use_settings.max_examples == 7 * profiles.FACTOR
    assert usual._hypothesis_internal_use_settings is settings.default
