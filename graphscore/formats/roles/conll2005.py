r"""CoNLL-2004 and CoNLL-2005: spans of arguments as brackets (``props``).

A line for each word: the word, the lemma if it is a predicate (``-`` if not), and a
column of brackets for each predicate (Carreras and Màrquez 2005, section 2).  Words may
be missing, and so may lemmas; or words stand in a file of their own, one to a line,
beside it: ``test.words`` beside ``test.props``, or in a folder ``words`` beside the
folder of the file.  :mod:`graphscore.formats.roles.conll2005_sentence` says how it is
told what stands where.

A sentence is one graph of the framework ``srl``, in the layout of
:mod:`graphscore.structures.roles`.  There are no ids, so items are numbered.

>>> import io
>>> data = b"Dogs  -     (A0*)\nbark  bark  (V*)\n\n"
>>> [record] = read(io.BytesIO(data), "a.props")
>>> [(edge.label, edge.target) for edge in record.graph.edges], record.graph.text
([('A0', 'p1.1'), ('V', 'p1.2')], 'Dogs bark')
>>> [record] = read(io.BytesIO(data.replace(b"(V*)", b"(V* ")), "a.props")
>>> print(record.problems[0])
a.props:2:13: column 3: found '(V' that nothing closes, expected ) further down
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO

from graphscore.errors import InputError, InvalidGraphError, Problem
from graphscore.formats.base import Record, Rejected
from graphscore.formats.roles.brackets import Cells, cells_of
from graphscore.formats.roles.conll2005_sentence import (
    LINES,
    NOTHING,
    UNKNOWN,
    WORDS,
    Columns,
    Reader,
    columns_of,
    rows_of,
)
from graphscore.formats.roles.heads_write import clean, ends_of, kept, written
from graphscore.formats.shared.columns import blocks
from graphscore.formats.source import COMPRESSED, open_bytes, stem_of
from graphscore.model.graph import Graph
from graphscore.structures.roles.reading import sentence_of
from graphscore.structures.roles.sentence import SRL, Proposition

LOOKED_AT = 200
"""Sentences from whose columns it is told what they are."""


def words_paths(path: str) -> list[str]:
    """Where the words of a file may be.

    >>> words_paths("wsj/props/test.props.gz")[::5]
    ['wsj/props/test.words', 'wsj/words/test.words']
    """
    own = Path(path).with_name(stem_of(path) + ".words")
    other = own.parent.parent / "words" / own.name
    return [f"{each}{end}" for each in (own, other) for end in ("", *COMPRESSED)]


def beside(path: str) -> list[str]:
    """The file of the words of a file, if it is there."""
    if path.startswith("<") or not Path(path).name:
        return []
    own = str(Path(path))
    return [each for each in words_paths(path) if each != own and Path(each).is_file()][
        :1
    ]


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """The records of a file, in order."""
    cells = Cells()
    sentences = blocks(stream, name)
    first = list(islice(sentences, LOOKED_AT))
    looked = [rows_of(block) for block in first if block.problem is None]
    columns = columns_of(looked) if looked else Columns(0, False, False)
    there = [] if columns.words else beside(name)
    reader = Reader(name, columns, cells, bool(there))
    every = chain(first, sentences)
    if not there:
        for block in every:
            yield reader.sentence(block)
        return
    with ExitStack() as stack:
        try:
            words = blocks(stack.enter_context(open_bytes(there[0])), there[0])
            for block in every:
                other = next(words, None)
                if other is None:
                    found = f"no sentence for line {block.line} of {name}"
                    expected = "the words of every sentence"
                    problem = Problem(there[0], None, None, "", found, expected)
                    yield reader.sentence(block, problem)
                else:
                    said = [row[0] for row in rows_of(other) if row]
                    where = f"{there[0]}:{other.line}"
                    yield reader.sentence(block, other.problem or said, where)
            if more := next(words, None):
                found = "words of a further sentence"
                expected = f"as many sentences as in {name}"
                problem = Problem(there[0], more.line, None, "", found, expected)
                yield Rejected(more.line, (problem,), more.raw, SRL)
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
        InvalidGraphError: for a graph that the format cannot hold.
    """
    return written(graphs, "CoNLL-2005", _lines)


def _lines(graph: Graph) -> Iterator[str]:
    cells = Cells()
    lines = graph.extra.get(LINES)
    if isinstance(lines, str) and lines.strip() and graph.extra.get(WORDS) is not True:
        rows = [line.split() for line in lines.split("\n")]
        reader = Reader("", columns_of([rows]), cells)
        source = kept(graph, LINES, reader.sentence)
        if source is not None and source.same:
            yield from source.lines
            return
    sentence = sentence_of(graph)
    forms = [graph.text[start:end] for start, end in graph.tokens]
    if not forms or sentence.counted != "words" or len(forms) != sentence.size:
        raise InvalidGraphError("a sentence without words", "words with characters")
    targets = [NOTHING] * len(forms)
    columns: dict[int, list[str]] = {}
    for each in sentence.propositions:
        place = each.place
        if place < 0 or place in columns:
            raise InvalidGraphError(
                f"a predicate {each.label!r} without a word of its own",
                "one word for each predicate",
            )
        targets[place] = clean(each.lemma or forms[place])
        columns[place] = _column(each, sentence.size)
    before = [targets] if set(forms) == {UNKNOWN} else [forms, targets]
    ordered = [columns[place] for place in sorted(columns)]
    for row in zip(*before, *ordered, strict=True):
        yield "\t".join(map(clean, row))


def _column(each: Proposition, size: int) -> list[str]:
    """The brackets of a predicate in a sentence of so many words."""
    spans = [(clean(piece.label), *ends_of(piece)) for piece in each.pieces]
    found = cells_of(spans, size)
    if found is None:
        raise InvalidGraphError("spans that cross", "spans that are nested at most")
    return found


__all__ = ["beside", "words_paths"]
