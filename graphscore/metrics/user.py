"""Metrics that users bring: a formula, a suite or a class in a Python file.

``-m mypkg.mymod:metric`` imports the module, ``-m path/to/mymod.py:metric`` runs
the file.  What stands there may be a formula about whole graphs, a mapping from
kinds to formulas, a metric, or a metric class with its parameters in brackets.
The metric goes by the string it was asked for with; its revision is a digest of
the module's source, so that an edited formula is never taken for the one whose
results are stored.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from graphscore.errors import GraphscoreError, UsageError
from graphscore.metrics.base import Metric, taken_from

PLACE = re.compile(r"\s*([^():,\s][^():,]*):([A-Za-z_][A-Za-z0-9_]*)\s*")
"""How a user's metric is named: a module or a file, a colon, a name in it."""


@dataclass(frozen=True)
class UserMetric(Metric):
    """A metric under the name by which a user asked for it.

    Args:
        place: module or file, and name in it, with parameters if there are any.
        inner: what stands there.
        digest: digest of the source.
    """

    place: str
    inner: Metric
    digest: int

    title = "a metric of one's own"

    name = taken_from("place")
    revision = taken_from("digest")
    citation = taken_from("inner.citation")
    follows = taken_from("inner.follows")
    unit = taken_from("inner.unit")
    frameworks = taken_from("inner.frameworks")
    kinds = taken_from("inner.kinds")
    main = taken_from("inner.main")
    aliases = taken_from("inner.aliases")
    total_kind = taken_from("inner.total_kind")
    averages = taken_from("inner.averages")
    batched = taken_from("inner.batched")
    leading = taken_from("inner.leading")
    less_is_better = taken_from("inner.less_is_better")
    joins = taken_from("inner.joins")
    layout = taken_from("inner.layout")
    error_kinds = taken_from("inner.error_kinds")
    normalization = taken_from("inner.normalization")
    applicable = taken_from("inner.applicable")
    prepare = taken_from("inner.prepare")
    compare = taken_from("inner.compare")
    compare_many = taken_from("inner.compare_many")
    figures = taken_from("inner.figures")
    lowest_best = taken_from("inner.lowest_best")
    brief = taken_from("inner.brief")
    remark_on = taken_from("inner.remark_on")
    remarks = taken_from("inner.remarks")
    tables = taken_from("inner.tables")

    @classmethod
    def parameters(cls) -> dict[str, tuple[Any, tuple[Any, ...] | type]]:
        """None: they are part of the name."""
        return {}

    def __str__(self) -> str:
        return self.place


def found_at(place: str) -> tuple[Any, int]:
    """What a module or a file has under a name.

    Args:
        place: ``module:name`` or ``file.py:name``.

    Returns:
        The object, and a digest of the module's source.

    Raises:
        UsageError: if there is no such module, file or name, or the module fails;
            with the file and the line where it does.
    """
    from graphscore.similarity import Similarity

    parts = PLACE.fullmatch(place)
    if parts is None:
        raise UsageError(f"{place!r} is not module:name or file.py:name")
    module = _module(parts[1].strip())
    if not hasattr(module, parts[2]):
        there = [
            name
            for name, value in vars(module).items()
            if isinstance(value, (Metric, Similarity))
        ]
        raise UsageError(
            f"{place}: {parts[1].strip()} has no {parts[2]!r}; metrics and formulas "
            f"in it: {', '.join(there) or 'none'}"
        )
    source = Path(str(module.__file__)).read_bytes() if module.__file__ else b""
    return getattr(module, parts[2]), digest_of_source(source)


def digest_of_source(source: bytes) -> int:
    """The revision of what a module has: positive in 32 bits, as every one is.

    Args:
        source: the module's.
    """
    digest = hashlib.blake2b(source, digest_size=4).digest()
    return int.from_bytes(digest, "big") >> 1


def as_metric(place: str, found: Any, digest: int) -> Metric:
    """A user's object as a metric.

    Args:
        place: what the user asked for.
        found: what stands there, a class already called with its parameters.
        digest: digest of its source.

    Raises:
        UsageError: if it is neither formula nor metric.
    """
    from graphscore.metrics.formula import suite
    from graphscore.similarity import Similarity

    if isinstance(found, Similarity) or (
        isinstance(found, Mapping)
        and found
        and all(isinstance(each, Similarity) for each in found.values())
    ):
        found = suite(place, found)
    if not isinstance(found, Metric):
        raise UsageError(
            f"{place}: found {type(found).__name__}, expected a formula, a mapping of "
            "kinds to formulas, or a metric"
        )
    return UserMetric(place, found, digest)


def is_class(found: Any) -> bool:
    """Whether a user's object is a metric that still wants its parameters."""
    return (
        isinstance(found, type)
        and issubclass(found, Metric)
        and not inspect.isabstract(found)
    )


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
        raise UsageError(f"{name}: {_where(error)}") from error
    except Exception as error:
        raise UsageError(f"{name}: {_where(error)}") from error


def _file(name: str) -> ModuleType:
    path = Path(name)
    if not path.is_file():
        raise UsageError(f"{name}: there is no such file")
    # Under one name a file, so that workers find what they are sent;
    # and under another once it is edited.
    source = str(path.resolve()).encode() + b"\0" + path.read_bytes()
    unique = f"graphscore_user_{hashlib.blake2b(source, digest_size=8).hexdigest()}"
    if unique in sys.modules:
        return sys.modules[unique]
    spec = importlib.util.spec_from_file_location(unique, path)
    if spec is None or spec.loader is None:
        raise UsageError(f"{name}: found a file that is no Python")
    module = importlib.util.module_from_spec(spec)
    sys.modules[unique] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[unique]
        raise
    return module


def _where(error: BaseException) -> str:
    """An error in a user's file, with the line where it is."""
    if isinstance(error, SyntaxError):
        return f"{error.filename}:{error.lineno}: {error.msg}"
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    place = ""
    if last is not None:
        place = f"{last.tb_frame.f_code.co_filename}:{last.tb_lineno}: "
    return f"{place}{type(error).__name__}: {error}"
