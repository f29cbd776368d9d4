"""Spans beneath the text that they are of."""

from hypothesis import given
from hypothesis import strategies as st

from graphscore.report.item_view.underlined import Span, underlined
from tests.cli.test_show_marks import GOLD_TAGS, tagged

__all__ = ["tagged"]


def test_spans_underline_the_text_that_is_there_once(run, tagged):
    gold = tagged("gold.iob2", GOLD_TAGS)
    system = tagged("system.iob2", "O O O O B-ORG I-ORG I-ORG B-LOC")
    out = run("show", "0", gold, system, "-m", "ner", "--table").out
    assert (
        "\nSpans\n"
        "text    John Smith lives in New York City .\n"
        "gold    ----------          ~~~~~~~~~~~~~\n"
        "        PER                 LOC\n"
        "system                      ~~~~~~~~~~~~~ +\n"
        "                            ORG           LOC\n"
        "\nNodes\n"
    ) in out
    assert out.count("lives") == 1


def test_what_has_no_spans_has_its_text(run, tagged):
    file = tagged("gold.iob2", "O O O O O O O O")
    out = run("show", "0", file, file, "-m", "ner", "--table").out
    assert "Spans" not in out
    assert "John Smith lives in New York City ." in out


def test_nested_and_wide_spans_stand_where_their_text_does():
    spans = [Span(0, 6, "=", "ORG"), Span(3, 6, "-", "LOC"), Span(7, 8, "=", "X")]
    assert underlined("京都の大学院 に a", spans, []) == [
        "text    京都の大学院 に a",
        "gold    ============ ==",
        "        ORG          X",
        "              ------",
        "              LOC",
    ]


def test_a_span_across_lines_goes_on_without_its_label():
    spans = [Span(3, 13, "~", "LOC")]
    assert underlined("In New York City", [], spans, 16) == [
        "text    In New",
        "system     ~~~",
        "           LOC",
        "text    York",
        "system  ~~~~",
        "text    City",
        "system  ~",
    ]


def test_lines_are_as_wide_as_they_may_be_and_labels_fit():
    spans = [Span(0, 2, "=", "PER"), Span(20, 23, "-", "Organization")]
    lines = underlined("He sells everything IBM makes", spans, spans[:1], 32)
    assert lines == [
        "text    He sells everything IBM",
        "gold    ==                  ---",
        "        PER         Organization",
        "system  ==",
        "        PER",
        "text    makes",
    ]
    wide = underlined("京都大学院大学の学生", [Span(0, 5, "=", "ORG")], [], 20)
    assert [line for line in wide if line.startswith("text")] == [
        "text    京都大学院大",
        "text    学の学生",
    ]


@given(
    st.text("ab ", min_size=1, max_size=60).filter(str.strip),
    st.lists(st.tuples(st.integers(0, 59), st.integers(1, 9)), max_size=6),
    st.integers(16, 40),
)
def test_every_character_of_a_span_is_underlined_as_often_as_it_is_in_one(
    text, places, width
):
    spans = [
        Span(start, min(start + length, len(text)), "=", "L")
        for start, length in places
        if start < len(text)
    ]
    spans.sort(key=lambda each: (each.start, -each.end))
    lines = underlined(text, spans, [], width)
    assert max(map(len, lines)) <= width
    drawn = sum(line.count("=") for line in lines)
    whole = sum(each.end - each.start for each in spans)
    # A line ends at a space, which is not drawn.
    breaks = len([line for line in lines if line.startswith("text")])
    assert whole - breaks * len(spans) <= drawn <= whole
