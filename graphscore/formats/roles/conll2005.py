r"""CoNLL-2004 and CoNLL-2005: spans of arguments as brackets (``props``).

A line for each word: the word, the lemma if it is a predicate (``-`` if not), and a
column of brackets for each predicate (Carreras and Màrquez 2005, section 2).  Words may
be missing, and so may lemmas; or words stand in a file of their own, one to a line,
beside it: ``test.words`` beside ``test.props``, or in a folder ``words`` beside the
folder of the file.

What stands before the brackets is told by the file, not by each sentence: the words, if
there is a column of its own for them, and the targets, the lemma of each predicate at
its word and ``-`` elsewhere.  Where there are no targets a predicate is where its ``V``
is.

A sentence is one graph of the framework ``srl``, in the layout of
:mod:`graphscore.structures.roles`.  There are no ids, so items are numbered.

>>> import io
>>> data = b"Dogs  -     (A0*)\nbark  bark  (V*)\n\n"
>>> [record] = read(io.BytesIO(data), "a.props")
>>> [(edge.label, edge.target) for edge in record.graph.edges], record.graph.text
([('A0', 'p1.1'), ('V', 'p1.2')], 'Dogs bark')
>>> [record] = read(io.BytesIO(data.replace(b"(V*)", b"(V* ")), "a.props")
>>> print(record.problems[0])
a.props:2:13: column 3: found an unmatched '(V', expected ) further down
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO, NamedTuple

from graphscore.exceptions import InputError, Problem, amount
from graphscore.formats.base import Record, Rejected
from graphscore.formats.roles.layout import Spans, cells_of, span_based_graph, spans_of
from graphscore.formats.roles.writing import (
    ends_of,
    forms_of_words,
    kept_lines,
    write_sentences,
)
from graphscore.formats.shared.columns import Block, Lines, blocks
from graphscore.formats.shared.records import bytes_before
from graphscore.formats.source import COMPRESSED, open_lines, stem_of
from graphscore.model.graph import Graph
from graphscore.model.joined_tokens import join_tokens
from graphscore.structures.roles.reading import sentence_of
from graphscore.structures.roles.sentence import SRL, VERB

_CELL = re.compile(r"\S+")

LOOKED_AT = 200
"""Sentences from whose columns it is told what they are."""

LINES = "conll2005"
"""In ``extra`` of a graph: the sentence as the file has it."""

WORDS = "words"
"""In ``extra`` of a graph: whether its words were in a file of their own."""

NOTHING = "-"
"""Cell of a word that is no target."""

UNKNOWN = "_"
"""A word that the file does not have."""


class Columns(NamedTuple):
    """Columns before the brackets in every line of a file."""

    before: int
    """Number of columns."""
    words: bool
    """The first one is the words."""
    targets: bool
    """The last one is the targets."""


def columns_of(sentences: Sequence[list[list[str]]]) -> Columns:
    """Detect the columns of a file from its first sentences.

    Args:
        sentences: their columns, none of a file that has none.
    """
    if not sentences:
        return Columns(0, False, False)
    before: Counter[int] = Counter()
    plain: Counter[int] = Counter()
    for rows in sentences:
        width = min(map(len, rows))
        brackets = _brackets(rows, width)
        (before if brackets else plain)[width - brackets] += 1
    count = max(before or plain, key=lambda size: ((before or plain)[size], -size))
    votes = 0
    for rows in sentences:
        width = min(map(len, rows))
        column = [row[count - 1] for row in rows] if 0 < count <= width else [""]
        brackets = width - count
        named = len(column) - column.count(NOTHING)
        # A file without targets has none of these; a broken one still has most.
        votes += 1 if named == brackets and (NOTHING in column or brackets) else -1
        votes += 1 if 2 * column.count(NOTHING) > len(column) else 0
    targets = count > 0 and votes > 0
    return Columns(count, count > targets, targets)


def _brackets(rows: list[list[str]], width: int) -> int:
    """Return the number of bracket columns at the end; a word may be a star."""
    count = 0
    # A cell that is broken is one still.
    while count < width and all("*" in row[width - 1 - count] for row in rows):
        count += 1
    stars = count and all(row[width - count] == "*" for row in rows)
    return count - 1 if count == width and stars and len(rows) == 1 else count


class Reader:
    """Reads the sentences of one file.

    Args:
        name: the file's name, for problems.
        columns: what stands before the brackets.
        apart: whether words stand in a file of their own.
    """

    def __init__(self, name: str, columns: Columns, apart: bool = False) -> None:
        self.name, self.columns, self.apart = name, columns, apart

    def sentence(self, line: int, raw: Lines) -> Record:
        """The record of one sentence."""
        return self.record(Sentence(self.name, line, raw))

    def record(
        self, sentence: Sentence, words: Block | Problem | None = None
    ) -> Record:
        """The record of the lines of a sentence.

        Args:
            sentence: the lines.
            words: its words if they stand in another file, or why there are none.
        """
        if isinstance(words, Problem):
            sentence.problems.append(words)
            words = None
        elif words is not None:
            sentence.problems += words.problems
        graph = None if sentence.problems else sentence.graph(self, words)
        return sentence.record(graph)


@lru_cache(maxsize=8)
def _starts(line: str) -> list[int]:
    """Return the offsets of the cells of a line, in characters."""
    return [cell.start() for cell in _CELL.finditer(line)]


class Sentence(Block):
    """The state of reading one sentence."""

    def __init__(self, name: str, line: int, raw: Lines) -> None:
        super().__init__(name, line, raw, SRL)
        self.rows = [text.split() for text in self.lines]

    def cell(self, row: int, column: int, found: str, expected: str) -> None:
        """Note a problem of a cell, blanks between; row and column are from 0."""
        line = self.lines[row]
        byte = bytes_before(line, _starts(line)[column]) + 1
        self.add(f"column {column + 1}", found, expected, byte, self.line + row)

    def graph(self, reader: Reader, words_block: Block | None) -> Graph | None:
        """The graph, if nothing is wrong.

        Args:
            reader: the reader of its file.
            words_block: its words, if they stand in another file.
        """
        rows, known = self.rows, reader.columns
        self.even(rows, range(len(rows)), known.before)
        words = None
        if words_block is not None:
            words = [row[0] for row in map(str.split, words_block.lines) if row]
            if len(words) != len(rows):
                where = f"{words_block.name}:{words_block.line}"
                expected = f"{len(words)}, as there are so many words at {where}"
                self.add("", f"{len(rows)} lines", expected)
        if self.problems:
            return None
        columns = list(zip(*rows, strict=True))
        if words is None:
            words = list(columns[0]) if known.words else [UNKNOWN] * len(rows)
        roles = self._roles(columns, known)
        if roles is None:
            return None
        text, ranges = join_tokens(words)
        extra: dict[str, object] = {LINES: "\n".join(self.lines)}
        if reader.apart:
            extra[WORDS] = True
        return span_based_graph("", "", text, ranges, roles, extra)

    def _roles(
        self, columns: list[tuple[str, ...]], known: Columns
    ) -> list[Spans] | None:
        """The predicates and their arguments, in the order of the columns."""
        before, _, with_targets = known
        brackets = columns[before:]
        targets: list[int | None] = [None] * len(brackets)
        lemmas: tuple[str, ...] = ()
        if with_targets:
            lemmas = columns[before - 1]
            predicates = [k for k, lemma in enumerate(lemmas) if lemma != NOTHING]
            if len(predicates) != len(brackets):
                expected = f"{len(brackets)}, as there are so many columns of brackets"
                self.add("", amount(len(predicates), "target"), expected)
                return None
            targets = list(predicates)
        roles = []
        for count, (column, target) in enumerate(zip(brackets, targets, strict=True)):
            spans, broken = spans_of(column)
            for row, found, expected in broken:
                self.cell(row, before + count, found, expected)
            first = last = target
            verbs = [span for span in spans if span[0] == VERB]
            if target is None:
                if not verbs:
                    expected = f"a span {VERB}, as there is no column of targets"
                    self.cell(0, before + count, "no predicate", expected)
                    continue
                _, first, last = verbs[0]
            if first is not None and last is not None:
                label = lemmas[first] if with_targets else None
                # What stands after a dot is no sense here.
                lemma = label if label and "." in label else None
                roles.append(Spans(label, first, last, spans, lemma))
        return None if self.problems else roles


def words_paths(path: str) -> list[str]:
    """Return the possible paths of the words of a file.

    >>> words_paths("wsj/props/test.props.gz")[::5]
    ['wsj/props/test.words', 'wsj/words/test.words']
    """
    own = Path(path).with_name(stem_of(path) + ".words")
    sibling = own.parent.parent / "words" / own.name
    return [f"{path_}{end}" for path_ in (own, sibling) for end in ("", *COMPRESSED)]


def words_beside(path: str) -> list[str]:
    """The file of the words of a file, if it is there."""
    if path.startswith("<") or not Path(path).name:
        return []
    own = str(Path(path))
    return [
        words_path
        for words_path in words_paths(path)
        if words_path != own and Path(words_path).is_file()
    ][:1]


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file, in order."""
    sentences = (Sentence(name, line, raw) for line, raw in blocks(stream))
    first = list(islice(sentences, LOOKED_AT))
    columns = columns_of([sentence.rows for sentence in first if not sentence.problems])
    words_files = [] if columns.words else words_beside(name)
    reader = Reader(name, columns, bool(words_files))
    every = chain(first, sentences)
    if not words_files:
        yield from map(reader.record, every)
        return
    with ExitStack() as stack:
        try:
            words = blocks(stack.enter_context(open_lines(words_files[0])))
            for sentence in every:
                block = next(words, None)
                if block is None:
                    found = f"no sentence for line {sentence.line} of {name}"
                    expected = "the words of every sentence"
                    problem = Problem(words_files[0], None, None, "", found, expected)
                    yield reader.record(sentence, problem)
                else:
                    yield reader.record(sentence, Block(words_files[0], *block))
            if more := next(words, None):
                found = "words of a further sentence"
                expected = f"as many sentences as in {name}"
                problem = Problem(words_files[0], more[0], None, "", found, expected)
                yield Rejected(more[0], (problem,), b"".join(more[1]), SRL)
        except InputError as error:
            yield Rejected(1, tuple(error.problems), b"", SRL)


def write(graphs: Iterable[Graph]) -> Iterator[bytes]:
    """Write graphs with words, targets and columns.

    Args:
        graphs: of the framework ``srl``, with the spans of arguments.

    Yields:
        Sentences.

    Raises:
        GraphscoreError: for another framework.
        InvalidGraphError: for a graph that cannot be laid out.
    """
    return write_sentences(graphs, "CoNLL-2005", _lines)


def _lines(graph: Graph) -> Iterator[str]:
    lines = graph.extra.get(LINES)
    if isinstance(lines, str) and lines.strip() and graph.extra.get(WORDS) is not True:
        rows = [line.split() for line in lines.split("\n")]
        reader = Reader("", columns_of([rows]))
        source = kept_lines(graph, LINES, reader.sentence)
        if source is not None and source.same:
            yield from source.lines
            return
    sentence = sentence_of(graph)
    forms = forms_of_words(graph, sentence)
    targets = [NOTHING] * len(forms)
    columns: dict[int, list[str]] = {}
    for proposition in sentence.propositions:
        word = proposition.place
        if not 0 <= word < len(forms):
            continue  # the predicate of no word
        targets[word] = proposition.lemma or forms[word]
        spans = [(piece.label, *ends_of(piece)) for piece in proposition.pieces]
        columns[word] = cells_of(spans, len(forms))
    before = [targets] if set(forms) == {UNKNOWN} else [forms, targets]
    ordered = [columns[word] for word in sorted(columns)]
    for row in zip(*before, *ordered, strict=True):
        yield "\t".join(row)
