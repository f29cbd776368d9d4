"""Linking, clusters of what is linked, and surface forms."""

from __future__ import annotations

import pytest

from graphscore import Anchor, Graph, Node, score
from graphscore.evaluation.stored import Store
from graphscore.metrics.registry import parse

Said = tuple[str, str | None, tuple[int, int]]


def document(item: str, *mentions: Said) -> Graph:
    nodes = []
    for number, (label, entry, place) in enumerate(mentions):
        properties = [("kind", "mention")]
        properties += [("authority", each) for each in (entry or "").split("|") if each]
        nodes.append(Node(number, label, tuple(properties), (Anchor(*place),)))
    return Graph(item, "ner", document=item, nodes=tuple(nodes))


def amounts(gold: list[Graph], system: list[Graph], kind: str) -> tuple[float, ...]:
    metric = "linking" if kind.endswith("match") else "clustering"
    count = score(gold, system, metric).counts[kind]
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
    ("kind", "expected"),
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
def test_every_measure_is_a_set(kind: str, expected: tuple[int, ...]) -> None:
    assert amounts(GOLD, SYSTEM, f"strong_{kind}_match") == expected


def test_an_entity_counts_once_in_a_document() -> None:
    twice = [document("d1", ("PER", "Q1", (0, 3)), ("PER", "Q1", (5, 8)))]
    assert amounts(twice, SYSTEM, "entity_match") == (1, 2, 1)


def test_one_entry_in_common_is_enough() -> None:
    both = [document("d1", ("PER", "Q1|Q2", (0, 3)))]
    for entry, matched in (("Q1", 1), ("Q2", 1), ("Q3", 0), ("NIL", 0)):
        other = [document("d1", ("PER", entry, (0, 3)))]
        assert amounts(both, other, "strong_all_match")[2] == matched


def test_nil_is_no_beginning_of_a_name() -> None:
    nile = [document("d1", ("LOC", "NILE", (0, 3)))]
    assert amounts(nile, nile, "strong_link_match") == (1, 1, 1)
    assert amounts(nile, nile, "strong_nil_match") == (0, 0, 0)


def test_nil_without_a_number_is_alone() -> None:
    alone = [document(item, ("PER", "NIL", (0, 3))) for item in ("d1", "d2")]
    joined = [document(item, ("PER", "NIL4", (0, 3))) for item in ("d1", "d2")]
    assert amounts(alone, joined, "entity_ceaf")[:2] == (2, 1)
    assert amounts(alone, joined, "pairwise")[:2] == (0, 1)


def test_clusters_go_over_documents() -> None:
    assert amounts(GOLD, SYSTEM, "muc") == (1, 1, 0)
    assert amounts(GOLD, GOLD, "b_cubed") == (4, 4, 4)
    assert amounts(GOLD, SYSTEM, "mention_ceaf") == (4, 3, 2)


def test_a_wrong_link_is_said() -> None:
    wrong = [document("d1", ("PER", "Q9", (0, 3)), ("ORG", "NIL7", (9, 13)))]
    metric = parse("linking")
    prepared = [[metric.prepare(each) for each in side] for side in (GOLD[:1], wrong)]
    from graphscore.correspondence import Budget

    found = metric.compare(*prepared, budget=Budget())
    rows = [(each.side, each.name, each.value) for each in found.errors]
    assert rows == [
        ("missing", "link", "Q1"),
        ("missing", "type", "LOC"),
        ("surplus", "link", "Q9"),
        ("surplus", "type", "ORG"),
    ]


def test_a_store_gives_what_files_give(tmp_path: object) -> None:
    metrics = [parse(each) for each in ("linking", "clustering", "surface")]
    with Store("sqlite://", mode="create") as store:
        store.add(GOLD, "gold")
        store.add(SYSTEM, "system")
        stored = store.score("gold", "system", metrics)
        again = store.score("gold", "system", metrics)
    for metric, one, two in zip(metrics, stored, again, strict=True):
        here = score(GOLD, SYSTEM, metric)
        assert one.counts == two.counts == here.counts
        assert two.reused == two.pairs == 1


def test_a_form_counts_once() -> None:
    def said(text: str, *places: tuple[int, int]) -> Graph:
        nodes = (
            Node(k, "LOC", (("kind", "mention"),), (Anchor(*place),))
            for k, place in enumerate(places)
        )
        return Graph(text, "ner", text=text, nodes=tuple(nodes))

    gold = [said("Rome fell", (0, 4)), said("to Rome", (3, 7)), said("to Troy", (3, 7))]
    system = [said("Rome fell", (0, 4)), said("to Rome", (0, 2)), said("to Troy")]
    result = score(gold, system, "surface")
    count = result.main
    assert (count.gold, count.system, count.matched) == (2, 2, 1)
    assert result.figures.numbers["LOC.matched"] == 1
