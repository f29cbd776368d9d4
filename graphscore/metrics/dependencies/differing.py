"""What two aligned words differ in where their relations are the same.

An error of a word shows its relation.  What is wrong beside that, or instead, is the
head, a tag or the function words, and of these each side has its own: that is what was
compared.

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
>>> found = Differing(*both_sides(pair))
>>> found.said("head", 0, 0), found.said("head", 1, 1)
(Both(gold='bark', system='that'), Both(gold='Dogs', system='that'))
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from graphscore.metrics.dependencies.document import Document
from graphscore.metrics.dependencies.view import ABSENT, Words
from graphscore.model.ledger import unlike
from graphscore.model.outcome import Error

TOP = "ROOT"
"""What stands for the head of a root."""

OF_CHILDREN = ("deprel", "upos", "feats")
"""What is compared of function words, beside which words they are."""


class Both(NamedTuple):
    """What gold and the system say of one word."""

    gold: str
    system: str


class Differing:
    """What aligned words differ in, one word at a time.

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
        columns = [each for each in error.name.split("+") if each != "deprel"]
        if not columns:
            return error
        mine, theirs = self._numbers
        place = mine[error.gold], theirs[error.system]
        said = [self.said(column, *place) for column in columns]
        side = int(error.side == "surplus")
        compared = " + ".join(each[side] for each in said)
        return error._replace(compared=unlike(compared, error.value))

    @cached_property
    def _numbers(self) -> tuple[dict[int, int], dict[int, int]]:
        """Numbers of the words by their positions among all nodes."""
        mine, theirs = (
            {ordinal: number for number, ordinal in enumerate(document.ordinals)}
            for document in self.documents
        )
        return mine, theirs

    def said(self, column: str, gold: int, system: int) -> Both:
        """What either side says of a word in a column where they differ.

        Heads and function words are shown by their forms, and by more only where these
        are equal.

        Args:
            column: ``head``, ``children`` or the name of a property.
            gold: the number of the word in gold.
            system: likewise.
        """
        one, two = self.documents
        if column == "head":
            return heads(one, one.heads[gold], two, two.heads[system])
        if column != "children":
            tags = one.tags(column)[gold], two.tags(column)[system]
            return Both(*(tag or ABSENT for tag in tags))
        for more in range(len(OF_CHILDREN) + 1):
            found = Both(_children(one, gold, more), _children(two, system, more))
            if found.gold != found.system:
                break
        return found


def heads(gold: Document, one: int, system: Document, two: int) -> Both:
    """Two heads by their forms; with their place in the sentence if these are equal.

    Args:
        gold: the document of the first.
        one: its number, or below 0 for a root.
        system: the document of the second.
        two: its number.
    """
    found = Both(form_of(gold, one), form_of(system, two))
    if found.gold != found.system:
        return found
    return Both(form_of(gold, one, True), form_of(system, two, True))


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
        said = [str(document.words[child].label)]
        for column in OF_CHILDREN[:more]:
            relation = column == "deprel"
            tags = document.relations if relation else document.tags(column)
            said.append(tags[child] or ABSENT)
        words.append("/".join(said))
    return " ".join(words) or ABSENT
