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
from typing import ClassVar, Literal, NamedTuple

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


class Arc(NamedTuple):
    """An edge to a word from a word or the root."""

    head: int
    """The number of the head in its sentence, or ``ROOT``."""
    label: str
    """The relations on the way, joined by ``>``."""


Key = tuple[int, str]
"""Compared part of an edge: its head in the document and its label."""


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
        """The edges to every word."""


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
        alignment = pair_of(gold, system, self.walks).alignment
        arcs = Arcs(alignment, self)
        builder = OutcomeBuilder(details)
        builder.count("all", *arcs.amounts())
        if details:
            arcs.enter(builder)
        method = "aligned" if alignment.axes is None else "texts differ"
        return builder.outcome(arcs.matched, method)

    def give(
        self, pair: DocumentPair, budget: Budget, shares: SentenceRawCounts
    ) -> None:
        """Give the edges to sentences: those of the words that they lead to."""
        Arcs(pair.alignment, self).give(pair.places, shares)

    def compared(self, label: str) -> str:
        """Return what is compared of a label."""
        return label if self.subtypes else universal_path(label)


@dataclass(frozen=True)
class Elas(Enhanced):
    """Share of enhanced dependencies with the right head and full label.

    Example:
        >>> str(Elas(empty="collapse"))
        'elas(empty=collapse)'
    """

    name = "elas"
    follows = "UD eval.py udtools 0.2.9"
    title = "ELAS (Bouma et al. 2020): enhanced attachment score"


@dataclass(frozen=True)
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
        alignment: the aligned words.
        metric: what says how.
    """

    def __init__(self, alignment: Alignment, metric: Enhanced) -> None:
        self.alignment, self.metric = alignment, metric
        to_gold = alignment.to_gold()
        self._keys = (
            self._compared(alignment.gold, None),
            self._compared(alignment.system, to_gold),
        )
        self._matched: list[int] = []
        for gold_word, system_word in zip(*alignment.pairs, strict=True):
            gold_keys, system_keys = (
                self._keys[0][gold_word],
                self._keys[1][system_word],
            )
            if len(gold_keys) == len(system_keys) == 1:
                self._matched.append(int(gold_keys == system_keys))
                continue
            left, right = Counter(gold_keys), Counter(system_keys)
            if metric.walks:
                matched = sum(count * right[key] for key, count in left.items())
            else:
                matched = (left & right).total()
            self._matched.append(matched)
        self.matched = sum(self._matched)

    def _compared(
        self, document: Document, to_gold: list[int] | None
    ) -> list[list[Key]]:
        """Return what is compared of the edges to every word, heads as gold words."""
        labels: dict[str, str] = {}
        result: list[list[Key]] = []
        for sentence, first in zip(document.sentences, document.first, strict=True):
            assert isinstance(sentence, EnhancedSentence)
            for word in sentence.arcs:
                keys = []
                for head, label in word:
                    if label not in labels:
                        labels[label] = self.metric.compared(label)
                    if head >= 0:
                        head = (
                            head + first if to_gold is None else to_gold[head + first]
                        )
                    keys.append((head, labels[label]))
                result.append(keys)
        return result

    def amounts(self) -> tuple[int, int, int]:
        """Return the gold, system and matched counts."""
        gold, system = (sum(map(len, side)) for side in self._keys)
        return gold, system, self.matched

    def give(self, index: SentenceIndex, shares: SentenceRawCounts) -> None:
        """Give the edges to sentences: those of the words that they lead to.

        Args:
            index: where words belong.
            shares: where the amounts go.
        """
        gold_words, system_words = index.words
        gold, system = (list(map(len, side)) for side in self._keys)
        right = [gold_words[word] for word in self.alignment.pairs[0]]
        shares.add_amounts(("all", "", "gold"), gold_words, gold)
        shares.add_amounts(("all", "", "system"), system_words, system)
        shares.add_amounts(("all", "", "matched"), right, self._matched)

    def enter(self, builder: OutcomeBuilder) -> None:
        """Enter the aligned words, each with the number of its edges that match.

        Edges without a partner are missing or spurious.
        """
        gold_ordinals, system_ordinals = (
            self.alignment.gold.ordinals,
            self.alignment.system.ordinals,
        )
        for index, (first, second) in enumerate(
            zip(*self.alignment.pairs, strict=True)
        ):
            builder.match(
                gold_ordinals[first],
                system_ordinals[second],
                float(self._matched[index]),
            )
        keys = self._keys
        arcs = (_arcs(self.alignment.gold), _arcs(self.alignment.system))
        partner: tuple[dict[int, int], dict[int, int]] = ({}, {})
        for pair, second in zip(*self.alignment.pairs, strict=True):
            partner[0][pair], partner[1][second] = second, pair
        for side in (0, 1):
            for number, word in enumerate(keys[side]):
                counterpart = partner[side].get(number)
                opposite = [] if counterpart is None else keys[1 - side][counterpart]
                if word == opposite:
                    continue
                left = Counter(opposite)
                rest = left - Counter(word)
                for key, arc in zip(word, arcs[side][number], strict=True):
                    if left[key] > 0:
                        left[key] -= 1
                    else:
                        name = _says(key, rest)
                        self._enter_error(builder, side, number, counterpart, arc, name)

    def _enter_error(
        self,
        builder: OutcomeBuilder,
        side: int,
        number: int,
        counterpart: int | None,
        arc: Arc,
        name: str,
    ) -> None:
        sides = (self.alignment.gold, self.alignment.system)
        compared = self.metric.compared(arc.label)
        if name == "head":
            document, head = sides[side], arc.head
            if head >= 0:
                head += document.first_beside(number)
            compared = form_of(document, head)
        described = Described(
            "all",
            sides[side].ordinals[number],
            None if counterpart is None else sides[1 - side].ordinals[counterpart],
            label=sides[side].words[number].label,
            name=name,
            value=arc.label,
            compared=unlike(compared, arc.label),
            reason="" if counterpart is None or name else "absent",
        )
        builder.error("spurious" if side else "missing", described)


def _says(key: Key, rest: Counter[Key]) -> str:
    """Describe the difference from the unmatched edges of the other side, if any."""
    if not rest:
        return ""
    return "deprel" if any(head == key[0] for head, _ in rest) else "head"


def _arcs(document: Document) -> list[list[Arc]]:
    """The edges to every word of a document."""
    return [
        word
        for sentence in document.sentences
        if isinstance(sentence, EnhancedSentence)
        for word in sentence.arcs
    ]


def sentence_arcs(sentence: Sentence, collapse: bool) -> list[list[Arc]]:
    """The enhanced edges to every word of a sentence.

    Args:
        sentence: of framework ``eud``.
        collapse: whether paths through empty nodes become edges.
    """
    numbers, empty = sentence.numbers, sentence.empty
    arcs: list[list[Arc]] = [[] for _ in sentence.words]
    above: dict[NodeId, list[tuple[NodeId | None, str]]] = {}
    """Heads of empty nodes, ``None`` for the root, with the relation."""
    below: list[tuple[int, NodeId, str]] = []
    """Words below empty nodes."""
    for node, relation in _roots(sentence):
        if node in numbers:
            arcs[numbers[node]].append(Arc(ROOT, relation))
        elif node in empty:
            above.setdefault(node, []).append((None, relation))
    for edge in sentence.graph.edges:
        label = _label(edge.label)
        child = numbers.get(edge.target)
        if edge.target in empty:
            above.setdefault(edge.target, []).append((edge.source, label))
        elif child is not None and edge.source in numbers:
            arcs[child].append(Arc(numbers[edge.source], label))
        elif child is not None and edge.source in empty:
            below.append((child, edge.source, label))
    if collapse:
        new = [
            (child, Arc(ROOT if head is None else numbers[head], label))
            for child, source, relation in below
            for head, label in _paths(source, relation, above, numbers)
        ]
        for child, arc in dict.fromkeys(new):
            arcs[child].append(arc)
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
    tops: Sequence[NodeId] = sentence.graph.tops
    if not tops:
        return
    values: dict[NodeId, list[Value]] = {}
    for node in sentence.graph.nodes:
        values[node.id] = [value for name, value in node.properties if name == "deprel"]
    for top in tops:
        relations = values.get(top)
        yield top, _label(relations.pop(0)) if relations else "root"


def _label(label: Value) -> str:
    return "_" if label is None else str(label)


def universal_path(label: str) -> str:
    """A label without subtypes, at every step of its path.

    >>> universal_path("conj:and>nsubj:pass")
    'conj>nsubj'
    """
    return ">".join(universal(step) for step in label.split(">"))
