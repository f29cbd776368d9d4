"""Which system unit belongs to which gold unit."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphscore
from graphscore.evaluation.pairing import Pair, Pairing
from graphscore.evaluation.tally import Tally
from graphscore.evaluation.unit import Unit
from graphscore.exceptions import PairingError, UsageError
from graphscore.model.graph import Graph
from graphscore.model.ids import id_rule
from tests.formats.damage import calls


def unit(
    item: str,
    language: str = "",
    framework: str = "dm",
    place: str = "",
    layer: str = "",
) -> Unit:
    extra = {"layer": layer} if layer else {}
    graph = Graph(item, framework, language=language, extra=extra)
    return Unit((graph,), item, place)


def pairs(
    gold: Sequence[Unit], system: Sequence[Unit], **rest: Any
) -> list[tuple[Unit | None, Unit | None]]:
    return [(pair.gold, pair.system) for pair in Pairing(**rest).pairs(gold, system)]


def languages(gold: Sequence[str], system: Sequence[str]) -> set[tuple[Any, Any]]:
    """Languages of the pairs of one item; ``None`` where a side is alone."""
    found = pairs([unit("1", each) for each in gold], [unit("1", e) for e in system])
    return {(a and a.language, b and b.language) for a, b in found}


def test_equal_ids_pair_whatever_the_order() -> None:
    gold = [unit(str(k)) for k in range(20)]
    found = pairs(gold, gold[::-1])
    assert all(one == two for one, two in found)
    assert {one.item for one, _ in found if one} == {unit.item for unit in gold}


def test_frameworks_never_mix() -> None:
    found = pairs([unit("1", framework="dm")], [unit("1", framework="psd")])
    assert [(a is None, b is None) for a, b in found] == [(False, True), (True, False)]


def test_what_is_left_comes_in_the_order_of_its_side() -> None:
    gold = [unit(each) for each in "cab"]
    system = [unit(each) for each in "zxa"]
    found = pairs(gold, system)
    assert [one and one.item for one, _ in found] == ["a", "c", "b", None, None]
    assert [two and two.item for _, two in found] == ["a", None, None, "z", "x"]


class Meter:
    """Streams of fresh units that know how many of them are still held."""

    def __init__(self) -> None:
        self.read = [0, 0]

    def stream(self, side: int, items: Sequence[int]) -> Iterator[Unit]:
        for item in items:
            self.read[side] += 1
            yield unit(str(item))


@pytest.mark.parametrize("by", ["id", "order"])
def test_streams_of_equal_order_never_wait(by: Any) -> None:
    meter, held = Meter(), []
    items = range(1000)
    Pairing(by=by).pair_up(
        meter.stream(0, items),
        meter.stream(1, items),
        lambda _: held.append(max(meter.read) - len(held) - 1),
    )
    assert held == [0] * 1000


def test_a_gap_makes_the_streams_wait_for_no_more_than_the_gap() -> None:
    meter, held = Meter(), []
    system = [k for k in range(1000) if k % 100]

    def take(pair: Pair) -> None:
        if pair.system is not None:
            held.append(max(meter.read) - len(held) - 1)

    gold = meter.stream(0, range(1000))
    Pairing().pair_up(gold, meter.stream(1, system), take)
    assert len(held) == 990
    assert max(held) <= 10 + 10


def test_order_pairs_the_nth_of_each_framework() -> None:
    gold = [unit("a"), unit("b", framework="psd"), unit("c")]
    system = [unit("x", framework="psd"), unit("y"), unit("z"), unit("w")]
    found = {(a and a.item, b and b.item) for a, b in pairs(gold, system, by="order")}
    assert found == {("a", "y"), ("b", "x"), ("c", "z"), (None, "w")}


def test_order_knows_no_duplicates() -> None:
    pairing = Pairing(by="order")
    assert len(list(pairing.pairs([unit("1")] * 3, [unit("1")] * 3))) == 3
    assert pairing.duplicates == []


@pytest.mark.parametrize(
    ("rule", "item", "expected"),
    [
        ("wsj", "20003008", "wsj_0003.8"),
        ("wsj", "wsj_0003.8", "wsj_0003.8"),
        ("wsj", "wsj_0003.008", "wsj_0003.8"),
        ("wsj", "nw.wsj_0003.8", "wsj_0003.8"),
        ("wsj", "sample-1", "sample-1"),
        ("wsj", "200030081", "200030081"),
        ("muc4", "10012", "TST1-MUC3-0012"),
        ("muc4", "20012", "TST2-MUC4-0012"),
        ("muc4", "TST2-MUC4-0012", "TST2-MUC4-0012"),
        (r"^.*-(\d+)$=>\1", "sys-12", "12"),
        ("x=>", "axbx", "ab"),
        (None, "20003008", "20003008"),
        ("", "20003008", "20003008"),
    ],
)
def test_a_rule_rewrites_ids_for_pairing(
    rule: str | None, item: str, expected: str
) -> None:
    assert id_rule(rule)(item) == expected


def test_rewritten_ids_pair_and_keep_the_original() -> None:
    [(one, two)] = pairs([unit("20003008")], [unit("wsj_0003.8")], rule=id_rule("wsj"))
    assert (one and one.item, two and two.item) == ("20003008", "wsj_0003.8")


@pytest.mark.parametrize("rule", ["nope", "(=>x", r"a=>\1", "a=>\\"])
def test_a_wrong_rule_is_refused(rule: str) -> None:
    with pytest.raises(UsageError, match="--ids"):
        id_rule(rule)


def test_items_that_a_rule_makes_equal_are_duplicates() -> None:
    pairing = Pairing(rule=id_rule("wsj"))
    gold = [unit("20003008", place="a:1"), unit("wsj_0003.8", place="a:2")]
    list(pairing.pairs(gold, []))
    assert pairing.duplicates == [("gold", gold[1])]
    assert pairing.firsts == ["a:1"]


def test_duplicates_of_either_side_are_left_out_and_named() -> None:
    pairing = Pairing()
    gold = [unit("1", place="g:1"), unit("1", place="g:2"), unit("2")]
    system = [unit("1", place="s:1"), unit("2", place="s:2"), unit("2", place="s:3")]
    found = list(pairing.pairs(gold, system))
    assert [(p.gold, p.system) for p in found] == [
        (gold[0], system[0]),
        (gold[2], system[1]),
    ]
    named = {(side, unit.location) for side, unit in pairing.duplicates}
    assert named == {("gold", "g:2"), ("system", "s:3")}
    assert sorted(pairing.firsts) == ["g:1", "s:2"]


EVERY = [
    (["eng"], ["eng"], {("eng", "eng")}),
    ([""], ["eng"], {("", "eng")}),
    (["eng"], [""], {("eng", "")}),
    (["eng"], ["deu"], {("eng", None), (None, "deu")}),
    (["", "eng"], ["eng"], {("eng", "eng"), ("", None)}),
    (["eng", "deu"], ["eng", ""], {("eng", "eng"), ("deu", "")}),
    (["eng"], ["", "deu"], {("eng", ""), (None, "deu")}),
    (["", "deu"], ["eng"], {("", "eng"), ("deu", None)}),
    ([""], ["eng", "deu"], None),
    (["eng", "deu"], [""], None),
    (["eng", "deu", "fra"], ["", "eng"], None),
]


@pytest.mark.parametrize(("gold", "system", "expected"), EVERY)
def test_a_silent_side_pairs_if_unambiguous_in_any_order(
    gold: list[str], system: list[str], expected: set[tuple[Any, Any]] | None
) -> None:
    for one, two in itertools.product(
        itertools.permutations(gold), itertools.permutations(system)
    ):
        if expected is None:
            with pytest.raises(PairingError, match=r"item 1 \(dm\) is ambiguous"):
                languages(one, two)
        else:
            assert languages(one, two) == expected


units = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from(["", "eng", "deu"])).map(
        lambda two: unit(*two)
    ),
    max_size=6,
    unique_by=lambda unit: (unit.item, unit.language),
)


@given(units, units, st.randoms(use_true_random=False))
def test_the_order_of_the_streams_does_not_decide_who_pairs(
    gold: list[Unit], system: list[Unit], random: Any
) -> None:
    def outcome() -> Any:
        try:
            return {(id(one), id(two)) for one, two in pairs(gold, system)}
        except PairingError:
            return "ambiguous"

    first = outcome()
    random.shuffle(gold)
    random.shuffle(system)
    assert outcome() == first
    if first != "ambiguous":
        assert {one for one, _ in first} - {id(None)} == set(map(id, gold))
        assert {two for _, two in first} - {id(None)} == set(map(id, system))


def test_items_pair_within_a_layer() -> None:
    gold = [unit("1", layer="outer"), unit("1", layer="nested")]
    found = pairs(gold, gold[::-1])
    assert {*found} == {(each, each) for each in gold}
    ordered = pairs(gold, gold[::-1], by="order")
    assert {*ordered} == {(each, each) for each in gold}


def test_a_side_without_layers_pairs_with_the_only_one() -> None:
    silent, outer = unit("1"), unit("1", layer="outer")
    assert pairs([silent], [outer]) == [(silent, outer)]
    assert pairs([outer], [silent]) == [(outer, silent)]
    with pytest.raises(PairingError, match=r"outer, nested, in system.*--layer"):
        pairs([outer, unit("1", layer="nested")], [silent])


@pytest.mark.parametrize("lone", [True, False])
def test_many_units_without_partners_cost_no_more_than_many(lone: bool) -> None:
    def work(amount: int) -> int:
        gold = [unit(f"a{n}", framework=f"g{n % 9}") for n in range(amount)]
        system = [unit(f"b{n}", framework=f"g{n % 9}") for n in range(amount)]
        gold += [unit("1", f"l{n}") for n in range(amount)]
        system += [unit("1", f"m{n}") for n in range(amount)]
        pairing = Pairing(lone=lone)
        return calls(lambda: list(pairing.pairs(gold, system)))

    assert work(400) < 5 * work(100)


def test_units_that_were_held_come_in_the_order_of_their_side() -> None:
    # All "dm" of the system might have one id, so they wait until both sides end.
    gold = [unit("g", framework="dm"), *(unit(i, framework="psd") for i in "pq")]
    system = [unit("a", framework="dm"), *(unit(i, framework="psd") for i in "bc")]
    left = [two.item for one, two in pairs(gold, system) if one is None and two]
    assert left == ["a", "b", "c"]


def test_no_rule_is_proposed_where_ids_are_rewritten() -> None:
    gold, system = [unit("wsj_0001.1")], [unit("20001001")]
    pairing = Pairing()
    assert len(pairing.pairs(gold, system)) == 2
    assert pairing.rules() == ["wsj"]
    rewriting = Pairing(rule=id_rule("x=>y"))
    assert len(rewriting.pairs(gold, system)) == 2
    assert rewriting.rules() == []


def test_layers_that_others_have_seen_are_taken_in() -> None:
    own, other = Tally(None), Tally(None)
    other.look_at(Pair(0, unit("1", layer="entities"), None))
    own.merge(other)
    assert own.layers == {"entities"}


def test_texts_without_tokens_differ_by_their_characters(tmp_path: Path) -> None:
    span = {"start": 0, "end": 4, "label": "LOC"}
    for name, text in (("gold", "Rome is"), ("system", "Roma is")):
        record = json.dumps({"id": "1", "text": text, "spans": [span]})
        (tmp_path / f"{name}.jsonl").write_text(f"{record}\n")
    sides = (str(tmp_path / f"{name}.jsonl") for name in ("gold", "system"))
    [note] = graphscore.score(*sides, "ner").notes
    assert "the text differs from gold in 1 pair with anchors" in note
