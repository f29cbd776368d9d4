"""Columns with nested, metonymic and linked entities."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.exceptions import GraphscoreError
from graphscore.formats import ReaderOptions, ReadGraph, Rejected, read_file
from graphscore.formats.entities import hipe, hipe_columns
from graphscore.formats.recognition import fit_of
from graphscore.formats.registry import format_named
from graphscore.model.graph import Anchor, Graph, Node
from graphscore.structures.entities.authority import entries_of
from graphscore.structures.entities.trees import slots_of
from graphscore.structures.layout import first_of, kind_of
from tests.conftest import DATA
from tests.formats.reading import FormatReader, lost_of

GAZETTE = DATA / "ner" / "gazette.tsv"
COLUMNS = [
    *("TOKEN", "NE-COARSE-LIT", "NE-COARSE-METO", "NE-FINE-LIT", "NE-FINE-METO"),
    *("NE-FINE-COMP", "NE-NESTED", "NEL-LIT", "NEL-METO", "MISC"),
]
HIPE = format_named("hipe")

HEADER = "\t".join(COLUMNS) + "\n"


_reading = FormatReader(format_named("hipe"), "a.tsv")
read = _reading.read
good = _reading.good
problems = _reading.problems


def trees(data: str | bytes) -> list[Graph]:
    return [graph for graph in good(data) if graph.framework == "etree"]


def row(token: str = "a", **cells: str) -> str:
    """A row; columns by their names, with an underscore for the hyphen."""
    given = {name.replace("_", "-"): cell for name, cell in cells.items()}
    said = {
        name: given.pop(name, "O" if name[:3] == "NE-" else "_") for name in COLUMNS
    }
    assert not given
    return "\t".join([token, *list(said.values())[1:]]) + "\n"


def said(graph: Graph) -> list[tuple[Any, ...]]:
    """Kind, type, literal type, words and parent of every node."""
    parents = {edge.target: edge.source for edge in graph.edges}
    return [
        (
            kind_of(node),
            node.label,
            first_of(node.properties, "literal"),
            graph.text[node.anchors[0].start : node.anchors[0].end],
            parents.get(node.id),
        )
        for node in graph.nodes
    ]


# What is read.


def test_a_document_has_two_layers() -> None:
    ner, etree, *_ = good(GAZETTE.read_bytes())
    assert (ner.framework, etree.framework) == ("ner", "etree")
    assert ner.id == etree.id == "gazette-1891-03-02-a-i0001"
    assert ner.document == ner.id
    assert ner.language == "fr"
    assert ner.text == etree.text
    assert ner.tokens == etree.tokens
    assert [(node.label, first_of(node.properties, "tags")) for node in ner.nodes] == [
        ("pers", "BIIIIII"),
        ("loc", "B"),
        ("loc", "B"),
    ]


def test_trees_have_fine_types_components_and_nested_entities() -> None:
    first, second = trees(GAZETTE.read_bytes())
    assert said(first) == [
        ("entity", "pers.ind", None, "M. Vasseur, maire de Tours", None),
        ("component", "title", None, "M.", 0),
        ("component", "name", None, "Vasseur", 0),
        ("component", "function", None, "maire de Tours", 0),
        ("entity", "loc.adm.town", None, "Tours", 0),
        ("entity", "loc.adm.town", None, "Berne", None),
        ("entity", "org.adm", "loc.adm.nat", "Suisse", None),
    ]
    assert said(second)[:2] == [
        ("entity", "prod.media", None, "Journal de Genève", None),
        ("entity", "loc.adm.town", None, "Genève", 0),
    ]
    assert slots_of(first)[-1].types == ("org.adm", "loc.adm.nat")


def test_an_entity_goes_on_after_the_end_of_a_sentence() -> None:
    data = HEADER + row("MM", NE_COARSE_LIT="B-pers", MISC="EndOfSentence")
    [ner, _] = good(data + row("Stump", NE_COARSE_LIT="I-pers", MISC="EndOfLine"))
    assert [node.anchors for node in ner.nodes] == [(Anchor(0, 8),)]


def test_the_text_is_put_together() -> None:
    ner = good(GAZETTE.read_bytes())[0]
    assert ner.text == (
        "M. Vasseur, maire de Tours, est à Berne. La Suisse n'a rien dit."
    )
    words = [ner.text[start:end] for start, end in ner.tokens]
    rows = GAZETTE.read_text().split("\n\n")[0].splitlines()[5:]
    assert words == [each.split("\t")[0] for each in rows]


def test_the_end_of_a_line_is_a_blank() -> None:
    """The first releases say NoSpaceAfter at the end of every line."""
    rows = row("Go", MISC="EndOfLine|NoSpaceAfter") + row("on", MISC="NoSpaceAfter")
    assert good(HEADER + rows + row("."))[0].text == "Go on."


def test_links_are_entries() -> None:
    ner, etree, *_ = good(GAZETTE.read_bytes())
    assert [entries_of(node) for node in ner.nodes] == [(), ("Q70", "Q11911"), ("Q39",)]
    assert ner.nodes[0].properties[2:] == (("authority", "NIL"),)
    assert etree.nodes[0].properties[1:] == (("authority", "NIL"),)
    assert entries_of(etree.nodes[5]) == ("Q70", "Q11911")
    for node in (ner.nodes[2], etree.nodes[6]):
        assert first_of(node.properties, "metonymic_authority") == "Q39"


def test_a_file_that_says_nothing_of_links_gives_none() -> None:
    ner, etree = good("TOKEN\tNE-COARSE-LIT\nBern\tB-loc\n")
    assert ner.nodes[0].properties == (("kind", "mention"), ("tags", "B"))
    assert etree.nodes[0].properties == (("kind", "entity"),)


def test_either_sense_has_its_own_link() -> None:
    cells = {"NE_FINE_LIT": "B-loc", "NE_FINE_METO": "B-org", "NEL_METO": "Q2|NIL"}
    [tree] = trees(HEADER + row(**cells, NEL_LIT="Q1"))
    assert tree.nodes[0].properties[1:] == (
        ("literal", "loc"),
        ("authority", "Q1"),
        ("metonymic_authority", "Q2"),
        ("metonymic_authority", "NIL"),
    )


def test_a_link_outside_of_entities_is_kept() -> None:
    ner, etree = good(HEADER + row(NEL_LIT="Q1", NE_COARSE_LIT="O"))
    assert ner.extra["links"] == etree.extra["links"] == {"0": {"NEL-LIT": "Q1"}}


def test_senses_of_different_words_are_different_entities() -> None:
    rows = row("ville", NE_FINE_METO="B-org.adm") + row(
        "Berne", NE_FINE_METO="I-org.adm", NE_FINE_LIT="B-loc.adm.town"
    )
    [tree] = trees(HEADER + rows)
    assert said(tree) == [
        ("entity", "org.adm", None, "ville Berne", None),
        ("entity", "loc.adm.town", None, "Berne", 0),
    ]


def test_coarse_types_stand_in_where_there_are_no_fine_ones() -> None:
    rows = row("A", NE_COARSE_LIT="B-PER", NE_FINE_LIT="B-PER.author")
    rows += row("B", NE_COARSE_LIT="B-LOC")
    assert [node.label for node in trees(HEADER + rows)[0].nodes] == [
        "PER.author",
        "LOC",
    ]


def test_the_smallest_entity_around_is_the_parent() -> None:
    rows = row("a", NE_FINE_LIT="B-pers", NE_NESTED="B-loc", NE_FINE_COMP="B-comp.name")
    rows += row("b", NE_FINE_LIT="I-pers", NE_FINE_COMP="I-comp.name")
    rows += row("c", NE_FINE_LIT="I-pers", NE_NESTED="B-loc", NE_FINE_COMP="B-comp.x")
    rows += row("d", NE_FINE_COMP="B-comp.name")
    [tree] = trees(HEADER + rows)
    assert said(tree) == [
        ("entity", "pers", None, "a b c", None),
        ("component", "name", None, "a b", 0),
        ("entity", "loc", None, "a", 0),
        ("entity", "loc", None, "c", 0),
        ("component", "x", None, "c", 3),
        ("component", "name", None, "d", None),
    ]


def test_comments_and_other_columns_are_kept() -> None:
    ner = good(GAZETTE.read_bytes())[2]
    assert ner.extra["comments"][1] == "# hipe2022:date = 1891-03-02"
    assert ner.extra["columns"] == {"MISC": {"7": "NoSpaceAfter", "8": "EndOfSentence"}}
    data = "TOKEN\tNE-COARSE-LIT\tRENDER\nBern\tB-loc\titalic\n"
    assert good(data)[0].extra["columns"] == {"RENDER": {"0": "italic"}}


# Documents.


def test_documents_of_2020_end_where_an_id_begins_the_next() -> None:
    block = "# language = en\n# document_id = {}\n# segment_iiif_link = _\n"
    middle = "# segment_iiif_link = x\n"
    data = HEADER + block.format("a") + row() + "\n" + middle + row("b")
    graphs = good(data + "\n" + block.format("b") + row("c"))
    assert [(graph.id, graph.text) for graph in graphs] == [
        ("a", "a b"),
        ("a", "a b"),
        ("b", "c"),
        ("b", "c"),
    ]
    assert graphs[0].extra["comments"][-1] == middle.strip()
    assert graphs[2].extra["comments"][0] == "# language = en"


def test_documents_without_ids_end_at_blank_lines() -> None:
    graphs = good(HEADER + "# x\n" + row() + "\n\n# y\n" + row("b") + row("c"))
    assert [(graph.id, graph.text) for graph in graphs[::2]] == [("", "a"), ("", "b c")]
    assert [graph.extra["comments"] for graph in graphs[::2]] == [["# x"], ["# y"]]


def test_the_document_is_the_item_and_without_an_id_the_file(tmp_path: Path) -> None:
    path = tmp_path / "news.tsv"
    path.write_text(HEADER + row())
    [one, two] = read_file(str(path))
    assert isinstance(one, ReadGraph)
    assert isinstance(two, ReadGraph)
    assert one.graph.document == two.graph.document == "news"
    assert one.line == two.line == 2


def test_files_may_be_put_together_and_headers_be_comments() -> None:
    other = "TOKEN\tNE-COARSE-LIT\nb\tB-loc\n"
    assert [graph.text for graph in good(HEADER + row() + other)[::2]] == ["a", "b"]
    named = "# global.columns = TOKEN NE-COARSE-LIT\n# document_id = x\na\tB-loc\n"
    assert good(named)[0].id == "x"


def test_a_number_sign_is_a_token_where_it_says_something() -> None:
    """To the scorer such a row is a comment; nothing but the sign is lost by that."""
    said = row("#", NE_COARSE_LIT="B-loc")
    assert good(HEADER + said + "# more\n" + row("b"))[0].text == "# b"
    assert good(HEADER + row("a") + row("#") + row("b"))[0].text == "a b"


# What is wrong.


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        (
            "a\tO\n",
            "2: found 2 columns, expected 10, as in the header",
        ),
        (
            row("é", NE_FINE_LIT="loc"),
            "2:8: found 'loc', expected a tag of NE-FINE-LIT: O, _, or B, I with a "
            "type (B-loc)",
        ),
        (
            row(NE_COARSE_LIT="B-loc|B-org"),
            "2:3: found 'B-loc|B-org', expected a tag of NE-COARSE-LIT: O, _, or B, "
            "I with a type (B-loc)",
        ),
        (row(" "), "2:1: found an empty token, expected a word"),
        (
            "# document_id = x\n",
            "2: found a document without tokens, expected one or more",
        ),
        (
            row().replace("O", "_"),
            "2: found nothing but _ in the columns of tags, expected tags, or O "
            "where there is no entity",
        ),
    ],
)
def test_a_bad_document_is_explained(rows: str, found: str) -> None:
    assert problems(HEADER + rows) == [f"a.tsv:{found}"]


def test_all_problems_are_listed_and_the_next_document_is_read() -> None:
    block = "# document_id = {}\n"
    data = HEADER + block.format("x") + "a\n" + row(NE_NESTED="b") + block.format("y")
    bad, *others = read(data + row())
    assert isinstance(bad, Rejected)
    assert (bad.line, bad.item, len(bad.problems)) == (2, "x", 2)
    assert bad.raw.startswith(b"# document_id = x\na\n")
    assert [each.graph.id for each in others if isinstance(each, ReadGraph)] == [
        "y",
        "y",
    ]


@pytest.mark.parametrize(
    ("data", "found"),
    [
        ("a\tO\n\nb\tO\n# document_id = c\nd\tO\n", "1: found 'a\\tO' before"),
        ("X\tNE-COARSE-LIT\na\tO\n", "1: found the first column 'X', expected TOKEN"),
        ("TOKEN\tNEL-LIT\na\tO\n", "1: found a header without entities, expected"),
        (
            "TOKEN\tNE-FINE-LIT\tX\tX\na\tO\tO\tO\n",
            "1: found two columns of one name, expected",
        ),
    ],
)
def test_what_has_no_header_is_one_problem(data: str, found: str) -> None:
    [problem] = problems(data)
    assert problem.startswith(f"a.tsv:{found}")
    assert len(good_of(data + HEADER + row())) == 2


def test_comments_of_what_has_no_header_are_not_the_next_documents() -> None:
    data = "# document_id = a\nd\tO\n# more\n" + HEADER + row()
    rejected, *graphs = read(data)
    assert isinstance(rejected, Rejected)
    assert rejected.line == 2
    assert [(graph.line, graph.graph.id) for graph in good_of(data)] == [(5, "")] * 2
    assert len(graphs) == 2


def good_of(data: str) -> list[ReadGraph]:
    return [each for each in read(data) if isinstance(each, ReadGraph)]


def test_large_documents_and_lines_are_bounded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hipe, "LARGEST", 1000)
    block = "# document_id = {}\n"
    data = HEADER + block.format("x") + row() * 100 + block.format("y") + row()
    bad, *others = read(data)
    assert isinstance(bad, Rejected)
    assert len(bad.raw) <= hipe.SHOWN
    assert "a document of more than 1,000 bytes" in str(bad.problems[0])
    assert len(others) == 2
    monkeypatch.setattr(hipe.Rows, "longest", 50)
    [found] = problems("TOKEN\tNE-COARSE-LIT\n" + "a" * 90 + "\tO\n")
    assert found == (
        "a.tsv:2: found a line of more than 50 bytes, expected a token and its columns"
    )


# Recognition.


def test_other_columns_are_not() -> None:
    assert not fit_of(format_named("hipe"), b"TOKEN\tB-loc\n")
    assert not fit_of(format_named("hipe"), b"EU\tB-ORG\nrejects\tO\n")
    records = list(read_file(str(GAZETTE), ReaderOptions("hipe")))
    assert [each.line for each in records] == [2, 2, 27, 27]


# Properties: the layers against a slow reading of the columns.


TAGS = st.sampled_from(["O", "_", "B-a", "I-a", "B-b.c", "I-b.c"])


def spans(tags: list[str]) -> list[tuple[int, int, str]]:
    """Entities of a column, found token by token."""
    found: list[tuple[int, int, str]] = []
    for place, tag in enumerate(tags):
        if tag in "O_":
            continue
        before = tags[place - 1] if place else "O"
        if tag[0] == "I" and before[2:] == tag[2:]:
            first, _, label = found.pop()
            found.append((first, place, label))
        else:
            found.append((place, place, tag[2:]))
    return found


@given(st.lists(st.tuples(*[TAGS] * 6), min_size=1, max_size=9))
def test_trees_are_what_the_columns_say(
    rows: list[tuple[str, ...]],
) -> None:
    names = [name.replace("-", "_") for name in COLUMNS[1:7]]
    data = HEADER + "".join(
        row(chr(97 + k), **dict(zip(names, cells, strict=True)))
        for k, cells in enumerate(rows)
    )
    graphs = [each.graph for each in read(data) if isinstance(each, ReadGraph)]
    column = dict(
        zip(names, [list(each) for each in zip(*rows, strict=True)], strict=True)
    )
    if all(tag == "_" for tags in column.values() for tag in tags):
        assert not graphs
        return
    tree = graphs[-1]
    found = {name: spans(tags) for name, tags in column.items()}

    def sense(fine: str, coarse: str) -> dict[tuple[int, int], str]:
        places = {(a, b): label for a, b, label in found[fine]}
        for a, b, label in found[coarse]:
            if not any(c <= b and a <= d for c, d, _ in found[fine]):
                places[a, b] = label
        return places

    literal = sense("NE_FINE_LIT", "NE_COARSE_LIT")
    other = sense("NE_FINE_METO", "NE_COARSE_METO")
    expected = []
    for place in sorted({*literal, *other}):
        label = other.get(place, literal.get(place))
        second = literal.get(place)
        expected.append((place, label, None if label == second else second))
    nested = [((a, b), label, None) for a, b, label in found["NE_NESTED"]]
    components = [((a, b), label, None) for a, b, label in found["NE_FINE_COMP"]]
    nodes = [
        (
            (node.anchors[0].start // 2, node.anchors[0].end // 2),
            node.label,
            first_of(node.properties, "literal"),
        )
        for node in tree.nodes
    ]
    kinds = [kind_of(node) for node in tree.nodes]
    entities = [
        node for node, kind in zip(nodes, kinds, strict=True) if kind == "entity"
    ]
    assert sorted(entities, key=str) == sorted(expected + nested, key=str)
    assert sorted(
        (node for node, kind in zip(nodes, kinds, strict=True) if kind == "component"),
        key=str,
    ) == sorted(components, key=str)
    parents = {edge.target: edge.source for edge in tree.edges}
    for number, ((first, last), _, _) in enumerate(nodes):
        around = [
            (b - a, -k)
            for k, ((a, b), _, _) in enumerate(nodes[:number])
            if kinds[k] == "entity" and a <= first and last <= b
        ]
        assert parents.get(number) == (-min(around)[1] if around else None)


# What is written.


def written(graphs: list[Graph]) -> str:
    assert HIPE.write is not None
    return b"".join(HIPE.write(graphs)).decode()


def test_what_the_graphs_do_not_say_is_written_too() -> None:
    data = (
        HEADER
        + "# document_id = d1\n# language = fr\n"
        + row("Rome", NE_COARSE_LIT="B-Loc", NE_FINE_LIT="B-Loc.adm", NEL_LIT="Q1|Q2")
        + "# segment = 2\n\n"
        + row("x", NE_COARSE_METO="_", NEL_LIT="Q7", MISC="EndOfLine|x")
        + row("y", NE_COARSE_LIT="I-pers", NE_NESTED="B-loc", NEL_METO="-")
        + "\n# document_id = d2\n"
        + row("#", NE_FINE_COMP="B-comp.name")
    )
    assert written(good(data)) == data
    stored = mrp_and_back(good(data))
    assert written(stored) == data


def mrp_and_back(graphs: list[Graph]) -> list[Graph]:
    mrp = format_named("mrp")
    assert mrp.write is not None
    assert mrp.read is not None
    lines = b"".join(mrp.write(graphs))
    records = mrp.read(io.BytesIO(lines), "a.mrp")
    return [record.graph for record in records if isinstance(record, ReadGraph)]


def test_entities_of_other_formats_are_written() -> None:
    said = ("kind", "mention"), ("authority", "Q70")
    node = Node(0, "loc", said, (Anchor(3, 7),))
    tokens = (Anchor(0, 2), Anchor(3, 7), Anchor(7, 8))
    graph = Graph("7", "ner", text="in Bern.", tokens=tokens, nodes=(node,))
    again = good(written([graph]))[0]
    assert (again.id, again.text, again.tokens) == ("7", graph.text, tokens)
    assert again.nodes[0].label == "loc"
    assert again.nodes[0].properties[2:] == said[1:]


def test_columns_are_layers() -> None:
    columns = format_named("hipe-columns")
    assert columns.read is not None
    data = HEADER + row(
        "Rome", NE_COARSE_LIT="B-loc", NE_FINE_LIT="B-loc.x", NEL_LIT="Q1|Q2"
    )
    data += row("x", NE_COARSE_LIT="I-loc", NE_FINE_LIT="I-loc.x", NEL_LIT="_")
    records = list(columns.read(io.BytesIO(data.encode()), "a.tsv"))
    found = {
        each.graph.layer: [
            (node.label, node.anchors[0][1]) for node in each.graph.nodes
        ]
        for each in records
        if isinstance(each, ReadGraph)
    }
    assert found["NE-COARSE-LIT"] == [("loc", 6)]
    assert found["NE-FINE-LIT"] == [("loc.x", 6)]
    assert found["NEL-LIT"] == [("Q1", 4)]


def test_a_number_sign_that_says_nothing_is_not_written() -> None:
    said = ("kind", "mention"), ("tags", "B")
    tokens = (Anchor(0, 1), Anchor(2, 6))
    bern = Node(0, "loc", said, (Anchor(2, 6),))
    sign = Node(0, "loc", said, (Anchor(0, 1),))
    ner = Graph("d1", "ner", text="# Bern", tokens=tokens, nodes=(sign,))
    assert b"\n#\tB-loc\t" in b"".join(hipe_columns.write([ner]))
    ner = Graph("d1", "ner", text="# Bern", tokens=tokens, nodes=(bern,))
    with pytest.raises(GraphscoreError, match="hipe cannot hold"):
        written([ner])


def test_mentions_alone_keep_their_other_columns() -> None:
    table = (
        "TOKEN\tNE-COARSE-LIT\tNEL-LIT\tMISC\tOCR\n"
        "# document_id = x\nSuisse\tB-loc\tQ39\t_\t0.9\n"
    )
    [mentions] = [each for each in good(table) if each.framework == "ner"]
    again = good(written([mentions]))
    [same] = [each for each in again if each.framework == "ner"]
    assert same.nodes == mentions.nodes
    assert same.extra["columns"] == mentions.extra["columns"]


def test_mentions_alone_tell_that_they_lose_metonymic_links() -> None:
    properties = (("kind", "mention"), ("metonymic_authority", "Q39"))
    node = Node("1", "loc", properties, (Anchor(0, 6),))
    graph = Graph("x", "ner", text="Suisse", nodes=(node,), tokens=(Anchor(0, 6),))
    assert lost_of("hipe", graph) == {"property metonymic_authority"}
