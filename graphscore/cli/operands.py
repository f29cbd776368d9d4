"""What a verb's operands mean: two or more files, or a store and its collections."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from graphscore.errors import StoreError, UsageError
from graphscore.store.detect import is_store

if TYPE_CHECKING:
    from graphscore.cli.options import ReadingOptions
    from graphscore.cli.output import Output
    from graphscore.evaluation.options import Options
    from graphscore.evaluation.stored import Store
    from graphscore.metrics.base import Metric


@dataclass(frozen=True)
class FileOperands:
    """Files: one gold side, one or more systems."""

    gold: str
    systems: tuple[str, ...]


@dataclass(frozen=True)
class StoreOperands:
    """Collections of a store."""

    store: str
    gold: str
    systems: tuple[str, ...]


Operands = FileOperands | StoreOperands


def resolve(
    operands: Sequence[str],
    gold: str | None,
    systems: Sequence[str],
    reading: ReadingOptions,
) -> Operands:
    """Tell files from a store.

    Args:
        operands: what was typed.
        gold: ``--gold``; in a store it may be left out where the systems have
            been evaluated against one gold collection only.
        systems: ``--system``.
        reading: how files would be read.

    Raises:
        UsageError: if something is missing or does not go together.
        StoreError: if collections of a store that is not there are named.
    """
    first = operands[0]
    if is_store(first):
        if len(operands) > 1:
            raise UsageError(
                f"{first} is a store: name collections with --gold and --system, "
                f"not {operands[1]!r}"
            )
        if reading.given:
            raise UsageError(
                "--format and --document tell how a file is read; "
                f"{first} is a store, give them to ingest"
            )
        if gold is None and systems:
            gold = _only_gold(first, systems)
        if gold is None or not systems:
            raise UsageError(
                f"{first} is a store: name its collections with --gold and --system; "
                f"{_holdings(first)}"
            )
        return StoreOperands(first, gold, tuple(dict.fromkeys(systems)))
    if gold is not None or systems:
        if not os.path.exists(first):
            raise StoreError(f"{first}: no such store")
        raise UsageError(
            f"--gold and --system name collections of a store; {first} is not one"
        )
    if len(operands) < 2:
        raise UsageError(f"nothing to compare {first} with: give GOLD and SYSTEM")
    if operands.count("-") > 1:
        raise UsageError("standard input can be read only once")
    if len(operands) > 2 and _is_stream(first):
        raise UsageError(f"gold from {first} can be read only once: give one system")
    return FileOperands(first, tuple(operands[1:]))


def _is_stream(operand: str) -> bool:
    if operand == "-":
        return True
    try:
        return stat.S_ISFIFO(os.stat(operand).st_mode)
    except OSError:
        return False


def _only_gold(store: str, systems: Sequence[str]) -> str | None:
    """The gold collection that all these systems were evaluated against, if one."""
    from graphscore.evaluation.stored import Store

    with Store(store) as opened:
        made = opened.evaluations()
    golds = {each.gold for each in made if each.system in systems}
    known = {each.system for each in made}
    return golds.pop() if len(golds) == 1 and known >= set(systems) else None


def _holdings(store: str) -> str:
    from graphscore.evaluation.stored import Store

    with Store(store) as opened:
        names = [each.name for each in opened.collections()]
    return f"it holds: {', '.join(names)}" if names else "it holds nothing yet"


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
    paths = [operands.gold, *operands.systems]
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
    reading: ReadingOptions,
    output: Output,
    *,
    replace: bool = False,
    strict: bool = False,
) -> None:
    """Put files into a store; bad system records are reported and left out.

    Says so if a collection holds graphs of other files too.
    """
    from graphscore.cli.output import progress

    paths = (operands.gold, *operands.systems)
    files: dict[str, int] = {}
    for place, (path, name) in enumerate(zip(paths, names, strict=True)):
        with progress(output, f"reading {path}") as update:
            reports = store.ingest(
                [path],
                name,
                reading=reading.of("system" if place else "gold").reading(),
                replace=replace,
                keep_going=place > 0 and not strict,
                progress=update,
            )
        files[name] = len(reports)
    for each in store.collections():
        if each.files > files.get(each.name, each.files):
            output.say(f"{each.name} holds graphs of other files too; all are scored")


@contextmanager
def scored(
    operands: Operands,
    reading: ReadingOptions,
    metric: Metric,
    options: Options,
    output: Output,
) -> Iterator[tuple[Store, str, tuple[str, ...]]]:
    """A store in which all systems are scored, whatever the operands.

    Files go into a temporary store.  A store where nothing is to be done is only
    read, so that it may be one that cannot be written.

    Yields:
        The store, the gold collection and the system collections.
    """
    from graphscore.evaluation.stored import Store

    if isinstance(operands, StoreOperands):
        sides = operands.gold, operands.systems
        with Store(operands.store) as store:
            if all(store.is_current(sides[0], s, metric, options) for s in sides[1]):
                yield store, *sides
                return
        with Store(operands.store, mode="write", say=output.say) as store:
            for system in operands.systems:
                store.score(operands.gold, system, [metric], options)
            yield store, *sides
        return
    names = collection_names(operands)
    with TemporaryDirectory(prefix="graphscore-") as folder:
        path = str(Path(folder) / "scores.db")
        with Store(path, mode="create") as store:
            fill(store, operands, names, reading, output)
            for system in names[1:]:
                store.score(names[0], system, [metric], options)
            yield store, names[0], tuple(names[1:])
