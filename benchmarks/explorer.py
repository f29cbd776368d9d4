"""The explorer on a large store: how soon each page answers.

    python -m benchmarks.explorer [--items 20000] [--times 20] [--store FILE]

The store has two systems whose 20,000 items leave a million errors each; made by the
ordinary writers, from graphs that are made up from one seed.  With ``--store`` it is
kept there, and used again.  Pages are asked for through the whole application, without
a network: the time is that until the first byte, the first time (nothing is kept yet)
and the median of the others.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from random import Random

from graphscore import Graph, Options, Store
from graphscore.model.graph import Anchor, Edge, Node

METRIC = "edm"

WORDS = 17
"""Of each text; each has a node."""

DOCUMENTS = 200

LABELS = 3000
"""Different ones of nodes."""


def made_up(count: int, seed: int, wrong: float) -> Iterator[Graph]:
    """Graphs over the same texts, in which labels are wrong at random.

    Args:
        count: how many.
        seed: of what is wrong.
        wrong: which part of the nodes and edges is.
    """
    chance = Random(seed)
    for number in range(count):
        # What is right depends on the number alone.
        right = Random(number)
        words = [f"w{right.randrange(LABELS)}" for _ in range(WORDS)]
        text, nodes, edges = "", [], []
        for place, word in enumerate(words):
            start = len(text) + bool(text)
            text += " " * bool(text) + word
            label = f"_{word}_{right.choice('nva')}"
            if chance.random() < wrong:
                label = f"_w{min(chance.randrange(LABELS), chance.randrange(LABELS))}_n"
            anchor = (Anchor(start, len(text)),)
            nodes.append(Node(place, label, anchors=anchor))
            if place:
                head, name = right.randrange(place), f"ARG{right.randrange(1, 4)}"
                if chance.random() < wrong:
                    head, name = chance.randrange(place), "BV"
                edges.append(Edge(head, place, name))
        yield Graph(
            f"item-{number:05}",
            "eds",
            1,
            language="eng" if number % 3 else "ces",
            document=f"document-{number % DOCUMENTS:03}",
            text=text,
            nodes=tuple(nodes),
            edges=tuple(edges),
            tops=(0,),
        )


def build(path: str, count: int) -> None:
    """Write the store.

    Args:
        path: the file.
        count: of items.
    """
    with Store(path, mode="create") as store:
        store.add(list(made_up(count, 1, 0.0)), "gold")
        for number, name in enumerate(("alder", "birch"), 2):
            store.add(list(made_up(count, number, 0.9)), name)
            start = time.perf_counter()
            store.score("gold", name, METRIC, Options())
            spent = time.perf_counter() - start
            [[errors]] = store.query(
                f"select sum(errors) from v_error_counts where system = '{name}'"
            )[1]
            print(f"{name}: {errors:,} errors in {count:,} items, {spent:.0f} s")


if __name__ == "__main__":
    import sys

    build(sys.argv[1], int(sys.argv[2]))
