"""A slice of every campaign finds nothing; a campaign finds what there is to find."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import pytest

from campaigns import (
    arguments,
    damage,
    fuzz,
    hostile_sql,
    kill,
    long_strings,
    moved,
    stored_names,
)
from campaigns.findings import Findings, UnclearError, place_of, reduced
from campaigns.readers import LONGEST, every
from campaigns.splitting import SPLITTERS, unaccounted
from graphscore.exceptions import InputError, Problem
from graphscore.formats import ReadGraph


def test_strange_arguments_end_with_an_exit_code_and_words() -> None:
    found = arguments.run(seed=20, cases=60)
    assert not found.groups, found.summary()


def test_every_reader_accounts_for_all_that_is_damaged() -> None:
    found = fuzz.run(seed=20, cases=900)
    assert not found.groups, found.summary()
    assert min(count.cases for count in found.counts.values()) > 10
    counted = {name for name, count in found.counts.items() if count.counted}
    # That of which lines are mostly put together has the fewest that can be counted.
    assert SPLITTERS.keys() - counted <= {"iterx"}


def test_samples_of_readers_are_in_order(tmp_path: Path) -> None:
    for reader in every(tmp_path):
        for sample in reader.samples:
            if reader.name == "sniffing":
                continue
            found = reader.read(sample.data, sample.path, LONGEST)
            if reader.is_format:
                assert all(isinstance(each, ReadGraph) for each in found), reader.name
                begun = [each.line for each in found]
                assert not unaccounted(reader.name, sample.data, begun)


def test_what_is_lost_or_differs_is_a_finding(tmp_path: Path) -> None:
    [spans] = [each for each in every(tmp_path) if each.name == "spans"]
    state = {"calls": 0}

    def forgets(data: bytes, path: str, size: int) -> Any:
        return spans.read(data, path, size)[1:]

    def wavers(data: bytes, path: str, size: int) -> Any:
        state["calls"] += 1
        return spans.read(data, path, size)[state["calls"] % 2 :]

    case = fuzz.Case(spans.samples[0].data, spans.samples[0], "", "nothing")
    for read, said in ((forgets, "not all accounted for"), (wavers, "read twice")):
        reader = replace(spans, read=read)
        with pytest.raises(UnclearError, match=said):
            fuzz.attack(reader, case, below=False, count=fuzz.Count())


def test_killed_and_resumed_there_is_what_there_should_be() -> None:
    found = kill.run(seed=20, cases=2, names=("remove",))
    assert not found.groups, found.summary()
    assert found.killed["remove"] >= 2
    assert found.resumed


def test_damaged_stores_answer_or_refuse() -> None:
    found = damage.run(seed=20, cases=3)
    assert not found.groups, found.summary()
    assert found.answers
    assert found.refusals


def test_hostile_questions_write_nothing() -> None:
    found = hostile_sql.run(seed=20, cases=40)
    assert not found.groups, found.summary()
    assert found.answered
    assert found.refused


@pytest.mark.parametrize(
    ("kind", "cases"),
    [
        (stored_names.of_stored_names, 25),
        (long_strings.of_workers, 4),
        (long_strings.of_interrupts, 3),
    ],
)
def test_what_goes_on_for_ever_ends_and_names_are_not_touched(
    kind: hostile_sql.Kind, cases: int
) -> None:
    found = hostile_sql.run(seed=20, cases=cases, kinds={kind: 1})
    assert not found.groups, found.summary()


def test_what_is_touched_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_names, "cli", opens)
    kinds = {stored_names.of_stored_names: 1}
    found = hostile_sql.run(seed=20, cases=3, kinds=kinds)
    [group] = found.groups.values()
    assert group.place == "UnclearError: touched what a store names"


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("given", nargs=-1, type=click.UNPROCESSED)
def opens(given: tuple[str, ...]) -> None:
    """What a verb must not do."""
    with suppress(OSError), open("evil.fifo"):
        pass


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


def test_files_that_are_replaced_are_there_as_one_version() -> None:
    found = moved.run(seed=20, cases=4)
    assert not found.groups, found.summary()
