"""Milliseconds to lay out a directed graph in layers, and how it comes out.

    python -m benchmarks.layers [--boxes 60 600] [--runs 5]

Boxes hang on an earlier one: one of the last eight (``near``) or any (``far``); a third
as many links lead from anywhere to anywhere, for ``near`` at most fifteen boxes away.
Times are those of the processor, the median of several seeded graphs.
"""

from __future__ import annotations

import argparse
import random
import time
from statistics import median

from benchmarks.history import begin, record, recorded
from graphscore.drawing.layers.layout import Box, Layout, Link, lay_out


def graph(
    boxes: int, near: bool, labels: bool, seed: int
) -> tuple[list[Box], list[Link]]:
    """Boxes and a third more links than boxes.

    Args:
        boxes: how many.
        near: whether links are between boxes of near numbers.
        labels: whether links have labels.
        seed: of the random numbers.
    """
    rng = random.Random(seed)
    pairs = [
        (rng.randrange(max(0, at - 8) if near else 0, at), at) for at in range(1, boxes)
    ]
    while len(pairs) < boxes * 4 // 3:
        source, target = rng.randrange(boxes), rng.randrange(boxes)
        if not near or abs(source - target) <= 15:
            pairs.append((source, target))
    sizes = [Box(rng.randint(20, 90), 20) for _ in range(boxes)]
    if not labels:
        return sizes, [Link(*pair) for pair in pairs]
    return sizes, [Link(*pair, rng.randint(14, 40), 12) for pair in pairs]


@recorded
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boxes", type=int, nargs="+", default=[60, 600])
    parser.add_argument("--runs", type=int, default=5)
    chosen = begin(parser)
    print(
        f"{'boxes':>6}{'links':>7}  {'ends':6}{'labels':8}{'ms':>8}{'at most':>9}  size"
    )
    for boxes in chosen.boxes:
        for near in (True, False):
            for labels in (True, False):
                spent: list[float] = []
                for seed in range(chosen.runs):
                    made = graph(boxes, near, labels, seed)
                    start = time.process_time()
                    found: Layout = lay_out(*made)
                    spent.append(1000 * (time.process_time() - start))
                size = f"{found.width:.0f} x {found.height:.0f}"
                what = f"{boxes} boxes, {'near' if near else 'far'}"
                what += ", labels" if labels else ""
                record(what, median(spent), "ms")
                print(
                    f"{boxes:>6}{len(made[1]):>7}  {'near' if near else 'far':6}"
                    f"{'yes' if labels else 'no':8}{median(spent):>8,.0f}"
                    f"{max(spent):>9,.0f}  {size}"
                )


if __name__ == "__main__":
    main()
