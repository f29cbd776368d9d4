"""What errors of relations and triggers cost, beside graphs that are put right."""

from __future__ import annotations

import pytest

import graphscore
from graphscore import score
from graphscore.model.graph import Anchor, Graph
from graphscore.structures.layout import Argument, LayoutBuilder

TEXT = "Ada hired Bob in Rome ."
WORDS = {"Ada": (0, 3), "hired": (4, 9), "Bob": (10, 13), "Rome": (17, 21)}


def relations(*said: tuple[str, str, str]) -> Graph:
    """Relations by type and the words of both arguments."""
    build = LayoutBuilder()
    at = {
        word: build.mention("X", [Anchor(*WORDS[word])])
        for word in ("Ada", "Bob", "Rome")
    }
    for label, one, two in said:
        build.relation(label, [Argument("Arg0", at[one]), Argument("Arg1", at[two])])
    return build.graph("1", "relation", document="1", text=TEXT)


def cls(found, label, side):
    [each] = [each for each in found.classes if each[1:3] == (label, side)]
    return each


LEFT = ("P", "Bob", "Rome")
GOLD = (("E", "Ada", "Bob"), LEFT, ("S", "Rome", "Ada"))


@pytest.mark.parametrize(
    "metric",
    [
        "relation",
        "relation(mentions=overlap)",
        "docred",
        "relation(credit=partial)",
        "relation(credit=partial,mentions=overlap)",
    ],
)
def test_every_class_is_the_score_of_repaired_relations(metric):
    system = (("E", "Ada", "Rome"), LEFT, ("Q", "Rome", "Bob"))
    found = graphscore.whatif([relations(*GOLD)], [relations(*system)], metric=metric)

    def mended(*said):
        return score([relations(*GOLD)], [relations(*said)], metric).value

    assert found.value == mended(*system)
    tuple_type = "all" if metric == "docred" else "strict"
    assert {each.tuple_type for each in found.classes} == {tuple_type}
    repairs = {
        ("E", "missing"): [*system, GOLD[0]],
        ("E", "spurious"): system[1:],
        ("E", "partial"): [GOLD[0], *system[1:]],
        ("S", "missing"): [*system, GOLD[2]],
        ("S", "partial"): [*system[:2], GOLD[2]],
        ("Q", "spurious"): system[:2],
    }
    seen = {each[1:3] for each in found.classes}
    assert seen <= repairs.keys()
    sides = {side for _, side in seen}
    assert sides - {"partial"} == {"missing", "spurious"}
    for label, side in seen:
        told = cls(found, label, side)
        assert told.value == pytest.approx(mended(*repairs[label, side]), abs=1e-12)
        assert told.gain > 0


def test_half_of_the_credit_is_half_of_the_gain():
    gold, system = (
        [relations(("E", "Ada", "Bob"), ("P", "Bob", other))]
        for other in ("Rome", "Ada")
    )
    whole = graphscore.whatif(gold, system, metric="relation")
    part = graphscore.whatif(gold, system, metric="relation(credit=partial)")
    assert (whole.value, part.value) == (0.5, 0.75)
    # A missing and a spurious relation; or one that is half right.
    assert [each[1:4] for each in part.classes] == [("P", "partial", 1)]
    assert part.classes[0].gain == pytest.approx(0.25)


@pytest.mark.parametrize("mentions", ["exact", "overlap"])
def test_a_trigger_of_the_right_main_type_gains_the_rest(mentions):
    def events(label):
        build = LayoutBuilder()
        for each, word in (("Life:Die", "Ada"), (label, "hired")):
            build.trigger(each, [Anchor(*WORDS[word])])
        return build.graph("1", "event", document="1", text=TEXT)

    gold, system = [events("Business:Hire")], [events("Business:Merge")]
    metric = f"trigger(levels=colon,mentions={mentions})"
    found = graphscore.whatif(gold, system, metric=metric)
    assert found.value == score(gold, system, metric).value == 0.75
    assert [each[:5] for each in found.classes] == [
        ("classification", "Business:Hire", "partial", 1, 1.0)
    ]
