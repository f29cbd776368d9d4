r"""One line of inline-tagged text: its words, its elements, and what is wrong with it.

>>> from graphscore.formats.entities.inventories import QUAERO
>>> reader = LineReader(QUAERO)
>>> line = reader.parsed("le <func.ind><kind> maire </kind> de Lyon </func.ind> *euh")
>>> line.words
['le', 'maire', 'de', 'Lyon', '*euh']
>>> for each in line.elements:
...     print(each.name, each.kind, each.first, each.end, each.parent)
func.ind entity 1 4 None
kind component 1 2 0
>>> reader.parsed("<kind> a </name> </kind>").flaws[0]
Flaw(position=9, found='</name>', expected='</kind>, or no tag')
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import NamedTuple

from graphscore.formats.entities.inventories import NAME, Inventory
from graphscore.model.graph import Pairs
from graphscore.structures.entities.authority import AUTHORITY
from graphscore.structures.entities.trees import LITERAL
from graphscore.structures.layout import ENTITY, KIND

LINK = "link"
"""The attribute that says the property ``authority``."""

SHOWN = 40
"""Characters of the file that a message repeats."""

_PIECE = re.compile(
    r"<( ?/? ?[A-Za-z!?][^<>]*)>"
    r"|(?:[^ \t\r\f\v<]++|<(?! ?[/A-Za-z!?]))++"
    r"|<[^ \t\r\f\v<]*"
)
_TAG = re.compile(rf" ?(/?) ?({NAME.pattern})([ \t\r\f\v][^<>]*)?")
_ATTRIBUTE = re.compile(r"\s+([A-Za-z][\w.:-]*)=\"([^\"]*)\"")
_TAG_WITHOUT_BEGINNING = re.compile(r"(?:.*[^\w.-])??/?([A-Za-z][\w.-]*)>")


class Element(NamedTuple):
    """An entity or a component with its words."""

    name: str
    kind: str
    first: int
    """Its first word, from 0."""
    end: int
    """One past its last word."""
    parent: int | None
    """Number of the entity right around it, among the elements."""
    properties: Pairs
    """What the attributes of its tag say."""


class Flaw(NamedTuple):
    """Something wrong with a line."""

    position: int
    """The character, from 0."""
    found: str
    expected: str


class Line(NamedTuple):
    """What a line says; elements stand in the order of their opening tags."""

    words: list[str]
    elements: list[Element]
    flaws: list[Flaw]


class _Tag(NamedTuple):
    closing: bool
    name: str
    kind: str
    properties: Pairs


class _Open:
    """An element that is not closed yet."""

    __slots__ = ("first", "number", "parent", "position", "scope", "tag")

    def __init__(
        self, tag: _Tag, number: int, first: int, parent: int | None, position: int
    ) -> None:
        self.tag, self.number, self.first = tag, number, first
        self.parent, self.position = parent, position
        self.scope = number if tag.kind == ENTITY else parent


class LineReader:
    """Reads lines under an inventory of tags.

    Args:
        inventory: which tags are entities and components.
    """

    def __init__(self, inventory: Inventory) -> None:
        self._inventory = inventory
        # Few tags make up a file, unless they have attributes.
        self._tag = lru_cache(maxsize=4096)(self._read_tag)

    def parsed(self, line: str) -> Line:
        """Words and elements of a line.

        Args:
            line: the line without its end.
        """
        words: list[str] = []
        elements: list[Element | None] = []
        flaws: list[Flaw] = []
        stack: list[_Open] = []
        opened: Counter[str] = Counter()
        # Closing tags that were missed already, so that each is reported once.
        missed: Counter[str] = Counter()
        for piece in _PIECE.finditer(line):
            content = piece[1]
            if content is None:
                word = piece[0]
                if "<" in word or ">" in word:
                    flaw = self._broken(word, piece.start())
                    if flaw is not None:
                        flaws.append(flaw)
                        continue
                words.append(word)
                continue
            tag = self._tag(content)
            if not isinstance(tag, _Tag):
                flaws.append(Flaw(piece.start(), f"<{_short(content)}>", tag))
            elif not tag.closing:
                parent = stack[-1].scope if stack else None
                stack.append(
                    _Open(tag, len(elements), len(words), parent, piece.start())
                )
                elements.append(None)
                opened[tag.name] += 1
            elif stack and stack[-1].tag.name == tag.name:
                closed = stack.pop()
                opened[tag.name] -= 1
                elements[closed.number] = _element(closed, len(words), flaws)
            elif missed[tag.name]:
                missed[tag.name] -= 1
            else:
                expected = f"</{stack[-1].tag.name}>, or no tag" if stack else "no tag"
                flaws.append(Flaw(piece.start(), f"</{tag.name}>", expected))
                while opened[tag.name]:
                    crossed = stack.pop().tag.name
                    opened[crossed] -= 1
                    if crossed == tag.name:
                        break
                    missed[crossed] += 1
        for each in stack:
            name = each.tag.name
            flaws.append(Flaw(each.position, f"<{name}>", f"</{name}> in this line"))
        flaws.sort(key=lambda flaw: flaw.position)
        return Line(words, [each for each in elements if each is not None], flaws)

    def _broken(self, word: str, position: int) -> Flaw | None:
        """What is wrong with a word that has a bracket, if it looks like a tag."""
        if word[0] == "<" and word[1:2] and (word[1].isalpha() or word[1] in "/!?"):
            return Flaw(position, repr(_short(word)), "a tag that ends in >")
        match = _TAG_WITHOUT_BEGINNING.fullmatch(word)
        if match is not None and self._inventory.kind_of(match[1]) is not None:
            return Flaw(position, repr(_short(word)), "a tag that begins with <")
        return None

    def _read_tag(self, content: str) -> _Tag | str:
        """A tag, or what should stand there instead."""
        match = _TAG.fullmatch(content)
        name = match[2] if match is not None else ""
        kind = self._inventory.kind_of(name)
        if match is None or kind is None:
            return "an entity type or component of the inventory (--inventory)"
        written = (match[3] or "").rstrip()
        if match[1] and written:
            return f"</{name}>"
        properties: list[tuple[str, str]] = []
        position = 0
        for attribute in _ATTRIBUTE.finditer(written):
            key, value = attribute[1], attribute[2]
            if attribute.start() != position or key in (KIND, LITERAL, AUTHORITY):
                break
            properties.append((AUTHORITY if key == LINK else key, value))
            position = attribute.end()
        if position != len(written):
            return f'<{name}>, or attributes such as {LINK}="..."'
        return _Tag(bool(match[1]), name, kind, tuple(properties))


def _element(closed: _Open, end: int, flaws: list[Flaw]) -> Element:
    name, kind = closed.tag.name, closed.tag.kind
    if closed.first == end:
        expected = f"the words of the {kind}"
        flaws.append(Flaw(closed.position, f"<{name}> around no words", expected))
    return Element(name, kind, closed.first, end, closed.parent, closed.tag.properties)


def _short(text: str) -> str:
    return text if len(text) <= SHOWN else text[:SHOWN] + "..."
