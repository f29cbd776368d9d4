"""What stands in for lists in other libraries, and what is nearly right."""

from __future__ import annotations

import json
from collections import UserList, deque, namedtuple
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graphscore import InputError, References, compare, score, whatif
from graphscore.exceptions import GraphscoreError, UsageError
from graphscore.inputs.spans import from_spans
from graphscore.structures.entities.tags import TYPE_KEYS

TAGS = [["B-PER", "I-PER", "O", "B-LOC"], ["O", "B-ORG"]]
SPANS = [[("PER", 0, 1), ("LOC", 3, 3)], [("ORG", 1, 1)]]

Labelled = namedtuple("Labelled", "start end label")


class Scalar:
    """A number as tensors give it."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


class Tensor:
    """What says itself what is in it, and whose numbers are no ints."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def tolist(self) -> Any:
        return self.value


@pytest.mark.parametrize(
    "gold",
    [
        np.array([np.array(item) for item in TAGS], dtype=object),
        [np.array(item) for item in TAGS],
        tuple(map(tuple, TAGS)),
        deque(TAGS),
        [UserList(item) for item in TAGS],
        [[np.str_(tag) for tag in item] for item in TAGS],
        {"a": TAGS[0], "b": TAGS[1]}.values(),
    ],
    ids=str,
)
def test_lists_of_tags_have_many_forms(gold: Any) -> None:
    assert score(gold, TAGS, "ner").f1 == 1


@pytest.mark.parametrize(
    "made",
    [
        lambda: ((tag for tag in item) for item in TAGS),
        lambda: map(iter, TAGS),
        lambda: ((span for span in item) for item in SPANS),
    ],
)
def test_generators_within_generators_are_gone_through_once(
    made: Callable[[], Any],
) -> None:
    assert score(made(), made(), "ner").f1 == 1
    used = made()
    list(used)
    with pytest.raises(InputError, match=r"<system>: found 0 items, expected 2"):
        score(made(), used, "ner")


def each(make: Callable[..., Any]) -> Any:
    return [[make(*span) for span in item] for item in SPANS]


@pytest.mark.parametrize(
    "gold",
    [
        [set(item) for item in SPANS],
        tuple(map(frozenset, SPANS)),
        each(lambda label, start, end: Labelled(start, end, label)),
        each(lambda label, start, end: [label, np.int64(start), np.int32(end)]),
        each(lambda label, start, end: (label, Scalar(start), Scalar(end))),
        each(lambda label, start, end: (Tensor(start), Tensor(end), label)),
    ],
    ids=["sets", "frozensets", "named", "numpy", "scalars", "tensors"],
)
def test_spans_have_many_forms(gold: Any) -> None:
    assert score(gold, TAGS, "ner").f1 == 1


@pytest.mark.parametrize(
    "chain",
    [{(0, 1), (5, 5)}, np.array([(0, 1), (5, 5)]), Tensor([[0, 1], [5, 5]])],
    ids=["set", "array", "tensor"],
)
def test_clusters_have_many_forms(chain: Any) -> None:
    assert score([[chain]], [[[(0, 1), (5, 5)]]], "muc").f1 == 1


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        (TAGS[0], "a single item has to be in a list"),
        ([{"start": 0, "end": 3, "label": "PER"}], "a single item has to be in"),
        ({"tokens": ["a"], "ner_tags": ["O"]}, "give the one to be scored"),
        ([[1, 2, 0], [0]], r"numbers are tags if labels=\['O', 'B-PER', "),
        (np.array([[1, 2, 0], [0, 0, 3]]), r"numbers are tags if labels="),
    ],
)
def test_what_is_nearly_right_is_told_what_is_missing(value: Any, hint: str) -> None:
    with pytest.raises(TypeError, match=hint):
        score(value, TAGS, "ner")


def test_pipelines_that_join_no_tokens_are_refused() -> None:
    token = {"entity": "B-PER", "score": 0.9, "word": "Ada", "start": 0, "end": 3}
    with pytest.raises(InputError, match=r"\[0\]\[0\]: found the tag 'B-PER' of a tok"):
        score([[token]], [[token]], "ner")
    joined = {"entity_group": "PER", "score": np.float32(0.9), "start": 0, "end": 3}
    assert score([[joined]], [[token | {"entity": "PER"}]], "ner").f1 == 1


def test_items_that_are_columns() -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frame = pandas.DataFrame({"nr": [0, 0, 0, 0, 1, 1], "tag": [*TAGS[0], *TAGS[1]]})
    items = [group["tag"] for _, group in frame.groupby("nr")]
    assert score(items, TAGS, "ner").f1 == 1
    assert score([item.values for item in items], TAGS, "ner").f1 == 1


def test_frames_with_a_column_of_sentences() -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    tags = [*TAGS[0], *TAGS[1]]
    frame = {"sent": [0, 0, 0, 0, 1, 1], "word": list("abcdef"), "tag": tags}
    assert score(pandas.DataFrame(frame), TAGS, "ner").f1 == 1


@pytest.mark.parametrize("metric", ["ner", "muc", ["ser", "ner"]], ids=str)
def test_what_is_scored_says_what_empty_lists_are(metric: Any) -> None:
    found = score([[], []], [[], []], metric)
    for each in found if isinstance(metric, list) else [found]:
        assert (each.pairs, each.counts["all"].gold) == (2, 0)


def test_nothing_says_what_empty_lists_are() -> None:
    for undecided in (None, "las", "f1(match(nodes(), exact(label)))", ["ner", "muc"]):
        with pytest.raises(TypeError, match="from_tags, from_spans, from_clusters"):
            score([[], []], [[], []], undecided)


def test_empty_lists_beside_a_file_need_no_tags(tmp_path: Path) -> None:
    path = tmp_path / "gold.iob"
    path.write_text("Ada\tB-PER\n\nBob\tB-PER\n", encoding="utf-8")
    assert score(str(path), [[], []], "ner").counts["all"].gold == 2


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([["B-PER"], [], [("PER", 0, 0)]], r"gold\[2\] is spans .*expected tags"),
        (["(b / bark)", "1\ta\tb"], r"gold\[1\] is CoNLL-U .*expected PENMAN"),
        (["gold.mrp"], "a path is given by itself, not in a list"),
        (iter([None, ["O"]]), r"gold\[0\] is None"),
    ],
)
def test_items_of_several_kinds_are_named(value: Any, said: str) -> None:
    with pytest.raises(TypeError, match=said):
        score(value, TAGS, "ner")


def test_systems_may_speak_of_later_tokens_than_others() -> None:
    gold = [[("PER", 0, 1)], []]
    later = [[("PER", 0, 1), ("LOC", 7, 8)], [("PER", 3, 3)]]
    found = compare(gold, gold, later, metric="ner", samples=10)
    assert [each.value for each in found.systems] == [1, 0.5]
    found = compare(later, gold, iter(later), metric="ner", samples=10)
    assert [each.value for each in found.systems] == [0.5, 1]
    chains = [[[(0, 1), (3, 3)]]]
    found = compare(chains, [[[(0, 1), (9, 9)]]], chains, metric="muc", samples=10)
    assert [each.value for each in found.systems] == [0, 1]


def test_words_come_from_the_system_that_has_them(tmp_path: Path) -> None:
    path = tmp_path / "system.iob"
    text = "".join(f"{tag}\t{tag}\n" for tag in TAGS[0]) + "\nx\tO\ny\tB-ORG\n"
    path.write_text(text, encoding="utf-8")
    found = compare(SPANS, SPANS, str(path), metric="ner", samples=10)
    assert [each.value for each in found.systems] == [1, 1]


def test_references_may_be_lists_wherever_systems_are_scored() -> None:
    golds = References(SPANS, [[("PER", 0, 1), ("LOC", 9, 9)], []])
    later = [[("PER", 0, 1), ("LOC", 9, 9)], []]
    best = [score(golds, each, "ner").f1 for each in (TAGS, later)]
    found = compare(golds, TAGS, later, metric="ner", samples=10)
    assert [each.value for each in found.systems] == best == [1, 1]
    assert whatif(golds, TAGS, metric="ner").value == 1


def test_a_metric_among_systems_is_told_where_it_belongs() -> None:
    for metric in ("ner", "f1(match(nodes(), exact(label)))"):
        with pytest.raises(UsageError, match="is a metric, not a system: metric='"):
            compare(TAGS, [TAGS, TAGS], metric)
    with pytest.raises(UsageError, match="one by one or as systems="):
        compare(TAGS, [TAGS, TAGS], metric="ner")


def test_a_value_of_any_size_is_shown_in_part() -> None:
    document = {"start": 0, "end": "5", "sents": [["Filler", "words"]] * 90}
    with pytest.raises(InputError) as refused:
        score([[document]], [[document]], "ner")
    message = str(refused.value)
    assert "expected a dict with start and end" in message
    assert len(message) < 400


@pytest.mark.parametrize("key", TYPE_KEYS)
def test_dicts_have_their_types_under_many_keys(key: str) -> None:
    [graph] = from_spans([[{"start": 0, "end": 3, key: "PER"}]])
    assert [node.label for node in graph.nodes] == ["PER"]
    [graph] = from_spans([[{"start": 0, "end": 3, key: ["PER", "F"]}]])
    assert [node.label for node in graph.nodes] == ["PER", "F"]


@dataclass
class Found:
    """A span as a program has it."""

    start: int
    end: int
    entity_type: str
    text: str = ""


class Placed:
    """A span that counts tokens, and characters by other names."""

    def __init__(self, start: int, end: int, label: str) -> None:
        self.start, self.end, self.label = 0, 1, 380
        self.start_char, self.end_char, self.label_ = start, end, label


def test_objects_are_spans_by_their_attributes() -> None:
    gold = [[{"start": 0, "end": 3, "label": "PER"}]]
    assert score(gold, [[Found(0, 3, "PER")]], "ner").f1 == 1
    assert score(gold, [[Placed(0, 3, "PER")]], "ner").f1 == 1
    assert score(gold, [[Found(0, 3, "LOC")]], "ner").f1 == 0


@pytest.mark.parametrize(
    ("bare", "said"),
    [
        ({"start": 5, "end": 8, "kind": "x"}, "no type among the keys start, end, ki"),
        ((5, 8), "a range without a type"),
    ],
)
def test_spans_without_types_are_errors_where_others_have_some(
    bare: Any, said: str
) -> None:
    typed: Any = (0, 3, "PER")
    if isinstance(bare, dict):
        typed = {"start": 0, "end": 3, "label": "PER"}
    with pytest.raises(InputError, match=rf"\[1\]\[0\]: found {said}"):
        from_spans([[typed], [bare]])
    one, other = from_spans([[typed]]), from_spans([[bare]])
    for sides in ((one, other), (other, one)):
        for metric in ("ner", "ser", "surface"):
            with pytest.raises(GraphscoreError, match=f"found {said}.*as on the other"):
                score(*sides, metric)
    result = score(other, other, "ner")
    assert result.f1 == 1
    assert result.notes == [
        "ner: no span of either side has a type: types are not compared"
    ]


def test_texts_of_spans_must_be_what_they_cover(tmp_path: Path) -> None:
    span = {"start": 6, "end": 11, "label": "PER", "text": "Petra"}
    assert from_spans([[span]], texts=["Hello Petra"])
    with pytest.raises(InputError, match="found 'Petra', expected 'etra ', the char"):
        from_spans([[span | {"start": 7, "end": 12}]], texts=["Hello Petra !"])
    # The text may be that of the other side alone.
    path = tmp_path / "gold.jsonl"
    gold = {"text": "Hello Petra !", "spans": [span]}
    path.write_text(json.dumps(gold))
    assert score(str(path), [[span]], "ner").f1 == 1
    with pytest.raises(InputError, match=r"<system>: \[0\]: text: found 'Petra'"):
        score(str(path), [[span | {"start": 7, "end": 12}]], "ner")


def test_a_list_within_itself_is_refused() -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(RecursionError):
        score([endless], [endless])


def test_strings_of_other_libraries_are_tags() -> None:
    strange = [["O", np.array("B-PER"), np.str_("O")], ["O", "O"]]
    assert score(strange, [["O", "B-PER", "O"], ["O", "O"]], "ner").f1 == 1
    with pytest.raises(InputError, match=r"\[0\]\[1\]: found 3, expected a tag"):
        score([["O", np.int64(3), "O"]], [["O", "B-PER", "O"]], "ner")
