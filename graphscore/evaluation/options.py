"""What an evaluation is asked: which units take part, and how they are scored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal

from graphscore.correspondence import Budget
from graphscore.errors import UsageError
from graphscore.formats import Reading
from graphscore.formats.source import shown
from graphscore.model.scope import Scope, only_items, written

if TYPE_CHECKING:
    from graphscore.metrics.base import Metric


@dataclass(frozen=True)
class Selection:
    """Which graphs of both sides take part; empty means all."""

    frameworks: frozenset[str] = frozenset()
    languages: frozenset[str] = frozenset()
    items: frozenset[str] = frozenset()
    layers: frozenset[str] = frozenset()

    def takes(self, framework: str, language: str, item: str, layer: str = "") -> bool:
        """Whether a graph takes part; one without a layer is in every layer."""
        return (
            (not self.frameworks or framework in self.frameworks)
            and (not self.languages or language in self.languages)
            and (not self.items or item in self.items)
            and (not self.layers or not layer or layer in self.layers)
        )


@dataclass(frozen=True)
class Options:
    """How an evaluation runs.

    Args:
        selection: which units take part.
        pair: by equal ids or by order.
        ids: rule that rewrites ids for pairing, see ``model.ids.id_rule``.
        budget: work per pair.
        jobs: worker processes; 1 stays in this one.
        per_item: whether results per item are kept.
        details: whether matches, errors and texts (with ``per_item``) are kept too.
        parts: whether the masses of sentences or documents are kept too, where a
            metric sums over them (``Metric.sums_over``).
        reading: formats and documents of the files.
        system_reading: those of the system's, where they are others.
        references: what becomes of several references (:class:`References`): the best
            for every item, or the mean over all.
        traced: whether items (with ``per_item``) know their texts and what the system
            calls them, by which those of several references are found to be the same.
        where: a pattern, as ``find`` takes them; only items in which it is found count.
        within: whether of these only tuples count about the nodes and edges that the
            pattern binds.
        beyond: whether metrics score frameworks that they are not made for, where the
            selection names them.
    """

    selection: Selection = field(default_factory=Selection)
    pair: Literal["id", "order"] = "id"
    ids: str | None = None
    budget: Budget = field(default_factory=Budget)
    jobs: int = 1
    per_item: bool = False
    details: bool = False
    parts: bool = False
    reading: Reading = field(default_factory=Reading)
    system_reading: Reading | None = None
    references: Literal["best", "mean"] = "best"
    traced: bool = False
    where: str | None = None
    within: bool = False
    beyond: bool = True

    def takes(self, metric: Metric, framework: str) -> bool:
        """Whether a metric scores graphs of a framework that take part."""
        named = self.selection.frameworks if self.beyond else ()
        return metric.takes(framework, named)

    def naming(
        self, framework: str | None, metrics: Iterable[Metric] | None
    ) -> Options:
        """Options that name a framework, where metrics only score it if it is named.

        Args:
            framework: what only is asked for, if anything.
            metrics: those that the user has named.
        """
        if framework is None or not any(
            metric.scores(framework) and not metric.takes(framework)
            for metric in metrics or ()
        ):
            return self
        only = replace(self.selection, frameworks=frozenset({framework}))
        return replace(self, selection=only)

    def scope(self, frameworks: Iterable[str]) -> Scope:
        """What an evaluation under these options is over.

        Args:
            frameworks: those that are scored.
        """
        selection = self.selection
        ids = f"id under {written(self.ids)}" if self.ids else "id"
        return Scope(
            tuple(sorted(frameworks)),
            tuple(sorted(selection.languages)),
            tuple(sorted(selection.layers)),
            only_items(selection.items) if selection.items else "",
            self.pair if self.pair != "id" else ids,
        )


class References:
    """Several gold sides, each of which says what is right of the same items.

    Args:
        golds: files, directories, globs, graphs in memory, whatever else scoring takes,
            or names of collections.
        names: what they are called; without, as files and collections are, and
            ``reference 1`` and so on in memory.

    Raises:
        UsageError: without any, or with another number of names.

    Example:
        >>> References("a.mrp", "b.mrp").names
        ('a.mrp', 'b.mrp')
    """

    def __init__(self, *golds: Any, names: Sequence[str] = ()) -> None:
        if not golds:
            raise UsageError("expected one or more references")
        if names and len(names) != len(golds):
            raise UsageError(f"{len(names)} names of {len(golds)} references")
        # What can be gone through once only may be needed for several systems.
        self.golds: tuple[Any, ...] = tuple(
            list(gold) if isinstance(gold, Iterator) else gold for gold in golds
        )
        self.names = tuple(names) or tuple(
            shown(str(gold))
            if isinstance(gold, str | PathLike)
            else f"reference {number}"
            for number, gold in enumerate(self.golds, 1)
        )

    def __len__(self) -> int:
        return len(self.golds)

    def __repr__(self) -> str:
        return f"References({', '.join(map(repr, self.names))})"
