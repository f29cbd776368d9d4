"""Gamma of what annotators marked in all texts, with intervals.

The best alignment is that of each text by itself; disorders are summed over texts, and
held against what is expected in their framework and language.  Intervals draw items;
what is expected stays.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from graphscore.errors import InputError, UsageError, amount
from graphscore.statistics.agreement.alignment import Dissimilarity, TooManyError
from graphscore.statistics.agreement.distances import Distance, Measure, measured
from graphscore.statistics.agreement.found import Bounds, GammaAgreement
from graphscore.statistics.agreement.gamma import (
    EVERY,
    Continuum,
    Expected,
    expected,
    observed,
)
from graphscore.statistics.agreement.labelled import Draws, Texts, frameworks_of
from graphscore.statistics.agreement.labels import Said
from graphscore.statistics.agreement.wanted import Wanted
from graphscore.statistics.comparison import number

Doubles = npt.NDArray[np.float64]


class _Text(NamedTuple):
    """One text that several annotated."""

    unit: int
    language: str
    there: Continuum
    """With those alone who annotated it."""
    whole: Continuum
    """With all annotators."""


def gammas(
    texts: Texts, annotators: int, draws: Draws, wanted: Wanted, notes: list[str]
) -> list[GammaAgreement]:
    """Gamma of the labelled spans of each framework that has some.

    Args:
        texts: what is said.
        annotators: how many there are.
        draws: what is drawn.
        wanted: distance, how many continua are sampled, how exact.
        notes: takes what the user should know.
    """
    found: list[GammaAgreement] = []
    if not wanted.continua:
        return found
    for framework, mine in frameworks_of(texts, draws).items():
        kept, left_out = _kept(mine, annotators, draws)
        labels = {x.label for each in kept for side in each.whole.sides for x in side}
        if not labels:
            continue
        apart, name = _dissimilarity(wanted.distance, labels, framework, notes)
        try:
            one = _gamma(framework, kept, annotators, draws, wanted, apart)
        except TooManyError as error:
            notes.append(f"{framework}: no gamma: {error}")
            continue
        one = one._replace(left_out=left_out, distance=name)
        notes.append(
            f"{framework}: gamma: expected disorder from {one.continua:,} continua, "
            f"exact to {100 * (one.precision or 0.0):.1f} % (seed {wanted.seed})"
        )
        if left_out:
            notes.append(
                f"{framework}: {amount(left_out, 'item')} of different texts, without "
                "part in gamma"
            )
        found.append(one)
    return found


def named_gammas(found: list[GammaAgreement]) -> dict[str, Bounds]:
    """Gamma and gamma-cat by name; of several frameworks with these in front.

    Args:
        found: by framework.
    """
    several = len(found) > 1
    return {
        (f"{each.framework}." if several else "") + name: bounds
        for each in found
        for name, bounds in (("gamma", each.gamma), ("gamma_cat", each.gamma_cat))
    }


def _kept(
    mine: Mapping[tuple[int, str, str], Mapping[int, Said]],
    annotators: int,
    draws: Draws,
) -> tuple[list[_Text], int]:
    """Texts that two or more annotated, and how many are not the same for all."""
    found, left_out = [], 0
    for (unit, *_), by in mine.items():
        if len(by) < 2:
            continue
        lengths = {each.text: len(each.text) for each in by.values()}
        if len(lengths) > 1:
            left_out += 1
            continue
        [length] = lengths.values()
        there = tuple(by[who].spans for who in sorted(by))
        whole = tuple(by[who].spans if who in by else () for who in range(annotators))
        found.append(
            _Text(
                unit,
                draws.units[unit][1],
                Continuum(length, there),
                Continuum(length, whole),
            )
        )
    return found, left_out


def _dissimilarity(
    distance: Distance | str | None,
    labels: set[str],
    framework: str,
    notes: list[str],
) -> tuple[Dissimilarity, str]:
    """How far spans are apart, distances of labels being at most 1."""
    given = measured(distance)
    if given is None:
        return Dissimilarity(), "nominal"
    # Distances are of what units are labelled with, which for entities are tags.
    begin = "B-" if framework == "ner" else ""

    def function(a: str, b: str) -> float:
        return given(begin + a, begin + b)

    name = given.name if isinstance(given, Measure) else "function"
    known = sorted(labels)
    try:
        most = max(function(a, b) for a in known for b in known)
    except (InputError, UsageError) as error:
        said = str(error)
        notes.append(
            f"{framework}: gamma takes labels to be equal or not, as {name} is of "
            f"others: {said}"
        )
        return Dissimilarity(), "nominal"
    scale = max(1.0, most)
    return Dissimilarity(categorical=lambda a, b: function(a, b) / scale), name


def _gamma(
    framework: str,
    kept: list[_Text],
    annotators: int,
    draws: Draws,
    wanted: Wanted,
    apart: Dissimilarity,
) -> GammaAgreement:
    chances: dict[str, Expected] = {}
    for language in dict.fromkeys(each.language for each in kept):
        mine = [each.whole for each in kept if each.language == language]
        chances[language] = expected(
            mine, annotators, apart, wanted.seed, wanted.continua, wanted.precision
        )
    # By unit: what is found, and what is expected; of all labels and of each.
    found = np.zeros((len(draws.units), 3))
    rows: dict[str, Doubles] = defaultdict(lambda: np.zeros((len(draws.units), 2)))
    for text in kept:
        one, chance = observed(text.there, apart), chances[text.language]
        if one.spans:
            found[text.unit] += one.disorder, one.spans * chance.disorder, one.spans
        for name, weight in one.labelling.weights.items():
            by_chance = chance.labels.get(name, math.nan)
            rows[name][text.unit] += one.labelling.apart[name], weight * by_chance
    named = {name: _bounds(rows[name], draws) for name in sorted(rows)}
    spans = found[:, 2].sum()
    known = [each for each in chances.values() if each.continua]
    return GammaAgreement(
        framework,
        sum(len(side) for each in kept for side in each.there.sides),
        0,
        "",
        number(found[:, 0].sum() / spans),
        number(found[:, 1].sum() / spans),
        sum(each.continua for each in known),
        number(max(each.precision for each in known)),
        _bounds(found[:, :2], draws),
        named.pop(EVERY, Bounds(None, None, None)),
        tuple(named.items()),
    )


def _bounds(rows: Doubles, draws: Draws) -> Bounds:
    """One minus what is found over what is expected, with its interval."""
    whole = float(_beyond(rows.sum(axis=0)[None])[0])
    drawn = [_beyond(block @ rows) for block in draws.weights()]
    return draws.bounds(whole, np.concatenate(drawn))


def _beyond(sums: Doubles) -> Doubles:
    """Of shape (samples, 2) one minus the ratio; ``nan`` where nothing is expected."""
    found = np.full(len(sums), math.nan)
    there = sums[:, 1] > 0
    found[there] = 1 - sums[there, 0] / sums[there, 1]
    return found
