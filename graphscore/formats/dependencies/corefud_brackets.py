r"""Brackets and links of coreference in CoNLL-U, as MISC has them.

Brackets count words over the document, empty nodes included:

>>> draft = RecordBuilder("a.conllu", 1)
>>> brackets = Brackets(draft, "eid-etype-head")
>>> location = Location(7, [])
>>> brackets.read("Entity=(e1-person-2(e2[1/2])", 0, location)
>>> brackets.read("Entity=e1)|SpaceAfter=No", 1, location)
>>> brackets.read("Entity=(e2[2/2])|Bridge=e1<e2:part", 3, location)
>>> [(mention.eid, mention.values, mention.parts) for mention in brackets.mentions]
... # doctest: +NORMALIZE_WHITESPACE
[('e1', {'etype': 'person', 'head': '2'}, [[0, 1]]),
 ('e2', {}, [[0, 0], [3, 3]])]
>>> link = brackets.links[0]
>>> link.source, link.label, link.target, link.mention
('e2', 'bridging:part', 'e1', None)
>>> brackets.read("Entity=e3)", 4, location)
>>> print(draft.problems[0])
a.conllu:7:1: Entity: found an unmatched 'e3)', expected (e3 before it
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct

from graphscore.formats.shared.columns import byte_column
from graphscore.formats.shared.records import RecordBuilder

EID = "eid"
"""The field with the id of the entity."""

_ALIKE = {"GRP": EID, "entity": "etype"}
"""GUM's names of CorefUD fields."""

BRIDGING, SPLIT = "bridging", "split_antecedent"
"""Labels of edges between entities."""

ENTITY, BRIDGE, SPLIT_ANTECEDENT = "Entity", "Bridge", "SplitAnte"
"""Names of the attributes in MISC."""

BAD_BRIDGE = "a Bridge in MISC that is none"
"""Note on a link that cannot be read."""

_ATTRIBUTES = (ENTITY, BRIDGE, SPLIT_ANTECEDENT)

MISC = 9
"""The column that has them."""

_BRACKET = re.compile(r"(\(?)([^()\s]+)(\)?)")
_BRACKETS = re.compile(r"(?:\([^()\s]++\)?|[^()\s]++\))+")
_PART = re.compile(
    r"(?P<eid>[^\[\]]+)\[(?P<part>[1-9]\d{0,5})/(?P<parts>[1-9]\d{0,5})\]", re.ASCII
)
_LINK = re.compile(r"(?P<target>[^<,:]+)<(?P<source>[^<,:]+)(?::(?P<type>[^<,]+))?")


def fields_of(declared: str) -> tuple[str, ...]:
    """The fields that ``# global.Entity`` declares, as CorefUD calls them.

    >>> fields_of("GRP-etype-infstat"), fields_of("entity-GRP")
    (('eid', 'etype', 'infstat'), ('etype', 'eid'))
    """
    names = declared.split("-")
    # What is declared under its own name is not called otherwise.
    return tuple(
        name if _ALIKE.get(name, name) in names else _ALIKE.get(name, name)
        for name in names
    )


class Location(Struct):
    """Location in the file."""

    line: int
    row: Sequence[str]
    """The columns of a word, of which MISC has the attributes."""

    @property
    def column(self) -> int:
        """Byte at which MISC begins, from 1."""
        return byte_column(self.row, MISC)


class Mention(Struct):
    """A mention as its brackets say it."""

    eid: str
    values: dict[str, str]
    """Its fields, without the id."""
    location: Location
    parts: list[list[int]]
    """First and last word of each; the last one -1 while it is open."""


class Link(NamedTuple):
    """A link from one entity to another."""

    source: str
    target: str
    label: str
    location: Location
    mention: int | None
    """The number of the mention of the source that begins at the same word."""


class Brackets:
    """Brackets of MISC in one document, word by word.

    Args:
        draft: the document, which takes the problems.
        fields: what ``# global.Entity`` says.
    """

    def __init__(self, draft: RecordBuilder, fields: str) -> None:
        self._draft, self.fields = draft, fields
        self.mentions: list[Mention] = []
        self.links: list[Link] = []
        self._order = fields_of(fields)
        self._open: dict[str, list[Mention]] = {}
        """Mentions that are open, by what their brackets are called."""
        self._parted: dict[tuple[str, int, int], list[Mention]] = {}
        """Mentions that wait for a part, by entity, that part and their number."""
        self._first: dict[tuple[str, int], int] = {}
        """The first mention of an entity that begins at a word."""

    def add(self, location: Location, where: str, found: str, expected: str) -> None:
        """Note a problem."""
        self._draft.add(where, found, expected, location.column, location.line)

    def _refuse(
        self, location: Location, where: str, found: str, expected: str
    ) -> None:
        """Note something wrong: what is said of bridging nothing else needs."""
        self.add(location, where, found, expected)
        if where == BRIDGE:
            self._draft.pass_over(BAD_BRIDGE)

    def read(self, misc: str, word: int, at: Location, multiword: bool = False) -> None:
        """Take the attributes of coreference among those of a word.

        Args:
            misc: the column.
            word: the number of the word.
            at: where the column stands.
            multiword: whether it is that of a multiword token, which has none.
        """
        attributes: dict[str, str] = {}
        for attribute in misc.split("|"):
            name, _, value = attribute.partition("=")
            if name not in _ATTRIBUTES or not value:
                continue
            if multiword:
                self._refuse(at, name, "a multiword token", "a word or an empty node")
            elif name in attributes:
                self._refuse(at, name, f"a second {name}", "one")
            else:
                attributes[name] = value
        # Links may name what is opened by the same word.
        if ENTITY in attributes:
            self._entities(attributes[ENTITY], word, at)
        for name, label in ((BRIDGE, BRIDGING), (SPLIT_ANTECEDENT, SPLIT)):
            if name in attributes:
                self._link(attributes[name], name, label, word, at)

    def _entities(self, value: str, word: int, at: Location) -> None:
        if _BRACKETS.fullmatch(value) is None:
            expected = f"brackets, as ({self.fields} and the id with )"
            self.add(at, ENTITY, repr(value[:60]), expected)
            return
        for opens, content, closes in _BRACKET.findall(value):
            if opens:
                self._begin(content, word, at, bool(closes))
            elif stack := self._open.get(content) or self._open.get(self._id(content)):
                stack.pop().parts[-1][1] = word
            else:
                found = f"an unmatched {f'{content})'!r}"
                self.add(at, ENTITY, found, f"({content} before it")

    def _id(self, content: str) -> str:
        """The id in a closing bracket that repeats the fields before it, too."""
        index = self._order.index(EID) if EID in self._order else 0
        values = content.split("-")
        return values[index] if len(values) == index + 1 else content

    def _begin(self, content: str, word: int, at: Location, closes: bool) -> None:
        values = content.split("-")
        if len(values) > len(self._order):
            found = f"{len(values)} fields in {content[:60]!r}"
            self.add(at, ENTITY, found, f"at most those of {self.fields}")
            return
        named = dict(zip(self._order, values, strict=False))
        bracket = named.pop(EID, "")
        match = _PART.fullmatch(bracket) if "[" in bracket else None
        eid, part, parts = bracket, 1, 1
        if match:
            eid, part, parts = match["eid"], int(match["part"]), int(match["parts"])
        if not eid or (not match and ("[" in eid or "]" in eid)) or part > parts:
            expected = "the id of an entity, as e1 or e1[1/2]"
            self.add(at, ENTITY, repr(bracket), expected)
            return
        if part > 1:
            before = self._parted.get((eid, part, parts))
            if not before or before[-1].parts[-1][1] < 0:
                found = f"part {part} of {parts} of {eid!r}"
                self.add(at, ENTITY, found, f"part {part - 1} before it")
                return
            mention = before.pop()
        else:
            mention = Mention(eid, named, at, [])
            self._first.setdefault((eid, word), len(self.mentions))
            self.mentions.append(mention)
        if part < parts:
            self._parted.setdefault((eid, part + 1, parts), []).append(mention)
        mention.parts.append([word, word if closes else -1])
        if not closes:
            self._open.setdefault(bracket, []).append(mention)

    def _link(self, value: str, name: str, label: str, word: int, at: Location) -> None:
        for link in value.split(","):
            match = _LINK.fullmatch(link)
            if match is None or (match["type"] and name == SPLIT_ANTECEDENT):
                kind = ":TYPE" if name == BRIDGE else ""
                self._refuse(at, name, repr(link[:60]), f"a link, as e1<e2{kind}")
                continue
            of_type = f"{label}:{match['type']}" if match["type"] else label
            source, target = match["source"], match["target"]
            mention = self._first.get((source, word))
            self.links.append(Link(source, target, of_type, at, mention))

    def finish(self) -> None:
        """Note what is missing at the end of the document."""
        for bracket, stack in self._open.items():
            for mention in stack:
                found = f"an unmatched {f'({bracket}'!r}"
                self.add(mention.location, ENTITY, found, f"{bracket}) further down")
        for (eid, part, parts), waiting in self._parted.items():
            for mention in waiting:
                found = f"{part - 1} of {parts} parts of {eid!r}"
                self.add(mention.location, ENTITY, found, "all of them")
        eids = {mention.eid for mention in self.mentions}
        links, self.links = self.links, []
        for link in links:
            where = SPLIT_ANTECEDENT if link.label == SPLIT else BRIDGE
            unknown = [end for end in (link.target, link.source) if end not in eids]
            for end in unknown:
                self._refuse(
                    link.location, where, repr(end), "an entity with a mention"
                )
            if not unknown:
                self.links.append(link)
