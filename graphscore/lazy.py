"""Names of a package that are imported when they are first used.

What a package offers is said twice: under ``TYPE_CHECKING`` for type checkers, and
as a table of homes for the interpreter, so that nothing heavy is imported to find a
name.  A test holds the two together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


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
        return getattr(import_module(f"{package}.{modules[name]}"), name)

    return found
