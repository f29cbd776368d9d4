"""Universal PropBank: heads and spans in declared columns, and its older layouts."""

from __future__ import annotations

import io

import pytest

from graphscore.correspondence import Budget
from graphscore.exceptions import GraphscoreError
from graphscore.formats.base import ReadGraph
from graphscore.formats.recognition import fit_of
from graphscore.formats.registry import detect, format_named
from graphscore.metrics.registry import parse
from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.structures.roles.reading import sentence_of
from tests.conftest import ROOT
from tests.formats.reading import FormatReader

CONLLU = format_named("conllu")
COLUMNS = format_named("conllu-srl")
FORMAT = format_named("up")

DATA = ROOT / "data" / "srl"

DECLARED = "# global.columns = ID FORM HEAD DEPREL UP:PRED UP:ARGHEADS UP:ARGSPANS\n"

# Forms, multiword and empty tokens, several spans of a label, any sentence ids.
WHOLE = """\
# before
# sent_id = a/b c-7
# text = On va au Chili demain
# after
1\tOn\t2\tnsubj\t_\t_\t_
2\tva\t0\troot\tgo.01\tA0:1|A4:5|AM-TMP:6\tA0:1-1|A4:3-5|AM-TMP:6-6
3-4\tau\t_\t_\t_\t_\t_
3\tà\t5\tcase\t_\t_\t_
4\tle\t5\tdet\t_\t_\t_
5\tChili\t2\tobl\t_\t_\t_
5.1\tpas\t_\t_\t_\t_\t_
6\tdemain\t2\tadvmod\tbe.01\tA1:1|A1:5.1|C-A1:3\tA1:1-2|A1:5-5.1|C-A1:3-3

"""

# What the published files look like: no forms, and a text that is cut off.
BARE = """\
# global.columns = ID UP:PRED UP:ARGHEADS UP:ARGSPANS
# source_sent_id = conllu dev-s1
# sent_id = dev-s1
# text = Once..........
1\t_\t_\t_
2\tsing.01\tA1:1\tA1:1-1
3\tuse.01\tAM-DIS:1|A1:4|A1:2\tAM-DIS:1-1|A1:4-4|A1:1-2
4\tend.01\t_\t_

# sent_id = dev-s2
1\t_\t_\t_

"""


READER = FormatReader("up", "a.conllup")
IN_COLUMNS = FormatReader("conllu-srl", "a.conllup")
IN_CONLLU = FormatReader("conllu", "a.conllup")
read, good, problems, written = (
    READER.read,
    READER.good,
    READER.problems,
    READER.written,
)


Said = list[tuple[str, list[tuple[str, int | None, tuple[int, ...] | None]]]]


def said(graph: Graph) -> Said:
    """Senses with the pieces' labels, heads and words."""
    return [
        (each.label, [(p.label, p.head, p.words) for p in each.pieces])
        for each in sentence_of(graph).propositions
    ]


# What is read.


def test_head_and_span_are_kept() -> None:
    [graph] = good(DECLARED + WHOLE)
    assert (graph.id, graph.text) == ("a/b c-7", "On va au Chili demain")
    assert said(graph) == [
        ("go.01", [("A0", 0, (0,)), ("A4", 4, (2, 3, 4)), ("AM-TMP", 5, (5,))]),
        # The empty node is numbered on after the last word.
        ("be.01", [("A1", 0, (0, 1)), ("C-A1", 2, (2,)), ("A1", 6, (4,))]),
    ]
    piece = next(node for node in graph.nodes if node.id == "p1.2")
    assert piece.anchors == (Anchor(6, 14),)
    assert piece.properties == (
        ("kind", "argument"), ("token", 5), ("head", "9:14"), ("words", "3:5"),
    )  # fmt: skip


def test_words_that_share_their_characters_stay_apart_in_spans() -> None:
    [graph] = good(DECLARED + WHOLE)
    # "à" and "le" are the characters of "au" both.
    assert graph.tokens[2] == graph.tokens[3]
    assert ("C-A1", 2, (2,)) in said(graph)[1][1]


def test_without_multiword_tokens_the_characters_say_it_all() -> None:
    [graph] = good((DATA / "market.conllup").read_bytes())
    piece = next(node for node in graph.nodes if node.id == "p1.2")
    assert piece.properties == (("kind", "argument"), ("token", 5), ("head", "17:21"))
    assert piece.anchors == (Anchor(9, 21),)
    assert said(graph)[0] == ("sell.01", [("A0", 0, (0,)), ("A1", 4, (2, 3, 4))])


def test_files_without_forms_have_underscores() -> None:
    one, two = good(BARE)
    assert (one.id, one.text, two.text) == ("dev-s1", "_ _ _ _", "_")
    assert said(one) == [
        ("sing.01", [("A1", 0, (0,))]),
        # In the order of the text; each head with the span of its label.
        ("use.01", [("AM-DIS", 0, (0,)), ("A1", 1, (0, 1)), ("A1", 3, (3,))]),
        ("end.01", []),
    ]
    assert said(two) == []


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ("A0:1|A1:3\t_", [("A0", 0, None), ("A1", 2, None)]),
        ("_\tA0:1-1|A1:3-4", [("A0", None, (0,)), ("A1", None, (2, 3))]),
        # Spans in another order than heads belong to their labels.
        ("A1:3|A0:1\tA0:1-1|A1:3-4", [("A0", 0, (0,)), ("A1", 2, (2, 3))]),
        ("a:b:1\ta:b:1-2", [("a:b", 0, (0, 1))]),
    ],
)
def test_heads_or_spans_may_be_missing(cells: str, expected: list[object]) -> None:
    data = BARE.replace("sing.01\tA1:1\tA1:1-1", f"sing.01\t{cells}")
    assert said(good(data)[0])[0][1] == expected


@pytest.mark.parametrize(
    "names",
    [
        "UP:ARGSPANS UP:PRED HEAD DEPREL X:Y UP:ARGHEADS FORM ID",
        "GOLD:PRED STANZA:FORM STANZA:ID GOLD:ARGHEADS STANZA:HEAD GOLD:ARGSPANS",
        "ID FORM UP:PREDS UP:ARGHEADS UP:ARGSPANS",
        "ID UP:PRED UP:ARGSPANS UP:ARGHEADS MISC",
    ],
)
def test_columns_stand_in_any_order(names: str) -> None:
    cells = {
        "ID": ("1", "2"), "FORM": ("Dogs", "bark"), "HEAD": ("2", "0"),
        "DEPREL": ("nsubj", "root"), "PRED": ("_", "bark.01"),
        "PREDS": ("_", "bark.01"), "ARGHEADS": ("_", "A0:1"),
        "ARGSPANS": ("_", "A0:1-1"), "Y": ("x", "y"), "MISC": ("_", "_"),
    }  # fmt: skip
    columns = [cells[name.rpartition(":")[2]] for name in names.split()]
    rows = "".join("\t".join(row) + "\n" for row in zip(*columns, strict=True))
    data = f"# global.columns = {names}\n# sent_id = 1\n{rows}\n"
    [graph] = good(data)
    assert said(graph) == [("bark.01", [("A0", 0, (0,))])]
    assert written(graph) == data


def test_columns_may_be_declared_apart_and_again() -> None:
    data = DECLARED + "\n" + WHOLE + BARE
    graphs = good(data)
    assert [graph.id for graph in graphs] == ["a/b c-7", "dev-s1", "dev-s2"]
    assert written(*graphs) == DECLARED + WHOLE + BARE


def test_it_is_recognised() -> None:
    plain = DECLARED.replace(" UP:PRED UP:ARGHEADS UP:ARGSPANS", "")
    for data, name in (
        (DECLARED + WHOLE, "up"),
        (BARE, "up"),
        ("\ufeff" + BARE, "up"),
        ("# newdoc\n" + BARE.replace("\n", "\r\n"), "up"),
    ):
        stream = io.BufferedReader(io.BytesIO(data.encode()))
        for path in ("a.conllup", "a.conllu", "a"):
            assert detect(stream, path).name == name
    assert not fit_of(FORMAT, (plain + WHOLE).encode())


# What is refused.


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("A0:1|", "A0:9|",
         "a.conllup:7:19: UP:ARGHEADS: found 'A0:9', expected LABEL:ID of a word, "
         "with | between"),
        ("A0:1|", "A0|",
         "a.conllup:7:19: UP:ARGHEADS: found 'A0', expected LABEL:ID of a word, "
         "with | between"),
        ("A4:5|", "A4:3-4|",
         "a.conllup:7:19: UP:ARGHEADS: found 'A4:3-4', expected LABEL:ID of a word, "
         "with | between"),
        ("A4:3-5", "A4:5-3",
         "a.conllup:7:38: UP:ARGSPANS: found 'A4:5-3', expected LABEL:FIRST-LAST of "
         "two words, with | between"),
        ("A4:3-5", "A4:3",
         "a.conllup:7:38: UP:ARGSPANS: found 'A4:3', expected LABEL:FIRST-LAST of "
         "two words, with | between"),
        ("A4:3-5", "A3:3-5",
         "a.conllup:7:38: UP:ARGSPANS: found 'A3:3-5', expected a head of A3, too"),
        ("|A4:3-5", "",
         "a.conllup:7:38: UP:ARGSPANS: found a head of A4 without a span, expected "
         "as many spans as heads"),
        ("go.01", "_",
         "a.conllup:7:15: UP:ARGHEADS: found 'A0:1|A4:5|AM-TMP:6' without a sense, "
         "expected a predicate"),
        ("3-4\tau\t_\t_\t_\t_", "3-4\tau\t_\t_\tgo.01\t_",
         "a.conllup:8:12: UP:PRED: found 'go.01', expected _, as roles belong to the "
         "words of a multiword token"),
        ("\t5\tcase", "\t7\tcase",
         "a.conllup:9:6: HEAD: found '7', expected 0 or the id of a word"),
        ("\n4\t", "\n5\t", "a.conllup:10:1: ID: found '5', expected the id 4"),
        ("\t5\tdet", "\t\tdet",
         "a.conllup:10:6: HEAD: found nothing, expected a value, or _ for none"),
        ("\tdet", "", "a.conllup:10: found 6 columns, expected 7, as global.columns "
         "declares"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(old: str, new: str, expected: str) -> None:
    broken = WHOLE.replace(old, new, 1)
    assert expected in problems(DECLARED + broken)
    # The next sentence survives.
    records = read(DECLARED + broken + WHOLE)
    assert [isinstance(record, ReadGraph) for record in records] == [False, True]


def test_files_that_declare_nothing_or_too_little_are_refused() -> None:
    assert problems(WHOLE) == [
        "a.conllup:1: found no columns, expected a line '# global.columns = ID ...' "
        "before"
    ]
    [found] = problems("# x\n" + DECLARED.replace("UP:PRED ", "") + WHOLE)
    assert found == (
        "a.conllup:2: found the columns 'ID FORM HEAD DEPREL UP:ARGHEADS UP:ARGSPANS', "
        "expected ID, UP:PRED, and UP:ARGHEADS or UP:ARGSPANS among them"
    )


def test_lines_of_another_shape_are_one_problem() -> None:
    [found] = problems(DECLARED + WHOLE.replace("\t_\n", "\n").replace("1\tOn", "1\tO"))
    assert (
        found == "a.conllup:6: found 6 columns, expected 7, as global.columns declares"
    )


# What is written.


def changed(graph: Graph, old: str, new: str) -> Graph:
    edges = [
        Edge(edge.source, edge.target, new if edge.label == old else edge.label)
        for edge in graph.edges
    ]
    return Graph(
        *(graph.id, "srl", 1, "", graph.document, graph.text, graph.tokens),
        *(graph.nodes, tuple(edges), (), graph.extra),
    )


def test_a_changed_graph_keeps_the_other_columns() -> None:
    [graph] = good(DECLARED + WHOLE)
    again = written(changed(graph, "AM-TMP", "AM-DIR"))
    assert again == (DECLARED + WHOLE).replace("AM-TMP", "AM-DIR").replace(
        # Roles that are written anew are in the order of the text.
        "A1:1|A1:5.1|C-A1:3\tA1:1-2|A1:5-5.1|C-A1:3-3",
        "A1:1|C-A1:3|A1:5.1\tA1:1-2|C-A1:3-3|A1:5-5",
    )


def test_graphs_of_other_formats_are_written() -> None:
    for name in ("market.conll09", "market.conllu", "props/market.props"):
        path = DATA / name
        format = {"props": "conll2005", "conllu": "conllu-srl"}.get(
            path.suffix[1:], "conll2009"
        )
        read = format_named(format).read
        assert read is not None
        with path.open("rb") as stream:
            [record] = read(stream, str(path))
        assert isinstance(record, ReadGraph)
        [again] = good(written(record.graph))
        assert said(again) == [
            # The lemma of CoNLL-2005 is the label, as no sense is known.
            (label, pieces) for label, pieces in said(record.graph)
        ]  # fmt: skip


def test_a_graph_of_ones_own_comes_back() -> None:
    [graph] = good(BARE.replace("\n\n# sent_id = dev-s2\n1\t_\t_\t_", ""))
    bare = Graph(
        *(graph.id, "srl", 1, "", "", graph.text, graph.tokens, graph.nodes),
        *(graph.edges, ()),
    )
    [again] = good(written(bare))
    assert again.digest() == graph.digest()


ONE = (Node(1, "a", (("kind", "token"),), (Anchor(0, 1),)),)
PREDICATE = Node("p", "a.1", (("kind", "predicate"), ("token", 1)))


@pytest.mark.parametrize(
    ("graph", "found"),
    [
        (Graph("1", "srl", text="a b"), "a sentence without words"),
        (
            Graph("1", "srl", text="a", nodes=(
                *ONE, PREDICATE, Node("q", "a.2", PREDICATE.properties))),
            "the label of a node: 'a.1' comes back as 'a.2'",
        ),
        (
            Graph("1", "srl", text="a", nodes=(
                *ONE, Node("p", None, PREDICATE.properties))),
            "UP:PRED: found nothing, expected a value",
        ),
    ],
)  # fmt: skip
def test_what_the_format_cannot_hold_is_an_error(graph: Graph, found: str) -> None:
    with pytest.raises(GraphscoreError, match=found):
        written(graph)


@pytest.mark.parametrize("words", ["x", "0:1", "2:1", "1:2"])
def test_words_that_are_no_range_are_an_error(words: str) -> None:
    argument = Node("q", None, (("kind", "argument"), ("words", words)))
    graph = Graph(
        *("1", "srl", 1, "", "", "a", (), (*ONE, PREDICATE, argument)),
        *((Edge("p", "q", "A0"),), ()),
    )
    with pytest.raises(GraphscoreError, match="FIRST:LAST, from 1 to 1"):
        sentence_of(graph)


# Older layouts, which the format conllu-srl reads.

UNFLAGGED = """\
# sent_id = 0
1\tYes\tyes\tINTJ\t_\t_\t0\troot\t0:root\t_\t_

# sent_id = 1
1\tThey\tthey\tPRON\t_\t_\t2\tnsubj\t2:nsubj\t_\t_\tARG0\t_
2\tchose\tchoose\tVERB\t_\t_\t0\troot\t0:root\t_\tchoose.01\tV\t_
3\ther\tshe\tPRON\t_\t_\t2\tobj\t2:obj\t_\t_\tARG1\tARG0
4\tto\tto\tPART\t_\t_\t5\tmark\t5:mark\t_\t_\t_\t_
5\tlead\tlead\tVERB\t_\t_\t2\tadvcl\t2:advcl\t_\tlead.02\tARG2\tV

"""

IN_MISC = """\
# sent_id = 0
1\tYes\tyes\tINTJ\t_\t_\t0\troot\t0:root\tFramefile=-|Roleset=-|Args=

# sent_id = 1
1\tThey\tthey\tPRON\t_\t_\t2\tnsubj\t2:nsubj\tFramefile=-|Roleset=-|Args=ARG0/_
2\tchose\tchoose\tVERB\t_\t_\t0\troot\t0:root\tRoleset=choose.01|Args=V/_
3\ther\tshe\tPRON\t_\t_\t2\tobj\t2:obj\tFramefile=-|Roleset=-|Args=ARG1/ARG0
4\tto\tto\tPART\t_\t_\t5\tmark\t5:mark\tSpaceAfter=No|Framefile=-|Roleset=-|Args=_/_
5\tlead\tlead\tVERB\t_\t_\t2\tadvcl\t2:advcl\tFramefile=lead|Roleset=lead.02|Args=ARG2/V

"""

ROLES = [
    (
        "choose.01",
        [("ARG0", 0, None), ("V", 1, None), ("ARG1", 2, None), ("ARG2", 4, None)],
    ),
    ("lead.02", [("ARG0", 2, None), ("V", 4, None)]),
]


@pytest.mark.parametrize("data", [UNFLAGGED, IN_MISC])
def test_older_layouts_are_read_and_written(data: str) -> None:
    none, graph = IN_COLUMNS.good(data)
    assert (said(none), said(graph)) == ([], ROLES)
    assert IN_COLUMNS.written(none, graph) == data
    stream = io.BufferedReader(io.BytesIO(data.encode()))
    assert detect(stream, "a.conllu").name == "conllu-srl"


def test_a_file_with_roles_in_misc_is_still_a_treebank() -> None:
    layers = [graph.framework for graph in IN_CONLLU.good(IN_MISC)]
    assert layers == ["ud", "eud", "ud", "eud"]


def test_changed_roles_of_older_layouts() -> None:
    _, graph = IN_COLUMNS.good(UNFLAGGED)
    again = IN_COLUMNS.written(changed(graph, "ARG2", "ARG3"))
    assert again == UNFLAGGED.partition("\n\n")[2].replace("ARG2", "ARG3")
    _, graph = IN_COLUMNS.good(IN_MISC)
    again = IN_COLUMNS.written(changed(graph, "ARG2", "ARG3"))
    assert "Roleset" not in again
    [moved] = IN_COLUMNS.good(again)
    assert said(moved)[0][1][3] == ("ARG3", 4, None)
    assert "\tSpaceAfter=No\t_\t" in again


@pytest.mark.parametrize(
    ("data", "old", "new", "expected"),
    [
        (UNFLAGGED, "choose.01", "_",
         "a.conllup:5: found 1 words with a sense, expected 2, as there are 13 "
         "columns"),
        (IN_MISC, "ARG2/V", "ARG2",
         "a.conllup:9:38: MISC: found 1 label, expected 2, as there are so many with "
         "a Roleset"),
    ],
)  # fmt: skip
def test_what_is_wrong_in_older_layouts(
    data: str, old: str, new: str, expected: str
) -> None:
    known = data.partition("\n\n")[2]
    found = IN_COLUMNS.problems(data.replace(old, new, 1))
    if data is UNFLAGGED:
        found = IN_COLUMNS.problems(known + data.replace(old, new, 1))
        expected = expected.replace(":5:", ":12:")
    assert expected in found


# Hostile input.


def test_spans_compare_with_those_of_brackets() -> None:
    read = format_named("conll2005").read
    assert read is not None
    path = DATA / "props" / "market.props"
    with path.open("rb") as stream:
        [brackets] = read(stream, str(path))
    assert isinstance(brackets, ReadGraph)
    [graph] = good((DATA / "market.conllup").read_bytes())
    metric = parse("conll05")
    pair = [(metric.prepare(each),) for each in (brackets.graph, graph)]
    outcome = metric.compare(*pair, budget=Budget(), details=False)
    count = metric.scores(outcome.raw_counts).counts["all"]
    assert (count.matched, count.gold, count.system) == (4, 4, 4)


@pytest.mark.parametrize(
    "spelled", ["primesrl", "primesrl(unit=span)", "conll09", "framenet"]
)
@pytest.mark.parametrize("bare", [False, True])
def test_every_layout_scores_like_the_others(spelled: str, bare: bool) -> None:
    sample = (DATA / "market.conllup").read_bytes()
    if bare:
        lines = sample.decode().splitlines()
        declared = "# global.columns = ID UP:PRED UP:ARGHEADS UP:ARGSPANS"
        rows = [line.split("\t") for line in lines if not line.startswith("#")]
        cut = ["\t".join([row[0], *row[10:]]) for row in rows if len(row) > 1]
        sample = "\n".join([declared, "# sent_id = 1", *cut, ""]).encode()
    [system] = good(sample)
    [gold] = IN_COLUMNS.good((DATA / "market.conllu").read_bytes())
    metric = parse(spelled)
    pair = [(metric.prepare(each),) for each in (gold, system)]
    outcome = metric.compare(*pair, budget=Budget(), details=False)
    count = metric.scores(outcome.raw_counts).counts["all"]
    assert count.matched == count.gold == count.system > 0


def test_a_predicate_without_characters_is_none_of_conll2005() -> None:
    data = """\
# global.columns = ID RM HD EL UP:PRED U UP:ARGSPANS
1\tOn\t0\troot\t_\t_\t_
1.1\tpas\t_\t_\tgo.01\t_\t_
"""
    [record] = FORMAT.read(io.BytesIO(data.encode()), "a")
    assert isinstance(record, ReadGraph)
    writer = format_named("conll2005").write
    assert writer is not None
    with pytest.raises(GraphscoreError, match="cannot hold all nodes: None does not"):
        b"".join(writer([record.graph]))
