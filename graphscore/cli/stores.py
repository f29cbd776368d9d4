"""Stores that commands fill with files, and in which they score systems."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations
from typing import TYPE_CHECKING

from graphscore.cli.operands import (
    Operands,
    collection_names,
    names_store,
    open_store,
    temporary_store,
)
from graphscore.exceptions import PairingError, UsageError

if TYPE_CHECKING:
    from graphscore.cli.options import ReaderArguments, Sides
    from graphscore.cli.output import Output
    from graphscore.evaluation.collection_selection import Scored
    from graphscore.evaluation.options import Options
    from graphscore.evaluation.store import Store
    from graphscore.metrics.base import Metric


def fill(
    store: Store,
    operands: Operands,
    names: Sequence[str],
    reading: ReaderArguments,
    output: Output,
    *,
    replace: bool = False,
    strict: bool = False,
) -> None:
    """Put files into a store; bad system records are reported and left out.

    Says what readers passed over, and if a collection holds graphs of other files too.
    """
    from graphscore.cli.progress import progress

    golds = len(operands.golds)
    paths = (*operands.golds, *operands.systems)
    files: dict[str, int] = {}
    for index, (path, name) in enumerate(zip(paths, names, strict=True)):
        rules = reading.of("gold" if index < golds else "system").reading()
        with progress(output, f"reading {path}") as update:
            reports = store.ingest(
                [path],
                name,
                reading=rules if index < golds else rules.lent(operands.golds[0]),
                replace=replace,
                keep_going=index >= golds and not strict,
                progress=update,
            )
        files[name] = len(reports)
        for note in dict.fromkeys(note for report in reports for note in report.notes):
            output.say(note)
    for collection in store.collections():
        if collection.files > files.get(collection.name, collection.files):
            output.say(
                f"{collection.name} holds graphs of other files too; all are scored"
            )


def _say_bad(store: Store, names: Sequence[str], output: Output) -> None:
    """Say how many records of each collection could not be read, and the first."""
    from graphscore.exceptions import amount
    from graphscore.store.read.queries import literal

    for name in names:
        _, rows = store.query(
            f"select message from v_rejected where collection = {literal(name)}"
        )
        messages = [str(message) for [message] in rows]
        if messages:
            first = messages[0].splitlines()[0]
            bad = amount(len(messages), "bad record")
            output.say(f"{name}: {bad}, left out; first {first}")


def scored_store(
    operands: Operands,
    reading: ReaderArguments,
    metrics: Sequence[Metric] | None,
    options: Options,
    output: Output,
    accepts: Callable[[Metric], bool] = lambda _: True,
) -> tuple[Store, str, list[Scored]]:
    """Return a store in which all systems are scored, whatever the operands.

    Files go into a temporary store.  Evaluations that a store has are read, and stay
    as they are; one where nothing is to be scored may be one that cannot be written.

    Args:
        operands: files or collections.
        reading: how files are read.
        metrics: what scores; ``None`` for the default metrics of what is there.
        options: how.
        output: is told of the reading and writing.
        accepts: which of them are asked for.

    Returns:
        The store, the gold collection, and every system with each metric.

    Raises:
        StoreError: if an evaluation is of other graphs, or of another revision of its
            metric, than there are now.
    """
    from graphscore.evaluation.collection_selection import StoreRequest

    ask = StoreRequest(metrics, options, accepts)
    if operands.store:
        gold = operands.gold
        store = open_store(operands.store)
        result = ask.chosen(store, gold, operands.systems)
        if ask.current(store, gold, result):
            return store, gold, result
        store = open_store(operands.store, "write", output, operands.wait)
    else:
        store = temporary_store(output)
        gold, *systems = names = collection_names(operands)
        fill(store, operands, names, reading, output)
        _say_bad(store, names, output)
        result = ask.chosen(store, gold, systems, "files")
    ask.score(store, gold, result)
    return store, gold, result


def annotators(
    operands: Sequence[str],
    sides: Sides,
    metrics: Sequence[Metric] | None,
    options: Options,
    reading: ReaderArguments,
    output: Output,
) -> tuple[Store, Sequence[str]]:
    """Return a store that holds all annotators, and their names in it.

    A single file or collection is parted by its layers, which are annotators.

    Args:
        operands: what was typed: files, or a store and collections of it.
        sides: ``--system`` names more of these.
        metrics: what compares them; ``None`` for the default metrics.
        options: how.
        reading: how files are read.
        output: is told of the reading and writing.

    Raises:
        UsageError: if there are no two.
    """
    first = operands[0]
    if names_store(
        operands[:1], reading, bool(sides.systems), "collections with --system"
    ):
        names = [*operands[1:], *sides.systems]
        store = open_store(first, output=output)
        if not names:
            raise UsageError(
                f"{first} is a store: name the collections of two or more "
                f"annotators after it; {store.describe_holdings()}"
            )
        if len(names) < 2:
            try:
                return _store_of_layers(store, names[0], names[0], options, output)
            except UsageError as error:
                raise UsageError(f"{error}; {store.describe_holdings()}") from None
        if not _is_there(store, names, metrics, options):
            store = open_store(first, "write", output)
        return store, names
    from graphscore.formats.streams import refuse_repeated

    refuse_repeated(operands)
    files = Operands(first, tuple(operands[1:]))
    store, names = temporary_store(output), collection_names(files)
    # Nobody is gold: what is bad is refused, whoever's it is.
    fill(store, files, names, reading, output, strict=True)
    if len(names) < 2:
        return _store_of_layers(store, names[0], first, options, output)
    return store, names


def _store_of_layers(
    store: Store, collection: str, source: str, options: Options, output: Output
) -> tuple[Store, Sequence[str]]:
    """Return a store that holds each layer of a collection as an annotator."""
    from graphscore.statistics.agreement.sources import part_by_layer

    into = temporary_store(output)
    layers, notes = part_by_layer(store, collection, into, options.selection, source)
    for note in notes:
        output.say(note)
    return into, layers


def _is_there(
    store: Store,
    names: Sequence[str],
    metrics: Sequence[Metric] | None,
    options: Options,
) -> bool:
    """Return whether every two are scored in both directions, with all graphs."""
    from graphscore.evaluation.collection_selection import StoreRequest

    ask = StoreRequest(metrics, options)
    try:
        return all(
            ask.current(store, a, ask.chosen(store, a, [b]))
            for a, b in permutations(names, 2)
        )
    except PairingError:
        # These two share nothing; that is said when the others are scored.
        return False
