"""Similarities of strings are those that they are named after."""

from __future__ import annotations

import re
import string
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphscore.model.graph import Graph, Node
from graphscore.similarity import (
    FormulaError,
    at,
    label,
    ngram_f1,
    ngrams,
    squad_f1,
    top,
)


def graph(text: str) -> Graph:
    return Graph("1", "x", nodes=(Node(0, text),), tops=(0,))


def bags(gold: list[str], system: list[str]) -> float:
    """F1 of two bags as SQuAD's evaluation of version 2.0 works it out."""
    common = sum((Counter(gold) & Counter(system)).values())
    if not gold or not system:
        return float(gold == system)
    if not common:
        return 0.0
    precision, recall = common / len(system), common / len(gold)
    return 2 * precision * recall / (precision + recall)


def normalized(text: str) -> list[str]:
    """SQuAD's normalize_answer, and a split."""
    lowered = text.lower()
    bare = "".join(sign for sign in lowered if sign not in set(string.punctuation))
    return re.sub(r"\b(a|an|the)\b", " ", bare).split()


answers = st.lists(
    st.sampled_from(
        (
            "the",
            "The",
            "a",
            "an",
            "A.",
            "cat",
            "Cat",
            "don't",
            "dont",
            "b-c",
            "bc",
            "\u2019s",
        )
    ),
    max_size=5,
).map(" ".join) | st.text(max_size=12)


@given(answers, answers)
def test_answers_are_compared_as_squad_does(gold: str, system: str) -> None:
    found = at(top, squad_f1(label)).score(graph(gold), graph(system)).value
    assert found == pytest.approx(bags(normalized(gold), normalized(system)))


def grams(row: str | list[str], size: int) -> list[str]:
    """All runs of a size; what is shorter is one."""
    runs = [tuple(row[k : k + size]) for k in range(len(row)) if k + size <= len(row)]
    return [repr(run) for run in (runs or ([tuple(row)] if row else []))]


@given(answers, answers, st.integers(1, 4))
def test_n_grams(gold: str, system: str, size: int) -> None:
    sides = graph(gold), graph(system)
    found = at(top, ngram_f1(label, size)).score(*sides).value
    assert found == pytest.approx(bags(grams(gold, size), grams(system, size)))
    found = at(top, ngram_f1(label, size, "words")).score(*sides).value
    mine, theirs = grams(gold.split(), size), grams(system.split(), size)
    assert found == pytest.approx(bags(mine, theirs))


def test_n_grams_of_nothing_are_refused() -> None:
    with pytest.raises(FormulaError, match="found 0, expected 1 or more"):
        ngrams(label, 0)
    with pytest.raises(FormulaError, match="expected one of: characters, words"):
        ngrams(label, 2, "letters")  # type: ignore[arg-type]
