"""Detection of formats from the first object, where a row of the table does not do."""

from __future__ import annotations

from graphscore.formats.recognition import First


def doccano(first: First) -> float:
    """Return whether a text has entities and relations as doccano names them.

    Of empty lists nothing is known, but that both are there.
    """
    fields = first.fields
    lists = [fields.get("entities"), fields.get("relations")]
    if not isinstance(fields.get("text"), str) or not all(
        isinstance(values, list) for values in lists
    ):
        return 0.0
    keys = ("start_offset", "from_id")
    return 0.95 * all(
        not values or (isinstance(values[0], dict) and key in values[0])
        for values, key in zip(lists, keys, strict=True)
    )
