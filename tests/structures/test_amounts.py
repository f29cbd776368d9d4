"""How often items count, and unnormalised φ, as marks of fields."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.similarity import (
    FormulaError,
    custom,
    derive,
    itself,
    label,
    similarity_of,
)
from graphscore.structures import (
    AMR,
    Entity,
    EntitySet,
    Mention,
    Prop,
    by,
    by_either,
    by_f1,
    contained,
    counted,
    less,
    matched,
    over,
    summed,
)


def shared(predicted: Any, gold: Any) -> int:
    """How many distinct items two collections share."""
    return len(set(predicted) & set(gold))


def entities(*entities: str) -> EntitySet:
    """Entities of mentions of one character each."""
    return EntitySet(
        frozenset(
            Entity(frozenset(Mention(ord(each), ord(each)) for each in letters))
            for letters in entities
        )
    )


def test_how_often_matched_items_count_is_a_mark() -> None:
    """CEAF-RME as it is printed (eq. 5, 27): two predicted singletons in one entity."""
    marks = {Entity: {"mentions": contained}}
    one_sided = (matched("n:1"), counted("formula"))
    again = (*one_sided, counted("bounded"))
    literal = derive(EntitySet, marks | {EntitySet: {"entities": one_sided}}).formula
    bounded = derive(EntitySet, marks | {EntitySet: {"entities": again}}).formula
    assert repr(literal).endswith("counting='formula')")
    gold, system = entities("ab"), entities("a", "b")
    report = literal.score(gold, system)
    assert (report.recall, report.f1) == (2, pytest.approx(4 / 3))
    assert bounded.score(gold, system).recall == 1
    # by_either hands it on to both of its ratios.
    both = derive(EntitySet, {EntitySet: {"entities": (by_either, *one_sided)}})
    assert repr(both.formula).count("counting='formula'") == 2


@dataclass(frozen=True)
class Lists:
    words: Annotated[frozenset[Annotated[str, by(shared, normalized=False)]], by_f1]


@dataclass(frozen=True)
class Claim:
    text: str
    places: tuple[str, ...] = ()


word_sets = st.frozensets(st.text("abc", min_size=1, max_size=3), max_size=4)


@given(word_sets, word_sets)
def test_an_amount_is_what_all_matchings_of_words_show(
    gold: frozenset[str], system: frozenset[str]
) -> None:
    formula = derive(Lists).formula
    assert str(formula) == "F↔words[φ_shared(itself)]"
    report = formula.score(Lists(gold), Lists(system))
    assert report.gold == sum(len(set(each)) for each in gold)
    assert report.system == sum(len(set(each)) for each in system)
    few, more = sorted((sorted(gold), sorted(system)), key=len)
    best = max(
        sum(shared(*pair) for pair in zip(few, chosen, strict=True))
        for chosen in permutations(more, len(few))
    )
    assert report.matched == best
    assert report.value == pytest.approx(report.f1)
    assert report.f1 <= 1


@pytest.mark.parametrize(
    ("marks", "shown"),
    [
        ({"text": by(shared, normalized=False)}, "φ_shared(text) × F↔places≤[δ]"),
        (
            {"text": (by(shared, normalized=False), less(1))},
            "max{0, φ_shared(text) - 1} × F↔places≤[δ]",
        ),
        ({"places": by(shared, normalized=False)}, "δ_text × φ_shared(places)"),
        (
            {"places": (by(shared, normalized=False), over(1))},
            "δ_text × ⟦φ_shared(places) > 1⟧",
        ),
    ],
)
def test_amounts_stand_where_similarities_do(marks: Any, shown: str) -> None:
    assert str(similarity_of(Claim, {Claim: marks})) == shown


def test_an_amount_of_a_field_is_what_an_object_is_worth() -> None:
    formula = derive(Claim, {Claim: {"text": by(shared, normalized=False)}})["text"]
    report = formula.score(Claim("note"), Claim("tons"))
    assert (report.gold, report.system, report.matched) == (4, 4, 3)


def negative(predicted: object, gold: object) -> float:
    return -1


def greater(predicted: str, gold: str) -> float:
    return len(predicted) * len(gold)


def infinite(predicted: object, gold: object) -> float:
    return float("inf")


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (negative, "is -1, expected an amount: a number, 0 or more"),
        (infinite, "is inf, expected an amount: a number, 0 or more"),
        (greater, "is 6, expected at most 4: no more than either is worth with"),
    ],
)
def test_amounts_that_are_none(function: Any, said: str) -> None:
    with pytest.raises(FormulaError, match=said):
        custom(function, itself, normalized=False).of_values("ab", "abc")


def test_an_amount_of_given_values_only_is_refused() -> None:
    with pytest.raises(FormulaError, match="an amount of given values"):
        custom(shared, label, given=True, normalized=False)


@pytest.mark.parametrize(
    ("cls", "changes", "said"),
    [
        (Claim, {Claim: {"places": (summed, counted("formula"))}}, "not summed"),
        (Claim, {Claim: {"places": (contained, counted("formula"))}}, "it alone"),
        (Claim, {Claim: {"text": counted("formula")}}, "expected a collection"),
        (Claim, {Claim: {"places": counted("twice")}}, "one of: bounded, formula"),  # type: ignore[arg-type]
        (AMR, {Prop: {"obj": by(shared, normalized=False)}}, "a similarity beside"),
    ],
)
def test_marks_that_do_not_fit(cls: Any, changes: Any, said: str) -> None:
    with pytest.raises(FormulaError, match=said):
        derive(cls, changes)
