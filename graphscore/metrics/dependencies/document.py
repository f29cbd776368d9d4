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
from itertools import accumulate, chain, pairwise
from operator import attrgetter
from typing import NamedTuple, cast

from graphscore.model.graph import Graph, Node, NodeId, Pairs, Value

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


def visible_forms(forms: Sequence[Value]) -> list[str]:
    """Forms without white space.

    >>> visible_forms(["New York", 7, None])
    ['NewYork', '7', '']
    """
    texts = ["" if form is None else str(form) for form in forms]
    whole = "".join(texts)
    if whole.isascii() and " " not in whole:
        return texts
    return [text.translate(BLANKS) for text in texts]


class Tags(NamedTuple):
    """What the properties of a node say; of several of a name the first counts."""

    properties: Pairs
    """The properties themselves: they live as long as their tags are remembered."""
    is_word: bool
    """False for multiword tokens and empty nodes."""
    members: int
    """Number of words of a multiword token, else 0."""
    lemma: str
    upos: str
    xpos: str
    feats: str
    """Universal features, sorted."""

    @classmethod
    def of(cls, properties: Pairs) -> Tags:
        """Read properties; what is absent is ``_``."""
        is_word, members = True, 0
        for name, value in properties:
            if name == "empty" or (name == "multiword" and isinstance(value, int)):
                members = int(value or 0) if name == "multiword" else 0
                is_word = name == "multiword" and not members
                break
        named: dict[str, Value] = dict(reversed(properties))
        lemma, upos, xpos = (
            "_" if (tag := named.get(name)) is None else str(tag)
            for name in ("lemma", "upos", "xpos")
        )
        features = sorted(
            name if value is None else f"{name}={value}"
            for name, value in properties
            if name in UNIVERSAL_FEATURES
        )
        return cls(properties, is_word, members, lemma, upos, xpos, "|".join(features))


REMEMBERED = 1 << 16
"""Properties whose tags are remembered."""

_remembered: dict[int, Tags] = {}


def tags_of(nodes: Sequence[Node]) -> list[Tags]:
    """The tags of nodes, once for all that have the same properties.

    Args:
        nodes: of framework ``ud`` or ``eud``.
    """
    get = _remembered.get
    tags = [get(id(node.properties)) for node in nodes]
    if None in tags:
        if len(_remembered) >= REMEMBERED:
            _remembered.clear()
        for number, node in enumerate(nodes):
            properties = node.properties
            tags[number] = tags[number] or _remembered.setdefault(
                id(properties), Tags.of(properties)
            )
    return cast("list[Tags]", tags)


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
        "tags",
        "text",
        "token_texts",
        "tokens_of_words",
        "words",
    )

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.words: Sequence[Node] = graph.nodes
        self.tags = tags_of(graph.nodes)
        self.ordinals: Sequence[int] = range(len(graph.nodes))
        """Positions of the words in the node list."""
        self.empty: set[NodeId] = set()
        self.multiword: list[int] = []
        """Words that belong to a multiword token."""
        self.tokens_of_words: Sequence[int] = self.ordinals
        """Numbers of the tokens that words are, or belong to."""
        tokens: Sequence[Node] = graph.nodes
        if not all([tags.is_word for tags in self.tags]):
            tokens = self._cut()
        self.token_texts = visible_forms([token.label for token in tokens])
        self.text = "".join(self.token_texts)
        self.numbers: dict[NodeId, int] = {
            word.id: number for number, word in enumerate(self.words)
        }
        """Numbers of the words, by node id."""
        self._heads: tuple[list[int], list[Value]] | None = None

    def _cut(self) -> list[Node]:
        """Find the words among the nodes, and return the tokens."""
        tokens: list[Node] = []
        words: list[Node] = []
        ordinals: list[int] = []
        tokens_of_words: list[int] = []
        covered = 0
        for ordinal, tags in enumerate(self.tags):
            node, number = self.graph.nodes[ordinal], len(words)
            if not (tags.is_word or tags.members):
                self.empty.add(node.id)
                continue
            if tags.members or number >= covered:
                tokens.append(node)
            if tags.members:
                covered = number + tags.members
                continue
            if number < covered:
                self.multiword.append(number)
            words.append(node)
            ordinals.append(ordinal)
            tokens_of_words.append(len(tokens) - 1)
        self.words, self.ordinals = words, ordinals
        self.tokens_of_words = tokens_of_words
        self.tags = [self.tags[ordinal] for ordinal in ordinals]
        return tokens

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
                child, head = numbers.get(edge.target), numbers.get(edge.source)
                if child is not None and head is not None:
                    heads[child] = head
                    relations[child] = edge.label
            for top in self.graph.tops:
                if top in numbers:
                    heads[numbers[top]] = ROOT
                    relations[numbers[top]] = "root"
            for number, head in enumerate(heads):
                if head < 0 and (properties := self.words[number].properties):
                    name, value = properties[-1]
                    if name == "deprel":
                        relations[number] = value
            self._heads = heads, relations
        return self._heads


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
        self.characters = _begins([len(sentence.text) for sentence in sentences])
        """Character offset at which each sentence begins."""
        self.first = _begins([len(sentence.words) for sentence in sentences])
        """The first word of each sentence."""
        self._tags: dict[str, list[str]] = {}

    def first_beside(self, number: int) -> int:
        """The first word of the sentence that a word is in."""
        return self.first[bisect_right(self.first, number) - 1]

    @cached_property
    def token_texts(self) -> list[str]:
        """Characters of each token."""
        return list(chain.from_iterable([s.token_texts for s in self.sentences]))

    @cached_property
    def tokens(self) -> list[Span]:
        """Range of each token."""
        return list(pairwise(accumulate(map(len, self.token_texts), initial=0)))

    @cached_property
    def tokens_of_words(self) -> list[int]:
        """The token that each word is, or belongs to."""
        first = _begins([len(sentence.token_texts) for sentence in self.sentences])
        return [
            token + shift
            for sentence, shift in zip(self.sentences, first, strict=True)
            for token in sentence.tokens_of_words
        ]

    @cached_property
    def spans(self) -> list[Span]:
        """Range of each word; for those of a multiword token, all of it."""
        return [self.tokens[token] for token in self.tokens_of_words]

    def same_tokens(self, other: Document) -> bool:
        """Return whether another document has the same tokens."""
        return self.token_texts == other.token_texts

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
        return [
            relation
            if relation.__class__ is str and ":" not in relation
            else universal(relation)
            for relation in self.written_relations
        ]

    def tags(self, name: str) -> list[str]:
        """One property of each word, ``_`` where it has none.

        Args:
            name: ``lemma``, ``upos``, ``xpos``, or ``feats`` for the universal
                features, sorted.
        """
        if name not in self._tags:
            tags = chain.from_iterable([sentence.tags for sentence in self.sentences])
            self._tags[name] = list(map(attrgetter(name), tags))
        return self._tags[name]

    @cached_property
    def functional(self) -> dict[int, list[int]]:
        """The function words that depend on a word, in order, where there are any."""
        result: dict[int, list[int]] = {}
        relations = enumerate(self.relations)
        heads = self.heads
        for number in [k for k, relation in relations if relation in FUNCTIONAL]:
            if heads[number] >= 0:
                result.setdefault(heads[number], []).append(number)
        return result


def _begins(lengths: list[int]) -> list[int]:
    """Where each of several things begins that follow one another."""
    return list(accumulate(lengths, initial=0))[:-1]
