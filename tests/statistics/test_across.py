"""Systems across frameworks, worked out by hand and by the samples."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from graphscore.evaluation.result import Result
from graphscore.evaluation.unit import ItemResult
from graphscore.exceptions import PairingError, UsageError
from graphscore.metrics.meaning.mrp import Mrp
from graphscore.metrics.registry import parse
from graphscore.model.outcome import RawCounts
from graphscore.statistics.cross_framework import (
    CrossFrameworkResult,
    across,
    across_each,
)
from graphscore.statistics.ranking import ranks_of
from graphscore.statistics.sampling import resamples

Counts = tuple[int, int, int]

Place = tuple[str, str, str]
"""Framework, language, layer."""


def item(place: Place, name: str, counts: Counts, missing: bool = False) -> ItemResult:
    named = zip(("gold", "system", "matched"), counts, strict=True)
    raw_counts: RawCounts = {
        ("edges", "", quantity): value for quantity, value in named
    }
    framework, language, layer = place
    return ItemResult(
        *(framework, language, name, "", raw_counts, 0, 0, True, missing), layer=layer
    )


def result(
    system: str, places: Mapping[str, Mapping[str, Counts]], metric: str = "mrp"
) -> Result:
    items = [
        item((framework, "", ""), name, counts)
        for framework, of_item in places.items()
        for name, counts in of_item.items()
    ]
    return Result(parse(metric), system=system, items=items, pairs=len(items))


def f1(counts: Sequence[Counts]) -> float:
    gold, system, matched = map(sum, zip(*counts, strict=True))
    return 2 * matched / (gold + system) if gold + system else 0.0


A = {
    "dm": {"0": (9, 9, 9), "1": (4, 4, 2), "2": (8, 6, 5), "3": (2, 2, 2)},
    "ucca": {"3": (3, 5, 1), "2": (7, 7, 7), "1": (6, 4, 4), "4": (9, 9, 0)},
}
B = {
    "dm": {"0": (9, 9, 0), "1": (4, 5, 3), "2": (8, 8, 6), "3": (2, 4, 1)},
    "ucca": {"3": (3, 3, 3), "2": (7, 7, 2), "1": (6, 6, 3), "4": (9, 9, 9)},
}
SHARED = ("1", "2", "3")


def found(**settings: object) -> CrossFrameworkResult:
    scored = [[result("a", A)], [result("b", B)]]
    return across(scored, **{"samples": 300, "seed": 5} | settings)  # type: ignore[arg-type]


def test_only_items_of_all_frameworks_take_part() -> None:
    told = found()
    assert (told.places, told.units) == (("dm", "ucca"), 3)
    assert told.left_out == {"dm": 1, "ucca": 1}
    assert "left out: 1 of dm, 1 of ucca" in told.notes[0]
    by_hand = {
        (name, place): f1([counts[place][each] for each in SHARED])
        for name, counts in (("a", A), ("b", B))
        for place in ("dm", "ucca")
    }
    assert {(each.system, each.place): each.value for each in told.systems} == by_hand
    # 18 / 26 and 20 / 31 in dm, 24 / 32 and 16 / 32 in ucca.
    assert by_hand["a", "dm"] == 18 / 26
    assert by_hand["b", "ucca"] == 16 / 32
    assert [each.rank for each in told.systems] == [1, 1, 2, 2]
    means = {each.system: each.value for each in told.means}
    assert means == {
        name: (by_hand[name, "dm"] + by_hand[name, "ucca"]) / 2 for name in "ab"
    }


def test_an_item_is_drawn_with_all_its_frameworks() -> None:
    told = found()
    [drawn] = resamples(3, 300, 5)
    samples = {
        (name, place): np.array(
            [f1([counts[place][SHARED[unit]] for unit in row]) for row in drawn]
        )
        for name, counts in (("a", A), ("b", B))
        for place in ("dm", "ucca")
    }
    tails = [2.5, 97.5]
    for each in told.systems:
        low, high = np.percentile(samples[each.system, each.place], tails)
        assert (each.low, each.high) == pytest.approx((low, high), abs=1e-12)
        both = np.array([samples[name, each.place] for name in "ab"])
        own = ranks_of(both)["ab".index(each.system)]
        assert each.rank_low == np.percentile(own, 2.5, method="inverted_cdf")
        assert each.rank_high == np.percentile(own, 97.5, method="inverted_cdf")
    for each in told.means:
        mean = (samples[each.system, "dm"] + samples[each.system, "ucca"]) / 2
        low, high = np.percentile(mean, tails)
        assert (each.low, each.high) == pytest.approx((low, high), abs=1e-12)


def test_an_item_with_nothing_on_either_side_adds_nothing() -> None:
    places = {
        "dm": {"1": (0, 0, 0), "2": (4, 4, 2), "3": (4, 4, 4), "4": (4, 4, 1)},
        "ucca": {"1": (4, 4, 4), "2": (4, 4, 1), "3": (4, 4, 3), "4": (4, 4, 0)},
    }
    told = across([[result("a", places)]], samples=10)
    assert told.units == 4
    assert told.systems[0].value == f1(list(places["dm"].values()))


def test_languages_and_layers() -> None:
    def parallel(system: str, matched: int) -> Result:
        items = [
            item(("amr", language, ""), name, (4, 4, matched))
            for language in ("eng", "deu")
            for name in "123"
        ]
        items.append(item(("amr", "deu", ""), "4", (4, 4, 0)))
        return Result(Mrp(), system=system, items=items, pairs=len(items))

    told = across([[parallel("a", 3)], [parallel("b", 2)]], "languages", samples=10)
    assert told.to_dict()["languages"] == ["deu", "eng"]
    assert told.to_dict()["systems"][0] == {
        "system": "a", "language": "deu", "value": 0.75, "low": 0.75, "high": 0.75,
        "rank": 1, "rank_low": 1, "rank_high": 1,
    }  # fmt: skip
    assert told.left_out == {"deu": 1, "eng": 0}
    layers = [
        item(("ner", "", layer), name, (4, 4, 2))
        for layer in ("coarse", "fine")
        for name in "12"
    ]
    one = Result(Mrp(), system="a", items=layers, pairs=4)
    told = across([[one]], "layers", samples=10)
    assert (told.places, told.units) == (("coarse", "fine"), 2)


def test_a_language_that_one_framework_does_not_say_is_that_of_the_others() -> None:
    items = [
        item(("dm", "eng", ""), "1", (4, 4, 4)),
        item(("dm", "eng", ""), "2", (4, 4, 2)),
    ]
    items += [
        item(("amr", "", ""), "1", (4, 4, 3)),
        item(("amr", "", ""), "2", (4, 4, 1)),
    ]
    told = across([[Result(Mrp(), system="a", items=items, pairs=4)]], samples=10)
    assert told.units == 2


def test_metrics_of_frameworks_of_their_own_are_told_together() -> None:
    def sides(counts: Counts) -> list[Result]:
        return [
            result("a", {"dm": {"1": counts, "2": (4, 4, 1)}}, "mrp"),
            result("a", {"ucca": {"1": counts, "2": (4, 4, 1)}}, "mrp(order=free)"),
        ]

    [told] = across_each([sides((4, 4, 4))], "frameworks", samples=10)
    assert {place: str(metric) for place, metric in told.metrics.items()} == {
        "dm": "mrp",
        "ucca": "mrp(order=free)",
    }
    assert not told.means
    assert any("metrics differ" in note for note in told.notes)
    both = [result("a", A), result("a", A, "mrp(order=free)")]
    assert len(across_each([both], "frameworks", samples=10)) == 2
    with pytest.raises(UsageError, match="both score dm"):
        across([both], samples=10)


def test_what_cannot_be_gone_across() -> None:
    with pytest.raises(UsageError, match="expected two or more, found dm"):
        across([[result("a", {"dm": {"1": (1, 1, 1)}})]])
    with pytest.raises(
        PairingError, match=r"no item is in all frameworks.*dm 1, ucca 1"
    ):
        across([[result("a", {"dm": {"1": (1, 1, 1)}, "ucca": {"2": (1, 1, 1)}})]])
    with pytest.raises(UsageError, match="has no score 'bogus'"):
        found(score="bogus")
    with pytest.raises(UsageError, match="'macro' is a mean"):
        found(score="macro")
    with pytest.raises(UsageError, match="across 'items': there are frameworks"):
        found(by="items")
    with pytest.raises(PairingError, match="did not score b"):
        across([[result("a", A)], [result("b", B, "mrp(order=free)")]])


def test_one_item_has_no_interval_and_missing_frameworks_are_said() -> None:
    lone = {place: {"1": (4, 4, 2)} for place in ("dm", "ucca")}
    told = across([[result("a", lone)]])
    assert told.systems[0][3:5] == (None, None)
    assert told.systems[0][6:] == (None, None)
    assert told.notes == ("1 item in all frameworks: no intervals of fewer than two",)
    items = [
        item((place, "", ""), n, (4, 0, 0), place == "dm")
        for place in lone
        for n in "12"
    ]
    told = across([[Result(Mrp(), system="a", items=items, pairs=4)]], samples=10)
    assert "a has nothing of dm: all scored as missing" in told.notes
    assert math.isclose(told.systems[0].value or 0, 0)
