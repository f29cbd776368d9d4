"""What people hold, as they hold it: keys, columns, numbers with names, relations."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from graphscore import (
    InputError,
    agree,
    compare,
    compute_metrics,
    from_events,
    from_relations,
    score,
    whatif,
)

TEXT = "Ada left Rome"
WORDS = TEXT.split()
TAGS = ["B-PER", "O", "B-LOC"]
LABELS = ["O", "B-PER", "B-LOC"]
ADA = {"start": 0, "end": 3, "label": "PER"}
ROME = {"start": 9, "end": 13, "label": "LOC"}


@pytest.mark.parametrize(
    "gold",
    [
        [{"text": TEXT, "entities": [{"start": 0, "end": 3, "label_": "PER"}]}],
        [{"text": TEXT, "ents": [{"start_char": 0, "end_char": 3, "label_": "PER"}]}],
        [{"text": TEXT, "entities": [{"begin": 0, "end": 3, "type": "PER"}]}],
        [{"text": TEXT, "entities": [("PER", 0, 3)]}],
        [{"tokens": WORDS, "entities": [("PER", 0, 0)]}],
        [{"tokens": WORDS, "entities": [(0, 0, "PER")]}],
        [(TEXT, {"entities": [(0, 3, "PER")]})],
    ],
)
def test_entities_stand_under_usual_keys(gold: list[Any]) -> None:
    result = score(gold, [{"text": TEXT, "entities": [["Ada", "PER"]]}], "ner")
    assert result.f1 == 1
    assert result.counts["strict"].matched == 1


@pytest.mark.parametrize(
    "gold",
    [
        [{"ner_tags": TAGS}],
        [{"id": "1", "labels": TAGS}],
        [{"spans": [("PER", 0, 0), (2, 2, "LOC")]}],
        {"tokens": [WORDS], "ner_tags": [TAGS]},
        {"ner_tags": [TAGS]},
        [{"tokens": WORDS, "ner_tags": [1, 0, 2]}],
        {"tokens": [WORDS], "ner_tags": [[1, 0, 2]]},
        [[1, 0, 2]],
    ],
)
def test_lists_of_tokens_need_no_words(gold: Any) -> None:
    result = score(gold, [["B-PER", "O", "O"]], "ner", labels=LABELS)
    assert (result.precision, result.recall) == (1, 0.5)


def test_clusters_need_no_words() -> None:
    gold = [{"clusters": [[(0, 1), (5, 5)], [(2, 2), (7, 7)]]}]
    system = {"predicted_clusters": [[[(0, 1), (5, 5)]]]}
    assert score(gold, system, "muc").recall == 0.5


def test_characters_without_text_are_of_the_other_side() -> None:
    gold = [{"text": TEXT, "entities": [ADA, ROME]}]
    assert score(gold, [{"entities": [ADA]}], "ner").recall == 0.5


def test_a_dict_that_is_an_item_is_no_dict_of_columns() -> None:
    with pytest.raises(TypeError, match="a single item has to be in a list"):
        score({"tokens": WORDS, "ner_tags": TAGS}, [TAGS], "ner")


BORN = {"head": ADA, "tail": ROME, "relation": "born"}


@pytest.mark.parametrize(
    "gold",
    [
        {"text": TEXT, "relations": [BORN]},
        {"text": TEXT, "triples": [((0, 3, "PER"), "born", (9, 13, "LOC"))]},
        {"tokens": WORDS, "triples": [((0, 0, "PER"), "born", (2, 2, "LOC"))]},
        {
            "text": TEXT,
            "entities": [ADA, ROME],
            "relations": [{"head": 0, "tail": 1, "type": "born"}],
        },
        {
            "text": TEXT,
            "entities": [{"id": "a", **ADA}, {"id": "b", **ROME}],
            "relations": [{"source": "a", "target": "b", "type": "born"}],
        },
    ],
)
def test_relations_are_of_spans_and_references(gold: dict[str, Any]) -> None:
    triple = (("Ada", "PER"), "born", ("Rome", "LOC"))
    system = from_relations([[triple]], texts=[TEXT])
    assert score([gold], system, "relation").counts["strict"].matched == 1


def test_bare_relations_are_told_their_constructor() -> None:
    with pytest.raises(TypeError, match=r"nearest: graphscore\.from_relations"):
        score([[("Ada", "wrote", "notes")]], [[]], "relation")


def test_events_have_characters_or_words() -> None:
    trigger = {"start": 4, "end": 8, "text": "left"}
    who = {"role": "Who", "start": 0, "end": 3, "text": "Ada"}
    event = {"trigger": trigger, "event_type": "Move", "arguments": [who]}
    by_words = {"trigger": "left", "type": "Move", "arguments": {"Who": ["Ada"]}}
    system = from_events([[by_words]], texts=[TEXT])
    result = score([{"text": TEXT, "events": [event]}], system, "argument")
    assert result.counts["classification"].matched == 1
    wrong = event | {"trigger": trigger | {"text": "Left!"}}
    with pytest.raises(InputError, match="'Left!', expected 'left', the characters"):
        score([{"text": TEXT, "events": [wrong]}], system, "argument")
    with pytest.raises(InputError, match="2 text, expected 1, one for each item"):
        from_events([[]], texts=["", ""])


def test_numbers_have_names_and_what_gold_ignores_is_left_out() -> None:
    gold = [[-100, 1, 0, -100, 2, -100]]
    system = [[1, 1, 0, 1, 0, 2]]
    labels = dict(enumerate(LABELS))
    result = score(gold, system, "ner", labels=labels)
    assert (result.precision, result.recall) == (1, 0.5)
    assert compare(gold, system, gold, metric="ner", labels=labels, samples=9)
    assert agree(gold, system, metric="ner", labels=labels, samples=9).pairs
    assert whatif(gold, system, metric="ner", labels=labels)
    for prediction in (
        system,
        [[[float(k == n) for k in range(3)] for n in system[0]]],
    ):
        evaluated = SimpleNamespace(predictions=prediction, label_ids=gold)
        numbers = compute_metrics("ner", labels=labels)(evaluated)
        assert numbers["ner_strict_recall"] == 0.5
        assert compute_metrics("ner", labels=labels)((prediction, gold)) == numbers


def test_numbers_without_names_are_refused() -> None:
    with pytest.raises(TypeError, match="labels="):
        score([[1, 0, 2]], [TAGS], "ner")
    with pytest.raises(InputError, match=r"\[0\]\[1\]: found 7, expected 0 to 2"):
        score([[1, 7]], [["O", "O"]], "ner", labels=LABELS)


class Dataset(list[Any]):
    """Rows with their features, as of Hugging Face."""

    @property
    def features(self) -> dict[str, Any]:
        tags = SimpleNamespace(feature=SimpleNamespace(names=LABELS))
        return {"tokens": SimpleNamespace(feature="string"), "ner_tags": tags}


def test_data_sets_say_what_their_numbers_mean() -> None:
    rows = Dataset([{"id": "0", "tokens": WORDS, "ner_tags": [1, 0, 2]}])
    assert score(rows, [["B-PER", "O", "O"]], "ner").recall == 0.5


def test_rows_of_datasets_itself() -> None:
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    tags = datasets.Sequence(datasets.ClassLabel(names=LABELS))
    features = {"tokens": datasets.Sequence(datasets.Value("string")), "ner_tags": tags}
    rows = datasets.Dataset.from_dict(
        {"tokens": [WORDS], "ner_tags": [[1, 0, 2]]}, datasets.Features(features)
    )
    assert score(rows, [["B-PER", "O", "O"]], "ner").recall == 0.5
    assert score(rows[:1], [TAGS], "ner", labels=LABELS).f1 == 1
