"""Items that do not reach 1 against themselves, and why."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path

import msgspec
import pytest

from graphscore.evaluation.rows import selfscores
from graphscore.evaluation.rows.selfscores import SelfScores, Shortfall
from graphscore.evaluation.tasks import Task, Timed, run_task
from graphscore.formats import ReadGraph, read_file
from graphscore.model.graph import Anchor, Edge, Graph, Node
from tests.conftest import ROOT

MENTION, ENTITY = (("kind", "mention"),), (("kind", "entity"),)
OPINION, TEMPLATE = (("kind", "opinion"),), (("kind", "template"),)


def shortfalls(graphs: Iterable[Graph], most: int | None = 100) -> list[Shortfall]:
    """All that graphs of a file lack, each at the line of its number."""
    scores = SelfScores(most)
    found = [
        shortfall
        for line, graph in enumerate(graphs, 1)
        for shortfall in scores.take(graph, line)
    ]
    return [*found, *scores.rest()]


def opinions(item: str, *anchors: Anchor) -> Graph:
    nodes = tuple(
        Node(number, "Positive", OPINION, (anchor,))
        for number, anchor in enumerate(anchors)
    )
    return Graph(item, "sentiment", text="unhelpful and loud", nodes=nodes)


def chains(item: str, *sizes: int) -> Graph:
    """A document whose entities have so many mentions."""
    ends = [size for entity, number in enumerate(sizes) for size in [entity] * number]
    mentions = [
        Node(place, None, MENTION, (Anchor(5 * place, 5 * place + 4),))
        for place in range(len(ends))
    ]
    entities = [Node(f"e{number}", None, ENTITY) for number in range(len(sizes))]
    edges = tuple(Edge(f"e{end}", at, "mention") for at, end in enumerate(ends))
    nodes = (*mentions, *entities)
    text = "word " * len(ends)
    return Graph(item, "coref", document=item, text=text, nodes=nodes, edges=edges)


def templates(number: int, typed: bool, words: str = "w{:06}") -> Graph:
    """A document of so many templates, each with a filler of its own."""
    said = [words.format(place) for place in range(number)]
    nodes: list[Node] = []
    edges: list[Edge] = []
    start = 0
    for place, word in enumerate(said):
        anchor = Anchor(start, start + len(word))
        start = anchor.end + 1
        nodes.append(Node(f"m{place}", None, MENTION, (anchor,)))
        nodes.append(Node(f"e{place}", None, ENTITY))
        nodes.append(Node(f"t{place}", "bomb" if typed else None, TEMPLATE))
        edges.append(Edge(f"e{place}", f"m{place}", "mention"))
        edges.append(Edge(f"t{place}", f"e{place}", "Victim"))
    text = " ".join(said)
    return Graph("1", "template", text=text, nodes=tuple(nodes), edges=tuple(edges))


def test_an_expression_inside_a_token_is_named() -> None:
    graphs = [opinions("a", Anchor(0, 9)), opinions("b", Anchor(2, 9), Anchor(0, 9))]
    [shortfall] = shortfalls(graphs)
    assert (shortfall.graph.id, shortfall.line, shortfall.node) == ("b", 2, 0)
    assert shortfall.message == (
        "against itself 1 of 2 tuples by sentiment, expected all; not found: tuples "
        "Positive 'helpful', which begins inside 'unhelpful'"
    )


def test_only_the_first_shortfalls_name_their_errors() -> None:
    graphs = [opinions(str(number), Anchor(2, 9)) for number in range(4)]
    found = shortfalls(graphs, most=2)
    assert ["not found" in each.message for each in found] == [True, True, False, False]
    assert all("not found" in each.message for each in shortfalls(graphs, most=None))


def test_means_without_a_tuple_type_are_told_of_the_file() -> None:
    [one] = shortfalls([chains("d", 1, 1)])
    assert one.graph.id == "d"
    assert one.message == (
        "against itself F1 0.6667 by conll, expected 1: it is a mean, and nothing "
        "counts for muc"
    )
    [several] = shortfalls([chains("d", 1, 1), chains("e", 1)])
    assert (several.graph.id, several.line) == ("", None)
    # Elsewhere in the file there is a link.
    assert shortfalls([chains("d", 1, 1), chains("e", 2)]) == []


def test_a_search_that_ended_says_that_nothing_is_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def ended(task: Task) -> list[Timed]:
        [timed] = run_task(task)
        raw_counts = {
            key: number
            for key, number in timed.outcome.raw_counts.items()
            if key[2] not in ("matched", "equal")
        }
        outcome = msgspec.structs.replace(
            timed.outcome, raw_counts=raw_counts, proven=False, steps=12_000
        )
        return [timed._replace(outcome=outcome)]

    node = Node(0, "PER", MENTION, (Anchor(0, 5),))
    graph = Graph("1", "ner", text="Jenny", nodes=(node,))
    assert shortfalls([graph]) == []
    monkeypatch.setattr(selfscores, "run_task", ended)
    [shortfall] = shortfalls([graph])
    assert shortfall.message == (
        "against itself not known: the search of ner ended after 12,000 steps without "
        "a proof, with 0 of 1 strict by ner, expected all"
    )


def test_nothing_to_score_falls_short_of_nothing() -> None:
    assert shortfalls([Graph("1", "ner", text="x"), Graph("2", "template")]) == []


@pytest.mark.parametrize("typed", [True, False])
def test_many_templates_take_linear_time(typed: bool) -> None:
    # Work on all pairs took 194 s for 500 of one type.
    start = time.process_time()
    assert shortfalls([templates(2_000, typed)]) == []
    assert shortfalls([templates(2_000, typed, "word")]) == []
    assert time.process_time() - start < 20


def test_many_opinions_take_linear_time() -> None:
    number = 4_000
    nodes = tuple(
        Node(place, "Positive", OPINION, (Anchor(5 * place, 5 * place + 4),))
        for place in range(number)
    )
    start = time.process_time()
    text = "word " * number
    assert shortfalls([Graph("1", "sentiment", text=text, nodes=nodes)]) == []
    assert time.process_time() - start < 8


FILES = sorted(
    path
    for path in (ROOT / "data").rglob("*")
    if path.suffix in {".mrp", ".jsonl", ".json", ".iob2", ".conllu", ".key", ".ann"}
)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_files_of_the_sample_reach_1(path: Path) -> None:
    graphs = [
        each.graph for each in read_file(str(path)) if isinstance(each, ReadGraph)
    ]
    assert [each.message for each in shortfalls(graphs)] == []
