"""Titles and abstracts with identified mentions."""

from __future__ import annotations

import pytest

from graphscore import score
from graphscore.formats.registry import format_named
from graphscore.formats.round_trip import write_checked
from graphscore.model.graph import Anchor, Graph
from tests.formats.reading import FormatReader, lost_of

FORMAT = format_named("pubtator")
READER = FormatReader(FORMAT, "a.pubtator")

FIRST = """\
7|t|Naloxone helps
7|a|It lowers the blood pressure and pain.
7\t0\t8\tNaloxone\tChemical\tD009270
7\t29\t52\tblood pressure and pain\tDisease\tD006973|D010146\tblood|pain
7\t29\t34\tblood\tDisease\t-1
7\tCID\tD009270\tD006973
7\tAssociation\tD009270\tD010146\tNovel

"""

TEXTS = FIRST + "8|t|No Naloxone\n\n"


def test_mentions_and_relations() -> None:
    ner, relation, *_ = READER.good(TEXTS)
    assert ner.text == "Naloxone helps\nIt lowers the blood pressure and pain."
    assert [(n.label, n.properties[1:]) for n in ner.nodes] == [
        ("Chemical", (("authority", "D009270"),)),
        ("Disease", (("authority", "D006973|D010146"),)),
        ("Disease", (("authority", "NIL"),)),
    ]
    entities = {n.id: dict(n.properties).get("index") for n in relation.nodes}
    ends = [entities[e.target] for e in relation.edges if e.label in ("Arg1", "Arg2")]
    assert ends == ["D009270", "D006973", "D009270", "D010146"]
    assert [(e.source, e.target) for e in relation.edges if e.label == "mention"] == [
        (3, 0),
        (4, 1),
        (6, 1),
    ]


def test_relations_are_compared_by_identifiers() -> None:
    gold = READER.good(FIRST)[1]
    other = READER.good(FIRST.replace("7\t29\t34\tblood\tDisease\t-1\n", ""))[1]
    assert score([gold], [other], "docred").f1 == 1.0


def test_what_is_written_comes_back() -> None:
    assert b"".join(write_checked(FORMAT, READER.good(TEXTS))).decode() == TEXTS
    graph = Graph("1", "ner", text="a\nb", language="en")
    assert lost_of("pubtator", graph) == {"languages"}


def test_words_may_differ_in_white_space() -> None:
    data = FIRST.replace("7\t0\t8\tNaloxone", "7\t9\t17\thelps It")
    assert READER.good(data)[0].nodes[0].anchors == (Anchor(9, 17),)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("7\t0\t9\tNaloxone\tX\tD1", "mention: found characters 0 to 9 are 'Naloxone "),
        (
            "7\t0\t99\tNaloxone\tX\tD1",
            "found characters 0 to 99, expected a range with",
        ),
        ("7\t0\t8\tNaloxone", "mention: found 4 columns, expected NUMBER, FIRST, END"),
        ("9\t0\t8\tNaloxone\tX\tD1", "found '9', expected '7'"),
        ("7\tCID\tD009270", "relation: found 3 columns, expected NUMBER, TYPE and two"),
    ],
)
def test_a_bad_line_costs_its_text(line: str, problem: str) -> None:
    [said] = READER.problems(FIRST.rstrip() + f"\n{line}\n\n8|t|next\n")
    assert said.startswith("a.pubtator:8: ")
    assert problem in said


def test_a_text_has_a_title() -> None:
    [said] = READER.problems("7|a|It lowers.\n\n" + FIRST)
    assert said.startswith("a.pubtator:1: title: found '7|a|It lowers.', expected")
