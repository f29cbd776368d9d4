"""The CoNLL reference scorer's documents: every case, every metric, every number.

The exact rationals bind.  An oracle in fractions (``tests/metrics/chains.py``) gives
them from the documents; the metrics give the same to 12 digits, whole numbers
exactly.
"""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from graphscore import Graph, score
from graphscore.formats.base import ReadGraph
from graphscore.formats.registry import format_named
from tests.conftest import CONFORMANCE
from tests.metrics.coreference.chains import (
    Amounts,
    Entity,
    amounts,
    count,
    oracle_b3,
    oracle_ceaf,
    oracle_lea,
    oracle_links,
    oracle_mentions,
    oracle_muc,
    scores,
)

EXPECTED = CONFORMANCE / "coref" / "expected.json"
CASES: dict[str, Any] = json.loads(EXPECTED.read_text()) if EXPECTED.is_file() else {}
CASES.pop("_meta", None)

pytestmark = pytest.mark.skipif(
    not CASES, reason="the conformance data is not beside this checkout"
)

ORACLES = {
    "muc": oracle_muc,
    "bcub": oracle_b3,
    "ceafm": lambda gold, system: oracle_ceaf(gold, system, 3),
    "ceafe": lambda gold, system: oracle_ceaf(gold, system, 4),
    "lea": oracle_lea,
    "blanc_c": lambda gold, system: oracle_links(gold, system, True),
    "blanc_n": lambda gold, system: oracle_links(gold, system, False),
    "mentions": oracle_mentions,
}

METRICS = {
    "muc": ("muc", "all"),
    "bcub": ("b3", "all"),
    "ceafm": ("ceafm", "all"),
    "ceafe": ("ceafe", "all"),
    "lea": ("lea", "all"),
    "blanc_c": ("blanc", "coreference"),
    "blanc_n": ("blanc", "noncoreference"),
    "mentions": ("mentions", "mentions"),
}


def chains(path: Path) -> list[list[tuple[int, int]]]:
    """The last column's entities by first opening, read without the reader."""
    entities: dict[str, list[tuple[int, int]]] = {}
    opened: dict[str, list[int]] = {}
    line = 0
    for written in path.read_text(encoding="utf-8").splitlines():
        if not written.strip() or written.startswith("#"):
            continue
        for opens, name, closes in re.findall(r"(\(?)(\d+)(\)?)", written.split()[-1]):
            entities.setdefault(name, [])
            if opens:
                opened.setdefault(name, []).append(line)
            if closes:
                entities[name].append((opened[name].pop(), line + 1))
        line += 1
    return list(entities.values())


def graph(path: Path) -> Graph:
    """The document that the reader finds."""
    with path.open("rb") as stream:
        [record] = format_named("conll2012").read(stream, path.name)
    assert isinstance(record, ReadGraph)
    return record.graph


def distinct(path: Path) -> list[Entity]:
    """The entities as sets; a mention is in the first one that has it."""
    seen: set[tuple[int, int]] = set()
    found = []
    for mentions in chains(path):
        kept = frozenset(mentions) - seen
        seen |= kept
        if kept:
            found.append(kept)
    return found


def sides(case: str) -> tuple[Path, Path]:
    folder = CONFORMANCE / "coref" / "tc"
    return folder / CASES[case]["key"], folder / CASES[case]["response"]


def rationals(expected: dict[str, Any]) -> Amounts:
    """Numerators and denominators, as fractions where the file has them."""
    written = expected.get("exact") or [
        str(int(expected[name])) for name in ("r_num", "r_den", "p_num", "p_den")
    ]
    one, two, three, four = map(Fraction, written)
    return one, two, three, four


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("case", CASES)
def test_amounts(case: str, metric: str) -> None:
    gold, system = sides(case)
    expected = rationals(CASES[case][metric])
    assert ORACLES[metric](distinct(gold), distinct(system)) == expected
    name, tuple_type = METRICS[metric]
    found = count(f"{name}(preset=perl)", graph(gold), graph(system), tuple_type)
    for mine, theirs in zip(amounts(found), expected, strict=True):
        if theirs.denominator == 1:
            assert mine == theirs
        else:
            assert mine == pytest.approx(float(theirs), rel=1e-12, abs=0)


@pytest.mark.parametrize("metric", [*METRICS, "blanc"])
@pytest.mark.parametrize("case", CASES)
def test_ratios(case: str, metric: str) -> None:
    expected = CASES[case][metric]
    name, tuple_type = METRICS.get(metric, ("blanc", "all"))
    gold, system = sides(case)
    found = count(f"{name}(preset=perl)", graph(gold), graph(system), tuple_type)
    ratios = found.recall, found.precision, found.f1
    for mine, key in zip(ratios, "rpf", strict=True):
        if key in expected:
            assert mine == pytest.approx(expected[key], rel=1e-12, abs=1e-12)
    published = expected.get("published_expected")
    if published:
        assert list(ratios) == pytest.approx(published, abs=5e-6)


@pytest.mark.parametrize("metric", [*METRICS, "blanc"])
@pytest.mark.parametrize("case", CASES)
def test_what_the_corefud_scorer_publishes(case: str, metric: str) -> None:
    published = CASES[case][metric].get("corefud_published_expected")
    if not published:
        return
    name, tuple_type = METRICS.get(metric, ("blanc", "all"))
    gold, system = sides(case)
    found = count(f"{name}(preset=corefud)", graph(gold), graph(system), tuple_type)
    ratios = [found.recall, found.precision, found.f1]
    assert ratios == pytest.approx(published, abs=5e-6)


@pytest.mark.parametrize("case", CASES)
def test_conll_is_the_mean_of_the_three(case: str) -> None:
    gold, system = map(graph, sides(case))
    found = scores("conll(preset=perl)", gold, system).counts
    for name in ("f1", "precision", "recall"):
        parts = [
            getattr(found[tuple_type], name) for tuple_type in ("muc", "b3", "ceafe")
        ]
        assert getattr(found["all"], name) == pytest.approx(sum(parts) / 3, rel=1e-15)
    three = sum(CASES[case][metric]["f"] for metric in ("muc", "bcub", "ceafe")) / 3
    assert found["all"].f1 == pytest.approx(three, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("case", CASES)
def test_files_are_scored_like_graphs(case: str) -> None:
    gold, system = sides(case)
    result = score(str(gold), str(system), "conll(preset=perl)")
    three = sum(CASES[case][metric]["f"] for metric in ("muc", "bcub", "ceafe")) / 3
    assert result.f1 == pytest.approx(three, rel=1e-12, abs=1e-12)
