"""The tables of the verb ``errors``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from graphscore.report.shown import as_table
from graphscore.report.text import Table
from graphscore.store.reading.entityerrors import COLUMNS, ERRORS


class ErrorGroups(NamedTuple):
    """Groups of errors, and how many entities are wrong in each document."""

    names: Sequence[str]
    """What both begin with: system and metric, where there are several."""
    columns: Sequence[str]
    rows: Sequence[tuple[Any, ...]]
    entities: Sequence[tuple[Any, ...]]

    def tables(self) -> list[Table]:
        """Tables of the groups, then of the entities; none of what there is none."""
        return [*self._groups(), *([self._entity_table()] if self.entities else [])]

    def _groups(self) -> Iterator[Table]:
        """Groups of errors; of each metric where there are several, as kinds differ."""
        columns = [*self.names, *self.columns]
        if not self.rows or "metric" not in self.names:
            if self.rows:
                yield as_table(columns, self.rows)
            return
        place = columns.index("metric")
        del columns[place]
        for metric in dict.fromkeys(row[place] for row in self.rows):
            own = [row for row in self.rows if row[place] == metric]
            table = as_table(
                columns, [(*row[:place], *row[place + 1 :]) for row in own]
            )
            table.title = metric
            yield table

    def _entity_table(self) -> Table:
        """Entities by document; columns of nothing, and ids that are said twice, go."""
        columns = *self.names, *COLUMNS, *ERRORS
        cells = dict(zip(columns, zip(*self.entities, strict=True), strict=True))
        if cells["item"] == cells["document"]:
            del cells["item"]
        kept = {name: own for name, own in cells.items() if set(own) - {None, ""}}
        table = as_table([*kept], zip(*kept.values(), strict=True))
        table.title = "entities whose mentions are not those of one entity"
        table.notes = [
            "divided: entities of gold whose mentions several of the system have",
            "conflated: entities of the system with mentions of several of gold",
            "missing, extra: of which the other side has no mention; show ID lists "
            "them",
        ]
        return table
