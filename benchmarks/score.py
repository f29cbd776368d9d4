"""Preparing and comparing: entities, coreference, formulas, SMATCH and MRP.

    python -m benchmarks.score [--data FOLDER] [--seconds 1] [--only NAME...]

Units a second of processor time on one core, the best of several passes: *prepare*
lays out the graphs of both sides, *counts* compares without and *rows* with matches and
error records.  Every pass prepares anew, so that nothing is remembered of an earlier
one.  Metrics that stand together share what they prepare, as in ``score``.  Entities,
documents and the pairs of formulas are made up, seeded; AMR and MRP are those of the
conformance data, and are left out without it.  Unproven pairs are told.
"""

from __future__ import annotations

import argparse
import gc
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.corpus import (
    MRP,
    PAIRS,
    coreference_graph,
    disturbed_document,
    documents,
    entities,
    events,
    graphs,
    pairs,
    relations,
    sentences,
)
from benchmarks.history import begin, record, recorded
from graphscore import from_tags
from graphscore.correspondence import Budget
from graphscore.metrics.base import Metric
from graphscore.metrics.extraction.argument import EventArguments
from graphscore.metrics.extraction.relation import Relation
from graphscore.metrics.formula import suite
from graphscore.metrics.registry import parse
from graphscore.model.graph import Graph
from graphscore.similarity import (
    Similarity,
    anchors,
    at,
    edges,
    exact,
    f1,
    harmonic,
    match,
    nodes,
    precision,
    recall,
    source,
    target,
    targets,
    via,
)

COREFERENCE = ("mentions", "muc", "b3", "ceafm", "ceafe", "blanc", "lea", "conll")

SIZES = (500, 5_000)
"""Objects of a pair, for formulas."""


class Task(NamedTuple):
    """What is prepared and compared.

    Attributes:
        name: of its scores.
        unit: what a pair is.
        pairs: gold and system graphs.
        metrics: those that share what they prepare.
    """

    name: str
    unit: str
    pairs: Sequence[tuple[Graph, Graph]]
    metrics: Sequence[Metric]


def ceaf() -> Similarity:
    """CEAFφ4 (eq. 19)."""
    return f1(match(nodes("entity"), f1(match(targets("mention"), exact(anchors)))))


def b_cubed() -> Similarity:
    """B³ (eq. 23, 24): the edges from entities to mentions are the memberships."""
    inner = match(targets("mention"), exact(anchors))
    mention = exact(via(target, anchors))
    return harmonic(
        *(
            ratio(match(edges("mention"), mention * at(source, ratio(inner))))
            for ratio in (precision, recall)
        )
    )


FORMULAS = (
    ("RelF1", Relation(duplicates="multiset"), relations),
    ("ArgF1", EventArguments(duplicates="multiset"), events),
    ("CEAFφ4", suite("ceaf", ceaf()), entities),
    ("B³", suite("b3", b_cubed()), entities),
)


def tasks(data: Path) -> Iterator[Task]:
    """Everything that is measured, as far as there is data."""
    tags = zip(*sentences(5_000), strict=True)
    gold, system = (list(from_tags(list(side))) for side in tags)
    tagged = list(zip(gold, system, strict=True))
    for spelled in ("ner", "ner(preset=nervaluate)", "ner(repair=strict)"):
        yield Task(spelled, "sentences", tagged, [parse(spelled)])
    chained = [
        (coreference_graph(each), coreference_graph(disturbed_document(each)))
        for each in documents(300, 200)
    ]
    together = [parse(name) for name in COREFERENCE]
    yield Task("coreference, together", "documents", chained, together)
    yield Task("conll", "documents", chained, [parse("conll")])
    for name, metric, make in FORMULAS:
        for size in SIZES:
            pair = make(size, random.Random(size))
            yield Task(f"{name}, {size} objects", "pairs", [pair], [metric])
    parses = [data / "amr" / f"coli500.{side}.amr" for side in ("gold", "system")]
    if all(path.exists() for path in parses):
        parsed = list(zip(*map(graphs, parses), strict=True))
        for preset in ("smatch", "smatchpp", "mtool", "none"):
            spelled = f"smatch(preset={preset})"
            yield Task(f"smatch, {preset}", "pairs", parsed, [parse(spelled)])
    for name, (path, _, _) in PAIRS.items():
        if (data / path).exists():
            yield Task(f"mrp, {name}", "pairs", pairs(name, data), [parse("mrp")])


def measure(task: Task, seconds: float) -> tuple[dict[str, float], int]:
    """Units a second of each stage, and how many pairs were left unproven."""
    least = dict.fromkeys(("prepare", "counts", "rows"), float("inf"))
    budget, unproven, spent = Budget(), 0, 0.0
    prepare = task.metrics[0].prepare
    while spent < seconds:
        for stage, details in (("counts", False), ("rows", True)):
            # Only what a pass makes is looked through, and not by the next one.
            gc.collect()
            start = time.process_time()
            prepared = [tuple(map(prepare, pair)) for pair in task.pairs]
            middle = time.process_time()
            outcomes = [
                metric.compare((gold,), (system,), budget=budget, details=details)
                for gold, system in prepared
                for metric in task.metrics
            ]
            end = time.process_time()
            unproven = sum(not outcome.proven for outcome in outcomes)
            least["prepare"] = min(least["prepare"], middle - start)
            least[stage] = min(least[stage], end - middle)
            spent += end - start
            del prepared, outcomes
    found = {stage: len(task.pairs) / spent for stage, spent in least.items()}
    return found, unproven


@recorded
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=MRP)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--only", nargs="+", default=[], help="how names begin")
    chosen = begin(parser)
    print(f"{'':26}{'prepare/s':>12}{'counts/s':>12}{'rows/s':>12}")
    gc.freeze()
    for task in tasks(chosen.data):
        if chosen.only and not task.name.startswith(tuple(chosen.only)):
            continue
        found, unproven = measure(task, chosen.seconds)
        for stage, speed in found.items():
            record(f"{task.name}, {stage}", speed, f"{task.unit}/s")
        cells = "".join(f"{speed:12,.1f}" for speed in found.values())
        told = f"  {unproven} UNPROVEN" if unproven else ""
        print(f"{task.name:26}{cells}  {task.unit}{told}", flush=True)


if __name__ == "__main__":
    main()
