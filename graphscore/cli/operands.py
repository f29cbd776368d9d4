"""Operands of a command: two or more files, or a store and its collections."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import click

from graphscore.exceptions import StoreError, UsageError
from graphscore.store import WAIT
from graphscore.store.detect import is_store

if TYPE_CHECKING:
    from graphscore.cli.options import ReaderArguments, ScoringOptions, Sides
    from graphscore.cli.output import Output
    from graphscore.evaluation.store import Mode, Store


STORES = "graphscore.stores"
"""Key of a context that holds the stores that its command has opened."""


def open_store(
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
    from tempfile import TemporaryDirectory

    folder = click.get_current_context().with_resource(
        TemporaryDirectory(prefix="graphscore-")
    )
    return open_store(os.path.join(folder, "scores.db"), "create", output)


class Operands(NamedTuple):
    """Gold and systems, either files or collections of a store."""

    gold: str
    systems: tuple[str, ...]
    """Those of several runs are there one by one."""
    others: tuple[str, ...] = ()
    """Further references."""
    runs: tuple[tuple[str, int], ...] = ()
    """The name of each system, which is empty where none was given, and how many runs
    it has; empty where no system has runs."""
    store: str = ""
    """The store whose collections they are; empty where they are files."""
    wait: float = WAIT
    """Seconds to wait for another process that writes to the store."""
    files: tuple[str, ...] = ()
    """Names of the files that all sides, which are folders, have: each is scored by
    itself."""

    @property
    def golds(self) -> tuple[str, ...]:
        """All references, mostly one."""
        return self.gold, *self.others

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the systems; several runs are one."""
        if not self.runs:
            return self.systems
        names, left = [], iter(self.systems)
        for name, count in self.runs:
            runs = [next(left) for _ in range(count)]
            names.append(name or runs[0])
        return tuple(names)


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
    several: Literal["", "references", "runs"] = "",
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
        several: whether there may be several references, with commas between, or these
            and several runs of a system.

    Raises:
        UsageError: if something is missing or does not go together.
        StoreError: if collections of a store that is not there are named.
        PairingError: if none pairs with gold where no system is named.
    """
    first = operands[0]
    gold: str | Sequence[str] | None = sides.gold
    systems: Sequence[str] = sides.systems
    runs: tuple[tuple[str, int], ...] = ()
    golds = [gold] if isinstance(gold, str) else list(gold or ())
    if names_store(operands, reading, bool(golds or systems)):
        if any("=" in name for name in systems):
            known = set(open_store(first).collection_names())
            systems, runs = _runs(systems, known.__contains__, several)
        if not golds:
            from graphscore.evaluation.collection_selection import only_gold

            only = only_gold(open_store(first), systems)
            golds = [] if only is None else [only]
        if not golds:
            raise UsageError(
                f"{first} is a store: name its collections with --gold and --system; "
                f"{open_store(first).describe_holdings()}"
            )
        chosen = _one_or(named_golds(golds, first), bool(several))
        if not systems:
            from graphscore.evaluation.collection_selection import pairing_collections
            from graphscore.evaluation.options import Options

            options = Options(scoring.selection(), pair=scoring.pair, ids=scoring.ids)
            paired = pairing_collections(open_store(first), chosen, options)
            output.say(paired.said(chosen))
            systems = paired.taken
        taken = tuple(systems if runs else dict.fromkeys(systems))
        return Operands(chosen[0], taken, chosen[1:], runs, first)
    if len(operands) < 2:
        raise UsageError(f"nothing to compare {first} with: give GOLD and SYSTEM")
    from graphscore.formats.streams import refuse_repeated

    chosen = (first,)
    if "," in first:
        chosen = _one_or(split(first, is_there), bool(several))
    files, runs = _runs(operands[1:], is_there, several)
    refuse_repeated((*chosen, *files))
    return Operands(chosen[0], files, chosen[1:], runs)


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


def _runs(
    systems: Sequence[str], exists: Callable[[str], bool], several: str
) -> tuple[tuple[str, ...], tuple[tuple[str, int], ...]]:
    """Systems, of which ``NAME=RUN,RUN`` are several runs, and how these are grouped.

    Raises:
        UsageError: if there are several runs where there may be none.
    """
    taken: list[str] = []
    groups: list[tuple[str, int]] = []
    for system in systems:
        name, sign, names = system.partition("=")
        runs = split(names, exists) if name and sign and not exists(system) else ()
        if not any(map(exists, runs)):  # A name that is nowhere is none of runs.
            name, runs = "", (system,)
        taken += runs
        groups.append((name, len(runs)))
    named = [name for name, _ in groups if name]
    if named and several != "runs":
        raise UsageError(f"{named[0]}=: runs of a system go with score and compare")
    return tuple(taken), tuple(groups) if named else ()


def split(text: str, exists: Callable[[str], bool]) -> tuple[str, ...]:
    """The references that an operand names.

    A name that is there wins, whatever commas are in it, and the longest one first.

    Args:
        text: what was typed.
        exists: whether something has a name.

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
            if name and exists(name):
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
    known = set(open_store(store).collection_names())
    return tuple(name for gold in golds for name in split(gold, known.__contains__))


def one_system(command: str, target: Operands) -> UsageError:
    """Return the error for several systems where a command takes one.

    Args:
        command: its name.
        target: files or collections.
    """
    more = ""
    if target.store:
        more = f"; name one with --system: {', '.join(target.systems)}"
    return UsageError(f"{command} takes one system{more}")


def collection_names(operands: Operands) -> list[str]:
    """Names for the collections of files: their stems, if those differ.

    Args:
        operands: the files, gold first.

    Example:
        >>> collection_names(Operands("g/wsj.mrp", ("s/wsj.mrp.gz",)))
        ['g/wsj.mrp', 's/wsj.mrp.gz']
        >>> collection_names(Operands("gold.mrp", ("peking.mrp",)))
        ['gold', 'peking']
    """
    from graphscore.formats.source import name_of, written_out

    files = (*operands.golds, *operands.systems)
    paths = [*map(written_out, files)]
    stems = ["stdin" if path == "-" else name_of(path).split(".")[0] for path in paths]
    if all(stems) and len(set(stems)) == len(stems):
        return stems
    if len(set(paths)) == len(paths):
        return paths
    return [f"{number}:{path}" for number, path in enumerate(paths)]
