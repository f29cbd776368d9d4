"""The names of collections, for who cannot wait for SQLAlchemy."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from graphscore.store.detect import is_store, is_url

_PATIENCE = 0.2
"""Seconds to wait for who writes."""


def collection_names(operand: str) -> list[str]:
    """The collections of a store that is a file, in alphabetical order.

    Args:
        operand: a path; of databases by their address nothing is known.

    Returns:
        Names; none where it is no store, or cannot be read.
    """
    if is_url(operand) or not is_store(operand):
        return []
    address = f"{Path(operand).absolute().as_uri()}?mode=ro"
    try:
        with closing(
            sqlite3.connect(address, uri=True, timeout=_PATIENCE)
        ) as connection:
            rows = connection.execute("SELECT name FROM collection ORDER BY name")
            return [str(name) for (name,) in rows]
    except sqlite3.Error:
        return []
