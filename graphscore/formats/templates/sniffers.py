"""What files of this family begin with: light, for no reader is imported to tell."""

from __future__ import annotations

import re

from graphscore.formats.source import BOM

_BETTER_KEYS = re.compile(
    rb'"(?:corpus-id|annotation-sets|segment-text)"\s*+:|"format-type"\s*+:\s*+"bp-'
)


def better(head: bytes) -> bool:
    """Whether a file begins like one of better."""
    start = head.removeprefix(BOM).lstrip()
    return start.startswith(b"{") and _BETTER_KEYS.search(start) is not None


_GRIT_DOCUMENT = re.compile(rb'"docid"\s*+:|\A\{\s*+"[^"\\\n]*+"\s*+:\s*+\{')
_GRIT_KEYS = re.compile(rb'"(?:pred_|gold_)?(extracts|templates|all-spans)"\s*+:')
_CUT = re.compile(rb'"doctext"\s*+:\s*+"(?:[^"\\]|\\.)*+\\?\Z')


def grit(head: bytes) -> bool:
    """Whether a file begins like one of GRIT, or is cut off in its first text.

    Where the first text is so long that no other key can be seen, the reader finds
    out by itself whether it is a file of GRIT or of GTT.
    """
    start = head.removeprefix(BOM).lstrip()
    if not start.startswith(b"{") or not _GRIT_DOCUMENT.search(start):
        return False
    seen = {key[1] for key in _GRIT_KEYS.finditer(start)}
    return b"extracts" in seen or (not seen and _CUT.search(start) is not None)


_GTT_DOCUMENT = re.compile(rb'"docid"\s*+:|\A\{\s*+"[^"\\\n]*+"\s*+:\s*+\{')
_GTT_KEYS = re.compile(rb'"(?:pred_|gold_)?templates"\s*+:\s*+\[')
_OTHER = re.compile(rb'"(?:(?:pred_|gold_)?extracts|all-spans|doctext-tok)"\s*+:')


def gtt(head: bytes) -> bool:
    """Whether a file begins like one of GTT."""
    start = head.removeprefix(BOM).lstrip()
    return (
        start.startswith(b"{")
        and _GTT_DOCUMENT.search(start) is not None
        and _GTT_KEYS.search(start) is not None
        and _OTHER.search(start) is None
    )


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
    gold = start.startswith(b"{") and _GOLD.search(start) is not None
    return gold and _TOKENS.search(start) is not None


_FIRST = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:\s*+;[^\n]*\n|\s*\n)*+\s*+0\.\s+MESSAGE:? ID\b"
)


def muc(head: bytes) -> bool:
    """Whether a file begins like one of muc."""
    return _FIRST.match(head.removeprefix(BOM)) is not None
