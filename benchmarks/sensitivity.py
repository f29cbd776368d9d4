"""Scoring every other choice of a formula: in one pass, and one after the other.

    python -m benchmarks.sensitivity [--most 100]

On the sample of MRP graphs in ``data``, two systems.  *one by one* scores each variant
by itself, as somebody would who edits the formula; *at once* is what
``graphscore metrics FORMULA --sensitivity`` does.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from benchmarks.history import begin, record, recorded
from graphscore import score
from graphscore.similarity import formula
from graphscore.similarity.varying.choices import plan_of
from graphscore.statistics import sensitivity

DATA = Path(__file__).parents[1] / "data"

FORMULAS = {
    "labels and anchors": "f1(match(nodes(), exact(label, anchors)))",
    "nodes by their edges": "f1(match(nodes(), exact(label) * "
    "f1(match(edges_out(), exact(edge_label)))))",
}


@recorded
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=100)
    arguments = begin(parser)
    gold, *systems = (str(DATA / f"{each}.mrp") for each in ("gold", "alder", "birch"))
    for name, text in FORMULAS.items():
        start = time.process_time()
        found = sensitivity(gold, systems, text, most=arguments.most)
        once = time.process_time() - start
        start = time.process_time()
        for each in plan_of(formula(text), arguments.most).formulas.values():
            for system in systems:
                score(gold, system, each)
        apart = time.process_time() - start
        print(
            f"{name}: {len(found.variants)} variants of {found.scored} formulas, "
            f"at once {once:.2f} s, one by one {apart:.2f} s, "
            f"{apart / once:.1f} times as long"
        )
        record(f"{name}, variants at once", len(found.variants) / once, "variants/s")
        record(f"{name}, one by one over at once", apart / once, "times", "higher")


if __name__ == "__main__":
    main()
