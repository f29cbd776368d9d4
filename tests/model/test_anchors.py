"""Anchors as sets of characters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.model.anchors import (
    characters,
    spans,
    unite,
    visible_characters,
    visible_ranges,
)
from graphscore.model.graph import Anchor
from tests.strategies import TEXTS, anchors_of

PIERRE = "Pierre Vinken, 61"
DATE = "Nov. 29"


def covered(text: str, members: int) -> str:
    return "".join(each for k, each in enumerate(text) if members >> k & 1)


def ranges(*pairs: tuple[int, int]) -> list[Anchor]:
    return [Anchor(*pair) for pair in pairs]


@pytest.mark.parametrize("trim", ["range", "anchor"])
def test_a_gap_of_white_space_makes_no_difference(trim: str) -> None:
    one = characters(ranges((0, 13)), PIERRE, trim)
    assert one == characters(ranges((0, 6), (7, 13)), PIERRE, trim)
    assert covered(PIERRE, one) == "PierreVinken"


def test_trimming_each_range_drops_an_inner_full_stop() -> None:
    found = characters(ranges((0, 4), (5, 7)), DATE, "range")
    assert covered(DATE, found) == "Nov29"


def test_trimming_the_whole_anchor_keeps_an_inner_full_stop() -> None:
    found = characters(ranges((0, 4), (5, 7)), DATE, "anchor")
    assert covered(DATE, found) == "Nov.29"


def test_one_range_keeps_its_inner_full_stop_either_way() -> None:
    whole = ranges((0, 7))
    assert characters(whole, DATE, "range") == characters(whole, DATE, "anchor")
    assert covered(DATE, characters(whole, DATE)) == "Nov.29"


@pytest.mark.parametrize("trim", ["range", "anchor"])
def test_punctuation_only_is_the_empty_set(trim: str) -> None:
    assert characters(ranges((13, 14)), PIERRE, trim) == 0
    assert characters(ranges((13, 15)), PIERRE, trim) == 0


def test_order_overlap_and_repetition_of_ranges_do_not_matter() -> None:
    one = characters(ranges((7, 13), (0, 6), (3, 9), (0, 6)), PIERRE)
    assert one == characters(ranges((0, 13)), PIERRE)


def test_touching_ranges_are_united_before_trimming() -> None:
    assert unite(ranges((2, 4), (0, 2), (9, 9))) == [(0, 4)]
    assert covered(DATE, characters(ranges((0, 4), (4, 7)), DATE)) == "Nov.29"


def test_ranges_beyond_the_text_are_cut_off() -> None:
    for trim in ("range", "anchor"):
        assert characters(ranges((5, 99)), DATE, trim) == characters(
            ranges((5, 7)), DATE, trim
        )
        assert characters(ranges((50, 99)), DATE, trim) == 0


@pytest.mark.parametrize("text", ["", DATE])
def test_ranges_before_the_text_are_cut_off(text: str) -> None:
    for trim in ("range", "anchor"):
        assert characters(ranges((-3, 2)), text, trim) == 0b11
        assert characters(ranges((-3, -1)), text, trim) == 0


def test_without_a_text_all_positions_count() -> None:
    assert characters(ranges((1, 3), (5, 6)), "") == 0b100110


def test_white_space_of_any_script_is_invisible() -> None:
    text = "a\u00a0b\u3000c\u2009d"
    assert covered(text, characters(ranges((0, 7)), text)) == "abcd"


def test_an_accent_is_a_character_of_its_own() -> None:
    composed, decomposed = "é", "e\u0301"
    assert characters(ranges((0, 1)), composed).bit_count() == 1
    assert characters(ranges((0, 2)), decomposed).bit_count() == 2


@given(st.sampled_from(TEXTS).flatmap(lambda t: st.tuples(st.just(t), anchors_of(t))))
def test_trimming_the_whole_never_drops_more_than_trimming_ranges(
    case: tuple[str, tuple[Anchor, ...]],
) -> None:
    text, anchors = case
    one, two = (characters(anchors, text, trim) for trim in ("range", "anchor"))
    assert one & ~two == 0
    if text:
        assert two & ~visible_characters(text) == 0


@given(st.integers(0, 2**40))
def test_spans_show_exactly_the_set(members: int) -> None:
    assert characters([Anchor(*span) for span in spans(members)], "") == members


@given(st.text(max_size=30))
def test_visible_characters_are_those_that_are_not_white_space(text: str) -> None:
    import re

    expected = sum(1 << k for k, c in enumerate(text) if not re.match(r"\s", c))
    assert visible_characters(text) == expected


@given(st.sampled_from(TEXTS[1:]), st.data())
def test_visible_ranges_are_equal_for_the_same_visible_characters(
    text: str, data: st.DataObject
) -> None:
    one, other = (data.draw(anchors_of(text)) for _ in range(2))
    both = [
        {k for start, end in each for k in range(start, end) if not text[k].isspace()}
        for each in (one, other)
    ]
    found = [visible_ranges(each, text) for each in (one, other)]
    for members, ranges in zip(both, found, strict=True):
        if members:
            assert {k for start, end in ranges for k in range(start, end)} == members
    if all(both):
        assert (found[0] == found[1]) == (both[0] == both[1])


def test_white_space_alone_keeps_its_place() -> None:
    text = "a b  c"
    assert visible_ranges([Anchor(1, 2)], text) == ((1, 2),)
    assert visible_ranges([Anchor(3, 5), Anchor(1, 2)], text) == ((1, 2), (3, 5))
    assert visible_ranges([Anchor(1, 4)], text, ends=True) == ((1, 4),)
    assert visible_ranges([Anchor(1, 2)], text, ends=True) == ((1, 2),)
    # What is beyond the text is no white space.
    assert visible_ranges([Anchor(0, 9)], text) == ((0, 9),)
    assert visible_ranges([Anchor(0, 9)], "") == ((0, 9),)
    assert visible_ranges([Anchor(2, 2)], text) == ((2, 2),)
    assert visible_ranges([], text) == ()
