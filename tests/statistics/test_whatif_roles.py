"""What senses cost with the arguments under them, beside repaired sentences."""

from __future__ import annotations

import random

import pytest

from graphscore import Options, Store, score, whatif
from graphscore.formats import write_graphs
from graphscore.formats.roles.layout import Roles, head_based_graph
from graphscore.formats.roles.layout import tokens_of as words_of
from graphscore.metrics.roles.primesrl_count import CONTEXT, CORE
from graphscore.model.graph import Graph
from graphscore.model.joined_tokens import join_tokens
from graphscore.statistics.whatif.corrections import what_if
from tests.statistics.together import together

KEPT = Options(per_item=True, details=True)
SIZE = 16

Sentence = dict[int, tuple[str, dict[str, int]]]
"""By the position of a predicate its sense, and arguments by label."""

PLACES = {"A0": (0, 1), "A1": (2, 3), "R-A0": (4, 5), "AM-TMP": (6, 7), "AM-LOC": (8,)}
TUPLE_TYPES = {label: CONTEXT if "AM" in label else CORE for label in PLACES}


def graph(sentence: Sentence) -> Graph:
    forms = [f"w{k}" for k in range(SIZE)]
    text, ranges = join_tokens(forms)
    roles = [
        Roles(sense, place, list(arguments.items()))
        for place, (sense, arguments) in sorted(sentence.items())
    ]
    return head_based_graph("1", "", text, ranges, words_of(forms, ranges), roles, {})


def made_up(draws: random.Random) -> Sentence:
    return {
        place: (
            f"go.0{draws.randint(1, 2)}",
            {
                label: draws.choice(places)
                for label, places in PLACES.items()
                if draws.random() < 0.7
            },
        )
        for place in (10, 11, 12)
        if draws.random() < 0.8
    }


def with_senses(gold: Sentence, system: Sentence) -> Sentence:
    """Gold's predicates with gold's senses, and the arguments that are there."""
    return {
        place: (sense, system.get(place, ("", {}))[1])
        for place, (sense, _) in gold.items()
    }


def with_arguments(gold: Sentence, system: Sentence, tuple_type: str) -> Sentence:
    """Gold's arguments of a tuple type, at predicates that are made if there are
    none."""
    found = {}
    for place in {**gold, **system}:
        right = {
            label: head
            for label, head in gold.get(place, ("", {}))[1].items()
            if TUPLE_TYPES[label] == tuple_type
        }
        if place not in system and not right:
            continue
        sense, arguments = system.get(place) or (gold[place][0], {})
        others = {k: v for k, v in arguments.items() if TUPLE_TYPES[k] != tuple_type}
        found[place] = sense, others | right
    return found


@pytest.mark.parametrize("metric", ["primesrl", "conll09"])
def test_it_is_the_score_of_repaired_sentences(metric):
    draws = random.Random(7)
    tuple_types = {CORE: CORE, CONTEXT: CONTEXT} if metric == "primesrl" else {}
    blocked = 0
    for _ in range(16):
        gold, system = made_up(draws), made_up(draws)
        if not gold:
            continue
        wanted = graph(gold)
        result = score([wanted], [graph(system)], metric, options=KEPT)
        senses = with_senses(gold, system)
        cases = [(senses, [("senses", "", "")])]
        for tuple_type in tuple_types:
            one = with_arguments(gold, system, tuple_type)
            cases.append((one, [(tuple_type, "", "")]))
            both = with_arguments(gold, senses, tuple_type)
            cases.append((both, [("senses", "", ""), (tuple_type, "", "")]))
            blocked += score([wanted], [graph(one)], metric).value < 1
        if not tuple_types:
            every = system
            for tuple_type in (CORE, CONTEXT):
                every = with_arguments(gold, every, tuple_type)
            cases.append((every, [("arguments", "", "")]))
        for repaired, classes in cases:
            told = together(result, *classes)
            again = score([wanted], [graph(repaired)], metric).value
            assert told == pytest.approx(again, abs=1e-12), (gold, system, classes)
    assert bool(blocked) == bool(tuple_types)


def with_label(gold: Sentence, system: Sentence, label: str) -> Sentence:
    """Gold's arguments of one label, at predicates that are made if there are none."""
    found = {}
    for place in {**gold, **system}:
        right = gold.get(place, ("", {}))[1]
        if place not in system and label not in right:
            continue
        sense, arguments = system.get(place) or (gold[place][0], {})
        kept = {k: v for k, v in arguments.items() if k != label}
        found[place] = sense, kept | {k: v for k, v in right.items() if k == label}
    return found


@pytest.mark.parametrize("metric", ["primesrl", "conll09", "conll05"])
@pytest.mark.parametrize("label", ["A0", "AM-TMP"])
def test_a_label_is_put_right(metric, label):
    draws = random.Random(3)
    moved = 0
    for _ in range(20):
        gold, system = made_up(draws), made_up(draws)
        if not gold:
            continue
        wanted = graph(gold)
        result = score([wanted], [graph(system)], metric, options=KEPT)
        told = together(result, ("", label, ""))
        again = score([wanted], [graph(with_label(gold, system, label))], metric).value
        assert told == pytest.approx(again, abs=1e-12), (gold, system)
        moved += again != result.value
    assert moved > 5


BREAK = {"A0": 0, "A1": 3, "AM-TMP": 7}


def test_a_sense_rights_its_core_arguments_that_are_right_otherwise():
    gold = graph({10: ("break.01", BREAK)})
    system = graph({10: ("break.02", BREAK | {"A1": 2})})
    # A sense, two core arguments and a contextual one, which is right in any case.
    result = score([gold], [system], "primesrl", options=KEPT)
    senses, core = ("senses", "", ""), ("core", "", "")
    assert (result.value, together(result, senses)) == (1 / 4, 3 / 4)
    # The other one is right only when both are.
    assert together(result, core) == 1 / 4
    assert together(result, core, senses) == 1


def test_an_argument_put_in_under_a_wrong_sense_is_a_wrong_one():
    gold = graph({10: ("break.01", {"A0": 0, "AM-TMP": 7})})
    system = graph({10: ("break.02", {"AM-TMP": 7})})
    found = whatif([gold], [system], metric="primesrl")
    [core] = [each for each in found.classes if each.tuple_type == "core"]
    assert (found.value, core.value, core.gain) == (2 / 5, 1 / 3, 0)
    assert core.to_dict()["note"] == core.note == "the score would be worse"


def test_a_referring_argument_is_right_beside_the_right_one():
    gold = graph({10: ("go.01", {"A0": 0, "R-A0": 4})})
    system = graph({10: ("go.01", {"A0": 1, "R-A0": 4})})
    result = score([gold], [system], "primesrl", options=KEPT)
    assert (result.value, together(result, ("", "A0", ""))) == (1 / 3, 1)
    assert together(result, ("", "R-A0", "")) == result.value


def test_a_predicate_takes_its_arguments_along(tmp_path):
    gold = {10: ("go.01", {"A0": 0}), 11: ("come.01", {"A0": 0, "A1": 2})}
    system = {10: ("go.01", {"A0": 0}), 12: ("stay.01", {"A1": 2})}
    sides = [graph(gold)], [graph(system)]
    for name, graphs in zip(("gold", "main"), sides, strict=True):
        (tmp_path / f"{name}.mrp").write_bytes(b"".join(write_graphs(graphs, "mrp")))
    for metric in ("primesrl", "conll09"):
        result = score(*sides, metric, options=KEPT)
        found = what_if(result)
        assert (found.value, together(result, ("", "stay.01", ""))) == (4 / 9, 4 / 7)
        # An argument of a missing predicate needs it.
        assert together(result, ("", "A0", "")) == 8 / 11
        with Store(str(tmp_path / f"{metric}.db"), mode="create") as runs:
            for name in ("gold", "main"):
                runs.ingest(str(tmp_path / f"{name}.mrp"), name)
            for _ in range(2):
                kept = whatif(runs, "gold", "main", metric=metric)
                assert kept.to_dict() == found.to_dict() | {"system": "main"}
