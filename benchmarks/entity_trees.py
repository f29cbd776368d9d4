"""Sentences a second of error rates over entity trees, on one core.

    python -m benchmarks.entity_trees [--sentences 2000] [--seconds 3]

Sentences have about two entities, some of them nested, and four components, made up
after the annotation of QUAERO; the system has mistakes of every kind in two thirds of
them.  Graphs are prepared; masses alone, and with matches and error rows.
"""

from __future__ import annotations

import argparse
import random
import statistics
from collections import deque
from functools import partial

from benchmarks.entities import compared
from benchmarks.history import begin, rate_within, record, recorded
from graphscore.correspondence import Budget
from graphscore.metrics.registry import parse
from graphscore.model.graph import Anchor, Graph, NodeId
from graphscore.model.outcome import Masses, add_masses
from graphscore.structures.entities.trees import TreeBuilder

TYPES = (
    *("pers.ind", "pers.coll", "func.ind", "func.coll", "loc.adm.town"),
    *("loc.adm.nat", "org.adm", "org.ent", "prod.media", "time.date.abs", "amount"),
)

LABELS = (
    *("name", "name.first", "name.last", "kind", "qualifier", "title"),
    *("val", "unit", "day", "month", "year"),
)

METRICS = (
    *("eter", "eter(overlap=free)", "eter(alignment=fixed)"),
    *("ser", "ser(weights=makhoul)", "err", "ser(words=aligned)"),
)

MISTAKES = 0.12
"""How likely each mistake is for each piece, in a sentence that has any."""

Piece = tuple[str, int, int]
"""Label, first word, one past the last."""


class Sentence:
    """A sentence that is being made.

    Args:
        item: its name.
        size: how many words it has.
    """

    def __init__(self, item: str, size: int) -> None:
        self._item = item
        self._size = size
        self._build = TreeBuilder()

    def entity(self, piece: Piece, parent: NodeId | None = None) -> NodeId:
        """Add an entity."""
        return self._build.entity(piece[0], [_anchor(piece)], parent=parent)

    def component(self, piece: Piece, parent: NodeId) -> None:
        """Add a component."""
        self._build.component(piece[0], [_anchor(piece)], parent=parent)

    def graph(self) -> Graph:
        """What was made."""
        tokens = tuple(Anchor(5 * k, 5 * k + 4) for k in range(self._size))
        text = " ".join(["word"] * self._size)
        return self._build.graph(self._item, text=text, tokens=tokens)


def _anchor(piece: Piece) -> Anchor:
    return Anchor(5 * piece[1], 5 * piece[2] - 1)


class Disturbed:
    """What a system makes of gold pieces.

    Args:
        chance: random numbers.
        often: how likely each mistake is.
        size: how many words there are.
    """

    def __init__(self, chance: random.Random, often: float, size: int) -> None:
        self._chance = chance
        self._often = often
        self._size = size

    def happens(self) -> bool:
        """Whether there is a mistake here."""
        return self._chance.random() < self._often

    def said(self, piece: Piece, labels: tuple[str, ...]) -> Piece:
        """The piece, perhaps of another label or with another end."""
        label, first, after = piece
        if self.happens():
            label = self._chance.choice(labels)
        if self.happens():
            after = min(self._size, after + 1)
        return label, first, after


def sentences(count: int, seed: int = 1) -> list[tuple[Graph, Graph]]:
    """Gold and system sentences.

    Args:
        count: how many.
        seed: of the random numbers.
    """
    found = []
    for number in range(count):
        chance = random.Random(f"{seed}/{number}")
        size = chance.randint(12, 30)
        often = MISTAKES if chance.random() < 2 / 3 else 0.0
        system = Disturbed(chance, often, size)
        gold, said = Sentence(str(number), size), Sentence(str(number), size)
        place = chance.randint(0, 5)
        while place + 3 < size:
            place += _entity(chance, place, gold, said, system) + chance.randint(3, 12)
        found.append((gold.graph(), said.graph()))
    return found


def _entity(
    chance: random.Random,
    place: int,
    gold: Sentence,
    said: Sentence,
    system: Disturbed,
) -> int:
    """Add an entity with its components, one of four with another in it.

    Returns:
        How many words it has.
    """
    parts = chance.choice((1, 1, 2, 2, 3))
    nested = chance.random() < 0.25
    width = parts + 2 * nested
    piece = (chance.choice(TYPES), place, place + width)
    mine = gold.entity(piece)
    theirs = None if system.happens() else said.entity(system.said(piece, TYPES))
    for k in range(parts):
        part = (chance.choice(LABELS), place + k, place + k + 1)
        gold.component(part, mine)
        if theirs is not None and not system.happens():
            said.component(system.said(part, LABELS), theirs)
    if nested:
        inner = (chance.choice(TYPES), place + width - 1, place + width)
        below = gold.entity(inner, mine)
        gold.component(("name", *inner[1:]), below)
        if theirs is not None and system.happens():
            said.component(("name", *inner[1:]), theirs)
        elif theirs is not None:
            other = said.entity(system.said(inner, TYPES), theirs)
            said.component(("name", *inner[1:]), other)
    return width


@recorded
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sentences", type=int, default=2_000)
    parser.add_argument("--seconds", type=float, default=3.0)
    chosen = begin(parser)
    made = sentences(chosen.sentences)
    size, seconds = len(made), chosen.seconds
    slots = [parse("eter").prepare(gold) for gold, _ in made]
    print(
        f"{size} sentences, {statistics.mean(len(x.entities) for x in slots):.1f} "
        f"entities and {statistics.mean(len(x.components) for x in slots):.1f} "
        "components each"
    )
    print(f"{'':36}sentences/s{'rate':>10}")
    both = [graph for pair in made for graph in pair]
    prepare = parse("eter").prepare
    ready = rate_within(lambda: deque(map(prepare, both), maxlen=0), size, seconds)
    print(f"{'prepare, both sides':36}{ready:11,.0f}")
    record("prepare, both sides", ready, "sentences/s")
    for spelled in METRICS:
        metric = parse(spelled)
        pairs = [((metric.prepare(a),), (metric.prepare(b),)) for a, b in made]
        total: Masses = {}
        for one, two in pairs:
            add_masses(total, metric.compare(one, two, budget=Budget()).masses)
        value = metric.value(metric.figures(total))
        lean = rate_within(partial(compared, metric, pairs, False), size, seconds)
        rows = rate_within(partial(compared, metric, pairs, True), size, seconds)
        print(f"{spelled:36}{lean:11,.0f}{value:10.6f}")
        print(f"{spelled + ', rows':36}{rows:11,.0f}")
        record(spelled, lean, "sentences/s")
        record(f"{spelled}, rows", rows, "sentences/s")


if __name__ == "__main__":
    main()
