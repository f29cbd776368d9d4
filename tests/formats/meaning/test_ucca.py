"""UCCA passages in both kinds of XML."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.exceptions import GraphscoreError
from graphscore.formats import write_graphs
from graphscore.formats.base import ReadGraph, Rejected
from graphscore.formats.meaning.ucca import parse_document
from graphscore.model.graph import Anchor, Edge, Graph, Node


def token(number: int, form: str, kind: str = "Word") -> str:
    return (
        f'<node ID="0.{number}" type="{kind}"><attributes paragraph="1" '
        f'paragraph_position="{number}" text="{form}"/></node>'
    )


def edge(target: str, *tags: str, attributes: str = "", slot: str = "") -> str:
    categories = "".join(f'<category tag="{tag}"{slot}/>' for tag in tags)
    return (
        f'<edge toID="{target}" type="{tags[0]}"><attributes {attributes}/>'
        f"{categories}</edge>"
    )


def unit(number: int, *edges: str, kind: str = "FN", attributes: str = "") -> str:
    inner = f"<attributes {attributes}/>{''.join(edges)}"
    return f'<node ID="1.{number}" type="{kind}">{inner}</node>'


def document(tokens: list[str], units: list[str], more: str = "") -> bytes:
    def layer(number: int, nodes: list[str]) -> str:
        lines = "\n".join(nodes)
        return f'<layer layerID="{number}"><attributes/>\n{lines}\n</layer>'

    return (
        '<root annotationID="7" passageID="wsj_0001.1">\n<attributes userID="3"/>\n'
        f"{layer(0, tokens)}\n{layer(1, units)}\n{more}</root>"
    ).encode()


TOKENS = [token(1, "Ada"), token(2, "tried"), token(3, "to"), token(4, "sing")]
TOKENS.append(token(5, ".", "Punctuation"))

STANDARD = document(
    TOKENS,
    [
        unit(1, edge("1.2", "H"), edge("1.8", "H")),
        unit(
            2,
            edge("1.3", "A", slot=' slot="1" layer_name="base"'),
            edge("1.4", "P", "D"),
            edge("1.9", "A"),
        ),
        unit(3, edge("0.1", "Terminal")),
        unit(
            4, edge("0.2", "Terminal"), edge("1.7", "U"), attributes='uncertain="True"'
        ),
        unit(5, edge("0.3", "Terminal"), edge("0.4", "Terminal")),
        unit(7, edge("0.5", "Terminal"), kind="PNCT"),
        unit(8, edge("1.5", "P"), edge("1.3", "A", attributes='remote="True"')),
        unit(9, attributes='implicit="True"'),
        unit(10, edge("1.4", "LR"), edge("1.2", "LA"), kind="LKG"),
    ],
    '<layer layerID="2"><attributes/></layer>',
)


def good(raw: bytes) -> Graph:
    record = parse_document(raw, "a.xml")
    assert isinstance(record, ReadGraph), record
    return record.graph


def problems(raw: bytes) -> list[str]:
    record = parse_document(raw, "a.xml")
    assert isinstance(record, Rejected), record
    assert record.framework == "ucca"
    return [str(problem) for problem in record.problems]


def written(graph: Graph) -> bytes:
    return b"".join(write_graphs([graph], "ucca"))


# The standard XML.


def test_a_passage_is_laid_out_as_in_mrp() -> None:
    graph = good(STANDARD)
    assert (graph.id, graph.framework, graph.flavor) == ("wsj_0001.1", "ucca", 1)
    assert graph.text == "Ada tried to sing ."
    assert [graph.text[a:b] for a, b in graph.tokens] == graph.text.split()
    # Units over words first, in the order of the text; then the others.
    assert [(node.id, node.anchors) for node in graph.nodes] == [
        ("1.3", (Anchor(0, 3),)),
        ("1.4", (Anchor(4, 9),)),
        ("1.5", (Anchor(10, 12), Anchor(13, 17))),
        ("1.7", (Anchor(18, 19),)),
        ("1.1", ()),
        ("1.2", ()),
        ("1.8", ()),
    ]
    assert all(node.label is None and not node.properties for node in graph.nodes)
    assert [(e.source, e.label, e.target) for e in graph.edges] == [
        ("1.1", "H", "1.2"),
        ("1.1", "H", "1.8"),
        ("1.2", "A", "1.3"),
        ("1.2", "P", "1.4"),
        ("1.2", "D", "1.4"),
        ("1.4", "U", "1.7"),
        ("1.8", "P", "1.5"),
        ("1.8", "A", "1.3"),
    ]
    assert [e.attributes for e in graph.edges if e.attributes] == [(("remote", True),)]
    assert graph.tops == ("1.1",)


def test_what_is_no_part_of_the_graph_is_kept_beside_it() -> None:
    graph = good(STANDARD)
    kept = graph.extra["ucca"]
    assert [each["id"] for each in kept["implicit"]] == ["1.9"]
    assert [each["source"] for each in kept["implicit_links"]] == ["1.2"]
    assert [each["id"] for each in kept["linkage"]] == ["1.10"]
    assert len(kept["layers"]) == 1
    assert kept["attributes"] == {"userID": "3"}
    by_id = {node.id: dict(node.extra) for node in graph.nodes}
    assert by_id["1.4"] == {"ucca_attributes": {"uncertain": "True"}}
    assert by_id["1.7"] == {"type": "PNCT"}
    first = dict(graph.edges[2].extra)
    assert first == {"ucca_category": {"slot": "1", "layer_name": "base"}}


def test_tokens_stand_in_the_order_of_their_numbers() -> None:
    raw = document(
        [token(10, "b"), token(9, "a")],
        [unit(1, edge("0.10", "Terminal"), edge("0.9", "Terminal"))],
    )
    graph = good(raw)
    assert graph.text == "a b"
    assert graph.nodes[0].anchors == (Anchor(0, 1), Anchor(2, 3))


def test_an_edge_of_the_first_version_has_its_category_in_its_type() -> None:
    raw = document(
        [token(1, "a")],
        [
            unit(1, '<edge toID="1.2" type="H"/>'),
            unit(2, '<edge toID="0.1" type="Terminal"/>'),
        ],
    )
    assert good(raw).edges == (Edge("1.1", "1.2", "H"),)


def test_an_implicit_unit_with_something_below_it_is_a_unit() -> None:
    raw = document(
        [token(1, "a")],
        [
            unit(1, edge("1.2", "A")),
            unit(2, edge("0.1", "Terminal"), attributes='implicit="True"'),
        ],
    )
    assert [node.id for node in good(raw).nodes] == ["1.2", "1.1"]


def test_the_language_of_a_passage_is_read() -> None:
    assert good(STANDARD.replace(b'userID="3"', b'lang="fr"')).language == "fr"


def change(old: str, new: str) -> bytes:
    assert old.encode() in STANDARD
    return STANDARD.replace(old.encode(), new.encode(), 1)


@pytest.mark.parametrize(
    ("raw", "line", "expected"),
    [
        (change(' passageID="wsj_0001.1"', ""), 1, "found no passageID"),
        (change('ID="0.2"', 'ID="0.1"'), 5, "found an ID that is taken"),
        (change('ID="0.2"', 'ID="0.x"'), 5, "an ID that ends in a number"),
        (change(' ID="0.2"', ""), 5, "found a node without an ID"),
        (change('text="tried"', 'text=""'), 5, "node 0.2: found no text"),
        (change('type="Word"', 'type="Wrod"'), 4, "expected Word or Punctuation"),
        (change('type="FN"', 'type="NF"'), 11, "expected FN, PNCT, LKG"),
        (change('toID="1.2"', 'toID="1.77"'), 11, "edge 1: found '1.77'"),
        (change('toID="1.2"', ""), 11, "node 1.1, edge 1: found no toID"),
        (change('remote="True"', 'remote="yes"'), 17, "expected True or False"),
        (change('implicit="True"', 'implicit="so"'), 18, "expected True or False"),
        (change('<category tag="H"/>', "<category/>"), 11, "a category without a tag"),
        (
            change('<category tag="Terminal"/>', '<category tag="A"/>'),
            13,
            "found A to a terminal, expected only Terminal",
        ),
        (
            change('<category tag="A" slot', '<category tag="Terminal" slot'),
            12,
            "found Terminal to a unit",
        ),
        (change('layerID="0"', 'layerID="1"'), 10, "a second layer '1'"),
        (change('layerID="0"', 'layerID="3"'), 1, "layer 0: found nothing"),
    ],
)
def test_bad_passages_are_named_with_their_line(
    raw: bytes, line: int, expected: str
) -> None:
    found = problems(raw)
    assert any(
        each.startswith(f"a.xml:{line}: ") and expected in each for each in found
    ), found


def test_all_problems_of_a_passage_are_named() -> None:
    raw = change('text="tried"', "").replace(b'type="FN"', b'type="?"')
    assert len(problems(raw)) == 8
    record = parse_document(raw, "a.xml")
    assert isinstance(record, Rejected)
    assert (record.item, record.raw) == ("wsj_0001.1", raw)


def test_malformed_xml_is_named_with_line_and_column() -> None:
    [found] = problems(STANDARD.replace(b"</layer>", b"</later>", 1))
    assert found.startswith("a.xml:9:9: found malformed XML (")
    [found] = problems(STANDARD[:200])
    assert "malformed XML" in found
    [found] = problems(b"")
    assert "malformed XML" in found
    [found] = problems(b"<html/>")
    assert "<html>" in found


# Hostile input.


# The site's XML.

SITE = b"""<root schemeVersion="1.0.4">
<unitGroups>
  <unit type="Process|Adverbial" id="90" uncertain="true" remarks="?"/>
</unitGroups>
<units passageID="12">
<unit type="To Be Defined" id="0">
<unit type="To Be Defined" id="1">
  <unit type="Parallel Scene" id="2">
    <implicitUnit type="Participant" id="30"/>
    <unit type="Participant" id="3">
      <unit type="To Be Defined" id="4"><word id="5">Ada</word></unit>
    </unit>
    <unit type="To Be Defined" id="6" unitGroupID="90">
      <unit type="To Be Defined" id="7"><word id="8">turned</word></unit>
    </unit>
    <unit type="Participant" id="9">
      <unit type="To Be Defined" id="10"><word id="11">it</word></unit>
    </unit>
    <unit type="To Be Defined" id="12" unitGroupID="90">
      <unit type="To Be Defined" id="13"><word id="14">on</word></unit>
    </unit>
    <unit type="Punctuation" id="15"><word id="16">,</word></unit>
  </unit>
  <unit type="Linker" id="17">
    <linkage args="2,21"/>
    <unit type="To Be Defined" id="18"><word id="19">and</word></unit>
  </unit>
  <unit type="Parallel Scene" id="21">
    <remoteUnit type="Participant" id="3"/>
    <unit type="Process" id="22">
      <unit type="To Be Defined" id="23"><word id="24">left</word></unit>
    </unit>
  </unit>
</unit>
<unit type="To Be Defined" id="40">
  <unit type="Punctuation" id="41"><word id="42">.</word></unit>
</unit>
</unit>
</units>
<LRUunits/><hiddenUnits/>
</root>""".replace(b"Adverbial", b"aDverbial")


def test_a_site_document_is_the_same_kind_of_passage() -> None:
    graph = good(SITE)
    assert graph.id == "12"
    assert graph.text == "Ada turned it on , and left ."
    words = {
        node.id: " ".join(graph.text[a:b] for a, b in node.anchors)
        for node in graph.nodes
    }
    assert words == {
        "1.4": "Ada",
        "1.5": "turned on",
        "1.6": "it",
        "1.7": ",",
        "1.8": "and",
        "1.10": "left",
        "1.11": ".",
        "1.1": "",
        "1.2": "",
        "1.9": "",
    }
    assert {(e.source, e.label, e.target) for e in graph.edges} == {
        ("1.1", "H", "1.2"),
        ("1.2", "A", "1.4"),
        ("1.2", "P", "1.5"),
        ("1.2", "D", "1.5"),
        ("1.2", "A", "1.6"),
        ("1.2", "U", "1.7"),
        ("1.1", "L", "1.8"),
        ("1.1", "H", "1.9"),
        ("1.9", "P", "1.10"),
        ("1.9", "A", "1.4"),
        ("1.1", "U", "1.11"),
    }
    [remote] = [e for e in graph.edges if e.attributes]
    assert (remote.source, remote.target) == ("1.9", "1.4")
    assert graph.tops == ("1.1",)
    kept = graph.extra["ucca"]
    assert kept["implicit"][0]["id"] == "1.3"
    [linkage] = kept["linkage"]
    assert [each["target"] for each in linkage["links"]] == ["1.8", "1.2", "1.9"]
    assert kept["terminals"][-1]["attributes"] == {
        "paragraph": "2",
        "paragraph_position": "1",
    }
    group = next(dict(node.extra) for node in graph.nodes if node.id == "1.5")
    assert group["ucca_attributes"] == {"uncertain": "True"}
    assert group["ucca_extra"] == {"remarks": "?"}


def test_a_site_document_is_written_as_a_standard_one() -> None:
    graph = good(SITE)
    assert good(written(graph)) == graph


def site(old: bytes, new: bytes) -> bytes:
    assert old in SITE
    return SITE.replace(old, new, 1)


@pytest.mark.parametrize(
    ("raw", "line", "expected"),
    [
        (site(b' passageID="12"', b""), 5, "units: found no passageID"),
        (site(b'"Linker"', b'"To Be Defined"'), 24, "expected the name of a category"),
        (site(b'"Linker"', b'"Likner"'), 24, "found type 'Likner'"),
        (site(b'unitGroupID="90"', b'unitGroupID="9"'), 13, "the id of a group"),
        (site(b'"2,21"', b'"2,99"'), 25, "linkage: found '99', the id of nothing"),
        (site(b'Participant" id="3"/>', b'Participant" id="4"/>'), 29, "id of a word"),
        (site(b'id="22"', b'id="21"'), 30, "found id '21', which is taken"),
        (site(b' id="22"', b""), 30, "unit: found no id"),
        (site(b">left<", b"> <"), 31, "found an empty word"),
        (site(b"<remoteUnit", b"<remotUnit"), 29, "found an element <remotUnit>"),
        (
            site(b'<word id="24">left</word>', b"<word/><word/>"),
            31,
            "expected one word",
        ),
        (site(b'id="90" ', b""), 3, "an id that no other group has"),
        (b'<root><units passageID="1"/></root>', 1, "units: found no words"),
    ],
)
def test_bad_site_documents_are_named_with_their_line(
    raw: bytes, line: int, expected: str
) -> None:
    found = problems(raw)
    assert any(
        each.startswith(f"a.xml:{line}: ") and expected in each for each in found
    ), found


# Writing graphs from elsewhere.


@st.composite
def ucca_graphs(draw: st.DrawFn) -> Graph:
    """Trees over words with remote edges, in a text with any spacing."""
    forms = draw(st.lists(st.sampled_from(("a", "bc", "—", "é", ".")), min_size=1))
    text, ranges = "", []
    for form in forms:
        text += draw(st.sampled_from(("", " ", "  ", "\n")))
        ranges.append(Anchor(len(text), len(text) + len(form)))
        text += form
    size = draw(st.integers(1, 5))
    names = [f"1.{number + 1}" for number in range(size)]
    anchors: dict[str, list[Anchor]] = {name: [] for name in names}
    for each in ranges:
        anchors[draw(st.sampled_from(names))].append(each)
    labels = st.sampled_from(("A", "P", "H", "U"))
    edges = []
    for number in range(1, size):
        parent = names[draw(st.integers(0, number - 1))]
        tags = draw(st.lists(labels, min_size=1, max_size=2, unique=True))
        edges += [Edge(parent, names[number], tag) for tag in tags]
    for _ in range(draw(st.integers(0, 2))):
        source, target = draw(st.sampled_from(names)), draw(st.sampled_from(names))
        if target != names[0]:
            remote = (("remote", True),)
            edges.append(Edge(source, target, draw(labels), attributes=remote))
    nodes = tuple(Node(name, anchors=tuple(anchors[name])) for name in names)
    edges = list(dict.fromkeys(edges))
    return Graph(
        "1", "ucca", 1, text=text, nodes=nodes, edges=tuple(edges), tops=("1.1",)
    )


def said(graph: Graph) -> tuple[Any, ...]:
    """What a graph says, whatever the order of its parts and what is beside it."""
    return (
        graph.text,
        graph.tops,
        {(node.id, node.anchors) for node in graph.nodes},
        Counter((e.source, e.target, e.label, e.attributes) for e in graph.edges),
    )


@given(ucca_graphs())
def test_a_graph_from_elsewhere_comes_back(graph: Graph) -> None:
    back = good(written(graph))
    assert said(back) == said(graph)
    assert good(written(back)) == back


@given(ucca_graphs())
def test_ids_of_another_kind_are_numbered_with_the_top_first(graph: Graph) -> None:
    new = {node.id: number for number, node in enumerate(reversed(graph.nodes))}
    renamed = msgspec.structs.replace(
        graph,
        nodes=tuple(msgspec.structs.replace(n, id=new[n.id]) for n in graph.nodes),
        edges=tuple(
            msgspec.structs.replace(e, source=new[e.source], target=new[e.target])
            for e in graph.edges
        ),
        tops=tuple(new[top] for top in graph.tops),
    )
    back = good(written(renamed))
    assert back.tops == ("1.1",)
    assert len(back.edges) == len(graph.edges)
    assert sorted(n.anchors for n in back.nodes) == sorted(
        n.anchors for n in graph.nodes
    )


def test_overlapping_anchors_are_cut_into_terminals() -> None:
    nodes = (
        Node("1.1", anchors=(Anchor(0, 4),)),
        Node("1.2", anchors=(Anchor(2, 6),)),
    )
    graph = Graph(
        "1", "ucca", 1, text="abcdef", nodes=nodes, edges=(Edge("1.1", "1.2", "A"),),
        tops=("1.1",),
    )  # fmt: skip
    back = good(written(graph))
    assert [node.anchors for node in back.nodes] == [
        (Anchor(0, 2), Anchor(2, 4)),
        (Anchor(2, 4), Anchor(4, 6)),
    ]


LEAF = Node("1.1", anchors=(Anchor(0, 1),))


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"framework": "amr"}, "'1' is of framework 'amr'; UCCA XML holds ucca"),
        ({"text": ""}, "node 0.1: found no text"),
        ({"nodes": (Node("1.1", anchors=(Anchor(1, 1),)),)}, "node 0.1: found no text"),
        ({"tops": ()}, r"the tops: \[\] comes back as \['1.1'\]"),
        ({"edges": (Edge("1.1", "1.9", "A"),)}, "'1.1' -> '1.9' is not between nodes"),
        ({"edges": (Edge("1.1", "1.1"),)}, "found a category without a tag"),
        ({"edges": (Edge("1.1", "1.1", "Terminal"),)}, "found Terminal to a unit"),
        ({"extra": {"ucca": {"terminals": 5}}}, "a field 'ucca' that no passage has"),
        ({"extra": {"ucca": {"layers": ["<a"]}}}, "a layer in 'ucca' that is not XML"),
        ({"text": "\x01", "id": "2"}, "item '2': "),
    ],
)
def test_what_the_format_cannot_say_is_an_error(
    changes: dict[str, Any], expected: str
) -> None:
    graph = Graph("1", "ucca", 1, text="a", nodes=(LEAF,), tops=("1.1",))
    assert written(graph)
    with pytest.raises(GraphscoreError, match=expected):
        written(msgspec.structs.replace(graph, **changes))


def test_a_file_holds_one_passage() -> None:
    graph = Graph("1", "ucca", 1, text="a", nodes=(LEAF,), tops=("1.1",))
    with pytest.raises(GraphscoreError, match="a UCCA file holds one passage"):
        list(write_graphs([graph, graph], "ucca"))
