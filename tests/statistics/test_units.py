"""Units of resampling: what a metric's raw counts are sums over."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
import pytest

from graphscore import Anchor, Edge, Graph, Node, Store
from graphscore.evaluation.api import score
from graphscore.evaluation.options import Options
from graphscore.evaluation.result import Result
from graphscore.exceptions import UsageError
from graphscore.metrics.base import unit_of
from graphscore.metrics.registry import metrics, parse
from graphscore.model.outcome import RawCounts, add_raw_counts
from graphscore.statistics.api import compare
from graphscore.statistics.comparison import compare_results
from graphscore.statistics.resampling import Resampling
from graphscore.statistics.resampling_units import default_unit
from graphscore.statistics.tables import Unit, raw_count_table, whole

PARTS = Options(per_item=True, parts=True)

GOLD, SYSTEM, MATCHED = (
    ("all", "", quantity) for quantity in ("gold", "system", "matched")
)


def sentence(name: str, document: str, *forms: str, head: int = 0) -> Graph:
    """Words that all depend on one of them, which is the root."""
    words = tuple(Node(number, form) for number, form in enumerate(forms))
    others = (number for number in range(len(forms)) if number != head)
    edges = tuple(Edge(head, number, "dep") for number in others)
    return Graph(name, "ud", document=document, nodes=words, edges=edges, tops=(head,))


GOLD_SIDE = [
    sentence("1", "d", "They", "are", "do", "n't"),
    sentence("2", "d", "I", "go"),
    sentence("3", "d", "so"),
]


def counted(result: Result) -> list[tuple[str, int, int, int]]:
    """Gold, system and matched of every sentence of las."""
    [item] = result.items
    return [
        (
            part.item,
            *(int(part.raw_counts.get(key, 0)) for key in (GOLD, SYSTEM, MATCHED)),
        )
        for part in item.parts
    ]


TAGGING = "neleval(measures=all-tagging)"


def test_every_metric_has_a_unit() -> None:
    sentences = {*("uas", "las", "clas", "mlas", "blex", "tagging", "segmentation")}
    sentences |= {"elas", "eulas", "udeval"}
    expected: dict[str, Unit] = {"neleval": "collection", "surface": "collection"}
    expected |= dict.fromkeys(sentences, "sentence")
    documents = (*("muc", "b3", "ceaf", "ceafm", "ceafe", "blanc", "lea", "conll"),)
    documents += ("mentions", "docred", "scirex", "rules", "ancast")
    documents += ("ceaf_ree", "ceaf_rme", "rolefillers", "gtt", "granular", "muc4")
    expected |= dict.fromkeys(documents, "document")
    for name in metrics():
        assert default_unit(parse(name)) == expected.get(name, "item"), name


def test_words_of_the_system_follow_the_alignment() -> None:
    # The system begins its second sentence two words early, and cuts words otherwise.
    system = [
        sentence("1", "d", "They", "are"),
        sentence("2", "d", "don't", "I", "g", "o", head=1),
        sentence("3", "d", "so"),
    ]
    result = score(GOLD_SIDE, system, "las", options=PARTS)
    # "don't" is aligned with nothing and begins in the first gold sentence.
    assert counted(result) == [("1", 4, 3, 2), ("2", 2, 3, 1), ("3", 1, 1, 1)]


def test_other_texts_are_placed_by_the_common_characters() -> None:
    system = [sentence("1", "d", "They", "go"), sentence("2", "d", "so", "!!")]
    found = score(GOLD_SIDE, system, "uas", options=PARTS)
    # "go" stands alone among the words of the second sentence, "!!" after the last.
    assert counted(found) == [("1", 4, 1, 1), ("2", 2, 1, 0), ("3", 1, 2, 1)]


@pytest.mark.parametrize("name", ["uas", "las", "tagging", "segmentation", "elas"])
def test_errors_are_placed_as_the_raw_counts_are(name: str) -> None:
    """Each sentence has as many as its raw counts say; a store places them alike."""
    # Cut otherwise; other texts; nothing at all of a document.
    systems = [
        [
            sentence("1", "d", "They", "are"),
            sentence("2", "d", "don't", "I", "g", "o", head=1),
            sentence("3", "d", "so"),
        ],
        [sentence("1", "d", "They", "go", head=1), sentence("2", "d", "so", "!!")],
        [sentence("9", "e", "elsewhere")],
    ]
    gold = [*GOLD_SIDE, sentence("9", "e", "more")]
    if name == "elas":
        gold, *systems = (
            [msgspec.structs.replace(each, framework="eud") for each in side]
            for side in (gold, *systems)
        )
    metric = parse(name)
    options = Options(per_item=True, details=True, parts=True)
    for system in systems:
        result = score(gold, system, metric, options=options)
        for item in result.items:
            placed = [error for part in item.parts for error in part.errors]
            assert sorted(placed, key=repr) == sorted(item.errors, key=repr)
            for part in item.parts:
                counts = metric.scores(part.raw_counts).counts
                for tuple_type in {error.tuple_type for error in item.errors}:
                    sides = [
                        e.error_type for e in part.errors if e.tuple_type == tuple_type
                    ]
                    count = counts[tuple_type]
                    assert sides.count("missing") == count.gold - count.matched
                    assert sides.count("spurious") == count.system - count.matched
        with Store("sqlite://", mode="create") as runs:
            runs.add(gold, "gold")
            runs.add(system, "system")
            new, again = (
                runs.score("gold", "system", [metric], options)[0] for _ in range(2)
            )
        expected = [item.parts for item in result.items]
        assert [item.parts for item in new.items] == expected
        assert [item.parts for item in again.items] == expected
        assert any(part.errors for parts in expected for part in parts)


def test_a_system_that_lacks_a_document_leaves_gold_alone() -> None:
    more = [*GOLD_SIDE, sentence("9", "e", "more")]
    result = score(more, GOLD_SIDE, "las", options=PARTS)
    table = raw_count_table(result.items, "sentence", (GOLD, SYSTEM, MATCHED))
    assert [unit[2] for unit in table.units] == ["1", "2", "3", "9"]
    assert table.rows[:, :3].tolist() == [[4, 4, 4], [2, 2, 2], [1, 1, 1], [1, 0, 0]]


def test_sentences_of_one_id_stay_apart() -> None:
    side = [
        sentence("1", "d", "a"),
        sentence("2", "d", "b"),
        sentence("1", "e", "c"),
        sentence("1", "e", "d"),
    ]
    result = score(side, side, "las", options=PARTS)
    table = raw_count_table(result.items, "sentence")
    assert [unit[2] for unit in table.units] == ["d 1", "2", "e 1", "e 1 (2)"]


def test_systems_that_cut_documents_otherwise_have_the_same_sentences() -> None:
    def cut(document: str) -> list[Graph]:
        texts = ("so", "it", "goes", "on")
        return [
            msgspec.structs.replace(
                sentence(str(n), document or f"d{n // 2}", text), text=text
            )
            for n, text in enumerate(texts)
        ]

    one = score(cut(""), cut(""), "las", options=PARTS)
    two = score(cut(""), cut("whole"), "las", options=PARTS)
    assert (len(one.items), len(two.items)) == (2, 1)
    found = compare_results([one, two])
    assert (found.unit, found.units) == ("sentence", 4)
    assert [each.item for each in found.items] == ["0", "1", "2", "3"]


@pytest.fixture(scope="module")
def sides() -> tuple[list[Graph], list[Graph], list[Graph]]:
    """Three documents of ten sentences each, with errors of two systems."""
    draw = np.random.default_rng(5)

    def corpus(wrong: float) -> list[Graph]:
        return [
            sentence(
                f"{document}.{number}" if number else "first",
                document,
                *("so", "it", "goes"),
                head=int(draw.random() < wrong),
            )
            for document in "def"
            for number in range(10)
        ]

    return corpus(0), corpus(0.2), corpus(0.6)


def test_files_memory_workers_and_stores_have_the_same_sentences(
    sides: tuple[list[Graph], list[Graph], list[Graph]],
) -> None:
    # A store has an id once.
    gold, system = (
        [msgspec.structs.replace(g, id=f"{g.document}/{g.id}") for g in side]
        for side in sides[:2]
    )
    chosen = [parse(name) for name in ("las", "tagging")]
    here = score(gold, system, chosen, options=PARTS)
    assert [len(each.parts) for each in here[0].items] == [10, 10, 10]
    assert score(gold, system, chosen, options=PARTS, jobs=2)[0].items == here[0].items
    with Store("sqlite://", mode="create") as store:
        store.add(gold, "gold")
        store.add(system, "system")
        fresh = store.score("gold", "system", chosen, PARTS)
        again = store.score("gold", "system", chosen, PARTS)
        without = store.score("gold", "system", chosen, Options(per_item=True))
    assert [each.reused for each in again] == [3, 3]
    for found in (fresh, again):
        for mine, theirs in zip(here, found, strict=True):
            parts = [[each.parts for each in side.items] for side in (mine, theirs)]
            assert parts[0] == parts[1]
    assert not any(each.parts for result in without for each in result.items)


def test_documents_of_one_sentence_keep_their_names_in_a_store() -> None:
    # Equal annotations of documents of one sentence share their result.
    side = [sentence("1", "d", "so"), sentence("2", "e", "so")]
    with Store("sqlite://", mode="create") as store:
        for name in ("gold", "system"):
            store.add(side, name)
        [found] = store.score("gold", "system", [parse("las")], PARTS)
    assert [[p.item for p in each.parts] for each in found.items] == [["1"], ["2"]]


def test_sentences_are_drawn_and_documents_on_demand(
    sides: tuple[list[Graph], list[Graph], list[Graph]],
) -> None:
    found = compare(*sides, metric="las", samples=200, names="ab")
    assert (found.unit, found.units) == ("sentence", 30)
    assert {each.item for each in found.items} >= {"d first", "e first", "d.1"}
    [pair] = found.pairs
    assert pair.wins + pair.ties + pair.losses == 30
    values = [score(sides[0], side, "las").f1 for side in sides[1:]]
    assert [each.value for each in found.systems] == values
    clustered = compare(*sides, metric="las", cluster="document", samples=200)
    assert (clustered.unit, clustered.units) == ("document", 3)
    assert [each.value for each in clustered.systems] == values


def test_means_over_documents_draw_documents(
    sides: tuple[list[Graph], list[Graph], list[Graph]],
) -> None:
    results = [score(sides[0], side, "las", options=PARTS) for side in sides[1:]]
    for over in ("document", "item"):
        found = compare_results(results, "macro", over=(over,), samples=200)
        assert (found.unit, found.units) == ("document", 3)
        for each, result in zip(found.systems, results, strict=True):
            mean = result.macro_over(over)["all"]["f1"]
            assert each.value == pytest.approx(mean, rel=1e-12)
    # Over frameworks nothing is drawn whole.
    assert compare_results(results, "macro", samples=200).unit == "sentence"


def labelled(number: int, document: str, label: str) -> Graph:
    node = Node(0, label, anchors=(Anchor(0, 2),))
    return Graph(str(number), "eds", 1, document=document, text="so", nodes=(node,))


def test_means_over_documents_draw_the_documents_of_items() -> None:
    def corpus(step: int) -> list[Graph]:
        return [
            labelled(n, f"d{n % 4}", "x" if n % step else "y") for n in range(1, 21)
        ]

    results = [score(corpus(99), corpus(step), "mrp", options=PARTS) for step in (3, 5)]
    found = compare_results(results, "macro", over=("document",), samples=300)
    assert (found.unit, found.units) == ("document", 4)
    means = [result.macro_over("document")["all"]["f1"] for result in results]
    assert [each.value for each in found.systems] == pytest.approx(means, rel=1e-12)
    # A document that is drawn twice counts twice in the mean.
    made = Resampling(
        results, "macro", unit="document", over=("document",), samples=300
    )
    drawn = np.random.default_rng(0).integers(0, 4, 4)
    by_document = np.array(
        [each.counts["all"].f1 for each in results[0].by("document").values()]
    )
    table = made.tables[0]._replace(rows=made.tables[0].rows[drawn])
    assert whole(table, made.score) == pytest.approx(by_document[drawn].mean())


def linked(item: str, document: str, *entries: str) -> Graph:
    nodes = tuple(
        Node(
            number,
            "PER",
            (("kind", "mention"), ("authority", entry)),
            (Anchor(number, number + 1),),
        )
        for number, entry in enumerate(entries)
    )
    text = "x" * 9
    return Graph(item, "ner", document=document, text=text, nodes=nodes)


def collections() -> Sequence[list[Graph]]:
    gold = [
        linked("1", "d", "Q1", "Q2"),
        linked("2", "d", "Q1"),
        linked("3", "e", "Q3"),
        linked("4", "", "Q4"),
    ]
    # One graph is of a document that gold lacks, as an item and as a document.
    system = [
        linked("1", "d", "Q1", "Q9"),
        linked("2", "d", "Q2"),
        linked("4", "", "Q4"),
        linked("5", "f", "Q5"),
    ]
    return gold, system, gold


def test_collections_are_drawn_by_documents_where_they_are_sums() -> None:
    found = compare(*collections(), metric=TAGGING, samples=100)
    assert (found.unit, found.units) == ("document", 3)
    assert [each.item for each in found.items] == ["d", "e", "4"]
    gold, system, _ = collections()
    [item] = score(gold, system, TAGGING, options=PARTS).items
    total: RawCounts = {}
    for part in item.parts:
        add_raw_counts(total, part.raw_counts)
    assert total == item.raw_counts
    [entity] = [
        {each.document: each.raw_counts.get(("entity_match", "", "matched"), 0)}
        for each in item.parts[:1]
    ]
    # Of the document's two entries both are found, if in other places.
    assert entity == {"d": 2}


@pytest.mark.parametrize("name", ["surface", "neleval"])
def test_what_is_no_sum_is_not_drawn(name: str) -> None:
    found = compare(*collections(), metric=name)
    assert unit_of(found.metric) == found.unit == "collection"
    assert (found.units, found.systems[0].low, found.pairs[0].p) == (1, None, None)
    assert found.notes[-1:] == (
        f"{name} compares whole collections and is not a sum over items: "
        "no intervals and no tests",
    )
    with pytest.raises(UsageError) as refused:
        compare(*collections(), metric=name, cluster="document")
    said = f"{name} compares whole collections and is not a sum over documents"
    assert str(refused.value) == said


def test_units_that_are_not_there_are_refused(
    sides: tuple[list[Graph], list[Graph], list[Graph]],
) -> None:
    gold, system, _ = sides
    results = [score(gold, system, "las", options=Options(per_item=True))]
    with pytest.raises(UsageError, match="needs results with parts"):
        compare_results(results)
    assert compare_results(results, unit="document", samples=50).units == 3
    items = [labelled(1, "d", "x")]
    with pytest.raises(
        UsageError, match="mrp compares items and is not a sum over sen"
    ):
        compare_results([score(items, items, "mrp")], unit="sentence")
