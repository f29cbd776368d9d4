"""Published named entities: nothing lost, and the scores of seqeval and wnuteval."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from graphscore import Graph, score
from graphscore.evaluation.options import Options, Selection
from graphscore.evaluation.result import Result
from graphscore.formats import ReaderOptions, ReadGraph, expand, read_file
from graphscore.formats.registry import format_named
from tests.wild import IE, expected, needs_wild

pytestmark = needs_wild

CASES = expected(IE)


def graphs(path: str | Path) -> list[Graph]:
    """The graphs of files, none of which may be bad."""
    records = [record for each in expand(str(IE / path)) for record in read_file(each)]
    assert all(isinstance(record, ReadGraph) for record in records)
    return [record.graph for record in records if isinstance(record, ReadGraph)]


def compared(gold: str, system: str, metric: str = "ner", *layers: str) -> Result:
    options = Options(Selection(layers=frozenset(layers)))
    result = score(str(IE / gold), str(IE / system), metric, options=options)
    assert (result.rejected_records, result.missing_system) == (0, 0)
    return result


def counted(found: list[Graph]) -> dict[str, int]:
    return dict(Counter(str(node.label) for each in found for node in each.nodes))


def agree_with_seqeval(result: Result, scores: dict[str, Any]) -> None:
    numbers, count = result.scores.numbers, result.counts["strict"]
    whole = scores["all"]
    amounts = whole["gold"], whole["system"], whole["matched"]
    assert (count.gold, count.system, count.matched) == amounts
    for ratio in ("precision", "recall", "f1"):
        assert getattr(count, ratio) == pytest.approx(whole[ratio], abs=1e-15)
    assert numbers["macro.strict.f1"] == pytest.approx(scores["macro_f1"], abs=1e-15)
    if scores["strict_iob2"]["f1"] == whole["f1"]:
        # Of ill-formed tags seqeval compares the letters, we what they were read as.
        accuracy = pytest.approx(scores["accuracy"], abs=1e-15)
        assert numbers["accuracy"] == accuracy
    types = {name.split(".")[1] for name in numbers if name.endswith(".POS")}
    assert types - {"POS"} == scores["by_type"].keys()
    for name, each in scores["by_type"].items():
        prefix = f"strict.{name}"
        assert numbers[f"{prefix}.POS"] == each["gold"]
        assert numbers[f"{prefix}.ACT"] == each["system"]
        assert numbers[f"{prefix}.COR"] == each["matched"]
        assert numbers[f"{prefix}.f1"] == pytest.approx(each["f1"], abs=1e-15)


WNUT: dict[str, Any] = CASES.get("wnut17", {"systems": {}})


def test_wnut17_is_read_whole() -> None:
    content, found = WNUT["content"], graphs(WNUT["gold"])
    assert len(found) == content["sentences"]
    assert sum(len(each.tokens) for each in found) == content["tokens"]
    assert counted(found) == content["by_type"]
    assert [each.text for each in found[:3]] == content["first_sentences"]


@pytest.mark.parametrize("name", WNUT["systems"])
def test_wnut17_submissions_have_the_scores_of_seqeval(name: str) -> None:
    case = WNUT["systems"][name]
    found = graphs(case["file"])
    assert len(found) == case["content"]["sentences"]
    assert sum(len(each.tokens) for each in found) == case["content"]["tokens"]
    result = compared(WNUT["gold"], case["file"])
    agree_with_seqeval(result, case["seqeval"])
    entities = case["wnuteval"]["entities"]["all"]
    assert result.f1 == pytest.approx(entities["f1"], abs=1e-15)
    same = case["content"]["tokens_as_in_gold"] == case["content"]["tokens"]
    assert any("compared by tokens" in note for note in result.notes) != same


TABLES = [
    (path, case)
    for name in ("wikineural", "wikiann")
    for path, case in CASES.get(name, {"files": {}})["files"].items()
]


@pytest.mark.parametrize(("path", "case"), TABLES, ids=[path for path, _ in TABLES])
def test_an_index_is_no_token(path: str, case: dict[str, Any]) -> None:
    content, found = case["content"], graphs(path)
    assert len(found) == content["sentences"]
    assert sum(len(each.tokens) for each in found) == content["tokens"]
    assert counted(found) == content["by_type"]
    assert [each.text for each in found[:3]] == content["first_texts"]
    agree_with_seqeval(compared(path, case["system"]), case["seqeval"])


GERMEVAL: dict[str, Any] = CASES.get("germeval2014", {})


def test_germeval_has_two_layers() -> None:
    content, found = GERMEVAL["content"], graphs(GERMEVAL["gold"])
    outer = [each for each in found if each.layer == "outer"]
    nested = [each for each in found if each.layer == "nested"]
    assert len(outer) == len(nested) == content["sentences"] == len(found) / 2
    assert sum(len(each.tokens) for each in outer) == content["tokens"]
    assert sum(len(each.nodes) for each in outer) == content["outer_entities"]
    assert sum(len(each.nodes) for each in nested) == content["nested_entities"]
    assert outer[0].text == content["first_text"]


@pytest.mark.parametrize("layer", ["outer", "nested"])
def test_germeval_layers_have_the_scores_of_seqeval(layer: str) -> None:
    scores = GERMEVAL["reference"][layer]
    result = compared(GERMEVAL["gold"], GERMEVAL["system"], "ner", layer)
    agree_with_seqeval(result, scores)
    both = compared(GERMEVAL["gold"], GERMEVAL["system"])
    assert both.by("layer")[(layer,)].counts["strict"].f1 == result.f1
    matched = sum(
        GERMEVAL["reference"][one]["all"]["matched"] for one in ("outer", "nested")
    )
    assert both.main.matched == matched


def test_types_without_letters() -> None:
    case = CASES["fewnerd"]
    [found] = graphs(case["files"][0])
    assert len(found.tokens) == case["content"]["tokens"]
    [node] = found.nodes
    [(start, end)] = node.anchors
    assert node.label == case["content"]["mention"]["type"]
    assert found.text[start:end] == case["content"]["mention"]["words"]


SPANS: dict[str, Any] = CASES.get("spans", {"files": {}})


@pytest.mark.parametrize("name", [n for n in SPANS["files"] if n != "prodigy_system"])
def test_lines_that_begin_with_a_long_text(name: str) -> None:
    content, read = SPANS["content"], graphs(SPANS["files"][name])
    found = [graph for graph in read if graph.framework == "ner"]
    tuple_type = "all" if name.startswith("doccano") else "flat"
    assert [len(each.text) for each in found] == content["characters"]
    assert [len(each.nodes) for each in found] == content[f"{tuple_type}_entities"]
    types = content["types" if tuple_type == "all" else "flat_types"]
    assert counted(found) == types


def test_spans_have_the_exact_scores() -> None:
    files = SPANS["files"]
    result = compared(files["prodigy"], files["prodigy_system"])
    whole = SPANS["reference"]["exact"]["all"]
    count = result.counts["strict"]
    amounts = whole["gold"], whole["system"], whole["matched"]
    assert (count.gold, count.system, count.matched) == amounts
    for name, each in SPANS["reference"]["exact"]["by_type"].items():
        assert result.scores.numbers[f"strict.{name}.COR"] == each["matched"]
        assert result.scores.numbers[f"strict.{name}.ACT"] == each["system"]


def test_genia_sentences_have_their_nested_entities() -> None:
    [(path, content)] = CASES["genia_nested"]["files"].items()
    found = graphs(path)
    assert len(found) == content["sentences"]
    assert sum(len(each.tokens) for each in found) == content["tokens"]
    assert (
        sum(not each.nodes for each in found) == content["sentences_without_mentions"]
    )
    assert counted(found) == content["types"]
    places = [[node.anchors[0] for node in each.nodes] for each in found]
    nested = sum(
        any(a != b and b.start <= a.start and a.end <= b.end for b in each)
        for each in places
        for a in each
    )
    assert nested == content["nested_in_another"]


@pytest.mark.parametrize("name", WNUT["systems"])
def test_surface_forms_are_those_of_wnuteval(name: str) -> None:
    case = WNUT["systems"][name]
    scores = case["wnuteval"]["surface_forms"]
    result = compared(WNUT["gold"], case["file"], "surface")
    count, whole = result.main, scores["all"]
    amounts = whole["gold"], whole["system"], whole["matched"]
    assert (count.gold, count.system, count.matched) == amounts
    for label, each in scores["by_type"].items():
        for quantity in ("gold", "system", "matched"):
            assert result.scores.numbers[f"{label}.{quantity}"] == each[quantity]


PAIRS: dict[str, Any] = CASES.get("nel", {"pairs": {}})["pairs"]


@pytest.mark.parametrize("gold", PAIRS)
def test_linking_is_counted_as_by_neleval(gold: str) -> None:
    case = PAIRS[gold]
    for side, path in (("gold", gold), ("system", case["system"])):
        content, found = case[f"{side}_content"], graphs(path)
        assert len(found) == content["documents"]
        assert counted(found) == content["types"]
    counts = compared(gold, case["system"], "neleval").counts
    for tuple_type, each in case["figures"].items():
        count = counts[tuple_type]
        right = count.correct_system
        found_ = right, count.system - right, count.matched, count.gold - count.matched
        assert found_ == pytest.approx(
            [each[name] for name in ("ptp", "fp", "rtp", "fn")], abs=1e-9
        )
        assert count.precision == pytest.approx(each["precision"], abs=1e-12)
        assert count.recall == pytest.approx(each["recall"], abs=1e-12)
        assert count.f1 == pytest.approx(each["fscore"], abs=1e-12)


def test_tables_of_tac_say_what_neleval_made_of_them() -> None:
    counts = compared("nel/tac_gold.tab", "nel/tac_system.tab", "neleval").counts
    scores = PAIRS["nel/tac_gold.combined.tsv"]["figures"]
    for tuple_type in (
        "strong_typed_all_match",
        "strong_link_match",
        "strong_nil_match",
    ):
        assert counts[tuple_type].matched == scores[tuple_type]["ptp"]
    for name in ("gold", "system"):
        table = graphs(f"nel/tac_{name}.tab")
        lines = graphs(f"nel/tac_{name}.combined.tsv")
        assert [each.id for each in table] == [each.id for each in lines]
        for one, two in zip(table, lines, strict=True):
            assert one.nodes[0].anchors == two.nodes[0].anchors
            assert one.nodes[0].label == two.nodes[0].label


HIPE: dict[str, Any] = CASES.get("hipe2022", {"files": {}, "unit": {}})
DOCUMENTS = {**HIPE["files"], **HIPE["unit"]}


@pytest.mark.parametrize("gold", HIPE["files"])
def test_hipe_is_read_whole(gold: str) -> None:
    content, found = HIPE["files"][gold]["content"], graphs(gold)
    mentions = [each for each in found if each.framework == "ner"]
    assert len(mentions) == content["documents"]
    assert sum(len(each.tokens) for each in mentions) == content["tokens"]


@pytest.mark.parametrize("gold", DOCUMENTS)
def test_hipe_is_written_as_it_was(gold: str) -> None:
    write = format_named("hipe").write
    assert write is not None
    for path in (gold, DOCUMENTS[gold]["system"]):
        data = b"".join(write(graphs(path)))
        # Blank lines at the end of a file are of no document.
        assert data.rstrip(b"\n") == (IE / path).read_bytes().rstrip(b"\n")


SCHEMAS = {"fuzzy": "ent_type", "strict": "strict", "exact": "exact"}


@pytest.mark.parametrize("gold", DOCUMENTS)
def test_hipe_counts_as_its_scorer(gold: str) -> None:
    case = DOCUMENTS[gold]
    options = Options(reading=ReaderOptions(format="hipe-columns"))
    sides = str(IE / gold), str(IE / case["system"])
    by_entities = score(*sides, "hipe", options=options).by("layer")
    by_links = score(*sides, "hipe(mentions=links)", options=options).by("layer")
    for part, found in (
        *((part, by_entities) for part in ("nerc", "nel", "nel_meto")),
        ("nel_original", by_links),
    ):
        for column, scores in case["figures"].get(part, {}).items():
            if (column,) not in found:
                assert scores["ALL"]["strict"]["possible"] == 0
                continue
            counts, numbers = found[(column,)]
            for tuple_type, schema in SCHEMAS.items():
                wanted = scores["ALL"][schema]
                amounts = wanted["possible"], wanted["actual"], wanted["correct"]
                assert counts[tuple_type][:3] == amounts, (part, column, tuple_type)
                for ratio, name in (("precision", "P"), ("recall", "R"), ("f1", "F1")):
                    mean = numbers.get(f"macro_doc.{tuple_type}.{ratio}")
                    assert mean == pytest.approx(wanted[f"{name}_macro_doc"])
            wanted = scores["ALL"]["partial"]
            assert counts["partial"].f1 == pytest.approx(wanted["F1_micro"])


@pytest.mark.parametrize("gold", DOCUMENTS)
def test_every_column_of_hipe_has_the_counts_of_its_scorer(gold: str) -> None:
    case = DOCUMENTS[gold]
    options = Options(reading=ReaderOptions(format="hipe-columns"))
    system = str(IE / case["system"])
    result = score(str(IE / gold), system, "ner", options=options)
    found = result.by("layer")
    for part in ("nerc", "nel", "nel_meto"):
        for column, scores in case["figures"].get(part, {}).items():
            for schema in ("strict", "exact"):
                wanted = scores["ALL"][schema]
                amounts = wanted["possible"], wanted["actual"], wanted["correct"]
                if (column,) not in found:
                    assert amounts == (0, 0, 0)
                    continue
                count = found[(column,)].counts[schema]
                assert (count.gold, count.system, count.matched) == amounts, column
