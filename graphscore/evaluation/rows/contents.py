"""Contents of a store: its collections and their graphs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from graphscore.evaluation.options import Options, Selection
from graphscore.evaluation.outdated import refuse_changed
from graphscore.evaluation.rows.store_queries import StoreQueries
from graphscore.exceptions import did_you_mean, expecting
from graphscore.metrics.base import Metric
from graphscore.model.graph import Graph
from graphscore.model.ids import id_rule
from graphscore.model.scope import Scope
from graphscore.store.evaluations import find_evaluations
from graphscore.store.read.load import (
    StoredGraph,
    frameworks_held,
    identities,
    load_present,
)
from graphscore.store.read.pairing import item_names, pairing_frameworks
from graphscore.store.read.queries import literal

if TYPE_CHECKING:
    from graphscore.store.maintenance import CollectionSummary
    from graphscore.store.sizes import Size

CHUNK = 512
"""Graphs that are loaded together."""

FEW = 8
"""Graphs that are loaded where one will do, mostly."""


class Contents(StoreQueries):
    """A store that says what it holds."""

    def collections(self) -> list[CollectionSummary]:
        """List the collections of the store."""
        # Only who lists them needs what keeps a store in order.
        from graphscore.store.maintenance import collections

        with self._database.reading() as connection:
            return collections(connection)

    def collection_names(self) -> list[str]:
        """The names of the collections, in the order in which they were made."""
        return [
            name for [name] in self.query("select name from collection order by id")[1]
        ]

    def describe_holdings(self) -> str:
        """Return the names of the collections, as part of a message."""
        names = ", ".join(self.collection_names())
        return f"it holds: {names}" if names else "it holds nothing yet"

    def absent(
        self, collections: Sequence[str], filters: Mapping[str, str | None]
    ) -> list[str]:
        """Say what collections do not have, as a reason for finding nothing in them.

        Args:
            collections: their names.
            filters: ``framework``, ``document``, ``item`` and ``layer``.
        """
        result: list[str] = []
        names = ", ".join(literal(collection) for collection in collections)
        for column in ("framework", "document", "item", "layer"):
            value = filters[column]
            if value is None:
                continue
            _, rows = self.query(
                f"select distinct {column} from v_graphs "
                f"where collection in ({names}) and {column} is not null order by 1"
            )
            known = [str(cell) for [cell] in rows]
            if value not in known:
                where = " or ".join(dict.fromkeys(collections))
                result.append(
                    f"no {column} {value!r}{did_you_mean(value, known)} in {where}"
                )
        return result

    def size(self) -> Size:
        """Return the size of the store in bytes."""
        from graphscore.store.sizes import size_of

        with self._database.reading() as connection:
            return size_of(connection)

    @expecting(collection=str, selection=Selection | None)
    def graphs(
        self, collection: str, selection: Selection | None = None
    ) -> Iterator[Graph]:
        """The graphs of a collection, in order of ingest."""
        identities = self._identities(collection, selection or Selection())
        yield from self._load_graphs([identity.graph for identity in identities])

    def names(self, collection: str) -> list[tuple[str, str]]:
        """Id and document of every graph of a collection, in order of ingest.

        Args:
            collection: its name; no graph of it is loaded.
        """
        identities = self._identities(collection, Selection())
        return [(identity.item, identity.document) for identity in identities]

    def pairing_frameworks(
        self, golds: Sequence[str], options: Options
    ) -> dict[str, dict[str, bool]]:
        """The frameworks of each collection, and whether an item pairs with gold.

        Args:
            golds: names of the gold collections.
            options: which graphs take part, and the rule by which ids pair.
        """
        limits = only(options.selection)
        items, named = limits.pop("items"), None
        result: dict[str, dict[str, bool]] = {}
        with self._database.reading() as connection:
            if options.ids or items:
                rule, known = id_rule(options.ids), item_names(connection)
                named = {x: rule(x) for x in known if items is None or x in items}
            for name, framework, pairs in pairing_frameworks(
                connection, golds, named, **limits
            ):
                result.setdefault(name, {})[framework] = pairs
        return result

    def _load_graphs(self, numbers: Sequence[int]) -> Iterator[Graph]:
        """Graphs by their numbers, some at a time."""
        for start in range(0, len(numbers), CHUNK):
            ids = numbers[start : start + CHUNK]
            with self._database.reading() as connection:
                loaded = load_present(connection, ids)
            yield from (loaded[number] for number in ids)

    def _identities(self, collection: str, selection: Selection) -> list[StoredGraph]:
        """List the graphs of a collection that take part."""
        with self._database.reading() as connection:
            return identities(connection, collection, **only(selection))

    def _frameworks_of(self, collection: str, selection: Selection) -> dict[str, bool]:
        """The frameworks that take part, each with whether there is a node of it."""
        with self._database.reading() as connection:
            return frameworks_held(connection, collection, **only(selection))

    def _read_as(self, collection: str) -> list[tuple[str, str]]:
        """Each framework of a collection with each format that it was read as."""
        _, rows = self.query(
            "select distinct graph.framework, ingest.format from graph "
            "join ingest on ingest.id = graph.ingest "
            "join collection on collection.id = graph.collection "
            f"where collection.name = {literal(collection)}"
        )
        return [(str(framework), str(read_as)) for framework, read_as in rows]

    def _graphs_with_nodes(
        self, collection: str, selection: Selection, framework: str
    ) -> Iterator[Graph]:
        """The graphs of a framework that have nodes, the first few by themselves."""
        only_it = replace(selection, frameworks=frozenset({framework}))
        identities = self._identities(collection, only_it)
        numbers = [identity.graph for identity in identities if not identity.empty]
        yield from self._load_graphs(numbers[:FEW])
        yield from self._load_graphs(numbers[FEW:])

    @expecting(gold=str, metric=Metric, options=Options | None)
    def scope(self, gold: str, metric: Metric, options: Options | None = None) -> Scope:
        """Return the scope of scoring: which graphs take part, and how they pair.

        Args:
            gold: name of the gold collection.
            metric: what scores.
            options: how.
        """
        chosen = options or Options()
        held = self._frameworks_of(gold, chosen.selection)
        return chosen.scope(
            identity for identity in held if chosen.takes(metric, identity)
        )

    @expecting(gold=str, system=str, options=Options | None, metric=Metric)
    def holds(
        self, gold: str, system: str, metric: Metric, options: Options | None = None
    ) -> bool:
        """Return whether there is an evaluation that can be read.

        Args:
            gold: name of the gold collection.
            system: name of the system collection.
            metric: what scores.
            options: how; of all evaluations it is that of their scope.

        Raises:
            StoreError: if its graphs or the metric have changed since, naming the
                command that scores again.
        """
        scope = str(self.scope(gold, metric, options))
        return self.holds_scope(gold, system, metric, scope)

    def holds_scope(self, gold: str, system: str, metric: Metric, scope: str) -> bool:
        """Return whether there is an evaluation of a scope that can be read.

        Args:
            gold: name of the gold collection.
            system: name of the system collection.
            metric: what scores.
            scope: what it is over.

        Raises:
            StoreError: as :meth:`holds`.
        """
        with self._database.reading() as connection:
            evaluations = find_evaluations(
                connection, gold=gold, system=system, metric=str(metric), scope=scope
            )
        for made in evaluations:
            refuse_changed(self.url, made, metric.revision)
        return bool(evaluations)


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
