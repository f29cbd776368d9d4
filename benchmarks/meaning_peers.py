"""How fast UCCA and EDS are read and scored, beside the UCCA toolkit and PyDelphin.

Both do the same work in the same run, on made-up sentences: their own reading from
text, and their own scoring of what was read.  PyDelphin comes with the extra ``bench``;
the UCCA toolkit is under the GPL and is installed by itself (``ucca==1.3.8``).  Who is
not there is left out.

    python -m benchmarks.meaning_peers
"""

from __future__ import annotations

import argparse
import io
import random
from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree

from benchmarks.history import begin, rate, record, recorded
from graphscore.correspondence import Budget
from graphscore.formats.base import Read
from graphscore.formats.registry import format_named
from graphscore.metrics.registry import parse
from graphscore.model.graph import Anchor, Edge, Graph, Node, NodeId

SENTENCES, WORDS, WRONG = 400, 20, 0.1

ROLES = ("ARG1", "ARG2", "ARG3")


def eds(number: int, rng: random.Random, wrong: float) -> Graph:
    """A sentence as EDS: a predicate for each word, half of them with a quantifier."""
    nodes: list[Node] = []
    edges: list[Edge] = []
    seed = random.Random(number)
    for word in range(WORDS):
        start = word * 6
        label = f"_word{seed.randrange(500)}_n_1"
        if rng.random() < wrong:
            label = "_other_n_1"
        kept = tuple((name, "+") for name in ("SF", "TENSE", "MOOD", "PROG", "PERF"))
        if word % 5 == 0:
            kept = (("carg", f"Name{seed.randrange(50)}"), *kept)
        here = (Anchor(start, start + 5),)
        nodes.append(Node(f"e{word}", label, kept, here, (("type", "e"),)))
        if word:
            role, above = seed.choice(ROLES), seed.randrange(word)
            if rng.random() < wrong:
                role = "ARG4"
            edges.append(Edge(f"e{word}", f"e{above}", role))
    return Graph(
        str(number), "eds", 1, nodes=tuple(nodes), edges=tuple(edges), tops=("e0",)
    )


def ucca(number: int, rng: random.Random, wrong: float) -> Graph:
    """A sentence as UCCA: scenes of participants with functions and centres."""
    nodes = [Node("1.1")]
    edges: list[Edge] = []

    def unit(above: str, tag: str, *anchors: Anchor) -> str:
        if rng.random() < wrong:
            tag = rng.choice("ACDEP")
        identity = f"1.{len(nodes) + 1}"
        nodes.append(Node(identity, anchors=anchors))
        edges.append(Edge(above, identity, tag))
        return identity

    for start in range(0, WORDS * 6, 24):
        words = [Anchor(start + 6 * k, start + 6 * k + 5) for k in range(4)]
        scene = unit("1.1", "H")
        participant = unit(scene, "A")
        unit(participant, "F", words[0])
        unit(participant, "C", words[1])
        unit(scene, "P", words[2])
        unit(scene, "D", words[3])
        if start:
            remote = (("remote", True),)
            edges.append(Edge(scene, "1.3", "A", attributes=remote))
    ordered = sorted(nodes, key=lambda node: not node.anchors)
    text = " ".join(["words"] * WORDS)
    tops: tuple[NodeId, ...] = ("1.1",)
    return Graph(
        str(number), "ucca", 1, text=text, nodes=tuple(ordered), edges=tuple(edges),
        tops=tops,
    )  # fmt: skip


def ours(name: str, metric: str, data: Sequence[Sequence[bytes]]) -> dict[str, float]:
    """Sentences a second that are read, laid out and compared, and compared alone."""
    reader, chosen = format_named(name).read, parse(metric)
    assert reader is not None

    def read(side: Sequence[bytes]) -> list[Graph]:
        found = [each for data in side for each in reader(io.BytesIO(data), name)]
        return [each.graph for each in found if isinstance(each, Read)]

    def compare(gold: Sequence[Any], system: Sequence[Any]) -> None:
        for one, two in zip(gold, system, strict=True):
            chosen.compare((one,), (two,), budget=Budget(), details=False)

    graphs = [read(side) for side in data]
    assert list(map(len, graphs)) == [SENTENCES] * 2
    laid = [list(map(chosen.prepare, side)) for side in graphs]

    def score() -> None:
        compare(*(list(map(chosen.prepare, side)) for side in graphs))

    return {
        "read, both sides": rate(lambda: [read(side) for side in data], SENTENCES),
        "scored": rate(score, SENTENCES),
        "compared alone": rate(lambda: compare(*laid), SENTENCES),
    }


def pydelphin(data: Sequence[Sequence[bytes]]) -> dict[str, float]:
    """The same with PyDelphin; nothing where it is not installed."""
    try:
        from delphin import edm
        from delphin.codecs import eds as codec
    except ImportError:
        return {}
    texts = [b"".join(side).decode() for side in data]
    gold, system = map(codec.loads, texts)
    return {
        "read, both sides": rate(lambda: list(map(codec.loads, texts)), SENTENCES),
        "scored": rate(lambda: edm.compute(gold, system), SENTENCES),
    }


def toolkit(data: Sequence[Sequence[bytes]]) -> dict[str, float]:
    """The same with the UCCA toolkit; nothing where it is not installed."""
    try:
        from ucca import convert, evaluation
    except ImportError:
        return {}
    few = [side[:40] for side in data]

    def read() -> list[list[Any]]:
        return [
            [convert.from_standard(ElementTree.fromstring(each)) for each in side]
            for side in few
        ]

    def both() -> None:
        # It changes what it scores, which therefore is read again.
        for one, two in zip(*read(), strict=True):
            evaluation.evaluate(two, one)

    reading, whole = rate(read, len(few[0])), rate(both, len(few[0]))
    return {"read, both sides": reading, "scored": 1 / (1 / whole - 1 / reading)}


@recorded
def main() -> None:
    """Print sentences a second, here and there, and how many times as many."""
    parser = argparse.ArgumentParser(description=__doc__)
    begin(parser)
    rng = random.Random(7)
    for name, make, metric, peer, called in (
        ("eds", eds, "edm(preset=pydelphin)", pydelphin, "PyDelphin"),
        ("ucca", ucca, "ucca(preset=toolkit)", toolkit, "UCCA toolkit"),
    ):
        write = format_named(name).write
        assert write is not None
        data = [
            [b"".join(write([make(k, rng, wrong)])) for k in range(SENTENCES)]
            for wrong in (0, WRONG)
        ]
        found, theirs = ours(name, metric, data), peer(data)
        if len(theirs) == 2:
            for side in (found, theirs):
                reading, scoring = side["read, both sides"], side["scored"]
                side["read and scored"] = 1 / (1 / reading + 1 / scoring)
        for what, value in found.items():
            print(f"{metric}, {what:<18} {value:10,.0f} sentences/s")
            record(f"{metric}, {what}", value, "sentences/s")
            if what in theirs:
                times = value / theirs[what]
                print(f"  {called:<25} {theirs[what]:10,.0f}, {times:,.1f} times")
                record(f"{metric}, {what}, {called}", theirs[what], "sentences/s")
                record(f"{metric}, {what}, to {called}", times, "times", "higher")


if __name__ == "__main__":
    main()
