"""Files in which all graphs of a framework have the same id, which then names none.

Parsers that were run sentence by sentence call every graph alike.  Such graphs go into
a store as those without an id do: numbered on.

>>> from graphscore.model.graph import Graph
>>> alike = [ReadGraph(line, Graph("p1", "drg")) for line in (1, 9)]
>>> every = Apart(alike)
>>> [record.graph.id for record in every], every.unnamed
(['', ''], {'drg': 'p1'})
>>> several = [*alike, ReadGraph(17, Graph("p2", "drg"))]
>>> [record.graph.id for record in Apart(several)]
['p1', 'p1', 'p2']
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from graphscore.formats.base import ReadGraph, Record

Kind = tuple[str, str, str]
"""Framework, language and layer."""


MOST_BAD = 10_000
"""Limit of held records where none can be read."""


class Apart:
    """The records of a file, without an id that is that of all of them.

    They are held only as long as there is no second id, and not where thousands come
    that cannot be read before the first that can.

    Args:
        records: of the file.

    Attributes:
        unnamed: the id that was taken off, by framework.
    """

    def __init__(self, records: Iterable[Record]) -> None:
        self._records = records
        self.unnamed: dict[str, str] = {}

    def __iter__(self) -> Iterator[Record]:
        held: list[Record] = []
        rest = iter(self._records)
        readable = False
        for record in rest:
            held.append(record)
            readable = readable or isinstance(record, ReadGraph)
            another = not _item(record) or _item(record) != _item(held[0])
            if another or (len(held) == MOST_BAD and not readable):
                yield from held
                yield from rest
                return
        kinds = Counter(
            _kind(record) for record in held if isinstance(record, ReadGraph)
        )
        several = {kind for kind, count in kinds.items() if count > 1}
        frameworks = {framework for framework, *_ in several}
        self.unnamed = {framework: _item(held[0]) for framework in sorted(frameworks)}
        for record in held:
            if isinstance(record, ReadGraph) and _kind(record) in several:
                nameless = msgspec.structs.replace(record.graph, id="")
                record = record._replace(graph=nameless)
            elif not isinstance(record, ReadGraph) and record.framework in frameworks:
                # It keeps its place among the others.
                record = record._replace(item="")
            yield record


def _item(record: Record) -> str:
    return record.graph.id if isinstance(record, ReadGraph) else record.item


def _kind(record: ReadGraph) -> Kind:
    return record.graph.framework, record.graph.language, record.graph.layer
