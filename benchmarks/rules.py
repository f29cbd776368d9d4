"""Facts a second of classification by rules.

    python -m benchmarks.rules [--documents 1000 2000] [--seconds 3]

A document has 50 gold spans and 45 of the system's, of which a third are wrong in
every way that the rules know.  A fact is a span of either side; documents are prepared
beforehand, and are classified all together, or one by one.  ``figures 2 and 3`` are the
five rules of the poster alone; ``shipped`` is the rule set that comes with graphscore,
with its three levels; ``spans only`` leaves out documents and resolution.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.history import begin, rate_within, record, recorded, section
from graphscore.correspondence import Budget
from graphscore.metrics.entities.rules import Rules
from graphscore.model.graph import Anchor, Graph, Node
from graphscore.model.outcome import Masses, Outcome, add_masses
from graphscore.rules.facts import Prepared

TYPES = ("PER", "LOC", "ORG", "DATE")

SPANS = 50
"""Gold spans of a document."""

Pairs = list[tuple[Sequence[Prepared], Sequence[Prepared]]]

FIGURES = Path(__file__).parent.parent / "docs" / "examples" / "figures.toml"

SPANS_ONLY = 'extends = "default"\n[settings]\nlevels = ["span"]\n'


def documents(count: int, seed: int = 1) -> list[tuple[Graph, Graph]]:
    """Gold and system documents with mistakes of every kind.

    Args:
        count: how many.
        seed: of the random numbers.
    """
    return [_document(random.Random(f"{seed}/{number}")) for number in range(count)]


def _document(chance: random.Random) -> tuple[Graph, Graph]:
    words: list[str] = []
    gold: list[Node] = []
    system: list[Node] = []
    place = 0

    def node(side: list[Node], kind: str, start: int, end: int, *entries: str) -> None:
        said = tuple(("authority", entry) for entry in entries)
        low = (("confidence", "low"),) if chance.random() < 0.05 else ()
        properties = (("kind", "mention"), *low, *said)
        side.append(Node(len(side), kind, properties, (Anchor(start, end),)))

    for _ in range(SPANS):
        name = f"Name{chance.randint(1, 400)} Of{chance.randint(1, 40)}"
        word = f"{'the ' if chance.random() < 0.5 else 'by '}{name}, "
        begin = place + word.index(name)
        end = begin + len(name)
        kind, entry = chance.choice(TYPES), f"Q{chance.randint(1, 900)}"
        more = (f"{entry}b",) if chance.random() < 0.2 else ()
        known = chance.random() < 0.7
        node(gold, kind, begin, end, *((entry, *more) if known else ()))
        mistake = chance.random()
        wrong = entry if chance.random() < 0.8 else "Q1000"
        found = (wrong,) if known else ()
        if mistake < 0.7:
            node(system, kind, begin, end, *found)
        elif mistake < 0.78:
            node(system, kind, place, end, *found)
        elif mistake < 0.84:
            node(system, kind, begin, end + 1, *found)
        elif mistake < 0.90:
            node(system, chance.choice(TYPES), begin, end, *found)
        words.append(word)
        place += len(word)
    text = "".join(words)
    return (
        Graph("1", "ner", 1, text=text, nodes=tuple(gold)),
        Graph("1", "ner", 1, text=text, nodes=tuple(system)),
    )


def prepared(metric: Rules, made: Sequence[tuple[Graph, Graph]]) -> Pairs:
    """What a metric makes of the documents."""
    return [((metric.prepare(one),), (metric.prepare(two),)) for one, two in made]


@recorded
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, nargs="+", default=[1_000, 2_000])
    parser.add_argument("--seconds", type=float, default=3.0)
    chosen = begin(parser)
    with tempfile.TemporaryDirectory() as folder:
        spans_only = Path(folder) / "spans.toml"
        spans_only.write_text(SPANS_ONLY)
        sets = {
            "figures 2 and 3": Rules(str(FIGURES)),
            "shipped, spans only": Rules(str(spans_only)),
            "shipped": Rules(),
        }
        for count in chosen.documents:
            made = documents(count)
            size = sum(len(graph.nodes) for pair in made for graph in pair)
            print(f"{count} documents, {size} facts{'':14}facts/s{'F1':>10}")
            section(f"{count} documents")
            for name, metric in sets.items():
                _report(name, metric, prepared(metric, made), size, chosen.seconds)


def _report(name: str, metric: Rules, pairs: Pairs, size: int, seconds: float) -> None:
    def together(details: bool, step: int) -> list[Outcome]:
        return [
            outcome
            for start in range(0, len(pairs), step)
            for outcome in metric.compare_many(
                pairs[start : start + step], budget=Budget(), details=details
            )
        ]

    total: Masses = {}
    for outcome in together(False, len(pairs)):
        add_masses(total, outcome.masses)
    f1 = metric.figures(total).counts["span"].f1
    for how, details, step in (
        ("together", False, len(pairs)),
        ("together, rows", True, len(pairs)),
        ("32 by 32", False, 32),
        ("one by one", False, 1),
    ):
        found = rate_within(lambda d=details, s=step: together(d, s), size, seconds)  # type: ignore[misc]
        print(f"{name + ', ' + how:36}{found:11,.0f}{f1:10.6f}")
        record(f"{name}, {how}", found, "facts/s")


if __name__ == "__main__":
    main()
