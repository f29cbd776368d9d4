"""A document's words as formulas see them: nodes of one graph, columns by name.

What is compared of a word is a column.  Those of the system speak of gold words,
by the alignment, so that equality is all that is left to ask::

    aligned    the gold word that it is
    head       the gold word that its head is, or whether it is a root
    deprel     its relation to its head, without the subtype
    upos, xpos, feats, lemma
    children   its function words, by what they are aligned with, with their tags

>>> from graphscore.model.graph import Edge, Graph, Node
>>> from graphscore.metrics.dependencies.alignment import align
>>> from graphscore.metrics.dependencies.document import CONTENT, Document, Sentence
>>> def document(*forms, head):
...     nodes = tuple(Node(k, form) for k, form in enumerate(forms))
...     edges = (Edge(head, 1 - head, "nsubj:x"),)
...     return Document([Sentence(Graph("1", "ud", nodes=nodes, edges=edges,
...                                     tops=(head,)))])
>>> pair = align(document("Dogs", "bark", head=1), document("Dogs", "bark", head=0))
>>> [words.given("head") for words in both_sides(pair)]
[[1, -1], [-1, 0]]
>>> both_sides(pair)[0].written("head"), both_sides(pair)[0].written("deprel")
(['bark', 0], ['nsubj:x', 'root'])

**Differences.**  An error of a word shows its relation.  What is wrong beside that,
or instead, is the head, a tag or the function words, and of these each side has its
own: that is what was compared.

>>> from graphscore.metrics.dependencies.alignment import align
>>> from graphscore.metrics.dependencies.document import Sentence
>>> from graphscore.metrics.dependencies.view import both_sides
>>> from graphscore.model.graph import Edge, Graph, Node
>>> def document(*heads):
...     nodes = tuple(map(Node, range(4), ("Dogs", "that", "bark", "that")))
...     edges = tuple(Edge(head, k, "x") for k, head in enumerate(heads) if head >= 0)
...     return Document([Sentence(Graph("1", "ud", nodes=nodes, edges=edges,
...                                     tops=(2,)))])
>>> pair = align(document(2, 0, -1, 2), document(1, 3, -1, 2))
>>> differing = Differing(*both_sides(pair))
>>> differing.values_of("head", 0, 0), differing.values_of("head", 1, 1)
(WordPair(gold='bark', system='that'), WordPair(gold='Dogs', system='that'))
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from graphscore.correspondence import Budget
from graphscore.metrics.dependencies.alignment import Alignment, align
from graphscore.metrics.dependencies.document import (
    CONTENT,
    NONE,
    UNALIGNED,
    Document,
    Sentence,
)
from graphscore.metrics.dependencies.sentences import SentenceIndex, ranges
from graphscore.model.graph import Graph, Value
from graphscore.model.outcome import Error
from graphscore.model.outcome_builder import unlike
from graphscore.similarity.view import Element, Memory, Pair, View

TOP = "ROOT"
"""Head form shown for a root."""

OF_CHILDREN = ("deprel", "upos", "feats")
"""Columns compared of function words, beside the alignment of the words."""


class WordPair(NamedTuple):
    """Values of gold and system for one word."""

    gold: str
    system: str


class Differing:
    """Differences of aligned words, one word at a time.

    Args:
        gold: the words of gold.
        system: those of the system.
    """

    def __init__(self, gold: Words, system: Words) -> None:
        self.documents = gold.document, system.document

    def of(self, error: Error) -> Error:
        """An error with what was compared beside its relation, which it shows.

        Args:
            error: of a word; what differs is its name, joined by ``+``.
        """
        if error.gold is None or error.system is None or not error.name:
            return error
        columns = [name for name in error.name.split("+") if name != "deprel"]
        if not columns:
            return error
        left, right = self._numbers
        words = left[error.gold], right[error.system]
        pairs = [self.values_of(column, *words) for column in columns]
        side = int(error.error_type == "spurious")
        compared = " + ".join(pair[side] for pair in pairs)
        return error._replace(compared=unlike(compared, error.value))

    @cached_property
    def _numbers(self) -> tuple[dict[int, int], dict[int, int]]:
        """Numbers of the words by their positions among all nodes."""
        left, right = (
            {ordinal: number for number, ordinal in enumerate(document.ordinals)}
            for document in self.documents
        )
        return left, right

    def values_of(self, column: str, gold: int, system: int) -> WordPair:
        """Return the values of both sides for a word in a column where they differ.

        Heads and function words are shown by their forms, and by more only where these
        are equal.

        Args:
            column: ``head``, ``children`` or the name of a property.
            gold: the number of the word in gold.
            system: likewise.
        """
        left, right = self.documents
        if column == "head":
            return heads(left, left.heads[gold], right, right.heads[system])
        if column != "children":
            tags = left.tags(column)[gold], right.tags(column)[system]
            return WordPair(*(tag or ABSENT for tag in tags))
        for more in range(len(OF_CHILDREN) + 1):
            word_pair = WordPair(
                _children(left, gold, more), _children(right, system, more)
            )
            if word_pair.gold != word_pair.system:
                break
        return word_pair


def heads(gold: Document, left: int, system: Document, right: int) -> WordPair:
    """Two heads by their forms; with their place in the sentence if these are equal.

    Args:
        gold: the document of the first.
        left: its number, or below 0 for a root.
        system: the document of the second.
        right: its number.
    """
    word_pair = WordPair(form_of(gold, left), form_of(system, right))
    if word_pair.gold != word_pair.system:
        return word_pair
    return WordPair(form_of(gold, left, True), form_of(system, right, True))


def form_of(document: Document, number: int, placed: bool = False) -> str:
    """A head by its form.

    Args:
        document: whose word it is.
        number: its number, or below 0 for a root.
        placed: whether its place in the sentence is told, too.
    """
    if number < 0:
        return TOP
    form = str(document.words[number].label)
    if not placed:
        return form
    return f"{form} (word {number - document.first_beside(number) + 1})"


def _children(document: Document, number: int, more: int) -> str:
    """The function words of a word, in order, with the first *more* columns."""
    words = []
    for child in document.functional.get(number, ()):
        parts = [str(document.words[child].label)]
        for column in OF_CHILDREN[:more]:
            relation = column == "deprel"
            tags = document.relations if relation else document.tags(column)
            parts.append(tags[child] or ABSENT)
        words.append("/".join(parts))
    return " ".join(words) or ABSENT


ABSENT = "_"
"""Placeholder of a column without a value."""


class Words(View):
    """The words of one side of an alignment.

    Args:
        alignment: the aligned documents.
        side: 0 for gold, 1 for the system.
    """

    __slots__ = ("_to_gold", "alignment", "document", "side")

    def __init__(self, alignment: Alignment, side: int) -> None:
        self.alignment, self.side = alignment, side
        self.document = alignment.system if side else alignment.gold
        self._to_gold: list[int] | None = None
        # Columns say what edges would; of the nodes, rows show the labels.
        super().__init__(Graph("", "ud", nodes=tuple(self.document.words)))

    @property
    def numbers(self) -> Sequence[int]:
        """Positions of the words among all nodes of the document."""
        return self.document.ordinals

    def listed(self, name: str) -> Iterable[Element]:
        """Words, or ranges of characters as their numbers on the gold side.

        Args:
            name: ``words``, ``attached_words`` for those with a head,
                ``content_words``, ``tokens`` or ``sentences``.
        """
        document = self.document
        if name == "words":
            return range(document.size)
        if name == "attached_words":
            heads = enumerate(document.heads)
            return [number for number, head in heads if head != NONE]
        if name == "content_words":
            words = enumerate(zip(document.relations, document.heads, strict=True))
            return [k for k, (x, head) in words if x in CONTENT and head != NONE]
        return self._ranges(name)

    def given(self, name: str) -> Any:
        """A column by name; of ranges the characters, by their numbers."""
        if name in ("token", "sentence"):
            text = self.document.text
            return {
                number: text[start:end]
                for number, (start, end) in zip(
                    self._ranges(f"{name}s"),
                    ranges(self.document, f"{name}s"),
                    strict=True,
                )
            }
        if name in ("aligned", "head", "children", "lemma") and self.side:
            return getattr(self, f"_{name}")()
        return self._own(name)

    def written(self, name: str) -> Sequence[Value] | Mapping[int, Value] | None:
        """The same column as the file has it; of a head its form, of a root 0."""
        document = self.document
        if name == "deprel":
            return document.written_relations
        if name == "lemma":
            return document.tags(name)
        if name == "head":
            words = document.words
            return [words[head].label if head >= 0 else 0 for head in document.heads]
        return None

    def _own(self, name: str) -> Sequence[Hashable]:
        document = self.document
        if name == "aligned":
            return range(document.size)
        if name == "head":
            return document.heads
        if name == "deprel":
            return document.relations
        if name == "children":
            return self._children_by(range(document.size))
        return document.tags(name)

    # Columns of the system, as gold words.

    def to_gold(self) -> list[int]:
        """For each system word its gold word, or ``UNALIGNED``."""
        if self._to_gold is None:
            self._to_gold = self.alignment.to_gold()
        return self._to_gold

    def _aligned(self) -> list[int]:
        # What is aligned with nothing is like nothing, not like one another.
        to_gold = self.to_gold()
        if UNALIGNED not in to_gold:
            return to_gold
        return [
            gold_word if gold_word != UNALIGNED else UNALIGNED - number
            for number, gold_word in enumerate(to_gold)
        ]

    def _head(self) -> list[int]:
        to_gold = self.to_gold()
        return [to_gold[head] if head >= 0 else head for head in self.document.heads]

    def _lemma(self) -> list[str]:
        """Return the lemmas to compare; where gold has none, every lemma is correct."""
        result, lemmas = self.document.tags("lemma"), self.alignment.gold.tags("lemma")
        if ABSENT not in lemmas:
            return result
        result = list(result)
        for gold_word, system_word in zip(*self.alignment.pairs, strict=True):
            if lemmas[gold_word] == ABSENT:
                result[system_word] = ABSENT
        return result

    def _children(self) -> list[Hashable]:
        return self._children_by(self.to_gold())

    def _children_by(self, names: Sequence[int]) -> list[Hashable]:
        """The function words of each word, with relation, part of speech, features."""
        document = self.document
        result: list[Hashable] = [()] * document.size
        if document.functional:
            relations = document.relations
            tags, features = document.tags("upos"), document.tags("feats")
            for number, children in document.functional.items():
                result[number] = tuple(
                    (names[child], relations[child], tags[child], features[child])
                    for child in children
                )
        return result

    def _ranges(self, name: str) -> list[int]:
        """Ranges as the numbers of the equal ones of gold; others below 0."""
        gold, system = self.alignment.gold, self.alignment.system
        if name == "tokens" and gold.same_tokens(system):
            return list(range(len(gold.token_texts)))
        sides = [ranges(document, name) for document in (gold, system)]
        if not self.side:
            return list(range(len(sides[0])))
        result = [-1 - number for number in range(len(sides[1]))]
        for left, right in self.alignment.common(*sides):
            result[right] = left
        return result


def both_sides(alignment: Alignment) -> tuple[Words, Words]:
    """The words of gold and of the system."""
    return Words(alignment, 0), Words(alignment, 1)


class DocumentPair(Memory):
    """Two documents that are compared, aligned once for all metrics of a layout.

    Args:
        gold: prepared gold sentences.
        system: prepared system sentences.
        walk: whether words are aligned by UD eval.py's own walk.
    """

    def __init__(
        self, gold: Sequence[Sentence], system: Sequence[Sentence], walk: bool
    ) -> None:
        self.gold, self.system, self.walk = gold, system, walk
        self.alignment = align(Document(gold), Document(system), walk)
        self.kept: dict[Hashable, Any] = {}
        self._pair: Pair | None = None

    @cached_property
    def places(self) -> SentenceIndex:
        """The gold sentence of everything."""
        return SentenceIndex(self.alignment)

    def under(self, budget: Budget) -> Pair:
        """Return the words of both sides, with what formulas worked out about them.

        Args:
            budget: how much work a search may take.
        """
        if self._pair is None or self._pair.budget is not budget:
            self._pair = Pair(*both_sides(self.alignment), budget)
        return self._pair


def pair_of(
    gold: Sequence[Sentence], system: Sequence[Sentence], walk: bool
) -> DocumentPair:
    """Return the pair of two documents; the same one for all who ask in turn.

    Args:
        gold: prepared gold sentences.
        system: prepared system sentences.
        walk: whether words are aligned by UD eval.py's own walk.
    """
    global _latest
    latest = _latest
    if (
        latest is not None
        and (latest.gold is gold and latest.system is system)
        and latest.walk == walk
    ):
        return latest
    _latest = DocumentPair(gold, system, walk)
    return _latest


_latest: DocumentPair | None = None
"""The pair made last: kept here, as a sentence that kept it would be a circle."""
