"""Where the benchmarks find graphs, seeded variations of them, and made-up ones.

Everything made up follows from a seed: sentences with entities, documents with
coreference, and pairs of relations, events and entities of any size.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from graphscore.formats import ReadGraph, read_file
from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.structures.layout import Argument, LayoutBuilder

ROOT = Path(__file__).parent.parent
MRP = ROOT.parent / "shared" / "conformance" / "mrp"

PAIRS = {
    "eds.lpps": ("gold/lpps.mrp", "system/lpps.eds.peking.mrp", "eds"),
    "eds.pet": ("gold/eds.mrp", "system/eds.pet.mrp", "eds"),
    "eds.light": ("gold/eds.mrp", "system/eds.light.mrp", "eds"),
    "amr.light": ("gold/amr.mrp", "system/amr.light.mrp", "amr"),
    "dm.light": ("gold/dm.mrp", "system/dm.light.mrp", "dm"),
    "psd.light": ("gold/psd.mrp", "system/psd.light.mrp", "psd"),
    "ucca.light": ("gold/ucca.mrp", "system/ucca.light.mrp", "ucca"),
}
"""Gold and system files of the published sample, by name."""


def graphs(path: Path, framework: str | None = None) -> list[Graph]:
    """The graphs of a file."""
    return [
        record.graph
        for record in read_file(str(path))
        if isinstance(record, ReadGraph) and framework in (None, record.graph.framework)
    ]


def pairs(name: str, data: Path) -> list[tuple[Graph, Graph]]:
    """The pairs of one of :data:`PAIRS`."""
    gold, system, framework = PAIRS[name]
    found = {graph.id: graph for graph in graphs(data / system, framework)}
    return [
        (graph, found[graph.id])
        for graph in graphs(data / gold, framework)
        if graph.id in found
    ]


def available(data: Path) -> tuple[Path, list[str]]:
    """The sample's folder and names; the bundled corpus has none of them."""
    return data, [name for name in PAIRS if (data / PAIRS[name][0]).exists()]


def disturbed(graph: Graph, rng: random.Random, rate: float = 0.05) -> Graph:
    """A variation of *graph*: labels, properties and edges changed at *rate*."""
    nodes: list[Node] = []
    for node in graph.nodes:
        changed = node
        if node.label is not None and rng.random() < rate:
            label = f"{node.label}-{rng.randrange(9)}"
            changed = msgspec.structs.replace(changed, label=label)
        if node.properties and rng.random() < rate:
            first, *rest = node.properties
            properties = ((first[0], f"{first[1]}{rng.randrange(9)}"), *rest)
            changed = msgspec.structs.replace(changed, properties=properties)
        nodes.append(changed)
    edges: list[Edge] = []
    for edge in graph.edges:
        chance = rng.random()
        if chance < rate / 2:
            continue
        if chance < rate:
            edge = msgspec.structs.replace(edge, label=f"{edge.label}x")
        edges.append(edge)
    return msgspec.structs.replace(graph, nodes=tuple(nodes), edges=tuple(edges))


def variations(
    originals: list[Graph], count: int, seed: int, rate: float = 0.05
) -> Iterator[Graph]:
    """*count* graphs with ids of their own, each different."""
    rng = random.Random(seed)
    for number in range(count):
        graph = originals[number % len(originals)]
        item = f"{graph.id}-{number // len(originals)}"
        yield msgspec.structs.replace(disturbed(graph, rng, rate), id=item)


TYPES = ("PER", "LOC", "ORG", "DATE")
"""Of made-up entities."""

Tags = list[str]


def sentences(count: int, seed: int = 1) -> list[tuple[Tags, Tags]]:
    """Gold and system tags, in IOB2.

    Args:
        count: how many sentences.
        seed: of the random numbers.
    """
    found = []
    for number in range(count):
        chance = random.Random(f"{seed}/{number}")
        gold: Tags = ["O"] * chance.randint(15, 30)
        system = list(gold)
        place = chance.randint(0, 3)
        wrong = chance.random() < 0.5
        while place < len(gold):
            last = min(place + chance.choice((0, 0, 1, 1, 2)), len(gold) - 1)
            label = chance.choice(TYPES)
            _tag(gold, place, last, label)
            mistake = chance.random() if wrong else 1.0
            if mistake < 0.1:
                label = chance.choice(TYPES)
            elif mistake < 0.2:
                last = min(last + 1, len(gold) - 1)
            if mistake > 0.3:
                _tag(system, place, last, label)
            place = last + chance.randint(2, 8)
        found.append((gold, system))
    return found


def _tag(tags: Tags, first: int, last: int, label: str) -> None:
    tags[first : last + 1] = [f"B-{label}"] + [f"I-{label}"] * (last - first)


def tag_column(made: Iterable[Tags]) -> bytes:
    """Sentences as a column file."""
    blocks = ("".join(f"word\t{tag}\n" for tag in tags) for tags in made)
    return "\n".join(blocks).encode()


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


def disturbed_document(
    document: Document, rate: float = 0.15, seed: int = 2
) -> Document:
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


def conll2012_tables(
    made: Iterable[Document], columns: int = COLUMNS
) -> Iterator[bytes]:
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


def coreference_graph(document: Document) -> Graph:
    """A document as the readers lay it out."""
    tokens: list[Anchor] = []
    at = 0
    for word in document.words:
        tokens.append(Anchor(at, at + len(word)))
        at += len(word) + 1
    nodes: list[Node] = []
    edges: list[Edge] = []
    for number, spans in enumerate(document.entities):
        for first, last in spans:
            anchor = Anchor(tokens[first].start, tokens[last].end)
            edges.append(Edge(f"e{number}", len(nodes), "mention"))
            nodes.append(Node(len(nodes), None, (("kind", "mention"),), (anchor,)))
    entities = (
        Node(f"e{number}", None, (("kind", "entity"),))
        for number in range(len(document.entities))
    )
    return Graph(
        document.name,
        "coref",
        document=document.name,
        text=" ".join(document.words),
        tokens=tuple(tokens),
        nodes=(*nodes, *entities),
        edges=tuple(edges),
    )


WRONG = 0.2
"""Share of what is wrong."""

STEP = 10
"""Characters from one mention to the next."""


class Pair(NamedTuple):
    """A gold graph and a system's."""

    gold: Graph
    system: Graph


def at(place: int) -> Anchor:
    return Anchor(place * STEP, place * STEP + 5)


def relations(size: int, rng: random.Random) -> Pair:
    """Relations between neighbours; some of another type, some elsewhere."""
    gold, system = LayoutBuilder(), LayoutBuilder()
    for build in (gold, system):
        for place in range(size + 3):
            build.mention(f"E{place % 7}", [at(place)])
    for place in range(size):
        label, first, second = f"r{rng.randrange(20)}", place, place + 1
        gold.relation(label, [Argument("Arg1", first), Argument("Arg2", second)])
        if rng.random() < WRONG:
            label = f"r{rng.randrange(20)}"
        if rng.random() < WRONG:
            second += rng.randrange(1, 3)
        system.relation(label, [Argument("Arg1", first), Argument("Arg2", second)])
    return Pair(gold.graph("1", "relation"), system.graph("1", "relation"))


def events(size: int, rng: random.Random) -> Pair:
    """Events of three arguments; some of another type, role or mention."""
    gold, system = LayoutBuilder(), LayoutBuilder()
    for build in (gold, system):
        for place in range(size + 3):
            build.mention(None, [at(place)])
    for first in range(0, size, 3):
        label = f"t{rng.randrange(30)}"
        trigger = [Anchor(first * STEP + 6, first * STEP + 8)]
        roles = [(f"role{place % 5}", place) for place in range(first, first + 3)]
        roles = roles[: size - first]
        gold.trigger(label, trigger, [Argument(*each) for each in roles])
        said = []
        for role, place in roles:
            if rng.random() < WRONG:
                role = f"role{rng.randrange(5)}"
            if rng.random() < WRONG:
                place = min(place + 1, size + 2)
            said.append(Argument(role, place))
        if rng.random() < WRONG / 2:
            label = f"t{rng.randrange(30)}"
        system.trigger(label, trigger, said)
    return Pair(gold.graph("1", "event"), system.graph("1", "event"))


def entities(size: int, rng: random.Random) -> Pair:
    """Entities of one to seven mentions; some mentions in another one nearby."""
    chains: list[list[int]] = []
    place = 0
    while place < size:
        count = min(size - place, rng.randrange(1, 8))
        chains.append(list(range(place, place + count)))
        place += count
    said: list[list[int]] = [[] for _ in chains]
    for number, chain in enumerate(chains):
        for mention in chain:
            other = number
            if rng.random() < WRONG:
                other = min(len(chains) - 1, number + rng.randrange(1, 4))
            said[other].append(mention)
    return Pair(*(_chained(each, size) for each in (chains, said)))


def _chained(chains: list[list[int]], size: int) -> Graph:
    build = LayoutBuilder()
    for place in range(size):
        build.mention(None, [at(place)])
    for chain in filter(None, chains):
        build.entity(chain)
    return build.graph("1", "coref")
