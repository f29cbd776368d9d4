"""Kappa and alpha of labels, and agreement on each label.

What annotators say of given units is held against one another by kappa and alpha; of
labelled pieces, such as mentions or edges, each label has the F1 of every two.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from graphscore.exceptions import amount
from graphscore.statistics.agreement.labels import Given, Said, same_units
from graphscore.statistics.agreement.pooling import mean_of
from graphscore.statistics.agreement.result import Bounds, LabelAgreement, LabelUnits
from graphscore.statistics.coefficients import (
    Groups,
    alpha_samples,
    cohen_samples,
    fleiss_samples,
)
from graphscore.statistics.sampling import weights
from graphscore.statistics.tables import UnitKey

Doubles = npt.NDArray[np.float64]

Texts = Mapping[tuple[int, str, str], Mapping[int, Said]]
"""By number of the drawn unit, id and layer: what each annotator says."""

Bounding = Callable[[float, Doubles], Bounds]
"""Makes a number and those of all samples a number with its interval."""

_CELLS = 50_000_000
"""Numbers of a table of units by labels; of more labels there is no coefficient."""

_KEPT = 1 << 25
"""Draws that are kept in memory, of 2 bytes each; of more units they are made again."""

_AT_ONCE = 64
"""Labels whose samples are held in memory at a time."""


@dataclass(frozen=True)
class Draws:
    """Bootstrap samples that intervals are computed from.

    Attributes:
        units: what is drawn.
        samples: how many samples.
        seed: what the draws start from.
        bounds: makes an interval of samples.
    """

    units: Sequence[UnitKey]
    samples: int
    seed: int
    bounds: Bounding

    def weights(self) -> Iterator[Doubles]:
        """Yield the multiplicity of each unit in every sample, a block at a time."""
        size = len(self.units)
        few = size <= np.iinfo(np.uint16).max and self.samples * size <= _KEPT
        for block in self._kept if few else self._drawn():
            yield block.astype(np.float64)

    @cached_property
    def _kept(self) -> list[npt.NDArray[np.uint16]]:
        """All blocks, as every coefficient asks for them.

        No unit is drawn more often than there are units.
        """
        return [block.astype(np.uint16) for block in self._drawn()]

    def _drawn(self) -> Iterator[npt.NDArray[np.int64]]:
        return weights(len(self.units), self.samples, self.seed)


def frameworks_of(texts: Texts, draws: Draws) -> dict[str, dict[Any, Any]]:
    """Return the labels by framework."""
    frameworks: dict[str, dict[Any, Any]] = defaultdict(dict)
    for key, by in texts.items():
        frameworks[draws.units[key[0]][0]][key] = by
    return dict(sorted(frameworks.items()))


def label_units(
    texts: Texts, annotators: int, draws: Draws, notes: list[str]
) -> list[LabelUnits]:
    """Kappa and alpha of the units of each framework.

    Args:
        texts: what is said.
        annotators: how many there are.
        draws: what is drawn.
        notes: takes what the user should know.
    """
    result = []
    for framework, labels_of in frameworks_of(texts, draws).items():
        units = _Units(annotators)
        for key, by in labels_of.items():
            units.add(key[0], by)
        if units.left_out:
            notes.append(
                f"{framework}: {amount(units.left_out, 'item')} of different words or "
                "text, without part in kappa and alpha of labels"
            )
        if not units.ratings:
            continue
        labels = len({label for unit in units.ratings for label in unit})
        if labels * max(len(units.ratings), labels) > _CELLS:
            notes.append(f"{framework}: no kappa, as there are {labels:,} labels")
            continue
        result.append(_coefficients(framework, units, draws))
    return result


def named_coefficients(found_units: Sequence[LabelUnits]) -> dict[str, Bounds]:
    """Kappa and alpha of labels by name; of several frameworks with these in front.

    Args:
        found_units: units with labels, by framework.
    """
    several = len(found_units) > 1
    return {
        (f"{label_unit.framework}." if several else "") + name: bounds
        for label_unit in found_units
        for name, bounds in (
            ("kappa", label_unit.kappa),
            ("label_alpha", label_unit.alpha),
        )
    }


class _Units:
    """Units of one framework and what everybody says of them."""

    def __init__(self, annotators: int) -> None:
        self.annotators = annotators
        self.ratings: list[list[str | None]] = []
        self.groups: list[int] = []
        self.left_out = 0
        self.unit: Given = "word"
        self.what = ""

    def add(self, group: int, by: Mapping[int, Said]) -> None:
        """Add those of a graph that several annotated."""
        if len(by) < 2:
            return
        everybody = list(by.values())
        first = everybody[0]
        if first.unit is None:
            return
        if not same_units(everybody):
            self.left_out += 1
            return
        self.unit, self.what = first.unit, first.what
        places = dict.fromkeys(
            place for person_labels in everybody for place in person_labels.places
        )
        if first.unit in ("token", "word"):
            rows: Iterable[list[str | None]] = (
                [by[who].labels[n] if who in by else None for who in self._all()]
                for n in range(len(first.places))
            )
        else:
            known = {
                who: dict(zip(value.places, value.labels, strict=True))
                for who, value in by.items()
            }
            rows = (
                [known[who].get(place) if who in by else None for who in self._all()]
                for place in places
            )
        for row in rows:
            if sum(label is not None for label in row) > 1:
                self.ratings.append(row)
                self.groups.append(group)

    def _all(self) -> range:
        return range(self.annotators)


def _coefficients(framework: str, units: _Units, draws: Draws) -> LabelUnits:
    ratings, groups = units.ratings, Groups(units.groups, len(draws.units))

    def bounded(samples: Callable[[Any], Doubles]) -> tuple[Bounds, float, Doubles]:
        whole = float(samples(iter([np.ones((1, groups.number), dtype=np.int64)]))[0])
        drawn = samples(draws.weights())
        return draws.bounds(whole, drawn), whole, drawn

    columns = list(zip(*ratings, strict=True))
    pairs = [
        bounded(partial(cohen_samples, *both, groups=groups))
        for both in combinations(columns, 2)
    ]
    mean = draws.bounds(
        float(mean_of(np.array([[whole] for _, whole, _ in pairs]))[0]),
        mean_of(np.array([drawn for *_, drawn in pairs])),
    )
    if units.annotators == 2:
        method, kappa = "cohen", pairs[0][0]
    else:
        method = "fleiss"
        kappa = bounded(lambda drawn: fleiss_samples(ratings, drawn, groups))[0]
    alpha = bounded(lambda drawn: alpha_samples(ratings, drawn, groups))[0]
    return LabelUnits(
        framework,
        units.unit,
        units.what,
        len(ratings),
        units.left_out,
        method,
        kappa,
        mean,
        alpha,
        tuple(bounds for bounds, *_ in pairs),
    )


def label_agreements(
    texts: Texts, annotators: int, draws: Draws
) -> list[LabelAgreement]:
    """The F1 of every two annotators on each label, the most frequent first.

    Args:
        texts: what is said.
        annotators: how many there are.
        draws: what is drawn.
    """
    result = []
    for framework, labels_of in frameworks_of(texts, draws).items():
        result += _of_framework(framework, labels_of, annotators, draws)
    return result


_Name = tuple[str, str]


def _of_framework(
    framework: str, texts: Texts, annotators: int, draws: Draws
) -> list[LabelAgreement]:
    often: Counter[_Name] = Counter()
    pairs = list(combinations(range(annotators), 2))
    # By label: of every pair and unit what both have, and what either has.
    tables: dict[_Name, Counter[tuple[int, int, int]]] = defaultdict(Counter)
    for (unit, *_), by in texts.items():
        if len(by) < 2:
            continue
        own = {who: Counter(value.pieces) for who, value in by.items()}
        for counted in own.values():
            for piece, times in counted.items():
                often[piece[:2]] += times
        for index, (a, b) in enumerate(pairs):
            if a not in own or b not in own:
                continue
            for piece, times in (own[a] & own[b]).items():
                tables[piece[:2]][0, index, unit] += 2 * times
            for side in (own[a], own[b]):
                for piece, times in side.items():
                    tables[piece[:2]][1, index, unit] += times
    tuple_types = {
        tuple_type: n for n, tuple_type in enumerate(dict.fromkeys(k for k, _ in often))
    }
    names = sorted(
        often, key=lambda name: (tuple_types[name[0]], -often[name], name[1])
    )
    result = []
    for start in range(0, len(names), _AT_ONCE):
        chosen = names[start : start + _AT_ONCE]
        rows = np.zeros((len(draws.units), 2, len(chosen), len(pairs)))
        for number, name in enumerate(chosen):
            for (column, pair_index, unit), times in tables[name].items():
                rows[unit, column, number, pair_index] = times
        whole = _f1(rows.sum(axis=0)[None])[0]
        flat = rows.reshape(len(rows), -1)
        drawn = np.concatenate(
            [
                _f1((block @ flat).reshape(-1, *rows.shape[1:]))
                for block in draws.weights()
            ]
        )
        for number, (tuple_type, label) in enumerate(chosen):
            pair_bounds = [
                draws.bounds(float(whole[number, n]), drawn[:, number, n])
                for n in range(len(pairs))
            ]
            mean = draws.bounds(
                float(mean_of(whole[number][:, None])[0]), mean_of(drawn[:, number].T)
            )
            times = often[tuple_type, label]
            result.append(
                LabelAgreement(
                    framework, tuple_type, label, times, *mean, tuple(pair_bounds)
                )
            )
    return result


def _f1(sums: Doubles) -> Doubles:
    """Return the F1 of each cell, (samples, 2, labels, pairs); ``nan`` if undefined."""
    both, either = sums[:, 0], sums[:, 1]
    result = np.full(both.shape, math.nan)
    np.divide(both, either, out=result, where=either > 0)
    return result
