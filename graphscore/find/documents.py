"""Matches and errors of whole documents, mapped to their sentences.

A metric that aligns documents, as those of dependencies do, tells words by their
ordinals in the sentences of a document joined, and an arc by the word that it leads to.
Here these become rows of sentences, as tables that a statement begins with (SQLite has
them made beforehand, as it makes no indexes of what it expects to be small):

``gold_part``, ``system_part``
    the sentences, with how many nodes lie before each in its document;
``gold_place``, ``system_place``
    the nodes, each with its place in the document;
``link``, ``fault``
    correspondences and errors of words, by graph and ordinal;
``arc_link``, ``arc_fault``
    the same of edges: those that lead to such words;
``beside``
    gold sentences with the system's that have words of theirs, however these are cut.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from sqlalchemy import Connection, text

from graphscore.exceptions import StoreError
from graphscore.find.pattern import SIDES, Side
from graphscore.store.read.load import StoredGraph, identities, joined_digest

WORDS = ("ud", "eud")
"""Frameworks in which what is compared of a document are words and their arcs."""

Rows = list[tuple[int, int, int, int]]
"""Sentences of a side that follow each other: pair, place, first and last graph."""

_Key = tuple[str, str, str]


class Documents(NamedTuple):
    """The sentences of an evaluation that compares documents.

    Args:
        evaluation: its id.
        collections: the ids of both, by side.
        enhanced: whether several arcs may lead to a word.
        listed: the sentences of a side, where the names of documents do not tell them:
            those that were cut in other places are joined.
    """

    evaluation: int
    collections: dict[Side, int]
    enhanced: bool
    listed: dict[Side, Rows]


def documents_of(
    connection: Connection,
    evaluation: int,
    names: dict[Side, str],
    collections: dict[Side, int],
) -> Documents:
    """Find out which sentences were compared together.

    Args:
        connection: the store.
        evaluation: the id of one whose metric compares documents.
        names: of its collections.
        collections: their ids.

    Raises:
        StoreError: if they are no longer what was compared.
    """
    statement = text(
        "select p.seq, p.framework, p.language, p.layer, p.document, "
        "p.gold_graph, p.system_graph, r.gold, r.system, p.status "
        "from pair p left join result r on r.id = p.result "
        "where p.evaluation = :e order by p.seq"
    )
    pairs = connection.execute(statement, {"e": evaluation}).all()
    frameworks = {row.framework for row in pairs}
    listed: dict[Side, Rows] = {}
    for number, side in enumerate(SIDES):
        units = _Units(identities(connection, names[side], frameworks=frameworks))
        rows: Rows = []
        plain, counted = True, 0
        for pair in pairs:
            if pair.status == ("spurious", "missing")[number]:
                continue
            key = (pair.framework, pair.language, pair.layer)
            own, digest = pair[5 + number], pair[7 + number]
            parts = units.named(key, pair.document)
            if own is not None:
                parts = [part for part in parts if part.graph == own]
            elif digest is not None and _digest(parts) != bytes(digest):
                plain = False
                parts = units.joined(key, bytes(digest))
            if not parts:
                raise StoreError(
                    f"the {side} sentences of {pair.document!r} are not those that "
                    "were scored: score them again"
                )
            counted += len(parts)
            rows += [(pair.seq, *run) for run in units.runs(key, parts)]
        if not plain or counted != units.size:
            listed[side] = rows
    return Documents(evaluation, collections, frameworks == {"eud"}, listed)


def _digest(parts: Sequence[StoredGraph]) -> bytes:
    return joined_digest(parts)


class _Units:
    """The sentences of a collection, by document and in order."""

    def __init__(self, graphs: Sequence[StoredGraph]) -> None:
        self.size = len(graphs)
        self._of: dict[_Key, dict[str, list[StoredGraph]]] = defaultdict(dict)
        self._numbers: dict[_Key, dict[int, int]] = {}
        for graph in graphs:
            key = (graph.framework, graph.language, graph.layer)
            self._of[key].setdefault(graph.document, []).append(graph)

    def named(self, key: _Key, document: str) -> list[StoredGraph]:
        """Those of a document."""
        return self._of[key].get(document, [])

    def runs(
        self, key: _Key, parts: Sequence[StoredGraph]
    ) -> Iterator[tuple[int, int, int]]:
        """Sentences as runs of those that follow each other in the collection.

        Yields:
            The number of a run, its first and its last graph.
        """
        if key not in self._numbers:
            ids = sorted(x.graph for unit in self._of[key].values() for x in unit)
            self._numbers[key] = {graph: number for number, graph in enumerate(ids)}
        numbers = self._numbers[key]
        first = last = parts[0].graph
        offset = 0
        for part in parts[1:]:
            if numbers[part.graph] != numbers[last] + 1:
                yield offset, first, last
                offset, first = offset + 1, part.graph
            last = part.graph
        yield offset, first, last

    def joined(self, key: _Key, digest: bytes) -> list[StoredGraph]:
        """Those of the documents next to each other that a digest is of."""
        units = list(self._of[key].values())
        for first in range(len(units)):
            parts: list[StoredGraph] = []
            for unit in units[first:]:
                parts += unit
                if _digest(parts) == digest:
                    return parts
        return []


class Made(NamedTuple):
    """A table that a statement is asked beside those of the store.

    Args:
        name: what it is called.
        columns: their names.
        rows: the SQL that gives its rows.
    """

    name: str
    columns: tuple[str, ...]
    rows: str

    def __str__(self) -> str:
        inside = self.rows.replace("\n", "\n  ")
        columns = ", ".join(self.columns)
        return f"{self.name}({columns}) as materialized (\n  {inside}\n)"


def begun(definitions: Sequence[Made]) -> str:
    """Return the beginning of a statement that defines such tables.

    Args:
        definitions: the tables.
    """
    listed = ",\n".join(map(str, definitions))
    return f"with {listed}\n" if listed else ""


def tables(
    documents: Documents, body: str, parameter: Callable[[object], str]
) -> tuple[Made, ...]:
    """The tables that a statement needs, each before those that need it.

    Args:
        documents: the sentences.
        body: the statement.
        parameter: the sign of a value.
    """
    known = {
        definition.name: definition for definition in _definitions(documents, parameter)
    }
    needed: set[str] = set()
    ahead = [body]
    while ahead:
        sql = ahead.pop()
        for name in known.keys() - needed:
            if re.search(rf"\b{name}\b", sql):
                needed.add(name)
                ahead.append(known[name].rows)
    return tuple(value for name, value in known.items() if name in needed)


@contextmanager
def temporary_tables(
    connection: Connection, definitions: Sequence[Made], values: Mapping[str, object]
) -> Iterator[None]:
    """Have these tables in an SQLite store, with indexes, as long as it is searched.

    They are temporary, and no part of the file.

    Args:
        connection: the store.
        definitions: the tables.
        values: parameters by name.
    """
    raw = connection.connection.driver_connection
    if not definitions or raw is None:
        yield
        return
    (kept,) = raw.execute("pragma query_only").fetchone()
    raw.execute("pragma query_only = off")
    try:
        for definition in definitions:
            columns = ", ".join(f"{name} integer" for name in definition.columns)
            raw.execute(f"create temp table {definition.name} ({columns})")
            used = {
                name: values[name] for name in re.findall(r":(v\d+)\b", definition.rows)
            }
            raw.execute(f"insert into temp.{definition.name} {definition.rows}", used)
            for keys in _KEYS:
                if {*keys} <= {*definition.columns}:
                    index = "_".join((definition.name, *keys))
                    listed = ", ".join(keys)
                    raw.execute(
                        f"create index temp.{index} on {definition.name} ({listed})"
                    )
        raw.execute(f"pragma query_only = {kept}")
        yield
    finally:
        raw.execute("pragma query_only = off")
        for definition in definitions:
            raw.execute(f"drop table if exists temp.{definition.name}")
        raw.execute(f"pragma query_only = {kept}")


_KEYS = (
    ("pair", "place"),
    ("gold_graph", "gold"),
    ("system_graph", "system"),
    ("gold_graph", "system_graph"),
)
"""Columns by which rows are looked up."""


def _definitions(
    documents: Documents, parameter: Callable[[object], str]
) -> Iterator[Made]:
    evaluation = parameter(documents.evaluation)
    for side in SIDES:
        yield _members(documents, side, parameter)
        yield Made(
            f"{side}_part",
            ("pair", "graph", "nodes"),
            "select c.pair, c.graph, "
            "sum(c.size) over (partition by c.pair order by c.place, c.graph) "
            "- c.size\n"
            "from (select s.pair, s.place, s.graph, (select count(*) from node x "
            f"where x.graph = s.graph) as size from {side}_of s) c",
        )
        yield Made(
            f"{side}_place",
            ("pair", "place", "graph", "ordinal"),
            "select s.pair, s.nodes + x.ordinal, s.graph, x.ordinal\n"
            f"from {side}_part s join node x on x.graph = s.graph",
        )
    ends = ("gold_graph", "gold", "system_graph", "system")
    for name, table, more in (
        ("link", "correspondence", ()),
        ("fault", "error", ("error_type", "tuple_type", "name", "value")),
    ):
        message = "".join(f", m.{column}" for column in more)
        yield Made(
            name,
            (*ends, *more),
            f"select distinct g.graph, g.ordinal, s.graph, s.ordinal{message}\n"
            f"from pair p cross join {table} m\n"
            "left join gold_place g on g.pair = p.seq and g.place = m.gold\n"
            "left join system_place s on s.pair = p.seq and s.place = m.system\n"
            f"where p.evaluation = {evaluation} and m.result = p.result "
            "and m.object = 'node'",
        )
        yield Made(
            f"arc_{name}",
            (*ends, *more),
            f"select m.gold_graph, a.ordinal, m.system_graph, b.ordinal{message}\n"
            f"from {name} m\n"
            "left join edge a on a.graph = m.gold_graph and a.target = m.gold\n"
            "left join edge b on b.graph = m.system_graph and b.target = m.system"
            f"{_of_arcs(documents.enhanced) if more else ''}",
        )
    yield Made(
        "beside",
        ("gold_graph", "system_graph"),
        "select distinct m.gold_graph, m.system_graph from link m\n"
        "where m.gold_graph is not null and m.system_graph is not null",
    )


def _members(
    documents: Documents, side: Side, parameter: Callable[[object], str]
) -> Made:
    """The sentences of a side: those of documents of one name, or as listed."""
    own = f"g.collection = {parameter(documents.collections[side])}"
    pair = f"p.evaluation = {parameter(documents.evaluation)}"
    same: tuple[str, ...] = ("framework", "language", "layer")
    position, tables = "1", f"graph g join pair p on {pair}"
    if side in documents.listed:
        rows = ", ".join(map(str, documents.listed[side]))
        position, tables = "v.column2", f"(values {rows}) v join pair p on {pair}"
        tables += (
            " and p.seq = v.column1\n"
            "join graph g on g.id between v.column3 and v.column4"
        )
    else:
        # A document is the item of its pair, of which there is an index.
        tables += " and p.item = g.document"
        same = (*same, "document")
    message = " and ".join([own, *(f"p.{name} = g.{name}" for name in same)])
    return Made(
        f"{side}_of",
        ("pair", "place", "graph"),
        f"select p.seq, {position}, g.id\nfrom {tables}\nwhere {message}",
    )


def _of_arcs(enhanced: bool) -> str:
    """Return the condition that an error of a word is of the arc that leads to it.

    Not those of its tags, say; of several arcs, those with the relation that is told.
    """
    parts = " or ".join(
        f"m.name in {named_part(repr(name))}" for name in ("head", "deprel")
    )
    of_arcs = f"\nwhere (m.name is null or {parts})"
    if enhanced:
        of_arcs += "\nand case when m.error_type = 'spurious' then b.label "
        of_arcs += "else a.label end = m.value"
    return of_arcs


def named_part(name: str) -> str:
    """The names of errors, such as ``head+deprel``, that have a part.

    Args:
        name: SQL for the part.
    """
    text = "'+' || y.text || '+'"
    return (
        "(select y.id from symbol y "
        f"where replace({text}, '+' || {name} || '+', '') <> {text})"
    )
