r"""Fields of sentences with semantic roles that a format cannot hold.

Every format keeps its own lines; of those of another one, only words, tree and roles
are in the graph, and not each format holds all of these.

>>> import io
>>> from graphscore.formats.roles.conllu_srl import read
>>> lines = (b"# sent_id = a\n1\tDogs\tdog\t_\t_\t_\t2\tnsubj\t_\t_\tA0\n"
...          b"2\tbark\tbark\t_\t_\t_\t0\troot\tY\tbark.01\t_\n")
>>> [record] = read(io.BytesIO(lines), "a.conllu")
>>> in_conllu_srl(record.graph), in_up(record.graph)
((), ('other columns',))
>>> in_conll2009(record.graph), in_conll2005(record.graph)
(('ids', 'other columns'), ('ids', 'senses', 'trees', 'other columns'))
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from graphscore.formats.roles import conll2005, conll2009, conllu_srl, up
from graphscore.formats.roles.conllu_srl_layout import layout_of, shape_of
from graphscore.formats.shared.conllu_columns import (
    GLOBAL,
    NEW_DOCUMENT,
    columns_of,
    comment_parts,
)
from graphscore.model.graph import Graph
from graphscore.structures.layout import ARGUMENT, PREDICATE, TOKEN, first_of, nodes_of
from graphscore.structures.roles.sentence import HEAD, LEMMA, lemma_of

Lost = tuple[str, ...]
"""Descriptions of lost fields."""

_NOTHING = "_-"
_DOCUMENT = (NEW_DOCUMENT, "newdoc")
_SAID = ("sent_id", "text", *_DOCUMENT, GLOBAL)
"""Comments that are in the graph, or in no graph."""

_KEYS = (conllu_srl.LINES, up.LINES, conll2009.LINES, conll2005.LINES)
"""Keys of ``extra`` of a graph for the lines of each format."""

_IN_GRAPH = (0, 1, 6, 7)
"""Indexes of the columns of CoNLL-U that are in the graph, of ten."""

_CONLL2009 = (*range(2, 8), 9, 11)
"""Columns of CoNLL-2009 that are in its lines only; other formats have no PHEAD."""

_RANGE = re.compile(r"\d+-\d+", re.ASCII)


def in_conllu_srl(graph: Graph) -> Lost:
    """List the fields of a graph that CoNLL-U with columns of roles cannot hold."""
    return tuple(_document_and_lines(graph, conllu_srl.LINES))


def in_up(graph: Graph) -> Lost:
    """List the fields of a graph that Universal PropBank 2 cannot hold."""
    return tuple(_document_and_lines(graph, up.LINES))


def in_conll2009(graph: Graph) -> Lost:
    """List the fields of a graph that CoNLL-2009 cannot hold."""
    own = conll2009.LINES
    return (*_names(graph), *_document_and_lines(graph, own))


def in_conll2005(graph: Graph) -> Lost:
    """List the fields of a graph that CoNLL-2005 cannot hold."""
    result = list(_names(graph))
    for node in nodes_of(graph, PREDICATE):
        lemma = first_of(node.properties, LEMMA)
        implied = lemma_of(str(node.label)) if lemma is None else lemma
        if node.label is not None and node.label != implied:
            result.append("senses")
            break
    for kind, name in ((TOKEN, "trees"), (ARGUMENT, "heads of arguments")):
        heads = (first_of(node.properties, HEAD) for node in nodes_of(graph, kind))
        if any(head is not None for head in heads):
            result.append(name)
    return (*result, *_document_and_lines(graph, conll2005.LINES))


def _names(graph: Graph) -> Iterator[str]:
    if graph.id:
        yield "ids"
    words = [graph.text[start:end] for start, end in graph.tokens]
    if words and graph.text != " ".join(words):
        yield "texts"


def _document_and_lines(graph: Graph, own: str) -> Iterator[str]:
    """Documents, and what is in lines of another format only."""
    if own in graph.extra:
        return
    comments, rows, columns = _lines_of(graph)
    # Without a word about it in the lines, a document is called like the file.
    begins = {comment_parts(line)[0] for line in comments} & {*_DOCUMENT}
    if begins or (graph.document and not any(key in graph.extra for key in _KEYS)):
        yield "documents"
    if any(comment_parts(line)[0] not in _SAID for line in comments):
        yield "comments"
    if any(_RANGE.fullmatch(row[0]) for row in rows):
        yield "multiword tokens"
    if any(row[column] not in _NOTHING for row in rows for column in columns):
        yield "other columns"


def _lines_of(graph: Graph) -> tuple[list[str], list[list[str]], Sequence[int]]:
    """Comments and rows as they were read, and the columns that are in these only."""
    key = next((key for key in _KEYS if isinstance(graph.extra.get(key), str)), None)
    if key is None:
        return [], [], ()
    lines = [line for line in graph.extra[key].split("\n") if line.strip()]
    if key == conll2005.LINES:
        rows = [line.split() for line in lines]
        columns = conll2005.columns_of([rows])
        return [], rows, range(columns.words, columns.before - columns.targets)
    comments = [line for line in lines if line.startswith("#") and "\t" not in line]
    rows = [
        line.split("\t") if "\t" in line else line.split()
        for line in lines
        if line not in comments
    ]
    if key == conll2009.LINES:
        return comments, rows, _CONLL2009
    if key == up.LINES:
        declared = columns_of(str(graph.extra.get(up.DECLARED)))
        if declared is None:
            return comments, [], ()
        known = {declared.ten[index] for index in _IN_GRAPH} | {*declared.roles}
        names = range(len(declared.names))
        return comments, rows, [index for index in names if index not in known]
    rows = [*map(shape_of(rows).fitted, rows)]
    layout = layout_of(rows, None)[0]
    long = layout is not None and layout.base == 10 and not layout.misc
    return comments, rows, range(2, 6) if not long else (*range(2, 6), 8, 9)
