"""Dicts and the output of language models: what is repaired, rejected and located."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest

from graphscore import GraphscoreError, InputError, LossWarning, agree, compare, score
from graphscore.inputs.json_texts import decode_json

GOLD: list[dict[str, Any]] = [
    {
        "text": "Ada in London",
        "entities": [
            {"start": 0, "end": 3, "label": "PER"},
            {"start": 7, "end": 13, "label": "LOC"},
        ],
    },
    {"text": "Bob in Rome", "entities": [{"start": 0, "end": 3, "label": "PER"}]},
    {"text": "Cy in Rome", "entities": [{"start": 0, "end": 2, "label": "PER"}]},
]
SYSTEM = [
    'Sure: {"entities": [["Ada", "PER"], ["London", "LOC"],]}',
    '{"entities": [["Bo',
    "{'entities': [('Cy', 'PER'), ('Paris', 'LOC')]}",
]


def test_losses_of_language_models_are_counted_and_said() -> None:
    with pytest.warns(LossWarning):
        result = score(GOLD, SYSTEM, "ner")
    count = result.counts["strict"]
    assert (count.gold, count.system, count.matched) == (4, 4, 3)
    assert result.rejected_records == 1
    notes = " ".join(result.notes)
    assert "repaired in 2 items" in notes
    assert "not in the text: 1," in notes


BARE = '{"entities": [{"start": 0, "end": 2}]}'


def test_an_answer_without_types_is_rejected_where_others_have_some() -> None:
    with pytest.warns(LossWarning):
        result = score(GOLD, [SYSTEM[0], SYSTEM[1], BARE], "ner")
    count = result.counts["strict"]
    assert (count.gold, count.system, count.matched) == (4, 2, 2)
    assert result.rejected_records == 2
    assert "[1]: found truncated JSON" in result.rejected[0]
    assert "[2]: found a range without a type" in result.rejected[1]


def test_no_answer_is_rejected() -> None:
    for system in ([None, *SYSTEM[1:]], [*SYSTEM[:2], None], [GOLD[0], None, GOLD[2]]):
        with pytest.warns(LossWarning):
            result = score(GOLD, system, "ner")
        place = system.index(None)
        expected = f"<system>: [{place}]: found None, expected an answer"
        assert expected in result.rejected
    with pytest.raises(InputError, match=r"\[1\]: found None, expected an answer"):
        score([GOLD[0], None], [SYSTEM[0]] * 2, "ner")


def test_answers_that_all_lack_types_are_refused() -> None:
    with pytest.raises(
        GraphscoreError, match="of the system: found a range without a type"
    ):
        score(GOLD, [BARE] * 3, "ner")


def test_gold_without_types_is_refused() -> None:
    gold = [*GOLD[:2], {"text": "Cy in Rome", "entities": [{"start": 0, "end": 2}]}]
    with pytest.raises(GraphscoreError, match="of gold: found a range without a type"):
        score(gold, [SYSTEM[0], '{"entities": []}', SYSTEM[2]], "ner")


def test_gold_is_never_repaired() -> None:
    with pytest.raises(InputError, match="text that is not JSON"):
        score([SYSTEM[0]], [SYSTEM[0]], "ner")


def test_without_text_words_are_a_multiset_and_the_result_says_so() -> None:
    gold = [{"entities": [["Ada", "PER"], ["Ada", "PER"]]}]
    with pytest.warns(LossWarning, match="there is no text"):
        result = score(gold, ['{"entities": {"PER": ["Ada"]}}'], "ner")
    assert result.counts["strict"].matched == 1


@pytest.mark.parametrize(
    "text", ['{"a": [', '{"a": 1} {"a": 2}', '{"a": 1, "a": 2}', "no", '{"a": NaN}']
)
def test_what_is_not_one_whole_value_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        decode_json(text, repair=True)


def test_dicts_of_tokens_and_tags() -> None:
    rows = [{"tokens": ["Ada", "wrote"], "ner_tags": ["B-PER", "O"]}]
    assert score(rows, [["B-PER", "O"]], "ner").f1 == 1


def test_dicts_and_their_json_are_compared_and_agreed_on() -> None:
    texts = [json.dumps(item) for item in GOLD]
    with pytest.warns(LossWarning, match="system 2"):
        compared = compare(GOLD, texts, SYSTEM, metric="ner", samples=20)
    assert [system.value for system in compared.systems] == [1, 0.75]
    with pytest.warns(LossWarning, match="annotator 2"):
        agreed = agree(texts, SYSTEM, metric="ner", samples=20)
    assert any("repaired in 2 items" in note for note in agreed.notes)
    # Nobody is gold: what Ben did not annotate is no disagreement.
    assert agreed.pairs[0].value == pytest.approx(6 / 7)
    tags = [["B-PER", "O"], ["O", "O"]]
    assert agree(tags, tags[::-1], metric="ner", samples=20).pairs[0].value == 0
    with pytest.raises(TypeError, match="annotator 2"):
        agree(tags, [1, 2], metric="ner")


@dataclass
class Report:
    place: str
    victims: list[str]


LIMA = {"place": "Lima", "victims": ["Ada", "Bob"]}


@pytest.mark.parametrize("gold", [[LIMA], [Report("Lima", ["Ada", "Bob"])]])
def test_dicts_are_objects_of_the_class_that_scores(gold: list[Any]) -> None:
    system = ['{"place": "Lima", "victims": ["Ada"], "note": 1}']
    with pytest.warns(LossWarning, match="Report has no field for note"):
        result = score(gold, system, Report)
    assert result.counts["victims"].matched == 1
    assert str(score(gold, [LIMA], of=Report).metric) == "Report"


def test_values_that_a_class_does_not_take_are_named() -> None:
    with pytest.raises(InputError, match=r"\[0\]: found \$.place: int, expected str"):
        score([{"place": 7, "victims": []}], [LIMA], Report)


@pytest.mark.parametrize(
    ("function", "word", "near"),
    [(score, "framwork", "framework"), (agree, "seeds", "seed")],
)
def test_unknown_keywords_are_refused_with_the_nearest(
    function: Any, word: str, near: str
) -> None:
    with pytest.raises(TypeError, match=f"{word!r} .did you mean {near!r}"):
        function([["O"]], [["O"]], metric="ner", **{word: 1})


@pytest.mark.parametrize("value", [5, [object()], [("Ada", [{"entities": []}])]])
def test_what_is_not_taken_is_said_in_five_lines(value: Any) -> None:
    with pytest.raises(TypeError) as caught:
        score([["O"]], value, "ner")
    assert len(str(caught.value).splitlines()) == 5
