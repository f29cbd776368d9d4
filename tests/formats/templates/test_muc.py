"""MUC-3 and MUC-4: keys and responses, one slot to a line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphscore
from graphscore.exceptions import GraphscoreError, InputError
from graphscore.formats.base import ReadGraph, Rejected
from graphscore.formats.registry import format_named
from graphscore.formats.templates.muc import LONGEST_LINE
from graphscore.formats.templates.muc.fills import (
    SLOTS,
    Fill,
    FillError,
    Part,
    parse_fill,
    slot_lines,
)
from graphscore.formats.templates.muc.fills import write_fill as fill_written
from graphscore.model.graph import Graph
from graphscore.structures import Argument, LayoutBuilder, nodes_of
from tests.formats.reading import lost_of
from tests.formats.templates.fillers import (
    filled,
    good,
    graphs_of,
    problems,
    read,
    round_trip,
    words,
    written,
)

FORMAT = format_named("muc")

KEY = """\
;;; gk converted murder 1 to attack
0.  MESSAGE: ID                     TST2-MUC4-0026 (NOSC)
1.  MESSAGE: TEMPLATE               2 (OPTIONAL)
2.  INCIDENT: DATE                  (19 MAR 89) / (- 19 MAR 89)
3.  INCIDENT: LOCATION              COLOMBIA: BARRANQUILLA (CITY)
4.  INCIDENT: TYPE                  ATTACK / BOMBING
7.  INCIDENT: INSTRUMENT TYPE       GUN: "-"
8.  PERP: INCIDENT CATEGORY         ? TERRORIST ACT
9.  PERP: INDIVIDUAL ID             "FIDEL CASTANO"
                                    ? "SOME ARMY" / "ARMY"
11. PERP: ORGANIZATION CONFIDENCE   ? POSSIBLE / SUSPECTED OR ACCUSED: "ARMY" / "IT"
12. PHYS TGT: ID                    *
18. HUM TGT: NAME                   -
19. HUM TGT: DESCRIPTION            "RECTOR" / "\\"THE\\" RECTOR (UCA)": "ELLACURIA"
21. HUM TGT: NUMBER                 7 -: "PRIESTS" / "JESUITS"
                                    -: "WOMEN"
"""


def key(*rows: str, id: str = "TST3-MUC4-0001", number: str = "1") -> str:
    found = [
        f"0.  MESSAGE: ID                    {id}",
        f"1.  MESSAGE: TEMPLATE              {number}",
        *rows,
    ]
    return "".join(row + "\n" for row in found if row)


def edge(graph: Graph, slot: str, number: int = 0) -> Any:
    return [edge for edge in graph.edges if edge.label == slot][number]


def filler(graph: Graph, slot: str, number: int = 0) -> Any:
    target = edge(graph, slot, number).target
    return next(node for node in graph.nodes if node.id == target)


# What is read.


def test_a_message_is_a_document_with_typed_templates() -> None:
    [graph] = good(FORMAT, KEY)
    assert (graph.id, graph.document) == ("TST2-MUC4-0026", "TST2-MUC4-0026")
    assert (graph.framework, graph.text) == ("template", "")
    assert graph.extra == {"source": "(NOSC)"}
    [template] = nodes_of(graph, "template")
    assert template.label == "ATTACK / BOMBING"
    assert template.properties[1:] == (
        ("number", "2"),
        ("optional", True),
        ("inapplicable", "PHYS TGT: ID"),
    )
    assert dict(template.extra)["comments"] == [";;; gk converted murder 1 to attack"]


def test_strings_are_entities_and_their_alternatives_mentions() -> None:
    [graph] = good(FORMAT, KEY)
    slot = "PERP: INDIVIDUAL ID"
    one, two = (filler(graph, slot, k) for k in (0, 1))
    assert words(graph, one.id) == ["FIDEL CASTANO"]
    assert words(graph, two.id) == ["SOME ARMY", "ARMY"]
    assert edge(graph, slot).attributes == ()
    assert edge(graph, slot, 1).attributes == (("optional", True),)


def test_values_have_alternatives_and_cross_references() -> None:
    [graph] = good(FORMAT, KEY)
    confidence = filler(graph, "PERP: ORGANIZATION CONFIDENCE")
    assert confidence.label == "POSSIBLE"
    assert confidence.properties == (
        ("kind", "value"),
        ("alternative", "SUSPECTED OR ACCUSED"),
        ("xref", "ARMY"),
        ("xref", "IT"),
    )
    type_ = filler(graph, "INCIDENT: TYPE")
    assert (type_.label, type_.properties[1:]) == (
        "ATTACK",
        (("alternative", "BOMBING"),),
    )
    gun = filler(graph, "INCIDENT: INSTRUMENT TYPE")
    assert (gun.label, gun.properties[1:]) == ("GUN", (("xref", "-"),))
    numbers = [filler(graph, "HUM TGT: NUMBER", k) for k in (0, 1)]
    assert [node.label for node in numbers] == ["7 -", "-"]


def test_a_description_is_about_another_string() -> None:
    [graph] = good(FORMAT, KEY)
    node = filler(graph, "HUM TGT: DESCRIPTION")
    assert node.properties == (("kind", "entity"), ("xref", "ELLACURIA"))
    assert words(graph, node.id) == ["RECTOR", '"THE" RECTOR (UCA)']


def test_dates_and_places_are_values_as_written() -> None:
    [graph] = good(FORMAT, KEY)
    assert filler(graph, "INCIDENT: LOCATION").label == "COLOMBIA: BARRANQUILLA (CITY)"
    date = filler(graph, "INCIDENT: DATE")
    assert (date.label, date.properties[1:]) == (
        "19 MAR 89",
        (("alternative", "- 19 MAR 89"),),
    )


def test_a_star_says_that_there_is_no_template() -> None:
    stars = [f"{k}.  {name:<31}*" for k, name in enumerate(SLOTS) if k > 1]
    [graph] = good(FORMAT, key(*stars, number="*"))
    assert (graph.id, graph.nodes) == ("TST3-MUC4-0001", ())
    round_trip(FORMAT, [graph])


def test_templates_of_a_message_are_one_graph_wherever_they_are() -> None:
    rows = ["4.  INCIDENT: TYPE                 ARSON"]
    data = "\n".join([key(), key(id="TST3-MUC4-0002"), key(*rows, number="2")])
    one, two = good(FORMAT, data)
    assert [t.label for t in nodes_of(one, "template")] == [None, "ARSON"]
    assert (two.id, len(two.nodes)) == ("TST3-MUC4-0002", 1)
    assert [record.line for record in read(FORMAT, data)] == [1, 4]


def test_templates_need_no_blank_line_between_them() -> None:
    assert good(FORMAT, key() + key(id="x")) == good(FORMAT, key() + "\n" + key(id="x"))


def test_the_slots_of_muc3_are_read() -> None:
    data = """\
0.  MESSAGE ID                    TST1-MUC3-0080
1.  TEMPLATE ID                   1
3.  TYPE OF INCIDENT              KIDNAPPING
5.  PERPETRATOR: ID OF INDIV(S)   "THREE HEAVILY ARMED MEN"
11. HUMAN TARGET: ID(S)           "ESTRADA VELEZ" ("LIBERAL SENATOR" / "SENATOR")
12. HUMAN TARGET: TOTAL NUM       1
"""
    [graph] = good(FORMAT, data)
    assert (graph.id, nodes_of(graph, "template")[0].label) == (
        "TST1-MUC3-0080",
        "KIDNAPPING",
    )
    assert filled(graph)[0][1][1:3] == [
        ("PERPETRATOR: ID OF INDIV(S)", ["THREE HEAVILY ARMED MEN"]),
        ("HUMAN TARGET: ID(S)", ["ESTRADA VELEZ"]),
    ]
    mention = nodes_of(graph, "mention")[1]
    assert mention.properties[2:] == (
        ("description", "LIBERAL SENATOR"),
        ("description", "SENATOR"),
    )
    assert written(FORMAT, [graph]).split() == data.encode().split()
    round_trip(FORMAT, [graph])


def test_a_string_without_quotation_marks_says_so() -> None:
    [graph] = good(FORMAT, key("9.  PERP: INDIVIDUAL ID            GUERRILLAS"))
    assert nodes_of(graph, "mention")[0].properties[1:] == (
        ("text", "GUERRILLAS"),
        ("bare", True),
    )
    round_trip(FORMAT, [graph])


def test_empty_slots_and_names_that_touch_their_fillers() -> None:
    [graph] = good(
        FORMAT, key("4.  INCIDENT: TYPE", "5. INCIDENT: STAGE OF EXECUTION X")
    )
    assert filled(graph) == [(None, [("INCIDENT: STAGE OF EXECUTION", "X")])]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ('"A"/"B"', [("string", "A"), ("string", "B")]),
        ('? ("A" / "B"): "C"', [("string", "A"), ("string", "B"), ("xref", "C")]),
        (
            '(POSSIBLE: "A") / (ACQUITTED: "B")',
            [
                ("value", "POSSIBLE"),
                ("xref", "A"),
                ("value", "ACQUITTED"),
                ("xref", "B"),
            ],
        ),
        ('""FOO""', [("string", '"FOO"')]),
        ('"A \\"B\\" \\\\ C"', [("string", 'A "B" \\ C')]),
        ("- 13 NOV 89", [("value", "- 13 NOV 89")]),
        (
            "COLOMBIA: CUCUTA (CITY) - CAMPANARIO (REGION)",
            [("value", "COLOMBIA: CUCUTA (CITY) - CAMPANARIO (REGION)")],
        ),
        ('1 / PLURAL: "A" / "B"', [(k, w) for k, w in zip(
            ("value", "value", "xref", "xref"), ("1", "PLURAL", "A", "B"), strict=True
        )]),
    ],
)  # fmt: skip
def test_fillers_are_taken_apart(text: str, parts: list[tuple[str, str]]) -> None:
    fill = parse_fill(text)
    assert [tuple(part) for part in fill.parts] == parts
    assert parse_fill(fill_written(fill)) == fill


def test_the_sample_is_the_same_as_for_gtt(sample: Path) -> None:
    key_, gold = (
        graphs_of(sample / "ie" / name) for name in ("incidents.key", "incidents.jsonl")
    )
    assert [graph.id for graph in key_] == [graph.id for graph in gold]
    types = [[str(t.label).lower() for t in nodes_of(g, "template")] for g in key_]
    assert types == [[t.label for t in nodes_of(g, "template")] for g in gold]
    assert written(FORMAT, key_) == (sample / "ie" / "incidents.key").read_bytes()
    round_trip(FORMAT, key_)
    assert graphscore.score(key_, key_, "mrp", framework="template").f1 == 1


# What is wrong.


def slot(text: str, name: str = "9.  PERP: INDIVIDUAL ID            ") -> str:
    return key(name + text)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (slot('"A'), ":3: PERP: INDIVIDUAL ID: found a quotation mark that is not clo"),
        (slot('("A"'), ":3: PERP: INDIVIDUAL ID: found a bracket that is not closed"),
        (slot('"A") / "B"'), "found a closing bracket without an opening one"),
        (slot('"A" / / "B"'), "found nothing between two slashes or before a colon"),
        (slot(': "B"'), "found nothing between two slashes or before a colon"),
        (slot('"A" B'), "found 'B' behind a string"),
        (slot("(" * 50 + "A" + ")" * 50), "found brackets nested more than 20 deep"),
        (slot("") + slot("")[76:], ""),
        (key(number="x"), ":2: MESSAGE: TEMPLATE: found 'x', expected a number, a num"),
        (key("", number="1\n    2"), ":3: MESSAGE: TEMPLATE: found a second line, exp"),
        ("    x\n" + key(), ":1: found 'x', expected a slot before it"),
        (
            "1.  MESSAGE: TEMPLATE              1\n",
            ":1: found a template without MESSAGE: ID, expected its id",
        ),
        ("0.  MESSAGE: ID                    ", "without MESSAGE: ID, expected its id"),
        (
            "0.  MESSAGE: ID                    A\n",
            ":1: found a template without MESSAGE: TEMPLATE, expected its number",
        ),
        (
            key("4.  INCIDENT: TYPE  A", "4.  INCIDENT: TYPE  B"),
            ":4: INCIDENT: TYPE: found a slot a second time, expected each slot once",
        ),
        (
            key("4.  INCIDENT: TYPE  A", number="*"),
            ":1: found fillers of a template *, expected none",
        ),
    ],
)
def test_what_is_wrong_is_said(data: str, problem: str) -> None:
    if problem:
        assert problem in "\n".join(problems(FORMAT, data))
    both = data + "\n" + key(id="TST3-MUC4-0009")
    found = [r.graph.id for r in read(FORMAT, both) if not isinstance(r, Rejected)]
    assert found[-1] == "TST3-MUC4-0009"


def test_templates_without_a_message_are_said_once() -> None:
    nameless = "1.  MESSAGE: TEMPLATE              1\n\n"
    both = [nameless * 3 + key(), key() + "\n" + nameless * 3]
    for data in both:
        [problem] = problems(FORMAT, data)
        assert "found 3 templates without MESSAGE: ID, expected its id" in problem
    apart = key() + "\n" + nameless + key(id="b") + "\n" + nameless
    assert len(problems(FORMAT, apart)) == 2


def test_bytes_that_are_not_text_and_lines_that_do_not_end_cost_themselves() -> None:
    raw = slot('"A\xe9"').encode("latin-1")
    assert ":3:38: found bytes that are not UTF-8, expected UTF-8" in problems(
        FORMAT, raw
    )[0]  # fmt: skip
    long = key("9.  PERP: INDIVIDUAL ID            " + "x" * LONGEST_LINE)
    assert ":3: found a line of more than 1,048,576 bytes" in problems(FORMAT, long)[0]


def test_a_bad_filler_costs_itself_and_not_its_message() -> None:
    rows = ['9.  PERP: INDIVIDUAL ID            "A', " " * 35 + '"B"']
    [record, other] = read(FORMAT, key() + "\n" + key(*rows) + "\n" + key(id="x"))
    assert isinstance(record, ReadGraph)
    assert isinstance(other, ReadGraph)
    assert len(nodes_of(record.graph, "template")) == 2
    assert words(record.graph, filler(record.graph, "PERP: INDIVIDUAL ID").id) == ["B"]
    [problem] = record.left_out
    assert (problem.line, problem.where) == (6, "PERP: INDIVIDUAL ID")
    assert not other.left_out


def test_a_system_loses_a_bad_slot_and_gold_must_have_none(tmp_path: Path) -> None:
    row = '9.  PERP: INDIVIDUAL ID            "A"'
    gold, system = tmp_path / "gold.key", tmp_path / "system.muc"
    gold.write_text(key(row), encoding="utf-8")
    system.write_text(key(row, " " * 35 + '"B" C'), encoding="utf-8")
    result = graphscore.score(str(gold), str(system), "muc4")
    assert result.pairs == 1
    assert result.rejected_records == 0
    assert "1 part of records left out that cannot be read, first" in result.notes[0]
    with pytest.raises(InputError, match="the gold side cannot be used"):
        graphscore.score(str(system), str(gold), "muc4")


@pytest.mark.parametrize("rows", ['-\n"A"', '"A"\n-', '"A"\n*\n-', '*\n"A"'])
def test_a_sign_beside_fillers_is_no_filler(rows: str) -> None:
    lines = rows.replace("\n", "\n" + " " * 35)
    [graph] = good(FORMAT, slot(lines))
    assert words(graph, filler(graph, "PERP: INDIVIDUAL ID").id) == ["A"]
    assert len(nodes_of(graph, "entity")) == 1
    [template] = nodes_of(graph, "template")
    assert "inapplicable" not in dict(template.properties)


def test_fillers_may_begin_the_line() -> None:
    row = '7.  INCIDENT: INSTRUMENT TYPE       BOMB: "BOMBS"\n-: "WEAPONS"\nGUN: "7"'
    [graph] = good(FORMAT, key(row))
    labels = [node.label for node in nodes_of(graph, "value")]
    assert labels == ["BOMB", "-", "GUN"]


@pytest.mark.parametrize(
    "sign", [" " * 35 + "* * *", "***", "-----", "\f", "= = =", "\n* * *\n\n"]
)
def test_systems_may_draw_a_line_between_templates(sign: str) -> None:
    data = f"{key()}{sign}\n{key(id='b')}{sign}\n"
    assert [graph.id for graph in good(FORMAT, data)] == ["TST3-MUC4-0001", "b"]


def test_a_blank_line_within_a_template_does_not_end_it() -> None:
    row = '9.  PERP: INDIVIDUAL ID            "A"'
    [graph] = good(FORMAT, key("", row).replace(row, "\n" + row))
    assert words(graph, filler(graph, "PERP: INDIVIDUAL ID").id) == ["A"]


def test_a_string_may_go_on_below() -> None:
    data = slot('"NATIONAL\n' + " " * 35 + 'ARMY" / "ARMY"')
    [graph] = good(FORMAT, data)
    entity = filler(graph, "PERP: INDIVIDUAL ID").id
    assert words(graph, entity) == ["NATIONAL ARMY", "ARMY"]


def test_a_string_whose_first_mark_was_forgotten_is_bare() -> None:
    [graph] = good(FORMAT, slot('"ROCKETS"\n' + " " * 35 + 'MACHINEGUNS"'))
    node = filler(graph, "PERP: INDIVIDUAL ID", 1)
    assert words(graph, node.id) == ['MACHINEGUNS"']
    round_trip(FORMAT, [graph])


# What is written.


def test_a_graph_from_elsewhere_gets_all_slots() -> None:
    build = LayoutBuilder()
    army = build.entity([build.mention(None, text="ARMY")])
    build.template("ATTACK", [Argument("PERP: ORGANIZATION ID", army)])
    data = written(FORMAT, [build.graph("1", "template")])
    assert len(data.splitlines()) == 25
    assert data.count(b' "ARMY"') == 1
    assert slot_lines("5", SLOTS[5], []).rstrip() in data.decode()


def template(*slots: Any, **more: Any) -> Graph:
    build = LayoutBuilder()
    arguments = [
        Argument(name, make(build), more.get("attributes", ())) for name, make in slots
    ]
    build.template(None, arguments, more.get("properties", ()))
    return build.graph(more.get("id", "1"), "template")


def value(label: Any, *properties: Any) -> Any:
    return lambda build: build.value(label, properties)


def entity(*texts: Any, **more: Any) -> Any:
    return lambda build: build.entity(
        [build.mention(None, text=text) for text in texts], **more
    )


TYPE, INDIVIDUAL = "INCIDENT: TYPE", "PERP: INDIVIDUAL ID"
LOCATION = "INCIDENT: LOCATION"


@pytest.mark.parametrize(
    ("graph", "problem"),
    [
        (template((INDIVIDUAL, value("x"))), "'value' comes back as 'mention'"),
        (template((INDIVIDUAL, entity())), "a filler 0 of PERP"),
        (template((INDIVIDUAL, entity("a\nb"))), r"U\+000A in property 'text'"),
        (template((TYPE, value("-"))), "one that is read again"),
        (template((TYPE, value('a"b'))), "INCIDENT: TYPE: found a quotation mark"),
        (template((TYPE, lambda b: b.mention(None, text="a"))), "back as 'value'"),
        (template(id="a b"), "'a b' comes back as 'a'"),
    ],
)
def test_what_the_format_cannot_hold_is_refused(graph: Graph, problem: str) -> None:
    with pytest.raises(GraphscoreError, match=problem):
        written(FORMAT, [graph])


@pytest.mark.parametrize("slot", ["Victim", "MESSAGE: ID"])
def test_slots_of_no_template_of_muc4_are_lost(slot: str) -> None:
    assert {"nodes", "edges"} <= lost_of("muc", template((slot, entity("x"))))


strings = st.text('AB "\\/:?-()', min_size=1, max_size=6)
parts = st.one_of(
    st.builds(Part, st.just("string"), strings),
    st.builds(Part, st.just("value"), st.sampled_from(["A", "7 -", "- 3", "P: L (C)"])),
)


@given(st.booleans(), st.lists(parts, min_size=1, max_size=3), st.lists(strings))
def test_every_filler_comes_back(
    optional: bool, alternatives: list[Part], xrefs: list[str]
) -> None:
    fill = Fill(optional, (*alternatives, *(Part("xref", each) for each in xrefs)))
    assert parse_fill(fill_written(fill)) == fill


@given(st.text('AB "\\/:?-()*', max_size=20))
def test_every_text_is_a_filler_or_says_why_not(text: str) -> None:
    try:
        assert parse_fill(text).parts
    except FillError:
        with pytest.raises(FillError, match=r"^found "):
            parse_fill(text)
