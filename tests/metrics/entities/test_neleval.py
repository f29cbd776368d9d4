"""Entity linking under the measures of neleval."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

from graphscore import Anchor, Graph, Node, score
from graphscore.evaluation.store import Store
from graphscore.exceptions import UsageError
from graphscore.metrics.entities.linking.measures import GROUPS, MEASURES, measure_of
from graphscore.metrics.registry import parse
from graphscore.model.outcome import Count
from tests.metrics.entities import linked
from tests.metrics.entities.linked import SIDES, document


def amounts(
    gold: list[Graph], system: list[Graph], tuple_type: str
) -> tuple[float, ...]:
    count = score(gold, system, f"neleval(measures={tuple_type})").main
    return count.gold, count.system, count.matched


GOLD = [
    document("d1", ("PER", "Q1", (0, 3)), ("LOC", "NIL1", (9, 13))),
    document("d2", ("LOC", "NIL1", (0, 4)), ("ORG", None, (5, 8))),
]
SYSTEM = [
    document("d1", ("PER", "Q1", (0, 3)), ("ORG", "NIL7", (9, 13))),
    document("d3", ("PER", "Q1", (0, 3))),
]


@pytest.mark.parametrize(
    ("tuple_type", "expected"),
    [
        ("mention", (4, 3, 2)),
        ("typed_mention", (4, 3, 1)),
        ("linked_mention", (1, 2, 1)),
        ("link", (1, 2, 1)),
        ("nil", (2, 1, 1)),
        ("typed_nil", (2, 1, 0)),
        ("all", (4, 3, 2)),
        ("typed_link", (1, 2, 1)),
        ("typed_all", (4, 3, 1)),
    ],
)
def test_every_measure_is_a_set(tuple_type: str, expected: tuple[int, ...]) -> None:
    assert amounts(GOLD, SYSTEM, f"strong_{tuple_type}_match") == expected


def test_an_entity_counts_once_in_a_document() -> None:
    twice = [document("d1", ("PER", "Q1", (0, 3)), ("PER", "Q1", (5, 8)))]
    assert amounts(twice, SYSTEM, "entity_match") == (1, 2, 1)


def test_nil_is_a_beginning() -> None:
    nile = [document("d1", ("LOC", "NILE", (0, 3)))]
    assert amounts(nile, nile, "strong_link_match") == (0, 0, 0)
    assert amounts(nile, nile, "strong_nil_match") == (1, 1, 1)


def test_nil_without_a_number_is_one_cluster_or_alone() -> None:
    alone = [document(item, ("PER", "NIL", (0, 3))) for item in ("d1", "d2")]
    joined = [document(item, ("PER", "NIL4", (0, 3))) for item in ("d1", "d2")]
    assert amounts(alone, joined, "entity_ceaf") == (1, 1, 1)
    apart = score(alone, joined, "neleval(measures=entity_ceaf|pairwise,nil=apart)")
    assert apart.counts["entity_ceaf"][:2] == (2, 1)
    assert apart.counts["pairwise"][:2] == (0, 1)


def test_clusters_go_over_documents() -> None:
    assert amounts(GOLD, SYSTEM, "muc") == (1, 1, 0)
    assert amounts(GOLD, GOLD, "b_cubed") == (4, 4, 4)
    assert amounts(GOLD, SYSTEM, "mention_ceaf") == (4, 3, 2)


def test_offsets_that_are_not_quite_right_earn_what_they_share() -> None:
    gold = [document("d", ("PER", "Q1", (0, 10)), ("PER", "Q1", (20, 30)))]
    system = [document("d", ("PER", "Q1", (0, 4)), ("PER", "Q1", (5, 10)))]
    found = [
        score(gold, system, f"neleval(measures=overlap-{how}::span)").main
        for how in ("maxmax", "sumsum")
    ]
    assert found == [Count(2, 2, 0.5, 2.0), Count(2, 2, 0.9, 2.0)]


@given(SIDES, SIDES)
def test_sets_are_what_both_sides_say(gold: list[Graph], system: list[Graph]) -> None:
    measures = [*GROUPS["all-tagging"], "sets:is_first:docid+eid", "sets::type"]
    counts = score(gold, system, f"neleval(measures={'|'.join(measures)})").counts
    for name in measures:
        each = measure_of(name)
        expected = linked.sets(gold, system, each.filter, "+".join(each.key))
        assert list(counts[name][:3]) == expected, name


@given(SIDES, SIDES)
def test_clusters_are_compared_as_defined(
    gold: list[Graph], system: list[Graph]
) -> None:
    counts = score(gold, system, "neleval(measures=all-coref)").counts
    for name, measure in MEASURES.items():
        if measure.agg == "sets":
            continue
        key = "+".join(measure.key)
        mine, theirs = (linked.clusters(side, key) for side in (gold, system))
        count = counts[name]
        if measure.agg in ("b_cubed", "muc"):
            one, two = linked.halves(mine, theirs), linked.halves(theirs, mine)
            start = 0 if measure.agg == "b_cubed" else 2
            expected = [one[start], two[start], one[start + 1], two[start + 1]]
            found = [*count[:3], count.correct_system]
        elif measure.agg == "pairwise":
            expected, found = [*linked.pairs(mine, theirs)], [*count[:3]]
        else:
            expected = linked.ceaf(mine, theirs, measure.agg == "entity_ceaf")
            found = [*count[:3]]
        assert found == pytest.approx(expected), name


def test_a_wrong_link_is_said() -> None:
    wrong = [
        document("d1", ("PER", "Q9", (0, 3)), ("ORG", "NIL7", (9, 13))),
        document("d2", ("LOC", "Q3", (0, 4))),
    ]
    metric = parse("neleval(measures=all-tagging)")
    prepared = [[metric.prepare(each) for each in side] for side in (GOLD, wrong)]
    from graphscore.correspondence import Budget

    found = metric.compare(*prepared, budget=Budget())
    rows = [(each.error_type, each.name, each.value) for each in found.errors]
    assert rows == [
        ("missing", "wrong-link", "Q1"),
        ("missing", "type", "LOC"),
        ("missing", "nil-as-link", "NIL1"),
        ("missing", "", "NIL"),
        ("spurious", "wrong-link", "Q9"),
        ("spurious", "type", "ORG"),
        ("spurious", "nil-as-link", "Q3"),
    ]
    assert {each.tuple_type for each in found.errors} == {"strong_typed_all_match"}


def test_a_mention_in_the_wrong_cluster_is_said() -> None:
    places = [(0, 3), (5, 8), (9, 12)]
    one = [document("d", *(("PER", "NIL1", place) for place in places))]
    two = [
        document(
            "d", *(("PER", f"NIL{x}", y) for x, y in zip("112", places, strict=True))
        )
    ]
    metric = parse("neleval(measures=strong_all_match|mention_ceaf)")
    from graphscore.correspondence import Budget

    sides = [[metric.prepare(each) for each in side] for side in (one, two)]
    found = metric.compare(*sides, budget=Budget())
    rows = [
        (each.error_type, each.tuple_type, each.name, each.value)
        for each in found.errors
    ]
    assert rows == [
        ("missing", "mention_ceaf", "cluster", "NIL1"),
        ("spurious", "mention_ceaf", "cluster", "NIL2"),
    ]


def test_alternatives_are_chosen_by_what_the_system_has() -> None:
    gold = [
        document("d1", ("PER", "Q1|Q2|Q3", (0, 3)), ("PER", "Q7|Q8", (5, 6))),
        document("d2", ("PER", "Q5|Q6", (0, 3))),
    ]
    system = [
        document("d1", ("PER", "Q3", (0, 3)), ("PER", "Q2", (9, 12))),
        document("d2", ("PER", "Q8", (0, 3))),
    ]

    def matched(alternatives: str) -> tuple[float, float]:
        name = f"neleval(measures=hachey,alternatives={alternatives})"
        counts = score(gold, system, name).counts
        return counts["strong_link_match"].matched, counts["entity_match"].matched

    assert [matched(each) for each in ("first", "document", "span")] == [
        (0, 0),
        (0, 1),
        (1, 1),
    ]


def test_groups_are_compared_by_themselves() -> None:
    result = score(GOLD, SYSTEM, "neleval(measures=hachey,group_by=type)")
    numbers = result.scores.numbers
    assert result.counts["strong_mention_match"] == (4, 3, 1, None)
    assert numbers["PER.strong_mention_match.precision"] == 0.5
    assert numbers["macro.strong_mention_match.recall"] == 1 / 3
    assert "ORG.strong_link_match.f1" in numbers
    [table] = result.metric.tables(result.scores)
    assert [*table.rows] == ["LOC", "ORG", "PER", "macro"]


def test_types_have_weights(tmp_path: Path) -> None:
    file = tmp_path / "weights.tsv"
    file.write_text("LOC\tORG\t0.5\nLOC\tORG\t0.25\n")
    metric = f"neleval(measures=all-tagging,type_weights={file})"
    counts = score(GOLD, SYSTEM, metric).counts
    assert counts["strong_typed_mention_match"] == (4, 3, 1.5, None)
    assert counts["strong_typed_nil_match"] == (2, 1, 0.5, None)
    assert parse(metric).revision > 1
    with pytest.raises(UsageError, match="weights of types are for sets"):
        parse(f"neleval(type_weights={file})")
    file.write_text("LOC\tORG\tmuch\n")
    with pytest.raises(UsageError, match=r"weights.tsv:1: found 'much'"):
        parse(metric)


def test_spans_are_excluded(tmp_path: Path) -> None:
    file = tmp_path / "quotes.tsv"
    file.write_text("d1\t3\t9\nd2\t100\t200\n")
    name = f"neleval(measures=strong_mention_match,excluded_spans={file})"
    assert score(GOLD, SYSTEM, name).main == (3, 2, 1, None)
    file.write_text("d1\t3\tx\n")
    with pytest.raises(UsageError, match=r"quotes.tsv:1: found '3 x'"):
        parse(name)


def test_what_is_asked_for_are_the_tuple_types() -> None:
    metric = parse("neleval(measures=tac09|sets:is_first:docid+kbid)")
    assert metric.tuple_types == (*GROUPS["tac09"], "sets:is_first:docid+kbid")
    assert (metric.main, metric.sums_over) == ("strong_all_match", "document")
    assert parse(str(metric)) == metric
    assert parse("neleval").sums_over == parse("neleval(measures=sets::type)").sums_over


def test_a_store_gives_what_files_give(tmp_path: object) -> None:
    metrics = [
        parse(each)
        for each in ("neleval", "neleval(measures=tac09,group_by=type)", "surface")
    ]
    with Store("sqlite://", mode="create") as store:
        store.add(GOLD, "gold")
        store.add(SYSTEM, "system")
        stored = store.score("gold", "system", metrics)
        again = store.score("gold", "system", metrics)
    for metric, one, two in zip(metrics, stored, again, strict=True):
        here = score(GOLD, SYSTEM, metric)
        assert one.counts == two.counts == here.counts
        assert two.reused == two.pairs == 1


@pytest.mark.parametrize("measures", ["all", "tac09"])
def test_a_note_says_where_white_space_alone_decides(measures: str) -> None:
    def said(item: str, first: int) -> Graph:
        node = Node(0, "PER", (("kind", "mention"),), (Anchor(first, 8),))
        return Graph(item, "ner", text="by Jenny", nodes=(node,))

    metric = f"neleval(measures={measures})"
    gold = [said("1", 3), said("2", 3), said("3", 3)]
    result = score(gold, [said("1", 2), said("2", 3), said("3", 4)], metric)
    [note] = [each for each in result.notes if "white space" in each]
    assert "white space alone makes 1 of the mentions of gold" in note
    assert not score(gold, gold, metric).notes
