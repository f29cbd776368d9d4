"""Gold that changed: worked out by hand, and in a store that computes what is new."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from fractions import Fraction

import numpy as np
import pytest

from graphscore.errors import PairingError, UsageError
from graphscore.evaluation.options import Options
from graphscore.evaluation.result import ItemResult, Result
from graphscore.evaluation.stored import Store
from graphscore.metrics.meaning.mrp import Mrp
from graphscore.metrics.registry import parse
from graphscore.model.graph import Graph, Node
from graphscore.model.outcome import Masses
from graphscore.statistics.draws import resamples
from graphscore.statistics.goldchange import GoldChange, gold_change
from graphscore.statistics.goldchanges import gold_changes
from graphscore.statistics.goldsides import FATES
from graphscore.store.reading.golds import Fingerprint

Counts = tuple[int, int, int]


def result(counts: Mapping[str, Counts], system: str, gold: str) -> Result:
    items = []
    found = Result(Mrp(), gold=gold, system=system, pairs=len(counts))
    for name, amounts in counts.items():
        named = zip(("gold", "system", "matched"), amounts, strict=True)
        masses: Masses = {("edges", "", quantity): value for quantity, value in named}
        items.append(ItemResult("dm", "", name, name, masses, 0, 0, True, False))
        found.add(("dm", "", name, ""), masses)
    found.items = items
    return found


Prints = dict[tuple[str, str, str, str], Fingerprint]


def prints(digests: Mapping[str, int]) -> Prints:
    """Results are called as what they are of."""
    return {
        ("dm", "", "", name): Fingerprint(bytes([digest]), 16 * int(name) + digest)
        for name, digest in digests.items()
    }


OLD = {"0": (10, 10, 5), "1": (10, 10, 8), "2": (10, 10, 10)}
NEW = {"0": (10, 10, 5), "1": (10, 10, 10), "3": (10, 10, 2)}
PRINTS = prints({"0": 1, "1": 1, "2": 1}), prints({"0": 1, "1": 2, "3": 1})


def found(**settings: object) -> GoldChange:
    sides = [result(OLD, "a", "v1")], [result(NEW, "a", "v2")]
    return gold_change(*sides, [PRINTS], **{"samples": 200, "seed": 3} | settings)  # type: ignore[arg-type]


def test_figures_against_both_golds_and_over_the_items_of_both() -> None:
    told = found()
    [a] = told.systems
    assert told.counts == {"same": 1, "changed": 1, "added": 1, "removed": 1}
    assert (a.old, a.new) == (23 / 30, 17 / 30)
    assert a.change == pytest.approx(-6 / 30)
    assert (a.both.items, a.both.old, a.both.new) == (2, 13 / 20, 15 / 20)
    [drawn] = resamples(2, 200, 3)
    apart = [
        (sum((5, 10)[unit] for unit in row) - sum((5, 8)[unit] for unit in row)) / 20
        for row in drawn
    ]
    ends = np.percentile(apart, [2.5, 97.5])
    assert (a.both.low, a.both.high) == pytest.approx(tuple(ends), abs=1e-12)
    assert (a.better, a.worse, a.rescored, a.reused) == (1, 0, 2, 1)
    assert (told.old, told.new, told.ranking_changed) == ("v1", "v2", False)


def test_what_the_change_is_due_to_is_the_mean_over_all_orders() -> None:
    [a] = found().systems
    moves = {"changed": (2, 0), "added": (2, 1), "removed": (-10, -1)}

    def value(happened: tuple[str, ...]) -> Fraction:
        matched = 23 + sum(moves[each][0] for each in happened)
        return Fraction(matched, 10 * (3 + sum(moves[each][1] for each in happened)))

    by_hand = dict.fromkeys(FATES, Fraction(0))
    for order in itertools.permutations(FATES):
        for place, fate in enumerate(order):
            gained = value(order[: place + 1]) - value(order[:place])
            by_hand[fate] += gained / 6
    assert by_hand["changed"] == Fraction(5, 72)
    for fate, expected in by_hand.items():
        assert a.due[fate] == pytest.approx(float(expected), abs=1e-12)
        assert a.shares[fate] == pytest.approx(float(expected / Fraction(-6, 30)))
    assert sum(each or 0 for each in a.due.values()) == pytest.approx(a.change)


def test_items_are_told_with_what_became_of_them() -> None:
    told = found().to_dict()["gold"]["changes"]
    assert [(each["item"], each["status"]) for each in told] == [
        ("1", "changed"), ("3", "added"), ("2", "removed"),
    ]  # fmt: skip
    assert told[0]["old"] == {"a": 0.8}
    assert told[0]["change"] == {"a": pytest.approx(0.2)}
    assert (told[1]["old"], told[1]["new"]) == ({"a": None}, {"a": 0.2})


def test_the_ranking_may_change() -> None:
    old = [result(OLD, "a", "v1"), result({**OLD, "1": (10, 10, 7)}, "b", "v1")]
    new = [result(NEW, "a", "v2"), result({**NEW, "3": (10, 10, 9)}, "b", "v2")]
    told = gold_change(old, new, [PRINTS, PRINTS], samples=10)
    assert told.ranking_changed
    assert [(each.rank_old, each.rank_new) for each in told.systems] == [(1, 2), (2, 1)]
    [pair] = told.pairs
    assert (pair.a, pair.b, pair.swapped) == ("a", "b", True)
    assert (pair.old, pair.new) == (pytest.approx(1 / 30), pytest.approx(-7 / 30))


def test_the_same_gold_moves_nothing() -> None:
    sides = [result(OLD, "a", "v1")], [result(OLD, "a", "v2")]
    told = gold_change(*sides, [(PRINTS[0], PRINTS[0])], samples=10)
    [a] = told.systems
    assert (a.change, a.both.low, a.both.high) == (0, 0, 0)
    assert (a.rescored, a.reused, told.items) == (0, 3, ())
    assert set(a.shares.values()) == {None}
    assert told.notes == ("nothing that is scored differs between both golds",)


def test_golds_without_a_common_item_have_no_paired_difference() -> None:
    sides = [result({"0": (4, 4, 4)}, "a", "v1")], [result({"1": (4, 4, 2)}, "a", "v2")]
    told = gold_change(*sides, [(prints({"0": 1}), prints({"1": 1}))], samples=10)
    [a] = told.systems
    assert a.both == (0, None, None, None, None, None)
    assert (a.old, a.new) == (1.0, 0.5)
    nothing = Result(Mrp(), gold="v2", system="a")
    with pytest.raises(PairingError, match="v2 has nothing that mrp scores"):
        gold_change([sides[0][0]], [nothing], [(prints({"0": 1}), {})])


def graph(item: str, *labels: str, framework: str = "amr") -> Graph:
    nodes = tuple(Node(number, label) for number, label in enumerate(labels))
    return Graph(item, framework, 2, nodes=nodes, tops=(0,))


def filled(store: Store) -> None:
    old = [graph(str(n), "bark", "dog") for n in range(6)]
    new = [*old[:4], graph("4", "bark", "cat"), graph("6", "bark", "dog")]
    store.add(old, "old")
    store.add(new, "new")
    store.add([graph(str(n), "bark", "dog") for n in range(7)], "a")
    store.add([graph(str(n), "bark", "cat") for n in range(7)], "b")


QUICK = {"samples": 50, "metrics": [parse("mrp")], "figure": "labels"}


def test_a_store_rescores_only_what_changed() -> None:
    with Store("sqlite://", mode="create") as store:
        filled(store)
        options = Options(per_item=True)
        [old] = store.score("old", "a", [parse("mrp")], options)
        # Six equal pairs are one result; against new gold there is one of another.
        [new] = store.score("new", "a", [parse("mrp")], options)
        assert (old.reused, new.reused, new.pairs) == (0, 5, 6)
        [told] = gold_changes(store, ("old", "new"), ("a", "b"), **QUICK).found
        assert told.counts == {"same": 4, "changed": 1, "added": 1, "removed": 1}
        a, b = told.systems
        assert (a.old, a.new) == (1.0, 11 / 12)
        assert (b.old, b.new) == (0.5, 7 / 12)
        assert (a.better, a.worse, b.better, b.worse) == (0, 1, 1, 0)
        # The added item is like the others: what is known of them answers it.
        assert (a.rescored, a.reused) == (1, 5)
        assert {each.item: each.rescored for each in told.items} == {
            "4": True, "5": False, "6": False,
        }  # fmt: skip
        [again] = gold_changes(store, ("old", "new"), ("a", "b"), **QUICK).found
        assert again.to_dict() == told.to_dict()


def test_documents_are_told_apart_by_all_their_graphs() -> None:
    def document(name: str, *labels: str) -> list[Graph]:
        return [
            Graph(f"{name}.{number}", "coref", 1, document=name, text=label)
            for number, label in enumerate(labels)
        ]

    with Store("sqlite://", mode="create") as store:
        old = document("d1", "x", "y") + document("d2", "x", "y")
        new = document("d1", "x", "y") + document("d2", "x", "z")
        for graphs, name in ((old, "old"), (new, "new"), (old, "a")):
            store.add(graphs, name)
        metrics = [parse("muc")]
        [told] = gold_changes(store, ("old", "new"), ("a",), metrics, samples=10).found
        assert [each.item for each in told.items] == ["d2"]
        assert told.counts == {"same": 1, "changed": 1, "added": 0, "removed": 0}


def test_wrong_use_is_told() -> None:
    with Store("sqlite://", mode="create") as store:
        filled(store)
        for golds in (("old",), ("old", "old"), ("old", "new", "a")):
            with pytest.raises(UsageError, match="expected two, the old and the new"):
                gold_changes(store, golds, ("a",))
        with pytest.raises(UsageError, match="no system"):
            gold_changes(store, ("old", "new"), ())
        with pytest.raises(UsageError, match="bogus"):
            gold_changes(store, ("old", "bogus"), ("a",))
        with pytest.raises(UsageError, match="has no figure"):
            gold_changes(store, ("old", "new"), ("a",), figure="bogus")
