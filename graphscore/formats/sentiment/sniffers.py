"""What files of this family begin with: light, for no reader is imported to tell."""

from __future__ import annotations

from graphscore.formats.base import NO_FIT, Fit
from graphscore.formats.shared.beginnings import first_object, with_keys


def semeval2022(head: bytes) -> Fit:
    """Whether a file begins with a sentence and its opinions."""
    first = first_object(head)
    if first is None or not first.seen("sent_id", "text"):
        return NO_FIT
    opinions = first.fields.get("opinions", "")
    return (
        with_keys(0.95, *first.seen("sent_id", "text", "opinions"))
        if isinstance(opinions, list | None)
        else NO_FIT
    )
