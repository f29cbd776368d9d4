"""FrameNet XML: frames, elements, what is not in the text; and hostile documents."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphscore import score
from graphscore.formats.base import ReadGraph, Rejected
from graphscore.formats.registry import format_named
from graphscore.model.graph import Anchor, Graph
from graphscore.structures.roles.reading import sentence_of
from tests.conftest import ROOT
from tests.formats.reading import FormatReader

FORMAT = format_named("framenet-xml")

SAMPLE = ROOT / "data" / "srl" / "market.xml"


_reading = FormatReader(FORMAT, "a.xml")
read = _reading.read
problems = _reading.problems
good = _reading.good


def said(graph: Graph) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """Frames, their targets, and elements with their characters."""

    def words(anchors: tuple[Anchor, ...]) -> str:
        return "..".join(graph.text[start:end] for start, end in anchors)

    return [
        (
            each.label,
            words(graph.nodes[each.node].anchors),
            [(p.label, words(graph.nodes[p.node].anchors)) for p in each.pieces],
        )
        for each in sentence_of(graph).propositions
    ]


def full(sets: str, text: str = "She sold it.") -> str:
    return (
        "<fullTextAnnotation>\n<sentence ID='1'>"
        f"<text>{text}</text>\n{sets}</sentence>\n"
        "<sentence ID='2'><text>Yes.</text></sentence></fullTextAnnotation>"
    )


def frame(labels: str, layer: str = "FE", of: str = "frameName='Commerce_sell'") -> str:
    return (
        f"<annotationSet {of}><layer name='Target'>"
        "<label name='Target' start='4' end='7'/></layer>"
        f"<layer name='{layer}' rank='1'>{labels}</layer></annotationSet>"
    )


# What is read.


def test_frames_and_elements_of_a_full_text() -> None:
    one, two = good(SAMPLE.read_bytes())
    assert (one.id, one.document, one.text) == (
        *("1", "sample__market", "Mei sold the old boat, and she regrets it."),
    )
    assert said(one) == [
        ("Commerce_sell", "sold", [("Seller", "Mei"), ("Goods", "the old boat")]),
        ("Emotion_directed", "regrets", [("Experiencer", "she"), ("Topic", "it")]),
    ]
    # A target of two parts.
    assert said(two) == [
        ("Removing", "took..down", [("Agent", "Nobody"), ("Theme", "the notice")])
    ]
    assert one.nodes[0].properties == (
        ("kind", "predicate"), ("lu", "sell.v"), ("status", "MANUAL"), ("INI", "Buyer"),
    )  # fmt: skip
    assert one.nodes[2].properties == (
        *(("kind", "argument"), ("gf", "Obj"), ("pt", "NP")),
    )
    assert one.extra["framenet"]["paragNo"] == "1"
    assert one.tokens == ()


@pytest.mark.parametrize("place", ["", " start='0' end='0'", " start='' end=''"])
def test_what_is_not_in_the_text_is_no_span(place: str) -> None:
    label = f"<label name='Buyer' itype='DNI'{place}/>"
    graph, _ = good(full(frame("<label name='Seller' start='0' end='2'/>" + label)))
    assert said(graph) == [("Commerce_sell", "sold", [("Seller", "She")])]
    assert ("DNI", "Buyer") in graph.nodes[0].properties


def test_null_instantiations_never_count(tmp_path: Path) -> None:
    gold, system = tmp_path / "gold.xml", tmp_path / "system.xml"
    gold.write_bytes(SAMPLE.read_bytes())
    without = [line for line in SAMPLE.read_text("utf-8").splitlines()
               if "itype" not in line]  # fmt: skip
    system.write_text("\n".join(without), encoding="utf-8")
    result = score(str(gold), str(system), "framenet")
    assert result.f1 == 1
    assert result.counts["elements"].gold == result.counts["elements"].system == 6


def test_a_wrong_element_counts_as_one(tmp_path: Path) -> None:
    system = tmp_path / "system.xml"
    wrong = SAMPLE.read_text("utf-8").replace('name="Topic"', 'name="Stimulus"')
    system.write_text(wrong, encoding="utf-8")
    counts = score(str(SAMPLE), str(system), "framenet").counts
    assert (counts["frames"].matched, counts["elements"].matched) == (3, 5)


def test_layers_of_second_rank_are_marked() -> None:
    second = "<layer name='FE' rank='2'><label name='Means' start='0' end='2'/></layer>"
    sets = frame("<label name='Seller' start='0' end='2'/>")
    sets = sets.replace("</annotationSet>", second + "</annotationSet>")
    graph, _ = good(full(sets))
    assert [label for label, _ in said(graph)[0][2]] == ["Seller", "Means"]
    assert ("rank", "2") in graph.nodes[2].properties
    assert all(name != "rank" for name, _ in graph.nodes[1].properties)


def test_sets_without_a_frame_are_none() -> None:
    sets = frame("", of="status='UNANN'") + frame("", of="cxnName='Gapping'")
    assert [said(graph) for graph in good(full(sets))] == [[], []]


def test_sentences_of_a_lexical_unit() -> None:
    data = """<lexUnit xmlns="http://framenet.icsi.berkeley.edu" name="sell.v"
        frame="Commerce_sell"><header><corpus name="BNC2"><document ID="7" name="a01"/>
        <document ID="8" name="b02"/></corpus><frame><FE name="Buyer"/></frame></header>
        <subCorpus name="V"><sentence ID="1" docID="7"><text>She sold it.</text>
        <annotationSet status="UNANN"><layer name="PENN"><label name="PRP" start="0"
        end="2"/></layer></annotationSet><annotationSet status="MANUAL"><layer
        name="FE"><label name="Goods" start="9" end="10"/></layer><layer
        name="Target"><label name="Target" start="4" end="7"/></layer></annotationSet>
        </sentence></subCorpus></lexUnit>"""
    [graph] = good(data)
    assert graph.document == "BNC2__a01"
    assert said(graph) == [("Commerce_sell", "sold", [("Goods", "it")])]
    assert ("lu", "sell.v") in graph.nodes[0].properties


SHARED_TASK = """<corpus name="c"><documents><document ID="9"><paragraphs><paragraph>
<sentences><sentence ID="1"><text>She sold it.</text><annotationSets>
<annotationSet frameName="Commerce_sell"><layers>
<layer name="Target"><labels><label name="Target" start="4" end="7"/></labels></layer>
<layer name="FE"><labels><label name="Seller" start="0" end="2"/></labels></layer>
</layers></annotationSet></annotationSets></sentence></sentences>
</paragraph></paragraphs></document></documents></corpus>"""


def test_elements_in_between_as_in_the_shared_task() -> None:
    [graph] = good(SHARED_TASK)
    assert graph.document == "c__9"
    assert said(graph) == [("Commerce_sell", "sold", [("Seller", "She")])]


# What is refused.


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("name='A' start='0' end='12'",
         "0 to 12, expected a range within 12 characters"),
        ("name='A' start='5' end='4'", "5 to 4, expected a range within 12 characters"),
        ("name='A' start='-1' end='4'",
         "start '-1' and end '4', expected two numbers of characters"),
        ("name='A' start='٣' end='4'",
         "start '٣' and end '4', expected two numbers of characters"),
        ("name='A' start='1' end='99999999999'",
         "start '1' and end '99999999999', expected two numbers of characters"),
        ("name='A'", "start '' and end '', expected two numbers of characters"),
        ("start='0' end='2'", "a label without a name, expected its name"),
    ],
)  # fmt: skip
def test_a_broken_label_costs_its_sentence(label: str, expected: str) -> None:
    data = full(frame(f"<label {label}/>"))
    assert problems(data) == [f"a.xml:3: sentence 1, FE: found {expected}"]
    one, two = read(data)
    assert isinstance(one, Rejected)
    assert isinstance(two, ReadGraph)
    assert (one.line, one.item, two.graph.id) == (2, "1", "2")


def test_all_problems_of_a_sentence_are_named() -> None:
    label = "<label name='A' start='0' end='99'/>"
    assert len(problems(full(frame(label * 2) + frame(label, "GF")))) == 3


def test_a_sentence_has_one_text() -> None:
    data = full("").replace("<text>She sold it.</text>", "")
    assert problems(data) == ["a.xml:2: sentence 1: found 0 texts, expected one <text>"]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "a.xml:1:1: found malformed XML"),
        (b"<fullTextAnnotation>", "a.xml:1:21: found malformed XML"),
        (b"<frames/>",
         "a.xml:1: found an element <frames>, expected <fullTextAnnotation>, "
         "<lexUnit>, <corpus>"),
        (b"<?xml version='1.0' encoding='klingon'?><lexUnit/>", "a.xml:1"),
        (b"<lexUnit a='\xff'/>", "a.xml:1"),
        (b"<lexUnit><sentence><text>&x;</text></sentence></lexUnit>",
         "found malformed XML (entity 'x' not defined)"),
    ],
)  # fmt: skip
def test_a_broken_document_is_one_problem(data: bytes, expected: str) -> None:
    [found] = problems(data)
    assert expected in found


# Hostile input.
