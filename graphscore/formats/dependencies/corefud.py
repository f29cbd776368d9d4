r"""Coreference in CoNLL-U: what CorefUD keeps in MISC, one graph a document.

``# global.Entity`` says which fields a mention has, in which order; it is what makes
a file one with coreference.  In MISC stand the brackets of mentions, and links
between entities (https://ufal.mff.cuni.cz/corefud)::

    # global.Entity = eid-etype-head-other
    1    Jo    ...  Entity=(e1-person-1-(e2-person-1-)
    2    left  ...  Entity=e1)|Bridge=e3<e1:part|SplitAnte=e4<e2,e5<e2

Fields may be declared in any order; GUM calls ``eid`` ``GRP``.

``(e1-person-1-`` opens a mention and gives its fields, of which empty ones at the
end may be left out; ``e1)`` closes the one of that entity that was opened last.
``(e1[1/2]-...`` is the first of two parts, whose fields are those of the mention.
``Bridge`` and ``SplitAnte`` lead from the entity on the right, which has a mention
here, to the one on the left.

=================  =========================================================
text               the texts of the sentences, joined by one blank
tokens             the ranges of the words; those of a multiword token may
                   share one
a mention's label  the field ``etype``; that of its entity is the first one
anchors            a range for each part
``head``           ``START:END`` of the word that the field says, counted from
                   1 over the words and empty nodes of all parts
``zero``           true where all of it is empty nodes
``word``           ``SENTENCE:ID`` of what its characters do not tell: its empty
                   nodes, and words of a multiword token that share their
                   characters with others that are not in the mention
``governor``       of a zero, for each head in DEPS: ``START:END``, or
                   ``SENTENCE:ID`` for an empty node; ``SENTENCE:0`` is the root
``deprel``         of a zero, the relation to it
other fields       properties by their names, where they are not empty
an entity's id     its ``eid``
edges              ``mention``; ``bridging:TYPE`` (or ``bridging``) and
                   ``split_antecedent`` from entity to entity
=================  =========================================================

Sentences are counted from 1.  What is wrong costs the graph of the document, but no
sentence; a sentence that cannot be read costs the graph of its document.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import msgspec

from graphscore.formats.base import Record
from graphscore.formats.dependencies.corefud_brackets import (
    ATTRIBUTE,
    EID,
    MISC,
    Brackets,
    Link,
    Location,
    Mention,
    fields_of,
)
from graphscore.formats.shared.records import RecordBuilder
from graphscore.model.anchors import anchor_of
from graphscore.model.graph import Anchor, Edge, NodeId, Pairs
from graphscore.structures.layout import COREF, KIND, TEXT, LayoutBuilder

GLOBAL = "global.Entity"
"""The comment that says which fields a mention has."""

TYPE, HEAD = "etype", "head"
"""Fields with a meaning of their own."""

ZERO, WORD, GOVERNOR, RELATION = "zero", "word", "governor", "deprel"
"""Properties of mentions that are no fields."""

_RESERVED = frozenset({KIND, TEXT, ZERO, WORD, GOVERNOR, RELATION})

_NUMBER = re.compile(r"[1-9][0-9]{0,8}")
_DEPS = 8


def unknown_fields(fields: str) -> str | None:
    """Return the fields expected in ``# global.Entity`` if those found are unusable.

    Args:
        fields: what it says.

    Returns:
        What is expected; ``None`` if it can be used.

    >>> unknown_fields("eid-etype-head-other"), unknown_fields("entity-GRP-infstat")
    (None, None)
    >>> unknown_fields("etype-head")
    'fields with - between, one of them eid (or GRP)'
    """
    names = fields_of(fields)
    if EID not in names:
        return f"fields with - between, one of them {EID} (or GRP)"
    if _RESERVED.intersection(names) or len({*names, ""}) <= len(names):
        return f"different fields, not called {', '.join(sorted(_RESERVED))}"
    return None


class _Word(NamedTuple):
    """A word or empty node of the document."""

    sentence: int
    id: str
    anchor: Anchor | None
    """Its characters; ``None`` for an empty node."""
    sharing: tuple[int, int] | None
    """First and last of the words that have the same characters."""


# Quicker than by its own way of making one.
_word: Callable[[tuple[int, str, Anchor | None, None]], _Word]
_word = partial(tuple.__new__, _Word)


class Coreference(RecordBuilder):
    """The coreference of one document, gathered sentence by sentence.

    Args:
        name: the file.
        fields: what ``# global.Entity`` says.
        document: the name of the document.
        line: the line where it begins.
    """

    def __init__(self, name: str, fields: str, document: str, line: int) -> None:
        super().__init__(name, line, framework=COREF, item=document)
        self._brackets = Brackets(self, fields)
        self._text: list[str] = []
        self._length = self._sentences = 0
        self._words: list[_Word] = []
        self._zeros: dict[int, tuple[tuple[str, str], ...]] = {}
        """Governors and relations of empty nodes."""
        self._special: list[int] = []
        """Empty nodes, and words that share their characters."""
        expected = unknown_fields(fields)
        if expected is not None:
            self.add(f"# {GLOBAL}", repr(fields), expected)
            self._brackets = Brackets(self, EID)
        self._usable = expected is None

    def lost(self, line: int, raw: bytes) -> None:
        """Note that a sentence of the document cannot be read.

        Args:
            line: its first line.
            raw: its lines.
        """
        self._sentences += 1
        found = f"a sentence that cannot be read, in document {self.item!r}"
        expected = "all of them, as mentions may be anywhere"
        self.add("", found, expected, line=line)
        self._keep(raw)

    def _keep(self, raw: bytes) -> None:
        """Keep the lines of a sentence with a problem."""
        self.raw += [b"\n", raw] if self.raw else [raw]

    def take(
        self,
        rows: Sequence[Sequence[str]],
        lines: Sequence[int],
        anchors: Sequence[tuple[Anchor, ...]],
        multiword: Mapping[int, int],
        text: str,
        raw: bytes,
    ) -> None:
        """One more sentence.

        Args:
            rows: the columns of its words, multiword tokens and empty nodes.
            lines: the line of each row in the file.
            anchors: characters of each row in the text of the sentence.
            multiword: rows of multiword tokens, with their last word's number.
            text: the text of the sentence.
            raw: the lines of the sentence.
        """
        self._sentences += 1
        before = len(self.problems)
        offset = self._length
        self._text.append(text)
        self._length += len(text) + 1
        first, ids = len(self._words), dict[str, int]()
        marked: list[tuple[int, int]] = []
        empty: list[tuple[int, str]] = []
        for number, row in enumerate(rows):
            index, misc = len(self._words), row[MISC]
            if self._usable and ATTRIBUTE.search(misc):
                marked.append((number, index))
            if number in multiword:
                continue
            anchor = None
            if anchors[number]:
                [(start, end)] = anchors[number]
                anchor = anchor_of((offset + start, offset + end))
            else:
                empty.append((index, row[_DEPS]))
            ids[row[0]] = index
            self._words.append(_word((self._sentences, row[0], anchor, None)))
        for number, last in multiword.items():
            self._share(ids[rows[number][0].partition("-")[0]], ids[str(last)])
        for index, deps in empty:
            self._zeros[index] = tuple(self._governors(deps, ids))
        self._special += [
            index
            for index in range(first, len(self._words))
            if self._words[index].anchor is None or self._words[index].sharing
        ]
        for number, index in marked:
            row = rows[number]
            at = Location(lines[number], row)
            self._brackets.read(row[MISC], index, at, number in multiword)
        if len(self.problems) > before:
            self._keep(raw)

    def _share(self, first: int, last: int) -> None:
        """Note which words of a multiword token have no characters of their own."""
        members = [k for k in range(first, last + 1) if self._words[k].anchor]
        if len({self._words[k].anchor for k in members}) < len(members):
            for k in members:
                self._words[k] = self._words[k]._replace(sharing=(first, last))

    def _governors(
        self, deps: str, ids: Mapping[str, int]
    ) -> Iterator[tuple[str, str]]:
        for pair in deps.split("|") if deps != "_" else ():
            head, _, relation = pair.partition(":")
            index = ids.get(head)
            named = f"{self._sentences}:{head}"
            yield (named if index is None else self._name_of(index)), relation

    def _name_of(self, index: int) -> str:
        """Return the name of a word: its characters, or the empty node's id."""
        sentence, name, anchor, _ = self._words[index]
        return f"{anchor.start}:{anchor.end}" if anchor else f"{sentence}:{name}"

    def read(self) -> Record:
        """The graph of the document, or everything that is wrong with it."""
        self._brackets.finish()
        build = LayoutBuilder()
        members: dict[str, list[NodeId]] = {}
        labels: dict[str, str] = {}
        for mention in () if self.problems else self._brackets.mentions:
            label, anchors, properties = self._fields_of(mention)
            node = build.mention(label, anchors, properties)
            members.setdefault(mention.eid, []).append(node)
            if label is not None:
                labels.setdefault(mention.eid, label)
        if self.problems:
            self.problems.sort(
                key=lambda problem: (problem.line or 0, problem.column or 0)
            )
            return self.rejected()
        for eid, nodes in members.items():
            build.entity(nodes, labels.get(eid), id=eid)
        graph = build.graph(
            self.item,
            COREF,
            document=self.item,
            text=" ".join(self._text),
            tokens=tuple([word.anchor for word in self._words if word.anchor]),
        )
        if self._brackets.links:
            edges = (*graph.edges, *map(_edge, self._brackets.links))
            graph = msgspec.structs.replace(graph, edges=edges)
        return self.record(graph)

    def _fields_of(self, mention: Mention) -> tuple[str | None, list[Anchor], Pairs]:
        """Label, anchors and properties of a mention."""
        values, pairs = mention.values, list[tuple[str, str | bool]]()
        if values.get(HEAD):
            head = self._head(mention, values[HEAD])
            if head is not None:
                pairs.append((HEAD, self._name_of(head)))
        anchors = [anchor for part in mention.parts for anchor in self._anchor(*part)]
        if not anchors:
            pairs.append((ZERO, True))
        for index in self._unsaid(mention):
            word = self._words[index]
            pairs.append((WORD, f"{word.sentence}:{word.id}"))
            for governor, relation in () if anchors else self._zeros[index]:
                pairs += [(GOVERNOR, governor), (RELATION, relation)]
        pairs += [
            (name, value)
            for name, value in values.items()
            if value and name not in (TYPE, HEAD)
        ]
        return values.get(TYPE) or None, anchors, tuple(pairs)

    def _head(self, mention: Mention, value: str) -> int | None:
        """The word that a field says, counted from 1 over all parts."""
        left = int(value) if _NUMBER.fullmatch(value) else 0
        for first, last in mention.parts if left else ():
            if left <= last - first + 1:
                return first + left - 1
            left -= last - first + 1
        words = sum(last - first + 1 for first, last in mention.parts)
        expected = f"the number of one of its {words} words"
        self._brackets.add(mention.location, HEAD, repr(value), expected)
        return None

    def _anchor(self, first: int, last: int) -> Iterator[Anchor]:
        """The characters from one word to another, if there are any."""
        words = self._words
        while first <= last and words[first].anchor is None:
            first += 1
        while last > first and words[last].anchor is None:
            last -= 1
        start, end = words[first].anchor if first <= last else None, words[last].anchor
        if start is not None and end is not None:
            yield anchor_of((start.start, end.end))

    def _unsaid(self, mention: Mention) -> Iterator[int]:
        """The words of a mention that its characters do not tell."""
        for first, last in mention.parts:
            begin = bisect_left(self._special, first)
            for index in self._special[begin : bisect_right(self._special, last)]:
                sharing = self._words[index].sharing
                if sharing is None or not all(
                    any(a <= k <= b for a, b in mention.parts)
                    for k in range(sharing[0], sharing[1] + 1)
                    if self._words[k].anchor
                ):
                    yield index


def _edge(link: Link) -> Edge:
    extra = () if link.mention is None else (("mention", link.mention),)
    return Edge(link.source, link.target, link.label, extra=extra)
