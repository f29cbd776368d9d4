"""Documents, objects, networks and frames."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import networkx
import numpy
import pytest
import rustworkx

from graphscore import (
    Graph,
    InputError,
    read_file,
    score,
    to_networkx,
    to_rustworkx,
)
from graphscore.exceptions import PairingError
from graphscore.formats.base import ReadGraph
from graphscore.inputs.frames import from_frame
from graphscore.inputs.networks import from_networks
from graphscore.inputs.records import from_objects
from graphscore.inputs.spacy_docs import from_docs
from graphscore.inputs.spans import from_spans
from graphscore.inputs.tags import from_tags
from graphscore.similarity import derive
from tests.conftest import DATA

# Documents


class Token:
    """What spaCy says of a token, as far as it is looked at."""

    def __init__(
        self, i: int, idx: int, text: str, dep: str = "", head: int = -1
    ) -> None:
        self.i, self.idx, self.text, self.dep_ = i, idx, text, dep
        self.lemma_, self.pos_, self.tag_, self.morph = text.lower(), "NOUN", "NN", ""
        self.whitespace_ = " "
        self.at = head
        self.head: Token = self


class Doc:
    """A document as spaCy has it, without spaCy."""

    def __init__(
        self,
        words: str,
        *ents: tuple[int, int, str],
        heads: tuple[int, ...] = (),
        relations: tuple[str, ...] = (),
    ) -> None:
        self.text = words
        self.tokens: list[Token] = []
        place = 0
        for number, word in enumerate(words.split(" ")):
            dep = relations[number] if relations else ""
            self.tokens.append(Token(number, place, word, dep))
            place += len(word) + 1
        for token, head in zip(self.tokens, heads, strict=False):
            token.head = self.tokens[head]
        self.ents = [self._span(*each) for each in ents]
        self.spans = {"sc": self.ents[:1]}

    def _span(self, first: int, end: int, label: str) -> SimpleNamespace:
        start, last = self.tokens[first], self.tokens[end - 1]
        return SimpleNamespace(
            start_char=start.idx, end_char=last.idx + len(last.text), label_=label
        )

    def __iter__(self) -> Any:
        return iter(self.tokens)


WORDS = "Ada Lovelace met Bob"


def test_entities_of_documents() -> None:
    gold = [Doc(WORDS, (0, 2, "PER"), (3, 4, "PER"))]
    system = [Doc(WORDS, (0, 2, "PER"), (3, 4, "ORG"))]
    assert score(gold, system).f1 == 0.5
    assert score(gold, [["B-PER", "I-PER", "O", "B-ORG"]], "ner").f1 == 0.5
    assert score([[("PER", 0, 1), ("PER", 3, 3)]], system, "ner").f1 == 0.5
    [graph] = from_docs(gold, spans="sc", ids=["d"])
    assert (graph.id, graph.text, len(graph.nodes)) == ("d", WORDS, 1)
    with pytest.raises(InputError, match=re.escape("<docs>: [0]: found spans sc")):
        from_docs(gold, spans="other")


def test_trees_of_documents() -> None:
    heads, relations = (1, 2, 2, 2), ("compound", "nsubj", "ROOT", "obj")
    gold = [Doc(WORDS, heads=heads, relations=relations)]
    system = [Doc(WORDS, heads=heads, relations=("compound", "obj", "ROOT", "obj"))]
    result = score(gold, system, "las")
    assert result.main is not None
    assert (result.main.gold, result.main.matched) == (4, 3)
    ner, tree = from_docs(gold)
    assert (ner.framework, tree.framework, tree.text) == ("ner", "ud", WORDS)
    assert [each.framework for each in from_docs(gold, layers=["ud"])] == ["ud"]


def test_documents_of_spacy_itself() -> None:
    spacy = pytest.importorskip("spacy", reason="spaCy is not installed")
    tokens = spacy.tokens
    nlp = spacy.blank("en")
    words = ["Ada", "Lovelace", "met", "\n", "Bob", "."]

    def doc(label: str, deps: list[str]) -> Any:
        made = tokens.Doc(
            nlp.vocab, words, heads=[1, 2, 2, 2, 2, 2], deps=deps,
            sent_starts=[True, False, False, False, False, False],
        )  # fmt: skip
        made.set_ents([tokens.Span(made, 0, 2, "PER"), tokens.Span(made, 4, 5, label)])
        return made

    deps = ["compound", "nsubj", "ROOT", "dep", "obj", "punct"]
    gold = [doc("PER", deps)] * 2
    system = [doc("PER", deps), doc("ORG", ["compound", "obj", *deps[2:]])]
    assert score(gold, system, "ner").f1 == 0.75
    las = score(gold, system, "las").main
    assert las is not None
    assert (las.gold, las.matched) == (10, 9)
    assert [str(each.metric) for each in score(gold, system)] == ["udeval", "ner"]


# Objects


@dataclass(frozen=True)
class Report:
    place: str
    victims: frozenset[str] = field(default_factory=frozenset)


GOLD = [Report("Lima", frozenset({"Ada", "Bob"})), Report("Rome")]
SYSTEM = [Report("Lima", frozenset({"Ada"})), Report("Bern")]


def test_objects_are_scored_as_their_class_says() -> None:
    result = score(GOLD, SYSTEM)
    assert str(result.metric) == "Report"
    derived = derive(Report)
    for kind, count in result.counts.items():
        reports = [
            derived[kind].score(*pair) if kind in derived else None
            for pair in zip(from_objects(GOLD), from_objects(SYSTEM), strict=True)
        ]
        if None not in reports:
            assert count.matched == sum(each.matched for each in reports if each)
    assert score(GOLD, SYSTEM, Report).counts == result.counts
    assert score(GOLD, SYSTEM, "mrp").f1 < 1
    assert score(GOLD, GOLD).f1 == 1


def test_a_class_scores_its_objects_alone() -> None:
    with pytest.raises(PairingError, match="graphs of structure"):
        score([Graph("1", "ner")], [Graph("1", "ner")], Report)


def test_objects_that_are_not_what_their_class_says() -> None:
    bad = [GOLD[0], Report(frozenset())]  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"<system>: \[1\]: Report.place: found"):
        score(GOLD, bad)


# Networks


def network(label: str) -> networkx.DiGraph[Any]:
    made: networkx.DiGraph[Any] = networkx.DiGraph(tops=[0])
    made.add_node(0, label="bark-01")
    made.add_node(1, label=label, polarity="-")
    made.add_edge(0, 1, label="ARG0")
    return made


def test_networks_of_both_libraries() -> None:
    other = rustworkx.PyDiGraph(attrs={"tops": [0]})
    other.add_nodes_from([{"label": "bark-01"}, {"label": "cat", "polarity": "-"}])
    other.add_edge(0, 1, "ARG0")
    gold = [network("dog")]
    one, two = score(gold, [network("cat")], "mrp"), score(gold, [other], "mrp")
    assert one.counts == two.counts
    assert one.counts["labels"].matched == 1
    assert one.counts["edges"].matched == one.counts["tops"].matched == 1


def test_networks_that_were_made_here_are_kept() -> None:
    read = read_file(str(DATA / "gold.mrp"))
    graphs = [each.graph for each in read if isinstance(each, ReadGraph)]
    assert from_networks(map(to_networkx, graphs)) == graphs
    assert from_networks(map(to_rustworkx, graphs)) == graphs


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (
            networkx.Graph(),
            "[0]: found a graph without directions, expected a directed",
        ),
        (rustworkx.PyGraph(), "[0]: found a graph without directions, expected"),
        (networkx.DiGraph(id=[1]), "[0]: found id [1], expected a string"),
        (networkx.DiGraph(tops=3), "[0]: found tops 3, expected a list of nodes"),
        (networkx.DiGraph([(1.0, "1.0")]), "[0]: found nodes 1.0 and '1.0', expected"),
    ],
)
def test_networks_that_are_no_graphs(made: Any, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        from_networks([made])


def test_nodes_may_be_called_anything_and_say_numbers_of_numpy() -> None:
    made = networkx.MultiDiGraph()
    made.add_node(numpy.int64(3), weight=numpy.float32(0.5), label=numpy.str_("a"))
    made.add_edge(1.5, (1, 2), label="x")
    made.add_edge(1.5, (1, 2), label="y")
    [graph] = from_networks([made])
    assert [node.id for node in graph.nodes] == [3, "1.5", "(1, 2)"]
    assert [edge.label for edge in graph.edges] == ["x", "y"]
    assert (graph.nodes[0].label, graph.nodes[0].properties) == (
        "a",
        (("weight", 0.5),),
    )


# Frames

ROWS = {
    "sentence": ["a", "a", "b"],
    "token": ["Ada", "Lovelace", "ran"],
    "tag": ["B-PER", "I-PER", "O"],
}
SPANS = {
    "item": ["a", "b"],
    "start": [0, None],
    "end": [12, None],
    "label": ["PER", None],
}


def frames(columns: dict[str, list[Any]]) -> list[Any]:
    found = []
    for library, make in (("pandas", "DataFrame"), ("polars", "DataFrame"),
                          ("pyarrow", "table")):  # fmt: skip
        try:
            module = __import__(library)
        except ImportError:
            continue
        found.append(getattr(module, make)(columns))
    if not found:
        pytest.skip("none of pandas, polars and pyarrow is installed")
    return found


def test_frames_of_tags_and_of_spans() -> None:
    tagged = from_tags(
        [["B-PER", "I-PER"], ["O"]], tokens=[["Ada", "Lovelace"], ["ran"]], ids="ab"
    )
    spanned = from_spans([[{"start": 0, "end": 12, "label": "PER"}], []], ids="ab")
    for rows, spans in zip(frames(ROWS), frames(SPANS), strict=True):
        assert from_frame(rows) == tagged
        assert from_frame(spans) == spanned
        assert score(rows, rows).f1 == 1
        assert score(rows, spans, "ner").f1 == 1
        assert score(rows, [["B-PER", "O"], ["O"]], "ner").f1 == 0


@pytest.mark.parametrize(
    ("item", "word", "tag"),
    [("sent_id", "word", "label"), ("Sentence #", "Word", "Tag")],
)
def test_frames_have_usual_columns(item: str, word: str, tag: str) -> None:
    columns = {item: ["a", "a", "b"], word: ROWS["token"], tag: ROWS["tag"]}
    for frame, usual in zip(frames(columns), frames(ROWS), strict=True):
        assert from_frame(frame) == from_frame(usual)


def test_columns_of_frames() -> None:
    tags = [["B-PER", "O"], ["O"]]
    for frame in frames({"gold": tags, "system": [["B-PER", "O"], ["B-LOC"]]}):
        result = score(frame["gold"], frame["system"], "ner")
        assert (result.counts["all"].matched, result.counts["all"].system) == (1, 2)


def test_arrays_of_arrow_are_columns() -> None:
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    tags = [["B-PER", "O"], ["O"]]
    assert score(pyarrow.array(tags), pyarrow.chunked_array([tags]), "ner").f1 == 1
    span = {"start": 0, "end": 3, "label": "PER"}
    assert score(pyarrow.array([[span]]), [[span]], "ner").f1 == 1


def test_columns_of_a_frame_may_be_named() -> None:
    renamed = {"n": [7, 7], "w": ["Ada", "ran"], "t": ["B-PER", "O"]}
    for frame in frames(renamed):
        [graph] = from_frame(frame, item="n", token="w", tag="t")
        assert (graph.id, graph.text, len(graph.nodes)) == ("7", "Ada ran", 1)
    counted = {"item": [1], "start": [0], "end": [1], "label": ["PER"]}
    for frame in frames(counted):
        [graph] = from_frame(frame, count="tokens")
        assert graph.nodes[0].anchors == ((0, 3),)
        [graph] = from_frame(frame, count="tokens", ends="exclusive")
        assert graph.nodes[0].anchors == ((0, 1),)


def test_frames_that_say_too_little_or_too_much() -> None:
    for frame in frames({"item": ["a"], "word": ["Ada"]}):
        with pytest.raises(
            InputError, match="found columns item, word, expected a col"
        ):
            from_frame(frame)
    for frame in frames({"tag": ["O"]}):
        with pytest.raises(
            InputError, match="found columns tag, expected one of items"
        ):
            from_frame(frame)
    for frame in frames(SPANS | {"tag": ["O", "O"]}):
        with pytest.raises(TypeError, match=r"gold may be tags .* or spans"):
            score(frame, frame)
    for frame in frames(ROWS):
        with pytest.raises(InputError, match="expected one called 'x'"):
            from_frame(frame, tag="x")


def test_a_single_thing_has_to_stand_in_a_list() -> None:
    for lone in (Graph("1", "dm"), network("dog"), GOLD[0], Doc(WORDS)):
        with pytest.raises(TypeError, match="single item has to be in a list"):
            score(lone, lone)
