r"""TAC KBP: tables of entity discovery and linking.

The tables of 2009 to 2014 say what each query is linked to, and queries stand in an XML
file of the same name beside them (``gold.tab``, ``gold.xml``)::

    EL14_001  E0423  GPE  1.0        <query id="EL14_001"><name>China</name>
                                     <docid>XIN_0052</docid><beg>2450</beg>...

Those since 2015 say all in one line: run, mention, words, document and characters,
entry, type, type of mention, confidence::

    LDC  EDL_0001  China  XIN_0052:2450-2454  m.0d05w3  GPE  NAM  1.0

Characters are counted with the last one included.  Several rows of the same characters
are one mention, of which the entry with the highest confidence is the first.  A
document is a graph of the framework ``ner`` without a text.

>>> import io
>>> data = b"LDC\tE1\tChina\tx1:5-9\tNIL0042\tGPE\tNAM\t0.5\n"
>>> [record] = read(io.BytesIO(data), "gold.tab")
>>> record.graph.id, record.graph.nodes[0].label, record.graph.nodes[0].anchors
('x1', 'GPE', (Anchor(start=5, end=10),))
>>> [bad] = read(io.BytesIO(b"E1\tE0423\tGPE\n"), "no/such.tab")
>>> print(bad.problems[0])
no/such.tab:1: found no queries beside it, expected no/such.xml
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from graphscore.duplicates import shown
from graphscore.exceptions import Problem, amount
from graphscore.formats.base import Record
from graphscore.formats.entities.neleval import (
    Candidate,
    LinkedDocument,
    number_of,
    table_rows,
)
from graphscore.formats.shared.records import RecordBuilder
from graphscore.formats.shared.xml_root import root_of
from graphscore.formats.source import stem_of
from graphscore.model.graph import Anchor, Value
from graphscore.model.numbers import whole_number

PLACE = re.compile(r"(\S+): ?(\d{1,18}) ?[-\u2013] ?(\d{1,18})")
"""Document, first and last character in the tables since 2015."""

QUERY, MENTION_TYPE, RUN = "query", "mention_type", "run"
"""Properties of mentions: the id of the query, the type of the mention, the run."""

WIDE = 7
"""Smallest number of columns of the tables since 2015."""


class Query(NamedTuple):
    """Query in a row of the older tables."""

    document: str
    words: str | None
    ends: tuple[int, int] | None
    """First and last character; queries before 2012 have none."""


def queries_beside(path: str) -> list[str]:
    """The file of queries beside a table, if it is there."""
    queries = _queries_path(path)
    return [queries] if Path(queries).is_file() else []


def _queries_path(path: str) -> str:
    return str(Path(path).with_name(stem_of(path) + ".xml"))


def read(stream: BinaryIO, name: str) -> Iterator[Record]:
    """Read a table.

    Args:
        stream: the file.
        name: its name, beside which the queries are.

    Yields:
        A record for each document, in the order of their first rows.
    """
    documents: dict[str, LinkedDocument] = {}
    rows: dict[tuple[str, object], tuple[Query, list[Candidate]]] = {}
    queries: dict[str, Query] | Problem | None = None
    said_once = False
    for draft, cells in table_rows(stream, name):
        number = draft.line
        if number == 1 and cells[0] in ("query_id", "query id", "system_run_id"):
            continue
        wide = len(cells) >= WIDE and PLACE.fullmatch(cells[3]) is not None
        if not wide and not draft.problems and queries is None:
            queries = _queries(name)
        if not draft.problems and not wide and isinstance(queries, Problem):
            if queries.file == name and queries.line is None:
                queries = queries._replace(line=number)
            elif said_once:
                # Every row would say the same.
                continue
            said_once = True
            draft.problems.append(queries)
            yield draft.rejected()
            continue
        row = None if draft.problems else _row(cells, wide, queries, draft)
        if row is None:
            yield draft.rejected()
            continue
        query, candidate = row
        document = documents.get(query.document)
        if document is None:
            document = LinkedDocument(name, number, query.document)
            documents[query.document] = document
        document.absorb(draft)
        key = query.document, query.ends or number
        rows.setdefault(key, (query, []))[1].append(candidate)
    for query, candidates in rows.values():
        anchors: tuple[Anchor, ...] = ()
        if query.ends is not None:
            anchors = (Anchor(query.ends[0], query.ends[1] + 1),)
        documents[query.document].link(candidates, anchors, query.words)
    for document in documents.values():
        yield document.records()


Row = tuple[Query, Candidate]


def _row(
    cells: list[str],
    wide: bool,
    queries: dict[str, Query] | Problem | None,
    draft: RecordBuilder,
) -> Row | None:
    if wide:
        match = PLACE.fullmatch(cells[3])
        assert match is not None
        ends = int(match[2]), int(match[3])
        query = Query(match[1], cells[2], ends)
        size = ends[1] + 1 - ends[0]
        if size > 0 and len(cells[2]) != size and not any(map(str.isspace, cells[2])):
            # Documents may break lines within names.
            expected = f"words of the {amount(size, 'character')} {cells[3]}"
            draft.add("", shown(cells[2]), expected)
            draft.pass_over("words of another length than their range")
        entry, label, kind = cells[4:7]
        score, more = cells[7:8], ((QUERY, cells[1]), (MENTION_TYPE, kind))
        properties: tuple[tuple[str, Value], ...] = (*more, (RUN, cells[0]))
    else:
        if len(cells) < 3:
            expected = "a query, an entry and a type"
            draft.add("", amount(len(cells), "column"), expected)
            return None
        listed = queries.get(cells[0]) if isinstance(queries, dict) else None
        if listed is None:
            draft.add("", f"the query {shown(cells[0])}", "one of those beside it")
            return None
        query, (entry, label) = listed, cells[1:3]
        score, properties = cells[3:4], ((QUERY, cells[0]),)
        properties += tuple(
            (f"column_{number}", cell) for number, cell in enumerate(cells[4:], 5)
        )
    if query.ends is not None and query.ends[0] > query.ends[1]:
        found = f"characters {query.ends[0]}-{query.ends[1]}"
        draft.add("", found, "the first before the last")
        return None
    value = number_of(score[0]) if score and score[0] else None
    if value is None and score and score[0]:
        draft.add("", shown(score[0]), "a confidence, a number")
        return None
    return query, Candidate(entry, value, label or None, properties)


def _queries(name: str) -> dict[str, Query] | Problem:
    path = _queries_path(name)
    if not Path(path).is_file():
        return Problem(name, None, None, "", "no queries beside it", path)
    root = root_of(Path(path).read_bytes(), path, "queries")
    if isinstance(root, Problem):
        return root
    queries: dict[str, Query] = {}
    for element in root.iter("query"):
        fields = {child.tag: (child.text or "").strip() for child in element}
        limits = [fields.get("beg", ""), fields.get("end", "")]
        numbers = [number for number in map(whole_number, limits) if number is not None]
        ends = (numbers[0], numbers[1]) if len(numbers) == 2 else None
        query = Query(fields.get("docid", ""), fields.get("name"), ends)
        if not query.document or (ends is None and not query.words):
            expected = "docid, and name, beg or end"
            what = f"the query {element.get('id')!r}"
            return Problem(path, element.sourceline, None, "", what, expected)
        queries[str(element.get("id"))] = query
    return queries
