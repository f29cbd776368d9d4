"""What is asked of the first object of a file where a row of the table does not do."""

from __future__ import annotations

from graphscore.formats.base import Fit
from graphscore.formats.shared.beginnings import First

_TYPE = "incident_type"


def iterx(first: First) -> Fit | float:
    """Whether an object has templates of IterX, under any name."""
    fields = first.fields
    if "docid" in fields or not fields:
        return 0.0
    if not all(isinstance(templates, list) for templates in fields.values()):
        return 0.0
    name, templates = next(iter(fields.items()))
    if not templates and len(fields) == 1:
        return Fit(0.3, f"its first object has no templates under {name!r}")
    if not templates or not isinstance(templates[0], dict):
        return 0.0
    slots = [value for key, value in templates[0].items() if key != _TYPE]
    filled = [fillers for fillers in slots if fillers]
    # A filler is a list of strings that mean the same.
    right = all(
        isinstance(fillers, list)
        and isinstance(fillers[0], list)
        and fillers[0]
        and isinstance(fillers[0][0], str)
        for fillers in filled
    )
    if not right or not all(isinstance(fillers, list) for fillers in slots):
        return 0.0
    if not filled and _TYPE not in templates[0]:
        return 0.0
    return Fit(0.9, f"its first object has templates under {name!r}")
