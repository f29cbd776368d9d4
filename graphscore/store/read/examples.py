"""Everyday questions about a store as named SQL, as ``examples.sql`` has them."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import NamedTuple

from graphscore.exceptions import UsageError, did_you_mean


class Example(NamedTuple):
    """A question and the SQL that answers it."""

    name: str
    title: str
    sql: str


_TEXT = files("graphscore.store").joinpath("examples.sql").read_text("utf-8")

EXAMPLES: dict[str, Example] = {
    name: Example(name, title, sql.strip())
    for name, title, sql in re.findall(
        r"^-- ([a-z-]+): (.+)\n([^;]+);", _TEXT, re.MULTILINE
    )
}
"""Every question by its name."""


def find_example(name: str) -> Example:
    """Return a question by its name.

    Args:
        name: such as ``worst-everywhere``.

    Raises:
        UsageError: there is none of that name.
    """
    if name not in EXAMPLES:
        raise UsageError(
            f"there is no example {name!r}{did_you_mean(name, EXAMPLES)}; "
            f"there are: {', '.join(EXAMPLES)}"
        )
    return EXAMPLES[name]
