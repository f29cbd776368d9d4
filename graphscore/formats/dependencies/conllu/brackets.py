r"""The brackets of mentions and the links of entities in MISC, as CorefUD has them.

Words are counted over the document, empty nodes included.

>>> draft = Draft("a.conllu", 1)
>>> brackets = Brackets(draft, "eid-etype-head")
>>> place = Place(7, 1)
>>> brackets.read("Entity=(e1-person-2(e2[1/2])", 0, place)
>>> brackets.read("Entity=e1)|SpaceAfter=No", 1, place)
>>> brackets.read("Entity=(e2[2/2])|Bridge=e1<e2:part", 3, place)
>>> [(each.eid, each.values, each.parts) for each in brackets.mentions]
... # doctest: +NORMALIZE_WHITESPACE
[('e1', {'etype': 'person', 'head': '2'}, [[0, 1]]),
 ('e2', {}, [[0, 0], [3, 3]])]
>>> link = brackets.links[0]
>>> link.source, link.label, link.target, link.mention
('e2', 'bridging:part', 'e1', None)
>>> brackets.read("Entity=e3)", 4, place)
>>> print(draft.problems[0])
a.conllu:7:1: Entity: found 'e3)' with nothing to close, expected (e3 before it
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from graphscore.formats.shared.records import Draft

EID = "eid"
"""The field with the id of the entity."""

_ALIKE = {"GRP": EID, "entity": "etype"}
"""What GUM calls fields that CorefUD calls otherwise."""

BRIDGING, SPLIT = "bridging", "split_antecedent"
"""Labels of edges between entities."""

_ENTITY, _BRIDGE, _SPLIT = "Entity", "Bridge", "SplitAnte"

BAD_BRIDGE = "a Bridge in MISC that is none"
"""What is noted of a link that cannot be read."""

ATTRIBUTES = (_ENTITY, _BRIDGE, _SPLIT)
"""What they are called in MISC."""

# Without possessive quantifiers, (e1) could also be (e and 1).
_PIECE = r"(?:\([^()\s]++\)?+|[^()\s]++\))"
_BRACKETS = re.compile(rf"{_PIECE}++")
_BRACKET = re.compile(r"(\()?([^()\s]+)(\))?")
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


class Place(NamedTuple):
    """Where something stands in the file."""

    line: int
    column: int
    """Of MISC."""


@dataclass
class Mention:
    """A mention as its brackets say it."""

    eid: str
    values: dict[str, str]
    """Its fields, without the id."""
    place: Place
    parts: list[list[int]]
    """First and last word of each; the last one -1 while it is open."""


class Link(NamedTuple):
    """A link from one entity to another."""

    source: str
    target: str
    label: str
    place: Place
    mention: int | None
    """The number of the mention of the source that begins at the same word."""


class Brackets:
    """What MISC says in one document, word by word.

    Args:
        draft: the document, which takes the problems.
        fields: what ``# global.Entity`` says.
    """

    def __init__(self, draft: Draft, fields: str) -> None:
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

    def add(self, place: Place, where: str, found: str, expected: str) -> None:
        """Note a problem."""
        self._draft.add(where, found, expected, place.column, place.line)

    def _odd(self, place: Place, where: str, found: str, expected: str) -> None:
        """Note something wrong: what is said of bridging nothing else needs."""
        self.add(place, where, found, expected)
        if where == _BRIDGE:
            self._draft.pass_over(BAD_BRIDGE)

    def read(self, misc: str, word: int, at: Place, multiword: bool = False) -> None:
        """Take the attributes of coreference among those of a word.

        Args:
            misc: the column.
            word: the number of the word.
            at: where the column stands.
            multiword: whether it is that of a multiword token, which has none.
        """
        found: dict[str, str] = {}
        for each in misc.split("|"):
            name, equals, value = each.partition("=")
            if name not in ATTRIBUTES or not equals:
                continue
            if multiword:
                self._odd(at, name, "a multiword token", "a word or an empty node")
            elif name in found:
                self._odd(at, name, f"a second {name}", "one")
            else:
                found[name] = value
        # Links may name what is opened by the same word.
        if _ENTITY in found:
            self._entities(found[_ENTITY], word, at)
        for name, label in ((_BRIDGE, BRIDGING), (_SPLIT, SPLIT)):
            if name in found:
                self._link(found[name], name, label, word, at)

    def _entities(self, value: str, word: int, at: Place) -> None:
        if not _BRACKETS.fullmatch(value):
            expected = f"brackets, as ({self.fields} and the id with )"
            self.add(at, _ENTITY, repr(value[:60]), expected)
            return
        for match in _BRACKET.finditer(value):
            opens, content, closes = match.groups()
            if opens:
                self._opened(content, word, at, closes is not None)
            elif stack := self._open.get(content) or self._open.get(self._id(content)):
                stack.pop().parts[-1][1] = word
            else:
                found = f"{f'{content})'!r} with nothing to close"
                self.add(at, _ENTITY, found, f"({content} before it")

    def _id(self, content: str) -> str:
        """The id in a closing bracket that repeats the fields before it, too."""
        place = self._order.index(EID) if EID in self._order else 0
        values = content.split("-")
        return values[place] if len(values) == place + 1 else content

    def _opened(self, content: str, word: int, at: Place, closes: bool) -> None:
        values = content.split("-")
        if len(values) > len(self._order):
            found = f"{len(values)} fields in {content[:60]!r}"
            self.add(at, _ENTITY, found, f"at most those of {self.fields}")
            return
        named = dict(zip(self._order, values, strict=False))
        bracket = named.pop(EID, "")
        match = _PART.fullmatch(bracket)
        eid, part, parts = bracket, 1, 1
        if match:
            eid, part, parts = match["eid"], int(match["part"]), int(match["parts"])
        if not eid or (not match and {"[", "]"} & {*eid}) or part > parts:
            expected = "the id of an entity, as e1 or e1[1/2]"
            self.add(at, _ENTITY, repr(bracket), expected)
            return
        if part > 1:
            before = self._parted.get((eid, part, parts))
            if not before or before[-1].parts[-1][1] < 0:
                found = f"part {part} of {parts} of {eid!r}"
                self.add(at, _ENTITY, found, f"part {part - 1} before it")
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

    def _link(self, value: str, name: str, label: str, word: int, at: Place) -> None:
        for each in value.split(","):
            match = _LINK.fullmatch(each)
            if match is None or (match["type"] and name == _SPLIT):
                kind = ":TYPE" if name == _BRIDGE else ""
                self._odd(at, name, repr(each[:60]), f"a link, as e1<e2{kind}")
                continue
            of_type = f"{label}:{match['type']}" if match["type"] else label
            source, target = match["source"], match["target"]
            mention = self._first.get((source, word))
            self.links.append(Link(source, target, of_type, at, mention))

    def finish(self) -> None:
        """Note what is missing at the end of the document."""
        for bracket, stack in self._open.items():
            for mention in stack:
                found = f"{f'({bracket}'!r} that nothing closes"
                self.add(mention.place, _ENTITY, found, f"{bracket}) further down")
        for (eid, part, parts), waiting in self._parted.items():
            for mention in waiting:
                found = f"{part - 1} of {parts} parts of {eid!r}"
                self.add(mention.place, _ENTITY, found, "all of them")
        known = {mention.eid for mention in self.mentions}
        links, self.links = self.links, []
        for link in links:
            where = _SPLIT if link.label == SPLIT else _BRIDGE
            unknown = [end for end in (link.target, link.source) if end not in known]
            for end in unknown:
                self._odd(link.place, where, repr(end), "an entity with a mention")
            if not unknown:
                self.links.append(link)
