"""Edit similarities are the ratios they are named after; what lacks is said."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore import score
from graphscore.errors import UsageError
from graphscore.metrics.registry import parse
from graphscore.model.graph import Graph, Node
from graphscore.similarity import (
    Similarity,
    at,
    derive,
    f1,
    label,
    levenshtein_ratio,
    levenshtein_similarity,
    match,
    nodes,
    top,
)
from graphscore.similarity.combining import edits
from graphscore.similarity.explaining.words import in_words


@dataclass(frozen=True)
class Named:
    name: Annotated[str, levenshtein_similarity]


@dataclass(frozen=True)
class Names:
    names: frozenset[Named]


@pytest.fixture
def rapidfuzz() -> None:
    pytest.importorskip("rapidfuzz", reason="the extra [strings] is not installed")


@pytest.fixture(autouse=True)
def _nothing_is_remembered() -> Iterator[None]:
    edits._counted.cache_clear()
    yield
    edits._counted.cache_clear()


def graph(*labels: object) -> Graph:
    made = tuple(Node(k, each) for k, each in enumerate(labels))  # type: ignore[arg-type]
    return Graph("1", "x", nodes=made, tops=(0,))


def edited(one: str, two: str, replaced: int) -> int:
    """The fewest edits by the table of all beginnings; replacing has a price."""
    row = list(range(len(two) + 1))
    for i, a in enumerate(one, 1):
        before, row = row, [i]
        for j, b in enumerate(two, 1):
            put = before[j - 1] + (replaced if a != b else 0)
            row.append(min(put, before[j] + 1, row[-1] + 1))
    return row[-1]


def slow(how: str, one: str, two: str) -> float:
    if one == two:
        return 1.0
    if how == "ratio":
        return 1 - edited(one, two, 2) / (len(one) + len(two))
    return 1 - edited(one, two, 1) / max(len(one), len(two))


strings = st.text("abé\U0001f600 ", max_size=8) | st.text(max_size=70)


@pytest.mark.usefixtures("rapidfuzz")
@given(strings, strings)
def test_both_are_as_defined(gold: str, system: str) -> None:
    sides = graph(gold), graph(system)
    found = at(top, levenshtein_similarity(label)).score(*sides).value
    assert found == pytest.approx(slow("similarity", gold, system))
    found = at(top, levenshtein_ratio(label)).score(*sides).value
    assert found == pytest.approx(slow("ratio", gold, system))


@pytest.mark.usefixtures("rapidfuzz")
@pytest.mark.parametrize("made", [levenshtein_similarity, levenshtein_ratio])
def test_what_is_absent_is_like_what_is_absent_alone(made: object) -> None:
    formula: Similarity = at(top, made(label))  # type: ignore[operator]
    assert formula.score(graph(None), graph(None)).value == 1
    assert formula.score(graph(None), graph("None")).value == 0
    assert formula.score(graph(""), graph("")).value == 1
    assert formula.score(graph(42), graph("42")).value == 1


@pytest.mark.usefixtures("rapidfuzz")
def test_the_matching_is_the_best() -> None:
    found = f1(match(nodes(), levenshtein_similarity(label)))
    report = found.score(graph("kitten", "sitting"), graph("sitten", "kitt"))
    # kitten-kitt 4/6 and sitting-sitten 5/7 beat kitten-sitten 5/6, sitting-kitt 3/7.
    assert report.matched == pytest.approx(4 / 6 + 5 / 7)


@pytest.mark.usefixtures("rapidfuzz")
def test_it_is_a_metric_in_a_line() -> None:
    text = "f1(match(nodes(), levenshtein_ratio(label)))"
    metric = parse(text)
    assert (str(metric), metric.revision) == (text, 1)
    assert score([graph("abcd")], [graph("abce")], metric).f1 == pytest.approx(0.75)


@pytest.mark.usefixtures("rapidfuzz")
def test_it_is_a_mark() -> None:
    made = derive(Names).formula
    one, two = (Names(frozenset({Named(name)})) for name in ("abcd", "abc"))
    assert "φ_levenshtein_similarity(name)" in str(made)
    assert made.score(one, two).matched == 0.75


def test_words_say_what_is_divided_by_what() -> None:
    assert in_words(levenshtein_similarity(label)).endswith(
        "1 less the edits (Levenshtein) over the longer length, by label"
    )
    assert in_words(levenshtein_ratio(label)) == (
        "1 less insertions and deletions over both lengths, by label"
    )


def test_what_lacks_is_named_where_it_compares(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("rapidfuzz", "rapidfuzz.distance"):
        monkeypatch.setitem(sys.modules, name, None)
    made = f1(match(nodes(), levenshtein_similarity(label)))
    said = (
        r"levenshtein_similarity needs rapidfuzz: pip install 'graphscore\[strings\]'"
    )
    with pytest.raises(UsageError, match=said):
        made.score(graph("a"), graph("b"))
    with pytest.raises(UsageError, match=said):
        parse(repr(made)).prepare(graph("a"))
