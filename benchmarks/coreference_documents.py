"""Seeded documents with coreference, and how fast CoNLL-2012 is read.

    python -m benchmarks.coreference_documents [--documents 300] [--mentions 200]

A document has nested mentions of entities whose sizes follow a power law, as in
OntoNotes, where there are about eight words to a mention; the system's mentions and
entities are the gold ones with mistakes of every kind: mentions missed, made up,
moved, and entities merged and split.  Equal arguments give equal documents.
"""

from __future__ import annotations

import argparse
import io
import random
import time
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from benchmarks.history import begin, record, recorded
from graphscore.formats import Read, formats
from graphscore.formats.registry import reader_of

Span = tuple[int, int]
"""First and last word."""

VOCABULARY = ("the", "a", "of", "she", "it", "they", "said", "dog", "president", "new")

SENTENCE = 20
"""Words in a sentence."""

COLUMNS = 7
"""Columns between word and coreference in tables of twelve."""


class Document(NamedTuple):
    """Words and entities."""

    name: str
    words: list[str]
    entities: list[list[Span]]


def documents(
    count: int, mentions: int, seed: int = 1, words_each: float = 8.0
) -> Iterator[Document]:
    """Gold documents.

    Args:
        count: how many.
        mentions: mentions in each.
        seed: of the random numbers.
        words_each: words to a mention.
    """
    for number in range(count):
        chance = random.Random(f"{seed}/{number}")
        length = max(SENTENCE, round(mentions * words_each))
        words = chance.choices(VOCABULARY, k=length)
        spans: set[Span] = set()
        while len(spans) < mentions:
            spans.add(_span(chance, length))
        entities: list[list[Span]] = []
        owners: list[int] = []
        for span in sorted(spans, key=lambda each: (each[0], -each[1])):
            # Old entities come again the more often they were named.
            if owners and chance.random() < 0.7:
                owners.append(chance.choice(owners))
                entities[owners[-1]].append(span)
            else:
                owners.append(len(entities))
                entities.append([span])
        yield Document(f"made/{number:05d}", words, entities)


def _span(chance: random.Random, length: int) -> Span:
    """A mention within a sentence; short ones are the most frequent."""
    first = chance.randrange(length)
    size = min(int(chance.expovariate(0.6)) + 1, SENTENCE)
    last = min(first + size, (first // SENTENCE + 1) * SENTENCE, length) - 1
    return first, last


def disturbed(document: Document, rate: float = 0.15, seed: int = 2) -> Document:
    """What a system might find in a document.

    Args:
        document: what is there.
        rate: how likely each mistake is, for each mention.
        seed: of the random numbers.
    """
    chance = random.Random(f"{seed}/{document.name}")
    length = len(document.words)
    found: list[list[Span]] = []
    taken: set[Span] = set()
    for entity in document.entities:
        current: list[Span] = []
        found.append(current)
        for span in entity:
            mistake = chance.random() / rate if rate else 4.0
            if mistake < 1:
                continue
            if mistake < 1.5:
                span = _span(chance, length)
            elif mistake < 1.7:
                current = []
                found.append(current)
            elif mistake < 1.9:
                current = chance.choice(found)
            elif mistake < 2.4:
                extra = _span(chance, length)
                if extra not in taken:
                    taken.add(extra)
                    current.append(extra)
            if span not in taken:
                taken.add(span)
                current.append(span)
    return document._replace(entities=[sorted(each) for each in found if each])


def conll2012(made: Iterable[Document], columns: int = COLUMNS) -> Iterator[bytes]:
    """Documents in the format CoNLL-2012, written without graphs.

    Args:
        made: the documents; mentions of one entity must not cross.
        columns: columns between word and coreference, 7 in OntoNotes, 0 for few.
    """
    between = "".join("\t-" for _ in range(columns))
    for name, words, entities in made:
        cells: list[list[str]] = [[] for _ in words]
        for number, entity in enumerate(entities):
            for first, last in _uncrossed(entity):
                if first == last:
                    cells[first].append(f"({number})")
                else:
                    cells[first].append(f"({number}")
                    cells[last].insert(0, f"{number})")
        lines = [f"#begin document ({name}); part 000"]
        for place, word in enumerate(words):
            if place and place % SENTENCE == 0:
                lines.append("")
            cell = "|".join(cells[place]) or "-"
            lines.append(f"{name}\t0\t{place % SENTENCE}\t{word}{between}\t{cell}")
        lines += ["", "#end document", ""]
        yield "\n".join(lines).encode()


def _uncrossed(entity: list[Span]) -> Iterator[Span]:
    """The mentions that brackets of one entity can tell apart."""
    kept: list[Span] = []
    for first, last in sorted(entity, key=lambda each: (each[0], -each[1])):
        if not any(a < first <= b < last for a, b in kept):
            kept.append((first, last))
            yield first, last


@recorded
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=300)
    parser.add_argument("--mentions", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=3.0)
    chosen = begin(parser)
    print(f"{'words each':>10}{'columns':>9}{'mentions':>10}{'documents/s':>13}")
    read = reader_of(formats()["conll2012"])
    for words_each in (3.5, 8.0):
        for columns in (0, COLUMNS):
            for size in (chosen.mentions, 10 * chosen.mentions):
                count = chosen.documents * chosen.mentions // size
                made = documents(count, size, words_each=words_each)
                data = b"".join(conll2012(made, columns))
                best, end = 0.0, time.perf_counter() + chosen.seconds
                while time.perf_counter() < end:
                    start = time.process_time()
                    good = sum(
                        isinstance(each, Read) for each in read(io.BytesIO(data), "")
                    )
                    best = max(best, good / (time.process_time() - start))
                    assert good == count
                print(f"{words_each:>10}{columns + 5:>9}{size:>10,}{best:>13,.0f}")
                what = f"{words_each} words, {columns + 5} columns, {size} mentions"
                record(what, best, "documents/s")


if __name__ == "__main__":
    main()
