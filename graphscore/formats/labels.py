"""Names of tags that are numbers in a file, as ``--labels`` gives them.

>>> labels_of("O,B-PER,I-PER")
('O', 'B-PER', 'I-PER')
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from graphscore.duplicates import shown
from graphscore.exceptions import UsageError


def labels_of(given: str) -> tuple[str, ...]:
    """Return the names of tags, in the order of their numbers.

    Args:
        given: names with commas between them, or a file: a name to a line, a list of
            JSON, or an object of names by number, as ``id2label`` of a ``config.json``.

    Raises:
        UsageError: if there is no such file, or it has no names of all numbers.
    """
    if "," in given:
        return tuple(name.strip() for name in given.split(","))
    try:
        text = Path(given).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise UsageError(f"--labels {shown(given)}: {reason}") from None
    value: Any = text.split()
    if text.lstrip()[:1] in ("[", "{"):
        value = None
        with suppress(msgspec.DecodeError):
            value = msgspec.json.decode(text)
    if isinstance(value, dict):
        value = value.get("id2label", value)
    if isinstance(value, dict):
        value = [value.get(str(number)) for number in range(len(value))]
    if not value or not isinstance(value, list) or {*map(type, value)} != {str}:
        expected = "a name to a line, a list, or an object of names by number"
        raise UsageError(f"--labels {shown(given)}: no names of tags: {expected}")
    return tuple(value)
