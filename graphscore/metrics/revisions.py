"""The revision that a metric has now, by its canonical string.

Stores hold results of many metrics; which of them are outdated is asked whenever one is
opened.  Nothing of a user's own is run for that: of a module or a file only the source
is looked at.
"""

from __future__ import annotations

import sys
from importlib.machinery import PathFinder
from pathlib import Path

from graphscore.errors import GraphscoreError
from graphscore.metrics.registry import RULES, parse
from graphscore.own import PLACE, digest_of_source


def current_revision(metric: str) -> int | None:
    """The revision of a metric as it is now.

    Args:
        metric: its canonical string.

    Returns:
        The revision; ``None`` where it cannot be known: the metric is gone or a file
        of its own is not where it was, or it is a formula that goes by its notation.

    Example:
        >>> current_revision("mrp(order=free)") == parse("mrp").revision
        True
        >>> current_revision("nothing")
    """
    place = PLACE.fullmatch(metric.partition("(")[0])
    try:
        if place and not metric.startswith(RULES):
            source = _source_of(place[1].strip())
            if source is None or not source.is_file():
                return None
            return digest_of_source(source.read_bytes())
        return parse(metric).revision
    except (GraphscoreError, OSError):
        return None


def _source_of(module: str) -> Path | None:
    """Where the source of a module or a file is; nothing is imported to find it."""
    if module.endswith(".py"):
        return Path(module)
    folders: list[str] | None = ["", *sys.path]
    found = None
    for depth in range(module.count(".") + 1):
        name = ".".join(module.split(".")[: depth + 1])
        spec = PathFinder.find_spec(name, folders)
        if spec is None:
            return None
        found, folders = spec.origin, spec.submodule_search_locations
    return Path(found) if found else None
