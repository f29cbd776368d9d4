"""How many pairs of graphs a second are compared by their pieces, counts only.

Verbs with their arguments as SDP 2015 counts them, and n-grams as SemBleu does.  The
task's toolkit and SemBleu are on no registry, so they do not run beside.  Texts in
segments: beside segeval (``pip install segeval``) for all three figures, and nltk for
two, where these are installed.

    python -m benchmarks.pieces
"""

from __future__ import annotations

import argparse
import importlib
import random
from collections.abc import Sequence
from functools import partial

from benchmarks.history import begin, rate, record, recorded
from graphscore.correspondence import Budget
from graphscore.evaluation.api import score
from graphscore.metrics.base import Metric
from graphscore.metrics.registry import parse
from graphscore.model.graph import Anchor, Edge, Graph, Node

SENTENCES, WORDS, WRONG = 5000, 20, 0.1

LABELS = ("ARG1", "ARG2", "ARG3", "BV", "compound", "loc")


def dependencies(item: str, rng: random.Random) -> tuple[Graph, Graph]:
    """A sentence of words with two edges to three words, and what a system makes."""
    text = " ".join(["word"] * WORDS)
    tokens = tuple(Anchor(5 * k, 5 * k + 4) for k in range(WORDS))
    nodes = tuple(
        Node(k + 1, "word", (("pos", rng.choice(("VB", "NN", "JJ"))),), (token,))
        for k, token in enumerate(tokens)
    )
    gold, system = [], []
    for _ in range(WORDS * 2 // 3):
        source, target = rng.sample(range(1, WORDS + 1), 2)
        gold.append(Edge(source, target, rng.choice(LABELS)))
        label = rng.choice(LABELS) if rng.random() < WRONG else gold[-1].label
        system.append(Edge(source, target, label))
    both = (
        Graph(item, "dm", 0, text=text, tokens=tokens, nodes=nodes, edges=tuple(edges))
        for edges in (gold, system)
    )
    one, two = both
    return one, two


CONCEPTS = [f"concept-{k:02}" for k in range(60)]

ROLES = ("ARG0", "ARG1", "ARG1-of", "mod", "time")


def meaning(item: str, rng: random.Random) -> tuple[Graph, Graph]:
    """A graph of 12 concepts with two reentrancies, and what a system makes of it."""
    labels = [rng.choice(CONCEPTS) for _ in range(12)]
    edges = [(rng.randrange(k), k, rng.choice(ROLES)) for k in range(1, 12)]
    for _ in range(2):
        source, target = rng.sample(range(12), 2)
        edges.append((source, target, "ARG2"))
    sides = []
    for wrong in (0.0, WRONG):
        nodes = [
            Node(k, rng.choice(CONCEPTS) if rng.random() < wrong else label)
            for k, label in enumerate(labels)
        ]
        nodes[-1] = Node(11, labels[-1], (("polarity", "-"), ("quant", "2")))
        kept = [Edge(*edge) for edge in edges if rng.random() >= wrong]
        sides.append(
            Graph(item, "amr", 2, nodes=tuple(nodes), edges=tuple(kept), tops=(0,))
        )
    return sides[0], sides[1]


def segmented(item: str, rng: random.Random) -> tuple[Graph, Graph]:
    """A text of 24 units, with a cut behind every sixth, and a system's cuts."""
    sides = []
    for _ in range(2):
        masses = [1]
        for _ in range(23):
            if rng.random() < 1 / 6:
                masses.append(1)
            else:
                masses[-1] += 1
        units = [(("units", each),) for each in masses]
        nodes = tuple(Node(k, None, each) for k, each in enumerate(units))
        sides.append(Graph(item, "segments", 1, document=item, nodes=nodes))
    return sides[0], sides[1]


def segeval(gold: Sequence[Graph], system: Sequence[Graph]) -> None:
    """The three figures of segeval."""
    peer = importlib.import_module("segeval")
    for one, two in zip(map(masses_of, gold), map(masses_of, system), strict=True):
        peer.pk(two, one)
        peer.window_diff(two, one)
        peer.boundary_similarity(one, two)


def nltk(gold: Sequence[Graph], system: Sequence[Graph]) -> None:
    """Pk and WindowDiff of nltk."""
    peer = importlib.import_module("nltk.metrics.segmentation")
    for one, two in zip(map(masses_of, gold), map(masses_of, system), strict=True):
        mine, theirs = ("1".join("0" * (n - 1) for n in side) for side in (one, two))
        peer.pk(mine, theirs)
        peer.windowdiff(mine, theirs, 2)


def masses_of(graph: Graph) -> tuple[int, ...]:
    """Units of each segment."""
    return tuple(int(dict(node.properties)["units"] or 0) for node in graph.nodes)


def compared(metric: Metric, gold: Sequence[Graph], system: Sequence[Graph]) -> None:
    """Lay all graphs out and compare them, without rows."""
    budget = Budget()
    for one, two in zip(gold, system, strict=True):
        sides = (metric.prepare(one),), (metric.prepare(two),)
        metric.compare(*sides, budget=budget, details=False)


def measure(
    name: str, sides: tuple[Sequence[Graph], Sequence[Graph]], unit: str
) -> float:
    """Print and keep both rates of a metric.

    Args:
        name: the metric's canonical string.
        sides: gold and system graphs.
        unit: what a graph is.

    Returns:
        How many are prepared and compared in a second.
    """
    metric, count, rates = parse(name), len(sides[0]), []
    for what, work in (
        ("prepared and compared", lambda: compared(metric, *sides)),
        ("scored", lambda: score(*sides, name)),
    ):
        found = rate(work, count)
        print(f"{name + ', ' + what:<55} {found:10,.0f} {unit}/s")
        record(f"{name}, {what}", found, f"{unit}/s")
        rates.append(found)
    return rates[0]


@recorded
def main() -> None:
    """Measure every metric of pieces."""
    parser = argparse.ArgumentParser(description=__doc__)
    begin(parser)
    rng = random.Random(1)
    pairs = [dependencies(str(k), rng) for k in range(SENTENCES)]
    gold, system = zip(*pairs, strict=True)
    measure("predications(preset=sdp2015)", (gold, system), "sentences")
    pairs = [meaning(str(k), rng) for k in range(SENTENCES)]
    gold, system = zip(*pairs, strict=True)
    measure("sembleu", (gold, system), "graphs")
    pairs = [segmented(str(k), rng) for k in range(SENTENCES)]
    gold, system = zip(*pairs, strict=True)
    ours = measure("boundaries", (gold, system), "texts")
    for peer in (segeval, nltk):
        try:
            theirs = rate(partial(peer, gold[:500], system[:500]), 500)
        except ImportError:
            print(f"{peer.__name__} is not installed")
            continue
        print(f"{peer.__name__:<55} {theirs:10,.0f} texts/s, {ours / theirs:.1f} times")
        record(f"boundaries, of {peer.__name__}", ours / theirs, "times", "higher")


if __name__ == "__main__":
    main()
