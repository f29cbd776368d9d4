"""What files of this family begin with: light, for no reader is imported to tell."""

from __future__ import annotations

import re

from graphscore.formats.base import NO_FIT, Fit
from graphscore.formats.shared.beginnings import (
    first_object,
    nested,
    with_keys,
)
from graphscore.formats.source import BOM

DOCUMENT_MARK = re.compile(rb"#[ \t]*(begin|end)[ \t]+document\b.*\n?")
"""A line that begins or ends a document of CoNLL-2012."""


def conll2012(head: bytes) -> Fit:
    """Whether the first line that is no other comment begins a document."""
    for line in head.removeprefix(BOM).split(b"\n"):
        match = DOCUMENT_MARK.match(line)
        if match:
            begun = match[1] == b"begin"
            return Fit(1.0, "it begins with '# begin document'") if begun else NO_FIT
        if line.strip() and not line.startswith(b"#"):
            return NO_FIT
    return NO_FIT


def preco(head: bytes) -> Fit:
    """Whether a file begins like a line of PreCo."""
    first = first_object(head)
    if first is None or not nested(first.fields.get("mention_clusters"), 3, int):
        return NO_FIT
    return with_keys(0.95, *first.seen("sentences"), "mention_clusters")


_MARKS = (
    *("speakers", "speaker", "constituents", "subtoken_map", "sentence_map"),
    *("cased_words", "span_clusters", "word_clusters"),
)
"""Keys of coreference systems that no line of DyGIE++ has."""

_CLUSTERS = ("predicted_clusters", "span_clusters", "clusters")
_WORDS = ("sentences", "cased_words", "tokens", "text")
_OTHER = (
    *("framework", "relations", "predicted_relations", "events", "predicted_events"),
    *("dataset", "n_ary_relations", "coref"),
)


def coref_jsonlines(head: bytes) -> Fit:
    """Whether a file begins like a line of clusters, and of nothing else."""
    first = first_object(head)
    if first is None or first.seen(*_OTHER) or first.has("sent_id", str):
        return NO_FIT
    fields = first.fields
    if any(
        isinstance(fields.get(key), list) and nested(fields[key], 2, list)
        for key in ("ner", "predicted_ner")
    ):
        return NO_FIT
    marks = [key for key in first.seen(*_MARKS) if isinstance(fields[key], list | dict)]
    clusters = [key for key in first.seen(*_CLUSTERS) if isinstance(fields[key], list)]
    words = [key for key in first.seen(*_WORDS) if isinstance(fields[key], list | str)]
    if marks and (clusters or words):
        return with_keys(0.95, *dict.fromkeys((*words[:1], *clusters[:1], *marks)))
    if clusters and words:
        # Further layers may follow where the line goes on.
        return with_keys(0.5 if first.cut else 0.85, words[0], clusters[0])
    return NO_FIT
