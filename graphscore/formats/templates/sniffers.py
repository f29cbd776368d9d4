"""What files of this family begin with: light, for no reader is imported to tell."""

from __future__ import annotations

import re

from graphscore.formats.source import BOM, is_json

_BETTER_KEYS = re.compile(
    rb'"(?:corpus-id|annotation-sets|segment-text)"\s*+:|"format-type"\s*+:\s*+"bp-'
)


def better(head: bytes) -> bool:
    """Whether a file begins like one of better."""
    return is_json(head, _BETTER_KEYS)


_DOCUMENT = re.compile(rb'"docid"\s*+:|\A\{\s*+"[^"\\\n]*+"\s*+:\s*+\{')
_GRIT_KEYS = re.compile(rb'"(?:pred_|gold_)?(extracts|templates|all-spans)"\s*+:')
_CUT = re.compile(rb'"doctext"\s*+:\s*+"(?:[^"\\]|\\.)*+\\?\Z')


def grit(head: bytes) -> bool:
    """Whether a file begins like one of GRIT, or is cut off in its first text.

    Where the first text is so long that no other key can be seen, the reader finds
    out by itself whether it is a file of GRIT or of GTT.
    """
    if not is_json(head, _DOCUMENT):
        return False
    seen = {key[1] for key in _GRIT_KEYS.finditer(head)}
    return b"extracts" in seen or (not seen and _CUT.search(head) is not None)


_GTT_KEYS = re.compile(rb'"(?:pred_|gold_)?templates"\s*+:\s*+\[')
_OTHER = re.compile(rb'"(?:(?:pred_|gold_)?extracts|all-spans|doctext-tok)"\s*+:')


def gtt(head: bytes) -> bool:
    """Whether a file begins like one of GTT."""
    return is_json(head, _DOCUMENT, _GTT_KEYS, without=_OTHER)


_NAMED = rb'\{\s*+"[^"\\\n]*+"\s*+:\s*+\[\s*+'
_SLOT = rb'"[^"\\\n]*+"\s*+:\s*+'
_EMPTY = re.compile(_NAMED + rb"\]\s*+\}[ \t\r]*+(?:\n|\Z)")
_TEMPLATE = re.compile(
    _NAMED
    + rb'\{\s*+(?:"incident_type"\s*+:|(?:'
    + _SLOT
    + rb"\[\s*+\]\s*+,\s*+)*+"
    + rb"(?:"
    + _SLOT
    + rb'\[\s*+\[\s*+"|"incident_type"\s*+:))'
)
_GOLD = re.compile(rb'"docid"\s*+:')
_TOKENS = re.compile(rb'"(?:all-spans|doctext-tok)"\s*+:')


def iterx(head: bytes) -> bool:
    """Whether a file begins like one of iterx."""
    start = head.removeprefix(BOM).lstrip()
    if _EMPTY.match(start) or _TEMPLATE.match(start):
        return True
    return is_json(start, _GOLD, _TOKENS)


_FIRST = re.compile(rb"^[ \t]*+0\.\s+MESSAGE:? ID\b", re.MULTILINE)


def muc(head: bytes) -> bool:
    """Whether a file begins like one of muc."""
    return _FIRST.search(head.removeprefix(BOM)) is not None
