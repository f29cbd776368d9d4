"""How many sentences with nested events are read and scored in a second.

The program of the shared task is on no registry.  ``--keep FOLDER`` leaves the files
there, so that it can be run on the same.

    python -m benchmarks.bionlp
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.history import begin, rate, record, recorded
from graphscore.correspondence import Budget
from graphscore.evaluation.api import score
from graphscore.evaluation.options import Options
from graphscore.formats import Read, Reading, read_file
from graphscore.metrics.registry import parse
from graphscore.model.graph import Graph

DOCUMENTS, SENTENCES, WORDS, WRONG = 300, 10, 20, 0.2

FOUND = 1000
"""Ids of what is found are greater."""

TYPES = ("Gene_expression", "Binding", "Localization", "Phosphorylation")

REGULATION = ("Positive_regulation", "Negative_regulation", "Regulation")

METRICS = ("bionlp", "bionlp(task=2)", "bionlp(task=3)")


def document(rng: random.Random) -> dict[str, str]:
    """A text, what is given, and what gold and a system find; by ending and side."""
    text = " ".join(["words"] * (SENTENCES * WORDS))
    given, found, said = [], [], []
    proteins = events = 0

    def bound(number: int, label: str, word: int, more: int = 0) -> str:
        start, end = word * 6, (word + more) * 6 + 5
        return f"T{number}\t{label} {start} {end}\t{text[start:end]}"

    for sentence in range(SENTENCES):
        first = sentence * WORDS
        for place in range(3):
            proteins += 1
            given.append(bound(proteins, "Protein", first + 6 * place))
        known = [f"T{proteins - k}" for k in range(3)]
        below: list[str] = []
        for place in range(rng.choice([2, 3, 4])):
            events += 1
            trigger = FOUND + events
            label = rng.choice(REGULATION if below else TYPES)
            theme = rng.choice(below) if below else rng.choice(known)
            cause = (
                f" Cause:{rng.choice(known)}" if rng.random() < 0.3 and below else ""
            )
            word = first + 2 + 4 * place
            found.append(bound(trigger, label, word))
            more = int(rng.random() < WRONG)
            other = rng.choice(REGULATION) if below and rng.random() < WRONG else label
            said.append(bound(trigger, other, word, more))
            found.append(f"E{events}\t{label}:T{trigger} Theme:{theme}{cause}")
            cause = cause if rng.random() > WRONG else ""
            said.append(f"E{events}\t{other}:T{trigger} Theme:{theme}{cause}")
            below.append(f"E{events}")
            if rng.random() < 0.1:
                found.append(f"M{events}\tNegation E{events}")
                said.append(f"M{events}\tNegation E{events}")
    return {
        "gold.txt": text,
        "gold.a1": _lines(given),
        "gold.a2": _lines(found),
        "system.a2": _lines(said),
    }


def _lines(found: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in found)


def laid_out(folder: Path) -> None:
    """Write the documents of both sides."""
    rng = random.Random(11)
    for side in ("gold", "system"):
        (folder / side).mkdir(parents=True, exist_ok=True)
    for number in range(DOCUMENTS):
        for name, data in document(rng).items():
            side, _, ending = name.partition(".")
            (folder / side / f"{number}.{ending}").write_text(data, encoding="utf-8")


def read(folder: Path, ending: str, gold: Path) -> list[Graph]:
    """The events of a side."""
    reading = Reading("brat", folder=str(gold))
    return [
        each.graph
        for path in sorted(folder.glob(f"*.{ending}"))
        for each in read_file(str(path), reading)
        if isinstance(each, Read) and each.graph.framework == "event"
    ]


@recorded
def main() -> None:
    """Print sentences a second: read, from memory, and compared alone."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", type=Path, help="where the files are left")
    arguments = begin(parser)
    with tempfile.TemporaryDirectory() as made:
        folder = arguments.keep or Path(made)
        laid_out(folder)
        sides = folder / "gold", folder / "system"
        count = DOCUMENTS * SENTENCES
        gold = read(sides[0], "a1", sides[0])
        system = read(sides[1], "a2", sides[0])
        assert len(gold) == len(system) == DOCUMENTS
        found = {
            "read": rate(lambda: read(sides[0], "a1", sides[0]), count),
            "bionlp, from files": rate(
                lambda: score(str(sides[0]), str(sides[1]), "bionlp"), count
            ),
        }
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

            found[f"{name}, scored"] = rate(in_memory, count)
            found[f"{name}, prepared and compared"] = rate(compared, count)
    for name, value in found.items():
        print(f"{name:<45} {value:10,.0f} sentences/s")
        record(name, value, "sentences/s")


if __name__ == "__main__":
    main()
