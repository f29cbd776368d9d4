"""Every deliberate difference from mtool, as docs/metrics/meaning/mrp.md lists them.

What mtool does is stated in each test's comment; the revision is 4cee3a2.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from graphscore.evaluation.options import Options
from graphscore.evaluation.result import Result
from graphscore.evaluation.scoring import score_files
from graphscore.exceptions import InputError, PairingError
from graphscore.metrics.registry import parse
from graphscore.model.graph import Anchor, Edge, Graph, Node
from tests.conftest import metric_page

A, B = Node(0, "a"), Node(1, "b")


def run(gold: Any, system: Any, metric: str = "mrp", **rest: Any) -> Result:
    gold, system = (
        [each] if isinstance(each, Graph) else each for each in (gold, system)
    )
    options = Options(per_item=True, details=True, **rest)
    [result] = score_files(gold, system, [parse(metric)], options)
    return result


def graph(*nodes: Node, **rest: Any) -> Graph:
    rest = {"id": "1", "framework": "amr"} | rest
    return Graph(nodes=nodes, **rest)


def write(path: Path, *records: Any) -> str:
    lines = [each if isinstance(each, str) else json.dumps(each) for each in records]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def record(item: str = "1", **rest: Any) -> dict[str, Any]:
    nodes = [{"id": 0, "label": "a"}]
    return {"id": item, "framework": "eds", "nodes": nodes} | rest


# Reading.


def test_repeated_edges_keep_the_attributes_of_all() -> None:
    # mtool: the second edge is dropped at reading, with its attributes.
    edges = (
        Edge(0, 1, "E", attributes=(("x", 1),)),
        Edge(0, 1, "E", attributes=(("y", 2),)),
    )
    gold = graph(A, B, framework="ucca", edges=edges)
    system = graph(A, B, framework="ucca", edges=edges[::-1])
    assert run(gold, system).counts["attributes"][:3] == (2, 2, 2)
    assert run(gold, system, "mrp(preset=mtool)").counts["attributes"][:3] == (1, 1, 0)


def test_wiki_and_repeated_properties_are_kept_in_amr() -> None:
    # mtool: its AMR reader drops :wiki and keeps the last of a repeated role.
    node = Node(0, "a", (("wiki", "Q1"), ("op1", "x"), ("op1", "y")))
    one = graph(node)
    assert run(one, one).counts["properties"][:3] == (3, 3, 3)
    assert run(one, one, "mrp(preset=mtool)").counts["properties"][:3] == (1, 1, 1)


def test_consist_of_and_subset_of_are_not_inverted() -> None:
    # mtool: a missing comma in its list of exceptions turns both round.
    for label in ("consist-of", "subset-of"):
        gold = graph(A, B, edges=(Edge(0, 1, label),))
        system = graph(A, B, edges=(Edge(1, 0, label[:-3]),))
        assert run(gold, system).counts["edges"].matched == 0
        assert run(gold, system, "mrp(preset=mtool)").counts["edges"].matched == 1


def test_a_bad_system_record_is_reported_and_scored_as_missing(tmp_path: Path) -> None:
    # mtool: "ignoring line", and the graph counts as missing; the same counts.
    gold = write(tmp_path / "gold.mrp", record("1"), record("2"))
    system = write(tmp_path / "system.mrp", record("1"), record("2", tops=[7]))
    result = run(gold, system)
    assert (result.pairs, result.missing_system, result.rejected_records) == (2, 1, 1)
    assert result.counts["all"][:3] == (2, 1, 1)
    assert "system.mrp:2: $.tops[0]: found 7" in str(result.rejected[0])


def test_a_bad_gold_record_is_refused(tmp_path: Path) -> None:
    # mtool: ignores the line, and with it the system's graph.
    gold = write(tmp_path / "gold.mrp", record("1"), record("2", tops=[7]), "{")
    with pytest.raises(InputError) as caught:
        run(gold, write(tmp_path / "system.mrp", record("1")))
    assert [problem.line for problem in caught.value.problems] == [2, 3]


def test_a_graph_needs_no_time_stamp(tmp_path: Path) -> None:
    # mtool: a record without "time" is ignored.
    gold = write(tmp_path / "gold.mrp", record("1"))
    assert run(gold, gold).f1 == 1.0


def test_names_and_values_of_different_length_are_refused(tmp_path: Path) -> None:
    # mtool: names without values are not normalised, and crash the comparison.
    bad = record("2", nodes=[{"id": 0, "properties": ["pos"]}])
    gold = write(tmp_path / "gold.mrp", record("1"), bad)
    with pytest.raises(InputError, match="1 properties and 0 values"):
        run(gold, gold)


def test_gold_duplicates_are_refused_naming_both_lines(tmp_path: Path) -> None:
    # mtool: the last one wins.
    gold = write(tmp_path / "gold.mrp", record("1"), record("2"), record("1"))
    with pytest.raises(InputError) as caught:
        run(gold, write(tmp_path / "system.mrp", record("1")))
    message = str(caught.value)
    assert "gold.mrp:3: id: found '1' (eds) a second time" in message
    assert "gold.mrp:1)" in message


def test_of_system_duplicates_the_first_counts_and_the_rest_is_rejected(
    tmp_path: Path,
) -> None:
    # mtool: the first counts too; the others are ignored with a word on stderr.
    gold = write(tmp_path / "gold.mrp", record("1"))
    other = record("1", nodes=[{"id": 0, "label": "z"}])
    result = run(gold, write(tmp_path / "system.mrp", record("1"), other))
    assert result.f1 == 1.0
    assert result.rejected_records == 1
    assert "system.mrp:2" in str(result.rejected[0])
    assert "system.mrp:1)" in str(result.rejected[0])


# Normalisation.


def test_a_text_on_one_side_is_borrowed_by_the_other() -> None:
    # mtool: compares character sets with ranges, so anchors never match.
    mine = graph(Node(0, anchors=(Anchor(0, 4),)), text="Wait, no", framework="eds")
    theirs = graph(Node(0, anchors=(Anchor(0, 5),)), framework="eds")
    assert run(mine, theirs).counts["anchors"][:3] == (1, 1, 1)
    assert run(theirs, mine).counts["anchors"][:3] == (1, 1, 1)


def test_anchors_with_a_gap_need_no_text() -> None:
    # mtool: dies on a node with two ranges in a graph without text.
    one = graph(Node(0, anchors=(Anchor(0, 2), Anchor(5, 7))), framework="eds")
    two = graph(
        Node(0, anchors=(Anchor(5, 7), Anchor(0, 1), Anchor(1, 2))), framework="eds"
    )
    assert run(one, two).counts["anchors"][:3] == (1, 1, 1)


def test_every_kind_of_white_space_is_invisible() -> None:
    # mtool: only blank, tab, new line and form feed.
    text = "a\u00a0b"
    one = graph(Node(0, anchors=(Anchor(0, 3),)), text=text, framework="eds")
    two = graph(
        Node(0, anchors=(Anchor(0, 1), Anchor(2, 3))), text=text, framework="eds"
    )
    assert run(one, two).counts["anchors"].matched == 1


def test_a_null_value_is_spelt_as_in_json() -> None:
    # mtool: as Python spells it, "none".
    gold = graph(Node(0, None, (("x", None),)))
    for spelling, matched in (("null", 1), ("None", 0)):
        system = graph(Node(0, None, (("x", spelling),)))
        found = Graph("2", "amr", nodes=(A,))
        result = run([gold, found], [system, found])
        assert result.counts["properties"].matched == matched


# Pairing.


def test_a_graph_without_language_pairs_with_the_only_partner() -> None:
    # mtool: a gold graph without language is lost if the system's has one.
    plain, english = graph(A), graph(A, language="eng")
    for gold, system in ((plain, english), (english, plain)):
        assert run(gold, system).f1 == 1.0


def test_an_ambiguous_language_is_an_error() -> None:
    # mtool: a system graph without language counts as English.
    gold = [graph(A, language="eng"), graph(A, language="deu")]
    for order in (gold, gold[::-1]):
        with pytest.raises(PairingError, match="ambiguous"):
            run(order, graph(A))


def test_spurious_system_graphs_are_listed_and_not_scored() -> None:
    # mtool: ignores them without a word.
    result = run(graph(A), [graph(A), graph(A, B, id="99")])
    assert result.counts["all"][:3] == (1, 1, 1)
    assert [each.item for each in result.spurious_system] == ["99"]


def test_a_framework_that_the_system_lacks_is_named() -> None:
    gold = [graph(A), graph(A, framework="eds")]
    result = run(gold, graph(A))
    assert any("no eds graphs" in note for note in result.notes)
    assert result.counts["all"][:3] == (2, 1, 1)


# Counts and search.


def test_an_empty_gold_graph_charges_the_system() -> None:
    # mtool: the run aborts.
    gold = [graph(id="0"), graph(A)]
    result = run(gold, [graph(A, B, id="0"), graph(A)])
    assert result.counts["labels"][:3] == (1, 3, 1)
    assert result.proven == 2


def test_the_search_values_edge_attributes_only_with_their_edge() -> None:
    # mtool: its search credits an attribute under any label, the score does not.
    marked = (("remote", True),)
    nodes = tuple(Node(k) for k in range(4))
    gold = graph(
        *nodes,
        framework="ucca",
        edges=(Edge(0, 1, "A", attributes=marked),),
    )
    system = graph(
        *nodes,
        framework="ucca",
        edges=(Edge(0, 1, "D", attributes=marked), Edge(2, 3, "A")),
    )
    result = run(gold, system)
    assert result.counts["edges"].matched == 1
    assert result.counts["attributes"].matched == 0


def test_a_self_loop_only_matches_a_self_loop() -> None:
    # mtool: its search credits a loop against an edge, the score does not.
    gold = graph(A, B, edges=(Edge(0, 0, "E"),))
    assert run(gold, graph(A, B, edges=(Edge(0, 1, "E"),))).counts["edges"].matched == 0
    assert run(gold, graph(B, A, edges=(Edge(0, 0, "E"),))).counts["edges"].matched == 1


def test_the_search_values_nothing_that_is_not_counted() -> None:
    # mtool: its search credits a pair of nodes that are both unlabelled.
    gold = graph(Node(0), Node(1), framework="ucca")
    other = graph(A, id="2")
    result = run([gold, other], [graph(Node(5), framework="ucca"), other])
    assert result.counts["labels"][:3] == (1, 1, 1)
    assert result.items[0].score == result.items[0].bound == 0


def test_maps_of_ucca_may_join_leaves_with_inner_nodes() -> None:
    # mtool: rejects such pairs while searching, so its optimum can be lower.
    edges = (Edge(0, 1, "E"),)
    inner = graph(Node(0, "x"), Node(1), framework="ucca", edges=edges, tops=(0,))
    leaf = graph(Node(0), Node(1, "x"), framework="ucca", edges=edges, tops=(1,))
    result = run(inner, leaf)
    assert result.items[0].proven
    assert result.counts["all"].matched == 2


# What is the same, although it might surprise.


def test_an_empty_edge_label_is_an_absent_one_on_either_side() -> None:
    gold = graph(A, B, edges=(Edge(0, 1, ""),))
    assert run(gold, graph(A, B, edges=(Edge(0, 1),))).counts["edges"].matched == 1


def test_an_empty_node_label_counts_as_a_label() -> None:
    gold = graph(Node(0, ""), Node(1))
    assert run(gold, graph(Node(0, ""), Node(1))).counts["labels"][:3] == (1, 1, 1)


def test_tops_count_without_labels() -> None:
    gold = graph(Node(0), Node(1, "b"), tops=(0,))
    assert run(gold, gold).counts["tops"][:3] == (1, 1, 1)
    other = graph(Node(0, "c"), Node(1, "b"), tops=(0,))
    assert run(gold, other).counts["tops"].matched == 1


def test_emptied_anchors_match_one_another() -> None:
    one = graph(Node(0, anchors=(Anchor(0, 1),)), text="?!", framework="eds")
    two = graph(Node(0, anchors=(Anchor(1, 2),)), text="?!", framework="eds")
    assert run(one, two).counts["anchors"][:3] == (1, 1, 1)


def test_the_mod_role_is_inverted_only_in_lower_case() -> None:
    gold = graph(A, B, edges=(Edge(0, 1, "mod"), Edge(0, 1, "Mod")))
    system = graph(A, B, edges=(Edge(1, 0, "domain"), Edge(0, 1, "mod-x")))
    assert run(gold, system).counts["edges"][:3] == (2, 2, 1)


def test_a_full_stop_before_a_gap_is_trimmed() -> None:
    text = "Nov. 29"
    one = graph(Node(0, anchors=(Anchor(0, 7),)), text=text, framework="eds")
    two = graph(
        Node(0, anchors=(Anchor(0, 4), Anchor(5, 7))), text=text, framework="eds"
    )
    assert run(one, two).counts["anchors"].matched == 0
    assert run(one, two, "mrp(trim=anchor)").counts["anchors"].matched == 1


# The page and these tests name the same differences.


def test_the_page_names_exactly_these_tests() -> None:
    page = metric_page("mrp")
    named = set(re.findall(r"`(test_\w+)`", page))
    here = {name for name in globals() if name.startswith("test_")}
    assert named == here - {test_the_page_names_exactly_these_tests.__name__}
