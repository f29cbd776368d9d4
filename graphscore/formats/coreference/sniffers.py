"""What files of this family begin with: light, for no reader is imported to tell."""

from __future__ import annotations

import re

from graphscore.formats.source import BOM

DOCUMENT_MARK = re.compile(rb"#[ \t]*(begin|end)[ \t]+document\b.*\n?")
"""A line that begins or ends a document of CoNLL-2012."""


def conll2012(head: bytes) -> bool:
    """Whether the first line that is no other comment begins a document."""
    for line in head.removeprefix(BOM).split(b"\n"):
        match = DOCUMENT_MARK.match(line)
        if match:
            return match[1] == b"begin"
        if line.strip() and not line.startswith(b"#"):
            return False
    return False


_MARK = re.compile(
    rb'"(?:speakers?|constituents|subtoken_map|sentence_map|cased_words'
    rb'|span_clusters|word_clusters)"\s*:\s*[\[{]'
)
_CLUSTERS = re.compile(rb'"(?:predicted_)?clusters"\s*:\s*\[')
_WORDS = re.compile(rb'"(?:sentences|tokens)"\s*:\s*\[|"text"\s*:\s*"')
_OTHER = re.compile(
    rb'"framework"\s*:|"sent_id"\s*:\s*"|"(?:ner|predicted_ner)"\s*:\s*\[\s*\[\s*[\[\]]'
    rb'|"(?:(?:predicted_)?(?:relations|events)|dataset|n_ary_relations|coref)"\s*:'
)


def coref_jsonlines(head: bytes) -> bool:
    """Whether a file begins like a line of clusters, and of nothing else."""
    start = head.removeprefix(BOM).lstrip()
    if not start.startswith(b"{") or _OTHER.search(start):
        return False
    if _MARK.search(start):
        return True
    # Further layers may follow where the line goes on.
    line, _, rest = start.partition(b"\n")
    whole = bool(rest) or line.rstrip().endswith(b"}")
    return whole and bool(_CLUSTERS.search(line) and _WORDS.search(line))
