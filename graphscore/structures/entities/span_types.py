"""Keys that programs keep the type of a span under."""

from __future__ import annotations

from collections.abc import Sequence

TYPE_KEYS = (
    *("label", "labels", "type", "tag", "entity_group", "entity_type"),
    *("class", "category", "entity", "name"),
)
"""Keys that a span may have its type under, the first one that says something."""

EXPECTED_TYPE = f"a type under one of the keys {', '.join(TYPE_KEYS)}"
"""What messages expect where a span has no type."""


def untyped(keys: Sequence[str]) -> str:
    """Return what messages say of a span without a type.

    Args:
        keys: the keys that it has.

    Example:
        >>> untyped(["start", "end"]), untyped([])
        ('no type among the keys start, end', 'a range without a type')
    """
    if not keys:
        return "a range without a type"
    more = f" and {len(keys) - 12} more" if len(keys) > 12 else ""
    return f"no type among the keys {', '.join(keys[:12])}{more}"
