"""The cases of flat entities: nervaluate's counts, seqeval's scores.

The default gives the overall counts and the ratios they were meant to have; the preset
``nervaluate`` gives the counts by type as well, and the cases that depend on the order
of the input.
"""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from graphscore import Anchor, Graph, Node, score
from graphscore.evaluation.result import Result
from graphscore.formats import ReadGraph, formats
from tests.conftest import CONFORMANCE

FOLDER = CONFORMANCE / "ner"
CASES = FOLDER / "flat_cases.json"
FOUND: dict[str, Any] = json.loads(CASES.read_text()) if CASES.is_file() else {}

pytestmark = pytest.mark.skipif(
    not FOUND, reason="the conformance data is not beside this checkout"
)

SCHEMAS = {
    "strict": "strict",
    "partial": "partial",
    "ent_type": "type",
    "exact": "exact",
}

CLASSES = {
    "COR": "correct",
    "INC": "incorrect",
    "PAR": "partial",
    "MIS": "missed",
    "SPU": "spurious",
    "POS": "possible",
    "ACT": "actual",
}

RATIOS = ("precision", "recall", "f1")

ALL = FOUND.get("cases", [])
ORDERED = [case for case in ALL if "greedy" not in case["name"]]


def named(case: dict[str, Any]) -> str:
    return str(case["name"])


def tagged(sentences: Sequence[Sequence[str]]) -> list[Graph]:
    """Sentences of tags, read as a column file."""
    blocks = ("".join(f"w{k}\t{tag}\n" for k, tag in enumerate(s)) for s in sentences)
    return read("\n".join(blocks).encode(), "iob")


def read(data: bytes, name: str) -> list[Graph]:
    reader = formats()[name].read
    assert reader is not None
    records = list(reader(io.BytesIO(data), "a.iob2"))
    graphs = [each.graph for each in records if isinstance(each, ReadGraph)]
    assert len(graphs) == len(records)
    return graphs


def spans(documents: Sequence[Sequence[tuple[str, int, int]]]) -> list[Graph]:
    """Documents of entities whose last position is theirs."""
    return [
        Graph(
            str(number),
            "ner",
            text="x" * 40,
            nodes=tuple(
                Node(k, label, (("kind", "mention"),), (Anchor(first, last + 1),))
                for k, (label, first, last) in enumerate(document)
            ),
        )
        for number, document in enumerate(documents)
    ]


def sides(case: dict[str, Any]) -> tuple[list[Graph], list[Graph]]:
    if "true_docs" in case:
        return spans(case["true_docs"]), spans(case["pred_docs"])
    one = isinstance(case["true"][0], str)
    gold, system = (
        ([case["true"]], [case["pred"]]) if one else (case["true"], case["pred"])
    )
    return tagged(gold), tagged(system)


def check(result: Result, expected: dict[str, Any], label: str = "") -> None:
    """All classes to the count, and the ratios that were meant."""
    scores = result.scores
    for theirs, wanted in expected.items():
        schema = SCHEMAS[theirs]
        prefix = f"{schema}.{label}" if label else schema
        for ours, name in CLASSES.items():
            found = scores.numbers.get(f"{prefix}.{ours}", 0)
            assert found == wanted[name], (prefix, ours)
        ratios = wanted.get("intended", wanted)
        for name in RATIOS:
            if label:
                value = scores.numbers.get(f"{prefix}.{name}", 0.0)
            else:
                value = getattr(scores.counts[schema], name)
            assert value == pytest.approx(ratios[name], abs=1e-12), (prefix, name)


@pytest.mark.parametrize("case", ORDERED, ids=named)
def test_overall_counts_bind_the_default(case: dict[str, Any]) -> None:
    check(score(*sides(case), "ner"), case["nervaluate"]["overall"])


SINCE = {
    "XII_type_order_greedy": {"strict": 0, "exact": 0, "partial": 0.5, "type": 1},
    "greedy: nested gold: exact match shadowed by earlier overlapping gold": {
        **{"strict": 2, "exact": 2, "partial": 2, "type": 2}
    },
}
"""What nervaluate 1.2.1 matches in cases of which the counts are those of 1.1."""


@pytest.mark.parametrize("case", ALL, ids=named)
def test_everything_binds_the_preset(case: dict[str, Any]) -> None:
    result = score(*sides(case), "ner(preset=nervaluate)")
    if case["name"] in SINCE:
        counts = {schema: result.counts[schema].matched for schema in SCHEMAS.values()}
        assert counts == SINCE[case["name"]]
        return
    check(result, case["nervaluate"]["overall"])
    for label, expected in case["nervaluate"]["by_type"].items():
        check(result, expected, label)


@pytest.mark.parametrize("case", ALL, ids=named)
@pytest.mark.parametrize(
    ("key", "metric"),
    [("seqeval_default", "ner"), ("seqeval_strict_IOB2", "ner(repair=strict)")],
)
def test_strict_is_what_seqeval_says(
    case: dict[str, Any], key: str, metric: str
) -> None:
    if key not in case:
        pytest.skip("no scores of seqeval for this case")
    result = score(*sides(case), metric)
    found = [result.precision, result.recall, result.f1]
    assert found == pytest.approx([case[key][name] for name in ("p", "r", "f1")])


@pytest.fixture(scope="module")
def synthetic() -> tuple[list[Graph], list[Graph]]:
    data = (FOLDER / "synthetic200.iob2").read_bytes()
    return read(data, "iob-gold"), read(data, "iob")


def test_two_hundred_sentences(synthetic: tuple[list[Graph], list[Graph]]) -> None:
    expected = FOUND["synth200_file"]
    result = score(*synthetic, "ner")
    assert result.pairs == 200
    check(result, expected["nervaluate"])
    found = [result.precision, result.recall, result.f1]
    assert found == pytest.approx(expected["seqeval_micro"], abs=1e-15)


def test_two_hundred_sentences_by_type(
    synthetic: tuple[list[Graph], list[Graph]],
) -> None:
    expected = FOUND["synth200_file"]
    result = score(*synthetic, "ner(preset=nervaluate)")
    check(result, expected["nervaluate"])
    for label, wanted in expected["by_type"].items():
        check(result, wanted, label)


def test_one_file_is_both_sides(conformance: Path) -> None:
    from graphscore.evaluation.options import Options
    from graphscore.evaluation.scoring import score_files
    from graphscore.formats import ReaderOptions
    from graphscore.metrics.registry import parse

    path = str(conformance / "ner" / "synthetic200.iob2")
    options = Options(
        reading=ReaderOptions("iob-gold"), system_reading=ReaderOptions("iob")
    )
    [result] = score_files(path, path, [parse("ner")], options)
    assert (result.main.gold, result.main.system, result.main.matched) == (
        746,
        651,
        538,
    )
