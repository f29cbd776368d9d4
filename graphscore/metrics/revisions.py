"""The revision that a metric has now, by its canonical string.

Stores hold results of many metrics; which of them are outdated is asked whenever one is
opened.  Only the store is opened for that: of a metric that needs code or a file of a
user's own it is not known until the user names it.  Nothing of that is run even then:
of a module or a file the source is looked at.
"""

from __future__ import annotations

import re
import sys
from importlib.machinery import PathFinder
from pathlib import Path

from graphscore.exceptions import GraphscoreError
from graphscore.metrics.registry import RULES, parse, stored_metric
from graphscore.plugins import PLACE, digest_of_source


def stored_revision(metric: str) -> int | None:
    """The revision that a metric of a store has now.

    Args:
        metric: its name in the store; see
            :func:`~graphscore.metrics.registry.stored_metric`.

    Returns:
        The revision; ``None`` where only the files and modules of a user could tell.

    Example:
        >>> stored_revision("mrp") == parse("mrp").revision
        True
        >>> stored_revision("rules:/dev/stdin")
    """
    known = stored_metric(metric)
    return None if known is None else known.revision


def current_revision(metric: str) -> int | None:
    """The revision that a metric has now which a user has named.

    Args:
        metric: its canonical string; never one that a store or a file holds.

    Returns:
        The revision; ``None`` where it cannot be known: the metric is gone or a file
        of its own is not where it was, or it is a formula that goes by its notation.

    Example:
        >>> current_revision("mrp(order=free)") == parse("mrp").revision
        True
        >>> current_revision("nothing")
    """
    match = re.fullmatch(PLACE, metric.partition("(")[0])
    try:
        if match and not metric.startswith(RULES):
            source = _source_of(match[1].strip())
            if source is None or not source.is_file():
                return None
            return digest_of_source(source.read_bytes())
        return parse(metric).revision
    except (GraphscoreError, OSError):
        return None


def _source_of(module: str) -> Path | None:
    """Return the source file of a module without importing it."""
    if module.endswith(".py"):
        return Path(module)
    folders: list[str] | None = ["", *sys.path]
    result = None
    for depth in range(module.count(".") + 1):
        name = ".".join(module.split(".")[: depth + 1])
        spec = PathFinder.find_spec(name, folders)
        if spec is None:
            return None
        result, folders = spec.origin, spec.submodule_search_locations
    return Path(result) if result else None
