"""What the classes of rules cost, beside spans that are put right and scored again."""

from __future__ import annotations

import pytest

from graphscore import Anchor, Graph, Node, Options, Store, score, whatif
from graphscore.exceptions import UsageError
from graphscore.formats import write_graphs
from graphscore.statistics.whatif.corrections import what_if
from tests.statistics.together import together

TEXT = "Mr. Smith of Acme said it rained in Rome"

Span = tuple[str, str]
"""A type and words."""


def spans(*found: Span) -> list[Graph]:
    nodes = []
    for tuple_type, words in found:
        start = TEXT.index(words)
        anchors = (Anchor(start, start + len(words)),)
        nodes.append(Node(len(nodes), tuple_type, (("kind", "mention"),), anchors))
    return [Graph("1", "ner", 1, document="d", text=TEXT, nodes=tuple(nodes))]


SMITH, ACME, ROME = ("PER", "Mr. Smith"), ("ORG", "Acme"), ("LOC", "Rome")
GOLD = spans(SMITH, ACME, ROME)
SYSTEM = spans(("PER", "Smith"), ACME, ("ORG", "Rome"), ("PER", "it"))


KEPT = Options(per_item=True, details=True)
FN, FP = ("", "FN", "rule"), ("", "FP", "rule")


@pytest.mark.parametrize(
    ("classes", "repaired"),
    [
        ([FN], [("PER", "Smith"), ACME, ("ORG", "Rome"), ROME, ("PER", "it")]),
        ([FP], [("PER", "Smith"), ACME, ("PER", "it")]),
        ([("", "", "missing")], [("PER", "Smith"), ACME, ("ORG", "Rome"), ROME]),
        ([FP, FN], [SMITH, ACME, ROME]),
        # What is ignored counts for nothing.
        (
            [("", "FP-ignored:stop word", "rule")],
            [("PER", "Smith"), ACME, ("ORG", "Rome")],
        ),
    ],
)
def test_a_class_is_put_right(classes, repaired):
    result = score(GOLD, SYSTEM, "rules", options=KEPT)
    again = score(GOLD, spans(*repaired), "rules").value
    assert what_if(result).value == result.value
    assert together(result, *classes) == pytest.approx(again, abs=1e-12)


def test_a_class_that_is_worth_half_has_the_other_half_to_gain():
    # A city is a place: half right on both sides, and one repair.
    system = spans(SMITH, ACME, ("CITY", "Rome"))
    found = whatif(GOLD, system, metric="rules")
    assert found.value == 2.5 / 3
    rows = [each for each in found.classes if each.error_type == "rule"]
    assert [(each.label, each.value) for each in rows] == [("partial TP", 1)]


def test_classes_of_rules_are_classes_of_errors(tmp_path):
    found = whatif(GOLD, SYSTEM, metric="rules")
    assert [each[:4] for each in found.classes if each.error_type == "rule"] == [
        ("span", "FN", "rule", 1),
        ("span", "FP", "rule", 1),
        ("span", "FP-ignored:stop word", "rule", 1),
    ]
    with Store(str(tmp_path / "runs.db"), mode="create") as runs:
        for name, side in (("gold", GOLD), ("main", SYSTEM)):
            path = tmp_path / f"{name}.mrp"
            path.write_bytes(b"".join(write_graphs(side, "mrp")))
            runs.ingest(str(path), name)
            path.unlink()
        for _ in range(2):
            kept = whatif(runs, "gold", "main", metric="rules")
            assert kept.to_dict() == found.to_dict() | {"system": "main"}


def test_a_match_of_one_side_alone_is_refused():
    # A fuzzy match that only the system's side has is missed all the same.
    with pytest.raises(UsageError, match="the cost of its errors is not known"):
        whatif(GOLD, SYSTEM, metric="rules:docs/examples/scores.toml")
