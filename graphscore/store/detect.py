"""Detection of store operands on a command line, without importing SQLAlchemy."""

from __future__ import annotations

import os
import re
from typing import Literal

_HEADER = b"SQLite format 3\x00"

_URL = r"(?i)(sqlite|postgres|postgresql|mysql|mariadb|oracle|mssql)(\+\w+)?://"


def is_url(operand: str) -> bool:
    """Return whether *operand* is a database URL rather than a path.

    Args:
        operand: what the user typed.

    Returns:
        Whether it starts with the scheme of a known kind of database.

    Example:
        >>> is_url("sqlite:///runs.db"), is_url("runs.db"), is_url("c:/runs.db")
        (True, False, False)
    """
    return re.match(_URL, operand) is not None


def is_store(operand: str) -> bool:
    """Return whether *operand* names a database.

    Args:
        operand: a path or a URL.

    Returns:
        True for a database URL and for a file with SQLite's header; False for
        any other file, for directories, for pipes (which looking into would
        empty) and for what cannot be read.

    Example:
        >>> is_store("postgresql+psycopg://host/runs"), is_store("gold.mrp")
        (True, False)
    """
    if is_url(operand):
        return True
    try:
        if not os.path.isfile(operand):
            return False
        with open(operand, "rb") as file:
            return file.read(len(_HEADER)) == _HEADER
    except (OSError, ValueError):  # ValueError: a name with a NUL character
        return False


def best_mode(operand: str) -> Literal["read", "write"]:
    """Return the mode to open a store for scoring: to write, if that is possible.

    What was scored before is found again in a store that is only read; anything new is
    refused there.

    Args:
        operand: a path or a URL.

    Example:
        >>> best_mode("postgresql://host/runs")
        'write'
    """
    if is_url(operand):
        return "write"
    # SQLite makes files beside its own while it writes.
    beside = os.path.dirname(os.path.abspath(operand))
    able = os.access(operand, os.W_OK) and os.access(beside, os.W_OK)
    return "write" if able else "read"
