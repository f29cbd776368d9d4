"""Several runs of one system: mean, deviation, and comparisons with others."""

from __future__ import annotations

from statistics import mean, stdev

import pytest

from graphscore import Runs, Store, UsageError, compare, score
from tests.cli.conftest import DATA

GOLD, ALDER, BIRCH = (str(DATA / f"{name}.mrp") for name in ("gold", "alder", "birch"))
RUNS = Runs(ALDER, BIRCH, name="tree")


@pytest.mark.parametrize("metric", ["mrp", "smatch", "labels"])
def test_scores_are_means_with_standard_deviations(metric):
    metric = "f1(match(nodes(), exact(label)))" if metric == "labels" else metric
    frameworks = ["amr", "eds"] if metric == "mrp" else "amr"
    runs = [score(GOLD, each, metric, framework=frameworks) for each in (ALDER, BIRCH)]
    result = score(GOLD, RUNS, metric, framework=frameworks)
    assert (result.system, len(result.runs)) == ("tree", 2)
    assert str(result.metric) == str(runs[0].metric)
    assert result.value == pytest.approx(mean(run.value for run in runs))
    assert result.recall == pytest.approx(mean(run.recall for run in runs))
    deviations = result.intervals
    assert deviations.whole.value.sd == pytest.approx(stdev(run.value for run in runs))
    for key, scores in result.by("framework").items():
        f1s = [run.by("framework")[key].counts["all"].f1 for run in runs]
        assert scores.counts["all"].f1 == pytest.approx(mean(f1s))
        of_slice = deviations.group(("framework",), key).of("all")
        assert of_slice.sd == pytest.approx(stdev(f1s))
    macros = [run.macro["all"]["f1"] for run in runs]
    assert deviations.of_macro(()).of("all").sd == pytest.approx(stdev(macros))


def test_runs_are_kept_together_in_a_comparison():
    found = compare(GOLD, RUNS, ALDER, metric="mrp", framework="amr", samples=50)
    runs = [score(GOLD, each, "mrp", framework="amr") for each in (ALDER, BIRCH)]
    tree, alder = found.systems
    assert [tree.system, alder.system] == ["tree", ALDER]
    assert tree.value == pytest.approx(mean(run.f1 for run in runs))
    assert alder.value == pytest.approx(runs[0].f1)
    for unit in found.items:
        items = [next(x for x in run.items if x.item == unit.item) for run in runs]
        values = [
            run.metric.scores(item.raw_counts).counts["all"].f1
            for run, item in zip(runs, items, strict=True)
        ]
        assert unit.values == pytest.approx((mean(values), values[0]))
    assert any("several runs" in note for note in found.notes)


def test_equal_runs_deviate_by_nothing_and_never_differ():
    same = Runs(ALDER, ALDER, name="same")
    result = score(GOLD, same, "mrp", framework="eds")
    assert result.intervals.whole.value.sd == 0
    found = compare(GOLD, same, ALDER, metric="mrp", framework="eds", samples=50)
    assert (found.pairs[0].difference, found.pairs[0].p) == (0, 1)


def test_runs_of_collections(tmp_path):
    with Store(str(tmp_path / "runs.db"), mode="create") as store:
        for path in (GOLD, ALDER, BIRCH):
            store.ingest([path], path.rsplit("/", 1)[1].removesuffix(".mrp"))
        runs = Runs("alder", "birch", name="tree")
        found = compare(store, "gold", runs, "alder", metric="mrp", samples=50)
    assert [each.system for each in found.systems] == ["tree", "alder"]


def test_runs_are_refused_where_they_say_nothing():
    with pytest.raises(UsageError, match="one or more runs"):
        Runs()
    with pytest.raises(UsageError, match="several runs"):
        score(GOLD, RUNS, "mrp") + score(GOLD, RUNS, "mrp")


def test_lists_are_runs_too():
    gold = [["B-PER", "O"], ["B-LOC", "O"]]
    runs = Runs(gold, [["O", "O"], ["B-LOC", "O"]])
    result = score(gold, runs, "ner")
    assert result.recall == 0.75
    assert runs.names == ("run 1", "run 2")
