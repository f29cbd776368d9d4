"""Figures 2 and 3 of the poster, and the wording of what they say."""

from __future__ import annotations

import pytest
from hypothesis import given

from graphscore.metrics.entities.rules import Rules
from graphscore.rules.facts import Unit
from graphscore.rules.functions import Functions
from graphscore.rules.outcome import batch_of, trace
from tests.conftest import ROOT
from tests.rules.generate import DOCUMENTS, Document, graphs
from tests.rules.oracle import GOLD, SYSTEM

SCORES = Rules(str(ROOT / "docs" / "examples" / "scores.toml"))


def literally(document: Document) -> tuple[list[str], list[str]]:
    """The results that the rules of both scores set, read as they are printed."""
    targets = [span for span in document.spans if span.side == GOLD]
    sources = [span for span in document.spans if span.side == SYSTEM]
    words = Functions(SCORES.rules.settings)
    keys = [[(s.type, s.start, s.end) for s in side] for side in (targets, sources)]
    results = [
        ["TP" if key in keys[1 - own] else ("FN", "FP")[own] for key in keys[own]]
        for own in (0, 1)
    ]
    fuzzy = {
        k
        for k, sa in enumerate(sources)
        for j, ta in enumerate(targets)
        if results[0][j] == "FN"
        and results[1][k] == "FP"
        and sa.type == ta.type
        and ta.start < sa.end
        and ta.end > sa.start
        and words.same_words(sa.text, ta.text, sa.type)
    }
    for k, sa in enumerate(sources):
        if k in fuzzy:
            results[1][k] = "FzTP"
        elif results[1][k] == "FP" and words.stop_word(sa.text, sa.type):
            results[1][k] += "-ignored:stop word"
    return results[0], results[1]


@given(DOCUMENTS)
def test_the_file_says_what_the_scores_say(made: tuple[Document, ...]) -> None:
    sides = zip(graphs(made, GOLD), graphs(made, SYSTEM), strict=True)
    units = [Unit([SCORES.prepare(a)], [SCORES.prepare(b)]) for a, b in sides]
    with SCORES.engines.engine() as engine:
        batch = batch_of(SCORES.rules, engine, units)
        engine.run(batch)
        found = list(trace(engine, batch))
    for number, document in enumerate(made):
        for side, expected in zip((GOLD, SYSTEM), literally(document), strict=True):
            said = [e.name for e in found if (e.unit, e.side) == (number, side)]
            assert said == expected


@pytest.mark.parametrize("rule", SCORES.rules.rules, ids=lambda rule: rule.name)
def test_the_rules_of_the_scores_are_all_used(rule: object) -> None:
    assert rule in SCORES.rules.in_order()
