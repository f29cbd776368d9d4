"""Marks of objects that stand beside each other."""

from __future__ import annotations

SAME, DIFFERENT, MISSING, SPURIOUS, UNCOUNTED = "=", "~", "-", "+", " "
"""Matched in full, in part, gold alone, system alone, not counted."""

ALONE = (MISSING, SPURIOUS)
"""Marks of objects that gold alone or the system alone has."""

LEGEND = "= matched   ~ in part, with any credit   - only gold   + only system"


def marked(mark: str, credit: float | None) -> str:
    """A mark, and what an object that differs earns.

    >>> marked("=", None), marked("~", 0.5)
    ('=', '~ 0.5')
    """
    return mark if credit is None else f"{mark} {credit:.3g}"
