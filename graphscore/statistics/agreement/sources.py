"""Annotators as Python names them: files, graphs, collections of a store."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from os import PathLike, fspath
from typing import Any, NamedTuple

from graphscore.evaluation.options import Options, References
from graphscore.evaluation.store import Store
from graphscore.exceptions import UsageError, amount
from graphscore.formats.source import shown
from graphscore.inputs.alignment import several_sides
from graphscore.inputs.base import Taken
from graphscore.statistics.comparison import distinct
from graphscore.store.detect import best_mode, is_store


class Held(NamedTuple):
    """Annotators in a store."""

    store: Store
    collections: Sequence[str]
    names: Sequence[str]
    """What the annotators are called."""
    cls: type[Any] | None = None
    """The class of their objects, where they are of one."""
    notes: tuple[str, ...] = ()
    """What the user should know of how they were read."""


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

    Raises:
        InputError: if a file cannot be used.
        UsageError: if there are more or fewer names than annotators, or one of them
            is several references, or neither a file nor graphs.
    """
    annotators = [
        fspath(annotator) if isinstance(annotator, PathLike) else annotator
        for annotator in annotators
    ]
    for place, annotator in enumerate(annotators, 1):
        if isinstance(annotator, References):
            raise UsageError(
                f"annotator {place} is {annotator}: nobody is gold, name each by itself"
            )
        if not isinstance(annotator, Store | Iterable):
            raise UsageError(
                f"annotator {place} is {annotator!r}: expected a file or graphs"
            )
    first = annotators[0] if annotators else None
    path = first if isinstance(first, str) and is_store(first) else None
    in_store = isinstance(first, Store) or path is not None
    people = annotators[1:] if in_store else annotators
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
                [f"annotator {place}" for place in range(1, len(annotators) + 1)],
            )
            annotators = [first, *others]
        with Store("sqlite://", mode="create") as store:
            collections = [f"{place}" for place in range(len(annotators))]
            for name, side in zip(collections, annotators, strict=True):
                if isinstance(side, str):
                    store.ingest(side, name, reading=options.reading)
                    continue
                if isinstance(side, Taken):
                    notes += side.notes
                graphs = side if isinstance(side, Sequence) else list(side)
                store.add(graphs, name, keep_going=isinstance(side, Taken))
            yield Held(store, collections, called, cls, tuple(notes))
