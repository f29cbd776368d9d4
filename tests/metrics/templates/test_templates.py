"""Role fillers and templates: worked examples, files, errors, and hostile documents."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import graphscore
from graphscore.cli.main import cli
from graphscore.correspondence import Budget
from graphscore.evaluation.options import Options
from graphscore.evaluation.store import Store
from graphscore.exceptions import UsageError
from graphscore.metrics.registry import parse
from graphscore.model.graph import Edge, Graph, Node
from graphscore.model.outcome import Error
from tests.metrics.templates.forms import (
    amounts,
    anchored,
    compared,
    document,
    fillers,
    score,
)

GOLD = fillers({"PerpInd": [["the army", "soldiers"], ["max"]], "Victim": [["ann"]]})


def errors(metric: str, gold: Graph, system: Graph) -> list[Error]:
    return list(compared(metric, gold, system).errors)


# CEAF-REE and CEAF-RME.


@pytest.mark.parametrize(
    ("similarity", "matched"),
    [("subset", 1), ("phi3", 2), ("phi4", 1 + 1 / 2), ("proportional", 1 + 1 / 2)],
)
def test_similarities_of_entities(similarity: str, matched: float) -> None:
    system = fillers({"PerpInd": [["soldiers", "police"], ["Max"]]})
    found = amounts(f"ceaf_ree(similarity={similarity})", GOLD, system)
    assert (found[0], found[2]) == pytest.approx((matched, matched))


def test_an_empty_predicted_entity_earns_nothing() -> None:
    gold, system = fillers({"Victim": [["ann"]]}), fillers({"Victim": [[]]})
    assert amounts("ceaf_ree(preset=none)", gold, system) == (0, 1, 0, 1)
    assert amounts("ceaf_rme(preset=none)", gold, system) == (0, 1, 0, 1)
    assert amounts("gtt(preset=none)", gold, system) == (1, 2, 1, 2)
    assert amounts("ceaf_ree(preset=grit)", gold, system) == (1, 1, 1, 1)


def test_one_sided_matching_has_two_numerators() -> None:
    gold = fillers({"PerpInd": [["the army", "soldiers"]]})
    system = fillers({"PerpInd": [["the army"], ["soldiers"], ["max"]]})
    assert amounts("ceaf_ree(preset=none)", gold, system) == (1, 3, 1, 1)
    assert amounts("ceaf_rme(preset=none)", gold, system) == (2, 3, 1, 1)
    assert amounts("ceaf_rme(recall=formula,preset=none)", gold, system) == (2, 3, 2, 1)
    assert amounts("ceaf_rme(similarity=phi3,preset=none)", gold, system) == (
        2,
        3,
        2,
        2,
    )


def test_equally_good_partners_are_shared_out() -> None:
    gold = fillers({"PerpInd": [["a", "b"], ["a", "b"]]})
    system = fillers({"PerpInd": [["a"], ["b"]]})
    assert amounts("ceaf_rme(preset=none)", gold, system) == (2, 2, 2, 2)
    longer = fillers({"PerpInd": [["a", "b", "c"], ["a"]]})
    again = fillers({"PerpInd": [["a"], ["a"], ["b"]]})
    assert amounts("ceaf_rme(similarity=phi3,preset=none)", longer, again) == (
        3,
        3,
        3,
        4,
    )


def test_iterx_takes_mentions_apart() -> None:
    gold = document(("attack", {"PerpInd": [["a", "b"]]}))
    system = document(("attack", {"PerpInd": [["a", "x"]]}))
    assert amounts("ceaf_rme(preset=none)", gold, system) == (0, 1, 0, 1)
    assert amounts("ceaf_rme(preset=iterx)", gold, system) == (1, 2, 1, 1)


def test_iterx_counts_a_template_of_two_types_twice() -> None:
    gold = document(("attack / bombing", {"PerpInd": [["a", "b"]]}))
    system = document(("bombing", {"PerpInd": [["a"]]}))
    assert amounts("ceaf_rme(similarity=phi3,preset=iterx)", gold, system) == (
        1,
        1,
        1,
        4,
    )
    assert amounts("ceaf_rme(preset=iterx)", gold, system) == (1, 1, 1, 1)
    found = amounts("ceaf_rme(similarity=phi3,preset=iterx)", gold, None)
    assert found == (0, 0, 0, 2)


def test_gold_that_says_the_same_twice() -> None:
    twice = document(*[("attack", {"PerpInd": [["a-b"]]})] * 2)
    assert amounts("ceaf_rme(preset=none)", twice, twice) == (2, 2, 2, 2)
    assert amounts("ceaf_rme(preset=iterx)", twice, twice) == (1, 2, 1, 1)
    assert amounts("gtt(preset=gtt)", twice, twice) == (2, 4, 2, 2)


TWICE = document(("a", {"V": [["x"], []]}), ("a", {"V": [["x"]]}), ("b", {}))


@pytest.mark.parametrize(
    ("metric", "one", "two"),
    [
        # Templates that say the same, and entities without mentions.
        *(("gtt", TWICE, each) for each in (TWICE, document(("a", {"V": [["x"]]})))),
        *(("ceaf_rme", TWICE, each) for each in (TWICE, document(("b", {})))),
        ("ceaf_ree", fillers({"V": [[], ["x"], []]}), fillers({"V": [["x"], []]})),
        # No type, and several.
        ("gtt", fillers({"V": [["x"]]}), fillers({"V": [["y"]]})),
        ("ceaf_rme", document(("a / b", {"V": [["x"]]})), document(("a", {}))),
        # A mention of two entities of a slot.
        (
            "ceaf_rme",
            fillers({"V": [["x"], ["x", "y"], ["x"]]}),
            fillers({"V": [["x", "y"]]}),
        ),
    ],
)
def test_gold_is_like_itself_and_the_script_is_followed_otherwise(
    metric: str, one: Graph, two: Graph
) -> None:
    script = {"gtt": "gtt", "ceaf_ree": "grit", "ceaf_rme": "iterx"}[metric]
    right, said, found, asked = amounts(metric, one, one)
    assert (right, found) == (said, asked)
    assert asked > 0
    strict = amounts(f"{metric}(preset={script})", one, one)
    assert strict != (right, said, found, asked)
    for gold, system in ((one, None), (None, one), (two, one)):
        default = amounts(metric, gold, system)
        if gold is None or not system:
            assert default == amounts(f"{metric}(preset={script})", gold, system)
        assert default[0] <= default[1]


def test_what_the_system_repeats_of_its_own_is_spurious() -> None:
    gold, system = (
        document(*[("a", {"V": [["x"]]})] * times, ("b", {})) for times in (2, 3)
    )
    assert amounts("gtt", gold, system) == (3, 5, 3, 3)
    assert amounts("gtt(preset=gtt)", gold, system) == (3, 7, 3, 3)
    once = document(("a", {"V": [["x"]]}), ("b", {}))
    for metric in ("gtt", "gtt(preset=gtt)"):
        assert amounts(metric, once, system) == (3, 7, 3, 3)


def test_what_is_given_goes_before_the_preset() -> None:
    one, two = fillers({"V": [["the x"]]}), fillers({"V": [["x"]]})
    for name in ("ceaf_ree", "ceaf_rme", "gtt"):
        normal, text = (
            amounts(metric, one, two)[0]
            for metric in (f"{name}(mentions=normalized)", f"{name}(mentions=text)")
        )
        assert normal == amounts(name, one, two)[0] == text + 1
        assert text == amounts(f"{name}(preset=none)", one, two)[0]
    # One mention finds two entities only where any partner is enough.
    gold, system = (document(("a", {"V": each})) for each in ([["x"]] * 2, [["x"]]))
    assert amounts("gtt", gold, system) == (2, 2, 3, 3)
    assert amounts("gtt(similarity=subset)", gold, system) == (2, 2, 2, 3)
    formula, bounded = (
        amounts(f"ceaf_rme(recall={each})", system, gold)[2]
        for each in ("formula", "bounded")
    )
    assert (formula, bounded) == (2, 1)


def test_documents_without_gold_can_be_left_out() -> None:
    system = fillers({"PerpInd": [["a"]]})
    assert amounts("ceaf_rme", document(), system) == (0, 1, 0, 0)
    assert amounts("ceaf_rme(empty=ignore)", document(), system) == (0, 0, 0, 0)


def test_templates_are_aligned_or_merged() -> None:
    gold = document(("attack", {"Victim": [["a"]]}), ("arson", {"Victim": [["b"]]}))
    system = document(("attack", {"Victim": [["b"], ["a"]]}))
    assert amounts("ceaf_ree", gold, system) == (1, 2, 1, 2)
    assert amounts("ceaf_ree(templates=merged)", gold, system) == (2, 2, 2, 2)


def test_how_mentions_are_compared() -> None:
    text = "Ann saw ann and the ann."
    one, two = anchored(text, (0, 3)), anchored(text, (8, 11))
    assert amounts("ceaf_ree(preset=none)", one, two)[0] == 1
    assert amounts("ceaf_ree(mentions=exact,preset=none)", one, two)[0] == 0
    longer = anchored(text, (16, 24))
    assert amounts("ceaf_ree(preset=none)", one, longer)[0] == 0
    assert amounts("ceaf_ree(mentions=normalized,preset=none)", one, longer)[0] == 1
    assert amounts("ceaf_ree(preset=none)", one, fillers({"Victim": [["ANN"]]}))[0] == 1


def test_roles_and_their_mean() -> None:
    system = fillers({"PerpInd": [["max"]], "Target": [["house"]]})
    assert score("ceaf_ree", GOLD, system, "PerpInd.recall") == 0.5
    assert score("ceaf_ree", GOLD, system, "Target.precision") == 0
    assert score("ceaf_ree", GOLD, system, "macro.precision") == pytest.approx(1 / 3)


def test_mentions_of_role_fillers() -> None:
    system = fillers(
        {"PerpInd": [["soldiers"], ["soldiers"], ["x"]], "Victim": [["ann"]]}
    )
    assert amounts("rolefillers", GOLD, system) == (2, 3, 2, 4)


# GTT.


def test_gtt_counts_the_type() -> None:
    gold = document(("attack / bombing", {"Victim": [["a"], ["b"]], "Stage": ["done"]}))
    system = document(("bombing", {"Victim": [["a"]], "Stage": ["other"]}))
    assert amounts("gtt", gold, system) == (2, 2, 2, 3)
    assert score("gtt", gold, system, "type.f1") == 1
    other = document(("arson", {"Victim": [["a"]]}))
    assert amounts("gtt", gold, other) == (0, 2, 0, 3)


def test_gtt_lets_one_mention_find_two_entities() -> None:
    gold = document(("attack", {"Weapon": [["gun", "rifle"], ["gun"]]}))
    system = document(("attack", {"Weapon": [["gun"]]}))
    assert amounts("gtt(preset=none)", gold, system) == (2, 2, 2, 3)
    assert amounts("gtt(preset=gtt)", gold, system) == (2, 2, 3, 3)


def test_gtt_searches_as_long_as_it_may() -> None:
    chance = random.Random(3)
    sides = [
        document(
            *(
                ("attack", {"Victim": [[chance.choice("abcdefgh")] for _ in range(3)]})
                for _ in range(12)
            )
        )
        for _ in range(2)
    ]
    metric = parse("gtt(preset=gtt)")
    one, two = (metric.prepare(each) for each in sides)
    short = metric.compare((one,), (two,), budget=Budget(steps=3))
    assert not short.proven
    assert short.bound >= short.score


# MUC-4.

MUC_GOLD = {
    "PERP: INDIVIDUAL ID": [["THE ARMY", "MEN IN UNIFORM"]],
    "PHYS TGT: TYPE": ["COMMERCIAL"],
    "HUM TGT: NAME": [["ANN"]],
}


@pytest.fixture
def hierarchy(tmp_path: Path) -> Path:
    path = tmp_path / "values.tsv"
    path.write_text("BUSINESS\tCOMMERCIAL\nSHOP\tBUSINESS\n")
    return path


def test_any_word_in_common_is_enough() -> None:
    gold = document(("ATTACK", MUC_GOLD))
    system = document(("attack", {"PERP: INDIVIDUAL ID": [["armed men"]]}))
    assert amounts("muc4", gold, system) == (2, 2, 2, 4)
    assert amounts("muc4(strings=subset)", gold, system) == (0, 2, 0, 4)


def test_premodifiers_do_not_count(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("# words\nthe\nmen\n")
    gold = document(("attack", MUC_GOLD))
    system = document(("attack", {"PERP: INDIVIDUAL ID": [["the armed men"]]}))
    assert amounts(f"muc4(premodifiers={path})", gold, system) == (0, 2, 0, 4)
    same = document(("attack", {"PERP: INDIVIDUAL ID": [["the men"]]}))
    assert amounts(f"muc4(premodifiers={path})", same, same) == (2, 2, 2, 2)


def test_values_below_golds_earn_half(hierarchy: Path) -> None:
    metric = f"muc4(hierarchies={hierarchy},constraint=none)"
    gold = document(("attack", {"PHYS TGT: TYPE": ["COMMERCIAL"]}))
    for value, earned in (
        ("SHOP", 0.5),
        ("business", 0.5),
        ("commercial", 1),
        ("x", 0),
    ):
        system = document(("attack", {"PHYS TGT: TYPE": [value]}))
        assert amounts(metric, gold, system) == (1 + earned, 2, 1 + earned, 2)
    above = document(("attack", {"PHYS TGT: TYPE": ["SHOP"]}))
    assert amounts(metric, above, gold) == (1, 2, 1, 2)


def test_any_alternative_is_right() -> None:
    slots = {"STAGE": ["DONE"], "HUM TGT: NAME": [["ANN"]]}
    gold = document(("attack", slots), alternatives={"DONE": ["ATTEMPTED"]})
    system = document(("attack", {**slots, "STAGE": ["attempted"]}))
    assert amounts("muc4", gold, system) == (3, 3, 3, 3)


def test_the_generic_type_earns_half() -> None:
    slots = {"HUM TGT: NAME": [["ANN"]]}
    gold, system = document(("BOMBING", slots)), document(("ATTACK", slots))
    assert amounts("muc4", gold, system) == (1.5, 2, 1.5, 2)
    assert amounts("muc4(generic=)", gold, system) == (0, 2, 0, 2)
    assert amounts("muc4", system, gold) == (0, 2, 0, 2)
    assert amounts("muc4", document(("attack / bombing", slots)), gold) == (2, 2, 2, 2)
    [error] = errors("muc4", gold, system)
    assert (error.error_type, error.tuple_type, error.credit) == (
        "partial",
        "templates",
        0.5,
    )
    assert (error.value, error.compared) == ("BOMBING", "ATTACK")


def test_one_of_seven_slots_must_match() -> None:
    gold = document(("attack", {"Weapon": [["gun"]], "Victim": [["ann"]]}))
    system = document(("attack", {"Weapon": [["gun"]], "Victim": [["max"]]}))
    assert amounts("muc4", gold, system) == (0, 3, 0, 3)
    assert amounts("muc4(constraint=none)", gold, system) == (2, 3, 2, 3)


def test_decisions_are_for_the_score_only(tmp_path: Path) -> None:
    path = tmp_path / "decided.tsv"
    path.write_text("soldiers\tthe army\t1/2\nSOLDIERS\tann\t1\nmax\tann\t0.5\n")
    gold = document(("attack", MUC_GOLD))
    system = document(("attack", {"PERP: INDIVIDUAL ID": [["soldiers"]]}))
    metric = f"muc4(adjudication={path})"
    assert amounts(metric, gold, system) == (0, 2, 0, 4)
    slots = {"PERP: INDIVIDUAL ID": [["soldiers"]], "HUM TGT: NAME": [["Ann"]]}
    aligned = document(("attack", slots))
    assert amounts(metric, gold, aligned) == (2.5, 3, 2.5, 4)
    assert amounts("muc4", gold, aligned) == (2, 3, 2, 4)


def test_a_decision_stands_in_place_of_the_words(tmp_path: Path) -> None:
    path = tmp_path / "decided.tsv"
    path.write_text("army men\tthe army\t0\narmy men\tmen in uniform\t½\n")
    gold = document(("attack", MUC_GOLD))
    slots = {"PERP: INDIVIDUAL ID": [["ARMY MEN"]], "HUM TGT: NAME": [["ANN"]]}
    found = amounts(f"muc4(adjudication={path})", gold, document(("attack", slots)))
    assert found == (2.5, 3, 2.5, 4)


def test_what_is_optional_is_not_asked_for() -> None:
    gold = document(("attack", MUC_GOLD), optional=["HUM TGT: NAME"])
    slots: dict[str, Any] = {"PERP: INDIVIDUAL ID": [["army"]]}
    assert amounts("muc4", gold, document(("attack", slots))) == (2, 2, 2, 3)
    slots["HUM TGT: NAME"] = [["ann"]]
    assert amounts("muc4", gold, document(("attack", slots))) == (3, 3, 3, 4)
    slots["HUM TGT: NAME"] = [["max"]]
    assert amounts("muc4", gold, document(("attack", slots))) == (2, 3, 2, 3)
    assert score("muc4", gold, document(("attack", slots)), "spurious") == 1


def test_an_optional_template_is_not_asked_for() -> None:
    gold = document(("attack", MUC_GOLD))
    *rest, last = gold.nodes
    node = Node(last.id, last.label, (*last.properties, ("optional", True)))
    free = Graph("1", "template", 1, nodes=(*rest, node), edges=gold.edges)
    assert amounts("muc4", free, document()) == (0, 0, 0, 0)
    assert amounts("muc4", free, gold) == (4, 4, 4, 4)
    assert errors("muc4", free, document()) == []


def test_what_muc_reports() -> None:
    gold = document(
        ("bombing", {"Victim": [["a"], ["b"], ["c"]], "Target": [["t"], ["u"]]})
    )
    system = document(("attack", {"Victim": [["a"], ["x"]], "Weapon": [["w"]]}))
    names = ("correct", "partial", "incorrect", "missing", "spurious")
    found = [score("muc4", gold, system, name) for name in names]
    assert found == [1, 1, 1, 3, 1]
    assert amounts("muc4", gold, system) == (1.5, 4, 1.5, 6)
    assert score("muc4", gold, system, "undergeneration") == pytest.approx(3 / 6)
    assert score("muc4", gold, system, "overgeneration") == pytest.approx(1 / 4)
    assert score("muc4", gold, system, "substitution") == pytest.approx(1.5 / 3)
    assert score("muc4", gold, system, "error") == pytest.approx((1.5 + 4) / 7)
    assert score("muc4", gold, system, "Target.undergeneration") == 1


def test_the_slot_that_repeats_the_type_counts_once() -> None:
    slots = {"INCIDENT: TYPE": ["ATTACK"], "HUM TGT: NAME": [["ANN"]]}
    gold = document(("ATTACK", slots))
    assert amounts("muc4", gold, gold) == (2, 2, 2, 2)


@pytest.mark.parametrize(
    ("parameter", "content", "message"),
    [
        ("premodifiers", "two words\n", r"x.tsv:1: found 'two words', expected a word"),
        ("hierarchies", "a\tb\nb\ta\n", "above itself"),
        ("hierarchies", "a b\n", "x.tsv:1: found 'a b', expected a value, a tab"),
        ("adjudication", "a\tb\t2\n", "x.tsv:1: found '2', expected 0, 0.5 or 1"),
        ("adjudication", "a\tb\t1\na\tb\t0\n", "x.tsv:2: .* expected 1 again"),
    ],
)
def test_files_with_mistakes(
    parameter: str, content: str, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "x.tsv"
    path.write_text(content)
    with pytest.raises(UsageError, match=message):
        parse(f"muc4({parameter}={path})")


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        parse(f"muc4(hierarchies={tmp_path / 'none'})")
    path = tmp_path / "x.tsv"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="not UTF-8"):
        parse(f"granular(hierarchies={path})")


def test_the_revision_is_that_of_the_files(hierarchy: Path) -> None:
    name = f"muc4(hierarchies={hierarchy})"
    assert parse("muc4").revision == 1
    before = parse(name)
    assert str(before) == name
    assert before.revision == parse(name).revision != 1
    hierarchy.write_text("SHOP\tCOMMERCIAL\n")
    assert parse(name).revision != before.revision


# BETTER Granular.


def test_granular_is_a_product() -> None:
    gold = document(
        (
            "Protest",
            {"who": [["people"]], "over": [True], "outcome": [("riot", "Fight")]},
        ),
        ("Corruption", {"who": [["max"]]}),
    )
    system = document(
        (
            "Protest",
            {"who": [["people"]], "over": [False], "outcome": [("riots", "Fight")]},
        )
    )
    assert amounts("granular", gold, system, "types") == (1, 1, 1, 2)
    assert amounts("granular", gold, system, "slots") == (1, 3, 1, 4)
    assert amounts("granular(events=type)", gold, system, "slots") == (2, 3, 2, 4)
    found = score("granular", gold, system, "score")
    assert found == pytest.approx((2 / 3) * (2 / 7))


def test_templates_without_common_slots_are_of_the_same_type() -> None:
    gold = document(*[("A", {"x": [[str(n)]]}) for n in range(3)], ("B", {}))
    system = document(*[("A", {"x": [[str(n)]]}) for n in (2, 7)], ("C", {}))
    assert amounts("granular", gold, system, "types") == (2, 3, 2, 4)
    assert amounts("granular", gold, system, "slots") == (1, 2, 1, 3)


# Errors.


def test_a_filler_in_the_wrong_role() -> None:
    system = fillers({"PerpInd": [["max"]], "Target": [["Ann"]]})
    missing, moved, spurious = errors("ceaf_ree", GOLD, system)
    assert (missing.name, missing.value, missing.reason) == (
        "PerpInd",
        "the army / soldiers",
        "no counterpart",
    )
    for error, slot in ((moved, "Victim"), (spurious, "Target")):
        assert (error.reason, error.name, error.value) == ("wrong role", "role", slot)
    assert (moved.gold, moved.system) == (spurious.gold, spurious.system)
    assert (moved.compared, spurious.compared) == ("ann", "Ann")


def test_fillers_of_a_slot_stand_beside_each_other() -> None:
    system = fillers({"PerpInd": [["max"], ["army"]], "Victim": [["ann"], ["bob"]]})
    missing, spurious, alone = errors("ceaf_ree(preset=none)", GOLD, system)
    assert (missing.value, spurious.value) == ("the army / soldiers", "army")
    assert {missing.reason, spurious.reason} == {"differs"}
    assert (missing.gold, missing.system) == (spurious.gold, spurious.system)
    assert (alone.value, alone.reason) == ("bob", "no counterpart")


def test_templates_that_are_not_aligned() -> None:
    gold = document(("attack", {"Victim": [["ann"]]}), ("arson", {"Target": [["x"]]}))
    system = document(("bombing", {"Victim": [["ann"]]}))
    found = errors("ceaf_ree", gold, system)
    types = [each for each in found if each.tuple_type == "templates"]
    assert [(e.error_type, e.value, e.reason) for e in types] == [
        ("missing", "attack", "differs"),
        ("missing", "arson", "no counterpart"),
        ("spurious", "bombing", "differs"),
    ]
    fills = [each for each in found if each.tuple_type == "fillers"]
    matches = compared("ceaf_ree", gold, system).matches
    assert [matches[e.parent or 0].gold for e in fills[:2]] == [
        types[0].gold,
        types[1].gold,
    ]


def test_partial_credit_is_shown() -> None:
    system = fillers({"PerpInd": [["soldiers", "police"]]})
    partial = errors("ceaf_ree(similarity=phi4)", GOLD, system)[0]
    assert (partial.error_type, partial.credit) == ("partial", 0.5)
    assert partial.compared == "soldiers / police"


def test_the_store_and_the_command_line_have_them(tmp_path: Path) -> None:
    gold = {"incident_type": "attack", "PerpInd": [[["max", 9]]]}
    gold["Victim"] = [[["ann", 0]]]
    system = {"incident_type": "attack", "PerpInd": [[["ann", 0]]]}
    system["Victim"] = [[["bob", 9]]]
    paths = []
    for name, template in (("gold", gold), ("system", system)):
        path = tmp_path / f"{name}.json"
        line = {"docid": "d1", "doctext": "ann", "templates": [template]}
        path.write_text(json.dumps(line) + "\n")
        paths.append(str(path))
    store = tmp_path / "runs.db"
    with Store(str(store), mode="create") as runs:
        runs.ingest(paths[:1], "gold")
        runs.ingest(paths[1:], "system")
        runs.score("gold", "system", [parse("ceaf_ree")], Options(details=True))
    with Store(str(store)) as runs:
        _, rows = runs.query("select name, gold_value, system_value from v_confusions")
        assert list(rows) == [("role", "Victim", "PerpInd")]
        _, rows = runs.query("select name, value, reason, level from v_errors")
        assert ("PerpInd", "max", "no counterpart", 1) in list(rows)
    run = CliRunner().invoke(cli, ["errors", *paths, "-m", "ceaf_ree", "--csv"])
    assert run.exit_code == 0
    assert "template,fillers,missing,PerpInd,max" in run.output
    run = CliRunner().invoke(cli, ["show", "d1", *paths, "-m", "muc4", "--csv"])
    assert run.exit_code == 0
    assert "PerpInd=max" in run.output


# Hostile documents.


def test_edges_from_nowhere_fill_nothing() -> None:
    nodes = (
        Node(0, None, (("kind", "mention"), ("text", "a"))),
        Node(1, "x", ()),
        Node(2, "attack", (("kind", "template"),)),
    )
    edges = (
        Edge(1, 0, "mention"),
        Edge(1, 2, "Victim"),
        Edge(2, 2, "Self"),
        Edge(2, 1, "Odd"),
        Edge(2, 0, None),
    )
    graph = Graph("1", "template", 1, nodes=nodes, edges=edges)
    for name in ("ceaf_ree", "ceaf_rme", "gtt", "muc4", "granular", "rolefillers"):
        tuple_type = "slots" if name == "granular" else "all"
        correct, said, matched, asked = amounts(name, graph, graph, tuple_type)
        assert said == asked
        assert matched == correct


def test_many_fillers() -> None:
    many = [[f"name {number}", f"other {number}"] for number in range(1500)]
    gold = fillers({"Victim": many})
    system = fillers({"Victim": [each[:1] for each in reversed(many)]})
    assert amounts("ceaf_ree", gold, system)[0] == 1500
    assert amounts("ceaf_rme(similarity=phi3)", gold, system) == (
        1500,
        1500,
        1500,
        3000,
    )


def test_parts_of_a_document_are_one() -> None:
    gold, system = GOLD, fillers({"Victim": [["ann"]]})
    metric = parse("ceaf_ree(templates=merged)")
    one, two = metric.prepare(gold), metric.prepare(system)
    found = metric.compare((one, one), (two,), budget=Budget())
    assert found.raw_counts["all", "", "gold"] == 6
    assert found.raw_counts["all", "", "matched"] == 1
    assert max(e.gold for e in found.errors if e.gold is not None) >= len(gold.edges)


def test_documents_pair_under_a_rule() -> None:
    gold = document(("attack", {"Victim": [["a"]]}), item="TST3-MUC4-0007")
    system = document(("attack", {"Victim": [["a"]]}), item="30007")
    result = graphscore.score([gold], [system], "gtt", options=Options(ids="muc4"))
    assert result.f1 == 1
