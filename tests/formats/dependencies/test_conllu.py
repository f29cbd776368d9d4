"""CoNLL-U in and out; nothing in a file may break the reader."""

from __future__ import annotations

import io
import re

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.formats.base import ReadGraph, Record, Rejected
from graphscore.formats.recognition import fit_of
from graphscore.formats.registry import format_named
from graphscore.formats.shared import columns
from graphscore.model.graph import Anchor, Edge, Graph, Node
from tests.formats.reading import FormatReader

FORMAT = format_named("conllu")


def table(text: str) -> str:
    """Rows with blanks between columns, as lines with tabs."""
    lines = [line.strip() for line in text.strip().splitlines()]
    rows = [line if line[:1] == "#" else "\t".join(line.split()) for line in lines]
    return "\n".join(rows) + "\n\n"


DOGS = table("""
    # newdoc id = animals
    # sent_id = a-1
    # text = Dogs don't bark.
    1    Dogs   dog   NOUN   NNS  Number=Plur   4  nsubj   4:nsubj          _
    2-3  don't  _     _      _    _             _  _       _                _
    2    do     do    AUX    VBP  Mood=Ind      4  aux     4:aux            _
    3    n't    not   PART   RB   Polarity=Neg  4  advmod  4:advmod         _
    4    bark   bark  VERB   VB   _             0  root    0:root   SpaceAfter=No
    5    .      .     PUNCT  .    _             4  punct   4:punct          _
""")

GAP = table("""
    # sent_id = a-2
    # text = I ate, you too
    1    I    I    PRON  _  Case=Nom|Person=1  2  nsubj   2:nsubj            _
    2    ate  eat  VERB  _  _                  0  root    0:root SpaceAfter=No
    3    ,    ,    PUNCT _  _                  4  punct   4.1:punct          _
    4    you  you  PRON  _  _                  2  conj    4.1:nsubj          _
    4.1  ate  eat  VERB  _  _                  _  _       2:conj:and|5:x Gloss=eat
    5    too  too  ADV   _  _                  4  orphan  4.1:advmod|4:orphan _
""")


READER = FormatReader("conllu", "a.conllu")
read, good, problems = READER.read, READER.good, READER.problems


def written(graphs: list[Graph]) -> str:
    return b"".join(FORMAT.write(graphs)).decode() if FORMAT.write else ""


# What is read.


def test_a_sentence_gives_a_graph_for_each_layer() -> None:
    basic, enhanced = good(DOGS)
    assert (basic.framework, enhanced.framework) == ("ud", "eud")
    for graph in (basic, enhanced):
        assert (graph.id, graph.document, graph.flavor) == ("a-1", "animals", 0)
        assert graph.text == "Dogs don't bark."
        assert graph.tops == (4,)
    assert [(e.source, e.target, e.label) for e in basic.edges] == [
        (4, 1, "nsubj"),
        (4, 2, "aux"),
        (4, 3, "advmod"),
        (4, 5, "punct"),
    ]


def test_columns_become_labels_and_properties() -> None:
    node = good(DOGS)[0].nodes[0]
    assert (node.id, node.label) == (1, "Dogs")
    assert node.properties == (
        ("lemma", "dog"),
        ("upos", "NOUN"),
        ("xpos", "NNS"),
        ("Number", "Plur"),
    )
    assert good(DOGS)[0].nodes[4].extra == (("misc", "SpaceAfter=No"),)


def test_multiword_tokens_are_nodes_that_say_how_many_words_they_have() -> None:
    nodes = good(DOGS)[0].nodes
    assert [node.id for node in nodes] == [1, "2-3", 2, 3, 4, 5]
    assert nodes[1].properties == (("multiword", 2),)
    text = "Dogs don't bark."
    assert [text[slice(*node.anchors[0])] for node in nodes] == [
        "Dogs",
        "don't",
        "do",
        "n't",
        "bark",
        ".",
    ]


def test_words_that_do_not_make_up_their_token_have_all_its_characters() -> None:
    data = table("""
        1-2  au  _   _  _  _  _  _     _  _
        1    à   à   _  _  _  0  root  _  _
        2    le  le  _  _  _  1  det   _  _
    """)
    [graph] = good(data)
    assert graph.text == "au"
    assert [node.anchors for node in graph.nodes] == [(Anchor(0, 2),)] * 3


def test_empty_nodes_are_in_the_enhanced_layer_only() -> None:
    basic, enhanced = good(GAP)
    assert [node.id for node in basic.nodes] == [1, 2, 3, 4, 5]
    assert [node.id for node in enhanced.nodes] == [1, 2, 3, 4, "4.1", 5]
    empty = enhanced.nodes[4]
    assert empty.properties == (("empty", True), ("lemma", "eat"), ("upos", "VERB"))
    assert (empty.anchors, empty.extra) == ((), (("misc", "Gloss=eat"),))
    assert [(e.source, e.label) for e in enhanced.edges if e.target == "4.1"] == [
        (2, "conj:and"),
        (5, "x"),
    ]
    formless = good(GAP.replace("4.1\tate", "4.1\t_"))[1].nodes[4]
    assert (empty.label, formless.label) == ("ate", None)


def test_a_layer_that_is_not_there_gives_no_graph() -> None:
    only_basic = GAP.replace("2:nsubj", "_")
    assert [graph.framework for graph in good(only_basic)] == ["ud", "eud"]
    no_deps = table("1 a _ _ _ _ 0 root _ _")
    assert [graph.framework for graph in good(no_deps)] == ["ud"]
    neither = table("1 a _ X _ _ _ _ _ _")
    assert [graph.framework for graph in good(neither)] == ["ud"]


def test_words_without_heads_are_read_and_said_to_have_no_tree() -> None:
    """DEPS may hold all there is: words and tags are those of the basic layer."""
    data = table("""
        1 Dogs dog NOUN _ _ _ _ 2:nsubj _
        2 bark bark VERB _ _ _ _ 0:root _
    """)
    basic, enhanced = read(data)
    assert isinstance(basic, ReadGraph)
    assert isinstance(enhanced, ReadGraph)
    assert (basic.graph.framework, enhanced.graph.framework) == ("ud", "eud")
    assert not basic.graph.edges
    assert not basic.graph.tops
    assert [dict(node.properties)["upos"] for node in basic.graph.nodes] == [
        "NOUN",
        "VERB",
    ]
    assert (enhanced.graph.tops, len(enhanced.graph.edges)) == ((2,), 1)
    [note] = basic.notes
    assert note.what == "no word has a head, and so there is no basic tree"
    assert not enhanced.notes
    assert written([basic.graph, enhanced.graph]) == data


def test_sentences_without_words_are_told_as_skeletons() -> None:
    rows = "1\t_\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\t_\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    [record] = read(rows)
    assert isinstance(record, ReadGraph)
    [note] = record.notes
    assert note.what == "sentences without words (skeletons)"
    assert "the script of the release fills in" in str(note.problem)
    [single] = read("1\t_\t_\tSYM\t_\t_\t0\troot\t_\t_\n\n")
    assert isinstance(single, ReadGraph)
    assert not single.notes


def test_a_document_goes_on_until_the_next_begins() -> None:
    plain = table("1 a _ _ _ _ 0 root _ _")
    data = "# newdoc id = one\n" + plain + plain + "# newdoc id = two\n" + plain
    data += "# newdoc\n" + plain
    assert [graph.document for graph in good(data)] == ["one", "one", "two", ""]


def test_a_text_is_put_together_where_there_is_none() -> None:
    data = "".join(
        line + "\n" for line in DOGS.split("\n") if not line.startswith("# text")
    )
    assert {graph.text for graph in good(data)} == {"Dogs don't bark."}


def test_white_space_may_differ_between_text_and_forms() -> None:
    data = "# text =  10\u00a0000  kg \n1\t10 000\t_\tNUM\t_\t_\t2\tnummod\t_\t_\n"
    [graph] = good(data + "2\tkg\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n")
    words = [graph.text[slice(*node.anchors[0])] for node in graph.nodes]
    assert words == ["10\u00a0000", "kg"]


def test_cycles_and_several_roots_are_kept() -> None:
    cycle, roots = good(
        table("1 a _ _ _ _ 2 x _ _\n2 b _ _ _ _ 1 y _ _")
        + table("1 a _ _ _ _ 0 root _ _\n2 b _ _ _ _ 0 dep _ _")
    )
    assert [(e.source, e.target) for e in cycle.edges] == [(2, 1), (1, 2)]
    assert cycle.tops == ()
    assert roots.tops == (1, 2)
    assert roots.nodes[1].properties == (("deprel", "dep"),)


def test_a_word_without_head_keeps_its_relation() -> None:
    data = table("1 a _ _ _ _ _ dep _ _\n2 b _ _ _ _ 1 _ _ _")
    [graph] = good(data)
    assert (graph.tops, graph.nodes[0].properties) == ((), (("deprel", "dep"),))
    assert graph.edges == (Edge(1, 2),)
    assert written([graph]) == data


def test_line_ends_of_other_scripts_end_no_line() -> None:
    data = "1\ta\u2028b\tx\x85y\t_\t_\t_\t0\troot\t_\t_\n\n"
    assert good(data)[0].nodes[0].label == "a\u2028b"
    assert written(good(data)) == data


# What is written.


def test_comments_come_out_as_they_were_written() -> None:
    data = "#sent_id=7\n# newpar\n# text = a\n# text = b\n# text_en =  x \n"
    data += "# global.Entity = eid\n" + table("1 a _ _ _ _ 0 root _ _")
    graphs = good(data)
    assert (graphs[0].id, graphs[0].text) == ("7", "a")
    assert written(graphs) == data


def test_what_is_changed_in_a_graph_is_changed_in_its_comments() -> None:
    [graph] = good("#sent_id=7\n# text = a\n" + table("1 a _ _ _ _ 0 root _ _"))
    changed = msgspec.structs.replace(graph, id="8", text="b")
    assert written([changed]).startswith("# sent_id = 8\n# text = b\n1\ta\t")


def test_the_comment_that_begins_a_document_needs_no_document() -> None:
    # Other formats do not keep documents; the sentence still begins one here.
    graphs = [msgspec.structs.replace(each, document="file") for each in good(DOGS)]
    assert written(graphs) == DOGS


def test_a_layer_alone_leaves_the_columns_of_the_other_empty() -> None:
    basic, enhanced = good(GAP)
    assert "4.1" not in written([basic])
    rows = [line.split("\t") for line in written([enhanced]).split("\n")]
    assert {row[6] for row in rows if len(row) == 10} == {"_"}
    assert good(written([basic])) == [basic]
    words, again = good(written([enhanced]))
    assert (words.framework, again) == ("ud", enhanced)
    assert not words.edges
    assert not words.tops


def test_layers_of_different_sentences_stay_apart() -> None:
    basic, _ = good(GAP)
    _, enhanced = good(GAP.replace("ate", "had"))
    assert written([basic, enhanced]).count("# sent_id") == 2


def test_spaces_are_said_where_words_are_apart_too() -> None:
    anchors = Anchor(0, 1), Anchor(2, 3), Anchor(3, 4)
    nodes = [Node(k, "abc"[k], (), (each,)) for k, each in enumerate(anchors)]
    lines = written([Graph("1", "ud", text="a bc", nodes=tuple(nodes))]).splitlines()
    assert [line.rpartition("\t")[2] for line in lines[2:5]] == [
        *("_", "SpaceAfter=No", "_")
    ]


def test_a_graph_from_elsewhere_gets_comments_and_spaces() -> None:
    nodes = tuple(
        Node(f"w{start}", form, (("Number", "Sing"), ("Foreign", None)), (anchor,))
        for form, anchor in (("a", Anchor(0, 1)), ("b", Anchor(1, 2)))
        for start in [anchor.start]
    )
    graph = Graph(
        "1", "ud", document="d", text="ab", nodes=nodes, edges=(Edge("w0", "w1", "x"),)
    )
    assert written([graph, msgspec.structs.replace(graph, id="2")]) == (
        "# newdoc id = d\n# sent_id = 1\n# text = ab\n"
        "1\ta\t_\t_\t_\tNumber=Sing|Foreign\t_\t_\t_\tSpaceAfter=No\n"
        "2\tb\t_\t_\t_\tNumber=Sing|Foreign\t1\tx\t_\t_\n\n"
        "# sent_id = 2\n# text = ab\n"
        "1\ta\t_\t_\t_\tNumber=Sing|Foreign\t_\t_\t_\tSpaceAfter=No\n"
        "2\tb\t_\t_\t_\tNumber=Sing|Foreign\t1\tx\t_\t_\n\n"
    )


def words(*labels: str | None) -> tuple[Node, ...]:
    return tuple(Node(k, label) for k, label in enumerate(labels))


# What is wrong.

ROW = "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n"


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ("1\ta\n", "a.conllu:1: found 2 columns, expected ten columns with tabs"),
        ("1\n", "a.conllu:1: found 1 column, expected ten"),
        (
            ROW.replace("\t", " "),
            "a.conllu:1: found 10 columns with blanks between, expected ten columns",
        ),
        (ROW.replace("\t_\t0", "\t\t0"), "a.conllu:1:11: FEATS: found nothing"),
        (ROW + ROW, "a.conllu:2:1: ID: found '1', expected the id 2"),
        (
            ROW.replace("1\t", "01\t"),
            "a.conllu:1:1: ID: found '01', expected the id 1",
        ),
        (ROW.replace("1\t", "x\t"), "a.conllu:1:1: ID: found 'x', expected the id 1"),
        (ROW.replace("1\t", "¹\t"), "a.conllu:1:1: ID: found '¹', expected the id 1"),
        (
            "2-3\tab" + "\t_" * 8 + "\n" + ROW,
            "a.conllu:1:1: ID: found '2-3', expected a range of words that begins "
            "with 1",
        ),
        (
            "1-2\tab" + "\t_" * 8 + "\n" + ROW,
            "a.conllu:1:1: ID: found a token up to word 2, expected at most the last "
            "word, 1",
        ),
        (
            f"1-{'9' * 5000}\tab" + "\t_" * 8 + "\n" + ROW,
            "expected a range of words that begins with 1",
        ),
        (
            "1-2\tab" + "\t_" * 8 + "\n" + ROW + "2-2\tb" + "\t_" * 8 + "\n"
            "2\tb\t_\t_\t_\t_\t1\tx\t_\t_\n",
            "a.conllu:3:1: ID: found '2-2', expected a word, as this token ends with 2",
        ),
        (
            ROW + "3.1\tb" + "\t_" * 8 + "\n",
            "a.conllu:2:1: ID: found '3.1', expected an empty node's own id after 1",
        ),
        (
            ROW + ("1.1\tb" + "\t_" * 8 + "\n") * 2,
            "a.conllu:3:1: ID: found '1.1', expected an empty node's own id after 1",
        ),
        (
            ROW.replace("\t0\t", "\t2\t"),
            "a.conllu:1:13: HEAD: found '2', expected 0 or the id of a word",
        ),
        (ROW.replace("\t0\t", "\t-1\t"), "HEAD: found '-1', expected 0 or the id"),
        (ROW.replace("\t0\t", "\t00\t"), "HEAD: found '00', expected 0 or the id"),
        (
            ROW.replace("root\t_", "root\t1"),
            "a.conllu:1:20: DEPS: found '1', expected pairs of head and relation",
        ),
        (
            ROW.replace("root\t_", "root\t0:root|1.1:x"),
            "DEPS: found '1.1', expected 0 or the id of a word or empty node",
        ),
        (ROW + "# x\n", "a.conllu:2: found a comment between words"),
        ("# sent_id = 1\n", "a.conllu:1: found comments without words"),
        (ROW.replace("\ta\t", "\t \t"), "a.conllu:1:3: FORM: found ' ', expected"),
        (
            ROW.replace("_\t0", "lemma=x\t0"),
            "a.conllu:1:11: FEATS: found 'lemma=x', expected features with",
        ),
        (ROW.replace("_\t0", "A=b|\t0"), "FEATS: found 'A=b|', expected features with"),
        (b"# x\n" + ROW.encode() + b"\xff\n", "a.conllu:3:1: found bytes that are not"),
    ],
)
def test_a_problem_says_where_what_and_what_instead(
    data: str | bytes, problem: str
) -> None:
    found = problems(data)
    assert len(found) == 1
    assert problem in found[0]


def test_all_problems_of_a_sentence_are_reported() -> None:
    data = table("1 a _ _ _ _ 7 x _ _\n3 b _ _ _ _ 8 y _ _\nc") + ROW
    assert [each.split(": found")[0] for each in problems(data)] == [
        "a.conllu:2:1: ID",
        "a.conllu:3",
    ]


def test_a_broken_layer_leaves_the_other_alone() -> None:
    basic, enhanced = read(DOGS.replace("4:aux", "9:aux"))
    assert isinstance(basic, ReadGraph)
    assert isinstance(enhanced, Rejected)
    assert (enhanced.framework, enhanced.item) == ("eud", "a-1")
    basic, enhanced = read(DOGS.replace("4\taux", "9\taux"))
    assert isinstance(basic, Rejected)
    assert isinstance(enhanced, ReadGraph)


def test_undecodable_sentences_still_begin_documents() -> None:
    bad, after, _ = read(DOGS.encode().replace(b"dog", b"\xff") + GAP.encode())
    assert isinstance(bad, Rejected)
    assert bad.item == "a-1"
    assert isinstance(after, ReadGraph)
    assert after.graph.document == "animals"


def test_the_first_comment_of_a_key_counts() -> None:
    [graph, _] = good(DOGS.replace("# text", "# sent_id = b\n# text", 1))
    assert graph.id == "a-1"
    assert graph.extra["comments"][1:3] == ["sent_id", "# sent_id = b"]


def test_a_word_with_a_wrong_number_is_one_word() -> None:
    wrong = DOGS.replace("\n4\tbark", "\n9\tbark")
    assert [each for each in problems(wrong) if "ID" in each] == [
        "a.conllu:8:1: ID: found '9', expected the id 4"
    ]


def test_an_empty_node_makes_an_enhanced_layer() -> None:
    alone = "1\ta" + "\t_" * 4 + "\t0\troot\t_\t_\n1.1\tb" + "\t_" * 8 + "\n\n"
    assert [graph.framework for graph in good(alone)] == ["ud", "eud"]


def test_an_endless_sentence_is_refused_without_being_held(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(columns, "LONGEST_BLOCK", 1000)
    for endless in ("x" * 5500 + "\n", "1\ta\n" * 5000):
        one, two, _ = read(endless + "\n" + DOGS)
        assert isinstance(one, Rejected)
        assert "more than 1,000 bytes" in str(one.problems[0])
        assert len(one.raw) == 200
        assert two.line == endless.count("\n") + 2


@pytest.mark.parametrize("between", ["", "# newdoc id = d\n", "# sent_id = 2\n# a\n"])
def test_a_sentence_may_begin_without_a_blank_line(between: str) -> None:
    row = "1\ta" + "\t_" * 4 + "\t0\troot\t_\t_\n"
    multiword = "1-2\tab" + "\t_" * 8 + "\n" + row + row.replace("1\ta", "2\tb")
    data = "# sent_id = 1\n" + row + between + "# sent_id = 2\n" + multiword
    one, two = good(
        data.replace("2\tb" + "\t_" * 4 + "\t0", "2\tb" + "\t_" * 4 + "\t1")
    )
    assert (one.text, two.text, two.id) == ("a", "ab", "2")
    bad, last = read(data.replace("1\ta", "7\ta", 1))
    assert isinstance(bad, Rejected)
    assert (bad.line, bad.raw.count(b"\n")) == (1, 2)
    assert last.line == 3


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ("# newpar\n1\tb\t", ":2: found a comment between words"),
        ("# sent_id = 2\n2\tb\t", ":2: found a comment between words"),
        ("1\tb\t", ":2:1: ID: found '1', expected the id 2"),
    ],
)
def test_what_may_be_the_same_sentence_is_no_other(after: str, expected: str) -> None:
    [record] = read(ROW + after + ROW.removeprefix("1\ta\t"))
    assert isinstance(record, Rejected)
    assert any(expected in str(problem) for problem in record.problems)


# Which files are recognised.


@pytest.mark.parametrize(
    ("head", "fits"),
    [
        (DOGS, True),
        (GAP[:300], True),
        ("\ufeff" + ROW, True),
        ("\n\n" + ROW, True),
        ("# sent_id = 1\n1 a b\n", True),
        ("# text = " + "x" * 5000, True),
        ("1-2\tab" + "\t_" * 8 + "\n" + ROW, True),
        ("# text = a\n" + ROW.replace("\n", "\tA0\n"), False),
        ("# text = a\n" + ROW.replace("root\t_", "root\tY"), False),
        ('{"id": 1}\n', False),
        ("# ::id 1\n(a / b)\n", False),
        ("#SDP 2015\n#22000001\n1\ta\ta\tN\t-\t+\tx:e-i\tARG1\t_\t_\n", False),
        ("#begin document (a); part 000\na 0 0 x x x x x x x\n", False),
    ],
)
def test_files_are_recognised(head: str, fits: bool) -> None:
    assert bool(fit_of(FORMAT, head.encode()[:4096])) is fits


# Any sentence at all.

pieces = st.text(
    st.one_of(
        st.sampled_from("ab-.|=:_#\u00a0\u2028éß日🙂"),
        st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"]),
    ),
    min_size=1,
    max_size=4,
)
forms = st.one_of(
    pieces.filter(lambda form: not form.isspace()),
    st.sampled_from(["_", "10 000", "a\u00a0b", "…"]),
)
features = st.lists(
    st.sampled_from(["Case=Nom", "Number=Sing", "Number=Plur", "Foreign", "X="]),
    max_size=2,
).map(lambda found: "|".join(found) or "_")
relations = st.sampled_from(["root", "nsubj", "nmod:of", "a>b", "conj:and"])
others = st.sampled_from(["# newpar id = p", "#", "# x = = y", "#text", "# newdoc"])


heads_and_relations = st.lists(st.tuples(st.integers(-2, 9), relations), max_size=3)
spaces = st.sampled_from(["_", "SpaceAfter=No", "A=b|SpaceAfter=No", "C"])
tags = st.sampled_from(["_", "x", "Y", "_a"])


@st.composite
def rows_of(draw: st.DrawFn, basic: bool, enhanced: bool) -> list[list[str]]:
    """Rows of a sentence; heads are still missing."""

    def columns(name: str) -> list[str]:
        three = [draw(tags) for _ in range(3)]
        return [name, draw(forms), *three, draw(features), "_", "_", "_", draw(spaces)]

    size, covered = draw(st.integers(1, 5)), 0
    rows = [columns("0.1")] if enhanced and draw(st.integers(0, 5)) == 0 else []
    for word in range(1, size + 1):
        if word > covered and draw(st.integers(0, 4)) == 0:
            covered = draw(st.integers(word, size))
            rows.append(columns(f"{word}-{covered}"))
        rows.append(columns(str(word)))
        if basic:
            heads = ["_", *map(str, range(size + 1))]
            rows[-1][6:8] = [draw(st.sampled_from(heads)), draw(relations)]
        if enhanced and draw(st.integers(0, 5)) == 0:
            rows.append(columns(f"{word}.1"))
    return rows


def text_of(rows: list[list[str]]) -> str:
    """The text of a sentence, with a blank after it if the file says so."""
    found, words, covered = "", 0, 0
    for row in rows:
        if "-" in row[0]:
            covered = int(row[0].split("-")[1])
        elif "." in row[0]:
            continue
        else:
            words += 1
            if words <= covered:
                continue
        found += row[1] + ("" if "SpaceAfter=No" in row[9] else " ")
    return found


layers = st.sampled_from([(True, True), (True, False), (False, True)])
"""Whether a file has the basic layer, and the enhanced one."""


@st.composite
def sentences(draw: st.DrawFn, basic: bool, enhanced: bool) -> str:
    """Valid sentences with all that there can be in them."""
    rows = draw(rows_of(basic, enhanced))
    nodes = [row for row in rows if "-" not in row[0]]
    if enhanced:
        for row in nodes:
            pairs = []
            for place, relation in draw(heads_and_relations):
                head = nodes[place % len(nodes)][0] if place >= 0 else "0"
                pairs.append((head != "0", f"{head}:{relation}"))
            pairs.sort(key=lambda pair: pair[0])
            row[8] = "|".join(pair for _, pair in pairs) or "_"
        nodes[-1][8] = "0:root"
    if basic:
        [*_, last] = [row for row in nodes if "." not in row[0]]
        last[6] = "0"
    text = text_of(rows)
    comments = draw(st.lists(others, max_size=2))
    texts = [f"text = {text}", f"text = {text.rstrip(' ')}"]
    stated = ["sent_id = s 1 ", "newdoc id = d", draw(st.sampled_from(texts))]
    for comment in draw(st.permutations(stated)):
        if draw(st.booleans()):
            comments.append(f"# {comment}")
    lines = [*comments, *map("\t".join, rows)]
    return "\n".join(lines) + "\n\n"


files = layers.flatmap(lambda two: st.lists(sentences(*two), min_size=1, max_size=3))


@given(files)
def test_every_file_comes_out_as_it_went_in(parts: list[str]) -> None:
    data = "".join(parts)
    graphs = good(data)
    assert written(graphs) == data
    for graph in graphs:
        # A graph alone is written and read back; the other layer has words alone.
        again = good(written([graph]))
        layers = ["ud"] if graph.framework == "ud" else ["ud", "eud"]
        assert [each.framework for each in again] == layers
        if graph.document == again[0].document:
            assert again[-1] == graph


def read_coreference(data: str) -> list[Record]:
    """All records, where nobody scores trees."""
    assert FORMAT.documents is not None
    stream = io.BytesIO(data.encode())
    return list(FORMAT.documents.read(stream, "a.conllu", 0, b"", "coref".__eq__))


@pytest.mark.parametrize(
    "value",
    [
        *("_", "0", "1", "4", "4.1", "7", "x", "", "2-3", "upos=X", "=1", "Case=Nom"),
        *("4:nsubj|_:x", "_:x", "9:x", "4.1:x", "0:root", ":", "2:", "root"),
    ],
)
@pytest.mark.parametrize("text", [DOGS, GAP])
def test_what_is_wrong_with_trees_is_said_where_nobody_scores_them(
    text: str, value: str
) -> None:
    """Any column may be wrong; graphs that are not made do not hide it."""
    cells = re.split(r"([\t\n])", text)
    for number in range(0, len(cells), 2):
        data = "".join([*cells[:number], value, *cells[number + 1 :]])
        bare, whole = read_coreference(data), read(data)
        assert [*map(_without_content, bare)] == [*map(_without_content, whole)]


def test_trees_that_nobody_scores_are_not_made() -> None:
    records = read_coreference(DOGS + GAP)
    graphs = [record.graph for record in records if isinstance(record, ReadGraph)]
    assert [graph.framework for graph in graphs] == ["ud", "eud"] * 2
    assert not any(graph.nodes for graph in graphs)


def _without_content(record: Record) -> Record:
    """A record whose graph has nothing but names."""
    if isinstance(record, Rejected):
        return record
    graph = msgspec.structs.replace(record.graph, nodes=(), edges=(), tops=())
    return record._replace(graph=graph)
