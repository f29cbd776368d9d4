"""Annotators as Python names them: files, graphs, collections of a store."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from os import PathLike, fspath
from typing import Any, NamedTuple

from msgspec.structs import replace

from graphscore.evaluation.options import Options, References, Selection
from graphscore.evaluation.store import Store
from graphscore.exceptions import UsageError, amount
from graphscore.formats.source import shown
from graphscore.inputs.alignment import several_sides
from graphscore.inputs.base import Taken
from graphscore.model.graph import LAYER, Graph
from graphscore.statistics.comparison import distinct
from graphscore.store.detect import best_mode, is_store


class Held(NamedTuple):
    """Annotators in a store."""

    store: Store
    collections: Sequence[str]
    names: Sequence[str]
    """Names of the annotators."""
    cls: type[Any] | None = None
    """The class of their objects, where they are of one."""
    notes: tuple[str, ...] = ()
    """Notes on how they were read."""


def part_by_layer(
    store: Store, collection: str, into: Store, selection: Selection, source: str
) -> tuple[list[str], list[str]]:
    """Make each layer of a collection one of its own: an annotator's.

    Args:
        store: where the collection is.
        collection: several annotations of the same items, whose layers are annotators.
        into: an empty store.
        selection: what takes part; its layers are the annotators.
        source: what the collection is called in messages.

    Returns:
        The new collections, which are called like the layers, and notes.

    Raises:
        UsageError: if there are no two layers.
    """
    graphs: dict[str, list[Graph]] = {}
    unnamed = 0
    for graph in store.graphs(collection, selection):
        if not graph.layer:
            unnamed += 1
            continue
        extra = {key: value for key, value in graph.extra.items() if key != LAYER}
        graphs.setdefault(graph.layer, []).append(replace(graph, extra=extra))
    if len(graphs) < 2:
        layers = f"one layer, {next(iter(graphs))}" if graphs else "no layers"
        raise UsageError(
            f"nothing to compare {source} against: give two or more annotators, or a "
            f"file whose layers are annotators (--layer selects); it has {layers}"
        )
    for layer, annotated in graphs.items():
        into.add(annotated, layer)
    note = f"{source}: {amount(unnamed, 'graph')} without a layer left out"
    return [*graphs], [note] if unnamed else []


@contextmanager
def gathered(
    annotators: Sequence[Any],
    names: Sequence[str],
    options: Options,
    frameworks: frozenset[str] = frozenset(),
) -> Iterator[Held]:
    """A store that holds all annotators; files and graphs go into one in memory.

    Args:
        annotators: files, graphs or whatever else is scored; or a store, or its file,
            and collections.
        names: what they are called; without, as their files or collections.
        options: how files are read.
        frameworks: what is scored, if that is known.

    A single one is parted by its layers, which are annotators.

    Raises:
        InputError: if a file cannot be used.
        UsageError: if there are more or fewer names than annotators, or one of them
            is several references, or neither a file nor graphs.
    """
    annotators = [
        fspath(annotator) if isinstance(annotator, PathLike) else annotator
        for annotator in annotators
    ]
    for number, annotator in enumerate(annotators, 1):
        if isinstance(annotator, References):
            raise UsageError(
                f"annotator {number} is {annotator}: nobody is gold, name each by "
                "itself"
            )
        if not isinstance(annotator, Store | Iterable):
            raise UsageError(
                f"annotator {number} is {annotator!r}: expected a file or graphs"
            )
    first = annotators[0] if annotators else None
    path = first if isinstance(first, str) and is_store(first) else None
    in_store = isinstance(first, Store) or path is not None
    people = annotators[1:] if in_store else annotators
    if len(people) == 1 and not names:
        with _parted(first, people[0], in_store, options) as held:
            yield held
        return
    if names and len(names) != len(people):
        raise UsageError(
            f"{amount(len(names), 'name')} of {amount(len(people), 'annotator')}"
        )
    if isinstance(first, Store):
        yield Held(first, people, list(names) or people)
    elif path is not None:
        with Store(path, mode=best_mode(path)) as store:
            yield Held(store, people, list(names) or people)
    else:
        called = list(names) or distinct(
            [
                shown(side) if isinstance(side, str) else f"annotator {index}"
                for index, side in enumerate(annotators, 1)
            ]
        )
        cls, notes = None, []
        if len(annotators) > 1 and not all(isinstance(x, str) for x in annotators):
            first, others, cls = several_sides(
                annotators[0],
                annotators[1:],
                (options.reading, options.reading),
                frameworks,
                [f"annotator {number}" for number in range(1, len(annotators) + 1)],
            )
            annotators = [first, *others]
        with Store("sqlite://", mode="create") as store:
            collections = [f"{number}" for number in range(len(annotators))]
            for name, side in zip(collections, annotators, strict=True):
                if isinstance(side, str):
                    store.ingest(side, name, reading=options.reading)
                    continue
                if isinstance(side, Taken):
                    notes += side.notes
                graphs = side if isinstance(side, Sequence) else list(side)
                store.add(graphs, name, keep_going=isinstance(side, Taken))
            yield Held(store, collections, called, cls, tuple(notes))


@contextmanager
def _parted(
    first: Any, annotators: Any, in_store: bool, options: Options
) -> Iterator[Held]:
    """A store with the layers of a file, of graphs, or of a collection of a store."""
    with ExitStack() as stack:
        collection, source = "0", "the graphs"
        if in_store:
            collection = source = annotators
            store = (
                first
                if isinstance(first, Store)
                else stack.enter_context(Store(first, mode="read"))
            )
        else:
            store = stack.enter_context(Store("sqlite://", mode="create"))
            if isinstance(annotators, str):
                source = shown(annotators)
                store.ingest(annotators, collection, reading=options.reading)
            else:
                store.add([*annotators], collection)
        into = stack.enter_context(Store("sqlite://", mode="create"))
        layers, notes = part_by_layer(
            store, collection, into, options.selection, source
        )
        yield Held(into, layers, layers, notes=tuple(notes))
