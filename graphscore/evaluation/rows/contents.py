"""What a store holds: its collections, and their graphs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from graphscore.errors import expecting
from graphscore.evaluation.options import Selection
from graphscore.evaluation.rows.questions import Questions
from graphscore.model.graph import Graph
from graphscore.store.maintenance import CollectionSummary, collections
from graphscore.store.reading.load import StoredGraph, identities, load_present
from graphscore.store.sizes import Size, size_of

CHUNK = 512
"""Graphs that are loaded together."""


class Contents(Questions):
    """A store that says what it holds."""

    def collections(self) -> list[CollectionSummary]:
        """What is in the store."""
        with self._database.reading() as connection:
            return collections(connection)

    def size(self) -> Size:
        """How many bytes the store takes."""
        with self._database.reading() as connection:
            return size_of(connection)

    @expecting(collection=str, selection=Selection | None)
    def graphs(
        self, collection: str, selection: Selection | None = None
    ) -> Iterator[Graph]:
        """The graphs of a collection, in order of ingest."""
        found = self._identities(collection, selection or Selection())
        yield from self._loaded([each.graph for each in found])

    def names(self, collection: str) -> list[tuple[str, str]]:
        """Id and document of every graph of a collection, in order of ingest.

        Args:
            collection: its name; no graph of it is loaded.
        """
        found = self._identities(collection, Selection())
        return [(each.item, each.document) for each in found]

    def _loaded(self, numbers: Sequence[int]) -> Iterator[Graph]:
        """Graphs by their numbers, some at a time."""
        for start in range(0, len(numbers), CHUNK):
            ids = numbers[start : start + CHUNK]
            with self._database.reading() as connection:
                loaded = load_present(connection, ids)
            yield from (loaded[number] for number in ids)

    def _identities(self, collection: str, selection: Selection) -> list[StoredGraph]:
        """Which graphs of a collection take part."""
        with self._database.reading() as connection:
            return identities(connection, collection, **only(selection))


def only(selection: Selection) -> dict[str, frozenset[str] | None]:
    """Return what takes part, as the store is asked for it: nothing for everything.

    Args:
        selection: which graphs take part.
    """
    return {
        "frameworks": selection.frameworks or None,
        "languages": selection.languages or None,
        "items": selection.items or None,
        "layers": selection.layers or None,
    }
