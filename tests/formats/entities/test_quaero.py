"""Text with inline tags for entities and components."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner
from hypothesis import assume, given
from hypothesis import strategies as st

from graphscore import score
from graphscore.cli.main import cli
from graphscore.exceptions import GraphscoreError, InputError
from graphscore.formats import (
    ReaderOptions,
    ReadGraph,
    Rejected,
    read_file,
    write_graphs,
)
from graphscore.formats.base import Record
from graphscore.formats.entities import quaero
from graphscore.formats.entities.inventories import QUAERO, Inventory, read_inventory
from graphscore.model.graph import Anchor, Graph, Node
from graphscore.structures.entities.trees import TreeBuilder, slots_of
from graphscore.structures.layout import ENTITY, first_of, kind_of
from tests.conftest import DATA

RADIO = DATA / "ner" / "radio.ne"


def read(data: str | bytes, inventory: Inventory = QUAERO) -> list[Record]:
    raw = data if isinstance(data, bytes) else data.encode()
    return list(quaero.reader_with(inventory)(io.BytesIO(raw), "a.ne"))


def good(data: str | bytes, inventory: Inventory = QUAERO) -> list[Graph]:
    records = read(data, inventory)
    graphs = [each.graph for each in records if isinstance(each, ReadGraph)]
    assert len(graphs) == len(records), records
    return graphs


def problems(data: str | bytes, inventory: Inventory = QUAERO) -> list[str]:
    return [
        str(each)
        for record in read(data, inventory)
        if isinstance(record, Rejected)
        for each in record.problems
    ]


def said(graph: Graph) -> list[tuple[Any, ...]]:
    """Kind, label, words and parent of every node."""
    parents = {edge.target: edge.source for edge in graph.edges}
    return [
        (
            kind_of(node),
            node.label,
            graph.text[node.anchors[0].start : node.anchors[0].end],
            parents.get(node.id),
        )
        for node in graph.nodes
    ]


def written(*graphs: Graph) -> str:
    return b"".join(write_graphs(graphs, "quaero")).decode()


# What is read.


def test_a_line_is_a_tree_of_entities_and_components() -> None:
    first, second, third, fourth = good(RADIO.read_bytes())
    assert [each.id for each in (first, second, third, fourth)] == ["1", "2", "4", "5"]
    assert first.framework == "etree"
    assert said(first)[:4] == [
        ("entity", "func.coll", "contrôleurs de la SNCF", None),
        ("component", "kind", "contrôleurs", 0),
        ("entity", "org.ent", "SNCF", 0),
        ("component", "name", "SNCF", 2),
    ]
    assert {edge.label for edge in first.edges} == {"component", "entity"}
    assert all(
        edge.label == kind_of(first.nodes[first.ordinals()[edge.target]])
        for edge in first.edges
    )


def test_the_tokens_are_the_words() -> None:
    [graph] = good("<prod.media><name> France Inter</name></prod.media>, %% *euh ^^\n")
    words = [graph.text[start:end] for start, end in graph.tokens]
    assert words == ["France", "Inter", ",", "%%", "*euh", "^^"]
    assert graph.text == "France Inter , %% *euh ^^"
    assert said(graph)[0] == ("entity", "prod.media", "France Inter", None)


@pytest.mark.parametrize(
    "word",
    ["&oh-la-la", "&amp;", "%%", "*euh", "^^", "<", ">", "3<4", "<3", "a>b", "->", "_"],
)
def test_marks_of_transcribers_are_words(word: str) -> None:
    [graph] = good(f"il {word} dit <pers.ind> {word} </pers.ind>")
    assert graph.text == f"il {word} dit {word}"


def test_only_blanks_part_words() -> None:
    [graph] = good("10\u00a0000 \t ans\u2028x\r\n")
    assert [graph.text[a:b] for a, b in graph.tokens] == ["10\u00a0000", "ans\u2028x"]


def test_a_dot_does_not_make_a_type() -> None:
    line = "<pers.ind> <name.first> Ada </name.first> </pers.ind> <amount> x </amount>"
    [graph] = good(line)
    assert [(kind_of(node), node.label) for node in graph.nodes] == [
        ("entity", "pers.ind"),
        ("component", "name.first"),
        ("entity", "amount"),
    ]


def test_metonymy_stays_nesting_and_is_joined_by_who_wants_it() -> None:
    graph = good(RADIO.read_bytes())[2]
    assert [node.label for node in graph.nodes][:3] == [
        "org.adm",
        "loc.adm.town",
        "name",
    ]
    assert slots_of(graph)[0].types == ("org.adm", "loc.adm.town")
    assert slots_of(graph, metonymy="nested")[0].types == ("org.adm",)


def test_what_is_in_a_component_is_a_child_of_the_entity_around_it() -> None:
    [graph] = good("<func.ind> <kind> a <pers> b </pers> </kind> </func.ind>")
    assert said(graph) == [
        ("entity", "func.ind", "a b", None),
        ("component", "kind", "a b", 0),
        ("entity", "pers", "b", 0),
    ]


def test_a_component_may_stand_alone() -> None:
    [graph] = good("<name> Ada </name>")
    assert said(graph) == [("component", "name", "Ada", None)]


def test_blanks_within_tags_do_not_matter() -> None:
    [graph] = good("< pers.ind >Ada</ pers.ind> a")
    assert said(graph) == [("entity", "pers.ind", "Ada", None)]


def test_attributes_are_properties() -> None:
    line = (
        '<pers link="https://a.b/c?d=e&f">Ada</pers> <noisy-entities correction="x y">'
    )
    [graph] = good(line + " ky </noisy-entities>")
    assert graph.nodes[0].properties == (
        ("kind", "entity"),
        ("authority", "https://a.b/c?d=e&f"),
    )
    assert graph.nodes[1].properties == (("kind", "component"), ("correction", "x y"))
    assert [each.nodes for each in good(written(graph))] == [graph.nodes]


def test_items_are_lines_and_documents_files() -> None:
    records = [each for each in read_file(str(RADIO)) if isinstance(each, ReadGraph)]
    assert [(each.line, each.graph.id) for each in records] == [
        (1, "1"),
        (2, "2"),
        (4, "4"),
        (5, "5"),
    ]
    assert {each.graph.document for each in records} == {"radio"}


# Encodings.


def test_both_encodings_are_read_and_the_older_one_is_noted() -> None:
    text = "le \u20ac <func.ind> préfet </func.ind>\nl' été\n"
    modern, older = good(text), good(text.encode("iso-8859-15"))
    assert [each.text for each in modern] == [each.text for each in older]
    assert [each.nodes for each in modern] == [each.nodes for each in older]
    assert [each.extra for each in modern] == [{}, {}]
    assert [each.extra for each in older] == [{"encoding": "iso-8859-15"}] * 2


def test_a_file_has_one_encoding() -> None:
    modern, older = "été\n".encode(), "été\n".encode("iso-8859-15")
    assert problems(modern * 3 + older + b"a\n") == [
        "a.ne:4:1: found bytes that are not UTF-8, expected UTF-8, as before"
    ]
    assert problems(older * 3 + b"a " + modern) == [
        "a.ne:4:3: found bytes of UTF-8, expected ISO-8859-15, as before"
    ]
    assert len(good(modern * 2)) == len(good(older * 2)) == 2


def test_the_encoding_of_a_long_file_is_found_where_it_shows() -> None:
    lines = b"a\n" * (quaero.WINDOW_LINES + 5)
    older = "été\n".encode("iso-8859-15")
    assert good(lines + older)[-1].text == "été"
    assert problems(lines + older + "été".encode())


def test_other_encodings_are_refused() -> None:
    assert problems("l\u2019 été\n".encode("cp1252")) == [
        "a.ne:1:2: found the byte 0x92, which is not a letter, "
        "expected ISO-8859-15, as before"
    ]
    assert "a NUL byte" in problems("été\n".encode("utf-16"))[0]


# What is wrong.


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("<pers> Ada", ["1:1: found <pers>, expected </pers> in this line"]),
        ("Ada </pers>", ["1:5: found </pers>, expected no tag"]),
        (
            "<pers> <name> Ada </pers> </name>",
            ["1:19: found </pers>, expected </name>, or no tag"],
        ),
        (
            "é <pers> </pers> a",
            ["1:4: found <pers> around no words, expected the words of the entity"],
        ),
        (
            "<Turn startTime=1> a",
            [
                "1:1: found <Turn startTime=1>, expected an entity type or component "
                "of the inventory (--inventory)"
            ],
        ),
        ("a <pers.ind Ada", ["1:3: found '<pers.ind', expected a tag that ends in >"]),
        ("a pers> b", ["1:3: found 'pers>', expected a tag that begins with <"]),
        (
            '<pers kind="x"> a </pers b="c">',
            [
                '1:1: found <pers kind="x">, expected <pers>, or attributes such as '
                'link="..."',
                '1:19: found </pers b="c">, expected </pers>',
            ],
        ),
    ],
)
def test_a_bad_line_is_explained(line: str, found: list[str]) -> None:
    assert problems(line) == [f"a.ne:{each}" for each in found]


def test_all_problems_of_a_line_are_listed_and_the_others_are_read() -> None:
    data = "<b> x </b>\n<pers> a </name> </loc> <org> y\ngood\n"
    first, second, third = read(data)
    assert isinstance(first, Rejected)
    assert isinstance(second, Rejected)
    assert len(first.problems) == 2
    assert len(second.problems) == 4
    assert (second.line, second.item, second.framework) == (2, "2", "etree")
    assert second.raw == b"<pers> a </name> </loc> <org> y\n"
    assert isinstance(third, ReadGraph)
    assert third.graph.id == "3"


def test_columns_count_bytes_of_the_file() -> None:
    line = "été <pers>"
    assert problems(line) == ["a.ne:1:7: found <pers>, expected </pers> in this line"]
    assert "a.ne:1:5:" in problems(line.encode("iso-8859-15"))[0]


def test_lines_without_end_are_bounded() -> None:
    [record] = read(b"a" * (quaero.LONGEST_LINE + 5))
    assert isinstance(record, Rejected)
    assert len(record.raw) <= quaero.LONGEST_LINE
    assert "a line of more than" in str(record.problems[0])


def test_deep_trees_are_read_and_written() -> None:
    depth = 5000
    line = "<org> " * depth + "a" + " </org>" * depth + "\n"
    [graph] = good(line)
    assert len(graph.edges) == depth - 1
    assert written(graph) == line


# Recognition.


def test_a_file_without_tags_is_recognised_by_its_name(tmp_path: Path) -> None:
    for name, known in (("a.ne", True), ("a.ne.gz", True), ("a.txt", False)):
        path = tmp_path / name
        data = b"il fait beau\n"
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        found = CliRunner().invoke(cli, ["validate", str(path)])
        assert (found.exit_code == 0) is known, found.output
        assert ("no known format" in found.output) is not known


# Inventories.


def test_an_inventory_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "tags.toml"
    path.write_text('types = ["disease", "loc.adm"]\ncomponents = ["pers"]\n')
    inventory = read_inventory(str(path))
    assert inventory.kind_of("loc.adm.town") == "entity"
    assert inventory.kind_of("loc") is None
    [graph] = good("<disease.rare> <pers> a </pers> </disease.rare>", inventory)
    assert [kind_of(node) for node in graph.nodes] == ["entity", "component"]
    assert problems("<loc> a </loc>", inventory)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("types = [\n", ":1: found broken TOML: invalid value (at end of document)"),
        ("types = [a]\n", ":1:10: found broken TOML: "),
        ("types = []\ncomponents = []", ": types: found no names, expected one or"),
        ('types = ["a"]', ": components: found nothing, expected a list of names"),
        ('types = "a"\ncomponents = []', ": types: found 'a', expected a list of"),
        ('types = ["a", 1]\ncomponents = []', ": types[1]: found 1, expected the name"),
        ('types = ["a b"]\ncomponents = []', ": types[0]: found 'a b', expected the"),
        ('types = ["a"]\ncomponents = ["a"]', ": components: found 'a', which is a"),
        (
            'types = ["a"]\ncomponents = []\nx = 1',
            ": x: found an unknown key, expected",
        ),
    ],
)
def test_a_bad_inventory_is_explained(tmp_path: Path, text: str, found: str) -> None:
    path = tmp_path / "tags.toml"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read_inventory(str(path))
    assert str(caught.value).startswith(f"{path}{found}")


def test_an_inventory_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "tags.toml"
    path.write_bytes(b"types = []\n# \xff")
    with pytest.raises(InputError, match=r":2: found bytes that are not UTF-8"):
        read_inventory(str(path))
    with pytest.raises(InputError, match="cannot be read"):
        read_inventory(str(tmp_path))


def test_inventories_tell_two_readings_apart() -> None:
    one = Inventory(frozenset({"a"}), frozenset(), "x")
    assert ReaderOptions().identity != ReaderOptions(inventory=one).identity
    assert ReaderOptions(texts=None).identity == ""


def test_the_command_line_takes_inventories(tmp_path: Path) -> None:
    path, tags, store = tmp_path / "a.ne", tmp_path / "tags.toml", tmp_path / "s.db"
    path.write_text("<disease> <name> grippe </name> </disease>\n")
    tags.write_text('types = ["disease"]\ncomponents = ["name"]\n')
    run = CliRunner().invoke
    named = ["--format", "quaero"]
    done = run(cli, ["validate", str(path), *named])
    assert done.exit_code == 3
    assert "found <disease>" in done.output
    done = run(cli, ["validate", str(path), *named, "--inventory", str(tags)])
    assert done.exit_code == 0, done.output
    other = tmp_path / "other.toml"
    other.write_text('types = ["name"]\ncomponents = ["disease"]\n')
    command = ["ingest", str(store), str(path), "--as", "gold", *named, "--inventory"]
    show = ["show", "1", str(store), "--gold", "gold", "--system", "gold", "--table"]
    assert run(cli, [*command, str(tags)]).exit_code == 0
    assert "(entity)" in node_of(run(cli, show).output, "disease")
    same = run(cli, [*command, str(tags)])
    assert json.loads(same.stdout)[0]["unchanged"]
    assert run(cli, [*command, str(other)]).exit_code == 3
    assert run(cli, [*command, str(other), "--replace"]).exit_code == 0
    assert "(component)" in node_of(run(cli, show).output, "disease")


def node_of(output: str, label: str) -> str:
    """The row of the first node with that label."""
    return next(line for line in output.splitlines() if f" {label} " in line)


# Writing.


def test_an_entity_of_two_types_is_written_as_two() -> None:
    build = TreeBuilder()
    org = build.entity("org.adm", [Anchor(0, 5)], literal="loc.adm.town")
    build.component("name", [Anchor(0, 5)], parent=org)
    graph = build.graph("1", text="Paris", tokens=(Anchor(0, 5),))
    [again] = good(written(graph))
    assert [node.label for node in again.nodes] == ["org.adm", "loc.adm.town", "name"]
    assert [each.types for each in slots_of(again)] == [
        each.types for each in slots_of(graph)
    ]


def test_items_come_to_their_lines_unless_they_are_far() -> None:
    tokens = (Anchor(0, 1),)
    ids = ["3", "x", "5", "4", "2000", "99999999999999999999"]
    graphs = [Graph(each, "etree", 1, text="a", tokens=tokens) for each in ids]
    assert written(*graphs) == "a\na\na\na\na\na\n"
    apart = [Graph(each, "etree", 1, text="a", tokens=tokens) for each in "358"]
    assert written(*apart) == "a\n\na\n\n\na\n"
    assert [graph.id for graph in good(written(*apart))] == ["1", "3", "6"]
    assert [graph.id for graph in good("\n \n" + written(*apart))] == ["1", "3", "6"]


def broken(build: TreeBuilder, text: str = "a b c") -> Graph:
    tokens = tuple(Anchor(k, k + 1) for k in range(0, len(text), 2))
    return build.graph("1", text=text, tokens=tokens)


def test_what_cannot_be_said_is_refused() -> None:
    def refused(graph: Graph, match: str) -> None:
        with pytest.raises(GraphscoreError, match=match) as caught:
            written(graph)
        assert f"item {graph.id!r}" in str(caught.value)

    crossing = TreeBuilder()
    crossing.entity("a", [Anchor(0, 3)])
    crossing.entity("b", [Anchor(2, 5)])
    refused(broken(crossing), "a node 1 within 0")
    apart = TreeBuilder()
    top = apart.entity("a", [Anchor(0, 1)])
    apart.component("b", [Anchor(2, 3)], parent=top)
    refused(broken(apart), "outside of its entity|within None")
    within = TreeBuilder()
    within.entity("a", [Anchor(0, 5)])
    within.component("b", [Anchor(2, 3)])
    refused(broken(within), "within 0")
    named = TreeBuilder()
    named.entity("a b", [Anchor(0, 1)])
    refused(broken(named), "found <a b>")
    quoted = TreeBuilder()
    quoted.entity("org.adm", [Anchor(0, 1)], properties=(("x", 'say "'),))
    refused(broken(quoted), "or attributes such as link")
    for word in ("<pers>", "a b", "a\tb", "a\nb", "<x"):
        tokens = (Anchor(0, len(word)),)
        with_word = Graph("1", "etree", text=word, tokens=tokens)
        refused(with_word, "quaero cannot hold")
    tokens = (Anchor(0, 1),)
    bare = Graph(
        "1",
        "etree",
        text="a",
        tokens=tokens,
        nodes=(Node(0, "a", (), (Anchor(0, 1),)),),
    )
    refused(bare, "quaero cannot hold")
    with pytest.raises(GraphscoreError, match="of framework 'ner'"):
        written(Graph("1", "ner"))


# Properties.


class Piece(NamedTuple):
    """A node of a random tree, as its generator knows it."""

    name: str
    first: int
    end: int
    parent: int | None


WORDS = st.text(
    st.characters(codec="iso-8859-15", exclude_characters="<>", categories=("L", "S")),
    min_size=1,
    max_size=4,
)
TYPES = st.sampled_from(["pers.ind", "loc.adm.town", "org", "amount", "time.date.rel"])
COMPONENTS = st.sampled_from(["name", "name.first", "time-modifier", "val"])


@st.composite
def lines(draw: st.DrawFn) -> tuple[str, list[str], list[Piece]]:
    """A line, its words and its nodes."""
    words: list[str] = []
    pieces: list[Piece] = []
    text: list[str] = []

    def fill(scope: int | None, depth: int) -> None:
        for _ in range(draw(st.integers(1, 3))):
            blank = draw(st.sampled_from([" ", "  ", "\t"]))
            if depth == 3 or draw(st.booleans()):
                words.append(draw(WORDS))
                text.append(f" {words[-1]}{blank}")
                continue
            entity = draw(st.booleans())
            name = draw(TYPES if entity else COMPONENTS)
            number, first = len(pieces), len(words)
            pieces.append(Piece(name, first, first, scope))
            text.append(f"<{name}>")
            fill(number if entity else scope, depth + 1)
            text.append(f"</{name}>{draw(st.sampled_from(['', ' ']))}")
            pieces[number] = Piece(name, first, len(words), scope)

    fill(None, 0)
    return "".join(text), words, pieces


def is_utf_8(raw: bytes) -> bool:
    try:
        return bool(raw.decode() or True)
    except UnicodeDecodeError:
        return False


@given(lines(), st.sampled_from(["utf-8", "iso-8859-15"]))
def test_random_trees_are_read_as_they_were_made(
    made: tuple[str, list[str], list[Piece]], encoding: str
) -> None:
    text, words, pieces = made
    # A line that decides the encoding, whatever the words are.
    raw = text.encode(encoding)
    if encoding != "utf-8":
        assume(raw.isascii() or not is_utf_8(raw))
    *_, graph = good("déjà vu\n".encode(encoding) * 2 + raw)
    assert graph.text == " ".join(words)
    starts = [start for start, _ in graph.tokens]
    ends = [end for _, end in graph.tokens]
    parents = {edge.target: edge.source for edge in graph.edges}
    found = [
        Piece(
            str(node.label),
            starts.index(node.anchors[0].start),
            ends.index(node.anchors[0].end) + 1,
            parents.get(node.id),  # type: ignore[arg-type]
        )
        for node in graph.nodes
    ]
    assert found == pieces
    again = good("\n" + written(graph).lstrip("\n"))[0]
    assert (again.text, again.tokens) == (graph.text, graph.tokens)
    assert (again.nodes, again.edges) == (graph.nodes, graph.edges)


@given(lines())
def test_two_types_are_the_same_slots_again(
    made: tuple[str, list[str], list[Piece]],
) -> None:
    [graph] = good(made[0])
    build = TreeBuilder()
    parents = {edge.target: edge.source for edge in graph.edges}
    for node in graph.nodes:
        add = build.component
        more: dict[str, Any] = {}
        if kind_of(node) == ENTITY:
            add, more = build.entity, {"literal": "prod.art"}
        add(
            str(node.label),
            node.anchors,
            parent=parents.get(node.id),
            id=node.id,
            **more,
        )
    twice = build.graph("1", text=graph.text, tokens=graph.tokens)
    [again] = good(written(twice))
    entities = sum(kind_of(node) == ENTITY for node in twice.nodes)
    assert len(again.nodes) == len(twice.nodes) + entities
    assert all(first_of(node.properties, "literal") is None for node in again.nodes)


OVER = (
    b"dit <func.ind> <kind> maire </kind> de\n"
    b"<loc.adm.town> <name> Lyon </name>\n\n"
    b"</loc.adm.town> </func.ind> hier\nfin <name> ici </name>\n"
)


def test_an_entity_goes_over_line_ends() -> None:
    first, last = read(OVER)
    assert isinstance(first, ReadGraph)
    assert isinstance(last, ReadGraph)
    assert (first.line, first.graph.id, last.graph.id) == (1, "1", "5")
    assert first.graph.text == "dit maire de Lyon hier"
    places = [first.graph.text[a:b] for x in first.graph.nodes for a, b in x.anchors]
    assert places == ["maire de Lyon", "maire", "Lyon", "Lyon"]
    # One line, and those after it stay where they were.
    again = b"".join(quaero.write([first.graph, last.graph]))
    assert again.count(b"\n") == 5
    assert [x.graph for x in read(again)] == [  # type: ignore[union-attr]
        first.graph,
        last.graph,
    ]


@given(st.sets(st.integers(1, 11)))
def test_wherever_the_lines_end_the_trees_are_the_same(ends: set[int]) -> None:
    pieces = OVER.split()[:13]
    tagged = "".join(
        piece.decode() + ("\n" if k in ends else " ") for k, piece in enumerate(pieces)
    )
    whole = tagged.replace("\n", " ")
    [expected] = read(whole)
    found = read(tagged)
    assert all(isinstance(each, ReadGraph) for each in found)
    metric = "eter(words=document)"
    sides = [x.graph for x in found], [expected.graph]  # type: ignore[union-attr]
    assert score(*sides, metric).scores.numbers["errors"] == 0
    assert score(*sides, metric).scores.numbers["wer"] == 0


@pytest.mark.parametrize(
    ("data", "kinds"),
    [
        # Never closed; closed by a line that is bad; crossed.
        (b"<name> a\nb\nc\n", (Rejected, ReadGraph, ReadGraph)),
        (b"<name> a\n<b2> b </name>\nc\n", (Rejected, Rejected, ReadGraph)),
        (b"<name> a\n<kind> b </name> </kind>\nc\n", (Rejected, Rejected, ReadGraph)),
        (
            b"<name> a\n" + b"b\n" * 15 + b"</name> c\n",
            (Rejected, *[ReadGraph] * 15, Rejected),
        ),
        (b"<name> a\n" + b"b\n" * 14 + b"</name> c\n", (ReadGraph,)),
        (b"<name> a\n\xff\n</name>\n", (Rejected, Rejected, Rejected)),
    ],
)
def test_lines_are_not_joined_for_any_other_reason(
    data: bytes, kinds: tuple[type, ...]
) -> None:
    found = read(b"\xc3\xa9\n" + data)[1:]
    assert tuple(map(type, found)) == kinds
    if kinds[0] is Rejected:
        assert "</name> in this line" in str(found[0].problems[0])  # type: ignore[union-attr]
