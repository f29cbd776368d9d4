"""Coreference in CoNLL-U, as CorefUD has it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore import score
from graphscore.exceptions import GraphscoreError
from graphscore.formats.base import ReadGraph, Rejected
from graphscore.formats.registry import format_named
from graphscore.model.graph import Edge, Graph, Node
from tests.formats.dependencies.test_conllu import table
from tests.formats.reading import FormatReader

FORMAT = format_named("conllu")

DOCUMENT = table("""
    # newdoc id = d1
    # global.Entity = eid-etype-head-minspan-other
    # sent_id = s1
    # text = Jo Ann said she left.
    1    Jo    _  _  _  _  3  nsubj  3:nsubj   Entity=(e1-person-2-1,2-gstype:spec
    2    Ann   _  _  _  _  1  flat   1:flat    Entity=e1)
    3    said  _  _  _  _  0  root   0:root    _
    4    she   _  _  _  _  5  nsubj  5:nsubj   Entity=(e1-person-1)
    5    left  _  _  _  _  3  ccomp  3:ccomp   SpaceAfter=No
    6    .     _  _  _  _  3  punct  3:punct   _
""") + table("""
    # sent_id = s2
    1    Dijo  _  _  _  _  0  root   0:root    _
    1.1  _     _  _  _  _  _  _      1:nsubj|3:nsubj  Entity=(e1--1)|Bridge=e2<e1:part
    2-3  al    _  _  _  _  _  _      _         _
    2    a     _  _  _  _  3  case   3:case    Entity=(e2[1/2]-place-3
    3    el    _  _  _  _  1  obl    1:obl     Entity=(e3--1)e2[1/2])
    4    x     _  _  _  _  3  dep    3:dep     _
    5    mar   _  _  _  _  3  nmod   _  Entity=(e2[2/2]-place-3)|SplitAnte=e1<e2,e3<e2
""")


_reading = FormatReader(FORMAT, "a.conllu")
read = _reading.read
problems = _reading.problems


def coreference(data: str | bytes) -> list[Graph]:
    found = []
    for record in read(data):
        assert isinstance(record, ReadGraph), record
        if record.graph.framework == "coref":
            found.append(record.graph)
    return found


def written(graphs: list[Graph]) -> str:
    assert FORMAT.write is not None
    return b"".join(FORMAT.write(graphs)).decode()


def text(graph: Graph, node: Node) -> list[str]:
    return [graph.text[start:end] for start, end in node.anchors]


# What is read.


def test_a_document_gives_one_graph_after_its_sentences() -> None:
    graphs = [
        record.graph for record in read(DOCUMENT) if isinstance(record, ReadGraph)
    ]
    assert [graph.framework for graph in graphs] == ["ud", "eud", "ud", "eud", "coref"]
    graph = graphs[-1]
    assert (graph.id, graph.document, graph.flavor) == ("d1", "d1", 1)
    assert graph.text == "Jo Ann said she left. Dijo al x mar"
    words = " ".join(graph.text[start:end] for start, end in graph.tokens)
    assert words == "Jo Ann said she left . Dijo al al x mar"


def test_fields_become_labels_and_properties() -> None:
    [graph] = coreference(DOCUMENT)
    first = graph.nodes[0]
    assert (first.label, text(graph, first)) == ("person", ["Jo Ann"])
    assert first.properties == (
        ("kind", "mention"),
        ("head", "3:6"),
        ("minspan", "1,2"),
        ("other", "gstype:spec"),
    )
    entities = [node for node in graph.nodes if node.properties[0][1] == "entity"]
    assert [(node.id, node.label) for node in entities] == [
        ("e1", "person"),
        ("e2", "place"),
        ("e3", None),
    ]


def test_an_empty_node_is_a_zero_with_its_governors() -> None:
    zero = coreference(DOCUMENT)[0].nodes[2]
    assert (zero.label, zero.anchors) == (None, ())
    assert zero.properties == (
        ("kind", "mention"),
        ("head", "2:1.1"),
        ("zero", True),
        ("word", "2:1.1"),
        ("governor", "22:26"),
        ("deprel", "nsubj"),
        ("governor", "27:29"),
        ("deprel", "nsubj"),
    )


def test_a_zero_may_hang_from_the_root_or_another_empty_node() -> None:
    data = DOCUMENT.replace("1:nsubj|3:nsubj", "0:root|1.1:dep")
    zero = coreference(data)[0].nodes[2]
    assert [value for name, value in zero.properties if name == "governor"] == [
        "2:0",
        "2:1.1",
    ]


def test_parts_are_anchors_and_heads_are_counted_over_all_of_them() -> None:
    [graph] = coreference(DOCUMENT)
    parted = graph.nodes[3]
    assert text(graph, parted) == ["al", "mar"]
    assert ("head", "32:35") in parted.properties
    # All of the token belongs to it: its characters say everything.
    assert "word" not in dict(parted.properties)


def test_words_that_share_their_characters_are_told_apart() -> None:
    [graph] = coreference(DOCUMENT)
    inside = graph.nodes[4]
    assert text(graph, inside) == ["al"]
    assert ("word", "2:3") in inside.properties


def test_words_that_share_their_characters_all_count() -> None:
    def said(*misc: str) -> list[Graph]:
        first, second, third = misc
        return coreference(
            table(f"""
                # global.Entity = eid-etype-head
                # newdoc id = d1
                # sent_id = s1
                1-2  à     _  _  _  _  _  _     _  _
                1    a     _  _  _  _  0  root  _  {first}
                2    a     _  _  _  _  1  dep   _  {second}
                3    casa  _  _  _  _  1  dep   _  {third}
            """)
        )

    gold = said("Entity=(e1", "_", "Entity=e1)")
    system = said("Entity=(e1", "Entity=e1)", "_")
    overlap = score(gold, system, "mentions").counts["overlap"]
    assert (overlap.gold, overlap.system, overlap.matched) == (3, 2, 2)


def test_an_attribute_without_a_value_says_nothing() -> None:
    [said] = coreference(DOCUMENT.replace("SpaceAfter=No", "Entity=|Bridge="))
    [silent] = coreference(DOCUMENT.replace("SpaceAfter=No", "_"))
    assert (said.nodes, said.edges) == (silent.nodes, silent.edges)


def test_an_empty_node_among_words_is_named() -> None:
    data = DOCUMENT.replace("root\t0:root\t_\n1.1", "root\t0:root\tEntity=(e9--1\n1.1")
    data = data.replace("Entity=(e1--1)|Bridge=e2<e1:part", "Entity=e9)")
    graph = coreference(data)[0]
    mixed = next(node for node in graph.nodes if ("word", "2:1.1") in node.properties)
    assert text(graph, mixed) == ["Dijo"]
    assert mixed.properties == (
        ("kind", "mention"),
        ("head", "22:26"),
        ("word", "2:1.1"),
    )


def test_links_are_edges_between_entities() -> None:
    [graph] = coreference(DOCUMENT)
    links = [edge for edge in graph.edges if edge.label != "mention"]
    assert links == [
        Edge("e1", "e2", "bridging:part", extra=(("mention", 2),)),
        Edge("e2", "e1", "split_antecedent"),
        Edge("e2", "e3", "split_antecedent"),
    ]


def test_nested_mentions_of_one_entity_close_inside_out() -> None:
    data = table("""
        # newdoc id = d
        # global.Entity = etype-eid
        1  a  _  _  _  _  0  root  _  Entity=(x-e1
        2  b  _  _  _  _  1  dep   _  Entity=(y-e1(-e1)
        3  c  _  _  _  _  1  dep   _  Entity=e1)
        4  d  _  _  _  _  1  dep   _  Entity=e1)
    """)
    [graph] = coreference(data)
    found = [(node.label, *text(graph, node)) for node in graph.nodes[:3]]
    assert found == [("x", "a b c d"), ("y", "b c"), (None, "b")]


def test_mentions_may_go_on_in_the_next_sentence() -> None:
    data = DOCUMENT.replace("SpaceAfter=No", "SpaceAfter=No|Entity=(e7-x-3")
    data = data.replace("0:root\t_\n1.1", "0:root\tEntity=e7)\n1.1")
    [graph] = coreference(data)
    mention = next(node for node in graph.nodes if node.label == "x")
    assert text(graph, mention) == ["left. Dijo"]
    assert ("head", "22:26") in mention.properties


def test_documents_have_graphs_of_their_own() -> None:
    second = DOCUMENT.replace("d1", "d2").replace("# global.Entity", "# was")
    nothing = "# newdoc id = d3\n1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
    unnamed = "# newdoc\n1\ta\t_\t_\t_\t_\t0\troot\t_\tEntity=(e1)\n\n"
    graphs = coreference(DOCUMENT + second + nothing + unnamed)
    assert [(graph.id, len(graph.nodes)) for graph in graphs] == [
        ("d1", 8),
        ("d2", 8),
        ("d3", 0),
        ("", 2),
    ]
    assert graphs[0].digest() == graphs[1].digest()


def test_only_what_is_declared_is_coreference() -> None:
    for other in ("# was = x", "# global.Entity ="):
        data = DOCUMENT.replace("# global.Entity = eid-etype-head-minspan-other", other)
        assert coreference(data) == []


GUM = table("""
    # newdoc id = GUM_x
    # global.Entity = GRP-etype-infstat-salience-centering-minspan-link-identity
    # text = Jo Ann left her
    1    Jo    _  _  _  _  3  nsubj  _   Entity=(1-person-new-nnnnn-cf1-1,2-coref-Jo_Ann
    2    Ann   _  _  _  _  1  flat   _   Entity=1)
    3    left  _  _  _  _  0  root   _   _
    4    her   _  _  _  _  3  obj    _   Bridge=1<3|Entity=(2-person-giv-nnnnn-cf2-1-ana)(3-person)|SplitAnte=1<2
""")  # noqa: E501


def test_the_fields_of_gum() -> None:
    [graph] = coreference(GUM)
    first, second, third = (node for node in graph.nodes if node.anchors)
    assert (first.label, text(graph, first)) == ("person", ["Jo Ann"])
    assert dict(first.properties)["identity"] == "Jo_Ann"
    assert dict(second.properties)["minspan"] == "1"
    assert {"eid", "GRP", "etype"}.isdisjoint(dict(first.properties))
    entities = [node.id for node in graph.nodes if not node.anchors]
    assert entities == ["1", "2", "3"]
    links = [(e.source, e.label, e.target) for e in graph.edges if e.label != "mention"]
    assert links == [("3", "bridging", "1"), ("2", "split_antecedent", "1")]
    assert dict(third.properties).keys() == {"kind"}


@pytest.mark.parametrize(
    ("declared", "opening", "closing"),
    [
        ("etype-eid-head", "person-e1-2", "e1)"),
        ("head-GRP", "2-e1", "e1)"),
        ("GRP", "e1", "e1)"),
        # Early versions of GUM name the type where a mention ends, too.
        ("entity-GRP-infstat", "person-e1-new", "person-e1)"),
    ],
)
def test_fields_in_any_order(declared: str, opening: str, closing: str) -> None:
    data = GUM.replace("GRP-etype-infstat-salience-centering-minspan-link-identity",
                       declared)  # fmt: skip
    data = data.replace("(1-person-new-nnnnn-cf1-1,2-coref-Jo_Ann", f"({opening}")
    data = data.replace("Entity=1)", f"Entity={closing}")
    data = data.replace(
        "Bridge=1<3|Entity=(2-person-giv-nnnnn-cf2-1-ana)(3-person)", "_"
    )
    [graph] = coreference(data.replace("|SplitAnte=1<2", ""))
    mention, entity = graph.nodes
    assert (entity.id, text(graph, mention)) == ("e1", ["Jo Ann"])
    assert mention.label == ("person" if "person" in opening else None)
    head = dict(mention.properties).get("head")
    assert head == ("3:6" if "head" in declared else None)


# What is wrong.


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("Entity=e1)", "_", "a.conllu:5:{}: Entity: found an unmatched '(e1', "
         "expected e1) further down"),
        ("Entity=(e1-person-1)", "Entity=e1)", "Entity: found an unmatched 'e1)', "
         "expected (e1 before it"),
        ("Entity=(e1-person-1)", "Entity=e1", "Entity: found 'e1', expected brackets"),
        ("Entity=(e1-person-1)", "Entity=((e1)", "Entity: found '((e1)', expected"),
        ("Entity=(e1-person-1)", "Entity=(e1-a-1-b-c-d)",
         "found 6 fields in 'e1-a-1-b-c-d', expected at most those of eid-etype"),
        ("Entity=(e1-person-1)", "Entity=(-person-1)", "found '', expected the id of"),
        ("Entity=(e1-person-1)", "Entity=(e1[3/2])", "found 'e1[3/2]', expected the"),
        ("Entity=(e1-person-1)", "Entity=(e1[x])", "found 'e1[x]', expected the id of"),
        ("Entity=(e1-person-1)", "Entity=(e1[2/2])",
         "found part 2 of 2 of 'e1', expected part 1 before it"),
        ("Entity=(e2[2/2]-place-3)|", "", "found 1 of 2 parts of 'e2', expected all"),
        ("Entity=(e1-person-1)", "Entity=(e1-person-2)",
         "head: found '2', expected the number of one of its 1 words"),
        ("Entity=(e1-person-1)", "Entity=(e1-person-x)", "head: found 'x', expected"),
        ("Entity=(e1-person-1)", "Entity=(e1-person-0)", "head: found '0', expected"),
        ("Entity=(e1-person-1)", "Entity=(e1)|Entity=(e2)",
         "Entity: found a second Entity, expected one"),
        ("_\t_\t_\t_\n2\ta", "_\t_\t_\tEntity=(e1)\n2\ta",
         "Entity: found a multiword token, expected a word or an empty node"),
        ("SplitAnte=e1<e2,", "SplitAnte=e1<e2:x,", "SplitAnte: found 'e1<e2:x', "),
        ("SplitAnte=e1<e2,", "SplitAnte=e1<e8,", "SplitAnte: found 'e8', expected"),
        ("eid-etype", "etype", "a.conllu:1: # global.Entity: found 'etype-head-minspan-"
         "other', expected fields with - between, one of them eid (or GRP)"),
        ("head-minspan", "head-head", "a.conllu:1: # global.Entity: found 'eid-"),
        ("head-minspan", "head-zero", "different fields, not called deprel, governor"),
        ("1\tDijo", "7\tDijo", "a.conllu:12: found a sentence that cannot be read, in "
         "document 'd1', expected all of them"),
    ],
)  # fmt: skip
def test_problems_have_their_places(old: str, new: str, problem: str) -> None:
    assert old in DOCUMENT
    column = len("1\tJo\t_\t_\t_\t_\t3\tnsubj\t3:nsubj\t") + 1
    found = problems(DOCUMENT.replace(old, new, 1))
    assert any(problem.format(column) in each for each in found), found


def test_a_problem_costs_the_document_and_no_sentence() -> None:
    bad = DOCUMENT.replace("Entity=e1)", "_", 1)
    records = read(bad + DOCUMENT.replace("d1", "d2"))
    whole = [isinstance(record, ReadGraph) for record in records]
    assert whole == [True, True, True, True, False, True, True, True, True, True]
    rejected = records[4]
    assert isinstance(rejected, Rejected)
    assert (rejected.framework, rejected.item, rejected.line) == ("coref", "d1", 1)


def test_a_broken_sentence_costs_the_graph_of_its_document() -> None:
    for broken in (b"1\t\xff", b"1\tDijo\textra"):
        data = DOCUMENT.encode().replace(b"1\tDijo", broken)
        records = read(data + DOCUMENT.replace("d1", "d2").encode())
        assert [isinstance(record, ReadGraph) for record in records] == [
            *(True, True, False, False),
            *[True] * 5,
        ]


def test_a_layer_that_is_lost_costs_no_coreference() -> None:
    data = DOCUMENT.replace("3:punct", "9:punct")
    assert [isinstance(record, ReadGraph) for record in read(data)].count(False) == 1
    last = read(data)[-1]
    assert isinstance(last, ReadGraph)
    assert last.graph.framework == "coref"


# What is written.


def graphs_of(data: str) -> list[Graph]:
    return [record.graph for record in read(data) if isinstance(record, ReadGraph)]


def test_coreference_must_be_what_misc_says() -> None:
    graphs = graphs_of(DOCUMENT)
    other = graphs_of(DOCUMENT.replace("(e1-person-1)", "(e4)"))[-1]
    for wrong in ([*graphs[:-1], other], [graphs[-1]], [*graphs, graphs[-1]]):
        with pytest.raises(GraphscoreError, match="the layers of its document"):
            written(wrong)


# Properties.


@st.composite
def documents(draw: st.DrawFn) -> tuple[str, list[tuple[str, list[list[int]]]]]:
    """A document with nested mentions, and the words of each of them."""
    size = draw(st.integers(1, 12))
    cells: list[list[str]] = [[] for _ in range(size)]
    closing: list[list[tuple[int, str]]] = [[] for _ in range(size)]
    mentions = []
    for number in range(draw(st.integers(0, 6))):
        eid = f"e{number}"
        cuts = draw(st.lists(st.integers(0, size - 1), min_size=2, max_size=6))
        cuts.sort()
        pairs = zip(cuts[::2], cuts[1::2], strict=False)
        # Parts must not touch each other's words.
        parts: list[list[int]] = []
        for first, last in pairs:
            if not parts or first > parts[-1][1]:
                parts.append([first, last])
        mentions.append((eid, parts))
        for part, (first, last) in enumerate(parts, 1):
            name = f"{eid}[{part}/{len(parts)}]" if len(parts) > 1 else eid
            if first == last:
                cells[first].append(f"({name}-x-1)")
            else:
                cells[first].append(f"({name}-x-1")
                closing[last].append((first, f"{name})"))
    rows = []
    for number in range(size):
        ends = [name for _, name in sorted(closing[number], reverse=True)]
        value = "".join([*ends, *cells[number]])
        misc = f"Entity={value}" if value else "_"
        head = "0\troot" if not number else "1\tdep"
        rows.append(f"{number + 1}\tw{number}\t_\t_\t_\t_\t{head}\t_\t{misc}\n")
    start = "# newdoc id = d\n# global.Entity = eid-etype-head\n"
    return start + "".join(rows) + "\n", mentions


@given(documents())
def test_every_mention_is_found_again(
    made: tuple[str, list[tuple[str, list[list[int]]]]],
) -> None:
    data, mentions = made
    [graph] = coreference(data)
    place = {start: number for number, (start, _) in enumerate(graph.tokens)}
    ends = {end: number for number, (_, end) in enumerate(graph.tokens)}
    named = {edge.target: edge.source for edge in graph.edges}
    found = [
        (named[node.id], [[place[a], ends[b]] for a, b in node.anchors])
        for node in graph.nodes
        if node.anchors
    ]
    key = lambda each: (each[0], each[1])  # noqa: E731
    assert sorted(found, key=key) == sorted(mentions, key=key)
    assert written(graphs_of(data)) == data
