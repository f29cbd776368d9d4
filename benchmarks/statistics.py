"""Seconds and memory of intervals and tests, beside scipy on the same units.

    python -m benchmarks.statistics [--units 10000 100000] [--samples 10000]
        [--sentences 1500]

Corpora have as many units as wanted, drawn from the masses of real comparisons: of the
bundled graphs (``mrp``, 7 kinds in two frameworks), and of made-up sentences with
tags, of which ``ner`` keeps the masses of every type.  Each line is measured in a
process of its own, on one core, whose memory is the growth of its peak.  Agreement is
that of three annotators of made-up sentences with tags, from graphs in memory.

scipy gets the same units as a statistic over summed arrays, vectorized, in batches
that take about as much memory; its line has the ratio of its time to ours.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import resource
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy.stats

from benchmarks.entities import column, read, sentences
from benchmarks.history import begin, record, recorded, section
from graphscore.evaluation.api import score
from graphscore.evaluation.result import ItemResult, Result
from graphscore.metrics.registry import parse
from graphscore.model.graph import Graph
from graphscore.model.outcome import Masses
from graphscore.statistics.agreement.annotators import agree
from graphscore.statistics.comparison import compare_results
from graphscore.statistics.resampling import Resampling
from graphscore.statistics.uncertainty import with_intervals

DATA = Path(__file__).parent.parent / "data"

TYPES = 60
"""Types of entities where there are many."""

BATCH = 1 << 21
"""Units that scipy draws at a time."""


class Case(NamedTuple):
    """What is measured."""

    name: str
    metric: str
    figure: str = ""


CASES = (
    Case("mrp", "mrp"),
    Case("mrp, macro", "mrp", "macro"),
    Case("ner, 4 types", "ner"),
    Case("ner, 4 types, mean over types", "ner", "macro.strict.f1"),
    Case("ner, 60 types", "ner(types)"),
    Case("ner, 60 types, mean over types", "ner(types)", "macro.strict.f1"),
    Case("las", "las"),
)


def corpus(name: str, size: int, seed: int) -> Result:
    """A system's results of as many units, drawn from real ones.

    Args:
        name: of the metric, ``ner(types)`` where there are many types.
        size: units.
        seed: which of them; the gold side of equal units is the same.
    """
    metric = parse(name.removesuffix("(types)"))
    real = _real(name)
    which = random.Random(1)
    chosen = [which.randrange(len(real)) for _ in range(size)]
    better = random.Random(seed)
    items = []
    for number, place in enumerate(chosen):
        pair = real[place]
        each = pair[better.random() < 0.4 + 0.02 * seed]
        framework = ("dm", "eds", "psd")[number % 3] if name == "mrp" else "ner"
        if name == "las":
            framework = "ud"
        items.append(
            ItemResult(framework, "", f"i{number}", "", each, 0, 0, True, False)
        )
    found = Result(metric, system=f"s{seed}", items=items, pairs=size)
    for unit in items:
        found.add((unit.framework, "", "", ""), unit.masses)
    return found


def _real(name: str) -> list[tuple[Masses, Masses]]:
    """Masses of units by two systems."""
    if name == "mrp":
        systems = [
            score(str(DATA / "gold.mrp"), str(DATA / f"{who}.mrp")) for who in _SYSTEMS
        ]
        first, second = ([each.masses for each in found.items] for found in systems)
        return list(zip(first, second, strict=True))
    if name == "las":
        return [_heads(random.Random(f"las/{number}")) for number in range(500)]
    made = sentences(500)
    tagged, found = [each[0] for each in made], [each[1] for each in made]
    if name == "ner(types)":
        for number, both in enumerate(zip(tagged, found, strict=True)):
            draw = random.Random(f"types/{number}")
            names = {kind: f"T{int(TYPES * draw.random() ** 2)}" for kind in _KINDS}
            for tags in both:
                tags[:] = [
                    tag if tag == "O" else tag[:2] + names[tag[2:]] for tag in tags
                ]
    graphs = read(column(tagged))
    worse = score(graphs, read(column(found)), "ner").items
    best = score(graphs, graphs, "ner").items
    return [(a.masses, b.masses) for a, b in zip(worse, best, strict=True)]


_SYSTEMS = ("birch", "alder")
_KINDS = ("PER", "LOC", "ORG", "DATE")


def _heads(draw: random.Random) -> tuple[Masses, Masses]:
    """A sentence of which two systems find most heads with relations."""
    words = draw.randint(5, 40)
    found: list[Masses] = []
    for chance in (0.85, 0.88):
        right = sum(draw.random() < chance for _ in range(words))
        amounts = {"gold": words, "system": words, "matched": right}
        found.append({("words", "", name): value for name, value in amounts.items()})
    return found[0], found[1]


def measured(work: Callable[[], Any]) -> tuple[float, float, Any]:
    """Seconds of a processor, MiB and what came out, in a process of its own."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    child = context.Process(target=_run, args=(work, theirs))
    child.start()
    theirs.close()
    found: tuple[float, float, Any] = ours.recv()
    child.join()
    return found


def _run(work: Callable[[], Any], answer: Any) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    found = work()
    seconds = time.process_time() - start
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    answer.send((seconds, (after - before) / 1024, found))


def report(name: str, work: Callable[[], Any], beside: float = 0.0) -> float:
    """Print a line; with what it is held against, how many times as long it took."""
    seconds, memory, _ = measured(work)
    ratio = f"{seconds / beside:8.1f} x" if beside else ""
    print(f"{name:52}{seconds:9.2f}{memory:9.0f}{ratio}", flush=True)
    record(name.strip(), seconds, "s")
    record(f"{name.strip()}, memory", memory, "MiB")
    return seconds


def bootstrapped(made: Resampling, method: Any = "percentile") -> Any:
    """An interval of the first system; what was drawn before is drawn again."""
    made.__dict__.pop("drawn", None)
    return made.interval(0, 0.95, method)


def scipys(made: Resampling, samples: int, method: Any) -> Any:
    """The F1 of all by scipy, from the amounts of all kinds together."""
    gold, matched = _amounts(made, 0)
    return scipy.stats.bootstrap(
        (gold, matched),
        lambda g, m, axis=-1: 2 * m.sum(axis=axis) / g.sum(axis=axis),
        paired=True,
        vectorized=True,
        n_resamples=samples,
        batch=max(1, BATCH // made.size),
        method=method,
        random_state=np.random.default_rng(1),
    ).confidence_interval


def scipys_test(made: Resampling, samples: int) -> Any:
    """Systems swapped by scipy: of each, what it matches; gold is equal."""
    (_, one), (_, two) = _amounts(made, 0), _amounts(made, 1)
    return scipy.stats.permutation_test(
        (one, two),
        lambda a, b, axis=-1: a.sum(axis=axis) - b.sum(axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=samples,
        batch=max(1, BATCH // made.size),
        random_state=np.random.default_rng(1),
    ).pvalue


def _amounts(made: Resampling, system: int) -> tuple[Any, Any]:
    """Gold and system amounts together, and matched ones, of every unit."""
    table = made.tables[system]
    sums = {"gold": np.zeros(made.size), "system": np.zeros(made.size)}
    sums["matched"] = np.zeros(made.size)
    for place, (_, _, quantity) in enumerate(table.keys):
        if quantity in sums:
            sums[quantity] += table.rows[:, place]
    return sums["gold"] + sums["system"], sums["matched"]


@recorded
def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--units", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--sentences", type=int, nargs="+", default=[1_500])
    parser.add_argument("--samples", type=int, default=10_000)
    parser.add_argument("--case", action="append", help="only these (repeatable)")
    chosen = begin(parser, arguments)
    samples = chosen.samples
    for units in chosen.units:
        print(f"{samples:,} samples of {units:,} units{'':20}{'CPU s':>9}{'MiB':>9}")
        section(f"{units} units")
        for case in CASES:
            if not chosen.case or case.name in chosen.case:
                _case(case, units, samples)
        if not chosen.case:
            _tests(units, samples)
    if not chosen.case:
        for count in chosen.sentences:
            _agreements(count, samples)


def _case(case: Case, units: int, samples: int) -> None:
    made = Resampling([corpus(case.metric, units, 1)], case.figure, samples=samples)
    columns = len(made.tables[0].columns)
    report(f"{case.name} ({columns} columns)", partial(bootstrapped, made))
    if case.name == "mrp":
        report("mrp, BCa", partial(bootstrapped, made, "bca"))


def _tests(units: int, samples: int) -> None:
    two = [corpus("mrp", units, seed) for seed in (1, 2)]
    made = Resampling(two, samples=samples)
    ours = report("mrp, interval, two systems", partial(bootstrapped, made))
    work = partial(scipys, made, samples, "percentile")
    report("  scipy.stats.bootstrap, one", work, ours)
    ours = report("mrp, BCa, two systems", partial(bootstrapped, made, "bca"))
    if units <= 10_000:
        # scipy leaves each unit out of an array of all: units x units numbers.
        work = partial(scipys, made, samples, "BCa")
        report("  scipy.stats.bootstrap, BCa, one", work, ours)
    ours = report("mrp, test, two systems", lambda: made.randomised([(0, 1)]))
    report("  scipy.stats.permutation_test", partial(scipys_test, made, samples), ours)
    ten = [corpus("mrp", units, seed) for seed in range(1, 11)]
    all_ten = Resampling(ten, samples=samples)
    pairs = [(a, b) for a in range(10) for b in range(a + 1, 10)]
    report("mrp, 45 tests of 10 systems", lambda: all_ten.randomised(pairs))
    for number in (2, 10):
        work = partial(_quietly, compare_results, ten[:number], samples)
        report(f"mrp, compared, {number} systems", work)
    work = partial(_quietly, with_intervals, two[0], samples)
    report("mrp, all figures, by framework", work)


def annotators(count: int) -> list[list[Graph]]:
    """Sentences by three annotators, of whom the last is in two minds.

    Args:
        count: how many sentences.
    """
    made = sentences(count)
    third = [both[number % 2] for number, both in enumerate(made)]
    sides = [each[0] for each in made], [each[1] for each in made], third
    return [read(column(side)) for side in sides]


def _agreements(count: int, samples: int) -> None:
    three = annotators(count)
    print(f"{samples:,} samples of {count:,} sentences, three annotators")
    section(f"{count} sentences")
    report("ner, agreement", partial(_agreed, three, samples))


def _agreed(three: list[list[Graph]], samples: int) -> None:
    agree(*three, metric="ner", samples=samples)


def _quietly(function: Callable[..., Any], what: Any, samples: int) -> None:
    """Leave what was found where it was: it need not be sent."""
    function(what, samples=samples)


if __name__ == "__main__":
    main()
