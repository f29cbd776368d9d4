"""brat standoff: what is written is read again."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.exceptions import GraphscoreError
from graphscore.formats import ReadGraph, expand, read_file
from graphscore.formats.extraction.brat.write import lost, write
from graphscore.formats.registry import format_named
from graphscore.model.graph import Anchor, Graph, Node
from graphscore.structures import Argument, LayoutBuilder

FORMAT = format_named("brat")
TEXT = "Zoë 🙂 shot Max\nand Ann."
ZOE, SHOT, MAX, ANN = "0 3", "6 10", "11 14", "19 22"


def lines(*rows: str) -> bytes:
    return "".join(row.replace(" | ", "\t") + "\n" for row in rows).encode()


EVERYTHING = lines(
    f"T1 | PER {ZOE} | Zoë",
    f"T2 | PER {MAX} | Max",
    "T5 | PER 0 3;19 22 | Zoë Ann",
    f"T7 | PER {ANN} | Ann",
    f"T4 | Conflict:Attack {SHOT} | shot",
    "E1 | Conflict:Attack:T4 Attacker:T1 Target:T2 Target2:T5 Because:E3",
    "E3 | Life:T4 Victim:T2",
    "R2 | Heads Arg1:T1 Arg2:E1 Arg3:T2",
    "* | Alias T1 T2 E1",
    "R1 | Part-Whole:Geo Whole:T1",
    "* | Equiv T1 T5",
    "* | Equiv T7",
    "A1 | Old T1",
    "A2 | Level T1 very high",
    "N1 | Reference T1 Wikidata:Q42 | Zoë X.",
    "A3 | Negated E1",
    "A4 | Sure R2 no",
    "#1 | AnnotatorNotes T1 | who?",
    "# whatever it says",
)


def stored(folder: Path, ann: bytes, text: str = TEXT) -> list[Graph]:
    (folder / "doc.txt").write_text(text, encoding="utf-8", newline="")
    (folder / "doc.ann").write_bytes(ann)
    return found(folder)


def found(folder: Path) -> list[Graph]:
    records = [record for path in expand(str(folder)) for record in read_file(path)]
    graphs = [record.graph for record in records if isinstance(record, ReadGraph)]
    assert len(graphs) == len(records), records
    return graphs


def again(folder: Path, graphs: list[Graph]) -> list[Graph]:
    """The graphs as they are read when they were written."""
    (folder / "again").mkdir(exist_ok=True)
    for name, data in write(graphs):
        (folder / "again" / name).write_bytes(data)
    return found(folder / "again")


def test_everything_comes_back(tmp_path: Path) -> None:
    graphs = stored(tmp_path, EVERYTHING)
    written = dict(write(graphs))
    assert written["doc.txt"] == TEXT.encode()
    assert sorted(written["doc.ann"].splitlines()) == sorted(
        # Attributes are numbered in the order in which they are written.
        EVERYTHING.replace(b"A4\tSure R2 no", b"A5\tSure R2 no")
        .replace(b"A3\tNegated", b"A4\tNegated")
        .replace(b"A5\tSure", b"A4\tSure")
        .replace(b"A4\tNegated", b"A3\tNegated")
        .splitlines()
    )
    assert again(tmp_path, graphs) == graphs


def test_documents_are_files_of_their_own(tmp_path: Path) -> None:
    graphs = stored(tmp_path, EVERYTHING)
    (tmp_path / "none.ann").write_bytes(b"")
    (tmp_path / "none.txt").write_text("Nothing.")
    graphs = found(tmp_path)
    assert [name for name, _ in write(graphs)] == [
        "doc.ann",
        "doc.txt",
        "none.ann",
        "none.txt",
    ]
    assert again(tmp_path, graphs) == graphs


def test_a_trigger_that_is_a_mention_too_keeps_what_is_its_own(tmp_path: Path) -> None:
    ann = lines(
        f"T4 | Attack {SHOT} | shot",
        "E1 | Attack:T4 By:T4",
        "A1 | Loud T4",
        "A2 | Negated E1",
    )
    graphs = stored(tmp_path, ann)
    assert again(tmp_path, graphs) == graphs


def test_what_other_formats_say_gets_ids(tmp_path: Path) -> None:
    graphs = []
    for framework in ("ner", "event"):
        build = LayoutBuilder()
        zoe = build.mention("PER", [Anchor(0, 3)])
        again_zoe = build.mention("PER", [Anchor(0, 3)])
        if framework == "event":
            shot = [Argument("Target", zoe), Argument("Target", again_zoe)]
            build.trigger("Attack", [Anchor(6, 10)], shot)
        graphs.append(build.graph("doc", framework, document="doc", text=TEXT))
    ann = dict(write(graphs))["doc.ann"].decode().splitlines()
    assert sorted(ann) == [
        "E1\tAttack:T3 Target:T1 Target2:T2",
        "T1\tPER 0 3\tZoë",
        "T2\tPER 0 3\tZoë",
        "T3\tAttack 6 10\tshot",
    ]
    ner, relation, event, coref = again(tmp_path, graphs)
    assert [node.anchors for node in ner.nodes] == [(Anchor(0, 3),)] * 2
    assert [edge.label for edge in event.edges] == ["Target", "Target"]
    assert not coref.nodes
    assert len(relation.nodes) == 2


def test_mentions_without_types_have_those_of_the_entities() -> None:
    typed = Node(0, "PER", (("kind", "mention"),), (Anchor(0, 3),))
    ner = Graph("doc", "ner", 1, text=TEXT, nodes=(typed,))
    build = LayoutBuilder()
    build.entity([build.mention(None, [Anchor(0, 3)])])
    build.entity([])
    coref = build.graph("doc", "coref", text=TEXT)
    assert dict(write([ner, coref]))["doc.ann"] == lines(
        f"T1 | PER {ZOE} | Zoë", "* | Equiv T1"
    )
    assert lost(coref) == ("entities without mentions",)
    with pytest.raises(GraphscoreError, match="without a type in item 'doc'"):
        list(write([coref]))


def mention(label: Any = "PER", **more: Any) -> Graph:
    properties = (("kind", "mention"), *more.get("properties", ()))
    node = Node(0, label, properties, more.get("anchors", (Anchor(0, 3),)))
    text, extra = more.get("text", TEXT), more.get("extra", {})
    return Graph(more.get("id", "doc"), "ner", 1, text=text, nodes=(node,), extra=extra)


@pytest.mark.parametrize(
    ("graph", "problem"),
    [
        (mention("a b"), "'a b' as a type of node 0 in item 'doc', expected one word"),
        (mention(anchors=()), "no characters of node 0"),
        (mention(anchors=(Anchor(3, 3),)), "3:3 of node 0"),
        (mention(anchors=(Anchor(20, 40),)), "20:40 of node 0"),
        (mention(properties=(("Old one", True),)), "'Old one' as the property"),
        (mention(properties=(("Old", False),)), "False as the property 'Old'"),
        (mention(properties=(("Old", "a\tb"),)), "expected true or words"),
        (mention(extra={"notes": ["T1"]}), "a note 'T1'"),
        (mention(extra={"notes": ["#1\na"]}), "a note '#1"),
        (mention(id=""), "a document without an id"),
        (mention(text="\ufeffZoë"), "a text with a mark"),
        (Graph("1", "dm"), "brat holds ner, relation, event, coref"),
    ],
)
def test_what_cannot_be_said_is_an_error(graph: Graph, problem: str) -> None:
    with pytest.raises(GraphscoreError) as raised:
        list(write([graph]))
    assert problem in str(raised.value)


def test_roles_with_numbers_and_entities_as_arguments_cannot_be_said() -> None:
    build = LayoutBuilder()
    zoe = build.mention("PER", [Anchor(0, 3)])
    build.trigger("Attack", [Anchor(6, 10)], [Argument("Arg1", zoe)])
    with pytest.raises(GraphscoreError, match="a role 'Arg1' of an event"):
        list(write([build.graph("doc", "event", text=TEXT)]))
    build = LayoutBuilder()
    entity = build.entity([build.mention("PER", [Anchor(0, 3)])])
    build.relation("Heads", [Argument("Arg1", entity)])
    with pytest.raises(GraphscoreError, match="kind 'entity'"):
        list(write([build.graph("doc", "relation", text=TEXT)]))


def test_what_is_lost_is_named() -> None:
    graph = Graph("a", "ner", 1, "de", "b", text="x", tokens=(Anchor(0, 1),))
    assert lost(graph) == ("tokens", "the language", "the document")
    assert lost(mention()) == ()


NAMES = st.sampled_from(("T1", "T2", "T3", "T4"))


@given(st.data())
def test_any_document_comes_back(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    text = data.draw(st.text(st.sampled_from("ab é🙂\r\n"), min_size=4, max_size=20))
    text += "END"
    rows = [f"T9\tPER {len(text) - 3} {len(text)}\tEND"]
    for name in ("T1", "T2", "T3", "T4"):
        start = data.draw(st.integers(0, len(text) - 1))
        end = data.draw(st.integers(start + 1, len(text)))
        label = data.draw(st.sampled_from(("PER", "a:b", "Größe")))
        words = text[start:end].replace("\r", " ").replace("\n", " ")
        rows.append(f"{name}\t{label} {start} {end}\t{words}")
    events = data.draw(st.lists(st.tuples(NAMES, st.lists(NAMES)), max_size=3))
    for k, (trigger, arguments) in enumerate(events):
        named = "".join(f" Role{n}:{each}" for n, each in enumerate(arguments, 2))
        rows.append(f"E{k}\tKill:{trigger}{named}")
    for k, ends in enumerate(data.draw(st.lists(st.lists(NAMES, min_size=1)))):
        group = data.draw(st.sampled_from(("Equiv", "Alias", "")))
        roles = " ".join(f"Arg{n}:{each}" for n, each in enumerate(ends))
        members = " ".join(ends)
        rows.append(f"*\t{group} {members}" if group else f"R{k}\tHeads {roles}")
    folder = tmp_path_factory.mktemp("brat")
    graphs = stored(folder, "".join(f"{row}\n" for row in rows).encode(), text)
    assert again(folder, graphs) == graphs


def test_standard_input_has_no_text_beside_it() -> None:
    [record] = FORMAT.read(io.BytesIO(EVERYTHING), "<stdin>") if FORMAT.read else []
    assert not isinstance(record, ReadGraph)


# Two files of a document.

HALVES = format_named("bionlp")

GIVEN = lines(f"T1 | Protein {ZOE} | Zoë", f"T2 | Protein {MAX} | Max")
FOUND = lines(
    "* | Equiv T1 T2",
    f"T4 | Binding {SHOT} | shot",
    f"T5 | Binding {SHOT} | shot",
    f"T6 | Entity {ANN} | Ann",
    "E1 | Binding:T4 Theme:T1 Theme2:T2 Site2:T6",
    "E2 | Binding:T5 Theme2:T1 Theme:T2",
    "M1 | Negation E1",
)


def two_files(folder: Path) -> list[Graph]:
    (folder / "doc.txt").write_text(TEXT, encoding="utf-8", newline="")
    (folder / "doc.a1").write_bytes(GIVEN)
    (folder / "doc.a2").write_bytes(FOUND)
    return found(folder)


def test_what_is_given_is_a_file_of_its_own(tmp_path: Path) -> None:
    assert HALVES.files is not None
    files = dict(HALVES.files(two_files(tmp_path)))
    assert files == {"doc.a1": GIVEN, "doc.a2": FOUND, "doc.txt": TEXT.encode()}


def test_proteins_are_given_where_nothing_says_what_is(tmp_path: Path) -> None:
    assert HALVES.files is not None
    files = dict(HALVES.files(stored(tmp_path, GIVEN + FOUND)))
    assert files["doc.a1"] == GIVEN


def test_events_alone_say_what_is_equal_and_what_is_numbered(tmp_path: Path) -> None:
    assert HALVES.files is not None
    [event] = [each for each in two_files(tmp_path) if each.framework == "event"]
    for node in event.nodes:  # As from another program, without what the file kept.
        assert node.id
    bare = msgspec.structs.replace(
        event,
        edges=tuple(msgspec.structs.replace(e, extra=()) for e in event.edges),
    )
    files = dict(HALVES.files([bare]))
    assert files["doc.a1"] == GIVEN
    assert files["doc.a2"] == FOUND


def test_one_file_says_the_same_of_events(tmp_path: Path) -> None:
    graphs = two_files(tmp_path)
    (tmp_path / "one").mkdir()
    for name, data in write(graphs):
        (tmp_path / "one" / name).write_bytes(data)
    again = found(tmp_path / "one")
    assert "given" not in str(again)
    assert [each for each in again if each.framework != "event"] == [
        each for each in graphs if each.framework != "event"
    ]
    assert [len(each.nodes) for each in again] == [len(each.nodes) for each in graphs]
