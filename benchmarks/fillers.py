"""Documents a second of the metrics of role fillers and templates, on one core.

    python -m benchmarks.fillers [--documents 1000] [--seconds 3] [--seed 5]

Documents are made by chance, about as large as those of MUC-4: half have a template,
some have several of them, slots have one or two entities of one to three mentions.
``prepared`` is laying documents out; ``masses`` compares prepared documents, ``rows``
with all matches and errors; ``formula`` is the plain similarity algebra on prepared
views.  The last table shows how time grows with the templates of a document.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Sequence

from benchmarks.history import begin, record, recorded, section
from graphscore.correspondence import Budget
from graphscore.metrics.registry import parse
from graphscore.metrics.templates.base import TemplateMetric
from graphscore.model.graph import Graph
from graphscore.similarity.explaining.report import measure
from graphscore.similarity.view import GRAPH, Pair, View
from graphscore.structures.layout import Argument, LayoutBuilder

METRICS = (
    *(
        "ceaf_ree(preset=none)",
        "ceaf_ree(similarity=phi3,preset=none)",
        "ceaf_ree(preset=grit)",
    ),
    *(
        "ceaf_rme(preset=none)",
        "ceaf_rme(similarity=phi3,preset=none)",
        "ceaf_rme(preset=iterx)",
    ),
    *("rolefillers", "gtt(preset=none)", "gtt(preset=gtt)"),
    *("muc4", "muc4(strings=rme_phi3,fills=strings,constraint=none)", "granular"),
)

SLOTS = ("PerpInd", "PerpOrg", "Target", "Victim", "Weapon")
TYPES = ("attack", "bombing", "kidnapping", "arson", "robbery")
COUNTS = (0, 0, 0, 0, 0, 1, 1, 1, 2, 3)
"""How many templates a document has, each as likely."""

Slots = dict[str, list[list[str]]]
Templates = list[tuple[str, Slots]]
Pairs = list[tuple[Graph, Graph]]


def templates(chance: random.Random, count: int, names: int = 40) -> Templates:
    """Gold's templates of a document."""
    found: Templates = []
    for _ in range(count):
        slots: Slots = {}
        for slot in SLOTS:
            if chance.random() < 0.65:
                slots[slot] = [
                    [f"man number {chance.randrange(names)}" for _ in range(size)]
                    for size in chance.choices(
                        (1, 2, 3), (6, 3, 1), k=chance.choice((1, 1, 2))
                    )
                ]
        found.append((chance.choice(TYPES), slots))
    return found


def disturbed(chance: random.Random, gold: Templates) -> Templates:
    """What a system finds: fewer templates, other types, other mentions."""
    found: Templates = []
    for kind, slots in gold:
        if chance.random() < 0.2:
            continue
        mine: Slots = {}
        for slot, entities in slots.items():
            for entity in entities:
                if chance.random() < 0.25:
                    continue
                slot = slot if chance.random() < 0.9 else chance.choice(SLOTS)
                right = chance.random() < 0.7
                word = chance.choice(entity) if right else "somebody else"
                mine.setdefault(slot, []).append([word])
        found.append((kind if chance.random() < 0.8 else "attack", mine))
    if chance.random() < 0.1:
        found += templates(chance, 1)
    return found


def graph_of(item: str, found: Templates) -> Graph:
    """A document as the readers lay it out."""
    build = LayoutBuilder()
    filled: list[list[Argument]] = []
    for _, slots in found:
        filled.append([])
        for slot, entities in slots.items():
            for entity in entities:
                mentions = [build.mention(None, text=text) for text in entity]
                filled[-1].append(Argument(slot, build.entity(mentions)))
    for (kind, _), arguments in zip(found, filled, strict=True):
        build.template(kind, arguments)
    return build.graph(item, "template", document=item)


def pairs(count: int, seed: int, size: int | None = None) -> Pairs:
    """Gold documents beside what a system found."""
    chance = random.Random(seed)
    made: Pairs = []
    for number in range(count):
        many = chance.choice(COUNTS) if size is None else size
        gold = templates(chance, many, 40 if size is None else 10 * size)
        sides = (
            graph_of(str(number), each) for each in (gold, disturbed(chance, gold))
        )
        made.append((next(sides), next(sides)))
    return made


def speed(
    metric: TemplateMetric, made: Pairs, seconds: float, details: bool
) -> tuple[float, float]:
    """Documents laid out, and pairs compared, a second."""
    budget, done = Budget(), 0
    laid = spent = 0.0
    while spent < seconds or not done:
        start = time.perf_counter()
        prepared = [tuple(map(metric.prepare, pair)) for pair in made]
        middle = time.perf_counter()
        for gold, system in prepared:
            metric.compare((gold,), (system,), budget=budget, details=details)
        spent += time.perf_counter() - middle
        laid += middle - start
        done += len(made)
    return 2 * done / laid, done / spent


def formula_speed(metric: TemplateMetric, made: Pairs, seconds: float) -> float:
    """Pairs a second of the plain algebra."""
    formulas = list(metric.formulas().values())
    done, spent = 0, 0.0
    while spent < seconds or not done:
        views = [tuple(map(View, pair)) for pair in made]
        for pair in views:
            for view in pair:
                for formula in formulas:
                    formula.warm(view, GRAPH)
        start = time.perf_counter()
        for gold, system in views:
            for formula in formulas:
                measure(formula, Pair(gold, system))
        spent += time.perf_counter() - start
        done += len(made)
    return done / spent


def template_metric(name: str) -> TemplateMetric:
    """A metric of role fillers or templates."""
    metric = parse(name)
    assert isinstance(metric, TemplateMetric)
    return metric


def table(names: Sequence[str], made: Pairs, seconds: float) -> None:
    """Print what each metric does."""
    columns = ("prepared", "masses", "rows", "formula")
    print(f"{'documents/s':58}" + "".join(f"{name:>10}" for name in columns))
    for name in names:
        metric = template_metric(name)
        prepared, masses = speed(metric, made, seconds, False)
        _, rows = speed(metric, made, seconds, True)
        plain = formula_speed(metric, made, seconds / 4)
        speeds = (prepared, masses, rows, plain)
        print(f"{name:58}" + "".join(f"{each:10,.0f}" for each in speeds))
        for column, each in zip(columns, speeds, strict=True):
            record(f"{name}, {column}", each, "documents/s")


@recorded
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=1_000)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--seed", type=int, default=5)
    chosen = begin(parser)
    made = pairs(chosen.documents, chosen.seed)
    nodes = sum(len(gold.nodes) for gold, _ in made) / len(made)
    print(f"{len(made)} documents, {nodes:.1f} gold nodes each")
    section("all documents")
    table(METRICS, made, chosen.seconds)
    busy = [pair for pair in made if pair[0].nodes]
    print(f"only the {len(busy)} documents that have templates")
    section("documents with templates")
    table(METRICS, busy, chosen.seconds)
    section("growth")
    print(f"{'growth, ms a document; templates':34}{'ceaf_ree':>10}{'muc4':>10}")
    for size in (1, 3, 10, 30, 100):
        few = pairs(max(3, 100 // size), chosen.seed, size)
        spent = {
            name: 1000 / speed(template_metric(name), few, 0.3, False)[1]
            for name in ("ceaf_ree", "muc4")
        }
        print(f"{size:34,}" + "".join(f"{each:10.2f}" for each in spent.values()))
        for name, each in spent.items():
            record(f"{size} templates, {name}", each, "ms")


if __name__ == "__main__":
    main()
