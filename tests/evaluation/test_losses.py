"""What is lost of a system is said by results and by a warning."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore import LossWarning, Store, agree, compare, score, whatif
from graphscore.structures import in_any_order, in_order

GOLD = """\
{"id": "a", "text": "Ann left", "spans": [{"start": 0, "end": 3, "label": "PER"}]}
{"id": "b", "text": "Bob left", "spans": [{"start": 0, "end": 3, "label": "PER"}]}
{"id": "c", "text": "Cal left", "spans": [{"start": 0, "end": 3, "label": "PER"}]}
"""


@pytest.fixture
def sides(tmp_path: Path) -> tuple[Path, Path]:
    gold, system = tmp_path / "gold.jsonl", tmp_path / "system.jsonl"
    gold.write_text(GOLD)
    system.write_text(GOLD)
    return gold, system


def test_bad_records_are_warned_of(sides: tuple[Path, Path]) -> None:
    gold, system = sides
    broken(system)
    with pytest.warns(LossWarning, match="1 bad record, scored as missing") as caught:
        result = score(gold, system, ["ner", "ner(overlap=0.5)"])[0]
    # Two metrics lose the same: it is said once, of the line that lost it.
    messages = [str(each.message) for each in caught]
    assert len(messages) == len(set(messages)) == 2
    assert f"{system}:2" in messages[0]
    assert {each.filename for each in caught} == {__file__}
    assert "1 missing, 1 rejected" in repr(result)
    assert any("1 bad record" in note for note in result.notes)


def broken(system: Path) -> None:
    """Break the second of three records off."""
    lines = GOLD.splitlines()
    system.write_text("\n".join([lines[0], lines[1][:30], lines[2]]) + "\n")


BAD = "1 bad record, scored as missing; first "
EMPTY = "system (ner): 1 gold graph without a system graph, scored as empty"


def test_a_store_says_what_was_lost_when_it_was_filled(
    sides: tuple[Path, Path],
) -> None:
    """Also where all results are there already."""
    gold, system = sides
    broken(system)
    with Store("sqlite://", mode="create") as store:
        store.ingest(gold, "gold")
        store.ingest(system, "system", keep_going=True)
        for reused in (0, 3):
            with pytest.warns(LossWarning) as caught:
                result = store.score("gold", "system", "ner")
            assert result.reused == reused
            assert "1 missing, 1 rejected" in repr(result)
            assert result.notes == [str(each.message) for each in caught]
            assert result.notes[0].startswith(f"system: {BAD}{system}:2: ")
            assert result.notes[1:] == [EMPTY]
            assert {each.filename for each in caught} == {__file__}
        with pytest.warns(LossWarning, match="system: 1 bad record, taken as not"):
            agreed = agree(store, "gold", "system", metric="ner", samples=9)
        lost = "system: 1 bad record, taken as not annotated"
        assert lost in repr(agreed)
        assert agreed.notes[0].startswith(f"{lost}; first {system}:2")
        assert [agreed.notes[0]] == list(agreed.losses)


def test_comparisons_and_costs_say_what_was_lost(sides: tuple[Path, Path]) -> None:
    gold, system = sides
    whole = gold.with_name("whole.jsonl")
    whole.write_text(GOLD)
    broken(system)
    names = ["whole", "system"]
    with pytest.warns(LossWarning) as caught:
        compared = compare(
            gold, whole, system, metric="ner", samples=9, names=names, changes=False
        )
    said = [str(each.message) for each in caught]
    assert said[0].startswith(f"system: {BAD}{system}:2: ")
    assert said[1:] == [EMPTY]
    assert {each.filename for each in caught} == {__file__}
    assert list(compared.notes[:2]) == said
    assert "whole 1.0000, system 0.8000 over 3 items; system: 1 bad" in repr(compared)
    assert compared.to_dict()["notes"] == list(compared.notes)
    with pytest.warns(LossWarning) as caught:
        costs = whatif(gold, system, metric="ner")
    assert {each.filename for each in caught} == {__file__}
    assert list(costs.notes) == [str(each.message) for each in caught]
    assert "0.8000, 1 class of errors; " in repr(costs)
    assert BAD in repr(costs)


def test_comparing_what_is_whole_says_nothing(sides: tuple[Path, Path]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        costs = whatif(*sides, metric="ner")
        compared = compare(sides[0], *sides, metric="ner", samples=9, changes=False)
    assert not costs.notes
    assert len(compared.notes) == 1


def test_missing_items_are_noted_without_a_warning(sides: tuple[Path, Path]) -> None:
    gold, system = sides
    system.write_text("".join(GOLD.splitlines(True)[:2]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = score(gold, system, "ner")
    assert "3 pairs, 1 missing, 3 proven" in repr(result)
    assert any("without a system graph" in note for note in result.notes)


def test_nothing_is_said_where_nothing_is_lost(sides: tuple[Path, Path]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = score(*sides, "ner")
    assert repr(result) == "<Result ner: F1 1.0000 over 3 pairs, 3 proven>"
    assert not result.notes


@dataclass
class Report:
    place: str
    victims: list[str]


@dataclass
class Sorted:
    victims: Annotated[list[str], in_order]


@dataclass
class Unsorted:
    victims: Annotated[list[str], in_any_order]


@dataclass
class Attack:
    type: str
    victims: list[str]


@dataclass
class Story:
    id: str
    attacks: list[Attack]


HIGHER = (
    "another order of {} would have scored higher, as lists are compared in order; "
    "declare a frozenset, or in_any_order, if it says nothing"
)


def test_an_order_that_cost_matches_is_said_once() -> None:
    gold = [Report("Lima", ["Ada", "Bo"]), Report("Oslo", ["Cal", "Di"])]
    system = [Report("Lima", ["Bo", "Ada"]), Report("Oslo", ["Di", "Cal"])]
    with pytest.warns(LossWarning) as caught:
        result = score(gold, system)
    said = "<memory>: in 2 items " + HIGHER.format("Report.victims")
    assert result.notes == [said]
    assert [str(each.message) for each in caught] == [said]
    with pytest.warns(LossWarning, match="b: in 2 items another order of"):
        found = compare(gold, gold, system, names=["a", "b"], samples=9)
    assert any(note.startswith("b: in 2 items another") for note in found.notes)


@pytest.mark.parametrize(
    ("gold", "system"),
    [
        # What is missing, wrong, or there once too often is so in any order.
        (Report("Lima", ["Ada", "Bo"]), Report("Lima", ["Bo"])),
        (Report("Lima", ["Ada", "Bo"]), Report("Oslo", ["Cal", "Bo"])),
        (Report("Lima", ["Ada", "Bo"]), Report("Lima", ["Bo", "Bo", "Cal"])),
        (Report("Lima", ["Ada", "Ada"]), Report("Lima", ["Ada", "Bo", "Ada"])),
        # Somebody has said how they are compared.
        (Sorted(["Ada", "Bo"]), Sorted(["Bo", "Ada"])),
        (Unsorted(["Ada", "Bo"]), Unsorted(["Bo", "Ada"])),
    ],
)
def test_an_order_that_cost_nothing_is_not_spoken_of(gold: Any, system: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = score([gold], [system])
    assert not result.notes


def test_the_field_whose_order_cost_matches_is_named() -> None:
    one, two = Attack("bomb", ["Ada", "Bo"]), Attack("fire", [])
    gold = [Story("1", [one, two])]
    inner = [Story("1", [Attack("bomb", ["Bo", "Ada"]), two])]
    for system, field in (
        (inner, "Attack.victims"),
        ([Story("1", [two, one])], "Story.attacks"),
    ):
        with pytest.warns(LossWarning, match=f"in 1 item another order of {field}"):
            assert len(score(gold, system).notes) == 1
    # Victims of attacks that do not match in type are nobody's loss.
    other = [Story("1", [Attack("raid", ["Bo", "Ada"]), two])]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not score(gold, other).notes


@given(
    st.lists(st.sampled_from("abc"), max_size=5),
    st.lists(st.sampled_from("abc"), max_size=5),
)
def test_another_order_is_said_to_score_higher_where_one_does(
    gold: list[str], system: list[str]
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = score([Report("x", gold)], [Report("x", system)])
        best = max(
            score([Report("x", gold)], [Report("x", [*order])])
            .counts["victims"]
            .matched
            for order in set(permutations(system))
        )
    higher = best > result.counts["victims"].matched
    assert any(HIGHER[:16] in note for note in result.notes) == higher
