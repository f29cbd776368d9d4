r"""Raw sentences for formats that have none, and tokens found again in them.

Many formats know a sentence only as tokens, in the spelling of the Penn Treebank:
quotation marks as ```` `` ```` and ``''``, brackets as ``-LRB-``, slashes escaped.
What is anchored to such tokens can be compared with what is anchored to the raw
sentence only when the tokens are found in it.  Readers need not know: they give
tokens and no text of their own (tokens joined by blanks), and a table of sentences
(:class:`Texts`) moves the anchors.

>>> anchor_tokens(["``", "Either\\/or", "''", "--", "Inc.", "."], 'He: "Either/or"')
Mismatch(token=0, form='``', position=0)
>>> anchor_tokens(["``", "Either\\/or", "''", "--", "Inc.", "."], '"Either/or" – Inc.')
... # doctest: +NORMALIZE_WHITESPACE
(Anchor(start=0, end=1), Anchor(start=1, end=10), Anchor(start=10, end=11),
 Anchor(start=12, end=13), Anchor(start=14, end=18), Anchor(start=17, end=18))
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from graphscore.exceptions import InputError, Problem, amount
from graphscore.formats.shared.records import text_of
from graphscore.formats.source import BOM, problem
from graphscore.model.graph import Anchor, Edge, Graph, Node
from graphscore.model.ids import id_rule
from graphscore.model.joined_tokens import FORMS, forms_of, only_joined

_ALIKE: tuple[tuple[str, ...], ...] = (
    ("``", "''", '"', "“", "”", "„", "«", "»"),
    ("`", "'", "‘", "’", "‚"),
    ("---", "--", "—", "–", "-", "@-@"),
    ("...", ". . .", "…"),
    ("-LRB-", "("),
    ("-RRB-", ")"),
    ("-LSB-", "["),
    ("-RSB-", "]"),
    ("-LCB-", "{"),
    ("-RCB-", "}"),
    ("\\/", "/", "@/@"),
    ("\\*", "*"),
    (":", "@:@"),
)
"""Spellings of which a token may have one and the raw sentence another."""

_SPELLINGS = {spelling: group for group in _ALIKE for spelling in group}

_PIECE = re.compile(
    "|".join(map(re.escape, sorted(_SPELLINGS, key=len, reverse=True)))
    + r"|(?P<blank>\s+)|(?P<other>.)",
    re.DOTALL,
)
_VISIBLE = re.compile(r"\S")


class Mismatch(NamedTuple):
    """A token that the text does not continue with."""

    token: int
    """Number of the token, from 0."""
    form: str
    """The token."""
    position: int
    """The first visible character of the text after the token before."""


@lru_cache(maxsize=1 << 16)
def _pattern(form: str) -> re.Pattern[str]:
    """Every spelling of a token; its own before the others."""
    pieces = []
    for piece in _PIECE.finditer(form):
        if piece["blank"]:
            pieces.append(r"\s+")
        elif piece["other"]:
            pieces.append(re.escape(piece[0]))
        else:
            pieces.append(f"(?:{'|'.join(map(re.escape, _SPELLINGS[piece[0]]))})")
    return re.compile("".join(pieces))


def anchor_tokens(forms: Sequence[str], text: str) -> tuple[Anchor, ...] | Mismatch:
    """Find tokens in a text, one after the other, with nothing left out between them.

    Args:
        forms: the tokens, in their order.
        text: the raw sentence.

    Returns:
        The range of each token, or the first token that is not there.  A full stop
        that an abbreviation has used up already is found again in it.
    """
    anchors: list[Anchor] = []
    position = 0
    for index, form in enumerate(forms):
        visible = _VISIBLE.search(text, position)
        start = visible.start() if visible else len(text)
        if text.startswith(form, start):
            end = start + len(form)
        elif match := _pattern(form).match(text, start):
            end = match.end()
        elif form == "." and position and text[position - 1] == ".":
            start, end = position - 1, position
        else:
            return Mismatch(index, form, start)
        anchors.append(Anchor(start, end))
        position = end
    return tuple(anchors)


@dataclass(frozen=True)
class Texts:
    """Raw sentences by item.

    Args:
        path: where they come from.
        sentences: the sentence of each item.

    Example:
        >>> texts = Texts("raw.txt", {"20003008": "Dogs bark!"})
        >>> texts.sentence("nw.wsj_0003.8"), texts.sentence("20003009")
        ('Dogs bark!', None)
    """

    path: str
    sentences: Mapping[str, str]
    digest: str = ""
    """Fingerprint of the table."""
    _known: dict[str, str] = field(init=False, default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        rule = id_rule("wsj")
        for item, sentence in self.sentences.items():
            self._known.setdefault(rule(item), sentence)

    def sentence(self, item: str) -> str | None:
        """The sentence of an item, under its own id or another one of known shape."""
        sentence = self.sentences.get(item)
        return self._known.get(id_rule("wsj")(item)) if sentence is None else sentence

    def wanted_by(self, graph: Graph) -> bool:
        """Return whether a graph refers to characters without a text of its own."""
        if graph.text:
            return only_joined(graph)
        return bool(graph.tokens) or any(node.anchors for node in graph.nodes)

    def given_to(
        self, graph: Graph, file: str, line: int | None = None
    ) -> Graph | tuple[Problem, ...]:
        """The graph with its raw sentence as text, its anchors moved to it.

        A graph that has a text of its own stays as it is, and so does one whose item
        is not in the table.

        Args:
            graph: as a reader gave it.
            file: where it was read.
            line: its line.

        Returns:
            The graph, or why its anchors cannot be moved.
        """
        if graph.text and not only_joined(graph):
            return graph
        sentence = self.sentence(graph.id)
        if sentence is None:
            return graph
        wrong = _Wrong(file, line, f"{self.path}, {graph.id}", sentence)
        return (
            _move_anchors(graph, wrong) if graph.text else _check_anchors(graph, wrong)
        )


@dataclass
class _Wrong:
    """Problems of one graph with its sentence."""

    file: str
    line: int | None
    source: str
    sentence: str
    problems: list[Problem] = field(default_factory=list)

    def add(self, where: str, found: str, expected: str) -> None:
        expected = f"{expected} ({self.source})"
        self.problems.append(
            Problem(self.file, self.line, None, where, found, expected)
        )


def _check_anchors(graph: Graph, wrong: _Wrong) -> Graph | tuple[Problem, ...]:
    """Character ranges are kept where they are; they must be within the sentence."""
    length = len(wrong.sentence)

    def check(anchor: Anchor, where: str) -> Anchor:
        if anchor.end > length:
            found = f"{anchor.start}:{anchor.end}"
            wrong.add(where, found, f"a range within {amount(length, 'character')}")
        return anchor

    for token in graph.tokens:
        check(token, "tokens")
    _with_anchors(graph, check)
    if wrong.problems:
        return tuple(wrong.problems)
    return msgspec.structs.replace(graph, text=wrong.sentence)


def _move_anchors(graph: Graph, wrong: _Wrong) -> Graph | tuple[Problem, ...]:
    """Ranges of joined tokens become ranges of the sentence."""
    forms = forms_of(graph)
    result = anchor_tokens(forms, wrong.sentence)
    if isinstance(result, Mismatch):
        rest = wrong.sentence[result.position :]
        remainder = repr(rest[:20]) if rest else "the end"
        wrong.add(
            f"token {result.token + 1}",
            repr(result.form),
            f"{remainder} at character {result.position} of the sentence",
        )
        return tuple(wrong.problems)
    pairs = list(zip(graph.tokens, result, strict=True))
    starts = {old.start: new.start for old, new in pairs}
    ends = {old.end: new.end for old, new in pairs}

    def move(anchor: Anchor, where: str) -> Anchor:
        start, end = starts.get(anchor.start), ends.get(anchor.end)
        if start is None or end is None:
            wrong.add(where, f"{anchor.start}:{anchor.end}", "a range of whole tokens")
            return anchor
        return Anchor(start, end)

    nodes, edges = _with_anchors(graph, move)
    if wrong.problems:
        return tuple(wrong.problems)
    extra = graph.extra
    if any(
        wrong.sentence[a:b] != form for (a, b), form in zip(result, forms, strict=True)
    ):
        extra = extra | {FORMS: forms}
    return msgspec.structs.replace(
        graph, text=wrong.sentence, tokens=result, nodes=nodes, edges=edges, extra=extra
    )


def _with_anchors(
    graph: Graph, change: Callable[[Anchor, str], Anchor]
) -> tuple[tuple[Node, ...], tuple[Edge, ...]]:
    """Nodes and edges with every anchor changed."""
    replace = msgspec.structs.replace
    nodes = tuple(
        replace(
            node, anchors=tuple([change(a, f"node {node.id}") for a in node.anchors])
        )
        if node.anchors
        else node
        for node in graph.nodes
    )
    edges = tuple(
        replace(edge, anchors=tuple([change(a, "edge") for a in edge.anchors]))
        if edge.anchors
        else edge
        for edge in graph.edges
    )
    return nodes, edges


def read_texts(path: str) -> Texts:
    """A table of sentences: an item's id, a tab, its sentence.

    Args:
        path: a UTF-8 file, one sentence to a line.

    Raises:
        InputError: if it cannot be read; all bad lines are listed.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise problem(path, f"a table that cannot be read ({error.strerror})") from None
    sentences: dict[str, str] = {}
    problems = []

    def bad(line: int, found: str, expected: str) -> None:
        problems.append(Problem(path, line, None, "", found, expected))

    for number, raw in enumerate(data.removeprefix(BOM).split(b"\n"), 1):
        text = text_of(raw, path, number)
        if isinstance(text, Problem):
            problems.append(text._replace(column=None))
            continue
        line = text.removesuffix("\r")
        item, tab, sentence = line.partition("\t")
        item = item.strip()
        if not line.strip():
            continue
        if not tab or not item:
            bad(number, repr(line[:40]), "an id, a tab and a sentence")
        elif sentences.setdefault(item, sentence) != sentence:
            bad(number, f"{item!r} with another sentence", "one sentence for each id")
    if problems:
        raise InputError(problems)
    return Texts(path, sentences, hashlib.blake2b(data, digest_size=16).hexdigest())
