"""What files of this family begin with: light, for no reader is imported to tell."""

from __future__ import annotations

import re

from graphscore.formats.source import BOM, is_json

_NOTE = re.compile(r"#\w+\t\S")


_BRAT_KINDS = frozenset("TERAMN*#")


def brat(head: bytes) -> bool:
    """Whether most of the first lines are annotations."""
    lines = head.removeprefix(BOM).decode("utf-8", "replace").split("\n")
    if len(lines) > 1:
        lines.pop()  # it may be cut off, or empty
    if not any(line[:1] in _BRAT_KINDS for line in lines if line):
        return False
    # Only what may be brat is worth importing how its lines are read.
    from graphscore.formats.extraction.brat.lines import Bad, Note, parse

    found = [parse(line.removesuffix("\r"), 1) for line in lines if line.strip()]
    bad = sum(isinstance(each, Bad) for each in found)
    # Other formats have comments that begin alike, but no tab after an id.
    notes = [each for each in found if isinstance(each, Note)]
    others = sum(_NOTE.match(each.text) is None for each in notes)
    return len(found) - others - bad > bad


_DOCRED_KEYS = re.compile(rb'"(?:vertexSet|sents|h_idx|t_idx)"\s*+:')


def docred(head: bytes) -> bool:
    """Whether a file begins like one of docred."""
    return is_json(head, _DOCRED_KEYS, bracket=b"[")


_MARK = re.compile(
    rb'"doc_key"\s*:|"sentences"\s*:\s*\[\s*\[\s*["\]]'
    rb'|"(?:predicted_)?clusters"\s*:\s*\[\s*\['
)
_DYGIE_OTHER = re.compile(rb'"framework"\s*:|"sent_id"\s*:')


def dygie(head: bytes) -> bool:
    """Whether a file begins like a line of DyGIE++ or SciERC."""
    return is_json(head, _MARK, without=_DYGIE_OTHER)


_IDS = re.compile(rb'"sent_id"\s*:|"(?:entity|event|relation)_mentions"\s*:')
_TOKENS = re.compile(rb'"tokens"\s*:\s*\[\s*["\]]')


def oneie(head: bytes) -> bool:
    """Whether a file begins like one of oneie."""
    return is_json(head, _IDS, _TOKENS)


_SCIREX_KEYS = re.compile(
    rb'"(?:n_ary_relations|method_subrelations|predicted_relations|coref_non_salient)"'
    rb'\s*:|"(?:coref|clusters)"\s*:\s*\{|"words"\s*:\s*\[\s*["\]]'
)
_SCIREX_OTHER = re.compile(
    rb'"(?:doc_key|framework|sent_id|docid|corpus-id|nodes)"\s*:'
)


def scirex(head: bytes) -> bool:
    """Whether a file begins like one of scirex."""
    return is_json(head, _SCIREX_KEYS, without=_SCIREX_OTHER)
