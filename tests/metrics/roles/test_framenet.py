"""The metric framenet, and the files of frame relations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from graphscore.exceptions import UsageError
from graphscore.metrics.registry import parse
from graphscore.metrics.roles.frame_relations import relations_of
from graphscore.metrics.roles.framenet import FrameNet
from tests.metrics.roles.roles import (
    WORDS,
    Frame,
    counted,
    outcome,
    scores,
    span_graph,
)

TABLE = """\
# who is above whom
Getting\tCommerce_buy
Getting\tRecipient\tCommerce_buy\tBuyer
Commerce_buy\tRenting
Commerce_buy\tBuyer\tRenting\tLessee
Getting\tTaking
Taking\tSeizing
Giving\tSeizing
Getting\tSeizing2
Seizing2\tSeizing
Getting\tRecipient\tCore
Getting\tTime\tPeripheral
Commerce_buy\tBuyer\tCore
"""

XML = """\
<frame-relations>
 <frame-relation-type name="Inheritance"><frame-relations>
  <frame-relation superFrameName="Getting" subFrameName="Commerce_buy">
   <fe-relation superFEName="Recipient" subFEName="Buyer"/>
  </frame-relation></frame-relations>
 </frame-relation-type>
 <frameRelationType name="See_also">
  <frameRelation superFrameName="Getting" subFrameName="Losing">
   <FERelation superFEName="Recipient" subFEName="Owner"/></frameRelation>
 </frameRelationType>
</frame-relations>
"""

FRAMES = """\
<frames><frame name="Getting"><fes>
 <fe name="Recipient" coreType="Core"/><fe name="Time" coreType="Peripheral"/>
</fes></frame></frames>
"""


@pytest.fixture
def table(tmp_path: Path) -> str:
    path = tmp_path / "relations.tsv"
    path.write_text(TABLE, encoding="utf-8")
    return str(path)


def one(label: str, *elements: tuple[str, int, int]) -> list[Frame]:
    return [Frame(3, label, list(elements))]


def scored(metric: FrameNet, gold: list[Frame], system: list[Frame]) -> tuple[Any, Any]:
    found = scores(metric, span_graph(WORDS, gold), span_graph(WORDS, system))
    return counted(found, "frames"), counted(found, "elements")


def test_without_files_only_equal_frames_match() -> None:
    gold = one("Getting", ("Recipient", 0, 1))
    assert scored(FrameNet(), gold, gold) == ((1, 1, 1), (1, 1, 1))
    system = one("Commerce_buy", ("Recipient", 0, 1))
    assert scored(FrameNet(), gold, system) == ((1, 1, 0), (1, 1, 0))


def test_the_example_of_the_page(table: str) -> None:
    gold = one("Getting", ("Recipient", 0, 1))
    system = one("Commerce_buy", ("Buyer", 0, 1))
    found = scored(FrameNet(relations=table), gold, system)
    assert found == ((1, 1, 0.8), (1, 1, 0.8))
    assert scored(FrameNet(relations=table, decay=0.5), gold, system)[0][2] == 0.5


def test_every_step_costs(table: str) -> None:
    gold, system = one("Getting", ("Recipient", 0, 1)), one("Renting", ("Lessee", 0, 1))
    frames_, elements = scored(FrameNet(relations=table), gold, system)
    assert frames_ == (1, 1, pytest.approx(0.64))
    # A lessee is not said to be core.
    assert elements == (1, 0.5, pytest.approx(0.32))


def test_elements_earn_their_share_of_the_shortest_ways(tmp_path: Path) -> None:
    path = tmp_path / "t.tsv"
    rows = ["A\tB", "A\tC", "B\tD", "C\tD", "A\tX\tB\tX", "B\tX\tD\tX"]
    path.write_text("\n".join(rows), encoding="utf-8")
    metric = FrameNet(relations=str(path))
    found = scored(metric, one("A", ("X", 0, 0)), one("D", ("X", 0, 0)))
    assert found[1] == (1, 1, pytest.approx(0.64 / 2))


def test_elements_must_be_as_far_apart_as_their_frames(table: str) -> None:
    metric = FrameNet(relations=table)
    gold = one("Getting", ("Recipient", 0, 1))
    system = one("Commerce_buy", ("Recipient", 0, 1))
    assert scored(metric, gold, system)[1][2] == 0


def test_peripheral_elements_are_worth_less(table: str) -> None:
    gold = one("Getting", ("Recipient", 0, 1), ("Time", 5, 5))
    assert scored(FrameNet(relations=table), gold, gold)[1] == (1.5, 1.5, 1.5)
    none = FrameNet(relations=table, peripheral=0.0)
    assert scored(none, gold, gold)[1] == (1, 1, 1)


def test_frames_of_a_target_earn_most(table: str) -> None:
    gold = [Frame(3, "Getting", []), Frame(3, "Renting", [])]
    system = [Frame(3, "Commerce_buy", []), Frame(3, "Getting", [])]
    found = scored(FrameNet(relations=table), gold, system)
    assert found[0] == (2, 2, pytest.approx(1.8))


def test_elements_are_compared_by_their_words() -> None:
    gold, system = one("G", ("R", 0, 1)), one("G", ("R", 1, 1))
    assert scored(FrameNet(), gold, system) == ((1, 1, 1), (1, 1, 0))


def test_parts_of_one_label_are_one_element() -> None:
    gold = one("G", ("R", 0, 0), ("R", 2, 2))
    assert scored(FrameNet(), gold, gold)[1] == (1, 1, 1)
    assert scored(FrameNet(), gold, one("G", ("R", 0, 0)))[1] == (1, 1, 0)


def test_targets_must_be_equal() -> None:
    gold, system = [Frame(3, "G", [])], [Frame(4, "G", [])]
    assert scored(FrameNet(), gold, system)[0] == (1, 1, 0)


def test_a_missing_sentence_counts() -> None:
    gold = span_graph(WORDS, one("G", ("R", 0, 1)))
    assert counted(scores(FrameNet(), gold, None), "all") == (2, 0, 0)


def test_every_predicate_is_a_frame() -> None:
    gold = one("NE:PERSON")
    assert scored(FrameNet(), gold, gold)[0] == (1, 1, 1)


@pytest.mark.parametrize("names", [("getting.xml", "frames.xml")])
def test_files_of_framenet_are_read(tmp_path: Path, names: tuple[str, str]) -> None:
    for name, text in zip(names, (XML, FRAMES), strict=True):
        (tmp_path / name).write_text(text, encoding="utf-8")
    paths = "|".join(str(tmp_path / name) for name in names)
    for each in (paths, str(tmp_path)):
        metric = FrameNet(relations=each)
        found = metric.related
        assert found.way("Commerce_buy", "Getting") == (1, 1)
        assert found.way("Getting", "Losing") is None
        ends = ("Getting", "Recipient"), ("Commerce_buy", "Buyer")
        assert found.way(*ends) == (1, 1)
        assert found.is_core(*ends[0])
        assert not found.is_core("Getting", "Time")


def test_what_files_say_is_part_of_the_revision(tmp_path: Path) -> None:
    path = tmp_path / "t.tsv"
    path.write_text("A\tB\n", encoding="utf-8")
    before = parse(f"framenet(relations={path})")
    assert isinstance(before, FrameNet)
    assert before.related.way("A", "C") is None
    path.write_text("A\tC\n", encoding="utf-8")
    after = parse(f"framenet(relations={path})")
    assert isinstance(after, FrameNet)
    assert after.related.way("A", "C") == (1, 1)
    assert before.revision != after.revision
    assert FrameNet().revision == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A", "found 1 columns"),
        ("A\tB\tC\tD\tE", "found 5 columns"),
        ("<frames><frame/></frames>", "relations of FrameNet"),
        ("<frames>", "relations of FrameNet"),
        ('<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', "declaration of an entity"),
    ],
)
def test_files_that_are_none_are_named(
    tmp_path: Path, text: str, expected: str
) -> None:
    path = tmp_path / "t"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=expected) as error:
        FrameNet(relations=str(path))
    assert str(path) in str(error.value)


def test_nothing_is_related_after_nine_steps(tmp_path: Path) -> None:
    path = tmp_path / "t.tsv"
    rows = [f"F{k}\tF{k + 1}" for k in range(12)]
    path.write_text("\n".join(rows), encoding="utf-8")
    related = FrameNet(relations=str(path)).related
    assert related.way("F0", "F9") == (9, 1)
    assert related.way("F0", "F10") is None
    assert relations_of("", 0).way("F0", "F0") == (0, 1)


def test_rows_have_what_is_related_as_partial(table: str) -> None:
    gold = span_graph(WORDS, one("Getting", ("Recipient", 0, 1), ("Time", 5, 5)))
    system = span_graph(WORDS, one("Commerce_buy", ("Buyer", 0, 1)))
    found = outcome(FrameNet(relations=table), gold, system)
    rows = [
        (e.error_type, e.tuple_type, e.label, e.reason, e.credit) for e in found.errors
    ]
    assert rows == [
        ("partial", "frames", "Getting", "differs", 0.8),
        ("partial", "elements", "Recipient", "differs", 0.8),
        ("missing", "elements", "Time", "absent", 0.0),
    ]
    assert sum(match.credit for match in found.matches) == pytest.approx(found.score)
