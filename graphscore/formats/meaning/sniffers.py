"""What files of this family begin with: light, for no reader is imported to tell."""

from __future__ import annotations

import re

from graphscore.formats.base import NO_FIT, Fit
from graphscore.formats.shared.beginnings import first_object, with_keys
from graphscore.formats.source import BOM

SDP_HEADER = re.compile(rb"#\s*SDP\s+(\d{4})\s*")
"""The first line of a file of SDP 2015, with its year."""

SYMBOL = r"[^\s:,<>(){}\[\]|#\"]"
"""A character of the ids of EDS."""

_AMR_SNIFFED = re.compile(
    rb"\s*+(?:#[^\n]*+\n\s*+)*+\(\s*+[^\s()/:~\"]*+\s*+(?:[/:)]|$)"
)
_METADATA = re.compile(rb"\s*+(?:#[^\n]*\n\s*+)*#\s*+::(?:id|snt|tok)\s")


def amr(head: bytes) -> Fit:
    """Whether a file begins like one of amr."""
    head = head.removeprefix(BOM)
    if _AMR_SNIFFED.match(head):
        return Fit(0.9, "it begins with a graph in brackets, as PENMAN has it")
    if _METADATA.match(head):
        return Fit(0.6, "it begins with the metadata of AMR (# ::id, # ::snt, # ::tok)")
    return NO_FIT


_CLAUSE_START = re.compile(rb"^[ \t]*+[bk]\d++ \S++ \S", re.MULTILINE)


def drg(head: bytes) -> Fit:
    """Whether a file begins like one of drg."""
    start = head.removeprefix(BOM).lstrip()
    if start.startswith((b"%%%", b"b")) and _CLAUSE_START.search(start):
        return Fit(0.9, "its first lines are clauses of boxes (b1 REF x1)")
    return NO_FIT


_EDS_SNIFFED = re.compile(
    rf"(?:\s*#[^\n{{]*\n)*\s*(?:#[^\s{{]+\s*)?"
    rf"\{{(?:\s*\w{SYMBOL}*:|\s*:|\s*\((?:cyclic|fragmented)|\s*\||\s*\}})"
)


_NOTHING = re.compile(rb"\s*\{[{}\s]*")


def eds(head: bytes) -> Fit:
    """Whether a file begins like one of eds."""
    head = head.removeprefix(BOM)
    if _NOTHING.fullmatch(head):
        # An empty graph, or an empty object of JSON.
        return Fit(0.2, "it begins with empty braces")
    if _EDS_SNIFFED.match(head.decode("utf-8", "replace")):
        return Fit(0.9, "it begins with a graph in braces, as EDS has it")
    return NO_FIT


_OTHER = ("nodes", "edges", "tops", "flavor", "input")


def mrp(head: bytes) -> Fit:
    """Whether the first object names a framework, or has nodes and the like.

    Any other object may be one whose framework was forgotten.
    """
    first = first_object(head)
    if first is None:
        return NO_FIT
    seen = first.seen("id", *_OTHER)
    if first.has("framework", str) and seen:
        return with_keys(0.95, "framework", *seen)
    if len(seen) > 1 or first.has("nodes", list):
        return with_keys(0.4, *seen)
    if first.has("framework", str) and first.cut:
        return with_keys(0.2, "framework")
    return Fit(0.1, "it begins with a JSON object")


_SBN_START = re.compile(
    # Atomic groups: possessive ones go wrong before Python 3.11.5.
    rb"(?>(?:%%%[^\n]*\n\s*)*)"
    rb"(?>(?:[^\s,%]++(?:,|\t+)[ \t]*)?)"
    rb"[^\s%\"]+\.[nvars]\.\d++"
    rb"(?=\s*$|\s+(?:%|[A-Z][A-Za-z0-9-]*\s+\S|[^\s%\"]+\.[nvars]\.\d))"
)


def sbn(head: bytes) -> Fit:
    """Whether a file begins like one of sbn."""
    if _SBN_START.match(head.removeprefix(BOM).lstrip()):
        return Fit(0.9, "it begins with a word sense and its roles (dog.n.01)")
    return NO_FIT


_DMRS = re.compile(rb"\s*+(?:#[^\n]*+\n\s*+)*+dmrs(?:\s++[^\s{]++)?\s*+(?:\{|$)")


def simpledmrs(head: bytes) -> Fit:
    """Whether a file begins like one of simpledmrs."""
    if _DMRS.match(head.removeprefix(BOM)):
        return Fit(0.95, "it begins with dmrs and a graph in braces")
    return NO_FIT


_ROW = re.compile(
    rb"1\t[^\t\n]+\t[^\t\n]*\t[^\t\n]*\t[-+]\t[-+](\t|\r?$)", re.MULTILINE
)
_COMMENTS = re.compile(rb"(?:\s*#[^\n]*\n)*\s*")


def sdp(head: bytes) -> Fit:
    """Whether a file begins like one of sdp."""
    head = head.removeprefix(BOM)
    if SDP_HEADER.match(head.lstrip()):
        return Fit(1.0, "its first line names a version of SDP")
    comments = _COMMENTS.match(head)
    if _ROW.match(head, comments.end() if comments else 0):
        return Fit(0.9, "its first word has the columns of SDP (+ and - for top, pred)")
    return NO_FIT


def ucca(head: bytes) -> Fit:
    """Whether a file begins like one of ucca."""
    start = head.removeprefix(BOM).lstrip()
    marks = (b"passageID", b"layerID", b"schemeVersion", b"<unitGroups", b"<units")
    if (
        start.startswith((b"<?xml", b"<root", b"<!--"))
        and b"<root" in start
        and any(mark in start for mark in marks)
    ):
        return Fit(1.0, "it is XML with the elements of a passage")
    return NO_FIT


_UMR_NUMBER = re.compile(rb"^#\s*::\s*snt\d", re.MULTILINE)
_UMR_GRAPH = re.compile(rb"^#\s*sentence[ -]level graph", re.MULTILINE | re.IGNORECASE)
_UMR_ALIGNMENT = re.compile(rb"^#\s*alignment:", re.MULTILINE)


def umr(head: bytes) -> Fit:
    """Whether a file begins like one of umr."""
    head = head.removeprefix(BOM)
    if not head.lstrip().startswith(b"#"):
        return NO_FIT
    if _UMR_NUMBER.search(head):
        return Fit(0.95, "it begins with a sentence of UMR (# :: snt1)")
    if _UMR_GRAPH.search(head) and _UMR_ALIGNMENT.search(head):
        return Fit(0.95, "it has the parts of a sentence of UMR (# alignment:)")
    return NO_FIT
