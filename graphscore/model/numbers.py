"""Whole numbers in files: as long as positions and ids are, and no longer.

The interpreter refuses to read numbers of more than some thousand digits, and takes
long over those below: what is longer than any number of a file is none.

>>> whole_number("17"), whole_number("9" * 5000), whole_number("-1"), whole_number("")
(17, None, None, None)
"""

from __future__ import annotations

MOST_DIGITS = 18
"""A number of so many digits fits into 64 bits."""


def whole_number(digits: str) -> int | None:
    """The number that plain digits are.

    Args:
        digits: as a file has them.

    Returns:
        The number; ``None`` if there is anything else among them, or if they are more
        than :data:`MOST_DIGITS`.
    """
    if len(digits) <= MOST_DIGITS and digits.isascii() and digits.isdigit():
        return int(digits)
    return None
