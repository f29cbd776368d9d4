"""Operands of a command: two or more files, or a store and its collections."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from graphscore.exceptions import PairingError, StoreError, UsageError
from graphscore.store.detect import is_store
from graphscore.store.turns import WAIT

if TYPE_CHECKING:
    from graphscore.cli.options import ReaderArguments, ScoringOptions, Sides
    from graphscore.cli.output import Output
    from graphscore.evaluation.default_metrics import Choice
    from graphscore.evaluation.options import Options
    from graphscore.evaluation.store import Mode, Store
    from graphscore.metrics.base import Metric


STORES = "graphscore.stores"
"""Key of a context that holds the stores that its command has opened."""


def opened(
    name: str, mode: Mode = "read", output: Output | None = None, wait: float = WAIT
) -> Store:
    """Return the store of a command, which is open until the command ends.

    It is opened once; again only if it is to be written after it was read.

    Args:
        name: a path or a URL.
        mode: what is done with it.
        output: is told of a migration, and for whom is waited.
        wait: seconds to wait for another process that writes to the store.
    """
    from graphscore.evaluation.store import Store

    context = click.get_current_context()
    stores: dict[str, tuple[Store, Mode]] = context.meta.setdefault(STORES, {})
    if name in stores and mode not in ("read", stores[name][1]):
        stores.pop(name)[0].close()
    if name not in stores:
        say = output.say if output is not None else None
        store = context.with_resource(Store(name, mode=mode, say=say, wait=wait))
        stores[name] = store, mode
    return stores[name][0]


def temporary_store(output: Output) -> Store:
    """Return an empty store that is gone when the command ends."""
    folder = click.get_current_context().with_resource(
        TemporaryDirectory(prefix="graphscore-")
    )
    return opened(str(Path(folder) / "scores.db"), "create", output)


@dataclass(frozen=True)
class FileOperands:
    """Files: one gold side, one or more systems."""

    gold: str
    systems: tuple[str, ...]
    others: tuple[str, ...] = ()
    """Further references."""

    @property
    def golds(self) -> tuple[str, ...]:
        """All references, mostly one."""
        return self.gold, *self.others


@dataclass(frozen=True)
class StoreOperands:
    """Collections of a store."""

    store: str
    gold: str
    systems: tuple[str, ...]
    others: tuple[str, ...] = ()
    """Further references."""
    wait: float = WAIT
    """Seconds to wait for another process that writes to the store."""

    @property
    def golds(self) -> tuple[str, ...]:
        """All references, mostly one."""
        return self.gold, *self.others


Operands = FileOperands | StoreOperands


def gold_of(golds: Sequence[str]) -> Any:
    """Return the gold side, or several as references."""
    from graphscore.evaluation.options import References

    return golds[0] if len(golds) == 1 else References(*golds)


def resolve(
    operands: Sequence[str],
    sides: Sides,
    reading: ReaderArguments,
    scoring: ScoringOptions,
    output: Output,
    *,
    several: bool = False,
) -> Operands:
    """Tell files from a store.

    Args:
        operands: what was typed.
        sides: ``--gold`` and ``--system``; in a store the first may be left out where
            the systems have been evaluated against one gold collection only, and all
            collections that pair with gold are systems without the second.
        reading: how files would be read.
        scoring: what takes part, and how it pairs.
        output: is told which collections were found.
        several: whether there may be several references, with commas between.

    Raises:
        UsageError: if something is missing or does not go together.
        StoreError: if collections of a store that is not there are named.
        PairingError: if none pairs with gold where no system is named.
    """
    first = operands[0]
    gold: str | Sequence[str] | None = sides.gold
    systems: Sequence[str] = sides.systems
    golds = [gold] if isinstance(gold, str) else list(gold or ())
    if names_store(operands, reading, bool(golds or systems)):
        if not golds:
            from graphscore.evaluation.collection_selection import only_gold

            only = only_gold(opened(first), systems)
            golds = [] if only is None else [only]
        if not golds:
            raise UsageError(
                f"{first} is a store: name its collections with --gold and --system; "
                f"{opened(first).describe_holdings()}"
            )
        chosen = _one_or(named_golds(golds, first), several)
        if not systems:
            from graphscore.evaluation.collection_selection import pairing_collections
            from graphscore.evaluation.options import Options

            options = Options(scoring.selection(), pair=scoring.pair, ids=scoring.ids)
            paired = pairing_collections(opened(first), chosen, options)
            output.say(paired.said(chosen))
            systems = paired.taken
        once = tuple(dict.fromkeys(systems))
        return StoreOperands(first, chosen[0], once, chosen[1:])
    if len(operands) < 2:
        raise UsageError(f"nothing to compare {first} with: give GOLD and SYSTEM")
    from graphscore.formats.streams import refuse_repeated

    chosen = (first,)
    if "," in first:
        chosen = _one_or(split(first, is_there), several)
    refuse_repeated((*chosen, *operands[1:]))
    return FileOperands(chosen[0], tuple(operands[1:]), chosen[1:])


def names_store(
    operands: Sequence[str],
    reading: ReaderArguments,
    named: bool,
    how: str = "collections with --gold and --system",
) -> bool:
    """True if a store is named, and not files.

    Args:
        operands: what was typed.
        reading: how files would be read.
        named: whether options name collections of a store.
        how: what names them, as part of a message.

    Raises:
        UsageError: if something does not go together.
        StoreError: if collections of a store that is not there are named.
    """
    first = operands[0]
    if is_store(first):
        if len(operands) > 1:
            raise UsageError(f"{first} is a store: name {how}, not {operands[1]!r}")
        if reading.given:
            raise UsageError(
                f"--format and --document are for files, and {first} is a store: "
                "give them to ingest"
            )
        return True
    if named:
        if not os.path.exists(first):
            raise StoreError(f"{first}: no such store")
        options = " and ".join(re.findall(r"--\w+", how))
        name = "names" if " and " not in options else "name"
        raise UsageError(f"{options} {name} collections of a store; {first} is not one")
    return False


def _one_or(golds: tuple[str, ...], several: bool) -> tuple[str, ...]:
    """References, if there are no more than there may be.

    Raises:
        UsageError: if there are several where there may be one.
    """
    if len(golds) > 1 and not several:
        raise UsageError(
            f"{','.join(golds)}: only score, compare and whatif take several references"
        )
    return golds


def split(text: str, there: Callable[[str], bool]) -> tuple[str, ...]:
    """The references that an operand names.

    A name that is there wins, whatever commas are in it, and the longest one first.

    Args:
        text: what was typed.
        there: whether something has a name.

    Returns:
        One or more; what is nowhere is cut at every comma, if anything else is there.

    Raises:
        UsageError: if there is nothing between two commas.

    Example:
        >>> split("a,b,c,d", {"a,b", "d"}.__contains__)
        ('a,b', 'c', 'd')
        >>> split("a,b", set().__contains__)
        ('a,b',)
    """
    parts = text.split(",")
    result: list[str] = []
    known = False
    while parts:
        for end in range(len(parts), 0, -1):
            name = ",".join(parts[:end])
            if name and there(name):
                known = True
                break
        else:
            end, name = 1, parts[0]
        result.append(name)
        parts = parts[end:]
    if not known:
        return (text,)
    if not all(result):
        raise UsageError(f"{text}: expected a name before and after every comma")
    return tuple(result)


def is_there(operand: str) -> bool:
    """Return whether an operand is a file, folder, matching pattern or stream."""
    if operand == "-":
        return True
    try:
        exists = os.path.exists(operand)
    except ValueError:  # A NUL.
        return False
    return exists or (glob.has_magic(operand) and bool(glob.glob(operand)))


def named_golds(golds: Sequence[str], store: str) -> tuple[str, ...]:
    """The gold collections that are named, perhaps several with commas between.

    Args:
        golds: the values of ``--gold``.
        store: where they are; it is only asked where there is a comma.
    """
    if not any("," in gold for gold in golds):
        return tuple(golds)
    known = set(opened(store).collection_names())
    return tuple(name for gold in golds for name in split(gold, known.__contains__))


def one_system(command: str, target: Operands) -> UsageError:
    """Return the error for several systems where a command takes one.

    Args:
        command: its name.
        target: files or collections.
    """
    more = ""
    if isinstance(target, StoreOperands):
        more = f"; name one with --system: {', '.join(target.systems)}"
    return UsageError(f"{command} takes one system{more}")


def collection_names(operands: FileOperands) -> list[str]:
    """Names for the collections of files: their stems, if those differ.

    Args:
        operands: the files, gold first.

    Example:
        >>> collection_names(FileOperands("g/wsj.mrp", ("s/wsj.mrp.gz",)))
        ['g/wsj.mrp', 's/wsj.mrp.gz']
        >>> collection_names(FileOperands("gold.mrp", ("peking.mrp",)))
        ['gold', 'peking']
    """
    from graphscore.formats.source import written_out

    files = (*operands.golds, *operands.systems)
    paths = [*map(written_out, files)]
    stems = [
        "stdin" if path == "-" else Path(path).name.split(".")[0] for path in paths
    ]
    if all(stems) and len(set(stems)) == len(stems):
        return stems
    if len(set(paths)) == len(paths):
        return paths
    return [f"{number}:{path}" for number, path in enumerate(paths)]


def fill(
    store: Store,
    operands: FileOperands,
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
    from graphscore.cli.output import progress

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
    from graphscore.store.read.literals import literal

    for name in names:
        _, rows = store.query(
            f"select message from v_rejected where collection = {literal(name)}"
        )
        messages = [str(message) for [message] in rows]
        if messages:
            first = messages[0].splitlines()[0]
            bad = amount(len(messages), "bad record")
            output.say(f"{name}: {bad}, left out; first {first}")


Scored = tuple[str, "Choice", str]
"""A system, a metric that scored it, and what was scored."""


def scored(
    operands: Operands,
    reading: ReaderArguments,
    metrics: Sequence[Metric] | None,
    options: Options,
    output: Output,
    wanted: Callable[[Metric], bool] = lambda _: True,
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
        wanted: which of them are asked for.

    Returns:
        The store, the gold collection, and every system with each metric.

    Raises:
        StoreError: if an evaluation is of other graphs, or of another revision of its
            metric, than there are now.
    """
    from graphscore.evaluation.storing import StoreRequest

    ask = StoreRequest(metrics, options, wanted)
    if isinstance(operands, StoreOperands):
        gold = operands.gold
        store = opened(operands.store)
        result = ask.chosen(store, gold, operands.systems)
        if ask.current(store, gold, result):
            return store, gold, result
        store = opened(operands.store, "write", output, operands.wait)
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
        store = opened(first, output=output)
        if not names:
            raise UsageError(
                f"{first} is a store: name the collections of two or more "
                f"annotators after it; {store.describe_holdings()}"
            )
        if len(names) < 2:
            try:
                return _parted(store, names[0], names[0], options, output)
            except UsageError as error:
                raise UsageError(f"{error}; {store.describe_holdings()}") from None
        if not _is_there(store, names, metrics, options):
            store = opened(first, "write", output)
        return store, names
    from graphscore.formats.streams import refuse_repeated

    refuse_repeated(operands)
    files = FileOperands(first, tuple(operands[1:]))
    store, names = temporary_store(output), collection_names(files)
    # Nobody is gold: what is bad is refused, whoever's it is.
    fill(store, files, names, reading, output, strict=True)
    if len(names) < 2:
        return _parted(store, names[0], first, options, output)
    return store, names


def _parted(
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
    from graphscore.evaluation.storing import StoreRequest

    ask = StoreRequest(metrics, options)
    try:
        return all(
            ask.current(store, a, ask.chosen(store, a, [b]))
            for a, b in permutations(names, 2)
        )
    except PairingError:
        # These two share nothing; that is said when the others are scored.
        return False
