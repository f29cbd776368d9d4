"""Dicts and the output of language models: what is repaired, rejected and located."""

from __future__ import annotations

import json
from typing import Any

import pytest

from graphscore import InputError, LossWarning, agree, compare, score
from graphscore.inputs.json_texts import decoded

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


def test_gold_is_never_repaired() -> None:
    with pytest.raises(InputError, match="text that is no JSON"):
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
        decoded(text, repair=True)


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
