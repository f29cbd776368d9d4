"""Labelled attachment scores on enhanced dependencies of aligned words.

Bouma, Seddah and Zeman (2020), "Overview of the IWPT 2020 Shared Task on Parsing
into Enhanced Universal Dependencies"; UD eval.py (udtools 0.2.9), ``ELAS`` and
``EULAS``.

A word has any number of heads.  An edge of a system word matches one of the aligned
gold word with the same label whose head is aligned with its own.  Edges of empty nodes,
and those from them, are left out, as the program does.  The shared task took empty
nodes out of the files before: a word below one got an edge from each of the words above
it instead, whose label is the path between them (``conj>nsubj``); ``empty=collapse``
does so here.

The two are no formulas: where the program is followed, an edge matches every equal
one but is worth only one, which is no ratio of sums over one matching; and what is
reported is the word, not the edge, as paths through empty nodes are none.

What differs: an edge matches once, where the program counts it as often as there are
equal ones on the other side (``preset=udtools``: as the program).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Literal

from graphscore.correspondence import Budget
from graphscore.metrics.dependencies.alignment import Alignment
from graphscore.metrics.dependencies.base import OverSentences
from graphscore.metrics.dependencies.document import ROOT, Document, Sentence, universal
from graphscore.metrics.dependencies.sentences import SentenceIndex, SentenceRawCounts
from graphscore.metrics.dependencies.view import DocumentPair, form_of, pair_of
from graphscore.model.graph import Graph, NodeId, Value
from graphscore.model.outcome import Outcome
from graphscore.model.outcome_builder import Described, OutcomeBuilder, unlike

Empty = Literal["preset", "collapse", "skip"]


Arc = tuple[int, int, str]
"""An edge: the number of its word, that of the head or ``ROOT``, and its label.

A label is the relations on the way, joined by ``>``."""


class EnhancedSentence(Sentence):
    """One sentence with its enhanced dependencies.

    Args:
        graph: of framework ``eud``.
        collapse: whether paths through empty nodes become edges.
    """

    __slots__ = ("arcs",)

    def __init__(self, graph: Graph, collapse: bool) -> None:
        super().__init__(graph)
        self.arcs = sentence_arcs(self, collapse)
        """The edges to words."""


@dataclass(frozen=True)
class Enhanced(OverSentences):
    """Base of the two metrics.

    Class attributes:
        subtypes: whether subtypes of relations are compared.

    Args:
        preset: ``udtools`` follows that program: an edge then matches every equal
            one of the other side, however often it has matched.  ``none`` takes the
            edges as the shared task does, which had them collapsed before.
        empty: whether paths through empty nodes become edges (``collapse``, the
            shared task) or are left out (``skip``, the program by itself); by default
            what the preset says.
    """

    revision = 2
    frameworks = frozenset({"eud"})
    citation = (
        "Bouma, Seddah and Zeman 2020, Overview of the IWPT 2020 Shared Task on "
        "Parsing into Enhanced Universal Dependencies"
    )
    subtypes: ClassVar[bool] = True

    preset: Literal["standard", "none", "udtools"] = "standard"
    empty: Empty = "preset"

    @property
    def layout(self) -> Hashable:
        """Both metrics share sentences, their alignment and their edges."""
        return super().layout, self.collapses

    @property
    def bound(self) -> str:
        """An edge that matches every equal one is worth several."""
        return "an edge matches every equal one" if self.walks else ""

    @property
    def collapses(self) -> bool:
        """True if paths through empty nodes become edges."""
        chosen = self.empty
        return chosen == "collapse" or (chosen == "preset" and self.preset == "none")

    @property
    def over_one(self) -> str:
        """Under the preset, where edges are repeated."""
        if not self.walks:
            return ""
        return (
            "preset=udtools counts an edge of the system with every equal one of gold; "
            "preset=none counts each once"
        )

    @property
    def normalization(self) -> str:
        """White space in forms, and what becomes of empty nodes."""
        empty = "collapse" if self.collapses else "skip"
        return f"blanks,empty={empty}" + (",udtools" if self.walks else "")

    def prepare(self, graph: Graph) -> EnhancedSentence:
        """Lay out one sentence with its edges."""
        return EnhancedSentence(graph, self.collapses)

    def compare(
        self,
        gold: Sequence[EnhancedSentence],
        system: Sequence[EnhancedSentence],
        *,
        budget: Budget,
        details: bool = True,
    ) -> Outcome:
        """Align the words of a document and count equal edges."""
        pair = pair_of(gold, system, self.walks)
        arcs = Arcs(pair, self)
        builder = OutcomeBuilder(details)
        builder.count("all", *arcs.amounts())
        if details:
            arcs.enter(builder)
        method = "aligned" if pair.alignment.axes is None else "texts differ"
        return builder.outcome(arcs.matched, method)

    def give(
        self, pair: DocumentPair, budget: Budget, shares: SentenceRawCounts
    ) -> None:
        """Give the edges to sentences: those of the words that they lead to."""
        Arcs(pair, self).give(pair.places, shares)

    def compared(self, label: str) -> str:
        """Return what is compared of a label."""
        return label if self.subtypes else universal_path(label)


class Elas(Enhanced):
    """Share of enhanced dependencies with the right head and full label.

    Example:
        >>> str(Elas(empty="collapse"))
        'elas(empty=collapse)'
    """

    name = "elas"
    follows = "UD eval.py udtools 0.2.9"
    title = "ELAS (Bouma et al. 2020): enhanced attachment score"


class Eulas(Enhanced):
    """Share of enhanced dependencies with the right head and universal relation.

    Example:
        >>> str(Eulas(empty="collapse"))
        'eulas(empty=collapse)'
    """

    name = "eulas"
    follows = "UD eval.py udtools 0.2.9"
    title = "EULAS (Bouma et al. 2020): enhanced, universal relations"
    subtypes = False


class Arcs:
    """Edges that match where both ends are aligned and the labels equal.

    Args:
        pair: the aligned documents.
        metric: what says how.
    """

    def __init__(self, pair: DocumentPair, metric: Enhanced) -> None:
        self.alignment, self.metric = pair.alignment, metric
        self.arcs, keys = pair.keep("arcs", partial(_arcs_of_both, pair.alignment))
        """Edges of both sides, by numbers of words in the document."""
        self.keys = self._compared(keys[0]), self._compared(keys[1])
        """Likewise as they are compared: by numbers of gold words."""
        self.shared = _shared(*self.keys, metric.walks)
        """What is compared of edges that match, and how many do."""
        self.matched = sum(self.shared.values())
        """Number of edges that match."""

    def _compared(self, arcs: list[Arc]) -> list[Arc]:
        """Return edges with what is compared of their labels."""
        labels = {label for _, _, label in arcs}
        compared = {label: self.metric.compared(label) for label in labels}
        if all(label == compared[label] for label in labels):
            return arcs
        return [(word, head, compared[label]) for word, head, label in arcs]

    def amounts(self) -> tuple[int, int, int]:
        """Return the gold, system and matched counts."""
        gold, system = map(len, self.keys)
        return gold, system, self.matched

    def give(self, index: SentenceIndex, shares: SentenceRawCounts) -> None:
        """Give the edges to sentences: those of the words that they lead to.

        Args:
            index: where words belong.
            shares: where the amounts go.
        """
        for side, arcs, sentences in zip(SIDES, self.arcs, index.words, strict=True):
            shares.add(("all", "", side), [sentences[word] for word, _, _ in arcs])
        gold_words, _ = index.words
        shares.add_amounts(
            ("all", "", "matched"),
            [gold_words[word] for word, _, _ in self.shared],
            self.shared.values(),
        )

    def enter(self, builder: OutcomeBuilder) -> None:
        """Enter the aligned words, each with the number of its edges that match.

        Edges without a partner are missing or spurious.
        """
        gold, system = self.alignment.gold, self.alignment.system
        matched = Counter[int]()
        for (word, _, _), amount in self.shared.items():
            matched[word] += amount
        partner: tuple[dict[int, int], dict[int, int]] = ({}, {})
        for first, second in zip(*self.alignment.pairs, strict=True):
            builder.match(
                gold.ordinals[first],
                system.ordinals[second],
                float(matched[first]),
            )
            partner[0][first], partner[1][second] = second, first
        keys = tuple(
            _by_word(self.arcs[side], self.keys[side], document.size)
            for side, document in enumerate((gold, system))
        )
        for side in (0, 1):
            for number, arcs in enumerate(keys[side]):
                counterpart = partner[side].get(number)
                opposite = [] if counterpart is None else keys[1 - side][counterpart]
                left = Counter([key for _, key in opposite])
                rest = left - Counter([key for _, key in arcs])
                for arc, key in arcs:
                    if left[key] > 0:
                        left[key] -= 1
                    else:
                        name = _says(key, rest)
                        self._enter_error(builder, side, counterpart, arc, name)

    def _enter_error(
        self,
        builder: OutcomeBuilder,
        side: int,
        counterpart: int | None,
        arc: Arc,
        name: str,
    ) -> None:
        sides = (self.alignment.gold, self.alignment.system)
        word, head, label = arc
        compared = self.metric.compared(label)
        if name == "head":
            compared = form_of(sides[side], head)
        described = Described(
            "all",
            sides[side].ordinals[word],
            None if counterpart is None else sides[1 - side].ordinals[counterpart],
            label=sides[side].words[word].label,
            name=name,
            value=label,
            compared=unlike(compared, label),
            reason="" if counterpart is None or name else "absent",
        )
        builder.error("spurious" if side else "missing", described)


SIDES = ("gold", "system")


def _says(key: Arc, rest: Counter[Arc]) -> str:
    """Describe the difference from the unmatched edges of the other side, if any."""
    if not rest:
        return ""
    return "deprel" if any(head == key[1] for _, head, _ in rest) else "head"


Both = tuple[list[Arc], list[Arc]]
"""Edges of gold and of the system."""


def _arcs_of_both(alignment: Alignment) -> tuple[Both, Both]:
    """The edges of two documents; and by numbers of gold words."""
    gold, system = both = _arcs(alignment.gold), _arcs(alignment.system)
    pairs = alignment.pairs
    if pairs[0] is pairs[1]:
        return both, both
    names = [*alignment.to_gold(), ROOT]
    return both, (gold, [(names[word], names[head], x) for word, head, x in system])


def _arcs(document: Document) -> list[Arc]:
    """The edges of a document, by numbers of its words."""
    return [
        (word + first, head + first if head >= 0 else head, label)
        for sentence, first in zip(document.sentences, document.first, strict=True)
        if isinstance(sentence, EnhancedSentence)
        for word, head, label in sentence.arcs
    ]


def _shared(gold: list[Arc], system: list[Arc], every: bool) -> dict[Arc, int]:
    """How many edges match of those that both sides have.

    Args:
        gold: edges of gold, as they are compared.
        system: those of the system.
        every: whether one matches every equal one.
    """
    left, right = set(gold), set(system)
    if len(left) == len(gold) and len(right) == len(system):
        return dict.fromkeys(left & right, 1)
    counts = Counter(gold), Counter(system)
    return {
        key: counts[0][key] * counts[1][key]
        if every
        else min(counts[0][key], counts[1][key])
        for key in left & right
    }


def _by_word(
    arcs: list[Arc], keys: list[Arc], size: int
) -> list[list[tuple[Arc, Arc]]]:
    """Edges, and what is compared of them, of every word."""
    words: list[list[tuple[Arc, Arc]]] = [[] for _ in range(size)]
    for arc, key in zip(arcs, keys, strict=True):
        words[arc[0]].append((arc, key))
    return words


def sentence_arcs(sentence: Sentence, collapse: bool) -> list[Arc]:
    """The enhanced edges to the words of a sentence; those to the root come first.

    Args:
        sentence: of framework ``eud``.
        collapse: whether paths through empty nodes become edges, which come last.
    """
    numbers, empty = sentence.numbers, sentence.empty
    arcs: list[Arc] = []
    above: dict[NodeId, list[tuple[NodeId | None, str]]] = {}
    """Heads of empty nodes, ``None`` for the root, with the relation."""
    below: list[tuple[int, NodeId, str]] = []
    """Words below empty nodes."""
    for node, relation in _roots(sentence):
        if node in numbers:
            arcs.append((numbers[node], ROOT, relation))
        elif node in empty:
            above.setdefault(node, []).append((None, relation))
    for edge in sentence.graph.edges:
        label = edge.label if edge.label.__class__ is str else _label(edge.label)
        child, head = numbers.get(edge.target), numbers.get(edge.source)
        if child is not None and head is not None:
            arcs.append((child, head, label))
        elif edge.target in empty:
            above.setdefault(edge.target, []).append((edge.source, label))
        elif child is not None and edge.source in empty:
            below.append((child, edge.source, label))
    if collapse:
        new = [
            (child, ROOT if head is None else numbers[head], label)
            for child, source, relation in below
            for head, label in _paths(source, relation, above, numbers)
        ]
        arcs += dict.fromkeys(new)
    return arcs


def _paths(
    source: NodeId,
    relation: str,
    above: dict[NodeId, list[tuple[NodeId | None, str]]],
    words: dict[NodeId, int],
) -> Iterator[tuple[NodeId | None, str]]:
    """Ways up from an empty node to words or the root that visit none twice."""
    waiting: list[tuple[NodeId, str, frozenset[NodeId]]] = [
        (source, relation, frozenset({source}))
    ]
    while waiting:
        node, path, seen = waiting.pop()
        for head, label in above.get(node, ()):
            longer = f"{label}>{path}"
            if head is None or head in words:
                yield head, longer
            elif head not in seen:
                waiting.append((head, longer, seen | {head}))


def _roots(sentence: Sentence) -> Iterator[tuple[NodeId, str]]:
    """The tops with their relations: ``root``, or what ``deprel`` says."""
    tops = sentence.graph.tops
    relations = {
        node.id: [value for name, value in node.properties if name == "deprel"]
        for node in sentence.graph.nodes
        if node.id in tops
    }
    for top in tops:
        values = relations.get(top, [])
        yield top, _label(values.pop(0)) if values else "root"


def _label(label: Value) -> str:
    return "_" if label is None else str(label)


def universal_path(label: str) -> str:
    """A label without subtypes, at every step of its path.

    >>> universal_path("conj:and>nsubj:pass")
    'conj>nsubj'
    """
    return ">".join(universal(step) for step in label.split(">"))
