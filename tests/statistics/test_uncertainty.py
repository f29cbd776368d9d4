"""Intervals of everything that a result shows, against one score at a time."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graphscore import score
from graphscore.evaluation.confidence_intervals import Bounds, IntervalBounds
from graphscore.evaluation.macro import RATIOS
from graphscore.evaluation.result import Result
from graphscore.evaluation.unit import ItemResult
from graphscore.exceptions import UsageError
from graphscore.metrics.meaning.mrp import Mrp
from graphscore.model.outcome import RawCounts, add_raw_counts
from graphscore.statistics import sampling, tables
from graphscore.statistics.intervals import interval
from graphscore.statistics.sampling import resamples
from graphscore.statistics.uncertainty import with_intervals

DATA = Path(__file__).parents[2] / "data"
FEW: dict[str, Any] = {"samples": 60, "seed": 3}
SAME: dict[str, Any] = {"replicates": 60, "seed": 3}


@pytest.fixture(scope="module")
def alder() -> Result:
    return score(str(DATA / "gold.mrp"), str(DATA / "alder.mrp"))


@pytest.fixture(scope="module")
def tagged(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Result]:
    """Sentences with entities of three types, of which some are of another."""
    folder = tmp_path_factory.mktemp("tags")
    sides = []
    for name, wrong in (("gold", 0), ("system", 3)):
        lines = []
        for sentence in range(24):
            for word in range(6):
                tuple_type = ("PER", "LOC", "ORG")[(sentence + word) % 3]
                if wrong and (sentence * 7 + word) % wrong == 0:
                    tuple_type = "PER"
                free = word % 2 or (wrong and sentence % 5 == 0)
                lines.append("word\tO" if free else f"word\tB-{tuple_type}")
            lines.append("")
        path = folder / f"{name}.iob2"
        path.write_text("\n".join(lines))
        sides.append(str(path))
    return lambda metric: score(*sides, metric)


def made(amounts: list[tuple[int, int, int]], **more: str) -> Result:
    """Units with gold, system and matched edges."""
    items = []
    for place, each in enumerate(amounts):
        names = zip(("gold", "system", "matched"), each, strict=True)
        raw_counts: RawCounts = {("edges", "", name): value for name, value in names}
        document = f"d{place % 4}"
        item = ItemResult(
            "eds", "", str(place), document, raw_counts, 0, 0, True, False
        )
        items.append(item._replace(**more))
    found = Result(Mrp(), system="s", items=items, pairs=len(items))
    for unit in items:
        found.add((unit.framework, "", unit.document, ""), unit.raw_counts)
    return found


def ends(result: Result, score: str) -> IntervalBounds:
    found = interval(result, score, **SAME)
    return IntervalBounds(found.low, found.high)


def only(result: Result, framework: str) -> Result:
    items = [each for each in result.items if each.framework == framework]
    raw_counts = {
        key: sums for key, sums in result.raw_counts.items() if key[0] == framework
    }
    return dataclasses.replace(
        result, items=items, raw_counts=raw_counts, pairs=len(items), intervals=None
    )


def named(bounds: Bounds) -> Iterator[tuple[str, IntervalBounds]]:
    """Everything under the name that it is asked for by itself."""
    yield "", bounds.value
    for tuple_type, ratios in bounds.counts.items():
        for ratio in RATIOS:
            if f"{tuple_type}.{ratio}" not in bounds.numbers:
                yield f"{tuple_type}.{ratio}", ratios[ratio]
    yield from bounds.numbers.items()


def test_every_score_has_the_interval_that_it_has_by_itself(alder: Result) -> None:
    found = with_intervals(alder, **FEW).intervals
    assert found is not None
    seen = dict(named(found.whole))
    assert {"", "tops.recall", "all.f1", "nodes.f1", "edges.precision"} <= set(seen)
    for name, ends_of in seen.items():
        assert ends_of == ends(alder, name), name
    for framework in ("amr", "ucca"):
        bounds = found.groups[framework,]
        assert bounds.value == ends(only(alder, framework), "")
        assert bounds.of("edges") == ends(only(alder, framework), "edges")
    # A mean is that of the samples of all.
    for name, ends_of in named(found.macro):
        own = ends(alder, f"macro.{name}" if name else "macro")
        assert ends_of == pytest.approx(own, rel=1e-12), name


def test_every_score_of_a_metric_with_types_has_its_own_interval(
    tagged: Callable[[str], Result],
) -> None:
    result = tagged("ner")
    found = with_intervals(result, **FEW).intervals
    assert found is not None
    assert any(name.startswith("macro.") for name in found.whole.numbers)
    assert not any(name.endswith(".COR") for name in found.whole.numbers)
    for name in ("accuracy", "macro.strict.f1", "weighted.strict.recall"):
        low, high = ends(result, name)
        assert found.whole.numbers[name] == IntervalBounds(low, high)


def test_intervals_are_those_of_summing_dictionaries() -> None:
    rng = np.random.default_rng(1)
    rows = [(5, int(rng.integers(3, 7)), int(rng.integers(0, 4))) for _ in range(25)]
    result = made(rows)
    [drawn] = resamples(25, 60, seed=3)
    scores = []
    for sample in drawn.tolist():
        total: RawCounts = {}
        for unit in sample:
            add_raw_counts(total, result.items[unit].raw_counts)
        scores.append(Mrp().scores(total).counts["edges"].precision)
    low, high = np.percentile(scores, [5, 95]).tolist()
    found = with_intervals(result, level=0.9, **FEW).intervals
    assert found is not None
    assert found.whole.of("edges", "precision") == pytest.approx((low, high), rel=1e-12)


@pytest.mark.parametrize("by", [("item",), ("document",), ("framework", "document")])
def test_means_draw_units_and_keep_what_they_are_over(by: tuple[str, ...]) -> None:
    result = made([(4, 4, place % 4 + (place % 3 == 0)) for place in range(40)])
    found = with_intervals(result, by, **FEW).intervals
    assert found is not None
    mean = result.macro_over(*by)["edges"]["f1"]
    low, high = found.macro.of("edges")
    assert low is not None
    assert high is not None
    assert low < mean < high
    clustered = with_intervals(result, by, cluster="document", **FEW)
    assert clustered.intervals is not None
    assert clustered.intervals.whole.units == 4
    # The mean over items, drawn by document, would be one of other samples.
    assert (clustered.intervals.macro == Bounds()) == (by == ("item",))


def test_a_mean_over_items_draws_items() -> None:
    result = made([(4, 4, place % 5) for place in range(40)])
    [drawn] = resamples(40, 60, seed=3)
    ratios = np.array([place % 5 / 4 for place in range(40)])
    found = with_intervals(result, ("item",), **FEW).intervals
    assert found is not None
    means = np.percentile(ratios[drawn].mean(axis=1), [2.5, 97.5]).tolist()
    assert found.macro.of("edges", "recall") == pytest.approx(tuple(means), rel=1e-12)


def test_few_units_are_told_of_and_one_has_no_interval() -> None:
    few = with_intervals(made([(4, 4, 2)] * 7), **FEW)
    assert few.intervals is not None
    assert few.intervals.whole.value == IntervalBounds(0.5, 0.5)
    assert few.notes == ["s (mrp): only 7 items: intervals are unreliable"]
    one = with_intervals(made([(4, 4, 2)]), **FEW)
    assert one.intervals is not None
    assert one.intervals.whole == Bounds(1)
    assert one.notes == ["s (mrp): 1 item: no intervals of fewer than two"]
    assert one.to_dict()["low"] is None
    none = with_intervals(Result(Mrp(), system="s"), **FEW)
    assert none.intervals is not None
    assert math.isnan(none.value)
    assert none.intervals.whole == Bounds(0)


def test_an_error_rate_has_the_interval_of_the_leading_score(
    tagged: Callable[[str], Result],
) -> None:
    result = tagged("ser")
    leading = result.metric.leading
    assert leading
    found = with_intervals(result, **FEW).intervals
    assert found is not None
    assert found.whole.value == ends(result, "")
    assert found.whole.numbers[leading] == found.whole.value


def test_blocks_do_not_show(alder: Result, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = with_intervals(alder, **FEW).intervals
    for module, name, size in (
        (sampling, "CELLS", 100),
        (tables, "BLOCK", 700),
        (tables, "MANY", 2),
        (tables, "WEIGHED", 500),
    ):
        monkeypatch.setattr(module, name, size)
        assert with_intervals(alder, **FEW).intervals == whole


def test_a_seed_gives_the_same_scores_everywhere(alder: Result) -> None:
    found = with_intervals(alder, samples=1000, seed=7)
    assert found.intervals is not None
    assert found.intervals.whole.value == pytest.approx((LOW, HIGH), rel=1e-12)
    assert found.signature == (
        f"{alder.signature}|ci:bootstrap|samples:1000|seed:7|unit:item|level:0.95"
    )


LOW, HIGH = 0.889771437535918, 0.9287991872592604


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"samples": 0}, "0 replicates"),
        ({"level": 1.0}, "level 1"),
        ({"seed": -1}, "seed -1"),
        ({"cluster": "language"}, "clusters of 'language'"),
        ({"by": ("colour",)}, "cannot group by 'colour'"),
    ],
)
def test_wrong_settings_are_refused(
    alder: Result, wrong: dict[str, Any], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        with_intervals(alder, **wrong)
