"""One sentence of CoNLL-U with columns of semantic roles, on its way to a graph.

After the columns of CoNLL-U come FLAG (``Y`` for a predicate), its sense, and one
column for each predicate, in the order of the words, with the labels of argument
heads.  Universal PropBank 1 puts FLAG and sense in place of DEPS and MISC, others
behind all ten columns; which of the two is told by the number of predicates.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from graphscore.errors import Problem
from graphscore.formats.base import Read, Record, Rejected
from graphscore.formats.column_blocks import Block
from graphscore.formats.conllu_sentence import COLUMNS, NEW_DOCUMENT, comment_parts
from graphscore.formats.conllu_text import anchored, joined
from graphscore.formats.role_layout import KIND_OF_TOKEN, Roles, headed, joined_words
from graphscore.graph import Anchor, Graph, Node, NodeId, Pairs
from graphscore.structures.roles import EMPTY, HEAD, RELATION, SRL

LINES = "conllu-srl"
"""In ``extra`` of a graph: the sentence as the file has it."""

Base = Literal[8, 10]
"""How many columns of CoNLL-U come before FLAG."""

FLAG = "Y"
"""What marks a predicate."""

NOTHING = "_"

_HEAD, _DEPREL = 6, 7
_RANGE = re.compile(r"([1-9]\d{0,8})-([1-9]\d{0,8})", re.ASCII)
_EMPTY = re.compile(r"(0|[1-9]\d{0,8})\.([1-9]\d{0,8})", re.ASCII)


class Reader:
    """Reads the sentences of one file; remembers its document and its tags.

    Args:
        name: the file's name, for problems.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.document = ""
        self.base: Base | None = None
        """Where the last sentence that says so had its flags."""
        self._properties: dict[tuple[str, str], Pairs] = {}

    def sentence(self, block: Block) -> Record:
        """The record of one sentence."""
        return _Sentence(self, block).record()

    def properties(self, head: str, relation: str) -> Pairs:
        """Properties of a word; its head is known to be a number or nothing."""
        key = head, relation
        known = self._properties.get(key)
        if known is None:
            pairs: list[tuple[str, str | int]] = [KIND_OF_TOKEN]
            if head != NOTHING:
                pairs.append((HEAD, int(head)))
            if relation != NOTHING:
                pairs.append((RELATION, relation))
            known = self._properties[key] = tuple(pairs)
        return known


class _Sentence:
    """The state of reading one sentence, and everything that is wrong with it."""

    def __init__(self, reader: Reader, block: Block) -> None:
        self.reader, self.block = reader, block
        self.problems: list[Problem] = [block.problem] if block.problem else []
        self.item = ""
        self.text: str | None = None
        self.rows: list[list[str]] = []
        self.row_lines: list[int] = []
        self.numbers: list[int] = []
        """The number of each row's word; 0 for multiword tokens."""
        self.multiword: dict[int, int] = {}
        self.words = 0

    def add(self, line: int, column: int | None, found: str, expected: str) -> None:
        """Note a problem.

        Args:
            line: number of the line within the sentence, from 0.
            column: number of the column from 0, ``None`` for the whole line.
            found: what stands there.
            expected: what should.
        """
        where, place = "", None
        if column is not None:
            where = self._called(column)
            before = self.block.lines[line].split("\t")[:column]
            place = sum(len(each.encode()) + 1 for each in before) + 1
        line += self.block.line
        name = self.reader.name
        self.problems.append(Problem(name, line, place, where, found, expected))

    def _called(self, column: int) -> str:
        base = self.reader.base or 8
        if column < base:
            return COLUMNS[column]
        return {0: "FLAG", 1: "SENSE"}.get(column - base, f"ARG{column - base - 1}")

    def record(self) -> Record:
        """The graph, or what is wrong."""
        if not self.problems:
            self._lines()
        graph = None
        if not self.problems:
            base = self._base()
            if base:
                # Sentences without predicates do not say where flags would be.
                if len(self.rows[0]) > 10:
                    self.reader.base = base
                roles = self._roles(base)
                graph = None if self.problems else self._graph(roles)
        if self.problems or graph is None:
            self.problems.sort(key=lambda each: (each.line or 0, each.column or 0))
            problems = tuple(self.problems)
            block = self.block
            return Rejected(block.line, problems, block.raw, SRL, self.item)
        return Read(self.block.line, graph)

    def _lines(self) -> None:
        """Take comments and columns, and check what words are called."""
        width = inside = 0
        rows, numbers = self.rows, self.numbers
        for number, line in enumerate(self.block.lines):
            if line.startswith("#"):
                if rows:
                    found = "a comment between words"
                    self.add(number, None, found, "comments before the words")
                else:
                    self._comment(line)
                continue
            row = line.split("\t")
            width = width or len(row)
            if len(row) != width or width < 10 or "" in row:
                self._misshapen(number, row, width)
                # It is a word for all that; the next one has the next number.
                self.words += row[0] == str(self.words + 1)
                continue
            name = row[0]
            if name == str(self.words + 1):
                self.words += 1
                numbers.append(self.words)
            elif match := _RANGE.fullmatch(name):
                first, last = int(match[1]), int(match[2])
                if first != self.words + 1 or last < first or self.words < inside:
                    expected = f"a range of words that begins with {self.words + 1}"
                    self.add(number, 0, repr(name), expected)
                self.multiword[len(rows)] = inside = last
                numbers.append(0)
            elif (match := _EMPTY.fullmatch(name)) and int(match[1]) == self.words:
                numbers.append(-1)
            else:
                self.add(number, 0, repr(name), f"the id {self.words + 1}")
                self.words += 1
                numbers.append(self.words)
            rows.append(row)
            self.row_lines.append(number)
        if not rows and not self.problems:
            found = "comments without words"
            self.add(0, None, found, "words after comments")
        if inside > self.words and not self.problems:
            at = self.row_lines[max(self.multiword)]
            found = f"a token up to word {inside}"
            self.add(at, 0, found, f"at most the last word, {self.words}")
        self._number_empty()

    def _number_empty(self) -> None:
        """Number empty nodes on after the last word; each has a name of its own."""
        count, seen = self.words, set()
        for k, number in enumerate(self.numbers):
            if number == -1:
                count += 1
                self.numbers[k] = count
                name = self.rows[k][0]
                if name in seen:
                    found = f"two empty nodes {name!r}"
                    self.add(self.row_lines[k], 0, found, "one of each id")
                seen.add(name)

    def _comment(self, line: str) -> None:
        key, value = comment_parts(line)
        if key == "sent_id" and value is not None:
            self.item = self.item or value
        elif key == "text" and value is not None:
            self.text = value if self.text is None else self.text
        elif key == NEW_DOCUMENT and value is not None:
            self.reader.document = value
        elif key == "newdoc":
            self.reader.document = ""

    def _misshapen(self, number: int, row: list[str], width: int) -> None:
        if len(row) == width and width >= 10:
            column = row.index("")
            self.add(number, column, "nothing", "a value, or _ for none")
            return
        found = f"{len(row)} column{'' if len(row) == 1 else 's'}"
        expected = "ten or more columns with tabs between"
        if width >= 10:
            expected = f"{width} columns, as in the first line of the sentence"
        self.add(number, None, found, expected)

    def _base(self) -> Base | None:
        """How many columns come before FLAG, if the numbers of predicates fit one."""
        width = len(self.rows[0])
        fitting: list[Base] = []
        counts: dict[Base, int] = {}
        for base in (8, 10):
            if width >= base + 2:
                flags = [row[base] for row in self.rows]
                counts[base] = flags.count(FLAG)
                plain = counts[base] + flags.count(NOTHING) == len(flags)
                if plain and counts[base] == width - base - 2:
                    fitting.append(base)
        if not fitting and width == 10 and not counts[8]:
            # Plain CoNLL-U with DEPS: a sentence without predicates.
            return self.reader.base or 8
        if fitting:
            return self.reader.base if self.reader.base in fitting else fitting[0]
        base = self.reader.base or (10 if counts.get(10) else 8)
        self.reader.base = base
        found = f"{counts.get(base, 0)} words with the flag {FLAG}"
        columns = max(width - base - 2, 0)
        expected = f"{columns}, as there are {width} columns"
        self.add(self.row_lines[0], None, found, expected)
        return None

    def _roles(self, base: Base) -> list[Roles]:
        """The predicates and their arguments; row numbers count all rows."""
        rows = self.rows
        columns = list(zip(*rows, strict=True))
        if len(columns) == 10 and FLAG not in columns[base if base < 10 else 8]:
            return []
        predicates = [k for k, flag in enumerate(columns[base]) if flag == FLAG]
        senses = columns[base + 1]
        found: list[Roles] = []
        for place, row in enumerate(predicates):
            pieces: list[tuple[str, int]] = []
            cells = columns[base + 2 + place]
            for k in [k for k, cell in enumerate(cells) if cell != NOTHING]:
                cell = cells[k]
                if not self.numbers[k]:
                    self._multiword(k, base + 2 + place, cell)
                labels = cell.split("|") if "|" in cell else [cell]
                if "" in labels:
                    line, expected = self.row_lines[k], "labels with | between"
                    self.add(line, base + 2 + place, repr(cell), expected)
                pieces += [(label, k) for label in labels]
            if not self.numbers[row]:
                self._multiword(row, base, FLAG)
            label = senses[row]
            found.append(Roles(None if label == NOTHING else label, row, pieces))
        return found

    def _multiword(self, row: int, column: int, cell: str) -> None:
        expected = "_, as roles belong to the words of a multiword token"
        self.add(self.row_lines[row], column, repr(cell), expected)

    def _anchors(self) -> list[tuple[Anchor, ...]]:
        if not self.multiword and len(self.rows) == self.words:
            text, ranges = joined_words([row[1] for row in self.rows])
            if text == self.text:
                return [(each,) for each in ranges]
        if self.text is None:
            self.text = joined(self.rows, self.multiword)
        found, mismatch = anchored(self.rows, self.multiword, self.text)
        if mismatch is not None:
            line = self.row_lines[mismatch.row]
            self.add(line, 1, mismatch.found, mismatch.expected)
        return found

    def _graph(self, roles: list[Roles]) -> Graph | None:
        anchors = self._anchors()
        if self.problems:
            return None
        heads = _numbers(self.words)
        nodes: list[Node] = []
        properties = self.reader.properties
        for k, row in enumerate(self.rows):
            number = self.numbers[k]
            if not number:
                continue
            head = row[_HEAD]
            if head not in heads:
                line, expected = self.row_lines[k], "0 or the id of a word"
                self.add(line, _HEAD, repr(head), expected)
                continue
            pairs = properties(head, row[_DEPREL])
            id: NodeId = number
            if number > self.words:
                id, pairs = row[0], (*pairs, (EMPTY, True))
            nodes.append(Node(id, row[1], pairs, anchors[k]))
        if self.problems:
            return None
        tokens = tuple(
            [
                node.anchors[0]
                for node in nodes
                if node.anchors and node.id.__class__ is int
            ]
        )
        numbers: Sequence[int] | None = None
        if self.multiword or len(nodes) > self.words:
            # Rows count multiword tokens, nodes do not.
            place = [-1] * len(self.rows)
            kept = [k for k, number in enumerate(self.numbers) if number]
            for position, k in enumerate(kept):
                place[k] = position
            numbers = [self.numbers[k] for k in kept]
            roles = [
                Roles(label, place[word], [(role, place[k]) for role, k in pieces])
                for label, word, pieces in roles
            ]
        return headed(
            self.item,
            self.reader.document,
            self.text or "",
            tokens,
            nodes,
            roles,
            {LINES: self.block.text},
            numbers,
        )


@lru_cache(maxsize=1024)
def _numbers(words: int) -> frozenset[str]:
    """What a head can be in a sentence of so many words."""
    return frozenset((NOTHING, *map(str, range(words + 1))))
