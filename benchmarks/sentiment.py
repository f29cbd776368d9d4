"""How many sentences with opinions are read and scored in a second, without a peer.

The task's script is on no registry; it reads and scores a file of its own in one go.

    python -m benchmarks.sentiment
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.history import begin, rate, record, recorded
from graphscore.correspondence import Budget
from graphscore.evaluation.api import score
from graphscore.evaluation.options import Options
from graphscore.formats import Read, read_file
from graphscore.metrics.registry import parse
from graphscore.model.graph import Graph

SENTENCES, WORDS, WRONG = 5000, 18, 0.2

METRICS = ("sentiment", "sentiment(polarity=ignored)", "sentiment(weighted=false)")


def sentence(number: int, rng: random.Random) -> list[dict[str, Any]]:
    """A sentence of up to three opinions, and what a system makes of it."""
    words = ["word"] * WORDS
    text = " ".join(words)

    def part(first: int, count: int) -> list[list[str]]:
        start, end = first * 5, (first + count) * 5 - 1
        return [[text[start:end]], [f"{start}:{end}"]]

    gold, system = [], []
    for _ in range(rng.choice([0, 0, 1, 1, 2, 3])):
        first = rng.randrange(WORDS - 6)
        fields = {
            "Source": part(first, 1) if rng.random() < 0.1 else [[], []],
            "Target": part(first + 1, rng.randrange(1, 3)),
            "Polar_expression": part(first + 3, rng.randrange(1, 4)),
            "Polarity": rng.choice(["Positive", "Negative"]),
            "Intensity": "Standard",
        }
        gold.append(fields)
        said = dict(fields)
        if rng.random() < WRONG:
            said["Polarity"] = "Neutral"
        if rng.random() < WRONG:
            said["Target"] = part(first + 1, 1)
        if rng.random() > WRONG / 2:
            system.append(said)
    return [
        {"sent_id": str(number), "text": text, "opinions": opinions}
        for opinions in (gold, system)
    ]


def read(path: Path) -> list[Graph]:
    return [each.graph for each in read_file(str(path)) if isinstance(each, Read)]


@recorded
def main() -> None:
    """Print sentences a second: read, from memory, and compared alone."""
    parser = argparse.ArgumentParser(description=__doc__)
    begin(parser)
    rng = random.Random(7)
    sides = zip(*(sentence(k, rng) for k in range(SENTENCES)), strict=True)
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, f"{name}.json") for name in ("gold", "system")]
        for path, side in zip(paths, sides, strict=True):
            path.write_text(json.dumps(side, indent=1), encoding="utf-8")
        gold, system = map(read, paths)
        found = {"read": rate(lambda: read(paths[0]), SENTENCES)}
        for name in METRICS:
            metric, options, budget = parse(name), Options(), Budget()

            def in_memory(name: str = name, options: Options = options) -> object:
                return score(gold, system, name, options=options)

            def compared(metric: Any = metric, budget: Budget = budget) -> object:
                return [
                    metric.compare(
                        (metric.prepare(one),),
                        (metric.prepare(two),),
                        budget=budget,
                        details=False,
                    )
                    for one, two in zip(gold, system, strict=True)
                ]

            found[f"{name}, scored"] = rate(in_memory, SENTENCES)
            found[f"{name}, prepared and compared"] = rate(compared, SENTENCES)
    for name, value in found.items():
        print(f"{name:<55} {value:10,.0f} sentences/s")
        record(name, value, "sentences/s")


if __name__ == "__main__":
    main()
