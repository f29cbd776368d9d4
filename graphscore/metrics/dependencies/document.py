"""A document as dependency metrics see it: characters, tokens, words, relations.

Gold and system may cut the same text into different tokens, words and sentences.
What they share are its characters, white space aside; so every token and word is
a range of those, counted through the whole document.  The words of a multiword
token all have the token's range.

Everything about a word is a list entry under the word's number in the document.

>>> from graphscore.model.graph import Edge, Node
>>> words = (Node(1, "Dogs", (("upos", "NOUN"),)), Node(2, "bark"))
>>> graph = Graph("1", "ud", nodes=words, edges=(Edge(2, 1, "nsubj:x"),), tops=(2,))
>>> document = Document([Sentence(graph), Sentence(graph)])
>>> document.text, document.spans, document.heads
('DogsbarkDogsbark', [(0, 4), (4, 8), (8, 12), (12, 16)], [1, -1, 3, -1])
>>> document.relations, document.tags("upos")
(['nsubj', 'root', 'nsubj', 'root'], ['NOUN', '_', 'NOUN', '_'])
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate, chain

from graphscore.model.graph import Graph, Node, NodeId, Value

Span = tuple[int, int]
"""A range of the characters of the text without white space."""

ROOT = -1
"""The head of a root."""

NONE = -2
"""The head of a word that has none."""

UNALIGNED = -3
"""A word to which none of the other side corresponds."""

UNIVERSAL_FEATURES = frozenset(
    {
        *("Abbr", "Animacy", "Aspect", "Case", "Definite", "Degree", "Evident"),
        *("Foreign", "Gender", "Mood", "Number", "NumType", "Person", "Polarity"),
        *("Polite", "Poss", "PronType", "Reflex", "Tense", "VerbForm", "Voice"),
    }
)
"""The features that count (CoNLL 2018 shared task; UD eval.py)."""

FUNCTIONAL = frozenset({"aux", "case", "cc", "clf", "cop", "det", "mark"})
"""Relations of function words, whose heads MLAS asks to have them."""

CONTENT = frozenset(
    {
        *("acl", "advcl", "advmod", "amod", "appos", "ccomp", "compound", "conj"),
        *("csubj", "dep", "discourse", "dislocated", "expl", "fixed", "flat"),
        *("goeswith", "iobj", "list", "nmod", "nsubj", "nummod", "obj", "obl"),
        *("orphan", "parataxis", "reparandum", "root", "vocative", "xcomp"),
    }
)
"""Relations that CLAS, MLAS and BLEX count: neither functional nor ``punct``."""

BLANKS = dict.fromkeys(
    [0x20, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000]
)
"""White space that a form may have inside: Unicode category Zs."""


def universal(relation: Value) -> str:
    """A relation without its subtype.

    >>> universal("nmod:poss"), universal(None)
    ('nmod', '_')
    """
    return "_" if relation is None else str(relation).partition(":")[0]


def visible(form: Value) -> str:
    """A form without white space."""
    if form is None:
        return ""
    text = str(form)
    if text.isascii() and " " not in text:
        return text
    return text.translate(BLANKS)


class Sentence:
    """One sentence, prepared; positions are its own.

    Args:
        graph: of framework ``ud`` or ``eud``; multiword tokens and empty nodes
            are those with the properties ``multiword`` and ``empty``.
    """

    __slots__ = (
        "_heads",
        "empty",
        "graph",
        "multiword",
        "numbers",
        "ordinals",
        "spans",
        "text",
        "token_texts",
        "tokens",
        "words",
    )

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.words: list[Node] = []
        self.ordinals: list[int] = []
        """Positions of the words in the node list."""
        self.numbers: dict[NodeId, int] = {}
        """Numbers of the words, by node id."""
        self.empty: set[NodeId] = set()
        self.tokens: list[Span] = []
        self.token_texts: list[str] = []
        self.spans: list[Span] = []
        self.multiword: list[int] = []
        """Words that belong to a multiword token."""
        position = covered = 0
        span = (0, 0)
        for ordinal, node in enumerate(graph.nodes):
            members, is_empty = _marks(node)
            if is_empty:
                self.empty.add(node.id)
                continue
            number = len(self.words)
            if members or number >= covered:
                shown = visible(node.label)
                span = (position, position + len(shown))
                position = span[1]
                self.tokens.append(span)
                self.token_texts.append(shown)
            if members:
                covered = number + members
                continue
            if number < covered:
                self.multiword.append(number)
            self.numbers[node.id] = number
            self.words.append(node)
            self.ordinals.append(ordinal)
            self.spans.append(span)
        self.text = "".join(self.token_texts)
        self._heads: tuple[list[int], list[Value]] | None = None

    @property
    def heads(self) -> tuple[list[int], list[Value]]:
        """Head and relation of every word of a tree.

        The relation of a root is ``root`` unless its property ``deprel`` says
        otherwise.  Of several heads the first edge's counts.
        """
        if self._heads is None:
            heads = [NONE] * len(self.words)
            relations: list[Value] = [None] * len(self.words)
            numbers = self.numbers
            for edge in reversed(self.graph.edges):
                child = numbers.get(edge.target)
                if child is not None and edge.source in numbers:
                    heads[child] = numbers[edge.source]
                    relations[child] = edge.label
            for top in self.graph.tops:
                if top in numbers:
                    heads[numbers[top]] = ROOT
                    relations[numbers[top]] = "root"
            for number, word in enumerate(self.words):
                if heads[number] < 0 and word.properties:
                    name, value = word.properties[-1]
                    if name == "deprel":
                        relations[number] = value
            self._heads = heads, relations
        return self._heads


def _marks(node: Node) -> tuple[int, bool]:
    """Count the words of a multiword token (else 0); and return true if it is empty."""
    for name, value in node.properties:
        if name == "multiword" and isinstance(value, int):
            return int(value), False
        if name == "empty":
            return 0, True
    return 0, False


class Document:
    """All sentences of a document, one after the other.

    Args:
        sentences: prepared sentences in order.
    """

    def __init__(self, sentences: Sequence[Sentence]) -> None:
        self.sentences = sentences
        self.size = sum(len(sentence.words) for sentence in sentences)
        """Number of words."""
        self.text = "".join([sentence.text for sentence in sentences])
        ends = accumulate((len(sentence.text) for sentence in sentences), initial=0)
        self.characters = list(ends)[:-1]
        """Character offset at which each sentence begins."""
        first = accumulate((len(sentence.words) for sentence in sentences), initial=0)
        self.first = list(first)[:-1]
        """The first word of each sentence."""
        self._tags: dict[str, list[str]] = {}

    def first_beside(self, number: int) -> int:
        """The first word of the sentence that a word is in."""
        return self.first[bisect_right(self.first, number) - 1]

    def _ranges(self, of_sentence: str) -> list[Span]:
        return [
            (start + shift, end + shift)
            for sentence, shift in zip(self.sentences, self.characters, strict=True)
            for start, end in getattr(sentence, of_sentence)
        ]

    @cached_property
    def spans(self) -> list[Span]:
        """Characters of each word; for those of a multiword token, all of it."""
        return self._ranges("spans")

    @cached_property
    def tokens(self) -> list[Span]:
        """Characters of each token."""
        return self._ranges("tokens")

    @cached_property
    def sentence_spans(self) -> list[Span]:
        """Characters of each sentence that has any."""
        return [
            (start, start + len(sentence.text))
            for sentence, start in zip(self.sentences, self.characters, strict=True)
            if sentence.text
        ]

    @cached_property
    def multiword(self) -> list[int]:
        """Words that belong to a multiword token."""
        return [
            number + shift
            for sentence, shift in zip(self.sentences, self.first, strict=True)
            for number in sentence.multiword
        ]

    @cached_property
    def words(self) -> list[Node]:
        """The nodes of the words."""
        return list(
            chain.from_iterable([sentence.words for sentence in self.sentences])
        )

    @cached_property
    def ordinals(self) -> list[int]:
        """Positions of the words among all nodes of the document."""
        result: list[int] = []
        shift = 0
        for sentence in self.sentences:
            result += [ordinal + shift for ordinal in sentence.ordinals]
            shift += len(sentence.graph.nodes)
        return result

    @cached_property
    def heads(self) -> list[int]:
        """Head of each word: a word, ``ROOT`` or ``NONE``."""
        return [
            head + shift if head >= 0 else head
            for sentence, shift in zip(self.sentences, self.first, strict=True)
            for head in sentence.heads[0]
        ]

    @cached_property
    def written_relations(self) -> list[Value]:
        """Relation of each word to its head, as written."""
        return list(
            chain.from_iterable([sentence.heads[1] for sentence in self.sentences])
        )

    @cached_property
    def relations(self) -> list[str]:
        """Relation of each word to its head, without its subtype."""
        return list(map(universal, self.written_relations))

    def tags(self, name: str) -> list[str]:
        """One property of each word, ``_`` where it has none.

        Args:
            name: ``lemma``, ``upos``, ``xpos``, or ``feats`` for the universal
                features, sorted.
        """
        if name not in self._tags:
            if name == "feats":
                known: dict[object, str] = {}
                column = []
                for word in self.words:
                    features = known.get(word.properties)
                    if features is None:
                        features = known[word.properties] = _features(word)
                    column.append(features)
                self._tags[name] = column
            else:
                self._tags[name] = [
                    "_" if (tag := properties.get(name)) is None else str(tag)
                    for properties in self._named
                ]
        return self._tags[name]

    @cached_property
    def _named(self) -> list[dict[str, Value]]:
        """The properties of each word by name; of several of a name the first."""
        return [dict(reversed(word.properties)) for word in self.words]

    @cached_property
    def functional(self) -> dict[int, list[int]]:
        """The function words that depend on a word, in order, where there are any."""
        result: dict[int, list[int]] = {}
        for number, relation in enumerate(self.relations):
            if relation in FUNCTIONAL and self.heads[number] >= 0:
                result.setdefault(self.heads[number], []).append(number)
        return result


def _features(word: Node) -> str:
    """Return the universal features of a word, sorted."""
    return "|".join(
        sorted(
            name if value is None else f"{name}={value}"
            for name, value in word.properties
            if name in UNIVERSAL_FEATURES
        )
    )
