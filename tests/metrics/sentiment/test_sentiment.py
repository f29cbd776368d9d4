"""Sentiment graph F1: worked examples, the script's way as oracle, formulas, rows."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore import score
from graphscore.exceptions import InputError
from graphscore.metrics.registry import parse
from graphscore.metrics.sentiment.sentiment import Sentiment
from graphscore.model.graph import Graph
from graphscore.similarity import FormulaError
from graphscore.similarity.explanation.report import measure
from graphscore.similarity.view import Pair
from tests.metrics.meaning.pieces import counts, outcome
from tests.metrics.sentiment.opinions import (
    TEXT,
    Held,
    anything,
    at,
    credit,
    expressed,
    sentence,
    spans,
)

GOLD = Held(at("We"), at("the view"), at("loved"))

READINGS = [
    Sentiment(polarity, weighted)
    for polarity in ("compared", "ignored")
    for weighted in (True, False)
]


def found(gold: list[Held], system: list[Held], metric: str = "sentiment"):  # type: ignore[no-untyped-def]
    chosen = parse(metric)
    raw_counts = outcome(sentence(*gold), sentence(*system), chosen).raw_counts
    return chosen.scores(raw_counts)


def test_a_part_of_the_words_is_a_part_of_the_credit() -> None:
    # Of the target's two words the system has one, of the system's one gold has it.
    system = Held(at("We"), at("view"), at("loved"))
    count = found([GOLD], [system]).counts["all"]
    assert count.matched == pytest.approx((1 + 0.5 + 1) / 3)
    assert (count.gold, count.system, count.correct_system) == (1, 1, 1)
    one = found([GOLD], [system], "sentiment(weighted=false)").counts["all"]
    assert (one.matched, one.correct_system) == (1, 1)


def test_all_parts_must_overlap() -> None:
    for wrong in (
        GOLD._replace(holder=at("us")),
        GOLD._replace(target=at("the staff")),
        GOLD._replace(expression=at("rude")),
        GOLD._replace(holder=()),
        GOLD._replace(target=()),
        GOLD._replace(expression=()),
    ):
        assert found([GOLD], [wrong]).counts["all"][:3] == (1, 1, 0)


def test_nothing_equals_nothing_but_an_expression() -> None:
    bare = Held((), (), at("loved"))
    assert found([bare], [bare]).counts["all"] == (1, 1, 1, 1)
    # An opinion without expression is never found, not even in itself.
    silent = Held(at("We"), at("the view"), ())
    assert found([silent], [silent]).counts["all"][:3] == (1, 1, 0)


def test_polarity_counts_unless_it_is_ignored() -> None:
    other = GOLD._replace(polarity="Negative")
    assert found([GOLD], [other]).counts["all"].matched == 0
    assert found([GOLD], [other], "sentiment(polarity=ignored)").counts["all"].f1 == 1
    nothing = GOLD._replace(polarity=None)
    assert found([nothing], [nothing]).counts["all"].f1 == 1


def test_the_best_share_may_be_that_of_another_polarity() -> None:
    part = GOLD._replace(target=at("view"))
    other = GOLD._replace(polarity="Negative")
    # What is right has half of the target, what is wrong has all of it.
    assert found([GOLD], [part, other]).counts["all"].matched == 1


def test_several_may_find_one() -> None:
    system = [GOLD._replace(target=at("the")), GOLD._replace(target=at("view"))]
    count = found([GOLD], system).counts["all"]
    assert (count.matched, count.correct_system) == (pytest.approx(2.5 / 3), 2)


@pytest.mark.parametrize(
    ("span", "words"),
    [
        ((3, 8), {1}),
        ((4, 8), set()),
        ((3, 7), set(range(1, 12))),
        ((3, 99), set(range(1, 12))),
        ((8, 12), set()),
        ((-2, 8), set()),
        ((3, -2), set(range(1, 12))),
        ((99, 120), set()),
        ((36, 36), {8}),
        ((32, 41), {7, 8, 9}),
    ],
)
def test_words_are_between_blanks(span: tuple[int, int], words: set[int]) -> None:
    # "was  rude" has two blanks, and an empty word between them.
    assert Sentiment().prepare(sentence(Held((), (), [span]))).opinions[
        0
    ].expression == sum(1 << word for word in words)


@pytest.mark.parametrize("text", ["", " ", "  ", " a", "a ", " a  b ", "a\tb c"])
def test_texts_may_have_blanks_anywhere(text: str) -> None:
    spans = [(a, b) for a in range(5) for b in range(a, 6)]
    side = [Held((), (), [span]) for span in spans]
    graph = sentence(*side, text=text)
    for metric in READINGS:
        count = metric.scores(outcome(graph, graph, metric).raw_counts).counts["all"]
        args = metric.polarity == "compared", metric.weighted, text
        assert count.matched == pytest.approx(credit(side, side, *args))


@given(anything, anything)
def test_counts_are_those_of_the_script(gold: list[Held], system: list[Held]) -> None:
    for metric in READINGS:
        raw_counts = outcome(sentence(*gold), sentence(*system), metric).raw_counts
        scores = metric.scores(raw_counts)
        count = scores.counts["all"]
        how = metric.polarity == "compared", metric.weighted
        assert (count.gold, count.system) == (len(gold), len(system))
        assert count.matched == pytest.approx(credit(gold, system, *how))
        assert count.correct_system == pytest.approx(credit(system, gold, *how))
        for part in ("holder", "target", "expression", "targeted"):
            one, two = spans(gold, part), spans(system, part)
            assert scores.counts[part][:3] == (len(one), len(two), len(one & two))
            f1 = 2 * len(one & two) / (len(one) + len(two)) if one or two else 0
            assert scores.numbers[f"{part}.f1"] == pytest.approx(f1)


@given(expressed, expressed, st.sampled_from([TEXT, TEXT.replace("view", "room")]))
def test_formulas_come_to_the_counts(
    gold: list[Held], system: list[Held], text: str
) -> None:
    for metric in READINGS:
        one, two = sentence(*gold), sentence(*system, text=text)
        scores = metric.scores(outcome(one, two, metric).raw_counts)
        pair = Pair(*metric.sides([metric.prepare(one)], [metric.prepare(two)]))
        for tuple_type, formula in metric.formulas().items():
            count, measured = scores.counts[tuple_type], measure(formula, pair)
            assert measured.gold == pytest.approx(count.gold)
            assert measured.system == pytest.approx(count.system)
            assert measured.found.recall == pytest.approx(count.matched)
            assert measured.found.precision == pytest.approx(count.correct_system)


def test_a_formula_knows_its_columns_alone() -> None:
    view = Sentiment().prepare(sentence(GOLD))
    with pytest.raises(FormulaError, match="gives this formula the column 'speaker'"):
        view.given("speaker")


def rows(gold: list[Held], system: list[Held], **more: str) -> list[tuple[object, ...]]:
    errors = outcome(sentence(*gold), sentence(*system), Sentiment()).errors
    return [
        (each.error_type, each.label, each.name, each.value, round(each.credit, 3))
        for each in errors
        if each.tuple_type == more.get("tuple_type", "tuples")
    ]


def test_what_is_missing_and_spurious_are_rows() -> None:
    rude = Held((), at("the staff"), at("rude"), "Negative")
    assert rows([GOLD], [rude]) == [
        ("missing", "Positive", "", "loved", 0),
        ("spurious", "Negative", "", "rude", 0),
    ]
    other = GOLD._replace(polarity="Negative")
    assert rows([GOLD], [other]) == [
        ("missing", "Positive", "polarity", "loved", 0),
        ("spurious", "Negative", "polarity", "loved", 0),
    ]


def test_what_is_partly_right_is_one_row() -> None:
    less = GOLD._replace(target=at("view"))
    partial = ("partial", "Positive", "target", "loved")
    assert rows([GOLD], [less]) == [(*partial, 0.833)]
    assert rows([less], [GOLD]) == [(*partial, 0.833)]
    assert rows([GOLD], [GOLD]) == []


def test_spans_are_rows_once() -> None:
    system = [GOLD, GOLD._replace(target=at("us"), expression=at("rude"))] * 2
    assert rows([GOLD], system, tuple_type="target") == [
        ("spurious", None, "", "us", 0)
    ]
    assert rows([GOLD], system, tuple_type="targeted") == [
        ("spurious", "Positive", "", "us", 0)
    ]
    assert rows([GOLD], system, tuple_type="holder") == []


def test_sentences_are_paired_by_their_ids() -> None:
    gold = [sentence(GOLD, id="1"), sentence(GOLD, id="2")]
    system = [sentence(GOLD, id="2"), sentence(GOLD, id="3")]
    result = score(gold, system, "sentiment")
    assert (result.pairs, result.missing_system) == (2, 1)
    assert len(result.spurious_system) == 1
    assert result.counts["all"][:2] == (2, 1)
    assert math.isclose(result.counts["all"].matched, 1)


def test_a_sentence_is_there_once() -> None:
    first = sentence(GOLD, id="1")
    twice = [first, sentence(GOLD._replace(polarity="Negative"), id="1")]
    result = score([first], twice)
    assert (result.f1, result.rejected_records) == (1, 1)
    with pytest.raises(InputError, match="a second time"):
        score(twice, [first])


def test_parameters_have_their_names() -> None:
    for text in (
        "sentiment",
        "sentiment(polarity=ignored)",
        "sentiment(weighted=false)",
    ):
        assert str(parse(text)) == text
    assert str(parse("sentiment(polarity=compared,weighted=true)")) == "sentiment"


def test_hostile_graphs_have_counts() -> None:
    graph = sentence(GOLD, Held((), (), ()))
    assert counts(graph, Graph("1", "sentiment"), "sentiment")["all"] == (2, 0, 0)
    assert counts(None, graph, "sentiment")["all"] == (0, 2, 0)
