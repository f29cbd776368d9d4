r"""CoNLL-2009: dependency trees and semantic roles, fourteen columns and more.

A line for each word: ID, FORM, LEMMA, PLEMMA, POS, PPOS, FEAT, PFEAT, HEAD, PHEAD,
DEPREL, PDEPREL, FILLPRED, PRED, and one column for each predicate (Hajič et al.
2009, section 4.1).  PRED marks predicates, whatever FILLPRED says; ``_`` and ``-``
are nothing; a word with several roles has them with ``|`` between.

A sentence is one graph of the framework ``srl``, in the layout of
:mod:`graphscore.structures.roles`.  There is no text, so the text is the words
joined by one blank; there are no ids, so items are numbered.  HEAD and DEPREL are the
properties ``head`` and ``deprel`` of the words' nodes, what a parser said ``phead`` and
``pdeprel``; all other columns are kept as lines in ``extra``.

>>> import io
>>> block = b"1\tDogs\t_\t_\t_\t_\t_\t_\t2\t2\tSBJ\tSBJ\t_\t_\tA0|A1\n" + (
...     b"2\tbark\t_\t_\t_\t_\t_\t_\t0\t0\tROOT\tROOT\tY\tbark.01\t_\n")
>>> [record] = read(io.BytesIO(block), "a.conll09")
>>> [edge.label for edge in record.graph.edges], record.graph.nodes[0].properties[1]
(['A0', 'A1'], ('head', 2))
>>> [record] = read(io.BytesIO(block.replace(b"\t0\t0", b"\t0\t5")), "a.conll09")
>>> print(record.notes[0].problem)
a.conll09:2:22: PHEAD: found '5', expected 0 or the id of a word
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import BinaryIO

from graphscore.formats.base import Record
from graphscore.formats.roles.layout import (
    Roles,
    head_based_graph,
    token_properties,
    tokens_of,
)
from graphscore.formats.roles.writing import (
    Kept,
    add_roles,
    form_of,
    rewritten,
    words_of,
    write_sentences,
)
from graphscore.formats.shared.columns import (
    CACHED,
    Block,
    Lines,
    blocks,
    without_tail,
)
from graphscore.model.graph import Graph, Pairs, Value
from graphscore.model.joined_tokens import join_tokens
from graphscore.structures.roles.reading import sentence_of
from graphscore.structures.roles.sentence import HEAD, RELATION, SRL

COLUMNS = (
    *("ID", "FORM", "LEMMA", "PLEMMA", "POS", "PPOS", "FEAT", "PFEAT"),
    *("HEAD", "PHEAD", "DEPREL", "PDEPREL", "FILLPRED", "PRED"),
)

LINES = "conll2009"
"""In ``extra`` of a graph: the sentence as the file has it."""

PREDICTED_HEAD, PREDICTED_RELATION = "phead", "pdeprel"
"""Properties of words: what a parser said."""

SAID = (HEAD, PREDICTED_HEAD, RELATION, PREDICTED_RELATION)
"""Properties of words in the order of their columns, the first of which is HEAD."""

NOTHING = frozenset({"_", "-"})
"""Chinese data has dashes."""

PREDICTED = "a predicted head that is none"
"""Note on a word whose PHEAD names no word."""

_TREE = slice(8, 12)
_HEAD, _PHEAD = 8, 9
_PRED = 13


class Reader:
    """Reads the sentences of one file; remembers its relations.

    Args:
        name: the file's name, for problems.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.properties = lru_cache(maxsize=CACHED)(_properties)

    def sentence(self, line: int, raw: Lines) -> Record:
        """The record of one sentence."""
        sentence = Sentence(self, line, raw)
        return sentence.record(sentence.graph())


def _properties(columns: tuple[str, ...]) -> Pairs:
    """Properties of a word.

    Args:
        columns: HEAD, PHEAD, DEPREL and PDEPREL; heads are known to be numbers.
    """
    head, predicted, relation, predicted_relation = columns
    pairs: list[tuple[str, Value]] = [*token_properties(head, relation)]
    if predicted != "_":
        pairs.append((PREDICTED_HEAD, int(predicted)))
    if predicted_relation != "_":
        pairs.append((PREDICTED_RELATION, predicted_relation))
    return tuple(pairs)


class Sentence(Block):
    """The state of reading one sentence, and everything that is wrong with it."""

    def __init__(self, reader: Reader, line: int, raw: Lines) -> None:
        super().__init__(reader.name, line, raw, SRL)
        self.reader = reader
        self.rows: list[list[str]] = []
        self.row_lines: list[int] = []

    def cell(self, row: int, column: int, found: str, expected: str) -> None:
        """Note a problem of a cell; row and column are counted from 0."""
        last = column - _PRED
        where = COLUMNS[column] if last < 1 else f"APRED{last}"
        self.at(self.row_lines[row], column, where, found, expected)

    def graph(self) -> Graph | None:
        """The graph, if nothing is wrong."""
        rows = self.rows
        for number, line in enumerate(self.lines):
            if line.startswith("#") and "\t" not in line:
                continue
            cells = line.split("\t") if "\t" in line else line.split()
            rows.append(without_tail(cells, len(COLUMNS)))
            self.row_lines.append(number)
        if self.problems:
            return None
        if not rows:
            self.add("", "comments without words", "words after comments")
        if not rows or not self.even(rows, self.row_lines, len(COLUMNS)):
            return None
        columns = list(zip(*rows, strict=True))
        roles = self._roles(columns)
        heads = {"_", *map(str, range(len(rows) + 1))}
        tree = list(zip(*columns[_TREE], strict=True))
        for row, word in enumerate(tree):
            if word[1] not in heads:
                self.cell(row, _PHEAD, repr(word[1]), "0 or the id of a word")
                self.pass_over(PREDICTED)
                tree[row] = (word[0], "_", *word[2:])
            if columns[0][row] != str(row + 1):
                self.cell(row, 0, repr(columns[0][row]), str(row + 1))
            if word[0] not in heads:
                self.cell(row, _HEAD, repr(word[0]), "0 or the id of a word")
            if not rows[row][1]:
                self.cell(row, 1, "nothing", "a word")
        if self.problems:
            return None
        text, ranges = join_tokens(columns[1])
        properties = self.reader.properties
        words = tokens_of(columns[1], ranges, [properties(word) for word in tree])
        extra = {LINES: "\n".join(self.lines)}
        return head_based_graph("", "", text, ranges, words, roles, extra)

    def _roles(self, columns: list[tuple[str, ...]]) -> list[Roles]:
        """The predicates and their arguments."""
        senses = columns[_PRED]
        predicates = [k for k, sense in enumerate(senses) if sense not in NOTHING]
        columns = columns[len(COLUMNS) :]
        if len(predicates) != len(columns):
            found = f"{len(predicates)} predicates"
            expected = f"{len(columns)}, as there are {len(columns) + 14} columns"
            self.at(self.row_lines[0], None, "", found, expected)
            return []
        found_roles = []
        for count, (row, cells) in enumerate(zip(predicates, columns, strict=True), 1):
            pieces: list[tuple[str, int]] = []
            for k, cell in enumerate(cells):
                if cell not in NOTHING:
                    if "|" not in cell and cell:
                        pieces.append((cell, k))
                        continue
                    labels = cell.split("|")
                    if "" in labels:
                        expected = "labels with | between"
                        self.cell(k, _PRED + count, repr(cell), expected)
                    pieces += [(label, k) for label in labels]
            found_roles.append(Roles(senses[row], row, pieces))
        return found_roles


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file, in order."""
    reader = Reader(name)
    for line, raw in blocks(stream):
        yield reader.sentence(line, raw)


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs as CoNLL-2009.

    Args:
        graphs: of the framework ``srl``, with words as nodes and roles at heads.

    Yields:
        Sentences.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    read = Reader("").sentence
    return write_sentences(
        graphs, "CoNLL-2009", lambda graph: rewritten(graph, LINES, read, _lines)
    )


def _lines(graph: Graph, before: Kept | None) -> Iterable[str]:
    nodes = words_of(graph)
    sentence = sentence_of(graph)
    if before is not None:
        rows = [line.split("\t")[:8] for line in before.lines if "\t" in line]
    else:
        rows = [[str(k), form_of(node), *"______"] for k, node in enumerate(nodes, 1)]
    for row, node in zip(rows, nodes, strict=True):
        properties = dict(node.properties)
        for name in SAID:
            value = properties.get(name)
            row.append("_" if value is None else str(value))
    add_roles(rows, range(len(rows)), sentence)
    return map("\t".join, rows)
