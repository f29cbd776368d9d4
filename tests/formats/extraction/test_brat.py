"""brat standoff: annotations beside their text."""

from __future__ import annotations

import gzip
import io
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import graphscore
from graphscore.cli.main import cli
from graphscore.evaluation.store import Store
from graphscore.exceptions import InputError
from graphscore.formats import ReaderOptions, ReadGraph, Rejected, expand, read_file
from graphscore.formats.base import Record
from graphscore.formats.discovery import gather
from graphscore.formats.extraction.brat import LONGEST_LINE
from graphscore.formats.extraction.brat import lines as beside
from graphscore.formats.extraction.brat.lines import countings, text_paths
from graphscore.formats.registry import format_named
from graphscore.model.graph import Anchor, Graph
from graphscore.structures import kind_of
from graphscore.structures.layout import first_of
from tests.conftest import DATA

FORMAT = format_named("brat")

TEXT = "Zoë 🙂 shot Max\nand Ann."
ZOE, SHOT, MAX, ANN = "0 3", "6 10", "11 14", "19 22"


def lines(*rows: str) -> bytes:
    return "".join(row.replace(" | ", "\t") + "\n" for row in rows).encode()


ATTACK = lines(
    f"T1 | PER {ZOE} | Zoë",
    f"T2 | PER {MAX} | Max",
    f"T3 | PER {ANN} | Ann",
    f"T4 | Attack {SHOT} | shot",
    "E1 | Attack:T4 Attacker:T1 Target:T2 Target2:T3",
)


def read(folder: Path, ann: bytes, text: str | bytes = TEXT) -> list[Record]:
    raw = text.encode() if isinstance(text, str) else text
    (folder / "doc.txt").write_bytes(raw)
    (folder / "doc.ann").write_bytes(ann)
    return list(FORMAT.read(io.BytesIO(ann), str(folder / "doc.ann")))


def good(folder: Path, ann: bytes, text: str | bytes = TEXT) -> dict[str, Graph]:
    records = read(folder, ann, text)
    graphs = [each.graph for each in records if isinstance(each, ReadGraph)]
    assert len(graphs) == len(records), records
    return {graph.framework: graph for graph in graphs}


def problems(folder: Path, ann: bytes, text: str | bytes = TEXT) -> list[str]:
    return [
        str(each).removeprefix(f"{folder}/")
        for record in read(folder, ann, text)
        for each in (
            record.problems if isinstance(record, Rejected) else record.left_out
        )
    ]


def nodes(graph: Graph) -> list[tuple[Any, ...]]:
    return [(node.id, kind_of(node), node.label, node.anchors) for node in graph.nodes]


def edges(graph: Graph) -> list[tuple[Any, ...]]:
    return [(edge.source, edge.label, edge.target) for edge in graph.edges]


# What is read.


def test_a_document_gives_four_layers(tmp_path: Path) -> None:
    found = good(tmp_path, ATTACK)
    assert list(found) == ["ner", "relation", "event", "coref"]
    for graph in found.values():
        assert (graph.id, graph.document, graph.flavor) == ("doc", "doc", 1)
        assert (graph.text, graph.tops) == (TEXT, ())


def test_triggers_are_no_mentions(tmp_path: Path) -> None:
    found = good(tmp_path, ATTACK)
    people = [
        ("T1", "mention", "PER", (Anchor(0, 3),)),
        ("T2", "mention", "PER", (Anchor(11, 14),)),
        ("T3", "mention", "PER", (Anchor(19, 22),)),
    ]
    assert nodes(found["ner"]) == nodes(found["relation"]) == people
    assert nodes(found["event"]) == [
        *people,
        ("E1", "trigger", "Attack", (Anchor(6, 10),)),
    ]
    assert nodes(found["coref"]) == []


def test_digits_that_tell_fillers_apart_are_no_part_of_a_role(tmp_path: Path) -> None:
    graph = good(tmp_path, ATTACK)["event"]
    assert edges(graph) == [
        ("E1", "Attacker", "T1"),
        ("E1", "Target", "T2"),
        ("E1", "Target", "T3"),
    ]
    assert [edge.extra for edge in graph.edges] == [(), (), (("role", "Target2"),)]


def test_an_event_of_another_type_than_its_trigger_keeps_both(tmp_path: Path) -> None:
    ann = lines(f"T4 | Die {SHOT} | shot", "E1 | Life:Attack:T4")
    [node] = good(tmp_path, ann)["event"].nodes
    assert node.label == "Life:Attack"
    assert node.extra == (("trigger", "T4"), ("trigger_type", "Die"))


def test_events_may_share_a_trigger_and_be_nested(tmp_path: Path) -> None:
    ann = lines(
        "E2 | Cause:T4 Theme:E1 Site:T1",
        "E1 | Cause:T4",
        f"T1 | PER {ZOE} | Zoë",
        f"T4 | Cause {SHOT} | shot",
    )
    graph = good(tmp_path, ann)["event"]
    assert [node.id for node in graph.nodes] == ["T1", "E2", "E1"]
    assert graph.nodes[1].anchors == graph.nodes[2].anchors == (Anchor(6, 10),)
    assert edges(graph) == [("E2", "Theme", "E1"), ("E2", "Site", "T1")]


def test_a_trigger_that_is_named_like_a_mention_is_one_there(tmp_path: Path) -> None:
    ann = lines(
        f"T4 | Attack {SHOT} | shot",
        f"T1 | PER {ZOE} | Zoë",
        "E1 | Attack:T4",
        "R1 | Heads Arg1:T4 Arg2:T1",
    )
    found = good(tmp_path, ann)
    assert [node.id for node in found["ner"].nodes] == ["T1"]
    assert [node.id for node in found["event"].nodes] == ["T1", "E1"]
    assert [node.id for node in found["relation"].nodes] == ["T1", "T4", "R1"]


def test_relations_have_any_number_of_arguments_events_among_them(
    tmp_path: Path,
) -> None:
    ann = ATTACK + lines(
        "R1 | Because Arg1:T1 Arg2:E1 Arg3:T2 | ", "R2 | Alone Whole:T1"
    )
    graph = good(tmp_path, ann)["relation"]
    assert nodes(graph)[3:] == [
        ("E1", "trigger", "Attack", (Anchor(6, 10),)),
        ("R1", "relation", "Because", ()),
        ("R2", "relation", "Alone", ()),
    ]
    assert edges(graph) == [
        ("R1", "Arg1", "T1"),
        ("R1", "Arg2", "E1"),
        ("R1", "Arg3", "T2"),
        ("R2", "Whole", "T1"),
    ]


def test_other_groups_are_relations_in_which_all_are_alike(tmp_path: Path) -> None:
    rows = ("* | Alias T1 T3 E1", "R1 | Heads Arg1:T1 Arg2:T2", "* | Same T2")
    graphs = good(tmp_path, ATTACK + lines(*rows))
    assert not graphs["coref"].nodes
    graph = graphs["relation"]
    relations = [node for node in graph.nodes if kind_of(node) == "relation"]
    assert [(node.id, node.label) for node in relations] == [
        ("*1", "Alias"),
        ("R1", "Heads"),
        ("*2", "Same"),
    ]
    assert [each for each in edges(graph) if each[0] != "R1"] == [
        ("*1", "Arg", "T1"),
        ("*1", "Arg", "T3"),
        ("*1", "Arg", "E1"),
        ("*2", "Arg", "T2"),
    ]
    # In whatever order they stand, it is the same relation.
    (tmp_path / "other").mkdir()
    turned = lines("* | Alias T3 E1 T1", *rows[1:])
    other = good(tmp_path / "other", ATTACK + turned)["relation"]
    assert graphscore.score([graph], [other], "relation").f1 == 1


# Two files of a document.


GIVEN = lines(f"T1 | PER {ZOE} | Zoë", f"T2 | PER {MAX} | Max", "* | Equiv T1 T2")
FOUND = lines(f"T4 | Attack {SHOT} | shot", "E1 | Attack:T4 Target:T2", "M1 | Sure E1")


def halves(
    folder: Path, given: bytes | None = GIVEN, found: bytes | None = FOUND
) -> Path:
    (folder / "doc.txt").write_bytes(TEXT.encode())
    for ending, data in ((".a1", given), (".a2", found)):
        if data is not None:
            (folder / f"doc{ending}").write_bytes(data)
    return folder


def test_two_files_are_one_document_whichever_is_named(tmp_path: Path) -> None:
    halves(tmp_path)
    assert expand(str(tmp_path)) == [str(tmp_path / "doc.a1")]
    assert expand(f"{tmp_path}/*.a2") == [str(tmp_path / "doc.a2")]
    one, two = (
        [record for record in read_file(str(tmp_path / name))]
        for name in ("doc.a1", "doc.a2")
    )
    assert one == two
    whole = good(tmp_path, GIVEN + FOUND)
    found = [each.graph for each in one if isinstance(each, ReadGraph)]
    assert [*map(without_given, found)] == [*whole.values()]
    [event] = [each for each in found if each.framework == "event"]
    assert [first_of(node.properties, "given") for node in event.nodes] == [
        *("T1", "T2", None)
    ]


def without_given(graph: Graph) -> Graph:
    """A graph that does not say what was given."""
    return msgspec.structs.replace(
        graph,
        nodes=tuple(
            msgspec.structs.replace(
                node,
                properties=tuple(p for p in node.properties if p[0] != "given"),
            )
            for node in graph.nodes
        ),
    )


def test_without_what_was_found_there_are_no_events(tmp_path: Path) -> None:
    halves(tmp_path, found=None)
    records = [*read_file(str(tmp_path / "doc.a1"))]
    graphs = {r.graph.framework: r.graph for r in records if isinstance(r, ReadGraph)}
    assert [kind_of(node) for node in graphs["event"].nodes] == ["mention"] * 2
    assert [node.id for node in graphs["ner"].nodes] == ["T1", "T2"]
    assert len(graphs["coref"].nodes) == 3


def test_problems_of_two_files_name_the_file_and_its_line(tmp_path: Path) -> None:
    found = FOUND + lines("E2 | Attack:T9", "E1 | Attack:T4", f"T1 | PER {ANN} | Ann")
    halves(tmp_path, found=found + b"\xff\n")
    [record] = read_file(str(tmp_path / "doc.a1"), ReaderOptions(format="brat"))
    assert isinstance(record, Rejected)
    assert [str(each).removeprefix(f"{tmp_path}/") for each in record.problems] == [
        "doc.a2:4:11: E2: found 'T9', expected the id of a line with T",
        "doc.a2:5:1: E1: found 'E1', expected an id of its own "
        f"(it is that of {tmp_path}/doc.a2:2)",
        "doc.a2:6:1: T1: found 'T1', expected an id of its own "
        f"(it is that of {tmp_path}/doc.a1:1)",
        "doc.a2:7:1: found bytes that are not UTF-8, expected UTF-8 text",
    ]


def test_what_was_found_alone_lacks_what_it_refers_to(tmp_path: Path) -> None:
    halves(tmp_path, given=None)
    found = {
        record.framework: record
        for record in read_file(str(tmp_path / "doc.a2"))
        if isinstance(record, Rejected)
    }
    [problem] = found.pop("event").problems
    assert "found 'T2', expected the id of a line with T or E" in str(problem)
    assert not found


def test_two_files_are_told_apart_from_older_ones_in_a_store(tmp_path: Path) -> None:
    halves(tmp_path)
    with Store(str(tmp_path / "runs.db"), mode="create") as store:
        operand = str(tmp_path / "doc.a1")
        store.ingest(operand, "gold")
        assert [r.unchanged for r in store.ingest(operand, "gold")] == [True]
        (tmp_path / "doc.a2").write_bytes(b"")
        changed = store.ingest(operand, "gold", replace=True)
        assert [report.unchanged for report in changed] == [False]


def test_equivalences_are_entities(tmp_path: Path) -> None:
    graph = good(tmp_path, ATTACK + lines("* | Equiv T1 T3", "* | Equiv T2"))["coref"]
    assert [(node.id, kind_of(node)) for node in graph.nodes] == [
        ("T1", "mention"),
        ("T2", "mention"),
        ("T3", "mention"),
        (0, "entity"),
        (1, "entity"),
    ]
    assert edges(graph) == [
        (0, "mention", "T1"),
        (0, "mention", "T3"),
        (1, "mention", "T2"),
    ]


def test_mentions_may_be_discontinuous_and_nested(tmp_path: Path) -> None:
    ann = lines(
        "T1 | PER 11 14;19 22 | Max Ann",
        "T2 | PER 11 22 | Max and Ann",
        f"T3 | PER {MAX} | Max",
    )
    found = good(tmp_path, ann)["ner"]
    assert [node.anchors for node in found.nodes] == [
        (Anchor(11, 14), Anchor(19, 22)),
        (Anchor(11, 22),),
        (Anchor(11, 14),),
    ]


def test_attributes_and_entries_become_properties(tmp_path: Path) -> None:
    ann = ATTACK + lines(
        "A1 | Mention T1 NAM",
        "M1 | Negated E1",
        "A2 | Certainty E1 very  low ",
        "N1 | Reference T1 Wikidata:Q1 | Zoë",
        "N2 | Reference Annotation:T2 Referent:GO:7",
        "N3 | Reference Referent:GO:8 Annotation:T2",
        "R1 | Heads Arg1:T1 Arg2:T2",
        "A3 | Sure R1",
        "A4 | Old T4",
    )
    found = good(tmp_path, ann)
    zoe, mx, _ = found["ner"].nodes
    assert zoe.properties == (
        ("kind", "mention"),
        ("Mention", "NAM"),
        ("normalization", "Wikidata:Q1"),
    )
    assert zoe.extra == (("titles", {"Wikidata:Q1": "Zoë"}),)
    assert mx.properties[1:] == (("normalization", "GO:7"), ("normalization", "GO:8"))
    assert found["event"].nodes[-1].properties == (
        ("kind", "trigger"),
        ("Negated", True),
        ("Certainty", "very  low"),
        ("Old", True),
    )
    assert found["relation"].nodes[-1].properties[1:] == (("Sure", True),)


def test_notes_are_kept(tmp_path: Path) -> None:
    ann = ATTACK + lines("#1 | AnnotatorNotes T9 | no such", "# anything")
    assert good(tmp_path, ann)["ner"].extra == {
        "notes": ["#1\tAnnotatorNotes T9\tno such", "# anything"]
    }


# Text files.

WINDOWS = "One two\r\nthree\r\nfour five"


def spans(folder: Path, ann: bytes, text: str | bytes) -> list[str]:
    graph = good(folder, ann, text)["ner"]
    return [graph.text[slice(*node.anchors[0])] for node in graph.nodes]


def test_line_ends_of_two_characters_may_count_as_one_or_two(tmp_path: Path) -> None:
    words = ["two", "three", "four"]
    for positions in (["4 7", "9 14", "16 20"], ["4 7", "8 13", "14 18"]):
        rows = [
            f"T{k} | X {place} | {word}"
            for k, (place, word) in enumerate(zip(positions, words, strict=True))
        ]
        assert spans(tmp_path, lines(*rows), WINDOWS) == words
        assert good(tmp_path, lines(*rows), WINDOWS)["ner"].text == WINDOWS


def test_a_mark_may_count_as_a_character_or_not(tmp_path: Path) -> None:
    marked = b"\xef\xbb\xbf" + "Zoë shot".encode()
    for place in ("4 8", "5 9"):
        ann = b"\xef\xbb\xbf" + lines(f"T1 | X {place} | shot")
        assert spans(tmp_path, ann, marked) == ["shot"]
        assert good(tmp_path, ann, marked)["ner"].text == "Zoë shot"


def test_a_line_end_within_a_mention_is_a_blank_in_its_words(tmp_path: Path) -> None:
    assert spans(tmp_path, lines("T1 | X 11 18 | Max and"), TEXT) == ["Max\nand"]
    ann = lines("T1 | X 4 13 | two three")
    assert spans(tmp_path, ann, WINDOWS) == ["two\r\nthree"]


def test_the_text_may_be_compressed(tmp_path: Path) -> None:
    (tmp_path / "doc.txt.gz").write_bytes(gzip.compress(TEXT.encode()))
    path = tmp_path / "doc.ann.gz"
    path.write_bytes(gzip.compress(ATTACK))
    first = next(read_file(str(path)))
    assert isinstance(first, ReadGraph)
    assert (first.graph.id, first.graph.text) == ("doc", TEXT)


# Files and folders.


def test_the_bundled_documents_are_read_as_a_folder() -> None:
    folder = str(DATA / "ie" / "brat")
    assert [Path(path).name for path in expand(folder)] == ["acme.ann", "quiet.ann"]
    found = [record for path in expand(folder) for record in read_file(path)]
    assert [(each.graph.id, each.graph.framework) for each in found
            if isinstance(each, ReadGraph)] == [
        (item, layer)
        for item in ("acme", "quiet")
        for layer in ("ner", "relation", "event", "coref")
    ]  # fmt: skip


def test_texts_and_settings_beside_annotations_are_not_read_alone(
    tmp_path: Path,
) -> None:
    read(tmp_path, ATTACK)
    (tmp_path / "annotation.conf").write_text("[entities]\nPER\n")
    (tmp_path / "other.txt").write_text("not beside anything")
    names = [Path(path).name for path in expand(str(tmp_path))]
    assert names == ["doc.ann", "other.txt"]
    assert expand(str(tmp_path / "doc.*")) == [str(tmp_path / "doc.ann")]
    assert expand(str(tmp_path / "doc.txt")) == [str(tmp_path / "doc.txt")]
    assert expand(str(tmp_path / "*.txt")) == [
        str(tmp_path / "doc.txt"),
        str(tmp_path / "other.txt"),
    ]


def test_a_system_is_scored_against_a_folder(tmp_path: Path) -> None:
    for side in ("gold", "system"):
        (tmp_path / side).mkdir()
        read(tmp_path / side, ATTACK)
    (tmp_path / "gold" / "none.ann").write_bytes(b"")
    (tmp_path / "gold" / "none.txt").write_text("Nothing here.")
    (tmp_path / "system" / "none.txt").write_text("Nothing here.")
    (tmp_path / "system" / "none.ann").write_bytes(lines("T1 | X 0 7 | Nothing"))
    sides = str(tmp_path / "gold"), str(tmp_path / "system")
    layers = ["ner", "relation", "event", "coref"]
    result = graphscore.score(*sides, "mrp", framework=layers)
    # What is found where gold has nothing is paired, and spurious.
    assert (result.pairs, result.missing_system) == (8, 0)
    assert result.spurious_system == []
    assert result.f1 < 1


def test_equal_annotations_of_two_documents_are_two_documents_in_a_store(
    tmp_path: Path,
) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.ann").write_bytes(b"")
        (tmp_path / f"{name}.txt").write_text("Same text.")
    with Store(str(tmp_path / "runs.db"), mode="create") as store:
        first = store.ingest(str(tmp_path / "*.ann"), "gold")
        assert [report.graphs for report in first] == [4, 4]
        again = store.ingest(str(tmp_path / "*.ann"), "gold")
        assert all(report.unchanged for report in again)
        (tmp_path / "one.txt").write_text("Other text.")
        changed = store.ingest(str(tmp_path / "*.ann"), "gold", replace=True)
        assert [report.unchanged for report in changed] == [False, True]


def test_annotations_without_a_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "doc.ann"
    path.write_bytes(ATTACK)
    [record] = read_file(str(path))
    assert isinstance(record, Rejected)
    assert (record.item, record.framework) == ("doc", "")
    [problem] = record.problems
    assert str(problem._replace(guess="")) == (
        f"{path}: found no text beside it, expected {tmp_path}/doc.txt"
    )
    assert text_paths(str(path))[0] == f"{tmp_path}/doc.txt"


def test_annotations_from_standard_input_have_no_text_beside_them() -> None:
    [record] = FORMAT.read(io.BytesIO(ATTACK), "<stdin>")
    assert isinstance(record, Rejected)
    assert str(record.problems[0]) == (
        "<stdin>: found annotations without a place, "
        "expected a file with its text beside it"
    )


def test_texts_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    assert problems(tmp_path, b"", b"One\ntw\xff") == [
        "doc.txt:2:3: found bytes that are not UTF-8, expected UTF-8 text"
    ]
    (tmp_path / "doc.txt").unlink()
    (tmp_path / "doc.txt.gz").write_bytes(b"no")
    [record] = FORMAT.read(io.BytesIO(b""), str(tmp_path / "doc.ann"))
    assert isinstance(record, Rejected)
    assert "damaged" in str(record.problems[0])


# What is wrong.


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("X1 | what", "1:1: found 'X1', expected a line that begins with T, E, R, A"),
        ("1 | what", "1:1: found '1', expected a line that begins with"),
        ("T | PER 0 3 | Zoë", "1:1: found 'T', expected an id such as T1, a tab"),
        ("T1 PER 0 3 Zoë", "1:1: found 'T1 PER 0 3 Zoë', expected an id such as T1"),
        ("T1", "1:3: T1: found nothing, expected a type and offsets"),
        ("T1 | PER", "1:4: T1: found PER, expected a type and offsets, as in PER 0 5"),
        ("T1 | PER 0 3", "1:11: T1: found no third column, expected a tab and the"),
        ("T1 | PER a b | Zoë", "1:8: T1: found 'a b', expected two offsets"),
        ("T1 | PER 0 3;x 5 | Zoë", "1:12: T1: found 'x 5', expected two offsets"),
        ("T1 | PER 0 3; | Zoë", "1:12: T1: found '', expected two offsets"),
        ("T1 | PER 0 3 4 | Zoë", "1:8: T1: found '0 3 4', expected two offsets"),
        ("T1 | PER -1 3 | Zoë", "1:8: T1: found -1 3, expected a range from a small"),
        ("T1 | PER 3 3 | Zoë", "1:8: T1: found 3 3, expected a range from a smaller"),
        ("T1 | PER 3 0 | Zoë", "1:8: T1: found 3 0, expected a range from a smaller"),
        (f"T1 | PER 0 {'9' * 30} | Zoë", "expected two offsets"),
        ("T1 | PER 0 99 | Zoë", "1:8: T1: found 0 99, expected a range within 23 char"),
        ("T1 | ÖR 0 3;9 99 | Z", "1:12: T1: found 9 99, expected a range within 23"),
        ("T1 | ÖR 0 3 | Zoe", "1:12: T1: found 'Zoe', expected 'Zoë' as in the text"),
        ("E1 | ", "1:4: E1: found nothing, expected a type and a trigger"),
        ("E1 | Attack", "1:4: E1: found 'Attack', expected a type and a trigger, as"),
        ("E1 | Attack:", "1:4: E1: found 'Attack:', expected a type and a trigger"),
        ("E1 | :T1", "1:4: E1: found ':T1', expected a type and a trigger"),
        ("E1 | A:T1 Agent", "1:9: E1: found 'Agent', expected a role and an id, as in"),
        ("E1 | A:T9", "1:6: E1: found 'T9', expected the id of a line with T"),
        ("R1 | Heads", "1:4: R1: found Heads, expected a type and arguments, as in He"),
        (
            "R1 | Heads T1",
            "1:10: R1: found 'T1', expected a role and an id, as in Arg1",
        ),
        (
            "R1 | Heads Arg1:T9",
            "1:15: R1: found 'T9', expected the id of a line",
        ),
        (
            "R1 | Heads Arg1:R1",
            "1:15: R1: found 'R1' (line 1), expected the id of a li",
        ),
        (
            "* | Equiv",
            "1:3: *: found Equiv, expected a type and ids, as in Equiv T1 T2",
        ),
        ("* | Same", "1:3: *: found Same, expected a type and ids, as in Equiv T1"),
        ("* | Same T9", "1:8: *: found 'T9', expected the id of a line with T or E"),
        ("* | Equiv T9", "1:9: *: found 'T9', expected the id of a line with T"),
        ("*1 | Equiv T9", "1:1: found '*1', expected a line that begins with"),
        ("A1 | Negated", "1:4: A1: found Negated, expected a name and an id, as in"),
        (
            "A1 | Negated T9",
            "1:12: A1: found 'T9', expected the id of a line with T or",
        ),
        ("A1 | Negated A1", "1:12: A1: found 'A1' (line 1), expected the id of a line"),
        ("M1 | Negated E9", "1:12: M1: found 'E9', expected the id of a line with T"),
        ("A1 | Sure R9", "1:9: A1: found 'R9', expected the id of a line with T or E"),
        ("N1 | Reference T1", "1:4: N1: found Reference T1, expected Reference, an id"),
        ("N1 | Reference T9 a:b", "1:14: N1: found 'T9', expected the id of a line"),
        ("N1 | Reference T9 a:b c", "1:21: N1: found 'c', expected a tab, or the end"),
    ],
)
def test_a_problem_names_line_column_and_what_was_expected(
    tmp_path: Path, row: str, problem: str
) -> None:
    [found] = problems(tmp_path, lines(row))
    assert found.startswith("doc.ann:1:")
    assert problem in found


def test_an_endless_line_is_refused(tmp_path: Path) -> None:
    [found] = problems(tmp_path, b"T1\tPER 0 3\t" + b"x" * (LONGEST_LINE + 5) + b"\n")
    assert "a line of more than 16,777,216 bytes" in found


@pytest.mark.parametrize("row", ATTACK.decode().splitlines())
def test_an_id_twice_is_refused(tmp_path: Path, row: str) -> None:
    number = ATTACK.decode().splitlines().index(row) + 1
    name = row.split("\t")[0]
    assert problems(tmp_path, ATTACK + row.encode()) == [
        f"doc.ann:6:1: {name}: found {name!r}, expected an id of its own "
        f"(it is that of line {number})"
    ]


def test_an_event_that_leads_back_to_itself_is_refused(tmp_path: Path) -> None:
    start = lines(f"T4 | Attack {SHOT} | shot", "E9 | Attack:T4 Cause:E1")
    assert problems(tmp_path, start + lines("E1 | Attack:T4 Theme:E1")) == [
        "doc.ann:3:20: E1: found 'E1', expected an event that it is no argument of"
    ]
    ring = start + lines(
        "E1 | Attack:T4 Theme:E2 Site:E3",
        "E2 | Attack:T4 Theme:E3",
        "E3 | Attack:T4 Theme:E1",
    )
    assert problems(tmp_path, ring) == [
        "doc.ann:5:20: E3: found 'E1', expected an event that it is no argument of"
    ]
    diamond = ring.replace(b"Attack:T4 Theme:E1", b"Attack:T4")
    assert problems(tmp_path, diamond) == []


def test_a_long_chain_of_events_is_no_problem(tmp_path: Path) -> None:
    chain = [f"E{k} | Attack:T4 Theme:E{k + 1}" for k in range(1, 5000)]
    ann = lines(f"T4 | Attack {SHOT} | shot", *chain, "E5000 | Attack:T4")
    assert len(good(tmp_path, ann)["event"].edges) == 4999


def layers(records: list[Record]) -> dict[str, bool]:
    return {
        each.graph.framework
        if isinstance(each, ReadGraph)
        else each.framework: isinstance(each, ReadGraph)
        for each in records
    }


@pytest.mark.parametrize(
    ("row", "lost"),
    [
        ("E2 | Attack:T4 Agent:T9", {"event"}),
        ("E2 | Attack:T9", {"event"}),
    ],
)
def test_a_problem_of_events_costs_their_layer(
    tmp_path: Path, row: str, lost: set[str]
) -> None:
    found = layers(read(tmp_path, ATTACK + lines(row)))
    assert {layer for layer, whole in found.items() if not whole} == lost
    assert len(found) == 4


@pytest.mark.parametrize(
    ("row", "lost"),
    [
        ("R1 | Heads Arg1:T9", {"relation"}),
        ("R1 | Heads", {"relation"}),
        ("A1 | Negated E7", {"event"}),
        ("A1 | Sure R7", {"relation"}),
        ("A1 | Sure T7", {"ner"}),
        ("A1 | Sure", {"ner"}),
        ("N1 | Reference T1", {"ner"}),
        ("* | Equiv T9", {"coref"}),
        ("* | Equiv", {"coref"}),
        ("* | Alias T9", {"relation"}),
        ("* | Alias", {"relation"}),
    ],
)
def test_a_problem_costs_only_its_line(
    tmp_path: Path, row: str, lost: set[str]
) -> None:
    rest = lines("R8 | Heads Arg1:T1 Arg2:T2", "* | Equiv T1 T2", "A8 | Old E1")
    found = read(tmp_path, ATTACK + lines(row) + rest)
    assert {
        r.graph.framework for r in found if isinstance(r, ReadGraph) and r.left_out
    } == (lost)
    whole = good(tmp_path, ATTACK + rest)
    assert {
        r.graph.framework: r.graph for r in found if isinstance(r, ReadGraph)
    } == whole


def test_what_is_said_of_a_relation_that_is_left_out_goes_with_it(
    tmp_path: Path,
) -> None:
    rows = (
        "R1 | Heads Arg1:T9",
        "A1 | Sure R1",
        "R2 | Heads Arg1:T1",
        "R2 | X Arg1:T1",
    )
    assert problems(tmp_path, ATTACK + lines(*rows)) == [
        "doc.ann:9:1: R2: found 'R2', expected an id of its own (it is that of line 8)",
        "doc.ann:6:15: R1: found 'T9', expected the id of a line with T or E",
    ]


def test_layers_that_nothing_scores_may_be_bad_in_gold(tmp_path: Path) -> None:
    read(tmp_path, ATTACK + lines("R1 | Heads Arg1:T9", "E2 | Attack:T9"))
    both = str(tmp_path), str(tmp_path)
    result = graphscore.score(*both, "ner")
    assert (result.f1, result.rejected_records) == (1, 0)
    assert result.notes[0] == (
        f"{tmp_path}: 2 problems in layers that nothing here scores, first "
        f"{tmp_path}/doc.ann:7:11: E2: found 'T9', expected the id of a line with T"
    )
    for metric in ("relation", "trigger"):
        with pytest.raises(InputError, match="the gold side cannot be used"):
            graphscore.score(*both, metric)


def test_a_relation_to_an_event_without_its_trigger_is_lost_with_it(
    tmp_path: Path,
) -> None:
    ann = ATTACK + lines("E2 | Attack:T9", "R1 | Because Arg1:E2")
    records = read(tmp_path, ann)
    assert layers(records) == {
        "ner": True,
        "relation": True,
        "event": False,
        "coref": True,
    }
    [problem] = [p for r in records if isinstance(r, ReadGraph) for p in r.left_out]
    assert problem.where == "R1"


@pytest.mark.parametrize("row", ["T9 | PER 9", "E2 | Attack", "T9 | X", "X"])
def test_what_mentions_depend_on_costs_the_document(tmp_path: Path, row: str) -> None:
    [record] = read(tmp_path, ATTACK + lines(row, "R1 | Heads Arg1:T77"))
    assert isinstance(record, Rejected)
    assert (record.framework, record.item) == ("", "doc")
    assert [problem.line for problem in record.problems] == [6, 7]
    assert record.raw.startswith(ATTACK)


def test_what_refers_to_a_bad_line_is_not_a_second_problem(tmp_path: Path) -> None:
    ann = lines(
        "T1 | PER 3 0 | Zoë", "R1 | Heads Arg1:T1", "A1 | Old T1", "* | Equiv T1"
    )
    assert len(problems(tmp_path, ann)) == 1


# Everything.


@st.composite
def documents(draw: st.DrawFn) -> tuple[str, list[tuple[str, list[tuple[int, int]]]]]:
    """A text, and types with ranges of it."""
    alphabet = st.sampled_from("abc .é日🙂\u0301\u2028\n")
    text = draw(st.text(alphabet, min_size=1, max_size=30))
    places = st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))
    ranges = places.filter(lambda two: two[0] != two[1]).map(
        lambda two: (min(two), max(two))
    )
    mention = st.tuples(
        st.sampled_from(("PER", "ORG", "a:b", "Größe")),
        st.lists(ranges, min_size=1, max_size=3),
    )
    return text, draw(st.lists(mention, max_size=6))


@given(documents(), st.booleans(), st.booleans(), st.data())
def test_what_is_written_by_hand_is_read_again(
    tmp_path_factory: pytest.TempPathFactory,
    document: tuple[str, list[tuple[str, list[tuple[int, int]]]]],
    windows: bool,
    marked: bool,
    data: st.DataObject,
) -> None:
    text, mentions = document
    # Where letters repeat, only a word of its own tells how line ends count.
    text += "\nEND"
    mentions = [*mentions, ("PER", [(len(text) - 3, len(text))])]
    rows = []
    for number, (label, ranges) in enumerate(mentions):
        words = " ".join(text[a:b] for a, b in ranges).replace("\n", " ")
        places = ";".join(f"{a} {b}" for a, b in ranges)
        rows.append(f"T{number}\t{label} {places}\t{words}")
    names = [f"T{number}" for number in range(len(mentions))]
    links = data.draw(st.lists(st.tuples(*[st.sampled_from(names)] * 2), max_size=4))
    rows += [f"R{k}\tHeads Arg1:{a} Arg2:{b}" for k, (a, b) in enumerate(links)]
    rows = data.draw(st.permutations(rows))
    end = "\r\n" if windows else "\n"
    raw = text.replace("\n", end).encode()
    folder = tmp_path_factory.mktemp("brat")
    ann = "".join(row + end for row in rows).encode()
    found = good(folder, ann, b"\xef\xbb\xbf" + raw if marked else raw)
    at = countings(text.replace("\n", end), False)[-1]
    by_name = {node.id: node for node in found["ner"].nodes}
    assert by_name.keys() == set(names)
    for name, (label, ranges) in zip(names, mentions, strict=True):
        assert by_name[name].label == label
        assert by_name[name].anchors == tuple(at.anchor(each) for each in ranges)
    assert sorted((e.source, e.label, e.target) for e in found["relation"].edges) == (
        sorted(
            (f"R{k}", f"Arg{n}", end)
            for k, pair in enumerate(links)
            for n, end in enumerate(pair, 1)
        )
    )


def test_no_wrong_file_is_silently_skipped(tmp_path: Path) -> None:
    path = tmp_path / "doc.ann"
    path.write_bytes(b"nothing like it\n")
    (tmp_path / "doc.txt").write_text(TEXT)
    [record] = read_file(str(path))
    assert isinstance(record, Rejected)
    assert "taken for brat because its name ends in .ann" in str(record.problems[0])
    assert gather(str(tmp_path)).paths == [str(path)]
    [record] = read_file(str(path), ReaderOptions("brat"))
    assert isinstance(record, Rejected)


# What is found alone, without what is given.


def alone(folder: Path, data: bytes = FOUND) -> str:
    (folder / "system").mkdir()
    (folder / "system" / "doc.a2").write_bytes(data)
    (folder / "gold").mkdir()
    given, _, _ = GIVEN.rpartition(b"*")
    halves(folder / "gold", given)
    return str(folder / "system")


def test_a_system_need_not_repeat_what_is_given(tmp_path: Path) -> None:
    system, gold = alone(tmp_path), str(tmp_path / "gold")
    for one in (gold, f"{gold}/doc.a1", f"{gold}/*.a2"):
        found = graphscore.score(one, system, "bionlp")
        assert (found.pairs, found.f1, found.rejected) == (1, 1, [])
    graph = next(
        each.graph
        for each in read_file(f"{system}/doc.a2", ReaderOptions(folder=gold))
        if isinstance(each, ReadGraph) and each.graph.framework == "event"
    )
    assert graph.text == TEXT
    assert [node.id for node in graph.nodes] == ["T1", "T2", "E1"]


def test_without_a_text_the_folder_of_it_is_asked_for(tmp_path: Path) -> None:
    system = alone(tmp_path)
    [record] = read_file(f"{system}/doc.a2", ReaderOptions("brat"))
    assert str(record.problems[0]) == (  # type: ignore[union-attr]
        f"{system}/doc.a2: found no text beside it, expected {system}/doc.txt "
        "(or --text with the folder that has the text and the a1)"
    )
    done = CliRunner().invoke(
        cli, ["validate", system, "--text", str(tmp_path / "gold")]
    )
    assert done.exit_code == 0, done.output


def test_without_what_is_given_its_file_is_asked_for(tmp_path: Path) -> None:
    system = alone(tmp_path)
    (tmp_path / "system" / "doc.txt").write_text(TEXT, encoding="utf-8")
    records = read_file(f"{system}/doc.a2", ReaderOptions("brat"))
    [bad] = [each for each in records if isinstance(each, Rejected)]
    assert [str(each) for each in bad.problems] == [
        f"{system}/doc.a2:2:21: E1: found 'T2', expected the id of a line with T or E, "
        "or the a1 beside it or in the folder of --text"
    ]


def test_a_store_knows_what_a_system_was_read_with(tmp_path: Path) -> None:
    system, gold = alone(tmp_path), str(tmp_path / "gold")
    reading = ReaderOptions(folder=gold)
    with Store(tmp_path / "runs.db", mode="create") as store:
        [first] = store.ingest(system, "one", reading=reading)
        [again] = store.ingest(system, "one", reading=reading)
        assert (first.unchanged, again.unchanged) == (False, True)
        (tmp_path / "gold" / "doc.txt").write_text(TEXT + " More.", encoding="utf-8")
        [other] = store.ingest(system, "two", reading=reading)
        assert not other.unchanged


# What events say of places that are the same.


def test_what_stands_for_another_is_said_with_events(tmp_path: Path) -> None:
    event = good(tmp_path, GIVEN + FOUND + lines("* | Equiv T2 T1"))["event"]
    assert [
        [value for name, value in node.properties if name == "equivalent"]
        for node in event.nodes
    ] == [["T1", "T2"], ["T1", "T2"], []]


def test_the_second_trigger_at_a_place_is_another(tmp_path: Path) -> None:
    more = lines(f"T5 | Attack {SHOT} | shot", "E2 | Attack:T5 Target:T2")
    event = good(tmp_path, GIVEN + FOUND + more)["event"]
    said = [first_of(node.properties, "trigger") for node in event.nodes]
    assert said == [None, None, None, 2]


@pytest.mark.parametrize(
    ("arguments", "numbers"),
    [
        ("Target:T1 Target2:T2 Place2:T3", [None, None, "2"]),
        ("Target2:T1 Target:T2", ["2", "1"]),
        ("Target:T1 Target:T2", [None, None]),
        ("Target1:T1 Target3:T2", [None, "3"]),
    ],
)
def test_the_number_of_a_role_is_kept(
    tmp_path: Path, arguments: str, numbers: list[str | None]
) -> None:
    ann = lines(*ATTACK.decode().replace("\t", " | ").splitlines()[:4])
    event = good(tmp_path, ann + lines(f"E1 | Attack:T4 {arguments}"))["event"]
    assert [first_of(edge.attributes, "number") for edge in event.edges] == numbers


def test_a_name_that_no_file_can_have_lends_no_folder() -> None:
    name = "x" * 5000
    assert ReaderOptions().lent(f"nowhere/{name}").folder == "nowhere"
    assert beside.halves(f"{name}.a2") == (None, None)
