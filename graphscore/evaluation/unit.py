"""Units: what is paired and compared, an item, a whole document, or all there is.

For a metric over items a unit is one graph; for a metric over documents it is all
graphs of a document, in order, and its identity is the document.  What a metric says of
gold units are the items of a result: a list, and rows.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, SupportsIndex, overload

from graphscore.exceptions import amount
from graphscore.lazy import blake2b
from graphscore.metrics.base import item_scores, main_score
from graphscore.model.graph import Graph
from graphscore.model.outcome import Error, Match, RawCounts
from graphscore.rows import Rows, Tabular, brief, four_places, joined

if TYPE_CHECKING:
    from graphscore.evaluation.result import Result
    from graphscore.store.read.load import StoredGraph

ITEM_COLUMNS = (
    *("gold", "system", "metric", "framework", "language", "document", "item"),
    *("layer", "missing", "reference", "gold_count", "system_count", "matched"),
    *("matched_system", "precision", "recall", "f1", "value", "score", "bound"),
    "proven",
)
"""Columns of rows of items; amounts and ratios are of the metric's main tuple type."""

COLLECTION = "collection"
"""Name of the unit that is all there is."""


def layered_id(item: str, layer: str) -> str:
    """Return an id that is another in each layer.

    Args:
        item: the id.
        layer: the layer, or empty.
    """
    return f"{item}\0{layer}" if layer else item


class Texts(Protocol):
    """Texts of graphs that are not loaded."""

    def texts(self, unit: Unit) -> Sequence[str]:
        """Return the texts of the graphs of a unit."""
        ...


class Unit:
    """Graphs that are compared together, all of one framework, language and layer.

    Args:
        graphs: the graphs in order; empty as long as those of a store are not loaded.
        item: id of the graph, or the document.
        file: file that the first graph was read from; empty if from none.
        line: its line.
        lost: documents that bad records right before the unit seem to be of.
        unclear: why nobody knows how many these are; empty if somebody does.
        stored: identities of the graphs, if they are in a store.
        source: where the texts of these are.

    Attributes:
        framework: framework of the graphs.
        language: language of the graphs.
        layer: layer of the graphs, or empty.
        document: document of the graphs; several have the name of the unit.
    """

    __slots__ = (
        *("graphs", "item", "file", "line", "lost", "unclear", "stored", "source"),
        *("framework", "language", "layer", "document"),
    )

    def __init__(
        self,
        graphs: tuple[Graph, ...],
        item: str,
        file: str = "",
        line: int | None = None,
        lost: tuple[str, ...] = (),
        unclear: str = "",
        stored: tuple[StoredGraph, ...] = (),
        source: Texts | None = None,
    ) -> None:
        first = stored[0] if stored else graphs[0]
        self.graphs, self.item, self.file, self.line = graphs, item, file, line
        self.lost, self.unclear = lost, unclear
        self.stored, self.source = stored, source
        self.framework, self.language = first.framework, first.language
        self.layer = first.layer
        several = len(stored or graphs) > 1
        self.document = item if several else first.document

    @property
    def graph(self) -> Graph:
        """First graph: the only one of an item."""
        return self.graphs[0]

    @property
    def location(self) -> str:
        """File and line, as messages name them."""
        return location_of(self.file, self.line)

    @property
    def text(self) -> str | bytes | None:
        """Text of the first graph, or its fingerprint; false if there is none."""
        return self.stored[0].text if self.stored else self.graphs[0].text

    @property
    def texts(self) -> Sequence[str]:
        """Texts of all graphs."""
        if self.source is not None:
            return self.source.texts(self)
        return [graph.text for graph in self.graphs]

    @property
    def words(self) -> int:
        """Number of tokens of the first graph."""
        return self.stored[0].words if self.stored else len(self.graphs[0].tokens)

    @property
    def anchored(self) -> bool:
        """Any node of the first graph has anchors."""
        if self.stored:
            return self.stored[0].anchored
        return any(node.anchors for node in self.graphs[0].nodes)

    @property
    def empty(self) -> bool:
        """The first graph has no nodes."""
        return self.stored[0].empty if self.stored else not self.graphs[0].nodes

    @property
    def names(self) -> list[tuple[str, str]]:
        """Id and document of every graph."""
        if self.stored:
            return [
                (stored_graph.item, stored_graph.document)
                for stored_graph in self.stored
            ]
        return [(graph.id, graph.document) for graph in self.graphs]

    def fingerprint(self) -> int:
        """Sum of the digests of all graphs with their names, in whatever order."""
        before, after = _around(self.framework, self.language, self.layer)
        known = [(stored.item, stored.digest) for stored in self.stored]
        total = 0
        for name, digest in known or [(x.id, x.digest()) for x in self.graphs]:
            mixed = blake2b(before + name.encode() + after + digest, digest_size=8)
            total += int.from_bytes(mixed.digest(), "big")
        return total

    def same_objects(self, other: Unit) -> bool:
        """Return whether another unit surely has the same fingerprint.

        Args:
            other: the other unit.
        """
        return (
            len(self.graphs) == len(other.graphs) == 1
            and self.graphs[0].same_objects(other.graphs[0])
            and self.graphs[0].id == other.graphs[0].id
            and (self.language, self.layer) == (other.language, other.layer)
            and not (self.stored or other.stored)
        )

    def loaded(self, graphs: tuple[Graph, ...]) -> Unit:
        """Return the unit with its graphs.

        Args:
            graphs: those that a store had.
        """
        unit = copy(self)
        unit.graphs = graphs
        return unit

    def joined(self, others: Sequence[Unit]) -> Unit:
        """Return one document of this one and those after it.

        Args:
            others: documents after it, in order.
        """
        name = joined_name(self.item, [unit.item for unit in others])
        document = unite_units((self, *others), name)
        document.lost, document.unclear = self.lost, self.unclear
        return document


def location_of(file: str, line: int | None) -> str:
    """Return a file and a line of it, as messages name them.

    Args:
        file: the file.
        line: the line, if it has any.
    """
    return file if line is None else f"{file}:{line}"


@lru_cache(maxsize=64)
def _around(framework: str, language: str, layer: str) -> tuple[bytes, bytes]:
    """Return what stands before and behind an id in the fingerprint of its graph."""
    behind = f"\0{layer}\0" if layer else "\0"
    return f"{framework}\0{language}\0".encode(), behind.encode()


def joined_name(first: str, others: Sequence[str]) -> str:
    """Return the name of documents that are joined.

    Args:
        first: name of the first.
        others: names of those after it.

    Example:
        >>> joined_name("d1", ["d2", "d3"]), joined_name("d1", [])
        ('d1..d3', 'd1')
    """
    last = others[-1] if others else first
    return first if last == first else f"{first}..{last}"


class LostDocuments:
    """Documents of which nothing can be read, right before others.

    Where documents have a record each a bad record is a document.  Where they have
    several, nobody knows whether one between two documents belongs to either.

    >>> lost = LostDocuments()
    >>> lost.add("d1", (), "")
    >>> lost.add("d3", ("d2",), "")
    >>> lost.take(), lost.unclear
    (('d2',), '')
    >>> lost.add("d3", (), "")
    >>> lost.unclear
    'a bad record before it may belong to the document before, or after'
    """

    def __init__(self) -> None:
        self._document: str | None = None
        self._between: list[str] = []
        self._several = self._any = False
        self._unclear = ""

    def add(self, document: str, lost: tuple[str, ...], unclear: str) -> None:
        """Take in a graph.

        Args:
            document: its document.
            lost: the documents that bad records right before it seem to be of.
            unclear: why nobody knows how many there are.
        """
        if document == self._document:
            self._several = True
        else:
            near = document, self._document
            self._between += [loss for loss in lost if loss not in near]
        self._any = self._any or bool(self._between)
        self._document, self._unclear = document, self._unclear or unclear

    def take(self) -> tuple[str, ...]:
        """Those between the last document and the one before, which are told once."""
        between, self._between = tuple(self._between), []
        return between

    @property
    def unclear(self) -> str:
        """Why nobody knows how many there are, if nobody does."""
        if self._several and self._any and not self._unclear:
            return "a bad record before it may belong to the document before, or after"
        return self._unclear


class Documents:
    """Documents that are gathered from graphs as these come.

    Layers may alternate: a document goes on until another document of the same
    framework, language and layer begins.
    """

    def __init__(self) -> None:
        self._open: dict[tuple[str, str, str], list[Unit]] = {}
        self._lost: dict[tuple[str, str, str], LostDocuments] = {}

    def add(self, unit: Unit) -> Unit | None:
        """Take in a unit of one graph.

        Args:
            unit: the next one.

        Returns:
            The document that is complete now, if one is.
        """
        key = unit.framework, unit.language, unit.layer
        gathered = self._open.setdefault(key, [])
        lost = self._lost.setdefault(key, LostDocuments())
        complete = None
        if gathered and gathered[-1].document != unit.document:
            complete = _document(gathered, lost)
            gathered.clear()
        lost.add(unit.document, unit.lost, unit.unclear)
        gathered.append(unit)
        return complete

    def rest(self) -> list[Unit]:
        """Return the documents that are open at the end."""
        return [_document(units, self._lost[key]) for key, units in self._open.items()]


def _document(gathered: Sequence[Unit], lost: LostDocuments) -> Unit:
    unit = unite_units(gathered, gathered[0].document)
    unit.lost, unit.unclear = lost.take(), lost.unclear
    return unit


def unite_units(gathered: Sequence[Unit], item: str) -> Unit:
    """Return one unit of several.

    Args:
        gathered: units of one framework, language and layer, in order.
        item: what the unit is called.
    """
    first = gathered[0]
    return Unit(
        tuple([graph for unit in gathered for graph in unit.graphs]),
        item,
        first.file,
        first.line,
        stored=tuple([stored for unit in gathered for stored in unit.stored]),
        source=first.source,
    )


def by_collection(units: Iterable[Unit]) -> Iterator[Unit]:
    """Join all graphs of one framework, language and layer into one unit.

    Args:
        units: units of one graph each.

    Yields:
        Units, in order of their first graphs.
    """
    gathered: dict[tuple[str, str, str], list[Unit]] = {}
    for unit in units:
        key = unit.framework, unit.language, unit.layer
        gathered.setdefault(key, []).append(unit)
    for together in gathered.values():
        yield unite_units(together, COLLECTION)


def by_document(units: Iterable[Unit]) -> Iterator[Unit]:
    """Join consecutive graphs of one document into one unit.

    Args:
        units: units of one graph each.

    Yields:
        Units of one document each, in order of their ends.
    """
    documents = Documents()
    for unit in units:
        complete = documents.add(unit)
        if complete is not None:
            yield complete
    yield from documents.rest()


class SentenceCounts(NamedTuple):
    """Counts and errors of one gold graph of a unit that may have several."""

    item: str
    document: str
    """Its own, whatever it was joined with; its id where it has none."""
    raw_counts: RawCounts
    errors: tuple[Error, ...] = ()
    """Those of the unit that belong to it, where details were asked for."""


class Shares(NamedTuple):
    """Counts of the gold graphs of a unit."""

    raw_counts: Sequence[RawCounts] = ()
    """Raw counts of every graph; empty where they are not known."""
    indexes: Sequence[int] = ()
    """The number of the graph that each error of the unit belongs to."""


NO_SHARES = Shares()
"""Counts of a metric that has none by graph, or was not asked for them."""


def parts_with(
    names: Iterable[tuple[str, str]], shares: Shares, errors: Sequence[Error] = ()
) -> tuple[SentenceCounts, ...]:
    """Gold graphs with their raw counts and errors.

    Args:
        names: id and document of every gold graph of a unit, in order.
        shares: what is given to each of them.
        errors: those of the unit, in the order of their places.

    Example:
        >>> parts_with([("s1", "d"), ("s2", "d")], Shares())
        ()
    """
    if not shares.raw_counts:
        return ()
    placed: list[list[Error]] = [[] for _ in shares.raw_counts]
    if errors and shares.indexes:
        for index, error in zip(shares.indexes, errors, strict=True):
            placed[index].append(error)
    return tuple(
        SentenceCounts(item, document or item, raw_count, tuple(own_errors))
        for (item, document), raw_count, own_errors in zip(
            names, shares.raw_counts, placed, strict=True
        )
    )


class ItemResult(NamedTuple):
    """Counts, matches and errors of one gold unit."""

    framework: str
    language: str
    item: str
    document: str
    raw_counts: RawCounts
    score: float
    bound: float
    proven: bool
    missing: bool
    """The system has no such unit."""
    matches: tuple[Match, ...] = ()
    layer: str = ""
    errors: tuple[Error, ...] = ()
    """Missing, spurious and partial tuples; like matches, where details were requested.
    """
    texts: tuple[str, ...] = ()
    """Texts of the gold graphs, one each; likewise."""
    parts: tuple[SentenceCounts, ...] = ()
    """Its gold graphs, whose raw counts add up to its own, where they were asked
    for."""
    partner: str = ""
    """Id of the system unit, where requested."""
    reference: str = ""
    """The reference that all this is about, where there are several."""

    def __repr__(self) -> str:
        errors = amount(len(self.errors), "error")
        text = f"{self.item}: {four_places(self.score)}, {errors}"
        return brief("ItemResult", text)


class SpuriousUnit(NamedTuple):
    """A system unit without a gold unit."""

    framework: str
    language: str
    item: str
    layer: str = ""


class Items(Sequence[ItemResult], Rows):
    """Results of the gold units, in gold order.

    Args:
        items: one for each unit.
        result: what they belong to.  It holds the list alone, so that all is given back
            as soon as nobody holds the result any longer.
    """

    def __init__(self, items: list[ItemResult], result: Result) -> None:
        self._items, self.result = items, result

    @overload
    def __getitem__(self, index: SupportsIndex) -> ItemResult: ...
    @overload
    def __getitem__(self, index: slice) -> list[ItemResult]: ...
    def __getitem__(
        self, index: SupportsIndex | slice
    ) -> ItemResult | list[ItemResult]:
        return self._items[index]

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[ItemResult]:
        return iter(self._items)

    def __eq__(self, other: object) -> bool:
        return self._items == (other._items if isinstance(other, Items) else other)

    def __repr__(self) -> str:
        return brief("Items", f"{len(self)} of {self.result!r}")

    def tabular(self) -> Tabular:
        """A row for each item."""
        result = self.result
        head = result.gold, result.system, str(result.metric)
        return Tabular(ITEM_COLUMNS, (self._row(head, item) for item in self))

    def _row(self, head: tuple[str, ...], item: ItemResult) -> tuple[Any, ...]:
        metric = self.result.metric
        scores = item_scores(metric, item.raw_counts)
        count, value = scores.counts[metric.main], main_score(metric, scores)
        return (
            *head,
            *(item.framework, item.language, item.document, item.item, item.layer),
            *(item.missing, item.reference),
            *(count.gold, count.system, count.matched, count.correct_system),
            *(count.precision, count.recall, count.f1),
            None if math.isnan(value) else value,
            *(item.score, item.bound, item.proven),
        )

    def numbers(self) -> dict[str, float]:
        """Main score by ``METRIC/FRAMEWORK/ITEM``.

        Layers stand between framework and item, where there are any.
        """
        metric, result = self.result.metric, {}
        for item in self:
            value = main_score(metric, item_scores(metric, item.raw_counts))
            if math.isfinite(value):
                name = joined(str(metric), item.framework, item.layer, item.item)
                result[name] = float(value)
        return result


class ItemsField:
    """The attribute of a result that holds its items: any list becomes one of rows."""

    @overload
    def __get__(self, result: None, owner: type[Any]) -> tuple[()]: ...
    @overload
    def __get__(self, result: Result, owner: type[Any]) -> Items: ...
    def __get__(self, result: Result | None, owner: type[Any]) -> Items | tuple[()]:
        # Asked of the class it is what a result has by default.
        if result is None:
            return ()
        return Items(vars(result)["items"], result)

    def __set__(self, result: Result, items: Iterable[ItemResult]) -> None:
        vars(result)["items"] = list(items)
