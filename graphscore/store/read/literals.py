"""Values as SQL writes them."""

from __future__ import annotations

from graphscore.exceptions import UsageError


def literal(value: str) -> str:
    """A string as SQL writes it.

    Args:
        value: any string.

    Returns:
        The literal, quoted.

    Example:
        >>> print(literal("it's"))
        'it''s'
    """
    if "\x00" in value:
        raise UsageError("a name cannot hold the NUL character")
    return "'" + value.replace("'", "''") + "'"
