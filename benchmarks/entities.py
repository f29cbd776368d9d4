"""Sentences a second of entity recognition, beside nervaluate and seqeval.

    python -m benchmarks.entities [--sentences 5000] [--seconds 3]

Sentences have 15 to 30 tokens and about four entities; the system has mistakes in
half of them, of every kind.  ``ner`` compares prepared graphs; seqeval and nervaluate
(extra ``[bench]``) get what they take: lists of tags, already in memory, as a whole.
Both are asked for F1 alone; nervaluate works out all four schemas, as ``ner`` does.
"""

from __future__ import annotations

import argparse
import io
import random
import warnings
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from benchmarks.history import begin, rate_within, record, recorded
from graphscore.correspondence import Budget
from graphscore.formats import Read, formats
from graphscore.formats.registry import reader_of
from graphscore.metrics.base import Metric
from graphscore.metrics.registry import parse
from graphscore.model.graph import Graph
from graphscore.model.outcome import Masses, add_masses

TYPES = ("PER", "LOC", "ORG", "DATE")

Tags = list[str]

Pairs = Sequence[tuple[tuple[Any], tuple[Any]]]
"""Prepared graphs of both sides."""


def sentences(count: int, seed: int = 1) -> list[tuple[Tags, Tags]]:
    """Gold and system tags, in IOB2.

    Args:
        count: how many sentences.
        seed: of the random numbers.
    """
    found = []
    for number in range(count):
        chance = random.Random(f"{seed}/{number}")
        gold: Tags = ["O"] * chance.randint(15, 30)
        system = list(gold)
        place = chance.randint(0, 3)
        wrong = chance.random() < 0.5
        while place < len(gold):
            last = min(place + chance.choice((0, 0, 1, 1, 2)), len(gold) - 1)
            label = chance.choice(TYPES)
            _tag(gold, place, last, label)
            mistake = chance.random() if wrong else 1.0
            if mistake < 0.1:
                label = chance.choice(TYPES)
            elif mistake < 0.2:
                last = min(last + 1, len(gold) - 1)
            if mistake > 0.3:
                _tag(system, place, last, label)
            place = last + chance.randint(2, 8)
        found.append((gold, system))
    return found


def _tag(tags: Tags, first: int, last: int, label: str) -> None:
    tags[first : last + 1] = [f"B-{label}"] + [f"I-{label}"] * (last - first)


def column(made: list[Tags]) -> bytes:
    """Sentences as a column file."""
    blocks = ("".join(f"word\t{tag}\n" for tag in tags) for tags in made)
    return "\n".join(blocks).encode()


def read(data: bytes) -> list[Graph]:
    """The graphs of a column file."""
    records = reader_of(formats()["iob"])(io.BytesIO(data), "made.iob2")
    return [each.graph for each in records if isinstance(each, Read)]


def compared(metric: Metric, pairs: Pairs, details: bool) -> None:
    """Compare prepared graphs."""
    budget = Budget()
    for one, two in pairs:
        metric.compare(one, two, budget=budget, details=details)


@recorded
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sentences", type=int, default=5_000)
    parser.add_argument("--seconds", type=float, default=3.0)
    chosen = begin(parser)
    made = sentences(chosen.sentences)
    gold, system = [each[0] for each in made], [each[1] for each in made]
    size, seconds = len(made), chosen.seconds
    print(f"{size} sentences{'':22}sentences/s{'F1':>10}")

    def report(name: str, work: Callable[[], object], score: float | None) -> None:
        shown = "" if score is None else f"{score:10.6f}"
        speed = rate_within(work, size, seconds)
        print(f"{name:36}{speed:11,.0f}{shown}")
        record(name, speed, "sentences/s")

    data = column(gold)
    report("iob, read", lambda: read(data), None)
    graphs = list(zip(read(data), read(column(system)), strict=True))
    both = [graph for pair in graphs for graph in pair]
    prepare = parse("ner").prepare
    # As in scoring, what was prepared is let go of.
    report("prepare, both sides", lambda: deque(map(prepare, both), maxlen=0), None)
    for spelled in ("ner", "ner(preset=nervaluate)", "ner(repair=strict)"):
        metric = parse(spelled)
        pairs = [((metric.prepare(a),), (metric.prepare(b),)) for a, b in graphs]
        total: Masses = {}
        for one, two in pairs:
            add_masses(total, metric.compare(one, two, budget=Budget()).masses)
        f1 = metric.figures(total).counts["strict"].f1
        report(spelled, partial(compared, metric, pairs, False), f1)
        report(f"{spelled}, rows", partial(compared, metric, pairs, True), None)
    _others(gold, system, report)


def _others(
    gold: list[Tags],
    system: list[Tags],
    report: Callable[[str, Callable[[], object], float | None], None],
) -> None:
    """The same sentences under the tools that people use."""
    try:
        from nervaluate.evaluator import Evaluator
        from seqeval.metrics import f1_score
        from seqeval.scheme import IOB2
    except ImportError:
        print("nervaluate and seqeval: not installed (pip install graphscore[bench])")
        return
    warnings.simplefilter("ignore")
    report("seqeval", lambda: f1_score(gold, system), f1_score(gold, system))
    strict = {"mode": "strict", "scheme": IOB2}
    found = f1_score(gold, system, **strict)
    report("seqeval, strict", lambda: f1_score(gold, system, **strict), found)
    evaluator = Evaluator(gold, system, list(TYPES), loader="list")
    said = evaluator.evaluate()["overall"]["strict"].f1
    report("nervaluate", evaluator.evaluate, said)


if __name__ == "__main__":
    main()
