"""Coreference as it is published, against the scores of the field's own scorers.

Numerators and denominators bind; those that are sums of fractions to 12 digits.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from graphscore import Count, Graph, read_file, score
from graphscore.formats.base import ReadGraph
from graphscore.structures.layout import ENTITY, MENTION, nodes_of
from tests.conftest import CONFORMANCE
from tests.wild import IE, expected, graphs_of, needs_wild

pytestmark = needs_wild
CASES = expected(IE)

METRICS = {
    "mentions": ("mentions", "mentions"),
    "muc": ("muc", "all"),
    "bcub": ("b3", "all"),
    "b3": ("b3", "all"),
    "ceafm": ("ceafm", "all"),
    "ceafe": ("ceafe", "all"),
    "lea": ("lea", "all"),
    "blanc_coreference_links": ("blanc", "coreference"),
    "blanc_non_coreference_links": ("blanc", "noncoreference"),
}
"""What the scorers call it, and our metric and tuple type."""


def contents(found: list[Graph]) -> dict[str, int]:
    """What is in documents of coreference."""
    sizes = [
        size
        for graph in found
        for size in Counter(
            edge.source for edge in graph.edges if edge.label == MENTION
        ).values()
    ]
    return {
        "documents": len(found),
        "words": sum(len(graph.tokens) for graph in found),
        "mentions": sum(len(list(nodes_of(graph, MENTION))) for graph in found),
        "entities": sum(len(list(nodes_of(graph, ENTITY))) for graph in found),
        "singletons": sizes.count(1),
    }


def check_contents(found: list[Graph], wanted: dict[str, int]) -> None:
    """Compare what is there with what was counted."""
    counts = contents(found)
    assert {key: counts[key] for key in counts.keys() & wanted.keys()} == {
        key: wanted[key] for key in counts.keys() & wanted.keys()
    }
    if "sentences" in wanted:
        sizes = [graph.extra.get("sentences") for graph in found]
        if all(sizes):
            assert sum(map(len, filter(None, sizes))) == wanted["sentences"]


def check(found: Count, wanted: dict[str, Any]) -> None:
    """Compare amounts and the F1 with a scorer's."""
    mine = (found.matched, found.gold, found.correct_system, found.system)
    theirs = *wanted["recall"], *wanted["precision"]
    for one, two in zip(mine, theirs, strict=True):
        assert one == pytest.approx(two, rel=1e-12, abs=1e-12)
    assert found.f1 == pytest.approx(wanted["f1"], rel=1e-12, abs=1e-12)


def check_all(
    gold: Path | str, system: Path | str, wanted: dict[str, Any], options: str = ""
) -> None:
    """Compare all that a scorer says of two sides, and the mean of three."""
    names = sorted({METRICS[each][0] for each in wanted if each in METRICS})
    for name in (*names, "conll"):
        parameters = f"({options})" if options else ""
        result = score(str(gold), str(system), f"{name}{parameters}")
        assert not result.rejected
        if name == "conll":
            b3 = wanted.get("bcub") or wanted["b3"]
            three = [wanted["muc"]["f1"], b3["f1"], wanted["ceafe"]["f1"]]
            assert result.f1 == pytest.approx(sum(three) / 3, rel=1e-12, abs=1e-12)
        for each, (metric, tuple_type) in METRICS.items():
            if metric == name and each in wanted:
                # A class of links that no side has has no count.
                found = result.counts.get(tuple_type, Count(0, 0, 0))
                check(found, wanted[each])
        if name == "blanc" and "blanc" in wanted:
            check_blanc(result.counts["all"], wanted, options)


def check_blanc(found: Count, wanted: dict[str, Any], options: str) -> None:
    """Compare the mean of the classes of links."""
    classes = ("blanc_coreference_links", "blanc_non_coreference_links")
    if not options and not all(wanted[each]["recall"][1] for each in classes):
        # By default a class counts that only the system has, too.
        return
    for name in ("recall", "precision"):
        ratio = getattr(found, name)
        assert ratio == pytest.approx(wanted["blanc"][name][0], rel=1e-12, abs=1e-12)
    assert found.f1 == pytest.approx(wanted["blanc"]["f1"], rel=1e-12, abs=1e-12)


def documents(*names: str) -> list[Any]:
    """The files of cases, with what is said of them."""
    found = []
    for name in names:
        case = CASES.get(name, {"gold": [], "system": []})
        for gold, system in zip(case["gold"], case["system"], strict=True):
            found.append(pytest.param(name, gold, system, id=Path(gold).name))
    return found


GUM = CASES.get("gum_conllu", {}).get("content", {"gold": {"per_file": {}}})


@pytest.mark.parametrize("side", ["gold", "system"])
@pytest.mark.parametrize("name", GUM["gold"]["per_file"])
def test_what_gum_holds(side: str, name: str) -> None:
    wanted = GUM[side]["per_file"][name]
    every = [*read_file(str(IE / "gum" / side / name))]
    found = [each.graph for each in every if isinstance(each, ReadGraph)]
    assert len(found) == len(every)
    assert sum(graph.framework == "ud" for graph in found) == wanted["sentences"]
    [graph] = [graph for graph in found if graph.framework == "coref"]
    assert graph.id == graph.document == Path(name).stem
    check_contents([graph], wanted)
    labels = Counter(str(edge.label).partition(":")[0] for edge in graph.edges)
    # An entity with two antecedents has one split antecedent of two links.
    split = {edge.source for edge in graph.edges if edge.label == "split_antecedent"}
    assert (labels["bridging"], len(split)) == (
        *(wanted["bridging"], wanted["split_antecedents"]),
    )
    empty = [
        node
        for graph in found
        if graph.framework == "eud"
        for node in graph.nodes
        if not node.anchors
    ]
    assert len(empty) == wanted["empty_nodes"]
    parts = [len(node.anchors) for node in nodes_of(graph, MENTION)]
    assert sum(each - 1 for each in parts if each) == wanted["discontinuous_parts"]


@pytest.mark.parametrize("options", ["keep", "drop"])
def test_gum_scores_as_with_the_corefud_scorer(options: str) -> None:
    wanted = CASES["gum_conllu"]["reference"][f"exact_singletons_{options}"]
    sides = IE / "gum" / "gold", IE / "gum" / "system"
    check_all(*sides, wanted, f"singletons={options}")
    blanc = score(*map(str, sides), f"blanc(singletons={options})")
    assert blanc.f1 == pytest.approx(wanted["blanc_f1"], rel=1e-12, abs=0)


FILES = ("litbank_conll", "ontogum_conll")


@pytest.mark.parametrize(("name", "gold", "system"), documents(*FILES))
def test_what_files_hold(name: str, gold: str, system: str) -> None:
    wanted = CASES[name]["content"]["gold"]["per_file"][Path(gold).name]
    found = graphs_of(IE / gold, "coref")
    check_contents(found, wanted)
    stem = Path(gold).stem
    assert [(each.id, each.document) for each in found] == [(f"{stem}/0", stem)]


@pytest.mark.parametrize("name", FILES)
def test_what_collections_hold(name: str) -> None:
    case = CASES[name]
    for side in ("gold", "system"):
        wanted = case["content"][side].get("total", case["content"][side])
        check_contents(
            [graph for each in case[side] for graph in graphs_of(IE / each, "coref")],
            wanted,
        )


@pytest.mark.parametrize(("name", "gold", "system"), documents(*FILES))
def test_documents_score_as_with_the_reference_scorer(
    name: str, gold: str, system: str
) -> None:
    wanted = CASES[name]["reference"]["per_document"][Path(gold).name]
    options = ["preset=perl"]
    if wanted["mentions"]["recall"][1] == wanted["bcub"]["recall"][1]:
        # No mention of gold is repeated.
        options.append("")
    for each in options:
        check_all(IE / gold, IE / system, wanted, each)


PAIRS = [
    pytest.param(pair, id=Path(pair["response"]).name)
    for pair in CASES.get("coref_edge", {"pairs": []})["pairs"]
]


@pytest.mark.parametrize("pair", PAIRS)
def test_test_documents_of_two_scorers(pair: dict[str, Any]) -> None:
    for side in ("key", "response"):
        check_contents(graphs_of(IE / pair[side], "coref"), pair["content"][side])
    wanted = {**pair["scorer_pl"], "lea": pair["lea"]}
    for options in ("", "preset=perl"):
        check_all(IE / pair["key"], IE / pair["response"], wanted, options)


@pytest.mark.parametrize("name", CASES.get("conll2012", {"files": {}})["files"])
def test_whole_tables(name: str) -> None:
    check_contents(
        graphs_of(IE / name, "coref"), CASES["conll2012"]["files"][name]["content"]
    )


def test_folders_score_as_with_the_reference_scorer() -> None:
    litbank = CASES["litbank_conll"]["reference"]["all_documents"]
    for options in ("", "preset=perl"):
        check_all(IE / "litbank" / "gold", IE / "litbank" / "system", litbank, options)
    sides = IE / "ontogum" / "gold", IE / "ontogum" / "system"
    ontogum = CASES["ontogum_conll"]["reference"]["all_documents"]
    check_all(*sides, ontogum, "preset=perl")


def test_all_but_the_repeated_score_alike(tmp_path: Path) -> None:
    case = CASES["ontogum_conll"]
    for side in ("gold", "system"):
        (tmp_path / side).mkdir()
        for each in case[side]:
            if "poetry_raven" not in each:
                path = IE / each
                (tmp_path / side / path.name).write_bytes(path.read_bytes())
    sides = tmp_path / "gold", tmp_path / "system"
    for options in ("", "preset=perl"):
        check_all(*sides, case["reference"]["all_but_the_repeated"], options)


def test_a_note_names_the_preset_for_repeated_spans() -> None:
    sides = str(IE / "ontogum" / "gold"), str(IE / "ontogum" / "system")
    [note] = score(*sides, "conll").notes
    assert "1 of gold, 0 of the system" in note
    assert "preset=perl" in note
    assert score(*sides, "conll(preset=perl)").notes == []
    for name in ("litbank", "gum"):
        sides = str(IE / name / "gold"), str(IE / name / "system")
        assert not [each for each in score(*sides, "conll").notes if "perl" in each]


def conformance() -> list[Any]:
    """The test documents of the reference scorer."""
    folder = CONFORMANCE / "coref"
    path = folder / "expected.json"
    cases = json.loads(path.read_text()) if path.is_file() else {}
    return [
        pytest.param(
            folder / "tc" / case["key"], folder / "tc" / case["response"], case, id=name
        )
        for name, case in cases.items()
        if name != "_meta"
    ]


@pytest.mark.parametrize(("gold", "system", "case"), conformance())
def test_defaults_are_the_reference_scorer_without_repeated_mentions(
    gold: Path, system: Path, case: dict[str, Any]
) -> None:
    repeated = [
        note
        for note in score(str(gold), str(system), "mentions").notes
        if "perl" in note
    ]
    options = "preset=perl" if repeated else ""
    names = {**METRICS, "blanc_c": ("blanc", "coreference")}
    names["blanc_n"] = "blanc", "noncoreference"
    for name, (metric, tuple_type) in names.items():
        if name not in case:
            continue
        said = f"{metric}({options})" if options else metric
        found = score(str(gold), str(system), said).counts.get(
            tuple_type, Count(0, 0, 0)
        )
        wanted = case[name]
        for mine, key in zip(
            (found.matched, found.gold, found.correct_system, found.system),
            ("r_num", "r_den", "p_num", "p_den"),
            strict=True,
        ):
            assert mine == pytest.approx(wanted[key], rel=1e-12, abs=1e-12), name


PRECO = CASES.get("preco", {"files": []})


@pytest.mark.parametrize("name", PRECO["files"])
def test_preco(name: str) -> None:
    wanted = PRECO["content"]
    [graph] = graphs_of(IE / name, "coref")
    counts = contents([graph])
    assert (graph.id, graph.document) == (wanted["id"], wanted["id"])
    assert len(graph.extra["sentences"]) == wanted["sentences"]
    assert counts["words"] == wanted["tokens"]
    assert counts["entities"] == wanted["clusters"]
    assert {key: counts[key] for key in ("mentions", "singletons", "documents")} == {
        key: wanted[key] for key in ("mentions", "singletons", "documents")
    }
    words: dict[Any, Counter[str]] = {}
    for edge in graph.edges:
        start, end = graph.nodes[graph.ordinals()[edge.target]].anchors[0]
        words.setdefault(edge.source, Counter())[graph.text[start:end]] += 1
    first = Counter(each["words"] for each in wanted["first_cluster"])
    # Four of its eight mentions are listed.
    assert any(first <= each for each in words.values())
    for metric in ("muc", "b3", "lea", "conll", "blanc"):
        assert score(str(IE / name), str(IE / name), metric).f1 == 1
