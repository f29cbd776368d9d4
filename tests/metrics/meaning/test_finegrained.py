"""The fine-grained AMR scores: what each tuple type sees, and what always holds."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import msgspec
import pytest
from hypothesis import given

from graphscore.evaluation.scoring import score_files
from graphscore.metrics.base import takes
from graphscore.metrics.meaning.finegrained import MAPPED, SETS, Finegrained
from graphscore.metrics.registry import parse
from graphscore.model.graph import Edge, Graph, Node
from tests.metrics.meaning.pieces import counts
from tests.metrics.meaning.pieces import outcome as compare
from tests.strategies import graph_pairs

METRICS = [Finegrained(), Finegrained(preset="damonte")]
every_metric = pytest.mark.parametrize("metric", METRICS, ids=str)


def amr(*nodes: Node, **rest: object) -> Graph:
    return Graph("1", "amr", 2, nodes=nodes, **rest)  # type: ignore[arg-type]


BOY = amr(
    Node("w", "want-01", (("polarity", "-"),)),
    Node("b", "boy"),
    Node("g", "go-02"),
    Node("c", "city", (("wiki", "Rome"),)),
    Node("n", "name", (("op1", "Rome"),)),
    edges=(
        Edge("w", "b", "ARG0"),
        Edge("w", "g", "ARG1"),
        Edge("g", "b", "ARG0"),
        Edge("g", "c", "destination"),
        Edge("c", "n", "name"),
    ),
    tops=("w",),
)
"""The boy does not want to go to Rome."""


def test_what_each_tuple_type_counts() -> None:
    sizes = {
        tuple_type: count[0]
        for tuple_type, count in counts(BOY, BOY, "finegrained").items()
    }
    assert sizes == {
        "unlabeled": 14,
        "no_wsd": 14,
        "concepts": 5,
        "named_entities": 1,
        "negation": 1,
        "wikification": 1,
        # want-01, go-02, boy and two edges to boy.
        "reentrancies": 5,
        # The same three nodes, and go as ARG1 of want.
        "srl": 6,
        "all": 14,
    }


def changed(graph: Graph, place: int, **fields: object) -> Graph:
    nodes = list(graph.nodes)
    nodes[place] = msgspec.structs.replace(nodes[place], **fields)
    return msgspec.structs.replace(graph, nodes=tuple(nodes))


def lost(gold: Graph, system: Graph) -> dict[str, int | float]:
    """Gold pieces that are not matched, of the tuple types that have any."""
    found = counts(gold, system, "finegrained")
    missing = {tuple_type: each[0] - each[2] for tuple_type, each in found.items()}
    return {tuple_type: amount for tuple_type, amount in missing.items() if amount}


def test_a_wrong_sense_is_no_error_without_senses() -> None:
    system = changed(BOY, 2, label="go-01")
    assert "no_wsd" not in lost(BOY, system)
    assert lost(BOY, system)["concepts"] == 1
    system = changed(BOY, 2, label="leave-02")
    assert lost(BOY, system)["no_wsd"] == 1


def test_a_wrong_role_is_no_error_without_labels() -> None:
    edges = (Edge("w", "b", "ARG2"), *BOY.edges[1:])
    system = msgspec.structs.replace(BOY, edges=edges)
    assert lost(BOY, system) == {"no_wsd": 1, "reentrancies": 1, "srl": 1}


def test_negation_names_and_links_are_found_by_what_carries_them() -> None:
    assert lost(BOY, changed(BOY, 0, properties=()))["negation"] == 1
    link = lost(BOY, changed(BOY, 3, properties=(("wiki", "-"),)))
    assert link == {"unlabeled": 1, "no_wsd": 1, "wikification": 1, "all": 1}
    other = lost(BOY, changed(BOY, 3, label="country"))
    assert other["named_entities"] == 1
    errors = compare(
        BOY, changed(BOY, 3, properties=(("wiki", "-"),)), "finegrained"
    ).errors
    found = [e for e in errors if e.tuple_type == "wikification"]
    assert [(e.error_type, e.gold, e.system, e.value) for e in found] == [
        ("missing", 3, None, "Rome"),
        ("spurious", None, 3, "-"),
    ]


def test_modified_nodes_are_no_reentrancies() -> None:
    nodes = Node(0, "see-01"), Node(1, "dog"), Node(2, "big")
    for role in (Edge(1, 2, "mod"), Edge(1, 2, "mod", "domain")):
        graph = amr(*nodes, edges=(Edge(0, 1, "ARG1"), role))
        assert counts(graph, graph, "finegrained")["reentrancies"] == (0, 0, 0)


def test_inverted_arguments_are_arguments() -> None:
    nodes = Node(0, "dog"), Node(1, "see-01")
    one = amr(*nodes, edges=(Edge(0, 1, "ARG1-of", "ARG1"),))
    two = amr(*nodes, edges=(Edge(1, 0, "ARG1"),))
    assert counts(one, two, "finegrained")["srl"] == (3, 3, 3)
    assert counts(one, two, "finegrained")["unlabeled"] == (3, 3, 3)
    # The script takes labels off the text, and with them the inversion.
    turned = counts(one, two, "finegrained(preset=damonte)")
    assert turned["unlabeled"] == (3, 3, 2)


def test_the_script_compares_values_as_written_and_adds_target_concepts() -> None:
    upper = changed(BOY, 3, properties=(("wiki", "ROME"),))
    assert counts(BOY, upper, "finegrained")["wikification"] == (1, 1, 1)
    damonte = "finegrained(preset=damonte)"
    assert counts(BOY, upper, damonte)["wikification"] == (1, 1, 0)
    assert counts(BOY, BOY, damonte)["reentrancies"] == (7, 7, 7)
    assert counts(BOY, BOY, damonte)["srl"] == (9, 9, 9)


def test_repeated_triples_count_once_in_sets_and_often_in_triples() -> None:
    twice = amr(Node(0, "a"), Node(1, "A"), Node(2, "b"))
    found = counts(twice, twice, "finegrained")
    assert found["concepts"] == (2, 2, 2)
    assert found["no_wsd"] == (3, 3, 3)


def test_graphs_of_triples_are_scored_and_others_where_they_are_named() -> None:
    assert all(takes(Finegrained(), x) for x in ("amr", "umr", "sbn", "drg"))
    assert not takes(Finegrained(), "dm")
    assert takes(Finegrained(), "dm", ["dm"])


@every_metric
@given(graph_pairs(4))
def test_raw_counts_and_errors_agree(
    metric: Finegrained, pair: tuple[Graph, Graph]
) -> None:
    gold, system = pair
    outcome = compare(gold, system, metric)
    sides = Counter((each.tuple_type, each.error_type) for each in outcome.errors)
    for tuple_type in (*MAPPED, *SETS):
        count = metric.scores(outcome.raw_counts).counts[tuple_type]
        if metric.preset == "none" or tuple_type in SETS:
            assert sides[(tuple_type, "missing")] == count.gold - count.matched
            assert sides[(tuple_type, "spurious")] == count.system - count.matched
    assert outcome.score == outcome.bound


def test_the_script_applied_to_the_text_gives_the_same_score(
    conformance: Path, tmp_path: Path
) -> None:
    """Labels and senses taken off the files, as ``evaluation.sh`` does it."""
    folder = conformance / "mrp" / "amr"
    changes = {
        "unlabeled": lambda text: re.sub(r":[a-zA-Z0-9-]+ ", ":label ", text),
        "no_wsd": lambda text: re.sub(r"(/ [^ ()]*?)-[0-9]+(?=[ )\n])", r"\1-01", text),
    }
    paths = [str(folder / f"coli500.{side}.amr") for side in ("gold", "system")]
    [whole] = score_files(*paths, [parse("finegrained(preset=damonte)")])
    assert whole.unproven == 0
    for tuple_type, change in changes.items():
        written = []
        for side in ("gold", "system"):
            lines = (folder / f"coli500.{side}.amr").read_text().splitlines(True)
            text = "".join(x if x.startswith("#") else change(x) for x in lines)
            target = tmp_path / f"{tuple_type}.{side}.amr"
            target.write_text(text)
            written.append(str(target))
        metric = "smatch(spelling=smatch,duplicates=pairs,preset=none)"
        [result] = score_files(*written, [parse(metric)])
        assert result.counts["all"][:3] == whole.counts[tuple_type][:3]
