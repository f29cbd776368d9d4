"""Documents of gold and system spans: small and awkward ones, and large corpora.

:data:`DOCUMENTS` draws documents of a few words, :func:`dense` makes one in which
nearly all spans collide; :func:`documents` makes any number of documents of the size
that scores are measured with: 50 gold and 45 system spans each, so that 1,000
documents are 95,000 facts.  All come as :class:`~tests.rules.oracle.Span` and, by
:func:`graphs`, as the graphs that readers make of files.

>>> [one] = documents(1, gold=3, system=2)
>>> [span.side for span in one.spans]
['gold', 'gold', 'gold', 'system', 'system']
>>> graphs([one], "gold")[0].nodes[0].properties[0]
('kind', 'mention')
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from hypothesis import strategies as st

from graphscore.model.graph import Anchor, Graph, Node
from tests.rules.oracle import GOLD, SYSTEM, Settings, Span

SETTINGS = Settings(
    above={"CITY": "LOC", "COUNTRY": "LOC", "CAPITAL": "CITY"},
    fillers={"*": frozenset({"the"}), "PER": frozenset({"mr", "mrs"})},
    stop_words={"*": frozenset({"monday"}), "ORG": frozenset({"the bank"})},
)
"""A hierarchy and lists of words that the documents have use for."""

TYPES = ("PER", "ORG", "LOC", "CITY", "CAPITAL", "COUNTRY")

WORDS = (
    *("Smith", "Rome", "Acme", "Bank", "bank", "Monday", "monday", "O'Neil", "U.S."),
    *("the", "The", "Mr.", "Mrs", ",", "-", "Inc.", "Ost-Rom", "Zoë"),
)
"""Words of which names are made, and words that fuzzy matches are about."""

IDS = ("Q1", "Q2", "Q3", "Q4")


class Document(NamedTuple):
    """A text with the spans of both sides."""

    name: str
    text: str
    spans: tuple[Span, ...]


def _tokens(words: Sequence[str]) -> tuple[str, list[tuple[int, int]]]:
    places, at = [], 0
    for word in words:
        places.append((at, at + len(word)))
        at += len(word) + 1
    return " ".join(words), places


@st.composite
def drawn(draw: st.DrawFn, name: str = "d") -> Document:
    """A document of a few words, with up to six spans a side."""
    words = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=7))
    text, places = _tokens(words)
    spans = []
    for side in (GOLD, SYSTEM):
        for _ in range(draw(st.integers(0, 6))):
            first = draw(st.integers(0, len(words) - 1))
            last = draw(st.integers(first, min(first + 3, len(words) - 1)))
            start, end = places[first][0], places[last][1]
            ids = draw(st.lists(st.sampled_from(IDS), max_size=2, unique=True))
            low = side == GOLD and draw(st.booleans())
            kind = draw(st.sampled_from(TYPES))
            said = text[start:end]
            spans.append(Span(side, name, kind, start, end, said, tuple(ids), low))
    return Document(name, text, tuple(spans))


DOCUMENTS = st.integers(1, 3).flatmap(
    lambda count: st.tuples(*(drawn(f"d{k}") for k in range(count)))
)
"""One to three documents."""


def dense(seed: int) -> Document:
    """A document of five words and up to nine spans a side: most spans collide."""
    chance = random.Random(f"dense/{seed}")
    words = [chance.choice(("Smith", "the", "Mr.", ",", "Rome")) for _ in range(5)]
    text, places = _tokens(words)
    spans = []
    for side in (GOLD, SYSTEM):
        for _ in range(chance.randint(1, 9)):
            first = chance.randint(0, 4)
            start, end = (
                places[first][0],
                places[min(4, first + chance.randint(0, 2))][1],
            )
            ids = tuple(chance.sample(IDS[:3], k=chance.choice((0, 1, 1, 2))))
            low = side == GOLD and chance.random() < 0.3
            kind = chance.choice(("PER", "LOC", "CITY"))
            spans.append(Span(side, "d", kind, start, end, text[start:end], ids, low))
    return Document("d", text, tuple(spans))


def documents(
    count: int, seed: int = 1, gold: int = 50, system: int = 45
) -> Iterator[Document]:
    """Documents of many spans, with mistakes of every kind.

    Args:
        count: how many documents.
        seed: of the random numbers.
        gold: gold spans of each.
        system: system spans of each.
    """
    for number in range(count):
        chance = random.Random(f"{seed}/{number}")
        yield _document(f"d{number}", chance, gold, system)


def _document(name: str, chance: random.Random, gold: int, system: int) -> Document:
    words: list[str] = []
    ranges: list[tuple[int, int]] = []
    while len(ranges) < max(gold, system) + 5:
        words += [f"w{chance.randint(0, 99)}" for _ in range(chance.randint(1, 6))]
        first = len(words)
        if chance.random() < 0.2:
            words.append(chance.choice(("the", "Mr.", "The")))
        words.append(f"N{chance.randint(0, 60)}")
        if chance.random() < 0.4:
            words.append(f"M{chance.randint(0, 60)}")
        if chance.random() < 0.1:
            words.append("Monday")
            ranges.append((len(words) - 1, len(words) - 1))
        else:
            ranges.append((first, len(words) - 1))
    text, places = _tokens([*words, ","])

    def span(side: str, first: int, last: int, kind: str, ids: list[str]) -> Span:
        start, end = places[first][0], places[last][1]
        low = side == GOLD and chance.random() < 0.05
        return Span(side, name, kind, start, end, text[start:end], tuple(ids), low)

    entries = [f"Q{chance.randint(0, 400)}" for _ in range(3)]
    annotated = []
    for first, last in ranges[:gold]:
        ids = chance.sample([*entries, f"Q{first}"], k=chance.choice((0, 1, 1, 1, 2)))
        annotated.append(span(GOLD, first, last, chance.choice(TYPES), ids))
    chosen = sorted(chance.sample(range(len(ranges)), k=min(system, len(ranges))))
    found = []
    for k in chosen:
        first, last = ranges[k]
        mate = annotated[k] if k < len(annotated) else None
        kind = mate.type if mate else chance.choice(TYPES)
        ids = list(mate.ids[:1]) if mate else []
        mistake = chance.random()
        if mistake < 0.1:
            kind = chance.choice(TYPES)
        elif mistake < 0.2:
            first = min(first + 1, last)
        elif mistake < 0.25:
            last = min(last + 1, len(words))
        if chance.random() < 0.1:
            ids = [chance.choice(entries)]
        found.append(span(SYSTEM, first, last, kind, ids))
    return Document(name, text, (*annotated, *found))


def graphs(made: Iterable[Document], side: str) -> list[Graph]:
    """The spans of a side as graphs, one of each document.

    Args:
        made: documents.
        side: gold or system.
    """
    found = []
    for document in made:
        nodes = []
        for span in document.spans:
            if span.side == side:
                properties = [("kind", "mention")]
                properties += [("authority", each) for each in span.ids]
                if span.low:
                    properties.append(("confidence", "low"))
                place = (Anchor(span.start, span.end),)
                nodes.append(Node(len(nodes), span.type, tuple(properties), place))
        found.append(
            Graph(
                document.name,
                "ner",
                1,
                document=document.name,
                text=document.text,
                nodes=tuple(nodes),
            )
        )
    return found
