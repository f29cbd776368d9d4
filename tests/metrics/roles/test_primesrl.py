"""PriMeSRL: the paper's prose, errors as rows, losses, and labels."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore import Store, score
from graphscore.correspondence import Budget
from graphscore.evaluation.options import Options
from graphscore.formats.roles.layout import (
    Roles,
    Spans,
    head_based_graph,
    span_based_graph,
)
from graphscore.formats.roles.layout import tokens_of as words_of
from graphscore.metrics.base import unit_of
from graphscore.metrics.registry import parse
from graphscore.metrics.roles.conll09 import Conll09
from graphscore.metrics.roles.primesrl import Primesrl
from graphscore.metrics.roles.primesrl_count import STEPS
from graphscore.model.graph import Anchor, Graph
from graphscore.model.joined_tokens import join_tokens
from graphscore.model.outcome import Count, Scores
from tests.conftest import metric_page

ORDER = Options(pair="order")

Said = tuple[str, int, list[tuple[str, int]]]
"""A sense, the position of its word, labels with positions of heads."""


def sentence(*said: Said, item: str = "1", size: int = 12) -> Graph:
    forms = [f"w{k}" for k in range(size)]
    text, ranges = join_tokens(forms)
    roles = [Roles(*each) for each in said]
    return head_based_graph(item, "", text, ranges, words_of(forms, ranges), roles, {})


def spans(*said: tuple[str, int, list[tuple[str, int, int]]]) -> Graph:
    text, ranges = join_tokens([f"w{k}" for k in range(12)])
    roles = [Spans(sense, word, word, pieces) for sense, word, pieces in said]
    return span_based_graph("1", "", text, ranges, roles, {})


def scores(gold: Graph, system: Graph, metric: Any = None) -> Scores:
    return score([gold], [system], metric or Primesrl(), options=ORDER).scores


def right(gold: Graph, system: Graph, metric: Any = None) -> tuple[int | float, ...]:
    """Gold, system and matched arguments."""
    found = scores(gold, system, metric).counts
    return tuple(found["core"].plus(found["context"])[:3])


BREAK = [("A0", 0), ("A1", 3), ("A2", 5), ("AM-PRP", 7)]


@pytest.mark.parametrize("sense", ["break.02", "pull.01"])
def test_core_arguments_of_another_sense_are_wrong(sense: str) -> None:
    gold, system = sentence(("break.01", 1, BREAK)), sentence((sense, 1, BREAK))
    assert right(gold, system) == (4, 4, 1)
    found = scores(gold, system)
    assert found.counts["predicates"] == Count(1, 1, 1)
    assert found.counts["senses"] == Count(1, 1, 0)
    assert found.counts["context"] == Count(1, 1, 1)
    senses = scores(gold, system, Conll09()).counts["senses"]
    assert senses == Count(1, 1, sense == "pull.01")


def test_an_argument_in_two_parts_is_one() -> None:
    gold = spans(("allow.01", 8, [("A1", 4, 5), ("C-A1", 9, 11)]))
    swapped = spans(("allow.01", 8, [("C-A1", 4, 5), ("A1", 9, 11)]))
    cut = spans(("allow.01", 8, [("A1", 4, 5), ("C-A1", 9, 10)]))
    half = spans(("allow.01", 8, [("A1", 4, 5)]))
    metric = Primesrl(unit="span")
    assert right(gold, swapped, metric) == (1, 1, 1)
    assert right(gold, cut, metric) == right(gold, half, metric) == (1, 1, 0)


def test_a_reference_needs_what_it_refers_to() -> None:
    gold = sentence(("lead.01", 6, [("A0", 4), ("R-A0", 5), ("A4", 7)]))
    without = sentence(("lead.01", 6, [("R-A0", 5), ("A4", 7)]))
    wrong = sentence(("lead.01", 6, [("A0", 4), ("R-A0", 3), ("A4", 7)]))
    assert right(gold, without) == (3, 2, 1)
    assert right(gold, wrong) == (3, 3, 2)


@pytest.mark.parametrize(
    ("one", "two"),
    [("ARGM-TMP", "TMP"), ("AM-TMP", "ARGM-TMP"), ("ARG0", "A0"), ("ARGA", "AA")],
)
def test_inventories_are_alike(one: str, two: str) -> None:
    gold, system = sentence(("a.01", 1, [(one, 3)])), sentence(("a.01", 1, [(two, 3)]))
    assert right(gold, system) == (1, 1, 1)
    assert right(gold, system, Primesrl(labels="written")) == (1, 1, 0)
    for metric in (Primesrl(), Primesrl(labels="written")):
        tuple_type = "context" if "T" in one else "core"
        assert scores(gold, system, metric).counts[tuple_type].gold == 1


def test_nothing_is_silently_left_out() -> None:
    gold = sentence(("a.01", 1, [("V", 1), ("RSTR", 2), ("", 3), ("C-V", 4)]))
    found = scores(gold, gold)
    assert found.counts["context"] == Count(2, 2, 2)
    assert found.counts["core"] == Count()
    assert found.numbers["verbs"] == found.numbers["unknown_labels"] == 4
    by_words = spans(("a.01", 1, [("A0", 3, 4)]))
    found = scores(by_words, by_words)
    assert found.counts["core"] == Count(1, 1, 1)
    assert found.numbers["headless"] == 2


TABLE_6 = (
    ("stare.01", "look.01"),
    ("politeness.01", "minimalism.01"),
    ("peel.01", "peer.01"),
    ("drug.01", "dropper.01"),
    ("overheat.01", "soothe.01"),
    ("tire.01", "hiring.01"),
)


def rows(path: Path, gold: list[Graph], system: list[Graph], sql: str) -> list[Any]:
    with Store(str(path), mode="create") as runs:
        runs.add(gold, "gold")
        runs.add(system, "system")
        runs.score("gold", "system", [Primesrl()])
        _, found = runs.query(sql)
        return list(found)


def test_table_6_is_one_query(tmp_path: Path) -> None:
    more = ("buy.01", "buy.05"), ("buy.01", "sell.02"), ("buy.01", "buy.01")
    gold, system = (
        [
            sentence((pair[side], 2, [("A0", 1)]), item=str(number))
            for number, pair in enumerate((*TABLE_6, *more), 1)
        ]
        for side in (0, 1)
    )
    page = metric_page("primesrl")
    [sql] = re.findall(r"```sql\n(.*?)```", page, re.DOTALL)
    assert rows(tmp_path / "runs.db", gold, system, sql) == [
        (str(number), "w2", *pair) for number, pair in enumerate(TABLE_6, 1)
    ]
    for one, two in zip(gold[:6], system[:6], strict=True):
        assert scores(one, two, Conll09()).counts["senses"].matched == 1
        assert scores(one, two).counts["senses"].matched == 0


def named(path: Path, gold: Graph, system: Graph) -> list[Any]:
    return rows(
        path / "runs.db",
        [gold],
        [system],
        "select error_type, tuple_type, name, label, reason from v_errors order by "
        "2, 3, 1, 4",
    )


def test_every_way_of_being_wrong(tmp_path: Path) -> None:
    gold = sentence(
        ("a.01", 1, [("A0", 0), ("A1", 2), ("A2", 3), ("AM-LOC", 4), ("R-AM-TMP", 8)]),
        ("b.01", 7, [("A0", 6)]),
    )
    system = sentence(
        ("a.01", 1, [("A3", 0), ("A1", 5), ("A0", 6), ("AM-MNR", 9)]),
        ("b.02", 7, [("A4", 11), ("AM-LOC", 4)]),
    )
    assert named(tmp_path, gold, system) == [
        ("missing", "context", "missed", "R-AM-TMP", "absent"),
        ("missing", "context", "predicate", "AM-LOC", "differs"),
        ("spurious", "context", "predicate", "AM-LOC", "differs"),
        ("spurious", "context", "spurious", "AM-MNR", "absent"),
        ("missing", "core", "boundary", "A1", "differs"),
        ("spurious", "core", "boundary", "A1", "differs"),
        ("missing", "core", "label", "A0", "differs"),
        ("spurious", "core", "label", "A3", "differs"),
        ("missing", "core", "missed", "A2", "absent"),
        ("missing", "core", "predicate", "A0", "differs"),
        ("spurious", "core", "predicate", "A0", "differs"),
        ("spurious", "core", "spurious", "A4", "absent"),
        ("missing", "senses", "number", "b.01", "differs"),
        ("spurious", "senses", "number", "b.02", "differs"),
    ]


def test_right_but_for_the_sense_or_the_reference(tmp_path: Path) -> None:
    gold = sentence(
        ("a.01", 1, [("A0", 0)]),
        ("b.01", 5, [("AM-LOC", 6), ("R-AM-LOC", 7)]),
        ("c.01", 9, []),
    )
    system = sentence(
        ("x.02", 1, [("A0", 0)]), ("b.01", 5, [("AM-LOC", 8), ("R-AM-LOC", 7)])
    )
    found = [row[1:4] for row in named(tmp_path, gold, system) if row[0] == "missing"]
    assert found == [
        ("context", "boundary", "AM-LOC"),
        ("context", "reference", "R-AM-LOC"),
        ("core", "sense", "A0"),
        ("predicates", "missed", "c.01"),
        ("senses", "lemma and number", "a.01"),
        ("senses", "missed", "c.01"),
    ]


def test_each_loss_is_that_of_its_step() -> None:
    gold = sentence(("a.01", 1, [("A0", 0), ("A1", 2), ("C-A1", 3), ("R-A0", 4)]))
    for step, system in (
        ("identification", sentence(("a.01", 1, [*BREAK[:1], ("A1", 8)]))),
        ("sense", sentence(("a.02", 1, [("A0", 0), ("A1", 2), ("C-A1", 3)]))),
        ("predicates", sentence(("a.01", 9, [("A0", 0)]))),
    ):
        assert scores(gold, system).numbers[f"loss.arguments.{step}"] > 0, step
    swapped = sentence(("a.01", 1, [("A0", 0), ("C-A1", 2), ("A1", 3), ("R-A0", 4)]))
    numbers = scores(gold, swapped).numbers
    assert not any(numbers[f"loss.arguments.{step}"] for step in STEPS)
    assert numbers["arguments.f1"] == 1
    # Two arguments where gold has one in two parts: no label is to blame.
    apart = sentence(("a.01", 1, [("A0", 0), ("A1", 2), ("A1", 3), ("R-A0", 4)]))
    numbers = scores(gold, apart).numbers
    assert numbers["loss.arguments.classification"] == 0
    assert numbers["loss.arguments.continuation"] == pytest.approx(1 - 4 / 7)
    lone = sentence(("a.01", 1, [("A2", 0), ("A1", 2), ("C-A1", 3), ("R-A0", 4)]))
    assert scores(gold, lone).numbers["loss.arguments.reference"] > 0


def test_the_first_x_in_the_text_takes_what_continues_it() -> None:
    pieces = [("A1", 2), ("A1", 5), ("C-A1", 8)]
    gold, system = sentence(("a.01", 1, pieces)), sentence(("a.01", 1, pieces[::-1]))
    assert right(gold, system) == (2, 2, 2)


def test_two_arguments_of_one_place_are_identified_as_often_as_they_are_there() -> None:
    gold = sentence(("a.01", 1, [("A0", 3), ("A1", 3)]))
    found = scores(gold, sentence(("a.01", 1, [("A0", 3)]))).numbers
    assert found["identification.recall"] == 0.5


def test_of_predicates_in_one_place_those_of_equal_senses_are_a_pair() -> None:
    gold = sentence(("a.01", 1, [("A0", 0)]), ("b.01", 1, [("A0", 3)]))
    system = sentence(("b.01", 1, [("A0", 3)]), ("a.01", 1, [("A0", 0)]))
    assert scores(gold, system).counts["all"] == Count(4, 4, 4)


def test_the_published_code_compares_no_class_that_one_side_lacks() -> None:
    gold = sentence(("a.01", 1, [("A0", 0), ("AM-TMP", 3), ("AM-LOC", 5)]))
    system = sentence(("a.01", 1, [("AM-TMP", 3), ("AM-LOC", 7)]))
    metric = Primesrl(preset="tool")
    found = scores(gold, system, metric).counts
    assert (found["core"], found["context"]) == (Count(), Count(2, 2, 1))
    # What differs has a counterpart, and names it.
    wrong = sentence(("a.01", 1, [("A1", 0)]))
    sides = ((metric.prepare(each),) for each in (gold, wrong))
    rows = metric.compare(*sides, budget=Budget()).errors
    beside = {each.reason for each in rows if None not in (each.gold, each.system)}
    assert beside == {"differs"}


def test_the_unit_of_arguments_is_not_what_is_paired() -> None:
    metric = parse("primesrl(unit=span)")
    assert unit_of(metric) == unit_of(Primesrl) == "item"
    assert str(metric) == "primesrl(unit=span)"


LABELS = ("A0", "A1", "C-A0", "R-A0", "C-A1", "AM-TMP", "R-AM-TMP", "C-R-A0", "V", "X")

pieces = st.lists(
    st.tuples(st.sampled_from(LABELS), st.integers(0, 5)), max_size=6, unique=True
)
sentences = st.lists(
    st.tuples(st.sampled_from(["a.01", "a.02", "b.01"]), st.integers(0, 3), pieces),
    max_size=3,
).map(lambda said: sentence(*said, size=6))


@given(sentences, sentences, st.sampled_from(["head", "span"]))
def test_sums_hold(gold: Graph, system: Graph, unit: Any) -> None:
    metric = Primesrl(unit=unit)
    counts, numbers = scores(gold, system, metric)
    for tuple_type in ("core", "context", "arguments", "sense_arguments"):
        lost = [numbers[f"loss.{tuple_type}.{step}"] for step in STEPS]
        f1 = (
            numbers[f"{tuple_type}.f1"]
            if tuple_type not in counts
            else counts[tuple_type].f1
        )
        whole = sum(lost) + f1
        assert whole == pytest.approx(1) or (whole == 0 == f1)
        # An argument of many parts weighs more before they are joined.
        others = [lost[k] for k in (0, 1, 2, 4, 5)]
        assert min(others) > -1e-12
    accuracy = numbers["classification.accuracy"]
    product = numbers["identification.f1"] * accuracy
    assert product == pytest.approx(numbers["arguments.f1"])
    assert 0 <= accuracy <= numbers["classification.labels"] <= 1


@given(st.sets(st.integers(0, 9), min_size=1, max_size=5), st.data())
def test_which_part_is_called_x_does_not_matter(places: set[int], data: Any) -> None:
    def any_order() -> Graph:
        order = data.draw(st.permutations(sorted(places)))
        chosen = data.draw(st.sampled_from([*order, None]))
        said = [("A1" if each == chosen else "C-A1", each) for each in order]
        return sentence(("a.01", 10, said))

    gold, system = any_order(), any_order()
    for unit in ("head", "span"):
        assert right(gold, system, parse(f"primesrl(unit={unit})")) == (1, 1, 1)


@given(sentences, sentences, st.sampled_from(["head", "span"]))
def test_nothing_is_lost_where_everything_is_right(
    gold: Graph, system: Graph, unit: Any
) -> None:
    found = scores(gold, system, Primesrl(unit=unit))
    if found.numbers["arguments.f1"] == 1:
        assert not any(found.numbers[f"loss.arguments.{step}"] for step in STEPS)


def tuple_types(core: str, *said: tuple[str, str]) -> list[str]:
    """The kinds of labels under a sense each."""
    found = []
    for sense, label in said:
        graph = sentence((sense, 1, [(label, 3)]))
        counts = scores(graph, graph, Primesrl(core=core)).counts
        found.append("core" if counts["core"].gold else "context")
    return found


def test_inventories_say_what_is_core(tmp_path: Path) -> None:
    labels = ("A1", "ArgM-TMP", "Agent", "ACT", "LOC", "Buyer")
    said = [("Commerce_buy", label) for label in labels]
    core, context = "core", "context"
    assert tuple_types("propbank", *said) == [core, *[context] * 5]
    assert tuple_types("verbnet", *said) == [core, context, core, core, context, core]
    assert tuple_types("pdt", *said) == [
        context,
        context,
        context,
        core,
        context,
        context,
    ]
    assert tuple_types("framenet", *said) == [core] * 6
    assert tuple_types("labels:ARG1|agent", *said) == [
        core,
        context,
        core,
        *[context] * 3,
    ]
    path = tmp_path / "frames.tsv"
    path.write_text("Commerce_buy\tBuyer\tCore\nCommerce_buy\tTime\tPeripheral\n")
    said = [("Commerce_buy", "Buyer"), ("Commerce_buy", "Time"), ("Getting", "Buyer")]
    assert tuple_types(f"framenet:{path}", *said) == [core, context, context]
    one = Primesrl(core=f"framenet:{path}")
    assert parse(str(one)) == one
    gold = sentence(("Commerce_buy", 1, [("Buyer", 3), ("Odd", 4)]))
    assert scores(gold, gold, one).numbers["unknown_labels"] == 2
    before = one.revision
    path.write_text("Commerce_buy\tBuyer\tPeripheral\n")
    assert Primesrl(core=f"framenet:{path}").revision != before
    # Functors have one spelling: LOC of the PDT is not AM-LOC.
    loc, modifier = (sentence(("a", 1, [(x, 3)])) for x in ("LOC", "AM-LOC"))
    assert right(loc, modifier) == (1, 1, 1)
    assert right(loc, modifier, Primesrl(core="pdt")) == (1, 1, 0)


def test_an_element_that_is_core_under_one_frame_only(tmp_path: Path) -> None:
    path = tmp_path / "frames.tsv"
    path.write_text("Time_span\tTime\tCore\nGetting\tTime\tPeripheral\n")
    metric = Primesrl(core=f"framenet:{path}")
    one = sentence(("Getting", 1, [("Time", 3)]))
    two = sentence(("Time_span", 1, [("Time", 3)]))
    for gold, system in ((one, two), (two, one)):
        found = scores(gold, system, metric)
        assert found.counts["core"].matched == found.counts["context"].matched == 0
        numbers = found.numbers
        assert numbers["role.Time.f1"] == 0
        for tuple_type in ("core", "context", "arguments", "sense_arguments"):
            for count in (numbers.get(f"{tuple_type}.f1", 0), found.counts["all"].f1):
                assert 0 <= count <= 1
        # Labels and places are right; what is wrong is the sense.
        assert numbers["loss.arguments.sense"] == 1
    assert scores(one, one, metric).numbers["role.Time.f1"] == 1


GIVEN = ("primesrl", "conll09", "conll05", "framenet")


@pytest.mark.parametrize("name", GIVEN)
@given(sentences, sentences)
def test_given_predicates_are_those_of_both(
    name: str, gold: Graph, system: Graph
) -> None:
    metric = parse(f"{name}(predicates=given)")
    swapped = scores(system, gold, metric).counts["all"]
    found = scores(gold, system, metric).counts["all"]
    everything = scores(gold, system, parse(name)).counts["all"]
    assert found.matched == everything.matched
    assert found.gold <= everything.gold
    assert found.system <= everything.system
    if name != "framenet":
        assert (found.gold, found.system) == (swapped.system, swapped.gold)


@pytest.mark.parametrize("name", GIVEN)
def test_a_predicate_of_one_side_costs_nothing_where_they_are_given(name: str) -> None:
    shared = ("a.01", 1, [("A0", 0), ("A1", 2)])
    gold = sentence(shared, ("b.01", 5, [("A0", 4)]))
    system = sentence(shared, ("c.01", 7, [("A1", 8), ("AM-TMP", 9)]))
    metric = parse(f"{name}(predicates=given)")
    found = score([gold], [system], metric, options=ORDER)
    assert found.f1 == 1 > scores(gold, system, parse(name)).counts["all"].f1
    ones, twos = (metric.prepare(gold),), (metric.prepare(system),)
    assert not metric.compare(ones, twos, budget=Budget()).errors
    nothing = sentence()
    assert scores(gold, nothing, metric).counts["all"] == Count()


def test_words_cut_differently_are_compared_by_characters() -> None:
    text = "cannot go"
    fine = Anchor(0, 3), Anchor(3, 6), Anchor(7, 9)
    coarse = Anchor(0, 6), Anchor(7, 9)
    system = span_based_graph(
        "1", "", text, coarse, [Spans("go.01", 1, 1, [("AM-NEG", 0, 0)])], {}
    )
    for first, matched in ((1, 0), (0, 1)):
        pieces = [("AM-NEG", first, 1)]
        gold = span_based_graph("1", "", text, fine, [Spans("go.01", 2, 2, pieces)], {})
        found = scores(gold, system, Primesrl(unit="span"))
        assert found.counts["senses"] == Count(1, 1, 1)
        assert found.counts["context"] == Count(1, 1, matched)
        for metric in (Primesrl(), Primesrl(preset="tool")):
            assert scores(gold, system, metric).counts["senses"] == Count(1, 1, 1)
