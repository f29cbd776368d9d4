"""How many discourse representations are read and scored in a second.

Neither Counter nor ud-boxer is on a registry, so none runs beside.

    python -m benchmarks.discourse
"""

from __future__ import annotations

import argparse
import io
import random
from collections.abc import Callable
from typing import Any

from benchmarks.history import begin, rate, record, recorded
from graphscore.correspondence import Budget
from graphscore.formats.base import Read
from graphscore.formats.registry import format_named
from graphscore.metrics.registry import parse
from graphscore.model.graph import Graph

DOCUMENTS, WORDS, WRONG = 4000, 300, 0.15

READINGS = (
    ("drg", "counter"),
    ("drg", "counter(senses=ignored)"),
    ("sbn", "smatch"),
)

ROLES = ("Theme", "Patient", "Stimulus", "Location", "Recipient")


def sentence(rng: random.Random) -> list[tuple[str, str, int]]:
    """What happens: who does it first, then to whom; roles by what comes before."""
    said = [("female.n.02", "", 0), ("time.n.08", "", 0)]
    for number in range(rng.randrange(1, 4)):
        said.append((f"noun{rng.randrange(WORDS)}.n.01", ROLES[number], 0))
    return said


def disturbed(
    said: list[tuple[str, str, int]], rng: random.Random
) -> list[tuple[str, str, int]]:
    """The same with other words and roles here and there."""
    found = []
    for word, role, box in said:
        if rng.random() < WRONG:
            word = f"noun{rng.randrange(WORDS)}.n.01"
        if role and rng.random() < WRONG:
            role = rng.choice(ROLES)
        found.append((word, role, box))
    return found


def clauses(number: int, verb: int, said: list[tuple[str, str, int]]) -> str:
    """A sentence as clauses, the name in a box of its own."""
    lines = [f"%%% p{number % 100:02d}/d{number:04d}", "b1 PRESUPPOSITION b2"]
    lines += [
        "b2 REF e1",
        f'b2 verb{verb} "v.01" e1',
        "b2 Agent e1 x0",
        "b2 Time e1 x1",
    ]
    lines += ['b1 Name x0 "ada"', 'b2 TPR x1 "now"']
    for place, (word, role, _) in enumerate(said):
        box = "b2" if place else "b1"
        lemma, sense = word.split(".", 1)
        lines += [f"{box} REF x{place}", f'{box} {lemma} "{sense}" x{place}']
        if role:
            lines.append(f"b2 {role} e1 x{place}")
    return "\n".join(lines) + "\n\n"


def boxes(number: int, verb: int, said: list[tuple[str, str, int]]) -> str:
    """A sentence in box notation, on a line."""
    words = [f"d{number},{said[0][0]} Name ada {said[1][0]} TPR now"]
    words.append(f"verb{verb}.v.01 Agent -2 Time -1")
    words += [f"{role} +{place}" for place, (_, role, _) in enumerate(said[2:], 1)]
    words += [word for word, _, _ in said[2:]]
    return " ".join(words) + "\n"


def read(name: str, data: str) -> list[Graph]:
    reader = format_named(name).read
    assert reader is not None
    records = reader(io.BytesIO(data.encode()), name)
    return [each.graph for each in records if isinstance(each, Read)]


def compared(metric: Any, gold: list[Any], system: list[Any]) -> None:
    budget = Budget()
    for one, two in zip(gold, system, strict=True):
        outcome = metric.compare((one,), (two,), budget=budget, details=False)
        assert outcome.proven


def rates(name: str, spelled: str, *data: str) -> dict[str, float]:
    """Documents a second of one format and metric, gold and system given as text."""
    gold, system = (read(name, side) for side in data)
    assert len(gold) == len(system) == DOCUMENTS
    metric: Any = parse(spelled)
    laid = [list(map(metric.prepare, side)) for side in (gold, system)]
    compared(metric, *laid)
    works: dict[str, Callable[[], object]] = {
        f"{name}, read": lambda: read(name, data[0]),
        f"{spelled}, laid out": lambda: list(map(metric.prepare, gold)),
        f"{spelled}, compared": lambda: compared(metric, *laid),
    }
    return {what: rate(work, DOCUMENTS) for what, work in works.items()}


@recorded
def main() -> None:
    """Print documents a second: read, laid out, compared."""
    parser = argparse.ArgumentParser(description=__doc__)
    begin(parser)
    rng = random.Random(7)
    sides: dict[str, list[str]] = {"drg": ["", ""], "sbn": ["", ""]}
    for number in range(DOCUMENTS):
        said, verb = sentence(rng), rng.randrange(WORDS)
        for side, each in enumerate((said, disturbed(said, rng))):
            sides["drg"][side] += clauses(number, verb, each)
            sides["sbn"][side] += boxes(number, verb, each)
    found: dict[str, float] = {}
    for name, spelled in READINGS:
        found |= rates(name, spelled, *sides[name])
    for what, value in found.items():
        print(f"{what:<40} {value:10,.0f} documents/s")
        record(what, value, "documents/s")


if __name__ == "__main__":
    main()
