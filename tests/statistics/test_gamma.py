"""Gamma: the published program's numbers, all alignments, what agree makes of it."""

from __future__ import annotations

import math
import random
from itertools import product

import numpy as np
import pytest

import graphscore
from graphscore import Anchor, Graph, Node
from graphscore.errors import UsageError
from graphscore.evaluation.stored import Store
from graphscore.statistics.agreement import alignment
from graphscore.statistics.agreement.alignment import (
    Dissimilarity,
    TooManyError,
    best_alignment,
    disorder,
)
from graphscore.statistics.agreement.gamma import (
    Continuum,
    expected,
    gamma,
    observed,
)
from graphscore.statistics.agreement.labels import Span
from graphscore.statistics.draws import resamples

CASES = {
    "two": (
        [(0, 5, "A"), (7, 9, "B"), (9, 20, "A"), (25, 30, "C")],
        [(0, 6, "A"), (8, 19, "B"), (21, 30, "C")],
    ),
    "three": (
        [
            *[(0, 10, "PER"), (15, 22, "LOC"), (30, 41, "ORG"), (50, 60, "PER")],
            (72, 80, "LOC"),
        ],
        [
            *[(0, 12, "PER"), (16, 22, "ORG"), (30, 38, "ORG"), (52, 60, "PER")],
            *[(62, 70, "ORG"), (72, 80, "LOC")],
        ],
        [(1, 10, "PER"), (14, 24, "LOC"), (45, 60, "PER"), (72, 80, "PER")],
    ),
    "four": (
        [(0, 8, "X"), (4, 12, "Y"), (20, 30, "X")],
        [(0, 8, "X"), (5, 12, "X"), (19, 30, "X")],
        [(2, 9, "Y"), (21, 30, "Y")],
        [(0, 7, "X"), (4, 13, "Y"), (22, 30, "X"), (14, 18, "Z")],
    ),
    "aligned": (
        [(0, 10, "A"), (20, 30, "B"), (40, 55, "A")],
        [(1, 10, "A"), (20, 32, "A"), (42, 55, "C")],
        [(0, 9, "B"), (21, 30, "B"), (40, 55, "A")],
    ),
}


def continuum(name: str) -> Continuum:
    sides = tuple(tuple(Span(*span) for span in side) for side in CASES[name])
    return Continuum(max(span.end for side in sides for span in side), sides)


# pygamma-agreement 0.5.9: Continuum.get_best_alignment(...).disorder with
# CombinedCategoricalDissimilarity(alpha, beta, delta_empty=1); it counts in single
# precision.
PUBLISHED = {
    ("two", 1, 1): 0.5159638524055481,
    ("two", 3, 1): 0.6555670499801636,
    ("two", 2, 0.5): 0.4846637547016144,
    ("three", 1, 1): 0.6200603246688843,
    ("three", 3, 1): 0.6601811647415161,
    ("three", 2, 0.5): 0.5067874193191528,
    ("four", 1, 1): 0.8624224066734314,
    ("four", 3, 1): 0.9206003546714783,
    ("four", 2, 0.5): 0.7248446941375732,
    ("aligned", 1, 1): 0.6732814311981201,
    ("aligned", 3, 1): 0.6865108609199524,
    ("aligned", 2, 0.5): 0.34656283259391785,
}


@pytest.mark.parametrize(("name", "alpha", "beta"), PUBLISHED)
def test_the_best_alignment_has_the_published_disorder(name, alpha, beta):
    found = observed(continuum(name), Dissimilarity(alpha, beta))
    published = PUBLISHED[name, alpha, beta]
    assert found.disorder / found.spans == pytest.approx(published, abs=2e-7)


# The same program's gamma_k_disorder(dissimilarity, None), where all spans are aligned:
# of others it counts, by way of experiment, spans that are not.
@pytest.mark.parametrize(
    ("alpha", "beta", "published"),
    [(1, 1, 0.665066659450531), (3, 1, 0.6618021130561829), (2, 0.5, 0.6634454131)],
)
def test_labels_of_aligned_spans_have_the_published_disorder(alpha, beta, published):
    found = observed(continuum("aligned"), Dissimilarity(alpha, beta)).labelling
    assert found.apart[""] / found.weights[""] == pytest.approx(published, abs=2e-7)


# Its ShuffleContinuumSampler (numpy seed 11): mean and standard deviation of the
# disorders of that many continua.  Of three annotators it lets the third be moved as
# far as another one, as taking a piece out of what is free gives back others that were
# taken out before; the number is that with pieces that stay out.
@pytest.mark.parametrize(
    ("name", "mean", "deviation", "size", "own"),
    [
        ("two", 1.1219078302383423, 0.22167213261127472, 6000, 2000),
        ("three", 1.2412562370300293, 0.1229514554142952, 2500, 250),
        ("aligned", 1.0878627300262451, 0.1858726441860199, 2500, 250),
    ],
)
def test_chance_is_that_of_the_published_program(name, mean, deviation, size, own):
    whole = continuum(name)
    found = expected([whole], len(whole.sides), Dissimilarity(), 12345, own, 0.5)
    assert found.continua == own
    error = deviation * math.sqrt(1 / size + 1 / own)
    assert abs(found.disorder - mean) < 3 * error
    assert found.precision == pytest.approx(
        1.96 * deviation / mean / math.sqrt(own), rel=0.15
    )


def every_alignment(spans):
    """All ways to put spans together, of each annotator at most one."""
    if not spans:
        yield []
        return
    (who, span), *rest = spans
    others = sorted({each for each, _ in rest} - {who})
    choices = [[x for x in rest if x[0] == other] + [None] for other in others]
    for chosen in product(*choices):
        block = [(who, span), *(each for each in chosen if each)]
        for further in every_alignment([each for each in rest if each not in block]):
            yield [block, *further]


@pytest.mark.parametrize("seed", range(24))
def test_no_alignment_is_better(seed):
    rng = random.Random(seed)
    people = rng.choice([2, 3, 3, 4])
    sides = []
    for _ in range(people):
        starts = [rng.randint(0, 12) for _ in range(rng.randint(0, 6 // people + 1))]
        sides.append([Span(a, a + rng.randint(1, 8), rng.choice("AB")) for a in starts])
    apart = Dissimilarity(rng.choice([0.5, 1, 3]), 1, rng.choice([1, 0.5]))
    found = best_alignment(sides, apart)
    flat = sorted(
        (who, span) for each in found for who, span in enumerate(each) if span
    )
    assert flat == sorted((who, x) for who, side in enumerate(sides) for x in side)
    numbered = [
        (who, (place, x))
        for who, side in enumerate(sides)
        for place, x in enumerate(side)
    ]

    def cost(blocks):
        filled = []
        for block in blocks:
            spans = dict(block)
            filled.append(
                tuple(spans[n][1] if n in spans else None for n in range(people))
            )
        return sum(disorder(each, apart) for each in filled)

    best = min(cost(blocks) for blocks in every_alignment(numbered))
    assert sum(disorder(each, apart) for each in found) == pytest.approx(best)


def test_gamma_is_the_same_each_time_and_one_where_all_agree():
    sides = CASES["two"]
    first, second = (gamma(sides, 30, continua=20, precision=0.5) for _ in range(2))
    assert first == second
    assert first.value == pytest.approx(1 - first.observed / first.expected)
    assert gamma(sides, 30, continua=20, precision=0.5, seed=1) != first
    same = gamma([sides[0], sides[0]], 30, continua=5, precision=0.9)
    assert (same.value, same.cat) == (1, 1)
    alike = [(start, end, "A") for start, end, _ in sides[0]]
    assert math.isnan(gamma([alike, alike], 30, continua=5, precision=0.9).cat)
    more = gamma(sides, 30, continua=5, precision=0.05)
    assert more.continua > 5
    assert more.precision <= 0.05
    assert math.isnan(gamma([[], []], 30).value)
    with pytest.raises(ValueError, match="found 1 annotators, expected two or more"):
        gamma([[]], 30)


def test_too_many_ways_are_refused(monkeypatch):
    monkeypatch.setattr(alignment, "_MOST", 20)
    with pytest.raises(TooManyError, match="more than 20 ways to align spans of 3"):
        observed(continuum("three"), Dissimilarity())


MARKED = {
    "ann": {"1": CASES["three"][0], "2": CASES["four"][0], "3": []},
    "ben": {"1": CASES["three"][1], "2": CASES["four"][1], "3": [(3, 9, "ORG")]},
    "eve": {"1": CASES["three"][2], "3": []},
}


def corpus(name, texts=()):
    found = []
    for item, spans in MARKED[name].items():
        nodes = tuple(
            Node(n, label, (("kind", "mention"),), (Anchor(start, end),))
            for n, (start, end, label) in enumerate(spans)
        )
        text = dict(texts).get(item, "x" * 80)
        found.append(Graph(item, "ner", 1, text=text, nodes=nodes))
    return found


SIDES = [corpus(name) for name in MARKED]


def agreed(*sides, **asked):
    asked = {"samples": 30, "chance": 0, "continua": 10, "precision": 0.5} | asked
    return graphscore.agree(*sides or SIDES, metric="ner", names=[*MARKED], **asked)


def spans(item):
    return tuple(
        tuple(Span(*span) for span in each[item])
        for each in MARKED.values()
        if item in each
    )


def test_disorders_of_texts_are_summed():
    found = agreed()
    [row] = found.gammas
    parts = {
        item: observed(Continuum(80, spans(item)), Dissimilarity()) for item in "123"
    }
    size = sum(each.spans for each in parts.values())
    total = sum(each.disorder for each in parts.values())
    assert row.observed == pytest.approx(total / size)
    value = 1 - row.observed / row.expected
    assert found.coefficients["gamma"].value == row.gamma.value == pytest.approx(value)
    assert row[:4] == ("ner", 22, 0, "nominal")
    order = [unit.item for unit in sorted(found.documents, key=lambda x: x.item)]
    assert order == ["1", "2", "3"]
    drawn = []
    for block in resamples(3, 30, 12345):
        for chosen in block.tolist():
            mine = [parts["123"[number]] for number in chosen]
            found_there = sum(each.disorder for each in mine)
            drawn.append(
                1 - found_there / (row.expected * sum(each.spans for each in mine))
            )
    low, high = np.percentile(drawn, [2.5, 97.5])
    assert row.gamma[1:] == pytest.approx((low, high))
    labels = dict(row.labels)
    assert {"LOC", "ORG", "PER", "X", "Y"} >= set(labels)
    said = found.to_dict()
    assert said["gamma"][0]["gamma"] == said["coefficients"]["gamma"]
    assert said["intervals"]["gamma_cat"]["low"] == said["gamma"][0]["gamma_cat_low"]
    assert any("expected disorder from 10 continua" in note for note in found.notes)


def test_a_store_says_the_same_and_other_texts_are_left_out():
    with Store("sqlite://", mode="create") as store:
        for side, name in zip(SIDES, MARKED, strict=True):
            store.add(side, name)
        assert agreed(store, *MARKED).to_dict() == agreed().to_dict()
    sides = [*SIDES[:2], corpus("eve", [("1", "y" * 80)])]
    found = agreed(*sides)
    assert found.gammas[0].left_out == 1
    assert found.gammas[0].spans == 7
    assert any("1 item of different texts" in note for note in found.notes)


def halved(a, b):
    """Of tags: what spans get, too, is asked for as tags."""
    return 0.0 if a == b else 0.5 if {a[:2], b[:2]} == {"B-"} else 1.0


def test_distances_of_labels_count_and_wrong_numbers_are_refused():
    half = agreed(distance=halved)
    by_hand = sum(
        observed(
            Continuum(80, spans(item)),
            Dissimilarity(categorical=lambda a, b: 0.5 * (a != b)),
        ).disorder
        for item in "123"
    )
    sizes = (15 / 3, 6 / 2, 1 / 3)
    assert half.gammas[0].observed == pytest.approx(by_hand / sum(sizes))
    assert half.gammas[0].distance == "function"
    assert agreed(continua=0).gammas == ()
    with pytest.raises(UsageError, match=r"precision 1\.5: expected a number between"):
        agreed(precision=1.5)
    with pytest.raises(UsageError, match="continua -1: expected a number from 0"):
        agreed(continua=-1)
