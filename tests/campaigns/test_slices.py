"""A slice of every campaign finds nothing; a campaign finds what there is to find."""

from __future__ import annotations

import pytest

from campaigns import arguments, calls, graphs, inputs
from campaigns.findings import Findings, UnclearError, place_of, reduced
from graphscore.errors import InputError, Problem


def test_damaged_files_are_read_or_refused() -> None:
    found = inputs.run(seed=20, cases=40, steps=0.1)
    assert found.cases == 40
    assert not found.groups, found.summary()


def test_graphs_with_strange_fields_are_written_or_refused() -> None:
    found = graphs.run(seed=20, cases=250)
    assert not found.groups, found.summary()


def test_strange_arguments_end_with_an_exit_code_and_words() -> None:
    found = arguments.run(seed=20, cases=60)
    assert not found.groups, found.summary()


def test_values_of_wrong_types_are_refused_by_name() -> None:
    found = calls.run(seed=20, cases=400)
    assert not found.groups, found.summary()


def broken(data: bytes) -> None:
    if b"x" in data:
        {}["x"]
    if b"y" in data:
        raise InputError([Problem("a", 1, None, "", "y", "no y")])


def test_what_is_found_is_grouped_and_made_small() -> None:
    found = Findings()
    for data in (b"abc", b"a\nbxc\nd", b"y", b"xx"):
        error = found.attempt(lambda given=data: broken(given))
        if error is not None:

            def again(smaller: bytes) -> BaseException | None:
                return found.attempt(lambda: broken(smaller))

            found.note(error, "here", data, again)
    [group] = found.groups.values()
    assert (group.times, group.data) == (2, b"x")
    assert "KeyError" in group.shown


def test_work_without_end_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("campaigns.findings.LIMIT", 0.02)

    def forever() -> None:
        while True:
            pass

    error = Findings().attempt(forever)
    assert error is not None
    assert place_of(error).startswith("OvertimeError")


def test_an_error_is_told_apart_by_what_it_does_not_say() -> None:
    assert place_of(UnclearError("no line (x): a")) == "UnclearError: no line (x)"
    assert reduced(b"a\nb\nxyz\n", lambda data: b"y" in data) == b"y"
