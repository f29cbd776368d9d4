"""Errors fixed, broken and left: hand-made graphs, renumbered ones, a store."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

import graphscore
from graphscore import Edge, Graph, Node, Options, score
from graphscore.exceptions import PairingError, UsageError
from graphscore.formats import ReadGraph, read_file
from graphscore.metrics.registry import parse
from graphscore.model.outcome import Error
from graphscore.statistics.changes import ChangedTupleType, _settled, error_changes
from tests.conftest import DATA

FILES = {name: str(DATA / f"{name}.mrp") for name in ("gold", "alder", "birch")}


def sentence(item: str, *labels: str, edges: str = "", text: str = "") -> Graph:
    """A graph of labels, with edges from the first node to those after it."""
    return Graph(
        item,
        "amr",
        2,
        text=text,
        nodes=tuple(Node(number, label) for number, label in enumerate(labels)),
        edges=tuple(Edge(0, number, name) for number, name in enumerate(edges, 1)),
        tops=(0,),
    )


GOLD = [
    sentence("a", "see", "dog", "cat", edges="xy", text="A dog sees a cat."),
    sentence("b", "run", "horse", edges="x", text="A horse runs."),
    sentence("c", "sit", text="Sit!"),
]
BEFORE = [
    sentence("a", "see", "dog", "mouse", edges="xy"),
    sentence("b", "run", "horse", edges="x"),
    sentence("c", "sit"),
]
AFTER = [
    sentence("a", "see", "dog", "cat", edges="xy"),
    sentence("b", "run", "cow", edges="z"),
    sentence("c", "sit"),
]


def said(before: list[Graph], after: list[Graph]) -> list[tuple[Any, ...]]:
    found = error_changes(score(GOLD, before, "mrp"), score(GOLD, after, "mrp"))
    return [
        (
            each.item,
            each.status,
            each.error.error_type,
            each.error.tuple_type,
            each.error.value,
        )
        for each in found
    ]


def test_known_errors_are_fixed_broken_and_left() -> None:
    assert said(BEFORE, AFTER) == [
        ("a", "fixed", "missing", "labels", "cat"),
        ("a", "fixed", "spurious", "labels", "mouse"),
        ("b", "broken", "missing", "labels", "horse"),
        ("b", "broken", "missing", "edges", "x"),
        ("b", "broken", "spurious", "labels", "cow"),
        ("b", "broken", "spurious", "edges", "z"),
    ]
    assert Counter(each[1] for each in said(AFTER, BEFORE)) == {"broken": 2, "fixed": 4}
    both = [BEFORE[0], AFTER[1], AFTER[2]]
    assert [each[:2] for each in said(BEFORE, both)[:2]] == [("a", "still")] * 2


def error(side: Any, gold: int | None, system: int | None, value: Any) -> Error:
    return Error(side, "labels", "node", gold, system, value, "", value, None, "absent")


def test_equal_spurious_is_counted_whatever_the_system_numbers_it() -> None:
    before = [error("spurious", None, number, "dog") for number in (1, 2, 3)]
    after = [error("spurious", None, 7, "dog"), error("spurious", 0, 1, "dog")]
    assert [(each.gold, *rest) for each, *rest in _settled(before, after)] == [
        (None, "fixed", 2),
        (None, "still", 1),
        (0, "broken", 1),
    ]


def test_what_is_missing_is_known_by_its_gold_object() -> None:
    before, after = [error("missing", 1, 5, "dog")], [error("missing", 1, None, "dog")]
    assert [each[1:] for each in _settled(before, after)] == [("still", 1)]
    elsewhere = [error("missing", 2, 5, "dog")]
    assert [each[1:] for each in _settled(before, elsewhere)] == [
        ("fixed", 1),
        ("broken", 1),
    ]


def test_partly_right_is_another_error_than_missing_whatever_its_credit() -> None:
    half = error("partial", 1, 1, "dog")
    more = half._replace(credit=0.75, compared="hound", reason="differs")
    assert [each[1:] for each in _settled([half], [more])] == [("still", 1)]
    lost = error("missing", 1, None, "dog")
    assert [each[1] for each in _settled([lost], [half])] == ["fixed", "broken"]


@pytest.mark.parametrize("value", [True, 1.0, "1"])
def test_values_of_other_types_are_other_errors(value: Any) -> None:
    found = _settled([error("missing", 1, 1, 1)], [error("missing", 1, 1, value)])
    assert [each[1] for each in found] == ["fixed", "broken"]


def renumbered(graph: Graph) -> Graph:
    """The same graph under other ids, with its edges in another order."""
    ids = {node.id: 1000 - place for place, node in enumerate(graph.nodes)}
    replace = msgspec.structs.replace
    return replace(
        graph,
        nodes=tuple(replace(node, id=ids[node.id]) for node in graph.nodes),
        edges=tuple(
            replace(edge, source=ids[edge.source], target=ids[edge.target])
            for edge in reversed(graph.edges)
        ),
        tops=tuple(ids[top] for top in graph.tops),
    )


@pytest.mark.parametrize("metric", ["mrp", "smatch", "predications"])
def test_a_renumbered_copy_changes_nothing(metric: str) -> None:
    sides = [
        [each.graph for each in read_file(FILES[name]) if isinstance(each, ReadGraph)]
        for name in ("gold", "birch")
    ]
    gold, system = sides
    every = {graph.framework for graph in gold}
    copy = [renumbered(graph) for graph in system]
    before, after = (
        score(gold, side, metric, framework=every) for side in (system, copy)
    )
    errors = sum(len(each.errors) for each in before.items)
    for other in before, after:
        found = list(error_changes(before, other))
        assert {each.status for each in found} == {"still"}
        assert sum(each.errors for each in found) == errors > 100


def test_python_and_sql_say_the_same(tmp_path: Path) -> None:
    metric = parse("mrp")
    options = Options(per_item=True, details=True)
    with graphscore.Store(str(tmp_path / "runs.db"), mode="create") as store:
        for name, path in FILES.items():
            store.ingest(path, name, keep_going=True)
        alder, birch = (
            store.score("gold", name, [metric], options)[0]
            for name in ("alder", "birch")
        )
        _, rows = store.query(
            "select framework, language, document, item, layer, error_type, "
            "tuple_type, object, "
            "gold_ordinal, label, name, value, status, errors from v_changes "
            "where baseline = 'alder' and system = 'birch'"
        )
        stored = Counter(rows)
        files = [score(FILES["gold"], FILES[n], metric) for n in ("alder", "birch")]
    found = Counter(
        (
            *each[:5],
            *(
                each.error.error_type,
                each.error.tuple_type,
                each.error.object,
                each.error.gold,
            ),
            *(spelled(each.error.label), each.error.name, spelled(each.error.value)),
            *(each.status, each.errors),
        )
        for each in error_changes(alder, birch)
    )
    assert found == stored
    assert {row[-2] for row in found} == {"fixed", "broken", "still"}
    assert list(error_changes(alder, birch)) == list(error_changes(*files))


def spelled(value: Any) -> Any:
    """A value as the store has its text."""
    if isinstance(value, bool):
        return str(value).lower()
    return value if value is None else str(value)


def test_texts_of_files_and_stores_are_golds() -> None:
    with graphscore.Store("sqlite://", mode="create") as store:
        store.add(GOLD, "gold")
        store.add(AFTER, "after")
        options = Options(per_item=True, details=True)
        [stored] = store.score("gold", "after", [parse("mrp")], options)
    held = score(GOLD, AFTER, "mrp")
    for each in stored, held:
        texts = [item.texts for item in each.items]
        assert texts == [(graph.text,) for graph in GOLD]
    assert [item.errors for item in stored.items] == [
        item.errors for item in held.items
    ]


def test_units_most_first_with_text_and_both_scores() -> None:
    found = graphscore.compare(GOLD, BEFORE, AFTER, names=("b", "a"), samples=10)
    [changes] = found.changes
    assert (changes.baseline, changes.system) == ("b", "a")
    [better], [worse] = changes.better, changes.worse
    assert (better.item, better.text) == ("a", "A dog sees a cat.")
    assert better.system == 1.0
    assert better.change == better.system - better.baseline > 0
    assert (worse.item, worse.baseline) == ("b", 1.0)
    assert worse.change == worse.system - 1.0 < 0
    assert changes.tuple_types == (
        ChangedTupleType("labels", "missing", 1, 1, 0),
        ChangedTupleType("labels", "spurious", 1, 1, 0),
        ChangedTupleType("edges", "missing", 0, 1, 0),
        ChangedTupleType("edges", "spurious", 0, 1, 0),
    )
    assert [changes.total(s) for s in ("fixed", "broken", "still")] == [2, 4, 0]


def test_every_system_is_held_against_the_baseline() -> None:
    found = graphscore.compare(
        GOLD, BEFORE, AFTER, GOLD, names="bag", baseline="a", samples=10
    )
    assert [(each.baseline, each.system) for each in found.changes] == [
        ("a", "b"),
        ("a", "g"),
    ]
    back, perfect = found.changes
    assert [each.item for each in back.better or ()] == ["b"]
    assert (perfect.worse, perfect.total("broken"), perfect.total("still")) == (
        (),
        0,
        0,
    )
    assert perfect.total("fixed") == 4


def test_error_rates_get_better_downwards() -> None:
    path = str(DATA / "ner" / "radio.ne")
    gold = [each.graph for each in read_file(path) if isinstance(each, ReadGraph)]
    empty = [msgspec.structs.replace(each, nodes=(), edges=()) for each in gold]
    found = graphscore.compare(gold, empty, gold, names="eg", metric="ser", samples=10)
    [changes] = found.changes
    assert found.lowest_best
    assert changes.worse == ()
    assert all(each.change < 0 for each in changes.better or ())
    assert changes.better


def test_first_of_each() -> None:
    found = graphscore.compare(FILES["gold"], FILES["alder"], FILES["birch"], samples=9)
    [changes] = found.changes
    few = changes.first(2)
    assert [len(units or ()) for units in (few.better, few.worse)] == [2, 2]
    assert Counter(each.status for each in few.tuples) == {
        "fixed": 2,
        "broken": 2,
        "still": 2,
    }
    assert few.tuple_types == changes.tuple_types
    only = changes.first(None, better=False)
    assert (only.better, only.worse) == (None, changes.worse)
    assert {each.status for each in only.tuples} == {"broken"}
    assert "better" not in only.to_dict()
    numbers = [each.errors for each in changes.tuples]
    assert numbers == sorted(numbers, reverse=True)


def test_what_cannot_be_compared() -> None:
    before = score(GOLD, BEFORE, "mrp")
    with pytest.raises(UsageError, match="cannot be compared"):
        list(error_changes(before, score(GOLD, AFTER, "smatch")))
    bare = score(GOLD, AFTER, "mrp", options=Options(per_item=True))
    with pytest.raises(UsageError, match="with details only"):
        list(error_changes(before, bare))
    with pytest.raises(PairingError, match="'c' \\(amr\\) is in one result only"):
        list(error_changes(before, score(GOLD[:2], AFTER[:2], "mrp")))


def conllu(*heads: str) -> str:
    """A document of sentences of three words, with the heads of each."""
    words = ("Dogs", "bark", ".")
    lines = ["# newdoc id = pets"]
    for number, own in enumerate(heads, 1):
        lines += [f"# sent_id = s{number}", f"# text = Dogs bark {number}."]
        for place, (word, head) in enumerate(zip(words, own, strict=True), 1):
            form = f"{number}." if word == "." else word
            relation = "root" if head == "0" else "dep"
            cells = (place, form, "_", "X", "_", "_", head, relation, "_", "_")
            lines.append("\t".join(map(str, cells)))
        lines.append("")
    return "\n".join(lines) + "\n"


def test_sentences_of_documents_have_their_texts(tmp_path: Path) -> None:
    sides = {
        "gold": ("202",) * 3,
        "old": ("202", "330", "202"),
        "new": ("202", "202", "302"),
    }
    for name, heads in sides.items():
        (tmp_path / f"{name}.conllu").write_text(conllu(*heads), encoding="utf-8")
    files = [str(tmp_path / f"{name}.conllu") for name in sides]
    found = graphscore.compare(*files, metric="las", samples=10)
    assert found.unit == "sentence"
    [changes] = found.changes
    assert [(each.item, each.text) for each in changes.better or ()] == [
        ("s2", "Dogs bark 2.")
    ]
    assert [(each.item, each.text) for each in changes.worse or ()] == [
        ("s3", "Dogs bark 3.")
    ]
    together = graphscore.compare(*files, metric="las", samples=10, cluster="document")
    [changes] = together.changes
    assert [(each.item, each.text) for each in changes.better or ()] == [
        ("pets", "Dogs bark 1. Dogs bark 2. Dogs bark 3.")
    ]
