"""GAP: pronouns with two names, gold and answers."""

from __future__ import annotations

import io

import pytest

from graphscore.formats.coreference.gap import COLUMNS
from graphscore.formats.registry import detect, format_named
from tests.formats.reading import FormatReader

HEADER = "\t".join(COLUMNS) + "\n"
ZOE = 'validation-1\tZoë met "Ann" and saw Eve; she left.\tshe\t27'
KATHLEEN = "validation-2\tKathleen saw him with Tom and Al.\thim\t13"
LINES = (
    f"{ZOE}\tAnn\t9\tFALSE\tEve\t22\tTRUE\thttp://x/y\n"
    f"{KATHLEEN}\tTom\t22\tfalse\tAl\t30\tFalse\thttp://x/z\n"
)
GOLD = HEADER + LINES
ANSWERS = "validation-1\tTRUE\tfalse\nvalidation-2\tFALSE\tFALSE\n"

_reading = FormatReader(format_named("gap"), "gap.tsv")
good = _reading.good
problems = _reading.problems


def test_gold_has_a_pronoun_and_two_names() -> None:
    one, two = good(GOLD)
    assert (one.id, one.framework) == ("validation-1", "gap")
    words = [one.text[a:b] for node in one.nodes for a, b in node.anchors]
    assert words == ["she", "Ann", "Eve"]
    assert [node.label for node in one.nodes] == ["feminine", None, None]
    assert [dict(node.properties).get("candidate") for node in one.nodes] == [
        *(None, "A", "B")
    ]
    assert [(e.source, e.label, e.target) for e in one.edges] == [(0, "coreference", 2)]
    assert one.extra == {"gap": {"url": "http://x/y"}}
    assert (two.nodes[0].label, two.edges) == ("masculine", ())


def test_a_system_answers_with_two_truth_values() -> None:
    one, two = good(ANSWERS)
    assert (one.id, one.text, two.id) == ("validation-1", "", "validation-2")
    assert [(e.source, e.target) for e in one.edges] == [(0, 1)]
    assert two.edges == ()
    assert good("ID\tA-coref\tB-coref\n" + ANSWERS) == [one, two]
    [without_address, _] = good(LINES.replace("\thttp://x/y", ""))
    assert without_address.extra == {}


def test_both_are_recognised() -> None:
    for data in (GOLD, ANSWERS, "ID\tA-coref\tB-coref\n" + ANSWERS, "\ufeff" + GOLD):
        stream = io.BufferedReader(io.BytesIO(data.encode()))
        for name in ("a.tsv", "answers"):
            assert detect(stream, name).name == "gap"


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("\tshe\t27", "\tthey\t27",
         "gap.tsv:2:52: Pronoun: found 'they', expected one of he, him, his, she, her"),
        ("\tshe\t27", "\tshe\t26",
         "Pronoun-offset: found '26', expected the character where 'she' begins"),
        ("\tshe\t27", "\tshe\tx", "Pronoun-offset: found 'x', expected the character"),
        ("\tEve\t22", "\tEve\t400", "B-offset: found '400', expected the character"),
        ("\tEve\t22", "\tEve\t-1", "B-offset: found '-1', expected the character"),
        ("FALSE\tEve", "maybe\tEve", "A-coref: found 'maybe', expected TRUE or FALSE"),
        ("validation-1", " ", "ID: found ' ', expected an id"),
        ("\tshe", "", "Pronoun: found '27', expected one of he"),
        ("\tshe\t27", "", "gap.tsv:2: found 9 columns, expected 11 as in gold, or 3"),
    ],
)  # fmt: skip
def test_problems_have_their_places(old: str, new: str, problem: str) -> None:
    assert old in GOLD
    found = problems(GOLD.replace(old, new, 1))
    assert any(problem in each for each in found), found
