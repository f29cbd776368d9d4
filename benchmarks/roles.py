"""Sentences a second of reading semantic roles and of their metrics, on one core.

    python -m benchmarks.roles [--sentences 2000] [--words 22] [--seconds 2]

Sentences are made up, seeded: a dependency tree, a predicate for every eight words or
so, and about three arguments each, of which some are continued or referred to.  The
system has some labels, heads and senses wrong.  ``masses`` is without and ``errors``
with matches and error records.
"""

from __future__ import annotations

import argparse
import gc
import io
import random
import time
from collections.abc import Sequence

from benchmarks.history import begin, record, recorded
from graphscore.correspondence import Budget
from graphscore.formats.base import Read
from graphscore.formats.registry import format_named, reader_of
from graphscore.formats.roles.layout import (
    KIND_OF_TOKEN,
    Roles,
    Spans,
    headed,
    joined_words,
    spanned,
    tokens_of,
)
from graphscore.metrics.base import Metric
from graphscore.metrics.registry import metrics, parse
from graphscore.model.graph import Graph, Pairs

SEED = 20240501

FORMATS = ("conllu-srl", "up", "conll2009", "conll2005", "conll2012")

METRICS = (
    "primesrl",
    "primesrl(unit=span)",
    "conll05",
    "conll09",
    "framenet",
)

LABELS = ("A0", "A1", "A2", "AM-TMP", "AM-LOC", "AM-MNR", "R-A0", "C-A1")


def sentences(count: int, words: int) -> list[tuple[Graph, Graph, Graph, Graph]]:
    """Gold and system, by heads and by spans."""
    random_ = random.Random(SEED)
    return [_sentence(str(number), words, random_) for number in range(count)]


def _sentence(
    item: str, words: int, random_: random.Random
) -> tuple[Graph, Graph, Graph, Graph]:
    size = max(3, int(random_.gauss(words, words / 3)))
    forms = [random_.choice(["of", "the", ",", "house", "Egypt"]) for _ in range(size)]
    text, ranges = joined_words(forms)
    properties: list[Pairs] = []
    for place in range(size):
        near = min(size, max(1, place + 1 + random_.choice((-3, -2, -1, 1, 2, 3))))
        relation = random_.choice(("nsubj", "obj", "case", "obl", "det"))
        head = 0 if place == 0 else near
        properties.append((KIND_OF_TOKEN, ("head", head), ("deprel", relation)))
    gold = []
    for place in sorted(random_.sample(range(size), max(1, size // 8))):
        heads = sorted(random_.sample(range(size), min(size, random_.randint(1, 5))))
        pieces = [(random_.choice(LABELS), head) for head in heads]
        gold.append(Roles(f"lemma{place}.0{random_.randint(1, 3)}", place, pieces))
    system = [_disturbed(each, size, random_) for each in gold]
    made = []
    for roles in (gold, system):
        nodes = tokens_of(forms, ranges, properties)
        made.append(headed(item, "", text, ranges, nodes, roles, {}))
    for roles in (gold, system):
        spans = [Spans(*each[:2], each.word, _spans(each, size)) for each in roles]
        made.append(spanned(item, "", text, ranges, spans, {}))
    return made[0], made[1], made[2], made[3]


def _disturbed(roles: Roles, size: int, random_: random.Random) -> Roles:
    pieces = {head: label for label, head in roles.pieces}
    for head in list(pieces):
        if random_.random() < 0.15:
            pieces[head] = random_.choice(LABELS)
        elif random_.random() < 0.1:
            pieces[random_.randrange(size)] = pieces.pop(head)
    label = "other.01" if random_.random() < 0.1 else roles.label
    return Roles(label, roles.word, [(pieces[head], head) for head in sorted(pieces)])


def _spans(roles: Roles, size: int) -> list[tuple[str, int, int]]:
    """Every argument up to the next one, four words at most."""
    heads = [head for _, head in roles.pieces]
    ends = [*heads[1:], size]
    return [
        (label, head, min(head + 3, end - 1))
        for (label, head), end in zip(roles.pieces, ends, strict=True)
    ]


def table(graphs: Sequence[Graph]) -> bytes:
    """Sentences as a CoNLL-2012 document, words and roles only."""
    write = format_named("conll2005").write
    assert write is not None
    lines = ["#begin document (made/up); part 000\n"]
    for graph in graphs:
        rows = b"".join(write([graph])).decode().rstrip("\n").split("\n")
        for number, row in enumerate(rows):
            word, lemma, *cells = row.split("\t")
            sense = "-" if lemma == "-" else "01"
            before = ["made/up", "0", str(number), word, "NN", "*", lemma, sense]
            lines.append("  ".join([*before, "-", "-", "*", *cells, "-"]) + "\n")
        lines.append("\n")
    return "".join([*lines, "#end document\n"]).encode()


def reading(name: str, data: bytes, seconds: float) -> float:
    """Sentences a second into graphs."""
    read, done, spent = reader_of(format_named(name)), 0, 0.0
    while spent < seconds:
        start = time.perf_counter()
        records = list(read(io.BytesIO(data), "benchmark"))
        spent += time.perf_counter() - start
        graphs = [record.graph for record in records if isinstance(record, Read)]
        assert len(graphs) == len(records)
        done += sum(graph.framework == "srl" for graph in graphs)
    return done / spent


def comparing(
    metric: Metric, pairs: Sequence[tuple[Graph, Graph]], details: bool, seconds: float
) -> tuple[float, float]:
    """Sentences a second of preparing and of comparing."""
    done, preparing, spent, budget = 0, 0.0, 0.0, Budget()
    while spent < seconds:
        start = time.perf_counter()
        prepared = [tuple(map(metric.prepare, pair)) for pair in pairs]
        preparing += time.perf_counter() - start
        start = time.perf_counter()
        for gold, system in prepared:
            metric.compare((gold,), (system,), budget=budget, details=details)
        spent += time.perf_counter() - start
        done += len(pairs)
    return 2 * done / preparing, done / spent


@recorded
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sentences", type=int, default=2000)
    parser.add_argument("--words", type=int, default=22)
    parser.add_argument("--seconds", type=float, default=2.0)
    chosen = begin(parser)
    made = sentences(chosen.sentences, chosen.words)
    gc.freeze()
    words = sum(len(each[0].tokens) for each in made) / len(made)
    pieces = sum(len(each[0].edges) for each in made) / len(made)
    print(f"{len(made)} sentences of {words:.1f} words, {pieces:.1f} pieces each")
    for name in FORMATS:
        spans = name in ("conll2005", "conll2012")
        graphs = [each[2] if spans else each[0] for each in made]
        write = format_named(name).write
        assert write is not None
        data = table(graphs) if name == "conll2012" else b"".join(write(graphs))
        speed = reading(name, data, chosen.seconds)
        print(f"reading {name:12}{speed:12,.0f} sentences a second")
        record(f"reading {name}", speed, "sentences/s")
    print(f"{'metric':22}{'heads: prepare/s':>18}{'masses/s':>12}{'errors/s':>12}")
    for spelled in METRICS:
        if spelled.partition("(")[0] not in metrics():
            continue
        metric = parse(spelled)
        cells = []
        for first in (0, 2):
            pairs = [(each[first], each[first + 1]) for each in made]
            prepare, masses = comparing(metric, pairs, False, chosen.seconds)
            _, errors = comparing(metric, pairs, True, chosen.seconds)
            cells.append(f"{prepare:18,.0f}{masses:12,.0f}{errors:12,.0f}")
            what = f"{spelled}, {'spans' if first else 'heads'}"
            record(f"{what}, prepare", prepare, "sentences/s")
            record(f"{what}, masses", masses, "sentences/s")
            record(f"{what}, errors", errors, "sentences/s")
        print(f"{spelled:22}{cells[0]}\n{'  spans':22}{cells[1]}")


if __name__ == "__main__":
    main()
