"""What formulas depend on beyond what they say: functions of one's own, and files."""

from __future__ import annotations

import dataclasses
import hashlib
import inspect
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from graphscore.similarity import Similarity
from graphscore.similarity.combining.embeddings import Embeddings
from graphscore.similarity.expression import Expression


def revision_of(formulas: Iterable[Similarity]) -> int:
    """1, or a digest of the functions that formulas call and the files they read.

    A formula says all that it is, but for what a function of one's own does, and what
    files of vectors say.

    Args:
        formulas: of one metric.

    Raises:
        UsageError: if a file cannot be read.
    """
    found = tuple(formulas)
    functions = dict.fromkeys(called(found))
    files = dict.fromkeys(embeddings_of(found))
    if not functions and not files:
        return 1
    source = "\n".join(map(inspect.getsource, functions)).encode()
    source += b"".join(each.digest() for each in files)
    digest = hashlib.blake2b(source, digest_size=4).digest()
    return int.from_bytes(digest, "big") >> 1


def called(part: object) -> Iterator[Callable[..., Any]]:
    """The functions of one's own in a formula, or in several."""
    for value in _values(part):
        own = callable(value) and hasattr(value, "__code__")
        if own and not value.__module__.startswith("graphscore."):
            yield value


def embeddings_of(part: object) -> Iterator[Embeddings]:
    """The files of vectors that a formula, or several, read."""
    for value in _values(part):
        if isinstance(value, Embeddings):
            yield value


def _values(part: object) -> Iterator[Any]:
    """All that a formula, or several, are made of."""
    yield part
    if isinstance(part, tuple):
        for each in part:
            yield from _values(each)
    elif isinstance(part, Expression) and dataclasses.is_dataclass(part):
        for field in dataclasses.fields(part):
            yield from _values(getattr(part, field.name))
