"""Formats of one's own: a function that reads, or a dataclass whose objects are there.

``mine.py:read`` and ``module:read`` name a function from a binary stream, or from a
stream and the name of its file, to items (:mod:`graphscore.formats.function_reader`);
``mine.py:Report`` names a dataclass (:mod:`graphscore.formats.dataclass_reader`), or a
:class:`~graphscore.formats.base.Format`.  What is named is run, so names are taken from
the command line and from Python alone: no file, store or address ever names one.

>>> import json
>>> format_given("json:loads").name
'json:loads'
>>> format_given("mrp").name
'mrp'
"""

from __future__ import annotations

import hashlib
import inspect
import re
from dataclasses import replace
from typing import Any

from graphscore.exceptions import UsageError
from graphscore.formats.base import Format, Given, is_class
from graphscore.formats.registry import format_named, formats
from graphscore.plugins import PLACE, found_at
from graphscore.structures.layout import OBJECT


def format_given(choice: Given) -> Format:
    """The format that somebody asks for.

    Args:
        choice: the name of a format; ``file.py:name`` or ``module:name``; a function
            that reads, a dataclass, or a format.

    Raises:
        UsageError: if there is none, or what stands there cannot read.
    """
    if isinstance(choice, Format):
        if choice.source or choice.name in formats():
            return choice
        return replace(choice, source=_digest_of(choice.read))
    if not isinstance(choice, str):
        return _user_format(_name_of(choice), choice, _digest_of(choice))
    if re.fullmatch(PLACE, choice):
        result = found_at(choice, reads)
        return _user_format(choice.strip(), result.value, f"{result.digest:08x}")
    if choice.endswith(".py"):
        raise UsageError(f"{choice}: name the reader in this file, as in {choice}:read")
    return format_named(choice)


def reads(value: Any) -> bool:
    """Return whether a value may be named as a format: a function, class or format.

    Args:
        value: anything.
    """
    return isinstance(value, Format) or inspect.isfunction(value) or is_class(value)


def _user_format(location: str, value: Any, source: str) -> Format:
    """Return the object at a location as a format of that name."""
    if isinstance(value, Format):
        return replace(value, name=location, source=source)
    if is_class(value):
        # Only who reads so needs to know how.
        from graphscore.formats.dataclass_reader import reader_of_class

        read = reader_of_class(location, value)
        endings = (".jsonl", ".json")
        title = f"objects of {value.__name__}"
        return Format(location, title, (OBJECT,), endings, read, source=source)
    if callable(value):
        from graphscore.formats.function_reader import reader_of_function

        read = reader_of_function(location, value)
        return Format(location, "User-defined format", (), (), read, source=source)
    raise UsageError(
        f"{location}: found {type(value).__name__}, expected a function that reads a "
        "stream, or a dataclass"
    )


def _name_of(value: Any) -> str:
    """The place of a function or class that was given itself."""
    module = getattr(value, "__module__", None) or type(value).__module__
    return f"{module}:{getattr(value, '__qualname__', type(value).__qualname__)}"


def _digest_of(value: Any) -> str:
    """A digest of its source; of its name where there is none, as in a console."""
    try:
        source = inspect.getsource(value)
    except (OSError, TypeError):
        code = getattr(value, "__code__", None)
        source = repr((code.co_code, code.co_consts)) if code else _name_of(value)
    return hashlib.blake2b(source.encode(), digest_size=4).hexdigest()
