r"""Text with inline tags for entities and components: QUAERO (ELRA-S0349), ETAPE.

A sentence to a line; tags nest and may touch (Grouin et al. 2011; Rosset et al.
2011)::

    les <func.coll> <kind> contrôleurs </kind> de la <org.ent> <name> SNCF </name>
    </org.ent> </func.coll>                      (one line in the file)

A line is a graph of the framework ``etree``
(:mod:`graphscore.structures.entities.trees`), named by its number from the first line
that is not blank, so that two files of the same lines stay in step; blank lines are no
items.  Lines that an entity goes over are one graph, named by the first of them.
Everything that is no tag is words, the marks of transcribers (``&oh-la-la``, ``%%``,
``*euh``, ``^^``) among them.
Which tags are entities and which components is said by an
:class:`~graphscore.formats.entities.inventories.Inventory`.

>>> import io
>>> data = b"de <loc.adm.town><name> Paris </name></loc.adm.town>\n\n<name> a </val>\n"
>>> one, bad = read(io.BytesIO(data), "a.ne")
>>> one.graph.id, one.graph.text, [node.label for node in one.graph.nodes]
('1', 'de Paris', ['loc.adm.town', 'name'])
>>> for problem in bad.problems:
...     print(problem)
a.ne:3:1: found <name>, expected </name> in this line
a.ne:3:10: found </val>, expected </name>, or no tag
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice
from typing import BinaryIO, NamedTuple

from graphscore.exceptions import InvalidGraphError
from graphscore.formats.base import Reader, ReadGraph, Record, Rejected
from graphscore.formats.entities.inventories import NAME, QUAERO, Inventory
from graphscore.formats.shared.records import RecordBuilder, too_long
from graphscore.formats.shared.token_spans import TokenSpans
from graphscore.formats.source import bounded_lines
from graphscore.formats.writing import check_framework, naming
from graphscore.model.graph import Anchor, Graph, Node, NodeId, Pairs
from graphscore.model.joined_tokens import join_tokens
from graphscore.model.numbers import whole_number
from graphscore.structures.entities.authority import AUTHORITY
from graphscore.structures.entities.trees import ETREE, LITERAL, TreeBuilder
from graphscore.structures.layout import COMPONENT, ENTITY, KIND, kind_of

LONGEST_LINE = 1024 * 1024
"""A longer line is no sentence."""

MOST_LINES = 16
"""An entity goes over so many lines at most."""

OPEN = " in this line"
"""End of the expectation for a tag that is not closed."""

WINDOW_LINES, WINDOW_BYTES = 2000, 4 * 1024 * 1024
"""Lines and bytes of a file inspected to detect its encoding."""

ENCODING = "encoding"
"""Field of ``extra``: the encoding of the file, where it is not UTF-8."""

LINK = "link"
"""The attribute that says the property ``authority``."""

SHOWN = 40
"""Characters of the file that a message repeats."""

_PIECE = re.compile(
    r"<( ?/? ?[A-Za-z!?][^<>]*)>"
    r"|(?>(?:[^ \t\r\f\v<]++|<(?! ?[/A-Za-z!?]))+)"
    r"|<[^ \t\r\f\v<]*"
)
_TAG = re.compile(rf" ?(/?) ?({NAME.pattern})([ \t\r\f\v][^<>]*)?")
_OPENING = re.compile(r"<[A-Za-z]")
_ATTRIBUTE = re.compile(r"\s+([A-Za-z][\w.:-]*)=\"([^\"]*)\"")
_TAG_WITHOUT_BEGINNING = re.compile(r"(?:.*[^\w.-])??/?([A-Za-z][\w.-]*)>")

UTF_8, LATIN_9 = "utf-8", "iso-8859-15"
"""Names of the encodings, as Python has them."""

_UNPRINTABLE = re.compile(rb"[\x80-\x9f]")


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
    """Properties from the attributes of its tag."""


class Flaw(NamedTuple):
    """Something wrong with a line."""

    position: int
    """The character, from 0."""
    found: str
    expected: str


class Line(NamedTuple):
    """Content of a line; elements stand in the order of their opening tags."""

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
    r"""Reads lines under an inventory of tags.

    Args:
        inventory: which tags are entities and components.

    Example:
        >>> from graphscore.formats.entities.inventories import QUAERO
        >>> reader = LineReader(QUAERO)
        >>> tagged = "le <func.ind><kind> maire </kind> de Lyon </func.ind> *euh"
        >>> line = reader.parsed(tagged)
        >>> line.words
        ['le', 'maire', 'de', 'Lyon', '*euh']
        >>> for each in line.elements:
        ...     print(each.name, each.kind, each.first, each.end, each.parent)
        func.ind entity 1 4 None
        kind component 1 2 0
        >>> reader.parsed("<kind> a </name> </kind>").flaws[0]
        Flaw(position=9, found='</name>', expected='</kind>, or no tag')
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
                flaws.append(Flaw(piece.start(), f"<{_shorten(content)}>", tag))
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
        for unclosed in stack:
            name = unclosed.tag.name
            flaws.append(Flaw(unclosed.position, f"<{name}>", f"</{name}>{OPEN}"))
        flaws.sort(key=lambda flaw: flaw.position)
        return Line(
            words, [element for element in elements if element is not None], flaws
        )

    def _broken(self, word: str, position: int) -> Flaw | None:
        """Return the flaw of a word that has a bracket, if it looks like a tag."""
        if word[0] == "<" and word[1:2] and (word[1].isalpha() or word[1] in "/!?"):
            return Flaw(position, repr(_shorten(word)), "a tag that ends in >")
        match = _TAG_WITHOUT_BEGINNING.fullmatch(word)
        if match is not None and self._inventory.kind_of(match[1]) is not None:
            return Flaw(position, repr(_shorten(word)), "a tag that begins with <")
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


def _shorten(text: str) -> str:
    return text if len(text) <= SHOWN else text[:SHOWN] + "..."


class Decoder:
    """Decodes the lines of one file.

    The corpora of QUAERO are in ISO-8859-15, what tools write today in UTF-8, and
    neither says so.  The first lines decide for the file as a whole; a later line that
    does not go with them is an error, not a line of wrong letters.

    Args:
        lines: the first lines of it.

    Attributes:
        encoding: the encoding of the file, ``None`` as long as every line was ASCII.

    Example:
        >>> decoder = Decoder([b"le maire", "contr\u00f4leurs".encode("iso-8859-15")])
        >>> decoder.encoding, decoder.text("d\u00e9cident".encode("iso-8859-15"))
        ('iso-8859-15', 'd\u00e9cident')
        >>> decoder.text("d\u00e9cident".encode())[:2]
        (1, 'bytes of UTF-8')
    """

    def __init__(self, lines: Iterable[bytes]) -> None:
        votes = {True: 0, False: 0}
        for line in lines:
            if not line.isascii():
                votes[_is_utf_8(line)] += 1
        self.encoding: str | None = None
        if any(votes.values()):
            # What is UTF-8 by chance is rare; one good line outweighs a bad one.
            self.encoding = UTF_8 if votes[True] >= votes[False] else LATIN_9

    def text(self, line: bytes) -> str | Flaw:
        """A line as text, or why it is none.

        Args:
            line: the line without its end.
        """
        if b"\0" in line:
            expected = "text in UTF-8 or ISO-8859-15"
            return Flaw(line.index(b"\0"), "a NUL byte", expected)
        if line.isascii():
            return line.decode("ascii")
        if self.encoding is None:
            self.encoding = UTF_8 if _is_utf_8(line) else LATIN_9
        if self.encoding == UTF_8:
            try:
                return line.decode()
            except UnicodeDecodeError as error:
                result = "bytes that are not UTF-8"
                return Flaw(error.start, result, "UTF-8, as before")
        expected = "ISO-8859-15, as before"
        if _is_utf_8(line):
            first = next(k for k, byte in enumerate(line) if byte > 0x7F)
            return Flaw(first, "bytes of UTF-8", expected)
        match = _UNPRINTABLE.search(line)
        if match is not None:
            result = f"the byte 0x{match[0][0]:02x}, which is not a letter"
            return Flaw(match.start(), result, expected)
        return line.decode(LATIN_9)


def _is_utf_8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def reader_with(inventory: Inventory) -> Reader:
    """The reader under an inventory of tags.

    Args:
        inventory: which tags are entities and which components.
    """

    def read(stream: BinaryIO, name: str) -> Iterator[Record]:
        lines = bounded_lines(stream, LONGEST_LINE)
        window: list[tuple[int, bytes]] = []
        size = 0
        for number, raw in lines:
            window.append((number, raw))
            size += len(raw)
            if len(window) >= WINDOW_LINES or size >= WINDOW_BYTES:
                break
        decoder = Decoder(raw for _, raw in window)
        parser = LineReader(inventory)
        above = None
        # Blank lines at the beginning change nothing, in no format.
        rest = (each for each in chain(window, lines) if each[1].strip())
        ahead: deque[tuple[int, bytes]] = deque()
        while True:
            row = ahead.popleft() if ahead else next(rest, None)
            if row is None:
                break
            number, raw = row
            above = number - 1 if above is None else above
            record = _record(parser, decoder, name, number, raw, number - above)
            if isinstance(record, Rejected) and _is_open(record):
                ahead += islice(rest, MOST_LINES - 1 - len(ahead))
                over_lines = _over_lines(parser, decoder, [raw, *(x for _, x in ahead)])
                if over_lines is not None:
                    line, after = over_lines
                    for _ in range(after - 1):
                        ahead.popleft()
                    graph = _graph(record.item, line, decoder.encoding)
                    record = ReadGraph(number, graph)
            yield record

    return read


def _is_open(record: Rejected) -> bool:
    """Return whether all problems of a line are tags that are not closed in it."""
    ends = [(problem.expected or "").endswith(OPEN) for problem in record.problems]
    return bool(ends) and all(ends)


def _over_lines(
    parser: LineReader, decoder: Decoder, rows: Sequence[bytes]
) -> tuple[Line, int] | None:
    """The first lines of some whose tags are closed together, and how many they are.

    Returns:
        Nothing where anything else is wrong with any of them.
    """
    whole, left = "", 0
    for number, raw in enumerate(rows, 1):
        text = decoder.text(raw.removesuffix(b"\n").removesuffix(b"\r"))
        if isinstance(text, Flaw) or len(whole) + len(text) > LONGEST_LINE:
            return None
        whole += f" {text}" if whole else text
        # Lines are taken apart together only where their tags may be closed by now.
        left += len(_OPENING.findall(text)) - text.count("</")
        if left <= 0:
            line = parser.parsed(whole)
            return None if line.flaws else (line, number)
    return None


def _record(
    parser: LineReader, decoder: Decoder, name: str, number: int, raw: bytes, item: int
) -> Record:
    draft = RecordBuilder(name, number, raw, framework=ETREE, item=str(item))
    if too_long(raw, LONGEST_LINE):
        draft.text(raw, number, LONGEST_LINE, "a sentence")
        return draft.rejected()
    text = decoder.text(raw.removesuffix(b"\n").removesuffix(b"\r"))
    if isinstance(text, Flaw):
        draft.add("", text.found, text.expected, text.position + 1)
        return draft.rejected()
    line = parser.parsed(text)
    column, seen = 1, 0
    for position, found, expected in line.flaws:
        column += len(text[seen:position].encode(decoder.encoding or UTF_8))
        seen = position
        draft.add("", found, expected, column)
    if line.flaws or not line.words:
        return draft.rejected()
    return ReadGraph(number, _graph(draft.item, line, decoder.encoding))


def _graph(item: str, line: Line, encoding: str | None) -> Graph:
    text, tokens = join_tokens(line.words)
    build = TreeBuilder()
    for name, kind, first, end, parent, properties in line.elements:
        anchors = (Anchor(tokens[first].start, tokens[end - 1].end),)
        add = build.entity if kind == ENTITY else build.component
        add(name, anchors, parent=parent, properties=properties)
    extra = {ENCODING: LATIN_9} if encoding == LATIN_9 else None
    return build.graph(item, text=text, tokens=tokens, extra=extra)


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file whose tags are those of QUAERO."""
    return reader_with(QUAERO)(stream, name)


def reader_of(graphs: Sequence[Graph]) -> Reader:
    """The reader of what is written of graphs, whose tags are those of some guide.

    Args:
        graphs: lines.
    """
    types, components = set(QUAERO.types), set(QUAERO.components)
    for graph in graphs:
        for node in graph.nodes:
            is_component = (KIND, COMPONENT) in node.properties
            (components if is_component else types).add(str(node.label))
    return reader_with(Inventory(frozenset(types), frozenset(components)))


WIDEST_GAP = 1000
"""Limit of blank lines written for items that are absent."""


class _Piece(NamedTuple):
    """Output of a node, and its words."""

    first: int
    last: int
    ordinal: int
    node: Node
    tags: list[str]
    """Its opening tags."""
    names: list[str]
    """Names of these tags."""


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs, a line each, in UTF-8.

    An entity with a literal type is written as two entities around the same words:
    this is how the guide of QUAERO writes metonymy.

    Args:
        graphs: of the framework ``etree``.  One whose id is a number comes as many
            lines below the first one as its number says, after blank lines, if these
            are at most 1,000.

    Yields:
        Lines.

    Raises:
        GraphscoreError: for another framework.

    Example:
        >>> build = TreeBuilder()
        >>> org = build.entity("org.adm", [Anchor(0, 5)], literal="loc.adm.town")
        >>> _ = build.component("name", [Anchor(0, 5)], parent=org)
        >>> graph = build.graph("1", text="Paris", tokens=(Anchor(0, 5),))
        >>> print(b"".join(write([graph])).decode(), end="")
        <org.adm> <loc.adm.town> <name> Paris </name> </loc.adm.town> </org.adm>
    """
    number: int | None = None
    for graph in graphs:
        check_framework(graph, (ETREE,), "text with inline tags")
        with naming(graph):
            line = _line(graph)
        item = whole_number(graph.id)
        if number is None:
            # Blank lines above the first one would not be counted.
            number = item or 1
        gap = 0 if item is None else item - number
        gap = gap if 0 <= gap <= WIDEST_GAP else 0
        yield b"\n" * gap + f"{line}\n".encode()
        number += gap + 1


def _line(graph: Graph) -> str:
    spans = TokenSpans(graph)
    listed = [_piece(spans, *node) for node in enumerate(graph.nodes)]
    listed.sort(key=lambda piece: (piece.first, -piece.last, piece.ordinal))
    pieces = deque(listed)
    parents = {edge.target: edge.source for edge in graph.edges}
    written: list[str] = []
    stack: list[_Piece] = []
    scopes: list[NodeId | None] = [None]
    for index, form in enumerate(spans.forms):
        while pieces and pieces[0].first == index:
            piece = pieces.popleft()
            if parents.get(piece.node.id) != scopes[-1]:
                # Between tags, the edge would come back that is not there.
                found = f"a node {piece.node.id!r} within {scopes[-1]!r}"
                raise InvalidGraphError(found, "a child of the entity right around it")
            is_entity = kind_of(piece.node) == ENTITY
            scopes.append(piece.node.id if is_entity else scopes[-1])
            stack.append(piece)
            written += piece.tags
        written.append(form)
        while stack and stack[-1].last == index:
            written += [f"</{name}>" for name in reversed(stack.pop().names)]
            scopes.pop()
    return " ".join(written)


def _piece(spans: TokenSpans, ordinal: int, node: Node) -> _Piece:
    kind = kind_of(node)
    first, last = spans.of(node)
    names = ["" if node.label is None else str(node.label)]
    attributes = ""
    for key, value in node.properties:
        if key == KIND:
            continue
        if key == LITERAL and kind == ENTITY and len(names) == 1:
            names.append(str(value))
            continue
        attributes += f' {LINK if key == AUTHORITY else key}="{value}"'
    tags = [f"<{names[0]}{attributes}>", *(f"<{name}>" for name in names[1:])]
    return _Piece(first, last, ordinal, node, tags, names)
