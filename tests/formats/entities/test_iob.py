"""Columns with a tag for each token."""

from __future__ import annotations

import io
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.exceptions import GraphscoreError
from graphscore.formats import Format, ReadGraph, Rejected, read_file
from graphscore.formats.entities import iob, tag_sentences
from graphscore.formats.recognition import fit_of
from graphscore.formats.registry import detect, format_named
from graphscore.model.graph import Anchor, Graph, Node
from graphscore.structures.layout import kind_of
from tests.conftest import DATA
from tests.formats.reading import FormatReader, lost_of

IOB_GOLD = format_named("iob-gold")
IOB = format_named("iob")

NEWS = DATA / "ie" / "news.iob2"


READER = FormatReader("iob", "a.iob")
GOLD = FormatReader("iob-gold", "a.iob")
read, good, problems, written = (
    READER.read,
    READER.good,
    READER.problems,
    READER.written,
)


def column(*tags: str) -> str:
    return "".join(f"w{k}\t{tag}\n" for k, tag in enumerate(tags))


def said(graph: Graph) -> list[tuple[Any, ...]]:
    return [
        (node.label, graph.text[node.anchors[0].start : node.anchors[0].end])
        for node in graph.nodes
    ]


# What is read.


def test_sentences_are_graphs() -> None:
    one, two = good("Ada\tB-PER\nLee\tI-PER\nleft\tO\n\nRome\tB-LOC\n")
    assert (one.id, one.framework, one.flavor, one.document) == ("", "ner", 1, "")
    assert one.text == "Ada Lee left"
    assert one.tokens == (Anchor(0, 3), Anchor(4, 7), Anchor(8, 12))
    assert said(one) == [("PER", "Ada Lee")]
    assert said(two) == [("LOC", "Rome")]
    assert kind_of(one.nodes[0]) == "mention"
    assert one.nodes[0].properties == (("kind", "mention"), ("tags", "BI"))


@pytest.mark.parametrize(
    ("tags", "found"),
    [
        ("I-A I-A O I-B", [("A", "II"), ("B", "I")]),
        ("I-A B-A I-A", [("A", "I"), ("A", "BI")]),
        ("B-A B-A I-A", [("A", "B"), ("A", "BI")]),
        ("B-A I-B I-B", [("A", "B"), ("B", "II")]),
        ("I-A E-A I-A", [("A", "IE"), ("A", "I")]),
        ("B-A I-A E-A S-B", [("A", "BIE"), ("B", "S")]),
        ("B-A L-A U-B U-B", [("A", "BL"), ("B", "U"), ("B", "U")]),
        ("S-A E-A E-A", [("A", "S"), ("A", "E"), ("A", "E")]),
        ("B I O", [(None, "BI")]),
        ("O O", []),
    ],
)
def test_tags_are_read_leniently_and_keep_their_letters(
    tags: str, found: list[tuple[str | None, str]]
) -> None:
    [graph] = good(column(*tags.split()))
    assert [
        (node.label, dict(node.properties).get("tags")) for node in graph.nodes
    ] == (found)


@pytest.mark.parametrize(
    ("tags", "scheme"),
    [
        ("I-A I-A O", "iob1"),
        ("I-A B-A O", "iob1"),
        ("B-A I-A O", "iob2"),
        ("B-A I-A O I-A", "iob2"),
        ("I-A E-A I-A O", "ioe1"),
        ("I-A E-A E-A O", "ioe2"),
        ("B-A E-A S-A O", "iobes"),
        ("B-A L-A U-A O", "bilou"),
        ("O O", None),
    ],
)
def test_the_scheme_is_found_out(tags: str, scheme: str | None) -> None:
    [graph] = good(column(*tags.split()))
    assert graph.extra.get("scheme") == scheme


def test_the_scheme_is_that_of_the_file_not_of_the_sentence() -> None:
    graphs = good(column("B-A") + "\n" + column("B-A", "E-A"))
    assert [graph.extra["scheme"] for graph in graphs] == ["iobes", "iobes"]


def test_docstart_begins_documents() -> None:
    graphs = good(NEWS.read_bytes())
    assert [graph.document for graph in graphs] == ["1", "1", "2"]
    assert graphs[0].extra["columns"][0] == ["NNP", "I-NP", "B-PER"]
    assert graphs[0].extra["docstart"] == ["-DOCSTART-", "-X-", "-X-", "O", "O"]
    assert "docstart" not in graphs[1].extra


def test_a_word_may_begin_like_docstart() -> None:
    [graph] = good("-DOCSTART-s\tO\nend\tO\n")
    assert (graph.text, graph.document) == ("-DOCSTART-s end", "")


def test_without_docstart_the_file_is_the_document() -> None:
    records = [r for r in read_file(str(NEWS)) if isinstance(r, ReadGraph)]
    assert [record.graph.document for record in records] == ["1", "1", "2"]
    assert [record.line for record in records] == [3, 12, 20]


def test_gold_stands_before_predictions() -> None:
    gold = GOLD.good(NEWS.read_bytes())
    system = good(NEWS.read_bytes())
    assert said(gold[0])[0] == ("PER", "Ada Lovelace")
    assert said(system[0])[0] == ("PER", "Ada")
    assert gold[0].extra["predicted"][:2] == ["B-PER", "O"]
    assert gold[0].text == system[0].text
    assert GOLD.problems("a\tO\n") == [
        "a.iob:1: found 2 columns, expected a token and two tags, or more"
    ]


def test_blanks_separate_columns_too() -> None:
    [graph] = good("U.N.  NNP I-ORG\nsays VBZ O \n")
    assert said(graph) == [("ORG", "U.N.")]
    assert graph.extra["columns"] == [["NNP"], ["VBZ"]]
    assert graph.extra["separator"] == " "


def test_other_white_space_is_no_separator() -> None:
    [graph] = good("a\u3000b\tB-A\n\u00a0 O\nc\x85 O\n")
    assert [graph.text[a:b] for a, b in graph.tokens] == ["a\u3000b", "\u00a0", "c\x85"]
    [graph] = good("New York\tB-LOC\n")
    assert graph.tokens == (Anchor(0, 8),)


def test_comments_may_name_the_sentence() -> None:
    one, two = good("# id s-7 domain=x\na\tO\n\n# sent_id = t\n# more\n#\tO\n")
    assert (one.id, two.id) == ("s-7", "t")
    assert two.extra["comments"] == ["# sent_id = t", "# more"]
    assert two.text == "#"
    [problem] = problems("# id 7\n# more\na\tO\nb\tPER\nc\tB-PER\n")
    assert problem.startswith("a.iob:4:3: found 'PER'")


GERMEVAL = """#\thttps://example.org/a\t[2009-10-23]\t
1\tBund\tB-ORG\tO
2\tder\tI-ORG\tO
3\tStadt\tI-ORG\tO
4\tRom\tI-ORG\tB-LOC

1\t1951\tO\tO
2\t#\tO\tO

"""


def test_a_first_column_that_counts_up_is_an_index() -> None:
    data = "0\tOn\tO\n1\t1789\tB-MISC\n\n0\t7\tO\n"
    one, two = good(data)
    assert (one.text, two.text, said(one)) == ("On 1789", "7", [("MISC", "1789")])
    assert (one.extra["index"], two.extra["index"]) == (0, 0)
    assert written(one, two).strip() == data.strip()


@pytest.mark.parametrize(
    "data",
    [
        "1 CD O\n\n2 CD O\n",  # sentences of one number
        "1 O\n2 O\n",  # nothing would be left to be the token
        "1 CD O\n2 CD O\n\n7 CD O\n3 CD O\n\n5 CD O\n1 CD O\n",
    ],
)
def test_numbers_that_are_words_are_no_index(data: str) -> None:
    assert [graph.text for graph in good(data)] == [
        " ".join(line.split()[0] for line in block.split("\n"))
        for block in data.strip().split("\n\n")
    ]


def test_an_index_may_go_on_from_sentence_to_sentence() -> None:
    one, two = good("1 a x O\n2 b y O\n\n3 c z O\n4 d z O\n")
    assert (one.text, two.text) == ("a b", "c d")
    assert two.extra["columns"] == [["z"], ["z"]]


def test_columns_of_tags_are_layers() -> None:
    graphs = good(GERMEVAL)
    assert [each.layer for each in graphs] == ["outer", "nested"] * 2
    assert [said(each) for each in graphs[:2]] == [
        [("ORG", "Bund der Stadt Rom")],
        [("LOC", "Rom")],
    ]
    assert graphs[2].text == "1951 #"
    assert graphs[0].extra["comments"] == ["#\thttps://example.org/a\t[2009-10-23]\t"]
    assert written(*graphs) == GERMEVAL


def test_tabs_at_the_end_and_more_layers() -> None:
    data = "the\tO\tB-LOC\tO\t\nriver\tB-LOC\tI-LOC\tO\t\n\n"
    graphs = good(data)
    assert [each.layer for each in graphs] == ["1", "2", "3"]
    assert [said(each) for each in graphs] == [
        [("LOC", "river")],
        [("LOC", "the river")],
        [],
    ]
    assert good(written(*graphs)) == graphs


@pytest.mark.parametrize(
    ("data", "entities"),
    [
        ("EU I-NP I-ORG\nsays I-VP O\n", 1),  # chunks
        ("EU B-ORG B-ORG\nsays O O\nBonn B-LOC B-PER\n", 2),  # gold and predicted
        ("EU NNP B-ORG\nsays VBZ O\n", 1),
    ],
)
def test_other_columns_of_tags_are_no_layers(data: str, entities: int) -> None:
    [graph] = good(data)
    assert (graph.layer, len(said(graph))) == ("", entities)


def test_neighbours_of_a_type_without_letters_are_one_entity() -> None:
    data = "the\tO\nMagna\tMISC-law\nCarta\tMISC-law\nof\tperson-king\n\n"
    [graph] = good(data)
    assert said(graph) == [("MISC-law", "Magna Carta"), ("person-king", "of")]
    assert graph.extra["scheme"] == "plain"
    assert written(graph) == data
    touching = Node(9, "person-king", (("kind", "mention"),), graph.nodes[0].anchors)
    again = Graph("1", "ner", text=graph.text, tokens=graph.tokens, extra=graph.extra)
    with pytest.raises(GraphscoreError, match="'MISC-law' does not come back"):
        written(msgspec.structs.replace(again, nodes=(graph.nodes[0], touching)))


def test_a_type_without_a_letter_among_tags_is_a_mistake() -> None:
    [problem] = problems("a\tB-PER\nb\tPER\nc\tO\n")
    assert "a.iob:2:3: found 'PER', expected a tag" in problem


@pytest.mark.parametrize(
    ("tags", "entities", "spelling"),
    [
        (("PER-B", "PER-I", "O", "LOC-B"), ["PER BI", "LOC B"], "PER-B"),
        (("PER-I", "PER-I", "PER-B", "O"), ["PER II", "PER B"], "PER-B"),
        (("PER-B", "PER-E", "O", "LOC-S"), ["PER BE", "LOC S"], "PER-B"),
        (("PER-B", "PER-L", "O", "LOC-U"), ["PER BL", "LOC U"], "PER-B"),
        (("PER-I", "PER-E", "O", "LOC-E"), ["PER IE", "LOC E"], "PER-B"),
        (("B_PER", "I_PER", "O", "B_LOC"), ["PER BI", "LOC B"], "B_PER"),
        (("PER_B", "PER_I", "O", "LOC_B"), ["PER BI", "LOC B"], "PER_B"),
        (("B-VITAMIN-B", "I-VITAMIN-B", "O"), ["VITAMIN-B BI"], None),
        (("B-WORK_OF_ART", "I-WORK_OF_ART", "O"), ["WORK_OF_ART BI"], None),
    ],
)
def test_letters_stand_before_or_behind_types(
    tags: tuple[str, ...], entities: list[str], spelling: str | None
) -> None:
    [graph] = good(column(*tags))
    assert [f"{n.label} {dict(n.properties)['tags']}" for n in graph.nodes] == entities
    assert graph.extra.get("spelling") == spelling
    assert written(graph).strip() == column(*tags).strip()


def test_types_that_end_like_tags_are_types() -> None:
    [graph] = good(column("VITAMIN-B", "MINERAL", "O", "HEPATITIS_B"))
    assert [node.label for node in graph.nodes] == [
        *("VITAMIN-B", "MINERAL", "HEPATITIS_B")
    ]


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        (("PLACE", "O", "B-PLACE"), "a.iob:1:4: found 'PLACE', expected a tag"),
        (
            ("B_PLACE", "PLACE", "O"),
            ":2:4: found 'PLACE', expected a tag: O, or B, I, ",
        ),
        (
            ("PER-B", "PER-I", "O", "LOC"),
            "LOC', expected a tag: O, or B, I, E, L, S, U ",
        ),
        (("PER-B", "B-PER", "O"), "found 'PER-B', expected a tag"),
        (("PER_B", "O", "PER"), "with a type (PER_B), as the file's other tags"),
        (("b-per", "i-per", "O"), "found 'b-per', expected a tag"),
        (("B:PER", "I:PER", "O"), "found 'B:PER', expected a tag"),
        (("NOUN", "VERB"), "found 'NOUN', expected a tag"),
    ],
)
def test_mixtures_and_other_columns_are_refused(
    tags: tuple[str, ...], expected: str
) -> None:
    assert expected in problems(column(*tags))[0]


def test_a_letter_behind_the_first_sentences_is_a_mistake() -> None:
    sentences = "a\tPLACE\nb\tO\n\n" * 2000 + "c\tB-PLACE\n"
    [problem] = problems(sentences)
    assert "found 'B-PLACE', expected O or a type without a letter" in problem


@pytest.mark.parametrize("tag", ["B-PER", "PER-B", "PER"])
def test_sentences_without_entities_decide_nothing(tag: str) -> None:
    *_, last = good("a\tO\n\n" * 4500 + f"b\t{tag}\nc\tO\n")
    assert [node.label for node in last.nodes] == ["PER"]


@pytest.mark.parametrize("tag", ["PLACE", "PLACE-B", "B_PLACE"])
def test_a_token_may_begin_like_a_comment(tag: str) -> None:
    data = f"#Rome {tag}\nis O\n\n# id 7\n#Rome {tag}\n\n#Rom\n\nRome {tag}\n"
    first, second, last = good(data)
    assert [said(each) for each in (first, second)] == [[("PLACE", "#Rome")]] * 2
    assert (second.id, last.extra["comments"]) == ("7", ["#Rom"])
    assert problems("#Rome\tNONE\nis\tO\nit\tB-X\n")


def test_offsets_between_token_and_tag_say_nothing() -> None:
    data = "Ada\t0\t3\tB-PER\nLee\t4\t7\tI-PER\n\nleft\t9\t13\tO\n\n"
    graphs = good(data)
    assert [said(each) for each in graphs] == [[("PER", "Ada Lee")], []]
    assert written(*graphs) == data


def test_a_bad_sentence_is_missing_in_every_layer() -> None:
    data = GERMEVAL + "1\tRom\tB-LOC\tX\n\n" + "1\ta\tO\tO\n2\tb\tO\tO\n"
    records = read(data)
    bad = [each for each in records if isinstance(each, Rejected)]
    assert [each.layer for each in bad] == ["outer", "nested"]
    assert [str(each.problems[0]) for each in bad] == [
        "a.iob:10:13: found 'X', expected a tag: O, or B, I, E, L, S, U with a type "
        "(B-PER)",
        "a.iob:10: found a bad sentence, expected the tags of layer 'nested'",
    ]
    assert len(records) == 8


# What is refused.


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("a\tB-A\nb\tX-A\n", ":2:3: found 'X-A', expected a tag"),
        ("é\tPER\n", ":1:4: found 'PER', expected a tag"),
        ("a\tB-\n", "found 'B-'"),
        ("a\tO\nb\n", ":2: found 1 column, expected a token and its tag"),
        ("a\tx\tO\nb\tO\n", ":2: found 2 columns, expected 3"),
        (b"a\tO\n\xff\tO\n", ":2:1: found bytes that are not UTF-8"),
        ("a" * (1 << 20) + "\tO\n", ":1: found a line of more than"),
    ],
)
def test_bad_sentences_are_refused_with_their_place(
    data: str | bytes, expected: str
) -> None:
    raw = data if isinstance(data, bytes) else data.encode()
    [problem] = problems(raw)
    assert expected in problem
    records = read(b"x\tB-A\n\n" + raw + b"\ny\tO\n")
    assert [isinstance(each, ReadGraph) for each in records] == [True, False, True]


def test_all_problems_of_a_sentence_are_named() -> None:
    assert len(problems("a\tX\nb\nc\tY\n")) == 3


WORDS = ("Ada\tB-PER", "Lee\tI-PER", "left\tO", "é\tO", "b O", "w\tx\tO", "#1\tO")
ODD = ("", "", "", "# id = 7", "-DOCSTART-\tO", "-DOCSTART- -X- O", "\ufeffw\tO")
BAD = (
    "\tO",
    "w\t",
    "w\tO ",
    "w\tO\t",
    " w O",
    "w\tB-A\xa0",
    "\xa0\tO",
    " ",
    "\t",
    "w\tPER",
)


@given(
    st.lists(st.sampled_from(WORDS + ODD + WORDS) | st.sampled_from(BAD), max_size=40),
    st.sampled_from(("\n", "\n", "\r\n")),
    st.integers(1, 300),
    st.sampled_from((1, 3, iob.WINDOW)),
    st.sampled_from((IOB, IOB_GOLD)),
)
def test_stretches_are_read_as_line_by_line(
    lines: list[str], end: str, size: int, window: int, format: Format
) -> None:
    assert format.read is not None
    data = end.join(lines).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tag_sentences, "STRETCH", size)
        patch.setattr(iob, "WINDOW", window)
        at_once = list(format.read(io.BytesIO(data), "a.iob"))
        patch.setattr(tag_sentences, "columns_of", lambda text, separator: None)
        by_line = list(format.read(io.BytesIO(data), "a.iob"))
    assert at_once == by_line


def test_a_blank_before_the_first_line_is_no_cell() -> None:
    assert IOB.read is not None
    data = b" 1 Ada B-PER\n\n" + b"1 Bo NN B-PER\n2 left VB O\n\n" * 5
    first, *_ = IOB.read(io.BytesIO(data), "a.iob")
    assert isinstance(first, ReadGraph)
    assert first.graph.text == "Ada"


def test_a_bad_sentence_keeps_its_number(tmp_path: Any) -> None:
    from graphscore.evaluation.options import Options
    from graphscore.evaluation.scoring import score_files
    from graphscore.evaluation.store import Store
    from graphscore.metrics.registry import parse

    gold, system = tmp_path / "gold.iob2", tmp_path / "system.iob2"
    gold.write_text("a\tB-A\n\nb\tB-B\n\nc\tB-C\n")
    system.write_text("a\tB-A\n\nb\tBAD\n\nc\tB-C\n")
    metric = parse("ner")
    [result] = score_files(str(gold), str(system), [metric], Options())
    assert (result.main.matched, result.missing_system) == (2, 1)
    with Store(str(tmp_path / "runs.db"), mode="create") as store:
        store.ingest([str(gold)], "gold")
        store.ingest([str(system)], "system", keep_going=True)
        [kept] = store.score("gold", "system", [metric])
    assert (kept.main.matched, kept.missing_system) == (2, 1)


# Recognising.


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"a\tB-X\nb\tO\n", True),
        (b"-DOCSTART- -X- O\n\na NN O\n", True),
        (b"# id 3\na\tO\n", True),
        (b"a\tPER-B\nb\tPER-I\n", True),
        (b"a B_PER\nb O\n", True),
        (b"a PLACE\nb PLACE\nc O\nd PLACE\n", True),
        (b"a PLACE\nb PLACE\nc O\nd B-PLACE\n", True),
        (b"a O\n\n" * 2000 + b"b PLACE\n", True),
        (b"Ada\t0\t3\tB-PER\nLee\t4\t7\tI-PER\n\n", True),
        (b"Ada\t0\t3\tPER\nleft\t4\t8\tO\n", True),
        (b"a\tNOUN\nb\tVERB\n", False),
        (b"Dogs NNS\nbark VBP\n", False),
        (b"O\nO\n", False),
        (b"1\tShe\tshe\tPRON\tPRP\t_\t2\tnsubj\t_\t_\n", False),
        (b"wsj\t0\t0\tword\t-\t(0)\n", False),
        (b"The quick B-X\nbrown fox\n", False),
        (b'{"text": "a O"}\n', False),
        (b"", False),
    ],
)
def test_content_is_recognised(head: bytes, expected: bool) -> None:
    assert bool(fit_of(format_named("iob"), head)) is expected
    if expected:
        assert detect(io.BufferedReader(io.BytesIO(head)), "x.txt").name == "iob"  # type: ignore[arg-type]


# Writing.


def test_what_was_read_is_written_as_it_was() -> None:
    data = NEWS.read_text(encoding="utf-8")
    assert written(*good(data)) == data
    data = "# id 7\na\tx\tI-A\nb\ty\tE-A\n\nc\tz\tS-B\n\n"
    assert written(*good(data)) == data
    assert written(*GOLD.good(NEWS.read_bytes())) == NEWS.read_text(encoding="utf-8")


@given(
    st.lists(
        st.tuples(
            st.text(
                st.characters(exclude_characters="\t\n\r", codec="utf-8"), min_size=1
            ),
            st.sampled_from(["O", "B-A", "I-A", "E-B", "S", "U-é", "L-A"]),
        ),
        min_size=1,
        max_size=6,
    )
)
def test_reading_what_was_written_gives_the_same(rows: list[tuple[str, str]]) -> None:
    data = "".join(f"{form}\t{tag}\n" for form, tag in rows)
    graphs = [each.graph for each in read(data) if isinstance(each, ReadGraph)]
    assert [each.digest() for each in good(written(*graphs))] == [
        each.digest() for each in graphs
    ]


def test_entities_of_other_formats_become_iob2() -> None:
    jenny = Node(0, "PER", (("kind", "mention"),), (Anchor(0, 5),))
    tokens = (Anchor(0, 2), Anchor(3, 5), Anchor(6, 7))
    graph = Graph("1", "ner", text="Ad Lo .", tokens=tokens, nodes=(jenny,))
    assert written(graph) == "Ad\tB-PER\nLo\tI-PER\n.\tO\n\n"


def test_an_empty_token_is_a_problem() -> None:
    bad, good = read("a\tO\n\tB-PER\n\nb\tO\n")
    assert isinstance(bad, Rejected)
    assert isinstance(good, ReadGraph)
    assert (bad.problems[0].line, bad.problems[0].found) == (2, "an empty token")


@pytest.mark.parametrize("token", ["#1", "-DOCSTART-"])
def test_what_would_be_read_as_no_token_is_not_written(token: str) -> None:
    ner = Graph(
        *("1", "ner"),
        text=token,
        tokens=(Anchor(0, len(token)),),
        nodes=(Node(0, "PER", (("kind", "mention"),), (Anchor(0, len(token)),)),),
        extra={"scheme": "plain"},
    )
    with pytest.raises(GraphscoreError, match="item '1': iob cannot hold"):
        written(ner)


def test_properties_and_items_without_tokens_are_told() -> None:
    said = ("kind", "mention"), ("x", 1)
    node = Node(0, "A", said, (Anchor(0, 2),))
    graph = Graph("", "ner", text="Ad", tokens=(Anchor(0, 2),), nodes=(node,))
    assert lost_of("iob", graph) == {"property x"}
    assert lost_of("iob", graph, Graph("", "ner")) == {
        *("property x", "items without annotations")
    }
