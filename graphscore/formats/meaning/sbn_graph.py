"""The graph of box notation, from the words of its lines.

>>> build = Build([Said(1, ["dog.n.01", "Time", "now"], ())], lambda *said: None,
...               lambda *said: None)
>>> [(node.id, node.label) for node in build.nodes]
[('b0', 'box'), ('s0', 'sense'), ('c0', 'now')]
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain, islice
from typing import NamedTuple

from graphscore.model.graph import Anchor, Edge, Node
from graphscore.structures.discourse import RELATIONS

BOX, SENSE, MEMBER = "box", "sense", "member"
"""Labels of boxes and senses, and of the edge from one to the other."""

WRITTEN = "written"
"""What constants and relations keep in ``extra``: themselves, or their index, as they
are written."""

HEADER = "header"
"""What graphs keep in ``extra``: comment lines that stand before the first sense."""

LEMMA = re.compile(r"(\S+)\.([nvars])\.(\d+)")
"""A sense: its lemma, part of speech and number."""

INVERTED = frozenset(
    {"InstanceOf", "AttributeOf", "ColourOf", "ContentOf", "PartOf", "SubOf"}
)
"""Roles that are read the other way round, as ud-boxer has them."""

ROLE = re.compile(r"[A-Z][A-Za-z0-9-]*")
_INDEX = re.compile(r"[+-]\d{1,6}")
_BOX_INDEX = re.compile(r"[<>]\d{1,6}")

LeaveOut = Callable[[str, str, str, int], None]

Outside = Callable[[str, str, int], None]


class Said(NamedTuple):
    """A line without its comment, and the words that it comes from."""

    number: int
    words: list[str]
    anchors: tuple[Anchor, ...]


class Build:
    """Nodes and edges of a document, word by word.

    Args:
        lines: what is said, line by line.
        leave_out: takes the place, what was found, what was expected and the line of
            what the rest does without.
        outside: takes a role with its index that leads to no sense, and so is a
            constant, as for ud-boxer; what was expected, and the line.
    """

    def __init__(
        self, lines: list[Said], leave_out: LeaveOut, outside: Outside
    ) -> None:
        self.leave_out, self.outside = leave_out, outside
        self.nodes = [Node("b0", BOX)]
        self.edges: list[Edge] = []
        self.boxes, self.senses, self.constants = 1, 0, 0
        self.total = sum(self._is_sense(word) for said in lines for word in said.words)
        boxes = sum(
            each in RELATIONS or bool(_BOX_INDEX.fullmatch(after))
            for said in lines
            for each, after in zip(said.words, [*said.words[1:], ""], strict=True)
        )
        self.last_box = boxes
        for said in lines:
            self._line(said)

    def _is_sense(self, word: str) -> bool:
        return not word.startswith('"') and bool(LEMMA.fullmatch(word))

    def _wrong(self, said: Said, word: str, found: str, expected: str) -> None:
        """Leave a role, a relation or a stray word out: the rest does without."""
        self.leave_out(word[:60], found, expected, said.number)

    def _line(self, said: Said) -> None:
        words = iter(said.words)
        ahead: list[str] = []
        for word in chain.from_iterable(iter(lambda: _next(ahead, words), [])):
            if self._is_sense(word):
                self._sense(word, said)
                continue
            if not ROLE.fullmatch(word):
                found = repr(word[:60])
                self._wrong(said, word, found, "a sense, a role or a relation")
                continue
            target = next(words, None)
            if target is None or self._is_sense(target):
                self._wrong(said, word, "nothing after it", "an index or a constant")
                if target is not None:
                    ahead.append(target)
                continue
            if _BOX_INDEX.fullmatch(target) or word in RELATIONS:
                self._box(word, target, said)
            else:
                self._role(word, target, said)

    def _sense(self, word: str, said: Said) -> None:
        lemma, pos, number = word.rsplit(".", 2)
        name = f"s{self.senses}"
        self.senses += 1
        properties = (("lemma", lemma), ("pos", pos), ("sense", number))
        self.nodes.append(Node(name, SENSE, properties, said.anchors))
        self.edges.append(Edge(f"b{self.boxes - 1}", name, MEMBER))

    def _box(self, relation: str, index: str, said: Said) -> None:
        expected = "the box that it follows, such as -1 or <1"
        if not _BOX_INDEX.fullmatch(index) and not _INDEX.fullmatch(index):
            self._wrong(said, relation, repr(index), expected)
            return
        away = int(index[1:])
        other = self.boxes + (away if index[0] in ">+" else -away)
        if not 0 <= other <= self.last_box or not away:
            self._wrong(said, relation, f"{index!r}, which is no box", expected)
            return
        name = f"b{self.boxes}"
        self.boxes += 1
        self.nodes.append(Node(name, BOX))
        self.edges.append(
            Edge(
                f"b{other}",
                name,
                relation,
                anchors=said.anchors,
                extra=((WRITTEN, index),),
            )
        )

    def _role(self, role: str, target: str, said: Said) -> None:
        if not self.senses:
            self._wrong(said, role, "no sense before it", "a sense, such as dog.n.01")
            return
        source = f"s{self.senses - 1}"
        normal = role.removesuffix("Of") if role in INVERTED else None
        if _INDEX.fullmatch(target):
            place = self.senses - 1 + int(target)
            if 0 <= place < self.total:
                self.edges.append(Edge(source, f"s{place}", role, normal))
                return
            here = self.senses - 1
            expected = f"an index from {-here:+} to {self.total - 1 - here:+}"
            self.outside(f"{role} {target}"[:60], expected, said.number)
        name = f"c{self.constants}"
        self.constants += 1
        label = target
        if len(target) > 2 and target[0] == target[-1] and target[0] in "\"'":
            label = target[1:-1]
        self.nodes.append(Node(name, label, extra=((WRITTEN, target),)))
        self.edges.append(Edge(source, name, role, normal))


def _next(ahead: list[str], words: Iterator[str]) -> list[str]:
    """One more word: what was looked at before, else the next one."""
    return [ahead.pop()] if ahead else list(islice(words, 1))
