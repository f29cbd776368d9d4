r"""The grammar of PENMAN: brackets with a variable, a concept and roles.

A paragraph of comments and one whole graph, as nearly all are, is taken apart by a
single expression, bracket by bracket.  Whatever it does not match is left to the
splitter of :mod:`graphscore.formats.meaning.amr.records`, and then read token by token
(:func:`tree_of`), to say what is wrong.

>>> block = plain_block(1, b"# ::id 1\n(b / bark-01 :ARG0 (d / dog))")
>>> block.comments, [node.label for node in block.nodes], block.edges[0].label
(['# ::id 1'], ['bark-01', 'dog'], 'ARG0')
>>> plain_block(1, b"(b / bark-01")
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, BinaryIO, NamedTuple

from graphscore.formats.meaning.amr.layout import default_quotes, unquote
from graphscore.formats.meaning.amr.records import (
    BLANKS,
    DEEPEST,
    ID,
    LONGEST_LINE,
    NAMED,
    PenmanRecord,
    Splitter,
)
from graphscore.formats.shared.paragraphs import paragraphs
from graphscore.model.graph import Edge, Node
from graphscore.model.normalize import implied_normal

SHARED = 1 << 14
"""Number of different words of graphs that are cached."""

_BLANK = r"[ \t\r\n\v\f]*+"
# As penman has them, but that none goes on in the next line or begins a comment.
_ALIGNMENT = r"~(?:[a-z]\.?)?[0-9]++(?:,[0-9]++)*+"
_SYMBOL = r'(?!\#)[^ \t\r\n\v\f"()/:~]++'
_STRING = r'"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"'
_WORD = rf"(?:{_SYMBOL}|{_STRING})(?:{_ALIGNMENT})?"
_ROLE = r':[^ \t\r\n\v\f"()/:~]*+'
_PIECE = re.compile(
    rf"{_BLANK}(?:(?:({_ROLE})((?:{_ALIGNMENT})?){_BLANK})?+"
    rf"(?:\({_BLANK}({_SYMBOL})(?:{_BLANK}/{_BLANK}({_WORD}))?|({_WORD}))"
    rf"{_BLANK}(\)[ \t\r\n\v\f)]*+|)|(\S(?s:.*)))"
)
_COMMENTS = re.compile(r"(?:[ \t\r\v\f]*+#[^\n]*+\n)*+")
_TOKEN = re.compile(
    r'(?P<comment>#.*)|(?P<string>"[^"\\]*+(?:\\.[^"\\]*+)*+")|(?P<open>\()|(?P<close>\))'
    rf"|(?P<slash>/)|(?P<role>{_ROLE})|(?P<symbol>{_SYMBOL})"
    rf"|(?P<alignment>{_ALIGNMENT})|(?P<other>[^ \t\r\n\v\f])"
)
_SHOWN = re.compile(r'"[^"]*"?|[()/]|[^\s()/]+')
_TARGET = "a variable, a constant or a graph in brackets"

Branch = tuple[str, str, str, str, bool]
"""A variable, a role and its alignment, what it leads to, whether that is a bracket."""

Unusual = tuple[int, str, str, bool]
"""A property by its place, the alignments of its value and of its role, and whether
the value stood in quotation marks, where any of that is not as it usually is."""

Tree = tuple[dict[str, str], list[Branch]]
"""The concepts of the variables, and what follows from them, in their order."""


class Block(NamedTuple):
    """A graph and the comments above it."""

    line: int
    """Its first line."""
    comments: list[str]
    """Comment lines as they stand, without the blanks around them."""
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    top: str


class Word(NamedTuple):
    """A concept or a constant."""

    value: str
    alignment: str = ""
    quoted: bool = False
    """It stood in quotes."""
    odd_concept: bool = False
    """Quotes, or none, are unusual of a concept like this."""
    odd_constant: bool = False
    """Likewise of a constant."""


@lru_cache(SHARED)
def word(text: str) -> Word:
    """What a concept or a constant says.

    Args:
        text: as it is written, with its alignment.

    >>> word('"5~6"~e.1')[:3], word("dog").odd_constant
    (('5~6', 'e.1', True), True)
    """
    value, alignment, quoted = text, "", False
    if text[0] == '"':
        end = text.rindex('"')
        value, alignment, quoted = unquote(text[: end + 1]), text[end + 2 :], True
    elif "~" in text:
        value, _, alignment = text.partition("~")
    concept, constant = default_quotes(value, (("", value),))
    return Word(value, alignment, quoted, quoted != concept, quoted != constant)


@lru_cache(SHARED)
def role(text: str) -> tuple[str, str | None]:
    """The label of an edge, of a role with its colon, and that of the other direction.

    >>> role(":ARG0-of"), role(":quant")
    (('ARG0-of', 'ARG0'), ('quant', None))
    """
    return text[1:], implied_normal(text[1:])


def edge(
    source: str, target: str, labels: tuple[str, str | None], marked: str, mention: str
) -> Edge:
    """An edge, with its alignments in ``extra``.

    Args:
        source: a variable.
        target: another one.
        labels: what :func:`role` says.
        marked: the alignment of the role.
        mention: the alignment of the target, if that is only mentioned.
    """
    extra: list[tuple[str, Any]] = []
    if marked:
        extra.append(("alignment", marked))
    if mention:
        extra.append(("target_alignment", mention))
    return Edge(source, target, *labels, (), None, (), tuple(extra))


def blocks(stream: BinaryIO, name: str) -> Iterator[Block | PenmanRecord]:
    """The graphs of a file.

    Args:
        stream: its bytes.
        name: its name, for problems.

    Yields:
        Blocks, and records for whatever is none, in file order.
    """
    return paragraphs(stream, LONGEST_LINE, plain_block, Splitter(name))


def plain_block(first: int, lines: bytes) -> Block | None:
    """The graph of some lines.

    Args:
        first: the number of the first one.
        lines: their bytes, none of them blank.

    Returns:
        The graph; ``None`` if they are anything but comments and one graph.
    """
    try:
        text = lines.decode()
    except UnicodeDecodeError:
        return None
    comments = _COMMENTS.match(text)
    start = comments.end() if comments else 0
    above = [line.strip(BLANKS) for line in text[:start].split("\n")[:-1]]
    # Other graphs may begin with a bracket in the first column, or with an id.
    if text.find("\n(", start) >= 0 or _named_again(above):
        return None
    tree = _tree(text, start)
    if tree is None:
        return None
    return Block(first, above, *graph_of(*tree), next(iter(tree[0])))


def _named_again(comments: list[str]) -> bool:
    """Return whether an id stands below the comment that names an item already."""
    ids = [index for index, comment in enumerate(comments) if ID.match(comment)]
    return bool(ids) and any(map(NAMED.match, comments[: ids[-1]]))


def _tree(text: str, start: int) -> Tree | None:
    """The tree of one whole graph; ``None`` for anything else."""
    concepts: dict[str, str] = {}
    branches: list[Branch] = []
    path: list[str] = []
    source = ""
    pieces = _PIECE.findall(text, start)
    for name, marked, variable, concept, constant, behind, _ in pieces:
        if variable:
            # What is defined twice may have two concepts; only the first bracket has
            # no role.
            if variable in concepts or bool(name) != bool(path) or len(path) >= DEEPEST:
                return None
            if name:
                branches.append((source, name, marked, variable, True))
            elif concepts:
                return None
            concepts[variable] = concept
            path.append(source)
            source = variable
        elif path and constant and name:
            branches.append((source, name, marked, constant, False))
        else:
            return None
        if behind:
            closed = behind.count(")")
            if closed > len(path):
                return None
            source = path[-closed]
            del path[-closed:]
    return None if path or not concepts else (concepts, branches)


class _SyntaxError(Exception):
    """A token that cannot stand where it does."""


class _Token(NamedTuple):
    kind: str
    text: str
    line: int
    """Its line among those of the graph, from 0."""
    position: int


def tree_of(record: PenmanRecord) -> Tree | None:
    """The tree of a record, which may be one without nodes.

    Args:
        record: its lines; what is wrong with them is noted there.

    Returns:
        ``None`` if anything is.
    """
    reader = _Reader(record.lines)
    try:
        reader.read()
    except _SyntaxError as error:
        token, expected = error.args
        shown = _SHOWN.match(record.lines[token.line], token.position)
        found = repr(shown[0][:40]) if shown else "the end of the line"
        record.problem(token.line, token.position, found, expected)
        return None
    for token, found, expected in reader.wrong or reader.untargeted:
        record.problem(token.line, token.position, found, expected)
    return None if record.problems else (reader.concepts, reader.branches)


class _Reader:
    """Reads the tokens of a graph one by one.

    Args:
        lines: its lines.
    """

    def __init__(self, lines: list[str]) -> None:
        self.tokens = [
            _Token(match.lastgroup or "", match[0], index, match.start())
            for index, line in enumerate(lines)
            for match in _TOKEN.finditer(line)
        ]
        last = self.tokens[-1]
        end = last.position + len(last.text)
        self.tokens.append(_Token("end", "", last.line, end))
        self.at = 0
        self.concepts: dict[str, str] = {}
        self.branches: list[Branch] = []
        self.path: list[str] = []
        """The variables of the brackets that are open."""
        self.wrong: list[tuple[_Token, str, str]] = []
        """Problems of variables and concepts: token, found, expected."""
        self.untargeted: list[tuple[_Token, str, str]] = []
        """Roles that lead nowhere, which are told where nothing else is wrong."""

    def read(self) -> None:
        """Read the first graph.

        Raises:
            _SyntaxError: with the token at which it goes wrong, and what is expected.
        """
        self._bracket("", "")
        while self.path:
            if self._next("close"):
                self._take()
                self.path.pop()
                continue
            role = self._take("role", "a role")
            marked = self._take().text if self._next("alignment") else ""
            if self._next("symbol", "string"):
                source = self.path[-1]
                self.branches.append((source, role.text, marked, self._word(), False))
            elif self._next("open"):
                self._bracket(role.text, marked)
            elif self._next("role", "close"):
                found = f"'{role.text}' without a target"
                self.untargeted.append((role, found, _TARGET))
            else:
                self._take("open", _TARGET)

    def _next(self, *kinds: str) -> bool:
        return self.tokens[self.at].kind in kinds

    def _take(self, kind: str = "", expected: str = "") -> _Token:
        """The next token, which must be of a kind, if one is said."""
        token = self.tokens[self.at]
        if kind and token.kind != kind:
            ended = "Unexpected end of input"
            raise _SyntaxError(token, ended if token.kind == "end" else expected)
        self.at += 1
        return token

    def _word(self) -> str:
        """A concept or a constant, and its alignment."""
        word = self._take().text
        return word + self._take().text if self._next("alignment") else word

    def _bracket(self, role: str, marked: str) -> None:
        """An opening bracket, its variable and its concept."""
        opened = self._take("open", "a graph in brackets")
        if self._next("close"):
            if self.path:
                found = "a bracket without a variable"
                self.wrong.append((opened, found, "a variable"))
            self.path.append("")
            return
        variable = self._take("symbol", "a name").text
        if role:
            self.branches.append((self.path[-1], role, marked, variable, True))
        self.path.append(variable)
        concept = self.concepts.setdefault(variable, "")
        if not self._next("slash"):
            return
        slash = self._take()
        if not self._next("symbol", "string"):
            self.wrong.append((slash, "nothing after '/'", "a concept"))
            return
        self.concepts[variable] = self._word()
        if concept:
            found = f"variable {variable!r} with a concept a second time"
            self.wrong.append((opened, found, "each variable with one concept"))


def graph_of(
    concepts: dict[str, str], branches: list[Branch]
) -> tuple[tuple[Node, ...], tuple[Edge, ...]]:
    """The nodes and edges of a tree, whose constants go to the nodes."""
    properties: dict[str, list[tuple[str, str]]] = {}
    unusual: dict[str, list[Unusual]] = {}
    edges: list[Edge] = []
    for source, name, marked, target, nested in branches:
        mention = ""
        if not nested:
            target, mention, quoted, _, odd = word(target)
            if quoted or target not in concepts:
                pairs = properties.get(source)
                if pairs is None:
                    pairs = properties[source] = []
                if odd or mention or marked:
                    more = len(pairs), mention, marked[1:], quoted
                    unusual.setdefault(source, []).append(more)
                pairs.append((role(name)[0], target))
                continue
        if marked or mention:
            edges.append(edge(source, target, role(name), marked[1:], mention))
        else:
            edges.append(Edge(source, target, *role(name)))
    nodes = []
    for variable, concept in concepts.items():
        value, alignment, quoted, odd, _ = word(concept) if concept else NO_CONCEPT
        label = value if concept else None
        values = tuple(properties.get(variable, ()))
        if alignment or odd or variable in unusual:
            others = unusual.get(variable, [])
            extra = _extra(label, alignment, quoted, values, others)
            nodes.append(Node(variable, label, values, (), extra))
        else:
            nodes.append(Node(variable, label, values))
    return tuple(nodes), tuple(edges)


NO_CONCEPT = Word("")
"""What stands in for the concept of a variable that has none."""


def _extra(
    label: str | None,
    alignment: str,
    quoted: bool,
    properties: tuple[tuple[str, str], ...],
    unusual: list[Unusual],
) -> tuple[tuple[str, Any], ...]:
    """What the plain values of a node do not say.

    Args:
        label: its label.
        alignment: that of its label.
        quoted: whether that stood in quotation marks.
        properties: its properties.
        unusual: those of them that have more to say.
    """
    quotes = default_quotes(label, properties)
    usual = [*quotes]
    quotes[0] = quoted
    alignments: list[str | None] = [None] * len(properties)
    roles = alignments.copy()
    for slot, mention, marked, constant_quoted in unusual:
        alignments[slot], roles[slot] = mention or None, marked or None
        quotes[slot + 1] = constant_quoted
    extra: list[tuple[str, Any]] = []
    if alignment:
        extra.append(("alignment", alignment))
    if any(alignments):
        extra.append(("alignments", alignments))
    if any(roles):
        extra.append(("role_alignments", roles))
    if quotes != usual:
        extra.append(("quotes", quotes))
    return tuple(extra)
