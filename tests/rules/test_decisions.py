"""Figure 1 as a decision table, and the other requirements of the poster."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphscore.correspondence import Budget
from graphscore.exceptions import InputError
from graphscore.metrics.entities.rules import Rules
from graphscore.rules.facts import Unit
from graphscore.rules.outcome import batch_of, trace
from tests.conftest import ROOT
from tests.rules.facts import Said, classes, graph, metric_of, outcome, traced
from tests.rules.generate import dense, graphs

SMITH, FUZZY = "Smith", "Mr. Smith,"


@pytest.mark.parametrize(
    ("branch", "words", "gold", "low", "system", "given"),
    [
        ("ids match, one", SMITH, ("1",), False, ("1",), "TP"),
        ("ids match, none", SMITH, (), False, (), "TN"),
        ("ids match, several", SMITH, ("1", "2"), False, ("2",), "conditional TP"),
        ("ids match, all", SMITH, ("1", "2"), False, ("2", "1"), "conditional TP"),
        ("ids match, impossible", SMITH, ("1",), False, ("1", "2"), "error"),
        ("one of two is wrong", SMITH, ("1", "2"), False, ("1", "3"), "error"),
        ("ids do not match", SMITH, ("1",), False, ("2",), "FP"),
        ("gold uncertain", SMITH, ("1",), True, ("2",), "FP low confidence"),
        ("fuzzy, none", FUZZY, (), False, (), "fuzzy TN"),
        ("fuzzy, several", FUZZY, ("1", "2"), False, ("2",), "fuzzy conditional TP"),
        ("fuzzy, one", FUZZY, ("1",), False, ("1",), "fuzzy TP"),
        ("fuzzy, impossible", FUZZY, ("1",), False, ("1", "2"), "fuzzy error"),
        ("fuzzy, not matching", FUZZY, ("1",), False, ("2",), "FP"),
        ("fuzzy, uncertain", FUZZY, ("1",), True, ("2",), "FP low confidence"),
        # What the score leaves out.
        ("gold has none", SMITH, (), False, ("1",), "FP"),
        ("system has none", SMITH, ("1",), False, (), "FN"),
        ("neither, uncertain", SMITH, ("1",), True, (), "FN low confidence"),
    ],
)
def test_every_branch_of_figure_1(
    branch: str,
    words: str,
    gold: tuple[str, ...],
    low: bool,
    system: tuple[str, ...],
    given: str,
) -> None:
    mine = [Said("PER", SMITH, gold, low)]
    theirs = [Said("PER", words, system)]
    _, [found] = classes(mine, theirs, level="resolution")
    assert found == given, branch


def test_the_gold_side_of_a_wrong_entry_is_missed() -> None:
    mine = [
        Said("PER", SMITH, ("1",)),
        Said("ORG", "Acme"),
        Said("LOC", "Paris", ("3",), True),
    ]
    theirs = [
        Said("PER", SMITH, ("2",)),
        Said("ORG", "Acme", ("2",)),
        Said("LOC", "Paris", ("2",)),
    ]
    found, _ = classes(mine, theirs, level="resolution")
    assert found == ["FN", "FP", "FN low confidence"]


def test_the_impossible_branch_is_an_error_where_a_rule_is_missing(
    tmp_path: Path,
) -> None:
    rules = """
extends = "default"
remove = ["resolution TP"]
[[rule]]
name = "resolution error"
priority = 10
when = "gold.type = system.type and common(gold.ids, system.ids)"
"""
    metric = metric_of(tmp_path, rules)
    said = [Said("PER", SMITH, ("1",))]
    first = [each for each in traced(said, said, metric) if each.level == "resolution"]
    # Another rule takes it as a mismatch first: priorities decide.
    assert {each.name for each in first} == {"FP", "FN"}
    metric = metric_of(tmp_path, rules.replace("priority = 10", "priority = 99"))
    assert classes(said, said, metric, "resolution") == (["error"], ["error"])


def test_a_missed_or_spurious_span_is_the_taggers_error() -> None:
    mine = [Said("PER", SMITH, ("1",)), Said("ORG", "Acme", ("5",))]
    theirs = [Said("ORG", "Acme", ("6",)), Said("LOC", "Rome", ("2",))]
    found = {
        (each.side, each.text): (each.name, each.steps[-1].rule.cause)
        for each in traced(mine, theirs)
        if each.level == "resolution"
    }
    assert found == {
        ("gold", "Smith"): ("FN", "tagger"),
        ("system", "Rome"): ("FP", "tagger"),
        ("gold", "Acme"): ("FN", "resolver"),
        ("system", "Acme"): ("FP", "resolver"),
    }
    raw_counts = outcome(mine, theirs).raw_counts
    assert raw_counts["resolution", "FN by tagger", "gold"] == 1
    assert raw_counts["resolution", "FP by resolver", "system"] == 1


def test_what_neither_side_resolves_and_only_one_has_is_nothing() -> None:
    mine, theirs = [Said("PER", SMITH)], [Said("ORG", "Acme")]
    assert classes(mine, theirs, level="resolution") == ([""], [""])


def test_extents_and_types() -> None:
    mine = [Said("PER", SMITH), Said("ORG", "Acme"), Said("LOC", "Rome")]
    theirs = [Said("PER", SMITH), Said("PER", "Acme"), Said("LOC", "Paris")]
    assert classes(mine, theirs) == (["TP", "FN", "FN"], ["TP", "FP", "FP"])


@pytest.mark.parametrize(
    ("words", "given"),
    [("Mr. Smith", "FzTP"), ("Smith,", "FzTP"), ("Smith, of", "FP"), ("Acme", "FP")],
)
def test_fuzzy_extents(words: str, given: str) -> None:
    mine, theirs = [Said("PER", SMITH)], [Said("PER", words)]
    _, [found] = classes(mine, theirs)
    assert found == given


def test_of_fuzzy_words_the_longest_goes(tmp_path: Path) -> None:
    words = "extends = 'default'\n[settings.fuzzy_words]\nPER = ['prime', 'prime men']"
    mine, theirs = [Said("PER", "prime men Smith")], [Said("PER", "Smith")]
    text = "The prime men Smith and Bell"
    found = classes(mine, theirs, metric_of(tmp_path, words), text=text)
    assert found == (["FzTP"], ["FzTP"])


def test_the_stop_list_of_a_type_is_only_for_that_type() -> None:
    mine, theirs = [Said("ORG", SMITH)], [Said("ORG", "Mr. Smith")]
    assert classes(mine, theirs) == (["FN"], ["FP"])


def test_equal_words_elsewhere_are_no_fuzzy_match() -> None:
    mine, theirs = [Said("LOC", "Rome")], [Said("LOC", "Rome", skip=1)]
    assert classes(mine, theirs) == (["FN"], ["FP"])


def test_how_the_gold_side_of_a_fuzzy_match_counts(tmp_path: Path) -> None:
    metric = metric_of(tmp_path, 'extends = "default"\n[values]\nfuzzy_gold = "missed"')
    mine, theirs = [Said("PER", SMITH)], [Said("PER", "Mr. Smith")]
    assert classes(mine, theirs) == (["FzTP"], ["FzTP"])
    assert classes(mine, theirs, metric) == (["FN"], ["FzTP"])
    raw_counts = outcome(mine, theirs, metric).raw_counts
    count = metric.scores(raw_counts).counts["span"]
    assert (count.precision, count.recall) == (1, 0)


def test_thresholds_are_rules(tmp_path: Path) -> None:
    rules = """
extends = "default"
[values]
fuzzy_threshold = {}
[[rule]]
name = "fuzzy by characters"
enabled = true
"""
    mine, theirs = [Said("ORG", "Acme, saw")], [Said("ORG", "Acme")]
    assert classes(mine, theirs, metric_of(tmp_path, rules.format(0.6)))[1] == ["FzTP"]
    assert classes(mine, theirs, metric_of(tmp_path, rules.format(0.7)))[1] == ["FP"]


def test_a_city_called_a_location_is_partly_right() -> None:
    mine, theirs = [Said("CITY", "Rome")], [Said("LOC", "Rome")]
    assert classes(mine, theirs) == (["partial TP"], ["partial TP"])
    assert classes(theirs, mine) == (["partial TP"], ["partial TP"])
    count = Rules().scores(outcome(mine, theirs).raw_counts).counts["span"]
    assert (count.matched, count.matched_system, count.f1) == (0.5, 0.5, 0.5)
    # Rows of both sides name gold's span and the system's.
    errors = outcome([Said("ORG", "Acme"), *mine], theirs).errors
    partial = [each for each in errors if each.name == "partial TP"]
    assert {
        (each.gold, each.system) for each in partial if each.tuple_type == "span"
    } == {(1, 0)}


def test_low_confidence_is_carried_into_the_class_and_can_be_left_out(
    tmp_path: Path,
) -> None:
    mine = [
        *(Said("PER", SMITH, low=True), Said("ORG", "Acme", low=True)),
        *(Said("LOC", "Rome", low=True), Said("LOC", "Paris")),
    ]
    theirs = [Said("PER", "Mr. Smith"), Said("LOC", "Rome"), Said("LOC", "Paris")]
    low = " low confidence"
    assert classes(mine, theirs) == (
        ["FzTP" + low, "FN" + low, "TP" + low, "TP"],
        ["FzTP" + low, "TP" + low, "TP"],
    )
    raw_counts = outcome(mine, theirs).raw_counts
    assert Rules().scores(raw_counts).counts["span"][:3] == (4, 3, 3)
    ignoring = 'extends = "default"\n[settings]\nlow_confidence = "ignore"'
    metric = metric_of(tmp_path, ignoring)
    raw_counts = outcome(mine, theirs, metric).raw_counts
    assert metric.scores(raw_counts).counts["span"][:3] == (1, 1, 1)
    assert raw_counts["span", "FN" + low, "gold"] == 1


@pytest.mark.parametrize(
    ("words", "gold", "system", "mine", "theirs"),
    [
        (SMITH, ("1",), ("1",), "TP", "TP"),
        (SMITH, (), (), "TN", "TN"),
        (SMITH, ("1", "2"), ("2",), "conditional TP", "conditional TP"),
        (SMITH, ("1",), ("1", "2"), "error", "error"),
        (SMITH, ("1",), ("2",), "FN", "FP"),
        (SMITH, ("1",), (), "FN", "FN"),
        (SMITH, (), ("1",), "FP", "FP"),
        (FUZZY, ("1",), ("1",), "fuzzy TP", "fuzzy TP"),
        (FUZZY, (), (), "fuzzy TN", "fuzzy TN"),
        (FUZZY, ("1", "2"), ("2",), *["fuzzy conditional TP"] * 2),
        (FUZZY, ("1",), ("1", "2"), "fuzzy error", "fuzzy error"),
        (FUZZY, ("1",), ("2",), "FN", "FP"),
    ],
)
def test_low_confidence_is_carried_to_every_level(
    tmp_path: Path,
    words: str,
    gold: tuple[str, ...],
    system: tuple[str, ...],
    mine: str,
    theirs: str,
) -> None:
    one, two = [Said("PER", SMITH, gold, True)], [Said("PER", words, system)]
    low = " low confidence"
    found = classes(one, two, level="resolution")
    assert found == ([mine + low], [theirs + low])
    right = {"TP", "TN", "conditional TP"} >= {mine.removeprefix("fuzzy ")}
    for each in traced(one, two):
        if each.level == "resolution":
            cause = "" if right else "resolver"
            assert each.steps[-1].rule.cause == cause, each
    # What is left out is left out on both sides, whatever the ids say.
    ignoring = 'extends = "default"\n[settings]\nlow_confidence = "ignore"'
    metric = metric_of(tmp_path, ignoring)
    sure = Said("ORG", "Acme", ("7",))
    raw_counts = outcome([*one, sure], [*two, sure], metric).raw_counts
    counts = metric.scores(raw_counts).counts
    assert counts["span"][:3] == counts["resolution"][:3] == (1, 1, 1)


def test_an_entity_is_of_low_confidence_where_all_its_mentions_are(
    tmp_path: Path,
) -> None:
    low = " low confidence"
    rome, again = Said("LOC", "Rome", (), True), Said("LOC", "Rome", (), True, 1)
    paris = Said("LOC", "Paris", (), True)
    theirs = [Said("LOC", "Rome"), Said("ORG", "Acme")]
    both = classes([rome, again, paris], theirs, level="document")
    assert (both[0][:2], both[1]) == (["TP" + low, "FN" + low], ["TP" + low, "FP"])
    sure = classes([rome, again._replace(low=False)], theirs, level="document")
    assert (sure[0][:1], sure[1]) == (["TP"], ["TP", "FP"])
    ignoring = 'extends = "default"\n[settings]\nlow_confidence = "ignore"'
    metric = metric_of(tmp_path, ignoring)
    raw_counts = outcome([rome, again, paris], theirs, metric).raw_counts
    assert metric.scores(raw_counts).counts["document"][:3] == (0, 1, 0)


def test_a_missed_span_of_low_confidence_is_the_taggers_error() -> None:
    [found] = [
        each
        for each in traced([Said("PER", SMITH, ("1",), True)], [])
        if each.level == "resolution"
    ]
    assert (found.name, found.steps[-1].rule.cause) == ("FN low confidence", "tagger")


def test_the_resolution_alone_is_what_it_is_beside_the_others(tmp_path: Path) -> None:
    one = [Said("PER", SMITH, ("1",)), Said("ORG", "Acme", ("2",))]
    two = [Said("PER", FUZZY, ("1",)), Said("ORG", "Acme", ("3",))]
    every = Rules().scores(outcome(one, two).raw_counts)
    alone = metric_of(
        tmp_path, 'extends = "default"\n[settings]\nlevels = ["resolution"]'
    )
    found = alone.scores(outcome(one, two, alone).raw_counts)
    assert found.counts["resolution"] == every.counts["resolution"]
    assert found.counts["resolution"].matched == 1
    # The first level that is counted leads.
    assert (alone.main, Rules().main) == ("resolution", "span")
    assert found.counts["all"] == found.counts["resolution"]
    assert {name.partition(".")[0] for name in found.numbers} == {"resolution"}


def test_stop_words_are_kept_as_ignored() -> None:
    text = "It was he, said Smith."
    mine, theirs = [Said("PER", SMITH)], [Said("PER", "he"), Said("PER", SMITH)]
    found = classes(mine, theirs, text=text)
    assert found == (["TP"], ["FP-ignored:stop word", "TP"])
    raw_counts = outcome(mine, theirs, text=text).raw_counts
    count = Rules().scores(raw_counts).counts["span"]
    assert (count.precision, count.recall) == (1, 1)


def test_an_entity_counts_once_in_a_document() -> None:
    mine = [Said("LOC", "Rome"), Said("LOC", "Rome", skip=1), Said("LOC", "Paris")]
    theirs = [Said("LOC", "Rome", skip=1), Said("ORG", "Acme")]
    found = classes(mine, theirs, level="document")
    assert (found[0][:2], found[1]) == (["TP", "FN"], ["TP", "FP"])


def test_an_entity_of_a_document_is_known_by_its_entries(tmp_path: Path) -> None:
    mine = [Said("LOC", "Rome", ("1", "2")), Said("LOC", "Paris", ("3",))]
    theirs = [Said("LOC", "Rome", ("2",), skip=1), Said("LOC", "Paris", ("4",))]
    assert classes(mine, theirs, level="document") == (["TP", "FN"], ["TP", "FP"])
    words = 'extends = "default"\n[settings]\ndocument_key = "words"'
    found = classes(mine, theirs, metric_of(tmp_path, words), "document")
    assert found == (["TP", "TP"], ["TP", "TP"])


def test_an_entity_is_what_its_mentions_are(tmp_path: Path) -> None:
    text = "Mr. Smith of Acme saw it in Rome, where Smith met Bell"
    mine = [Said("PER", "Mr. Smith"), Said("CITY", "Rome"), Said("PER", "Bell")]
    theirs = [Said("PER", "Smith"), Said("LOC", "Rome"), Said("PER", "it")]
    found = classes(mine, theirs, level="document", text=text)
    assert found == (
        ["FzTP", "partial TP", "FN"],
        ["FzTP", "partial TP", "FP-ignored:mentions"],
    )
    # An entity that is found by its words is, whatever else is said of it.
    both = [*theirs, Said("PER", "Mr. Smith")]
    found = classes(mine, both, level="document", text=text)
    assert found[0][0] == "TP"
    assert sorted(found[1]) == ["FP", "FP-ignored:mentions", "TP", "partial TP"]
    # Entries of both sides that differ are two entities, whatever their mentions.
    for ids, expected in (
        ((("1",), ("2",)), ("FN", "FP")),
        ((("1",), ()), ("FzTP", "FzTP")),
        (((), ()), ("FzTP", "FzTP")),
    ):
        one, two = (
            [Said("PER", w, i)]
            for w, i in zip(("Mr. Smith", "Smith"), ids, strict=True)
        )
        found = classes(one, two, level="document", text=text)
        assert (found[0][0], found[1][0]) == expected
    # As for spans: a fuzzy match may be the system's side alone, or count for nothing.
    missed = metric_of(tmp_path, 'extends = "default"\n[values]\nfuzzy_gold = "missed"')
    one, two = [Said("PER", "Mr. Smith")], [Said("PER", "Smith")]
    assert classes(one, two, missed, "document", text) == (["FN"], ["FzTP"])
    off = metric_of(
        tmp_path,
        'extends = "default"\nremove = ["document fuzzy match",'
        ' "document fuzzy match, gold side"]',
    )
    assert classes(one, two, off, "document", text) == (["FN"], ["FP"])
    unsure = [Said("PER", "Mr. Smith", low=True)]
    assert classes(unsure, two, level="document", text=text) == (
        ["FzTP low confidence"],
        ["FzTP low confidence"],
    )


def test_pairs_of_mentions_that_are_left_out_change_nothing(tmp_path: Path) -> None:
    # Written so, nothing tells that pairs without such classes do not matter.
    rules = (ROOT / "graphscore" / "rules" / "default.toml").read_text("utf-8")
    assert "mentions.fuzzy > 0" in rules
    slow = metric_of(tmp_path, rules.replace(" > 0 and not (", " >= 1 and not ("))
    made = [dense(seed) for seed in range(40)]
    for gold, system in zip(graphs(made, "gold"), graphs(made, "system"), strict=True):
        found = [
            each.compare([each.prepare(gold)], [each.prepare(system)], budget=Budget())
            for each in (Rules(), slow)
        ]
        assert found[0].raw_counts == found[1].raw_counts


def test_entities_are_counted_alone_too(tmp_path: Path) -> None:
    alone = 'extends = "default"\n[settings]\nlevels = ["document"]'
    one, two = [Said("PER", "Mr. Smith")], [Said("PER", "Smith")]
    metric = metric_of(tmp_path, alone)
    assert classes(one, two, metric, "document") == (["FzTP"], ["FzTP"])
    assert metric.main == "document"


def test_entries_of_one_side_fall_back_to_words(tmp_path: Path) -> None:
    only = metric_of(
        tmp_path, 'extends = "default"\n[settings]\ndocument_key = "entries only"'
    )
    mine = [Said("LOC", "Rome", ("1",)), Said("LOC", "Paris", ("3",))]
    theirs = [Said("LOC", "Rome", skip=1), Said("ORG", "Paris")]
    for one, two in ((mine, theirs), (theirs, mine)):
        found = classes(one, two, level="document")
        assert (found[0][0], found[1][0]) == ("TP", "TP")
        assert {found[0][1], found[1][1]} == {"FN", "FP"}
        assert "TP" not in classes(one, two, only, "document")[0]
    # A mention without an entry is of the entity that the other side calls so, and
    # so is one with the entry itself.
    both = [*theirs, Said("LOC", "Rome", ("1",))]
    assert classes(mine, both, level="document")[1] == ["TP", "FP", ""]
    # Of two of one name the first by its entry; a name without entry goes by itself.
    mine = [Said("LOC", "Rome", ("2",)), Said("LOC", "Rome", ("1",), skip=1)]
    for gold in (mine, mine[::-1]):
        found = classes(gold, [Said("LOC", "Rome")], level="document")
        assert (sorted(found[0]), found[1]) == (["FN", "TP"], ["TP"])
    mine = [Said("LOC", "Rome", ("2",)), Said("LOC", "Rome", skip=1)]
    found = classes(mine, [Said("LOC", "Rome")], level="document")
    assert (found[0], found[1]) == (["FN", "TP"], ["TP"])


def test_what_mentions_are_is_asked_by_rules_of_ones_own(tmp_path: Path) -> None:
    half = """
extends = "default"
[classes]
"half found" = "partial"
[[rule]]
name = "half found"
phase = "document"
priority = 110
level = "document"
over = "gold"
when = "gold.found > 0 and gold.found < gold.mentions"
to_gold = "half found"
[[rule]]
name = "not even near"
phase = "document"
priority = 120
level = "document"
over = "gold"
unless = { over = "mentions", when = "mentions.pairs > 0" }
to_gold = "FN low confidence"
"""
    mine = [Said("LOC", "Rome"), Said("LOC", "Rome", skip=1), Said("LOC", "Paris")]
    found = classes(mine, [Said("LOC", "Rome")], metric_of(tmp_path, half), "document")
    assert found[0][:2] == ["half found", "FN low confidence"]
    for bad, said in (
        ('level = "span"\nover = "mentions"\nto_gold = "TP"', "level = 'document'"),
        (
            'level = "span"\nover = "gold"\nwhen = "gold.found"\nto_gold = "TP"',
            "gold.found",
        ),
    ):
        rule = f'extends = "default"\n[[rule]]\nname = "x"\nphase = "base"\n{bad}\n'
        with pytest.raises(InputError, match=said):
            metric_of(tmp_path, rule)


def test_duplicates_are_all_right(tmp_path: Path) -> None:
    mine, theirs = [Said("PER", SMITH)], [Said("PER", SMITH)] * 2
    assert classes(mine, theirs) == (["TP"], ["TP", "TP"])
    count = Rules().scores(outcome(mine, theirs).raw_counts).counts["span"]
    assert (count.gold, count.system, count.matched, count.matched_system) == (
        1,
        2,
        1,
        2,
    )
    once = """
extends = "default"
[[rule]]
name = "repeated"
phase = "base"
priority = 110
over = "system"
when = "system.copy > 0"
to_system = "FP"
reason = "said before"
"""
    assert classes(mine, theirs, metric_of(tmp_path, once)) == (["TP"], ["TP", "FP"])


def test_fuzzy_matches_are_not_one_to_one() -> None:
    mine = [Said("PER", SMITH)]
    theirs = [Said("PER", "Mr. Smith"), Said("PER", "Smith,")]
    assert classes(mine, theirs) == (["FzTP"], ["FzTP", "FzTP"])
    # A row names the first of several.
    errors = outcome(mine, theirs).errors
    rows = [(e.gold, e.system) for e in errors if e.reason == "fuzzy match, gold side"]
    assert rows == [(0, 0)]


def test_a_span_may_have_several_labels() -> None:
    mine = [Said("PER", SMITH), Said("ORG", SMITH)]
    theirs = [Said("ORG", SMITH), Said("LOC", SMITH)]
    assert classes(mine, theirs) == (["FN", "TP"], ["TP", "FP"])


def test_treatments_stand_side_by_side() -> None:
    mine = [Said("PER", SMITH), Said("CITY", "Rome"), Said("ORG", "Acme")]
    theirs = [Said("PER", "Mr. Smith"), Said("LOC", "Rome"), Said("ORG", "Acme")]
    numbers = Rules().scores(outcome(mine, theirs).raw_counts).numbers
    assert numbers["span.strict.f1"] == pytest.approx(1 / 3)
    assert numbers["span.half.f1"] == pytest.approx(2 / 3)
    assert numbers["span.full.f1"] == 1
    assert numbers["span.gold.FzTP"] == 1


def test_every_span_that_is_not_plainly_right_is_a_row() -> None:
    mine = [Said("PER", SMITH), Said("ORG", "Acme"), Said("LOC", "Paris")]
    theirs = [Said("PER", "Mr. Smith"), Said("LOC", "Rome"), Said("LOC", "Paris")]
    found = outcome(mine, theirs)
    rows = {
        (each.tuple_type, each.name, each.gold, each.system, each.reason)
        for each in found.errors
        if each.tuple_type == "span"
    }
    assert rows == {
        ("span", "FzTP", 0, 0, "fuzzy match, gold side"),
        ("span", "FzTP", 0, 0, "fuzzy match"),
        ("span", "FN", 1, None, "false negative"),
        ("span", "FP", None, 1, "false positive"),
    }
    pairs = [(match.gold, match.system, match.credit) for match in found.matches]
    assert pairs == [(0, 0, 1.0), (2, 2, 1.0)]


APART = "Mr. Bob is in Rome; Bob likes Rome."


def test_entities_that_share_no_place_may_have_one_name() -> None:
    """A city here and a location there: no mentions meet, the words do."""
    gold, system = [Said("CITY", "Rome")], [Said("LOC", "Rome", skip=1)]
    found = classes(gold, system, level="document", text=APART)
    assert found == (["partial TP"], ["partial TP"])
    low = [gold[0]._replace(low=True)]
    found = classes(low, system, level="document", text=APART)
    assert found == (["partial TP low confidence"], ["partial TP low confidence"])
    # Types that are not below one another, and entries that differ, are no match.
    other = [Said("ORG", "Rome", skip=1)]
    assert classes(gold, other, level="document", text=APART) == (["FN"], ["FP"])
    known = [gold[0]._replace(ids=("1",))], [system[0]._replace(ids=("2",))]
    assert classes(*known, level="document", text=APART) == (["FN"], ["FP"])


def test_a_condition_pairs_any_entities_of_a_document(tmp_path: Path) -> None:
    rules = """
extends = "default"
[[rule]]
name = "same words elsewhere"
phase = "document"
priority = 72
level = "document"
over = "any"
when = '''gold.type = system.type
          and same_words(gold.text, system.text, gold.type)'''
from_gold = "FN"
from_system = "FP"
to_gold = "FzTP"
to_system = "FzTP"
"""
    gold, system = [Said("PER", "Mr. Bob")], [Said("PER", "Bob", skip=1)]
    assert classes(gold, system, level="document", text=APART) == (["FN"], ["FP"])
    metric = metric_of(tmp_path, rules)
    found = classes(gold, system, metric, "document", text=APART)
    assert found == (["FzTP"], ["FzTP"])
    # Entities of other documents are none of the pairs.
    sides = graph(gold, APART), graph(system, APART, "2")
    empty = graph([], APART), graph([], APART, "2")
    documents = [
        Unit([metric.prepare(sides[0])], [metric.prepare(empty[0])]),
        Unit([metric.prepare(empty[1])], [metric.prepare(sides[1])]),
    ]
    with metric.engines.engine() as engine:
        batch = batch_of(metric.rules, engine, documents)
        engine.run(batch)
        names = [row.name for row in trace(engine, batch) if row.level == "document"]
    assert names == ["FN", "FP"]


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ('level = "span"\nwhen = "gold.low"', "level = 'document'"),
        ('level = "document"', "when, which says which pairs"),
    ],
)
def test_any_pairs_need_a_document_and_a_condition(
    tmp_path: Path, keys: str, message: str
) -> None:
    rule = f'name = "x"\nphase = "base"\nover = "any"\nto_gold = "TP"\n{keys}\n'
    with pytest.raises(InputError, match=message):
        metric_of(tmp_path, f'extends = "default"\n[[rule]]\n{rule}')
