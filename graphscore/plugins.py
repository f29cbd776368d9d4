"""User-defined objects in a Python file or a module, named ``file.py:name``.

Metrics (:mod:`graphscore.metrics.user`) and formats
(:mod:`graphscore.formats.user_formats`) are found in this way.  What is named is run:
names come from the command line or from Python, never from a file, a store or an
address.

>>> found_at("json:loads").value.__name__
'loads'
>>> found_at("json:nothing")
Traceback (most recent call last):
graphscore.exceptions.UsageError: json:nothing: json has no 'nothing'; there are: none
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import sys
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

from graphscore.exceptions import GraphscoreError, UsageError, did_you_mean
from graphscore.lazy import blake2b

PLACE = r"\s*([^():,\s][^():,]*):([A-Za-z_][A-Za-z0-9_]*)\s*"
"""Pattern of a location: a module or a file, a colon, a name in it."""


class LoadedObject(NamedTuple):
    """Object at a location."""

    value: Any
    """The object."""
    digest: int
    """Digest of its source."""


def found_at(
    reference: str,
    is_requested: Callable[[Any], bool] = lambda _: False,
    called: str = "there are",
) -> LoadedObject:
    """Return the object that a module or a file has under a name.

    Args:
        reference: ``module:name`` or ``file.py:name``.
        is_requested: whether a value is what is looked for, so that a message can name
            others that stand there.
        called: how messages call these.

    Returns:
        The object, and a digest of the module's source.

    Raises:
        UsageError: if there is no such module, file or name, or the module fails;
            with the file and the line where it does.
    """
    parts = re.fullmatch(PLACE, reference)
    if parts is None:
        raise UsageError(f"{reference!r} is not module:name or file.py:name")
    home = parts[1].strip()
    module = _module(home)
    if not hasattr(module, parts[2]):
        names = [
            name
            for name, value in vars(module).items()
            # What it imports has its own place.
            if not isinstance(value, type | FunctionType)
            or value.__module__ == module.__name__
            if not name.startswith("_") and is_requested(value)
        ]
        raise UsageError(
            f"{reference}: {home} has no {parts[2]!r}{did_you_mean(parts[2], names)}; "
            f"{called}: {', '.join(names) or 'none'}"
        )
    return LoadedObject(getattr(module, parts[2]), digest_of_source(source_of(module)))


def source_of(module: ModuleType) -> bytes:
    """The source of a module; nothing where it has none.

    Args:
        module: the module.
    """
    return _bytes_of(module.__file__) if module.__file__ else b""


def _bytes_of(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def digest_of_source(source: bytes) -> int:
    """The revision of what a module has: positive in 32 bits, as every one is.

    Args:
        source: the module's.
    """
    digest = blake2b(source, digest_size=4).digest()
    return int.from_bytes(digest, "big") >> 1


def _module(name: str) -> ModuleType:
    try:
        if name.endswith(".py"):
            return _file(name)
        # As for python -m: what is here can be imported.
        if "" not in sys.path:
            sys.path.insert(0, "")
        importlib.invalidate_caches()
        return importlib.import_module(name)
    except GraphscoreError:
        raise
    except ModuleNotFoundError as error:
        if error.name is not None and (name + ".").startswith(error.name + "."):
            raise UsageError(f"{name}: there is no such module") from None
        raise UsageError(f"{name}: {failure(error)}") from error
    except Exception as error:
        raise UsageError(f"{name}: {failure(error)}") from error


def _file(name: str) -> ModuleType:
    if not os.path.isfile(name):
        raise UsageError(f"{name}: there is no such file")
    # Under one name a file, so that workers find what they are sent;
    # and under another once it is edited.
    source = os.path.realpath(name).encode() + b"\0" + _bytes_of(name)
    unique = f"graphscore_user_{blake2b(source, digest_size=8).hexdigest()}"
    if unique in sys.modules:
        return sys.modules[unique]
    spec = importlib.util.spec_from_file_location(unique, name)
    if spec is None or spec.loader is None:
        raise UsageError(f"{name}: found a file that is not Python")
    module = importlib.util.module_from_spec(spec)
    sys.modules[unique] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[unique]
        raise
    return module


def failure(error: BaseException, file: str = "") -> str:
    """An error in a user's file, with the line where it is.

    Args:
        error: what was raised.
        file: the user's file: its line is said, whatever that calls; without, the line
            of what raised it.
    """
    if isinstance(error, SyntaxError) and not file:
        return f"{error.filename}:{error.lineno}: {error.msg}"
    location, trace = "", error.__traceback__
    while trace is not None:
        file_name = trace.tb_frame.f_code.co_filename
        if not file or file_name == file:
            location = f"{file_name}:{trace.tb_lineno}: "
        trace = trace.tb_next
    return f"{location}{type(error).__name__}: {error}"
