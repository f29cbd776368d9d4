"""Work that is put off or saved: imports until names are used, the search for garbage.

What a package offers is said twice: under ``TYPE_CHECKING`` for type checkers, and
as a table of homes for the interpreter, so that nothing heavy is imported to find a
name.  A test holds the two together.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

try:  # hashlib has the same function, and takes all of OpenSSL with it.
    from _blake2 import blake2b as blake2b
except ImportError:
    from hashlib import blake2b as blake2b

OBJECTS = 100_000
"""Objects that are made before the youngest of them are looked through."""


def lazily(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a package whose names live in other modules.

    Args:
        package: the package's ``__name__``.
        homes: modules, named from the package, each with the names that it defines,
            separated by blanks.

    Returns:
        What module-level ``__getattr__`` should be; it raises ``AttributeError`` for
        names that no module has.

    Example:
        >>> find = lazily("graphscore", {"exceptions": "InputError UsageError"})
        >>> find("UsageError").__name__
        'UsageError'
    """
    modules = {name: home for home, names in homes.items() for name in names.split()}

    def found(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        with rarely_collected():
            return getattr(import_module(f"{package}.{modules[name]}"), name)

    return found


@contextmanager
def rarely_collected() -> Iterator[None]:
    """Look for cyclic garbage after thousands of new objects, not after hundreds.

    Ten thousand graphs are a million tuples without a cycle among them.  Walking them
    over and over takes a third of the time of making and comparing them.

    Example:
        >>> with rarely_collected():
        ...     gc.get_threshold()[0]
        100000
    """
    first, *others = gc.get_threshold()
    if not first or first >= OBJECTS:
        # Nothing is looked for, or another thread or the program has seen to it.
        yield
        return
    gc.set_threshold(OBJECTS, *others)
    try:
        yield
    finally:
        gc.set_threshold(first, *others)


def entry_points(group: str) -> Iterable[EntryPoint]:
    """Return what installed distributions offer under a group, mostly nothing.

    Args:
        group: such as ``graphscore.formats``.
    """
    if not any(_offers(folder or ".", group.encode()) for folder in sys.path):
        # importlib.metadata would take as long as to read and score a document.
        return ()
    from importlib import metadata

    return metadata.entry_points(group=group)


def _offers(folder: str, group: bytes) -> bool:
    """Return whether a distribution in a folder, or an archive, may offer a group."""
    from glob import iglob

    for file in iglob("*-[iI][nN][fF][oO]/entry_points.txt", root_dir=folder):
        with suppress(OSError), open(os.path.join(folder, file), "rb") as lines:
            if group in lines.read():
                return True
    return os.path.isfile(folder)
