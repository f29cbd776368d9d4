"""Rows of words and tags, and what AllenNLP puts out."""

from __future__ import annotations

import json
from typing import Any

import pytest

from graphscore import score
from graphscore.formats.base import ReadGraph
from graphscore.formats.registry import format_named
from graphscore.formats.round_trip import write_checked
from graphscore.model.graph import Anchor
from tests.formats.reading import FormatReader

FORMAT = format_named("srl-rows")
READER = FormatReader(FORMAT, "a.jsonl")

WORDS = ["Old", "dogs", "bark", "and", "bite"]


def row(tags: str, sense: Any, **fields: Any) -> dict[str, Any]:
    return {"seq_words": WORDS, "BIO": tags.split(), "pred_sense": sense, **fields}


BARK = row("B-A0 I-A0 B-V O O", [2, "bark", "bark.01", "VERB"], src_lang="<EN>")
BITE = row("B-A0 I-A0 O O B-V", [4, "bite", "bite.01", ""])
BARE = {"seq_words": ["Yes"], "BIO": ["O"], "pred_sense": [-1, "-", "<NO-PRED>", "-"]}

ALLEN = {
    "words": WORDS,
    "verbs": [
        {"verb": "bark", "tags": BARK["BIO"], "description": "[A0: Old dogs]"},
        {"verb": "bite", "tags": BITE["BIO"]},
    ],
}


def lines(*rows: Any) -> str:
    return "".join(json.dumps(value) + "\n" for value in rows)


ROWS = lines(BARK, BITE, BARE, BARE)


def test_rows_of_the_same_words_are_one_sentence() -> None:
    first, second, third = READER.good(ROWS)
    assert [(n.label, n.anchors) for n in first.nodes if n.label] == [
        ("bark.01", (Anchor(9, 13),)),
        ("bite.01", (Anchor(18, 22),)),
    ]
    assert [edge.label for edge in first.edges] == ["A0", "V", "A0", "V"]
    assert (second.nodes, third.text) == ((), "Yes")
    # The same predicate once more is another sentence.
    assert len(READER.good(lines(BARK, BARK))) == 2
    assert len(READER.good(lines({**BARK, "seq_words": WORDS[::-1]}, BITE))) == 2


def test_allennlp_has_the_same_without_senses() -> None:
    [graph] = READER.good(lines(ALLEN))
    [rows, *_] = READER.good(ROWS)
    assert [n.anchors for n in graph.nodes] == [n.anchors for n in rows.nodes]
    assert score([rows], [graph], "conll05").f1 == 1.0


def test_what_is_written_comes_back() -> None:
    for data in (ROWS, lines({**ALLEN, "id": 7})):
        graphs = READER.good(data)
        assert repr(READER.good(b"".join(write_checked(FORMAT, graphs)))) == repr(
            graphs
        )


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        (row("B-A0 O O", []), "$.BIO: found 3 tags, expected one for each of 5 words"),
        (
            row("B-A0 O O O O", []),
            "$.BIO: found arguments without a predicate, expected a tag B-V",
        ),
        (
            row("O O B-V O O", [9, "bark", "bark.01", "VERB"]),
            "$.pred_sense[0]: found 9, expected the number of a word, below 5, or -1 "
            "for none",
        ),
        (
            row("O O B-V O 7", ["bark.01"]),
            "$.pred_sense[0]: found 'bark.01', expected a whole number, as in [number "
            "of the word, word, sense, part of speech]",
        ),
        (
            {"words": WORDS, "verbs": [{"tags": "O"}]},
            "$.verbs[0].tags: found 'O', expected the tags of a predicate",
        ),
        ({"seq_words": 7, "BIO": []}, "$.seq_words: found 7, expected a list"),
    ],
)
def test_what_is_wrong_costs_its_sentence(bad: Any, problem: str) -> None:
    data = lines(BARE, bad, BARE)
    assert READER.problems(data)[0] == f"a.jsonl:2: {problem}"
    kinds = [isinstance(record, ReadGraph) for record in READER.read(data)]
    assert kinds == [True, False, True]


def test_a_bad_row_costs_the_sentence_that_it_is_of() -> None:
    bad = {**BITE, "BIO": ["X"] * 5}
    for damaged in (lines(bad), "{\n", lines({"BIO": []})):
        data = lines(BARK) + damaged + lines(BITE, BARE)
        kinds = [isinstance(record, ReadGraph) for record in READER.read(data)]
        assert kinds == [False, True]
