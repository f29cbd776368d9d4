"""What files of this family begin with: light, for no reader is imported to tell."""

from __future__ import annotations

import re

from graphscore.formats.base import NO_FIT, Fit
from graphscore.formats.shared.beginnings import (
    first_object,
    nested,
    share_of,
    with_keys,
)
from graphscore.formats.source import BOM

_NOTE = re.compile(r"#\w+\t\S")


_BRAT_KINDS = frozenset("TERAMN*#")


def brat(head: bytes) -> Fit:
    """Whether most of the first lines are annotations."""
    lines = head.removeprefix(BOM).decode("utf-8", "replace").split("\n")
    if len(lines) > 1:
        lines.pop()  # it may be cut off, or empty
    if not any(line[:1] in _BRAT_KINDS for line in lines if line):
        return NO_FIT
    # Only what may be brat is worth importing how its lines are read.
    from graphscore.formats.extraction.brat.lines import Bad, Note, parse

    found = [parse(line.removesuffix("\r"), 1) for line in lines if line.strip()]
    bad = sum(isinstance(each, Bad) for each in found)
    # Other formats have comments that begin alike, but no tab after an id.
    notes = [each for each in found if isinstance(each, Note)]
    others = sum(_NOTE.match(each.text) is None for each in notes)
    return share_of(len(found) - others - bad, bad, "are annotations of brat")


DOCRED_KEYS = frozenset({"vertexSet", "sents", "h_idx", "t_idx"})
"""Keys of documents and of predicted relations that no other format has."""


def docred(head: bytes) -> Fit:
    """Whether a file is of documents or of predicted relations."""
    first = first_object(head)
    if first is None:
        return NO_FIT
    seen = first.seen(*sorted(DOCRED_KEYS))
    return with_keys(0.95, *seen) if seen else NO_FIT


_LAYERS = ("ner", "relations", "events")
_DYGIE_DEPTH = {"ner": 2, "relations": 2, "events": 3}


def dygie(head: bytes) -> Fit:
    """Whether a file begins like a line of DyGIE++ or SciERC.

    Its layers have a list for each sentence; clusters alone are what files of
    coreference have, too.
    """
    first = first_object(head)
    if first is None or first.has("framework", str) or first.has("sent_id", str):
        return NO_FIT
    fields = first.fields
    layers = [
        key
        for each in _LAYERS
        for key in first.seen(each, f"predicted_{each}")
        if nested(fields[key], _DYGIE_DEPTH[each], (list, int))
    ]
    words = first.seen("sentences") if nested(fields.get("sentences"), 2, str) else []
    named = first.seen("doc_key")
    clusters = first.seen("clusters", "predicted_clusters")
    if layers and (words or named or first.cut):
        return with_keys(0.9 if words else 0.6, *named, *words, *layers)
    if named or (words and clusters):
        return with_keys(0.6 if words else 0.3, *named, *words, *clusters)
    return with_keys(0.3, *words) if words else NO_FIT


_IDS = ("sent_id", "entity_mentions", "event_mentions", "relation_mentions", "graph")


def oneie(head: bytes) -> Fit:
    """Whether a file begins like a sentence with tokens and mentions."""
    first = first_object(head)
    if first is None or first.has("framework", str):
        return NO_FIT
    seen = first.seen(*_IDS)
    if not seen or not nested(first.fields.get("tokens"), 1, str):
        return NO_FIT
    return with_keys(0.9, "tokens", *seen)


_SCIREX_KEYS = (
    *("n_ary_relations", "method_subrelations", "predicted_relations"),
    "coref_non_salient",
)
_SCIREX_OTHER = ("doc_key", "framework", "sent_id", "docid", "corpus-id", "nodes")


def scirex(head: bytes) -> Fit:
    """Whether a file begins like an article, or one of the files of predictions."""
    first = first_object(head)
    if first is None or first.seen(*_SCIREX_OTHER):
        return NO_FIT
    fields = first.fields
    if "predicted_relations" in fields and "sentences" in fields:
        return NO_FIT
    if seen := first.seen(*_SCIREX_KEYS):
        return with_keys(0.95, *seen)
    if "words" in fields and nested(fields["words"], 1, str):
        return with_keys(0.85, "words", *first.seen("ner"))
    named = [
        key
        for key in first.seen("coref", "clusters")
        if isinstance(fields[key], dict)
        and all(nested(each, 2, int) for each in fields[key].values())
    ]
    return with_keys(0.7, *named) if named else NO_FIT
