"""EDT value and LEDR: against a slow oracle, worked examples, and bad tables."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.errors import UsageError
from graphscore.evaluation.files import score_files
from graphscore.evaluation.tasks import families
from graphscore.metrics.entities.ace_table import values_of
from graphscore.metrics.entities.ace_value import AceValue
from graphscore.metrics.registry import parse
from graphscore.model.graph import Anchor, Graph
from graphscore.structures import LayoutBuilder
from tests.metrics.entities.valued import (
    ACE,
    WORTH,
    Entity,
    Mention,
    document,
    documents,
)
from tests.metrics.meaning.pieces import outcome


def numbers(gold: Graph, system: Graph | None, **options: Any) -> dict[str, float]:
    metric = AceValue(**({"values": ACE} | options))
    return metric.figures(outcome(gold, system, metric).masses).numbers


# The oracle: every mapping of entities, and within it every one of mentions.


def partial_maps(left: int, right: int) -> Iterator[dict[int, int]]:
    """Every way to map some of the left one to one to some of the right."""
    for size in range(min(left, right) + 1):
        for ones in itertools.combinations(range(left), size):
            for twos in itertools.permutations(range(right), size):
                yield dict(zip(ones, twos, strict=True))


def share(one: Mention, two: Mention) -> float:
    both = min(one[2], two[2]) - max(one[1], two[1])
    return max(both, 0) / max(one[2] - one[1], two[2] - two[1])


def oracle(
    gold: Sequence[Entity], system: Sequence[Entity], level: bool
) -> tuple[float, float]:
    """The value of gold, and the greatest that the system can have."""

    def norm(entity: Entity) -> float:
        worths = [WORTH[kind] for kind, _, _ in entity[2]]
        return max(worths) / sum(worths) if level else 1.0

    def alarm(entity: Entity) -> float:
        return 0.75 * norm(entity) * sum(WORTH[kind] for kind, _, _ in entity[2])

    def mapped(one: Entity, two: Entity) -> float:
        unit = norm(one)
        unit *= 1.0 if one[0] == two[0] else 0.5
        unit *= 1.0 if one[1] == two[1] else 0.9
        most = -math.inf
        for chosen in partial_maps(len(one[2]), len(two[2])):
            pairs = [(one[2][m], two[2][n]) for m, n in chosen.items()]
            if not pairs or any(share(a, b) < 0.3 for a, b in pairs):
                continue
            value = sum(
                unit * min(WORTH[a[0]], WORTH[b[0]]) * (1 if a[0] == b[0] else 0.9)
                for a, b in pairs
            )
            for n, mention in enumerate(two[2]):
                if n not in chosen.values():
                    value -= 0.75 * norm(two) * WORTH[mention[0]]
            most = max(most, value)
        return most

    best = -math.inf
    for chosen in partial_maps(len(gold), len(system)):
        value = sum(mapped(gold[a], system[b]) for a, b in chosen.items())
        value -= sum(
            alarm(each) for b, each in enumerate(system) if b not in chosen.values()
        )
        best = max(best, value)
    worth = sum(
        norm(each) * sum(WORTH[kind] for kind, _, _ in each[2]) for each in gold
    )
    return worth, best


@given(gold=documents, system=documents, level=st.booleans())
def test_no_other_mapping_has_more_value(
    gold: list[Entity], system: list[Entity], level: bool
) -> None:
    worth, best = oracle(gold, system, level)
    found = numbers(
        document(*gold),
        document(*system),
        weighting="level" if level else "mention",
    )
    assert found["gold"] == pytest.approx(worth)
    assert found["edt"] == pytest.approx(best)
    if gold:
        assert found["ledr"] == pytest.approx(best / worth)
    else:
        assert math.isnan(found["ledr"])


@given(gold=documents, system=documents)
def test_what_gold_is_worth_is_kept_or_lost(
    gold: list[Entity], system: list[Entity]
) -> None:
    found = numbers(document(*gold), document(*system))
    kept = found["edt"] + found["false_alarm"]
    assert kept + found["missing"] + found["substitution"] == pytest.approx(
        found["gold"]
    )
    for name in ("gold", "edt", "missing", "false_alarm", "substitution"):
        of_types = [value for key, value in found.items() if key.startswith(f"{name}.")]
        assert sum(of_types) == pytest.approx(found[name])
    assert found["substitution"] >= -1e-12


@given(gold=documents)
def test_gold_has_its_own_value(gold: list[Entity]) -> None:
    found = numbers(document(*gold), document(*reversed(gold)))
    if gold:
        assert found["ledr"] == 1
    assert found["missing"] == found["false_alarm"] == found["substitution"] == 0


@given(gold=documents, system=documents, data=st.data())
def test_the_order_of_the_file_is_of_no_account(
    gold: list[Entity], system: list[Entity], data: st.DataObject
) -> None:
    def shuffled(every: list[Entity]) -> list[Entity]:
        return [
            (kind, subtype, data.draw(st.permutations(list(those))))
            for kind, subtype, those in data.draw(st.permutations(every))
        ]

    one = numbers(document(*gold), document(*system))
    two = numbers(document(*shuffled(gold)), document(*shuffled(system)))
    assert {name: repr(value) for name, value in one.items()} == {
        name: repr(value) for name, value in two.items()
    }


@given(gold=documents, system=documents)
def test_errors_are_what_is_not_right(gold: list[Entity], system: list[Entity]) -> None:
    metric = AceValue(values=ACE)
    one, two = document(*gold), document(*system)
    found = outcome(one, two, metric)
    counts = metric.figures(found.masses).counts
    for kind in metric.kinds:
        rows = [error.side for error in found.errors if error.kind == kind]
        assert rows.count("missing") == counts[kind].gold - counts[kind].matched
        assert rows.count("surplus") == counts[kind].system - counts[kind].matched
    opposite = [
        (error.kind, error.gold, error.system)
        for error in found.errors
        if error.reason == "differs"
    ]
    assert all(opposite.count(each) == 2 for each in opposite)
    for row in (*found.errors, *found.matches):
        assert row.gold is None or 0 <= row.gold < len(one.nodes)
        assert row.system is None or 0 <= row.system < len(two.nodes)
    lean = outcome(one, two, metric, details=False)
    assert lean.masses == found.masses
    assert lean.matches == lean.errors == ()


# Worked examples; the first is that of the page.

GOLD = (
    ("PER", "Individual", [("NAM", 0, 12), ("PRO", 30, 32)]),
    ("ORG", None, [("NAM", 40, 44)]),
)


def test_the_example_of_the_page() -> None:
    system = (
        ("PER", None, [("NAM", 0, 12), ("NOM", 30, 32)]),
        ("GPE", None, [("NAM", 60, 66)]),
    )
    found = numbers(document(*GOLD), document(*system))
    # An entity is worth its name: 1. Its mentions share that, 1 and 0.1 of 1.1.
    unit = 1 / 1.1
    mapped = 0.9 * unit * (1 + 0.1 * 0.9)
    assert found["gold"] == 2
    assert found["edt"] == pytest.approx(mapped - 0.75)
    assert found["ledr"] == pytest.approx(0.0709, abs=5e-5)
    assert found["missing.ORG"] == 1
    assert found["false_alarm.GPE"] == 0.75
    assert found["substitution.PER"] == pytest.approx(1 - mapped)
    assert (found["missing_entities"], found["false_alarm_entities"]) == (1, 1)
    assert math.isnan(found["ledr.GPE"])


def test_a_spurious_mention_of_a_known_entity_costs_its_share() -> None:
    system = ("PER", "Individual", [*GOLD[0][2], ("NAM", 50, 55)])
    found = numbers(document(*GOLD), document(system, GOLD[1]), weighting="mention")
    assert found["gold"] == pytest.approx(2.1)
    assert found["edt"] == pytest.approx(2.1 - 0.75)
    assert found["false_alarm"] == 0
    # By level, all mentions of a side are worth 1: here 1, 0.1 and 1 of 2.1.
    found = numbers(document(*GOLD), document(system, GOLD[1]))
    assert found["edt"] == pytest.approx(2 - 0.75 / 2.1)


def test_a_mention_of_another_entity_has_a_weight_of_its_own(tmp_path: Path) -> None:
    """The mention [40, 44) is gold's, but of the other entity."""
    half = Path(ACE).read_text().replace("coreference = 1.00", "coreference = 0.5")
    path = tmp_path / "half.toml"
    path.write_text(half)
    system = ("PER", "Individual", [*GOLD[0][2], ("NAM", 40, 44)])
    for values, cost in ((ACE, 0.75), (str(path), 0.375)):
        found = numbers(
            document(*GOLD), document(system), values=values, weighting="mention"
        )
        assert found["edt"] == pytest.approx(1.1 - cost)


def test_classes_weigh() -> None:
    person = ("PER", None, [("NAM", 0, 4)])
    other = ("PER", None, [("NAM", 10, 14)])
    gold = document(person, other, classes=("SPC", "GEN"))
    found = numbers(gold, gold)
    # What is worth nothing is mapped all the same.
    assert (found["gold"], found["edt"], found["missing_entities"]) == (1, 1, 0)
    found = numbers(gold, document(person, other, classes=("GEN", "GEN")))
    assert (found["edt"], found["substitution_entities"]) == (0, 1)


def test_flat_entities_stand_for_themselves() -> None:
    def sentence(*mentions: tuple[str, str, int, int]) -> Graph:
        build = LayoutBuilder()
        for kind, level, start, end in mentions:
            build.mention(kind, [Anchor(start, end)], (("mention_type", level),))
        return build.graph("1", "ner", text="x" * 40)

    gold = sentence(("PER", "NAM", 0, 4), ("PER", "PRO", 10, 12))
    system = sentence(("ORG", "NAM", 0, 4), ("PER", "PRO", 20, 22))
    found = numbers(gold, system)
    assert found["gold"] == pytest.approx(1.1)
    assert found["edt"] == pytest.approx(0.5 - 0.075)
    errors = outcome(gold, system, AceValue(values=ACE)).errors
    rows = [(e.side, e.kind, e.name, e.value, e.reason) for e in errors]
    assert rows == [
        ("missing", "entities", "type", "PER", "differs"),
        ("missing", "entities", "", "PER", "no counterpart"),
        ("missing", "mentions", "", "xx", "no counterpart"),
        ("surplus", "entities", "type", "ORG", "differs"),
        ("surplus", "entities", "", "PER", "no counterpart"),
        ("surplus", "mentions", "", "xx", "no counterpart"),
    ]


def test_an_absent_side_is_empty() -> None:
    gold = document(*GOLD)
    found = numbers(gold, None)
    assert (found["edt"], found["ledr"], found["missing_entities"]) == (0, 0, 2)
    found = numbers(document(), gold)
    assert found["edt"] == pytest.approx(-1.5)
    assert math.isnan(found["ledr"])


def test_how_much_mentions_must_overlap() -> None:
    gold = document(("PER", None, [("NAM", 0, 10)]))
    system = document(("PER", None, [("NAM", 0, 3)]))
    assert numbers(gold, system)["edt"] == 1
    assert numbers(gold, system, overlap=0.31)["edt"] == -0.75
    # A mention that only touches another has nothing in common with it.
    beside = document(("PER", None, [("NAM", 10, 14)]))
    assert numbers(gold, beside, overlap=0.0)["edt"] == -0.75


def test_heads_are_compared_where_both_have_one() -> None:
    def headed(head: str | None, start: int, end: int) -> Graph:
        build = LayoutBuilder()
        said = () if head is None else (("head", head),)
        properties = (("mention_type", "NAM"), *said)
        one = build.mention("PER", [Anchor(start, end)], properties)
        build.entity([one], "PER")
        return build.graph("1", "coref")

    gold = headed("20:24", 0, 24)
    assert numbers(gold, headed("20:24", 20, 24))["edt"] == 1
    assert numbers(gold, headed("0:4", 0, 24))["edt"] == -0.75
    assert numbers(gold, headed(None, 20, 24))["edt"] == -0.75
    assert numbers(gold, headed(None, 0, 24))["edt"] == 1


def test_mentions_without_characters_are_their_words() -> None:
    def strings(*words: str) -> Graph:
        build = LayoutBuilder()
        for word in words:
            build.mention("PER", (), (("mention_type", "NAM"),), text=word)
        return build.graph("1", "ner")

    found = numbers(strings("Ada", "May"), strings("May", "Joan"))
    assert (found["gold"], found["edt"]) == (2, 0.25)


def test_what_an_entity_does_not_say_its_mentions_say() -> None:
    build = LayoutBuilder()
    members = [
        build.mention(kind, [Anchor(k, k + 1)], (("mention_type", "NAM"),))
        for k, kind in enumerate(("ORG", "GPE", "GPE"))
    ]
    build.entity(members)
    found = numbers(build.graph("1", "coref"), None)
    assert found["missing_entities.GPE"] == 1


def test_documents_sum_up() -> None:
    gold = [document(*GOLD, id=name) for name in "ab"]
    system = [document(GOLD[0], id="a"), document(GOLD[1], id="b")]
    [result] = score_files(gold, system, [AceValue(values=ACE)])
    assert result.value == pytest.approx(0.5)
    assert result.figures.numbers["gold"] == pytest.approx(4)


def test_metrics_of_one_table_share_their_entities() -> None:
    metrics = [
        parse(f"ace_value(values={ACE},{more})")
        for more in ("overlap=0.1", "weighting=mention", "overlap=0.5")
    ]
    assert families(metrics) == [[0, 1, 2]]


# Tables.


def test_the_bundled_table_is_that_of_ace() -> None:
    table = values_of(ACE)
    assert {table.of("type", each) for each in ("PER", "ORG", "GPE", "WEA")} == {1}
    assert [table.of("mention", each) for each in WORTH] == [*WORTH.values()]
    assert dict(table.entity_errors) == {"type": 0.5, "subtype": 0.9, "class": 0.75}
    assert set(dict(table.mention_errors).values()) == {0.9}
    assert (table.false_alarm, table.coreference) == (0.75, 1)


def test_there_is_no_table_by_default() -> None:
    with pytest.raises(UsageError, match=r"needs a table of values: ace_value\(values"):
        outcome(document(*GOLD), None, AceValue())


def test_what_the_table_does_not_value_is_named() -> None:
    with pytest.raises(UsageError, match=r"\[type\] has no value for 'TIME'; add it"):
        numbers(document(("TIME", None, [("NAM", 0, 1)])), None)
    with pytest.raises(UsageError, match=r"\[mention\] has no value for 'BAR'"):
        numbers(document(("PER", None, [("BAR", 0, 1)])), None)


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("[type", ["found broken TOML"]),
        (
            "",
            [f"found no [{name}], expected one" for name in ("type", "mention")],
        ),
        ("type = 1", ["type: found 1, expected a section [type]"]),
        ("[typ]\nPER = 1", ["found 'typ' (did you mean 'type'?), expected type"]),
        ("[type]\nPER = 'x'", ["type.PER: found 'x', expected a number, 0 or more"]),
        ("[type]\nPER = true", ["type.PER: found True, expected a number"]),
        ("[type]\nPER = -1", ["type.PER: found -1, expected a number, 0 or more"]),
        ("[type]\nPER = nan", ["type.PER: found nan, expected a number"]),
        ("[type]\nPER = inf", ["type.PER: found inf, expected a number"]),
        ("[error]\ntype = 1.5", ["error.type: found 1.5, expected a number from 0"]),
        (
            "[false_alarm]\nentities = 1",
            [
                "false_alarm.entities: found a name, expected entity or coreference",
                "false_alarm: found no entity, expected one",
            ],
        ),
    ],
)
def test_everything_wrong_with_a_table_is_named(
    tmp_path: Path, text: str, messages: list[str]
) -> None:
    path = tmp_path / "values.toml"
    path.write_text(text)
    with pytest.raises(UsageError) as error:
        AceValue(values=str(path))
    for message in messages:
        assert f"{path}: {message}" in str(error.value)


def test_a_table_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file or directory"):
        AceValue(values=str(tmp_path / "none.toml"))
    bad = tmp_path / "bytes.toml"
    bad.write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="not UTF-8"):
        AceValue(values=str(bad))


def test_another_table_is_another_revision(tmp_path: Path) -> None:
    path = tmp_path / "values.toml"
    path.write_text(Path(ACE).read_text())
    before = AceValue(values=str(path)).revision
    assert AceValue(values=str(path)).revision == before
    path.write_text(Path(ACE).read_text().replace("0.50", "0.40"))
    assert AceValue(values=str(path)).revision != before


def test_shares_are_from_0_to_1() -> None:
    with pytest.raises(UsageError, match=r"overlap=1\.5, expected 0 to 1"):
        AceValue(overlap=1.5)
