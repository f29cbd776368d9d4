"""CoNLL-2012: brackets in the last column, in and out."""

from __future__ import annotations

import io
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.corpus import conll2012_tables as made
from benchmarks.corpus import disturbed_document as disturbed
from benchmarks.corpus import documents
from graphscore.exceptions import GraphscoreError
from graphscore.formats.base import ReadGraph, Rejected
from graphscore.formats.coreference import conll2012
from graphscore.formats.recognition import fit_of
from graphscore.formats.registry import detect, format_named
from graphscore.model.graph import Anchor, Edge, Graph, Node
from tests.formats.reading import FormatReader

FORMAT = format_named("conll2012")
DYGIE = format_named("dygie")

ONTONOTES = """\
#begin document (bc/cctv/00/cctv_0000); part 000
bc/cctv/00/cctv_0000   0   0      In   IN  (TOP(PP*    -    -   -   Speaker#1   *       *    -
bc/cctv/00/cctv_0000   0   1    2005   CD     (NP*))   -    -   -   Speaker#1 (DATE)     *   (12)

bc/cctv/00/cctv_0000   0   0     New  NNP  (TOP(NP*    -    -   -   Speaker#1  (GPE*     *   (7|(12
bc/cctv/00/cctv_0000   0   1    York  NNP      (NP*)   -    -   -   Speaker#1     *)     *   7)
bc/cctv/00/cctv_0000   0   2   leads  VBZ        *))  lead  01   2  Speaker#1      *   (V*)  12)|(0)

#end document
"""  # noqa: E501


_reading = FormatReader(FORMAT, "a.conll")
read = _reading.read
problems = _reading.problems


def good(data: str | bytes) -> list[Graph]:
    """The graphs of coreference; roles are the business of test_srl_conll2012."""
    found = []
    for record in read(data):
        if isinstance(record, Rejected) and record.framework == "srl":
            continue
        assert isinstance(record, ReadGraph), record
        if record.graph.framework == "coref":
            found.append(record.graph)
    return found


WRITER = FormatReader("conll2012", "a")
written = WRITER.written


def document(*rows: str, header: str = "(d); part 000") -> str:
    return "\n".join([f"#begin document {header}", *rows, "#end document", ""])


def entities(graph: Graph) -> dict[str, list[str]]:
    """The texts of the mentions of each entity."""
    texts = {node.id: "+".join(graph.text[a:b] for a, b in node.anchors)
             for node in graph.nodes}  # fmt: skip
    found: dict[str, list[str]] = {}
    for edge in graph.edges:
        assert edge.label == "mention"
        found.setdefault(str(edge.source), []).append(texts[edge.target])
    return found


# What is read.


def test_a_document_is_a_graph() -> None:
    [graph] = good(ONTONOTES)
    assert (graph.id, graph.document) == ("bc/cctv/00/cctv_0000/0",
                                          "bc/cctv/00/cctv_0000")  # fmt: skip
    assert (graph.framework, graph.flavor, graph.tops) == ("coref", 1, ())
    assert graph.text == "In 2005 New York leads"
    assert [graph.text[a:b] for a, b in graph.tokens] == graph.text.split()
    assert entities(graph) == {
        "12": ["2005", "New York leads"],
        "7": ["New York"],
        "0": ["leads"],
    }
    assert graph.extra["sentences"] == [2, 3]


def test_mentions_come_first_and_say_what_they_are() -> None:
    [graph] = good(ONTONOTES)
    assert [(node.id, node.label, node.properties) for node in graph.nodes] == [
        *((number, None, (("kind", "mention"),)) for number in range(4)),
        *((entity, None, (("kind", "entity"),)) for entity in ("12", "7", "0")),
    ]
    assert [node.anchors for node in graph.nodes[:3]] == [
        (Anchor(3, 7),),
        (Anchor(8, 16),),
        (Anchor(8, 22),),
    ]


def test_other_columns_are_kept() -> None:
    rows = good(ONTONOTES)[0].extra["conll2012"]["rows"].split("\n")
    assert [row.split()[3:7] for row in rows if row][-1] == [
        *("leads", "VBZ", "*))", "lead")
    ]


@pytest.mark.parametrize(
    ("row", "word"),
    [("w (1)", "w"), ("0 w (1)", "w"), ("d 0 w (1)", "w"), ("d 0 1 w (1)", "w"),
     ("d 0 1 w NN (1)", "w"), ("\t d\t0   1\tw\tNN\t(1)\t ", "w")],
)  # fmt: skip
def test_any_number_of_columns_will_do(row: str, word: str) -> None:
    [graph] = good(document(row))
    assert entities(graph) == {"1": [word]}


def test_brackets_need_no_separators() -> None:
    [graph] = good(document("a (1(3(3", "b -", "c 3)3)1)", "d (2)(4)"))
    assert entities(graph) == {
        "1": ["a b c"], "3": ["a b c", "a b c"], "2": ["d"], "4": ["d"]}  # fmt: skip


def test_mentions_that_stand_twice_are_two() -> None:
    [graph] = good(document("a (1)|(1)|(2)"))
    assert entities(graph) == {"1": ["a", "a"], "2": ["a"]}
    assert len(graph.nodes) == 5


def test_brackets_may_cross_and_be_nested_in_their_own_entity() -> None:
    [graph] = good(document("a (1", "b (2|(1", "c 1)", "d 1)|(1", "e 2)|1)"))
    assert entities(graph) == {"1": ["a b c d", "b c", "d e"], "2": ["b c d e"]}


def test_a_bracket_closes_what_was_opened_last() -> None:
    [graph] = good(document("a (1", "b 1)|(1", "c 1)"))
    assert entities(graph) == {"1": ["a b", "b c"]}


def test_mentions_may_go_on_in_the_next_sentence() -> None:
    [graph] = good(document("a (x-1", "", "b x-1)"))
    assert entities(graph) == {"x-1": ["a b"]}


def test_dashes_and_underscores_are_nothing() -> None:
    [graph] = good(document("- -", "_ _", "# -"))
    assert (graph.text, graph.nodes) == ("- _ #", ())


@pytest.mark.parametrize(
    ("header", "item", "name"),
    [
        ("(a/b_0009); part 012", "a/b_0009/12", "a/b_0009"),
        ("(LuoTestCase); ", "LuoTestCase/0", "LuoTestCase"),
        ("(LuoTestCase)", "LuoTestCase/0", "LuoTestCase"),
        ("(a (b)); part 1", "a (b)/1", "a (b)"),
        ("wsj_0004", "wsj_0004/0", "wsj_0004"),
        ("wsj_0004; part 3", "wsj_0004/3", "wsj_0004"),
    ],
)
def test_headers(header: str, item: str, name: str) -> None:
    [graph] = good(document("a -", header=header))
    assert (graph.id, graph.document) == (item, name)


def test_a_document_may_be_empty() -> None:
    for rows in ((), ("",), ("  ", "\t")):
        [graph] = good(document(*rows))
        assert (graph.text, graph.tokens, graph.nodes) == ("", (), ())


def test_words_are_separated_by_nothing_but_blanks_and_tabs() -> None:
    [graph] = good(document("a\u00a0b\u3000c\x1c (1)", "Zoë\u2028 -"))
    assert graph.text == "a\u00a0b\u3000c\x1c Zoë\u2028"
    assert entities(graph) == {"1": ["a\u00a0b\u3000c\x1c"]}


def test_small_pieces_of_a_file_are_put_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = ONTONOTES + document("a (1)") + "# a comment\n\n" + document("b (2")
    expected = read(data)
    for size in range(1, 60):
        monkeypatch.setattr(conll2012, "CHUNK", size)
        assert [each[:2] for each in read(data)] == [each[:2] for each in expected]


@pytest.mark.parametrize(
    ("head", "found"),
    [
        (b"#begin document (a); part 000\n", True),
        (b"\xef\xbb\xbf\n# made by x\n#begin document (a)\n", True),
        (b"#end document\n", False),
        (b"# sent_id = 1\n1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n", False),
        (b"a -\n#begin document (a)\n", False),
        (b"", False),
    ],
)
def test_it_is_recognised_by_how_it_begins(head: bytes, found: bool) -> None:
    assert bool(fit_of(FORMAT, head)) is found
    if found:
        stream = io.BufferedReader(io.BytesIO(head))
        assert detect(stream, "x.conllu").name == "conll2012"


# The documents of the reference scorer.


def test_every_document_of_the_reference_scorer_is_read(conformance: Path) -> None:
    files = sorted((conformance / "coref" / "tc").glob("TC-*"))
    assert len(files) == 38
    for path in files:
        data = path.read_bytes()
        [graph] = good(data)
        assert written(graph).encode() == data, path
        brackets = data.count(b"(") - 1
        assert len([n for n in graph.nodes if type(n.id) is int]) == brackets


def test_cells_without_separators(conformance: Path) -> None:
    path = conformance / "coref" / "tc" / "TC-A-9.response"
    [graph] = good(path.read_bytes())
    assert graph.id == "LuoTestCase/0"
    assert entities(graph) == {
        "0": ["a1 a2"],
        "1": ["b1 b2 b3 b4", "c", "x"],
        "3": ["b1 b2 b3 b4"] * 10 + ["z"],
        "2": ["d1 d2", "y"],
    }


# What is wrong.


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        (["a (1", "b -"], "a.conll:2:3: coreference: found an unmatched '(1', "
                          "expected 1) further down"),
        (["aß 0 (1|1)|1)"], "a.conll:2:7: coreference: found an unmatched '1)', "
                            "expected (1 before it"),
        (["a 1"], "a.conll:2:3: coreference: found '1', expected -, or brackets"),
        (["a (1||2)"], "found '(1||2)', expected -, or brackets"),
        (["a |(1)"], "found '|(1)', expected -, or brackets"),
        (["a (1)x"], "found '(1)x', expected -, or brackets"),
        (["a ()"], "found '()', expected -, or brackets"),
        (["a (1\u00a0)"], "expected -, or brackets"),
        (["a b -", "c -"], "a.conll:3: found 2 columns, expected 3 columns, as in "
                           "line 2 of the sentence"),
        (["a -", "b b -"], "a.conll:3: found 3 columns, expected 2 columns, as in"),
        (["a -", "", "b"], "a.conll:4: found 1 column, expected at least two columns"),
        (["a -", "b"], "a.conll:3: found 1 column, expected at least two columns"),
    ],
)  # fmt: skip
def test_problems_have_their_places(rows: list[str], problem: str) -> None:
    [found] = problems(document(*rows))
    assert problem in found


def test_all_problems_of_a_document_are_reported() -> None:
    rows = ["a 9)", "b", "c ?", "d e (7", "f (8)|(6", "x", "", "g -"]
    assert [each.split(": ", 1)[0] for each in problems(document(*rows))] == [
        *("a.conll:2:3", "a.conll:3", "a.conll:4:3", "a.conll:5", "a.conll:5:5"),
        *("a.conll:6:3", "a.conll:7"),
    ]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (document("a -", header="("), "a.conll:1: found '#begin document (', expected "
                                      "#begin document (NAME); part NUMBER"),
        (document("a -", header="()"), "found '#begin document ()', expected"),
        (document("a -", header="(a); part x"), "found '#begin document (a); part x'"),
        ("#begin document (a)\na -\n", "a.conll:1: found the end of the file, expected "
                                       "a line #end document before it"),
        ("a -\n", "a.conll:1: found 'a -', expected a line #begin document before it"),
        ("\n#end document\n", "a.conll:2: found '#end document', expected a line #b"),
    ],
)  # fmt: skip
def test_documents_begin_and_end(data: str, problem: str) -> None:
    [found] = problems(data)
    assert problem in found


def test_documents_without_a_name_are_called_like_their_file() -> None:
    unnamed = "# begin document \n0\tJo\t(1)\n# end document\n"
    data = unnamed + document("a -", header="(b)") + unnamed
    data += unnamed.replace("document ", "document ; part 007")
    graphs = good(data)
    assert [each.id for each in graphs] == ["a/0", "b/0", "a/1", "a/7"]
    assert [each.document for each in graphs] == ["a", "b", "a", "a"]
    # Written anew they are called so wherever they go.
    assert written(graphs[0]).startswith("#begin document (a); part 000\n0\tJo\t(1)\n")
    [again] = good(written(graphs[2]))
    assert (again.id, again.document) == ("a/1", "a")


LITBANK = """\
#begin document (1023_bleak_house_brat); part 0
b\t0\t0\tIn\t_\t_\t
b\t0\t1\tChancery\t_\t_\t(0)

b\t0\t0\tLondon\t_\t_\t

b\t0\t0\tLord\t_\t_\t(1
b\t0\t1\tHigh\t_\t_\t
b\t0\t2\tChancellor\t_\t_\t1)

#end document
"""


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_an_empty_last_cell_is_nothing(end: str) -> None:
    [graph] = good(LITBANK.replace("\n", end))
    assert entities(graph) == {"0": ["Chancery"], "1": ["Lord High Chancellor"]}
    assert graph.extra["sentences"] == [2, 1, 3]
    assert written(graph).splitlines() == LITBANK.splitlines()
    # What is said anew is said in the same way.
    moved = msgspec.structs.replace(
        graph, edges=(Edge("0", 1, "mention"), Edge("1", 0, "mention"))
    )
    assert "London\t_\t_\t\n" in written(moved)
    assert "Chancery\t_\t_\t(1)\n" in written(moved)
    [again] = good(written(moved))
    assert entities(again) == {"1": ["Chancery"], "0": ["Lord High Chancellor"]}
    alone = msgspec.structs.replace(
        graph, nodes=(graph.nodes[0], graph.nodes[2]), edges=(graph.edges[0],)
    )
    assert "Lord\t_\t_\t\n" in written(alone)


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        # A tab that ends every line parts nothing.
        (["0\tJo\t(1)\t", "1\tran\t-\t"], {"1": ["Jo"]}),
        # Tabs that align columns are no empty cells.
        (["0\tJo\t\t(1)", "1\tstayed\t-"], {"1": ["Jo"]}),
        # Cells parted by tabs may have blanks.
        (["0\tNew York\t(1)", "1\tstayed\t-"], {"1": ["New York"]}),
        (["0\té a\t(1", "1\tstayed\t1)"], {"1": ["é a stayed"]}),
        # A word of which nothing is left stands between cells that say something.
        (["0\tJo\t(1)", "1\t\t_", "2\tran\t_"], {"1": ["Jo"]}),
        (["0\tJo\t(1", "1\t\t_", "2\tran\t1)"], {"1": ["Jo  ran"]}),
    ],
)
def test_what_tabs_part(rows: list[str], found: dict[str, list[str]]) -> None:
    [graph] = good(document(*rows))
    assert entities(graph) == found
    assert good(written(graph)) == [graph]


def test_a_line_that_lacks_cells_is_no_empty_one() -> None:
    data = LITBANK.replace("In\t_\t_\t\n", "In\t_\t\n")
    assert problems(data) == [
        "a.conll:3: found 7 columns, expected 6 columns, as in line 2 of the sentence"
    ]


def test_a_document_in_a_document_costs_the_outer_one() -> None:
    data = "#begin document (a)\nx -\n" + document("y -") + "z -\n#end document\n"
    outer, inner, rest, end = read(data)
    assert isinstance(outer, Rejected)
    assert (outer.item, outer.framework) == ("a/0", "coref")
    assert "found the next document in line 3" in str(outer.problems[0])
    assert isinstance(inner, ReadGraph)
    assert inner.graph.text == "y"
    assert isinstance(rest, Rejected)
    assert rest.line == 6
    assert isinstance(end, Rejected)
    assert end.line == 7


def test_an_endless_document_is_refused_without_being_held(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(conll2012, "LONGEST_DOCUMENT", 1000)
    monkeypatch.setattr(conll2012, "CHUNK", 100)
    for endless in (["a -"] * 1000, ["x" * 5000]):
        one, two = read(document(*endless) + document("b -"))
        assert isinstance(one, Rejected)
        assert "more than 1,000 bytes" in str(one.problems[0])
        assert isinstance(two, ReadGraph)


def test_no_header_takes_time_out_of_proportion() -> None:
    assert problems(document(header="(a" + " " * 100_000 + "b" + ";" * 100_000))
    assert problems(document(header="a " * 100_000))


# What is written.


def test_what_is_read_is_written_as_it_was() -> None:
    data = ONTONOTES + document("a\t(1(2", "b\t2)1)\t ", header="x ; part 07")
    assert written(*good(data)) == data


def test_only_what_has_changed_is_written_anew() -> None:
    [graph] = good(ONTONOTES)
    nodes = [node for node in graph.nodes if node.id not in (1, "7")]
    edges = [edge for edge in graph.edges if edge.source != "7"]
    changed = msgspec.structs.replace(graph, nodes=tuple(nodes), edges=tuple(edges))
    expected = ONTONOTES.replace("(7|(12", "(12").replace("   7)", "   -")
    assert written(changed) == expected
    renamed = msgspec.structs.replace(graph, id="other", document="other")
    assert written(renamed).startswith("#begin document (other); part 000\n")


def test_graphs_from_elsewhere_get_five_columns() -> None:
    line = b'{"doc_key":"d/1","sentences":[["a","b"],["c"]],"clusters":[[[0,1],[2,2]]]}'
    assert DYGIE.read is not None
    [record] = DYGIE.read(io.BytesIO(line), "x")
    assert isinstance(record, ReadGraph)
    found = written(record.graph)
    assert found == document(
        "d/1\t0\t0\ta\t(2", "d/1\t0\t1\tb\t2)", "", "d/1\t0\t0\tc\t(2)", "",
        header="(d/1); part 000",
    )  # fmt: skip
    [again] = good(found)
    assert (again.text, again.tokens) == (record.graph.text, record.graph.tokens)
    assert again.extra["sentences"] == [2, 1]
    assert again.nodes[:2] == record.graph.nodes[:2]


M, E = (("kind", "mention"),), (("kind", "entity"),)


def graph(*nodes: Node, edges: tuple[tuple[str, int], ...] = (), **more: str) -> Graph:
    tokens = tuple(Anchor(k, k + 1) for k in range(0, 9, 2))
    found = tuple(Edge(source, target, "mention") for source, target in edges)
    fields = {"id": "d/0", "document": "d", "text": "a b c d e", **more}
    return Graph(framework="coref", tokens=tokens, nodes=nodes, edges=found, **fields)  # type: ignore[arg-type]


def mention(id: int, first: int, last: int) -> Node:
    return Node(id, None, M, (Anchor(2 * first, 2 * last + 1),))


ONE, ENTITY = mention(0, 0, 1), Node("e", None, E)


def test_other_links_words_and_sizes_are_refused() -> None:
    whole = graph(ONE, ENTITY, edges=(("e", 0),))
    change = msgspec.structs.replace
    for wrong, found in (
        (change(whole, edges=(Edge("e", 0, "x"),)), "U+0078 in the label of an edge"),
        (change(whole, text="a b c d\xa0e"), None),
        (change(whole, tokens=(Anchor(0, 3), *whole.tokens[2:])), None),
        (change(whole, extra={"sentences": [1]}), "sentences of [1] words"),
        (change(good(document("a -"))[0], text="b"), "a line of the word 'a'"),
    ):
        if found is None:
            assert good(written(wrong))[0].nodes[0].anchors == ONE.anchors
            continue
        with pytest.raises(GraphscoreError) as caught:
            written(wrong)
        assert found in str(caught.value)
    with pytest.raises(GraphscoreError, match="CoNLL-2012 holds coref"):
        written(Graph("1", "dm"))


# Everything.

words = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters=" \t\n\r\v\f"),
    min_size=1,
    max_size=4,
)


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """A document with mentions anywhere that do not cross within an entity."""
    forms = draw(st.lists(words, min_size=1, max_size=10))
    cuts = [0, *sorted(draw(st.sets(st.integers(1, len(forms)), max_size=3)))]
    if cuts[-1] != len(forms):
        cuts.append(len(forms))
    starts = [sum(len(form) + 1 for form in forms[:k]) for k in range(len(forms) + 1)]
    tokens = tuple(Anchor(a, b - 1) for a, b in pairwise(starts))
    place = st.integers(0, len(forms) - 1)
    spans = st.tuples(place, place).map(sorted)
    kept: list[tuple[int, int, str]] = []
    for (first, last), name in draw(
        st.lists(st.tuples(spans, st.sampled_from(("0", "12", "ü"))), max_size=8)
    ):
        if not any(
            name == other and (a < first <= b < last or first < a <= last < b)
            for a, b, other in kept
        ):
            kept.append((first, last, name))
    kept.sort(key=lambda each: (each[0], -each[1]))
    nodes = [
        Node(k, None, M, (Anchor(tokens[a].start, tokens[b].end),))
        for k, (a, b, _) in enumerate(kept)
    ]
    names = list(dict.fromkeys(name for _, _, name in kept))
    edges = [
        Edge(name, k, "mention")
        for name in names
        for k, (_, _, other) in enumerate(kept)
        if other == name
    ]
    return Graph(
        "n/7", "coref", 1, "", "n", " ".join(forms), tokens,
        (*nodes, *(Node(name, None, E) for name in names)), tuple(edges), (),
        {"sentences": [b - a for a, b in pairwise(cuts)]},
    )  # fmt: skip


@given(st.lists(graphs(), max_size=3))
def test_what_is_written_is_read_again(made_up: list[Graph]) -> None:
    data = written(*made_up)
    found = good(data)
    for one, two in zip(found, made_up, strict=True):
        sizes = {"sentences": one.extra["sentences"]}
        assert msgspec.structs.replace(one, extra=sizes) == two
    assert written(*found) == data


# Many of them.


def test_seeded_documents_are_read_as_they_were_made() -> None:
    gold = list(documents(5, 60))
    assert gold == list(documents(5, 60))
    for columns in (0, 7):
        found = good(b"".join(made(gold, columns)))
        assert [each.id for each in found] == [f"made/0000{k}/0" for k in range(5)]
        assert [each.text.split() for each in found] == [each.words for each in gold]
    changed = [disturbed(each) for each in gold]
    assert changed != gold
    assert [disturbed(each, 0.0).entities for each in gold] == [
        [sorted(entity) for entity in each.entities] for each in gold
    ]
    assert len(good(b"".join(made(changed)))) == 5
