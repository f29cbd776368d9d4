"""External inputs of formulas: user-defined functions."""

from __future__ import annotations

import inspect
import marshal
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from msgspec.structs import astuple

from graphscore.exceptions import UsageError
from graphscore.lazy import blake2b
from graphscore.similarity import Similarity
from graphscore.similarity.expression import Expression

_REVISION = 2
"""Raised when formulas count in another way."""


def revision_of(formulas: Iterable[Similarity]) -> int:
    """The revision of formulas, or a digest of it and the functions that they call.

    A formula says all that it is, but for what a function of one's own does.

    Args:
        formulas: of one metric.

    Raises:
        UsageError: if a function cannot be told from others.
    """
    functions = dict.fromkeys(called(tuple(formulas)))
    if not functions:
        return _REVISION
    source = b"\n".join([b"%d" % _REVISION, *map(_identity, functions)])
    digest = blake2b(source, digest_size=4).digest()
    return int.from_bytes(digest, "big") >> 1


def called(part: object) -> Iterator[Callable[..., Any]]:
    """The functions of one's own in a formula, or in several."""
    for value in _values(part):
        own = callable(value) and not isinstance(value, type)
        if own and not str(value.__module__).startswith("graphscore."):
            yield value


def _identity(function: Callable[..., Any]) -> bytes:
    """Return a digest that tells a function from others of its name, where possible.

    Its source, or its bytecode where there is none, with its defaults, the object that
    it is a method of, and the values that it has of the function that made it; of what
    is not written in Python where it can be imported.  Globals that it uses are not
    looked at.

    Raises:
        UsageError: if such a value cannot be written down.
    """
    # Few formulas call functions of one's own.
    import pickle

    inner = inspect.unwrap(function)
    held = []
    if inspect.ismethod(inner):
        held, inner = [inner.__self__], inner.__func__
    try:
        if not inspect.isfunction(inner):
            return pickle.dumps(inner, protocol=5)
        held += [cell.cell_contents for cell in inner.__closure__ or ()]
        held += [*(inner.__defaults__ or ()), *(inner.__kwdefaults__ or {}).items()]
        kept = pickle.dumps(held, protocol=5) if held else b""
    except Exception as error:
        name = function.__name__
        raise UsageError(
            f"{name} cannot be told from other functions of that name ({error}): write "
            "a function in Python at the top level of a module, and what it needs there"
        ) from error
    try:
        return inspect.getsource(inner).encode() + kept
    except OSError:
        # What is typed into an interpreter has no file.
        return marshal.dumps(inner.__code__) + kept


def _values(part: object) -> Iterator[Any]:
    """All that a formula, or several, are made of."""
    yield part
    if isinstance(part, tuple):
        for item in part:
            yield from _values(item)
    elif isinstance(part, Expression):
        for value in astuple(part):
            yield from _values(value)
