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
from itertools import accumulate, compress, starmap
from typing import NamedTuple

import msgspec

from graphscore.formats.base import Record
from graphscore.formats.dependencies.corefud_brackets import (
    BRIDGE,
    EID,
    ENTITY,
    MISC,
    SPLIT_ANTECEDENT,
    Brackets,
    Link,
    Location,
    Mention,
    fields_of,
)
from graphscore.formats.shared.conllu_columns import ENTITY_FIELDS
from graphscore.formats.shared.records import RecordBuilder
from graphscore.model.anchors import anchor_of
from graphscore.model.graph import Anchor, Edge, NodeId, Pairs
from graphscore.structures.layout import COREF, KIND, TEXT, LayoutBuilder

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


class _SpecialWord(NamedTuple):
    """An empty node, or a word that shares its characters with others."""

    name: str
    """``SENTENCE:ID``."""
    words: tuple[int, int]
    """First and last of the words that have the same characters; itself if empty."""
    governors: tuple[tuple[str, str], ...]
    """Names of those of an empty node, with the relations to them."""


class Coreference:
    """The coreference of one document, gathered sentence by sentence.

    Args:
        name: the file.
        fields: what ``# global.Entity`` says.
        document: the name of the document.
        line: the line where it begins.
    """

    def __init__(self, name: str, fields: str, document: str, line: int) -> None:
        self._draft = RecordBuilder(name, line, framework=COREF, item=document)
        self._text: list[str] = []
        self._length = self._sentences = 0
        self._words: list[Anchor | None] = []
        """Characters of words; ``None`` for empty nodes."""
        self._special: dict[int, _SpecialWord] = {}
        expected = unknown_fields(fields)
        if expected is not None:
            self._draft.add(f"# {ENTITY_FIELDS}", repr(fields), expected)
        self._usable = expected is None
        self._brackets = Brackets(self._draft, fields if self._usable else EID)

    def lost(self, line: int, raw: bytes) -> None:
        """Note that a sentence of the document cannot be read.

        Args:
            line: its first line.
            raw: its lines.
        """
        self._sentences += 1
        found = f"a sentence that cannot be read, in document {self._draft.item!r}"
        expected = "all of them, as mentions may be anywhere"
        self._draft.add("", found, expected, line=line)
        self._keep(raw)

    def _keep(self, raw: bytes) -> None:
        """Keep the lines of a sentence with a problem."""
        kept = self._draft.raw
        kept += [b"\n", raw] if kept else [raw]

    def take(
        self,
        rows: Sequence[Sequence[str]],
        line: int,
        row_lines: Sequence[int],
        anchors: Sequence[tuple[Anchor, ...]],
        multiword: Mapping[int, int],
        text: str,
        whole: Callable[[], bytes],
    ) -> None:
        """One more sentence.

        Args:
            rows: the columns of its words, multiword tokens and empty nodes.
            line: the first line of the sentence in the file.
            row_lines: the line of each row in the sentence.
            anchors: characters of each row in the text of the sentence.
            multiword: rows of multiword tokens, with their last word's number.
            text: the text of the sentence.
            whole: gives the lines of the sentence.
        """
        self._sentences += 1
        before = len(self._draft.problems)
        offset, words = self._length, self._words
        self._text.append(text)
        self._length += len(text) + 1
        first = len(words)
        # A multiword token has the index of its first word.
        indexes: Sequence[int] = range(first, first + len(rows))
        own: Sequence[tuple[Anchor, ...]] = anchors
        if multiword:
            are_words = [number not in multiword for number in range(len(rows))]
            indexes = list(accumulate(are_words, initial=first))[:-1]
            own = list(compress(anchors, are_words))
        words += [
            anchor_of((offset + place[0][0], offset + place[0][1])) if place else None
            for place in own
        ]
        empty = [] if all(own) else [row for row in rows if "." in row[0]]
        if multiword or empty:
            ids = {
                row[0]: indexes[number]
                for number, row in enumerate(rows)
                if number not in multiword
            }
            for number, last in multiword.items():
                self._share(ids, rows[number][0].partition("-")[0], last)
            for row in empty:
                index, governors = ids[row[0]], tuple(self._governors(row[_DEPS], ids))
                name = f"{self._sentences}:{row[0]}"
                self._special[index] = _SpecialWord(name, (index, index), governors)
        for number, row in enumerate(rows) if self._usable else ():
            misc = row[MISC]
            if misc != "_" and (
                ENTITY in misc or BRIDGE in misc or SPLIT_ANTECEDENT in misc
            ):
                at = Location(line + row_lines[number], row)
                self._brackets.read(misc, indexes[number], at, number in multiword)
        if len(self._draft.problems) > before:
            self._keep(whole())

    def _share(self, ids: Mapping[str, int], begin: str, end: int) -> None:
        """Note which words of a multiword token have no characters of their own."""
        first, last = ids[begin], ids[str(end)]
        names = {ids[name]: name for name in map(str, range(int(begin), end + 1))}
        if len({self._words[index] for index in names}) < len(names):
            for index, name in names.items():
                name = f"{self._sentences}:{name}"
                self._special[index] = _SpecialWord(name, (first, last), ())

    def _governors(
        self, deps: str, ids: Mapping[str, int]
    ) -> Iterator[tuple[str, str]]:
        for pair in deps.split("|") if deps != "_" else ():
            head, _, relation = pair.partition(":")
            index = ids.get(head)
            anchor = None if index is None else self._words[index]
            name = f"{anchor.start}:{anchor.end}" if anchor else None
            yield name or f"{self._sentences}:{head}", relation

    def _name_of(self, index: int) -> str:
        """Return the name of a word: its characters, or the empty node's id."""
        anchor = self._words[index]
        return f"{anchor.start}:{anchor.end}" if anchor else self._special[index].name

    def read(self) -> Record:
        """The graph of the document, or everything that is wrong with it."""
        draft = self._draft
        self._brackets.finish()
        build, special = LayoutBuilder(), sorted(self._special)
        members: dict[str, list[NodeId]] = {}
        labels: dict[str, str] = {}
        for mention in () if draft.problems else self._brackets.mentions:
            label, anchors, properties = self._fields_of(mention, special)
            node = build.mention(label, anchors, properties)
            members.setdefault(mention.eid, []).append(node)
            if label is not None:
                labels.setdefault(mention.eid, label)
        if draft.problems:
            draft.problems.sort(
                key=lambda problem: (problem.line or 0, problem.column or 0)
            )
            return draft.rejected()
        for eid, nodes in members.items():
            build.entity(nodes, labels.get(eid), id=eid)
        graph = build.graph(
            draft.item,
            COREF,
            document=draft.item,
            text=" ".join(self._text),
            tokens=tuple([anchor for anchor in self._words if anchor]),
        )
        if self._brackets.links:
            edges = (*graph.edges, *map(_edge, self._brackets.links))
            graph = msgspec.structs.replace(graph, edges=edges)
        return draft.record(graph)

    def _fields_of(
        self, mention: Mention, special: Sequence[int]
    ) -> tuple[str | None, list[Anchor], Pairs]:
        """Label, anchors and properties of a mention.

        Args:
            mention: one of the document.
            special: the words of the document that characters may not tell, in order.
        """
        values, pairs = mention.values, list[tuple[str, str | bool]]()
        label, number = values.pop(TYPE, None), values.pop(HEAD, None)
        head = self._head(mention, number) if number else None
        if head is not None:
            pairs.append((HEAD, self._name_of(head)))
        anchors = [*filter(None, starmap(self._anchor, mention.parts))]
        if not anchors:
            pairs.append((ZERO, True))
        for word in self._unsaid(mention, special) if special else ():
            pairs.append((WORD, word.name))
            for governor, relation in () if anchors else word.governors:
                pairs += [(GOVERNOR, governor), (RELATION, relation)]
        pairs += [pair for pair in values.items() if pair[1]]
        return label or None, anchors, tuple(pairs)

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

    def _anchor(self, first: int, last: int) -> Anchor | None:
        """The characters from one word to another, if there are any."""
        words = self._words
        while first <= last and words[first] is None:
            first += 1
        while last > first and words[last] is None:
            last -= 1
        start, end = words[first] if first <= last else None, words[last]
        return anchor_of((start[0], end[1])) if start and end else None

    def _unsaid(
        self, mention: Mention, special: Sequence[int]
    ) -> Iterator[_SpecialWord]:
        """The words of a mention that its characters do not tell."""
        for first, last in mention.parts:
            begin = bisect_left(special, first)
            for index in special[begin : bisect_right(special, last)]:
                word = self._special[index]
                start, end = word.words
                if self._words[index] is None or not all(
                    any(a <= k <= b for a, b in mention.parts)
                    for k in range(start, end + 1)
                    if self._words[k]
                ):
                    yield word


def _edge(link: Link) -> Edge:
    extra = () if link.mention is None else (("mention", link.mention),)
    return Edge(link.source, link.target, link.label, extra=extra)
