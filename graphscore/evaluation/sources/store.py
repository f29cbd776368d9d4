"""A collection of a store as a source of units: identities first, graphs when asked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from graphscore.evaluation.options import Options
from graphscore.evaluation.sources.base import Losses, UnitSource
from graphscore.evaluation.unit import COLLECTION, LostDocuments, Unit
from graphscore.exceptions import Problem, UsageError
from graphscore.formats.base import Takes
from graphscore.metrics.base import Unit as UnitKind
from graphscore.store.database import Database
from graphscore.store.read.load import (
    RejectedRecord,
    StoredGraph,
    load_present,
    load_texts,
    rejected_records,
)


class StoreSource(UnitSource):
    """A collection of a store.

    Args:
        database: an open store.
        name: name of the collection.
        identities: of the graphs that take part, in order of ingest.
        options: which graphs take part, and the rule for ids.
        gold: whether it is the gold side, whose bad records are no concern here.

    Attributes:
        identities: of the graphs that take part, in order of ingest.
    """

    def __init__(
        self,
        database: Database,
        name: str,
        identities: Sequence[StoredGraph],
        options: Options,
        gold: bool,
    ) -> None:
        super().__init__(name)
        self._database, self.identities = database, identities
        self._options, self._gold = options, gold
        self._texts: dict[bytes, str] = {}

    def items(self) -> Iterator[Unit]:
        """Return a unit for each graph, without the graph."""
        for identity in self.identities:
            yield Unit(
                (), identity.item, "", None, identity.lost, "", (identity,), self
            )

    def grouped(self, kind: UnitKind, items: Iterator[Unit]) -> Iterator[Unit]:
        """Return documents, each with all its graphs wherever they stand, or all.

        Args:
            kind: ``document`` or ``collection``.
            items: units of one graph each.
        """
        whole = kind == "collection"
        gathered: dict[tuple[str, ...], tuple[list[StoredGraph], tuple[str, ...]]] = {}
        counts: defaultdict[tuple[str, ...], LostDocuments]
        counts = defaultdict(LostDocuments)
        for unit in items:
            name = COLLECTION if whole else unit.document
            key = unit.framework, unit.language, unit.layer
            counts[key].add(name, () if whole else unit.lost, "")
            lost = counts[key].take()
            gathered.setdefault((*key, name), ([], lost))[0].extend(unit.stored)
        for names, (stored, lost) in gathered.items():
            unclear = counts[names[:-1]].unclear
            yield Unit((), names[-1], "", None, lost, unclear, tuple(stored), self)

    def texts(self, unit: Unit) -> list[str]:
        """Return the texts of the graphs of a unit, without loading the graphs.

        Args:
            unit: of this collection.
        """
        if not self._texts:
            digests = {identity.text for identity in self.identities if identity.text}
            with self._database.reading() as connection:
                self._texts = load_texts(connection, digests)
        return [self._texts.get(identity.text or b"", "") for identity in unit.stored]

    def load(self, units: Sequence[Unit]) -> list[Unit]:
        """Return units with their graphs.

        Args:
            units: any of the store.
        """
        ids = {identity.graph for unit in units for identity in unit.stored}
        if not ids:
            return list(units)
        with self._database.reading() as connection:
            graphs = load_present(connection, sorted(ids))
        return [
            unit.loaded(tuple([graphs[identity.graph] for identity in unit.stored]))
            for unit in units
        ]

    def rejected(self) -> list[RejectedRecord]:
        """Return the records that were put aside, of what takes part."""
        takes = self._options.selection.takes
        with self._database.reading() as connection:
            return [
                rejected_record
                for rejected_record in rejected_records(connection, self.name)
                if not rejected_record.framework
                or takes(rejected_record.framework, "", rejected_record.item)
            ]

    def losses(self, takes: Takes) -> Losses:
        """Say which records were put aside when the system's files were ingested.

        Args:
            takes: whether a framework is scored; here all are named.
        """
        rejected = [] if self._gold else self.rejected()
        lines = [line for record in rejected for line in record.message.splitlines()]
        return Losses(lines, len(rejected), any=bool(self.identities))

    def repeated(self, unit: Unit, first: str) -> Problem:
        """Refuse two items of one identity, which only a rule for ids can make.

        Raises:
            UsageError: always.
        """
        side = "gold" if self._gold else "system"
        raise UsageError(
            f"under --ids {self._options.ids} the {side} item {unit.item!r} "
            f"({unit.framework}) is there twice"
        )
