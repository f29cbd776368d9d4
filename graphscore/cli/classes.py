"""Files that hold the objects of the class that ``-m`` names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from graphscore.errors import UsageError

if TYPE_CHECKING:
    from graphscore.metrics.base import Metric

CLASS = "graphscore.class"
"""Where a context says which class ``-m`` names, whose objects files then hold."""


def class_to_read() -> str | None:
    """The class that ``-m`` names: without ``--format`` files hold its objects."""
    context = click.get_current_context(silent=True)
    found: str | None = context.meta.get(CLASS) if context else None
    return found


def note_class(metrics: Sequence[Metric]) -> None:
    """Remember the class that metrics are derived from, if there is one.

    Args:
        metrics: what ``-m`` names.

    Raises:
        UsageError: if there are several: files could not hold the objects of both.
    """
    context = click.get_current_context(silent=True)
    named = [str(each) for each in metrics if getattr(each, "of_class", False)]
    if context is None or not named:
        return
    context.meta[CLASS] = named[0]
    if len(named) > 1 and context.params.get("format") is None:
        raise UsageError(
            f"-m names the classes {' and '.join(named)}, expected one: --format names "
            "what files are read as"
        )


def derived_from_format() -> list[Metric] | None:
    """The metric of the class that ``--format`` names, where ``-m`` names none.

    Raises:
        UsageError: if there is no such class.
    """
    context = click.get_current_context(silent=True)
    named = context.params.get("format") if context else None
    if not named or ":" not in named:
        return None
    from graphscore.formats.base import is_class
    from graphscore.formats.own import reads
    from graphscore.metrics.registry import parse
    from graphscore.own import found_at

    return [parse(named)] if is_class(found_at(named, reads).value) else None
