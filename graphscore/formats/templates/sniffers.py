"""What files of this family begin with: light, for no reader is imported to tell."""

from __future__ import annotations

import re
from typing import Any

from graphscore.formats.base import NO_FIT, Fit
from graphscore.formats.shared.beginnings import First, first_object, with_keys
from graphscore.formats.source import BOM

_BETTER_KEYS = ("corpus-id", "annotation-sets", "segment-text")
_KIND = "format-type"


def better(head: bytes) -> Fit:
    """Whether a file begins like one of better."""
    first = first_object(head)
    if first is None:
        return NO_FIT
    if seen := first.seen(*_BETTER_KEYS):
        return with_keys(0.95, *seen)
    if str(first.fields.get(_KIND, "")).startswith("bp-"):
        return with_keys(0.95, _KIND)
    entries = first.fields.get("entries")
    if isinstance(entries, dict):
        entry = next(iter(entries.values()), None)
        inside = [
            key for key in _BETTER_KEYS if isinstance(entry, dict) and key in entry
        ]
        if inside:
            return with_keys(0.9, "entries")
    return NO_FIT


_PREFIXES = ("", "pred_", "gold_")


def _documents(first: First) -> tuple[dict[str, Any], list[str]]:
    """A document of gold or of predictions, and what says that it is one."""
    fields = first.fields
    if "docid" in fields:
        return fields, ["docid"]
    inside = next(iter(fields.values()), None)
    if not isinstance(inside, dict):
        return {}, []
    return inside, [key for key in ("doctext",) if key in inside]


def _keys(document: dict[str, Any], name: str, kind: type) -> list[str]:
    """The keys of one name, with and without a prefix."""
    keys = [prefix + name for prefix in _PREFIXES]
    return [key for key in keys if isinstance(document.get(key), kind)]


def grit(head: bytes) -> Fit:
    """Whether a file begins like one of GRIT.

    Where a document has a text and nothing else that can be seen, the reader finds out
    by itself whether it is a file of GRIT or of GTT.
    """
    first = first_object(head)
    if first is None:
        return NO_FIT
    document, marks = _documents(first)
    if seen := _keys(document, "extracts", dict):
        return with_keys(0.95, *marks, *seen)
    if marks and not _keys(document, "templates", list):
        return with_keys(0.3, *marks)
    return NO_FIT


_OTHER = ("all-spans", "doctext-tok")


def gtt(head: bytes) -> Fit:
    """Whether a file begins like one of GTT."""
    first = first_object(head)
    if first is None:
        return NO_FIT
    document, marks = _documents(first)
    if _keys(document, "extracts", dict) or any(key in document for key in _OTHER):
        return NO_FIT
    seen = _keys(document, "templates", list)
    return with_keys(0.6 if first.cut else 0.9, *marks, *seen) if seen else NO_FIT


_TYPE = "incident_type"


def iterx(head: bytes) -> Fit:
    """Whether a file begins like one of iterx."""
    first = first_object(head)
    if first is None:
        return NO_FIT
    if "docid" in first.fields:
        seen = first.seen(*_OTHER)
        return with_keys(0.95, "docid", *seen) if seen else NO_FIT
    if not first.fields or not all(isinstance(e, list) for e in first.fields.values()):
        return NO_FIT
    name, found = next(iter(first.fields.items()))
    if not found and len(first.fields) == 1:
        return Fit(0.3, f"its first object has no templates under {name!r}")
    if not found or not isinstance(found[0], dict):
        return NO_FIT
    slots = {key: value for key, value in found[0].items() if key != _TYPE}
    # A filler is a list of strings that mean the same.
    filled = [each for each in slots.values() if each]
    right = all(
        isinstance(each, list)
        and isinstance(each[0], list)
        and each[0][:1]
        and isinstance(each[0][0], str)
        for each in filled
    )
    if not all(isinstance(each, list) for each in slots.values()):
        return NO_FIT
    if right and (_TYPE in found[0] or filled):
        return Fit(0.9, f"its first object has templates under {name!r}")
    return NO_FIT


_FIRST = re.compile(rb"^[ \t]*+0\.\s+MESSAGE:? ID\b", re.MULTILINE)


def muc(head: bytes) -> Fit:
    """Whether a file begins like one of muc."""
    if _FIRST.search(head.removeprefix(BOM)):
        return Fit(1.0, "a line of it is slot 0, MESSAGE: ID")
    return NO_FIT
