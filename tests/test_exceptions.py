"""Messages are short, whatever they are about."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.exceptions import (
    LISTED,
    LONGEST,
    MOST,
    GraphscoreError,
    InputError,
    InvalidGraphError,
    Problem,
    StoreError,
    UsageError,
    bounded,
    listed,
    truncate,
)

LONG = "abc" + "d" * 25_097 + "xyz"


def test_a_value_is_cut_in_the_middle_and_its_length_said():
    shown = bounded(f"no item {LONG!r} here")
    assert shown.startswith("no item 'abcdd")
    assert shown.endswith("dxyz' (25,103 characters) here")
    assert len(shown) < LONGEST + 50


def test_the_length_is_that_of_the_value_not_of_how_it_is_written():
    value = "\xe9\x1b" * 500
    assert "(1,000 characters)" in bounded(f"found {value!r}")


def test_a_value_that_is_not_long_is_whole():
    value = "x" * LONGEST
    assert bounded(f"found {value!r} in {value}") == f"found {value!r} in {value}"


def test_words_in_a_row_are_a_value_and_a_list_is_none():
    shown = bounded(f"no such table: {'word ' * 5_000}; there are none")
    assert len(shown) < LONGEST + 70
    assert shown.endswith("there are none")
    names = f"there are: {', '.join(f'name{n}' for n in range(70))}"
    assert len(names) > 2 * LONGEST
    assert bounded(names) == names


def test_an_apostrophe_opens_nothing():
    said = f"the reader's item {'a' * 300!r} and 'b'"
    assert bounded(said).endswith("aa' (300 characters) and 'b'")


@pytest.mark.parametrize("tuple_type", [GraphscoreError, StoreError, UsageError])
def test_every_error_cuts_what_it_names(tuple_type):
    assert len(str(tuple_type(f"no collection {LONG!r}"))) < LONGEST + 60
    lines = "\n".join(f"line {n} {LONG}" for n in range(5_000))
    said = str(tuple_type(lines)).splitlines()
    assert said[-1] == f"and {5_000 - LISTED - 1:,} more lines"


def test_every_part_of_a_problem_is_cut_and_on_one_line():
    words = "one two\n" * 9_000
    for value in (LONG, repr(LONG), words, f"item {words}"):
        problem = Problem("a", 1, None, value, value, value, value)
        assert len(str(problem)) < MOST + 60
        assert "\n" not in str(problem)
        assert Problem(*problem) == problem, "it is cut once"
        assert pickle.loads(pickle.dumps(problem)) == problem
        problem = Problem("a", 1, None, "", "b", "c", nearest=(value,))
        assert len(str(problem).splitlines()) == 2
        assert len(str(problem)) < MOST
    error = InvalidGraphError(LONG, words)
    assert len(str(error)) < MOST


@given(st.text(), st.integers(1, 40))
def test_no_text_breaks_cutting(text, times):
    long = text * times
    short = bounded(long)
    assert len(short) <= MOST + 40
    assert truncate(truncate(long)) == truncate(long)


def test_equal_problems_are_folded_and_none_is_lost():
    bad = [Problem("a", n, None, f"$.nodes[{n}]", "x", "y") for n in range(5_000)]
    error = InputError(bad)
    assert len(error.problems) == 5_000
    assert str(error).splitlines()[2:] == [
        "a:2: $.nodes[2]: found x, expected y (and 4,997 more like it)"
    ]
    assert [*listed(map(str, bad[:3]))] == [str(each) for each in bad[:3]]
    assert pickle.loads(pickle.dumps(error)).problems == error.problems


def test_problems_that_differ_are_counted_where_they_are_many():
    bad = [Problem("a", n, None, "", f"'{n}'", "y") for n in range(5_000)]
    *lines, last = str(InputError(bad)).splitlines()
    assert (len(lines), last) == (LISTED, "and 4,900 more")
