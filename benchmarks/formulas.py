"""Formulas on growing pairs: how fast, and how time grows with size.

    python -m benchmarks.formulas [--sizes 5,50,500,5000] [--cap 20] [--no-peer]

Gold is made up, seeded; the system side is gold with errors.  Every measurement
lays both graphs out anew, which is timed apart (*prepare*), and compares them
(*compare*), without error records; *pairs/s* is both together, medians of many.
*growth* is the exponent x of time ~ size^x, fitted to the sizes from 50 on: 1 is
linear.

Beside it, where it is installed (extra ``[bench]``), the metametric library with
the same formulas over its own objects, which are ready beforehand; its score must
be the same (equal members count each, as there).  Whatever takes longer than the cap
is stopped, and shown as *capped*.
"""

from __future__ import annotations

import argparse
import gc
import math
import multiprocessing
import random
import time
from collections.abc import Callable
from importlib.metadata import version
from multiprocessing.connection import Connection
from statistics import median
from typing import Any, NamedTuple

from benchmarks.extractions import Pair, amr, entities, events, relations
from benchmarks.formula_peers import Peer, peers
from benchmarks.history import begin, record, recorded
from graphscore.correspondence import Budget
from graphscore.metrics.base import Metric
from graphscore.metrics.extraction.argument import EventArguments
from graphscore.metrics.extraction.relation import Relation
from graphscore.metrics.formula import suite
from graphscore.metrics.registry import parse
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

FROM = 50
"""Smaller pairs are mostly the overhead of a call; growth is fitted without them."""


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


class Task(NamedTuple):
    """A formula and what it is measured on."""

    name: str
    kind: str
    """The kind whose score is compared with the peer's."""
    metric: Metric
    make: Callable[[int, random.Random], Pair]


TASKS = (
    Task("RelF1", "boundary", Relation(duplicates="multiset"), relations),
    Task("ArgF1", "classification", EventArguments(duplicates="multiset"), events),
    Task("CEAFφ4", "all", suite("ceaf", ceaf()), entities),
    Task("B³", "all", suite("b3", b_cubed()), entities),
    Task("SMATCH", "all", parse("smatch(preset=smatch)"), amr),
)


class Measured(NamedTuple):
    """Seconds of one pair, and its score."""

    prepare: float
    compare: float
    score: float


def own(task: Task, pair: Pair, seconds: float) -> Measured:
    """The time it takes here: medians over fresh layouts."""
    metric, budget = task.metric, Budget()
    laid: list[float] = []
    compared: list[float] = []
    while sum(laid) + sum(compared) < seconds or not laid:
        start = time.perf_counter()
        gold, system = metric.prepare(pair.gold), metric.prepare(pair.system)
        middle = time.perf_counter()
        found = metric.compare((gold,), (system,), budget=budget, details=False)
        compared.append(time.perf_counter() - middle)
        laid.append(middle - start)
    score = metric.figures(found.masses).counts[task.kind].f1
    return Measured(median(laid), median(compared), score)


def theirs(peer: Peer, pair: Pair, seconds: float) -> Measured:
    """The peer's time, its objects ready."""
    gold, system = peer.objects(pair.gold), peer.objects(pair.system)
    spent: list[float] = []
    while sum(spent) < seconds or not spent:
        start = time.perf_counter()
        score = peer.score(gold, system)
        spent.append(time.perf_counter() - start)
    return Measured(0.0, median(spent), score)


def capped(cap: float, function: Callable[..., Measured], *given: Any) -> Any:
    """What a function says, in a process of its own; ``None`` after *cap* seconds."""
    forked = multiprocessing.get_context("fork")
    receiver, sender = forked.Pipe(duplex=False)

    def work(connection: Connection) -> None:
        # What was there before is not looked through again by the collector.
        gc.freeze()
        connection.send(function(*given))

    process = forked.Process(target=work, args=(sender,))
    process.start()
    sender.close()
    try:
        return receiver.recv() if receiver.poll(cap) else None
    finally:
        process.kill()
        process.join()


def growth(found: dict[int, float]) -> float:
    """The exponent of time in size, by least squares of the logarithms."""
    points = [(math.log(n), math.log(t)) for n, t in found.items() if n >= FROM]
    if len(points) < 2:
        return float("nan")
    across = sum(x for x, _ in points) / len(points)
    up = sum(y for _, y in points) / len(points)
    below = sum((x - across) ** 2 for x, _ in points)
    return sum((x - across) * (y - up) for x, y in points) / below


def run(
    task: Task, peer: Peer | None, sizes: list[int], cap: float, least: float
) -> None:
    """Measure and print one formula on all sizes."""
    mine: dict[int, float] = {}
    other: dict[int, float] = {}
    beaten = False
    for size in sizes:
        pair = task.make(size, random.Random(size))
        found = capped(cap, own, task, pair, least)
        line = f"{task.name:8}{size:7,}"
        if found is None:
            print(f"{line}{f'capped at {cap:g} s':>36}", flush=True)
            continue
        mine[size] = found.prepare + found.compare
        record(f"{task.name}, {size}", 1 / mine[size], "pairs/s")
        line += f"{found.prepare * 1e3:12,.3f}{found.compare * 1e3:12,.3f}"
        line += f"{1 / mine[size]:12,.1f}{found.score:9.4f}"
        if peer is not None and not beaten:
            # What is too slow for one size is not tried on a larger one.
            answer = capped(cap, theirs, peer, pair, least)
            beaten = answer is None
            if answer is None:
                line += f"{f'capped at {cap:g} s':>20}"
            else:
                other[size] = answer.compare
                record(f"metametric {task.name}, {size}", 1 / answer.compare, "pairs/s")
                same = math.isclose(answer.score, found.score, abs_tol=1e-9)
                line += f"{1 / answer.compare:14,.2f}{'same' if same else 'DIFFERS':>9}"
                line += f"{answer.compare / mine[size]:11,.1f}"
        print(line, flush=True)
    line = f"{task.name:8}growth{growth(mine):37.2f}"
    print(f"{line}{'':9}{growth(other):14.2f}\n" if other else f"{line}\n", flush=True)


@recorded
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="5,50,500,5000", help="objects of a pair")
    parser.add_argument("--cap", type=float, default=20.0, help="seconds")
    parser.add_argument("--seconds", type=float, default=0.3, help="at least so long")
    parser.add_argument("--tasks", default="", help="names; all of them by default")
    parser.add_argument("--no-peer", action="store_true")
    chosen = begin(parser)
    sizes = [int(each) for each in chosen.sizes.split(",")]
    wanted = set(filter(None, chosen.tasks.split(",")))
    beside = {} if chosen.no_peer else peers()
    head = f"{'formula':8}{'size':>7}{'prepare ms':>12}{'compare ms':>12}"
    head += f"{'pairs/s':>12}{'score':>9}"
    if beside:
        print(f"beside: metametric {version('metametric')}")
        head += f"{'its pairs/s':>14}{'score':>9}{'times':>11}"
    print(f"\n{head}")
    for task in TASKS:
        if not wanted or task.name in wanted:
            run(task, beside.get(task.name), sizes, chosen.cap, chosen.seconds)


if __name__ == "__main__":
    main()
