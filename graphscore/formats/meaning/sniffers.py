"""What files of this family begin with: light, for no reader is imported to tell."""

from __future__ import annotations

import re

from graphscore.formats.source import BOM

SDP_HEADER = re.compile(rb"#\s*SDP\s+(\d{4})\s*")
"""The first line of a file of SDP 2015, with its year."""

SYMBOL = r"[^\s:,<>(){}\[\]|#\"]"
"""A character of the ids of EDS."""

_AMR_SNIFFED = re.compile(rb"^\s*(?:#[^\n]*\n\s*)*\(\s*[^\s()/:~\"]*\s*(?:[/:)]|$)")
_METADATA = re.compile(rb"^\s*(?:#[^\n]*\n\s*)*#\s*::(?:id|snt|tok)\s")


def amr(head: bytes) -> bool:
    """Whether a file begins like one of amr."""
    head = head.removeprefix(BOM)
    return bool(_AMR_SNIFFED.match(head) or _METADATA.match(head))


_CLAUSE_START = re.compile(rb"^\s*b\d+ \S+ \S", re.MULTILINE)


def drg(head: bytes) -> bool:
    """Whether a file begins like one of drg."""
    start = head.removeprefix(BOM).lstrip()
    return start.startswith((b"%%%", b"b")) and bool(_CLAUSE_START.search(start))


_EDS_SNIFFED = re.compile(
    rf"(?:\s*#[^\n{{]*\n)*\s*(?:#[^\s{{]+\s*)?"
    rf"\{{(?:\s*\w{SYMBOL}*:|\s*:|\s*\((?:cyclic|fragmented)|\s*\||\s*\}})"
)


def eds(head: bytes) -> bool:
    """Whether a file begins like one of eds."""
    head = head.removeprefix(BOM)
    return bool(_EDS_SNIFFED.match(head.decode("utf-8", "replace")))


def mrp(head: bytes) -> bool:
    """Whether a file begins like one of mrp."""
    return head.removeprefix(BOM).lstrip().startswith(b"{")


_ROW = re.compile(
    rb"1\t[^\t\n]+\t[^\t\n]*\t[^\t\n]*\t[-+]\t[-+](\t|\r?$)", re.MULTILINE
)
_COMMENTS = re.compile(rb"(?:\s*#[^\n]*\n)*\s*")


def sdp(head: bytes) -> bool:
    """Whether a file begins like one of sdp."""
    head = head.removeprefix(BOM)
    if SDP_HEADER.match(head):
        return True
    comments = _COMMENTS.match(head)
    return bool(_ROW.match(head, comments.end() if comments else 0))


def ucca(head: bytes) -> bool:
    """Whether a file begins like one of ucca."""
    start = head.removeprefix(BOM).lstrip()
    marks = (b"passageID", b"layerID", b"schemeVersion", b"<unitGroups", b"<units")
    return (
        start.startswith((b"<?xml", b"<root", b"<!--"))
        and b"<root" in start
        and any(mark in start for mark in marks)
    )
